use flipcost_number::sieve::OrderTable;

/// Prints the sum of the orders of 2 modulo the odd part of n, for all n up to a limit.
pub fn print_sum(limit: u64) {
    let table = OrderTable::new(2, limit);
    let sum: u64 = (1..=limit).map(|n| table.period(n)).sum();
    println!("{sum}");
}
