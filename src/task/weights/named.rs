//! Named laws with rational probabilities, for example `binomial:n=20,p=1/3`.

use super::values::{
    Weights, WeightsError, check_size, error_at, error_in_part, integers, too_many_weights,
};
use crate::task::Target;
use flipcost_number::Real;
use flipcost_number::expression::{parse_rational, parse_u64};
use flipcost_number::near::{did_you_mean, nearest};
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Pow, Zero};

/// A named law: its name, an example, and the function that makes a target from its fields.
struct NamedLaw {
    name: &'static str,
    example: &'static str,
    /// The names of the fields, with the defaults of those that may be omitted.
    fields: &'static [(&'static str, Option<&'static str>)],
    make: fn(&NamedLawFields) -> Result<Weights, WeightsError>,
}

static NAMED: [NamedLaw; 6] = [
    NamedLaw {
        name: "bernoulli",
        example: "bernoulli:1/3",
        fields: &[("p", None)],
        make: bernoulli,
    },
    NamedLaw {
        name: "binomial",
        example: "binomial:n=20,p=1/3",
        fields: &[("n", None), ("p", None)],
        make: binomial,
    },
    NamedLaw {
        name: "geometric",
        example: "geometric:p=1/3,max=20",
        fields: &[("p", None), ("max", None)],
        make: geometric,
    },
    NamedLaw {
        name: "hypergeometric",
        example: "hypergeometric:N=52,K=13,n=5",
        fields: &[("N", None), ("K", None), ("n", None)],
        make: hypergeometric,
    },
    NamedLaw {
        name: "zipf",
        example: "zipf:n=10,s=1",
        fields: &[("n", None), ("s", Some("1"))],
        make: zipf,
    },
    NamedLaw {
        name: "benford",
        example: "benford:digits=6",
        fields: &[("digits", None)],
        make: benford,
    },
];

/// The values of the fields, each with the byte position where it begins.
struct NamedLawFields<'a> {
    text: &'a str,
    values: Vec<(&'a str, usize)>,
}

impl NamedLawFields<'_> {
    fn parse_integer(&self, i: usize, least: u64, most: u64) -> Result<u64, WeightsError> {
        let (value, begin) = self.values[i];
        let number = parse_u64(value).map_err(|error| error_in_part(self.text, begin, &error))?;
        if (least..=most).contains(&number) {
            Ok(number)
        } else {
            Err(self.refuse(
                i,
                format!("a whole number from {least} to {most} was expected"),
            ))
        }
    }

    /// Returns a probability a / b as (a, b - a, b).
    fn probability(&self, i: usize) -> Result<(BigUint, BigUint, BigUint), WeightsError> {
        let (value, begin) = self.values[i];
        let p = match value.trim().strip_prefix("double:") {
            Some(number) => match finite_double(number) {
                Some((_, exact)) => exact,
                None => return Err(self.refuse(i, "a probability such as double:0.1 was expected")),
            },
            None => {
                parse_rational(value).map_err(|error| error_in_part(self.text, begin, &error))?
            }
        };
        if p > Rational::one() {
            return Err(self.refuse(i, "a probability from 0 to 1 was expected"));
        }
        let (a, b) = (p.numer().magnitude().clone(), p.denom().magnitude().clone());
        Ok((a.clone(), &b - a, b))
    }

    fn refuse(&self, i: usize, what: impl std::fmt::Display) -> WeightsError {
        error_at(self.text, self.character_position(self.values[i].1), what)
    }

    fn character_position(&self, byte: usize) -> usize {
        self.text[..byte].chars().count()
    }
}

/// Whether the text is the name of a law.
pub(crate) fn is_law(name: &str) -> bool {
    name == "doubles" || NAMED.iter().any(|law| law.name == name)
}

/// If the first word of a text is, or resembles, the name of a law, returns an example of this law
/// and the byte position where the word ends.
pub(crate) fn law_example(text: &str) -> Option<(&'static str, usize)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic());
    let end = end.unwrap_or(text.len());
    let name = nearest(&text[..end], NAMED.iter().map(|law| law.name))?;
    let law = NAMED.iter().find(|law| law.name == name)?;
    Some((law.example, end))
}

/// Parses a named law; `name` and the fields begin at these byte positions of the text.
pub(crate) fn read(
    text: &str,
    at: usize,
    name: &str,
    begin: usize,
) -> Result<Weights, WeightsError> {
    let place = |byte: usize| text[..byte].chars().count();
    if name == "doubles" {
        return doubles(text, begin);
    }
    check_last_field(text, begin)?;
    let Some(law) = NAMED.iter().find(|law| law.name == name) else {
        let meant = match law_example(name) {
            Some((example, _)) => {
                let (name, _) = example.split_once(':').unwrap_or((example, ""));
                format!("did you mean {name}? it is written as in {example}")
            }
            None => {
                let mut names: Vec<&str> = NAMED.iter().map(|law| law.name).collect();
                names.push("doubles");
                did_you_mean(name, &names)
            }
        };
        let what = format!("no law has this name: {meant}");
        return Err(error_at(text, place(at), what));
    };
    let mut values: Vec<Option<(&str, usize)>> = vec![None; law.fields.len()];
    let mut byte = begin;
    for part in text[begin..].split(',') {
        let name = part
            .split_once('=')
            .map(|(name, value)| (name.trim(), value));
        let known = |name: &str| law.fields.iter().position(|(field, _)| *field == name);
        let alone = law.fields.len() == 1 && name.is_none() && !part.trim().is_empty();
        let found = name
            .and_then(|(name, value)| Some((known(name)?, value)))
            .or(alone.then_some((0, part)));
        let Some((i, value)) = found else {
            let fields: Vec<String> = law
                .fields
                .iter()
                .map(|(field, _)| format!("{field}="))
                .collect();
            let blanks = part.len() - part.trim_start().len();
            let what = format!(
                "one of {} was expected, as in {}",
                fields.join(", "),
                law.example
            );
            return Err(error_at(text, place(byte + blanks), what));
        };
        let begin = byte + part.len() - value.len();
        if values[i].replace((value, begin)).is_some() {
            return Err(error_at(text, place(byte), "a field is given twice"));
        }
        byte += part.len() + 1;
    }
    let mut fields = NamedLawFields {
        text,
        values: Vec::new(),
    };
    for (value, (field, default)) in values.into_iter().zip(law.fields) {
        match (value, default) {
            (Some(value), _) => fields.values.push(value),
            (None, Some(default)) => fields.values.push((default, text.len())),
            (None, None) => {
                return Err(error_at(
                    text,
                    place(text.len()),
                    format!("{field}= is missing, as in {}", law.example),
                ));
            }
        }
    }
    (law.make)(&fields)
}

/// Rejects an operator between blanks in the last field, because it may be meant to follow the law.
fn check_last_field(text: &str, begin: usize) -> Result<(), WeightsError> {
    let last = begin + text[begin..].rfind(',').map_or(0, |at| at + 1);
    let signs = [" + ", " - ", " * ", " / ", " % "];
    let found = signs
        .iter()
        .filter_map(|sign| text[last..].find(sign))
        .min();
    let Some(at) = found else {
        return Ok(());
    };
    let (law, rest) = text.split_at(last + at);
    let joined: String = text[last..].split(' ').collect();
    let what = format!(
        "it has two readings: with the law in brackets, ({}){rest}, or without blanks, {}{joined}",
        law.trim(),
        text[..last].trim_start(),
    );
    Err(error_at(text, text[..last + at + 1].chars().count(), what))
}

/// Bernoulli's law: 1 with probability p, which is the first outcome, otherwise 0.
fn bernoulli(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let (a, rest, _) = fields.probability(0)?;
    Weights::of_values(vec![a, rest], vec![1, 0])
}

/// The weights C(n, i) p^i (1-p)^(n-i), i = 0, ..., n.
fn binomial(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let n = fields.parse_integer(0, 0, 1 << 20)?;
    let (a, rest, b) = fields.probability(1)?;
    check_size(n + 1, (n + 1) * (b.bits() + 1))?;
    // Compute p^i C(n, i) for increasing i, and (1-p)^(n-i) for decreasing i.
    let mut weights = vec![BigUint::one(); n as usize + 1];
    let (mut up, mut down) = (BigUint::one(), BigUint::one());
    for i in 0..=n {
        weights[i as usize] *= &up;
        weights[(n - i) as usize] *= &down;
        up = up * &a * (n - i) / (i + 1);
        down *= &rest;
    }
    if a.is_one() && b.is_one() {
        // For p = 1 the weight C(n, i) a^i is correct as well, since 0^0 = 1.
        weights
            .iter_mut()
            .take(n as usize)
            .for_each(|weight| *weight = BigUint::zero());
    }
    Weights::of_values(weights, (0..=n as i64).collect())
}

/// The weights (1-p)^(i-1) p for 1 <= i < max, and (1-p)^(max-1) for the outcome max, which means
/// max or more.
fn geometric(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let (a, rest, b) = fields.probability(0)?;
    let max = fields.parse_integer(1, 1, 1 << 20)?;
    check_size(max, max * (b.bits() + 1))?;
    let last = max - 1;
    let mut weights = Vec::new();
    // All weights have the denominator b^(max-1).
    let mut powers = vec![BigUint::one()];
    for _ in 1..last {
        powers.push(powers[powers.len() - 1].clone() * &b);
    }
    let mut failures = BigUint::one();
    for _ in 1..max {
        let scale = powers.pop().expect("one for each");
        weights.push(&failures * &a * scale);
        failures *= &rest;
    }
    weights.push(failures);
    Weights::of_values(weights, (1..=max as i64).collect())
}

/// The weights C(K, i) C(N-K, n-i).
fn hypergeometric(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let all = fields.parse_integer(0, 0, 1 << 20)?;
    let marked = fields.parse_integer(1, 0, all)?;
    let drawn = fields.parse_integer(2, 0, all)?;
    let (least, most) = ((drawn + marked).saturating_sub(all), drawn.min(marked));
    check_size(most - least + 1, all + 1)?;
    let binomial =
        |n: u64, k: u64| (0..k).fold(BigUint::one(), |value, i| value * (n - i) / (i + 1));
    let (plain, rest) = (all - marked, drawn - least);
    let mut up = binomial(marked, least);
    let mut down = binomial(plain, rest);
    let mut weights = Vec::new();
    for i in least..=most {
        weights.push(&up * &down);
        if i < most {
            // Continue with C(K, i+1) and C(N-K, n-i-1)
            up = up * (marked - i) / (i + 1);
            down = down * (drawn - i) / (plain + i + 1 - drawn);
        }
    }
    Weights::of_values(weights, (least as i64..=most as i64).collect())
}

/// The weights L^s / i^s, where L is the least common multiple of 1, ..., n.
fn zipf(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let n = fields.parse_integer(0, 1, 1 << 20)?;
    let s = fields.parse_integer(1, 0, 1 << 10)?;
    // L is less than 4^n (Nair 1982; known earlier)
    check_size(n, 2 * n * s)?;
    let common = (1..=n).fold(BigUint::one(), |common, i| common.lcm(&i.into()));
    let weight = |i: u64| Pow::pow(&common / i, s);
    Weights::of_values((1..=n).map(weight).collect(), (1..=n as i64).collect())
}

/// The weights are the nine probabilities log10(1 + 1/d), rounded to `digits` decimals; their sum
/// may differ from 1 by a few units of the last decimal.
fn benford(fields: &NamedLawFields) -> Result<Weights, WeightsError> {
    let digits = fields.parse_integer(0, 1, 10_000)? as u32;
    let share = |d: u8| {
        let log = Real::log(d + 1, 10).minus(&Real::log(d, 10));
        let text = log
            .decimals(digits)
            .expect("no power of 10 but 10 is a power of another");
        parse_rational(&text).expect("decimals")
    };
    let weights = integers((1..=9).map(share).collect())?;
    Weights::of_values(weights, (1..=9).collect())
}

/// Parses a finite nonnegative double; returns it with its exact value.
pub fn finite_double(text: &str) -> Option<(f64, Rational)> {
    let number = text.trim().parse::<f64>().ok();
    let number = number.filter(|x| x.is_finite() && *x >= 0.0)?;
    Some((number, Rational::from_float(number)?))
}

/// Parses binary64 numbers, each as its exact value; they must be nonnegative.
fn doubles(text: &str, begin: usize) -> Result<Weights, WeightsError> {
    let (mut weights, mut byte) = (Vec::new(), begin);
    for part in text[begin..].split(',') {
        let number = finite_double(part);
        let blanks = part.len() - part.trim_start().len();
        let at = text[..byte + blanks].chars().count();
        let Some((number, exact)) = number else {
            let what = "a finite number from 0 such as 0.1 or 1e-3 was expected";
            return Err(error_at(text, at, what));
        };
        // The digits without the power of ten.
        let mantissa = part.split(['e', 'E']).next().unwrap_or_default();
        if number == 0.0 && mantissa.contains(|digit| ('1'..='9').contains(&digit)) {
            let what = "a number that rounds to the double 0 was found: write 0, or leave out doubles: for exact weights";
            return Err(error_at(text, at, what));
        }
        weights.push(exact);
        byte += part.len() + 1;
        if weights.len() > super::values::MAX_WEIGHTS {
            return Err(too_many_weights());
        }
    }
    Ok(Weights::new(Target::weighted(integers(weights)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> String {
        text.parse::<Weights>().unwrap().target().to_string()
    }

    /// C(4, i) 2^(4-i) of 3^4, computed by hand, and the extreme cases p = 0 and p = 1.
    #[test]
    fn binomials() {
        assert_eq!(weights("binomial:n=4,p=1/3"), "16:32:24:8:1");
        assert_eq!(weights("binomial: p = 0.5, n = 3"), "1:3:3:1");
        assert_eq!(weights("binomial:n=3,p=0"), "1:0:0:0");
        assert_eq!(weights("binomial:n=3,p=1"), "0:0:0:1");
        assert_eq!(weights("binomial:n=0,p=1/2"), "1");
    }

    /// 1/3, 2/9, 4/27, and 8/27 for the last outcome and all above, computed by hand.
    #[test]
    fn geometric_laws_end_with_all_above() {
        assert_eq!(weights("geometric:p=1/3,max=4"), "9:6:4:8");
        assert_eq!(weights("geometric:p=1/2,max=1"), "1");
        assert_eq!(weights("geometric:p=1/2,max=2"), "2");
        assert_eq!(weights("geometric:p=1,max=3"), "1:0:0");
    }

    /// The number of aces in a hand of five cards: C(4, i) C(48, 5-i) of C(52, 5) = 2598960.
    #[test]
    fn hypergeometric_laws() {
        let aces: Weights = "hypergeometric:N=52,K=4,n=5".parse().unwrap();
        let none = aces.target().probability(&0u8.into());
        assert_eq!(none, Rational::new(1_712_304.into(), 2_598_960.into()));
        assert_eq!(weights("hypergeometric:N=3,K=2,n=2"), "2:1");
        let forced: Weights = "hypergeometric:N=3,K=2,n=2".parse().unwrap();
        assert_eq!(forced.label(&0u8.into()), "1");
    }

    #[test]
    fn zipf_and_benford() {
        assert_eq!(weights("zipf:n=4"), "12:6:4:3");
        assert_eq!(weights("zipf:n=3,s=2"), "36:9:4");
        assert_eq!(weights("zipf:n=3,s=0"), "3");
        // the table of Benford 1938: 30.1, 17.6, 12.5, 9.7, 7.9, 6.7, 5.8, 5.1, 4.6 per cent
        assert_eq!(weights("benford:digits=3"), "301:176:125:97:79:67:58:51:46");
    }

    /// The value 1 is the first outcome. The double p = 0.1 is used with its exact value, which is
    /// not 1/10.
    #[test]
    fn bernoulli_is_1_with_probability_p() {
        for text in ["bernoulli:p=1/3", "bernoulli:1/3", "bernoulli: p = 1/3"] {
            let law: Weights = text.parse().unwrap();
            assert_eq!(law.target().to_string(), "1:2");
            assert_eq!(
                (law.label(&0u8.into()), law.label(&1u8.into())),
                ("1".into(), "0".into())
            );
        }
        assert_eq!(
            weights("bernoulli:double:0.1"),
            "3602879701896397:32425917317067571"
        );
        assert_eq!(weights("bernoulli:p=double:0.5"), "2");
        assert_eq!(
            (weights("bernoulli:0"), weights("bernoulli:100%")),
            ("0:1".into(), "1:0".into())
        );
        for wrong in [
            "bernoulli:2",
            "bernoulli:double:2",
            "bernoulli:double:x",
            "bernoulli:",
            "bernoulli:1,2",
        ] {
            assert!(wrong.parse::<Weights>().is_err(), "{wrong}");
        }
    }

    /// 0.1 is 3602879701896397 / 2^55.
    #[test]
    fn doubles_are_what_they_are() {
        assert_eq!(weights("doubles:0.5,0.25,0.25"), "2:1:1");
        let tenth: Weights = "doubles:0.1,1".parse().unwrap();
        assert_eq!(
            tenth.target().weights().unwrap()[0],
            3_602_879_701_896_397u64.into()
        );
        assert_eq!(weights("doubles: 1e300, 1e300"), "2");
        assert_eq!(weights("doubles:0e-9,0.0E9,1"), "0:0:1");
        for wrong in [
            "doubles:-1,2",
            "doubles:nan,1",
            "doubles:1e-5000,1",
            "doubles:inf,1",
            "doubles:,1",
            "doubles:1,x",
        ] {
            assert!(wrong.parse::<Weights>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn large_ones_are_refused() {
        for text in [
            "binomial:n=1000000,p=1/3",
            "zipf:n=1000000",
            "geometric:p=1/3,max=1000000",
            "binomial:n=3,p=2",
        ] {
            assert!(text.parse::<Weights>().is_err(), "{text}");
        }
    }
}
