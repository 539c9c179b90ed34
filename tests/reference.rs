//! Results compared with the values of independent tools (data/reference/README.md names them).

use flipcost::algorithms::find;
use flipcost::law::Law;
use flipcost::task::{Source, Task};
use flipcost_number::{BigInt, Rational};

fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.split_whitespace().collect())
}

fn law(m: u64, n: u64) -> Law {
    let dice = Task::die(n, Source::die(m).unwrap()).unwrap();
    find("fast-dice-roller")
        .unwrap()
        .prepare(&dice)
        .unwrap()
        .law()
        .unwrap()
}

fn ratio(p: &str, q: &str) -> Rational {
    Rational::new(p.parse::<BigInt>().unwrap(), q.parse().unwrap())
}

#[test]
fn expected_flips_of_the_fast_dice_roller() {
    let mut count = 0;
    for line in lines(include_str!(
        "../data/reference/expected_flips_fast_dice_roller.txt"
    )) {
        assert_eq!(
            law(2, line[0].parse().unwrap()).mean().unwrap(),
            ratio(line[1], line[2]),
            "n = {}",
            line[0]
        );
        count += 1;
    }
    assert_eq!(count, 100);
}

#[test]
fn expected_rolls_by_source() {
    let mut count = 0;
    for line in lines(include_str!(
        "../data/reference/expected_rolls_fast_dice_roller_by_source.txt"
    )) {
        let (m, n) = (line[0].parse().unwrap(), line[1].parse().unwrap());
        assert_eq!(
            law(m, n).mean().unwrap(),
            ratio(line[2], line[3]),
            "m = {m}, n = {n}"
        );
        count += 1;
    }
    assert_eq!(count, 11 * 30);
}

#[test]
fn fifty_decimals() {
    let mut count = 0;
    for line in lines(include_str!(
        "../data/reference/expected_flips_50_decimals.txt"
    )) {
        let n = line[0].parse().unwrap();
        assert_eq!(
            law(2, n).mean_real().decimals(50).unwrap(),
            line[1],
            "n = {n}"
        );
        count += 1;
    }
    assert_eq!(count, 25);
}

#[test]
fn the_period_lengths_of_the_oeis() {
    let sequence = flipcost::sequences::find("A136043").unwrap();
    let terms: Vec<BigInt> = lines(include_str!("../data/reference/a136043.txt"))
        .map(|line| line[1].parse().unwrap())
        .collect();
    assert_eq!(terms.len(), 2000);
    assert_eq!(sequence.terms(1..=terms.len() as u64).unwrap(), terms);
}
