//! The costs of samplers that are in use: their expected flips, enclosed.

mod canonne;
mod inversion;
mod karney;
mod sampler;

pub use sampler::{DrawSampler, SAMPLERS, SamplerAbout};

use crate::laws::{DiscreteGaussian, RoundedGaussian};
use crate::text::LawKind;
use flipcost_number::{BigInt, Rational, Real};
use num_traits::{Signed, ToPrimitive};
use sampler::{
    BitPrice, CANONNE, CANONNE_FLOOR, CENTRED_BINOMIAL, KARNEY, OPENDP, TABLE_16, TABLE_64,
    TABLE_72, TRIALS,
};

/// The samplers in use for a law.
#[derive(Default)]
pub struct SamplersInUse {
    /// The samplers, beginning with those that are exact.
    pub rows: Vec<DrawSampler>,
    /// A note for each sampler that is left out because its cost takes too long to compute.
    pub left_out: Vec<String>,
}

/// The largest t for the samplers of Canonne, Kamath & Steinke, whose sums have about 50 t terms.
const MAX_T: u64 = 1 << 12;

/// The largest t if whole bytes are drawn, since the sums then have no closed form.
const MAX_T_WITH_BYTES: u64 = 16;

/// The largest ceil(sigma) for Karney's sampler, whose sum has about 17 sigma terms, each with a
/// sum over 100 digits.
const MAX_CEIL_SIGMA: u64 = 1 << 11;
/// The largest ceil(sigma) for Karney's sampler if more than [`FEW_DECIMALS`] decimals are
/// requested.
const MAX_CEIL_SIGMA_MANY_DECIMALS: u64 = 1 << 5;
/// If at most this many decimals are requested, Karney's cost is computed up to [`MAX_CEIL_SIGMA`].
const FEW_DECIMALS: u32 = 20;

/// Returns the sampler of ML-KEM's centred binomial law, which approximates a Gaussian of variance
/// eta / 2.
fn binomial_sampler(sigma: &Rational) -> Option<DrawSampler> {
    let eta = sigma * sigma * BigInt::from(2);
    let eta = eta
        .is_integer()
        .then(|| eta.to_integer().to_u64())
        .flatten()?;
    (eta <= 64).then(|| DrawSampler::new(&CENTRED_BINOMIAL, Real::integer(2 * eta)))
}

impl SamplersInUse {
    /// Adds a sampler, unless its parameter is too large for computing the cost.
    fn add(
        &mut self,
        about: &SamplerAbout,
        (name, value): (&str, &BigInt),
        most: u64,
        row: impl FnOnce(u64) -> Option<DrawSampler>,
    ) {
        match value.to_u64().filter(|value| *value <= most) {
            Some(value) => self.rows.extend(row(value)),
            None => self.left_out.push(format!(
                "{} is left out: {name} = {value} is above {most}",
                about.id
            )),
        }
    }

    fn add_gaussian(&mut self, sigma: &Rational, decimals: u32) {
        let (t, width) = (sigma.floor().to_integer(), sigma.ceil().to_integer());
        let next = &t + 1;
        let row = |price, about, t| canonne::gaussian_sampler(price, about, sigma, t);
        self.add(&CANONNE, ("t", &next), MAX_T, |t| {
            row(BitPrice::Coin, &CANONNE, t)
        });
        if t.is_positive() {
            self.add(&CANONNE_FLOOR, ("t", &t), MAX_T, |t| {
                row(BitPrice::Coin, &CANONNE_FLOOR, t)
            });
        }
        let (name, most) = if decimals > FEW_DECIMALS {
            (
                "with these decimals, ceil(sigma)",
                MAX_CEIL_SIGMA_MANY_DECIMALS,
            )
        } else {
            ("ceil(sigma)", MAX_CEIL_SIGMA)
        };
        self.add(&KARNEY, (name, &width), most, |width| {
            karney::gaussian_sampler(sigma, width)
        });
        self.add(&OPENDP, ("t", &next), MAX_T_WITH_BYTES, |t| {
            row(BitPrice::Bytes, &OPENDP, t)
        });
    }
}

/// Returns the samplers in use for a law, with costs to this many decimals.
pub fn samplers(kind: &LawKind, decimals: u32) -> SamplersInUse {
    let mut all = SamplersInUse::default();
    let prices = [(BitPrice::Coin, &CANONNE), (BitPrice::Bytes, &OPENDP)];
    match kind {
        LawKind::Geometric(law) => {
            let expected = BitPrice::Coin.choice_bits(&law.p) / &law.p;
            all.rows
                .push(DrawSampler::new(&TRIALS, Real::Exact(expected)));
            all.rows.push(inversion::geometric_sampler(&law.p));
        }
        LawKind::DiscreteLaplace(law) => {
            let (t, s) = (law.scale.numer(), law.scale.denom());
            for (price, about) in prices {
                all.add(about, ("t", t), MAX_T, |t| {
                    canonne::laplace_sampler(price, about, t, s)
                });
            }
        }
        LawKind::DiscreteGaussian(law) if law.both => all.add_gaussian(&law.sigma, decimals),
        LawKind::Bernoulli(_, Some(x)) if !x.is_negative() => {
            let row = |(price, about)| canonne::coin_sampler(price, about, x);
            all.rows.extend(prices.map(row));
        }
        LawKind::DiscreteGaussian(_)
        | LawKind::Poisson(_)
        | LawKind::RoundedGaussian(_)
        | LawKind::Zeta(_)
        | LawKind::Bernoulli(..) => {}
    }
    if let LawKind::DiscreteGaussian(DiscreteGaussian { sigma, both: true })
    | LawKind::RoundedGaussian(RoundedGaussian { sigma }) = kind
    {
        all.rows.extend(binomial_sampler(sigma));
    }
    if !matches!(kind, LawKind::Bernoulli(..)) {
        for (about, bits) in [(&TABLE_16, 16u64), (&TABLE_64, 64), (&TABLE_72, 72)] {
            all.rows.push(DrawSampler::new(about, Real::integer(bits)));
        }
    }
    all
}
