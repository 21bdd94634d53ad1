"""`mpico bench` and its measuring program: on the simulated ring against the ring paper's model, and in every place."""

from __future__ import annotations

import csv
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")

from click.testing import Result
from mpico import ring_model
from mpico.bench_report import bandwidth
from mpico.bench_runs import UNSIZED
from mpico.main import app
from mpico.results import PATTERNS, Measurement, median_interval, read_results
from typer.testing import CliRunner

BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
MEASURE = BUILD / "lib/mpico/bench/measure"
built = pytest.mark.skipif(not MEASURE.exists(), reason="MPICO_BUILD names no build with bench/measure")
RING = ("--machine", "sharc-ring", "--discipline", "stop-and-wait")

SEND_OVERHEAD_US, RECV_OVERHEAD_US, PACKET_OVERHEAD_US = 28.63, 29.17, 48.30
"""o_s, o_r and o_ap of the ring paper's Table 7."""

Record = dict[str, Any]


def bench(*options: str, prefix: Path = BUILD) -> Result:
    """The command, of the build or of another prefix."""
    return CliRunner().invoke(app, ["bench", *options], env={"MPICO_PREFIX": str(prefix), "COLUMNS": "200"})


def measured(*words: str) -> list[Record]:
    """Measurements of the program itself; `words` are the launcher's, and behind "--" its own."""
    cut = words.index("--")
    command = [str(BUILD / "bin/mpiexec"), *words[:cut], str(MEASURE), *words[cut + 1 :]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    first, *rest = (json.loads(line) for line in done.stdout.splitlines())
    assert first["record"] == "run"
    return rest


def ring(patterns: str, ranks: int, sizes: str, *more: str) -> list[Record]:
    """On the simulated ring with the paper's protocol."""
    return measured(*RING, "-n", str(ranks), "--", "--patterns", patterns, "--sizes", sizes, *more)


@built
def test_a_message_alone_takes_what_equation_5_says() -> None:
    found = ring("once", 4, "4", "--pairs", "all")
    assert len(found) == 12
    for m in found:
        assert m["us"] == pytest.approx(ring_model.unicast(4, m["hops"], 4), abs=0.1)
        assert m["hops"] == (m["destination"] - m["source"]) % 4


@built
@pytest.mark.parametrize("ranks", [2, 4])
def test_the_send_overhead_is_that_of_table_7(ranks: int) -> None:
    """Within 3 %, whatever the size of one packet; the receiver's also holds what Eq. 5 hides (docs/measuring.md)."""
    found = {(m["pattern"], m["bytes"]): m["us"] for m in ring("send-overhead,recv-overhead", ranks, "4,64,2048,4096")}
    for size in (4, 64, 2048):
        assert found["send-overhead", size] == pytest.approx(SEND_OVERHEAD_US, rel=0.03)
        assert found["recv-overhead", size] > 2 * RECV_OVERHEAD_US
    more = found["send-overhead", 4096] - found["send-overhead", 2048]
    assert 0.5 * PACKET_OVERHEAD_US < more < PACKET_OVERHEAD_US


@built
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_collectives_take_what_equations_10_and_11_say(ranks: int) -> None:
    for m in ring("bcast,allgather,allgather-in-place", ranks, "4,16384"):
        if m["pattern"] == "bcast":
            model = ring_model.broadcast(m["bytes"], ranks)
        else:
            model = ring_model.allgather(m["bytes"], ranks, in_place=m["pattern"] != "allgather")
        assert m["us"] == pytest.approx(model, rel=0.05), m


@built
def test_two_runs_on_a_virtual_clock_are_the_same() -> None:
    options = ("pingpong,adjacent,scatter,gather,reduce,allreduce,combine,barrier", 3, "4,1024")
    first = ring(*options)
    assert first == ring(*options)
    assert all(m["repetitions"] == 2 and m["high_us"] - m["low_us"] < 0.003 for m in first)


@built
def test_overheads_of_a_machine_with_an_interface_are_its_own() -> None:
    """Neither waiting nor the wire is in them."""
    found = {m["pattern"]: m["us"] for m in measured("--machine", "cluster", "-n", "2", "--", "--patterns",
                                                     "pingpong,send-overhead,recv-overhead")}  # fmt: skip
    assert 0 < found["send-overhead"] + found["recv-overhead"] < 0.5 * found["pingpong"]


@built
def test_the_summary_is_that_of_the_samples() -> None:
    np = pytest.importorskip("numpy")
    words = ("-n", "2", "--", "--patterns", "pingpong,allreduce", "--sizes", "8", "--samples", "--budget-ms", "20")
    for confidence in ("0.95", "0.5"):
        for m in measured(*words, "--confidence", confidence):
            samples = m["samples_us"]
            assert len(samples) == m["repetitions"] >= 6
            expected = median_interval(samples, float(confidence))
            told = (m["us"], m["low_us"], m["high_us"], m["confidence"])
            reached = (expected.value, expected.low, expected.high, float(confidence))
            assert told == pytest.approx(reached, abs=2e-6)
            low, high = np.quantile(samples, [0.25, 0.75])
            fence = 1.5 * (high - low)
            assert m["outliers"] == sum(s < low - fence or s > high + fence for s in samples)
            assert (m["least_us"], m["most_us"]) == (min(samples), max(samples))


@built
@pytest.mark.parametrize("place", [(), ("--fibers",)], ids=["processes", "fibers"])
def test_every_pattern_everywhere(tmp_path: Path, place: tuple[str, ...]) -> None:
    file = tmp_path / "r.jsonl"
    words = ("--ranks", "2,3", "--sizes", "0,8,5000", "--patterns", "all", "--budget-ms", "2", "--output", str(file))
    done = bench(*place, *words)
    assert done.exit_code == 0, done.output
    results = read_results(file)
    assert results.environment.place == (place[0][2:] if place else "processes")
    assert results.environment.library.startswith("mpico") and results.environment.host["cpus"] >= 1
    for ranks in (2, 3):
        for pattern in PATTERNS:
            expected = [0] if pattern in UNSIZED else [0, 8, 5000]
            expected *= ranks - 1 if pattern == "once" else 1
            assert [m.bytes for m in results.of(pattern, ranks)] == sorted(expected), pattern
    assert all(m.least_us <= m.low_us <= m.high_us <= m.most_us for m in results.measurements)
    assert "pingpong" in done.stdout and "interval" in done.stdout


@built
def test_a_board(tmp_path: Path) -> None:
    if not (BUILD / "lib/mpico/board/mps2-an385/board.conf").exists():
        pytest.skip("MPICO_BUILD has no mps2-an385")
    words = ("--board", "mps2-an385", "--patterns", "pingpong,barrier", "--sizes", "4", "--reps", "3", "--json")
    done = bench(*words, "--budget-ms", "100")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["environment"]["place"], found["environment"]["machine"]) == ("board", "mps2-an385")
    assert [m["pattern"] for m in found["measurements"]] == ["pingpong", "barrier"]
    assert all(m["us"] > 0 and m["repetitions"] == 3 and m["confidence"] == 0.75 for m in found["measurements"])


def test_bandwidths_are_equations_1_and_2() -> None:
    def of(pattern: str) -> float | None:
        return bandwidth(Measurement(pattern, 4, 1000, 50.0, 50.0, 50.0, 0.95, 2, 0, 50.0, 50.0))

    assert of("bcast") == of("scatter") == of("gather") == 60
    assert of("allgather") == of("allgather-in-place") == of("alltoall") == 240
    assert of("pingpong") == of("once") == of("copy") == 20
    assert of("send-overhead") is None and of("barrier") is None and of("allreduce") is None


LAUNCHER = """#!{python}
import json, sys
words = sys.argv[1:]
print(json.dumps({{"record": "run", "ranks": 2, "library": "stand-in", "clock_resolution_us": 1.0}}))
for i in range({lines}):
    print(json.dumps(dict(record="measurement", pattern="pingpong", ranks=2, bytes=2**i, us=1.5, low_us=1, high_us=2,
          confidence=0.95, repetitions=9, outliers=1, least_us=1, most_us=2, source=0, destination=1, hops=1)))
print({last!r}, end="")
sys.stdout.flush()
{end}
"""


def stand_in(folder: Path, lines: int, end: str = "", last: str = "") -> Path:
    """A prefix whose launcher prints so many measurements, and ends as told."""
    for path in ("bin/mpiexec", "lib/mpico/bench/measure"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(LAUNCHER.format(python=sys.executable, lines=lines, end=end, last=last))
        (folder / path).chmod(stat.S_IRWXU)
    return folder


def test_an_aborted_run_leaves_what_was_finished(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    broken = stand_in(tmp_path, 3, "sys.exit('the wire is cut')")
    done = bench("--patterns", "pingpong", "--sizes", "1:64", "--output", str(file), prefix=broken)
    assert done.exit_code == 2
    assert "ended with status 1" in done.stderr and "the wire is cut" in done.stderr
    assert f"3 of 7 measurements were finished and are in {file}." in done.stderr
    assert [m.bytes for m in read_results(file).measurements] == [1, 2, 4]


def test_an_interrupted_run_too(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    interrupted = stand_in(
        tmp_path, 2, "import os, signal, time; time.sleep(1); os.kill(os.getppid(), signal.SIGINT); time.sleep(60)"
    )
    done = bench("--patterns", "pingpong", "--sizes", "1:64", "--output", str(file), prefix=interrupted)
    assert done.exit_code == 130
    assert f"interrupted\n2 of 7 measurements were finished and are in {file}." in done.stderr
    assert len(read_results(file).measurements) == 2


def test_words_that_are_no_measurements_are_refused(tmp_path: Path) -> None:
    for last in ("hello\n", '{"record": "measurement", "pattern": "pingpong"}\n'):
        done = bench("--patterns", "pingpong", prefix=stand_in(tmp_path, 1, last=last))
        assert done.exit_code == 2
        assert "unexpected line" in done.stderr


def test_csv_json_and_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    prefix = stand_in(tmp_path, 4)
    done = bench("--csv", str(tmp_path / "r.csv"), "--figure", str(tmp_path / "r.png"), "--json", prefix=prefix)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["environment"]["library"] == "stand-in" and len(found["measurements"]) == 4
    with (tmp_path / "r.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    rates = [m["bytes"] / 1.5 for m in found["measurements"]]
    assert [float(row["mb_per_s"]) for row in rows] == pytest.approx(rates, rel=1e-5)
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")


MISTAKES = [
    (("--ranks", "1"), "write numbers from 2"),
    (("--sizes", "4:2"), "write bytes"),
    (("--sizes", "0:8"), "write bytes"),
    (("--patterns", "pong"), "there is no 'pong'"),
    (("--pairs", "0-2"), "two ranks below 2"),
    (("--pairs", "1-1"), "two ranks below 2"),
    (("--confidence", "1"), "between 0 and 1"),
    (("--fibers", "--board", "mps2-an385"), "exclude each other"),
    (("--discipline", "windowed"), "name it with --machine"),
    (("--output", "/nowhere/r.jsonl"), "cannot write /nowhere/r.jsonl"),
    (("--patterns", "pingpong", "--csv", "/nowhere/r.csv"), "cannot write /nowhere/r.csv"),
    (("--mpiexec", "/nowhere/mpiexec"), "cannot start /nowhere/mpiexec"),
    (("--machine", "nix"), "no machine"),
]


@pytest.mark.parametrize(("options", "says"), MISTAKES)
def test_mistakes_are_told_in_a_sentence(tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    done = bench(*options, prefix=stand_in(tmp_path, 1))
    assert done.exit_code == 2
    assert done.stderr.startswith("mpico bench: ") and says in done.stderr
    assert isinstance(done.exception, SystemExit)


@built
@pytest.mark.parametrize(
    "words", [("--patterns", "pong"), ("--sizes", "4,"), ("--pairs", "0-7"), ("--reps",), ("-x", "1")]
)
def test_the_program_tells_mistakes_once(words: tuple[str, ...]) -> None:
    command = [str(BUILD / "bin/mpiexec"), "-n", "3", str(MEASURE), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("measure: ") == 1 and not done.stdout
