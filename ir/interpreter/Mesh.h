//===- Mesh.h - All places of a simulated mesh -----------------*- C++ -*-===//
//
// A place is one micro-batch of one rank: `mb` is an axis like the others, the
// innermost. Places and ranks are numbered in mesh order, pp slowest.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_MESH_H
#define DTC_IR_INTERPRETER_MESH_H

#include "ir/interpreter/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mlir::dtc {

/// What each place holds of one value; absent on other stages.
using Parts = std::vector<std::optional<HostTensor>>;

/// The axes that the layouts of a module speak of, and its places.
class Mesh {
public:
  /// The mesh of the first layout found below `root`; a single place without
  /// coordinates where there is none.
  static Mesh find(Operation *root);

  bool hasLayout() const { return !axes.empty(); }
  ArrayRef<MeshAxis> getAxes() const { return axes; }
  size_t getPlaceCount() const { return places.size(); }
  const Coordinates &getPlace(size_t place) const { return places[place]; }
  ArrayRef<Coordinates> getPlaces() const { return places; }

  size_t getRankCount() const { return places.size() / microBatches; }
  int64_t getMicroBatches() const { return microBatches; }
  size_t getRank(size_t place) const { return place / microBatches; }
  /// The place of a rank at a micro-batch.
  size_t getPlaceOf(size_t rank, int64_t microBatch) const {
    return rank * microBatches + microBatch;
  }
  /// The place with another coordinate on one axis.
  size_t withCoordinate(size_t place, size_t axis, int64_t coordinate) const;

  /// Position of `name` among the axes; none where there is no such axis.
  std::optional<size_t> getAxis(StringRef name) const;

  /// `pp=0, dp=1, tp=0, mb=1`, or `the only place`.
  std::string describe(const Coordinates &coordinates) const;

private:
  SmallVector<MeshAxis> axes;
  SmallVector<int64_t> strides;
  std::vector<Coordinates> places;
  int64_t microBatches = 1;
};

/// True where a value of `type` exists on the stage of `coordinates`.
bool isHeldAt(Type type, const Coordinates &coordinates);

/// The lowest coordinate of an axis that holds a value: the first stage of a
/// set over pp, else 0.
int64_t getFirstHolder(const MeshAxis &axis);

/// The part of `global` that `type` gives to a place. Elements beyond the
/// global tensor are its fill value in pads of kind `fill`, else 0.
HostTensor distribute(const HostTensor &global, Type type,
                      const Coordinates &coordinates);

/// The same for a value that may be partial: each coordinate of the partial
/// axes gets an addend of its own, made up but always the same, which reduce to
/// `global`. So an input in a partial layout shows who forgets to reduce it.
HostTensor distributeAddends(const HostTensor &global, Type type,
                             const Coordinates &coordinates);

/// Joins parts of a value of `type` over the axes in `joined` (one flag an
/// axis): blocks are put side by side, addends reduced, replicas taken once.
/// The result has the global shape; where only some axes are joined, what the
/// given places don't hold is 0. Parts that are null are left out. Errors are
/// emitted at `op`.
FailureOr<HostTensor> assemble(Operation *op, Type type,
                               ArrayRef<Coordinates> places,
                               ArrayRef<const HostTensor *> parts,
                               ArrayRef<bool> joined);

/// The whole value from the parts of all places.
FailureOr<HostTensor> assembleAll(Operation *op, Type type, const Mesh &mesh,
                                  const Parts &parts);

/// Compares, bit for bit and without pads, the parts of coordinates on which
/// the type says that they are replicas. The error is emitted at `op` and names
/// `what` and the axis.
LogicalResult checkReplicas(Operation *op, StringRef what, Type type,
                            const Mesh &mesh, const Parts &parts);

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_MESH_H
