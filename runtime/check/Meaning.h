//===- Meaning.h - What each instruction makes of what it reads -----------===//
//
// One function a kind of instruction, from contents to contents. It knows the
// rules and the step graph, and nothing of memory, order or other ranks; those
// are the walk's.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_MEANING_H
#define DTC_RUNTIME_CHECK_MEANING_H

#include "runtime/check/StagePlan.h"

namespace dtc::rt::check {

using Contents = std::vector<ContentPtr>;

class Meaning {
public:
  Meaning(const program::Program &program, const Mesh &mesh,
          const StagePlan &plan, const GraphFacts &graph)
      : program(program), mesh(mesh), plan(plan), graph(graph) {}

  /// What an instruction writes, one content a written value. `reads` are the
  /// contents of what it reads, of a Recv the content that was sent.
  ///
  /// Errors:  kInvalidProgram with the operand, what it is or holds, what was
  ///          expected, and the axis where there is one.
  Result<std::vector<Content>> evaluate(const PlannedInstruction &instruction,
                                        int64_t microBatch,
                                        const Contents &reads) const;

  /// What the program says of a value; terms are left out.
  Content declared(uint32_t value, int64_t microBatch) const;

  /// Compares what a value is with what the program says of it.
  Status checkDeclared(const Content &content, uint32_t value) const;

  /// A variable as a step finds it.
  Content ofVariable(uint32_t variable) const;

  /// The element `name` and layout of what a program's value is said to be.
  ValueLayout layoutOf(uint32_t value) const;

  /// Errors where a sum that `content` is lacks terms.
  Status checkComplete(const Content &content, const std::string &label) const;

private:
  // KernelMeaning.cpp: graph ops.
  struct OpUse {
    std::vector<uint32_t> ops; ///< one, or one a member of a bucket
    Contents operands;
    std::vector<std::string> names; ///< of the operands
    std::vector<uint32_t> outputs;  ///< values that say on which stages; or none
  };
  Result<std::vector<Content>> applyOp(const OpUse &use,
                                       int64_t microBatch) const;
  Status checkIdentity(const OpUse &use) const;
  Result<TermNames> joinTerms(const OpUse &use) const;
  Status checkIgnore(const OpUse &use) const;
  OpView viewUse(const OpUse &use) const;
  Result<AxisLayout> inferStages(const OpView &view, const OpUse &use,
                                 std::optional<AxisLayout> said) const;
  Result<std::vector<Content>> launchKernel(const PlannedInstruction &instruction,
                                            int64_t microBatch,
                                            const Contents &reads) const;
  Result<std::vector<Content>> runFused(const std::vector<uint32_t> &ops,
                                        const PlannedInstruction &instruction,
                                        int64_t microBatch,
                                        const Contents &reads) const;
  Result<std::vector<Content>> maskPads(const Contents &reads) const;
  Result<std::vector<Content>> matMul(const PlannedInstruction &instruction,
                                      int64_t microBatch,
                                      const Contents &reads) const;
  size_t memberCount(const std::vector<uint32_t> &ops, size_t first,
                     const Contents &known) const;

  // LayoutMeaning.cpp: instructions that lay a value anew.
  using One = Result<Content>;
  One allReduce(const program::AllReduce &table, Content content) const;
  One reduceScatter(const program::ReduceScatter &table, Content content) const;
  One allGather(const program::AllGather &table, Content content) const;
  One toPartial(const program::ToPartial &table, const Content &input,
                int64_t microBatch) const;
  One localSlice(const program::LocalSlice &table, const Content &input,
                 int64_t microBatch) const;
  One view(const program::View &table, const ContentPtr &input,
           int64_t microBatch) const;
  Status send(const program::Send &table, const Content &content) const;
  One receive(const program::Recv &table, Content content) const;
  One takeBlock(const Content &input, int axis, int64_t dim, PadKind pad,
                int64_t microBatch) const;

  // Meaning.cpp: batches, accumulators, buckets, variables.
  One readBatch(const program::ReadBatch &table) const;
  One clear(uint32_t accumulator) const;
  One accumulate(const Content &value, const Content &accumulator,
                 int64_t microBatch) const;
  One pack(const program::PackBucket &table, const Contents &members) const;
  Result<std::vector<Content>> unpack(const program::UnpackBucket &table,
                                      const Content &bucket) const;
  Status store(const program::Store &table, const Content &content) const;
  Status report(const program::Report &table, const Content &content) const;

  void setShapes(Content &content) const;
  TermNames declaredTerms(const Content &content) const;

  const program::Program &program;
  const Mesh &mesh;
  const StagePlan &plan;
  const GraphFacts &graph;
};

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_MEANING_H
