//! The quantity `broken`: see [`BrokenShuffle`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::quantities::stream::word;
use crate::studies::values::Line;
use flipcost::law::Bias;
use flipcost::number::{BigUint, Real};
use flipcost::streams::broken;
use flipcost::unstable::streams::MOST_BROKEN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far the orders of a shuffle that is not uniform are from uniform: one of `swap-any`, `sattolo`,
/// `sort-insertion`, `sort-binary-insertion`, `sort-merge`, of at most 8 cards.
///
/// ```toml
/// broken = { cards = 3, by = "swap-any", show = "total-variation" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrokenShuffle {
    /// The cards of the deck, K.
    cards: OfN<BigUint>,
    /// The shuffle.
    by: Line,
    /// What is taken of its law: the total variation, the largest over the least probability, or
    /// one of these.
    show: Shown,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Shown {
    TotalVariation,
    Ratio,
    Largest,
    Smallest,
}

impl Measure for BrokenShuffle {
    fn of_n(&self) -> bool {
        self.cards.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let cards = self.cards.at(case.n)?;
        let cards = word("cards", &cards)?;
        if !(1..=MOST_BROKEN).contains(&cards) {
            let what = format!("the orders of {cards} cards are not listed");
            let mistake = Mistake::of("cards", cards, what);
            return Err(mistake
                .right(format!("1 to {MOST_BROKEN} cards are"))
                .into());
        }
        let shuffles = broken(cards);
        let Some(shuffle) = shuffles.iter().find(|shuffle| shuffle.id == self.by.0) else {
            let known: Vec<&str> = shuffles.iter().map(|shuffle| shuffle.id).collect();
            let mistake = Mistake::new(format!("\"{}\" is no broken shuffle", self.by.0));
            let mistake = mistake.field("by").given(&self.by.0);
            return Err(mistake.right(format!("{} are", known.join(", "))).into());
        };
        let orders: BigUint = (1..=cards).map(BigUint::from).product();
        let bias = Bias::new(&shuffle.law, &orders);
        let value = match self.show {
            Shown::TotalVariation => bias.total_variation(),
            Shown::Largest => bias.largest().clone(),
            Shown::Smallest => bias.smallest().clone(),
            Shown::Ratio => bias.ratio().ok_or_else(|| {
                let what = "some orders never come: their ratio is infinite";
                Mistake::new(what).field("column")
            })?,
        };
        Ok(Real::Exact(value))
    }
}
