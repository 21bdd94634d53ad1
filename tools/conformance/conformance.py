#!/usr/bin/env python3
"""Which functions of MPI 5.0 the library has, asked from the library itself: writes docs/conformance.md.

A function is there when the shared library shows it under both its names. (An optimiser of the whole makes the weak MPI_X strong
there, which a tool that is preloaded does not notice.) It answers MPI_ERR_UNSUPPORTED_OPERATION when a source of src/api says so with UNSUPPORTED(X, ...). With --check nothing is written, and
the status is 1 when the page is not what would be.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/conformance.md"
FUNCTIONS = Path(__file__).with_name("functions.txt")
CONSTANTS = Path(__file__).with_name("constants.txt")

THERE, REFUSES, MISSING = "yes", "unsupported", "missing"

CHAPTERS = {
    3: "Point-to-point communication",
    4: "Partitioned communication",
    5: "Datatypes",
    6: "Collective communication",
    7: "Groups, contexts, communicators, and caching",
    8: "Virtual topologies",
    9: "Environment: errors, memory, clocks",
    10: "The info object",
    11: "Process initialization, creation, and management",
    12: "One-sided communications",
    13: "External interfaces",
    14: "I/O",
    15: "Tool support",
    16: "Deprecated interfaces",
    19: "Language bindings",
    20: "Application binary interface",
}
REMOVED = [
    "MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set", "MPI_Type_extent",
    "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct", "MPI_Type_ub",
]  # fmt: skip


# ---- What there is ----


def read_pairs(path: Path) -> dict[str, int]:
    """The names and numbers of a file of `name number` lines, `#` for comments, in its order."""
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return {name: int(number) for name, number in lines}


def symbols(library: Path) -> dict[str, str]:
    """The functions a shared library shows, with the letter nm gives each: T, or W for a weak one."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    found = (line.split() for line in run.stdout.splitlines())
    return {name: letter for _, letter, name in found if name.startswith(("MPI_", "PMPI_"))}


def wanted(program: Path) -> set[str]:
    """The functions of MPI that a program takes from a shared library."""
    run = subprocess.run(["nm", "-D", "--undefined-only", program], capture_output=True, text=True, check=True)
    names = {line.split()[-1].partition("@")[0] for line in run.stdout.splitlines()}
    return {name for name in names if name.startswith(("MPI_", "PMPI_"))}


def refused(sources: Iterable[str]) -> set[str]:
    """The functions that source texts define by UNSUPPORTED(X, ...)."""
    return {
        "MPI_" + name for text in sources for name in re.findall(r"^UNSUPPORTED(?:_OF)?\((\w+),", text, re.MULTILINE)
    }


def refused_here() -> set[str]:
    """Those of this library."""
    return refused(path.read_text() for path in sorted((SOURCE / "src/api").glob("unsupported*.c")))


def state(name: str, shown: Mapping[str, str], unsupported: set[str]) -> str:
    """One of THERE, REFUSES and MISSING."""
    if shown.get(name) not in ("W", "T") or shown.get("P" + name) != "T":
        return MISSING
    return REFUSES if name in unsupported else THERE


def states(names: Iterable[str], shown: Mapping[str, str], unsupported: set[str]) -> dict[str, str]:
    """The state of each."""
    return {name: state(name, shown, unsupported) for name in names}


# ---- The page ----

HEAD = """# What of MPI 5.0 there is

Written by `tools/conformance/conformance.py`, which asks the library; a test fails when page and library differ.

The list is the {count} functions that the C header of the standard's binary interface (ABI) declares. `_c` is the form with
counts of 64 bits. **Unsupported**: the function is there and answers `MPI_ERR_UNSUPPORTED_OPERATION` with a sentence, through
the error handler it would use for any other error; where that does not end the job, a program's first such call is also told on
the standard error. Each function has both its names, `MPI_X`, which a tool may replace, and `PMPI_X`.
"""


def summary(chapters: Mapping[str, int], found: Mapping[str, str]) -> list[str]:
    """A table with a line a chapter, and their sum."""
    lines = ["| chapter | functions | there | unsupported | missing |", "|---|---:|---:|---:|---:|"]
    counts = {number: Counter(found[name] for name in found if chapters[name] == number) for number in CHAPTERS}
    for number, title in CHAPTERS.items():
        c = counts[number]
        lines.append(f"| {number}. {title} | {c.total()} | {c[THERE]} | {c[REFUSES]} | {c[MISSING]} |")
    c = sum(counts.values(), Counter())
    lines.append(f"| **all** | **{c.total()}** | **{c[THERE]}** | **{c[REFUSES]}** | **{c[MISSING]}** |")
    return lines


def table(names: list[str], found: Mapping[str, str]) -> list[str]:
    """A line a function, its `_c` form beside it."""
    has_large = any(name.endswith("_c") for name in names)
    lines = ["| function | state | `_c` |", "|---|---|---|"] if has_large else ["| function | state |", "|---|---|"]
    for name in names:
        if name.endswith("_c") and name[:-2] in found:
            continue
        large = f" {found.get(name + '_c', '')} |" if has_large else ""
        lines.append(f"| `{name}` | {found[name]} |{large}")
    return lines


def page(chapters: Mapping[str, int], found: Mapping[str, str], removed: Mapping[str, str]) -> str:
    """The text of docs/conformance.md."""
    lines = [HEAD.format(count=len(chapters)), *summary(chapters, found)]
    for number, title in CHAPTERS.items():
        lines += ["", f"## {number}. {title}", ""]
        lines += table([name for name in chapters if chapters[name] == number], found)
    lines += ["", "## Past the standard", "", "Functions of MPI 1 that MPI 3.0 removed, for old programs.", ""]
    lines += table(list(removed), removed)
    return "\n".join(lines) + "\n"


def page_of(library: Path) -> str:
    """The page about a library."""
    chapters, shown, unsupported = read_pairs(FUNCTIONS), symbols(library), refused_here()
    return page(chapters, states(chapters, shown, unsupported), states(REMOVED, shown, unsupported))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=SOURCE / "build", help="the build tree whose library is asked")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 when the page is out of date")
    options = parser.parse_args()
    text = page_of(options.build / "lib/libmpi_abi.so.1")
    if options.check:
        up_to_date = PAGE.exists() and PAGE.read_text() == text
        print("docs/conformance.md is up to date" if up_to_date else "docs/conformance.md is not what the library is")
        return 0 if up_to_date else 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
