//===- ImportModel.h - Model file to module -------------------*- C++ -*-===//
//
// The frontend's product: a model as a module of the dtc dialect, global and
// without layouts, as the passes take it.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_IMPORTMODEL_H
#define DTC_FRONTEND_IMPORTMODEL_H

#include "frontend/ModelFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::dtc {

/// Makes the module of `file`: a `dtc.variable` for each parameter and for step
/// count, loss scale and good steps; `@step`, and `@evaluate` where the model
/// has test data; plan, optimizer, data and run as attributes of the module.
///
/// Errors:  `where: error: …`, those of readTrainingSettings and
///          buildModelGraph. Warnings go to the context's diagnostics.
llvm::Expected<OwningOpRef<ModuleOp>> importModel(MLIRContext &context,
                                                  const ModelFile &file);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_IMPORTMODEL_H
