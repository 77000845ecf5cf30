#!/usr/bin/env python3
# ===- check_examples.py - Run the examples of the reference docs -----------===#
#
# A block fenced `mlir` in a description is complete by the house's rule. This
# hands each of them to dtc-opt, so that an example cannot rot.
#
# ===----------------------------------------------------------------------===#
"""Usage: check_examples.py DTC_OPT PAGE.md...

Prints one line for each example that dtc-opt refuses, then the counts. Exits 1
when one is refused or when the pages hold none.
"""

import subprocess
import sys
import textwrap


def examples(path):
    """(line number of the fence, text) of each block fenced `mlir`."""
    start, block = None, []
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            fence = line.strip()
            if start is None and fence == "```mlir":
                start, block = number, []
            elif start is not None and fence == "```":
                yield start, textwrap.dedent("".join(block))
                start = None
            elif start is not None:
                block.append(line)
    if start is not None:
        raise SystemExit(f"{path}:{start}: the fence is never closed")


def main():
    if len(sys.argv) < 3:
        print("Usage: check_examples.py DTC_OPT PAGE.md...", file=sys.stderr)
        return 2
    run = wrong = 0
    for path in sys.argv[2:]:
        for number, text in examples(path):
            run += 1
            # Examples stand side by side in one page and may share names, so
            # each is a run of its own.
            result = subprocess.run([sys.argv[1], "-"], input=text, text=True,
                                    capture_output=True, timeout=60)
            if result.returncode:
                wrong += 1
                lines = result.stderr.strip().splitlines() or ["no message"]
                print(f"{path}:{number}: {lines[0]}")
    print(f"examples={run} wrong={wrong}")
    return 1 if wrong or not run else 0


if __name__ == "__main__":
    sys.exit(main())
