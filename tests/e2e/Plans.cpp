//===- Plans.cpp - Plans of a model, compiled in process ------------------===//
//
// The lists are loops and not tables, so that none can be forgotten.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Plans.h"

#include "frontend/cli/CompileModel.h"

#include <cstdlib>
#include <map>

namespace dtc::test {

constexpr int64_t kMostParts = 3;
constexpr int64_t kMostRanks = 8;

std::string Plan::name() const {
  return "pp" + std::to_string(pp) + "_dp" + std::to_string(dp) + "_tp" +
         std::to_string(tp) + "_mb" + std::to_string(microBatches) + "_zero" +
         std::to_string(zero) + "_" + schedule;
}

std::vector<std::string> Plan::settings() const {
  return {"plan.pp=" + std::to_string(pp),
          "plan.dp=" + std::to_string(dp),
          "plan.tp=" + std::to_string(tp),
          "plan.micro_batches=" + std::to_string(microBatches),
          "plan.zero=" + std::to_string(zero),
          "plan.schedule=" + schedule};
}

/// Schedule and ZeRO as one number from 0 to 3.
static Plan makePlan(int64_t pp, int64_t dp, int64_t tp, int64_t microBatches,
                     int64_t variant) {
  return {pp,           dp,          tp,
          microBatches, variant % 2, variant < 2 ? "1f1b" : "gpipe"};
}

/// Calls `visit(number of the mesh, pp, dp, tp)` for each mesh.
template <typename Visit>
static void forEachMesh(Visit visit) {
  int64_t number = 0;
  for (int64_t pp = 1; pp <= kMostParts; ++pp)
    for (int64_t dp = 1; dp <= kMostParts; ++dp)
      for (int64_t tp = 1; tp <= kMostParts; ++tp)
        if (pp * dp * tp <= kMostRanks)
          visit(number++, pp, dp, tp);
}

std::vector<Plan> listAllPlans() {
  std::vector<Plan> plans;
  forEachMesh([&](int64_t, int64_t pp, int64_t dp, int64_t tp) {
    for (int64_t microBatches = 1; microBatches <= kMostParts; ++microBatches)
      for (int64_t variant = 0; variant < 4; ++variant)
        plans.push_back(makePlan(pp, dp, tp, microBatches, variant));
  });
  return plans;
}

std::vector<Plan> listStratifiedPlans() {
  std::vector<Plan> plans;
  forEachMesh([&](int64_t mesh, int64_t pp, int64_t dp, int64_t tp) {
    for (int64_t microBatches = 1; microBatches <= kMostParts; ++microBatches)
      plans.push_back(
          makePlan(pp, dp, tp, microBatches, (mesh + microBatches) % 4));
  });
  return plans;
}

std::vector<Plan> listPlans() {
  return std::getenv("DTC_ALL_PLANS") ? listAllPlans() : listStratifiedPlans();
}

std::vector<PlanModel> listPlanModels() {
  return {{"example", "optimizer.betas=[0,0.75]"},
          {"mlp-narrow", "optimizer.betas=[0,0.999]"}};
}

std::string caseName(const PlanModel &model, const Plan &plan) {
  return model.name.substr(model.name.find('-') + 1) + "_" + plan.name();
}

std::string modelFolder() { return DTC_MODELS_DIR; }

std::string modelPath(const std::string &model) {
  return modelFolder() + "/" + model + ".fbs";
}

rt::Result<std::unique_ptr<rt::Program>>
compilePlan(const std::string &model, const Plan &plan,
            const std::vector<std::string> &settings) {
  cli::CompileOptions options;
  options.path = modelPath(model);
  options.settings = plan.settings();
  options.settings.insert(options.settings.end(), settings.begin(),
                          settings.end());
  return cli::compileModel(options);
}

const rt::Program *compileOnce(const PlanModel &model, const Plan &plan,
                               std::string &error) {
  static std::map<std::string, std::unique_ptr<rt::Program>> known;
  auto [entry, isNew] = known.try_emplace(caseName(model, plan));
  if (!isNew)
    return entry->second.get();
  auto program = compilePlan(model.name, plan, {model.settings});
  if (program.isOk())
    entry->second = std::move(*program);
  else
    error = program.status().str();
  return entry->second.get();
}

} // namespace dtc::test
