"""What tools/size measures: the readers of maps and call graphs, what they refuse, and the budgets of a build with boards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
sys.path.insert(0, str(SOURCE / "tools/size"))

import board as boards  # noqa: E402
import callgraph  # noqa: E402
import footprint  # noqa: E402
import linkmap  # noqa: E402
import pointers  # noqa: E402
import profiles  # noqa: E402
import size  # noqa: E402
import stack  # noqa: E402

# ---- Profiles ----


def test_mpi_1_3_has_the_functions_of_its_standard() -> None:
    assert len(profiles.MPI_1) == 129
    assert len(set(profiles.MPI_1)) == 129
    assert set(profiles.RING_PAPER) < set(profiles.MPI_1)
    assert len(profiles.RING_PAPER) == 11


def test_the_whole_is_what_the_archive_has() -> None:
    assert profiles.functions("whole", {"MPI_Send", "mpico_internal"}) == ["MPI_Send", "mpico_internal"]


def test_a_profile_must_be_complete() -> None:
    with pytest.raises(profiles.ProfileError, match="MPI_Allgather"):
        profiles.functions("ring-paper", set(profiles.RING_PAPER) - {"MPI_Allgather"})
    with pytest.raises(profiles.ProfileError, match="MPI_Type_struct"):
        profiles.functions("mpi-1", set(profiles.MPI_1) - {"MPI_Type_struct"})


# ---- Maps ----

MAP = """
Linker script and memory map

LOAD program.o
 .text.ignored  0x00000010       0x40 before.o

.text           0x00000100      0x0a0
 *(.text .text.*)
 .text.short    0x00000100       0x10 lib.a(one.c.obj)
                0x00000100                short
 .text.a_name_that_needs_its_own_line
                0x00000110       0x20 lib.a(one.c.obj)
 *fill*         0x00000130       0x10
 .text.aligned  0x00000140       0x20 lib.a(two.c.obj)
 .rodata.str1.1
                0x00000160       0x30 lib.a(one.c.obj)
                                  0x5 (size before relaxing)
 .rodata.merged.str1.1
                0x00000190       0x30 lib.a(two.c.obj)
 .rodata.str1.1
                0x00000190       0x10 lib.a(three.c.obj)

.bss            0x20000000       0x40
 .bss.table     0x20000000       0x3f lib.a(two.c.obj)
 *fill*         0x2000003f        0x1
 .bss.empty     0x20000040        0x0 lib.a(two.c.obj)

.comment        0x00000000       0x26
 .comment       0x00000000       0x26 lib.a(one.c.obj)
"""


def test_a_map_is_read_to_the_last_byte() -> None:
    found = [(p.member, p.section, p.kind, p.size) for p in linkmap.parse(MAP)]
    assert found == [
        ("one.c.obj", ".text.short", "text", 0x10),
        ("one.c.obj", ".text.a_name_that_needs_its_own_line", "text", 0x20),
        ("two.c.obj", ".text.aligned", "text", 0x30),  # with what its alignment takes
        ("one.c.obj", ".rodata.str1.1", "rodata", 0x30),
        ("three.c.obj", ".rodata.str1.1", "rodata", 0x10),  # the merged string counts once
        ("two.c.obj", ".bss.table", "bss", 0x40),
    ]
    assert sum(size for *_, size in found) == 0xA0 + 0x40


def test_what_is_no_map_is_refused() -> None:
    with pytest.raises(linkmap.MapError):
        linkmap.parse("something else")


# ---- Machine code ----

ARM = """
00008000 <first>:
    8000:\tb570      \tpush\t{r4, r5, r6, lr}
    8002:\tb0a2      \tsub\tsp, #136\t@ 0x88
    8004:\tf000 fbbc \tbl\t8100 <second>
    8008:\t4d1a      \tldr\tr5, [pc, #104]\t@ (8100 <second>)
    800a:\tbd70      \tpop\t{r4, r5, r6, pc}

00008100 <second>:
    8100:\te92d 41f0 \tstmdb\tsp!, {r4, r5, r6, r7, r8, lr}
    8104:\ted2d 8b02 \tvpush\t{d8}
    8108:\t4798      \tblx\tr3
    810a:\te7fe      \tb.n\t810a <second+0xa>
    810c:\t4770      \tbx\tlr
"""
RISCV = """
0000000080000000 <first>:
    80000000:\t1101                \taddi\tsp,sp,-32
    80000002:\t00000097          \tauipc\tra,0x0
    80000006:\t0fe080e7          \tjalr\t254(ra) # 80000100 <second>
    8000000a:\t6105                \taddi\tsp,sp,32
    8000000c:\t8082                \tret

0000000080000100 <second>:
    80000100:\t40a10133          \tsub\tsp,sp,a0
    80000104:\t9782                \tjalr\ta5
"""


def test_arm_code_tells_frames_and_calls() -> None:
    program = callgraph.disassembly(ARM)
    assert program[0x8000] == callgraph.Function("first", 16 + 136, {0x8100}, set())
    assert program[0x8100] == callgraph.Function("second", 24 + 8, set(), {""})


def test_risc_v_code_tells_frames_and_calls() -> None:
    program = callgraph.disassembly(RISCV)
    assert program[0x80000000] == callgraph.Function("first", 32, {0x80000100}, set())
    assert program[0x80000100] == callgraph.Function("second", None, set(), {""})


CI = """graph: { title: "a.c"
node: { title: "a.c:inner" label: "inner\\na.c:3:5\\n24 bytes (static)\\n0 dynamic objects" }
node: { title: "outer" label: "outer\\na.c:9:5\\n40 bytes (static)\\n0 dynamic objects" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "outer" targetname: "a.c:inner" label: "a.c:10:5" }
edge: { sourcename: "outer" targetname: "__indirect_call" label: "a.c:11:5" }
}"""


def test_the_compiler_s_account_joins_the_machine_code() -> None:
    program = {0x10: callgraph.Function("outer", 99, set(), {""}), 0x20: callgraph.Function("inner", 99)}
    units = [callgraph.unit(CI)]
    pieces = [linkmap.Piece(".text.inner", ".text", "lib.a(a.c.obj)", 0x20, 8)]
    where = callgraph.addresses(units, pieces, {"outer": 0x11})
    callgraph.join(program, units, where, {"outer": 0x11})
    assert program[0x10] == callgraph.Function("outer", 40, {0x20}, {"a.c:11:5"})
    assert program[0x20] == callgraph.Function("inner", 24)


def test_functions_that_cannot_be_told_apart_get_the_worst_of_both() -> None:
    """Two static functions of one name in a library that is one object: the map does not say which is which."""
    pieces = [linkmap.Piece(".text.run", ".text", "lib.a(lib.a.o)", at, 8) for at in (0x20, 0x40)]
    units = [
        callgraph.Unit({f"{i}:run": frame}, {f"{i}:run": f"{i}.c"}, [(f"{i}:run", callgraph.INDIRECT, f"{i}.c:1:1")])
        for i, frame in enumerate((24, 80))
    ]
    program = {0x20: callgraph.Function("run", 99, set(), {""}), 0x40: callgraph.Function("run", 0)}
    callgraph.join(program, units, callgraph.addresses(units, pieces, {}), {})
    for at in (0x20, 0x40):
        assert program[at] == callgraph.Function("run", 80, set(), {"0.c:1:1", "1.c:1:1"})


# ---- Stacks ----


def function(name: str, frame: int | None, *calls: int, indirect: str = "") -> callgraph.Function:
    return callgraph.Function(name, frame, set(calls), {indirect} if indirect else set())


def nowhere(caller: str, label: str) -> set[int]:
    raise AssertionError(f"{caller} {label}")


def test_the_deepest_path_counts() -> None:
    program = {
        1: function("root", 8, 2, 3),
        2: function("shallow", 100),
        3: function("deep", 16, 4),
        4: function("leaf", 90, indirect="x.c:1:1"),
        5: function("called by pointer", 7),
    }
    found = stack.depth(program, 1, lambda _caller, _label: {5}, {})
    assert found == stack.Depth(8 + 16 + 90 + 7, ("root", "deep", "leaf", "called by pointer"))


def test_recursion_is_refused_unless_it_has_a_bound() -> None:
    program = {1: function("root", 8, 2), 2: function("again", 10, 3), 3: function("and again", 5, 2)}
    with pytest.raises(stack.StackError, match="again -> and again -> again"):
        stack.depth(program, 1, nowhere, {})
    # twice `again` with what lies between; the second of them calls nothing more
    bounds = {"again": 2, "and again": 1}
    assert stack.depth(program, 1, nowhere, bounds).size == 8 + 10 + 5 + 10
    once = {"again": 1, "and again": 1}
    assert stack.depth(program, 1, nowhere, once, {"again": 3}).size == 8 + 3 * (10 + 5)


def test_a_frame_without_a_bound_is_refused() -> None:
    with pytest.raises(stack.StackError, match="leaf"):
        stack.depth({1: function("root", 8, 2), 2: function("leaf", None)}, 1, nowhere, {})


def test_a_pointer_leads_where_its_slot_is_filled(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "static int own_poll(void);\n"
        "static const struct ops ops = {.poll = own_poll};\n"
        "void f(struct link *l) { l->ops->poll(l); (g.lost)(l); ((struct t *)l->x)->user(l); }\n",
        encoding="utf-8",
    )
    filled = pointers.fillings([source])
    assert filled["poll"] == {"own_poll"}
    line = source.read_text(encoding="utf-8").splitlines()[2]
    labels = {name: f"{source}:3:{line.index(name) + 1}" for name in ("l->ops", "(g.lost", "((struct t *)")}
    assert pointers.slot_at(labels["l->ops"]) == "poll"
    assert pointers.slot_at(labels["((struct t *)"]) == "user"

    title = f"{source}:own_poll"
    program = {0x40: function("own_poll", 8)}
    resolve = pointers.resolver(program, [callgraph.Unit({title: 8}, {title: str(source)})], {title: {0x40}}, filled)
    assert resolve("f", labels["l->ops"]) == {0x40}
    assert resolve("f", labels["((struct t *)"]) == set()  # the program's own
    with pytest.raises(pointers.PointerError, match="lost"):
        resolve("f", labels["(g.lost"])


# ---- Budgets and the page ----


def row(**numbers: int | None) -> dict[str, Any]:
    return {"target": "t", "profile": "ring-paper", "text": 10, "rodata": 5, "ram": 7, "stack": 3, **numbers}


@pytest.mark.parametrize(
    ("numbers", "held"), [({}, True), ({"rodata": 6}, False), ({"ram": 8}, False), ({"stack": None}, False)]
)
def test_a_budget_is_held_or_named(numbers: dict[str, int | None], held: bool) -> None:
    budget = {"limits": [{"target": "t", "profile": "ring-paper", "most": {"text+rodata": 15, "ram": 7, "stack": 3}}]}
    complaints = size.over_budget([row(**numbers)], budget)
    assert (complaints == []) is held
    assert all("ring-paper" in complaint for complaint in complaints)


# ---- A build with boards ----

BOARDS = [b for b in boards.built(BUILD) if not boards.not_measurable(b)] if BUILD.is_dir() else []
needs_boards = pytest.mark.skipif(
    not BOARDS, reason="this build has no board that can be measured (-DMPICO_BOARDS=all)"
)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], str]:
    """The rows of all boards of the build, and what the tool complained of."""
    output = tmp_path_factory.mktemp("size") / "size.json"
    command = [sys.executable, str(SOURCE / "tools/size/size.py"), "--build", str(BUILD), "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert output.exists(), done.stdout + done.stderr
    return json.loads(output.read_text(encoding="utf-8")), done.stderr


@needs_boards
def test_every_board_is_measured_with_every_profile(measured: tuple[list[dict[str, Any]], str]) -> None:
    rows, complaints = measured
    assert {(r["target"], r["profile"]) for r in rows} == {(b.name, p) for b in BOARDS for p in profiles.PROFILES}, (
        complaints
    )
    for r in rows:
        assert "stack_refused" not in r, complaints
        assert (r["stack"] is None) == (r["profile"] == "whole" or (r["profile"], r["port"]) == ("mpi-1", "chip")), r
        assert min(r["text"], r["rodata"], r["ram"], r["stack"] or 1) > 0, r
        assert sum(r["parts"].values()) == r["text"] + r["rodata"]


@needs_boards
def test_more_functions_take_more(measured: tuple[list[dict[str, Any]], str]) -> None:
    for b in BOARDS:
        text = [r["text"] for p in ("point-to-point", "ring-paper", "mpi-1", "whole") for r in measured[0]
                if (r["target"], r["profile"]) == (b.name, p)]  # fmt: skip
        assert text == sorted(text), b.name


@needs_boards
@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_the_pieces_of_the_map_are_the_sections_of_the_program(board: boards.Board, tmp_path: Path) -> None:
    linked = boards.link(board, list(profiles.RING_PAPER), tmp_path, *size.settings_for(board, "ring-paper"))
    whole = {
        words[0]: int(words[1])
        for words in map(str.split, boards.run(board.tool("size"), "-A", linked.elf).splitlines())
        if len(words) == 3 and words[1].isdigit()
    }
    found = sum(piece.size for piece in linked.pieces if piece.output == ".text")
    assert found == whole[".text"]


@needs_boards
def test_the_budgets_are_held(measured: tuple[list[dict[str, Any]], str]) -> None:
    budget = json.loads(size.BUDGET.read_text(encoding="utf-8"))
    assert size.over_budget(measured[0], budget) == []


@needs_boards
def test_the_page_is_what_would_be_written(measured: tuple[list[dict[str, Any]], str]) -> None:
    page = footprint.PAGE.read_text(encoding="utf-8")
    rows = measured[0]
    strange = {r["compiler"] for r in rows if r["compiler"] not in page}
    if strange:
        pytest.skip(f"the page was written with other compilers than {', '.join(sorted(strange))}")
    assert page == footprint.page(rows, json.loads(size.BUDGET.read_text(encoding="utf-8"))), "run make size"


PROGRAM = """
#include <mpi.h>

int main(int argc, char **argv)
{
    static int all[8];
    int rank, size, mine, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    if (rank % 2)
        MPI_Send(&mine, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&mine, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(all, 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        sum += all[i] == i;
    MPI_Finalize();
    return sum != 8;
}
"""
MAIN_BYTES = 256  # what main() and the start-up code put on the stack above the library


@pytest.mark.parametrize("board", [b for b in BOARDS if b.conf.get("kind") == "ring"], ids=lambda b: b.name)
def test_eight_nodes_run_in_the_memory_that_is_published(
    board: boards.Board, measured: tuple[list[dict[str, Any]], str], tmp_path: Path
) -> None:
    """The arena of budget.json, and a stack no larger than the bound: below the stack there is no memory, so less would be a fault."""
    bound = next(r for r in measured[0] if (r["target"], r["profile"]) == (board.name, "ring-paper"))["stack_calls"]
    symbols, bare = size.settings_for(board, "ring-paper")
    settings = {**symbols, "mpico_stack_bytes": max(1024, (bound + MAIN_BYTES + 7) & ~7)}
    source, elf = tmp_path / "eleven.c", tmp_path / "eleven.elf"
    source.write_text(PROGRAM, encoding="utf-8")
    chosen = [f"-Wl,--defsym={name}={value}" for name, value in settings.items()]
    short = ["--bare"] if bare else []
    boards.run(BUILD / "bin/mpicc", "--board", board.name, *short, "-O2", *chosen, source, "-o", elf)
    boards.run(BUILD / "bin/mpiexec", "--board", board.name, "-n", "8", elf)
