"""Numbers of instructions that an emulator counts: exact, so that they are compared one by one and held below budgets."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent

Counts = dict[str, int]
"""Instructions of one operation, under names such as ``allgather 1024 B, 16 ranks``."""


def same_twice(run: Callable[[], Counts], what: str) -> Counts:
    """The numbers of a run, which a second run must repeat. Raises ValueError when it does not."""
    first, second = run(), run()
    if first != second:
        differ = [name for name in first | second if first.get(name) != second.get(name)]
        raise ValueError(
            f"two runs {what} differ: " + ", ".join(f"{n}: {first.get(n)}, {second.get(n)}" for n in differ)
        )
    return first


def over(counts: Counts, budget: Counts) -> list[str]:
    """What is wrong: one sentence a number."""
    sentences = [
        f"{name}: {counts[name]} instructions, the budget is {budget[name]}"
        for name in counts
        if name in budget and counts[name] > budget[name]
    ]
    sentences += [f"{name}: has no budget" for name in counts if name not in budget]
    sentences += [f"{name}: was not measured" for name in budget if name not in counts]
    return sentences


def with_room(counts: Counts) -> Counts:
    """A budget: 3 % more, rounded up."""
    return {name: -(-count * 103 // 100) for name, count in counts.items()}


def main(description: str | None, board: str, measure: Callable[[Path], Counts], name: str) -> int:
    """The command line of a benchmark: ``measure`` gets the build and may raise ValueError; ``name`` is of its result below the build."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build", help="a build with MPICO_BOARDS=" + board)
    parser.add_argument("--out", type=Path, help=f"where the numbers go (default: bench/{name}.json of the build)")
    parser.add_argument("--budget", type=Path, help="a file of the same form that no number may exceed")
    parser.add_argument("--write-budget", type=Path, help="write such a file: each number and 3 %%")
    options = parser.parse_args()
    counts = measure(options.build.resolve())
    for key, count in counts.items():
        print(f"{key:34} {count:10}")
    out = options.out or options.build / f"bench/{name}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    if options.write_budget:
        options.write_budget.write_text(json.dumps(with_room(counts), indent=2) + "\n", encoding="utf-8")
    if not options.budget:
        return 0
    wrong = over(counts, json.loads(options.budget.read_text(encoding="utf-8")))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0
