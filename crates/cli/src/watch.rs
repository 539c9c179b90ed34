//! Limits the time and memory of a run. A run that takes long prints a line before two seconds are
//! over. A single answer ends when it takes longer than a minute or more memory than most machines
//! have, unless `--yes` is given.

use crate::progress_bar::above_bar;
use flipcost_question::{Control, Progress, Query};
use flipcost_terminal::screen::{complain, remark};
use flipcost_terminal::{files, interrupt};
use indicatif::HumanDuration;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time after which the line about a long run is printed.
const SAID: Duration = Duration::from_millis(1500);

/// The time limit of a single answer.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The memory limit in bytes.
const MEMORY: u64 = 4_000_000_000;

/// A question ends at this much memory. The limit leaves some room, since memory is checked only
/// now and then.
const MEMORY_OF_QUESTION: u64 = MEMORY - MEMORY / 8;

/// A step that cannot be interrupted is ended from outside this long after a limit.
const LATE: Duration = Duration::from_secs(2);
const BEYOND: u64 = MEMORY;

/// The interval of the checks.
const LOOK: Duration = Duration::from_millis(100);

/// The state of the run.
struct RunStatus {
    begun: Option<Instant>,
    /// When the latest question began.
    asked: Option<Instant>,
    /// The estimated time of the question.
    estimate: Duration,
    /// The number of parts done, and of all parts.
    progress: Option<Progress>,
    /// The answer comes in chunks, so the time is not limited.
    watched: bool,
    /// `--yes` was given.
    unlimited: bool,
    said: bool,
}

static RUN: Mutex<RunStatus> = Mutex::new(RunStatus {
    begun: None,
    asked: None,
    estimate: Duration::ZERO,
    progress: None,
    watched: true,
    unlimited: false,
    said: false,
});

fn run() -> MutexGuard<'static, RunStatus> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts watching the run; if `unlimited`, there are no limits.
pub fn begin(unlimited: bool) {
    let mut now = run();
    now.begun = Some(Instant::now());
    now.unlimited = unlimited;
    // If no thread can start, nothing is printed.
    static WATCH: OnceLock<io::Result<JoinHandle<()>>> = OnceLock::new();
    WATCH.get_or_init(|| {
        thread::Builder::new().spawn(|| {
            loop {
                thread::sleep(LOOK);
                look();
            }
        })
    });
}

/// Stops watching, because the run is not a single answer and reports its own progress.
pub fn end() {
    run().begun = None;
}

/// Records that a question begins now, and returns its limits.
pub fn question(query: &Query) -> Control {
    let mut now = run();
    now.asked = Some(Instant::now());
    // a step is about a nanosecond
    let nanoseconds = query.estimate().work.min(u64::MAX.into());
    now.estimate = Duration::from_nanos(nanoseconds as u64);
    now.watched = query.is_watched();
    now.progress = None;
    let control = Control::default();
    match (now.unlimited, now.watched) {
        (true, _) => control,
        (false, true) => control.with_memory(MEMORY_OF_QUESTION),
        (false, false) => control.with_memory(MEMORY_OF_QUESTION).with_time(MAX_WAIT),
    }
}

/// Records the progress of the question.
pub fn progress(progress: Progress) {
    run().progress = Some(progress);
}

/// The message for the time limit, with the option that lifts it.
pub fn too_long() -> String {
    let longest = MAX_WAIT.as_secs();
    format!("this takes longer than {longest} s: --yes removes the limit")
}

/// The message for the memory limit.
pub fn too_much() -> String {
    let most = MEMORY / 1_000_000_000;
    format!("this takes more than {most} GB of memory: --yes removes the limit")
}

fn look() {
    let mut now = run();
    let Some(begun) = now.begun else { return };
    if !now.said && begun.elapsed() >= SAID {
        now.said = true;
        if let Some(sentence) = now.takes(begun.elapsed()) {
            drop(now);
            above_bar(|| remark(&sentence));
            return;
        }
    }
    if now.unlimited {
        return;
    }
    let is_late = |asked: Instant| asked.elapsed() > MAX_WAIT + LATE;
    let ended = if let Some(path) = files::awaited_longer_than(MAX_WAIT) {
        format!(
            "\"{}\" did not answer for more than {} s: --yes keeps waiting",
            path.display(),
            MAX_WAIT.as_secs()
        )
    } else if !now.watched && now.asked.is_some_and(is_late) {
        too_long()
    } else if flipcost_question::memory() > BEYOND {
        too_much()
    } else {
        return;
    };
    interrupt::clear();
    complain(&ended);
    std::process::exit(2);
}

impl RunStatus {
    /// The message about a long run, unless the run is nearly done.
    fn takes(&self, gone: Duration) -> Option<String> {
        let told = self.progress.filter(|progress| progress.done > 0);
        let whole = match told {
            Some(Progress { done, all }) => gone.mul_f64((all as f64 / done as f64).max(1.0)),
            None => self.estimate,
        };
        let takes = if whole <= gone {
            format!("this takes more than {} s", gone.as_secs() + 1)
        } else if whole < 2 * SAID - gone {
            return None; // it is nearly done
        } else {
            format!("this takes about {}", HumanDuration(whole))
        };
        let longest = MAX_WAIT.as_secs();
        Some(if self.unlimited || self.watched {
            takes
        } else {
            format!("{takes}; it ends after {longest} s unless --yes is given")
        })
    }
}
