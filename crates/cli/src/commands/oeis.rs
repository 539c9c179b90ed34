//! `flipcost oeis`: checks, identifies, drafts and fetches entries of the OEIS.

use super::{Failure, QuestionCommand, answer};
use clap::Subcommand;
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost::table::Cell;
use flipcost_number::short::short_digits;
use flipcost_oeis::questions::SequenceId;
use flipcost_oeis::text;
use flipcost_oeis::{ANumber, bfile};
use flipcost_question::count_with_noun;
use flipcost_question::{Answer, CellKind, Foot, Head, Query, Verdict};
use flipcost_terminal::rows::reader::{self, TableStyle};
use flipcost_terminal::rows::{Format, LineFormat, Output};
use flipcost_terminal::screen::print_remark;
use flipcost_terminal::{screen, terminal};
use std::path::{Path, PathBuf};

/// Work with the On-Line Encyclopedia of Integer Sequences, offline
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct OeisArgs {
    #[command(subcommand)]
    action: OeisCommand,
}

#[derive(Subcommand)]
enum OeisCommand {
    Extend(OeisExtendArgs),
    Fetch(OeisFetchArgs),
}

impl OeisArgs {
    pub fn run(self) -> Result<(), Failure> {
        match self.action {
            OeisCommand::Extend(action) => action.run(),
            OeisCommand::Fetch(action) => action.run(),
        }
    }
}

#[derive(clap::Args)]
pub struct OeisCheckArgs {}

impl QuestionCommand for OeisCheckArgs {
    /// Prints the reports line by line, including those of a check that could not be finished.
    fn run(self, query: Query) -> Result<(), Failure> {
        let all = query
            .downcast::<flipcost_oeis::questions::OeisCheck>()
            .is_some_and(|asked| asked.all);
        let (answer, answered) = answer::collect_partial_rows(query)?;
        if terminal::is_terminal() {
            answer::print_page(&answer, &format_reports(&answer, terminal::output_width()))?;
            answered?;
            return answer::print_foot(&Foot {
                verdict: answer.foot.verdict,
                ..Foot::default()
            });
        }
        let numbered = |sequence: &Sequence| sequence.a_number().is_some();
        let width = if all {
            let all = sequences::all().into_iter().filter(numbered);
            all.map(|sequence| sequence.id().len()).max().unwrap_or(0)
        } else {
            0
        };
        let mut output = Output::open(None)?;
        output.with_writer(|out| {
            for row in &answer.rows {
                let (id, number) = (row[0].to_string(), &row[1]);
                let report = row.last().expect("a report");
                match number {
                    Cell::Empty => writeln!(out, "{id}  {report}")?,
                    number => writeln!(out, "{number}  {id:width$}  {report}")?,
                }
            }
            let notes = &answer.foot.notes;
            notes
                .iter()
                .try_for_each(|note| writeln!(out, "{}", note.render(flipcost_all::terminal())))
        })?;
        output.finish()?;
        answered?;
        match answer.foot.verdict {
            Some(Verdict::Fails(sentence)) => Err(Failure::Mismatch(sentence)),
            _ => Ok(()),
        }
    }
}

/// Formats the reports as a table of this width, followed by the notes.
fn format_reports(answer: &Answer, width: usize) -> String {
    let head = Head::new()
        .column("a_number", CellKind::Text)
        .column("id", CellKind::Text)
        .column("report", CellKind::Text);
    let row = |row: &Vec<Cell>| {
        let report = row.last().cloned().unwrap_or(Cell::Empty);
        vec![row[1].clone(), row[0].clone(), report]
    };
    let rows: Vec<_> = answer.rows.iter().map(row).collect();
    let look = TableStyle {
        width,
        color: false,
        best: None,
    };
    let mut text = if rows.is_empty() {
        String::new()
    } else {
        reader::format_table(&head.columns, &rows, &look)
    };
    for note in &answer.foot.notes {
        text += "\n";
        text += &screen::fold_line(&note.render(flipcost_all::terminal()), width, 2);
        text += "\n";
    }
    text
}

/// Extend a b-file: check its terms, compute more terms, and write the whole file
#[derive(clap::Args)]
struct OeisExtendArgs {
    /// The A-number, or the id of a sequence (see `flipcost list sequences`)
    #[arg(value_name = "ID")]
    id: String,
    /// The b-file to extend
    #[arg(value_name = "FILE")]
    b_file: PathBuf,
    /// How many terms to add
    #[arg(short, long, value_name = "K", default_value = "100", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true)]
    terms: u64,
    /// Write to a file, which appears whole or not at all; it may be the file that was read
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OeisExtendArgs {
    /// The largest number of terms that are added at once, since all are kept in memory.
    const MAX_TERMS: u64 = 1_000_000;

    fn run(self) -> Result<(), Failure> {
        if self.terms > Self::MAX_TERMS {
            return Err(Failure::Input(format!(
                "{} terms are too many to add: {} is the most; `flipcost sequence {} --format b-file` writes any number",
                self.terms,
                Self::MAX_TERMS,
                self.id
            )));
        }
        let name = text::display_name(&self.b_file);
        let bytes = text::read(&self.b_file).map_err(Failure::input)?;
        let known = bfile::parse(&name, &bytes).map_err(Failure::input)?;
        let first = u64::try_from(known.first).map_err(|_| {
            let first = known.first;
            Failure::Input(format!(
                "\"{name}\" begins at n = {first}, and the sequences of flipcost begin at 0 or above"
            ))
        })?;
        let last = first.saturating_add(known.terms.len() as u64 - 1);
        let query = flipcost_oeis::questions::NamedSequence {
            id: SequenceId(self.id.clone(), flipcost_all::algorithms()),
            terms: None,
            from: Some(first),
            to: Some(last.saturating_add(self.terms)),
        };
        let (answer, answered) = answer::collect_partial(query, 0);
        answered?;
        for (row, term) in answer.rows.iter().zip(&known.terms) {
            let (computed, term) = (row[1].to_string(), term.to_string());
            if computed != term {
                let (computed, term) = (short_digits(&computed), short_digits(&term));
                return Err(Failure::Mismatch(format!(
                    "\"{name}\" has a({}) = {term}, and {} has {computed}: nothing was written",
                    row[0], self.id
                )));
            }
        }
        let lines = LineFormat::new(Format::BFile, &["n", "a"]).expect("a format of lines");
        let mut batch = lines.start_batch(answer.rows.len());
        answer.rows.iter().for_each(|row| batch.push_row(row));
        Output::write_all(self.output.as_deref(), &batch.into_bytes())?;
        let (old, new) = (known.terms.len() as u64, answer.rows.len() as u64);
        print_remark(&format!(
            "compared with \"{name}\": {}, all agree; added after n = {last}: {}",
            count_with_noun(old, "term"),
            count_with_noun(new - old, "term")
        ));
        if known.comments > 0 {
            let comments = count_with_noun(known.comments, "line");
            print_remark(&format!(
                "comments of \"{name}\" that are not copied: {comments}"
            ));
        }
        Ok(())
    }
}

#[derive(clap::Args)]
pub struct OeisDraftArgs {
    /// Write the entry and the b-file into this folder [default: the entry to standard output]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl QuestionCommand for OeisDraftArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let Some(asked) = query
            .downcast::<flipcost_oeis::questions::OeisDraft>()
            .cloned()
        else {
            unreachable!("each command asks its own question");
        };
        let (answer, answered) = answer::collect_partial(query, 0);
        answered?;
        let text = answer.foot.text.as_deref().unwrap_or_default();
        match &self.output {
            None => answer::print_page(&answer, text)?,
            Some(folder) => write_draft_files(&asked.id, folder, text, &answer.rows)?,
        }
        answer::print_notes(&answer.foot.notes);
        Ok(())
    }
}

/// Writes the entry and the b-file into the folder, and prints their names.
fn write_draft_files(
    id: &SequenceId,
    folder: &Path,
    text: &str,
    rows: &[Vec<Cell>],
) -> Result<(), Failure> {
    let shown = folder.display();
    if let Some(file) = folder.ancestors().find(|path| path.is_file()) {
        let file = file.display();
        return Err(Failure::Input(format!(
            "cannot write into \"{shown}\": \"{file}\" is a file, but -o needs a folder, existing or new, for the entry and its b-file"
        )));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Input(format!("cannot make the folder \"{shown}\": {error}")))?;
    let sequence = sequences::find_with(&id.0, id.1).map_err(Failure::input)?;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name = match sequence.a_number() {
        Some(number) => number.to_string(),
        None => sequence.id().chars().map(plain).collect(),
    };
    let number = flipcost_oeis::entry_of_sequence::entry(&sequence).number_or_none_yet();
    let entry = folder.join(format!("{name}.seq"));
    let b_file = folder.join(number.b_file_name());
    let lines = LineFormat::new(Format::BFile, &["n", "a"]).expect("a format of lines");
    let mut batch = lines.start_batch(rows.len());
    rows.iter().for_each(|row| batch.push_row(row));
    if terminal::is_terminal() {
        terminal::summarize_files(); // the two files are named below
    }
    Output::write_all(Some(&entry), text.as_bytes())?;
    Output::write_all(Some(&b_file), &batch.into_bytes())?;
    let said = format!("{}\n{}\n", entry.display(), b_file.display());
    Ok(Output::write_all(None, said.as_bytes())?)
}

/// Download an entry and its b-file
#[derive(clap::Args)]
struct OeisFetchArgs {
    /// The A-number
    #[arg(value_name = "A-NUMBER")]
    a_number: String,
    /// The folder for the two files; files younger than seven days are not downloaded again
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

impl OeisFetchArgs {
    fn run(self) -> Result<(), Failure> {
        let number: ANumber = self.a_number.parse().map_err(Failure::input)?;
        self.download(number)
    }

    #[cfg(not(feature = "fetch"))]
    fn download(&self, number: ANumber) -> Result<(), Failure> {
        Err(Failure::Input(format!(
            "this program was built without downloads, so {number} was not fetched: build it with `cargo install --path . --features fetch`, or download {} by hand",
            number.b_file_name()
        )))
    }

    #[cfg(feature = "fetch")]
    fn download(&self, number: ANumber) -> Result<(), Failure> {
        use flipcost_oeis::fetch;
        let folder = &self.output;
        std::fs::create_dir_all(folder).map_err(|error| {
            let shown = folder.display();
            Failure::Input(format!("cannot make the folder \"{shown}\": {error}"))
        })?;
        let (entry, b_file) = (format!("{number}.seq"), number.b_file_name());
        let mut said = String::new();
        for (path, is_entry) in [(folder.join(entry), true), (folder.join(b_file), false)] {
            let mut place = " (from the cache)";
            if !is_fresh(&path) {
                let get = if is_entry {
                    fetch::entry
                } else {
                    fetch::b_file
                };
                let bytes = get(fetch::OEIS, number).map_err(Failure::input)?;
                Output::write_quietly(&path, &bytes)?;
                place = "";
            }
            said += &format!("{}{place}\n", path.display());
        }
        Ok(Output::write_all(None, said.as_bytes())?)
    }
}

/// Returns whether the file was modified in the last seven days.
#[cfg(feature = "fetch")]
fn is_fresh(path: &Path) -> bool {
    let modified = std::fs::metadata(path).and_then(|about| about.modified());
    let age = modified.ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age.as_secs() < 7 * 24 * 3600)
}
