//===- MatMul.cpp - Matrix product by oneDNN
//-------------------------------===//
//
// The library is at the machine's limit already. A transposed operand is a
// stride, not a copy. Its workspace comes from the executor, so that only what
// the library allocates inside its own call is left, and that is counted apart.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>

namespace dtc::rt {
namespace {

using Dims = dnnl::memory::dims;

dnnl::engine &cpuEngine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

class MatMulInstruction final : public Instruction {
public:
  using Instruction::Instruction;

  Status prepare(PrepareContext &context) override {
    try {
      using Type = dnnl::memory::data_type;
      auto describe = [](int64_t rows, int64_t columns, bool transposed) {
        return dnnl::memory::desc({rows, columns}, Type::f32,
                                  transposed ? Dims{1, rows}
                                             : Dims{columns, 1});
      };
      dnnl::memory::desc left = describe(m, k, transposeLhs);
      dnnl::memory::desc right = describe(k, n, transposeRhs);
      dnnl::memory::desc product = describe(m, n, false);
      dnnl::primitive_attr attributes;
      attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
      dnnl::matmul::primitive_desc description(
          dnnl::matmul::desc(left, right, product), attributes, cpuEngine());
      primitive = dnnl::matmul(description);
      stream = dnnl::stream(cpuEngine());
      dnnl::memory::desc workspace = description.scratchpad_desc();
      context.scratchBytes =
          std::max<int64_t>(context.scratchBytes, workspace.get_size());
      memories = {dnnl::memory(left, cpuEngine(), nullptr),
                  dnnl::memory(right, cpuEngine(), nullptr),
                  dnnl::memory(product, cpuEngine(), nullptr),
                  dnnl::memory(workspace, cpuEngine(), nullptr)};
      constexpr std::array<int, 4> roles = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS,
                                            DNNL_ARG_DST, DNNL_ARG_SCRATCHPAD};
      for (size_t i = 0; i < roles.size(); ++i)
        arguments[i] = {roles[i], memories[i].get()};
      return Status::ok();
    } catch (const dnnl::error &error) {
      return Status::deviceError()
             << "oneDNN matmul of " << m << "x" << k << " by " << k << "x" << n
             << ": " << error.what();
    }
  }

  Status execute(ExecuteContext &context) override {
    const std::array<void *, 4> addresses = {
        lhs.at(context.arena, context.microBatch),
        rhs.at(context.arena, context.microBatch),
        result.at(context.arena, context.microBatch), context.scratch};
    for (size_t i = 0; i < addresses.size(); ++i)
      dnnl_memory_set_data_handle_v2(memories[i].get(), addresses[i], nullptr);
    // The C function: the C++ one builds a hash map in every call.
    dnnl_status_t status = dnnl_primitive_execute(
        primitive.get(), stream.get(), static_cast<int>(arguments.size()),
        arguments.data());
    if (status != dnnl_success)
      return Status::deviceError()
             << "oneDNN matmul: status " << static_cast<int>(status);
    return Status::ok();
  }

  int64_t getFlops() const override { return 2 * m * k * n; }

  ValueRef lhs, rhs, result;
  bool transposeLhs = false, transposeRhs = false;
  int64_t m = 0, k = 0, n = 0;

private:
  dnnl::matmul primitive;
  dnnl::stream stream;
  std::array<dnnl::memory, 4> memories;
  std::array<dnnl_exec_arg_t, 4> arguments{};
};

/// Rows and columns as the product reads them.
Status readShape(const ValueRef &ref, bool transposed, int64_t &rows,
                 int64_t &columns) {
  const auto *shape = ref.value->local_shape();
  if (!shape || shape->size() != 2)
    return Status::invalidProgram()
           << "matmul of " << ref.value->name()->str() << " with rank "
           << (shape ? shape->size() : 0) << ", expected 2";
  if (ref.dtype != DType::kF32)
    return Status::unimplemented()
           << "matmul of " << ref.dtype << " on the CPU; f32 is made";
  rows = static_cast<int64_t>(shape->Get(transposed));
  columns = static_cast<int64_t>(shape->Get(!transposed));
  return Status::ok();
}

} // namespace

Result<std::unique_ptr<Instruction>> makeMatMul(const program::MatMul &table,
                                                PrepareContext &context) {
  auto made = std::make_unique<MatMulInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->lhs, context.value(table.lhs()));
  DTC_ASSIGN_OR_RETURN(made->rhs, context.value(table.rhs()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  made->transposeLhs = table.transpose_lhs();
  made->transposeRhs = table.transpose_rhs();
  int64_t rhsRows = 0, rows = 0, columns = 0;
  DTC_RETURN_IF_ERROR(
      readShape(made->lhs, made->transposeLhs, made->m, made->k));
  DTC_RETURN_IF_ERROR(
      readShape(made->rhs, made->transposeRhs, rhsRows, made->n));
  DTC_RETURN_IF_ERROR(readShape(made->result, false, rows, columns));
  if (rhsRows != made->k || rows != made->m || columns != made->n)
    return Status::invalidProgram()
           << "matmul " << made->m << "x" << made->k << " by " << rhsRows << "x"
           << made->n << " gives " << rows << "x" << columns;
  return made;
}

} // namespace dtc::rt
