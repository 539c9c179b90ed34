#!/usr/bin/env python3
"""Compares the table of libraries with the real functions, word by word.

    python3 benches/languages/run.py

Every program of this folder calls real library functions and prints, for each call, what it returned and the words
that the generator gave it. The rule of the table (`flipcost libraries`) is then run on the same words: it must take
exactly as many words and return the same number. This comparison is exact, not statistical. Nothing is installed; a language
that is missing is left out with one sentence. README.md has the details.
"""

import argparse
import csv
import datetime
import json
import os
import platform
import random
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BUILT = TARGET / "languages"
VENV = BUILT / "venv" / "bin"
RESULTS = HERE / "results.csv"
COLUMNS = "id,language,version,n,calls,words,expected_words_exact,checked,verdict,date".split(",")

TARGETS = [1, 2, 3, 6, 20, 52, 100, 2**15 + 1, 2**16, 10**6, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**62 - 1, 3 * 2**62]


# The bits that a function uses. The table says how many bits of its words a function uses, but not
# which bits. The functions below compute the number x that the words of one attempt make from these
# bits. The rule gets 0 for the other bits.


def bits(n):
    """Returns k, the bit length of n - 1."""
    return (n - 1).bit_length()


def is_power(n):
    return n & (n - 1) == 0


def whole(words, n, w):
    """Joins the words, the most significant first."""
    x = 0
    for word in words:
        x = x << w | word
    return x


def low_first(words, n, w):
    return whole(words[::-1], n, w)


def top(count):
    """Takes the top bits of a word; count(n) is the number of these bits."""
    return lambda words, n, w: words[0] >> (w - count(n))


def java(words, n, w):
    """Takes the top 31 bits; for a power of two, only the top k bits."""
    return words[0] >> (w - bits(n) if is_power(n) else w - 31)


def java_masked(words, n, w):
    """Takes the top 31 bits of an int; for a power of two, the low k bits of the int."""
    word = words[0] >> (w - 32)
    return word & (n - 1) if is_power(n) else word >> 1


def java_long(words, n, w):
    return words[0] & (n - 1) if is_power(n) else words[0] >> 1


def random_bits(words, n, w):
    """Takes K bits, where K is the bit length of n, as CPython's getrandbits does: the lowest word comes first, and only
    the top bits of the last word are used."""
    rest = n.bit_length() % w
    words = list(words)
    if rest:
        words[-1] >>= w - rest
    return low_first(words, n, w)


def secret_bits(words, n, w):
    """Takes the top K bits of bytes."""
    return whole(words, n, w) >> (-n.bit_length() % 8)


def double_of_two(words, n, w):
    return (words[0] >> 5) << 26 | words[1] >> 6


def php(words, n, w):
    return words[0] & (n - 1) if is_power(n) else words[0]


def chunks(words, n, w):
    """Joins the top 16 bits of each step, as R does, and takes k of these bits."""
    return whole([word >> 16 for word in words], n, 16) & (1 << bits(n)) - 1


def ocaml_steps(n):
    return 1 if n.bit_length() <= 30 else 2 if n.bit_length() == 31 else 3


def ocaml(words, n, w):
    """Takes the 30 bits of one step, or 31 bits from the top of two steps, or 62 bits from the top of three."""
    if len(words) == 1:
        return words[0]
    if len(words) == 2:
        return (words[1] & 0x3FFF_C000) << 1 | words[0] >> 15
    return ((words[2] & 0x3FFF_FE00) << 12 | words[1] >> 9) << 20 | words[0] >> 10


def threshold(words, n, w):
    """Swaps the lowest and the highest 2^w mod n words, because libsodium rejects the lowest ones and the rule rejects the
    highest ones. The remainders stay the same."""
    rest = 2**w % n
    if words[0] < rest:
        return words[0] + 2**w - rest
    return words[0] - (2**w - rest) if words[0] >= 2**w - rest else words[0]


def low_bits(words, n, w):
    return words[0] & (1 << bits(n)) - 1


def low(count):
    return lambda words, n, w: words[0] & (1 << count) - 1


def go(words, n, w):
    """Takes the top 63 bits for Int63, or the top 31 for Int31; for a power of two, the low bits of these."""
    value = words[0] >> (33 if n < 2**31 else 1)
    return value & (n - 1) if is_power(n) else value


def masked_bytes(words, n, w):
    """Joins the bytes, the first one on top, and keeps only the low k bits."""
    return whole(words, n, w) & (1 << bits(n)) - 1


def words_of_8(n):
    return max(1, -(-bits(n) // 8))


def java_bytes(words, n, w):
    """Takes the top 31 bits of four bytes; for a power of two, only the top k bits."""
    return whole(words, n, w) >> (32 - bits(n) if is_power(n) else 1)


def random_words(words, n, w):
    """Takes k bits as libc++ does: from as many words as needed, with nearly the same number of low bits from each word."""
    each, longer = divmod(bits(n), len(words))
    x = 0
    for i, word in enumerate(words):
        size = each + (i >= len(words) - longer)
        x = x << size | word & (1 << size) - 1
    return x


def one(n):
    return 1


class Library:
    """A function of a library: the number of words of an attempt, the number that they make, and whether the program gets
    words. With `pieces`, one call gives many results, and each of its words is cut into that many pieces."""

    def __init__(self, id, words=one, looks=whole, fed=True, least=1, most=None, calls=None, pieces=None):
        self.id, self.words, self.looks, self.fed = id, words, looks, fed
        self.least, self.most, self.calls, self.pieces = least, most, calls, pieces


class Language:
    def __init__(self, name, program, command, version, libraries, build=None, needs=()):
        self.name, self.program, self.command, self.version = name, program, command, version
        self.libraries, self.build, self.needs = libraries, build, needs


def words_of_32(n):
    return max(1, -(-bits(n) // 32))


def macros(header, *names):
    text = f"#include <{header}>\n" + "\n".join(names) + "\n"
    done = subprocess.run(["gcc", "-E", "-P", "-"], input=text, capture_output=True, text=True)
    return header.split("/")[0].removesuffix(".h") + " " + ".".join(done.stdout.split()[-len(names) :]).replace('"', "")


def boost_version():
    lines = Path("/usr/include/boost/version.hpp").read_text().splitlines()
    return next(line.split('"')[1].replace("_", ".") for line in lines if line.startswith("#define BOOST_LIB_VERSION"))


def cargo_versions(*names):
    lines = (HERE / "rust" / "Cargo.lock").read_text().splitlines()
    pairs = {name: version for name, version in zip(lines, lines[1:]) if name.startswith("name")}
    found = {name.split('"')[1]: version.split('"')[1] for name, version in pairs.items()}
    return ", ".join(f"{name} {found[name]}" for name in names)


PYTHON = str(VENV / "python") if (VENV / "python").exists() else sys.executable
os.environ["PATH"] += f":{VENV}"

LANGUAGES = [
    Language(
        "CPython",
        "cpython.py",
        [sys.executable, "{program}"],
        [sys.executable, "-c", "import platform; print('CPython', platform.python_version())"],
        [
            Library("cpython-randbelow", lambda n: -(-n.bit_length() // 32), random_bits, fed=False),
            Library("cpython-secrets", lambda n: -(-n.bit_length() // 8), secret_bits, fed=True),
            Library("cpython-float-times-n", lambda n: 2, double_of_two, fed=False),
        ],
    ),
    Language(
        "NumPy",
        "numpy_words.py",
        [PYTHON, "{program}"],
        [PYTHON, "-c", "import numpy; print('NumPy', numpy.__version__)"],
        [
            Library("numpy-integers-int64", fed=False),
            Library("numpy-integers-uint8-scalar", fed=False),
            Library("numpy-integers-uint8-array", fed=False, pieces=4),
            Library("numpy-integers-uint16-array", fed=False, pieces=2),
            Library("numpy-randint-legacy", fed=False),
        ],
        [PYTHON, "-c", "import numpy"],
    ),
    Language(
        "JAX",
        "jax_words.py",
        [PYTHON, "{program}"],
        [PYTHON, "-c", "import jax; print('JAX', jax.__version__)"],
        [
            Library("jax-randint-int32", lambda n: 2, fed=False, most=2**31 - 1),
        ],
        [PYTHON, "-c", "import jax"],
    ),
    Language(
        "GCC's C++ library",
        "cpp.cpp",
        ["{built}/libstdcxx"],
        ["g++", "-dumpfullversion"],
        [Library("libstdcxx-mt19937"), Library("libstdcxx-generate-mt19937", least=2)],
        ["g++", "-O2", "-std=c++17", "{program}", "-o", "{built}/libstdcxx"],
        ["g++"],
    ),
    Language(
        "LLVM's C++ library",
        "cpp.cpp",
        ["{built}/libcxx"],
        ["clang++", "--version"],
        [Library("libcxx-mt19937", words_of_32, random_words)],
        ["clang++", "-stdlib=libc++", "-O2", "-std=c++17", "{program}", "-o", "{built}/libcxx"],
        ["clang++"],
    ),
    Language(
        "Boost",
        "cpp.cpp",
        ["{built}/boost"],
        boost_version,
        [Library("boost-mt19937", lambda n: 2 if n > 2**32 else 1, low_first, most=2**32 + 1)],
        ["g++", "-O2", "-std=c++17", "-DBOOST", "{program}", "-o", "{built}/boost"],
        ["g++", "/usr/include/boost/version.hpp"],
    ),
    Language(
        "Java",
        "Counted.java",
        ["java", "-cp", "{built}", "Counted"],
        ["java", "-version"],
        [
            Library("java-random-nextint", looks=java),
            Library("java-nextlong", looks=java_long),
            Library("java-threadlocalrandom", looks=java_masked, fed=False),
            Library("java-randomgenerator-64", looks=java_masked),
            Library("java-securerandom", lambda n: 4, java_bytes),
        ],
        ["javac", "-d", "{built}", "{program}"],
        ["java", "javac"],
    ),
    Language(
        "Rust",
        "rust/Cargo.toml",
        ["{built}/rust/release/counted"],
        lambda: cargo_versions("rand", "fastrand"),
        [
            Library("rust-rand-uniform32"),
            Library("rust-rand-random-range32"),
            Library("rust-rand-random-range64"),
            Library("rust-fastrand-i32", looks=low(32), fed=False),
            Library("rust-fastrand-usize", fed=False),
        ],
        ["cargo", "build", "--release", "--manifest-path", "{program}", "--target-dir", "{built}/rust"],
        ["cargo"],
    ),
    Language(
        "Rust (unbiased)",
        "rust/Cargo.toml",
        ["{built}/rust-unbiased/release/counted"],
        lambda: cargo_versions("rand"),
        [Library("rust-rand-unbiased32")],
        ["cargo", "build", "--release", "--features", "unbiased", "--manifest-path", "{program}"]
        + ["--target-dir", "{built}/rust-unbiased"],
        ["cargo"],
    ),
    Language(
        "Go",
        "counted.go",
        ["{built}/go"],
        ["go", "version"],
        [
            Library("go-math-rand", looks=go),
            Library("go-math-rand-v2"),
            Library("go-crypto-rand", words_of_8, masked_bytes),
        ],
        ["go", "build", "-o", "{built}/go", "{program}"],
        ["go"],
    ),
    Language(
        "PHP",
        "rand.php",
        ["env", "LD_PRELOAD={built}/feed.so", "FEED={built}/feed", "php", "{program}"],
        ["php", "--version"],
        [
            Library("php-random-int", looks=php, most=2**63),
            Library("php-mt-rand", words_of_32, low_first, fed=False, most=2**63),
            Library("php-mt-rand-legacy", looks=lambda words, n, w: words[0] >> 1, fed=False),
        ],
        ["gcc", "-O2", "-shared", "-fPIC", "{here}/feed.c", "-o", "{built}/feed.so", "-ldl"],
        ["php", "gcc"],
    ),
    Language(
        "Zig",
        "counted.zig",
        ["{built}/zig"],
        ["python-zig", "version"],
        [
            Library("zig-uintlessthan-u32"),
            Library("zig-uintlessthan-u64"),
            Library("zig-uintlessthanbiased-u32"),
        ],
        ["python-zig", "build-exe", "-O", "ReleaseSafe", "-lc", "{program}", "{here}/zig.c", "-femit-bin={built}/zig"],
        ["python-zig"],
    ),
    Language(
        "GMP",
        "libraries.c",
        ["{built}/gmp"],
        lambda: macros("gmp.h", "__GNU_MP_VERSION", "__GNU_MP_VERSION_MINOR", "__GNU_MP_VERSION_PATCHLEVEL"),
        [Library("gmp-urandomm", words_of_32, low_first, fed=False)],
        ["gcc", "-O2", "-DGMP", "{program}", "-o", "{built}/gmp", "-lgmp"],
        ["gcc"],
    ),
    Language(
        "GSL",
        "libraries.c",
        ["{built}/gsl"],
        lambda: macros("gsl/gsl_version.h", "GSL_VERSION"),
        [Library("gsl-uniform-int")],
        ["gcc", "-O2", "-DGSL", "{program}", "-o", "{built}/gsl", "-lgsl", "-lgslcblas", "-lm"],
        ["gcc"],
    ),
    Language(
        "libsodium",
        "libraries.c",
        ["{built}/sodium"],
        lambda: macros("sodium.h", "SODIUM_VERSION_STRING"),
        [Library("libsodium-uniform", looks=threshold)],
        ["gcc", "-O2", "-DSODIUM", "{program}", "-o", "{built}/sodium", "-lsodium"],
        ["gcc"],
    ),
    Language(
        "R",
        "sample.R",
        ["Rscript", "--vanilla", "{program}"],
        ["Rscript", "--version"],
        [
            Library("r-sample-rejection", lambda n: bits(n) // 16 + 1, chunks, fed=False),
            Library("r-sample-rounding", fed=False),
        ],
    ),
    Language(
        "OCaml",
        "random.ml",
        ["{built}/ocaml"],
        ["ocamlopt", "-version"],
        [Library("ocaml-4-random-int", ocaml_steps, ocaml, fed=False)],
        ["ocamlopt", "-o", "{built}/ocaml", "{program}"],
        ["ocamlopt"],
    ),
    Language(
        "PARI/GP",
        "random.gp",
        ["gp", "-q", "-f", "{program}"],
        ["gp", "--version-short"],
        [Library("pari-random", looks=top(bits), fed=False, most=2**63)],
    ),
    Language(
        "SBCL",
        "random.lisp",
        ["sbcl", "--script", "{program}"],
        ["sbcl", "--version"],
        [Library("sbcl-random", looks=low_bits, fed=False, most=2**62 - 1)],
    ),
    Language("Lua", "lua.lua", ["lua5.4", "{program}"], ["lua5.4", "-v"], [Library("lua-54-random", fed=False, most=2**63 - 1)]),
    Language("Ruby", "ruby.rb", ["ruby", "{program}"], ["ruby", "--version"], [Library("ruby-rand", fed=False)]),
    Language("Node", "node.js", ["node", "{program}"], ["node", "--version"], [Library("js-math-random-v8", fed=False)]),
    Language("Perl", "rand.pl", ["perl", "{program}"], ["perl", "-e", "print $^V"], [Library("perl-int-rand", fed=False)]),
    Language(
        "Bash",
        "random.sh",
        ["bash", "{program}"],
        ["bash", "-c", "echo $BASH_VERSION"],
        [Library("bash-random-mod", fed=False)],
    ),
    Language(
        "C",
        "c.c",
        ["{built}/c"],
        ["ldd", "--version"],
        [Library("c-rand-mod-glibc", fed=False)],
        ["gcc", "-O2", "{program}", "-o", "{built}/c"],
        ["gcc"],
    ),
]


def say(text):
    print(text, file=sys.stderr, flush=True)


def first_line(command):
    done = subprocess.run(command, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines else "unknown version"


def program():
    for profile in ("release", "debug"):
        found = TARGET / profile / "flipcost"
        if found.exists():
            return str(found)
    sys.exit("flipcost is not built: cargo build --release -p flipcost-cli was expected before")


def ask(flipcost, queries):
    """Returns the answers of flipcost, in the order of the queries."""
    text = "".join(json.dumps(query) + "\n" for query in queries)
    done = subprocess.run([flipcost, "ask", "-"], input=text, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(flipcost):
    """Returns the row of the table for each id and n."""
    answers = ask(flipcost, [{"ask": "libraries", "target": str(n)} for n in TARGETS])
    lines = {}
    for n, answer in zip(TARGETS, answers):
        names = [column["name"] for column in answer["columns"]]
        for row in answer["rows"]:
            line = dict(zip(names, row))
            lines[line["id"], n] = line
    return lines


def edges(n, w, chance):
    """Returns words at which a rule may go wrong, mixed with random words. The critical value is in the whole word or in a
    part of it."""
    while True:
        kind = chance.random()
        if kind < 0.5:
            yield chance.getrandbits(w)
            continue
        part = chance.choice([w, w, 32, 31, 63, bits(n), n.bit_length()])
        part = max(1, min(part, w))
        all_ = 1 << part
        value = chance.choice(
            [
                0,
                all_ - 1,
                all_ - all_ % n,
                (all_ - 1) - (all_ - 1) % n,
                -(-chance.randrange(n + 1) * all_ // n),
                (chance.randrange(n + 1) * all_) // n,
                all_ // n * n,
                (all_ - 1) // n * n,
                n,
                all_ % n,
            ]
        )
        value = (value + chance.randrange(-2, 3)) % all_
        free = chance.choice([0, (1 << (w - part)) - 1, chance.getrandbits(w)]) % (1 << (w - part))
        yield chance.choice([value << (w - part) | free, free << part | value])


def targets(library, lines):
    """Returns the n that the type of the function can represent."""
    for n in TARGETS:
        line = lines[library.id, n]
        if n < library.least or (library.most and n > library.most):
            continue
        if line["words_exact"] is not None:
            yield n, line


def request(language, lines, calls):
    """Returns the input of a program: a line `id n calls word word ...` for each target."""
    chance = random.Random(20240601)
    text = []
    for library in language.libraries:
        for n, line in targets(library, lines):
            count = library.calls or calls
            words = []
            if library.fed:
                w = line["word_bits"] or 32
                # Give ten times the expected number of words; a call that uses up all words is left out.
                per_call = max(1, Fraction(line["words_exact"]))
                source = edges(n, w, chance)
                words = [str(next(source)) for _ in range(int(count * per_call * 10))]
            text.append(" ".join([library.id, str(n), str(count), *words]))
    return "\n".join(text) + "\n"


def played(language, text):
    """Returns the calls of each id and n, each with its result and its words."""
    build = [part.format(program=HERE / language.program, built=BUILT, here=HERE) for part in language.build or []]
    if build:
        BUILT.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(build, capture_output=True, text=True, cwd=HERE)
        if done.returncode:
            return f"{language.program} does not build: {(done.stderr or done.stdout).strip()[-600:]}"
    command = [part.format(program=HERE / language.program, built=BUILT, here=HERE) for part in language.command]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=HERE)
    if done.returncode:
        return f"{language.program} ended with code {done.returncode}: {done.stderr.strip()[-600:]}"
    calls = {}
    for line in done.stdout.splitlines():
        id, n, outcome, *words = line.split()
        outcome = None if outcome == "-" else int(outcome)
        calls.setdefault((id, int(n)), []).append((outcome, [int(word) for word in words]))
    return calls


def handed(library, n, w, words):
    """Returns the words in the form that the rule reads: x of each attempt, the most significant word first."""
    out, size = [], library.words(n)
    for start in range(0, len(words), size):
        attempt = words[start : start + size]
        if len(attempt) < size:
            return out + attempt
        if w is None:
            out += attempt
            continue
        x = library.looks(attempt, n, w)
        out += [x >> (w * i) & ((1 << w) - 1) for i in reversed(range(size))]
    return out


SOURCES = {"racket-random": "4294967087", "bash-random-mod": "2147483646", "dotnet-next-seeded": "2147483647"}


def replayed(flipcost, language, lines, calls):
    """Returns a row of the results for each id and n."""
    asked = []
    for library in language.libraries:
        for n, line in targets(library, lines):
            made = calls.get((library.id, n), [])
            if not made:
                say(f"  {library.id}, n = {n}: the program made no call")
                continue
            w = line["word_bits"] if library.id not in SOURCES else None
            source = SOURCES.get(library.id, f"word:{w}")
            words = [handed(library, n, w, words) for _, words in made]
            faces = [str(word + 1) for part in words for word in part]
            query = {
                "ask": "roll",
                "target": str(n),
                "source": source,
                "algorithm": library.id,
                "count": sum(outcome is not None for outcome, _ in made),
                "input": ",".join(faces or ["1"]),
            }
            asked.append((library, n, line, made, query))
    answers = ask(flipcost, [query for *_, query in asked])
    for (library, n, line, made, query), answer in zip(asked, answers):
        total = sum(len(words) for _, words in made)
        verdict = "agrees"
        if "error" in answer:
            verdict = "DISAGREES: " + answer["error"]
        elif library.pieces:
            results = [int(result) - 1 for result, _ in answer["rows"]]
            drawn = sum(int(drawn) for _, drawn in answer["rows"])
            if results != [outcome for outcome, _ in made[:-1]]:
                verdict = "DISAGREES: other results for the same words"
            elif not 0 <= total - drawn < library.pieces:
                verdict = f"DISAGREES: {total} pieces of words were drawn; the rule takes {drawn}"
        else:
            for i, ((outcome, words), (result, drawn)) in enumerate(zip(made, answer["rows"])):
                if (outcome + 1, len(words)) != (int(result), int(drawn)):
                    verdict = (
                        f"DISAGREES: call {i + 1} took {words} and returned {outcome}; "
                        f"the rule takes {drawn} words and returns {int(result) - 1}"
                    )
                    break
        yield {
            "id": library.id,
            "language": language.name,
            "n": n,
            "calls": query["count"],
            "words": total,
            "expected_words_exact": line["words_exact"],
            "checked": "words given, each replayed" if library.fed else "words of a seed, each replayed",
            "verdict": verdict,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="names of languages, with commas")
    parser.add_argument("--calls", type=int, default=400, help="calls for each function and n (400)")
    parser.add_argument("--write", action="store_true", help="replace the rows of these languages in results.csv")
    options = parser.parse_args()
    flipcost = program()
    lines = table(flipcost)
    only = options.only.split(",") if options.only else None
    unknown = set(only or []) - {language.name for language in LANGUAGES}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: not one of {', '.join(language.name for language in LANGUAGES)}")
    rows, done, bad = [], set(), 0
    for language in LANGUAGES:
        if only and language.name not in only:
            continue
        missing = [need for need in (language.needs or language.command[:1]) if not present(need)]
        if missing:
            say(f"{language.name} is left out: {', '.join(missing)} is not installed.")
            continue
        calls = played(language, request(language, lines, options.calls))
        if isinstance(calls, str):
            say(f"{language.name} is left out: {calls}")
            continue
        version = language.version() if callable(language.version) else first_line(language.version)
        for row in replayed(flipcost, language, lines, calls):
            row.update(version=version, date=datetime.date.today().isoformat())
            rows.append(row)
            if row["verdict"] != "agrees":
                bad += 1
                say(f"  {row['id']}, n = {row['n']}: {row['verdict']}")
        done.add(language.name)
        of = [row for row in rows if row["language"] == language.name]
        agreed = sum(row["verdict"] == "agrees" for row in of)
        ids = len({row["id"] for row in of})
        counts = f"{sum(row['calls'] for row in of):,} calls, {sum(row['words'] for row in of):,} words"
        print(f"{language.name} ({version}): {ids} functions, {counts}, {agreed} of {len(of)} targets agree", flush=True)
    if not only:
        checked = {row["id"] for row in rows}
        left = [id for id, n in lines if n == TARGETS[0] and id not in checked]
        print(f"not checked: {', '.join(left)}")
    if options.write and rows:
        old = []
        if RESULTS.exists():
            with RESULTS.open(newline="") as file:
                old = [row for row in csv.DictReader(file) if row["language"] not in done]
        order = [language.name for language in LANGUAGES]
        both = sorted(old + rows, key=lambda row: order.index(row["language"]))
        with RESULTS.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(both)
    return 1 if bad else 0


def present(need):
    """Returns whether a command, or a file such as /usr/include/gmp.h, exists."""
    return os.path.exists(need) if "/" in need else shutil.which(need) is not None


if __name__ == "__main__":
    sys.exit(main())
