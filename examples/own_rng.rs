//! Rolls from your own generator, one at a time and by the million.

use flipcost::prelude::*;
use rand::distr::Distribution;
use rand::{SeedableRng, rngs::StdRng};

pub fn main() -> Result<(), flipcost::Error> {
    let task = Task::die(6, Source::COIN)?;
    let mut rng = StdRng::seed_from_u64(1);
    // one roll, by any algorithm; the result contains the number of flips
    let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::from_rng(&mut rng))?;
    println!("{} with {} flips", rolled.outcome, rolled.rolls);
    // many rolls, made from machine words
    let sampler = FAST_DICE_ROLLER.sampler(&task)?;
    let mut counts = [0u64; 6];
    for outcome in sampler.sample_iter(&mut rng).take(600_000) {
        counts[outcome as usize] += 1;
    }
    assert!(counts.iter().all(|count| count.abs_diff(100_000) < 2000));
    println!("{counts:?}");
    Ok(())
}
