//! `flipcost oeis`: check, identify, draft and fetch entries of the OEIS.

use super::args::{self, OutputArgs};
use super::{Failure, remark};
use crate::number::BigInt;
use crate::oeis::check::{self, Report, Verdict};
use crate::oeis::draft::{self, Submission};
use crate::oeis::identify::{self, Query};
use crate::oeis::{ANumber, detect, list, published};
use crate::sequences::{self, Sequence, SequenceError};
use crate::table::{Cell, Output};
use clap::Subcommand;
use std::cell::RefCell;
use std::path::PathBuf;

/// Work with the On-Line Encyclopedia of Integer Sequences, offline
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Oeis {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Check(Check),
    Identify(Identify),
    Draft(Draft),
    Fetch(Fetch),
}

impl Oeis {
    pub fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Check(action) => action.run(),
            Action::Identify(action) => action.run(),
            Action::Draft(action) => action.run(),
            Action::Fetch(action) => action.run(),
        }
    }
}

/// Compare our terms with published ones
#[derive(clap::Args)]
struct Check {
    /// The A-number, or our own id
    #[arg(value_name = "ID", required_unless_present = "all")]
    id: Option<String>,
    /// Every sequence that has an A-number
    #[arg(long, conflicts_with = "id")]
    all: bool,
    /// A b-file, an entry in internal format, lines of stripped, stripped.gz, or a plain list [default: the terms that the program carries]
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How many of our terms to compute [default: as many as are published, and a few more]
    #[arg(short, long, value_name = "K", value_parser = args::positive, allow_negative_numbers = true)]
    terms: Option<u64>,
}

impl Check {
    fn report(&self, sequence: &Sequence) -> Result<Report, Failure> {
        let name = sequence.name();
        let (offset, published) = match (&self.against, sequence.a_number()) {
            (Some(file), number) => {
                let loaded = detect::load(file, number).map_err(Failure::input)?;
                (loaded.offset, loaded.terms)
            }
            (None, Some(number)) => match published::find(number) {
                Some(entry) => (Some(entry.offset), entry.terms),
                None => {
                    let what = format!(
                        "the program carries no terms of {number}: give some with --against FILE"
                    );
                    return Err(Failure::Input(what));
                }
            },
            (None, None) => {
                let what = format!(
                    "{name} has no A-number, so nothing published is known of it: give terms with --against FILE"
                );
                return Err(Failure::Input(what));
            }
        };
        let ours = sequence.offset();
        let ahead = offset.map_or(0, |offset| (offset - ours as i64).clamp(0, 1 << 20) as u64);
        let enough = published.len() as u64 + ahead + check::MAX_SHIFT as u64;
        let most = sequence
            .practical()
            .unwrap_or(u64::MAX)
            .max(published.len() as u64);
        let count = self.terms.unwrap_or(enough.min(most));
        let terms = sequence.first(count).map_err(Failure::input)?;
        Ok(check::check(ours as i64, &terms, offset, &published))
    }

    fn run(self) -> Result<(), Failure> {
        let sequences = match &self.id {
            Some(id) => vec![sequences::find(id).map_err(Failure::input)?],
            None => {
                let mut all = sequences::all();
                all.retain(|sequence| sequence.a_number().is_some());
                all.sort_by_key(|sequence| sequence.a_number());
                all
            }
        };
        let width = sequences.iter().map(|s| s.id().len()).max().unwrap_or(0);
        let mut output = Output::open(None)?;
        let (mut agree, mut compared, mut wrong) = (0, 0, Vec::new());
        for sequence in &sequences {
            let report = self.report(sequence)?;
            let (name, id) = (sequence.name(), sequence.id());
            output.with(|out| match sequence.a_number() {
                Some(number) => writeln!(out, "{number}  {id:width$}  {report}"),
                None => writeln!(out, "{id}  {report}"),
            })?;
            compared += report.compared;
            match report.verdict {
                Verdict::Agree => agree += 1,
                Verdict::Mismatch => wrong.push(name),
                Verdict::NothingToCompare => {
                    output.finish()?;
                    return Err(Failure::Input(format!(
                        "{name} has no index in common with the published terms, so nothing was compared"
                    )));
                }
            }
        }
        if self.all {
            let total = sequences.len();
            output.with(|out| {
                writeln!(
                    out,
                    "{agree} of {total} sequences agree, {compared} terms compared"
                )?;
                match self.against {
                    None => writeln!(out, "{}", published::ATTRIBUTION),
                    Some(_) => Ok(()),
                }
            })?;
        }
        output.finish()?;
        match wrong[..] {
            [] => Ok(()),
            _ => Err(Failure::Mismatch(format!(
                "the terms of {} differ from the published ones",
                wrong.join(", ")
            ))),
        }
    }
}

/// Find the entries that hold given terms, also behind a shift, a factor, differences or sums
#[derive(clap::Args)]
struct Identify {
    /// The terms, such as 1,1,1,1,2,1,1,1,3
    #[arg(
        value_name = "TERMS",
        required_unless_present = "sequence",
        allow_hyphen_values = true
    )]
    terms: Option<String>,
    /// Identify a sequence of ours, by its id
    #[arg(long, value_name = "ID", conflicts_with = "terms")]
    sequence: Option<String>,
    /// The OEIS's file stripped or stripped.gz [default: only the terms that the program carries]
    #[arg(long, value_name = "FILE")]
    stripped: Option<PathBuf>,
    /// The OEIS's file names or names.gz, for the titles
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// The most entries that are named
    #[arg(long, value_name = "K", default_value = "20", value_parser = args::positive, allow_negative_numbers = true)]
    limit: u64,
    #[command(flatten)]
    output: OutputArgs,
}

/// The terms of ours by which a sequence is identified.
const IDENTIFIED_BY: u64 = 40;

impl Identify {
    fn terms(&self) -> Result<Vec<BigInt>, Failure> {
        if let Some(id) = &self.sequence {
            let sequence = sequences::find(id).map_err(Failure::input)?;
            let count = sequence.practical().unwrap_or(u64::MAX).min(IDENTIFIED_BY);
            return sequence.first(count).map_err(Failure::input);
        }
        let text = self.terms.as_deref().unwrap_or_default();
        list::parse("TERMS", text.as_bytes()).map_err(Failure::input)
    }

    fn run(self) -> Result<(), Failure> {
        let mut query = Query::new(self.terms()?);
        query.limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let outcome = match &self.stripped {
            Some(file) => identify::in_stripped(file, &query),
            None => identify::in_published(&query),
        };
        let mut outcome = outcome.map_err(Failure::input)?;
        if let Some(file) = &self.names {
            identify::add_names(file, &mut outcome.found).map_err(Failure::input)?;
        }
        let number = |value: usize| Cell::Integer(value.into());
        let row = |found: &identify::Found| {
            vec![
                Cell::Text(found.a_number.to_string()),
                Cell::Text(found.relation.to_string()),
                number(found.position + 1),
                number(found.matched),
                number(found.mismatches + found.dropped),
                number(found.beyond),
                found.name.clone().map_or(Cell::Empty, Cell::Text),
            ]
        };
        let rows: Vec<Vec<Cell>> = outcome.found.iter().map(row).collect();
        let headers = [
            "a_number",
            "holds",
            "from_term",
            "agree",
            "leading_differ",
            "beyond_its_end",
            "title",
        ];
        self.output.write(&headers, &rows)?;
        let (total, shown) = (outcome.total, outcome.found.len() as u64);
        let entries = |count: u64| match count {
            0 => "no entry holds".to_string(),
            1 => "1 entry holds".to_string(),
            count => format!("{count} entries hold"),
        };
        let more = match total > shown {
            true => format!(", the best {shown} are named"),
            false => String::new(),
        };
        let searched = outcome.searched;
        remark(&match self.stripped {
            Some(_) => format!(
                "{} the terms{more}; {searched} were searched",
                entries(total)
            ),
            None => format!(
                "{} the terms{more}; only the {searched} entries that the program carries were searched: --stripped stripped.gz searches the whole OEIS",
                entries(total)
            ),
        });
        Ok(())
    }
}

/// Write a submission: the entry in internal format, and its b-file
#[derive(clap::Args)]
struct Draft {
    /// Our own id, or an A-number
    #[arg(value_name = "ID")]
    id: String,
    /// Write the entry and the b-file into this folder [default: the entry to standard output]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Your name as registered with the OEIS
    #[arg(long, value_name = "NAME", default_value = "")]
    author: String,
    /// The date as the OEIS writes it, such as "Nov 21 2026"
    #[arg(long, value_name = "DATE", default_value = "")]
    date: String,
    /// The most terms in the b-file [default: 10000, fewer where terms are slow]
    #[arg(short, long, value_name = "K", value_parser = args::positive, allow_negative_numbers = true)]
    terms: Option<u64>,
}

impl Draft {
    fn run(self) -> Result<(), Failure> {
        let sequence = sequences::find(&self.id).map_err(Failure::input)?;
        let count = self.terms.unwrap_or(sequence.practical().unwrap_or(10_000));
        // Terms come in chunks, because the b-file ends before terms grow too long.
        let stopped: RefCell<Option<SequenceError>> = RefCell::new(None);
        let first = sequence.offset();
        let chunks = (first..first.saturating_add(count))
            .step_by(256)
            .map_while(|from| {
                let to = (from + 255).min(first + count - 1);
                match sequence.terms(from..=to) {
                    Ok(terms) => Some(terms),
                    Err(error) => {
                        *stopped.borrow_mut() = Some(error);
                        None
                    }
                }
            });
        let submission = Submission {
            author: self.author.clone(),
            date: self.date.clone(),
            b_file_terms: usize::try_from(count).unwrap_or(usize::MAX),
        };
        let made = draft::draft(&sequence.entry, chunks.flatten(), &submission);
        if let Some(error) = stopped.into_inner() {
            return Err(Failure::input(error));
        }
        let made = made.map_err(Failure::input)?;
        match &self.output {
            None => Output::write_all(None, made.text.as_bytes())?,
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| {
                    let shown = folder.display();
                    Failure::Input(format!("cannot make the folder \"{shown}\": {error}"))
                })?;
                let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let name = match sequence.a_number() {
                    Some(number) => number.to_string(),
                    None => sequence.id().chars().map(plain).collect(),
                };
                let entry = folder.join(format!("{name}.seq"));
                let b_file = folder.join(&made.b_file_name);
                Output::write_all(Some(&entry), made.text.as_bytes())?;
                Output::write_all(Some(&b_file), made.b_file.as_bytes())?;
                let said = format!("{}\n{}\n", entry.display(), b_file.display());
                Output::write_all(None, said.as_bytes())?;
            }
        }
        made.notes.iter().for_each(|note| remark(note));
        Ok(())
    }
}

/// Download an entry and its b-file
#[derive(clap::Args)]
struct Fetch {
    /// The A-number
    #[arg(value_name = "A-NUMBER")]
    a_number: String,
    /// The folder for the two files, which serves as a cache for seven days
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

impl Fetch {
    fn run(self) -> Result<(), Failure> {
        let number: ANumber = self.a_number.parse().map_err(Failure::input)?;
        self.download(number)
    }

    #[cfg(not(feature = "fetch"))]
    fn download(&self, number: ANumber) -> Result<(), Failure> {
        Err(Failure::Input(format!(
            "this program was built without downloads, so {number} was not fetched: build it with `cargo install flipcost --features fetch`, or download {} by hand",
            number.b_file_name()
        )))
    }

    #[cfg(feature = "fetch")]
    fn download(&self, number: ANumber) -> Result<(), Failure> {
        use crate::oeis::fetch::{Options, fetch};
        let fetched = fetch(number, &Options::new(&self.output)).map_err(Failure::input)?;
        let mut output = Output::open(None)?;
        for file in [fetched.entry, fetched.b_file] {
            let place = if file.from_cache {
                " (from the cache)"
            } else {
                ""
            };
            output.with(|out| writeln!(out, "{}{place}", file.path.display()))?;
        }
        Ok(output.finish()?)
    }
}
