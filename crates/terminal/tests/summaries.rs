//! The summary of an answer: every question has one, and a person at a terminal reads it first.

use flipcost::table::Cell;
use flipcost_question::{Answer, Control, Query};
use flipcost_terminal::question::query_from_words;
use serde_json::{Value, json};
use std::ffi::OsString;

/// Returns the question of an example in help.
fn example(line: &str) -> Option<Query> {
    let mut words = vec![OsString::from("flipcost")];
    for (place, part) in line.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(OsString::from)),
            _ => words.push(part.into()),
        }
    }
    query_from_words(words).ok()
}

fn answer(query: &Query) -> Option<Answer> {
    let is_short = query.estimate().work < 2_000_000_000;
    is_short.then(|| query.answer(&Control::default()).ok())?
}

/// Returns a rule given by its text, because the examples name a file.
fn rule_check() -> Query {
    let rule = "my.rhai\nfn rule(n, m) { let x = 4 * flip() + 2 * flip() + flip(); x % n }";
    let text = json!({"ask": "rule-check", "rule": rule, "targets": "6"}).to_string();
    flipcost_all::from_json(&text).unwrap()
}

/// Every question of the registry has a summary of one plain sentence, which fits on a few lines of
/// 80 characters.
#[test]
fn every_question_has_a_sentence() {
    let mut wrong = Vec::new();
    for description in flipcost_all::descriptions() {
        let mut queries: Vec<Query> = description
            .examples
            .iter()
            .copied()
            .filter_map(example)
            .collect();
        if description.ask == "rule-check" {
            queries.push(rule_check());
        }
        let answers: Vec<Answer> = queries.iter().filter_map(answer).collect();
        assert!(!answers.is_empty(), "{}", description.ask);
        for answer in answers {
            let (line, summary) = (answer.query.command(), answer.summary());
            println!("{line}\n    {summary}");
            let lines = textwrap::wrap(&summary, 80);
            let first = summary.split(' ').next().unwrap_or_default();
            let is_sentence = summary.ends_with('.')
                && (first.contains(['(', '-', '=']) || !first.starts_with(char::is_lowercase))
                && ["  ", " ,", " .", " ;", "{"]
                    .iter()
                    .all(|gap| !summary.contains(gap));
            let fits = lines.len() <= 4 && lines.iter().all(|line| line.chars().count() <= 80);
            if !is_sentence || !fits {
                wrong.push(format!("{line}: {summary}"));
            }
            let mut text = Vec::new();
            answer.write_json(&mut text).unwrap();
            let written: Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(written["summary"], summary);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Questions of users, each with the sentence that answers it. The sentence about a plan says for
/// which rolls or throws the rule is optimal.
const SENTENCES: &str = "
cost 6 => A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.
bias 100 => rand() % 100 from 32 bits: outcomes differ by 2.3 in 10^8; nobody notices before 7·10^17 results.
supply 3329 --source word:12 --count 256 --failure 2^-128 => 467 words of 12 bits (701 bytes) suffice for 256 results of a d3329 from a word of 12 bits by words under a mask, except with probability 2^-128.8; the fewest are 398 words of 12 bits (597 bytes), by the fast dice roller.
plan 365 --dice 6,10,20 => A d365 from a d6, a d10 and a d20 takes 156/73 ≈ 2.137 rolls on average by a simple recipe; the cheapest takes about 2.129 rolls.
plan 7 --dice 6 --optimal => A d7 from a d6 takes 72/35 ≈ 2.057 rolls on average by the best rule; no rule with this die costs less.
plan 7 --dice 6,10 --optimal => A d7 from a d6 and a d10 takes 7932/5999 ≈ 1.322 rolls on average by the best rule; no rule that rolls these dice one at a time costs less.
plan 20 --throw 6,6 --throw 10 --optimal => A d20 from 6x6 and a d10 takes 13/9 ≈ 1.444 throws on average by the best rule; no rule with these throws costs less.
plan 97 --dice 6,10 --optimal --effort 1000 => A d97 from a d6 and a d10 takes about 2.062 rolls on average by the best rule that was found; no rule that rolls these dice one at a time costs less than about 2.062.
cost 1:2:3 => Weights 1:2:3 from a coin take 2 flips on average by the interval algorithm; no method takes fewer.
cost 6 -a rejection => A d6 from a coin takes 4 flips on average by rejection.
bias 3329 --words 16 => rand() % 3329 from 16 bits: outcomes differ by 1 in 19; nobody notices before 27000 results.
libraries fair --target 100 => 54 functions are exactly fair for a d100.
libraries biased --target 2 => 2 functions are biased for a d2.
cost d20+5 => d20+5 from a coin takes 28/5 = 5.6 flips on average by the fast dice roller; no method takes fewer.
law 3d6 => The mean of 3d6 is 21/2 = 10.5; its values are 3 to 18, the likeliest are 10 and 11 with probability 1/8 = 0.125 each.
law d% => The mean of d% is 101/2 = 50.5; its values are 1 to 100, all equally likely with probability 1/100 = 0.01.
law d6! => The mean of d6! is 21/5 = 4.2; its values are 1 and above, the likeliest are 1, 2 and 3 more with probability 1/6 ≈ 0.1667 each.
plan 3d6 --dice d20 => 3d6 from a d20 takes 25/9 ≈ 2.778 rolls on average by a simple recipe; Knuth and Yao's algorithm with a d20 alone takes about 1.421 rolls.
plan 3d6 --dice d6 => 3d6 from a d6 takes 3 rolls on average by a simple recipe; Knuth and Yao's algorithm with a d6 alone takes 13/6 ≈ 2.167 rolls.
plan 4d6dl1 --dice d6 => 4d6dl1 from a d6 takes 4 rolls on average by a simple recipe; Knuth and Yao's algorithm with a d6 alone takes 241/108 ≈ 2.231 rolls.
cost secp256k1 => A die of secp256k1 sides from a coin takes about 256 + 4.7989e-37 flips on average by the fast dice roller; no method takes fewer.
cost ed25519 => A die of ed25519 sides from a coin takes about 254 - 4.8541e-37 flips on average by the fast dice roller; no method takes fewer.
shuffle 52 --source word:64 -a lemire => To shuffle 52 cards takes about 51 words on average by multiplication.
advise p256 => For a die of p256 sides from a coin take rejection (rejection-ceil): about 256 + 5.960e-8 flips on average.
extract --length 8 --source 1:2 => 8 flips of a coin loaded 1:2 give 8624/2187 ≈ 3.943 bits on average by elias.
extract --length 100 => 100 flips of a coin give about 94.59 bits on average by elias.
cost 6 --source 6,6,6 => A d6 takes 1 roll of a d6 on average by the cheapest plan; more dice of the same kind do not change the cost.
cost 6, -a fast-dice-roller => The toll by the fast dice roller is about 1.082 flips, at n = 6.
cost 1..20 -a fast-dice-roller => The toll by the fast dice roller is smallest, 0 flips, at n = 1, and largest, about 1.677 flips, at n = 17.
supply 6 --source word:8 --at 1 => The probability that 1 word of 8 bits (1 byte) is not enough for one result of a d6 from a word of 8 bits by words under a mask is 2^-2.
supply 6 --source word:8 --at 100 => The probability that 100 words of 8 bits (100 bytes) are not enough for one result of a d6 from a word of 8 bits by words under a mask is 2^-200.
bias 2 --words 1 => rand() % 2 from 1 bit is exactly fair.
advise 7 => For a d7 from a coin take rejection (rejection-ceil): 24/7 ≈ 3.429 flips on average.
advise 6 => For a d6 from a coin take the fast dice roller: 11/3 ≈ 3.667 flips on average.
cost 2,6,10 => Weights 2:6:10 (= 1:3:5) from a coin take 20/9 ≈ 2.222 flips on average by Knuth-Yao; no method takes fewer.
plan 50:30:15:4:1 --dice 6,10 => Weights 50:30:15:4:1 from a d6 and a d10 take 2 rolls on average by the cheapest recipe that carries one number; Knuth and Yao's algorithm with a d10 alone takes 11/10 = 1.1 rolls.
";

#[test]
fn the_sentence_contains_the_value() {
    for (line, wanted) in SENTENCES.lines().filter_map(|row| row.split_once(" => ")) {
        assert_eq!(summary(line), wanted, "{line}");
    }
}

fn summary(line: &str) -> String {
    answer_to(line).summary()
}

fn answer_to(line: &str) -> Answer {
    answer(&example(line).unwrap()).unwrap()
}

/// Leaving out rows and columns does not change the summary.
#[test]
fn the_sentence_does_not_depend_on_the_shown_rows() {
    let whole = summary("cost 6");
    for some in [
        "-c toll",
        "-c algorithm,toll",
        "-c variance",
        "--top 2",
        "--top 2 --by toll",
    ] {
        assert_eq!(summary(&format!("cost 6 {some}")), whole, "{some}");
    }
    assert_eq!(
        summary("cost 1..20 --top 3 --by toll"),
        summary("cost 1..20")
    );
    assert_eq!(summary("law 3d6 --top 3 -c value"), summary("law 3d6"));
    // by rejection-ceil, the worst case is finite at powers of 2, where no attempt fails, and
    // infinite otherwise
    assert_eq!(
        summary("cost 2..9 -c n,worst_case -a rejection-ceil"),
        "The worst_case is smallest, 1 flip, at n = 2, and largest, infinitely many flips, at n = 3."
    );
    assert_eq!(
        summary("cost 6 --sources 2 -a bounded -c source,n,possible,missing_prime"),
        "Of n = 6: source 2, n 6, possible false, missing_prime 3."
    );
    // the summary shows the results of the same rolls
    let rolled = answer_to("roll 6 --top 1");
    let shows = format!("shows {},", rolled.cell(0, "result"));
    assert!(rolled.summary().contains(&shows), "{}", rolled.summary());
}

/// Asking for the first rows of a long range is as fast as asking for only these rows.
#[test]
fn the_first_rows_of_a_range_are_computed_alone() {
    let first = example("cost 1..10^9 -a fast-dice-roller --top 3").unwrap();
    assert!(first.estimate().work < 1_000_000, "{:?}", first.estimate());
    let answer = first.answer(&Control::default()).unwrap();
    let n = |row: usize| answer.cell(row, "n").to_string();
    assert_eq!((answer.rows.len(), n(0), n(2)), (3, "1".into(), "3".into()));
    assert!(answer.summary().ends_with("at n = 3."));
    let all = example("cost 1..10^9 -a fast-dice-roller --top 3 --by toll").unwrap();
    assert!(all.estimate().work > 1_000_000_000);
}

/// A probability that is not 0 or 1 is never shown as 0 or 1, however few digits are requested.
#[test]
fn small_probabilities_are_not_zero() {
    assert!(summary("distribution 6 --digits 2").ends_with("probability 1/1024 ≈ 0.0009766."));
    assert!(summary("distribution 6 --digits 3").ends_with("probability 0.001."));
    assert!(summary("distribution 6 --quantiles 1").starts_with("No number of flips is enough"));
}

#[test]
fn functions_that_refuse_n_are_neither_fair_nor_unfair() {
    let text = summary("libraries python --target p256");
    assert!(text.contains("2 are exactly fair, and random.randrange, randint, choice of Python draws the fewest bits: about 256 + 5.960e-8 bits"), "{text}");
    assert!(text.ends_with("; 8 cannot take this n."), "{text}");
    let text = summary("libraries go --target p256");
    assert!(
        text.contains("2 are exactly fair") && text.ends_with("; 2 cannot take this n."),
        "{text}"
    );
    let none = summary("libraries jax-randint-uint8 --target p256");
    assert!(
        none.starts_with("Of 1 function, none can make a d"),
        "{none}"
    );
    assert!(summary("cost p256 -a cpython-secrets").contains("about 256 + 5.960e-8 flips"));
}

#[test]
fn rounded_values_are_marked() {
    use flipcost_number::Rational;
    use flipcost_question::summary::exact_phrase;
    let phrase = |p: u64, q: u64| exact_phrase(&Rational::new(p.into(), q.into()));
    // 8530.405 and 2035008.8 are rounded to four digits
    assert_eq!(phrase(8_530_405, 1000), "1706081/200 ≈ 8530");
    assert_eq!(phrase(10_175_044, 5), "10175044/5 ≈ 2035000");
    assert_eq!(phrase(1_000_001, 1000), "1000001/1000 = 1000 + 0.001");
}

/// Notes and errors explain the names of constants and formulas that have no value, and name a
/// question that can be asked instead.
#[test]
fn notes_and_errors_name_what_works() {
    let notes = |line: &str| {
        let answer = answer_to(line);
        let notes = answer
            .foot
            .notes
            .iter()
            .map(|note| note.render(flipcost_all::terminal()));
        notes.collect::<Vec<_>>().join("\n")
    };
    let text = notes("bias p256");
    assert!(
        text.contains(
            "p256 is the order of the group of P-256; the prime of the field of P-256 is p256p"
        ),
        "{text}"
    );
    assert!(
        text.contains("--words 320") && text.contains("--within 2^-128"),
        "{text}"
    );
    assert!(notes("cost secp256r1 -a fast-dice-roller").contains("P-256 is p256p"));
    assert!(notes("cost 2,6,10").contains("2,6,10, with a comma at its end means 3 dice"));
    // these notes do not suggest a flag, because no flag would help: a number has 150 billion
    // digits, or its factors are not found
    for line in [
        "cost 10^12+39 -a fast-dice-roller",
        "cost p256 -a fast-dice-roller",
    ] {
        let text = notes(line);
        assert!(
            text.contains("is left out") && !text.contains("--exact"),
            "{text}"
        );
    }
    let refusal = |line: &[&str]| query_from_words(line.iter().map(OsString::from)).unwrap_err();
    let text = refusal(&["flipcost", "cost", "5", "-c", "a=1/0"]);
    assert!(text.contains("a denominator cannot be 0"), "{text}");
    let text = refusal(&["flipcost", "cost", "d6!"]);
    assert!(
        text.ends_with("`flipcost law 'd6!'` has its probabilities"),
        "{text}"
    );
    let empty = answer_to("cost 5 -c 1/(n-5)");
    assert_eq!(*empty.cell(0, "1/(n-5)"), Cell::Undefined);
}
