//===- KernelTest.cpp - Generated CPU kernels against the interpreter
//------===//
//
// Each case is a function of one op (or one dtc.fused) in text. The kernel is
// built, compiled and loaded; the interpreter computes the same op on the same
// random operands, at several coordinates where the types have a layout.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelModule.h"
#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mlir::dtc {
namespace {

constexpr double kRelative = 1e-5, kAbsolute = 1e-6; // float32, one op
constexpr uint64_t kSeed = 7;
constexpr int64_t kStep = 3;

using Entry = void (*)(void **, const int64_t *, int64_t, int64_t);

/// A shared object loaded from memory.
class Library {
public:
  explicit Library(const std::string &image) {
    int file = memfd_create("kernels", 0);
    EXPECT_EQ(write(file, image.data(), image.size()),
              static_cast<ssize_t>(image.size()));
    handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(),
                    RTLD_NOW | RTLD_LOCAL);
    close(file);
    EXPECT_NE(handle, nullptr) << dlerror();
  }
  ~Library() { dlclose(handle); }
  Entry find(const std::string &symbol) const {
    return reinterpret_cast<Entry>(dlsym(handle, symbol.c_str()));
  }

private:
  void *handle;
};

/// 64-byte aligned elements of one buffer, as the arena has them.
struct Buffer {
  Type elementType;
  std::vector<std::byte> bytes;
  std::byte *data = nullptr;

  Buffer(Type elementType, int64_t count) : elementType(elementType) {
    bytes.resize(static_cast<size_t>(count) * 8 + 128);
    auto address = reinterpret_cast<uintptr_t>(bytes.data());
    data = bytes.data() + (64 - address % 64) % 64;
  }
  template <typename T>
  T &as(int64_t i) {
    return reinterpret_cast<T *>(data)[i];
  }
  void set(int64_t i, double value) {
    if (elementType.isF32())
      as<float>(i) = static_cast<float>(value);
    else if (elementType.isInteger(32))
      as<int32_t>(i) = static_cast<int32_t>(value);
    else
      as<int64_t>(i) = static_cast<int64_t>(value);
  }
  double get(int64_t i) {
    if (elementType.isF32())
      return as<float>(i);
    return elementType.isInteger(32) ? as<int32_t>(i)
                                     : static_cast<double>(as<int64_t>(i));
  }
};

class KernelTest : public testing::Test {
protected:
  KernelTest() {
    context.loadDialect<DtcDialect, func::FuncDialect, arith::ArithDialect,
                        math::MathDialect>();
  }

  /// Labels in [0, 3) or -100; counts 5; flags 0; scales positive; the second
  /// moment positive; other floats in [-1, 1), rounded to float32.
  HostTensor draw(Type type, bool positive) {
    HostTensor tensor(cast<RankedTensorType>(type).getShape());
    Type element = getElementTypeOrSelf(type);
    for (double &value : tensor.elements) {
      if (element.isF32())
        value = static_cast<float>(std::uniform_real_distribution<double>(
            positive ? 0.1 : -1.0, 1.0)(random));
      else if (element.isInteger(64))
        value = 5;
      else if (tensor.shape.empty())
        value = flag;
      else
        value = random() % 4 == 0 ? -100.0 : double(random() % 3);
    }
    return tensor;
  }

  /// Runs the last op of `text` before the return through both ways.
  void check(const std::string &text, std::vector<Coordinates> places = {{}},
             std::vector<int> aliases = {}) {
    SCOPED_TRACE(text);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    Operation *op = &function.getBody().front().front();
    aliases.resize(op->getNumResults(), -1);
    KernelModule kernels(&context);
    FailureOr<unsigned> index = kernels.add(op, aliases);
    ASSERT_TRUE(succeeded(index));
    KernelDescription kernel = kernels.getKernels()[*index];
    FailureOr<std::string> image = kernels.compileForHost();
    ASSERT_TRUE(succeeded(image));
    Library library(*image);
    for (const Coordinates &coordinates : places)
      compare(op, kernel, library.find(kernel.symbol), coordinates, aliases);
  }

  std::vector<HostTensor> interpret(Operation *op,
                                    const Coordinates &coordinates,
                                    ArrayRef<HostTensor> operands) {
    if (auto fused = dyn_cast<FusedOp>(op)) {
      DenseMap<Value, HostTensor> values;
      Block &block = fused.getBody().front();
      for (auto [argument, operand] :
           llvm::zip_equal(block.getArguments(), operands))
        values[argument] = operand;
      for (Operation &inner : block.without_terminator()) {
        std::vector<HostTensor> in;
        for (Value operand : inner.getOperands())
          in.push_back(values[operand]);
        std::vector<HostTensor> out = interpret(&inner, coordinates, in);
        for (auto [result, tensor] : llvm::zip_equal(inner.getResults(), out))
          values[result] = tensor;
      }
      std::vector<HostTensor> results;
      for (Value value : block.getTerminator()->getOperands())
        results.push_back(values[value]);
      return results;
    }
    PlaceContext place;
    place.op = op;
    place.coordinates = coordinates;
    place.seed = kSeed;
    place.step = kStep;
    SmallVector<const HostTensor *> pointers;
    for (const HostTensor &operand : operands)
      pointers.push_back(&operand);
    SmallVector<HostTensor> results;
    EXPECT_TRUE(
        succeeded(cast<Interpretable>(op).interpret(place, pointers, results)));
    return {results.begin(), results.end()};
  }

  /// Pads hold what the type says: the loader gives pad rows of labels the
  /// ignore label, zero pads are zero.
  static void fillPads(Type type, const Coordinates &coordinates,
                       HostTensor &tensor) {
    if (!getLayout(type))
      return;
    PlaceContext place;
    place.coordinates = coordinates;
    SmallVector<Extent> extents = place.getExtents(type);
    PadVector pads = getPads(type);
    for (int64_t e = 0; e < tensor.getElementCount(); ++e) {
      int64_t rest = e;
      for (size_t dim = tensor.shape.size(); dim-- > 0;
           rest /= tensor.shape[dim])
        if (rest % tensor.shape[dim] >= extents[dim].length &&
            pads[dim] != PadKind::Any)
          tensor.elements[e] = pads[dim] == PadKind::Fill ? -100 : 0;
    }
  }

  /// Element `e` lies in a pad that may hold anything.
  static bool isAnyPad(Type type, ArrayRef<Extent> extents,
                       ArrayRef<int64_t> shape, int64_t e) {
    if (!getLayout(type))
      return false;
    PadVector pads = getPads(type);
    for (size_t dim = shape.size(); dim-- > 0; e /= shape[dim])
      if (e % shape[dim] >= extents[dim].length && pads[dim] != PadKind::Zero)
        return true;
    return false;
  }

  void compare(Operation *op, const KernelDescription &kernel, Entry entry,
               const Coordinates &coordinates, ArrayRef<int> aliases) {
    std::vector<HostTensor> operands;
    std::vector<Buffer> buffers;
    SmallVector<Value> values;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      bool positive = isa<AdamWOp>(op) && i == 2;
      positive |= cast<RankedTensorType>(operand.getType()).getRank() == 0;
      positive |= isa<CrossEntropyOp, CrossEntropyGradOp>(op);
      operands.push_back(draw(operand.getType(), positive));
      fillPads(operand.getType(), coordinates, operands.back());
      buffers.emplace_back(getElementTypeOrSelf(operand.getType()),
                           operands.back().getElementCount());
      for (int64_t e = 0; e < operands.back().getElementCount(); ++e)
        buffers.back().set(e, operands.back().elements[e]);
      values.push_back(operand);
    }
    size_t inputs = buffers.size();
    for (auto [result, alias] : llvm::zip_equal(op->getResults(), aliases)) {
      values.push_back(result);
      if (alias < 0)
        buffers.emplace_back(
            getElementTypeOrSelf(result.getType()),
            cast<RankedTensorType>(result.getType()).getNumElements());
    }
    std::vector<int64_t> scalars;
    PlaceContext place;
    place.op = op;
    place.coordinates = coordinates;
    for (const KernelScalar &scalar : kernel.scalars) {
      if (scalar.kind == KernelScalar::Step ||
          scalar.kind == KernelScalar::Seed) {
        scalars.push_back(scalar.kind == KernelScalar::Step
                              ? kStep
                              : static_cast<int64_t>(kSeed));
        continue;
      }
      Extent extent =
          place.getExtents(values[scalar.buffer].getType())[scalar.dim];
      scalars.push_back(scalar.kind == KernelScalar::ExtentStart
                            ? extent.start
                            : extent.length);
    }
    std::vector<void *> pointers;
    for (Buffer &buffer : buffers)
      pointers.push_back(buffer.data);
    // In two parts, as two threads would, where the loop may be cut.
    int64_t half = kernel.parallelExtent / 2;
    if (half > 0)
      entry(pointers.data(), scalars.data(), 0, half);
    entry(pointers.data(), scalars.data(), half, kernel.parallelExtent);

    std::vector<HostTensor> expected = interpret(op, coordinates, operands);
    size_t next = inputs;
    for (auto [i, tensor] : llvm::enumerate(expected)) {
      Buffer &buffer = aliases[i] < 0 ? buffers[next++] : buffers[aliases[i]];
      Type type = op->getResult(i).getType();
      SmallVector<Extent> extents = place.getExtents(type);
      for (int64_t e = 0; e < tensor.getElementCount(); ++e) {
        if (isAnyPad(type, extents, tensor.shape, e))
          continue;
        double want = tensor.elements[e], got = buffer.get(e);
        EXPECT_NEAR(got, want, kAbsolute + kRelative * std::abs(want))
            << "result " << i << " element " << e;
      }
    }
  }

  MLIRContext context;
  std::mt19937_64 random{11};
  double flag = 0;
};

/// A function of one op.
std::string one(const std::string &op, const std::string &arguments,
                const std::string &prefix = "") {
  return prefix + "\nfunc.func @f(" + arguments + ") {\n  " + op +
         "\n  return\n}\n";
}

TEST_F(KernelTest, AddsWithEveryBroadcast) {
  check(one("%0 = dtc.add %a, %b : (tensor<5x19xf32>, tensor<5x19xf32>) -> "
            "tensor<5x19xf32>",
            "%a: tensor<5x19xf32>, %b: tensor<5x19xf32>"));
  check(one("%0 = dtc.sub %a, %b : (tensor<5x19xf32>, tensor<19xf32>) -> "
            "tensor<5x19xf32>",
            "%a: tensor<5x19xf32>, %b: tensor<19xf32>"));
  check(one("%0 = dtc.mul %a, %b : (tensor<5x19xf32>, tensor<f32>) -> "
            "tensor<5x19xf32>",
            "%a: tensor<5x19xf32>, %b: tensor<f32>"));
}

TEST_F(KernelTest, WritesOverAnOperandInPlace) {
  check(one("%0 = dtc.add %a, %b : (tensor<5x19xf32>, tensor<19xf32>) -> "
            "tensor<5x19xf32>",
            "%a: tensor<5x19xf32>, %b: tensor<19xf32>"),
        {{}}, {0});
}

TEST_F(KernelTest, MovesElementsOfShapes) {
  check(one("%0 = dtc.transpose %a {permutation = array<i64: 1, 0>} : "
            "(tensor<5x7xf32>) -> tensor<7x5xf32>",
            "%a: tensor<5x7xf32>"));
  check(one("%0 = dtc.slice %a {starts = array<i64: 1, 2>} : "
            "(tensor<5x7xf32>) -> tensor<3x4xf32>",
            "%a: tensor<5x7xf32>"));
  check(one("%0 = dtc.pad %a {starts = array<i64: 1, 2>} : "
            "(tensor<3x4xf32>) -> tensor<5x7xf32>",
            "%a: tensor<3x4xf32>"));
  check(one("%0 = dtc.broadcast %a {dims = array<i64: 1>} : "
            "(tensor<7xf32>) -> tensor<5x7xf32>",
            "%a: tensor<7xf32>"));
}

TEST_F(KernelTest, SumsOverAnyDimensions) {
  for (auto [dims, shape] : {std::pair("0", "7xf32"), std::pair("1", "5xf32"),
                             std::pair("0, 1", "f32")})
    check(one(std::string("%0 = dtc.reduce_sum %a {dims = array<i64: ") + dims +
                  ">} : (tensor<5x7xf32>) -> tensor<" + shape + ">",
              "%a: tensor<5x7xf32>"));
  check(one("%0 = dtc.reduce_sum %a {dims = array<i64: 1, 2>} : "
            "(tensor<3x5x7xf32>) -> tensor<3xf32>",
            "%a: tensor<3x5x7xf32>"));
}

TEST_F(KernelTest, DropsTheSameElementsAsTheInterpreter) {
  check(one("%0 = dtc.dropout %a {rate = 0.25 : f64, key = \"drop\"} : "
            "(tensor<9x33xf32>) -> tensor<9x33xf32>",
            "%a: tensor<9x33xf32>"));
}

// Seven rows over dp 2 and mb 2, five columns over tp 2: pads everywhere.
const char kLayouts[] = R"(
#l = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
#r = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:any)>
#p = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:any)>
#m = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:P(max), mb=2:S(0), pad(0:any)>
#y = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:fill)>
#s = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:R, mb=2:R>
#z = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:zero, 1:zero)>
!l = tensor<2x3xf32, #dtc.local<7x5, #l>>
!z = tensor<2x3xf32, #dtc.local<7x5, #z>>
!r = tensor<2xf32, #dtc.local<7, #r>>
!p = tensor<2xf32, #dtc.local<7, #p>>
!m = tensor<2xf32, #dtc.local<7, #m>>
!y = tensor<2xi32, #dtc.local<7, #y>>
!n = tensor<i64, #dtc.local<scalar, #s>>
!s = tensor<f32, #dtc.local<scalar, #s>>
)";
const std::vector<Coordinates> kPlaces = {
    {0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 1, 1, 1}};

TEST_F(KernelTest, SkipsPadClassesOfSplitLogits) {
  check(one("%0 = dtc.row_max %a : (!l) -> !m", "%a: !l", kLayouts), kPlaces);
  check(one("%0 = dtc.sum_exp %a, %b : (!l, !r) -> !p", "%a: !l, %b: !r",
            kLayouts),
        kPlaces);
  check(one("%0 = dtc.pick %a, %b {ignore = -100 : i64} : (!l, !y) -> !p",
            "%a: !l, %b: !y", kLayouts),
        kPlaces);
  check(one("%0 = dtc.cross_entropy_grad %a, %b, %c, %d, %n, %s "
            "{ignore = -100 : i64} : (!l, !r, !r, !y, !n, !s) -> !z",
            "%a: !l, %b: !r, %c: !r, %d: !y, %n: !n, %s: !s", kLayouts),
        kPlaces);
}

TEST_F(KernelTest, DropsByGlobalIndexUnderALayout) {
  check(one("%0 = dtc.dropout %a {rate = 0.5 : f64, key = \"d\"} : (!l) -> !l",
            "%a: !l", kLayouts),
        kPlaces);
}

TEST_F(KernelTest, SumsLossesOverValidRows) {
  check(one("%0 = dtc.cross_entropy %a, %b, %c, %d, %n, %s {ignore = -100 : "
            "i64} : (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, "
            "tensor<9xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>",
            "%a: tensor<9xf32>, %b: tensor<9xf32>, %c: tensor<9xf32>, %d: "
            "tensor<9xi32>, %n: tensor<i64>, %s: tensor<f32>"));
  for (const char *op : {"squared_error", "squared_error_grad"})
    check(one(std::string("%0 = dtc.") + op +
                  " %a, %b, %d, %n, %s {ignore = -100 : i64} : "
                  "(tensor<9x3xf32>, tensor<9x3xf32>, tensor<9xi32>, "
                  "tensor<i64>, tensor<f32>) -> tensor<" +
                  (op[13] ? "9x3xf32>" : "f32>"),
              "%a: tensor<9x3xf32>, %b: tensor<9x3xf32>, %d: tensor<9xi32>, "
              "%n: tensor<i64>, %s: tensor<f32>"));
  for (const char *op : {"linear_loss", "linear_loss_grad"})
    check(one(std::string("%0 = dtc.") + op +
                  " %a, %d, %n, %s {ignore = -100 : i64} : (tensor<9x3xf32>, "
                  "tensor<9xi32>, tensor<i64>, tensor<f32>) -> tensor<" +
                  (op[11] ? "9x3xf32>" : "f32>"),
              "%a: tensor<9x3xf32>, %d: tensor<9xi32>, %n: tensor<i64>, %s: "
              "tensor<f32>"));
}

TEST_F(KernelTest, CountsLabels) {
  check(one("%0 = dtc.count_valid %d {ignore = -100 : i64} : (tensor<9xi32>) "
            "-> tensor<i64>",
            "%d: tensor<9xi32>"));
  check(one("%0 = dtc.count_correct %a, %b, %d {ignore = -100 : i64} : "
            "(tensor<9xf32>, tensor<9xf32>, tensor<9xi32>) -> tensor<i64>",
            "%a: tensor<9xf32>, %b: tensor<9xf32>, %d: tensor<9xi32>"));
}

TEST_F(KernelTest, UpdatesUnlessFlagged) {
  std::string adamw = one(
      "%0:3 = dtc.adamw %p, %m, %v, %g, %c, %f, %lr, %t {beta1 = 0.9 : f64, "
      "beta2 = 0.999 : f64, eps = 1.0e-8 : f64, segment_lengths = array<i64: "
      "21>, decays = array<f64: 0.1>, rates = array<f64: 1.0>} : "
      "(tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, "
      "tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> "
      "(tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>)",
      "%p: tensor<3x7xf32>, %m: tensor<3x7xf32>, %v: tensor<3x7xf32>, %g: "
      "tensor<3x7xf32>, %c: tensor<f32>, %f: tensor<i32>, %lr: tensor<f32>, "
      "%t: tensor<i32>");
  check(adamw, {{}}, {0, 1, 2});
  flag = 1;
  check(adamw, {{}}, {0, 1, 2});
}

TEST_F(KernelTest, UpdatesTheSegmentsOfAShard) {
  check(one("%0:2 = dtc.sgd %p, %m, %g, %c, %f, %lr {momentum = 0.9 : f64, "
            "segment_lengths = array<i64: 5, 6>, decays = array<f64: 0.1, "
            "0.0>, rates = array<f64: 1.0, 2.0>} : (!b, !b, !b, !s, !i, !s) -> "
            "(!b, !b)",
            "%p: !b, %m: !b, %g: !b, %c: !s, %f: !i, %lr: !s",
            "#b = #dtc.layout<pp=1:On{0}, dp=3:S(0), tp=1:R, mb=1:R, "
            "pad(0:zero)>\n"
            "#s = #dtc.layout<pp=1:On{0}, dp=3:R, tp=1:R, mb=1:R>\n"
            "!b = tensor<4xf32, #dtc.local<11, #b>>\n"
            "!s = tensor<f32, #dtc.local<scalar, #s>>\n"
            "!i = tensor<i32, #dtc.local<scalar, #s>>\n"),
        {{0, 0, 0, 0}, {0, 1, 0, 0}}, {0, 1});
}

TEST_F(KernelTest, MakesTheScalarsOfTheTail) {
  check(one("%0 = dtc.sum_squares %a : (tensor<5x19xf32>) -> tensor<f32>",
            "%a: tensor<5x19xf32>"));
  check(one("%0 = dtc.nonfinite_bit %a : (tensor<5x19xf32>) -> tensor<i32>",
            "%a: tensor<5x19xf32>"));
  check(one("%0 = dtc.empty_bit %n : (tensor<i64>) -> tensor<i32>",
            "%n: tensor<i64>"));
  check(one("%0 = dtc.clip_factor %a {max_norm = 0.5 : f64} : (tensor<f32>) -> "
            "tensor<f32>",
            "%a: tensor<f32>"));
  check(one("%0 = dtc.unscale %a, %s : (tensor<19xf32>, tensor<f32>) -> "
            "tensor<19xf32>",
            "%a: tensor<19xf32>, %s: tensor<f32>"));
  for (double bits : {0, 1, 2, 3}) {
    flag = bits;
    check(one("%0:3 = dtc.advance %t, %s, %g, %f {growth_interval = 2 : i64, "
              "growth = 2.0 : f64, backoff = 0.5 : f64} : (tensor<i32>, "
              "tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, "
              "tensor<f32>, tensor<i32>)",
              "%t: tensor<i32>, %s: tensor<f32>, %g: tensor<i32>, %f: "
              "tensor<i32>"));
  }
}

TEST_F(KernelTest, FusesBiasAndRelu) {
  check(one("%0 = dtc.fused map (%a, %b) : (tensor<5x19xf32>, tensor<19xf32>) "
            "-> tensor<5x19xf32> {\n^bb0(%x: tensor<5x19xf32>, %y: "
            "tensor<19xf32>):\n"
            "%1 = dtc.add %x, %y : (tensor<5x19xf32>, tensor<19xf32>) -> "
            "tensor<5x19xf32>\n"
            "%2 = dtc.relu %1 : (tensor<5x19xf32>) -> tensor<5x19xf32>\n"
            "dtc.yield %2 : tensor<5x19xf32>\n}",
            "%a: tensor<5x19xf32>, %b: tensor<19xf32>"),
        {{}}, {0});
}

TEST_F(KernelTest, FusesACrossEntropyOverItsRows) {
  check(
      one("%0:2 = dtc.fused row (%a, %y, %n, %s) : (tensor<5x3xf32>, "
          "tensor<5xi32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, "
          "tensor<5x3xf32>) {\n^bb0(%x: tensor<5x3xf32>, %l: tensor<5xi32>, "
          "%c: "
          "tensor<i64>, %k: tensor<f32>):\n"
          "%1 = dtc.row_max %x : (tensor<5x3xf32>) -> tensor<5xf32>\n"
          "%2 = dtc.sum_exp %x, %1 : (tensor<5x3xf32>, tensor<5xf32>) -> "
          "tensor<5xf32>\n"
          "%3 = dtc.pick %x, %l {ignore = -100 : i64} : (tensor<5x3xf32>, "
          "tensor<5xi32>) -> tensor<5xf32>\n"
          "%4 = dtc.cross_entropy %1, %2, %3, %l, %c, %k {ignore = -100 : i64} "
          ": "
          "(tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi32>, "
          "tensor<i64>, tensor<f32>) -> tensor<f32>\n"
          "%5 = dtc.cross_entropy_grad %x, %1, %2, %l, %c, %k {ignore = -100 : "
          "i64} : (tensor<5x3xf32>, tensor<5xf32>, tensor<5xf32>, "
          "tensor<5xi32>, "
          "tensor<i64>, tensor<f32>) -> tensor<5x3xf32>\n"
          "dtc.yield %4, %5 : tensor<f32>, tensor<5x3xf32>\n}",
          "%a: tensor<5x3xf32>, %y: tensor<5xi32>, %n: tensor<i64>, %s: "
          "tensor<f32>"),
      {{}}, {-1, 0});
}

TEST_F(KernelTest, SharesEqualKernels) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "func.func @f(%a: tensor<5xf32>, %b: tensor<5xf32>) {\n"
      "  %0 = dtc.relu %a : (tensor<5xf32>) -> tensor<5xf32>\n"
      "  %1 = dtc.relu %b : (tensor<5xf32>) -> tensor<5xf32>\n  return\n}",
      &context);
  ASSERT_TRUE(module);
  KernelModule kernels(&context);
  module->walk([&](ReluOp op) {
    FailureOr<unsigned> index = kernels.add(op, {-1});
    ASSERT_TRUE(succeeded(index));
    EXPECT_EQ(*index, 0u);
  });
  EXPECT_EQ(kernels.getKernels().size(), 1u);
}

} // namespace
} // namespace mlir::dtc
