//===- Accumulate.cpp - Add a micro-batch's addend ------------------------===//
//
// In the order of the micro-batches, which the schedule fixes. The first one
// could be a copy; a clear and an add keep one program for any number of them.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class AccumulateInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef value, accumulator;

  template <typename T>
  void add(ExecuteContext &context) const {
    const T *from = reinterpret_cast<const T *>(
        value.at(context.arena, context.microBatch));
    T *into = reinterpret_cast<T *>(
        accumulator.at(context.arena, context.microBatch));
    for (int64_t i = 0; i < value.elementCount; ++i)
      into[i] += from[i];
  }

  Status execute(ExecuteContext &context) override {
    switch (value.dtype) {
    case DType::kF32:
      add<float>(context);
      break;
    case DType::kF64:
      add<double>(context);
      break;
    case DType::kI32:
      add<int32_t>(context);
      break;
    default:
      add<int64_t>(context);
      break;
    }
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeAccumulate(const program::Accumulate &table, PrepareContext &context) {
  auto made = std::make_unique<AccumulateInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->value, context.value(table.value()));
  DTC_ASSIGN_OR_RETURN(made->accumulator, context.value(table.accumulator()));
  if (made->value.elementCount != made->accumulator.elementCount ||
      made->value.dtype != made->accumulator.dtype)
    return Status::invalidProgram()
           << "accumulate of " << made->value.elementCount << " "
           << made->value.dtype << " into " << made->accumulator.elementCount
           << " " << made->accumulator.dtype;
  DType dtype = made->value.dtype;
  if (dtype == DType::kBF16 || dtype == DType::kF16)
    return Status::unimplemented()
           << "accumulate in " << dtype << "; f32, f64, i32 and i64 are made";
  return made;
}

} // namespace dtc::rt
