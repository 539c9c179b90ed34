//! The questions that are being answered: which may begin, which goes on, and which is stopped.
//!
//! One thread watches them all. It stops a question when its client leaves, when it takes longer
//! than [`SHORT`] while [`MAX_AT_ONCE`] others do, and when the memory of the process is used up
//! and it is the one that may take most.

use crate::Status;
use flipcost_question::{Control, Estimate, Progress, memory};
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// At most this many questions that take longer than a second are answered at once.
pub const MAX_AT_ONCE: usize = 8;

/// At most this many questions are answered at once.
const MAX_RUNNING: usize = 64;

/// A question that takes longer needs one of the [`MAX_AT_ONCE`] places.
const SHORT: Duration = Duration::from_secs(1);

/// A question is stopped after this time.
pub const MAX_TIME: Duration = Duration::from_secs(300);

/// How often the questions are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A question that was stopped gives back its memory in this time; only then another one is stopped
/// for it.
const FREEING: Duration = Duration::from_millis(500);

/// The questions that are being answered, the oldest first.
pub struct Running {
    jobs: Mutex<Vec<WatchedQuestion>>,
    /// Told when a question begins.
    begun: Condvar,
    next: AtomicU64,
    /// Bytes of memory that the process may take.
    memory: u64,
}

/// A question as it is watched.
struct WatchedQuestion {
    number: u64,
    /// What others call it who ask for its progress.
    name: Option<String>,
    progress: Progress,
    stream: Arc<TcpStream>,
    control: Control,
    begun: Instant,
    /// It has one of the [`MAX_AT_ONCE`] places.
    long: bool,
    /// It is only sent from now on.
    answered: bool,
    /// Bytes of memory that it takes at most.
    memory: u128,
    /// When it was stopped, and what its client is told.
    stopped: Option<(Instant, Status)>,
}

impl WatchedQuestion {
    fn stop(&mut self, why: Status) {
        self.stopped = Some((Instant::now(), why));
        self.control.stop();
        if self.answered {
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Has its client left? What it sends beyond its question is thrown away.
    fn is_left(&self) -> bool {
        !self.answered
            && match (&*self.stream).read(&mut [0; 4096]) {
                Ok(count) => count == 0,
                Err(error) => {
                    !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
                }
            }
    }
}

impl Running {
    /// None yet; the process may take so many bytes of memory.
    pub fn new(memory: u64) -> Running {
        Running {
            jobs: Mutex::default(),
            begun: Condvar::new(),
            next: AtomicU64::new(0),
            memory,
        }
    }

    fn jobs(&self) -> MutexGuard<'_, Vec<WatchedQuestion>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut WatchedQuestion)) {
        let mut jobs = self.jobs();
        jobs.iter_mut().find(|job| job.number == number).map(change);
    }

    /// A question begins, for the client of this stream.
    ///
    /// # Errors
    /// [`Status::Busy`] if there are too many.
    pub fn begin(
        self: &Arc<Running>,
        stream: &Arc<TcpStream>,
        name: Option<String>,
    ) -> Result<RunningQuestion, Status> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let running = Arc::clone(self);
        let tell = move |progress| running.change(number, |job| job.progress = progress);
        // threads of its own: one that is stopped does not wait behind the parts of the others
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let control = Control::default()
            .with_threads(threads)
            .with_time(MAX_TIME)
            // what is taken little by little is looked at here: the question that may take most
            // gives way
            .with_room(self.memory)
            .with_progress(tell);
        let mut jobs = self.jobs();
        if jobs.len() >= MAX_RUNNING {
            return Err(Status::Busy);
        }
        let _ = stream.set_nonblocking(true);
        jobs.push(WatchedQuestion {
            number,
            name,
            progress: Progress { all: 0, done: 0 },
            stream: Arc::clone(stream),
            control: control.clone(),
            begun: Instant::now(),
            long: false,
            answered: false,
            memory: 0,
            stopped: None,
        });
        self.begun.notify_one();
        Ok(RunningQuestion {
            running: Arc::clone(self),
            number,
            control,
        })
    }

    /// How far the question of this name has come; one that has told nothing yet, or is over, is no
    /// fault.
    pub fn progress(&self, name: &str) -> Progress {
        let jobs = self.jobs();
        let mut named = jobs.iter().filter(|job| job.name.as_deref() == Some(name));
        named
            .next_back()
            .map_or(Progress { all: 0, done: 0 }, |job| job.progress)
    }

    /// Watches the questions until the process ends.
    pub fn watch(&self) -> ! {
        loop {
            let mut jobs = self.jobs();
            while jobs.is_empty() {
                jobs = (self.begun.wait(jobs)).unwrap_or_else(PoisonError::into_inner);
            }
            self.look(&mut jobs, memory());
            drop(jobs);
            thread::sleep(LOOK);
        }
    }

    /// Stops questions whose clients left, that are late, or that are in the way. The process has
    /// `taken` so many bytes: one question is stopped at three quarters of its limit, and another
    /// at every look above the limit.
    fn look(&self, jobs: &mut [WatchedQuestion], taken: u64) {
        let mut long = jobs.iter().filter(|job| job.long).count();
        for job in jobs.iter_mut().filter(|job| job.stopped.is_none()) {
            let age = job.begun.elapsed();
            if job.is_left() || age > MAX_TIME && job.answered {
                job.stop(Status::Late);
            } else if !job.long && age > SHORT {
                job.long = long < MAX_AT_ONCE;
                if job.long {
                    long += 1
                } else {
                    job.stop(Status::Busy)
                }
            }
        }
        let frees = |job: &WatchedQuestion| matches!(job.stopped, Some((then, _)) if then.elapsed() < FREEING);
        let is_near = taken > self.memory - self.memory / 4;
        if !is_near || taken <= self.memory && jobs.iter().any(frees) {
            return;
        }
        let others = jobs.iter_mut().filter(|job| job.stopped.is_none());
        if let Some(job) = others.max_by_key(|job| (job.memory, job.number)) {
            job.stop(Status::Memory);
        }
    }
}

/// A question that is being answered; its place is free again when it is dropped.
pub struct RunningQuestion {
    running: Arc<Running>,
    number: u64,
    /// Its limits.
    pub control: Control,
}

impl RunningQuestion {
    /// It takes at most so much.
    pub fn takes(&self, estimate: &Estimate) {
        self.running
            .change(self.number, |job| job.memory = estimate.memory);
    }

    /// It has its answer, which is sent now; or why it was stopped.
    pub fn answered(&self) -> Option<Status> {
        let mut stopped = None;
        self.running.change(self.number, |job| {
            job.answered = true;
            stopped = job.stopped.map(|(_, why)| why);
            let _ = job.stream.set_nonblocking(false);
        });
        stopped
    }
}

impl Drop for RunningQuestion {
    fn drop(&mut self) {
        self.running.jobs().retain(|job| job.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Where there is no memory left, the question that may take most is stopped, and the others go
    /// on.
    #[test]
    fn one_question_gives_way() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = Arc::new(listener.accept().unwrap().0);
        let running = Arc::new(Running::new(100));
        let questions = [10, 30, 20].map(|memory| {
            let question = running.begin(&stream, None).unwrap();
            question.takes(&Estimate {
                work: 0,
                memory,
                output: 0,
            });
            question
        });
        let look = || running.look(&mut running.jobs(), 90);
        look();
        look();
        let stopped = questions
            .each_ref()
            .map(|question| question.control.go_on().is_err());
        assert_eq!(stopped, [false, true, false]);
        assert_eq!(questions[1].answered(), Some(Status::Memory));
        let _ = stream.set_nonblocking(true);
        drop(client);
        thread::sleep(LOOK);
        look();
        assert!(
            questions
                .iter()
                .all(|question| question.control.go_on().is_err())
        );
        drop(questions);
        assert!(running.jobs().is_empty());
    }
}
