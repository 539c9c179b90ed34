//! Helpers that the tests of the program share.
#![allow(dead_code)] // each test uses only some of them

pub mod queries;

use assert_cmd::Command;
use std::process::Output;

/// Prepares the program with these arguments.
pub fn flipcost(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    command.args(arguments.split_whitespace());
    command
}

/// Runs the program with arguments that may contain blanks; returns exit status, stdout and stderr.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    let output = command.args(arguments).output().unwrap();
    let status = output.status.code().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (status, said, errors(output.stderr))
}

/// Returns the text of stderr, without the note about a long run, which may appear on a busy
/// machine.
pub fn errors(stderr: Vec<u8>) -> String {
    let printed = String::from_utf8(stderr).unwrap();
    let lines = printed.split_inclusive('\n');
    (lines.filter(|line| !line.starts_with("note: this takes"))).collect()
}

/// Returns the output of a run that succeeds.
pub fn bytes(arguments: &str) -> Vec<u8> {
    let output = flipcost(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    output.stdout
}

/// Returns the output as text.
pub fn stdout(arguments: &str) -> String {
    String::from_utf8(bytes(arguments)).unwrap()
}

/// Returns the error for bad input: exit status 2, nothing on stdout, one line on stderr.
pub fn refusal(arguments: &str) -> String {
    let output = flipcost(arguments).output().unwrap();
    assert!(output.stdout.is_empty(), "{arguments}");
    sentence(arguments, output)
}

/// Returns the error of a run that may have written rows before it failed.
pub fn late_refusal(arguments: &str) -> String {
    sentence(arguments, flipcost(arguments).output().unwrap())
}

/// Checks for exit status 2 and one line on stderr, apart from tips.
pub fn sentence(arguments: &str, output: Output) -> String {
    let sentence = errors(output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {sentence}");
    let said = sentence.lines().filter(|line| !line.starts_with("  tip: "));
    assert_eq!(said.count(), 1, "{arguments}: {sentence}");
    sentence
}
