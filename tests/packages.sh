#!/usr/bin/env bash
# ===- packages.sh - Install what dtc is built and tested with --------------===#
#
# Usage: tests/packages.sh
#
# The one list of packages, for Debian 12. Installs what is missing and says so;
# does nothing when all is there. Elsewhere it says that it cannot know, and
# leaves it to CMake to name what is missing.
#
# ===----------------------------------------------------------------------===#
set -euo pipefail

build=(cmake ninja-build clang-19 lld-19 ccache
  libmlir-19-dev mlir-19-tools llvm-19-dev llvm-19-tools liblld-19-dev
  libzstd-dev zlib1g-dev flatbuffers-compiler libflatbuffers-dev
  libgloo-dev libdnnl-dev libcli11-dev libspdlog-dev libfmt-dev
  nlohmann-json3-dev libxxhash-dev)
tests=(python3 libgtest-dev libgmock-dev libclang-rt-19-dev
  clang-tidy-19 clang-format-19 dataset-fashion-mnist
  bible-kjv bible-kjv-text)

if ! command -v dpkg-query >/dev/null; then
  echo "packages: no dpkg here; the packages are named in tests/packages.sh" >&2
  exit 0
fi

missing=()
for package in "${build[@]}" "${tests[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "packages: missing ${missing[*]}; install them as root" >&2
    exit 1
  fi
  root=(sudo)
fi
echo "packages: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -q >&2
"${root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
