//! The kinds of checks: one file each, and one line of the list below beside its `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Decide`]; what it computes with
//! (values, costs, terms, rules) lies in the files below it, and it imports none of its siblings.

mod digit_bound;
mod double_intervals;
mod double_search;
mod fairness;
mod identified;
mod ratio;
mod rounded_up_intervals;
mod rounds;
mod sequence;
mod that;
mod theorem;
mod toll_extremes;
mod uniform;
mod worked;

use super::decide::Decide;
use super::tagged::tagged;

tagged! {
    /// The question of a check: the value of its one key that is no other of a check.
    pub enum Question: Decide {
        "that" => That(that::Statements),
        "rounds" => Rounds(rounds::Rounds),
        "sequence" => Sequence(sequence::SequenceTerms),
        "ratio" => Ratio(ratio::Ratio),
        "fairness" => Fairness(fairness::Fairness),
        "double-intervals" => DoubleIntervals(double_intervals::DoubleIntervals),
        "double-search" => DoubleSearch(double_search::DoubleSearch),
        "rounded-up-intervals" => RoundedUpIntervals(rounded_up_intervals::RoundedUpIntervals),
        "worked" => Worked(worked::Worked),
        "uniform" => Uniform(uniform::Uniform),
        "theorem" => Theorem(theorem::Theorem),
        "toll-extremes" => TollExtremes(toll_extremes::TollExtremes),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "identified" => Identified(identified::Identified),
    }
}
