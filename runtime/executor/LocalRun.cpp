//===- LocalRun.cpp - A whole run with ranks as threads
//--------------------===//
//
// Ranks meet once a step, after it. Records are kept twice, so that rank 0
// reads those of one step while others already write the next. A decision to
// stop is made by every rank from what all ranks hold alike.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/LocalRun.h"

#include "runtime/comm/LocalCommunicator.h"
#include "runtime/executor/BatchLoader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace dtc::rt {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr int kNonfiniteBit = 1;

/// What one rank published, by its own metric index; two records' worth, where
/// each step of training and of evaluation is one record.
class RankReports final : public ReportSink {
public:
  void prepare(const std::vector<std::string> &names) {
    this->names = names;
    for (std::vector<double> &values : kept)
      values.assign(names.size(), kAbsent);
  }
  void begin(int64_t record) {
    current = &kept[record & 1];
    std::fill(current->begin(), current->end(), kAbsent);
  }
  void report(int metric, double value) override {
    (*current)[static_cast<size_t>(metric)] = value;
  }
  /// NaN where this rank does not hold the metric.
  double get(int64_t record, const char *metric) const {
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == metric)
        return kept[record & 1][i];
    return kAbsent;
  }
  bool has(const char *metric) const {
    return std::find(names.begin(), names.end(), metric) != names.end();
  }

private:
  std::vector<std::string> names;
  std::vector<double> kept[2];
  std::vector<double> *current = &kept[0];
};

/// What all threads share.
struct Shared {
  Shared(const Program &program, const RunOptions &options,
         RunListener &listener)
      : program(program), options(options), listener(listener) {}

  const Program &program;
  const RunOptions &options;
  RunListener &listener;
  std::shared_ptr<LocalWorld> world;
  std::shared_ptr<const DataSplit> train, evaluation;
  std::unique_ptr<KernelImage> kernels;
  std::vector<RankReports> reports;
  std::vector<StepCost> costs[2]; ///< of each rank, two steps' worth
  std::vector<int64_t> arenaBytes;
  int64_t totalSteps = 0;
  std::atomic<bool> stop{false};
  RunSummary summary;

  int64_t globalBatch() const {
    return static_cast<int64_t>(program->data()->global_batch());
  }
  /// A metric as the first rank that holds it has it.
  double get(int64_t record, const char *metric) const {
    for (const RankReports &rank : reports)
      if (rank.has(metric))
        return rank.get(record, metric);
    return kAbsent;
  }
};

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One rank's thread.
class RankRun {
public:
  RankRun(Shared &shared, int32_t rank) : shared(shared), rank(rank) {}

  /// Runs to the end; tells all others where it fails.
  void run() {
    if (Status status = runAll(); !status.isOk() && communicator)
      communicator->abort(status);
    else if (!status.isOk())
      shared.world->abort(rank, status);
  }

private:
  Status runAll() {
    DTC_RETURN_IF_ERROR(prepare());
    int64_t everySteps = static_cast<int64_t>(shared.program->evaluate_every());
    if (everySteps == 0)
      everySteps = shared.train->order().stepsPerEpoch();
    for (int64_t step = 0; step < shared.totalSteps; ++step) {
      DTC_RETURN_IF_ERROR(trainStep(step));
      bool last = step + 1 == shared.totalSteps || shared.stop;
      if (shared.evaluation && executor->hasEvaluation() &&
          (last || (step + 1) % everySteps == 0))
        DTC_RETURN_IF_ERROR(evaluate(step));
      if (last)
        break;
    }
    if (shared.options.inspect)
      DTC_RETURN_IF_ERROR(shared.options.inspect(*executor, rank));
    shared.summary.ranks[static_cast<size_t>(rank)] = {executor->arenaBytes(),
                                                       executor->scratchBytes(),
                                                       communicator->ledger()};
    return Status::ok();
  }

  Status prepare() {
    DTC_ASSIGN_OR_RETURN(communicator, shared.world->communicator(rank));
    int ranks = communicator->rankCount();
    std::vector<int32_t> everyone;
    for (int32_t other = 0; other < ranks; ++other)
      everyone.push_back(other);
    DTC_ASSIGN_OR_RETURN(world, communicator->openGroup(everyone));
    int threads = shared.options.threadCount;
    if (threads == 0)
      threads = static_cast<int>(std::thread::hardware_concurrency());
    ExecutorOptions options{rank, std::max(1, threads / ranks),
                            communicator.get(), shared.kernels.get()};
    DTC_ASSIGN_OR_RETURN(executor, Executor::create(shared.program, options));
    DTC_RETURN_IF_ERROR(executor->initializeVariables());
    reports().prepare(executor->getMetrics());
    shared.arenaBytes[static_cast<size_t>(rank)] = executor->arenaBytes();
    trainLoader =
        std::make_unique<BatchLoader>(shared.train, shared.globalBatch());
    if (shared.evaluation)
      evaluationLoader = std::make_unique<BatchLoader>(shared.evaluation,
                                                       shared.globalBatch());
    DTC_RETURN_IF_ERROR(communicator->barrier(world));
    if (rank == 0)
      shared.listener.onStart(shared.totalSteps,
                              shared.train->order().stepsPerEpoch());
    return Status::ok();
  }

  Status trainStep(int64_t step) {
    Clock::time_point start = Clock::now();
    reports().begin(++records);
    DTC_RETURN_IF_ERROR(executor->train(step, *trainLoader, reports()));
    shared.costs[step & 1][static_cast<size_t>(rank)] = executor->getLastCost();
    // Rank 0 decides before the others pass the barrier.
    if (rank == 0 && shared.options.stopRequested &&
        shared.options.stopRequested->load())
      shared.stop = true;
    DTC_RETURN_IF_ERROR(communicator->barrier(world));
    double flag = reports().get(records, "flag");
    bool nonfinite =
        !std::isnan(flag) && (static_cast<int>(flag) & kNonfiniteBit);
    if (rank == 0)
      DTC_RETURN_IF_ERROR(publish(step, secondsSince(start)));
    if (nonfinite && !shared.program->dynamic_loss_scale())
      return Status::invalidArgument(ErrorCode::kNonfiniteGradient)
             << "step " << step + 1
             << ": a gradient is not finite and the model has no dynamic loss "
                "scale; parameters are those of step "
             << step;
    return Status::ok();
  }

  Status publish(int64_t step, double seconds) {
    StepRecord record;
    record.step = step + 1;
    record.epoch = shared.train->order().epochOf(step);
    record.samples = shared.train->order().presentSamples(step);
    record.loss = shared.get(records, "loss");
    record.gradNorm = shared.get(records, "grad_norm");
    record.learningRate = shared.get(records, "lr");
    record.lossScale = shared.get(records, "loss_scale");
    double valid = shared.get(records, "valid"),
           flag = shared.get(records, "flag");
    record.valid = std::isnan(valid) ? 0 : static_cast<int64_t>(valid);
    record.flag = std::isnan(flag) ? 0 : static_cast<int32_t>(flag);
    record.stepSeconds = seconds;
    for (const StepCost &cost : shared.costs[step & 1]) {
      record.dataSeconds = std::max(record.dataSeconds, cost.dataSeconds);
      record.communicationSeconds =
          std::max(record.communicationSeconds, cost.communicationSeconds);
      record.flops += cost.flops;
    }
    for (int64_t bytes : shared.arenaBytes)
      record.arenaBytes = std::max(record.arenaBytes, bytes);
    shared.summary.steps = record.step;
    return shared.listener.onStep(record);
  }

  /// Every sample of the evaluation split once; means over valid samples.
  Status evaluate(int64_t trainStepIndex) {
    Clock::time_point start = Clock::now();
    double loss = 0, correct = 0, valid = 0;
    bool counts = false;
    int64_t steps = shared.evaluation->order().stepsPerEpoch();
    for (int64_t step = 0; step < steps; ++step) {
      reports().begin(++records);
      DTC_RETURN_IF_ERROR(
          executor->evaluate(step, *evaluationLoader, reports()));
      DTC_RETURN_IF_ERROR(communicator->barrier(world));
      if (rank != 0)
        continue;
      double here = shared.get(records, "valid");
      double right = shared.get(records, "correct");
      loss += shared.get(records, "loss") * here;
      valid += here;
      counts |= !std::isnan(right);
      correct += std::isnan(right) ? 0 : right;
    }
    DTC_RETURN_IF_ERROR(communicator->barrier(world));
    if (rank != 0)
      return Status::ok();
    EvaluationRecord record;
    record.step = trainStepIndex + 1;
    record.valid = static_cast<int64_t>(valid);
    record.loss = loss / valid;
    record.accuracy = counts ? correct / valid : kAbsent;
    record.seconds = secondsSince(start);
    return shared.listener.onEvaluation(record);
  }

  RankReports &reports() { return shared.reports[static_cast<size_t>(rank)]; }

  Shared &shared;
  int32_t rank;
  std::unique_ptr<Communicator> communicator;
  GroupHandle world;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<BatchLoader> trainLoader, evaluationLoader;
  int64_t records = 0; ///< begun so far; all ranks count alike
};

Status openData(Shared &shared) {
  const program::Data &data = *shared.program->data();
  DTC_ASSIGN_OR_RETURN(
      shared.train,
      DataSplit::open(shared.program.table(), *data.train(),
                      shared.options.dataFolder,
                      data.drop_last() ? LastBatch::kDrop : LastBatch::kKeep));
  if (!data.evaluate())
    return Status::ok();
  DTC_ASSIGN_OR_RETURN(shared.evaluation,
                       DataSplit::open(shared.program.table(), *data.evaluate(),
                                       shared.options.dataFolder,
                                       LastBatch::kKeep));
  return Status::ok();
}

int64_t countSteps(const Shared &shared) {
  const RunOptions &options = shared.options;
  int64_t perEpoch = shared.train->order().stepsPerEpoch();
  if (options.steps > 0)
    return options.steps;
  if (options.epochs > 0)
    return options.epochs * perEpoch;
  if (shared.program->steps() > 0)
    return static_cast<int64_t>(shared.program->steps());
  return std::max<int64_t>(1, shared.program->epochs()) * perEpoch;
}

} // namespace

Result<RunSummary> runLocal(const Program &program, const RunOptions &options,
                            RunListener &listener) {
  Shared shared{program, options, listener};
  Mesh mesh(program.table());
  LocalWorldOptions worldOptions;
  worldOptions.rankCount = mesh.rankCount();
  worldOptions.timeout = options.timeout;
  DTC_ASSIGN_OR_RETURN(shared.world, LocalWorld::create(worldOptions));
  DTC_RETURN_IF_ERROR(openData(shared));
  DTC_ASSIGN_OR_RETURN(shared.kernels, KernelImage::load(program->kernels()));
  shared.totalSteps = countSteps(shared);
  shared.reports.resize(static_cast<size_t>(mesh.rankCount()));
  for (std::vector<StepCost> &costs : shared.costs)
    costs.resize(static_cast<size_t>(mesh.rankCount()));
  shared.arenaBytes.resize(static_cast<size_t>(mesh.rankCount()));
  shared.summary.ranks.resize(static_cast<size_t>(mesh.rankCount()));

  // Executors and their buffers end after all ranks have: a rank that failed
  // may still be read by another.
  std::vector<std::unique_ptr<RankRun>> ranks;
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < mesh.rankCount(); ++rank)
    ranks.push_back(std::make_unique<RankRun>(shared, rank));
  for (std::unique_ptr<RankRun> &rank : ranks)
    threads.emplace_back([&rank] { rank->run(); });
  for (std::thread &thread : threads)
    thread.join();
  if (Status failure = shared.world->failure(); !failure.isOk())
    return failure;
  shared.summary.stopped = shared.stop;
  return std::move(shared.summary);
}

} // namespace dtc::rt
