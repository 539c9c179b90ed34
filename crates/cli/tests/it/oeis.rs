//! `oeis`: check, extend, identify, draft and fetch sequences of the encyclopedia.

use crate::support::{Folder, check_table, flipcost, output, run, stdout};

/// Returns the number of terms of a b-file that begins at 1; checks that every byte is in the
/// format of the OEIS.
pub fn terms_of_b_file(text: &str) -> usize {
    let read = flipcost_oeis::bfile::parse("b", text.as_bytes()).unwrap();
    let lines = (1..)
        .zip(&read.terms)
        .map(|(n, term)| format!("{n} {term}\n"));
    assert_eq!(text, lines.collect::<String>());
    read.terms.len()
}

#[test]
fn a_b_file_is_checked_and_made_longer() {
    let folder = Folder::new();
    let short = folder.write("short.txt", "# by hand\n1 1\n2 1\n3 1\n4 1\n5 2\n");
    let long = folder.path("long.txt");
    let extend = |from: &str, to: &str| {
        let (status, _, said) = run(&format!("oeis extend A136043 {from} --terms 15 -o {to}"));
        (status, said)
    };
    let (status, said) = extend(&short, &long);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("5 terms, all agree; added after n = 5: 15 terms"),
        "{said}"
    );
    assert!(said.contains("that are not copied: 1 line"), "{said}");
    let whole = stdout("sequence A136043 --terms 20 -f b-file");
    assert_eq!(folder.read("long.txt"), whole);
    // the output may be the file that was read
    assert_eq!(extend(&long, &long).0, 0);
    assert_eq!(folder.read("long.txt").lines().count(), 35);
    // if a term of the file is wrong, nothing is written
    folder.write("short.txt", "3 1\n4 1\n5 3\n");
    let (status, said) = extend(&short, &folder.path("none.txt"));
    assert_eq!(status, 1);
    assert!(
        said.contains("has a(5) = 3, and A136043 has 2: nothing was written"),
        "{said}"
    );
    assert!(!folder.names().contains(&"none.txt".to_string()));
}

#[test]
fn files_of_each_format_are_checked() {
    check_table(
        "oeis check --all => 37 of 37 sequences agree
oeis check A136043 => 95 terms compared from n = 1, all agree; 8 computed beyond
! oeis check A136043 --against no-such-file => no such file
! oeis check A136043 b.txt => --against b.txt
! oeis check => --all",
    );
    let folder = Folder::new();
    let check = |name: &str, text: &str, more: &str| {
        let file = folder.write(name, text);
        run(&format!("oeis check {more} --against {file}"))
    };
    for text in [
        "1 1\n2 1\n3 1\n4 1\n5 2\n",
        "%I A136043\n%S A136043 1,1,1,1,2,1,1,1,3\n%O A136043 1,5\n",
        "1, 1, 1, 1, 2, 1, 1, 1, 3\n",
    ] {
        let (status, said, _) = check("b", text, "A136043");
        assert!(
            status == 0 && said.contains("all agree") && !said.contains("aligned"),
            "{said}"
        );
    }
    let shifted = "0 1\n1 1\n2 1\n3 1\n4 2\n5 1\n6 1\n7 1\n8 3\n9 2\n";
    let (status, said, _) = check("shifted", shifted, "A136043");
    assert!(status == 1 && said.contains("all would agree if the offset of the file 0 were 1"));
    assert!(said.contains("--align shifts them"), "{said}");
    let (status, said, _) = check("shifted", shifted, "A136043 --align");
    assert!(
        status == 0 && said.contains("all agree") && said.contains("aligned"),
        "{said}"
    );
    let wrong = "1 1\n2 1\n3 1\n4 1\n5 7\n6 1\n7 1\n8 1\n9 3\n";
    let (status, said, errors) = check("w", wrong, "A136043");
    assert!(
        status == 1 && said.contains("a(5) is 2 here and 7 in the file"),
        "{said}"
    );
    assert_eq!(errors.lines().count(), 1);
    let (status, said, errors) = check("c", "1 1\n2 x\n", "A136043");
    assert!(
        status == 2 && said.is_empty() && errors.contains("line 2"),
        "{errors}"
    );
    // the terms of a slow sequence are computed only up to its practical limit
    let (status, said, _) = check("long", &"1\n".repeat(90), "exactly-rounds");
    assert!(
        status == 1 && said.contains("70 terms of the file not compared"),
        "{said}"
    );
}

#[test]
#[cfg(unix)]
fn standard_input_is_checked() {
    let list = stdout("sequence A136043 --terms 20000");
    let mut check = flipcost("oeis check A136043 --against /dev/stdin");
    let output = check.write_stdin(list).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("20000 terms compared from n = 1, all agree"),
        "{said}"
    );
}

/// Sequences that flipcost computes are found by family and parameters, also if some terms are
/// unknown.
#[test]
fn terms_are_identified() {
    let folder = Folder::new();
    let stripped = folder.write("stripped", "# c\nA000045 ,0,1,1,2,3,5,8,13,21,34,\n");
    let names = folder.write("names", "A000045 Fibonacci numbers.\n");
    let marked = folder.write("marked", "\u{feff}A000001 ,5,6,7,8,9,10,\n");
    let titles = folder.write("titles", "\u{feff}A000001 A title.\n");
    // the titles are read to the end, even if no title is needed
    let damaged = folder.write("damaged", "A000045 Fibonacci numbers.\n%\n");
    check_table(&format!(
        "oeis identify --stripped {stripped} --names {names} -f csv -1,-2,-3,-5,-8,-13 => A000045,the terms with the other sign,3,6,0,0,Fibonacci numbers.
oeis identify --sequence largest-v -f csv => A327649,the terms divided by 2
oeis identify --sequence rounds-before:source=3 -f csv => ,rounds-before:source=3\\n
oeis identify 1,2,3,99,7 => no entry holds the terms
oeis identify 5,6,7,8,9,10 --stripped {marked} --names {titles} => A000001 & A title.
! oeis identify 1,_,_,_,4 => too few known terms (2)
! oeis identify 0,1,1,2,3,5 --stripped {stripped} --names {damaged} => damaged, line 2
! oeis identify 7,-7,7,7,-7 --stripped {stripped} --names {damaged} => damaged, line 2
! oeis identify 1,2,3,4 --stripped no-such-file => no such file"
    ));
    for gap in ["_", "?"] {
        let (rows, notes) = output(&format!(
            "oeis identify 1,1,1,1,2,{gap},1,1,3,2,{gap},1,6 -f csv"
        ));
        let is_found = |line: &str| {
            line.starts_with("A136043,the terms,1,11,0,0,")
                && line.ends_with(",cycle-rounds:source=2 and mr-period:base=2")
        };
        assert!(rows.lines().any(is_found), "{rows}");
        assert!(
            notes.contains("sequences that flipcost computes"),
            "{notes}"
        );
    }
}

#[test]
fn drafts_are_written() {
    let folder = Folder::new();
    let said = stdout(&format!(
        "oeis draft total-flips -o {} --terms 300",
        folder.path("new")
    ));
    assert_eq!(said.lines().count(), 2);
    assert_eq!(terms_of_b_file(&folder.read("new/b000000.txt")), 300);
    let file = folder.write("file", "");
    check_table(&format!(
        "oeis draft first-v --author 'Ann Other' --date 'Nov 21 2026' => \\n%I A000000\\n%S A000000 0,0,1,0,1,2,1,0,1,6, & %A A000000 _Ann Other_, Nov 21 2026\\n & %o A000000 (PARI) & %o A000000 (Python)
! oeis draft first-v -o {file} => is a file"
    ));
}

#[test]
#[cfg(not(feature = "fetch"))]
fn a_missing_feature_for_downloads_is_named() {
    assert!(crate::support::refusal("oeis fetch A136043").contains("--features fetch"));
    assert!(crate::support::refusal("oeis fetch 136043").contains("not an A-number"));
}
