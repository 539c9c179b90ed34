//! Ends a long computation at a time limit, or when another thread cancels it.

use flipcost::number::budget::Spent;
use flipcost::prelude::*;
use std::thread;
use std::time::Duration;

pub fn main() -> Result<(), flipcost::Error> {
    // the exact mean is a fraction of millions of digits
    let task = Task::new("2*10^9+11".parse()?, Source::COIN);
    let law = FAST_DICE_ROLLER.law(&task)?;
    let long = || law.mean_up_to(u128::MAX);
    let brief = Budget::default().timeout(Duration::from_millis(20));
    println!("within 20 ms: {:?}", brief.run(long).map(|_| "done"));
    // from another thread
    let budget = Budget::default();
    let stopped = thread::scope(|scope| {
        let work = scope.spawn(|| budget.run(long).map(|_| ()));
        budget.cancel();
        work.join().expect("no panic")
    });
    assert_eq!(stopped, Err(Spent::Stopped));
    // its decimals are computed at once, without the fraction
    println!("{:.30} flips", law.mean_real());
    Ok(())
}
