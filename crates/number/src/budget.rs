//! Limits on a computation: a deadline, a maximum of memory, and cancellation.
//!
//! A [`Budget`] is shared by everyone who may stop a computation. When the budget is spent,
//! [`Budget::run`] abandons the computation and returns the reason: loops over long numbers call
//! `spend` with the number of their steps, which checks the budget from time to time. Abandoning a
//! computation unwinds the stack, as the library Salsa does for a query. So functions that compute
//! a formula need not return an error about the budget. The values of the computation are dropped,
//! and its results are lost. Where a panic aborts the process (`panic = "abort"`, and targets that
//! cannot unwind), [`Budget::check`] works, but a computation inside [`Budget::run`] that exceeds
//! its budget ends the process: set no limits there.
//!
//! If a computation starts a thread, [`Budget::current`] returns the limits that the thread needs.
//!
//! ```
//! use flipcost_number::budget::{Budget, Spent};
//! use flipcost_number::Real;
//! let budget = Budget::default();
//! assert_eq!(budget.run(|| 2 + 2), Ok(4));
//! budget.cancel(); // from any thread that holds a clone
//! let long = || Real::log(6, 2).decimals(1_000_000);
//! assert_eq!(budget.run(long), Err(Spent::Stopped));
//! ```

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The number of steps, about a nanosecond each, between two checks of the budget.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 16;

/// The minimum time between two checks of the memory in use.
const MEMORY_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Why a computation was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// The computation was stopped.
    #[error("it was stopped")]
    Stopped,
    /// The computation took longer than allowed.
    #[error("it takes longer than the time limit")]
    Time,
    /// The computation took more memory than allowed.
    #[error("it takes more memory than the limit")]
    Memory,
}

/// The limits of a computation. By default there are none. Clones share the same budget.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    spent: Arc<OnceLock<Spent>>,
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
    /// The limit for memory that is announced with [`reserve`].
    allocation_limit: Option<MemoryLimit>,
    /// The budgets of the surrounding computations, if this is the [current](Budget::current)
    /// budget.
    outer: BudgetStack,
}

/// The maximum number of bytes, and a function that returns the number in use.
#[derive(Clone, Copy, Debug)]
struct MemoryLimit {
    most: u64,
    taken: fn() -> u64,
}

/// The budget of a computation, with the budgets of the computations around it.
#[derive(Debug)]
pub(crate) struct NestedBudget {
    budget: Budget,
    outer: BudgetStack,
}

/// The budgets of a computation, for use on another thread.
pub(crate) type BudgetStack = Option<Arc<NestedBudget>>;

/// The panic payload that unwinds the stack up to the computation whose budget is spent.
struct BudgetUnwind {
    spent: Spent,
    level: usize,
}

thread_local! {
    static CURRENT_BUDGETS: RefCell<BudgetStack> = const { RefCell::new(None) };
    static STEPS_LEFT: Cell<u64> = const { Cell::new(STEPS_BETWEEN_CHECKS) };
    static LAST_MEMORY_CHECK: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Budget {
    /// Returns the limits of the computation that runs on this thread and of the computations
    /// around it; without a computation, a budget without limits. A thread that [runs](Budget::run)
    /// with these limits stops when the computation does.
    ///
    /// ```
    /// use flipcost_number::budget::{Budget, Spent};
    /// let budget = Budget::default();
    /// let ended = budget.run(|| {
    ///     let mine = Budget::current();
    ///     budget.cancel();
    ///     std::thread::spawn(move || mine.run(|| 2 + 2)).join().expect("no panic")
    /// });
    /// assert_eq!(ended, Ok(Err(Spent::Stopped)));
    /// ```
    pub fn current() -> Budget {
        current_budgets().map_or_else(Budget::default, |level| Budget {
            outer: level.outer.clone(),
            ..level.budget.clone()
        })
    }

    /// Returns the budget of the outermost computation on this thread, so that the computation can
    /// [cancel](Budget::cancel) itself; `None` outside a computation.
    pub fn outermost() -> Option<Budget> {
        let mut level = current_budgets()?;
        while let Some(outer) = level.outer.clone() {
            level = outer;
        }
        Some(level.budget.clone())
    }

    /// Whether the budget is a clone of the other budget.
    pub fn is_same(&self, other: &Budget) -> bool {
        Arc::ptr_eq(&self.spent, &other.spent)
    }

    /// Sets a time limit, counted from now.
    pub fn timeout(self, time: Duration) -> Budget {
        self.deadline(Instant::now() + time)
    }

    /// Sets a deadline.
    pub fn deadline(mut self, deadline: Instant) -> Budget {
        self.deadline = Some(deadline);
        self
    }

    /// Sets a maximum for the number of bytes in use; `taken()` returns the number in use.
    pub fn with_memory(mut self, most: u64, taken: fn() -> u64) -> Budget {
        self.memory = Some(MemoryLimit { most, taken });
        self.with_room(most, taken)
    }

    /// Sets a maximum for `taken()` that is checked only before single large allocations (see
    /// [`reserve`]): an allocation that would exceed it is refused. Memory that grows in small
    /// steps must be limited with [`Budget::with_memory`].
    pub fn with_room(mut self, most: u64, taken: fn() -> u64) -> Budget {
        self.allocation_limit = Some(MemoryLimit { most, taken });
        self
    }

    /// Stops everything that runs with a clone of this budget, at the next check of the budget.
    pub fn cancel(&self) {
        self.mark_spent(Spent::Stopped);
    }

    fn mark_spent(&self, spent: Spent) {
        let _ = self.spent.set(spent);
    }

    /// Checks whether the budget is spent. A spent budget stays spent.
    ///
    /// # Errors
    /// The reason why the budget is spent.
    pub fn check(&self) -> Result<(), Spent> {
        self.check_ahead(Duration::ZERO)
    }

    fn check_ahead(&self, ahead: Duration) -> Result<(), Spent> {
        // Without a limit the clock is not read: WebAssembly has no clock.
        if self.spent.get().is_none() && (self.deadline.is_some() || self.memory.is_some()) {
            let now = Instant::now();
            if self
                .deadline
                .is_some_and(|deadline| now + ahead >= deadline)
            {
                self.mark_spent(Spent::Time);
            }
            if let Some(MemoryLimit { most, taken }) = self.memory {
                let looked = LAST_MEMORY_CHECK.get();
                if looked.is_none_or(|looked| {
                    now.saturating_duration_since(looked) >= MEMORY_CHECK_INTERVAL
                }) {
                    LAST_MEMORY_CHECK.set(Some(now));
                    if taken() > most {
                        self.mark_spent(Spent::Memory);
                    }
                }
            }
        }
        let mut around = self.outer.clone();
        while let Some(level) = around {
            if let Err(spent) = level.budget.check_ahead(ahead) {
                self.mark_spent(spent);
            }
            around = level.outer.clone();
        }
        self.spent.get().map_or(Ok(()), |spent| Err(*spent))
    }

    /// Runs the work, and returns its result if the budget lasts until the work is done.
    ///
    /// ```
    /// use flipcost_number::Real;
    /// use flipcost_number::budget::{Budget, Spent};
    /// use std::time::Duration;
    /// let long = || Real::log(6, 2).decimals(100_000_000);
    /// let brief = Budget::default().timeout(Duration::from_millis(20));
    /// assert_eq!(brief.run(long), Err(Spent::Time));
    ///
    /// // A `catch_unwind` inside the work also catches the unwinding. The budget stays spent.
    /// let brief = Budget::default().timeout(Duration::from_millis(20));
    /// let caught = brief.run(|| std::panic::catch_unwind(long).is_err());
    /// assert_eq!((caught, brief.check()), (Ok(true), Err(Spent::Time)));
    /// ```
    ///
    /// The work is abandoned by unwinding, without a message of the panic hook: values are dropped,
    /// data protected by a lock may be half updated (the lock is poisoned), and code inside the
    /// work that catches panics should call [`Budget::check`] and return. Where a panic aborts the
    /// process (`panic = "abort"`), a budget that is spent inside `run` ends the process; calling
    /// [`Budget::check`] between the steps of a computation still works there.
    ///
    /// # Errors
    /// The limit that was exceeded.
    ///
    /// # Panics
    /// If the work panics.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Spent> {
        self.check()?;
        let budget = self.clone();
        let level = Arc::new(NestedBudget {
            budget,
            outer: current_budgets(),
        });
        let place = Arc::as_ptr(&level).addr();
        let worked = catch_unwind(AssertUnwindSafe(|| run_with_budgets(Some(level), work)));
        worked.map_err(|thrown| match thrown.downcast::<BudgetUnwind>() {
            Ok(left) if left.level == place => left.spent,
            Ok(left) => resume_unwind(left), // the budget of a computation around this one is spent
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// The budgets of the current thread.
pub(crate) fn current_budgets() -> BudgetStack {
    CURRENT_BUDGETS.with_borrow(BudgetStack::clone)
}

/// Runs work with these budgets.
pub(crate) fn run_with_budgets<T>(budgets: BudgetStack, work: impl FnOnce() -> T) -> T {
    struct RestoreBudget(BudgetStack);
    impl Drop for RestoreBudget {
        fn drop(&mut self) {
            CURRENT_BUDGETS.set(self.0.take());
        }
    }
    let _before = RestoreBudget(CURRENT_BUDGETS.replace(budgets));
    work()
}

/// Counts `steps` steps, about a nanosecond each, that are done or about to be done. Every loop
/// that can be long must call this function. Before a single step that cannot be interrupted, for
/// example a product of long numbers, count its whole time: if even a quarter of that time would
/// exceed the deadline, the step is not begun.
#[inline]
pub fn spend(steps: u64) {
    match STEPS_LEFT.get().checked_sub(steps) {
        Some(left) => STEPS_LEFT.set(left),
        None => {
            STEPS_LEFT.set(STEPS_BETWEEN_CHECKS);
            check_budgets(Duration::from_nanos(steps / 4));
        }
    }
}

/// Counts the steps of a product or a quotient of two numbers, given their lengths in bits; see
/// [`spend`].
#[inline]
pub fn spend_on(a: u64, b: u64) {
    let (long, short) = (a.max(b) / 64 + 1, a.min(b) / 64 + 1);
    spend(long.saturating_mul(short.isqrt()));
}

/// More bytes than any machine has: an allocation of this size is always refused.
const MAX_RESERVED: u64 = 1 << 40;

/// Announces an allocation of this many bytes. Call it before an allocation whose size comes from
/// the user's input, since a failed allocation ends the process.
///
/// # Panics
/// For 2^40 bytes or more outside any computation.
pub fn reserve(bytes: u64) {
    if bytes < 1 << 20 {
        return;
    }
    let mut next = current_budgets();
    while let Some(level) = next {
        let limit = level.budget.allocation_limit;
        let is_short =
            limit.is_some_and(|limit| (limit.taken)().saturating_add(bytes) > limit.most);
        if is_short || (bytes >= MAX_RESERVED && level.outer.is_none()) {
            level.budget.mark_spent(Spent::Memory);
            unwind_to(&level, Spent::Memory);
        }
        next = level.outer.clone();
    }
    assert!(
        bytes < MAX_RESERVED,
        "{bytes} bytes are more than this machine can have"
    );
}

/// Unwinds the stack up to the computation that has this budget.
fn unwind_to(level: &Arc<NestedBudget>, spent: Spent) -> ! {
    let level = Arc::as_ptr(level).addr();
    resume_unwind(Box::new(BudgetUnwind { spent, level }))
}

/// Abandons the computation if one of its budgets is spent, or will be spent within the time
/// `ahead`.
#[cold]
fn check_budgets(ahead: Duration) {
    let mut next = current_budgets();
    while let Some(level) = next {
        if let Err(spent) = level.budget.check_ahead(ahead) {
            unwind_to(&level, spent);
        }
        next = level.outer.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;

    fn loop_forever() {
        loop {
            spend(1000);
        }
    }

    #[test]
    fn every_limit_ends_a_loop() {
        let soon = Instant::now() + Duration::from_millis(30);
        let late = Budget::default().deadline(soon);
        assert_eq!(late.run(loop_forever), Err(Spent::Time));
        assert_eq!(late.run(|| ()), Err(Spent::Time));
        let small = Budget::default().with_memory(10, || 11);
        assert_eq!(small.run(loop_forever), Err(Spent::Memory));
        let enough = Budget::default().with_memory(10, || 10);
        assert_eq!(enough.run(|| spend(STEPS_BETWEEN_CHECKS * 3)), Ok(()));
        let (stopped, other) = (Budget::default(), Budget::default());
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stopped.run(loop_forever));
            stopped.clone().cancel();
            assert_eq!(run.join().unwrap(), Err(Spent::Stopped));
        });
        assert_eq!(other.run(|| 1), Ok(1));
    }

    #[test]
    fn a_nested_computation_ends_with_the_outer_one() {
        let (outer, inner) = (Budget::default(), Budget::default());
        let ended = outer.run(|| {
            inner.run(|| {
                let outermost = Budget::outermost().expect("within a computation");
                assert!(outermost.is_same(&outer) && !outermost.is_same(&inner));
                outermost.cancel();
                loop_forever();
            })
        });
        assert_eq!(ended, Err(Spent::Stopped));
        assert!(Budget::outermost().is_none());
    }

    /// An allocation above the limit is refused before it begins; without a limit, only a size that
    /// no machine has is refused.
    #[test]
    fn too_much_memory_is_refused() {
        let budget = || Budget::default().with_memory(4 << 20, || 1 << 20);
        assert_eq!(budget().run(|| reserve(3 << 20)), Ok(()));
        assert_eq!(budget().run(|| reserve((3 << 20) + 1)), Err(Spent::Memory));
        let inner = || Budget::default().run(|| reserve(u64::MAX));
        assert_eq!(budget().run(inner), Err(Spent::Memory));
        assert_eq!(
            Budget::default().run(|| reserve(MAX_RESERVED)),
            Err(Spent::Memory)
        );
        assert_eq!(Budget::default().run(|| reserve(MAX_RESERVED - 1)), Ok(()));
    }

    /// Work on other threads and inside another budget is abandoned as well, up to the computation
    /// whose budget is spent.
    #[test]
    fn budgets_apply_on_other_threads() {
        let outer = Budget::default();
        let inner = || Budget::default().run(|| threads::map(64, &|_| loop_forever()));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| outer.run(inner).err());
            std::thread::sleep(Duration::from_millis(10));
            outer.cancel();
            assert_eq!(run.join().unwrap(), Some(Spent::Stopped));
        });
        assert!(current_budgets().is_none());
    }

    #[test]
    fn a_panic_is_passed_on() {
        let run = || Budget::default().run(|| panic!("of the work"));
        let thrown = std::panic::catch_unwind(run).unwrap_err();
        assert_eq!(thrown.downcast_ref(), Some(&"of the work"));
    }
}
