"""MPICH's lists of tests: a line is a program, a number of ranks, and settings ``name=value``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

RANKS = 2
LIMIT_S = 180.0


@dataclass(frozen=True)
class Case:
    """One run of one program."""

    folder: str
    program: str
    ranks: int = RANKS
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    limit_s: float = LIMIT_S
    result: str = "no errors"
    """What a good run answers: ``no errors``; ``nonzero``, an exit status and any words."""
    strict: bool = True
    """Any other word that it prints is a failure."""
    expected_to_fail: str = ""
    """Why MPICH expects it to fail."""

    @property
    def name(self) -> str:
        """Folder, program, ranks and what is given to it."""
        given = "".join(f" {word}" for word in self.arguments)
        return f"{self.folder}/{self.program} {self.ranks}{given}"


def case_of(folder: str, line: str) -> Case:
    """Read one line. Settings that concern MPICH's own launcher are passed over, and words without a value. Raises ValueError at one that is not known."""
    program, *words = line.split()
    ranks = int(words.pop(0)) if words and words[0].isdigit() else RANKS
    arguments, environment, limit, result, strict, xfail = [], {}, LIMIT_S, "no errors", True, ""
    for word in words:
        key, _, value = word.partition("=")
        if key == "arg":
            arguments.append(value)
        elif key == "env":
            name, _, text = value.partition("=")
            environment[name] = text
        elif key == "timeLimit":
            limit = float(value)
        elif key == "resultTest":
            result = "no errors" if value.endswith("NoErrors") else "nonzero"
        elif key == "strict":
            strict = value not in ("false", "0")
        elif key == "xfail":
            xfail = value or "unsaid"
        elif "=" in word and key not in ("mpiexecarg", "mpiversion", "mem", "init", "mpix", "timelimit"):
            raise ValueError(f"{folder}: {line}: what is {word}?")
    return Case(folder, program, ranks, tuple(arguments), environment, limit, result, strict, xfail)


def cases(root: Path, folders: list[str]) -> Iterator[Case]:
    """All lines of the folders' lists, and of those that they draw from pools of datatypes."""
    for folder in folders:
        for name in ("testlist", "testlist.dtp"):
            path = root / folder / name
            if not path.exists():
                continue
            for text in path.read_text().splitlines():
                line = text.split("#")[0].strip()
                if line and not (root / folder / line).is_dir():
                    yield case_of(folder, line)
