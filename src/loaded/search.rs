//! The search of the module above: levels, choices, and what is cut.

use crate::budget::spend;
use crate::number::reduce::gcd;
use crate::number::{BigInt, BigUint, Rational};
use crate::task::Target;
use num_traits::{One, Zero};
use std::collections::HashMap;

/// The best rule that was found, and what is proved.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// The cost of the best rule that was found, or a bound of it from above.
    pub upper: Rational,
    /// No rule costs less.
    pub lower: Rational,
    /// The rule.
    pub rule: Found,
    /// The choices that were looked at.
    pub steps: u64,
}

/// A rule: what becomes of every child, level by level, and how it goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// `levels[t][g][j]`: where face j leads from the open node g of depth t.
    pub levels: Vec<Vec<Vec<Placed>>>,
    /// What follows the last level.
    pub ending: Ending,
}

/// Where a face leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// To an outcome, from 0.
    Outcome(usize),
    /// To an open node of the next level.
    Open(usize),
}

/// What follows the last level of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nothing: no node is open.
    #[default]
    Decided,
    /// As at an earlier level, with the open nodes and the outcomes renamed: `nodes[g]` and
    /// `outcomes[i]` are what node g of the last level and outcome i were there.
    Repeats {
        /// The earlier level.
        level: usize,
        /// The nodes of that level.
        nodes: Vec<usize>,
        /// The outcomes as they were at that level; those that lack nothing are themselves.
        outcomes: Vec<usize>,
    },
    /// The interval algorithm.
    Interval,
}

/// A level of the tree: what is open before its roll.
struct Level {
    /// From the largest on.
    open: Vec<BigUint>,
    /// What each outcome lacks.
    deficits: Vec<BigUint>,
    /// The cost before this roll, in the unit of the level.
    cost: BigUint,
    /// The unit, as a part of the whole.
    unit: BigUint,
    key: Key,
    /// A unit of the key in units of the level.
    scale: BigUint,
    /// The children of the level before, as they were placed.
    placed: Vec<Vec<Placed>>,
}

/// Open masses and deficits, from the largest on, without what all have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key(Vec<BigUint>, Vec<BigUint>);

/// A child that is to be placed: its mass, the node that it is of, and the face.
struct Child {
    mass: BigUint,
    node: usize,
    face: usize,
}

struct Search<'a> {
    faces: &'a [BigUint],
    sum: BigUint,
    largest: BigUint,
    /// 1/scale is the unit of the first level.
    levels: Vec<Level>,
    best: Rational,
    rule: Found,
    /// What this much below the best is not looked for.
    slack: Rational,
    /// The least cost that is looked for no more, in the units of each level.
    limits: Vec<Option<BigUint>>,
    seen: HashMap<Key, Vec<(Rational, Rational)>>,
    steps: u64,
    most: u64,
    /// Among the deficits that a child fits, is the largest tried first?
    widest_first: bool,
}

/// Of the first unit: what is rounded down in a bound is so many times smaller.
const FINE: u32 = 96;
/// The deepest level.
const DEEPEST: usize = 600;

/// What is left out of a search, as binary places; each is begun with the best rule of those before.
const SLACKS: [u32; 6] = [1, 3, 7, 14, 22, 31];

/// See the module above.
pub(super) fn optimum(faces: &[BigUint], target: &Target, effort: u64) -> Optimum {
    let whole = target.weight_sum() << FINE;
    let weights: Vec<BigUint> = target.iter().map(|(_, weight)| weight << FINE).collect();
    let none = || Rational::zero();
    let mut found = Optimum {
        upper: none(),
        lower: none(),
        rule: Found::default(),
        steps: 0,
    };
    if weights.iter().filter(|weight| !weight.is_zero()).count() == 1 {
        return found;
    }
    let mut search = Search {
        faces,
        largest: faces.iter().max().expect("faces").clone(),
        sum: faces.iter().sum(),
        levels: vec![level(
            vec![whole.clone()],
            weights,
            BigUint::zero(),
            whole,
            Vec::new(),
        )],
        best: none(),
        rule: Found::default(),
        slack: none(),
        limits: Vec::new(),
        seen: HashMap::new(),
        steps: 0,
        most: 0,
        widest_first: true,
    };
    search.line();
    let mut run = |slack: Rational, most: u64, widest_first: bool, found: &mut Optimum| {
        (search.slack, search.most, search.widest_first) = (slack.clone(), most, widest_first);
        search.steps = 0;
        search.seen.clear();
        search.limits.clear();
        let whole = search.roll();
        found.steps += search.steps;
        found.upper = search.best.clone();
        found.rule = search.rule.clone();
        if whole {
            found.lower = (&found.upper - slack).max(found.lower.clone());
        }
        whole
    };
    // A first rule, in either order; then as many places as a double shows, if they can be had.
    let slack = |bits: u32| Rational::new(BigInt::one(), BigInt::one() << bits);
    run(slack(3), effort / 40, true, &mut found);
    let mut whole = true;
    for bits in SLACKS {
        let left = effort.saturating_sub(found.steps);
        whole = whole && run(slack(bits), left, false, &mut found);
    }
    let left = effort.saturating_sub(found.steps);
    if whole && found.rule.ending != Ending::Interval {
        run(
            none(),
            left.min(found.steps.max(100_000)),
            false,
            &mut found,
        );
    }
    found
}

fn level(
    open: Vec<BigUint>,
    deficits: Vec<BigUint>,
    cost: BigUint,
    unit: BigUint,
    placed: Vec<Vec<Placed>>,
) -> Level {
    let mut sorted: Vec<BigUint> = deficits.iter().filter(|d| !d.is_zero()).cloned().collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let all = open.iter().chain(&sorted);
    let scale = all.fold(BigUint::zero(), |scale, x| match scale.is_one() {
        true => scale,
        false => gcd(&scale, x),
    });
    let reduced = |list: &[BigUint]| list.iter().map(|x| x / &scale).collect();
    Level {
        key: Key(reduced(&open), reduced(&sorted)),
        open,
        deficits,
        cost,
        unit,
        scale,
        placed,
    }
}

impl Search<'_> {
    fn last(&self) -> &Level {
        self.levels.last().expect("a first level")
    }

    /// Costs from here on, in units of this depth, that are not looked for.
    fn limit(&mut self, depth: usize) -> BigUint {
        if self.limits.len() <= depth {
            self.limits.resize(depth + 1, None);
        }
        if self.limits[depth].is_none() {
            let unit = self.levels[0].unit.clone() * self.sum.pow(depth as u32);
            let limit = (&self.best - &self.slack) * BigInt::from(unit);
            let limit = limit.ceil().to_integer().to_biguint().unwrap_or_default();
            self.limits[depth] = Some(limit);
        }
        self.limits[depth].clone().expect("set above")
    }

    /// A rule of this cost, which ends so after the last level.
    fn found(&mut self, cost: Rational, last: Option<Vec<Vec<Placed>>>, ending: Ending) {
        if cost < self.best || self.best.is_zero() {
            self.best = cost;
            let levels = self.levels.iter().skip(1).map(|level| level.placed.clone());
            self.rule = Found {
                levels: levels.chain(last).collect(),
                ending,
            };
            self.limits.clear();
        }
    }

    fn of_whole(&self, x: &BigUint) -> Rational {
        Rational::new(x.clone().into(), self.last().unit.clone().into())
    }

    /// The interval algorithm from here on.
    fn line(&mut self) {
        let level = self.last();
        let cuts = level
            .deficits
            .iter()
            .filter(|d| !d.is_zero())
            .count()
            .saturating_sub(1);
        let rest = Rational::new(
            (&level.open[0] * cuts * &self.sum).into(),
            (&self.sum - &self.largest).into(),
        );
        let cost = self.of_whole(&level.cost) + rest / BigInt::from(level.unit.clone());
        self.found(cost, None, Ending::Interval);
    }

    /// What is rolled in any case below an open node of this mass, itself left out.
    fn forced(&self, mass: &BigUint, most: &BigUint) -> BigUint {
        let mut all = BigUint::zero();
        for face in self.faces {
            let child = mass * face / &self.sum;
            if child > *most {
                all += self.forced(&child, most);
                all += child;
            }
        }
        all
    }

    /// Rolls the last level, in every way; `false` if it was given up.
    fn roll(&mut self) -> bool {
        let depth = self.levels.len() - 1;
        if depth > 0 {
            self.line();
        }
        let level = self.last();
        let most = level.deficits.iter().max().expect("outcomes").clone();
        let open: BigUint = level.open.iter().sum();
        let bound = level
            .open
            .iter()
            .fold(&level.cost + &open, |sum, g| sum + self.forced(g, &most));
        if bound >= self.limit(depth) {
            return true;
        }
        if depth > 0 && self.came_back() {
            return true;
        }
        if depth >= DEEPEST {
            return false;
        }
        let level = self.last();
        let mut children = Vec::with_capacity(level.open.len() * self.faces.len());
        for (node, mass) in level.open.iter().enumerate() {
            for (face, weight) in self.faces.iter().enumerate() {
                children.push(Child {
                    mass: mass * weight,
                    node,
                    face,
                });
            }
        }
        children.sort_by(|a, b| b.mass.cmp(&a.mass));
        let mut choice = Choice {
            cost: (&level.cost + open) * &self.sum,
            placed: vec![vec![Placed::Outcome(0); self.faces.len()]; level.open.len()],
            deficits: level.deficits.iter().map(|d| d * &self.sum).collect(),
            open: Vec::new(),
            opened: BigUint::zero(),
            children,
        };
        self.place(&mut choice, 0, 0)
    }

    /// Is the last level one that was before, up to scale, or one that was searched at no greater cost
    /// and no larger scale? If neither, it is noted.
    fn came_back(&mut self) -> bool {
        let level = self.last();
        let at = self.levels.len() - 1;
        let scale = self.of_whole(&level.scale);
        let cost = self.of_whole(&level.cost);
        let before = (0..at).rev().find(|t| self.levels[*t].key == level.key);
        if let Some(t) = before {
            let earlier = &self.levels[t];
            let whole = |x: &BigUint| Rational::new(x.clone().into(), earlier.unit.clone().into());
            let (was, spent) = (whole(&earlier.scale), whole(&earlier.cost));
            let all = &spent + (&cost - &spent) / (Rational::one() - scale / was);
            let ending = Ending::Repeats {
                level: t,
                nodes: (0..level.open.len()).collect(),
                outcomes: self.renamed(t),
            };
            self.found(all, None, ending);
            return true;
        }
        let seen = self.seen.entry(level.key.clone()).or_default();
        if seen.iter().any(|(c, s)| *c <= cost && *s <= scale) {
            return true;
        }
        seen.push((cost, scale));
        false
    }

    /// The outcomes of the last level by those of an earlier one that is like it.
    fn renamed(&self, t: usize) -> Vec<usize> {
        let order = |level: &Level| {
            let lacking = |i: &usize| !level.deficits[*i].is_zero();
            let mut all: Vec<usize> = (0..level.deficits.len()).filter(lacking).collect();
            all.sort_by(|a, b| level.deficits[*b].cmp(&level.deficits[*a]));
            all
        };
        let mut renamed: Vec<usize> = (0..self.last().deficits.len()).collect();
        for (now, then) in order(self.last()).into_iter().zip(order(&self.levels[t])) {
            renamed[now] = then;
        }
        renamed
    }

    /// Places the children from this one on, in every way; one of the same mass as the one before
    /// goes to no earlier outcome. `false` if it was given up.
    fn place(&mut self, choice: &mut Choice, at: usize, first: usize) -> bool {
        spend(200);
        self.steps += 1;
        if self.steps > self.most {
            return false;
        }
        let depth = self.levels.len();
        let limit = self.limit(depth);
        let most = choice.deficits.iter().max().expect("outcomes").clone();
        let rest = choice.children[at..]
            .iter()
            .take_while(|child| child.mass > most);
        let forced = rest.map(|child| self.forced(&child.mass, &most) + &child.mass);
        let bound = forced.fold(&choice.cost + &choice.opened, |sum, mass| sum + mass);
        let bound = (choice.open.iter()).fold(bound, |sum, g| sum + self.forced(g, &most));
        if bound >= limit {
            return true;
        }
        let Some(child) = choice.children.get(at) else {
            return self.descend(choice);
        };
        let (mass, node, face) = (child.mass.clone(), child.node, child.face);
        let same = choice
            .children
            .get(at + 1)
            .is_some_and(|next| next.mass == mass);
        // The deficits that it fits: those that it fills first, then the largest.
        let mut ways: Vec<usize> = (first..choice.deficits.len())
            .filter(|i| choice.deficits[*i] >= mass)
            .collect();
        ways.sort_by(|a, b| {
            let (a, b) = (&choice.deficits[*a], &choice.deficits[*b]);
            let fills = (*b == mass).cmp(&(*a == mass));
            fills.then_with(|| {
                if self.widest_first {
                    b.cmp(a)
                } else {
                    a.cmp(b)
                }
            })
        });
        ways.dedup_by(|a, b| choice.deficits[*a] == choice.deficits[*b]);
        for i in ways {
            choice.deficits[i] -= &mass;
            choice.placed[node][face] = Placed::Outcome(i);
            let whole = self.place(choice, at + 1, if same { i } else { 0 });
            choice.deficits[i] += &mass;
            if !whole {
                return false;
            }
        }
        choice.placed[node][face] = Placed::Open(choice.open.len());
        choice.open.push(mass.clone());
        choice.opened += &mass;
        let none = choice.deficits.len();
        let whole = self.place(choice, at + 1, if same { none } else { 0 });
        choice.open.pop();
        choice.opened -= &mass;
        whole
    }

    /// All children are placed.
    fn descend(&mut self, choice: &Choice) -> bool {
        let unit = &self.last().unit * &self.sum;
        if choice.open.is_empty() {
            let cost = Rational::new(choice.cost.clone().into(), unit.into());
            self.found(cost, Some(choice.placed.clone()), Ending::Decided);
            return true;
        }
        let next = level(
            choice.open.clone(),
            choice.deficits.clone(),
            choice.cost.clone(),
            unit,
            choice.placed.clone(),
        );
        self.levels.push(next);
        let whole = self.roll();
        self.levels.pop();
        whole
    }
}

/// The children of a level, some of them placed.
struct Choice {
    /// The cost of the rolls before, in the unit of the children.
    cost: BigUint,
    placed: Vec<Vec<Placed>>,
    deficits: Vec<BigUint>,
    open: Vec<BigUint>,
    /// The sum of the open ones.
    opened: BigUint,
    children: Vec<Child>,
}

#[cfg(test)]
mod tests {
    use super::super::{EFFORT, optimum};
    use super::*;
    use crate::task::{Source, Task};

    fn solve(source: &[u64], target: &[u64], effort: u64) -> Optimum {
        let source = Source::loaded(source.to_vec()).unwrap();
        let target = Target::weighted(target.to_vec()).unwrap();
        optimum(&Task::new(source, target), effort).unwrap()
    }

    fn ratio(a: u64, b: u64) -> Rational {
        Rational::new(a.into(), b.into())
    }

    /// What can be worked out by hand: heads is one outcome and tails tails the other, and then the same
    /// with the outcomes exchanged; XOR of two tosses; and the theorem that no loaded coin makes a fair bit
    /// with less than 2 flips.
    #[test]
    fn small_cases() {
        for (source, target, cost) in [
            (vec![1, 2], vec![1, 1], ratio(2, 1)),
            (vec![1, 2], vec![1, 1, 1], ratio(7, 3)),
            (vec![1, 3], vec![3, 5], ratio(2, 1)),
            (vec![1, 2], vec![2, 1], ratio(1, 1)),
            (vec![1, 1, 2], vec![1, 1], ratio(1, 1)),
        ] {
            let found = solve(&source, &target, EFFORT);
            assert_eq!(
                (&found.upper, &found.lower),
                (&cost, &cost),
                "{source:?} {target:?}"
            );
        }
        for (a, b) in [(1, 3), (1, 5), (2, 3), (3, 4), (5, 6)] {
            let found = solve(&[a, b], &[1, 1], EFFORT);
            assert!(found.lower <= found.upper && found.lower >= ratio(2, 1) - ratio(1, 1 << 30));
            assert!(&found.upper - &found.lower <= ratio(1, 1_000_000_000));
        }
    }

    /// Taking all that fits costs 3.301660 flips from p = 1/6; leaving one mass open less.
    #[test]
    fn taking_what_fits_is_not_the_best() {
        let found = solve(&[1, 5], &[1, 1], EFFORT);
        assert!(
            found.upper > ratio(3_252_336, 1_000_000) && found.upper < ratio(3_252_337, 1_000_000)
        );
    }

    /// The cost of a rule by its tables, up to its last level; the outcomes receive no more than their
    /// weights, and all of them where nothing stays open.
    #[test]
    fn a_rule_is_what_its_tables_say() {
        for (source, target) in [
            (vec![1u64, 2], vec![1u64, 1]),
            (vec![1, 3], vec![1, 1, 1]),
            (vec![1, 1, 2], vec![1, 3]),
        ] {
            let found = solve(&source, &target, EFFORT);
            let (sum, all): (u64, u64) = (source.iter().sum(), target.iter().sum());
            let mut open = vec![ratio(1, 1)];
            let mut got = vec![ratio(0, 1); target.len()];
            let mut cost = ratio(0, 1);
            for level in &found.rule.levels {
                cost += open.iter().sum::<Rational>();
                let mut next: Vec<Rational> = Vec::new();
                for (mass, faces) in open.iter().zip(level) {
                    for (face, placed) in faces.iter().enumerate() {
                        let child = mass * ratio(source[face], sum);
                        match placed {
                            Placed::Outcome(i) => got[*i] += child,
                            Placed::Open(i) => {
                                if next.len() <= *i {
                                    next.resize(i + 1, ratio(0, 1));
                                }
                                next[*i] += child;
                            }
                        }
                    }
                }
                open = next;
            }
            assert!(cost <= found.upper);
            let given: Rational = got.iter().sum::<Rational>() + open.iter().sum::<Rational>();
            assert_eq!(given, ratio(1, 1));
            assert!(
                got.iter()
                    .zip(&target)
                    .all(|(got, w)| *got <= ratio(*w, all))
            );
            assert!(open.is_empty() == (found.rule.ending == Ending::Decided));
        }
    }
}
