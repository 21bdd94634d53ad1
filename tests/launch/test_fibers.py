"""Ranks of one process: what is each rank's own, what it may not do, and how the job ends.

Set MPICO_BUILD to a folder with bin/mpiexec, bin/mpicc and lib/mpico/fiber.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

HEAD = """
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int rank, size;
static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void all(void) { MPI_Barrier(MPI_COMM_WORLD); }
"""


def build() -> Path:
    """The build folder; skips the test where none is named, or where it has no fibers."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    if not (Path(folder) / "lib/mpico/fiber/mpico-fiber").exists():
        pytest.skip("this build has no fibers")
    return Path(folder)


def compiled(folder: Path, body: str, *flags: str, name: str = "prog", compiler: str = "mpicc") -> str:
    """Path of the program made of HEAD and `body`."""
    source = folder / f"{name}.{'cc' if compiler == 'mpicxx' else 'c'}"
    source.write_text(HEAD + body)
    out = folder / name
    command = [str(build() / "bin" / compiler), "-g", "-O1", "-w", str(source), "-o", str(out), *flags]
    subprocess.run(command, check=True, cwd=folder)
    return str(out)


def main(body: str) -> str:
    """A main function that starts MPI, does `body` and ends."""
    return f"int main(int argc, char **argv) {{ start(&argc, &argv); {body}; MPI_Finalize(); return 0; }}\n"


def run(*words: str, stdin: str = "", timeout: float = 20) -> subprocess.CompletedProcess[str]:
    """A job of fibers."""
    command = [str(build() / "bin" / "mpiexec"), "--fibers", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=timeout, check=False)


def lines(job: subprocess.CompletedProcess[str]) -> list[str]:
    """The sorted lines of a job that went well."""
    assert job.returncode == 0, job.stderr
    return sorted(job.stdout.splitlines(), key=lambda line: [int(n) for n in re.findall(r"\d+", line)])


# What is each rank's own


PRIVATE = """
int global = 100;
int *pointer = &global;
static int bss[3];
static _Thread_local int own = 7;
static _Thread_local int zero;
int next(void) { static int n; return ++n; }
""" + main("""
    global += rank; bss[1] = rank; own += rank; zero -= rank;
    for (int i = 0; i < rank; i++) next();
    errno = rank;
    all();
    int e = errno;
    printf("%d %d %d %d %d %d %d\\n", rank, *pointer, bss[1], own, zero, next(), e);
    all()
""")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_variables_are_private(threads: str, tmp_path: Path) -> None:
    job = run("--threads", threads, "-n", "6", compiled(tmp_path, PRIVATE))
    assert lines(job) == [f"{r} {100 + r} {r} {7 + r} {-r} {r + 1} {r}" for r in range(6)]


def test_variables_of_the_programs_library_are_private(tmp_path: Path) -> None:
    (tmp_path / "count.c").write_text("static int n = 5; int shared_count(int by) { return n += by; }")
    subprocess.run(["cc", "-shared", "-fPIC", "count.c", "-o", "libcount.so"], cwd=tmp_path, check=True)
    body = "int shared_count(int);" + main('shared_count(rank); all(); printf("%d %d\\n", rank, shared_count(0))')
    program = compiled(tmp_path, body, f"-L{tmp_path}", "-lcount", f"-Wl,-rpath,{tmp_path}")
    assert lines(run("-n", "4", program)) == [f"{r} {5 + r}" for r in range(4)]


def test_arguments_are_the_ranks_own_to_write(tmp_path: Path) -> None:
    body = main("argv[1][0] = (char)('0' + rank); all(); printf(\"%d %d %s %d\\n\", rank, argc, argv[1], !argv[argc])")
    assert lines(run("-n", "3", compiled(tmp_path, body), "xyz", "b")) == [f"{r} 3 {r}yz 1" for r in range(3)]


def test_floating_point_modes_are_private(tmp_path: Path) -> None:
    body = "#include <fenv.h>\n" + main("""
        if (rank == 1) fesetround(FE_UPWARD);
        all();
        printf("%d %d\\n", rank, fegetround() == (rank == 1 ? FE_UPWARD : FE_TONEAREST))""")
    assert lines(run("-n", "3", compiled(tmp_path, body, "-lm"))) == ["0 1", "1 1", "2 1"]


GETOPT = """
static struct option longs[] = {{"level", required_argument, 0, 'L'}, {"quiet", no_argument, 0, 'q'}, {0}};
int main(int argc, char **argv)
{
    char text[300] = "";
    start(&argc, &argv);
    if (rank) { argv[1] = "-ac"; argv[2] = "file"; }
    for (int c; (c = getopt_long(argc, argv, "ab:c", longs, NULL)) != -1; all())
        sprintf(text + strlen(text), " %c=%s", c, optarg ? optarg : "");
    for (; optind < argc; optind++)
        sprintf(text + strlen(text), " %s", argv[optind]);
    printf("%d%s\\n", rank, text);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_getopt_by_all_ranks_at_once(threads: str, tmp_path: Path) -> None:
    words = ["-ab3", "file", "--level=9", "-c", "last", "--quiet", "--", "-z"]
    job = run("--threads", threads, "-n", "3", compiled(tmp_path, GETOPT), *words)
    first = "0 a= b=3 L=9 c= q= file last -z"
    others = [f"{r} a= c= L=9 c= q= file last -z" for r in (1, 2)]
    assert sorted(lines(job)) == [first, *others]


RANDOM = """
int main(int argc, char **argv)
{
    char other[64], text[400] = "";
    unsigned short x[3] = {1, 2, 3}, seven[7] = {1, 2, 3, 4, 5, 6, 7};
    start(&argc, &argv);
    for (int i = 0; i < 9; i++, all()) {
        size_t n = strlen(text);
        if (i == 3) { srand(7); srand48(7); }
        if (i == 4) initstate(5, other, sizeof other);
        if (i == 5) { srandom(9); memcpy(x, seed48(x), sizeof x); }
        if (i == 6) lcong48(seven);
        if (i == 7) setstate(other);
        snprintf(text + n, sizeof text - n, " %d %ld %.4f %ld %ld %.4f %ld %ld", rand() % 1000, random() % 1000, drand48(),
                 lrand48() % 1000, mrand48() % 1000, erand48(x), nrand48(x) % 1000, jrand48(x) % 1000);
    }
    puts(text);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_each_rank_draws_the_numbers_of_a_process(threads: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, RANDOM)
    alone = subprocess.run([program], capture_output=True, text=True, check=True)
    job = run("--threads", threads, "-n", "3", program)
    assert lines(job) == 3 * alone.stdout.splitlines()


def test_getopt_is_the_c_librarys(tmp_path: Path) -> None:
    program = compiled(
        tmp_path,
        """
static struct option longs[] = {{"level", required_argument, 0, 'L'}, {"lesser", optional_argument, 0, 'l'}, {0}};
int main(int argc, char **argv)
{
    int only = argc > 1 && strcmp(argv[1], "only") == 0, c;
    const char *shorts = getenv("SHORTS");
    opterr = 1;
    while ((c = only ? getopt_long_only(argc - 1, argv + 1, shorts, longs, NULL)
                     : getopt_long(argc, argv, shorts, longs, NULL)) != -1)
        printf("%d %s %d %d\\n", c, optarg ? optarg : "-", optind, c == '?' || c == ':' ? optopt : 0);
    for (int i = 0; i < argc; i++)
        printf("%s ", argv[i]);
    printf("at %d\\n", optind);
    return 0;
}""",
    )
    cases = [
        ("ab:c::", "x -a y -bz -b z -c -cq w -- -a"),
        ("+ab:", "-a x -a"),
        ("-ab:", "-a x -a -b 1 y"),
        (":ab:", "-x -a -b"),
        ("ab:", "-x --nope --le --level --lev=3 --lesser --lesser=4 -ab"),
        ("ab:", "only -a -level 3 -lev=4 -l -b 2 -nope z"),
        ("a", "only - -a -- -a"),
        ("a", ""),
    ]
    for shorts, words in cases:
        environment = os.environ | {"SHORTS": shorts}
        command = [program, *words.split()]
        alone = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        fiber = run("-x", f"SHORTS={shorts}", *command)
        assert (fiber.stdout, fiber.stderr) == (alone.stdout, alone.stderr), (shorts, words)


CPLUSPLUS = """
#include <iostream>
#include <stdexcept>
struct Word {
    const char *name;
    Word(const char *n) : name(n) { rank = -1; }
    ~Word() { std::cout << rank << " end of " << name << std::endl; }
};
static Word word("program");
static thread_local Word *late;
struct Own { int n = 3; ~Own() { std::cout << rank << " own " << n << std::endl; } };
static thread_local Own own;
""" + main("""
    own.n += rank;
    static Word inner("main");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try { all(); throw std::runtime_error("thrown"); } catch (std::exception &e) {
        all();
        std::cout << rank << " " << e.what() << std::endl;
    }""")


def test_constructors_destructors_and_exceptions(tmp_path: Path) -> None:
    job = run("-n", "3", compiled(tmp_path, CPLUSPLUS, compiler="mpicxx"))
    assert job.returncode == 0, job.stderr
    for rank in range(3):
        mine = [line[2:] for line in job.stdout.splitlines() if line.startswith(f"{rank} ")]
        assert mine == ["thrown", f"own {3 + rank}", "end of main", "end of program"]


def test_files_left_open_are_written(tmp_path: Path) -> None:
    body = main(f'char n[999]; sprintf(n, "{tmp_path}/%d", rank); fprintf(fopen(n, "w"), "rank %d", rank)')
    assert run("-n", "3", compiled(tmp_path, body)).returncode == 0
    assert [(tmp_path / str(rank)).read_text() for rank in range(3)] == ["rank 0", "rank 1", "rank 2"]


# Output


def test_lines_stay_whole_and_have_their_prefix(tmp_path: Path) -> None:
    body = main('for (int i = 0; i < 50; i++) { printf("a%d", i); MPI_Barrier(MPI_COMM_WORLD); puts("b"); }')
    job = run("-l", "-n", "4", compiled(tmp_path, body))
    assert job.returncode == 0
    for rank in range(4):
        mine = [line for line in job.stdout.splitlines() if line.startswith(f"[{rank}] ")]
        assert mine == [f"[{rank}] a{i}b" for i in range(50)]


def test_long_lines_have_one_prefix(tmp_path: Path) -> None:
    """Longer than any buffer, between short ones that are written with it."""
    body = main("""
        static char text[200003];
        memset(text, 'a' + rank, 200000);
        memcpy(text, "x\\n", 2), strcpy(text + 199998, "\\ny\\n");
        write(1, text, strlen(text));
        all();
        write(1, text + 2, 65532), write(1, "\\n", 1), write(1, text + 2, 65537), write(1, "\\n", 1)""")
    job = run("-l", "-n", "3", compiled(tmp_path, body))
    assert job.returncode == 0
    for rank in range(3):
        mine = [line for line in job.stdout.splitlines() if line.startswith(f"[{rank}] ")]
        letter = chr(ord("a") + rank)
        assert mine == [f"[{rank}] {text}" for text in ("x", letter * 199996, "y", letter * 65532, letter * 65537)]
    assert job.stdout.count("\n") == 15


def test_unfinished_lines_come_at_the_end_or_when_flushed(tmp_path: Path) -> None:
    body = main("""
        printf("%d", rank);
        if (rank == 1) { fflush(stdout); all(); } else { all(); }
        all();
        if (rank == 0) printf("end\\n")""")
    job = run("-n", "3", compiled(tmp_path, body))
    assert job.stdout.startswith("10end\n")
    assert job.stdout.endswith("2")


def test_write_and_stderr_and_streams_without_buffer(tmp_path: Path) -> None:
    body = main("""
        setvbuf(stdout, NULL, rank ? _IOLBF : _IONBF, 0);
        printf("x%d", rank);
        all();
        write(1, "y\\n", 2);
        fprintf(stderr, "e%d", rank);
        all();
        if (fileno(stdout) != 1 || fileno(stderr) != 2) exit(9);
        write(2, "\\n", 1)""")
    job = run("-n", "2", compiled(tmp_path, body))
    assert job.returncode == 0
    assert sorted(job.stdout.splitlines()) == ["x0y", "x1y"]
    assert sorted(job.stderr.splitlines()) == ["e0", "e1"]


def test_a_rank_may_close_or_redirect_its_own_output(tmp_path: Path) -> None:
    body = main(f"""
        if (rank == 0) fclose(stdout);
        if (rank == 1) freopen("{tmp_path}/out", "w", stdout);
        all();
        printf("rank %d\\n", rank)""")
    assert run("-l", "-n", "3", compiled(tmp_path, body)).stdout == "[2] rank 2\n"
    assert (tmp_path / "out").read_text() == "rank 1\n"


def test_a_rank_may_move_the_numbers_of_its_output(tmp_path: Path) -> None:
    body = "#include <fcntl.h>\n" + main(f"""
        int file = open("{tmp_path}/out", O_CREAT | O_WRONLY, 0666), before = -1, wrong = 0;
        if (rank == 1) {{
            before = dup(1);
            wrong = dup2(file, 1) != 1 || dup2(1, 1) != 1 || dup2(1, 2) != 2;
            close(file);
        }}
        if (rank == 2) {{ wrong = close(1) != 0 || close(1) != -1 || errno != EBADF || write(1, "x", 1) != -1 || dup2(1, 1) != -1 || dup2(2, 1) != 1; }}
        all();
        printf("rank %d\\n", rank);
        fprintf(stderr, "error %d\\n", rank);
        all();
        if (rank == 1) {{ dup2(before, 1); close(before); }}
        all();
        printf("end %d%s\\n", rank, wrong || dup2(77, 1) != -1 ? " wrong" : "")""")
    job = run("-n", "3", compiled(tmp_path, body))
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == ["end 0", "end 1", "rank 0"]
    assert sorted(job.stderr.splitlines()) == ["end 2", "error 0", "error 2", "rank 2"]
    assert (tmp_path / "out").read_text() == "rank 1\nerror 1\n"


def test_input_of_rank_0(tmp_path: Path) -> None:
    body = main('char t[20] = ""; if (rank == 0) fgets(t, 20, stdin); all(); printf("%d %s", rank, rank ? "\\n" : t)')
    assert sorted(run("-n", "2", compiled(tmp_path, body), stdin="words\n").stdout.splitlines()) == ["0 words", "1 "]


# The end of a rank


EXITS = """
static void one(void) { printf("%d one\\n", rank); }
static void two(void) { printf("%d two\\n", rank); atexit(one); }
static void with(int code, void *text) { printf("%d %s %d\\n", rank, (char *)text, code); }
__attribute__((constructor)) static void first(void) { rank = -1; }
__attribute__((destructor)) static void last(void) { printf("%d last\\n", rank); }
""" + main("""
    atexit(one);
    on_exit(with, "with");
    atexit(two);
    all();
    if (rank == 1) { MPI_Finalize(); exit(0); }
    if (rank == 2) { MPI_Finalize(); printf("2 not lost"); _exit(0); }
""")


def test_handlers_and_destructors_of_each_rank(tmp_path: Path) -> None:
    job = run("-n", "4", compiled(tmp_path, EXITS))
    assert job.returncode == 0
    out = job.stdout.replace("2 not lost", "2 not lost\n").splitlines()
    for rank in (0, 1, 3):
        mine = [line.split(" ", 1)[1] for line in out if line.startswith(f"{rank} ")]
        assert mine == ["two", "one", "with 0", "one", "last"]
    assert [line for line in out if line.startswith("2 ")] == ["2 not lost"]


@pytest.mark.parametrize(
    ("body", "code", "why"),
    [
        ("if (rank == 1) exit(3); all()", 3, "rank 1 (pid {}) exited with code 3 before MPI_Finalize"),
        ("if (rank == 1) _exit(4); all()", 4, "rank 1 (pid {}) exited with code 4 before MPI_Finalize"),
        ("if (rank == 1) quick_exit(6); all()", 6, "rank 1 (pid {}) exited with code 6 before MPI_Finalize"),
        ("if (rank == 1) return 0; all()", 1, "rank 1 (pid {}) left without MPI_Finalize"),
        ("all(); MPI_Finalize(); return rank == 2 ? 5 : 0", 5, "rank 2 (pid {}) exited with code 5"),
        ("if (rank == 1) abort(); all()", 134, "rank 1 (pid {}) killed by signal 6 (Aborted) in main at prog.c:"),
        (
            "if (rank == 2) *(volatile int *)8 = 1; all()",
            139,
            "rank 2 (pid {}) killed by signal 11 (Segmentation fault)",
        ),
        ("if (rank == 2) MPI_Abort(MPI_COMM_WORLD, 7); all()", 7, "rank 2 (pid {}) aborted the job: exit code 7"),
    ],
)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_failure_ends_the_job_and_is_told(body: str, code: int, why: str, threads: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, main(f'printf("partial %d", rank); {body}'))
    job = run("--threads", threads, "-n", "3", program)
    assert job.returncode == code, job.stderr
    pattern = re.escape(f"mpiexec: {why}").replace(r"\{\}", r"\d+, .*/prog")
    assert re.search("^" + pattern, job.stderr.replace(str(tmp_path) + "/prog.c", "prog.c"), re.MULTILINE), job.stderr
    assert f"partial {why[5]}" in job.stdout


def test_errors_of_the_c_library_end_one_rank(tmp_path: Path) -> None:
    body = "#include <err.h>\n" + main('all(); MPI_Finalize(); if (rank != 1) errx(0, "words of %d", rank); return 0')
    job = run("-n", "3", compiled(tmp_path, body))
    assert job.returncode == 0
    assert sorted(job.stderr.splitlines()) == ["prog: words of 0", "prog: words of 2"]


def test_quiet(tmp_path: Path) -> None:
    job = run("-q", "-n", "2", compiled(tmp_path, main("if (rank) exit(3); all()")))
    assert (job.returncode, job.stderr) == (3, "")


# What a rank cannot do


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("fork()", "fork"),
        ("vfork()", "vfork"),
        ('system("true")', "system"),
        ('popen("ls", "r")', "popen"),
        ('execlp("ls", "ls", NULL)', "execlp"),
        ('execv("/bin/ls", argv)', "execv"),
        ('posix_spawnp(NULL, "ls", NULL, NULL, argv, NULL)', "posix_spawnp"),
        ("pthread_create(&(pthread_t){0}, NULL, NULL, NULL)", "pthread_create"),
    ],
)
def test_processes_and_threads_are_refused(call: str, name: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, main(f"all(); if (rank == 1) {call}; all()"))
    job = run("-n", "2", program)
    assert job.returncode == 1
    expected = rf"^mpico: rank 1: calls {name}\(\) in main at .*prog\.c:\d+: a rank .*; run without --fibers$"
    assert re.search(expected, job.stderr, re.MULTILINE), job.stderr


DEEP = """
static int deep(int n) { volatile char b[1024]; b[n % 1024] = (char)n; return n ? deep(n - 1) + b[n % 1024] : 0; }
""" + main('int sum = rank == 1 ? deep(1000) : 0; all(); if (!rank) printf("%s\\n", sum ? "" : "fine")')


def test_stack_overflow_is_named(tmp_path: Path) -> None:
    program = compiled(tmp_path, DEEP, "-O0")
    job = run("--stack", "256K", "-n", "3", program)
    assert job.returncode == 139
    assert "stack overflow: rank 1's stack of 256 KB is full; --stack 1M gives more" in job.stderr
    assert run("--stack", "2M", "-n", "3", program).stdout == "fine\n"


@pytest.mark.parametrize(
    ("limit", "kilobytes", "says"),
    [
        (resource.RLIM_INFINITY, 6000, ""),
        (resource.RLIM_INFINITY, 9000, "stack of 8 MB is full; --stack 32M gives more"),
        (1 << 20, 700, ""),
        (1 << 20, 1200, "stack of 1 MB is full; --stack 4M gives more"),
        (12 << 20, 9000, ""),
    ],
)
def test_stack_is_what_a_process_has(limit: int, kilobytes: int, says: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, DEEP.replace("deep(1000)", f"deep({kilobytes})"), "-O0")
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    command = [str(build() / "bin" / "mpiexec"), "--fibers", "-n", "3", program]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (limit, hard))

    job = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False, preexec_fn=limited)
    assert says in job.stderr
    assert (job.returncode, job.stdout) == ((139, "") if says else (0, "fine\n"))


def test_large_array_on_the_stack_overwrites_nobody(tmp_path: Path) -> None:
    body = "__attribute__((noinline)) static void f(void) { volatile char big[5000000]; big[0] = 1; }"
    program = compiled(tmp_path, body + main("all(); if (rank == 2) f(); all()"), "-O0")
    job = run("--stack", "256K", "-n", "4", program)
    assert job.returncode == 139
    assert "rank 2's stack of 256 KB is full; --stack 16M gives more" in job.stderr
    assert run("--stack", "16M", "-n", "4", program).returncode == 0


def test_heap_in_disorder_ends_the_job(tmp_path: Path) -> None:
    """The C library aborts within malloc(), whose lock the handler of the signal would need."""
    body = "char *p = malloc(1000); memset(p, 'A', 3000); for (int i = 0; i < 100; i++) free(malloc(5000 + i * 999))"
    job = run("-n", "2", compiled(tmp_path, main(body), "-O0"))
    assert job.returncode == 134
    assert "killed by signal 6" in job.stderr


# Waiting


@pytest.mark.parametrize("threads", ["1", "2"])
def test_deadlock_is_told_at_once(threads: str, tmp_path: Path) -> None:
    body = main("char c; MPI_Recv(&c, 1, MPI_CHAR, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)")
    program = compiled(tmp_path, body)
    job = run("--threads", threads, "-n", "3", program)  # no time limit was asked for
    assert job.returncode == 1
    assert "mpiexec: deadlock: every rank waits for another\n" in job.stderr
    assert "rank 1: MPI_Recv from rank 2, tag 7 (communicator context 0), 1 bytes\n" in job.stderr
    assert "cycle: 0 -> 1 -> 2 -> 0\n" in job.stderr


def test_waiting_for_a_rank_in_finalize(tmp_path: Path) -> None:
    body = main("char c; if (rank == 0) MPI_Recv(&c, 1, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)")
    job = run("-n", "2", compiled(tmp_path, body))
    assert job.returncode == 1
    assert "rank 0: MPI_Recv from rank 1" in job.stderr
    assert "rank 1: MPI_Barrier waits for rank 0" in job.stderr


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    "look", ["MPI_Test(&q, &flag, MPI_STATUS_IGNORE)", "MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE)"]
)
def test_loops_that_poll_let_the_others_run(look: str, threads: str, tmp_path: Path) -> None:
    body = main(f"""
        int flag = 0, x = 0;
        MPI_Request q = MPI_REQUEST_NULL;
        if (rank == 0) {{
            if ("{look}"[4] == 'T') MPI_Irecv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &q);
            while (!flag) {look};
            if ("{look}"[4] == 'I') MPI_Recv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("got %d\\n", x);
        }} else if (rank == 1) {{
            MPI_Recv(&x, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        }} else {{
            x = 42;
            MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        }}""")
    assert run("--threads", threads, "-n", "3", compiled(tmp_path, body)).stdout == "got 42\n"


SPIN = "static volatile int flag;\n" + main("if (rank == 1) while (!flag); all()")


def test_rank_that_spins_is_named(tmp_path: Path) -> None:
    program = compiled(tmp_path, SPIN)
    job = run(
        "--spin-timeout", "0.3", "--timeout", "4", "-n", "3", program
    )  # of processor time, on a machine with other work
    assert job.returncode == 124
    expected = r"^mpico: rank 1 has run 0\.\d+ s without waiting in MPI \(main at .*prog\.c:\d+\): the other ranks"
    assert len(re.findall(expected, job.stderr, re.MULTILINE)) == 1, job.stderr
    assert "rank 1: running (not in an MPI call)\n" in job.stderr


def test_hang_timeout(tmp_path: Path) -> None:
    job = run("--hang-timeout", "0.5", "--spin-timeout", "0", "-n", "2", compiled(tmp_path, SPIN))
    assert job.returncode == 1
    assert "rank 0: MPI_Barrier\n" in job.stderr
    assert "rank 1: running" in job.stderr


def test_long_computation_is_left_alone(tmp_path: Path) -> None:
    body = main('double t = MPI_Wtime(); if (rank == 1) while (MPI_Wtime() < t + 1); all(); if (rank) puts("done")')
    job = run("--spin-timeout", "0", "-n", "2", compiled(tmp_path, body))
    assert (job.returncode, job.stdout, job.stderr) == (0, "done\n", "")


def test_quit_reports_and_goes_on(tmp_path: Path) -> None:
    body = main("""
        char c = 0;
        int flag = 0;
        MPI_Request q;
        if (rank == 0) {
            puts("up"), fflush(stdout);
            MPI_Irecv(&c, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF, &q);
            for (double t = MPI_Wtime(); MPI_Wtime() < t + 1.5;) MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
            MPI_Send(&c, 1, MPI_CHAR, 0, 1, MPI_COMM_SELF);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
            MPI_Send(&c, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(&c, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }""")
    command = [str(build() / "bin" / "mpiexec"), "--fibers", "-n", "2", compiled(tmp_path, body)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == "up\n"
        time.sleep(0.2)
        job.send_signal(signal.SIGQUIT)
        _, errors = job.communicate(timeout=20)
        assert job.returncode == 0, errors
    assert errors.startswith("mpiexec: what the ranks are doing:\n")
    assert "rank 1: MPI_Recv from rank 0, tag 9 (communicator context 0), 1 bytes\n" in errors
    assert "deadlock" not in errors


# Many


RING = main("""
    int x = rank, sum = 0, n = size;
    for (int i = 0; i < 5; i++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % n, 0, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    if (x != (rank + n - 5) % n) exit(2);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d\\n", sum)""")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_500_ranks(threads: str, tmp_path: Path) -> None:
    assert run("--threads", threads, "-n", "500", compiled(tmp_path, RING)).stdout == f"{500 * 499 // 2}\n"


def test_more_ranks_than_processes_may_be(tmp_path: Path) -> None:
    assert run("-n", "3000", compiled(tmp_path, RING)).stdout == f"{3000 * 2999 // 2}\n"


FLOOD = """static char buf[3000];
""" + main("""
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            for (int k = 0; k < 200; k++) {
                MPI_Recv(buf, 3000, MPI_CHAR, i, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (buf[2999] != (char)(i + k)) exit(2);
            }
        puts("all");
    } else {
        for (int k = 0; k < 200; k++) {
            memset(buf, i_plus_k, sizeof buf);
            MPI_Send(buf, 3000, MPI_CHAR, 0, k, MPI_COMM_WORLD);
        }
    }""").replace("i_plus_k", "rank + k")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_flood_of_one_rank_by_all(threads: str, tmp_path: Path) -> None:
    assert run("--threads", threads, "-n", "20", compiled(tmp_path, FLOOD)).stdout == "all\n"


def test_several_programs(tmp_path: Path) -> None:
    body = "static int kind = KIND; static _Thread_local int own = KIND;" + main(
        'kind += rank; own -= rank; all(); printf("%d of %d: %d %d %d\\n", rank, size, kind, own, argc)'
    )
    one = compiled(tmp_path, body, "-DKIND=10", name="one")
    other = compiled(tmp_path, body, "-DKIND=20", name="other")
    job = run("-n", "2", one, ":", "-n", "2", other, "x", ":", "-n", "1", one, "y", "z")
    kinds = [10, 10, 20, 20, 10]
    words = [1, 1, 2, 2, 3]
    assert lines(job) == [f"{r} of 5: {kinds[r] + r} {kinds[r] - r} {words[r]}" for r in range(5)]


# The command line


def test_program_that_is_missing(tmp_path: Path) -> None:
    job = run("-n", "2", str(tmp_path / "nope"))
    assert job.returncode == 127
    assert "cannot execute" in job.stderr


def test_working_directory_and_environment(tmp_path: Path) -> None:
    program = compiled(tmp_path, main('char d[999]; printf("%d %s %s\\n", rank, getenv("A"), getcwd(d, 999))'))
    job = run("-x", "A=1", "-wdir", str(tmp_path), "-n", "2", program)
    assert lines(job) == [f"{r} 1 {tmp_path}" for r in range(2)]
    assert "one working directory" in run("-n", "1", program, ":", "-wdir", str(tmp_path), "-n", "1", program).stderr


def test_library_path_of_the_user_does_not_matter(tmp_path: Path) -> None:
    program = compiled(tmp_path, main('if (rank == 0) printf("%d\\n", size)'))
    assert run("-x", f"LD_LIBRARY_PATH={build() / 'lib'}", "-n", "3", program).stdout == "3\n"


def test_unknown_machine_lists_the_known_ones(tmp_path: Path) -> None:
    job = run("--machine", "nosuch", "-n", "2", compiled(tmp_path, main("")))
    assert job.returncode == 2
    assert "there is no machine 'nosuch'; there are: " in job.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--threads", "0"], "--threads needs a number"),
        (["--stack", "8"], "--stack needs a size from 16K on"),
        (["--discipline", "x"], "--discipline and --host-time are for --machine"),
    ],
)
def test_wrong_options(words: list[str], why: str) -> None:
    job = run(*words, "-n", "2", "true")
    assert job.returncode == 2
    assert why in job.stderr
