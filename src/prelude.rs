//! What most programs need: `use flipcost::prelude::*`.

pub use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, Faces, Prepared, REGISTRY, find};
pub use crate::law::{Draws, Law};
pub use crate::task::{RollUnit, Source, Target, Task};
pub use flipcost_number::budget::Budget;
pub use flipcost_number::{BigInt, BigUint, Rational, Real};
