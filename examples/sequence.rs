//! Compares a sequence with a loop of your own: A136043, the period of the base-2 expansion of 1/n.

use flipcost::prelude::*;
use flipcost::sequences;

/// The rounds of the fast dice roller for n, counted flip by flip.
fn rounds(n: u64) -> u64 {
    let (mut v, mut seen) = (1u64, Vec::new());
    while !seen.contains(&v) {
        seen.push(v);
        while v < n {
            v *= 2;
        }
        v -= n;
        if v == 0 {
            return 1;
        }
    }
    (seen.len() - seen.iter().position(|known| *known == v).unwrap_or(0)) as u64
}

pub fn main() -> Result<(), flipcost::Error> {
    let sequence = sequences::find("A136043")?;
    let terms = sequence.first(300)?;
    println!("{} begins {:?}", sequence.name(), &terms[..12]);
    let own: Vec<BigInt> = (sequence.offset()..)
        .take(300)
        .map(|n| rounds(n).into())
        .collect();
    assert_eq!(own, terms);
    Ok(())
}
