//! No text makes a study panic when the study is parsed or run.

use flipcost_studies::{self as studies, Study};

/// Checks the property that the module describes. A study with many pieces or long numbers is
/// parsed, but not run.
pub fn study(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(study) = Study::parse(text, "fuzz", "fuzz.toml") else {
        return;
    };
    let long = text
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > 3);
    let pieces = study.figures.len() + study.documents.len() + study.checks.len();
    if !long && pieces <= 2 && !text.contains(['^', '!']) {
        let root = tempfile::tempdir().expect("a folder");
        let _ = studies::run(&study, root.path(), &|_| ());
    }
}
