//===- KernelScope.cpp - What one kernel's loops can ask for --------------===//
//
// Elements on demand. A value computed by an op inside the kernel is never
// stored for its users: each of them builds its scalar again, and LLVM's common
// subexpression elimination makes one of equal ones in a loop body.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelScope.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::dtc {
namespace {

/// Members of a bucket and a micro-batch's rows of a batch are views, which
/// start at any element: a kernel may count on no more than this.
constexpr int64_t kBufferAlignment = 4;

MemRefType getMemory(Value value, bool flat) {
  auto type = cast<RankedTensorType>(value.getType());
  if (flat && type.getRank() > 0)
    return MemRefType::get({type.getNumElements()}, type.getElementType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

} // namespace

KernelScope::KernelScope(OpBuilder &builder, func::FuncOp function,
                         ArrayRef<KernelBuffer> buffers, bool flat)
    : b(builder), loc(function.getLoc()), function(function) {
  Block *block = function.addEntryBlock();
  b.setInsertionPointToStart(block);
  auto attributes = b.getDictionaryAttr(
      {b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(kBufferAlignment)),
       b.getNamedAttr(LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr())});
  for (auto [position, buffer] : llvm::enumerate(buffers)) {
    bufferIndex.try_emplace(buffer.value, position);
    Value memory;
    if (buffer.alias >= 0) {
      memory = inputs.lookup(buffers[buffer.alias].value);
    } else {
      function.insertArgument(memoryCount, getMemory(buffer.value, flat),
                              attributes, loc);
      memory = block->getArgument(memoryCount++);
    }
    (buffer.output ? outputs : inputs)[buffer.value] = memory;
  }
  for (int i = 0; i < 2; ++i)
    function.insertArgument(memoryCount + i, b.getIndexType(), {}, loc);
  rangeBegin = block->getArgument(memoryCount);
  rangeEnd = block->getArgument(memoryCount + 1);
}

Value KernelScope::index(int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}
Value KernelScope::integer(int64_t value) {
  return b.create<arith::ConstantIntOp>(loc, value, 64);
}
Value KernelScope::real(Type type, double value) {
  return b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Scalars of the place
//===----------------------------------------------------------------------===//

Value KernelScope::scalarArgument(const KernelScalar &scalar) {
  for (auto [known, argument] : llvm::zip_equal(scalars, scalarArguments))
    if (known == scalar)
      return argument;
  unsigned position = memoryCount + scalars.size();
  function.insertArgument(position, b.getIndexType(), {}, loc);
  scalars.push_back(scalar);
  scalarArguments.push_back(function.getArgument(position));
  return scalarArguments.back();
}

/// The buffer whose extents are those of `value`: its own, or any of the same
/// shape and layout where the value exists inside the kernel only.
unsigned KernelScope::extentBuffer(Value value) {
  if (auto own = bufferIndex.find(value); own != bufferIndex.end())
    return own->second;
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<unsigned> found;
  for (auto [other, position] : bufferIndex) {
    auto otherType = cast<RankedTensorType>(other.getType());
    if (otherType.getShape() == type.getShape() &&
        otherType.getEncoding() == type.getEncoding())
      found = std::min(position, found.value_or(position));
  }
  if (!found)
    failure = "a value inside the kernel has a layout that no buffer has";
  return found.value_or(0);
}

Value KernelScope::extentStart(Value value, int64_t dim) {
  return scalarArgument({KernelScalar::ExtentStart, extentBuffer(value), dim});
}
Value KernelScope::extentLength(Value value, int64_t dim) {
  return scalarArgument({KernelScalar::ExtentLength, extentBuffer(value), dim});
}
Value KernelScope::step() { return scalarArgument({KernelScalar::Step, 0, 0}); }
Value KernelScope::seed() { return scalarArgument({KernelScalar::Seed, 0, 0}); }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value KernelScope::elementwise(ElementwiseOp op, Value value, ValueRange at) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(broadcastElement(operand, value, at));
  SmallVector<Value> global;
  Value stepNumber, seedNumber;
  if (op.needsIndex()) {
    auto toInteger = [&](Value v) -> Value {
      return b.create<arith::IndexCastOp>(loc, b.getI64Type(), v);
    };
    for (auto [dim, local] : llvm::enumerate(at))
      global.push_back(toInteger(
          b.create<arith::AddIOp>(loc, extentStart(value, dim), local)));
    stepNumber = toInteger(step());
    seedNumber = toInteger(seed());
  }
  return op.buildScalar(b, loc, operands, global, stepNumber, seedNumber);
}

Value KernelScope::element(Value value, ValueRange at) {
  if (Value known = bound.lookup(value))
    return known;
  if (Value memory = inputs.lookup(value))
    return b.create<memref::LoadOp>(loc, memory, at);
  Operation *op = value.getDefiningOp();
  if (auto elementwiseOp = dyn_cast_or_null<ElementwiseOp>(op))
    return elementwise(elementwiseOp, value, at);
  if (op)
    if (ElementFunction function = findElementFunction(op))
      return function(*this, cast<OpResult>(value), at);
  failure =
      op ? (op->getName().getStringRef() + " has no element function").str()
         : "an argument of the kernel has no buffer";
  return real(b.getF32Type(), 0.0);
}

Value KernelScope::broadcastElement(Value value, Value like, ValueRange at) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  int64_t likeRank = cast<RankedTensorType>(like.getType()).getRank();
  return element(value, rank == likeRank ? at : at.take_back(rank));
}

void KernelScope::store(Value scalar, Value output, ValueRange at) {
  b.create<memref::StoreOp>(loc, scalar, outputs.lookup(output), at);
}

Value KernelScope::loadOutput(Value output, ValueRange at) {
  return b.create<memref::LoadOp>(loc, outputs.lookup(output), at);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelScope::forLoop(Value lower, Value upper,
                          llvm::function_ref<void(Value)> body) {
  auto loop = b.create<scf::ForOp>(loc, lower, upper, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> KernelScope::forLoop(
    Value lower, Value upper, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = b.create<scf::ForOp>(loc, lower, upper, index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // With nothing carried the loop has its terminator already.
  if (!carried.empty())
    b.create<scf::YieldOp>(loc, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<Value> KernelScope::forShape(
    ArrayRef<int64_t> shape, bool partitioned, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(ValueRange, ValueRange)> body) {
  SmallVector<Value> at;
  std::function<SmallVector<Value>(ValueRange)> nest =
      [&](ValueRange values) -> SmallVector<Value> {
    size_t dim = at.size();
    if (dim == shape.size())
      return body(at, values);
    bool part = partitioned && dim == 0;
    return forLoop(part ? begin() : index(0), part ? end() : index(shape[dim]),
                   values, [&](Value i, ValueRange inner) {
                     at.push_back(i);
                     SmallVector<Value> next = nest(inner);
                     at.pop_back();
                     return next;
                   });
  };
  return nest(carried);
}

void KernelScope::forShape(ArrayRef<int64_t> shape, bool partitioned,
                           llvm::function_ref<void(ValueRange)> body) {
  forShape(shape, partitioned, {},
           [&](ValueRange at, ValueRange) -> SmallVector<Value> {
             body(at);
             return {};
           });
}

} // namespace mlir::dtc
