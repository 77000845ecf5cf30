//===- VariableStore.h - What a step remembers -----------------*- C++ -*-===//
//
// Each rank has its own copy of what the layout of a variable gives it. Callers
// speak of the model's names and global tensors, also where a bucket holds the
// variable among others.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_VARIABLESTORE_H
#define DTC_IR_INTERPRETER_VARIABLESTORE_H

#include "ir/DtcOps.h"
#include "ir/interpreter/Mesh.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

class VariableStore {
public:
  /// Takes the variables of `module`; they have no value yet.
  VariableStore(ModuleOp module, const Mesh &mesh, bool typed);

  /// Names that callers may use: those of variables and of members of buckets.
  SmallVector<std::string> getNames() const;
  /// Global type (no encoding) of a name; null where there is none.
  RankedTensorType getType(StringRef name) const;

  /// Gives every variable its initial value; those of kind `file` stay unset.
  LogicalResult initialize(uint64_t seed);
  LogicalResult set(StringRef name, const HostTensor &global);
  FailureOr<HostTensor> get(StringRef name) const;

  /// The value of a variable (not a member) on a rank; an error at `op` where
  /// it has none.
  FailureOr<HostTensor> read(Operation *op, StringRef variable,
                             size_t rank) const;
  /// Replaces the value on a rank from the next step on.
  LogicalResult store(Operation *op, StringRef variable, size_t rank,
                      const HostTensor &value);
  /// Ends a step: what was stored becomes what is read. Replicas must agree.
  LogicalResult commit();

private:
  struct Entry {
    mutable VariableOp op;
    std::vector<std::optional<HostTensor>> ranks;  ///< one a rank
    std::vector<std::optional<HostTensor>> stored; ///< by this step
  };
  /// Where a member of a bucket is found.
  struct Member {
    Entry *bucket = nullptr;
    size_t position = 0;
    RankedTensorType type;
  };

  Entry *find(StringRef variable) const;
  LogicalResult setEntry(Entry &entry, const HostTensor &global);
  LogicalResult setMember(const Member &member, const HostTensor &global);
  FailureOr<HostTensor> getEntry(const Entry &entry) const;
  FailureOr<HostTensor> getMember(const Member &member) const;
  /// The packed elements of a bucket for the ranks that share a shard.
  FailureOr<HostTensor> gatherShards(const Entry &bucket, size_t rank) const;
  Parts spread(const std::vector<std::optional<HostTensor>> &ranks) const;

  mutable ModuleOp module; // errors are emitted at it
  const Mesh &mesh;
  bool typed;
  std::vector<std::unique_ptr<Entry>> entries;
  llvm::StringMap<Entry *> byName;
  llvm::StringMap<Member> members;
};

/// A global tensor filled as an initialiser says, rounded once to `type`.
/// Failure, with an error at `op`, for a kind that is not known.
FailureOr<HostTensor> makeInitialValue(Operation *op, DictionaryAttr init,
                                       StringRef name, RankedTensorType type,
                                       uint64_t seed);

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_VARIABLESTORE_H
