"""A board of a build: its library, how programs are linked with it, and what its sources say of calls and frames."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import callgraph
import linkmap

SOURCE = Path(__file__).resolve().parents[2]

# Where a source file belongs, first match; paths are relative to the source tree. Start-up code runs before main() or when all is
# lost, and every program of the board has it, with or without MPI.
PARTS = (
    (re.compile(r"^src/(\w+)/"), None),  # a layer, by its folder
    (re.compile(r"^ports/\w+/(libc|syscalls)\.c$"), "libc"),
    (re.compile(r"^ports/\w+/run\.c$"), "startup"),
    (re.compile(r"^boards/.*/(start|boot|crt\w*|fault|trap|semihost|pages|fdt)\.[cS]$"), "startup"),
    (re.compile(r"^boards/.*/(string|memory|stdio|stdlib|format\w*|builtins)\.c$"), "libc"),
    (re.compile(r"^(ports|boards)/"), "port"),
)
NOT_BARE = {"core", "coll", "rma", "api"}  # src/bare stands in their place
LIBRARY = ("base", "type", "core", "net", "coll", "rma", "api", "bare", "model", "port", "mixed")


class BoardError(Exception):
    """The board was not built, or a program cannot be linked for it."""


@dataclass(frozen=True)
class Board:
    """A folder of lib/mpico/board in a build."""

    name: str
    build: Path
    conf: dict[str, str]

    @property
    def archive(self) -> Path:
        """Its library."""
        return self.build / "lib/mpico/board" / self.name / "libmpi_abi.a"

    @property
    def cpu(self) -> str:
        """The processor, for people: what the flags say."""
        flags = dict(re.findall(r"-m(cpu|arch)=(\S+)", self.conf.get("cflags", "")))
        return flags.get("cpu") or flags.get("arch") or self.conf["compiler"].split("-")[0]

    @property
    def machine(self) -> str:
        """The kind of processor: a key of pointers.PUSHED_BY_HARDWARE."""
        if "riscv" in self.conf["compiler"]:
            return "riscv"
        return "arm-fp" if "-mfloat-abi=hard" in self.conf.get("cflags", "") else "arm"

    def tool(self, name: str) -> str:
        """A tool that goes with the board's compiler: nm, objdump."""
        return re.sub(r"(gcc|cc|clang)(-\d+)?$", name, self.conf["compiler"])


@dataclass(frozen=True)
class Linked:
    """A linked program: its pieces, its global symbols, its functions."""

    elf: Path
    pieces: list[linkmap.Piece]
    symbols: dict[str, int]
    functions: callgraph.Program


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What the command prints. Raises BoardError with what it complained of."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode != 0:
        raise BoardError(f"{shlex.join(map(str, command))}\n{done.stderr.strip()}")
    return done.stdout


def built(build: Path) -> list[Board]:
    """The boards of a build whose library is there, by name."""
    result = []
    for archive in sorted((build / "lib/mpico/board").glob("*/libmpi_abi.a")):
        text = (archive.parent / "board.conf").read_text(encoding="utf-8")
        conf = dict(re.findall(r"^(\w+)\s*=[ \t]*(.*?)\s*$", text, re.MULTILINE))
        result.append(Board(archive.parent.name, build, conf))
    return result


def not_measurable(board: Board) -> str | None:
    """Why the tool cannot measure this board, or None: it reads the maps of GNU ld and the call graphs of GCC."""
    compiler = board.conf.get("compiler", "")
    if re.search(r"-(elf|eabi)-gcc$", compiler):
        return None
    return f"{board.name}: {compiler} is not a cross compiler of GNU"


# ---- Linking ----


def global_functions(board: Board) -> set[str]:
    """Every global function of the archive; the compiler's own clones, with a dot in their names, cannot be called."""
    lines = run(board.tool("nm"), "-g", "--defined-only", board.archive).splitlines()
    return {words[2] for words in map(str.split, lines) if len(words) == 3 and words[1] in "TW" and "." not in words[2]}


def program(functions: list[str]) -> str:
    """A C program that refers to each of the functions, and to nothing else."""
    declared = "".join(f"extern const char {name}[];\n" for name in functions if name != "main")
    listed = "".join(f"    {name},\n" for name in functions if name != "main")
    return (
        f"{declared}\nstatic const char *const volatile called[] = {{\n{listed}}};\n\n"
        "int main(void)\n{\n"
        "    for (unsigned i = 0; i < sizeof called / sizeof called[0]; i++)\n"
        "        if (!called[i])\n            return 1;\n"
        "    return 0;\n}\n"
    )


def link(board: Board, functions: list[str], work: Path, settings: dict[str, int], bare: bool) -> Linked:
    """Link a program that calls the functions as mpicc --board does (`bare`: with --bare). `settings`: symbols that the program
    chooses.
    """
    work.mkdir(parents=True, exist_ok=True)
    source, code, elf, chart = (work / f"program.{suffix}" for suffix in ("c", "o", "elf", "map"))
    source.write_text(program(functions), encoding="utf-8")
    compiler = [board.build / "bin/mpicc", "--board", board.name]
    run(*compiler, "-w", "-c", source, "-o", code)
    chosen = [f"-Wl,--defsym={name}={value}" for name, value in settings.items()]
    short = ["--bare"] if bare else []
    run(*compiler, *short, *chosen, "-Wl,--gc-sections", f"-Wl,-Map={chart}", code, "-o", elf)
    lines = run(board.tool("nm"), elf).splitlines()
    symbols = {words[2]: int(words[0], 16) for words in map(str.split, lines) if len(words) == 3 and words[1].isupper()}
    symbols.update(
        {words[2]: int(words[0], 16) for words in map(str.split, lines) if len(words) == 3 and words[1] in "wW"}
    )
    return Linked(elf, linkmap.read(chart), symbols, callgraph.disassembly(run(board.tool("objdump"), "-d", "-w", elf)))


# ---- Sources ----


def sources(board: Board) -> list[dict[str, str]]:
    """The compile commands of the board's library."""
    file = board.build / "boards" / board.name / "compile_commands.json"
    if not file.exists():
        raise BoardError(f"{board.name}: no {file}: the library was not built here")
    return json.loads(file.read_text(encoding="utf-8"))


def part_of(source: str) -> str:
    """The layer of a source file, or port, startup, libc."""
    path = Path(source)
    relative = str(path.relative_to(SOURCE)) if path.is_relative_to(SOURCE) else source
    relative = re.sub(r"^/.*?/(src|ports|boards)/", r"\1/", relative)
    for pattern, part in PARTS:
        found = pattern.match(relative)
        if found:
            return part or found.group(1)
    return "port"


def compiler_of(board: Board) -> str:
    """The compiler's name and version."""
    return run(board.conf["compiler"], "--version").splitlines()[0]


@dataclass(frozen=True)
class Origins:
    """The parts of the library's members and functions, by their names; several where files of different layers share one."""

    members: dict[str, set[str]]
    functions: dict[str, set[str]]


def origins(board: Board, units: list[callgraph.Unit]) -> Origins:
    """Where each member of the archive and each of its functions comes from."""
    result = Origins({}, {})
    for entry in sources(board):
        name = Path(entry["file"]).name
        for suffix in (".obj", ".o"):
            result.members.setdefault(name + suffix, set()).add(part_of(entry["file"]))
    for unit in units:
        for title, file in unit.files.items():
            result.functions.setdefault(callgraph.name_of(title), set()).add(part_of(file))
    return result


def archive_command(board: Board, objects: list[Path], output: Path) -> list[str]:
    """How the build makes one object of all, where it optimises the library as a whole."""
    work = board.build / "boards" / board.name
    lines = run("ninja", "-C", work, "-t", "commands", board.archive).splitlines()
    command = next(part for part in lines[-1].split("&&") if "nolto-rel" in part)
    words = [word for word in shlex.split(command) if not word.endswith(".obj")]
    words[words.index("-o") + 1] = str(output)
    return [*words, "-fcallgraph-info=su", *map(str, objects)]


def compile_units(board: Board, work: Path) -> list[callgraph.Unit]:
    """The compiler's account of calls and frames: every C source compiled once more, with the board's own flags.

    What was compiled for this very archive is used again.
    """
    stamp, archive = work / "archive", f"{board.archive.stat().st_mtime_ns} {board.archive.stat().st_size}\n"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != archive:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        compile_all(board, work)
        stamp.write_text(archive, encoding="utf-8")
    return [callgraph.unit(file.read_text(encoding="utf-8")) for file in sorted(work.glob("*.ci"))]


def compile_all(board: Board, work: Path) -> None:
    """Compile for the accounts, which are left in `work`."""
    entries = [entry for entry in sources(board) if entry["file"].endswith(".c")]
    whole = any("-flto" in shlex.split(entry["command"]) for entry in entries)

    def compile_one(job: tuple[int, dict[str, str]]) -> Path:
        number, entry = job
        output = work / f"{number}-{Path(entry['file']).stem}.o"
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1] = str(output)
        run(*words, "-w", *([] if whole else ["-fcallgraph-info=su"]), cwd=Path(entry["directory"]))
        return output

    with ThreadPoolExecutor(max_workers=2) as pool:
        objects = list(pool.map(compile_one, enumerate(entries)))
    if whole:
        run(*archive_command(board, objects, work / "whole.o"), cwd=work)
