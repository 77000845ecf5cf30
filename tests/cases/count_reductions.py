#!/usr/bin/env python3
"""Counts the collectives that carry a parameter's gradient in one step.

usage: count_reductions.py INSPECT.json PARAMETER

INSPECT.json is what `dtc inspect --json` prints. An instruction counts as often
as the training schedule calls its task."""

import json
import re
import sys

REDUCTIONS = {"AllReduce", "ReduceScatter"}


def count_calls(stage):
    """Calls of each task in one training step."""
    calls = {}
    for repeat in stage["train"]:
        for call in repeat["calls"]:
            calls[call["task"]] = calls.get(call["task"], 0) + repeat["count"]
    return calls


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as text:
        document = json.load(text)
    gradient = re.compile(re.escape(sys.argv[2]) + r"($|\.grad\b|\b.*/)")
    total, seen = 0, 0
    for number, stage in enumerate(document["stages"]):
        calls = count_calls(stage)
        for task in stage["tasks"]:
            for instruction in task["instructions"]:
                seen += 1
                if (instruction["kind"] in REDUCTIONS and
                        gradient.match(instruction["name"])):
                    here = calls.get(task["name"], 0)
                    total += here
                    print("%s %s in stage %d %s: %d a step" % (
                        instruction["kind"], instruction["name"], number,
                        task["name"], here))
    print("reductions a step: %d" % total)
    return 0 if seen else 1


if __name__ == "__main__":
    sys.exit(main())
