//! What every kind of question can do.

use crate::long::Short;
use crate::picture::PictureError;
use crate::{Answer, Control, Door, Estimate, QueryError, Sink};
use flipcost_figures::Drawing;

/// What every kind of question can do.
pub trait Question {
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
    /// Does it read a file of this machine, so that nobody else may ask it?
    fn names_a_file(&self) -> bool {
        false
    }
    /// A picture of its answer.
    ///
    /// # Errors
    /// [`PictureError::Kind`] if answers of its kind are not drawn, [`PictureError::Input`] if it is
    /// too large, [`PictureError::Figure`] if the drawing fails.
    fn draw(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        Err(PictureError::kind(answer))
    }
    /// Its answer in the DOT language of Graphviz.
    ///
    /// # Errors
    /// As [`Question::draw`].
    fn to_dot(&self, answer: &Answer) -> Result<String, PictureError> {
        Err(PictureError::kind(answer))
    }
    /// Its answer as lines of text where rows are not enough, without its notes.
    ///
    /// # Errors
    /// As [`Question::draw`].
    fn to_text(&self, answer: &Answer, _door: Door) -> Result<String, PictureError> {
        Err(PictureError::kind(answer))
    }
}
