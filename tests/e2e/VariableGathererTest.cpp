//===- VariableGathererTest.cpp - Whole tensors and the parts of ranks ----===//
//
// On a plan that splits, packs, shards and repeats: what is scattered is what
// is gathered, and a replica that drifts is found.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/VariableGatherer.h"
#include "runtime/executor/Variables.h"
#include "tests/e2e/Plans.h"
#include "tests/e2e/ProgramRanks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dtc::test {
namespace {

using rt::Status;
using testing::HasSubstr;
using Variables = std::map<std::string, rt::GatheredTensor>;

class VariableGathererTest : public testing::Test {
protected:
  void SetUp() override {
    auto compiled = compilePlan("mlp-narrow", {2, 2, 2, 1, 1, "1f1b"});
    ASSERT_TRUE(compiled.isOk()) << compiled.status();
    program = std::move(*compiled);
  }

  Status run(const std::function<Status(ProgramRank &)> &body) {
    return runRanks(*program, modelFolder(), 1, body);
  }
  Status gather(rt::VariableGatherer &gatherer) {
    return run([&](ProgramRank &rank) {
      return gatherer.add(rank.executor, rank.number);
    });
  }
  /// Scatters on rank 0 alone, which holds a part of all of stage 0.
  Status scatterOnRank0(const Variables &tensors) {
    return run([&](ProgramRank &rank) {
      return rank.number == 0 ? scatterVariables(rank.executor, tensors)
                              : Status::ok();
    });
  }

  std::unique_ptr<rt::Program> program;
};

TEST_F(VariableGathererTest, GathersWhatWasScattered) {
  rt::VariableGatherer initial;
  Status status = gather(initial);
  ASSERT_TRUE(status.isOk()) << status;
  Variables tensors = initial.tensors();
  double next = 1; // all different, and exact in every type
  for (auto &[name, tensor] : tensors)
    for (double &element : tensor.elements)
      element = next++;

  rt::VariableGatherer found;
  status = run([&](ProgramRank &rank) -> Status {
    DTC_RETURN_IF_ERROR(scatterVariables(rank.executor, tensors));
    return found.add(rank.executor, rank.number);
  });

  ASSERT_TRUE(status.isOk()) << status;
  EXPECT_TRUE(found.checkComplete().isOk());
  EXPECT_EQ(found.tensors().size(), tensors.size());
  for (const auto &[name, tensor] : tensors)
    EXPECT_EQ(found.tensors().at(name).elements, tensor.elements) << name;
}

TEST_F(VariableGathererTest, NamesParametersAndStateWhateverThePlan) {
  rt::VariableGatherer gatherer;
  Status status = gather(gatherer);

  ASSERT_TRUE(status.isOk()) << status;
  for (const char *name :
       {"fc1.weight", "fc1.weight.m", "head.bias.v", "dtc.step"})
    EXPECT_EQ(gatherer.tensors().count(name), 1u) << name;
}

TEST_F(VariableGathererTest, RefusesReplicasThatDiffer) {
  rt::VariableGatherer gatherer;
  Status status = run([&](ProgramRank &rank) -> Status {
    // The last rank is a replica of the one before it in fc2.bias, which tp
    // does not split.
    if (rank.number == 7)
      DTC_RETURN_IF_ERROR(forEachPart(
          rank.executor.makePrepareContext(),
          [&](const rt::ValueRef &ref, const rt::VariablePart &part) {
            if (part.name == "fc2.bias")
              reinterpret_cast<float *>(rank.executor.bytes(ref))[part.first] +=
                  1;
            return Status::ok();
          }));
    return gatherer.add(rank.executor, rank.number);
  });

  EXPECT_THAT(std::string(status.message()),
              HasSubstr("variable fc2.bias element 0: rank "));
}

TEST_F(VariableGathererTest, ScatterNamesWhatIsMissing) {
  Status status = scatterOnRank0({});

  EXPECT_THAT(std::string(status.message()),
              HasSubstr("there is no tensor of this name"));
}

TEST_F(VariableGathererTest, ScatterNamesBothShapes) {
  rt::VariableGatherer initial;
  ASSERT_TRUE(gather(initial).isOk());
  Variables tensors = initial.tensors();
  tensors.at("fc1.bias").shape = {36};

  Status status = scatterOnRank0(tensors);

  EXPECT_THAT(std::string(status.message()),
              HasSubstr("variable fc1.bias: the tensor is f32 36, the program "
                        "takes f32 37"));
}

} // namespace
} // namespace dtc::test
