//! The imports that most programs need: `use flipcost::prelude::*`. They include methods of
//! fractions and integers, such as `to_f64` and `to_u64`:
//!
//! ```
//! use flipcost::prelude::*;
//! let law = FAST_DICE_ROLLER.law(&"d6 from coin".parse()?)?;
//! assert_eq!(law.mean()?.to_f64(), Some(11.0 / 3.0));
//! # Ok::<(), flipcost::Error>(())
//! ```

pub use crate::algorithms::{Algorithm, FAST_DICE_ROLLER, Faces, REGISTRY, Rule, find};
pub use crate::law::{Draws, Law, Step};
pub use crate::task::{Source, Target, Task};
pub use flipcost_number::budget::Budget;
pub use flipcost_number::{BigInt, BigUint, Rational, Real};
pub use num_traits::ToPrimitive as _;
