//===- Certificate.h - Whether a program's ranks fit together -------------===//
//
// Facts about all ranks of a program, found on the program alone: without the
// compiler that made it, without a device. See README.md for what is certified
// and what is not.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_CERTIFICATE_H
#define DTC_RUNTIME_CHECK_CERTIFICATE_H

#include "runtime/base/Status.h"
#include "runtime/program/Mesh.h"
#include "runtime/program/Program.h"

#include <string>
#include <vector>

namespace dtc::rt {

/// Kinds that the ledger counts.
enum class CommunicationKind { AllReduce, ReduceScatter, AllGather, Send };

/// Returns all_reduce, reduce_scatter, all_gather or send.
const char *name(CommunicationKind kind);

/// Communication of one kind over one kind of group, on each rank of a stage.
/// Elements are what one rank contributes: a shard to an all_gather, the whole
/// with its pad to a reduce_scatter.
struct LedgerLine {
  uint32_t stage = 0;
  CommunicationKind kind = CommunicationKind::AllReduce;
  std::vector<int> axes; ///< of the group, in mesh order; of a send pp
  int32_t channel = -1;  ///< of a send
  uint32_t peerStage = 0; ///< of a send
  int64_t calls = 0, elements = 0, bytes = 0;
};

/// What ranks say to each other in a step. Groups of one are left out.
struct CommunicationLedger {
  std::vector<LedgerLine> lines;

  /// Sums over a stage's lines of a kind: what each of its ranks does.
  int64_t calls(uint32_t stage, CommunicationKind kind) const;
  int64_t elements(uint32_t stage, CommunicationKind kind) const;
  /// Collectives (or sends) of all groups together, each once.
  int64_t groupCalls(const Mesh &mesh, CommunicationKind kind) const;
  /// One line a group kind: `stage 0 all_reduce over tp: 2 calls, 16 elements`.
  std::string str() const;
};

struct CheckOptions {
  /// Walks every rank in place of one a class of equal ranks.
  bool exhaustive = false;
};

/// What was found to hold.
struct Certificate {
  std::string programHash; ///< 32 hexadecimal digits
  int32_t ranks = 0;       ///< of the mesh
  int32_t ranksWalked = 0; ///< one a class, or all
  int64_t instructions = 0; ///< of all stages
  bool hasEvaluation = false;
  CommunicationLedger train, evaluate;

  /// One line for people.
  std::string str() const;
};

/// Certifies the training and, where there is one, the evaluation schedule.
///
/// Errors:  kInvalidProgram with stage, task, micro-batch, operation id and
///          model name, what was found and what was expected, and the axis
///          where there is one.
Result<Certificate> checkProgram(const Program &program,
                                 const CheckOptions &options = {});

} // namespace dtc::rt

#endif // DTC_RUNTIME_CHECK_CERTIFICATE_H
