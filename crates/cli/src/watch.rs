//! Limits the time and memory of a run. A run that takes long prints a line before two seconds are
//! over. A single answer ends when it takes longer than a minute or more memory than most machines
//! have, unless `--yes` is given.

use crate::progress_bar::print_above_bar;
use flipcost_question::{Control, Progress, Query};
use flipcost_terminal::screen::{print_error, print_remark};
use flipcost_terminal::{files, interrupt};
use indicatif::HumanDuration;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time after which the line about a long run is printed.
const ANNOUNCE_AFTER: Duration = Duration::from_millis(1500);

/// The time limit of a single answer.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The memory limit in bytes.
const MEMORY_LIMIT: u64 = 4_000_000_000;

/// A question ends when it uses this much memory. It is less than the memory limit, since a
/// question checks its memory only from time to time.
const QUESTION_MEMORY_LIMIT: u64 = MEMORY_LIMIT - MEMORY_LIMIT / 8;

/// If a step that cannot be interrupted exceeds the time limit by this much, the whole process is
/// ended.
const GRACE_TIME: Duration = Duration::from_secs(2);
const HARD_MEMORY_LIMIT: u64 = MEMORY_LIMIT;

/// The time between two checks of the limits.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The state of the run.
struct RunStatus {
    run_begun: Option<Instant>,
    /// When the latest question began.
    question_begun: Option<Instant>,
    /// The estimated time of the question.
    estimate: Duration,
    /// The number of finished parts and of all parts.
    progress: Option<Progress>,
    /// The answer comes in chunks, so the time is not limited.
    streamed: bool,
    /// `--yes` was given.
    unlimited: bool,
    announced: bool,
}

static RUN_STATUS: Mutex<RunStatus> = Mutex::new(RunStatus {
    run_begun: None,
    question_begun: None,
    estimate: Duration::ZERO,
    progress: None,
    streamed: true,
    unlimited: false,
    announced: false,
});

fn lock_run_status() -> MutexGuard<'static, RunStatus> {
    RUN_STATUS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts watching the run; if `unlimited`, there are no limits.
pub fn start_watching(unlimited: bool) {
    let mut now = lock_run_status();
    now.run_begun = Some(Instant::now());
    now.unlimited = unlimited;
    // If no thread can start, nothing is printed.
    static WATCH_THREAD: OnceLock<io::Result<JoinHandle<()>>> = OnceLock::new();
    WATCH_THREAD.get_or_init(|| {
        thread::Builder::new().spawn(|| {
            loop {
                thread::sleep(CHECK_INTERVAL);
                check_limits();
            }
        })
    });
}

/// Stops watching, because the run is not a single answer and reports its own progress.
pub fn stop_watching() {
    lock_run_status().run_begun = None;
}

/// Records that a question begins now, and returns its limits.
pub fn begin_question(query: &Query) -> Control {
    let mut now = lock_run_status();
    now.question_begun = Some(Instant::now());
    // a step takes about a nanosecond
    let nanoseconds = query.estimate().work.min(u64::MAX.into());
    now.estimate = Duration::from_nanos(nanoseconds as u64);
    now.streamed = query.is_streamed();
    now.progress = None;
    let control = Control::default();
    match (now.unlimited, now.streamed) {
        (true, _) => control,
        (false, true) => control.with_memory(QUESTION_MEMORY_LIMIT),
        (false, false) => control
            .with_memory(QUESTION_MEMORY_LIMIT)
            .with_time(MAX_WAIT),
    }
}

/// Records how long the run is expected to take.
pub fn record_estimate(estimate: Duration) {
    lock_run_status().estimate = estimate;
}

/// Records the progress of the question.
pub fn record_progress(progress: Progress) {
    lock_run_status().progress = Some(progress);
}

/// The message for the time limit, with the option that lifts it.
pub fn time_limit_message() -> String {
    let longest = MAX_WAIT.as_secs();
    format!("this takes longer than {longest} s: --yes removes the limit")
}

/// The message for the memory limit.
pub fn memory_limit_message() -> String {
    let most = MEMORY_LIMIT / 1_000_000_000;
    format!("this takes more than {most} GB of memory: --yes removes the limit")
}

fn check_limits() {
    let mut now = lock_run_status();
    let Some(begun) = now.run_begun else { return };
    if !now.announced && begun.elapsed() >= ANNOUNCE_AFTER {
        now.announced = true;
        if let Some(sentence) = now.long_run_message(begun.elapsed()) {
            drop(now);
            print_above_bar(|| print_remark(&sentence));
            return;
        }
    }
    if now.unlimited {
        return;
    }
    let is_late = |since: Instant| since.elapsed() > MAX_WAIT + GRACE_TIME;
    let ended = if let Some(path) = files::awaited_longer_than(MAX_WAIT) {
        format!(
            "\"{}\" did not answer for more than {} s: --yes keeps waiting",
            path.display(),
            MAX_WAIT.as_secs()
        )
    } else if !now.streamed && now.question_begun.is_some_and(is_late) {
        time_limit_message()
    } else if flipcost_question::process_memory() > HARD_MEMORY_LIMIT {
        memory_limit_message()
    } else {
        return;
    };
    interrupt::remove_temporary_files();
    print_error(&ended);
    std::process::exit(2);
}

impl RunStatus {
    /// The message about a long run, unless the run is nearly done.
    fn long_run_message(&self, gone: Duration) -> Option<String> {
        let told = self.progress.filter(|progress| progress.done > 0);
        let whole = match told {
            Some(Progress { done, all }) => gone.mul_f64((all as f64 / done as f64).max(1.0)),
            None => self.estimate,
        };
        let takes = if whole <= gone {
            format!("this takes more than {} s", gone.as_secs() + 1)
        } else if whole < 2 * ANNOUNCE_AFTER - gone {
            return None; // it is nearly done
        } else {
            format!("this takes about {}", HumanDuration(whole))
        };
        let longest = MAX_WAIT.as_secs();
        Some(if self.unlimited || self.streamed {
            takes
        } else {
            format!("{takes}; it ends after {longest} s unless --yes is given")
        })
    }
}
