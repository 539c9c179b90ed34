//! The question `distribution`: the exact law of the number of rolls, or its quantiles.

use flipcost::algorithms::AlgorithmError;
use flipcost::law::Law;
use flipcost::table::Precision;
use flipcost::task::{RollUnit, Task};
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_question::Probability;
use flipcost_question::dice::estimate_rolls;
use flipcost_question::long::OptionalFractions;
use flipcost_question::prelude::*;
use flipcost_question::sides::check_known_source;
use num_traits::{One, Zero};

question! {
    /// The exact distribution of the number of rolls: P(T = t) and P(T > t)
    ///
    /// The exact distribution of the number T of rolls of one algorithm: a row P(T = t), P(T > t)
    /// for t = 0, 1, 2, ...; or a row for each quantile. The document of the answer states the
    /// mean, the variance and the worst case in a sentence.
    pub struct Distribution: "distribution" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The algorithm; by default the fast dice roller, or the interval algorithm from a loaded
        /// source.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM.printed(),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The last t [default: the worst case, or the first t with P(T > t) < 1/1000]
        upto: Option<u64>; option("T").short('u'),
        /// Print quantiles instead: the least t with P(T <= t) >= q, for each q
        quantiles: Vec<Probability>; option("Q").short('q').missing("1/2,9/10,99/100,999/1000"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: ["distribution 6 -a fast-dice-roller", "distribution 6 -a interval --upto 10"]
}

/// The largest number of rows of an answer, since the fraction of row t has t digits in base m.
const MAX_ROWS: u64 = 20_000;

/// The number of rows that are written at a time.
const CHUNK: u64 = 256;

impl Question for Distribution {
    fn summary(&self, answer: &Answer) -> String {
        let verb = take_verb(&self.target.with_article());
        let what = format!(
            "{} from {} by {}",
            self.target.with_article(),
            self.source.0.with_article(),
            algorithm_phrase(self.algorithm.id())
        );
        let last = answer.rows.len().saturating_sub(1);
        if !self.quantiles.is_empty() {
            let (t, part) = (answer.measure(last, "t"), answer.phrase(last, "quantile"));
            let [t, part] = [t, part].map(Option::unwrap_or_default);
            if *answer.cell(last, "t") == Cell::Infinite {
                let units = self.algorithm.0.unit(&self.source.0).plural();
                return format!(
                    "no number of {units} is enough for {what} with probability {part}"
                );
            }
            return format!("{what} {verb} at most {t} with probability {part}");
        }
        let left = answer.phrase(last, "survival").unwrap_or_default();
        // the text begins with "mean 3.6666666666666665 flips, ..."
        let text = answer.foot.text.as_deref().unwrap_or_default();
        let mean = text
            .strip_prefix("mean ")
            .and_then(|text| text.split(' ').next());
        let mean = match (mean, mean.and_then(|mean| mean.parse().ok())) {
            (Some(_), Some(mean)) if self.digits.is_none() => double_phrase(mean),
            (mean, _) => mean.unwrap_or("no known number of").to_string(),
        };
        let mean = format!(
            "{mean} {} on average, and ",
            self.algorithm.0.unit(&self.source.0).plural()
        );
        format!(
            "{what} {verb} {mean}at most {} except with probability {left}",
            answer.measure(last, "t").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        let roll = u128::from(self.source.get().ilog2() + 1);
        // A try takes about log_m n rolls and succeeds with probability at least 1/2, so P(T > t) <
        // 1/1000 after ten tries. If the outcomes of weights are tried one by one, the number of
        // tries is multiplied by the number of outcomes.
        let tries = match self.target.sides() {
            Some(_) => 12,
            None => 12 * self.target.size().0,
        };
        let usual = tries.saturating_mul(estimate_rolls(&self.source, &self.target));
        let rows = self.upto.map_or(usual, u128::from);
        let rows = rows.min(MAX_ROWS.into()) + 1;
        let bytes = rows * roll / 3 + u128::from(self.digits.unwrap_or(16));
        match self.quantiles.len() as u128 {
            0 => Estimate::cells(5 * rows, bytes),
            count => Estimate::cells(2 * count, 8),
        }
    }

    fn optional_fractions(&self) -> Option<OptionalFractions> {
        let short = OptionalFractions {
            answers: &["quantile"],
            ask: |_| say!(field("exact").is(true)),
        };
        (!self.exact).then_some(short)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        check_known_source(&self.source.0)?;
        let task = Task::new(self.target.checked()?.clone(), self.source.0.clone());
        let precision = precision(self.digits, self.exact)?;
        // Every outcome has probability 1/n, so no leaf has a depth below log_m n.
        let certain = match self.target.sides() {
            Some(n) => n.bits() / u64::from(self.source.get().ilog2() + 1),
            None => 0,
        };
        if self.quantiles.is_empty() && self.upto.is_none() && certain > MAX_ROWS {
            return Err(self.too_many_rows_error());
        }
        control.go_on()?;
        let law = self.law(&task)?;
        if self.quantiles.is_empty() {
            self.write_table(&law, &task, precision, control, sink)
        } else {
            let unit = self.algorithm.0.unit(task.source());
            write_quantiles(&law, &self.quantiles, unit, control, sink)
        }
    }
}

impl Distribution {
    /// Returns the law of the algorithm for this task.
    fn law(&self, task: &Task) -> Result<Law, QueryError> {
        let refused = QueryError::of_algorithm("algorithm", self.algorithm.0);
        let prepared = self.algorithm.0.prepare(task).map_err(AlgorithmError::from);
        prepared
            .and_then(|prepared| prepared.law())
            .map_err(refused)
    }

    fn too_many_rows_error(&self) -> QueryError {
        let target = self.target.phrase();
        let what =
            say!("the distribution for {target} has more than {MAX_ROWS} rows, the most at once");
        QueryError::wrong("target", what).right(say!(
            field("upto").with_word("T"),
            " ends the table earlier, ",
            field("quantiles").with_word("Q"),
            " gives single levels"
        ))
    }

    fn write_table(
        &self,
        law: &Law,
        task: &Task,
        precision: Precision,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let last = self.upto.or(law.max()).unwrap_or_else(|| {
            let enough = Rational::new(999.into(), 1000.into());
            law.quantile(&enough)
                .expect("below 1 every quantile is finite")
        });
        if last > MAX_ROWS {
            let what = say!(field("upto").is(last), " asks for too many rows");
            return Err(match self.upto {
                None => self.too_many_rows_error(),
                Some(_) => {
                    QueryError::wrong("upto", what).right(say!("{MAX_ROWS} is the most at once"))
                }
            });
        }
        let head = Head::new()
            .measured(
                "t",
                CellKind::Count,
                self.algorithm.0.unit(task.source()).plural(),
            )
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal)
            .column("survival_exact", CellKind::Exact)
            .column("survival", CellKind::Decimal);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let real = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
        let mut before = Rational::one(); // P(T > -1)
        let mut ends = None;
        for (t, survival) in (0..=last).zip(law.survival()) {
            let probability = &before - &survival;
            rows.push(row![
                t,
                &probability,
                real(&probability)?,
                &survival,
                real(&survival)?
            ])?;
            if survival.is_zero() {
                ends = Some(t).filter(|t| *t < last);
                break;
            }
            before = survival;
            if t.is_multiple_of(CHUNK) {
                control.go_on()?;
                control.progress(t, last);
            }
        }
        let mut foot = Foot::default();
        if let Some(t) = ends {
            let unit = self.algorithm.0.unit(task.source()).plural();
            foot.note(format!(
                "the distribution ends at t = {t}: more than {t} {unit} are never needed, and every later row would be 0"
            ));
        }
        match moments_summary(law, self.algorithm.0.unit(task.source()), precision) {
            Ok(summary) => foot.text = Some(summary),
            Err(error) => foot.note(format!("mean and variance are left out: {error}")),
        }
        rows.end(foot)
    }
}

/// Returns the mean, the variance and the worst case in one line.
fn moments_summary(law: &Law, unit: RollUnit, precision: Precision) -> Result<String, QueryError> {
    let (mean, variance) = (law.mean_real(), law.variance_real());
    let (mean, variance) = (decimal(&mean, precision)?, decimal(&variance, precision)?);
    let unit = unit.plural();
    let worst = match (law.max(), law.unsettled()) {
        (Some(t), _) => format!("{t} {unit}"),
        (None, None) => "unbounded".to_string(),
        (None, Some(_)) => "not known".to_string(),
    };
    Ok(format!(
        "mean {mean} {unit}, variance {variance}, worst case {worst}\n"
    ))
}

fn write_quantiles(
    law: &Law,
    quantiles: &[Probability],
    unit: RollUnit,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<(), QueryError> {
    let head = Head::new().column("quantile", CellKind::Exact).measured(
        "t",
        CellKind::Count,
        unit.plural(),
    );
    sink.head(&head)?;
    for q in quantiles {
        control.go_on()?;
        let t = match (law.quantile(q.get()), law.unsettled()) {
            (None, Some(_)) => Cell::Empty,
            (t, _) => Cell::or_infinite(t),
        };
        sink.rows(vec![row![q.get(), t]])?;
    }
    sink.foot(Foot::default())
}
