//===- Instruction.h - One step of a task
//----------------------------------===//
//
// An instruction is prepared once and executed every time its task is called.
// prepare() takes handles and workspace and may be slow; execute() allocates
// nothing, takes no lock of ours and checks nothing again.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_INSTRUCTIONS_INSTRUCTION_H
#define DTC_RUNTIME_INSTRUCTIONS_INSTRUCTION_H

#include "runtime/base/DType.h"
#include "runtime/base/Status.h"
#include "runtime/comm/Communicator.h"
#include "runtime/device/KernelImage.h"
#include "runtime/program/Mesh.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace dtc::rt {

/// Where the rows of a step's batch come from.
class BatchSource {
public:
  virtual ~BatchSource() = default;

  /// Writes rows [firstRow, firstRow + rowCount) of the global batch of `step`
  /// of model input `input` (index into Data.inputs), row-major.
  virtual Status read(uint32_t input, int64_t step, int64_t firstRow,
                      int64_t rowCount, void *destination) = 0;
};

/// Takes what a step publishes. Called on the rank that holds the value.
class ReportSink {
public:
  virtual ~ReportSink() = default;
  /// `metric` is the index that prepare() got from `metricIndex`.
  virtual void report(int metric, double value) = 0;
};

/// A value of the rank's stage, as instructions use it.
struct ValueRef {
  const program::Value *value = nullptr;
  uint32_t id = 0; ///< into Stage.values
  int64_t offset = 0, slots = 1, slotStride = 0, microBatchStride = 0;
  int64_t placeBytes = 0;
  int64_t elementCount = 0; ///< padded local
  DType dtype = DType::kF32;

  /// Its bytes for a micro-batch.
  std::byte *at(std::byte *arena, int64_t microBatch) const {
    return arena + offset + slotStride * (microBatch % slots) +
           microBatchStride * microBatch;
  }
  int64_t byteCount() const { return elementCount * byteSize(dtype); }
  bool samePlace(const ValueRef &other) const {
    return offset == other.offset && slots == other.slots &&
           slotStride == other.slotStride &&
           microBatchStride == other.microBatchStride;
  }
};

/// What is known when a rank's program is prepared.
class PrepareContext {
public:
  const program::Program &program;
  const program::Stage &stage;
  const Mesh &mesh;
  Coordinates coordinates; ///< of this rank, 0 on `mb`
  Communicator *communicator;
  const KernelImage *kernels;
  std::vector<std::string> metrics; ///< names, in order of first use
  int64_t scratchBytes = 0;         ///< largest library workspace asked for
  int threadCount = 1;

  /// A value of the stage by id.
  Result<ValueRef> value(uint32_t id) const;
  /// The communicator's group of ranks that differ from this one on `axes`;
  /// over pp those of the stages over which `reduced` is partial.
  Result<GroupHandle> group(const std::vector<int> &axes,
                            const ValueRef &reduced);
  /// Layout of a value.
  const program::Layout &layout(const ValueRef &ref) const {
    return *program.layouts()->Get(ref.value->layout());
  }
  int metricIndex(const std::string &name);
  /// The rank of another stage with this rank's other coordinates.
  Result<int32_t> peer(uint32_t stageIndex) const;
};

/// What changes from call to call.
struct ExecuteContext {
  std::byte *arena = nullptr;
  std::byte *scratch = nullptr;
  int64_t microBatch = 0;
  int64_t step = 0;
  Communicator *communicator = nullptr;
  BatchSource *batches = nullptr;
  ReportSink *reports = nullptr;
  int threadCount = 1;
};

/// What a step's time goes to, for metrics.
enum class Work : uint8_t { kCompute, kData, kCommunication };

class Instruction {
public:
  explicit Instruction(uint32_t operation, Work work = Work::kCompute)
      : operation(operation), work(work) {}
  virtual ~Instruction() = default;

  virtual Status prepare(PrepareContext &) { return Status::ok(); }
  virtual Status execute(ExecuteContext &context) = 0;

  /// The static operation id, the same on every rank.
  uint32_t getOperation() const { return operation; }
  Work getWork() const { return work; }
  /// Floating-point operations of one execution, where they matter.
  virtual int64_t getFlops() const { return 0; }

private:
  uint32_t operation;
  Work work;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_INSTRUCTIONS_INSTRUCTION_H
