//! What is known of the reader's terminal: its width, and whether it wants colour.

use anstyle::{AnsiColor, Style};
use flipcost_question::readable;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A terminal that says it has fewer letters in a line does not know.
pub const NARROWEST: usize = 20;

/// Letters in a line of standard output: those of the terminal, 80 where it does not say.
pub fn width() -> usize {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((terminal_size::Width(width), _)) if usize::from(width) >= NARROWEST => width.into(),
        _ => 80,
    }
}

/// Letters in a line of standard error; `None` where it is no terminal.
pub fn error_width() -> Option<usize> {
    let stderr = std::io::stderr();
    let (terminal_size::Width(width), _) = match terminal_size::terminal_size_of(&stderr) {
        Some(size) => size,
        None => return stderr.is_terminal().then_some(80),
    };
    let width = usize::from(width);
    Some(if width >= NARROWEST { width } else { 80 })
}

/// Does a person at a terminal read standard output?
pub fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Lines of the screen; `None` if standard output is no terminal.
pub fn height() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map(|(_, terminal_size::Height(height))| height.into())
}

/// Does standard output show colours? `NO_COLOR` and `TERM=dumb` say no, and so does a pipe.
pub fn has_color() -> bool {
    let stdout = std::io::stdout();
    stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// What fails.
pub fn bad(text: &str) -> String {
    painted(AnsiColor::Red.on_default().bold(), text)
}

/// What is best.
pub fn best(text: &str) -> String {
    painted(AnsiColor::Green.on_default().bold(), text)
}

static SUMMED_UP: AtomicBool = AtomicBool::new(false);

/// The files of this run are counted in a summary of its own, not named one by one.
pub fn sum_up_files() {
    SUMMED_UP.store(true, Ordering::Relaxed);
}

/// Names a file that was written, to a person at a terminal; to others only one that was there
/// before.
pub fn written(path: &Path, is_over: bool) {
    written_with(path, is_over, "");
}

/// The same with what it holds.
pub fn written_with(path: &Path, is_over: bool, contents: &str) {
    if is_over && !SUMMED_UP.load(Ordering::Relaxed) {
        let name = path.display().to_string();
        let _ = writeln!(std::io::stderr(), "replaced: {}{contents}", readable(&name));
        return;
    }
    if std::io::stderr().is_terminal() && !SUMMED_UP.load(Ordering::Relaxed) {
        let path = path.display();
        let _ = writeln!(std::io::stderr(), "written: {path}{contents}");
    }
}

/// Says to a person at a terminal that a pipe is waited for.
pub fn waits_for_reader(pipe: &Path) {
    if std::io::stderr().is_terminal() {
        let pipe = pipe.display();
        let _ = writeln!(
            std::io::stderr(),
            "\"{pipe}\" is a pipe: waiting for a program that reads it"
        );
    }
}
