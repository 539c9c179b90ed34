//! Shows the answers of `flipcost cost`: the methods for one target, or rows of many targets, in
//! files that can be resumed.

use super::args::{self, OutputArgs};
use super::{Failure, QuestionCommand, answer, picture};
use crate::sweep::job::SweepJob;
use clap::ArgMatches;
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER, REGISTRY};
use flipcost::table::{COLUMNS, Column, N, NEEDS_LOAD};
use flipcost_one_draw::questions::{self, CostRows};
use flipcost_question::{AlgorithmId, ColumnId, Query};
use flipcost_terminal::question;
use flipcost_terminal::rows::Format;
use flipcost_terminal::screen;
use flipcost_terminal::terminal;
use serde_json::Value;
use std::path::PathBuf;

#[derive(clap::Args, Default)]
pub struct CostArgs {
    /// A file of targets, one per line, such as 1:2:3 or 3d6, instead of N
    #[arg(long, value_name = "FILE", group = "wanted")]
    weights_file: Option<PathBuf>,
    /// The format of the rows [default: by the file's extension, else table on a terminal and csv
    /// elsewhere]
    #[arg(short, long)]
    format: Option<Format>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the files that an interrupted run of the same command left (FILE.part and
    /// FILE.part.journal), or start if there are none. Without this option these files are replaced
    #[arg(long)]
    resume: bool,
    /// Threads [default: all cores]; they do not change the rows
    #[arg(short, long, value_name = "T", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true)]
    threads: Option<u64>,
}

/// If a range has more targets than this, the screen shows only one method for each target.
const MANY_TARGETS: u64 = 8;
const ONE_METHOD_NOTE: &str = "no method costs less than the fast dice roller; -a chooses others, as in -a rejection,interval";

/// Writes n and a column of integers as the lines of a b-file.
pub fn write_b_file(query: CostRows, output: Option<PathBuf>) -> Result<(), Failure> {
    let format = Some(Format::BFile);
    let cost = CostArgs {
        format,
        output,
        ..CostArgs::default()
    };
    cost.rows(query)
}

/// Checks that the question fits a b-file: it must have n and one column of integers.
fn check_b_file_columns(query: &mut CostRows) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::Input(format!("a b-file holds {why}")));
    if query.summary {
        return refused(
            "one value per n, but --summary gives one row per column: choose another --format"
                .into(),
        );
    }
    if query
        .target
        .targets_outside_ranges()
        .any(|target| target.sides().is_none())
    {
        return refused("one value per n, but weights have no n: choose another --format".into());
    }
    if query.sources.is_some() {
        return refused("one value per n: name one source with --source".into());
    }
    if query.best || query.target.range().is_none() {
        return refused(
            "one value for each n of a range such as 1..1000: choose another --format".into(),
        );
    }
    query.columns.retain(|column| column.0 != N);
    let value = match query.columns[..] {
        [one] if one.0.is_integer() && query.digits.is_none() => one,
        [one] => {
            let integers = COLUMNS.iter().filter(|column| column.is_integer());
            let integers: Vec<&str> = integers.skip(1).map(|column| column.name()).collect();
            return refused(format!(
                "integers, but the column {one} does not: choose one of {}",
                integers.join(", ")
            ));
        }
        _ => {
            return refused(
                "one integer column: name it with --columns, as in --columns cycle_rounds".into(),
            );
        }
    };
    if query.algorithms.is_empty()
        && let Some(quantity) = value.0.quantity()
    {
        // every algorithm that offers this quantity gives the same value, so the first is taken
        let offers =
            |algorithm: &&&'static dyn Algorithm| algorithm.quantities().contains(&quantity);
        let first = REGISTRY.iter().find(offers);
        query.algorithms = first
            .map(|algorithm| AlgorithmId::from(*algorithm))
            .into_iter()
            .collect();
    }
    if query.request()?.algorithms.len() != 1 {
        return refused("one value per n: name one algorithm with --algorithm".into());
    }
    query.columns = vec![ColumnId(N), value];
    Ok(())
}

impl CostArgs {
    fn output(&self) -> OutputArgs {
        let (format, output) = (self.format, self.output.clone());
        OutputArgs { format, output }
    }

    /// Reads the targets from the file.
    fn targets_from_file(&self) -> Result<Vec<(String, Value)>, Failure> {
        let Some(path) = &self.weights_file else {
            return Ok(Vec::new());
        };
        let lines = args::read_target_lines(path)?;
        if lines.is_empty() {
            return Err(Failure::Input(
                "the file has no line with weights: lines such as 1:2:3 were expected".into(),
            ));
        }
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        if lines.len() > 1 && lines.iter().all(|line| line.parse::<u64>().is_ok()) {
            let (dice, name) = (lines.join(","), path.display());
            return Err(Failure::Input(format!(
                "{name} has one number in each line, which has two readings: the weights of one target are @{name}, and dice with these numbers of sides {dice}"
            )));
        }
        let lines: Vec<Value> = lines.into_iter().map(Value::from).collect();
        Ok(vec![("target".to_string(), lines.into())])
    }

    /// Refuses `--resume` and b-files for a single target.
    fn refuse_range_options(&self) -> Result<(), Failure> {
        let flag = match (self.resume, self.format) {
            (true, _) => "--resume",
            (_, Some(Format::BFile)) => "--format b-file",
            _ => return Ok(()),
        };
        Err(Failure::Input(format!(
            "{flag} works with the rows of a range of targets, such as 2..300"
        )))
    }

    /// Shows the methods for one target in a table.
    fn show_single_target(&self, mut query: questions::Cost) -> Result<(), Failure> {
        let output = self.output();
        if query.optimal {
            if output.format.is_some() || output.output.is_some() {
                return answer::write(query, &output);
            }
            let answer = answer::collect(query)?;
            answer::print_answer_text(&answer, answer.foot.text.as_deref().unwrap_or_default())?;
            answer::print_notes(&answer.foot.notes);
            return Ok(());
        }
        args::refuse_picture(output.output.as_deref())?;
        let table = output.format() == Format::Table;
        let said = table || !query.algorithms.is_empty();
        let formulas = query.source.0.is_unknown() && query.at.is_none();
        let usual = table && query.columns.is_empty() && !formulas;
        if usual {
            let beside = COLUMNS.iter().filter(|column| column.is_beside());
            query.columns = beside.map(|column| ColumnId(column)).collect();
            if !query.source.0.is_fair() {
                query.columns.push(ColumnId(NEEDS_LOAD));
            }
        }
        let mut answer = answer::collect_with_threads(query, self.threads())?;
        for column in answer.head.columns.iter_mut().filter(|_| usual) {
            // no column was requested, so the answers are the columns that the registry marks as
            // answers, and those that are not in the registry
            let known = Column::find(&column.name)
                .ok()
                .filter(|known| *known != NEEDS_LOAD);
            column.answers = known.is_none_or(|known| known.answers());
        }
        let asides = answer.foot.asides.iter().filter(|_| said);
        if output.shows_screen_table() {
            answer::show_answer(&answer, Some("expected"))?;
            answer::print_notes(asides);
            return Ok(());
        }
        answer::print_notes(asides);
        answer::print_foot(&answer.foot)?;
        answer::write_rows(&answer, &output)
    }

    /// Shows the best method for each pair, and draws the map.
    fn show_best_methods(&self, query: CostRows) -> Result<(), Failure> {
        let mut output = self.output();
        let chart = output.take_picture_path();
        let answer = answer::collect_with_threads(query, self.threads())?;
        if let Some(path) = &chart {
            picture::write_picture(path, || answer.draw_picture())?;
        }
        answer::write_answer(&answer, &output)
    }

    /// Shows rows of many targets, or their summary.
    fn rows(&self, mut query: CostRows) -> Result<(), Failure> {
        let format = self.output().format();
        let reader = format == Format::Table && self.output.is_none() && terminal::is_terminal();
        let is_long = query
            .target
            .range()
            .is_some_and(|range| range.end() - range.start() >= MANY_TARGETS);
        let one_method = reader
            && is_long
            && query.algorithms.is_empty()
            && query.sources.is_none()
            && query.source.0.is_fair()
            && !query.best
            && !query.summary;
        if one_method {
            query.algorithms = vec![AlgorithmId::from(FAST_DICE_ROLLER)];
            screen::print_remark(ONE_METHOD_NOTE);
        }
        if let Some((range, request)) = query.range()? {
            let job = SweepJob {
                request,
                from: *range.start(),
                query: query.clone().into(),
                format,
                resume: self.resume,
                output: self.output.as_deref(),
                threads: self.threads(),
            };
            if let Some(remarks) = job.run()? {
                answer::print_notes(&remarks.foot(query.exact).notes);
                return Ok(());
            }
        } else if self.resume {
            let what = "--resume works with the rows of one range of fair dice from one source, such as 2..300";
            return Err(Failure::Input(what.to_string()));
        }
        if !self.resume {
            return answer::write_with_threads(query, &self.output(), self.threads());
        }
        let format = match format {
            Format::Json => "json",
            Format::Markdown => "markdown",
            Format::Latex => "latex",
            _ => "table",
        };
        Err(Failure::Input(format!(
            "--resume does not work with --format {format}: choose csv, jsonl or b-file"
        )))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or(0) as usize
    }
}

impl QuestionCommand for CostArgs {
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        let query = question::query_from_matches(name, matches, self.targets_from_file()?)
            .map_err(Failure::Input)?;
        let is_whole = self.resume || self.format == Some(Format::BFile);
        if is_whole && query.has_view() {
            let what = "--resume and b-files need all rows: leave out --top and --by";
            return Err(Failure::Input(what.to_string()));
        }
        let Some(rows) = query.downcast::<CostRows>() else {
            self.refuse_range_options()?;
            return Ok(query);
        };
        if !rows.best {
            args::refuse_picture(self.output.as_deref())?;
        }
        if self.format != Some(Format::BFile) {
            return Ok(query);
        }
        let mut rows = rows.clone();
        check_b_file_columns(&mut rows)?;
        Ok(rows.into())
    }

    fn run(self, query: Query) -> Result<(), Failure> {
        if let Some(cost) = query.downcast::<questions::Cost>() {
            return self.show_single_target(cost.clone());
        }
        match query.downcast::<CostRows>() {
            Some(rows) if rows.best => self.show_best_methods(rows.clone()),
            Some(rows) => self.rows(rows.clone()),
            None => answer::write_with_threads(query, &self.output(), self.threads()),
        }
    }
}
