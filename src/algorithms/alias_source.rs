//! Finds a fair die inside a loaded source: it groups the faces so that all groups are equally
//! likely.
//!
//! The faces of 1:2:3 make a fair coin, {1, 2} against {3}, and those of 1:1:2:2:3 a fair d3. Each
//! roll of the source is then a roll of a fair die with k groups as its faces, and Knuth & Yao's
//! tree makes the target from these rolls (the fast dice roller for a fair target). No rule that
//! sees only the group of each roll costs less.
//!
//! The number k must divide the sum of the weights and is at most that sum over the largest weight.
//! Of all k for which a split is found, the one with the least cost is used, and the largest of
//! several equal ones. The search places the faces in descending order of their weights, each into
//! the first group with room, then into the next. For each face it skips groups with as much room
//! left as a group that it already tried, and it gives up after [`MAX_STEPS`] steps.
//!
//! **Source.** Folklore: a loaded die that contains a fair one. The name refers to Walker's alias
//! method, which splits weights into equal columns.

use super::knuth_yao::KnuthYao;
use super::{About, Memory, Purpose, Rule, RuleInfo, Step};
use crate::law::Law;
use crate::task::{Refusal, Source, Task};
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

/// The maximum number of faces of a source.
const MAX_FACES: usize = 1 << 10;
/// The maximum number of steps of the search for a split into k groups.
const MAX_STEPS: u64 = 1 << 16;

/// See the module documentation.
pub(crate) struct AliasSource {
    /// The group of each face.
    groups: Vec<u64>,
    tree: KnuthYao,
}

/// The result of a search for a split.
#[derive(Debug, PartialEq, Eq)]
enum FaceSplit {
    Groups(Vec<u64>),
    None,
    /// The search gave up before it had an answer.
    Unknown,
}

/// Splits the faces into k groups whose weights all sum to `each`.
fn split_faces(weights: &[BigUint], k: usize, each: &BigUint) -> FaceSplit {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].cmp(&weights[*a]));
    let mut room = vec![each.clone(); k];
    // The group of each face placed so far.
    let mut chosen: Vec<usize> = Vec::new();
    let (mut next, mut steps) = (0, 0);
    while chosen.len() < order.len() {
        steps += 1;
        if steps > MAX_STEPS {
            return FaceSplit::Unknown;
        }
        spend(20 * k as u64);
        let weight = &weights[order[chosen.len()]];
        let fits =
            |group: &usize| room[*group] >= *weight && !room[..*group].contains(&room[*group]);
        match (next..k).find(fits) {
            Some(group) => {
                room[group] -= weight;
                chosen.push(group);
                next = 0;
            }
            None => {
                let Some(last) = chosen.pop() else {
                    return FaceSplit::None;
                };
                room[last] += &weights[order[chosen.len()]];
                next = last + 1;
            }
        }
    }
    let mut groups = vec![0; weights.len()];
    for (face, group) in order.iter().zip(&chosen) {
        groups[*face] = *group as u64;
    }
    // Groups are numbered in order of appearance.
    let mut names: Vec<u64> = Vec::new();
    for group in &mut groups {
        let name = names.iter().position(|name| name == group);
        *group = name.unwrap_or_else(|| {
            names.push(*group);
            names.len() - 1
        }) as u64;
    }
    FaceSplit::Groups(groups)
}

impl Rule for AliasSource {
    type State = <KnuthYao as Rule>::State;

    fn start(&self) -> Step<Self::State> {
        self.tree.start()
    }

    fn step(&self, at: &Self::State, face: u64) -> Step<Self::State> {
        self.tree.step(at, self.groups[face as usize])
    }
}

impl RuleInfo for AliasSource {
    const ABOUT: About = About {
        id: "alias-source",
        name: "A fair die inside a loaded one",
        citation: "folklore; Knuth & Yao 1976",
        memory: Memory::TwoNumbers,
        bounded: "if every prime factor of the weight sum M divides the number of groups",
        rule: "split the faces of the source into groups that are equally likely, and roll the fair die of the groups",
        law: "the law of knuth-yao from a fair die of the groups",
    };
    const PURPOSE: Purpose = Purpose::LoadedSources;
    const PSEUDOCODE: &'static [&'static str] = &[
        "group[f] = the group of face f; all groups are equally likely",
        "as knuth-yao, with group[roll()] for roll()",
    ];

    fn new(task: &Task) -> Result<Self, Refusal> {
        let source = task.source();
        if source.is_unknown() {
            return Err(Refusal::UnknownSource(source.clone()));
        }
        let refuse = |why: &str| {
            Err(Refusal::Rule(format!(
                "it splits the faces of a loaded source into equally likely groups, and {} {why}",
                source.with_article()
            )))
        };
        let Some(weights) = source.weights() else {
            return refuse("is fair");
        };
        if weights.len() > MAX_FACES {
            return refuse(&format!("has more than {MAX_FACES} faces"));
        }
        let sum: BigUint = weights.iter().sum();
        let largest = weights.iter().max().expect("two faces at least");
        let most = (&sum / largest).to_usize().unwrap_or(weights.len());
        let mut best: Option<AliasSource> = None;
        let mut given_up = false;
        for k in (2..=most.min(weights.len())).rev() {
            if !(&sum % k).is_zero() {
                continue;
            }
            let groups = match split_faces(weights, k, &(&sum / k)) {
                FaceSplit::Groups(groups) => groups,
                FaceSplit::None => continue,
                FaceSplit::Unknown => {
                    given_up = true;
                    continue;
                }
            };
            let die = Source::die(k as u64).expect("two groups at least");
            let tree = KnuthYao::new(&Task::new(task.target().clone(), die))?;
            let mean = |tree: &KnuthYao| tree.closed_law().map(|law| law.mean_real());
            let costs_less = |known: &AliasSource| match (mean(&tree), mean(&known.tree)) {
                (Some(a), Some(b)) => a.compare(&b) == Ok(Ordering::Less),
                _ => false,
            };
            if best.as_ref().is_none_or(costs_less) {
                best = Some(AliasSource { groups, tree });
            }
        }
        match best {
            Some(best) => Ok(best),
            None if given_up => refuse("has no such split that was found in a bounded search"),
            None => refuse("has no such split"),
        }
    }

    fn closed_law(&self) -> Option<Law> {
        self.tree.closed_law()
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::tests::TARGETS;
    use super::*;
    use crate::task::Target;

    fn rule(source: &str, n: u64) -> Result<AliasSource, Refusal> {
        let target = Target::uniform(n).unwrap();
        AliasSource::new(&Task::new(target, source.parse().unwrap()))
    }

    #[test]
    fn known_splits_are_found() {
        let groups = |source: &str, n| rule(source, n).ok().map(|rule| rule.groups);
        assert_eq!(groups("1:2:3", 2), Some(vec![0, 0, 1]));
        assert_eq!(groups("1:1:2:2:3", 3), Some(vec![0, 1, 0, 1, 2]));
        assert_eq!(groups("1:1:1:1:1:2", 2), None); // the sum 7 is prime
        assert_eq!(groups("1:2", 2), None);
        assert_eq!(groups("2:3:3:4", 2), Some(vec![0, 1, 1, 0]));
        assert_eq!(groups("1:2:1:2:1:2:3", 4), Some(vec![0, 0, 1, 1, 2, 2, 3]));
        assert!(rule("6", 2).is_err() && rule("unknown:2", 2).is_err());
    }

    /// 1:1:1:1:2 contains a fair coin and a fair d3: the cheaper one is used.
    #[test]
    fn the_cheapest_split() {
        let mean = |source: &str, n| {
            rule(source, n)
                .unwrap()
                .closed_law()
                .unwrap()
                .mean()
                .unwrap()
                .to_string()
        };
        assert_eq!(
            (mean("1:1:1:1:2", 2), mean("1:1:1:1:2", 3)),
            ("1".to_string(), "1".to_string())
        );
        assert_eq!(
            (mean("1:1:1:1:2", 6), mean("1:1:1:1:2", 4)),
            ("5/2".to_string(), "2".to_string())
        );
    }

    /// The rolls of the rule give every outcome its probability, also for sources whose faces can
    /// be split in several ways.
    #[test]
    fn the_law_is_that_of_the_steps() {
        let method = find("alias-source").unwrap();
        for source in ["1:1:1:1:2", "2:3:3:4", "1:1:2:2:3"] {
            for weights in TARGETS {
                let target = Target::weighted(weights).unwrap();
                let task = Task::new(target, source.parse().unwrap());
                let rule = method.prepare(&task).unwrap();
                let (chain, _) = rule.chain(1 << 16).unwrap();
                for (outcome, p) in chain.probabilities() {
                    assert_eq!(p, task.target().probability(&outcome), "{task}");
                }
                let (law, (mean, second)) = (rule.law().unwrap(), chain.moments());
                assert_eq!(law.variance().unwrap(), second - &mean * &mean, "{task}");
                assert_eq!(law.mean().unwrap(), mean, "{task}");
                assert_eq!(law.max(), chain.worst_case(), "{task}");
            }
        }
    }

    /// With these weights, filling the groups would take too long, and the search gives up.
    #[test]
    fn a_long_search_is_given_up() {
        let weights: Vec<BigUint> = (0..40u32)
            .map(|i| (1_000_003u32 + 2 * i * i).into())
            .collect();
        let sum: BigUint = weights.iter().sum();
        let found = split_faces(&weights, 4, &(sum / 4u8));
        assert!(!matches!(found, FaceSplit::None));
    }
}
