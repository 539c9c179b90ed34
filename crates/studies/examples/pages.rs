//! Runs the studies in the current folder and writes their pages into another folder, for
//! `.ci/site.sh`.

use flipcost_number::threads;
use flipcost_studies::{EmbeddedStudy, StudyError, html, run};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder was expected")?;
    let root = Path::new(".");
    let all = EmbeddedStudy::all().filter(|study| !study.file.starts_with("analysis/long/"));
    let studies = all
        .map(|study| study.read())
        .collect::<Result<Vec<_>, _>>()?;
    let reports = threads::map(studies.len(), &|i| run(&studies[i], root, &|_| ()));
    let reports = reports
        .into_iter()
        .collect::<Result<Vec<_>, StudyError>>()?;
    let pages: Vec<_> = studies.iter().zip(reports).collect();
    Ok(html::write(Path::new(&folder), root, &pages)?)
}
