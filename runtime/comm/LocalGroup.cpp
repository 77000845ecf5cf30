//===- LocalGroup.cpp - Collectives among threads of one process ----------===//
//
// After the first meeting of an operation every buffer that is read was
// written; after its last one nobody reads any more. What is written between
// two meetings is disjoint from what others read between them: that is the
// whole argument for the absence of races, and why in place is allowed.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/LocalGroup.h"

#include "runtime/comm/LocalWorld.h"
#include "runtime/comm/Reduce.h"

#include <algorithm>
#include <cstring>

namespace dtc::rt {

LocalGroup::LocalGroup(LocalWorld &world, std::vector<int32_t> ranks)
    : world(world), memberRanks(std::move(ranks)),
      members(new Member[memberRanks.size()]), missing(memberCount()) {
  for (int i = 0; i < memberCount(); ++i)
    members[i].addresses.resize(memberRanks.size());
}

static std::string describeGroup(const std::vector<int32_t> &ranks) {
  std::string text = "{";
  for (int32_t rank : ranks)
    text += (text.size() > 1 ? "," : "") + std::to_string(rank);
  return text + "}";
}

Status LocalGroup::reportMissing(int member, CommOperation operation) const {
  uint64_t mine = members[member].meetings.load(std::memory_order_acquire);
  std::vector<int32_t> absent;
  for (int i = 0; i < memberCount(); ++i)
    if (members[i].meetings.load(std::memory_order_acquire) < mine)
      absent.push_back(memberRanks[i]);
  return Status::timeout(ErrorCode::kRankTimeout)
         << "rank " << memberRanks[member] << " waits in " << name(operation)
         << " over " << describeGroup(memberRanks) << ": "
         << (absent.size() == 1 ? "rank " : "ranks ") << describeGroup(absent)
         << " did not arrive within " << world.timeoutSeconds() << " s";
}

Status LocalGroup::meet(int member, CommOperation operation) {
  // Read before the arrival counts: afterwards the last one may advance it.
  uint32_t meeting = met.count();
  members[member].meetings.fetch_add(1, std::memory_order_release);
  if (missing.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    missing.store(memberCount(), std::memory_order_relaxed);
    met.advance();
    return Status::ok();
  }
  return world.waitWhile(met, meeting, world.newDeadline(),
                         [&] { return reportMissing(member, operation); });
}

static void describeArrival(Status &status, CommOperation operation,
                            ReductionKind kind, DType dtype,
                            int64_t elementCount) {
  status << name(operation);
  if (operation == CommOperation::kAllReduce ||
      operation == CommOperation::kReduceScatter)
    status << " " << name(kind);
  if (operation != CommOperation::kBarrier)
    status << " of " << elementCount << " " << dtype;
}

Status LocalGroup::checkSame(int member) const {
  const Arrival &mine = arrival(member, member);
  for (int i = 0; i < memberCount(); ++i) {
    const Arrival &other = arrival(i, member);
    if (other.operation == mine.operation && other.kind == mine.kind &&
        other.dtype == mine.dtype && other.elementCount == mine.elementCount)
      continue;
    Status status = Status::commError(ErrorCode::kCollectiveMismatch)
                    << "group " << describeGroup(memberRanks) << ": rank "
                    << memberRanks[member] << " calls ";
    describeArrival(status, mine.operation, mine.kind, mine.dtype,
                    mine.elementCount);
    status << ", rank " << memberRanks[i] << " calls ";
    describeArrival(status, other.operation, other.kind, other.dtype,
                    other.elementCount);
    return status;
  }
  return Status::ok();
}

Status LocalGroup::arrive(int member, CommOperation operation, const void *send,
                          void *recv, int64_t elementCount, DType dtype,
                          ReductionKind kind, bool isInline) {
  Member &me = members[member];
  me.current ^= 1;
  Arrival &mine = me.arrivals[me.current];
  mine.operation = operation;
  mine.kind = kind;
  mine.dtype = dtype;
  mine.elementCount = elementCount;
  mine.send = send;
  mine.recv = recv;
  if (isInline && elementCount > 0)
    std::memcpy(mine.payload, send, elementCount * byteSize(dtype));
  DTC_RETURN_IF_ERROR(meet(member, operation));
  Status same = checkSame(member);
  if (!same.isOk())
    world.abort(memberRanks[member], same);
  return same;
}

Status LocalGroup::allReduce(int member, const void *send, void *recv,
                             int64_t elementCount, DType dtype,
                             ReductionKind kind) {
  constexpr auto kOperation = CommOperation::kAllReduce;
  int64_t elementBytes = byteSize(dtype);
  bool isInline = elementCount * elementBytes <= kInlineBytes;
  DTC_RETURN_IF_ERROR(arrive(member, kOperation, send, recv, elementCount,
                             dtype, kind, isInline));
  std::vector<const void *> &addresses = members[member].addresses;
  for (int i = 0; i < memberCount(); ++i)
    addresses[i] =
        isInline ? arrival(i, member).payload : arrival(i, member).send;
  ReduceSources sources{addresses.data(), memberCount()};
  if (isInline) {
    reduceElements(sources, 0, recv, elementCount, dtype, kind);
    return Status::ok();
  }

  // Slices end on cache lines, so that members do not write to one line.
  int64_t lineElements = 64 / elementBytes;
  int64_t share = (elementCount + memberCount() - 1) / memberCount();
  share = (share + lineElements - 1) / lineElements * lineElements;
  auto sliceBegin = [&](int of) { return std::min(elementCount, of * share); };
  auto at = [&](void *base, int64_t element) {
    return static_cast<char *>(base) + element * elementBytes;
  };
  int64_t begin = sliceBegin(member);
  // Only this member reads this slice, so in place it may be written at once.
  reduceElements(sources, begin, at(recv, begin),
                 sliceBegin(member + 1) - begin, dtype, kind);
  DTC_RETURN_IF_ERROR(meet(member, kOperation));
  for (int i = 0; i < memberCount(); ++i)
    if (i != member)
      std::memcpy(at(recv, sliceBegin(i)),
                  at(arrival(i, member).recv, sliceBegin(i)),
                  (sliceBegin(i + 1) - sliceBegin(i)) * elementBytes);
  return meet(member, kOperation);
}

Status LocalGroup::reduceScatter(int member, const void *send, void *recv,
                                 int64_t shardElementCount, DType dtype,
                                 ReductionKind kind) {
  constexpr auto kOperation = CommOperation::kReduceScatter;
  DTC_RETURN_IF_ERROR(arrive(member, kOperation, send, recv, shardElementCount,
                             dtype, kind, /*isInline=*/false));
  std::vector<const void *> &addresses = members[member].addresses;
  for (int i = 0; i < memberCount(); ++i)
    addresses[i] = arrival(i, member).send;
  reduceElements({addresses.data(), memberCount()}, member * shardElementCount,
                 recv, shardElementCount, dtype, kind);
  return meet(member, kOperation);
}

void LocalGroup::copyShards(int member, void *recv, int64_t shardBytes,
                            int64_t sourceOffset, bool isInline) const {
  if (shardBytes == 0)
    return;
  for (int i = 0; i < memberCount(); ++i) {
    const Arrival &from = arrival(i, member);
    const void *source =
        isInline ? static_cast<const void *>(from.payload)
                 : static_cast<const char *>(from.send) + sourceOffset;
    char *target = static_cast<char *>(recv) + i * shardBytes;
    if (source != target)
      std::memcpy(target, source, shardBytes);
  }
}

Status LocalGroup::allGather(int member, const void *send, void *recv,
                             int64_t shardElementCount, DType dtype) {
  constexpr auto kOperation = CommOperation::kAllGather;
  int64_t shardBytes = shardElementCount * byteSize(dtype);
  bool isInline = shardBytes <= kInlineBytes;
  DTC_RETURN_IF_ERROR(arrive(member, kOperation, send, recv, shardElementCount,
                             dtype, ReductionKind::kSum, isInline));
  copyShards(member, recv, shardBytes, 0, isInline);
  return isInline ? Status::ok() : meet(member, kOperation);
}

Status LocalGroup::allToAll(int member, const void *send, void *recv,
                            int64_t shardElementCount, DType dtype) {
  constexpr auto kOperation = CommOperation::kAllToAll;
  int64_t shardBytes = shardElementCount * byteSize(dtype);
  DTC_RETURN_IF_ERROR(arrive(member, kOperation, send, recv, shardElementCount,
                             dtype, ReductionKind::kSum, /*isInline=*/false));
  copyShards(member, recv, shardBytes, member * shardBytes,
             /*isInline=*/false);
  return meet(member, kOperation);
}

Status LocalGroup::barrier(int member) {
  return arrive(member, CommOperation::kBarrier, nullptr, nullptr, 0,
                DType::kI32, ReductionKind::kSum, /*isInline=*/false);
}

} // namespace dtc::rt
