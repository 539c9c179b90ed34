//! Methods with a bounded or a fixed number of rolls, whose outcomes are as near to the target as
//! the user requests.

use super::page::{fold_sentence, indent_lines, render_pseudocode, short_decimal};
use super::ranking::largest_number_bits;
use super::shuffles::{deal_instruction, join_words};
use super::{
    Advise, BY_WEIGHT_SUM, IN_BATCHES, Method, Prefer, STOPPED_AFTER, command_line, die_from,
    index_products,
};
use flipcost::algorithms::{Memory, find};
use flipcost::table::Costs;
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_dice_set::page::WIDTH;
use flipcost_libraries::questions::WordBias;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::prelude::*;
use num_traits::{One, Signed, Zero};
use serde_json::json;
use std::cmp::Ordering;

/// The largest number of outcomes of weights that are listed.
const MAX_LISTED_OUTCOMES: usize = 16;

/// The cost of a method that stops early: its expected rolls, the largest number of rolls, and its
/// total variation distance from the target.
struct StoppedCost {
    mean: Real,
    most: u64,
    distance: Rational,
}

impl Advise {
    /// Returns a method with the number of rolls that a total variation distance of at most
    /// `within` requires. In constant time the number of rolls is always the same. If only a bound
    /// is requested, the method stops as soon as the outcome is decided.
    pub(super) fn method_within_distance(&self, task: &Task) -> Result<Method, QueryError> {
        let most = self.max_distance();
        match (self.prefer, self.shuffle, task.target().sides()) {
            (Prefer::ConstantTime, ..) => self.fixed_roll_method(task, &most),
            (_, Some(cards @ 2..), _) => self.approximate_batches(cards, task, &most),
            (_, _, Some(_)) => {
                self.approximate_die(task, task.target(), &most, &self.target_word())
            }
            (_, _, None) if task.source().bits().is_none() => self.stopped_tree(task, &most),
            (_, _, None) => {
                let sum = task.target().weight_sum();
                let die = die_from(task.source(), sum)?;
                let method = self.approximate_die(&die, task.target(), &most, &sum.to_string())?;
                Ok(method.for_weights(task.target(), self.target.as_ref()))
            }
        }
    }

    /// Returns a method for a die whose outcomes are near the target, either directly or through
    /// partial sums of weights.
    fn approximate_die(
        &self,
        die: &Task,
        target: &Target,
        most: &Rational,
        word: &str,
    ) -> Result<Method, QueryError> {
        let wrong = QueryError::for_field("source");
        let (id, canon) = canon_within(die, target, most).map_err(wrong)?;
        let unit = die.source().unit().plural();
        let known = find(&id).map_err(QueryError::input)?;
        let costs = Costs::new(known, die).map_err(QueryError::for_field("source"))?;
        let from = match target.sides() {
            Some(_) => "fair",
            None => "the weights",
        };
        let gives_up = |distance: &Rational| -> Result<String, QueryError> {
            let distance = short_decimal(&Real::Exact(distance.clone()))?;
            Ok(format!(
                "exactness: the total variation distance from {from} is {distance}, and more {unit} make it smaller"
            ))
        };
        let is_word = die.source().bits().is_some_and(|bits| bits > 1);
        let stopped = stopped_within(die, target, most).filter(|stopped| {
            !is_word && stopped.mean.compare(&canon.mean) != Ok(Ordering::Greater)
        });
        let Some(stopped) = stopped else {
            return Ok(Method {
                distance: Some(canon.distance.clone()),
                gives_up: gives_up(&canon.distance)?,
                command: self.cost_command(&id, word, die.source()),
                how: render_pseudocode(known, die)
                    .replace("until j = t", &format!("until j = {}", canon.most)),
                ..self.method_of_algorithm(known, &costs, die)
            });
        };
        let roller = find("fast-dice-roller").map_err(QueryError::input)?;
        let costs = Costs::new(roller, die).map_err(QueryError::for_field("source"))?;
        let plain = self.method_of_algorithm(roller, &costs, die);
        let rolls = stopped.most;
        let each = count_with_noun(rolls, unit.trim_end_matches('s'));
        Ok(Method {
            id: format!("{}{STOPPED_AFTER}{each}", plain.id),
            worst: Some(rolls),
            gives_up: format!(
                "{}; two numbers are kept from one roll to the next",
                gives_up(&stopped.distance)?
            ),
            mean: stopped.mean,
            distance: Some(stopped.distance),
            // no command prints a roller that stops early
            command: String::new(),
            how: plain.how.replace("repeat:", &format!("{rolls} times:"))
                + indent_lines(["return c"].into_iter()).as_str(),
            ..plain
        })
    }

    /// Returns the Knuth-Yao tree for weights, cut off at the least depth at which the total
    /// variation distance is at most the allowed one.
    fn stopped_tree(&self, task: &Task, most: &Rational) -> Result<Method, QueryError> {
        let tree = find("knuth-yao").map_err(QueryError::input)?;
        let costs = Costs::new(tree, task).map_err(QueryError::for_field("source"))?;
        let plain = self.method_of_algorithm(tree, &costs, task);
        let m = task.words().map_err(QueryError::for_field("source"))?;
        let (sum, mut all, mut rolls) = (task.target().weight_sum(), BigUint::one(), 0u64);
        let mut mean = Rational::zero();
        // For each outcome, its undecided part w m^t mod M, out of M m^t. At the end, a single
        // outcome takes the undecided parts of all outcomes.
        let mut left: Vec<BigUint> = task
            .target()
            .weights()
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let (distance, place) = loop {
            let whole: BigUint = left.iter().sum();
            let all_of = BigInt::from(sum * &all);
            let most_left = left.iter().max().cloned().unwrap_or_default();
            let distance = Rational::new(BigInt::from(&whole - &most_left), all_of.clone());
            if distance <= *most {
                break (distance, left.iter().position(|left| *left == most_left));
            }
            mean += Rational::new(whole.into(), all_of);
            left.iter_mut().for_each(|left| *left = &*left * m % sum);
            all *= m;
            rolls += 1;
        };
        let far = short_decimal(&Real::Exact(distance.clone()))?;
        let last = self.target.as_ref().zip(place);
        let last = last.map_or(String::new(), |(target, place)| target.label(&place.into()));
        let unit = task.source().unit().plural();
        let each = count_with_noun(rolls, unit.trim_end_matches('s'));
        let end = format!("after {each}: return outcome {last}");
        Ok(Method {
            id: format!("{}{STOPPED_AFTER}{each}", plain.id),
            mean: Real::Exact(mean),
            worst: Some(rolls),
            distance: Some(distance),
            gives_up: format!(
                "exactness: the total variation distance from the weights is {far}, and more {unit} make it smaller; two numbers are kept from one roll to the next"
            ),
            command: String::new(),
            how: plain.how + indent_lines([end.as_str()].into_iter()).as_str(),
            ..plain
        })
    }

    /// Returns a shuffle in batches. Each batch is one die for the product of several indices, and
    /// its rolls are bounded.
    fn approximate_batches(
        &self,
        cards: u64,
        task: &Task,
        most: &Rational,
    ) -> Result<Method, QueryError> {
        let (source, each) = join_words(task.source(), cards);
        let is_word = source.bits().is_some_and(|bits| bits > 1);
        let runs = index_products(&source, cards);
        let share = most / Rational::from_integer(runs.len().into());
        let mut cost = StoppedCost {
            mean: Real::integer(0),
            most: 0,
            distance: Rational::zero(),
        };
        let (mut longest, mut bits) = (0, 0);
        for (_, product) in &runs {
            let die = die_from(&source, &(*product).into())?;
            let one = if is_word {
                let canon = canon_within(&die, die.target(), &share);
                canon.map_err(QueryError::for_field("source"))?.1
            } else {
                stopped_within(&die, die.target(), &share)
                    .ok_or_else(|| self.no_rule_error(task))?
            };
            cost.mean = cost.mean.plus(&one.mean);
            cost.most += one.most;
            cost.distance += one.distance;
            longest = longest.max(one.most);
            bits = bits.max(largest_number_bits(
                if is_word { "canon" } else { "fast-dice-roller" },
                &die,
            ));
        }
        let unit = task.source().unit().plural();
        let (id, die) = if is_word {
            ("canon", format!("of at most {longest} words"))
        } else {
            (
                "fast-dice-roller",
                format!("that stops after {longest} {unit} at most, with the outcome c"),
            )
        };
        let known = find(id).map_err(QueryError::input)?;
        let far = short_decimal(&Real::Exact(cost.distance))?;
        Ok(Method {
            memory: known.about().memory,
            number_bits: bits,
            id: format!("{id}{IN_BATCHES}"),
            mean: cost.mean.times(&Real::integer(each)),
            worst: Some(cost.most * each),
            distance: None,
            words_joined: each,
            gives_up: format!(
                "exactness: the total variation distance from fair is at most {far}, and more {unit} make it smaller; the randomness left over from a batch is thrown away"
            ),
            command: String::new(),
            how: deal_instruction(&source, known, &format!(" {die}"))
                .replace("until j = t", &format!("until j = {longest}"))
                .replace("repeat:", &format!("{longest} times:"))
                + if is_word { "" } else { "    return c\n" },
        })
    }

    /// Returns a shuffle in batches of several indices, each of which takes a fixed number of
    /// words. Returns `None` if the shuffle takes more than `words` words in total.
    fn fixed_roll_batches(
        &self,
        cards: u64,
        task: &Task,
        most: &Rational,
        words: u64,
    ) -> Option<Method> {
        let m = task
            .words()
            .ok()
            .filter(|_| task.source().bits().is_some())?;
        let runs = index_products(task.source(), cards);
        let (mut each, mut all) = (1u64, BigUint::from(m));
        let distance = loop {
            let far = |(_, product): &(u64, u128)| {
                let target = Target::uniform(*product).expect("a product of indices");
                distance_of_products(&target, &all)
            };
            let distance = runs.iter().map(far).sum::<Rational>();
            if distance <= *most {
                break distance;
            }
            all *= m;
            each += 1;
        };
        let rolls = each * runs.len() as u64;
        (rolls <= words).then_some(())?;
        let indices: Vec<String> = runs
            .iter()
            .map(|(indices, _)| indices.to_string())
            .collect();
        let text = [
            format!("m = {m}, M = m^{each}, n = {cards}"),
            format!("for b = {}:", indices.join(", ")),
            format!("    x = 0; {each} times: x = m x + roll()"),
            "    b times: x = n x, swap card n with card floor(x / M) + 1".to_string(),
            "        x = x mod M, n = n - 1".to_string(),
        ];
        let text = text.map(|line| textwrap::fill(&line, WIDTH - 4));
        let unit = task.source().unit().plural();
        let gives_up = if distance.is_zero() {
            format!("nothing but {unit}: the outcomes are exactly fair")
        } else {
            let far = short_decimal(&Real::Exact(distance.clone())).ok()?;
            format!(
                "exactness: the total variation distance from fair is at most {far}, and more {unit} make it smaller"
            )
        };
        Some(Method {
            memory: Memory::State,
            number_bits: all.bits(),
            id: format!("multiply-shift{IN_BATCHES}"),
            mean: Real::integer(rolls),
            worst: Some(rolls),
            distance: distance.is_zero().then(Rational::zero),
            words_joined: 1,
            gives_up,
            command: String::new(),
            how: indent_lines(text.iter().flat_map(|line| line.lines()))
                + constant_time_note(SWAP_STEPS).as_str(),
        })
    }

    /// Returns a method with a fixed number of rolls, and the steps that must run in constant time.
    fn fixed_roll_method(&self, task: &Task, most: &Rational) -> Result<Method, QueryError> {
        let unit = task.source().unit().plural();
        let m = task.words().map_err(QueryError::for_field("source"))?;
        let (mut rolls, mut all) = (0u64, BigUint::one());
        let distance = loop {
            let distance = distance_of_products(task.target(), &all);
            if distance <= *most {
                break distance;
            }
            all *= m;
            rolls += 1;
        };
        // prefer batches even at twice the cost, since their numbers have only a few words
        let short = self.shuffle.filter(|cards| *cards > 1);
        if let Some(method) =
            short.and_then(|cards| self.fixed_roll_batches(cards, task, most, 2 * rolls))
        {
            return Ok(method);
        }
        let exactly = distance.is_zero();
        let gives_up = if exactly {
            format!("nothing but {unit}: the outcomes are exactly fair")
        } else {
            let from = match task.target().sides() {
                Some(_) => "fair",
                None => "the weights",
            };
            let distance = short_decimal(&Real::Exact(distance.clone()))?;
            format!(
                "exactness: the total variation distance from {from} is {distance}, and more {unit} make it smaller"
            )
        };
        let id = match task.target().sides() {
            _ if exactly => "bounded",
            Some(_) => "multiply-shift",
            None => "inversion",
        };
        let bits = task.source().sides();
        let bits = (bits.count_ones() == 1).then(|| (bits.bits() - 1) * rolls);
        // finds an algorithm that always takes this many rolls; no command prints the method that
        // multiplies the rolls of a die
        let steady = |id: &&str| {
            let law = find(id).ok().and_then(|algorithm| algorithm.law(task).ok());
            law.is_some_and(|law| {
                law.mean_real().exact() == Some(&Rational::from_integer(rolls.into()))
            })
        };
        let word = self.target_word();
        let command = match bits {
            _ if exactly => (["bounded", "base-conversion"].iter().find(|id| steady(id)))
                .map_or(String::new(), |id| {
                    self.cost_command(id, &word, task.source())
                }),
            Some(bits @ 1..=8192) if id == "multiply-shift" => {
                command_line::<WordBias>(json!({ "target": word, "words": bits }), &Source::COIN)
            }
            _ => String::new(),
        };
        let how = self.fixed_roll_steps(task, m, rolls, &all);
        Ok(Method {
            memory: Memory::State,
            number_bits: all.bits() + task.target().weight_sum().bits(),
            id: id.to_string(),
            mean: Real::integer(rolls),
            worst: Some(rolls),
            distance: Some(distance),
            words_joined: 1,
            gives_up,
            command,
            how,
        })
    }

    /// Returns the steps for this number of rolls of a source with m faces; `all` is the number of
    /// possible results of these rolls.
    fn fixed_roll_steps(&self, task: &Task, m: u128, rolls: u64, all: &BigUint) -> String {
        let read = match rolls {
            1 => "x = roll()".to_string(),
            rolls => format!("x = 0; {rolls} times: x = {m} x + roll()"),
        };
        let (steps, care) = match (self.shuffle, task.target().sides()) {
            (Some(cards), _) => (
                format!(
                    "{read}\nM = {m}^{rolls}\nfor n = {cards} down to 2:\n    x = n x, swap card n with card floor(x / M) + 1\n    x = x mod M"
                ),
                SWAP_STEPS,
            ),
            (None, Some(_)) => (
                format!("c = 0; {rolls} times: c = floor((roll() n + c) / {m})\nreturn c"),
                "the product with n and the division by m, for all rolls",
            ),
            (None, None) => {
                let thresholds = outcome_thresholds(task.target(), all);
                let compare = format!(
                    "count how many of these numbers are at most x, and return the outcome with that number, from 0: {thresholds}"
                );
                (
                    format!("{read}\n{}", textwrap::fill(&compare, WIDTH - 4)),
                    "the comparisons, all of which are made for every x",
                )
            }
        };
        indent_lines(steps.lines()) + constant_time_note(care).as_str()
    }
}

impl Method {
    /// Converts a method for a die whose number of sides is the sum of the weights to a method for
    /// the weights.
    pub(super) fn for_weights(self, target: &Target, text: Option<&TargetText>) -> Method {
        let sum = target.weight_sum();
        let mut sums = format!(
            "with x the outcome of this die of {} sides, count how many of these numbers are at most x, and return the outcome with that number, from 0: {}",
            flipcost_number::short::short(sum),
            outcome_thresholds(target, sum)
        );
        if let Some(text) = text.filter(|text| text.is_labelled()) {
            let labels = 0..MAX_LISTED_OUTCOMES.min(target.weights().map_or(0, <[_]>::len));
            let labels: Vec<String> = labels.map(|i| text.label(&i.into())).collect();
            sums += &format!("; the outcomes in order are {}", labels.join(", "));
        }
        let sums = textwrap::fill(&sums, WIDTH - 4);
        Method {
            id: format!("{}{}", self.id, BY_WEIGHT_SUM),
            how: self.how + indent_lines(sums.lines()).as_str(),
            ..self
        }
    }
}

/// The steps of a shuffle that must run in constant time.
const SWAP_STEPS: &str = "the product with n, which is carried from word to word, and each swap, which reads and writes all cards up to n";

fn constant_time_note(what: &str) -> String {
    fold_sentence(&format!(
        "\nThese must run in constant time: {what}; and everything that uses the outcome: no branch and no memory address may depend on the outcome."
    )) + "\n"
}

/// Returns Canon's method with the least number of words for which the distance is at most `most`:
/// the id of the algorithm, and its cost.
fn canon_within(
    die: &Task,
    target: &Target,
    most: &Rational,
) -> Result<(String, StoppedCost), Refusal> {
    let m = die.words()?;
    let (mut rolls, mut all) = (0u64, BigUint::one());
    let distance = loop {
        let distance = distance_of_products(target, &all);
        if distance <= *most {
            break distance;
        }
        all *= m;
        rolls += 1;
    };
    let id = match rolls {
        2 => "canon".to_string(),
        rolls => format!("canon:t={}", rolls.max(1)),
    };
    let known = find(&id).map_err(|error| Refusal::Rule(error.to_string()))?;
    let mean = known.law(die)?.mean_real();
    Ok((
        id,
        StoppedCost {
            mean,
            most: rolls,
            distance,
        },
    ))
}

/// Returns the fast dice roller, stopped after the least number of rolls for which the distance is
/// at most `most`. When it is stopped, its outcome is c. It continues after t rolls with
/// probability v / m^t; then c is uniform below v.
fn stopped_within(die: &Task, target: &Target, most: &Rational) -> Option<StoppedCost> {
    let (m, n) = (die.words().ok()?, die.target().sides()?);
    let (mut v, mut all, mut rolls) = (BigUint::one(), BigUint::one(), 0);
    let mut mean = Rational::zero();
    let distance = loop {
        let undecided = Rational::new(v.clone().into(), all.clone().into());
        let distance = &undecided * distance_below(target, &v);
        if distance <= *most {
            break distance;
        }
        mean += undecided;
        v = v * m % n;
        all *= m;
        rolls += 1;
    };
    Some(StoppedCost {
        mean: Real::Exact(mean),
        most: rolls,
        distance,
    })
}

/// Returns the first number of each outcome of weights, except of the first outcome: ceil(all
/// (a_1 + ... + a_i) / M). If there are many outcomes, only the first numbers are listed.
fn outcome_thresholds(target: &Target, all: &BigUint) -> String {
    let sum = target.weight_sum();
    let sums = partial_sums(target);
    let begins = sums[..sums.len() - 1].iter();
    let begins = begins.map(|upto| ((upto * all + sum - 1u8) / sum).to_string());
    let mut shown: Vec<String> = begins.take(MAX_LISTED_OUTCOMES).collect();
    if sums.len() > MAX_LISTED_OUTCOMES + 1 {
        shown.push("... ceil(m^k (a_1 + ... + a_i) / M)".to_string());
    }
    shown.join(", ")
}

/// Returns the partial sums a_1, a_1 + a_2, ..., M.
pub(super) fn partial_sums(target: &Target) -> Vec<BigUint> {
    let mut upto = BigUint::zero();
    let weights = target.weights().into_iter().flatten();
    let sum = weights.map(|weight| {
        upto += weight;
        upto.clone()
    });
    sum.collect()
}

/// Returns the total variation distance between weights and the outcomes of a number that is
/// uniform below v. Here v is at most the sum of the weights.
fn distance_below(target: &Target, v: &BigUint) -> Rational {
    let sum = target.weight_sum();
    if target.sides().is_some() {
        return Rational::new((sum - v).into(), sum.clone().into());
    }
    let within = |upto: &BigUint| upto.min(v).clone();
    total_variation_of_cases(target, within, v)
}

/// Returns the total variation distance of floor(x n / all) from a fair target, for x uniform below
/// `all`. For weights, x is converted to an outcome: the number of partial sums that are at most x
/// M / all.
fn distance_of_products(target: &Target, all: &BigUint) -> Rational {
    let sum = target.weight_sum();
    if let Some(n) = target.sides() {
        let r = all % n;
        return Rational::new((&r * (n - &r)).into(), (n * all).into());
    }
    // x gives this outcome or an earlier one if x M < upto all
    total_variation_of_cases(target, |upto| (upto * all + sum - 1u8) / sum, all)
}

/// Returns the total variation distance between weights and outcomes. For each partial sum, `cases`
/// returns how many of the `all` cases give an outcome up to this sum.
fn total_variation_of_cases(
    target: &Target,
    cases: impl Fn(&BigUint) -> BigUint,
    all: &BigUint,
) -> Rational {
    let sum = target.weight_sum();
    let (mut last, mut low) = (BigUint::zero(), BigUint::zero());
    let mut twice = BigInt::zero();
    for upto in partial_sums(target) {
        let below = cases(&upto);
        let more = BigInt::from((&below - &last) * sum) - BigInt::from((&upto - &low) * all);
        twice += more.abs();
        (last, low) = (below, upto);
    }
    Rational::new(twice, BigInt::from(sum * all) * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(source: &str, target: &str) -> Task {
        Task::new(target.parse().unwrap(), source.parse().unwrap())
    }

    /// The distance equals the bias of the algorithm's own law.
    #[test]
    fn the_distance_of_canon_equals_its_bias() {
        for (source, n) in [
            ("word:8", "6"),
            ("word:8", "100"),
            ("d6", "7"),
            ("word:32", "52"),
        ] {
            let die = task(source, n);
            for within in [4u32, 100, 1 << 20] {
                let most = Rational::new(1.into(), within.into());
                let (id, cost) = canon_within(&die, die.target(), &most).unwrap();
                let costs = Costs::new(find(&id).unwrap(), &die).unwrap();
                let bias = costs
                    .bias()
                    .expect("7 divides no power of 6")
                    .total_variation();
                assert_eq!(cost.distance, bias, "{n} from {source} by {id}");
                assert!(cost.distance <= most);
                assert_eq!(cost.mean.exact(), costs.mean().exact());
            }
        }
    }

    /// Tests the weights 1:2:3 from a d6 by partial sums, and from words that are so short that all
    /// cases can be counted.
    #[test]
    fn distances_by_sums_agree_with_counting_all_cases() {
        let target: Target = "1:2:3".parse().unwrap();
        for bits in 1..10u32 {
            let all = 1u64 << bits;
            let mut counts = [0u64; 3];
            for x in 0..all {
                let die = x * 6 / all;
                counts[[0, 1, 1, 2, 2, 2][die as usize]] += 1;
            }
            let far: u64 = (counts.iter().zip([1, 2, 3]))
                .map(|(count, weight)| (count * 6).abs_diff(weight * all))
                .sum();
            let expected = Rational::new(far.into(), (12 * all).into());
            assert_eq!(
                distance_of_products(&target, &all.into()),
                expected,
                "{bits}"
            );
        }
    }
}
