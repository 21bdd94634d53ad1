"""Cases marked `slow` take turns in `make test`, which names its part in MPICO_PART: ten successive commits run all of them."""

from __future__ import annotations

import os

import pytest

PARTS = 10  # as in tools/test/sample.py


def left_out(cases: int, part: int) -> list[int]:
    """Of so many slow cases of a file those that a part does not run. One runs at least."""
    turns = min(cases, PARTS)
    return [case for case in range(cases) if case % turns != part % turns]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "MPICO_PART" not in os.environ:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    dropped = [slow[case] for case in left_out(len(slow), int(os.environ["MPICO_PART"]))]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]
