//===- InstructionHarness.h - One instruction on a few ranks
//---------------===//
//
// Builds a program of one task from tables, loads it from its bytes as any
// other program, runs it on ranks that are threads, and lets a test look at the
// arenas. Values lie one after another; their layout is the mesh's R unless
// said.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_INSTRUCTIONHARNESS_H
#define DTC_TESTS_RUNTIME_INSTRUCTIONHARNESS_H

#include "runtime/comm/LocalCommunicator.h"
#include "runtime/executor/Executor.h"
#include "runtime/program/ContentHash.h"

#include "gtest/gtest.h"

#include <functional>
#include <map>
#include <thread>

namespace dtc::rt {

/// State of a value on one axis.
inline program::AxisState splitState(int32_t dim) {
  return {0, dim, program::AxisKind::Split, program::ReductionKind::Sum};
}

class InstructionHarness {
public:
  InstructionHarness(uint32_t pp, uint32_t dp, uint32_t tp, uint32_t mb) {
    const char *names[] = {"pp", "dp", "tp", "mb"};
    uint32_t parts[] = {pp, dp, tp, mb};
    for (int axis = 0; axis < kMeshAxisCount; ++axis) {
      auto entry = std::make_unique<program::MeshAxisT>();
      entry->name = names[axis];
      entry->parts = parts[axis];
      table.axes.push_back(std::move(entry));
    }
    table.format_major = kFormatMajor;
    table.producer = "test";
    table.model = "test";
    table.content_hash_low = table.content_hash_high = 1;
    table.plan = std::make_unique<program::PlanT>();
    table.plan->schedule = "1f1b";
    table.graph = std::make_unique<program::StepGraphT>();
    table.data = std::make_unique<program::DataT>();
    table.data->train = std::make_unique<program::DataSplitT>();
    for (uint32_t stage = 0; stage < pp; ++stage) {
      table.stages.push_back(std::make_unique<program::StageT>());
      auto task = std::make_unique<program::TaskT>();
      task->name = "task";
      table.stages.back()->tasks.push_back(std::move(task));
    }
  }

  /// Adds a value to a stage; its place has `spare` bytes behind its elements.
  uint32_t value(std::vector<uint64_t> globalShape,
                 std::vector<uint64_t> localShape,
                 std::map<int, program::AxisState> states = {},
                 program::DType dtype = program::DType::F32, uint64_t spare = 0,
                 uint32_t stage = 0) {
    auto layout = std::make_unique<program::LayoutT>();
    layout->axes.resize(kMeshAxisCount, {0, -1, program::AxisKind::Replicated,
                                         program::ReductionKind::Sum});
    for (auto [axis, state] : states)
      layout->axes[static_cast<size_t>(axis)] = state;
    table.layouts.push_back(std::move(layout));
    auto made = std::make_unique<program::ValueT>();
    made->name = "v" + std::to_string(table.stages[stage]->values.size());
    made->dtype = dtype;
    uint64_t bytes = static_cast<uint64_t>(byteSize(toDType(dtype)));
    for (uint64_t size : localShape)
      bytes *= size;
    made->global_shape = std::move(globalShape);
    made->local_shape = std::move(localShape);
    made->layout = static_cast<uint32_t>(table.layouts.size() - 1);
    program::StageT &owner = *table.stages[stage];
    made->place = std::make_unique<program::Place>(owner.arena_bytes,
                                                   bytes + spare, 1, 0, 0);
    owner.arena_bytes += (bytes + spare + 63) / 64 * 64;
    owner.values.push_back(std::move(made));
    return static_cast<uint32_t>(owner.values.size() - 1);
  }

  template <typename T>
  T &add(uint32_t stage = 0) {
    auto instruction = std::make_unique<program::InstructionT>();
    instruction->kind.Set(T());
    auto &made = *static_cast<T *>(instruction->kind.value);
    table.stages[stage]->tasks[0]->instructions.push_back(
        std::move(instruction));
    return made;
  }

  /// Calls the task once for each micro-batch.
  void repeat(uint32_t count) { rounds = count; }

  Result<std::unique_ptr<Program>> load() {
    for (auto &stage : table.stages) {
      auto call = std::make_unique<program::CallT>();
      auto entry = std::make_unique<program::RepeatT>();
      entry->count = rounds;
      entry->calls.push_back(std::move(call));
      stage->train.clear();
      stage->train.push_back(std::move(entry));
    }
    std::vector<uint8_t> bytes = pack();
    ContentHash hash = hashProgram(bytes);
    table.content_hash_low = hash.low;
    table.content_hash_high = hash.high;
    return Program::load(pack());
  }

  using Look = std::function<void(int32_t rank, Executor &)>;

  /// Loads, lets `fill` write operands, runs one step, lets `look` read.
  Status run(const Look &fill, const Look &look, BatchSource *batches = nullptr,
             ReportSink *reports = nullptr) {
    DTC_ASSIGN_OR_RETURN(program, load());
    LocalWorldOptions options;
    options.rankCount = Mesh(program->table()).rankCount();
    options.timeout = std::chrono::seconds(20);
    DTC_ASSIGN_OR_RETURN(std::shared_ptr<LocalWorld> world,
                         LocalWorld::create(options));
    KernelImage kernels;
    std::vector<Status> statuses(static_cast<size_t>(options.rankCount));
    std::vector<std::thread> threads;
    for (int32_t rank = 0; rank < options.rankCount; ++rank)
      threads.emplace_back([&, rank] {
        Status &status = statuses[static_cast<size_t>(rank)];
        status = runRank(*world, kernels, rank, fill, look, batches, reports);
        if (!status.isOk())
          world->abort(rank, status);
      });
    for (std::thread &thread : threads)
      thread.join();
    for (Status &status : statuses)
      if (!status.isOk())
        return status;
    return Status::ok();
  }

  static void set(Executor &executor, uint32_t id,
                  const std::vector<double> &elements) {
    ValueRef ref = *executor.value(id);
    for (size_t i = 0; i < elements.size(); ++i)
      storeElement(executor.bytes(ref) + i * byteSize(ref.dtype), ref.dtype,
                   elements[i]);
  }
  static std::vector<double> get(Executor &executor, uint32_t id) {
    ValueRef ref = *executor.value(id);
    std::vector<double> elements;
    for (int64_t i = 0; i < ref.elementCount; ++i)
      elements.push_back(loadElement(
          executor.bytes(ref) + i * byteSize(ref.dtype), ref.dtype));
    return elements;
  }

  program::ProgramT table;

private:
  struct NoBatches final : BatchSource {
    Status read(uint32_t, int64_t, int64_t, int64_t, void *) override {
      return Status::internal() << "no batch is read here";
    }
  };
  struct NoReports final : ReportSink {
    void report(int, double) override {}
  };

  std::vector<uint8_t> pack() const {
    flatbuffers::FlatBufferBuilder builder;
    program::FinishSizePrefixedProgramBuffer(
        builder, program::Program::Pack(builder, &table));
    return {builder.GetBufferPointer(),
            builder.GetBufferPointer() + builder.GetSize()};
  }

  Status runRank(LocalWorld &world, const KernelImage &kernels, int32_t rank,
                 const Look &fill, const Look &look, BatchSource *batches,
                 ReportSink *reports) {
    DTC_ASSIGN_OR_RETURN(std::unique_ptr<Communicator> communicator,
                         world.communicator(rank));
    DTC_ASSIGN_OR_RETURN(
        std::unique_ptr<Executor> executor,
        Executor::create(*program, {rank, 1, communicator.get(), &kernels}));
    fill(rank, *executor);
    NoBatches noBatches;
    NoReports noReports;
    DTC_RETURN_IF_ERROR(executor->train(0, batches ? *batches : noBatches,
                                        reports ? *reports : noReports));
    std::vector<int32_t> everyone;
    for (int32_t other = 0; other < world.rankCount(); ++other)
      everyone.push_back(other);
    DTC_ASSIGN_OR_RETURN(GroupHandle group, communicator->openGroup(everyone));
    DTC_RETURN_IF_ERROR(communicator->barrier(group));
    look(rank, *executor);
    return Status::ok();
  }

  std::unique_ptr<Program> program;
  uint32_t rounds = 1;
};

} // namespace dtc::rt

#endif // DTC_TESTS_RUNTIME_INSTRUCTIONHARNESS_H
