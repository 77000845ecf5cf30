//===- ProgramRanks.cpp - Ranks of a program, step by step ----------------===//
//
// The order of starting and ending is that of runtime/executor/LocalRun.cpp.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/ProgramRanks.h"

#include "runtime/comm/LocalWorld.h"
#include "runtime/executor/BatchLoader.h"

#include <thread>

namespace dtc::test {

using rt::Status;

Status ProgramRank::meet() { return communicator.barrier(world); }

Status ProgramRank::train(int64_t step) {
  DTC_RETURN_IF_ERROR(executor.train(step, batches, metrics));
  return meet();
}

double ProgramRank::metric(const std::string &name) const {
  const std::vector<std::string> &names = executor.getMetrics();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return metrics[i];
  return std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// What a rank's thread needs and what must outlive the threads of others.
struct RankParts {
  std::unique_ptr<rt::Communicator> communicator;
  std::unique_ptr<rt::Executor> executor;
};

class Run {
public:
  const rt::Program &program;
  int threadsPerRank;
  const std::function<Status(ProgramRank &)> &body;
  std::shared_ptr<rt::LocalWorld> world;
  std::shared_ptr<const rt::DataSplit> data;
  std::unique_ptr<rt::KernelImage> kernels;
  std::vector<RankParts> parts;

  Status runRank(int32_t rank) {
    RankParts &own = parts[static_cast<size_t>(rank)];
    DTC_ASSIGN_OR_RETURN(own.communicator, world->communicator(rank));
    std::vector<int32_t> everyone;
    for (int32_t other = 0; other < world->rankCount(); ++other)
      everyone.push_back(other);
    DTC_ASSIGN_OR_RETURN(rt::GroupHandle group,
                         own.communicator->openGroup(everyone));
    DTC_ASSIGN_OR_RETURN(
        own.executor,
        rt::Executor::create(program, {rank, threadsPerRank,
                                       own.communicator.get(), kernels.get()}));
    DTC_RETURN_IF_ERROR(own.executor->initializeVariables());
    rt::BatchLoader batches(
        data, static_cast<int64_t>(program->data()->global_batch()));
    MetricKeeper metrics(own.executor->getMetrics().size());
    ProgramRank view{rank,    *own.executor,     batches,
                     metrics, *own.communicator, group};
    DTC_RETURN_IF_ERROR(view.meet());
    return body(view);
  }
};

} // namespace

Status runRanks(const rt::Program &program, const std::string &dataFolder,
                int threadsPerRank,
                const std::function<Status(ProgramRank &)> &body) {
  Run run{program, threadsPerRank, body, {}, {}, {}, {}};
  rt::LocalWorldOptions options;
  options.rankCount = rt::Mesh(program.table()).rankCount();
  DTC_ASSIGN_OR_RETURN(run.world, rt::LocalWorld::create(options));
  DTC_ASSIGN_OR_RETURN(
      run.data, rt::DataSplit::open(program.table(), *program->data()->train(),
                                    dataFolder, rt::LastBatch::kKeep));
  DTC_ASSIGN_OR_RETURN(run.kernels, rt::KernelImage::load(program->kernels()));
  run.parts.resize(static_cast<size_t>(options.rankCount));
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < options.rankCount; ++rank)
    threads.emplace_back([&run, rank] {
      if (Status status = run.runRank(rank); !status.isOk())
        run.world->abort(rank, status);
    });
  for (std::thread &thread : threads)
    thread.join();
  return run.world->failure();
}

} // namespace dtc::test
