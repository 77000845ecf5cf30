#!/usr/bin/env python3
# ===- check_arrows.py - Hold the includes of all sources to the arrows ----===#
#
# CMake refuses a wrong dependency between targets, but a header can be included
# without linking its library. Includes are written from the repository root, so
# the first component of a path is its layer; this reads the table of layers out
# of the root CMakeLists.txt and prints every include that points elsewhere.
#
# ===----------------------------------------------------------------------===#
"""Usage: check_arrows.py ROOT [--table CMAKELISTS]

Checks the sources of the layers under ROOT against the DTC_ARROWS_ table of
CMAKELISTS (ROOT/CMakeLists.txt unless given). Exits 1 when an include is wrong
or when no source was found.
"""

import argparse
import os
import re
import sys

SUFFIXES = (".h", ".cpp", ".cu", ".cuh", ".td")
INCLUDE = re.compile(r'^\s*#?\s*include\s*(["<])([^">]+)[">]')
ARROW = re.compile(r"^\s*set\(DTC_ARROWS_(\S+)\s+([^)]*)\)", re.M)

# Headers of outside libraries that a layer must never see.
MLIR = (r"(mlir|llvm|mlir-c|llvm-c|lld)/", "MLIR and LLVM")
GPU = (r"(cuda|cublas|cudnn|nccl|nvJitLink)", "CUDA and its libraries")
FLATBUFFERS = (r"flatbuffers/|.*_generated\.h$", "FlatBuffers")
SMALL = (r"(CLI|spdlog|fmt|nlohmann|gloo|oneapi)/|zlib\.h$|dnnl",
         "libraries other than MLIR and LLVM")
NEVER = {
    "ir": [GPU, FLATBUFFERS, SMALL],
    "passes": [GPU, FLATBUFFERS, SMALL],
    "frontend": [GPU],
    "runtime": [MLIR],
    "runtime/schema": [MLIR],
}


def read_table(path):
    """Layer -> the layers that it may include; None means every layer."""
    with open(path, encoding="utf-8") as file:
        rows = ARROW.findall(file.read())
    table = {}
    for layer, value in rows:
        allowed = value.replace('"', " ").split()
        table[layer] = None if "*" in allowed else {layer, *allowed}
    return table


def layer_of(path, table):
    """The longest layer that `path` lies in, or None."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        layer = "/".join(parts[:length])
        if layer in table:
            return layer
    return None


def fault_of(layer, quote, target, table):
    """What is wrong with one include of a file of `layer`, or None."""
    if ".." in target.split("/"):
        return "goes up with ..; write it from the repository root"
    to = layer_of(target, table)
    if to is None:
        if quote == '"' and "/" not in target:
            return "names no folder; write it from the repository root"
        for pattern, name in NEVER.get(layer, []):
            if re.match(pattern, target):
                return f"layer {layer} never includes {name}"
        return None
    allowed = table[layer]
    if allowed is not None and to not in allowed:
        return (f"layer {layer} may not include layer {to}; "
                f"it may include: {', '.join(sorted(allowed))}")
    return None


def sources(root, table):
    for top in sorted({layer.split("/")[0] for layer in table}):
        for folder, names, leaves in os.walk(os.path.join(root, top)):
            names[:] = sorted(n for n in names if n != "Inputs")
            for leaf in sorted(leaves):
                if leaf.endswith(SUFFIXES):
                    yield os.path.relpath(os.path.join(folder, leaf), root)


def main():
    parser = argparse.ArgumentParser(
        usage="check_arrows.py ROOT [--table CMAKELISTS]")
    parser.add_argument("root")
    parser.add_argument("--table")
    options = parser.parse_args()
    table = read_table(options.table
                       or os.path.join(options.root, "CMakeLists.txt"))

    files = includes = faults = 0
    for path in sources(options.root, table):
        files += 1
        with open(os.path.join(options.root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                includes += 1
                quote, target = match.groups()
                fault = fault_of(layer_of(path, table), quote, target, table)
                if fault:
                    faults += 1
                    print(f'{path}:{number}: "{target}": {fault}')
    print(f"files={files} includes={includes} wrong={faults}")
    return 1 if faults or not files or not table else 0


if __name__ == "__main__":
    sys.exit(main())
