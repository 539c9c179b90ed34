//! The functions that the host calls, and the functions that the host provides.

use flipcost_page::{Form, Reply, reply};
use flipcost_question::Control;
use std::sync::{Mutex, Once};

// The import module has a name because newer linkers refuse an unknown symbol without one.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Reports the progress of a question: `done` of `all` steps.
    safe fn progress(done: f64, all: f64);
    /// Reports a bug in the engine; `at` and `length` are the address and the length of a sentence
    /// about the bug.
    safe fn failed(at: usize, length: usize);
}

/// Reports a failure to the worker before the module traps.
fn report_failures() {
    std::panic::set_hook(Box::new(|failure| {
        let said = failure.to_string();
        failed(said.as_ptr() as usize, said.len());
    }));
}

static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static BODY: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Allocates room for a question of this many bytes; returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> usize {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(report_failures);
    let mut question = QUESTION.lock().expect("one thread");
    *question = vec![0; length];
    question.as_mut_ptr() as usize
}

/// Answers the question as JSON, or as a picture if `form` is 1. Returns 1 if there is an answer,
/// otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn answer(form: u32) -> u32 {
    let question = std::mem::take(&mut *QUESTION.lock().expect("one thread"));
    let control =
        Control::default().with_progress(|told| progress(told.done as f64, told.all as f64));
    let form = match form {
        1 => Form::Picture,
        _ => Form::Answer,
    };
    let replied = match std::str::from_utf8(&question) {
        Ok(text) => reply(text, form, &control),
        Err(_) => Reply::refusal("a question is a text in UTF-8"),
    };
    let answered = replied.is_answered();
    *BODY.lock().expect("one thread") = replied.body;
    answered.into()
}

/// Returns the address of the bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn body() -> usize {
    BODY.lock().expect("one thread").as_ptr() as usize
}

/// Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    BODY.lock().expect("one thread").len()
}
