"""TOML out of dictionaries, as much of it as parameter files need: the standard library only reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value) if isinstance(value, int) else repr(float(f"{value:.6g}"))


def _lines(table: Mapping[str, Any], name: str) -> list[str]:
    """The keys of `table`, then the tables in it, each under its full name."""
    nested = {key: value for key, value in table.items() if isinstance(value, dict)}
    rows = {
        key: value for key, value in table.items() if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    lines = [f"{key} = {_value(value)}" for key, value in table.items() if key not in nested | rows]
    prefix = f"{name}." if name else ""
    for key, value in nested.items():
        lines += ["", f"[{prefix}{key}]", *_lines(value, prefix + key)]
    for key, several in rows.items():
        for row in several:
            lines += ["", f"[[{prefix}{key}]]", *_lines(row, prefix + key)]
    return lines


def toml(document: Mapping[str, Any]) -> str:
    """The document as TOML: strings, booleans, numbers (six digits), lists of these, tables, and lists of tables.

    Keys must be bare ones. Numbers are finite (the caller's care).
    """
    return "\n".join(_lines(document, "")) + "\n"
