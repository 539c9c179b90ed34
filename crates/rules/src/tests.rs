use super::*;
use flipcost::algorithms::{Faces, Purpose, Rule, find};
use flipcost::prelude::*;
use flipcost_number::Rational;
use num_traits::{One, Zero};

fn explored(text: &str, n: u32, m: u64) -> Result<ExploredChain, Fault> {
    let rule = RuleText {
        file: "my.rhai".into(),
        text: text.into(),
    };
    ExploredChain::new(&*rule.program(&n.into(), m)?, "my.rhai", m, 10_000)
}

fn mean(text: &str, n: u32, m: u64) -> String {
    let RuleVerdict::Finite(verdict) = verdict(text, n, m).unwrap() else {
        panic!("it has an end");
    };
    verdict.expected.unwrap().to_string()
}

fn verdict(text: &str, n: u32, m: u64) -> Result<RuleVerdict, Fault> {
    let rule = RuleText {
        file: "my.rhai".into(),
        text: text.into(),
    };
    rule.verdict(&Task::die(n, Source::die(m).unwrap()).unwrap(), false)
}

fn finite(text: &str, n: u32, m: u64) -> FiniteVerdict {
    match verdict(text, n, m) {
        Ok(RuleVerdict::Finite(finite)) => *finite,
        _ => panic!("it is finite"),
    }
}

const ROLLER: &str = "fn rule(n, m) { let v = 1; let c = 0; loop { while v < n { v *= 2; c = 2*c + flip(); } if c < n { return c; } v -= n; c -= n; } }";

#[test]
fn straight_code_becomes_its_chain() {
    for n in 1..60u32 {
        let roller = finite(ROLLER, n, 2);
        let law = FAST_DICE_ROLLER
            .law(&Task::die(n, Source::COIN).unwrap())
            .unwrap();
        assert_eq!(roller.expected, law.mean().ok(), "{n}");
        assert!(roller.fairness.is_fair());
    }
}

#[test]
fn steps_become_their_chain() {
    let text = "fn start(n, m) { [1, 0] }\n fn step(s, face, n, m) { let v = s[0] * m; let c = s[1] * m + face - 1; if v >= n { if c < n { return out(c); } v -= n; c -= n; } [v, c] }";
    assert_eq!(mean(text, 6, 2), "11/3");
}

#[test]
fn loops_and_functions_become_states() {
    let text = "fn below(k) { loop { let w = 0; for i in 0..3 { w = 2*w + flip(); } if w < k { return w; } } }
        fn rule(n, m) { let a = below(3); let b = below(5); (a + b) % n }";
    assert_eq!(mean(text, 3, 2), "64/5");
}

#[test]
fn assignment_operators_do_not_end_a_function() {
    let text = "fn below(k) { let v = 1; let c = 0; loop { while v < k { v *= 2; c = 2 * c + flip(); } if c < k { return c; } v -= k; c -= k; } }
        fn rule(n, m) { let x = below(3); x = 3 * x + below(3); x }";
    assert_eq!(mean(text, 9, 2), "16/3");
    let text = "fn rule(n, m) { let s = 0; for x in [1, 1, 1] { s = (s + flip()) % 2; s += 2; s -= 2; } s }";
    assert_eq!(mean(text, 2, 2), "3");
    let text = "fn rule(n, m) { let add = |a, b| a + b; let s = 0; for x in [1, 1, 1] { s = add.call(s, flip()); s %= 2; } s }";
    assert_eq!(mean(text, 2, 2), "3");
}

#[test]
fn a_table_becomes_its_chain() {
    let text = "state,face,next\na,1,b\na,2,c\nb,1,=0\nb,2,=1\nc,1,=2\nc,2,a\n";
    assert_eq!(mean(text, 3, 2), "8/3");
    let missing = explored("state,face,next\na,1,b\na,2,a\n", 3, 2)
        .err()
        .unwrap();
    assert_eq!(
        missing.to_string(),
        "my.rhai, line 2: state b has no row for face 1"
    );
}

/// State k ends with probability min(k x, 1). The mean is the sum of the products (1 - x) ... (1 -
/// k x) for all k, which the test computes exactly.
#[test]
fn a_table_of_long_decimals_is_solved() {
    let x = Rational::new(14_745_844_781_072_676u64.into(), 10u64.pow(18).into());
    let (mut text, mut reach, mut mean) = (
        "state,probability,next\n".to_string(),
        Rational::one(),
        Rational::zero(),
    );
    for k in 1..=68u32 {
        mean += &reach;
        let ends = (&x * Rational::from_integer(k.into())).min(Rational::one());
        let probability_to_continue = Rational::one() - &ends;
        text += &format!("s{k},{ends},={}\n", k % 2);
        if !probability_to_continue.is_zero() {
            text += &format!("s{k},{probability_to_continue},s{}\n", k + 1);
        }
        reach *= probability_to_continue;
    }
    let verdict = finite(&text, 2, 2);
    assert_eq!(verdict.expected, Some(mean.clone()));
    assert!(mean > Rational::from_integer(9.into()) && mean < Rational::from_integer(11.into()));
    // Each line of the table is a branch.
    assert_eq!((verdict.states, verdict.transitions), (68, 135));
}

#[test]
fn a_table_of_probabilities_becomes_its_chain() {
    let text = "state,probability,next\na,1/3,=0\na,0.5,=1\na,1/6,b\nb,0.25,a\nb,3/4,=0\n";
    let verdict = finite(text, 2, 2);
    // State a ends with probability 5/6; otherwise state b follows, which ends with probability
    // 3/4. A round takes 7/6 steps, and a new round begins with probability 1/24.
    assert_eq!(verdict.expected.unwrap().to_string(), "28/23");
    assert_eq!(
        verdict.fairness.probabilities[&0u8.into()].to_string(),
        "11/23"
    );
    assert_eq!(
        verdict.witness.as_deref(),
        Some("1 has 12/23 (as after a), 0 has 11/23 (as after a, a b)")
    );
    assert_eq!((verdict.states, verdict.rolls_source), (2, false));
    let fault = |rows: &str| {
        let text = format!("state,probability,next\n{rows}");
        explored(&text, 2, 2).err().unwrap().to_string()
    };
    assert_eq!(
        fault("a,1/3,=0\na,1/2,=1\n"),
        "my.rhai, line 2: the probabilities of state a sum to 5/6, and not to 1"
    );
    assert_eq!(fault("a,1,b\n"), "my.rhai, line 2: state b has no row");
    assert!(fault("a,p,=0\n").contains("\"p\" is not a probability"));
    assert!(fault("a,1e-20,=0\na,99999999999999999999e-20,=1\n").contains("common denominator"));
    let loaded = Task::new(
        Target::uniform(2u8).unwrap(),
        Source::loaded([1u8, 2]).unwrap(),
    );
    let refused = RuleText::parse(text).unwrap().verdict(&loaded, false);
    assert!(
        refused
            .err()
            .unwrap()
            .to_string()
            .contains("rolls no source")
    );
}

#[test]
fn an_endless_rule_is_rolled() {
    let text = "fn rule(n, m) { let k = 0; while flip() == 1 { k += 1; } k % n }";
    let algorithm = RULES.with(text).unwrap();
    let task = Task::die(3u8, Source::COIN).unwrap();
    let rolled = algorithm.roll(&task, &mut Faces::from_rolls("T T T T H"));
    let rolled = rolled.unwrap();
    assert_eq!((rolled.outcome, rolled.rolls), (1u8.into(), 5));
    let law = algorithm.law(&task).err().unwrap().to_string();
    assert!(law.contains("more than 5000 states"), "{law}");
}

#[test]
fn integers_may_have_any_size() {
    let text = "fn rule(n, m) { let a = 2 ** 100; a *= 3; let b = a % 7; a -= a; a += 9223372036854775807; a += 1; if a > 0 && -a < b { return b + (a >> 62); } 0 }";
    // 3 * 2^100 mod 7 = 6, and 2^63 >> 62 = 2.
    let outcome = explored(text, 10, 2).unwrap();
    assert_eq!(outcome.outcomes(), [8u8.into()]);
}

#[test]
fn an_endless_rule_is_enclosed() {
    // The outcome is the number of flips before heads, modulo 3. The counter k is unbounded: P(0) =
    // 1/7, ...
    let text = "fn rule(n, m) { let k = 0; while flip() == 1 { k += 1; } k % n }";
    let rule = RuleText {
        file: "my.rhai".into(),
        text: text.into(),
    };
    let program = rule.program(&3u8.into(), 2).unwrap();
    let enclosed = enclose(&*program, &Source::COIN, 2, 40, 100_000).unwrap();
    let power = |k: u32| {
        Rational::new(
            1.into(),
            num_traits::pow(flipcost_number::BigInt::from(2), k as usize),
        )
    };
    assert!(enclosed.undecided <= power(40));
    for (outcome, exact) in [(0u8, 4), (1, 2), (2, 1)] {
        let (low, exact) = (
            &enclosed.outcomes[&outcome.into()],
            Rational::new(exact.into(), 7.into()),
        );
        assert!(*low <= exact && exact <= low + &enclosed.undecided);
    }
    let two = Rational::from_integer(2.into());
    assert!(enclosed.rolls_at_least < two && enclosed.rolls_at_least > two - power(38));
}

/// The exact law of small chains lies within the bounds that are used for large chains, and the
/// bounds are narrow.
#[test]
fn the_bounds_of_a_chain_contain_its_law() {
    let ruin = "fn start(n, m) { 5 } fn step(x, face, n, m) { let y = if face == 1 { x + 1 } else { x - 1 }; if y == 0 { out(0) } else if y == 12 { out(1) } else { y } }";
    const FROM_SIX: &str = "fn rule(n, m) { loop { let v = 1; let c = 0; while v < n { v *= m; c = c*m + roll(m) - 1; } if c < n { return c; } } }";
    let bounded = "fn rule(n, m) { let x = 0; for i in 0..20 { x += flip(); } x % n }";
    for (text, n, source) in [
        (ROLLER, 6u8, "coin"),
        (FROM_SIX, 13, "d6"),
        (ruin, 2, "coin"),
        (ruin, 2, "p=2/5"),
        (bounded, 5, "coin"),
    ] {
        let task = Task::new(Target::uniform(n).unwrap(), source.parse().unwrap());
        let file = "my.rhai".into();
        let rule = RuleText {
            file,
            text: text.into(),
        };
        let explored = rule.explored(&task, false).unwrap();
        let prepared = explored.prepare(&task);
        let (check, law) = (prepared.check().unwrap(), prepared.law().unwrap());
        let bounds = enclose_chain(&explored, task.source().weights(), 64).unwrap();
        assert!(bounds.is_decided(60), "{source} {n}: {}", bounds.undecided);
        for (outcome, p) in &check.probabilities {
            let low = &bounds.outcomes[outcome];
            assert!(low <= p && *p <= low + &bounds.undecided, "{source} {n}");
        }
        let mean = law.mean().unwrap();
        let (low, high) = (bounds.rolls_at_least, bounds.rolls_at_most.unwrap());
        let width = &high - &low;
        assert!(low <= mean && mean <= high, "{source} {n}");
        assert!(
            width < Rational::new(1.into(), 1_000_000.into()),
            "{source} {n}"
        );
        assert_eq!(bounds.bounded, law.max().is_some());
    }
    // A rule that may never end has no upper bound.
    let text = "fn start(n, m) { 0 } fn step(x, face, n, m) { if x == 1 { 1 } else if face == 1 { out(0) } else { 1 } }";
    let explored = explored(text, 2, 2).unwrap();
    let bounds = enclose_chain(&explored, None, 64).unwrap();
    assert_eq!(bounds.undecided, Rational::new(1.into(), 2.into()));
    assert!(bounds.rolls_at_most.is_none() && !bounds.bounded);
}

#[test]
fn common_notations_are_accepted() {
    let rule = |file: &str, text: &str| RuleText {
        file: file.into(),
        text: text.into(),
    };
    let d2 = Task::die(2u8, Source::COIN).unwrap();
    let fault = |file: &str, text: &str| {
        let verdict = rule(file, text).verdict(&d2, false);
        verdict.err().unwrap().to_string()
    };
    // This table is written in the format of spreadsheets.
    let text = "\u{feff}\"State\",Face,next\r\n\"a\",1,=0\r\na,2,\"=1\"\r\n";
    let RuleVerdict::Finite(finite) = rule("my.csv", text).verdict(&d2, false).unwrap() else {
        panic!("a table of one state is finite")
    };
    assert!(finite.fairness.is_fair());
    let said = fault("my.csv", "state;face;next\na;1;=0\n");
    assert!(
        said.ends_with("state,face,next or state,probability,next was expected"),
        "{said}"
    );
    let said = fault(
        "my.rhai",
        "fn rule(n, m) { let total = flip(); totl = 2; total }",
    );
    assert!(said.ends_with("did you mean `total`?"), "{said}");
    let said = fault("my.rhai", "fn rule(n, m) { again() }");
    assert!(said.contains("again() is for fn step"), "{said}");
    let both = "fn start(n, m) { 0 } fn step(s, f, n, m) { out(f - 1) } fn rule(n, m) { 0 }";
    assert!(fault("my.rhai", both).contains("the rule in both forms"));
    let nested = "fn start(n, m) { 0 } fn step(s, f, n, m) { [s] }";
    assert!(fault("my.rhai", nested).contains("nested more than 64 deep"));
    let outcome = rule("my.rhai", "fn rule(n, m) { out(flip()) }");
    assert!(matches!(
        outcome.verdict(&d2, false),
        Ok(RuleVerdict::Finite(_))
    ));
}

#[test]
fn three_flips_modulo_6_are_not_fair() {
    let text = "fn rule(n, m) { let x = 0; for i in 0..3 { x = 2*x + flip(); } x % n }";
    let wrong = finite(text, 6, 2);
    assert_eq!(wrong.fairness.total_variation.to_string(), "1/6");
    assert_eq!(
        wrong.witness.as_deref(),
        Some("0 has 1/4 (as after HHH, TTH), 2 has 1/8 (as after HTH)")
    );
    assert_eq!(
        (wrong.expected.unwrap().to_string().as_str(), wrong.bounded),
        ("3", true)
    );
    assert!(finite(text, 8, 2).fairness.is_fair());
    let outside = finite("fn rule(n, m) { roll(6) + roll(6) - 2 }", 6, 6);
    assert!(
        !outside.fairness.is_fair() && outside.expected == Some(Rational::new(2.into(), 1.into()))
    );
    assert_eq!(
        outside.witness.as_deref(),
        Some("after rolls 2, 6 it gives 6, and the outcomes of a target with 6 are 0 to 5")
    );
}

#[test]
fn rules_that_may_never_end_are_not_fair() {
    let text = "fn start(n, m) { 0 } fn step(s, face, n, m) { if s == 0 { if face == 1 { out(0) } else { 1 } } else { 1 } }";
    let stuck = finite(text, 1, 2);
    assert_eq!(
        (
            stuck.fairness.ends.to_string().as_str(),
            stuck.expected.is_none()
        ),
        ("1/2", true)
    );
    assert_eq!(stuck.witness.as_deref(), Some("after T it never ends"));
}

#[test]
fn faults_name_the_line() {
    let fault = |text: &str| explored(text, 6, 2).err().unwrap().to_string();
    assert_eq!(
        fault("fn rule(n, m) {\n  let x = ;\n}").split(':').next(),
        Some("my.rhai, line 2")
    );
    let unended = "fn rule(n, m) {\n  let x = 0\n\n  // next\n  x\n}";
    assert!(fault(unended).starts_with("my.rhai, line 2: Expecting ';'"));
    let on_one_line = "fn rule(n, m) {\n  let x = 0 x\n}";
    assert!(fault(on_one_line).starts_with("my.rhai, line 2: Expecting ';'"));
    assert_eq!(
        fault("fn rule(n, m) {\n  flip() / 0\n}"),
        "my.rhai, line 2: division by zero"
    );
    assert_eq!(
        fault("fn rule(n, m) {\n  loop { }\n}"),
        "my.rhai, line 2: more than 10000000 operations in one run: it may never end"
    );
    assert!(
        fault("fn rule(n, m) { roll(6) }").contains("it rolls a d6, and the source has 2 sides")
    );
    assert!(fault("fn f(n) { n }").starts_with("my.rhai: a rule has either"));
    assert!(fault("fn rule(n, m) { let k = 0; loop { k += flip(); } }").contains("more than"));
}

#[test]
fn a_function_may_be_called_by_the_language() {
    let text = "fn rule(n, m) { let a = [0, 1]; let b = a.map(|x| flip()); 2 * b[0] + b[1] }";
    assert!(finite(text, 4, 2).fairness.is_fair());
}

#[test]
fn a_text_of_the_registry_has_the_law_of_the_registry() {
    for (id, text) in REGISTRY_RULES {
        let mut compared = 0;
        let sources = ["coin", "d3", "d6", "d8", "d16", "p=1/3", "p=1/4", "p=2/5"];
        for (n, source) in (1..8u32).flat_map(|n| sources.map(|source| (n, source))) {
            let task = Task::new(Target::uniform(n).unwrap(), source.parse().unwrap());
            let algorithm = find(id).unwrap();
            // The other rules are written for fair sources.
            let for_all = algorithm.purpose() == Purpose::UnknownSources;
            let Ok(prepared) = algorithm.prepare(&task) else {
                continue;
            };
            if !(for_all || task.source().is_fair()) {
                continue;
            }
            let law = prepared.law().unwrap();
            let rule = RuleText::parse(text).unwrap();
            let Ok(mean) = law.mean() else {
                if source.starts_with('d') {
                    continue; // with dice the rule has too many states to decide all but 2^-64
                }
                let RuleVerdict::Endless(known) = rule.verdict(&task, false).unwrap() else {
                    panic!("{id} {n} {source}: its law has no closed form, and its chain an end");
                };
                assert!(known.is_decided(64), "{id} {source}");
                for outcome in 0..n {
                    let (low, fair) = (
                        &known.outcomes[&outcome.into()],
                        Rational::new(1.into(), n.into()),
                    );
                    assert!(
                        *low <= fair && fair <= low + &known.undecided,
                        "{id} {source}"
                    );
                }
                let mean = law.mean_real();
                let low = &known.rolls_at_least;
                let more = low + Rational::new(1.into(), (1u64 << 50).into());
                assert!(mean > *low && mean < more, "{id} {source}");
                compared += 1;
                continue;
            };
            let outcomes = prepared.check().unwrap();
            let explored = rule.explored(&task, false).unwrap();
            let written = explored.prepare(&task);
            assert_eq!(
                written.check().unwrap().probabilities,
                outcomes.probabilities,
                "{id} {n} {source}"
            );
            let same = written.law().unwrap();
            assert_eq!(same.mean().unwrap(), mean, "{id} {n} {source}");
            assert_eq!(same.max(), law.max(), "{id} {n} {source}");
            compared += 1;
        }
        assert!(compared >= 4, "{id}");
    }
}

#[test]
fn a_bound_from_below_is_not_rounded_up() {
    let four_sevenths = Rational::new(4.into(), 7.into());
    assert_eq!(decimals_below(&four_sevenths), "0.571428571428");
    assert_eq!(
        decimals_below(&Rational::from_integer(23.into())),
        "23.000000000000"
    );
}

#[test]
fn arguments_of_functions_belong_to_the_state() {
    let text = "fn rank(cards) { let place = 0; for i in 0..cards.len() { let smaller = 0; for j in (i + 1)..cards.len() { if cards[j] < cards[i] { smaller += 1; } } place = place * (cards.len() - i) + smaller; } place }
        fn rule(n, m) { let cards = [0, 1, 2]; let x = flip(); rank(cards) + x }";
    assert!(finite(text, 2, 2).fairness.is_fair());
}

#[test]
fn growing_variables_are_a_fault_and_long_paths_are_shortened() {
    let fault = |text: &str| explored(text, 2, 2).err().unwrap().to_string();
    let said = fault("fn rule(n, m) { let a = []; loop { a.push(1); } }");
    assert!(said.contains("it may never end"), "{said}");
    let said = fault("fn rule(n, m) { let k = 0; loop { k += flip(); } }");
    assert!(said.contains("TTT... (") && said.len() < 200, "{said}");
}

/// A stranger may write a hostile rule. Whatever grows large in such a rule must soon end with an
/// error, without taking much memory.
#[test]
fn hostile_rules_stop_at_the_limits() {
    let many: String = (0..2000).map(|i| format!("fn f{i}(x) {{ x }}\n")).collect();
    let deep = format!(
        "fn rule(n, m) {{ {}0{} }}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let long = format!("fn rule(n, m) {{ {} 0 }}", "let x = 1;\n".repeat(30_000));
    let rule = |body: &str| format!("fn rule(n, m) {{ {body} }}");
    let cases = [
        (rule("loop { }"), "operations in one run"),
        (
            rule("let s = \"a\"; loop { s += s; }"),
            "Length of string too large",
        ),
        (rule("let a = [1]; loop { a += a; }"), "Size of array"),
        (rule("let a = [1]; loop { a.push(a); }"), "Size of array"),
        (rule("let a = []; a.pad(1000000000, 0); 0"), "Size of array"),
        (
            rule("let m = #{}; let i = 0; loop { m[`k${i}`] = i; i += 1; }"),
            "the values in its variables",
        ),
        (
            rule("let x = 3; loop { x *= x; }"),
            "an integer of more than 65536 bits",
        ),
        (
            rule("2 ** 9223372036854775807"),
            "an integer of more than 65536 bits",
        ),
        (
            rule("1 << 4611686018427387904"),
            "an integer of more than 65536 bits",
        ),
        (
            rule("let f = 1; let i = 1; loop { i += 1; f *= i; }"),
            "an integer of more than 65536 bits",
        ),
        (
            "fn f(x) { f(x) } fn rule(n, m) { f(1) }".to_string(),
            "64 nested calls",
        ),
        (format!("{many}{}", rule("0")), "functions"),
        (deep, "maximum complexity"),
        (long, "a program has at most 262144 bytes"),
        (rule("eval(\"1\")"), "eval"),
        (rule("import \"std\"; 0"), "import"),
        (rule("open_file(\"/etc/passwd\"); 0"), "Function not found"),
        (rule("timestamp(); 0"), "Function not found"),
        (
            rule("rand(); 0"),
            "only flip(), roll(m) and word(w) are random",
        ),
        (
            rule("x = flip(); x"),
            "Variable not found: x: `let x = ...` makes one",
        ),
    ];
    for (text, sentence) in cases {
        let shown = &text[..text.len().min(60)];
        let fault = explored(&text, 2, 2).err().map(|fault| fault.to_string());
        let fault = fault.unwrap_or_else(|| panic!("{shown} is no fault"));
        assert!(fault.contains(sentence), "{shown}: {fault}");
        assert!(
            fault.len() < 1000 && !fault.contains('\n'),
            "{shown}: {fault}"
        );
    }
}

/// The page stops a rule after some seconds. A program that consists of many short runs must be
/// stopped even between these runs.
#[test]
fn a_rule_is_stopped_when_its_time_is_over() {
    let text = "fn rule(n, m) { let k = 0; loop { let i = 0; while i < 100000 { i += 1; } k += 1 + flip(); } }";
    let time = std::time::Duration::from_millis(200);
    let budget = flipcost_number::budget::Budget::default().timeout(time);
    let begun = std::time::Instant::now();
    assert!(budget.run(|| verdict(text, 2, 2).is_err()).is_err());
    assert!(begun.elapsed() < 50 * time);
}
