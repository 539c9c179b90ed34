//! A sampler that keeps its state and makes one outcome after the other from real rolls.

use flipcost::algorithms::{Uniform, UniformAction};
use flipcost_number::BigUint;
use num_traits::Zero;

/// An event in a sampler that keeps its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A roll, and the state after it.
    Expand {
        /// The face, from 0.
        face: u64,
        /// v after the roll.
        v: BigUint,
        /// c after the roll.
        c: BigUint,
    },
    /// A rejection, and the state after it.
    Reject {
        /// v after the rejection.
        v: BigUint,
        /// c after the rejection.
        c: BigUint,
    },
    /// An outcome, and the state that is kept.
    Extract {
        /// The number of sides of the target.
        sides: BigUint,
        /// The outcome, counted from 0.
        outcome: BigUint,
        /// v after the extraction.
        v: BigUint,
        /// c after the extraction.
        c: BigUint,
    },
}

/// A sampler that keeps its state between targets.
///
/// ```
/// use flipcost_streams::sampler::StreamSampler;
/// // The worked example of Langkaas 2019: a d6 shows 6, 3, 4, 3; a d4, then a d13.
/// let mut rolls = [6u64, 3, 4, 3].into_iter();
/// let mut roll = || rolls.next().map(|face| face - 1);
/// let mut recycler = StreamSampler::new(6);
/// assert_eq!(recycler.draw(&4u8.into(), &mut roll, None), Some(0u8.into()));
/// assert_eq!(recycler.draw(&13u8.into(), &mut roll, None), Some(1u8.into()));
/// ```
pub struct StreamSampler {
    source: u128,
    state: Uniform,
    capacity: BigUint,
}

impl StreamSampler {
    /// Creates a sampler with an empty state, for a source of m >= 2 sides.
    ///
    /// # Panics
    /// If the source has fewer than 2 sides.
    pub fn new(source: u128) -> Self {
        StreamSampler::eager(source, 1)
    }

    /// Creates a sampler that expands its state to at least this capacity before every extraction.
    ///
    /// # Panics
    /// If the source has fewer than 2 sides.
    pub fn eager(source: u128, capacity: u64) -> Self {
        assert!(source >= 2, "a source of {source} sides cannot be rolled");
        StreamSampler {
            source,
            state: Uniform::new(),
            capacity: capacity.into(),
        }
    }

    /// Draws one outcome of a target of n >= 1 sides. Outcomes and the faces that `roll` returns
    /// count from 0. If `roll` returns `None`, so does this function, and the state is as before
    /// the missing roll. If there is a `trace`, it receives every event.
    ///
    /// # Panics
    /// If the target has no sides.
    pub fn draw(
        &mut self,
        n: &BigUint,
        roll: &mut dyn FnMut() -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Event)>,
    ) -> Option<BigUint> {
        assert!(!n.is_zero(), "a target of 0 sides has no outcome");
        let enough = n.max(&self.capacity).clone();
        let mut tell = |event| {
            if let Some(trace) = trace.as_mut() {
                trace(event)
            }
        };
        loop {
            while self.state.v < enough {
                let face = roll()?;
                self.state = self.state.expand(self.source, face);
                let Uniform { v, c } = self.state.clone();
                tell(Event::Expand { face, v, c });
            }
            match self.state.clone().extract(n) {
                UniformAction::Expand(_) => unreachable!("v >= n"),
                UniformAction::Reject(state) => {
                    self.state = state;
                    let Uniform { v, c } = self.state.clone();
                    tell(Event::Reject { v, c });
                }
                UniformAction::Output(outcome, state) => {
                    self.state = state;
                    let Uniform { v, c } = self.state.clone();
                    tell(Event::Extract {
                        sides: n.clone(),
                        outcome: outcome.clone(),
                        v,
                        c,
                    });
                    return Some(outcome);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_step_by_step() {
        let mut rolls = [6u64, 3, 4, 3].into_iter();
        let mut roll = || rolls.next().map(|face| face - 1);
        let mut recycler = StreamSampler::new(6);
        let mut told = Vec::new();
        for n in [4u8, 13] {
            let mut tell = |event: Event| {
                told.push(match event {
                    Event::Expand { v, .. } => format!("roll {v}"),
                    Event::Reject { v, .. } => format!("reject {v}"),
                    Event::Extract { outcome, v, .. } => format!("{outcome} keeps {v}"),
                })
            };
            recycler
                .draw(&n.into(), &mut roll, Some(&mut tell))
                .unwrap();
        }
        assert_eq!(
            told,
            [
                "roll 6",
                "reject 2",
                "roll 12",
                "0 keeps 3",
                "roll 18",
                "reject 5",
                "roll 30",
                "1 keeps 2"
            ]
        );
    }
}
