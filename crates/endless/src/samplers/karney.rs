//! Algorithm D of Karney 2016, "Sampling exactly from the normal distribution" (ACM Transactions on
//! Mathematical Software 42(1)), for the discrete Gaussian law with mean 0.
//!
//! **An attempt.** Count the successes k of H = Bernoulli(e^(-1/2)) before a failure, and continue
//! if k (k - 1) further trials of H all succeed. Draw a sign, and j below ceil(sigma). With i =
//! ceil(sigma k) + j and x = i / sigma - k, continue if x < 1, except for i = 0 with a negative
//! sign. Accept i if k + 1 runs of B = Bernoulli(e^(-p x)) all succeed, where p = (2k + x) / (2k +
//! 2).
//!
//! So k continues with probability (1 - e^(-1/2)) e^(-k^2 / 2), and i is accepted with probability
//! e^(-x (2k + x) / 2). Their product is proportional to e^(-(i / sigma)^2 / 2).
//!
//! **A run.** B compares uniform numbers u_1 < x, u_2 < u_1, ... After each comparison it makes a
//! choice with probability p. It ends when a comparison or a choice fails, and succeeds if the
//! number n of passed comparisons and choices is even. The probability that n of both are passed is
//! (p x)^n / n!. H is B with x = 1/2 and p = 1.
//!
//! The bits of u_n are drawn when they are needed. The digits of x are known; if they end and all
//! of them are equal to the drawn bits, then u_1 >= x. So the first comparison costs as much as a
//! choice with probability x. Any other comparison draws l + 1 new bits, where l is the number of
//! equal bits before the first difference. It also draws those bits of the previous number that
//! come after the l' + 1 bits known so far. As the new number is uniform, l >= m has probability
//! 2^-m, whatever came before. So a comparison takes 2 + (sum over m > l' of 2^-m) = 2 + 2^-l'
//! flips. With the cost c of a choice, a run takes
//!
//! c(x) + c(p) (e^(p x) - 1) / p + 2 (e^(p x) - 1) + R, R = the sum over n >= 1 of E(2^-l'; n
//! passed).
//!
//! A uniform number is below y and first differs from y at digit m with probability 2^-m, provided
//! that this digit of y is 1. So E(2^-l'; below y) = g(y), the sum of 2^(1-2m) over the places m of
//! the digits 1 of y. Here y is x for n = 1, and has the density p^(n-1) (x - y)^(n-2) / (n-2)! for
//! n > 1. Therefore R is p g(x) plus p^2 times the integral of e^(p (x - y)) g(y) from 0 to x. For
//! each m that is a geometric series over the intervals in which digit m is 1, the last of which
//! may be incomplete:
//!
//! R = p times the sum over m >= 1 of 2^(1-2m) (e^(p x) +- e^(p (x mod 2^-m))) / (1 + e^(p 2^-m)),
//!
//! with + if digit m of x is 1, and - if it is 0.

use super::sampler::{
    BitPrice, DrawSampler, KARNEY, looping_sampler, rational_enclosure, rational_from_integer,
    uniform_flips,
};
use crate::laws::DiscreteGaussian;
use flipcost_number::budget::spend;
use flipcost_number::exponential::exp;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_traits::{One, Zero};

/// Encloses e^(p x) and two sums over m >= 1: of 2^(1-2m) / (1 + e^(p 2^-m)), and of the same terms
/// times +- e^(p (x mod 2^-m)), for 0 < x < 1 and 0 < p <= 1.
///
/// The powers for m = M = bits / 2 + 2 are computed directly, and those for smaller m by squares
/// and products. All are rounded down to units u = 2^-work. The first powers are too small by a
/// factor of at least 1 - 16 u. A square doubles this loss and adds at most u, so the loss stays
/// below 17 * 2^(M-m) u. The power of x mod 2^-m has the losses of its factors, at most 18 * 2^M u
/// < 2^(-bits-7). So each sum has an error below 2^(-bits-6), and the omitted terms are below
/// 2^(-2M) / 2 <= 2^(-bits-4).
fn enclose_digit_sums(x: &Rational, p: &Rational, bits: u64) -> [Enclosure; 3] {
    let levels = bits / 2 + 2;
    let work = bits + levels + 12;
    spend(levels * work);
    let (all, one) = (BigInt::one() << levels, BigInt::one() << work);
    let scaled = x * &all;
    let digits = scaled.to_integer();
    let first = |exponent: Rational| exp(&rational_enclosure(&(exponent / &all), work)).low;
    let (mut step, mut power) = (first(p.clone()), first(scaled.fract() * p));
    let (mut sum, mut signed) = (BigInt::zero(), BigInt::zero());
    for m in (1..=levels).rev() {
        let part = (BigInt::one() << (2 * work + 1 - 2 * m)) / (&one + &step);
        let product = (&part * &power) >> work;
        sum += part;
        if digits.bit(levels - m) {
            signed += product;
            power = (power * &step) >> work;
        } else {
            signed -= product;
        }
        step = (&step * &step) >> work;
    }
    [power, sum, signed].map(|value| {
        let low: BigInt = (value >> (work - bits)) - 1;
        let high = &low + 3;
        Enclosure { low, high, bits }
    })
}

/// Encloses the flips of a run, and the probability e^(-p x) that the run succeeds.
fn enclose_run(x: &Rational, p: &Rational, bits: u64) -> (Enclosure, Enclosure) {
    let rational = |value: &Rational| rational_enclosure(value, bits);
    let [power, sum, signed] = enclose_digit_sums(x, p, bits);
    let one = rational(&One::one());
    let price = |p: &Rational| BitPrice::Coin.choice_bits(p);
    let each = rational(&(price(p) / p + rational_from_integer(2)));
    let rest = power.times(&sum).plus(&signed).times(&rational(p));
    let flips = power.minus(&one).times(&each).plus(&rest);
    let success = one.over(&power).expect("a power above 0");
    (flips.plus(&rational(&price(x))), success)
}

/// Encloses the probability that the runs of B accept i = sigma (k + x), and their flips.
///
/// With a = e^(-p x) there are 1 + a + ... + a^k runs, and all succeed with probability a^(k+1).
fn enclose_test(k: u64, x: &Rational, bits: u64) -> (Enclosure, Enclosure) {
    let one = rational_enclosure(&One::one(), bits);
    if x.is_zero() {
        return (one, rational_enclosure(x, bits));
    }
    let twice = rational_from_integer(2 * k);
    let p = (&twice + x) / (twice + rational_from_integer(2));
    let (flips, success) = enclose_run(x, &p, bits);
    let runs = (0..k).fold(one.clone(), |runs, _| one.plus(&success.times(&runs)));
    let failure = one.minus(&success).times(&runs);
    (one.minus(&failure), flips.times(&runs))
}

/// Encloses three sums over k >= 0, with w = e^(-k^2 / 2): of w, of w times the probabilities of
/// all i with this k, and of w times their flips.
///
/// The sums end when w is below a unit. From there on each w is below a quarter of the one before.
/// So the rest of the first sum is below 2 units, and that of the second below 2 ceil(sigma) units.
/// A run takes at most 2 + 2e + 2 (e - 1) + 2e/3 < 13 flips, and a test has at most k + 1 runs. So
/// the rest of the third sum is below 26 (k + 1) ceil(sigma) units. A larger k needs fewer bits, as
/// w <= 2^(-23/32 k^2).
fn enclose_sums(sigma: &Rational, width: u64, bits: u64) -> [Enclosure; 3] {
    let normal = DiscreteGaussian {
        sigma: One::one(),
        both: true,
    };
    let mut sums = [(); 3].map(|()| rational_enclosure(&Zero::zero(), bits));
    let mut i = 0u64;
    for (k, weight) in (0u64..).zip(normal.weights(bits)) {
        if weight.high <= BigInt::one() {
            for (sum, rest) in sums.iter_mut().zip([2, 2 * width, 26 * (k + 1) * width]) {
                sum.high += rest;
            }
            break;
        }
        sums[0] = sums[0].plus(&weight);
        let fewer = bits.saturating_sub(23 * k * k / 32).max(32);
        loop {
            let place = BigInt::from(i) * sigma.denom() - BigInt::from(k) * sigma.numer();
            if place >= *sigma.numer() {
                break;
            }
            let x = Rational::new(place, sigma.numer().clone());
            let (kept, flips) = enclose_test(k, &x, fewer);
            sums[1] = sums[1].plus(&weight.times(&kept));
            sums[2] = sums[2].plus(&weight.times(&flips));
            i += 1;
        }
    }
    sums
}

/// Encloses the number of attempts and the number of flips. With the sums S, K and F of
/// [`enclose_sums`], h = e^(-1/2) and the flips f of H, there are 1 / (1-h) runs of H up to a
/// failure, and for this k (1 - h^(k(k-1))) / (1-h) more: in total 2 / (1-h) - S. So an attempt
/// takes
///
/// f (2 / (1-h) - S) + (1-h) (S (1 + U) + F / width)
///
/// flips, where U is the number of flips for j below width. An attempt succeeds with probability
/// (1-h) (K - 1/2) / width: each sign has half, and 0 has only one sign.
fn enclose_loop(sigma: &Rational, width: u64, uniform: &Real, bits: u64) -> (Enclosure, Enclosure) {
    let rational = |value: &Rational| rational_enclosure(value, bits);
    let over = |a: &Enclosure, b: &Enclosure| a.over(b).expect("a divisor above 0");
    let one = rational(&One::one());
    let half = Rational::new(1.into(), 2.into());
    let (of_half, success) = enclose_run(&half, &One::one(), bits);
    let failure = one.minus(&success);
    let [begun, kept, tests] = enclose_sums(sigma, width, bits);
    let runs = over(&one.plus(&one), &failure).minus(&begun);
    let side = rational(&rational_from_integer(width));
    let uniform = uniform.enclose(bits).coarsen(bits);
    let later = begun.times(&one.plus(&uniform)).plus(&over(&tests, &side));
    let attempt = of_half.times(&runs).plus(&failure.times(&later));
    let accepted = over(&failure.times(&kept.minus(&rational(&half))), &side);
    (over(&one, &accepted), over(&attempt, &accepted))
}

/// Returns the sampler for this sigma, with width = ceil(sigma).
pub(super) fn gaussian_sampler(sigma: &Rational, width: u64) -> Option<DrawSampler> {
    let (uniform, sigma) = (uniform_flips(width)?, sigma.clone());
    let both = move |bits| enclose_loop(&sigma, width, &uniform, bits);
    Some(looping_sampler(&KARNEY, both))
}
