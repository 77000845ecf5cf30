#!/usr/bin/env python3
# ===- check_errors.py - Codes, their page and their tests agree ------------===#
#
# An error that a user can meet carries a code. The layers cannot share a list
# of them (the compiler may not include the runtime), so this gathers the codes
# from the text of all layers: each has one section in runtime/docs/errors.md
# and one test that provokes it, and no section or test names another.
#
# ===----------------------------------------------------------------------===#
"""Usage: check_errors.py ROOT

Prints each code that lacks a section or a test, and each section without a
code. Exits 1 when there is one or when no code was found.
"""

import os
import re
import sys

LAYERS = ["frontend", "ir", "passes", "codegen", "runtime"]
SUFFIXES = (".h", ".cpp", ".cu", ".td")
LITERAL = re.compile(r'"[^"\n]*?\b(DTC(?:-[A-Z0-9]+)+)\b')
CODE = re.compile(r"\bDTC(?:-[A-Z0-9]+)+\b")
SECTION = re.compile(r"^## `?(DTC(?:-[A-Z0-9]+)+)`?\s*$", re.M)
ENUMERATOR = re.compile(r'X\((k\w+),\s*"(DTC[A-Z0-9-]+)"\)')


def texts(root, folders, suffixes):
    """(path, text) of each file of the folders with one of the suffixes."""
    for top in folders:
        for folder, _, leaves in os.walk(os.path.join(root, top)):
            for leaf in sorted(leaves):
                if leaf.endswith(suffixes):
                    path = os.path.join(folder, leaf)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, root), file.read()


def main():
    if len(sys.argv) != 2:
        print("Usage: check_errors.py ROOT", file=sys.stderr)
        return 2
    root = sys.argv[1]
    codes = {}         # code -> the file that first writes it
    enumerators = {}   # code -> its name in C++, which a test may use instead
    for path, text in texts(root, LAYERS, SUFFIXES):
        for code in LITERAL.findall(text):
            codes.setdefault(code, path)
        for name, code in ENUMERATOR.findall(text):
            enumerators[code] = name

    page = os.path.join(root, "runtime", "docs", "errors.md")
    sections = []
    if os.path.exists(page):
        with open(page, encoding="utf-8") as file:
            sections = SECTION.findall(file.read())
    tested = set()
    words = set()
    for path, text in texts(root, ["tests"], (".cpp", ".mlir", ".test")):
        if not path.startswith(os.path.join("tests", "docs")):
            tested.update(CODE.findall(text))
            words.update(re.findall(r"\bErrorCode::(k\w+)", text))

    faults = []
    for code, path in sorted(codes.items()):
        if sections.count(code) != 1:
            faults.append(f"{path}: {code} has {sections.count(code)} sections "
                          "in runtime/docs/errors.md, expected 1")
        if code not in tested and enumerators.get(code) not in words:
            faults.append(f"{path}: {code} is provoked by no test")
    for code in sorted(set(sections) - set(codes)):
        faults.append(f"runtime/docs/errors.md: {code} is no code of any layer")
    print("\n".join(faults + [f"codes={len(codes)} wrong={len(faults)}"]))
    return 1 if faults or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
