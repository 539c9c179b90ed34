//! What Ctrl-C leaves: one sentence, no temporary file but what `--resume` continues, and exit
//! status 130; so does a run that the system ends, with the status of its signal.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an interrupted run says and removes.
#[derive(Default)]
struct InterruptState {
    /// The file that `--resume` continues, and the last n whose rows are safe in it.
    kept: Option<(PathBuf, Option<u64>)>,
    /// Files beside the ones that were asked for, which are not whole, and folders for the time of
    /// the run.
    temporary: Vec<PathBuf>,
}

static RUN: Mutex<InterruptState> = Mutex::new(InterruptState {
    kept: None,
    temporary: Vec::new(),
});

fn run() -> MutexGuard<'static, InterruptState> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C, or being terminated, ends the program with a sentence. Where the system has
/// no handler to give, it ends the program as it always does. A hang-up is left to the system: who
/// starts a long run with `nohup` has it ignored.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    // The handlers are installed here: the thread may start after the first signal.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    let handle = signals.handle();
    let wait = move || {
        let signal = signals.forever().next();
        signal.map(|signal| end(128 + signal))
    };
    // without a thread nobody would act on a signal
    if std::thread::Builder::new().spawn(wait).is_err() {
        handle.close();
    }
}

/// The same.
#[cfg(windows)]
pub fn watch() {
    let _ = ctrlc::set_handler(|| end(130));
}

fn end(status: i32) -> ! {
    clear();
    let sentence = match &run().kept {
        Some((part, n)) => format!(
            "interrupted: {}{} and its journal are kept, and the same command with --resume goes on \
             from there",
            n.map_or(String::new(), |n| format!("the rows up to n = {n} in ")),
            part.display()
        ),
        None => "interrupted".to_string(),
    };
    // A progress bar may stand in the line; where nobody listens any more, the end is an end all
    // the same.
    let _ = writeln!(std::io::stderr(), "\r\x1b[2K{sentence}");
    std::process::exit(status);
}

/// Removes what would be left behind by an end in the middle.
pub fn clear() {
    for file in &run().temporary {
        let _ = if file.is_dir() {
            std::fs::remove_dir_all(file)
        } else {
            std::fs::remove_file(file)
        };
    }
}

/// The rows up to n, if that is known, are safe in this file, which `--resume` continues.
pub fn keep(part: &Path, n: Option<u64>) {
    run().kept = Some((part.to_path_buf(), n));
}

/// There is no file that `--resume` continues.
pub fn keep_nothing() {
    run().kept = None;
}

/// A file that is removed unless it becomes whole, or a folder: until this is dropped.
pub struct Temporary(PathBuf);

impl Temporary {
    /// A file that was just made, or a folder that may be.
    pub fn new(file: &Path) -> Temporary {
        run().temporary.push(file.to_path_buf());
        Temporary(file.to_path_buf())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        run().temporary.retain(|file| *file != self.0);
    }
}
