//! Decimals of E(n), the mean cost of the optimal roller with a coin, for single targets and for
//! ranges.
//!
//! **Value.** For odd m, S words of the expansion enclose E(m) to within 2m / 2^(64 S)
//! (`super::doubles`), and E(2^k m) = k + E(m) has the same decimals. In a range, the decimals of
//! an odd part that occurs more than once are computed only once.
//!
//! **Digits.** Multiplying a fraction by 10^16 gives 16 digits and a new fraction. Words that are
//! too low to affect the remaining digits are dropped, and the maximum that they can contribute is
//! added to the bound of the error.
//!
//! **Rounding.** If the ends of the enclosure round to different decimals, one more word is used.
//! There are no ties, since the reduced denominator of E is odd.
//!
//! **Cost.** For each odd part, one division, O(S) products for the words and O(S digits / 16) for
//! the digits; S is about digits / 19 + 1.

use super::doubles::{fixed_words, odd_part};
use flipcost_number::text::eight_digits;
use std::sync::OnceLock;

/// The number of digits computed by one multiplication.
const DIGITS_PER_STEP: usize = 16;

/// The maximum number of digits for which no memory except the text is allocated.
const SHORT_DIGITS: usize = 64;

/// The number of odd numbers whose decimals are computed together.
const BLOCK_LEN: u64 = 256;

/// The maximum number of bytes that are kept.
const MAX_KEPT_BYTES: usize = 1 << 25;

/// Decimals of E(n) for the targets of a range. The decimals of odd numbers up to half of the last
/// target are kept, within 32 MB.
pub(crate) struct ExpectedDecimals {
    digits: u32,
    /// For each odd number of a block, the whole flips as one byte, and the digits. A block is
    /// computed on its first request.
    blocks: Vec<OnceLock<Vec<u8>>>,
}

impl ExpectedDecimals {
    /// Prepares for targets up to `last`; larger targets are possible, but take longer.
    pub fn up_to(last: u64, digits: u32) -> ExpectedDecimals {
        let block = BLOCK_LEN as usize * (digits as usize + 1);
        // The odd numbers up to last / 2.
        let wanted = (last / 2)
            .div_ceil(2 * BLOCK_LEN)
            .min((MAX_KEPT_BYTES / block) as u64);
        let mut blocks = Vec::new();
        blocks.resize_with(wanted as usize, OnceLock::new);
        ExpectedDecimals { digits, blocks }
    }

    /// The number of decimals.
    pub(crate) fn digits(&self) -> u32 {
        self.digits
    }

    /// Appends E(n), rounded, if the odd part of n is below 2^32. If it is larger, or if n = 0,
    /// appends nothing and returns `None`.
    #[inline]
    pub fn push(&self, n: u64, text: &mut Vec<u8>) -> Option<()> {
        let (k, m) = odd_part(n)?;
        let digits = self.digits as usize;
        let mut put = |flips: u8, places: &[u8]| {
            // The number of flips is less than 32 + 2 + 63.
            let flips = flips + k as u8;
            let before = [b'0' + flips / 10, b'0' + flips % 10, b'.'];
            let from = usize::from(flips < 10);
            let to = if digits == 0 { 2 } else { 3 };
            text.reserve(3 + digits);
            text.extend_from_slice(&before[from..to]);
            text.extend_from_slice(places);
        };
        if let Some(block) = self.blocks.get((m / (2 * BLOCK_LEN)) as usize) {
            let block = block.get_or_init(|| self.compute_block(m / (2 * BLOCK_LEN)));
            let kept = self.block_entry(block, m);
            put(kept[0], &kept[1..]);
        } else if digits <= SHORT_DIGITS {
            let places = &mut [0; SHORT_DIGITS][..digits];
            put(odd_decimals(m, places), places);
        } else {
            let places = &mut vec![0; digits];
            put(odd_decimals(m, places), places);
        }
        Some(())
    }

    /// The entry of an odd number in its block.
    fn block_entry<'a>(&self, block: &'a [u8], m: u64) -> &'a [u8] {
        let size = self.digits as usize + 1;
        let at = (m / 2 % BLOCK_LEN) as usize;
        &block[at * size..][..size]
    }

    fn compute_block(&self, index: u64) -> Vec<u8> {
        let size = self.digits as usize + 1;
        let mut block = vec![0; BLOCK_LEN as usize * size];
        for (i, kept) in (0..BLOCK_LEN).zip(block.chunks_exact_mut(size)) {
            let (flips, places) = kept.split_at_mut(1);
            flips[0] = odd_decimals(2 * (index * BLOCK_LEN + i) + 1, places);
        }
        block
    }
}

/// Returns E(n) of the optimal roller with a coin, in flips, rounded to `digits` decimals, for a
/// target n whose odd part is below 2^32; `None` otherwise (or for n = 0).
pub fn expected_flips_decimals(n: u64, digits: u32) -> Option<String> {
    let mut text = Vec::with_capacity(digits as usize + 3);
    ExpectedDecimals::up_to(0, digits).push(n, &mut text)?;
    Some(String::from_utf8(text).expect("digits"))
}

/// The number of words for which one unit of the last word, times 2^(bits + width), is at most
/// 2^-5; more words are rarely needed.
fn words_for(bits: u64, width: u64) -> usize {
    (bits + width + 5).div_ceil(64) as usize
}

/// An upper bound of the number of bits of a number with this many decimal digits. It uses log2(10)
/// < 3.3220; for any u32 the products stay below 2^64.
fn bits_of(digits: usize) -> u64 {
    digits as u64 * 33_220 / 10_000 + 1
}

/// Writes the decimals of E(m), rounded to `places.len()` digits, and returns the whole flips, for
/// odd m < 2^32.
fn odd_decimals(m: u64, places: &mut [u8]) -> u8 {
    let width = 64 - u64::from(m.leading_zeros()) + 1; // 2m < 2^width
    let bits = bits_of(places.len());
    let mut words = words_for(bits, width);
    let mut buffer = [0; 8];
    let mut long = Vec::new();
    loop {
        let value = if words < buffer.len() {
            &mut buffer[..=words]
        } else {
            long.resize(words + 1, 0);
            &mut long
        };
        fixed_words(m, value);
        // 2m 10^digits / 2^(64 (S - 1)), rounded up
        let error = 1 << (bits + width).saturating_sub(64 * (words as u64 - 1));
        if let Some(flips) = round_words(value, width, error, places) {
            return flips;
        }
        words += 1;
    }
}

/// Rounds a number, given as words with the integer first, to as many decimals as there are places;
/// returns the integer part. The true value may be larger: multiplied by 10^digits, by up to
/// `error` 2^-64, where `error` is at most 2^59. Returns `None` if this leaves the rounding
/// undetermined. The slice must have at least as many words as [`words_for`] returns; additional
/// words are used as well.
fn round_words(value: &mut [u64], width: u64, error: u64, places: &mut [u8]) -> Option<u8> {
    let mut flips = value[0] as u8;
    let mut left = places.len();
    let mut error = error;
    let mut fraction = &mut value[1..];
    let more = fraction.len() - words_for(bits_of(left), width);
    for some in places.chunks_mut(DIGITS_PER_STEP) {
        let bits = bits_of(left);
        let enough = words_for(bits, width) + more;
        if enough < fraction.len() {
            fraction = &mut fraction[..enough];
            // One unit of the last word, multiplied by 10^left.
            error += 1 << bits.saturating_sub(64 * (enough as u64 - 1));
        }
        let power = match some.len() {
            DIGITS_PER_STEP => 10u64.pow(DIGITS_PER_STEP as u32),
            fewer => 10u64.pow(fewer as u32),
        };
        let mut carry = 0;
        for word in fraction.iter_mut().rev() {
            let product = u128::from(*word) * u128::from(power) + u128::from(carry);
            (*word, carry) = (product as u64, (product >> 64) as u64);
        }
        write_digits(carry, some);
        left -= some.len();
    }
    const HALF: u64 = 1 << 63;
    let rest = fraction[0];
    if rest < HALF && rest.checked_add(error).is_none_or(|most| most >= HALF) {
        return None;
    }
    if rest >= HALF && increment_digits(places) {
        flips += 1;
    }
    Some(flips)
}

/// Writes the last digits of a number below 10^16.
#[inline]
fn write_digits(value: u64, places: &mut [u8]) {
    const EIGHT: u64 = 10u64.pow(8);
    let (high, low) = (eight_digits(value / EIGHT), eight_digits(value % EIGHT));
    match places.len().checked_sub(8) {
        Some(8) => {
            places[..8].copy_from_slice(&high);
            places[8..].copy_from_slice(&low);
        }
        Some(more) => {
            places[..more].copy_from_slice(&high[8 - more..]);
            places[more..].copy_from_slice(&low);
        }
        None => places.copy_from_slice(&low[8 - places.len()..]),
    }
}

/// Adds 1 to a number with a fixed number of digits; returns whether it overflowed to 0.
fn increment_digits(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roller::numerator::expected_flips;
    use flipcost_number::Real;
    use proptest::prelude::*;

    #[test]
    fn the_decimals_of_a_d6_and_a_d3() {
        let (all, mut text) = (ExpectedDecimals::up_to(10, 5), Vec::new());
        for n in [6, 3] {
            all.push(n, &mut text).unwrap();
        }
        assert_eq!(text, b"3.666672.66667");
    }

    /// Compares the decimals with the exact fractions.
    #[test]
    fn decimals_of_ranges_and_far_out() {
        let far = [
            99_999,
            65_535,
            65_537,
            (1 << 32) - 1,
            (1 << 32) + 1,
            3 << 33,
        ];
        for n in (1..400).chain(far) {
            let exact = n < 100_000;
            for digits in [0, 1, 2, 15, 16, 17, 18, 19, 20, 38, 50, 57, 120] {
                let found = expected_flips_decimals(n, digits);
                if exact {
                    let value = Real::Exact(expected_flips(n));
                    assert_eq!(
                        found,
                        value.decimals(digits).ok(),
                        "n = {n}, {digits} digits"
                    );
                } else {
                    assert_eq!(found.is_some(), (n >> n.trailing_zeros()) >> 32 == 0);
                }
            }
        }
    }

    #[test]
    fn decimals_that_carry() {
        for (text, next, all) in [
            ("9989", "9990", false),
            ("09", "10", false),
            ("99", "00", true),
            ("", "", true),
        ] {
            let mut digits = text.as_bytes().to_vec();
            assert_eq!(
                (increment_digits(&mut digits), digits.as_slice()),
                (all, next.as_bytes())
            );
        }
        // A rounding is undecided if the error may reach the middle between two decimals.
        for (rest, decided) in [(-5, None), (-6, Some(3)), (0, Some(4))] {
            let value = &mut [3, (1u64 << 63).wrapping_add_signed(rest)];
            assert_eq!(round_words(value, 1, 5, &mut []), decided);
        }
        // 3.9999 rounds to 4.00.
        let mut places = [0; 2];
        assert_eq!(
            round_words(&mut [3, u64::MAX, 0], 1, 5, &mut places),
            Some(4)
        );
        assert_eq!(&places, b"00");
    }

    #[test]
    fn every_number_of_digits_is_written() {
        for value in [0, 7, 12_345_678, 123_456_789, 9_999_999_999_999_999] {
            for count in 0..=DIGITS_PER_STEP {
                let mut places = [0; DIGITS_PER_STEP];
                write_digits(value, &mut places[..count]);
                assert_eq!(
                    &places[..count],
                    &format!("{value:016}").as_bytes()[DIGITS_PER_STEP - count..]
                );
            }
        }
    }

    proptest! {
        /// The decimals that are kept for a range equal those computed for each target alone,
        /// whatever the order of the requests.
        #[test]
        fn kept_decimals_equal_new_ones(last in 0u64..5000, digits in 0u32..70, some in prop::collection::vec(0u64..10_000, 1..40)) {
            let all = ExpectedDecimals::up_to(last, digits);
            for n in some {
                let mut text = b"before ".to_vec();
                let found = all.push(n, &mut text).map(|()| String::from_utf8(text.split_off(7)).unwrap());
                prop_assert_eq!(&text, b"before ");
                prop_assert_eq!(found, expected_flips_decimals(n, digits));
            }
        }
    }
}
