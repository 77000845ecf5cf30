//===- HeapWatch.cpp - Who allocates, while one looks ---------------------===//
//
// The program's malloc comes before the C library's in the order in which
// symbols are looked up. glibc offers its own under other names.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/HeapWatch.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <execinfo.h>

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
}

namespace dtc::test {
namespace {

constexpr int kFrames = 24;
constexpr int kPlaces = 4;

std::atomic<bool> isWatching{false};
std::atomic<int64_t> own{0}, library{0};
void *places[kPlaces];
thread_local bool isInside = false; // the count itself may allocate

bool contains(const char *text, const char *part) {
  return std::strstr(text, part) != nullptr;
}

/// Counts an allocation that returns to `caller`.
void note(void *caller) {
  if (!isWatching.load(std::memory_order_relaxed) || isInside)
    return;
  isInside = true;
  void *frames[kFrames];
  int depth = backtrace(frames, kFrames);
  int at = 0;
  while (at < depth && frames[at] != caller)
    ++at;
  bool isLibrary = false;
  void *place = caller;
  for (; at < depth; ++at) {
    Dl_info info;
    if (!dladdr(frames[at], &info) || !info.dli_fname)
      continue;
    if (contains(info.dli_fname, "/libc.so") ||
        contains(info.dli_fname, "/libstdc++.so"))
      continue;
    isLibrary = contains(info.dli_fname, "/lib");
    place = frames[at];
    break;
  }
  if (isLibrary) {
    ++library;
  } else if (int64_t number = own++; number < kPlaces) {
    places[number] = place;
  }
  isInside = false;
}

std::string describe(void *place) {
  Dl_info info;
  if (!dladdr(place, &info) || !info.dli_fname)
    return "unknown";
  char text[256];
  std::snprintf(text, sizeof(text), "%s(+%#zx)", info.dli_fname,
                static_cast<size_t>(static_cast<char *>(place) -
                                    static_cast<char *>(info.dli_fbase)));
  return text;
}

} // namespace

void startHeapWatch() {
  void *frames[kFrames];
  backtrace(frames, kFrames); // loads the unwinder
  own = library = 0;
  isWatching = true;
}

HeapCount stopHeapWatch() {
  isWatching = false;
  HeapCount count;
  count.own = own;
  count.library = library;
  for (int64_t i = 0; i < own && i < kPlaces; ++i)
    count.places.push_back(describe(places[i]));
  return count;
}

} // namespace dtc::test

using dtc::test::note;

extern "C" {
void *malloc(size_t bytes) {
  note(__builtin_return_address(0));
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  note(__builtin_return_address(0));
  return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  note(__builtin_return_address(0));
  return __libc_realloc(memory, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  note(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
}
