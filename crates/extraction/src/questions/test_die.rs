//! Whether a die is fair, by its rolls, and what to do with one that is not.

mod costs;

use crate::against::LawTest;
use crate::fairness::{FaceCounts, test_power};
use crate::fairness_range::test_power_range;
use costs::FairResultCosts;
use flipcost::algorithms::parse_rolls;
use flipcost::law::Bias;
use flipcost::law::detection::Detection;
use flipcost::table::Precision;
use flipcost::task::{WeightsError, column_of_text};
use flipcost_number::expression::{parse_rational, parse_u64};
use flipcost_number::{BigUint, Decimal, Rational, Real};
use flipcost_question::counted;
use flipcost_question::description::{ValueAbout, text_of, to_sentence};
use flipcost_question::precision::{decimal, near_zero, small};
use flipcost_question::prelude::*;
use flipcost_question::texts;
use flipcost_question::{Probability, WIDTH};
use num_traits::{One, Signed, Zero};
use serde_json::Value as Json;
use std::fmt::{self, Write};
use std::str::FromStr;

question! {
    /// Is a die fair? The exact test of its rolls, what it can find, and how to use the die all the same
    ///
    /// The numbers of times that each face came, against a fair die. The p-value is the probability that a fair die
    /// gives counts that are no more likely than these (exact multinomial test); chi-square is the usual
    /// approximation. The power is the probability that the exact test of size 1/100 finds the load, after as many
    /// rolls. At last what a fair coin and a fair die cost with this die, by rules that are fair for every load, if its
    /// probabilities are as the counts say. With `against` the counts are those of the outcomes of a law, in its order, and everything
    /// is about that law in place of a fair die; then, and with `size`, `rejects` says whether the p-value is at most the size. Where too many counts would be enumerated, p-value and power lie between two ends.
    /// One row; its document is a page for players.
    pub struct TestDie: "test-die" {
        /// How often each face came, as in 17,12,20,15,18,18; or @FILE with rolls (faces from 1, or HTHHT of a coin), @FILE:COLUMN of a table
        counts: Vec<FaceCount>; word("COUNTS"),
        /// The faces of the die, if the last of them never came
        faces: Option<u64>; option("M"),
        /// The load to find: the weights of the faces, or by how much of itself the last face comes more often than the others
        load: Load = Load::default(); option("LOAD"),
        /// In place of a fair die, the law that is tested: weights, dice such as 4d6kh3, or a law
        against: Option<TargetText>; option("LAW"),
        /// The size of the test, the probability that it rejects what is right [default: 1/100]
        size: Option<Probability>; option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["test-die 17,12,20,15,18,18", "test-die 40,25,35,28,30,42 --load 1:1:1:1:1:2", "test-die 2,4,7,5,2 --against 1:4:6:4:1"]
}

/// The most decimals: a p-value may be enclosed, with as many places.
pub(crate) const MOST_DIGITS: u32 = 1000;

/// Ends with more zeros before their first digit are written as 0 and the least double.
const MOST_ZEROS: u64 = 20_000;

/// How often a face came.
///
/// ```
/// use flipcost_extraction::questions::FaceCount;
/// assert_eq!("17".parse(), Ok(FaceCount(17)));
/// assert!("-1".parse::<FaceCount>().is_err() && "1.5".parse::<FaceCount>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceCount(pub u64);

/// Not how often a face came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no number of times that a face came: a whole number from 0 to {most} was expected, or @FILE with rolls such as HTHHT", most = FaceCounts::MOST_ROLLS
)]
pub struct FaceCountError(String);

impl FromStr for FaceCount {
    type Err = FaceCountError;

    fn from_str(text: &str) -> Result<FaceCount, FaceCountError> {
        let wrong = |_| FaceCountError(text.chars().take(40).collect());
        parse_u64(text).map(FaceCount).map_err(wrong)
    }
}

impl FieldValue for FaceCount {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(counts_of_rolls),
        ..ValueAbout::python("SupportsIndex")
    };

    fn of_json(json: &Json) -> Result<FaceCount, Sentence> {
        let text = match json {
            Json::Number(number) => number.to_string(),
            json => text_of(json)?,
        };
        text.parse().map_err(to_sentence::<FaceCountError>)
    }

    fn json(&self) -> Option<Json> {
        Some(self.0.into())
    }
}

/// The counts of the rolls in a text, or in a column of its table: H and T of a coin, or faces from 1.
fn counts_of_rolls(text: &str, column: Option<&str>) -> Result<String, String> {
    let of_column = match column {
        Some(column) => {
            let fields = column_of_text(text, Some(column)).map_err(|error| error.to_string())?;
            fields.into_iter().map(|(_, field)| field + "\n").collect()
        }
        None => String::new(),
    };
    let text = column.map_or(text, |_| of_column.as_str());
    let most = FaceCounts::MOST_FACES;
    let faces = if text.contains(|c: char| c.is_ascii_digit()) {
        most
    } else {
        2
    };
    let rolls = parse_rolls(text, faces as u128).map_err(|error| {
        match (column, column_of_text(text, None)) {
            (None, Err(which @ WeightsError::Column(_))) => which.to_string(),
            _ if faces == 2 => error.to_string(),
            _ => error.of_some_die().to_string(),
        }
    })?;
    let last = rolls.iter().max().map_or(0, |last| *last as usize);
    let mut counts = vec![0u64; faces.min((last + 1).max(2))];
    rolls.iter().for_each(|&face| counts[face as usize] += 1);
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    Ok(counts.join(","))
}

/// A load of a die: weights such as `1:1:1:1:1:2`, or by how much of itself the last face comes more often than each
/// of the others: `1/2` is 2:2:2:2:2:3. The default is 1/2.
///
/// ```
/// use flipcost_extraction::questions::Load;
/// let load: Load = "1/2".parse()?;
/// assert_eq!((load.to_string().as_str(), load), ("1/2", Load::default()));
/// # Ok::<(), flipcost_extraction::questions::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// The weights of the faces.
    Weights(TargetText),
    /// The last face comes more often than another by this part.
    Last(Rational),
}

/// Why a text is no load.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It is no list of weights.
    #[error(transparent)]
    Weights(#[from] flipcost_question::TargetTextError),
    /// It is no number above 0.
    #[error(
        "\"{0}\" is no load: weights such as 1:1:1:1:1:2, or a number above 0 such as 1/2, were expected"
    )]
    Number(String),
}

impl Default for Load {
    fn default() -> Load {
        Load::Last(Rational::new(1.into(), 2.into()))
    }
}

impl FromStr for Load {
    type Err = LoadError;

    fn from_str(text: &str) -> Result<Load, LoadError> {
        if text.contains(':') {
            return Ok(Load::Weights(text.parse()?));
        }
        match parse_rational(text) {
            Ok(part) if part.is_positive() && part.numer().bits() + part.denom().bits() <= 128 => {
                Ok(Load::Last(part))
            }
            _ => Err(LoadError::Number(text.chars().take(40).collect())),
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Load::Weights(weights) => weights.fmt(f),
            Load::Last(part) => part.fmt(f),
        }
    }
}

texts! { Load, "LoadLike" }

impl Load {
    /// The weights of so many faces, a load of a die with these.
    fn weights(&self, law: &[BigUint]) -> Result<Vec<BigUint>, QueryError> {
        let faces = law.len();
        match self {
            Load::Last(part) => {
                let (more, one) = (part.numer().magnitude(), part.denom().magnitude());
                let mut weights: Vec<BigUint> = law.iter().map(|weight| weight * one).collect();
                weights[faces - 1] += &law[faces - 1] * more;
                Ok(weights)
            }
            Load::Weights(target) => {
                let weights: Vec<BigUint> = target
                    .checked()?
                    .iter()
                    .map(|(_, weight)| weight.clone())
                    .collect();
                let given = weights.len();
                if given != faces {
                    let what = say!(
                        target.to_string(),
                        " are {given} weights, and the die has {faces} faces"
                    );
                    return Err(QueryError::wrong("load", what)
                        .right("a weight for each face was expected"));
                }
                let same = |pair: (&BigUint, &BigUint)| pair.0 * &law[0] == pair.1 * &weights[0];
                if weights.iter().zip(law).all(same) {
                    let what = say!(target.to_string(), " are the weights of what is tested");
                    return Err(
                        QueryError::wrong("load", what).right("two that differ were expected")
                    );
                }
                if weights.iter().filter(|weight| !weight.is_zero()).count() < 2 {
                    let what = "the load is that of a die which always shows the same face";
                    return Err(QueryError::wrong("load", what)
                        .right("two weights above 0 at least were expected"));
                }
                Ok(weights)
            }
        }
    }
}

/// All that is known, for the row and the page.
struct DieTestResult {
    seen: FaceCounts,
    /// The law that is tested, as it is written, if it is no fair die.
    law: Option<String>,
    chi_square: Option<Rational>,
    chi_square_tail: f64,
    size: Option<Rational>,
    /// The p-value, or two ends between which it lies.
    p: Result<Real, [Rational; 2]>,
    weights: String,
    power: Option<Real>,
    /// Where it lies, if it is not known.
    power_between: Option<[Rational; 2]>,
    needed: Detection,
    costs: Option<FairResultCosts>,
}

/// Counts of the outcomes of a law: given for each of them, or for all numbers from 1, as rolls in a file have them.
fn of_law(law: &TargetText, mut counts: Vec<u64>) -> Result<Vec<u64>, QueryError> {
    let outcomes = law.checked()?.outcomes();
    let label = |i: usize| {
        law.label(&i.into())
            .parse::<usize>()
            .ok()
            .filter(|_| law.is_labelled())
    };
    if let Some(first @ 2..) = label(0)
        && BigUint::from(counts.len()) != outcomes
        && counts.len() >= first
        && counts[..first - 1].iter().all(|count| *count == 0)
    {
        counts.drain(..first - 1);
        if BigUint::from(counts.len()) < outcomes && outcomes <= FaceCounts::MOST_FACES.into() {
            counts.resize(law.target().iter().count(), 0);
        }
    }
    if BigUint::from(counts.len()) == outcomes {
        return Ok(counts);
    }
    let given = counts.len();
    let what = say!(
        "{given} counts are not those of ",
        law.in_words(),
        ", which has {outcomes} outcomes"
    );
    Err(QueryError::wrong("against", what).right("a count for each outcome was expected"))
}

impl TestDie {
    fn counts(&self) -> Result<FaceCounts, QueryError> {
        let mut counts: Vec<u64> = self.counts.iter().map(|count| count.0).collect();
        let (given, most) = (counts.len(), FaceCounts::MOST_FACES);
        if let Some(faces) = self.faces {
            if faces < given as u64 {
                let what = say!("{given} counts are too many for a die of {faces} faces");
                return Err(
                    QueryError::wrong("faces", what).right("one for each face was expected")
                );
            }
            counts.resize(faces.min(most as u64 + 1) as usize, 0);
        }
        if let Some(law) = &self.against {
            counts = of_law(law, counts)?;
        }
        if !(2..=most).contains(&counts.len()) {
            let what = match counts.len() {
                0 => "no count is given".to_string(),
                1 => "1 count is no die".to_string(),
                _ => format!(
                    "a die of {} faces is not tested",
                    self.faces.unwrap_or(given as u64)
                ),
            };
            let right = say!("2 to {most} counts, one for each face, were expected");
            return Err(QueryError::wrong("counts", what).right(right));
        }
        if counts.iter().all(|count| *count == 0) {
            let what = "all counts are 0: nothing was rolled";
            return Err(QueryError::wrong("counts", what).right("one roll at least was expected"));
        }
        FaceCounts::new(counts).ok_or_else(|| {
            let most = FaceCounts::MOST_ROLLS;
            QueryError::wrong("counts", "these are too many rolls")
                .right(say!("{most} is the most"))
        })
    }

    fn analyze(&self, control: &Control) -> Result<DieTestResult, QueryError> {
        let seen = self.counts()?;
        let faces = seen.counts().len();
        let fair = vec![BigUint::one(); faces];
        let weights_of = |law: &TargetText| law.target().iter().map(|(_, weight)| weight).collect();
        let tested: Vec<BigUint> = self.against.as_ref().map_or(fair, weights_of);
        let weights = self.load.weights(&tested)?;
        let hundredth = Rational::new(1.into(), 100.into());
        let size = self.size.as_ref().map_or(&hundredth, Probability::get);
        control.go_on()?;
        let law_test = self
            .against
            .is_some()
            .then(|| LawTest::new(seen.counts(), &tested));
        let p = match &law_test {
            Some(test) => test
                .p_value()
                .map(Real::Exact)
                .ok_or_else(|| test.p_value_range()),
            None => seen.p_value().ok_or_else(|| seen.p_value_range()),
        };
        control.go_on()?;
        let power = match &law_test {
            Some(test) => test.power(&weights, size).map(Real::Exact),
            None => test_power(&weights, seen.rolls(), size),
        };
        control.go_on()?;
        let power_between = match power {
            None if law_test.is_none() => test_power_range(&weights, seen.rolls(), size),
            _ => None,
        };
        let law = |weights: &[BigUint]| -> Vec<Rational> {
            let sum: BigUint = weights.iter().sum();
            let part = |weight: &BigUint| Rational::new(weight.clone().into(), sum.clone().into());
            weights.iter().map(part).collect()
        };
        let pairs = law(&weights).into_iter().zip(law(&tested));
        let apart = Bias::between(pairs.map(|(p, q)| (p, q, BigUint::one())));
        let needed = if *size == hundredth && apart.is_finite() {
            apart.detect()
        } else {
            Detection::BelowAsymptotics
        };
        let counts: Vec<BigUint> = seen.counts().iter().map(|&count| count.into()).collect();
        let texts: Vec<String> = weights.iter().map(BigUint::to_string).collect();
        Ok(DieTestResult {
            p,
            power,
            power_between,
            needed,
            costs: FairResultCosts::new(counts)?,
            weights: texts.join(":"),
            law: self.against.as_ref().map(TargetText::with_article),
            chi_square: law_test
                .as_ref()
                .map_or_else(|| Some(seen.chi_square()), LawTest::chi_square),
            chi_square_tail: law_test
                .as_ref()
                .map_or_else(|| seen.chi_square_tail(), LawTest::chi_square_tail),
            size: (self.against.is_some() || self.size.is_some()).then(|| size.clone()),
            seen,
        })
    }
}

impl Question for TestDie {
    fn summary(&self, answer: &Answer) -> String {
        let value = |name: &str| answer.phrase(0, name);
        let p = match answer.cell(0, "p_value") {
            Cell::Empty => answer.cell(0, "p_value_low"),
            p => p,
        };
        format!(
            "with probability {} {} gives counts at least as unlikely as those of {}; a load such as {} shows in about {}",
            cell_phrase(p),
            self.against
                .as_ref()
                .map_or("a fair die".to_string(), TargetText::with_article),
            with_unit(&value("rolls").unwrap_or_default(), "rolls"),
            value("load").unwrap_or_default(),
            with_unit(&value("rolls_needed").unwrap_or_default(), "rolls")
        )
    }

    fn estimate(&self) -> Estimate {
        let rolls = self.counts.iter().map(|count| u128::from(count.0));
        let rolls = rolls.sum::<u128>().min(FaceCounts::MOST_ROLLS.into());
        Estimate::space(rolls * 200 + (1 << 24), 4000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if let Some(digits) = self.digits.filter(|digits| *digits > MOST_DIGITS) {
            let what = say!("{digits} decimals are too many here");
            return Err(QueryError::wrong("digits", what).right(say!("{MOST_DIGITS} is the most")));
        }
        let precision = precision(self.digits, false)?;
        let found = self.analyze(control)?;
        control.go_on()?;
        let head = Head::new()
            .columns(CellKind::Count, ["rolls", "faces"])
            .column("p_value_exact", CellKind::Exact)
            .column("p_value", CellKind::Decimal)
            .answers()
            .column("chi_square_exact", CellKind::Exact)
            .column("chi_square", CellKind::Decimal)
            .column("chi_square_p", CellKind::Statistical)
            .column("load", CellKind::Text)
            .column("power", CellKind::Decimal)
            .answers()
            .measured("rolls_needed", CellKind::Statistical, "rolls")
            .answers()
            .measured("fair_coin_exact", CellKind::Exact, "rolls")
            .measured("fair_coin", CellKind::Decimal, "rolls")
            .column("fair_die_by", CellKind::Text)
            .measured("fair_die_exact", CellKind::Exact, "rolls")
            .measured("fair_die", CellKind::Decimal, "rolls")
            .columns(CellKind::Bound, ["p_value_low", "p_value_high"])
            .columns(CellKind::Bound, ["power_low", "power_high"]);
        let head = match &found.size {
            Some(_) => head
                .column("size", CellKind::Exact)
                .column("rejects", CellKind::Flag)
                .answers(),
            None => head,
        };
        let mut foot = Foot::text(page(&found)?);
        foot.notes = found.notes();
        sink.write_answer(&head, vec![found.to_row(precision)?], foot)
    }
}

impl DieTestResult {
    fn to_row(&self, precision: Precision) -> Result<Vec<Cell>, QueryError> {
        let number = |value: &Real| small(value, precision);
        let of = |value: Option<&Real>| value.map_or(Ok(Cell::Empty), number);
        let rational = |value: Option<&Rational>| {
            value.map_or(Ok(Cell::Infinite), |value| number(&value.clone().into()))
        };
        let end = |ends: Option<&[Rational; 2]>, end: usize| {
            ends.map_or(Ok(Cell::Empty), |ends| {
                outwards(&ends[end], end == 1, precision)
            })
        };
        let chi_square = self.chi_square.as_ref();
        let [coin, die] = [
            self.costs.as_ref().map(|costs| &costs.coin),
            self.costs.as_ref().map(|costs| &costs.cheapest().mean),
        ];
        let mut cells = row![
            self.seen.rolls(),
            self.seen.counts().len(),
            self.p.as_ref().map_or(Cell::Empty, exact),
            of(self.p.as_ref().ok())?,
            chi_square.map_or(Cell::Infinite, Cell::from),
            rational(chi_square)?,
            Cell::Double(self.chi_square_tail),
            &self.weights,
            of(self.power.as_ref())?,
            Cell::from(self.needed.clone()),
            coin.map_or(Cell::Infinite, Cell::from),
            rational(coin)?,
            self.costs
                .as_ref()
                .map(|costs| costs.cheapest().rule.to_string()),
            die.map_or(Cell::Infinite, Cell::from),
            rational(die)?,
            end(self.p.as_ref().err(), 0)?,
            end(self.p.as_ref().err(), 1)?,
            end(self.power_between.as_ref(), 0)?,
            end(self.power_between.as_ref(), 1)?
        ];
        if let Some(size) = &self.size {
            let rejects = match &self.p {
                Ok(p) => Some(p.compare(size.clone()).map_err(QueryError::input)?.is_le()),
                Err([_, high]) if high <= size => Some(true),
                Err([low, _]) if low > size => Some(false),
                Err(_) => None,
            };
            cells.extend(row![size, rejects]);
        }
        Ok(cells)
    }

    fn notes(&self) -> Vec<Sentence> {
        let hundredth = Rational::new(1.into(), 100.into());
        let size = self.size.as_ref().unwrap_or(&hundredth);
        let needed = if *size == hundredth {
            ", and rolls_needed, by the asymptotic law of chi-square, the rolls after which it is 0.9"
        } else {
            "; rolls_needed is known for the size 1/100 alone"
        };
        let mut notes: Vec<Sentence> = vec![
            format!("chi_square_p approximates p_value; power is that of the exact test of size {size}{needed}").into(),
        ];
        let (rolls, faces) = (self.seen.rolls(), self.seen.counts().len());
        if rolls < faces as u64 {
            let rolls = counted(rolls, "roll");
            notes.push(say!(
                "{rolls} of a d{faces}: a file holds rolls one by one, and counts of faces are given as they are, as in 17,12,20,15,18,18"
            ));
        }
        match &self.p {
            Ok(p) if near_zero(p).is_none() => {
                notes.push("p_value is left out: it is below 2^-65536".into())
            }
            Ok(p) if p.exact().is_none() => notes.push(say!(
                "p_value_exact is left out: its fraction is long; more decimals of p_value: ",
                field("digits")
            )),
            Ok(_) => {}
            Err(ends) => {
                notes.push("p_value is empty: too many counts would be enumerated; it lies between p_value_low and p_value_high, by sums of logarithms that are rounded down and up or, where it is tiny or these sums would be too many, by the probability of these counts and that times the number of all counts".into());
                if are_apart(ends) {
                    notes.push("p_value_low and p_value_high are far apart: chi_square_p approximates the p-value".into());
                }
            }
        }
        match (&self.power, &self.power_between) {
            (Some(_), _) => {}
            (None, Some(_)) => notes.push("power is empty: too many counts would be enumerated; it lies between power_low and power_high, which are found as those of p_value are".into()),
            (None, None) => notes.push("power is empty: too many counts would be enumerated".into()),
        }
        if matches!(self.needed, Detection::BelowAsymptotics) && *size == hundredth {
            notes.push("rolls_needed is empty: the load shows in fewer rolls than 5 for each face, too few for the law of the test".into());
        }
        notes
    }
}

/// What is below this is said as less than one in a power of ten.
fn rare() -> Rational {
    Rational::new(1.into(), 2000.into())
}

/// Are two ends of a probability of little use?
fn are_apart([low, high]: &[Rational; 2]) -> bool {
    high - low > Rational::new(1.into(), 4.into())
}

/// An end of an enclosure, rounded outwards.
fn outwards(end: &Rational, up: bool, precision: Precision) -> Result<Cell, QueryError> {
    let decimals = |digits| {
        Cell::Decimal(if up {
            Decimal::up(end, digits)
        } else {
            Decimal::down(end, digits)
        })
    };
    // 2^-k is below 10^-(k 0.3)
    let zeros = end.denom().bits().saturating_sub(end.numer().bits()) * 302 / 1000;
    if let Some(digits) = precision.digits {
        return Ok(decimals(digits));
    }
    Ok(match decimal(&end.clone().into(), precision)? {
        Cell::Double(nearest) => {
            let rounded = Rational::from_float(nearest).unwrap_or_default();
            Cell::Double(match up {
                true if rounded < *end => nearest.next_up(),
                false if rounded > *end => nearest.next_down(),
                _ => nearest,
            })
        }
        _ if zeros < MOST_ZEROS => decimals(zeros as u32 + 17),
        _ if up => Cell::Double(f64::from_bits(1)),
        _ => Cell::Double(0.0),
    })
}

/// A probability in words: as so many of a hundred, or as less than one in a power of ten.
fn share_of(value: &Real) -> Result<String, QueryError> {
    if value.exact().is_some_and(Zero::is_zero) {
        return Ok("0 %".to_string());
    }
    if value.compare(rare()).map_err(QueryError::input)?.is_ge() {
        let percent = value * &Real::integer(100);
        let decimals = percent.decimals(1).map_err(QueryError::input)?;
        return Ok(format!("{decimals} %"));
    }
    let high = match value.exact() {
        Some(exact) => exact.clone(),
        None => near_zero(value)
            .unwrap_or_else(|| value.enclose(1 << 16))
            .high(),
    };
    // a/b is below 2^-e, and 10^k is at most 2^e
    let e = (high.denom().bits() - high.numer().bits()).saturating_sub(1);
    Ok(format!("less than one in 10^{}", e * 30_102 / 100_000))
}

/// The answer in plain words, on one page.
fn page(found: &DieTestResult) -> Result<String, QueryError> {
    let (rolls, m) = (found.seen.rolls(), found.seen.counts().len());
    let name = if m == 2 {
        "coin".to_string()
    } else {
        format!("d{m}")
    };
    let (unit, one) = match m {
        2 => ("flips", "flip"),
        _ => ("rolls", "roll"),
    };
    let (kind, faces) = match m {
        2 => ("coin", "sides"),
        _ => ("die", "faces"),
    };
    let (act, again) = match m {
        2 => ("Flip", "flip"),
        _ => ("Roll", "roll"),
    };
    let counts: Vec<String> = found.seen.counts().iter().map(u64::to_string).collect();
    let mut text = String::new();
    let mut line = |name: &str, words: String| {
        let options = textwrap::Options::new(WIDTH).subsequent_indent("               ");
        let line = format!("{name:<15}{words}");
        writeln!(text, "{}", textwrap::fill(line.trim_end(), options))
            .expect("memory takes every byte");
    };
    let fraction = |q: u64| Real::Exact(Rational::new(1.into(), q.into()));
    line(
        "",
        format!(
            "A {name} after {}: {}",
            counted(rolls, one),
            counts.join(", ")
        ),
    );
    line("", String::new());
    let rarer = |q: u64| -> Result<bool, QueryError> {
        match &found.p {
            Ok(p) => Ok(p.compare(fraction(q)).map_err(QueryError::input)?.is_le()),
            Err([_, high]) if *high <= Rational::new(1.into(), q.into()) => Ok(true),
            Err([low, _]) if *low > Rational::new(1.into(), q.into()) => Ok(false),
            Err(_) => Ok(found.chi_square_tail <= 1.0 / q as f64),
        }
    };
    let fair = match &found.law {
        None => format!("A fair {name}"),
        Some(law) => format!("What is distributed as {law}"),
    };
    let verdict = match (rarer(1_000_000)?, rarer(100)?, rarer(20)?) {
        (true, ..) => "It is loaded, or the UNIT were not independent.",
        (_, true, _) => "Probably not. ROLL it some hundred times more, and count anew.",
        (.., true) => "There is a weak sign that it is not. ROLL it more, and count anew.",
        _ => "Nothing says that it is not.",
    };
    line(
        if found.law.is_some() {
            "does it fit?"
        } else {
            "is it fair?"
        },
        verdict.replace("ROLL", act).replace("UNIT", unit),
    );
    match &found.p {
        Ok(p) => line(
            "exact test",
            format!(
                "{fair} gives counts that are as unlikely as these, or more so, in {} of all series of {}.",
                share_of(p)?,
                counted(rolls, one)
            ),
        ),
        Err(ends) if are_apart(ends) => line(
            "exact test",
            "Too many counts to enumerate; what follows is near it.".to_string(),
        ),
        Err(ends) => {
            let [low, high] = ends.clone().map(|end| share_of(&end.into()));
            let (low, high) = (low?, high?);
            let share = if low == high || ends[1] < rare() {
                high
            } else {
                format!("{low} to {high}")
            };
            line(
                "exact test",
                format!(
                    "{fair} gives counts that are as unlikely as these, or more so, in {share} of all series of \
                     {rolls} {unit}.",
                ),
            );
        }
    }
    let squared = match &found.chi_square {
        Some(squared) => spelled(squared, 12, Precision::default())?,
        None => "infinite".to_string(),
    };
    let tail = Rational::from_float(found.chi_square_tail).unwrap_or_default();
    let tail = if tail.is_zero() {
        "less than one in 10^300".to_string()
    } else {
        share_of(&tail.into())?
    };
    line(
        "chi-square",
        format!("{squared}; the approximation says {tail}."),
    );
    line("", String::new());
    let weights: Vec<&str> = found.weights.split(':').collect();
    let weights = match weights.as_slice() {
        [a, b, .., y, z] if m > 20 => format!("{a}:{b}:...:{y}:{z}"),
        all => all.join(":"),
    };
    let mut load = format!("A {name} with weights {weights}");
    let chance = match (&found.power, &found.power_between) {
        (Some(power), _) => Some(share_of(power)?),
        (None, Some(ends)) => {
            let [low, high] = ends.clone().map(|end| share_of(&end.into()));
            let (low, high) = (low?, high?);
            Some(if low == high {
                low
            } else {
                format!("{low} to {high}")
            })
        }
        (None, None) => None,
    };
    match chance {
        Some(chance) => write!(
            load,
            " is found by {} with a chance of {chance}",
            counted(rolls, one)
        ),
        None => write!(load, " may be found"),
    }
    .expect("memory takes every byte");
    match &found.needed {
        Detection::Results(needed) => write!(load, "; by about {needed} {unit} with 90 %"),
        _ => Ok(()),
    }
    .expect("memory takes every byte");
    line(
        "what it finds",
        load + &match &found.size {
            Some(size) => format!(
                ". (Found: by a test that rejects what is right with a probability of {size} at most.)"
            ),
            None => format!(
                ". (Found: called unfair by a test that calls at most 1 fair {kind} of 100 so.)"
            ),
        },
    );
    line("", String::new());
    let Some(costs) = &found.costs else {
        line(
            "what to do",
            "Only one face ever came: no rule makes anything fair of that.".to_string(),
        );
        return Ok(text);
    };
    let coin = spelled(&costs.coin, 12, Precision::default());
    line(
        "what to do",
        format!("Rules that are fair for every load, if {unit} are independent:"),
    );
    let (first, second) = if m == 2 {
        ("heads, then tails", "tails, then heads")
    } else {
        ("the first is lower", "the first is higher")
    };
    line(
        "a fair coin",
        format!(
            "{act} twice. If {first}: heads. If {second}: tails. If both are equal, {again} twice again. {} {unit} on average.",
            coin?
        ),
    );
    if m > 2 {
        let mean = |cost: &Rational| spelled(cost, 12, Precision::default());
        let die = &costs.by_hand;
        line(
            &format!("a fair {name}"),
            format!(
                "{} {} rolls on average.",
                die.rule.words(m),
                mean(&die.mean)?
            ),
        );
        if let Some(die) = &costs.by_lists {
            line(
                "in fewer rolls",
                format!(
                    "{} {} rolls on average.",
                    die.rule.words(m),
                    mean(&die.mean)?
                ),
            );
        }
    }
    line(
        "",
        format!("(Averages for a {kind} whose {faces} come as often as they did here.)"),
    );
    Ok(text)
}
