//! What a maintainer would ship, task by task.

use crate::support::{refusal, run, stdout};

/// A task, the method of the first row, and its words or rolls as a fraction where it can be read.
const TASKS: [(&str, &str); 29] = [
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
    ("--shuffle 52 --source word:32", "batches"),
    ("--shuffle 1000 --source word:64", "batches"),
    ("--shuffle 10000 --source word:32", "batches"),
    (
        "--shuffle 52 --source word:64 --prefer bounded",
        "\"canon, card by card\"",
    ),
    (
        "--shuffle 52 --source word:64 --prefer constant-time",
        "\"multiply-shift, card by card\",102,102,102",
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
        "canon:t=65,18446744073709551615/4611686018427387904,4,65",
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
    ("7 --dice 6,10 --prefer simple", "plan"),
    ("10 --dice 4,6", "plan,11/5"),
    ("6 --source 1:2", "interval,161/36"),
];

#[test]
fn the_first_row_is_what_is_shipped() {
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

/// With a tolerance of 0 the least cost is first; what is far dearer is left out.
#[test]
fn costs_are_the_same_within_a_tolerance() {
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
        said.contains("a million times as much: rejection, rejection-ceil"),
        "{said}"
    );
}

/// Constant time shows no method whose rolls depend on the draw, and says what of the code must be constant.
#[test]
fn constant_time_is_steady() {
    let rows = stdout("advise 8 --source word:64 --prefer constant-time");
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[1], cells[3], "{row}");
    }
    let page = stdout("advise 6 --source word:64 --prefer constant-time -f table");
    assert!(
        page.contains("In constant time must be") && !page.contains("repeat"),
        "{page}"
    );
    assert!(
        page.lines().all(|line| line.chars().count() <= 80),
        "{page}"
    );
}

#[test]
fn the_others_are_told_why_and_code_is_of_the_language() {
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
    // a list of 67 batches, in lines of a page
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
