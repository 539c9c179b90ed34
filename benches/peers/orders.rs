//! Computes the sum of the orders of 2 modulo the odd part of n, for all n up to a limit: `cargo
//! run --release --example orders -- 1000000`.

use flipcost_number::memory::keep_freed;
use flipcost_number::sieve::OrderTable;
use flipcost_number::threads::Workers;

fn main() {
    keep_freed();
    Workers::new(0);
    let limit: u64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("usage: orders LIMIT");
    let table = OrderTable::new(2, limit);
    let sum: u64 = (1..=limit).map(|n| table.period(n)).sum();
    println!("{sum}");
}
