//! Runs a study: writes what it computes and draws, and decides its claims.

use super::check::Verdict;
use super::error::StudyError;
use super::study::Study;
use crate::rows::{Format, Output, sink};
use flipcost::table::Cell;
use std::path::Path;

/// What a study's run found.
pub struct Report {
    /// The study's name, as its file's.
    pub name: String,
    /// One verdict per claim.
    pub verdicts: Vec<Verdict>,
}

impl Report {
    /// Do all claims hold?
    pub fn holds(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.holds)
    }
}

/// The headers of a report.
pub const REPORT: [&str; 4] = ["claim", "published", "computed", "verdict"];

/// The rows of a report.
pub fn report_rows(verdicts: &[Verdict]) -> Vec<Vec<Cell>> {
    let text = |text: &str| Cell::Text(text.to_string());
    let row = |v: &Verdict| {
        let verdict = if v.holds { "holds" } else { "FAILS" };
        vec![
            text(&v.claim),
            text(&v.published),
            text(&v.computed),
            text(verdict),
        ]
    };
    verdicts.iter().map(row).collect()
}

/// Writes rows as CSV, whole or not at all.
fn write_csv(path: &Path, headers: &[&str], rows: &[Vec<Cell>]) -> Result<(), StudyError> {
    let mut output = Output::open(Some(path))?;
    let mut sink = sink(Format::Csv, headers);
    output.with(|out| {
        sink.begin(out)?;
        rows.iter().try_for_each(|row| sink.row(row, out))?;
        sink.end(out)
    })?;
    Ok(output.finish()?)
}

/// Runs a study: writes `root/data/NAME/*.csv` and `root/figures/NAME/*.svg|png`, checks every
/// claim, and tells `progress` what it is doing.
///
/// # Errors
/// If a figure cannot be drawn, a claim cannot be decided or a file cannot be written; the sentence
/// names the figure or the claim. A claim that does not hold is no error.
pub fn run(
    study: &Study,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, StudyError> {
    let (data, figures) = (
        root.join("data").join(&study.name),
        root.join("figures").join(&study.name),
    );
    for folder in [&data, &figures] {
        std::fs::create_dir_all(folder).map_err(|error| {
            let shown = folder.display();
            StudyError::Input(format!("cannot make the folder \"{shown}\": {error}"))
        })?;
    }
    for figure in &study.figures {
        let name = figure.name();
        progress(name);
        let place = |error: StudyError| error.at(format!("the figure \"{name}\""));
        let drawn = figure.draw().map_err(place)?;
        let headers: Vec<&str> = drawn.headers.iter().map(String::as_str).collect();
        write_csv(&data.join(format!("{name}.csv")), &headers, &drawn.rows)?;
        let png = drawn
            .drawing
            .png(1.5)
            .map_err(|error| place(error.into()))?;
        let file = |ending: &str| figures.join(format!("{name}.{ending}"));
        Output::write_all(Some(&file("svg")), drawn.drawing.svg().as_bytes())?;
        Output::write_all(Some(&file("png")), &png)?;
    }
    let mut verdicts = Vec::new();
    for check in &study.checks {
        progress(&check.claim);
        verdicts.push(check.decide(root)?);
    }
    write_csv(&data.join("claims.csv"), &REPORT, &report_rows(&verdicts))?;
    Ok(Report {
        name: study.name.clone(),
        verdicts,
    })
}
