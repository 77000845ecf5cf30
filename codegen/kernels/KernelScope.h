//===- KernelScope.h - What one kernel's loops can ask for -----*- C++ -*-===//
//
// A kernel computes the ops of one `dtc.fused` body (or one op alone). Its
// loops ask this scope for elements: of a buffer by a load, of a value inside
// the kernel by building the scalar computation of its op on the spot. So
// fusion is evaluation on demand, and no op knows what it is fused with.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_KERNELS_KERNELSCOPE_H
#define DTC_CODEGEN_KERNELS_KERNELSCOPE_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::dtc {

/// An integer argument of a kernel besides its buffers, in the runtime's terms.
struct KernelScalar {
  enum Kind { ExtentStart, ExtentLength, Step, Seed };
  Kind kind = Step;
  unsigned buffer = 0; ///< Extent*: index of the buffer whose value is meant
  int64_t dim = 0;     ///< Extent*: its dimension

  bool operator==(const KernelScalar &other) const {
    return kind == other.kind && buffer == other.buffer && dim == other.dim;
  }
};

/// One input or output of a kernel.
struct KernelBuffer {
  Value value; ///< as the ops inside the kernel name it
  bool output = false;
  int alias = -1; ///< outputs: the input whose memory it shares, or -1
};

/// Scalar computations of one kernel while its function is built.
class KernelScope {
public:
  /// Starts `function`, which gets an argument for each buffer that shares no
  /// other's memory, and begin and end. Scalars are added where asked for.
  KernelScope(OpBuilder &builder, func::FuncOp function,
              ArrayRef<KernelBuffer> buffers, bool flat);

  OpBuilder &b;
  Location loc;

  Value index(int64_t value);
  Value integer(int64_t value);
  Value real(Type type, double value);

  /// Element of `value` at a local index; rank-0 values take an empty one. Flat
  /// kernels use one index for all values of the full shape.
  Value element(Value value, ValueRange at);
  /// The same for an operand that is broadcast to `like`'s shape (trailing
  /// dimensions, as the binary ops have it).
  Value broadcastElement(Value value, Value like, ValueRange at);
  /// Stores to the buffer of an output.
  void store(Value scalar, Value output, ValueRange at);
  /// What the buffer of an output holds so far.
  Value loadOutput(Value output, ValueRange at);
  /// Makes a value's element known for the current row (or step of a loop).
  void bind(Value value, Value scalar) { bound[value] = scalar; }
  void unbind(Value value) { bound.erase(value); }
  bool isOutput(Value value) const { return outputs.contains(value); }
  /// Segment of a bucket that the update being built works on.
  int64_t segment = 0;

  /// True where the kernel asked for what it cannot have; `why` says what.
  bool hasFailed() const { return !failure.empty(); }
  StringRef getFailure() const { return failure; }

  /// First global index that the place holds in `dim`, and how many are valid
  /// (index type).
  Value extentStart(Value value, int64_t dim);
  Value extentLength(Value value, int64_t dim);
  Value step();
  Value seed();
  /// The integers asked for so far, in the order of the arguments.
  ArrayRef<KernelScalar> getScalars() const { return scalars; }
  Value begin() const { return rangeBegin; }
  Value end() const { return rangeEnd; }

  /// for (i = lower; i < upper; ++i) body(i)
  void forLoop(Value lower, Value upper, llvm::function_ref<void(Value)> body);
  /// The same with loop-carried values; `body` returns the next ones.
  SmallVector<Value>
  forLoop(Value lower, Value upper, ValueRange carried,
          llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// Loops over a whole shape, dimension 0 from `begin()` to `end()` where
  /// `partitioned`.
  void forShape(ArrayRef<int64_t> shape, bool partitioned,
                llvm::function_ref<void(ValueRange)> body);
  /// The same with loop-carried values.
  SmallVector<Value>
  forShape(ArrayRef<int64_t> shape, bool partitioned, ValueRange carried,
           llvm::function_ref<SmallVector<Value>(ValueRange, ValueRange)> body);

private:
  Value scalarArgument(const KernelScalar &scalar);
  unsigned extentBuffer(Value value);
  Value elementwise(ElementwiseOp op, Value value, ValueRange at);

  func::FuncOp function;
  SmallVector<KernelScalar> scalars;
  llvm::DenseMap<Value, Value> inputs;  ///< input to its memref
  llvm::DenseMap<Value, Value> outputs; ///< output to its memref
  llvm::DenseMap<Value, Value> bound;
  llvm::DenseMap<Value, unsigned> bufferIndex;
  SmallVector<Value> scalarArguments;
  unsigned memoryCount = 0;
  std::string failure;
  Value rangeBegin, rangeEnd;
};

/// Builds element `at` of one result of an op that is no ElementwiseOp but has
/// an element of its own at each index (slice, mask_pads, gradients of losses,
/// scalar ops). One entry an op in ElementFunctions.cpp.
using ElementFunction = Value (*)(KernelScope &, OpResult, ValueRange);
ElementFunction findElementFunction(Operation *op);

/// A reduction whose terms are elements: its value starts at `identity`, takes
/// `term` for each index of `domain` by `combine`, and ends with `finish`. One
/// entry an op in ReductionFunctions.cpp.
struct ReductionFunction {
  double identity;
  Value (*term)(KernelScope &, Operation *, ValueRange at);
  Value (*combine)(KernelScope &, Value total, Value term);
  Value (*finish)(KernelScope &, Operation *, Value total); ///< may be null
};
const ReductionFunction *findReductionFunction(Operation *op);

/// Local shape of what a reduction walks: that of its first operand.
ArrayRef<int64_t> getReductionDomain(Operation *op);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_KERNELS_KERNELSCOPE_H
