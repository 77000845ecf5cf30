#!/usr/bin/env python3
"""Writes the data of the small models into a folder: make_data.py FOLDER.

The example's rows and initial values are those that its exact numbers in
expected.json were computed from. The narrow model's data are made: each class
is a pattern of 49 pixels, each sample its pattern with noise. Everything is
deterministic and needs no package."""

import json
import os
import struct
import sys

SAMPLES = {"train": 301, "test": 61}
CLASSES = 10
PIXELS = 49


def write_npy(path, code, shape, values):
    """Writes format version 1.0, header padded so that data start at 64."""
    listed = "".join("%d, " % size for size in shape)
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
        code, listed)
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    form = {"<f4": "<%df", "<i4": "<%di"}[code] % len(values)
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        out.write(header.encode("ascii") + struct.pack(form, *values))


def write_safetensors(path, tensors):
    """Writes F32 tensors, given as name -> (shape, values)."""
    entries = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, (shape, values) in tensors.items():
        end = len(data) + 4 * len(values)
        entries[name] = {"dtype": "F32", "shape": shape,
                         "data_offsets": [len(data), end]}
        data += struct.pack("<%df" % len(values), *values)
    header = json.dumps(entries).encode("utf-8")
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header + data)


def parse(text):
    """Reads numbers; rows of a matrix end in `|`."""
    rows = [[float(word) for word in row.split()] for row in text.split("|")]
    values = [value for row in rows for value in row]
    return ([len(rows), len(rows[0])] if len(rows) > 1 else [len(values)],
            values)


def write_example(folder):
    shape, rows = parse("1 2 | -1 3 | 2 -1 | 3 1 | -2 1 | 1 -3 | 2 2")
    write_npy(os.path.join(folder, "x.npy"), "<f4", shape, rows)
    write_npy(os.path.join(folder, "label.npy"), "<i4", [7],
              [0, 2, -100, 1, 0, 1, 2])
    tensors = {
        "in.weight": "0.5 0.25 | -0.25 0.5 | 0.5 -0.75 | -0.5 -0.5",
        "up.weight": "0.5 -0.5 1 0.25 | -1 0.5 0.25 0.5 | 0.25 1 -0.5 -1 |"
                     " 1 -0.25 0.5 -0.5 | -0.5 1 1 0.5",
        "up.bias": "0.25 -0.125 0.125 0.25 -0.375",
        "down.weight": "0.25 0.5 -0.5 0.5 0.25 | -0.5 0.25 0.5 -0.25 0.5 |"
                       " 0.25 -0.5 0.25 0.5 -0.25 | 0.5 0.25 -0.25 -0.5 0.5",
        "down.bias": "0.125 -0.25 0.25 0.5",
        "head.weight": "0.5 -0.25 0.5 1 | -0.5 0.5 0.25 -1 |"
                       " 0.25 0.5 -0.5 0.25",
        "head.bias": "0.125 -0.125 0.25",
    }
    write_safetensors(os.path.join(folder, "example.safetensors"),
                      {name: parse(text) for name, text in tensors.items()})


class Noise:
    """A linear congruential generator: the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def draw(self):
        """Returns a number in [0, 1) that float32 holds exactly."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) \
            % 2 ** 64
        return (self.state >> 40) / 2.0 ** 24


def write_narrow(folder):
    noise = Noise(7)
    patterns = [[noise.draw() for _ in range(PIXELS)] for _ in range(CLASSES)]
    for split, samples in SAMPLES.items():
        labels = [int(noise.draw() * CLASSES) for _ in range(samples)]
        images = [0.5 * patterns[label][pixel] + 0.5 * noise.draw()
                  for label in labels for pixel in range(PIXELS)]
        prefix = os.path.join(folder, "narrow-" + split)
        write_npy(prefix + "-image.npy", "<f4", [samples, 7, 7], images)
        write_npy(prefix + "-label.npy", "<i4", [samples], labels)


def main():
    if len(sys.argv) != 2:
        print("usage: make_data.py FOLDER", file=sys.stderr)
        return 2
    os.makedirs(sys.argv[1], exist_ok=True)
    write_example(sys.argv[1])
    write_narrow(sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
