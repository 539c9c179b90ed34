//! Handles Ctrl-C: the program prints one sentence, removes temporary files except those that
//! `--resume` continues, and exits with status 130. SIGTERM is handled in the same way, with its
//! own exit status.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an interrupted run reports, and which files it removes.
#[derive(Default)]
struct InterruptState {
    /// The file that `--resume` continues, and the last n whose rows are safely in it.
    kept: Option<(PathBuf, Option<u64>)>,
    /// Unfinished files next to the requested ones, and folders that exist only during the run.
    temporary: Vec<PathBuf>,
}

static INTERRUPT_STATE: Mutex<InterruptState> = Mutex::new(InterruptState {
    kept: None,
    temporary: Vec::new(),
});

fn lock_interrupt_state() -> MutexGuard<'static, InterruptState> {
    INTERRUPT_STATE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handlers of Ctrl-C and SIGTERM. If the system refuses a handler, the signal ends
/// the program as usual. A hang-up is not handled, since `nohup` must be able to make a long run
/// ignore it.
#[cfg(unix)]
pub fn install_handlers() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    // The handlers are installed on this thread, because the thread that waits for signals may
    // start only after the first signal.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    let handle = signals.handle();
    let wait = move || {
        let signal = signals.forever().next();
        signal.map(|signal| exit_interrupted(128 + signal))
    };
    // without the thread, nothing would react to a signal
    if std::thread::Builder::new().spawn(wait).is_err() {
        handle.close();
    }
}

/// Installs the handler of Ctrl-C.
#[cfg(windows)]
pub fn install_handlers() {
    let _ = ctrlc::set_handler(|| exit_interrupted(130));
}

fn exit_interrupted(status: i32) -> ! {
    remove_temporary_files();
    let sentence = match &lock_interrupt_state().kept {
        Some((part, n)) => format!(
            "interrupted: {}{} and its journal are kept; the same command with --resume continues \
             from there",
            n.map_or(String::new(), |n| format!("the rows up to n = {n} in ")),
            part.display()
        ),
        None => "interrupted".to_string(),
    };
    // This first clears the line, which may hold a progress bar. If stderr is closed, the program
    // still exits.
    let _ = writeln!(std::io::stderr(), "\r\x1b[2K{sentence}");
    std::process::exit(status);
}

/// Removes the temporary files that would be left behind if the program ended now.
pub fn remove_temporary_files() {
    for file in &lock_interrupt_state().temporary {
        let _ = if file.is_dir() {
            std::fs::remove_dir_all(file)
        } else {
            std::fs::remove_file(file)
        };
    }
}

/// Records that the rows up to n, if n is known, are safe in this file, which `--resume` continues.
pub fn record_resumable_file(part: &Path, n: Option<u64>) {
    lock_interrupt_state().kept = Some((part.to_path_buf(), n));
}

/// Records that there is no file for `--resume` to continue.
pub fn forget_resumable_file() {
    lock_interrupt_state().kept = None;
}

/// A temporary file or folder that is removed if the run is interrupted. Dropping this value only
/// unregisters it, and leaves the file in place.
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Registers a file that was just made, or a folder that may not exist yet.
    pub fn new(file: &Path) -> TemporaryFile {
        lock_interrupt_state().temporary.push(file.to_path_buf());
        TemporaryFile(file.to_path_buf())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        lock_interrupt_state()
            .temporary
            .retain(|file| *file != self.0);
    }
}
