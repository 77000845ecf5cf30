//===- VariableGatherer.cpp - Global tensors from the parts of ranks
//-------===//
//
// Walks the same elements as the initialisation did, in the other direction.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/VariableGatherer.h"

#include "runtime/data/Dataset.h"
#include "runtime/executor/Variables.h"

#include <cstring>

namespace dtc::rt {
namespace {

bool sameBits(double a, double b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

size_t elementCount(const std::vector<int64_t> &shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

} // namespace

Status VariableGatherer::add(const Executor &executor, int32_t rank) {
  std::lock_guard<std::mutex> lock(mutex);
  PrepareContext context = executor.makePrepareContext();
  return forEachPart(context, [&](const ValueRef &ref,
                                  const VariablePart &part) {
    const std::byte *bytes = executor.bytes(ref);
    GatheredTensor &tensor = gathered[part.name];
    if (tensor.owner.empty()) {
      size_t count = elementCount(part.globalShape);
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
        status = Status::internal() << "variable " << part.name << " element "
                                    << global << ": rank " << tensor.owner[at]
                                    << " holds " << tensor.elements[at]
                                    << ", rank " << rank << " holds " << value;
      tensor.elements[at] = value;
      tensor.owner[at] = rank;
    });
    return status;
  });
}

Status VariableGatherer::checkComplete() const {
  for (const auto &[name, tensor] : gathered)
    for (size_t i = 0; i < tensor.owner.size(); ++i)
      if (tensor.owner[i] < 0)
        return Status::internal()
               << "variable " << name << " element " << i << " is on no rank";
  return Status::ok();
}

Status scatterVariables(Executor &executor,
                        const std::map<std::string, GatheredTensor> &tensors) {
  PrepareContext context = executor.makePrepareContext();
  return forEachPart(
      context, [&](const ValueRef &ref, const VariablePart &part) -> Status {
        auto found = tensors.find(part.name);
        if (found == tensors.end())
          return Status::invalidArgument()
                 << "variable " << part.name
                 << ": there is no tensor of this name";
        const GatheredTensor &tensor = found->second;
        if (tensor.shape != part.globalShape || tensor.dtype != ref.dtype)
          return Status::invalidArgument()
                 << "variable " << part.name << ": the tensor is "
                 << tensor.dtype << " " << shapeText(tensor.shape)
                 << ", the program takes " << ref.dtype << " "
                 << shapeText(part.globalShape);
        std::byte *bytes = executor.bytes(ref);
        forEachElement(context, ref, part, [&](int64_t local, int64_t global) {
          storeElement(bytes + local * byteSize(ref.dtype), ref.dtype,
                       tensor.elements[static_cast<size_t>(global)]);
        });
        return Status::ok();
      });
}

} // namespace dtc::rt
