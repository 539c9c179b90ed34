//! The advice for tasks that maintainers have.

use crate::support::{refusal, run, stdout};

/// Each entry has a task, the method in the first row of the advice, and the expected number of
/// words or rolls of this method, as a fraction if the fraction is short.
const TASKS: [(&str, &str); 41] = [
    ("6", "fast-dice-roller,11/3"),
    ("64", "rejection-ceil,6"),
    ("6 --source word:64", "lemire"),
    ("52 --source word:64", "lemire"),
    ("10^9 --source word:64", "lemire"),
    ("6 --source word:32", "lemire"),
    ("64 --source word:64", "mask-reject,1"),
    ("2^40 --source word:32", "bitmask-words,2"),
    ("52! --source word:64", "base-conversion"),
    (
        "--shuffle 52 --source word:64",
        "batches,38189642862669259944981692416/9505716155773378292835208125",
    ),
    (
        "--shuffle 52 --source word:32",
        "batches,76379285725338519889963384832/9505716155773378292835208125",
    ),
    ("--shuffle 1000 --source word:64", "batches"),
    ("--shuffle 10000 --source word:32", "batches"),
    (
        "--shuffle 52 --source word:64 --prefer bounded",
        "\"canon, in batches\",36232662289422781/9007199254740992,4.022633591718481,8",
    ),
    (
        "--shuffle 52 --source word:64 --prefer constant-time",
        "\"multiply-shift, in batches\",8,8,8,,",
    ),
    (
        "--shuffle 19 --source word:64",
        "batches,281474976710656/280279696071375",
    ),
    ("--shuffle 52", "\"fast-dice-roller, in batches\""),
    (
        "--shuffle 52 --prefer bounded",
        "\"fast-dice-roller, in batches\"",
    ),
    ("52 --source word:64 --prefer no-memory", "lemire"),
    (
        "1:2:3 --source word:64",
        "\"lemire, by sums\",4611686018427387904/4611686018427387903",
    ),
    (
        "1:2:3 --source word:64 --prefer bounded",
        "\"canon:t=1, by sums\",1,1,1,1/55340232221128654848",
    ),
    (
        "1:2:3 --prefer bounded",
        "\"knuth-yao, stopped after 63 flips\",9223372036854775807/4611686018427387904",
    ),
    (
        "bernoulli:double:0.1 --source word:64",
        "\"lemire, by sums\",1,1,1,0",
    ),
    ("--bits 256 --source word:64", "bitmask-words,4"),
    ("--bits 256", "rejection-ceil,256"),
    (
        "6 --source word:64 --prefer bounded",
        "canon,4611686018427387905/4611686018427387904,1,2",
    ),
    (
        "6 --source word:32 --prefer bounded --within 2^-40",
        "canon",
    ),
    (
        "6 --prefer bounded",
        "\"fast-dice-roller, stopped after 65 flips\",8454757700450211157/2305843009213693952",
    ),
    ("12 --dice 6 --prefer bounded", "base-conversion,2"),
    (
        "6 --source word:64 --prefer constant-time",
        "multiply-shift,2,2,2",
    ),
    (
        "6 --source word:64 --prefer constant-time --within 2^-128",
        "multiply-shift,3,3,3",
    ),
    (
        "1:2:3 --source word:64 --prefer constant-time",
        "inversion,1,1,1,1/55340232221128654848",
    ),
    ("1:2:3", "knuth-yao,2"),
    ("6 --source word:64 --prefer simple", "mask-reject,4/3"),
    ("7 --dice 6,10 --prefer simple", "plan,10/7"),
    ("13 --dice 6,10 --prefer simple", "plan"),
    ("--shuffle 1000", "\"fast-dice-roller, in batches\""),
    (
        "--shuffle 1000 --source word:64 --language go",
        "batches,,149.3189021969046",
    ),
    (
        "10 --source 6 --prefer bounded",
        "\"fast-dice-roller, stopped after 26 rolls\"",
    ),
    ("10 --dice 4,6", "plan,83/40"),
    ("6 --source 1:2", "optimal,11/3"),
];

#[test]
fn the_first_row_is_the_expected_method() {
    let mut wrong = Vec::new();
    for (task, first) in TASKS {
        let rows = stdout(&format!("advise {task}"));
        let row = rows.lines().nth(1).unwrap_or_default();
        if !format!("{row},").starts_with(&format!("{first},")) {
            wrong.push(format!("{task}: {first} was expected, {row}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The total variation distance of a roller that stops early agrees with a count of all sequences
/// of its flips.
#[test]
fn a_stopped_roller_has_the_stated_distance() {
    for (n, within) in [(3u64, 64), (6, 32), (7, 100), (10, 500), (12, 9)] {
        let rows = stdout(&format!("advise {n} --prefer bounded --within 1/{within}"));
        let row = rows.lines().nth(1).unwrap();
        let (method, cells) = row.trim_start_matches('"').split_once("\",").unwrap();
        let flips: u32 = method.split(' ').nth(3).unwrap().parse().unwrap();
        let (mut counts, mut rolled) = (vec![0u64; n as usize], 0u64);
        for word in 0..1u64 << flips {
            let (mut v, mut c, mut i) = (1, 0, 0);
            while i < flips && v < n {
                (v, c, i) = (2 * v, 2 * c + (word >> i & 1), i + 1);
                if v >= n && c >= n {
                    (v, c) = (v - n, c - n);
                } else if v >= n {
                    break;
                }
            }
            counts[c as usize] += 1;
            rolled += u64::from(i);
        }
        // twice the total variation distance, in units of 1 / (n 2^t)
        let far: u64 = counts
            .iter()
            .map(|count| (count * n).abs_diff(1 << flips))
            .sum();
        let cells: Vec<&str> = cells.split(',').collect();
        let ratio = |text: &str| {
            let (p, q) = text.split_once('/').unwrap_or((text, "1"));
            (p.parse::<u64>().unwrap(), q.parse::<u64>().unwrap())
        };
        let ((p, q), (mean, of)) = (ratio(cells[3]), ratio(cells[0]));
        assert_eq!(p * 2 * n * (1 << flips), far * q, "{row}");
        assert_eq!(mean << flips, rolled * of, "{row}");
        assert_eq!(cells[2], flips.to_string(), "{row}");
        assert!(p * within <= q, "{row}");
    }
}

/// With a tolerance of 0, the method of least cost comes first. Methods that cost far more are left
/// out.
#[test]
fn costs_within_the_tolerance_count_as_equal() {
    let first = |line: &str| stdout(line).lines().nth(1).unwrap().to_string();
    let least = first("advise 6 --source word:64 --tolerance 0");
    assert!(
        least.starts_with("fast-dice-roller,18446744073709551619/"),
        "{least}"
    );
    assert!(first("advise --shuffle 52 --source word:64 --prefer rolls").starts_with("batches,"));
    let (_, rows, said) = run(&["advise", "6", "--source", "word:64"]);
    assert!(!rows.contains("\nrejection,"), "{rows}");
    assert!(
        said.contains("a million times as much as the best: rejection, rejection-ceil"),
        "{said}"
    );
}

/// With constant time, no method is shown whose number of rolls depends on the outcome, and the
/// page says which parts of the code must run in constant time.
#[test]
fn constant_time_methods_have_a_fixed_number_of_rolls() {
    let rows = stdout("advise 8 --source word:64 --prefer constant-time");
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[1], cells[3], "{row}");
    }
    let page = stdout("advise 6 --source word:64 --prefer constant-time -f table");
    assert!(
        page.contains("These must run in constant time") && !page.contains("repeat"),
        "{page}"
    );
    assert!(
        page.lines().all(|line| line.chars().count() <= 80),
        "{page}"
    );
}

#[test]
fn other_methods_have_reasons_and_code_is_in_the_language() {
    let page = stdout("advise 6 --source word:64 --explain --language go -f table");
    for what in [
        "Go has, exactly fair: math/rand.Intn",
        "bits.Mul64(next(), n)",
        "It computes with numbers of 67 bits.",
        "It divides for every word.",
    ] {
        assert!(page.contains(what), "{what}: {page}");
    }
    for (language, has) in [
        ("go", "Go has, exactly fair: math/rand.Shuffle"),
        ("rust", "rand SliceRandom::shuffle, feature unbiased"),
        ("python", "random.shuffle (CPython 3.13), 76.3951"),
        ("java", "Collections.shuffle(list, SplittableRandom)"),
        ("javascript", "JavaScript has, not exactly fair"),
        (
            "c",
            "C has no shuffle; those of others: flipcost shuffle 52",
        ),
    ] {
        let line = format!("advise --shuffle 52 --source word:64 --language {language} -f table");
        let page = stdout(&line)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(page.contains(has), "{has}: {page}");
    }
    // a list of 67 batches, folded to the width of the page
    let page = stdout("advise --shuffle 200 --source word:32 --language java -f table");
    assert!(
        page.lines().all(|line| line.chars().count() <= 80),
        "{page}"
    );
    let rows = stdout("advise 6 --explain --language c -f jsonl");
    assert!(
        rows.contains("\"why_not\":\"it takes 9.1 % more flips\""),
        "{rows}"
    );
    assert!(rows.contains("uint64_t die(void)"), "{rows}");
    assert!(refusal("advise 6 --language cobol").contains("javascript"));
    assert!(refusal("advise 6 --within 2^-9").contains("constant-time"));
    assert!(refusal("advise 6 --prefer bounded --within 0").contains("above 0"));
}

/// A certain outcome needs no die, and the advice for an exactly fair method says that it is
/// exactly fair.
#[test]
fn a_certain_outcome_needs_no_die() {
    for line in [
        "advise 0:1 --source word:64",
        "advise 0:1 --source word:64 --prefer bounded",
    ] {
        let rows = stdout(line);
        let first: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(first[1..4], ["0", "0", "0"], "{rows}");
    }
    let sure =
        stdout("cost 0:1 --source word:64 -a knuth-yao,fldr -c algorithm,expected_exact -f csv");
    assert!(
        sure.lines().count() > 1 && sure.lines().skip(1).all(|row| row.ends_with(",0")),
        "{sure}"
    );
    let rows = stdout("advise --shuffle 2 --source word:64 --prefer constant-time");
    assert!(
        rows.contains("nothing but words: the outcomes are exactly fair"),
        "{rows}"
    );
}

/// `--code` prints only the function, and so does the name of a source file.
#[test]
fn code_is_printed_alone() {
    let code = stdout("advise 6 --language c --code");
    assert!(
        code.starts_with("#include <stdint.h>\n") && code.ends_with("}\n"),
        "{code}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("die.c");
    let file = path.to_str().unwrap();
    assert_eq!(stdout(&format!("advise 6 --language c -o {file}")), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), code);
    // the extension names the language
    stdout(&format!("advise 6 -o {file}"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), code);
    // a format that is given overrides the extension
    stdout(&format!("advise 6 -f csv -o {file}"));
    let rows = std::fs::read_to_string(&path).unwrap();
    assert!(rows.starts_with("method,expected_exact,"), "{rows}");
    assert!(refusal("advise 6 --code").contains("add --language"));
    assert!(refusal(&format!("advise 6 -o {file} --language go")).contains("file in C"));
}

/// The page for a secret of 256 bits collects the bits one by one in binary, because a person
/// cannot use a number of 78 digits.
#[test]
fn bits_are_rolled_one_by_one() {
    let page = stdout("advise --bits 256 --dice 6 -f table");
    for part in [
        "Roll a d6 again and again",
        "n = 2^256;",
        "256\ndigits are the bits",
    ] {
        let is_there = page.replace('\n', " ").contains(&part.replace('\n', " "));
        assert!(is_there, "{part}: {page}");
    }
    assert!(!page.contains("digits);"), "{page}");
}
