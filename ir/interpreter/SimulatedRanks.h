//===- SimulatedRanks.h - A training step on N ranks in one process -*- C++
//-*-===//
//
// The oracle that passes and backends are held to. One interface runs a module
// in any of its three forms: a global function on one place, a function with
// layouts on all places in lockstep, and tasks with schedules, each rank with a
// cursor of its own.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_SIMULATEDRANKS_H
#define DTC_IR_INTERPRETER_SIMULATEDRANKS_H

#include "ir/interpreter/Interpreter.h"
#include "ir/interpreter/VariableStore.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlir::dtc {

/// On an argument of a step: the name of the model input (StringAttr).
inline constexpr llvm::StringLiteral kInputNameAttr = "dtc.input";
/// On an op: the parameter whose whole gradient it makes (FlatSymbolRefAttr).
inline constexpr llvm::StringLiteral kGradientOfAttr = "dtc.gradient_of";

/// Name of an input that has no `dtc.input`.
std::string getArgumentName(unsigned number);

/// How a module is run.
struct SimulationOptions {
  std::string function = "step"; ///< or "evaluate"
  bool typed = false;            ///< round to the element type after each op
  uint64_t seed = 0;
};

/// All parts of one value of a step.
struct ValueRecord {
  Operation *op = nullptr; ///< that computed it
  RankedTensorType type;
  Parts parts; ///< one a place
};

/// What a step leaves behind besides variables.
struct StepTrace {
  std::map<std::string, double> reports;
  std::vector<HostTensor> results; ///< of the function, global
  std::vector<ValueRecord> resultParts;
  /// By model name (`dtc.name`), in the order in which they were computed.
  std::map<std::string, std::vector<ValueRecord>> values;
  /// By parameter: the value whose op says `dtc.gradient_of`.
  std::map<std::string, std::vector<ValueRecord>> gradients;

  /// Enters a part of a result under its names.
  void record(OpResult result, size_t place, size_t placeCount,
              const HostTensor &tensor);
  /// Publishes a scalar; an error at `op` if another place said otherwise.
  LogicalResult report(Operation *op, StringRef metric, double value);
};

class SimulatedRanks {
public:
  /// Prepares `module`, which must outlive this. Errors are emitted at ops.
  static FailureOr<std::unique_ptr<SimulatedRanks>>
  create(ModuleOp module, SimulationOptions options = {});

  const Mesh &getMesh() const { return mesh; }
  VariableStore &getVariables() { return *variables; }

  /// Names of the step's inputs (`dtc.input`, else argument<i>), in order.
  SmallVector<std::string> getInputNames() const;
  /// Global type of an input; null where there is none of this name.
  RankedTensorType getInputType(StringRef name) const;
  /// What absent samples of an input hold: `fill` in the module's `dtc.data`,
  /// else the `ignore` label of its first user that has one, else 0.
  double getInputFill(StringRef name) const;
  LogicalResult setInput(StringRef name, const HostTensor &global);

  /// Steps since the start of the run, which random ops read; grows by one with
  /// every step.
  void setStep(int64_t stepsSoFar) { step = stepsSoFar; }
  LogicalResult runStep();

  const StepTrace &getTrace() const { return trace; }
  /// A value by its model name, whole. Where several ops have the name, the
  /// last one that was computed; an error where there is none.
  FailureOr<HostTensor> getValue(StringRef name) const;
  /// Its parts; null where no op has the name.
  const ValueRecord *getRecord(StringRef name) const;
  /// The gradient of a parameter, whole.
  FailureOr<HostTensor> getGradient(StringRef parameter) const;

private:
  struct Input {
    std::string name;
    RankedTensorType type;
    double fill = 0;
    HostTensor value;
    bool isSet = false;
  };

  SimulatedRanks(ModuleOp module, SimulationOptions options);
  LogicalResult findInputs();
  const Input *findInput(StringRef name) const;

  mutable ModuleOp module; // errors are emitted at it
  SimulationOptions options;
  func::FuncOp function; ///< null where tasks are run
  Mesh mesh;
  std::unique_ptr<VariableStore> variables;
  std::vector<Input> inputs;
  int64_t step = 0;
  StepTrace trace;
};

/// A model input as a run of tasks or of a function asks for it.
using InputLookup =
    llvm::function_ref<FailureOr<HostTensor>(Operation *op, StringRef name)>;

/// Runs a function once on all places, op by op.
LogicalResult runLockstep(func::FuncOp function, const Mesh &mesh,
                          Interpreter &interpreter, VariableStore &variables,
                          InputLookup inputs, PlaceContext prototype,
                          StepTrace &trace);

/// Runs the schedules of all stages once (`kind` is "train" or "evaluate").
LogicalResult runSchedules(ModuleOp module, StringRef kind, const Mesh &mesh,
                           Interpreter &interpreter, VariableStore &variables,
                           InputLookup inputs, PlaceContext prototype,
                           StepTrace &trace);

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_SIMULATEDRANKS_H
