#!/usr/bin/env python3
# ===- show_curve.py - Draw the losses that a training run printed ----------===#
#
# `dtc train` prints key=value lines, for people and programs alike. This reads
# them back and draws the loss over the steps, then the last accuracy.
#
# ===----------------------------------------------------------------------===#
"""Usage: show_curve.py LOG"""

import math
import re
import sys

PAIR = re.compile(r"(\w+)=(\S+)")
ROWS = 20
WIDTH = 48


def main():
    if len(sys.argv) != 2:
        print("Usage: show_curve.py LOG", file=sys.stderr)
        return 2
    losses = []
    accuracy = None
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            pairs = dict(PAIR.findall(line))
            if "step" in pairs and "loss" in pairs:
                losses.append((int(pairs["step"]), float(pairs["loss"])))
            for key, value in pairs.items():
                if "accuracy" in key:
                    accuracy = (key, value)
    if not losses:
        print(f"{sys.argv[1]}: no line with step= and loss=", file=sys.stderr)
        return 1

    size = math.ceil(len(losses) / ROWS)
    chunks = [losses[i:i + size] for i in range(0, len(losses), size)]
    means = [sum(loss for _, loss in chunk) / len(chunk) for chunk in chunks]
    top = max(means)
    for chunk, mean in zip(chunks, means):
        bar = "#" * max(1, round(WIDTH * mean / top)) if top > 0 else ""
        print(f"step {chunk[0][0]:6d}  loss {mean:8.5f}  {bar}")
    if accuracy is None:
        print(f"{sys.argv[1]}: no accuracy was printed", file=sys.stderr)
        return 1
    print(f"{accuracy[0]} {accuracy[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
