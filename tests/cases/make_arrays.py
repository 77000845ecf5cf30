#!/usr/bin/env python3
"""Writes the arrays that a case describes in text: make_arrays.py TEXT FOLDER.

A line is `FILE TYPE SHAPE VALUE...`, as `x.npy f32 5x1 1 2 3 4 5`. FILE ends in
.npy; `w.safetensors/y.weight` is one tensor of a safetensors file. TYPE is f32,
i32, i64 or u8, SHAPE `-` for a scalar. `3*64` stands for 64 values 3, `1..64`
for the integers from 1 to 64, `eye` for the unit matrix, and inf, -inf and nan
are values. Empty lines and those that start with # count nothing."""

import json
import os
import struct
import sys

# Type -> (npy, safetensors, struct).
TYPES = {"f32": ("<f4", "F32", "f"), "i32": ("<i4", "I32", "i"),
         "i64": ("<i8", "I64", "q"), "u8": ("|u1", "U8", "B")}


def parse_values(word, shape):
    """Returns the numbers that one word stands for."""
    if word == "eye":
        return [int(row == column) for row in range(shape[0])
                for column in range(shape[1])]
    first, dots, last = word.partition("..")
    if dots:
        return list(range(int(first), int(last) + 1))
    value, _, count = word.partition("*")
    return [float(value)] * int(count or 1)


def parse_line(line):
    """Returns file, type, shape and values of one line."""
    words = line.split()
    if len(words) < 3 or words[1] not in TYPES:
        raise ValueError("no array: " + line)
    name, kind, sizes = words[:3]
    shape = [] if sizes == "-" else [int(size) for size in sizes.split("x")]
    convert = float if kind == "f32" else int
    values = [convert(value) for word in words[3:]
              for value in parse_values(word, shape)]
    elements = 1
    for size in shape:
        elements *= size
    if len(values) != elements:
        raise ValueError("%s: %d values for %d elements" % (
            name, len(values), elements))
    return name, kind, shape, values


def write_npy(path, kind, shape, values):
    """Writes format version 1.0, header padded so that data start at 64."""
    listed = "".join("%d, " % size for size in shape)
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
        TYPES[kind][0], listed)
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        out.write(header.encode("ascii"))
        out.write(struct.pack("<%d%s" % (len(values), TYPES[kind][2]), *values))


def write_safetensors(path, tensors):
    """Writes (name, type, shape, values) tuples, in their order."""
    entries, data = {}, b""
    for name, kind, shape, values in tensors:
        begin = len(data)
        data += struct.pack("<%d%s" % (len(values), TYPES[kind][2]), *values)
        entries[name] = {"dtype": TYPES[kind][1], "shape": shape,
                         "data_offsets": [begin, len(data)]}
    header = json.dumps(entries).encode("ascii")
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header + data)


def write_arrays(text, folder):
    """Writes every array of `text` into `folder`."""
    containers = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, kind, shape, values = parse_line(line)
        container, slash, tensor = name.partition(".safetensors/")
        if slash:
            containers.setdefault(container, []).append(
                (tensor, kind, shape, values))
        else:
            write_npy(os.path.join(folder, name), kind, shape, values)
    for container, tensors in containers.items():
        write_safetensors(os.path.join(folder, container + ".safetensors"),
                          tensors)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as text:
        write_arrays(text.read(), sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
