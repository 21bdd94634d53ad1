"""mpiexec --trace from outside: the file is whole and true, also when the job is not.

Set MPICO_BUILD to a folder with bin/mpiexec, bin/mpicc and lib/mpico/traced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

PINGPONG = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, sum, rounds = atoi(argv[1]);
    double x = 0;
    static char big[1 << 20];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds && rank < 2; i++) {
        if (rank == 0)
            MPI_Send(&x, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Bcast(big, sizeof big, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != size * (size - 1) / 2;
}
"""

POLLS = r"""
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, flag = 0, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100000; i++) {
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Wtime();
        MPI_Initialized(&flag);
    }
    MPI_Finalize();
    return 0;
}
"""

STUCK = r"""
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 1)
        usleep(300000); /* the others come to their MPI_Recv */
    if (rank == 1 && strcmp(argv[1], "die") == 0)
        raise(SIGKILL);
    if (rank == 1 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1 && strcmp(argv[1], "compute") == 0)
        sleep(60);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"""

Event = dict[str, Any]


def build() -> Path:
    """The build folder; skips the test where none is named, or where it cannot trace."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    if not (Path(folder) / "lib/mpico/traced/libmpi_abi.so.1").exists():
        pytest.skip("this build has no library that can be traced (it is sanitized)")
    return Path(folder)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs above."""
    folder = tmp_path_factory.mktemp("programs")
    for name, source in {"pingpong": PINGPONG, "polls": POLLS, "stuck": STUCK}.items():
        (folder / f"{name}.c").write_text(source)
        subprocess.run([build() / "bin/mpicc", "-O1", "-o", folder / name, folder / f"{name}.c"], check=True)
    return folder


def run(*words: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """A job that should end within 30 s."""
    command = [str(build() / "bin/mpiexec"), *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=30, check=False, env={**os.environ, **(env or {})}
    )


def read(path: Path) -> list[Event]:
    """The events; fails if the file is no JSON, or its temporary sibling is still there."""
    assert list(path.parent.glob(path.name + "?*")) == []
    return json.loads(path.read_text())


def slices(events: list[Event], rank: int) -> list[Event]:
    """Slices of a rank, by time and the outer one first."""
    mine = [e for e in events if e["ph"] == "X" and e["pid"] == 1 and e["tid"] == rank + 1]
    return sorted(mine, key=lambda e: (e["ts"], -e["dur"]))


def arrows(events: list[Event]) -> tuple[dict[str, Event], dict[str, Event]]:
    """Starts and ends by id, each id once."""
    starts = [e for e in events if e["ph"] == "s"]
    ends = [e for e in events if e["ph"] == "f"]
    by_id = {e["id"]: e for e in starts}, {e["id"]: e for e in ends}
    assert (len(starts), len(ends)) == (len(by_id[0]), len(by_id[1]))
    return by_id


def check_nesting(events: list[Event], rank: int) -> None:
    """Slices of one track lie within each other or apart, to the rounding of a double."""
    open_until: list[float] = []
    for e in slices(events, rank):
        while open_until and open_until[-1] <= e["ts"] + 1e-4:
            open_until.pop()
        assert not open_until or e["ts"] + e["dur"] <= open_until[-1] + 1e-3
        open_until.append(e["ts"] + e["dur"])


def check_arrows(events: list[Event]) -> None:
    """Each arrow that has ended starts and ends within a slice of its rank, and does not go back in time."""
    starts, ends = arrows(events)
    assert set(ends) <= set(starts)
    for key, s in starts.items():
        assert (key in ends) != bool(s["args"].get("unfinished")), s
    for key, f in ends.items():
        s = starts[key]
        assert (s["name"], s["cat"]) == (f["name"], f["cat"])
        assert (s["tid"] - 1, f["tid"] - 1) == (f["args"]["from"], s["args"]["to"])
        assert s["ts"] <= f["ts"]
        assert f["bp"] == "e"
        assert s["args"].get("bytes") == f["args"].get("bytes")
    for e in [*starts.values(), *ends.values()]:
        assert any(x["ts"] <= e["ts"] <= x["ts"] + x["dur"] for x in slices(events, e["tid"] - 1)), e


# Whole jobs


def test_a_track_a_rank_with_all_calls_and_matched_arrows(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    job = run("--trace", trace, "-n", "4", programs / "pingpong", "50")
    assert (job.returncode, job.stderr) == (0, "")
    events = read(trace)
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {1: "rank 0", 2: "rank 1", 3: "rank 2", 4: "rank 3"}
    calls = Counter(e["name"] for e in slices(events, 1) if e["cat"] == "call")
    assert calls["MPI_Send"] == calls["MPI_Recv"] == 50
    assert calls["MPI_Init"] == calls["MPI_Bcast"] == calls["MPI_Allreduce"] == calls["MPI_Finalize"] == 1
    assert calls["MPI_Barrier"] == 0  # the one within MPI_Finalize is not the program's
    starts, _ = arrows(events)
    pings = [s for s in starts.values() if s["tid"] == 1 and s["args"].get("tag") == 3 and s["args"]["bytes"] == 8]
    assert len(pings) == 50
    assert any(s["args"].get("bytes") == 1 << 20 for s in starts.values())
    check_arrows(events)
    for rank in range(4):
        check_nesting(events, rank)
    assert not any(e["args"].get("unfinished") for e in events if e["ph"] in "Xs")


def test_a_wait_lies_in_its_call_and_says_for_whom(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    assert run("--trace", trace, "-n", "2", programs / "pingpong", "200").returncode == 0
    events = read(trace)
    waits = [e for e in slices(events, 0) if e["cat"] == "wait"]
    assert any(e["args"] == {"for": 1, "tag": 3} for e in waits)
    calls = [e for e in slices(events, 0) if e["cat"] == "call"]
    for w in waits:
        assert any(c["ts"] <= w["ts"] and w["ts"] + w["dur"] <= c["ts"] + c["dur"] + 1e-3 for c in calls)


def test_polling_makes_few_records(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    assert run("--trace", trace, "-n", "1", programs / "polls").returncode == 0
    sizes = [e for e in slices(read(trace), 0) if e["name"] == "MPI_Comm_size"]
    assert sum(e["args"].get("calls", 1) for e in sizes) == 100000
    assert len(sizes) < 10000
    assert {e["name"] for e in slices(read(trace), 0)} == {"MPI_Init", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Finalize"}


def test_without_the_option_nothing_is_written(programs: Path, tmp_path: Path) -> None:
    job = run("-wdir", tmp_path, "-n", "2", programs / "pingpong", "5", env={"MPICO_TRACE": "3"})
    assert (job.returncode, job.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_fibers_have_tracks_like_processes(programs: Path, tmp_path: Path) -> None:
    if not (build() / "lib/mpico/fiber/mpico-fiber").exists():
        pytest.skip("this build has no fibers")
    trace = tmp_path / "t.json"
    for threads in ("1", "2"):
        job = run("--trace", trace, "--fibers", "--threads", threads, "-n", "5", programs / "pingpong", "50")
        assert (job.returncode, job.stderr) == (0, "")
        events = read(trace)
        assert sum(e["name"] == "thread_name" for e in events) == 5
        assert Counter(e["name"] for e in slices(events, 1))["MPI_Send"] == 50
        assert {e["name"] for e in slices(events, 4)} >= {"MPI_Init", "MPI_Bcast", "MPI_Finalize"}
        check_arrows(events)
        for rank in range(5):
            check_nesting(events, rank)


def test_simulated_runs_give_the_same_bytes(programs: Path, tmp_path: Path) -> None:
    if not (build() / "lib/mpico/sim/mpico-sim").exists():
        pytest.skip("this build has no simulator")
    if not (build() / "share/mpico/machines/sharc-ring.toml").exists():
        pytest.skip("this build has no machine of that name")
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for trace in files:
        job = run("--trace", trace, "--machine", "sharc-ring", "-n", "4", programs / "pingpong", "5")
        assert (job.returncode, job.stderr) == (0, "")
    assert files[0].read_bytes() == files[1].read_bytes()
    events = read(files[0])
    assert next(e for e in events if e["name"] == "mpico_trace")["args"]["clock"] == "virtual"
    check_arrows(events)
    links = [e for e in events if e["ph"] == "X" and e["pid"] == 2]
    assert links
    named = {e["tid"] for e in events if e["name"] == "thread_name" and e["pid"] == 2}
    assert named == {e["tid"] for e in links}
    for tid in named:  # a link carries one thing at a time
        busy = sorted((e["ts"], e["ts"] + e["dur"]) for e in links if e["tid"] == tid)
        assert all(a[1] <= b[0] + 1e-6 for a, b in pairwise(busy))


# Jobs that do not end as they should


def check_stuck_in_recv(events: list[Event], rank: int) -> None:
    mine = slices(events, rank)
    call = [e for e in mine if e["cat"] == "call"][-1]
    assert (call["name"], mine[-1]["name"]) == ("MPI_Recv", "wait")
    assert call["args"]["unfinished"]
    assert mine[-1]["args"]["unfinished"]
    assert sum(e["args"].get("unfinished", False) for e in mine) == 2


def test_killed_rank_leaves_a_trace(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    job = run("--trace", trace, "-n", "3", programs / "stuck", "die")
    assert job.returncode == 128 + signal.SIGKILL
    events = read(trace)
    check_stuck_in_recv(events, 0)
    check_stuck_in_recv(events, 2)
    dead = slices(events, 1)
    assert dead[-1]["name"] != "MPI_Recv"
    assert "MPI_Send" in {e["name"] for e in dead}
    check_arrows(events)


def test_hang_leaves_a_trace_that_shows_how_long(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    job = run("--hang-timeout", "0.5", "--trace", trace, "-n", "2", programs / "stuck", "compute")
    assert job.returncode == 1
    events = read(trace)
    check_stuck_in_recv(events, 0)
    assert slices(events, 0)[-1]["dur"] > 400_000
    check_arrows(events)


def test_deadlock_and_abort_and_timeout(programs: Path, tmp_path: Path) -> None:
    for name, words, status in (
        ("deadlock", ("-n", "2", programs / "stuck", "wait"), 1),
        ("abort", ("-n", "2", programs / "stuck", "abort"), 3),
        ("timeout", ("--timeout", "0.5", "-n", "2", programs / "stuck", "compute"), 124),
    ):
        trace = tmp_path / f"{name}.json"
        assert run("--trace", trace, *words).returncode == status
        events = read(trace)
        check_stuck_in_recv(events, 0)
        assert (name == "abort") == (slices(events, 1)[-1]["name"] == "MPI_Abort")


def test_fibers_that_deadlock_or_die_leave_a_trace(programs: Path, tmp_path: Path) -> None:
    if not (build() / "lib/mpico/fiber/mpico-fiber").exists():
        pytest.skip("this build has no fibers")
    for name, status in (("wait", 1), ("die", 128 + signal.SIGKILL)):
        trace = tmp_path / f"{name}.json"
        assert run("--trace", trace, "--fibers", "-n", "3", programs / "stuck", name).returncode == status
        events = read(trace)
        check_arrows(events)
        assert "MPI_Send" in {e["name"] for e in slices(events, 1)}
        if name == "wait":
            check_stuck_in_recv(events, 2)
        else:  # they had no time to come to it
            assert slices(events, 2)[-1]["args"]["unfinished"]


def test_interrupt_leaves_a_trace(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    command = [build() / "bin/mpiexec", "--trace", trace, "-n", "2", programs / "stuck", "compute"]
    job = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    with pytest.raises(subprocess.TimeoutExpired):
        job.wait(1)
    job.send_signal(signal.SIGINT)
    assert job.wait(20) == 128 + signal.SIGINT
    check_stuck_in_recv(read(trace), 0)


def test_full_trace_counts_what_is_missing(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    job = run("--trace", trace, "--trace-limit", "1", "-n", "2", programs / "pingpong", "20000")
    assert job.returncode == 0
    events = read(trace)
    missing = sum(e["args"]["dropped"] for e in events if e["ph"] == "i")
    assert missing > 20000
    assert f"its last {missing} records are missing" in job.stderr
    kept = sum(e["name"] == "MPI_Send" for e in slices(events, 0))
    assert 1000 < kept < 20000
    starts, ends = arrows(events)
    assert set(ends) <= set(starts)
    assert len(ends) > 1000


# The file and the way there


def test_unwritable_file_is_refused_before_the_job(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    for path in (tmp_path / "no" / "t.json", tmp_path):
        job = run("--trace", path, "-n", "1", "touch", touched)
        assert job.returncode == 1
        assert f"cannot write the trace '{path}'" in job.stderr
    assert not touched.exists()


def test_wrong_words_are_refused() -> None:
    for words, why in (
        (["--trace="], "--trace needs a file"),
        (["--trace-limit", "5"], "--trace-limit is for --trace"),
        (["--trace", "t", "--trace-limit", "0"], "--trace-limit needs a number of MiB"),
    ):
        job = run(*words, "-n", "1", "true")
        assert job.returncode == 2
        assert why in job.stderr


def test_program_that_is_not_there_leaves_no_file(tmp_path: Path) -> None:
    assert run("--trace", tmp_path / "t.json", "-n", "1", "/no/such/program").returncode == 127
    assert list(tmp_path.iterdir()) == []


def test_links_beside_the_file_are_not_followed(programs: Path, tmp_path: Path) -> None:
    trace, theirs = tmp_path / "t.json", tmp_path / "theirs"
    theirs.write_text("kept")
    (tmp_path / "t.json.tmp").symlink_to(theirs)
    assert run("--trace", trace, "-n", "1", programs / "pingpong", "0").returncode == 0
    assert theirs.read_text() == "kept"
    assert (tmp_path / "t.json.tmp").is_symlink()
    assert not trace.is_symlink()
    mask = os.umask(0)
    os.umask(mask)
    assert trace.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_device_is_written_and_stays_a_device(programs: Path) -> None:
    job = run("--trace", "/dev/stdout", "-n", "1", programs / "pingpong", "0")
    assert job.returncode == 0
    assert any(e["name"] == "MPI_Finalize" for e in json.loads(job.stdout))


def test_old_trace_is_replaced_only_by_a_whole_one(programs: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    trace.write_text("old")
    run("--trace", trace, "-n", "1", "/no/such/program")
    assert trace.read_text() == "old"
    assert run("--trace", trace, "-n", "1", programs / "pingpong", "0").returncode == 0
    assert len(read(trace)) > 4


def test_static_program_is_named(programs: Path, tmp_path: Path) -> None:
    if not (build() / "lib/libmpi_abi.a").exists():
        pytest.skip("no static library")
    program = tmp_path / "static"
    subprocess.run([build() / "bin/mpicc", "-static", "-o", program, programs / "pingpong.c"], check=True)
    job = run("--trace", tmp_path / "t.json", "-n", "2", program, "1")
    assert job.returncode == 0
    assert job.stderr.count("\n") == 1
    assert "2 of 2 ranks are not traced: is the program linked statically?" in job.stderr
    assert slices(read(tmp_path / "t.json"), 0) == []


def test_what_was_preloaded_still_is(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(
        '#include <stdio.h>\n__attribute__((constructor)) static void hello(void) { puts("preloaded"); }\n'
    )
    library = tmp_path / "hello.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "hello.c"], check=True)
    for words, env in (
        (("-x", f"LD_PRELOAD={library}"), {}),
        ((), {"LD_PRELOAD": str(library)}),
    ):
        job = run("--trace", tmp_path / "t.json", *words, "-n", "1", programs / "pingpong", "0", env=env)
        assert (job.returncode, job.stdout) == (0, "preloaded\n")
        assert slices(read(tmp_path / "t.json"), 0)


def test_a_wrong_descriptor_is_not_believed(programs: Path, tmp_path: Path) -> None:
    library = build() / "lib/mpico/traced/libmpi_abi.so.1"
    junk = tmp_path / "junk"
    junk.write_bytes(b"x" * 100_000)
    for number in (None, "nonsense", "-1", "0"):
        with junk.open("r+b") as file:
            name = number or str(file.fileno())
            env = {**os.environ, "MPICO_TRACE": name, "LD_PRELOAD": str(library)}
            command = [programs / "pingpong", "0"]
            job = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
                env=env,
                pass_fds=[file.fileno()],
            )
        assert job.returncode == 0
        assert "this rank is not traced" in job.stderr
    assert junk.read_bytes() == b"x" * 100_000
