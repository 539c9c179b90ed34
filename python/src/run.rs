//! Runs long computations without the interpreter's lock, so that they can be stopped with Ctrl-C
//! and report their progress.

use crate::rule::{interrupt, take_raised as error_of_rule};
use flipcost_number::threads::Workers;
use flipcost_question::Control;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The time between two checks of signals and progress.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The longest time to wait for the end of a stopped computation.
const STOP_TIMEOUT: Duration = Duration::from_millis(100);
/// The stack of a computation in bytes: as large as that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// The process that loaded the module.
static HOME_PROCESS: OnceLock<u32> = OnceLock::new();

/// Records the process that loads the module.
pub fn record_home_process() {
    HOME_PROCESS.get_or_init(std::process::id);
}

/// Runs `work` with worker threads of this process. A forked process does not have the worker
/// threads of the process that loaded the module and would wait for them forever, so new threads
/// are started.
fn run_on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match HOME_PROCESS.get() {
        Some(home) if *home != std::process::id() => Workers::new(1).run(work),
        _ => work(),
    }
}

/// Runs `work` on another thread, without the interpreter's lock.
///
/// After a signal whose handler raises an exception (Ctrl-C), `control` is stopped, and the work
/// ends when it next checks its budget. Work that does not check its budget runs to its end, and
/// its result is dropped.
///
/// # Errors
/// The exception that the signal's handler or a function of a rule raised; `RuntimeError` if `work`
/// panicked, or if no thread could be started.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    control: Control,
    mut tell: impl FnMut() -> PyResult<()>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut result) = channel();
    let held = control.clone();
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            // work that was stopped sends no result
            held.run_infallible(|| run_on_threads(work))
                .map(|value| done.send(value))
        })
        .map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
    loop {
        let (back, got) = py.detach(move || {
            let got = result.recv_timeout(CHECK_INTERVAL);
            (result, got)
        });
        result = back;
        match got {
            Ok(value) => {
                tell()?;
                return error_of_rule(Some(&control)).map_or(Ok(value), Err);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals().and_then(|()| tell()) {
                    control.stop();
                    interrupt(py, &control)?;
                    let _ = py.detach(move || result.recv_timeout(STOP_TIMEOUT));
                    drop(error_of_rule(Some(&control)));
                    return Err(raised);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(error_of_rule(Some(&control)).unwrap_or_else(|| {
                    PyRuntimeError::new_err(
                        "the computation failed inside flipcost, which is a bug in flipcost",
                    )
                }));
            }
        }
    }
}

/// Runs `work` as [`run`] does, without progress; `work` checks its control.
///
/// # Errors
/// The errors of [`run`].
pub fn run_with_control<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Control) -> T + Send + 'static,
) -> PyResult<T> {
    let control = Control::default();
    let held = control.clone();
    run(py, control, || Ok(()), move || work(&held))
}

/// Runs `work` as [`run`] does, without progress.
///
/// # Errors
/// The errors of [`run`].
pub fn run_quietly<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    run(py, Control::default(), || Ok(()), work)
}

/// Returns a control, and a function that passes the progress to a Python callable as `(done,
/// all)`.
pub fn control_with_progress<'py>(
    threads: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> (Control, impl FnMut() -> PyResult<()> + use<'py>) {
    let seen = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let told = seen.clone();
    let control = (Control::default().with_threads(threads)).with_progress(move |progress| {
        told[1].store(progress.all, Ordering::Relaxed);
        told[0].fetch_max(progress.done, Ordering::Relaxed);
    });
    let tell = move || {
        if let Some(progress) = &progress {
            let [done, all] = [0, 1].map(|i: usize| seen[i].load(Ordering::Relaxed));
            progress.call1((done, all))?;
        }
        Ok(())
    };
    (control, tell)
}
