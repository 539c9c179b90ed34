//! What every kind of question can do.

use crate::long::Short;
use crate::{Control, Estimate, QueryError, Sink};

/// What every kind of question can do. One file each in `questions`, and one line in `query.rs`.
pub(crate) trait Question {
    /// About how much it takes, before it runs. Cheap itself.
    fn estimate(&self) -> Estimate;
    /// Which exact columns stay empty where their fraction is long, since nobody asked for them.
    fn short(&self) -> Option<Short> {
        None
    }
    /// Answers it: [`Sink::head`], [`Sink::rows`] any number of times, [`Sink::foot`].
    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError>;
}
