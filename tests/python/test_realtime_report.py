"""`mpico realtime run`, `report` and `compare`: what fails is shown, the rest goes on. A program of a few lines stands for the suite."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("matplotlib")

from click.testing import Result
from mpico.libraries import Mpi
from mpico.main import app
from mpico.realtime import compare, compare_runs, report_parts
from mpico.realtime.report_records import Run, read_folder
from typer.testing import CliRunner

ENVIRONMENT = {
    "record": "environment",
    "library": "Plain MPI 1",
    "ranks": 2,
    "hosts": ["a"],
    "virtual": False,
    "tick_s": 2e-8,
    "date": "2026-01-01T00:00:00Z",
}
TASKS = {"tasks": 1, "threads": False, "trials_demoted": 0, "wait": "spin", "bytes": 16, "ratios": [1], "trials": 9}
KEPT = {
    "period_s": 0.004,
    "mean_s": 0.001,
    "periods": 100,
    "missed": 0,
    "confidence": 0.95,
    "miss_bound": 0.03,
    "wrong": 0,
}
HARTSTONE = {"record": "hartstone", "schedule": "equal", "priorities": "none", "kept": True, "mb_per_s": 1.0}

PROGRAM = """#!/bin/sh
[ "$1" = -n ] && shift 3
case "$1" in
--help) printf 'usage\\n  hartstone  x\\n  pauses     x\\n  pmp        x\\n  pairs      x\\n  chain      x\\n' ;;
hartstone) cat {folder}/hartstone ;;
pmp) cat {folder}/pmp; echo "realtime pmp: <deadline> missed" >&2; exit 1 ;;
pauses) echo '{{"record": "environment", "library": "Plain MPI 1"}}'; printf '{{"record": "pau'; exit 139 ;;
chain) echo "realtime chain: the block does not fit" >&2; exit 2 ;;
esac
"""


def stand_in(folder: Path, missed: int = 0) -> list[str]:
    """Options that have the suite run by a script."""
    lines = [ENVIRONMENT, {**HARTSTONE, **TASKS, **KEPT, "missed": missed}]
    (folder / "hartstone").write_text("".join(json.dumps(r) + "\n" for r in lines))
    pmp = {"record": "pmp", "period_s": 0.5, "periods": 10, "missed": 3, "miss_bound": 1.0}
    (folder / "pmp").write_text(json.dumps(ENVIRONMENT) + "\n" + json.dumps(pmp) + "\n")
    script = folder / "realtime"
    script.write_text(PROGRAM.format(folder=folder))
    script.chmod(0o755)
    return ["--mpiexec", str(script), "--program", str(script)]


def realtime(*words: str) -> Result:
    return CliRunner().invoke(app, ["realtime", *words], env={"COLUMNS": "200"})


def test_a_benchmark_that_fails_is_shown_and_the_rest_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    only = "pauses,hartstone-1,pmp-adjacent,kernels,chain-fft-ct"
    done = realtime("run", "--out", str(out), "--only", only, "--json", "--pdf", *stand_in(tmp_path))
    assert done.exit_code == 1, done.output
    found = {r["name"]: r for r in json.loads(done.stdout)["runs"]}
    assert {name: r["outcome"] for name, r in found.items()} == {
        "pauses": "failed, status 139",
        "hartstone-1": "good",
        "pmp-adjacent": "missed or wrong",
        "kernels": "refused",
        "chain-fft-ct": "refused",
    }
    assert [name for name, r in found.items() if r["kept"]] == ["hartstone-1"]
    page = (out / "report.html").read_text()
    for text in (
        "4 of 5 benchmarks failed",
        "the block does not fit",
        "no subcommand kernels",
        "status 139",
    ):
        assert text in page
    assert "&lt;deadline&gt; missed" in page  # what programs say is text, not markup
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF")


def test_a_good_run_has_all_verdicts_and_a_page_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = realtime("run", "--out", str(out), "--only", "hartstone-1", *stand_in(tmp_path))
    assert done.exit_code == 0, done.output
    page = (out / "report.html").read_text()
    for text in (
        "Plain MPI 1",
        "20 ns",
        "deadlines of 1 tasks at 4 ms",
        "0 of 100 missed",
        "ran to its end",
        "messages as they were sent",
    ):
        assert text in page
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)
    again = realtime("report", str(out))
    assert again.exit_code == 0 and "All 1 benchmarks" in again.output


def test_deadlines_missed_at_exit_status_0_are_bad_all_the_same(tmp_path: Path) -> None:
    done = realtime("run", "--out", str(tmp_path / "out"), "--only", "hartstone-1", *stand_in(tmp_path, missed=2))
    assert done.exit_code == 1
    assert "NOT KEPT" in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "--out", "x", "--suite", "long"), "--suite is quick or full"),
        (("run", "--out", "x", "--only", "nothing"), "no benchmark 'nothing'; there are pauses"),
        (("run", "--out", "x", "--mpiexec", "mpirun"), "name it by --program"),
        (("report", "/nowhere"), "/nowhere/run.json"),
    ],
)
def test_bad_input_is_a_sentence(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    options = stand_in(tmp_path) if "nothing" in words else []
    done = realtime(*words, *options)
    assert done.exit_code == 2
    assert says in done.stderr and "Traceback" not in done.output


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"record": "realtime-suite", "format": 99}')
    assert "of another format" in realtime("report", str(tmp_path)).stderr
    (tmp_path / "run.json").write_text("[1, 2")
    assert "cannot be understood" in realtime("report", str(tmp_path)).stderr


def test_records_without_a_module_make_tables_and_verdicts() -> None:
    records = (
        {
            "record": "thing",
            "period_s": 0.5,
            "periods": 9,
            "missed": 1,
            "miss_bound": 1.0,
            "corrupt": 2,
            "list": [1] * 9,
        },
    )
    run = Run("thing-1", "thing", 2, (), 1, 0.1, "", records)
    ((title, header, rows),) = report_parts.tables(run)
    assert (title, header[:2], rows[0][:2]) == ("thing", ["period_s", "periods"], ["0.5", "9"])
    assert rows[0][-1] == "1 1 1 1 1 1 ... (9)"
    assert [v.kept for v in report_parts.verdicts(run)] == [True, False, False]


def test_a_module_that_fails_does_not_hide_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> list[object]:
        raise KeyError("period_s")

    monkeypatch.setattr("mpico.realtime.hartstone_text.tables", broken)
    monkeypatch.setattr("mpico.realtime.hartstone_figures.figures", broken)
    run = Run("h", "hartstone", 2, (), 0, 0.1, "", ({**HARTSTONE, **TASKS, **KEPT},))
    assert "failed" in report_parts.tables(run)[0][0]
    assert len(report_parts.tables(run)) == 2
    assert "period_s" in report_parts.figures(run)[1]


def test_an_exit_status_that_no_record_explains_is_a_bad_verdict() -> None:
    run = Run("h", "hartstone", 2, (), 1, 0.1, "", ({**HARTSTONE, **TASKS, **KEPT},))
    assert [v.kept for v in report_parts.verdicts(run)] == [True, True, True, False]


def test_the_index_names_every_run_with_its_records(tmp_path: Path) -> None:
    out = tmp_path / "out"
    realtime("run", "--out", str(out), "--only", "hartstone-1,pauses", *stand_in(tmp_path))
    suite = read_folder(out)
    assert [(r.name, len(r.records)) for r in suite.runs] == [("pauses", 1), ("hartstone-1", 2)]


# ---- comparing ----


def library(folder: Path, says: str) -> Mpi:
    return Mpi("Some MPI", says, (str(folder / "realtime"),), folder, folder, {})


def test_a_pattern_on_a_library_gives_its_period_or_the_reason(tmp_path: Path) -> None:
    stand_in(tmp_path)
    hartstone = compare_runs.Pattern("one task", "hartstone", 2, ("hartstone",))
    program = tmp_path / "realtime"
    good = compare_runs.run_pattern(library(tmp_path, "Plain"), program, hartstone, tmp_path, 0)
    assert (good.period_s, good.work_s) == (0.004, 0.001)
    other = compare_runs.run_pattern(library(tmp_path, "MPICH"), program, hartstone, tmp_path, 0)
    assert other.period_s is None and other.trouble == "ran on Plain MPI 1"
    pmp = compare_runs.run_pattern(
        library(tmp_path, "Plain"), program, compare_runs.Pattern("pair", "pmp", 2, ("pmp", "{file}")), tmp_path, 0
    )
    assert pmp.period_s is None and "missed" in pmp.trouble


def test_medians_stand_for_most_rounds_only() -> None:
    def rounds(name: str, *periods: float | None) -> list[compare_runs.Outcome]:
        return [compare_runs.Outcome("p", name, i, s) for i, s in enumerate(periods)]

    found = [*rounds("mpico", 1.0, 2.0, 9.0), *rounds("A", 4.0, None, 6.0), *rounds("B", None, None, 1.0)]
    times = compare_runs.Times(found, "period_s")
    assert times.middle("p", "mpico") == 2.0
    assert times.middle("p", "A") == 5.0
    assert times.middle("p", "B") is None
    assert times.advantage("p", ["mpico", "A", "B"]) == 2.5
    row = compare.rows(times, [compare_runs.Pattern("p", "pmp", 2, ())], ["mpico", "A", "B"])[0]
    assert row[-2:] == ["in 1 rounds only", "2.50x"]
    assert compare_runs.Times(found, "work_s").of("p", "mpico") == []


def test_a_launcher_that_is_not_there_is_told(tmp_path: Path) -> None:
    stand_in(tmp_path)
    words = [
        "run",
        "--out",
        str(tmp_path / "out"),
        "--mpiexec",
        "/nowhere/mpiexec",
        "--program",
        str(tmp_path / "realtime"),
    ]
    done = realtime(*words)
    assert done.exit_code == 2
    assert "cannot start /nowhere/mpiexec: No such file" in done.stderr
    assert not isinstance(done.exception, subprocess.SubprocessError)
