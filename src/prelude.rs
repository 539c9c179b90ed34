//! What most programs need: `use flipcost::prelude::*`.

pub use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, Faces, Prepared, REGISTRY};
pub use crate::law::Law;
pub use crate::number::{BigInt, BigUint, Rational, Real};
pub use crate::task::{Source, Target, Task, Unit};
