//! `flipcost oeis`: check, identify, draft and fetch entries of the OEIS.

use super::args::{self, OutputArgs};
use super::{Failure, remark};
use crate::entry::{a_number, entry};
use crate::rows::Output;
use clap::Subcommand;
use flipcost::number::BigInt;
use flipcost::sequences::{self, Sequence, SequenceError};
use flipcost::table::Cell;
use flipcost_oeis::check::{self, Report, Verdict};
use flipcost_oeis::draft::{self, Submission};
use flipcost_oeis::identify::{self, Query};
use flipcost_oeis::text::counted;
use flipcost_oeis::{ANumber, detect, list, published};
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

/// Published terms with their offset, if it is known.
type Published = (Option<i64>, Vec<BigInt>);

/// Compare our terms with published ones
#[derive(clap::Args)]
struct Check {
    /// The A-number, or our own id
    #[arg(value_name = "ID")]
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
    /// The published terms of a sequence, and their offset if it is known.
    fn published(&self, sequence: &Sequence) -> Result<Published, Failure> {
        let name = sequence.name();
        let what = match (&self.against, a_number(sequence)) {
            (Some(file), number) => {
                let loaded = detect::load(file, number).map_err(Failure::input)?;
                return Ok((loaded.offset, loaded.terms));
            }
            (None, Some(number)) => match published::find(number) {
                Some(entry) => return Ok((Some(entry.offset), entry.terms)),
                None => format!(
                    "the program carries no terms of {number}: give some with --against FILE"
                ),
            },
            (None, None) => format!(
                "{name} has no A-number, so nothing published is known of it: give terms with --against FILE"
            ),
        };
        Err(Failure::Input(what))
    }

    /// Every sequence with an A-number, by that, with its published terms, or `None` if the file
    /// that was given does not hold it.
    fn all(&self) -> Result<Vec<(Sequence, Option<Published>)>, Failure> {
        let mut all = sequences::all();
        all.retain(|sequence| sequence.a_number().is_some());
        all.sort_by_key(a_number);
        let Some(file) = &self.against else {
            let with_terms = |one: Sequence| Ok((one.clone(), Some(self.published(&one)?)));
            return all.into_iter().map(with_terms).collect();
        };
        let mut wanted: Vec<ANumber> = all.iter().filter_map(a_number).collect();
        wanted.dedup();
        let loaded = detect::load_many(file, &wanted).map_err(Failure::input)?;
        let with_terms = |one: Sequence| {
            let here = loaded.iter().find(|entry| entry.a_number == a_number(&one));
            let published = here.map(|entry| (entry.offset, entry.terms.clone()));
            (one, published)
        };
        Ok(all.into_iter().map(with_terms).collect())
    }

    fn report(
        &self,
        sequence: &Sequence,
        (offset, published): Published,
    ) -> Result<Report, Failure> {
        let ours = sequence.offset();
        let ahead = offset.map_or(0, |offset| (offset - ours as i64).clamp(0, 1 << 20) as u64);
        let enough = published.len() as u64 + ahead + check::MAX_SHIFT as u64;
        let most = sequence.practical().unwrap_or(u64::MAX);
        let count = self.terms.unwrap_or(enough.min(most));
        let terms = sequence.first(count).map_err(Failure::input)?;
        Ok(check::check(ours as i64, &terms, offset, &published))
    }

    fn run(self) -> Result<(), Failure> {
        let sequences = match &self.id {
            Some(id) => {
                let sequence = sequences::find(id).map_err(Failure::input)?;
                let published = self.published(&sequence)?;
                vec![(sequence, Some(published))]
            }
            None if self.all => self.all()?,
            None => {
                let what = "which sequence is to be checked is not said: give its ID, such as A136043, or --all for every one that has an A-number";
                return Err(Failure::Input(what.to_string()));
            }
        };
        let width = sequences.iter().map(|(s, _)| s.id().len()).max();
        let width = width.unwrap_or(0);
        let mut output = Output::open(None)?;
        let (mut agree, mut compared, mut wrong) = (0, 0, Vec::new());
        let (mut total, mut absent) = (0, 0);
        for (sequence, published) in sequences {
            let (name, id) = (sequence.name(), sequence.id());
            let Some(published) = published else {
                absent += 1;
                output.with(|out| writeln!(out, "{name}  {id:width$}  not in the file"))?;
                continue;
            };
            total += 1;
            let report = self.report(&sequence, published)?;
            output.with(|out| match sequence.a_number() {
                Some(number) => writeln!(out, "{number}  {id:width$}  {report}"),
                None => writeln!(out, "{id}  {report}"),
            })?;
            compared += report.compared as u64;
            match report.verdict {
                Verdict::Agree => agree += 1,
                Verdict::Mismatch => wrong.push(name.to_string()),
                Verdict::NothingToCompare => {
                    output.finish()?;
                    return Err(Failure::Input(format!(
                        "{name} has no index in common with the published terms, so nothing was compared"
                    )));
                }
            }
        }
        if self.all {
            output.with(|out| {
                let (all, terms) = (counted(total, "sequence"), counted(compared, "term"));
                let absent = match absent {
                    0 => String::new(),
                    absent => format!("; {} not in the file", counted(absent, "sequence")),
                };
                writeln!(out, "{agree} of {all} agree, {terms} compared{absent}")?;
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
        draft::check_date(&self.date).map_err(Failure::input)?;
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
            signed: true,
        };
        let made = draft::draft(&entry(&sequence), chunks.flatten(), &submission);
        if let Some(error) = stopped.into_inner() {
            return Err(Failure::input(error));
        }
        let made = made.map_err(Failure::input)?;
        match &self.output {
            None => Output::write_all(None, made.text.as_bytes())?,
            Some(folder) => {
                let shown = folder.display();
                if let Some(file) = folder.ancestors().find(|path| path.is_file()) {
                    let file = file.display();
                    return Err(Failure::Input(format!(
                        "cannot write into \"{shown}\": \"{file}\" is a file, and -o takes a folder, there or to be made, for the entry and its b-file"
                    )));
                }
                std::fs::create_dir_all(folder).map_err(|error| {
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
            "this program was built without downloads, so {number} was not fetched: build it with `cargo install --path . --features fetch`, or download {} by hand",
            number.b_file_name()
        )))
    }

    #[cfg(feature = "fetch")]
    fn download(&self, number: ANumber) -> Result<(), Failure> {
        use flipcost_oeis::fetch::{Options, fetch};
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
