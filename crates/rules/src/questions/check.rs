//! The question `rule check`: whether a user's own rule is fair, what it costs, and whether it
//! ends.

use crate::table::has_probabilities;
use crate::verdict::outside_sentence;
use crate::{FiniteVerdict, LawBounds, RuleText, RuleVerdict, decimals_below};
use flipcost::algorithms::find;
use flipcost::table::Precision;
use flipcost::task::Task;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::description::ValueAbout;
use flipcost_question::prelude::*;
use flipcost_question::targets::TargetList;
use num_traits::One;

question! {
    /// Whether a rule of your own is fair, what it costs and whether it ends, proved from its chain
    ///
    /// The rule is a small program in a file: `rule new` prints one to start from. All its paths
    /// are followed, so the results are exact: the law of its outcomes, its expected rolls beside
    /// those of the best rule, and whether it always ends. If it is not fair, `witness` names the
    /// shortest rolls that prove this. With an unknown source the law and the cost are functions of
    /// p.
    ///
    /// A row for each target. Notes give bounds on the probabilities instead of exact values for a
    /// rule of more than 50,000 states, and for a rule of more than 5000 states whose first 5000
    /// decide all but a probability of 2^-64. With `exact` the limit is 10^6 states, and up to 10^7
    /// states the notes also give bounds on the rolls.
    pub struct RuleCheck: "rule-check", "rule check" {
        /// The file of the rule; or the text of the rule, with a name for the file as its first
        /// line
        rule: RuleText; word("FILE"),
        /// The targets
        targets: TargetList = "2..20".parse().expect("a range"); option("N").name("targets"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are, and an exact solution of up to 10^6 states.
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: ["rule check my.rhai", "rule check my.rhai --targets 7 --source 6", "rule check my.rhai --targets 2 --source unknown:2"]
}

impl FieldValue for RuleText {
    const ABOUT: ValueAbout = ValueAbout::python("RuleLike");

    fn of_json(
        json: &flipcost_question::serde_json::Value,
        _: Names,
    ) -> Result<RuleText, Sentence> {
        let text = json.as_str().unwrap_or_default();
        RuleText::parse(text).map_err(Sentence::from)
    }

    fn json(&self) -> Option<flipcost_question::serde_json::Value> {
        Some(format!("{}\n{}", self.file, self.text).into())
    }
}

/// The index of the column that says whether the rule is fair.
const FAIR_COLUMN: usize = 1;

/// Returns the cell of a fraction, if it is not too long.
fn fraction(value: &Rational, precision: Precision) -> Cell {
    if u128::from(value.denom().bits()) <= precision.exact_limit {
        Cell::from(value)
    } else {
        Cell::Empty
    }
}

impl Question for RuleCheck {
    fn summary(&self, answer: &Answer) -> String {
        let file = &self.rule.file;
        let fair = |row: usize| matches!(answer.cell(row, "fair"), Cell::Flag(true));
        let rows = answer.rows.len();
        let wrong = (0..rows).find(|row| matches!(answer.cell(*row, "fair"), Cell::Flag(false)));
        let name = |row: usize| format!("n = {}", answer.cell(row, "n"));
        if let Some(row) = wrong {
            let witness = answer.phrase(row, "witness").unwrap_or_default();
            return format!("The rule {}", self.unfair_sentence(&name(row), &witness));
        }
        let all = (0..rows).all(fair);
        let cost = answer.phrase(0, "expected_exact");
        match (all, rows, cost) {
            (true, 1, Some(cost)) => {
                // The steps of a table with its own probabilities are not rolls of the source.
                let unit = if has_probabilities(&self.rule.text) {
                    "steps"
                } else {
                    self.source.0.unit().plural()
                };
                let least = answer.phrase(0, "optimum_exact");
                let least = least.map_or_else(String::new, |least| {
                    format!("; the least of any rule is {least}")
                });
                format!(
                    "The rule {file} is fair for {}, and takes {cost} {unit} on average{least}",
                    name(0)
                )
            }
            (true, 1, None) => format!("The rule {file} is fair for {}", name(0)),
            (true, ..) => format!("The rule {file} is fair for all {rows} targets"),
            (false, ..) => format!(
                "The rule {file} has too many states for {}, so only bounds of its probabilities are known",
                name((0..rows).find(|row| !fair(*row)).unwrap_or(0))
            ),
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 28, 1000 * self.targets.count())
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, self.exact)?;
        let head = Head::new()
            .column("n", CellKind::Count)
            .column("fair", CellKind::Flag)
            .answers()
            .column("total_variation_exact", CellKind::Exact)
            .column("expected_exact", CellKind::Exact)
            .answers()
            .column("optimum_exact", CellKind::Exact)
            .answers()
            .column("bounded", CellKind::Flag)
            .column("ends_exact", CellKind::Exact)
            .columns(CellKind::Count, ["states", "transitions"])
            .column("witness", CellKind::Text)
            .answers();
        let (mut rows, mut foot, mut wrong) = (Vec::new(), Foot::default(), Vec::new());
        for target in self.targets.iter_targets() {
            control.go_on()?;
            let task = Task::new(target?, self.source.0.clone());
            let verdict = self.rule.verdict(&task, self.exact);
            let verdict = verdict.map_err(|fault| QueryError::wrong("rule", fault.to_string()))?;
            let row = verdict_row(&task, &verdict, precision);
            note_on_verdict(&task, &verdict, &mut foot);
            if row[FAIR_COLUMN] == Cell::Flag(false) {
                let witness = match &verdict {
                    RuleVerdict::Unknown(unknown) => unknown.witness.as_deref(),
                    _ => None,
                };
                wrong.push(self.unfair_sentence(&target_name(&task), witness.unwrap_or_default()));
            } else if row[FAIR_COLUMN] == Cell::Empty {
                let (file, target) = (&self.rule.file, target_name(&task));
                wrong.push(format!(
                    "whether {file} is fair for {target} is not decided"
                ));
            }
            rows.push(row);
            if let (RuleVerdict::Finite(finite), 1) = (&verdict, self.targets.count()) {
                foot.values.extend(self.probabilities(&task, finite));
            }
        }
        foot.verdict = Some(match wrong.first() {
            None => flipcost_question::Verdict::Holds,
            Some(first) => flipcost_question::Verdict::Fails(first.clone()),
        });
        sink.write_answer(&head, rows, foot)
    }
}

/// Returns the least expected rolls of any rule for a task.
fn optimum(task: &Task) -> Option<Real> {
    let best = if task.target().sides().is_some() {
        "fast-dice-roller"
    } else {
        "knuth-yao"
    };
    Some(find(best).ok()?.law(task).ok()?.mean_real())
}

/// The largest number of outcomes whose probabilities are listed.
const MAX_LISTED_OUTCOMES: u32 = 128;

impl RuleCheck {
    /// Lists the probabilities of all outcomes from 0, if there are few outcomes.
    fn probabilities(&self, task: &Task, verdict: &FiniteVerdict) -> Option<(String, Cell)> {
        let n = u32::try_from(&task.target().outcomes()).ok()?;
        let probability = |outcome: u32| {
            let found = verdict.fairness.probabilities.get(&outcome.into());
            found.map_or("0".to_string(), Rational::to_string)
        };
        let all: Vec<String> = (0..n.min(MAX_LISTED_OUTCOMES)).map(probability).collect();
        let few = n <= MAX_LISTED_OUTCOMES && all.iter().map(String::len).sum::<usize>() < 20_000;
        few.then(|| ("probabilities".to_string(), text(all.join(" "))))
    }

    /// Returns a sentence that says that the rule is not fair for a target, and why. A rule that
    /// makes a coin from a coin of unknown bias may be meant as a Bernoulli factory.
    fn unfair_sentence(&self, target: &str, witness: &str) -> String {
        let file = &self.rule.file;
        let factory = self.source.0.is_unknown() && witness.starts_with("1 has ");
        match (factory, witness) {
            (true, _) => {
                format!("{file} is a Bernoulli factory, and no fair coin for every p: {witness}")
            }
            (false, "") => format!("{file} is not fair for {target}"),
            (false, _) => format!("{file} is not fair for {target}: {witness}"),
        }
    }
}

fn verdict_row(task: &Task, verdict: &RuleVerdict, precision: Precision) -> Vec<Cell> {
    let n = match task.target().sides() {
        Some(n) => Cell::Integer(n.into()),
        None => text(task.target().to_string()),
    };
    let own = matches!(verdict, RuleVerdict::Finite(finite) if !finite.rolls_source);
    let least = if task.source().is_fair() && !own {
        optimum(task)
    } else {
        None
    };
    let least = least
        .as_ref()
        .and_then(Real::exact)
        .map_or(Cell::Empty, |least| fraction(least, precision));
    let count = |count: usize| Cell::Integer((count as u64).into());
    match verdict {
        RuleVerdict::Finite(finite) => vec![
            n,
            Cell::Flag(finite.fairness.is_fair()),
            fraction(&finite.fairness.total_variation, precision),
            finite
                .expected
                .as_ref()
                .map_or(Cell::Empty, |expected| fraction(expected, precision)),
            least,
            Cell::Flag(finite.bounded),
            fraction(&finite.fairness.ends, precision),
            count(finite.states),
            count(finite.transitions),
            finite.witness.clone().map_or(Cell::Empty, text),
        ],
        RuleVerdict::Unknown(unknown) => {
            let expected = unknown.law.as_ref().map(|law| law.mean().to_string());
            vec![
                n,
                Cell::Flag(unknown.fair),
                Cell::Empty,
                expected.map_or(Cell::Empty, text),
                Cell::Empty,
                Cell::Flag(unknown.bounded),
                unknown
                    .law
                    .as_ref()
                    .map_or(Cell::Empty, |_| Cell::from(&Rational::one())),
                count(unknown.states),
                count(unknown.transitions),
                unknown.witness.clone().map_or(Cell::Empty, text),
            ]
        }
        RuleVerdict::Endless(enclosed) => vec![
            n,
            describe_unfair_outcome(enclosed, task).map_or(Cell::Empty, |_| Cell::Flag(false)),
            Cell::Empty,
            Cell::Empty,
            least,
            // The paths that were not followed may or may not be bounded.
            (enclosed.transitions).map_or(Cell::Empty, |_| Cell::Flag(enclosed.bounded)),
            Cell::Empty,
            count(enclosed.states),
            enclosed.transitions.map_or(Cell::Empty, count),
            describe_unfair_outcome(enclosed, task).map_or(Cell::Empty, text),
        ],
    }
}

/// Adds notes with the probabilities from an unknown source, or with the bounds for a rule without
/// end.
fn note_on_verdict(task: &Task, verdict: &RuleVerdict, foot: &mut Foot) {
    match verdict {
        RuleVerdict::Finite(_) => {}
        RuleVerdict::Unknown(unknown) => {
            for (outcome, probability) in unknown.law.iter().flat_map(|law| law.outcomes()) {
                foot.note(format!(
                    "{}: the outcome {outcome} has the probability {probability}",
                    target_name(task)
                ));
            }
        }
        RuleVerdict::Endless(enclosed) => {
            let unit = Rational::new(1.into(), BigInt::from(10).pow(12));
            let most = |most: &Rational| format!(", at most {}", decimals_below(&(most + &unit)));
            let most = enclosed
                .rolls_at_most
                .as_ref()
                .map(most)
                .unwrap_or_default();
            let states = match enclosed.transitions {
                Some(_) => format!("it has {} states", enclosed.states),
                None => format!(
                    "it has more than {} states, or no end of them",
                    enclosed.states
                ),
            };
            foot.note(format!(
                "{}: {states}. After these {} is undecided; it takes at least {}{most} rolls on average",
                target_name(task), exact_phrase(&enclosed.undecided), decimals_below(&enclosed.rolls_at_least)
            ));
            for (outcome, low) in &enclosed.outcomes {
                foot.note(format!(
                    "{}: the outcome {outcome} has at least the probability {}, and at most what is undecided more",
                    target_name(task), decimals_below(low)
                ));
            }
        }
    }
}

/// Names a target in messages.
fn target_name(task: &Task) -> String {
    match task.target().sides() {
        Some(n) => format!("n = {n}"),
        None => task.target().to_string(),
    }
}

/// Describes an outcome whose probability differs from the target's, even if the whole undecided
/// probability is added to it.
fn describe_unfair_outcome(enclosed: &LawBounds, task: &Task) -> Option<String> {
    let mut outcomes = enclosed.outcomes.keys();
    if let Some(outside) = outcomes.find(|outcome| **outcome >= task.target().outcomes()) {
        return Some(outside_sentence(outside, task.target()));
    }
    let all = task.target().iter().take(1 << 20);
    let mut all = all.map(|(outcome, _)| {
        (
            enclosed.outcomes.get(&outcome).cloned().unwrap_or_default(),
            outcome,
        )
    });
    all.find_map(|(low, outcome)| {
        let wanted = task.target().probability(&outcome);
        if low > wanted {
            Some(format!("{outcome} has more than {wanted}"))
        } else if &low + &enclosed.undecided < wanted {
            Some(format!("{outcome} has less than {wanted}"))
        } else {
            None
        }
    })
}

fn text(text: String) -> Cell {
    Cell::Text(text)
}
