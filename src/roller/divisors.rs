//! Finds the common divisors of the numerators and the denominators of the expected costs with a
//! coin.
//!
//! **Code.** A gcd of numbers of b bits takes about b^2 steps, so one gcd for each factor Phi*_d of
//! the denominator ([`super::cyclotomic`]) is cheaper than a gcd with the whole denominator.
//! Moreover one Phi*_d divides the denominators of many n. The numerators of all these n are
//! multiplied modulo Phi*_d, and if the product is coprime to Phi*_d, a single gcd settles all of
//! them. A residue modulo Phi*_d is computed from a residue modulo 2^d - 1, or 2^(d/2) + 1 for even
//! d, which only needs sums. Let r be a small odd prime factor of d, and y = 2^(d/r), or 2^(d/2r).
//! Then Phi_d(2) divides 1 + y + ... + y^(r-1), or 1 - y + ... + y^(r-1), as the primitive roots of
//! unity of order d are zeros of this polynomial. So one more step with only sums shortens the
//! residue by the r-th part of its bits. The remaining reduction works from the low end (Montgomery
//! 1985), and multiplies the residue by a power of 2, which does not change the greatest common
//! divisor. Residues modulo words are computed four at a time, since the steps for one modulus
//! depend on each other.
//!
//! **Cost.** Let b be the number of words of Phi*_d: O(b^2) products of words for each d that
//! occurs, and O(b^2) for each n with this d, to multiply its residue into the product. If Phi*_d
//! is a single word, O(1) for each word of each numerator.

use super::cyclotomic::{
    Denominator, PrimeOrders, Words, cyclotomic, join_words, over_word, totient,
};
use dashu_int::UBig;
use flipcost_number::budget::{spend, spend_on};
use flipcost_number::factor::{gcd_words, inverse_of_odd, is_prime};
use flipcost_number::gcd::{gcd, negate};
use flipcost_number::gcd_pairs::{Pair, gcds};
use flipcost_number::sieve::Factors;
use flipcost_number::threads;
use flipcost_number::words::{ubig, words};
use std::ops::Range;
use std::sync::OnceLock;

/// The Phi*_d with indices d below this number and values below 2^64 are kept in a table.
const MAX_SHORT_INDEX: usize = 256;

/// An odd modulus of one word.
#[derive(Clone, Copy)]
struct OddModulus {
    value: u64,
    inverse: u64,
    prime: bool,
}

impl OddModulus {
    fn new(value: u64, prime: bool) -> OddModulus {
        OddModulus {
            value,
            inverse: inverse_of_odd(value),
            prime,
        }
    }

    /// The greatest common divisor of the modulus and a residue.
    fn gcd_with_residue(self, residue: u64) -> u64 {
        if residue == 0 || residue == self.value {
            self.value
        } else if self.prime {
            1
        } else {
            gcd_words(residue, self.value)
        }
    }
}

/// Returns Phi*_d for each d < 256, or `None` if the totient of d does not show that it is below
/// 2^64.
///
/// A `OnceLock` stays empty if the budget runs out during initialization; a `LazyLock` would be
/// poisoned.
fn short_cyclotomics() -> &'static [Option<OddModulus>] {
    static SHORT_CYCLOTOMICS: OnceLock<Vec<Option<OddModulus>>> = OnceLock::new();
    let short = |d: u64| {
        let factors = Factors::factorize(d);
        let factors = factors.as_slice();
        let small = d > 1 && totient(factors) + 2 <= 64;
        let value = small.then(|| cyclotomic(d, factors)[0])?;
        Some(OddModulus::new(value, is_prime(value)))
    };
    SHORT_CYCLOTOMICS.get_or_init(|| {
        (0..MAX_SHORT_INDEX as u64)
            .map(|d| short(d.max(1)))
            .collect()
    })
}

/// For each modulus, returns a number c from 0 up to the modulus with N = c 2^(64 len) modulo it,
/// where len is the number of words of N. Cost: two products for each word of N and each modulus.
fn low_remainders<const K: usize>(numerator: &[u64], moduli: [OddModulus; K]) -> [u64; K] {
    let mut borrows = [0; K];
    for digit in numerator {
        // Use indices: zipped iterators compile to a call that is not inlined.
        for i in 0..K {
            let (rest, below) = digit.overflowing_sub(borrows[i]);
            let quotient = rest.wrapping_mul(moduli[i].inverse);
            let high = (u128::from(quotient) * u128::from(moduli[i].value)) >> 64;
            borrows[i] = high as u64 + u64::from(below);
        }
    }
    borrows
}

/// As [`low_remainders`], for any number of moduli; appends the results in the order of the moduli.
fn low_remainders_of(numerator: &[u64], moduli: &[OddModulus], out: &mut Vec<u64>) {
    out.clear();
    let fours = moduli.chunks_exact(4);
    let rest = fours.remainder();
    for four in fours {
        let four = [four[0], four[1], four[2], four[3]];
        out.extend(low_remainders(numerator, four));
    }
    match *rest {
        [a, b, c] => out.extend(low_remainders(numerator, [a, b, c])),
        [a, b] => out.extend(low_remainders(numerator, [a, b])),
        [a] => out.extend(low_remainders(numerator, [a])),
        _ => {}
    }
}

/// A product of divisors; in most cases it fits in a word.
#[derive(Clone)]
pub(super) enum Divisor {
    Word(u64),
    Long(UBig),
}

impl Divisor {
    /// The divisor as a word, if it fits in a word.
    pub(super) fn word(&self) -> Option<u64> {
        match self {
            Divisor::Word(word) => Some(*word),
            Divisor::Long(_) => None,
        }
    }

    fn multiply_by(&mut self, factor: u64) {
        match self {
            Divisor::Word(word) => match word.checked_mul(factor) {
                Some(product) => *word = product,
                None => *self = Divisor::Long(UBig::from(*word) * factor),
            },
            Divisor::Long(long) => *long *= factor,
        }
    }

    fn times_long(&mut self, factor: Divisor) {
        let long = |divisor: &mut Divisor| match divisor {
            Divisor::Word(word) => UBig::from(*word),
            Divisor::Long(long) => std::mem::take(long),
        };
        let mut factor = factor;
        let product = long(self) * long(&mut factor);
        *self = match *words(&product) {
            [word] => Divisor::Word(word),
            _ => Divisor::Long(product),
        };
    }

    /// Removes all factors r from the divisor.
    fn remove_prime(&mut self, r: u64) {
        match self {
            Divisor::Word(word) => {
                while word.is_multiple_of(r) {
                    *word /= r;
                }
            }
            Divisor::Long(long) => {
                while &*long % r == 0 {
                    *long /= r;
                }
            }
        }
    }
}

/// For some fractions, the part of the common divisors that comes from factors Phi*_d of one word,
/// and the longer factors that remain to be tested.
#[derive(Default)]
struct PartialDivisors {
    /// The divisor of each fraction.
    divisors: Vec<Divisor>,
    /// A pair of d and the index of the fraction, for each Phi*_d that may be longer than a word.
    long: Vec<(u64, u32)>,
}

/// Looks up the prime factors of exponents, and the order of 2 modulo these primes.
#[derive(Clone, Copy)]
pub(super) struct OrderLookup<'a> {
    /// Returns the prime factors of any exponent and of its divisors.
    pub(super) factors: &'a (dyn Fn(u64) -> Factors + Sync),
    /// Returns the order of 2 modulo an odd prime factor of an exponent.
    pub(super) order: &'a (dyn Fn(u64) -> u64 + Sync),
}

fn divide_by_short(
    fractions: &[(Words, Denominator)],
    part: Range<usize>,
    known: OrderLookup,
) -> PartialDivisors {
    let mut begun = PartialDivisors::default();
    let mut lifts = PrimeOrders::new(known.order);
    let (mut indices, mut intrinsic) = (Vec::new(), Vec::new());
    let (mut moduli, mut residues) = (Vec::new(), Vec::new());
    let listed = short_cyclotomics();
    for i in part {
        let (numerator, denominator) = &fractions[i];
        let factors = (known.factors)(denominator.exponent());
        let factors = factors.as_slice();
        indices.clear();
        denominator.indices(factors, &mut indices);
        moduli.clear();
        for &d in &indices {
            match listed.get(d as usize) {
                _ if d == 1 => {}
                Some(Some(word)) if word.value == 1 => {}
                Some(Some(word)) => moduli.push(*word),
                _ => begun.long.push((d, i as u32)),
            }
        }
        intrinsic.clear();
        denominator.intrinsic(factors, &mut lifts, &mut intrinsic);
        let short = moduli.len();
        for (r, most) in &intrinsic {
            moduli.push(OddModulus::new(r.pow(*most), false));
        }
        spend(numerator.len() as u64 * moduli.len() as u64 / 2);
        low_remainders_of(numerator, &moduli, &mut residues);
        let mut divisor = Divisor::Word(1);
        for i in 0..short {
            divisor.multiply_by(moduli[i].gcd_with_residue(residues[i]));
        }
        for (i, (r, _)) in intrinsic.iter().enumerate() {
            divisor.remove_prime(*r);
            // A factor that is a power of 2 does not change the gcd.
            let (most, residue) = (moduli[short + i].value, residues[short + i]);
            let mut power = 1;
            while power < most && residue.is_multiple_of(power * r) {
                power *= r;
            }
            divisor.multiply_by(power);
        }
        begun.divisors.push(divisor);
    }
    begun
}

/// The number of long Phi*_d whose gcds are computed together.
const MODULI_PER_PASS: usize = 32;

/// Folding by a prime is worthwhile only if the prime is below this limit.
const FOLDING_PRIME_LIMIT: u64 = 32;

/// The least number of words of a Phi*_d for which a separate gcd is computed, and residues are
/// computed by division, which is faster for such lengths.
const MIN_SEPARATE_WORDS: u64 = 300;

/// Returns the greatest common divisors of numerators and their denominators. Runs on all threads
/// of the pool; the result is the same for any number of threads.
///
/// Cost: O(b^2) products of words for each new Phi_d(2), where b is its number of words, and O(b^2)
/// for each product of residues.
pub(super) fn common_divisors(
    fractions: &[(Words, Denominator)],
    known: OrderLookup,
) -> Vec<Divisor> {
    let begun = threads::concat(fractions.len(), &|part| {
        vec![divide_by_short(fractions, part, known)]
    });
    let mut uses: Vec<(u64, u32)> = Vec::with_capacity(begun.iter().map(|b| b.long.len()).sum());
    let mut divisors = Vec::with_capacity(fractions.len());
    for part in begun {
        uses.extend(part.long);
        divisors.extend(part.divisors);
    }
    // Begin with the largest d, so that the threads finish at about the same time.
    uses.sort_unstable_by_key(|&(d, i)| u128::from(!d) << 32 | u128::from(i));
    let groups: Vec<&[(u64, u32)]> = uses.chunk_by(|a, b| a.0 == b.0).collect();
    let alone = groups.partition_point(|group| group[0].0 > 64 * MIN_SEPARATE_WORDS);
    let (large, small) = groups.split_at(alone);
    let tasks: Vec<&[&[(u64, u32)]]> = large
        .chunks(1)
        .chain(small.chunks(MODULI_PER_PASS))
        .collect();
    let found = threads::map_of(&tasks, &|groups| {
        common_divisor_with(groups, fractions, known)
    });
    let (mut lifts, mut intrinsic) = (PrimeOrders::new(known.order), Vec::new());
    for (i, divisor) in found.into_iter().flatten() {
        let denominator = fractions[i as usize].1;
        let mut divisor = Divisor::Long(divisor);
        // The powers of these primes have already been counted with the factors of one word.
        intrinsic.clear();
        let factors = (known.factors)(denominator.exponent());
        denominator.intrinsic(factors.as_slice(), &mut lifts, &mut intrinsic);
        for &(r, _) in &intrinsic {
            divisor.remove_prime(r);
        }
        divisors[i as usize].times_long(divisor);
    }
    divisors
}

/// Computes gcd(N, Phi*_d) for each numerator N for which it is not 1.
fn common_divisor_with(
    groups: &[&[(u64, u32)]],
    fractions: &[(Words, Denominator)],
    known: OrderLookup,
) -> Vec<(u32, UBig)> {
    let numerator = |i: u32| fractions[i as usize].0.as_slice();
    // Fetch the positions and the first words in one loop: they are far apart in memory, and such
    // accesses then run in parallel.
    let near: Vec<&[u64]> = (groups.iter().copied().flatten())
        .map(|&(_, i)| numerator(i))
        .collect();
    let first = |sum: u64, words: &&[u64]| sum ^ words.first().unwrap_or(&0);
    std::hint::black_box(near.iter().fold(0, first));
    let mut found = Vec::new();
    let mut pairs: Vec<Pair> = Vec::with_capacity(groups.len());
    let mut pool = CyclotomicRing::default();
    for group in groups {
        let d = group[0].0;
        let factors = (known.factors)(d);
        let phi = cyclotomic(d, factors.as_slice());
        pool.set_modulus(&phi, d, factors.as_slice());
        let mut product = Vec::new();
        for &(_, i) in *group {
            pool.set_factor(numerator(i));
            if pool.rest.iter().all(|&word| word == 0) {
                found.push((i, ubig(&phi)));
            } else if product.is_empty() {
                product.clone_from(&pool.rest);
            } else {
                pool.multiply_by_factor(&mut product);
            }
        }
        // If all residues are 0, no gcd is left to compute.
        if product.is_empty() {
            product.push(1);
        }
        pairs.push((product, phi));
    }
    let moduli: Vec<Words> = pairs.iter().map(|(_, phi)| phi.clone()).collect();
    match pairs.as_mut_slice() {
        [(product, phi)] => *product = gcd(std::mem::take(product), std::mem::take(phi)),
        pairs => gcds(pairs),
    }
    for ((group, phi), (shared, _)) in groups.iter().zip(moduli).zip(pairs) {
        if shared == [1] {
            continue;
        }
        let whole = |i: u32| {
            found
                .iter()
                .any(|(at, divisor)| *at == i && *words(divisor) == *phi)
        };
        let rest: Vec<u32> = group
            .iter()
            .map(|&(_, i)| i)
            .filter(|&i| !whole(i))
            .collect();
        for i in rest {
            let divisor = match *shared {
                [word] => {
                    let word = OddModulus::new(word, false);
                    let [residue] = low_remainders(numerator(i), [word]);
                    UBig::from(word.gcd_with_residue(residue))
                }
                _ => {
                    let residue = ubig(numerator(i)) % ubig(&shared);
                    ubig(&gcd(words(&residue).into_owned(), shared.clone()))
                }
            };
            if divisor != UBig::ONE {
                found.push((i, divisor));
            }
        }
    }
    found
}

/// Computes residues modulo an odd number, up to factors that are powers of 2, in memory that is
/// reused.
#[derive(Default)]
struct CyclotomicRing {
    modulus: Words,
    /// The index d of the modulus Phi*_d, and a small odd prime factor of d.
    index: u64,
    prime: Option<u64>,
    /// -1/modulus, modulo 2^64
    inverse: u64,
    sum: Words,
    top: Words,
    /// The residue computed last, in as many words as the modulus has.
    rest: Words,
}

impl CyclotomicRing {
    /// Makes this Phi*_d the modulus.
    fn set_modulus(&mut self, modulus: &[u64], d: u64, factors: &[(u64, u32)]) {
        self.modulus.clear();
        self.modulus.extend_from_slice(modulus);
        self.inverse = inverse_of_odd(modulus[0]).wrapping_neg();
        self.index = d;
        let small = |&(q, _): &(u64, u32)| (q > 2 && q < FOLDING_PRIME_LIMIT).then_some(q);
        self.prime = factors.iter().find_map(small);
    }

    /// Computes the residue of a numerator, up to its sign.
    fn set_factor(&mut self, numerator: &[u64]) {
        let alternating = self.index.is_multiple_of(2);
        let e = if alternating {
            self.index / 2
        } else {
            self.index
        };
        fold_by_power(numerator, e, alternating, &mut self.sum);
        if let Some(r) = self.prime {
            fold_by_cyclotomic(&mut self.sum, e / r, r, alternating, &mut self.top);
        }
        self.reduce_sum();
    }

    /// Multiplies `product` by the residue computed last.
    fn multiply_by_factor(&mut self, product: &mut Words) {
        spend_on(64 * product.len() as u64, 64 * self.rest.len() as u64);
        if self.modulus.len() as u64 > MIN_SEPARATE_WORDS {
            self.sum = words(&(ubig(product) * ubig(&self.rest))).into_owned();
            self.reduce_sum();
            return product.clone_from(&self.rest);
        }
        self.sum.clear();
        self.sum.resize(2 * self.modulus.len(), 0);
        for (i, &word) in self.rest.iter().enumerate() {
            let places = &mut self.sum[i..=i + product.len()];
            places[product.len()] = add_product(places, product, word);
        }
        self.reduce_sum();
        product.clone_from(&self.rest);
    }

    /// Reduces the sum modulo Phi*_d.
    fn reduce_sum(&mut self) {
        let length = self.modulus.len();
        spend_on(64 * self.sum.len() as u64, 64 * length as u64);
        if length as u64 > MIN_SEPARATE_WORDS {
            let rest = ubig(&self.sum) % ubig(&self.modulus);
            self.rest.clear();
            self.rest.extend_from_slice(&words(&rest));
            return self.rest.resize(length, 0);
        }
        while self.sum.pop_if(|word| *word == 0).is_some() {}
        // Take one step more than the sum has words above the modulus, so that the result is less
        // than twice the modulus.
        let steps = (self.sum.len() + 1).saturating_sub(length);
        self.sum.resize(steps + length + 1, 0);
        for step in 0..steps {
            let (places, above) = self.sum[step..].split_at_mut(length);
            let quotient = places[0].wrapping_mul(self.inverse);
            let mut carry = add_product(places, &self.modulus, quotient);
            for word in above {
                let more;
                (*word, more) = word.overflowing_add(carry);
                if !more {
                    break;
                }
                carry = 1;
            }
        }
        let sum = &self.sum[steps..];
        self.rest.clear();
        self.rest.extend_from_slice(&sum[..length]);
        let less = sum[length] == 0 && self.rest.iter().rev().lt(self.modulus.iter().rev());
        if !less {
            let mut borrow = false;
            for (word, modulus) in self.rest.iter_mut().zip(&self.modulus) {
                (*word, borrow) = word.borrowing_sub(*modulus, borrow);
            }
        }
    }
}

/// Adds x times a word to `places`, which has as many words as x; returns the carry.
#[inline]
fn add_product(places: &mut [u64], x: &[u64], word: u64) -> u64 {
    let mut carry = 0;
    for (place, x) in places.iter_mut().zip(x) {
        let sum = u128::from(*x) * u128::from(word) + u128::from(*place) + u128::from(carry);
        (*place, carry) = (sum as u64, (sum >> 64) as u64);
    }
    carry
}

/// Reduces a number modulo 2^e - 1, or 2^e + 1 if `alternating`, up to its sign: the result is the
/// absolute value of a sum of its chunks of e bits.
fn fold_by_power(x: &[u64], e: u64, alternating: bool, sum: &mut Words) {
    let bits = 64 * x.len() as u64;
    spend(x.len() as u64);
    // The last word holds the carries, in two's complement.
    sum.clear();
    sum.resize(e.min(bits).div_ceil(64) as usize + 1, 0);
    let (mut start, mut minus) = (0, false);
    while start < bits {
        let take = e.min(bits - start);
        let length = take.div_ceil(64) as usize;
        let last = u64::MAX >> ((64 - take % 64) % 64);
        let chunk = &x[(start / 64) as usize..];
        add_chunk(sum, chunk, start % 64, length, last, minus);
        minus ^= alternating;
        start += e;
    }
    make_positive(sum);
}

/// Replaces a number in two's complement by its absolute value.
fn make_positive(x: &mut [u64]) {
    if x.last().is_some_and(|top| top >> 63 == 1) {
        negate(x);
    }
}

/// Reduces a number modulo 1 + y + ... + y^(r-1), or 1 - y + ... + y^(r-1) if `alternating`, for y
/// = 2^s and an odd r, up to its sign: it subtracts the part at y^(r-1) and above from all parts
/// below, or alternately subtracts and adds it. The number must be only slightly larger than y^r.
fn fold_by_cyclotomic(sum: &mut Words, s: u64, r: u64, alternating: bool, top: &mut Words) {
    let kept = s * (r - 1);
    let (skip, shift) = ((kept / 64) as usize, kept % 64);
    if skip >= sum.len() {
        return;
    }
    top.clear();
    for i in skip..sum.len() {
        let above = sum.get(i + 1).copied().unwrap_or(0);
        // Two shifts, since Rust does not allow a shift by 64.
        top.push(sum[i] >> shift | above << 1 << (63 - shift));
    }
    while top.pop_if(|word| *word == 0).is_some() {}
    sum[skip] &= (1 << shift) - 1;
    sum.truncate(skip + 1);
    sum.push(0); // for carries, in two's complement
    for i in 0..r - 1 {
        add_shifted(sum, top, s * i, !(alternating && i % 2 == 1));
    }
    make_positive(sum);
}

/// Adds or subtracts a number times a power of 2, modulo the power of 2 that the words hold.
fn add_shifted(sum: &mut [u64], x: &[u64], bits: u64, minus: bool) {
    let (skip, shift) = ((bits / 64) as usize, bits % 64);
    // Subtracting a word is adding its complement and 1.
    let (mask, mut carry) = (u64::from(minus).wrapping_neg(), u128::from(minus));
    let mut below = 0;
    for (i, place) in sum[skip..].iter_mut().enumerate() {
        if i > x.len() && carry == u128::from(minus) {
            return;
        }
        let word = x.get(i).copied().unwrap_or(0);
        let total = u128::from(*place) + u128::from(join_words(word, below, shift) ^ mask) + carry;
        (*place, carry, below) = (total as u64, total >> 64, word);
    }
}

/// Adds or subtracts `length` words of a number. They begin at bit `shift` of its first word, and
/// the last of them is masked.
fn add_chunk(sum: &mut [u64], x: &[u64], shift: u64, length: usize, last: u64, minus: bool) {
    // Subtracting a word is adding its complement and 1.
    let (mask, mut carry) = (u64::from(minus).wrapping_neg(), u128::from(minus));
    let mut add = |sum: &mut u64, word: u64| {
        let total = u128::from(*sum) + u128::from(word ^ mask) + carry;
        (*sum, carry) = (total as u64, total >> 64);
    };
    // Use indices: zipped iterators compile to a call that is not inlined.
    let (sums, above) = sum.split_at_mut(length - 1);
    let whole = &x[..length];
    for i in 0..sums.len() {
        // Two shifts, since Rust does not allow a shift by 64.
        let word = whole[i] >> shift | whole[i + 1] << 1 << (63 - shift);
        add(&mut sums[i], word);
    }
    let next = x.get(length).map_or(0, |next| next << 1 << (63 - shift));
    add(&mut above[0], (whole[length - 1] >> shift | next) & last);
    for sum in &mut above[1..] {
        add(sum, 0);
    }
}

/// Computes x / g for an odd g that divides x. If g is one word, the computation works from the low
/// end, without a division.
pub(super) fn exact_quotient(mut x: Words, g: &Divisor) -> Words {
    let word = match g {
        Divisor::Word(1) => return x,
        Divisor::Word(word) => *word,
        Divisor::Long(long) => return words(&(ubig(&x) / long)).into_owned(),
    };
    over_word(&mut x, word);
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::order::multiplicative_order;
    use flipcost_number::reduce::from_words;
    use num_bigint::BigUint;
    use num_integer::Integer;
    use proptest::prelude::*;

    fn words(x: &BigUint) -> Words {
        x.iter_u64_digits().collect()
    }

    fn check(fractions: Vec<(Words, Denominator)>) {
        let order = |r| multiplicative_order(2, r).unwrap();
        let known = OrderLookup {
            factors: &Factors::factorize,
            order: &order,
        };
        let divisors = common_divisors(&fractions, known);
        for ((numerator, denominator), divisor) in fractions.into_iter().zip(divisors) {
            let whole = from_words(&denominator.words());
            let expected = from_words(&numerator).gcd(&whole);
            let divided = |x: Words| from_words(&exact_quotient(x, &divisor));
            assert_eq!(divided(words(&expected)), BigUint::from(1u32));
            assert_eq!(
                divided(numerator.clone()),
                from_words(&numerator) / &expected
            );
            assert_eq!(divided(denominator.words()), whole / expected);
        }
    }

    /// Residues modulo numbers of 313 words: 2^20011 - 1 and 2^20011 + 1 share with the numerator
    /// no factor, one prime, or nearly all factors.
    #[test]
    fn long_factors() {
        let power = BigUint::from(1u32) << 20_011u32;
        let (minus, plus) = (&power - 1u32, &power + 1u32);
        let other = (BigUint::from(3u32) << 21_000u32) + 7u32;
        let small = |whole: &BigUint| {
            let prime = (1..).map(|k| 2 * 20_011 * k + 1);
            prime.take(100_000).find(|r| (whole % *r) == BigUint::ZERO)
        };
        let mut fractions = Vec::new();
        for (denominator, whole) in [
            (Denominator::Minus(20_011), minus),
            (Denominator::Plus(20_011), plus),
        ] {
            let prime: u64 = small(&whole).unwrap_or(1);
            for numerator in [
                other.clone(),
                &other * prime,
                &whole / prime * 5u32,
                &other * 2u32 + 1u32,
                &whole * 9u32,
            ] {
                fractions.push((words(&numerator), denominator));
            }
        }
        check(fractions);
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
                    // To create common factors, use small primes and the gcd with a neighbour of
                    // another power of 2.
                    let other = (BigUint::from(1u32) << (b / scale + 1)) - 1u32;
                    let common = if whole { from_words(&denominator.words()).gcd(&other) } else { scale.into() };
                    (words(&(BigUint::new(numerator) * common + 0u32)), denominator)
                })
                .collect();
            check(fractions);
        }

        /// The numbers are up to as long as those that a fold by a power returns.
        #[test]
        fn folding_by_a_prime_keeps_the_residue(x in proptest::collection::vec(any::<u64>(), 1..60), s in 1u64..200, which in 0usize..5, alternating: bool) {
            let r = [3, 5, 7, 11, 31][which];
            let y = BigUint::from(1u32) << s;
            let whole = if alternating { y.pow(r) + 1u32 } else { y.pow(r) - 1u32 };
            let modulus = whole / if alternating { y + 1u32 } else { y - 1u32 };
            let (mut sum, mut top) = (Words::new(), Words::new());
            fold_by_power(&x, s * u64::from(r), alternating, &mut sum);
            fold_by_cyclotomic(&mut sum, s, r.into(), alternating, &mut top);
            let folded = from_words(&sum);
            prop_assert!(folded.bits() <= s * u64::from(r - 1) + 10);
            let (folded, rest) = (folded % &modulus, from_words(&x) % &modulus);
            prop_assert!(folded == rest || (folded + rest) % &modulus == 0u32.into());
        }

        #[test]
        fn folding_keeps_the_residue(x in proptest::collection::vec(0u64.., 1..40), e in 1u64..900) {
            let value = from_words(&x);
            let power = BigUint::from(1u32) << e;
            for (alternating, modulus) in [(false, &power - 1u32), (true, &power + 1u32)] {
                let mut sum = Words::new();
                fold_by_power(&x, e, alternating, &mut sum);
                let folded = from_words(&sum) % &modulus;
                let rest = &value % &modulus;
                prop_assert!(folded == rest || (alternating && (&folded + &rest) % &modulus == 0u32.into()));
            }
        }
    }
}
