//! The prose of the code, as far as a machine can check it: the width of comments, the names of
//! limits, and turns of phrase that have to be read twice.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files of the folder and of its subfolders.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Every line of Rust with its place, and whether it is in a code block of a comment.
fn lines() -> Vec<(String, String, bool)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["src", "tests", "crates", "python"] {
        files(&root.join(folder), &mut paths);
    }
    let mut all = Vec::new();
    for path in paths {
        let mut is_code = false;
        for (line, number) in fs::read_to_string(&path).unwrap().lines().zip(1..) {
            let is_fence = comment(line).is_some_and(|text| text.trim().starts_with("```"));
            is_code ^= is_fence;
            let place = format!("{}:{number}", path.display());
            all.push((place, line.to_string(), is_code || is_fence));
        }
    }
    all
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']))
}

#[test]
fn comments_have_at_most_100_letters_a_line() {
    let is_wide = |(_, line, is_code): &&(String, String, bool)| {
        let text = comment(line).filter(|text| !is_code && !text.trim().starts_with('|'));
        text.is_some() && line.chars().count() > 100
    };
    let lines = lines();
    let wide: Vec<_> = lines.iter().filter(is_wide).map(|line| &line.0).collect();
    assert!(lines.len() > 50_000 && wide.is_empty(), "{wide:#?}");
}

#[test]
fn limits_are_called_max() {
    let others = ["MOST", "LONGEST", "LARGEST", "DEEPEST"];
    let is_other = |(_, line, _): &&(String, String, bool)| {
        let name = line.split_once("const ").map_or("", |(_, name)| name);
        others.iter().any(|other| name.starts_with(other))
    };
    let lines = lines();
    let wrong: Vec<_> = lines.iter().filter(is_other).map(|line| &line.0).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn comments_are_read_once() {
    let riddles = [
        "in place of",
        "so many are",
        "so many is",
        "is told",
        "are told",
        "nobody's",
        "and the like",
    ];
    let is_riddle = |(_, line, _): &&(String, String, bool)| {
        let text = comment(line).unwrap_or("");
        riddles.iter().any(|riddle| text.contains(riddle))
    };
    let lines = lines();
    let found: Vec<_> = lines.iter().filter(is_riddle).map(|line| &line.0).collect();
    assert!(found.is_empty(), "{found:#?}");
}
