//! Who may import whom: the table of `src/layers.md`, which is also the one in the docs, against
//! the `use` lines and paths of the code; and no circle of files, in any package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms and what each may import, from the table.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text = include_str!("../src/layers.md");
    let names = |cell: &str| -> BTreeSet<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_string)
            .collect()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        let room = names(cells[1]).into_iter().next().expect("a room");
        (room, names(cells[3]))
    };
    text.lines().skip(2).map(row).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|kind| kind == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The code of a file, without comments and without its unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    let lines = text[..end]
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths that begin with `crate::` or `super::`, lists in braces taken apart.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            expand(&code[at..], "", &mut found);
        }
    }
    found
}

/// Reads one path after a prefix, `a::{b, c::d}` as two; returns what is left of the text.
fn expand<'a>(text: &'a str, prefix: &str, found: &mut Vec<String>) -> &'a str {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = match prefix.is_empty() {
        true => name.to_string(),
        false => format!("{prefix}::{name}"),
    };
    match rest.strip_prefix("::") {
        Some(rest) if rest.starts_with('{') => {
            let mut rest = &rest[1..];
            loop {
                rest = rest.trim_start();
                match rest.chars().next() {
                    Some('}') => return &rest[1..],
                    Some(',') => rest = &rest[1..],
                    Some(c) if word(c) => rest = expand(rest, &path, found),
                    _ => return rest,
                }
            }
        }
        Some(rest) if rest.starts_with(word) => expand(rest, &path, found),
        _ => {
            found.push(path);
            rest
        }
    }
}

#[test]
fn rooms_import_only_downwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = table();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap();
        let room = room.trim_end_matches(".rs").to_string();
        if room == "lib" {
            continue;
        }
        let imports = seen.entry(room.clone()).or_default();
        for path in paths(&code(&file)) {
            if let Some(rest) = path.strip_prefix("crate::") {
                let to = rest.split("::").next().unwrap();
                if to != room {
                    imports.insert(to.to_string());
                }
            }
        }
    }
    // What is allowed is what is there: the table says no more than the code.
    assert_eq!(seen, table);
    // Down only: a room can be reached from none that it imports.
    let mut left = table.clone();
    while !left.is_empty() {
        let bottom = left
            .iter()
            .find(|(_, imports)| !imports.iter().any(|to| left.contains_key(to)));
        let bottom = bottom.map(|(room, _)| room.clone());
        let bottom = bottom.unwrap_or_else(|| panic!("a circle of rooms among {left:?}"));
        left.remove(&bottom);
    }
}

/// The file that a path of a file means, as far as the names of files say.
fn target(source: &Path, file: &Path, path: &str) -> Option<PathBuf> {
    let mut names = path.split("::").peekable();
    let is_root = |file: &Path| file.ends_with("mod.rs") || file.ends_with("lib.rs");
    let mut folder = match names.peek()? {
        &"crate" => {
            names.next();
            source.to_path_buf()
        }
        _ => {
            // the module that this file is, as a folder
            match is_root(file) {
                true => file.parent()?.to_path_buf(),
                false => file.with_extension(""),
            }
        }
    };
    while names.peek() == Some(&"super") {
        names.next();
        folder = folder.parent()?.to_path_buf();
    }
    let mut best = None;
    for name in names {
        folder = folder.join(name);
        let file = folder.with_extension("rs");
        match () {
            _ if file.is_file() => best = Some(file),
            _ if folder.join("mod.rs").is_file() => best = None, // its own names are a facade
            _ => break,
        }
    }
    best
}

#[test]
fn no_circle_of_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = vec![root.join("src")];
    for package in fs::read_dir(root.join("crates")).unwrap() {
        sources.push(package.unwrap().path().join("src"));
    }
    for source in sources {
        let mut imports: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for file in files(&source) {
            // A mod.rs names its files and shows some of their names: a facade, not an import.
            if file.ends_with("mod.rs") || file.ends_with("lib.rs") || file.ends_with("tests.rs") {
                continue;
            }
            let targets = paths(&code(&file)).into_iter();
            let targets = targets.filter_map(|path| target(&source, &file, &path));
            let targets = targets.filter(|to| *to != file).collect();
            imports.insert(file, targets);
        }
        assert!(!imports.is_empty());
        // Takes away files that import none of those that are left, until nothing is left.
        loop {
            let known: BTreeSet<PathBuf> = imports.keys().cloned().collect();
            let before = imports.len();
            imports.retain(|_, targets| targets.iter().any(|to| known.contains(to)));
            if imports.is_empty() {
                break;
            }
            assert!(
                imports.len() < before,
                "files that import each other in a circle: {imports:#?}"
            );
        }
    }
}

/// What runs parts in parallel is compiled once: no other file names rayon.
#[test]
fn one_file_knows_rayon() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "python/src", "benches", "examples"];
    let all = folders.iter().flat_map(|folder| files(&root.join(folder)));
    let known: Vec<PathBuf> = all
        .filter(|file| fs::read_to_string(file).unwrap().contains("rayon"))
        .collect();
    assert_eq!(known, [root.join("src/threads.rs")]);
}

#[test]
fn paths_are_taken_apart() {
    let code = "use crate::law::{self, Chain, chain::{A, B}};\nlet x = super::super::y::Z::new();";
    let mut found = paths(code);
    found.sort();
    let mut wanted = vec![
        "crate::law::self",
        "crate::law::Chain",
        "crate::law::chain::A",
        "crate::law::chain::B",
        "super::super::y::Z::new",
    ];
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}
