//! How a question is answered: on how many threads, within which limits, seen and stopped by whom.

use crate::QueryError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// About how much a question takes, at most. Each number saturates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Elementary operations: steps of machine words.
    pub work: u128,
    /// Bytes of memory.
    pub memory: u128,
    /// Bytes of output.
    pub output: u128,
}

impl Estimate {
    /// Of a question about a table of so many rows and columns, each cell of which takes `work`
    /// operations and has about `bytes` bytes.
    pub(crate) fn table(rows: u128, columns: u128, work: u128, bytes: u128) -> Estimate {
        let cells = rows.saturating_mul(columns);
        Estimate {
            work: cells.saturating_mul(work),
            memory: cells.saturating_mul(bytes),
            output: cells.saturating_mul(bytes),
        }
    }
}

/// How far a question has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Of so many parts.
    pub all: u64,
    /// So many are done.
    pub done: u64,
}

type Tell = dyn Fn(Progress) + Send + Sync;

/// Limits, progress and cancellation of a run. The default has all cores, and tells nobody.
///
/// ```
/// use flipcost_query::{Control, Query, QueryError};
/// let control = Control::default();
/// control.stop(); // from any thread that holds a clone
/// let query = Query::from_json(r#"{"ask":"bounded"}"#)?;
/// assert!(matches!(query.answer(&control), Err(QueryError::Stopped)));
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, Default)]
pub struct Control {
    /// Threads; 0 takes all cores. The answer does not depend on it.
    pub threads: usize,
    stopped: Arc<AtomicBool>,
    tell: Option<Arc<Tell>>,
}

impl Control {
    /// Tells `tell` how far the question has come, from any thread.
    pub fn with_progress(mut self, tell: impl Fn(Progress) + Send + Sync + 'static) -> Control {
        self.tell = Some(Arc::new(tell));
        self
    }

    /// On so many threads; 0 takes all cores.
    pub fn with_threads(mut self, threads: usize) -> Control {
        self.threads = threads;
        self
    }

    /// Stops every run that has a clone of this control, soon.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Fails once it was stopped: to be called between parts of a long computation.
    ///
    /// # Errors
    /// [`QueryError::Stopped`].
    pub fn go_on(&self) -> Result<(), QueryError> {
        match self.stopped.load(Ordering::Relaxed) {
            true => Err(QueryError::Stopped),
            false => Ok(()),
        }
    }

    /// `done` of `all` parts are done.
    pub fn progress(&self, done: u64, all: u64) {
        if let Some(tell) = &self.tell {
            tell(Progress { all, done });
        }
    }
}
