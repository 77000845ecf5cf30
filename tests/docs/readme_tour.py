#!/usr/bin/env python3
# ===- readme_tour.py - The excerpts of the README's tour ---------------------===#
#
# IR shown in prose rots at once, and real IR is too wide for a page. So each
# block of the tour follows a comment that says what it shows, and this renders
# it from what the compiler prints today, shortened by the rules that the README
# states. A difference is a failed test; --update writes the blocks anew.
#
# ===----------------------------------------------------------------------===#
"""Usage: readme_tour.py DTC MODEL README [--update]

A comment `<!-- tour: PHASE FUNCTION: OP ... -->` stands before each block. OP
is NAME, NAME/KIND or NAME/KIND{ATTRIBUTE,...}: the first op of the function
with that model's name (and kind), shown with these attributes. `@SYMBOL` is a
symbol of the module. Exits 1 when a block differs or there is none.
"""

import difflib
import re
import subprocess
import sys

WIDTH = 120
TOUR = re.compile(r"<!-- tour: (\w+) (\S+): ([^>]*?) ?-->\n```[a-z]*\n(.*?)```\n",
                  re.S)
WANTED = re.compile(r"^([^/{]+)(?:/(\w+))?(?:\{([^}]*)\})?$")
OPENING, CLOSING = "([{<", ")]}>"


def fields(text, separator):
    """Splits at a separator that stands outside all brackets and quotes."""
    parts, depth, quoted, start, i = [], 0, False, 0, 0
    while i < len(text):
        if text[i] == '"':
            quoted = not quoted
        elif quoted or text.startswith("->", i):
            i += 0 if quoted else 1
            if not quoted and depth == 0 and separator == "->":
                parts.append(text[start:i - 1])
                start = i + 1
        elif text[i] in OPENING:
            depth += 1
        elif text[i] in CLOSING:
            depth -= 1
        elif depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i])
            start = i + len(separator)
        i += 1
    return [part.strip() for part in parts + [text[start:]]]


class Layouts:
    """The aliases at the head of a module, written out and shortened."""

    def __init__(self, lines):
        self.texts = {}
        for line in lines:
            found = re.match(r"(#layout\d*) = #dtc\.layout<(.*)>$", line)
            if found:
                self.texts[found[1]] = self.shorten(found[2])

    @staticmethod
    def shorten(layout):
        """`pp=2:On{0}, dp=2:R, tp=2:S(1)` -> `pp:On{0} tp:S(1)`."""
        states = [re.sub(r"=\d+:", ":", state) for state in fields(layout, ",")]
        kept = [state for state in states if not state.endswith(":R")]
        return " ".join(kept) or "R"

    def typed(self, text):
        """A type with its layout in place of the alias."""
        if text.startswith("("):
            text = fields(text[1:-1], ",")[0]
        text = re.sub(r"#layout\d*\b", lambda found: self.texts[found[0]], text)
        text = re.sub(r", #dtc\.local<([^,>]*), (.*)>>$", r" of \1, \2>", text)
        return text


class Op:
    """One line of a function."""

    LINE = re.compile(r"^\s+(?:(%.*?) = )?dtc\.(\w+)\s+(.*)$")

    def __init__(self, line):
        found = self.LINE.match(line)
        self.results = fields(found[1], ",") if found[1] else []
        self.kind, rest = found[2], found[3]
        self.has_region = rest.endswith("{")
        rest = rest[:-1].strip() if self.has_region else rest
        parts = fields(rest, " : ")
        head, types = parts[0], parts[1:]
        self.type = fields(types[0], "->")[-1] if types else ""
        self.head, self.attributes = head, {}
        opening = head.find("{")
        if opening >= 0:
            self.head = head[:opening].strip()
            for entry in fields(head[opening + 1:head.rindex("}")], ","):
                name, _, value = entry.partition(" = ")
                self.attributes[name] = value
        self.name = self.attributes.get("dtc.name", "").strip('"')
        self.body = []


class Function:
    """The ops of a function, with values that carry the model's names."""

    def __init__(self, lines, name, members):
        self.ops, self.values = [], {}
        start = [i for i, line in enumerate(lines)
                 if re.match(r"  func\.func .*@%s\(" % re.escape(name), line)]
        if not start:
            raise SystemExit(f"there is no function @{name}")
        for value, model in re.findall(r'(%arg\d+): \S+(?: \S+)? ?\{dtc\.input = '
                                       r'"(\w+)"', lines[start[0]]):
            self.values[value] = "%" + model
        for line in lines[start[0] + 1:]:
            if line == "  }":
                break
            if not Op.LINE.match(line):
                continue
            op = Op(line)
            if line.startswith("      "):
                self.ops[-1].body.append(op.kind)
                continue
            self.ops.append(op)
            self.name_results(op, members)

    def name_results(self, op, members):
        """Names results by the model; ' is the same value in another layout."""
        shown = "%" + op.name
        for operand in self.operands(op):
            if re.sub(r"#\d+$|'+$", "", operand) == shown.rstrip("'"):
                shown = re.sub(r"#\d+$", "", operand) + "'"
        names = [result.partition(":")[0] for result in op.results]
        count = int((op.results or ["0"])[0].partition(":")[2] or len(names))
        if op.kind == "unpack":
            parts = ["%" + member for member in members[op.name]]
        elif count > 1:
            parts = [f"{shown}#{i}" for i in range(count)]
        else:
            parts = [shown]
        for i in range(count):
            value = names[i] if len(names) == count else f"{names[0]}#{i}"
            self.values[value] = parts[i]
        op.shown = f"{shown}:{count}" if count > 1 else shown

    def operands(self, op):
        return [self.values.get(value, value)
                for value in re.findall(r"%[\w#]+", op.head)]

    def render(self, word, layouts):
        found = WANTED.match(word)
        name, kind, shown = found[1], found[2], (found[3] or "").split(",")
        for op in self.ops:
            if op.name == name and kind in (None, op.kind):
                return self.line(op, [s for s in shown if s], layouts)
        raise SystemExit(f"there is no op {word}")

    def line(self, op, shown, layouts):
        head = re.sub(r"%[\w#]+", lambda found: self.values[found[0]], op.head)
        listed = fields(head, ",")
        if len(listed) > 5:
            head = ", ".join(listed[:2] + ["..."] + listed[-1:])
        text = f"{op.shown} = " if op.results else ""
        text += f"dtc.{op.kind} {head}"
        if shown:
            entries = []
            for name in shown:
                value = op.attributes[name]
                entries.append(short(f"{name} = {value}" if value else name))
            text += " {" + ", ".join(entries) + "}"
        if op.type:
            text += " : " + layouts.typed(op.type)
        if op.body:
            text += " { " + ", ".join(op.body[:-1]) + " }"
        return text


def short(attribute):
    """An attribute without the dialect's prefixes."""
    attribute = re.sub(r"#dtc(\.\w+)?<(?:kernel_template )?", "<", attribute)
    return attribute.replace("dtc.", "", 1).replace(" : i64", "")


def symbol(lines, name, layouts):
    """A symbol of the module; each inner region of it on one line."""
    start = [i for i, line in enumerate(lines)
             if re.match(r"  dtc\.\w+ @%s\b(?![.])" % re.escape(name), line)]
    if not start:
        raise SystemExit(f"there is no symbol @{name}")
    line = lines[start[0]]
    if not line.endswith("{"):
        op = Op(re.sub(r"^(  dtc\.\w+ @\S+) : (.*) (\{.*\})$", r"\1 \3 : \2", line))
        kept = [short(f"{key} = {op.attributes[key]}")
                for key in ("buffer_class", "slots", "dtc.places")
                if key in op.attributes]
        return [f"dtc.{op.kind} {op.head} : {layouts.typed(op.type)} "
                "{" + ", ".join(kept) + "}"]
    region = [f"dtc.{line.split('dtc.', 1)[1].partition(' attributes')[0]} {{"]
    for line in lines[start[0] + 1:]:
        text = line.strip().replace(f"@{name}.", "").replace(" : i64", "")
        text = text.replace("dtc.", "")
        if line.startswith("      "):
            region[-1] += " " + text
        elif line == "    }":
            region[-1] += " }"
        elif line == "  }":
            return region + ["}"]
        else:
            region.append("  " + text)
    raise SystemExit(f"@{name} does not end")


def excerpt(text, where, words):
    """The lines of one block."""
    lines = text.splitlines()
    layouts = Layouts(lines)
    members = {}
    for line in lines:
        found = re.match(r'  dtc\.variable @(\S+) .*[^_]members = \[("[^]]*)\], role',
                         line)
        if found:
            members[found[1]] = re.findall(r'"([^"]*)"', found[2])
    function = None if where == "module" else Function(lines, where, members)
    shown = []
    for word in words:
        shown += (symbol(lines, word[1:], layouts) if word.startswith("@")
                  else [function.render(word, layouts)])
    return "".join(broken(line) + "\n" for line in shown)


def broken(line):
    """A line that is too wide for a page goes on in the next, at its type."""
    if len(line) <= WIDTH:
        return line
    head, _, rest = line.partition(" : ")
    return f"{head}\n      : {rest}"


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    if len(arguments) != 3:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    dtc, model, path = arguments
    with open(path, encoding="utf-8") as file:
        page = file.read()
    modules, blocks = {}, 0

    def renew(found):
        nonlocal blocks
        blocks += 1
        phase = found[1]
        if phase not in modules:
            modules[phase] = subprocess.run(
                [dtc, "compile", model, "--emit", "ir", f"--compile-to={phase}",
                 "-o", "-"], check=True, capture_output=True, text=True,
                timeout=300).stdout
        fresh = excerpt(modules[phase], found[2], found[3].split())
        at = found.start(4) - found.start()
        return found[0][:at] + fresh + "```\n"

    fresh = TOUR.sub(renew, page)
    wrong = list(difflib.unified_diff(page.splitlines(), fresh.splitlines(),
                                      path, "rendered", lineterm="", n=0))
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(fresh)
        wrong = []
    print("\n".join(wrong + [f"blocks={blocks} wrong={int(bool(wrong))}"]))
    return 1 if wrong or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
