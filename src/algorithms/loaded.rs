//! What rules for sources of unknown probabilities share: they look at the types of words only, the
//! numbers of each face, since words of one type are equally likely whatever the source.

use crate::law::{Branch, Chain, ChainState, Law, Next};
use crate::number::BigUint;
use crate::task::{Refusal, Task};
use num_traits::Zero;

/// The faces of the source.
pub(super) fn faces(task: &Task) -> Result<u64, Refusal> {
    task.sides()
}

/// The weights of the faces of the source, one each where they are unknown.
pub(super) fn weights(task: &Task) -> Result<Vec<BigUint>, Refusal> {
    Ok(vec![1u8.into(); faces(task)? as usize])
}

/// The sides of a fair target.
pub(super) fn sides(task: &Task) -> Result<&BigUint, Refusal> {
    let target = task.target();
    target
        .sides()
        .ok_or_else(|| Refusal::Weights(target.clone()))
}

/// Refuses all targets but two equally likely outcomes.
pub(super) fn fair_bit(task: &Task) -> Result<(), Refusal> {
    match *sides(task)? == BigUint::from(2u8) {
        true => Ok(()),
        false => Err(Refusal::Rule(format!(
            "it makes 2 equally likely outcomes, and the target has {}: dijkstra makes a prime number of them, elias any number",
            crate::number::short::short(&task.target().outcomes())
        ))),
    }
}

/// Refuses all sources but coins.
pub(super) fn coin(task: &Task) -> Result<(), Refusal> {
    match faces(task)? {
        2 => Ok(()),
        _ => Err(Refusal::Rule(format!(
            "it tosses a coin, and its source is {}",
            task.source().with_article()
        ))),
    }
}

/// Blocks of so many rolls, `accepted` of `all` of which end: E = rolls all / accepted.
pub(super) fn blocks(rolls: u32, accepted: BigUint, all: &BigUint) -> Law {
    let rejected = all - &accepted;
    let both = [(accepted, Next::Outcome(0)), (rejected, Next::State(0))];
    let branches = both.into_iter().filter(|(weight, _)| !weight.is_zero());
    let branches = branches.map(|(weight, next)| Branch { weight, next });
    let state = ChainState {
        rolls,
        branches: branches.collect(),
    };
    let chain = Chain::new(Next::State(0), vec![state], vec![BigUint::zero()]);
    Law::Chain(chain.expect("some block ends").into())
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, MadeFor, Prepared, REGISTRY, find};
    use crate::law::unknown_faces;
    use crate::number::{BigUint, Polynomial, Rational};
    use crate::task::Task;
    use crate::threads;
    use std::collections::BTreeMap;

    /// What a tree of decisions holds: by depth the undecided words, and the words of every outcome,
    /// as polynomials of the probabilities of the faces.
    struct Tree {
        undecided: Vec<Polynomial>,
        outcomes: BTreeMap<BigUint, Polynomial>,
    }

    /// The tree down to this depth, by playing every word.
    fn tree(rule: &dyn Prepared, m: u64, depth: usize) -> Tree {
        let faces: Vec<Polynomial> = (0..m as usize).map(Polynomial::variable).collect();
        let (mut undecided, mut outcomes) = (Vec::new(), BTreeMap::new());
        let mut words = vec![(Vec::new(), Polynomial::one())];
        for t in 0..=depth {
            let mut open = Vec::new();
            for (word, type_) in words {
                let mut next = word.iter().copied();
                match rule.play(&mut |_| next.next(), None) {
                    Some(rolled) => {
                        assert_eq!(rolled.rolls, word.len() as u64);
                        let sum = outcomes
                            .entry(rolled.outcome)
                            .or_insert_with(Polynomial::zero);
                        *sum = &*sum + &type_;
                    }
                    None => open.push((word, type_)),
                }
            }
            undecided.push(
                open.iter()
                    .fold(Polynomial::zero(), |sum, (_, word)| &sum + word),
            );
            if t == depth {
                break;
            }
            words = (open.into_iter())
                .flat_map(|(word, type_)| {
                    let longer = |(face, p): (usize, &Polynomial)| {
                        ([&word[..], &[face as u64]].concat(), &type_ * p)
                    };
                    faces.iter().enumerate().map(longer).collect::<Vec<_>>()
                })
                .collect();
        }
        Tree {
            undecided,
            outcomes,
        }
    }

    /// The theorem of a rule for sources of unknown probabilities: fair whatever they are, and its law
    /// and its formula are those of its steps. Where its chain is finite, the probabilities of its
    /// outcomes are compared as functions (for a die, as numbers of words of every type); where not,
    /// its words of 2^k rolls. `false` is a refusal.
    fn theorem(method: &dyn Algorithm, m: u64, n: u64) -> bool {
        let begun = std::time::Instant::now();
        let task = Task::dice(m, n).unwrap();
        let Ok(rule) = method.prepare(&task) else {
            return false;
        };
        let what = format!("{}: {task}", method.about().id);
        let fair = vec![Rational::new(1.into(), m.into()); m as usize];
        let law = rule.law().unwrap();
        let formula = rule.formula(1 << 16).unwrap();
        match rule.chain(if m == 2 { 1 << 10 } else { 1 << 13 }) {
            Ok((chain, _)) => {
                let unknown = chain.of_unknown_source().unwrap();
                let share = Rational::new(1.into(), n.into());
                assert!(unknown.shares(|_| share.clone()), "{what}");
                assert_eq!(unknown.outcomes().len() as u64, n, "{what}");
                if m == 2 {
                    assert_eq!(unknown.mean().to_string(), formula, "{what}");
                }
                let at = |f: crate::number::RationalFunction| match m {
                    2 => f.at(&fair[..1]),
                    _ => f.at(&fair),
                };
                assert_eq!(at(unknown.mean()), Some(law.exact_mean()), "{what}");
                assert_eq!(at(unknown.variance()), Some(law.exact_variance()), "{what}");
            }
            Err(_) => {
                for k in 1..=4 - m.min(3) / 3 * 2 {
                    let tree = tree(&*rule, m, 1 << k);
                    let lifted = |f: &Polynomial| f.homogenised(1 << k, m as usize);
                    let mut words = tree.outcomes.values().map(lifted);
                    let first = words.next().unwrap();
                    assert!(
                        words.all(|other| other == first),
                        "{what}, {} rolls",
                        1 << k
                    );
                }
            }
        }
        let depth = [14, 9, 7][(m as usize - 2).min(2)];
        let steps = tree(&*rule, m, depth).undecided;
        for (t, (survival, words)) in law.survival().zip(steps).enumerate() {
            assert_eq!(words.at(&fair), survival, "P(T > {t}) of {what}");
        }
        assert_eq!(law.worst_case(), None);
        eprintln!("{what} {:?}", begun.elapsed());
        true
    }

    #[test]
    fn every_rule_for_unknown_sources_is_fair() {
        let unknown =
            |method: &&&'static dyn Algorithm| method.made_for() == MadeFor::UnknownSources;
        let named = [
            "elias:4",
            "elias:5",
            "elias:8",
            "peres:2",
            "peres:7",
            "peres:12,levels=2",
        ];
        let named = named.map(|id| find(id).unwrap());
        let methods: Vec<_> = REGISTRY
            .iter()
            .filter(unknown)
            .copied()
            .chain(named)
            .collect();
        let cases: Vec<_> = (methods.iter())
            .flat_map(|method| [2u64, 3, 4].map(|m| (*method, m)))
            .flat_map(|(method, m)| [2u64, 3, 4, 5, 6, 7].map(|n| (method, m, n)))
            .collect();
        let worked = threads::map_of(&cases, &|(method, m, n)| {
            let long = method.about().id == "elias:N=8" && *m > 3;
            (!long && theorem(*method, *m, *n)).then_some((method.about().id, *m, *n))
        });
        let worked: Vec<_> = worked.into_iter().flatten().collect();
        let of = |id: &str| worked.iter().filter(|(other, ..)| *other == id).count();
        assert_eq!(
            (of("von-neumann"), of("hoeffding-simons"), of("peres")),
            (3, 3, 3)
        );
        assert_eq!((of("von-neumann-early"), of("stout-warren")), (1, 1));
        assert_eq!(of("dijkstra"), 3 * 4); // 2, 3, 5, 7
        assert_eq!(of("elias"), 3 * 6);
        assert_eq!(of("elias:N=4"), 4 + 5 + 5); // the largest types: 6, 12, 24 words
    }

    /// The probabilities of a coin sum to 1.
    #[test]
    fn faces_of_a_coin() {
        let [p, q] = &unknown_faces(2)[..] else {
            panic!("two")
        };
        assert_eq!(p + q, Polynomial::one());
    }

    fn formula(id: &str, n: u64) -> String {
        let task = Task::dice(2u8, n).unwrap();
        find(id)
            .unwrap()
            .prepare(&task)
            .unwrap()
            .formula(1 << 16)
            .unwrap()
    }

    /// 1/(pq), by von Neumann; n / (1 - p^n - q^n), by Dijkstra; (4 - 5x) / (2x (2 - x)) with x = pq.
    #[test]
    fn formulas() {
        assert_eq!(formula("von-neumann", 2), "1/(p - p^2)");
        assert_eq!(formula("dijkstra", 2), "1/(p - p^2)");
        assert_eq!(formula("peres:N=2", 2), "1/(p - p^2)");
        assert_eq!(formula("dijkstra", 3), "1/(p - p^2)"); // 1 - p^3 - q^3 = 3pq
        let early = "(4 - 5*p + 5*p^2)/(4*p - 6*p^2 + 4*p^3 - 2*p^4)";
        assert_eq!(formula("von-neumann-early", 2), early);
    }
}
