"""The packagings name what exists, compile the small build of src/, and work where this machine has the tools."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
PACKAGING = SOURCE / "packaging"
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()

# What a framework calls: recorded instead of done. Files are checked to exist.
STUBS = """
foreach(name zephyr_library_named zephyr_library_sources zephyr_library_include_directories zephyr_include_directories
             zephyr_library_compile_definitions idf_component_register target_compile_definitions)
  cmake_language(EVAL CODE "function(${name})
    message(\\"CALL ${name} \\${ARGN}\\")
  endfunction()")
endforeach()
set(CONFIG_MPICO y)
set(CONFIG_MPICO_ARENA_BYTES 65536)
set(CONFIG_MPICO_SLOT_BYTES 296)
set(COMPONENT_LIB mpico)
"""


def call(*command: str | Path, cwd: Path | None = None) -> str:
    """Output and complaints of the command; the test fails when its status is not 0."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False, cwd=cwd)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def wanted() -> set[Path]:
    """What every packaging for firmware compiles: of two files that stand for each other the small one, and nothing of bare programs."""
    port = set(SOURCE.glob("ports/board/*.c")) - {SOURCE / f"ports/board/{name}.c" for name in ("libc", "run", "bare")}
    layers = {path for path in SOURCE.glob("src/*/*.c") if path.parent.name not in ("bare", "model")}
    replaced = {path.with_stem(path.stem.removesuffix("_small")) for path in layers if path.stem.endswith("_small")}
    own = {PACKAGING / "named.c", PACKAGING / "settings.c"}
    return (layers - replaced - {SOURCE / "src/type/named_small.c"}) | port | own


def calls(file: Path, tmp_path: Path) -> dict[str, list[str]]:
    """The framework's functions that a CMakeLists.txt calls, with their arguments."""
    script = tmp_path / "script.cmake"
    script.write_text(f"cmake_minimum_required(VERSION 3.22)\n{STUBS}include({file})\n", encoding="utf-8")
    found = re.findall(r"^CALL (\w+) (.*)$", call("cmake", "-P", script), re.MULTILINE)
    return {name: words.split(";") for name, words in found}


def test_what_is_left_out_exists() -> None:
    assert (SOURCE / "ports/board/libc.c").exists()
    assert (SOURCE / "ports/board/run.c").exists()
    assert (SOURCE / "ports/board/bare.c").exists()


def test_of_each_kind_there_is_one() -> None:
    names = {path.relative_to(SOURCE).as_posix() for path in wanted()}
    assert {"src/core/match_small.c", "src/coll/select_small.c", "ports/board/machine.c"} <= names
    assert not {"src/core/match.c", "src/coll/select.c", "src/bare/bare_ring.c", "ports/board/bare.c"} & names


def test_zephyr_compiles_every_source(tmp_path: Path) -> None:
    found = calls(PACKAGING / "zephyr/CMakeLists.txt", tmp_path)
    assert {Path(name) for name in found["zephyr_library_sources"]} == wanted()
    assert all(Path(name).is_dir() for name in found["zephyr_library_include_directories"])
    assert (Path(found["zephyr_include_directories"][0]) / "mpi.h").exists()
    assert "MPICO_SMALL=1" in found["zephyr_library_compile_definitions"]


def test_zephyr_has_the_files_its_module_names() -> None:
    yaml = pytest.importorskip("yaml")
    module = yaml.safe_load((PACKAGING / "zephyr/module.yml").read_text(encoding="utf-8"))
    assert module["name"] == "mpico"
    assert (PACKAGING / module["build"]["cmake"] / "CMakeLists.txt").exists()
    assert (PACKAGING / module["build"]["kconfig"]).exists()


def test_zephyr_defines_every_option_it_uses() -> None:
    defined = set(
        re.findall(r"^config (\w+)", (PACKAGING / "zephyr/Kconfig").read_text(encoding="utf-8"), re.MULTILINE)
    )
    used = set(re.findall(r"\bCONFIG_(\w+)", (PACKAGING / "zephyr/CMakeLists.txt").read_text(encoding="utf-8")))
    assert used == defined


def test_esp_idf_compiles_every_source(tmp_path: Path) -> None:
    found = calls(PACKAGING / "esp-idf/mpico/CMakeLists.txt", tmp_path)
    words = found["idf_component_register"]
    assert "MPICO_SMALL=1" in found["target_compile_definitions"]
    assert words[0] == "SRCS"
    end = words.index("INCLUDE_DIRS")
    assert {Path(name) for name in words[1:end]} == wanted()
    folders = [word for word in words[end:] if word not in ("INCLUDE_DIRS", "PRIV_INCLUDE_DIRS")]
    assert all(Path(name).is_dir() for name in folders)


def version() -> str:
    """The project's."""
    found = re.search(r"project\(mpico VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found
    return found.group(1)


def test_esp_idf_has_the_project_s_version() -> None:
    yaml = pytest.importorskip("yaml")
    manifest = yaml.safe_load((PACKAGING / "esp-idf/mpico/idf_component.yml").read_text(encoding="utf-8"))
    assert manifest["version"] == version()
    assert manifest["license"] == "BSD-3-Clause"


def test_platformio_compiles_every_source() -> None:
    folder = PACKAGING / "platformio/mpico"
    manifest = json.loads((folder / "library.json").read_text(encoding="utf-8"))
    build = manifest["build"]
    root = (folder / build["srcDir"]).resolve()
    chosen: set[Path] = set()
    for rule in build["srcFilter"]:  # in order: + adds, - takes away
        sign, pattern = rule[0], rule[2:-1]
        files = set(root.rglob("*") if pattern == "*" else root.glob(pattern))
        assert files, rule
        chosen = chosen | files if sign == "+" else chosen - files
    assert chosen == wanted()
    assert "-DMPICO_SMALL=1" in build["flags"]
    assert (folder / build["includeDir"] / manifest["headers"]).exists()
    assert all((folder / flag[2:]).is_dir() for flag in build["flags"] if flag.startswith("-I"))
    assert manifest["version"] == version()


# ---- CMake ----

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(user C)
find_package(mpico {version} REQUIRED CONFIG)
add_executable(hello {source}/apps/hello/hello.c)
target_link_libraries(hello PRIVATE mpico::mpico)
add_executable(hello_static {source}/apps/hello/hello.c)
target_link_libraries(hello_static PRIVATE mpico::static)
message("LAUNCHER ${{mpico_MPIEXEC}}")
"""


@pytest.mark.skipif(not (BUILD / "lib/cmake/mpico").is_dir(), reason="this build has no package for CMake")
def test_find_package_gives_a_library_and_a_launcher(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(version=version(), source=SOURCE), encoding="utf-8")
    said = call("cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={BUILD}")
    call("cmake", "--build", tmp_path / "b")
    launcher = re.search(r"LAUNCHER (\S+)", said)
    assert launcher
    for name in ("hello", "hello_static"):
        assert "Hello from 3 nodes." in call(launcher.group(1), "-n", "3", tmp_path / "b" / name)


FIRMWARE = """
cmake_minimum_required(VERSION 3.22)
project(firmware C)
add_subdirectory({source}/packaging/firmware mpico)
foreach(name hello hello_whole)
  add_executable(${{name}} {source}/apps/hello/hello.c board.c)
  target_compile_options(${{name}} PRIVATE -Wall -Wextra -Werror)
  target_link_options(${{name}} PRIVATE {options})
endforeach()
target_link_libraries(hello PRIVATE mpico::mpico mpico::board)
# As Zephyr links its libraries: all members, so that none may define what another one does.
target_link_libraries(hello_whole PRIVATE -Wl,--whole-archive mpico::mpico -Wl,--no-whole-archive mpico::board)
"""
TOOLCHAIN = """
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m3 -mthumb -Os")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
# A node alone: what a firmware has to write. Its tick comes whenever the library sleeps, and at the start.
BOARD = """
#include "board.h"
#include <stdlib.h>
#include <unistd.h>

static size_t nothing(struct lane *lane, const void *bytes, size_t len) { (void)lane, (void)bytes; return len; }
static size_t silence(struct lane *lane, void *bytes, size_t len) { (void)lane, (void)bytes, (void)len; return 0; }
static struct lane wires[2] = {{.put = nothing, .get = silence}, {.put = nothing, .get = silence}};

struct lane *const board_left = &wires[0], *const board_right = &wires[1];
int board_identity(int *rank, int *size) { *rank = 0; *size = 1; mpico_board_turn(); return 0; }
uint64_t board_now_ns(void) { static uint64_t now; return now += 1000; }
void board_sleep(void) { mpico_board_turn(); if (mpico_board_asked) mpico_board_asked(); }
void board_write(const char *bytes, size_t len) { if (write(1, bytes, len) < 0) abort(); }
_Noreturn void board_exit(int code) { _Exit(code); }
void board_start(void) {}
void board_arguments(char *text, size_t room) { if (room) text[0] = 0; }
"""


def firmware(folder: Path, link: str, *options: str) -> Path:
    """The build of a firmware: hello, and the same with the whole library."""
    (folder / "CMakeLists.txt").write_text(FIRMWARE.format(source=SOURCE, options=link), encoding="utf-8")
    (folder / "board.c").write_text(BOARD, encoding="utf-8")
    call("cmake", "-S", folder, "-B", folder / "b", "-DMPICO_ARENA_BYTES=20480", *options)
    call("cmake", "--build", folder / "b", "--parallel", "2")
    return folder / "b"


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no arm-none-eabi-gcc")
def test_a_firmware_links_with_a_board_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "toolchain.cmake").write_text(TOOLCHAIN, encoding="utf-8")
    link = "--specs=nano.specs --specs=nosys.specs -Wl,--no-warnings"
    built = firmware(tmp_path, link, f"-DCMAKE_TOOLCHAIN_FILE={tmp_path}/toolchain.cmake")
    for name in ("hello", "hello_whole"):
        symbols = call("arm-none-eabi-nm", "-S", built / name)
        assert re.search(r"^00005000 A mpico_arena_bytes$", symbols, re.MULTILINE)
        assert re.search(r"^[0-9a-f]+ 00005000 B mpico_arena$", symbols, re.MULTILINE)
        assert "mpico_relay_start" in symbols and "mpico_bare" not in symbols


def test_a_firmware_runs_with_what_is_optional_and_without(tmp_path: Path) -> None:
    """On this machine. What a program leaves out of the archive is there when all of it is linked, and does no harm."""
    built = firmware(tmp_path, "-no-pie", "-DCMAKE_C_FLAGS=-fno-pie -O1")
    for name in ("hello", "hello_whole"):
        assert "Hello from 1 node" in call(built / name)
