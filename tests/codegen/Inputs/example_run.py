# ===- example_run.py - The worked example with data to run on -------------===#
#
# Usage: example_run.py SOURCE FOLDER
#
# Writes x.npy, label.npy and the initial parameters of the worked example to
# FOLDER, and example.mlir: the example's module with this data named in it.
#
# ===----------------------------------------------------------------------===#

import os
import struct
import sys

source, folder = sys.argv[1:]
SHAPES = {
    "x": (7, 2), "label": (7,), "in.weight": (4, 2), "up.weight": (5, 4),
    "up.bias": (5,), "down.weight": (4, 5), "down.bias": (4,),
    "head.weight": (3, 4), "head.bias": (3,),
}
DATA = """dtc.data = {
    inputs = [{name = "x", dtype = f32, shape = array<i64: 2>, fill = 0.0, validity = false},
              {name = "label", dtype = i32, shape = array<i64>, fill = -100.0, validity = false}],
    train = {sources = [{input = "x", files = ["x.npy"], scale = 1.0, shift = 0.0},
                        {input = "label", files = ["label.npy"], scale = 1.0, shift = 0.0}], shuffle = false},
    global_batch = 7 : i64, drop_last = false},
  dtc.run = {epochs = 1 : i64, steps = 3 : i64, evaluate_every = 0 : i64, deterministic = true},
  """


def write_npy(name, numbers):
    kind = "i" if name == "label" else "f"
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': %r, }" % (
        kind, SHAPES[name])
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(os.path.join(folder, name + ".npy"), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        convert = int if kind == "i" else float
        file.write(struct.pack("<%d%s" % (len(numbers), kind),
                               *map(convert, numbers)))


with open(os.path.join(source, "tests/equiv/Inputs/example.numbers")) as file:
    for line in file:
        for entry in line.split("#")[0].replace("|", " ").split(";"):
            if entry.split():
                write_npy(entry.split()[0], entry.split()[1:])

with open(os.path.join(source, "tests/passes/Inputs/example.mlir")) as file:
    module = file.read()
for name in SHAPES:
    head, mark, tail = module.partition("dtc.variable @%s :" % name)
    path = os.path.join(folder, name + ".npy")
    tail = tail.replace('{kind = "zeros"}',
                        '{kind = "file", path = "%s"}' % path, 1)
    if mark:
        module = head + mark + tail
module = module.replace("dtc.seed =", DATA + "dtc.seed =", 1)
with open(os.path.join(folder, "example.mlir"), "w") as file:
    file.write(module)
