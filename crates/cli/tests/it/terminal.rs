//! The output at a terminal: lines that fit its width, long texts in the pager, numbers with six
//! digits.
#![cfg(target_os = "linux")]

use crate::support;

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use support::{bytes, flipcost, stdout};

/// Returns the text that a run writes to a terminal of 24 lines with this many columns, and its
/// exit status.
fn run_at_terminal(columns: u16, pager: &str, arguments: &str) -> (String, i32) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let screen = openpt(flags).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&screen, size).unwrap();
    let end = || Stdio::from(ioctl_tiocgptpeer(&screen, flags).unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_flipcost"))
        .args(arguments.split_whitespace())
        .envs([("FLIPCOST_PAGER", pager), ("TERM", "xterm")])
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    let mut text = Vec::new();
    // The system reports an error at the end of a terminal that has no writer any more.
    let _ = File::from(screen).read_to_end(&mut text);
    let status = child.wait().unwrap().code().unwrap();
    let text = String::from_utf8(text).unwrap().replace("\r\n", "\n");
    (text, status)
}

fn terminal_output(arguments: &str) -> String {
    run_at_terminal(80, "cat", arguments).0
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for arguments in [
        "oeis check A136043",
        "oeis identify 1,1,1,1,2,1,1,1,3",
        "show 100 --as table",
        "sequence A136043",
        "sequence mr:x=1/29",
        "distribution 8 -a fast-dice-roller --upto 6",
        "cost 2..8 --sources 2,6 --best",
        "batch 4 13 --source 6",
        "batch 10^200",
        "plan 7 --dice 2,6",
        "list words no-such-word",
        "cost 6x",
        "cost 6 -a interval,no-such-algorithm",
        "list sequences period",
        "cost 1..40 --summary",
        "study",
        "cite fast-dice-roller",
        "cite fast-dice-roller -f bibtex",
        "cite A136043",
        "oeis --help",
        "oeis extend --help",
        "ask --help",
        "plan d20 --throw cards:4/52",
    ] {
        for columns in [80, 120] {
            let (text, _) = run_at_terminal(columns, "cat", arguments);
            assert!(!text.trim().is_empty(), "{arguments}");
            for line in text.lines() {
                let wide = line.chars().count();
                assert!(wide <= columns.into(), "{arguments}: {wide}: {line}");
            }
        }
    }
}

#[test]
fn long_texts_are_shown_in_the_pager() {
    for arguments in [
        "",
        "--help",
        "cost --help",
        "show 1000 --as flowchart",
        "show 100 --as tree",
        "show 100 --as table",
        "export prism 100",
        "oeis draft A136043 -t 100",
    ] {
        let (text, _) = run_at_terminal(80, "sed s/^/paged:/", arguments);
        let paged = text.lines().filter(|line| line.starts_with("paged:"));
        assert!(paged.count() >= 24, "{arguments}: {text}");
        let (plain, _) = run_at_terminal(80, "sed s/^/paged:/", &format!("{arguments} --no-pager"));
        assert!(!plain.contains("paged:"), "{arguments}");
    }
    let (short, _) = run_at_terminal(80, "sed s/^/paged:/", "show 6 --as flowchart");
    assert!(!short.contains("paged:"), "{short}");
    assert_eq!(run_at_terminal(80, "cat", "").1, 2);
    assert_eq!(run_at_terminal(80, "cat", "--help").1, 0);
}

#[test]
fn numbers_have_six_digits_by_default() {
    let batch = terminal_output("batch 4 13 --source 6");
    assert!(batch.contains("1.33333 1.99233"), "{batch}"); // 4/3 and 2327482/699855 - 4/3
    let more = terminal_output("batch 4 13 --source 6 --digits 10");
    assert!(more.contains("1.3333333333"), "{more}");
    let mean = terminal_output("distribution 6");
    assert!(mean.contains("mean 3.66667 flips"), "{mean}"); // 11/3
    assert!(terminal_output("distribution 6 --digits 10").contains("mean 3.6666666667 flips"));
    assert!(terminal_output("plan 7 --dice 2,6").contains("72/35 ≈ 2.05714\n"));
    assert!(stdout("plan 7 --dice 2,6 -f table").contains("72/35 ≈ 2.05714\n"));
    let long = terminal_output("batch 10^100");
    assert!(long.contains("10000000...00000000 (101 digits)"), "{long}");
}

#[test]
fn requested_columns_stay_on_the_screen() {
    // after the summary and an empty line
    let head_of = |text: &str| {
        let (_, table) = text.split_once("\n\n").unwrap();
        table.lines().next().unwrap().to_string()
    };
    let head = head_of(&terminal_output("cost 2..8 --sources 2,6 --best"));
    assert!(head.contains(" toll"), "{head}");
    let (narrow, _) = run_at_terminal(70, "cat", "cost 2..8 --sources 2,6 --best");
    let head = head_of(&narrow);
    assert!(head.contains(" toll") && !head.contains(" bits"), "{head}");
    let found = terminal_output("oeis identify 1,1,1,1,2,1,1,1,3");
    let head = head_of(&found);
    assert!(
        head.contains(" title ") && head.ends_with(" sequence"),
        "{found}"
    );
    let table = terminal_output("show 100 --as table");
    let head = head_of(&table);
    assert_eq!(head.split(' ').next_back(), Some("result"));
}

#[test]
fn a_summary_shows_the_mean_and_the_extremes() {
    let text = terminal_output("cost 1..40 --summary");
    let head = text
        .lines()
        .find(|line| line.contains("algorithm"))
        .unwrap();
    for name in ["column", "mean", "least", "largest"] {
        assert!(head.split_whitespace().any(|word| word == name), "{head}");
    }
    assert!(!text.contains("digits)/("), "{text}");
    // 1, 2, 4, 8, 16 and 32 have a worst case and the other 34 have none, for each of 7 algorithms;
    // by rejection none of the 40 has one
    let notes = text.replace("\n  ", " ");
    assert!(
        notes.contains("worst_case is left out of n = 1 from a coin, by rejection (and 277 more): it is infinite"),
        "{notes}"
    );
    let by = "efficiency is left out of n = 1 from a coin, by fast-dice-roller (and 7 more)";
    assert!(notes.contains(by), "0 / 0 at n = 1: {notes}");
}

#[test]
fn an_entry_has_one_row_and_its_sequences() {
    let text = terminal_output("oeis identify 1,1,1,1,2,1,1,1,3,2,5");
    let (_, table) = text.split_once("\n\n").unwrap();
    assert_eq!(table.matches("A136043").count(), 1, "{text}");
    let head = table.lines().next().unwrap();
    assert!(
        head.contains("title") && head.contains("sequence"),
        "{head}"
    );
    let plain = text.split_whitespace().collect::<String>();
    assert!(plain.contains("cycle-rounds:source=2"), "{text}");
}

#[test]
fn an_instant_answer_has_no_bar() {
    for arguments in [
        "roll 7 --seed 1",
        "sequence A136043",
        "cost 2..4 --sources 2,4,6,8,10,12,20 --best",
    ] {
        let text = terminal_output(arguments);
        assert!(!text.contains("gone") && !text.contains('\r'), "{text:?}");
    }
}

#[test]
fn a_draft_names_its_files_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("d");
    let text = terminal_output(&format!(
        "oeis draft A136043 -t 100 -o {}",
        folder.display()
    ));
    assert_eq!(text.matches("A136043.seq").count(), 1, "{text}");
    assert_eq!(text.matches("b136043.txt").count(), 1, "{text}");
}

#[test]
fn dice_are_shown_by_their_names() {
    for (named, plain) in [
        ("plan 7 --dice coin,d6", "plan 7 --dice 2,6"),
        ("plan d20 --throw d6,d6", "plan 20 --throw 6,6"),
        ("cost d6 --source d10", "cost 6 --source 10"),
        (
            "plan d13 --dice d6,d10 --factoring",
            "plan 13 --dice 6,10 --factoring",
        ),
    ] {
        assert_eq!(bytes(named), bytes(plain), "{named}");
        let query = |arguments| stdout(&format!("--query {arguments}"));
        assert_eq!(query(named), query(plain), "{named}");
    }
}

#[test]
fn a_pipe_gets_one_line_for_a_sentence() {
    let output = flipcost("list words no-such-word").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1);
    assert!(said.len() > 200, "{said}");
}

/// The columns that answer the question are the last to be hidden on a narrow screen.
#[test]
fn the_columns_of_a_question_stay_on_the_screen() {
    let words = |arguments: &str| {
        let text = terminal_output(arguments);
        let shown = text.split("Too wide").next().unwrap().to_string();
        shown
            .split_whitespace()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let libraries = words("libraries python");
    for name in ["language", "function", "bits_drawn", "total_variation"] {
        assert!(libraries.iter().any(|shown| shown == name), "{libraries:?}");
    }
    let bias = words("bias 1000000007");
    for name in ["total_variation", "detect", "detect_best"] {
        assert!(bias.iter().any(|shown| shown == name), "{bias:?}");
    }
}

#[test]
fn statistical_numbers_have_two_digits() {
    assert!(terminal_output("bias 6").contains("≈ 5.1e19"));
}

/// At a terminal the summary comes first; in a pipe there are only rows.
#[test]
fn an_answer_begins_with_its_sentence() {
    for (arguments, begins) in [
        (
            "cost 6",
            "A d6 from a coin takes 11/3 ≈ 3.667 flips on average",
        ),
        (
            "distribution 6",
            "A d6 from a coin by the fast dice roller takes 3.667 flips",
        ),
        (
            "plan 7 --dice 2,6",
            "A d7 from a coin and a d6 takes 72/35 ≈ 2.057 rolls",
        ),
        (
            "advise 100",
            "For a d100 from a coin take the fast dice roller",
        ),
        (
            "show 6",
            "The tree of a d6 from a coin by the fast dice roller",
        ),
        (
            "verify toll --to 1000",
            "The claim holds for every n from 1 to 1000",
        ),
        (
            "bias 100",
            "rand() % 100 from 32 bits: outcomes differ by 2.3 in 10^8",
        ),
        (
            "cost 2 --source 1:2 --optimal",
            "A d2 from a coin loaded 1:2 takes 2 flips",
        ),
    ] {
        let text = terminal_output(arguments);
        assert!(text.starts_with(begins), "{arguments}: {text}");
        let piped = stdout(arguments);
        assert!(!piped.contains(begins), "{arguments}: {piped}");
    }
}

/// At 80 columns the answering columns are shown, and the others that are left out are named.
#[test]
fn answering_columns_are_never_hidden() {
    for (arguments, columns) in [
        (
            "cost 1..40 --summary",
            &["mean", "least", "largest", "largest_at"][..],
        ),
        (
            "bias p256 --from 2^320",
            &["total_variation", "total_variation_log2", "detect_best"],
        ),
        (
            "cost 2 --source 3:2",
            &["expected_exact", "expected", "toll", "needs_load"],
        ),
        ("shuffle 5 --broken", &["total_variation", "detect", "what"]),
        (
            "libraries",
            &["bits_drawn", "total_variation", "language", "function"],
        ),
        ("list sequences", &["id", "a_number", "title"]),
        (
            "cost 1..10 -a interval -c n,expected_exact,expected,toll,variance,entropy,efficiency,worst_case",
            &["worst_case", "variance"],
        ),
    ] {
        let (text, _) = run_at_terminal(80, "cat", arguments);
        let (shown, left_out) = text
            .split_once("Too wide for this screen: ")
            .unwrap_or((&text, ""));
        let left_out = left_out
            .split(" (-f")
            .next()
            .unwrap_or_default()
            .replace('\n', " ");
        for column in columns {
            assert!(
                shown.split_whitespace().any(|word| word == *column),
                "{arguments}: {column}: {text}"
            );
            assert!(
                !left_out.split([',', ' ']).any(|name| name == *column),
                "{arguments}: {left_out}"
            );
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

/// An id is short enough to be copied, and words in the table are explained.
#[test]
fn ids_are_short_and_words_are_explained() {
    let libraries = terminal_output("libraries -c id,function,checked");
    for id in ["numpy-integers-uint8-scalar", "cpython-randbelow"] {
        assert!(libraries.contains(id), "{id}");
    }
    assert!(
        libraries.contains("run: its words were counted or replayed, too"),
        "{libraries}"
    );
    // one line for each function, with its language and name first
    let libraries = terminal_output("libraries python");
    let rows: Vec<&str> = libraries.lines().collect();
    assert!(
        rows[0].starts_with("Of 10 functions for a d6"),
        "{libraries}"
    );
    assert!(rows[4].starts_with("language  function "), "{libraries}");
    assert!(
        rows[6].starts_with("Python    secrets.randbelow, SystemRandom  "),
        "{libraries}"
    );
    assert!(
        libraries.contains("Too wide for this screen: id, "),
        "{libraries}"
    );
    let within = terminal_output("bias p256p --within 2^-128");
    for word in ["least: ", "every: ", "rfc9380: "] {
        assert!(within.contains(&format!("\n{word}")), "{within}");
    }
    assert!(!terminal_output("bias 6 --words 8").contains("least: "));
}

/// A ratio that is not 1 is not shown as 1, and a number near an integer shows the difference.
#[test]
fn small_differences_are_shown() {
    let bias = terminal_output("bias 100 --words 64 -f table");
    assert!(
        !bias.contains("1.00000 ") && !bias.contains("≈ 1.00000"),
        "{bias}"
    );
    let shuffled = terminal_output("shuffle 52 --libraries");
    assert!(shuffled.contains("51 + 1.38e-7 words"), "{shuffled}");
    let advice = terminal_output("advise 10^30 --source word:64");
    assert!(!advice.contains("18446744073.7096"), "{advice}");
}

/// The Markdown format is suitable for a pull request.
#[test]
fn markdown_has_the_sentence_and_the_answering_columns() {
    let text = stdout("cost 6 -f markdown");
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("A d6 from a coin takes 11/3 ≈ 3.667 flips")
    );
    assert_eq!(
        lines.nth(1),
        Some("| algorithm | expected_exact | expected | toll |")
    );
    let named = stdout("cost 6 -f markdown -c algorithm,worst_case,variance");
    assert!(
        named.contains("| algorithm | worst_case | variance |"),
        "{named}"
    );
}

/// For a loaded coin, the page says which rules need its load, and what to do by hand if the load
/// is unknown.
#[test]
fn advice_for_a_loaded_coin_has_steps() {
    let rows = stdout("cost 2 --source 3:2 -c algorithm,needs_load");
    assert!(
        rows.contains("interval,true\n") && rows.contains("von-neumann,false\n"),
        "{rows}"
    );
    let cost = terminal_output("cost 2 --source 3:2").replace("\n  ", " ");
    let steps = "flip twice: HT heads, TH tails, else again";
    assert!(cost.contains(steps), "{cost}");
    let advice = terminal_output("advise 2 --source 3:2");
    assert!(
        advice.contains(steps) && advice.contains("heads keeps"),
        "{advice}"
    );
    assert!(advice.contains("the left 3/5"), "{advice}");
    let tree = terminal_output("show 2 --source 3:2");
    assert!(
        tree.contains("H [1 has 5/6, 2 has 1/6]") && !tree.contains("cuts"),
        "{tree}"
    );
    for arguments in ["cost 2 --source unknown:2", "advise 2 --source unknown:2"] {
        let text = terminal_output(arguments);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

/// A recipe of six lines comes first, instead of the best rule with twelve tables, and the
/// difference is mentioned.
#[test]
fn the_simple_recipe_is_first() {
    for arguments in [
        "plan 365 --dice 6,10,20",
        "advise 365 --dice 6,10,20 --prefer simple",
    ] {
        let text = terminal_output(arguments);
        assert!(text.contains("156/73 ≈ 2.13699"), "{text}");
        assert!(
            text.contains("in 12 steps") && text.contains("\n6  The result is c."),
            "{text}"
        );
    }
    let cheapest = terminal_output("plan 365 --dice 6,10,20 --cheapest");
    assert!(
        cheapest.contains("≈ 2.12948") && cheapest.contains("\nL  Roll"),
        "{cheapest}"
    );
}

/// A chart uses the given titles and labels, with exponents set as superscripts.
#[test]
fn a_figure_has_the_given_labels_and_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.svg").display().to_string();
    let (status, _, said) = support::run(&[
        "figure",
        "toll",
        "--to",
        "20",
        "--title",
        "Toll below 2^-n",
        "--x-label",
        "sides",
        "--y-label",
        "p^2",
        "--size",
        "1200x400",
        "-o",
        &file,
    ]);
    assert_eq!(status, 0, "{said}");
    let picture = std::fs::read_to_string(&file).unwrap();
    for text in [
        "Toll below 2⁻ⁿ",
        "sides",
        "p²",
        "width=\"1200\"",
        "height=\"400\"",
    ] {
        assert!(picture.contains(text), "{text}: {}", &picture[..600]);
    }
    let long = format!("figure toll --from 10^15 --to 10^15+100 -a fast-dice-roller -o {file}");
    support::bytes(&long);
    let picture = std::fs::read_to_string(&file).unwrap();
    // of six labels that would overlap, three are drawn
    let labels = picture
        .matches("aria-label=\"1\u{2009}000\u{2009}000")
        .count();
    assert!((2..=3).contains(&labels), "{labels}");
    let refused = support::refusal("figure toll --size 5x5 -o x.svg");
    assert!(refused.contains("240 to 10000 pixels"), "{refused}");
}

/// An error is printed without a summary.
#[test]
fn an_error_is_printed_without_a_summary() {
    for arguments in [
        "oeis check A000001",
        "sequence A000001",
        "roll 6 --input abc",
    ] {
        let text = terminal_output(arguments);
        assert!(text.starts_with("error: "), "{arguments}: {text}");
    }
}

/// The terminal output in the README is that of a terminal with 80 columns.
#[test]
fn the_readme_shows_what_a_terminal_shows() {
    let readme = include_str!("../../../../README.md");
    let blocks = readme.split("```text\n$ flipcost ").skip(1);
    let mut count = 0;
    for block in blocks {
        let (block, _) = block.split_once("\n```").unwrap();
        let (line, shown) = block.split_once('\n').unwrap();
        assert_eq!(terminal_output(line).trim_end(), shown, "{line}");
        count += 1;
    }
    assert!(count >= 2, "{count} blocks");
}

/// Long names of functions are broken before a table is turned on its side.
#[test]
fn a_table_of_many_rows_is_not_turned() {
    for arguments in [
        "libraries --target 100",
        "libraries -c id,function,ratio_exact",
    ] {
        let text = terminal_output(arguments);
        let heads = text
            .lines()
            .filter(|line| line.starts_with("function") || line.starts_with("id"));
        assert!(heads.count() <= 1, "{text}");
    }
}

/// At a terminal, a range of targets has one row for each target, with the method of least cost; in
/// a pipe it has the rows of all methods.
#[test]
fn a_range_has_one_row_for_each_target() {
    let text = terminal_output("cost 1..20");
    assert!(
        text.contains("20  fast-dice-roller") && !text.contains(" interval "),
        "{text}"
    );
    assert!(text.contains("-a rejection,interval"), "{text}");
    assert_eq!(stdout("cost 1..20").lines().count(), 181);
    let few = terminal_output("cost 5..7");
    assert!(few.contains("7  interval"), "{few}");
}

/// Columns that are empty in every row are named below the table, and a share is explained there.
#[test]
fn empty_columns_and_shares_are_explained() {
    let text = terminal_output("supply 3329");
    assert!(
        text.contains("Empty in every row: at, variance_exact"),
        "{text}"
    );
    assert!(
        text.contains("tail_log2") && text.contains("fast-dice-roller"),
        "{text}"
    );
    assert!(
        !text.contains("one result of a d3329 from a coin by fast-dice-roller takes"),
        "{text}"
    );
    let text = terminal_output("extract --length 8 --source 1:2");
    assert!(text.contains("share: the part of the entropy"), "{text}");
}

/// For one target its algorithm is named in the answer; for many the list of algorithms would be
/// longer than the rows.
#[test]
fn a_list_of_algorithms_is_shorter_than_the_rows_of_a_supply() {
    assert!(terminal_output("supply 3329 --source word:12").contains("algorithm"));
    let many = terminal_output("supply 60,59,58,57,56,55,54,53,52 --source word:8");
    assert!(
        !many.contains("rejection-ceil;") && many.contains("tail_log2"),
        "{many}"
    );
}
