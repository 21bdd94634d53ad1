"""A folder of results: what `mpico realtime run` writes and `mpico realtime report` reads. docs/realtime.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Record = dict[str, Any]
FORMAT = 1
INDEX = "run.json"
GOOD, MISSED, REFUSED = 0, 1, 2
"""Exit statuses of the program `realtime`."""


NUMBER = (int, float)
RUN_KEYS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "subcommand": (str,),
    "ranks": (int,),
    "status": (int, type(None)),
    "seconds": NUMBER,
    "message": (str,),
}
SUITE_KEYS: dict[str, tuple[type, ...]] = {
    "suite": (str,),
    "place": (str,),
    "date": (str,),
    "load": (*NUMBER, type(None)),
    "cpus": (int,),
}
"""What the index must have, and of what kind."""


class RecordsError(Exception):
    """A folder holds no results that can be read; the text says where and what to do."""


@dataclass(frozen=True)
class Run:
    """One benchmark as it went."""

    name: str
    subcommand: str
    ranks: int
    command: tuple[str, ...]
    status: int | None
    """Exit status; None: it took too long and was ended."""
    seconds: float
    message: str = ""
    """What it said on standard error."""
    records: tuple[Record, ...] = field(default=(), compare=False)
    """What it printed; kept in a file of its own."""

    @property
    def finished(self) -> bool:
        """Whether it came to its end, with deadlines missed or not."""
        return self.status in (GOOD, MISSED)

    @property
    def outcome(self) -> str:
        """In a word or two."""
        words = {GOOD: "good", MISSED: "missed or wrong", REFUSED: "refused", None: "took too long"}
        return words.get(self.status, f"failed, status {self.status}")

    def as_json(self) -> Record:
        """The object of the index."""
        return {key: value for key, value in asdict(self).items() if key != "records"}


@dataclass(frozen=True)
class Suite:
    """All runs, and where they ran."""

    suite: str
    place: str
    """The simulated machine, or the processor's name."""
    launcher: tuple[str, ...]
    date: str
    """Of the start, UTC."""
    load: float | None
    """Processes that wanted to run when it started, over the last minute; None: a simulated machine, which is not upset by it."""
    cpus: int
    runs: tuple[Run, ...]

    def as_json(self) -> Record:
        """The index."""
        head = {key: value for key, value in asdict(self).items() if key != "runs"}
        return {"record": "realtime-suite", "format": FORMAT, **head, "runs": [run.as_json() for run in self.runs]}


def parse_lines(text: str) -> list[Record]:
    """The JSON objects among the lines of a program's output; a last line that was cut short is left out."""
    records = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                records.append(json.loads(line))
            except ValueError:
                continue
    return records


def write_lines(path: Path, records: Iterable[Record]) -> None:
    """One JSON object a line. Raises OSError."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def write_index(folder: Path, suite: Suite) -> None:
    """The file run.json. Raises OSError."""
    (folder / INDEX).write_text(json.dumps(suite.as_json(), indent=1) + "\n", encoding="utf-8")


def _checked(entry: Record, kinds: dict[str, tuple[type, ...]]) -> Record:
    """These keys of an object of the index. Raises KeyError for one that is missing, TypeError for a value of another kind."""
    for key, kind in kinds.items():
        if not isinstance(entry[key], kind):
            raise TypeError(f"'{key}' is {entry[key]!r}")
    return {key: entry[key] for key in kinds}


def _run_of(folder: Path, entry: Record) -> Run:
    lines = folder / f"{entry['name']}.jsonl"
    records = parse_lines(lines.read_text(encoding="utf-8")) if lines.exists() else []
    return Run(**_checked(entry, RUN_KEYS), command=tuple(map(str, entry["command"])), records=tuple(records))


def read_folder(folder: Path) -> Suite:
    """The results in a folder. Raises RecordsError when there are none or they are of another format."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        if index["record"] != "realtime-suite" or index["format"] != FORMAT:
            raise RecordsError(f"{folder / INDEX} is of another format; run mpico realtime run again")
        head = _checked(index, SUITE_KEYS)
        runs = tuple(_run_of(folder, entry) for entry in index["runs"])
        return Suite(**head, launcher=tuple(map(str, index["launcher"])), runs=runs)
    except FileNotFoundError as error:
        raise RecordsError(f"there is no {error.filename}; mpico realtime run --out {folder} makes it") from None
    except OSError as error:
        raise RecordsError(f"{folder / INDEX} cannot be read: {error.strerror}; name a folder of results") from None
    except (ValueError, KeyError, TypeError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise RecordsError(f"{folder / INDEX} cannot be understood ({why}); run mpico realtime run again") from None


def environment(records: Sequence[Record]) -> Record:
    """The first line of a run, or an empty object."""
    return next((r for r in records if r.get("record") == "environment"), {})
