"""What the report shows of one run: tables, pictures and verdicts, by the modules of its subcommand or by what records say."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .report_records import GOOD, Record, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = tuple[str, list[str], list[list[str]]]
"""Title, header, rows."""
MOST_ROWS, MOST_LIST = 40, 6
"""Of a table made of records: rows, and numbers of a list in one cell."""


@dataclass(frozen=True)
class Verdict:
    """A thing that was to be kept."""

    what: str
    kept: bool | None
    """None: not judged."""
    detail: str


def module_of(subcommand: str, kind: str) -> ModuleType | None:
    """The module of a subcommand's tables ("text") or pictures ("figures"), or None where there is none."""
    if not subcommand.isidentifier():
        return None
    name = f"{__package__}.{subcommand}_{kind}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise


def _asked(subcommand: str, kind: str, function: str, records: Sequence[Record]) -> list[Any] | None:
    module = module_of(subcommand, kind)
    ask = getattr(module, function, None)
    return None if ask is None else list(ask(list(records)))


def cell(value: object) -> str:
    """A value of a record as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        shown = " ".join(cell(v) for v in value[:MOST_LIST])
        return f"{shown} ... ({len(value)})" if len(value) > MOST_LIST else shown
    return "-" if value is None else str(value)


def ms(seconds: float | None) -> str:
    """Milliseconds, four digits."""
    return "-" if seconds is None else f"{1e3 * seconds:.4g}"


def tenths(value: float | None) -> str:
    """One place behind the point."""
    return "-" if value is None else f"{value:.1f}"


def generic_tables(records: Sequence[Record]) -> list[Table]:
    """A table for each kind of record but the environment; a column a key."""
    kinds = dict.fromkeys(str(r.get("record")) for r in records)
    tables = []
    for kind in kinds:
        if kind == "environment":
            continue
        those = [r for r in records if r.get("record") == kind]
        keys = list(dict.fromkeys(key for r in those for key in r if key != "record"))
        rows = [[cell(r.get(key)) for key in keys] for r in those[:MOST_ROWS]]
        left = f" (the first {MOST_ROWS} of {len(those)})" if len(those) > MOST_ROWS else ""
        tables.append((f"{kind}{left}", keys, rows))
    return tables


def tables(run: Run) -> list[Table]:
    """The run's tables. An error of a module is shown in their place."""
    try:
        found = _asked(run.subcommand, "text", "tables", run.records)
    except Exception as error:
        return [(f"tables of {run.subcommand} failed: {error!r}", [], []), *generic_tables(run.records)]
    return generic_tables(run.records) if found is None else found


def figures(run: Run) -> tuple[list[tuple[str, Figure]], str]:
    """The run's pictures, and what was wrong with making them, mostly nothing. Imports matplotlib."""
    try:
        return _asked(run.subcommand, "figures", "figures", run.records) or [], ""
    except Exception as error:
        return [], f"pictures of {run.subcommand} failed: {error!r}"


def generic_verdicts(records: Sequence[Record]) -> list[Verdict]:
    """Deadlines by the keys `missed` and `periods`, results by `wrong`, of the records that have a `miss_bound` or no sum above them."""
    found = []
    for r in records:
        name = str(r.get("record"))
        if isinstance(r.get("missed"), int) and "miss_bound" in r:
            period = f" at a period of {1e3 * r['period_s']:.4g} ms" if isinstance(r.get("period_s"), float) else ""
            detail = f"{r['missed']} of {r.get('periods', '?')} missed"
            if r["missed"] == 0 and isinstance(r["miss_bound"], float):
                sure = f" with {100 * r['confidence']:g} % confidence" if "confidence" in r else ""
                detail += f"; under {100 * r['miss_bound']:.3g} % are{sure}"
            found.append(Verdict(f"{name}: all deadlines kept{period}", r["missed"] == 0, detail))
        for key in [k for k in ("wrong", "corrupt") if isinstance(r.get(k), int)]:
            found.append(Verdict(f"{name}: nothing {key}", r[key] == 0, f"{r[key]} {key}"))
    return found


def _own_verdicts(run: Run) -> list[Verdict]:
    try:
        found = _asked(run.subcommand, "text", "verdicts", run.records)
    except Exception as error:
        return [Verdict(f"verdicts of {run.subcommand} can be given", False, repr(error))]
    return generic_verdicts(run.records) if found is None else [Verdict(*v) for v in found]


def verdicts(run: Run) -> list[Verdict]:
    """The run's verdicts; the first is whether it came to its end, or by its exit status failed in what no other verdict names."""
    if not run.finished:
        return [Verdict("ran to its end", False, f"{run.outcome}: {run.message or 'it said nothing'}")]
    if not any(r.get("record") != "environment" for r in run.records):
        return [Verdict("printed records", False, f"there are none in {run.name}.jsonl; run it again")]
    own = _own_verdicts(run)
    first = Verdict("ran to its end", True, f"{run.seconds:.1f} s")
    if run.status != GOOD and not any(v.kept is False for v in own):
        own.append(Verdict("all deadlines kept and results right", False, run.message or f"exit status {run.status}"))
    return [first, *own]
