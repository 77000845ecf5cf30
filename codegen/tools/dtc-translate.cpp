//===- dtc-translate.cpp - Planned modules to program bytes ---------------===//
//
// Registers the dialect and the one translation; MLIR's main does the rest.
//
//===----------------------------------------------------------------------===//

#include "codegen/ProgramEmitter.h"
#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration emit(
      "emit-program", "write a planned module as a program (.dtcx)",
      [](mlir::Operation *op,
         llvm::raw_ostream &output) -> mlir::LogicalResult {
        auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
        if (!module)
          return op->emitError("is no module");
        auto bytes = mlir::dtc::emitProgram(module);
        if (failed(bytes))
          return mlir::failure();
        output.write(reinterpret_cast<const char *>(bytes->data()),
                     bytes->size());
        return mlir::success();
      },
      [](mlir::DialectRegistry &registry) {
        registry.insert<mlir::dtc::DtcDialect, mlir::func::FuncDialect>();
      });
  return failed(mlir::mlirTranslateMain(argc, argv, "dtc's translator\n"));
}
