//! The question `distance`: how far one probability law is from another.

use super::measures::{
    Comparison, STATISTICAL, advantage_cells, advantage_head, check_samples_not_zero,
};
use crate::library;
use crate::weights::{GivenWeights, WEIGHTS};
use flipcost::law::{Bias, OutcomeLaw};
use flipcost_number::expression::parse_rational;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::TargetTextError;
use flipcost_question::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use flipcost_question::endless::{has_end, is_endless};
use flipcost_question::precision::nonnegative_decimal;
use flipcost_question::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

question! {
    /// How far one law is from another, exactly, and after how many results a test tells them apart
    ///
    /// Laws are written as targets are: a die, weights, a formula of dice, a law by its name, a
    /// file; or a function of a library with its target, `cpython-choices:1:2:3`,
    /// `r-sample-rounding:49`. Outcomes are compared by value, or by name if both laws have names;
    /// weights without names are compared by place. The second law is the intended one:
    /// `kullback_leibler_bits` and `renyi2_bits` are divergences of the first from it,
    /// `largest_ratio_exact` is the largest ratio of a probability in the first to that in the
    /// second, and `detect` is the number of results of the first after which a test against the
    /// second finds the difference.
    pub struct LawDistance: "distance" {
        /// The actual law
        law: ComparedLaw; word("A"),
        /// The intended law
        other: ComparedLaw; word("B"),
        /// Add the distance of this many results from as many results of the other law
        samples: Option<u64>; option("Q"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["distance 3d6 4d6kh3", "distance cpython-choices:1:2:3 1:2:3 --samples 1000", "distance doubles:0.1,0.9 1:9"]
}

/// The largest number of outcomes that are compared one by one.
const MAX_SUPPORT: u32 = 1 << 20;

/// The text of a law: a target, or a library function with its target.
///
/// ``` use flipcost_libraries::questions::ComparedLaw;
/// assert!("1:2:3".parse::<ComparedLaw>().is_ok() &&
/// "cpython-choices:1:2:3".parse::<ComparedLaw>().is_ok());
/// assert!("cpython-choices".parse::<ComparedLaw>().is_err()); ```
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedLaw {
    /// The id of the function.
    function: Option<String>,
    target: TargetText,
}

impl FromStr for ComparedLaw {
    type Err = String;

    fn from_str(text: &str) -> Result<ComparedLaw, String> {
        if is_endless(text) {
            return Err("a law with infinitely many outcomes must come second, after the table that approximates it, as in frodo640 and rgauss:sigma=14/5".to_string());
        }
        let (id, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let known = library(id).is_ok() || WEIGHTS.iter().any(|line| line.id == id);
        if known && rest.is_empty() {
            return Err(format!(
                "\"{id}\" is a function of a library without its target, as in {id}:1:2:3"
            ));
        }
        let target = if known { rest } else { text };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let target = target.parse().map_err(|error: TargetTextError| {
            if rest.is_empty() || !id.contains(char::is_alphabetic) || !id.chars().all(is_name) {
                return error.to_string();
            }
            format!("{error}; and {id} is not the id of a library's function, as in r-sample-rounding:49; the question `bias` says how far x % n is from fair")
        })?;
        Ok(ComparedLaw {
            function: known.then(|| id.to_string()),
            target,
        })
    }
}

impl fmt::Display for ComparedLaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.function {
            Some(id) => write!(f, "{id}:{}", self.target),
            None => self.target.fmt(f),
        }
    }
}

impl FieldValue for ComparedLaw {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(|text, column| {
            let read = TargetText::of_file(text, column);
            read.map(|target| target.to_string())
                .map_err(|error| error.to_string())
        }),
        fits: has_end,
        ..ValueAbout::python("TargetLike")
    };

    fn of_json(
        json: &flipcost_question::serde_json::Value,
        _: Names,
    ) -> Result<ComparedLaw, Sentence> {
        text_from_json(json)?.parse().map_err(to_sentence::<String>)
    }

    fn json(&self) -> Option<flipcost_question::serde_json::Value> {
        Some(self.to_string().into())
    }
}

/// The probabilities of a law: by the names of its outcomes, or, for a fair die, by classes of
/// equally likely outcomes.
enum Probabilities {
    Named(Vec<(String, Rational)>),
    /// The number of sides of a fair target, and the probabilities of its outcomes.
    Fair(BigUint, OutcomeLaw),
}

impl ComparedLaw {
    fn probabilities(&self, field: &str) -> Result<Probabilities, QueryError> {
        let target = self.target.checked()?;
        let wrong = |what: String| QueryError::wrong(field, what);
        if let (Some(id), Some(n)) = (&self.function, target.sides())
            && let Ok(line) = library(id)
        {
            let cost = line
                .cost(n)
                .map_err(|refusal| wrong(format!("{id}: {refusal}")))?;
            let law = cost
                .outcomes
                .unwrap_or_else(|| OutcomeLaw::uniform(n.clone()));
            return Ok(Probabilities::Fair(n.clone(), law));
        }
        if let Some(id) = &self.function {
            let Some(line) = WEIGHTS.iter().find(|line| line.id == id) else {
                return Err(wrong(format!(
                    "{id} rolls fair dice, and {} are weights",
                    self.target
                ))
                .right("a number of sides such as 6 was expected"));
            };
            let given = GivenWeights::new(&self.target.to_string());
            let given = given.ok_or_else(|| {
                wrong(format!(
                    "{id} takes at most {} weights here",
                    crate::weights::MAX_WEIGHTS
                ))
            })?;
            let law = (line.rule)(&given).map_err(|why| wrong(format!("{id} {why}")))?;
            let name = |i: usize| self.target.label(&i.into());
            let named = law
                .probabilities
                .into_iter()
                .enumerate()
                .map(|(i, p)| (name(i), p));
            return Ok(Probabilities::Named(named.collect()));
        }
        if let Some(n) = target.sides()
            && !self.target.is_labelled()
        {
            return Ok(Probabilities::Fair(
                n.clone(),
                OutcomeLaw::uniform(n.clone()),
            ));
        }
        Ok(Probabilities::Named(self.named_outcomes(field)?))
    }

    /// Returns the outcomes one by one, each with its name.
    fn named_outcomes(&self, field: &str) -> Result<Vec<(String, Rational)>, QueryError> {
        let target = self.target.checked()?;
        let outcomes = target.outcomes();
        if outcomes > MAX_SUPPORT.into() {
            let what = say!(
                "a law of ",
                flipcost_number::short::short(&outcomes),
                " outcomes is too long to compare outcome by outcome"
            );
            return Err(QueryError::wrong(field, what).right(say!("{MAX_SUPPORT} is the most")));
        }
        let sum = BigInt::from(target.weight_sum().clone());
        let named = target.iter().map(|(i, weight)| {
            (
                self.target.label(&i),
                Rational::new(weight.into(), sum.clone()),
            )
        });
        Ok(named.collect())
    }

    /// Returns the kind of the law's outcomes.
    fn outcomes(&self) -> OutcomeKind {
        let target = &self.target;
        let text = target.to_string();
        if !target.is_labelled() {
            let is_die = target.sides().is_some() && !text.contains([':', ',']);
            return if is_die {
                OutcomeKind::Faces
            } else {
                OutcomeKind::Weights
            };
        }
        let is_number = |(i, _): (BigUint, _)| parse_outcome_number(&target.label(&i)).is_some();
        // the outcomes of a formula or a named law are numbers, even if there are very many
        if target.formula().is_some()
            || target
                .target()
                .iter()
                .take(MAX_SUPPORT as usize)
                .all(is_number)
        {
            OutcomeKind::Values
        } else {
            OutcomeKind::Names
        }
    }
}

/// Parses an outcome's name as a number.
fn parse_outcome_number(label: &str) -> Option<Rational> {
    let digits = label.strip_prefix('-').unwrap_or(label);
    let is_number = |byte: u8| byte.is_ascii_digit() || b"./".contains(&byte);
    let size = parse_rational(digits)
        .ok()
        .filter(|_| digits.bytes().all(is_number))?;
    Some(if digits == label { size } else { -size })
}

/// The kind of outcomes that a law has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutcomeKind {
    /// The faces 1 to n of a fair die.
    Faces,
    /// Numbers: those of a formula, of a law by its name, or names that are numbers.
    Values,
    /// Names, at least one of which is not a number.
    Names,
    /// Weights without names.
    Weights,
}

/// How the outcomes of two laws are matched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matching {
    Value,
    Name,
    Place,
}

impl Matching {
    fn word(self) -> &'static str {
        match self {
            Matching::Value => "value",
            Matching::Name => "name",
            Matching::Place => "place",
        }
    }
}

impl LawDistance {
    /// Returns how to match the outcomes: by value if both laws have numbers, and by place if one
    /// law has only weights.
    fn matching(&self) -> Matching {
        match (self.law.outcomes(), self.other.outcomes()) {
            (OutcomeKind::Weights, _) | (_, OutcomeKind::Weights) => Matching::Place,
            (OutcomeKind::Names, OutcomeKind::Faces) | (OutcomeKind::Faces, OutcomeKind::Names) => {
                Matching::Place
            }
            (OutcomeKind::Names, _) | (_, OutcomeKind::Names) => Matching::Name,
            _ => Matching::Value,
        }
    }

    /// Returns pairs of probabilities; each pair belongs to the same outcome of both laws.
    fn matched(
        &self,
        law: Vec<(String, Rational)>,
        other: Vec<(String, Rational)>,
    ) -> Result<Vec<(Rational, Rational)>, QueryError> {
        fn merge<K: Ord>(
            law: impl Iterator<Item = (K, Rational)>,
            other: impl Iterator<Item = (K, Rational)>,
        ) -> Vec<(Rational, Rational)> {
            let mut all: BTreeMap<K, (Rational, Rational)> = BTreeMap::new();
            law.for_each(|(key, p)| all.entry(key).or_default().0 += p);
            other.for_each(|(key, q)| all.entry(key).or_default().1 += q);
            all.into_values().collect()
        }
        let by_value = |law: Vec<(String, Rational)>| {
            let valued = |(label, p): (String, Rational)| {
                (
                    parse_outcome_number(&label).expect("both laws are of numbers"),
                    p,
                )
            };
            law.into_iter().map(valued)
        };
        Ok(match self.matching() {
            Matching::Value => merge(by_value(law), by_value(other)),
            Matching::Name => merge(law.into_iter(), other.into_iter()),
            Matching::Place => {
                let plain = |law: &ComparedLaw| {
                    matches!(law.outcomes(), OutcomeKind::Faces | OutcomeKind::Weights)
                };
                if law.len() != other.len() && !(plain(&self.law) && plain(&self.other)) {
                    let what = say!(
                        "weights are compared by place, but ",
                        self.law.to_string(),
                        " has ",
                        law.len().to_string(),
                        " outcomes and ",
                        self.other.to_string(),
                        " has ",
                        other.len().to_string()
                    );
                    return Err(QueryError::wrong("other", what)
                        .right("weights with values are written {2: 1, 3: 2}"));
                }
                let places =
                    |law: Vec<(String, Rational)>| law.into_iter().map(|(_, p)| p).enumerate();
                merge(places(law), places(other))
            }
        })
    }

    fn comparison(&self) -> Result<Comparison, QueryError> {
        let laws = (
            self.law.probabilities("law")?,
            self.other.probabilities("other")?,
        );
        let pairs = match laws {
            (Probabilities::Fair(n, law), Probabilities::Fair(m, other))
                if n == m && other == OutcomeLaw::uniform(m.clone()) =>
            {
                return Ok(Comparison(Bias::new(&law, n)));
            }
            (Probabilities::Fair(_, law), other)
                if law.classes().len() == 1 && self.law.function.is_none() =>
            {
                let other = match other {
                    Probabilities::Named(other) => other,
                    Probabilities::Fair(..) => self.outcomes_one_by_one(&self.other, "other")?,
                };
                (self.law.named_outcomes("law")?, other)
            }
            (Probabilities::Named(law), Probabilities::Named(other)) => (law, other),
            (Probabilities::Named(law), Probabilities::Fair(..)) => {
                (law, self.outcomes_one_by_one(&self.other, "other")?)
            }
            (Probabilities::Fair(..), Probabilities::Named(other)) => {
                (self.outcomes_one_by_one(&self.law, "law")?, other)
            }
            (Probabilities::Fair(..), Probabilities::Fair(..)) => (
                self.outcomes_one_by_one(&self.law, "law")?,
                self.outcomes_one_by_one(&self.other, "other")?,
            ),
        };
        let (law, other) = pairs;
        Ok(Comparison::new(self.matched(law, other)?))
    }

    /// Returns a die's outcomes one by one. Rejects a function that is not fair, because only the
    /// classes of its outcomes are known.
    fn outcomes_one_by_one(
        &self,
        law: &ComparedLaw,
        field: &str,
    ) -> Result<Vec<(String, Rational)>, QueryError> {
        if let (Some(id), Probabilities::Fair(n, outcomes)) =
            (&law.function, law.probabilities(field)?)
            && outcomes != OutcomeLaw::uniform(n.clone())
        {
            let what = format!("{id} can only be compared with a fair die of {n} sides");
            return Err(
                QueryError::wrong(field, what).right(say!("the other law must be ", n.to_string()))
            );
        }
        law.named_outcomes(field)
    }
}

impl Question for LawDistance {
    fn summary(&self, answer: &Answer) -> String {
        let distance = answer.phrase(0, "total_variation").unwrap_or_default();
        let seen = match answer.cell(0, "detect_best") {
            Cell::Integer(detect) => {
                format!("; the best test of two classes takes about {detect} results")
            }
            _ => String::new(),
        };
        format!(
            "The laws {} and {} are {distance} apart in total variation, compared by {}{seen}",
            self.law,
            self.other,
            self.matching().word()
        )
    }

    fn estimate(&self) -> Estimate {
        let (one, bits) = self.law.target.size();
        let (other, more) = self.other.target.size();
        Estimate::space((one + other) * 400 + (bits + more) * 8, 4000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        check_samples_not_zero(self.samples)?;
        let apart = self.comparison()?;
        control.go_on()?;
        let bias = &apart.0;
        let finite = bias.is_finite();
        let of = |value: fn(&Bias) -> Real| {
            if finite {
                nonnegative_decimal(&value(bias), precision)
            } else {
                Ok(Cell::Infinite)
            }
        };
        let mut cells: Vec<Cell> = apart.total_variation_cells(precision)?.into();
        cells.extend([
            of(Bias::divergence)?,
            nonnegative_decimal(&bias.hellinger(), precision)?,
            of(Bias::renyi2)?,
            bias.largest_ratio().map_or(Cell::Infinite, Cell::from),
            apart.detect(),
            apart.detection(Bias::detect_best),
        ]);
        let mut head = Head::new()
            .column("total_variation_exact", CellKind::Exact)
            .answers()
            .column("total_variation", CellKind::Decimal)
            .answers()
            .measured("kullback_leibler_bits", CellKind::Decimal, "bits")
            .column("hellinger", CellKind::Decimal)
            .measured("renyi2_bits", CellKind::Decimal, "bits")
            .column("largest_ratio_exact", CellKind::Exact)
            .measured("detect", CellKind::Statistical, "results")
            .answers()
            .measured("detect_best", CellKind::Statistical, "results")
            .answers();
        let mut foot = Foot::default();
        if let Some(samples) = self.samples {
            cells.extend(advantage_cells(bias, samples, precision)?);
            head = advantage_head(head);
        }
        foot.note(match self.matching() {
            Matching::Value => "outcomes are compared by value",
            Matching::Name => "outcomes are compared by name",
            Matching::Place => {
                "outcomes are compared by place, the first with the first, since weights have no values"
            }
        });
        foot.note(if finite {
            STATISTICAL
        } else {
            "the first law has outcomes that the second never has: detect is the number of results after which one of them has come with probability 0.9"
        });
        sink.write_answer(&head, vec![cells], foot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    fn bias_between(law: &str, other: &str) -> Bias {
        let question = LawDistance {
            law: law.parse().unwrap(),
            other: other.parse().unwrap(),
            samples: None,
            digits: None,
        };
        question.comparison().unwrap().0
    }

    fn ratio(p: u32, q: u32) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Distances computed by hand: of 1/3 : 2/3 from halves, and of laws whose outcomes are matched
    /// by name, or by place if one law has no names.
    #[test]
    fn small_laws_have_the_distances_computed_by_hand() {
        assert_eq!(bias_between("1:2", "2").total_variation(), ratio(1, 6));
        assert_eq!(bias_between("1:2", "2").largest_ratio(), Some(ratio(4, 3)));
        assert_eq!(
            bias_between("bernoulli:1/3", "1:2").total_variation(),
            Rational::zero()
        );
        assert_eq!(
            bias_between("bernoulli:1/3", "d3 >= 3").total_variation(),
            Rational::zero()
        );
        // Numbers match by value, even if there are very many.
        for (law, other, distance) in [
            ("d6", "d6+1", ratio(1, 6)),
            ("d6", "2*d6", ratio(1, 2)),
            ("dF", "d3", ratio(2, 3)),
            ("d6", "d8+1", ratio(3, 8)),
            ("d4+1", "d4-1", ratio(1, 2)),
            ("{1: 1, 2: 1}", "2", ratio(0, 1)),
            ("1:1:1", "d3+7", ratio(0, 1)),
            ("{'a': 1, 'b': 1}", "{'b': 1, 'c': 1}", ratio(1, 2)),
            ("1:1", "1:1:2", ratio(1, 2)),
        ] {
            assert_eq!(
                bias_between(law, other).total_variation(),
                distance,
                "{law} {other}"
            );
        }
        assert_eq!(bias_between("2d6", "12").total_variation(), ratio(1, 4));
        let bias = bias_between("6", "5");
        assert_eq!(
            (bias.is_finite(), bias.total_variation(), bias.impossible()),
            (false, ratio(1, 6), ratio(1, 6))
        );
        // sqrt(1 - (sqrt(1/6) + sqrt(1/3))) to nine digits
        assert_eq!(
            bias_between("1:2", "2").hellinger().decimals(9).unwrap(),
            "0.120006001"
        );
    }

    #[test]
    fn weights_of_another_length_are_refused() {
        let question = LawDistance {
            law: "1:2:3".parse().unwrap(),
            other: "3d6".parse().unwrap(),
            samples: None,
            digits: None,
        };
        assert!(question.comparison().is_err());
    }

    #[test]
    fn a_library_function_is_compared_with_its_target() {
        assert!(bias_between("cpython-choices:1:2:3", "1:2:3").is_finite());
        let words = bias_between("r-sample-rounding:49", "49");
        assert_eq!(words, Bias::new(&OutcomeLaw::of_doubles(32, 49), 49));
        assert_eq!(
            bias_between("cpython-choices:1:2:1", "1:2:1").total_variation(),
            Rational::zero()
        );
    }
}
