//===- HeapWatch.h - Who allocates, while one looks ------------*- C++ -*-===//
//
// Linking HeapWatch.cpp puts a count in front of the C library's allocator, for
// the program and every library that it loads (operator new ends there too).
// Nobody has to mark his code: who asked is read from the stack.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_E2E_HEAPWATCH_H
#define DTC_TESTS_E2E_HEAPWATCH_H

#include <cstdint>
#include <string>
#include <vector>

namespace dtc::test {

/// Allocations of all threads, by who asked: the innermost frame that is
/// neither the C nor the C++ standard library's.
struct HeapCount {
  int64_t own = 0;     ///< by the program, inlined headers of libraries too
  int64_t library = 0; ///< inside a call of a library
  /// Where the first of our own were asked for, as `program(+offset)`.
  std::vector<std::string> places;
};

/// Starts to count from zero. One at a time.
void startHeapWatch();

/// Stops, and returns what was counted.
HeapCount stopHeapWatch();

} // namespace dtc::test

#endif // DTC_TESTS_E2E_HEAPWATCH_H
