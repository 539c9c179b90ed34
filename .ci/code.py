#!/usr/bin/env python3
"""Compiles and runs the functions that `flipcost advise --language` prints. With the same words, all languages and the
rule in the program must give the same outcomes. FLIPCOST is the program. Installs Go, Java and Node if they are
missing."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FLIPCOST = os.environ.get("FLIPCOST", "target/release/flipcost")
COUNT = 300
# the task, the method of its first row, the bits of a word (0 for rolls of a die), the sides or cards
TASKS = [
    ("6 --source word:64", "lemire", 64, 6),
    ("10^9 --source word:64", "lemire", 64, 10**9),
    ("10^19 --source word:64 --tolerance 1", "mask-reject", 64, 10**19),
    ("6 --source word:32", "lemire", 32, 6),
    ("64 --source word:64", "mask-reject", 64, 64),
    ("6 --source word:64 --prefer bounded", "canon", 64, 6),
    ("10^18 --source word:64 --prefer bounded --within 2^-60", "canon", 64, 10**18),
    ("10^9 --source word:32 --prefer bounded --within 2^-30", "canon", 32, 10**9),
    ("10^18 --source word:64 --prefer constant-time --within 2^-60", "multiply-shift", 64, 10**18),
    ("6 --source word:64 --prefer constant-time --within 2^-60", "multiply-shift", 64, 6),
    ("6 --source word:32 --prefer constant-time --within 2^-20", "multiply-shift", 32, 6),
    ("6 --source word:64 --prefer constant-time --within 2^-128", "multiply-shift", 64, 6),
    ("10^9 --source word:32 --prefer constant-time", "multiply-shift", 32, 10**9),
    ("64 --source word:32", "mask-reject", 32, 64),
    ("6 --source word:64 --prefer bounded --within 2^-128", "canon:t=3", 64, 6),
    ("10^9 --source word:32 --prefer constant-time --within 2^-30", "multiply-shift", 32, 10**9),
    ("6", "fast-dice-roller", 0, 6),
    ("10^17 --tolerance 0", "fast-dice-roller", 0, 10**17),
    ("7 --source 10", "fast-dice-roller", 0, 7),
    ("8", "rejection-ceil", 0, 8),
    ("6 --prefer bounded --within 1/8", "fast-dice-roller, stopped after 4 flips", 0, 6),
    ("7 --source 10 --prefer bounded", "fast-dice-roller, stopped after 20 rolls", 0, 7),
    ("--shuffle 52 --source word:64", "batches", 64, 52),
    ("--shuffle 52 --source word:32", "batches", 64, 52),  # takes two words as one
    ("--shuffle 10 --source word:32", "batches", 32, 10),
    ("--shuffle 52 --source word:64", "greedy-batches", 64, 52),
    ("--shuffle 1300 --source word:64", "greedy-batches", 64, 1300),
    ("--shuffle 12 --source word:32", "greedy-batches", 32, 12),
    ("--shuffle 52 --source word:64 --prefer bounded", "canon, in batches", 64, 52),
    ("--shuffle 40 --source word:32 --prefer bounded", "canon, in batches", 64, 40),
    ("--shuffle 60", "fast-dice-roller, in batches", 0, 60),
    ("--shuffle 60 --source 10", "fast-dice-roller, in batches", 0, 60),
    ("1:2:3 --source word:64", "lemire, by sums", 64, (1, 2, 3)),
    ("bernoulli:1/3 --source word:64", "lemire, by sums", 64, (1, 2)),
    ("5:0:1 --source word:32", "lemire, by sums", 32, (5, 0, 1)),
    ("1:2:3 --source word:64 --prefer bounded --within 2^-80", "canon, by sums", 64, (1, 2, 3)),
]

# every fourth word is small and every fourth is large, since rules can be wrong at both ends
C = """#include <inttypes.h>
#include <stdio.h>
static uint64_t i, s = 1;
static uint64_t draw(void) {{
    s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t k = i++;
    return k % 4 == 0 ? -k - 1 : k % 4 == 1 ? k << {shift} : s;
}}
{type} {name}(void) {{ {body}; }}
int main(void) {{
{main}
}}
"""
DIE, PICK = "die(", "pick("
RUST_SHUFFLES = 'shuffle(&mut a, &mut next); for x in &a { println!("{x}"); }'
RUST_ROLLS = 'println!("{}", die(&mut next));'
HARNESS = {
    "c": lambda bits, m, cards, any_deck: C.format(
        shift=64 - bits if bits else 33,
        type={64: "uint64_t", 32: "uint32_t", 0: "uint64_t"}[bits],
        name="next" if bits else "roll",
        body=f"return draw() >> {64 - bits}" if bits else f"return (draw() >> 33) % {m}",
        main=f"uint32_t a[{cards}]; for (int j = 0; j < {cards}; j++) a[j] = j;"
        f'for (int k = 0; k < {COUNT}; k++) {{ shuffle(a{", " + str(cards) if any_deck else ""}); for (int j = 0; j < {cards}; j++) printf("%" PRIu32 "\\n", a[j]); }}'
        if cards
        else f'for (int k = 0; k < {COUNT}; k++) printf("%" PRIu64 "\\n", (uint64_t)die());',
    ),
    "rust": lambda bits, m, cards, any_deck: f"""
fn main() {{
    let (mut i, mut s) = (0u64, 1u64);
    let mut draw = move || {{
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let k = i;
        i += 1;
        match k % 4 {{ 0 => !k, 1 => k << {64 - bits if bits else 33}, _ => s }}
    }};
    let mut next = move || {f"(draw() >> {64 - bits}) as u{bits}" if bits else f"(draw() >> 33) % {m}"};
    let mut a: [u32; {cards}] = std::array::from_fn(|i| i as u32);
    for _ in 0..{COUNT} {{
        {RUST_SHUFFLES if cards else RUST_ROLLS}
    }}
    a.reverse();
}}
""",
    "go": lambda bits, m, cards, any_deck: f"""
var i, s uint64 = 0, 1
func draw() uint64 {{
	s = s*6364136223846793005 + 1442695040888963407
	k := i
	i++
	if k%4 == 0 {{ return ^k }}
	if k%4 == 1 {{ return k << {64 - bits if bits else 33} }}
	return s
}}
func word() uint{bits or 64} {{ return {f"uint{bits}(draw() >> {64 - bits})" if bits else f"(draw() >> 33) % {m}"} }}
func main() {{
	a := make([]int, {cards})
	for j := range a {{ a[j] = j }}
	for k := 0; k < {COUNT}; k++ {{
		{"shuffle(a, word); for _, x := range a { fmt.Println(x) }" if cards else "fmt.Println(die(word))"}
	}}
}}
""",
    "java": lambda bits, m, cards, any_deck: f"""
static long i = 0, s = 1;
static long draw() {{
    s = s * 6364136223846793005L + 1442695040888963407L;
    long k = i++;
    return k % 4 == 0 ? ~k : k % 4 == 1 ? k << {64 - bits if bits else 33} : s;
}}
static {"int" if bits == 32 else "long"} word() {{ return {f"({'int' if bits == 32 else 'long'}) (draw() >>> {64 - bits})" if bits else f"(draw() >>> 33) % {m}"}; }}
public static void main(String[] x) {{
    int[] a = new int[{cards}];
    for (int j = 0; j < a.length; j++) a[j] = j;
    for (int k = 0; k < {COUNT}; k++) {{
        {"shuffle(a, Main::word); for (int c : a) System.out.println(c);" if cards else "System.out.println(die(Main::word));"}
    }}
}}
""",
    "python": lambda bits, m, cards, any_deck: f"""
i, s = 0, 1
def word():
    global i, s
    s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
    k, i = i, i + 1
    x = 2**64 - 1 - k if k % 4 == 0 else k << {64 - bits if bits else 33} if k % 4 == 1 else s
    return {f"x >> {64 - bits}" if bits else f"(x >> 33) % {m}"}
a = list(range({cards}))
for _ in range({COUNT}):
    {"shuffle(a, word); print(*a, sep=chr(10))" if cards else "print(die(word))"}
""",
    "javascript": lambda bits, m, cards, any_deck: f"""
let i = 0n, s = 1n;
function word() {{
  s = BigInt.asUintN(64, s * 6364136223846793005n + 1442695040888963407n);
  const k = i++;
  const x = k % 4n === 0n ? BigInt.asUintN(64, ~k) : k % 4n === 1n ? k << {64 - bits if bits else 33}n : s;
  return {f"x >> {64 - bits}n" if bits else f"Number((x >> 33n) % {m}n)"};
}}
const a = Array.from({{ length: {cards} }}, (_, j) => j);
for (let k = 0; k < {COUNT}; k++) {{
  {"shuffle(a, word); for (const x of a) console.log(x);" if cards else "console.log(String(die(word)));"}
}}
""",
}


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout.split()


def outcomes(language, code, bits, m, cards, method, folder):
    """Runs the function with the words and returns its outcomes."""
    harness = HARNESS[language](bits, m, cards, cards and method != "batches")
    if "by sums" in method:
        harness = harness.replace(DIE, PICK)
    whole = {
        "c": lambda: ("f.c", harness.split("int main")[0] + code + "\nint main" + harness.split("int main")[1]),
        "rust": lambda: ("f.rs", code + harness),
        "go": lambda: (
            "f.go",
            "package main\nimport \"fmt\"\n" + ('import "math/bits"\n' if "bits.Mul64" in code else "") + code + harness,
        ),
        "java": lambda: ("Main.java", "public class Main {\n" + code + harness + "}\n"),
        "python": lambda: ("f.py", code + harness),
        "javascript": lambda: ("f.js", code + harness),
    }
    name, text = whole[language]()
    (folder / name).write_text(text)
    if language == "c":
        run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "f", name], folder)
        return run(["./f"], folder)
    if language == "rust":
        run(["rustc", "-D", "warnings", "--edition", "2024", "-o", "r", name], folder)
        return run(["./r"], folder)
    commands = {"go": ["go", "run"], "java": ["java"], "python": [sys.executable], "javascript": ["node"]}
    return run([*commands[language], name], folder)


def words(bits, m):
    """Yields the words of the test programs as faces of a source, counted from 1."""
    s, k = 1, 0
    while True:
        s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
        x = 2**64 - 1 - k if k % 4 == 0 else k << (64 - bits if bits else 33) if k % 4 == 1 else s
        k += 1
        yield ((x >> (64 - bits)) if bits else (x >> 33) % m) + 1


def stopped(feed, m, n, most):
    """Rolls by the fast dice roller, which returns c after a given number of rolls."""
    v, c = 1, 0
    for _ in range(most):
        v, c = m * v, m * c + next(feed) - 1
        whole = v // n * n
        if c < whole:
            return c % n
        v, c = v - whole, c - whole
    return c


def lemire(feed, bits, n):
    """Rolls a die by a product; takes another word if its low part is below 2^bits mod n."""
    while True:
        high, low = divmod((next(feed) - 1) * n, 1 << bits)
        if low >= (1 << bits) % n:
            return high


def canon(feed, bits, n):
    """Rolls a die with pairs of words, or with the first word alone if the second changes nothing."""
    first = (next(feed) - 1) * n
    if first % (1 << bits) <= (1 << bits) - n:
        return first >> bits
    return (first << bits) + (next(feed) - 1) * n >> 2 * bits


def roller(feed, m, n):
    return stopped(feed, m, n, sys.maxsize)


def shuffled(method, feed, bits, m, cards):
    """Yields the decks that rolls of dice give; the number of sides of each die is a product of ranges of indices."""
    deck = list(range(cards))
    for _ in range(COUNT):
        n = cards
        while n > 1:
            p, batch = n, 1
            while n - batch > 1 and p * (n - batch) <= ((1 << bits) // 16 if bits else (1 << 62) // m):
                p, batch = p * (n - batch), batch + 1
            x = lemire(feed, bits, p) if "greedy" in method else canon(feed, bits, p) if bits else roller(feed, m, p)
            for base in range(n, n - batch, -1):
                if "greedy" in method:
                    # takes the digits of the roll in the bases n, n - 1, ...
                    p //= base
                    r, x = divmod(x, p)
                else:
                    x, r = divmod(x, base)
                n -= 1
                deck[n], deck[r] = deck[r], deck[n]
        yield from map(str, deck)


def rolled(method, bits, m, n, count_of_words, labels):
    """Returns the outcomes of the program's own rule."""
    feed = words(bits, m)
    if method == "multiply-shift":
        results = []
        for _ in range(COUNT):
            # the first word is the least significant digit
            x = sum(next(feed) - 1 << i * bits for i in range(count_of_words))
            results.append(str(x * n >> count_of_words * bits))
        return results
    if isinstance(n, tuple):
        die = lemire if "lemire" in method else canon
        dice = [die(feed, bits, sum(n)) for _ in range(COUNT)]
        places = [sum(sum(n[: i + 1]) <= x for i in range(len(n) - 1)) for x in dice]
        return [str(labels[i]) if labels else str(i) for i in places]
    if "stopped" in method:
        return [str(stopped(feed, m, n, count_of_words)) for _ in range(COUNT)]
    faces = ",".join(str(next(feed)) for _ in range(COUNT * (1 if bits else 200)))
    source = f"word:{bits}" if bits else str(m)
    count = COUNT // 4
    query = {"ask": "roll", "target": str(n), "source": source, "algorithm": method, "count": count, "input": faces}
    done = subprocess.run([FLIPCOST, "ask", "-"], input=json.dumps(query), capture_output=True, text=True)
    answer = json.loads(done.stdout)
    return [str(int(row[0]) - 1) for row in answer["rows"]]


def main():
    packages = {"go": "golang-go", "java": "default-jdk-headless", "node": "nodejs", "gcc": "gcc"}
    missing = [package for program, package in packages.items() if not shutil.which(program)]
    if missing:
        subprocess.run([Path(__file__).with_name("install.sh"), *missing], check=True)
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for task, method, bits, n in TASKS:
            cards = n if "--shuffle" in task else 0
            m = 10 if "--source 10" in task else 2
            seen = {}
            for language in HARNESS:
                line = [FLIPCOST, "advise", *task.split(), "--language", language, "-f", "jsonl"]
                rows = map(json.loads, subprocess.run(line, capture_output=True, text=True).stdout.splitlines())
                # tests both the batches for this deck and those for decks of any size
                rows = [row for row in rows if row["method"] == "greedy-batches" or method != "greedy-batches"]
                first = rows[0]
                if first["method"] != method:
                    sys.exit(f"advise {task}: {method} was expected first, and not {first['method']}")
                # only code for two words is printed for Canon's method
                wide = "canon" in method and first["worst_case"] == 3
                if wide and first["code"]:
                    sys.exit(f"advise {task}: code in {language}, where three words are taken")
                if not first["code"]:
                    continue
                seen[language] = outcomes(language, first["code"], bits, m, cards, method, folder)
                checked += 1
            if not wide and len(seen) < 5:
                sys.exit(f"advise {task}: code in {', '.join(seen) or 'no language'} only")
            if len({tuple(results) for results in seen.values()}) > 1:
                sys.exit(f"advise {task}: {seen}")
            if seen and method != "batches":
                expected = list(shuffled(method, words(bits, m), bits, m, n)) if cards else rolled(method, bits, m, n, first["worst_case"], (1, 0) if "bernoulli" in task else None)
                results = seen["python"]
                if not expected or results[: len(expected)] != expected:
                    sys.exit(f"advise {task}: {results[:9]} where the rule gives {expected[:9]}")
            print(f"{task}: {method} in {', '.join(seen) or 'no language'}")
    print(f"{checked} functions agree")


main()
