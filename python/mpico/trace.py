"""`mpico trace`: what a trace of mpiexec --trace says in numbers.

The computing is in trace_analysis.py; this is the command and its tables.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from .trace_analysis import KINDS, RankSummary, TraceError, TraceSummary, read_trace, summarise

app = typer.Typer(help="Read traces that mpiexec --trace has written.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Read traces that mpiexec --trace has written."""


def _time(us: float) -> str:
    """A time for people, from microseconds."""
    for unit, scale in (("s", 1e6), ("ms", 1e3), ("us", 1.0)):
        if abs(us) >= scale:
            return f"{us / scale:.3f} {unit}"
    return f"{us * 1e3:.3f} ns"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole > 0 else "-"


def _part(part: float, whole: float) -> str:
    return f"{_time(part)} {100 * part / whole if whole > 0 else 0:3.0f} %"


def _rank_table(ranks: list[RankSummary]) -> Table:
    table = Table(title="Ranks")
    for name in ("rank", "time", "computing", "in calls", "of it waiting"):
        table.add_column(name, justify="right", no_wrap=True)
    for r in ranks:
        parts = (_part(us, r.span_us) for us in (r.computing_us, r.calls_us, r.waiting_us))
        table.add_row(str(r.rank), _time(r.span_us), *parts)
    return table


def _message_table(ranks: list[RankSummary]) -> Table:
    table = Table(title="Messages")
    for name in ("rank", "sent", "bytes", "received", "bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    for r in ranks:
        table.add_row(*map(str, (r.rank, r.sent_messages, r.sent_bytes, r.received_messages, r.received_bytes)))
    return table


def _call_table(ranks: list[RankSummary]) -> Table:
    table = Table(title="Calls")
    for name in ("rank", "call", "count", "total", "share"):
        table.add_column(name, justify="left" if name == "call" else "right")
    for r in ranks:
        for i, c in enumerate(r.calls):
            table.add_row(
                str(r.rank) if i == 0 else "", c.name, str(c.count), _time(c.total_us), _share(c.total_us, r.span_us)
            )
        table.add_section()
    return table


def _path_tables(s: TraceSummary) -> list[Table]:
    path = s.critical_path
    kinds = Table(title=f"Critical path: {_time(path.length_us)}")
    for name in ("kind", "time", "share"):
        kinds.add_column(name, justify="left" if name == "kind" else "right")
    for kind in KINDS:
        kinds.add_row(kind, _time(path.by_kind_us[kind]), _share(path.by_kind_us[kind], path.length_us))
    ranks = Table(title="Critical path by rank")
    for name in ("rank", "time", "share"):
        ranks.add_column(name, justify="right")
    for rank, us in sorted(path.by_rank_us.items(), key=lambda item: (-item[1], item[0])):
        ranks.add_row(str(rank), _time(us), _share(us, path.length_us))
    longest = Table(title="Its longest segments")
    for name in ("from", "to", "time", "kind", "what"):
        longest.add_column(name, justify="left" if name in ("kind", "what") else "right")
    for seg in path.longest:
        longest.add_row(_time(seg.from_us), _time(seg.until_us), _time(seg.length_us), seg.kind, seg.what)
    return [kinds, ranks, longest]


def _print(s: TraceSummary) -> None:
    console = Console()
    clock = "in the simulated machine's time" if s.clock == "virtual" else "in real time"
    console.print(f"{_count(s.ranks, 'rank')}, {_time(s.length_us)} {clock}")
    if s.dropped:
        console.print(f"[bold]The trace was full: its last {s.dropped} records are missing here.[/bold]")
    if s.unfinished:
        console.print(f"{s.unfinished} calls, waits and messages had not ended when the job did.")
    console.print(_rank_table(s.per_rank))
    console.print(_message_table(s.per_rank))
    console.print(_call_table(s.per_rank))
    hops = _count(s.critical_path.hops, "message")
    console.print(f"The critical path follows {hops} from the last event back to the first.")
    for table in _path_tables(s):
        console.print(table)


@app.command()
def summary(
    file: Annotated[Path, typer.Argument(help="What mpiexec --trace has written.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
    longest: Annotated[int, typer.Option(min=0, help="Segments of the critical path to list.")] = 10,
) -> None:
    """Times of each rank and call, and the critical path: the chain of work and messages that made the job last so long."""
    try:
        result = summarise(read_trace(file), longest)
    except TraceError as error:
        typer.echo(f"mpico trace: {file}: {error}", err=True)
        raise typer.Exit(1) from None
    if as_json:
        typer.echo(json.dumps(asdict(result)))
    else:
        _print(result)
