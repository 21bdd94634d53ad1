"""The compiler wrappers, and how build systems find the library through them.

MPICO_BUILD as in test_mpiexec.py. MPICO_MESON names a meson that is not in PATH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HELLO = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
"""
C_NAMES = ["mpicc"]
CXX_NAMES = ["mpicxx", "mpic++", "mpiCC"]
CLEAN = ("CC", "CXX", "MPICC", "MPICXX", "MPICC_CC", "MPICXX_CXX")
MESON = os.environ.get("MPICO_MESON") or shutil.which(
    "meson", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
)


@pytest.fixture(scope="module")
def build() -> Path:
    """The build folder; skips the test where none is named."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    return Path(folder)


def environment(build: Path, **more: str) -> dict[str, str]:
    """With the wrappers in PATH, and nobody's choice of a compiler."""
    kept = {k: v for k, v in os.environ.items() if k not in CLEAN}
    return kept | {"PATH": f"{build}/bin:{os.environ['PATH']}"} | more


def said(build: Path, *words: str, **more: str) -> str:
    """What a command prints; it must not fail."""
    job = subprocess.run(words, env=environment(build, **more), capture_output=True, text=True, timeout=60, check=False)
    assert job.returncode == 0, job.stderr
    return job.stdout.strip()


def check_program(build: Path, program: Path) -> None:
    """Two ranks of it say hello."""
    for launcher in ("mpiexec", "mpirun"):
        assert sorted(said(build, launcher, "-n", "2", str(program)).splitlines()) == ["0 of 2", "1 of 2"]


@pytest.mark.parametrize("name", C_NAMES + CXX_NAMES)
def test_each_name_compiles_its_language(build: Path, tmp_path: Path, name: str) -> None:
    source = tmp_path / ("hello.c" if name in C_NAMES else "hello.cc")
    language = "#ifdef __cplusplus\n#error C++\n#endif\n" if name in C_NAMES else "template <class T> T f(T);\n"
    source.write_text(language + HELLO)
    said(build, name, str(source), "-o", str(tmp_path / "hello"))
    check_program(build, tmp_path / "hello")


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_showme_prints_parts(build: Path, dashes: str) -> None:
    def part(what: str, name: str = "mpicc") -> str:
        return said(build, name, f"{dashes}showme:{what}")

    assert part("command") == "cc"
    assert part("command", "mpic++") == "c++"
    assert part("compile") == f"-I{build}/include"
    assert part("link") == f"-L{build}/lib -Wl,-rpath,{build}/lib -lmpi_abi"
    assert part("incdirs") == f"{build}/include"
    assert part("libdirs") == f"{build}/lib"
    assert part("libs") == "mpi_abi"
    name, of, version = part("version").split()
    assert (name, of) == ("mpicc:", "mpico")
    assert version in said(build, "mpiexec", "--version")
    wrong = subprocess.run([build / "bin/mpicc", f"{dashes}showme:x"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "incdirs" in wrong.stderr


@pytest.mark.parametrize("mark", ["-", "_"])
def test_info_prints_the_compiler_and_the_flags_of_a_step(build: Path, mark: str) -> None:
    assert said(build, "mpicc", f"-compile{mark}info") == f"cc -I{build}/include"
    assert said(build, "mpicxx", f"-link{mark}info").split()[::4] == ["c++"]
    assert said(build, "mpicxx", f"-link{mark}info").endswith(" -lmpi_abi")


def test_the_compiler_can_be_named(build: Path) -> None:
    for option in ("-cc=gcc", "-cxx=gcc", "-CC=gcc"):
        shown = said(build, "mpicc", option, "-show", "a.c").split()
        assert shown[0] == "gcc"
        assert option not in shown
        assert said(build, "mpicc", option, "--showme:command", CC="other") == "gcc"
    for own in ("mpicc", "mpic++", "mpiCC -O2"):
        assert said(build, "mpicc", "--showme:command", CC=own) == "cc"
        assert said(build, "mpic++", "--showme:command", CXX=own) == "c++"


def test_help_names_the_options(build: Path) -> None:
    text = said(build, "mpicc", "-help")
    for option in ("-show", "--showme:WHAT", "-compile-info", "-cc=NAME", "-static", "--board"):
        assert option in text


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
@pytest.mark.parametrize("name", ["mpi_abi", "mpi", "mpi-c", "mpi-cxx", "ompi-c", "ompi-cxx"])
def test_pkg_config_knows_each_name(build: Path, name: str) -> None:
    flags = said(build, "pkg-config", "--cflags", "--libs", name, PKG_CONFIG_PATH=f"{build}/lib/pkgconfig")
    assert "-lmpi_abi" in flags.split()


CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
find_package(MPI REQUIRED COMPONENTS C CXX)
add_executable(c hello.c)
target_link_libraries(c PRIVATE MPI::MPI_C)
add_executable(cxx hello.cc)
target_link_libraries(cxx PRIVATE MPI::MPI_CXX)
"""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_cmake_finds_it_for_both_languages(build: Path, tmp_path: Path) -> None:
    for name in ("hello.c", "hello.cc"):
        (tmp_path / name).write_text(HELLO)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_PROJECT)
    said(build, "cmake", "-S", str(tmp_path), "-B", str(tmp_path / "b"))
    said(build, "cmake", "--build", str(tmp_path / "b"))
    for name in ("c", "cxx"):
        check_program(build, tmp_path / "b" / name)


MESON_PROJECT = """
project('user', 'c', 'cpp')
c = dependency('mpi', language: 'c', method: '@0@')
cxx = dependency('mpi', language: 'cpp', method: '@0@')
executable('c', 'hello.c', dependencies: c)
executable('cxx', 'hello.cc', dependencies: cxx)
"""


@pytest.mark.skipif(not MESON or not shutil.which("ninja"), reason="meson and ninja are not installed")
@pytest.mark.parametrize("method", ["auto", "config-tool", "pkg-config"])
def test_meson_finds_it_for_both_languages(build: Path, tmp_path: Path, method: str) -> None:
    for name in ("hello.c", "hello.cc"):
        (tmp_path / name).write_text(HELLO)
    (tmp_path / "meson.build").write_text(MESON_PROJECT.replace("@0@", method))
    path = f"{build}/lib/pkgconfig"
    said(build, str(MESON), "setup", str(tmp_path / "b"), str(tmp_path), PKG_CONFIG_PATH=path)
    said(build, "ninja", "-C", str(tmp_path / "b"))
    for name in ("c", "cxx"):
        check_program(build, tmp_path / "b" / name)
