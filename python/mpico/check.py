"""One time, predicted beside measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One time: measured and predicted, microseconds. `what` is the pattern, of "once" with which pairs."""

    what: str
    ranks: int
    bytes: int
    measured_us: float
    predicted_us: float
    algorithm: str = ""
    """Of a collective by LogGP: the schedule that was priced."""

    @property
    def error(self) -> float:
        """Predicted against measured, a share."""
        return self.predicted_us / self.measured_us - 1

    def as_json(self) -> dict[str, object]:
        """One object of --json."""
        told: dict[str, object] = {
            "what": self.what,
            "ranks": self.ranks,
            "bytes": self.bytes,
            "measured_us": self.measured_us,
            "predicted_us": self.predicted_us,
            "error_percent": 100 * self.error,
        }
        return told | ({"algorithm": self.algorithm} if self.algorithm else {})
