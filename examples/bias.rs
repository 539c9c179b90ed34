//! How biased `rand() % 100` is, and how many bits are enough.

use flipcost::law::{Bias, OutcomeLaw};
use flipcost_libraries::reduction::bits_within;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = 100u8;
    for bits in [15u32, 32, 64] {
        let law = OutcomeLaw::of_words(1u128 << bits, n);
        let bias = Bias::new(&law, n);
        println!("{bits} bits: total variation {}", bias.total_variation());
        println!(
            "  the likeliest is {:?} times as likely as the rarest",
            bias.ratio().map(|r| r.to_string())
        );
    }
    let (least, _) = bits_within(&n.into(), &"1/1000000000".parse()?);
    assert_eq!(least, 32);
    println!("{least} bits bring it below 10^-9");
    Ok(())
}
