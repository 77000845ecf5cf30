#!/usr/bin/env python3
"""Trains one model under several plans and compares the curves step by step.

usage: compare_plans.py DTC MODEL FOLDER STEPS TOLERANCE PLAN PLAN...

The first plan is the reference; `single` is the model without a plan. Every
other plan must give each step's loss within TOLERANCE of the reference's,
relative, its gradient norm within ten times that, and the same evaluations
after the last step. With `expected=FILE:MODEL` in place of the first plan the
losses come from an expected.json."""

import json
import os
import subprocess
import sys

SECONDS = 300


def train(program, model, folder, steps, plan):
    """Returns (loss, grad_norm) of each step, and what evaluations gave."""
    command = [program, "train", model, "--steps", str(steps), "--out",
               os.path.join(folder, plan)]
    if plan != "single":
        command += ["--plan", plan]
    done = subprocess.run(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError("exit %d: %s\n%s" % (
            done.returncode, " ".join(command), done.stderr.decode("utf-8")))
    curve, evaluations = [], []
    with open(os.path.join(folder, plan, "metrics.jsonl"),
              encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["event"] == "step":
                curve.append((record["loss"], record["grad_norm"]))
            elif record["event"] == "eval":
                evaluations.append((record["loss"], record.get("accuracy")))
    if len(curve) != steps:
        raise RuntimeError("%s: %d steps, expected %d" % (
            plan, len(curve), steps))
    return curve, evaluations


def read_expected(source):
    path, model = source.rsplit(":", 1)
    with open(path, encoding="utf-8") as text:
        steps = json.load(text)[model]["steps"]
    return [(step["loss"], step.get("grad_norm")) for step in steps], None


def difference(found, wanted):
    """Relative difference; none where nothing is expected."""
    if wanted is None:
        return 0.0
    return abs(found - wanted) / max(abs(wanted), 1e-30)


def compare(found, reference):
    """The worst difference of losses and of norms, and evaluations' of loss."""
    (curve, evaluations), (wanted, wanted_evaluations) = found, reference
    loss = max(difference(here[0], there[0])
               for here, there in zip(curve, wanted))
    norm = max(difference(here[1], there[1])
               for here, there in zip(curve, wanted))
    evaluation = 0.0
    if wanted_evaluations is not None:
        if len(evaluations) != len(wanted_evaluations):
            raise RuntimeError("%d evaluations, expected %d" % (
                len(evaluations), len(wanted_evaluations)))
        for here, there in zip(evaluations, wanted_evaluations):
            evaluation = max(evaluation, difference(here[0], there[0]))
    return loss, norm, evaluation


def main():
    if len(sys.argv) < 8:
        print(__doc__, file=sys.stderr)
        return 2
    program, model, folder, steps, tolerance = sys.argv[1:6]
    steps, tolerance = int(steps), float(tolerance)
    first, plans = sys.argv[6], sys.argv[7:]
    if first.startswith("expected="):
        reference = read_expected(first[len("expected="):])
    else:
        reference = train(program, model, folder, steps, first)
    if len(reference[0]) != steps:
        raise RuntimeError("%d expected losses for %d steps" % (
            len(reference[0]), steps))
    failed = False
    for plan in plans:
        loss, norm, evaluation = compare(
            train(program, model, folder, steps, plan), reference)
        fits = (loss <= tolerance and norm <= 10 * tolerance and
                evaluation <= tolerance)
        failed |= not fits
        print("plan %s: steps=%d loss=%.3g grad_norm=%.3g eval_loss=%.3g %s" % (
            plan, steps, loss, norm, evaluation, "ok" if fits else "differs"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
