//! Properties of the terminal: its width, and whether it shows colours.

use anstyle::{AnsiColor, Style};
use flipcost_question::make_printable;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A terminal that reports a width below this one is assumed not to know its width.
pub const MIN_WIDTH: usize = 20;

/// The width of standard output in characters: that of the terminal, or 80 if it is not known.
pub fn output_width() -> usize {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((terminal_size::Width(width), _)) if usize::from(width) >= MIN_WIDTH => width.into(),
        _ => 80,
    }
}

/// The width of standard error in characters; `None` if it is not a terminal.
pub fn error_width() -> Option<usize> {
    let stderr = std::io::stderr();
    let (terminal_size::Width(width), _) = match terminal_size::terminal_size_of(&stderr) {
        Some(size) => size,
        None => return stderr.is_terminal().then_some(80),
    };
    let width = usize::from(width);
    Some(if width >= MIN_WIDTH { width } else { 80 })
}

/// Whether a person at a terminal reads standard output.
pub fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// The number of lines of the screen; `None` if standard output is not a terminal.
pub fn screen_height() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map(|(_, terminal_size::Height(height))| height.into())
}

/// Returns whether standard output shows colours. It does not if `NO_COLOR` is set, if `TERM=dumb`,
/// or if it is a pipe or a file.
pub fn has_color() -> bool {
    let stdout = std::io::stdout();
    stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Formats the text of a failure in bold red, if standard output shows colours.
pub fn paint_failure(text: &str) -> String {
    paint(AnsiColor::Red.on_default().bold(), text)
}

/// Formats the text of a best value in bold green, if standard output shows colours.
pub fn paint_best(text: &str) -> String {
    paint(AnsiColor::Green.on_default().bold(), text)
}

static FILES_SUMMARIZED: AtomicBool = AtomicBool::new(false);

/// Turns off messages about single files, for runs that summarize the files that they wrote.
pub fn summarize_files() {
    FILES_SUMMARIZED.store(true, Ordering::Relaxed);
}

/// Reports that a file was written. At a terminal every file is reported, elsewhere only a file
/// that was replaced.
pub fn report_written_file(path: &Path, replaced: bool) {
    report_written_contents(path, replaced, "");
}

/// Reports a written file as [`report_written_file`] does, and also says what the file holds.
pub fn report_written_contents(path: &Path, replaced: bool, contents: &str) {
    if replaced && !FILES_SUMMARIZED.load(Ordering::Relaxed) {
        let name = path.display().to_string();
        let _ = writeln!(
            std::io::stderr(),
            "replaced: {}{contents}",
            make_printable(&name)
        );
        return;
    }
    if std::io::stderr().is_terminal() && !FILES_SUMMARIZED.load(Ordering::Relaxed) {
        let path = path.display();
        let _ = writeln!(std::io::stderr(), "written: {path}{contents}");
    }
}

/// Tells a person at a terminal that the program waits for a pipe.
pub fn report_pipe_wait(pipe: &Path) {
    if std::io::stderr().is_terminal() {
        let pipe = pipe.display();
        let _ = writeln!(
            std::io::stderr(),
            "\"{pipe}\" is a pipe: waiting for a program that reads it"
        );
    }
}
