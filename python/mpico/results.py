"""The results file: JSON lines, written by `mpico bench`, read by `mpico model`.

The first line is the environment, then a line a measurement. Files of one machine may be put behind each other. Times in
microseconds, sizes in bytes. docs/measuring.md says what each pattern is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from .medians import Median as Median
from .medians import median_interval as median_interval

FORMAT = 1
PLACES = ("processes", "fibers", "machine", "board")
PATTERNS = (
    "pingpong",
    "once",
    "send-overhead",
    "recv-overhead",
    "gap",
    "adjacent",
    "exchange",
    "bcast",
    "allgather",
    "allgather-in-place",
    "scatter",
    "gather",
    "reduce",
    "allreduce",
    "alltoall",
    "barrier",
    "barriers",
    "copy",
    "combine",
)


class ResultsError(Exception):
    """A results file cannot be read or is not what it should be; the text says where, what, and what to do."""


@dataclass(frozen=True)
class Environment:
    """Where measurements were taken: the first line of a results file."""

    place: str
    """One of PLACES."""
    machine: str
    """The simulated machine or board, else the processor's model."""
    discipline: str | None = None
    """Of a simulated ring: "stop-and-wait" or "windowed"."""
    library: str = ""
    """The first line of MPI_Get_library_version."""
    launcher: tuple[str, ...] = ()
    host: dict[str, Any] = field(default_factory=dict)
    """system, cpu, cpus."""
    date: str = ""
    """Of the start, UTC, as 2026-11-22T00:30:00Z."""
    clock_resolution_us: float = 0.0

    @property
    def where(self) -> tuple[str, str, str | None]:
        """What must be equal for measurements to be of one machine: place, machine, discipline."""
        return self.place, self.machine, self.discipline

    def as_json(self) -> dict[str, Any]:
        """The object of its line."""
        return {"record": "environment", "format": FORMAT, **asdict(self), "launcher": list(self.launcher)}


@dataclass(frozen=True)
class Measurement:
    """One line: the time of one operation, the median of its repetitions."""

    pattern: str
    """One of PATTERNS."""
    ranks: int
    bytes: int
    us: float
    low_us: float
    """With high_us: the interval that holds the true median with probability `confidence`."""
    high_us: float
    confidence: float
    repetitions: int
    outliers: int
    """Repetitions beyond 1.5 interquartile ranges outside the quartiles: counted, and part of the median."""
    least_us: float
    most_us: float
    source: int | None = None
    destination: int | None = None
    hops: int | None = None
    """From source to destination on a one-way ring: (destination - source) mod ranks."""
    late: int = 0
    """Repetitions that are left out, as a rank was late for their common start."""

    def as_json(self) -> dict[str, Any]:
        """The object of its line, without what the pattern does not have."""
        return {"record": "measurement", **{key: value for key, value in asdict(self).items() if value is not None}}


@dataclass(frozen=True)
class Results:
    """A results file."""

    environment: Environment
    measurements: tuple[Measurement, ...]

    def of(self, pattern: str, ranks: int | None = None, hops: int | None = None) -> list[Measurement]:
        """The measurements of this pattern, and of so many ranks or hops where given, by ascending size."""
        found = (m for m in self.measurements if m.pattern == pattern)
        found = (m for m in found if ranks in (None, m.ranks) and hops in (None, m.hops))
        return sorted(found, key=lambda m: m.bytes)

    def uncrowded(self, pattern: str) -> list[Measurement]:
        """The pattern on the fewest ranks, the least time of each size where there are several pairs, by ascending size."""
        found = self.of(pattern)
        fewest = min((m.ranks for m in found), default=0)
        quickest = sorted((m for m in found if m.ranks == fewest), key=lambda m: (m.bytes, m.us))
        return [next(same) for _, same in groupby(quickest, key=lambda m: m.bytes)]


_NAMES = {kind: {f.name for f in fields(kind)} for kind in (Environment, Measurement)}
_WHOLE = ("ranks", "bytes", "repetitions", "outliers", "late", "source", "destination", "hops")
_REAL = ("us", "low_us", "high_us", "confidence", "least_us", "most_us")
_OPTIONAL = ("source", "destination", "hops", "late")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def measurement_of(record: dict[str, Any]) -> Measurement:
    """The measurement of a line's object; keys that are not known are left out. Raises ResultsError."""
    missing = sorted(_NAMES[Measurement] - set(_OPTIONAL) - set(record))
    if missing:
        raise ResultsError(f"a measurement without {', '.join(missing)}; measure again with mpico bench")
    if record["pattern"] not in PATTERNS:
        raise ResultsError(f"unknown pattern '{record['pattern']}'; known are {', '.join(PATTERNS)}")
    for key in _WHOLE:
        if record.get(key) is not None and (not _is_whole(record[key]) or record[key] < (key == "ranks")):
            raise ResultsError(f"{key} is {json.dumps(record[key])}, and must be a whole number, not negative")
    for key in _REAL:
        if not _is_number(record[key]):
            raise ResultsError(f"{key} is {json.dumps(record[key])}, and must be a number")
    if not record["low_us"] <= record["us"] <= record["high_us"]:
        raise ResultsError("the median lies outside of its interval: low_us <= us <= high_us does not hold")
    return Measurement(**{key: value for key, value in record.items() if key in _NAMES[Measurement]})


def _environment_of(record: dict[str, Any]) -> Environment:
    if record.get("format") != FORMAT:
        raise ResultsError(f"format {record.get('format')!r}, and this mpico reads format {FORMAT}; measure again")
    missing = [key for key in ("place", "machine") if not isinstance(record.get(key), str)]
    if missing:
        raise ResultsError(f"an environment without {', '.join(missing)}; measure again with mpico bench")
    if record["place"] not in PLACES:
        raise ResultsError(f"unknown place '{record['place']}'; known are {', '.join(PLACES)}")
    known = {key: value for key, value in record.items() if key in _NAMES[Environment]}
    return Environment(**{**known, "launcher": tuple(known.get("launcher") or ())})


def _records(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise ResultsError(f"line {number}: no JSON; a results file has an object on each line") from None
        if not isinstance(record, dict) or record.get("record") not in ("environment", "measurement"):
            raise ResultsError(f"line {number}: neither an environment nor a measurement; write it with mpico bench")
        yield number, record


def parse_results(lines: Iterable[str]) -> Results:
    """Results from the lines of a file. Raises ResultsError, which names the line."""
    environment: Environment | None = None
    measurements: list[Measurement] = []
    for number, record in _records(lines):
        try:
            if record["record"] == "measurement":
                if not environment:
                    raise ResultsError("a measurement before the environment: which machine it is of is not known")
                measurements.append(measurement_of(record))
                continue
            found = _environment_of(record)
        except ResultsError as error:
            raise ResultsError(f"line {number}: {error}") from None
        if environment and found.where != environment.where:
            raise ResultsError(
                f"line {number}: mixed machines: {_say(environment)}, and then {_say(found)}; keep a file for each"
            )
        environment = environment or found
    if not environment:
        raise ResultsError("empty; write it with mpico bench")
    return Results(environment, tuple(measurements))


def _say(environment: Environment) -> str:
    return " ".join(word for word in environment.where if word)


def read_results(path: Path) -> Results:
    """The results file at `path`. Raises ResultsError, which names file and line."""
    try:
        with path.open(encoding="utf-8") as lines:
            return parse_results(lines)
    except OSError as error:
        raise ResultsError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ResultsError(f"{path}: this is no text; a results file is JSON lines, written by mpico bench") from None
    except ResultsError as error:
        raise ResultsError(f"{path}: {error}") from None


def write_record(out: TextIO, record: Environment | Measurement) -> None:
    """One line, on the disk when this returns: a run that is aborted later leaves it."""
    out.write(json.dumps(record.as_json()) + "\n")
    out.flush()


def write_results(path: Path, results: Results) -> None:
    """The whole file. Raises ResultsError when it cannot be written."""
    try:
        with path.open("w", encoding="utf-8") as out:
            write_record(out, results.environment)
            for measurement in results.measurements:
                write_record(out, measurement)
    except OSError as error:
        raise ResultsError(f"cannot write {path}: {error.strerror}") from None
