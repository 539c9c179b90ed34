//! Named integer sequences a(n): definition, offset, and A-number if they have one.

use crate::number::BigInt;
use std::ops::RangeInclusive;

/// A named sequence.
pub struct Sequence {
    /// The id by which it is asked for.
    pub id: &'static str,
    /// Its A-number, if the OEIS has it.
    pub a_number: Option<&'static str>,
    /// The index of the first term.
    pub offset: u64,
    /// What it is.
    pub title: &'static str,
    /// The terms of a range of indices.
    pub terms: fn(RangeInclusive<u64>) -> Vec<BigInt>,
}

/// The registry: one entry per sequence.
pub static REGISTRY: &[Sequence] = &[Sequence {
    id: "cycle-rounds",
    a_number: Some("A136043"),
    offset: 1,
    title: "Period lengths of the base-2 MR-expansions of 1/n",
    terms: |range| {
        let rounds = crate::number::rounds::cycle_rounds_range(*range.start()..range.end() + 1);
        rounds.into_iter().map(BigInt::from).collect()
    },
}];

/// The sequence of this id or A-number.
pub fn find(id: &str) -> Option<&'static Sequence> {
    REGISTRY
        .iter()
        .find(|s| s.id == id || s.a_number == Some(id))
}
