//! The errors of wrong studies. Each error consists of parts, and must state the key, the value and
//! the remedy if it has them.
//!
//! The studies and their errors are in `sentences.txt`. Each block of this file consists of the
//! lines of a study and the error that they cause. Lines without a `[[` are the lines of a check.
//! To add a case, write the lines of the study as a new block; `UPDATE=1 cargo test -p
//! flipcost-studies --lib sentences` adds the error.

use super::draw::DrawContext;
use super::error::StudyError;
use super::study::Study;
use std::path::Path;

const ERROR_MARK: &str = "error: ";

/// Returns the first error of a study with these lines.
fn error(lines: &str) -> Option<StudyError> {
    let check = if lines.contains("[[") {
        ""
    } else {
        "[[check]]\nclaim = \"c\"\npublished = \"p\"\n"
    };
    let text = format!("title = \"t\"\nquestion = \"q\"\n{check}{lines}");
    let study = match Study::parse(&text, "x", "x.toml") {
        Ok(study) => study,
        Err(error) => return Some(error),
    };
    let work = DrawContext {
        file: Path::new("none.csv"),
        on_part_done: &|| (),
    };
    let figures = study.figures.iter().map(|one| one.draw(&work).err());
    let documents = study.documents.iter().map(|one| one.compose().err());
    let root = Path::new("../..");
    let checks = study.checks.iter().map(|check| {
        let looked = check.check_file_exists(root);
        looked.and_then(|()| check.decide(root)).err()
    });
    figures.chain(documents).chain(checks).flatten().next()
}

/// Returns a block of the file: the lines of a study and its error.
fn block(lines: &str) -> String {
    let Some(error) = error(lines) else {
        return format!("{lines}WRONG: this study has no mistake\n");
    };
    let mut block = format!("{lines}{ERROR_MARK}{error}\n");
    let mut inner = &error;
    while let StudyError::At { error, .. } = inner {
        inner = error;
    }
    if let StudyError::Input(mistake) = inner {
        let fields = [
            ("field", &mistake.field),
            ("given", &mistake.given),
            ("right", &mistake.right),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                block.push_str(&format!("{name}: {}\n", value.replace('\n', "\\n")));
            }
        }
    }
    block
}

#[test]
fn every_wrong_study_has_its_error() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sentences.txt");
    let kept = std::fs::read_to_string(path).unwrap();
    let lines = kept.split("\n\n").map(|block| {
        let lines = block
            .lines()
            .take_while(|line| !line.starts_with(ERROR_MARK));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    });
    let blocks: Vec<String> = lines.map(|lines| block(&lines)).collect();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, blocks.join("\n")).unwrap();
        return;
    }
    for (kept, now) in kept.split("\n\n").zip(&blocks) {
        assert!(!now.contains("WRONG"), "{now}");
        // the sentence must not contain an option of the command line
        let said = now.split_once(ERROR_MARK).map_or("", |(_, said)| said);
        assert!(!said.contains(" --"), "{now}");
        let update = "UPDATE=1 writes the file again";
        assert_eq!(kept.trim_end(), now.trim_end(), "{update}");
    }
}
