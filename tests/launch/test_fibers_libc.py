"""What of the C library each rank of one process has itself: its variables, and what its functions remember.

A program has such a variable in its own memory if it names it (a copy relocation), and reaches it in the C library if it
is compiled for that or is a shared library; what it does not name is nowhere. All three must do.
Set MPICO_BUILD as for test_fibers.
"""

from __future__ import annotations

import os
import subprocess
from itertools import combinations
from pathlib import Path

import pytest
from test_fibers import compiled, lines, main, run

PLACES = [("--threads", "1"), ("--threads", "2"), ("--machine", "cluster")]
WAYS = ["-fPIE", "-fPIC", "-mno-direct-extern-access", "library"]


def compiled_as(way: str, folder: Path, body: str) -> str:
    """The program, compiled so; "library": its body in a shared library that a program of one line brings."""
    if way == "library":
        compiled(folder, body.replace("int main(", "int body("), "-shared", "-fPIC", name="libbody.so")
        caller = "int body(int, char **); int main(int argc, char **argv) { return body(argc, argv); }"
        return compiled(folder, caller, f"-L{folder}", "-lbody", f"-Wl,-rpath,{folder}")
    try:
        return compiled(folder, body, way)
    except subprocess.CalledProcessError:
        if way == "-mno-direct-extern-access":
            pytest.skip(f"the compiler does not know {way}")
        raise


def alone(program: str, *words: str, **environment: str) -> str:
    """What it prints as a process of its own."""
    job = subprocess.run(
        [program, *words], capture_output=True, text=True, check=True, timeout=20, env=os.environ | environment
    )
    return job.stdout


# Options

SCAN = """
static struct option longs[] = {{"level", required_argument, 0, 'b'}, {0}};
int main(int argc, char **argv)
{
    start(&argc, &argv);
    printf("%d", rank);
    if (getenv("ODD") && rank % 2) argv[1] = "-c";
    for (int round = 0; round < ROUNDS; round++) {
        for (int c; (c = SCANNER) != -1; all()) {
            printf(" %c", c);
#ifdef USE_optarg
            printf("=%s", optarg ? optarg : "");
#endif
#ifdef USE_optopt
            if (c == '?') printf("<%c>", optopt);
#endif
#ifdef USE_opterr
            opterr = 0;
#endif
        }
#ifdef USE_optind
        printf(" at %d %s;", optind, argv[optind] ? argv[optind] : "end");
        optind = round;
#endif
        all();
    }
    puts("");
    MPI_Finalize();
    return 0;
}
"""
VARIABLES = ("optarg", "optind", "opterr", "optopt")
CHOICES = [some for n in range(5) for some in combinations(VARIABLES, n)]
WORDS = ["-a", "-b", "3", "-x", "-b4", "word", "-c"]


def scan(scanner: str, used: tuple[str, ...], rounds: int = 1) -> str:
    """SCAN, naming some of the four variables."""
    defines = "".join(f"#define USE_{name}\n" for name in used)
    return defines + SCAN.replace("SCANNER", scanner).replace("ROUNDS", str(rounds))


def of_all_ranks(text: str, ranks: int) -> list[str]:
    """The line of a process that was alone, and so rank 0, as all ranks should print it."""
    return [f"{rank}{line[1:]}" for rank in range(ranks) for line in text.splitlines()]


@pytest.mark.parametrize("way", ["-fPIE", "-fPIC"])
@pytest.mark.parametrize("used", CHOICES, ids="+".join)
def test_getopt_whichever_variables_are_named(way: str, used: tuple[str, ...], tmp_path: Path) -> None:
    program = compiled_as(way, tmp_path, scan('getopt(argc, argv, "ab:c")', used))
    job = run("-n", "4", program, *WORDS)
    assert lines(job) == of_all_ranks(alone(program, *WORDS), 4)
    assert job.stderr.count("invalid option -- 'x'") == (0 if "opterr" in used else 4)


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("longs", ["getopt_long", "getopt_long_only"])
def test_long_options_in_every_place(longs: str, way: str, place: tuple[str, str], tmp_path: Path) -> None:
    program = compiled_as(way, tmp_path, scan(f'{longs}(argc, argv, "ab:c", longs, NULL)', ("optarg",)))
    words = ["--level=1", "-a", "--lev", "2", *WORDS]
    assert lines(run(*place, "-n", "3", program, *words)) == of_all_ranks(alone(program, *words), 3)


@pytest.mark.parametrize("way", WAYS)
def test_ranks_with_other_options(way: str, tmp_path: Path) -> None:
    program = compiled_as(way, tmp_path, scan('getopt(argc, argv, "ab:c")', ("optarg",)))
    job = run("-n", "2", program, "-aa", ":", "-n", "1", program, "-c", "-b9", ":", "-n", "1", program, "-b", "1", "-c")
    assert lines(job) == ["0 a= a=", "1 a= a=", "2 c= b=9", "3 b=1 c="]
    odd = run("-x", "ODD=1", "-n", "3", program, "-a", "-b1")
    assert lines(odd) == ["0 a= b=1", "1 c= b=1", "2 a= b=1"]


@pytest.mark.parametrize("way", WAYS)
def test_second_scans_and_posix(way: str, tmp_path: Path) -> None:
    """The program sets optind to 0 after its first scan and to 1 after its second."""
    program = compiled_as(way, tmp_path, scan('getopt(argc, argv, "ab:c")', ("optarg", "optind"), rounds=3))
    for variables in ({}, {"POSIXLY_CORRECT": "1"}):
        words = [word for name in variables for word in ("-x", f"{name}=1")]
        text = alone(program, *WORDS, **variables)
        assert text.count("at 6 word" if variables else "at 7 word") == 3
        assert lines(run(*words, "-n", "3", program, *WORDS)) == of_all_ranks(text, 3)


# Names and the environment

NAMES = """
extern char *__progname;
""" + main("""
    all();
    printf("%d %s %s %s\\n", rank, program_invocation_name, program_invocation_short_name, __progname)""")


@pytest.mark.parametrize("way", WAYS)
def test_a_rank_knows_its_programs_name(way: str, tmp_path: Path) -> None:
    program = compiled_as(way, tmp_path, NAMES)
    other = str(tmp_path / "other")
    os.link(program, other)
    job = run("-n", "2", program, ":", "-n", "1", other)
    names = [(name, Path(name).name) for name in (program, program, other)]
    assert lines(job) == [f"{rank} {path} {name} {name}" for rank, (path, name) in enumerate(names)]


def test_errors_name_the_ranks_own_program(tmp_path: Path) -> None:
    body = "#include <err.h>\n" + main('all(); warnx("rank %d", rank); all()')
    one, other = compiled(tmp_path, body, name="one"), compiled(tmp_path, body, name="other")
    job = run("-n", "2", one, ":", "-n", "1", other)
    assert sorted(job.stderr.splitlines()) == ["one: rank 0", "one: rank 1", "other: rank 2"]


ENVIRONMENT = """
extern char **environ;
static int listed(void) { int n = 0; for (char **e = environ; *e; e++) n += !strncmp(*e, "OWN", 3); return n; }
""" + main("""
    static char put[20] = "OWN_PUT=x";
    char text[20];
    sprintf(text, "of %d", rank);
    setenv("OWN", text, 1);
    all();
    setenv("OWN", "nobody", 0);
    if (rank == 1) { putenv(put); strcpy(put, "OWN_PUT=later"); }
    if (rank == 2) unsetenv("GIVEN");
    all();
    printf("%d '%s' %s %s %d", rank, getenv("OWN"), getenv("OWN_PUT"), getenv("GIVEN"), listed());
    all();
    if (rank == 2) { static char *mine[] = {"OWN=2", "OWN2=3", NULL}; environ = mine; setenv("OWN3", "", 1); }
    if (rank == 1) clearenv();
    all();
    printf(" %s %d\\n", getenv("OWN"), rank == 1 ? 0 : listed())""")


@pytest.mark.parametrize("way", WAYS)
def test_environment_is_each_ranks_own(way: str, tmp_path: Path) -> None:
    job = run("-x", "GIVEN=g", "-n", "3", compiled_as(way, tmp_path, ENVIRONMENT))
    assert lines(job) == [
        "0 'of 0' (null) g 1 of 0 1",
        "1 'of 1' later g 2 (null) 0",
        "2 'of 2' (null) (null) 1 2 3",
    ]


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_working_directory_is_each_ranks_own(place: tuple[str, str], tmp_path: Path) -> None:
    for name in ("r1", "r2", "r3"):
        (tmp_path / name).mkdir()
    body = "#include <fcntl.h>\n" + main("""
        char name[9], here[4096];
        sprintf(name, "r%d", rank);
        if (rank == 3) { fchdir(open(name, O_RDONLY)); } else if (rank) { chdir(name); }
        all();
        fprintf(fopen("out", "w"), "%d", rank);
        all();
        if (rank == 2) chdir("..");
        all();
        printf("%d %d %s\\n", rank, chdir("nowhere"), getcwd(here, sizeof here))""")
    job = run(*place, "-wdir", str(tmp_path), "-n", "4", compiled(tmp_path, body))
    ends = ["", "/r1", "", "/r3"]
    assert lines(job) == [f"{rank} -1 {tmp_path}{end}" for rank, end in enumerate(ends)]
    assert [(tmp_path / f"r{rank}/out").read_text() for rank in (1, 2, 3)] == ["1", "2", "3"]
    assert (tmp_path / "out").read_text() == "0"


# What functions remember


REMEMBER = """
#include <search.h>
#include <time.h>
""" + main("""
    char words[40], *w, *kept;
    time_t day = rank * 86400;
    ENTRY found = {.key = "key", .data = (void *)(intptr_t)(rank + 1)};
    setenv("TZ", "UTC", 1);
    sprintf(words, "a%d b%d c%d", rank, rank, rank);
    printf("%d", rank);
    for (w = strtok(words, " "); w; w = strtok(NULL, " ")) { all(); printf(" %s", w); }
    struct tm *t = gmtime(&day);
    all();
    printf(" %d", t->tm_mday);
    t = localtime(&day);
    all();
    printf(" %d", t->tm_mday);
    kept = ctime(&day);
    all();
    printf(" %.10s", kept);
    hcreate(10);
    all();
    hsearch(found, ENTER);
    all();
    printf(" %d\\n", (int)(intptr_t)hsearch(found, FIND)->data);
    hdestroy()""")


def test_functions_that_remember(tmp_path: Path) -> None:
    days = ["Thu Jan  1", "Fri Jan  2", "Sat Jan  3"]
    assert lines(run("-n", "3", compiled(tmp_path, REMEMBER))) == [
        f"{r} a{r} b{r} c{r} {r + 1} {r + 1} {days[r]} {r + 1}" for r in range(3)
    ]


ZONE = "#include <time.h>\n" + main("""
    const char *zones[] = {"AAA5", "BBB-3CCC", "DDD0"};
    struct tm noon = {.tm_year = 70, .tm_mday = 1, .tm_hour = 12};
    time_t zero = 0;
    setenv("TZ", zones[rank], 1);
    all();
    int hour = localtime(&zero)->tm_hour;
    printf("%d %s %ld %d %d %ld\\n", rank, tzname[0], timezone, daylight, hour, (long)mktime(&noon))""")


@pytest.mark.parametrize("way", WAYS)
def test_time_zone_is_each_ranks_own(way: str, tmp_path: Path) -> None:
    job = run("-n", "3", compiled_as(way, tmp_path, ZONE))
    assert lines(job) == ["0 AAA 18000 0 19 61200", "1 BBB -10800 1 3 32400", "2 DDD 0 0 0 43200"]


ARGP = """
#include <argp.h>
const char *argp_program_version = "version 7";
static int level;
static error_t parse(int key, char *word, struct argp_state *state)
{
    if (key == 'l') level = atoi(word);
    all();
    return key == 'l' ? 0 : ARGP_ERR_UNKNOWN;
}
int main(int argc, char **argv)
{
    static struct argp_option options[] = {{"level", 'l', "N", 0, "x"}, {0}};
    static struct argp argp = {options, parse};
    start(&argc, &argv);
    if (argc > 1 && rank) argv[1] = "-l5";
    if (argc == 1) MPI_Finalize();
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    printf("%d %d\\n", rank, level);
    MPI_Finalize();
    return 0;
}
"""


def test_argp(tmp_path: Path) -> None:
    program = compiled(tmp_path, ARGP)
    assert lines(run("-n", "3", program, "--level=2")) == ["0 2", "1 5", "2 5"]
    early = compiled(tmp_path, ARGP.replace("start(&argc, &argv);", "").replace("all();", ""), name="early")
    assert run("-n", "1", early, "--version").stdout == "version 7\n"


# Signals


SIGNALS = """
static volatile sig_atomic_t hits;
static _Thread_local int own = 1;
static void count(int sig) { hits += own; }
static void count_info(int sig, siginfo_t *info, void *context) { hits += 10; }
""" + main("""
    struct sigaction a = {.sa_sigaction = count_info, .sa_flags = SA_SIGINFO}, before;
    own = 1 + rank;
    if (rank == 0) sigaction(SIGUSR1, &a, NULL); else signal(SIGUSR1, count);
    all();
    raise(SIGUSR1);
    all();
    if (rank < 2) kill(getpid(), SIGUSR1);
    all();
    sigaction(SIGUSR1, NULL, &before);
    int mine = rank ? before.sa_handler == count : before.sa_sigaction == count_info;
    if (rank == 1) signal(SIGUSR1, SIG_IGN);
    all();
    raise(SIGUSR1);
    all();
    printf("%d %d %d\\n", rank, (int)hits, mine)""")


@pytest.mark.parametrize("place", [("--threads", "1"), ("--machine", "cluster")], ids=" ".join)
def test_handlers_of_signals_are_each_ranks_own(place: tuple[str, str], tmp_path: Path) -> None:
    assert lines(run(*place, "-n", "3", compiled(tmp_path, SIGNALS))) == ["0 30 1", "1 4 1", "2 6 1"]


def test_signal_from_outside_reaches_every_rank(tmp_path: Path) -> None:
    body = "static volatile sig_atomic_t hits; static void count(int sig) { hits++; }" + main("""
        signal(SIGALRM, count);
        all();
        if (rank == 1) { alarm(1); while (!hits) pause(); }
        all();
        printf("%d %d\\n", rank, (int)hits)""")
    assert lines(run("-n", "3", compiled(tmp_path, body))) == ["0 1", "1 1", "2 1"]


def test_a_ranks_handler_of_faults(tmp_path: Path) -> None:
    body = "#include <setjmp.h>\nstatic sigjmp_buf back; static void jump(int sig) { siglongjmp(back, sig); }" + main("""
        int sig = 0;
        if (rank != 2) signal(SIGSEGV, jump);
        all();
        if ((sig = sigsetjmp(back, 1)) == 0) *(volatile int *)8 = 1;
        printf("%d %d\\n", rank, sig)""")
    program = compiled(tmp_path, body, "-O0")
    assert lines(run("-n", "2", program)) == ["0 11", "1 11"]
    job = run("-n", "3", program)
    assert job.returncode == 139
    assert "rank 2 (pid" in job.stderr
    assert "killed by signal 11" in job.stderr
