"""The test bench of pipelines: its description files, its protocol on a simulated machine and on this one, its tables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from mpico.places import PlaceError, program
from mpico.realtime import chain_figures, chain_runs, chain_text, granularity
from mpico.realtime.chain_runs import ChainError, only, records_of, run
from mpico.realtime.grid_runs import PROGRAM, Where

CHAINS = Path(__file__).parents[2] / "bench" / "realtime" / "chain"
SMALL = "source 32 x 64 complex\nnode fft + turn\nnode fft 32\nsink\n"
LONG = "source 64 x 64 complex\n" + "node fft + turn\nnode inverse + turn + scale 0.015625\n" * 3 + "sink\n"

try:
    program(PROGRAM, "")
    program("bin/mpiexec", "")
    program("lib/mpico/sim/mpico-sim", "")
    built = True
except PlaceError:
    built = False
needs_build = pytest.mark.skipif(not built, reason="the programs are not built (MPICO_PREFIX names a build)")


def written(folder: Path, text: str) -> Path:
    path = folder / "a.chain"
    path.write_text(text)
    return path


def paragon(folder: Path, text: str, *options: str) -> list[dict[str, Any]]:
    return run(Where(machine="paragon-line"), written(folder, text), options)


def chain_of(records: list[dict[str, Any]]) -> chain_runs.Record:
    return only(records, "chain")


@needs_build
@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("source 32 x 64 complex\nnode fft + trun\nsink\n", "2:12", "no function 'trun'"),
        ("source 32 x 64 complex\nnode fft 512\nsink\n", "2:6", "512 points does not fit rows of 64"),
        ("source 48 x 64 complex\nnode turn + fft\nsink\n", "2:13", "rows of 48 points"),
        ("source 32 by 64 complex\nnode fft\nsink\n", "1:11", "'x' is missing"),
        ("source 32 x 0 complex\nnode fft\nsink\n", "1:13", "number of columns"),
        ("source 32 x 64 double\nnode fft\nsink\n", "1:16", "must be 'complex'"),
        ("node fft\nsink\n", "1:1", "begins with its source"),
        ("source 32 x 64 complex\nsource 32 x 64 complex\n", "2:1", "one source"),
        ("source 32 x 64 complex\nnode fft\n", "3:1", "no sink"),
        ("source 32 x 64 complex\nsink\n", "3:1", "no node"),
        ("source 32 x 64 complex\nnode scale\nsink\n", "2:11", "number is missing"),
        ("source 32 x 64 complex\nnode turn 3\nsink\n", "2:11", "takes no number"),
        ("source 32 x 64 complex\nnode fft\nsink turn\n", "3:1", "expects 64 x 32, but 32 x 64 come"),
        ("source 32 x 64 complex\nnode fft\nsink\nnode fft\n", "4:1", "follow the sink"),
        ("source 32 x 64 complex 7\nnode fft\nsink\n", "1:24", "too much for one line"),
        ("source 32 x 64 complex\n\tnode\tfff\nsink\n", "2:7", "fff"),
    ],
)
def test_a_wrong_description_is_refused_at_its_place(tmp_path: Path, text: str, place: str, said: str) -> None:
    with pytest.raises(ChainError) as caught:
        paragon(tmp_path, text, "--seconds", "0.01")
    sentence = str(caught.value)
    assert sentence.startswith(f"{tmp_path / 'a.chain'}:{place}: ")
    assert said in sentence
    line, column = (int(number) for number in place.split(":"))
    shown = sentence.splitlines()[1:]
    if line > text.count("\n"):  # behind the last line there is nothing to point at
        assert not shown
    else:
        blamed = text.splitlines()[line - 1]
        assert shown == ["  " + blamed, "  " + re.sub(r"[^\t]", " ", blamed[: column - 1]) + "^"]


@needs_build
def test_a_period_that_is_not_kept_has_no_rate_and_is_told(tmp_path: Path) -> None:
    where = Where(machine="paragon-line")
    words = ["chain", str(written(tmp_path, SMALL)), "--period", "1e-5", "--seconds", "0.0002"]
    done = subprocess.run([*where.command(4), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "realtime chain: 20 of 20 periods of 0.01 ms missed" in done.stderr
    record = only(records_of(done.stdout), "chain")
    assert record["kept"] is False and record["missed"] == 20
    assert record["mflops"] is record["mb_per_s"] is None
    (_, _, rows), *_ = chain_text.tables([record])
    assert rows[0][5:7] == ["-", "-"]
    plain = subprocess.run([*where.command(4), *words, "--text"], capture_output=True, text=True, check=False).stdout
    values = dict(line.split(maxsplit=1) for line in plain.splitlines() if line.startswith("  "))
    assert (values["kept"], values["mflops"], values["rows"]) == ("false", "-", "32")


@needs_build
def test_ranks_memory_and_messages_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ChainError, match=r"a.chain:1:1: the buffers of this stage take 0.0625 MB, and a rank has 0.05 MB"
    ):
        paragon(tmp_path, SMALL, "--memory", "0.05")
    with pytest.raises(
        ChainError, match=r"a.chain:2:1: blocks of 64 rows do not divide into messages of 24 rows|a.chain:1:1"
    ):
        paragon(tmp_path, SMALL, "--rows", "24")
    path = written(tmp_path, SMALL)
    fewer = Where(machine="paragon-line")
    words = [*fewer.command(3), "chain", str(path)]
    done = chain_runs.subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("realtime chain:") == 1
    assert "wants 4 ranks (source, 2 nodes, sink), not 3" in done.stderr


@needs_build
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--mode", "synchronised"),
        ("--buffers", "1"),
        ("--overlap-sends",),
        ("--overlap-sends", "--buffers", "1"),
        ("--rows", "8"),
        ("--rows", "4", "--overlap-sends"),
    ],
)
def test_every_way_of_sending_brings_the_right_blocks(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Every row of every block, through functions in place and not, shapes that change, and an inner product."""
    text = "source 32 x 64 complex\nnode fft + turn\nnode turn\nnode inverse + scale 0.5 + turn\nnode inner\nsink\n"
    record = chain_of(paragon(tmp_path, text, "--seconds", "0.05", "--check", "1", *options))
    assert record["kept"]
    assert record["wrong"] == 0
    assert record["checked"] > 20
    assert 0 < record["worst_error"] < 2e-6


@needs_build
@pytest.mark.parametrize("expected", ["fft", "fft + turn + inverse", "fft + turn + fft + scale 1.0001"])
def test_the_sink_notices_a_wrong_result(tmp_path: Path, expected: str) -> None:
    """Told to expect another function of the same shape, it finds every block wrong; also one off by a ten-thousandth."""
    text = f"source 64 x 64 complex\nnode fft + turn\nnode fft\nsink {expected}\n"
    record = chain_of(paragon(tmp_path, text, "--period", "0.02", "--seconds", "0.1"))
    assert record["wrong"] == record["checked"] > 0
    assert [kept for what, kept, _ in chain_text.verdicts([record]) if "results" in what] == [False]


@needs_build
def test_the_minimum_period_is_that_of_the_slowest_node(tmp_path: Path) -> None:
    """Section 5.3: no further degradation by a longer pipeline. And a period below it is missed, and counted."""
    options = ("--overlap-sends", "--seconds", "0.2")
    alone = chain_of(paragon(tmp_path, "source 64 x 128 complex\nnode fft\nsink\n", *options))
    long = "source 64 x 128 complex\nnode fft\nnode scale 2\nnode turn + turn\nnode scale 0.5\nsink\n"
    chained = chain_of(paragon(tmp_path, long, *options))
    assert chained["period_s"] == pytest.approx(alone["period_s"], rel=0.03)
    short = chain_of(paragon(tmp_path, long, *options, "--period", str(0.9 * chained["period_s"])))
    assert not short["kept"]
    assert short["missed"] > 0.5 * short["periods"]


@needs_build
def test_double_buffering_hides_the_communication_of_fft_and_turn(tmp_path: Path) -> None:
    """At least 90 % with the message coprocessor; a single buffer that sends before it goes on hides much less."""
    place = Where(machine="paragon-line")
    path = written(tmp_path, "source 128 x 128 complex\nnode fft + turn\nsink\n")
    options = ("--seconds", "0.5", "--width", "0.002")
    double = chain_runs.measure_hidden(place, "double", path, (*options, "--overlap-sends"))
    single = chain_runs.measure_hidden(place, "single", path, (*options, "--buffers", "1"))
    assert double.hidden is not None and single.hidden is not None
    assert 0.9 <= double.hidden <= 1.05
    assert single.hidden < 0.3
    assert double.wrong == single.wrong == 0


@needs_build
def test_jitter_grows_along_a_self_timed_chain_and_not_along_a_synchronised_one(tmp_path: Path) -> None:
    """Section 5.3. The simulated machine's pauses are what makes it."""
    options = ("--period", "0.01", "--seconds", "10")
    loose = [r for r in paragon(tmp_path, LONG, *options) if r["record"] == "stage"]
    bound = [r for r in paragon(tmp_path, LONG, *options, "--mode", "synchronised") if r["record"] == "stage"]
    assert [r["missed"] for r in loose + bound] == [0] * 16
    assert loose[0]["jitter_s"] < loose[1]["jitter_s"]
    assert loose[7]["jitter_s"] > 1.2 * loose[1]["jitter_s"]
    assert bound[7]["jitter_s"] < 0.8 * loose[7]["jitter_s"]


@needs_build
def test_two_runs_on_the_simulated_machine_are_alike(tmp_path: Path) -> None:
    assert paragon(tmp_path, SMALL, "--seconds", "0.05") == paragon(tmp_path, SMALL, "--seconds", "0.05")


@needs_build
def test_it_runs_on_this_machine(tmp_path: Path) -> None:
    """Whatever its speed: blocks are right, and without deadlines to speak of all are kept."""
    record = chain_of(
        run(Where(), written(tmp_path, SMALL), ["--period", "0.05", "--seconds", "0.5", "--timeline", "2"])
    )
    assert record["wrong"] == 0
    assert record["periods"] == 20


@needs_build
def test_smaller_messages_shorten_latency_and_the_age_of_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "source 128 x 128 complex\nnode fft\nnode fft\nsink\n")
    grains = [g for g, _ in granularity.study(Where(machine="paragon-line"), path, (128, 16), ["--seconds", "0.3"])]
    assert [g.messages for g in grains] == [1, 8]
    assert all(g.kept and g.wrong == 0 for g in grains)
    assert grains[1].age_s < 0.7 * grains[0].age_s


def test_shipped_chains_have_the_ranks_of_the_tables() -> None:
    names = (*chain_runs.SINGLE_NODES.values(), *chain_runs.PIPELINES.values())
    assert [chain_runs.ranks_of(CHAINS / f"{name}.chain") for name in names] == [3, 3, 3, 4, 5]


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PlaceError, match=r"cannot read .*; give a description file"):
        chain_runs.ranks_of(tmp_path / "none.chain")
    os.environ.setdefault("MPICO_PREFIX", str(tmp_path))
    with pytest.raises(PlaceError, match="there is no chain 'nonesuch'"):
        chain_runs.description("nonesuch")


def test_the_share_that_is_hidden() -> None:
    """Section 5.2's own figures: 205 and 223 ms, and twice 26 ms: about two thirds."""
    row = chain_runs.Row("FFT", 0.223, 0.205, 0.052, 52.9, 9.4, 0)
    assert row.hidden == pytest.approx(2 / 3, abs=0.02)


@pytest.mark.parametrize("text", ["", "0,4", "8,x"])
def test_wrong_lists_of_rows_are_sentences(text: str) -> None:
    with pytest.raises(ChainError, match="write numbers from 1"):
        granularity.rows_of(text)


@needs_build
def test_tables_and_pictures_of_a_run(tmp_path: Path) -> None:
    options = ("--period", "0.02", "--seconds", "0.2", "--timeline", "3")
    records = paragon(tmp_path, SMALL, *options)
    titles = [title for title, header, rows in chain_text.tables(records) if all(len(r) == len(header) for r in rows)]
    assert titles == ["Shortest periods", "Stages of fft + turn -> fft 32"]
    pytest.importorskip("matplotlib")
    assert len(chain_figures.figures(records)) == 2


def test_lines_that_are_no_records_are_left_out() -> None:
    assert records_of('hello\n{"record": "chain"}\n[1]\n') == [{"record": "chain"}]
