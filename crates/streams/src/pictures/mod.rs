//! Pictures of the answers of this package.

mod positions;
pub mod stream;
