//! The program outside a checkout of the repository: the embedded studies run, and an argument in
//! the wrong place is reported.

use crate::support::{flipcost, refusal};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Returns the program, run in this folder.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    flipcost("")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn embedded_studies_run_without_a_checkout() {
    let folder = tempfile::tempdir().unwrap();
    let listed = run(folder.path(), &["list", "studies", "-f", "csv"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = listed
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert!(
        names.contains(&"knuth-yao-1976") && names.contains(&"several-dice"),
        "{names:?}"
    );
    let here = run(folder.path(), &["reproduce", "langkaas-2019"]);
    assert!(here.status.success(), "{here:?}");
    let claims =
        |root: &Path| fs::read_to_string(root.join("data/langkaas-2019/claims.csv")).unwrap();
    assert_eq!(claims(folder.path()), claims(Path::new("../..")));
    assert!(!folder.path().join("analysis").exists());
    // a user's own study takes precedence over that of the program, and is listed once
    fs::create_dir(folder.path().join("analysis")).unwrap();
    let own = "title = \"mine\"\nquestion = \"q\"\n[[check]]\nclaim = \"c\"\npublished = \"4\"\n\
               that = \"cost(6, algorithm: rejection).expected = 4\"\n";
    fs::write(folder.path().join("analysis/langkaas-2019.toml"), own).unwrap();
    let again = run(folder.path(), &["reproduce", "langkaas-2019"]);
    let again = String::from_utf8(again.stdout).unwrap();
    assert_eq!(
        again,
        "study,claim,published,computed,verdict\nlangkaas-2019,c,4,4,reproduced\n"
    );
    let listed = run(folder.path(), &["list", "studies", "-f", "csv"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.matches("langkaas-2019").count(), 1);
    assert!(
        listed.starts_with("name,title,question\nlangkaas-2019,mine,q\n"),
        "{listed}"
    );
}

#[test]
fn a_missing_folder_of_studies_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let all = run(folder.path(), &["reproduce"]);
    assert_eq!(all.status.code(), Some(2));
    let said = String::from_utf8(all.stderr).unwrap();
    assert!(
        said.contains("name a study of the program, which `flipcost list studies` lists"),
        "{said}"
    );
    let none = run(folder.path(), &["reproduce", "no-such-study"]);
    assert_eq!(none.status.code(), Some(2));
    let said = String::from_utf8(none.stderr).unwrap();
    assert!(said.contains("choose one of aldr-2025, "), "{said}");
}

#[test]
fn errors_recognise_a_file_given_as_a_format_or_a_name() {
    for (line, said) in [
        (
            "oeis check b136043.txt",
            "as in `flipcost oeis check A136043 --against b136043.txt`",
        ),
        (
            "oeis check x/terms.csv",
            "no sequence is named to compare them with",
        ),
        ("oeis check nobody", "is not a known sequence"),
    ] {
        let found = refusal(line);
        assert!(found.contains(said), "{found}");
    }
}
