//! The question `advise`: which method to use, on one page.

mod code;
mod methods;
mod near;
mod optimum;
mod page;
mod ranking;
mod shuffles;
mod unknown;

use flipcost::algorithms::Memory;
use flipcost::algorithms::{Purpose, find};
use flipcost::table::Precision;
use flipcost::task::{Source, Target, Task};
use flipcost_dice_set::Dice;
use flipcost_number::rationals::product_of;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_one_draw::questions::Cost;
use flipcost_question::Probability;
use flipcost_question::description::FieldPairs;
use flipcost_question::prelude::*;
use num_traits::{One, Zero};

pub use code::CodeLanguage;

question! {
    /// Which method to use: its exact cost, its drawbacks and its steps, on one page
    ///
    /// The method to use for a target, a shuffle or a number of random bits. The first row is the
    /// recommended method; the others were compared with it. The document of the answer is a page
    /// with the cost, the drawbacks and the steps of the method, and the command behind every
    /// number.
    pub struct Advise: "advise" {
        /// The target: the sides of a fair die, or weights.
        target: Option<TargetText>; TARGET,
        /// Advise on a shuffle of this many cards instead of N
        shuffle: Option<u64>; option("CARDS"),
        /// Advise on this many random bits, such as a seed or a key, instead of N
        bits: Option<u64>; option("BITS"),
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The available dice, as in 6,10
        dice: Option<Dice>; option("DICE"),
        /// What matters most: few rolls; a bound on the rolls; nothing to remember but the rolls of
        /// the current attempt; little work; or always the same number of rolls
        prefer: Prefer = Prefer::Rolls; option("WHAT"),
        /// Costs within this fraction of the least count as equal; of these methods, the one with
        /// the least work is chosen [default: 0.1 %]
        tolerance: Option<Probability>; option("P"),
        /// The largest total variation distance of a method that is not exact, with the preference
        /// `bounded` or `constant-time` [default: 2^-64]
        within: Option<Probability>; option("P"),
        /// Also print the method as a function, and the functions of the language's library
        language: Option<CodeLanguage>; option("LANGUAGE"),
        /// Also print why each of the other methods was not chosen
        explain: bool; flag(),
    }
    purpose: Libraries
    examples: [
        "advise 6 --coin",
        "advise --bits 256 --dice 6",
        "advise --shuffle 52 --source word:64 --prefer simple",
        "advise 10^9 --source word:64 --language go",
    ]
}

choices! {
    /// How the user prefers some methods to others.
    ///
    /// ```
    /// use flipcost_all::questions::Prefer;
    /// assert_eq!("constant-time".parse::<Prefer>()?, Prefer::ConstantTime);
    /// # Ok::<(), flipcost_question::ChoiceError>(())
    /// ```
    pub enum Prefer {
        /// The fewest rolls on average, ignoring differences too small to notice.
        Rolls = "rolls",
        /// A bound on the rolls.
        Bounded = "bounded",
        /// Remember only the rolls of the current attempt.
        NoMemory = "no-memory",
        /// As little to do as possible.
        Simple = "simple",
        /// Always the same number of rolls, without branches, so that timing does not reveal a
        /// secret.
        ConstantTime = "constant-time",
    }
}

/// The number of cards of the largest deck for which every algorithm is costed card by card.
const MAX_CARD_BY_CARD: u64 = 200;
/// The number of cards of the largest deck.
const MAX_CARDS: u64 = 10_000;
/// The largest number of random bits.
const MAX_BITS: u64 = 1 << 16;
/// Suffix of the id of a method that rolls a die for every card.
const CARD_BY_CARD: &str = ", card by card";

/// Suffix of the id of a method that rolls a die for several cards.
const IN_BATCHES: &str = ", in batches";
/// Suffix of the id of a method that rolls a die whose number of sides is the sum of the weights.
const BY_WEIGHT_SUM: &str = ", by sums";
/// The number of steps of a search, which takes about a tenth of a second.
const SEARCH_STEPS: u64 = 100_000;
/// The id of the best rule of any form.
const OPTIMAL_ID: &str = "optimal";
/// Suffix of the id of the fast dice roller that stops after some rolls.
const STOPPED_AFTER: &str = ", stopped after ";

/// A method with its cost.
struct Method {
    id: String,
    memory: Memory,
    /// The number of bits of the largest number in the computation.
    number_bits: u64,
    mean: Real,
    worst: Option<u64>,
    /// The total variation distance from the target. It is `None` if only a bound is known, which
    /// `gives_up` states.
    distance: Option<Rational>,
    /// The number of words that are joined to one longer word.
    words_joined: u64,
    gives_up: String,
    command: String,
    /// The steps of the method.
    how: String,
}

impl Method {
    /// Returns whether a user of the method must know the probabilities of the source.
    fn needs_probabilities(&self) -> bool {
        !find(&self.id).is_ok_and(|known| known.purpose() == Purpose::UnknownSources)
    }
}

impl Question for Advise {
    fn summary(&self, answer: &Answer) -> String {
        let method = answer.cell(0, "method").to_string();
        let what = match (&self.target, self.shuffle, self.bits) {
            (Some(target), ..) => target.with_article(),
            (_, Some(cards), _) => format!("a deck of {cards} cards in random order"),
            (.., bits) => format!("{} random bits", bits.unwrap_or_default()),
        };
        let from = match &self.dice {
            Some(dice) => dice_phrase(&dice.to_string()),
            None => self.source.0.with_article(),
        };
        let method = match method.split_once(", ") {
            Some((id, rest)) => format!("{}, {rest}", algorithm_phrase(id)),
            None if method == "batches" => "batches of indices".to_string(),
            None if method == "greedy-batches" => "batches of as many indices as fit".to_string(),
            None if method == OPTIMAL_ID => "the best rule of all".to_string(),
            None if method == "plan" => "the recipe of flipcost plan".to_string(),
            None => algorithm_phrase(&method),
        };
        match answer.measure(0, "expected") {
            Some(cost) => format!("for {what} from {from} take {method}: {cost} on average"),
            None => format!("for {what} from {from} take {method}"),
        }
    }

    fn estimate(&self) -> Estimate {
        let bits = match (&self.target, self.shuffle, self.bits) {
            (Some(target), _, _) => target.size().1,
            (_, Some(cards), _) => u128::from(cards.min(MAX_CARDS)) * 14,
            (_, _, bits) => bits.unwrap_or(0).min(MAX_BITS).into(),
        };
        let fractions = 1u128 << 23;
        Estimate::space(100 * bits + fractions, 20 * (bits + 1000) + fractions)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if self.source.0.is_unknown() {
            return self.answer_unknown_source(control, sink);
        }
        self.check_within()?;
        let (target, called) = self.target_and_title()?;
        control.go_on()?;
        let (unit, mut methods, entropy, task) = match &self.dice {
            Some(dice) if dice.get().len() > 1 => {
                let (unit, methods, entropy) = self.methods_for_dice(dice, &target, control)?;
                let source = Source::die(dice.get()[0]).map_err(QueryError::for_field("dice"))?;
                (unit, methods, entropy, Task::new(target, source))
            }
            dice => {
                let source = match dice {
                    Some(dice) => {
                        Source::die(dice.get()[0]).map_err(QueryError::for_field("dice"))?
                    }
                    None => self.source.0.clone(),
                };
                let task = Task::new(target, source.clone());
                let methods = self.methods_for_source(&task, control)?;
                (source.unit().plural(), methods, task.entropy(), task)
            }
        };
        control.go_on()?;
        let left_out = Advise::remove_expensive(&mut methods);
        let best = methods.remove(0);
        let page = self.render_page(&called, &best, &methods, &entropy, &task)?;
        let is_loaded = self.source.0.law().is_some();
        let mut head = Head::new()
            .column("method", CellKind::Text)
            .measured("expected_exact", CellKind::Exact, unit)
            .answers()
            .measured("expected", CellKind::Decimal, unit)
            .answers()
            .measured("worst_case", CellKind::Count, unit)
            .answers()
            .column("total_variation_exact", CellKind::Exact)
            .column("total_variation", CellKind::Decimal)
            .columns(CellKind::Text, ["gives_up", "command"]);
        if is_loaded {
            head = head.column("needs_load", CellKind::Flag).answers();
        }
        if self.explain {
            head = head.column("why_not", CellKind::Text).answers();
        }
        if self.language.is_some() {
            head = head.column("code", CellKind::Text);
        }
        let rows = std::iter::once(&best).chain(&methods).map(|method| {
            let mut row = method_row(method)?;
            if is_loaded {
                row.push(Cell::Flag(method.needs_probabilities()));
            }
            if self.explain {
                let is_best = std::ptr::eq(method, &best);
                let why = (!is_best).then(|| self.explain_objection(&best, method, &task));
                row.push(why.map_or(Cell::Empty, Cell::Text));
            }
            if let Some(language) = self.language {
                row.push(Cell::Text(self.render_function(language, method, &task)));
            }
            Ok(row)
        });
        let mut foot = Foot::text(page);
        if !left_out.is_empty() {
            foot.note(format!(
                "left out, since they cost more than a million times as much as the best: {}",
                left_out.join(", ")
            ));
        }
        self.note_on_optimum(&best, &mut foot);
        sink.write_answer(&head, rows.collect::<Result<_, QueryError>>()?, foot)
    }
}

impl Advise {
    fn check_within(&self) -> Result<(), QueryError> {
        let near = matches!(self.prefer, Prefer::Bounded | Prefer::ConstantTime);
        if self.within.is_some() && !near {
            let what = say!(field("within"), " applies to methods that are not exact");
            let right = say!(
                field("prefer").is("bounded"),
                " or ",
                field("prefer").is("constant-time"),
                " was expected with it"
            );
            return Err(QueryError::wrong("within", what).right(right));
        }
        if self
            .within
            .as_ref()
            .is_some_and(|most| most.get().is_zero())
        {
            let what = "a distance of 0 would be exact";
            return Err(QueryError::wrong("within", what)
                .right("a distance above 0 was expected, such as 2^-128"));
        }
        Ok(())
    }

    /// Adds a note that says whether another rule for a loaded die may cost less.
    fn note_on_optimum(&self, best: &Method, foot: &mut Foot) {
        if let (Some(of), Some(_)) = (&self.target, self.source.0.law()) {
            let optimal = Cost {
                optimal: true,
                ..Cost::new(of.clone(), self.source.clone())
            };
            foot.note(if best.id == OPTIMAL_ID {
                say!("no rule costs less: ", optimal, " proves it")
            } else {
                say!(
                    "the best rule of all may cost less: ",
                    optimal,
                    " searches for it"
                )
            });
        }
    }
}

fn method_row(method: &Method) -> Result<Vec<Cell>, QueryError> {
    let worst = method.worst;
    Ok(row![
        method.id.clone(),
        match method.mean.exact() {
            Some(mean) if mean.denom().bits() <= 256 => exact_cell(&method.mean),
            _ => Cell::Empty,
        },
        decimal(&method.mean, Precision::default())?,
        Cell::or_infinite(worst),
        method.distance.as_ref().map_or(Cell::Empty, Cell::from),
        method
            .distance
            .as_ref()
            .map_or(Ok(Cell::Empty), |distance| {
                decimal(&Real::Exact(distance.clone()), Precision::default())
            })?,
        method.gives_up.clone(),
        method.command.clone()
    ])
}

impl Advise {
    /// Returns the target, and its name in a title.
    fn target_and_title(&self) -> Result<(Target, String), QueryError> {
        if self.source != Sides::default() && self.dice.is_some() {
            let wrong = QueryError::wrong("dice", "a source and dice were both given");
            return Err(wrong.right("choose one of them"));
        }
        let fair = |n: BigUint| Target::uniform(n).map_err(QueryError::input);
        match (&self.target, self.shuffle, self.bits) {
            (Some(target), None, None) => Ok((target.checked()?.clone(), target.with_article())),
            (None, Some(cards @ 1..=MAX_CARDS), None) => {
                let orders = product_of(1..=cards);
                Ok((fair(orders)?, format!("a shuffle of {cards} cards")))
            }
            (None, Some(cards), None) => {
                let what = say!("advice is not available for a deck of {cards} cards");
                Err(QueryError::wrong("shuffle", what)
                    .right(say!("1 to {MAX_CARDS} cards were expected")))
            }
            (None, None, Some(bits @ 1..=MAX_BITS)) => {
                Ok((fair(BigUint::one() << bits)?, format!("{bits} random bits")))
            }
            (None, None, Some(bits)) => {
                let what = say!("advice is not available for {bits} random bits");
                Err(QueryError::wrong("bits", what)
                    .right(say!("1 to {MAX_BITS} bits were expected")))
            }
            _ => Err(
                QueryError::wrong("target", "advice is about one thing").right(say!(
                    "a target, ",
                    field("shuffle").with_word("CARDS"),
                    " or ",
                    field("bits").with_word("BITS")
                )),
            ),
        }
    }

    /// Returns the tolerance: costs that exceed the least cost by at most this fraction of it count
    /// as equal.
    fn cost_tolerance(&self) -> Rational {
        let wanted = self.tolerance.as_ref().map(|part| part.get().clone());
        wanted.unwrap_or_else(|| Rational::new(1.into(), 1000.into()))
    }

    /// Returns the largest total variation distance of a method that is not exact.
    fn max_distance(&self) -> Rational {
        let wanted = self.within.as_ref().map(|most| most.get().clone());
        wanted.unwrap_or_else(|| Rational::new(1.into(), (BigUint::one() << 64u32).into()))
    }

    /// Returns the target in the notation of the commands.
    fn target_word(&self) -> String {
        match (&self.target, self.shuffle, self.bits) {
            (Some(target), ..) => target.to_string(),
            (_, Some(cards), _) => format!("{cards}!"),
            (.., bits) => format!("2^{}", bits.unwrap_or(0)),
        }
    }
}

/// Splits the indices of a shuffle into groups and returns the number of indices and their product
/// for each group. Each product is rolled as one die. With words, a product is at most a sixteenth
/// of the number of values of a word. With other sources, it is so small that the roller's numbers
/// fit in 62 bits.
fn index_products(source: &Source, cards: u64) -> Vec<(u64, u128)> {
    let m = source.in_a_word().unwrap_or(u128::MAX);
    let most = match source.bits() {
        Some(bits) if bits > 1 => m / 16,
        _ => (1 << 62) / m,
    };
    flipcost_streams::greedy_products(cards, most)
}

/// Returns the task of a fair die from this source.
fn die_from(source: &Source, sides: &BigUint) -> Result<Task, QueryError> {
    let target = Target::uniform(sides.clone()).map_err(QueryError::input)?;
    Ok(Task::new(target, source.clone()))
}

/// Returns the command line of a question about this source.
fn command_line<Q: Described>(mut asked: serde_json::Value, source: &Source) -> String {
    if *source != Source::COIN {
        asked["source"] = source.to_string().into();
    }
    let question = FieldPairs::from_json_object("", &asked)
        .and_then(|pairs| Q::from_pairs(pairs, Names::default()));
    question
        .expect("the question is well formed")
        .line()
        .to_string()
}
