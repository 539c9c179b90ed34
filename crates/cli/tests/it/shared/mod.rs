//! What all commands share: exit codes, pipes, signals, limits, numbers and the terminal.

mod numbers;
mod terminal;

use crate::support::{
    Folder, PROGRAM, check_table, errors, output, refusal, run, sentence, stdout,
};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

/// Runs a shell command in which `flipcost` is the program.
fn shell(line: &str) -> Output {
    let script = format!("flipcost() {{ exec '{PROGRAM}' \"$@\"; }}; {line}");
    Command::new("sh").args(["-c", &script]).output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn unwritable_output_is_a_failure() {
    for line in [
        "flipcost list algorithms >&-",
        "flipcost cost 6 >&-",
        "flipcost --help >&-",
        "flipcost --help >/dev/full",
        "flipcost cost --help >/dev/full",
        "flipcost --version >/dev/full",
        "flipcost roll 6 >/dev/full",
        "flipcost cost 1..5000 --columns n >/dev/full",
        "flipcost man >/dev/full",
        "flipcost completions bash >/dev/full",
    ] {
        let said = sentence(line, shell(line));
        assert!(
            said.contains("cannot write to standard output"),
            "{line}: {said}"
        );
    }
    let into_file =
        shell("f=$(mktemp); flipcost cost 6 -f csv -c n -a interval -o $f >&-; cat $f; rm $f");
    assert!(into_file.stdout.is_empty() || into_file.stdout.starts_with(b"n\n"));
}

/// Files may have at most 512 bytes, so that writing fails as on a full disk.
#[test]
#[cfg(target_os = "linux")]
fn errors_of_a_full_disk_name_the_requested_file() {
    let folder = Folder::new();
    for line in [
        "cost 2..100 --sources 2,4,6,8,10,12,20 --best",
        "cost 1..1000",
    ] {
        let name = folder.path("asked.csv");
        let line = format!("trap '' XFSZ; ulimit -f 1; flipcost {line} -o {name}");
        let said = sentence(&line, shell(&line));
        assert!(
            said.contains("asked.csv\"") && !said.contains(".flipcost-"),
            "{said}"
        );
        assert!(folder.names().is_empty());
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(PROGRAM)
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
    // the reader is closed after one line
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert_eq!(first, "n,expected\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

/// In earlier versions these requests took more than 4 GB of memory.
#[test]
#[cfg(target_os = "linux")]
fn requests_beyond_memory_are_refused_before_they_begin() {
    let table = "export prism 10^100000 -a rejection => too long
export prism 10^100000 => its chain has more than 192 transitions
export prism 1:10^5000 => its chain has more than
export drn 1:10^5000 => its chain has more than
distribution 10^100000 -a rejection => more than 20000 rows
distribution 10^100000 -a rejection --upto 9 => too long
show 10^100000 --as table => more than 65536 rows
show 2^60000-1 --as table => more than 65536 rows
show 400000! --as table => must be below 2^1048576
show 1:10^5000 --as table => its chain has more than
show 1/3:1/10^3000 --as table => its chain has more than
roll 10^100000 --trace => longer than 64 MB
batch 10^100000+7 --trace => longer than 64 MB
roll 10^1000000 -a interval => must be below 2^1048576
show 10^100000 --as flowchart => rounds
sequence mr:x=9^5290000 -t 3 => must be below 2^1048576
oeis draft A136043 -t 10^12 => 1000000 is the most";
    for (line, why) in table.lines().filter_map(|row| row.split_once(" => ")) {
        let said = sentence(line, shell(&format!("ulimit -v 4194304; flipcost {line}")));
        assert!(said.contains(why), "{line}: {said}");
    }
    let line = "cost 1..100 -a interval -c n,expected";
    let many = shell(&format!(
        "ulimit -v 4194304; flipcost {line} --threads 4096"
    ));
    assert_eq!(String::from_utf8(many.stdout).unwrap(), stdout(line));
}

/// With a stack larger than any address space, no thread can start, and the main thread does the
/// work.
#[test]
fn the_work_is_done_if_no_thread_can_start() {
    for line in [
        "verify toll --to 1000",
        "cost 2..3000 --columns n,period",
        "sequence A136043 --terms 300",
        "roll 6 --test --count 10000",
        "extract --length 64 -s 1:2",
    ] {
        let mut alone = crate::support::flipcost(line);
        let alone = alone
            .env("RUST_MIN_STACK", (1u64 << 50).to_string())
            .output()
            .unwrap();
        assert_eq!(
            alone.status.code(),
            Some(0),
            "{line}: {}",
            errors(alone.stderr)
        );
        assert!(alone.stdout == stdout(line).into_bytes(), "{line}");
    }
}

/// A run without a time limit announces that it takes long, even without a terminal.
#[test]
fn a_long_run_is_announced() {
    let mut child = Command::new(PROGRAM)
        .args(["roll", "6", "--test", "--count", "2^40"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    said.read_line(&mut first).unwrap();
    assert!(first.starts_with("note: this takes "), "{first}");
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

/// A terminal that reports a width of 0 gets the default width. An earlier version printed one word
/// of the help on each line. A pipe gets one line for a sentence.
#[test]
fn a_terminal_of_width_0_gets_the_default_width() {
    let help = |columns: &str| {
        let mut command = Command::new(PROGRAM);
        command
            .args(["help"])
            .env("COLUMNS", columns)
            .output()
            .unwrap()
            .stdout
    };
    assert_eq!(help("0"), help("80"));
    assert_eq!(help("1"), help("80"));
    assert_ne!(help("60"), help("80"));
    let (_, _, said) = run("list words no-such-word");
    assert!(said.lines().count() == 1 && said.len() > 200, "{said}");
}

/// A device that never ends is refused as a file. Earlier versions read it until the memory was
/// full.
#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    let folder = Folder::new();
    let zero = folder.path("zero.toml");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path("c.part")).unwrap();
    for line in [
        format!("verify layman --to 50 --certificate {zero}"),
        format!("verify layman --to 50 --certificate {}", folder.path("c")),
        format!("verify --check {zero}"),
        format!("oeis extend A136043 {zero}"),
        format!("import drn {zero}"),
        format!("cost @{zero}"),
        format!("reproduce --keys {zero}"),
        format!("ask {zero}"),
    ] {
        let (status, _, errors) = run(&line);
        assert!(
            [0, 2].contains(&status) && !errors.contains("panicked"),
            "{line}: {errors}"
        );
    }
    fs::remove_file(zero).unwrap();
}

#[test]
fn a_sentence_fits_a_terminal() {
    let long = "7".repeat(100_000) + "x";
    for word in [
        "\x1b]0;gone\x07",
        "\x1b[31mred",
        "a\rb",
        "\u{202e}6",
        "6\u{9b}1m",
        &long,
    ] {
        for command in ["cost", "sequence", "reproduce"] {
            let said = refusal(&format!("{command} '{word}'"));
            let control = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!said.contains(control), "{said:?}");
            assert!(said.chars().count() < 2500, "{} letters", said.len());
        }
    }
}

#[test]
fn counts_of_0_are_refused_before_a_question_is_asked() {
    check_table(
        "! --query roll 6 --test --count 0 => it must be at least 1
! --query sequence A136043 --terms 0 => it must be at least 1
! --query oeis identify 1,2,3,4 --limit 0 => it must be at least 1
! --query plan 7 --dice 2 --optimal --effort 0 => it must be at least 1",
    );
}

/// Every flag that an error message names exists in the command that printed it.
#[test]
fn flags_that_errors_name_exist() {
    let mut checked = 0;
    for block in include_str!("../../../../all/tests/sentences.txt").split("\n\n") {
        let ask = block
            .strip_prefix(r#"{"ask":""#)
            .and_then(|rest| rest.split_once('"'));
        let Some((ask, _)) = ask else { continue };
        let mut all = flipcost_all::descriptions().into_iter();
        let question = all.find(|question| question.ask == ask);
        let command = question.map_or(ask, |question| question.command);
        let said = block.lines().skip(1).filter(|line| {
            !line.contains("(python)") && !line.contains("(plain)") && !line.contains("`flipcost ")
        });
        let words = said.flat_map(|line| line.split([' ', ',', ':', ';', '.']));
        let flags: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
        if !flags.is_empty() {
            let help = output(&format!("{command} --help")).0;
            for flag in flags {
                assert!(help.contains(flag), "{command}: {flag}");
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked}");
}
