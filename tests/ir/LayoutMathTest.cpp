//===- LayoutMathTest.cpp - Blocks, extents and pads by counting ----------===//
//
// The nesting of uneven blocks is where layouts go wrong, so it is counted out:
// every size and every pair of axis sizes up to some bound, coordinate by
// coordinate.
//
//===----------------------------------------------------------------------===//

#include "ir/LayoutMath.h"

#include "mlir/IR/MLIRContext.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace mlir::dtc {
namespace {

using testing::ElementsAre;

class LayoutMathTest : public testing::Test {
protected:
  LayoutMathTest() { context.loadDialect<DtcDialect>(); }

  MeshAxis axis(StringRef name, int64_t size, AxisState state) {
    return {StringAttr::get(&context, name), size, state};
  }
  LayoutAttr layout(ArrayRef<MeshAxis> axes) {
    return LayoutAttr::get(&context, axes, {});
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape, Attribute encoding = {}) {
    return RankedTensorType::get(shape, Float32Type::get(&context), encoding);
  }

  MLIRContext context;
};

TEST_F(LayoutMathTest, NestedBlocksPartitionEveryDimension) {
  for (int64_t n = 1; n <= 20; ++n)
    for (int64_t outer = 1; outer <= 5; ++outer)
      for (int64_t inner = 1; inner <= 5; ++inner) {
        LayoutAttr nested = layout({axis("dp", outer, AxisState::split(0)),
                                    axis("mb", inner, AxisState::split(0))});
        int64_t block = getLocalShape({n}, nested)[0], next = 0;
        bool isFull = true;
        for (int64_t d = 0; d < outer; ++d)
          for (int64_t m = 0; m < inner; ++m) {
            Extent extent = getExtent(n, 0, nested, {d, m});
            isFull &= extent.length == block;
            ASSERT_LE(extent.length, block);
            if (extent.length == 0)
              continue;
            ASSERT_EQ(extent.start, next) << n << " over " << outer << ", "
                                          << inner << " at " << d << ", " << m;
            next += extent.length;
          }
        EXPECT_EQ(next, n);
        EXPECT_EQ(hasPads(n, 0, nested), !isFull)
            << n << " over " << outer << ", " << inner;
      }
}

TEST_F(LayoutMathTest, InnerBlocksStayWithinTheOuterBlock) {
  // 7 rows: 4 and 3 over dp, then 2 a micro-batch.
  LayoutAttr nested = layout(
      {axis("dp", 2, AxisState::split(0)), axis("mb", 2, AxisState::split(0))});

  EXPECT_THAT(getLocalShape({7, 5}, nested), ElementsAre(2, 5));
  Extent last = getExtent(7, 0, nested, {1, 1});
  EXPECT_EQ(last.start, 6);
  EXPECT_EQ(last.length, 1);
  // Blocks of ceil(7 / 4) = 2 alone would give the rows 2 and 3 to dp 1.
  EXPECT_EQ(getExtent(7, 0, nested, {1, 0}).start, 4);
}

TEST_F(LayoutMathTest, ShardsBehindTheEndAreEmpty) {
  // 7 over 3 and 3: rows 3, 3, 1; within, blocks of 1.
  LayoutAttr nested = layout(
      {axis("dp", 3, AxisState::split(0)), axis("mb", 3, AxisState::split(0))});

  EXPECT_EQ(getExtent(7, 0, nested, {2, 0}).length, 1);
  EXPECT_EQ(getExtent(7, 0, nested, {2, 1}).length, 0);
  EXPECT_EQ(getExtent(7, 0, nested, {2, 2}).length, 0);
  // More coordinates than rows.
  LayoutAttr wide = layout({axis("dp", 4, AxisState::split(0))});
  EXPECT_EQ(getExtent(2, 0, wide, {3}).length, 0);
  EXPECT_THAT(getLocalShape({2}, wide), ElementsAre(1));
}

TEST_F(LayoutMathTest, AxesOfOtherStatesHoldTheWholeDimension) {
  LayoutAttr mixed =
      layout({axis("pp", 2, AxisState::on(3)),
              axis("dp", 2, AxisState::partial(ReductionKind::Sum)),
              axis("tp", 2, AxisState::split(1))});

  EXPECT_THAT(getLocalShape({4, 5}, mixed), ElementsAre(4, 3));
  EXPECT_EQ(getExtent(4, 0, mixed, {1, 1, 1}).length, 4);
  EXPECT_EQ(getExtent(5, 1, mixed, {1, 1, 1}).length, 2);
  EXPECT_FALSE(hasPads(4, 0, mixed));
  EXPECT_TRUE(hasPads(5, 1, mixed));
}

TEST_F(LayoutMathTest, PadsAreListedWhereBlocksDoNotFill) {
  LayoutAttr split = layout(
      {axis("dp", 2, AxisState::split(0)), axis("tp", 2, AxisState::split(1))});

  LayoutAttr padded = withPads(split, {7, 4}, {PadKind::Any, PadKind::Zero});

  ASSERT_EQ(padded.getPads().size(), 1u);
  EXPECT_EQ(padded.padOf(0), PadKind::Any);
  EXPECT_EQ(padded.padOf(1), PadKind::None);
  EXPECT_THAT(getPads(tensor({7, 4}, padded)),
              ElementsAre(PadKind::Any, PadKind::None));
  EXPECT_THAT(getPads(tensor({7, 4})),
              ElementsAre(PadKind::None, PadKind::None));
}

TEST_F(LayoutMathTest, LocalTypesKeepGlobalShapeAndLayout) {
  LayoutAttr padded = withPads(layout({axis("dp", 2, AxisState::split(0))}),
                               {7}, {PadKind::Zero});

  RankedTensorType local = toLocalType(tensor({7}, padded));

  EXPECT_THAT(local.getShape(), ElementsAre(4));
  EXPECT_THAT(getGlobalShape(local), ElementsAre(7));
  EXPECT_EQ(getLayout(local), padded);
  EXPECT_EQ(getTensorBytes(local), 16);
  EXPECT_EQ(withLayout(local, padded), tensor({7}, padded));
  EXPECT_EQ(toLocalType(tensor({7})), tensor({7}));
}

TEST_F(LayoutMathTest, ALayoutOfAPlanIsWholeOnItsStages) {
  auto plan = PlanAttr::get(&context, 4, 2, 3, 5, 1, ScheduleKind::GPipe);

  LayoutAttr whole = makeLayout(plan, 0b1001);

  EXPECT_EQ(getStages(whole), 0b1001u);
  EXPECT_EQ(whole.on(kAxisPp).str(), "On{0,3}");
  EXPECT_EQ(whole.sizeOf(kAxisTp), 3);
  EXPECT_TRUE(whole.on(kAxisMb).isReplicated());
  LayoutAttr split = whole.with(kAxisTp, AxisState::split(1));
  EXPECT_TRUE(split.on(kAxisTp).isSplit(1));
  EXPECT_EQ(split.with(kAxisTp, AxisState::replicated()), whole);
}

TEST_F(LayoutMathTest, StatesCompareByWhatTheirKindUses) {
  AxisState sum = AxisState::partial(ReductionKind::Sum);
  AxisState dirty = AxisState::replicated();
  dirty.dim = 7;

  EXPECT_EQ(dirty, AxisState::replicated());
  EXPECT_NE(sum, AxisState::partial(ReductionKind::Max));
  EXPECT_NE(sum, AxisState::partial(ReductionKind::Sum, 1));
  EXPECT_NE(AxisState::split(0), AxisState::split(1));
  EXPECT_EQ(AxisState::partial(ReductionKind::Or, 3).str(), "P(or){0,1}");
}

} // namespace
} // namespace mlir::dtc
