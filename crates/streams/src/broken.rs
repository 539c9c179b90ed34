//! Shuffles that are not uniform, with the exact law of their orders for a few cards.
//!
//! Each shuffle rearranges the deck in steps that do not depend on the cards: a step is a list of
//! rearrangements with integer weights. The probability of an order is the sum of the weights of
//! all paths to it, divided by the product of the steps' total weights.
//!
//! - `swap-any`: for each place, a swap with any of the K places; there are K^K paths.
//! - `sattolo`: for each place, beginning with the last, a swap with a place before it, never with
//!   itself. This off-by-one error gives only cycles of length K (Sattolo 1986).
//! - `sort-insertion`, `sort-binary-insertion`, `sort-merge`: a sort whose comparisons are flips of
//!   a fair coin. The insertion sorts move each card from the second on to the left.
//!   `sort-insertion` moves the card past one card after another, until a flip or the left end
//!   stops it. `sort-binary-insertion` finds its place among the cards before it by bisection: at
//!   first low = 0 and high is the number of these cards; then each flip sets either high =
//!   floor((low + high)/2) or low = floor((low + high)/2) + 1, until they are equal. `sort-merge`
//!   sorts the first floor(K/2) cards and the other cards in the same way, and merges the two
//!   halves by a flip for each card, until one half is empty.

use flipcost::law::{OutcomeClass, OutcomeLaw};
use flipcost_number::{BigUint, Rational};
use std::collections::{BTreeMap, HashMap};

/// The maximum number of cards for which all orders of a deck are counted.
pub const MAX_BROKEN: u64 = 8;

/// A shuffle that is not uniform.
///
/// ```
/// use flipcost::law::Bias;
/// let shuffles = flipcost_streams::broken(3);
/// let any = shuffles.iter().find(|one| one.id == "swap-any").unwrap();
/// let bias = Bias::new(&any.law, 6);
/// // 27 paths to 6 orders: three have 5, three have 4
/// assert_eq!(bias.ratio().unwrap().to_string(), "5/4");
/// assert_eq!(bias.total_variation().to_string(), "1/18");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The id of the shuffle, from the list in this file.
    pub id: &'static str,
    /// A description of the shuffle.
    pub name: &'static str,
    /// The law of the K! orders.
    pub law: OutcomeLaw,
}

/// A rearrangement and its weight. For each place, the rearrangement gives the place from which the
/// card comes.
pub(crate) type Choice = (Vec<usize>, u64);

/// A step: it chooses one of these rearrangements, in proportion to their weights.
pub(crate) type Step = Vec<Choice>;

fn swapped_order(cards: usize, a: usize, b: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cards).collect();
    places.swap(a, b);
    places
}

fn swap_any_steps(cards: usize) -> Vec<Step> {
    let step = |i| {
        (0..cards)
            .map(|j| (swapped_order(cards, i, j), 1))
            .collect()
    };
    (0..cards).map(step).collect()
}

fn sattolo_steps(cards: usize) -> Vec<Step> {
    let step = |i| (0..i).map(|j| (swapped_order(cards, i, j), 1)).collect();
    (1..cards).rev().map(step).collect()
}

/// The rearrangement that moves the card at place i to place j <= i.
fn moved_order(cards: usize, i: usize, j: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cards).collect();
    places[j..=i].rotate_right(1);
    places
}

/// Returns the steps of an insertion sort: step i moves the card at place i to place j with the
/// weight `weights(i)[j]`.
fn insertion_sort_steps(cards: usize, weights: fn(usize) -> Vec<u64>) -> Vec<Step> {
    let step = |i| {
        let places = weights(i).into_iter().enumerate();
        places
            .map(|(j, weight)| (moved_order(cards, i, j), weight))
            .collect()
    };
    (1..cards).map(step).collect()
}

/// The binary logarithms of the weights of moving the card at place i to the places 0, 1, ..., i.
/// Moving past d of the i cards before it has weight 2^(i-1-d), moving past all of them weight 1;
/// the weights sum to 2^i.
pub(crate) fn linear_insertion_weight_logs(i: usize) -> impl Iterator<Item = usize> {
    (0..=i).rev().map(move |d| (i - 1).saturating_sub(d))
}

/// Adds to `places` the weights of the places at which the bisection of low..high ends; they sum to
/// `weight`.
fn add_bisection_weights(low: usize, high: usize, weight: u64, places: &mut Vec<u64>) {
    if low == high {
        places[low] += weight;
        return;
    }
    let middle = (low + high) / 2;
    add_bisection_weights(low, middle, weight / 2, places);
    add_bisection_weights(middle + 1, high, weight / 2, places);
}

/// The weights for binary insertion; a card takes at most floor(log2 i) + 1 flips.
pub(crate) fn binary_insertion_weights(i: usize) -> Vec<u64> {
    let mut places = vec![0; i + 1];
    add_bisection_weights(0, i, 2 << i.ilog2(), &mut places);
    places
}

/// Lists the merges of two blocks of a deck, with one flip per card until one block is empty.
struct Merge {
    cards: usize,
    middle: usize,
    to: usize,
    found: Step,
}

impl Merge {
    /// Returns all ways to merge [from, middle) and [middle, to).
    fn merge_ways(cards: usize, from: usize, middle: usize, to: usize) -> Step {
        let found = Step::new();
        let mut merge = Merge {
            cards,
            middle,
            to,
            found,
        };
        merge.go_on((0..from).collect(), from, middle, 1 << (to - from));
        merge.found
    }

    /// Merges the cards of the first block from place a on with those of the second block from
    /// place b on; `taken` are the cards before them in the new order.
    fn go_on(&mut self, mut taken: Vec<usize>, a: usize, b: usize, weight: u64) {
        if a == self.middle || b == self.to {
            taken.extend(
                (a..self.middle)
                    .chain(b..self.to)
                    .chain(self.to..self.cards),
            );
            self.found.push((taken, weight));
            return;
        }
        let with = |place| taken.iter().copied().chain([place]).collect();
        let (first, second) = (with(a), with(b));
        self.go_on(first, a + 1, b, weight / 2);
        self.go_on(second, a, b + 1, weight / 2);
    }
}

fn merge_sort(cards: usize, from: usize, to: usize, steps: &mut Vec<Step>) {
    if to - from < 2 {
        return;
    }
    let middle = from + (to - from) / 2;
    merge_sort(cards, from, middle, steps);
    merge_sort(cards, middle, to, steps);
    steps.push(Merge::merge_ways(cards, from, middle, to));
}

/// An order of at most [`MAX_BROKEN`] cards, one byte for each.
pub(crate) type Order = [u8; MAX_BROKEN as usize];

/// Returns the number of equally likely paths that lead to each order, and the number of all paths.
pub(crate) fn orders(steps: &[Step]) -> (HashMap<Order, u128>, u128) {
    let start: Order = std::array::from_fn(|i| i as u8);
    let mut orders = HashMap::from([(start, 1)]);
    let mut all = 1;
    for step in steps {
        let mut next: HashMap<Order, u128> = HashMap::new();
        for (order, count) in &orders {
            for (places, weight) in step {
                let mut to = *order;
                for (card, place) in to.iter_mut().zip(places) {
                    *card = order[*place];
                }
                *next.entry(to).or_default() += count * u128::from(*weight);
            }
        }
        orders = next;
        all *= step
            .iter()
            .map(|(_, weight)| u128::from(*weight))
            .sum::<u128>();
    }
    (orders, all)
}

fn law(steps: &[Step]) -> OutcomeLaw {
    let (orders, all) = orders(steps);
    let mut classes: BTreeMap<u128, u64> = BTreeMap::new();
    for count in orders.into_values() {
        *classes.entry(count).or_default() += 1;
    }
    let class = |(count, orders): (u128, u64)| OutcomeClass {
        probability: Rational::new(count.into(), all.into()),
        multiplicity: BigUint::from(orders),
    };
    OutcomeLaw::new(classes.into_iter().map(class)).expect("every path leads to an order")
}

/// The ids and descriptions of the shuffles in this file.
pub(crate) const NAMES: [(&str, &str); 5] = [
    ("swap-any", "Each card swapped with any of all"),
    ("sattolo", "Fisher-Yates, never with itself"),
    ("sort-insertion", "Insertion sort, a coin compares"),
    (
        "sort-binary-insertion",
        "Binary insertion sort, a coin compares",
    ),
    ("sort-merge", "Merge sort, a coin compares"),
];

/// The steps of each of these shuffles for K cards, in the order of [`NAMES`].
pub(crate) fn steps(cards: usize) -> [Vec<Step>; 5] {
    let mut merges = Vec::new();
    merge_sort(cards, 0, cards, &mut merges);
    let linear = |i| linear_insertion_weight_logs(i).map(|k| 1 << k).collect();
    [
        swap_any_steps(cards),
        sattolo_steps(cards),
        insertion_sort_steps(cards, linear),
        insertion_sort_steps(cards, binary_insertion_weights),
        merges,
    ]
}

/// Returns the shuffles of this file for K cards. Cost: K! orders times K^2 steps.
///
/// # Panics
/// If K is not between 1 and 8.
pub fn broken(cards: u64) -> Vec<Broken> {
    assert!((1..=MAX_BROKEN).contains(&cards), "{cards} cards");
    let shuffles = NAMES.into_iter().zip(steps(cards as usize));
    let broken = shuffles.map(|((id, name), steps)| Broken {
        id,
        name,
        law: law(&steps),
    });
    broken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::law::Bias;

    /// Runs a program along all paths of the choices that it requests, and returns the weight of
    /// every order. Each of c possible choices has probability 1/c.
    fn run(
        cards: usize,
        program: impl Fn(&mut Vec<usize>, &mut dyn FnMut(usize) -> usize),
    ) -> BTreeMap<Vec<usize>, Rational> {
        let mut law: BTreeMap<Vec<usize>, Rational> = BTreeMap::new();
        // The path so far, as pairs (choice, number of choices). The last choice is incremented,
        // with carry.
        let mut path: Vec<(usize, usize)> = Vec::new();
        loop {
            let mut deck: Vec<usize> = (0..cards).collect();
            let mut at = 0;
            program(&mut deck, &mut |choices| {
                if at == path.len() {
                    path.push((0, choices));
                }
                at += 1;
                path[at - 1].0
            });
            let all: u64 = path.iter().map(|(_, choices)| *choices as u64).product();
            *law.entry(deck).or_default() += Rational::new(1.into(), all.into());
            while path.last().is_some_and(|(choice, of)| choice + 1 == *of) {
                path.pop();
            }
            match path.last_mut() {
                Some((choice, _)) => *choice += 1,
                None => return law,
            }
        }
    }

    fn sorted(deck: &mut [usize], flip: &mut dyn FnMut(usize) -> usize) {
        if deck.len() < 2 {
            return;
        }
        let (first, second) = deck.split_at_mut(deck.len() / 2);
        sorted(first, flip);
        sorted(second, flip);
        let (mut first, mut second) = (first.to_vec(), second.to_vec());
        let mut merged = Vec::new();
        while !first.is_empty() && !second.is_empty() {
            let from = if flip(2) == 0 {
                &mut first
            } else {
                &mut second
            };
            merged.push(from.remove(0));
        }
        merged.extend(first.into_iter().chain(second));
        deck.copy_from_slice(&merged);
    }

    /// Compares the weights with those from running the programs of the shuffles along every path
    /// of their choices.
    #[test]
    fn weights_agree_with_all_paths_of_the_programs() {
        for cards in 1..=5 {
            let laws = [
                run(cards, |deck, choose| {
                    (0..cards).for_each(|i| deck.swap(i, choose(cards)));
                }),
                run(cards, |deck, choose| {
                    (1..cards).rev().for_each(|i| deck.swap(i, choose(i)));
                }),
                run(cards, |deck, choose| {
                    for i in 1..cards {
                        let mut j = i;
                        while j > 0 && choose(2) == 1 {
                            deck.swap(j, j - 1);
                            j -= 1;
                        }
                    }
                }),
                run(cards, |deck, choose| {
                    for i in 1..cards {
                        let (mut low, mut high) = (0, i);
                        while low < high {
                            let middle = (low + high) / 2;
                            match choose(2) {
                                0 => high = middle,
                                _ => low = middle + 1,
                            }
                        }
                        let card = deck.remove(i);
                        deck.insert(low, card);
                    }
                }),
                run(cards, |deck, choose| sorted(deck, choose)),
            ];
            for (law, broken) in laws.into_iter().zip(broken(cards as u64)) {
                let tried = OutcomeLaw::of_probabilities(law.into_values()).unwrap();
                assert_eq!(tried, broken.law, "{} of {cards}", broken.id);
            }
        }
    }

    /// Counted by hand: three cards have 27 paths; Sattolo's cycles are (K-1)! of K! orders; the
    /// halves of four cards are merged by 2 flips in two ways, and by 3 flips in four ways.
    #[test]
    fn small_decks_by_hand() {
        let bias = |id: &str, cards: u64| {
            let law = broken(cards)
                .into_iter()
                .find(|one| one.id == id)
                .unwrap()
                .law;
            let orders: u64 = (1..=cards).product();
            Bias::new(&law, orders)
        };
        let text = |x: Rational| x.to_string();
        assert_eq!(text(bias("swap-any", 3).total_variation()), "1/18");
        assert_eq!(
            bias("swap-any", 3).ratio().map(text),
            Some("5/4".to_string())
        );
        let cycles = bias("sattolo", 5);
        assert_eq!(text(cycles.total_variation()), "4/5");
        assert_eq!(
            (cycles.ratio(), text(cycles.largest().clone())),
            (None, "1/24".to_string())
        );
        let merged = bias("sort-merge", 4);
        assert_eq!(text(merged.largest().clone()), "1/16");
        assert_eq!(text(merged.smallest().clone()), "1/32");
        // A card moves past none of 2 cards with probability 1/2, past one with 1/4, past both with
        // 1/4.
        assert_eq!(text(bias("sort-insertion", 3).total_variation()), "1/6");
        for id in ["swap-any", "sort-insertion", "sort-merge"] {
            assert_eq!(text(bias(id, 2).total_variation()), "0", "{id}");
        }
    }
}
