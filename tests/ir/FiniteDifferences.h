//===- FiniteDifferences.h - Gradients held to differences -----*- C++ -*-===//
//
// A function f(operands) -> result has the gradient that central differences
// say, whatever its ops claim. In float64, on the interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_IR_FINITEDIFFERENCES_H
#define DTC_TESTS_IR_FINITEDIFFERENCES_H

#include "tests/ir/InterpreterRun.h"

#include <random>

namespace mlir::dtc::test {

/// Multiples of 1/16 between 1/4 and 2 in absolute value: away from the kinks
/// of relu and abs.
inline std::vector<double> drawNumbers(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> sixteenths(4, 32), sign(0, 1);
  std::vector<double> numbers(count);
  for (double &x : numbers)
    x = sixteenths(random) / 16.0 * (sign(random) ? 1 : -1);
  return numbers;
}

/// d/dx of sum(weights * f(x)) over input `which`, by central differences.
inline std::vector<double>
differentiate(InterpreterRun &run, std::vector<std::vector<double>> inputs,
              size_t which, const std::vector<double> &weights) {
  auto evaluate = [&]() {
    run.ranks->setStep(0);
    EXPECT_TRUE(succeeded(run.step(inputs))) << run.messages;
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * run.result()[i];
    return sum;
  };
  constexpr double kStep = 0x1p-14;
  std::vector<double> slopes;
  for (double &x : inputs[which]) {
    double old = x;
    x = old + kStep;
    double above = evaluate();
    x = old - kStep;
    double below = evaluate();
    x = old;
    slopes.push_back((above - below) / (2 * kStep));
  }
  return slopes;
}

inline void expectNear(const std::vector<double> &expected,
                       const std::vector<double> &found, double tolerance,
                       const std::string &what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(expected[i], found[i], tolerance) << what << ", element " << i;
}

} // namespace mlir::dtc::test

#endif // DTC_TESTS_IR_FINITEDIFFERENCES_H
