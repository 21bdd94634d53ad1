"""The real-time suite as its users meet it: what is refused before a run, what one line of a summary says, pictures and tables."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("matplotlib")

from click.testing import Result
from mpico.main import app
from mpico.realtime import grid_figures, grid_text, hartstone_figures, pairs_text, pmp_figures, report_parts
from mpico.realtime.grid_runs import GridError, Where
from mpico.realtime.picture_file import check_picture
from mpico.realtime.report import Report, Section
from mpico.realtime.report_parts import Verdict
from mpico.realtime.report_records import Run, Suite
from mpico.realtime.run_suite import benchmarks
from typer.testing import CliRunner

INDEX = {"record": "realtime-suite", "format": 1, "suite": "quick", "place": "a", "date": "now", "load": 0.5, "cpus": 2}
RUN = {"name": "pauses", "subcommand": "pauses", "ranks": 2, "status": 0, "seconds": 1.0, "message": ""}
GRID = {
    **{"record": "grid", "chain": "fft2d", "stages": 3, "turn": "alltoall", "lines": 2, "rows": 64, "columns": 128},
    **{"kept": True, "period_s": 0.004, "periods": 60, "missed": 0, "miss_bound": 0.05, "confidence": 0.95},
    **{"latency_worst_s": 0.011, "latency_mean_s": 0.01, "mflops": 50.0, "results": 70, "results_wrong": 0},
    **{"error": 1e-7, "error_most": 1e-5},
}
STAGE = {
    **{"record": "grid-stage", "stage": 1, "name": "f", "places": 2, "flops": 1000, "bytes_sent": 99},
    **{"work_mean_s": 0.002, "work_worst_s": 0.003, "late": 0},
}

BUILD = Path(os.environ.get("MPICO_PREFIX") or os.environ.get("MPICO_BUILD") or "build").resolve()


def mpico(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200", "MPICO_PREFIX": str(BUILD)})


def script(folder: Path, text: str) -> list[str]:
    """Options that have the suite run by a shell script."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return ["--mpiexec", str(path), "--program", str(path)]


# ---- refused, in a sentence ----


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--suite", "long"], "--suite is quick or full, not 'long'"),
        (["--mpiexec", 'mpiexec "-n', "--program", "x"], "close the quotation"),
        (["--mpiexec", "/no/launcher", "--program", sys.executable], "cannot start /no/launcher: No such file"),
    ],
)
def test_what_cannot_be_run_is_refused(options: list[str], says: str, tmp_path: Path) -> None:
    done = mpico("realtime", "run", "--out", str(tmp_path / "out"), *options)
    assert done.exit_code == 2 and says in done.stderr and "Errno" not in done.stderr


def test_a_program_that_is_not_the_suite_is_refused(tmp_path: Path) -> None:
    done = mpico("realtime", "run", "--out", str(tmp_path / "out"), *script(tmp_path, "exit 0"))
    assert done.exit_code == 2 and "names no benchmarks" in done.stderr


def test_an_out_that_is_a_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("")
    done = mpico("realtime", "run", "--out", str(out), *script(tmp_path, "exit 0"))
    assert done.exit_code == 2 and "name another folder by --out" in done.stderr and "Errno" not in done.stderr


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ({**INDEX, "load": "high", "launcher": [], "runs": []}, "'load' is 'high'"),
        ({**INDEX, "launcher": [], "runs": [{**RUN, "status": "good", "command": []}]}, "'status' is 'good'"),
        ({**INDEX, "launcher": [], "runs": [{"name": "pauses"}]}, "'subcommand' is missing"),
        ([], "cannot be understood"),
    ],
)
def test_an_index_of_wrong_kinds_is_refused(index: object, says: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(index))
    done = mpico("realtime", "report", str(tmp_path))
    assert done.exit_code == 2 and says in done.stderr and "Error" not in done.stderr


@pytest.mark.parametrize(
    "command", [("realtime", "scaling"), ("realtime", "granularity"), ("realtime", "sar"), ("pmp", "contention", "8")]
)
@pytest.mark.parametrize(
    ("name", "says"), [("no/a.png", "there is no folder"), ("a.doc", "end its name in .pdf, .png or .svg")]
)
def test_a_picture_that_cannot_be_written_is_refused_before_the_runs(
    command: tuple[str, ...], name: str, says: str, tmp_path: Path
) -> None:
    done = mpico(*command, "--figure", str(tmp_path / name))
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith(f"mpico {' '.join(command[:2])}: ") and says in done.stderr


def test_pictures_may_be_written_over(tmp_path: Path) -> None:
    check_picture(None)
    check_picture(tmp_path / "new.PNG")
    (tmp_path / "old.svg").write_text("")
    check_picture(tmp_path / "old.svg")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ValueError, match="it is a folder"):
        check_picture(tmp_path / "folder.png")


def test_a_launcher_may_have_options(tmp_path: Path) -> None:
    words = Where(mpiexec=Path("launch --bind core"), program=Path(sys.executable)).command(2)
    assert words[:5] == ["launch", "--bind", "core", "-n", "2"]
    spaced = tmp_path / "my launcher"
    spaced.write_text("")
    assert Where(mpiexec=spaced, program=Path(sys.executable)).command(2)[0] == str(spaced)
    with pytest.raises(GridError, match="close it"):
        Where(mpiexec=Path('launch "'), program=Path(sys.executable)).command(2)


# ---- what is shown ----


def test_a_good_exit_without_records_is_bad() -> None:
    for records in ((), ({"record": "environment"},)):
        run = Run("h", "hartstone", 2, (), 0, 1.0, "", records)
        assert [v.kept for v in report_parts.verdicts(run)] == [False]


def test_one_line_shows_the_bad_verdict_or_the_main_one() -> None:
    ended, main, last = Verdict("ran", True, "1 s"), Verdict("deadlines", True, "0 missed"), Verdict("wrong", True, "0")
    bad = Verdict("results", False, "3 wrong")
    run = Run("h", "hartstone", 2, (), 0, 1.0)
    good, wrong = (Section(run, verdicts, (), (), "") for verdicts in ((ended, main, last), (ended, main, bad)))
    assert good.main_verdict is main and wrong.main_verdict is bad
    assert Section(run, (ended,), (), (), "").main_verdict is ended
    suite = Suite("quick", "a", (), "now", None, 1, (run, run))
    assert Report(suite, (), (good, wrong)).summary.startswith("1 of 2 benchmarks failed")
    assert Report(suite, (), (good, wrong)).summary.endswith(": h.")


def test_corner_turns_that_may_deadlock_name_their_senders() -> None:
    turns = {b.name: b for b in benchmarks("full", 16, False) if b.name.startswith("pmp-corner-turn")}
    assert [name for name, b in turns.items() if "--exact" in b.arguments] == [
        "pmp-corner-turn-8",
        "pmp-corner-turn-16",
    ]
    assert len(turns) == 4


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, [True, True]),
        ({"kept": False, "missed": 3}, [False, True]),
        ({"results_wrong": 1}, [True, False]),
        ({"error": 1e-3}, [True, False]),
        ({"error": None, "error_most": None}, [True, True]),
    ],
)
def test_verdicts_of_grids(change: dict[str, Any], kept: list[bool]) -> None:
    records = [STAGE, {**GRID, **change}]
    assert [v[1] for v in grid_text.verdicts(records)] == kept
    (_, heads, rows), (_, stage_heads, stage_rows) = grid_text.tables(records)
    assert len(heads) == len(rows[0]) and len(stage_heads) == len(stage_rows[0])


def test_an_image_out_of_focus_is_bad() -> None:
    keys = ("true_range_m", "found_range_m", "true_azimuth_m", "found_azimuth_m")
    image = {"record": "sar", "targets": 1, "worst_error_cells": 0.7, "focused": False, "error_cells": [0.7]}
    record = {**image, **{key: [3.0] for key in keys}}
    assert [v[1] for v in grid_text.verdicts([record])] == [False]
    assert grid_text.tables([record])[0][2] == [["1", "3", "3", "3", "3", "0.7"]]


def test_one_pair_has_a_rate() -> None:
    assert pairs_text.verdicts([{"record": "pair", "MBps": 3.25}]) == [("rate of the pair", None, "3.2 MB/s")]


def test_pictures_name_their_axes() -> None:
    pmp = {"record": "pmp", "file": "a/b.pmp", "version": "asynchronous", "period_s": 0.004}
    nodes = {"node_worst_s": [0.003, 0.001], "node_missed": [0, 0]}
    ((_, picture),) = pmp_figures.figures([{**pmp, **nodes}])
    picture.canvas.draw()
    assert all(tick == int(tick) for tick in picture.axes[0].get_xticks())
    ((title, picture),) = grid_figures.figures([STAGE, GRID])
    assert "64 x 128" in title and picture.axes[0].get_ylabel().endswith("(ms)")
    task = {"record": "hartstone-task", "task": 0, "period_s": 0.01}
    times = {"mean_receipt_s": 0.001, "worst_send_s": 0.002, "worst_receipt_s": 0.003}
    ((_, picture),) = hartstone_figures.figures([{"record": "hartstone"}, {**task, **times}])
    assert "deadline" in [text.get_text() for text in picture.legends[0].get_texts()]


BUILT = (BUILD / "lib/mpico/bench/realtime").exists()


@pytest.mark.skipif(not BUILT, reason="no build (MPICO_BUILD, MPICO_PREFIX)")
def test_a_check_says_no_more_than_it_knows(tmp_path: Path) -> None:
    file = tmp_path / "a.pmp"
    file.write_text("0: W 0.5 W 0.2 S 1 8 E\n1: R E\n")
    done = mpico("pmp", "check", str(file))
    assert "2 nodes, 1 message in 1 stage," in done.stdout and "no deadlock in the orders tried" in done.stdout
    assert done.stderr.startswith("mpico pmp check: ") and "warning" in done.stderr
    assert "it cannot deadlock" in mpico("pmp", "check", str(file), "--exact").stdout
    assert json.loads(mpico("pmp", "check", str(file), "--exact", "--json").stdout)["receives"] == "exact"
