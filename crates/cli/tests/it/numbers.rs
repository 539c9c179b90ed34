//! Every front end parses numbers in the same way: the texts in `numbers.tsv` have the same values
//! at the command line, in a study, on the page and (in python/tests) in Python.

use crate::support;

use flipcost_page::{Form, reply};
use flipcost_question::Control;
use serde_json::{Value, json};
use std::fmt::Write;
use support::{refusal, run, stdout};

/// Returns the text, the value and the decimals of each number in the file.
fn numbers() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = include_str!("../numbers.tsv").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields.try_into().expect("three fields")
    })
}

#[test]
fn the_command_line_reads_every_number() {
    for [text, value, decimals] in numbers() {
        let (status, said, errors) = run(&["decimals", text, "-f", "jsonl"]);
        assert_eq!(status, 0, "{text}: {errors}");
        let row: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(row["decimals"], decimals, "{text}");
        // as sides, as weights, as a probability
        let whole = !value.contains(['/', '-']) && value != "0";
        let asked = ["cost", "-a", "knuth-yao", "-c", "weight_sum", "--", text];
        let (status, said, errors) = run(&asked);
        if whole {
            assert_eq!(said, format!("weight_sum\n{value}\n"), "{text}: {errors}")
        } else {
            assert_eq!((status, errors.lines().count()), (2, 1), "{text}: {errors}")
        }
        let weights = format!("--weights={text}:1");
        let (status, said, _) = run(&["cost", &weights, "-a", "knuth-yao", "-c", "target"]);
        let (above, below) = value.split_once('/').unwrap_or((value, "1"));
        if value.starts_with('-') {
            assert_eq!(status, 2, "{text}");
        } else if value == "1" {
            // equal weights are a fair die
            assert_eq!(said, "target\n2\n", "{text}");
        } else {
            assert_eq!(said, format!("target\n{above}:{below}\n"), "{text}");
        }
    }
}

#[test]
fn the_page_reads_every_number() {
    for [text, _, decimals] in numbers() {
        let question = json!({ "ask": "decimals", "of": text }).to_string();
        let reply = reply(&question, Form::Answer, &Control::default());
        let answer: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(answer["rows"][0][1], decimals, "{text}: {answer}");
    }
}

#[test]
fn a_study_reads_every_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut study = String::from(
        "title = \"Numbers\"\nquestion = \"Are numbers read as people write them?\"\n",
    );
    for [text, value, _] in numbers() {
        write!(
            study,
            "\n[[check]]\nclaim = \"{text}\"\npublished = \"{value}\"\nsource = \"numbers.tsv\"\nthat = \"{text} = {value}\"\n"
        )
        .unwrap();
    }
    let file = folder.path().join("numbers.toml");
    std::fs::write(&file, study).unwrap();
    let root = folder.path().to_str().unwrap();
    let (status, said, errors) = run(&["reproduce", "--root", root, file.to_str().unwrap()]);
    assert_eq!(status, 0, "{said}{errors}");
}

/// The quantiles at 0.95 and at 1 - 2^-128 differ, and neither is 0.
#[test]
fn a_quantile_is_an_expression() {
    let rows = stdout("distribution 6 -q 1-1/20,1-1/2^128,1-2^-128 -f csv");
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    let level = |row: &str| row.split(',').nth(1).unwrap().parse::<u64>().unwrap();
    // P(T > t) <= 2^-128 needs more than 64 rounds of two flips
    assert!(level(rows[0]) < 10 && level(rows[1]) > 120, "{rows:?}");
    assert_eq!(level(rows[1]), level(rows[2]));
    assert!(refusal("distribution 6 -q 1+1/2").contains("between 0 and 1"));
}

#[test]
fn the_refusal_of_a_number_states_its_size() {
    let said = refusal("cost 9^9^9^9");
    assert!(
        said.contains("about 1228093895 bits, and 16777216 is the most"),
        "{said}"
    );
    let said = refusal("cost 3+1/2");
    assert!(
        said.contains("its value is 7/2, and a whole number from 1 was expected"),
        "{said}"
    );
}

#[test]
fn a_comma_separates_several_targets() {
    let modes = |arguments: &str| stdout(arguments).lines().count();
    assert_eq!(stdout("batch 4,7,8 -s 6"), stdout("batch 4 7 8 -s 6"));
    assert_ne!(stdout("batch 4,7,8 -s 6"), stdout("batch 4:7:8 -s 6"));
    assert!(modes("batch 3,(binomial:n=2,p=1/3) -s 6") > 1);
    let said = refusal("batch binomial:n=2,p=1/3");
    assert!(said.contains("stands in brackets"), "{said}");
    // commas are accepted in a single target, and stderr says how they were read
    let (status, with_commas, note) = run(&["cost", "4,7,8"]);
    assert_eq!(status, 0);
    assert_eq!(with_commas, stdout("cost 4:7:8"));
    assert!(
        note.contains("4,7,8 is read as the weights 4:7:8"),
        "{note}"
    );
    let (_, _, quiet) = run(&["cost", "4:7:8"]);
    assert!(!quiet.contains("is read as"), "{quiet}");
}

/// A minus sign never means a range.
#[test]
fn a_minus_sign_is_a_difference() {
    assert_eq!(
        stdout("cost 10-4 --sources 2,3"),
        stdout("cost 6 --sources 2,3")
    );
    assert!(refusal("cost 2-20").contains("write the range as 2..20"));
    assert_eq!(
        stdout("cost 4..2*3 -a interval"),
        stdout("cost 4,5,6, -a interval")
    );
}

/// A die such as d6 needs no number before its d, and the d is never ignored.
#[test]
fn a_die_in_an_expression_is_a_die() {
    let law = |text: &str| {
        let arguments = ["cost", text, "-a", "knuth-yao", "-c", "target,weight_sum"];
        let (status, said, errors) = run(&arguments);
        assert_eq!(status, 0, "{text}: {errors}");
        said
    };
    assert_eq!(law("d6 + 1d4"), "target,weight_sum\nd6 + 1d4,24\n");
    assert_eq!(law("d6+d4"), "target,weight_sum\nd6+d4,24\n");
    assert_eq!(law("d6+1"), "target,weight_sum\n6,6\n");
    let (_, said, _) = run(&["cost", "6", "-s", "d6+1"]);
    assert_eq!(said, "");
}

#[test]
fn one_line_of_a_file_may_be_all_weights() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["4,7,8", "4:7:8", "4; 7; 8\n"] {
        let file = folder.path().join("weights");
        std::fs::write(&file, line).unwrap();
        let of_file = format!("@{}", file.display());
        let (status, said, errors) = run(&["cost", &of_file, "-c", "target", "-a", "fldr"]);
        assert_eq!(
            (status, said.as_str()),
            (0, "target\n4:7:8\n"),
            "{line}: {errors}"
        );
    }
}

#[test]
fn a_stream_needs_fair_dice() {
    assert!(refusal("stream 4:7:8 --states 16").contains("a stream needs fair dice"));
    assert_eq!(
        stdout("stream 4..5 --states 64"),
        stdout("stream 4,5 --states 64")
    );
}

/// 1/1000! is not shown as 0, although 0 is the nearest double.
#[test]
fn values_too_small_for_doubles_are_reported() {
    let (status, said, note) = run(&["cost", "6", "-a", "interval", "-c", "1/1000!*n"]);
    assert_eq!((status, said.as_str()), (0, "1/1000!*n\n\"\"\n"), "{note}");
    assert!(note.contains("nearer to 0 than any double"), "{note}");
    let (_, zero, _) = run(&["cost", "6", "-a", "interval", "-c", "0*n"]);
    assert_eq!(zero, "0*n\n0\n");
}

/// P(T = t) has t binary digits; a long fraction is written only on request.
#[test]
fn long_fractions_are_written_on_request() {
    let longest = |more: &str| {
        let (status, said, note) = run(&[
            &["distribution", "10007", "--upto", "4000"],
            &more.split_whitespace().collect::<Vec<_>>()[..],
        ]
        .concat());
        assert_eq!(status, 0, "{note}");
        (said.lines().map(str::len).max().unwrap(), note)
    };
    let (short, note) = longest("");
    assert!(
        short <= 2100 && note.contains("--exact asks for it all the same"),
        "{note}"
    );
    let (long, _) = longest("--exact");
    assert!(long > short);
}

/// A value that no double is near is shown as an empty cell, not as infinity or 0; only 0 is shown
/// as 0.
#[test]
fn doubles_are_written_only_for_numbers_near_them() {
    let line = "cost 1e-400:1 -a knuth-yao -c expected,entropy,toll -f csv";
    let (status, said, notes) = run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(
        (status, said.lines().last().unwrap().ends_with(",,")),
        (0, false),
        "{said}"
    );
    assert!(said.lines().last().unwrap().contains(",,"), "{said}");
    assert!(notes.contains("entropy is left out"), "{notes}");
    assert!(
        notes.contains("nearer to 0 than any double: decimals (--digits) show its value"),
        "{notes}"
    );
    let decimals = stdout("cost 1e-400:1 -a knuth-yao -c entropy -d 403 -f csv");
    assert!(
        decimals.contains("0.000") && !decimals.trim().ends_with("000"),
        "{decimals}"
    );
    let dear = stdout("plan 7 --dice 2,6 --cost 6=1e400 -f csv");
    assert!(
        dear.lines().nth(1).is_some_and(|row| !row.contains("inf,")),
        "{dear}"
    );
    let zero = stdout("cost 6 -a fast-dice-roller -f csv -c pi*0,0*log2(n)");
    assert_eq!(zero.lines().last(), Some("0,0"));
    let (status, wrong, _) = run(&["verify", "--that", "n=1e400", "-a", "interval", "--to", "5"]);
    assert_eq!(status, 1);
    assert!(
        wrong.contains("10000000...00000000 (401 digits)"),
        "{wrong}"
    );
}

/// A note does not suggest `--exact` if it was already given, and every front end says when it read
/// commas as separators of weights.
#[test]
fn notes_suggest_only_options_that_help() {
    let line = "cost 1e400 --exact -a fast-dice-roller -c expected_exact -f csv";
    let (status, _, notes) = run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(status, 0);
    assert!(
        notes.contains("is left out") && !notes.contains("--exact"),
        "{notes}"
    );
    let query = flipcost_all::from_json(r#"{"ask":"cost","target":"4,7,8","columns":["target"]}"#);
    let answer = query.unwrap().answer(&Control::default()).unwrap();
    assert!(
        answer.foot.notes[0]
            .to_string()
            .contains("is read as the weights 4:7:8")
    );
}

/// A NaN in the first line of a file of weights is not taken for a heading, and the value of an
/// option may begin with a minus sign.
#[test]
fn numbers_that_look_like_words_or_options_are_parsed() {
    let folder = tempfile::tempdir().unwrap();
    for head in ["NaN", "inf", "-inf", "e"] {
        let file = folder.path().join("weights.txt");
        std::fs::write(&file, format!("{head}\n2\n3\n")).unwrap();
        let said = refusal(&format!("cost @{}", file.display()));
        assert!(said.contains("line 1 of the weights"), "{said}");
    }
    let minus = stdout("cost 6 -a fast-dice-roller -c -n^2 -f csv");
    assert_eq!(minus.lines().last(), Some("-36"));
    assert!(refusal("cost 6 --dice -2,6").contains("--dice"));
    assert!(refusal("cost 6 -s -2+4+-3").contains("its value is -1"));
    let long = refusal("decimals 1e6000000");
    assert!(long.contains("16777216 is the most"), "{long}");
    let (status, _, notes) = run(&["cost", "4099", "--sources", "2", "--best"]);
    assert_eq!(status, 0);
    assert!(
        notes.contains("expected_exact is left out of 1 row "),
        "{notes}"
    );
}
