//===- Exchange.cpp - What simulated ranks give each other ----------------===//
//
// A communicator knows nothing but the order in which its members call: the
// n-th collective of one member meets the n-th of another. So crossed
// collectives are found here as they would go wrong on a machine.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Exchange.h"

namespace mlir::dtc {

StringRef describeModelName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(kNameAttr);
  return name ? name.getValue() : "an op without dtc.name";
}

//===-- Collectives
//---------------------------------------------------------===//

Exchange::Group Exchange::getGroup(size_t rank, Collective op) const {
  SmallVector<StringRef> axes = op.getGroupAxes();
  const Coordinates &own = mesh.getPlace(mesh.getPlaceOf(rank, 0));
  Group group;
  for (size_t other = 0; other < mesh.getRankCount(); ++other) {
    const Coordinates &place = mesh.getPlace(mesh.getPlaceOf(other, 0));
    bool isMember = isHeldAt(op->getOperand(0).getType(), place) ||
                    isHeldAt(op->getResult(0).getType(), place);
    for (auto [i, axis] : llvm::enumerate(mesh.getAxes()))
      isMember &=
          llvm::is_contained(axes, axis.name.getValue()) || place[i] == own[i];
    if (isMember)
      group.push_back(other);
  }
  return group;
}

static std::string describeRanks(ArrayRef<size_t> ranks) {
  std::string text = "{";
  for (size_t rank : ranks)
    text += (text.size() == 1 ? "" : ",") + std::to_string(rank);
  return text + "}";
}

/// True where two members of a group are in the same collective; stages have
/// clones of their own.
static bool isSameCollective(Operation *a, Operation *b) {
  return a == b || (a->getName() == b->getName() &&
                    describeModelName(a) == describeModelName(b) &&
                    a->getResultTypes() == b->getResultTypes());
}

LogicalResult Exchange::combine(Meeting &meeting, const Group &group) {
  SmallVector<const PlaceContext *> places;
  SmallVector<const HostTensor *> inputs;
  for (size_t member : group) {
    places.push_back(&meeting.places.at(member));
    const std::optional<HostTensor> &input = meeting.inputs[member];
    inputs.push_back(input ? &*input : nullptr);
  }
  SmallVector<HostTensor> outputs(group.size());
  if (failed(cast<Collective>(places.front()->op)
                 .combine(places, inputs, outputs)))
    return failure();
  for (auto [member, output] : llvm::zip_equal(group, outputs))
    meeting.outputs[member] = std::move(output);
  return success();
}

LogicalResult Exchange::enter(size_t rank, const PlaceContext &context,
                              const HostTensor *input) {
  if (isInside[rank])
    return success();
  auto op = cast<Collective>(context.op);
  Group group = getGroup(rank, op);
  size_t number = entered[rank][group];
  Meeting &meeting = meetings[{group, number}];
  for (const auto &[other, place] : meeting.places) {
    if (isSameCollective(op, place.op))
      continue;
    InFlightDiagnostic error = op->emitOpError("of ");
    error << describeModelName(op) << " is collective " << number
          << " of ranks " << describeRanks(group) << " on rank " << rank
          << ", where rank " << other << " has another";
    error.attachNote(place.op->getLoc())
        << place.op->getName() << " of " << describeModelName(place.op);
    return error;
  }
  meeting.places[rank] = context;
  if (input)
    meeting.inputs[rank] = *input;
  isInside[rank] = true;
  return meeting.places.size() == group.size() ? combine(meeting, group)
                                               : success();
}

std::optional<HostTensor> Exchange::leave(size_t rank, Collective op) {
  Group group = getGroup(rank, op);
  Meeting &meeting = meetings[{group, entered[rank][group]}];
  auto output = meeting.outputs.find(rank);
  if (output == meeting.outputs.end())
    return std::nullopt;
  isInside[rank] = false;
  ++entered[rank][group];
  return std::move(output->second);
}

//===-- Channels
//------------------------------------------------------------===//

void Exchange::post(int64_t channel, size_t source, size_t destination,
                    const HostTensor &message) {
  channels[{channel, source, destination}].push_back(message);
}

std::optional<HostTensor> Exchange::take(int64_t channel, size_t source,
                                         size_t destination) {
  std::deque<HostTensor> &messages = channels[{channel, source, destination}];
  if (messages.empty())
    return std::nullopt;
  HostTensor message = std::move(messages.front());
  messages.pop_front();
  return message;
}

size_t Exchange::countNotTaken(int64_t channel, size_t source) const {
  size_t notTaken = 0;
  for (const auto &[key, messages] : channels)
    if (key.number == channel && key.source == source)
      notTaken += messages.size();
  return notTaken;
}

LogicalResult Exchange::checkAllTaken(ModuleOp module) const {
  for (const auto &[key, messages] : channels)
    if (!messages.empty())
      return module.emitError("channel ")
             << key.number << " from rank " << key.source << " to rank "
             << key.destination << " ends the step with " << messages.size()
             << " messages that nobody received";
  return success();
}

} // namespace mlir::dtc
