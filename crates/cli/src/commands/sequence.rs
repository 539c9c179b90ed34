//! Shows the answers of `flipcost sequence`.

use super::args;
use super::{Failure, QuestionCommand, answer, cost};
use clap::ValueEnum;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::sequences;
use flipcost::table::N;
use flipcost::table::{COLUMNS, Cell};
use flipcost_number::BigInt;
use flipcost_oeis::draft;
use flipcost_one_draw::questions::CostRows;
use flipcost_question::targets::TargetList;
use flipcost_question::{AlgorithmId, ColumnId, Query, Sides};
use flipcost_terminal::rows::{self, Format};
use flipcost_terminal::screen::print_remark;
use flipcost_terminal::{screen, terminal};
use num_traits::ToPrimitive;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct SequenceArgs {
    /// The format of the terms [default: by the file's extension, else list]
    #[arg(short, long)]
    format: Option<SequenceFormat>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SequenceFormat {
    /// 1, 1, 2
    List,
    /// Lines `n a(n)`
    BFile,
    /// An entry in the OEIS's internal format, with as many terms as the OEIS wants
    Internal,
    /// One JSON object per line; terms beyond 2^53 are strings
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Aligned columns
    Table,
    /// One JSON array of objects
    Json,
    /// A Markdown table
    Markdown,
    /// A LaTeX tabular
    Latex,
}

impl SequenceFormat {
    /// The corresponding format of rows of n and a(n), if there is one.
    fn to_row_format(self) -> Option<Format> {
        Some(match self {
            SequenceFormat::Csv => Format::Csv,
            SequenceFormat::Table => Format::Table,
            SequenceFormat::Json => Format::Json,
            SequenceFormat::Markdown => Format::Markdown,
            SequenceFormat::Latex => Format::Latex,
            _ => return None,
        })
    }

    /// The format that a file's extension names.
    fn from_path(path: &Path) -> SequenceFormat {
        match Format::from_extension(path) {
            Some(Format::Csv) => SequenceFormat::Csv,
            Some(Format::Jsonl) => SequenceFormat::Jsonl,
            Some(Format::Json) => SequenceFormat::Json,
            Some(Format::Markdown) => SequenceFormat::Markdown,
            Some(Format::Latex) => SequenceFormat::Latex,
            _ => SequenceFormat::List,
        }
    }
}

impl QuestionCommand for SequenceArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let path = self.output.as_deref();
        let named = path.map_or(SequenceFormat::List, SequenceFormat::from_path);
        let format = self.format.unwrap_or(named);
        if let Some(format) = format.to_row_format() {
            let output = args::OutputArgs {
                format: Some(format),
                output: self.output,
            };
            return answer::write(query, &output);
        }
        match format {
            SequenceFormat::List
                if path.is_none() && terminal::is_terminal() && is_short_answer(&query) =>
            {
                let (answer, answered) = answer::collect_partial_rows(query)?;
                let terms: Vec<&Cell> = answer.rows.iter().map(|row| &row[1]).collect();
                let list = args::join_values(&terms, ", ");
                let list = screen::fold_line(&list, terminal::output_width(), 0) + "\n";
                answer::print_page(&answer, &list)?;
                answered?;
                answer::print_foot(&answer.foot)
            }
            SequenceFormat::List => {
                answer::write_with_sink(query, path, &|_| Box::new(PlainTermList::default()), 0)
            }
            SequenceFormat::BFile => match to_cost_rows(&query)? {
                Some(rows) => cost::write_b_file(rows, self.output),
                None => answer::write_with_sink(
                    query,
                    path,
                    &|names| rows::new_sink(Format::BFile, names),
                    0,
                ),
            },
            SequenceFormat::Jsonl => {
                answer::write_with_sink(query, path, &|_| Box::new(JsonTerms), 0)
            }
            SequenceFormat::Internal => write_entry(query, path),
            _ => unreachable!("rows are written above"),
        }
    }
}

/// If the terms are a column of the cost rows of a range, returns the question for those rows,
/// which are computed and written faster.
fn to_cost_rows(query: &Query) -> Result<Option<CostRows>, Failure> {
    let asked = query.downcast::<flipcost_oeis::questions::NamedSequence>();
    let Some(asked) = asked else { return Ok(None) };
    let (sequence, range) = asked.resolve()?;
    let near = *range.start() > 0 && *range.end() <= 1 << 32;
    let Some((quantity, 2)) = sequence.quantity().filter(|_| near) else {
        return Ok(None);
    };
    let columns = COLUMNS.iter().copied();
    let value = columns.filter(|column| column.quantity() == Some(quantity));
    let columns: Vec<ColumnId> = std::iter::once(N).chain(value).map(ColumnId).collect();
    let target = format!("{}..{}", range.start(), range.end());
    let target: TargetList = target.parse().map_err(Failure::input)?;
    Ok(Some(CostRows {
        algorithms: vec![AlgorithmId::from(FAST_DICE_ROLLER)],
        columns,
        ..CostRows::new(target, Sides::default())
    }))
}

/// Writes the terms as an entry of the OEIS.
fn write_entry(query: Query, path: Option<&Path>) -> Result<(), Failure> {
    let Some(asked) = query.downcast::<flipcost_oeis::questions::NamedSequence>() else {
        unreachable!("each command asks its own question");
    };
    let (id, from) = (asked.id.clone(), asked.from);
    let (answer, answered) = answer::collect_partial(query, 0);
    answered?;
    let sequence = sequences::find_with(&id.0, id.1).map_err(Failure::input)?;
    let mut entry = flipcost_oeis::entry_of_sequence::entry(&sequence);
    entry.offset = from.map_or(entry.offset, |from| from as i64);
    let terms: Vec<BigInt> = answer
        .rows
        .iter()
        .filter_map(|row| row[1].to_integer())
        .collect();
    let shown = terms[..draft::data_length(&terms)].to_vec();
    if shown.len() < terms.len() {
        print_remark(&format!(
            "an entry takes about {} characters of terms: it has {} of the {} terms",
            draft::DATA_CHARACTERS,
            shown.len(),
            terms.len()
        ));
    }
    let made = draft::draft(&entry, shown, None).map_err(Failure::input)?;
    Ok(screen::print_or_write(path, &made.text)?)
}

/// Returns whether the answer is short enough to be collected and folded to the width of the
/// screen.
fn is_short_answer(query: &Query) -> bool {
    query.estimate().output <= answer::MAX_TABLE_BYTES
}

/// Writes the terms as a list: `1, 1, 2`.
#[derive(Default)]
struct PlainTermList {
    begun: bool,
}

impl rows::RowSink for PlainTermList {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        let comma = if self.begun { ", " } else { "" };
        self.begun = true;
        write!(out, "{comma}{}", cells[1])
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)
    }
}

/// Writes a JSON object for each term. Integers of absolute value up to 2^53 are JSON numbers,
/// which every program reads exactly; larger ones are strings.
struct JsonTerms;

impl rows::RowSink for JsonTerms {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        let (n, term) = (&cells[0], &cells[1]);
        let small = term.to_integer().and_then(|term| term.to_i64());
        let small = small.filter(|t| t.unsigned_abs() <= 1 << 53);
        match small {
            Some(small) => writeln!(out, "{{\"n\":{n},\"a\":{small}}}"),
            None => writeln!(out, "{{\"n\":{n},\"a\":\"{term}\"}}"),
        }
    }

    fn end(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
