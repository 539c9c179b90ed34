//! Requests that could take much time or memory are refused, announced, or fast.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Runs the program, with a time limit in seconds.
fn within(seconds: u64, arguments: &[&str]) -> Output {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_flipcost"))
        .args(arguments)
        .output()
        .unwrap();
    let limit = Duration::from_secs(seconds);
    let gone = begun.elapsed();
    assert!(gone < limit, "{arguments:?} took {gone:?}");
    output
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// In earlier versions each of these requests took more than 9 s, or the system killed the program.
/// Now each must be answered within the time limit, even by an unoptimized program on a busy
/// machine.
#[test]
fn requests_that_were_once_slow_are_fast() {
    for arguments in [
        &["cost", "1:10^5000"][..],
        &["cost", "1:10^2000", "-s", "6"],
        &["advise", "1:10^5000"],
        &["roll", "1:10^5000", "--test", "--count", "1000"],
        &["bias", "10^100000"],
    ] {
        let output = within(60, arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            errors(&output)
        );
    }
}

/// In earlier versions these requests took more than 4 GB of memory, for chains with long states or
/// for tables of their rolls.
#[test]
fn too_large_requests_are_refused_before_they_begin() {
    for arguments in [
        &["show", "1:10^5000", "--as", "table"][..],
        &["show", "1/3:1/10^3000", "--as", "table"],
        &["export", "prism", "1:10^5000"],
        &["export", "drn", "1:10^5000"],
    ] {
        let output = within(60, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = errors(&output);
        let lines: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with("error:"))
            .collect();
        assert_eq!(lines.len(), 1, "{arguments:?}: {said}");
        assert!(said.contains("its chain has more than"), "{said}");
    }
}

/// A run without a time limit announces within two seconds that it takes long, even without a
/// terminal.
#[test]
fn a_long_run_is_announced() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flipcost"))
        .args(["roll", "6", "--test", "--count", "2^40"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    child.kill().unwrap();
    let said = errors(&child.wait_with_output().unwrap());
    assert!(said.starts_with("note: this takes "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Both sides of this statement were once shown as 1.
#[test]
fn nearly_equal_sides_are_distinguished() {
    let output = within(
        60,
        &[
            "verify",
            "--that",
            "n = n + 1/10^40",
            "--from",
            "1",
            "--to",
            "3",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + errors(&output).as_str();
    assert!(said.contains("the right side 1, 1e-40 more"), "{said}");
}

/// A nonzero weight that rounds to the double 0 is reported, not silently treated as 0.
#[test]
fn a_tiny_weight_is_not_ignored() {
    let output = within(60, &["cost", "doubles:1e-5000,1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("rounds to the double 0"),
        "{}",
        errors(&output)
    );
}
