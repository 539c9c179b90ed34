//! The question `libraries bernoulli`: the probability with which library functions really return
//! true.

use super::measures::Comparison;
use crate::bernoulli::BERNOULLIS;
use crate::function::{described, with_word};
use flipcost::table::Precision;
use flipcost_number::{Rational, Real};
use flipcost_question::Probability;
use flipcost_question::prelude::*;
use num_traits::One;

question! {
    /// The probability that library functions really use for a requested probability p, and after
    /// how many results the difference shows
    ///
    /// A row for each function. The function takes the double nearest to p and compares it with a
    /// random word, so its probability is a multiple of 2^-word_bits. `detect` is the number of
    /// results after which a test of both outcomes (size 0.01, power 0.9) finds the difference.
    pub struct LibraryBernoulli: "libraries-bernoulli", "libraries bernoulli" {
        /// Only functions with this word in id, language, name or version, as in python
        word: Option<String>; word("WORD"),
        /// The probability: a fraction, or double:0.1 for the exact value of that double
        target: Probability = "1/3".parse().expect("a fraction"); option("P"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["libraries bernoulli --target 0.1", "libraries bernoulli rust --target double:0.1"]
}

impl Question for LibraryBernoulli {
    fn summary(&self, answer: &Answer) -> String {
        let p = exact_phrase(self.target.get());
        let is_exact = |row: &usize| matches!(answer.cell(*row, "total_variation_exact"), Cell::Exact(tv) if tv.numer().bits() == 0);
        let exact = (0..answer.rows.len()).filter(is_exact).count();
        let functions = count_with_noun(answer.rows.len() as u64, "function");
        let mut text = format!(
            "of {functions} {} {p} exactly",
            match exact {
                0 => "none makes".to_string(),
                1 => "1 makes".to_string(),
                all => format!("{all} make"),
            }
        );
        if let Some((_, worst)) = answer.extremes("total_variation") {
            let id = answer.cell(worst, "id");
            let off = answer.phrase(worst, "total_variation").unwrap_or_default();
            text += &format!("; {id} has the largest error, {off}");
        }
        text
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let lines = with_word(BERNOULLIS, self.word.as_deref(), "word")?;
        control.go_on()?;
        let p = self.target.get();
        let double = Real::Exact(p.clone()).to_f64().map_err(QueryError::input)?;
        let row = |line: &&'static crate::function::Function<crate::bernoulli::BernoulliRule>| {
            let real = line.rule.probability(double);
            let law = |p: &Rational| vec![p.clone(), Rational::one() - p];
            let apart = Comparison::new(law(&real).into_iter().zip(law(p)));
            let mut cells = row![line.id, &real, number(&real, precision)?];
            cells.extend(apart.total_variation_cells(precision)?);
            cells.push(apart.detect());
            cells.extend(row![line.rule.bits()]);
            cells.extend(line.cells());
            Ok(cells)
        };
        let rows: Vec<Vec<Cell>> = lines.iter().map(row).collect::<Result<_, QueryError>>()?;
        let head = Head::new()
            .column("id", CellKind::Text)
            .column("probability_exact", CellKind::Exact)
            .answers()
            .column("probability", CellKind::Decimal)
            .column("total_variation_exact", CellKind::Exact)
            .column("total_variation", CellKind::Decimal)
            .answers()
            .measured("detect", CellKind::Statistical, "results")
            .answers()
            .measured("word_bits", CellKind::Count, "bits");
        let mut foot = Foot::default();
        let near = Rational::from_float(double).unwrap_or_default();
        foot.note(format!("each function takes the double nearest to p, {near}; total_variation is the distance from p itself"));
        sink.write_answer(&described(head), rows, foot)
    }
}

/// Formats a value as a decimal.
pub(super) fn number(value: &Rational, precision: Precision) -> Result<Cell, QueryError> {
    decimal(&Real::Exact(value.clone()), precision)
}
