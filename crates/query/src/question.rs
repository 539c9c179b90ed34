//! What every kind of question can do, and what most of their files use.

pub(crate) use crate::cell::row;
pub(crate) use crate::chunks::Chunks;
pub(crate) use crate::description::{Described, Value, choices, question};
use crate::long::Short;
pub(crate) use crate::places::{Places, Shown, again, evenly, kept};
pub(crate) use crate::precision::{READABLE, decimal, exact, precision, spelled};
pub(crate) use crate::sentence::{field, say};
pub(crate) use crate::{
    AlgorithmId, Control, Estimate, Foot, Head, Kind, QueryError, Sentence, Sides, Sink, TargetText,
};
pub(crate) use flipcost::table::Cell;

/// What every kind of question can do. One file each in `questions`, and one line in `query.rs`.
pub(crate) trait Question {
    /// About how much it takes, before it runs. Cheap itself.
    fn estimate(&self) -> Estimate;
    /// Which exact columns stay empty where their fraction is long, since nobody asked for them.
    fn short(&self) -> Option<Short> {
        None
    }
    /// Does it go on for as long as it is let, in parts that are seen, kept or stopped? Others give one answer,
    /// which is awaited.
    fn is_watched(&self) -> bool {
        false
    }
    /// Is the work of the estimate near enough to be said as a time? Else it is only a bound, or less.
    fn has_forecast(&self) -> bool {
        true
    }
    /// Answers it: [`Sink::head`], [`Sink::rows`] any number of times, [`Sink::foot`].
    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError>;
}
