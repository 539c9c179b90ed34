//! Weights: the least expected flips for 1:2:4, three dice and a binomial law, to fifty decimals.

use flipcost::prelude::*;

pub fn main() -> Result<(), flipcost::Error> {
    for target in ["1:2:4", "3d6", "binomial:n=20,p=1/3"] {
        let task = Task::new(target.parse()?, Source::COIN);
        let law = find("knuth-yao")?.law(&task)?;
        println!(
            "{target}: {:.50} flips, entropy {:.50}",
            law.mean_real(),
            task.entropy()
        );
    }
    let task = Task::new(Target::weighted([1, 1])?, "p=1/3".parse()?);
    let pairs = find("von-neumann")?.law(&task)?.mean()?;
    assert_eq!(pairs, Rational::new(9.into(), 2.into())); // 1/(p q)
    println!("from a loaded coin: {pairs} flips");
    let task = Task::new(Target::weighted([4, 7, 8])?, "p=1/3".parse()?);
    for algorithm in flipcost::algorithms::suited_to(&task) {
        let Ok(law) = algorithm.law(&task) else {
            continue;
        };
        println!("{}: {:.50} flips", algorithm.about().id, law.mean_real());
    }
    Ok(())
}
