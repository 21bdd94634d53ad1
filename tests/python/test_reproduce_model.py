"""`mpico reproduce ring-model` with a launcher that answers by formula in the place of mpiexec, and once with the simulator."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")
pytest.importorskip("scipy")

from click.testing import Result
from mpico.main import app
from mpico.places import PlaceError
from mpico.reproduce_model import claims
from mpico.ring_model_cells import TABLE_10, TABLE_11
from mpico.ring_model_runs import Task, machine_of, read_measurements
from mpico.ring_model_study import first_change
from mpico.ring_runs import RunError
from mpico.ring_systems import SHARC, TIGERSHARC
from typer.testing import CliRunner

ROOT = Path(__file__).parents[2]
KEYS = {"table", "row", "column", "unit", "published", "model", "simulated", "error_percent", "target_percent"}
KEYS |= {"judged_by", "good", "ours"}
"""Of `mpico reproduce ring-paper --json`."""

# Answers with the model's time on the machine file's clock and link rate; one pattern may be slowed, or its program broken.
LAUNCHER = """#!{python}
import json, re, sys
sys.path.insert(0, {sources!r})
from mpico.ring_model import PAPER, allgather, broadcast, unicast
from mpico.ring_systems import scale
words = sys.argv[1:]
assert words[0::2][:3] == ["--machine", "--discipline", "-n"] and words[6].endswith("/measure"), words
text, discipline, nodes = open(words[1]).read(), words[3], int(words[5])
option = dict(zip(words[7::2], words[8::2]))
clock, rate = (float(re.search(key + " = (.*?)e6", text)[1]) for key in ("clock_hz", "bytes_per_second"))
service = scale(PAPER, clock, rate)
pairs = range(1, nodes) if option["--pairs"] == "from-0" else [int(option["--pairs"].split("-")[1])]
def tell(pattern, size, us, **more):
    us *= {factor} if pattern == {slowed!r} and discipline == "stop-and-wait" else 1
    record = dict(record="measurement", pattern=pattern, ranks=nodes, bytes=size, us=us, low_us=us, high_us=us, **more)
    print(json.dumps(record | dict(confidence=0.95, repetitions=2, outliers=0, least_us=us, most_us=us)))
print(json.dumps(dict(record="run", ranks=nodes)))
for pattern in option["--patterns"].split(","):
    if pattern == {broken!r}:
        sys.exit("the wire is cut")
    for size in map(int, option["--sizes"].split(",")):
        if pattern in ("once", "send-overhead"):
            for hops in pairs:
                us = unicast(size, hops, nodes, service, counted=True) if pattern == "once" else service.unicast.o_s
                tell(pattern, size, us, source=0, destination=hops, hops=hops)
        elif pattern == "bcast":
            tell(pattern, size, broadcast(size, nodes, service))
        else:
            tell(pattern, size, allgather(size, nodes, pattern == "allgather-in-place", service))
"""


def reproduce(folder: Path, *options: str, slowed: str = "", factor: float = 1, broken: str = "") -> Result:
    """The command with a stand-in for mpiexec in `folder`."""
    path = folder / "mpiexec"
    sources = str(ROOT / "python")
    text = LAUNCHER.format(python=sys.executable, sources=sources, slowed=slowed, factor=factor, broken=broken)
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    words = ["reproduce", "ring-model", "--quick", "--mpiexec", str(path)]
    words += ["--machine", str(ROOT / "machines/sharc-ring.toml"), *options]
    return CliRunner().invoke(app, words, env={"MPICO_PREFIX": str(folder), "COLUMNS": "200"})


Cells = list[dict[str, Any]]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with figures, and cells.json."""
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("ring-model")
    done = reproduce(folder, "--figures", str(folder / "figures"), "--json")
    assert done.exit_code == 0, done.output
    (folder / "cells.json").write_text(done.stdout, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def cells(drawn: Path) -> Cells:
    """What the same run says."""
    return json.loads((drawn / "cells.json").read_text(encoding="utf-8"))


def test_a_machine_that_is_the_model_gives_the_papers_tables_back(cells: Cells) -> None:
    assert all(set(cell) >= KEYS for cell in cells)
    of = {table: [c for c in cells if c["table"] == table] for table in {c["table"] for c in cells}}
    assert len(of["Table 11"]) == sum(3 for sizes in TABLE_11.values() for _ in sizes) == 24
    assert {c["column"] for c in of["Table 10"]} == set(TABLE_10)
    for cell in of["Table 7"] + of["Table 8"] + of["Table 9"] + of["Table 10"]:
        assert cell["judged"] == "simulated"
        assert cell["simulated"] == pytest.approx(cell["published"], rel=2e-3), cell
    for cell in of["Table 11"]:
        assert cell["simulated"] == pytest.approx(cell["model"], abs=1e-6)
        assert cell["error_percent"] == pytest.approx(cell["model"] - cell["published"])
    for cell in of["Figure 12"] + of["Figure 13d"] + of["Section 6"]:
        assert cell["simulated"] == pytest.approx(cell["model"], rel=1e-3)
    assert of["Figure 13d"][0]["model"] == pytest.approx(10.7466, abs=1e-4)


def test_errors_of_the_model_are_shown_as_they_are(cells: Cells) -> None:
    """The stand-in counts packets, so the printed floor is a packet too long at 4, 8 and 16 KB, and nothing else is off."""
    shown = [c for c in cells if c["table"] == "Section 5.4"]
    largest = {c["row"]: c["simulated"] for c in shown}
    printed = largest.pop("the same, floor of Eq. 7 as printed")
    assert printed == pytest.approx(100 * 48.30 / 301.68, rel=1e-3)
    assert max(largest.values()) < 1e-6
    assert all(c["judged"] == "nothing" for c in shown)


def test_a_slow_broadcast_fails_by_name(tmp_path: Path) -> None:
    done = reproduce(tmp_path, slowed="bcast", factor=1.1)
    assert done.exit_code == 1
    lines = [line for line in done.stderr.splitlines() if line.startswith("out of target: ")]
    assert len(lines) == 4
    assert all(line.startswith("out of target: Table 8, broadcast, ") for line in lines)
    assert all("+10.00 %, target 3 %" in line for line in lines)


def test_the_tables_show_published_and_ours(tmp_path: Path) -> None:
    done = reproduce(tmp_path)
    assert done.exit_code == 0, done.output
    for said in ("Table 7", "Table 11", "10.747", "11*", "14.228", "(published text: 18 %)", "20821"):
        assert said in done.stdout


def test_section_7_swaps_two_numbers() -> None:
    small, large = claims()
    assert "data rate takes off 9 % (published text: 18 %)" in small
    assert "clock takes off 18 % (published text: 9 %)" in large


def test_figures_are_drawn(drawn: Path) -> None:
    figures = sorted((drawn / "figures").iterdir())
    assert [path.name for path in figures] == ["figure-11.png", "figure-12.png", "figure-13.png"]
    assert all(path.stat().st_size > 20_000 for path in figures)


def test_a_failed_run_is_told_with_its_command(tmp_path: Path) -> None:
    done = reproduce(tmp_path, broken="allgather")
    assert done.exit_code == 2
    assert done.stderr.startswith("mpico reproduce: ")
    assert "the wire is cut" in done.stderr
    assert "--discipline" in done.stderr


def test_a_system_is_the_file_with_another_clock_and_rate(tmp_path: Path) -> None:
    base = ROOT / "machines/sharc-ring.toml"
    made = machine_of(TIGERSHARC, base, tmp_path).read_text(encoding="utf-8").splitlines()
    changed = [(was, now) for was, now in zip(base.read_text().splitlines(), made, strict=True) if was != now]
    assert [now.split("#")[0].strip() for _, now in changed] == ["clock_hz = 150e6", "bytes_per_second = 150e6"]
    (tmp_path / "odd.toml").write_text("clock_hz = 1e6\n", encoding="utf-8")
    with pytest.raises(PlaceError, match="0 lines 'bytes_per_second"):
        machine_of(SHARC, tmp_path / "odd.toml", tmp_path)


def test_a_measurement_that_lacks_is_told() -> None:
    task = Task(SHARC, "stop-and-wait", 2, ("bcast",), (4,))
    with pytest.raises(RunError, match=r"did not tell \[\('bcast', 4\)\]"):
        read_measurements('{"record": "run"}\n', task)
    with pytest.raises(RunError, match="unexpected line"):
        read_measurements("hello\n", task)


def test_first_change_interpolates_between_whole_numbers() -> None:
    for parts in (2, 4, 32):
        assert first_change(lambda xs: [x - 10.25 for x in xs], 2, 1000, parts) == pytest.approx(10.25)
    assert first_change(lambda xs: [x - 10 for x in xs], 2, 16) == pytest.approx(10)
    assert first_change(lambda xs: [x + 1 for x in xs], 2, 16) is None


def test_the_simulated_ring_gives_the_papers_parameters(tmp_path: Path) -> None:
    build = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
    if not all((build / path).exists() for path in ("lib/mpico/sim/mpico-sim", "lib/mpico/bench/measure")):
        pytest.skip("this build has no simulator, or no measuring program")
    words = ["reproduce", "ring-model", "--quick", "--json"]
    done = CliRunner().invoke(app, words, env={"MPICO_PREFIX": str(build)})
    assert done.exit_code == 0, done.output
    judged = [cell for cell in json.loads(done.stdout) if cell["judged"] != "nothing"]
    assert all(cell["good"] for cell in judged)
    assert len(judged) >= 24 + 16 + 2
