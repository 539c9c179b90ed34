//! The cost of shuffling a deck or drawing some of its cards, and dealing the cards.

mod batches;
mod broken;
mod libraries;
mod one;
mod positions;

pub use batches::sizes;

use crate::broken::MAX_BROKEN;
use crate::orders::drawn_orders;
use crate::positions::MAX_FOLLOWED;
use crate::shuffle::draw_by;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::Precision;
use flipcost::task::{Source, Task};
use flipcost_figures::Drawing;
use flipcost_libraries::{MAX_SHUFFLED, SHUFFLES};
use flipcost_number::BigUint;
use flipcost_number::Real;
use flipcost_number::rationals::product_of;
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;
use flipcost_question::{PictureError, Query, precision};
use num_traits::ToPrimitive;

question! {
    /// The cost of a Fisher-Yates shuffle of K cards, and the entropy bound log K!; with --deal,
    /// the cards dealt
    ///
    /// Without further options, one row for each way to draw the indices of a Fisher-Yates shuffle,
    /// with its cost and the excess over the entropy of all orders. `libraries`, `batches`,
    /// `broken` and `deal` give other rows: the shuffles of libraries, shuffles that take several
    /// indices from one word, biased shuffles, and cards that are dealt (up to 200 by one roll for
    /// all orders, the row `product`).
    pub struct Shuffle: "shuffle" {
        /// The number of cards in the deck
        cards: u64; word("K"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Draw only the first J cards, in order: K!/(K-J)! outcomes
        draw: Option<u64>; option("J"),
        /// Draw each index by this algorithm or function of a library (see `flipcost libraries`)
        algorithm: Option<AlgorithmId>; option("ID").short('a').without(&["way", "libraries", "batches", "broken"]),
        /// Compute only this way, also for decks too large for all ways
        way: Option<ShuffleWay>; option("WAY").without(&["algorithm", "libraries", "batches", "broken"]),
        /// Show the shuffles of libraries: the words drawn and the bias
        libraries: bool; flag().without(&["algorithm", "batches", "broken"]),
        /// Only libraries with this word in id, language, name or version
        library: Option<String>; option("WORD").without(&["algorithm", "batches", "broken"]),
        /// Draw several indices from one word of the source, such as -s word:64
        batches: bool; flag().without(&["algorithm", "libraries", "broken"]),
        /// Show biased shuffles of up to 8 cards, and their bias
        broken: bool; flag().without(&["algorithm", "libraries", "batches"]),
        /// With --broken, show where each of up to 1000 cards lies after the shuffle
        positions: bool; flag().with("broken"),
        /// Show only where this card lies
        card: Option<u64>; option("I").with("positions"),
        /// Deal the cards, which are the numbers 1 to K
        deal: bool; flag().without(&["digits", "algorithm", "libraries", "batches", "broken"]),
        /// The players, as in Ann,Bob: each gets a card in turn
        names: Vec<String>; option("NAMES").with("deal").dash(),
        /// Repeatable rolls from this seed
        seed: Option<u64>; option("S").with("deal"),
        /// Your own rolls: HTHHT for a coin (H is face 1), or faces such as 6,3,4,3
        input: Option<String>; option("ROLLS").short('i').with("deal").without(&["seed"]).dash(),
    }
    purpose: Table
    examples: [
        "shuffle 52",
        "shuffle 52 --draw 4 --source 6",
        "shuffle 52 -a cpython-randbelow -s word:32",
        "shuffle 1024 --batches -s word:64",
        "shuffle 5 --broken",
        "shuffle 100 --broken --positions",
        "shuffle 52 --deal --names Ann,Bob,Cy,Di",
        "shuffle 4 --deal --source 6 --input 3,1,6,2",
    ]
}

choices! {
    /// A way to shuffle that does not draw one index after the other.
    pub enum ShuffleWay {
        /// Several cards from one roll, best batches.
        Batches = "batches",
        /// State kept between the cards.
        Keep = "keep",
        /// State kept, expanded to 2^32 before every card.
        KeepEager = "keep-eager",
        /// One roll that decides the order of the whole deck.
        Product = "product",
    }
}

/// Up to this many cards are dealt by one roll for all orders; larger deals take one roll for each
/// card.
const MAX_CARDS_BY_ONE_ROLL: u64 = 200;
/// Fractions whose denominator has more bits than this are left out of the rows: a longer fraction
/// would only distract.
const MAX_FRACTION_BITS: u64 = 256;

impl Question for Shuffle {
    fn summary(&self, answer: &Answer) -> String {
        let cards = self.draw.unwrap_or(self.cards);
        let what = match self.draw {
            Some(draw) => format!("the first {draw} of {} cards", self.cards),
            None => format!("{cards} cards"),
        };
        if self.deal {
            return format!("{what} were dealt");
        }
        if self.positions {
            let (_, most) = answer.extremes("probability").unwrap_or_default();
            let [card, place, id] = ["card", "position", "id"].map(|name| answer.cell(most, name));
            let likely = answer.phrase(most, "probability").unwrap_or_default();
            return format!(
                "these shuffles of {what} are not fair: the largest probability of a card at a place is that of card {card} at place {place} after {id}, {likely}"
            );
        }
        if self.broken {
            let (least, most) = answer.extremes("total_variation").unwrap_or_default();
            let [least, most] = [least, most].map(|row| {
                format!(
                    "{} of {}",
                    answer.phrase(row, "total_variation").unwrap_or_default(),
                    answer.cell(row, "id")
                )
            });
            return format!(
                "these shuffles of {what} are not fair: their bias is {least} to {most}"
            );
        }
        let name = ["expected", "words"]
            .into_iter()
            .find(|name| answer.extremes(name).is_some());
        let Some((name, (least, _))) = name.and_then(|name| Some((name, answer.extremes(name)?)))
        else {
            return format!("{} ways to shuffle {what}", answer.rows.len());
        };
        let cost = |row: usize| {
            let by = algorithm_phrase(&answer.rows[row][0].to_string());
            format!(
                "{} on average by {by}",
                answer.measure(row, name).unwrap_or_default()
            )
        };
        let text = format!("to shuffle {what} takes {}", cost(0));
        match answer.cell(least, "what") {
            Cell::Text(how) if least > 0 => {
                let each = match answer.cell(0, "algorithm") {
                    Cell::Text(id) if id == "batches" => "several cards from one word",
                    _ => "card by card",
                };
                let fewest = answer.measure(least, name).unwrap_or_default();
                let id = answer.cell(least, "algorithm");
                let how = how[..1].to_lowercase() + &how[1..];
                format!("{text}, {each}; the cheapest way, {id}, takes {fewest} ({how})")
            }
            _ if least > 0 => format!("{text}, and {}", cost(least)),
            _ => text,
        }
    }

    fn estimate(&self) -> Estimate {
        let cards = u128::from(self.cards.min(self.max_cards()));
        let digits = u128::from(self.digits.unwrap_or(16));
        let rows = if self.deal {
            cards
        } else {
            SHUFFLES.len() as u128
        };
        let each = match () {
            () if self.positions => 500 * cards,
            () if self.deal || self.batches => 300,
            () => 100,
        };
        Estimate::space(50_000_000 + cards * each, rows * (400 + 4 * digits))
    }

    fn picture_query(&self) -> Option<Query> {
        (self.broken && self.positions).then(|| Query::from(self.clone()))
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.source.fair("a shuffle")?;
        let most = self.max_cards();
        if self.cards == 0 {
            return Err(QueryError::wrong("cards", "a deck has at least 1 card"));
        }
        if self.cards > most {
            let called = if self.positions {
                " to follow each card"
            } else if self.broken {
                " to list its orders"
            } else {
                ""
            };
            let what = format!("a deck of {} cards is too large{called}", self.cards);
            return Err(QueryError::wrong("cards", what).right(say!("{most} is the most")));
        }
        let drawn = self.check()?;
        if self.deal {
            return self.deal_cards(drawn, control, sink);
        }
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        match self.view() {
            Some(View::Algorithm(algorithm)) => {
                return self.method_rows(algorithm, precision, sink);
            }
            Some(View::Libraries) => return self.library_rows(precision, control, sink),
            Some(View::Batches) => return self.batch_rows(precision, sink),
            Some(View::Broken) if self.positions => {
                return self.position_rows(precision, control, sink);
            }
            Some(View::Broken) => return self.biased_rows(precision, sink),
            None => {}
        }
        let wanted = |id: &str| self.way.is_none_or(|way| way.name() == id);
        let ways = draw_by(&self.source.0, self.cards, drawn, &wanted);
        let ways = ways.map_err(QueryError::for_field("source"))?;
        let bound = ways.last().map(|way| way.cost.clone());
        let bound = bound.and_then(Result::ok).expect("the bound comes last");
        let (mut rows, mut foot) = (Vec::new(), Foot::default());
        let costs = ways.iter().filter(|way| way.id != "bound");
        let costs = costs.filter_map(|way| way.cost.as_ref().ok()?.to_f64().ok());
        let best = costs.fold(f64::INFINITY, f64::min);
        let mut dear = Vec::new();
        let all = ways.len() as u64;
        for (done, way) in (0..).zip(ways) {
            control.go_on()?;
            control.progress(done, all);
            match way.cost {
                Ok(cost) if cost.to_f64().is_ok_and(|cost| cost > MAX_COST_RATIO * best) => {
                    dear.push(way.id);
                }
                Ok(cost) => rows.push(method_row(way.id, &cost, &bound, way.name, precision)?),
                Err(error) => foot.note(format!("{}: {error}", way.id)),
            }
        }
        if !dear.is_empty() {
            foot.note(format!(
                "left out, since they cost more than a million times as much as the best: {}",
                dear.join(", ")
            ));
        }
        sink.write_answer(&self.head(), rows, foot)
    }
}

/// A way that costs more than this many times as much as the best gets no row; a note names it.
const MAX_COST_RATIO: f64 = 1e6;

/// The cell of the fraction, if it is known and short.
pub(super) fn short_exact_cell(cost: &Real) -> Cell {
    if cost
        .exact()
        .is_some_and(|x| x.denom().bits() <= MAX_FRACTION_BITS)
    {
        precision::exact_cell(cost)
    } else {
        Cell::Empty
    }
}

/// The row of a way to shuffle: its cost, and the excess over the entropy bound.
fn method_row(
    id: &str,
    cost: &Real,
    bound: &Real,
    what: String,
    precision: Precision,
) -> Result<Vec<Cell>, QueryError> {
    let toll = match id {
        "bound" => Real::integer(0),
        _ => cost.minus(bound),
    };
    Ok(row![
        id.to_string(),
        short_exact_cell(cost),
        decimal(cost, precision)?,
        decimal(&toll, precision)?,
        what
    ])
}

/// The kinds of answers that are not the list of ways.
#[derive(Clone, Copy)]
enum View {
    Algorithm(AlgorithmId),
    Libraries,
    Batches,
    Broken,
}

impl Shuffle {
    /// The kind of answer that the options request; if they request several, the first in this
    /// order.
    fn view(&self) -> Option<View> {
        let algorithm = self.algorithm.map(View::Algorithm);
        algorithm
            .or((self.libraries || self.library.is_some()).then_some(View::Libraries))
            .or(self.batches.then_some(View::Batches))
            .or(self.broken.then_some(View::Broken))
    }

    /// The maximum number of cards.
    fn max_cards(&self) -> u64 {
        if self.positions {
            MAX_FOLLOWED
        } else if self.broken {
            MAX_BROKEN
        } else {
            MAX_SHUFFLED
        }
    }

    /// The columns of the answer about the ways to shuffle.
    fn head(&self) -> Head {
        let unit = self.source.0.unit().plural();
        Head::new()
            .column("algorithm", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .measured("expected", CellKind::Decimal, unit)
            .answers()
            .measured("toll", CellKind::Decimal, unit)
            .column("what", CellKind::Text)
    }

    /// The entropy bound log_m K!, for any source.
    fn bound(&self) -> Real {
        let sides = self
            .source
            .0
            .in_a_word()
            .expect("a fair source of at most 2^64 sides");
        drawn_orders(sides, self.cards, self.cards).0
    }

    /// Returns the number of cards drawn; fails if the options contradict each other.
    fn check(&self) -> Result<u64, QueryError> {
        let drawn = self.draw.unwrap_or(self.cards);
        if drawn == 0 || drawn > self.cards {
            let cards = self.cards;
            let what = say!("{drawn} cards cannot be drawn from a deck of {cards}");
            return Err(QueryError::wrong("draw", what).right(say!("1 to {cards} can be drawn")));
        }
        let views = [
            ("algorithm", self.algorithm.is_some()),
            ("way", self.way.is_some()),
            ("libraries", self.libraries),
            ("library", self.library.is_some() && !self.libraries),
            ("batches", self.batches),
            ("broken", self.broken),
            ("draw", self.draw.is_some() && self.view().is_some()),
            ("deal", self.deal && self.view().is_some()),
            (
                "source",
                self.source != Sides::default()
                    && (self.libraries || self.library.is_some() || self.broken),
            ),
        ];
        let mut given = views.iter().filter(|(_, given)| *given);
        if let (Some((one, _)), Some((other, _))) = (given.next(), given.next()) {
            let what = say!(field(one), " and ", field(other), " do not go together");
            return Err(QueryError::wrong(other, what).right("leave one of them out"));
        }
        if self.deal {
            self.check_deal(drawn)?;
        } else {
            self.check_without_deal()?;
        }
        Ok(drawn)
    }

    /// Rejects invalid fields of a question that deals no cards.
    fn check_without_deal(&self) -> Result<(), QueryError> {
        let cards = self.cards;
        if let Some(card) = self.card.filter(|card| !(1..=cards).contains(card)) {
            let what = say!("a deck of {cards} cards has no card {card}");
            return Err(QueryError::wrong("card", what)
                .right(say!("a card from 1 to {cards} was expected")));
        }
        if self.card.is_some() && !self.positions {
            let what = say!(field("card"), " is only used for the places of cards");
            return Err(
                QueryError::wrong("card", what).right(say!("add ", field("positions").is(true)))
            );
        }
        if self.positions && !self.broken {
            let what = say!(
                field("positions"),
                " is only used for shuffles that are not fair"
            );
            return Err(
                QueryError::wrong("positions", what).right(say!("add ", field("broken").is(true)))
            );
        }
        let for_deals = [
            ("names", !self.names.is_empty()),
            ("seed", self.seed.is_some()),
            ("input", self.input.is_some()),
        ];
        if let Some((name, _)) = for_deals.iter().find(|(_, given)| *given) {
            let what = say!(field(name), " is only used to deal");
            return Err(QueryError::wrong(name, what).right(say!("add ", field("deal").is(true))));
        }
        Ok(())
    }

    /// Rejects invalid fields of a question that deals this many cards.
    fn check_deal(&self, drawn: u64) -> Result<(), QueryError> {
        if self.digits.is_some() {
            let what = say!(field("deal"), " prints cards, which have no decimals");
            return Err(
                QueryError::wrong("digits", what).right(say!("leave out ", field("digits")))
            );
        }
        if self.names.len() as u64 > drawn {
            let players = self.names.len();
            let what = say!("{drawn} cards are too few for {players} players");
            return Err(QueryError::wrong("names", what).right("everyone gets at least one"));
        }
        for (i, name) in self.names.iter().enumerate() {
            if name.trim().is_empty() || name.contains(|c: char| c.is_control() || c == ',') {
                let what = format!("player {} has a name that cannot be printed", i + 1);
                return Err(
                    QueryError::wrong("names", what).right("letters and no comma were expected")
                );
            }
            if self.names[..i].contains(name) {
                let what = say!("the player {name} is named twice");
                return Err(
                    QueryError::wrong("names", what).right("give each player a different name")
                );
            }
        }
        Ok(())
    }

    /// Draws the cards: one roll of a die with a side for every order, whose result is decoded in
    /// mixed radix.
    fn deal_cards(
        &self,
        drawn: u64,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        let unit = self.source.0.unit();
        let mut used = 0u64;
        let mut roll = |sides: BigUint| {
            let source = Source::die(self.source.get());
            let source = source.map_err(QueryError::for_field("source"))?;
            let task = Task::die(sides, source).map_err(QueryError::for_field("source"))?;
            let prepared = FAST_DICE_ROLLER.prepare(&task);
            let prepared = prepared.map_err(QueryError::for_field("source"))?;
            let mut roll = |sides: u128| {
                control.go_on().ok()?;
                let face = rolls.next(sides)?;
                used += 1;
                Some(face)
            };
            let rolled = prepared.play(&mut roll, None);
            control.go_on()?;
            let rolled = rolled.map_err(QueryError::for_field("source"))?;
            let called = unit.plural();
            let right = say!("more {called} are needed");
            rolled
                .map(|rolled| rolled.outcome)
                .ok_or_else(|| rolls.ran_out_error(called, "the cards were dealt", Some(right)))
        };
        let choices = (self.cards - drawn + 1)..=self.cards;
        let cards = if drawn <= MAX_CARDS_BY_ONE_ROLL {
            unrank(roll(product_of(choices))?, self.cards, drawn)
        } else {
            let mut left: Vec<u64> = (1..=self.cards).collect();
            let mut order = Vec::with_capacity(drawn as usize);
            for sides in choices.rev() {
                let at = roll(sides.into())?.to_usize().unwrap_or(0);
                order.push(left.swap_remove(at));
            }
            order
        };
        let player = |i: usize| match self.names.len() {
            0 => None,
            players => Some(&self.names[i % players]),
        };
        let head = Head::new()
            .column("position", CellKind::Count)
            .column("card", CellKind::Statistical);
        let head = if self.names.is_empty() {
            head
        } else {
            head.column("player", CellKind::Text)
        };
        let row = |(i, card): (usize, &u64)| {
            let mut row = row![i as u64 + 1, *card];
            row.extend(player(i).map(|name| Cell::Text(name.clone())));
            row
        };
        let mut foot = Foot::text(self.format_hands(&cards));
        let called = match used {
            1 => unit.singular(),
            _ => unit.plural(),
        };
        foot.note(format!("{used} {called} from {}", rolls.origin()));
        rolls.note_rest(unit.plural(), &mut foot);
        sink.write_answer(&head, cards.iter().enumerate().map(row).collect(), foot)
    }

    /// Writes a line for every player, or a single line with all cards.
    fn format_hands(&self, cards: &[u64]) -> String {
        let line = |cards: Vec<String>| cards.join(" ");
        if self.names.is_empty() {
            return line(cards.iter().map(u64::to_string).collect()) + "\n";
        }
        let players = self.names.len();
        let hand = |(i, name): (usize, &String)| {
            let own = cards.iter().skip(i).step_by(players);
            format!("{name}: {}\n", line(own.map(u64::to_string).collect()))
        };
        self.names.iter().enumerate().map(hand).collect()
    }
}

/// Returns the order with index `rank` of the K!/(K-J)! orders of J of the cards 1 to K: rank mod K
/// chooses the first card, the quotient mod K - 1 the next of the remaining cards, and so on.
/// Different ranks give different orders, so a uniform rank gives a uniform order.
fn unrank(mut rank: BigUint, cards: u64, drawn: u64) -> Vec<u64> {
    let mut left: Vec<u64> = (1..=cards).collect();
    let mut order = Vec::new();
    for _ in 0..drawn {
        let count = left.len();
        let at = (&rank % count).to_usize().unwrap_or(0);
        rank /= count;
        order.push(left.remove(at));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Different ranks give different orders, and all orders occur.
    #[test]
    fn ranks_and_orders_are_one_to_one() {
        for (cards, drawn, orders) in [(5u64, 5, 120u32), (6, 3, 120), (7, 1, 7), (1, 1, 1)] {
            let all: BTreeSet<Vec<u64>> = (0..orders)
                .map(|rank| unrank(rank.into(), cards, drawn))
                .collect();
            assert_eq!(all.len(), orders as usize, "{drawn} of {cards}");
            for order in all {
                let each: BTreeSet<u64> = order.iter().copied().collect();
                assert_eq!(each.len(), drawn as usize, "{order:?}");
                assert!(each.iter().all(|card| (1..=cards).contains(card)));
            }
        }
    }
}
