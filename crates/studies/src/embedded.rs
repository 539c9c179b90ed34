//! The studies of `analysis/`, to which `data/` of this package links, in the program: they run where there is no
//! checkout.

use super::error::{Mistake, StudyError};
use super::study::Study;
use flipcost_question::side_files::{add_rule_file, rule_files};

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
    "questions" "recycling" "rules" "shuffles" "simulating-dice-2022" "standards" "vitez" "wild"
};

/// Those that run for long.
pub const LONG_STUDIES: &[EmbeddedStudy] = studies! { "analysis/long/": "several-dice" "store" };

macro_rules! rules {
    ($($name:literal)*) => {
        &[$((
            concat!("analysis/rules/", $name),
            include_str!(concat!("../data/analysis/rules/", $name)),
        )),*]
    };
}

/// The rules of one's own that they name, and their texts.
const RULES: &[(&str, &str)] = rules! {
    "arc4random.rhai" "bitmask.rhai" "buffon-exp.rhai" "buffon-log-2.rhai" "buffon-pi-4.rhai"
    "c-faq-division.rhai" "canonne-kamath-steinke-exp.rhai" "canonne-kamath-steinke-laplace.rhai"
    "d6-mod-7.rhai" "dijkstra-roulette.rhai" "factory-golden-ratio.rhai" "factory-hump.rhai"
    "factory-mossel-peres.rhai" "factory-one-over-one-plus-twice.rhai" "factory-one-over-one-plus.rhai"
    "factory-one-over-two-minus.rhai" "factory-one-over-two-plus.rhai" "factory-one-plus-over-three.rhai"
    "factory-or.rhai" "factory-power.rhai" "factory-quarter-disk.rhai" "factory-square-root.rhai"
    "factory-square.rhai" "fisher-yates.rhai" "floor-random.rhai" "java-next-int.rhai" "karney-d.rhai"
    "knuth-yao-d6.csv" "lemire-without-threshold.rhai" "lemire.rhai" "lumbroso.rhai" "modulo.rhai"
    "product-modulo-7.rhai" "python-randbelow.rhai" "rand7-from-rand5-sum.rhai" "rand7-from-rand5.rhai"
    "random-comparator.rhai" "recycler.rhai" "round-random.rhai" "sattolo.rhai" "shuffle-swap-any.rhai"
    "three-flips-modulo-6.rhai" "two-d6-to-d7.rhai" "von-neumann.rhai" "xor-of-two.rhai"
};

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
        let named = |name: &str| RULES.iter().find(|(known, _)| *known == name);
        for (name, text) in rule_files(self.text).filter_map(named) {
            add_rule_file(name, text.to_string()).map_err(Mistake::new)?;
        }
        Study::parse(self.text, self.name, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_rule_of_the_checkout_is_in_the_program_and_in_the_study_of_rules() {
        let files = std::fs::read_dir("../../analysis/rules").unwrap();
        let path = |name| format!("analysis/rules/{name}");
        let mut files: Vec<String> = files
            .map(|file| path(file.unwrap().file_name().into_string().unwrap()))
            .collect();
        files.sort();
        assert!(
            files.iter().eq(RULES.iter().map(|(name, _)| name)),
            "{files:?}"
        );
        let study = STUDIES.iter().find(|study| study.name == "rules").unwrap();
        let named: std::collections::BTreeSet<&str> = rule_files(study.text).collect();
        assert!(files.iter().all(|file| named.contains(file.as_str())));
    }

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
