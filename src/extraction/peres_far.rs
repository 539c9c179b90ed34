use super::BigUint;
use crate::number::real::Real;
pub(super) fn bits(_: [&BigUint; 2], _: u64) -> Real { todo!() }
