//! The engine of flipcost's page: turns a question into an answer, or into a picture of the answer,
//! for any host.
//!
//! [`reply`] takes one question as JSON, as `flipcost ask` does. It returns the bytes of the
//! answer, of its picture, or of a sentence that says why there is no answer. The server of
//! `flipcost explore` and the WebAssembly module of a static host both call this function, so the
//! page works the same way with both.
//!
//! ```
//! use flipcost_page::{Form, reply};
//! use flipcost_question::Control;
//! let answer = reply(r#"{"ask":"show","view":"flowchart","target":"6"}"#, Form::Answer, &Control::default());
//! assert!(answer.is_answered() && answer.body.starts_with(br#"{"query":{"ask":"show""#));
//! let picture = reply(r#"{"ask":"show","view":"flowchart","target":"6"}"#, Form::Picture, &Control::default());
//! assert!(picture.body.starts_with(b"<svg"));
//! let refusal = reply(r#"{"ask":"cost","target":"0"}"#, Form::Answer, &Control::default());
//! assert!(!refusal.is_answered() && refusal.body.starts_with(br#"{"error":"#));
//! ```

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod reply;
#[cfg(feature = "server")]
mod request;
#[cfg(feature = "server")]
mod running;
#[cfg(feature = "server")]
mod server;

pub use reply::{Form, MAX_QUESTION_BYTES, Reply, reply};
#[cfg(feature = "server")]
pub use request::{MAX_HEAD_BYTES, RequestHead, Status, read_head};
#[cfg(feature = "server")]
pub use running::MAX_AT_ONCE;
#[cfg(feature = "server")]
pub use server::{Server, WriteStudy, file};
