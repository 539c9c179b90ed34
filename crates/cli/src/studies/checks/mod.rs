//! The kinds of checks: one file each, and one line of the list below beside its `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Decide`]; what it computes with
//! (values, costs, terms, rules) lies in the files below it, and it imports none of its siblings.

mod against;
mod at_most;
mod batch;
mod best_order;
mod bounded;
mod digit_bound;
mod double_intervals;
mod double_search;
mod equal_at;
mod expected;
mod fairness;
mod identified;
mod in_a_row;
mod ratio;
mod recipe;
mod rounded_up_intervals;
mod rounds;
mod same_as;
mod sequence;
mod statement;
mod stream;
mod term;
mod theorem;
mod toll_below;
mod toll_bound;
mod toll_extremes;
mod uniform;
mod uniform_batch;
mod value;
mod worked_batch;
mod worked_roll;

use super::decide::Decide;
use super::quantities::Quantity;
use super::tagged::tagged;

tagged! {
    /// The question of a check: the value of its one key that is no other of a check.
    pub enum Question: Decide {
        "expected" => Expected(expected::Expected),
        "rounds" => Rounds(rounds::Rounds),
        "sequence" => Sequence(sequence::SequenceTerms),
        "term" => Term(term::Term),
        "same-as" => SameAs(same_as::SameAs<Quantity>),
        "toll-below" => TollBelow(toll_below::TollBelow),
        "ratio" => Ratio(ratio::Ratio),
        "worked-roll" => WorkedRoll(worked_roll::WorkedRoll),
        "worked-batch" => WorkedBatch(worked_batch::WorkedBatch),
        "fairness" => Fairness(fairness::Fairness),
        "uniform" => Uniform(uniform::UniformOutcomes),
        "bounded" => Bounded(bounded::BoundedRolls),
        "in-a-row" => InARow(in_a_row::InARow),
        "batch" => Batch(batch::BatchCost),
        "best-order" => BestOrder(best_order::BestOrderIs),
        "stream" => Stream(stream::StreamCost),
        "uniform-batch" => UniformBatch(uniform_batch::UniformBatch),
        "recipe" => Recipe(recipe::RecipeCost),
        "double-intervals" => DoubleIntervals(double_intervals::DoubleIntervals),
        "double-search" => DoubleSearch(double_search::DoubleSearch),
        "rounded-up-intervals" => RoundedUpIntervals(rounded_up_intervals::RoundedUpIntervals),
        "value" => Value(value::Value<Quantity>),
        "statement" => Statement(statement::StatementOfColumns),
        "theorem" => Theorem(theorem::Theorem),
        "toll-extremes" => TollExtremes(toll_extremes::TollExtremes),
        "against" => Against(against::Against),
        "at-most" => AtMost(at_most::AtMost<Quantity>),
        "toll-bound" => TollBound(toll_bound::TollBound<Quantity>),
        "digit-bound" => DigitBound(digit_bound::DigitBound),
        "equal-at" => EqualAt(equal_at::EqualAt<Quantity>),
        "identified" => Identified(identified::Identified),
    }
}
