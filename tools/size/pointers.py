"""What the pointers of the library may call.

A pointer is known by the name of the struct member (or parameter) through which it is called, its slot. What may stand in a slot
is read from the sources that the board's library is made of: `.slot = function` and `->slot = function`. What cannot be read
there is in the tables below, by slot or by the function that calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from callgraph import Program, Unit, name_of

# Slots that are filled by other means than an initialiser or an assignment: the functions that may stand there. `*/FILE` stands for
# all functions of a source file.
SLOTS: dict[str, tuple[str, ...]] = {
    "mpico_coll_builder": ("*/allgather.c", "*/allreduce.c", "*/alltoall.c", "*/barrier.c", "*/bcast.c", "*/gather.c", "*/halving.c",
                          "*/reduce.c", "*/reduce_scatter.c", "*/scan.c", "*/scatter.c", "*/select_small.c"),
    "mpico_kernel_find": ("*/kernels.c",),
    "build": ("*/allgather.c", "*/barrier.c", "*/bcast.c"),  # of inner.c
    "sides": ("api_coll_sides",),
    "launch": ("api_launch_run", "api_launch_start", "api_launch_keep"),
    "hash": ("posted_hash", "unexpected_hash"),
    "table_grow": ("posted_hash", "unexpected_hash"),
    "tell": ("chip_say",),  # of error.c: jumps to machine.say at its end
}  # fmt: skip

# Calls of which the place says more than the slot's name: (source file, slot). A struct wire (src/net/wire.h) is filled by the simulated
# machine alone; its `send` is not that of a link.
CALLS: dict[tuple[str, str], tuple[str, ...]] = {
    ("raw.c", "send"): (),
    ("ring_tx.c", "send"): (),
}

# Slots that a port may leave empty (src/port.h): whoever calls them has looked. The last line: those of src/net/wire.h, which only
# the simulated machine fills; without it no link of that kind is ever attached.
OPTIONAL = frozenset(
    "say note processor where compute lend reserve commit get put want place direct direct_state check progress waiting "
    "lock unlock wake receive alarm settings away share unshare hops model".split()
)

# The program's own functions: reduction operations, error handlers, attribute callbacks. Their stack is the program's.
OF_THE_PROGRAM = frozenset({"user", "user_c", "function", "copy", "delete", "raise"})

# How often a function may stand on the stack at once, with the reason. Anything else that recurs is refused.
# - A half of MPI_Isendrecv ends the whole, whose request is no half of another.
# - An intercommunicator ends that of its own group, which has none.
# - Of packing, LEVELS counts the rest.
BOUNDS: dict[str, int] = {
    "mpico_request_done": 2,
    "half_done": 1,
    "mpico_comm_end": 2,
    "move_layout": 1,
    "factors": 1,
    **dict.fromkeys(("move_one", "move_all", "move_repeat", "move_blocks", "move_fields"), 2),
}

# Packing goes down the layouts of a datatype through move_layout(), of which a small build takes 16 (TYPE_DEPTH_MAX).
# A number of 32 bits has 31 prime factors at most, of each of which factors() makes a dimension.
LEVELS: dict[str, int] = {"move_layout": 16, "factors": 32}

# Interrupts that can come on top of the deepest call and of each other, by port, lowest priority first: one handler of each level.
# A chip's harts take none: a software interrupt ends their sleep and nothing more.
INTERRUPTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "board": (("cortex_m_pendsv",), ("cortex_m_systick",), ("any_irq",)),
    "chip": (),
}

# What the processor itself pushes at each level: on Armv7-M eight words and one of alignment, 18 more with floating point.
PUSHED_BY_HARDWARE = {"arm": 36, "arm-fp": 108, "riscv": 0}

CALLED = re.compile(r"(?:\w+(?:\[[^\]]*\])?(?:->|\.))*(\w+)(?:\[[^\]]*\])?\)?\s*\(")
MEMBER = re.compile(r"(?:->|\.)(\w+)(?:\[[^\]]*\])?\)?\s*\(")  # after a cast, say
FILLED = re.compile(r"(?:\.|->)(\w+)\s*=\s*&?(\w+)\b")


class PointerError(Exception):
    """A pointer is called and nothing says what it may call."""


def fillings(sources: Iterable[Path]) -> dict[str, set[str]]:
    """What the sources put into each slot: names, among which those of functions count."""
    result: dict[str, set[str]] = {}
    for source in sources:
        for slot, name in FILLED.findall(source.read_text(encoding="utf-8", errors="replace")):
            result.setdefault(slot, set()).add(name)
    return result


def slot_at(label: str) -> str:
    """The slot that is called at file:line:col. Raises PointerError."""
    file, line, column = label.rsplit(":", 2)
    text = Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1][int(column) - 1 :]
    found = CALLED.match(text.lstrip("(*")) or MEMBER.search(text)
    if not found:
        raise PointerError(f"{label}: cannot see what is called in '{text.strip()}'")
    return found.group(1)


def resolver(
    program: Program, units: list[Unit], where: dict[str, set[int]], filled: dict[str, set[str]]
) -> Callable[[str, str], set[int]]:
    """A function that says which addresses a call through a pointer may lead to; see stack.depth()."""
    by_name: dict[str, set[int]] = {}  # of a function that is not linked: the empty set
    for u in units:
        for title, file in u.files.items():
            places = where.get(title, set()) & program.keys()
            # A compiler that clones or renames a function appends to its name, after a dot.
            for name in (name_of(title).split(".")[0], "*/" + Path(file).name):
                by_name.setdefault(name, set()).update(places)

    def resolve(caller: str, label: str) -> set[int]:
        slot = slot_at(label) if label else caller.split(".")[0]  # a jump at the end of a function has no place
        if slot in OF_THE_PROGRAM:
            return set()
        place = (Path(label.split(":")[0]).name, slot)
        if place in CALLS:
            return set().union(*(by_name[name] for name in CALLS[place]))
        names = SLOTS.get(slot) or tuple(filled.get(slot, ()))
        known = [by_name[name] for name in names if name in by_name]
        if not known and slot not in OPTIONAL:
            raise PointerError(
                f"{caller} calls a pointer ({slot or 'in machine code'}, {label}) and nothing says what it may be"
            )
        return set().union(*known)

    return resolve
