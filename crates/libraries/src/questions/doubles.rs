//! The question `libraries doubles`: which doubles of an interval the functions of libraries
//! return.

use crate::doubles::{DOUBLES, DoubleRule};
use crate::function::{Function, described, with_word};
use flipcost_number::expression::parse_signed;
use flipcost_number::grammar::items;
use flipcost_number::{Real, threads};
use flipcost_question::prelude::*;
use std::fmt;
use std::str::FromStr;

question! {
    /// The doubles in [a, b) that random() and its scaling return: exactly how many there are, and
    /// their ends, gaps and mean
    ///
    /// A row for each function, for the doubles nearest to a and b. `values` counts the different
    /// results, `probability_a_exact` is the probability of a itself, and `probability_b_exact`
    /// that of b or more, which the interval excludes. `largest_gap_exact` is the largest distance
    /// between neighbouring results, and `mean_bias_exact` the mean minus (a + b) / 2.
    pub struct LibraryDoubles: "libraries-doubles", "libraries doubles" {
        /// Only functions with this word in id, language, name or version, as in python
        word: Option<String>; word("WORD"),
        /// The interval
        target: DoubleInterval = DoubleInterval::default(); option("A,B").dash(),
    }
    purpose: Libraries
    examples: ["libraries doubles --target 1,2", "libraries doubles go --target 0.1,0.3"]
}

/// Two doubles a < b with a finite difference, written as in `0,1`: the doubles nearest to these
/// numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleInterval {
    text: String,
    ends: [f64; 2],
}

impl Default for DoubleInterval {
    fn default() -> DoubleInterval {
        DoubleInterval {
            text: "0,1".to_string(),
            ends: [0.0, 1.0],
        }
    }
}

impl FromStr for DoubleInterval {
    type Err = String;

    fn from_str(text: &str) -> Result<DoubleInterval, String> {
        let double = |item| Real::Exact(parse_signed(item).ok()?).to_f64().ok();
        let ends: Option<Vec<f64>> = items(text).map(double).collect();
        match ends.as_deref() {
            Some(&[a, b]) if a < b && (b - a).is_finite() => Ok(DoubleInterval {
                text: items(text).map(str::trim).collect::<Vec<_>>().join(","),
                ends: [a, b],
            }),
            _ => Err(format!(
                "\"{}\" is not an interval of doubles: two numbers a < b such as 0,1 with a finite difference were expected",
                text.chars().take(60).collect::<String>()
            )),
        }
    }
}

impl fmt::Display for DoubleInterval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

texts! { DoubleInterval }

impl Question for LibraryDoubles {
    fn summary(&self, answer: &Answer) -> String {
        let can = |row: &usize| matches!(answer.cell(*row, "probability_b_exact"), Cell::Exact(p) if p.numer().bits() > 0);
        let can = (0..answer.rows.len()).filter(can).count();
        format!(
            "of {} for doubles in [{}), {} can return the upper end",
            count_with_noun(answer.rows.len() as u64, "function"),
            self.target.text.replace(',', ", "),
            if can == 0 {
                "none".to_string()
            } else {
                can.to_string()
            }
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let lines = with_word(DOUBLES, self.word.as_deref(), "word")?;
        control.go_on()?;
        let [a, b] = self.target.ends;
        let row = |line: &&'static Function<DoubleRule>| {
            let law = line.rule.law(a, b);
            let values = law.values.magnitude();
            let mut cells = row![
                line.id,
                values,
                &law.at_a,
                &law.at_b,
                &law.gap,
                &law.mean_bias
            ];
            cells.extend(line.cells());
            cells
        };
        let rows = threads::map_of(&lines, &row);
        let head = Head::new()
            .column("id", CellKind::Text)
            .column("values", CellKind::Count)
            .answers()
            .columns(
                CellKind::Exact,
                ["probability_a_exact", "probability_b_exact"],
            )
            .answers()
            .columns(CellKind::Exact, ["largest_gap_exact", "mean_bias_exact"]);
        sink.write_answer(&described(head), rows, Foot::default())
    }
}
