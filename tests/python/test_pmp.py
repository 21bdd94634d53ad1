"""Patterns of messages: the report's figure, both corner turns, their contention, and runs of `realtime pmp` in virtual time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("numpy")

from click.testing import Result
from mpico.main import app
from mpico.realtime.balanced import balanced, lower_bound
from mpico.realtime.contention import corner_turn, faults, loads, summary
from mpico.realtime.corner_turn import quad, recursive, step, swap
from mpico.realtime.patterns import Stage, abbreviated, actions, in_full, size_words, together
from typer.testing import CliRunner

BUILD = Path(os.environ.get("MPICO_PREFIX") or os.environ.get("MPICO_BUILD") or "build").resolve()
PROGRAM = BUILD / "lib/mpico/bench/realtime"
SIMULATED = PROGRAM.exists() and (BUILD / "lib/mpico/sim/mpico-sim").exists()
built = pytest.mark.skipif(not PROGRAM.exists(), reason="MPICO_PREFIX names no build with the program realtime")
simulated = pytest.mark.skipif(not SIMULATED, reason="MPICO_PREFIX names no build with realtime and a simulator")

FIGURE_6_4 = """\
0:	R	S7	R	S6	R	S5	R	S4	R	S3	R	S2	S1	R	E
1:	S6	R	S7	R	S4	R	S5	R	S2	R	S3	R	R	S0	E
2:	R	S5	R	S4	R	S7	R	S6	R	S1	S0	R	S3	R	E
3:	S4	R	S5	R	S6	R	S7	R	S0	R	R	S1	R	S2	E
4:	R	S3	S2	R	R	S1	S0	R	R	S7	R	S6	S5	R	E
5:	S2	R	R	S3	S0	R	R	S1	S6	R	S7	R	R	S4	E
6:	R	S1	S0	R	R	S3	S2	R	R	S5	S4	R	S7	R	E
7:	S0	R	R	S1	S2	R	R	S3	S4	R	R	S5	R	S6	E
"""


def pmp(*words: str) -> Result:
    return CliRunner().invoke(app, ["pmp", *words], env={"COLUMNS": "160", "MPICO_PREFIX": str(BUILD)})


def run(tmp_path: Path, text: str, nodes: int, *options: str) -> tuple[int, dict[str, Any], str]:
    """Exit status, the last record and standard error of a run on the simulated line."""
    file = tmp_path / "pattern.pmp"
    file.write_text(text)
    line = [BUILD / "bin/mpiexec", "--machine", "paragon-line", "-n", str(nodes), PROGRAM, "pmp", file, *options]
    done = subprocess.run([str(word) for word in line], capture_output=True, text=True, timeout=100)
    lines = done.stdout.splitlines()
    return done.returncode, json.loads(lines[-1]) if lines else {}, done.stderr


def test_eight_nodes_are_figure_6_4() -> None:
    printed = pmp("corner-turn", "8")
    assert printed.exit_code == 0
    header, rows = printed.stdout.split("\n\n")
    assert rows == FIGURE_6_4
    assert header.splitlines() == ["pmp program input", "(messages size 1/8 MB)"]


def test_four_nodes_are_a_quad_and_two_swaps() -> None:
    assert recursive(4) == quad(0, 2) + together(swap(0, 1), swap(2, 3))
    assert step(8, 2) == together(quad(0, 6), quad(2, 4))
    assert recursive(2) == swap(0, 1)


@pytest.mark.parametrize("construction", ["recursive", "balanced"])
@pytest.mark.parametrize("n", [2, 4, 8, 16, 32, 64])
def test_every_pair_once_and_no_contention_at_nodes(construction: str, n: int) -> None:
    stages = corner_turn(construction, n)
    assert len(stages) == 2 * (n - 1)
    assert sorted(message for stage in stages for message in stage) == sorted(permutations(range(n), 2))
    for stage in stages:
        assert sorted(node for message in stage for node in message) == list(range(n))
    assert not faults(stages, n)


@pytest.mark.parametrize("n", [6, 10, 12, 18, 22, 24])
def test_the_balanced_one_takes_any_even_number(n: int) -> None:
    assert not faults(balanced(n), n)
    assert summary("balanced", n).worst <= -(-n // 4)


@pytest.mark.parametrize("n", [8, 16, 32, 64])
def test_balanced_contention_is_the_least_possible(n: int) -> None:
    crossing = sum(1 for a, b in permutations(range(n), 2) if a < n // 2 <= b)
    assert lower_bound(n) == -(-crossing // (2 * (n - 1)))
    assert summary("balanced", n).worst == lower_bound(n)
    assert summary("recursive", n).worst == n // 4


def test_the_same_construction_every_time() -> None:
    again = balanced.__wrapped__(16)
    assert again == balanced(16)


def test_loads_count_messages_over_links() -> None:
    stage: Stage = ((0, 2), (3, 1))
    counted = loads([stage], 4)[0]
    assert counted.tolist() == [[1, 1, 0], [0, 1, 1]]
    for a, b in ((0, 5), (5, 0), (2, 3)):
        one = loads([((a, b),)], 6)[0]
        assert one.sum() == abs(a - b) and one[int(a > b)].sum() == abs(a - b)


def test_faults_are_found() -> None:
    good = recursive(4)
    assert faults(good[1:], 4)
    assert faults([*good[:-1], good[0]], 4)
    assert faults([((0, 1), (0, 2)), *good[1:]], 4)
    with pytest.raises(ValueError, match="two things in stage 0"):
        actions([((0, 1), (1, 2))], 3)


def test_sizes_and_long_form() -> None:
    assert [size_words(b) for b in (262144, 1 << 21, 100, 0)] == ["1/4 MB", "2 MB", "100 bytes", "0 bytes"]
    assert in_full(recursive(2), 2, 7) == "0: S 1 7 R E\n1: R S 0 7 E\n"
    assert pmp("corner-turn", "2", "--pmp", "--bytes", "7").stdout == in_full(recursive(2), 2, 7)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("corner-turn", "12"), "power of two"),
        (("corner-turn", "7", "--construction", "balanced"), "even number"),
        (("corner-turn", "8", "--construction", "other"), "no construction"),
        (("corner-turn", "4096"), "too many"),
        (("corner-turn", "8", "--bytes", "-1"), "not -1"),
        (("contention", "8", "9"), "even number"),
        (("contention", "8", "--figure", "/nowhere/x.png"), "cannot write"),
    ],
)
def test_refusals_are_one_sentence(words: tuple[str, ...], said: str) -> None:
    pytest.importorskip("matplotlib")
    refused = pmp(*words)
    assert refused.exit_code == 2
    assert said in refused.stderr and refused.stderr.startswith(f"mpico pmp {words[0]}: ")
    assert "Traceback" not in refused.stderr and not refused.stdout


def test_contention_as_json_and_as_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = pmp("contention", "4", "6", "8", "--json", "--figure", str(tmp_path / "c.png"))
    rows = json.loads(done.stdout)
    assert [(row["nodes"], row["construction"]) for row in rows] == [
        (4, "recursive"), (4, "balanced"), (6, "balanced"), (8, "recursive"), (8, "balanced")]  # fmt: skip
    assert all(row["worst"] >= row["bound"] and row["sum_of_worst"] >= row["least_sum"] for row in rows)
    assert (tmp_path / "c.png").stat().st_size > 10000


@built
def test_check_tells_the_place(tmp_path: Path) -> None:
    file = tmp_path / "a.pmp"
    file.write_text(abbreviated(recursive(8), 8, 131072))
    good = pmp("check", str(file), "--json")
    assert json.loads(good.stdout)["stages"] == 14
    file.write_text("0: R S 1 4 E\n1: R S 0 4 E\n")
    bad = pmp("check", str(file))
    assert bad.exit_code == 2
    assert f"{file}:1:4: the pattern deadlocks" in bad.stderr and "    0: R S 1 4 E\n       ^" in bad.stderr


@simulated
@pytest.mark.parametrize("construction", ["recursive", "balanced"])
def test_corner_turns_run_in_virtual_time(tmp_path: Path, construction: str) -> None:
    text = abbreviated(corner_turn(construction, 8), 8, 131072)
    options = ("--duration", "0.5", "--periods", "4")
    status, first, _ = run(tmp_path, text, 8, *options)
    assert status == 0
    assert first["kept"] and first["missed"] == 0 and first["wrong"] == 0 and first["stages"] == 14
    assert first["bytes"] == 7 * 131072 and first["rate"] == pytest.approx(first["bytes"] / first["period_s"])
    assert first["worst_s"] <= first["period_s"]
    assert max(first["node_worst_s"]) == first["worst_s"]
    assert run(tmp_path, text, 8, *options)[1] == first
    status, shorter, _ = run(tmp_path, text, 8, "--period", str(0.5 * first["worst_s"]), *options)
    assert status == 1
    assert not shorter["kept"] and shorter["missed"] > 0 and shorter["rate"] is None
    assert max(shorter["node_missed"]) <= shorter["missed"] <= min(sum(shorter["node_missed"]), shorter["periods"])


@simulated
def test_the_report_has_a_row_and_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from mpico.realtime import pmp_figures, pmp_text

    record = run(tmp_path, "0: S 1 4096 R E\n1: R S 0 0 E\n", 2, "--period", "0.01", "--duration", "0.1")[1]
    late = run(tmp_path, "0: S 1 4096 R E\n1: R S 0 0 E\n", 2, "--period", "0.00001", "--duration", "0.001")[1]
    ((_, heads, rows),) = pmp_text.tables([{"record": "environment"}, record, late])
    assert len(rows) == 2 and all(len(row) == len(heads) for row in rows)
    assert [kept for _, kept, _ in pmp_text.verdicts([record, late])] == [True, True, False, True]
    assert len(pmp_figures.figures([record, late])) == 2


@simulated
def test_sub_periods(tmp_path: Path) -> None:
    text = in_full(recursive(4), 4, 4096)
    status, record, _ = run(tmp_path, text, 4, "--synchronous", "--duration", "0.1")
    assert status == 0 and record["version"] == "synchronous" and record["subperiods"] == record["stages"] == 6
    _, wide, _ = run(tmp_path, text, 4, "--synchronous", "--subperiods", "12", "--period", "0.012", "--duration", "0.1")
    assert 0.005 < wide["worst_s"] < 0.006  # the sixth stage starts after five of twelve milliseconds
    status, _, said = run(tmp_path, text, 4, "--synchronous", "--subperiods", "5")
    assert status == 2 and "at least 6" in said


@simulated
def test_waits_are_shares_of_the_period(tmp_path: Path) -> None:
    _, record, _ = run(tmp_path, "0: W 0.5 S 1 8 E\n1: R E\n", 2, "--period", "0.02", "--duration", "0.2")
    assert record["kept"] and 0.01 < record["node_worst_s"][1] < 0.011
    status, _, said = run(tmp_path, "0: W .5 W .2 S 1 8 E\n1: R E\n", 2, "--period", "0.02", "--duration", "0.2")
    assert status == 0 and ":1:9: warning: node 0" in said


@simulated
def test_late_neighbours_do_not_mix_periods(tmp_path: Path) -> None:
    """Node 2 is ahead of node 0, which always is late: the data of each period still arrive in it."""
    text = "0: L 40 S 1 60000 E E\n1: L 41 R E E\n2: S 1 16 E\n"
    status, record, _ = run(tmp_path, text, 3, "--period", "0.001", "--duration", "0.05", "--periods", "50")
    assert status == 1 and record["missed"] > 0 and record["periods"] == 50 and record["wrong"] == 0


@built
def test_patterns_that_hang_when_messages_overtake(tmp_path: Path) -> None:
    file = tmp_path / "a.pmp"
    file.write_text(abbreviated(corner_turn("balanced", 32), 32, 1024))
    risky = pmp("check", str(file))
    assert risky.exit_code == 2 and "--exact" in risky.stderr
    assert pmp("check", str(file), "--exact").exit_code == 0


@simulated
def test_exact_receives(tmp_path: Path) -> None:
    text = abbreviated(corner_turn("balanced", 16), 16, 20000)
    for option in ("--asynchronous", "--synchronous"):
        status, record, _ = run(tmp_path, text, 16, "--exact", option, "--duration", "0.05", "--periods", "3")
        assert status == 0 and record["receives"] == "exact" and record["wrong"] == 0
    looped = "0: L 5 S 1 8 R E S 1 4 E\n1: L 5 R S 0 8 E L 2 R E E\n2: S 1 16 E\n"
    status, record, _ = run(tmp_path, looped, 3, "--exact", "--duration", "0.01")
    assert status == 0 and record["wrong"] == 0


@simulated
def test_bad_input_runs_nothing(tmp_path: Path) -> None:
    status, _, said = run(tmp_path, "0: S 2 4 E\n1: R E\n", 2)
    assert status == 2 and said.count("realtime pmp: ") == 1 and ":1:4: node 0 sends to node 2" in said
    status, _, said = run(tmp_path, "0: E\n1: E\n", 2, "--period", "1e-9")
    assert status == 2 and "shorter than the clock resolves" in said
