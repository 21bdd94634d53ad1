"""Parameter files of the performance model: TOML, written by `mpico model fit` and `mpico tune`, read by whatever predicts.

Times in microseconds, sizes in bytes. Two kinds of model: "ring-service", the ring paper's (Tables 6 to 9), and "loggp",
LogGP in pieces by message size (Alexandrov et al. 1995) with what this library adds. docs/model.md says what each means.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from . import parameters_text as text
from .parameter_types import (
    BEYOND_PAPER,
    SUMS,
    Allgather,
    Broadcast,
    Interval,
    LogGP,
    Model,
    Parameters,
    RingService,
    Segment,
    Unicast,
)

__all__ = [
    "SUMS",
    "Allgather",
    "Broadcast",
    "Interval",
    "LogGP",
    "Model",
    "Parameters",
    "ParametersError",
    "RingService",
    "Segment",
    "Unicast",
    "document",
    "parse_parameters",
    "read_parameters",
    "write_parameters",
]

FORMAT = 1


class ParametersError(Exception):
    """A parameter file cannot be read, or says what cannot be; the text is one sentence with the mend."""


Table = TypeVar("Table", Unicast, Broadcast, Allgather, Segment)


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise ParametersError(f"{where} is {value!r}, which must be a number of at least 0: fit it again")
    return value


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name)
    if not isinstance(table, dict):
        raise ParametersError(f"the table [{name}] is missing: write the file with `mpico model fit`")
    return table


def _check_keys(table: Mapping[str, Any], wanted: set[str], optional: set[str], name: str) -> None:
    for key in table.keys() - wanted - optional:
        raise ParametersError(f"[{name}] has an unknown key '{key}': known are {', '.join(sorted(wanted | optional))}")
    missing = sorted(wanted - table.keys())
    if missing:
        raise ParametersError(f"[{name}] lacks {', '.join(missing)}: write the file with `mpico model fit`")


def _ring_table(document: Mapping[str, Any], name: str, kind: type[Table]) -> tuple[Table, set[str]]:
    """One of the ring service's tables, and what of it is a sum."""
    table, sums = dict(_table(document, name)), set()
    for first, second in SUMS.get(name, ()):
        joint = f"{first}_and_{second}"
        if joint in table:
            if first in table or second in table:
                raise ParametersError(f"[{name}] has {joint} and one of its parts: keep the sum, or both parts")
            table |= {first: table.pop(joint), second: 0.0}
            sums.add(f"{name}.{first}+{second}")
    optional = BEYOND_PAPER.get(name, set())
    _check_keys(table, {f.name for f in fields(kind)} - optional, optional, name)
    values: dict[str, Any] = {key: _number(value, f"{name}.{key}") for key, value in table.items()}
    values |= {key: int(values[key]) for key in ("w_min", "w_max", "P_fill") if key in values}
    return kind(**values), sums


def _ring(document: Mapping[str, Any]) -> RingService:
    unicast, of_unicast = _ring_table(document, "unicast", Unicast)
    broadcast, of_broadcast = _ring_table(document, "broadcast", Broadcast)
    allgather, _ = _ring_table(document, "allgather", Allgather)
    return RingService(unicast, broadcast, allgather, frozenset(of_unicast | of_broadcast))


def _segment(table: Mapping[str, Any], where: str) -> Segment:
    _check_keys(table, {"from_bytes", "L_us"}, {f.name for f in fields(Segment)}, where)
    values: dict[str, Any] = {
        key: value if key == "rendezvous" else _number(value, f"{where}.{key}") for key, value in table.items()
    }
    if not isinstance(values.get("rendezvous", False), bool):
        raise ParametersError(f"{where}.rendezvous is {values['rendezvous']!r}: write true or false")
    whole = {"from_bytes": int(values["from_bytes"]), "copiers": int(values.get("copiers", 1))}
    return Segment(**values | whole)


def _loggp(document: Mapping[str, Any]) -> LogGP:
    table = dict(_table(document, "loggp"))
    rows = table.pop("segment", [])
    if not isinstance(rows, list) or not rows:
        raise ParametersError("[loggp] has no [[loggp.segment]]: write the file with `mpico model fit`")
    pieces = tuple(_segment(row, f"loggp.segment[{index}]") for index, row in enumerate(rows))
    starts = [piece.from_bytes for piece in pieces]
    if starts[0] != 0 or starts != sorted(set(starts)):
        raise ParametersError(f"from_bytes of the segments are {starts}: they must begin at 0 and ascend")
    _check_keys(table, {"processors"}, {f.name for f in fields(LogGP)} - {"segments"}, "loggp")
    values: dict[str, Any] = {key: _number(value, f"loggp.{key}") for key, value in table.items()}
    return LogGP(segments=pieces, **values | {"processors": int(values["processors"])})


def _intervals(document: Mapping[str, Any]) -> dict[str, dict[str, Interval]]:
    found: dict[str, dict[str, Interval]] = {}
    for name, table in document.get("interval", {}).items():
        table = dict(table)
        for index, row in enumerate(table.pop("segment", [])):
            found[f"{name}.segment.{index}"] = {key: (low, high) for key, (low, high) in row.items()}
        found[name] = {key: (low, high) for key, (low, high) in table.items()}
    return found


def parse_parameters(document: Mapping[str, Any]) -> Parameters:
    """The model of a parsed TOML document. Raises ParametersError."""
    if document.get("format") != FORMAT:
        raise ParametersError(
            f"format is {document.get('format')!r}, known is {FORMAT}: fit it again with this version"
        )
    readers: dict[str, Callable[[Mapping[str, Any]], Model]] = {"ring-service": _ring, "loggp": _loggp}
    if document.get("kind") not in readers:
        raise ParametersError(f"kind is {document.get('kind')!r}: known are {' and '.join(readers)}")
    try:
        intervals = _intervals(document)
    except (TypeError, ValueError, AttributeError):
        raise ParametersError("an entry of [interval] is no pair [low, high]: fit it again, or remove it") from None
    about = {key: str(document.get(key, "")) for key in ("machine", "place", "date", "source")}
    return Parameters(readers[document["kind"]](document), intervals=intervals, **about)


def read_parameters(path: Path) -> Parameters:
    """The parameter file `path`. Raises ParametersError, with the path in the sentence."""
    try:
        return parse_parameters(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ParametersError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParametersError(f"{path} is no TOML: {error}") from None
    except ParametersError as error:
        raise ParametersError(f"{path}: {error}") from None


def _ring_tables(model: RingService) -> dict[str, dict[str, Any]]:
    tables = {name: asdict(getattr(model, name)) for name in ("unicast", "broadcast", "allgather")}
    for joint in model.sums:
        name, pair = joint.split(".")
        first, second = pair.split("+")
        tables[name].pop(second)
        tables[name][f"{first}_and_{second}"] = tables[name].pop(first)
    return tables


def _loggp_table(model: LogGP) -> dict[str, Any]:
    values = {key: value for key, value in asdict(model).items() if value is not None and key != "segments"}
    return values | {"segment": [asdict(piece) for piece in model.segments]}


def _interval_tables(intervals: Mapping[str, Mapping[str, Interval]]) -> dict[str, Any]:
    tables: dict[str, Any] = {name: dict(table) for name, table in intervals.items() if ".segment." not in name}
    for name in sorted(intervals.keys() - tables.keys(), key=lambda n: int(n.rsplit(".", 1)[1])):
        tables.setdefault(name.split(".")[0], {}).setdefault("segment", []).append(dict(intervals[name]))
    return tables


def document(parameters: Parameters) -> dict[str, Any]:
    """What the file holds, as parse_parameters takes it (and --json prints it)."""
    about = {key: getattr(parameters, key) for key in ("machine", "place", "date", "source")}
    model = parameters.model
    tables = _ring_tables(model) if isinstance(model, RingService) else {"loggp": _loggp_table(model)}
    whole = {"format": FORMAT, "kind": parameters.kind, **about, **tables}
    return whole | ({"interval": _interval_tables(parameters.intervals)} if parameters.intervals else {})


def write_parameters(parameters: Parameters, path: Path) -> None:
    """Write the file. Raises ParametersError when it cannot be."""
    try:
        path.write_text(text.toml(document(parameters)), encoding="utf-8")
    except OSError as error:
        raise ParametersError(f"cannot write {path}: {error.strerror}") from None
