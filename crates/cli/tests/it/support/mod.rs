//! What the tests of the program share.
#![allow(dead_code)] // each test uses some of it

pub mod queries;

use assert_cmd::Command;
use std::process::Output;

/// The program with these arguments.
pub fn flipcost(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    command.args(arguments.split_whitespace());
    command
}

/// Arguments as a shell hands them over, with blanks inside: exit status, stdout, stderr.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("flipcost").unwrap();
    let output = command.args(arguments).output().unwrap();
    let status = output.status.code().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (status, said, errors(output.stderr))
}

/// What stderr has, but for the line of what a busy machine takes long for.
pub fn errors(stderr: Vec<u8>) -> String {
    let printed = String::from_utf8(stderr).unwrap();
    let lines = printed.split_inclusive('\n');
    (lines.filter(|line| !line.starts_with("note: this takes"))).collect()
}

/// What a run that succeeds writes.
pub fn bytes(arguments: &str) -> Vec<u8> {
    let output = flipcost(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    output.stdout
}

/// The same as text.
pub fn stdout(arguments: &str) -> String {
    String::from_utf8(bytes(arguments)).unwrap()
}

/// The sentence of bad input: exit status 2, nothing on stdout, one line on stderr.
pub fn refusal(arguments: &str) -> String {
    let output = flipcost(arguments).output().unwrap();
    assert!(output.stdout.is_empty(), "{arguments}");
    sentence(arguments, output)
}

/// The same of a run that may have written before it failed.
pub fn late_refusal(arguments: &str) -> String {
    sentence(arguments, flipcost(arguments).output().unwrap())
}

/// Exit status 2, one line on stderr, but for tips.
pub fn sentence(arguments: &str, output: Output) -> String {
    let sentence = errors(output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {sentence}");
    let said = sentence.lines().filter(|line| !line.starts_with("  tip: "));
    assert_eq!(said.count(), 1, "{arguments}: {sentence}");
    sentence
}
