//! Tests of theorems about optimal rules, and of known values.

use super::*;
use flipcost::law::{Chain, Step};
use flipcost::task::Target;
use flipcost_number::threads;
use num_integer::Integer;
use num_traits::Zero;

fn ratio(p: u64, q: u64) -> Rational {
    Rational::new(p.into(), q.into())
}

fn find_optimum(source: &[u64], target: &[u64]) -> Optimum {
    let source = Source::loaded(source).unwrap();
    let target = Target::weighted(target).unwrap();
    optimum(&Task::new(target, source), 1_000_000, &mut |_| true).unwrap()
}

/// The values for d5 are results of this search, which proofs/loaded_optimum.py confirms. In the
/// rule for a fair bit from p = 1/3, the first flip gives outcome 1 on heads. The second gives
/// outcome 2 on tails, and is repeated with the two outcomes exchanged on heads. The rule for the
/// target 3:5 from p = 1/4 is the exclusive or of two flips.
#[test]
fn rules_that_close_are_proved() {
    for (source, target, value) in [
        ([1, 2], vec![1, 1], ratio(2, 1)),
        ([1, 2], vec![1, 1, 1], ratio(7, 3)),
        ([1, 2], vec![1; 5], ratio(313, 90)),
        ([1, 3], vec![1; 5], ratio(56, 15)),
        ([1, 3], vec![3, 5], ratio(2, 1)),
        ([1, 2], vec![1, 2], ratio(1, 1)),
        ([1, 2], vec![1], ratio(0, 1)),
    ] {
        let found = find_optimum(&source, &target);
        assert!(found.is_proved(), "{target:?} from {source:?}: {found:?}");
        assert_eq!(found.exact(), Some(&value));
    }
}

/// The rolls of a rule that closes form a chain. Evaluated on its own, this chain has the
/// probabilities of the target and the cost of the rule.
#[test]
fn the_rolls_of_a_rule_have_its_law_and_its_cost() {
    for (source, target) in [
        (vec![1u64, 2], vec![1u64, 1]),
        (vec![1, 2], vec![1, 1, 1]),
        (vec![1, 2], vec![1, 2, 3]),
        (vec![1, 3], vec![1, 1, 1, 1, 1]),
        (vec![1, 3], vec![3, 5]),
        (vec![1, 2, 3], vec![1, 1]),
        (vec![1, 2, 3], vec![1, 1, 1]),
        (vec![1, 2, 3], vec![1, 1, 1, 1, 1]),
    ] {
        let task = Task::new(
            Target::weighted(&target).unwrap(),
            Source::loaded(&source).unwrap(),
        );
        let found = find_optimum(&source, &target);
        let rolls = found.rolls(&task).unwrap();
        // a face of weight w counts as w faces of a fair die
        let faces: Vec<usize> = (source.iter().enumerate())
            .flat_map(|(face, weight)| vec![face; *weight as usize])
            .collect();
        let (chain, _) = Chain::explore(
            Step::Roll(0),
            1_000_000,
            |_| faces.len() as u64,
            |roll, face| match rolls[*roll][faces[face as usize]] {
                AfterFace::Outcome(outcome) => Step::Output(BigUint::from(outcome)),
                AfterFace::Roll(to) => Step::Roll(to),
                AfterFace::Rest => panic!("{task} does not close"),
            },
        )
        .unwrap();
        let law: Vec<Rational> = chain.probabilities().into_values().collect();
        assert_eq!(
            law,
            outcome_probabilities(&task).unwrap(),
            "{task}: {rolls:?}"
        );
        assert_eq!(Some(chain.mean()), found.exact().cloned(), "{task}");
    }
}

/// A fair bit from 1:2 needs only three different rolls, since rolls with the same continuation are
/// merged. The first gives outcome 1 (counted from 0) on heads. The next gives outcome 0 on tails,
/// and is repeated with the two outcomes exchanged on heads.
#[test]
fn rolls_that_are_followed_by_the_same_are_one() {
    let task = Task::new(
        Target::uniform(2u8).unwrap(),
        Source::loaded([1u8, 2]).unwrap(),
    );
    let rolls = optimum(&task, 1000, &mut |_| true).unwrap().rolls(&task);
    let (one, zero) = (AfterFace::Outcome(1), AfterFace::Outcome(0));
    let expected = [
        [one, AfterFace::Roll(1)],
        [AfterFace::Roll(2), zero],
        [AfterFace::Roll(1), one],
    ];
    assert_eq!(rolls.unwrap(), expected);
}

/// Theorem 6 of docs/loaded-optimum.md: the cost of rolling only the nodes that fit no outcome, for
/// a fair bit from 1:5. Each fitting node goes either to the outcome with the least sufficient
/// room, or to the outcome with the most room. The second choice rolls only after tails, which
/// costs 1/p = 6.
#[test]
fn taking_what_fits_costs_more_than_the_optimum() {
    let faces = [ratio(1, 6), ratio(5, 6)];
    let steps = 40;
    let cost = |most: bool| {
        let mut lacking = [ratio(1, 2), ratio(1, 2)];
        let (mut nodes, mut cost) = (vec![Rational::one()], Rational::zero());
        for _ in 0..steps {
            cost += nodes.iter().sum::<Rational>();
            let below = nodes
                .iter()
                .flat_map(|node| faces.iter().map(move |p| node * p));
            let mut below: Vec<Rational> = below.collect();
            below.sort_by(|a, b| b.cmp(a));
            below.retain(|node| {
                lacking.sort();
                let room = lacking.iter().position(|room| room >= node);
                if let Some(least) = room {
                    lacking[if most { 1 } else { least }] -= node;
                }
                room.is_none()
            });
            nodes = below;
        }
        (cost, nodes)
    };
    // The remaining nodes, cut once, cost at most 6 times the heaviest node.
    let (smallest, nodes) = cost(false);
    assert!(ratio(3_301_660, 1_000_000) < smallest);
    assert!(smallest + ratio(6, 1) * &nodes[0] < ratio(3_301_661, 1_000_000));
    let (largest, nodes) = cost(true);
    assert_eq!(nodes, [ratio(5, 6).pow(steps)]);
    assert_eq!(largest, ratio(6, 1) * (Rational::one() - &nodes[0]));
}

/// The same holds for every way to choose the outcomes that take fitting nodes. The test tries all
/// choices up to 40 flips, and follows each until it costs as much as the better of those two.
#[test]
fn no_choice_of_outcomes_makes_taking_what_fits_optimal() {
    let faces = [ratio(5, 6), ratio(1, 6)];
    let (least, most) = (ratio(3_301_660, 1_000_000), ratio(3_301_661, 1_000_000));
    let halves = [ratio(1, 2), ratio(1, 2)];
    let mut states = vec![(vec![Rational::one()], halves, Rational::zero())];
    for _ in 0..40 {
        let mut below = Vec::new();
        for (nodes, lacking, cost) in states {
            let cost = cost + nodes.iter().sum::<Rational>();
            if cost >= most {
                continue;
            }
            let children = nodes
                .iter()
                .flat_map(|node| faces.iter().map(move |p| node * p));
            let mut children: Vec<Rational> = children.collect();
            children.sort_by(|a, b| b.cmp(a));
            let mut choices = vec![(Vec::new(), lacking)];
            for child in children {
                let mut next = Vec::new();
                for (mut open, lacking) in choices {
                    let takers = (0..2).filter(|i| lacking[*i] >= child);
                    let taken = takers.map(|i| {
                        let mut rest = lacking.clone();
                        rest[i] -= &child;
                        (open.clone(), rest)
                    });
                    let taken: Vec<_> = taken.collect();
                    if taken.is_empty() {
                        open.push(child.clone());
                        next.push((open, lacking));
                    } else {
                        next.extend(taken);
                    }
                }
                choices = next;
            }
            below.extend(
                choices
                    .into_iter()
                    .map(|(open, rest)| (open, rest, cost.clone())),
            );
        }
        states = below;
    }
    assert!(!states.is_empty());
    assert!(states.iter().all(|(_, _, cost)| *cost >= least));
}

/// For fair sources, the optimum equals the cost of Knuth and Yao's tree, by their formula.
#[test]
fn a_fair_source_costs_what_knuth_and_yao_say() {
    let knuth_yao = flipcost::algorithms::find("knuth-yao").unwrap();
    for m in [2u64, 3, 6] {
        for n in 2u64..=8 {
            let task = Task::die(n, Source::die(m).unwrap()).unwrap();
            let found = optimum(&task, 1_000_000, &mut |_| true).unwrap();
            let law = knuth_yao.law(&task).unwrap();
            assert!(found.is_proved(), "{task}: {found:?}");
            assert_eq!(found.upper, law.mean().unwrap(), "{task}");
        }
    }
}

/// Encloses the costs of fair bits to within 10^-9: 2.664124117... for p = 1/4 and 3.252336... for
/// p = 1/6, where rolling only the nodes that fit no outcome costs 3.301660.
#[test]
fn optima_that_do_not_close_are_enclosed() {
    for (source, from, to) in [
        (
            [1, 3],
            ratio(2_664_124_117, 1_000_000_000),
            ratio(2_664_124_118, 1_000_000_000),
        ),
        (
            [1, 5],
            ratio(3_252_336, 1_000_000),
            ratio(3_252_337, 1_000_000),
        ),
    ] {
        let found = find_optimum(&source, &[1, 1]);
        assert!(found.is_enclosed(), "{found:?}");
        assert!(from <= found.upper && found.lower <= to, "{found:?}");
    }
}

/// A fair bit from any loaded coin costs at least 2 flips (proofs/Loaded.v, flips_until). If heads
/// are rare, the cost is at least (1 - q^T)/p and at most q^(T-1) more, where T is the least t with
/// q^t <= 1/2.
#[test]
fn a_fair_bit_costs_at_least_two_flips() {
    let coins: Vec<(u64, u64)> = (3..=16u64)
        .flat_map(|sum| (1..sum).map(move |a| (a, sum - a)))
        .filter(|(a, b)| a < b && a.gcd(b) == 1)
        .collect();
    threads::map_of(&coins, &|&(a, b)| {
        let found = find_optimum(&[a, b], &[1, 1]);
        assert!(found.is_enclosed(), "{a}:{b}: {found:?}");
        assert!(found.upper >= ratio(2, 1), "{a}:{b}: {found:?}");
        let (p, q) = (ratio(a, a + b), ratio(b, a + b));
        let (mut power, mut before) = (q.clone(), Rational::one());
        while power > ratio(1, 2) {
            before = power.clone();
            power *= &q;
        }
        let least = (Rational::one() - &power) / &p;
        assert!(
            least <= found.upper && found.lower <= least + before,
            "{a}:{b}"
        );
    });
}
