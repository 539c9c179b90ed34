//! Controls how a question is answered: threads, progress, cancellation and estimates.

use crate::QueryError;
use flipcost_number::budget::{Budget, Spent};
use std::sync::Arc;
use std::time::Duration;

/// An upper estimate of the work, memory and output of a question. A sum or product that overflows
/// is replaced by the largest `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The number of steps, each of which takes about a nanosecond; 0 if the time is not predicted.
    pub work: u128,
    /// Bytes of memory.
    pub memory: u128,
    /// Bytes of output.
    pub output: u128,
}

impl Estimate {
    /// The estimate of a question that will be refused.
    pub const NOTHING: Estimate = Estimate::new(0, 0, 0);

    /// The estimate of an answer with only a few rows.
    pub const SMALL: Estimate = Estimate::space(1 << 24, 1 << 16);

    /// An estimate from work, memory and output.
    pub const fn new(work: u128, memory: u128, output: u128) -> Estimate {
        Estimate {
            work,
            memory,
            output,
        }
    }

    /// An estimate from memory and output; the time is not predicted.
    pub const fn space(memory: u128, output: u128) -> Estimate {
        Estimate::new(0, memory, output)
    }

    /// The estimate of `count` cells of about `bytes` bytes each; the time is not predicted.
    pub const fn cells(count: u128, bytes: u128) -> Estimate {
        let held = count.saturating_mul(bytes);
        Estimate::space(held, held)
    }

    /// The estimate of a table with this many rows and columns. Each cell takes `work` operations
    /// and has about `bytes` bytes.
    pub fn table(rows: u128, columns: u128, work: u128, bytes: u128) -> Estimate {
        let cells = rows.saturating_mul(columns);
        let held = cells.saturating_mul(bytes);
        Estimate::new(cells.saturating_mul(work), held, held)
    }
}

/// How much of a question has been answered so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The total number of parts.
    pub all: u64,
    /// The number of parts that are done.
    pub done: u64,
}

type ProgressCallback = dyn Fn(Progress) + Send + Sync;

/// Limits, progress and cancellation of a run. The default uses all cores and reports no progress.
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
    /// The number of threads; 0 means all cores. The answer does not depend on it.
    pub threads: usize,
    budget: Budget,
    tell: Option<Arc<ProgressCallback>>,
    columns: Option<Arc<[String]>>,
}

impl Control {
    /// Calls `tell` with the progress, from any thread.
    pub fn with_progress(mut self, tell: impl Fn(Progress) + Send + Sync + 'static) -> Control {
        self.tell = Some(Arc::new(tell));
        self
    }

    /// Sets the number of threads; 0 means all cores.
    pub fn with_threads(mut self, threads: usize) -> Control {
        self.threads = threads;
        self
    }

    /// Names the columns whose cells are read. A question may leave the cells of the others empty.
    pub fn with_columns(mut self, columns: Vec<String>) -> Control {
        self.columns = Some(columns.into());
        self
    }

    /// Whether the cells of this column are read, as they are unless [`Control::with_columns`] says
    /// otherwise.
    pub fn reads(&self, column: &str) -> bool {
        let mut columns = self.columns.iter().flat_map(|columns| columns.iter());
        self.columns.is_none() || columns.any(|read| read == column)
    }

    /// Limits the time, counted from now.
    pub fn with_time(mut self, most: Duration) -> Control {
        self.budget = self.budget.timeout(most);
        self
    }

    /// Limits the memory of the whole process, in bytes.
    pub fn with_memory(mut self, most: u64) -> Control {
        self.budget = self.budget.with_memory(most, process_memory);
        self
    }

    /// Refuses any single step that would take the process beyond this many bytes of memory.
    pub fn with_step_memory(mut self, most: u64) -> Control {
        self.budget = self.budget.with_room(most, process_memory);
        self
    }

    /// Asks every run that uses a clone of this control to stop; each run stops soon after.
    pub fn stop(&self) {
        self.budget.cancel();
    }

    /// Whether this control limits a run with the given budget.
    pub fn has_budget(&self, budget: &Budget) -> bool {
        self.budget.is_same(budget)
    }

    /// Fails if the run was stopped or has reached a limit. A long computation calls this method
    /// between its parts.
    ///
    /// # Errors
    /// [`QueryError::Stopped`], [`QueryError::Time`] or [`QueryError::Memory`].
    pub fn go_on(&self) -> Result<(), QueryError> {
        Ok(self.budget.check()?)
    }

    /// Runs `work`, and abandons it as soon as the run is stopped or reaches a limit.
    ///
    /// # Errors
    /// The errors of [`Control::go_on`] and of `work`.
    pub fn run<T, E: From<QueryError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.run_infallible(work)?
    }

    /// Does the same as [`Control::run`], for work that cannot fail.
    ///
    /// # Errors
    /// The errors of [`Control::go_on`].
    pub fn run_infallible<T>(&self, work: impl FnOnce() -> T) -> Result<T, QueryError> {
        Ok(self.budget.run(work)?)
    }

    /// Reports that `done` of `all` parts are done.
    pub fn progress(&self, done: u64, all: u64) {
        if let Some(tell) = &self.tell {
            tell(Progress { all, done });
        }
    }

    /// Reports progress by time: as many of `all` parts as take `time` of `all_time`, which is
    /// above 0, if all parts took equally long.
    pub fn progress_of_time(&self, time: u128, all_time: u128, all: u64) {
        let done = u128::from(all).saturating_mul(time.min(all_time)) / all_time;
        self.progress(done as u64, all);
    }
}

/// Returns the memory of the process in bytes; 0 if the system does not report it.
pub fn process_memory() -> u64 {
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
