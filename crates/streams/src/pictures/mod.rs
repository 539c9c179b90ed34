//! What the answers of this package look like.

mod positions;
pub mod stream;
