"""`mpico model validate`: errors are shown as they are; and what is fitted on few simulated nodes predicts many."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
sys.path.insert(0, str(Path(__file__).parent))
pytest.importorskip("scipy")
pytest.importorskip("typer")

from click.testing import Result
from fit_data import host, measurement, ring, with_more
from mpico import ring_model
from mpico.fit_ring import SIZES
from mpico.main import app
from mpico.parameters import Parameters, RingService, write_parameters
from mpico.results import Results, write_results
from mpico.ring_terms import additional_packets, predict
from mpico.validate import check_ring, halves, summaries
from typer.testing import CliRunner

BUILD = Path(os.environ.get("MPICO_BUILD", Path(__file__).parents[2] / "build"))
PAPER = RingService()
SLOWER = replace(PAPER, broadcast=replace(PAPER.broadcast, o=66.25))
MANY = (8, 16)
MANY_SIZES = tuple(4 << i for i in range(13))


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["model", "validate", *words], env={"COLUMNS": "200"})


def files(folder: Path, model: RingService, results: Results) -> list[str]:
    e = results.environment
    write_parameters(Parameters(model, e.machine, e.place, "", ""), folder / "parameters.toml")
    write_results(folder / "results.jsonl", results)
    return [str(folder / "parameters.toml"), str(folder / "results.jsonl")]


# ---- The equations ----


@pytest.mark.parametrize(("nodes", "hops", "size"), [(4, 1, 4), (4, 3, 2048), (8, 7, 5000), (2, 1, 16384)])
def test_the_paper_s_floor_is_ring_model_s(nodes: int, hops: int, size: int) -> None:
    told = predict(PAPER, measurement("once", nodes, size, 1.0, hops), "floor")
    assert told == pytest.approx(ring_model.unicast(size, hops, nodes))


@pytest.mark.parametrize("size", [4, 2048, 5000, 16384])
def test_collectives_are_ring_model_s(size: int) -> None:
    for nodes in (2, 8):
        told = [predict(PAPER, measurement(p, nodes, size, 1.0)) for p in ("bcast", "allgather", "allgather-in-place")]
        theirs = [ring_model.allgather(size, nodes, in_place=in_place) for in_place in (False, True)]
        assert told == pytest.approx([ring_model.broadcast(size, nodes), *theirs])


def test_a_full_packet_is_counted_once() -> None:
    sizes = (4, 2048, 2049, 4096, 4097, 16384)
    assert [additional_packets(k, 2048, "after-first") for k in sizes] == [0, 0, 1, 1, 2, 7]
    assert [additional_packets(k, 2048, "floor") for k in sizes] == [0, 0, 1, 2, 2, 8]


def test_overlap_is_eq_6_for_full_packets_and_less_between() -> None:
    full, part = (measurement("once", 4, size, 1.0, 3) for size in (8192, 5000))
    assert predict(PAPER, full, "overlap") == pytest.approx(predict(PAPER, full))
    assert predict(PAPER, part, "overlap") < predict(PAPER, part)


# ---- Checks ----


def test_a_model_s_own_times_have_no_error() -> None:
    checks = check_ring(PAPER, ring(PAPER, ranks=(8,)))
    assert {check.what for check in checks} >= {"once, farthest node", "once, mean of pairs", "bcast"}
    assert max(abs(check.error) for check in checks) < 1e-12


def test_the_mean_is_over_pairs_and_the_farthest_is_one() -> None:
    results = Results(
        ring(PAPER).environment, (measurement("once", 3, 4, 100.0, 1), measurement("once", 3, 4, 130.0, 2))
    )
    far, mean = check_ring(PAPER, results)
    assert (far.measured_us, mean.measured_us) == (130.0, 115.0)
    assert mean.predicted_us == pytest.approx(57.80 + 1.5 * (15.40 + 8.925))


def test_summaries_keep_the_worst() -> None:
    group = next(g for g in summaries(check_ring(SLOWER, ring(PAPER, ranks=(2,)))) if g.what == "bcast")
    assert group.worst.bytes == 4 and group.worst.error == pytest.approx(3 / 63.25)


def test_a_size_measured_again_counts_once() -> None:
    slow = measurement("pingpong", 2, 8, 9.0)
    _, between = halves(with_more(host(lambda k: 1.0, (4, 8, 16)), slow))
    assert [(m.bytes, m.us) for m in between.of("pingpong")] == [(8, 1.0)]


def test_halves_share_no_size() -> None:
    first, between = halves(with_more(host(lambda k: 1.0, (4, 8, 16, 32)), measurement("barrier", 2, 0, 1.0)))
    assert [m.bytes for m in first.measurements] == [4, 16, 0]
    assert [m.bytes for m in between.measurements] == [8, 32]


# ---- The command ----


def test_within_the_target_is_status_0(tmp_path: Path) -> None:
    done = run(*files(tmp_path, PAPER, ring(PAPER, ranks=(8, 16))), "--cells")
    assert done.exit_code == 0, done.output
    assert "worst 0.00 %" in done.output and "Every size" in done.output


def test_out_of_the_target_is_status_1_with_the_cell(tmp_path: Path) -> None:
    words = files(tmp_path, SLOWER, ring(PAPER, ranks=(2,)))
    done = run(*words)
    assert done.exit_code == 1
    assert "out of target: bcast, 2 ranks, 4 bytes: +4.74 %, target 3 %" in done.output
    assert run(*words, "--target", "5").exit_code == 0


def test_json_holds_every_check(tmp_path: Path) -> None:
    done = run(*files(tmp_path, SLOWER, ring(PAPER, ranks=(2,), sizes=(4, 64))), "--json")
    told = json.loads(done.stdout)
    assert told["worst_error_percent"] == pytest.approx(100 * 3 / 63.25)
    assert len(told["checks"]) == 10 and {c["bytes"] for c in told["checks"]} == {4, 64}


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = files(tmp_path, PAPER, ring(PAPER, ranks=(8,)))
    assert run(*words, "--figure", str(tmp_path / "errors.png")).exit_code == 0
    assert (tmp_path / "errors.png").read_bytes()[:4] == b"\x89PNG"
    done = run(*words, "--figure", str(tmp_path / "none" / "errors.png"))
    assert done.exit_code == 2 and "cannot draw" in done.output


def test_other_machines_are_refused(tmp_path: Path) -> None:
    parameters, _ = files(tmp_path, PAPER, ring(PAPER))
    write_results(tmp_path / "host.jsonl", host(lambda k: 1.0, (4, 8)))
    done = run(parameters, str(tmp_path / "host.jsonl"))
    assert done.exit_code == 2 and "the parameters are of sharc-ring (machine)" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["one.jsonl"], "give a parameter file and a results file"),
        (["--split", "a", "b"], "--split and a results file alone"),
        (["none.toml", "none.jsonl"], "cannot read"),
    ],
)
def test_wrong_words_give_a_sentence(words: list[str], said: str) -> None:
    done = run(*words)
    assert done.exit_code == 2 and said in done.output


def test_split_predicts_the_sizes_between(tmp_path: Path) -> None:
    sizes = [4 << i for i in range(19)]
    smooth = host(lambda k: 0.2 + 1e-4 * k if k < 20000 else 2.0 + 5e-5 * k, sizes, noise=0.03)
    write_results(tmp_path / "host.jsonl", smooth)
    done = run("--split", str(tmp_path / "host.jsonl"), "--json")
    assert done.exit_code == 0, done.output
    assert [c["bytes"] for c in json.loads(done.stdout)["checks"]] == sizes[1::2]


def test_split_that_misses_is_status_1(tmp_path: Path) -> None:
    sizes = [4 << i for i in range(18)]
    rough = host(lambda k: 1.0 if k.bit_length() % 2 else 1.3, sizes)
    write_results(tmp_path / "host.jsonl", with_more(rough))
    done = run("--split", str(tmp_path / "host.jsonl"))
    assert done.exit_code == 1 and "out of target: median error" in done.output


# ---- The simulated ring ----


def bench(output: Path, ranks: tuple[int, ...], sizes: tuple[int, ...], patterns: str) -> None:
    words = ["bench", "--machine", "sharc-ring", "--discipline", "stop-and-wait", "--patterns", patterns]
    words += ["--ranks", ",".join(map(str, ranks)), "--sizes", ",".join(map(str, sizes)), "--output", str(output)]
    done = CliRunner().invoke(app, words, env={"MPICO_PREFIX": str(BUILD)})
    assert done.exit_code == 0, done.output


@pytest.mark.skipif(
    not (BUILD / "lib" / "mpico" / "bench" / "measure").exists() or not (BUILD / "bin" / "mpiexec").exists(),
    reason="the measuring program is not built",
)
def test_few_simulated_nodes_give_the_tables_back_and_predict_many(tmp_path: Path) -> None:
    few, many, toml = tmp_path / "few.jsonl", tmp_path / "many.jsonl", tmp_path / "ring.toml"
    bench(few, (2, 3, 4), SIZES, "once,send-overhead,bcast,allgather,allgather-in-place")
    bench(many, MANY, MANY_SIZES, "once,bcast,allgather,allgather-in-place")
    fitted = CliRunner().invoke(app, ["model", "fit", str(few), "--output", str(toml), "--json"])
    assert fitted.exit_code == 0, fitted.output
    rows = json.loads(fitted.stdout)["rows"]
    published = [row for row in rows if row["published"] is not None]
    assert len(published) == 17
    assert not [row for row in published if abs(row["error_percent"]) > 3]
    assert next(row["fitted"] for row in rows if row["parameter"] == "P_fill") == 2
    checks = json.loads(run(str(toml), str(many), "--json").stdout)["checks"]
    assert len(checks) == 5 * len(MANY) * len(MANY_SIZES)
    assert max(abs(c["error_percent"]) for c in checks) < 3
