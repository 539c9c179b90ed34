//! Solves dense systems of linear equations exactly: it computes the p-adic digits of the solution
//! one after the other.
//!
//! If most of n states lead to most others, an elimination needs n^3 / 3 products of fractions,
//! each as long as a minor of the matrix, while the solution has only n fractions. Here the
//! elimination is done modulo a prime p of one word. It solves A x = b, with integers in A and b,
//! modulo p; the result y is the last digits of x in base p (the p-adic expansion). The remainder
//! is a system of the same form:
//!
//! ```text
//! A y = b mod p      b' = (b - A y) / p      A x' = b', x = y + p x'
//! ```
//!
//! A digit costs O(n^2) products of words, and after k digits x is known modulo M = p^k. From the
//! residue of one entry, Euclid's algorithm, stopped halfway, finds a fraction u / d; multiplying
//! by its denominator almost always makes all other entries integers.
//!
//! **Certificate.** d x = u mod M implies A u = d b mod M. Both sides are integers. They are equal
//! if the largest row sum of |A|, times the largest |u|, plus d times the largest |b|, is below M.
//! Fractions that pass this test are the solution, since A has an inverse modulo p. If they fail
//! the test, more digits are computed. No bound on the determinant is needed.
//!
//! **Source.** Dixon 1982, Exact solution of linear equations using p-adic expansions (the digits);
//! Wang 1981, A p-adic algorithm for univariate partial fractions (fractions of residues); Cabay
//! 1971, Exact solution of linear equations (the certificate).

use flipcost_number::budget::{spend, spend_on};
use flipcost_number::factor::pow_mod;
use flipcost_number::reduce::{gcd, lowest};
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::collections::BTreeMap;

/// The rows of a sparse matrix P of probabilities: for every state, its successors after one step.
pub(crate) type Rows = Vec<BTreeMap<usize, Rational>>;

/// The number of bits of a digit, chosen so that the sum of 2^16 products of two digits is below
/// 2^128.
const DIGIT_BITS: u32 = 56;

/// The moduli, tried one after the other: large primes below 2^56.
const PRIMES: [u64; 3] = [
    (1 << DIGIT_BITS) - 5,
    (1 << DIGIT_BITS) - 27,
    (1 << DIGIT_BITS) - 47,
];

/// The least number of states for the dense method; eliminating fewer states one by one is at least
/// as fast.
const MIN_DENSE_STATES: usize = 12;

/// The maximum number of rows of the matrix modulo the prime: 128 MB.
const MAX_STATES: usize = 4096;

/// Checks whether the dense method is faster for `states` states, if the elimination of each state
/// takes at least `products` products.
pub(super) fn is_dense(states: usize, products: usize) -> bool {
    (MIN_DENSE_STATES..=MAX_STATES).contains(&states) && 16 * products >= states * states
}

/// The matrix (I - P)^-1 for some states that lead to each other.
pub(super) struct Dense {
    states: Vec<usize>,
    /// The matrix A = D (I - P), one row for every state.
    rows: Vec<MatrixRow>,
    /// The largest sum of |A| over a row or a column.
    norm: BigUint,
    prime: u64,
    /// The factors of A = L U modulo the prime, where L has ones on its diagonal: -L below the
    /// diagonal, 1/U on it, and -U above.
    factors: Vec<Vec<u64>>,
}

/// A row of the integer matrix D - W, where D is diagonal and W = D P.
struct MatrixRow {
    /// The entry of D: the least number that makes the weights integers.
    unit: BigInt,
    columns: Vec<usize>,
    /// The weights of all columns in base 2^56: first the last digits of all weights, then the
    /// digits before them, and so on.
    weights: Vec<Vec<u64>>,
}

impl Dense {
    /// Prepares states whose rows lead only to each other. Returns `None` if every prime of the
    /// list divides a minor. Then the system usually has no solution, but in very rare cases it has
    /// one. Cost: O(n^3) products of words.
    pub(super) fn new(rows: &Rows, states: Vec<usize>) -> Option<Dense> {
        let mut place = vec![0; rows.len()];
        for (at, state) in states.iter().enumerate() {
            place[*state] = at;
        }
        let mut sums = vec![BigUint::ZERO; 2 * states.len()]; // for columns, then for rows
        let of_state = |(at, state): (usize, &usize)| {
            let unit = common_denominator(rows[*state].values());
            let columns: Vec<usize> = rows[*state].keys().map(|to| place[*to]).collect();
            let mut weights: Vec<Vec<u64>> = Vec::new();
            sums[at] += &unit;
            sums[states.len() + at] += &unit;
            for (k, p) in rows[*state].values().enumerate() {
                let weight = p.numer().magnitude() * (&unit / p.denom().magnitude());
                for (high, bytes) in weight
                    .to_bytes_le()
                    .chunks(DIGIT_BITS as usize / 8)
                    .enumerate()
                {
                    if high == weights.len() {
                        weights.push(vec![0; columns.len()]);
                    }
                    let digit = |all: u64, byte: &u8| all << 8 | u64::from(*byte);
                    weights[high][k] = bytes.iter().rev().fold(0, digit);
                }
                sums[columns[k]] += &weight;
                sums[states.len() + at] += weight;
            }
            MatrixRow {
                unit: unit.into(),
                columns,
                weights,
            }
        };
        let rows: Vec<MatrixRow> = states.iter().enumerate().map(of_state).collect();
        let of_prime = |prime: &u64| Some((*prime, lu_factors(&rows, *prime)?));
        let (prime, factors) = PRIMES.iter().find_map(of_prime)?;
        Some(Dense {
            states,
            rows,
            norm: sums.into_iter().max()?,
            prime,
            factors,
        })
    }

    /// Replaces b by N b at these states, or by b N if `transposed`. Cost: O(n^2) products of words
    /// for every digit of the solution's numerators and denominator.
    pub fn solve(&self, vector: &mut [Rational], transposed: bool) {
        // x = P x + b is equivalent to A x = D b; y = y P + b to z A = b with y = z D
        let unit = common_denominator(self.states.iter().map(|state| &vector[*state]));
        let scaled = |(state, row): (&usize, &MatrixRow)| {
            let b = &vector[*state];
            let scaled = b.numer() * BigInt::from(&unit / b.denom().magnitude());
            if transposed {
                scaled
            } else {
                scaled * &row.unit
            }
        };
        let mut rest: Vec<BigInt> = self.states.iter().zip(&self.rows).map(scaled).collect();
        let largest = largest_magnitude(&rest);
        let mut x = vec![BigUint::ZERO; rest.len()];
        let (mut modulus, mut digits, mut enough) = (BigUint::one(), 0, 1);
        let (tops, bottom) = loop {
            let found = self.next_digits(&mut rest, transposed);
            for (x, digit) in x.iter_mut().zip(found) {
                *x += &modulus * digit;
            }
            modulus *= self.prime;
            digits += 1;
            if digits == enough {
                if let Some(found) = self.fractions_from_residues(&x, &modulus, &largest) {
                    break found;
                }
                enough += digits / 6 + 1;
            }
        };
        let bottom = BigInt::from(bottom * unit);
        for ((state, row), top) in self.states.iter().zip(&self.rows).zip(tops) {
            let top = if transposed { top * &row.unit } else { top };
            vector[*state] = lowest(top, &bottom);
        }
    }

    /// Returns the last digits of the solution, and replaces b by the remaining right-hand side.
    fn next_digits(&self, b: &mut [BigInt], transposed: bool) -> Vec<u64> {
        let prime = BigInt::from(self.prime);
        let x = self.solve_modulo(
            b.iter().map(|b| residue_modulo(b, &prime)).collect(),
            transposed,
        );
        let places = self.rows.iter().map(|row| row.weights.len()).max();
        for place in 0..places.unwrap_or(0) {
            let mut sums = vec![0u128; b.len()];
            for (i, row) in self.rows.iter().enumerate() {
                let Some(weights) = row.weights.get(place) else {
                    continue;
                };
                spend(weights.len() as u64);
                let terms = row.columns.iter().zip(weights);
                if transposed {
                    terms.for_each(|(j, weight)| sums[*j] += word_product(*weight, x[i]));
                } else {
                    sums[i] = terms.map(|(j, weight)| word_product(*weight, x[*j])).sum();
                }
            }
            for (b, sum) in b.iter_mut().zip(sums) {
                *b += BigInt::from(sum) << (place * DIGIT_BITS as usize);
            }
        }
        for ((b, row), x) in b.iter_mut().zip(&self.rows).zip(&x) {
            *b -= &row.unit * *x;
            *b /= &prime;
        }
        x
    }

    /// Solves the system modulo the prime.
    fn solve_modulo(&self, mut x: Vec<u64>, transposed: bool) -> Vec<u64> {
        let (n, prime) = (x.len(), u128::from(self.prime));
        let own = |i: usize, sum: u128| {
            (word_product((sum % prime) as u64, self.factors[i][i]) % prime) as u64
        };
        spend((n * n) as u64);
        if !transposed {
            for i in 0..n {
                let row = self.factors[i].iter().zip(&x[..i]);
                let known: u128 = row.map(|(a, x)| word_product(*a, *x)).sum();
                x[i] = ((u128::from(x[i]) + known) % prime) as u64;
            }
            for i in (0..n).rev() {
                let row = self.factors[i][i + 1..].iter().zip(&x[i + 1..]);
                let known: u128 = row.map(|(a, x)| word_product(*a, *x)).sum();
                x[i] = own(i, u128::from(x[i]) + known);
            }
            return x;
        }
        let mut sums: Vec<u128> = x.iter().map(|x| u128::from(*x)).collect();
        for i in 0..n {
            x[i] = own(i, sums[i]);
            add(&mut sums[i + 1..], &self.factors[i][i + 1..], x[i]);
            sums[i] = x[i].into();
        }
        for i in (0..n).rev() {
            x[i] = (sums[i] % prime) as u64;
            add(&mut sums[..i], &self.factors[i][..i], x[i]);
        }
        x
    }

    /// Finds the fractions with these residues, as numerators with a common denominator; `None` if
    /// they are not the solution.
    fn fractions_from_residues(
        &self,
        x: &[BigUint],
        modulus: &BigUint,
        largest: &BigUint,
    ) -> Option<(Vec<BigInt>, BigUint)> {
        let mut bottom = BigUint::one();
        let fits = |top: &BigUint, bottom: &BigUint| &self.norm * top + largest * bottom < *modulus;
        let top_of = |x: &BigUint, bottom: &BigUint| {
            spend_on(modulus.bits(), modulus.bits());
            let top = x * bottom % modulus;
            let below = modulus - &top;
            if below < top {
                -BigInt::from(below)
            } else {
                top.into()
            }
        };
        // With the denominator 1, the residue of 1/4 may look like a small integer, but twice the
        // residue does not. So repeat until all entries are small.
        loop {
            let (mut tops, mut grown) = (Vec::with_capacity(x.len()), false);
            for x in x {
                let top = top_of(x, &bottom);
                if !fits(top.magnitude(), &bottom) {
                    // The numerator is longer than the denominator by about the length of b.
                    let long = (modulus.bits() + largest.bits()) / 2;
                    let more = denominator(top.mod_floor(&modulus.clone().into()), modulus, long);
                    bottom *= &more;
                    if more.is_one() || !fits(&BigUint::ZERO, &bottom) {
                        return None;
                    }
                    grown = true;
                }
                tops.push(top);
            }
            if !grown {
                return Some((tops, bottom));
            }
        }
    }
}

/// Computes L and U modulo the prime; `None` if the prime divides a minor of the first rows and
/// columns. A sum is reduced only when it is complete.
fn lu_factors(rows: &[MatrixRow], prime: u64) -> Option<Vec<Vec<u64>>> {
    let wide = u128::from(prime);
    let negative = |x: u128| (wide - x % wide) as u64 % prime;
    let mut factors: Vec<Vec<u64>> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        spend((i * rows.len()) as u64);
        let mut sums = vec![0; rows.len()];
        sums[i] = residue_modulo(&row.unit, &prime.into()).into();
        for (k, j) in row.columns.iter().enumerate() {
            let weight = row.weights.iter().rev();
            let weight = weight.fold(0, |high, digits| {
                ((high << DIGIT_BITS) + u128::from(digits[k])) % wide
            });
            sums[*j] += u128::from(negative(weight));
        }
        for (j, above) in factors.iter().enumerate() {
            let factor = word_product((sums[j] % wide) as u64, above[j]) % wide;
            sums[j] = negative(factor).into();
            add(&mut sums[j + 1..], &above[j + 1..], factor as u64);
        }
        let own = (sums[i] % wide) as u64;
        if own == 0 {
            return None;
        }
        let mut row: Vec<u64> = sums[..i].iter().map(|sum| *sum as u64).collect();
        row.push(pow_mod(own, prime - 2, prime));
        row.extend(sums[i + 1..].iter().map(|sum| negative(*sum)));
        factors.push(row);
    }
    Some(factors)
}

/// Finds the denominator of a fraction with this residue by Euclid's algorithm, which stops at the
/// first numerator of at most `long` bits.
fn denominator(residue: BigInt, modulus: &BigUint, long: u64) -> BigUint {
    let (mut top, mut next) = (BigInt::from(modulus.clone()), residue);
    let (mut bottom, mut after) = (BigInt::ZERO, BigInt::one());
    while next.bits() > long {
        spend(top.bits() / 16);
        let (quotient, rest) = top.div_rem(&next);
        (top, next) = (next, rest);
        let more = bottom - quotient * &after;
        (bottom, after) = (after, more);
    }
    after.into_parts().1
}

fn word_product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// Adds a multiple of a row to the sums.
fn add(sums: &mut [u128], row: &[u64], factor: u64) {
    for (sum, entry) in sums.iter_mut().zip(row) {
        *sum += word_product(*entry, factor);
    }
}

fn residue_modulo(x: &BigInt, prime: &BigInt) -> u64 {
    x.mod_floor(prime)
        .to_u64()
        .expect("below a prime of one word")
}

fn largest_magnitude(list: &[BigInt]) -> BigUint {
    let size = list.iter().map(BigInt::magnitude).max();
    size.cloned().unwrap_or_default()
}

/// The least common denominator of a list of fractions.
fn common_denominator<'a>(list: impl IntoIterator<Item = &'a Rational>) -> BigUint {
    list.into_iter().fold(BigUint::one(), |all, p| {
        let own = p.denom().magnitude();
        if all == *own {
            all
        } else {
            &all / gcd(&all, own) * own
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::fundamental::Fundamental;
    use super::*;
    use flipcost_number::factor::is_prime;
    use num_traits::Pow;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Converts weights to probabilities; in each row, the weights and the absorbed weight make 1.
    fn matrix(weights: &[Vec<BigUint>], absorbed: &BigUint) -> Rows {
        let row = |weights: &Vec<BigUint>| {
            let total = BigInt::from(weights.iter().sum::<BigUint>() + absorbed);
            let entries = weights
                .iter()
                .enumerate()
                .filter(|(_, w)| **w != BigUint::ZERO);
            entries
                .map(|(to, w)| (to, Rational::new(w.clone().into(), total.clone())))
                .collect()
        };
        weights.iter().map(row).collect()
    }

    fn vector(of: impl IntoIterator<Item = i64>) -> Vec<Rational> {
        let ratio = |x: i64| Rational::new(x.into(), (x.abs() % 5 + 1).into());
        of.into_iter().map(ratio).collect()
    }

    /// Irregular weights between all n states.
    fn dense_weights(n: u32) -> Vec<Vec<BigUint>> {
        let row = |i: u32| (0..n).map(move |j| (1 + (i * j * j + 31 * i + j) % 1009 % 9).into());
        (0..n).map(|i| row(i).collect()).collect()
    }

    /// Checks both products by their equations: x = r + P x, and y = s + y P.
    fn check_solution(p: &Rows, vectors: [&[Rational]; 2], products: [&[Rational]; 2]) {
        let (mut x, mut y) = (vectors[0].to_vec(), vectors[1].to_vec());
        for (from, row) in p.iter().enumerate() {
            for (to, p) in row {
                x[from] += p * &products[0][*to];
                y[*to] += p * &products[1][from];
            }
        }
        assert_eq!([&x[..], &y[..]], products);
    }

    proptest! {
        /// For a few states, with weights of one or several words, the dense method agrees with the
        /// elimination.
        #[test]
        fn dense_solver_agrees_with_elimination(
            weights in (1usize..8).prop_flat_map(|n| {
                let weight = prop_oneof![2 => Just(0u128), 2 => 1u128..5, 1 => 0u128..];
                prop::collection::vec(prop::collection::vec(weight, n), n)
            }),
            vectors in prop::collection::vec(-4i64..9, 14),
        ) {
            let weights: Vec<Vec<BigUint>> =
                weights.iter().map(|row| row.iter().map(|w| BigUint::from(*w)).collect()).collect();
            let p = matrix(&weights, &BigUint::one());
            let n = p.len();
            let (mut r, mut s) = (vector(vectors[..n].to_vec()), vector(vectors[7..7 + n].to_vec()));
            let dense = Dense::new(&p, (0..n).collect()).unwrap();
            let eliminated = Fundamental::new(p);
            let expected = (eliminated.values(r.clone()), eliminated.visits(s.clone()));
            dense.solve(&mut r, false);
            dense.solve(&mut s, true);
            prop_assert_eq!((r, s), expected);
        }
    }

    /// The solution is 1, 1/4, 1/2. Modulo M = 1 mod 4 the second entry is -(M - 1)/4, which the
    /// bound accepts as an integer; twice this number is not accepted.
    #[test]
    fn a_denominator_that_shows_late() {
        let weights =
            [[0u8, 0, 0], [0, 0, 1], [1, 0, 0]].map(|row| row.map(BigUint::from).to_vec());
        let p = matrix(&weights, &BigUint::one());
        let mut r = vector([1, 0, 0]);
        let expected = Fundamental::new(p.clone()).values(r.clone());
        Dense::new(&p, (0..3).collect())
            .unwrap()
            .solve(&mut r, false);
        assert_eq!(r, expected);
    }

    /// Sixty states that all lead to each other, on their own and at the end of a path.
    #[test]
    fn many_dense_states() {
        for path in [0, 30] {
            let mut p = matrix(&dense_weights(60), &1u32.into());
            for at in p.len()..p.len() + path {
                p.push(BTreeMap::from([(
                    at - 1,
                    Rational::new(1.into(), 2.into()),
                )]));
            }
            let (r, s) = (
                vector(0..60 + path as i64),
                vector((0..60 + path as i64).rev()),
            );
            let fundamental = Fundamental::new(p.clone());
            let (x, y) = (fundamental.values(r.clone()), fundamental.visits(s.clone()));
            check_solution(&p, [&r, &s], [&x, &y]);
        }
    }

    /// If a prime divides the first diagonal entry of the matrix, the next prime is used. If no
    /// prime is left, the states are eliminated.
    #[test]
    fn a_prime_that_divides_a_minor() {
        assert!(PRIMES.iter().all(|prime| is_prime(*prime)));
        assert!(PRIMES.iter().all(|prime| prime.ilog2() == DIGIT_BITS - 1));
        for (count, taken) in [(1, Some(PRIMES[1])), (2, Some(PRIMES[2])), (3, None)] {
            let divided: BigUint = PRIMES[..count]
                .iter()
                .map(|prime| BigUint::from(*prime))
                .product();
            let mut weights = dense_weights(20);
            let others: BigUint = weights[0][1..].iter().sum();
            weights[0][1] += &divided - others - 1u32;
            let p = matrix(&weights, &BigUint::one());
            let dense = Dense::new(&p, (0..20).collect());
            assert_eq!(dense.map(|dense| dense.prime), taken);
            let (r, s) = (vector(0..20), vector(7..27));
            let fundamental = Fundamental::new(p.clone());
            let (x, y) = (fundamental.values(r.clone()), fundamental.visits(s.clone()));
            check_solution(&p, [&r, &s], [&x, &y]);
        }
    }

    /// A fraction whose numerator and denominator are much longer than a digit.
    #[test]
    fn long_fractions() {
        let long: BigUint = Pow::pow(BigUint::from(10u32), 100u32);
        let p = matrix(&[vec![long.clone()]], &BigUint::from(7u32));
        let mut r = vector([1]);
        r[0] = Rational::new(3.into(), (&long + 1u32).into());
        let own = &Rational::one() - &p[0][&0];
        let expected = &r[0] / own;
        Dense::new(&p, vec![0]).unwrap().solve(&mut r, false);
        assert_eq!(r, [expected]);
    }
}
