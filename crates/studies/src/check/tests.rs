use super::*;
use crate::place::parse;

fn read(rest: &str) -> Result<Check, String> {
    let text = format!("claim = \"c\"\npublished = \"p\"\n{rest}\n");
    let table = parse(&text).expect("TOML");
    let check = Check::read(SpannedValue(&table));
    check.map_err(|wrong| SerializedMistake::read(wrong.message()).to_string())
}

fn decide(rest: &str) -> Result<(String, bool), String> {
    let verdict = read(rest)?
        .decide(Path::new("../.."))
        .map_err(|e| e.to_string())?;
    let holds = verdict.outcome == ClaimStatus::Reproduced;
    Ok((verdict.computed, holds))
}

fn computed(rest: &str, holds: bool) -> String {
    let (computed, found) = decide(rest).unwrap();
    assert_eq!(found, holds, "{rest}: {computed}");
    computed
}

fn check_statement(text: &str, holds: bool) -> String {
    computed(&format!("that = \"{text}\""), holds)
}

/// Checks the verdict on a claim, and whether it is the verdict that the study states.
#[test]
fn a_verdict_is_compared_with_the_stated_one() {
    let question = "that = \"cost(6, algorithm: fast-dice-roller).expected = ";
    let verdict = |stated: &str, is: &str| {
        let check = read(&format!("{stated}\n{question}{is}\"")).unwrap();
        let verdict = check.decide(Path::new("../..")).unwrap();
        (verdict.outcome.words(), verdict.is_expected())
    };
    for (stated, right, wrong) in [
        ("", ("reproduced", true), ("not reproduced", false)),
        (
            "verdict = \"reproduced\"",
            ("reproduced", true),
            ("not reproduced", false),
        ),
        (
            "verdict = \"corrected\"",
            ("corrected", true),
            ("not reproduced", false),
        ),
        (
            "verdict = \"computed\"",
            ("computed", true),
            ("not reproduced", false),
        ),
        (
            "verdict = \"not reproduced\"",
            ("reproduced", false),
            ("not reproduced", true),
        ),
    ] {
        assert_eq!(verdict(stated, "11/3"), right, "{stated}");
        assert_eq!(verdict(stated, "4"), wrong, "{stated}");
    }
    let sourced = format!("source = \"here\"\nmark = \"[U]\"\n{question}4\"");
    let verdict = read(&sourced).unwrap().decide(Path::new("../..")).unwrap();
    assert_eq!(verdict.source.as_deref(), Some("here"));
    assert_eq!(verdict.mark, Some(ClaimOrigin::Unverified));
}

/// The printed value equals the computed value, and the command line asks for the same statement.
#[test]
fn printed_values_equal_the_computed_ones() {
    let cost = "cost(6, algorithm: fast-dice-roller)";
    assert_eq!(
        check_statement(&format!("{cost}.expected = 11/3"), true),
        "11/3"
    );
    check_statement(&format!("{cost}.expected = 4"), false);
    let fraction = check_statement(&format!("11/3 = {cost}.expected"), true);
    assert_eq!(fraction, "11/3 = 3.666667");
    let rounded = format!("round({cost}.entropy, 3) = 2.585");
    assert_eq!(check_statement(&rounded, true), "2.584962500721");
    check_statement(&rounded.replace("2.585", "2.584"), false);
    check_statement(&format!("5/2 < {cost}.entropy < 3"), true);
    check_statement(&format!("5/2 < {cost}.entropy < 5/2"), false);
    let rising = format!("{cost}.entropy <= {cost}.expected <= 4");
    assert_eq!(
        check_statement(&rising, true),
        "2.584963 ≤ 11/3 = 3.666667 ≤ 4 = 4.000000"
    );
    let check = read(&format!("that = \"{cost}.expected = 11/3\"")).unwrap();
    assert_eq!(
        check.command().unwrap(),
        format!("flipcost verify --that '{cost}.expected = 11/3'")
    );
}

/// 4:7:8 costs 86/19 flips at K = 5, and no algorithm takes less than 1538/513 flips. Among weights
/// of sum 24, the largest toll at K = 10 is 1.885213 (Draper & Saad 2025).
#[test]
fn any_question_can_be_a_function_in_a_statement() {
    for text in [
        "16/3 = cost(2^16, algorithm: interval).entropy / 3",
        "cost(12, source: 6, algorithm: parity-bits).expected = 16/3",
        "batch(1, 1, source: 6)[keep].expected = cost(1, algorithm: interval).variance = 0",
        "batch(6, repeat, source: 6)[repeat].expected = sequence(A136043, from: 1, to: 1).a = 1",
        "cost(4:7:8, algorithm: aldr:K=5).expected = cost(4:7:8, algorithm: fldr).expected = 86/19",
        "round(cost(4:7:8, algorithm: knuth-yao).toll, 4) = 1.4686",
        "sum(n in 2..6, cost(n, algorithm: rejection-ceil).expected) = 217/15",
        "plan(13, dice: 6, 10)[dice=6,10].expected = 7540540/3599999",
        "round(toll_loaded(24, depth: 10).toll, 6) = 1.885213",
        "toll_loaded(24, depth: 10).toll <= toll_loaded(24, depth: 10).at_most",
        "distribution(6, algorithm: fast-dice-roller, upto: 5)[t=5].survival = 1/16",
        "cost(12, source: 6, algorithm: bounded).worst_case = 2",
        "shuffle(3, broken)[swap-any].ratio = 5/4",
        "round(toll_oscillations()[mean-over-log].value, 7) = 1.1099489",
        "cost(9, algorithm: rounding-up).expected = 16/3",
    ] {
        check_statement(text, true);
    }
}

#[test]
fn a_statement_is_decided_for_each_n() {
    let doubled = "for = \"n in 1..200\"\nthat = \"cost(2*n, algorithm: fast-dice-roller).expected = cost(n, algorithm: fast-dice-roller).expected + 1\"";
    let all = "it holds for all 200 n of 1..200";
    assert_eq!(computed(doubled, true), all);
    // the toll passes 1 first at n = 3, where it is 8/3 - log2 3
    let toll = "for = \"n in 1..9\"\nthat = \"cost(n, algorithm: fast-dice-roller).toll <= 1\"";
    let found = computed(toll, false);
    assert!(
        found.starts_with("for n = 3: the left side is 1.0817"),
        "{found}"
    );
    let rising = "for = \"n in 2..64\"\nthat = \"log2(n) <= cost(n, algorithm: fast-dice-roller).expected <= k+1\"";
    computed(rising, true);
    // the claim is an equality that holds exactly for n = 2^a (2^b - 1)
    let equal = "for = \"n in 1..9\"\nat = [1, 2, 3, 4, 6, 7, 8]\nthat = \"cost(n, algorithm: rounding-up).expected = cost(n, algorithm: fast-dice-roller).expected\"";
    assert_eq!(computed(equal, true), "equal at n = 1, 2, 3, 4, 6, 7, 8");
    computed(&equal.replace("7, 8]", "7, 8, 9]"), false);
    let several =
        "for = \"n in 2..9\"\nthat = [\"n <= 9\", \"2 < 3\", \"n^2 <= 80\", \"n^3 < 900\"]";
    let found = computed(several, false);
    assert_eq!(
        found,
        "it holds for all 8 n of 2..9; n^2 <= 80: n = 9: the left side is 81, the right side 80"
    );
}

#[test]
fn a_theorem_is_checked_up_to_a_limit() {
    let found = computed("theorem = { claim = \"ceil-plus-one\", to = 3000 }", true);
    assert!(found.ends_with("0.998413279628952, at n = 2731"), "{found}");
}

#[test]
fn long_findings_are_shortened() {
    let rule =
        "fairness = { rule = { dice = [1000], value = \"a * a\" }, targets = [6], fair = false }";
    let long = computed(rule, true);
    assert!(
        long.chars().count() <= MAX_TEXT_LETTERS && long.ends_with(" characters)"),
        "{long}"
    );
}
