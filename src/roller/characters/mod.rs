//! Counts the ones in the repetend of 1/n (the repeating binary digits) by L-functions: in about
//! sqrt(n) steps, without stepping through a whole period.
//!
//! **Theorem** (the notation of [`super::rounds`]). With L(0, chi') = -B(chi'),
//!
//! ```text
//! a(n) = ( phi(n)/2 - sum over odd chi of G/H of L(0, chi') * product over q | n of (1 - chi'(q)) ) / i
//! ```
//!
//! If chi' is primitive and odd modulo f, the theta series theta(t) = sum of k chi'(k) e^(-pi k^2 t
//! / f) satisfies theta(1/t) = W t^(3/2) conj(theta)(t), |W| = 1 (Davenport 2000, chapter 9). Split
//! Mellin's integral of the series at 1:
//!
//! ```text
//! L(0, chi') = sum over k >= 1 of chi'(k) g_1(x) + W conj(chi'(k)) g_2(x),   x = k / sqrt f
//! g_1(x) = erfc(sqrt(pi) x),   g_2(x) = e^(-pi x^2) / (pi x),   W = theta(1) / conj theta(1)
//! ```
//!
//! Here erfc and the exponential are, up to factors, the integrals over t from 1 to infinity of
//! t^(-1/2) e^(-pi k^2 t/f) and of e^(-pi k^2 t/f). W is 1 if chi' is real. theta(1) / sqrt f is
//! the sum of chi'(k) g_3(x), g_3(x) = x e^(-pi x^2).
//!
//! **Code.** Since chi'(2) = 1, only odd k are needed, with F_i(x) = g_i(x) + g_i(2x) + g_i(4x) +
//! ... ([`theta`]). For a chi' of order d, one pass over k serves all powers chi'^u: for each
//! residue v modulo d, they need only the sum of F_i(x) over the k with chi'(k) = e^(2 pi i v/d).
//! For primes, v is computed from power residue symbols ([`symbols`]); for other k, it is a sum of
//! two earlier values. In a block of up to 64 consecutive odd k the F_i are approximated by cubic
//! polynomials. So the sums over a block need only, for each v, the sums of 1, j, j^2, j^3 over the
//! positions j in the block. These are exact integers, packed into one word, so that each k takes
//! one addition.
//!
//! **Error.** Every part of the error is bounded. 2 (a(n) - p/2) is an integer of the parity of p,
//! so it is determined if its error is below 1. If the bound is not below 1, more terms and shorter
//! blocks are used; after the last attempt the function gives no answer.
//!
//! *Truncation.* The terms after the last k add at most the integrals of g_i; the polynomials have
//! the errors of Lagrange's and Cauchy's estimates ([`theta`]).
//!
//! *Rounding.* Only + - * / and square roots of doubles are used, each within a relative error of u
//! = 2^-53 of the exact result (IEEE 754). Roots of 1, pi and the values on a grid are the nearest
//! doubles to enclosures: no function of the platform is used. If a result is computed from data by
//! sums, products, and quotients by data, it is a sum of monomials, each multiplied by at most N
//! factors 1 + e or 1/(1 + e), |e| <= u. So its error is at most N u / (1 - N u) times the sum of
//! the absolute values of the monomials (Higham 2002, lemma 3.1). That sum is at most 1.01 `most`
//! for each k ([`theta`], monomials), and at most 1.01 `sizes` for all k together. In units of u
//! `sizes`, the errors of L(0, chi) are at most
//!
//! | what | at most |
//! | --- | --- |
//! | coefficients at the middle of a cell | 1.01 * 66 |
//! | coefficients in powers of j, at x (Horner's rule at a single k: 14) | 1.01 * (21 + 12) |
//! | products with the moments (exact integers), and the sum of the four | 1.01 * 4 |
//! | sums over all k with one v: one addition per step (a single k or a block) | 1.01 * steps |
//! | error 2.01 u x of x = k / sqrt f, times derivative <= `most` / (0.45 c); x <= 66/65 c | 5 |
//! | F_i(2y) taken as 0, 2 <= y < 4: e^(-3.75 pi y^2) < 10^-20 of y's part of `most` | 1 |
//! | products with roots of 1 (each part within u/2), and the sum of d/2 <= 64 | 1.01 * 66 |
//! | W from theta (7), the product with W (4), the sum of both series (1) | 1.01 * 12 |
//! | factors 1 - chi'(q) of at most 11 primes: 1 each, 3 per product; 3 for L(0, chi') | 1.01 * 47 |
//! | the sum over at most 127 characters, and the division by i | 1.01 * 128 |
//!
//! The sum of these is less than 1.01 steps + 369 plus terms of order u^2, and so less than 1.02
//! (steps + 400). The error of theta is counted separately: for theta' near theta, theta' / conj
//! theta' differs from W by at most 2 |theta' - theta| / |theta'|, since theta' conj theta - theta
//! conj theta' = (theta' - theta) conj theta + theta conj (theta - theta'). The bounds are sums and
//! products of positive numbers: their own rounding errors are below the thousandth that is added.
//!
//! **History.** Before 26 November 2026 the code used 2 (steps + 400) instead of 1.02 (steps +
//! 400), without a proof, and computed the sums with the platform's sine and exponential. For
//! 13,131 sums (n up to 5 * 10^13, at three efforts), the old bound was at least as large as the
//! present one. The values in data/certificates/rounds.toml were computed with the old bound. Their
//! sums had a few more rounding errors than the sums here, and the proof does not cover these;
//! values that are computed again (`verify --check`) are proved.
//!
//! **Cost.** About 2.3 sqrt(f) / 2 steps for each pass, and one power for each prime below 2.3 sqrt
//! n and each prime of n.

mod group;
mod roots;
mod symbols;
mod theta;

use std::borrow::Cow;
use std::sync::OnceLock;

use flipcost_number::fixed::log2_fixed;
use group::{CharacterGroup, Cycle};
use roots::{Complex, RootsOfUnity};
use symbols::Logarithms;
use theta::{ThetaGrid, ThetaTriple, add, bell_at_most};

/// The largest supported n.
pub(super) const MAX_ORDER_N: u64 = 1 << 46;

/// A table that writes each odd number up to a limit as a product of two smaller odd numbers, or of
/// 1 and itself if it is prime; 2i + 1 has the index i.
#[derive(Clone)]
struct Cofactors {
    least: Vec<u16>,
    other: Vec<u32>,
    primes: Vec<u32>,
}

impl Cofactors {
    /// Creates the table for numbers below 2 `count`.
    fn new(count: usize) -> Self {
        let mut least = vec![0u16; count];
        let mut other: Vec<u32> = (0..count as u32).collect();
        for i in (1..count).take_while(|i| 2 * i * (i + 1) < count) {
            if least[i] != 0 {
                continue;
            }
            let q = 2 * i + 1;
            // The multiples q q, q (q + 2), ...
            for (j, at) in (2 * i * (i + 1)..count).step_by(q).enumerate() {
                if least[at] == 0 {
                    least[at] = i as u16;
                    other[at] = (i + j) as u32;
                }
            }
        }
        let prime = |&i: &usize| least[i] == 0;
        let primes = (1..count).filter(prime).map(|i| 2 * i as u32 + 1).collect();
        Self {
            least,
            other,
            primes,
        }
    }

    /// Returns a table for numbers below 2 `count` or more. Tables for n below about 10^12 are
    /// kept, a few megabytes.
    fn up_to(count: usize) -> Cow<'static, Cofactors> {
        static COFACTORS: [OnceLock<Cofactors>; 22] = [const { OnceLock::new() }; 22];
        let size = count.next_power_of_two();
        match COFACTORS.get(size.ilog2() as usize) {
            Some(kept) => Cow::Borrowed(kept.get_or_init(|| Cofactors::new(size))),
            None => Cow::Owned(Cofactors::new(count)),
        }
    }
}

/// The length of the series, and the precision in its blocks.
#[derive(Clone, Copy)]
struct SeriesEffort {
    /// the last x, for real characters and for complex ones, whose root number needs more terms
    last: [f64; 2],
    /// the length of a block is at most 2^-fine times the numbers in it
    fine: u32,
}

impl SeriesEffort {
    /// The effort of this attempt, for n.
    fn for_attempt(attempt: u32, n: u64) -> Self {
        let log = log2_fixed(n).low as f64 / 2f64.powi(64) * std::f64::consts::LN_2;
        // e^(-pi x^2) is about n^-power, and a little less with each attempt
        let last = |power: f64| {
            let exponent = power * log + 2.0 + 3.0 * f64::from(attempt);
            (exponent / std::f64::consts::PI).sqrt()
        };
        SeriesEffort {
            last: [last(0.5), last(0.75)],
            fine: if n >> 32 == 0 { 5 } else { 7 } + attempt,
        }
    }

    /// The number of odd k that a cycle needs.
    fn count(self, cycle: &Cycle) -> usize {
        let last = self.last[usize::from(cycle.order > 2)];
        ((cycle.conductor as f64).sqrt() * last / 2.0) as usize + 1
    }
}

/// The number of ones in the repetend of 1/n for odd n, given the index i of the group of powers of
/// 2 and its order p. `None` if there are too many characters, if the sums would take more than
/// `most_steps` steps, or, very rarely, if the error stays too large.
pub(super) fn ones_by_characters(
    factors: &[(u64, u32)],
    index: u64,
    period: u64,
    most_steps: u64,
) -> Option<u64> {
    let n: u64 = factors.iter().map(|&(q, k)| q.pow(k)).product();
    let group = CharacterGroup::new(factors, index)?;
    let steps = |cycle: &Cycle| SeriesEffort::for_attempt(0, n).count(cycle) as u64;
    if group.cycles.iter().map(steps).sum::<u64>() > most_steps {
        return None;
    }
    (0..5).find_map(|attempt| {
        let (sum, error) = sum_over_characters(&group, SeriesEffort::for_attempt(attempt, n));
        // 2 (p/2 - a) is an integer of the parity of p
        let twice = 2.0 * sum / index as f64;
        let error = 2.0 * error / index as f64;
        let parity = (period % 2) as f64;
        let nearest = 2.0 * ((twice - parity) / 2.0).round() + parity;
        let near = (twice - nearest).abs() <= error;
        (near && error < 1.0).then(|| (period as i64 - nearest as i64) as u64 / 2)
    })
}

/// The sum in the theorem, and a bound of its error.
fn sum_over_characters(group: &CharacterGroup, effort: SeriesEffort) -> (f64, f64) {
    let counts = group.cycles.iter().map(|cycle| effort.count(cycle));
    let count = counts.max().unwrap_or(0);
    let cofactors = &*Cofactors::up_to(count.max(1));
    let primes_below = |count: usize| {
        let primes = &cofactors.primes;
        &primes[..primes.partition_point(|&q| (q as usize) < 2 * count)]
    };
    let logs_of = |(i, local): (usize, &Logarithms)| {
        let with_it = |cycle: &&Cycle| cycle.weights.iter().any(|&(at, _)| at == i);
        let cycles = group.cycles.iter().filter(with_it);
        let count = cycles.map(|cycle| effort.count(cycle)).max();
        local.logarithms_of(primes_below(count.unwrap_or(0)))
    };
    let symbols: Vec<Vec<u8>> = group.locals.iter().enumerate().map(logs_of).collect();
    let mut values = vec![0u8; count];
    let (mut sum, mut error) = (0.0, 0.0);
    for cycle in &group.cycles {
        let count = effort.count(cycle);
        let values = &mut values[..count];
        fill_values(
            values,
            cycle,
            &group.locals,
            cofactors,
            primes_below(count),
            &symbols,
        );
        let pass = CycleSums::sum_over(values, cycle, effort);
        for &u in &cycle.units {
            let (value, off) = pass.value(u);
            let mut factor = Complex(1.0, 0.0);
            for v in &cycle.outside {
                factor = factor.times(pass.roots.one_minus_root(u * v));
            }
            // The conjugate character contributes as well, if it is different.
            let twice = if 2 * u == cycle.order { 1.0 } else { 2.0 };
            sum += twice * value.times(factor).0;
            error += twice * off * factor.size() * 1.001;
        }
    }
    (sum, error)
}

/// Computes the exponents v of all odd numbers for a cycle; numbers that share a prime with the
/// conductor get the cycle's order.
fn fill_values(
    values: &mut [u8],
    cycle: &Cycle,
    locals: &[Logarithms],
    cofactors: &Cofactors,
    primes: &[u32],
    symbols: &[Vec<u8>],
) {
    let order = cycle.order as u8;
    // Both are below the order.
    let sum = |a: u8, b: u8| (a + b).min((a + b).wrapping_sub(order));
    for (i, &(local, weight)) in cycle.weights.iter().enumerate() {
        let mut products = [0u8; 256];
        for log in 1..locals[local].order() as usize {
            products[log] =
                ((weight as usize + usize::from(products[log - 1])) % cycle.order as usize) as u8;
        }
        for (&q, &log) in primes.iter().zip(&symbols[local]) {
            let value = &mut values[q as usize / 2];
            let product = products[log as usize];
            *value = if i == 0 {
                product
            } else {
                sum(*value, product)
            };
        }
    }
    values[0] = 0;
    let least = &cofactors.least[..values.len()];
    let other = &cofactors.other[..values.len()];
    for i in 1..values.len() {
        values[i] = sum(values[least[i] as usize], values[other[i] as usize]);
    }
    for &(local, _) in &cycle.weights {
        let q = locals[local].prime() as usize;
        for i in (q / 2..values.len()).step_by(q) {
            values[i] = order;
        }
    }
}

/// For each v, the sum of F_i(x) over the k with this v, minus the sum over the k with v + d/2.
struct CycleSums {
    order: u32,
    roots: &'static RootsOfUnity,
    sums: Vec<ThetaTriple>,
    errors: ThetaTriple,
}

impl CycleSums {
    fn sum_over(values: &[u8], cycle: &Cycle, effort: SeriesEffort) -> CycleSums {
        let grid = ThetaGrid::new();
        let (order, half) = (cycle.order as usize, cycle.order as usize / 2);
        let root = (cycle.conductor as f64).sqrt();
        let mut sums = vec![ThetaTriple::default(); half];
        let mut errors = ThetaTriple::default();
        let mut sizes = ThetaTriple::default();
        let mut steps = 0usize;
        let first = (8usize << effort.fine).min(values.len());
        for (i, &v) in values[..first].iter().enumerate() {
            let v = v as usize;
            let (terms, most, error) = grid.evaluate((2 * i + 1) as f64 / root);
            add(&mut errors, error, 1.0);
            add(&mut sizes, most, 1.0);
            if v < half {
                add(&mut sums[v], terms, 1.0);
            } else if v < order {
                add(&mut sums[v - half], terms, -1.0);
            }
        }
        steps += first;
        let powers: [u64; 64] = std::array::from_fn(|j| {
            let j = j as u64;
            1 | (j << 7) | ((j * j) << 18) | ((j * j * j) << 35)
        });
        let mut packed = [vec![0u64; order + 1], vec![0u64; order + 1]];
        let mut start = first;
        while start < values.len() {
            let length = (start >> effort.fine).next_power_of_two().clamp(4, 64) / 2 * 2;
            let block = &values[start..values.len().min(start + length)];
            for pair in block.chunks(2).enumerate() {
                let (j, pair) = pair;
                packed[0][pair[0] as usize] += powers[2 * j];
                if let Some(&v) = pair.get(1) {
                    packed[1][v as usize] += powers[2 * j + 1];
                }
            }
            let middle = (block.len() - 1) as f64; // the middle k, from the first one
            let near = grid.near(((2 * start + 1) as f64 + middle) / root);
            let cubic = in_powers_of_j(&near.terms, 2.0 / root, -middle / root);
            add(
                &mut errors,
                near.errors_of_cubics(middle / root * 1.001),
                block.len() as f64,
            );
            add(&mut sizes, near.most, block.len() as f64);
            for (v, sum) in sums.iter_mut().enumerate() {
                let [a, b] = [v, v + half].map(|v| packed[0][v] + packed[1][v]);
                let moment = |shift: u32, bits: u32| {
                    let part = |x: u64| ((x >> shift) & ((1 << bits) - 1)) as f64;
                    part(a) - part(b)
                };
                let moments = [moment(0, 7), moment(7, 11), moment(18, 17), moment(35, 29)];
                let mut part = ThetaTriple::default();
                for (&term, moment) in cubic.iter().zip(moments) {
                    add(&mut part, term, moment);
                }
                add(sum, part, 1.0);
            }
            packed.iter_mut().for_each(|packed| packed.fill(0));
            start += block.len();
            steps += 1;
        }
        // The terms after the last k: the g_i decrease there, and their integrals from X on satisfy
        // int erfc(sqrt(pi) x) <= int g_2 <= e^(-pi X^2) / (2 pi^2 X^2), int g_3 = e^(-pi X^2) / (2
        // pi)
        let last = (2 * values.len() - 1) as f64 / root;
        let bell = bell_at_most(last) * root / (2.0 * std::f64::consts::PI);
        let second = bell / (std::f64::consts::PI * last * last);
        add(&mut errors, [second, second, bell, 0.0], 1.001);
        // EPSILON is 2u
        let rounding = 0.51 * (steps + 400) as f64 * f64::EPSILON;
        add(&mut errors, sizes, rounding);
        CycleSums {
            order: cycle.order,
            roots: RootsOfUnity::new(cycle.order),
            sums,
            errors,
        }
    }

    /// L(0, chi^u), and a bound of its error.
    fn value(&self, u: u32) -> (Complex, f64) {
        let mut sums = [Complex(0.0, 0.0); 3];
        for (v, sum) in (0u32..).zip(&self.sums) {
            let Complex(cos, sin) = self.roots.root(u * v);
            for (total, term) in sums.iter_mut().zip(sum) {
                total.0 += term * cos;
                total.1 += term * sin;
            }
        }
        let [first, Complex(re, im), theta] = sums;
        let second = Complex(re, -im);
        let [a, b, c, _] = self.errors;
        if 2 * u == self.order {
            return (Complex(first.0 + second.0, 0.0), a + b);
        }
        // W = theta / conj theta; any other number of length 1 differs from it by at most 2.
        let (square, size) = (theta.times(theta), theta.size());
        let (sign, off) = if size > c {
            let norm = theta.0 * theta.0 + theta.1 * theta.1;
            (Complex(square.0 / norm, square.1 / norm), 2.0 * c / size)
        } else {
            (Complex(1.0, 0.0), 2.0)
        };
        let turned = sign.times(second);
        let error = a + b + off * (second.size() + b);
        (Complex(first.0 + turned.0, first.1 + turned.1), error)
    }
}

/// Converts cubic polynomials in t = a j + b to powers of j.
fn in_powers_of_j(terms: &[ThetaTriple; theta::TERMS], a: f64, b: f64) -> [ThetaTriple; 4] {
    let mut cubic = [ThetaTriple::default(); 4];
    for i in 0..4 {
        let [c0, c1, c2, c3] = [terms[0][i], terms[1][i], terms[2][i], terms[3][i]];
        cubic[0][i] = c0 + b * (c1 + b * (c2 + b * c3));
        cubic[1][i] = a * (c1 + b * (2.0 * c2 + b * 3.0 * c3));
        cubic[2][i] = a * a * (c2 + b * 3.0 * c3);
        cubic[3][i] = a * a * a * c3;
    }
    cubic
}

#[cfg(test)]
mod tests {
    use super::super::rounds::ones_in_period;
    use super::*;
    use flipcost_number::Rational;
    use flipcost_number::factor::factor;
    use flipcost_number::order::orbit;
    use num_traits::Signed;

    /// The prime factors of n, and the order and the index of 2 modulo n.
    fn known(n: u64) -> (Vec<(u64, u32)>, u64, u64) {
        let (factors, period) = (factor(n), orbit(2, n).period);
        let totient = |&(q, k): &(u64, u32)| (q - 1) * q.pow(k - 1);
        let index = factors.iter().map(totient).product::<u64>() / period;
        (factors, period, index)
    }

    /// Products with repeated primes.
    const REPEATED: [u64; 12] = [
        9 * 7 * 73,
        27 * 73,
        81 * 337,
        49 * 43,
        49 * 127 * 29,
        25 * 31 * 11,
        1093 * 1093,
        3511 * 3511 * 7,
        49 * 1_500_007,
        9 * 31 * 31 * 8_191,
        127 * 127 * 4_201,
        7 * 7 * 7 * 223 * 1_009,
    ];

    /// For all kinds of n, the result equals a count of the ones along the period.
    #[test]
    fn characters_agree_with_flips() {
        let mut answered = 0;
        let starts = [3u64, 101, 10_001, 1_000_001, 10_000_001, 400_000_001];
        let neighbours = starts
            .into_iter()
            .flat_map(|start| (start..start + 300).step_by(2));
        for n in neighbours.chain(REPEATED) {
            let (factors, period, index) = known(n);
            if let Some(ones) = ones_by_characters(&factors, index, period, u64::MAX) {
                assert_eq!(ones, ones_in_period(n, period), "n = {n}");
                answered += 1;
            }
        }
        assert!(answered > 600, "{answered}");
    }

    /// At every effort, the sum differs from the exact count by at most its bound. The test covers
    /// n of all kinds beyond 2^26: with only real characters, with complex ones, with primes
    /// outside the conductor, with squares.
    #[test]
    fn errors_are_bounded() {
        let (mut real, mut other, mut outside, mut squares) = (0, 0, 0, 0);
        let near = (2_000_001u64..2_002_001).step_by(2);
        let far = ((1 << 26) + 1..(1 << 26) + 201).step_by(2);
        let farther = (999_999_801..1_000_000_001).step_by(2);
        for n in near.chain(far).chain(farther).chain(REPEATED) {
            let (factors, period, index) = known(n);
            let group = CharacterGroup::new(&factors, index);
            let Some(group) = group.filter(|group| !group.cycles.is_empty()) else {
                continue;
            };
            if n > 1 << 26 {
                let orders = || group.cycles.iter().map(|cycle| cycle.order);
                real += usize::from(orders().all(|order| order == 2));
                other += usize::from(orders().any(|order| order > 2));
                outside += usize::from(group.cycles.iter().any(|cycle| !cycle.outside.is_empty()));
                squares += usize::from(factors.iter().any(|(_, k)| *k > 1));
            }
            let ones = ones_in_period(n, period);
            let exact = Rational::new(
                (i128::from(index) * (i128::from(period) - 2 * i128::from(ones))).into(),
                2.into(),
            );
            for attempt in [0, 2] {
                let (sum, error) =
                    sum_over_characters(&group, SeriesEffort::for_attempt(attempt, n));
                let [sum, error] = [sum, error].map(|x| Rational::from_float(x).expect("finite"));
                assert!((sum - &exact).abs() <= error, "n = {n}");
            }
        }
        let kinds = [real, other, outside, squares];
        assert!(kinds.iter().all(|count| *count >= 5), "{kinds:?}");
    }
}
