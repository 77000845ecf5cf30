//===- CpuTarget.cpp - Kernel module to a shared object -------------------===//
//
// Scalar loops go in; LLVM vectorises them. Math functions are expanded to
// polynomials first, so that an unexpanded one is an error and not a call that
// is forty times slower. The object is linked by lld in this process and read
// back, so no compiler and no file is left for the run.
//
//===----------------------------------------------------------------------===//

#include "codegen/target/CpuTarget.h"

#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

LLD_HAS_DRIVER(elf)

namespace mlir::dtc {
namespace {

constexpr llvm::StringLiteral kBodySuffix = ".body";

/// Expands math to arithmetic and lowers the module to the LLVM dialect with
/// bare pointers, which keep the arguments' alignment and aliasing facts.
LogicalResult lowerToLlvmDialect(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateMathPolynomialApproximationPatterns(patterns);
  if (failed(applyPatternsAndFoldGreedily(module, std::move(patterns))))
    return module.emitError("math functions do not expand");

  PassManager pm(module.getContext());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(options));
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

/// Adds `void f(buffers, scalars, begin, end)` in front of `f.body(...)`.
void addEntry(llvm::Function &body) {
  llvm::Module &module = *body.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(context);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {pointer, pointer, integer, integer}, false),
      llvm::GlobalValue::ExternalLinkage,
      body.getName().drop_back(kBodySuffix.size()), module);

  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  unsigned scalarCount = 0;
  for (llvm::Argument &argument : body.args())
    scalarCount += argument.getType()->isIntegerTy();
  SmallVector<llvm::Value *> arguments;
  unsigned buffer = 0, scalar = 0;
  for (llvm::Argument &argument : body.args()) {
    if (argument.getType()->isPointerTy()) {
      llvm::Value *slot =
          builder.CreateConstGEP1_64(pointer, entry->getArg(0), buffer++);
      arguments.push_back(builder.CreateLoad(pointer, slot));
    } else if (scalar + 2 >= scalarCount) { // the last two: begin, end
      arguments.push_back(entry->getArg(2 + (scalar++ + 2 - scalarCount)));
    } else {
      llvm::Value *slot =
          builder.CreateConstGEP1_64(integer, entry->getArg(1), scalar++);
      arguments.push_back(builder.CreateLoad(integer, slot));
    }
  }
  builder.CreateCall(&body, arguments);
  builder.CreateRetVoid();
  body.setLinkage(llvm::GlobalValue::InternalLinkage);
}

std::unique_ptr<llvm::TargetMachine> makeHostMachine(std::string &error) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string triple = llvm::sys::getDefaultTargetTriple();
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, llvm::sys::getHostCPUName(), features.getString(), {},
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Without it some 512-bit targets vectorise at half the width.
    function.addFnAttr("prefer-vector-width", "512");
    // A kernel stands alone: no loop may become a call of the C library.
    function.addFnAttr("no-builtins");
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// Links one object into a shared object and returns its bytes. lld writes
/// beside its output and renames, so both are files of a fresh folder.
FailureOr<std::string> link(ModuleOp module, StringRef object) {
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("dtc-kernels", folder))
    return module.emitError("no temporary folder for linking kernels");
  auto removal =
      llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  std::string input = (folder + "/kernels.o").str();
  std::string output = (folder + "/kernels.so").str();
  std::error_code code;
  llvm::raw_fd_ostream file(input, code);
  file << object;
  file.close();
  if (code || file.has_error())
    return module.emitError("cannot write ") << input;

  std::string messages;
  llvm::raw_string_ostream errors(messages);
  lld::Result result =
      lld::lldMain({"ld.lld", "-shared", "-s", "--no-undefined",
                    "--hash-style=gnu", "-o", output.c_str(), input.c_str()},
                   llvm::nulls(), errors, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return module.emitError("linking kernels: ") << messages;
  auto bytes = llvm::MemoryBuffer::getFile(output, /*IsText=*/false);
  if (!bytes)
    return module.emitError("cannot read ") << output;
  return (*bytes)->getBuffer().str();
}

} // namespace

FailureOr<std::string> compileForCpu(ModuleOp module) {
  if (failed(lowerToLlvmDialect(module)))
    return failure();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context);
  if (!translated)
    return failure();

  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = makeHostMachine(error);
  if (!machine)
    return module.emitError("no CPU target: ") << error;
  translated->setTargetTriple(machine->getTargetTriple().str());
  translated->setDataLayout(machine->createDataLayout());
  SmallVector<llvm::Function *> bodies;
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration() && function.getName().ends_with(kBodySuffix))
      bodies.push_back(&function);
  for (llvm::Function *body : bodies)
    addEntry(*body);
  optimize(*translated, *machine);

  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return module.emitError("the CPU target writes no object files");
  emission.run(*translated);
  return link(module, StringRef(object.data(), object.size()));
}

} // namespace mlir::dtc
