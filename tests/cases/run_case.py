#!/usr/bin/env python3
"""Compiles and runs a model under several plans and holds it to numbers.

  run_case.py --bin FOLDER MODEL --plans "single dp=2 tp=2,dp=2" --steps 2
              --metric loss=1.4,0.9 --variable w=1.56 --variable w@1=1.2

--metric gives one number a step: loss, grad_norm, lr, loss_scale, valid, flag.
--variable gives all elements after the last step, or after step N as NAME@N;
--exact the same bit for bit. --same compares the whole outcome of each plan
with that of the first, bit for bit for variables of --same-bits. --absent names
a variable that must not be there. --save writes what was found, as JSON, for a
check that a list of numbers can't say; --also N adds a run of N steps to it.
`arrays.txt` beside MODEL, where it is, is written as data first
(make_arrays.py).

dtc-run compares the replicas of every variable bit for bit before it prints
one. Exit code 1 if a number is missing or differs by more than 1e-5 of the
expected one plus 1e-6 (--relative, --absolute)."""

import argparse
import json
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is

import make_arrays

SECONDS = 120


class Fault(Exception):
    """A program failed or wrote what nobody can read."""


def run(command):
    """Returns standard output of a command that must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise Fault("exit %d: %s\n%s" % (
            done.returncode, " ".join(command),
            done.stderr.decode("utf-8", "replace")))
    return done.stdout.decode("utf-8")


def parse_output(text):
    """Splits dtc-run's output into metrics by name and variables by name."""
    metrics, variables = {}, {}
    for line in text.splitlines():
        words = line.split()
        if line.startswith("step=") and "eval_loss=" not in line:
            for word in words:
                name, _, value = word.partition("=")
                metrics.setdefault(name, []).append(float(value))
        elif words and "=" not in words[0]:
            variables[words[0]] = [float(value) for value in words[1:]]
    return metrics, variables


class PlanRun:
    """One compiled program and what its runs gave."""

    def __init__(self, options, plan, program):
        self.run_program = os.path.join(options.bin, "dtc-run")
        self.program = program
        command = [os.path.join(options.bin, "dtc"), "compile", options.model,
                   "--emit", "program", "-o", program]
        if plan != "single":
            command += ["--plan", plan]
        for setting in options.set:
            command += ["--set", setting]
        run(command)
        self.by_steps = {}

    def after(self, steps):
        """Metrics and variables of a run of `steps` steps."""
        if steps not in self.by_steps:
            command = [self.run_program, self.program, "--print", "all"]
            if steps:
                command += ["--steps", str(steps)]
            self.by_steps[steps] = parse_output(run(command))
        return self.by_steps[steps]


def parse_expected(text):
    """Splits NAME=V,V,... into name and numbers."""
    name, equals, values = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("expected NAME=VALUE,...: " + text)
    return name, [float(value) for value in values.split(",")]


def as_float32(value):
    """The float32 nearest to `value`, as its bits."""
    return struct.pack("<f", value)


class Comparison:
    """Counts comparisons and keeps what differs."""

    def __init__(self, options):
        self.options = options
        self.count = 0
        self.faults = []

    def fits(self, found, wanted):
        if wanted != wanted or wanted in (float("inf"), float("-inf")):
            return str(found) == str(wanted)
        return abs(found - wanted) <= (self.options.absolute +
                                       self.options.relative * abs(wanted))

    def numbers(self, name, found, wanted, is_exact=False):
        """Holds a list of numbers to another."""
        if found is None or len(found) != len(wanted):
            self.faults.append("%s: found %s, expected %d numbers" % (
                name, "nothing" if found is None else len(found), len(wanted)))
            return
        for i, (here, there) in enumerate(zip(found, wanted)):
            self.count += 1
            same = (as_float32(here) == as_float32(there) if is_exact
                    else self.fits(here, there))
            if not same:
                self.faults.append("%s[%d]: found %.9g, expected %.9g" % (
                    name, i, here, there))


def check_plan(options, plan_run, comparison, first):
    """Compares one plan with the expected numbers and with the first plan."""
    metrics, variables = plan_run.after(options.steps)
    for name, wanted in options.metric:
        comparison.numbers(name, metrics.get(name), wanted)
    for is_exact, expected in ((False, options.variable),
                               (True, options.exact)):
        for name, wanted in expected:
            plain, _, steps = name.partition("@")
            found = plan_run.after(int(steps))[1] if steps else variables
            comparison.numbers(name, found.get(plain), wanted, is_exact)
    for steps in options.also:
        plan_run.after(steps)
    for name in options.absent:
        comparison.count += 1
        if name in variables:
            comparison.faults.append("%s: is there, expected no such variable"
                                     % name)
    if first and (options.same or options.same_bits):
        if sorted(variables) != sorted(first[1]):
            comparison.faults.append("variables: found %s, expected %s" % (
                sorted(variables), sorted(first[1])))
        for name in ("loss", "grad_norm", "valid", "flag", "loss_scale"):
            comparison.numbers(name, metrics.get(name), first[0][name])
        for name, wanted in first[1].items():
            comparison.numbers(name, variables.get(name), wanted,
                               options.same_bits)
    return metrics, variables


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plans", default="single")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--steps", type=int, default=0)
    for name in ("metric", "variable", "exact"):
        parser.add_argument("--" + name, action="append", default=[],
                            type=parse_expected)
    parser.add_argument("--absent", action="append", default=[])
    parser.add_argument("--also", type=int, action="append", default=[])
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--same-bits", action="store_true")
    parser.add_argument("--save")
    parser.add_argument("--relative", type=float, default=1e-5)
    parser.add_argument("--absolute", type=float, default=1e-6)
    return parser.parse_args()


def main():
    options = parse_arguments()
    folder = os.path.dirname(os.path.abspath(options.model))
    arrays = os.path.join(folder, "arrays.txt")
    if os.path.exists(arrays):
        with open(arrays, encoding="utf-8") as text:
            make_arrays.write_arrays(text.read(), folder)
    failed, total, first, saved = False, 0, None, {}
    for plan in options.plans.split():
        comparison = Comparison(options)
        program = os.path.join(folder, os.path.basename(options.model) + "." +
                               plan + ".dtcx")
        try:
            plan_run = PlanRun(options, plan, program)
            found = check_plan(options, plan_run, comparison, first)
            first = first or found
            saved[plan] = {str(steps): {"metrics": outcome[0],
                                        "variables": outcome[1]}
                           for steps, outcome in plan_run.by_steps.items()}
        except (Fault, subprocess.TimeoutExpired) as fault:
            comparison.faults.append(str(fault))
        failed |= bool(comparison.faults)
        total += comparison.count
        print("plan %s: %d numbers, %s" % (
            plan, comparison.count, "differ" if comparison.faults else "ok"))
        for fault in comparison.faults:
            print("  " + fault)
    if options.save:
        with open(options.save, "w", encoding="utf-8") as out:
            json.dump(saved, out)
    if total == 0 and not options.save:
        print("nothing was compared")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
