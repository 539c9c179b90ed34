//! Numbers, files, folders and systems at their limits. In earlier versions each of these cases
//! crashed the program or kept it from ending. Each command line must end with an answer or one
//! sentence.

use crate::support;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};
use support::{late_refusal, run, stdout};

/// Runs the program for at most a minute, and returns its status and its output.
fn ends(arguments: &[&str]) -> (i32, String, String) {
    let begun = Instant::now();
    let ended = run(arguments);
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{arguments:?} took {:?}",
        begun.elapsed()
    );
    assert!(!ended.2.contains("panicked"), "{arguments:?}: {}", ended.2);
    ended
}

/// In an earlier version a signed 64-bit count overflowed: the log2 of a distance became 63, or the
/// program was aborted.
#[test]
fn distances_of_very_many_results_do_not_overflow() {
    for (target, words, results) in [
        ("2^64", "--from=2", "2^64-1"),
        ("2^64", "--from=2", "2^64-2"),
        ("2^64", "--from=2", "2^58"),
        ("2^256", "--words=2", "2^64-1"),
        ("2^32", "--from=2", "2^64-1"),
        ("3", "--words=1", "2^64-1"),
        ("1000", "--words=1", "10^19"),
        ("ed25519", "--words=32", "5*10^17"),
    ] {
        let line = [
            "bias",
            target,
            words,
            "--samples",
            results,
            "--digits",
            "20",
        ];
        let (status, rows, errors) = ends(&line);
        assert_eq!(status, 0, "{line:?}: {errors}");
        let mut rows = csv::Reader::from_reader(rows.as_bytes());
        let headers = rows.headers().unwrap().clone();
        let at = headers.iter().position(|name| name == "advantage_log2");
        for row in rows.records() {
            assert_eq!(
                &row.unwrap()[at.unwrap()],
                "0.00000000000000000000",
                "{line:?}"
            );
        }
    }
}

/// A target is refused if every algorithm would need too many rolls of a source with too little
/// entropy. An error about a level is reported before blocks are counted.
#[test]
fn rolls_without_enough_entropy_are_refused() {
    for (line, sentence) in [
        (
            "roll 1:1 -s p=1/10^400",
            "with a coin loaded 1:99999999...99999999 (400 digits) a result takes more than 2^50 rolls on average, whatever the algorithm",
        ),
        ("roll 1:1 -s p=1/10^400 --trace", "more than 2^50 rolls"),
        ("roll 6 -s 1:10^20", "more than 2^50 rolls"),
        (
            "roll 2 --test -s p=1/10^400 --count 100",
            "more than 2^50 rolls",
        ),
        (
            "supply --accept 2^-1000 --count 256 --failure 1-2^-5000 --block 1000000",
            "2^60 rolls or more would be needed",
        ),
        (
            "supply --accept 2^-1000 --failure 1/2 --block 1000000",
            "2^60 rolls or more would be needed",
        ),
        (
            "supply 6,7 --count 1000000000",
            "--count 1000000000 of a list of 2 asks for 2000000000 results: 1000000000 is the most",
        ),
    ] {
        let begun = Instant::now();
        let error = late_refusal(line);
        assert!(error.contains(sentence), "{line}: {error}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{line}");
    }
    // a source with little entropy is enough if the target has no more
    let line = "roll 1:10^400 -s 1:10^400 --seed 1";
    assert_eq!(ends(&line.split(' ').collect::<Vec<_>>()).0, 0);
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
        let alone = Command::new(env!("CARGO_BIN_EXE_flipcost"))
            .args(line.split(' '))
            .env("RUST_MIN_STACK", (1u64 << 50).to_string())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&alone.stderr);
        assert_eq!(alone.status.code(), Some(0), "{line}: {errors}");
        assert!(alone.stdout == stdout(line).into_bytes(), "{line}");
    }
}

/// A terminal that reports a width of 0 gets the default width. An earlier version printed one word
/// of the help on each line.
#[test]
fn a_terminal_of_width_0_gets_the_default_width() {
    let help = |columns: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flipcost"));
        let output = command.args(["help"]).env("COLUMNS", columns).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert_eq!(help("0"), help("80"));
    assert_eq!(help("1"), help("80"));
    assert_ne!(help("60"), help("80"));
}

/// A device that never ends is refused as a file. Earlier versions read it until the memory was
/// full.
#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::os::unix::fs::symlink("/dev/zero", place("zero.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", place("c.part")).unwrap();
    for line in [
        format!("verify layman --to 50 --certificate {}", place("zero.toml")),
        format!("verify layman --to 50 --certificate {}", place("c")),
        format!("verify --check {}", place("zero.toml")),
        format!("oeis extend A136043 {}", place("zero.toml")),
        format!("import drn {}", place("zero.toml")),
        format!("cost @{}", place("zero.toml")),
        format!("reproduce --keys {}", place("zero.toml")),
        format!("ask {}", place("zero.toml")),
    ] {
        let (status, _, errors) = ends(&line.split(' ').collect::<Vec<_>>());
        assert!([0, 2].contains(&status), "{line}: {errors}");
    }
    fs::remove_file(folder.path().join("zero.toml")).unwrap();
}

/// A study does not write through a symbolic link in its folders, which would let it write
/// anywhere.
#[cfg(unix)]
#[test]
fn a_study_does_not_follow_links() {
    use std::os::unix::fs::symlink;
    const STUDY: &str = "title = \"t\"\nquestion = \"q\"\n[[check]]\nclaim = \"c\"\npublished = \"11/3\"\nthat = \"cost(6).expected = 11/3\"\n";
    for link in [
        "data",
        "figures",
        "data/s",
        "figures/s",
        "data/s/claims.csv",
        "data/s/gone.csv",
    ] {
        let root = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let target = other.path().join("precious");
        let path = root.path().join(link);
        fs::create_dir_all(root.path().join("analysis")).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(root.path().join("analysis/s.toml"), STUDY).unwrap();
        if link.ends_with("csv") {
            fs::write(&target, "precious").unwrap()
        } else {
            fs::create_dir(&target).unwrap()
        }
        symlink(&target, &path).unwrap();
        let error = late_refusal(&format!("reproduce --root {}", root.path().display()));
        assert!(
            error.contains(&format!(
                "{link}\" is a symbolic link, and a study follows none"
            )),
            "{link}: {error}"
        );
        if link.ends_with("csv") {
            assert_eq!(fs::read_to_string(&target).unwrap(), "precious")
        } else {
            assert_eq!(fs::read_dir(&target).unwrap().count(), 0)
        }
    }
}
