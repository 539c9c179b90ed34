//! The kinds of quantities that a check can compare: one file each, and one line of the list below
//! beside its `mod`.

pub mod batch;
mod broken;
mod cost;
mod difference;
mod entropy;
mod expected;
mod formula;
mod fractional_parts;
mod largest_toll;
mod mean_toll;
mod number;
mod plan;
mod product;
pub mod recipe;
mod rounding_up;
mod shuffle;
pub mod stream;
mod sum;
mod sum_over;
mod survival;
pub mod term;
mod toll_amplitude;
mod variance;

use super::measure::Measure;
use super::tagged::tagged;

tagged! {
    /// A number that a question has as its answer: a table of one key, as
    /// `{ expected = { algorithm = "interval", n = "n" } }`.
    pub enum Quantity: Measure {
        "expected" => Expected(expected::Expected),
        "variance" => Variance(variance::Variance),
        "survival" => Survival(survival::SurvivalAt),
        "entropy" => Entropy(entropy::Entropy),
        "batch" => Batch(batch::Batch),
        "stream" => Stream(stream::Stream),
        "recipe" => Recipe(recipe::Recipe),
        "shuffle" => Shuffle(shuffle::ShuffleCost),
        "broken" => Broken(broken::BrokenShuffle),
        "term" => Term(term::Term),
        "cost" => Cost(cost::CostOfTarget),
        "formula" => Formula(formula::Formula),
        "largest-toll" => LargestToll(largest_toll::LargestTollOfSum),
        "plan" => Plan(plan::PlanCost),
        "rounding-up" => RoundingUp(rounding_up::RoundingUp),
        "number" => Number(number::Number),
        "fractional-parts" => FractionalParts(fractional_parts::FractionalParts),
        "mean-toll" => MeanToll(mean_toll::MeanToll),
        "toll-amplitude" => TollAmplitude(toll_amplitude::TollAmplitude),
        "sum" => Sum(sum::Sum<Quantity>),
        "sum-over" => SumOver(sum_over::SumOver<Quantity>),
        "difference" => Difference(difference::Difference<Quantity>),
        "product" => Product(product::Product<Quantity>),
    }
}
