//! Lowest terms of the expected costs with a coin, by the cyclotomic factors of their denominators.
//!
//! **Identity.** The denominators are 2^p - 1 or 2^h + 1 (see [`super::numerator`]), and
//!
//! ```text
//! 2^p - 1 = product of Phi_d(2) over d | p
//! 2^h + 1 = product of Phi_d(2) over d | 2h that do not divide h
//! ```
//!
//! where Phi_d is the d-th cyclotomic polynomial.
//!
//! **Code.** A gcd of numbers of b bits takes about b^2 steps, so a gcd with each factor Phi_d(2)
//! is cheaper than one with the whole denominator. Moreover one Phi_d(2) divides the denominators
//! of many n: the numerators of all these n are multiplied modulo Phi_d(2), and if the product is
//! coprime to Phi_d(2), one gcd has settled all of them.
//!
//! **Coprime factors.** A prime r | Phi_d(2) either has order d (the order of 2 modulo r), or it is
//! the largest prime factor of d, d = order * r^k with k >= 1, and r^2 does not divide Phi_d(2)
//! (Bang 1886; Birkhoff & Vandiver 1904); then r is called intrinsic. Let Phi*_d be Phi_d(2)
//! without its intrinsic prime. The Phi*_d of different d are coprime, so the gcd of a numerator N
//! and the denominator D is the product of all gcd(N, Phi*_d), except for the primes that are
//! intrinsic in some factor: those odd r | b (b = p or h) with r | D. For these v_r(D) =
//! v_r(2^o -+ 1) + v_r(b), where o is the smallest exponent (lifting the exponent), and the power
//! of r in the gcd is found from N modulo r^v_r(D).
//!
//! **The value.** For d > 1, Phi_d(2) = product of (1 - 2^e)^mu(d/e) over e | d, and it is less
//! than 2^(phi(d) + 2). So it is enough to compute it modulo a power of 2, where multiplying or
//! dividing by 1 - 2^e is a shift and a subtraction, and where factors with large e are 1.
//!
//! **Why a gcd is needed at all.** For a prime n, N modulo Phi_d is a generalized Bernoulli number:
//! its common factors with Phi*_d are those of the relative class number of the subfield of degree
//! d of the n-th cyclotomic field, for which no formula is known (Washington 1997, chapter 4). For
//! composite n an Euler factor 1 - chi(q) may be 0; then N = 0 modulo Phi*_d, and no gcd is taken.
//!
//! **Cost.** With b the words of Phi_d(2): O(b^2) products of words for each d that occurs, and
//! O(b^2) for each n with this d, for its residue in the product.

use crate::threads;
use dashu_int::UBig;

use crate::number::factor::{gcd_words, inverse_of_odd, pow_mod};
use crate::number::gcd::gcd;
use crate::number::sieve::Factors;
use crate::number::words::{ubig, words};

/// 2^p - 1 or 2^h + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Denominator {
    /// 2^p - 1
    Minus(u64),
    /// 2^h + 1
    Plus(u64),
}

/// Primes with exponents.
type PrimePowers = Vec<(u64, u32)>;

/// Words from the low end, without leading zeros.
pub(super) type Words = Vec<u64>;

impl Denominator {
    fn exponent(self) -> u64 {
        match self {
            Denominator::Minus(p) => p,
            Denominator::Plus(h) => h,
        }
    }

    /// All its words.
    pub(super) fn words(self) -> Words {
        match self {
            Denominator::Minus(p) => {
                let mut words = vec![u64::MAX; p.div_ceil(64) as usize];
                if p % 64 > 0 {
                    *words.last_mut().expect("p > 0") >>= 64 - p % 64;
                }
                words
            }
            Denominator::Plus(h) => {
                let mut words = vec![0; h as usize / 64 + 1];
                words[h as usize / 64] |= 1 << (h % 64);
                words[0] |= 1;
                words
            }
        }
    }

    /// The d of its factors Phi_d(2), from the prime factors of the exponent.
    fn indices(self, factors: &[(u64, u32)]) -> Vec<u64> {
        let (start, skip) = match self {
            Denominator::Minus(_) => (1, 0),
            // d | 2h with all the twos of 2h
            Denominator::Plus(h) => (2 << h.trailing_zeros(), 2),
        };
        let mut all = vec![start];
        for &(q, k) in factors.iter().filter(|&&(q, _)| q != skip) {
            let known = all.len();
            let mut power = 1;
            for _ in 0..k {
                power *= q;
                for i in 0..known {
                    all.push(all[i] * power);
                }
            }
        }
        all
    }

    /// The odd primes that may divide two of its Phi_d(2), with their exponents in it.
    fn intrinsic(self, factors: &[(u64, u32)]) -> PrimePowers {
        let exponent = self.exponent();
        let divides = |power: u64| match self {
            Denominator::Minus(_) => pow_mod(2, exponent, power) == 1,
            Denominator::Plus(_) => pow_mod(2, exponent, power) == power - 1,
        };
        (factors.iter().filter(|&&(r, _)| r > 2))
            .filter_map(|&(r, _)| {
                let mut power = r;
                let mut exponent = 0;
                while divides(power) {
                    exponent += 1;
                    power = power
                        .checked_mul(r)
                        .expect("r^v divides r^2 times the exponent");
                }
                (exponent > 0).then_some((r, exponent))
            })
            .collect()
    }
}

/// Phi*_d, d > 1: Phi_d(2) without its intrinsic prime. O(2^w phi(d) / 64), w the number of primes
/// of d.
fn cyclotomic(d: u64, factors: &[(u64, u32)]) -> UBig {
    let totient: u64 = factors
        .iter()
        .map(|&(q, k)| (q - 1) * q.pow(k - 1))
        .product();
    // sum of e over squarefree d / e: log2 Phi_d(2) < phi(d) + 2
    let bits = totient + 2;
    let mut value = vec![0u64; bits.div_ceil(64) as usize];
    value[0] = 1;
    for set in 0u32..1 << factors.len() {
        let removed: u64 = (factors.iter().enumerate())
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, &(q, _))| q)
            .product();
        let e = d / removed;
        if e < bits {
            if set.count_ones() % 2 == 0 {
                and_shifted(&mut value, e, u64::borrowing_sub);
            } else {
                over_one_minus(&mut value, e);
            }
        }
    }
    if !bits.is_multiple_of(64) {
        *value.last_mut().expect("a word") &= u64::MAX >> (64 - bits % 64);
    }
    let value = ubig(&value);
    let &(largest, _) = factors.last().expect("d > 1");
    // An intrinsic prime divides d; the others are 1 modulo d.
    if &value % largest == 0u64 {
        value / largest
    } else {
        value
    }
}

/// x + 2^e x modulo the power of 2 that the words hold, or x - 2^e x if the step is a subtraction.
fn and_shifted(x: &mut [u64], e: u64, step: impl Fn(u64, u64, bool) -> (u64, bool)) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    let old = x.to_vec();
    let mut carry = false;
    for (i, word) in x.iter_mut().skip(skip).enumerate() {
        (*word, carry) = step(*word, shifted(&old, i, shift), carry);
    }
}

/// x / (1 - 2^e) modulo the power of 2: the quotient is q = x + 2^e q, from the low end.
fn over_one_minus(x: &mut [u64], e: u64) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    if skip == 0 {
        // 1 / (1 - 2^e) is the product of 1 + 2^(e 2^i)
        let mut e = e;
        while e < 64 * x.len() as u64 {
            and_shifted(x, e, u64::carrying_add);
            e *= 2;
        }
        return;
    }
    let mut carry = false;
    for i in skip..x.len() {
        let low = shifted(x, i - skip, shift);
        (x[i], carry) = x[i].carrying_add(low, carry);
    }
}

/// Word i of the number times 2^shift.
#[inline]
fn shifted(x: &[u64], i: usize, shift: u64) -> u64 {
    match (shift, i) {
        (0, _) => x[i],
        (_, 0) => x[0] << shift,
        _ => x[i] << shift | x[i - 1] >> (64 - shift),
    }
}

/// The number modulo 2^e - 1, or 2^e + 1 if `alternating`, up to its sign: the absolute value of a
/// sum of its chunks of e bits.
fn fold(x: &[u64], e: u64, alternating: bool) -> Words {
    let bits = 64 * x.len() as u64;
    // The last word takes the carries, in two's complement.
    let mut sum = vec![0u64; e.min(bits).div_ceil(64) as usize + 1];
    let (mut start, mut minus) = (0, false);
    while start < bits {
        let (skip, shift) = ((start / 64) as usize, start % 64);
        let take = e.min(bits - start);
        let words = take.div_ceil(64) as usize;
        let last = if !take.is_multiple_of(64) {
            u64::MAX >> (64 - take % 64)
        } else {
            u64::MAX
        };
        let word = |i: usize| {
            let at = skip + i;
            let word = match x.get(at + 1) {
                Some(&next) if shift > 0 => x[at] >> shift | next << (64 - shift),
                _ => x[at] >> shift,
            };
            if i + 1 == words { word & last } else { word }
        };
        let mut carry = false;
        let (sums, above) = sum.split_at_mut(words);
        if minus {
            for (i, sum) in sums.iter_mut().enumerate() {
                (*sum, carry) = sum.borrowing_sub(word(i), carry);
            }
            for sum in above {
                (*sum, carry) = sum.overflowing_sub(u64::from(carry));
            }
        } else {
            for (i, sum) in sums.iter_mut().enumerate() {
                (*sum, carry) = sum.carrying_add(word(i), carry);
            }
            for sum in above {
                (*sum, carry) = sum.overflowing_add(u64::from(carry));
            }
        }
        minus ^= alternating;
        start += e;
    }
    if *sum.last().expect("a word") >> 63 == 1 {
        let mut carry = true;
        for word in &mut sum {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    sum
}

/// +-N modulo Phi*_d.
fn residue(numerator: &[u64], d: u64, phi: &UBig) -> UBig {
    let (e, alternating) = if d.is_multiple_of(2) {
        (d / 2, true)
    } else {
        (d, false)
    };
    ubig(&fold(numerator, e, alternating)) % phi
}

/// The c with N = c 2^(64 len) modulo an odd word, 0 <= c <= the word: two products for each word
/// of N.
fn low_remainder(numerator: &[u64], word: u64, inverse: u64) -> u64 {
    let mut borrow = 0;
    for digit in numerator {
        let (rest, below) = digit.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        borrow = ((u128::from(quotient) * u128::from(word)) >> 64) as u64 + u64::from(below);
    }
    borrow
}

/// The greatest common divisors of numerators and their denominators, as lists of coprime factors
/// (dense words) whose product it is. On all threads of the pool, with the same result for
/// any number of them.
///
/// O(b^2) products of words for each new Phi_d(2), b its words, and O(b^2) for a product of
/// residues.
pub(super) fn common_divisors(
    fractions: &[(Words, Denominator)],
    factors: &(dyn Fn(u64) -> Factors + Sync),
) -> Vec<UBig> {
    let known = threads::map_of(fractions, &|(_, denominator)| {
        let factors = factors(denominator.exponent());
        let factors = factors.as_slice();
        (denominator.indices(factors), denominator.intrinsic(factors))
    });
    let (indices, intrinsic): (Vec<Vec<u64>>, Vec<PrimePowers>) = known.into_iter().unzip();
    let mut uses: Vec<(u64, u32)> = (indices.iter().enumerate())
        .flat_map(|(i, indices)| indices.iter().map(move |&d| (d, i as u32)))
        .filter(|&(d, _)| d > 1)
        .collect();
    // The largest first, so that the threads end together.
    uses.sort_unstable_by_key(|&(d, i)| (std::cmp::Reverse(d), i));
    let groups: Vec<&[(u64, u32)]> = uses.chunk_by(|a, b| a.0 == b.0).collect();
    let found = threads::map_of(&groups, &|group| {
        let numerators = group
            .iter()
            .map(|&(_, i)| (i, fractions[i as usize].0.as_slice()));
        let d = group[0].0;
        in_common_with(d, &cyclotomic(d, factors(d).as_slice()), numerators)
    });
    let mut divisors = vec![UBig::ONE; fractions.len()];
    for (i, divisor) in found.into_iter().flatten() {
        divisors[i as usize] *= divisor;
    }
    threads::map(fractions.len(), &|i| {
        let mut divisor = divisors[i].clone();
        for &(r, most) in &intrinsic[i] {
            while &divisor % r == 0 {
                divisor /= r;
            }
            // A power of 2 changes nothing.
            let rest = low_remainder(&fractions[i].0, r.pow(most), inverse_of_odd(r.pow(most)));
            let mut power = 1;
            while power < r.pow(most) && rest.is_multiple_of(power * r) {
                power *= r;
            }
            divisor *= power;
        }
        divisor
    })
}

/// gcd(N, Phi*_d) of those numerators where it is not 1.
fn in_common_with<'a>(
    d: u64,
    phi: &UBig,
    numerators: impl Iterator<Item = (u32, &'a [u64])>,
) -> Vec<(u32, UBig)> {
    match *words(phi) {
        [1] => return Vec::new(),
        [phi] => {
            let inverse = inverse_of_odd(phi);
            let divisor = |numerator| gcd_words(low_remainder(numerator, phi, inverse), phi);
            return numerators
                .map(|(i, numerator)| (i, divisor(numerator)))
                .filter(|&(_, divisor)| divisor > 1)
                .map(|(i, divisor)| (i, divisor.into()))
                .collect();
        }
        _ => {}
    }
    let mut found = Vec::new();
    let mut residues = Vec::new();
    let mut product = UBig::ONE;
    for (i, numerator) in numerators {
        let rest = residue(numerator, d, phi);
        if rest == UBig::ZERO {
            found.push((i, phi.clone()));
            continue;
        }
        product = if residues.is_empty() {
            rest.clone()
        } else {
            product * &rest % phi
        };
        residues.push((i, rest));
    }
    if residues.is_empty() {
        return found;
    }
    let shared = ubig(&gcd(words(&product).into_owned(), words(phi).into_owned()));
    if shared != UBig::ONE {
        for (i, rest) in residues {
            let divisor = gcd(
                words(&(rest % &shared)).into_owned(),
                words(&shared).into_owned(),
            );
            if divisor != [1] {
                found.push((i, ubig(&divisor)));
            }
        }
    }
    found
}

/// x / g for an odd g that divides it. One word: from the low end, without a division.
pub(super) fn exact_quotient(mut x: Words, g: &UBig) -> Words {
    if let [word] = *words(g) {
        if word == 1 {
            return x;
        }
        // As in `low_remainder`, and the quotients are kept.
        let inverse = inverse_of_odd(word);
        let mut borrow = 0;
        for digit in &mut x {
            let (rest, below) = digit.overflowing_sub(borrow);
            *digit = rest.wrapping_mul(inverse);
            borrow = ((u128::from(*digit) * u128::from(word)) >> 64) as u64 + u64::from(below);
        }
        while x.last() == Some(&0) {
            x.pop();
        }
        return x;
    }
    words(&(ubig(&x) / g)).into_owned()
}
#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use num_integer::Integer;
    use proptest::prelude::*;

    use crate::number::reduce::from_words;

    /// The coprime factors and the intrinsic primes make the whole denominator.
    #[test]
    fn denominators_by_their_factors() {
        for b in 1..700 {
            for denominator in [Denominator::Minus(b), Denominator::Plus(b)] {
                let factors = Factors::of(b);
                let factors = factors.as_slice();
                let mut product = UBig::ONE;
                for d in denominator.indices(factors) {
                    if d > 1 {
                        product *= cyclotomic(d, Factors::of(d).as_slice());
                    }
                }
                for (r, exponent) in denominator.intrinsic(factors) {
                    let &(_, k) = factors.iter().find(|&&(q, _)| q == r).unwrap();
                    assert!(exponent > k, "a primitive part is there: {denominator:?}");
                    product *= UBig::from(r).pow(k as usize);
                }
                assert_eq!(
                    super::words(&product).to_vec(),
                    denominator.words(),
                    "{denominator:?}"
                );
            }
        }
    }

    /// OEIS A019320, "Cyclotomic polynomials at x=2" (CC BY-SA 4.0): 1, 3, 7, 5, 31, 3, 127, 17,
    /// 73, 11, ...
    #[test]
    fn small_values() {
        let expected: [u64; 19] = [
            3, 7, 5, 31, 1, 127, 17, 73, 11, 2047, 13, 8191, 43, 151, 257, 131071, 19, 524287, 41,
        ];
        for (d, value) in (2..).zip(expected) {
            // 3 is intrinsic in Phi_6(2) = 3 and in Phi_18(2) = 57, 5 in Phi_20(2) = 205
            assert_eq!(
                cyclotomic(d, Factors::of(d).as_slice()),
                UBig::from(value),
                "d = {d}"
            );
        }
    }

    fn words(x: &BigUint) -> Words {
        x.iter_u64_digits().collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn divisors_as_num_finds_them(
            cases in proptest::collection::vec(
                (1u64..2000, any::<bool>(), proptest::collection::vec(0u32.., 1..80), 1u64..50, any::<bool>()),
                1..12,
            ),
        ) {
            let fractions: Vec<(Words, Denominator)> = cases
                .into_iter()
                .map(|(b, minus, numerator, scale, whole)| {
                    let denominator = if minus { Denominator::Minus(b) } else { Denominator::Plus(b) };
                    // Something in common: a gcd with another power, and small primes.
                    let other = (BigUint::from(1u32) << (b / scale + 1)) - 1u32;
                    let common = if whole { from_words(&denominator.words()).gcd(&other) } else { scale.into() };
                    (words(&(BigUint::new(numerator) * common + 0u32)), denominator)
                })
                .collect();
            let divisors = common_divisors(&fractions, &Factors::of);
            for ((numerator, denominator), divisor) in fractions.into_iter().zip(divisors) {
                let whole = from_words(&denominator.words());
                let expected = from_words(&numerator).gcd(&whole);
                prop_assert_eq!(from_words(&super::words(&divisor)), expected.clone());
                prop_assert_eq!(from_words(&exact_quotient(numerator.clone(), &divisor)), from_words(&numerator) / &expected);
                prop_assert_eq!(from_words(&exact_quotient(denominator.words(), &divisor)), whole / expected);
            }
        }

        #[test]
        fn folding_keeps_the_residue(x in proptest::collection::vec(0u64.., 1..40), e in 1u64..900) {
            let value = from_words(&x);
            let power = BigUint::from(1u32) << e;
            for (alternating, modulus) in [(false, &power - 1u32), (true, &power + 1u32)] {
                let folded = from_words(&fold(&x, e, alternating)) % &modulus;
                let rest = &value % &modulus;
                prop_assert!(folded == rest || (alternating && (&folded + &rest) % &modulus == 0u32.into()));
            }
        }
    }
}
