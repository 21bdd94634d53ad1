"""Who calls whom in a linked program, and how much stack each function takes.

Three sources, joined by address: the compiler's own account (GCC's -fcallgraph-info=su: frames, calls, and where in the source
a pointer is called), the map (which static function of a name is meant), and the disassembly, for what the
compiler did not see: the C library, assembly, calls that the compiler made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from linkmap import Piece

INDIRECT = "__indirect_call"
NODE = re.compile(r'^node: \{ title: "([^"]*)" label: "([^"]*)"')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?')
FRAME = re.compile(r"(\d+) bytes \(([a-z,]+)\)")


@dataclass
class Function:
    """A function of the program. `frame` is None when it has no bound. `indirect`: where pointers are called, as file:line:col,
    or "" where only the machine code tells."""

    name: str
    frame: int | None = 0
    calls: set[int] = field(default_factory=set)
    indirect: set[str] = field(default_factory=set)


Program = dict[int, Function]  # by address


# ---- Machine code ----

HEADER = re.compile(r"^([0-9a-f]+) <(.+)>:$")
CODE = re.compile(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)(?:\s+(.*))?$")
COMMENT = re.compile(r"\s*(?:[@;]|#\s).*")
TARGET = re.compile(r"\b([0-9a-f]+) <([^>+]+)>")
REGISTERS = re.compile(r"\{([^}]*)\}")
PUSHES = ("push", "stmdb", "stmfd", "vpush", "vstmdb")


def _pushed(mnemonic: str, operands: str) -> int:
    """Bytes by which one instruction of Arm lowers the stack pointer; 0 for others."""
    base = mnemonic.split(".")[0]
    if base in PUSHES and (base.endswith("push") or operands.startswith("sp!")):
        found = REGISTERS.search(operands)
        registers = found.group(1).split(",") if found else []
        return sum(8 if r.strip().startswith("d") else 4 for r in registers)
    if base == "sub" and re.match(r"sp,", operands):
        found = re.search(r"#(\d+)", operands)
        return int(found.group(1)) if found else -1
    found = re.search(r"\[sp, #-(\d+)\]!", operands)
    return int(found.group(1)) if found and base.startswith(("str", "vstr")) else 0


def _lowered(mnemonic: str, operands: str) -> int:
    """The same for RISC-V, and for Arm. -1: by an amount that is not in the instruction."""
    found = re.match(r"sp,sp,(-?\w+)", operands)
    if not found:
        return _pushed(mnemonic, operands)
    if re.fullmatch(r"-?\d+", found.group(1)):
        return max(0, -int(found.group(1))) if mnemonic == "addi" else 0
    return -1 if mnemonic == "sub" else 0


def _is_indirect(mnemonic: str, operands: str) -> bool:
    """Does the instruction call what a register holds?"""
    register = operands.split(",")[-1].strip()
    if mnemonic == "blx" or (mnemonic == "bx" and register != "lr"):
        return not TARGET.search(operands)
    return mnemonic in ("jalr", "jr") and register not in ("ra", "t0") and "ra" not in register


def disassembly(text: str) -> Program:
    """Every function of `objdump -d`. A frame is the sum of all that the function pushes: at least what any path needs."""
    program: Program = {}
    at = None
    for line in text.splitlines():
        found = HEADER.match(line)
        if found:
            at = program.setdefault(int(found.group(1), 16), Function(found.group(2)))
            continue
        found = CODE.match(line)
        if not found or at is None:
            continue
        mnemonic, operands = found.group(2), COMMENT.sub("", found.group(3) or "")
        lowered = _lowered(mnemonic, operands)
        at.frame = None if lowered < 0 or at.frame is None else at.frame + lowered
        target = TARGET.search(found.group(3) or "")
        if target and target.group(2) != at.name and not mnemonic.startswith(("ldr", "adr", "auipc", "addi", "l", "s")):
            at.calls.add(int(target.group(1), 16))
        elif _is_indirect(mnemonic, operands):
            at.indirect.add("")
    for function in program.values():
        function.calls &= program.keys()  # what remains are addresses of data
    return program


# ---- The compiler's account ----


@dataclass
class Unit:
    """What the compiler said of one object, by the titles it gave: a name, or object:name of a static function."""

    frames: dict[str, int | None] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # the source file of each
    edges: list[tuple[str, str, str]] = field(default_factory=list)


def name_of(title: str) -> str:
    """The function's name in the object file."""
    return title.rsplit(":", 1)[-1]


def unit(text: str) -> Unit:
    """A .ci file."""
    result = Unit()
    for line in text.splitlines():
        found = NODE.match(line)
        if found:
            label = found.group(2).split("\\n")
            frame = FRAME.search(found.group(2))
            if frame:
                result.frames[found.group(1)] = None if frame.group(2) == "dynamic" else int(frame.group(1))
                result.files[found.group(1)] = label[1].rsplit(":", 2)[0]
            continue
        found = EDGE.match(line)
        if found:
            result.edges.append((found.group(1), found.group(2), found.group(3) or ""))
    return result


def addresses(units: list[Unit], pieces: list[Piece], symbols: dict[str, int]) -> dict[str, set[int]]:
    """Where the functions of the compiler's account lie; those that are not linked have no entry.

    `symbols` are the global ones. A static function is found by its section, and by the object that the map names: of several
    with one name in a library that was optimised as a whole, it may be any.
    """
    sections: dict[str, list[Piece]] = {}
    for p in pieces:
        if p.kind == "text":
            sections.setdefault(p.section, []).append(p)
    result = {}
    for u in units:
        for title, file in u.files.items():
            found = sections.get(".text." + name_of(title), [])
            stems = [(p.member.rsplit(".", 1)[0], p.address) for p in found]
            own = [address for stem, address in stems if stem == Path(file).name]
            whole = [address for stem, address in stems if not stem.endswith(".c")]
            places = [symbols[title]] if title in symbols else own or whole
            if places:
                result[title] = {address & ~1 for address in places}
    return result


def join(program: Program, units: list[Unit], where: dict[str, set[int]], symbols: dict[str, int]) -> None:
    """Put the compiler's account into the program: its frames are exact, and it knows where pointers are called."""
    seen: set[int] = set()
    for u in units:
        for title, frame in u.frames.items():
            for at in where.get(title, set()) & program.keys():
                before = program[at].frame if at in seen else 0
                program[at].frame = None if frame is None or before is None else max(frame, before)
                program[at].indirect.discard("")
                seen.add(at)
        for source, target, label in u.edges:
            to = where.get(target, {symbols[target] & ~1} if target in symbols else set())
            for at in where.get(source, set()) & program.keys():
                if target == INDIRECT:
                    program[at].indirect.add(label)
                else:
                    program[at].calls |= to & program.keys()
