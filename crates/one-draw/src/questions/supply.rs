//! The question `supply`: the number of rolls that suffice for many results, except with a given
//! probability.

use super::cost::best::cheapest;
use flipcost::algorithms::AlgorithmError;
use flipcost::law::{Draws, FractionSize, Law, LevelError};
use flipcost::table::Precision;
use flipcost::task::RollUnit;
use flipcost_figures::Drawing;
use flipcost_number::BigInt;
use flipcost_number::BigUint;
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_question::PictureError;
use flipcost_question::dice::estimate_rolls;
use flipcost_question::long::OptionalFractions;
use flipcost_question::prelude::*;
use flipcost_question::value::{join_values, registered_algorithm};
use flipcost_question::{Probability, Targets};
use num_traits::{One, Pow, Zero};
use std::cmp::Ordering;
use std::collections::HashMap;

question! {
    /// How many rolls suffice for many results, except with a given probability
    ///
    /// How many rolls must be at hand so that all results are drawn from them, except with a given
    /// probability; or how likely it is that a given number of rolls does not suffice. A row for
    /// each failure probability, then one for each number of rolls.
    ///
    /// `rolls` is the least T with P(more than T rolls are needed) <= P, or the T that was given;
    /// `tail_log2` is log2 of that probability. With `block`, rolls come in blocks of that size:
    /// `rolls` is the number of rolls in the fewest whole blocks that suffice, `bytes` is the
    /// number of bytes in that many words, `blocks` is the number of blocks, and `expected_blocks`
    /// is how many blocks are opened on average.
    pub struct Supply: "supply" {
        /// The targets, one result of each in order: 6 or 3329, a list such as 4,7:8:9, a range
        /// such as 197..256
        targets: Option<Targets>; word("N"),
        /// Instead of targets: attempts that are accepted with these probabilities; each is
        /// repeated until it is accepted once
        accept: Vec<Probability>; option("P").without(&["targets", "algorithm"]),
        /// How many times the whole list is drawn
        count: u64 = 1; option("K"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The algorithm [default: the one that `flipcost cost` ranks first; from words, two
        /// algorithms: bitmask-words, which most programs use, and then that one]
        algorithm: Option<AlgorithmId>; option("ID").short('a'),
        /// Failure probabilities: 2^-128, or a list [default: 2^-64,2^-128,2^-256 without `at`]
        failure: Vec<Probability>; option("P"),
        /// Compute how likely it is that each of these numbers of rolls does not suffice
        at: Vec<u64>; option("T"),
        /// Rolls come in blocks of this size
        block: u64 = 1; option("B"),
        /// How many rolls of the first block are already used up. An attempt may begin in one block
        /// and end in the next
        offset: u64 = 0; option("O"),
        /// The number of rolls that one attempt takes
        each: u64 = 1; option("C").with("accept"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Libraries
    examples: [
        "supply 3329 --count 256 --source word:12 -a rejection --block 2",
        "supply --accept 3329/4096 --count 256 --at 560",
        "supply 250 --source word:8 -a rejection-ceil --block 136 --offset 8",
        "supply 52 --failure 2^-80,2^-128",
    ]
}

/// The largest number of targets or acceptances of a list.
const MAX_LISTED: usize = 10_000;
/// The largest number of results.
const MAX_RESULTS: u64 = 1_000_000_000;
/// The approximate time, in nanoseconds, of convolving one law with the others, divided by
/// sqrt(results max(count, 100)).
const CONVOLUTION_TIME: u128 = 5000;
/// The approximate number of points of a curve.
const MAX_POINTS: u64 = 60;
/// The longest block.
const MAX_BLOCK: u64 = 1 << 24;

impl Supply {
    /// Returns the failure probabilities; the default probabilities if the user gave neither
    /// probabilities nor numbers of rolls.
    fn failures(&self) -> Vec<Rational> {
        if self.failure.is_empty() && self.at.is_empty() {
            let power = |bits: u32| Rational::new(BigInt::one(), BigInt::from(2).pow(bits));
            return [64, 128, 256].map(power).into();
        }
        self.failure.iter().map(|p| p.get().clone()).collect()
    }

    fn listed_count(&self) -> usize {
        let targets = self.targets.as_ref();
        self.accept.len() + targets.map_or(0, |targets| targets.get().len())
    }

    /// Rejects invalid fields before the computation starts.
    fn check_fields(&self) -> Result<(), QueryError> {
        self.check_what_is_drawn()?;
        self.check_lists()?;
        self.check_numbers()
    }

    fn check_what_is_drawn(&self) -> Result<(), QueryError> {
        let targets = self.targets.as_ref().map_or(&[][..], Targets::get);
        match (targets.is_empty(), self.accept.is_empty()) {
            (true, true) => {
                let what = say!("nothing to draw: neither targets nor ", field("accept"));
                return Err(QueryError::wrong("targets", what).right(
                    "give targets such as 6, or the probability that an attempt is accepted",
                ));
            }
            (false, false) => return Err(QueryError::both_given("targets", "accept")),
            _ => {}
        }
        if !self.accept.is_empty() && self.algorithm.is_some() {
            return Err(QueryError::both_given("algorithm", "accept"));
        }
        if !self.accept.is_empty() && self.source != Sides::default() {
            return Err(QueryError::both_given("source", "accept"));
        }
        if self.accept.is_empty() && self.each != 1 {
            let what = say!(
                field("each").is(self.each),
                " counts the rolls of an attempt"
            );
            return Err(QueryError::wrong("each", what).right(say!("it needs ", field("accept"))));
        }
        Ok(())
    }

    fn check_lists(&self) -> Result<(), QueryError> {
        let targets = self.targets.as_ref().map_or(&[][..], Targets::get);
        let listed = self.listed_count();
        if listed > MAX_LISTED {
            let name = if targets.is_empty() {
                "accept"
            } else {
                "targets"
            };
            let what = say!("a list of {listed} is too long");
            return Err(QueryError::wrong(name, what).right(say!("{MAX_LISTED} is the most")));
        }
        for target in targets {
            target
                .checked()
                .map_err(|error| error.in_field("targets"))?;
        }
        for (name, probabilities) in [("accept", &self.accept), ("failure", &self.failure)] {
            if probabilities.iter().any(|p| p.get().is_zero()) {
                let what = match name {
                    "accept" => "an attempt accepted with probability 0 never succeeds",
                    _ => "a failure probability cannot be 0",
                };
                let right = "it must be above 0 and at most 1";
                return Err(QueryError::wrong(name, what).right(right));
            }
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), QueryError> {
        for (name, count) in [
            ("count", self.count),
            ("block", self.block),
            ("each", self.each),
        ] {
            if count == 0 {
                let what = say!(field(name).is(0), " is too small");
                return Err(QueryError::wrong(name, what).right("it must be at least 1"));
            }
        }
        let listed = self.listed_count();
        let results = u128::from(self.count) * listed as u128;
        if results > MAX_RESULTS.into() {
            let what = match listed {
                1 => say!(field("count").is(self.count), " asks for too many results"),
                _ => say!(
                    field("count").is(self.count),
                    " of a list of {listed} asks for {results} results"
                ),
            };
            return Err(QueryError::wrong("count", what).right(say!("{MAX_RESULTS} is the most")));
        }
        for (name, rolls) in [
            ("block", self.block),
            ("offset", self.offset),
            ("each", self.each),
        ] {
            if rolls > MAX_BLOCK {
                let what = say!(field(name).is(rolls), " is too many rolls");
                return Err(QueryError::wrong(name, what).right(say!("{MAX_BLOCK} is the most")));
            }
        }
        Ok(())
    }

    /// Returns the law of all results together, and the ids of the algorithms.
    fn draws(&self, rule: SupplyRule, control: &Control) -> Result<(Draws, String), QueryError> {
        let Some(targets) = &self.targets else {
            let attempts =
                (self.accept.iter()).map(|accept| Draws::attempts(accept.get().clone(), self.each));
            return Ok((Draws::all(attempts).repeat(self.count), String::new()));
        };
        let mut known: HashMap<String, (&str, Law)> = HashMap::new();
        let (mut draws, mut ids) = (Vec::new(), Vec::new());
        for target in targets.get() {
            control.go_on()?;
            let item = target.as_item();
            if !known.contains_key(&item) {
                let found = self.law(target, rule, control);
                known.insert(item.clone(), found.map_err(error_in_list)?);
            }
            let (id, law) = &known[&item];
            ids.push(*id);
            draws.push(Draws::from(law.clone()));
        }
        Ok((Draws::all(draws).repeat(self.count), join_values(ids, ";")))
    }

    /// Returns the law of one result, and the id of its algorithm.
    fn law(
        &self,
        target: &TargetText,
        rule: SupplyRule,
        control: &Control,
    ) -> Result<(&'static str, Law), QueryError> {
        let usual = (rule == SupplyRule::Usual && target.sides().is_some())
            .then(|| registered_algorithm("bitmask-words"));
        let (algorithm, law) = match self.algorithm.or(usual).map(|id| id.0) {
            None => cheapest(target, &self.source, control)?,
            Some(algorithm) => {
                let task = target.task_of_any_width(&self.source.0)?;
                let refused = QueryError::of_algorithm("algorithm", algorithm);
                let prepared = algorithm.prepare(&task).map_err(AlgorithmError::from);
                let law = prepared.and_then(|prepared| prepared.law());
                let law = law.map_err(refused)?;
                (algorithm, law)
            }
        };
        Ok((algorithm.about().id, law))
    }

    /// Returns whether the algorithm's law differs from the target.
    fn is_biased(&self) -> bool {
        let Some(algorithm) = self.algorithm.map(|id| id.0) else {
            return false;
        };
        let biased = |target: &TargetText| {
            let prepared = algorithm.prepare(&target.task_of_any_width(&self.source.0).ok()?);
            prepared.ok()?.bias().ok()?
        };
        let targets = self.targets.as_ref().map_or(&[][..], Targets::get);
        targets.iter().any(|target| biased(target).is_some())
    }

    /// Returns the least number of whole blocks for this many rolls after the offset.
    fn blocks(&self, rolls: u64) -> u128 {
        let all = u128::from(rolls) + u128::from(self.offset);
        all.div_ceil(self.block.into())
    }

    /// Returns the question whose answer gives the points of this question's curve: the tails at
    /// numbers of rolls from `least` to `most`.
    pub fn curve(&self, least: u64, most: u64) -> Supply {
        let step = (most.saturating_sub(least) / MAX_POINTS).max(1);
        Supply {
            failure: Vec::new(),
            at: (least..=most).step_by(step as usize).collect(),
            digits: None,
            ..self.clone()
        }
    }

    /// Returns words for the results, for use in a sentence.
    pub fn results_in_words(&self) -> String {
        let results = match self.count.saturating_mul(self.listed_count() as u64) {
            1 => "one result".to_string(),
            many => format!("{many} results"),
        };
        let targets = self.targets.as_ref().map_or(&[][..], Targets::get);
        match (targets, &self.accept[..]) {
            ([one], _) => {
                let source = self.source.0.with_article();
                format!("{results} of {} from {source}", one.with_article())
            }
            (_, [one]) => format!("{results} of attempts that are accepted with probability {one}"),
            _ => results,
        }
    }
}

/// If a result takes more expected rolls than this, the probabilities of its numbers of rolls are
/// not listed.
const MAX_ROLLS: u64 = 1 << 20;

/// Converts an error about one target into an error about the list.
fn error_in_list(error: QueryError) -> QueryError {
    match &error {
        QueryError::Input(wrong) if wrong.field.as_deref() == Some("target") => {
            error.in_field("targets")
        }
        _ => error,
    }
}

/// Returns the error for a level or a tail that cannot be determined.
fn unknown_level_error(error: LevelError, name: &str) -> QueryError {
    QueryError::wrong(name, say!("{error}"))
}

impl Question for Supply {
    fn summary(&self, answer: &Answer) -> String {
        self.sentence(answer)
    }

    /// The convolutions for each level cover about 12 standard deviations of the sum.
    fn estimate(&self) -> Estimate {
        let results = u128::from(self.count).saturating_mul(self.listed_count() as u128);
        let digits = 4 * u128::from(self.digits.unwrap_or(20)) + 128;
        let rows = (self.failure.len() + self.at.len()).max(3) as u128;
        let targets = self.targets.as_ref().map_or(&[][..], Targets::get);
        let rolls = targets.iter().map(|n| estimate_rolls(&self.source, n));
        let most = rolls.max().unwrap_or(1);
        let convolved = if self.accept.is_empty() {
            results.saturating_mul(digits).isqrt() * 12 * most + u128::from(self.block)
        } else {
            u128::from(self.block)
        };
        // Levels of similar size share their convolution. A single law, or attempts in closed form,
        // need none.
        let convolutions = (self.failures().len() + self.at.len()).clamp(1, 3) as u128;
        let time = match self.listed_count() as u128 {
            1 => 0,
            listed => {
                let spread = results
                    .saturating_mul(u128::from(self.count.max(100)))
                    .isqrt();
                (CONVOLUTION_TIME * convolutions * listed).saturating_mul(spread)
            }
        };
        Estimate::new(
            time,
            convolved.saturating_mul(40 * (digits / 16 + 8)),
            rows.saturating_mul(300 + digits + 20 * self.listed_count() as u128),
        )
    }

    fn optional_fractions(&self) -> Option<OptionalFractions> {
        let short = OptionalFractions {
            answers: &["failure"],
            ask: |_| say!(field("exact").is(true)),
        };
        (!self.exact).then_some(short)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.check_fields()?;
        let unit = match self.algorithm {
            _ if !self.accept.is_empty() => RollUnit::Rolls,
            Some(algorithm) => algorithm.0.unit(&self.source.0),
            None => self.source.0.unit(),
        };
        let unit = unit.plural();
        let mut head = Head::new()
            .column("failure", CellKind::Exact)
            .measured("at", CellKind::Count, unit)
            .measured("rolls", CellKind::Count, unit)
            .answers();
        if self.word_bits().is_some() {
            head = head.measured("bytes", CellKind::Count, "bytes").answers();
        }
        let mut head = head
            .measured("blocks", CellKind::Count, "blocks")
            .column("tail_log2", CellKind::Decimal)
            .answers()
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .measured("expected_blocks", CellKind::Decimal, "blocks")
            .column("variance_exact", CellKind::Exact)
            .column("algorithm", CellKind::Text);
        // With several targets the column is a list of ids, and attempts have no algorithm. In both
        // cases the column does not answer the question.
        if (self.targets.iter()).any(|targets| targets.get().len() == 1) {
            head = head.answers();
        }
        let mut found = vec![self.rule_rows(self.usual_rule(), unit, control)?];
        if self.usual_rule() != SupplyRule::Cheapest && self.algorithm.is_none() {
            let least = self.rule_rows(SupplyRule::Cheapest, unit, control)?;
            let pairs = least.rows.iter().zip(&found[0].rows);
            // compares all cells except the algorithm
            let same = |(a, b): (&Vec<Cell>, &Vec<Cell>)| a[..a.len() - 1] == b[..b.len() - 1];
            if !pairs.into_iter().all(same) {
                found.push(least);
            }
        }
        let texts: Vec<&str> = found.iter().map(|rule| rule.text.as_str()).collect();
        let mut foot = Foot::text(texts.join("\n") + "\n");
        for note in found.iter_mut().filter_map(|rule| rule.note.take()) {
            if !foot.notes.contains(&note) {
                foot.note(note);
            }
        }
        if self.is_biased() {
            foot.note("the algorithm is not fair: its outcomes are not equally likely, and `bias` says how unequal they are");
        }
        let rows = found.into_iter().flat_map(|rule| rule.rows).collect();
        sink.write_answer(&head, rows, foot)
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

/// The rule that chooses the algorithm for each target.
#[derive(Clone, Copy, PartialEq)]
enum SupplyRule {
    /// The algorithms that programs usually use: for fair dice, words with a bit mask; for weights,
    /// the cheapest algorithm.
    Usual,
    /// The cheapest algorithms.
    Cheapest,
}

/// The results for one choice of algorithms.
struct RuleRows {
    rows: Vec<Vec<Cell>>,
    text: String,
    note: Option<Sentence>,
}

/// What a row is about.
enum Level {
    /// The least number of rolls that suffice except with this probability.
    Failure(Rational),
    /// The probability that this number of rolls does not suffice.
    At(u64),
}

/// The level of a row, its number of rolls, and log2 of the probability that these rolls do not
/// suffice.
struct LevelRolls {
    level: Level,
    rolls: u64,
    tail: Cell,
}

impl Supply {
    /// Returns the number of bits of a word, if the source is words.
    fn word_bits(&self) -> Option<u32> {
        let words = self.accept.is_empty() && self.source.0.unit() == RollUnit::Words;
        self.source.0.bits().filter(|_| words)
    }

    fn usual_rule(&self) -> SupplyRule {
        match self.word_bits() {
            Some(_) => SupplyRule::Usual,
            None => SupplyRule::Cheapest,
        }
    }

    /// Computes the rows for one choice of algorithms: a row for every failure probability and
    /// every number of rolls.
    fn rule_rows(
        &self,
        rule: SupplyRule,
        unit: &str,
        control: &Control,
    ) -> Result<RuleRows, QueryError> {
        let precision = precision(self.digits, self.exact)?;
        let (draws, ids) = self.draws(rule, control)?;
        self.check_listed_mean(&draws)?;
        let exact = draws.mean_up_to(precision.exact_limit);
        let mean = exact
            .clone()
            .map_or_else(|_| draws.mean_real(), Real::Exact);
        let variance = control
            .reads("variance_exact")
            .then(|| draws.variance_up_to(precision.exact_limit))
            .transpose();
        let expected = decimal(&mean, precision)?;
        let levels = self.find_levels(&draws, precision, control)?;
        let mut text = self.mean_clause(&ids, &expected, unit);
        text.extend(levels.iter().map(|level| level.clause(unit)));
        // Counting the blocks takes the longest time, so it is done only after all levels were
        // found.
        let blocks = if control.reads("expected_blocks") {
            decimal(&draws.expected_blocks(self.block, self.offset), precision)?
        } else {
            Cell::Empty
        };
        let note = self.note_on_left_out(&exact, &variance);
        let (exact, variance) = (exact.ok(), variance.ok().flatten());
        let row = |LevelRolls { level, rolls, tail }| {
            let mut row = match level {
                Level::Failure(p) => row![p, Cell::Empty, rolls],
                Level::At(at) => row![Cell::Empty, at, rolls],
            };
            if let Some(bits) = self.word_bits() {
                let bytes = (u128::from(rolls) * u128::from(bits)).div_ceil(8);
                row.push(Cell::Integer(BigUint::from(bytes).into()));
            }
            row.extend(row![
                Cell::Integer(BigUint::from(self.blocks(rolls)).into()),
                tail,
                exact.clone(),
                expected.clone(),
                blocks.clone(),
                variance.clone(),
                &ids
            ]);
            row
        };
        let rows = levels.into_iter().map(row).collect();
        Ok(RuleRows { rows, text, note })
    }

    /// Rejects results for which too many probabilities would have to be listed.
    fn check_listed_mean(&self, draws: &Draws) -> Result<(), QueryError> {
        let most = Real::Exact(Rational::from_integer(MAX_ROLLS.into()));
        if (draws.listed_mean()).is_some_and(|mean| mean.compare(&most) == Ok(Ordering::Greater)) {
            let what = format!(
                "a result takes more than {MAX_ROLLS} rolls on average, too many to list their probabilities"
            );
            let name = if self.accept.is_empty() {
                "targets"
            } else {
                "accept"
            };
            return Err(QueryError::wrong(name, what)
                .right("only a single target, or a single probability, has tails in closed form"));
        }
        Ok(())
    }

    /// Finds the number of rolls for every failure probability, and the tail for every number of
    /// rolls.
    fn find_levels(
        &self,
        draws: &Draws,
        precision: Precision,
        control: &Control,
    ) -> Result<Vec<LevelRolls>, QueryError> {
        let failures = self.failures().into_iter().map(Level::Failure);
        let levels: Vec<Level> = failures
            .chain(self.at.iter().copied().map(Level::At))
            .collect();
        let all = levels.len() as u64;
        let mut found = Vec::new();
        for (done, level) in (0..).zip(levels) {
            control.go_on()?;
            control.progress(done, all);
            let (rolls, name) = match &level {
                Level::At(rolls) => (*rolls, "at"),
                Level::Failure(p) => {
                    let least = draws
                        .quantile_above(p)
                        .map_err(|error| unknown_level_error(error, "failure"))?;
                    let least = least.expect("the probability is above 0");
                    let whole = self.blocks(least) * u128::from(self.block);
                    ((whole - u128::from(self.offset)) as u64, "failure")
                }
            };
            let tail = if control.reads("tail_log2") {
                tail_cell(draws, rolls, precision, name)?
            } else {
                Cell::Empty
            };
            found.push(LevelRolls { level, rolls, tail });
        }
        Ok(found)
    }

    /// States how many rolls the results take on average by these algorithms.
    fn mean_clause(&self, ids: &str, expected: &Cell, unit: &str) -> String {
        let (by, takes) = match (self.listed_count(), self.count) {
            (1, count) => {
                let by = ids.split_terminator(';').map(|id| format!(" by {id}"));
                (by.collect(), if count == 1 { "takes" } else { "take" })
            }
            _ => (String::new(), "take"),
        };
        format!(
            "{}{by} {takes} {} {unit} on average",
            self.results_in_words(),
            flipcost_question::spell::format_cell(expected, CellKind::Decimal)
        )
    }

    /// Returns a note that says which fractions, of the mean or the variance, are left out, and
    /// why.
    fn note_on_left_out(
        &self,
        mean: &Result<Rational, FractionSize>,
        variance: &Result<Option<Rational>, FractionSize>,
    ) -> Option<Sentence> {
        let (left_out, each, size) = match (mean, variance) {
            (Err(size), _) => (
                "expected_exact and variance_exact are left out",
                "each",
                size,
            ),
            (_, Err(size)) => ("variance_exact is left out", "it", size),
            _ => return None,
        };
        let fraction = format!("{left_out}: the fraction of one result");
        Some(match size {
            FractionSize::Sum | FractionSize::Product => say!("{left_out}: {each} {size:#}"),
            _ if self.exact => say!("{fraction} is too long to be written"),
            _ => say!(
                "{fraction} is long; ",
                field("exact").is(true),
                " asks for it all the same"
            ),
        })
    }

    /// Returns a sentence about the first row, and about how many rolls the cheapest algorithms
    /// take.
    fn sentence(&self, answer: &Answer) -> String {
        let amount = |row: usize| match answer.phrase(row, "bytes") {
            Some(bytes) => format!(
                "{} of {} ({})",
                answer.measure(row, "rolls").unwrap_or_default(),
                count_with_noun(self.source.0.bits().unwrap_or_default().into(), "bit"),
                with_unit(&bytes, "bytes")
            ),
            None => answer.measure(row, "rolls").unwrap_or_default(),
        };
        let by = |row: usize| match answer.cell(row, "algorithm").to_string() {
            ids if ids.is_empty() || ids.contains(';') => String::new(),
            id => format!(" by {}", algorithm_phrase(&id)),
        };
        let tail = match answer.cell(0, "tail_log2") {
            Cell::Double(0.0) => "1".to_string(),
            Cell::Double(log) if *log > -1.0 => format!("2^{}", double_phrase(*log)),
            Cell::Double(log) if log.is_finite() => {
                let log = format!("{log:.1}");
                format!("2^{}", log.trim_end_matches(".0"))
            }
            Cell::Decimal(log) => format!("2^{log}"),
            _ => String::new(),
        };
        let first = answer.cell(0, "algorithm");
        let same = |row: &usize| answer.cell(*row, "algorithm") != first;
        let least = (0..answer.rows.len())
            .find(same)
            .map_or(String::new(), |row| {
                format!("; the fewest are {},{}", amount(row), by(row))
            });
        let (amount, what, by) = (amount(0), self.results_in_words(), by(0));
        let (suffice, are) = if amount.starts_with("1 ") {
            ("suffices", "is")
        } else {
            ("suffice", "are")
        };
        if tail.is_empty() {
            return format!("{amount} {suffice} for {what}{by} in any case{least}");
        }
        if *answer.cell(0, "at") == Cell::Empty {
            return format!(
                "{amount} {suffice} for {what}{by}, except with probability {tail}{least}"
            );
        }
        format!("the probability that {amount} {are} not enough for {what}{by} is {tail}")
    }
}

/// Returns log2 P(T > rolls), which is minus infinity if the probability is 0.
fn tail_cell(
    draws: &Draws,
    rolls: u64,
    precision: Precision,
    name: &str,
) -> Result<Cell, QueryError> {
    let log = draws
        .log2_sf(rolls)
        .map_err(|error| unknown_level_error(error.into(), name))?;
    match log {
        Some(log) => decimal(&log, precision),
        None => Ok(Cell::Double(f64::NEG_INFINITY)),
    }
}

impl LevelRolls {
    /// Formats the row as a clause.
    fn clause(&self, unit: &str) -> String {
        let LevelRolls { level, rolls, tail } = self;
        match level {
            Level::Failure(p) => {
                let p = flipcost_question::spell::format_cell(&Cell::from(p), CellKind::Exact);
                format!("; {rolls} suffice except with probability {p}")
            }
            Level::At(_) => {
                let tail = flipcost_question::spell::format_cell(tail, CellKind::Decimal);
                format!("; {rolls} {unit} do not suffice with probability 2^{tail}")
            }
        }
    }
}
