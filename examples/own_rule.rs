//! Your own rule: its exact cost, and the proof that it is fair, or its distance from fair.

use flipcost::prelude::*;

/// A dn from two d6: the number 6 a + b below 36 modulo n; from the largest multiple of n on, the
/// dice are rolled again.
struct TwoDice {
    n: u64,
}

impl Rule for TwoDice {
    type State = Option<u64>; // the first die, if it has been rolled

    fn start(&self) -> Step<Option<u64>> {
        Step::Roll(None)
    }

    fn step(&self, first: &Option<u64>, face: u64) -> Step<Option<u64>> {
        match first {
            None => Step::Roll(Some(face)),
            Some(first) if 6 * first + face >= 36 / self.n * self.n => Step::Roll(None),
            Some(first) => Step::Output(((6 * first + face) % self.n).into()),
        }
    }
}

pub fn main() -> Result<(), flipcost::Error> {
    let task = Task::die(7, Source::die(6)?)?;
    let (rule, wrong) = (TwoDice { n: 7 }, TwoDice { n: 8 });
    assert!(rule.check(&task)?.is_fair()); // every outcome has the probability 1/7, exactly
    println!("{task}: {} rolls", rule.law(&task)?.mean()?); // 72/35
    let check = wrong.check(&task)?;
    println!(
        "wrong rule: distance {} from fair, outcomes outside the target: {:?}",
        check.total_variation, check.outside
    );
    Ok(())
}
