"""docs/footprint.md, from the rows of size.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs/footprint.md"

HEAD = """\
# Footprint

<!-- Written by tools/size/size.py --docs. Do not edit. -->

What the library takes of a board, in bytes, for programs that use more or less of it. `make size` measures it again: for each board
and profile it links a program that calls just the profile's functions with the board's own library and flags, and reads
the linker's map.

| profile | the program calls |
|---|---|
| `ring-paper` | the eleven functions of the ring paper: Init, Finalize, Comm_rank, Comm_size, Send, Recv, Barrier, Bcast, Gather, Scatter, Allgather |
| `point-to-point` | its first six: Init, Finalize, Comm_rank, Comm_size, Send, Recv |
| `mpi-1` | every function of MPI-1.3 |
| `whole` | every function of the archive |

| column | what it counts |
|---|---|
| text, rodata | code and constants of the library, with the network, the link layer and the port; what initialises variables is under rodata |
| ram | variables of the library and the port, with the arena, in which packet buffers and all tables lie |
| stack | the deepest call of any of the functions, plus every interrupt on top of it; a user's own operations and handlers excluded; not told of the whole archive, and of `mpi-1` only in small builds |
| libc | what the program takes of the C library beyond it: `memcpy` and the like |
| startup | start-up code, which any program of the board has |

The stack is found by a walk over the call graph, with the compiler's own figures for each frame; what a pointer may call is read from the
sources, recursion without a stated bound is refused (`tools/size/pointers.py`). It is a bound, not a measurement.
"""

COLUMNS = ("profile", "functions", "text", "rodata", "ram", "stack", "libc", "startup")


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def line(row: dict[str, Any]) -> str:
    """One row for a terminal."""
    values = "  ".join(f"{key} {_number(row[key])}" for key in COLUMNS[2:])
    return f"{row['target']:14} {row['profile']:15} {values}"


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * (len(COLUMNS) - 1)]
    for row in rows:
        cells = [f"`{row['profile']}`", *(_number(row[key]) for key in COLUMNS[1:])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _parts(rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row["parts"]))
    lines = ["| text and rodata of | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for row in rows:
        cells = [_number(row["parts"].get(name, 0)) for name in names]
        lines.append(f"| `{row['profile']}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _budget(target: str, budget: dict[str, Any]) -> str:
    limits = [
        f"`{limit['profile']}` {key.replace('+', ' and ')} {_number(most)}"
        for limit in budget["limits"]
        if limit["target"] == target
        for key, most in limit["most"].items()
    ]
    return f"Held by a test: {'; '.join(limits)}.\n\n" if limits else ""


def page(rows: list[dict[str, Any]], budget: dict[str, Any]) -> str:
    """The whole page."""
    parts = [HEAD]
    for target in dict.fromkeys(row["target"] for row in rows):
        own = [row for row in rows if row["target"] == target]
        title = f"## {target} ({own[0]['cpu']})"
        job = budget["jobs"].get(own[0]["port"], "")
        made = f"Built with {own[0]['compiler']}."
        parts.append(f"{title}\n\n{made} {job}\n\n{_budget(target, budget)}{_table(own)}\n\n{_parts(own)}\n")
    return "\n".join(part for part in parts if part)
