"""The command `mpico`: simulated machines, traces, and reproductions of measurements."""
