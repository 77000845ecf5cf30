//===- DtcAttrs.td - Mesh, layout, local shape, plan ----------*- tablegen -*-===//
//
// A layout says, axis by axis of the mesh, how the parts of a global tensor lie:
// the same on every coordinate, a block of one dimension, or an addend.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCATTRS_TD
#define DTC_IR_DTCATTRS_TD

include "ir/DtcEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

class Dtc_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Dtc_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Dtc_LayoutAttr
    : Dtc_Attr<"Layout", "layout",
               [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "How a global tensor lies over the mesh";
  let description = [{
    Lists every mesh axis in mesh order (pp, dp, tp, mb), those of size 1 too,
    each with its size and state:
    `R` replicated, `S(d)` block of dimension d, `P(kind)` addend, `X` opaque
    (1-D buckets: coordinates hold different elements; counts in sums like S),
    and over `pp` only `On{k,...}` (replicated on these stages, absent on the
    others) or `P(kind){k,...}` (partial over these stages).
    `pad(d:kind, ...)` lists the dimensions whose blocks do not fill: `zero`,
    `any` (finite), `fill` (the input's own fill value).

    Axes that split the same dimension nest in mesh order: block sizes are
    b1 = ceil(n/k1), b2 = ceil(b1/k2); start = sum of coordinate times block,
    length = what is left of the enclosing block, never below 0.

    Example: `#dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:zero)>`
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::dtc::MeshAxis">:$axes,
                        ArrayRefParameter<"::mlir::dtc::DimPad">:$pads);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// State on `axis`. `axis` must be in the mesh.
    const ::mlir::dtc::AxisState &on(::llvm::StringRef axis) const;
    bool hasAxis(::llvm::StringRef axis) const;
    int64_t sizeOf(::llvm::StringRef axis) const;
    /// This layout with another state on one axis; pads are kept as they are
    /// (use LayoutMath's withPads to recompute which dimensions have pads).
    LayoutAttr with(::llvm::StringRef axis, ::mlir::dtc::AxisState state) const;
    /// Pad kind of a dimension, None where it is not listed.
    ::mlir::dtc::PadKind padOf(int64_t dim) const;
    LayoutAttr withPads(::llvm::ArrayRef<::mlir::dtc::DimPad> pads) const;
  }];
}

def Dtc_LocalAttr
    : Dtc_Attr<"Local", "local",
               [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "One rank's part of a global tensor";
  let description = [{
    After `partition` a tensor type has the padded local shape, and this
    encoding keeps the global shape and the layout:
    `tensor<2x3xf32, #dtc.local<7x5, #dtc.layout<...>>>` (`#dtc.local<, ...>`
    never occurs: a scalar is written `#dtc.local<scalar, #dtc.layout<...>>`).
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$globalShape,
                        "::mlir::dtc::LayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
}

def Dtc_PlanAttr : Dtc_Attr<"Plan", "plan"> {
  let summary = "The parallel plan of a training step";
  let parameters = (ins DefaultValuedParameter<"int64_t", "1">:$pp,
                        DefaultValuedParameter<"int64_t", "1">:$dp,
                        DefaultValuedParameter<"int64_t", "1">:$tp,
                        DefaultValuedParameter<"int64_t", "1">:$micro_batches,
                        DefaultValuedParameter<"int64_t", "0">:$zero,
                        DefaultValuedParameter<"::mlir::dtc::ScheduleKind",
                            "::mlir::dtc::ScheduleKind::OneFOneB">:$schedule);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dtc_PlaceAttr : Dtc_Attr<"Place", "place"> {
  let summary = "Where plan-memory puts a value in the arena of its stage";
  let description = [{
    For micro-batch m the bytes are [a, a + bytes) with
    a = offset + slot_stride * (m mod slots) + micro_batch_stride * m.
  }];
  let parameters = (ins "int64_t":$offset, "int64_t":$bytes,
                        DefaultValuedParameter<"int64_t", "1">:$slots,
                        DefaultValuedParameter<"int64_t", "0">:$slot_stride,
                        DefaultValuedParameter<"int64_t", "0">:$micro_batch_stride);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // DTC_IR_DTCATTRS_TD
