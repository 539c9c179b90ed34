use super::trees::{Tree, numbers, trees};
use super::*;
use crate::grammar::parse::{MAX_DEPTH, MAX_SYMBOLS};
use proptest::prelude::*;

static WORDS: Vocabulary = Vocabulary {
    noun: "a text",
    operand: "a value was expected",
    operator: "a sign was expected",
    names: true,
    dice: true,
    functions: &[],
};

fn parse(text: &str) -> Result<Expr, ExpressionError> {
    Expr::parse(text, &WORDS)
}

fn leaves() -> impl Strategy<Value = Tree> {
    let dice = "[0-9]{0,3}d[0-9]{1,3}(ro1)?!?(kh2|dl1|cs>=3)?".prop_map(Tree::Dice);
    prop_oneof![
        numbers("[0-9](_?[0-9]){0,3}"),
        numbers("[0-9]{0,2}\\.[0-9]{1,2}|[0-9]\\.|[0-9.]?[0-9][eE][-+]?[0-9]"),
        dice,
        prop::sample::select(&["a", "d", "c6", "e", "cycle_rounds", "X2"]).prop_map(Tree::Name),
    ]
}

fn any_tree() -> impl Strategy<Value = Tree> {
    trees(leaves(), &Operator::ALL, true, true, &["f", "log2"])
}

proptest! {
    #[test]
    fn printed_queries_are_read_back(tree in any_tree()) {
        let expr = tree.expr();
        prop_assert_eq!(&parse(&tree.text()).unwrap(), &expr);
        let printed = expr.to_string();
        let again = parse(&printed).unwrap();
        prop_assert_eq!(&again, &expr, "{}", printed);
        prop_assert_eq!(again.to_string(), printed);
    }

    /// A comparison splits into its left side, its operator and its right side.
    #[test]
    fn a_comparison_splits_into_its_sides(
        left in any_tree(), right in any_tree(), operator in prop::sample::select(&Operator::ALL[..]),
    ) {
        let (x, y) = (left.expr(), right.expr());
        let whole = Tree::Binary(operator, left.into(), right.into()).expr();
        let is_comparison = ["<", "<=", "=", "!=", ">=", ">"].contains(&operator.sign());
        let expected = is_comparison.then_some((x, operator, y));
        prop_assert_eq!(whole.comparison(), expected);
    }

    /// Every pair of brackets that `Display` writes is necessary: without these brackets the text
    /// has a different meaning.
    #[test]
    fn every_written_bracket_is_necessary(tree in any_tree()) {
        let expr = tree.expr();
        let printed = expr.to_string();
        let mut open = Vec::new();
        for (i, c) in printed.char_indices() {
            if c == '(' {
                open.push(i);
            } else if c == ')' {
                let from = open.pop().unwrap();
                if printed[..from].ends_with(|c: char| c.is_alphanumeric()) {
                    continue;
                }
                let (inner, after) = (&printed[from + 1..i], &printed[i + 1..]);
                let without = format!("{}{inner}{after}", &printed[..from]);
                prop_assert_ne!(parse(&without).ok(), Some(expr.clone()), "{}", printed);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_at_one_of_its_characters(
        text in "[-0-9_+*^!()/%<=>,. abdez]{0,16}|.{0,8}|(ln\\(|3d6|\\(|1|!|-|é){0,12}"
    ) {
        match parse(&text) {
            Ok(expr) => {
                prop_assert_eq!(expr.text(), &text);
                prop_assert_eq!(&parse(&expr.to_string()).unwrap(), &expr);
                let within = |(_, at)| at < text.chars().count();
                prop_assert!(expr.names().all(within));
            }
            Err(error) => {
                prop_assert!(error.position() <= text.chars().count());
                prop_assert!(!error.to_string().contains(char::is_control));
            }
        }
        if let Err(error) = Formula::read(&text, &["a", "b"]) {
            prop_assert!(error.position() <= text.chars().count());
        }
    }

    /// The value of a formula agrees with the same operators on Rust's integers.
    #[test]
    fn formulas_agree_with_checked_arithmetic(
        tree in trees(
            prop_oneof![numbers("[0-9]{1,2}|9{18}"), Just(Tree::Name("a")), Just(Tree::Name("b"))],
            FORMULA, false, true, &[],
        ),
        a in -9i64..9,
        b in any::<i64>(),
    ) {
        let formula = Formula::read(&tree.text(), &["a", "b"]).unwrap();
        prop_assert_eq!(formula.value(&[a, b]).ok(), evaluate_in_128_bits(&tree, a, b));
    }
}

const FORMULA: &[Operator] = &[
    Operator::Plus,
    Operator::Minus,
    Operator::Times,
    Operator::Over,
    Operator::Modulo,
    Operator::Less,
    Operator::AtMost,
    Operator::Equal,
    Operator::AtLeast,
    Operator::Greater,
];

/// Evaluates a tree by recursion, in 128 bits; `None` if any intermediate result exceeds 64 bits.
fn evaluate_in_128_bits(tree: &Tree, a: i64, b: i64) -> Option<i64> {
    let value: i128 = match tree {
        Tree::Number(text) => text.parse().unwrap(),
        Tree::Name("a") => a.into(),
        Tree::Name(_) => b.into(),
        Tree::Negate(x) => -i128::from(evaluate_in_128_bits(x, a, b)?),
        Tree::Binary(operator, x, y) => {
            let (x, y) = (
                i128::from(evaluate_in_128_bits(x, a, b)?),
                i128::from(evaluate_in_128_bits(y, a, b)?),
            );
            match operator {
                Operator::Plus => x + y,
                Operator::Minus => x - y,
                Operator::Times => x * y,
                Operator::Over | Operator::Modulo if y == 0 => return None,
                Operator::Over => (x - x.rem_euclid(y)) / y,
                // i64::MIN % -1 has no quotient
                Operator::Modulo if (x, y) == (i64::MIN.into(), -1) => return None,
                Operator::Modulo => ((x % y) + y.abs()) % y.abs(),
                Operator::Less => (x < y).into(),
                Operator::AtMost => (x <= y).into(),
                Operator::Equal => (x == y).into(),
                Operator::AtLeast => (x >= y).into(),
                Operator::Greater => (x > y).into(),
                _ => unreachable!("not among those that are drawn"),
            }
        }
        _ => unreachable!("not among those that are drawn"),
    };
    value.try_into().ok()
}

#[test]
fn formulas_bind_as_in_arithmetic() {
    let value = |text: &str| Formula::read(text, &["a", "b"]).unwrap().value(&[5, 3]);
    for (text, is) in [
        ("a + 2 * b", 11),
        ("(a + 2) * b", 21),
        ("a - b - 1", 1),
        ("a * 2 % 4", 2),
        ("a <= b + 2", 1),
        ("a / b", 1),
        ("a = b", 0),
        ("a == b + 2", 1),
        ("a > b > 0", 1),
        ("-a + 6", 1),
        ("1_0 - a", 5),
        ("1e1 - 2.50e1/5", 5),
    ] {
        assert_eq!(value(text), Ok(is), "{text}");
    }
    for (text, at, what) in [
        ("a / (b - 3)", 2, "a divisor was 0"),
        ("a % (b - 3)", 2, "a divisor was 0"),
        ("a * 9_000_000_000_000_000_000", 2, "exceeded 2^63"),
    ] {
        let error = value(text).unwrap_err();
        assert_eq!(error.position(), at, "{error}");
        assert!(error.what().contains(what), "{error}");
    }
    for (text, at, what) in [
        ("", 0, "a number, a variable"),
        ("a +", 3, "a number, a variable"),
        ("a b", 2, "one of + -"),
        ("ab", 0, "only a, b have a value"),
        ("(a", 2, "')' is missing"),
        ("a)", 1, "one of + -"),
        ("a & b", 2, "one of + -"),
        ("a != b", 2, "one of + -"),
        ("a and b", 2, "one of + -"),
        ("a ^ 2", 2, "one of + -"),
        ("a!", 1, "one of + -"),
        ("3d6", 1, "one of + -"),
        ("1.5", 0, "a whole number"),
        ("15e-1", 0, "a whole number"),
        ("1e19", 0, "below 2^63"),
        ("abs(a)", 0, "a number, a variable"),
        ("99999999999999999999", 0, "below 2^63"),
    ] {
        let error = Formula::read(text, &["a", "b"]).unwrap_err();
        assert_eq!(error.position(), at, "{error}");
        assert!(error.what().contains(what), "{error}");
    }
}

/// Where dice are allowed, `and`, `or` and `!=` are operators. Chained comparisons of three values
/// are then errors, because they are ambiguous.
#[test]
fn dice_allow_and_or_and_not_equal() {
    for (text, printed) in [
        ("a>3 and b!=2", "a > 3 and b != 2"),
        ("a or b and c", "a or b and c"),
        ("(a or b) and c", "(a or b) and c"),
        ("(2<3)<4", "(2 < 3) < 4"),
        ("(3d6)!", "(3d6)!"),
        ("3d6! = 2", "3d6! = 2"),
        ("d6!=2", "d6 != 2"),
        ("d6!==2", "d6 != =2"),
    ] {
        match parse(text) {
            Ok(expr) => assert_eq!(expr.to_string(), printed),
            Err(_) => assert_eq!(text, "d6!==2"),
        }
    }
    let error = parse("1 < 2 < 3").unwrap_err();
    assert!(
        error.position() == 6 && error.what().contains("joined by `and`"),
        "{error}"
    );
}

#[test]
fn depth_and_length_are_limited() {
    for (before, middle, after, levels) in [
        ("(", "1", ")", 1),
        ("-", "1", "", 1),
        ("2^", "1", "", 1),
        ("f(", "1", ")", 1),
        ("f(1,", "1", ")", 1),
        ("1-(2*-(", "3", "))", 3),
    ] {
        let text = |times: usize| before.repeat(times) + middle + &after.repeat(times);
        let most = MAX_DEPTH as usize / levels;
        let expr = parse(&text(most)).unwrap();
        assert_eq!(parse(&expr.to_string()), Ok(expr));
        for times in [most + 1, 100_000] {
            let error = parse(&text(times)).unwrap_err();
            assert!(error.what().contains("50 levels"), "{error}");
        }
    }
    for (first, part, last, most) in [
        ("", "1+", "1", 4999),
        ("", "a-", "1", 4999),
        ("f(1", ",1", ")", 4998),
        ("1", "!", "", 9999),
    ] {
        let text = |times: usize| first.to_string() + &part.repeat(times) + last;
        let expr = parse(&text(most)).unwrap();
        assert_eq!(parse(&expr.to_string()), Ok(expr));
        for times in [most + 1, 200_000] {
            let error = parse(&text(times)).unwrap_err();
            assert_eq!(error.position(), MAX_SYMBOLS, "{error}");
            assert!(error.what().contains("10000 numbers, names and signs"));
        }
    }
}

#[test]
fn errors_say_at_which_character() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    let head = "\"1 é\" is not a text that can be used: ";
    assert_eq!(
        error("1 é"),
        format!("{head}a sign was expected, at character 3 ('é')")
    );
    assert!(error("").ends_with("a value was expected, but nothing is there"));
    assert!(error("1+").ends_with("at its end (character 3)"));
    let long = error(&("1+".repeat(40) + "\u{1b}[2J"));
    assert!(
        long.starts_with(&format!("\"{}1...\" is", "1+".repeat(28))),
        "{long}"
    );
    assert!(long.ends_with("at character 81 ('\\u{1b}')"), "{long}");
}
