#!/usr/bin/env python3
"""Counts what a pipeline schedule keeps and how long it idles.

usage: count_schedule.py DTC MODEL PLAN

Walks the task calls that `DTC inspect` prints for each stage, with a forward
and a backward (input and weight gradients together) of equal cost. Prints the
most micro-batches whose activations each stage holds at a time, and the share
of time in which stages idle."""

import json
import subprocess
import sys

SECONDS = 60


def read_order(stage):
    """Forward and backward calls of a stage, as (is_forward, micro-batch)."""
    names = {task["name"] for task in stage["tasks"]}
    last = "weight" if "weight" in names else "backward"
    order = []
    for repeat in stage["train"]:
        for turn in range(repeat["count"]):
            for call in repeat["calls"]:
                if call["task"] in ("forward", last):
                    order.append((call["task"] == "forward",
                                  turn + call["first"]))
    return order


def count_live(order):
    """The most micro-batches between their forward and their backward."""
    live = most = 0
    for is_forward, _ in order:
        live += 1 if is_forward else -1
        most = max(most, live)
    if live != 0:
        raise ValueError("%d micro-batches have no backward" % live)
    return most


def simulate(orders):
    """Returns the idle share of all stages together."""
    done, clock, busy = {}, [0] * len(orders), 0
    waiting = [list(order) for order in orders]
    while any(waiting):
        moved = False
        for stage, order in enumerate(waiting):
            while order:
                is_forward, batch = order[0]
                before = stage - 1 if is_forward else stage + 1
                needs = (before, is_forward, batch)
                if 0 <= before < len(orders) and needs not in done:
                    break
                start = max(clock[stage], done.get(needs, 0))
                clock[stage] = start + 1
                done[(stage, is_forward, batch)] = start + 1
                busy += 1
                order.pop(0)
                moved = True
        if not moved:
            raise ValueError("the schedule never ends")
    return 1 - busy / (len(orders) * max(clock))


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    program, model, plan = sys.argv[1:]
    text = subprocess.run(
        [program, "inspect", model, "--plan", plan, "--json"],
        stdout=subprocess.PIPE, timeout=SECONDS, check=True).stdout
    orders = [read_order(stage) for stage in json.loads(text)["stages"]]
    print("live", *[count_live(order) for order in orders])
    print("idle %.6f" % simulate(orders))
    return 0


if __name__ == "__main__":
    sys.exit(main())
