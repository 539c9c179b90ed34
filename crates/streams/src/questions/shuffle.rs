//! Shuffling a deck, or drawing some of its cards: what it costs, and really dealt.

mod batches;
mod broken;
mod libraries;
mod one;

pub use batches::sizes;

use crate::broken::MOST_BROKEN;
use crate::fisher_yates::MOST_CARDS;
use crate::shuffle::draw_by;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::Precision;
use flipcost::task::Task;
use flipcost_libraries::LIBRARIES;
use flipcost_number::BigUint;
use flipcost_number::Real;
use flipcost_number::rationals::product_of;
use flipcost_question::precision;
use flipcost_question::prelude::*;
use flipcost_question::rolls::Rolls;
use num_traits::ToPrimitive;

question! {
    /// What a Fisher-Yates shuffle of K cards costs, and the entropy bound log K!; with --deal, the
    /// cards really dealt
    ///
    /// The cards are the outcome and the source is rolled for them: a deck is no source here, since a
    /// card that is drawn from it does not come back. With --algorithm, --libraries, --batches or --broken
    /// the rows are other ones.
    ///
    /// What a Fisher-Yates shuffle costs, a row for each way to do it, against the entropy of all
    /// orders of the deck, or of all orders of the cards that are drawn from it.
    ///
    /// With `deal` the cards are really drawn instead, by one roll of the fast dice roller for all
    /// orders (the row `product`): a row for every card in the order drawn, and the player who gets it.
    /// The document of the answer has a line for every player.
    ///
    /// The other fields ask for other rows, one of them at a time: `algorithm` for a shuffle by one
    /// algorithm or function of a library, `libraries` for one by each of these functions, `batches` for the
    /// shuffles that take several indices from one word, `broken` for shuffles that are not uniform.
    pub struct Shuffle: "shuffle" {
        /// Cards in the deck
        cards: u64; word("K"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
        /// Only the first J cards, in order: K!/(K-J)! outcomes
        draw: Option<u64>; option("J"),
        /// Draw each index by this algorithm, or function of a library (see `flipcost libraries`)
        algorithm: Option<AlgorithmId>; option("ID").short('a').without(&["way", "libraries", "batches", "broken"]),
        /// Only this way, which may be that of a larger deck
        way: Option<ShuffleWay>; option("WAY").without(&["algorithm", "libraries", "batches", "broken"]),
        /// What the functions of libraries draw for all indices: words and bits
        libraries: bool; flag().without(&["algorithm", "batches", "broken"]),
        /// Several indices from one word: the best batches, and the published ones (with -s word:64)
        batches: bool; flag().without(&["algorithm", "libraries", "broken"]),
        /// Shuffles that are not uniform, of up to 8 cards: how biased they are, exactly
        broken: bool; flag().without(&["algorithm", "libraries", "batches"]),
        /// Really deal: the cards are the numbers 1 to K
        deal: bool; flag().without(&["digits", "algorithm", "libraries", "batches", "broken"]),
        /// The players, as in Ann,Bob: each gets a card in turn
        names: Vec<String>; option("NAMES").with("deal").dash(),
        /// Repeatable rolls from this seed, instead of the operating system's randomness
        seed: Option<u64>; option("S").with("deal"),
        /// Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as 6,3,4,3 (the 0 of a d10 is its 10)
        input: Option<String>; option("ROLLS").short('i').with("deal").without(&["seed"]).dash(),
    }
    purpose: Table
    examples: [
        "shuffle 52",
        "shuffle 52 --draw 4 --source 6",
        "shuffle 52 -a cpython-randbelow -s word:32",
        "shuffle 1024 --batches -s word:64",
        "shuffle 5 --broken",
        "shuffle 52 --deal --names Ann,Bob,Cy,Di",
        "shuffle 4 --deal --source 6 --input 3,1,6,2",
    ]
}

choices! {
    /// A way to shuffle that is not one index after the other.
    pub enum ShuffleWay {
        /// Split into heaps, and these again.
        RaoSandelius = "rao-sandelius",
        /// Shuffled halves merged roll by roll.
        MergeShuffle = "merge-shuffle",
        /// Several cards from one roll, best batches.
        Batches = "batches",
        /// State kept between the cards.
        Keep = "keep",
        /// State kept, expanded to 2^32 before every card.
        KeepEager = "keep-eager",
        /// One roll for all orders of the deck.
        Product = "product",
    }
}

/// The largest deck.
const MOST: u64 = 200;
/// The largest for one of the ways that follow the deck and not its indices one by one.
const MOST_OF_ONE_WAY: u64 = 1 << 16;
/// Longer fractions, in bits of their denominator, are left out: next to the fraction of a whole
/// deck, a longer one would only be in the way.
const LONGEST: u64 = 256;

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
            let by = by_algorithm(&answer.rows[row][0].to_string());
            format!(
                "{} on average by {by}",
                answer.measure(row, name).unwrap_or_default()
            )
        };
        let text = format!("to shuffle {what} takes {}", cost(0));
        match answer.cell(least, "what") {
            Cell::Text(how) if least > 0 => {
                format!("{text}, card by card, and {}: {how}", cost(least))
            }
            _ if least > 0 => format!("{text}, and {}", cost(least)),
            _ => text,
        }
    }

    fn estimate(&self) -> Estimate {
        let cards = u128::from(self.cards.min(self.most()));
        let digits = u128::from(self.digits.unwrap_or(16));
        match self.view() {
            Some(_) => {
                let rows = LIBRARIES.len() as u128;
                let memory = 50_000_000 + cards * (2_000 + digits);
                Estimate::space(memory, rows * (400 + 4 * digits))
            }
            None => Estimate::cells(18 * 5, 64 + digits),
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        self.source.fair("a shuffle")?;
        let most = self.most();
        if self.cards == 0 {
            return Err(QueryError::wrong("cards", "a deck has at least 1 card"));
        }
        if self.cards > most {
            let called = self.view().map_or("", View::called);
            let what = format!("a deck of {} cards is too large{called}", self.cards);
            return Err(QueryError::wrong("cards", what).right(say!("{most} is the most")));
        }
        let drawn = self.check()?;
        if self.deal {
            return self.really(drawn, control, sink);
        }
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        match self.view() {
            Some(View::Algorithm(algorithm)) => return self.by(algorithm, precision, sink),
            Some(View::Libraries) => return self.by_libraries(precision, control, sink),
            Some(View::Batches) => return self.in_batches(precision, sink),
            Some(View::Broken) => return self.biased(precision, sink),
            None => {}
        }
        let wanted = |id: &str| self.way.is_none_or(|way| way.name() == id);
        let ways = draw_by(&self.source.0, self.cards, drawn, &wanted);
        let ways = ways.map_err(QueryError::for_field("source"))?;
        let bound = ways.last().map(|way| way.cost.clone());
        let bound = bound.and_then(Result::ok).expect("the bound comes last");
        let (mut rows, mut foot) = (Vec::new(), Foot::default());
        let all = ways.len() as u64;
        for (done, way) in (0..).zip(ways) {
            control.go_on()?;
            control.progress(done, all);
            let cost = match way.cost {
                Ok(cost) => cost,
                Err(error) => {
                    foot.note(format!("{}: {error}", way.id));
                    continue;
                }
            };
            rows.push(method_row(way.id, &cost, &bound, way.name, precision)?);
        }
        sink.write_answer(&self.head(), rows, foot)
    }
}

/// The fraction, where it is known and not long.
fn short_exact(cost: &Real) -> Cell {
    if cost.exact().is_some_and(|x| x.denom().bits() <= LONGEST) {
        precision::exact(cost)
    } else {
        Cell::Empty
    }
}

/// A way to shuffle, its cost, and the cost that no way is below.
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
        short_exact(cost),
        decimal(cost, precision)?,
        decimal(&toll, precision)?,
        what
    ])
}

/// What is asked of a shuffle in place of its ways.
#[derive(Clone, Copy)]
enum View {
    Algorithm(AlgorithmId),
    Libraries,
    Batches,
    Broken,
}

impl View {
    /// The largest deck: about the same work for each.
    fn most(self) -> u64 {
        match self {
            View::Algorithm(_) | View::Batches => MOST_CARDS,
            View::Libraries => 4096,
            View::Broken => MOST_BROKEN,
        }
    }

    /// Behind "too large".
    fn called(self) -> &'static str {
        match self {
            View::Algorithm(_) => " to sum up its indices",
            View::Libraries => " for all libraries",
            View::Batches => " to cut it into batches",
            View::Broken => " to list its orders",
        }
    }
}

impl Shuffle {
    /// The cost of shuffling a whole deck with a coin.
    pub fn new(cards: u64) -> Shuffle {
        Shuffle::usual([("cards", cards.json())])
    }

    /// What is asked for in place of the ways; the first of the options, if there are several.
    fn view(&self) -> Option<View> {
        let algorithm = self.algorithm.map(View::Algorithm);
        algorithm
            .or(self.libraries.then_some(View::Libraries))
            .or(self.batches.then_some(View::Batches))
            .or(self.broken.then_some(View::Broken))
    }

    /// The largest deck.
    fn most(&self) -> u64 {
        match self.way {
            Some(ShuffleWay::RaoSandelius | ShuffleWay::MergeShuffle) => MOST_OF_ONE_WAY,
            _ => self.view().map_or(MOST, View::most),
        }
    }

    /// The columns of the ways.
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

    /// log_m K!, for any source.
    fn bound(&self) -> Real {
        let orders = product_of(1..=self.cards);
        Task::dice(self.source.get(), orders)
            .expect("dice")
            .entropy()
    }

    /// How many cards are drawn, if the options do not contradict each other.
    fn check(&self) -> Result<u64, QueryError> {
        let drawn = self.draw.unwrap_or(self.cards);
        if drawn == 0 || drawn > self.cards {
            let cards = self.cards;
            let what = say!("{drawn} cards cannot be drawn from a deck of {cards}");
            return Err(QueryError::wrong("draw", what).right(say!("1 to {cards} can")));
        }
        let views = [
            ("algorithm", self.algorithm.is_some()),
            ("way", self.way.is_some()),
            ("libraries", self.libraries),
            ("batches", self.batches),
            ("broken", self.broken),
            ("draw", self.draw.is_some() && self.view().is_some()),
            ("deal", self.deal && self.view().is_some()),
            (
                "source",
                self.source != Sides::default() && (self.libraries || self.broken),
            ),
        ];
        let mut given = views.iter().filter(|(_, given)| *given);
        if let (Some((one, _)), Some((other, _))) = (given.next(), given.next()) {
            let what = say!(field(one), " and ", field(other), " do not go together");
            return Err(QueryError::wrong(other, what).right("leave one of them out"));
        }
        if !self.deal {
            let alone = [
                ("names", !self.names.is_empty()),
                ("seed", self.seed.is_some()),
                ("input", self.input.is_some()),
            ];
            return match alone.iter().find(|(_, given)| *given) {
                Some((name, _)) => {
                    let what = say!(field(name), " is only used to deal");
                    Err(QueryError::wrong(name, what).right(say!("add ", field("deal").is(true))))
                }
                None => Ok(drawn),
            };
        }
        if self.digits.is_some() {
            let what = "cards that are dealt have no decimals";
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
                let what = format!("player {} has no name that can be printed", i + 1);
                return Err(
                    QueryError::wrong("names", what).right("letters and no comma were expected")
                );
            }
            if self.names[..i].contains(name) {
                let what = say!("the player {name} is named twice");
                return Err(QueryError::wrong("names", what).right("tell them apart"));
            }
        }
        Ok(drawn)
    }

    /// Draws the cards: one roll of a die with a side for every order, taken apart in mixed radix.
    fn really(&self, drawn: u64, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut rolls = Rolls::from_fields(self.input.as_deref(), self.seed, &self.source)?;
        let choices = (self.cards - drawn + 1)..=self.cards;
        let orders = product_of(choices.clone());
        let task =
            Task::dice(self.source.get(), orders).map_err(QueryError::for_field("source"))?;
        let prepared = FAST_DICE_ROLLER
            .prepare(&task)
            .map_err(QueryError::for_field("source"))?;
        let unit = self.source.0.unit();
        let mut used = 0u64;
        let mut roll = |sides: u128| {
            control.go_on().ok()?;
            let face = rolls.next(sides)?;
            used += 1;
            Some(face)
        };
        let rolled = prepared.play(&mut roll, None);
        control.go_on()?;
        let Some(rolled) = rolled.map_err(QueryError::for_field("source"))? else {
            let called = unit.plural();
            let right = say!("more {called} are needed");
            return Err(rolls.ran_out(called, "the cards were dealt", Some(right)));
        };
        let cards = unrank(rolled.outcome, self.cards, drawn);
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
        let mut foot = Foot::text(self.hands(&cards));
        let called = match used {
            1 => unit.singular(),
            _ => unit.plural(),
        };
        foot.note(format!("{used} {called} from {}", rolls.origin()));
        rolls.note_rest(unit.plural(), &mut foot);
        sink.write_answer(&head, cards.iter().enumerate().map(row).collect(), foot)
    }

    /// A line for every player, or one line of all cards.
    fn hands(&self, cards: &[u64]) -> String {
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

/// The order of number `rank` of the K!/(K-J)! orders of J of the cards 1 to K: the first card is
/// chosen by rank mod K, the next of those that are left by the quotient mod K - 1, and so on. One to
/// one, so that a uniform rank is a uniform order.
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

    /// Every rank is another order, and together they are all.
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
