//! How `flipcost cost` shows its answer.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, Shown, answer};
use flipcost::table::COLUMNS;
use flipcost_question::{ColumnId, Query};

#[derive(clap::Args)]
pub struct Cost {
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Cost {
    fn run(self, query: Query) -> Result<(), Failure> {
        let cost = query.downcast::<flipcost_one_draw::questions::Cost>();
        let Some(mut query) = cost.cloned() else {
            unreachable!("it is the question of its command");
        };
        if query.optimal {
            let shown = self.output.format.is_some() || self.output.output.is_some();
            if shown {
                return answer::write(query, &self.output);
            }
            let answer = answer::collect(query)?;
            answer::write_text(None, answer.foot.text.as_deref().unwrap_or_default())?;
            answer::remarks(&answer.foot.notes);
            return Ok(());
        }
        args::each_once(&query.columns)?;
        args::refuse_picture(self.output.output.as_deref())?;
        let table = self.output.format() == RowFormat::Table;
        let said = table || !query.algorithms.is_empty();
        let formulas = query.source.0.is_unknown() && query.at.is_none();
        if table && query.columns.is_empty() && !formulas {
            let beside = COLUMNS.iter().filter(|column| column.is_beside());
            query.columns = beside.map(|column| ColumnId(column)).collect();
        }
        let answer = answer::collect(query)?;
        let asides = answer.foot.asides.iter().filter(|_| said);
        if self.output.is_reader() {
            answer::show(&answer, Some("expected"))?;
            answer::remarks(asides);
            return Ok(());
        }
        answer::remarks(asides);
        answer::conclude(&answer.foot)?;
        self.output.write(&answer.head.names(), &answer.rows)
    }
}
