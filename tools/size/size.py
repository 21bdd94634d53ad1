#!/usr/bin/env python3
"""What the library takes of a board: code, constants, memory, stack, for programs that use more or less of it.

Links a program for each profile and each board of a build and reads the linker's map; see docs/footprint.md for what the
numbers mean. Writes build/size.json, and docs/footprint.md with --docs. Status 1 when a budget is exceeded, a stack cannot
be told, or, with --check, the page is not what would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import board as boards
import callgraph
import footprint
import linkmap
import pointers
import profiles
import stack

Row = dict[str, Any]
BUDGET = Path(__file__).with_name("budget.json")


# ---- Weights ----


def part_of_piece(piece: linkmap.Piece, origins: boards.Origins) -> str:
    """The layer of the library, or port, libc, startup, program; mixed where the library is one object and nobody can tell."""
    if "libmpi_abi.a(" in piece.file or "libmpi_bare.a(" in piece.file:
        found = origins.members.get(piece.member, set())
        if "libmpi_bare.a(" in piece.file:
            found = found - boards.NOT_BARE
        if len(found) != 1 and piece.section.startswith(".text."):
            found = origins.functions.get(piece.section[6:], found)
        return min(found, default="mixed")
    if piece.member == "program.o":
        return "program"
    return "libc" if ".a(" in piece.file else "startup"


def weigh(pieces: list[linkmap.Piece], origins: boards.Origins) -> dict[str, Counter[str]]:
    """Bytes by part and kind."""
    result: dict[str, Counter[str]] = {}
    for piece in pieces:
        result.setdefault(part_of_piece(piece, origins), Counter())[piece.kind] += piece.size
    return result


def library(weights: dict[str, Counter[str]], kind: str) -> int:
    """The library's bytes of a kind, the network and the port with it."""
    return sum(weights.get(part, Counter())[kind] for part in boards.LIBRARY)


# ---- Stack ----


class Walker:
    """The call graph of a linked program with its pointers resolved."""

    def __init__(self, linked: boards.Linked, units: list[Any], sources: list[Path]) -> None:
        self.program = linked.functions
        where = callgraph.addresses(units, linked.pieces, linked.symbols)
        callgraph.join(self.program, units, where, linked.symbols)
        self.resolve = pointers.resolver(self.program, units, where, pointers.fillings(sources))
        self.symbols = {function.name: address for address, function in self.program.items()} | linked.symbols

    def deepest(self, names: Sequence[str]) -> stack.Depth:
        """The deepest of some functions. Raises StackError when one is not in the program."""
        missing = [name for name in names if self.symbols.get(name, -1) & ~1 not in self.program]
        if missing:
            raise stack.StackError(f"the program has no {', '.join(missing)}")
        found = [
            stack.depth(self.program, self.symbols[n] & ~1, self.resolve, pointers.BOUNDS, pointers.LEVELS)
            for n in names
        ]
        return max(found, key=lambda depth: depth.size)

    def interrupts(self, machine: str, port: str) -> int:
        """Every level once on top of the other, with what the processor pushes."""
        if port not in pointers.INTERRUPTS:
            raise stack.StackError(f"tools/size/pointers.py does not say which interrupts the port '{port}' has")
        pushed = pointers.PUSHED_BY_HARDWARE[machine]
        return sum(self.deepest(level).size + pushed for level in pointers.INTERRUPTS[port])


def stack_is_told(board: boards.Board, functions: list[str]) -> bool:
    """Not of the whole archive, where a program's own functions may call back anything; and of packing only in small builds, which
    nest datatypes less deeply.
    """
    small = board.conf["port"] == "board"
    return len(functions) <= len(profiles.MPI_1) and (small or "MPI_Pack" not in functions)


def stack_of(linked: boards.Linked, board: boards.Board, functions: list[str], units: list[Any]) -> Row:
    """The keys of the stack: bytes, or null and the reason."""
    files = [Path(entry["file"]) for entry in boards.sources(board)]
    if not stack_is_told(board, functions):
        return {"stack": None}
    try:
        walker = Walker(linked, units, files)
        deepest = walker.deepest([name for name in functions if name.startswith("MPI_")])
        interrupts = walker.interrupts(board.machine, board.conf["port"])
    except (stack.StackError, pointers.PointerError) as error:
        return {"stack": None, "stack_refused": str(error)}
    return {
        "stack": deepest.size + interrupts,
        "stack_calls": deepest.size,
        "stack_interrupts": interrupts,
        "stack_path": list(deepest.path),
    }


# ---- Rows ----


def settings_for(board: boards.Board, profile: str) -> tuple[dict[str, int], bool]:
    """What the program of a profile chooses: the arena and the frames of the budget's job; and whether it is linked bare."""
    chosen = json.loads(BUDGET.read_text(encoding="utf-8"))["settings"].get(board.conf["port"], {})
    return chosen.get(profile, chosen.get("", {})), board.conf["port"] == "board" and profile in profiles.BARE


def measure(board: boards.Board, profile: str, units: list[Any], work: Path) -> tuple[Row, boards.Linked]:
    """One row of the result, and the program it was measured on."""
    functions = profiles.functions(profile, boards.global_functions(board))
    settings, bare = settings_for(board, profile)
    linked = boards.link(board, functions, work / board.name / profile, settings, bare)
    weights = weigh(linked.pieces, boards.origins(board, units))
    text, rodata, data, bss = (library(weights, kind) for kind in linkmap.KINDS)
    arena = linked.symbols.get("mpico_arena_bytes", 0)
    row: Row = {
        "profile": profile,
        "target": board.name,
        "cpu": board.cpu,
        "port": board.conf["port"],
        "compiler": boards.compiler_of(board),
        "text": text,
        "rodata": rodata + data,  # what initialises variables lies in flash too
        "ram": data + bss + arena,
        **stack_of(linked, board, functions, units),
        "arena": arena,
        "bare": bare,
        "libc": sum(weights.get("libc", Counter())[kind] for kind in ("text", "rodata", "data")),
        "startup": sum(weights.get("startup", Counter())[kind] for kind in ("text", "rodata", "data")),
        "functions": len([name for name in functions if name.startswith("MPI_")]),
        "parts": {
            p: weights[p]["text"] + weights[p]["rodata"] + weights[p]["data"] for p in boards.LIBRARY if p in weights
        },
    }
    return row, linked


def print_detail(linked: boards.Linked, origins: boards.Origins) -> None:
    """Every piece of the library, members and their functions, largest first."""
    members: dict[str, Counter[str]] = {}
    for piece in linked.pieces:
        if piece.kind != "bss" and part_of_piece(piece, origins) in boards.LIBRARY:
            name = f"{part_of_piece(piece, origins)}/{piece.member.rsplit('.', 1)[0]}"
            members.setdefault(name, Counter())[piece.section] += piece.size
    for name, sections in sorted(members.items(), key=lambda item: -item[1].total()):
        print(f"{sections.total():7} {name}")
        for section, size in sections.most_common():
            print(f"        {size:7} {section}")


def over_budget(rows: list[Row], budget: dict[str, Any]) -> list[str]:
    """A sentence for each number that is larger than allowed, and for each budget whose target was not measured."""
    result = []
    for limit in budget["limits"]:
        found = [row for row in rows if (row["target"], row["profile"]) == (limit["target"], limit["profile"])]
        for row in found:
            for key, most in limit["most"].items():
                size = sum(row[k] if row[k] is not None else sys.maxsize for k in key.split("+"))
                if size > most:
                    result.append(f"{row['target']}, {row['profile']}: {key} is {size} bytes, {most} are allowed")
    return result


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), help="a build with boards")
    parser.add_argument("--board", action="append", help="only this one; may be given again")
    parser.add_argument(
        "--profile", action="append", choices=profiles.PROFILES, help="only this one; may be given again"
    )
    parser.add_argument("--output", type=Path, help="the JSON file (default: size.json in the build)")
    parser.add_argument("--detail", action="store_true", help="print each member and function of the library")
    parser.add_argument("--docs", action="store_true", help="write docs/footprint.md")
    parser.add_argument("--check", action="store_true", help="fail when docs/footprint.md is not up to date")
    parser.add_argument("--budget", action="store_true", help="fail when budget.json is exceeded")
    return parser.parse_args()


def measure_board(board: boards.Board, options: argparse.Namespace) -> Iterator[Row]:
    """The rows of one board; prints them as it goes."""
    work = options.build.resolve() / "size"
    units = boards.compile_units(board, work / board.name / "units")
    for profile in options.profile or profiles.PROFILES:
        row, linked = measure(board, profile, units, work)
        print(footprint.line(row), flush=True)
        if options.detail:
            print_detail(linked, boards.origins(board, units))
        yield row


def measure_all(options: argparse.Namespace) -> tuple[list[Row], list[str]]:
    """Every row that was asked for, and what went wrong."""
    rows: list[Row] = []
    complaints: list[str] = []
    for board in boards.built(options.build.resolve()):
        if options.board and board.name not in options.board:
            continue
        reason = boards.not_measurable(board)
        if reason:
            print(f"size: left out: {reason}", file=sys.stderr)
            continue
        try:
            for row in measure_board(board, options):
                rows.append(row)
        except (boards.BoardError, profiles.ProfileError, linkmap.MapError) as error:
            complaints.append(f"{board.name}: {error}")
    return rows, complaints


def main() -> int:
    """The command."""
    options = arguments()
    rows, complaints = measure_all(options)
    if not rows and not complaints:
        print(
            f"size: {options.build} has no board that can be measured: build with -DMPICO_BOARDS=all", file=sys.stderr
        )
        return 1
    output = options.output or options.build / "size.json"
    output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    budget = json.loads(BUDGET.read_text(encoding="utf-8"))
    complaints += [f"{r['target']}, {r['profile']}: {r['stack_refused']}" for r in rows if "stack_refused" in r]
    complaints += over_budget(rows, budget) if options.budget else []
    page = footprint.page(rows, budget)
    if options.docs:
        footprint.PAGE.write_text(page, encoding="utf-8")
    if options.check and footprint.PAGE.read_text(encoding="utf-8") != page:
        complaints.append("docs/footprint.md is out of date: run tools/size/size.py --docs")
    for complaint in complaints:
        print(f"size: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
