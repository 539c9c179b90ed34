//! Is a rule of one's own fair, what does it cost, and does it end?

use crate::{Checked, Fault, RuleText, Verdict, check};
use flipcost::algorithms::find;
use flipcost::table::Precision;
use flipcost::task::{Source, Target, Task};
use flipcost_number::{Rational, Real};
use flipcost_question::prelude::*;
use flipcost_question::targets::TargetList;
use num_traits::One;

question! {
    /// Whether a rule of your own is fair, what it costs and whether it ends, proved from its chain
    ///
    /// The rule is a small program in a file: `rule new` prints one to start from. All that it can do is
    /// followed, so that what is said of it is exact: the law of its outcomes, its expected rolls beside the
    /// least of any rule, and whether it always ends. Where it is not fair, `witness` has the shortest rolls
    /// that show it. With an unknown source the law and the cost are functions of p.
    ///
    /// A row for each target. A rule with more than 10^6 states is followed until less than 2^-64 is
    /// undecided, and notes say between what its probabilities lie.
    pub struct RuleCheck: "rule-check", "rule check" {
        /// The file of the rule, or its text of several lines, with the name of the file in the first
        rule: RuleText; word("FILE"),
        /// The targets
        targets: TargetList = "2..20".parse().expect("a range"); option("N").name("targets"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Exact fractions however large they are.
        exact: bool; EXACT,
    }
    purpose: Numbers
    examples: ["rule check my.rhai", "rule check my.rhai --targets 7 --source 6", "rule check my.rhai --targets 2 --source unknown:2"]
}

/// A fraction that is not too long.
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
            return format!("{file} is not fair for {}: {witness}", name(row));
        }
        let all = (0..rows).all(fair);
        let cost = answer.phrase(0, "expected_exact");
        match (all, rows, cost) {
            (true, 1, Some(cost)) => {
                let least = answer.phrase(0, "optimum_exact");
                let least = least.map_or_else(String::new, |least| format!("; the least of any rule is {least}"));
                format!("{file} is fair for {}, and takes {cost} rolls on average{least}", name(0))
            }
            (true, 1, None) => format!("{file} is fair for {}", name(0)),
            (true, ..) => format!("{file} is fair for all {rows} targets"),
            (false, ..) => format!("{file} has no end of states for {}: its law is enclosed", name((0..rows).find(|row| !fair(*row)).unwrap_or(0))),
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
        for target in self.targets.each() {
            control.go_on()?;
            let target = target?;
            let checked = check(&self.rule, &self.source.0, &target)
                .map_err(|fault| QueryError::wrong("rule", fault.to_string()))?;
            rows.push(self.row(&target, &checked, precision, &mut foot)?);
            if checked.is_fair() == Some(false) {
                wrong.push(target.to_string());
            }
        }
        foot.verdict = Some(match wrong.first() {
            None => flipcost_question::Verdict::Holds,
            Some(first) => flipcost_question::Verdict::Fails(format!("{} is not fair for n = {first}", self.rule.file)),
        });
        sink.write_answer(&head, rows, foot)
    }
}

impl RuleCheck {
    fn row(&self, target: &Target, checked: &Checked, precision: Precision, foot: &mut Foot) -> Result<Vec<Cell>, QueryError> {
        let n = match target.sides() {
            Some(n) => Cell::Integer(n.clone().into()),
            None => Cell::from(target.to_string()),
        };
        Ok(vec![n])
    }
}
