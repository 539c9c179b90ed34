//! The studies of `analysis/`, embedded in the program so that they run without a checkout.

use super::error::{Mistake, StudyError};
use super::reference::TEXTS;
use super::study::Study;
use flipcost_question::side_files::{add_rule_file, rule_files};

/// A study whose text is embedded in the program.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedStudy {
    /// The study's name.
    pub name: &'static str,
    /// The study's file in a checkout.
    pub file: &'static str,
    text: &'static str,
}

impl EmbeddedStudy {
    /// All embedded studies: those that run in minutes, then those that take longer.
    pub fn all() -> impl Iterator<Item = EmbeddedStudy> {
        let folders = ["analysis/", "analysis/long/"];
        folders.into_iter().flat_map(|folder| {
            TEXTS.iter().filter_map(move |(path, text)| {
                let name = path.strip_prefix(folder)?.strip_suffix(".toml")?;
                (!name.contains('/')).then_some(EmbeddedStudy {
                    name,
                    file: path,
                    text,
                })
            })
        })
    }

    /// Parses the study and the rule files that it names.
    ///
    /// # Errors
    /// The errors of [`Study::parse`].
    pub fn read(&self) -> Result<Study, StudyError> {
        for name in rule_files(self.text) {
            if let Some(text) = TEXTS.get(name) {
                add_rule_file(name, text.clone()).map_err(Mistake::new)?;
            }
        }
        Study::parse(self.text, self.name, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_rule_of_the_checkout_is_in_the_study_of_rules() {
        let study = EmbeddedStudy::all().find(|study| study.name == "rules");
        let named: Vec<&str> = rule_files(study.unwrap().text).collect();
        for file in std::fs::read_dir("../../analysis/rules").unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let file = format!("analysis/rules/{name}");
            assert!(named.contains(&file.as_str()), "{file}");
        }
    }

    #[test]
    fn every_study_of_the_checkout_is_in_the_program() {
        let folders = ["../../analysis", "../../analysis/long"];
        let files = folders.map(|folder| std::fs::read_dir(folder).unwrap());
        let paths = files.into_iter().flatten().map(|file| file.unwrap().path());
        let studies = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        assert_eq!(studies.count(), EmbeddedStudy::all().count());
        for study in EmbeddedStudy::all() {
            let read = study.read().unwrap();
            // each file that a study reads must also be embedded
            for check in &read.checks {
                check
                    .check_file_exists(Path::new("no-such-folder"))
                    .unwrap();
            }
        }
    }
}
