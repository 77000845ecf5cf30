#!/usr/bin/env python3
# ===- models_expected.py - What models must reach is what they reach ---------===#
#
# The table of models/README.md and expected.json of each family are promises to
# users. Small models are run here; what takes minutes is run by the quickstart,
# which must hold it to the same number.
#
# ===----------------------------------------------------------------------===#
"""Usage: models_expected.py DTC DTC_RUN MODELS SOURCE WORK

MODELS holds the built models. Prints each number that differs and the counts;
exits 1 on a fault.
"""

import glob
import json
import os
import re
import subprocess
import sys

SINGLE = "dp=1,tp=1,pp=1,micro_batches=1,zero=0"
TOLERANCE = 1e-5
LARGE = 100000  # parameters; such a model is trained by the quickstart


class Models:
    def __init__(self, dtc, dtc_run, models, source, work):
        self.dtc, self.dtc_run, self.models = dtc, dtc_run, models
        self.source, self.work = source, work
        self.faults, self.numbers = [], 0
        with open(os.path.join(source, "models/README.md"),
                  encoding="utf-8") as page:
            self.page = page.read()
        with open(os.path.join(source, "models/quickstart.sh"),
                  encoding="utf-8") as script:
            self.quickstart = script.read()

    def run(self, *words):
        return subprocess.run(words, check=True, capture_output=True,
                              text=True, timeout=240).stdout

    def hold(self, what, found, wanted, tolerance=TOLERANCE):
        self.numbers += 1
        if abs(found - wanted) > tolerance * max(abs(wanted), 1e-9):
            self.faults.append(f"{what}: found {found}, expected {wanted}")

    def require(self, what, holds):
        self.numbers += 1
        if not holds:
            self.faults.append(what)

    def check(self, family, name, wanted):
        path = os.path.join(self.models, name + ".fbs")
        facts = json.loads(self.run(self.dtc, "inspect", path, "--plan", SINGLE,
                                    "--json"))
        count = next(entry["elements"] for entry in facts["stages"][0]["memory"]
                     if entry["class"] == "parameters")
        self.hold(f"{name} parameters", count, wanted["parameters"], 0)
        row = next((line for line in self.page.splitlines()
                    if line.startswith(f"| `{family}/{name}`")), "")
        self.require(f"{name}: models/README.md does not say {count:,}",
                     f"{count:,}" in row)
        if "steps" in wanted:
            self.check_steps(family, name, path, wanted)
        if count >= LARGE:
            bound = f"{wanted['test_accuracy_at_least']:.3f}"
            self.require(f"{name}: not everywhere at least {bound}",
                         f"must_reach={bound}" in self.quickstart and
                         bound in row)
        elif "epochs" in wanted:
            self.check_epochs(name, path, wanted)

    def check_steps(self, family, name, path, wanted):
        """Each step's numbers, and variables after some, under two plans."""
        text = os.path.join(self.source, "models", family, name + ".json")
        with open(text, encoding="utf-8") as model:
            clip = float(re.search(r'"clip_norm": ([\d.]+)', model.read())[1])
        for plan in [[], ["--plan", SINGLE]]:
            program = os.path.join(self.work, name + ".dtcx")
            self.run(self.dtc, "compile", path, *plan, "--emit", "program",
                     "-o", program)
            lines = self.run(self.dtc_run, program, "--steps",
                             str(len(wanted["steps"]))).splitlines()
            for number, (step, line) in enumerate(zip(wanted["steps"], lines)):
                found = {key: float(value) for key, value
                         in re.findall(r"(\w+)=(\S+)", line)}
                found["factor"] = min(1, clip / found["grad_norm"])
                found["loss_scale_after"] = found["loss_scale"]
                for key, value in step.items():
                    self.hold(f"{name} step {number + 1} {key}", found[key],
                              value)
            for key in wanted:
                if key.startswith("after_step_"):
                    self.check_variables(name, program, key, wanted[key])

    def check_variables(self, name, program, key, wanted):
        steps = key.rsplit("_", 1)[1]
        for variable, values in wanted.items():
            line = self.run(self.dtc_run, program, "--steps", steps, "--print",
                            variable).splitlines()[-1].split()
            for found, value in zip(line[1:], values):
                self.hold(f"{name} {key} {variable}", float(found), value, 1e-4)

    def check_epochs(self, name, path, wanted):
        out = os.path.join(self.work, name)
        self.run(self.dtc, "train", path, "--epochs", str(wanted["epochs"]),
                 "--out", out)
        with open(os.path.join(out, "metrics.jsonl"), encoding="utf-8") as log:
            last = [entry for entry in map(json.loads, log)
                    if entry["event"] == "eval"][-1]
        self.hold(f"{name} test_loss", last["loss"], wanted["test_loss"], 1e-3)
        self.require(f"{name}: accuracy {last['accuracy']}, expected at least "
                     f"{wanted['test_accuracy_at_least']}",
                     last["accuracy"] >= wanted["test_accuracy_at_least"])


def main():
    if len(sys.argv) != 6:
        print("Usage: models_expected.py DTC DTC_RUN MODELS SOURCE WORK",
              file=sys.stderr)
        return 2
    models = Models(*sys.argv[1:])
    os.makedirs(models.work, exist_ok=True)
    names = 0
    for path in sorted(glob.glob(os.path.join(models.source,
                                              "models/*/expected.json"))):
        family = os.path.basename(os.path.dirname(path))
        with open(path, encoding="utf-8") as file:
            expected = json.load(file)
        for text in sorted(glob.glob(os.path.join(os.path.dirname(path),
                                                  "*.json"))):
            name = os.path.basename(text)[:-len(".json")]
            if name == "expected":
                continue
            names += 1
            if name in expected:
                models.check(family, name, expected[name])
            else:
                models.faults.append(f"{path}: no entry {name}")
    print("\n".join(models.faults + [f"models={names} numbers={models.numbers} "
                                     f"wrong={len(models.faults)}"]))
    return 1 if models.faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
