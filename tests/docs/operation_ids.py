#!/usr/bin/env python3
# ===- operation_ids.py - Ids of a program are as their page says ------------===#
#
# An id in a log must lead to the same instruction for ever, so the page that
# freezes ids shows some, and they are compared with a program made today.
#
# ===----------------------------------------------------------------------===#
"""Usage: operation_ids.py DTC MODEL PAGE

Holds the ids of MODEL on one device to be dense in the order of the file, and
equal to the page's last table; its progress words to their rule. Prints faults
and counts; exits 1 on a fault.
"""

import json
import re
import subprocess
import sys

PLAN = "dp=1,tp=1,pp=1,micro_batches=1,zero=0"
STATES = {"idle": 0, "entered": 1, "left": 2}


def rows(page, columns):
    """Rows of the tables with this many columns that begin with a number."""
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == columns \
                and cells[0][:1].isdigit():
            yield cells


def main():
    if len(sys.argv) != 4:
        print("Usage: operation_ids.py DTC MODEL PAGE", file=sys.stderr)
        return 2
    dtc, model, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        page = file.read()
    vectors = page[page.index("## 4."):]
    text = subprocess.run([dtc, "inspect", model, "--plan", PLAN, "--json"],
                          check=True, capture_output=True, text=True,
                          timeout=120).stdout
    found = [entry for stage in json.loads(text)["stages"]
             for task in stage["tasks"] for entry in task["instructions"]]
    faults = [f"instruction {i} has id {entry['id']}"
              for i, entry in enumerate(found) if entry["id"] != i]
    checked = 0
    for cells in rows(vectors, 3):
        words = re.fullmatch(r"(\d+), (\d+), (\d+), (\w+)", cells[0])
        checked += 1
        if words:
            step, ident, batch = (int(words[i]) for i in (1, 2, 3))
            made = [f"{step:016x}",
                    f"{STATES[words[4]] << 56 | batch << 32 | ident:016x}"]
        else:
            entry = found[int(cells[0])]
            made = [entry["kind"], entry["name"]]
        if made != cells[1:]:
            faults.append(f"{cells[0]}: page {cells[1:]}, made {made}")
    print("\n".join(faults + [f"instructions={len(found)} rows={checked} "
                              f"wrong={len(faults)}"]))
    return 1 if faults or not checked or not found else 0


if __name__ == "__main__":
    sys.exit(main())
