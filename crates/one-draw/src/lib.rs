//! The questions about rolling one target: its cost by each algorithm, the law of its rolls, its
//! decision tree, how many rolls suffice, and real rolls.

mod block_table;
pub mod pictures;
pub mod questions;

pub use block_table::{BlockRow, BlockTable, MAX_ROWS, block_table};
