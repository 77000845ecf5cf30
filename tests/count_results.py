#!/usr/bin/env python3
# ===- count_results.py - Count single cases of a test run ------------------===#
#
# ctest sees one entry for a whole gtest program or lit suite. Each of them
# leaves its cases as JSON; this adds them up, and counts as one failure every
# entry that failed without a failed case to show for it: a program that
# crashed, timed out, or leaked after its last case.
#
# ===----------------------------------------------------------------------===#
"""Usage: count_results.py BUILD_FOLDER [--as-one BUILD_FOLDER]...

Reads BUILD_FOLDER/results/ctest.xml and the JSON beside it, names what failed,
and prints `N passed, N failed[, N skipped]` as its last line. A folder after
--as-one repeats tests of the first, so all of it counts as one test. Exits 1
when a case failed or none passed.
"""

import argparse
import collections
import json
import os
import sys
import xml.etree.ElementTree

LIT = {"PASS": "passed", "FLAKYPASS": "passed", "UNSUPPORTED": "skipped",
       "SKIPPED": "skipped", "EXCLUDED": "skipped"}


def gtest_cases(results):
    """(name, state) of each case of a gtest program."""
    for suite in results["testsuites"]:
        for case in suite["testsuite"]:
            state = "passed"
            if case.get("failures"):
                state = "failed"
            elif case["result"] != "COMPLETED":
                state = "skipped"
            yield f"{suite['name']}.{case['name']}", state


def lit_cases(results):
    """(name, state) of each test of a lit suite."""
    for test in results["tests"]:
        yield test["name"], LIT.get(test["code"], "failed")


def entry_cases(folder, entry):
    """(name, state) of each case of one ctest entry."""
    name = entry.get("name")
    path = os.path.join(folder, "results", name + ".json")
    cases = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        read = lit_cases if "tests" in results and "__version__" in results \
            else gtest_cases
        cases = list(read(results))
    elif entry.get("status") == "run":
        cases = [(name, "passed")]
    good = entry.get("status") in ("run", "disabled")
    if not good and all(state != "failed" for _, state in cases):
        cases.append((f"{name} ({entry.get('status')})", "failed"))
    return cases


def folder_cases(folder):
    """(name, state) of each case of the last test run in a build folder."""
    path = os.path.join(folder, "results", "ctest.xml")
    if not os.path.exists(path):
        return [(f"{folder} (no test ran)", "failed")]
    entries = xml.etree.ElementTree.parse(path).iter("testcase")
    return [case for entry in entries for case in entry_cases(folder, entry)]


def main():
    parser = argparse.ArgumentParser(
        usage="count_results.py BUILD_FOLDER [--as-one BUILD_FOLDER]...")
    parser.add_argument("folder")
    parser.add_argument("--as-one", action="append", default=[])
    options = parser.parse_args()

    cases = folder_cases(options.folder)
    for folder in options.as_one:
        repeated = folder_cases(folder)
        failed = [case for case in repeated if case[1] == "failed"]
        passed = any(state == "passed" for _, state in repeated)
        cases += failed or [(folder, "passed" if passed else "failed")]

    counts = collections.Counter(state for _, state in cases)
    for name, state in cases:
        if state == "failed":
            print(f"failed: {name}")
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
