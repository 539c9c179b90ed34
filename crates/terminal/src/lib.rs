//! The terminal side of the program: reading command lines as questions (`question`), writing rows
//! in several formats and files atomically (`rows`), reading files up to a limit (`files`), the
//! abilities of the terminal (`terminal`), output on the screen (`screen`), and Ctrl-C
//! (`interrupt`).
#![warn(missing_docs)]

pub mod files;
pub use flipcost_all::first_word;
pub mod interrupt;
pub mod question;
pub mod rows;
pub mod screen;
pub mod terminal;
