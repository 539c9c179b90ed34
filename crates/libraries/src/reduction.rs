//! Reduces W equally likely words to n outcomes, for numbers of any width: W mod n, and floor(x n /
//! W).
//!
//! With W = q n + r, 0 <= r < n, both rules give q + 1 words to r outcomes and q words to the other
//! n - r outcomes, so
//!
//! ```text
//! total variation   r (n - r) / (n W) <= n / (4 W), since r (n - r) <= n^2 / 4
//! Renyi, order 2    log2 (1 + r (n - r) / W^2) bits
//! ```
//!
//! The two rules differ in the outcomes that they favour, and so in the **bias of Bleichenbacher**
//! |E exp(2 pi i X / n)|. Attacks on biased nonces use this bias. Let w = exp(2 pi i / n), n > 1:
//!
//! - W mod n: whole rounds sum to 0, and the remaining r words give |1 + w + ... + w^(r-1)| / W =
//!   sin(pi r / n) / (W sin(pi / n)).
//! - floor(x n / W): outcome j has C(j+1) - C(j) words, C(j) = ceil(j W / n) = j W / n + d(j),
//!   d(j) = (-j r mod n) / n. The first part sums to 0, and summation by parts gives
//!   |sum| = |1 - w| |sum d(j) w^j|. If g = gcd(r, n) > 1, d has the period n / g and w^(n/g) is
//!   not 1, so the sum is 0. Else put j = -s m, where s is the inverse of r:
//!   sum (m/n) w^(-s m) = 1 / (w^-s - 1), and the bias is sin(pi / n) / (W sin(pi s / n)).
//!
//! **Samples.** If there are two probabilities, the likelihood of Q results depends only on the
//! number of favoured results. So the distance of Q reduced values from Q uniform values is that of
//! the binomial laws with a = r (q + 1) / W and b = r / n. It is P_a(K >= k) - P_b(K >= k) for the
//! least k at which a^k (1-a)^(Q-k) is not below b^k (1-b)^(Q-k).
//!
//! **Source.** Bleichenbacher 2000, On the generation of one-time keys in DL signature schemes; De
//! Mulder, Hutter, Marson & Pearson 2013. RFC 9380, 5.1 has the bound n / W: it is 2^-k for k bits
//! more than n has.

use flipcost::law::{Bias, log2};
use flipcost_number::Enclosure;
use flipcost_number::budget::spend_on;
use flipcost_number::e_pi::pi;
use flipcost_number::scaled::Scaled;
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_number::{Real, Undecided};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The largest number of terms of a binomial law that are added up.
pub const MAX_TERMS: u64 = 1 << 20;

/// Returns log2 of a real number above 0 that may be very small.
fn log2_of(value: Real) -> Real {
    Real::enclosed(move |bits| {
        let mut work = bits + 64;
        loop {
            let near = value.enclose(work);
            if near.low.is_positive() {
                let near = Scaled {
                    low: near.low.magnitude().clone(),
                    high: near.high.magnitude().clone(),
                    exponent: -i128::from(near.bits),
                };
                if let Some(log) = near.log2(bits + 2).filter(|log| log.is_within(bits)) {
                    return log;
                }
            }
            work *= 2;
        }
    })
}

/// Returns sin(pi x) / (pi x) for 0 <= x <= 1/2. Its series alternates, and its terms decrease from
/// the first on.
fn sinc(x: Rational) -> Real {
    Real::enclosed(move |bits| {
        let bits = bits + 32;
        let one = BigInt::one() << bits;
        let one = Enclosure {
            low: one.clone(),
            high: one,
            bits,
        };
        let angle = pi(bits).times(&Enclosure::of_rational(&x, bits));
        let square = angle.times(&angle).coarsen(bits);
        let (mut sum, mut term) = (one.clone(), one);
        for k in 1u64.. {
            spend_on(bits, bits);
            let divisor = BigInt::from(2 * k * (2 * k + 1));
            term = term.times(&square).coarsen(bits);
            term.low = term.low.max(BigInt::zero()).div_floor(&divisor);
            term.high = Integer::div_ceil(&term.high, &divisor);
            sum = match k % 2 {
                0 => sum.plus(&term),
                _ => sum.minus(&term),
            };
            if term.high <= BigInt::one() {
                break;
            }
        }
        sum.low -= 1;
        sum.high += 1;
        sum
    })
}

/// Returns log2 sin(pi k / n), 0 < k < n.
fn log2_sine(k: &BigUint, n: &BigUint) -> Real {
    let near = k.min(&(n - k)).clone();
    let x = Rational::new(near.into(), n.clone().into());
    (log2_of(Real::enclosed(pi)).plus(&log2(&x))).plus(&log2_of(sinc(x)))
}

/// Returns log2 of sin(pi above / n) / (W sin(pi below / n)).
fn log2_sine_quotient(words: &BigUint, n: &BigUint, above: &BigUint, below: &BigUint) -> Real {
    let words = Real::log(words.clone(), 2);
    let same = above == below || above + below == *n;
    if same {
        Real::integer(0).minus(&words)
    } else {
        log2_sine(above, n)
            .minus(&log2_sine(below, n))
            .minus(&words)
    }
}

/// Returns log2 |E exp(2 pi i X / n)| for a word X modulo n; `None` if the bias is 0.
///
/// # Panics
/// If W or n is 0.
pub fn modulo_bleichenbacher(words: &BigUint, n: &BigUint) -> Option<Real> {
    if n.is_one() {
        return Some(Real::integer(0));
    }
    let rest = words % n;
    (!rest.is_zero()).then(|| log2_sine_quotient(words, n, &rest, &BigUint::one()))
}

/// Returns log2 |E exp(2 pi i X / n)| for X = floor(x n / W); `None` if the bias is 0.
///
/// # Panics
/// If W or n is 0.
pub fn multiply_bleichenbacher(words: &BigUint, n: &BigUint) -> Option<Real> {
    if n.is_one() {
        return Some(Real::integer(0));
    }
    let inverse = (words % n).modinv(n)?;
    Some(log2_sine_quotient(words, n, &BigUint::one(), &inverse))
}

/// Returns two numbers of bits. The first is the least number of bits for which the total variation
/// modulo n is at most `most`. The second is the least number from which on this holds for every
/// number of bits. From ceil(log2(n / (4 most))) on, the bound n / (4 W) proves the second
/// property; smaller numbers of bits are tried one by one.
///
/// # Panics
/// If n or `most` is 0.
pub fn bits_within(n: &BigUint, most: &Rational) -> (u64, u64) {
    let (p, q) = (most.numer().magnitude(), most.denom().magnitude());
    // n q <= 4 p 2^k
    let (wanted, have) = (n * q, p << 2u8);
    let mut sure = (wanted.bits()).saturating_sub(have.bits());
    sure += u64::from(wanted > &have << sure);
    let mut rest = BigUint::one() % n;
    let (mut least, mut every) = (None, 0);
    for bits in 0..sure {
        // r (n - r) q <= p n 2^k; the lengths of the numbers usually decide it.
        let other = n - &rest;
        let left = rest.bits() + other.bits() + q.bits();
        let mut near = rest.is_zero() || left <= p.bits() + n.bits() + bits + 2;
        if near {
            spend_on(q.bits() + n.bits(), n.bits());
            near = &rest * &other * q <= (p * n) << bits;
        }
        if near {
            least = least.or(Some(bits));
        } else {
            every = bits + 1;
        }
        rest = (rest << 1u8) % n;
    }
    (least.unwrap_or(sure), every)
}

/// Returns the total variation of 2^bits words modulo n.
pub fn total_variation_of_bits(n: &BigUint, bits: u64) -> Rational {
    let rest = BigUint::from(2u8).modpow(&bits.into(), n);
    let share = &rest * (n - &rest);
    Rational::new(share.into(), (n << bits).into())
}

/// Returns an interval that contains P(K < k) for the binomial law of Q trials with success
/// probability p; k <= Q.
fn binomial_cdf(k: u64, trials: u64, p: &Rational, bits: u64) -> Enclosure {
    let work = bits + 8 + u64::from(64 - trials.leading_zeros()) * 2;
    let fail = Rational::one() - p;
    if fail.is_zero() || p.is_zero() {
        let certain = BigInt::from(u8::from(p.is_zero())) << work;
        return Enclosure {
            low: certain.clone(),
            high: certain,
            bits: work,
        };
    }
    let odds = Scaled::from_rational(&(p / &fail), work);
    let mut term = Scaled::from_rational(&fail, work).power(trials, work);
    let mut sum = term.clone();
    for j in 1..k {
        let factor = Scaled::ratio(&(trials - j + 1).into(), &j.into(), work);
        term = term.times(&odds, work).times(&factor, work);
        sum = sum.plus(&term, work);
        spend_on(work, work);
    }
    sum.fixed(work)
}

/// Returns the total variation distance of Q results from Q results of a fair die, for a law of at
/// most two different probabilities; see the module documentation. Returns `None` for other laws,
/// and if the shorter tail of the binomial law has more than [`MAX_TERMS`] terms. Cost: O(terms).
/// # Errors
/// [`Undecided`] if no enclosure finds k.
pub fn total_variation_of_samples(bias: &Bias, samples: u64) -> Result<Option<Real>, Undecided> {
    let (a, b) = bias.favoured();
    if bias.classes().len() > 2 {
        return Ok(None);
    }
    if a == b || samples == 0 {
        return Ok(Some(Real::integer(0)));
    }
    let one = Rational::one();
    if a.is_one() && b.is_zero() {
        return Ok(Some(Real::integer(1)));
    }
    let k = if b.is_zero() {
        1 // one favoured result decides
    } else if a.is_one() {
        samples
    } else {
        let first = log2(&(&a / &b));
        let second = log2(&((&one - &b) / (&one - &a)));
        let all = Real::integer(samples).times(&second);
        let place = all.over(&first.plus(&second));
        // If k is within 2^-8192 of an integer, both candidates for k give the same distance.
        let half = Real::Exact(Rational::new(1.into(), 2.into()));
        let k = match place.floor() {
            Ok(floor) => floor + 1,
            Err(_) => place.plus(&half).floor()?,
        };
        k.to_u64().expect("it lies in 0..=Q").clamp(1, samples)
    };
    // Sum the tail with fewer terms.
    let (k, a, b) = if k <= samples - k + 1 {
        (k, a, b)
    } else {
        (samples - k + 1, &one - a, &one - b)
    };
    if k > MAX_TERMS {
        return Ok(None);
    }
    Ok(Some(Real::cached(move |bits| {
        let mut work = bits + 8;
        loop {
            let (a, b) = (
                binomial_cdf(k, samples, &a, work),
                binomial_cdf(k, samples, &b, work),
            );
            let apart = if a.low > b.low {
                a.minus(&b)
            } else {
                b.minus(&a)
            };
            if apart.is_within(bits) {
                return apart;
            }
            work += 32;
        }
    })))
}

/// Returns log2 of [`total_variation_of_samples`]; the inner `None` means that the distance is 0.
///
/// # Errors
/// The errors of [`total_variation_of_samples`].
pub fn total_variation_of_samples_log2(
    bias: &Bias,
    samples: u64,
) -> Result<Option<Option<Real>>, Undecided> {
    let distance = total_variation_of_samples(bias, samples)?;
    Ok(distance.map(|distance| match distance.exact() {
        Some(exact) => (!exact.is_zero()).then(|| log2(exact)),
        None => Some(log2_of(distance)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::law::OutcomeLaw;
    use flipcost_number::disc::{Disc, turn};

    fn big(n: u64) -> BigUint {
        n.into()
    }

    fn rational(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Modulo the prime of P-256, the bound n / (4 W) needs 382 bits for a distance of at most
    /// 2^-128, but every number of bits from 352 on suffices. Modulo the order of Ed25519, 378 bits
    /// suffice, while the bound needs 379.
    #[test]
    fn fewer_bits_than_the_bound_requires_may_suffice() {
        let power = |bits: u32| BigUint::from(2u8).pow(bits);
        let n = power(256) - power(224) + power(192) + power(96) - 1u8;
        let most = Rational::new(1.into(), power(128).into());
        assert_eq!(bits_within(&n, &most), (352, 352));
        let near = |bits| total_variation_of_bits(&n, bits) <= most;
        assert!(!near(351) && (352..=382).all(near));
        let order = power(252) + 27742317777372353535851937790883648493u128;
        assert_eq!(bits_within(&order, &most), (378, 378));
    }

    /// The distance is 1 - (1 - a)^Q if the other law has no favoured outcome, and 1 if the laws
    /// share no outcome.
    #[test]
    fn one_impossible_outcome_decides_the_samples() {
        let between = |pairs: &[(Rational, Rational)]| {
            Bias::between(pairs.iter().map(|(p, q)| (p.clone(), q.clone(), big(1))))
        };
        let half = rational(1, 2);
        let coin = between(&[(half.clone(), rational(1, 1)), (half, rational(0, 1))]);
        let apart = total_variation_of_samples(&coin, 3).unwrap().unwrap();
        assert_eq!(apart.decimals(6).unwrap(), "0.875000");
        let apart = total_variation_of_samples_log2(&coin, 1)
            .unwrap()
            .unwrap()
            .unwrap();
        assert_eq!(apart.to_f64().unwrap(), -1.0);
        let other = between(&[
            (rational(1, 1), rational(0, 1)),
            (rational(0, 1), rational(1, 1)),
        ]);
        let apart = total_variation_of_samples_log2(&other, 2)
            .unwrap()
            .unwrap()
            .unwrap();
        assert!(apart.is_zero());
    }

    /// Computes |sum w^X| word by word, with discs that enclose the sum, and compares it with both
    /// closed forms.
    #[test]
    fn bleichenbacher_biases_agree_with_their_definition() {
        const BITS: u64 = 90;
        for n in 2u64..=14 {
            let roots: Vec<Disc> = (0..n)
                .map(|j| turn(&Enclosure::of_rational(&rational(j, n), BITS), BITS))
                .collect();
            for words in 1u64..=30 {
                let length = |outcome: &dyn Fn(u64) -> u64| {
                    let zero = Disc::integer(0, BITS);
                    let sum = (0..words).map(|x| outcome(x) as usize);
                    sum.fold(zero, |sum, j| sum.plus(&roots[j])).abs()
                };
                let (w, m) = (big(words), big(n));
                for (found, sum) in [
                    (modulo_bleichenbacher(&w, &m), length(&|x| x % n)),
                    (multiply_bleichenbacher(&w, &m), length(&|x| x * n / words)),
                ] {
                    match found {
                        None => assert!(sum.low.is_zero() && sum.is_within(70), "{words} {n}"),
                        Some(log) => {
                            let known = log2_of(Real::enclosed(move |_| sum.clone()));
                            let known = known.minus(&Real::log(w.clone(), 2)).enclose(50);
                            let log = log.enclose(60);
                            assert!(log.low() <= known.high() && known.low() <= log.high());
                        }
                    }
                }
            }
        }
    }

    /// Computes the distance of Q results by enumerating all sequences of results.
    #[test]
    fn the_distance_of_samples_agrees_with_its_definition() {
        for (words, n) in [(7u64, 3u64), (8, 5), (2, 3), (5, 4), (16, 6)] {
            let law = OutcomeLaw::of_words(words, n);
            let bias = Bias::new(&law, n);
            for samples in 1u32..=5 {
                let p: Vec<u64> = (0..n)
                    .map(|i| words / n + u64::from(i < words % n))
                    .collect();
                let mut all = Rational::zero();
                for code in 0..n.pow(samples) {
                    let digits = (0..samples).map(|i| (code / n.pow(i) % n) as usize);
                    let likely: u64 = digits.map(|i| p[i]).product();
                    let likely = rational(likely, words.pow(samples));
                    all += (likely - rational(1, n.pow(samples))).abs();
                }
                let distance = all / BigInt::from(2);
                let found = total_variation_of_samples(&bias, samples.into())
                    .unwrap()
                    .unwrap()
                    .enclose(80);
                assert!(
                    found.contains(&distance) && found.is_within(80),
                    "{words} {n} {samples}"
                );
            }
            let one = total_variation_of_samples(&bias, 1)
                .unwrap()
                .unwrap()
                .enclose(80);
            assert!(one.contains(&bias.total_variation()));
        }
    }

    /// Tests counts near 2^63 and 2^64. With few words W, each of Q uniform results is possible
    /// with probability W / n, and all are with probability (W / n)^Q. The last two values were
    /// computed by mpmath 1.3 with 80 digits, from the binomial laws of the module documentation.
    #[test]
    fn the_largest_numbers_of_samples_are_computed() {
        let log = |words: &BigUint, n: &BigUint, samples: u64| {
            let bias = Bias::new(&OutcomeLaw::of_words(words.clone(), n.clone()), n.clone());
            total_variation_of_samples_log2(&bias, samples)
                .unwrap()
                .unwrap()
                .unwrap()
        };
        let least = -Rational::new(BigInt::one(), BigInt::one() << 299);
        for samples in [1 << 58, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX] {
            for (words, n) in [
                (big(2), big(3)),
                (big(2), BigUint::one() << 32),
                (big(2), BigUint::one() << 64),
                (BigUint::one() << 128, BigUint::one() << 256),
            ] {
                let log = log(&words, &n, samples).enclose(300);
                assert!(log.is_within(300) && log.low() >= least, "{samples}");
                assert!(log.low() <= Rational::zero() && log.high() >= least);
            }
        }
        let word = BigUint::one() << 64;
        for (words, decimals) in [
            (&word - 1u8, "-0.661728357628967344388112784111"),
            (&word + 1u8, "-1.600542167345224481767475917718"),
        ] {
            assert_eq!(log(&words, &word, u64::MAX).decimals(30).unwrap(), decimals);
        }
    }

    /// Finds both numbers of bits by definition, and checks the bound n / (4 W) for every number of
    /// bits.
    #[test]
    fn sufficient_bits_agree_with_their_definition() {
        for n in 1u64..200 {
            for k in 0..12u64 {
                let most = rational(1, 1 << k);
                let (least, every) = bits_within(&big(n), &most);
                let distance = |bits| total_variation_of_bits(&big(n), bits);
                let law = OutcomeLaw::of_words(32, n);
                assert_eq!(distance(5), Bias::new(&law, n).total_variation());
                assert!(distance(least) <= most && (0..least).all(|bits| distance(bits) > most));
                let bound = (0..).find(|bits| rational(n, 4 << *bits) <= most).unwrap();
                assert!((every..bound + 10).all(|bits| distance(bits) <= most));
                assert!(least <= every && (every == 0 || distance(every - 1) > most));
            }
        }
    }
}
