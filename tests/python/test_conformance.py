"""docs/conformance.md says what the library is, and include/mpi.h what the standard's binary interface is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
LIBRARY = BUILD / "lib/libmpi_abi.so.1"
HEADER = SOURCE / "include/mpi.h"
sys.path.insert(0, str(SOURCE / "tools/conformance"))

import conformance  # noqa: E402

# ---- The page ----


def test_the_list_is_of_664_functions_of_known_chapters() -> None:
    chapters = conformance.read_pairs(conformance.FUNCTIONS)
    assert len(chapters) == 664
    assert set(chapters.values()) == set(conformance.CHAPTERS)
    assert not set(chapters) & set(conformance.REMOVED)


def test_a_function_is_there_when_both_its_names_are() -> None:
    shown = {"MPI_A": "W", "PMPI_A": "T", "MPI_B": "T", "PMPI_B": "T", "MPI_C": "W", "MPI_D": "W", "PMPI_D": "T"}
    unsupported = conformance.refused(
        ["UNSUPPORTED(D, (int x))\nUNSUPPORTED_OF(File_e, comm,\n    (void))\n#define UNSUPPORTED(name"]
    )
    assert unsupported == {"MPI_D", "MPI_File_e"}
    assert conformance.states("MPI_A MPI_B MPI_C MPI_D".split(), shown, unsupported) == {
        "MPI_A": conformance.THERE,
        "MPI_B": conformance.THERE,
        "MPI_C": conformance.MISSING,
        "MPI_D": conformance.REFUSES,
    }


def test_the_page_is_what_the_library_is() -> None:
    if not LIBRARY.exists():
        pytest.skip("the library is not built")
    assert conformance.PAGE.read_text() == conformance.page_of(LIBRARY), "run tools/conformance/conformance.py"


def test_the_library_shows_nothing_that_the_header_does_not_declare() -> None:
    if not LIBRARY.exists():
        pytest.skip("the library is not built")
    declared = set(re.findall(r"MPI_ABI_CALL\(\w+, (\w+),", HEADER.read_text()))
    shown = {re.sub("^P?MPI_", "", name) for name in conformance.symbols(LIBRARY)}
    assert shown <= declared, sorted(shown - declared)


def test_every_function_is_called_by_a_conformance_program() -> None:
    """Of those that refuse, one of a family is enough."""
    programs = list((BUILD / "tests/mpi").glob("mpi_*"))
    if not programs:
        pytest.skip("the conformance programs are not built")
    called = {name.removeprefix("P") for program in programs for name in conformance.wanted(program)}
    names = conformance.read_pairs(conformance.FUNCTIONS)
    found = conformance.states(names, conformance.symbols(LIBRARY), conformance.refused_here())
    assert sorted(name for name in found if found[name] == conformance.THERE and name not in called) == []


# ---- The header ----


def run_c(text: str, folder: Path, include: Path = HEADER.parent) -> list[str]:
    """Compile and run a program; the lines it prints."""
    (folder / "program.c").write_text(text)
    program = folder / "program"
    cc = [os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{include}"]
    subprocess.run([*cc, folder / "program.c", "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def print_all(names: list[str], header: str = "mpi.h") -> str:
    """A C program that prints the value of each name."""
    prints = [f'printf("{name} %lld\\n", (long long)(intptr_t)({name}));' for name in names]
    return "\n".join([f'#include "{header}"', "#include <stdio.h>", "int main(void) {", *prints, "return 0;", "}"])


def test_the_header_declares_every_function(tmp_path: Path) -> None:
    names = [*conformance.read_pairs(conformance.FUNCTIONS), *conformance.REMOVED]
    uses = [f"(void)sizeof(&{prefix}{name});" for name in names for prefix in ("", "P")]
    assert run_c("\n".join(['#include "mpi.h"', "int main(void) {", *uses, "return 0;", "}"]), tmp_path) == []


def test_constants_have_the_values_of_the_abi(tmp_path: Path) -> None:
    wanted = conformance.read_pairs(conformance.CONSTANTS)
    assert len(wanted) == 360
    got = {line.split()[0]: int(line.split()[1]) for line in run_c(print_all(list(wanted)), tmp_path)}
    assert {name: value for name, value in got.items() if value != wanted[name]} == {}


def test_another_header_of_the_abi_agrees(tmp_path: Path) -> None:
    """Every prototype and type of function that another library's header has may stand beside ours."""
    other = BUILD / "venv-mpich/include/mpi_abi.h"
    if not other.exists():
        pytest.skip("no other library of the ABI is installed")
    text = re.sub(r"/\*.*?\*/", "", other.read_text(), flags=re.DOTALL)
    lines = re.findall(r"^(?:typedef [^;{]*\([^;]*;|\w+ \*?P?MPI_\w+\([^;]*\);)", text, re.MULTILINE)
    ours = [line for line in lines if "MPIX_" not in line]
    assert len(ours) > 1300
    assert run_c("\n".join(['#include "mpi.h"', *ours, "int main(void) { return 0; }"]), tmp_path) == []
    names = list(conformance.read_pairs(conformance.CONSTANTS))
    theirs = run_c(print_all(names, "mpi_abi.h"), tmp_path, other.parent)
    assert theirs == run_c(print_all(names), tmp_path)


@pytest.mark.parametrize("standard", ["c99", "c11", "c++17"])
def test_the_header_compiles_without_a_warning(tmp_path: Path, standard: str) -> None:
    language = "c++" if "+" in standard else "c"
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", f"-std={standard}", "-x", language]
    (tmp_path / "empty").write_text('#include "mpi.h"\n')
    subprocess.run([os.environ.get("CC", "cc"), *flags, f"-I{HEADER.parent}", tmp_path / "empty"], check=True)
