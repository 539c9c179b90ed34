//! The studies of `analysis/`, to which `data/` of this package links, in the program: they run where there is no
//! checkout.

use super::error::StudyError;
use super::study::Study;

/// A study in the program.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedStudy {
    /// Its name.
    pub name: &'static str,
    /// Its file in a checkout.
    pub file: &'static str,
    text: &'static str,
}

macro_rules! studies {
    ($folder:literal: $($name:literal)*) => {
        &[$(EmbeddedStudy {
            name: $name,
            file: concat!($folder, $name, ".toml"),
            text: include_str!(concat!("../data/", $folder, $name, ".toml")),
        }),*]
    };
}

/// Those that run in minutes, by name.
pub const STUDIES: &[EmbeddedStudy] = studies! {
    "analysis/":
    "aldr-2025" "dice-howto-2016" "estep-2024" "extraction" "fldr-2020" "han-hoshi-1997" "huber-vargas-2024"
    "knuth-yao-1976" "langkaas-2019" "languages" "loaded-coin" "loaded-optimum" "lumbroso-2013" "oeis-rabbit-hole"
    "questions" "recycling" "shuffles" "simulating-dice-2022" "standards" "vitez" "wild"
};

/// Those that run for long.
pub const LONG_STUDIES: &[EmbeddedStudy] = studies! { "analysis/long/": "several-dice" "store" };

impl EmbeddedStudy {
    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static EmbeddedStudy> {
        STUDIES.iter().chain(LONG_STUDIES)
    }

    /// The study.
    ///
    /// # Errors
    /// None but for a mistake in it, as of [`Study::parse`].
    pub fn read(&self) -> Result<Study, StudyError> {
        Study::parse(self.text, self.name, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_study_of_the_checkout_is_in_the_program() {
        for (folder, studies) in [
            ("../../analysis", STUDIES),
            ("../../analysis/long", LONG_STUDIES),
        ] {
            let files = std::fs::read_dir(folder).unwrap();
            let files = files.filter_map(|file| {
                let name = file.unwrap().file_name().into_string().unwrap();
                name.strip_suffix(".toml").map(str::to_string)
            });
            let mut files: Vec<String> = files.collect();
            files.sort();
            assert!(
                files.iter().eq(studies.iter().map(|study| study.name)),
                "{files:?}"
            );
        }
        for study in EmbeddedStudy::all() {
            let read = study.read().unwrap();
            // each file that a study reads is there, too
            for check in &read.checks {
                check.look_for_file(Path::new("no-such-folder")).unwrap();
            }
        }
    }
}
