"""Values to sweep over, as words of a command: "40,150", "10:150:10" (a step), "4:16384:x2" (a factor)."""

from __future__ import annotations

from math import isfinite

MOST_VALUES = 100_000


class SweepError(Exception):
    """A list of values cannot be used; the text is one sentence with the mend."""


def _number(word: str, what: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and value > 0):
        raise SweepError(f"--{what}: '{word}' is no number above 0")
    return value


def _range(word: str, what: str) -> list[float]:
    parts = word.split(":")
    if len(parts) != 3:
        raise SweepError(f"--{what}: '{word}' is no LOW:HIGH:STEP, nor LOW:HIGH:xFACTOR")
    low, high, times = _number(parts[0], what), _number(parts[1], what), parts[2].startswith("x")
    step = _number(parts[2].removeprefix("x"), what)
    if times and step <= 1:
        raise SweepError(f"--{what}: a factor must be above 1, and '{parts[2]}' is not")
    found = []
    value = low
    while value <= high * (1 + 1e-12):
        found.append(value)
        if len(found) > MOST_VALUES:
            raise SweepError(f"--{what}: '{word}' is over {MOST_VALUES} values: take a greater step")
        value = low * step ** len(found) if times else low + step * len(found)
    if not found:
        raise SweepError(f"--{what}: '{word}' is empty, because {parts[0]} is above {parts[1]}")
    return found


def numbers(text: str, what: str) -> list[float]:
    """The values of an option `what`, above 0, in the order they are given. Raises SweepError."""
    return [
        value for word in text.split(",") for value in (_range(word, what) if ":" in word else [_number(word, what)])
    ]


def whole(text: str, what: str, least: int) -> list[int]:
    """The same of whole numbers of at least `least`. Raises SweepError."""
    found = numbers(text, what)
    for value in found:
        if value != int(value) or value < least:
            raise SweepError(f"--{what}: {value:g} is no whole number of at least {least}")
    return [int(value) for value in found]
