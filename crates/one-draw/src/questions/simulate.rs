//! The question `roll --test`: a simulation of many results, compared with the exact law.

use flipcost::algorithms::simulate::simulate_telling;
use flipcost_number::threads::Workers;
use flipcost_question::Always;
use flipcost_question::Answer;
use flipcost_question::FrontEnd;
use flipcost_question::PictureError;
use flipcost_question::Verdict;
use flipcost_question::dice::check_entropy;
use flipcost_question::prelude::*;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

question! {
    /// Roll many times, and test the mean, the outcomes and the numbers of rolls against the exact
    /// law
    ///
    /// One row. The verdict is that of all three tests together, and the note states it with the
    /// p-values. If there are too few trials to test the outcomes, there is no verdict, no interval
    /// and no p-value.
    pub struct Simulate: "roll" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// Instead of printing results, make many (10^6, or as many as --count says) and test the
        /// mean, the outcomes and the numbers of rolls against the exact law
        test: Always; flag().printed().without(&["trace", "input"]),
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The number of results
        count: NonZeroU64 = NonZeroU64::new(1_000_000).expect("above 0"); option("K").short('k'),
        /// The seed of the generator: the same seed repeats the same rolls
        seed: u64 = 1; option("S"),
    }
    purpose: Table
    examples: ["roll 6 --test --count 10^6 --seed 1"]
}

impl Simulate {
    /// The largest number of trials; up to this number, all counts are exact.
    pub const MAX_TRIALS: u64 = 1 << 40;
}

impl Question for Simulate {
    fn summary(&self, answer: &Answer) -> String {
        let [mean, expected] =
            ["mean", "expected"].map(|name| answer.measure(0, name).unwrap_or_default());
        let verdict = match answer.cell(0, "verdict") {
            Cell::Text(verdict) if verdict == "untested" => "too few for a test",
            Cell::Text(verdict) if verdict == "agrees" => {
                "the test finds no difference between the two"
            }
            _ => "the test finds a difference between the two",
        };
        format!(
            "{} of {} took {mean} on average where {expected} are expected: {verdict}",
            count_with_noun(self.count.get(), "result"),
            self.target.with_article(),
        )
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let n = self.target.target().outcomes().try_into();
        let n: u128 = n.unwrap_or(u128::MAX);
        Estimate::space(n.saturating_mul(16).saturating_add(1 << 24), 1000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if self.count.get() > Simulate::MAX_TRIALS {
            let what = format!("{} results are too many to test", self.count);
            return Err(QueryError::wrong("count", what).right("2^40 is the most"));
        }
        let task = self.target.task(&self.source.0)?;
        check_entropy(&task)?;
        control.go_on()?;
        let (algorithm, trials) = (self.algorithm, self.count.get());
        let done = AtomicU64::new(0);
        let tell = |more| {
            let before = done.fetch_add(more, Ordering::Relaxed);
            control.progress(before + more, trials);
            control.go_on().is_ok()
        };
        let simulate = || simulate_telling(algorithm.0, &task, trials, self.seed, &tell);
        let found = Workers::new(control.threads).run(simulate);
        let found = found.map_err(QueryError::of_algorithm("algorithm", self.algorithm.0))?;
        let found = found.ok_or(QueryError::Stopped)?;
        let verdict = match (found.tested, found.agrees) {
            (false, _) => "untested",
            (true, true) => "agrees",
            (true, false) => "disagrees",
        };
        // With too few trials, an interval or a p-value would mislead.
        let tested = |value: f64| {
            if found.tested {
                Cell::Double(value)
            } else {
                Cell::Empty
            }
        };
        let unit = task.source().unit().plural();
        let (outcomes, rolls) = (found.outcomes, found.rolls);
        let (low, high) = found.interval;
        let head = Head::new()
            .column("algorithm", CellKind::Text)
            .column("source", CellKind::Count)
            .column("target", self.target.kind())
            .columns(CellKind::Count, ["trials", "seed"])
            .measured("mean", CellKind::Statistical, unit)
            .measured("mean_low", CellKind::Statistical, unit)
            .measured("mean_high", CellKind::Statistical, unit)
            .measured("expected", CellKind::Decimal, unit)
            .columns(CellKind::Statistical, ["mean_p", "outcomes_chi_square"])
            .column("outcomes_degrees", CellKind::Count)
            .columns(CellKind::Statistical, ["outcomes_p", "rolls_chi_square"])
            .column("rolls_degrees", CellKind::Count)
            .column("rolls_p", CellKind::Statistical)
            .column("verdict", CellKind::Text);
        sink.head(&head)?;
        sink.rows(vec![row![
            algorithm.id(),
            flipcost::table::source_cell(&self.source.0),
            self.target.cell(),
            found.trials,
            found.seed,
            Cell::Double(found.mean),
            tested(low),
            tested(high),
            Cell::Double(found.expected),
            tested(found.mean_p),
            Cell::Double(outcomes.statistic),
            outcomes.degrees,
            tested(outcomes.p),
            Cell::Double(rolls.statistic),
            rolls.degrees,
            tested(rolls.p),
            verdict
        ]])?;
        let mut foot = Foot::default();
        foot.note(found.verdict());
        foot.verdict = found.tested.then(|| {
            if found.agrees {
                Verdict::Holds
            } else {
                Verdict::Fails(found.verdict())
            }
        });
        sink.foot(foot)
    }

    fn to_text(&self, answer: &Answer, _: FrontEnd) -> Result<String, PictureError> {
        self.lines(answer)
    }
}
