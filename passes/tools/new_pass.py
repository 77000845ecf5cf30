#!/usr/bin/env python3
# ===- new_pass.py - Start a pass so that it cannot be left half done ------===#
#
# A pass is four things of one name: an entry in Passes.td, a .cpp, a line in
# CMakeLists.txt and a test. This writes all four; the test fails until somebody
# says what the pass does.
#
# ===----------------------------------------------------------------------===#
"""Usage: new_pass.py NAME --after NAME

NAME is a verb in CamelCase, as CombineCollectives. The entry goes below that of
the pass named by --after. Prints the files written. Exits 1 when one exists.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

ENTRY = """
def {name}Pass : Pass<"dtc-{flag}", "ModuleOp"> {{
  let summary = "TODO({flag}): one line, present tense, until it is written";
  let description = [{{
    What, why, an example before and after.

    Needs: what must have run.
    Leaves: what holds then.
  }}];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}}
"""

SOURCE = """\
//===- {name}.cpp - {dashes}===//
//
// Why this pass exists, in words that the code below cannot say itself.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#define DEBUG_TYPE "dtc-{flag}"

namespace mlir::dtc {{
#define GEN_PASS_DEF_{upper}PASS
#include "passes/Passes.h.inc"

namespace {{

struct {name}Pass : public impl::{name}PassBase<{name}Pass> {{
  using {name}PassBase::{name}PassBase;

  void runOnOperation() final {{
    getOperation().emitError("dtc-{flag} is not written yet");
    signalPassFailure();
  }}
}};

}} // namespace
}} // namespace mlir::dtc
"""

TEST = """\
// RUN: dtc-opt %s --dtc-{flag} | FileCheck %s

// CHECK: what the pass makes of this file
module @example {{}}
"""


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def insert_after_entry(text, after, entry):
    """`text` with `entry` below the closing brace of the def of `after`."""
    start = text.find(f"def {after}Pass ")
    if start < 0:
        sys.exit(f"new_pass.py: Passes.td has no entry {after}Pass")
    end = text.index("\n}\n", start) + len("\n}\n")
    return text[:end] + entry + text[end:]


def main():
    parser = argparse.ArgumentParser(
        usage=__doc__.split("\n")[0].removeprefix("Usage: "))
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--after", required=True, metavar="NAME")
    args = parser.parse_args()
    if not re.fullmatch(r"([A-Z][a-z0-9]+)+", args.name):
        parser.error(f"{args.name} is not in CamelCase")

    flag = kebab(args.name)
    words = {"name": args.name, "flag": flag, "upper": args.name.upper()}
    words["dashes"] = "-" * max(0, 63 - len(args.name))
    passes = ROOT / "passes"
    source = passes / f"{args.name}.cpp"
    test = ROOT / "tests" / "passes" / f"{flag.replace('-', '_')}.mlir"
    for path in (source, test):
        if path.exists():
            sys.exit(f"new_pass.py: {path.relative_to(ROOT)} exists")

    entries = passes / "Passes.td"
    entries.write_text(insert_after_entry(
        entries.read_text(), args.after, ENTRY.format(**words)))
    source.write_text(SOURCE.format(**words))
    test.write_text(TEST.format(**words))
    lists = passes / "CMakeLists.txt"
    text = lists.read_text()
    block = re.search(r"(  SRCS\n)((?:    \S+\n)+)", text)
    names = sorted(block.group(2).split() + [source.name])
    lists.write_text(text[:block.start(2)]
                     + "".join(f"    {name}\n" for name in names)
                     + text[block.end(2):])
    for path in (entries, source, lists, test):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
