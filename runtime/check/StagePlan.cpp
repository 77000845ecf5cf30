//===- StagePlan.cpp - One stage's instructions, ready to be walked -------===//
//
// What an instruction reads and writes is a fact of its kind; an unknown kind
// ends the check.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/StagePlan.h"

#include "runtime/program/Program.h"

#include <algorithm>

namespace dtc::rt::check {
namespace {

using Ids = std::vector<uint32_t>;

Ids toIds(const flatbuffers::Vector<uint32_t> *list) {
  return list ? Ids(list->begin(), list->end()) : Ids();
}

bool contains(const Ids &ids, uint32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

Status inRange(const char *what, uint64_t found, uint64_t limit) {
  if (found < limit)
    return Status::ok();
  return Status::invalidProgram()
         << what << " " << found << ", there are " << limit;
}

Status checkAxes(const flatbuffers::Vector<uint8_t> *axes, int limit) {
  for (uint32_t i = 0; i < axes->size(); ++i) {
    DTC_RETURN_IF_ERROR(inRange("it names mesh axis", axes->Get(i),
                                static_cast<uint64_t>(limit)));
    if (i && axes->Get(i) <= axes->Get(i - 1))
      return Status::invalidProgram()
             << "its axes are not in mesh order, each once";
  }
  if (axes->size() == 0)
    return Status::invalidProgram() << "it names no axis";
  return Status::ok();
}

/// Fills reads and writes, and looks at the ids that are not values.
struct AccessReader {
  const program::Program &program;
  const GraphFacts &graph;
  PlannedInstruction &made;

  Status set(uint32_t operation, Ids reads, Ids writes) {
    made.operation = operation;
    made.reads = std::move(reads);
    made.writes = std::move(writes);
    return Status::ok();
  }

  Status read(const program::LaunchKernel &table) {
    size_t kernels = program.kernels() ? program.kernels()->kernels()->size() : 0;
    DTC_RETURN_IF_ERROR(inRange("it launches kernel", table.kernel(), kernels));
    for (uint32_t op : toIds(table.ops()))
      DTC_RETURN_IF_ERROR(inRange("it names graph op", op, graph.opCount()));
    Ids inputs = toIds(table.inputs()), outputs = toIds(table.outputs());
    if (table.aliases()->size() != outputs.size())
      return Status::invalidProgram()
             << outputs.size() << " outputs and aliases for "
             << table.aliases()->size();
    for (int32_t alias : *table.aliases())
      if (alias >= 0)
        DTC_RETURN_IF_ERROR(inRange("an output aliases input",
                                    static_cast<uint64_t>(alias),
                                    inputs.size()));
    // Extents are those of the kernel's own buffers.
    if (table.scalars())
      for (const program::Scalar *scalar : *table.scalars()) {
        bool isExtent = scalar->kind() == program::ScalarKind::ExtentStart ||
                        scalar->kind() == program::ScalarKind::ExtentLength;
        if (isExtent && !contains(inputs, scalar->value()) &&
            !contains(outputs, scalar->value()))
          return Status::invalidProgram()
                 << "it asks for an extent of value " << scalar->value()
                 << ", which is none of its buffers";
      }
    return set(table.id(), inputs, outputs);
  }
  Status read(const program::MatMul &table) {
    DTC_RETURN_IF_ERROR(
        inRange("it names graph op", table.op(), graph.opCount()));
    return set(table.id(), {table.lhs(), table.rhs()}, {table.result()});
  }
  Status read(const program::AllReduce &table) {
    DTC_RETURN_IF_ERROR(checkAxes(table.axes(), kMb));
    if (table.kind() > program::ReductionKind::MAX)
      return Status::invalidProgram() << "its reduction is unknown";
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::ReduceScatter &table) {
    DTC_RETURN_IF_ERROR(inRange("it names mesh axis", table.axis(), kMb));
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::AllGather &table) {
    DTC_RETURN_IF_ERROR(inRange("it names mesh axis", table.axis(), kMb));
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::Send &table) {
    DTC_RETURN_IF_ERROR(inRange("its peer is stage", table.peer_stage(),
                                program.stages()->size()));
    return set(table.id(), {table.value()}, {});
  }
  Status read(const program::Recv &table) {
    DTC_RETURN_IF_ERROR(inRange("its peer is stage", table.peer_stage(),
                                program.stages()->size()));
    return set(table.id(), {}, {table.result()});
  }
  Status read(const program::Wait &table) {
    DTC_RETURN_IF_ERROR(inRange("its peer is stage", table.peer_stage(),
                                program.stages()->size()));
    return set(table.id(), {}, {});
  }
  Status read(const program::ReadBatch &table) {
    DTC_RETURN_IF_ERROR(inRange("it reads model input", table.input(),
                                program.data()->inputs()->size()));
    return set(table.id(), {}, {table.result()});
  }
  Status read(const program::Clear &table) {
    return set(table.id(), {}, {table.accumulator()});
  }
  Status read(const program::Accumulate &table) {
    return set(table.id(), {table.value(), table.accumulator()},
               {table.accumulator()});
  }
  Status read(const program::ToPartial &table) {
    DTC_RETURN_IF_ERROR(checkAxes(table.axes(), kMeshAxisCount));
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::LocalSlice &table) {
    DTC_RETURN_IF_ERROR(
        inRange("it names mesh axis", table.axis(), kMeshAxisCount));
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::View &table) {
    if (table.op() >= 0)
      DTC_RETURN_IF_ERROR(inRange("it names graph op",
                                  static_cast<uint64_t>(table.op()),
                                  graph.opCount()));
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::Copy &table) {
    return set(table.id(), {table.input()}, {table.result()});
  }
  Status read(const program::PackBucket &table) {
    if (table.members()->size() == 0)
      return Status::invalidProgram() << "it packs no member";
    return set(table.id(), toIds(table.members()), {table.result()});
  }
  Status read(const program::UnpackBucket &table) {
    return set(table.id(), {table.bucket()}, toIds(table.results()));
  }
  Status read(const program::Read &table) {
    DTC_RETURN_IF_ERROR(inRange("it reads variable", table.variable(),
                                program.variables()->size()));
    return set(table.id(), {}, {table.result()});
  }
  Status read(const program::Store &table) {
    DTC_RETURN_IF_ERROR(inRange("it stores variable", table.variable(),
                                program.variables()->size()));
    return set(table.id(), {table.value()}, {});
  }
  Status read(const program::Report &table) {
    return set(table.id(), {table.value()}, {});
  }
};

#define DTC_READ(name)                                                         \
  case InstructionKind::name:                                                  \
    return reader.read(*entry.kind_as_##name());

Status readAccess(const program::Instruction &entry, AccessReader reader) {
  switch (entry.kind_type()) {
    DTC_READ(LaunchKernel)
    DTC_READ(MatMul)
    DTC_READ(AllReduce)
    DTC_READ(ReduceScatter)
    DTC_READ(AllGather)
    DTC_READ(Send)
    DTC_READ(Recv)
    DTC_READ(Wait)
    DTC_READ(ReadBatch)
    DTC_READ(Clear)
    DTC_READ(Accumulate)
    DTC_READ(ToPartial)
    DTC_READ(LocalSlice)
    DTC_READ(View)
    DTC_READ(Copy)
    DTC_READ(PackBucket)
    DTC_READ(UnpackBucket)
    DTC_READ(Read)
    DTC_READ(Store)
    DTC_READ(Report)
  default:
    return Status::invalidProgram()
           << "instruction of kind " << static_cast<int>(entry.kind_type())
           << " is not known to the checker";
  }
}

#undef DTC_READ

} // namespace

int64_t StagePlan::address(uint32_t id, int64_t microBatch) const {
  const program::Place &place = *value(id).place();
  return static_cast<int64_t>(place.offset()) +
         static_cast<int64_t>(place.slot_stride()) *
             (microBatch % static_cast<int64_t>(place.slots())) +
         static_cast<int64_t>(place.micro_batch_stride()) * microBatch;
}

int64_t StagePlan::byteCount(uint32_t id) const {
  return localElementCount(value(id)) * elementBytes(value(id).dtype());
}

std::string StagePlan::describe(const PlannedInstruction &instruction) const {
  std::string text = "operation " + std::to_string(instruction.operation) +
                     " " + program::EnumNameInstructionKind(instruction.kind);
  if (instruction.operation < program->operations()->size())
    text += " " +
            program->operations()->Get(instruction.operation)->name()->str();
  return text;
}

std::string StagePlan::where(uint32_t task,
                             const PlannedInstruction &instruction) const {
  return "stage " + std::to_string(stageIndex) + " task " +
         table->tasks()->Get(task)->name()->str() + " " +
         describe(instruction);
}

Status StagePlan::planInstruction(const program::Instruction &entry,
                                  const GraphFacts &graph,
                                  PlannedInstruction &made) {
  made.table = &entry;
  made.kind = entry.kind_type();
  DTC_RETURN_IF_ERROR(readAccess(entry, {*program, graph, made}));
  DTC_RETURN_IF_ERROR(inRange("its operation is", made.operation,
                              program->operations()->size()));
  std::string kind = program->operations()->Get(made.operation)->kind()->str();
  if (kind != program::EnumNameInstructionKind(made.kind))
    return Status::invalidProgram()
           << "operation " << made.operation << " is of kind " << kind;
  for (const Ids *ids : {&made.reads, &made.writes})
    for (uint32_t id : *ids) {
      DTC_RETURN_IF_ERROR(
          inRange("it uses value", id, table->values()->size()));
      for (uint32_t logical : *value(id).logicals())
        if (Status status =
                inRange("is graph value", logical, graph.valueCount());
            !status.isOk())
          return std::move(status).at(value(id).name()->str());
    }
  return Status::ok();
}

Result<StagePlan> StagePlan::build(const program::Program &program,
                                   uint32_t stageIndex,
                                   const GraphFacts &graph, bool isTraining) {
  StagePlan plan;
  plan.program = &program;
  plan.table = program.stages()->Get(stageIndex);
  plan.stageIndex = stageIndex;
  plan.tasks.resize(plan.table->tasks()->size());
  const auto *repeats =
      isTraining ? plan.table->train() : plan.table->evaluate();
  std::set<uint32_t> called;
  if (repeats)
    for (const program::Repeat *repeat : *repeats)
      for (uint32_t round = 0; round < repeat->count(); ++round)
        for (const program::Call *call : *repeat->calls()) {
          plan.schedule.push_back({call->task(), round + call->first()});
          called.insert(call->task());
        }
  for (uint32_t task : called)
    for (const program::Instruction *entry :
         *plan.table->tasks()->Get(task)->instructions()) {
      PlannedInstruction made;
      Status status = plan.planInstruction(*entry, graph, made);
      if (!status.isOk())
        return std::move(status).at(
            "stage " + std::to_string(stageIndex) + " task " +
            plan.table->tasks()->Get(task)->name()->str() + " instruction " +
            std::to_string(plan.tasks[task].size()) + " " +
            program::EnumNameInstructionKind(entry->kind_type()));
      plan.tasks[task].push_back(std::move(made));
    }
  return plan;
}

} // namespace dtc::rt::check
