#!/usr/bin/env bash
# ===- run.sh - Build dtc and run all of its tests --------------------------===#
#
# Usage: tests/run.sh [--preset dev|release|asan|tsan] [--label LABEL] [--gpu]
#
# Installs missing packages, configures, builds, runs every test, then builds
# and tests the runtime alone, without MLIR. The last line counts single gtest
# cases and lit tests, and the runtime alone as one: `N passed, N failed`, and
# `, N skipped` where some were. Exit code 0 only if at least one passed and none
# failed.
#
# ===----------------------------------------------------------------------===#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n 's/^# \(Usage: .*\)/\1/p' "tests/run.sh" >&2; }

preset=dev
label=
while [ $# -gt 0 ]; do
  case $1 in
    --preset | --label)
      if [ $# -lt 2 ]; then
        echo "run.sh: $1 needs a value" >&2
        usage
        exit 2
      fi
      [ "$1" = --preset ] && preset=$2 || label=$2
      shift 2
      ;;
    --gpu)
      echo "run.sh: --gpu: this tree has no CUDA device to test" >&2
      exit 2
      ;;
    *)
      echo "run.sh: unknown argument $1" >&2
      usage
      exit 2
      ;;
  esac
done
case $preset in
  dev) build=build ;;
  release | asan | tsan) build=build-$preset ;;
  *)
    echo "run.sh: no preset $preset; the presets are dev, release, asan, tsan" >&2
    exit 2
    ;;
esac

tests/packages.sh
jobs=$(nproc)

# A test whose result is old would count although it did not run.
run_tests() { # <build folder> <ctest argument>...
  local folder=$1
  shift
  rm -f "$folder"/results/*
  ctest --test-dir "$folder" -j "$jobs" --output-on-failure --no-tests=error \
    --output-junit results/ctest.xml "$@" || true
}

build_failed() { # <what>
  echo "run.sh: $1 does not build" >&2
  echo "0 passed, 1 failed"
  exit 1
}

echo "== build ($preset)"
{ cmake --preset "$preset" && cmake --build "$build" -j "$jobs"; } ||
  build_failed "preset $preset"
echo "== tests ($preset)"
selection=()
[ -z "$label" ] || selection=(-L "^$label\$")
run_tests "$build" "${selection[@]}"

count=("$build")
if [ "$preset" = dev ] && [ -z "$label" ]; then
  echo "== the runtime alone"
  { cmake -G Ninja -S runtime -B build-runtime -DCMAKE_CXX_FLAGS_RELEASE=-O2 &&
    cmake --build build-runtime -j "$jobs"; } || build_failed "the runtime alone"
  run_tests build-runtime
  count+=(--as-one build-runtime)
fi

echo "== result"
python3 tests/count_results.py "${count[@]}"
