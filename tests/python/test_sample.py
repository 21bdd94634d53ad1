"""What `make test` runs: any ten successive commits see the whole matrix, every run sees every program in two places."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools/test"))

sys.path.insert(0, str(ROOT / "tests"))

import record  # noqa: E402
import run  # noqa: E402
import sample  # noqa: E402
from conftest import left_out  # noqa: E402
from sample import PARTS, Case, Run  # noqa: E402


@pytest.fixture(scope="module")
def matrix() -> list[Case]:
    """All tests of the build."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    return run.listed(Path(folder))


@pytest.fixture(scope="module")
def samples(matrix: list[Case]) -> list[list[Case]]:
    """What the commits of each residue run."""
    return [sample.sample(matrix, part) for part in range(PARTS)]


def runs(tests: list[Case]) -> list[Run]:
    """Those of the conformance matrix."""
    return [found for test in tests if (found := sample.run_of(test.name))]


def places(tests: list[Case]) -> dict[str, set[str]]:
    """Where each program runs."""
    found = defaultdict(set)
    for each in runs(tests):
        found[each.program].add(each.place)
    return dict(found)


def of_program(name: str, *variants: str) -> list[Case]:
    return [Case(f"mpi/{name}/n{ranks}/{variant}".rstrip("/"), ranks) for ranks in (1, 2, 3) for variant in variants]


def test_names() -> None:
    assert sample.run_of("mpi/coll/vector/n3") == Run("coll/vector", "process", 3, "")
    assert sample.run_of("mpi/coll/vector/n3/nocma") == Run("coll/vector", "process", 3, "nocma")
    assert sample.run_of("mpi/coll/vector/n8/alg4") == Run("coll/vector", "process", 8, "alg4")
    assert sample.run_of("mpi/coll/vector/n5/fiber_threads2") == Run("coll/vector", "fiber", 5, "fiber_threads2")
    assert sample.run_of("mpi/coll/vector/n8/ring_alg1") == Run("coll/vector", "ring", 8, "ring_alg1")
    assert sample.run_of("mpi/p2p/tags_2/n2/scmp-mesh") == Run("p2p/tags_2", "scmp-mesh", 2, "scmp-mesh")
    assert sample.run_of("unit/heap") is None
    assert sample.run_of("pytest/mpi/test_messages") is None


def test_ten_successive_commits_run_all_that_is_not_long(matrix: list[Case], samples: list[list[Case]]) -> None:
    wanted = {test.name for test in matrix if sample.LONG not in test.labels}
    for first in range(3 * PARTS):
        seen = {test.name for count in range(first, first + PARTS) for test in samples[count % PARTS]}
        assert seen == wanted


def test_ten_successive_commits_see_each_place_with_each_number_of_ranks(
    matrix: list[Case], samples: list[list[Case]]
) -> None:
    """Also those numbers at which most programs are long."""
    possible = {(each.place, each.ranks) for each in runs(matrix)}
    seen = {(each.place, each.ranks) for tests in samples for each in runs(tests)}
    assert possible - seen == set()


def test_each_commit_runs_each_program_in_two_places(matrix: list[Case], samples: list[list[Case]]) -> None:
    """One place where it has no other."""
    short = places([test for test in matrix if sample.LONG not in test.labels])
    assert set(short) == set(places(matrix))
    for tests in samples:
        found = places(tests)
        few = {name for name in short if len(found.get(name, ())) < min(sample.PLACES, len(short[name]))}
        assert few == set()


def test_each_commit_runs_what_is_no_conformance_test(matrix: list[Case], samples: list[list[Case]]) -> None:
    others = {test.name for test in matrix if not sample.in_turn(test.name) and sample.LONG not in test.labels}
    assert {"pytest", "unit", "fuzz"} <= {name.split("/")[0] for name in others}
    for tests in samples:
        assert others <= {test.name for test in tests}


def test_each_commit_runs_some_of_each_other_group(matrix: list[Case], samples: list[list[Case]]) -> None:
    for group in {test.name.split("/")[0] for test in matrix} & set(sample.GROUPS):
        for tests in samples:
            assert any(test.name.startswith(f"{group}/") for test in tests)


def test_a_sample_is_a_small_part(matrix: list[Case], samples: list[list[Case]]) -> None:
    whole = len([test for test in runs(matrix)])
    if whole < 1000:
        pytest.skip("a build with few tests")
    for tests in samples:
        assert len(runs(tests)) < whole / 7


def test_a_program_with_few_tests_still_has_two_places() -> None:
    tests = of_program("a/b", "", "fiber", "nocma")
    for part in range(PARTS):
        assert len(places(sample.sample(tests, part))["a/b"]) == 2


def test_a_program_of_one_place_runs_in_every_commit() -> None:
    tests = of_program("threads/x", "")
    for part in range(PARTS):
        assert sample.sample(tests, part)


def test_nothing_long_is_sampled() -> None:
    tests = [Case("mpi/a/b/n1", 1), Case("mpi/a/b/n64/ring", 2, ("long", "machine")), Case("proof/x", 3, ("long",))]
    for part in range(PARTS):
        assert [test.name for test in sample.sample(tests, part)] == ["mpi/a/b/n1"]


# ---- Which part a commit has ----


def repository(folder: Path) -> None:
    git(folder, "init", "-q")
    commit(folder)


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", "Something")


def test_successive_commits_have_successive_parts(tmp_path: Path) -> None:
    repository(tmp_path)
    parts = []
    for _ in range(PARTS + 1):
        parts.append(sample.part_of(tmp_path)[0])
        commit(tmp_path)
    assert parts == [(1 + count) % PARTS for count in range(PARTS + 1)]


def test_a_merge_is_one_commit(tmp_path: Path) -> None:
    repository(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "side")
    for _ in range(3):
        commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-")
    before = sample.part_of(tmp_path)[0]
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    assert sample.part_of(tmp_path)[0] == (before + 1) % PARTS


def test_without_a_history_the_sources_decide(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    parts = set()
    for version in range(100):
        (tmp_path / "src/file.c").write_text(f"{version}\n")
        part, why = sample.part_of(tmp_path)
        assert sample.part_of(tmp_path)[0] == part
        assert "digest" in why
        parts.add(part)
    assert parts == set(range(PARTS))


def test_a_shallow_clone_does_not_count_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    repository(tmp_path / "whole")
    commit(tmp_path / "whole")
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{tmp_path}/whole", str(tmp_path / "part")], check=True)
    assert "digest" in sample.part_of(tmp_path / "part")[1]


# ---- Slow cases of a script ----


@pytest.mark.parametrize("cases", [0, 1, 2, 7, 9, 10, 11, 25])
def test_ten_successive_commits_run_all_slow_cases_of_a_script(cases: int) -> None:
    kept = [set(range(cases)) - set(left_out(cases, part)) for part in range(PARTS)]
    assert set().union(*kept) == set(range(cases))
    assert cases == 0 or all(kept)


def test_slow_cases_take_turns(tmp_path: Path) -> None:
    script = "import pytest\n@pytest.mark.slow\n@pytest.mark.parametrize('n', range(25))\ndef test_slow(n): pass\ndef test_quick(): pass\n"
    (tmp_path / "test_x.py").write_text(script)
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    shutil.copy(ROOT / "tests/pytest.ini", tmp_path)
    whole = {name: value for name, value in os.environ.items() if name != "MPICO_PART"}
    for more, passed in (({}, 26), ({"MPICO_PART": "3"}, 4), ({"MPICO_PART": "7"}, 3)):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
        done = subprocess.run(command, env=whole | more, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        assert f"{passed} passed" in done.stdout


# ---- Building and running ----


def test_only_the_chosen_are_built_and_run(tmp_path: Path) -> None:
    tests = [
        Case("unit/a", 4, (), (str(tmp_path / "tests/unit/unit_a"),)),
        Case("unit/b", 7, (), (str(tmp_path / "b"),)),
    ]
    assert run.targets(tmp_path, tests) == ["b", "tests/unit/unit_a"]
    words = run.ctest(tmp_path, tests, 3)
    assert Path(words[words.index("-I") + 1]).read_text() == "4,4,1,7\n"


def test_scripts_have_all_that_they_may_use(tmp_path: Path) -> None:
    assert run.targets(tmp_path, [Case("pytest/x", 1)]) == [run.FOR_SCRIPTS]


# ---- What a whole run writes down ----

REPORT = """<?xml version="1.0"?>
<testsuite name="x" tests="5" failures="1" disabled="0" skipped="2" time="125">
  <testcase name="mpi/a/b/n2/ring" status="run"/>
  <testcase name="mpi/a/b/n3/ring" status="fail"><failure message=""/></testcase>
  <testcase name="mpi/a/b/n3" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
  <testcase name="unit/heap" status="run"/>
  <testcase name="unit/ring" status="notrun"><skipped message="Unable to find executable"/></testcase>
</testsuite>
"""


def test_a_whole_run_is_written_down(tmp_path: Path) -> None:
    report = tmp_path / "all.xml"
    report.write_text(REPORT)
    (tmp_path / "docs").mkdir()
    page = tmp_path / record.PAGE
    page.write_text(f"# Testing\n\n{record.MARK}\n\nold\n")
    record.write(tmp_path, report)
    text = page.read_text()
    assert text.startswith(f"# Testing\n\n{record.MARK}\n")
    assert "old" not in text
    assert "5 tests in 2 minutes; 2 passed, 2 failed, 1 skipped." in text
    assert "| conformance, ring | 1 | 1 | 0 |" in text
    assert "| conformance, process | 0 | 0 | 1 |" in text


def test_a_run_without_a_report_leaves_the_last_one(tmp_path: Path) -> None:
    record.write(tmp_path, tmp_path / "none.xml")
