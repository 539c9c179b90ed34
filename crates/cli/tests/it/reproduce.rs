//! `reproduce`: the studies of the program and of users. Studies that take hours are not run: their
//! data are committed with a record of how they were made, and some rows are computed again.

use crate::support::{Folder, cells, check_table, column, flipcost, refusal, root, run, stdout};
use flipcost_number::{Rational, threads};
use flipcost_studies::record::digest;
use std::fs;
use std::process::Output;

const HEAD: &str = "title = \"t\"\nquestion = \"q\"\n";

/// A check that rejection takes this number of flips for a d6.
fn check(flips: &str) -> String {
    format!(
        "{HEAD}[[check]]\nclaim = \"c\"\npublished = \"{flips}\"\n\
         that = \"cost(6, algorithm: rejection).expected = {flips}\"\n"
    )
}

/// Runs the program in this folder.
fn run_in(folder: &Folder, line: &str) -> Output {
    flipcost(line).current_dir(&folder.0).output().unwrap()
}

#[test]
fn embedded_studies_run_without_a_checkout() {
    let folder = Folder::new();
    let listed = || String::from_utf8(run_in(&folder, "list studies -f csv").stdout).unwrap();
    assert!(listed().contains("\nknuth-yao-1976,") && listed().contains("\nseveral-dice,"));
    let here = run_in(&folder, "reproduce langkaas-2019");
    assert!(here.status.success(), "{here:?}");
    let claims = "data/langkaas-2019/claims.csv";
    assert_eq!(
        folder.read(claims),
        fs::read_to_string(root().join(claims)).unwrap()
    );
    assert_eq!(folder.names(), ["data", "figures"]);
    // a user's own study takes precedence over that of the program, and is listed once
    fs::create_dir(folder.path("analysis")).unwrap();
    folder.write("analysis/langkaas-2019.toml", &check("4"));
    let again = run_in(&folder, "reproduce langkaas-2019").stdout;
    let wanted = "study,claim,published,computed,verdict\nlangkaas-2019,c,4,4,reproduced\n";
    assert_eq!(String::from_utf8(again).unwrap(), wanted);
    assert_eq!(listed().matches("langkaas-2019").count(), 1);
    assert!(
        listed().starts_with("name,title,question\nlangkaas-2019,t,q\n"),
        "{}",
        listed()
    );
}

#[test]
fn a_missing_folder_of_studies_is_named() {
    let said = run_in(&Folder::new(), "reproduce");
    assert_eq!(said.status.code(), Some(2));
    let said = String::from_utf8(said.stderr).unwrap();
    let wanted = "name a study of the program, which `flipcost list studies` lists";
    assert!(said.contains(wanted), "{said}");
    check_table("! reproduce no-such-study => \"no-such-study\": choose one of aldr-2025, ");
}

#[test]
fn the_example_of_a_study_runs() {
    let folder = Folder::new();
    let study = folder.write("mine.toml", &stdout("reproduce --keys example"));
    let report = stdout(&format!("reproduce --root {} {study}", folder.path("")));
    let verdicts = report.lines().map(|line| line.rsplit(',').next().unwrap());
    assert!(
        verdicts.eq(["verdict", "reproduced", "reproduced"]),
        "{report}"
    );
    for made in [
        "figures/mine/toll.svg",
        "figures/mine/toll.png",
        "data/mine",
    ] {
        assert!(folder.0.path().join(made).exists(), "{made}");
    }
}

/// A study's document contains what the program prints. A wrong command line in a document is
/// reported before anything is computed.
#[test]
fn a_study_writes_documents() {
    let folder = Folder::new();
    let study = |command: &str| {
        let text = format!(
            "{HEAD}[[questions]]\nname = \"answers\"\ntitle = \"Asked\"\n\
             [[questions.asked]]\nquestion = \"A d6?\"\nasked-in = \"a forum\"\ncommands = [\"{command}\"]\n\
             [[library-table]]\nname = \"bits\"\ntitle = \"Bits\"\ndice = [{{ name = \"a d8\", n = 8 }}]\n\
             [[library-versions]]\nname = \"versions\"\ntitle = \"Versions\"\n"
        );
        format!(
            "reproduce --root {} {}",
            folder.path(""),
            folder.write("mine.toml", &text)
        )
    };
    stdout(&study(
        "flipcost cost 6 --sources 2 -a bounded -c n,possible,missing_prime",
    ));
    let made = |name: &str| folder.read(&format!("data/mine/{name}"));
    assert_eq!(
        made("answers.md"),
        "# Asked\n\n## 1. A d6?\n\nAsked in: a forum.\n\n```console\n\
         $ flipcost cost 6 --sources 2 --algorithm bounded --columns n,possible,missing_prime\n\
         Of n = 6: n 6, possible false, missing_prime 3.\n\nn 6\n\n\
         possible  missing_prime\n   false              3\n```\n"
    );
    // two words of 32 bits for a power of two: Lib/random.py takes n.bit_length() bits
    let bits = made("bits.md");
    let line = bits.lines().find(|line| line.contains("cpython-randbelow"));
    assert!(line.unwrap().ends_with("| 64 |"), "{line:?}");
    assert!(made("bits.csv").contains("entropy,,lower bound,3,3,0"));
    assert!(made("versions.csv").contains("Lib/random.py"));
    assert!(!folder.names().contains(&"figures".to_string()));
    let refused = refusal(&study("flipcost cost six"));
    assert!(refused.contains("mine.toml, line 9"), "{refused}");
}

#[test]
fn a_study_that_fails_exits_1_and_a_broken_one_2() {
    let folder = Folder::new();
    fs::create_dir(folder.path("analysis")).unwrap();
    let reproduce = |flips: &str| {
        folder.write("analysis/mine.toml", &check(flips));
        run(&format!("reproduce --root {}", folder.path("")))
    };
    let rows = "study,claim,published,computed,verdict\nmine,c,4,4,reproduced\n";
    assert_eq!(reproduce("4"), (0, rows.to_string(), String::new()));
    assert_eq!(reproduce("11/3").0, 1);
    let (status, _, said) = reproduce("four");
    assert!(status == 2 && said.contains("mine.toml, line 6"), "{said}");
}

/// Malformed or malicious study files, which somebody else may have sent to the user.
#[test]
fn hostile_studies_are_refused_in_one_sentence() {
    let folder = Folder::new();
    let (check, mark) = ("[[check]]\nclaim = \"c\"\npublished = \"p\"\n", "\\uFFFE");
    let long = "x".repeat(1_000_000);
    for (name, text, said) in [
        ("...toml", HEAD.to_string(), "cannot give its name"),
        (".toml", HEAD.to_string(), "cannot give its name"),
        (
            "missing.toml",
            format!("{HEAD}{check}sequence = {{ id = \"A136043\", file = \"nowhere.txt\" }}\n"),
            "the check \"c\": cannot read",
        ),
        (
            "wrong.toml",
            format!("{HEAD}{check}sequence = {{ id = \"A136043\", fle = 1 }}\n"),
            "wrong.toml, line 6, column ",
        ),
        (
            "long.toml",
            format!("title = \"{long}\"\nquestion = \"q\"\n"),
            "error: ",
        ),
        (
            "mark.toml",
            format!("title = \"{mark}\"\nquestion = \"q\"\n[[check]]\nclaim = \"{mark}\"\n"),
            "error: ",
        ),
        (
            "deep.toml",
            format!("title = {}1", "[".repeat(100_000)),
            "error: ",
        ),
    ] {
        let path = folder.write(name, &text);
        let error = refusal(&format!("reproduce --root {} {path}", folder.path("")));
        assert!(
            error.contains(said) && !error.contains('|'),
            "{name}: {error}"
        );
        assert!(!folder.names().contains(&"data".to_string()), "{name}");
    }
}

/// A study does not write through a symbolic link in its folders, which would let it write
/// anywhere.
#[cfg(unix)]
#[test]
fn a_study_does_not_follow_links() {
    for link in [
        "data",
        "figures",
        "data/s",
        "figures/s",
        "data/s/claims.csv",
        "data/s/gone.csv",
    ] {
        let (root, other) = (Folder::new(), Folder::new());
        let target = other.path("precious");
        let path = root.0.path().join(link);
        fs::create_dir_all(root.path("analysis")).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        root.write("analysis/s.toml", &check("4"));
        let is_file = link.ends_with("csv");
        if is_file {
            fs::write(&target, "precious").unwrap();
        } else {
            fs::create_dir(&target).unwrap();
        }
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let (status, _, error) = run(&format!("reproduce --root {}", root.path("")));
        let wanted = format!("{link}\" is a symbolic link, and a study follows none");
        assert!(status == 2 && error.contains(&wanted), "{link}: {error}");
        if is_file {
            assert_eq!(other.read("precious"), "precious");
        } else {
            assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
        }
    }
}

/// Returns the rows of a table as cells, without its header.
fn rows(study: &str, table: &str) -> Vec<Vec<String>> {
    let path = root().join("data").join(study).join(table);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.records();
    rows.map(|row| row.unwrap().iter().map(String::from).collect())
        .collect()
}

/// Returns a sample of fifty rows, spread over the whole table.
fn sample<T>(rows: Vec<T>) -> Vec<T> {
    assert!(rows.len() >= 50);
    let step = rows.len() / 50;
    rows.into_iter().step_by(step).take(50).collect()
}

#[test]
fn every_long_table_matches_its_record() {
    for study in ["loaded-table", "several-dice", "store"] {
        let folder = root().join("data").join(study);
        let record = fs::read_to_string(folder.join("record.toml")).unwrap();
        let record: toml::Table = record.parse().unwrap();
        let request = root().join("analysis/long").join(format!("{study}.toml"));
        let request = fs::read(request).unwrap();
        assert_eq!(record["request_sha256"].as_str(), Some(&*digest(&request)));
        let tables = record["sha256"].as_table().unwrap();
        assert!(tables.len() >= 2, "{study}");
        for (name, sum) in tables {
            let bytes = fs::read(folder.join(name)).unwrap();
            assert_eq!(sum.as_str(), Some(&*digest(&bytes)), "{study}: {name}");
        }
    }
}

/// Recomputes fifty rows whose search is short, and compares them.
#[test]
fn optima_for_several_dice_are_found_again() {
    let request = root().join("analysis/long/several-dice.toml");
    let request: toml::Table = fs::read_to_string(request).unwrap().parse().unwrap();
    let effort = request["best-rules"][0]["effort"].as_integer().unwrap();
    let all = rows("several-dice", "optimum.csv");
    assert_eq!(all.len(), 64 * 99);
    let short = |row: &Vec<String>| (1000..200_000).contains(&row[8].parse::<u64>().unwrap());
    let short: Vec<_> = all.into_iter().filter(short).collect();
    threads::map_of(&sample(short), &|row| {
        let line = format!("plan {} --dice {}", row[0], row[1]);
        let names = [
            "target",
            "dice",
            "expected_exact",
            "expected",
            "lower_exact",
            "proved",
        ];
        let found = cells(&format!("{line} --optimal --effort {effort}"), names);
        assert_eq!(found[0], row[..6], "{line}");
        assert!(column(&line, "expected_exact").contains(&row[6]), "{line}");
    });
}

/// The tables are consistent: lower bounds are at most upper bounds, and no row with a gap between
/// them is marked as proved.
#[test]
fn optima_for_several_dice_are_consistent() {
    for row in rows("several-dice", "optimum.csv") {
        let [expected, lower, kept] = [2, 4, 6].map(|at| row[at].parse::<Rational>().unwrap());
        assert!(lower <= expected && expected <= kept, "{row:?}");
        assert_eq!(lower == expected, row[5] == "yes", "{row:?}");
    }
}

/// Recomputes fifty stores, each with its certificate, and compares them.
#[test]
fn optima_of_stores_are_found_again() {
    let all = rows("store", "optima.csv");
    assert!(all.len() > 5000);
    threads::map_of(&sample(all), &|row| {
        let line = format!("stream {} --states {}", row[0], row[1]);
        let names = ["expected_exact", "fill_exact", "loss_bits", "proved"];
        assert_eq!(
            cells(&line, names)[0],
            [&row[2], &row[3], &row[4], "yes"],
            "{line}"
        );
    });
}
