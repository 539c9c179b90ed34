//! All dice up to a million, on all cores: which costs most above the entropy?

use flipcost::number::threads;
use flipcost::prelude::*;
use flipcost::table::{Cell, Column, Precision, Request};

const LAST: u64 = 1_000_000;
const CHUNK: u64 = 10_000;

pub fn main() -> Result<(), flipcost::Error> {
    let request = Request {
        algorithms: vec![FAST_DICE_ROLLER],
        source: Source::COIN,
        columns: vec![Column::find("toll")?],
        precision: Precision::default(),
    };
    let tables = request.tables(LAST);
    let largest = threads::map((LAST / CHUNK) as usize, &|chunk| {
        let first = chunk as u64 * CHUNK + 1;
        let mut largest = (0.0, 0);
        for (row, n) in (request.rows(first..=first + CHUNK - 1, &tables)?.iter()).zip(first..) {
            if let Cell::Double(toll) = row.cells[0]
                && toll > largest.0
            {
                largest = (toll, n);
            }
        }
        Ok(largest)
    });
    let largest: Result<Vec<_>, flipcost::Error> = largest.into_iter().collect();
    let (toll, n) = largest?
        .into_iter()
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .expect("a chunk");
    println!("n = {n}: {toll} flips above log2 n");
    assert_eq!(n, (1 << 19) + 1);
    Ok(())
}
