//! The decimals of integers and fractions: the one place where long numbers become text.
//!
//! A number of w words is divided by 10^19 again and again, four divisions at a time: the second
//! takes the quotient's words as the first gives them, and so on, so that they do not wait for each
//! other. That is O(w^2) with a small constant, and of long numbers it is left to halves: x = q d + r
//! with d = 10^(19 2^j), of which each has about half the words. The powers are computed once, and are
//! the same for all threads; words and digits are kept in memory of the thread.
//!
//! **Division by 10^19.** With B = 2^64 and v = floor((B^2 - 1) / d) - B, the quotient of u1 B + u0 by
//! d, u1 < d, is the upper word of (v + B) u1 + u0 + B, or one less, or one more where the remainder
//! says so: Möller and Granlund 2011, "Improved division by invariant integers", algorithm 4. It needs
//! d >= B / 2, as 10^19 is.

use super::words::{ubig, words};
use super::{BigInt, BigUint, Rational};
use crate::budget::spend_on;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::DivRem;
use num_bigint::Sign;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Decimal digits of a part.
const DIGITS: usize = 19;

/// 10^19, above 2^63.
const PART: u64 = 10u64.pow(DIGITS as u32);

/// floor((2^128 - 1) / 10^19) - 2^64.
const INVERSE: u64 = (u128::MAX / PART as u128 - (1 << 64)) as u64;

/// Numbers of more words are halved.
const HALVED: usize = 50;

/// 10^(19 2^j) for j = 0, 1, ...
static POWERS: [OnceLock<ConstDivisor>; 48] = [const { OnceLock::new() }; 48];

fn power(j: u32) -> &'static ConstDivisor {
    POWERS[j as usize].get_or_init(|| ConstDivisor::new(UBig::from(PART).pow(1 << j)))
}

/// The quotient and the remainder of u1 2^64 + u0 by 10^19, for u1 < 10^19.
#[inline(always)]
fn divide(u1: u64, u0: u64) -> (u64, u64) {
    let q = u128::from(INVERSE) * u128::from(u1) + (u128::from(u1) << 64 | u128::from(u0));
    let mut quotient = ((q >> 64) as u64).wrapping_add(1);
    let mut rest = u0.wrapping_sub(quotient.wrapping_mul(PART));
    // half of the time, so without a jump
    let less = u64::from(rest > q as u64);
    quotient = quotient.wrapping_sub(less);
    rest = rest.wrapping_add(less.wrapping_neg() & PART);
    if rest >= PART {
        (quotient, rest) = (quotient.wrapping_add(1), rest - PART);
    }
    (quotient, rest)
}

/// The parts of a number in base 10^19, from the low end, in place of its words.
fn parts_of(words: &mut Vec<u64>, parts: &mut Vec<u64>) {
    while !words.is_empty() {
        let [mut a, mut b, mut c, mut d] = [0; 4];
        for word in words.iter_mut().rev() {
            let mut q;
            (q, a) = divide(a, *word);
            (q, b) = divide(b, q);
            (q, c) = divide(c, q);
            (*word, d) = divide(d, q);
        }
        parts.extend([a, b, c, d]);
        while words.pop_if(|word| *word == 0).is_some() {}
    }
    while parts.pop_if(|part| *part == 0).is_some() {}
}

/// Writes the 19 digits of a part.
fn write_part(part: u64, out: &mut [u8]) {
    const EIGHT: u64 = 10u64.pow(8);
    let (first, rest) = out.split_at_mut(3);
    let (middle, last) = rest.split_at_mut(8);
    let write = |value: u64, out: &mut [u8]| {
        let mut value = value as u32;
        for place in out.rchunks_mut(2) {
            let two = (value % 100) as u8;
            value /= 100;
            match place {
                [ten, one] => (*ten, *one) = (b'0' + two / 10, b'0' + two % 10),
                [one] => *one = b'0' + two,
                _ => unreachable!("chunks of 2"),
            }
        }
    };
    write(part / EIGHT / EIGHT, first);
    write(part / EIGHT % EIGHT, middle);
    write(part % EIGHT, last);
}

/// What a thread keeps.
#[derive(Default)]
struct Writer {
    words: Vec<u64>,
    parts: Vec<u64>,
    out: Vec<u8>,
}

impl Writer {
    /// Adds the digits of the number in `words`, at least so many.
    fn push_words(&mut self, least: usize) {
        if self.words.len() > HALVED {
            let x = ubig(&self.words);
            return self.push_long(x, least);
        }
        self.parts.clear();
        parts_of(&mut self.words, &mut self.parts);
        let first = self.out.len();
        let digits = DIGITS * self.parts.len();
        let zeros = least.saturating_sub(digits);
        self.out.resize(first + zeros + digits, b'0');
        let places = self.out[first + zeros..].chunks_exact_mut(DIGITS);
        for (part, place) in self.parts.iter().rev().zip(places) {
            write_part(*part, place);
        }
        if least == 0 {
            let digits = &self.out[first..];
            let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
            self.out.drain(first..first + zeros);
            if self.out.len() == first {
                self.out.push(b'0');
            }
        }
    }

    fn push_long(&mut self, x: UBig, least: usize) {
        let all = words(&x);
        if all.len() <= HALVED {
            self.words.clear();
            self.words.extend_from_slice(&all);
            return self.push_words(least);
        }
        // from a third of the words to two thirds: a part is a word or a little less
        let j = (all.len() * 2 / 3).ilog2();
        let low = DIGITS << j;
        drop(all);
        let (quotient, rest) = x.div_rem(power(j));
        self.push_long(quotient, least.saturating_sub(low));
        self.push_long(rest, low);
    }

    fn push(&mut self, x: &BigUint) {
        spend_on(x.bits(), x.bits().min(1 << 12));
        self.words.clear();
        self.words.extend(x.iter_u64_digits());
        self.push_words(0);
    }

    fn push_signed(&mut self, x: &BigInt) {
        if x.sign() == Sign::Minus {
            self.out.push(b'-');
        }
        self.push(x.magnitude());
    }
}

/// Bytes that a thread keeps, at most.
const MOST_KEPT: usize = 1 << 20;

/// Hands on what is written into memory of the thread.
fn written<T>(write: impl FnOnce(&mut Writer), take: impl FnOnce(&str) -> T) -> T {
    thread_local! {
        static WRITER: RefCell<Writer> = RefCell::default();
    }
    let mut writer = WRITER.take();
    writer.out.clear();
    write(&mut writer);
    let taken = take(str::from_utf8(&writer.out).expect("digits and signs"));
    if writer.out.capacity() <= MOST_KEPT {
        WRITER.set(writer);
    }
    taken
}

/// Hands on the text of a fraction as [`Rational`] displays it: `11/3`, or `-2`. Cost, for w words:
/// O(w^2) with a small constant, and for long ones that of O(log w) products of their length.
pub fn with_fraction<T>(x: &Rational, take: impl FnOnce(&str) -> T) -> T {
    let write = |writer: &mut Writer| {
        writer.push_signed(x.numer());
        if !x.is_integer() {
            writer.out.push(b'/');
            writer.push_signed(x.denom());
        }
    };
    written(write, take)
}

/// Hands on the digits of an integer, at the cost of [`with_fraction`].
pub fn with_digits<T>(x: &BigUint, take: impl FnOnce(&str) -> T) -> T {
    written(|writer| writer.push(x), take)
}

/// The digits of an integer, at the cost of [`with_fraction`].
pub fn digits(x: &BigUint) -> String {
    with_digits(x, str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::{One, Pow};
    use proptest::prelude::*;

    /// The quotient and the remainder that u128 has.
    #[test]
    fn division_by_the_part() {
        for u1 in [0, 1, 7, 1 << 63, PART / 3, PART - 2, PART - 1] {
            for u0 in [
                0,
                1,
                PART - 1,
                PART,
                PART + 1,
                1 << 63,
                u64::MAX - 1,
                u64::MAX,
            ] {
                let x = u128::from(u1) << 64 | u128::from(u0);
                let (quotient, rest) = (x / u128::from(PART), x % u128::from(PART));
                assert_eq!(divide(u1, u0), (quotient as u64, rest as u64));
            }
        }
    }

    /// Around the powers at which numbers are halved, and the lengths at which they begin to be: zeros in
    /// every place.
    #[test]
    fn around_powers_of_ten_and_of_two() {
        let edges = (0u32..=4).chain([18, 19, 20, 37, 38, 39, 303, 304, 305, 607, 608, 609]);
        let long = [770, 1215, 1216, 1217, 2431, 2432, 2433, 4864, 9728, 9729];
        for k in edges.chain(long) {
            let power = BigUint::from(10u8).pow(k);
            for x in [&power - 1u8, power.clone(), &power + 1u8, &power * &power] {
                assert_eq!(digits(&x), x.to_string());
            }
        }
        for bits in [63u32, 64, 65, 3199, 3200, 3201, 6400, 6401, 100_000] {
            let power = BigUint::one() << bits;
            for x in [&power - 1u8, power.clone(), &power + 1u8] {
                assert_eq!(digits(&x), x.to_string());
            }
        }
        assert_eq!(digits(&BigUint::ZERO), "0");
    }

    proptest! {
        #[test]
        fn as_num_writes(words in prop::collection::vec(any::<u32>(), 0..600), cut in 0usize..600) {
            let x = BigUint::new(words[..cut.min(words.len())].to_vec());
            prop_assert_eq!(digits(&x), x.to_string());
            let y = BigUint::new(words) + 1u8;
            for value in [Rational::new(x.clone().into(), y.clone().into()), -Rational::from(BigInt::from(y))] {
                prop_assert_eq!(with_fraction(&value, str::to_string), value.to_string());
            }
        }

        #[test]
        fn words_as_well(x: u64, shift in 0u32..64) {
            let x = x >> shift;
            prop_assert_eq!(digits(&x.into()), x.to_string());
        }
    }
}
