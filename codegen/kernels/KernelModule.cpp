//===- KernelModule.cpp - All generated kernels of a program --------------===//
//
// Finds the template that makes an op, builds its function, and keeps one
// function for each different content.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelModule.h"

#include "codegen/kernels/Templates.h"
#include "codegen/target/CpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::dtc {

ArrayRef<int64_t> getLocalShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

SmallVector<Value> KernelBody::getOutputs() const {
  SmallVector<Value> outputs;
  for (const KernelBuffer &buffer : buffers)
    if (buffer.output)
      outputs.push_back(buffer.value);
  return outputs;
}

namespace {

KernelBody makeBody(Operation *op, ArrayRef<int> aliases) {
  KernelBody body;
  body.root = op;
  ValueRange inputs = op->getOperands(), outputs = op->getResults();
  if (auto fused = dyn_cast<FusedOp>(op)) {
    Block &block = fused.getBody().front();
    for (Operation &inner : block.without_terminator())
      body.ops.push_back(&inner);
    inputs = block.getArguments();
    outputs = block.getTerminator()->getOperands();
  } else {
    body.ops.push_back(op);
  }
  for (Value input : inputs)
    body.buffers.push_back({input, /*output=*/false, -1});
  for (auto [output, alias] : llvm::zip_equal(outputs, aliases))
    body.buffers.push_back({output, /*output=*/true, alias});
  return body;
}

/// The first template that fits; the reasons of all others otherwise.
const KernelTemplateBuilder *chooseTemplate(const KernelBody &body,
                                            std::string &reasons) {
  const std::pair<StringRef, const KernelTemplateBuilder *> templates[] = {
      {"map", &kMapTemplate},
      {"row", &kRowTemplate},
      {"column_sum", &kColumnSumTemplate},
      {"multi_tensor", &kMultiTensorTemplate}};
  for (auto [name, builder] : templates) {
    std::string reason = builder->fits(body);
    if (reason.empty())
      return builder;
    reasons += ("; " + name + ": " + reason).str();
  }
  return nullptr;
}

} // namespace

KernelModule::KernelModule(MLIRContext *context)
    : module(ModuleOp::create(UnknownLoc::get(context), "kernels")) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       LLVM::LLVMDialect, math::MathDialect,
                       memref::MemRefDialect, scf::SCFDialect>();
}

FailureOr<unsigned> KernelModule::add(Operation *op, ArrayRef<int> aliases) {
  KernelBody body = makeBody(op, aliases);
  std::string reasons;
  const KernelTemplateBuilder *builder = chooseTemplate(body, reasons);
  if (!builder)
    return op->emitOpError("no kernel template makes it") << reasons;

  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  Location loc = UnknownLoc::get(op->getContext());
  std::string symbol = "k" + std::to_string(kernels.size());
  auto function =
      b.create<func::FuncOp>(loc, symbol + ".body", b.getFunctionType({}, {}));
  KernelScope scope(b, function, body.buffers, builder->isFlat(body));
  builder->build(scope, body);
  b.create<func::ReturnOp>(loc);
  if (scope.hasFailed()) {
    function.erase();
    return op->emitOpError("no kernel template makes it: ")
           << scope.getFailure();
  }

  KernelDescription kernel{symbol, builder->parallelExtent(body),
                           llvm::to_vector(scope.getScalars())};
  std::string content;
  llvm::raw_string_ostream stream(content);
  stream << function.getFunctionType() << kernel.parallelExtent;
  for (const KernelScalar &scalar : kernel.scalars)
    stream << ' ' << scalar.kind << ',' << scalar.buffer << ',' << scalar.dim;
  for (Operation &inner : function.getBody().front())
    stream << inner;
  auto [known, inserted] = byContent.try_emplace(content, kernels.size());
  if (!inserted) {
    function.erase();
    return known->second;
  }
  kernels.push_back(std::move(kernel));
  return known->second;
}

FailureOr<std::string> KernelModule::compileForHost() {
  return compileForCpu(*module);
}

} // namespace mlir::dtc
