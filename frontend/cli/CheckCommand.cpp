//===- CheckCommand.cpp - dtc check ---------------------------------------===//
//
// Certifies what all ranks of a program will do, without running it: order of
// communication, deadlock at zero buffering, arena memory, and what each buffer
// means. Prints the certificate or the first fault.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"
#include "runtime/check/Certificate.h"

#include <cstdio>
#include <memory>

namespace dtc::cli {
namespace {

struct CheckArguments {
  ModelOptions model;
  bool exhaustive = false, ledger = false;
};

void printLedger(const char *step, const rt::CommunicationLedger &ledger) {
  if (ledger.lines.empty())
    std::printf("%s: no communication\n", step);
  else
    std::printf("%s, a rank and step:\n%s", step, ledger.str().c_str());
}

int runCheck(CheckArguments &arguments) {
  if (rt::Status status = arguments.model.resolve(); !status.isOk())
    return failUsage(status.str());
  auto program = loadOrCompile(arguments.model.compile);
  if (!program.isOk())
    return fail(program.status());
  rt::CheckOptions options;
  options.exhaustive = arguments.exhaustive;
  auto certificate = rt::checkProgram(**program, options);
  if (!certificate.isOk())
    return fail(certificate.takeStatus().at(arguments.model.compile.path));
  std::printf("%s\n", certificate->str().c_str());
  if (arguments.ledger) {
    printLedger("train", certificate->train);
    if (certificate->hasEvaluation)
      printLedger("evaluate", certificate->evaluate);
  }
  return kExitDone;
}

} // namespace

void addCheckCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "check", "Certify the program of all ranks without running it.");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->model.addTo(*command);
  command
      ->add_flag("--ledger", arguments->ledger,
                 "also print the communication of each group and channel")
      ->group("Output");
  command
      ->add_flag("--exhaustive", arguments->exhaustive,
                 "walk every rank, not one of each class of equal ranks")
      ->group("Output");
  command->footer("Example: dtc check build/models/mlp-fashion.fbs --plan "
                  "dp=2,tp=2,pp=2,micro_batches=4 --ledger");
  command->callback(
      [arguments, &exitCode] { exitCode = runCheck(*arguments); });
}

} // namespace dtc::cli
