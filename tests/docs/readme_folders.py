#!/usr/bin/env python3
# ===- readme_folders.py - Every folder says what it is ----------------------===#
#
# A README that is missing, has grown into a book, or names what is no longer
# there misleads more than none.
#
# ===----------------------------------------------------------------------===#
"""Usage: readme_folders.py ROOT

Each top folder, and each folder below runtime, tests and frontend that holds
sources, has a README.md of 15 to 60 lines. Its links lead to files, and files
that it names in backticks exist somewhere in the tree. Prints faults and
counts; exits 1 on a fault or when no page was found.
"""

import os
import re
import sys

SOURCES = (".cpp", ".h", ".td", ".fbs", ".py", ".cmake", ".mlir", ".test")
DEEP = ["runtime", "tests", "frontend"]
# Described by the page above: a schema or a tool of a few files.
WITHIN = ["frontend/schema", "frontend/tools", "runtime/cmake", "runtime/docs"]
LINES = range(15, 61)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)\)")
NAMED = re.compile(r"`([\w./-]+\.(?:h|cpp|td|py|md|fbs|mlir|test|sh|cmake))`")


def is_built(leaf):
    return leaf.startswith(("build", ".")) or leaf in ("runs", "__pycache__")


def folders(root):
    for top in sorted(os.listdir(root)):
        if not os.path.isdir(os.path.join(root, top)) or is_built(top):
            continue
        yield top
        for leaf in sorted(os.listdir(os.path.join(root, top))):
            path = f"{top}/{leaf}"
            if top in DEEP and path not in WITHIN and not is_built(leaf) \
                    and os.path.isdir(os.path.join(root, path)) \
                    and any(name.endswith(SOURCES)
                            for name in os.listdir(os.path.join(root, path))):
                yield path


def all_files(root):
    for at, below, leaves in os.walk(root):
        below[:] = [leaf for leaf in below if not is_built(leaf)]
        for leaf in leaves:
            yield os.path.relpath(os.path.join(at, leaf), root)


def faults_of(root, folder, files):
    path = os.path.join(root, folder, "README.md")
    if not os.path.exists(path):
        yield "is missing"
        return
    with open(path, encoding="utf-8") as page:
        text = page.read()
    count = text.count("\n")
    if folder != "." and count not in LINES:
        yield f"has {count} lines, expected {LINES.start} to {LINES.stop - 1}"
    for link in LINK.findall(text):
        if "://" not in link and not os.path.exists(
                os.path.join(root, folder, link)):
            yield f"links to {link}, which is not there"
    for name in NAMED.findall(text):
        if not any(file == name or file.endswith("/" + name.lstrip("./"))
                   for file in files):
            yield f"names {name}, which is nowhere"


def main():
    if len(sys.argv) != 2:
        print("Usage: readme_folders.py ROOT", file=sys.stderr)
        return 2
    root = sys.argv[1]
    files, faults, pages = list(all_files(root)), [], 0
    for folder in ["."] + list(folders(root)):
        pages += 1
        faults += [f"{folder}/README.md {fault}"
                   for fault in faults_of(root, folder, files)]
    print("\n".join(faults + [f"pages={pages} wrong={len(faults)}"]))
    return 1 if faults or pages < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
