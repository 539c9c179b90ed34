use super::super::Weights;
use super::DiceLaw;
use flipcost_number::Rational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use std::collections::BTreeMap;

type LetterList = &'static [(&'static str, u64)];

fn law_of(text: &str, letters: &[(&str, u64)]) -> DiceLaw {
    DiceLaw::read(text, letters, 1).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn law(text: &str) -> DiceLaw {
    law_of(text, &[])
}

fn rational(p: i64, q: i64) -> Rational {
    Rational::new(p.into(), q.into())
}

fn counts(text: &str) -> Vec<(i64, u64)> {
    let law = law(text);
    let all = Rational::from_integer(law.combinations().unwrap().into());
    let count = |p: &Rational| u64::try_from((p * &all).to_integer()).unwrap();
    let (values, rest) = law.values(&Rational::zero());
    assert!(rest.is_zero());
    values.iter().map(|(value, p)| (*value, count(p))).collect()
}

/// The probability that a comparison holds.
fn chance(text: &str) -> Rational {
    let (values, rest) = law(text).values(&Rational::zero());
    assert!(
        rest.is_zero() && values.iter().all(|(value, _)| [0, 1].contains(value)),
        "{text}"
    );
    values
        .into_iter()
        .filter(|(value, _)| *value == 1)
        .map(|(_, p)| p)
        .sum()
}

/// Computes the values for all rolls of n dice of s sides, and how often each value occurs.
fn listed(n: u32, s: u64, value: impl Fn(&mut Vec<i64>) -> i64) -> Vec<(i64, u64)> {
    let mut all = BTreeMap::new();
    for roll in 0..s.pow(n) {
        let mut faces: Vec<i64> = (0..n)
            .map(|die| (roll / s.pow(die) % s) as i64 + 1)
            .collect();
        faces.sort_unstable_by(|x, y| y.cmp(x));
        *all.entry(value(&mut faces)).or_default() += 1;
    }
    all.into_iter().collect()
}

#[test]
fn pools_are_what_all_rolls_give() {
    for (n, s) in [
        (1, 1),
        (1, 6),
        (2, 4),
        (3, 3),
        (3, 6),
        (4, 4),
        (5, 3),
        (4, 6),
    ] {
        let dice = format!("{n}d{s}");
        assert_eq!(
            counts(&dice),
            listed(n, s, |faces| faces.iter().sum()),
            "{dice}"
        );
        let hits = |faces: &[i64]| faces.iter().filter(|face| **face >= 3).count() as i64;
        assert_eq!(
            counts(&format!("{dice}cs>=3")),
            listed(n, s, |faces| hits(faces))
        );
        assert_eq!(
            counts(&format!("count({dice} >= 3)")),
            listed(n, s, |faces| hits(faces))
        );
        assert_eq!(
            counts(&format!("count(3 <= {dice})")),
            listed(n, s, |faces| hits(faces))
        );
        for k in 1..=n as usize {
            for (kept, places) in [
                (format!("kh{k}"), 0..k),
                (format!("kl{k}"), n as usize - k..n as usize),
                (format!("dl{}", n as usize - k), 0..k),
                (format!("dh{}", n as usize - k), n as usize - k..n as usize),
            ] {
                if kept.ends_with('0') {
                    continue;
                }
                let kept = format!("{dice}{kept}");
                let sum = listed(n, s, |faces| faces[places.clone()].iter().sum());
                assert_eq!(counts(&kept), sum, "{kept}");
                let counted = listed(n, s, |faces| hits(&faces[places.clone()]));
                assert_eq!(counts(&format!("{kept}cs >= 3")), counted, "{kept}");
            }
        }
        if n >= 3 {
            let middle = listed(n, s, |faces| faces[1..n as usize - 1].iter().sum());
            assert_eq!(counts(&format!("{dice}dh1dl1")), middle);
        }
    }
    assert_eq!(
        counts("4dF"),
        listed(4, 3, |faces| faces.iter().map(|face| face - 2).sum())
    );
    assert_eq!(law("2d%").combinations(), Some(10_000u32.into()));
}

/// Every die is listed as two rolls; the second counts if the first is one to be rolled again.
#[test]
fn dice_are_rolled_again_once() {
    for (text, s, again) in [
        ("d6ro1", 6, 1..=1),
        ("d6ro<=2", 6, 1..=2),
        ("d4ro>=4", 4, 4..=4),
    ] {
        let mut all: BTreeMap<i64, u64> = BTreeMap::new();
        for first in 1..=s {
            for second in 1..=s {
                let face = if again.contains(&first) {
                    second
                } else {
                    first
                };
                *all.entry(face).or_default() += 1;
            }
        }
        assert_eq!(counts(text), all.into_iter().collect::<Vec<_>>(), "{text}");
    }
    // A die shows 2 to 6 with probability 7/36 each, and 1 with 1/36: its mean is 141/36
    assert_eq!(law("4d6ro1").moments().0, rational(4 * 141, 36));
}

/// Published values: 4d6 without the lowest die is 18 with probability 21/1296 and has the mean
/// 15869/1296; the higher of two d20 has the mean 553/40 (both are in the manuals of AnyDice); 3d6
/// is 15 or more with probability 20/216; in the game Vampire, a d10 is a success if it shows 6 or
/// more.
#[test]
fn known_values() {
    assert_eq!(chance("4d6kh3 = 18"), rational(21, 1296));
    assert_eq!(law("4d6kh3").moments().0, rational(15869, 1296));
    assert_eq!(chance("4d6kh3 >= 10"), rational(1296 - 227, 1296));
    assert_eq!(law("2d20kh1").moments().0, rational(553, 40));
    assert_eq!(law("2d20kl1").moments().0, rational(287, 40));
    assert_eq!(chance("3d6 >= 15"), rational(5, 54));
    assert_eq!(chance("5d10cs>=6 >= 3"), rational(1, 2));
    assert_eq!(chance("3d6 >= 15 and 3d6 >= 15"), rational(25, 54 * 54));
    assert_eq!(chance("d6 != 6"), rational(5, 6));
    assert_eq!(chance("d6 = 6 or d6 == 6"), rational(11, 36));
    assert_eq!(
        law("max(d6, d8)").moments(),
        law_of("max(a, b)", &[("a", 6), ("b", 8)]).moments()
    );
    assert_eq!(law("max(d20, d20)").moments(), law("2d20kh1").moments());
    assert_eq!(
        law("count(d6 >= 5, d8 >= 5)").moments().0,
        rational(1, 3) + rational(1, 2)
    );
    assert_eq!(
        law("1000d6").moments(),
        (rational(3500, 1), rational(1000 * 35, 12))
    );
    assert_eq!(
        law("100d20kh50").moments().0 + law("100d20kl50").moments().0,
        rational(1050, 1)
    );
}

/// The probability of a value of one exploding die, by a formula found by hand: each explosion of a
/// d6 divides the probability by 6.
fn exploding(sides: i64, value: i64) -> Rational {
    let explosions = (value / sides) as i32;
    if value % sides == 0 {
        Rational::zero()
    } else {
        rational(1, sides).pow(explosions + 1)
    }
}

#[test]
fn explosions_have_rational_means() {
    let third = |text: &str| law(text).moments().0;
    for s in 2..=20 {
        // E = (s + 1) / 2 + E / s
        let die = format!("d{s}!");
        assert_eq!(third(&die), rational(s * (s + 1), 2 * (s - 1)), "{die}");
        let (values, rest) = law(&die).values(&rational(1, 1_000_000));
        assert!(rest < rational(1, 1_000_000) && values.iter().all(|(_, p)| !p.is_zero()));
        let all: Rational = values.iter().map(|(_, p)| p).sum();
        assert_eq!(all + rest, Rational::one());
        values
            .iter()
            .for_each(|(value, p)| assert_eq!(*p, exploding(s, *value), "{die}"));
        // V = E(X^2) - E^2, X = R + s K with K geometric
        let odds = rational(1, s - 1);
        let rest = (1..s).map(|r| rational(r * r, s - 1)).sum::<Rational>() - rational(s, 2).pow(2);
        let variance = rest + rational(s * s, 1) * &odds * (Rational::one() + odds);
        assert_eq!(law(&die).moments().1, variance, "{die}");
    }
    assert_eq!(third("d6!"), rational(21, 5));
    assert_eq!(third("3d6! + 2"), rational(63, 5) + rational(2, 1));
    assert_eq!(third("10 - 2*d6!"), rational(10, 1) - rational(42, 5));
    assert_eq!(third("d6ro1!"), rational(141, 36) * rational(36, 29));
    for (n, k) in [(2, 1), (3, 1), (3, 2), (4, 3), (5, 2)] {
        for s in [4, 6, 10] {
            let high = third(&format!("{n}d{s}!!kh{k}"));
            let low = third(&format!("{n}d{s}!!dh{k}"));
            assert_eq!(high + low, third(&format!("{n}d{s}!")), "{n}d{s}!!kh{k}");
        }
    }
    for (x, y) in [
        ("d6!", "d8!"),
        ("2d4!", "d6! + 1"),
        ("d6!", "3d4"),
        ("-d6!", "-d4!"),
        ("d6! - 8", "-2"),
    ] {
        let sum = third(&format!("max({x}, {y})")) + third(&format!("min({x}, {y})"));
        assert_eq!(sum, third(&format!("{x} + {y}")), "{x}, {y}");
    }
}

#[test]
fn every_probability_of_an_explosion_is_known() {
    // Compares the law with all triples of values up to 30.
    let p: Vec<Rational> = (0..=30).map(|value| exploding(6, value)).collect();
    let mut two_of_three = vec![Rational::zero(); 31];
    for a in 1..=30usize {
        for b in 1..=30usize {
            for c in 1..=30usize {
                let sum = a + b + c - a.min(b).min(c);
                if sum <= 30 {
                    two_of_three[sum] += &p[a] * &p[b] * &p[c];
                }
            }
        }
    }
    for (value, wanted) in two_of_three.iter().enumerate() {
        assert_eq!(
            chance(&format!("total(3d6!!kh2) = {value}")),
            *wanted,
            "{value}"
        );
    }
    // Checks the higher of two dice, and a sum that is computed from its parts.
    let q: Vec<Rational> = (0..=30).map(|value| exploding(8, value)).collect();
    let up_to = |p: &[Rational], value: usize| p[..=value].iter().sum::<Rational>();
    for value in 1..=30usize {
        let both = up_to(&p, value) * up_to(&q, value);
        assert_eq!(
            chance(&format!("max(d6!, d8!) <= {value}")),
            both,
            "{value}"
        );
        let sum: Rational = (0..=value).map(|a| &p[a] * &q[value - a]).sum();
        assert_eq!(chance(&format!("d6! + d8! = {value}")), sum, "{value}");
        assert_eq!(chance(&format!("-d6! - d8! = -{value}")), sum, "{value}");
        let low = chance(&format!("min(d6!, 17) = {value}"));
        let wanted = match value {
            ..17 => p[value].clone(),
            17 => Rational::one() - up_to(&p, 16),
            _ => Rational::zero(),
        };
        assert_eq!(low, wanted, "{value}");
    }
    assert_eq!(chance("d6! >= 10"), rational(1, 12));
    assert_eq!(chance("d6! > 100"), rational(1, 6).pow(16) * rational(2, 6));
    assert_eq!(
        chance("count(3d6! >= 10) >= 1"),
        Rational::one() - rational(11, 12).pow(3)
    );
    assert_eq!(chance("3d6!!kl1 >= 10"), rational(1, 12).pow(3));
    assert_eq!(
        chance("3d6!!kh2cs>=10 >= 1"),
        Rational::one() - rational(11, 12).pow(3)
    );
    // The probability that two equal dice have the same total is the sum of 5 / 36^k.
    assert_eq!(chance("d6! = d6!"), rational(1, 7));
    assert_eq!(chance("d6! > d6!"), rational(3, 7));
    assert_eq!(chance("-d6! < -d6!"), rational(3, 7));
    assert_eq!(chance("d6! >= 8 - d6!"), chance("2d6! >= 8"));
    for (x, y) in [
        ("d6!", "d8!"),
        ("d6!", "2d4"),
        ("3d4!!kh2", "d12!"),
        ("10 - d6!", "d4!"),
    ] {
        let all = ["<", "=", ">"].map(|sign| chance(&format!("{x} {sign} {y}")));
        assert_eq!(all.iter().sum::<Rational>(), Rational::one(), "{x}, {y}");
        assert_eq!(chance(&format!("{x} <= {y}")), &all[0] + &all[1]);
        assert_eq!(chance(&format!("{y} < {x}")), all[2]);
        assert_eq!(chance(&format!("{x} != {y}")), &all[0] + &all[2]);
        assert_eq!(chance(&format!("{x} >= {y}")), &all[1] + &all[2]);
    }
    let (values, rest) = law("-d6!").values(&rational(1, 30));
    assert_eq!(
        (values.len(), values[0].0, values[9].0, rest),
        (10, -11, -1, rational(1, 36))
    );
    assert!(law("-d6!").falls() && !law("d6!").falls() && !law("total(d6!) > 3").falls());
    // As a target, a formula with finitely many outcomes is accepted, and an endless formula is an
    // error.
    let bounded = "min(d6!, 8)".parse::<Weights>().unwrap();
    assert_eq!(bounded.target().to_string(), "6:6:6:6:6:1:5");
    let error = "3d6!".parse::<Weights>().unwrap_err().to_string();
    assert!(
        error.contains("3d6! >= 10") && error.contains("has no end"),
        "{error}"
    );
}

/// A formula of dice has the same law as the formula with a separate letter for every die, and as
/// the list of all combinations of faces.
#[test]
fn expressions_are_formulas() {
    let formulas: [(&str, &str, LetterList); 8] = [
        ("3d6", "a + b + c", &[("a", 6), ("b", 6), ("c", 6)]),
        ("2d6 + 1", "a + b + 1", &[("a", 6), ("b", 6)]),
        ("1d8 - 2d4", "a - b - c", &[("a", 8), ("b", 4), ("c", 4)]),
        ("1d6 * 1d4 % 5", "a * b % 5", &[("a", 6), ("b", 4)]),
        ("2d6 >= 7", "a + b >= 7", &[("a", 6), ("b", 6)]),
        ("-1d10 / 3", "-a / 3", &[("a", 10)]),
        ("max(d6, d4) - 1", "max(a, b) - 1", &[("a", 6), ("b", 4)]),
        (
            "3d4kh2",
            "a + b + c - min(a, b, c)",
            &[("a", 4), ("b", 4), ("c", 4)],
        ),
    ];
    for (dice, formula, letters) in formulas {
        let once = law(dice).weights().unwrap();
        assert_eq!(once, law_of(formula, letters).weights().unwrap(), "{dice}");
        // A letter that occurs twice is evaluated for each of its faces.
        let again: String = letters
            .iter()
            .map(|(letter, _)| format!(" + 0 * {letter}"))
            .collect();
        let twice = law_of(&format!("{formula}{again}"), letters);
        assert_eq!(
            (once, twice.combinations()),
            (
                twice.weights().unwrap(),
                law_of(formula, letters).combinations()
            )
        );
    }
    assert_eq!(
        law_of("a >= 2 and a <= 5", &[("a", 6)]).moments().0,
        rational(2, 3)
    );
    assert_eq!(
        law_of("d6! >= 10 and a = 1 or a = 2", &[("a", 6)])
            .moments()
            .0,
        rational(1 + 12, 72)
    );
}

#[test]
fn a_letter_may_come_twice() {
    let double = law_of("a * a", &[("a", 3)]).weights().unwrap();
    assert_eq!(double.target().to_string(), "3");
    assert_eq!(double.label(&2u8.into()), "9");
    // A letter without sides is not a die.
    let dice = [("a", 2), ("b", 2), ("c", 2), ("d", 2)];
    assert_eq!(law_of("d%2 + d6", &dice).combinations(), Some(12u8.into()));
}

#[test]
fn large_and_invalid_formulas_are_refused() {
    for (text, why) in [
        ("1000000d1000", "67108864 steps"),
        ("0d6", "1 to 2^20 dice"),
        ("1d0", "of 1 to 2^22 sides"),
        ("1d6 / (1d3 - 1)", "a divisor can be 0"),
        ("99999999999999999999d6", "below 2^64"),
        ("4d6kh5", "1 to 4 of 4 dice are kept"),
        ("4d6k0", "1 to 4 of 4 dice are kept"),
        ("4d6dl4", "1 to 3 of 4 dice are dropped"),
        ("4d6kh", ""),
        ("4d6y3", "only these modifiers are known: kh3"),
        ("4d6x3", "are 4d6!"),
        ("1d6kh1!", "in this order: ro1"),
        ("2d6ro12", "no face is 12: several faces"),
        ("4d6rr0", "as in rr<=2"),
        ("d6+d8kh1", "the higher of two dice is written max(d6, d8)"),
        ("4d6-L", "dl1 or dh1, as in 4d6dl1"),
        ("1/2d6", "is 1*d6/2, and a number divided by 2 dice 1/(2d6)"),
        ("3d6x5", "dice that explode on 5 have no formula here"),
        ("3d6x6", "dice that explode on 6 are 3d6!"),
        ("d00", "a d100 is written d%"),
        ("6x4d6kh3", "flipcost roll d4 --count 6"),
        ("3W6+2", "dice are written with d, as in 3d6"),
        ("1d6\u{2013}1", "the minus sign is written -"),
        ("2d6\u{d7}3", "a product is written with *"),
        ("3(d6+1)", "a product is written with *"),
        ("1'234", "grouped by _"),
        ("d6ro1ro2", "ro1 or rr<=2 once"),
        ("d6!!!", "only these modifiers are known"),
        ("d1!", "would explode forever"),
        ("4dF!", "dF does not explode"),
        ("5d10cs", "a face was expected"),
        ("1 <= 2d6 <= 5", "joined by `and`"),
        ("max(2d20)", "2d20kh1"),
        ("avg(2d20)", "max(a, b)"),
        ("count(2d20)", "count takes comparisons"),
        ("count(5d10cs>=8 >= 2)", "count counts dice"),
        ("count(5d10+2 >= 8)", "as in 5d10+2 >= 8"),
        ("d10k", "thousands of sides are written d10000"),
        ("4d6 drop lowest", "4d6kh3"),
        ("d20 vs 15", "d20 >= 15"),
        ("d6 ^ 2", "one of + -"),
        ("3d6 %", "a number, dice such as 3d6"),
        ("(3d6) %", "a value was expected after %"),
        ("(d6)!", "one of + -"),
        ("d6! - d6!", "compare them"),
        ("d6! * d6", "can only be added"),
        ("d6! % 2", "can only be added"),
        ("d6! >= 20000", "10000 values at most"),
        ("max(d6!, -d6!)", "work only if both have a least value"),
        ("9000000000000000000 * d6", "2^63"),
    ] {
        let read = DiceLaw::read(text, &[], 1);
        match read {
            Ok(_) => assert!(why.is_empty(), "{text}"),
            Err(error) => assert!(
                !why.is_empty() && error.to_string().contains(why),
                "{text}: {error}"
            ),
        }
    }
    assert!(DiceLaw::read("a", &[("a", 1 << 40)], 1).is_err());
    assert!(DiceLaw::read("a + a", &[("a", 1 << 40)], 1).is_err());
    assert!(DiceLaw::read("a", &[("a", 0)], 1).is_err());
    assert!(DiceLaw::read("a + b", &[("a", 6)], 1).is_err());
    assert!(DiceLaw::read("a + a + d6!", &[("a", 6)], 1).is_err());
    assert_eq!(
        law("100d6").weights().unwrap().target().possible(),
        501u16.into()
    );
}

proptest! {
    /// The parser does not panic on any text.
    #[test]
    fn any_formula_is_read_or_refused(
        text in "([1-4]?d[1-6%F]|kh1|kl2|dl1|ro1|!|cs>=2|[-+*/%]| and | or |>=|<|!=|max\\(|count\\(|min\\(|,|\\)|\\(|[0-9]|a|b){0,12}"
    ) {
        if let Ok(law) = DiceLaw::read(&text, &[("a", 3), ("b", 2)], 1) {
            let (values, rest) = law.values(&rational(1, 1000));
            let all: Rational = values.iter().map(|(_, p)| p).sum();
            prop_assert_eq!(all + rest, Rational::one());
            prop_assert!(values.iter().all(|(_, p)| *p > Rational::zero()));
            prop_assert!(values.is_sorted_by_key(|(value, _)| *value));
        }
    }
}

/// Checks that each formula of the rows is refused, and that the error contains the texts after it.
fn check_refusals(table: &str) {
    for (text, parts) in table.lines().filter_map(|row| row.split_once(" => ")) {
        let error = DiceLaw::read(text, &[], 1).unwrap_err().to_string();
        assert!(
            parts.split(" & ").all(|part| error.contains(part)),
            "{text}: {error}"
        );
    }
}

/// Numbers joined by `and` and `or` are refused, and so are ranges in a comparison, which could be
/// differences.
#[test]
fn numbers_beside_connectives_and_ranges_are_refused() {
    check_refusals(
        "3d6 = 10 or 11 => both sides of `or`, as in r = 10 or r = 11 where r = 3d6
d20 = 20 or 1 => both sides of `or`
d6 or d8 => both sides of `or`
2 * (d6 = 1 or d6 + 1) => both sides of `or`
d6! or d6 = 1 => both sides of `or`
2d6 >= 7 and 9 => both sides of `and`, as in r >= 10 and r <= 11
r given r = 2 or 3 where r = d6 => both sides of `or`
d20 = 15-20 => r >= 15 and r <= 20 where r is the roll & a difference is (15-20)
d100 = 01-50 => r >= 1 and r <= 50
d100 = 96-00 => r >= 96 and r <= 100
1 + count(5d10 = 8 - 10) => r >= 8 and r <= 10
r given r <= 2-3 where r = d6 => a difference is (2-3)",
    );
}

/// Notations of bots with several meanings are refused, and the error lists each meaning. If a
/// number is larger than every face, only the sum makes sense.
#[test]
fn two_readings_are_refused() {
    check_refusals(
        "10d6>4 => total(10d6) > 4 & count(10d6 > 4) & count(10d6 >= 4)
6d6>6 => total(6d6) > 6 & count(6d6 >= 6)
3d6 < 1 => total(3d6) < 1 & count(3d6 <= 1)
4dF>1 => total(4dF) > 1 & count(4dF >= 1)
1d6!>=5 => total(1d6!) >= 5
d6!=7 => total(d6) != 7 & total(d6!) = 7
3d6!=18 => total(3d6) != 18 & total(3d6!) = 18
10d10!>=8 => total(10d10!) >= 8 & count(10d10! >= 8)
4d6kh3 = 5 => total(4d6kh3) = 5 & count(4d6kh3 = 5)
1 + (3 <= 2d6) => total(2d6) >= 3 & count(2d6 >= 3)
r >= 5 and r < 9 where r = 2d6 => total(r) >= 5 & count(r >= 5)
5d10!cs>=8 => count(5d10! >= 8) & count_rolls(5d10! >= 8)
5d10!t8 => count(5d10! >= 8) & count_rolls(5d10! >= 8)
4d20cs>19 => cs>=19 & cs>=20
2d8ro<2 => ro<=2 & ro<=1
d66 => 10*d6 + d6 & 1d66
3d66 => 3 rolls of 10*d6 + d6 & 1d66 + 1d66 + ...
d666 + 1 => 100*d6 + 10*d6 + d6 & 1d666
4d6r1 => ro1 & rr1
12d10f1 => as in count(r >= 10) - count(r = 1) where r = 12d10
8d10f8 => count(r = 8) where r = 8d10
5d10cs>=8f1 => count(r >= 8) - count(r = 1) where r = 5d10
10d6s>5 => how many dice are > 5 is count(10d6 > 5)
10d6s => leave it out
d2d6 => rolling as many d6 as d2 shows & dropping 6 of 1
2d2d6 => rolling as many d6 as 2d2 shows
2d6rr<2 => rr<=2 & rr<=1
d6!5 => highest face, 6
d6x6 => d6! & 6*d6
4d6!kh3 => 4d6!!kh3
4d6k > 2 => 4d6kh1 > 2
4d6k3 => kh3 & 3*count(4d6 = 3)
5d10cs6 => cs=6 & cs>=6
3d6 != 5 => total(3d6) != 5 & count(3d6 != 5)
3d6!=5 => total(3d6) != 5 & count(3d6 != 5) & dice that explode on 5 have no formula here
d6!=5 => several readings: a sum other than 5 is total(d6) != 5 & dice that explode on 5 have no formula here
1 + (d6!=6) => dice that explode on 6 are d6!
2d6kh1kl1 => kh1kl1 has two readings: making the second choice among the dice of the first is 2d6dl1 & making both choices among all dice has no formula here
4d6dh1kh2 => making the second choice among the dice of the first is 4d6dh1dl1
4d6kh3dl1 + 1 => making the second choice among the dice of the first is 4d6dl2
d6dl1 => a single die cannot be dropped
d20 given d20 >= 5 => r given r >= 5 where r = d20
r given r >= 7 where r = d6 => never holds",
    );
    for (text, same) in [
        ("2d6 >= 10", "total(2d6) >= 10"),
        ("3d6 > 7", "total(3d6) > 7"),
        ("2d20kh1 >= 15", "max(d20, d20) >= 15"),
        ("d20 >= 15", "total(d20) >= 15"),
        ("d6 != 5", "total(d6) != 5"),
        ("count(4d6!=1)", "count(4d6 != 1)"),
        ("4d6dh1dl1", "4d6dl1dh1"),
        ("d6! >= 7", "total(d6!) >= 7"),
        ("d20 >= 25-10", "d20 >= 15"),
        ("d6 = (4-5)", "d6 = 7"),
        ("(d6 = 1) % 2 or d6 = 2", "d6 = 1 or d6 = 2"),
        ("5d10t8", "count(5d10 >= 8)"),
        ("5d6cs6", "count(5d6 = 6)"),
        ("5d10cs=6", "count(5d10 = 6)"),
        ("5d10!!cs>=8", "count(5d10! >= 8)"),
        ("3d6rr1", "3d5 + 3"),
        ("3d6rr<=2", "3d4 + 6"),
        ("3d6rr >= 6kh1", "3d5kh1"),
        ("1d%kh1", "d100"),
        ("D%RO1", "d100ro1"),
        ("1d66", "d11 + 11*(d6 - 1)"),
        ("count_rolls(5d10 >= 8)", "count(5d10 >= 8)"),
    ] {
        assert_eq!(law(text).moments(), law(same).moments(), "{text}");
    }
    assert_eq!(law("10*d6 + d6").moments().0, rational(77, 2));
    // A roll of a die is a success with probability 3/10, and a die is rolled 10/9 times on
    // average; if its total is counted, it is a success with probability 3/10.
    assert_eq!(law("count_rolls(5d10! >= 8)").moments().0, rational(5, 3));
    assert_eq!(law("count(5d10! >= 8)").moments().0, rational(3, 2));
    assert_eq!(law("count_rolls(5d10! <= 3)").moments().0, rational(5, 3));
}

/// Compares the laws with all rolls one by one, and with 1789/6^8 for 8d6 and 119561 for 12d6,
/// which were computed by hand as sums of C(n, k) 3^(n-k) over all k above n/2.
#[test]
fn one_roll_counted_twice() {
    for (n, s) in [(1, 4), (3, 6), (5, 3)] {
        let own = |faces: &mut Vec<i64>| {
            let count =
                |hit: &dyn Fn(i64) -> bool| faces.iter().filter(|face| hit(**face)).count() as i64;
            count(&|face| face >= 3) - count(&|face| face == 1)
        };
        let text = format!("count(r >= 3) - count(r = 1) where r = {n}d{s}");
        assert_eq!(counts(&text), listed(n, s, own), "{text}");
        let sum = |faces: &mut Vec<i64>| {
            faces.iter().sum::<i64>() * faces.iter().filter(|f| **f == 2).count() as i64
        };
        let text = format!("r * count(r = 2) where r = {n}d{s}");
        assert_eq!(counts(&text), listed(n, s, sum), "{text}");
    }
    let few = "count(r = 1) > 4 and count(r >= 5) = 0 where r = 8d6";
    assert_eq!(chance(few), rational(1789, 1679616));
    let many = "count(r = 1) > 6 and count(r >= 5) = 0 where r = 12d6";
    assert_eq!(chance(many), rational(119561, 1088391168));
    let net = law("count(r >= 8) - count(r = 1) where r = 5d10")
        .values(&Rational::zero())
        .0;
    let one = net.iter().find(|(value, _)| *value == 1).unwrap();
    assert_eq!(one.1, rational(2943, 10000));
    assert!(law(few).rolled_again().is_none());
    let twice = law("d6 + d6 + 2*d4");
    assert_eq!(
        twice.rolled_again().unwrap(),
        "d6 is rolled twice, once for each place"
    );
    for (text, note, once) in [
        ("d4+1d4", "d4 is", "r+r where r = d4"),
        ("d20+d4-1D4", "d4 is", "d20+r-r where r = d4"),
        ("d% + d100", "d% is", "r + r where r = d%"),
    ] {
        let twice = law(text);
        let note = format!("{note} rolled twice, once for each place");
        assert_eq!(twice.rolled_again(), Some(note), "{text}");
        assert_eq!(twice.of_one_roll().unwrap(), once);
    }
    // Two names, and letters besides them.
    assert_eq!(chance("r = s where r = d6 and s = d6"), rational(1, 6));
    let letters = DiceLaw::read("a + r - a where r = d4", &[("a", 6)], 1).unwrap();
    assert_eq!(letters.moments(), law("d4").moments());
    // Many dice, in three classes.
    assert_eq!(
        chance("count(r = 1) >= 0 and count(r >= 5) <= 90 where r = 90d6"),
        rational(1, 1)
    );
    for text in [
        "r where r = 200d20 and count(r = 1) = r",
        "r + r where d6 = d6",
        "r + r where r = d6!",
        "r + r where r = d6 and r = d8",
        "r + r where",
        "r + r where r",
    ] {
        assert!(DiceLaw::read(text, &[], 1).is_err(), "{text}");
    }
}

/// There is a note for a formula with `/`, with a `%` whose result is negative in C and JavaScript,
/// or with a `<` or `>` that Roll20 reads as `<=` or `>=`.
#[test]
fn divisions_have_a_note() {
    let (rounds, negative) = (
        "/ rounds down",
        "% of a negative number is not negative: -1 % 3 is 2",
    );
    let strict = "< and > leave the face itself out; Roll20 counts it, as <= and >= do here";
    for (text, note) in [
        ("1d6/2", Some(rounds.to_string())),
        ("r + 1 where r = d6/2", Some(rounds.to_string())),
        ("(d6-4)%3", Some(negative.to_string())),
        ("(d6-4)%3/2", Some(format!("{rounds}; {negative}"))),
        ("1d100<45", Some(strict.to_string())),
        ("15 < d20", Some(strict.to_string())),
        ("d20 >= 15", None),
        ("3d6 > 15", None),
        ("d6 % 3", None),
        ("binomial:n=2,p=1/3 >= 1", None),
    ] {
        assert_eq!(law(text).operator_note(), note, "{text}");
    }
}

/// Checks P(X >= 1) for 7 cards drawn from 60 of which 4 are marked, and conditional probabilities
/// from the definition.
#[test]
fn laws_by_name_in_formulas() {
    assert_eq!(
        chance("hypergeometric:N=60,K=4,n=7 >= 1"),
        rational(38962, 97527)
    );
    assert_eq!(
        chance("1 <= hypergeometric:N=60,K=4,n=7"),
        rational(38962, 97527)
    );
    assert_eq!(
        chance("binomial:n=3,p=1/2 = 3 or bernoulli:1/2 = 1"),
        rational(9, 16)
    );
    assert_eq!(
        law("2*(binomial:n=20,p=1/4) + d6").moments().0,
        rational(10, 1) + rational(7, 2)
    );
    // The mean of a d6, given that it shows 5 or more.
    assert_eq!(
        law("r given r >= 5 where r = d6").moments().0,
        rational(11, 2)
    );
    // 1 and 2 successes in two trials have the probabilities 2/4 and 1/4.
    let given = law("x given x >= 1 where x = binomial:n=2,p=1/2");
    assert_eq!(given.moments().0, rational(4, 3));
    for text in [
        "hypergeometric:N=60,K=4,n=7 + 1",
        "(zipf:n=3) + 1 where x",
        "poisson:l=3 >= 1",
    ] {
        assert!(text.parse::<Weights>().is_err(), "{text}");
    }
    let target: Weights = "hypergeometric:N=60,K=4,n=7 >= 1".parse().unwrap();
    assert_eq!(target.target().to_string(), "58565:38962");
}
