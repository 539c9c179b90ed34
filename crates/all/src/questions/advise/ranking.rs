//! Chooses the recommended method: among methods whose costs hardly differ, the one with the least
//! work.

use super::{Advise, CARD_BY_CARD, IN_BATCHES, Method, Prefer};
use flipcost::algorithms::Memory;
use flipcost::task::Task;
use flipcost_number::{Rational, Real};
use num_traits::One;
use std::cmp::Ordering;

/// The effort of plain rejection, that is, the rank of the work of one attempt: see
/// `Memory::OneAttempt`.
const PLAIN_REJECTION_EFFORT: u8 = 7;
/// The number of bits of a machine word.
pub(super) const WORD_BITS: u64 = 64;
/// Methods that cost more than the cheapest method times this number are not shown.
const MAX_COST_RATIO: u32 = 1_000_000;

/// The amount of work of a method. Values are ordered so that the method with the least work comes
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AdviceWork {
    /// The size of the largest number: 0 if it fits in one machine word, 1 for two words, 2 for
    /// more.
    numbers: u8,
    /// Whether the method divides for every word, where other methods divide only sometimes.
    divides: bool,
    effort: u8,
}

/// Returns the bits of the largest number in the computation of a method.
pub(super) fn largest_number_bits(id: &str, task: &Task) -> u64 {
    let m = task.source().sides();
    let n = task.target().weight_sum();
    // the bits of numbers below m and below n
    let (m, n) = ((&m - 1u8).bits().max(1), (n - 1u8).bits().max(1));
    match id {
        // each half of a product fits into a machine word
        "lemire" | "mask-reject" | "modulo-reject" => m.max(n),
        "canon" => m * 2,
        "fast-dice-roller" | "interval" | "knuth-yao" => n + m,
        _ => n.div_ceil(m) * m,
    }
}

fn method_work(method: &Method, task: &Task) -> AdviceWork {
    let word = WORD_BITS.max((task.source().sides() - 1u8).bits());
    let optimum = match task.target().sides() {
        Some(_) => "fast-dice-roller",
        None => "knuth-yao",
    };
    let id = method.id.split(", ").next().unwrap_or_default();
    let numbers = match method.number_bits.div_ceil(word) {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    };
    let by_quotient = match id {
        "modulo-reject" => true,
        // if all numbers fit in one word, this method is the same rule as modulo-reject
        "base-conversion" | "base-conversion-early" => numbers == 0,
        _ => false,
    };
    AdviceWork {
        numbers,
        divides: by_quotient && task.source().bits().is_some(),
        effort: match method.memory {
            Memory::OneAttempt { effort } if effort <= PLAIN_REJECTION_EFFORT => effort,
            _ if method.id == optimum => PLAIN_REJECTION_EFFORT + 1,
            _ => PLAIN_REJECTION_EFFORT + 2,
        },
    }
}

/// Returns whether `mean` exceeds `least` by at most the fraction `part` of `least`.
fn is_near_least(mean: &Real, least: &Real, part: &Rational) -> bool {
    let limit = least.times(&Real::Exact(part + Rational::one()));
    mean.compare(limit)
        .is_ok_and(|order| order != Ordering::Greater)
}

impl Advise {
    /// Returns the index of the recommended method, among methods sorted by cost.
    pub(super) fn recommend_method(&self, methods: &[Method], task: &Task) -> Option<usize> {
        let cards = (methods.iter()).any(|method| method.id.ends_with(CARD_BY_CARD));
        let alike = |method: &&Method| method.id.ends_with(CARD_BY_CARD) == cards;
        // even a simple method is not recommended if it costs more than four times as much as
        // another method
        let dear = Rational::from_integer(3.into());
        let least = methods.iter().find(alike).map(|method| &method.mean);
        let effort = |method: &Method| match method.memory {
            Memory::OneAttempt { effort }
                if alike(&method)
                    && least.is_some_and(|least| is_near_least(&method.mean, least, &dear)) =>
            {
                Some(effort)
            }
            _ => None,
        };
        // one roll for all orders gives a number, not a shuffled deck
        let wanted = |method: &Method| self.shuffle.is_none() || method.is_shuffle();
        let any = methods.iter().any(wanted);
        // among the methods that pass and cost about as much as the cheapest of these, choose the
        // one with the least work
        let best = |part: &Rational, passes: &dyn Fn(&Method) -> bool| {
            let passing = methods.iter().enumerate();
            let passing = passing.filter(|(_, method)| !any || wanted(method));
            let passing: Vec<_> = passing.filter(|(_, method)| passes(method)).collect();
            let least = &passing.first()?.1.mean;
            let tied = passing
                .iter()
                .filter(|(_, method)| is_near_least(&method.mean, least, part));
            tied.map(|(place, method)| (method_work(method, task), *place))
                .min()
        };
        match self.prefer {
            Prefer::Rolls => {
                let tied = best(&self.cost_tolerance(), &|_| true)?;
                // if the best method has long numbers, prefer another method that costs almost the
                // same; for a shuffle, one that costs at most twice as much
                let part = match self.shuffle {
                    Some(_) => Rational::one(),
                    None => Rational::new(1.into(), 100.into()),
                };
                let is_short = |method: &Method| method_work(method, task).numbers < 2;
                let short = best(&self.cost_tolerance(), &is_short).filter(|(_, place)| {
                    tied.0.numbers == 2
                        && is_near_least(&methods[*place].mean, &methods[tied.1].mean, &part)
                });
                Some(short.unwrap_or(tied).1)
            }
            Prefer::Bounded => {
                Some(best(&self.cost_tolerance(), &|method| method.worst.is_some())?.1)
            }
            // a method with a fixed number of rolls has no loop: see `within_distance`
            Prefer::ConstantTime => None,
            Prefer::NoMemory => best(&self.cost_tolerance(), &|method| effort(method).is_some())
                .map(|(_, place)| place)
                .or_else(|| Some(best(&self.cost_tolerance(), &|_| true)?.1)),
            Prefer::Simple => {
                let efforts = methods.iter().map(effort).enumerate();
                let known = efforts.filter_map(|(place, effort)| Some((effort?, place)));
                let least = known.min().map(|(_, place)| place);
                least.or_else(|| Some(best(&self.cost_tolerance(), &|_| true)?.1))
            }
        }
    }

    /// Explains why another method was not chosen.
    pub(super) fn explain_objection(&self, best: &Method, other: &Method, task: &Task) -> String {
        let unit = task.source().unit().plural();
        let (chosen, beside) = (method_work(best, task), method_work(other, task));
        let longer = format!("it computes with numbers of {} bits", other.number_bits);
        if best.worst.is_some() && other.worst.is_none() && self.prefer == Prefer::Bounded {
            return format!("its number of {unit} is unbounded");
        }
        let ratio = other.mean.over(&best.mean);
        if !is_near_least(&other.mean, &best.mean, &self.cost_tolerance()) {
            let percent = (ratio.minus(&Real::integer(1))).times(&Real::integer(100));
            let double = ratio.compare(2).is_ok_and(|order| order != Ordering::Less);
            let (value, what) = if double {
                (ratio, "times as many")
            } else {
                (percent, "% more")
            };
            let value = value.decimals(1).unwrap_or_default();
            return format!("it takes {value} {what} {unit}");
        }
        if beside.numbers > chosen.numbers {
            return longer;
        }
        if beside.divides && !chosen.divides {
            return "it divides for every word".to_string();
        }
        match other.memory {
            Memory::TwoNumbers => "it keeps two numbers from one roll to the next".to_string(),
            _ if beside > chosen => "an attempt takes more operations".to_string(),
            _ => format!("it saves no noticeable number of {unit}"),
        }
    }

    /// Removes all methods that cost more than a million times as much as the best method, except
    /// the recommended one. Returns the ids of the removed methods.
    pub(super) fn remove_expensive(methods: &mut Vec<Method>) -> Vec<String> {
        let Some(best) = methods.first().map(|method| method.mean.clone()) else {
            return Vec::new();
        };
        let far = Rational::from_integer(MAX_COST_RATIO.into());
        let (kept, left): (Vec<_>, Vec<_>) = std::mem::take(methods)
            .into_iter()
            .partition(|method| is_near_least(&method.mean, &best, &far));
        *methods = kept;
        left.into_iter().map(|method| method.id).collect()
    }
}

impl Method {
    /// Returns whether the method swaps cards.
    pub(super) fn is_shuffle(&self) -> bool {
        self.id.ends_with(CARD_BY_CARD)
            || self.id.ends_with(IN_BATCHES)
            || self.id.ends_with("batches")
    }

    /// Returns whether the method always takes the same number of rolls.
    pub(super) fn has_fixed_rolls(&self) -> bool {
        let worst = self.worst.map(|worst| Rational::from_integer(worst.into()));
        worst.is_some() && self.mean.exact() == worst.as_ref()
    }
}
