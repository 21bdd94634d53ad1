#!/usr/bin/env python3
"""What a program on this machine takes of the library when it is linked statically: what it uses, and no more.

For each profile (profiles.py) a program that refers to just its functions is linked twice: by `mpicc -static`, which asks for
the library's comforts by name (texts of errors, the list of leaks, checks of datatypes), and against the bare archive, as any
linker with garbage collection of sections would. The linker's map tells the library's share from the C library's. Writes
size-host.json below the build, and docs/footprint-host.md with --docs. Status 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import board
import linkmap
import profiles

Row = dict[str, Any]
"""Bytes, but for the texts of `profile` and `linked`, and the count `functions`."""

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs/footprint-host.md"
BUDGET = HERE / "budget-host.json"
PROFILES = ("nothing", "point-to-point", "ring-paper", "mpi-1", "whole")
WAYS = ("mpicc -static", "archive alone")
SPARE = 1.03  # a budget is what was measured, and so much for other compilers

HEAD = """\
# Footprint of a static program

<!-- Written by tools/size/host.py --docs. Do not edit. -->

What an executable of this machine takes of the library when it is linked statically, in bytes: it contains what it uses.
`make size` measures it again, and fails when the library's share has grown beyond `tools/size/budget-host.json`. The profiles are those of
[footprint.md](footprint.md); `nothing` is a program that calls no MPI function, so that its size is the C library's.

| column | what it counts |
|---|---|
| text, rodata, data, bss | the library's own code, constants, initialised and zeroed variables, by the linker's map |
| C library | code, constants and initialised variables of everything else |
| file | the executable, stripped |

`mpicc -static` asks by name for what errors are told with: the texts of error classes, the list of leaks at MPI_Finalize, the checks
of datatypes. The bare archive, linked with `--gc-sections`, leaves them out unless the program calls what needs them. The heap is no part
of the file: a rank takes its memory when it starts.
"""


def functions(profile: str, present: set[str]) -> list[str]:
    """What the program of a profile calls."""
    if profile == "nothing":
        return []
    names = profiles.functions(profile, present)
    return [name for name in names if name.startswith("MPI_")]


def present_in(archive: Path) -> set[str]:
    """The MPI functions that the archive defines."""
    lines = board.run("nm", "-g", "--defined-only", archive).splitlines()
    return {words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "TW"}


def commands(way: str, build: Path) -> list[str | Path]:
    """The words of the link that come before and after the program, in one: the program stands at `@`."""
    if way == "mpicc -static":
        return [build / "bin/mpicc", "-static", "@"]
    return ["cc", "-static", "@", build / "lib/libmpi_abi.a", "-Wl,--gc-sections"]


def weigh(pieces: list[linkmap.Piece]) -> tuple[Counter[str], int]:
    """The library's bytes by kind, and what the file has besides of others. Nothing else is optimised at the link (`.ltrans`)."""
    ours: Counter[str] = Counter()
    others = 0
    for piece in pieces:
        if "libmpi_abi.a(" in piece.file or ".ltrans" in piece.file:
            ours[piece.kind] += piece.size
        elif piece.kind != "bss":
            others += piece.size
    return ours, others


def measure(profile: str, way: str, build: Path, present: set[str]) -> Row:
    """One row: a program written, linked and weighed in a folder of its own."""
    work = build / "size" / "host" / way.replace(" ", "") / profile
    work.mkdir(parents=True, exist_ok=True)
    source, code, elf, chart = (work / f"program.{suffix}" for suffix in ("c", "o", "elf", "map"))
    called = functions(profile, present)
    # An array without elements is no C: a program of nothing has none.
    source.write_text(board.program(called) if called else "int main(void) { return 0; }\n", encoding="utf-8")
    board.run("cc", "-w", "-O2", "-c", source, "-o", code)
    link = commands(way, build) if called else ["cc", "-static", "@", "-Wl,--gc-sections"]
    board.run(*(code if word == "@" else word for word in link), f"-Wl,-Map={chart}", "-o", elf)
    board.run("strip", elf)
    ours, others = weigh(linkmap.read(chart))
    return {
        "profile": profile,
        "linked": way if called else "",
        "functions": len(called),
        **{kind: ours[kind] for kind in linkmap.KINDS},
        "libc": others,
        "file": elf.stat().st_size,
    }


def measure_all(build: Path) -> list[Row]:
    """All rows. Raises BoardError when something cannot be linked."""
    present = present_in(build / "lib/libmpi_abi.a")
    rows = [measure("nothing", WAYS[0], build, present)]
    return rows + [measure(profile, way, build, present) for profile in PROFILES[1:] for way in WAYS]


# ---- Budget and page ----


def share(row: Row) -> int:
    """The library's part of the file."""
    return row["text"] + row["rodata"] + row["data"]


def key(row: Row) -> str:
    """A row's name in the budget."""
    return f"{row['profile']}, {row['linked']}"


def over_budget(rows: list[Row], budget: dict[str, int]) -> list[str]:
    """A sentence for each row that is larger than allowed, or has no budget."""
    result = []
    for row in rows:
        if row["functions"] and share(row) > budget.get(key(row), 0):
            most = budget.get(key(row), 0)
            result.append(f"{key(row)}: the library's share is {share(row):,} bytes, {most:,} are allowed")
    return result


def table(rows: list[Row]) -> str:
    """The rows as Markdown."""
    lines = [
        "| profile | linked by | functions | text | rodata | data | bss | C library | file |",
        "|---|---|" + "---:|" * 7,
    ]
    for row in rows:
        numbers = (row[k] for k in ("functions", "text", "rodata", "data", "bss", "libc", "file"))
        lines.append(f"| `{row['profile']}` | {row['linked']} | " + " | ".join(f"{n:,}" for n in numbers) + " |")
    return "\n".join(lines)


def page(rows: list[Row]) -> str:
    """The whole page."""
    made = board.run("cc", "--version").splitlines()[0]
    machine = board.run("cc", "-dumpmachine").strip()
    return f"{HEAD}\n{machine}, {made}:\n\n{table(rows)}\n"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), help="where the library was built")
    parser.add_argument("--docs", action="store_true", help="write docs/footprint-host.md")
    parser.add_argument("--budget", action="store_true", help="fail when budget-host.json is exceeded")
    parser.add_argument("--write-budget", action="store_true", help="allow what was measured, and 3 %%")
    options = parser.parse_args()
    build = options.build.resolve()
    try:
        rows = measure_all(build)
    except (board.BoardError, profiles.ProfileError, linkmap.MapError, subprocess.SubprocessError) as error:
        print(f"size: {error}", file=sys.stderr)
        return 1
    print(table(rows))
    (build / "size-host.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.docs:
        PAGE.write_text(page(rows), encoding="utf-8")
    if options.write_budget:
        allowed = {key(row): int(share(row) * SPARE) for row in rows if row["functions"]}
        BUDGET.write_text(json.dumps(allowed, indent=1) + "\n", encoding="utf-8")
    complaints = over_budget(rows, json.loads(BUDGET.read_text(encoding="utf-8"))) if options.budget else []
    for complaint in complaints:
        print(f"size: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
