//===- ProgramRanks.h - Ranks of a program, step by step -------*- C++ -*-===//
//
// runLocal() runs to the end; tests want to set variables before a step and to
// look at them after it. Here the ranks are threads too, and the test says what
// each does.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_E2E_PROGRAMRANKS_H
#define DTC_TESTS_E2E_PROGRAMRANKS_H

#include "runtime/executor/Executor.h"

#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace dtc::test {

/// Keeps the last number that a rank published under each metric.
class MetricKeeper final : public rt::ReportSink {
public:
  explicit MetricKeeper(size_t metricCount)
      : values(metricCount, std::numeric_limits<double>::quiet_NaN()) {}
  void report(int metric, double value) override {
    values[static_cast<size_t>(metric)] = value;
  }
  double operator[](size_t metric) const { return values[metric]; }

private:
  std::vector<double> values;
};

/// One rank of a running program, on its own thread.
class ProgramRank {
public:
  int32_t number;
  rt::Executor &executor;
  rt::BatchSource &batches;
  MetricKeeper &metrics;

  /// One step; returns once every rank is done with it, as runLocal() does.
  rt::Status train(int64_t step);
  /// Returns once every rank has arrived.
  rt::Status meet();
  /// What this rank published; NaN where it does not hold the metric.
  double metric(const std::string &name) const;

  rt::Communicator &communicator;
  rt::GroupHandle world;
};

/// Starts a thread a rank, initialises the variables, calls `body` on each
/// thread and waits for all.
///
/// Errors:  the first failure of any rank.
rt::Status runRanks(const rt::Program &program, const std::string &dataFolder,
                    int threadsPerRank,
                    const std::function<rt::Status(ProgramRank &)> &body);

} // namespace dtc::test

#endif // DTC_TESTS_E2E_PROGRAMRANKS_H
