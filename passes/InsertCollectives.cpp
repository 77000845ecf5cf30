//===- InsertCollectives.cpp - Make communication from changes of layout --===//
//
// A relayout says from what to what; this pass decides how, and nothing else
// does. The order is fixed and small: what shrinks a value comes before what
// moves it, what grows it comes last.
//
// Per relayout: 1. P over mb: accumulate; 2. sums: into a shard by
// reduce_scatter first (the rest is then summed on the shard), all other axes
// of one kind by one all_reduce; 3. slices; 4. the send; 5. gathers, inner axes
// first. What is left over no collective makes, and that is an error.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"
#include "passes/ValueVersions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

#define DEBUG_TYPE "dtc-insert-collectives"

namespace mlir::dtc {
#define GEN_PASS_DEF_INSERTCOLLECTIVESPASS
#include "passes/Passes.h.inc"

namespace {

/// Channel of each (backward, source, destination), in order of first use.
class Channels {
public:
  int64_t get(bool isBackward, int64_t source, int64_t destination) {
    int64_t next = static_cast<int64_t>(numbers.size());
    return numbers.try_emplace({isBackward, source, destination}, next)
        .first->second;
  }

private:
  std::map<std::tuple<bool, int64_t, int64_t>, int64_t> numbers;
};

/// True where no inner axis splits dimension `dim` of `layout`.
bool isInnermost(LayoutAttr layout, StringRef axis, int64_t dim) {
  bool isInner = false;
  for (const MeshAxis &other : layout.getAxes()) {
    if (isInner && other.state.isSplit(dim))
      return false;
    isInner |= other.name.getValue() == axis;
  }
  return true;
}

/// One relayout on its way to its result's layout.
class Change {
public:
  Change(RelayoutOp op, Channels &channels)
      : op(op), channels(channels), builder(op), value(op.getInput()),
        to(getLayout(op.getResult())) {}
  LogicalResult make();

private:
  LayoutAttr now() { return getLayout(value); }
  RankedTensorType typeWith(LayoutAttr layout);
  template <typename OpTy, typename... Args>
  void step(LayoutAttr layout, Args... arguments);
  void accumulate();
  void reduce();
  void slice();
  void gather(bool onlyForSlices);
  void send();

  RelayoutOp op;
  Channels &channels;
  OpBuilder builder;
  Value value;
  LayoutAttr to;
};

RankedTensorType Change::typeWith(LayoutAttr layout) {
  auto type = cast<RankedTensorType>(value.getType());
  return withLayout(type, withPadsOfChange(type, layout));
}

/// Appends a collective that brings the value into `layout`.
template <typename OpTy, typename... Args>
void Change::step(LayoutAttr layout, Args... arguments) {
  auto made =
      builder.create<OpTy>(op.getLoc(), typeWith(layout), value, arguments...);
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  value = made.getResult();
}

void Change::accumulate() {
  AxisState from = now().on(kAxisMb);
  if (from == AxisState::partial(ReductionKind::Sum) &&
      to.on(kAxisMb).isReplicated())
    step<AccumulateOp>(now().with(kAxisMb, AxisState::replicated()),
                       op.getReduceDtypeAttr());
}

void Change::reduce() {
  for (StringRef axis : {StringRef(kAxisDp), StringRef(kAxisTp)}) {
    LayoutAttr shard = now().with(axis, AxisState::split(0));
    if (now().on(axis) == AxisState::partial(ReductionKind::Sum) &&
        to.on(axis).isSplit(0) && isInnermost(shard, axis, 0))
      step<ReduceScatterOp>(shard, builder.getStringAttr(axis),
                            op.getReduceDtypeAttr());
  }
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Or}) {
    LayoutAttr whole = now();
    SmallVector<StringRef> axes;
    for (const MeshAxis &axis : now().getAxes()) {
      StringRef name = axis.name;
      bool isReduced = axis.state.isPartial() && axis.state.reduction == kind &&
                       name != kAxisMb && !to.on(name).isPartial();
      if (!isReduced)
        continue;
      axes.push_back(name);
      whole =
          whole.with(name, name == kAxisPp ? AxisState::on(axis.state.stages)
                                           : AxisState::replicated());
    }
    if (!axes.empty())
      step<AllReduceOp>(whole, ReductionKindAttr::get(op.getContext(), kind),
                        builder.getStrArrayAttr(axes), op.getReduceDtypeAttr());
  }
}

/// S becomes R, inner axes first. `onlyForSlices`: where another dimension is
/// to be split in its place.
void Change::gather(bool onlyForSlices) {
  for (const MeshAxis &axis : llvm::reverse(now().getAxes())) {
    StringRef name = axis.name;
    AxisState from = now().on(name), wanted = to.on(name);
    bool isGathered = onlyForSlices ? wanted.isSplit() && from != wanted
                                    : wanted.isReplicated();
    if (from.isSplit() && isGathered && name != kAxisMb &&
        isInnermost(now(), name, from.dim))
      step<AllGatherOp>(now().with(name, AxisState::replicated()),
                        builder.getStringAttr(name));
  }
}

void Change::slice() {
  auto isSliced = [&](StringRef name) {
    return now().on(name).isReplicated() && to.on(name).isSplit() &&
           isInnermost(now(), name, to.on(name).dim);
  };
  auto sliceOver = [&](StringRef name) {
    if (isSliced(name))
      step<LocalSliceOp>(now().with(name, to.on(name)),
                         builder.getStringAttr(name));
  };
  // A micro-batch's rows are a view of the batch, so they are taken before
  // columns are copied out of them; not where outer axes split the rows too.
  if (llvm::none_of(to.getAxes(), [&](const MeshAxis &axis) {
        return axis.name != kAxisMb && isSliced(axis.name) &&
               axis.state.dim == to.on(kAxisMb).dim;
      }))
    sliceOver(kAxisMb);
  for (const MeshAxis &axis : to.getAxes())
    sliceOver(axis.name);
}

void Change::send() {
  AxisState from = now().on(kAxisPp), wanted = to.on(kAxisPp);
  if (from == wanted || !from.isOn() || !wanted.isOn() ||
      llvm::popcount(wanted.stages) != 1)
    return;
  for (const MeshAxis &axis : now().getAxes())
    if (axis.state.isPartial())
      return;
  int64_t source = llvm::countr_zero(from.stages);
  int64_t destination = llvm::countr_zero(wanted.stages);
  StringAttr phase = getPhase(op);
  int64_t channel =
      channels.get(phase && phase == "backward", source, destination);
  step<SendRecvOp>(now().with(kAxisPp, wanted),
                   builder.getI64IntegerAttr(source),
                   builder.getI64IntegerAttr(destination),
                   builder.getI64IntegerAttr(channel));
}

LogicalResult Change::make() {
  accumulate();
  reduce();
  gather(/*onlyForSlices=*/true);
  slice();
  send();
  gather(/*onlyForSlices=*/false);
  for (const MeshAxis &axis : to.getAxes())
    if (now().on(axis.name) != axis.state)
      return op->emitOpError(getModelName(op))
             << ": no collective turns "
             << getLayout(op.getInput()).on(axis.name).str() << " into "
             << axis.state.str() << " on axis " << axis.name
             << ", expected a reduction, a gather, a slice or a send";
  // What pads hold may be known better than the relayout said; never worse.
  if (value.getType() != op.getResult().getType())
    value.setType(op.getResult().getType());
  op.getResult().replaceAllUsesWith(value);
  op.erase();
  return success();
}

struct InsertCollectivesPass
    : public impl::InsertCollectivesPassBase<InsertCollectivesPass> {
  using InsertCollectivesPassBase::InsertCollectivesPassBase;

  void runOnOperation() final {
    Channels channels;
    for (func::FuncOp function : findStepFunctions(getOperation()))
      for (auto op : llvm::to_vector(function.getOps<RelayoutOp>()))
        if (failed(Change(op, channels).make()))
          return signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
