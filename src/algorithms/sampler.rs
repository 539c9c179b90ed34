//! A chain that is rolled many times.

use crate::law::{Chain, Next};

/// A chain as a table of moves, to roll many times: no big numbers, one look-up per roll.
pub(crate) struct Sampler {
    pub(super) chain: Chain,
}

impl Sampler {
    /// The sampler of a chain of dice, as [`Chain::explore`] makes it; `None` if a state has
    /// weights instead of faces.
    pub(crate) fn new(chain: Chain) -> Option<Self> {
        let dice = (0..chain.len() as u32).all(|state| chain.weights(state).is_none());
        dice.then_some(Sampler { chain })
    }

    /// One roll of the target: the outcome's index in [`Chain::outcomes`], and the rolls used.
    pub(crate) fn roll(&self, mut face: impl FnMut(u64) -> u64) -> (u32, u64) {
        let (mut at, mut rolls) = (self.chain.start(), 0);
        loop {
            match at {
                Next::Outcome(outcome) => return (outcome, rolls),
                Next::State(state) => {
                    let row = self.chain.branches(state);
                    at = row[face(row.len() as u64) as usize];
                    rolls += 1;
                }
            }
        }
    }
}
