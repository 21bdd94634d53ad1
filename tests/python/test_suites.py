"""tools/suites: MPICH's lists are read whole, and a run is good only when it says so and nothing else."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools/suites"))

import mpich  # noqa: E402
from testlist import Case, case_of, cases  # noqa: E402


def test_a_line_with_everything() -> None:
    case = case_of("coll", "allred 4 arg=-n arg=100 env=A=b=c timeLimit=600 strict=false xfail=ticket7 mpiexecarg=-x")
    assert case == Case("coll", "allred", 4, ("-n", "100"), {"A": "b=c"}, 600.0, "no errors", False, "ticket7")
    assert case.name == "coll/allred 4 -n 100"


def test_a_line_with_a_name_alone() -> None:
    assert case_of("attr", "attrt") == Case("attr", "attrt")


def test_a_setting_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="what is colour=red"):
        case_of("attr", "attrt 2 colour=red")


def test_lists_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "sub").mkdir(parents=True)
    (tmp_path / "a" / "testlist").write_text("# words\n\none 1\nsub\ntwo 4 # more words\n")
    (tmp_path / "a" / "testlist.dtp").write_text("one 2 arg=x\n")
    assert [c.name for c in cases(tmp_path, ["a", "b"])] == ["a/one 1", "a/two 4", "a/one 2 x"]


@pytest.mark.parametrize(
    ("line", "status", "text", "good"),
    [
        ("a 2", 0, " No Errors\n", True),
        ("a 2", 0, "", False),
        ("a 2", 0, "Found 3 errors\n", False),
        ("a 2", 1, "No Errors\n", False),
        ("a 2", 0, "No Errors\nmore\n", False),
        ("a 2 strict=false", 0, "No Errors\nmore\n", True),
        ("a 2 resultTest=TestStatus", 1, "words\n", True),
        ("a 2 resultTest=TestErrFatal", 0, "No Errors\n", False),
        ("a 2 resultTest=TestStatusNoErrors", 1, "No Errors\n", False),
    ],
)
def test_answers(line: str, status: int, text: str, good: bool) -> None:
    assert (mpich.answer(case_of("f", line), status, text) == "") == good


@pytest.mark.parametrize("result", ["no errors", "nonzero"])
def test_what_does_not_end_has_failed(result: str, tmp_path: Path) -> None:
    launcher = tmp_path / "mpiexec"
    launcher.write_text('#!/bin/sh\necho report of "$@"\nexit 124\n')
    launcher.chmod(0o755)
    (tmp_path / "errors").mkdir()
    place = mpich.Place(tmp_path, tmp_path, tmp_path / "mpicc", launcher, 1)
    outcome = mpich.run(Case("errors", "endless", limit_s=0.5, result=result), tmp_path, place)
    assert outcome.state == "failed"
    assert "not ended after 0 s: report of --timeout 0.5 -n 2 ./endless" in outcome.why


def test_what_is_excluded_has_a_reason() -> None:
    table = tomllib.loads((SOURCE / "tools/suites/mpich.toml").read_text())["excluded"]
    assert all(len(reason) > 20 for reason in table.values())
    case = Case("rma", "put", 2)
    assert mpich.reason_to_exclude(case, {"rma/put 2": "r"}) == "r"
    assert mpich.reason_to_exclude(case, {"rma": "r"}) == "r"
    assert mpich.reason_to_exclude(case, {"rma/get": "r"}) == ""


def test_a_setting_for_a_program() -> None:
    case = Case("coll", "bcast", environment={"A": "1"})
    assert mpich.with_setting(case, {"coll/bcast": "B=2=3"}).environment == {"A": "1", "B": "2=3"}
    assert mpich.with_setting(case, {"coll/reduce": "B=2"}) is case
