//! The optimal DDG tree (decision tree) of weights, computed node by node. It is the core of the
//! algorithms based on Knuth & Yao.
//!
//! Let W be the sum of the weights w_1, ..., w_r of the outcomes and, if the algorithm rejects, of
//! the weight w_0 of rejection. At depth t, the tree has d leaves of outcome i, where d is the t-th
//! digit of w_i / W in base m. After the leaves come the undecided nodes, whose children form the
//! next depth (see [`Residues`](crate::law::Residues), where the counts are proved). A leaf of w_0
//! starts again at the root.
//!
//! **States.** A state is a pair (m^t mod W, c), where c is the index of a node among the undecided
//! nodes of its depth. Everything below the node depends only on the residues w_i m^t mod W, and so
//! on m^t mod W. The m children of node c are m c, ..., m c + m - 1; among all children the leaves
//! come first, in the order of the outcomes, then those that reject.
//!
//! **Cost.** The leaves of a depth are computed once, by r products of numbers as long as W. At
//! most [`MAX_KEPT`] entries are kept in all, and a roll is a binary search among those of its
//! depth.

use super::Step;
use crate::law::{Blocks, Law};
use crate::task::{Refusal, Target};
use flipcost_number::BigUint;
use flipcost_number::short::short;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The maximum number of entries kept for later rolls, one for each outcome with leaves at a depth;
/// 32 bytes each.
const MAX_KEPT: usize = 1 << 24;

/// The tree of a target's weights, each multiplied by `factor`, and of a weight `rest` that
/// rejects.
pub(crate) struct DdgTree {
    source: u128,
    target: Target,
    factor: BigUint,
    rest: BigUint,
    total: BigUint,
    levels: Mutex<TreeLevels>,
}

/// The leaves of the depths reached so far; the key of a depth t is m^t mod W.
#[derive(Default)]
struct TreeLevels {
    known: HashMap<BigUint, Arc<TreeLevel>>,
    kept: usize,
}

/// An undecided node of the tree.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UndecidedNode {
    /// m^t mod W.
    power: BigUint,
    /// The index of the node among the undecided nodes of its depth.
    index: BigUint,
}

impl fmt::Debug for UndecidedNode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "m^t mod W = {}, node {}", self.power, self.index)
    }
}

/// The children of the undecided nodes of one depth.
struct TreeLevel {
    leaves: OutcomeLeaves,
    /// The index of the first child that is neither an outcome nor a rejection.
    undecided: BigUint,
    /// m^(t+1) mod W.
    next: BigUint,
}

/// The leaves of the outcomes, in order.
enum OutcomeLeaves {
    /// The same number of leaves for each of the n outcomes of a fair die.
    Equal(BigUint, BigUint),
    /// For each outcome with leaves, the index of the child after its last leaf.
    Listed(Vec<(u128, usize)>),
}

impl DdgTree {
    /// Creates the tree of a target's own weights.
    pub(crate) fn from_target(source: u128, target: &Target) -> DdgTree {
        DdgTree {
            source,
            target: target.clone(),
            factor: BigUint::one(),
            rest: BigUint::zero(),
            total: target.weight_sum().clone(),
            levels: Mutex::default(),
        }
    }

    /// Creates the tree of depth k for weights a_i whose sum M is at most m^k; the remaining weight
    /// m^k - M rejects.
    ///
    /// # Errors
    /// As [`DdgTree::of_depth`].
    pub(crate) fn with_padding_weight(
        source: u128,
        target: &Target,
        depth: u64,
    ) -> Result<DdgTree, Refusal> {
        let tree = DdgTree::of_depth(source, target, depth)?;
        Ok(DdgTree {
            factor: BigUint::one(),
            rest: &tree.total - target.weight_sum(),
            ..tree
        })
    }

    /// Creates the tree of depth K for weights a_i of sum M: each is multiplied by floor(m^K / M),
    /// and the remaining weight m^K mod M rejects.
    ///
    /// # Errors
    /// [`Refusal::Rule`] if m^K < M, or if the weights have too many digits together.
    pub(crate) fn of_depth(source: u128, target: &Target, depth: u64) -> Result<DdgTree, Refusal> {
        let sum = target.weight_sum();
        check_tree_size(source, target, depth)?;
        let total = BigUint::from(source).pow(depth as u32);
        if total < *sum {
            return Err(Refusal::Rule(format!(
                "K = {depth} is too small: {source}^{depth} is below the weight sum {}",
                short(sum)
            )));
        }
        let (factor, rest) = total.div_rem(sum);
        Ok(DdgTree {
            factor,
            rest,
            total,
            ..DdgTree::from_target(source, target)
        })
    }

    pub(crate) fn start(&self) -> Step<UndecidedNode> {
        // A single outcome has all the weight, so nothing is rolled.
        if self.rest.is_zero() && self.target.possible().is_one() {
            let certain = self.target.iter().find(|(_, weight)| !weight.is_zero());
            return Step::Output(certain.expect("a weight above 0").0);
        }
        self.first_step()
    }

    fn first_step(&self) -> Step<UndecidedNode> {
        Step::Roll(UndecidedNode {
            power: BigUint::one(),
            index: BigUint::zero(),
        })
    }

    pub(crate) fn step(&self, at: &UndecidedNode, face: u64) -> Step<UndecidedNode> {
        let child = &at.index * self.source + face;
        let level = self.level_at(&at.power);
        if child >= level.undecided {
            return Step::Roll(UndecidedNode {
                power: level.next.clone(),
                index: child - &level.undecided,
            });
        }
        let outcome = match &level.leaves {
            OutcomeLeaves::Equal(each, n) => {
                // None of the leaves rejects.
                let outcome = if each.is_zero() {
                    n.clone()
                } else {
                    &child / each
                };
                (outcome < *n).then_some(outcome)
            }
            OutcomeLeaves::Listed(ends) => {
                let child = child.to_u128().expect("at most m r leaves");
                let found = ends.partition_point(|(end, _)| *end <= child);
                ends.get(found).map(|(_, outcome)| (*outcome).into())
            }
        };
        match outcome {
            Some(outcome) => Step::Output(outcome),
            None => self.first_step(),
        }
    }

    fn level_at(&self, power: &BigUint) -> Arc<TreeLevel> {
        let levels = || self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = levels().known.get(power) {
            return known.clone();
        }
        let level = Arc::new(self.compute_level(power));
        let size = match &level.leaves {
            OutcomeLeaves::Equal(..) => 1,
            OutcomeLeaves::Listed(ends) => ends.len() + 1,
        };
        let mut levels = levels();
        if levels.kept + size <= MAX_KEPT {
            levels.kept += size;
            levels.known.insert(power.clone(), level.clone());
        }
        level
    }

    fn compute_level(&self, power: &BigUint) -> TreeLevel {
        let (m, total) = (self.source, &self.total);
        // Returns the next digit of a weight / W, given m^t mod W.
        let digit = |weight: &BigUint| power * weight % total * m / total;
        let rejecting = digit(&self.rest);
        let (leaves, end) = match (self.target.sides(), self.target.weights()) {
            (Some(n), _) => {
                let each = digit(&self.factor);
                let end = &each * n;
                (OutcomeLeaves::Equal(each, n.clone()), end)
            }
            (None, weights) => {
                let (mut ends, mut end) = (Vec::new(), 0u128);
                let scaled = power * &self.factor % total;
                for (outcome, weight) in weights.into_iter().flatten().enumerate() {
                    if weight.is_zero() {
                        continue;
                    }
                    let digit = &scaled * weight % total * m / total;
                    if !digit.is_zero() {
                        end += digit.to_u128().expect("below m");
                        ends.push((end, outcome));
                    }
                }
                (OutcomeLeaves::Listed(ends), end.into())
            }
        };
        TreeLevel {
            leaves,
            undecided: end + rejecting,
            next: power * m % total,
        }
    }

    /// The law of a tree of depth K that starts again. It is a law of blocks: the digit sums d_t
    /// determine the number of undecided nodes after t rolls, alive(t+1) = m alive(t) - d_(t+1),
    /// and each leaf of the rest starts a new block. Cost: K digits of each distinct weight.
    fn law_of_depth(&self, depth: u64) -> Law {
        let mut columns = DigitColumns::new(self.source, depth as usize);
        for (weight, count) in self.target.groups() {
            columns.add(&(weight * &self.factor), &count);
        }
        let mut rest = DigitColumns::new(self.source, depth as usize);
        rest.add(&self.rest, &BigUint::one());
        let (digits, rejected) = (columns.sums(), rest.sums());
        let mut alive = Vec::new();
        let mut open = BigUint::one() - &digits[0] - &rejected[0];
        for (decided, rejected) in digits.iter().zip(&rejected).skip(1) {
            let next = &open * self.source - decided - rejected;
            alive.push(std::mem::replace(&mut open, next));
        }
        debug_assert!(open.is_zero(), "the digits end at depth K");
        let returns = rejected.into_iter().enumerate();
        let returns = returns.filter(|(_, count)| !count.is_zero());
        Blocks::new(self.source, Vec::new(), alive, returns.collect()).into()
    }
}

/// A tree of depth K that starts again at the leaves of its rest. Its law is computed once.
pub(crate) struct RestartingTree {
    tree: DdgTree,
    depth: u64,
    law: OnceLock<Law>,
}

impl RestartingTree {
    /// Creates the rule that starts again with this tree of depth K.
    pub(crate) fn new(tree: DdgTree, depth: u64) -> RestartingTree {
        let law = OnceLock::new();
        RestartingTree { tree, depth, law }
    }

    pub(crate) fn start(&self) -> Step<UndecidedNode> {
        self.tree.start()
    }

    pub(crate) fn step(&self, at: &UndecidedNode, face: u64) -> Step<UndecidedNode> {
        self.tree.step(at, face)
    }

    /// See [`DdgTree::law_of_depth`].
    pub(crate) fn law(&self) -> Law {
        let law = || self.tree.law_of_depth(self.depth);
        self.law.get_or_init(law).clone()
    }
}

/// The maximum number of operations on single words for the digits of all distinct weights
/// together.
const MAX_STEPS: u128 = 1 << 33;

/// Refuses a tree of depth K that would have too many digits. Cost: counting the weights.
pub(crate) fn check_tree_size(source: u128, target: &Target, depth: u64) -> Result<(), Refusal> {
    let weights = match target.weights() {
        Some(weights) => weights.len() as u128,
        None => 1,
    };
    let bits = u128::from(depth) * u128::from(128 - source.leading_zeros());
    let steps = weights * u128::from(depth) * (bits / 1024 + 1);
    if steps <= MAX_STEPS && depth <= 1 << 24 {
        return Ok(());
    }
    Err(Refusal::Rule(format!(
        "a tree of depth {depth} for {weights} weights is too large: its digits would take about {steps} steps, and {MAX_STEPS} are the most"
    )))
}

/// Adds up the digits of numbers w <= m^K, separately for each place t from 0 to K; a digit at
/// place t has the value m^(K-t).
struct DigitColumns {
    source: u128,
    /// The sum for each place, in the order from place K to place 0.
    words: Vec<u128>,
    /// The sums, in the same order, of digits that are counted 2^32 times or more.
    large: Vec<BigUint>,
}

impl DigitColumns {
    fn new(source: u128, depth: usize) -> Self {
        DigitColumns {
            source,
            words: vec![0; depth + 1],
            large: Vec::new(),
        }
    }

    /// Adds each digit of w, `count` times, to the sum of its place. The sums stay below 2^128 for
    /// fewer than 2^32 calls.
    fn add(&mut self, w: &BigUint, count: &BigUint) {
        match count.to_u32() {
            Some(count) => {
                let words = &mut self.words;
                for_each_digit(self.source, w, |place, digit| {
                    words[place] += u128::from(digit) * u128::from(count);
                });
            }
            None => {
                let large = &mut self.large;
                large.resize(self.words.len(), BigUint::zero());
                for_each_digit(self.source, w, |place, digit| large[place] += count * digit);
            }
        }
    }

    /// Returns the sums in the order from place 0 to place K.
    fn sums(self) -> Vec<BigUint> {
        let mut sums: Vec<BigUint> = self.words.into_iter().map(BigUint::from).collect();
        for (sum, large) in sums.iter_mut().zip(self.large) {
            *sum += large;
        }
        sums.reverse();
        sums
    }
}

/// Calls `each` for each nonzero digit of a number in base m, with the place, counted from the last
/// one, and the digit.
fn for_each_digit(m: u128, w: &BigUint, mut each: impl FnMut(usize, u64)) {
    let Ok(m) = u64::try_from(m) else {
        // For m = 2^64 the digits are words.
        let digits = w.iter_u64_digits().enumerate();
        return digits
            .filter(|(_, digit)| *digit > 0)
            .for_each(|(place, digit)| each(place, digit));
    };
    if m == 2 {
        for (i, mut word) in w.iter_u64_digits().enumerate() {
            while word != 0 {
                each(64 * i + word.trailing_zeros() as usize, 1);
                word &= word - 1;
            }
        }
        return;
    }
    // Split off as many digits at a time as a word holds.
    let (mut chunk, mut length) = (m, 1);
    while let Some(longer) = chunk.checked_mul(m) {
        (chunk, length) = (longer, length + 1);
    }
    let mut split = |mut word: u64, begin: usize| {
        let mut place = begin;
        while word != 0 {
            if !word.is_multiple_of(m) {
                each(place, word % m);
            }
            (word, place) = (word / m, place + 1);
        }
    };
    let mut begin = 0;
    if let Some(mut small) = w.to_u128() {
        while small != 0 {
            split((small % u128::from(chunk)) as u64, begin);
            (small, begin) = (small / u128::from(chunk), begin + length);
        }
        return;
    }
    let (chunk, mut rest) = (BigUint::from(chunk), w.clone());
    while !rest.is_zero() {
        let (quotient, word) = rest.div_rem(&chunk);
        split(word.to_u64().expect("below a word"), begin);
        (rest, begin) = (quotient, begin + length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A number is the sum of its digits, each multiplied by the value of its place.
        #[test]
        fn digits_make_the_number(m in 2u128..=1 << 64, words in prop::collection::vec(any::<u32>(), 0..12)) {
            for m in [2, 3, m % 20 + 2, m >> 32 | 2, m, 1 << 64] {
                let w = BigUint::from_slice(&words);
                let mut sum = BigUint::zero();
                for_each_digit(m, &w, |place, digit| {
                    assert!(0 < digit && u128::from(digit) < m);
                    sum += BigUint::from(m).pow(place as u32) * digit;
                });
                prop_assert_eq!(sum, w);
            }
        }
    }
}
