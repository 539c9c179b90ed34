//! `flipcost reproduce`: the main job.

use super::Failure;
use super::args::RowFormat;
use crate::rows;
use crate::studies::{self, Study};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Run studies: write their data and figures, and check every claim
#[derive(clap::Args)]
pub struct Reproduce {
    /// Studies, by name or file [default: every file analysis/*.toml]
    #[arg(value_name = "STUDY")]
    studies: Vec<String>,
    /// The folder that holds analysis/, and gets data/ and figures/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// How the claims are printed [default: table on a terminal, csv elsewhere]
    #[arg(short, long)]
    format: Option<RowFormat>,
}

fn all_studies(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = root.join("analysis");
    let entries = std::fs::read_dir(&folder).map_err(|error| {
        let shown = folder.display();
        Failure::Input(format!("cannot read the folder \"{shown}\": {error}; run where analysis/ is, or name it with --root"))
    })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "toml")
    });
    files.sort();
    match files.is_empty() {
        true => Err(Failure::Input(format!(
            "no study *.toml in \"{}\"",
            folder.display()
        ))),
        false => Ok(files),
    }
}

/// Refuses two files that would write to the same folders.
fn one_file_each(files: &[PathBuf], studies: &[Study]) -> Result<(), Failure> {
    let mut known = BTreeMap::new();
    for (file, study) in files.iter().zip(studies) {
        let name = &study.name;
        match known.insert(name, file) {
            Some(other) if other != file => {
                let (other, file) = (other.display(), file.display());
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

impl Reproduce {
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.studies.is_empty() {
            return all_studies(&self.root);
        }
        let file = |name: &String| {
            if name.ends_with(".toml") {
                return Ok(PathBuf::from(name));
            }
            let file = self.root.join("analysis").join(format!("{name}.toml"));
            if file.is_file() {
                return Ok(file);
            }
            let known: Vec<String> = all_studies(&self.root)?
                .iter()
                .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
                .collect();
            Err(Failure::Input(format!(
                "there is no study \"{name}\": choose one of {}, or a file *.toml",
                known.join(", ")
            )))
        };
        self.studies.iter().map(file).collect()
    }

    pub fn run(self) -> Result<(), Failure> {
        // Every study is read before the first one runs.
        let files = self.files()?;
        let studies = files.iter().map(|file| Study::read(file));
        let studies = studies.collect::<Result<Vec<_>, _>>();
        let studies = studies.map_err(Failure::input)?;
        one_file_each(&files, &studies)?;
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new_spinner().with_style(
                ProgressStyle::with_template("{spinner} {elapsed} {msg}")
                    .expect("the template is right"),
            ),
            false => ProgressBar::hidden(),
        };
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        let mut verdicts = Vec::new();
        for study in &studies {
            let mut tell = |what: &str| bar.set_message(format!("{}: {what}", study.name));
            let report =
                studies::run(study, &self.root, &mut tell).map_err(|error| match error {
                    studies::StudyError::Output(error) => Failure::Output(error),
                    error => Failure::Input(format!("the study {}: {error}", study.name)),
                })?;
            verdicts.extend(report.verdicts);
        }
        bar.finish_and_clear();
        let reader = std::io::stdout().is_terminal();
        let format = self.format.unwrap_or(if reader {
            RowFormat::Table
        } else {
            RowFormat::Csv
        });
        let mut sink = rows::sink(format.into(), &studies::REPORT);
        let mut output = rows::Output::open(None)?;
        output.with(|out| {
            sink.begin(out)?;
            studies::report_rows(&verdicts)
                .iter()
                .try_for_each(|row| sink.row(row, out))?;
            sink.end(out)
        })?;
        output.finish()?;
        let failed = verdicts.iter().filter(|verdict| !verdict.holds).count();
        match failed {
            0 => Ok(()),
            _ => Err(Failure::Mismatch(format!(
                "{failed} of {} claims do not hold",
                verdicts.len()
            ))),
        }
    }
}
