#!/usr/bin/env python3
# ===- readme_commands.py - Every command in a README works ------------------===#
#
# A reader types what a page shows. So each command of a README, in a fenced
# block or in backticks, runs here, in a copy of the tree with the build linked
# into it, with few steps. What a page shows after a `$ ` line must be what the command
# prints, but for times. Commands that build or test the whole tree are looked
# up where they run: .ci/run and the scripts that it calls.
#
# ===----------------------------------------------------------------------===#
"""Usage: readme_commands.py SOURCE BUILD WORK

Runs the commands of every README.md below SOURCE; WORK is a folder for the copy.
Prints each fault with page and line, then the counts. Exits 1 on a fault or
when nothing ran.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

SECONDS = 240
STEPS = "3"
PROGRAMS = re.compile(r"^([A-Z_]+=\S+ )*((build|tests|models)/\S+|python3|cmake|"
                      r"ctest|dtc(-\w+)?)( |$)")
PLACEHOLDER = re.compile(r"<|\b[A-Z]{3,}\b|\.\.\.")
SCRIPTS = [".ci/run", "tests/run.sh", "models/quickstart.sh"]
# What differs from run to run, and from machine to machine.
TIMES = re.compile(r"(per_sec|_ms)$")
TOLERANCE = 2e-3


def blocks(path):
    """Lists of (line number, text) of each fenced block without a language."""
    block = None
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            if line.startswith("```"):
                if block:
                    yield block
                block = [] if block is None else None
                if block is not None and line.strip() not in ("```", "```sh"):
                    block = False
            elif block is not None and block is not False:
                block.append((number, line.rstrip("\n")))
            elif block is False:
                continue


def commands(block):
    """(number, command, shown lines) of a block, none if it holds no command."""
    found = []
    session = any(text.startswith("$ ") for _, text in block)
    for number, text in block:
        if text.startswith("$ "):
            found.append((number, text[2:], []))
        elif session:
            if found and text:
                found[-1][2].append(text)
        elif PROGRAMS.match(text):
            # Two spaces begin an explanation.
            found.append((number, re.split(r"  +", text)[0], None))
        elif found:
            raise ValueError(f"line {number} is no command: {text}")
    return found


def inline(path):
    """Commands in backticks: a program with arguments, none a placeholder."""
    fenced = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            fenced ^= line.startswith("```")
            for code in [] if fenced else re.findall(r"`([^`]+)`", line):
                if PROGRAMS.match(code) and not code.startswith("dtc") \
                        and " " in code and not PLACEHOLDER.search(code):
                    yield number, code, None


def numbers(line):
    return dict(re.findall(r"(\w+)=(\S+)", line))


def same(shown, printed):
    """Whether a line is what the page shows, but for times and rounding."""
    here, there = numbers(shown), numbers(printed)
    if list(here) != list(there):
        return False
    for key, value in here.items():
        if TIMES.search(key):
            continue
        wanted, got = float(value), float(there[key])
        if abs(wanted - got) > TOLERANCE * max(abs(wanted), 1e-9):
            return False
    return True


def missing(shown, output):
    """The first shown line that the output lacks."""
    printed = output.splitlines()
    plain = {re.sub(r"[\d.]+ ?[KMG]?i?B?", "#", line) for line in printed}
    for line in shown:
        if line.strip() == "..." or "|" in line:
            continue
        if line.startswith("step="):
            if not any(same(line, text) for text in printed):
                return line
        elif re.sub(r"[\d.]+ ?[KMG]?i?B?", "#", line) not in plain:
            return line
    return None


def pages(root):
    for at, below, leaves in os.walk(root):
        below[:] = [leaf for leaf in below
                    if not leaf.startswith(("build", ".", "runs"))]
        if "README.md" in leaves:
            yield os.path.relpath(os.path.join(at, "README.md"), root)


class Tree:
    """A copy of the sources with the build linked into it."""

    def __init__(self, source, build, work):
        self.build = build
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work, symlinks=True, ignore=shutil
                        .ignore_patterns("build*", ".git", "runs", "*.dtcx"))
        os.symlink(build, os.path.join(work, "build"))
        self.root = work
        self.scripts = ""
        for script in SCRIPTS:
            with open(os.path.join(source, script), encoding="utf-8") as file:
                self.scripts += file.read().replace("\\\n    ", "")
        with open(os.path.join(source, "CMakePresets.json"),
                  encoding="utf-8") as file:
            self.presets = [preset["name"] for preset
                            in json.load(file)["configurePresets"]]

    def run(self, words, settings=()):
        environment = dict(os.environ,
                           **dict(word.split("=", 1) for word in settings))
        return subprocess.run(words, cwd=self.root, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, env=environment)

    def fault(self, command, shown):
        """What is wrong with a command, or None."""
        if re.search(r"^[\s{]*%s(?= |$|;)" % re.escape(command), self.scripts,
                     re.M):
            return None
        words = shlex.split(command)
        settings = []
        while re.match(r"[A-Z_]+=", words[0]):
            settings.append(words.pop(0))
        if words[0] == "tests/run.sh":
            return self.fault_of_options(words[1:])
        if words[:2] == ["cmake", "--preset"]:
            return None if words[2] in self.presets else "no such preset"
        if words[:2] == ["cmake", "--build"]:
            words = ["ninja", "-C", words[2], "-n"] + words[4:]
        elif words[0] == "ctest":
            words.append("-N")
        elif shown is None:
            for i, word in enumerate(words[:-1]):
                if word == "--steps":
                    words[i + 1] = STEPS
        result = self.run(words, settings)
        if result.returncode:
            text = (result.stderr or result.stdout).strip().splitlines()
            return f"exit {result.returncode}: {' / '.join(text[-2:])}"
        if words[0] == "ctest" and "Total Tests: 0" in result.stdout:
            return "selects no test"
        lost = missing(shown or [], result.stdout + result.stderr)
        return lost and f"does not print: {lost}"

    def fault_of_options(self, words):
        """Options of tests/run.sh, which nobody runs from within a test."""
        labels = self.run(["ctest", "--test-dir", "build", "--print-labels"])
        known = {"--preset": self.presets, "--label": labels.stdout.split()}
        for option, value in zip(words[::2], words[1::2]):
            if value not in known.get(option, []):
                return f"{option} {value}: not known"
        return None


def main():
    if len(sys.argv) != 4:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    source, build, work = sys.argv[1:]
    tree, ran, faults = Tree(source, build, work), 0, []
    for page in sorted(pages(source)):
        listed = list(inline(os.path.join(source, page)))
        for block in blocks(os.path.join(source, page)):
            try:
                listed += commands(block)
            except ValueError as error:
                faults.append(f"{page}: {error}")
        for number, command, shown in listed:
            ran += 1
            fault = tree.fault(command, shown)
            if fault:
                faults.append(f"{page}:{number}: {command}: {fault}")
    print("\n".join(faults + [f"commands={ran} wrong={len(faults)}"]))
    return 1 if faults or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
