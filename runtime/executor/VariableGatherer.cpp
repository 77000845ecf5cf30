//===- VariableGatherer.cpp - Global tensors from the parts of ranks
//-------===//
//
// Walks the same elements as the initialisation did, in the other direction.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/VariableGatherer.h"

#include "runtime/executor/Variables.h"

#include <cstring>

namespace dtc::rt {
namespace {

bool sameBits(double a, double b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

} // namespace

Status VariableGatherer::add(const Program &program, Executor &executor,
                             int32_t rank) {
  std::lock_guard<std::mutex> lock(mutex);
  PrepareContext context = executor.makePrepareContext();
  auto stage = static_cast<uint32_t>(executor.getCoordinates()[kPp]);
  for (const program::Variable *variable : *program->variables()) {
    int32_t id = variable->values()->Get(stage);
    if (id < 0)
      continue;
    DTC_ASSIGN_OR_RETURN(ValueRef ref,
                         executor.value(static_cast<uint32_t>(id)));
    const std::byte *bytes = executor.bytes(ref);
    bool isParameter = variable->role() == program::VariableRole::Parameter;
    for (const VariablePart &part : getParts(context, *variable, ref)) {
      std::string name = !variable->members() || isParameter
                             ? part.name
                             : variable->name()->str() + "/" + part.name;
      GatheredTensor &tensor = gathered[name];
      size_t count = 1;
      for (int64_t size : part.globalShape)
        count *= static_cast<size_t>(size);
      if (tensor.owner.empty()) {
        tensor.shape = part.globalShape;
        tensor.dtype = ref.dtype;
        tensor.elements.resize(count);
        tensor.owner.assign(count, -1);
      }
      Status status;
      forEachElement(context, ref, part, [&](int64_t local, int64_t global) {
        auto at = static_cast<size_t>(global);
        double value =
            loadElement(bytes + local * byteSize(ref.dtype), ref.dtype);
        if (tensor.owner[at] >= 0 && !sameBits(tensor.elements[at], value) &&
            status.isOk())
          status = Status::internal()
                   << "variable " << name << " element " << global << ": rank "
                   << tensor.owner[at] << " holds " << tensor.elements[at]
                   << ", rank " << rank << " holds " << value;
        tensor.elements[at] = value;
        tensor.owner[at] = rank;
      });
      DTC_RETURN_IF_ERROR(status);
    }
  }
  return Status::ok();
}

Status VariableGatherer::checkComplete() const {
  for (const auto &[name, tensor] : gathered)
    for (size_t i = 0; i < tensor.owner.size(); ++i)
      if (tensor.owner[i] < 0)
        return Status::internal()
               << "variable " << name << " element " << i << " is on no rank";
  return Status::ok();
}

} // namespace dtc::rt
