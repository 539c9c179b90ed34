//! What a computation may take: until when, how much memory, and whether it was stopped.
//!
//! A [`Budget`] is shared by all who may stop a computation. What runs inside of [`Budget::run`] is
//! left as soon as the budget is spent: loops over long numbers call `spend` with the steps that
//! they take, and every so many steps it is looked at. A computation is left by unwinding its
//! stack, as Salsa leaves a query, so that no formula has to carry an error that is none of its
//! own: what it held is freed, and what it had made is lost. Where panics abort the process
//! (`panic = "abort"`, and targets that cannot unwind) a budget may be checked, and ends the
//! process where a computation inside of [`Budget::run`] spends it: limit nothing there.
//!
//! Threads of one's own take the budget of the computation that starts them with
//! [`Budget::current`].
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

/// Steps, about a nanosecond each, between two looks at the budget.
const STEPS: u64 = 1 << 16;

/// Time between two looks at the memory.
const PAUSE: Duration = Duration::from_millis(20);

/// Why a computation was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// It was stopped.
    #[error("it was stopped")]
    Stopped,
    /// It took longer than it may.
    #[error("it takes longer than it may")]
    Time,
    /// It took more memory than it may.
    #[error("it takes more memory than it may")]
    Memory,
}

/// The limits of a computation; clones are the same budget. By default there are none.
#[derive(Clone, Default)]
pub struct Budget {
    spent: Arc<OnceLock<Spent>>,
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
    /// What may be [reserved](reserve).
    room: Option<MemoryLimit>,
    /// Those of the computations around the one whose [current](Budget::current) budget this is.
    outer: Carried,
}

/// Bytes that may be taken, and how many are.
#[derive(Clone, Copy)]
struct MemoryLimit {
    most: u64,
    taken: fn() -> u64,
}

/// A budget that a computation runs with, and those of the computations around it.
pub(crate) struct NestedBudget {
    budget: Budget,
    outer: Carried,
}

/// The budgets of a computation, to be carried to another thread.
pub(crate) type Carried = Option<Arc<NestedBudget>>;

/// What unwinds a computation up to the level whose budget is spent.
struct Left {
    spent: Spent,
    level: usize,
}

thread_local! {
    static CURRENT: RefCell<Carried> = const { RefCell::new(None) };
    static LEFT: Cell<u64> = const { Cell::new(STEPS) };
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Budget {
    /// The limits of the computation that this thread is in, those around it included; none outside
    /// of one. Work that a thread of one's own [runs](Budget::run) with it ends when the
    /// computation does.
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
        here().map_or_else(Budget::default, |level| Budget {
            outer: level.outer.clone(),
            ..level.budget.clone()
        })
    }

    /// The budget of all that this thread computes, to [end](Budget::cancel) it from within; `None`
    /// outside of a computation.
    pub fn outermost() -> Option<Budget> {
        let mut level = here()?;
        while let Some(outer) = level.outer.clone() {
            level = outer;
        }
        Some(level.budget.clone())
    }

    /// Is it a clone of the other one?
    pub fn is_same(&self, other: &Budget) -> bool {
        Arc::ptr_eq(&self.spent, &other.spent)
    }

    /// The same for so long from now on.
    pub fn timeout(self, time: Duration) -> Budget {
        self.deadline(Instant::now() + time)
    }

    /// The same until then.
    pub fn deadline(mut self, deadline: Instant) -> Budget {
        self.deadline = Some(deadline);
        self
    }

    /// The same as long as `taken()` is at most so many bytes.
    pub fn with_memory(mut self, most: u64, taken: fn() -> u64) -> Budget {
        self.memory = Some(MemoryLimit { most, taken });
        self.with_room(most, taken)
    }

    /// The same unless a step is begun that would take `taken()` beyond so many bytes: what is
    /// taken little by little is watched by others.
    pub fn with_room(mut self, most: u64, taken: fn() -> u64) -> Budget {
        self.room = Some(MemoryLimit { most, taken });
        self
    }

    /// Ends all that runs with a clone of this budget, soon.
    pub fn cancel(&self) {
        self.end(Spent::Stopped);
    }

    fn end(&self, spent: Spent) {
        let _ = self.spent.set(spent);
    }

    /// Is there anything left? What was spent once stays so.
    ///
    /// # Errors
    /// What is spent.
    pub fn check(&self) -> Result<(), Spent> {
        self.check_ahead(Duration::ZERO)
    }

    fn check_ahead(&self, ahead: Duration) -> Result<(), Spent> {
        // without a limit no clock is asked: WebAssembly has none
        if self.spent.get().is_none() && (self.deadline.is_some() || self.memory.is_some()) {
            let now = Instant::now();
            if self
                .deadline
                .is_some_and(|deadline| now + ahead >= deadline)
            {
                self.end(Spent::Time);
            }
            if let Some(MemoryLimit { most, taken }) = self.memory {
                let looked = LOOKED.get();
                if looked.is_none_or(|looked| now.saturating_duration_since(looked) >= PAUSE) {
                    LOOKED.set(Some(now));
                    if taken() > most {
                        self.end(Spent::Memory);
                    }
                }
            }
        }
        let mut around = self.outer.clone();
        while let Some(level) = around {
            if let Err(spent) = level.budget.check_ahead(ahead) {
                self.end(spent);
            }
            around = level.outer.clone();
        }
        self.spent.get().map_or(Ok(()), |spent| Err(*spent))
    }

    /// What the work gives, if the budget lasts until it is done.
    ///
    /// ```
    /// use flipcost_number::Real;
    /// use flipcost_number::budget::{Budget, Spent};
    /// use std::time::Duration;
    /// let long = || Real::log(6, 2).decimals(100_000_000);
    /// let brief = Budget::default().timeout(Duration::from_millis(20));
    /// assert_eq!(brief.run(long), Err(Spent::Time));
    ///
    /// // A `catch_unwind` inside of the work catches the unwinding as well. The budget stays spent.
    /// let brief = Budget::default().timeout(Duration::from_millis(20));
    /// let caught = brief.run(|| std::panic::catch_unwind(long).is_err());
    /// assert_eq!((caught, brief.check()), (Ok(true), Err(Spent::Time)));
    /// ```
    ///
    /// It is left by unwinding, without a message of the panic hook: values are dropped, what a
    /// lock protected may be half done (the lock is poisoned), and what catches panics inside of
    /// the work should ask [`Budget::check`] and return. Where panics abort (`panic = "abort"`), a
    /// budget that is spent inside of `run` ends the process; [`Budget::check`] between steps of
    /// one's own works there all the same.
    ///
    /// # Errors
    /// What was spent before the end.
    ///
    /// # Panics
    /// If the work does.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Spent> {
        self.check()?;
        let budget = self.clone();
        let level = Arc::new(NestedBudget {
            budget,
            outer: here(),
        });
        let place = Arc::as_ptr(&level).addr();
        let worked = catch_unwind(AssertUnwindSafe(|| carry(Some(level), work)));
        worked.map_err(|thrown| match thrown.downcast::<Left>() {
            Ok(left) if left.level == place => left.spent,
            Ok(left) => resume_unwind(left), // of a computation around this one
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// The budgets that this thread computes with.
pub(crate) fn here() -> Carried {
    CURRENT.with_borrow(Carried::clone)
}

/// Works with these budgets.
pub(crate) fn carry<T>(budgets: Carried, work: impl FnOnce() -> T) -> T {
    struct RestoreBudget(Carried);
    impl Drop for RestoreBudget {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = RestoreBudget(CURRENT.replace(budgets));
    work()
}

/// So many steps, about a nanosecond each, are done or will be: to be said in every loop that can
/// be long. Before a step of its own that cannot be left, such as a product of long numbers, all of
/// it is said: where a quarter of it is beyond the deadline, it is not begun.
#[inline]
pub fn spend(steps: u64) {
    match LEFT.get().checked_sub(steps) {
        Some(left) => LEFT.set(left),
        None => {
            LEFT.set(STEPS);
            look(Duration::from_nanos(steps / 4));
        }
    }
}

/// As [`spend`], for a product or a quotient of numbers with so many bits.
#[inline]
pub fn spend_on(a: u64, b: u64) {
    let (long, short) = (a.max(b) / 64 + 1, a.min(b) / 64 + 1);
    spend(long.saturating_mul(short.isqrt()));
}

/// More bytes than any machine has, beyond which nothing is allocated whatever the budgets are.
const MAX_RESERVED: u64 = 1 << 40;

/// So many bytes will be taken at once: to be said before an allocation whose size comes from a
/// question, since one that fails ends the process.
///
/// # Panics
/// Where no budget is there to be left, for 2^40 bytes or more.
pub fn reserve(bytes: u64) {
    if bytes < 1 << 20 {
        return;
    }
    let mut next = here();
    while let Some(level) = next {
        let room = level.budget.room;
        let is_short = room.is_some_and(|room| (room.taken)().saturating_add(bytes) > room.most);
        if is_short || (bytes >= MAX_RESERVED && level.outer.is_none()) {
            level.budget.end(Spent::Memory);
            leave(&level, Spent::Memory);
        }
        next = level.outer.clone();
    }
    assert!(
        bytes < MAX_RESERVED,
        "{bytes} bytes are more than there are"
    );
}

/// Unwinds to this level.
fn leave(level: &Arc<NestedBudget>, spent: Spent) -> ! {
    let level = Arc::as_ptr(level).addr();
    resume_unwind(Box::new(Left { spent, level }))
}

/// Leaves the computation if a budget of it is spent, or will be after so long.
#[cold]
fn look(ahead: Duration) {
    let mut next = here();
    while let Some(level) = next {
        if let Err(spent) = level.budget.check_ahead(ahead) {
            leave(&level, spent);
        }
        next = level.outer.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;

    fn for_ever() {
        loop {
            spend(1000);
        }
    }

    #[test]
    fn every_limit_ends_a_loop() {
        let soon = Instant::now() + Duration::from_millis(30);
        let late = Budget::default().deadline(soon);
        assert_eq!(late.run(for_ever), Err(Spent::Time));
        assert_eq!(late.run(|| ()), Err(Spent::Time));
        let small = Budget::default().with_memory(10, || 11);
        assert_eq!(small.run(for_ever), Err(Spent::Memory));
        let enough = Budget::default().with_memory(10, || 10);
        assert_eq!(enough.run(|| spend(STEPS * 3)), Ok(()));
        let (stopped, other) = (Budget::default(), Budget::default());
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stopped.run(for_ever));
            stopped.clone().cancel();
            assert_eq!(run.join().unwrap(), Err(Spent::Stopped));
        });
        assert_eq!(other.run(|| 1), Ok(1));
    }

    #[test]
    fn a_computation_within_another_ends_both() {
        let (outer, inner) = (Budget::default(), Budget::default());
        let ended = outer.run(|| {
            inner.run(|| {
                let outermost = Budget::outermost().expect("within a computation");
                assert!(outermost.is_same(&outer) && !outermost.is_same(&inner));
                outermost.cancel();
                for_ever();
            })
        });
        assert_eq!(ended, Err(Spent::Stopped));
        assert!(Budget::outermost().is_none());
    }

    /// What would be too much is not begun, and what a budget lets through without a limit no
    /// machine has.
    #[test]
    fn memory_is_reserved() {
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

    /// What runs on other threads and inside of another budget is left, too: up to the one that is
    /// spent.
    #[test]
    fn budgets_are_carried() {
        let outer = Budget::default();
        let inner = || Budget::default().run(|| threads::map(64, &|_| for_ever()));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| outer.run(inner).err());
            std::thread::sleep(Duration::from_millis(10));
            outer.cancel();
            assert_eq!(run.join().unwrap(), Some(Spent::Stopped));
        });
        assert!(here().is_none());
    }

    #[test]
    fn a_panic_stays_one() {
        let run = || Budget::default().run(|| panic!("of the work"));
        let thrown = std::panic::catch_unwind(run).unwrap_err();
        assert_eq!(thrown.downcast_ref(), Some(&"of the work"));
    }
}
