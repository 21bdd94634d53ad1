"""mpiexec from outside: output, input, exit status, signals, and that nothing of a job is left behind.

Set MPICO_BUILD to a folder with bin/mpiexec, bin/mpicc and lib/libmpi_abi.a.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

HELLO = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d, sum %d\n", rank, size, sum);
    MPI_Finalize();
    return 0;
}
"""


def build() -> Path:
    """The build folder; skips the test where none is named."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    return Path(folder)


def command(*words: str) -> list[str]:
    """The words after the path of mpiexec."""
    return [str(build() / "bin" / "mpiexec"), *words]


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A job that should end within 20 s."""
    return subprocess.run(command(*words), input=stdin, capture_output=True, text=True, timeout=20, check=False)


def ranks(n: int, script: str) -> list[str]:
    """Arguments that run a shell script in each of n ranks; $R is the rank."""
    return ["-n", str(n), "sh", "-c", f"R=${{MPICO_JOB#*:}}; {script}"]


def living(mark: str) -> list[str]:
    """Processes, not zombies, in whose command line or environment `mark` occurs."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or entry.name == str(os.getpid()):
            continue
        try:
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in text and state != "Z":
            found.append(entry.name)
    return found


def wait_until(true: Callable[[], bool], seconds: float = 5) -> bool:
    """Whether it becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return true()


def start_sleepers(mark: str, n: int = 2) -> subprocess.Popen[str]:
    """A job of n ranks, each of which has started a grandchild and has said so."""
    script = "sleep 600 & sleep 601 & echo up; wait"
    job = subprocess.Popen(
        command("-x", f"MARK={mark}", *ranks(n, script)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert job.stdout is not None
    for _ in range(n):
        assert job.stdout.readline() == "up\n"
    return job


@pytest.fixture
def mark(tmp_path: Path) -> str:
    """A word that is in the environment of this test's processes alone."""
    return f"mpiexec-test-{os.getpid()}-{tmp_path.name}"


# Output and input


def test_all_output_arrives_in_whole_lines() -> None:
    job = run(*ranks(4, "i=0; while [ $i -lt 2000 ]; do echo $R:$i:abcdefghijklmnopqrstuvwxyz; i=$((i+1)); done"))
    lines = job.stdout.splitlines()
    assert job.returncode == 0
    assert len(lines) == 8000
    for rank in range(4):
        mine = [line for line in lines if line.startswith(f"{rank}:")]
        assert mine == [f"{rank}:{i}:abcdefghijklmnopqrstuvwxyz" for i in range(2000)]


def test_bytes_and_a_long_line_arrive_unchanged(tmp_path: Path) -> None:
    data = bytes(range(256)) * 2000 + b"x" * 300_000 + b"no newline at the end"
    (tmp_path / "data").write_bytes(data)
    job = subprocess.run(command("-n", "1", "cat", str(tmp_path / "data")), stdout=subprocess.PIPE, check=True)
    assert job.stdout == data


def test_streams_stay_apart() -> None:
    job = run(*ranks(2, "echo out; echo err >&2"))
    assert (job.stdout, job.stderr) == ("out\nout\n", "err\nerr\n")


def test_slow_reader_gets_everything() -> None:
    with subprocess.Popen(command("-n", "2", "sh", "-c", "seq 100000"), stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        time.sleep(0.3)
        assert len(job.stdout.read().splitlines()) == 200000


def test_reader_that_leaves_ends_the_job() -> None:
    with subprocess.Popen(command("-n", "2", "yes"), stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        job.stdout.readline()
        job.stdout.close()
        assert job.wait(10) == 128 + signal.SIGPIPE


def test_prefix() -> None:
    job = run("-l", *ranks(3, "echo a; echo b; printf c"))
    assert sorted(job.stdout.replace("c[", "c\n[").splitlines()) == sorted(
        f"[{r}] {c}" for r in range(3) for c in "abc"
    )


def test_stdin_goes_to_rank_0() -> None:
    job = run(*ranks(2, 'read line || line=nothing; echo "$R $line"'), stdin="words\n")
    assert sorted(job.stdout.splitlines()) == ["0 words", "1 nothing"]


def test_stdin_none() -> None:
    job = run("--stdin", "none", *ranks(1, 'read line || line=nothing; echo "$line"'), stdin="words\n")
    assert job.stdout == "nothing\n"


# What is started


def test_parts_and_environment_and_directory(tmp_path: Path) -> None:
    script = 'echo "$MPICO_JOB $A $(pwd)" | sed "s/^[0-9]*://"'
    job = run("-n", "2", "-x", "A=1", "sh", "-c", script, ":", "-wdir", str(tmp_path), "sh", "-c", script)
    here = os.getcwd()
    assert sorted(job.stdout.splitlines()) == [f"0 1 {here}", f"1 1 {here}", f"2 1 {tmp_path}"]


def test_missing_program_starts_nothing(tmp_path: Path) -> None:
    job = run("touch", str(tmp_path / "started"), ":", "./nope")
    assert job.returncode == 127
    assert job.stderr == "mpiexec: cannot execute './nope': No such file or directory\n"
    assert not (tmp_path / "started").exists()


def test_program_that_may_not_run(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("words")
    job = run(str(tmp_path / "text"))
    assert job.returncode == 126
    assert "Permission denied" in job.stderr


def test_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("words")
    (tmp_path / "text").chmod(0o755)
    job = run("-n", "2", str(tmp_path / "text"))
    assert job.returncode == 126
    assert "Exec format error" in job.stderr


def test_unknown_option() -> None:
    job = run("--frobnicate", "true")
    assert job.returncode == 2
    assert "unknown option '--frobnicate'" in job.stderr


def test_many_ranks() -> None:
    job = run("-n", "100", "echo", "x")
    assert (job.returncode, job.stdout) == (0, "x\n" * 100)


# How it ends


def test_exit_status_of_the_first_rank_that_fails() -> None:
    job = run(*ranks(3, "[ $R = 1 ] && exit 7; sleep 60"))
    assert job.returncode == 7
    assert "mpiexec: rank 1 (pid " in job.stderr
    assert "exited with code 7" in job.stderr


def test_quiet() -> None:
    assert run("-q", *ranks(2, "exit 3")).stderr == ""


def test_last_words_come_before_the_verdict() -> None:
    job = run(*ranks(2, "echo last words >&2; exit 3"))
    assert job.stderr.startswith("last words\n")


def test_timeout() -> None:
    job = run("--timeout", "0.3", "-n", "2", "sleep", "60")
    assert job.returncode == 124
    assert "--timeout" in job.stderr


def test_killed_rank_takes_the_job_along(mark: str) -> None:
    job = run("-x", f"MARK={mark}", *ranks(3, "sleep 600 & [ $R = 2 ] && kill -9 $$; wait"))
    assert job.returncode == 137
    assert "rank 2 " in job.stderr
    assert "killed by signal 9 (Killed)" in job.stderr
    assert living(mark) == []


def test_background_process_does_not_outlive_a_good_job(mark: str) -> None:
    job = run("-x", f"MARK={mark}", *ranks(2, "setsid sleep 600 & exit 0"))
    assert job.returncode == 0
    assert living(mark) == []


def test_killed_mpiexec_leaves_nothing(mark: str) -> None:
    job = start_sleepers(mark)
    job.kill()
    job.wait()
    assert wait_until(lambda: living(mark) == []), living(mark)


def test_killed_keeper_leaves_nothing(mark: str) -> None:
    job = start_sleepers(mark)
    keeper = int(Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()[0])
    os.kill(keeper, signal.SIGKILL)
    assert job.wait(10) == 137
    assert living(mark) == []


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_the_job(sig: signal.Signals, mark: str) -> None:
    job = start_sleepers(mark)
    job.send_signal(sig)
    assert job.wait(10) == 128 + sig
    assert living(mark) == []


@pytest.mark.parametrize(("sig", "name"), [(signal.SIGINT, "INT"), (signal.SIGUSR1, "USR1"), (signal.SIGUSR2, "USR2")])
def test_signal_reaches_the_ranks(sig: signal.Signals, name: str) -> None:
    script = f"trap 'echo got $R; exit 0' {name}; echo up; while :; do sleep 0.02; done"
    with subprocess.Popen(command(*ranks(2, script)), stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        assert [job.stdout.readline() for _ in range(2)] == ["up\n", "up\n"]
        job.send_signal(sig)
        assert sorted(job.stdout.read().splitlines()) == ["got 0", "got 1"]
        assert job.wait(10) == (130 if sig == signal.SIGINT else 0)


def test_ranks_that_ignore_signals_end_too(mark: str) -> None:
    script = "trap '' INT TERM; echo up; while :; do sleep 0.02; done"
    with subprocess.Popen(command("-x", f"MARK={mark}", *ranks(2, script)), stdout=subprocess.PIPE) as job:
        assert job.stdout is not None
        job.stdout.readline()
        job.send_signal(signal.SIGTERM)
        assert job.wait(10) == 143
    assert living(mark) == []


def test_stop_and_continue(mark: str) -> None:
    job = start_sleepers(mark)

    def states() -> set[str]:
        shells = [p for p in living(mark) if Path(f"/proc/{p}/comm").read_text() == "sh\n"]
        return {Path(f"/proc/{p}/stat").read_text().rpartition(")")[2].split()[0] for p in shells}

    job.send_signal(signal.SIGTSTP)
    assert wait_until(lambda: states() == {"T"})
    job.send_signal(signal.SIGCONT)
    assert wait_until(lambda: states() == {"S"})
    job.terminate()
    job.wait(10)


def test_quit_reports_and_goes_on(mark: str) -> None:
    job = start_sleepers(mark)
    job.send_signal(signal.SIGQUIT)
    assert job.stderr is not None
    assert [job.stderr.readline() for _ in range(2)][1] == "rank 0: running (has not called MPI_Init)\n"
    assert job.poll() is None
    job.terminate()
    job.wait(10)
    assert living(mark) == []


def test_nothing_in_shared_folders() -> None:
    before = {folder: set(os.listdir(folder)) for folder in ("/dev/shm", "/tmp")}
    with subprocess.Popen(command("-n", "2", "sleep", "0.5")) as job:
        time.sleep(0.2)
        during = {folder: set(os.listdir(folder)) for folder in before}
        assert job.wait(10) == 0
    for folder, names in during.items():
        new = [Path(folder, name) for name in names - before[folder] if "mpi" in name]
        assert new == []


def test_idle_launcher_uses_no_cpu() -> None:
    with subprocess.Popen(command("-n", "2", "sleep", "2")) as job:
        time.sleep(1.7)
        keeper = Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()[0]
        ticks = Path(f"/proc/{keeper}/stat").read_text().rpartition(")")[2].split()[11:13]
        assert sum(map(int, ticks)) <= 2
        assert job.wait(10) == 0


BOARD = """
kind = pipes
max_ranks = 8
"""


def test_nodes_find_their_links_and_their_rank(tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "board.conf").write_text(BOARD)
    node = tmp_path / "node"
    node.write_text(
        "#!/bin/sh\necho $MPICO_BOARD_RANK >&4\nread left <&3\necho $MPICO_BOARD_RANK $MPICO_BOARD_SIZE $left\n"
    )
    node.chmod(0o755)
    job = run("--board", str(tmp_path / "board"), "-n", "4", str(node))
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == ["0 4 3", "1 4 0", "2 4 1", "3 4 2"]


# Options of other launchers


def test_the_environment_of_one_program() -> None:
    show = ["sh", "-c", "echo $MINE $ALL"]
    job = run("-genv", "ALL", "1", "-env", "MINE", "2", *show, ":", "-env", "MINE", "3", "-n", "2", *show, ":", *show)
    assert sorted(job.stdout.splitlines()) == ["1", "2 1", "3 1", "3 1"]


def test_what_has_no_effect_is_said_in_one_line() -> None:
    job = run("--map-by", "core", "--bind-to", "socket", "--mca", "btl", "self", "--oversubscribe", "echo", "done")
    assert (job.returncode, job.stdout) == (0, "done\n")
    assert job.stderr == "mpiexec: no effect here: --map-by core, --bind-to socket, --mca btl self\n"
    assert run("-q", "--map-by", "core", "true").stderr == ""


def test_another_host_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("localhost slots=1\nnode7.example slots=4\n")
    for words in (["-host", "node7.example"], ["--hostfile", str(tmp_path / "hosts")]):
        job = run(*words, "-n", "2", "echo", "started")
        assert (job.returncode, job.stdout) == (2, "")
        assert "'node7.example' is another host" in job.stderr


def test_config_file(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text('# two programs\n-n 2 echo "one  word"\n-env A b sh -c \\\n  "echo $A"\n')
    job = run("-configfile", str(tmp_path / "jobs"))
    assert sorted(job.stdout.splitlines()) == ["b", "one  word", "one  word"]
    (tmp_path / "jobs").write_text("echo one\n-env A b sh -c 'echo $A'\n")
    assert sorted(run("-l", "-configfile", str(tmp_path / "jobs")).stdout.splitlines()) == ["[0] one", "[1] b"]


def test_folders_to_look_for_the_program_in(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ls").write_text(f"#!/bin/sh\necho {name}\n")
    (tmp_path / "two" / "ls").chmod(0o755)
    assert run("-path", f"{tmp_path}/none:{tmp_path}/two", "ls").stdout == "two\n"
    assert run("-path", f"{tmp_path}/none", "echo", "of PATH").stdout == "of PATH\n"
    job = run("-path", f"{tmp_path}/one", "ls")  # it is there, but no program
    assert (job.returncode, job.stdout) == (126, "")


# With the library


def compiled(tmp_path: Path, *flags: str, source: str = HELLO) -> str:
    """Path of the program that mpicc makes of the source."""
    (tmp_path / "hello.c").write_text(source)
    out = tmp_path / "hello"
    subprocess.run([str(build() / "bin" / "mpicc"), str(tmp_path / "hello.c"), "-o", str(out), *flags], check=True)
    return str(out)


def expected(n: int) -> list[str]:
    """The lines that HELLO prints, sorted."""
    return sorted(f"rank {rank} of {n}, sum {n * (n - 1) // 2}" for rank in range(n))


def test_mpi_program(tmp_path: Path) -> None:
    job = run("-n", "4", compiled(tmp_path))
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == expected(4)


def test_leaving_without_finalize(tmp_path: Path) -> None:
    job = run("-n", "2", compiled(tmp_path, source=HELLO.replace("MPI_Finalize();", "")))
    assert job.returncode == 1
    assert "left without MPI_Finalize" in job.stderr


def test_status_after_finalize_counts(tmp_path: Path) -> None:
    job = run("-n", "2", compiled(tmp_path, source=HELLO.replace("return 0", "return rank ? 5 : 0")))
    assert job.returncode == 5
    assert sorted(job.stdout.splitlines()) == expected(2)


def test_hang_timeout(tmp_path: Path) -> None:
    source = HELLO.replace("MPI_Allreduce", "if (rank) for (;;); MPI_Allreduce")
    job = run("--hang-timeout", "0.5", "-n", "2", compiled(tmp_path, source=source))
    assert job.returncode == 1
    assert "rank 0: MPI_Allreduce" in job.stderr
    assert "rank 1: running" in job.stderr


THREADED = r"""
#include <mpi.h>
#include <pthread.h>
#include <time.h>
static int rank, size;
static void *receive(void *unused)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}
static void *probe(void *unused)
{
    MPI_Probe(rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    struct timespec nap = {1, 500000000};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    BODY
    MPI_Finalize();
    return 0;
}
"""

BESIDE = "pthread_create(&thread, NULL, receive, NULL); {} pthread_join(thread, NULL);"
SEND = "MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD);"
needs_two = pytest.mark.parametrize("crowded", [False, True], ids=["apart", "crowded"])


def run_threaded(tmp_path: Path, body: str, crowded: bool, *options: str) -> subprocess.CompletedProcess[str]:
    """A job of two ranks with threads, whose main threads do what `body` says; or of four on one processor."""
    program = compiled(tmp_path, "-pthread", source=THREADED.replace("BODY", body))
    words = command(*options, "--timeout", "20", "-n", "4" if crowded else "2", program)
    if crowded:
        words = ["taskset", "-c", str(min(os.sched_getaffinity(0))), *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)


@needs_two
def test_thread_that_sends_late_is_no_deadlock(tmp_path: Path, crowded: bool) -> None:
    job = run_threaded(tmp_path, BESIDE.format("nanosleep(&nap, NULL); " + SEND), crowded)
    assert job.returncode == 0, job.stderr


@needs_two
def test_deadlock_of_ranks_that_may_have_threads_is_told(tmp_path: Path, crowded: bool) -> None:
    job = run_threaded(tmp_path, "receive(NULL);", crowded)
    assert job.returncode == 1, job.stderr
    assert "mpiexec: deadlock: every rank waits for another" in job.stderr
    assert "rank 0: MPI_Recv from rank 1, tag 5" in job.stderr


def test_deadlock_shows_what_all_threads_wait_for(tmp_path: Path) -> None:
    job = run_threaded(tmp_path, BESIDE.format("probe(NULL);"), False)
    assert job.returncode == 1, job.stderr
    assert "mpiexec: deadlock: every rank waits for another" in job.stderr
    rank_0 = next(line for line in job.stderr.splitlines() if line.startswith("rank 0: "))
    assert "MPI_Recv from rank 1, tag 5" in rank_0
    assert "; another thread: MPI_" in rank_0
    assert "MPI_Probe for a message from rank 0, tag 6" in rank_0


def test_hang_timeout_shows_the_threads_elsewhere(tmp_path: Path) -> None:
    job = run_threaded(tmp_path, BESIDE.format(""), False, "--hang-timeout", "1")
    assert job.returncode == 1, job.stderr
    assert "no message has moved for as long as --hang-timeout says" in job.stderr
    assert "rank 0: MPI_Recv from rank 1, tag 5 (communicator context 0), 4 bytes; " in job.stderr
    assert "; 1 of 2 threads does not wait in MPI\n" in job.stderr


POLLING = r"""
#include <mpi.h>
#include <stdio.h>
static int yields;
int sched_yield(void) { return ++yields, 0; }
int main(int argc, char **argv)
{
    int rank, flag;
    MPI_Init_thread(&argc, &argv, LEVEL, &flag);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request nothing;
    MPI_Irecv(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD, &nothing);
    yields = 0;
    for (int i = 0; i < 1000; i++)
        MPI_Iprobe(rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    int probing = yields;
    for (int i = 0; i < 1000; i++)
        MPI_Test(&nothing, &flag, MPI_STATUS_IGNORE);
    printf("%d %d\n", probing > 0, yields > probing);
    MPI_Cancel(&nothing);
    MPI_Wait(&nothing, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize("level", ["MPI_THREAD_SINGLE", "MPI_THREAD_MULTIPLE"])
def test_crowded_ranks_that_poll_give_way(level: str, tmp_path: Path) -> None:
    """With more ranks than CPUs, whoever looks in a loop must let the one run that it looks for."""
    n = len(os.sched_getaffinity(0)) + 1
    job = run("-n", str(n), compiled(tmp_path, f"-DLEVEL={level}", source=POLLING))
    assert job.returncode == 0, job.stderr
    assert job.stdout.splitlines() == ["1 1"] * n


WOKEN = r"""
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static int rank, moves, without, with;
static cpu_set_t allowed;
int sched_getcpu(void) { return APART ? rank : 0; }
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    moves++;
    without += !CPU_ISSET(0, set);
    with += CPU_EQUAL(set, &allowed) != 0;
    return (int)syscall(SYS_sched_setaffinity, pid, size, set);
}
static void pass(int from, int to)
{
    int word = 0;
    usleep(rank == from ? 50000 : 0);
    if (rank == from)
        MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&word, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    sched_getaffinity(0, sizeof allowed, &allowed);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pass(0, 1);
    moves = without = with = 0;
    for (int i = 0; i < 4; i++)
        pass(0, 1);
    if (rank == 1)
        printf("%d %d %d\n", moves > 0, moves == 2 * without, moves == 2 * with);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.skipif(not {0, 1} <= os.sched_getaffinity(0), reason="needs two CPUs")
@pytest.mark.parametrize(("apart", "said"), [(0, "1 1 1"), (1, "0 1 1")])
def test_rank_woken_beside_its_waker_moves_to_another_cpu(apart: int, said: str, tmp_path: Path) -> None:
    """Where it would wait again: spinning there would keep the one from running that it waits for. Its mask is as before."""
    job = run("-n", "2", compiled(tmp_path, f"-DAPART={apart}", source=WOKEN))
    assert job.returncode == 0, job.stderr
    assert job.stdout.splitlines() == [said]


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")
def test_static_program_in_an_empty_root(tmp_path: Path) -> None:
    program = compiled(tmp_path, "-static")
    root = tmp_path / "root"
    (root / "dev").mkdir(parents=True)
    for path in (program, str(build() / "bin" / "mpiexec")):
        shutil.copy(path, root)
    if subprocess.run(["ldd", str(root / "mpiexec")], capture_output=True, check=False).returncode == 0:
        pytest.skip("this mpiexec is not static")
    (root / "dev" / "null").touch()
    job = subprocess.run(
        ["chroot", str(root), "/mpiexec", "-n", "2", "/hello"], capture_output=True, text=True, timeout=20, check=False
    )
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == expected(2)


CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE MPI::MPI_C)
"""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_cmake_project_finds_it(tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_PROJECT)
    path = f"{build() / 'bin'}:{os.environ['PATH']}"
    for words in (["cmake", "-S", ".", "-B", "b"], ["cmake", "--build", "b"]):
        step = subprocess.run(
            words, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PATH": path}, check=False
        )
        assert step.returncode == 0, step.stdout + step.stderr
    assert (
        f"MPIEXEC_EXECUTABLE:FILEPATH={build() / 'bin' / 'mpiexec'}" in (tmp_path / "b" / "CMakeCache.txt").read_text()
    )
    assert sorted(run("-n", "3", str(tmp_path / "b" / "hello")).stdout.splitlines()) == expected(3)


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
def test_pkg_config(tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    environment = os.environ | {"PKG_CONFIG_PATH": str(build() / "lib" / "pkgconfig")}
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "mpi_abi"], env=environment, check=True, capture_output=True, text=True
    ).stdout.split()
    subprocess.run(["cc", str(tmp_path / "hello.c"), "-o", str(tmp_path / "hello"), *flags], check=True)
    assert sorted(run("-n", "2", str(tmp_path / "hello")).stdout.splitlines()) == expected(2)


def test_wrapper_through_a_link_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mpicc").symlink_to(build() / "bin" / "mpicc")
    shown = subprocess.run([str(tmp_path / "mpicc"), "-show", "a.c"], check=True, capture_output=True, text=True).stdout
    assert f"-I{build()}/include" in shown
    assert "-lmpi_abi" in shown
    compile_only = subprocess.run(
        [str(tmp_path / "mpicc"), "-show", "-c", "a.c"], check=True, capture_output=True, text=True
    ).stdout
    assert "-lmpi_abi" not in compile_only
