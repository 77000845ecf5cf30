#!/usr/bin/env bash
# ===- quickstart.sh - From a clone to a trained model ----------------------===#
#
# Usage: models/quickstart.sh
#
# Installs missing packages, builds, and trains a small network on
# Fashion-MNIST for five epochs on two ranks of this machine.
#
# ===----------------------------------------------------------------------===#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/quickstart
model=build/models/mlp-fashion.fbs

tests/packages.sh
echo "== build"
cmake --preset dev
cmake --build build --target dtc DtcModels

echo "== train"
train=(build/bin/dtc train "$model" --epochs 5 --plan dp=2 --communicator local
  --out "$out")
echo "+ ${train[*]}"
mkdir -p "$out"
"${train[@]}" | tee "$out/train.log"

echo
echo "== curve"
python3 models/show_curve.py "$out/train.log"

cat <<TXT

Next:
  ${train[*]:0:3} --plan dp=2,tp=2,micro_batches=2 --communicator local --epochs 1
  ${train[*]:0:3} --plan pp=2,micro_batches=4,schedule=1f1b --communicator local --epochs 1
  ${train[*]:0:3} --plan dp=2,zero=1 --communicator local --epochs 1
  build/bin/dtc train --help
  tests/run.sh
TXT
