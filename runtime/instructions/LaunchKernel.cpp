//===- LaunchKernel.cpp - Run a generated kernel
//---------------------------===//
//
// Pointers and integers are written into arrays made beforehand; what depends
// on neither micro-batch nor step is written once. Threads take ranges of the
// kernel's outermost loop.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/ThreadTeam.h"
#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

/// Below this a second thread costs more than it brings: two microseconds of
/// waking against about 20 GB/s.
constexpr int64_t kParallelBytes = 128 * 1024;

struct ScalarArgument {
  program::ScalarKind kind;
  const program::Layout *layout;
  int64_t globalSize;
  int32_t dim;
};

class LaunchKernelInstruction final : public Instruction {
public:
  LaunchKernelInstruction(uint32_t operation, const Mesh &mesh)
      : Instruction(operation), mesh(mesh) {}

  Status prepare(PrepareContext &) override {
    pointers.resize(buffers.size());
    integers.resize(scalars.size());
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    for (size_t i = 0; i < buffers.size(); ++i)
      pointers[i] = buffers[i].at(context.arena, context.microBatch);
    Coordinates here = coordinates;
    here[kMb] = context.microBatch;
    for (size_t i = 0; i < scalars.size(); ++i)
      integers[i] = evaluate(scalars[i], here, context);
    if (parallel && context.threadCount > 1)
      parallelFor(extent, context.threadCount,
                  [this](int64_t begin, int64_t end) {
                    function(pointers.data(), integers.data(), begin, end);
                  });
    else
      function(pointers.data(), integers.data(), 0, extent);
    return Status::ok();
  }

  KernelFunction function = nullptr;
  int64_t extent = 1;
  bool parallel = false;
  std::vector<ValueRef> buffers;
  std::vector<ScalarArgument> scalars;
  Coordinates coordinates{};
  uint64_t seed = 0;

private:
  int64_t evaluate(const ScalarArgument &scalar, const Coordinates &here,
                   const ExecuteContext &context) const {
    switch (scalar.kind) {
    case program::ScalarKind::Constant:
      return scalar.globalSize;
    case program::ScalarKind::Step:
      return context.step;
    case program::ScalarKind::Seed:
      return static_cast<int64_t>(seed);
    case program::ScalarKind::ExtentStart:
      return mesh.extent(*scalar.layout, scalar.globalSize, scalar.dim, here)
          .start;
    case program::ScalarKind::ExtentLength:
      return mesh.extent(*scalar.layout, scalar.globalSize, scalar.dim, here)
          .length;
    }
    return 0;
  }

  Mesh mesh;
  std::vector<void *> pointers;
  std::vector<int64_t> integers;
};

Status readScalars(const program::LaunchKernel &table, PrepareContext &context,
                   LaunchKernelInstruction &made) {
  if (!table.scalars())
    return Status::ok();
  for (const program::Scalar *scalar : *table.scalars()) {
    ScalarArgument argument{scalar->kind(), nullptr, scalar->constant(), 0};
    if (scalar->kind() > program::ScalarKind::MAX)
      return Status::invalidProgram() << "a kernel's scalar of unknown kind";
    if (scalar->kind() == program::ScalarKind::ExtentStart ||
        scalar->kind() == program::ScalarKind::ExtentLength) {
      DTC_ASSIGN_OR_RETURN(ValueRef ref, context.value(scalar->value()));
      const auto *shape = ref.value->global_shape();
      if (!shape || scalar->dim() >= shape->size())
        return Status::invalidProgram()
               << "a kernel asks for dimension " << scalar->dim() << " of "
               << ref.value->name()->str();
      argument.layout = &context.layout(ref);
      argument.dim = static_cast<int32_t>(scalar->dim());
      argument.globalSize = static_cast<int64_t>(shape->Get(scalar->dim()));
    }
    made.scalars.push_back(argument);
  }
  return Status::ok();
}

Status readBuffers(const program::LaunchKernel &table, PrepareContext &context,
                   LaunchKernelInstruction &made) {
  int64_t bytes = 0;
  auto add = [&](uint32_t id) -> Status {
    DTC_ASSIGN_OR_RETURN(ValueRef ref, context.value(id));
    bytes += ref.byteCount();
    made.buffers.push_back(ref);
    return Status::ok();
  };
  if (table.inputs())
    for (uint32_t id : *table.inputs())
      DTC_RETURN_IF_ERROR(add(id));
  if (!table.outputs() || table.outputs()->size() != table.aliases()->size())
    return Status::invalidProgram() << "a kernel with another number of "
                                       "outputs than of their aliases";
  for (uint32_t i = 0; i < table.outputs()->size(); ++i)
    if (table.aliases()->Get(i) < 0)
      DTC_RETURN_IF_ERROR(add(table.outputs()->Get(i)));
  made.parallel = bytes >= kParallelBytes && made.extent > 1;
  return Status::ok();
}

} // namespace

Result<std::unique_ptr<Instruction>>
makeLaunchKernel(const program::LaunchKernel &table, PrepareContext &context) {
  auto made =
      std::make_unique<LaunchKernelInstruction>(table.id(), context.mesh);
  const program::KernelLibrary *library = context.program.kernels();
  if (!library || table.kernel() >= library->kernels()->size())
    return Status::invalidProgram()
           << "kernel " << table.kernel() << " of "
           << (library ? library->kernels()->size() : 0);
  made->extent = static_cast<int64_t>(
      library->kernels()->Get(table.kernel())->parallel_extent());
  made->function = context.kernels->function(table.kernel());
  made->coordinates = context.coordinates;
  made->seed = context.program.seed();
  DTC_RETURN_IF_ERROR(readBuffers(table, context, *made));
  DTC_RETURN_IF_ERROR(readScalars(table, context, *made));
  return made;
}

} // namespace dtc::rt
