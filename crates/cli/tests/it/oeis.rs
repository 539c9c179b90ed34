//! The commands that work with sequences: exit statuses, formats, one-sentence errors.

use crate::support;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use support::run;

fn good(arguments: &[&str]) -> String {
    let (status, out, err) = run(arguments);
    assert_eq!(status, 0, "{arguments:?}: {err}");
    out
}

/// Checks that a command line prints one sentence on standard error and nothing on standard output.
fn refused(arguments: &[&str], what: &str) {
    let (status, out, err) = run(arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(err.contains(what), "{arguments:?}: {err}");
    let is_tip = |line: &&str| line.starts_with("  tip: ");
    assert_eq!(
        err.lines().filter(|line| !is_tip(line)).count(),
        1,
        "{arguments:?}: {err}"
    );
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Returns the number of terms of a b-file that begins at 1; checks that every byte is in the
/// format of the OEIS.
fn terms_of_b_file(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let read = flipcost_oeis::bfile::parse("b", text.as_bytes()).unwrap();
    let lines = (1..)
        .zip(&read.terms)
        .map(|(n, term)| format!("{n} {term}\n"));
    assert_eq!(text, lines.collect::<String>());
    read.terms.len()
}

#[test]
fn a_b_file_is_checked_and_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (short, long) = (file("short.txt"), file("long.txt"));
    std::fs::write(&short, "# by hand\n1 1\n2 1\n3 1\n4 1\n5 2\n").unwrap();
    let extend =
        |from: &str, to: &str| run(&["oeis", "extend", "A136043", from, "--terms", "15", "-o", to]);
    let (status, _, said) = extend(&short, &long);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("5 terms, all agree; added after n = 5: 15 terms"),
        "{said}"
    );
    assert!(said.contains("that are not copied: 1 line"), "{said}");
    let written = std::fs::read_to_string(&long).unwrap();
    let whole = ["sequence", "A136043", "--terms", "20", "-f", "b-file"];
    assert_eq!(written, good(&whole));
    // the output may be the file that was read
    assert_eq!(extend(&long, &long).0, 0);
    assert_eq!(std::fs::read_to_string(&long).unwrap().lines().count(), 35);
    // if a term of the file is wrong, nothing is written
    std::fs::write(&short, "3 1\n4 1\n5 3\n").unwrap();
    let (status, _, said) = extend(&short, &file("none.txt"));
    assert_eq!(status, 1);
    assert!(
        said.contains("has a(5) = 3, and A136043 has 2: nothing was written"),
        "{said}"
    );
    assert!(!folder.path().join("none.txt").exists());
}

#[test]
fn sequences_are_written_in_every_format() {
    assert_eq!(
        good(&["sequence", "A136043", "--terms", "9"]),
        "1, 1, 1, 1, 2, 1, 1, 1, 3\n"
    );
    assert_eq!(
        good(&[
            "sequence", "a007733", "--from", "5", "--to", "7", "--format", "b-file"
        ]),
        "5 4\n6 2\n7 3\n"
    );
    assert_eq!(
        good(&[
            "sequence", "first-v", "--from", "10", "--terms", "2", "-f", "jsonl"
        ]),
        "{\"n\":10,\"a\":6}\n{\"n\":11,\"a\":1}\n"
    );
    assert_eq!(
        good(&["sequence", "mr-period:base=3", "--terms", "4"]),
        "2, 1, 2, 2\n"
    );
    let internal = good(&[
        "sequence", "A136043", "--terms", "95", "--format", "internal",
    ]);
    assert!(internal.starts_with("%I A136043\n%S A136043 1,1,1,1,2,1,1,1,3,2,5,1,6,"));
    assert!(internal.contains("%O A136043 1,5\n") && !internal.contains("Your Name"));
    let data = internal
        .lines()
        .filter(|line| line[1..].starts_with(['S', 'T']));
    assert!(data.into_iter().all(|line| line.len() <= 80));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b136043.txt");
    let place = file.to_str().unwrap();
    assert_eq!(
        good(&[
            "sequence", "A136043", "--terms", "10000", "-f", "b-file", "-o", place
        ]),
        ""
    );
    assert_eq!(terms_of_b_file(&file), 10_000);
    let list = good(&["list", "sequences", "--format", "csv"]);
    assert!(
        list.starts_with("id,a_number,offset,title,definition\ncycle-rounds:source=2,A136043,1,")
    );
    assert!(
        good(&["list", "sequences", "--format", "jsonl"])
            .lines()
            .count()
            > 80
    );
}

#[test]
fn unknown_sequences_are_refused() {
    refused(&["sequence", "A000001"], "not a known sequence");
    refused(&["sequence", "A136043", "--from", "0"], "begins at n = 1");
    refused(
        &["sequence", "A136043", "--from", "9", "--to", "3"],
        "reversed",
    );
    refused(&["sequence", "A136043", "--terms", "10^10"], "at once");
    refused(&["sequence", "A136043", "--terms", "-1"], "its value is -1");
    refused(&["sequence"], "ID");
    refused(
        &["sequence", "A136043", "--from", "2^63", "--to", "2^63"],
        "2^53",
    );
}

#[test]
fn expansions_of_reals_are_computed() {
    assert_eq!(
        good(&["sequence", "mr:x=e", "--terms", "8"]),
        "0, 0, 1, 2, 1, 2, 1, 1\n"
    );
    assert_eq!(
        good(&["sequence", "mr:x=e - 2", "--terms", "6"]),
        "1, 2, 1, 2, 1, 1\n"
    );
    let line = good(&["sequence", "mr:x=1/29", "--terms", "5"]);
    assert_eq!(line, "5, 4, 1, 2, 3\n");
    assert_eq!(
        good(&["sequence", "mr:x=sqrt(4)", "--terms", "3"])
            .lines()
            .count(),
        1
    );
    refused(&["sequence", "mr:x=e-3"], "greater than 0");
    refused(
        &["sequence", "mr:x=1/(e-e)"],
        "cannot be distinguished from 0",
    );
    refused(&["sequence", "mr:x=six"], "six");
    refused(&["sequence", "mr:x=-1/3"], "greater than 0");
    refused(&["sequence", "mr:x=e - e + 1/4"], "cannot be decided");
}

#[test]
fn files_of_each_format_are_checked() {
    let all = good(&["oeis", "check", "--all"]);
    assert!(all.contains("37 of 37 sequences agree"), "{all}");
    let one = good(&["oeis", "check", "A136043"]);
    assert!(
        one.contains("95 terms compared from n = 1, all agree; 8 computed beyond"),
        "{one}"
    );
    let folder = tempfile::tempdir().unwrap();
    let files = [
        write(folder.path(), "b", "1 1\n2 1\n3 1\n4 1\n5 2\n"),
        write(
            folder.path(),
            "s",
            "%I A136043\n%S A136043 1,1,1,1,2,1,1,1,3\n%O A136043 1,5\n",
        ),
        write(folder.path(), "l", "1, 1, 1, 1, 2, 1, 1, 1, 3\n"),
        write(
            folder.path(),
            "shifted",
            "0 1\n1 1\n2 1\n3 1\n4 2\n5 1\n6 1\n7 1\n8 3\n9 2\n",
        ),
    ];
    for file in &files {
        let path = file.to_str().unwrap();
        let asked = ["oeis", "check", "A136043", "--against", path];
        let said = if file.ends_with("shifted") {
            let (status, out, err) = run(&asked);
            assert_eq!(status, 1, "{out}{err}");
            assert!(
                out.contains("all would agree if the offset of the file 0 were 1"),
                "{out}"
            );
            assert!(out.contains("--align shifts them"), "{out}{err}");
            good(&[&asked[..], &["--align"]].concat())
        } else {
            good(&asked)
        };
        assert!(said.contains("all agree"), "{said}");
        assert_eq!(
            said.contains("aligned"),
            file.ends_with("shifted"),
            "{said}"
        );
    }
    let wrong = write(
        folder.path(),
        "w",
        "1 1\n2 1\n3 1\n4 1\n5 7\n6 1\n7 1\n8 1\n9 3\n",
    );
    let (status, out, err) = run(&[
        "oeis",
        "check",
        "A136043",
        "--against",
        wrong.to_str().unwrap(),
    ]);
    assert_eq!(status, 1);
    assert!(out.contains("a(5) is 2 here and 7 in the file"), "{out}");
    assert_eq!(err.lines().count(), 1);
    let cut = write(folder.path(), "c", "1 1\n2 x\n");
    refused(
        &[
            "oeis",
            "check",
            "A136043",
            "--against",
            cut.to_str().unwrap(),
        ],
        "line 2",
    );
    refused(
        &["oeis", "check", "A136043", "--against", "no-such-file"],
        "no such file",
    );
    refused(&["oeis", "check", "first-v"], "--against");
    refused(&["oeis", "check"], "--all");
    // The terms of a slow sequence are computed only up to its practical limit.
    let long: String = (0..90).map(|_| "1\n").collect();
    let long = write(folder.path(), "long", &long);
    let (status, out, _) = run(&[
        "oeis",
        "check",
        "exactly-rounds",
        "--against",
        long.to_str().unwrap(),
    ]);
    assert!(
        status == 1 && out.contains("70 terms of the file not compared"),
        "{out}"
    );
}

#[test]
#[cfg(unix)]
fn standard_input_is_checked() {
    let list = good(&["sequence", "A136043", "--terms", "20000"]);
    let output = Command::cargo_bin("flipcost")
        .unwrap()
        .args(["oeis", "check", "A136043", "--against", "/dev/stdin"])
        .write_stdin(list)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("20000 terms compared from n = 1, all agree"),
        "{said}"
    );
}

#[test]
fn terms_are_identified() {
    let (status, out, err) = run(&["oeis", "identify", "1,1,1,1,2,1,1,1,3", "-f", "csv"]);
    assert_eq!(status, 0);
    assert!(out.contains("\nA136043,the terms,1,9,0,0,"), "{out}");
    assert!(
        err.contains("only the 36 entries inside the program"),
        "{err}"
    );
    let folder = tempfile::tempdir().unwrap();
    let stripped = write(
        folder.path(),
        "stripped",
        "# c\nA000045 ,0,1,1,2,3,5,8,13,21,34,\n",
    );
    let names = write(folder.path(), "names", "A000045 Fibonacci numbers.\n");
    let out = good(&[
        "oeis",
        "identify",
        "--stripped",
        stripped.to_str().unwrap(),
        "--names",
        names.to_str().unwrap(),
        "-f",
        "csv",
        "-1,-2,-3,-5,-8,-13",
    ]);
    assert!(
        out.contains("A000045,the terms with the other sign,3,6,0,0,Fibonacci numbers."),
        "{out}"
    );
    let out = good(&["oeis", "identify", "--sequence", "largest-v", "-f", "csv"]);
    assert!(out.contains("A327649,the terms divided by 2"), "{out}");
    refused(&["oeis", "identify", "1,2"], "too few");
    // sequences that flipcost computes are found by family and parameters, also if some terms are
    // unknown
    let own = good(&[
        "oeis",
        "identify",
        "--sequence",
        "rounds-before:source=3",
        "-f",
        "csv",
    ]);
    assert!(own.contains(",rounds-before:source=3\n"), "{own}");
    for gap in ["_", "?"] {
        let terms = format!("1,1,1,1,2,{gap},1,1,3,2,{gap},1,6");
        let (status, out, err) = run(&["oeis", "identify", &terms, "-f", "csv"]);
        assert_eq!(status, 0, "{err}");
        assert!(
            out.lines()
                .any(|line| line.starts_with("A136043,the terms,1,11,0,0,")
                    && line.ends_with(",cycle-rounds:source=2 and mr-period:base=2")),
            "{out}"
        );
        assert!(err.contains("sequences that flipcost computes"), "{err}");
    }
    refused(
        &["oeis", "identify", "1,_,_,_,4"],
        "too few known terms (2)",
    );
    // The titles are read to the end, even if no title is needed.
    let damaged = write(folder.path(), "damaged", "A000045 Fibonacci numbers.\n%\n");
    for terms in ["0,1,1,2,3,5", "7,-7,7,7,-7"] {
        let stripped = stripped.to_str().unwrap();
        let names = damaged.to_str().unwrap();
        refused(
            &[
                "oeis",
                "identify",
                terms,
                "--stripped",
                stripped,
                "--names",
                names,
            ],
            "damaged, line 2",
        );
    }
    refused(&["oeis", "identify", "1,x,3,4"], "not an integer");
    refused(
        &["oeis", "identify", "1,2,3,4", "--stripped", "no-such-file"],
        "no such file",
    );
}

#[test]
fn drafts_are_written() {
    let text = good(&[
        "oeis",
        "draft",
        "first-v",
        "--author",
        "Ann Other",
        "--date",
        "Nov 21 2026",
    ]);
    assert!(
        text.starts_with("%I A000000\n%S A000000 0,0,1,0,1,2,1,0,1,6,"),
        "{text}"
    );
    assert!(text.contains("%A A000000 _Ann Other_, Nov 21 2026\n"));
    assert!(text.contains("%o A000000 (PARI)") && text.contains("%o A000000 (Python)"));
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("new");
    let said = good(&[
        "oeis",
        "draft",
        "total-flips",
        "-o",
        place.to_str().unwrap(),
        "--terms",
        "300",
    ]);
    assert_eq!(said.lines().count(), 2);
    assert_eq!(terms_of_b_file(&place.join("b000000.txt")), 300);
    refused(&["oeis", "draft", "nothing"], "not a known sequence");
    let file = write(folder.path(), "file", "");
    refused(
        &["oeis", "draft", "first-v", "-o", file.to_str().unwrap()],
        "is a file",
    );
    refused(
        &["oeis", "draft", "first-v", "--date", "soon"],
        "Nov 21 2026",
    );
}

#[test]
#[cfg(not(feature = "fetch"))]
fn a_missing_feature_for_downloads_is_named() {
    refused(&["oeis", "fetch", "A136043"], "--features fetch");
    refused(&["oeis", "fetch", "136043"], "not an A-number");
}

#[test]
fn theorems_are_checked() {
    for (claim, checked) in [
        ("layman", "117 cases"),
        ("toll", "2000 cases"),
        ("ceil-plus-one", "2000 cases"),
        ("half-period", ""),
    ] {
        let said = good(&["verify", claim, "--to", "2000"]);
        assert!(
            said.contains("theorem") && said.contains("no counterexample"),
            "{said}"
        );
        assert!(said.contains(checked), "{said}");
    }
    let said = good(&["verify", "aldr-toll", "--sum", "40"]);
    assert!(
        said.contains("39 cases") && said.contains("no counterexample"),
        "{said}"
    );
    let said = good(&["verify", "aldr-toll-even", "--sum", "40"]);
    assert!(
        said.contains("standing: open") && said.contains("20 cases"),
        "{said}"
    );
    refused(&["verify", "aldr-toll", "--sum", "10^6"], "65536");
    refused(&["verify", "layman", "--to", "1"], "between n = 3");
    refused(&["verify", "goldbach", "--to", "10"], "goldbach");
}
