//! The question `show --as table`: the lookup table of a block of rolls.

use crate::{BlockRow, MAX_ROWS, block_table};
use flipcost_question::dice::estimate_rolls;
use flipcost_question::prelude::*;
use flipcost_question::value::registered_algorithm;

question! {
    /// The look-up table of a block: which rolls give which result, and which are discarded
    ///
    /// A row for every sequence of rolls, a column for every roll (faces from 1; `any` for a roll
    /// that is no longer needed), and the result (from 1, or `discard`). The note says how many
    /// rows give a result.
    pub struct LookupTable: "show" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// How the algorithm is shown
        view: TableView; option("VIEW").name("as"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The algorithm, by id: one that starts again after a discarded block [default:
        /// base-conversion-early, fldr for weights, elias from a loaded or unknown source]
        algorithm: AlgorithmId => table_algorithm(&target, &source); option("ID").short('a'),
    }
    purpose: Table
    examples: ["show 5 --as table", "show 20 --as table --source 6 -f markdown"]
}

choices! {
    /// The view that selects this question.
    pub enum TableView {
        /// The look-up table of a block: which rolls give which result, and which are discarded.
        Table = "table",
    }
}

/// The text in the cell of a roll that is not needed any more.
const UNUSED_ROLL: &str = "any";

/// Returns the default algorithm of a table: from a fair source base conversion with early discard,
/// or the fast loaded dice roller for weights.
fn table_algorithm(target: &TargetText, source: &Sides) -> AlgorithmId {
    match (source.0.is_fair(), target.sides()) {
        (true, Some(_)) => registered_algorithm("base-conversion-early"),
        (true, None) => registered_algorithm("fldr"),
        (false, _) => target.finite_algorithm(source),
    }
}

impl Question for LookupTable {
    fn summary(&self, answer: &Answer) -> String {
        let rolls = answer.head.columns.len().saturating_sub(1) as u64;
        format!(
            "{} is looked up from {} of {} in {}",
            self.target.with_article(),
            count_with_noun(rolls, self.source.0.unit().singular()),
            self.source.0.with_article(),
            count_with_noun(answer.rows.len() as u64, "line")
        )
    }

    fn estimate(&self) -> Estimate {
        let n = self.target.sum_or_most();
        let rows = n.saturating_mul(self.source.get()).min(MAX_ROWS as u128);
        let rolls = estimate_rolls(&self.source, &self.target);
        Estimate::cells(rows * rolls, 32)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let task = self.target.task_of_any(&self.source.0)?;
        let algorithm = self.algorithm.0;
        control.go_on()?;
        let block = block_table(&task, algorithm)
            .map_err(QueryError::of_algorithm("algorithm", algorithm))?;
        let roll = |head: Head, i| head.column(&ordinal(i), CellKind::Count);
        let head = (1..=block.rolls).fold(Head::new(), roll);
        let head = head
            .column("result", self.target.outcome_kind())
            .all_answer();
        let mut rows = Chunks::begin(&head, control, sink)?;
        for row in &block.rows {
            rows.push(row_cells(row, block.rolls, &self.target))?;
        }
        let mut foot = Foot::default();
        let (good, all) = (block.accepted(), block.rows.len());
        foot.note(format!("{good} of {all} rows give a result"));
        rows.end(foot)
    }
}

fn row_cells(row: &BlockRow, rolls: usize, target: &TargetText) -> Vec<Cell> {
    let shown = |face: &u64| Cell::Integer((face + 1).into());
    let mut cells: Vec<Cell> = row.rolls.iter().map(shown).collect();
    cells.resize(rolls, Cell::Text(UNUSED_ROLL.to_string()));
    cells.push(match &row.result {
        Some(outcome) => target.outcome(outcome),
        None if row.early => Cell::Text("discard (early)".to_string()),
        None => Cell::Text("discard".to_string()),
    });
    cells
}

/// Formats `first roll`, `second roll`, ...
fn ordinal(i: usize) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    match (WORDS.get(i - 1), i % 10, i % 100) {
        (Some(word), ..) => format!("{word} roll"),
        (_, 1..=3, 11..=13) => format!("{i}th roll"),
        (_, 1, _) => format!("{i}st roll"),
        (_, 2, _) => format!("{i}nd roll"),
        (_, 3, _) => format!("{i}rd roll"),
        _ => format!("{i}th roll"),
    }
}
