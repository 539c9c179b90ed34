//! The kinds of quantities that a check can compare: one file each, and one line of the list below
//! beside its `mod`.

pub mod batch;
mod entropy;
mod expected;
mod fractional_parts;
mod mean_toll;
mod number;
mod product;
pub mod recipe;
pub mod stream;
mod sum;
mod term;
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
        "entropy" => Entropy(entropy::Entropy),
        "batch" => Batch(batch::Batch),
        "stream" => Stream(stream::Stream),
        "recipe" => Recipe(recipe::Recipe),
        "term" => Term(term::Term),
        "number" => Number(number::Number),
        "fractional-parts" => FractionalParts(fractional_parts::FractionalParts),
        "mean-toll" => MeanToll(mean_toll::MeanToll),
        "toll-amplitude" => TollAmplitude(toll_amplitude::TollAmplitude),
        "sum" => Sum(sum::Sum<Quantity>),
        "product" => Product(product::Product<Quantity>),
    }
}
