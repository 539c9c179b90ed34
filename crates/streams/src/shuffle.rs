//! The cost of shuffling a deck, in rolls for the indices of a Fisher-Yates shuffle.
//!
//! A shuffle of K cards needs a dK, a d(K-1), ..., a d2. Every algorithm can roll these dice one by
//! one. If the state is kept between the dice, the randomness that is left over from each die is
//! used again. One roll of a source with many sides can give several of the dice, and one roll of a
//! die with K! sides gives all of them. No way costs less than log_m K! rolls.

use super::batch::keep;
use super::dice::sides;
use super::fisher_yates::indices;
use super::orders::drawn_orders;
use super::word_batches::best_batches;
use flipcost::algorithms::{FAST_DICE_ROLLER, suited_to};
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::{BigUint, Real};

/// A way to shuffle.
///
/// ```
/// // The methods for a deck of four cards, a coin as the source; the entropy bound is the last.
/// let rows = flipcost_streams::shuffle(&flipcost::task::Source::COIN, 4)?;
/// assert_eq!(rows.last().map(|row| row.id), Some("bound"));
/// # Ok::<(), flipcost::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct ShuffleMethod {
    /// The algorithm's id, or `batches`, `keep`, `keep-eager`, `product`, `bound`.
    pub id: &'static str,
    /// A description of the way.
    pub name: String,
    /// The expected source rolls for the whole deck, or the reason why the way is not available.
    pub cost: Result<Real, Refusal>,
}

/// The capacity to which the eager shuffle expands its state.
pub const CAPACITY: u64 = 1 << 32;

/// The maximum number of cards for which the state is kept if it is expanded only as far as each
/// card needs. Few states are possible then.
const MAX_KEPT_CARDS: u64 = 10_000;
/// The maximum number of cards for which the state is kept if it is expanded to [`CAPACITY`].
const MAX_EAGER_CARDS: u64 = 200;

/// Returns the expected rolls of a shuffle of `cards` cards from a source of m sides, for these
/// ways: each algorithm, for every card separately; several cards from one roll if m >= K
/// ([`best_batches`], the first row if the source is a word); keeping the state between the cards,
/// by the plain rule and by expanding it to 2^32 before every card (the last state, which may hold
/// up to log_m of the capacity, is discarded); one roll of a d(K!); and the entropy bound. The
/// values are exact if the fractions are small, otherwise enclosed.
///
/// Cost: one law for each algorithm and card, and two batches of `cards` - 1 targets.
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
///
/// ```
/// let rows = flipcost_streams::shuffle(&flipcost::task::Source::COIN, 3)?;
/// let cost = |id: &str| {
///     let row = rows.iter().find(|row| row.id == id).unwrap();
///     row.cost.as_ref().unwrap().exact().unwrap().to_string()
/// };
/// // a d3 and a coin, one by one; with the state kept; a d6 at once
/// assert_eq!(["fast-dice-roller", "keep", "product"].map(cost), ["11/3", "11/3", "11/3"]);
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn shuffle(source: &Source, cards: u64) -> Result<Vec<ShuffleMethod>, Refusal> {
    draw(source, cards, cards)
}

/// As [`shuffle()`], for the first `drawn` cards in order: a d(K), a d(K-1), ..., a d(K-J+1), with
/// the entropy of K!/(K-J)! outcomes. J = K is the whole shuffle; the ways that rearrange a whole
/// deck are included only then.
///
/// # Errors
/// As [`shuffle`].
///
/// # Panics
/// If more cards are drawn than the deck has.
///
/// ```
/// let rows = flipcost_streams::draw(&flipcost::task::Source::COIN, 5, 1)?;
/// let product = rows.iter().find(|row| row.id == "product").unwrap();
/// // one card of five: a d5
/// assert_eq!(product.cost.as_ref().unwrap().exact().unwrap().to_string(), "18/5");
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn draw(source: &Source, cards: u64, drawn: u64) -> Result<Vec<ShuffleMethod>, Refusal> {
    draw_by(source, cards, drawn, &|_| true)
}

/// As [`draw`], but only for the ways whose ids are requested; the bound is always included.
pub(crate) fn draw_by(
    source: &Source,
    cards: u64,
    drawn: u64,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<ShuffleMethod>, Refusal> {
    assert!(drawn <= cards, "{drawn} of {cards} cards are drawn");
    let sides = sides(source)?;
    let mut rows = Vec::new();
    let mut row = |id, name: &str, cost: Result<Real, Refusal>| {
        rows.push(ShuffleMethod {
            id,
            name: name.to_string(),
            cost,
        });
    };
    let batches = (drawn == cards && wanted("batches")).then(|| best_batches(source, cards));
    let batches = batches.flatten().map(|best| best.words());
    // If the source is a word, batches come first, because this is what programs use.
    let (first, later) = match source.bits() {
        Some(_) => (batches, None),
        None => (None, batches),
    };
    let best = "Several cards from one roll, best batches";
    if let Some(words) = first {
        row("batches", best, Ok(words));
    }
    let die = Target::uniform(cards.max(1)).expect("a card");
    for method in suited_to(&Task::new(die, source.clone())) {
        let about = method.about();
        if wanted(about.id) {
            row(about.id, about.name, indices(method, source, cards, drawn));
        }
    }
    let (entropy, product) = drawn_orders(sides, cards, drawn);
    let kept = |capacity| {
        if source == &Source::COIN && capacity == 1 {
            // With a coin no state is left over: V < 2 n.
            return indices(FAST_DICE_ROLLER, source, cards, drawn);
        }
        let most = if capacity == 1 {
            MAX_KEPT_CARDS
        } else {
            MAX_EAGER_CARDS
        };
        if drawn > most {
            return Err(Refusal::Rule(format!(
                "it follows its states from card to card, for at most {most} cards"
            )));
        }
        let targets = (cards - drawn + 1).max(2)..=cards;
        Ok(keep(
            sides,
            capacity,
            &targets.rev().map(BigUint::from).collect::<Vec<_>>(),
        )
        .cost)
    };
    if let Some(words) = later {
        row("batches", best, Ok(words));
    }
    if wanted("keep") {
        row("keep", "State kept between the cards", kept(1));
    }
    if wanted("keep-eager") {
        let name = "State kept, expanded to 2^32 before every card";
        row("keep-eager", name, kept(CAPACITY));
    }
    if wanted("product") {
        let name = if drawn == cards {
            "One roll that decides the order of the whole deck"
        } else {
            "One roll that decides the whole draw"
        };
        row("product", name, Ok(product));
    }
    row("bound", "Entropy bound", Ok(entropy));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::fast_roller_cost;
    use crate::dice::die;

    /// Four of ten cards have 10 9 8 7 = 5040 outcomes; drawing all but one card costs the same as
    /// drawing all.
    #[test]
    fn some_of_the_cards() {
        let cost = |rows: &[ShuffleMethod], id: &str| {
            let row = rows.iter().find(|row| row.id == id).unwrap();
            row.cost
                .as_ref()
                .map(|cost| cost.decimals(12).unwrap())
                .ok()
        };
        let (four, fast) = (
            draw(&die(6), 10, 4).unwrap(),
            fast_roller_cost(6, &5040u32.into()),
        );
        assert_eq!(cost(&four, "product"), fast.decimals(12).ok());
        let bound = Real::log(5040, 6).decimals(12).ok();
        assert_eq!(cost(&four, "bound"), bound);
        let whole = draw(&die(6), 10, 10).unwrap();
        for row in draw(&die(6), 10, 9).unwrap() {
            assert_eq!(
                row.cost
                    .as_ref()
                    .map(|cost| cost.decimals(12).unwrap())
                    .ok(),
                cost(&whole, row.id)
            );
        }
    }

    #[test]
    fn a_deck_of_52() {
        let rows = shuffle(&Source::COIN, 52).unwrap();
        let flips = |id: &str| {
            let row = rows.iter().find(|row| row.id == id).unwrap();
            row.cost.as_ref().unwrap().decimals(3).unwrap()
        };
        // Values that were recomputed with Python's fractions: the series of E(n) for n = 2..=52
        // and for 52!, and k 2^k / n for rejection; the entropy is log2 52!
        for (id, cost) in [
            ("fast-dice-roller", "277.842"),
            ("rejection-ceil", "355.908"),
            ("rejection", "380.908"),
            ("parity-bits", "355.908"),
            ("product", "226.680"),
            ("bound", "225.581"),
        ] {
            assert_eq!(flips(id), cost, "{id}");
        }
        let impossible = rows.iter().find(|row| row.id == "bounded").unwrap();
        assert!(impossible.cost.is_err());
        // Eager: the bound, plus small tolls, plus at most the entropy that is left in the state.
        let eager: f64 = flips("keep-eager").parse().unwrap();
        assert!(eager < 225.581 + 33.0, "{eager}");
    }
}
