//! Runs work in parts on all threads, with results in order. This is the only file that uses rayon.
//!
//! Work is passed as `&dyn Fn`, so that the code that runs it is compiled once. If the work does
//! not depend on the number of threads, neither do the results. If no thread can start, for example
//! under a limit on processes or in WebAssembly, the calling thread does everything.

use crate::{budget, memory};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

/// The maximum number of threads started.
const MAX_THREADS: usize = 512;

/// The number of parts for each thread: many, so that all threads finish at about the same time
/// even if some parts take longer.
const PARTS_PER_THREAD: usize = 64;

/// The thread pool of the process, with a thread for each core; `None` if no thread can start.
fn own_pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(|| build_pool(0)).as_ref()
}

/// Creates a pool of this many threads; 0 means one thread for each core. If the system allows
/// fewer threads, the pool is smaller. The results do not depend on its size.
fn build_pool(threads: usize) -> Option<ThreadPool> {
    if cfg!(target_family = "wasm") {
        return None;
    }
    let mut count = threads.min(MAX_THREADS);
    loop {
        let builder = ThreadPoolBuilder::new().start_handler(|_| memory::enlarge_thread_heap());
        if let Ok(pool) = builder.num_threads(count).build() {
            return Some(pool);
        }
        if count == 1 {
            return None;
        }
        let wanted = match count {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        };
        count = (wanted / 2).max(1);
        // Wait until the threads that were started have ended and released their memory.
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Whether this thread belongs to a pool.
fn in_worker_thread() -> bool {
    rayon::current_thread_index().is_some()
}

/// The number of threads of the current pool.
pub fn count() -> usize {
    if in_worker_thread() {
        rayon::current_num_threads()
    } else {
        own_pool().map_or(1, ThreadPool::current_num_threads)
    }
}

/// Computes `of(0)`, ..., `of(count - 1)` on all threads of the current pool; returns the results
/// in order.
pub fn map<T: Send>(count: usize, of: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    concat(count, &|part| {
        let item = |i| {
            budget::spend(16);
            of(i)
        };
        part.map(item).collect()
    })
}

/// As [`map`], with every item of a list as the argument.
pub fn map_of<'a, S: Sync, T: Send>(list: &'a [S], of: &(dyn Fn(&'a S) -> T + Sync)) -> Vec<T> {
    map(list.len(), &|i| of(&list[i]))
}

/// Computes `of` for consecutive parts of 0..count on all threads, and concatenates the lists that
/// it returns. The division into parts depends on the number of threads.
pub fn concat<T: Send>(count: usize, of: &(dyn Fn(Range<usize>) -> Vec<T> + Sync)) -> Vec<T> {
    let size = (count / (PARTS_PER_THREAD * self::count())).max(1);
    let parts = count.div_ceil(size);
    if parts < 2 {
        return of(0..count);
    }
    let mut found: Vec<Vec<T>> = std::iter::repeat_with(Vec::new).take(parts).collect();
    change(&mut found, 1, &|i, part| {
        part[0] = of(i * size..count.min((i + 1) * size));
    });
    let mut all = Vec::with_capacity(found.iter().map(Vec::len).sum());
    for part in found {
        all.extend(part);
    }
    all
}

/// Calls `of` for consecutive parts of `size` items, with the index of the part's first item and
/// the items.
pub fn change<T: Send>(list: &mut [T], size: usize, of: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let parts: Vec<Mutex<&mut [T]>> = list.chunks_mut(size).map(Mutex::new).collect();
    run_parts(0..parts.len(), &|i| {
        let mut part = parts[i].try_lock().expect("a part is changed once");
        of(i * size, &mut part);
    });
}

/// Computes both results, on two threads if the pool has them.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut first, mut second) = (Some(first), Some(second));
    let (mut a, mut b) = (None, None);
    join_pair(&mut || a = first.take().map(|first| first()), &mut || {
        b = second.take().map(|second| second())
    });
    (a.expect("it ran"), b.expect("it ran"))
}

/// Runs all parts: splits the range into halves, which run in parallel.
fn run_parts(parts: Range<usize>, part: &(dyn Fn(usize) + Sync)) {
    let Range { start, end } = parts;
    match end - start {
        0 => {}
        1 => {
            budget::spend(1 << 14);
            part(start);
        }
        count => {
            let middle = start + count / 2;
            join_pair(&mut || run_parts(start..middle, part), &mut || {
                run_parts(middle..end, part)
            });
        }
    }
}

fn join_pair(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    // The first half runs on another thread as well, unless this thread belongs to the pool.
    let budgets = budget::current_budgets();
    let also = budgets.clone();
    let (mut a, mut b) = (
        || budget::run_with_budgets(also.clone(), &mut *first),
        || budget::run_with_budgets(budgets.clone(), &mut *second),
    );
    match (in_worker_thread(), own_pool()) {
        (true, _) => {
            rayon::join(a, b);
        }
        (false, Some(pool)) => {
            pool.join(a, b);
        }
        (false, None) => {
            a();
            b();
        }
    }
}

/// The threads of a pool.
pub struct Workers(Pool);

enum Pool {
    /// The pool of the process, or the pool of the calling thread.
    Shared(Option<&'static ThreadPool>),
    Own(ThreadPool),
}

/// A handle that starts work inside [`Workers::scope`]; the work ends before the scope does.
pub struct Scope<'s, 'a>(Option<&'s rayon::Scope<'a>>);

impl<'a> Scope<'_, 'a> {
    /// Starts work on another thread, or runs it at once if there is none.
    pub(crate) fn spawn(&self, work: Box<dyn FnOnce() + Send + 'a>) {
        let budgets = budget::current_budgets();
        match self.0 {
            Some(scope) => scope.spawn(move |_| budget::run_with_budgets(budgets, work)),
            None => work(),
        }
    }
}

impl Workers {
    /// Creates a pool with this number of threads; 0 uses the pool of the process, with one thread
    /// per core.
    pub fn new(threads: usize) -> Workers {
        // Start the pool of the process first, before other pools use up the available threads.
        let shared = own_pool();
        // Use another pool if this thread belongs to the shared pool: it would wait here for work
        // that it should do itself.
        let own = shared.is_some() && (threads > 0 || in_worker_thread());
        match own.then(|| build_pool(threads)).flatten() {
            Some(pool) => Workers(Pool::Own(pool)),
            None => Workers(Pool::Shared(shared.filter(|_| !in_worker_thread()))),
        }
    }

    fn pool(&self) -> Option<&ThreadPool> {
        match &self.0 {
            Pool::Shared(pool) => *pool,
            Pool::Own(pool) => Some(pool),
        }
    }

    /// Checks whether there is no other thread, so that started work runs at once.
    pub(crate) fn is_single_threaded(&self) -> bool {
        self.pool().is_none()
    }

    /// The number of threads.
    pub(crate) fn count(&self) -> usize {
        self.pool().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs `work`; its parallel parts use these threads.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut found) = (Some(work), None);
        self.install(&mut || found = work.take().map(|work| work()));
        found.expect("it ran")
    }

    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        match &self.0 {
            Pool::Own(pool) => {
                let budgets = budget::current_budgets();
                pool.install(|| budget::run_with_budgets(budgets, work));
            }
            Pool::Shared(_) => work(),
        }
    }

    /// Runs `body` on this thread, and waits for all work that it started on these threads.
    pub fn scope<'a>(&self, body: &mut dyn FnMut(Scope<'_, 'a>)) {
        match self.pool() {
            Some(pool) => pool.in_place_scope(|scope| body(Scope(Some(scope)))),
            None => body(Scope(None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        for threads in [1, 2, 5] {
            for count in [0, 1, 2, 63, 64, 1000] {
                Workers::new(threads).run(|| {
                    let doubles = map(count, &|i| 2 * i);
                    assert!(doubles.into_iter().eq((0..count).map(|i| 2 * i)));
                    let odd = |part: Range<usize>| part.filter(|i| i % 2 == 1).collect();
                    assert!(concat(count, &odd).into_iter().eq((1..count).step_by(2)));
                    let mut list = vec![0; count];
                    change(&mut list, 7, &|first, part| {
                        (first..).zip(part).for_each(|(i, item)| *item = i);
                    });
                    assert!(list.into_iter().eq(0..count));
                });
            }
        }
        assert_eq!(both(|| 1, || "two"), (1, "two"));
    }
}
