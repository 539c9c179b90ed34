//! Runs a study: writes what it computes and draws, and decides its claims.

use super::check::{Check, CheckedClaim, ClaimOrigin, ClaimStatus};
use super::documents::Document;
use super::draw::DrawContext;
use super::error::{Mistake, StudyError};
use super::figures::Figure;
use super::record::{RunRecord, digest};
use super::study::Study;
use flipcost::table::Cell;
use flipcost_number::threads;
use flipcost_terminal::rows::{self, Format, Output};
use std::path::{Path, PathBuf};

/// The result of a run of a study.
pub struct StudyReport {
    /// The study's name, which is the name of its file.
    pub name: String,
    /// One verdict per claim.
    pub verdicts: Vec<CheckedClaim>,
    /// Figures that were drawn, each as SVG and PNG.
    pub figures: usize,
    /// Files that were written to `data/`.
    pub files: usize,
}

impl StudyReport {
    /// Returns the number of claims with this verdict.
    pub fn count(&self, outcome: ClaimStatus) -> usize {
        let so = |verdict: &&CheckedClaim| verdict.outcome == outcome;
        self.verdicts.iter().filter(so).count()
    }

    /// Returns the number of verdicts that differ from those that the study states.
    pub fn unexpected(&self) -> usize {
        let so = |verdict: &&CheckedClaim| !verdict.is_expected();
        self.verdicts.iter().filter(so).count()
    }

    /// Returns the rows of the report, without the study's name.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Cell>> + '_ {
        let text = |text: &str| Cell::Text(text.to_string());
        self.verdicts.iter().map(move |v| {
            vec![
                text(&v.claim),
                text(&v.published),
                text(&v.computed),
                text(v.outcome.words()),
            ]
        })
    }

    /// Returns the headers and rows of the table of claims: the report, and the sources of the
    /// claims if the study states them.
    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let (mut headers, mut rows) = (REPORT_HEADERS.to_vec(), self.rows().collect::<Vec<_>>());
        let sourced = |v: &CheckedClaim| v.source.is_some() || v.mark.is_some();
        if self.verdicts.iter().any(sourced) {
            headers.extend(["source", "mark"]);
            for (row, v) in rows.iter_mut().zip(&self.verdicts) {
                let text = |text: Option<&str>| {
                    text.map_or(Cell::Empty, |text| Cell::Text(text.to_string()))
                };
                row.push(text(v.source.as_deref()));
                row.push(text(v.mark.map(ClaimOrigin::letter)));
            }
        }
        (headers, rows)
    }
}

/// The headers of a report.
pub const REPORT_HEADERS: [&str; 4] = ["claim", "published", "computed", "verdict"];

/// A piece of a study that is finished, for reports of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishedPiece {
    /// A figure and its data are written.
    Figure,
    /// A part of a figure that takes a long time.
    Part,
    /// A document is written.
    Document,
    /// A claim is decided.
    Claim,
}

/// Writes rows as CSV; the file appears complete or not at all.
fn write_csv(path: &Path, headers: &[&str], rows: &[Vec<Cell>]) -> Result<(), StudyError> {
    Ok(rows::write_rows(Some(path), Format::Csv, headers, rows)?)
}

/// Writes `record.toml`, which records the program and the files that made the data of a study.
fn write_record(study: &Study, data: &Path) -> Result<(), StudyError> {
    let tables = study
        .figures
        .iter()
        .map(|figure| format!("{}.csv", figure.name()));
    let sha256 = tables.chain(["claims.csv".to_string()]).map(|name| {
        let bytes = std::fs::read(data.join(&name))
            .map_err(|error| Mistake::new(format!("cannot read \"{name}\" again: {error}")))?;
        Ok((name, digest(&bytes)))
    });
    let record = RunRecord {
        study: &study.name,
        version: env!("CARGO_PKG_VERSION"),
        request_sha256: &study.digest,
        sha256: sha256.collect::<Result<_, StudyError>>()?,
    };
    let text = toml::to_string(&record).map_err(Mistake::new)?;
    Ok(Output::write_all(
        Some(&data.join("record.toml")),
        text.as_bytes(),
    )?)
}

/// Refuses symbolic links in the folders of a study. Otherwise a link that a stranger made could
/// let the run overwrite a file anywhere.
fn refuse_links(folder: &Path) -> Result<(), StudyError> {
    let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let above = folder.ancestors().take(2).map(Path::to_path_buf);
    let is_link = |path: &PathBuf| {
        path.symlink_metadata()
            .is_ok_and(|found| found.is_symlink())
    };
    match above.chain(inside.map(|entry| entry.path())).find(is_link) {
        None => Ok(()),
        Some(link) => {
            let link = link.display();
            let what = format!("\"{link}\" is a symbolic link, and a study follows none");
            Err(Mistake::new(what)
                .right("put the file or the folder itself there")
                .into())
        }
    }
}

/// Runs a study: writes `root/data/NAME/*.csv|md` and `root/figures/NAME/*.svg|png`, decides every
/// claim, and calls `done` for each piece, from any thread. First the figures are drawn in
/// parallel, then the documents are written, then the claims are decided in parallel.
///
/// # Errors
/// If a figure, a document, a claim or an output file fails. The error names the first figure or
/// claim that failed, in the order of the study. A claim that does not hold is not an error.
pub fn run(
    study: &Study,
    root: &Path,
    done: &(dyn Fn(FinishedPiece) + Sync),
) -> Result<StudyReport, StudyError> {
    let (data, pictures) = (
        root.join("data").join(&study.name),
        root.join("figures").join(&study.name),
    );
    let folders = [&data, &pictures].into_iter();
    refuse_links(&data)?;
    refuse_links(&pictures)?;
    // a study without figures needs only the folder for its data
    for folder in folders.take(if study.figures.is_empty() { 1 } else { 2 }) {
        std::fs::create_dir_all(folder).map_err(|error| {
            let shown = folder.display();
            Mistake::new(format!("cannot make the folder \"{shown}\": {error}"))
        })?;
    }
    let figure = |figure: &Figure| {
        let name = figure.name();
        let place = |error: StudyError| error.with_place(format!("the figure \"{name}\""));
        let work = DrawContext {
            file: &data.join(format!("{name}.csv")),
            on_part_done: &|| done(FinishedPiece::Part),
        };
        let drawn = figure.draw(&work).map_err(place)?;
        let headers: Vec<&str> = drawn.headers.iter().map(String::as_str).collect();
        write_csv(work.file, &headers, &drawn.rows)?;
        let _ = std::fs::remove_file(work.journal()); // most figures have no journal
        let png = drawn
            .drawing
            .png(1.5)
            .map_err(|error| place(error.into()))?;
        let file = |ending: &str| pictures.join(format!("{name}.{ending}"));
        Output::write_all(Some(&file("svg")), drawn.drawing.svg().as_bytes())?;
        Output::write_all(Some(&file("png")), &png)?;
        done(FinishedPiece::Figure);
        Ok::<(), StudyError>(())
    };
    let drawn = threads::map_of(&study.figures, &figure);
    drawn.into_iter().collect::<Result<(), _>>()?;
    let document = |document: &Document| {
        let name = document.name();
        let place = |error: StudyError| error.with_place(format!("the document \"{name}\""));
        let composed = document.compose().map_err(place)?;
        let mut files = 1;
        if let Some((headers, rows)) = &composed.table {
            let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
            write_csv(&data.join(format!("{name}.csv")), &headers, rows)?;
            files += 1;
        }
        let text = format!("# {}\n{}", document.title(), composed.text);
        let path = data.join(format!("{name}.md"));
        Output::write_all(Some(&path), text.as_bytes())?;
        done(FinishedPiece::Document);
        Ok::<usize, StudyError>(files)
    };
    let composed = threads::map_of(&study.documents, &document);
    let documents = composed.into_iter().sum::<Result<usize, _>>()?;
    let verdict = |check: &Check| {
        let verdict = check.decide(root)?;
        done(FinishedPiece::Claim);
        Ok::<_, StudyError>(verdict)
    };
    let verdicts = threads::map_of(&study.checks, &verdict);
    let report = StudyReport {
        name: study.name.clone(),
        verdicts: verdicts.into_iter().collect::<Result<_, _>>()?,
        figures: study.figures.len(),
        files: study.figures.len() + documents + 1,
    };
    let (headers, rows) = report.table();
    write_csv(&data.join("claims.csv"), &headers, &rows)?;
    if study.record {
        write_record(study, &data)?;
    }
    Ok(report)
}
