//! The samplers of Canonne, Kamath & Steinke 2020, "The discrete Gaussian for differential
//! privacy". Random choices use single coin flips, or whole bytes as in OpenDP.

use super::sampler::{
    BitPrice, DrawSampler, SamplerAbout, looping_sampler, needs_rejection, rational_enclosure,
    rational_from_integer,
};
use crate::law::{LawFamily, real_from_enclosures};
use crate::laws::DiscreteLaplace;
use flipcost_number::budget::spend;
use flipcost_number::exponential::exp;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Encloses the expected flips of Bernoulli(exp(-g)), 0 <= g <= 1. The algorithm makes choices with
/// probability g/1, g/2, g/3, ... until one fails; it makes the k-th choice with probability
/// g^(k-1) / (k-1)!. If every choice costs 2 flips, the expected flips are 2 e^g. Otherwise the sum
/// ends once this probability is at most a unit. For k > 2 each probability is at most half of the
/// one before, so the rest of the sum is below twice the greatest cost of a choice. A denominator b
/// k takes at most (log2 b + log2 k) / 8 + 2 bytes, and each number is accepted with probability
/// above 1/2.
fn enclose_short_bernoulli_exp(price: BitPrice, g: &Rational, bits: u64) -> Enclosure {
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

/// The expected flips of Bernoulli(exp(-g)) for any g >= 0. The algorithm makes choices with
/// probability exp(-1) until one fails or a rest of g between 0 and 1 is left, then a choice with
/// the rest.
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
            whole: enclose_short_bernoulli_exp(price, &One::one(), bits),
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
        let rest = enclose_short_bernoulli_exp(self.price, &(g - &n), self.bits);
        let first = self.whole.times(&self.trials(&n));
        first.plus(&self.power(&n).times(&rest))
    }
}

/// The number of choices with probability exp(-1) before the rest.
fn whole_trials(g: &Rational) -> Rational {
    (g.ceil() - Rational::one()).max(Rational::zero())
}

/// Encloses the expected flips of the discrete Laplace sampler of scale t/s (algorithm 2). It draws
/// u below t until Bernoulli(exp(-u/t)) succeeds, counts v successes with exp(-1), and draws a
/// sign. It begins again if the sign is negative and floor((u + t v) / s) is 0.
fn enclose_laplace(
    price: BitPrice,
    (t, s): (u64, &BigInt),
    uniform: &Real,
    bits: u64,
) -> Enclosure {
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
            enclose_short_bernoulli_exp(price, &g, bits)
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
    // P(y = 0) = 1 - e^(-s/t); in half of these cases the sampler begins again.
    let zero = exponential.power(&Rational::new(s.clone(), t.into()));
    over(attempt.plus(&attempt), &one.plus(&zero))
}

/// Encloses the probability that the discrete Gaussian sampler of algorithm 3 with scale t accepts,
/// and the flips of its test. The test accepts a number y, drawn from the discrete Laplace law of
/// scale t, by Bernoulli(exp(-g)) with g = (|y| - sigma^2/t)^2 / (2 sigma^2).
///
/// The powers e^-g are products of ratios, each of which is the one before times e^(-1/sigma^2).
/// Let n = ceil(g) - 1. If every choice costs 2 flips, the flips after n choices are e^-n 2 e^(g-n)
/// = 2 e^(-2n) / e^-g, at most 2 e^(1-n). A test makes on average at most 1 / (1 - 1/e) choices
/// with exp(-1), and a last one that costs at most e times the greatest cost of a choice. The total
/// is less than 8 times that cost.
fn enclose_gaussian_test(
    price: BitPrice,
    sigma: &Rational,
    t: u64,
    bits: u64,
) -> (Enclosure, Enclosure) {
    let exponential = Exponential::new(price, bits);
    let (square, scale) = (sigma * sigma, rational_from_integer(t));
    let law = DiscreteLaplace {
        scale: scale.clone(),
    };
    let one = rational_enclosure(&One::one(), bits);
    let ratio = exponential.power(&scale.recip());
    // P(0), and P(x) = P(0) ratio^|x|.
    let first = one.minus(&ratio).over(&one.plus(&ratio)).expect("above 1");
    let twice = &square * BigInt::from(2);
    let middle = &square / &scale;
    // g = (y b - a)^2 / d for middle = a / b; only the part of d that is not a power of 2 matters
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
            // P(|x| >= y) is 2 ratio^y / (1 + ratio). From here on the cost of a test differs from
            // `trial` by at most e^-n times `trial` and e^-n times the cost of what follows after n
            // choices.
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
        let is_known = price != BitPrice::Coin || (&g % &odd).is_zero();
        let rest = is_known.then(|| Rational::new(&g - &n * &d, d.clone()));
        let rest = enclose_last_choice(price, rest, inverse, &power, bits);
        let test = trial.times(&one.minus(inverse)).plus(&rest);
        kept = kept.plus(&p.times(&power));
        cost = cost.plus(&p.times(&test));
        power = power.times(&step);
        step = step.times(&change);
    }
    (kept, cost)
}

/// Encloses e^-n times the flips of the last choice of a test, Bernoulli(exp(n - g)). `rest` is g -
/// n, or `None` if every choice costs 2 flips; `inverse` is e^-n, and `power` is e^-g.
fn enclose_last_choice(
    price: BitPrice,
    rest: Option<Rational>,
    inverse: &Enclosure,
    power: &Enclosure,
    bits: u64,
) -> Enclosure {
    if let Some(rest) = rest {
        return inverse.times(&enclose_short_bernoulli_exp(price, &rest, bits));
    }
    // The flips are at most 2 e^(1-n), which is below 6 e^-n; for large n this is the only bound.
    let most = &inverse.high * 6;
    let known = inverse.times(inverse).over(power);
    let twice = known.map(|flips| flips.plus(&flips));
    let (low, high) = match twice {
        Some(flips) if power.low.is_positive() => (flips.low, flips.high.min(most)),
        _ => (BigInt::zero(), most),
    };
    Enclosure { low, high, bits }
}

/// Returns the sampler of Bernoulli(exp(-x)).
pub(super) fn coin_sampler(price: BitPrice, about: &SamplerAbout, x: &Rational) -> DrawSampler {
    let x = x.clone();
    let expected = real_from_enclosures(move |bits| Exponential::new(price, bits).cost(&x));
    DrawSampler::new(about, expected)
}

/// Returns the sampler of the discrete Laplace law of scale t/s.
pub(super) fn laplace_sampler(
    price: BitPrice,
    about: &SamplerAbout,
    t: u64,
    s: &BigInt,
) -> Option<DrawSampler> {
    let (uniform, s) = (price.uniform_bits(t)?, s.clone());
    let expected =
        real_from_enclosures(move |bits| enclose_laplace(price, (t, &s), &uniform, bits));
    Some(DrawSampler {
        t: Some(t),
        ..DrawSampler::new(about, expected)
    })
}

/// Returns the sampler of the discrete Gaussian law that begins with a draw from the Laplace law of
/// scale t.
pub(super) fn gaussian_sampler(
    price: BitPrice,
    about: &SamplerAbout,
    sigma: &Rational,
    t: u64,
) -> Option<DrawSampler> {
    let (uniform, sigma) = (price.uniform_bits(t)?, sigma.clone());
    let both = move |bits| {
        let (kept, test) = enclose_gaussian_test(price, &sigma, t, bits);
        let over = |a: Enclosure| a.over(&kept).expect("the acceptance is above 0");
        let attempt = enclose_laplace(price, (t, &One::one()), &uniform, bits).plus(&test);
        (over(rational_enclosure(&One::one(), bits)), over(attempt))
    };
    Some(DrawSampler {
        t: Some(t),
        ..looping_sampler(about, both)
    })
}
