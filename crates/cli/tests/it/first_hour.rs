//! Things that a new user may try in the first hour: input that is too large, files in the way, a
//! closed output. Each must end quickly with one sentence, within 4 GB of address space.
#![cfg(target_os = "linux")]

use crate::support;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use support::{refusal, sentence, stdout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_flipcost");

/// Runs a shell command in which `flipcost` is the program.
fn shell(line: &str) -> Output {
    let script = format!("flipcost() {{ exec '{PROGRAM}' \"$@\"; }}; {line}");
    let shell = Command::new("sh").args(["-c", &script]).output();
    shell.unwrap()
}

/// Runs the program, which is killed after this number of seconds.
fn within(seconds: u64, arguments: &[&str]) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(seconds) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{arguments:?} did not end in {seconds} seconds");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn requests_beyond_memory_are_refused_before_they_begin() {
    for (arguments, why) in [
        ("export prism 10^100000 -a rejection", "too long"),
        (
            "export prism 10^100000",
            "its chain has more than 192 transitions",
        ),
        (
            "distribution 10^100000 -a rejection",
            "more than 20000 rows",
        ),
        ("distribution 10^100000 -a rejection --upto 9", "too long"),
        (
            "distribution 10^100000 -a fast-dice-roller",
            "more than 20000 rows",
        ),
        ("show 10^100000 --as table", "more than 65536 rows"),
        ("show 2^60000-1 --as table", "more than 65536 rows"),
        ("show 400000! --as table", "must be below 2^1048576"),
        ("roll 10^100000 --trace", "longer than 64 MB"),
        ("batch 10^100000+7 --trace", "longer than 64 MB"),
        ("roll 10^1000000 -a interval", "must be below 2^1048576"),
        ("show 10^100000 --as flowchart", "rounds"),
        ("sequence mr:x=9^5290000 -t 3", "must be below 2^1048576"),
        ("oeis draft A136043 -t 10^12", "1000000 is the most"),
    ] {
        let output = shell(&format!("ulimit -v 4194304; flipcost {arguments}"));
        let said = sentence(arguments, output);
        assert!(said.contains(why), "{arguments}: {said}");
    }
}

/// In earlier versions both requests took 15 seconds or more: one computed long logarithms again
/// for each column and algorithm, the other a long power of 2 by repeated doubling.
#[test]
fn long_numbers_are_written_fast() {
    let begun = Instant::now();
    let rows = stdout("cost 6 --digits 200000 -c entropy,toll");
    assert!(begun.elapsed() < Duration::from_secs(60));
    let first: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    // The first number is log2 6, the second the difference between 11/3 and log2 6.
    assert!(first[0].starts_with("2.58496250072115618145") && first[0].len() == 200_002);
    assert!(first[1].starts_with("1.0817041659455104852") && first[1].len() == 200_002);
    let terms = within(20, &["sequence", "mr:x=1/(2^1048575)", "-t", "3"]);
    let terms = String::from_utf8(terms.stdout).unwrap();
    assert_eq!(terms, "1048576, 1, 1\n");
}

#[test]
fn a_statement_may_begin_with_a_minus() {
    let said = |that: &str| {
        let output = Command::new(PROGRAM)
            .args(["verify", "--to", "9", "-a", "rejection", "--that", that])
            .output();
        let output = output.unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (status, text) = said("-2^2 = -4");
    assert!(
        status == Some(0) && text.contains("no counterexample"),
        "{text}"
    );
    let (status, text) = said("-2^2 = 4");
    assert!(
        status == Some(1) && text.contains("the left side is -4"),
        "{text}"
    );
    // both sides are the same expression, so they are equal, although no enclosure can prove it
    assert_eq!(said("log2(n) = log2(n)").0, Some(0));
}

#[test]
fn lists_of_sources_have_one_limit() {
    for arguments in [
        "cost 6 --sources 2..1000002 --best",
        "cost 6 --sources 2..1000002",
        "cost 6..6 --sources 2..1000002",
    ] {
        let said = refusal(arguments);
        assert!(said.contains("1000000 is the most"), "{arguments}: {said}");
    }
    let rows = stdout("cost 3..3 --sources 2..10002 -a rejection -c source -f csv");
    assert_eq!(rows.lines().count(), 10_002);
}

/// Recipes by factoring are searched to the end. The slowest search once took 24 seconds.
#[test]
fn the_cost_of_a_small_target_is_fast() {
    for arguments in [
        ["cost", "9409", "--source", "97"],
        ["cost", "10000", "--source", "10"],
        ["cost", "8191", "--source", "2"],
    ] {
        let output = within(10, &arguments);
        assert!(output.status.success(), "{arguments:?}");
        let rows = String::from_utf8(output.stdout).unwrap();
        assert!(rows.contains("factoring"), "{rows}");
    }
}

/// The cost of 10^100000 needs only the residues of the first powers of 2.
#[test]
fn the_cost_of_a_long_target_is_fast() {
    let arguments = "cost 10^100000 -a fast-dice-roller -c expected,toll";
    let rows = stdout(arguments);
    // 332192.809... = 100000 log2 10 is the bound
    assert!(rows.starts_with("expected,toll\n33219"), "{rows}");
    assert_eq!(
        stdout("cost 2^100000 -a fast-dice-roller -c algorithm"),
        "algorithm\nfast-dice-roller\n"
    );
}

#[test]
fn unwritable_output_is_a_failure() {
    for line in [
        "flipcost list algorithms >&-",
        "flipcost cost 6 >&-",
        "flipcost --help >&-",
        "flipcost --help >/dev/full",
        "flipcost cost --help >/dev/full",
        "flipcost --version >/dev/full",
        "flipcost roll 6 >/dev/full",
    ] {
        let said = sentence(line, shell(line));
        assert!(
            said.contains("cannot write to standard output"),
            "{line}: {said}"
        );
    }
    let piped = shell("flipcost cost 1..100000 | head -1");
    assert!(piped.status.success() && piped.stderr.is_empty());
    let into_file =
        shell("f=$(mktemp); flipcost cost 6 -f csv -c n -a interval -o $f >&-; cat $f; rm $f");
    assert!(into_file.stdout.is_empty() || into_file.stdout.starts_with(b"n\n"));
}

#[test]
fn errors_of_a_full_disk_name_the_requested_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("asked.csv");
    for arguments in [
        "cost 2..100 --sources 2,4,6,8,10,12,20 --best",
        "cost 1..1000",
    ] {
        let name = file.display();
        // files may have at most 512 bytes, so that writing fails as on a full disk
        let line = format!("trap '' XFSZ; ulimit -f 1; flipcost {arguments} -o {name}");
        let said = sentence(&line, shell(&line));
        assert!(
            said.contains("asked.csv\"") && !said.contains(".flipcost-"),
            "{said}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

const SWEEP: [&str; 3] = ["cost", "1..50", "-o"];

#[test]
fn other_files_are_not_taken_for_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let file = at("f.csv").display().to_string();
    let sweep = |resume: bool| {
        let more = if resume { &["--resume"][..] } else { &[] };
        within(20, &[&SWEEP[..], &[&file], more].concat())
    };
    let pipe = |name: &str| {
        assert!(
            Command::new("mkfifo")
                .arg(at(name))
                .status()
                .unwrap()
                .success()
        );
    };

    pipe("f.csv.part.journal");
    for resume in [false, true] {
        let said = sentence("a pipe for a journal", sweep(resume));
        assert!(
            said.contains("f.csv.part.journal\": it is a link, a pipe"),
            "{said}"
        );
        assert!(!at("f.csv").exists() && !at("f.csv.part").exists());
    }
    fs::remove_file(at("f.csv.part.journal")).unwrap();

    fs::write(at("precious"), "").unwrap();
    for (name, why) in [
        ("f.csv.part", "in the way"),
        ("f.csv.part.journal", "it is a link"),
    ] {
        symlink(at("precious"), at(name)).unwrap();
        for resume in [false, true] {
            let said = sentence("a link", sweep(resume));
            assert!(said.contains(why), "{said}");
        }
        assert_eq!(fs::read(at("precious")).unwrap(), b"");
        fs::remove_file(at(name)).unwrap();
    }
    pipe("f.csv.part");
    assert!(sentence("a pipe for a part", sweep(true)).contains("in the way"));
    fs::remove_file(at("f.csv.part")).unwrap();

    pipe("f.csv");
    assert!(sentence("a pipe", sweep(true)).contains("is a device or a pipe"));
    fs::remove_file(at("f.csv")).unwrap();

    symlink("f.csv", at("f.csv")).unwrap();
    assert!(sentence("a circle", sweep(false)).contains("does not lead to a file"));
    let compare = within(
        20,
        &["cost", "2..20", "--sources", "2,6", "--best", "-o", &file],
    );
    assert!(sentence("a circle", compare).contains("does not lead to a file"));
    assert!(fs::symlink_metadata(at("f.csv")).unwrap().is_symlink());
}

/// A run that has renamed its complete file removes the journal while it still holds the lock on
/// it, so that it cannot remove the journal of the next run.
#[test]
fn a_run_waits_until_the_last_run_removed_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let [file, journal] = ["f.csv", "f.csv.part.journal"].map(|name| folder.path().join(name));
    let last = File::create(&journal).unwrap();
    last.lock().unwrap();
    let name = file.display().to_string();
    let mut next = Command::new(PROGRAM)
        .args(SWEEP)
        .arg(&name)
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(next.try_wait().unwrap().is_none(), "it waits");
    fs::remove_file(&journal).unwrap();
    drop(last);
    assert!(next.wait().unwrap().success());
    assert_eq!(
        fs::read_to_string(&file).unwrap().lines().count(),
        1 + 50 * 9
    );
    assert!(!journal.exists());
}

#[test]
fn a_sentence_fits_a_terminal() {
    let long = "7".repeat(100_000) + "x";
    for argument in [
        "\x1b]0;gone\x07",
        "\x1b[31mred",
        "a\rb",
        "\u{202e}6",
        "6\u{9b}1m",
        &long,
    ] {
        for command in [
            &["cost", argument][..],
            &["sequence", argument],
            &["reproduce", argument],
        ] {
            let said = sentence(argument, within(60, command));
            let control = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!said.contains(control), "{said:?}");
            assert!(said.chars().count() < 2500, "{} letters", said.len());
        }
    }
}

#[test]
fn a_byte_order_mark_is_accepted_in_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let mut file = File::create(&path).unwrap();
        write!(file, "\u{feff}{text}").unwrap();
        path.display().to_string()
    };
    let stripped = write("stripped", "A000001 ,5,6,7,8,9,10,\n");
    let names = write("names", "A000001 A title.\n");
    let found = stdout(&format!(
        "oeis identify 5,6,7,8,9,10 --stripped {stripped} --names {names}"
    ));
    assert!(
        found.contains("A000001") && found.contains("A title."),
        "{found}"
    );
}

#[test]
fn notes_mention_cut_distributions_and_too_few_trials() {
    let said = |arguments: &str| {
        let output = support::flipcost(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments}");
        let [out, err] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
        (out, err)
    };
    let (rows, note) = said("distribution 8 -a fast-dice-roller --upto 6");
    assert_eq!(rows.lines().count(), 5);
    assert!(note.contains("the distribution ends at t = 3"), "{note}");
    let (_, note) = said("distribution 8 -a fast-dice-roller --upto 3");
    assert_eq!(note, "");
    for trials in [1, 3, 9] {
        let (text, _) = said(&format!("roll 6 --test --count {trials} --format table"));
        assert!(text.contains("too few trials"), "{text}");
        assert!(
            !text.contains("agrees") && !text.contains("confidence"),
            "{text}"
        );
        let (csv, _) = said(&format!("roll 6 --test --count {trials} --format csv"));
        assert!(csv.trim_end().ends_with(",untested"), "{csv}");
    }
    assert!(
        said("roll 6 --test --count 1000 --format table")
            .0
            .contains("agrees with")
    );
    assert!(
        said("roll 1 --test --count 3 --format table")
            .0
            .contains("agrees with")
    );
}

#[test]
fn a_run_with_4096_threads_fits_in_memory() {
    let arguments = "cost 1..100 -a interval -c n,expected";
    let with = |line: String| shell(&line);
    let few = with(format!(
        "ulimit -v 4194304; flipcost {arguments} --threads 4096"
    ));
    assert!(
        few.status.success(),
        "{}",
        String::from_utf8_lossy(&few.stderr)
    );
    assert_eq!(few.stdout, support::bytes(arguments));
}

/// Malformed or malicious study files, which somebody else may have sent to the user.
#[test]
fn hostile_studies_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refuse = |name: &str, check: &str| {
        let path = folder.path().join(name);
        let head = "title = \"t\"\nquestion = \"q\"\n";
        let text = if check.starts_with("title") {
            check.to_string()
        } else {
            head.to_string() + check
        };
        fs::write(&path, text).unwrap();
        let root = folder.path().display().to_string();
        let path = path.display().to_string();
        let output = within(60, &["reproduce", "--root", &root, &path]);
        let said = sentence(name, output);
        assert!(!Path::new(&root).join("data").exists(), "{name}");
        said
    };
    for name in ["...toml", ".toml"] {
        assert!(refuse(name, "").contains("cannot give its name"), "{name}");
    }
    let check = "[[check]]\nclaim = \"c\"\npublished = \"p\"\n";
    let missing = "sequence = { id = \"A136043\", file = \"nowhere.txt\" }\n";
    let said = refuse("missing.toml", &format!("{check}{missing}"));
    assert!(said.contains("the check \"c\": cannot read") && said.contains("nowhere.txt"));
    let said = refuse(
        "wrong.toml",
        &format!("{check}sequence = {{ id = \"A136043\", fle = 1 }}\n"),
    );
    assert!(
        said.contains("wrong.toml, line 6, column ") && !said.contains('|'),
        "{said}"
    );
    let long = "x".repeat(1_000_000);
    for (name, text) in [
        ("long", format!("title = \"{long}\"\nquestion = \"q\"\n")),
        (
            "mark",
            "title = \"\\uFFFE\"\nquestion = \"q\"\n[[check]]\nclaim = \"\\uFFFE\"\n".to_string(),
        ),
        ("deep", format!("title = {}1", "[".repeat(100_000))),
    ] {
        refuse(&format!("{name}.toml"), &text);
    }
}

#[test]
fn a_thousand_digit_answer_is_not_mistaken_for_a_refusal() {
    assert!(refusal("cost 10^1000000").contains("must be below 2^1048576"));
    assert!(stdout("cost 10^1000 -a fast-dice-roller -c expected").starts_with("expected\n"));
}

/// Every flag that an error message names exists in the command that printed it.
#[test]
fn flags_that_errors_name_exist() {
    let mut checked = 0;
    for block in include_str!("../../../all/tests/sentences.txt").split("\n\n") {
        let Some((ask, _)) = block
            .strip_prefix(r#"{"ask":""#)
            .and_then(|rest| rest.split_once('"'))
        else {
            continue;
        };
        let mut all = flipcost_all::descriptions().into_iter();
        let question = all.find(|question| question.ask == ask);
        let command = question
            .map_or(ask, |question| question.command)
            .to_string();
        let said = block.lines().skip(1).filter(|line| {
            !line.contains("(python)") && !line.contains("(plain)") && !line.contains("`flipcost ")
        });
        let words = said.flat_map(|line| line.split([' ', ',', ':', ';', '.']));
        let flags: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
        if !flags.is_empty() {
            let help = stdout(&format!("{command} --help"));
            for flag in flags {
                assert!(help.contains(flag), "{command}: {flag}");
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked}");
}
