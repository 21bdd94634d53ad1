"""The library's sources on a processor whose int and size_t have 16 bits: every file compiles for the ATmega2560, and the compiler
finds no constant that overflows, no shift by more than a type has bits, no loop past an array's end, no comparison that
is always false or mixes signs. And the eleven functions of the ring paper run there.

There a length, a tag or a product that fits an int of 32 bits goes wrong unseen.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ["base", "type", "core", "net", "coll", "api"]
TARGET = ["-mmcu=atmega2560", "-std=c11", "-Os", "-DNDEBUG", "-DMPICO_ONE_RANK=1"]
WARNINGS = ["-Wall", "-Wextra", "-Wsign-compare", "-Wtype-limits", "-Werror"]
# The address of a caller, which only the user is shown, is not complete here; the compiler says so at each, without a name for it.
QUIET = ["-fno-diagnostics-show-caret", "-D__builtin_return_address(n)=((void*)0)"]

pytestmark = pytest.mark.skipif(not shutil.which("avr-gcc"), reason="needs avr-gcc")


def compile_file(source: Path, to: Path, *flags: str) -> str:
    """What the compiler says of one file, empty if nothing."""
    include = [f"-I{ROOT}/include", f"-I{ROOT}/src"]
    words = [
        "avr-gcc",
        *TARGET,
        *WARNINGS,
        *QUIET,
        *flags,
        *include,
        "-c",
        str(source),
        "-o",
        str(to / f"{source.name}.o"),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    return done.stderr if done.returncode or done.stderr else ""


def sources(layer: str, small: bool) -> list[Path]:
    """The files of a layer; in a small build *_small.c take the place of those they are named after."""
    files = set((ROOT / "src" / layer).glob("*.c"))
    others = {file for file in files if file.stem.endswith("_small")}
    replaced = {file.with_name(file.name.replace("_small", "")) for file in others}
    return sorted(files - (replaced if small else others))


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True], ids=["full", "small"])
@pytest.mark.parametrize("layer", [*LAYERS, "rma", "bare"])
def test_layer_compiles_for_16_bits(layer: str, small: bool, tmp_path: Path) -> None:
    """All files of one layer."""
    files = sources(layer, small)
    assert files
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda file: compile_file(file, tmp_path, f"-DMPICO_SMALL={int(small)}"), files))
    assert "".join(said) == ""


@pytest.mark.parametrize(
    "line",
    [
        "enum { MASK = (1 << 20) - 1 };",
        "long product(void) { return 300 * 300; }",
        "int shifted(void) { return 1 << 16; }",
        "unsigned char few[3]; int more(unsigned char n) { return n > 300; }",
    ],
)
def test_check_finds_what_it_looks_for(line: str, tmp_path: Path) -> None:
    """Each kind of fault, planted, is found: the check above can fail."""
    source = tmp_path / "fault.c"
    source.write_text(line + "\n")
    assert "error" in compile_file(source, tmp_path)


def link(folder: Path) -> Path:
    """program.c with a small build of the library."""
    files = [file for layer in LAYERS for file in sources(layer, small=True)]
    flags = ["-DMPICO_SMALL=1", "-ffunction-sections", "-fdata-sections"]
    for layer in LAYERS:  # two layers may have files of one name
        (folder / layer).mkdir()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda file: compile_file(file, folder / file.parent.name, *flags), files))
    assert "".join(said) == ""
    archive, program = folder / "libmpi_abi.a", folder / "program.elf"
    subprocess.run(
        ["avr-gcc-ar", "qcs", archive, *(folder / file.parent.name / f"{file.name}.o" for file in files)], check=True
    )
    assert compile_file(Path(__file__).with_name("program.c"), folder, *flags) == ""
    words = ["avr-gcc", "-mmcu=atmega2560", folder / "program.c.o", archive, "-Wl,--gc-sections", "-o", program]
    subprocess.run(words, check=True, timeout=60)
    return program


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("qemu-system-avr"), reason="needs qemu-system-avr")
def test_eleven_functions_run(tmp_path: Path) -> None:
    """They give the right results on an emulated ATmega2560, whose processor stands still at the end."""
    words = [
        "qemu-system-avr",
        "-M",
        "mega2560",
        "-bios",
        str(link(tmp_path)),
        "-nographic",
        "-serial",
        "stdio",
        "-monitor",
        "none",
    ]
    node = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    guard = threading.Timer(30, node.kill)
    guard.start()
    said = []
    assert node.stdout
    for line in node.stdout:
        said.append(line.strip())
        if said[-1] in ("ends", "failed"):
            break
    guard.cancel()
    node.kill()
    node.wait()
    assert said == [*["send and recv"] * 2, "bcast", "gather", "scatter", "allgather", "MPI_Finalize", "ends"]
