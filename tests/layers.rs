//! The permitted imports: compares the table of `src/layers.md`, which the docs include, with the
//! `use` lines and paths of the code; and finds circles of files that use each other, in every
//! package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules and the imports that each may have, from the table.
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
        let module = names(cells[1]).into_iter().next().expect("a module");
        (module, names(cells[3]))
    };
    text.lines().skip(2).map(row).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_rust = path.extension().is_some_and(|kind| kind == "rs");
        if path.is_dir() {
            found.extend(files(&path));
        } else if is_rust && !path.ends_with("tests.rs") {
            // A file that contains only unit tests does not belong to the code of its module.
            found.push(path);
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

/// The paths that begin with `crate::` or `super::`, with lists in braces expanded.
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

/// Parses one path after a prefix, and `a::{b, c::d}` as two paths; returns the rest of the text.
fn expand<'a>(text: &'a str, prefix: &str, found: &mut Vec<String>) -> &'a str {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = if prefix.is_empty() {
        name.to_string()
    } else {
        format!("{prefix}::{name}")
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
        Some(rest) if rest.starts_with('*') => {
            found.push(format!("{path}::*"));
            &rest[1..]
        }
        _ => {
            found.push(path);
            rest
        }
    }
}

#[test]
fn modules_import_only_downwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = table();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs").to_string();
        if module == "lib" {
            continue;
        }
        let imports = seen.entry(module.clone()).or_default();
        for path in paths(&code(&file)) {
            if let Some(rest) = path.strip_prefix("crate::") {
                let to = rest.split("::").next().unwrap();
                if to != module {
                    imports.insert(to.to_string());
                }
            }
        }
    }
    // Every permitted import occurs, so the table lists exactly the imports of the code.
    assert_eq!(seen, table);
    // There are no circles of imports: no module can be reached from a module that it imports.
    let mut left = table.clone();
    while !left.is_empty() {
        let bottom = left
            .iter()
            .find(|(_, imports)| !imports.iter().any(|to| left.contains_key(to)));
        let bottom = bottom.map(|(module, _)| module.clone());
        let bottom = bottom.unwrap_or_else(|| panic!("a circle of modules among {left:?}"));
        left.remove(&bottom);
    }
}

/// The packages of this workspace that a manifest lists under `[dependencies]`.
fn uses(manifest: &str) -> BTreeSet<String> {
    let start = manifest.find("\n[dependencies]\n").expect("dependencies") + 1;
    let lines = manifest[start..].lines().skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    let ours = names.filter(|name| name.starts_with("flipcost"));
    ours.map(str::to_string).collect()
}

/// The table of packages in the book lists the dependencies of each package, and no package uses a
/// package that comes after it in the table.
#[test]
fn packages_use_only_packages_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let book = fs::read_to_string(root.join("docs/reference.md")).unwrap();
    let start = book.find("| package |").expect("the table of packages");
    let rows = book[start..].lines().skip(2);
    let mut above = BTreeSet::new();
    for row in rows.take_while(|row| row.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let names = |cell: &str| -> Vec<String> {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_string)
                .collect()
        };
        let [name, folder] = &names(cells[1])[..] else {
            panic!("{row}")
        };
        let folder = root.join(folder.trim_end_matches("src/"));
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let said: BTreeSet<String> = names(cells[3]).into_iter().collect();
        assert_eq!(uses(&manifest), said, "{name}");
        assert!(said.is_subset(&above), "{name} uses a package below it");
        above.insert(name.clone());
    }
    // The table must contain all packages except the modules for WebAssembly and the fuzzer, which
    // only wrap other packages.
    let folders = fs::read_dir(root.join("crates")).unwrap();
    for folder in folders.map(|folder| folder.unwrap().file_name()) {
        let name = format!("flipcost-{}", folder.to_str().unwrap());
        let other = ["flipcost-page-wasm", "flipcost-fuzz"].contains(&name.as_str());
        assert!(other || above.contains(&name), "{name} is not in the table");
    }
}

/// The files of a package, with their code.
struct Package {
    root: PathBuf,
    files: BTreeMap<PathBuf, String>,
}

impl Package {
    fn new(root: PathBuf) -> Package {
        let files = files(&root).into_iter();
        let files = files.map(|file| (file.clone(), code(&file))).collect();
        Package { root, files }
    }

    /// The module of a file, as a folder.
    fn folder(&self, file: &Path) -> PathBuf {
        let stem = file.file_stem().unwrap().to_str().unwrap();
        if ["mod", "lib", "main"].contains(&stem) {
            file.parent().unwrap().to_path_buf()
        } else {
            file.with_extension("")
        }
    }

    /// The file of the module with this folder.
    fn file(&self, folder: &Path) -> Option<PathBuf> {
        let names = if folder == self.root {
            [folder.join("lib.rs"), folder.join("main.rs")]
        } else {
            [folder.with_extension("rs"), folder.join("mod.rs")]
        };
        names.into_iter().find(|file| self.files.contains_key(file))
    }

    /// The file that defines the end of a path from this module; re-exported names are followed to
    /// the module that defines them.
    fn resolve(&self, mut folder: PathBuf, path: &[&str], seen: &[PathBuf]) -> Option<PathBuf> {
        let mut names = path;
        if let ["crate", rest @ ..] = names {
            (folder, names) = (self.root.clone(), rest);
        }
        while let ["super" | "self", rest @ ..] = names {
            if names[0] == "super" {
                folder = folder.parent()?.to_path_buf();
            }
            names = rest;
        }
        while let [name, rest @ ..] = names {
            if self.file(&folder.join(name)).is_none() {
                break;
            }
            (folder, names) = (folder.join(name), rest);
        }
        let file = self.file(&folder)?;
        let item = names.first().map(|item| folder.join(item));
        if let (Some(item), Some(name)) = (item, names.first())
            && !seen.contains(&item)
        {
            let seen: Vec<PathBuf> = seen.iter().cloned().chain([item]).collect();
            let shown = shown(&self.files[&file]);
            let ends = |path: &&String| path.rsplit("::").next() == Some(*name);
            if let Some(path) = shown.iter().filter(|path| path.contains("::")).find(ends) {
                let path: Vec<&str> = path.split("::").collect();
                let own = self.file(&folder.join(path[0])).is_some();
                if own || ["crate", "super", "self"].contains(&path[0]) {
                    return self.resolve(folder, &path, &seen);
                }
            }
            // Perhaps the name comes from a re-export of all names of another file.
            for path in shown.iter().filter_map(|path| path.strip_suffix("*")) {
                let path: Vec<&str> = path.split_terminator("::").chain([*name]).collect();
                let to = self.resolve(folder.clone(), &path, &seen);
                let found = to.filter(|to| *to != file && self.files[to].contains(*name));
                if found.is_some() {
                    return found;
                }
            }
        }
        Some(file)
    }

    /// The files that each file uses, by paths from the crate, from parent modules, or from its own
    /// modules. A re-export of a name of another file does not count as a use.
    fn uses(&self) -> BTreeMap<&PathBuf, BTreeSet<PathBuf>> {
        let of = |(file, code): (&PathBuf, &String)| -> BTreeSet<PathBuf> {
            let folder = self.folder(file);
            let mut all = paths(code);
            for (at, _) in code.match_indices("::") {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let start = code[..at].rfind(|c| !word(c)).map_or(0, |end| end + 1);
                let before = code[..start].chars().next_back();
                let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
                let shows = code[line..].starts_with("pub") && code[line..at].contains(" use ");
                let child = self.file(&folder.join(&code[start..at])).is_some();
                if child && start < at && !shows && !matches!(before, Some(':' | '.')) {
                    expand(&code[start..], "", &mut all);
                }
            }
            let found = all.iter().filter_map(|path| {
                let names: Vec<&str> = path.split("::").collect();
                self.resolve(folder.clone(), &names, &[])
            });
            found.filter(|to| to != file).collect()
        };
        self.files.iter().map(|file| (file.0, of(file))).collect()
    }

    /// The circles: sets of files in which each file can be reached from every other.
    fn circles(&self) -> BTreeSet<BTreeSet<PathBuf>> {
        let uses = self.uses();
        let reached = |from: &PathBuf| {
            let (mut found, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(file) = open.pop() {
                open.extend(
                    uses[&file]
                        .iter()
                        .filter(|to| found.insert((*to).clone()))
                        .cloned(),
                );
            }
            found
        };
        let reach: BTreeMap<&PathBuf, BTreeSet<PathBuf>> = self
            .files
            .keys()
            .map(|file| (file, reached(file)))
            .collect();
        let mut circles = BTreeSet::new();
        for (file, to) in &reach {
            let back = to.iter().filter(|to| reach[*to].contains(*file));
            circles.insert(back.cloned().collect::<BTreeSet<PathBuf>>());
        }
        circles.retain(|circle| !circle.is_empty());
        circles
    }
}

/// The paths that a file re-exports.
fn shown(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(" use ") {
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        if code[line..at].trim_start().starts_with("pub") {
            expand(&code[at + " use ".len()..], "", &mut found);
        }
    }
    found
}

/// There is no circle of files, including `mod.rs` and `lib.rs`.
#[test]
fn circles_of_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = vec!["src".to_string(), "python/src".to_string()];
    for package in fs::read_dir(root.join("crates")).unwrap() {
        let name = package.unwrap().file_name();
        sources.push(format!("crates/{}/src", name.to_str().unwrap()));
    }
    sources.sort();
    for source in sources {
        let circles = Package::new(root.join(&source)).circles();
        println!("{source}: {} circles", circles.len());
        assert!(circles.is_empty(), "{circles:#?}");
    }
}

/// Only one file uses rayon, so that code that runs parts in parallel is compiled once.
#[test]
fn one_file_knows_rayon() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "crates", "python/src", "benches", "examples"];
    let all = folders.iter().flat_map(|folder| files(&root.join(folder)));
    let known: Vec<PathBuf> = all
        .filter(|file| fs::read_to_string(file).unwrap().contains("rayon"))
        .collect();
    assert_eq!(known, [root.join("crates/number/src/threads.rs")]);
}

#[test]
fn paths_are_taken_apart() {
    let code = "use crate::law::{self, Chain, chain::{A, B}};\nuse crate::all::*;\nlet x = super::super::y::Z::new();";
    let mut found = paths(code);
    found.sort();
    let mut wanted = vec![
        "crate::all::*",
        "crate::law::self",
        "crate::law::Chain",
        "crate::law::chain::A",
        "crate::law::chain::B",
        "super::super::y::Z::new",
    ];
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}
