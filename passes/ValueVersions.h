//===- ValueVersions.h - A value in the layouts its uses need ---*- C++ -*-===//
//
// One value of the step may be needed in several layouts. This unit makes each
// change of layout once and says who may share it.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_VALUEVERSIONS_H
#define DTC_PASSES_VALUEVERSIONS_H

#include "ir/DtcOps.h"

#include "mlir/IR/Builders.h"

namespace mlir::dtc {

/// On an op of a bucket: dtc.id of each op of the step graph that it stands for
/// (DenseI64Array).
inline constexpr llvm::StringLiteral kIdsAttr = "dtc.ids";

/// What passes know of a value besides its type.
struct ValueFacts {
  TypeAttr reduceDtype;     ///< in which dtype its addends are summed
  bool isParameter = false; ///< never gathered over tp
  bool isInput = false;     ///< of the model: R over mb until it is used
  bool isAfterLoop = false; ///< made from a reduction over mb
};

/// `layout` for a value of `type` that is changed into it: pads stay what they
/// are, new ones are those of a slice (an input's integers: its fill value) or
/// of a shard of a sum (zero).
LayoutAttr withPadsOfChange(RankedTensorType type, LayoutAttr layout);

/// Gives `made` the model name and id of `value`, and `phase`.
void describeAsValue(Operation *made, Value value, StringAttr phase);

/// The dtype in which addends of `value` are summed: its op's reduce_dtype, or
/// that of what the op adds up.
TypeAttr findReduceDtype(Value value);

/// Phase of an op (StringAttr), null where it has none.
StringAttr getPhase(Operation *op);

/// True for an op of the tail.
bool isUpdate(Operation *op);

/// The values of one function by their first definition, and their versions.
class ValueVersions {
public:
  /// Registers a value whose type has a layout.
  void define(Value value, ValueFacts facts = {});
  bool isDefined(Value value) const { return versions.contains(value); }
  const ValueFacts &getFacts(Value value) const;

  /// The value that stands for `value` in all later uses: itself, or what it
  /// was settled into.
  Value getBase(Value value) const;

  /// Versions that `user` may take without a change, the base first.
  SmallVector<Value> getUsable(Value value, Operation *user) const;

  /// Changes `value` right after it is made; all later uses start from there.
  Value settle(Value value, LayoutAttr target);

  /// A version in the layout `target` (pads follow) for an operand of `user`,
  /// made before `user` unless there is one. Versions on other stages, settled
  /// ones and the micro-batches of an input are shared by all; others (a gather
  /// would sit in the stash) only inside a phase.
  FailureOr<Value> fit(Value value, LayoutAttr target, Operation *user);

private:
  struct Version {
    Value value;
    StringAttr phase; ///< null: for every user
  };
  Value makeChange(OpBuilder &builder, Value original, Value from,
                   LayoutAttr target, StringAttr phase);
  FailureOr<Value> moveToStages(Value value, uint64_t stages, Operation *user);

  DenseMap<Value, SmallVector<Version, 1>> versions;
  DenseMap<Value, ValueFacts> facts;
};

} // namespace mlir::dtc

#endif // DTC_PASSES_VALUEVERSIONS_H
