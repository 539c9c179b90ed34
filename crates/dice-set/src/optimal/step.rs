//! One step of a rule: it rolls every open node, and outcomes take some of the nodes below.
//!
//! A *profile* says how many open nodes of each size are rolled with each die. Then outcomes take
//! nodes below, each of them nodes of a total size up to its deficit; nodes that no outcome takes
//! are open in the next situation. A *taking* is the nodes that one outcome takes. Outcomes of the
//! same deficit are exchangeable, so a step with a given profile is a multiset of takings for every
//! deficit.
//!
//! **Bounds.** A profile costs as much as its rolls. If an outcome takes y, the rest of its deficit
//! costs at least e(y) later, by [`LeafPrices::bound`] for the sizes that could be open. There are
//! N_a nodes of each size a below; takings that together use more than N_a of them do not form a
//! step. So for any prices p_a >= 0 of nodes, every step costs at least
//!
//! ```text
//! cost + sum over the outcomes of min over y of [ e(y) + p y ] - p N.
//! ```
//!
//! The prices are found by ascent in doubles. The bound is then computed for these prices in
//! integers, so it holds whatever the prices are. The prices take into account that outcomes
//! compete for nodes, which the bounds of single deficits ignore. For every profile within the
//! budget, the search first chooses the rests of the outcomes, then the nodes that stay open.
//! Finally it decides whether there are takings that leave these rests and use exactly the other
//! nodes.

use super::fixed;
use super::leaves::{LeafPrices, PricedDie};
use super::situation::{CountedSizes, Situation};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// The number of open nodes of each size that are rolled with each die: `rolls[size][die]`.
pub type RollProfile = Vec<Vec<u64>>;

/// The nodes that one outcome takes: the number of nodes of each size, in the order of
/// [`SituationStep::below`].
pub type Taking = Vec<u64>;

/// A step of a rule.
#[derive(Clone, Debug)]
pub struct SituationStep {
    pub rolls: RollProfile,
    /// The sizes of the nodes below, the largest first; their unit is the unit of the situation
    /// divided by `common`.
    pub below: Vec<u128>,
    /// For every deficit the takings, each with the number of outcomes that use it.
    pub takings: Vec<Vec<(Taking, u64)>>,
    /// The next situation.
    pub to: Situation,
    /// The common factor that was divided out of the sizes of the next situation, in the unit of
    /// `below`.
    pub factor: u128,
    /// The cost of the step; its unit is the unit of the prices times the unit of the situation.
    pub cost: u128,
}

/// The reason why a listing of steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingEnd {
    /// Every step within the budget was found.
    All,
    /// The effort was spent before all steps were found.
    Spent,
    /// The numbers exceed 128 bits.
    TooLong,
}

/// The number of ways that a listing may still try.
#[derive(Debug)]
pub struct SearchBudget {
    pub left: u64,
}

impl SearchBudget {
    fn spend(&mut self, ways: u64) -> bool {
        self.left = self.left.saturating_sub(ways);
        self.left > 0
    }
}

/// A taking, with the rest of the deficit that remains after it.
#[derive(Clone)]
struct TakingChoice {
    taking: Taking,
    /// The least price that is paid later for the rest, per unit of the whole mass, in fixed point,
    /// rounded down.
    later: u64,
    rest: u128,
}

/// The data of a situation that all profiles use.
struct SituationData<'a> {
    situation: &'a Situation,
    /// The sum of the sizes, in units of 1 / common.
    mass: u128,
    dice: Vec<PricedDie>,
    cheapest: u64,
    common: u128,
    /// The sizes of the nodes below, the largest first.
    below: Vec<u128>,
    /// `kind[size][die]`: the index in `below` of the size that a roll of this die gives.
    kind: Vec<Vec<usize>>,
    /// For each set of sizes that exist below: the choices for every deficit.
    choices: HashMap<Vec<bool>, Rc<Vec<Vec<TakingChoice>>>>,
}

/// An upper bound of the amount by which rounding lowers a bound.
const MAX_ROUNDING_ERROR: u64 = 1 << 12;
/// The maximum number of takings of one deficit that are compared.
const MAX_CHOICES: u64 = 100_000;
/// The maximum number of steps of the ascent.
const MAX_ASCENT_STEPS: usize = 60;

/// Calls `found` for every step whose bound is within the budget.
pub fn steps(
    situation: &Situation,
    leaves: &mut LeafPrices,
    budget: u64,
    effort: &mut SearchBudget,
    found: &mut dyn FnMut(SituationStep),
) -> ListingEnd {
    let Some(mut situation_data) = SituationData::new(situation, leaves) else {
        return ListingEnd::TooLong;
    };
    let budget = budget.saturating_add(MAX_ROUNDING_ERROR);
    let mut rolls = vec![vec![0; situation_data.dice.len()]; situation.open.len()];
    let mut listing = StepListing {
        leaves,
        effort,
        found,
    };
    situation_data.extend_profile(0, 0, situation.open[0].1, &mut rolls, budget, &mut listing)
}

/// The data that a listing of steps uses, and the function that receives the steps.
struct StepListing<'a> {
    leaves: &'a mut LeafPrices,
    effort: &'a mut SearchBudget,
    found: &'a mut dyn FnMut(SituationStep),
}

impl<'a> SituationData<'a> {
    fn new(situation: &'a Situation, leaves: &LeafPrices) -> Option<SituationData<'a>> {
        let dice = leaves.dice().to_vec();
        let common = leaves.common;
        let mass = situation.mass()?.checked_mul(common)?;
        let dearest = dice.iter().map(|die| die.price).max()?;
        mass.checked_mul(dearest.into())?;
        let size = |i: usize, j: usize| situation.open[i].0 * (common / u128::from(dice[j].sides));
        let all = |i: usize| (0..dice.len()).map(move |j| (i, j));
        let mut below: Vec<u128> = (0..situation.open.len())
            .flat_map(all)
            .map(|(i, j)| size(i, j))
            .collect();
        below.sort_unstable_by(|a, b| b.cmp(a));
        below.dedup();
        let place = |i, j| below.iter().position(|other| *other == size(i, j));
        let kind = (0..situation.open.len())
            .map(|i| {
                (0..dice.len())
                    .map(|j| place(i, j).expect("a size below"))
                    .collect()
            })
            .collect();
        Some(SituationData {
            situation,
            mass,
            cheapest: leaves.cheapest,
            common,
            below,
            kind,
            choices: HashMap::new(),
            dice,
        })
    }

    /// Extends the partial profile in all possible ways; `left` nodes of the current size have no
    /// die yet.
    fn extend_profile(
        &mut self,
        size: usize,
        die: usize,
        left: u64,
        rolls: &mut RollProfile,
        budget: u64,
        listing: &mut StepListing,
    ) -> ListingEnd {
        if die + 1 < self.dice.len() {
            for count in (0..=left).rev() {
                rolls[size][die] = count;
                let end = self.extend_profile(size, die + 1, left - count, rolls, budget, listing);
                if end != ListingEnd::All {
                    return end;
                }
            }
            return ListingEnd::All;
        }
        rolls[size][die] = left;
        match self.situation.open.get(size + 1) {
            Some(&(_, count)) => self.extend_profile(size + 1, 0, count, rolls, budget, listing),
            None => self.search_profile(rolls, budget, listing),
        }
    }

    /// Returns the choices for each deficit if only these sizes exist below.
    fn list_choices(
        &mut self,
        node_counts: &[u64],
        leaves: &mut LeafPrices,
        effort: &mut SearchBudget,
    ) -> Option<Rc<Vec<Vec<TakingChoice>>>> {
        let support: Vec<bool> = node_counts.iter().map(|count| *count > 0).collect();
        if let Some(known) = self.choices.get(&support) {
            return Some(known.clone());
        }
        let sizes = self.below.iter().zip(&support);
        let open: Vec<u128> = sizes
            .filter(|(_, exists)| **exists)
            .map(|(size, _)| *size)
            .collect();
        let mut choices = Vec::new();
        for &(deficit, _) in &self.situation.deficits {
            let mut all = Vec::new();
            let mut taking = vec![0; self.below.len()];
            let mut work = 0;
            let mut found = |taking: &[u64], rest: u128| {
                let later = match rest {
                    0 => 0,
                    _ => fixed::mul_floor(
                        fixed::div_floor(rest, self.mass),
                        leaves.bound(rest, &open),
                    ),
                };
                all.push(TakingChoice {
                    taking: taking.to_vec(),
                    later,
                    rest,
                });
                work += leaves.take_work();
                work < effort.left
            };
            let whole = deficit * self.common;
            let most = effort.left.min(MAX_CHOICES);
            let mut few = SearchBudget { left: most };
            let listed = list_takings(
                &self.below,
                &support,
                0,
                whole,
                &mut taking,
                &mut few,
                &mut found,
            );
            effort.spend(most - few.left + work);
            listed.then_some(())?;
            // Keep all choices, also those with smaller takings: the rest after a larger taking may
            // cost more.
            all.sort_by(|a, b| a.later.cmp(&b.later).then(a.rest.cmp(&b.rest)));
            choices.push(all);
        }
        let choices = Rc::new(choices);
        self.choices.insert(support, choices.clone());
        Some(choices)
    }

    fn search_profile(
        &mut self,
        rolls: &RollProfile,
        budget: u64,
        listing: &mut StepListing,
    ) -> ListingEnd {
        if !listing.effort.spend(1) {
            return ListingEnd::Spent;
        }
        let mut node_counts = vec![0u64; self.below.len()];
        let mut cost = 0u128;
        for (i, &(size, _)) in self.situation.open.iter().enumerate() {
            for (j, die) in self.dice.iter().enumerate() {
                node_counts[self.kind[i][j]] += rolls[i][j] * die.sides;
                cost += size * u128::from(die.price) * u128::from(rolls[i][j]);
            }
        }
        let paid = fixed::div_floor(cost, self.mass / self.common * u128::from(self.cheapest));
        let Some(slack) = budget.checked_sub(paid) else {
            return ListingEnd::All;
        };
        let Some(choices) = self.list_choices(&node_counts, listing.leaves, listing.effort) else {
            return ListingEnd::Spent;
        };
        let Some((prices, bound)) =
            self.ascend_prices(&choices, &node_counts, slack, listing.effort)
        else {
            return ListingEnd::All; // the bound exceeds the budget
        };
        let excess_limit = (i128::from(slack) - bound) as u128;
        let classes = (choices.iter())
            .map(|choices| outcome_rests(choices, &node_counts, &prices, excess_limit));
        let ways = StepSearch {
            situation_data: self,
            classes: classes.collect(),
            node_counts: &node_counts,
            rolls,
            cost,
            budget: slack,
            prices,
        };
        let mut left = Vec::new();
        let want = self.situation.deficits[0].1;
        if ways.choose_rests(0, 0, want, (0, excess_limit), &mut left, listing) {
            ListingEnd::All
        } else {
            ListingEnd::Spent
        }
    }

    /// Returns prices of nodes, and the resulting lower bound of what is paid later; `None` if this
    /// bound exceeds the slack.
    fn ascend_prices(
        &self,
        choices: &[Vec<TakingChoice>],
        node_counts: &[u64],
        slack: u64,
        effort: &mut SearchBudget,
    ) -> Option<(Vec<u64>, i128)> {
        let counts: Vec<u64> = self
            .situation
            .deficits
            .iter()
            .map(|(_, count)| *count)
            .collect();
        let goal = slack as f64;
        let mut prices = vec![0.0f64; node_counts.len()];
        let mut best: Option<(Vec<u64>, i128)> = None;
        let all: usize = choices.iter().map(Vec::len).sum();
        for round in 0..MAX_ASCENT_STEPS {
            effort.spend((all * node_counts.len() / 32 + 1) as u64);
            // Computed in integers, the bound holds for any prices.
            let whole: Vec<u64> = prices.iter().map(|price| *price as u64).collect();
            let mut bound = 0i128;
            let mut used = vec![0u64; node_counts.len()];
            for (choices, count) in choices.iter().zip(&counts) {
                let least = choices.iter().enumerate().filter(|(_, choice)| {
                    choice.taking.iter().zip(node_counts).all(|(y, n)| y <= n)
                });
                let least = least.map(|(i, choice)| {
                    let nodes = choice.taking.iter().zip(&whole);
                    let nodes: u128 = nodes.map(|(y, p)| u128::from(*y) * u128::from(*p)).sum();
                    (nodes + u128::from(choice.later), i)
                });
                let (least, i) = least.min()?;
                bound += least as i128 * i128::from(*count);
                for (used, y) in used.iter_mut().zip(&choices[i].taking) {
                    *used += y * count;
                }
            }
            let nodes: u128 = whole
                .iter()
                .zip(node_counts)
                .map(|(p, n)| u128::from(*p) * u128::from(*n))
                .sum();
            bound -= nodes as i128;
            if bound > i128::from(slack) {
                return None;
            }
            if best.as_ref().is_none_or(|(_, known)| bound > *known) {
                best = Some((whole, bound));
            }
            // The direction of the ascent: the number of nodes wanted minus the number of nodes
            // that exist.
            let slope: Vec<f64> = used
                .iter()
                .zip(node_counts)
                .map(|(u, n)| *u as f64 - *n as f64)
                .collect();
            let slope: Vec<f64> = (slope.iter().zip(&prices))
                .map(|(s, p)| if *s < 0.0 && *p <= 0.0 { 0.0 } else { *s })
                .collect();
            let square: f64 = slope.iter().map(|s| s * s).sum();
            if square == 0.0 {
                break;
            }
            let step = (goal - bound as f64 + goal * 1e-3) / square / (1.0 + round as f64 / 30.0);
            for (price, s) in prices.iter_mut().zip(&slope) {
                *price = (*price + step * s).clamp(0.0, 1e18);
            }
        }
        best
    }
}

/// A rest that may remain of an outcome's deficit, and the takings after which it remains.
struct OutcomeRest {
    rest: u128,
    /// The amount by which the cheapest taking exceeds the least choice of the deficit.
    excess: u128,
    takings: Vec<Taking>,
}

/// Outcomes of the same deficit that leave the same rest: the index of the deficit, the index of
/// the rest, and the number of outcomes.
type LeftRest = (usize, usize, u64);

/// The state of an attempt to distribute nodes among outcomes.
struct NodeSharing<'a> {
    left: &'a [LeftRest],
    /// The takings of every deficit so far.
    takings: Vec<Vec<(Taking, u64)>>,
    /// The points of the attempt from which the remaining nodes cannot be distributed.
    failed: HashSet<(usize, usize, u64, Vec<u64>)>,
    effort: &'a mut SearchBudget,
}

/// The search for the steps of one profile.
struct StepSearch<'a> {
    situation_data: &'a SituationData<'a>,
    /// For every deficit the possible rests, those with the least excess first.
    classes: Vec<Vec<OutcomeRest>>,
    node_counts: &'a [u64],
    rolls: &'a RollProfile,
    cost: u128,
    /// The maximum price that may be paid later.
    budget: u64,
    prices: Vec<u64>,
}

/// The rests that these choices of one outcome leave, each with its takings; without choices that
/// have too few nodes or cost more than the limit above the least price.
fn outcome_rests(
    choices: &[TakingChoice],
    node_counts: &[u64],
    prices: &[u64],
    excess_limit: u128,
) -> Vec<OutcomeRest> {
    // the nodes of a choice at these prices, and what is paid later
    let price_of = |choice: &TakingChoice| {
        let nodes = choice.taking.iter().zip(prices);
        let nodes: u128 = nodes.map(|(y, p)| u128::from(*y) * u128::from(*p)).sum();
        nodes + u128::from(choice.later)
    };
    let has_nodes =
        |choice: &&TakingChoice| choice.taking.iter().zip(node_counts).all(|(y, n)| y <= n);
    let fitting = || choices.iter().filter(has_nodes);
    let least = fitting().map(price_of).min().unwrap_or(0);
    let mut rests: BTreeMap<u128, OutcomeRest> = BTreeMap::new();
    for choice in fitting() {
        let excess = price_of(choice) - least;
        if excess > excess_limit {
            continue;
        }
        let rest = rests.entry(choice.rest).or_insert(OutcomeRest {
            rest: choice.rest,
            excess,
            takings: Vec::new(),
        });
        rest.excess = rest.excess.min(excess);
        rest.takings.push(choice.taking.clone());
    }
    let mut rests: Vec<OutcomeRest> = rests.into_values().collect();
    rests.sort_by_key(|rest| (rest.excess, rest.rest));
    for rest in &mut rests {
        // Try larger nodes first.
        rest.takings.sort_unstable_by(|a, b| b.cmp(a));
    }
    rests
}

impl StepSearch<'_> {
    /// Chooses the rests of the outcomes of the deficits from `class` on. `want` outcomes of
    /// `class` still need a rest, and only rests from `first` on are tried for them. `mass` is the
    /// sum of the rests so far.
    fn choose_rests(
        &self,
        class: usize,
        first: usize,
        want: u64,
        (mass, slack): (u128, u128),
        left: &mut Vec<LeftRest>,
        listing: &mut StepListing,
    ) -> bool {
        if !listing.effort.spend(1) {
            return false;
        }
        if want == 0 {
            return match self.situation_data.situation.deficits.get(class + 1) {
                Some(&(_, want)) => {
                    self.choose_rests(class + 1, 0, want, (mass, slack), left, listing)
                }
                None => {
                    let mut used = self.node_counts.to_vec();
                    self.choose_open_nodes(0, (mass, slack), &mut used, left, listing)
                }
            };
        }
        let Some(rest) = self.classes[class].get(first) else {
            return true;
        };
        // All later rests have at least this excess.
        if rest.excess.saturating_mul(want.into()) > slack {
            return true;
        }
        for count in (0..=want).rev() {
            if count > 0 {
                left.push((class, first, count));
            }
            let slack = slack - rest.excess * u128::from(count);
            let mass = mass + rest.rest * u128::from(count);
            let rest = want - count;
            let whole = self.choose_rests(class, first + 1, rest, (mass, slack), left, listing);
            if count > 0 {
                left.pop();
            }
            if !whole {
                return false;
            }
        }
        true
    }

    /// Chooses the nodes that stay open, among the sizes from `kind` on; the sum of their sizes
    /// must be `mass`. `used` counts the nodes that do not stay open.
    fn choose_open_nodes(
        &self,
        kind: usize,
        (mass, slack): (u128, u128),
        used: &mut Vec<u64>,
        left: &[LeftRest],
        listing: &mut StepListing,
    ) -> bool {
        if !listing.effort.spend(1) {
            return false;
        }
        let Some(&size) = self.situation_data.below.get(kind) else {
            return mass > 0 || self.find_step(used, left, listing);
        };
        let count = self.node_counts[kind];
        let mut fit = u64::try_from(mass / size).unwrap_or(u64::MAX).min(count);
        if self.prices[kind] > 0 {
            let most = slack / u128::from(self.prices[kind]);
            fit = fit.min(u64::try_from(most).unwrap_or(u64::MAX));
        }
        // The largest sum that nodes of the smaller sizes can have.
        let later = self
            .situation_data
            .below
            .iter()
            .zip(self.node_counts)
            .skip(kind + 1);
        let later: u128 = later.map(|(size, count)| size * u128::from(*count)).sum();
        for open in (0..=fit).rev() {
            let mass = mass - size * u128::from(open);
            if mass > later {
                break;
            }
            used[kind] = count - open;
            let slack = slack - u128::from(self.prices[kind]) * u128::from(open);
            if !self.choose_open_nodes(kind + 1, (mass, slack), used, left, listing) {
                used[kind] = count;
                return false;
            }
        }
        used[kind] = count;
        true
    }

    /// Looks for a step that uses exactly these nodes and leaves these rests.
    fn find_step(&self, used: &[u64], left: &[LeftRest], listing: &mut StepListing) -> bool {
        // The price paid later, below the nodes that stay open.
        let open = self
            .situation_data
            .below
            .iter()
            .zip(self.node_counts)
            .zip(used);
        let open: Vec<u128> = (open.filter(|((_, count), used)| count > used))
            .map(|((size, _), _)| *size)
            .collect();
        let mut later = 0u64;
        for &(class, rest, count) in left {
            let rest = self.classes[class][rest].rest;
            if rest > 0 {
                let part = fixed::div_floor(rest * u128::from(count), self.situation_data.mass);
                later =
                    later.saturating_add(fixed::mul_floor(part, listing.leaves.bound(rest, &open)));
            }
        }
        if later > self.budget {
            return true;
        }
        let mut sharing = NodeSharing {
            left,
            takings: vec![Vec::new(); self.classes.len()],
            failed: HashSet::new(),
            effort: listing.effort,
        };
        match self.can_share_nodes(0, 0, left[0].2, used.to_vec(), &mut sharing) {
            None => false,
            Some(false) => true,
            Some(true) => {
                (listing.found)(self.build_step(used, sharing.takings));
                true
            }
        }
    }

    /// Whether these nodes can be distributed among the outcomes so that these rests remain. At
    /// `place`, `want` outcomes still need a taking, and only takings from `first` on are tried.
    /// `None` if the effort is spent.
    fn can_share_nodes(
        &self,
        place: usize,
        first: usize,
        want: u64,
        nodes: Vec<u64>,
        sharing: &mut NodeSharing,
    ) -> Option<bool> {
        if !sharing.effort.spend(1) {
            return None;
        }
        let (class, rest, _) = sharing.left[place];
        if want == 0 {
            return match sharing.left.get(place + 1) {
                Some(&(_, _, want)) => self.can_share_nodes(place + 1, 0, want, nodes, sharing),
                None => Some(nodes.iter().all(|count| *count == 0)),
            };
        }
        // The next taking that fits.
        let takings_left = self.classes[class][rest]
            .takings
            .iter()
            .enumerate()
            .skip(first);
        let mut fitting = takings_left
            .filter(|(_, taking)| nodes.iter().zip(*taking).all(|(nodes, y)| y <= nodes));
        let Some((first, taking)) = fitting.next() else {
            return Some(false);
        };
        let key = (place, first, want, nodes);
        if sharing.failed.contains(&key) {
            return Some(false);
        }
        let nodes = &key.3;
        let most = (nodes.iter().zip(taking))
            .filter(|(_, taken)| **taken > 0)
            .map(|(nodes, taken)| nodes / taken)
            .fold(want, u64::min);
        for count in (0..=most).rev() {
            let nodes = nodes
                .iter()
                .zip(taking)
                .map(|(nodes, y)| nodes - y * count)
                .collect();
            if count > 0 {
                sharing.takings[class].push((taking.clone(), count));
            }
            match self.can_share_nodes(place, first + 1, want - count, nodes, sharing) {
                Some(false) => {}
                end => return end,
            }
            if count > 0 {
                sharing.takings[class].pop();
            }
        }
        sharing.failed.insert(key);
        Some(false)
    }

    fn build_step(&self, used: &[u64], takings: Vec<Vec<(Taking, u64)>>) -> SituationStep {
        let situation_data = self.situation_data;
        let open = situation_data.below.iter().zip(self.node_counts).zip(used);
        let open = open
            .map(|((size, count), used)| (*size, count - used))
            .collect();
        let mut deficits = CountedSizes::new();
        for (&(deficit, _), takings) in situation_data.situation.deficits.iter().zip(&takings) {
            for (taking, count) in takings {
                let taken = taking.iter().zip(&situation_data.below);
                let taken: u128 = taken.map(|(count, size)| size * u128::from(*count)).sum();
                deficits.push((deficit * situation_data.common - taken, *count));
            }
        }
        let (to, factor) = Situation::reduced(open, deficits);
        SituationStep {
            rolls: self.rolls.clone(),
            below: situation_data.below.clone(),
            takings,
            to,
            factor,
            cost: self.cost,
        }
    }
}

/// Calls `found` for every taking of at most this deficit, until `found` returns false or the
/// effort is spent.
fn list_takings(
    sizes: &[u128],
    exists: &[bool],
    from: usize,
    rest: u128,
    taking: &mut Vec<u64>,
    effort: &mut SearchBudget,
    found: &mut dyn FnMut(&[u64], u128) -> bool,
) -> bool {
    if !effort.spend(1) {
        return false;
    }
    let Some(&size) = sizes.get(from) else {
        return found(taking, rest);
    };
    let fit = if exists[from] {
        u64::try_from(rest / size).unwrap_or(u64::MAX)
    } else {
        0
    };
    for count in (0..=fit).rev() {
        taking[from] = count;
        let rest = rest - size * u128::from(count);
        if !list_takings(sizes, exists, from + 1, rest, taking, effort, found) {
            return false;
        }
    }
    taking[from] = 0;
    true
}
