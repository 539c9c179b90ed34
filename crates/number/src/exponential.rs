//! Enclosures of the exponential function and the error function. Both functions are increasing, so
//! the ends of an interval give the ends of the result.

use super::BigInt;
use super::e_pi::pi;
use super::enclosure::Enclosure;
use crate::budget::spend;
use num_integer::Integer;
use num_traits::{One, Signed};

/// Encloses the sum 1 + t_1 + t_2 + ... with t_i = t_(i-1) y / divisor(i). After `steps` terms,
/// each term must be at most half of the one before.
fn sum_power_series(y: &Enclosure, steps: u64, divisor: impl Fn(u64) -> u64) -> Enclosure {
    let bits = y.bits;
    let mut term = Enclosure::of_rational(&One::one(), bits);
    let mut sum = term.clone();
    for i in 1u64.. {
        spend(bits / 16 + bits * bits / (1 << 14) + 1);
        term = term.times(y);
        let by = BigInt::from(divisor(i));
        term.low = term.low.div_floor(&by);
        term.high = term.high.div_ceil(&by);
        sum = sum.plus(&term);
        let next = term.low.abs().max(term.high.abs());
        if i >= steps && next <= BigInt::one() {
            break;
        }
    }
    // The omitted terms add up to at most the last term.
    sum.low -= 1;
    sum.high += 1;
    sum
}

/// Encloses e^x for an interval of x, in the interval's own units. For x below 2^16 the result is
/// wider than necessary by a few units; if e^x > 1, by e^x times as much.
///
/// Method: e^y for y = x / 2^k, |y| < 2^-8, by the power series; then k squarings. Cost: O(bits /
/// 8 + log x) products of `bits` bits.
pub fn exp(x: &Enclosure) -> Enclosure {
    let bits = x.bits + 64;
    let x = x.clone().coarsen(bits);
    let k = (x.low.bits().max(x.high.bits()) + 8).saturating_sub(bits);
    let y = Enclosure {
        bits: bits + k,
        ..x
    };
    let mut power = sum_power_series(&y.coarsen(bits), 1, |i| i);
    for _ in 0..k {
        power = power.times(&power);
    }
    power.coarsen(bits - 64)
}

/// Encloses erf x for an interval of x, in the interval's own units. The result is wider than
/// necessary by a few units.
///
/// erf x = 2 x e^(-x^2) / sqrt(pi) (1 + 2x^2/3 + (2x^2)^2/15 + ...) (Abramowitz & Stegun 7.1.6);
/// if x^2 is above the number of bits, 1 - erf x < e^(-x^2) is below one unit. Cost: O(bits)
/// products of `bits` bits.
pub fn erf(x: &Enclosure) -> Enclosure {
    let one = BigInt::one() << x.bits;
    let end = |end: &BigInt| {
        // x^2, rounded down
        let most = (end * end) >> (2 * x.bits);
        if most > BigInt::from(x.bits) {
            let value = Enclosure {
                low: &one - 1,
                high: one.clone(),
                bits: x.bits,
            };
            return if end.is_negative() {
                value.negated()
            } else {
                value
            };
        }
        let most = u64::try_from(&most).expect("at most bits");
        // The sum is at most e^(x^2) < 2^(3/2 x^2), and its product with e^(-x^2) is below 1.
        let more = 64 + 2 * (most + 1);
        let point = Enclosure {
            low: end << more,
            high: end << more,
            bits: x.bits + more,
        };
        let square = point.times(&point);
        let sum = sum_power_series(&square.plus(&square), 2 * most + 2, |i| 2 * i + 1);
        let root = pi(point.bits).sqrt().expect("pi is above 0");
        let half = sum.times(&exp(&square.negated())).times(&point);
        let value = half.plus(&half).over(&root).expect("the root is not 0");
        value.coarsen(x.bits)
    };
    Enclosure {
        low: end(&x.low).low.max(-&one),
        high: end(&x.high).high.min(one.clone()),
        bits: x.bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;
    use crate::enclosure::ln;
    use num_traits::Pow;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// e^ln(p/q) = p/q and e^-ln(p/q) = q/p.
    #[test]
    fn exponentials_are_inverse_to_logarithms() {
        for (p, q) in [(1, 1), (3, 2), (7, 1), (1_000_003, 7), (1 << 32, 1), (2, 9)] {
            let x = ln(&ratio(p, q), 100);
            let (up, down) = (exp(&x), exp(&x.clone().negated()));
            assert!(up.contains(&ratio(p, q)) && up.is_within(60), "{p}/{q}");
            assert!(down.contains(&ratio(q, p)) && down.is_within(60), "{p}/{q}");
        }
        // e^-x rounds to 0 if x is large.
        let far = exp(&Enclosure::of_rational(&ratio(-60_000, 1), 128));
        assert!(far.contains(&ratio(0, 1)) && far.is_within(120));
    }

    /// The functional equation e^(x + y) = e^x e^y: both sides enclose the same number.
    #[test]
    fn exp_of_a_sum_is_a_product() {
        for (a, b) in [(1, 2), (-3, 1), (5, -8), (-7, -11), (0, 4)] {
            let at = |p: i64| exp(&Enclosure::of_rational(&ratio(p, 3), 200));
            let apart = at(a + b).minus(&at(a).times(&at(b)));
            assert!(
                apart.contains(&ratio(0, 1)) && apart.is_within(150),
                "{a} {b}"
            );
        }
    }

    /// 1/e (OEIS A068985), erf 1 (A099286), erf(1/2) and erf 2 (Abramowitz & Stegun, table 7.1).
    #[test]
    fn published_digits() {
        let digits = |value: Enclosure, d: u32| {
            let scaled = |end: &BigInt| {
                (end * BigInt::from(10).pow(d)).div_floor(&(BigInt::one() << value.bits))
            };
            assert_eq!(scaled(&value.low), scaled(&value.high));
            scaled(&value.low).to_string()
        };
        let of = |p, q| Enclosure::of_rational(&ratio(p, q), 160);
        assert_eq!(
            digits(exp(&of(-1, 1)), 36),
            "367879441171442321595523770161460867"
        );
        assert_eq!(
            digits(erf(&of(1, 1)), 36),
            "842700792949714869341220635082609259"
        );
        assert_eq!(digits(erf(&of(1, 2)), 10), "5204998778");
        assert_eq!(digits(erf(&of(2, 1)), 10), "9953222650");
        assert_eq!(digits(erf(&of(-2, 1)), 10), "-9953222651");
        // Test values of x for which x^2 is near the number of bits.
        for x in 16..60 {
            let value = erf(&Enclosure::of_rational(&ratio(x, 2), 160));
            assert!(value.is_within(150) && value.high() <= ratio(1, 1), "{x}/2");
        }
        assert!(erf(&of(0, 1)).contains(&ratio(0, 1)));
        assert!(erf(&of(1000, 1)).contains(&ratio(1, 1)));
    }

    /// The result for an interval contains the results for the points inside it.
    #[test]
    fn results_contain_the_values_at_all_points() {
        for p in -40..40 {
            let wide = Enclosure {
                low: BigInt::from(p) << 60u8,
                high: BigInt::from(p + 1) << 60u8,
                bits: 64,
            };
            let inside = Enclosure::of_rational(&ratio(2 * p + 1, 32), 300);
            for f in [exp, erf] {
                let (outer, inner) = (f(&wide), f(&inside));
                assert!(
                    outer.contains(&inner.low()) && outer.contains(&inner.high()),
                    "{p}"
                );
            }
        }
    }
}
