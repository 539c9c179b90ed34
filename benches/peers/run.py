#!/usr/bin/env python3
"""Measures other tools on the same work, and prints a table of times and of ratios to flipcost.

    python3 benches/peers/run.py --markdown

Every tool must give flipcost's result and the known sums; otherwise the script ends with exit status 1. A tool
that is not installed is left out with one sentence. The tools run alternately (flipcost, peer, flipcost, next peer, ...),
so that a busy machine slows both. Without --output, the script writes only below target/.
"""

import argparse
import hashlib
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
RELEASE = TARGET / "release"
PEERS = TARGET / "peers"
VENV = PEERS / "venv" / "bin" / "python"

FLIPCOST, C, C_FLINT, GP, FLINT, PYTHON = (
    "flipcost", "C with GMP", "C with FLINT", "PARI/GP", "python-flint", "Python"
)
TOOLS = [FLIPCOST, C, C_FLINT, GP, FLINT, PYTHON]
# the tools that do most tasks; FLINT in C does only multiplications
MOST = [FLIPCOST, C, GP, FLINT, PYTHON]

# The vector instructions that a run can do without. For each: the path of flipcost that avoids them,
# and the options of gcc that turn them off.
WITHOUT = {
    "avx512": ("avx2", ["-mno-avx512f"]),
    "avx2": ("popcnt", ["-mno-avx2"]),
}

KNOWN = {
    ("fractions", 1_000): "9487469785271321",
    ("fractions", 5_000): "1151388331115265008",
    ("fractions", 20_000): "688443881795984793",
}


class Work:
    def __init__(self, name, kind, n, text, large=False, only=None):
        self.name, self.kind, self.n, self.text, self.large = name, kind, n, text, large
        self.tools = only or MOST

    @property
    def inside(self):
        """Whether the time is measured by the program itself."""
        return self.kind in ("one", "product")


WORKS = [
    Work("W1", "rounds", 10**6, "A136043(n), n ≤ 10^6, as a b-file"),
    Work("W1", "rounds", 10**7, "A136043(n), n ≤ 10^7, as a b-file", True, [FLIPCOST, C]),
    Work("W2", "fractions", 20_000, "E(n) in lowest terms, n ≤ 20,000"),
    Work("W2", "fractions", 10**5, "E(n) in lowest terms, n ≤ 10^5", True, [FLIPCOST, C, GP, FLINT]),
    Work("W2", "texts", 20_000, "E(n) in lowest terms, n ≤ 20,000, as CSV", False, [FLIPCOST, C]),
    Work("W3", "one", 1_000_003, "E(1,000,003) in lowest terms (inside the process)"),
    Work("W3", "numerator", 100_000_037, "E(100,000,037), not reduced"),
    Work("W4", "decimals", 10**5, "50 decimals of E(n), n ≤ 10^5, as CSV"),
    # python-flint has no orders modulo a word, so its program would be the same as the Python program
    Work("W5", "orders", 10**6, "orders of 2, n ≤ 10^6", False, [FLIPCOST, C, GP, PYTHON]),
    Work("W6", "product", 10**5, "a product, 10^5 bits each (inside)", False, [FLIPCOST, C, C_FLINT, FLINT, PYTHON]),
    Work("W6", "product", 10**6, "a product, 10^6 bits each (inside)", False, [FLIPCOST, C, C_FLINT, FLINT]),
]

# The tasks whose results flipcost writes to a file, with their command lines.
FILES = {
    "rounds": ("n,cycle_rounds", "b-file"),
    "decimals": ("n,expected", "csv"),
    "texts": ("n,expected_exact", "csv"),
}


def say(text):
    print(text, file=sys.stderr, flush=True)


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return (done.stdout or done.stderr).strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def build(options):
    """Builds flipcost and the C programs, and returns the tools that can run, with their versions."""
    cargo = ["cargo", "build", "--quiet", "--release", "--examples", "--bins"]
    say("building: " + " ".join(cargo))
    subprocess.run(cargo, cwd=ROOT, check=True)
    rustc = first_line(["rustc", "--version"]) or "unknown rustc"
    found = {FLIPCOST: f"{first_line([str(RELEASE / 'flipcost'), '--version'])}, {rustc}"}
    PEERS.mkdir(parents=True, exist_ok=True)

    gcc = shutil.which("gcc")
    least = ["-O2", "-fopenmp", *WITHOUT.get(options.without, ("", []))[1]]

    def compiled(name, flags):
        command = [gcc, *least, str(HERE / "peers.c"), "-o", str(PEERS / name), *flags, "-lgmp"]
        return gcc and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0

    def macros(header, names, flags):
        text = f"#include <{header}>\n{' '.join(names)}\n"
        command = [gcc, *flags, "-E", "-P", "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True).stdout.split()[-len(names):]

    if compiled("peers", []):
        names = ["__GNU_MP_VERSION", "__GNU_MP_VERSION_MINOR", "__GNU_MP_VERSION_PATCHLEVEL"]
        found[C] = f"GMP {'.'.join(macros('gmp.h', names, []))}, {first_line([gcc, '--version'])}"
    else:
        say("C with GMP is left out: gcc or libgmp-dev is not installed.")

    flint = options.flint or first_line(["pkg-config", "--cflags", "--libs", "flint"]) or "-lflint"
    if compiled("peers_flint", ["-DFLINT", *flint.split()]):
        include = [flag for flag in flint.split() if flag.startswith("-I")]
        names = ["FLINT_VERSION", "FLINT_HAVE_FFT_SMALL"]
        version, small = macros("flint/flint.h", names, include)
        found[C_FLINT] = f"FLINT {version.strip(chr(34))}, with{'' if small == '1' else 'out'} fft_small"
    else:
        say("C with FLINT is left out: gcc or FLINT is not installed, or --flint does not say where.")

    gp = first_line(["gp", "--version-short"]) if shutil.which("gp") else None
    if gp:
        found[GP] = f"PARI/GP {gp}"
    else:
        say("PARI/GP is left out: gp is not installed.")

    version = "import flint; print('python-flint', flint.__version__, 'with FLINT', flint.__FLINT_VERSION__)"
    for python in (str(VENV), sys.executable):
        text = first_line([python, "-c", version]) if os.path.exists(python) else None
        if text:
            found[FLINT], found["flint python"] = text, python
            break
    else:
        say("python-flint is left out: it is neither in target/peers/venv nor in this Python.")
    found[PYTHON] = f"{platform.python_implementation()} {platform.python_version()}"
    return found


def command_of(tool, work, path, found):
    """Returns the command and its input."""
    n = str(work.n)
    if tool == FLIPCOST:
        if work.kind in FILES:
            columns, form = FILES[work.kind]
            sweep = [str(RELEASE / "flipcost"), "cost", f"1..{n}", "--columns", columns]
            sweep += ["--algorithm", "fast-dice-roller", "--format", form, "-o", path]
            return sweep + (["--digits", "50"] if work.kind == "decimals" else []), ""
        return [str(RELEASE / "examples" / "peers"), work.kind, n], ""
    if tool in (C, C_FLINT):
        return [str(PEERS / ("peers" if tool == C else "peers_flint")), work.kind, n, path], ""
    if tool == GP:
        call = {
            "rounds": f'rounds({n}, "{path}")',
            "decimals": f'decimals({n}, "{path}")',
            "fractions": f"fractions({n})",
            "one": f"one({n}, 1)",
            "numerator": f"one({n}, 0)",
            "orders": f"orders({n})",
        }[work.kind]
        return ["gp", "-q", str(HERE / "peers.gp")], call + "\n"
    if tool == FLINT:
        return [found["flint python"], str(HERE / "flint_peer.py"), work.kind, n, path], ""
    return [sys.executable, str(HERE / "plain.py"), work.kind, n, path], ""


class Failure(Exception):
    pass


def run(tool, work, found, options):
    """Returns wall seconds, processor seconds and the result of one run; None if it took more than `most` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result")
        command, text = command_of(tool, work, path, found)
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        if options.without:
            environment["FLIPCOST_LANES"] = WITHOUT[options.without][0]
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(text.encode())
            given.seek(0)
            late = threading.Event()
            start = time.perf_counter()
            child = subprocess.Popen(
                command, stdin=given, stdout=out, stderr=err, env=environment, start_new_session=True
            )

            def stop():
                late.set()
                os.killpg(child.pid, signal.SIGKILL)  # its own session: nothing else is in it

            timer = threading.Timer(options.most, stop)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - start
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            if late.is_set():
                return None
            out.seek(0)
            err.seek(0)
            words = out.read().decode().split()
            if child.returncode != 0:
                raise Failure(f"{tool}, {work.text}: code {child.returncode}: {err.read().decode().strip()[-500:]}")
        if work.kind in FILES:
            if not os.path.exists(path):
                raise Failure(f"{tool}, {work.text}: no file")
            with open(path, "rb") as file:
                result = hashlib.sha256(file.read()).hexdigest()
        else:
            if not words:
                raise Failure(f"{tool}, {work.text}: no result")
            result = words[0]
        if work.inside:
            wall = float(words[1]) / 1e3
        return wall, usage.ru_utime + usage.ru_stime, result


def measure(work, found, options):
    """Returns for each tool the wall seconds and the processor seconds of all runs, or None if a run took too long."""
    expected = KNOWN.get((work.kind, work.n))
    times = {FLIPCOST: ([], [])}
    peers = [tool for tool in work.tools if tool != FLIPCOST and tool in found]

    def once(tool):
        nonlocal expected
        done = run(tool, work, found, options)
        if done is None:
            if tool == FLIPCOST:
                raise Failure(f"flipcost, {work.text}: more than {options.most:g} s")
            say(f"  {tool}: more than {options.most:g} s")
            times[tool] = None
            return
        wall, cpu, result = done
        if expected is None and tool == FLIPCOST:
            expected = result
        if result != expected:
            raise Failure(f"{tool}, {work.text}: {result} instead of {expected}")
        walls, cpus = times.setdefault(tool, ([], []))
        walls.append(wall)
        cpus.append(cpu)
        say(f"  {tool}: {wall:.3f} s, processor {cpu:.3f} s")

    say(f"{work.name} {work.text}")
    for _ in range(options.runs):
        for peer in peers or [None]:
            if peer and times.get(peer, ()) is None:
                continue
            if peer and sum(times.get(peer, ([], []))[0]) > options.patience:
                continue
            once(FLIPCOST)
            if peer:
                once(peer)
    return times


def seconds(value):
    if value < 1:
        return f"{value * 1e3:.3g} ms" if value < 0.1 else f"{value * 1e3:.0f} ms"
    return f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def ratio(value):
    return f"{value:.2f}×" if value < 10 else f"{value:.0f}×"


def cells(times, which, most):
    row = []
    for tool in TOOLS:
        if tool not in times:
            row.append("–")
        elif times[tool] is None:
            row.append(f"> {most:g} s")
        else:
            value = statistics.median(times[tool][which])
            own = statistics.median(times[FLIPCOST][which])
            cell = seconds(value)
            if tool != FLIPCOST and own > 0:
                cell += f" ({ratio(value / own)})"
            row.append(cell)
    return row


def table(header, rows, markdown):
    if markdown:
        lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths)))
        for line in [header, *rows]
    )


def processor():
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def features():
    """Returns those features of the processor that some of the programs use."""
    asked = ["popcnt", "bmi2", "adx", "fma", "avx2", "avx512f", "avx512dq", "avx512ifma", "avx512_vpopcntdq", "asimd"]
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith(("flags", "Features")):
                have = line.split(":", 1)[1].split()
                return " ".join(feature for feature in asked if feature in have) or "none that is asked for"
    except OSError:
        pass
    return "not known"


def load():
    return " ".join(f"{x:.2f}" for x in os.getloadavg())


def both(options, only):
    """Returns a table of tasks by flipcost and C with GMP, with two columns for each kind of machine."""
    if "avx512f" not in features().split():
        raise Failure("--both asks for a processor with AVX-512")
    works = [work for work in WORKS if work.name in only and (options.large or not work.large)]
    rows = {work.text: [f"{work.name}: {work.text}"] for work in works}
    for options.without in (None, "avx512"):
        found = build(options)
        for work in works:
            work.tools = [FLIPCOST, C]
            times = measure(work, found, options)
            # a program that measures its own time should run on one core
            which = 0 if work.inside else 1
            rows[work.text] += [cell for tool, cell in zip(TOOLS, cells(times, which, options.most)) if tool in work.tools]
    title = "Processor time (ratio to flipcost)"
    header = [title, FLIPCOST, C, f"{FLIPCOST} without AVX-512", f"{C} without AVX-512"]
    machine = f"- {processor()}; its features: {features()}\n- medians of {options.runs} runs\n\n"
    return machine + table(header, list(rows.values()), options.markdown) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, metavar="K", help="runs of each tool [5]")
    parser.add_argument("--large", action="store_true", help="also the large works (minutes)")
    parser.add_argument("--only", metavar="W1,W2", help="only these works")
    parser.add_argument("--markdown", action="store_true", help="Markdown tables, with the machine and the versions")
    parser.add_argument("--output", metavar="FILE", help="write to a file instead of the standard output")
    parser.add_argument("--most", type=float, default=300, metavar="S", help="end a run after so many seconds [300]")
    parser.add_argument(
        "--patience", type=float, default=60, metavar="S",
        help="no further run of a tool once its runs of a work took so many seconds together [60]",
    )
    parser.add_argument(
        "--without", choices=list(WITHOUT),
        help="as on a processor without these vectors: flipcost's path, and the C programs built without them",
    )
    parser.add_argument(
        "--both", action="store_true",
        help="processor time of flipcost and C with GMP alone, as this machine is and without AVX-512, in one table; "
        "to be run on one core, by taskset, where works time themselves",
    )
    parser.add_argument(
        "--flint", metavar="FLAGS",
        help="what gcc needs for FLINT 3, such as '-I/opt/include -L/opt/lib -lflint -lmpfr' [what pkg-config says]",
    )
    options = parser.parse_args()
    only = options.only.split(",") if options.only else sorted({work.name for work in WORKS})
    unknown = set(only) - {work.name for work in WORKS}
    if unknown or options.runs < 1:
        parser.error(f"no such work: {', '.join(sorted(unknown))}" if unknown else "at least 1 run")
    if options.both:
        text = both(options, only)
        if options.output:
            Path(options.output).write_text(text, encoding="utf-8")
        else:
            print(text, end="")
        return
    found = build(options)
    cores = len(os.sched_getaffinity(0))
    before = load()
    walls, cpus = [], []
    for work in WORKS:
        if work.name in only and (options.large or not work.large):
            times = measure(work, found, options)
            label = f"{work.name}: {work.text}"
            walls.append([label, *cells(times, 0, options.most)])
            if not work.inside:
                cpus.append([label, *cells(times, 1, options.most)])
    lines = []
    if options.markdown:
        without = f"; flipcost and C without {options.without}" if options.without else ""
        lines += [f"- {processor()}, {cores} cores, {platform.system()}"]
        lines += [f"- its features: {features()}{without}"]
        lines += [f"- {tool}: {found[tool]}" for tool in TOOLS if tool in found]
        runs = f"medians of up to {options.runs} runs (no more after {options.patience:g} s of one tool and work)"
        lines += [f"- {runs}; load averages before: {before}, after: {load()}", ""]
    title = "Elapsed time (ratio to flipcost)"
    lines += [table([title, *TOOLS], walls, options.markdown), ""]
    if cpus:
        lines += [table(["Processor time, all threads (ratio to flipcost)", *TOOLS], cpus, options.markdown), ""]
    text = "\n".join(lines)
    if options.output:
        Path(options.output).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
