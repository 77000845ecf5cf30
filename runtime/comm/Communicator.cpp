//===- Communicator.cpp - Names of what ranks say to each other -----------===//
//
// The words are those of the IR, so a message can be searched for there.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/Communicator.h"

namespace dtc::rt {

const char *name(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::kSum:
    return "sum";
  case ReductionKind::kMax:
    return "max";
  case ReductionKind::kOr:
    return "or";
  }
  return "unknown";
}

const char *name(CommOperation operation) {
  switch (operation) {
  case CommOperation::kAllReduce:
    return "all_reduce";
  case CommOperation::kReduceScatter:
    return "reduce_scatter";
  case CommOperation::kAllGather:
    return "all_gather";
  case CommOperation::kAllToAll:
    return "all_to_all";
  case CommOperation::kBarrier:
    return "barrier";
  case CommOperation::kSend:
    return "send";
  case CommOperation::kRecv:
    return "recv";
  }
  return "unknown";
}

} // namespace dtc::rt
