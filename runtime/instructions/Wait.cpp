//===- Wait.cpp - Wait until posts of a channel are taken -----------------===//
//
// Stands before what overwrites a sent value.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class WaitInstruction final : public Instruction {
public:
  explicit WaitInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ChannelHandle channel;
  uint32_t peerStage = 0, channelNumber = 0;
  int32_t pending = 0;

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(int32_t peer, context.peer(peerStage));
    DTC_ASSIGN_OR_RETURN(channel,
                         context.communicator->openSend(
                             peer, static_cast<int32_t>(channelNumber),
                             static_cast<int32_t>(context.mesh.parts(kMb))));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    return context.communicator->waitSend(channel, pending);
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeWait(const program::Wait &table,
                                              PrepareContext &) {
  auto made = std::make_unique<WaitInstruction>(table.id());
  made->peerStage = table.peer_stage();
  made->channelNumber = table.channel();
  made->pending = static_cast<int32_t>(table.pending());
  return made;
}

} // namespace dtc::rt
