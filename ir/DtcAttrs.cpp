//===- DtcAttrs.cpp - Syntax and invariants of dtc's attributes -----------===//
//
// A layout is checked twice: alone when it is made (order of the axes, states
// that an axis may have), and against a shape when it becomes the encoding of a
// tensor (dimensions that exist, pads where blocks do not fill).
//
//===----------------------------------------------------------------------===//

#include "ir/LayoutMath.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_ATTRDEF_CLASSES
#include "ir/DtcAttrs.cpp.inc"

namespace mlir::dtc {

void DtcDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/DtcAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr: syntax
//===----------------------------------------------------------------------===//

static ParseResult parseReduction(AsmParser &parser, ReductionKind &kind) {
  StringRef name;
  SMLoc loc;
  if (parser.parseLParen() || parser.getCurrentLocation(&loc) ||
      parser.parseKeyword(&name) || parser.parseRParen())
    return failure();
  std::optional<ReductionKind> parsed = symbolizeReductionKind(name);
  if (!parsed)
    return parser.emitError(loc, "reduction \"")
           << name << "\", expected sum, max or or";
  kind = *parsed;
  return success();
}

static ParseResult parseStages(AsmParser &parser,
                               AsmParser::Delimiter delimiter,
                               uint64_t &stages) {
  auto parseStage = [&]() -> ParseResult {
    int64_t stage = 0;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(stage))
      return failure();
    if (stage < 0 || stage > 63)
      return parser.emitError(loc, "stage ") << stage << ", expected 0 to 63";
    if (stages >> stage & 1)
      return parser.emitError(loc, "stage ") << stage << " stands here twice";
    stages |= uint64_t(1) << stage;
    return success();
  };
  return parser.parseCommaSeparatedList(delimiter, parseStage);
}

static ParseResult parseState(AsmParser &parser, AxisState &state) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (name == "R") {
    state = AxisState::replicated();
    return success();
  }
  if (name == "X") {
    state = AxisState::opaque();
    return success();
  }
  if (name == "S") {
    int64_t dim = 0;
    if (parser.parseLParen() || parser.parseInteger(dim) ||
        parser.parseRParen())
      return failure();
    if (dim < 0 || dim > INT32_MAX)
      return parser.emitError(loc, "dimension ")
             << dim << ", expected 0 or more";
    state = AxisState::split(dim);
    return success();
  }
  if (name == "P") {
    state = AxisState::partial(ReductionKind::Sum);
    if (parseReduction(parser, state.reduction))
      return failure();
    return parseStages(parser, AsmParser::Delimiter::OptionalBraces,
                       state.stages);
  }
  if (name == "On") {
    state = AxisState::on(0);
    return parseStages(parser, AsmParser::Delimiter::Braces, state.stages);
  }
  return parser.emitError(loc, "state \"")
         << name << "\", expected R, S(dim), P(kind), X or On{stages}";
}

static ParseResult parsePads(AsmParser &parser, SmallVector<DimPad> &pads) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        DimPad pad;
        StringRef kind;
        if (parser.parseInteger(pad.dim) || parser.parseColon())
          return failure();
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&kind))
          return failure();
        for (PadKind known : {PadKind::Zero, PadKind::Any, PadKind::Fill})
          if (kind == stringifyPadKind(known)) {
            pad.kind = known;
            pads.push_back(pad);
            return success();
          }
        return parser.emitError(loc, "pad \"")
               << kind << "\", expected zero, any or fill";
      });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<MeshAxis> axes;
  SmallVector<DimPad> pads;
  auto parseEntry = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    if (name == "pad")
      return parsePads(parser, pads);
    if (!pads.empty())
      return parser.emitError(parser.getCurrentLocation(), "pads end a layout");
    MeshAxis axis;
    axis.name = parser.getBuilder().getStringAttr(name);
    if (parser.parseEqual() || parser.parseInteger(axis.size) ||
        parser.parseColon() || parseState(parser, axis.state))
      return failure();
    axes.push_back(axis);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), axes, pads);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getAxes(), printer.getStream(),
                        [&](const MeshAxis &axis) {
                          printer << axis.name.getValue() << '=' << axis.size
                                  << ':' << axis.state.str();
                        });
  if (!getPads().empty()) {
    printer << ", pad(";
    llvm::interleaveComma(
        getPads(), printer.getStream(), [&](const DimPad &pad) {
          printer << pad.dim << ':' << stringifyPadKind(pad.kind);
        });
    printer << ')';
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// LayoutAttr: invariants
//===----------------------------------------------------------------------===//

/// Place of an axis in mesh order, by the name before a dot (a factored axis
/// `tp` is `tp.a`, `tp.b`); -1 for a name that no mesh has.
static int getMeshPosition(StringRef name) {
  StringRef base = name.split('.').first;
  StringLiteral order[] = {kAxisPp, kAxisDp, kAxisTp, kAxisMb};
  const auto *found = llvm::find(order, base);
  return found == std::end(order) ? -1 : static_cast<int>(found - order);
}

static LogicalResult
verifyAxis(llvm::function_ref<InFlightDiagnostic()> emitError,
           const MeshAxis &axis) {
  StringRef name = axis.name.getValue();
  const AxisState &state = axis.state;
  if (axis.size < 1)
    return emitError() << "axis \"" << name << "\" has size " << axis.size
                       << ", expected 1 or more";
  if (name != kAxisPp) {
    if (state.isOn() || state.stages)
      return emitError() << "axis \"" << name << "\" holds " << state.str()
                         << ", but only \"pp\" has stages";
    return success();
  }
  if (axis.size > 64)
    return emitError() << "axis \"pp\" has size " << axis.size
                       << ", expected at most 64";
  if ((!state.isOn() && !state.isPartial()) || !state.stages)
    return emitError() << "axis \"pp\" holds " << state.str()
                       << ", expected On{stages} or P(kind){stages}";
  if (axis.size < 64 && state.stages >> axis.size)
    return emitError() << "axis \"pp\" holds " << state.str()
                       << ", but its stages are 0 to " << axis.size - 1;
  return success();
}

LogicalResult
LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<MeshAxis> axes, ArrayRef<DimPad> pads) {
  int before = -1;
  StringRef beforeName;
  for (const MeshAxis &axis : axes) {
    StringRef name = axis.name.getValue();
    int position = getMeshPosition(name);
    if (position < 0)
      return emitError() << "axis \"" << name
                         << "\", expected pp, dp, tp or mb";
    bool factors = position == before && beforeName.contains('.') &&
                   name.contains('.') && beforeName < name;
    if (position < before || (position == before && !factors))
      return emitError() << "axis \"" << name << "\" stands after \""
                         << beforeName << "\", expected the order pp, dp, tp, "
                         << "mb, each once";
    if (failed(verifyAxis(emitError, axis)))
      return failure();
    before = position;
    beforeName = name;
  }
  int64_t beforeDim = -1;
  for (const DimPad &pad : pads) {
    if (pad.dim <= beforeDim || pad.kind == PadKind::None)
      return emitError() << "pads of dimension " << pad.dim
                         << " stand out of order, expected increasing "
                            "dimensions, each once";
    beforeDim = pad.dim;
  }
  return success();
}

LogicalResult LayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  int64_t rank = shape.size();
  if (ShapedType::isDynamicShape(shape))
    return emitError() << "a tensor with a layout needs a static shape";
  for (const MeshAxis &axis : getAxes()) {
    if (axis.state.isSplit() && axis.state.dim >= rank)
      return emitError() << "axis " << axis.name << " holds "
                         << axis.state.str() << " of a tensor of rank " << rank;
    if (axis.state.isOpaque() && rank != 1)
      return emitError() << "axis " << axis.name
                         << " holds X of a tensor of rank " << rank
                         << ", but only a bucket (rank 1) is opaque";
  }
  for (const DimPad &pad : getPads())
    if (pad.dim >= rank || !hasPads(shape[pad.dim], pad.dim, *this))
      return emitError() << "the layout lists pads of dimension " << pad.dim
                         << ", which has none";
  for (int64_t dim = 0; dim < rank; ++dim)
    if (hasPads(shape[dim], dim, *this) && padOf(dim) == PadKind::None)
      return emitError() << "blocks of dimension " << dim << " (" << shape[dim]
                         << " elements) do not fill, so the layout must say "
                            "what pads hold, as in pad("
                         << dim << ":zero)";
  return success();
}

//===----------------------------------------------------------------------===//
// LayoutAttr: questions
//===----------------------------------------------------------------------===//

static const MeshAxis *findAxis(ArrayRef<MeshAxis> axes, StringRef name) {
  const auto *found = llvm::find_if(
      axes, [&](const MeshAxis &axis) { return axis.name.getValue() == name; });
  return found == axes.end() ? nullptr : found;
}

const AxisState &LayoutAttr::on(StringRef axis) const {
  const MeshAxis *found = findAxis(getAxes(), axis);
  assert(found && "the layout's mesh has no such axis");
  return found->state;
}

bool LayoutAttr::hasAxis(StringRef axis) const {
  return findAxis(getAxes(), axis) != nullptr;
}

int64_t LayoutAttr::sizeOf(StringRef axis) const {
  const MeshAxis *found = findAxis(getAxes(), axis);
  assert(found && "the layout's mesh has no such axis");
  return found->size;
}

LayoutAttr LayoutAttr::with(StringRef axis, AxisState state) const {
  SmallVector<MeshAxis> axes(getAxes());
  for (MeshAxis &candidate : axes)
    if (candidate.name.getValue() == axis)
      candidate.state = state;
  return get(getContext(), axes, getPads());
}

PadKind LayoutAttr::padOf(int64_t dim) const {
  for (const DimPad &pad : getPads())
    if (pad.dim == dim)
      return pad.kind;
  return PadKind::None;
}

LayoutAttr LayoutAttr::withPads(ArrayRef<DimPad> pads) const {
  return get(getContext(), getAxes(), pads);
}

//===----------------------------------------------------------------------===//
// LocalAttr
//===----------------------------------------------------------------------===//

Attribute LocalAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shape;
  LayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalKeyword("scalar")) &&
      parser.parseDimensionList(shape, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return {};
  if (parser.parseComma() || parser.parseAttribute(layout) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<LocalAttr>(loc, parser.getContext(), shape, layout);
}

void LocalAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (getGlobalShape().empty())
    printer << "scalar";
  llvm::interleave(getGlobalShape(), printer.getStream(), "x");
  printer << ", " << getLayout() << '>';
}

LogicalResult LocalAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(
          getLayout().verifyEncoding(getGlobalShape(), elementType, emitError)))
    return failure();
  SmallVector<int64_t> expected =
      dtc::getLocalShape(getGlobalShape(), getLayout());
  if (shape == ArrayRef<int64_t>(expected))
    return success();
  InFlightDiagnostic diagnostic = emitError() << "local shape [";
  llvm::interleaveComma(shape, diagnostic);
  diagnostic << "], expected [";
  llvm::interleaveComma(expected, diagnostic);
  return diagnostic << "] of global shape [" << getGlobalShape() << "]";
}

//===----------------------------------------------------------------------===//
// PlanAttr, PlaceAttr
//===----------------------------------------------------------------------===//

LogicalResult
PlanAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t pp,
                 int64_t dp, int64_t tp, int64_t microBatches, int64_t zero,
                 ScheduleKind) {
  std::pair<StringRef, int64_t> sizes[] = {
      {"pp", pp}, {"dp", dp}, {"tp", tp}, {"micro_batches", microBatches}};
  for (auto [name, size] : sizes)
    if (size < 1)
      return emitError() << name << " = " << size << ", expected 1 or more";
  if (pp > 64)
    return emitError() << "pp = " << pp << ", expected at most 64";
  if (zero < 0 || zero > 3)
    return emitError() << "zero = " << zero << ", expected 0 to 3";
  return success();
}

LogicalResult
PlaceAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  int64_t offset, int64_t bytes, int64_t slots,
                  int64_t slotStride, int64_t microBatchStride) {
  if (offset < 0 || bytes < 0 || slotStride < 0 || microBatchStride < 0)
    return emitError() << "offset, bytes and strides are 0 or more";
  if (slots < 1)
    return emitError() << "slots = " << slots << ", expected 1 or more";
  return success();
}

} // namespace mlir::dtc
