"""What LogGP says of one message: o_s(k) + L + k G + o_r(k) (A. Alexandrov et al., 1995), in pieces by size."""

from __future__ import annotations

from .parameter_types import LogGP


def message_parts(model: LogGP, size: int) -> dict[str, float]:
    """Microseconds of one message of `size` bytes to the next rank, which waits for it: at the sender, on the way, at the receiver."""
    s = model.segment(size)
    return {
        "sender_us": s.o_s_us + size * s.o_s_us_per_byte,
        "way_us": s.L_us + size * s.G_us_per_byte,
        "receiver_us": s.o_r_us + size * s.o_r_us_per_byte / s.copiers,
    }


def message_us(model: LogGP, size: int) -> float:
    """Their sum."""
    return sum(message_parts(model, size).values())
