# ===- lit.cfg.py - How lit runs the tests of a folder ---------------------===#
#
# One configuration for every suite. FileCheck is strict everywhere: variables
# do not leak between labels and a CHECK prefix that no line uses is an error.
# Programs of dtc are named by their full path, so that no other `dtc` of the
# machine is ever tested in place of ours.
#
# ===----------------------------------------------------------------------===#

import os
import re

import lit.formats

config.name = "dtc/" + config.dtc_suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.dtc_suite_source
config.test_exec_root = config.dtc_suite_binary


def tool(name, path):
    """Replaces the word `name` by `path`, but not inside flags or paths."""
    return (r"(?<![\w./=-])" + re.escape(name) + r"(?![\w./-])", path)


for name in ["dtc", "dtc-opt", "dtc-translate", "dtc-equiv", "dtc-run",
             "dtc-pack"]:
    path = os.path.join(config.dtc_bin_dir, name)
    config.substitutions.append(tool(name, path))

config.substitutions.append(
    tool("FileCheck", os.path.join(config.llvm_tools_dir, "FileCheck") +
         " --enable-var-scope --allow-unused-prefixes=false"))
for name in ["not", "split-file"]:
    path = os.path.join(config.llvm_tools_dir, name)
    config.substitutions.append(tool(name, path))

config.substitutions += [
    ("%python", config.python),
    ("%source", config.dtc_source_dir),
    ("%build", config.dtc_binary_dir),
    ("%models", os.path.join(config.dtc_binary_dir, "models")),
    ("%data", config.dtc_fashion_dir),
]

if os.path.exists(os.path.join(config.dtc_fashion_dir,
                               "train-images-idx3-ubyte.gz")):
    config.available_features.add("fashion-mnist")
if config.dtc_sanitize:
    config.available_features.add("sanitize")

for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS",
             "OMP_NUM_THREADS"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
