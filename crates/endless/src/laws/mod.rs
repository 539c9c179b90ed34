//! The families of laws; each has its own file.

mod bernoulli;
mod dgauss;
mod dlaplace;
mod geometric;
mod poisson;
mod rgauss;
mod zeta;

pub use bernoulli::Bernoulli;
pub use dgauss::DiscreteGaussian;
pub use dlaplace::DiscreteLaplace;
pub use geometric::Geometric;
pub use poisson::Poisson;
pub use rgauss::RoundedGaussian;
pub use zeta::{MAX_EXPONENT, Zeta};

use flipcost_number::exponential::exp;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_integer::Integer;
use num_traits::Signed;

/// Returns e^x for a rational x <= 0.
fn exp_enclosure(x: &Rational, bits: u64) -> Enclosure {
    exp(&Enclosure::of_rational(x, bits + 16)).coarsen(bits)
}

/// Iterates over the weights first, first * ratio, first * ratio * (ratio * change), ...
fn weights_by_ratios(
    first: Enclosure,
    ratio: Enclosure,
    change: Option<Enclosure>,
) -> impl Iterator<Item = Enclosure> {
    let mut state = (first, ratio);
    std::iter::from_fn(move || {
        let (weight, ratio) = &state;
        let next = weight.times(ratio);
        let ratio = match &change {
            Some(change) => ratio.times(change),
            None => ratio.clone(),
        };
        Some(std::mem::replace(&mut state, (next, ratio)).0)
    })
}

/// Returns the value times a / b, for b above 0.
fn scale_weight(value: &Enclosure, a: &BigInt, b: &BigInt) -> Enclosure {
    let (low, high) = if a.is_negative() {
        (&value.high, &value.low)
    } else {
        (&value.low, &value.high)
    };
    Enclosure {
        low: (low * a).div_floor(b),
        high: (high * a).div_ceil(b),
        bits: value.bits,
    }
}

fn unit_weight(bits: u64) -> Enclosure {
    Enclosure::of_rational(&Rational::from(BigInt::from(1)), bits)
}

/// Returns log2 e times a rational.
fn log2_e_times(x: Rational) -> Real {
    let ln2 = Real::enclosed(|bits| flipcost_number::ln(&Rational::from(BigInt::from(2)), bits));
    Real::Exact(x).over(&ln2)
}
