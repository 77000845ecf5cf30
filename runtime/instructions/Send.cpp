//===- Send.cpp - Post a value for another stage --------------------------===//
//
// Returns at once; the bytes stay untouched until a Wait says that the peer
// has taken them.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class SendInstruction final : public Instruction {
public:
  explicit SendInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ValueRef value;
  ChannelHandle channel;
  uint32_t peerStage = 0, channelNumber = 0;

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(int32_t peer, context.peer(peerStage));
    DTC_ASSIGN_OR_RETURN(channel,
                         context.communicator->openSend(
                             peer, static_cast<int32_t>(channelNumber),
                             static_cast<int32_t>(context.mesh.parts(kMb))));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    return context.communicator->send(
        channel, value.at(context.arena, context.microBatch),
        value.elementCount, value.dtype);
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeSend(const program::Send &table,
                                              PrepareContext &context) {
  auto made = std::make_unique<SendInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->value, context.value(table.value()));
  made->peerStage = table.peer_stage();
  made->channelNumber = table.channel();
  return made;
}

} // namespace dtc::rt
