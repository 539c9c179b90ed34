//! The question `show --as why`: why no algorithm costs less for a fair die. The reason lies in the
//! digits of 1/n: by Knuth and Yao, each digit counts the leaves of one depth.

use crate::questions::Cost;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::EXACT_LIMIT;
use flipcost::table::{Costs, Precision};
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::prelude::*;
use num_traits::{One, Zero};

question! {
    /// Why no algorithm for a fair die costs less than the optimum: the digits of 1/n in base m, in
    /// four lines
    ///
    /// One row: the digits of 1/n in base m, where m is the number of sides of the source; the
    /// depths of the leaves of one face in the best decision tree, a leaf of depth t for each unit
    /// of the digit at place t; the rolls that these leaves add to the expected number; and the sum
    /// over all faces. The document of the answer says the same in four lines.
    pub struct Why: "show" {
        /// The target: the sides of a fair die.
        target: TargetText; TARGET,
        /// How the algorithm is shown
        view: WhyView; option("VIEW").name("as"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Table
    examples: ["show 6 --as why", "show 10 --as why --source 3"]
}

choices! {
    /// The view that selects this question.
    pub enum WhyView {
        /// Why no algorithm costs less for a fair die: the digits of 1/n, in four lines.
        Why = "why",
    }
}

/// The largest base whose digits are 0 to 9 and a to z; in larger bases, digits are numbers in
/// brackets.
const MAX_LETTER_BASE: u128 = 36;
/// Nonzero digits are searched for only among this many digits.
const MAX_DIGITS: usize = 100;
/// At least this many digits are shown, and at least [`MIN_NONZERO_DIGITS`] of them are not 0. If
/// digits are numbers in brackets, only the second limit applies.
const MIN_SHOWN_DIGITS: usize = 8;
const MIN_NONZERO_DIGITS: usize = 3;

/// The first digits of 1/n in base m.
struct Reciprocal {
    m: u128,
    digits: Vec<u64>,
    /// Whether there are no more digits.
    terminates: bool,
    /// The places of the digits that are not 0, each with its digit: the depths of the leaves of
    /// one face, each with the number of these leaves.
    leaves: Vec<(usize, u64)>,
}

impl Reciprocal {
    fn new(n: &BigUint, m: u128) -> Reciprocal {
        let shown = if m > MAX_LETTER_BASE {
            MIN_NONZERO_DIGITS
        } else {
            MIN_SHOWN_DIGITS
        };
        let (mut digits, mut leaves, mut rest) = (Vec::new(), Vec::new(), BigUint::one());
        while (digits.len() < shown || leaves.len() < MIN_NONZERO_DIGITS)
            && digits.len() < MAX_DIGITS
        {
            if rest.is_zero() {
                break;
            }
            rest *= m;
            let digit = &rest / n;
            rest %= n;
            let digit = u64::try_from(digit).expect("below a base of at most 2^64");
            digits.push(digit);
            if digit > 0 {
                leaves.push((digits.len(), digit));
            }
        }
        Reciprocal {
            m,
            digits,
            terminates: rest.is_zero(),
            leaves,
        }
    }

    /// Returns the text, followed by `more` if there are more digits.
    fn continued(&self, text: &str, more: &str) -> String {
        format!("{text}{}", if self.terminates { "" } else { more })
    }

    /// `0.00101010...`
    fn written(&self) -> String {
        let digits = (self.digits.iter()).map(|digit| format_digit(*digit, self.m));
        self.continued(&format!("0.{}", digits.collect::<String>()), "...")
    }

    /// `3, 5, 7, ...`
    fn depths(&self) -> String {
        let depths = self.leaves.iter().map(|(t, d)| match d {
            1 => t.to_string(),
            d => format!("{t} ({d} leaves)"),
        });
        self.continued(&depths.collect::<Vec<String>>().join(", "), ", ...")
    }

    /// The expected rolls that the leaves of each depth add: `3/8 + 5/32 + 7/128 + ...`
    fn terms(&self) -> String {
        let terms = self.leaves.iter().map(|(t, d)| {
            let leaves = BigUint::from(*d) * *t;
            format!("{leaves}/{}", BigUint::from(self.m).pow(*t as u32))
        });
        self.continued(&terms.collect::<Vec<String>>().join(" + "), " + ...")
    }
}

/// Formats a digit in base m.
fn format_digit(digit: u64, m: u128) -> String {
    match char::from_digit(digit.try_into().unwrap_or(u32::MAX), MAX_LETTER_BASE as u32) {
        Some(letter) if m <= MAX_LETTER_BASE => letter.to_string(),
        _ => format!("[{digit}]"),
    }
}

impl Why {
    /// Explains the digits, the expected rolls of one face, and those of all faces, in four lines.
    fn explain(
        &self,
        n: &BigUint,
        reciprocal: &Reciprocal,
        [face, all]: [&Real; 2],
    ) -> Result<String, QueryError> {
        let m = reciprocal.m;
        let number = |value: &Real| match value.exact() {
            Some(value) => {
                fraction_with_decimal(value, MAX_SENTENCE_FRACTION, Precision::default())
            }
            None => Ok(format!("≈ {}", decimal(value, Precision::default())?)),
        };
        let (written, depths, terms) = (
            reciprocal.written(),
            reciprocal.depths(),
            reciprocal.terms(),
        );
        let depth = if reciprocal.terminates && reciprocal.leaves.len() == 1 {
            "depth"
        } else {
            "depths"
        };
        let end = if reciprocal.terminates { "." } else { "" };
        let (base, digit) = match m {
            2 => ("binary".to_string(), "a 1 at place t is a leaf of depth t"),
            m => (
                format!("base {m}"),
                "a digit k at place t is k leaves of depth t",
            ),
        };
        let (sum, total) = (number(face)?, number(all)?);
        // A single term in lowest terms equals the sum, so the sum is not repeated.
        let sum = match sum.strip_prefix(&terms) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => sum,
            _ => format!("{terms} = {sum}"),
        };
        let unit = self.source.0.unit().plural();
        let unit_of_all = match all.exact() {
            Some(all) if all.is_one() => self.source.0.unit().singular(),
            _ => unit,
        };
        Ok(format!(
            "1/{n} = {written} in {base}: {digit} for each face, {depth} {depths}{end}\n\
             A leaf of depth t is reached with probability 1/{m}^t after t {unit}, so it adds t/{m}^t to their expected number.\n\
             One face: {sum}; all {n} faces: {total} {unit_of_all}.\n\
             Other leaves that add up to 1/{n} cost more: {m} of depth t + 1 do the work of one of depth t (theorem of Knuth and Yao, 1976).\n"
        ))
    }
}

impl Question for Why {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "no method makes {} from {} with fewer than {} on average",
            self.target.with_article(),
            self.source.0.with_article(),
            answer.measure(0, "expected").unwrap_or_default()
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let Some(n) = self.target.checked()?.sides().cloned() else {
            let cost = Cost::new(self.target.clone(), self.source.clone());
            let what = "this explanation works only for a fair die, where the probabilities of all faces have the same digits";
            return Err(QueryError::wrong("target", what).right(say!("for weights see ", cost)));
        };
        let m = self.source.fair("this explanation")?;
        if n.is_one() {
            let what = "a d1 needs no roll: there is nothing to explain";
            return Err(QueryError::wrong("target", what));
        }
        let reciprocal = Reciprocal::new(&n, m);
        if reciprocal.leaves.len() < MIN_NONZERO_DIGITS && !reciprocal.terminates {
            let what = say!("the first {MAX_DIGITS} digits of 1/n are nearly all 0");
            return Err(QueryError::wrong("target", what).right("choose a smaller n"));
        }
        let task = self.target.task(&self.source.0)?;
        let costs = Costs::new(FAST_DICE_ROLLER, &task).map_err(QueryError::for_field("target"))?;
        let (mean, each) = match costs.law().mean_up_to(EXACT_LIMIT) {
            Ok(mean) => {
                let sides = Rational::from_integer(BigInt::from(n.clone()));
                (Real::Exact(mean.clone()), Real::Exact(mean / sides))
            }
            Err(_) => (
                costs.mean().clone(),
                costs.mean().over(&Real::integer(n.clone())),
            ),
        };
        let text = self.explain(&n, &reciprocal, [&each, &mean])?;
        let unit = self.source.0.unit().plural();
        let head = Head::new()
            .columns(CellKind::Count, ["target", "source"])
            .columns(CellKind::Text, ["digits", "depths"])
            .measured("face_exact", CellKind::Exact, unit)
            .measured("expected_exact", CellKind::Exact, unit);
        sink.write_answer(
            &head,
            vec![row![
                n,
                BigUint::from(m),
                reciprocal.written(),
                reciprocal.depths(),
                flipcost_question::precision::exact_cell(&each),
                flipcost_question::precision::exact_cell(&mean)
            ]],
            Foot::text(text),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_question::Query;

    fn said(target: &str, source: &str) -> Result<String, QueryError> {
        let query = Query::from(Why {
            target: target.parse().unwrap(),
            source: source.parse().unwrap(),
            view: WhyView::Why,
        });
        let answer = query.answer(&Control::default())?;
        Ok(answer.foot.text.unwrap())
    }

    /// 1/6 = 1/8 + 1/32 + 1/128 + ..., and the sum of t/2^t over t = 3, 5, 7, ... is 11/18.
    #[test]
    fn the_digits_of_one_sixth_give_the_cost_of_a_d6() {
        let text = said("6", "2").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(
            lines[0].starts_with("1/6 = 0.00101010... in binary"),
            "{text}"
        );
        assert!(lines[0].ends_with("depths 3, 5, 7, ..."), "{text}");
        assert!(
            lines[2].contains("3/8 + 5/32 + 7/128 + ... = 11/18"),
            "{text}"
        );
        assert!(
            lines[2].ends_with("all 6 faces: 11/3 ≈ 3.66667 flips."),
            "{text}"
        );
    }

    /// In binary 1/4 = 0.01 ends. In base 3, 1/2 = 0.111... has one leaf at every depth.
    #[test]
    fn digits_may_end_and_have_any_base() {
        let text = said("8", "2").unwrap();
        assert!(text.contains("for each face, depth 3.\n"), "{text}");
        assert!(
            text.contains("One face: 3/8 = 0.375; all 8 faces: 3 flips."),
            "{text}"
        );
        let text = said("4", "2").unwrap();
        assert!(text.contains("1/4 = 0.01 in binary"), "{text}");
        assert!(
            text.contains("One face: 2/4 = 1/2 = 0.5; all 4 faces: 2 flips."),
            "{text}"
        );
        let text = said("2", "3").unwrap();
        assert!(text.contains("1/2 = 0.11111111... in base 3"), "{text}");
        assert!(text.contains("all 2 faces: 3/2 = 1.5 rolls."), "{text}");
        let text = said("3", "20").unwrap();
        assert!(text.contains("1/3 = 0.6d6d6d6d... in base 20"), "{text}");
        // 100 = 16 * 6 + 4 and 400 = 66 * 6 + 4, so each digit after the first is 66.
        let text = said("6", "100").unwrap();
        assert!(
            text.contains("1/6 = 0.[16][66][66]... in base 100"),
            "{text}"
        );
    }

    /// 2^64 is 1 modulo 3, so every digit of 1/3 in base 2^64 is (2^64 - 1)/3. A power of two has a
    /// single digit.
    #[test]
    fn digits_of_words_are_numbers_in_brackets() {
        let text = said("3", "word:64").unwrap();
        let digit = (u128::pow(2, 64) - 1) / 3;
        assert!(
            text.contains(&format!(
                "1/3 = 0.[{digit}][{digit}][{digit}]... in base 18446744073709551616"
            )),
            "{text}"
        );
        let text = said("2", "word:64").unwrap();
        assert!(
            text.contains("1/2 = 0.[9223372036854775808] in base"),
            "{text}"
        );
        assert!(text.contains("all 2 faces: 1 word."), "{text}");
    }
}
