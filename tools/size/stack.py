"""The deepest stack below a function, by a walk over the call graph.

A pointer that is called must be resolved (pointers.py), a cycle must have a stated bound, a frame must be of known size;
otherwise the walk is refused with the reason, because a number that leaves something out would be worse than none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from callgraph import Program


class StackError(Exception):
    """The stack has no bound that we can tell; the text says why and where."""


@dataclass(frozen=True)
class Depth:
    """The most stack below the entry of a function, its own frame included, and the calls that lead there."""

    size: int
    path: tuple[str, ...]


Resolve = Callable[[str, str], set[int]]  # (function, file:line:col) -> addresses of what may be called there


def depth(
    program: Program, root: int, resolve: Resolve, bounds: dict[str, int], levels: dict[str, int] | None = None
) -> Depth:
    """The deepest stack from `root`. `bounds`: how many times a function may stand on the stack at once, 1 unless it says so.
    `levels`: functions through which others call themselves again, so many times: all that one of them takes counts so often.

    Raises StackError.
    """
    memory: dict[int, Depth] = {}

    def walk(at: int, chain: tuple[int, ...]) -> Depth:
        function = program[at]
        bound = bound_of(at)
        if chain.count(at) >= (bound or 1):
            if bound:
                return Depth(0, ())
            names = " -> ".join(program[a].name for a in (*chain[chain.index(at) :], at))
            raise StackError(f"recursion without a stated bound: {names}")
        if at in memory:
            return memory[at]
        if function.frame is None:
            raise StackError(f"{function.name}: a frame without a bound")
        callees = set(function.calls)
        for label in function.indirect:
            callees |= resolve(function.name, label)
        deepest = Depth(0, ())
        for callee in sorted(callees):
            found = walk(callee, (*chain, at))
            if found.size > deepest.size:
                deepest = found
        size = (function.frame + deepest.size) * (levels or {}).get(function.name.split(".")[0], 1)
        result = Depth(size, (function.name, *deepest.path))
        if not bounded_here(chain, at):
            memory[at] = result
        return result

    # Below a function that may come again the answer depends on how often it stands above.
    def bounded_here(chain: tuple[int, ...], at: int) -> bool:
        return any(bound_of(a) for a in (*chain, at))

    def bound_of(at: int) -> int | None:
        return bounds.get(
            program[at].name.split(".")[0]
        )  # the compiler's clones have the function's name, a dot and more

    return walk(root, ())
