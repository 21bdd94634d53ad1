"""The real-time suite: what its benchmarks printed, as tables and pictures."""
