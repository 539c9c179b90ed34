//! Bounds the least price of the leaves of one outcome, as if no other outcome took any nodes.
//!
//! After rolls of dice whose sides have the product P, a leaf below an open node of size g has the
//! size g / P. Its price is the price of these rolls times its size. K(r, G) is the least price of
//! leaves of total size r below nodes of the sizes G, if there are any number of nodes of each
//! size. Outcomes that compete for nodes pay at least as much. So the sum of K over the deficits
//! (the sizes that the outcomes still need) is a lower bound for a situation.
//!
//! The search goes level by level: after leaves of up to t rolls are chosen, a rest r of the
//! deficit remains. The other leaves have more rolls, and each roll costs at least the cheapest
//! price. A leaf is not larger than r, so it also has at least as many rolls as the largest die
//! needs to reduce the smallest node to r. So each rest gives a lower bound. For an upper bound,
//! leaves of a single die complete the rest: in base b the undecided probability after j more rolls
//! is below a / b^j, where a is the size of a node after t rolls of that die. Only rests whose
//! lower bound is at most the least upper bound are kept.

use super::fixed::{self, INFINITE};
use flipcost_number::collect::ordered;
use std::collections::{BTreeMap, HashMap};

/// A die of the set.
#[derive(Clone, Copy, Debug)]
pub struct PricedDie {
    /// The sides of the die.
    pub sides: u64,
    /// The price of a roll, in a unit of which all prices are multiples.
    pub price: u64,
}

/// Computes the least price of the leaves for a deficit; see the module documentation.
pub struct LeafPrices {
    dice: Vec<PricedDie>,
    /// The price of the cheapest die.
    pub cheapest: u64,
    /// The number of sides of the largest die.
    largest: u64,
    /// The die whose leaves complete a rest for the upper bound.
    base: PricedDie,
    /// The least common multiple of all sides.
    pub common: u128,
    /// At index t: the possible products of the sides of t dice, each with the least price of the t
    /// rolls, in fixed point.
    levels: Vec<Vec<(u128, u64)>>,
    memo: HashMap<(u128, Box<[u128]>), u64>,
    /// The number of sums that were tried since the last call of [`LeafPrices::take_work`].
    spent: u64,
}

/// The maximum number of levels that are searched.
const MAX_LEVELS: usize = 16;
/// The search stops when the bounds are this close.
const BOUND_TOLERANCE: u64 = 1 << 10;
/// The maximum number of rests in a level, and of sums that are tried.
const MAX_LEAVES: usize = 4000;
/// The maximum number of bounds that are kept.
const MAX_MEMO_ENTRIES: usize = 4_000_000;

impl LeafPrices {
    pub fn new(dice: &[PricedDie]) -> LeafPrices {
        let cheapest = dice.iter().map(|die| die.price).min().expect("a die");
        let common = dice.iter().fold(1u128, |all, die| {
            num_integer::lcm(all, u128::from(die.sides))
        });
        // The bound is correct for any die; the die with the least price per bit gives the best
        // bound.
        let rate = |die: &PricedDie| die.price as f64 / (die.sides as f64).ln();
        let base = dice.iter().min_by(|a, b| rate(a).total_cmp(&rate(b)));
        let mut levels = vec![vec![(1u128, 0u64)]];
        while levels.len() <= MAX_LEVELS {
            let mut next: BTreeMap<u128, u64> = BTreeMap::new();
            for &(product, price) in &levels[levels.len() - 1] {
                for die in dice {
                    let Some(product) = product.checked_mul(die.sides.into()) else {
                        continue;
                    };
                    let price = price.saturating_add(die.price);
                    let least = next.entry(product).or_insert(price);
                    *least = price.min(*least);
                }
            }
            let whole = (common.checked_pow(levels.len() as u32)).is_some();
            if !whole || next.len() > MAX_LEAVES {
                break;
            }
            levels.push(next.into_iter().collect());
        }
        for (_, price) in levels.iter_mut().flatten() {
            *price = fixed::div_floor((*price).into(), cheapest.into());
        }
        LeafPrices {
            cheapest,
            largest: dice.iter().map(|die| die.sides).max().expect("a die"),
            base: *base.expect("a die"),
            common,
            levels,
            memo: HashMap::new(),
            spent: 0,
            dice: dice.to_vec(),
        }
    }

    /// Returns the work that was done since the last call of this function.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }

    pub fn dice(&self) -> &[PricedDie] {
        &self.dice
    }

    /// Returns a lower bound of K(deficit, open) / deficit, in multiples of the least price. `open`
    /// contains each size once, the largest first.
    pub fn bound(&mut self, deficit: u128, open: &[u128]) -> u64 {
        if deficit == 0 {
            return 0;
        }
        let factor = (open.iter()).fold(deficit, |common, size| num_integer::gcd(common, *size));
        let open: Box<[u128]> = open.iter().map(|size| size / factor).collect();
        let key = (deficit / factor, open);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let bound = self.search_levels(key.0, &key.1);
        if self.memo.len() > MAX_MEMO_ENTRIES {
            self.memo.clear();
        }
        self.memo.insert(key, bound);
        bound
    }

    /// The number of rolls of the largest die that reduce a node of this size to at most the rest.
    fn fewest_rolls_between(&self, size: u128, rest: u128) -> u64 {
        let (mut reached, mut rolls) = (rest, 0);
        while reached < size {
            reached = reached.saturating_mul(self.largest.into());
            rolls += 1;
        }
        rolls
    }

    fn search_levels(&mut self, deficit: u128, open: &[u128]) -> u64 {
        let smallest = *open.last().expect("an open node");
        // The rests after t rolls, in units of 1 / common^t, each with the least price paid so far.
        let mut rests = ordered([(deficit, 0u64)]);
        let mut scale = 1u128;
        let mut low = 0;
        let mut high = INFINITE;
        for level in 1.. {
            let whole = |rest: u128| rest.checked_mul(self.common);
            let Some(all) = deficit.checked_mul(scale) else {
                return low;
            };
            // The bounds of this level.
            let mut bounds = Vec::with_capacity(rests.len());
            low = INFINITE;
            for (&rest, &paid) in &rests {
                let share = fixed::div_floor(rest, all);
                let rolls = (smallest.checked_mul(scale))
                    .map_or(0, |size| self.fewest_rolls_between(size, rest.max(1)))
                    .max(level);
                let least = paid + fixed::mul_floor(share, rolls << fixed::BITS);
                let least = if rest == 0 { paid } else { least };
                low = low.min(least);
                bounds.push((rest, paid, least));
                high = high.min(self.completion_price(rest, paid, level, all, smallest, scale));
            }
            if high.saturating_sub(low) <= BOUND_TOLERANCE || level >= self.levels.len() as u64 {
                return low;
            }
            bounds.retain(|&(_, _, least)| least <= high);
            let (Some(next_scale), true) = (
                scale.checked_mul(self.common),
                bounds.iter().all(|&(rest, _, _)| whole(rest).is_some()),
            ) else {
                return low;
            };
            let leaves = self.leaves_of_level(level, open, next_scale);
            let all = deficit.checked_mul(next_scale);
            let (Some(leaves), Some(all)) = (leaves, all) else {
                return low;
            };
            let Some(next) = self.rests_below(&bounds, &leaves, level, high, all) else {
                return low;
            };
            (rests, scale) = (next, next_scale);
        }
        low
    }

    /// The leaves of a level below these open nodes: their sizes in units of 1 / scale, the largest
    /// first, each with its least price. `None` if a size is too long.
    fn leaves_of_level(&self, level: u64, open: &[u128], scale: u128) -> Option<Vec<(u128, u64)>> {
        let products = &self.levels[level as usize];
        let leaves = open.iter().flat_map(|size| {
            (products.iter())
                .map(move |&(product, price)| Some((size.checked_mul(scale / product)?, price)))
        });
        let mut leaves: Vec<(u128, u64)> = leaves.collect::<Option<_>>()?;
        leaves.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        leaves.dedup_by_key(|leaf| leaf.0);
        Some(leaves)
    }

    /// Subtracts leaves of this level from the rests in `bounds`. Returns the remaining rests, each
    /// with the least price paid so far, if the price in the end can be at most `high`. `None` if
    /// there are too many.
    fn rests_below(
        &mut self,
        bounds: &[(u128, u64, u64)],
        leaves: &[(u128, u64)],
        level: u64,
        high: u64,
        all: u128,
    ) -> Option<BTreeMap<u128, u64>> {
        let mut next: BTreeMap<u128, u64> = BTreeMap::new();
        let mut left = MAX_LEAVES;
        for &(rest, paid, _) in bounds {
            let rest = rest * self.common;
            if rest == 0 {
                next.insert(0, paid.min(*next.get(&0).unwrap_or(&INFINITE)));
                continue;
            }
            // If r' remains of this rest r, the price in the end is at least paid + (r - r') level
            // + r' (level + 1).
            let first = paid + fixed::mul_floor(fixed::div_floor(rest, all), level << fixed::BITS);
            let most = high.saturating_sub(first).saturating_add(1 << 8);
            // Convert the share to units of 1 / all, rounded up.
            let most = multiply_by_share(most, all);
            let mut take = |rest: u128, paid: u64| {
                let least = next.entry(rest).or_insert(paid);
                *least = paid.min(*least);
            };
            let before = left;
            let whole = combine_leaves(leaves, rest, paid, most, all, &mut left, &mut take);
            self.spent += (before - left) as u64;
            if !whole {
                return None;
            }
        }
        (next.len() <= MAX_LEAVES).then_some(next)
    }

    /// Returns an upper bound of the price, if leaves of one die complete the rest.
    fn completion_price(
        &self,
        rest: u128,
        paid: u64,
        level: u64,
        all: u128,
        smallest: u128,
        scale: u128,
    ) -> u64 {
        if rest == 0 {
            return paid + (1 << 8);
        }
        let price = fixed::div_ceil(self.base.price.into(), self.cheapest.into());
        let share = fixed::div_ceil(rest, all);
        // The size of the node: smallest / b^(level - 1).
        let node = match (
            smallest.checked_mul(scale),
            u128::from(self.base.sides).checked_pow(level as u32 - 1),
        ) {
            (Some(whole), Some(power)) => fixed::div_ceil(whole / power + 1, all),
            _ => return INFINITE,
        };
        let sides = self.base.sides;
        let mut units = u128::from(share) * u128::from(level);
        let mut node = u128::from(node);
        while node / u128::from(sides) > 0 {
            node = node.div_ceil(u128::from(sides));
            units += node.min(share.into());
        }
        units += 2;
        let more = (units * u128::from(price)) >> fixed::BITS;
        u64::try_from(more).map_or(INFINITE, |more| {
            paid.saturating_add(more).saturating_add(1 << 10)
        })
    }
}

/// Multiplies `all` by a share, rounded up.
fn multiply_by_share(share: u64, all: u128) -> u128 {
    if share >= fixed::ONE {
        return all;
    }
    let (high, low) = (all >> fixed::BITS, all & u128::from(fixed::ONE - 1));
    high * u128::from(share) + ((low * u128::from(share)) >> fixed::BITS) + 1
}

/// Calls a function for every rest of at most `most` that remains after sums of leaves, with the
/// price paid; returns false if there are too many.
fn combine_leaves(
    leaves: &[(u128, u64)],
    rest: u128,
    paid: u64,
    most: u128,
    all: u128,
    left: &mut usize,
    take: &mut dyn FnMut(u128, u64),
) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let Some((&(size, price), others)) = leaves.split_first() else {
        if rest <= most {
            take(rest, paid);
        }
        return true;
    };
    if size > rest {
        let fit = leaves.partition_point(|leaf| leaf.0 > rest);
        return if fit == leaves.len() {
            if rest <= most {
                take(rest, paid);
            }
            true
        } else {
            combine_leaves(&leaves[fit..], rest, paid, most, all, left, take)
        };
    }
    let fewest = if others.is_empty() {
        rest.saturating_sub(most).div_ceil(size)
    } else {
        0
    };
    for count in (fewest..=rest / size).rev() {
        let taken = size * count;
        let share = fixed::div_floor(taken, all);
        let paid = paid + fixed::mul_floor(share.min(fixed::ONE), price);
        if !combine_leaves(others, rest - taken, paid, most, all, left, take) {
            return false;
        }
    }
    true
}
