//! Methods for shuffles: a die for every card, or for several cards at once.

use super::page::{fold_sentence, indent_lines, render_steps};
use super::ranking::largest_number_bits;
use super::{
    Advise, CARD_BY_CARD, IN_BATCHES, MAX_CARD_BY_CARD, Method, command_line, die_from,
    index_products,
};
use flipcost::algorithms::{Algorithm, Memory, find};
use flipcost::table::Costs;
use flipcost::task::{Source, Target, Task};
use flipcost_number::{BigUint, Rational, Real};
use flipcost_one_draw::questions::CostRows;
use flipcost_question::prelude::*;
use flipcost_question::value::algorithms_for;
use flipcost_streams::questions::Shuffle;
use flipcost_streams::questions::shuffle::sizes;
use flipcost_streams::{WordBatches, best_batches, greedy_batches, one_by_one};
use num_traits::{One, Zero};
use serde_json::json;

impl Advise {
    /// Returns the methods that shuffle a deck, except one roll for all orders.
    pub(super) fn shuffle_methods(
        &self,
        cards: u64,
        task: &Task,
        control: &Control,
    ) -> Result<Vec<Method>, QueryError> {
        let source = task.source();
        let mut methods = batch_methods(cards, source);
        if methods.is_empty() && source.is_fair() {
            methods.extend(self.rolled_batches(cards, task, control)?);
        }
        if cards <= MAX_CARD_BY_CARD {
            for algorithm in algorithms_for(&[], source, task.target()) {
                control.go_on()?;
                methods.extend(self.card_by_card(algorithm, cards, task));
            }
        } else if let Some(words) = one_by_one(source, cards).filter(|_| source.bits().is_some()) {
            let lemire = find("lemire").map_err(QueryError::input)?;
            methods.push(self.card_by_card_with_cost(lemire, cards, task, words, None));
        }
        Ok(methods)
    }

    /// Returns the method that makes batches by the fast dice roller. Each batch is one die for the
    /// product of as many indices as fit into it.
    fn rolled_batches(
        &self,
        cards: u64,
        task: &Task,
        control: &Control,
    ) -> Result<Option<Method>, QueryError> {
        let roller = find("fast-dice-roller").map_err(QueryError::input)?;
        let (source, about) = (task.source(), roller.about());
        let (mut mean, mut bits) = (Real::integer(0), 0);
        for (_, product) in index_products(source, cards) {
            control.go_on()?;
            let die = die_from(source, &product.into())?;
            let Ok(costs) = Costs::new(roller, &die) else {
                return Ok(None);
            };
            mean = mean.plus(costs.mean());
            bits = bits.max(largest_number_bits(about.id, &die));
        }
        let unit = source.unit().plural();
        Ok(Some(Method {
            memory: about.memory,
            number_bits: bits,
            id: format!("{}{IN_BATCHES}", about.id),
            mean,
            worst: None,
            distance: Some(Rational::zero()),
            words_joined: 1,
            gives_up: format!(
                "the randomness left over from a batch is thrown away; the number of {unit} is unbounded"
            ),
            command: String::new(),
            how: deal_instruction(source, roller, ""),
        }))
    }

    /// Returns the method that rolls one die for every card. Returns `None` if the algorithm
    /// refuses one of the dice.
    fn card_by_card(&self, algorithm: &dyn Algorithm, cards: u64, task: &Task) -> Option<Method> {
        let (mut mean, mut worst) = (Real::integer(0), Some(0u64));
        for n in 2..=cards {
            let task = Task::new(Target::uniform(n).ok()?, task.source().clone());
            let costs = Costs::new(algorithm, &task).ok()?;
            mean = mean.plus(costs.mean());
            worst = worst.zip(costs.law().max()).map(|(all, one)| all + one);
        }
        Some(self.card_by_card_with_cost(algorithm, cards, task, mean, worst))
    }

    /// Returns the method of [`Advise::card_by_card`], given its cost.
    fn card_by_card_with_cost(
        &self,
        algorithm: &dyn Algorithm,
        cards: u64,
        task: &Task,
        mean: Real,
        worst: Option<u64>,
    ) -> Method {
        let id = algorithm.about().id;
        let unit = task.source().unit().plural();
        let source = task.source();
        let columns = "n,expected_exact";
        let command = match task.words() {
            Ok(_) => command_line::<Shuffle>(json!({ "cards": cards, "algorithm": id }), source),
            Err(_) => command_line::<CostRows>(
                json!({ "target": format!("2..{cards}"), "algorithms": id, "columns": columns }),
                source,
            ),
        };
        let mut gives_up = vec!["the randomness left over from a card is thrown away".to_string()];
        if worst.is_none() {
            gives_up.push(format!("the number of {unit} is unbounded"));
        }
        let largest = die_from(source, &cards.into()).map(|die| largest_number_bits(id, &die));
        Method {
            memory: algorithm.about().memory,
            number_bits: largest.unwrap_or(0),
            id: format!("{id}{CARD_BY_CARD}"),
            mean,
            worst,
            distance: Some(Rational::zero()),
            words_joined: 1,
            gives_up: gives_up.join("; "),
            command,
            how: swap_instruction(cards, task) + render_steps(algorithm, task).as_str(),
        }
    }
}

/// Returns an instruction for using the outcome r of each die of a shuffle.
fn swap_instruction(cards: u64, task: &Task) -> String {
    let m = task.source().sides();
    let swap = format!(
        "For n = {cards} down to 2, swap card n with card r + 1. These steps return r, with m = {m}:"
    );
    fold_sentence(&swap) + "\n"
}

/// Returns an instruction for using a die for the product of several indices.
pub(super) fn deal_instruction(source: &Source, die: &dyn Algorithm, limits: &str) -> String {
    let m = source.sides();
    let most = match source.bits() {
        Some(bits) if bits > 1 => &m / 16u8,
        _ => (BigUint::one() << 62u8) / &m,
    };
    let head = format!(
        "For any deck: n is the number of cards that are left, b is the largest number of indices (or 1) for which p = n (n - 1) ... (n - b + 1) is at most {most}, and m = {m}:"
    );
    let code = [
        format!(
            "x = the outcome of a die of p sides, from 0, by {}{limits}",
            algorithm_phrase(die.about().id)
        ),
        "b times: swap card n with card (x mod n) + 1, x = floor(x / n), n = n - 1".to_string(),
    ];
    let code = code.map(|line| textwrap::fill(&line, flipcost_dice_set::page::WIDTH - 4));
    let text = indent_lines(code.iter().flat_map(|line| line.lines()));
    let steps = indent_lines(die.pseudocode().iter().copied());
    format!(
        "{}\n{text}\nThe die, of n = p sides:\n{steps}",
        fold_sentence(&head)
    )
}

/// Joins two words of up to 32 bits to one word, if the shuffle then takes fewer words. Also
/// returns the number of words that are joined.
pub(super) fn join_words(source: &Source, cards: u64) -> (Source, u64) {
    let both = source
        .bits()
        .filter(|bits| (2..=32).contains(bits))
        .and_then(|bits| Source::word(2 * bits).ok());
    let Some(both) = both else {
        return (source.clone(), 1);
    };
    let single = best_batches(source, cards).map(|batches| batches.words());
    let double = greedy_batches(&both, cards).map(|batches| batches.words());
    match (single, double) {
        (None, Some(_)) => (both, 2),
        (Some(single), Some(double))
            if double.times(&Real::integer(2)).compare(&single) == Ok(std::cmp::Ordering::Less) =>
        {
            (both, 2)
        }
        _ => (source.clone(), 1),
    }
}

/// Returns shuffles that take several indices from each word, or from two joined words: one with
/// the best sizes of batches, and one with a rule for any deck. Returns no shuffle if the source is
/// not a word, or if its words are too narrow for one index.
fn batch_methods(cards: u64, source: &Source) -> Vec<Method> {
    let Some(bits) = source.bits().filter(|bits| *bits > 1) else {
        return Vec::new();
    };
    let (source, each) = join_words(source, cards);
    let m = source.sides();
    let words = match each {
        1 => String::new(),
        _ => format!(", two words of {bits} bits as one"),
    };
    let best = best_batches(&source, cards);
    let greedy = best.as_ref().and_then(|_| greedy_batches(&source, cards));
    let sizes = best.as_ref().map(sizes).unwrap_or_default();
    let of_sizes = format!(
        "For batches of indices, {sizes}: n is the number of cards that are left, b the number of indices in the batch, and m = {m}{words}:"
    );
    let any = format!(
        "For any deck: n is the number of cards that are left, m = {m}{words}, and b is the largest number of indices (or 1) for which p is at most m / 16:"
    );
    let best = best.map(|batches| batch_method("batches", batches, &of_sizes, &source, each));
    let greedy = greedy.map(|batches| batch_method("greedy-batches", batches, &any, &source, each));
    best.into_iter().chain(greedy).collect()
}

fn batch_method(id: &str, batches: WordBatches, head: &str, source: &Source, each: u64) -> Method {
    let code = [
        "p = n (n - 1) ... (n - b + 1)",
        "repeat: x = roll()",
        "until x < m - (m mod p)",
        "b times: swap card n with card (x mod n) + 1, x = floor(x / n), n = n - 1",
    ];
    let batched = json!({ "cards": batches.cards, "batches": true });
    let unit = source.unit().plural();
    let mut all = batches.batches.iter();
    let exact = all.all(|batch| batch.accepted().is_one());
    let mut gives_up = vec!["the randomness left over from a batch is thrown away".to_string()];
    if each > 1 {
        gives_up.push("its numbers are two words long, and one is four words long".to_string());
    }
    if !exact {
        gives_up.push(format!("the number of {unit} is unbounded"));
    }
    Method {
        memory: Memory::State,
        number_bits: source.sides().bits() - 1,
        id: id.to_string(),
        mean: batches.words().times(&Real::integer(each)),
        worst: exact.then_some(each * batches.batches.len() as u64),
        distance: Some(Rational::zero()),
        words_joined: each,
        gives_up: gives_up.join("; "),
        command: if each == 1 {
            command_line::<Shuffle>(batched, source)
        } else {
            String::new()
        },
        how: format!(
            "{}\n{}",
            fold_sentence(head),
            indent_lines(code.into_iter())
        ),
    }
}
