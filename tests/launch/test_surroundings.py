"""What a rank finds around it: other launchers' variables, settings, and less memory than usual.

MPICO_BUILD as in test_mpiexec.py.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    enum { LONG = 1 << 20 };
    int rank, size, sum = -1, *all = calloc(LONG, sizeof *all);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < LONG; i++)
        all[i] = rank;
    MPI_Allreduce(MPI_IN_PLACE, all, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    printf("%d of %d, %d %d, %s\n", rank, size, sum, all[LONG - 1], handler == MPI_ERRORS_RETURN ? "returns" : "fatal");
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture(scope="module")
def build() -> Path:
    """The build folder; skips the test where none is named."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    return Path(folder)


@pytest.fixture(scope="module")
def program(build: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Prints its rank and size, sums of ranks, and what becomes of errors."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "p.c").write_text(PROGRAM)
    subprocess.run([build / "bin/mpicc", "-O1", "-o", folder / "p", folder / "p.c"], check=True)
    return str(folder / "p")


def run(*words: str | Path, addresses: int | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command with these variables, and no others of launchers and of mpico; `addresses`: as ulimit -v, in bytes."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MPICO_", "PMI", "OMPI_", "SLURM_"))}

    def limit() -> None:
        if addresses:
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    return subprocess.run(
        [*map(str, words)],
        env=kept | variables,
        preexec_fn=limit,  # this process has one thread
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def lines(n: int, errors: str = "fatal") -> list[str]:
    """What n ranks print, sorted."""
    total = n * (n - 1) // 2
    return sorted(f"{rank} of {n}, {total} {total}, {errors}" for rank in range(n))


# Other launchers: as they were seen to set their variables.

ALONE = "0 of 1, 0 0, fatal\n"


@pytest.mark.parametrize(
    "variables",
    [
        {"PMI_SIZE": "2", "PMI_RANK": "1", "PMI_FD": "9"},
        {"OMPI_COMM_WORLD_SIZE": "2", "PMIX_NAMESPACE": "1234", "PMIX_RANK": "0"},
        {"PMIX_NAMESPACE": "prterun-host-17@1", "PMIX_RANK": "0"},
        {"PMIX_NAMESPACE": "prterun-host-17@1", "PMIX_RANK": "1"},
        {"PMIX_NAMESPACE": "slurm.pmix.7.0", "PMIX_RANK": "1", "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "1"},
        {"SLURM_STEP_NUM_TASKS": "2", "SLURM_NTASKS": "2", "SLURM_PROCID": "0", "SLURM_STEP_ID": "0"},
        # prterun within a step of one task
        {"PMIX_NAMESPACE": "prterun-host-17@1", "PMIX_RANK": "1", "SLURM_STEP_NUM_TASKS": "1"},
    ],
    ids=["hydra", "mpirun", "prterun-0", "prterun-1", "srun-pmix", "srun", "prterun-in-srun"],
)
def test_a_rank_of_another_launcher_is_no_job_of_one(program: str, variables: dict[str, str]) -> None:
    job = run(program, **variables)
    assert job.returncode != 0
    assert job.stdout == ""
    assert "another launcher started this process as one of several ranks" in job.stderr
    assert "mpiexec -n RANKS PROGRAM" in job.stderr
    assert ("srun -n 1 " in job.stderr) == (variables.get("SLURM_STEP_NUM_TASKS") == "2")


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_JOB_ID": "7"},
        {"SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_STEP_ID": "0"},
        {"SLURM_STEP_NUM_TASKS": "1", "PMIX_NAMESPACE": "slurm.pmix.7.0", "PMIX_RANK": "0"},
        {"SLURM_STEP_NUM_TASKS": "1", "PMI_SIZE": "1", "PMI_RANK": "0"},
        {"OMPI_COMM_WORLD_SIZE": "1", "PMIX_NAMESPACE": "1234", "PMIX_RANK": "0"},
        {"PMIX_NAMESPACE": "1234"},
    ],
    ids=["nobody", "batch-script", "srun-1", "srun-pmix-1", "srun-pmi2-1", "mpirun-1", "pmix-without-rank"],
)
def test_a_process_that_is_alone_is_a_job_of_one(program: str, variables: dict[str, str]) -> None:
    job = run(program, **variables)
    assert (job.returncode, job.stdout, job.stderr) == (0, ALONE, "")


@pytest.mark.parametrize(
    "variables",
    [
        {"SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"},
        {"PMIX_NAMESPACE": "prterun-host-17@1", "PMIX_RANK": "0"},
        {"PMI_SIZE": "2", "PMI_RANK": "0"},
    ],
    ids=["srun", "prterun", "hydra"],
)
def test_own_launcher_may_be_started_by_another(build: Path, program: str, variables: dict[str, str]) -> None:
    job = run(build / "bin/mpiexec", "-n", "2", program, **variables)
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == lines(2)


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MPICO_EAGER_BYTES", "abc"),
        ("MPICO_EAGER_BYTES", "-1"),
        ("MPICO_EAGER_BYTES", " 1"),
        ("MPICO_EAGER_BYTES", "16 "),
        ("MPICO_EAGER_BYTES", "16Q"),
        ("MPICO_EAGER_BYTES", "16KK"),
        ("MPICO_EAGER_BYTES", "99999999999999999999"),
        ("MPICO_EAGER_BYTES", "99999999999G"),
        ("MPICO_CHECK", "maybe"),
        ("MPICO_CHECK", "2"),
        ("MPICO_SINGLE_COPY", "-"),
        ("MPICO_ERRORS_RETURN", "yep"),
    ],
)
def test_a_value_that_means_nothing_is_refused(build: Path, program: str, name: str, value: str) -> None:
    allowed = "16384, 16K or 1M" if name == "MPICO_EAGER_BYTES" else "1, yes, on or true; or 0, no, off or false"
    for words in ([program], [build / "bin/mpiexec", "-n", "2", program]):
        job = run(*words, **{name: value})
        assert job.returncode != 0
        assert job.stdout == ""
        assert job.stderr.count(f"{name}={value}: it ") == 1
        assert allowed in job.stderr
    for option in ("-x", "-env"):
        job = run(build / "bin/mpiexec", "-n", "2", option, f"{name}={value}", "true", ":", "true")
        assert job.returncode == 2
        assert f"{name}={value}: it " in job.stderr


CVARS = r"""
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int level, count, index;
    MPI_T_cvar_handle handle;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level))
        return 3;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        union { int small; unsigned long long large; } value = {.large = 0};
        MPI_T_cvar_get_index(argv[i], &index);
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
        MPI_T_cvar_read(handle, &value);
        printf("%llu\n", value.large);
    }
    return MPI_Finalize();
}
"""


@pytest.fixture(scope="module")
def cvars(build: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Prints the control variables that its arguments name."""
    folder = tmp_path_factory.mktemp("cvars")
    (folder / "p.c").write_text(CVARS)
    subprocess.run([build / "bin/mpicc", "-O1", "-o", folder / "p", folder / "p.c"], check=True)
    return str(folder / "p")


@pytest.mark.parametrize(
    ("value", "bytes_"),
    [("0", 0), ("16384", 16384), ("16K", 16384), ("16k", 16384), ("2M", 2 << 20), ("1g", 1 << 30), ("08", 8)],
)
def test_bytes_mean_what_they_say(cvars: str, value: str, bytes_: int) -> None:
    assert run(cvars, "mpico_eager_bytes", MPICO_EAGER_BYTES=value).stdout == f"{bytes_}\n"


def test_switches_mean_what_they_say(cvars: str) -> None:
    for value in ("1", "yes", "on", "true", "YES", "True"):
        assert run(cvars, "mpico_check", MPICO_CHECK=value).stdout == "1\n"
    for value in ("0", "no", "off", "false", "Off", ""):
        assert run(cvars, "mpico_single_copy", "mpico_check", MPICO_SINGLE_COPY=value).stdout == (
            "0\n0\n" if value else "1\n0\n"
        )


def test_the_tool_interface_refuses_a_wrong_value(cvars: str) -> None:
    assert run(cvars, MPICO_CHECK="maybe").returncode == 3


def test_a_misspelled_variable_is_noticed(build: Path) -> None:
    mpiexec = build / "bin/mpiexec"
    for name, meant in {
        "MPICO_CHEK": "MPICO_CHECK",
        "MPICO_EAGER": "MPICO_EAGER_BYTES",
        "MPICO_SINGLECOPY": "MPICO_SINGLE_COPY",
        "MPICO_MODELS": "MPICO_MODEL",
    }.items():
        assert f"{name} is no setting of mpico; did you mean {meant}?" in run(mpiexec, "true", **{name: "1"}).stderr
        assert run(mpiexec, "-q", "true", **{name: "1"}).stderr == ""
    for name in ("MPICO_BUILD", "MPICO_PREFIX", "MPICO_MINE", "MPICO_CHECK", "CHEK"):
        assert run(mpiexec, "true", **{name: "1"}).stderr == ""


def test_the_readme_has_the_table_of_variables(build: Path) -> None:
    def words(text: str) -> str:
        return " ".join(text.replace("`", "").split())

    printed = words(run(build / "bin/mpiexec", "--help-env").stdout)
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    section = readme.split("## Environment variables")[1].split("\n## ")[0]
    rows = [line.strip("| \n").split(" | ") for line in section.splitlines() if line.startswith("| `MPICO_")]
    expected = " ".join(f"{name} (default: {usual}) {meaning}" for name, meaning, usual in rows)
    assert printed == "Environment variables that mpico reads: " + words(expected)


def test_initial_errhandler(build: Path, program: str) -> None:
    mpiexec = build / "bin/mpiexec"
    for name, errors in {"return": "returns", "are_fatal": "fatal", "abort": "fatal"}.items():
        job = run(mpiexec, "-n", "2", "-initial-errhandler", f"mpi_errors_{name}", program)
        assert sorted(job.stdout.splitlines()) == lines(2, errors)


# Few addresses


@pytest.mark.parametrize("addresses", [2 << 30, 1 << 30, 256 << 20])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_a_limit_of_addresses(build: Path, program: str, n: int, addresses: int) -> None:
    job = run(build / "bin/mpiexec", "-n", str(n), program, addresses=addresses)
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == lines(n)


def test_a_program_alone_under_a_limit_of_addresses(program: str) -> None:
    assert run(program, addresses=1 << 30).stdout == ALONE


@pytest.mark.parametrize("words", [["--fibers"], ["--machine", "cluster"]], ids=["fibers", "machine"])
def test_ranks_of_one_process_under_a_limit_of_addresses(build: Path, program: str, words: list[str]) -> None:
    job = run(build / "bin/mpiexec", *words, "-n", "4", program, addresses=1 << 30)
    assert job.returncode == 0, job.stderr
    assert sorted(job.stdout.splitlines()) == lines(4)


def test_too_few_addresses_are_an_error_that_speaks(program: str) -> None:
    job = run(program, addresses=30 << 20)
    assert job.returncode != 0
    assert "not even 32 MiB of addresses are left" in job.stderr
    assert "ulimit -v" in job.stderr


# Processors


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2 or not shutil.which("taskset"), reason="needs two processors")
def test_models_and_crowding_count_the_same_processors(build: Path) -> None:
    one = min(os.sched_getaffinity(0))
    job = run("taskset", "-c", str(one), build / "bin/mpiexec", "sh", "-c", "echo $MPICO_LOGGP")
    assert job.stdout.split()[0] == "1"
