#!/usr/bin/env python3
"""Breaks a binary model in every way of case P50 and runs a program on each.

usage: break_model.py MODEL FOLDER STEP PROGRAM [ARGUMENT...]

Cuts MODEL after every STEP-th number of bytes and sets every STEP-th byte to
0xFF; the unit tests do it for each byte, this holds exit code and message of a
whole program. {} among the arguments stands for the broken file. A program that
is ended by a signal, hangs, or fails without `error:` fails the test."""

import os
import subprocess
import sys

SECONDS = 10


def run(program, path, content):
    """Returns exit code and message of `program` on `content`."""
    with open(path, "wb") as out:
        out.write(content)
    command = [path if word == "{}" else word for word in program]
    done = subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def main():
    if len(sys.argv) < 5:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], "rb") as model:
        whole = model.read()
    path = os.path.join(sys.argv[2], "broken.fbs")
    step, program = int(sys.argv[3]), sys.argv[4:]
    faults, refused, accepted = [], 0, 0
    for length in range(0, len(whole), step):
        code, message = run(program, path, whole[:length])
        refused += 1
        if code != 1 or not message.startswith(path + ": error: "):
            faults.append("cut to %d: exit %d: %s" % (length, code, message))
        if length >= 12 and "too short at byte %d;" % length not in message:
            faults.append("cut to %d: %s" % (length, message))
    for place in range(0, len(whole), step):
        changed = whole[:place] + b"\xff" + whole[place + 1:]
        code, message = run(program, path, changed)
        refused += code == 1
        accepted += code == 0
        if code not in (0, 1) or (code == 1 and ": error: " not in message):
            faults.append("0xFF at %d: exit %d: %s" % (place, code, message))
    print("refused=%d accepted=%d faults=%d" % (refused, accepted, len(faults)))
    print("\n".join(faults))
    return 1 if faults or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
