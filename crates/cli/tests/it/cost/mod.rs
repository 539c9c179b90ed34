//! `cost`: targets, columns and formats.

mod files;
mod sources;
mod sweeps;
mod weights;

use crate::support::{check_equal, check_table, column, notes, output, refusal, run, stdout};

/// What each question refuses is in `crates/all/tests/sentences.txt`.
#[test]
fn bad_input_gets_one_sentence() {
    check_table(
        "! cost -5 => its value is -5
! cost 1..10^400 => 2^64
! cost 10^ => end
! cost 2^2^70 => bits
! cost 9^9^9^9 => about 1228093895 bits, and 16777216 is the most
! cost two, => character 1
! cost 6 --source 2^64+1 => 2 to 2^64
! cost 6 -s -2+4+-3 => its value is -1
! cost 6 --dice -2,6 => --dice
! cost 6 -s word:0 => a word has 1 to 64 bits (up to 8192 for
! cost 6 -a rejction => did you mean rejection? & `flipcost list algorithms` & `flipcost libraries`
! cost 6 -a cpython-randbelo => did you mean cpython-randbelow?
! cost 6 -a x => choose one of fast-dice-roller, & `flipcost list algorithms` & `flipcost libraries` & ~recycling
! cost 6 -a recycling => `flipcost batch`
! cost 6 -a racket-random => 4294967087
! cost 6 -s word:64 -a cpython-randbelow => a word of 32 bits
! cost 6 -s word:65 -a fast-dice-roller => 2 to 2^64 sides
! cost 1:2 -a aldr:K=0 => a whole number from 1 to 65536
! cost 1:2 -a interval:K=2 => interval has no parameters
! cost 6 -a aldrr:K=2 => is not an algorithm
! cost 10^100+3 -a bounded => (101 digits)
! cost doubles:1e-5000,1 => rounds to the double 0
! cost 6 --by xpected => did you mean expected?
! cost 6 -c all => a name such as expected
! cost 6 -c foo => ~third_central
! cost 2..6 -c n,toll=expected-log2(n) => toll is a column already: another name was expected, as in my_toll=expected-log2(n)
! cost 1..9 -f b-file => name it with --columns
! cost 1..9 -f b-file -c toll -a interval => integers
! cost 1..9 -f b-file -c worst_case -a rejection => has none at n = 1
! cost --weights 1:2 -f b-file => b-file
! cost 1..9 --sources 2..3 -f b-file -c period => name one source
! cost 6 -o / => directory
! cost 6 -o /dev/full => \"/dev/full\"
! cost 6 -o /no/such/folder/x.csv => /no/such/folder
! cost 6 -o fig.svgz.svg --top 1 => a picture's name & rows.csv & `flipcost show` and `flipcost figure` draw pictures
! cost 6 -o s.xlsx => rows.csv
! cost 6 -o s.ods => rows.csv
! cost @/no/such/file => cannot read
! cost => <N|--weights <TEXT>|--weights-file <FILE>>
! cost 6 --weights 1:2 => cannot be used with",
    );
}

/// The fast dice roller takes its powers of 2 one after the other, so the cost of a long target
/// needs only the first of them: 100000 log2 10 is 332192.809.
#[test]
fn costs_are_exact_and_rounded_correctly() {
    let digits = |line: &str, wanted: &str| {
        let shown = column(&format!("cost {line}"), "expected");
        assert!(shown[0].starts_with(wanted), "{line}: {shown:?}");
    };
    digits(
        "1000000007 --digits 50 -a fast-dice-roller",
        "30.31442005538229654074687366543300288588015408554243",
    );
    digits("6 -a base-conversion-early --digits 3", "3.667");
    digits("2 --source 3 -a fast-dice-roller --digits 0", "2"); // 3/2, and ties go to even
    digits("10^100000 -a fast-dice-roller", "33219");
    digits("10^1000 -a fast-dice-roller", "332");
    let entropy = column("cost 10^200+1 -a fast-dice-roller --digits 40", "entropy");
    assert!(entropy[0].starts_with("664.3856189774724695740638858978780351729")); // 200 log2 10
    // E(6) = 11/3, and 11/3 - log2 6
    let rows = stdout("cost 6 --digits 200000 -c entropy,toll");
    let first: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    assert!(first[0].starts_with("2.58496250072115618145") && first[0].len() == 200_002);
    assert!(first[1].starts_with("1.0817041659455104852") && first[1].len() == 200_002);
    check_table("cost 2^100000 -a fast-dice-roller -c algorithm => \\nfast-dice-roller\\n");
}

#[test]
fn a_large_fraction_is_announced_not_printed() {
    check_table(
        "cost 1000000007 -a fast-dice-roller --columns expected_exact => 500000019 bits & --exact
cost 1e400 --exact -a fast-dice-roller -c expected_exact -f csv => is left out & ~--exact
cost 4099 --sources 2 --best => expected_exact is left out of 1 row ",
    );
    let exact = stdout("cost 200003 --exact -a fast-dice-roller --columns expected_exact");
    assert!(exact.len() > 50_000);
}

/// A value that no double is near is shown as an empty cell, not as infinity or 0; only 0 is shown
/// as 0.
#[test]
fn doubles_are_written_only_for_numbers_near_them() {
    let line = "cost 1e-400:1 -a knuth-yao -c expected,entropy,toll -f csv";
    let (rows, notes) = output(line);
    assert!(rows.contains(",,") && !rows.ends_with(",,\n"), "{rows}");
    assert!(notes.contains("entropy is left out"), "{notes}");
    let hint = "nearer to 0 than any double: decimals (--digits) show its value";
    assert!(notes.contains(hint), "{notes}");
    let decimals = stdout("cost 1e-400:1 -a knuth-yao -c entropy -d 403 -f csv");
    assert!(
        decimals.contains("0.000") && !decimals.trim().ends_with("000"),
        "{decimals}"
    );
    check_table(
        "cost 6 -a interval -c 1/1000!*n => \\n1/1000!*n\\n\"\"\\n & nearer to 0 than any double
cost 6 -a interval -c 0*n,pi*0,0*log2(n) -f csv => \\n0,0,0\\n",
    );
}

/// toll is expected - log2 n, and 1/toll is not defined where the toll is 0.
#[test]
fn an_expression_can_be_a_column() {
    let columns = "'n,toll,expected - log2(n),expected_exact*3'";
    check_table(&format!(
        r#"cost 4..6 -a fast-dice-roller -c {columns} => \nn,toll,expected - log2(n),expected_exact*3\n4,0,0,6\n5,1.2780719051126377,1.2780719051126377,10.8\n6,1.0817041659455104,1.0817041659455104,11\n
cost 6 -a fast-dice-roller -d 30 -c {columns} => \n6,1.081704165945510485212927722719,1.081704165945510485212927722719,11.000000000000000000000000000000\n
cost 6 -a fast-dice-roller -f jsonl -c 'algorithm,toll ^ 2' => {{"algorithm":"fast-dice-roller","toll ^ 2":1.17008
cost 3..8 -a fast-dice-roller -c 1/toll => \n""\n & 1/toll is left out of n = 4 (and 1 more)
cost 1..4 -a fast-dice-roller -c n,expected/entropy => expected/entropy is left out of n = 1: a denominator cannot be 0 & ~is not an expression
cost 8 -a interval -c 'n, mine = expected/log2(n), n % 3' => \nn,mine,n % 3\n8,1,2\n
cost 6 -a fast-dice-roller -c -n^2 -f csv => \n-36\n"#
    ));
}

/// Rejection for a d6 costs 4 flips, and the optimum is 11/3; for weights, the optimum is the cost
/// of the Knuth-Yao algorithm.
#[test]
fn a_column_has_the_cost_above_another_method() {
    check_table(
        "cost 6 -a rejection,fast-dice-roller -c algorithm,over_optimum_exact,over:rejection => \\nfast-dice-roller,0,-0.3333333333333333\\n & \\nrejection,1/3,0\\n
cost 4:7:8 -a knuth-yao,fldr -c algorithm,over_optimum_exact => \\nknuth-yao,0\\n",
    );
}

#[test]
fn rows_are_documents() {
    let line = "cost 6 -a fast-dice-roller,rejection -c algorithm,expected_exact,worst_case";
    assert_eq!(
        stdout(&format!("{line} -f latex")),
        "\\begin{tabular}{lrr}\nalgorithm & expected\\_exact & worst\\_case \\\\\n\\hline\n\
         fast-dice-roller & $\\frac{11}{3}$ & $\\infty$ \\\\\nrejection & 4 & $\\infty$ \\\\\n\
         \\end{tabular}\n"
    );
    assert_eq!(
        stdout(&format!("{line} -f markdown")),
        "A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.\n\n\
         | algorithm | expected_exact | worst_case |\n| --- | ---: | ---: |\n\
         | fast-dice-roller | 11/3 | inf |\n| rejection | 4 | inf |\n"
    );
    check_table(
        r#"cost 6 -f markdown => \n| algorithm | expected_exact | expected | toll |\n
cost 8..8 -c n,expected_exact,expected,worst_case,efficiency --format jsonl -a fast-dice-roller => \n{"n":8,"expected_exact":"3","expected":3.0,"worst_case":3,"efficiency":1.0}\n"#,
    );
    assert!(
        stdout("cost 6 -f latex")
            .starts_with("\\begin{tabular}{lrrr}\nalgorithm & expected\\_exact &")
    );
    let array = stdout("cost 1..9 -c n,algorithm,toll -f json");
    let objects: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
    let each = stdout("cost 1..9 -c n,algorithm,toll -f jsonl");
    let each = each.lines().map(|line| serde_json::from_str(line).unwrap());
    assert_eq!(objects, each.collect::<Vec<serde_json::Value>>());
}

/// Recipes by factoring are searched to the end, and almost certain faces need no long sums. In
/// earlier versions each of these requests took 9 s or more, or the system killed the program.
#[test]
fn requests_that_were_once_slow_are_answered() {
    for line in ["9409 --source 97", "10000 --source 10", "8191 --source 2"] {
        assert!(column(&format!("cost {line}"), "algorithm").contains(&"factoring".to_string()));
    }
    for line in [
        "cost 2 -s 1:10^400 -a interval -c expected --digits 3",
        "cost 3 -s 1:3*10^4 -a interval",
        "cost 5 -s 1:1:1:5 -a interval",
        "cost 5 -s 10^20:1:3:5 -a interval",
        "cost 2 -s 1:10^60",
        "cost 1:10^5000",
        "cost 1:10^2000 -s 6",
        "advise 1:10^5000",
        "roll 1:10^5000 --test --count 1000",
        "bias 10^100000",
    ] {
        output(line);
    }
}

/// Commas are accepted in a single target, and a note says how they were read.
#[test]
fn notes_say_how_commas_were_read() {
    check_equal("cost 4,7,8 == cost 4:7:8");
    assert!(notes("cost 4,7,8").contains("4,7,8 is read as the weights 4:7:8"));
    assert!(!notes("cost 4:7:8").contains("is read as"));
    assert!(refusal("cost 6 -a fast-dice-roller,no-such").contains("no-such"));
    let (status, _, said) = run("cost 10^1000000");
    assert!(
        status == 2 && said.contains("must be below 2^1048576"),
        "{said}"
    );
}
