"""Other work for the machine while a job is measured: a busy loop on each processor, or a few compilers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPILERS = 4


@contextmanager
def busy_loops() -> Iterator[None]:
    """Run a loop that never ends on each processor that we may use, bound to it."""
    loops = [
        subprocess.Popen([sys.executable, "-c", f"import os\nos.sched_setaffinity(0, {{{cpu}}})\nwhile True: pass"])
        for cpu in sorted(os.sched_getaffinity(0))
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _compile_again_and_again(over: threading.Event, scratch: Path) -> None:
    """Compile files of the library, one after the other, until it is over."""
    while True:
        for source in sorted((ROOT / "src" / "coll").glob("*.c")):
            if over.is_set():
                return
            command = ["cc", "-O2", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", "-c", str(source), "-o", str(scratch)]
            subprocess.run(command, check=True, capture_output=True)


@contextmanager
def compilers() -> Iterator[None]:
    """Keep four compilers busy, as a build on two processors does."""
    over = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        threads = [
            threading.Thread(target=_compile_again_and_again, args=(over, Path(folder) / f"{i}.o"))
            for i in range(COMPILERS)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()


KINDS = {"a busy loop on each processor": busy_loops, "four compilers": compilers}
