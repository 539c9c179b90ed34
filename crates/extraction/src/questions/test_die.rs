//! The question `test-die`: whether a die is fair, judged by its rolls, and how to use a die that
//! is not fair.

mod costs;
mod seen;

use crate::fairness::{FaceCounts, UnusualFace};
use costs::FairResultCosts;
use flipcost::law::Bias;
use flipcost::law::Detection;
use flipcost::table::Precision;
use flipcost_number::expression::parse_rational;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_question::count_with_noun;
use flipcost_question::precision::{
    decimal, exact_cell, fraction_with_decimal, near_zero, nonnegative_decimal,
};
use flipcost_question::prelude::*;
use flipcost_question::texts;
use flipcost_question::{FrontEnd, WIDTH};
use num_traits::{One, Signed, Zero};
pub use seen::{SeenError, SeenRolls};
use std::fmt::{self, Write};
use std::str::FromStr;

question! {
    /// Is a die fair? How unusual its most unusual face is, what would show a load, and how to use
    /// even a loaded die
    ///
    /// Compares the number of times that each face came with what a fair die would show.
    /// `unusual_face` is the face that came most unusually often or seldom, by the smaller of the
    /// two tails of its binomial law. `at_most` is that tail times twice the number of faces, at
    /// most 1: for any number of rolls, the probability that a fair die has a face this unusual is
    /// never larger. Chi-square considers all faces together; its p-value is asymptotic, and says
    /// little if fewer than 5 of some face are expected. The verdict takes the smaller of the two
    /// if both are valid. `rolls_to_see` is the number of rolls after which chi-square finds the
    /// load with probability 0.9, if it calls 1 fair die of 100 unfair.
    ///
    /// With `against` the counts are those of the outcomes of a law, in its order, and that law
    /// replaces the fair die everywhere. One row; its document is a page for players, which ends
    /// with rules that make fair results with this die, whatever its load is.
    pub struct TestDie: "test-die" {
        /// How often each face came, as in 17,12,20,15,18,18; or the rolls, as in HTHHT for a coin;
        /// or @FILE or @FILE:COLUMN with rolls, or with faces and counts
        counts: SeenRolls; word("COUNTS"),
        /// The numbers are rolls, one after another
        rolls: bool; flag().without(&["as_counts"]),
        /// The numbers say how often each face came
        as_counts: bool; flag().name("counts").id("as_counts"),
        /// The number of faces of the die, if the last face never came
        faces: Option<u64>; option("M"),
        /// The load to find: the weights of the faces, or the fraction by which the last face comes
        /// more often than every other face
        load: Load = Load::default(); option("LOAD"),
        /// Test against this law instead of a fair die: weights, dice such as 4d6kh3, or a law by
        /// its name
        against: Option<TargetText>; option("LAW"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["test-die 17,12,20,15,18,18", "test-die 40,25,35,28,30,42 --load 1:1:1:1:1:2", "test-die 2,4,7,5,2 --against 1:4:6:4:1"]
}

/// The largest number of decimals, which is also the precision of an enclosed bound.
pub(crate) const MAX_DIGITS: u32 = 1000;

/// Bounds below 2 to the power of minus this number are not printed.
const MAX_ZEROS: u64 = 1 << 16;

/// A load of a die: weights such as `1:1:1:1:1:2`, or the fraction by which the last face comes
/// more often than every other face: `1/2` is 2:2:2:2:2:3. The default is 1/2.
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
    /// The fraction by which the last face comes more often than every other face.
    Last(Rational),
}

/// The error if a text is not a load.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not a list of weights.
    #[error(transparent)]
    Weights(#[from] flipcost_question::TargetTextError),
    /// The text is not a number above 0.
    #[error(
        "\"{0}\" is not a load: weights such as 1:1:1:1:1:2, or a number above 0 such as 1/2, were expected"
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
    /// Returns the weights of the faces of a die if this load is added to this law.
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
                    let what = say!(target.to_string(), " are the weights of the tested law");
                    return Err(
                        QueryError::wrong("load", what).right("two different laws were expected")
                    );
                }
                if weights.iter().filter(|weight| !weight.is_zero()).count() < 2 {
                    let what = "a die with this load always shows the same face";
                    return Err(QueryError::wrong("load", what)
                        .right("at least two weights above 0 were expected"));
                }
                Ok(weights)
            }
        }
    }
}

/// Returns the counts of the outcomes of a law. The given counts are those of the outcomes in
/// order, or those of all numbers from 1, as a file with rolls gives them.
fn counts_of_law(law: &TargetText, mut counts: Vec<u64>) -> Result<Vec<u64>, QueryError> {
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
        if BigUint::from(counts.len()) < outcomes && outcomes <= FaceCounts::MAX_FACES.into() {
            counts.resize(law.target().iter().count(), 0);
        }
    }
    if BigUint::from(counts.len()) == outcomes {
        return Ok(counts);
    }
    let given = counts.len();
    let what = say!(
        "{given} counts do not match ",
        law.phrase(),
        ", which has {outcomes} outcomes"
    );
    Err(QueryError::wrong("against", what).right("a count for each outcome was expected"))
}

/// All results of the test, for the row and for the page.
struct DieTestResult {
    seen: FaceCounts,
    /// If the numbers could be rolls or counts: a note that says how they were interpreted.
    reading_note: Option<Sentence>,
    /// The text of the tested law, unless it is a fair die.
    law: Option<String>,
    unusual: UnusualFace,
    /// The name of the most unusual face.
    face: Cell,
    face_kind: CellKind,
    chi_square: Option<Rational>,
    chi_square_p: Real,
    /// The weights of the load.
    load: String,
    detection: Detection,
    costs: Option<FairResultCosts>,
}

impl TestDie {
    fn face_counts(&self) -> Result<FaceCounts, QueryError> {
        let wanted = match (self.rolls, self.as_counts) {
            (false, false) => None,
            (rolls, _) => Some(rolls),
        };
        let mut counts = self
            .counts
            .counts(wanted, self.faces, self.against.as_ref())?;
        let (given, most) = (counts.len(), FaceCounts::MAX_FACES);
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
            counts = counts_of_law(law, counts)?;
        }
        if !(2..=most).contains(&counts.len()) {
            let what = match counts.len() {
                0 => "no count is given".to_string(),
                1 => "1 count is not enough for a die".to_string(),
                _ => format!(
                    "a die of {} faces is too large to test",
                    self.faces.unwrap_or(given as u64)
                ),
            };
            let right = say!("2 to {most} counts, one for each face, were expected");
            return Err(QueryError::wrong("counts", what).right(right));
        }
        if counts.iter().all(|count| *count == 0) {
            let what = "all counts are 0: nothing was rolled";
            return Err(QueryError::wrong("counts", what).right("at least one roll was expected"));
        }
        let weights = match &self.against {
            Some(law) => law.target().iter().map(|(_, weight)| weight).collect(),
            None => vec![BigUint::one(); counts.len()],
        };
        FaceCounts::new(counts, weights).ok_or_else(|| {
            let most = FaceCounts::MAX_ROLLS;
            QueryError::wrong("counts", "there are too many rolls")
                .right(say!("{most} is the most"))
        })
    }

    fn analyze(&self, control: &Control) -> Result<DieTestResult, QueryError> {
        let seen = self.face_counts()?;
        let load = self.load.weights(seen.weights())?;
        control.go_on()?;
        let unusual = seen.most_unusual_face();
        control.go_on()?;
        let law = |weights: &[BigUint]| -> Vec<Rational> {
            let sum: BigUint = weights.iter().sum();
            let part = |weight: &BigUint| Rational::new(weight.clone().into(), sum.clone().into());
            weights.iter().map(part).collect()
        };
        let pairs = law(&load).into_iter().zip(law(seen.weights()));
        let pairs = pairs.filter(|(p, q)| !p.is_zero() || !q.is_zero());
        let apart = Bias::between(pairs.map(|(p, q)| (p, q, BigUint::one())));
        let detection = if apart.is_finite() {
            apart.detect()
        } else {
            Detection::BelowAsymptotics
        };
        let counts: Vec<BigUint> = seen.counts().iter().map(|&count| count.into()).collect();
        let texts: Vec<String> = load.iter().map(BigUint::to_string).collect();
        let (face, face_kind) = match &self.against {
            Some(law) => (law.outcome(&unusual.face.into()), law.outcome_kind()),
            None => (
                Cell::Integer((unusual.face as u64 + 1).into()),
                CellKind::Count,
            ),
        };
        let is_told = self.rolls || self.as_counts || self.against.is_some();
        Ok(DieTestResult {
            reading_note: self.counts.reading_note(self.faces).filter(|_| !is_told),
            law: self.against.as_ref().map(TargetText::with_article),
            face,
            face_kind,
            chi_square: seen.chi_square(),
            chi_square_p: seen.chi_square_p(),
            load: texts.join(":"),
            detection,
            costs: FairResultCosts::new(counts)?,
            unusual,
            seen,
        })
    }
}

impl Question for TestDie {
    fn summary(&self, answer: &Answer) -> String {
        let value = |name: &str| answer.phrase(0, name).unwrap_or_default();
        format!(
            "{} Face {} came {}; {} has a face this unusual with probability at most {}",
            value("verdict"),
            value("unusual_face"),
            with_unit(&value("unusual_count"), "times"),
            self.against
                .as_ref()
                .map_or("a fair die".to_string(), TargetText::with_article),
            value("at_most"),
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, 4000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if let Some(digits) = self.digits.filter(|digits| *digits > MAX_DIGITS) {
            let what = say!("{digits} decimals are too many here");
            return Err(QueryError::wrong("digits", what).right(say!("{MAX_DIGITS} is the most")));
        }
        let precision = precision(self.digits, false)?;
        let found = self.analyze(control)?;
        control.go_on()?;
        let head = Head::new()
            .columns(CellKind::Count, ["faces", "rolls"])
            .column("verdict", CellKind::Text)
            .answers()
            .column("unusual_face", found.face_kind)
            .column("unusual_count", CellKind::Count)
            .column("at_most_exact", CellKind::Exact)
            .column("at_most", CellKind::Decimal)
            .answers()
            .column("chi_square_exact", CellKind::Exact)
            .column("chi_square", CellKind::Decimal)
            .column("chi_square_p", CellKind::Decimal)
            .measured("rolls_to_see", CellKind::Statistical, "rolls")
            .answers();
        let mut foot = Foot::text(result_page(&found)?);
        foot.notes = found.notes();
        sink.write_answer(&head, vec![found.to_row(precision)?], foot)
    }
}

impl DieTestResult {
    fn to_row(&self, precision: Precision) -> Result<Vec<Cell>, QueryError> {
        let chi_square = self.chi_square.as_ref();
        let statistic = match chi_square {
            Some(value) => decimal(&value.clone().into(), precision)?,
            None => Cell::Infinite,
        };
        Ok(row![
            self.seen.counts().len(),
            self.seen.rolls(),
            self.verdict()?,
            self.face.clone(),
            self.seen.counts()[self.unusual.face],
            exact_cell(&self.unusual.at_most),
            self.bound_cell(precision)?,
            chi_square.map_or(Cell::Infinite, Cell::from),
            statistic,
            nonnegative_decimal(&self.chi_square_p, precision)?,
            Cell::from(self.detection.clone())
        ])
    }

    /// Returns the cell of the bound as a decimal, with 17 significant digits if no double is near
    /// the bound; an empty cell if the bound is below 2^-65536.
    fn bound_cell(&self, precision: Precision) -> Result<Cell, QueryError> {
        let zeros = self.unusual.zeros;
        let digits = match precision.digits {
            None if zeros > MAX_ZEROS => return Ok(Cell::Undefined),
            None if zeros > 1000 => Some((zeros * 30_103 / 100_000) as u32 + 17),
            digits => digits,
        };
        let precision = Precision {
            digits,
            ..precision
        };
        decimal(&self.unusual.at_most, precision)
    }

    /// Returns the verdict as a sentence.
    fn verdict(&self) -> Result<&'static str, QueryError> {
        let below = |q: u64| -> Result<bool, QueryError> {
            let least = Rational::new(1.into(), q.into());
            let is_below = |p: &Real| {
                let order = p.compare(least.clone()).map_err(QueryError::input)?;
                Ok::<_, QueryError>(order.is_le())
            };
            Ok(is_below(&self.unusual.at_most)?
                || !self.seen.is_below_asymptotics() && is_below(&self.chi_square_p)?)
        };
        let is_coin = self.seen.counts().len() == 2;
        let words: [&str; 4] = match (self.law.is_some(), is_coin) {
            (true, _) => [
                "The counts do not fit.",
                "Probably the counts do not fit.",
                "There is a weak sign that the counts do not fit.",
                "There is no sign that the counts do not fit.",
            ],
            (false, true) => [
                "The coin is loaded, or the flips were not independent.",
                "The coin is probably not fair: flip it a few hundred more times, with a new count.",
                "There is a weak sign that the coin is not fair: flip it more often, with a new count.",
                "There is no sign that the coin is not fair.",
            ],
            (false, false) => [
                "The die is loaded, or the rolls were not independent.",
                "The die is probably not fair: roll it a few hundred more times, with a new count.",
                "There is a weak sign that the die is not fair: roll it more often, with a new count.",
                "There is no sign that the die is not fair.",
            ],
        };
        for (limit, words) in [1_000_000, 100, 20].into_iter().zip(words) {
            if below(limit)? {
                return Ok(words);
            }
        }
        Ok(words[3])
    }

    fn notes(&self) -> Vec<Sentence> {
        let mut notes: Vec<Sentence> = self.reading_note.iter().cloned().collect();
        if self.seen.is_below_asymptotics() {
            notes.push(
                "chi_square_p is asymptotic and may be far off, since fewer than 5 rolls of some face are expected; at_most is exact".into(),
            );
        }
        let at_most = &self.unusual.at_most;
        if self.unusual.zeros > MAX_ZEROS {
            notes.push("at_most is left out: it is below 2^-65536".into());
        } else if at_most.exact().is_none() {
            notes.push(say!(
                "at_most_exact is left out: its fraction is long; for more decimals of at_most use ",
                field("digits")
            ));
        }
        match self.detection {
            Detection::BelowAsymptotics => notes.push("rolls_to_see is empty: fewer than 5 rolls for each face reveal the load, and the test is not valid for so few rolls".into()),
            Detection::Results(_) => notes.push("rolls_to_see is asymptotic: after this many rolls chi-square finds the load with probability 0.9, if it calls 1 fair die of 100 unfair".into()),
            Detection::Never => {}
        }
        notes
    }
}

/// Returns a probability below 2^-zeros in words: as a number of cases in a hundred, or as less
/// than one in a power of ten.
fn probability_in_words(value: &Real, zeros: u64) -> Result<String, QueryError> {
    if value.exact().is_some_and(Zero::is_zero) {
        return Ok("0 %".to_string());
    }
    let rare = Rational::new(1.into(), 2000.into());
    if value.compare(rare).map_err(QueryError::input)?.is_ge() {
        let percent = value * &Real::integer(100);
        let decimals = percent.decimals(1).map_err(QueryError::input)?;
        return Ok(format!("{decimals} %"));
    }
    let high = value.enclose(zeros + 16).high();
    // a/b is below 2^-e, and 10^k is at most 2^e.
    let e = (high.denom().bits() - high.numer().bits()).saturating_sub(1);
    Ok(format!("less than one in 10^{}", e * 30_102 / 100_000))
}

/// Returns the answer in plain words, on one page.
fn result_page(found: &DieTestResult) -> Result<String, QueryError> {
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
    let rolled = count_with_noun(rolls, one);
    let counts: Vec<String> = found.seen.counts().iter().map(u64::to_string).collect();
    let mut text = String::new();
    let mut line = |name: &str, words: String| {
        let options = textwrap::Options::new(WIDTH).subsequent_indent("               ");
        let line = format!("{name:<15}{words}");
        writeln!(text, "{}", textwrap::fill(line.trim_end(), options))
            .expect("memory takes every byte");
    };
    line(
        "",
        format!("A {name} after {rolled}: {}", counts.join(", ")),
    );
    if let Some(note) = &found.reading_note {
        let terminal = FrontEnd::Terminal(|_, name| TestDie::description().field(name));
        line("", format!("({})", note.render(terminal)));
    }
    line("", String::new());
    let question = if found.law.is_some() {
        "does it fit?"
    } else {
        "is it fair?"
    };
    line(question, found.verdict()?.to_string());
    line(
        "most unusual",
        unusual_face_in_words(found, &name, &rolled)?,
    );
    line("chi-square", chi_square_in_words(found)?);
    line("", String::new());
    line(
        "what it finds",
        format!(
            "A {name} with {} (Found means: a chi-square test that calls 1 fair {kind} of 100 unfair calls this one unfair.)",
            load_in_words(found, unit)
        ),
    );
    line("", String::new());
    let Some(costs) = &found.costs else {
        line(
            "what to do",
            "Only one face ever came: no rule can make fair results from that.".to_string(),
        );
        return Ok(text);
    };
    line(
        "what to do",
        format!("Rules that are fair for every load, if {unit} are independent:"),
    );
    for (result, rule) in fair_rules(costs, m)? {
        line(&result, rule);
    }
    line(
        "",
        format!("(Averages for a {kind} whose {faces} come as often as they did here.)"),
    );
    Ok(text)
}

/// Returns a sentence that says how often the most unusual face occurred, and how unusual that is.
/// It begins with `rolled`.
fn unusual_face_in_words(
    found: &DieTestResult,
    name: &str,
    rolled: &str,
) -> Result<String, QueryError> {
    let fair = match &found.law {
        None => format!("a fair {name}"),
        Some(law) => format!("something distributed as {law}"),
    };
    let times = count_with_noun(found.seen.counts()[found.unusual.face], "time");
    let at_most = &found.unusual.at_most;
    let how = if found.seen.impossible_face().is_some() {
        "By the tested law, this face never comes.".to_string()
    } else if at_most.exact().is_some_and(One::is_one) {
        "That is nothing unusual.".to_string()
    } else {
        format!(
            "With {fair}, some face is this unusual in at most {} of all series of {rolled}.",
            probability_in_words(at_most, found.unusual.zeros)?
        )
    };
    Ok(format!("Face {} came {times}. {how}", found.face))
}

fn chi_square_in_words(found: &DieTestResult) -> Result<String, QueryError> {
    let squared = match &found.chi_square {
        Some(squared) => fraction_with_decimal(squared, 12, Precision::default())?,
        None => "infinite".to_string(),
    };
    let chi_square_zeros = near_zero(&found.chi_square_p)
        .map_or(1 << 16, |near| near.bits.saturating_sub(near.high.bits()));
    let few = if found.seen.is_below_asymptotics() {
        ", which says little: fewer than 5 of some face are expected"
    } else {
        ""
    };
    Ok(format!(
        "{squared}; in {} of all series it is at least as large (asymptotically){few}.",
        probability_in_words(&found.chi_square_p, chi_square_zeros)?
    ))
}

/// Returns a sentence with the weights of the load and the number of rolls after which the test
/// finds it.
fn load_in_words(found: &DieTestResult, unit: &str) -> String {
    let weights: Vec<&str> = found.load.split(':').collect();
    let weights = match weights.as_slice() {
        [a, b, .., y, z] if found.seen.counts().len() > 20 => format!("{a}:{b}:...:{y}:{z}"),
        all => all.join(":"),
    };
    let found_by = match &found.detection {
        Detection::Results(needed) => {
            format!("is found after about {needed} {unit} with probability 0.9.")
        }
        Detection::BelowAsymptotics => format!("is found after fewer than 5 {unit} for each face."),
        Detection::Never => "is the tested law itself, which is never found.".to_string(),
    };
    format!("weights {weights} {found_by}")
}

/// Returns pairs of a fair result and a rule that makes it. The rules use a die with m faces, and
/// are fair whatever its load is.
fn fair_rules(costs: &FairResultCosts, m: usize) -> Result<Vec<(String, String)>, QueryError> {
    let mean = |cost: &Rational| fraction_with_decimal(cost, 12, Precision::default());
    let coin = mean(&costs.coin)?;
    if m == 2 {
        let rule = format!(
            "Flip twice. If heads, then tails: heads. If tails, then heads: tails. If both are equal, flip twice again. {coin} flips on average."
        );
        return Ok(vec![("a fair coin".to_string(), rule)]);
    }
    let rule = format!(
        "Roll twice. If the first is lower: heads. If the first is higher: tails. If both are equal, roll twice again. {coin} rolls on average."
    );
    let by_hand = format!(
        "{} {} rolls on average.",
        costs.by_hand.rule.instructions(m),
        mean(&costs.by_hand.mean)?
    );
    let mut rules = vec![
        ("a fair coin".to_string(), rule),
        (format!("a fair d{m}"), by_hand),
    ];
    if let Some(die) = &costs.by_lists {
        let by_lists = format!(
            "{} {} rolls on average.",
            die.rule.instructions(m),
            mean(&die.mean)?
        );
        rules.push(("in fewer rolls".to_string(), by_lists));
    }
    Ok(rules)
}
