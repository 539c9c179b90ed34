//! How a question is answered: the number of threads, progress, cancellation, estimates.

use crate::QueryError;
use flipcost_number::budget::{Budget, Spent};
use std::sync::Arc;
use std::time::Duration;

/// About how much a question takes, at most. Each number saturates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Steps of about a nanosecond, where that was measured; 0 where no time is foretold.
    pub work: u128,
    /// Bytes of memory.
    pub memory: u128,
    /// Bytes of output.
    pub output: u128,
}

impl Estimate {
    /// Of what will be refused.
    pub const NOTHING: Estimate = Estimate::new(0, 0, 0);

    /// Of some rows.
    pub const SMALL: Estimate = Estimate::space(1 << 24, 1 << 16);

    /// So much work, memory and output.
    pub const fn new(work: u128, memory: u128, output: u128) -> Estimate {
        Estimate {
            work,
            memory,
            output,
        }
    }

    /// So much memory and output, in a time that is not foretold.
    pub const fn space(memory: u128, output: u128) -> Estimate {
        Estimate::new(0, memory, output)
    }

    /// So many cells, each of which has about `bytes` bytes, in a time that is not foretold.
    pub const fn cells(count: u128, bytes: u128) -> Estimate {
        let held = count.saturating_mul(bytes);
        Estimate::space(held, held)
    }

    /// The estimate of a table with this many rows and columns, each cell of which takes `work`
    /// operations and has about `bytes` bytes.
    pub fn table(rows: u128, columns: u128, work: u128, bytes: u128) -> Estimate {
        let cells = rows.saturating_mul(columns);
        let held = cells.saturating_mul(bytes);
        Estimate::new(cells.saturating_mul(work), held, held)
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
/// use flipcost_question::{Control, Query, QueryError};
/// let control = Control::default();
/// control.stop(); // from any thread that holds a clone
/// let query = flipcost_all::from_json(r#"{"ask":"cost","target":"6"}"#)?;
/// assert!(matches!(query.answer(&control), Err(QueryError::Stopped)));
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, Default)]
pub struct Control {
    /// Threads; 0 takes all cores. The answer does not depend on it.
    pub threads: usize,
    budget: Budget,
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

    /// At most so much time, from now on.
    pub fn with_time(mut self, most: Duration) -> Control {
        self.budget = self.budget.timeout(most);
        self
    }

    /// At most so many bytes of memory in all that the process does.
    pub fn with_memory(mut self, most: u64) -> Control {
        self.budget = self.budget.with_memory(most, memory);
        self
    }

    /// No step that takes the process beyond so many bytes of memory at once.
    pub fn with_room(mut self, most: u64) -> Control {
        self.budget = self.budget.with_room(most, memory);
        self
    }

    /// Stops every run that has a clone of this control, soon.
    pub fn stop(&self) {
        self.budget.cancel();
    }

    /// Does it limit what runs with this budget?
    pub fn has_budget(&self, budget: &Budget) -> bool {
        self.budget.is_same(budget)
    }

    /// Fails once it was stopped, or a limit is reached: to be called between parts of a long
    /// computation.
    ///
    /// # Errors
    /// [`QueryError::Stopped`], [`QueryError::Time`] and [`QueryError::Memory`].
    pub fn go_on(&self) -> Result<(), QueryError> {
        Ok(self.budget.check()?)
    }

    /// What the work gives, which is left in the middle once it was stopped, or a limit is reached.
    ///
    /// # Errors
    /// As [`Control::go_on`], and those of the work.
    pub fn run<T, E: From<QueryError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.run_infallible(work)?
    }

    /// The same for work that cannot fail.
    ///
    /// # Errors
    /// As [`Control::go_on`].
    pub fn run_infallible<T>(&self, work: impl FnOnce() -> T) -> Result<T, QueryError> {
        Ok(self.budget.run(work)?)
    }

    /// `done` of `all` parts are done.
    pub fn progress(&self, done: u64, all: u64) {
        if let Some(tell) = &self.tell {
            tell(Progress { all, done });
        }
    }
}

/// Bytes of memory that the process takes; 0 where the system does not say.
pub fn memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64)
}

impl From<Spent> for QueryError {
    fn from(spent: Spent) -> QueryError {
        match spent {
            Spent::Stopped => QueryError::Stopped,
            Spent::Time => QueryError::Time,
            Spent::Memory => QueryError::Memory,
        }
    }
}
