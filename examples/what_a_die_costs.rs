//! What a fair die of n sides costs in coin flips, by every algorithm that can make it:
//! `cargo run --release --example what_a_die_costs -- 6`.

use flipcost::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u64 = std::env::args().nth(1).map_or(Ok(6), |text| text.parse())?;
    let task = Task::new(Source::COIN, Target::uniform(n)?);
    println!(
        "{task}: no algorithm needs fewer than {:.6} flips",
        Real::log(&n.into(), 2)
    );
    for algorithm in REGISTRY {
        match algorithm.law(&task) {
            Ok(law) => println!("{:24}{:.6}", algorithm.about().id, law.mean_real()),
            Err(error) => println!("{:24}{error}", algorithm.about().id),
        }
    }
    let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::system())?;
    println!(
        "rolled {} with {} flips",
        rolled.outcome + 1u8,
        rolled.rolls
    );
    Ok(())
}
