//===- Recv.cpp - Take the next value of a channel ------------------------===//
//
// Waits for the post of the other stage and copies it.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class RecvInstruction final : public Instruction {
public:
  explicit RecvInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ValueRef result;
  ChannelHandle channel;
  uint32_t peerStage = 0, channelNumber = 0;

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(int32_t peer, context.peer(peerStage));
    DTC_ASSIGN_OR_RETURN(channel,
                         context.communicator->openRecv(
                             peer, static_cast<int32_t>(channelNumber),
                             static_cast<int32_t>(context.mesh.parts(kMb))));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    return context.communicator->recv(
        channel, result.at(context.arena, context.microBatch),
        result.elementCount, result.dtype);
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeRecv(const program::Recv &table,
                                              PrepareContext &context) {
  auto made = std::make_unique<RecvInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  made->peerStage = table.peer_stage();
  made->channelNumber = table.channel();
  return made;
}

} // namespace dtc::rt
