//! Code that the samplers share: their descriptions and prices.
//!
//! With [`BitPrice::Coin`], every choice with a rational probability a/b costs its own optimum: 2 -
//! 2^(1-k) flips if b = 2^k, and 2 flips if b is not a power of 2. A uniform number below t costs
//! as much as with the fast dice roller, and bits are compared one by one. With
//! [`BitPrice::Bytes`], a choice draws a uniform number below b. It draws as many bytes as b has,
//! and draws again until their value is below W - W % b, where W is the largest number of that many
//! bytes. This is what OpenDP's `sample_uniform_ubig_below` does (rust/src/traits/samplers). A sign
//! takes a byte.

use crate::law::real_from_enclosures;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::Costs;
use flipcost::task::{Source, Task};
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_traits::{One, Zero};
use std::sync::{Arc, Mutex, PoisonError};

/// A sampler of a law.
pub struct DrawSampler {
    /// The sampler's name.
    pub id: &'static str,
    /// The sampler's parameter t, if it has one.
    pub t: Option<u64>,
    /// The expected number of flips.
    pub expected: Real,
    /// The expected number of attempts, including the accepted one.
    pub loops: Option<Real>,
    /// Whether the outcomes of the sampler have exactly the law.
    pub exact: bool,
    /// The model of the cost, which says what is counted.
    pub model: &'static str,
}

/// The description of a sampler.
pub struct SamplerAbout {
    /// The sampler's name in the rows of `cost`.
    pub id: &'static str,
    /// The sampler's name for people.
    pub name: &'static str,
    /// The sampler's source.
    pub citation: &'static str,
    /// The cases in which the number of flips is bounded.
    pub bounded: &'static str,
    /// Whether the outcomes have exactly the law.
    pub exact: bool,
    /// The model of the cost, which says what is counted.
    pub model: &'static str,
}

pub(super) const EXACT: SamplerAbout = SamplerAbout {
    id: "",
    name: "",
    citation: "folklore",
    bounded: "never",
    exact: true,
    model: "each choice takes the least possible flips, and numbers are compared bit by bit",
};

pub(super) const TABLE: SamplerAbout = SamplerAbout {
    bounded: "always",
    exact: false,
    model: "looks up a full word of bits in a table of the inverse CDF: only approximates the law",
    ..EXACT
};

pub(super) const CANONNE: SamplerAbout = SamplerAbout {
    id: "canonne-kamath-steinke",
    name: "Discrete Laplace and Gaussian, t = floor(sigma) + 1",
    citation: "Canonne, Kamath & Steinke 2020",
    ..EXACT
};

pub(super) const CANONNE_FLOOR: SamplerAbout = SamplerAbout {
    id: "canonne-kamath-steinke-floor",
    name: "Discrete Gaussian, t = floor(sigma)",
    citation: "Canonne, Kamath & Steinke 2020, whose t is free",
    ..EXACT
};

pub(super) const KARNEY: SamplerAbout = SamplerAbout {
    id: "karney-d",
    name: "Discrete Gaussian, algorithm D",
    citation: "Karney 2016",
    ..EXACT
};

pub(super) const OPENDP: SamplerAbout = SamplerAbout {
    id: "opendp",
    name: "Discrete Laplace and Gaussian, in whole bytes",
    citation: "OpenDP, rust/src/traits/samplers",
    model: "Canonne, Kamath & Steinke in whole bytes, as OpenDP's code draws them",
    ..EXACT
};

pub(super) const TRIALS: SamplerAbout = SamplerAbout {
    id: "trials",
    name: "Geometric, trials until a success",
    citation: "folklore; Devroye 1986",
    ..EXACT
};

pub(super) const INVERSION: SamplerAbout = SamplerAbout {
    id: "inversion",
    name: "Geometric, inverse of the distribution",
    citation: "Devroye 1986",
    ..EXACT
};

pub(super) const CENTRED_BINOMIAL: SamplerAbout = SamplerAbout {
    id: "centred-binomial",
    name: "Centred binomial instead of a Gaussian",
    citation: "FIPS 203 (ML-KEM)",
    model: "the centred binomial law of this variance, as in ML-KEM: only approximates the law",
    ..TABLE
};

pub(super) const TABLE_16: SamplerAbout = SamplerAbout {
    id: "table-16",
    name: "Inverse of the distribution by a table of 16 bits",
    citation: "FrodoKEM specification",
    ..TABLE
};

pub(super) const TABLE_64: SamplerAbout = SamplerAbout {
    id: "table-64",
    name: "Inverse of the distribution by a table of 64 bits",
    ..TABLE
};

pub(super) const TABLE_72: SamplerAbout = SamplerAbout {
    id: "table-72",
    name: "Inverse of the distribution by a table of 72 bits",
    citation: "Falcon specification",
    ..TABLE
};

/// The samplers that are compared with the optimum in the cost of a law without an end.
pub const SAMPLERS: [SamplerAbout; 10] = [
    CANONNE,
    CANONNE_FLOOR,
    KARNEY,
    OPENDP,
    TRIALS,
    INVERSION,
    CENTRED_BINOMIAL,
    TABLE_16,
    TABLE_64,
    TABLE_72,
];

/// How a random choice is made and counted: by single flips, or by whole bytes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BitPrice {
    Coin,
    Bytes,
}

pub(super) fn rational_from_integer(n: impl Into<BigInt>) -> Rational {
    Rational::from(n.into())
}

pub(super) fn rational_enclosure(value: &Rational, bits: u64) -> Enclosure {
    Enclosure::of_rational(value, bits)
}

impl BitPrice {
    /// Returns the expected bits of a choice with probability p.
    pub(super) fn choice_bits(self, p: &Rational) -> Rational {
        let b = p.denom();
        let k = b.bits() - 1;
        if self == BitPrice::Bytes {
            bytes_below(b)
        } else if k == 0 {
            Rational::zero()
        } else if needs_rejection(p) {
            rational_from_integer(2)
        } else {
            rational_from_integer(2) - Rational::new(2.into(), b.clone())
        }
    }

    /// Returns an upper bound of the bits of a choice whose denominator is below 2^bits. It also
    /// bounds the contribution of larger denominators to a sum.
    pub(super) fn most_bits(self, bits: u64) -> u64 {
        match self {
            BitPrice::Coin => 4,
            BitPrice::Bytes => 64 * (bits / 8 + 8),
        }
    }

    pub(super) fn sign_bits(self) -> Rational {
        rational_from_integer(match self {
            BitPrice::Coin => 1,
            BitPrice::Bytes => 8,
        })
    }

    pub(super) fn uniform_bits(self, t: u64) -> Option<Real> {
        match self {
            BitPrice::Coin => uniform_flips(t),
            BitPrice::Bytes => Some(Real::Exact(bytes_below(&t.into()))),
        }
    }
}

/// Returns the expected bits for a number below b from whole bytes.
pub(super) fn bytes_below(b: &BigInt) -> Rational {
    let bits = b.bits().div_ceil(8) * 8;
    let all = BigInt::one() << bits;
    let last = &all - 1;
    let kept = &last - &last % b;
    Rational::new(all * BigInt::from(bits), kept)
}

/// Whether the denominator of a fraction is not a power of 2. If so, a coin with this probability,
/// or with this probability divided by an integer, costs 2 flips.
pub(super) fn needs_rejection(p: &Rational) -> bool {
    p.denom().trailing_zeros() != Some(p.denom().bits() - 1)
}

/// Returns the least expected flips for a uniform number below t.
pub(super) fn uniform_flips(t: u64) -> Option<Real> {
    let task = Task::die(t, Source::COIN).ok()?;
    Some(Costs::new(FAST_DICE_ROLLER, &task).ok()?.mean().clone())
}

/// Returns a sampler whose attempts and flips are enclosed by a function of the number of working
/// bits. The last result is stored, since attempts and flips come from the same sums.
pub(super) fn looping_sampler(
    about: &SamplerAbout,
    of: impl Fn(u64) -> (Enclosure, Enclosure) + Send + Sync + 'static,
) -> DrawSampler {
    let last = Mutex::new(None::<(u64, (Enclosure, Enclosure))>);
    let both = Arc::new(move |bits: u64| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, both)) if *known >= bits => both.clone(),
            _ => {
                let both = of(bits);
                *last = Some((bits, both.clone()));
                both
            }
        }
    });
    let of_loops = Arc::clone(&both);
    DrawSampler {
        loops: Some(real_from_enclosures(move |bits| of_loops(bits).0)),
        ..DrawSampler::new(about, real_from_enclosures(move |bits| both(bits).1))
    }
}

impl DrawSampler {
    pub(super) fn new(about: &SamplerAbout, expected: Real) -> DrawSampler {
        DrawSampler {
            id: about.id,
            t: None,
            expected,
            loops: None,
            exact: about.exact,
            model: about.model,
        }
    }
}
