//===- InterpreterRun.h - Run a few lines of IR in a test ------*- C++ -*-===//
//
// Parses a module, runs one function of it and gives results and diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_IR_INTERPRETERRUN_H
#define DTC_TESTS_IR_INTERPRETERRUN_H

#include "ir/DtcOps.h"
#include "ir/interpreter/SimulatedRanks.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace mlir::dtc::test {

class InterpreterRun {
public:
  explicit InterpreterRun(const std::string &text,
                          const std::string &function = "f")
      : context(makeRegistry()), handler(&context, [this](Diagnostic &d) {
          messages += d.str() + "\n";
          for (Diagnostic &note : d.getNotes())
            messages += "note: " + note.str() + "\n";
          return success();
        }) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    if (module)
      open(function);
  }

  /// Prepares another function (or another mode) of the module.
  void open(const std::string &function, bool typed = false,
            uint64_t seed = 0) {
    auto created = SimulatedRanks::create(*module, {function, typed, seed});
    ASSERT_TRUE(succeeded(created)) << messages;
    ranks = std::move(*created);
  }

  /// Sets the inputs in order and runs a step.
  LogicalResult step(const std::vector<std::vector<double>> &inputs = {}) {
    if (!ranks)
      return failure();
    SmallVector<std::string> names = ranks->getInputNames();
    EXPECT_EQ(names.size(), inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      HostTensor tensor(ranks->getInputType(names[i]).getShape());
      EXPECT_EQ(tensor.elements.size(), inputs[i].size()) << names[i];
      tensor.elements = inputs[i];
      if (failed(ranks->setInput(names[i], tensor)))
        return failure();
    }
    return ranks->runStep();
  }

  /// Result i of the function, whole.
  std::vector<double> result(size_t i = 0) const {
    const auto &results = ranks->getTrace().results;
    return i < results.size() ? results[i].elements : std::vector<double>();
  }
  /// Result i on one place; empty where it is absent.
  std::vector<double> part(size_t place, size_t i = 0) const {
    const auto &part = ranks->getTrace().resultParts[i].parts[place];
    return part ? part->elements : std::vector<double>();
  }
  void setVariable(StringRef name, std::vector<double> elements) {
    HostTensor tensor(ranks->getVariables().getType(name).getShape());
    ASSERT_EQ(tensor.elements.size(), elements.size());
    tensor.elements = std::move(elements);
    ASSERT_TRUE(succeeded(ranks->getVariables().set(name, tensor)));
  }
  std::vector<double> variable(StringRef name) {
    FailureOr<HostTensor> value = ranks->getVariables().get(name);
    return succeeded(value) ? value->elements : std::vector<double>();
  }

  MLIRContext context;
  std::string messages; ///< all diagnostics so far
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<SimulatedRanks> ranks;

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<DtcDialect, func::FuncDialect>();
    return registry;
  }
};

} // namespace mlir::dtc::test

#endif // DTC_TESTS_IR_INTERPRETERRUN_H
