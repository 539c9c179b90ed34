//! A die, and the price of a roll.

use flipcost::prelude::*;
use num_traits::One;

/// A source die, and the price of one roll.
///
/// ```
/// use flipcost_dice_set::{Die, plan};
/// use flipcost_number::Rational;
/// // A d10 whose rolls cost 3/2 as much as those of the d6.
/// let dice = [Die::new(6), Die::priced(10, Rational::new(3.into(), 2.into()))];
/// let plan = plan(10, &dice)?;
/// assert_eq!(plan.expected, Rational::new(3.into(), 2.into())); // one roll of the d10
/// # Ok::<(), flipcost_dice_set::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// The number m of sides, at most 2^64.
    pub sides: u128,
    /// The price p of a roll, above 0.
    pub price: Rational,
}

impl From<u64> for Die {
    fn from(sides: u64) -> Die {
        Die::new(sides.into())
    }
}

impl From<u128> for Die {
    fn from(sides: u128) -> Die {
        Die::new(sides)
    }
}

impl TryFrom<i32> for Die {
    type Error = std::num::TryFromIntError;

    fn try_from(sides: i32) -> Result<Die, Self::Error> {
        sides.try_into().map(Die::new)
    }
}

impl Die {
    /// Returns a die whose rolls cost 1.
    pub fn new(sides: u128) -> Die {
        Die {
            sides,
            price: Rational::one(),
        }
    }

    /// Returns a die whose rolls cost `price`.
    pub fn priced(sides: u128, price: Rational) -> Die {
        Die { sides, price }
    }

    /// Returns the law of the number of rolls that the fast dice roller takes to make a fair die of
    /// n sides from this die alone.
    pub(crate) fn law(&self, n: u64) -> Law {
        let source = Source::die(self.sides).expect("a plan has dice of 2 to 2^64 sides");
        let task = Task::die(n, source).expect("n is above 0");
        FAST_DICE_ROLLER
            .law(&task)
            .expect("the fast dice roller makes every fair die")
    }
}
