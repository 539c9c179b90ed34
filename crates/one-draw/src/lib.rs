//! The questions about one draw: its cost by each method, its law, its tree, how many rolls are
//! enough, and real rolls.

mod block_table;
pub mod pictures;
pub mod questions;

pub use block_table::{BlockRow, BlockTable, MAX_ROWS, block_table};
