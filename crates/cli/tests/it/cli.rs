//! The program as a user sees it: outputs, exit codes, and one clear sentence for bad input.

use crate::support;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use support::{flipcost, refusal, stdout};

#[test]
fn bad_input_gets_one_sentence_and_status_2() {
    for (arguments, names) in [
        ("cost 0", "at least 1"),
        ("cost 6 --source 1", "2 to 2^64"),
        ("cost 6 --source 0", "2 to 2^64"),
        ("cost 6 --source 2^64+1", "2 to 2^64"),
        ("cost -5", "its value is -5"),
        ("cost six", "character 1"),
        ("cost 10^", "end"),
        ("cost 2^2^70", "bits"),
        ("cost 1..10^400", "2^64"),
        ("cost 0..5", "at least 1"),
        ("cost 9..3", "reversed"),
        ("cost 1..9 --columns expekted", "expected"),
        ("cost 1..9 --format b-file", "column"),
        (
            "cost 1..9 --format b-file --columns toll -a interval",
            "integers",
        ),
        (
            "cost 1..9 --format b-file --columns worst_case -a rejection",
            "integers",
        ),
        ("cost 6 --algorithm rejction", "did you mean rejection?"),
        (
            "distribution 6 --algorithm fast-dice-roler",
            "did you mean fast-dice-roller?",
        ),
        ("cost 6 --digits 10^9", "too many"),
        ("roll 6 --input HT", "ran out"),
        ("roll 6 --input HXT", "roll 2"),
        ("roll 6 --source 6 --input 7", "1 to 6"),
        ("sequence mr:x=0", "greater than 0"),
        ("sequence mr:x=1/0", "denominator"),
        ("sequence mr:x=1/29,base=1", "2 to 2^32"),
        ("show 6 --as flowchart -o /tmp/x.gif", ".svg"),
        ("show 10^9+7 --as flowchart -o /tmp/x.svg", "rounds"),
        ("sequence A000000", "not a known sequence"),
        ("cost 6 -o /no/such/folder/x.csv", "/no/such/folder"),
        ("cost 6 -o /dev/full", "/dev/full"),
        ("cost 6 -o /", "directory"),
        ("reproduce --root ../.. no-such-study", "no-such-study"),
        ("figure expected_exact -o /tmp/x.svg", "expected_exact"),
        ("cots 6", "'cost'"),
        ("show 6 --as flowchart -o /tmp/x.gif", ".png"),
        ("cost 6 --columns n,toll,n", "n twice"),
        ("cost 6 -o /tmp/x.png", "picture"),
        ("distribution 6 -a interval -q -0.5", "its value is -1/2"),
        ("sequence mr:x=pi --terms 10^7", "200000"),
        ("cost 10^100+3 -a bounded", "(101 digits)"),
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains(names), "{arguments}: {sentence}");
    }
}

/// Recycling is a policy for a stream of targets, which `batch` and the `keep` rows of `shuffle`
/// compute.
#[test]
fn recycling_is_not_an_algorithm() {
    for arguments in [
        "cost 6 -a recycling",
        "cost 1..9 -a rejection,recycling",
        "cost 2..100 --sources 2,4,6,8,10,12,20 --best -a recycling",
        "roll 6 -a recycling",
        "roll 6 --test -a recycling",
        "show 6 --as tree -a recycling",
        "show 6 --as table -a recycling",
        "distribution 6 -a recycling",
        "export prism 6 -a recycling",
    ] {
        let sentence = refusal(arguments);
        assert!(sentence.contains("`flipcost batch`"), "{sentence}");
    }
    let sentence = refusal("sequence expected-numerator:algorithm=recycling");
    assert!(sentence.contains("batches use it"), "{sentence}");
    // recycling is neither listed nor suggested as an algorithm
    for arguments in ["cost 6 -a recyclin", "cost 6 -a x"] {
        let sentence = refusal(arguments);
        assert!(sentence.contains("choose one of fast-dice-roller,"));
        assert!(
            sentence.contains("`flipcost list algorithms`"),
            "{sentence}"
        );
        assert!(sentence.contains("`flipcost libraries`"), "{sentence}");
        assert!(!sentence.contains("recycling"), "{sentence}");
    }
    let sentence = refusal("cost 6 -a cpython-randbelo");
    assert!(
        sentence.contains("did you mean cpython-randbelow?"),
        "{sentence}"
    );
    assert!(sentence.contains("`flipcost libraries`"), "{sentence}");
    for arguments in [
        "list algorithms",
        "cost 6",
        "shuffle 5",
        "cost --help",
        "completions bash",
    ] {
        assert!(!stdout(arguments).contains("recycling"), "{arguments}");
    }
    assert_eq!(stdout("list algorithms").lines().count(), 1 + 27 + 10);
}

#[test]
fn a_full_disk_at_standard_output_is_a_failure() {
    for arguments in [
        "cost 6",
        "cost 1..5000 --columns n",
        "man",
        "completions bash",
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_flipcost"));
        let output = command
            .args(arguments.split(' '))
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).lines().count(),
            1,
            "{arguments}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_flipcost"))
        .args([
            "cost",
            "1..1000000",
            "--columns",
            "n,expected",
            "-a",
            "interval",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap(); // the file is then closed
    assert_eq!(first, "n,expected\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn a_failed_run_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rounds.txt");
    std::fs::write(&file, "good").unwrap();
    let name = file.to_str().unwrap();
    // worst_case is an integer for n = 1, 2 and unbounded for n = 3: the run fails after it has
    // written some rows
    refusal(&format!(
        "cost 1..9 --format b-file --columns worst_case -a interval -o {name}"
    ));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "good");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    stdout(&format!(
        "cost 1..9 --format b-file --columns cycle_rounds -o {name}"
    ));
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "1 1\n2 1\n3 1\n4 1\n5 2\n6 1\n7 1\n8 1\n9 3\n"
    );
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let sweep = |threads| {
        stdout(&format!(
            "cost 1..3000 --columns n,algorithm,expected,toll,worst_case,period,cycle_rounds --source 6 --threads {threads}"
        ))
    };
    let one = sweep(1);
    assert!(one.lines().count() > 18000 && one == sweep(2) && one == sweep(3));
}

#[test]
fn rows_are_in_order_of_n_then_algorithm() {
    let text = stdout(
        "cost 5..6 --columns n,algorithm,expected_exact,worst_case --format csv -a interval,rejection,fast-dice-roller",
    );
    assert_eq!(
        text,
        "n,algorithm,expected_exact,worst_case\n5,fast-dice-roller,18/5,inf\n5,rejection,24/5,inf\n5,interval,4,inf\n\
         6,fast-dice-roller,11/3,inf\n6,rejection,4,inf\n6,interval,4,inf\n"
    );
}

#[test]
fn json_lines_keep_fractions_as_strings() {
    let text = stdout(
        "cost 8..8 --columns n,expected_exact,expected,worst_case,efficiency --format jsonl -a fast-dice-roller",
    );
    let row: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        row,
        serde_json::json!({"n": 8, "expected_exact": "3", "expected": 3.0, "worst_case": 3, "efficiency": 1.0})
    );
}

#[test]
fn decimals_are_rounded_correctly_and_ties_go_to_even() {
    let one = |arguments: &str| stdout(arguments).lines().nth(1).unwrap().to_string();
    assert_eq!(
        one("cost 1000000007 --digits 50 --columns expected -a fast-dice-roller"),
        "30.31442005538229654074687366543300288588015408554243"
    );
    assert_eq!(
        one("cost 6 -a base-conversion-early --digits 3 --columns expected"),
        "3.667"
    );
    assert_eq!(
        one("cost 2 --source 3 -a fast-dice-roller --digits 0 --columns expected"),
        "2"
    ); // 3/2
    let large = one("cost 10^200+1 -a fast-dice-roller --digits 40 --columns entropy,toll");
    assert!(
        large.starts_with("664.3856189774724695740638858978780351729"),
        "{large}"
    ); // 200 log2 10
}

#[test]
fn a_large_fraction_is_announced_not_printed() {
    let output = flipcost("cost 1000000007 -a fast-dice-roller --columns expected_exact")
        .output()
        .unwrap();
    assert!(output.status.success());
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(
        note.contains("500000019 bits") && note.contains("--exact"),
        "{note}"
    );
    let exact = stdout("cost 200003 --exact -a fast-dice-roller --columns expected_exact");
    assert!(exact.len() > 50_000);
}

#[test]
fn rolls_of_a_person_are_accepted() {
    assert_eq!(stdout("roll 6 --input HTH"), "3\n");
    assert_eq!(stdout("roll 6 --source 6 --input 4,2 --count 2"), "4\n2\n");
    let trace = stdout("roll 6 --input TTTHT --trace");
    assert!(
        trace.contains("v = 2, c = 1") && trace.ends_with("(5 flips)\n"),
        "{trace}"
    );
    assert_eq!(
        stdout("roll 100 --seed 7 --count 5"),
        stdout("roll 100 --seed 7 --count 5")
    );
}

#[test]
fn help_man_and_completions_are_generated() {
    assert!(stdout("--help").contains("explore") && !stdout("help").contains("reproduce"));
    assert!(stdout("help all").contains("reproduce"));
    assert!(stdout("man").contains(".TH"));
    assert!(stdout("completions bash").contains("flipcost"));
    let folder = tempfile::tempdir().unwrap();
    stdout(&format!("man --output {}", folder.path().display()));
    assert!(folder.path().join("flipcost-cost.1").is_file());
}

#[test]
fn mr_expansions_are_printed() {
    let terms = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let (status, terms, note) = support::run(&words);
        assert_eq!(status, 0, "{line}: {note}");
        (terms, note)
    };
    assert_eq!(
        terms("sequence mr:x=2^100 --terms 2"),
        (
            "0, 0\n".to_string(),
            "note: pre-period 1267650600228229401496703205375, period 1\n".to_string()
        )
    );
    assert_eq!(
        terms("sequence mr:x=1/29 --terms 5"),
        (
            "5, 4, 1, 2, 3\n".to_string(),
            "note: pre-period 0, period 14\n".to_string()
        )
    );
    assert_eq!(
        terms("sequence mr:x=1,base=3 --terms 4"),
        (
            "1, 0, 1, 0\n".to_string(),
            "note: pre-period 0, period 2\n".to_string()
        )
    );
}

#[test]
fn the_example_of_a_study_runs() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("mine.toml");
    std::fs::write(&study, stdout("reproduce --keys example")).unwrap();
    let root = folder.path().display();
    let report = stdout(&format!("reproduce --root {root} {}", study.display()));
    let verdicts: Vec<&str> = report
        .lines()
        .map(|line| line.rsplit(',').next().unwrap())
        .collect();
    assert_eq!(
        verdicts,
        ["verdict", "reproduced", "reproduced"],
        "{report}"
    );
    for made in [
        "figures/mine/toll.svg",
        "figures/mine/toll.png",
        "data/mine",
    ] {
        assert!(folder.path().join(made).exists(), "{made}");
    }
}

/// A study's document contains what the program prints. A wrong command line in a document is
/// reported before anything is computed.
#[test]
fn a_study_writes_documents() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("mine.toml");
    let run = |command: &str| {
        let text = format!(
            "title = \"t\"\nquestion = \"q\"\n[[questions]]\nname = \"answers\"\ntitle = \"Asked\"\n\
             [[questions.asked]]\nquestion = \"A d6?\"\nasked-in = \"a forum\"\ncommands = [\"{command}\"]\n\
             [[library-table]]\nname = \"bits\"\ntitle = \"Bits\"\ndice = [{{ name = \"a d8\", n = 8 }}]\n\
             [[library-versions]]\nname = \"versions\"\ntitle = \"Versions\"\n"
        );
        std::fs::write(&study, text).unwrap();
        format!(
            "reproduce --root {} {}",
            folder.path().display(),
            study.display()
        )
    };
    stdout(&run(
        "flipcost cost 6 --sources 2 -a bounded -c n,possible,missing_prime",
    ));
    let made = |name: &str| std::fs::read_to_string(folder.path().join("data/mine").join(name));
    let answers = made("answers.md").unwrap();
    assert_eq!(
        answers,
        "# Asked\n\n## 1. A d6?\n\nAsked in: a forum.\n\n```console\n\
         $ flipcost cost 6 --sources 2 --algorithm bounded --columns n,possible,missing_prime\n\
         Of n = 6: n 6, possible false, missing_prime 3.\n\nn 6\n\n\
         possible  missing_prime\n   false              3\n```\n"
    );
    // two words of 32 bits for a power of two: Lib/random.py takes n.bit_length() bits
    let bits = made("bits.md").unwrap();
    let line = bits.lines().find(|line| line.contains("cpython-randbelow"));
    assert!(line.unwrap().ends_with("| 64 |"), "{line:?}");
    assert!(
        made("bits.csv")
            .unwrap()
            .contains("entropy,,lower bound,3,3,0")
    );
    assert!(made("versions.csv").unwrap().contains("Lib/random.py"));
    assert!(!folder.path().join("figures").exists());
    let refused = refusal(&run("flipcost cost six"));
    assert!(refused.contains("mine.toml, line 9"), "{refused}");
}

#[test]
fn a_study_that_fails_exits_1_and_a_broken_one_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("analysis")).unwrap();
    let study = folder.path().join("analysis/mine.toml");
    let check = |is: &str| {
        let text = format!(
            "title = \"t\"\nquestion = \"q\"\n[[check]]\nclaim = \"c\"\npublished = \"{is}\"\n\
             that = \"cost(6, algorithm: rejection).expected = {is}\"\n"
        );
        std::fs::write(&study, text).unwrap();
        flipcost(&format!("reproduce --root {}", folder.path().display()))
            .output()
            .unwrap()
    };
    let good = check("4");
    assert!(good.status.success());
    assert_eq!(
        String::from_utf8(good.stdout).unwrap(),
        "study,claim,published,computed,verdict\nmine,c,4,4,reproduced\n"
    );
    assert_eq!(check("11/3").status.code(), Some(1));
    let broken = check("four");
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        String::from_utf8(broken.stderr)
            .unwrap()
            .contains("mine.toml, line 6")
    );
}
