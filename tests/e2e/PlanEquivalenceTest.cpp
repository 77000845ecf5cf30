//===- PlanEquivalenceTest.cpp - Every plan is the one device -------------===//
//
// From equal state, each step: every rank's variables are set to what one
// device had before the step, then loss, norm, gradients, optimizer state and
// update are compared with what one device made of it. A difference is that
// step's own and never the echo of an earlier one. Replicas are compared bit
// for bit when variables are gathered.
//
// Both models train with beta1 = 0 here, so that AdamW's first moment is the
// (unscaled, clipped) gradient itself, and no difference of rounded numbers
// has to be taken to see it.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/VariableGatherer.h"
#include "tests/e2e/Plans.h"
#include "tests/e2e/ProgramRanks.h"

#include <cmath>
#include <deque>
#include <map>

#include <gtest/gtest.h>

namespace dtc::test {
namespace {

using rt::GatheredTensor;
using rt::Status;
using Variables = std::map<std::string, GatheredTensor>;

constexpr int64_t kSteps = 20;
constexpr double kLossTolerance = 1e-6;
constexpr double kGradientTolerance = 1e-5; ///< of the gradient's norm
/// Of the norm of a parameter's change. AdamW divides by the root of the second
/// moment, which makes the rounding error of a gradient that is nearly zero as
/// large as the whole change of that element.
constexpr double kUpdateTolerance = 1e-3;

/// What a run of some steps leaves behind.
struct Trajectory {
  std::vector<double> loss, norm; ///< by step
  std::deque<rt::VariableGatherer> after;
  Variables initial;
};

/// Runs `program` for all steps. Where `reference` is given, each step starts
/// from its state.
Status runSteps(const rt::Program &program, const Trajectory *reference,
                Trajectory &result) {
  result.loss.assign(kSteps, NAN);
  result.norm.assign(kSteps, NAN);
  for (int64_t step = 0; step < kSteps; ++step)
    result.after.emplace_back();
  rt::VariableGatherer initial;
  std::mutex mutex;
  DTC_RETURN_IF_ERROR(
      runRanks(program, modelFolder(), 1, [&](ProgramRank &rank) -> Status {
        DTC_RETURN_IF_ERROR(initial.add(rank.executor, rank.number));
        for (int64_t step = 0; step < kSteps; ++step) {
          auto at = static_cast<size_t>(step);
          if (reference)
            DTC_RETURN_IF_ERROR(scatterVariables(
                rank.executor, step == 0 ? reference->initial
                                         : reference->after[at - 1].tensors()));
          DTC_RETURN_IF_ERROR(rank.train(step));
          DTC_RETURN_IF_ERROR(result.after[at].add(rank.executor, rank.number));
          std::lock_guard<std::mutex> lock(mutex);
          if (double loss = rank.metric("loss"); !std::isnan(loss))
            result.loss[at] = loss;
          if (double norm = rank.metric("grad_norm"); !std::isnan(norm))
            result.norm[at] = norm;
        }
        return Status::ok();
      }));
  for (const rt::VariableGatherer &variables : result.after)
    DTC_RETURN_IF_ERROR(variables.checkComplete());
  result.initial = initial.tensors();
  return Status::ok();
}

double norm(const std::vector<double> &x) {
  double sum = 0;
  for (double element : x)
    sum += element * element;
  return std::sqrt(sum);
}

std::vector<double> difference(const std::vector<double> &a,
                               const std::vector<double> &b) {
  std::vector<double> result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = a[i] - b[i];
  return result;
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() > end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Compares one variable after a step; `before` is its value before.
void compareVariable(const std::string &name, const GatheredTensor &before,
                     const GatheredTensor &expected,
                     const GatheredTensor &found) {
  ASSERT_EQ(found.shape, expected.shape) << name;
  double error = norm(difference(found.elements, expected.elements));
  if (expected.dtype != rt::DType::kF32 || expected.shape.empty())
    EXPECT_EQ(error, 0) << name;
  else if (endsWith(name, ".m")) // the gradient
    EXPECT_LE(error, kGradientTolerance * norm(expected.elements)) << name;
  else if (endsWith(name, ".v")) // squares
    EXPECT_LE(error, 2 * kGradientTolerance * norm(expected.elements)) << name;
  else
    EXPECT_LE(error, kUpdateTolerance *
                         norm(difference(expected.elements, before.elements)))
        << name;
}

void compareStep(const Trajectory &expected, const Trajectory &found,
                 int64_t step) {
  auto at = static_cast<size_t>(step);
  EXPECT_NEAR(found.loss[at], expected.loss[at],
              kLossTolerance * expected.loss[at]);
  EXPECT_NEAR(found.norm[at], expected.norm[at],
              kGradientTolerance * expected.norm[at]);
  const Variables &before =
      step == 0 ? expected.initial : expected.after[at - 1].tensors();
  const Variables &wanted = expected.after[at].tensors();
  const Variables &got = found.after[at].tensors();
  ASSERT_EQ(got.size(), wanted.size());
  for (const auto &[name, tensor] : wanted) {
    ASSERT_TRUE(got.count(name)) << name;
    compareVariable(name, before.at(name), tensor, got.at(name));
  }
}

/// One device's run of a model, made once. Empty where it failed.
const Trajectory &oneDevice(const PlanModel &model) {
  static std::map<std::string, Trajectory> known;
  auto [entry, isNew] = known.try_emplace(model.name);
  if (!isNew)
    return entry->second;
  std::string error;
  const rt::Program *program = compileOnce(model, Plan(), error);
  EXPECT_TRUE(program) << error;
  if (program) {
    Status status = runSteps(*program, nullptr, entry->second);
    EXPECT_TRUE(status.isOk()) << status;
  }
  return entry->second;
}

class PlanEquivalenceTest
    : public testing::TestWithParam<std::tuple<PlanModel, Plan>> {};

TEST_P(PlanEquivalenceTest, EachStepIsThatOfOneDevice) {
  const auto &[model, plan] = GetParam();
  const Trajectory &expected = oneDevice(model);
  ASSERT_EQ(expected.after.size(), size_t(kSteps));

  std::string error;
  const rt::Program *program = compileOnce(model, plan, error);
  ASSERT_TRUE(program) << error;
  Trajectory found;
  Status status = runSteps(*program, &expected, found);

  ASSERT_TRUE(status.isOk()) << status;
  EXPECT_EQ(found.initial.size(), expected.initial.size());
  for (const auto &[name, tensor] : expected.initial)
    EXPECT_EQ(found.initial[name].elements, tensor.elements) << name;
  for (int64_t step = 0; step < kSteps && !HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step + 1));
    compareStep(expected, found, step);
  }
}

INSTANTIATE_TEST_SUITE_P(, PlanEquivalenceTest,
                         testing::Combine(testing::ValuesIn(listPlanModels()),
                                          testing::ValuesIn(listPlans())),
                         [](const auto &info) {
                           return caseName(std::get<0>(info.param),
                                           std::get<1>(info.param));
                         });

} // namespace
} // namespace dtc::test
