//! The number of flips that suffice for 256 rolls of a d3329, except with probability 2^-128.

use flipcost::prelude::*;

pub fn main() -> Result<(), flipcost::Error> {
    let law = FAST_DICE_ROLLER.law(&Task::die(3329, Source::COIN)?)?;
    let many = law.repeat(256);
    println!(
        "{:.6} flips on average, with a deviation of {:.6}",
        many.mean_real(),
        many.std_dev()
    );
    let rare = Rational::new(1.into(), BigInt::from(1) << 128u8);
    let enough = many.quantile_above(&rare)?.expect("rare, and not never");
    println!(
        "{enough} flips are enough, except with probability 2^{:.3}",
        many.log2_sf(enough)?.expect("above 0")
    );
    assert!(many.sf(enough)? < rare);
    let one = law.pmf(12);
    println!("one roll takes 12 flips with the probability {one}");
    Ok(())
}
