//! The costs of the samplers in use: expected flips, enclosed.
//!
//! With [`BitPrice::Coin`] every choice with a rational probability a/b costs its own optimum: 2 -
//! 2^(1-k) flips if b = 2^k, and 2 flips if b is not a power of 2. A uniform number below t costs
//! as much as by the fast dice roller, and bits are compared one by one. With [`BitPrice::Bytes`] a
//! choice takes a uniform number below b. That is a number of the least number of bytes that hold
//! b, drawn again unless it is below W - W % b, where W is the largest number of that many bytes,
//! as in OpenDP's `sample_uniform_ubig_below` (rust/src/traits/samplers). A sign takes a byte.

use crate::law::LawFamily;
use crate::laws::{DiscreteGaussian, DiscreteLaplace};
use crate::text::LawKind;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::Costs;
use flipcost::task::Task;
use flipcost_number::budget::spend;
use flipcost_number::exponential::exp;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::sync::{Arc, Mutex, PoisonError};

/// A sampler of a law.
pub struct DrawSampler {
    /// The sampler's name.
    pub id: &'static str,
    /// The sampler's parameter t, if it has one.
    pub t: Option<u64>,
    /// Expected flips.
    pub expected: Real,
    /// The expected number of attempts, including the accepted one.
    pub loops: Option<Real>,
    /// Whether the sampler's outcomes have exactly the law.
    pub exact: bool,
    /// The model of the cost: what is counted.
    pub model: &'static str,
}

/// The description of a sampler in `list algorithms`.
pub struct SamplerAbout {
    /// The sampler's name in the rows of `cost`.
    pub id: &'static str,
    /// The sampler's name for people.
    pub name: &'static str,
    /// The sampler's source.
    pub citation: &'static str,
    /// When its flips are bounded.
    pub bounded: &'static str,
}

/// The samplers that stand next to the optimum in the cost of a law without an end.
pub const SAMPLERS: [SamplerAbout; 7] = [
    SamplerAbout {
        id: "canonne-kamath-steinke",
        name: "Discrete Laplace and Gaussian, t = floor(sigma) + 1",
        citation: "Canonne, Kamath & Steinke 2020",
        bounded: "never",
    },
    SamplerAbout {
        id: "canonne-kamath-steinke-floor",
        name: "Discrete Gaussian, t = floor(sigma)",
        citation: "Canonne, Kamath & Steinke 2020, whose t is free",
        bounded: "never",
    },
    SamplerAbout {
        id: "opendp",
        name: "Discrete Laplace and Gaussian, in whole bytes",
        citation: "OpenDP, rust/src/traits/samplers",
        bounded: "never",
    },
    SamplerAbout {
        id: "trials",
        name: "Geometric, trials until a success",
        citation: "folklore; Devroye 1986",
        bounded: "never",
    },
    SamplerAbout {
        id: "centred-binomial",
        name: "Centred binomial instead of a Gaussian",
        citation: "FIPS 203 (ML-KEM)",
        bounded: "always",
    },
    SamplerAbout {
        id: "table-16",
        name: "Inverse of the distribution by a table of 16 bits",
        citation: "FrodoKEM specification",
        bounded: "always",
    },
    SamplerAbout {
        id: "table-72",
        name: "Inverse of the distribution by a table of 72 bits",
        citation: "Falcon specification",
        bounded: "always",
    },
];

/// The largest t for Canonne, Kamath & Steinke: the sums have about 50 t terms.
const MAX_T: u64 = 1 << 12;

/// The largest t if bytes are drawn, since the sums have no closed form.
const MAX_T_OF_BYTES: u64 = 16;

/// The price of a choice.
#[derive(Clone, Copy, PartialEq)]
enum BitPrice {
    Coin,
    Bytes,
}

const BYTES_MODEL: &str = "the same in whole bytes, as OpenDP's code draws them";
const LAZY_MODEL: &str = "every choice at its own optimum, comparisons bit by bit";
const TABLE_MODEL: &str = "inverse CDF by a table, all bits each time: not the law itself";

fn rational_from_integer(n: impl Into<BigInt>) -> Rational {
    Rational::from(n.into())
}

fn rational_enclosure(value: &Rational, bits: u64) -> Enclosure {
    Enclosure::of_rational(value, bits)
}

impl BitPrice {
    /// Returns the expected bits of a choice with probability p.
    fn choice_bits(self, p: &Rational) -> Rational {
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

    /// Returns an upper bound of the bits of a choice with a denominator below 2^bits; it also
    /// covers the rest of a sum over larger denominators.
    fn most_bits(self, bits: u64) -> u64 {
        match self {
            BitPrice::Coin => 4,
            BitPrice::Bytes => 64 * (bits / 8 + 8),
        }
    }

    fn sign_bits(self) -> Rational {
        rational_from_integer(match self {
            BitPrice::Coin => 1,
            BitPrice::Bytes => 8,
        })
    }

    fn uniform_bits(self, t: u64) -> Option<Real> {
        match self {
            BitPrice::Coin => uniform_flips(t),
            BitPrice::Bytes => Some(Real::Exact(bytes_below(&t.into()))),
        }
    }
}

/// Returns the expected bits for a number below b from whole bytes.
fn bytes_below(b: &BigInt) -> Rational {
    let bits = b.bits().div_ceil(8) * 8;
    let all = BigInt::one() << bits;
    let last = &all - 1;
    let kept = &last - &last % b;
    Rational::new(all * BigInt::from(bits), kept)
}

/// Whether the denominator of a fraction is not a power of 2. Then a coin with this probability, or
/// with it divided by an integer, costs 2 flips.
fn needs_rejection(p: &Rational) -> bool {
    p.denom().trailing_zeros() != Some(p.denom().bits() - 1)
}

/// Encloses the expected flips of Bernoulli(exp(-g)), 0 <= g <= 1: choices with probability g/1,
/// g/2, g/3, ... until one fails. The k-th is made with probability g^(k-1) / (k-1)!. If all cost 2
/// flips, the sum is 2 e^g. Otherwise, once this probability is at most a unit, the rest is below
/// twice the greatest cost of a choice: for k > 2 each probability is at most half of the one
/// before. A denominator b k takes at most (log2 b + log2 k) / 8 + 2 bytes, and each number is kept
/// with probability above 1/2.
fn exp_below_one(price: BitPrice, g: &Rational, bits: u64) -> Enclosure {
    let unit = rational_enclosure(g, bits);
    if price == BitPrice::Coin && needs_rejection(g) {
        let power = exp(&unit);
        return power.plus(&power);
    }
    let (mut reached, mut cost) = (
        rational_enclosure(&One::one(), bits),
        rational_enclosure(&Zero::zero(), bits),
    );
    for k in 1u64.. {
        spend(bits / 16 + 1);
        let p = g / BigInt::from(k);
        cost = cost.plus(&reached.times(&rational_enclosure(&price.choice_bits(&p), bits)));
        reached = reached.times(&unit);
        reached.low = reached.low.div_floor(&k.into());
        reached.high = reached.high.div_ceil(&k.into());
        if k > 2 && reached.high <= BigInt::one() {
            break;
        }
    }
    cost.high += price.most_bits(g.denom().bits());
    cost
}

/// The expected flips of Bernoulli(exp(-g)) for any g >= 0: choices with exp(-1), as many as leave
/// a rest above 0 and at most 1, until one fails; then a choice with the rest.
struct Exponential {
    price: BitPrice,
    bits: u64,
    /// The flips of Bernoulli(exp(-1)).
    whole: Enclosure,
    /// e^(-1).
    inverse: Enclosure,
}

impl Exponential {
    fn new(price: BitPrice, bits: u64) -> Exponential {
        Exponential {
            price,
            bits,
            whole: exp_below_one(price, &One::one(), bits),
            inverse: exp(&rational_enclosure(&rational_from_integer(-1), bits)),
        }
    }

    fn power(&self, g: &Rational) -> Enclosure {
        exp(&rational_enclosure(&-g, self.bits))
    }

    fn trials(&self, n: &Rational) -> Enclosure {
        let one = rational_enclosure(&One::one(), self.bits);
        let all = one.minus(&self.power(n));
        all.over(&one.minus(&self.inverse)).expect("1/e is below 1")
    }

    fn cost(&self, g: &Rational) -> Enclosure {
        let n = whole_trials(g);
        let rest = exp_below_one(self.price, &(g - &n), self.bits);
        let first = self.whole.times(&self.trials(&n));
        first.plus(&self.power(&n).times(&rest))
    }
}

/// The number of choices with exp(-1) before the rest.
fn whole_trials(g: &Rational) -> Rational {
    (g.ceil() - Rational::one()).max(Rational::zero())
}

/// Returns a real from a function that encloses it with a number of working bits, which grows until
/// the enclosure is narrow enough.
pub(crate) fn narrowed(of: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Real {
    Real::cached(move |bits| {
        let mut work = bits + 64;
        loop {
            let value = of(work);
            if value.is_within(bits) {
                return value;
            }
            work += 64;
        }
    })
}

/// Encloses the expected flips of the discrete Laplace sampler of scale t/s, algorithm 2: draw u
/// below t until Bernoulli(exp(-u/t)) succeeds; count v choices with exp(-1); draw a sign; begin
/// again if it is negative and floor((u + t v) / s) is 0.
fn enclose_laplace(price: BitPrice, (t, s): (u64, u64), uniform: &Real, bits: u64) -> Enclosure {
    let exponential = Exponential::new(price, bits);
    let one = rational_enclosure(&One::one(), bits);
    let over = |a: Enclosure, b: &Enclosure| a.over(b).expect("a probability above 0");
    let (mut cost, mut accepted) = (
        rational_enclosure(&Zero::zero(), bits),
        rational_enclosure(&Zero::zero(), bits),
    );
    let ratio = exponential.power(&Rational::new(1.into(), t.into()));
    let mut power = one.clone();
    for u in 0..t {
        let g = Rational::new(u.into(), t.into());
        let trial = if price == BitPrice::Coin && needs_rejection(&g) {
            over(one.plus(&one), &power)
        } else {
            exp_below_one(price, &g, bits)
        };
        cost = cost.plus(&trial);
        accepted = accepted.plus(&power);
        power = power.times(&ratio);
    }
    let times = Enclosure::of_rational(&rational_from_integer(t), bits);
    let uniform = uniform.enclose(bits).coarsen(bits).times(&times);
    let first = over(cost.plus(&uniform), &accepted);
    let second = over(exponential.whole.clone(), &one.minus(&exponential.inverse));
    let attempt = first
        .plus(&second)
        .plus(&rational_enclosure(&price.sign_bits(), bits));
    // P(y = 0) = 1 - e^(-s/t); half of these cases begin again.
    let zero = exponential.power(&Rational::new(s.into(), t.into()));
    over(attempt.plus(&attempt), &one.plus(&zero))
}

/// Returns the least expected flips for a uniform number below t.
fn uniform_flips(t: u64) -> Option<Real> {
    let task = Task::dice(2u8, t).ok()?;
    Some(Costs::new(FAST_DICE_ROLLER, &task).ok()?.mean().clone())
}

fn laplace_flips(price: BitPrice, t: u64, s: u64) -> Option<Real> {
    let uniform = price.uniform_bits(t)?;
    Some(narrowed(move |bits| {
        enclose_laplace(price, (t, s), &uniform, bits)
    }))
}

/// Encloses the acceptance of the discrete Gaussian sampler of algorithm 3 with scale t, and the
/// flips of its test: y of the discrete Laplace law of scale t is kept by Bernoulli(exp(-g)), g =
/// (|y| - sigma^2/t)^2 / (2 sigma^2).
///
/// The powers e^-g are a product of ratios, each smaller than the last by the factor
/// e^(-1/sigma^2). Let n = ceil(g) - 1. If all choices cost 2, the flips after n choices are e^-n 2
/// e^(g-n) = 2 e^(-2n) / e^-g, at most 2 e^(1-n). A test makes at most 1 / (1 - 1/e) choices with
/// exp(-1), and a last one that costs at most e times the greatest cost of a choice: together below
/// 8 times that cost.
fn gaussian_test(price: BitPrice, sigma: &Rational, t: u64, bits: u64) -> (Enclosure, Enclosure) {
    let exponential = Exponential::new(price, bits);
    let (square, scale) = (sigma * sigma, rational_from_integer(t));
    let law = DiscreteLaplace {
        scale: scale.clone(),
    };
    let one = rational_enclosure(&One::one(), bits);
    let ratio = exponential.power(&scale.recip());
    // P(0); P(x) = P(0) ratio^|x|.
    let first = one.minus(&ratio).over(&one.plus(&ratio)).expect("above 1");
    let twice = &square * BigInt::from(2);
    let middle = &square / &scale;
    // g = (y b - a)^2 / d for middle = a / b, and d's part that is no power of 2
    let (a, b) = (middle.numer().clone(), middle.denom().clone());
    let d = &twice * &b * &b;
    let (e, d) = (d.denom().clone(), d.numer().clone());
    let odd = &d >> d.trailing_zeros().unwrap_or(0);
    let mut power = exponential.power(&(&middle * &middle / &twice));
    let mut step =
        exponential.power(&((rational_from_integer(1) - &middle * BigInt::from(2)) / &twice));
    let change = exponential.power(&square.recip());
    let trial = exponential
        .whole
        .over(&one.minus(&exponential.inverse))
        .expect("1/e < 1");
    // e^-n for n = 0, 1, ...
    let mut inverses = vec![one.clone()];
    let (mut kept, mut cost) = (
        rational_enclosure(&Zero::zero(), bits),
        rational_enclosure(&Zero::zero(), bits),
    );
    let weights = law
        .branches(bits)
        .into_iter()
        .flat_map(|branch| branch.weights);
    for (y, weight) in (0u64..).zip(weights) {
        spend(bits / 8);
        let times = BigInt::from(1 + u8::from(y > 0));
        let mut p = weight.times(&first);
        p.low *= &times;
        p.high *= &times;
        let from = &b * BigInt::from(y) - &a;
        let g = &from * &from * &e;
        let n = (&g - 1u8).div_floor(&d).max(BigInt::zero());
        let place = n.to_usize().unwrap_or(usize::MAX);
        while inverses.len() <= place.min(2 * bits as usize) {
            let next = inverses[inverses.len() - 1].times(&exponential.inverse);
            inverses.push(next);
        }
        let inverse = &inverses[place.min(2 * bits as usize)];
        if from.is_positive() && inverse.high.bits() <= 8 {
            // P(|x| >= y) is 2 ratio^y / (1 + ratio); from here on a test costs `trial` but for at
            // most e^-n times `trial`, and e^-n times what comes after n choices
            let tail = weight.plus(&weight).over(&one.plus(&ratio));
            cost = cost.plus(&tail.expect("above 1").times(&trial));
            let denominator = &twice * &scale * &scale;
            let most = price.most_bits(denominator.denom().bits() + denominator.numer().bits());
            let slack = &inverse.high * (16 * most);
            kept.high += &inverse.high;
            cost.low -= &slack;
            cost.high += slack;
            break;
        }
        let rest = if price != BitPrice::Coin || (&g % &odd).is_zero() {
            let rest = Rational::new(&g - &n * &d, d.clone());
            inverse.times(&exp_below_one(price, &rest, bits))
        } else {
            // The flips are at most 2 e^(1-n), which is below 6 e^-n; for large n this is the only
            // bound.
            let most = &inverse.high * 6;
            let known = inverse.times(inverse).over(&power);
            let rest = known.map(|rest| rest.plus(&rest));
            let (low, high) = match rest {
                Some(rest) if power.low.is_positive() => (rest.low, rest.high.min(most)),
                _ => (BigInt::zero(), most),
            };
            Enclosure { low, high, bits }
        };
        let test = trial.times(&one.minus(inverse)).plus(&rest);
        kept = kept.plus(&p.times(&power));
        cost = cost.plus(&p.times(&test));
        power = power.times(&step);
        step = step.times(&change);
    }
    (kept, cost)
}

/// The last result of [`gaussian_test`], with its bits.
type LastTest = Mutex<Option<(u64, (Enclosure, Enclosure))>>;

fn gaussian_sampler(price: BitPrice, law: &DiscreteGaussian, t: u64) -> Option<DrawSampler> {
    let most = match price {
        BitPrice::Coin => MAX_T,
        BitPrice::Bytes => MAX_T_OF_BYTES,
    };
    if t > most || !law.both {
        return None;
    }
    let uniform = price.uniform_bits(t)?;
    let sigma = law.sigma.clone();
    let last = LastTest::default();
    let test = Arc::new(move |bits: u64| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, test)) if *known >= bits => test.clone(),
            _ => {
                let test = gaussian_test(price, &sigma, t, bits);
                *last = Some((bits, test.clone()));
                test
            }
        }
    });
    let over = |a: Enclosure, b: &Enclosure| a.over(b).expect("the acceptance is above 0");
    let of_loop = Arc::clone(&test);
    let loops = narrowed(move |bits| over(rational_enclosure(&One::one(), bits), &of_loop(bits).0));
    let expected = narrowed(move |bits| {
        let (kept, test) = test(bits);
        over(
            enclose_laplace(price, (t, 1), &uniform, bits).plus(&test),
            &kept,
        )
    });
    Some(DrawSampler {
        t: Some(t),
        loops: Some(loops),
        ..sampler_at_price(price, expected)
    })
}

fn exact_sampler(id: &'static str, expected: Real) -> DrawSampler {
    DrawSampler {
        id,
        t: None,
        expected,
        loops: None,
        exact: true,
        model: LAZY_MODEL,
    }
}

/// Returns the sampler of Canonne, Kamath & Steinke at this price.
fn sampler_at_price(price: BitPrice, expected: Real) -> DrawSampler {
    match price {
        BitPrice::Coin => exact_sampler("canonne-kamath-steinke", expected),
        BitPrice::Bytes => DrawSampler {
            model: BYTES_MODEL,
            ..exact_sampler("opendp", expected)
        },
    }
}

fn fixed_sampler(id: &'static str, flips: u64, model: &'static str) -> DrawSampler {
    DrawSampler {
        exact: false,
        model,
        ..exact_sampler(id, Real::integer(flips))
    }
}

/// Returns ML-KEM's centred binomial law, which approximates a Gaussian of variance eta / 2.
fn binomial_sampler(sigma: &Rational) -> Option<DrawSampler> {
    let eta = sigma * sigma * BigInt::from(2);
    let eta = eta
        .is_integer()
        .then(|| eta.to_integer().to_u64())
        .flatten()?;
    let model = "the centred binomial law of this variance, as in ML-KEM: not the law itself";
    (eta <= 64).then(|| fixed_sampler("centred-binomial", 2 * eta, model))
}

/// Says which samplers are left out of the cost of a law, and why.
pub fn left_out(kind: &LawKind) -> Option<String> {
    let t = match kind {
        LawKind::DiscreteGaussian(law) if law.both => law.sigma.floor().to_integer() + 1,
        LawKind::DiscreteLaplace(law) => law.scale.numer().clone(),
        _ => return None,
    };
    if t > MAX_T.into() {
        Some(format!(
            "canonne-kamath-steinke and opendp are left out: t = {t} is above {MAX_T}"
        ))
    } else if matches!(kind, LawKind::DiscreteGaussian(_)) && t > MAX_T_OF_BYTES.into() {
        Some(format!(
            "opendp is left out: t = {t} is above {MAX_T_OF_BYTES}"
        ))
    } else {
        None
    }
}

/// Returns the samplers in use for a law, beginning with those that are exact.
pub fn samplers(kind: &LawKind) -> Vec<DrawSampler> {
    let mut all: Vec<DrawSampler> = Vec::new();
    match kind {
        LawKind::Geometric(law) => {
            let expected = BitPrice::Coin.choice_bits(&law.p) / &law.p;
            all.push(exact_sampler("trials", Real::Exact(expected)));
        }
        LawKind::DiscreteLaplace(law) => {
            let (t, s) = (law.scale.numer().to_u64(), law.scale.denom().to_u64());
            if let (Some(t @ ..=MAX_T), Some(s)) = (t, s) {
                for price in [BitPrice::Coin, BitPrice::Bytes] {
                    let expected = laplace_flips(price, t, s);
                    let t = Some(t);
                    let row = |expected| DrawSampler {
                        t,
                        ..sampler_at_price(price, expected)
                    };
                    all.extend(expected.map(row));
                }
            }
        }
        LawKind::DiscreteGaussian(law) => {
            let t = law.sigma.floor().to_integer().to_u64().unwrap_or(MAX_T);
            all.extend(gaussian_sampler(BitPrice::Coin, law, t + 1));
            let other = (t > 0)
                .then(|| gaussian_sampler(BitPrice::Coin, law, t))
                .flatten();
            let id = "canonne-kamath-steinke-floor";
            all.extend(other.map(|other| DrawSampler { id, ..other }));
            all.extend(gaussian_sampler(BitPrice::Bytes, law, t + 1));
        }
        LawKind::Bernoulli(_, Some(x)) if !x.is_negative() => {
            for price in [BitPrice::Coin, BitPrice::Bytes] {
                let x = x.clone();
                let expected = narrowed(move |bits| Exponential::new(price, bits).cost(&x));
                all.push(sampler_at_price(price, expected));
            }
        }
        LawKind::Poisson(_)
        | LawKind::RoundedGaussian(_)
        | LawKind::Zeta(_)
        | LawKind::Bernoulli(..) => {}
    }
    if let LawKind::DiscreteGaussian(DiscreteGaussian { sigma, both: true })
    | LawKind::RoundedGaussian(crate::laws::RoundedGaussian { sigma }) = kind
    {
        all.extend(binomial_sampler(sigma));
    }
    if !matches!(kind, LawKind::Bernoulli(..)) {
        all.push(fixed_sampler("table-16", 16, TABLE_MODEL));
        all.push(fixed_sampler("table-64", 64, TABLE_MODEL));
        all.push(fixed_sampler("table-72", 72, TABLE_MODEL));
    }
    all
}
