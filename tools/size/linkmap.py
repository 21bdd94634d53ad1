"""What each object of a program weighs, from the map of GNU ld.

The map names every piece of every object file with its address and length. Two things have to be put right: strings that
were merged are listed with the length they would have had, and pieces of length 0 are listed too. So a piece counts
as far as the next one begins, and the sum is held against the length of the output section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

KINDS = ("text", "rodata", "data", "bss")

# An output section begins in the first column, a piece of an object one to the right. Long names stand on a line of their own.
OUTPUT = re.compile(r"^(\S+)(?:\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+))?")
PIECE = re.compile(r"^ (\*?[^\s*]\S*\*?)(?:\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+)(?:\s+(\S.*))?)?$")
PLACE = re.compile(r"^\s{2,}(0x[0-9a-f]+)\s+(0x[0-9a-f]+)(?:\s+(\S.*))?$")
NOT_LOADED = re.compile(r"^\.(debug|comment|ARM\.attributes|riscv\.attributes|note|stab|line|symtab|strtab|shstrtab)")
KIND_OF_NAME = (
    (re.compile(r"^\.(text|init|fini|plt|glue|vfp11|v4_bx|iplt)"), "text"),
    (
        re.compile(r"^\.s?(rodata|data\.rel\.ro)|^\.(ARM\.ex|eh_frame|gcc_except|srodata|init_array|fini_array)"),
        "rodata",
    ),
    (re.compile(r"^\.(s?bss|tbss|noinit)|^COMMON"), "bss"),
    (re.compile(r"^\.(s?data|tdata)"), "data"),
)


class MapError(Exception):
    """The map is not what we think it is."""


@dataclass(frozen=True)
class Piece:
    """A section of an object file, as it lies in the program. `file` is as in `libmpi_abi.a(send.c.obj)`."""

    section: str
    output: str
    file: str
    address: int
    size: int

    @property
    def kind(self) -> str:
        """One of KINDS. A section with a name of its own goes by the output section it was put into."""
        for name in (self.section, self.output):
            for pattern, kind in KIND_OF_NAME:
                if pattern.match(name):
                    return kind
        return "text" if re.search("vector|isr|irq", self.section + self.output) else "data"

    @property
    def member(self) -> str:
        """The name without folder and archive: `send.c.obj`."""
        return self.file.rstrip(")").rsplit("(", 1)[-1].rsplit("/", 1)[-1]


def _clip(pieces: list[Piece], output: str, end: int) -> list[Piece]:
    """The pieces of one output section, each only as long as up to the next."""
    result: list[Piece] = []
    fill = 0
    pieces = sorted(pieces, key=lambda piece: piece.address)  # stable: of equal addresses the last one is real
    for p, stop in zip(pieces, [piece.address for piece in pieces[1:]] + [end], strict=False):
        size = min(p.size, stop - p.address)
        if size <= 0:
            continue
        if p.file:  # what was filled before it is for its alignment
            result.append(replace(p, size=size + fill))
        fill = 0 if p.file else fill + size
    if fill and result:
        result[-1] = replace(result[-1], size=result[-1].size + fill)
    return result


def _lines(text: str) -> list[str]:
    """The lines of the memory map, a name that stands alone joined with what follows it."""
    start = text.find("Linker script and memory map")
    if start < 0:
        raise MapError("no memory map: is it of GNU ld?")
    lines: list[str] = []
    for line in map(str.rstrip, text[start:].splitlines()):
        alone = lines and re.match(r"^ ?[.\w*][^\s()]*$", lines[-1])
        if alone and PLACE.match(line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def parse(text: str) -> list[Piece]:
    """All pieces that take memory in the program, by output section and address. Raises MapError."""
    result: list[Piece] = []
    pieces: list[Piece] = []
    output, end = "", 0

    def close() -> None:
        result.extend(_clip(pieces, output, end))
        pieces.clear()

    for line in _lines(text):
        found = OUTPUT.match(line)
        if found and not line.startswith(("OUTPUT(", "LOAD ", "START ", "END ", "/DISCARD/")):
            close()
            output = found.group(1)
            end = int(found.group(2), 16) + int(found.group(3), 16) if found.group(2) else 0
            continue
        found = PIECE.match(line)
        if not found or not found.group(2) or not end or NOT_LOADED.match(output):
            continue
        name, address, size, file = found.group(1), int(found.group(2), 16), int(found.group(3), 16), found.group(4)
        if size and address + size <= end:
            pieces.append(Piece(name, output, file or "", address, size))
    close()
    if not result:
        raise MapError("the memory map is empty")
    return result


def read(file: Path) -> list[Piece]:
    """parse() of a file."""
    return parse(file.read_text(encoding="utf-8", errors="replace"))
