//! Keeps track of the questions that are being answered, and decides which may begin and which must
//! stop.
//!
//! One thread watches all questions. It stops a question in three cases: its client leaves; the
//! question takes longer than [`SHORT_TIME`] while [`MAX_AT_ONCE`] other long questions are
//! running; or the process is short of memory and this question may take the most.

use crate::Status;
use flipcost_question::{Control, Estimate, Progress, process_memory};
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The largest number of questions that may take longer than a second at the same time.
pub const MAX_AT_ONCE: usize = 8;

/// The largest number of questions that are answered at the same time.
const MAX_RUNNING: usize = 64;

/// A question that takes longer than this needs one of the [`MAX_AT_ONCE`] long places.
const SHORT_TIME: Duration = Duration::from_secs(1);

/// A question is stopped after this time.
pub const MAX_TIME: Duration = Duration::from_secs(300);

/// The interval at which the thread checks the questions.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The time that a stopped question has to free its memory. After this time another question is
/// stopped.
const FREEING_TIME: Duration = Duration::from_millis(500);

/// The questions that are being answered, the oldest first.
pub struct Running {
    jobs: Mutex<Vec<WatchedQuestion>>,
    /// Notified when a question begins.
    begun: Condvar,
    next: AtomicU64,
    /// The memory limit of the process, in bytes.
    memory: u64,
}

/// A question, as the thread that watches the questions sees it.
struct WatchedQuestion {
    number: u64,
    /// The name under which the client asks for the progress.
    name: Option<String>,
    progress: Progress,
    stream: Arc<TcpStream>,
    control: Control,
    begun: Instant,
    /// Whether the question has one of the [`MAX_AT_ONCE`] long places.
    long: bool,
    /// Whether the answer is complete and only has to be sent.
    answered: bool,
    /// The upper estimate of the memory that the question takes, in bytes.
    memory: u128,
    /// The time at which the question was stopped, and the status that its client receives.
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

    /// Returns whether the question's client has left. Bytes that follow the question are
    /// discarded.
    fn client_has_left(&self) -> bool {
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
    /// Starts without questions; `memory` is the memory limit of the process, in bytes.
    pub fn new(memory: u64) -> Running {
        Running {
            jobs: Mutex::default(),
            begun: Condvar::new(),
            next: AtomicU64::new(0),
            memory,
        }
    }

    fn lock_questions(&self) -> MutexGuard<'_, Vec<WatchedQuestion>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update_question(&self, number: u64, change: impl FnOnce(&mut WatchedQuestion)) {
        let mut jobs = self.lock_questions();
        jobs.iter_mut().find(|job| job.number == number).map(change);
    }

    /// Registers a question from the client of this stream.
    ///
    /// # Errors
    /// [`Status::Busy`] if too many questions are being answered.
    pub fn begin(
        self: &Arc<Running>,
        stream: &Arc<TcpStream>,
        name: Option<String>,
    ) -> Result<RunningQuestion, Status> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let running = Arc::clone(self);
        let tell = move |progress| running.update_question(number, |job| job.progress = progress);
        // Each question has its own threads, so that stopping it need not wait for other questions.
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let control = Control::default()
            .with_threads(threads)
            .with_time(MAX_TIME)
            // A step may use all memory of the process; if memory is short, the watching thread
            // stops the question that may take the most.
            .with_step_memory(self.memory)
            .with_progress(tell);
        let mut jobs = self.lock_questions();
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

    /// Returns the progress of the question with this name: 0 of 0 if it is over or has not
    /// reported any progress yet.
    pub fn progress(&self, name: &str) -> Progress {
        let jobs = self.lock_questions();
        let mut named = jobs.iter().filter(|job| job.name.as_deref() == Some(name));
        named
            .next_back()
            .map_or(Progress { all: 0, done: 0 }, |job| job.progress)
    }

    /// Checks the questions until the process ends.
    pub fn watch(&self) -> ! {
        loop {
            let mut jobs = self.lock_questions();
            while jobs.is_empty() {
                jobs = (self.begun.wait(jobs)).unwrap_or_else(PoisonError::into_inner);
            }
            self.stop_questions(&mut jobs, process_memory());
            drop(jobs);
            thread::sleep(CHECK_INTERVAL);
        }
    }

    /// Stops questions whose clients have left, that take too long, or that take too much memory.
    /// `taken` is the number of bytes that the process uses. One question is stopped at three
    /// quarters of the memory limit, and another at every check above the limit.
    fn stop_questions(&self, jobs: &mut [WatchedQuestion], taken: u64) {
        let mut long = jobs.iter().filter(|job| job.long).count();
        for job in jobs.iter_mut().filter(|job| job.stopped.is_none()) {
            let age = job.begun.elapsed();
            if job.client_has_left() || age > MAX_TIME && job.answered {
                job.stop(Status::Late);
            } else if !job.long && age > SHORT_TIME {
                job.long = long < MAX_AT_ONCE;
                if job.long {
                    long += 1
                } else {
                    job.stop(Status::Busy)
                }
            }
        }
        let frees = |job: &WatchedQuestion| matches!(job.stopped, Some((then, _)) if then.elapsed() < FREEING_TIME);
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

/// A question that is being answered. When it is dropped, its place is free again.
pub struct RunningQuestion {
    running: Arc<Running>,
    number: u64,
    /// The question's limits.
    pub control: Control,
}

impl RunningQuestion {
    /// Records the upper estimate of the question's cost.
    pub fn record_estimate(&self, estimate: &Estimate) {
        self.running
            .update_question(self.number, |job| job.memory = estimate.memory);
    }

    /// Records that the question has its answer, which is sent next. If the question was stopped,
    /// returns the reason.
    pub fn record_answer(&self) -> Option<Status> {
        let mut stopped = None;
        self.running.update_question(self.number, |job| {
            job.answered = true;
            stopped = job.stopped.map(|(_, why)| why);
            let _ = job.stream.set_nonblocking(false);
        });
        stopped
    }
}

impl Drop for RunningQuestion {
    fn drop(&mut self) {
        self.running
            .lock_questions()
            .retain(|job| job.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// If there is no memory left, the question that may take the most is stopped, and the others
    /// continue.
    #[test]
    fn the_largest_question_is_stopped_when_memory_is_short() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = Arc::new(listener.accept().unwrap().0);
        let running = Arc::new(Running::new(100));
        let questions = [10, 30, 20].map(|memory| {
            let question = running.begin(&stream, None).unwrap();
            question.record_estimate(&Estimate {
                work: 0,
                memory,
                output: 0,
            });
            question
        });
        let look = || running.stop_questions(&mut running.lock_questions(), 90);
        look();
        look();
        let stopped = questions
            .each_ref()
            .map(|question| question.control.go_on().is_err());
        assert_eq!(stopped, [false, true, false]);
        assert_eq!(questions[1].record_answer(), Some(Status::Memory));
        let _ = stream.set_nonblocking(true);
        drop(client);
        thread::sleep(CHECK_INTERVAL);
        look();
        assert!(
            questions
                .iter()
                .all(|question| question.control.go_on().is_err())
        );
        drop(questions);
        assert!(running.lock_questions().is_empty());
    }
}
