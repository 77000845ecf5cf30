//===- Plans.h - Plans of a model, compiled in process ---------*- C++ -*-===//
//
// What the tests of whole plans share: which plans there are, and a program of
// each without a command line in between.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_E2E_PLANS_H
#define DTC_TESTS_E2E_PLANS_H

#include "runtime/program/Program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dtc::test {

struct Plan {
  int64_t pp = 1, dp = 1, tp = 1, microBatches = 1, zero = 0;
  std::string schedule = "1f1b";

  /// A name that test runners accept: `pp2_dp1_tp3_mb2_zero1_gpipe`.
  std::string name() const;
  /// As `--set` takes it: `plan.pp=2`, ...
  std::vector<std::string> settings() const;
};

/// Every plan with pp, dp, tp and micro-batches from 1 to 3, at most 8 ranks,
/// both schedules, ZeRO 0 and 1: 204.
std::vector<Plan> listAllPlans();

/// A fourth of them: each mesh with each number of micro-batches once, where
/// schedule and ZeRO take turns, so that each pair of any two fields is there.
std::vector<Plan> listStratifiedPlans();

/// All plans where the environment has DTC_ALL_PLANS, else the stratified ones.
std::vector<Plan> listPlans();

/// A small model and settings under which AdamW's first moment is the gradient
/// (beta1 = 0).
struct PlanModel {
  std::string name;
  std::string settings;
};

/// The worked example, and a narrow MLP with dropout and a batch of 45.
std::vector<PlanModel> listPlanModels();

/// `example_pp2_dp1_...`, for test runners.
std::string caseName(const PlanModel &model, const Plan &plan);

/// Path of a model in the build folder: `example`, `mlp-narrow`.
std::string modelPath(const std::string &model);

/// Folder of the models' data.
std::string modelFolder();

/// Compiles a model under a plan; `settings` come after the plan's.
rt::Result<std::unique_ptr<rt::Program>>
compilePlan(const std::string &model, const Plan &plan,
            const std::vector<std::string> &settings = {});

/// The program of a model under a plan with the model's settings, compiled
/// once in a process; null where it does not compile, with the reason in
/// `error`.
const rt::Program *compileOnce(const PlanModel &model, const Plan &plan,
                               std::string &error);

} // namespace dtc::test

#endif // DTC_TESTS_E2E_PLANS_H
