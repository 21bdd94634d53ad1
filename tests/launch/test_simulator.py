"""Programs on simulated machines: what takes how much virtual time, that it is always the same, and what is refused.

The machines here are those of machines/, with a line or two replaced. Set MPICO_BUILD to a folder with bin/mpiexec,
bin/mpicc and lib/mpico/sim.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

MACHINES = Path(__file__).resolve().parents[2] / "machines"
HEADER_BYTES = 32  # of a packet, before its payload
LOOK_NS = 1  # what one look at the clock takes
# A machine of each kind of network, and each way to carry packets: what follows --machine.
PLACES = [
    ["sharc-ring"],
    ["sharc-ring", "--discipline", "stop-and-wait"],
    ["sharc-ring-noisy"],
    ["scmp-mesh"],
    ["paragon-line"],
    ["proteus"],
    ["cluster"],
]

HEAD = """
#define _GNU_SOURCE
#include <mpi.h>
#include <mpico.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static int rank, size;
static char buf[1 << 20];
static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void all(void) { MPI_Barrier(MPI_COMM_WORLD); }
static double ns(void) { return MPI_Wtime() * 1e9; }
#define W MPI_COMM_WORLD, MPI_STATUS_IGNORE
"""


def build() -> Path:
    """The build folder; skips the test where none is named, or where it has no simulator."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    if not (Path(folder) / "lib/mpico/sim/mpico-sim").exists():
        pytest.skip("this build has no simulator")
    return Path(folder)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where compiled programs are; the same text is compiled once."""
    return tmp_path_factory.mktemp("programs")


def compiled(folder: Path, body: str) -> str:
    """Path of the program that starts MPI, does `body` and ends; with a main of its own if it has one."""
    if "int main(" not in body:
        body = f"int main(int argc, char **argv) {{ start(&argc, &argv); {body}; MPI_Finalize(); return 0; }}\n"
    out = folder / hashlib.sha256(body.encode()).hexdigest()[:12]
    if not out.exists():
        source = out.with_suffix(".c")
        source.write_text(HEAD + body)
        subprocess.run([str(build() / "bin/mpicc"), "-g", "-O1", "-w", str(source), "-o", str(out)], check=True)
    return str(out)


def machine(folder: Path, base: str, **values: object) -> str:
    """Path of the machine `base` with other values for some keys, each of which it has in one line."""
    text = (MACHINES / f"{base}.toml").read_text()
    for key, value in values.items():
        text, n = re.subn(rf"^{key} = [^#\n]*", f"{key} = {value} ", text, flags=re.MULTILINE)
        assert n == 1, f"{base}.toml has {n} lines of {key}"
    path = folder / f"{base}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.toml"
    path.write_text(text)
    return str(path)


def run(name: str, *words: str, **options: object) -> subprocess.CompletedProcess[str]:
    """A job on a machine, given by name or file."""
    command = [str(build() / "bin/mpiexec"), "--machine", name, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def numbers(job: subprocess.CompletedProcess[str]) -> dict[int, list[float]]:
    """Of lines "RANK NUMBER...", by rank; of a job that went well."""
    assert job.returncode == 0, job.stderr
    lines = [line.split() for line in job.stdout.splitlines()]
    assert len({line[0] for line in lines}) == len(lines), job.stdout
    return {int(line[0]): [float(x) for x in line[1:]] for line in lines}


# Computation

COMPUTE = """
    double flops = atof(argv[1]), bytes = atof(argv[2]), t = ns();
    mpico_compute(flops);
    mpico_compute_bytes(bytes);
    printf("%d %.0f\\n", rank, ns() - t)"""


@pytest.mark.parametrize(
    ("base", "flops", "bytes_", "seconds"),
    [
        ("sharc-ring", 8e6, 0, 8e6 / (40e6 * 2.0)),
        ("sharc-ring", 0, 3.2e6, 3.2e6 / (40e6 * 8.0)),
        ("sharc-ring", 8e4, 3.2e4, 8e4 / (40e6 * 2.0) + 3.2e4 / (40e6 * 8.0)),
        ("cluster", 6e9, 0, 6e9 / (3e9 * 4.0)),
        ("tigersharc-ring", 3e8, 0, 3e8 / (150e6 * 2.0)),
    ],
)
def test_computing_takes_what_the_clock_says(
    base: str, flops: float, bytes_: float, seconds: float, programs: Path
) -> None:
    words = ["-n", "3", compiled(programs, COMPUTE), str(flops), str(bytes_)]
    first, second = run(base, *words), run(base, *words)
    assert first.stdout == second.stdout
    for ns in numbers(first).values():
        # One operation is known to a 1024th of a picosecond.
        assert ns[0] - LOOK_NS == pytest.approx(seconds * 1e9, rel=1e-7, abs=1)


def test_twice_the_clock_takes_half_the_time(programs: Path, tmp_path: Path) -> None:
    words = ["-n", "1", compiled(programs, COMPUTE), "1e6", "0"]
    slow, fast = (numbers(run(machine(tmp_path, "ideal", clock_hz=hz), *words))[0][0] for hz in ("5e8", "1e9"))
    assert (slow - LOOK_NS, fast - LOOK_NS) == (2e6, 1e6)


# Always the same

TRAFFIC = """
    unsigned x = 12345 + rank * 977, sum = 0;
    MPI_Request q[40];
    int got[40], out[40], to[40], count[64] = {0}, mine;
    for (int i = 0; i < 20; i++) {
        x = x * 1103515245 + 12345;
        to[i] = (x >> 16) % size;
        count[to[i]]++;
    }
    MPI_Reduce_scatter_block(count, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++) {
        out[i] = (int)(x >> 8) + i;
        mpico_compute((x >> 4) % 3000);
        x = x * 1103515245 + 12345;
        MPI_Isend(i % 4 ? out + i : (void *)buf, i % 4 ? 1 : 4000 + (x >> 16) % 9000, i % 4 ? MPI_INT : MPI_BYTE, to[i], 1,
                  MPI_COMM_WORLD, &q[i]);
    }
    for (int i = 0; i < mine; i++) {
        MPI_Status s;
        int bytes;
        MPI_Recv(buf + 100000, 200000, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_BYTE, &bytes);
        sum = sum * 31 + s.MPI_SOURCE * 7 + bytes;
        printf("%d: %d bytes from %d at %.0f\\n", rank, bytes, s.MPI_SOURCE, ns());
    }
    MPI_Waitall(20, q, MPI_STATUSES_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
    if (!rank) printf("%u at %.0f\\n", sum, ns())"""


def traffic(place: list[str], programs: Path, trace: Path, before: list[str], env: dict[str, str]) -> tuple[str, bytes]:
    """What the program of random traffic printed, and its trace."""
    words = ["--machine", *place, "--trace", str(trace), "-n", "8", compiled(programs, TRAFFIC)]
    command = [*before, str(build() / "bin/mpiexec"), *words]
    job = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=os.environ | env)
    assert job.returncode == 0, job.stderr
    return job.stdout, trace.read_bytes()


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_the_same_to_the_byte(place: list[str], programs: Path, tmp_path: Path) -> None:
    first = traffic(place, programs, tmp_path / "trace", [], {})
    assert len(first[0].splitlines()) == 8 * 20 + 1
    assert len(first[1]) > 10000
    ways: list[tuple[list[str], dict[str, str]]] = [([], {}), ([], {"MUCH": "x" * 5000})]
    if shutil.which("setarch"):
        ways.append((["setarch", platform.machine(), "-R"], {}))
    for before, env in ways:
        again = traffic(place, programs, tmp_path / "trace", before, env)
        assert again[0] == first[0], (before, list(env))
        assert again[1] == first[1], (before, list(env))


def test_a_trace_takes_no_virtual_time(programs: Path, tmp_path: Path) -> None:
    traced, _ = traffic(["sharc-ring"], programs, tmp_path / "trace", [], {})
    assert run("sharc-ring", "-n", "8", compiled(programs, TRAFFIC)).stdout == traced


# Messages that come while the processor computes

BREAKS_IN = """
    MPI_Request q = MPI_REQUEST_NULL;
    double t[3] = {0};
    if (rank == 1) MPI_Irecv(buf, 1 << 20, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &q);
    all();
    if (rank == 0) {
        memset(buf, 'x', 1 << 20);
        MPI_Send(buf, 1 << 20, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    } else {
        t[0] = ns(); mpico_compute(80e6); t[1] = ns(); MPI_Wait(&q, MPI_STATUS_IGNORE); t[2] = ns();
        if (buf[0] != 'x' || memcmp(buf, buf + 1, (1 << 20) - 1)) exit(9);
        printf("%d %.0f %.0f\\n", rank, t[1] - t[0], t[2] - t[1]);
    }"""
SECOND_NS = 1_000_000_000  # 80 million operations at 40 MHz, two a cycle
MEGABYTE_NS = (1 << 20) * 25  # over a wire of 40 MB/s


def breaks_in(progress: str, programs: Path, tmp_path: Path) -> tuple[float, float]:
    """Nanoseconds that rank 1 computed, and then waited for the message."""
    name = machine(tmp_path, "sharc-ring", progress=f'"{progress}"')
    computed, waited = numbers(run(name, "-n", "2", compiled(programs, BREAKS_IN)))[1]
    return computed - LOOK_NS, waited - LOOK_NS


def test_interrupts_steal_time_from_the_computation(programs: Path, tmp_path: Path) -> None:
    computed, waited = breaks_in("interrupts", programs, tmp_path)
    # At least the processor's share of 256 packets, but not the wire's time, which passes beside the computation.
    assert SECOND_NS + 256 * 64 * 25 < computed < SECOND_NS + MEGABYTE_NS
    assert waited < MEGABYTE_NS / 100


def test_a_second_processor_steals_none(programs: Path, tmp_path: Path) -> None:
    computed, waited = breaks_in("processor", programs, tmp_path)
    assert computed == pytest.approx(SECOND_NS, abs=1)
    assert waited < MEGABYTE_NS / 100


def test_without_either_the_message_waits_for_a_call(programs: Path, tmp_path: Path) -> None:
    computed, waited = breaks_in("calls", programs, tmp_path)
    assert computed == pytest.approx(SECOND_NS, abs=1)
    assert waited > MEGABYTE_NS * 0.9


# Wires and networks

BOTH_WAYS = """
    static char in[200000];
    int once = argc > 1;
    all(); mpico_compute(1e5);
    double t = ns();
    if (!once)
        MPI_Sendrecv(buf, 200000, MPI_BYTE, 1 - rank, 1, in, 200000, MPI_BYTE, 1 - rank, 1, W);
    else if (rank == 0)
        MPI_Send(buf, 200000, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(in, 200000, MPI_BYTE, 0, 1, W);
    printf("%d %.0f\\n", rank, ns() - t)"""


def test_half_duplex_takes_longer_where_both_directions_are_used(programs: Path, tmp_path: Path) -> None:
    program = compiled(programs, BOTH_WAYS)
    full, half = (machine(tmp_path, "sharc-ring", full_duplex=word) for word in ("true", "false"))
    wire_ns = 200000 * 25
    both = {name: max(ns[0] for ns in numbers(run(name, "-n", "2", program)).values()) for name in (full, half)}
    assert both[full] >= wire_ns
    assert both[half] >= 2 * wire_ns
    assert both[half] > both[full] * 1.3
    once = {name: numbers(run(name, "-n", "2", program, "once"))[1][0] for name in (full, half)}
    assert wire_ns <= once[half] < once[full] * 1.1


PINGPONG = """
    int length = atoi(argv[1]), burst = atoi(argv[2]);
    all(); mpico_compute(1e6);
    double t = ns();
    for (int round = 0; round < 10; round++) {
        for (int i = 0; rank == 0 && i < burst; i++) MPI_Send(buf, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        for (int i = 0; rank == 1 && i < burst; i++) MPI_Recv(buf, length, MPI_BYTE, 0, 1, W);
        if (rank == 1) MPI_Send(buf, length, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(buf, length, MPI_BYTE, 1, 2, W);
    }
    if (rank == 0) printf("0 %.0f\\n", ns() - t)"""


@pytest.mark.parametrize("length", [0, 8, 1000, 8000])
@pytest.mark.parametrize("burst", [1, 5])
@pytest.mark.parametrize(("latency", "gap", "per_byte"), [(2000, 900, 1), (0, 5000, 3), (70000, 100, 0)])
def test_loggp_ping_pong_is_the_formula(
    length: int, burst: int, latency: int, gap: int, per_byte: int, programs: Path, tmp_path: Path
) -> None:
    call, o_send, o_recv = 9, 70, 20  # together shorter than any gap: so the gap decides
    values = {"latency_ns": latency, "gap_ns": gap, "gap_ns_per_byte": per_byte}
    name = machine(tmp_path, "ideal", call=call, send=o_send, recv=o_recv, progress='"calls"', **values)
    total = numbers(run(name, "-n", "2", compiled(programs, PINGPONG), str(length), str(burst)))[0][0] - LOOK_NS
    wire = (HEADER_BYTES + length) * per_byte
    busy = max(gap, wire)  # of an interface, by one message
    one_way = call + o_send + latency + wire + o_recv
    there_and_back = one_way + (burst - 1) * busy + one_way
    assert total == 9 * max(there_and_back, burst * busy) + there_and_back


HOPS = """
    int length = atoi(argv[1]);
    double sent = 0, latest = 0;
    for (int d = 1; d < size; d++) {
        MPI_Request q;
        if (rank == d) MPI_Irecv(buf, length + 8, MPI_BYTE, 0, d, MPI_COMM_WORLD, &q);
        all();
        mpico_compute(1e6);
        if (rank == 0) {
            sent = ns();
            memcpy(buf, &sent, 8);
            MPI_Send(buf, length, MPI_BYTE, d, d, MPI_COMM_WORLD);
        } else if (rank == d) {
            MPI_Wait(&q, MPI_STATUS_IGNORE);
            latest = ns();
            memcpy(&sent, buf, 8);
            printf("%d %.0f\\n", rank, latest - sent);
        }
        mpico_compute(1e6); /* no other message is under way meanwhile */
        all();
    }"""


def hop_ns(discipline: str, length: int, programs: Path) -> float:
    """Nanoseconds more with each node that a message passes; the same for all nodes."""
    words = ["--discipline", discipline, "-n", "10", compiled(programs, HOPS), str(length)]
    took = numbers(run("sharc-ring", *words))
    steps = [took[d + 1][0] - took[d][0] for d in range(2, 9)]  # what computes beside, computes in each
    assert max(steps) - min(steps) <= 1, steps
    return steps[0]


def test_time_grows_linearly_with_hops(programs: Path) -> None:
    short, longer = (hop_ns("stop-and-wait", n, programs) for n in (1000, 2000))
    # Each node stores the whole packet: a thousand bytes more take a thousand byte times more, on each wire.
    assert longer - short == pytest.approx(1000 * 25, abs=1)
    assert short > (1000 + 56) * 25
    # The other discipline sends a packet on while it is received.
    assert hop_ns("windowed", 4000, programs) < 1000 * 25


def test_a_noisy_ring_delivers_everything_but_later(programs: Path, tmp_path: Path) -> None:
    body = """
        static unsigned char in[60000], out[60000];
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 60000; i++) out[i] = (unsigned char)(i * 7 + i / 256 + rank + round);
            MPI_Sendrecv(out, 60000, MPI_BYTE, (rank + 1) % size, 1, in, 60000, MPI_BYTE, (rank + size - 1) % size, 1, W);
            int from = (rank + size - 1) % size;
            for (int i = 0; i < 60000; i++)
                if (in[i] != (unsigned char)(i * 7 + i / 256 + from + round)) exit(9);
        }
        all();
        if (rank == 0) printf("0 %.0f\\n", ns())"""
    program = compiled(programs, body)
    took = []
    for rate in ("0", "1e-5", "1e-4"):
        name = machine(tmp_path, "sharc-ring-noisy", error_rate=rate)
        took.append(numbers(run(name, "-n", "4", program))[0][0])
    assert took[0] < took[1] < took[2]
    # Each frame that is lost costs at least the millisecond after which it is sent again.
    assert took[2] > took[0] + 1e6


# What does not fit


def refused(job: subprocess.CompletedProcess[str], pattern: str) -> None:
    """The job did not begin, and said why in one line."""
    assert job.returncode in (1, 2)
    assert job.stdout == ""
    assert re.search(pattern, job.stderr), job.stderr
    assert len(job.stderr.splitlines()) == 1, job.stderr


STARTED = 'printf("%d\\n", rank)'


def test_the_rings_own_limit_of_ranks(programs: Path) -> None:
    program = compiled(programs, STARTED)
    job = run("sharc-ring", "--discipline", "stop-and-wait", "-n", "33", program)
    refused(job, r"sharc-ring\.toml: 33 ranks, discipline 'stop-and-wait': .*32.*windowed$")
    assert len(numbers(run("sharc-ring", "--discipline", "stop-and-wait", "-n", "32", program))) == 32
    assert len(numbers(run("sharc-ring", "--discipline", "windowed", "-n", "64", program))) == 64


def test_the_discipline_without_check_sums_on_a_noisy_ring(programs: Path) -> None:
    job = run("sharc-ring-noisy", "--discipline", "stop-and-wait", "-n", "3", compiled(programs, STARTED))
    refused(job, r"sharc-ring-noisy\.toml: 3 ranks, discipline 'stop-and-wait': .*check sums")


def test_more_ranks_than_the_machine_has_nodes(programs: Path, tmp_path: Path) -> None:
    program = compiled(programs, STARTED)
    refused(run("scmp-mesh", "-n", "65", program), r"scmp-mesh\.toml: 65 ranks do not fit on scmp-mesh: it has 64")
    small = machine(tmp_path, "scmp-mesh", nodes_max=4)
    refused(run(small, "-n", "5", program), r"5 ranks do not fit .* 4 nodes")
    assert len(numbers(run(small, "-n", "4", program))) == 4


def test_an_unknown_machine_is_answered_with_the_known(programs: Path) -> None:
    job = run("sharc-rong", "-n", "2", compiled(programs, STARTED))
    refused(job, r"^mpiexec: there is no machine 'sharc-rong'; there are: ")
    for path in MACHINES.glob("*.toml"):
        assert path.stem in job.stderr


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        (r"clock_hz = 1e9", "clock_hz = -1", 0, "processor.clock_hz must be at least 1000"),
        (r"clock_hz = 1e9", 'clock_hz = "fast"', 0, "processor.clock_hz"),
        (r"clock_hz = 1e9", "clock_hz =", 0, "'clock_hz' needs a value"),
        (r"clock_hz = 1e9", "clock_hertz = 1e9", 0, "processor.clock_hertz is no key"),
        (r"clock_hz = 1e9", "clock_hz = 1e9\nclock_hz = 2e9", 1, "processor.clock_hz stands in line"),
        (r'progress = "processor"', 'progress = "magic"', 0, "processor.progress"),
        (r'kind = "loggp"', 'kind = "star"', 0, "network.kind"),
        (r"\[cost\]", "[cost", 0, ""),
        (r"match = 0", "match = nan", 0, "'match' is nan"),
        (r"latency_ns = 0", "latency_ns = 0\nextent = [2]", 1, "network.extent"),
    ],
)
def test_a_wrong_machine_file_is_told_by_line(
    old: str, new: str, line: int, why: str, programs: Path, tmp_path: Path
) -> None:
    text = (MACHINES / "ideal.toml").read_text()
    (at,) = [m.start() for m in re.finditer(old, text)]
    path = tmp_path / "wrong.toml"
    path.write_text(re.sub(old, new.replace("\\", ""), text))
    where = text[:at].count("\n") + 1 + line
    refused(run(str(path), "-n", "2", compiled(programs, STARTED)), rf"wrong\.toml:{where}: .*{re.escape(why)}")


def test_a_key_that_is_not_there_is_named(programs: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(re.sub(r"gap_ns = 0\n", "", (MACHINES / "ideal.toml").read_text()))
    refused(run(str(path), "-n", "2", compiled(programs, STARTED)), r"short\.toml:\d+: \[network\] lacks gap_ns\b")


@pytest.mark.parametrize(
    ("call", "name"), [("fork()", "fork"), ("pthread_create(&(pthread_t){0}, NULL, NULL, NULL)", "pthread_create")]
)
def test_processes_and_threads_are_refused(call: str, name: str, programs: Path) -> None:
    job = run("cluster", "-n", "3", compiled(programs, f"all(); if (rank == 1) {call}; all()"))
    assert job.returncode == 1
    assert re.search(rf"^mpico: rank 1: calls {name}\(\)", job.stderr, re.MULTILINE), job.stderr


# How a job ends


def test_a_rank_that_spins_is_named(programs: Path) -> None:
    program = compiled(programs, "static volatile int flag; if (rank == 1) while (!flag); all()")
    words = ["--machine", "sharc-ring", "--spin-timeout", "1", "--timeout", "40", "-n", "3", program]
    with subprocess.Popen([str(build() / "bin/mpiexec"), *words], stderr=subprocess.PIPE, text=True) as job:
        assert job.stderr is not None
        line = job.stderr.readline()  # a second of processor time from now
        job.terminate()
        assert re.search(r"^mpico: rank 1 has run [\d.]+ s without waiting in MPI \(main at .*\.c:\d+\)", line), line
        assert job.wait(10) != 0


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_a_deadlock_is_told_at_once(place: list[str], programs: Path) -> None:
    program = compiled(programs, "MPI_Recv(buf, 1, MPI_CHAR, (rank + 1) % size, 7, W)")
    began = time.monotonic()
    job = run(*place, "-n", "3", program)
    assert time.monotonic() - began < 3
    assert job.returncode == 1
    assert "rank 1: MPI_Recv from rank 2, tag 7 (communicator context 0), 1 bytes\n" in job.stderr
    assert "cycle: 0 -> 1 -> 2 -> 0\n" in job.stderr


@pytest.mark.parametrize(
    ("body", "code", "why"),
    [
        ("if (rank == 1) exit(3); all()", 3, "exited with code 3 before MPI_Finalize"),
        ("if (rank == 1) return 0; all()", 1, "left without MPI_Finalize"),
        ("all(); MPI_Finalize(); return rank == 1 ? 5 : 0", 5, "exited with code 5"),
        ("if (rank == 1) *(volatile int *)8 = 1; all()", 139, "killed by signal 11 (Segmentation fault)"),
        ("if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); all()", 7, "aborted the job: exit code 7"),
    ],
)
@pytest.mark.parametrize("base", ["sharc-ring", "cluster"])
def test_the_end_of_one_rank(body: str, code: int, why: str, base: str, programs: Path) -> None:
    job = run(base, "-n", "3", compiled(programs, f'printf("%d here\\n", rank); fflush(stdout); {body}'))
    assert job.returncode == code
    assert re.search(rf"^mpiexec: rank 1 \(pid \d+, .*\) {re.escape(why)}", job.stderr, re.MULTILINE), job.stderr
    assert "1 here\n" in job.stdout


# The clock


@pytest.mark.parametrize(
    ("call", "wanted_ns"),
    [
        ("sleep(100)", 100e9),
        ("usleep(250000)", 250e6),
        ("nanosleep(&(struct timespec){7000, 123456789}, NULL)", 7000e9 + 123456789),
    ],
)
def test_sleep_takes_virtual_time_alone(call: str, wanted_ns: float, programs: Path) -> None:
    began = time.monotonic()
    body = f'double t = ns(); if (rank == 1) {call}; all(); printf("%d %.0f\\n", rank, ns() - t)'
    took = numbers(run("cluster", "-n", "2", compiled(programs, body)))
    assert time.monotonic() - began < 10
    for ns in took.values():
        assert wanted_ns <= ns[0] < wanted_ns + 1e6


@pytest.mark.parametrize("base", ["sharc-ring", "ideal"])
def test_loops_that_wait_for_a_time_come_to_it(base: str, programs: Path) -> None:
    body = """
        double t = MPI_Wtime();
        long looks = 0;
        int flag = 0;
        while (MPI_Wtime() < t + 1e-4) looks++;
        if (rank == 0) while (!flag) MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        else mpico_compute(1e5), MPI_Send(buf, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(buf, 1, MPI_CHAR, 1, 5, W);
        printf("%d %ld %d\\n", rank, looks, MPI_Wtime() < t + 1)"""
    for looks, sane in numbers(run(base, "-n", "2", compiled(programs, body))).values():
        assert 0 < looks <= 1e5
        assert sane == 1


def test_a_thousand_ranks(programs: Path) -> None:
    body = """
        int sum = 0;
        if (rank == 777) mpico_compute(12e9);
        all();
        double t = ns();
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank % 333 == 0) printf("%d %.0f %d\\n", rank, t, sum)"""
    took = numbers(run("cluster", "-n", "1000", compiled(programs, body)))
    assert sorted(took) == [0, 333, 666, 999]
    for t, total in took.values():
        assert 1e9 < t < 1e9 + 1e6  # nobody is through before the one that computes has come
        assert total == 1000 * 999 // 2
