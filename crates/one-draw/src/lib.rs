//! The questions about one draw: what it costs by which method, its law, its tree, how much is
//! enough, and rolls that are really made.

mod block_table;
pub mod pictures;
pub mod questions;

pub use block_table::{BlockRow, BlockTable, MAX_ROWS, block_table};
