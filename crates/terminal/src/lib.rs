//! What a program at a terminal needs: command lines that are read as questions (`question`), as
//! people speak (`first_word`), rows in their formats and files that appear whole or not at all
//! (`rows`), files that are read up to a size (`files`), what a reader's terminal can show
//! (`terminal`), what is shown there (`screen`), and what Ctrl-C leaves (`interrupt`).
#![warn(missing_docs)]

pub mod files;
pub use flipcost_all::first_word;
pub mod interrupt;
pub mod question;
pub mod rows;
pub mod screen;
pub mod terminal;
