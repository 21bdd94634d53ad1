"""Runs of `realtime chain`, the test bench of section 5 of the report: minimum periods, and what of the communication is hidden.

For Tables 5.1 and 5.2:

    place = Where(machine="paragon-line")           # or a machine's file; mpiexec= and program= for other libraries
    for row in single_nodes(place): row.configuration, row.without_s, row.with_s, row.mflops, row.mb_per_s, row.hidden
    for row in pipelines(place): row.configuration, row.with_s, row.mflops
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..places import PlaceError, prefix
from .grid_runs import Where

FOLDER = "share/mpico/bench/realtime/chain"
TIMEOUT_S = 1800.0
GOOD, MISSED = 0, 1

SINGLE_NODES = {"FFT": "fft", "CT": "ct", "FFT+CT": "fft-ct"}
"""Rows of Table 5.1 and their description files."""
PIPELINES = {"FFT+CT->FFT": "fft-ct--fft", "FFT->CT->FFT": "fft--ct--fft"}
"""Rows of Table 5.2 and their description files."""
FINE = ("--width", "0.002")
"""For places whose time is virtual: a period to 0.2 %."""

Record = Mapping[str, Any]


class ChainError(Exception):
    """A run cannot be, or what it printed cannot be understood; the text is a sentence, perhaps with a line and a caret below."""


@dataclass(frozen=True)
class Row:
    """A row of Table 5.1 or 5.2. Periods in seconds; None: not sought."""

    configuration: str
    with_s: float
    without_s: float | None
    communication_s: float | None
    """Of messages alone, receiving and sending a block one after the other."""
    mflops: float
    """With data flow, 5 N log2 N for each row, of the node that computes most; 0 where none computes."""
    mb_per_s: float
    """With data flow, the block's bytes once, in 10^6 bytes a second."""
    wrong: int
    """Blocks that the sink found wrong."""

    @property
    def hidden(self) -> float | None:
        """Share of the communication that costs no time; above 0.9 it hardly counts. None where it was not sought."""
        if self.without_s is None or not self.communication_s:
            return None
        return 1 - (self.with_s - self.without_s) / self.communication_s


def description(name: str) -> Path:
    """The file of a shipped chain, or `name` itself where it is a path. Raises PlaceError."""
    if "/" in name or name.endswith(".chain"):
        return Path(name)
    folder = prefix() / FOLDER
    path = folder / f"{name}.chain"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.chain"))) or "none"
        raise PlaceError(
            f"there is no chain '{name}' in {folder}; there are: {there} (or give a file, as in ./{name}.chain)"
        )
    return path


def ranks_of(path: Path) -> int:
    """Nodes of a chain, and source and sink. Raises PlaceError when the file cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise PlaceError(f"cannot read {path}: {error.strerror}; give a description file") from None
    return sum(line.split()[:1] == ["node"] for line in lines) + 2


def records_of(text: str) -> list[dict[str, Any]]:
    """The JSON lines of a run; lines that are none are left out."""
    records = []
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "record" in record:
            records.append(record)
    return records


def run(where: Where, path: Path, options: Sequence[str]) -> list[dict[str, Any]]:
    """The records of one run of a description file, the environment first.

    Missed deadlines and wrong blocks are no error: the records have them. Raises PlaceError when a program or the file is missing,
    ChainError when the run refuses (with its sentence) or fails.
    """
    words = [*where.command(ranks_of(path)), "chain", str(path), *options]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    except OSError as error:
        raise ChainError(f"cannot start {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ChainError(f"no end after {TIMEOUT_S:.0f} s: {' '.join(words)}") from None
    records = records_of(done.stdout)
    if done.returncode in (GOOD, MISSED) and any(record["record"] == "chain" for record in records):
        return records
    said = done.stderr.strip()
    if "realtime chain: " in said:
        said = said.split("realtime chain: ", 1)[1].split("\nmpiexec:", 1)[0]
    raise ChainError(said or f"status {done.returncode}: {' '.join(words)}")


def only(records: Sequence[Record], kind: str) -> Record:
    """The last record of a kind. Raises ChainError when there is none."""
    found = [record for record in records if record["record"] == kind]
    if not found:
        raise ChainError(f"a run printed no record '{kind}'; build the program again, or look at its deadlines")
    return found[-1]


def _kept(record: Record, configuration: str) -> Record:
    if not record["kept"]:
        raise ChainError(
            f"{configuration}: no period up to {record['period_s']:.4g} s was kept; the machine pauses too often"
        )
    return record


def single_node(where: Where, name: str, options: Sequence[str] = FINE) -> Row:
    """A row of Table 5.1, by a key of SINGLE_NODES: three searches. Raises PlaceError, ChainError."""
    return measure_hidden(where, name, description(SINGLE_NODES[name]), options)


def measure_hidden(where: Where, title: str, path: Path, options: Sequence[str]) -> Row:
    """Minimum periods of a chain with and without data flow and of its messages alone. Raises PlaceError, ChainError."""
    records = run(where, path, [*options, "--hidden"])
    for record in records:
        if record["record"] == "chain":
            _kept(record, title)
    found = only(records, "hidden")
    wrong = sum(int(record["wrong"]) for record in records if record["record"] == "chain")
    periods = (float(found["with_flow_s"]), float(found["without_flow_s"]), float(found["communication_s"]))
    return Row(title, *periods, float(found["mflops"]), float(found["mb_per_s"]), wrong)


def pipeline(where: Where, name: str, options: Sequence[str] = FINE) -> Row:
    """A row of Table 5.2, by a key of PIPELINES: one search, with data flow. Raises PlaceError, ChainError."""
    found = _kept(only(run(where, description(PIPELINES[name]), options), "chain"), name)
    rates = (float(found["mflops"]), float(found["mb_per_s"]), int(found["wrong"]))
    return Row(name, float(found["period_s"]), None, None, *rates)


def single_nodes(where: Where, options: Sequence[str] = FINE) -> list[Row]:
    """Table 5.1: FFT, CT and FFT+CT. `options` of realtime chain, as ("--overlap-sends",). Raises PlaceError, ChainError."""
    return [single_node(where, name, options) for name in SINGLE_NODES]


def pipelines(where: Where, options: Sequence[str] = FINE) -> list[Row]:
    """Table 5.2: FFT+CT->FFT and FFT->CT->FFT. Raises PlaceError, ChainError."""
    return [pipeline(where, name, options) for name in PIPELINES]
