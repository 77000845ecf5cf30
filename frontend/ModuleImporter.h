//===- ModuleImporter.h - State of an import ------------------*- C++ -*-===//
//
// What the three parts of the import share: ImportModel.cpp owns the tables of
// variables and values, ImportLayers.cpp has a function a layer kind,
// ImportTraining.cpp the loss and the attributes of the module.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODULEIMPORTER_H
#define DTC_FRONTEND_MODULEIMPORTER_H

#include "frontend/ModelGraph.h"
#include "frontend/ResidualStream.h"
#include "frontend/TrainingSettings.h"

#include "ir/DtcOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::dtc {

/// Name of the input that the loader makes for models without labels: 1 where
/// a sample is present, kAbsent where not.
inline constexpr llvm::StringLiteral kValidInput = "valid";
inline constexpr int64_t kAbsent = -100;

class ModuleImporter {
public:
  ModuleImporter(MLIRContext &context, const ModelFile &file,
                 const ModelGraph &graph, const TrainingSettings &settings);

  OwningOpRef<ModuleOp> run();

private:
  //===-- ImportModel.cpp -------------------------------------------------===//

  void addVariables();
  DictionaryAttr makeInit(const GraphParameter &parameter);
  void addScalar(StringRef name, Type elementType, double initial);
  void addFunction(StringRef name, bool isTraining);
  void readVariables();

  /// A step's whole tensor: the batch in front where there is one.
  RankedTensorType getType(const GraphValue &value);
  RankedTensorType getFloatType(ArrayRef<int64_t> shape);
  RankedTensorType getScalarType(Type elementType);

  /// A location that reads as `name`, at `path` of the model file.
  Location locate(StringRef name, StringRef path);

  /// Makes an op of the forward graph, called `name` in the model.
  template <typename OpT, typename... Args>
  OpT create(const llvm::Twine &name, Args &&...args) {
    std::string text = name.str();
    OpT op =
        builder.create<OpT>(locate(text, path), std::forward<Args>(args)...);
    op->setAttr(kNameAttr, builder.getStringAttr(text));
    op->setAttr(kPhaseAttr, builder.getStringAttr("forward"));
    if (stage >= 0)
      op->setAttr(kStagesAttr, builder.getDenseI64ArrayAttr({stage}));
    return op;
  }

  //===-- ImportLayers.cpp ------------------------------------------------===//

  void importLayer(size_t index);
  Value importLinear(const GraphLayer &layer, ::dtc::model::Split split);
  Value importBinary(const GraphLayer &layer);
  Value importSlice(const GraphLayer &layer);
  Value importConstant(const GraphLayer &layer);

  //===-- ImportTraining.cpp ----------------------------------------------===//

  void importLoss();
  Value importCrossEntropy(Value labels, Value divisor);
  Value importSquaredError(Value labels, Value divisor);
  Value importLinearLoss(Value labels, Value divisor);
  Value importTerm(const GraphLossTerm &term, const std::string &name);
  Value scaleBy(Value value, ArrayRef<double> factors, ArrayRef<int64_t> shape,
                const std::string &name);
  void report(Value value, StringRef metric);
  bool hasLabels() const;
  void setModuleAttributes();
  DictionaryAttr makeData();
  DictionaryAttr makeSplit(const SplitSettings &split);
  ArrayAttr makeInputs();

  const ModelFile &file;
  const ModelGraph &graph;
  const TrainingSettings &settings;
  const ResidualStream stream;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;

  // Of the function that is being made.
  bool isTraining = true;
  std::vector<Value> values;     ///< as ModelGraph::values
  std::vector<Value> parameters; ///< as ModelGraph::parameters; null: unused
  Value valid;                   ///< argument `valid`, null with labels
  Value scale;
  Value correct; ///< an evaluation's count of correct predictions
  // Of the layer that is being made.
  std::string path;
  int64_t stage = -1;
};

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODULEIMPORTER_H
