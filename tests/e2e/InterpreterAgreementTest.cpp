//===- InterpreterAgreementTest.cpp - The backend against the oracle ------===//
//
// One planned module, run twice: emitted and executed on eight ranks in
// float32, and interpreted on eight simulated ranks in float64. Both must agree
// in each step, and with the worked example's numbers. So what differs here is
// the emitter's, the kernels' or the executor's, and no pass's.
//
//===----------------------------------------------------------------------===//

#include "codegen/ProgramEmitter.h"
#include "frontend/ImportModel.h"
#include "ir/interpreter/SimulatedRanks.h"
#include "passes/Pipelines.h"
#include "runtime/executor/VariableGatherer.h"
#include "tests/e2e/Plans.h"
#include "tests/e2e/ProgramRanks.h"
#include "tests/tools/TensorText.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <deque>
#include <mutex>

#include <gtest/gtest.h>

namespace dtc::test {
namespace {

using mlir::dtc::HostTensor;
using mlir::dtc::SimulatedRanks;
using rt::Status;

constexpr int64_t kSteps = 3;
constexpr double kReportTolerance = 1e-6; ///< relative
/// Of a variable's element, as for every single case.
constexpr double kRelative = 1e-5, kAbsolute = 1e-6;
constexpr const char *kMetrics[] = {"loss", "grad_norm", "valid", "flag", "lr"};

/// What the backend's ranks read and left behind.
struct BackendRun {
  rt::VariableGatherer initial;
  std::deque<rt::VariableGatherer> after; ///< by step
  std::vector<std::map<std::string, double>> reports;
  std::vector<float> x;
  std::vector<int32_t> label;
};

HostTensor toHostTensor(const rt::GatheredTensor &tensor) {
  HostTensor result(tensor.shape);
  result.elements = tensor.elements;
  return result;
}

template <typename T>
HostTensor toHostTensor(const std::vector<T> &elements,
                        llvm::ArrayRef<int64_t> shape) {
  HostTensor result(shape);
  result.elements.assign(elements.begin(), elements.end());
  return result;
}

class InterpreterAgreementTest : public testing::Test {
protected:
  void SetUp() override {
    auto file = mlir::dtc::ModelFile::read(modelPath("example"));
    ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
    auto imported = mlir::dtc::importModel(context, *file);
    ASSERT_TRUE(bool(imported)) << llvm::toString(imported.takeError());
    module = std::move(*imported);
    mlir::PassManager passes(&context);
    mlir::dtc::buildPipeline(passes, mlir::dtc::Phase::Planned);
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));

    auto bytes = mlir::dtc::emitProgram(*module);
    ASSERT_TRUE(mlir::succeeded(bytes));
    auto program = rt::Program::load(std::move(*bytes));
    ASSERT_TRUE(program.isOk()) << program.status();
    runBackend(**program);
  }

  void runBackend(const rt::Program &program) {
    backend.reports.resize(kSteps);
    for (int64_t step = 0; step < kSteps; ++step)
      backend.after.emplace_back();
    backend.x.resize(7 * 2);
    backend.label.resize(7);
    std::mutex mutex;
    Status status =
        runRanks(program, modelFolder(), 1, [&](ProgramRank &rank) -> Status {
          DTC_RETURN_IF_ERROR(backend.initial.add(rank.executor, rank.number));
          for (int64_t step = 0; step < kSteps; ++step) {
            auto at = static_cast<size_t>(step);
            DTC_RETURN_IF_ERROR(rank.train(step));
            DTC_RETURN_IF_ERROR(
                backend.after[at].add(rank.executor, rank.number));
            std::lock_guard<std::mutex> lock(mutex);
            for (const char *name : kMetrics)
              if (double value = rank.metric(name); !std::isnan(value))
                backend.reports[at][name] = value;
          }
          if (rank.number != 0)
            return Status::ok();
          // Inputs in the order of the model; every step reads all rows.
          DTC_RETURN_IF_ERROR(rank.batches.read(0, 0, 0, 7, backend.x.data()));
          return rank.batches.read(1, 0, 0, 7, backend.label.data());
        });
    ASSERT_TRUE(status.isOk()) << status;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  BackendRun backend;
};

void expectNear(const std::string &name, const std::vector<double> &expected,
                const std::vector<double> &found) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i],
                kAbsolute + kRelative * std::abs(expected[i]))
        << name << " element " << i;
}

TEST_F(InterpreterAgreementTest, EachStepIsTheInterpretersInFloat64) {
  auto created = SimulatedRanks::create(*module);
  ASSERT_TRUE(mlir::succeeded(created));
  SimulatedRanks &ranks = **created;
  for (const auto &[name, tensor] : backend.initial.tensors())
    ASSERT_TRUE(
        mlir::succeeded(ranks.getVariables().set(name, toHostTensor(tensor))))
        << name;

  for (int64_t step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step + 1));
    auto at = static_cast<size_t>(step);
    ASSERT_TRUE(
        mlir::succeeded(ranks.setInput("x", toHostTensor(backend.x, {7, 2}))));
    ASSERT_TRUE(mlir::succeeded(
        ranks.setInput("label", toHostTensor(backend.label, {7}))));
    ASSERT_TRUE(mlir::succeeded(ranks.runStep()));

    for (const char *name : kMetrics) {
      ASSERT_TRUE(ranks.getTrace().reports.count(name)) << name;
      double expected = ranks.getTrace().reports.at(name);
      EXPECT_NEAR(backend.reports[at][name], expected,
                  kReportTolerance * std::abs(expected))
          << name;
    }
    EXPECT_EQ(ranks.getVariables().getNames().size(),
              backend.after[at].tensors().size());
    for (const auto &[name, tensor] : backend.after[at].tensors()) {
      auto expected = ranks.getVariables().get(name);
      ASSERT_TRUE(mlir::succeeded(expected)) << name;
      expectNear(name, expected->elements, tensor.elements);
    }
  }
}

TEST_F(InterpreterAgreementTest, EachStepHasTheNumbersOfTheWorkedExample) {
  auto file = llvm::MemoryBuffer::getFile(DTC_EXAMPLE_EXPECTED);
  ASSERT_TRUE(bool(file)) << DTC_EXAMPLE_EXPECTED;
  mlir::dtc::test::NamedNumbers numbers;
  ASSERT_EQ(mlir::dtc::test::parseNumbers((*file)->getBuffer(), numbers), "");

  int reports = 0, variables = 0;
  for (const auto &[key, expected] : numbers) {
    SCOPED_TRACE(key);
    auto [part, name] = llvm::StringRef(key).split('/');
    auto [kind, stepText] = part.split('.');
    size_t step = 0;
    ASSERT_FALSE(stepText.getAsInteger(10, step) || step > kSteps);
    if (kind == "report") {
      ++reports;
      EXPECT_NEAR(backend.reports[step - 1].at(name.str()), expected[0],
                  kReportTolerance * std::abs(expected[0]));
    } else if (kind == "variable") {
      ++variables;
      expectNear(key, expected,
                 backend.after[step - 1].tensors().at(name.str()).elements);
    }
  }
  EXPECT_EQ(reports, 11);
  EXPECT_GE(variables, 2 * (7 + 3)); // parameters and scalars of two steps
}

} // namespace
} // namespace dtc::test
