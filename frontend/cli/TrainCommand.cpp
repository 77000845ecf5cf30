//===- TrainCommand.cpp - dtc train ---------------------------------------===//
//
// Compiles, runs every rank of the plan, and tells what happens: a line a step
// on standard output, a live line on a terminal, metrics.jsonl in the run's
// folder, a curve at the end.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"
#include "frontend/cli/ProgressLine.h"
#include "runtime/executor/LocalRun.h"
#include "runtime/profile/MetricsWriter.h"
#include "runtime/tools/HelpText.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

namespace dtc::cli {
namespace {

struct TrainArguments {
  ModelOptions model;
  std::string device = "cpu", communicator = "local", data, out;
  int64_t steps = 0, epochs = 0;
  int threads = 0;
};

std::atomic<bool> stopRequested{false};
std::atomic<int> stopSignal{0};

/// The first signal ends the run after its step, the second at once.
void onSignal(int signal) {
  if (stopRequested.exchange(true))
    _exit(128 + signal);
  stopSignal = signal;
}

class Reporter final : public rt::RunListener {
public:
  Reporter(std::unique_ptr<rt::MetricsWriter> metrics)
      : metrics(std::move(metrics)) {}

  void onStart(int64_t steps, int64_t perEpoch) override {
    totalSteps = steps;
    stepsPerEpoch = perEpoch;
  }

  rt::Status onStep(const rt::StepRecord &record) override {
    losses.push_back(record.loss);
    seconds += record.stepSeconds;
    samples += record.samples;
    if (record.flag & 2) {
      progress.clear();
      std::fprintf(stderr,
                   "warning: step %lld: no sample has a valid label; the step "
                   "is skipped\n",
                   static_cast<long long>(record.step));
    }
    writeStep(record);
    DTC_RETURN_IF_ERROR(metrics->end());
    if (progress.isLive()) {
      char text[96];
      std::snprintf(text, sizeof(text), "loss %.4f  %.2f ms/step  epoch %lld",
                    record.loss, record.stepSeconds * 1e3,
                    static_cast<long long>(record.epoch + 1));
      progress.update(record.step, totalSteps, text);
      // The lines would push it up; a file or pipe still gets them.
      if (isatty(STDOUT_FILENO))
        return rt::Status::ok();
    }
    std::printf("step=%lld epoch=%lld loss=%.6f grad_norm=%.6f lr=%g "
                "tokens_per_sec=%.0f step_ms=%.3f\n",
                static_cast<long long>(record.step),
                static_cast<long long>(record.epoch), record.loss,
                record.gradNorm, record.learningRate,
                record.samples / record.stepSeconds, record.stepSeconds * 1e3);
    return rt::Status::ok();
  }

  rt::Status onEvaluation(const rt::EvaluationRecord &record) override {
    progress.clear();
    std::printf("step=%lld eval_loss=%.6f", static_cast<long long>(record.step),
                record.loss);
    if (!std::isnan(record.accuracy))
      std::printf(" eval_accuracy=%.4f", record.accuracy);
    std::printf("\n");
    std::fflush(stdout);
    metrics->begin("eval");
    metrics->integer("step", record.step);
    metrics->number("loss", record.loss);
    if (!std::isnan(record.accuracy))
      metrics->number("accuracy", record.accuracy);
    metrics->integer("samples", record.valid);
    metrics->number("eval_ms", record.seconds * 1e3);
    return metrics->end();
  }

  /// The curve and the rates, on standard error.
  rt::Status finish(const rt::RunSummary &summary, const std::string &out) {
    progress.clear();
    metrics->begin("end");
    metrics->integer("step", summary.steps);
    DTC_RETURN_IF_ERROR(metrics->end());
    constexpr int kWidth = 64, kHeight = 12;
    if (losses.size() > 1)
      std::fprintf(stderr, "\n%s\n",
                   drawCurve("training loss", losses.data(), losses.size(),
                             kWidth, kHeight)
                       .c_str());
    int64_t arena = 0, scratch = 0;
    for (const rt::RankSummary &rank : summary.ranks) {
      arena = std::max(arena, rank.arenaBytes);
      scratch = std::max(scratch, rank.scratchBytes);
    }
    std::fprintf(stderr,
                 "%lld steps on %zu rank%s, %.0f samples/s, arena %s a rank, "
                 "library workspace %s; metrics in %s\n",
                 static_cast<long long>(summary.steps), summary.ranks.size(),
                 summary.ranks.size() == 1 ? "" : "s", samples / seconds,
                 bytesText(arena).c_str(), bytesText(scratch).c_str(),
                 (out + "/metrics.jsonl").c_str());
    return rt::Status::ok();
  }

  rt::MetricsWriter &writer() { return *metrics; }
  void clear() { progress.clear(); }

private:
  void writeStep(const rt::StepRecord &record) {
    metrics->begin("step");
    metrics->integer("step", record.step);
    metrics->integer("epoch", record.epoch);
    // A sample is one token of a model without positions.
    metrics->integer("tokens", samples);
    metrics->number("loss", record.loss);
    metrics->number("lr", record.learningRate);
    metrics->number("grad_norm", record.gradNorm);
    metrics->number("loss_scale", record.lossScale);
    metrics->integer("flag", record.flag);
    metrics->number("tokens_per_sec", record.samples / record.stepSeconds);
    metrics->number("step_ms", record.stepSeconds * 1e3);
    metrics->number("data_ms", record.dataSeconds * 1e3);
    metrics->number("comm_ms", record.communicationSeconds * 1e3);
    metrics->number("tflops", record.flops / record.stepSeconds * 1e-12);
    metrics->integer("mem_peak", record.arenaBytes);
  }

  std::unique_ptr<rt::MetricsWriter> metrics;
  ProgressLine progress;
  std::vector<double> losses;
  int64_t totalSteps = 0, stepsPerEpoch = 0, samples = 0;
  double seconds = 0;
};

/// Refuses what is not built, by name.
rt::Status checkArguments(const TrainArguments &arguments) {
  if (arguments.device != "cpu")
    return rt::Status::unimplemented() << "--device " << arguments.device
                                       << ": is not built yet; expected cpu";
  if (arguments.communicator != "local")
    return rt::Status::unimplemented()
           << "--communicator " << arguments.communicator
           << ": is not built yet; expected local";
  return rt::Status::ok();
}

rt::Result<std::unique_ptr<rt::MetricsWriter>>
openRunFolder(const std::string &out, const rt::Program &program) {
  std::error_code code;
  std::filesystem::create_directories(out, code);
  if (code)
    return rt::Status::invalidArgument(rt::ErrorCode::kFileUnwritable)
           << out << ": " << code.message();
  std::ofstream file(out + "/program.dtcx", std::ios::binary);
  file.write(reinterpret_cast<const char *>(program.data().data()),
             static_cast<std::streamsize>(program.data().size()));
  file.close();
  if (!file)
    return rt::Status::invalidArgument(rt::ErrorCode::kFileUnwritable)
           << out << "/program.dtcx: cannot be written";
  return rt::MetricsWriter::open(out + "/metrics.jsonl");
}

rt::Status writeRunLine(rt::MetricsWriter &metrics,
                        const rt::Program &program) {
  const program::Plan &plan = *program->plan();
  metrics.begin("run");
  metrics.text("version", "dtc 0.1.0");
  metrics.text("model", program->model()->str());
  metrics.text("program", program.hashText());
  metrics.integer("seed", static_cast<int64_t>(program->seed()));
  metrics.integer("pp", plan.pp());
  metrics.integer("dp", plan.dp());
  metrics.integer("tp", plan.tp());
  metrics.integer("micro_batches", plan.micro_batches());
  metrics.integer("zero", plan.zero());
  metrics.text("schedule", plan.schedule()->str());
  metrics.text("device", "cpu");
  metrics.text("communicator", "local");
  return metrics.end();
}

int runTrain(TrainArguments &arguments) {
  if (rt::Status status = arguments.model.resolve(); !status.isOk())
    return failUsage(status.str());
  if (rt::Status status = checkArguments(arguments); !status.isOk())
    return failUsage(status.str());
  auto program = loadOrCompile(arguments.model.compile);
  if (!program.isOk())
    return fail(program.status());
  std::string out = arguments.out.empty()
                        ? "runs/" + (**program)->model()->str()
                        : arguments.out;
  auto metrics = openRunFolder(out, **program);
  if (!metrics.isOk())
    return fail(metrics.status());
  Reporter reporter(std::move(*metrics));
  if (rt::Status status = writeRunLine(reporter.writer(), **program);
      !status.isOk())
    return fail(status);

  rt::RunOptions options;
  options.dataFolder = arguments.data;
  options.steps = arguments.steps;
  options.epochs = arguments.epochs;
  options.threadCount = arguments.threads;
  options.stopRequested = &stopRequested;
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  auto summary = rt::runLocal(**program, options, reporter);
  reporter.clear();
  if (!summary.isOk())
    return fail(summary.status());
  if (rt::Status status = reporter.finish(*summary, out); !status.isOk())
    return fail(status);
  return stopSignal ? 128 + stopSignal : kExitDone;
}

} // namespace

void addTrainCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand("train", "Train a model.");
  auto arguments = std::make_shared<TrainArguments>();
  arguments->model.addTo(*command);
  const char *const group = "Run";
  command
      ->add_option("--steps", arguments->steps,
                   "stop after this many steps, counted from the start of the "
                   "run (default: from epochs)")
      ->check(rt::positiveCount())
      ->type_name("N")
      ->group(group);
  command
      ->add_option("--epochs", arguments->epochs,
                   "passes over the data (default: the model's)")
      ->check(rt::positiveCount())
      ->type_name("N")
      ->group(group);
  command
      ->add_option("--data", arguments->data,
                   "folder of the data files (default: the model's, or its "
                   "package's)")
      ->type_name("DIR")
      ->group(group);
  command
      ->add_option("--out", arguments->out,
                   "folder for metrics.jsonl and program.dtcx (default: "
                   "runs/<model's name>)")
      ->type_name("DIR")
      ->group(group);
  command
      ->add_option("--device", arguments->device,
                   "cpu; cuda is not built yet (default: cpu)")
      ->check(CLI::IsMember({"cpu", "cuda"}).description(""))
      ->type_name("NAME")
      ->group(group);
  command
      ->add_option("--communicator", arguments->communicator,
                   "local: ranks are threads; gloo and nccl are not built yet "
                   "(default: local)")
      ->check(CLI::IsMember({"local", "gloo", "nccl"}).description(""))
      ->type_name("NAME")
      ->group(group);
  command
      ->add_option("--threads", arguments->threads,
                   "threads of all ranks together (default: one a core)")
      ->check(rt::positiveCount())
      ->type_name("N")
      ->group(group);
  command->footer("Example: dtc train build/models/mlp-fashion.fbs --plan "
                  "dp=2 --steps 100");
  command->callback(
      [arguments, &exitCode] { exitCode = runTrain(*arguments); });
}

} // namespace dtc::cli
