//! The words of dashu-int's numbers as 64-bit words. On 64-bit targets dashu-int itself uses 64-bit
//! words; elsewhere (WebAssembly) its words have 32 bits.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};
use std::borrow::Cow;

/// Creates the number with these words, given from the low end. Cost: linear.
pub fn ubig(words: &[u64]) -> UBig {
    #[cfg(target_pointer_width = "64")]
    return UBig::from_words(words);
    #[cfg(not(target_pointer_width = "64"))]
    return UBig::from_words(&to_u32_words(words));
}

/// Returns the words of a number, from the low end, without leading zero words. Copies them only if
/// dashu-int's words are shorter.
pub fn words(x: &UBig) -> Cow<'_, [u64]> {
    #[cfg(target_pointer_width = "64")]
    return Cow::Borrowed(x.as_words());
    #[cfg(not(target_pointer_width = "64"))]
    return Cow::Owned(to_u64_words(x.as_words()));
}

/// Whether the number is negative, and its words.
pub(crate) fn signed_words(x: &IBig) -> (bool, Cow<'_, [u64]>) {
    let (sign, words) = x.as_sign_words();
    #[cfg(target_pointer_width = "64")]
    let words = Cow::Borrowed(words);
    #[cfg(not(target_pointer_width = "64"))]
    let words = Cow::Owned(to_u64_words(words));
    (sign == Sign::Negative, words)
}

/// The number of 64-bit words of a number.
pub(crate) fn word_count(x: &UBig) -> usize {
    x.bit_len().div_ceil(u64::BITS as usize)
}

/// Words of 64 bits as words of 32.
#[cfg(any(test, not(target_pointer_width = "64")))]
fn to_u32_words(words: &[u64]) -> Vec<u32> {
    let halves = |&word: &u64| [word as u32, (word >> 32) as u32];
    words.iter().flat_map(halves).collect()
}

/// Converts words of 32 bits to words of 64.
#[cfg(any(test, not(target_pointer_width = "64")))]
fn to_u64_words(words: &[u32]) -> Vec<u64> {
    let join = |halves: &[u32]| {
        let high = halves.get(1).copied().unwrap_or(0);
        u64::from(halves[0]) | u64::from(high) << 32
    };
    words.chunks(2).map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converted_words_are_unchanged() {
        let given = [7u64, 0, u64::MAX, 1 << 40];
        let number = ubig(&given);
        assert_eq!(
            number,
            (UBig::from(1u64 << 40) << 192) + (UBig::from(u64::MAX) << 128) + 7u8
        );
        assert_eq!(*words(&number), given);
        assert_eq!((word_count(&number), word_count(&UBig::ZERO)), (4, 0));
        assert_eq!(to_u64_words(&to_u32_words(&given)), given);
        assert_eq!(
            (to_u32_words(&[1 << 32]), to_u64_words(&[5, 6, 7])),
            (vec![0, 1], vec![5 | 6 << 32, 7])
        );
    }
}
