//! `flipcost reproduce`: runs studies.

use super::Failure;
use super::args::TableArgs;
use crate::watch;
use flipcost::table::Cell;
use flipcost_number::threads;
use flipcost_question::{Progress, count_with_noun, did_you_mean};
use flipcost_studies::{
    self as studies, ClaimStatus, EmbeddedStudy, FinishedPiece, Study, StudyError, StudyReport,
};
use flipcost_terminal::rows;
use flipcost_terminal::rows::Format;
use flipcost_terminal::{screen, terminal};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};

/// Run studies: write their data and figures, and check every claim
#[derive(clap::Args)]
pub struct ReproduceArgs {
    /// Studies, by name or file [default: every file analysis/*.toml; the studies of analysis/long/
    /// take hours and run only by name]. `flipcost list studies` lists the studies inside the
    /// program, which run in any folder
    #[arg(value_name = "STUDY")]
    studies: Vec<String>,
    /// The folder that contains analysis/, if there is one, and that receives data/ and figures/.
    /// The name of a study is looked up in its analysis/, then in the program; the path of a file
    /// *.toml starts from the current folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Print what a study's file may contain, and run nothing: every figure, check and quantity
    /// with its keys, or only the parts with this name, such as plot, check or axis; `example`
    /// prints a whole study
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["studies", "format"])]
    keys: Option<String>,
    /// The format of the claims [default: a report on a terminal, csv elsewhere]
    #[arg(short, long, value_parser = Format::row_formats_parser())]
    format: Option<Format>,
}

/// Prints what a study's file may contain: the parts with this name, or all.
fn print_keys(name: &str) -> Result<(), Failure> {
    let text = studies::page::page(Some(name).filter(|name| !name.is_empty()));
    let text = text.ok_or_else(|| {
        let names = studies::page::names().join(", ");
        Failure::Input(format!(
            "a study has nothing called \"{name}\": choose one of {names}"
        ))
    })?;
    Ok(screen::print_paged(&text)?)
}

/// List the studies: name, title and question of each
#[derive(clap::Args)]
pub struct ListStudiesArgs {
    /// The folder that contains analysis/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    list: TableArgs,
}

impl ListStudiesArgs {
    pub fn run(self) -> Result<(), Failure> {
        let row = |study: StudySource| {
            let study = study.read().map_err(Failure::input)?;
            Ok([study.name, study.title, study.question]
                .map(Cell::Text)
                .to_vec())
        };
        let rows = known_studies(&self.root).into_iter().map(row);
        let rows = rows.collect::<Result<Vec<_>, Failure>>()?;
        self.list.write(&["name", "title", "question"], rows)
    }
}

/// Where a study is stored.
#[derive(Clone, PartialEq)]
enum StudySource {
    File(PathBuf),
    Embedded(&'static str),
}

impl StudySource {
    fn name(&self) -> String {
        let path = match self {
            StudySource::File(file) => file,
            StudySource::Embedded(name) => return name.to_string(),
        };
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    fn read(&self) -> Result<Study, StudyError> {
        match self {
            StudySource::File(file) => Study::read(file),
            StudySource::Embedded(name) => {
                let embedded = EmbeddedStudy::all().find(|study| study.name == *name);
                embedded.expect("it is in the program").read()
            }
        }
    }
}

impl fmt::Display for StudySource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StudySource::File(file) => file.display().fmt(f),
            StudySource::Embedded(name) => name.fmt(f),
        }
    }
}

/// Returns the studies below the root, and the program's embedded studies with other names.
fn known_studies(root: &Path) -> Vec<StudySource> {
    let folder = root.join("analysis");
    let folders = [folder.clone(), folder.join("long")];
    let files = folders
        .iter()
        .flat_map(|folder| study_files_in(folder).unwrap_or_default());
    let mut known: Vec<StudySource> = files.map(StudySource::File).collect();
    let names: Vec<String> = known.iter().map(StudySource::name).collect();
    let others = EmbeddedStudy::all().map(|study| study.name);
    let others = others.filter(|name| !names.iter().any(|known| known == name));
    known.extend(others.map(StudySource::Embedded));
    known
}

/// The files of the studies in a folder, sorted by name.
fn study_files_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "toml")
    });
    files.sort();
    Ok(files)
}

fn study_files_below(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = root.join("analysis");
    let files = study_files_in(&folder).map_err(|error| {
        let shown = folder.display();
        Failure::Input(format!("cannot read the folder \"{shown}\": {error}; name a study of the program, which `flipcost list studies` lists, run where analysis/ is, or name its folder with --root"))
    })?;
    if files.is_empty() {
        Err(Failure::Input(format!(
            "no study *.toml in \"{}\"",
            folder.display()
        )))
    } else {
        Ok(files)
    }
}

/// Refuses two studies that would write to the same folders.
fn refuse_shared_folders(files: &[StudySource], studies: &[Study]) -> Result<(), Failure> {
    let mut known = BTreeMap::new();
    for (file, study) in files.iter().zip(studies) {
        let name = &study.name;
        match known.insert(name, file) {
            Some(other) if other != file => {
                return Err(Failure::Input(format!(
                    "\"{other}\" and \"{file}\" are both the study \"{name}\" and would write to the \
                     same folders: rename one, or run them with different --root"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A failure that names the study and says what is wrong with it.
fn study_failure(study: &Study, error: &StudyError) -> Failure {
    Failure::Input(format!("the study {}: {error}", study.name))
}

impl ReproduceArgs {
    fn files(&self) -> Result<Vec<StudySource>, Failure> {
        if self.studies.is_empty() {
            let all = study_files_below(&self.root)?;
            return Ok(all.into_iter().map(StudySource::File).collect());
        }
        let file = |name: &String| {
            if name.ends_with(".toml") {
                return Ok(StudySource::File(PathBuf::from(name)));
            }
            let known = known_studies(&self.root);
            if let Some(found) = known.iter().find(|study| study.name() == *name) {
                return Ok(found.clone());
            }
            let known: Vec<String> = known.iter().map(StudySource::name).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let right = did_you_mean(name, &known);
            let file = if right.ends_with('?') {
                ""
            } else {
                ", or a file *.toml"
            };
            Err(Failure::Input(format!(
                "there is no study \"{name}\": {right}{file}"
            )))
        };
        self.studies.iter().map(file).collect()
    }

    pub fn run(self) -> Result<(), Failure> {
        if let Some(name) = &self.keys {
            return print_keys(name);
        }
        terminal::summarize_files();
        // Every study is read before the first one runs.
        let files = self.files()?;
        let studies = files.iter().map(StudySource::read);
        let studies = studies.collect::<Result<Vec<_>, _>>();
        let studies = studies.map_err(Failure::input)?;
        refuse_shared_folders(&files, &studies)?;
        for study in &studies {
            for check in &study.checks {
                let looked = check.check_file_exists(&self.root);
                looked.map_err(|error| study_failure(study, &error))?;
            }
        }
        let mut printer = ReportPrinter::new(self.format)?;
        let mut total = StudyTotals::default();
        self.run_all(&studies, |report| {
            total.add(&report);
            printer.print_report(&report)
        })?;
        printer.print_totals(&total, &self.root)?;
        match total.unexpected {
            0 => Ok(()),
            1 => Err(Failure::Mismatch(format!(
                "1 of {} claims has another verdict than its study states",
                total.claims
            ))),
            failed => Err(Failure::Mismatch(format!(
                "{failed} of {} claims have other verdicts than their studies state",
                total.claims
            ))),
        }
    }

    /// Runs all studies in parallel and passes their reports to `take` in the order of the studies,
    /// each as soon as it and all earlier ones are available.
    fn run_all(
        &self,
        studies: &[Study],
        mut take: impl FnMut(StudyReport) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let claims: usize = studies.iter().map(|study| study.checks.len()).sum();
        let figures: usize = studies.iter().map(|study| study.figures.len()).sum();
        let documents: usize = studies.iter().map(|study| study.documents.len()).sum();
        let all = (claims + figures + documents) as u64;
        let bar = progress_bar(all);
        let [decided, drawn, written, parts] = [const { AtomicUsize::new(0) }; 4];
        let done = |done: FinishedPiece| {
            match done {
                FinishedPiece::Part => parts.fetch_add(1, Ordering::Relaxed),
                FinishedPiece::Figure => drawn.fetch_add(1, Ordering::Relaxed),
                FinishedPiece::Document => written.fetch_add(1, Ordering::Relaxed),
                FinishedPiece::Claim => decided.fetch_add(1, Ordering::Relaxed),
            };
            let [decided, drawn, written, parts] =
                [&decided, &drawn, &written, &parts].map(|pieces| pieces.load(Ordering::Relaxed));
            let done = (decided + drawn + written) as u64;
            watch::record_progress(Progress { all, done });
            bar.set_position(done);
            let parts = match parts {
                0 => String::new(),
                parts => format!(", {parts} parts of figures"),
            };
            bar.set_message(format!(
                "{drawn} of {figures} figures, {decided} of {claims} claims{parts}"
            ));
        };
        let (send, receive) = mpsc::channel();
        let (root, done) = (&self.root, &done);
        let work = move || {
            let stopped = AtomicBool::new(false);
            threads::map(studies.len(), &|i| {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let report = studies::run(&studies[i], root, done);
                let failed = report.is_err();
                let gone = send.send((i, report)).is_err();
                // After an error, or if nobody receives the reports any more, studies that have not
                // begun are skipped.
                stopped.fetch_or(failed || gone, Ordering::Relaxed);
            });
        };
        run_alongside(work, || {
            let mut waiting = BTreeMap::new();
            let mut next = 0;
            let mut failed = None;
            for (i, report) in receive {
                match report {
                    Ok(report) => {
                        waiting.insert(i, report);
                    }
                    // Keeps the error of the failed study that comes first in the order.
                    Err(error) => {
                        failed = match failed {
                            Some((first, earlier)) if first < i => Some((first, earlier)),
                            _ => Some((i, error)),
                        }
                    }
                }
                while let Some(report) = waiting.remove(&next) {
                    bar.suspend(|| take(report))?;
                    next += 1;
                }
            }
            bar.finish_and_clear();
            match failed {
                None => Ok(()),
                Some((_, StudyError::Output(error))) => Err(Failure::Output(error)),
                Some((i, error)) => Err(study_failure(&studies[i], &error)),
            }
        })
    }
}

fn progress_bar(pieces: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    crate::progress_bar::delayed_bar(
        Some(pieces),
        crate::progress_bar::bar_style("{elapsed} {wide_bar} {msg}"),
    )
}

/// The total of all studies: what they found and wrote.
#[derive(Default)]
struct StudyTotals {
    claims: usize,
    reproduced: usize,
    corrected: usize,
    computed: usize,
    not_reproduced: usize,
    unexpected: usize,
    figures: usize,
    files: usize,
}

impl StudyTotals {
    fn add(&mut self, report: &StudyReport) {
        self.claims += report.verdicts.len();
        self.reproduced += report.count(ClaimStatus::Reproduced);
        self.corrected += report.count(ClaimStatus::Corrected);
        self.computed += report.count(ClaimStatus::Computed);
        self.not_reproduced += report.count(ClaimStatus::NotReproduced);
        self.unexpected += report.unexpected();
        self.figures += report.figures;
        self.files += report.files;
    }

    /// Counts the claims by verdict.
    fn verdicts(&self) -> String {
        let counts = [
            (self.corrected, ClaimStatus::Corrected),
            (self.computed, ClaimStatus::Computed),
            (self.not_reproduced, ClaimStatus::NotReproduced),
        ];
        let more = counts.into_iter().filter(|(count, _)| *count > 0);
        let more = more.map(|(count, outcome)| format!(", {count} {}", outcome.words()));
        format!(
            "{} of {} claims reproduced{}",
            self.reproduced,
            self.claims,
            more.collect::<String>()
        )
    }

    /// Returns lines about the verdicts and about the files that were written below this folder.
    fn sentence(&self, root: &Path) -> String {
        let folder = |name: &str| match root.to_str() {
            Some(".") => format!("{name}/"),
            _ => format!("{}/", root.join(name).display()),
        };
        format!(
            "{}; written: {} in {}, {} in {}",
            self.verdicts(),
            count_with_noun(self.figures as u64, "figure"),
            folder("figures"),
            count_with_noun(self.files as u64, "file"),
            folder("data")
        )
    }
}

/// Prints the report of each study as soon as it arrives: on a terminal as text with the verdict
/// first, otherwise as rows.
enum ReportPrinter {
    Reader { width: usize, color: bool },
    Rows(Box<dyn rows::RowSink>, rows::Output),
}

impl ReportPrinter {
    fn new(format: Option<Format>) -> Result<ReportPrinter, Failure> {
        let terminal = std::io::stdout().is_terminal();
        if format.is_none() && terminal {
            return Ok(ReportPrinter::Reader {
                width: terminal::output_width(),
                color: terminal::has_color(),
            });
        }
        let headers: Vec<&str> = std::iter::once("study")
            .chain(studies::REPORT_HEADERS)
            .collect();
        let mut sink = rows::new_sink(format.unwrap_or(Format::Csv), &headers);
        let mut output = rows::Output::open(None)?;
        output.with_writer(|out| sink.begin(out))?;
        Ok(ReportPrinter::Rows(sink, output))
    }

    fn print_report(&mut self, report: &StudyReport) -> Result<(), Failure> {
        match self {
            ReportPrinter::Reader { width, color } => {
                let text = format_report(report, *width, *color);
                Ok(rows::Output::write_all(None, text.as_bytes())?)
            }
            ReportPrinter::Rows(sink, output) => Ok(output.with_writer(|out| {
                report.rows().try_for_each(|cells| {
                    let mut row = vec![Cell::Text(report.name.clone())];
                    row.extend(cells);
                    sink.write_row(&row, out)
                })
            })?),
        }
    }

    fn print_totals(self, total: &StudyTotals, root: &Path) -> Result<(), Failure> {
        match self {
            ReportPrinter::Reader { width, .. } => {
                let text = textwrap::fill(&total.sentence(root), width) + "\n";
                Ok(rows::Output::write_all(None, text.as_bytes())?)
            }
            ReportPrinter::Rows(mut sink, mut output) => {
                output.with_writer(|out| sink.end(out))?;
                Ok(output.finish()?)
            }
        }
    }
}

/// Formats a report for a person: the verdict first, then the claim, folded to the width.
fn format_report(report: &StudyReport, width: usize, color: bool) -> String {
    let mut total = StudyTotals::default();
    total.add(report);
    let mut text = format!("{}: {}\n", report.name, total.verdicts());
    let marks = report.verdicts.iter().map(|v| v.outcome.words().len());
    let indent = " ".repeat(marks.max().unwrap_or(0) + 4);
    for verdict in &report.verdicts {
        let mut line = if verdict.published == verdict.computed {
            format!("{}: {}", verdict.claim, verdict.published)
        } else {
            format!(
                "{}: published {}, computed {}",
                verdict.claim, verdict.published, verdict.computed
            )
        };
        if let Some(mark) = verdict.mark {
            line += &format!(" (the claim is {})", mark.words());
        }
        let wrap = textwrap::Options::new(width)
            .initial_indent(&indent)
            .subsequent_indent(&indent);
        let lines = textwrap::fill(&line, wrap);
        let words = verdict.outcome.words();
        let shown = if !verdict.is_expected() && color {
            terminal::paint_failure(words)
        } else {
            words.to_string()
        };
        let space = &indent[words.len() + 2..];
        text += &format!("  {shown}{space}{}\n", &lines[indent.len()..]);
    }
    text.push('\n');
    text
}

/// Runs `work` on another thread while `body` runs; if no thread can start, runs `work` first.
fn run_alongside<T>(work: impl FnOnce() + Send, body: impl FnOnce() -> T) -> T {
    let work = Mutex::new(Some(work));
    let run = || {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(work) = work {
            work();
        }
    };
    std::thread::scope(|scope| {
        if std::thread::Builder::new()
            .spawn_scoped(scope, run)
            .is_err()
        {
            run();
        }
        body()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_studies::check::CheckedClaim;

    #[test]
    fn a_report_fits_the_width_and_begins_with_the_verdict() {
        let verdict = |holds| CheckedClaim {
            claim: "the expected number of flips of a fair die with six sides, by rejection".into(),
            published: "4".into(),
            computed: if holds { "4" } else { "11/3" }.into(),
            outcome: if holds {
                ClaimStatus::Reproduced
            } else {
                ClaimStatus::NotReproduced
            },
            expected: ClaimStatus::Reproduced,
            source: None,
            mark: (!holds).then_some(studies::ClaimOrigin::Paper),
            standing: "decided exactly",
            command: None,
        };
        let report = StudyReport {
            name: "a-study".into(),
            verdicts: vec![verdict(true), verdict(false)],
            figures: 0,
            files: 1,
        };
        assert_eq!(
            format_report(&report, 50, false),
            "a-study: 1 of 2 claims reproduced, 1 not reproduced\n\
             \u{20} reproduced      the expected number of flips of\n\
             \u{20}                 a fair die with six sides, by\n\
             \u{20}                 rejection: 4\n\
             \u{20} not reproduced  the expected number of flips of\n\
             \u{20}                 a fair die with six sides, by\n\
             \u{20}                 rejection: published 4, computed\n\
             \u{20}                 11/3 (the claim is read in the\n\
             \u{20}                 paper)\n\n"
        );
    }
}
