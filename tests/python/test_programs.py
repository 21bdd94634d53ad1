"""tools/programs: what a program says of its own results is believed only when it says all of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools/programs"))

import fftw  # noqa: E402
import hpcc  # noqa: E402
import job  # noqa: E402
import programs  # noqa: E402
import source  # noqa: E402

REPORT = """\
Found 0 errors in 65536 locations (passed).
Found 0 errors in 16384 locations (passed).
   20 tests completed and passed residual checks.
    0 tests completed and failed residual checks.
    0 tests skipped because of illegal input values.
max(|x-x0|): 1.119e-15
            144 tests completed and passed residual checks,
              0 tests completed and failed residual checks,
              0 tests skipped because of illegal input values.
Success=1
End of HPC Challenge tests.
"""


def test_good_report() -> None:
    assert hpcc.check(REPORT) == 144 + 20 + 2 + 1


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("144 tests completed and passed", "143 tests completed and passed"),
        ("0 tests completed and failed residual checks,", "1 tests completed and failed residual checks,"),
        (
            "0 tests skipped because of illegal input values.\nmax",
            "2 tests skipped because of illegal input values.\nmax",
        ),
        ("Success=1", "Success=0"),
        ("1.119e-15", "1.119e-05"),
        ("1.119e-15", "nan"),
        ("16384 locations (passed)", "16384 locations (failed)"),
        ("End of HPC Challenge tests.", ""),
    ],
)
def test_bad_report(good: str, bad: str) -> None:
    assert good in REPORT
    with pytest.raises(job.Failed):
        hpcc.check(REPORT.replace(good, bad))


def test_verified_transforms() -> None:
    text = "Executing ...\nifc1024 3.3596e-16 6.66134e-16 6.02166e-16\nofr4x4 0 0 1e-16\nFound relative error 3 (impulse)\n"
    assert fftw.verified(text) == 2


def test_program_that_fails(tmp_path: Path) -> None:
    with pytest.raises(job.Failed, match="status 3"):
        job.call(["sh", "-c", "exit 3"], tmp_path, tmp_path / "log")
    with pytest.raises(job.Failed, match="had not ended"):
        job.call(["sleep", "60"], tmp_path, tmp_path / "log", limit_s=0.1)


def test_failed_run_is_a_row() -> None:
    def work(place: job.Place) -> int:
        raise job.Failed("a residual")

    place = job.Place(SOURCE, SOURCE, SOURCE, SOURCE, 1)
    program = job.Program("p", "", "1", "", "", "", lambda place: None, [job.Run("solve", "2", work)])
    rows = programs.run(program, place)
    assert rows[0]["error"] == "a residual"
    assert "FAILED" in programs.table(rows)


def test_page_has_all_programs() -> None:
    text = programs.PAGE.read_text()
    assert programs.MARK in text
    for program in programs.PROGRAMS:
        assert f"**{program.name}** {program.version}" in text


def test_sum_of_nothing(tmp_path: Path) -> None:
    assert source.sum_of(tmp_path / "none") == ""
