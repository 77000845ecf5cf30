#!/usr/bin/env python3
"""Runs a command that must end with a given exit code: expect_exit.py CODE
COMMAND... Standard error goes to standard output, so that FileCheck sees it."""

import subprocess
import sys

SECONDS = 60


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS,
                          check=False)
    sys.stdout.write(done.stdout.decode("utf-8", "replace"))
    if done.returncode != int(sys.argv[1]):
        print("expect_exit.py: exit %d, expected %s" % (
            done.returncode, sys.argv[1]))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
