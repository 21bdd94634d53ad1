"""The simulated Paragon: variants of its machine file, and runs of the real-time suite on them.

A variant is the text of machines/paragon-line.toml with some values changed, written to a temporary file: other packet sizes
(Table 4.3), the operating system before its strong-order patch, no message coprocessor, SUNMOS.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..places import PlaceError, machine_file, program

MACHINE = "paragon-line"
TIMEOUT_S = 1200.0
MISSED = 1
"""Exit status of a benchmark whose result is that deadlines were missed."""

Record = dict[str, Any]

BEFORE_PATCH = 0.84
"""Of the present cost of a packet: 86 MB/s before the strong-order patch (Table 4.1), where it is 73 to 75 after it."""


class RunError(Exception):
    """A run failed; the text holds its command and what it said."""


@dataclass(frozen=True)
class Variant:
    """Changes of the machine file: values by key (each key stands once in it), and whether it pauses."""

    values: Mapping[str, str] = field(default_factory=dict)
    pauses: bool = True


@dataclass(frozen=True)
class Run:
    """`mpiexec --machine VARIANT -n ranks realtime WORDS`; a word "FILE" stands for a file of that text."""

    name: str
    ranks: int
    words: tuple[str, ...]
    variant: Variant = Variant()
    file: str = ""


def number(text: str, key: str) -> float:
    """The number that stands behind `key` in a machine file. Raises KeyError."""
    found = re.search(rf"(?m)^{key} = ([-+.\w]+)", text)
    if not found:
        raise KeyError(key)
    return float(found[1])


def machine_text(text: str, variant: Variant) -> str:
    """The machine file with the variant's values. Raises KeyError for a key that does not stand there once."""
    for key, value in variant.values.items():
        text, count = re.subn(rf"(?m)^{key} = [^#\n]*", f"{key} = {value} ", text)
        if count != 1:
            raise KeyError(key)
    return text if variant.pauses else re.sub(r"(?s)^\[pauses\].*", "", text, flags=re.MULTILINE)


def with_packets(packet_bytes: int) -> Variant:
    """Another packet size, for Table 4.3."""
    return Variant({"packet_max_bytes": str(packet_bytes)})


def before_patch(text: str, coprocessor: bool) -> Variant:
    """OSF/1 R1.2.1: without the strong-order patch, with or without the message coprocessor."""
    values = {key: f"{BEFORE_PATCH * number(text, key):.6g}" for key in ("packet", "packet_byte")}
    return Variant(values if coprocessor else values | {"progress": '"interrupts"'})


def sunmos() -> Variant:
    """SUNMOS without a coprocessor: whole messages, flit by flit, no packets, no pauses."""
    values = {"packet": "0", "packet_byte": "0", "packet_unaligned": "0", "packet_max_bytes": "0", "wormhole": "true"}
    return Variant(values | {"buffer_flits": "8", "progress": '"interrupts"'}, pauses=False)


def base_text() -> str:
    """The machine file as it is shipped. Raises PlaceError."""
    file = machine_file(MACHINE)
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise PlaceError(f"cannot read {file}: {error.strerror}; install mpico again") from None


def parse(text: str) -> list[Record]:
    """The records of a run's standard output, one JSON object a line. Raises ValueError."""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _words(words: Sequence[str], pattern: Path) -> list[str]:
    return [str(pattern) if word == "FILE" else word for word in words]


def carry_out(run: Run, text: str) -> list[Record]:
    """The run's records, on the variant of the machine file `text`. Raises PlaceError, RunError."""
    mpiexec = program("bin/mpiexec", "build it first: make build")
    suite = program("lib/mpico/bench/realtime", "build it first: make build")
    with tempfile.TemporaryDirectory() as folder:
        machine, pattern = Path(folder) / "paragon.toml", Path(folder) / "pattern"
        machine.write_text(machine_text(text, run.variant), encoding="utf-8")
        pattern.write_text(run.file, encoding="utf-8")
        command = [str(mpiexec), "--machine", str(machine), "-n", str(run.ranks), str(suite)]
        command += _words(run.words, pattern)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            raise RunError(
                f"{run.name}: took longer than {TIMEOUT_S:.0f} s on this host: {' '.join(command)}"
            ) from None
    if done.returncode not in (0, MISSED):
        raise RunError(f"{run.name}: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[:500]}")
    try:
        records = parse(done.stdout)
    except ValueError:
        raise RunError(f"{run.name}: {' '.join(command)} printed no records: {done.stdout[:200]}") from None
    if len(records) < 2:  # the first is the environment
        raise RunError(f"{run.name}: {' '.join(command)} measured nothing: {done.stderr.strip()[:500]}")
    return records


def record_of(records: Sequence[Record], kind: str) -> Record:
    """The first record of that kind. Raises RunError when there is none."""
    for record in records:
        if record.get("record") == kind:
            return record
    raise RunError(f"a run printed no record '{kind}'; build the suite again: make build")
