//! `flipcost export` and `flipcost import`: models out and in, and the family KY-n as a folder.

use crate::support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::{flipcost, stdout};

/// Standard error of a refusal: one line, and exit status 2.
fn refused(words: &[&str]) -> String {
    let output = flipcost("").args(words).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

/// The rows of a command as objects.
pub fn rows(words: &[&str]) -> Vec<Value> {
    let output = flipcost("")
        .args(words)
        .args(["-f", "json"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

#[test]
fn what_is_exported_is_imported_with_its_cost() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "chain.drn");
    for (n, source, algorithm) in [
        ("6", "2", "fast-dice-roller"),
        ("7", "6", "interval"),
        ("4:7:8", "2", "fldr"),
        ("5", "10", "rejection"),
    ] {
        let dice = [n, "--source", source, "--algorithm", algorithm];
        let written = flipcost("export drn")
            .args(dice)
            .args(["-o", &file])
            .output()
            .unwrap();
        assert!(written.status.success());
        let cost = rows(
            &[
                &["cost"][..],
                &dice,
                &["--columns", "expected_exact,variance_exact"],
            ]
            .concat(),
        );
        let import = &rows(&["import", "drn", &file, "--source", source])[0];
        for column in ["expected_exact", "variance_exact"] {
            assert_eq!(import[column], cost[0][column], "{algorithm} {n}");
        }
        let best = [
            "cost",
            n,
            "--source",
            source,
            "-a",
            "knuth-yao",
            "--columns",
            "expected_exact",
        ];
        assert_eq!(
            import["optimum_exact"],
            rows(&best)[0]["expected_exact"],
            "{algorithm} {n}"
        );
        assert_eq!(import["fair"], Value::Bool(n.len() == 1));
        let law = rows(&["import", "drn", &file, "--law"]);
        assert_eq!(law[0]["outcome"], "outcome_0");
        let first = if n.len() == 1 {
            format!("1/{n}")
        } else {
            "4/19".to_string()
        };
        assert_eq!(law[0]["probability_exact"], *first);
    }
}

/// A biased coin of flips until heads, three times at most: a chain of somebody else.
#[test]
fn explicit_files_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        let file = path(folder.path(), name);
        fs::write(&file, text).unwrap();
        file
    };
    let tra = at(
        "a.tra",
        "5 8\n0 1 0.5\n0 3 0.5\n1 2 0.5\n1 3 0.5\n2 3 0.5\n2 4 0.5\n3 3 1\n4 4 1\n",
    );
    let lab = at(
        "a.lab",
        "0=\"init\" 1=\"deadlock\" 2=\"heads\" 3=\"tails\"\n0: 0\n3: 2\n4: 3\n",
    );
    let row = &rows(&["import", "prism-explicit", &tra, "--labels", &lab])[0];
    // 1 + 1/2 + 1/4 flips; the optimum for 7/8 and 1/8 is the same tree
    assert_eq!(
        (
            row["expected_exact"].as_str(),
            row["distance_exact"].as_str()
        ),
        (Some("7/4"), Some("0"))
    );
    assert_eq!(
        (&row["fair"], &row["total_variation_exact"]),
        (&false.into(), &"3/8".into())
    );
    let law = rows(&["import", "prism-explicit", &tra, "--labels", &lab, "--law"]);
    let law: Vec<_> = law
        .iter()
        .map(|row| {
            (
                row["outcome"].as_str().unwrap(),
                row["probability_exact"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(law, [("heads", "7/8"), ("tails", "1/8")]);
    // what costs 2 a step is no number of flips that 1/2 needs, but more; 1/3 of a flip is none
    let srew = at("a.srew", "5 3\n0 2\n1 2\n2 2\n");
    let row = &rows(&["import", "prism-explicit", &tra, "--rewards", &srew])[0];
    assert_eq!(
        (
            row["expected_exact"].as_str(),
            row["distance_exact"].as_str()
        ),
        (Some("7/2"), Some("7/4"))
    );
    let srew = at("b.srew", "5 3\n0 1/3\n1 1/3\n2 1/3\n");
    let row = &rows(&["import", "prism-explicit", &tra, "--rewards", &srew])[0];
    assert_eq!(
        (row["expected_exact"].as_str(), &row["optimum"]),
        (Some("7/12"), &Value::Null)
    );
    let said = flipcost("import prism-explicit")
        .arg(&tra)
        .args(["--rewards", &srew])
        .output()
        .unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("state 0 costs 1/3, which is no number of rolls"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_imported_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "x.drn");
    let none = refused(&["import", "drn", &file]);
    assert!(none.contains("no such file"), "{none}");
    fs::write(&file, b"\xff\xfe\0").unwrap();
    assert!(refused(&["import", "drn", &file]).contains("UTF-8"));
    fs::write(&file, "@type: CTMC\n").unwrap();
    assert!(refused(&["import", "drn", &file]).contains("line 1: the type is \"CTMC\""));
    let drn = stdout("export drn 3");
    fs::write(&file, drn.replace("1/2", "0.49")).unwrap();
    assert!(refused(&["import", "drn", &file]).contains("have the sum"));
    fs::write(&file, drn).unwrap();
    assert!(refused(&["import", "drn", &file, "--reward", "price"]).contains("it has rolls"));
    let other = &rows(&["import", "drn", &file, "--source", "3"])[0];
    assert_eq!(
        (other["expected_exact"].as_str(), &other["optimum"]),
        (Some("8/3"), &Value::Null)
    );
    assert!(refused(&["import", "jani", &file]).contains("jani"));
}

/// The family of n <= 20: the folder appears whole, once; what was begun is ended; and every model in it
/// has its answers.
#[test]
fn the_family_is_a_folder_that_appears_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (family, part) = (path(folder.path(), "KY"), path(folder.path(), "KY.part"));
    let command = [
        "export",
        "--family",
        "--to",
        "20",
        "--chosen",
        "3",
        "--explicit",
        "60",
        "--folder",
        &family,
    ];
    // a run that was interrupted: a model that is there is not made again
    let output = flipcost("").args(command).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!Path::new(&part).exists());
    assert!(refused(&command).contains("is there already"));
    let whole = |name: &str| fs::read_to_string(Path::new(&family).join(name)).unwrap();
    let csv = whole("answers.csv");
    assert_eq!(
        csv.lines().nth(5),
        Some("6,13,20,2,3.6666666666666665,11/3,16/9,1/6")
    );
    assert_eq!(csv.lines().count(), 1 + 19 + 3);
    let answers: Vec<Value> = serde_json::from_str(&whole("answers.json")).unwrap();
    for answer in &answers {
        let n = answer["n"].as_u64().unwrap();
        let model = Path::new(&family)
            .join("models")
            .join(format!("KY-{n}.drn"));
        assert_eq!(
            model.exists(),
            answer["states"].as_u64().unwrap() <= 60,
            "n = {n}"
        );
        if model.exists() {
            let import = &rows(&["import", "drn", model.to_str().unwrap()])[0];
            for column in ["expected_exact", "variance_exact"] {
                assert_eq!(import[column], answer[column], "n = {n}");
            }
            assert_eq!(
                (import["distance_exact"].as_str(), &import["fair"]),
                (Some("0"), &true.into())
            );
            assert_eq!(import["outcomes"], answer["n"]);
        }
    }
    let table: Vec<Value> = rows(&["export", "--family", "--to", "20", "--chosen", "3"]);
    assert_eq!(table, answers);
    fs::rename(&family, &part).unwrap();
    let kept = Path::new(&part).join("models/KY-6.drn");
    fs::write(&kept, "kept").unwrap();
    fs::remove_file(Path::new(&part).join("models/KY-7.drn")).unwrap();
    let other = ["export", "--family", "--to", "21", "--folder", &family];
    assert!(refused(&other).contains("begun by another request"));
    assert!(
        flipcost("")
            .args(command)
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(whole("models/KY-6.drn"), "kept");
    assert!(whole("models/KY-7.drn").contains("state 0"));
}

#[test]
fn what_is_no_family_is_refused() {
    assert!(refused(&["export", "--family", "--to", "1"]).contains("n from 2 to 100000"));
    assert!(refused(&["export", "--family", "--to", "10^6"]).contains("n from 2 to 100000"));
    assert!(refused(&["export", "--family", "--chosen", "10^9"]).contains("10000 is the most"));
    assert!(refused(&["export", "--family", "--explicit", "10"]).contains("--folder"));
    assert!(
        refused(&["export", "--family", "--folder", "KY", "-f", "csv"]).contains("answers.csv")
    );
}
