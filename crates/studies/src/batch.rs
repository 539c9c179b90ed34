//! The targets of a batch, which is several dice that are rolled together, within the limits of a
//! study.

use super::error::{Mistake, StudyError};
use super::limits::{MAX_BATCH_BITS, MAX_BATCH_TARGETS, check_at_most};
use super::values::{Natural, task};
use flipcost_number::BigUint;

/// Converts the targets of a batch, after checking that they are dice and that there are not too
/// many of them.
///
/// # Errors
/// If a target or the source is not a die, or if there are too many targets.
pub fn targets(source: u64, targets: &[Natural]) -> Result<Vec<BigUint>, StudyError> {
    let (mut checked, mut bits) = (Vec::new(), 0);
    for Natural(n) in targets {
        task(source, n.clone())?;
        bits += n.bits();
        check_at_most(
            "targets",
            bits,
            "bits in the targets of a batch",
            MAX_BATCH_BITS,
        )?;
        checked.push(n.clone());
    }
    check_at_most(
        "targets",
        checked.len() as u64,
        "targets of a batch",
        MAX_BATCH_TARGETS as u64,
    )?;
    if checked.is_empty() {
        let mistake = Mistake::new("a batch needs a target").field("targets");
        Err(mistake.right("targets = [4, 13]").into())
    } else {
        Ok(checked)
    }
}
