//===- EmitSchedule.cpp - The order of a stage's tasks
//---------------------===//
//
// A schedule is a list of repeats; calls outside of one are a repeat of one
// round. So its size depends on neither micro-batches nor ranks.
//
//===----------------------------------------------------------------------===//

#include "codegen/StageEmitter.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

void StageEmitter::addSchedule(StringRef step) {
  std::string name = ("stage" + Twine(stage) + "." + step).str();
  auto schedule = context.module.lookupSymbol<ScheduleOp>(name);
  if (!schedule)
    return;
  auto &repeats = step == "train" ? table->train : table->evaluate;
  auto makeCall = [&](CallOp call) {
    auto made = std::make_unique<fbs::CallT>();
    made->task = taskIndex.lookup(call.getTask());
    made->first = call.getFirst();
    return made;
  };
  bool open = false; // The last repeat takes further calls outside of any.
  for (Operation &op : schedule.getBody().front()) {
    auto repeat = dyn_cast<RepeatOp>(op);
    if (repeat || !open) {
      repeats.push_back(std::make_unique<fbs::RepeatT>());
      repeats.back()->count = repeat ? repeat.getCount() : 1;
      open = !repeat;
    }
    if (auto call = dyn_cast<CallOp>(op))
      repeats.back()->calls.push_back(makeCall(call));
    if (repeat)
      for (auto call : repeat.getBody().front().getOps<CallOp>())
        repeats.back()->calls.push_back(makeCall(call));
  }
}

LogicalResult StageEmitter::emit(ArrayRef<EmittedStep> steps) {
  if (failed(addMemory()) || failed(addVariables(steps.front().facts)) ||
      failed(addBuffers(steps)))
    return failure();
  for (const EmittedStep &step : steps) {
    SmallVector<func::FuncOp> tasks =
        findTasks(context.module, step.name, stage);
    for (func::FuncOp function : tasks) {
      function.walk(
          [&](SendOp send) { peers[send.getChannel()] = send.getPeerStage(); });
      if (failed(addResults(function, step.facts)))
        return failure();
    }
    for (func::FuncOp function : tasks)
      if (failed(addTask(function, step)))
        return failure();
    addSchedule(step.name);
  }
  return success();
}

} // namespace mlir::dtc
