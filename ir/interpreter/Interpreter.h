//===- Interpreter.h - One op on one place ---------------------*- C++ -*-===//
//
// What holds after every op, whoever runs it: the result has the shape that its
// type says, is rounded to its type in mode `typed`, holds zero in pads that
// are said to be zero, and holds noise where pads are said to hold anything, so
// that an op that reads them is found out.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_INTERPRETER_H
#define DTC_IR_INTERPRETER_INTERPRETER_H

#include "ir/interpreter/Mesh.h"

#include "llvm/ADT/DenseMap.h"

#include <random>

namespace mlir::dtc {

/// `value` rounded to nearest even in a floating-point type; integers and f64
/// stay.
double roundToType(double value, Type elementType);

/// Rounds every element.
void roundToType(HostTensor &tensor, Type elementType);

/// Values of SSA names on one place.
using ValueMap = llvm::DenseMap<Value, HostTensor>;

/// Runs ops that need no other place.
class Interpreter {
public:
  Interpreter(const Mesh &mesh, bool typed) : mesh(mesh), typed(typed) {}

  bool isTyped() const { return typed; }

  /// True for ops that `run` knows: Interpretable ones and `fused`.
  static bool canRun(Operation *op);

  /// Computes the results of `op` on a place and finishes them.
  LogicalResult run(Operation *op, PlaceContext context,
                    ArrayRef<const HostTensor *> operands,
                    SmallVectorImpl<HostTensor> &results);

  /// Holds a result to its type and fills its pads. `inherited` is the fill
  /// value of the operand it comes from.
  LogicalResult finish(OpResult result, const PlaceContext &context,
                       HostTensor &tensor, double inheritedFill = 0);

private:
  LogicalResult runFused(Operation *op, const PlaceContext &context,
                         ArrayRef<const HostTensor *> operands,
                         SmallVectorImpl<HostTensor> &results);

  const Mesh &mesh;
  bool typed;
  std::mt19937_64 noise{20240607};
};

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_INTERPRETER_H
