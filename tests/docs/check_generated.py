#!/usr/bin/env python3
# ===- check_generated.py - Generated pages are the committed ones ----------===#
#
# Reference pages are made from the .td files in every build and committed
# beside them, so that they can be read where the code is. This compares the
# two; `cmake --build build --target dtc-doc` brings them together.
#
# ===----------------------------------------------------------------------===#
"""Usage: check_generated.py BUILD SOURCE

Compares BUILD/<layer>/docs/*.md with SOURCE/<layer>/docs/*.md. Exits 1 when a
page differs or none was generated.
"""

import difflib
import glob
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main():
    if len(sys.argv) != 3:
        print("Usage: check_generated.py BUILD SOURCE", file=sys.stderr)
        return 2
    build, source = sys.argv[1:]
    pages = sorted(glob.glob(os.path.join(build, "*", "docs", "*.md")))
    stale = 0
    for page in pages:
        name = os.path.relpath(page, build)
        committed = os.path.join(source, name)
        if not os.path.exists(committed):
            stale += 1
            print(f"{name}: generated but not committed; build dtc-doc")
            continue
        change = list(difflib.unified_diff(read(committed), read(page),
                                           name, "generated", lineterm="", n=0))
        if change:
            stale += 1
            print(f"{name}: stale; build dtc-doc")
            print("\n".join(change[:12]))
    print(f"pages={len(pages)} stale={stale}")
    return 1 if stale or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
