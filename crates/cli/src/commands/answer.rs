//! Runs questions and writes their answers to the terminal, a pipe or a file.

use super::args::OutputArgs;
use super::{Failure, picture};
use crate::progress_bar::{BAR_TEMPLATE, SPINNER_TEMPLATE, bar_style, delayed_bar};
use crate::watch;
use flipcost::table::Cell;
use flipcost_question::PictureError;
use flipcost_question::{Answer, Control, Foot, Head, Query, QueryError, Sentence, Sink, Verdict};
use flipcost_terminal::rows::documents::escape_markdown;
use flipcost_terminal::rows::reader::{self, TableStyle};
use flipcost_terminal::rows::{self, Format, Output, OutputError};
use flipcost_terminal::screen::{self, print_remark};
use flipcost_terminal::terminal;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Once;

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        match error {
            QueryError::Sink(error) => Failure::Output(error.into()),
            QueryError::Time => Failure::Input(watch::time_limit_message()),
            QueryError::Memory => Failure::Input(watch::memory_limit_message()),
            error => Failure::Input(error.render(flipcost_all::terminal())),
        }
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        Failure::Input(error.render(flipcost_all::terminal()))
    }
}

/// Prints notes to stderr.
pub fn print_notes<'a>(notes: impl IntoIterator<Item = &'a Sentence>) {
    for note in notes {
        print_remark(&note.render(flipcost_all::terminal()));
    }
}

/// Returns the limits of a question, and a progress bar on stderr; the bar is hidden if stderr is
/// not a terminal.
pub fn start_progress(query: &Query) -> (Control, ProgressBar) {
    let control = watch::begin_question(query);
    if !io::stderr().is_terminal() {
        return (
            control.with_progress(watch::record_progress),
            ProgressBar::hidden(),
        );
    }
    let bar = delayed_bar(Some(0), bar_style(SPINNER_TEMPLATE));
    let (told, begun) = (bar.clone(), Once::new());
    let control = control.with_progress(move |progress| {
        watch::record_progress(progress);
        begun.call_once(|| told.set_style(bar_style(BAR_TEMPLATE)));
        told.set_length(progress.all);
        told.set_position(progress.done);
    });
    (control, bar)
}

/// Removes the progress bar before rows are printed, if standard output is a terminal.
fn hide_bar(bar: &ProgressBar) {
    if io::stdout().is_terminal() {
        bar.finish_and_clear();
    }
}

/// Answers a question and writes its rows as they come. Notes go to stderr, and a failed verdict
/// gives exit status 1.
pub fn write(query: impl Into<Query>, output: &OutputArgs) -> Result<(), Failure> {
    write_with_threads(query, output, 0)
}

/// Writes the answer as [`write`] does, with a number of threads; 0 uses all cores.
pub fn write_with_threads(
    query: impl Into<Query>,
    output: &OutputArgs,
    threads: usize,
) -> Result<(), Failure> {
    let query = query.into();
    if let Some(path) = output.picture_path()
        && let Some(drawn) = query.question().picture_query()
    {
        picture::check_picture_path(path)?;
        let answer = collect_with_threads(drawn, threads)?;
        picture::write_picture(path, || answer.draw_picture())?;
        return print_foot(&answer.foot);
    }
    super::args::refuse_picture(output.output.as_deref())?;
    let is_document = output.shows_screen_table() || is_document_format(output.format());
    if is_document && query.estimate().output <= MAX_TABLE_BYTES {
        return write_answer(&collect_with_threads(query, threads)?, output);
    }
    let format = output.format();
    let sink = |names: &[&str]| rows::new_sink(format, names);
    write_with_sink(query, output.output.as_deref(), &sink, threads)
}

/// Writes the answer as [`write`] does, but `sink` decides the format of the rows, given the names
/// of the columns.
pub fn write_with_sink(
    query: impl Into<Query>,
    path: Option<&Path>,
    sink: &dyn Fn(&[&str]) -> Box<dyn rows::RowSink>,
    threads: usize,
) -> Result<(), Failure> {
    let query = query.into();
    let (control, bar) = start_progress(&query);
    let mut rows = RowWriter::new(path, sink, &bar);
    let answered = query.run(&control.with_threads(threads), &mut rows);
    bar.finish_and_clear();
    match rows.failed {
        Some(failure) => return Err(failure),
        None => answered?,
    }
    if let Some((_, output)) = rows.open {
        output.finish()?;
    }
    print_foot(&rows.foot)
}

/// Answers a question with a number of threads (0 uses all cores). If it fails, the rows computed
/// before the failure are kept.
pub fn collect_partial(query: impl Into<Query>, threads: usize) -> (Answer, Result<(), Failure>) {
    let query = query.into();
    let mut gathered = Answer::new(query.clone());
    let (control, bar) = start_progress(&query);
    let control = control.with_threads(threads);
    let answered = query.run(&control, &mut gathered);
    bar.finish_and_clear();
    (gathered, answered.map_err(Failure::from))
}

/// Collects the answer as [`collect_partial`] does, but returns a failure before the first row as
/// an error.
pub fn collect_partial_rows(query: Query) -> Result<(Answer, Result<(), Failure>), Failure> {
    let (answer, answered) = collect_partial(query, 0);
    match answered {
        Err(failure) if answer.rows.is_empty() => Err(failure),
        answered => Ok((answer, answered)),
    }
}

/// Returns the whole answer of a question, to be shown as a text or a picture. The notes of the
/// answer are not printed.
pub fn collect(query: impl Into<Query>) -> Result<Answer, Failure> {
    collect_with_threads(query, 0)
}

/// Collects the answer as [`collect`] does, with a number of threads; 0 uses all cores.
pub fn collect_with_threads(query: impl Into<Query>, threads: usize) -> Result<Answer, Failure> {
    Ok(answer_with_threads(query.into(), threads)?)
}

/// Collects the answer as [`collect_with_threads`] does, but returns the error of the question.
pub fn answer_with_threads(query: Query, threads: usize) -> Result<Answer, QueryError> {
    let (control, bar) = start_progress(&query);
    let answer = query.answer(&control.with_threads(threads));
    bar.finish_and_clear();
    answer
}

/// The largest answer, in bytes, whose rows are all collected before they are shown; the rows of
/// larger answers are streamed.
pub const MAX_TABLE_BYTES: u128 = 1 << 25;

/// Shows an answer to a person at a terminal, then prints its notes. The least value of the column
/// `best` is highlighted.
pub fn show_answer(answer: &Answer, best: Option<&str>) -> Result<(), Failure> {
    show_with_footer(answer, best, "")
}

/// Shows an answer as [`show_answer`] does, with lines below the table.
pub fn show_with_footer(answer: &Answer, best: Option<&str>, below: &str) -> Result<(), Failure> {
    let look = TableStyle {
        width: terminal::output_width(),
        color: terminal::has_color(),
        best,
    };
    // if there are no rows, the notes say why, and no table is shown
    let is_empty = answer.rows.is_empty() && !answer.foot.notes.is_empty();
    let mut text = opening_sentence(answer);
    if !is_empty {
        text += &reader::format_table(&answer.head.columns, &answer.rows, &look);
    }
    for line in below.lines() {
        text += &screen::fold_line(line, look.width, 2);
        text.push('\n');
    }
    screen::print_paged(&text)?;
    print_foot(&answer.foot)
}

/// Returns the summary of the answer and an empty line, which come first on a terminal; returns an
/// empty string if the output is not a terminal.
fn opening_sentence(answer: &Answer) -> String {
    if !terminal::is_terminal() {
        return String::new();
    }
    let summary = answer.summary();
    screen::fold_line(&summary, terminal::output_width(), 0) + "\n\n"
}

/// Prints an answer that is a page for people, whose lines already fit the width.
pub fn print_page(answer: &Answer, page: &str) -> Result<(), Failure> {
    Ok(screen::print_paged(&(opening_sentence(answer) + page))?)
}

/// Prints an answer that is a text, folded to the width of the screen if a person reads it.
pub fn print_answer_text(answer: &Answer, text: &str) -> Result<(), Failure> {
    let text = if terminal::is_terminal() {
        screen::fold_to_screen(text)
    } else {
        text.to_string()
    };
    print_page(answer, &text)
}

/// Writes a text: folded to the width of the screen if a person reads it, unchanged to a file or a
/// pipe.
pub fn write_text(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    if path.is_none() && io::stdout().is_terminal() {
        Ok(screen::print_text(text)?)
    } else {
        Ok(Output::write_all(path, text.as_bytes())?)
    }
}

/// Writes the rows of a complete answer, and prints its notes.
pub fn write_answer(answer: &Answer, output: &OutputArgs) -> Result<(), Failure> {
    if output.shows_screen_table() {
        return show_answer(answer, None);
    }
    write_rows(answer, output)?;
    print_foot(&answer.foot)
}

/// Returns whether this is the format of a document, which contains only the columns that answer
/// the question.
fn is_document_format(format: Format) -> bool {
    matches!(format, Format::Markdown | Format::Latex)
}

/// Writes the rows of a complete answer. A Markdown or LaTeX document contains only the columns
/// that answer the question; Markdown also contains the summary.
pub fn write_rows(answer: &Answer, output: &OutputArgs) -> Result<(), Failure> {
    let names = answer.head.names();
    if !is_document_format(output.format()) {
        return output.write(&names, &answer.rows);
    }
    super::args::refuse_picture(output.output.as_deref())?;
    let text = match output.format() {
        Format::Markdown => markdown_text(answer, "")?,
        format => format_answering_columns(answer, format)?,
    };
    Ok(Output::write_all(
        output.output.as_deref(),
        text.as_bytes(),
    )?)
}

/// Returns the columns that answer the question as a text in this format.
fn format_answering_columns(answer: &Answer, format: Format) -> Result<String, Failure> {
    let names = answer.head.names();
    let at = reader::answering_columns(&answer.head.columns, &answer.rows);
    let names: Vec<&str> = at.iter().map(|at| names[*at]).collect();
    let row = |row: &Vec<Cell>| at.iter().map(|at| row[*at].clone()).collect();
    let rows: Vec<Vec<Cell>> = answer.rows.iter().map(row).collect();
    if names.is_empty() {
        return Ok(String::new());
    }
    Ok(rows::format_rows(format, &names, &rows).map_err(OutputError::from)?)
}

/// Returns an answer in Markdown: its summary, these paragraphs, and the columns that answer the
/// question.
pub fn markdown_text(answer: &Answer, paragraphs: &str) -> Result<String, Failure> {
    let mut text = format!("{}\n", escape_markdown(&answer.summary()));
    for paragraph in paragraphs.lines() {
        text += &format!("\n{}\n", escape_markdown(paragraph));
    }
    let table = format_answering_columns(answer, Format::Markdown)?;
    if !table.is_empty() {
        text += &format!("\n{table}");
    }
    Ok(text)
}

/// Prints the notes of an answer; a failed verdict is returned as a mismatch.
pub fn print_foot(foot: &Foot) -> Result<(), Failure> {
    print_notes(&foot.notes);
    match &foot.verdict {
        Some(Verdict::Fails(sentence)) => Err(Failure::Mismatch(sentence.clone())),
        _ => Ok(()),
    }
}

/// Answers a question and passes its rows to `write` as they come, including those that come before
/// a failure. The foot is returned to the caller, who also finishes the output.
pub fn stream_rows(
    query: impl Into<Query>,
    output: &mut Output,
    write: impl FnMut(&[Cell], &mut dyn Write) -> io::Result<()>,
) -> Result<Foot, Failure> {
    let query = query.into();
    let (control, bar) = start_progress(&query);
    let mut lines = LineFormatter {
        output,
        write,
        foot: Foot::default(),
        failed: None,
        bar: &bar,
    };
    let answered = query.run(&control, &mut lines);
    bar.finish_and_clear();
    match lines.failed {
        Some(failure) => Err(failure),
        None => Ok(answered.map(|()| lines.foot)?),
    }
}

/// A sink that formats each row with `write`.
struct LineFormatter<'a, W> {
    output: &'a mut Output,
    write: W,
    foot: Foot,
    failed: Option<Failure>,
    bar: &'a ProgressBar,
}

impl<W: FnMut(&[Cell], &mut dyn Write) -> io::Result<()>> Sink for LineFormatter<'_, W> {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        hide_bar(self.bar);
        let write = &mut self.write;
        let written =
            (self.output).with_writer(|out| rows.iter().try_for_each(|row| write(row, out)));
        written.map_err(|error| {
            self.failed = Some(error.into());
            QueryError::Stopped
        })
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        Ok(())
    }
}

/// A sink that writes rows to an output. The output is opened only when the head comes, so that a
/// question that cannot be answered does not touch the file.
struct RowWriter<'a> {
    path: Option<&'a Path>,
    sink: &'a dyn Fn(&[&str]) -> Box<dyn rows::RowSink>,
    open: Option<(Box<dyn rows::RowSink>, Output)>,
    foot: Foot,
    failed: Option<Failure>,
    bar: &'a ProgressBar,
}

impl<'a> RowWriter<'a> {
    fn new(
        path: Option<&'a Path>,
        sink: &'a dyn Fn(&[&str]) -> Box<dyn rows::RowSink>,
        bar: &'a ProgressBar,
    ) -> RowWriter<'a> {
        RowWriter {
            path,
            sink,
            open: None,
            foot: Foot::default(),
            failed: None,
            bar,
        }
    }

    /// If writing failed, stores the error, which names the file, and returns an error that stops
    /// the question.
    fn keep_output_error<T>(&mut self, written: Result<T, OutputError>) -> Result<T, QueryError> {
        written.map_err(|error| {
            self.failed = Some(error.into());
            QueryError::Stopped
        })
    }

    /// Calls `write` with the row sink and the open output.
    fn with_output(
        &mut self,
        write: impl FnOnce(&mut dyn rows::RowSink, &mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> Result<(), QueryError> {
        let (sink, output) = self.open.as_mut().expect("the head comes first");
        let written = output.with_writer(|out| write(sink.as_mut(), out));
        self.keep_output_error(written)
    }
}

impl Sink for RowWriter<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        let output = Output::open(self.path);
        let output = self.keep_output_error(output)?;
        self.open = Some(((self.sink)(&head.names()), output));
        self.with_output(|sink, out| sink.begin(out))
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        if self.path.is_none() {
            hide_bar(self.bar);
        }
        self.with_output(|sink, out| rows.iter().try_for_each(|row| sink.write_row(row, out)))
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        self.with_output(|sink, out| sink.end(out))
    }
}
