//===- dtc-run.cpp - Runs a compiled program ------------------------------===//
//
// The small runner: no compiler, no MLIR. One line a step on standard output;
// with --print also variables, put together from all ranks.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/LocalRun.h"
#include "runtime/executor/VariableGatherer.h"
#include "runtime/tools/HelpText.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>

namespace dtc::rt {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

struct Run {
  std::string path, data;
  int64_t steps = 0, epochs = 0;
  int threads = 0;
  std::vector<std::string> print;
  bool ledger = false;
};

class StepPrinter final : public RunListener {
public:
  Status onStep(const StepRecord &record) override {
    std::printf("step=%lld loss=%.9g grad_norm=%.9g lr=%.9g loss_scale=%.9g "
                "valid=%lld flag=%d\n",
                static_cast<long long>(record.step), record.loss,
                record.gradNorm, record.learningRate, record.lossScale,
                static_cast<long long>(record.valid), record.flag);
    return Status::ok();
  }
  Status onEvaluation(const EvaluationRecord &record) override {
    std::printf("step=%lld eval_loss=%.9g", static_cast<long long>(record.step),
                record.loss);
    if (!std::isnan(record.accuracy))
      std::printf(" eval_accuracy=%.6f", record.accuracy);
    std::printf("\n");
    return Status::ok();
  }
};

Status printVariables(const Run &run, const VariableGatherer &gatherer) {
  for (const std::string &name : run.print) {
    auto found = gatherer.tensors().find(name);
    if (name != "all" && found == gatherer.tensors().end()) {
      std::string known;
      for (const auto &entry : gatherer.tensors())
        known += (known.empty() ? "" : ", ") + entry.first;
      return Status::invalidArgument()
             << "--print " << name << ": no such variable; there are " << known;
    }
    for (const auto &[tensorName, tensor] : gatherer.tensors()) {
      if (name != "all" && name != tensorName)
        continue;
      std::printf("%s", tensorName.c_str());
      for (double value : tensor.elements)
        std::printf(" %.9g", value);
      std::printf("\n");
    }
  }
  return Status::ok();
}

void printLedger(const RunSummary &summary) {
  for (size_t rank = 0; rank < summary.ranks.size(); ++rank)
    for (const LedgerEntry &entry : summary.ranks[rank].ledger) {
      if (entry.ranks.size() < 2 || entry.operation == CommOperation::kBarrier)
        continue;
      std::printf("rank=%zu op=%s group=", rank, name(entry.operation));
      for (size_t i = 0; i < entry.ranks.size(); ++i)
        std::printf("%s%d", i ? "," : "", entry.ranks[i]);
      std::printf(" channel=%d calls=%lld bytes=%lld\n", entry.channel,
                  static_cast<long long>(entry.calls),
                  static_cast<long long>(entry.bytes));
    }
}

Status runProgram(const Run &run) {
  DTC_ASSIGN_OR_RETURN(std::unique_ptr<Program> program,
                       Program::read(run.path));
  RunOptions options;
  options.dataFolder = run.data;
  options.steps = run.steps;
  options.epochs = run.epochs;
  options.threadCount = run.threads;
  VariableGatherer gatherer;
  if (!run.print.empty())
    options.inspect = [&](Executor &executor, int32_t rank) {
      return gatherer.add(executor, rank);
    };
  StepPrinter printer;
  DTC_ASSIGN_OR_RETURN(RunSummary summary,
                       runLocal(*program, options, printer));
  if (run.ledger)
    printLedger(summary);
  if (run.print.empty())
    return Status::ok();
  DTC_RETURN_IF_ERROR(gatherer.checkComplete());
  return printVariables(run, gatherer);
}

int parseAndRun(int argc, char **argv) {
  CLI::App app("Runs a compiled training program on this machine, ranks as "
               "threads.",
               "dtc-run");
  Run run;
  app.set_help_flag("-h,--help", "print this page");
  app.add_option("PROGRAM", run.path, "compiled program, program.dtcx")
      ->required()
      ->group("Run");
  app.add_option("--steps", run.steps,
                 "stop after this many steps (default: the program's)")
      ->check(positiveCount())
      ->type_name("N")
      ->group("Run");
  app.add_option("--epochs", run.epochs,
                 "passes over the data (default: the program's)")
      ->check(positiveCount())
      ->type_name("N")
      ->group("Run");
  app.add_option("--data", run.data,
                 "folder of the data files (default: the program's, or its "
                 "package's)")
      ->type_name("DIR")
      ->group("Run");
  app.add_option("--threads", run.threads,
                 "threads of all ranks together (default: one a core)")
      ->check(positiveCount())
      ->type_name("N")
      ->group("Run");
  app.add_option("--print", run.print,
                 "after the run, print this variable, put together from all "
                 "ranks, or `all`; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group("Output");
  app.add_flag("--ledger", run.ledger,
               "after the run, print calls and bytes of each group and channel")
      ->group("Output");
  app.footer("Example: dtc-run mlp.dtcx --steps 10 --print head.bias");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    std::fputs(helpText(app, argv[0]).c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "error: %s (see dtc-run --help)\n", error.what());
    return kExitUsage;
  }
  if (Status status = runProgram(run); !status.isOk()) {
    std::fprintf(stderr, "error: %s\n", status.str().c_str());
    return kExitFailed;
  }
  return 0;
}

} // namespace
} // namespace dtc::rt

int main(int argc, char **argv) { return dtc::rt::parseAndRun(argc, argv); }
