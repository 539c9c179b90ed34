//! `advise`: the method that fits a task, and its code.

use crate::support::{Folder, check_table, column, notes, output, refusal, stdout};

/// Each row has a task, and how the first row of the advice begins: the method, and its expected
/// number of words or rolls as a fraction if that is short.
const TASKS: &str = r#"
6 => fast-dice-roller,11/3
64 => rejection-ceil,6
6 --coin => fast-dice-roller,11/3
6 --source word:64 => lemire
52 --source word:64 => lemire
10^9 --source word:64 => lemire
6 --source word:32 => lemire
64 --source word:64 => mask-reject,1
2^40 --source word:32 => bitmask-words,2
52! --source word:64 => base-conversion
--shuffle 52 --source word:64 => batches,38189642862669259944981692416/9505716155773378292835208125
--shuffle 52 --source word:32 => batches,76379285725338519889963384832/9505716155773378292835208125
--shuffle 52 --source word:64 --prefer rolls => batches
--shuffle 1000 --source word:64 => batches
--shuffle 10000 --source word:32 => batches
--shuffle 52 --source word:64 --prefer bounded => "canon, in batches",36232662289422781/9007199254740992,4.022633591718481,8
--shuffle 52 --source word:64 --prefer constant-time => "multiply-shift, in batches",8,8,8,,
--shuffle 52 --source word:64 --prefer simple => "mask-reject
--shuffle 19 --source word:64 => batches,281474976710656/280279696071375
--shuffle 52 => "fast-dice-roller, in batches"
--shuffle 52 --prefer bounded => "fast-dice-roller, in batches"
52 --source word:64 --prefer no-memory => lemire
1:2:3 --source word:64 => "lemire, by sums",4611686018427387904/4611686018427387903
1:2:3 --source word:64 --prefer simple => "lemire
1:2:3 --source word:64 --prefer bounded => "canon:t=1, by sums",1,1,1,1/55340232221128654848
1:2:3 --prefer bounded => "knuth-yao, stopped after 63 flips",9223372036854775807/4611686018427387904
bernoulli:double:0.1 --source word:64 => "lemire, by sums",1,1,1,0
--bits 256 --source word:64 => bitmask-words,4
--bits 256 => rejection-ceil,256
6 --source word:64 --prefer bounded => canon,4611686018427387905/4611686018427387904,1,2
6 --source word:32 --prefer bounded --within 2^-40 => canon
6 --prefer bounded => "fast-dice-roller, stopped after 65 flips",8454757700450211157/2305843009213693952
12 --dice 6 --prefer bounded => base-conversion,2,2,2
6 --source word:64 --prefer constant-time => multiply-shift,2,2,2
6 --source word:64 --prefer constant-time --within 2^-128 => multiply-shift,3,3,3
1:2:3 --source word:64 --prefer constant-time => inversion,1,1,1,1/55340232221128654848
8 --prefer constant-time => bounded,3,3,3,0
1:2:3 => knuth-yao,2
6 --source word:64 --prefer simple => mask-reject,4/3
7 --dice 6,10 --prefer simple => plan,10/7
13 --dice 6,10 --prefer simple => plan
--shuffle 1000 => "fast-dice-roller, in batches"
--shuffle 1000 --source word:64 --language go => batches,,149.3189021969046
10 --source 6 --prefer bounded => "fast-dice-roller, stopped after 26 rolls"
10 --dice 4,6 => plan,83/40
6 --source 1:2 => optimal,11/3
2 --source unknown:2 => stout-warren
6 --source word:64 --tolerance 0 => fast-dice-roller,18446744073709551619/
"#;

#[test]
fn the_first_row_is_the_expected_method() {
    let mut wrong = Vec::new();
    for (task, first) in TASKS.lines().filter_map(|row| row.split_once(" => ")) {
        let rows = stdout(&format!("advise {task}"));
        let row = rows.lines().nth(1).unwrap_or_default();
        let is_whole = |rest: &str| rest.starts_with([',', ' ']) || first.ends_with('/');
        if !format!("{row},").strip_prefix(first).is_some_and(is_whole) {
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
        let far = counts.iter().map(|count| (count * n).abs_diff(1 << flips));
        let far: u64 = far.sum();
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

/// Methods that cost far more are left out; with constant time also those whose number of rolls
/// depends on the outcome.
#[test]
fn unsuitable_methods_are_left_out() {
    check_table(
        "advise 6 --source word:64 => ~\\nrejection, & a million times as much as the best: rejection, rejection-ceil
advise 6 --source word:64 --prefer constant-time -f table => These must run in constant time & ~repeat
advise --shuffle 52 -s 100 -f csv => ~\\nbatches,",
    );
    let line = "advise 8 --source word:64 --prefer constant-time";
    assert_eq!(column(line, "expected_exact"), column(line, "worst_case"));
}

#[test]
fn other_methods_have_reasons_and_code_is_in_the_language() {
    let page = |line: &str| {
        let page = stdout(&format!("advise {line} -f table"));
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let go = page("6 --source word:64 --explain --language go");
    for what in [
        "Go has, exactly fair: math/rand.Intn",
        "bits.Mul64(next(), n)",
        "It computes with numbers of 67 bits.",
        "It divides for every word.",
    ] {
        assert!(go.contains(what), "{what}: {go}");
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
        let page = page(&format!(
            "--shuffle 52 --source word:64 --language {language}"
        ));
        assert!(page.contains(has), "{has}: {page}");
    }
    // a list of 67 batches, folded to the width of the page
    page("--shuffle 200 --source word:32 --language java");
    check_table(
        r#"advise 6 --explain --language c -f jsonl => "why_not":"it takes 9.1 % more flips" & uint64_t die(void)
! advise 6 --language cobol => javascript
! advise 6 --code => add --language
! advise 6 --coin --dice 6 => cannot be used with
! advise 6 --prefer speed => constant-time"#,
    );
}

/// A certain outcome needs no die.
#[test]
fn a_certain_outcome_needs_no_die() {
    check_table(
        "advise 0:1 --source word:64 => \\nmethod & ,0,0,0,
advise 0:1 --source word:64 --prefer bounded => ,0,0,0,
advise --shuffle 2 --source word:64 --prefer constant-time => nothing but words: the outcomes are exactly fair",
    );
    let sure = column(
        "cost 0:1 --source word:64 -a knuth-yao,fldr",
        "expected_exact",
    );
    assert_eq!(sure, ["0", "0"]);
}

/// `--code` prints only the function, and so does the name of a source file.
#[test]
fn code_is_printed_alone() {
    let code = stdout("advise 6 --language c --code");
    assert!(
        code.starts_with("#include <stdint.h>\n") && code.ends_with("}\n"),
        "{code}"
    );
    let folder = Folder::new();
    let file = folder.path("die.c");
    for language in ["--language c", ""] {
        assert_eq!(stdout(&format!("advise 6 {language} -o {file}")), "");
        assert_eq!(folder.read("die.c"), code);
    }
    // a format that is given overrides the extension
    stdout(&format!("advise 6 -f csv -o {file}"));
    assert!(folder.read("die.c").starts_with("method,expected_exact,"));
    assert!(refusal(&format!("advise 6 -o {file} --language go")).contains("file in C"));
}

/// The page for a secret of 256 bits collects the bits one by one in binary, because a person
/// cannot use a number of 78 digits.
#[test]
fn bits_are_rolled_one_by_one() {
    let page = stdout("advise --bits 256 --dice 6 -f table").replace('\n', " ");
    for part in [
        "Roll a d6 again and again",
        "n = 2^256;",
        "256 digits are the bits",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(
        page.contains("if c < q n: return c mod n") && !page.contains("digits);"),
        "{page}"
    );
}

/// The command next to a number prints that number.
#[test]
fn the_command_of_a_method_prints_its_cost() {
    for (task, method, name) in [
        (
            "--bits 256 --prefer constant-time",
            "cost 2^256 --algorithm bounded",
            "expected_exact",
        ),
        (
            "--bits 256 --dice 6",
            "cost 2^256 --source 6 --algorithm fast-dice-roller",
            "expected",
        ),
        (
            "--shuffle 52 -s word:64",
            "shuffle 52 --batches --source word:64",
            "expected",
        ),
        (
            "4 -s word:64 --prefer constant-time",
            "cost 4 --source word:64 --algorithm bounded",
            "expected",
        ),
        (
            "100 -s word:32 --prefer bounded",
            "cost 100 --source word:32 --algorithm canon:t=3",
            "expected",
        ),
    ] {
        let line = format!("advise {task}");
        assert_eq!(column(&line, name)[0], column(method, name)[0], "{task}");
        let shown = &column(&line, "command")[0];
        assert!(
            task.starts_with("--shuffle") || *shown == format!("flipcost {method}"),
            "{shown}"
        );
    }
}

/// Several dice are planned for small targets only; for a large target the best single die is
/// recommended.
#[test]
fn advice_with_several_dice_for_a_large_target() {
    let methods = column("advise --bits 256 --dice 6,10", "method");
    assert_eq!(methods.len(), 2);
    assert!(methods[0].contains("fast-dice-roller") && methods[0].contains("d10 alone"));
    assert!(methods[1].contains("d6 alone"), "{methods:?}");
    // a die for several cards, and one roll for all orders with numbers of 226 bits
    let deck = stdout("advise --shuffle 52 --dice 6 -f table");
    let dealt = "A shuffle of 52 cards from a d6: fast-dice-roller, in batches\n\nexpected    ≈ 90.0808 rolls\n";
    assert!(
        deck.starts_with(dealt) && deck.contains("\n  fast-dice-roller  "),
        "{deck}"
    );
}

/// The advice for a loaded coin has the best rule if it can be found, and the rules that are fair
/// for every coin.
#[test]
fn advice_covers_loaded_coins() {
    assert!(notes("advise 2 --source 1:2").contains("flipcost cost 2 --source 1:2 --optimal"));
    let (rows, _) = output("advise 2 -s unknown:2 -f csv");
    for id in ["\nelias", "\nperes", "\nvon-neumann", ",1/(p - p^2),inf,"] {
        assert!(rows.contains(id), "{id}: {rows}");
    }
    check_table("advise 2 -s unknown:2 --prefer simple -f csv => \\nvon-neumann,");
}

#[test]
fn small_losses_of_a_method_are_not_rounded_to_zero() {
    check_table(
        "advise p256 => ~0.000 flips
advise p256 -f table => 5.99 & A die of p256 sides",
    );
}
