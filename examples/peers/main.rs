//! The work that benches/peers/run.py compares with the same work by other tools:
//! `cargo run --release --example peers -- WORK N`.

mod fractions;
mod one;
mod orders;
mod product;
mod residue;

use flipcost_number::memory::keep_freed;
use flipcost_number::threads::Workers;

fn main() {
    keep_freed();
    Workers::new(0);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (work, n) = match &words[..] {
        [work, n] => (work.as_str(), n.parse().ok()),
        _ => ("", None),
    };
    let n: u64 = n.expect("usage: peers fractions|one|numerator|orders|product N");
    match work {
        "fractions" => fractions::print_checksum(n),
        "one" => one::print_cost(n, true),
        "numerator" => one::print_cost(n, false),
        "orders" => orders::print_sum(n),
        "product" => product::print_product(n as usize),
        _ => panic!("no work is called {work}"),
    }
}
