"""Run one proof of checks.toml with spin: translate the model, compile the search, run it, judge what it says.

A search that ends without an error counts only when it was complete: neither cut off at a depth, nor out of memory or time, and
with at least as many states as the table asks for. A search that must find an error counts only when it finds one of the kind asked for.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MEMORY_MB = 2000
DEPTH = 2_000_000
CPU_SECONDS = {False: 40, True: 900}
FINDS = {"assertion": "assertion violated", "end state": "invalid end state", "cycle": "acceptance cycle"}
CUT_OFF = ("max search depth too small", "out of memory", "MEMLIM bound", "hash table full", "Search not completed")

Check = dict[str, Any]


def read_checks() -> dict[str, Check]:
    return tomllib.loads((HERE / "checks.toml").read_text())


def build(check: Check, spin: str, cc: str, work: Path) -> None:
    """The search, as work/pan."""
    defines = [f"-D{d}" for d in check.get("define", [])]
    translate = [spin, *defines, "-a", str(HERE / f"{check['model']}.pml")]
    done = subprocess.run(translate, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode or "Error" in done.stdout:
        sys.exit(f"spin does not take the model:\n{done.stdout}{done.stderr}")
    # To compile takes longer than to find a mistake.
    optimise = "-O2" if check.get("long") else "-O1" if check.get("ltl") or "find" not in check else "-O0"
    flags = [optimise, "-w", f"-DMEMLIM={MEMORY_MB}"]
    flags.append("-DNFAIR=3" if check.get("ltl") else "-DSAFETY")
    if check.get("compress"):
        flags.append("-DCOLLAPSE")
    subprocess.run([cc, *flags, "-o", "pan", "pan.c"], cwd=work, check=True)


def search(check: Check, work: Path) -> str:
    """What the search printed. Its time is that of the processor, so that a busy machine changes nothing."""
    claim = "-a -f" if check.get("ltl") else ""
    command = f"ulimit -t {CPU_SECONDS[check.get('long', False)]}; exec ./pan -m{DEPTH} {claim}"
    done = subprocess.run(["sh", "-c", command], cwd=work, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def judge(check: Check, said: str) -> str:
    """What is wrong; empty if nothing is."""
    errors = re.search(r"errors: (\d+)", said)
    stored = re.search(r"([\d.e+]+) states, stored", said)
    if not errors or not stored:
        return "the search has not ended in its time"
    if "Full statespace search" not in said:
        return "the search was not of all states"
    if check.get("ltl") and not re.search(r"never claim\s+\+", said):
        return "the claim was not searched for"
    if "find" in check:
        return "" if FINDS[check["find"]] in said else f"spin must find an error ({check['find']}) and has not"
    if int(errors[1]):
        return "spin has found an error"
    if any(words in said for words in CUT_OFF):
        return "the search was cut off"
    if float(stored[1]) < check["states"]:
        return f"{stored[1]} states are too few to say anything"
    return ""


def report(said: str) -> None:
    for words in (
        r"pan:\d+: .*",
        r"[\d.e+]+ states, stored.*",
        r".*errors: \d+",
        r"[\d.]+\s+total actual memory usage",
        r"pan: elapsed.*",
    ):
        for line in re.findall(rf"^\s*({words})$", said, re.MULTILINE):
            print("  " + line)


def show_trail(check: Check, spin: str, work: Path) -> None:
    """The steps to the error, the last of them."""
    trail = next(work.glob("*.trail"), None)
    if trail:
        defines = [f"-D{d}" for d in check.get("define", [])]
        command = [spin, "-t", "-p", "-k", str(trail), *defines, str(HERE / f"{check['model']}.pml")]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        print("\n".join(done.stdout.splitlines()[-300:]))


def run(name: str, check: Check, spin: str, cc: str, trail: bool) -> bool:
    defines = " ".join(check.get("define", []))
    print(f"{name}: {check['model']}.pml {defines}\n  bound: {check['bound']}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mpico-proof-") as folder:
        work = Path(folder)
        build(check, spin, cc, work)
        said = search(check, work)
        report(said)
        wrong = judge(check, said)
        if trail or (wrong and "find" not in check):
            show_trail(check, spin, work)
    print(f"  FAILED: {wrong}" if wrong else "  as expected: error found" if "find" in check else "  holds")
    return not wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of checks.toml; none: all that are not long")
    parser.add_argument(
        "--list", action="store_true", help="print the names, and `long` behind those that take minutes"
    )
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--trail", action="store_true", help="print the steps to the error that is found")
    options = parser.parse_args()
    checks = read_checks()
    if options.list:
        print("\n".join(f"{n}{' long' if c.get('long') else ''}" for n, c in checks.items()))
        return
    names = options.names or [n for n, c in checks.items() if not c.get("long")]
    unknown = [n for n in names if n not in checks]
    if unknown:
        sys.exit(f"no such proof: {', '.join(unknown)}")
    good = [run(n, checks[n], options.spin, options.cc, options.trail) for n in names]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
