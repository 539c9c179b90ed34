//! Runs questions and writes their answers to the terminal, a pipe or a file.

use super::args::OutputArgs;
use super::{Failure, picture};
use crate::progress_bar::{BAR, SPINNER, late_bar, style};
use crate::watch;
use flipcost::table::Cell;
use flipcost_question::PictureError;
use flipcost_question::{
    Answer, Control, Foot, FrontEnd, Head, Query, QueryError, Sentence, Sink, Verdict,
};
use flipcost_terminal::rows::documents::markdown;
use flipcost_terminal::rows::reader::{self, TableStyle};
use flipcost_terminal::rows::{self, Format, Output, OutputError};
use flipcost_terminal::screen::{self, remark};
use flipcost_terminal::terminal;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Once;

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        match error {
            QueryError::Sink(error) => Failure::Output(error.into()),
            QueryError::Time => Failure::Input(watch::too_long()),
            QueryError::Memory => Failure::Input(watch::too_much()),
            error => Failure::Input(error.render(FrontEnd::Terminal)),
        }
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        Failure::Input(error.render(FrontEnd::Terminal))
    }
}

/// Prints notes to stderr.
pub fn remarks<'a>(notes: impl IntoIterator<Item = &'a Sentence>) {
    for note in notes {
        remark(&note.render(FrontEnd::Terminal));
    }
}

/// Returns the limits of a question, and a progress bar on stderr; the bar is hidden if stderr is
/// not a terminal.
pub fn progress(query: &Query) -> (Control, ProgressBar) {
    let control = watch::question(query);
    if !io::stderr().is_terminal() {
        return (
            control.with_progress(watch::progress),
            ProgressBar::hidden(),
        );
    }
    let bar = late_bar(Some(0), style(SPINNER));
    let (told, begun) = (bar.clone(), Once::new());
    let control = control.with_progress(move |progress| {
        watch::progress(progress);
        begun.call_once(|| told.set_style(style(BAR)));
        told.set_length(progress.all);
        told.set_position(progress.done);
    });
    (control, bar)
}

/// Hides the progress bar when rows appear on the terminal.
fn give_way(bar: &ProgressBar) {
    if io::stdout().is_terminal() {
        bar.finish_and_clear();
    }
}

/// Answers a question and writes its rows as they come. Notes go to stderr, and a failed verdict
/// gives exit status 1.
pub fn write(query: impl Into<Query>, output: &OutputArgs) -> Result<(), Failure> {
    write_on(query, output, 0)
}

/// As [`write`], with a number of threads; 0 uses all cores.
pub fn write_on(
    query: impl Into<Query>,
    output: &OutputArgs,
    threads: usize,
) -> Result<(), Failure> {
    let query = query.into();
    if let Some(path) = output.picture()
        && let Some(drawn) = query.question().picture_query()
    {
        picture::check(path)?;
        let answer = collect_on(drawn, threads)?;
        picture::write(path, || answer.draw())?;
        return conclude(&answer.foot);
    }
    super::args::refuse_picture(output.output.as_deref())?;
    let is_document = output.is_reader() || is_document(output.format());
    if is_document && query.estimate().output <= MAX_SHOWN {
        return write_answer(&collect_on(query, threads)?, output);
    }
    let format = output.format();
    let sink = |names: &[&str]| rows::sink(format, names);
    write_as(query, output.output.as_deref(), &sink, threads)
}

/// As [`write`], but `sink` decides the format of the rows, given their column names.
pub fn write_as(
    query: impl Into<Query>,
    path: Option<&Path>,
    sink: &dyn Fn(&[&str]) -> Box<dyn rows::RowSink>,
    threads: usize,
) -> Result<(), Failure> {
    let query = query.into();
    let (control, bar) = progress(&query);
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
    conclude(&rows.foot)
}

/// Answers a question with a number of threads (0 uses all cores). If it fails, the rows computed
/// before the failure are kept.
pub fn gather(query: impl Into<Query>, threads: usize) -> (Answer, Result<(), Failure>) {
    let query = query.into();
    let mut gathered = Answer::new(query.clone());
    let (control, bar) = progress(&query);
    let control = control.with_threads(threads);
    let answered = query.run(&control, &mut gathered);
    bar.finish_and_clear();
    (gathered, answered.map_err(Failure::from))
}

/// As [`gather`], but a failure before the first row is returned as an error.
pub fn gather_rows(query: Query) -> Result<(Answer, Result<(), Failure>), Failure> {
    let (answer, answered) = gather(query, 0);
    match answered {
        Err(failure) if answer.rows.is_empty() => Err(failure),
        answered => Ok((answer, answered)),
    }
}

/// Returns the whole answer of a question, to be shown as a text or a picture. The notes of the
/// answer are not printed.
pub fn collect(query: impl Into<Query>) -> Result<Answer, Failure> {
    collect_on(query, 0)
}

/// As [`collect`], with a number of threads; 0 uses all cores.
pub fn collect_on(query: impl Into<Query>, threads: usize) -> Result<Answer, Failure> {
    Ok(answered_on(query.into(), threads)?)
}

/// As [`collect_on`], but returns the error of the question.
pub fn answered_on(query: Query, threads: usize) -> Result<Answer, QueryError> {
    let (control, bar) = progress(&query);
    let answer = query.answer(&control.with_threads(threads));
    bar.finish_and_clear();
    answer
}

/// The largest size of rows, in bytes, that are collected for a table on the screen; larger answers
/// are streamed.
pub const MAX_SHOWN: u128 = 1 << 25;

/// Shows an answer to a person at a terminal, then prints its notes. The least value of the column
/// `best` is highlighted.
pub fn show(answer: &Answer, best: Option<&str>) -> Result<(), Failure> {
    show_with(answer, best, "")
}

/// As [`show`], with lines below the table.
pub fn show_with(answer: &Answer, best: Option<&str>, below: &str) -> Result<(), Failure> {
    let look = TableStyle {
        width: terminal::width(),
        color: terminal::has_color(),
        best,
    };
    // if nothing was found, the notes say so
    let is_empty = answer.rows.is_empty() && !answer.foot.notes.is_empty();
    let mut text = opening(answer);
    if !is_empty {
        text += &reader::table(&answer.head.columns, &answer.rows, &look);
    }
    for line in below.lines() {
        text += &screen::fold(line, look.width, 2);
        text.push('\n');
    }
    screen::print(&text)?;
    conclude(&answer.foot)
}

/// Returns the sentence that comes first on a terminal, with an empty line; empty elsewhere.
fn opening(answer: &Answer) -> String {
    if !terminal::is_terminal() {
        return String::new();
    }
    let summary = answer.summary();
    screen::fold(&summary, terminal::width(), 0) + "\n\n"
}

/// Prints an answer that is a page for people, whose lines already fit the width.
pub fn print_page(answer: &Answer, page: &str) -> Result<(), Failure> {
    Ok(screen::print(&(opening(answer) + page))?)
}

/// Prints an answer that is a text, folded to the width of the screen if a person reads it.
pub fn print_answer_text(answer: &Answer, text: &str) -> Result<(), Failure> {
    let text = if terminal::is_terminal() {
        screen::folded(text)
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
    if output.is_reader() {
        return show(answer, None);
    }
    write_rows(answer, output)?;
    conclude(&answer.foot)
}

/// Whether only the answering columns are written in this format.
fn is_document(format: Format) -> bool {
    matches!(format, Format::Markdown | Format::Latex)
}

/// Writes the rows of a complete answer. A document has only the answering columns; Markdown also
/// has the summary.
pub fn write_rows(answer: &Answer, output: &OutputArgs) -> Result<(), Failure> {
    let names = answer.head.names();
    if !is_document(output.format()) {
        return output.write(&names, &answer.rows);
    }
    super::args::refuse_picture(output.output.as_deref())?;
    let text = match output.format() {
        Format::Markdown => markdown_text(answer, "")?,
        format => answering_rows(answer, format)?,
    };
    Ok(Output::write_all(
        output.output.as_deref(),
        text.as_bytes(),
    )?)
}

/// The answering columns, as a text.
fn answering_rows(answer: &Answer, format: Format) -> Result<String, Failure> {
    let names = answer.head.names();
    let at = reader::answering(&answer.head.columns, &answer.rows);
    let names: Vec<&str> = at.iter().map(|at| names[*at]).collect();
    let row = |row: &Vec<Cell>| at.iter().map(|at| row[*at].clone()).collect();
    let rows: Vec<Vec<Cell>> = answer.rows.iter().map(row).collect();
    if names.is_empty() {
        return Ok(String::new());
    }
    Ok(rows::text(format, &names, &rows).map_err(OutputError::from)?)
}

/// An answer in Markdown: its summary, these paragraphs, and the answering columns.
pub fn markdown_text(answer: &Answer, paragraphs: &str) -> Result<String, Failure> {
    let mut text = format!("{}\n", markdown(&answer.summary()));
    for paragraph in paragraphs.lines() {
        text += &format!("\n{}\n", markdown(paragraph));
    }
    let table = answering_rows(answer, Format::Markdown)?;
    if !table.is_empty() {
        text += &format!("\n{table}");
    }
    Ok(text)
}

/// Prints the notes of an answer; a failed verdict is returned as a mismatch.
pub fn conclude(foot: &Foot) -> Result<(), Failure> {
    remarks(&foot.notes);
    match &foot.verdict {
        Some(Verdict::Fails(sentence)) => Err(Failure::Mismatch(sentence.clone())),
        _ => Ok(()),
    }
}

/// Answers a question and passes its rows to `write` as they come, including those that come before
/// a failure. The foot is returned to the caller, who also finishes the output.
pub fn stream(
    query: impl Into<Query>,
    output: &mut Output,
    write: impl FnMut(&[Cell], &mut dyn Write) -> io::Result<()>,
) -> Result<Foot, Failure> {
    let query = query.into();
    let (control, bar) = progress(&query);
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
        give_way(self.bar);
        let write = &mut self.write;
        let written = (self.output).with(|out| rows.iter().try_for_each(|row| write(row, out)));
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

    /// Ends the run if the output fails, and keeps the error of the output, which names the file.
    fn ok<T>(&mut self, written: Result<T, OutputError>) -> Result<T, QueryError> {
        written.map_err(|error| {
            self.failed = Some(error.into());
            QueryError::Stopped
        })
    }

    /// Calls `write` with the format and the output.
    fn with(
        &mut self,
        write: impl FnOnce(&mut dyn rows::RowSink, &mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> Result<(), QueryError> {
        let (sink, output) = self.open.as_mut().expect("the head comes first");
        let written = output.with(|out| write(sink.as_mut(), out));
        self.ok(written)
    }
}

impl Sink for RowWriter<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        let output = Output::open(self.path);
        let output = self.ok(output)?;
        self.open = Some(((self.sink)(&head.names()), output));
        self.with(|sink, out| sink.begin(out))
    }

    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        if self.path.is_none() {
            give_way(self.bar);
        }
        self.with(|sink, out| rows.iter().try_for_each(|row| sink.write_row(row, out)))
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.foot = foot;
        self.with(|sink, out| sink.end(out))
    }
}
