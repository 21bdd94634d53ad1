"""The comparison with SimGrid, without SimGrid: its limits, the platform it writes, and its programs on our simulator.

Environment: MPICO_BUILD names the build directory (``build`` unless told).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "simgrid"))

import limited
import simulators

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", ROOT / "build")).resolve()
PROGRAMS = BUILD / "bench" / "simgrid" / "bin"
CLUSTER = ROOT / "machines" / "cluster.toml"

pytestmark = pytest.mark.skipif(not (PROGRAMS / "measure").exists(), reason="the benchmarks were not built")


def run(command: list[str], tmp_path: Path, limit_s: float = 60.0, limit_bytes: int = 10**9) -> limited.Run:
    return limited.run_limited(PROGRAMS / "measure", command, os.environ, tmp_path, limit_s, limit_bytes)


def python(text: str) -> list[str]:
    return [sys.executable, "-S", "-c", text]


def test_figures_are_those_of_the_command(tmp_path: Path) -> None:
    small = run(["sh", "-c", "echo here"], tmp_path)
    assert (small.out, small.failure) == ("here\n", None)
    assert small.peak_bytes is not None and small.peak_bytes < 6e6  # Python, which started it, needs more
    large = run(python("import time; a = b'x' * 100_000_000; time.sleep(0.3)"), tmp_path)
    assert large.peak_bytes is not None and 1e8 < large.peak_bytes < 1.5e8
    assert large.wall_s is not None and 0.3 <= large.wall_s < 30
    assert large.cpu_s is not None and 0 < large.cpu_s < large.wall_s


def test_failure_is_told_in_the_words_of_the_command(tmp_path: Path) -> None:
    failed = run(["sh", "-c", "echo no such luck >&2; exit 3"], tmp_path)
    assert failed.failure == "ended with 3: no such luck"


def test_what_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    begin = time.monotonic()
    ended = run(["sh", "-c", "sleep 1000 & echo $! > child; wait"], tmp_path, limit_s=0.5)
    assert ended.failure == "over 0.5 s"
    assert time.monotonic() - begin < 30
    child = Path("/proc") / (tmp_path / "child").read_text().strip() / "stat"
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


def test_what_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    grow = "a = []\nwhile True: a.append(b'x' * 1_000_000); __import__('time').sleep(0.001)"
    assert run(python(grow), tmp_path, limit_bytes=200_000_000).failure == "over 0.2 GB"


def test_reserved_memory_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "sparse").touch()
    os.truncate(tmp_path / "sparse", 1 << 36)
    reserve = (
        "import mmap, time; f = open('sparse', 'r+b'); m = mmap.mmap(f.fileno(), 0); time.sleep(0.3); print(len(m))"
    )
    done = run(python(reserve), tmp_path, limit_bytes=200_000_000)
    assert (done.out, done.failure) == (f"{1 << 36}\n", None)


def test_platform_has_the_machines_latency_and_bandwidth() -> None:
    machine = tomllib.loads(CLUSTER.read_text())
    cluster = ElementTree.fromstring(simulators.platform_xml(machine, 100)).find("cluster")
    assert cluster is not None
    two_links_s = 2 * float(cluster.attrib["lat"].removesuffix("s"))
    assert two_links_s == pytest.approx(machine["network"]["latency_ns"] * 1e-9)
    bytes_per_second = float(cluster.attrib["bw"].removesuffix("Bps"))
    assert bytes_per_second == pytest.approx(1e9 / machine["network"]["gap_ns_per_byte"])
    assert cluster.attrib["radical"] == "0-99"
    assert (
        f"smpi/os:0:{machine['cost']['send'] / machine['processor']['clock_hz']:.3e}:0"
        in simulators.same_parameters(machine)
    )


def test_each_job_has_a_platform_of_its_size(tmp_path: Path) -> None:
    for simulator in simulators.simgrid(tmp_path, tomllib.loads(CLUSTER.read_text()), (2, 64), tmp_path / "programs"):
        command = simulator.command(64, "globals", "word")
        assert command[-2:] == [str(tmp_path / "programs" / "globals"), "word"]
        assert (tmp_path / "hosts-64").read_text().split() == [f"node-{i}" for i in range(64)]
        for option, name in (("-platform", "cluster-64.xml"), ("-hostfile", "hosts-64"), ("-np", "64")):
            assert Path(command[command.index(option) + 1]).name == name
        assert (tmp_path / "cluster-64.xml").exists()


@pytest.mark.parametrize(
    "ranks, program, expected",
    [
        (12, ("globals",), {"wrong_ranks": 0}),
        (4, ("library",), {"wrong_ranks": 0}),
        (2, ("pingpong", "50"), {"messages": 100}),
        (30, ("allgather", "8"), {"messages": 870}),
        (30, ("collectives",), {}),
    ],
)
def test_programs_run_on_our_machine(
    tmp_path: Path, ranks: int, program: tuple[str, ...], expected: dict[str, int]
) -> None:
    launcher = [str(BUILD / "bin" / "mpiexec"), "--machine", str(CLUSTER), "-n", str(ranks)]
    done = run([*launcher, str(PROGRAMS / program[0]), *program[1:]], tmp_path)
    assert done.failure is None
    found = json.loads(done.out)
    assert found["virtual_us"] > 2  # a message takes 2 us
    assert expected.items() <= found.items()


def test_globals_are_looked_at(tmp_path: Path) -> None:
    """The program that finds none of another rank's values must be able to find them."""
    source = (ROOT / "bench" / "simgrid" / "globals.c").read_text().replace("= preset[i] = me;", "= preset[i] = 1;")
    (tmp_path / "shared.c").write_text(source)
    mpicc = str(BUILD / "bin" / "mpicc")
    subprocess.run([mpicc, "-O2", str(tmp_path / "shared.c"), "-o", str(tmp_path / "shared")], check=True)
    done = run([str(BUILD / "bin" / "mpiexec"), "-n", "3", str(tmp_path / "shared")], tmp_path)
    assert json.loads(done.out)["wrong_ranks"] == 2


def test_says_so_where_simgrid_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "simgrid" / "compare.py")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("Nothing compared: SimGrid is not installed")
