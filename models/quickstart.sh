#!/usr/bin/env bash
# ===- quickstart.sh - From a clone to a trained model ----------------------===#
#
# Usage: models/quickstart.sh
#
# Installs missing packages, builds, and trains a small network on
# Fashion-MNIST for five epochs on two ranks of this machine. Ends with an error
# if the trained model is worse than it must be.
#
# ===----------------------------------------------------------------------===#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/quickstart
model=build/models/mlp-fashion.fbs
must_reach=0.870

tests/packages.sh
echo "== build"
cmake --preset dev
cmake --build build --target dtc dtc-run DtcModels

echo "== train"
train=(build/bin/dtc train "$model" --epochs 5 --plan dp=2 --communicator local
  --out "$out")
echo "+ ${train[*]}"
rm -rf "$out"
"${train[@]}"

accuracy=$(sed -n 's/.*"event":"eval".*"accuracy":\([0-9.]*\).*/\1/p' \
  "$out/metrics.jsonl" | tail -n 1)
echo
echo "test accuracy ${accuracy:-unknown} (must reach $must_reach)"
awk -v found="${accuracy:-0}" -v wanted="$must_reach" \
  'BEGIN { exit !(found >= wanted) }' || exit 1

cat <<TXT

Next:
  ${train[*]:0:3} --plan dp=2,tp=2,micro_batches=2 --epochs 1
  ${train[*]:0:3} --plan pp=2,micro_batches=4,schedule=1f1b --epochs 1
  ${train[*]:0:3} --plan dp=2,zero=1 --epochs 1
  build/bin/dtc inspect $model --plan pp=2,micro_batches=4
  build/bin/dtc train --help
  tests/run.sh
TXT
