//! The imports that most programs need: `use flipcost::prelude::*`.

pub use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, Faces, REGISTRY, Rule, find};
pub use crate::law::{Draws, Law, Step};
pub use crate::task::{Source, Target, Task};
pub use flipcost_number::budget::Budget;
pub use flipcost_number::{BigInt, BigUint, Rational, Real};
