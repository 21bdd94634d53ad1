"""`mpico trace summary` on traces made by hand, whose numbers are known."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("rich")

from mpico.trace import app
from mpico.trace_analysis import TraceError, critical_path, read_trace, summarise
from typer.testing import CliRunner

Event = dict[str, Any]


def head(ranks: int) -> list[Event]:
    args = {"version": 1, "ranks": ranks, "clock": "virtual"}
    return [{"ph": "M", "pid": 1, "tid": 0, "name": "mpico_trace", "args": args}]


def piece(rank: int, start: float, end: float, name: str, cat: str = "call", **args: object) -> Event:
    return {
        "ph": "X",
        "pid": 1,
        "tid": rank + 1,
        "ts": start,
        "dur": end - start,
        "name": name,
        "cat": cat,
        "args": args,
    }


def message(
    key: str, sender: int, sent: float, receiver: int, came: float, size: int, cat: str = "message"
) -> list[Event]:
    common: Event = {"pid": 1, "name": cat, "cat": cat, "id": key}
    return [
        {**common, "ph": "s", "tid": sender + 1, "ts": sent, "args": {"to": receiver, "tag": 0, "bytes": size}},
        {**common, "ph": "f", "tid": receiver + 1, "ts": came, "args": {"from": sender, "tag": 0, "bytes": size}},
    ]


def two_ranks() -> list[Event]:
    """Rank 0 computes from 0 to 40 after MPI_Init, sends; rank 1 waits for it from 5 on, and answers.

    0: Init 0-1, computes, Send 40-42 (leaves at 41), Recv 42-70 waits 43-65 (ended at 64), Finalize 80-100.
    1: Init 0-2, Recv 5-52 waits 6-50 (ended at 49), computes, Send 58-60 (leaves at 59), Finalize 60-62.
    """
    return [
        *head(2),
        piece(0, 0, 1, "MPI_Init"),
        piece(0, 40, 42, "MPI_Send"),
        piece(0, 42, 70, "MPI_Recv"),
        piece(0, 43, 65, "wait", "wait"),
        piece(0, 80, 100, "MPI_Finalize"),
        piece(1, 0, 2, "MPI_Init"),
        piece(1, 5, 52, "MPI_Recv"),
        piece(1, 6, 50, "wait", "wait"),
        piece(1, 58, 60, "MPI_Send"),
        piece(1, 60, 62, "MPI_Finalize"),
        *message("0x1", 0, 41, 1, 49, 100),
        *message("0x2", 1, 59, 0, 64, 8),
    ]


def written(tmp_path: Path, events: object) -> Path:
    path = tmp_path / "trace.json"
    path.write_text(events if isinstance(events, str) else json.dumps(events))
    return path


def test_times_of_ranks_and_calls(tmp_path: Path) -> None:
    s = summarise(read_trace(written(tmp_path, two_ranks())))
    zero, one = s.per_rank
    assert (s.clock, s.ranks, s.length_us) == ("virtual", 2, 100)
    assert (zero.span_us, zero.calls_us, zero.computing_us, zero.waiting_us) == (100, 51, 49, 22)
    assert (one.span_us, one.calls_us, one.computing_us, one.waiting_us) == (62, 53, 9, 44)
    assert [(c.name, c.count, c.total_us, c.share) for c in zero.calls] == [
        ("MPI_Recv", 1, 28, 0.28),
        ("MPI_Finalize", 1, 20, 0.2),
        ("MPI_Send", 1, 2, 0.02),
        ("MPI_Init", 1, 1, 0.01),
    ]
    assert (zero.sent_messages, zero.sent_bytes, zero.received_messages, zero.received_bytes) == (1, 100, 1, 8)
    assert (one.sent_messages, one.sent_bytes, one.received_messages, one.received_bytes) == (1, 8, 1, 100)


def test_critical_path_goes_to_the_sender_of_what_was_awaited(tmp_path: Path) -> None:
    path = critical_path(read_trace(written(tmp_path, two_ranks())), 100)
    assert (path.length_us, path.hops) == (100, 2)
    # 0: 64-100, of it 70-80 computing; flight 59-64; 1: 49-59, of it 52-58 computing; flight 41-49; 0: 0-41, 1-40 computing.
    assert path.by_kind_us == {"computing": 10 + 6 + 39, "in calls": 26 + 4 + 2, "waiting": 0, "in flight": 5 + 8}
    assert path.by_rank_us == {0: 36 + 41, 1: 10}
    got = sorted((s.from_us, s.until_us, s.kind, s.what) for s in path.longest)
    assert got == [
        (0, 1, "in calls", "rank 0: MPI_Init"),
        (1, 40, "computing", "rank 0"),
        (40, 41, "in calls", "rank 0: MPI_Send"),
        (41, 49, "in flight", "rank 0 to 1"),
        (49, 52, "in calls", "rank 1: MPI_Recv"),
        (52, 58, "computing", "rank 1"),
        (58, 59, "in calls", "rank 1: MPI_Send"),
        (59, 64, "in flight", "rank 1 to 0"),
        (64, 70, "in calls", "rank 0: MPI_Recv"),
        (70, 80, "computing", "rank 0"),
        (80, 100, "in calls", "rank 0: MPI_Finalize"),
    ]
    assert [s.length_us for s in critical_path(read_trace(tmp_path / "trace.json"), 2).longest] == [39, 20]


def test_a_message_that_nobody_waited_for_is_not_on_the_path(tmp_path: Path) -> None:
    """It came while rank 1 was computing: rank 1 itself is why the job took so long."""
    events = [
        *head(2),
        piece(0, 0, 3, "MPI_Send"),
        piece(1, 0, 1, "MPI_Init"),
        piece(1, 90, 92, "MPI_Recv"),
        *message("0x1", 0, 2, 1, 91, 4),
    ]
    path = critical_path(read_trace(written(tmp_path, events)), 10)
    assert (path.hops, path.by_rank_us) == (0, {1: 92})


def test_a_rank_that_forwards_within_its_wait(tmp_path: Path) -> None:
    """A schedule passes a message on from the progress loop: the send is before the end of the wait that led to it."""
    events = [
        *head(3),
        piece(0, 0, 12, "MPI_Bcast"),
        piece(1, 0, 30, "MPI_Bcast"),
        piece(1, 1, 25, "wait", "wait"),
        piece(2, 0, 60, "MPI_Bcast"),
        piece(2, 1, 55, "wait", "wait"),
        *message("0x1", 0, 10, 1, 20, 4),
        *message("0x2", 1, 22, 2, 50, 4),
    ]
    path = critical_path(read_trace(written(tmp_path, events)), 10)
    assert path.hops == 2
    assert path.by_rank_us == {0: 10, 1: 2, 2: 10}
    assert path.by_kind_us["in flight"] == 10 + 28


def test_a_wait_that_never_ended_is_waiting(tmp_path: Path) -> None:
    events = [
        *head(1),
        piece(0, 0, 1, "MPI_Init"),
        piece(0, 10, 100, "MPI_Recv", unfinished=True),
        piece(0, 11, 100, "wait", "wait", unfinished=True),
    ]
    s = summarise(read_trace(written(tmp_path, events)))
    assert s.unfinished == 2
    assert s.critical_path.by_kind_us == {"computing": 9, "in calls": 2, "waiting": 89, "in flight": 0}


def test_merged_calls_and_dropped_records_count(tmp_path: Path) -> None:
    full = {"ph": "i", "pid": 1, "tid": 1, "ts": 9, "s": "t", "name": "the trace is full", "args": {"dropped": 7}}
    events = [*head(1), piece(0, 0, 9, "MPI_Test", calls=40), piece(0, 9.5, 10, "MPI_Test"), full]
    s = summarise(read_trace(written(tmp_path, events)))
    assert s.dropped == 7
    assert [(c.name, c.count) for c in s.per_rank[0].calls] == [("MPI_Test", 41)]


def test_order_in_the_file_does_not_matter(tmp_path: Path) -> None:
    forward = summarise(read_trace(written(tmp_path, two_ranks())))
    assert summarise(read_trace(written(tmp_path, two_ranks()[::-1]))) == forward


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        ("{", "is no JSON"),
        ("[]", "has no event of any rank"),
        ("3", "is no list of events"),
        ('[{"ph":"X","pid":1,"tid":1}]', "has an event that mpiexec does not write"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, contents: str, why: str) -> None:
    path = written(tmp_path, contents)
    with pytest.raises(TraceError, match=why):
        read_trace(path)
    result = CliRunner().invoke(app, ["summary", str(path)])
    assert result.exit_code == 1
    assert why in result.output


def test_command_prints_tables_or_json(tmp_path: Path) -> None:
    path = written(tmp_path, two_ranks())
    text = CliRunner().invoke(app, ["summary", str(path)])
    assert text.exit_code == 0
    assert "Critical path: 100.000 us" in text.output
    assert "MPI_Finalize" in text.output
    result = CliRunner().invoke(app, ["summary", "--json", "--longest", "1", str(path)])
    data = json.loads(result.output)
    assert data["critical_path"]["by_kind_us"]["in flight"] == 13
    assert len(data["critical_path"]["longest"]) == 1
    assert data["per_rank"][1]["calls"][0]["name"] == "MPI_Recv"
