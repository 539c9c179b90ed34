//! Studies: TOML files that say what to compute, what to draw and what to check.
//!
//! A study reproduces one article: its charts and tables, and its claims, each decided exactly. It
//! is read by [`spec`], drawn by [`draw`] and checked by [`check`]; [`run`] does all of it and
//! writes `data/NAME/` and `figures/NAME/`.

pub mod check;
pub mod draw;
pub mod draw_tables;
pub mod rule;
pub mod sequences;
pub mod spec;

mod check_costs;
mod check_rolls;
mod floats;

pub use check::Verdict;
pub use spec::{Study, StudyError};

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
        std::fs::create_dir_all(folder).map_err(|error| StudyError::folder(folder, error))?;
    }
    for figure in study.figures() {
        progress(figure.name());
        let drawn = figure.draw()?;
        if let Some((headers, rows)) = drawn.data {
            let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
            write_csv(
                &data.join(format!("{}.csv", figure.name())),
                &headers,
                &rows,
            )?;
        }
        let place = |ending: &str| figures.join(format!("{}.{ending}", figure.name()));
        Output::write_all(Some(&place("svg")), drawn.drawing.svg().as_bytes())?;
        Output::write_all(Some(&place("png")), &drawn.drawing.png(1.5)?)?;
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
