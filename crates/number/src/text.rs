//! Writes integers and fractions in decimal digits. This is the only code that formats long
//! numbers.
//!
//! A number is divided by 10^19 repeatedly, four divisions at a time. The divisions overlap: the
//! second takes a word of the quotient as soon as the first has produced it, and so on, so that
//! they do not wait for each other. For w words this costs O(w^2) operations with a small constant.
//! Long numbers are first split into halves: x = q d + r with d = 10^(19 2^j), where q and r have
//! about half the words. The powers d are computed once, for all threads; buffers are thread-local.
//! All splits are at multiples of 19 digits, so that a number is the list of its digits in base
//! 10^19 (called parts), which can be added like words.
//!
//! **Division by 10^19.** With B = 2^64 and v = floor((B^2 - 1) / d) - B, the quotient of u1 B + u0
//! by d, u1 < d, is the upper word of (v + B) u1 + u0 + B, or differs from it by 1, as the
//! remainder shows: Möller and Granlund 2011, "Improved division by invariant integers", algorithm
//! 4. This requires d >= B / 2, which holds for 10^19.

use super::words::{ubig, words};
use super::{BigInt, BigUint, Rational};
use crate::budget::spend_on;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::DivRem;
use num_bigint::Sign;
use std::cell::RefCell;
use std::sync::OnceLock;

/// The number of decimal digits in a part, which is a digit in base 10^19.
const LIMB_DIGITS: usize = 19;

/// 10^19, above 2^63.
const LIMB_BASE: u64 = 10u64.pow(LIMB_DIGITS as u32);

/// floor((2^128 - 1) / 10^19) - 2^64.
const LIMB_BASE_INVERSE: u64 = (u128::MAX / LIMB_BASE as u128 - (1 << 64)) as u64;

/// Numbers with more words are split into halves.
const MIN_HALVED_WORDS: usize = 50;

/// 10^(19 2^j) for j = 0, 1, ...
static LIMB_POWERS: [OnceLock<ConstDivisor>; 48] = [const { OnceLock::new() }; 48];

fn limb_power(j: u32) -> &'static ConstDivisor {
    LIMB_POWERS[j as usize].get_or_init(|| {
        let bits = 64u64 << j;
        spend_on(bits, bits); // two products of half the length, and an inverse
        ConstDivisor::new(UBig::from(LIMB_BASE).pow(1 << j))
    })
}

/// Divides u1 2^64 + u0 by 10^19, for u1 < 10^19; returns quotient and remainder.
#[inline(always)]
fn div_by_limb_base(u1: u64, u0: u64) -> (u64, u64) {
    div_by_normalized((LIMB_BASE, LIMB_BASE_INVERSE), u1, u0)
}

/// Divides u1 2^64 + u0 by d >= 2^63, for u1 < d; returns quotient and remainder. `inverse` is
/// floor((2^128 - 1) / d) - 2^64.
#[inline(always)]
fn div_by_normalized((d, inverse): (u64, u64), u1: u64, u0: u64) -> (u64, u64) {
    let q = u128::from(inverse) * u128::from(u1) + (u128::from(u1) << 64 | u128::from(u0));
    let mut quotient = ((q >> 64) as u64).wrapping_add(1);
    let mut rest = u0.wrapping_sub(quotient.wrapping_mul(d));
    // The quotient is one too large about half of the time, so a branch would often be predicted
    // wrongly.
    let less = u64::from(rest > q as u64);
    quotient = quotient.wrapping_sub(less);
    rest = rest.wrapping_add(less.wrapping_neg() & d);
    if rest >= d {
        (quotient, rest) = (quotient.wrapping_add(1), rest - d);
    }
    (quotient, rest)
}

/// Appends the digits of a number in base 10^19, from the low end; its words become 0.
fn push_limbs(words: &mut [u64], parts: &mut Vec<u64>) {
    let mut length = words.len();
    while length > 0 {
        let [mut a, mut b, mut c, mut d] = [0; 4];
        for word in words[..length].iter_mut().rev() {
            let mut q;
            (q, a) = div_by_limb_base(a, *word);
            (q, b) = div_by_limb_base(b, q);
            (q, c) = div_by_limb_base(c, q);
            (*word, d) = div_by_limb_base(d, q);
        }
        parts.extend([a, b, c, d]);
        while length > 0 && words[length - 1] == 0 {
            length -= 1;
        }
    }
}

/// As [`push_limbs`], for a number that may be long.
fn push_limbs_of_long(x: UBig, parts: &mut Vec<u64>) {
    let all = words(&x);
    if all.len() <= MIN_HALVED_WORDS {
        return push_limbs(&mut all.into_owned(), parts);
    }
    // The divisor has between a third and two thirds of the words: a part of 10^19 is slightly less
    // than a word.
    let j = (all.len() * 2 / 3).ilog2();
    let bits = 64 * all.len() as u64;
    spend_on(bits, bits);
    drop(all);
    let end = parts.len() + (1 << j);
    let (quotient, rest) = x.div_rem(limb_power(j));
    push_limbs_of_long(rest, parts);
    parts.resize(end, 0); // the parts above are zeros
    push_limbs_of_long(quotient, parts);
}

/// A natural number in base 10^19: its digits from the low end, without leading zeros. Writing it
/// in decimal costs no more than a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecimalLimbs(Vec<u64>);

impl DecimalLimbs {
    /// Converts a number, given by its words from the low end. Cost, for w words: O(w^2) with a
    /// small constant; for long numbers O(log w) products of their length.
    pub fn from_words(words: &[u64]) -> DecimalLimbs {
        let mut parts = DecimalLimbs::default();
        parts.set(&mut words.to_vec());
        parts
    }

    /// As [`DecimalLimbs::from_words`], but reuses the memory of `self`; the words become 0.
    fn set(&mut self, words: &mut [u64]) {
        let DecimalLimbs(parts) = self;
        parts.clear();
        match words.len() {
            ..=MIN_HALVED_WORDS => push_limbs(words, parts),
            _ => push_limbs_of_long(ubig(words), parts),
        }
        while parts.pop_if(|part| *part == 0).is_some() {}
    }

    /// Sets this number to x + k y for a small k. Cost: linear.
    ///
    /// # Panics
    /// If k is above 2^32.
    pub fn set_sum(&mut self, x: &DecimalLimbs, y: &DecimalLimbs, k: u64) {
        assert!(k <= 1 << 32, "a small factor");
        let (DecimalLimbs(x), DecimalLimbs(y), DecimalLimbs(sum)) = (x, y, self);
        sum.clear();
        sum.resize(x.len().max(y.len()) + 1, 0);
        let mut carry = 0;
        for (i, part) in sum.iter_mut().enumerate() {
            let at = |parts: &[u64]| parts.get(i).copied().unwrap_or(0);
            let total = u128::from(at(y)) * u128::from(k) + u128::from(at(x)) + u128::from(carry);
            // The total is below 2^32 10^19.
            (carry, *part) = div_by_limb_base((total >> 64) as u64, total as u64);
        }
        while sum.pop_if(|part| *part == 0).is_some() {}
    }

    /// The number 2^exponent.
    pub fn power_of_two(exponent: u64) -> DecimalLimbs {
        let mut words = vec![0; exponent as usize / 64 + 1];
        words[exponent as usize / 64] = 1 << (exponent % 64);
        DecimalLimbs::from_words(&words)
    }

    /// Multiplies the number by 2^bits, bits < 64. Cost: linear.
    pub fn double(&mut self, bits: u32) {
        let mut carry = 0;
        for part in &mut self.0 {
            // Below 2^63 10^19, and the carry is below 2^63.
            let total = (u128::from(*part) << bits) + u128::from(carry);
            (carry, *part) = div_by_limb_base((total >> 64) as u64, total as u64);
        }
        if carry > 0 {
            self.0.push(carry);
        }
    }

    /// Computes (x + 1) / g or (x - 1) / g for this number x = 2^k and a word g that divides the
    /// numerator. Cost: linear.
    pub fn beside_power(&self, plus: bool, g: u64) -> DecimalLimbs {
        let mut parts = self.0.clone();
        // The lowest part of 2^k is neither 0 nor 10^19 - 1, since 10^19 - 1 is odd. So there is no
        // carry; only for 2^0 can the part become 0.
        if plus {
            parts[0] += 1
        } else {
            parts[0] -= 1
        }
        if g > 1 {
            let shift = g.leading_zeros();
            let d = g << shift;
            let d = (d, (u128::MAX / u128::from(d) - (1 << 64)) as u64);
            let mut rest = 0;
            for part in parts.iter_mut().rev() {
                let total = (u128::from(rest) * u128::from(LIMB_BASE) + u128::from(*part)) << shift;
                let over = div_by_normalized(d, (total >> 64) as u64, total as u64);
                (*part, rest) = (over.0, over.1 >> shift);
            }
        }
        while parts.pop_if(|part| *part == 0).is_some() {}
        DecimalLimbs(parts)
    }

    /// Whether the number is 1.
    pub fn is_one(&self) -> bool {
        self.0 == [1]
    }

    /// Appends the decimal digits of the number.
    pub fn push_to(&self, out: &mut Vec<u8>) {
        let Some((top, rest)) = self.0.split_last() else {
            return out.push(b'0');
        };
        let mut first = [0; LIMB_DIGITS];
        write_limb(*top, &mut first);
        let zeros = first.iter().take_while(|digit| **digit == b'0').count();
        out.extend_from_slice(&first[zeros..]);
        let start = out.len();
        out.resize(start + LIMB_DIGITS * rest.len(), 0);
        let (places, _) = out[start..].as_chunks_mut();
        for (part, place) in rest.iter().rev().zip(places) {
            write_limb(*part, place);
        }
    }
}

/// Writes the 19 digits of a part in base 10^19.
#[inline(always)]
fn write_limb(part: u64, out: &mut [u8; LIMB_DIGITS]) {
    const EIGHT: u64 = 10u64.pow(8);
    let upper = part / EIGHT;
    out[..3].copy_from_slice(&eight_digits(upper / EIGHT)[5..]);
    out[3..11].copy_from_slice(&eight_digits(upper % EIGHT));
    out[11..LIMB_DIGITS].copy_from_slice(&eight_digits(part % EIGHT));
}

/// Returns the digits of a number below 10^8. All are computed at once: two groups of 4 digits,
/// then four of 2, then eight single digits, in separate bits of one word. x / 100 = floor(10486 x
/// / 2^20) for x < 10^4, and x / 10 = floor(103 x / 2^10) for x < 100.
#[inline]
pub fn eight_digits(value: u64) -> [u8; 8] {
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    let ones = tens | ((twos - 10 * tens) << 8);
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

/// Appends the decimal digits of a word, and a byte after them.
#[inline]
pub fn push_word(x: u64, end: u8, out: &mut Vec<u8>) {
    if x >= 10u64.pow(7) {
        push_long_word(x, end, out);
        return;
    }
    let digits = u64::from_le_bytes(eight_digits(x));
    // The last digit is written even if it is 0.
    let zeros = ((digits ^ 0x3030_3030_3030_3030) | 1 << 56).trailing_zeros() / 8;
    let length = 8 - zeros;
    let text = digits >> (8 * zeros) | u64::from(end) << (8 * length);
    let all = out.len() + length as usize + 1;
    // Append eight bytes at once, and then cut off the surplus.
    out.extend_from_slice(&text.to_le_bytes());
    out.truncate(all);
}

#[cold]
fn push_long_word(x: u64, end: u8, out: &mut Vec<u8>) {
    const EIGHT: u64 = 10u64.pow(8);
    if x >= EIGHT {
        push_word(x / EIGHT, end, out);
        out.pop();
    }
    out.extend_from_slice(&eight_digits(x % EIGHT));
    out.push(end);
}

/// The buffers of one thread, for reuse.
#[derive(Default)]
struct DigitWriter {
    words: Vec<u64>,
    parts: DecimalLimbs,
    out: Vec<u8>,
}

impl DigitWriter {
    fn push(&mut self, x: &BigUint) {
        spend_on(x.bits(), x.bits().min(1 << 12));
        self.words.clear();
        self.words.extend(x.iter_u64_digits());
        self.parts.set(&mut self.words);
        self.parts.push_to(&mut self.out);
    }

    fn push_signed(&mut self, x: &BigInt) {
        if x.sign() == Sign::Minus {
            self.out.push(b'-');
        }
        self.push(x.magnitude());
    }
}

/// The maximum number of bytes that a thread keeps in its buffer.
const MAX_KEPT: usize = 1 << 20;

/// Calls `write` to fill the thread's buffer, and passes the text to `take`.
fn with_written_text<T>(write: impl FnOnce(&mut DigitWriter), take: impl FnOnce(&str) -> T) -> T {
    thread_local! {
        static WRITER: RefCell<DigitWriter> = RefCell::default();
    }
    let mut writer = WRITER.take();
    writer.out.clear();
    write(&mut writer);
    let taken = take(str::from_utf8(&writer.out).expect("digits and signs"));
    if writer.out.capacity() <= MAX_KEPT {
        WRITER.set(writer);
    }
    taken
}

/// Passes the text of a fraction to `take`, in the form of [`Rational`]'s `Display`: `11/3`, or
/// `-2`. Cost, for w words: O(w^2) with a small constant; for long numbers O(log w) products of
/// their length.
pub fn with_fraction<T>(x: &Rational, take: impl FnOnce(&str) -> T) -> T {
    let write = |writer: &mut DigitWriter| {
        writer.push_signed(x.numer());
        if !x.is_integer() {
            writer.out.push(b'/');
            writer.push_signed(x.denom());
        }
    };
    with_written_text(write, take)
}

/// Passes the decimal digits of an integer to `take`. Cost: as [`with_fraction`].
pub fn with_digits<T>(x: &BigUint, take: impl FnOnce(&str) -> T) -> T {
    with_written_text(|writer| writer.push(x), take)
}

/// Returns the decimal digits of an integer. Cost: as [`with_fraction`].
pub(crate) fn digits(x: &BigUint) -> String {
    with_digits(x, str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::{One, Pow};
    use proptest::prelude::*;

    /// The quotient and the remainder equal those of u128.
    #[test]
    fn division_by_the_limb_base_is_exact() {
        for u1 in [
            0,
            1,
            7,
            1 << 63,
            LIMB_BASE / 3,
            LIMB_BASE - 2,
            LIMB_BASE - 1,
        ] {
            for u0 in [
                0,
                1,
                LIMB_BASE - 1,
                LIMB_BASE,
                LIMB_BASE + 1,
                1 << 63,
                u64::MAX - 1,
                u64::MAX,
            ] {
                let x = u128::from(u1) << 64 | u128::from(u0);
                let (quotient, rest) = (x / u128::from(LIMB_BASE), x % u128::from(LIMB_BASE));
                assert_eq!(div_by_limb_base(u1, u0), (quotient as u64, rest as u64));
            }
        }
    }

    /// Tests numbers near the powers at which numbers are split, and near the lengths at which
    /// splitting begins. Together they have zeros in every position.
    #[test]
    fn digits_near_powers_agree_with_num() {
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

    /// Tests all numbers of 4 digits in the upper and in the lower half, and all parts of 19 equal
    /// digits.
    #[test]
    fn eight_digits_are_those_of_the_number() {
        for x in 0..10_000u64 {
            let value = x * 10_000 + (9999 - x);
            assert_eq!(eight_digits(value), *format!("{value:08}").as_bytes());
        }
        for digit in 0..=9u64 {
            let part = digit * (LIMB_BASE / 9);
            let mut out = [0; LIMB_DIGITS];
            write_limb(part, &mut out);
            assert_eq!(out, *format!("{part:019}").as_bytes());
        }
    }

    /// Tests the neighbours of powers of 2, divided by one of their divisors; the powers are
    /// computed by doubling.
    #[test]
    fn neighbours_of_powers_agree_with_num() {
        let text = |parts: DecimalLimbs| {
            let mut text = Vec::new();
            parts.push_to(&mut text);
            String::from_utf8(text).unwrap()
        };
        let mut doubled = DecimalLimbs::power_of_two(0);
        let mut exponent = 0u64;
        for bits in (1..64).chain([63, 7, 60, 1]) {
            doubled.double(bits);
            exponent += u64::from(bits);
            assert_eq!(doubled, DecimalLimbs::power_of_two(exponent));
            let power = BigUint::one() << exponent;
            for (plus, value) in [(true, &power + 1u8), (false, &power - 1u8)] {
                for g in [1u64, 3, 5, 641, 274_177, (1 << 61) - 1, u64::MAX] {
                    if (&value % g) == BigUint::ZERO {
                        let quotient = text(doubled.beside_power(plus, g));
                        assert_eq!(quotient, (&value / g).to_string());
                    }
                }
            }
        }
        assert_eq!(
            text(DecimalLimbs::power_of_two(64).beside_power(false, u64::MAX)),
            "1"
        );
        assert_eq!(
            text(DecimalLimbs::power_of_two(122).beside_power(false, (1 << 61) - 1)),
            ((1u64 << 61) + 1).to_string()
        );
    }

    proptest! {
        #[test]
        fn sums_of_limbs_agree_with_num(x in prop::collection::vec(any::<u64>(), 0..70), y in prop::collection::vec(any::<u64>(), 0..70), k in 0u64..=1 << 32) {
            let big = |x: &[u64]| crate::reduce::from_words(x);
            let mut sum = DecimalLimbs::from_words(&[7]);
            sum.set_sum(&DecimalLimbs::from_words(&x), &DecimalLimbs::from_words(&y), k);
            let mut text = Vec::new();
            sum.push_to(&mut text);
            prop_assert_eq!(String::from_utf8(text).unwrap(), (big(&x) + big(&y) * k).to_string());
        }

        #[test]
        fn digits_agree_with_num(words in prop::collection::vec(any::<u32>(), 0..600), cut in 0usize..600) {
            let x = BigUint::new(words[..cut.min(words.len())].to_vec());
            prop_assert_eq!(digits(&x), x.to_string());
            let y = BigUint::new(words) + 1u8;
            for value in [Rational::new(x.clone().into(), y.clone().into()), -Rational::from(BigInt::from(y))] {
                prop_assert_eq!(with_fraction(&value, str::to_string), value.to_string());
            }
        }

        #[test]
        fn words_are_written_like_big_numbers(x: u64, shift in 0u32..64) {
            let x = x >> shift;
            prop_assert_eq!(digits(&x.into()), x.to_string());
            let mut text = b"n ".to_vec();
            push_word(x, b',', &mut text);
            prop_assert_eq!(String::from_utf8(text).unwrap(), format!("n {x},"));
        }
    }
}
