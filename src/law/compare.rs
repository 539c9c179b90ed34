//! Compares laws, and describes them in one line.

use super::{Draws, Law};
use flipcost_number::Real;
use std::fmt;
use std::sync::Arc;

/// Two laws are equal if they have the same unit and the same P(T > t) for every t. For infinite
/// sums and products, and for targets whose prime factors are unknown, laws count as equal only if
/// both are of the same kind with the same numbers. Cost: nothing for the same numbers; otherwise
/// the terms of [`Law::survival`] up to the first difference. For equal laws, the number of terms
/// is the sum of the orders of their recurrences: the number of states of a chain, the length of a
/// block, the period of residues.
///
/// ```
/// use flipcost::prelude::*;
/// let law = |n: u64, id: &str| Ok::<_, flipcost::Error>(find(id)?.law(&Task::die(n, Source::COIN)?)?);
/// assert!(law(8, "fast-dice-roller")? == law(8, "rejection-ceil")?); // three flips
/// assert!(law(6, "fast-dice-roller")? != law(6, "rejection")?);
/// # Ok::<(), flipcost::Error>(())
/// ```
impl PartialEq for Law {
    fn eq(&self, other: &Law) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(&*other.0) {
            return true;
        }
        // The difference of the two sequences satisfies a recurrence whose order is the sum of
        // their orders.
        let (Some(order), Some(others)) = (self.0.order(), other.0.order()) else {
            return false;
        };
        let terms = (0..order.saturating_add(others)).zip(self.survival().zip(other.survival()));
        self.unit() == other.unit() && self.max() == other.max() && {
            let mut terms =
                terms.take_while(|(t, _)| self.max().is_none_or(|most| *t < most.into()));
            terms.all(|(_, (one, other))| one == other)
        }
    }
}

/// Shows the kind and the unit; values are computed only when requested.
impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = self.0.name().rsplit("::").next().unwrap_or_default();
        write!(f, "Law({kind}, in {})", self.unit().plural())
    }
}

/// Writes the mean, the standard deviation, the maximum and the unit in one line; values without a
/// short fraction are rounded to 6 decimals. Cost: as [`Law::mean_real`] and [`Law::max`].
impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (mean, deviation) = (
            fraction_or_decimals(&self.mean_real()),
            fraction_or_decimals(&self.std_dev()),
        );
        let most = match (self.max(), self.unsettled()) {
            (Some(most), _) => format!("at most {most}"),
            (None, Some(_)) => "maximum unknown".to_string(),
            (None, None) => "unbounded".to_string(),
        };
        let unit = self.unit().plural();
        f.pad(&format!(
            "mean {mean}, standard deviation {deviation}, {most}, in {unit}"
        ))
    }
}

/// Two laws of many draws are equal if they add up equal laws, each equally often. Attempts
/// ([`Draws::attempts`], and the law of a rule that rejects at the end of its blocks) are equal
/// only to the same attempts.
impl PartialEq for Draws {
    fn eq(&self, other: &Draws) -> bool {
        let (parts, others) = (&self.0.parts, &other.0.parts);
        parts.len() == others.len() && parts.iter().all(|part| others.contains(part))
    }
}

/// Shows the number of draws and the unit; values are computed only when requested.
impl fmt::Debug for Draws {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Draws({} in {})", self.count(), self.unit().plural())
    }
}

/// Writes the number of draws, the mean, the standard deviation and the unit in one line, as a
/// [`Law`] does.
impl fmt::Display for Draws {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (mean, deviation) = (
            fraction_or_decimals(&self.mean_real()),
            fraction_or_decimals(&self.std_dev()),
        );
        let (count, unit) = (self.count(), self.unit().plural());
        let s = if count == 1 { "" } else { "s" };
        f.pad(&format!(
            "{count} draw{s}: mean {mean}, standard deviation {deviation}, in {unit}"
        ))
    }
}

/// Writes a short fraction as it is, and other values with 6 decimals.
fn fraction_or_decimals(value: &Real) -> String {
    match value {
        Real::Exact(exact) if exact.denom().bits() <= 32 => exact.to_string(),
        value => format!("{value:.6}"),
    }
}
