//===- Walk.h - All ranks of a step, instruction by instruction -----------===//
//
// Ranks run in their own order and wait for each other as they would at run
// time: a receive for its post, a Wait for its posts to be taken, a collective
// for its group. Channels and groups hold nothing, so a walk that ends ends
// with any buffering. Which rank goes first does not matter: a rank that can go
// on can still do so later, so either every order ends or none does.
//
// Ranks that differ only on dp and tp run the same instructions on the same
// places, so they are one class. Let the ranks of a class stand at the same
// instruction. Then they can all take it or none can: a post, a wait or a
// receive concerns the channel to the rank of the other stage with equal dp and
// tp, which stands where the others of its own class stand; a group along dp
// or tp lies within the class, so all its members have arrived; one that also
// spans pp has one member of each class for each member of another. So the walk
// of one rank a class goes on just as far as that of all, and meets the same
// contents, which do not depend on dp and tp. `exhaustive` walks all ranks.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_WALK_H
#define DTC_RUNTIME_CHECK_WALK_H

#include "runtime/check/ArenaState.h"
#include "runtime/check/Certificate.h"

#include <deque>

namespace dtc::rt::check {

/// Plans and rules of all stages for one step.
struct StepPlan {
  const GraphFacts *graph = nullptr;
  std::vector<StagePlan> stages;
  std::vector<Meaning> meanings; ///< one a stage
  bool isTraining = true;
};

/// What ranks say to each other in a collective.
struct CollectiveCall {
  CommunicationKind kind = CommunicationKind::AllReduce;
  std::vector<int> axes;
  uint64_t stages = kAllStages; ///< that meet, where `axes` has pp
  ReductionKind reduction = ReductionKind::Sum;
  program::DType dtype = program::DType::F32;
  uint64_t elements = 0;
  std::string str() const;
};

class Walk {
public:
  Walk(const program::Program &program, const Mesh &mesh, const StepPlan &plan,
       bool exhaustive);

  /// Runs the step to its end.
  ///
  /// Errors:  kInvalidProgram with stage, task, micro-batch, operation; of a
  ///          deadlock, who waits for whom.
  Status run();

  size_t rankCount() const { return ranks.size(); }
  CommunicationLedger takeLedger() { return std::move(ledger); }

private:
  struct RankState {
    int32_t rank = 0;
    Coordinates coordinates{};
    const StagePlan *plan = nullptr;
    const Meaning *meaning = nullptr;
    ArenaState arena;
    size_t call = 0, instruction = 0;
    std::map<uint32_t, InstancePtr> variables; ///< old, then stored
    std::set<uint32_t> stored;
    int32_t waitsFor = -1; ///< a rank
    bool hasArrived = false;
    bool isDone() const { return call == plan->calls().size(); }
  };
  struct Message {
    ContentPtr content;
    uint64_t elements = 0;
  };
  struct Channel {
    std::deque<Message> waiting;
    uint64_t posted = 0, taken = 0;
  };
  struct Arrival {
    size_t member = 0; ///< into ranks
    CollectiveCall call;
    ContentPtr content;
    Found found;
  };
  using ChannelKey = std::tuple<int32_t, int32_t, uint32_t>;

  Status placeVariables(RankState &rank);
  /// One instruction; false where the rank has to wait.
  Result<bool> advance(size_t index);
  Result<bool> execute(size_t index, const PlannedInstruction &instruction,
                       int64_t microBatch);
  Result<Contents> readAll(RankState &rank,
                           const PlannedInstruction &instruction,
                           int64_t microBatch, std::vector<Found> &found);
  Status finish(RankState &rank, const PlannedInstruction &instruction,
                int64_t microBatch, const std::vector<Found> &found,
                std::vector<Content> results);
  Status writeResults(RankState &rank, const PlannedInstruction &instruction,
                      int64_t microBatch, const std::vector<Found> &found,
                      std::vector<ContentPtr> results);
  Status readVariable(RankState &rank, const PlannedInstruction &instruction);
  Status storeVariable(RankState &rank, const PlannedInstruction &instruction,
                       int64_t microBatch, const Found &found);
  Status checkRaces(const RankState &rank,
                    const PlannedInstruction &instruction,
                    int64_t microBatch) const;
  Status writeExtra(RankState &rank, const PlannedInstruction &instruction,
                    int64_t microBatch, const Content &input);
  Status packInPlace(RankState &rank, const PlannedInstruction &instruction,
                     int64_t microBatch, const std::vector<Found> &found,
                     ContentPtr bucket);

  Result<bool> sendOn(RankState &rank, const PlannedInstruction &instruction,
                      int64_t microBatch);
  Result<bool> receiveFrom(RankState &rank,
                           const PlannedInstruction &instruction,
                           int64_t microBatch);
  Result<bool> waitFor(RankState &rank, const PlannedInstruction &instruction);
  CollectiveCall readCall(const StagePlan &plan,
                          const PlannedInstruction &instruction) const;
  Result<bool> meet(size_t index, const PlannedInstruction &instruction,
                    int64_t microBatch);
  Status complete(const std::vector<Arrival> &arrivals);
  void count(const RankState &rank, const CollectiveCall &call);

  Status checkEnd(RankState &rank) const;
  Status describeDeadlock() const;
  std::string whereNow(const RankState &rank) const;
  const PlannedInstruction &current(const RankState &rank) const;
  size_t indexOf(int32_t rank) const;
  void step(RankState &rank);

  const program::Program &program;
  const Mesh &mesh;
  const StepPlan &plan;
  std::vector<RankState> ranks;
  std::map<ChannelKey, Channel> channels;
  std::map<std::vector<int32_t>, std::vector<Arrival>> meetings;
  CommunicationLedger ledger;
  std::set<std::string> reported; ///< metrics
};

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_WALK_H
