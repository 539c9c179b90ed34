//! Output on a terminal: a text that is longer than the screen is shown in a pager, as git does.

use crate::rows::{Output, OutputError};
use crate::terminal;
use flipcost_question::make_printable;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

static NO_PAGER: AtomicBool = AtomicBool::new(false);

/// Makes later texts print without a pager, for `--no-pager`.
pub fn disable_pager() {
    NO_PAGER.store(true, Ordering::Relaxed);
}

/// The command of the pager: `FLIPCOST_PAGER`, else `PAGER`, else `less`; `None` if this is empty
/// or `cat`, or if `TERM=dumb`.
fn pager_command() -> Option<String> {
    if NO_PAGER.load(Ordering::Relaxed) || std::env::var_os("TERM").is_some_and(|t| t == "dumb") {
        return None;
    }
    let set = ["FLIPCOST_PAGER", "PAGER"].map(|name| std::env::var(name).ok());
    let command = set
        .into_iter()
        .flatten()
        .next()
        .unwrap_or("less".to_string());
    let command = command.trim().to_string();
    (!command.is_empty() && command != "cat").then_some(command)
}

/// Prints a text, through the pager if it has more lines than the screen.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_paged(text: &str) -> Result<(), OutputError> {
    let fits = terminal::screen_height().is_none_or(|height| text.lines().count() < height);
    match pager_command().filter(|_| !fits) {
        Some(command) if show_in_pager(&command, text) => Ok(()),
        _ => Output::write_all(None, text.as_bytes()),
    }
}

/// Prints a text whose long lines are folded to the width of the screen; continued lines keep the
/// indent.
///
/// # Errors
/// The errors of [`print_paged()`].
pub fn print_text(text: &str) -> Result<(), OutputError> {
    print_paged(&fold_to_screen(text))
}

/// Folds the long lines of a text to the width of the screen; continued lines keep the indent.
pub fn fold_to_screen(text: &str) -> String {
    let mut folded = String::new();
    for line in text.lines() {
        let blanks = line.len() - line.trim_start().len();
        folded += &fold_line(line, terminal::output_width(), blanks + 2);
        folded.push('\n');
    }
    folded
}

/// Breaks a line at blanks into lines of at most `width` characters, if it has blanks. Lines after
/// the first are indented by `indent`.
pub fn fold_line(line: &str, width: usize, indent: usize) -> String {
    let indent = " ".repeat(indent.min(width / 2));
    let options = textwrap::Options::new(width)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(line, options)
}

/// Prints a text to standard output as [`print_paged()`] does, or writes it to a file as it is.
///
/// # Errors
/// If the text cannot be written.
pub fn print_or_write(path: Option<&Path>, text: &str) -> Result<(), OutputError> {
    match path {
        None => print_paged(text),
        Some(_) => Output::write_all(path, text.as_bytes()),
    }
}

/// Shows a text in the pager. Returns `false` if there is no such program. If the user leaves the
/// pager early, the pipe is closed, which is not an error.
fn show_in_pager(command: &str, text: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        shell.env("LESS", "FRX"); // quit if short, keep colours and the screen
    }
    let Ok(mut child) = shell.spawn() else {
        return false;
    };
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(text.as_bytes());
    }
    // The status with which a shell reports that it did not find a command.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

/// Prints an error to stderr. A closed stderr is ignored.
pub fn print_error(sentence: &str) {
    print_labelled("error:", "\x1b[1;31m", sentence);
}

/// Prints a tip to stderr, below an error.
pub fn print_tip(sentence: &str) {
    print_labelled("  tip:", "", sentence);
}

/// Prints a remark to stderr while the run continues.
pub fn print_remark(sentence: &str) {
    print_labelled("note:", "\x1b[1m", sentence);
}

/// Prints a sentence to stderr after a styled label; it is one line, folded on a terminal.
fn print_labelled(name: &str, style: &str, sentence: &str) {
    use std::io::Write;
    let line = format!("{name} {}", make_printable(sentence));
    let line = match terminal::error_width() {
        Some(width) => fold_line(&line, width, 2),
        None => line,
    };
    let rest = &line[name.len()..];
    let _ = writeln!(anstream::stderr().lock(), "{style}{name}\x1b[0m{rest}");
}

#[cfg(test)]
mod tests {
    use super::fold_line;

    #[test]
    fn a_sentence_is_folded_at_blanks() {
        let line = "error: fast-dice-roller is an algorithm";
        assert_eq!(fold_line(line, 80, 2), line);
        let folded = "error:\n  fast-dice-roller is\n  an algorithm";
        assert_eq!(fold_line(line, 21, 2), folded);
        let long = "7".repeat(50);
        assert!(fold_line(&long, 20, 2).lines().all(|line| line.len() <= 20));
    }
}
