//! How a question is answered: the number of threads, progress, cancellation, estimates.

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
    /// The estimate of a table with this many rows and columns, each cell of which takes `work`
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
    /// The number of parts.
    pub all: u64,
    /// The parts that are done.
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
    /// Calls `tell` with the progress, from any thread.
    pub fn with_progress(mut self, tell: impl Fn(Progress) + Send + Sync + 'static) -> Control {
        self.tell = Some(Arc::new(tell));
        self
    }

    /// Sets the number of threads; 0 takes all cores.
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
