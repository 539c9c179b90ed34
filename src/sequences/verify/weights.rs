//! Theorems about all weights of a sum: the largest toll of the amplified loaded dice roller.

use super::claim::{Outcome, VerifyError, go_on};
use crate::algorithms::largest_toll::{LargestToll, LargestTolls, least_depth};
use crate::sweep::{Pace, ordered};
use std::ops::{ControlFlow, RangeInclusive};

/// The largest tolls of the amplified loaded dice roller for K = 2k - `less`: all sums of the range,
/// or the even ones if `less` is 1.
pub(super) fn all_weights(
    sums: RangeInclusive<u64>,
    less: u32,
    pace: Pace,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let tolls = LargestTolls::up_to(*sums.end());
    let work = |part: RangeInclusive<u64>| {
        let meant = part.filter(|sum| less == 0 || sum % 2 == 0);
        let largest = |sum: u64| tolls.of(sum, 2 * least_depth(sum) - less);
        Ok::<_, VerifyError>(meant.map(|sum| (sum, largest(sum))).collect::<Vec<_>>())
    };
    let (mut checked, mut most, mut wrong) = (0, None::<(u64, LargestToll)>, None);
    ordered(sums, pace, work, |part, last| {
        for (sum, largest) in part {
            checked += 1;
            match largest.is_below(2) {
                Some(true) => {}
                Some(false) => {
                    wrong.get_or_insert_with(|| tells(sum, &largest));
                }
                None => return Err(VerifyError::Near { sum }),
            }
            if most
                .as_ref()
                .is_none_or(|(_, most)| largest.high > most.high)
            {
                most = Some((sum, largest));
            }
        }
        go_on(progress(last))
    })?;
    Ok(Outcome {
        checked,
        extreme: most.map(|(sum, largest)| format!("the largest toll is {}", tells(sum, &largest))),
        counterexample: wrong,
    })
}

/// `1.885213... flips, of the weights 12:6:3:2:1 (n = 24)`.
fn tells(sum: u64, largest: &LargestToll) -> String {
    let weights: Vec<String> = largest.weights.iter().map(u64::to_string).collect();
    format!(
        "{} flips, of the weights {} (n = {sum})",
        largest.decimals(),
        weights.join(":")
    )
}
