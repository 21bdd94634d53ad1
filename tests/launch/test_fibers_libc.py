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
