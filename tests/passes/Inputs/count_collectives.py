"""Counts the collectives of @step over all groups of ranks in one step.

Reads a module with layouts on stdin. A collective over axes has as many groups
as the stages that hold its operand times the other axes' sizes; one whose
operand is cut into micro-batches is called once for each.
"""

import collections
import re
import sys

text = sys.stdin.read()
layouts = dict(re.findall(r"^(#layout\d*) = #dtc\.layout<(.*)>$", text, re.M))
step = re.search(r"func\.func @step\(.*?\n  }", text, re.S).group(0)
pattern = re.compile(
    r"dtc\.(all_reduce|all_gather|reduce_scatter|send_recv)\b(.*)")
counts = collections.Counter()
for kind, rest in pattern.findall(step):
    layout = layouts[re.search(r"#layout\d*", rest).group(0)]
    axes = {name: (int(size), state) for name, size, state in
            re.findall(r"(\w+)=(\d+):(\w+(?:\(\w+\))?(?:\{[\d,]+\})?)", layout)}
    stages = axes["pp"][1].split("{")[1].count(",") + 1
    over = re.match(r"\s+(?:\w+\s+)?\S+ over (\[[^]]*\]|\S+)", rest)
    over = set(re.findall(r"\w+", over.group(1))) if over else {"pp"}
    groups = 1 if "pp" in over else stages
    for name in ("dp", "tp"):
        groups *= 1 if name in over else axes[name][0]
    size, state = axes["mb"]
    counts[kind] += groups * (size if state.startswith("S") else 1)
for kind, count in sorted(counts.items()):
    print(kind, count)
