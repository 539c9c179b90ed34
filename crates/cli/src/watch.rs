//! What a run may take, and what is said of one that takes long: a line before two seconds are
//! over, and an end where a single answer takes longer than a minute or more memory than most have,
//! unless `--yes` is given.

use crate::progress_bar::above_bar;
use flipcost_question::{Control, Progress, Query};
use flipcost_terminal::screen::{complain, remark};
use flipcost_terminal::{files, interrupt};
use indicatif::HumanDuration;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// When it is said that a run takes long.
const SAID: Duration = Duration::from_millis(1500);

/// The longest that a single answer takes.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The most memory of a run.
const MEMORY: u64 = 4_000_000_000;

/// A question ends at this much memory, since it looks only now and then.
const MEMORY_OF_QUESTION: u64 = MEMORY - MEMORY / 8;

/// What passes a limit in one step that cannot be left is ended from outside, this much later.
const LATE: Duration = Duration::from_secs(2);
const BEYOND: u64 = MEMORY;

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(100);

/// What is known of the run.
struct RunStatus {
    begun: Option<Instant>,
    /// When its latest question began.
    asked: Option<Instant>,
    /// An estimate before it began.
    estimate: Duration,
    /// How far it has come, of how many parts.
    progress: Option<Progress>,
    /// It goes on for as long as it is let.
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

/// From now on the run is watched; `unlimited`: it may take what it takes.
pub fn begin(unlimited: bool) {
    let mut now = run();
    now.begun = Some(Instant::now());
    now.unlimited = unlimited;
    // Without a thread to spare nothing is said.
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

/// The run is no single answer, and says itself how far it has come.
pub fn end() {
    run().begun = None;
}

/// The limits of a question, which begins now.
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

/// The question has come so far.
pub fn progress(progress: Progress) {
    run().progress = Some(progress);
}

/// That a limit was reached, and what lets the run go on.
pub fn too_long() -> String {
    let longest = MAX_WAIT.as_secs();
    format!("this takes longer than {longest} s: --yes lets it go on")
}

/// The same of the memory.
pub fn too_much() -> String {
    let most = MEMORY / 1_000_000_000;
    format!("this takes more than {most} GB of memory: --yes lets it go on")
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
            "\"{}\" has been waited for longer than {} s: --yes goes on waiting",
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
    /// What is said after some time.
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
