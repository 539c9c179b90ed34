//! Machine words, library functions and biased rules at the command line.

use crate::support;

use support::{refusal, stdout};

/// Returns the cells of a CSV without quotes, the head first.
fn rows(line: &str) -> Vec<Vec<String>> {
    let cells = |row: &str| row.split(',').map(String::from).collect();
    stdout(line).lines().map(cells).collect()
}

/// Returns the row of an id, by the names of its columns.
fn row(line: &str, id: &str, columns: &[&str]) -> Vec<String> {
    let rows = rows(line);
    let found = rows.iter().find(|row| row[0] == id);
    let found = found.unwrap_or_else(|| panic!("{line} has no {id}"));
    let place = |name: &&str| rows[0].iter().position(|head| head == name).unwrap();
    columns
        .iter()
        .map(|name| found[place(name)].clone())
        .collect()
}

/// The largest multiple of 6 below 2^64 is 2^64 - 4.
#[test]
fn words_of_64_bits_are_a_source() {
    let cost = |source: &str, algorithm: &str| {
        let line = format!(
            "cost 6 -s {source} -a {algorithm} -c expected_exact,bits_drawn_exact,bits_used_exact"
        );
        stdout(&line).lines().last().unwrap().to_string()
    };
    let kept = "4611686018427387904/4611686018427387903";
    let bits = "295147905179352825856/4611686018427387903";
    for algorithm in ["lemire", "modulo-reject", "base-conversion"] {
        assert_eq!(cost("word:64", algorithm), format!("{kept},{bits},{bits}"));
        assert_eq!(cost("2^64", algorithm), cost("word:64", algorithm));
    }
    assert_eq!(cost("word:64", "mask-reject"), "4/3,256/3,4");
    assert_eq!(cost("word:8", "bitmask-words"), "4/3,32/3,4");
    for bits in [8, 16, 31, 32, 48, 53, 63, 64] {
        let listed = stdout(&format!("cost 52 -s word:{bits} -c algorithm"));
        for algorithm in ["fast-dice-roller", "lemire", "mask-reject", "bitmask-words"] {
            assert!(
                listed.lines().any(|line| line == algorithm),
                "{bits}: {listed}"
            );
        }
        assert!(
            !listed.contains("canon"),
            "biased rules are asked for by name"
        );
    }
    assert!(!stdout("cost 6 -c algorithm").contains("lemire"));
    let rolled = stdout("roll 6 -s word:64 --seed 1 -a lemire");
    assert!((1..=6).contains(&rolled.trim().parse::<u32>().unwrap()));
    let swept = stdout("cost 5..6 -s 2^64 -a lemire -c n,source,expected_exact");
    assert!(
        swept.ends_with(&format!("6,18446744073709551616,{kept}\n")),
        "{swept}"
    );
    // wider words work only in rules that look at whole words
    assert!(refusal("cost 6 -s word:65 -a fast-dice-roller").contains("2 to 2^64 sides"));
    assert!(
        refusal("stream 6 --states 64 -s word:64").contains("a store has at most 10000 states")
    );
    // 4 of 2^64 faces are left over each time, and are rolled again: 1 + 4 / (2^64 - 1)
    assert!(stdout("batch 6 -s word:64").contains("18446744073709551619/18446744073709551615"));
}

/// A method that needs equally likely faces refuses a loaded source. A person's own rolls of an
/// unknown source are followed.
#[test]
fn loaded_faces_are_refused_or_followed() {
    for loaded in ["1:2", "1:1:2", "unknown:2"] {
        for way in [
            "",
            "-a interval",
            "--deal --seed 1",
            "--batches",
            "--way keep",
        ] {
            let said = refusal(&format!("shuffle 5 -s {loaded} {way}"));
            assert!(
                said.contains("a shuffle takes a fair die or a word"),
                "{said}"
            );
        }
    }
    for (unknown, why) in [
        ("cost 2..5", "this question is about known probabilities"),
        (
            "roll 2 -a von-neumann --seed 1",
            "its probabilities are unknown",
        ),
    ] {
        let said = refusal(&format!("{unknown} -s unknown:2"));
        assert!(said.contains(why), "{said}");
    }
    // heads, then tails
    let rolled = stdout("roll 2 -a von-neumann -s unknown:2 --input HHHT");
    assert_eq!(rolled.trim(), "1");
    assert!(stdout("show 2 -a von-neumann -s unknown:2 --rolls HHHT").contains('1'));
}

/// The total variation is r (n - r) / (n W), the ratio (q + 1) / q; 31 values of 8 bits are those
/// of NumPy's issue 14774.
#[test]
fn biases_are_exact() {
    let columns = [
        "total_variation_exact",
        "ratio_exact",
        "largest_exact",
        "smallest_exact",
    ];
    let line = "bias 31 --words 8 --double 53";
    assert_eq!(
        row(line, "modulo", &columns),
        ["23/992", "9/8", "9/256", "1/32"]
    );
    assert_eq!(
        row(line, "multiply-shift", &columns),
        row(line, "modulo", &columns)
    );
    assert_eq!(rows(line)[3][0], "double");
    // D = 8 * 23 / 256^2; lambda of 30 degrees is 39.0744 and of 1 degree 14.8794
    assert_eq!(
        row(line, "modulo", &["detect", "detect_best"]),
        ["13918", "5300"]
    );
    assert_eq!(
        row(
            "bias 64 --words 8",
            "modulo",
            &["detect", "total_variation_exact"]
        ),
        ["inf", "0"]
    );
    // only two of eight outcomes occur, so the divergence from a fair d8 is two bits, and `detect`
    // is empty because the test would have too few results
    let never = [
        "ratio_exact",
        "smallest_exact",
        "kullback_leibler_bits",
        "min_entropy_bits",
        "detect",
    ];
    assert_eq!(
        row("bias 8 --words 1", "modulo", &never),
        ["inf", "0", "2", "1", ""]
    );
    assert_eq!(rows("bias 6 --double"), rows("bias 6 --double 53"));
    assert_eq!(rows("bias 6 --words 128").len(), 3);
    for (line, what) in [
        ("bias 6 --words 0", "1 to 8192 bits"),
        ("bias 6 --words 8193", "1 to 8192 bits"),
        ("bias 6 --double 54", "1 to 53 random bits"),
        ("bias 0", "0 sides"),
        ("bias 2^54 --double", "whole numbers up to 2^53"),
    ] {
        assert!(refusal(line).contains(what), "{line}: {}", refusal(line));
    }
}

/// Toll and entropy of a biased rule refer to its own law: 2 flips for a d3 by multiplication give
/// 1/2, 1/4, 1/4, and never cost less than the entropy of 3/2.
#[test]
fn a_biased_rule_has_its_own_entropy() {
    let line = "cost 3 -a canon:t=2 -c entropy,toll,total_variation_exact,expected_exact";
    assert_eq!(stdout(line).lines().last(), Some("1.5,0.5,1/6,2"));
    assert!(refusal("roll 3 --test -a canon").contains("biased"));
    let best = stdout("cost 3 --sources 2 --best -a canon,fast-dice-roller");
    assert!(
        best.contains("fast-dice-roller") && !best.contains("canon"),
        "{best}"
    );
}

#[test]
fn library_functions_are_a_table_and_algorithms() {
    let columns = [
        "words_exact",
        "bits_drawn_exact",
        "bits_used_exact",
        "total_variation_exact",
    ];
    assert_eq!(
        row("libraries", "cpython-randbelow", &columns),
        ["4/3", "128/3", "4", "0"]
    );
    assert_eq!(
        row("libraries", "racket-random", &columns)[1..],
        ["", "", "0"]
    );
    let float = row("libraries", "cpython-float-times-n", &columns);
    assert_eq!(float, ["2", "64", "53", "1/6755399441055744"]);
    // the rule changed: .NET 6 masks, .NET 8 multiplies
    assert_eq!(row("libraries dotnet", "dotnet-next-6", &columns)[0], "4/3");
    assert_eq!(
        row("libraries dotnet", "dotnet-next", &columns)[0],
        "1073741824/1073741823"
    );
    let table = rows("libraries");
    assert!(table.len() > 68 && rows("libraries JAVA").len() > 4);
    // a language shows only its own functions, and a word is also searched for in the rules
    let ids = |line: &str| -> Vec<String> {
        rows(line)
            .drain(1..)
            .map(|mut row| row.swap_remove(0))
            .collect()
    };
    assert!(!ids("libraries java").contains(&"js-math-random-v8".to_string()));
    assert!(ids("libraries javas").contains(&"js-math-random-v8".to_string()));
    assert!(ids("libraries modulo").contains(&"sqlite-abs-random-mod".to_string()));
    assert!(!ids("libraries modulo").contains(&"swift-int-random".to_string()));
    // a function has no numbers for n beyond its type
    assert_eq!(
        row("libraries --target 2^31", "java-random-nextint", &columns),
        ["", "", "", ""]
    );
    // by name, in its words or in the bits that it draws
    let flips = stdout("cost 6 -a cpython-randbelow -c expected_exact,worst_case");
    assert_eq!(flips.lines().last(), Some("128/3,inf"));
    let words = stdout("cost 6..6 -s word:32 -a cpython-randbelow -c expected_exact");
    assert_eq!(words.lines().last(), Some("4/3"));
    assert!(refusal("cost 6 -s word:64 -a cpython-randbelow").contains("a word of 32 bits"));
    assert!(refusal("cost 6 -a racket-random").contains("4294967087"));
    assert!(refusal("libraries cobol").contains("no row has the word \"cobol\""));
    let compared = stdout("cost 6 --sources 2 --best -a cpython-randbelow,js-math-random-v8");
    assert!(compared.contains("cpython-randbelow"), "{compared}");
}

/// The names of dice are accepted wherever a number of sides is expected.
#[test]
fn dice_are_accepted_by_their_names() {
    for (written, plain) in [
        (
            "cost coin -a fdr -c n,algorithm",
            "cost 2 -a fast-dice-roller -c n,algorithm",
        ),
        ("cost d% -a ky -c n", "cost 100 -a knuth-yao -c n"),
        ("cost D20 -s d% -a fdr", "cost 20 -s 100 -a fdr"),
        ("plan d13 --dice d6,D10", "plan 13 --dice 6,10"),
        (
            "plan 13 --dice polyhedral,coin",
            "plan 13 --dice 4,6,8,10,12,20,2",
        ),
        ("batch d4 d13 coin", "batch 4 13 2"),
        (
            "cost d4..d6 --sources coin,d6 --best",
            "cost 4..6 --sources 2,6 --best",
        ),
        ("law a+b --dice d6,coin", "law a+b --dice 6,2"),
        ("sequence 136043 --to 9", "sequence A136043 --to 9"),
        ("sequence 42 --to 1", "sequence A000042 --to 1"),
        ("libraries --target d%", "libraries --target 100"),
        ("cost 8-2 -a fdr", "cost 6 -a fdr"),
    ] {
        if written.starts_with("sequence 42") {
            assert!(refusal(written).contains("A000042"), "{}", refusal(written));
            continue;
        }
        assert_eq!(stdout(written), stdout(plain), "{written}");
    }
    assert!(refusal("cost 2-6 --sources 2 --best").contains("2..6"));
    assert!(refusal("cost 6 --sources d2-d6").contains("2..6"));
}

/// The recommended method comes first, with the cost that the command next to it prints.
#[test]
fn the_advised_method_is_the_cheapest_that_is_preferred() {
    let first = |line: &str| rows(line)[1].clone();
    assert_eq!(first("advise 6 --coin")[..2], ["fast-dice-roller", "11/3"]);
    assert_eq!(first("advise 1:2:3")[..2], ["knuth-yao", "2"]);
    assert_eq!(first("advise 10 --dice 4,6")[..2], ["plan", "83/40"]);
    assert_eq!(first("advise 12 --dice 6 --prefer bounded")[3], "2");
    // 3 divides no power of 2, so a bounded method is biased
    let never = first("advise 6 --prefer bounded");
    assert_eq!(never[0], "\"fast-dice-roller");
    assert_eq!(never[1], " stopped after 65 flips\"");
    assert_eq!(
        first("advise 8 --prefer constant-time")[..5],
        ["bounded", "3", "3", "3", "0"]
    );
    // the command next to a number prints that number, or no command is shown
    let secret = first("advise --bits 256 --prefer constant-time");
    assert_eq!(
        secret.last().unwrap(),
        "flipcost cost 2^256 --algorithm bounded"
    );
    let cost = stdout("cost 2^256 --algorithm bounded -c expected_exact");
    assert_eq!(Some(secret[1].as_str()), cost.lines().last());
    assert_eq!(
        first("advise 4 -s word:64 --prefer constant-time")
            .last()
            .unwrap(),
        "flipcost cost 4 --source word:64 --algorithm bounded"
    );
    assert_eq!(
        first("advise 100 -s word:32 --prefer bounded")
            .last()
            .unwrap(),
        "flipcost cost 100 --source word:32 --algorithm canon:t=3"
    );
    // one word has enough bits for each of them
    assert_eq!(
        first("advise 1:2:3 -s word:64 --prefer simple")[0],
        "\"lemire"
    );
    let simple = first("advise --shuffle 52 --source word:64 --prefer simple");
    assert_eq!(simple[0], "\"mask-reject");
    // 256 bits from a d6: 100.14 rolls, by the fraction of `cost`
    let seed = first("advise --bits 256 --dice 6");
    let cost = stdout("cost 2^256 --algorithm fast-dice-roller --source 6 -c expected");
    assert_eq!(Some(seed[2].as_str()), cost.lines().last());
    let page = stdout("advise --bits 256 --dice 6 -f table");
    assert!(page.contains("if c < q n: return c mod n"), "{page}");
    for (line, what) in [
        ("advise", "a target, --shuffle CARDS or --bits BITS"),
        ("advise 6 --coin --dice 6", "cannot be used with"),
        ("advise --bits 0", "1 to 65536 bits"),
        ("advise --shuffle 0", "1 to 10000 cards"),
        ("advise 6 --dice 4,6 --prefer bounded", "one source"),
        ("advise 6 --prefer speed", "constant-time"),
    ] {
        assert!(refusal(line).contains(what), "{line}: {}", refusal(line));
    }
}

/// Input from new users is accepted, or refused with a hint.
#[test]
fn refusals_give_a_hint() {
    assert_eq!(stdout("bias 6 --words 2^5"), stdout("bias 6"));
    assert_eq!(
        stdout("cost 6 --sources coin,d6,word:3 --best"),
        stdout("cost 6 --sources 2,6,8 --best")
    );
    for (line, what) in [
        ("bias 6 --words 10^12", "4294967295 is the most"),
        ("cost 6 --sources unknown:2 --best", "are unknown"),
        ("cost 6 -s word:0", "a word has 1 to 64 bits"),
        ("cost 6 -s word:8193", "up to 8192 for"),
        ("cost zipf", "zipf:n=10,s=1"),
        (
            "cost binomial:n=3",
            "p= is missing, as in binomial:n=20,p=1/3",
        ),
        (
            "cost 6 -a cpython-randbelo",
            "did you mean cpython-randbelow?",
        ),
        ("cost 6 -a xyz", "`flipcost libraries`"),
        ("export prism 6 -a cpython-randbelow", "2^32 values"),
        ("ask", "one JSON object per line"),
    ] {
        assert!(refusal(line).contains(what), "{line}: {}", refusal(line));
    }
    let help = stdout("cost --help");
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("`flipcost libraries`"), "{help}");
}

/// Returns the notes on stderr.
fn notes(line: &str) -> String {
    let output = support::flipcost(line).output().unwrap();
    assert!(output.status.success(), "{line}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_note_says_that_a_rule_is_biased() {
    let third = "canon is not exact: the total variation distance of its outcomes from equally likely ones is 1/3 ";
    assert!(notes("cost 6 -a canon").contains(third));
    assert!(notes("cost 6 -a canon,rejection").contains(third));
    assert!(notes("cost 6 -a cpython-float-times-n -s word:32").contains("not exact"));
    assert!(!notes("cost 6").contains("not exact"));
    assert!(!notes("cost 4 -a canon").contains("not exact"));
}

#[test]
fn advice_about_a_shuffle_has_batches() {
    let batches = stdout("shuffle 52 --batches -s word:64");
    let best: Vec<&str> = batches.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(best[0], "best");
    let advice = stdout("advise --shuffle 52 -s word:64 -f csv");
    let row = advice.lines().find(|row| row.starts_with("batches,"));
    assert_eq!(row.unwrap().split(',').nth(2), Some(best[2]));
    assert!(!stdout("advise --shuffle 52 -s 100 -f csv").contains("\nbatches,"));
}

#[test]
fn missing_values_are_explained() {
    assert!(!notes("cost 1:2:3 -s word:64").contains("fraction"));
    // only two of eight outcomes come
    assert!(notes("bias 8 --words 1").contains("detect is empty where"));
    assert!(!notes("bias 6").contains("detect is empty where"));
    assert!(!notes("libraries").contains("detect is empty where"));
}

/// Several dice are planned for small targets only; for a large target the best single die is
/// recommended.
#[test]
fn advice_with_several_dice_for_a_large_target() {
    let rows = rows("advise --bits 256 --dice 6,10");
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1][0], "\"fast-dice-roller");
    assert!(rows[1][1].contains("d10 alone"), "{:?}", rows[1]);
    assert!(rows[2][1].contains("d6 alone"), "{:?}", rows[2]);
    assert!(stdout("advise 13 --dice 6,10").contains("\nplan,"));
    // a die for several cards, and one roll for all orders with numbers of 226 bits
    let deck = stdout("advise --shuffle 52 --dice 6 -f table");
    let dealt = "A shuffle of 52 cards from a d6: fast-dice-roller, in batches\n\nexpected    ≈ 90.0808 rolls\n";
    assert!(deck.starts_with(dealt), "{deck}");
    assert!(deck.contains("\n  fast-dice-roller  "), "{deck}");
}

/// The given order is not listed again as the best order, and long targets are shortened.
#[test]
fn orders_of_a_batch_are_short() {
    let keep = |line: &str| rows(line).iter().filter(|row| row[0] == "keep").count();
    assert_eq!(keep("batch 6 6 7 --best-order"), 1);
    assert_eq!(keep("batch 4 13 -s 6 --best-order"), 2);
    let weights: Vec<String> = (1..=2000).map(|weight| weight.to_string()).collect();
    let long = stdout(&format!("batch {}", weights.join(":")));
    assert!(long.len() < 2000, "{}", long.len());
}

#[test]
fn a_library_has_a_page() {
    let line = "list algorithms java-random-nextint";
    assert_eq!(
        row(line, "java-random-nextint", &["id"]),
        ["java-random-nextint"]
    );
    assert_eq!(stdout(line).lines().count(), 2);
}

/// The bits of a word are counted with singular and plural.
#[test]
fn the_tree_of_a_library_function_counts_bits() {
    let tree = stdout("show 6 --as tree -a java-random-nextint --depth 2");
    assert!(tree.contains("[no word drawn, then 1 bit: 1]"), "{tree}");
    assert!(tree.contains("[no word drawn, then 2 bits: 3]"), "{tree}");
}
