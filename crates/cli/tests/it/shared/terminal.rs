//! The output at a terminal: lines that fit its width, long texts in the pager, numbers with six
//! digits.
#![cfg(target_os = "linux")]

use crate::support::{Folder, PROGRAM, check_shown, stdout, words};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

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
    let mut child = Command::new(PROGRAM)
        .args(words(arguments))
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

fn terminal_output(line: &str) -> String {
    run_at_terminal(80, "cat", line).0
}

/// Checks what the lines of a table show at a terminal, also with folded lines joined.
fn check_screen(table: &str) {
    check_shown(table, |line| {
        let text = terminal_output(line);
        let joined = text.replace("\n  ", " ");
        format!("{text}\n{joined}")
    });
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let lines = "oeis check A136043
oeis identify 1,1,1,1,2,1,1,1,3
show 100 --as table
sequence A136043
sequence mr:x=1/29
distribution 8 -a fast-dice-roller --upto 6
cost 2..8 --sources 2,6 --best
cost 2 --source unknown:2
advise 2 --source unknown:2
batch 4 13 --source 6
batch 10^200
plan 7 --dice 2,6
list words no-such-word
cost 6x
cost 6 -a interval,no-such-algorithm
list sequences period
cost 1..40 --summary
study
cite fast-dice-roller
cite fast-dice-roller -f bibtex
cite A136043
oeis --help
oeis extend --help
ask --help
plan d20 --throw cards:4/52";
    for line in lines.lines() {
        for columns in [80, 120] {
            let (text, _) = run_at_terminal(columns, "cat", line);
            assert!(!text.trim().is_empty(), "{line}");
            let wide = text.lines().map(|line| line.chars().count()).max();
            assert!(wide.unwrap() <= columns.into(), "{line}: {text}");
        }
    }
}

#[test]
fn long_texts_are_shown_in_the_pager() {
    let paged = |line: &str| {
        let (text, _) = run_at_terminal(80, "sed s/^/paged:/", line);
        text.lines()
            .filter(|line| line.starts_with("paged:"))
            .count()
    };
    for line in [
        "",
        "--help",
        "cost --help",
        "show 1000 --as flowchart",
        "show 100 --as tree",
        "show 100 --as table",
        "export prism 100",
        "oeis draft A136043 -t 100",
    ] {
        assert!(paged(line) >= 24, "{line}");
        assert_eq!(paged(&format!("{line} --no-pager")), 0, "{line}");
    }
    assert_eq!(paged("show 6 --as flowchart"), 0);
    assert_eq!(run_at_terminal(80, "cat", "").1, 2);
    assert_eq!(run_at_terminal(80, "cat", "--help").1, 0);
}

/// Numbers have six digits by default, 4/3 and 2327482/699855 - 4/3 for the batch, and statistical
/// ones two. A ratio that is not 1 is not shown as 1, and a number near an integer shows the
/// difference.
#[test]
fn numbers_are_rounded_for_the_screen() {
    check_screen(
        "batch 4 13 --source 6 => 1.33333 1.99233
batch 4 13 --source 6 --digits 10 => 1.3333333333
distribution 6 => mean 3.66667 flips
distribution 6 --digits 10 => mean 3.6666666667 flips
plan 7 --dice 2,6 => 72/35 ≈ 2.05714\\n
batch 10^100 => 10000000...00000000 (101 digits)
bias 6 => ≈ 5.1e19
bias 100 --words 64 -f table => ~1.00000  & ~≈ 1.00000
shuffle 52 --libraries => 51 + 1.38e-7 words
advise 10^30 --source word:64 => ~18446744073.7096",
    );
    assert!(stdout("plan 7 --dice 2,6 -f table").contains("72/35 ≈ 2.05714\n"));
}

/// The columns that answer the question are the last to be hidden on a narrow screen, and the
/// others that are left out are named.
#[test]
fn answering_columns_are_never_hidden() {
    let table = "cost 1..40 --summary => algorithm column mean least largest largest_at
bias p256 --from 2^320 => total_variation total_variation_log2 detect_best
bias 1000000007 => total_variation detect detect_best
cost 2 --source 3:2 => expected_exact expected toll needs_load
cost 2..8 --sources 2,6 --best => toll
shuffle 5 --broken => total_variation detect what
libraries => bits_drawn total_variation language function
libraries python => bits_drawn total_variation language function
list sequences => id a_number title
oeis identify 1,1,1,1,2,1,1,1,3 => title sequence
show 100 --as table => result
cost 1..10 -a interval -c n,expected_exact,expected,toll,variance,entropy,efficiency,worst_case => worst_case variance";
    for (line, columns) in table.lines().filter_map(|row| row.split_once(" => ")) {
        let text = terminal_output(line);
        let mark = "Too wide for this screen: ";
        let (shown, left_out) = text.split_once(mark).unwrap_or((&text, ""));
        let left_out = left_out
            .split(" (-f")
            .next()
            .unwrap_or_default()
            .replace('\n', " ");
        for column in columns.split(' ') {
            assert!(
                shown.split_whitespace().any(|word| word == column),
                "{line}: {text}"
            );
            assert!(
                !left_out.split([',', ' ']).any(|name| name == column),
                "{line}: {text}"
            );
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
    let (narrow, _) = run_at_terminal(70, "cat", "cost 2..8 --sources 2,6 --best");
    let head = narrow.split_once("\n\n").unwrap().1.lines().next().unwrap();
    assert!(head.contains(" toll") && !head.contains(" bits"), "{head}");
}

/// 1, 2, 4, 8, 16 and 32 have a worst case and the other 34 have none, for each of 7 algorithms; by
/// rejection none of the 40 has one. The efficiency is 0 / 0 at n = 1.
#[test]
fn notes_explain_what_is_missing_or_abbreviated() {
    check_screen(
        "cost 1..40 --summary => worst_case is left out of n = 1 from a coin, by rejection (and 277 more): it is infinite & efficiency is left out of n = 1 from a coin, by fast-dice-roller (and 7 more) & ~digits)/(
supply 3329 => Empty in every row: at, variance_exact & tail_log2 & fast-dice-roller & ~one result of a d3329 from a coin by fast-dice-roller takes
supply 3329 --source word:12 => algorithm
supply 60,59,58,57,56,55,54,53,52 --source word:8 => tail_log2 & ~rejection-ceil;
extract --length 8 --source 1:2 => share: the part of the entropy
libraries -c id,function,checked => numpy-integers-uint8-scalar & cpython-randbelow & run: its words were counted or replayed, too
bias p256p --within 2^-128 => \\nleast:  & \\nevery:  & \\nrfc9380: 
bias 6 --words 8 => ~least: 
roll 7 --seed 1 => ~\r & ~gone
cost 2..4 --sources 2,4,6,8,10,12,20 --best => ~\r & ~gone",
    );
}

/// A range has one row for each target, with the method of least cost; in a pipe it has the rows of
/// all methods. An entry of the encyclopedia has one row. Long names of functions are broken before
/// a table is turned on its side.
#[test]
fn long_tables_are_shortened() {
    check_screen(
        "cost 1..20 => 20  fast-dice-roller & ~ interval  & -a rejection,interval
cost 5..7 => 7  interval",
    );
    assert_eq!(stdout("cost 1..20").lines().count(), 181);
    let text = terminal_output("oeis identify 1,1,1,1,2,1,1,1,3,2,5");
    let (_, table) = text.split_once("\n\n").unwrap();
    assert_eq!(table.matches("A136043").count(), 1, "{text}");
    assert!(
        text.split_whitespace()
            .collect::<String>()
            .contains("cycle-rounds:source=2"),
        "{text}"
    );
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
    for line in [
        "libraries --target 100",
        "libraries -c id,function,ratio_exact",
    ] {
        let text = terminal_output(line);
        let is_head = |line: &&str| line.starts_with("function") || line.starts_with("id");
        assert!(text.lines().filter(is_head).count() <= 1, "{text}");
    }
    let folder = Folder::new();
    let text = terminal_output(&format!(
        "oeis draft A136043 -t 100 -o {}",
        folder.path("d")
    ));
    assert_eq!(
        (
            text.matches("A136043.seq").count(),
            text.matches("b136043.txt").count()
        ),
        (1, 1)
    );
}

/// At a terminal the summary comes first; in a pipe there are only rows. An error has none.
#[test]
fn an_answer_begins_with_its_sentence() {
    let table = "cost 6 => A d6 from a coin takes 11/3 ≈ 3.667 flips on average
distribution 6 => A d6 from a coin by the fast dice roller takes 3.667 flips
plan 7 --dice 2,6 => A d7 from a coin and a d6 takes 72/35 ≈ 2.057 rolls
advise 100 => For a d100 from a coin take the fast dice roller
show 6 => The tree of a d6 from a coin by the fast dice roller
verify toll --to 1000 => The claim holds for every n from 1 to 1000
bias 100 => rand() % 100 from 32 bits: outcomes differ by 2.3 in 10^8
cost 2 --source 1:2 --optimal => A d2 from a coin loaded 1:2 takes 2 flips";
    for (line, begins) in table.lines().filter_map(|row| row.split_once(" => ")) {
        let (text, piped) = (terminal_output(line), stdout(line));
        assert!(
            text.starts_with(begins) && !piped.contains(begins),
            "{line}: {text}{piped}"
        );
    }
    for line in [
        "oeis check A000001",
        "sequence A000001",
        "roll 6 --input abc",
    ] {
        assert!(terminal_output(line).starts_with("error: "), "{line}");
    }
}

/// For a loaded coin, the page says which rules need its load, and what to do by hand if the load
/// is unknown.
#[test]
fn advice_for_a_loaded_coin_has_steps() {
    check_screen(
        "cost 2 --source 3:2 => flip twice: HT heads, TH tails, else again
advise 2 --source 3:2 => flip twice: HT heads, TH tails, else again & heads keeps & the left 3/5
show 2 --source 3:2 => H [1 has 5/6, 2 has 1/6] & ~cuts",
    );
}

/// The terminal output in the README is that of a terminal with 80 columns.
#[test]
fn the_readme_shows_what_a_terminal_shows() {
    let readme = include_str!("../../../../../README.md");
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
