//! Computes long numbers modulo 2^61 - 1.

/// The modulus 2^61 - 1.
pub const MODULUS: u64 = (1 << 61) - 1;

/// Returns the number with these words, the lowest word first, modulo 2^61 - 1. It reduces from the
/// highest word down, with 2^64 = 8 modulo 2^61 - 1, so that no division is needed.
pub fn residue(x: impl DoubleEndedIterator<Item = u64>) -> u64 {
    let fold = |sum: u128| (sum as u64 & MODULUS) + (sum >> 61) as u64;
    let residue = x.rev().fold(0, |high, word| {
        fold(u128::from(high) * 8 + u128::from(word))
    });
    residue % MODULUS
}
