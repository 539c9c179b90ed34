//! Code shared by the rules for sources of unknown probabilities. These rules use only the type of
//! a word. A word is a sequence of rolls, and its type says how often each face occurs; words of
//! one type are equally likely, whatever the source.

use crate::law::{Branch, Chain, ChainState, CostFormula, Doubling, Law, Next, unknown_faces};
use crate::task::{Refusal, Source, Task};
use flipcost_number::{BigUint, Polynomial, RationalFunction};
use num_traits::{One, ToPrimitive, Zero};

/// The information about a source that the rules for unknown sources need.
pub(super) struct LoadedDie {
    source: Source,
    /// The distinct weights of the faces, each with the number of faces that have it; if the
    /// weights are unknown, every face has weight 1.
    weights: Vec<(BigUint, BigUint)>,
}

/// The maximum number of faces of a loaded source.
const MAX_FACES: usize = 1 << 16;

impl LoadedDie {
    /// Prepares the source of a task.
    ///
    /// # Errors
    /// A refusal if the source is loaded and has more than 2^16 faces; [`Refusal::WideSource`]
    /// above 2^64.
    pub(crate) fn from_task(task: &Task) -> Result<LoadedDie, Refusal> {
        let source = task.source().clone();
        let weights = match source.weights() {
            None if source.is_unknown() => vec![(BigUint::one(), source.sides())],
            None => vec![(BigUint::one(), task.words()?.into())],
            Some(weights) if weights.len() <= MAX_FACES => {
                let one = |weight: &BigUint| (weight.clone(), BigUint::one());
                weights.iter().map(one).collect()
            }
            Some(weights) => {
                return Err(Refusal::Rule(format!(
                    "it takes loaded sources of up to {MAX_FACES} faces, and this one has {}",
                    weights.len()
                )));
            }
        };
        Ok(LoadedDie { source, weights })
    }

    /// As [`LoadedDie::from_task`], but the source must have two faces.
    pub(crate) fn coin(task: &Task) -> Result<LoadedDie, Refusal> {
        let die = LoadedDie::from_task(task)?;
        match die.faces() {
            2 => Ok(die),
            _ => Err(Refusal::Rule(format!(
                "the source must be a coin, and this one is {}",
                die.source.with_article()
            ))),
        }
    }

    /// The number of faces.
    pub(crate) fn faces(&self) -> u128 {
        self.source.sides().to_u128().expect("no source is wider")
    }

    /// The weight of each face; the list may be long.
    pub(crate) fn weights(&self) -> Vec<BigUint> {
        let each = |(weight, faces): &(BigUint, BigUint)| {
            let faces = faces.to_usize().expect("the caller counted them");
            std::iter::repeat_n(weight.clone(), faces)
        };
        self.weights.iter().flat_map(each).collect()
    }

    /// The law of pairing equal sequences.
    pub(crate) fn doubling(&self, joined: bool) -> Doubling {
        Doubling::of_equal(self.weights.clone(), joined)
    }

    /// The sum of the weights.
    pub(crate) fn sum(&self) -> BigUint {
        self.equal_weight(1)
    }

    /// The probability that k rolls are equal, times the k-th power of the sum.
    pub(crate) fn equal_weight(&self, k: u32) -> BigUint {
        self.weights.iter().map(|(w, faces)| w.pow(k) * faces).sum()
    }

    /// The law of a chain that begins in its first state and has one outcome; transitions of weight
    /// 0 are left out.
    pub(crate) fn law<const K: usize>(
        &self,
        states: impl Iterator<Item = (u32, [(BigUint, Next); K])>,
    ) -> Law {
        let state = |(rolls, branches): (u32, [(BigUint, Next); K])| {
            let branches = branches.into_iter().filter(|(weight, _)| !weight.is_zero());
            let branches = branches
                .map(|(weight, next)| Branch { weight, next })
                .collect();
            ChainState { rolls, branches }
        };
        let chain = Chain::new(
            Next::State(0),
            states.map(state).collect(),
            vec![BigUint::zero()],
        );
        chain.expect("it ends").rolling(&self.source).into()
    }

    /// k / (1 - the probability that k rolls are equal), as a formula of the probabilities.
    pub(crate) fn cost_until_unequal(&self, k: u32) -> CostFormula {
        let faces = unknown_faces(self.faces() as u64);
        if k <= 512 {
            let one = Polynomial::one();
            let unequal = faces.iter().fold(one, |left, p| &left - &p.power(k));
            let length = Polynomial::constant(k);
            return CostFormula::Rational(RationalFunction::new(length, unequal));
        }
        let powers: Vec<String> = faces.iter().map(|p| format!(" - ({p})^{k}")).collect();
        CostFormula::Text(format!("{k}/(1{})", powers.concat()))
    }

    /// The law of blocks of `rolls` rolls. A block ends with probability `accepted` over the power
    /// of the sum of weights: E = rolls / that probability.
    pub(crate) fn blocks(&self, rolls: u32, accepted: BigUint) -> Law {
        let rejected = self.sum().pow(rolls) - &accepted;
        let both = [(accepted, Next::Outcome(0)), (rejected, Next::State(0))];
        self.law([(rolls, both)].into_iter())
    }
}

/// The sides of a fair target.
pub(super) fn sides(task: &Task) -> Result<&BigUint, Refusal> {
    let target = task.target();
    target
        .sides()
        .ok_or_else(|| Refusal::Weights(target.clone()))
}

/// Refuses every target except a fair coin.
pub(super) fn require_fair_coin(task: &Task) -> Result<(), Refusal> {
    if *sides(task)? == BigUint::from(2u8) {
        Ok(())
    } else {
        Err(Refusal::Rule(format!(
            "it makes exactly 2 equally likely outcomes, and the target has {}: dijkstra makes any prime number of outcomes, elias any number",
            flipcost_number::short::short(&task.target().outcomes())
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Prepared, Purpose, REGISTRY, find};
    use crate::law::unknown_faces;
    use crate::task::{Source, Target, Task};
    use flipcost_number::threads;
    use flipcost_number::{BigInt, BigUint, Polynomial, Rational};
    use num_traits::{Signed, ToPrimitive, Zero};
    use std::collections::BTreeMap;

    /// The result of playing a rule on all sequences of rolls: for each depth the number of
    /// undecided sequences, and the sequences of every outcome, as polynomials in the probabilities
    /// of the faces.
    struct Tree {
        undecided: Vec<Polynomial>,
        outcomes: BTreeMap<BigUint, Polynomial>,
    }

    /// Computes the tree down to this depth by playing every sequence of rolls.
    fn tree(rule: &dyn Prepared, m: u64, depth: usize) -> Tree {
        let faces: Vec<Polynomial> = (0..m as usize).map(Polynomial::variable).collect();
        let (mut undecided, mut outcomes) = (Vec::new(), BTreeMap::new());
        let mut words = vec![(Vec::new(), Polynomial::one())];
        for t in 0..=depth {
            let mut open = Vec::new();
            for (word, type_) in words {
                let mut next = word.iter().copied();
                match rule.play(&mut |_| next.next(), None).unwrap() {
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

    /// Words of 64 bits, and dice with too many faces to enumerate, where two rolls differ with
    /// probability 1 - 1/m.
    #[test]
    fn wide_sources() {
        let mean = |id: &str, m: u128, n: u64| {
            let law = find(id)
                .unwrap()
                .law(&Task::die(n, Source::die(m).unwrap()).unwrap());
            law.map(|law| law.mean().unwrap())
        };
        for m in [100_000u128, 1 << 33, 1 << 64] {
            let both = Rational::new((2 * m).into(), (m - 1).into());
            for id in ["von-neumann", "dijkstra", "peres:N=2"] {
                assert_eq!(mean(id, m, 2), Ok(both.clone()), "{id} {m}");
            }
            // three rolls are equal with probability m^-2
            let three = Rational::new((BigInt::from(m) * m) * 3, BigInt::from(m) * m - 1);
            assert_eq!(mean("dijkstra", m, 3), Ok(three));
            let task = Task::die(2u8, Source::die(m).unwrap()).unwrap();
            let pairs = find("hoeffding-simons").unwrap().law(&task).unwrap();
            assert!(pairs.mean_real().enclose(200).high() < both);
        }
        let refused = mean("elias", 1 << 64, 6).unwrap_err().to_string();
        let why = "elias for a d6 from a word of 64 bits: its blocks would have more than 100000 types of words, for n = 6 from a source of 18446744073709551616 faces";
        assert!(refused.starts_with(why), "{refused}");
    }

    /// Checks that a rule for sources of unknown probabilities is fair for all probabilities, and
    /// that its law and its formula are those of its steps. If its chain is finite, the
    /// probabilities of its outcomes are compared as functions (for a die, as the numbers of words
    /// of every type). Otherwise all words of 2^k rolls are played. With known probabilities, the
    /// exact probabilities of the outcomes are checked. Returns `false` if the rule refuses the
    /// task.
    fn check_law(method: &dyn Algorithm, source: &Source, n: u64) -> bool {
        let task = Task::new(Target::uniform(n).unwrap(), source.clone());
        let Ok(rule) = method.prepare(&task) else {
            return false;
        };
        let what = format!("{}: {task}", method.about().id);
        let m = source.sides().to_u64().unwrap();
        let p: Vec<Rational> = (0..m)
            .map(|face| source.probability(face).unwrap())
            .collect();
        let unknown = Task::new(task.target().clone(), Source::unknown(m).unwrap());
        let formula = method.formula(&unknown, 1 << 16).unwrap().to_string();
        assert!(method.prepare(&unknown).is_err(), "numbers of {what}");
        let law = rule.law().unwrap();
        match rule.chain(if m == 2 { 1 << 10 } else { 1 << 13 }) {
            Ok((chain, _)) => {
                let unknown = chain.of_unknown_source().unwrap();
                let share = Rational::new(1.into(), n.into());
                assert!(unknown.shares(|_| share.clone()), "{what}");
                assert_eq!(unknown.outcomes().len() as u64, n, "{what}");
                assert!(
                    chain.probabilities().values().all(|p| *p == share),
                    "{what}"
                );
                let (mean, second) = chain.moments();
                let variance = second - &mean * &mean;
                if m == 2 {
                    assert_eq!(unknown.mean().to_string(), formula, "{what}");
                }
                assert_eq!(unknown.mean().evaluate(&p).as_ref(), Some(&mean), "{what}");
                assert_eq!(
                    unknown.variance().evaluate(&p).as_ref(),
                    Some(&variance),
                    "{what}"
                );
                assert_eq!(
                    (law.mean().unwrap(), law.variance().unwrap()),
                    (mean, variance),
                    "{what}"
                );
            }
            Err(_) => {
                for k in 1..=if m == 2 { 4 } else { 2 } {
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
        let depth = [12, 8, 6][(m as usize - 2).min(2)];
        let steps = tree(&*rule, m, depth).undecided;
        for (t, (survival, words)) in law.survival().zip(steps).enumerate() {
            assert_eq!(words.evaluate(&p), survival, "P(T > {t}) of {what}");
        }
        assert_eq!((law.max(), law.unit()), (None, source.unit()), "{what}");
        true
    }

    #[test]
    fn every_rule_for_unknown_sources_is_fair() {
        let unknown =
            |method: &&&'static dyn Algorithm| method.purpose() == Purpose::UnknownSources;
        let named = [
            "elias:4",
            "elias:5",
            "elias:8",
            "peres:2",
            "peres:7",
            "peres:12,levels=2",
            "peres:64",
        ];
        let named = named.map(|id| find(id).unwrap());
        let methods: Vec<_> = REGISTRY
            .iter()
            .filter(unknown)
            .copied()
            .chain(named)
            .collect();
        let sources = ["2", "1:2", "3:2", "3", "1:2:3", "1:1:1:2"];
        let sources = sources.map(|source| source.parse::<Source>().unwrap());
        let cases: Vec<_> = (methods.iter())
            .flat_map(|method| sources.iter().map(move |source| (*method, source)))
            .flat_map(|(method, source)| [2u64, 3, 4, 5, 6, 7].map(|n| (method, source, n)))
            .collect();
        // Chains of long blocks of many faces take minutes.
        let is_long = |id: &str, faces: u64, n: u64| match id {
            "elias:N=8" => faces > 2,
            "elias:N=5" | "peres:N=7" | "peres:N=12,levels=2" => faces > 3,
            "elias" => faces > 3 && n > 6,
            _ => false,
        };
        let worked = threads::map_of(&cases, &|(method, source, n)| {
            let (id, faces) = (method.about().id, source.sides().to_u64().unwrap());
            (!is_long(id, faces, *n) && check_law(*method, source, *n)).then_some(id)
        });
        let worked: Vec<_> = worked.into_iter().flatten().collect();
        let of = |id: &str| worked.iter().filter(|other| **other == id).count();
        assert_eq!(
            (of("von-neumann"), of("hoeffding-simons"), of("peres")),
            (6, 6, 6)
        );
        assert_eq!((of("von-neumann-early"), of("stout-warren")), (3, 3));
        assert_eq!(of("dijkstra"), 6 * 4); // 2, 3, 5, 7
        assert_eq!(of("elias"), 6 * 6 - 1);
        assert_eq!(of("elias:N=4"), 3 * 5 + 3 * 6); // types of at most 6 words, and of 12 and more
    }

    /// The probabilities of the faces of a coin sum to 1.
    #[test]
    fn faces_of_a_coin() {
        let [p, q] = &unknown_faces(2)[..] else {
            panic!("two")
        };
        assert_eq!(p + q, Polynomial::one());
    }

    fn formula(id: &str, n: u64) -> String {
        let task = Task::new(Target::uniform(n).unwrap(), Source::unknown(2).unwrap());
        find(id)
            .unwrap()
            .formula(&task, 1 << 16)
            .unwrap()
            .to_string()
    }

    fn mean(id: &str, source: &str, n: u64) -> String {
        let task = Task::new(Target::uniform(n).unwrap(), source.parse().unwrap());
        find(id)
            .unwrap()
            .law(&task)
            .unwrap()
            .mean()
            .unwrap()
            .to_string()
    }

    /// The formulas are 1/(pq) for von Neumann's pairs, n / (1 - p^n - q^n) for Dijkstra, and, with
    /// x = pq, (4 - 5x) / (2x (2 - x)) for von Neumann's rule stopped early.
    #[test]
    fn formulas() {
        assert_eq!(formula("von-neumann", 2), "1/(p - p^2)");
        assert_eq!(formula("dijkstra", 2), "1/(p - p^2)");
        assert_eq!(formula("peres:N=2", 2), "1/(p - p^2)");
        assert_eq!(formula("dijkstra", 3), "1/(p - p^2)"); // 1 - p^3 - q^3 = 3pq
        let early = "(4 - 5*p + 5*p^2)/(4*p - 6*p^2 + 4*p^3 - 2*p^4)";
        assert_eq!(formula("von-neumann-early", 2), early);
    }

    #[test]
    fn loaded_coins_and_dice() {
        assert_eq!(mean("von-neumann", "1:2", 2), "9/2");
        assert_eq!(mean("dijkstra", "1:2", 3), "9/2"); // 3 / (1 - 1/27 - 8/27)
        assert_eq!(mean("von-neumann-early", "1:1", 2), "22/7");
        assert_eq!(mean("von-neumann-early", "1:2", 2), "117/32");
        assert_eq!(mean("von-neumann", "1:1:1:1:1:2", 2), "49/20"); // 2 / (1 - 9/49)
    }

    /// A rule for a fair bit from an unknown coin cannot decide every sequence that shows both
    /// heads and tails. If it decided all such sequences of N tosses, each H^a T and T^a H, 0 < a <
    /// N, would be a leaf, with sign + or - for its outcome. The signed sum of the leaves'
    /// probabilities would be at most p^N + q^N, the probability of the rest, for every p. For N =
    /// 14 no signs satisfy this at all of p = 1/40, ..., 39/40.
    #[test]
    fn some_other_word_is_always_undecided() {
        let of = |i: i64| Rational::new(i.into(), 40.into());
        let points: Vec<[Rational; 2]> = (1..40).map(|i| [of(i), of(40 - i)]).collect();
        let power = |x: &Rational, e: usize| num_traits::pow(x.clone(), e);
        let mut signs = vec![vec![Rational::zero(); points.len()]];
        for n in 2..=14usize {
            let mut longer = Vec::new();
            for sums in &signs {
                for (a, b) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    if n == 2 && a < 0 {
                        continue; // exchanging the outcomes gives the same case
                    }
                    let with = |(sum, [p, q]): (&Rational, &[Rational; 2])| {
                        let heads = power(p, n - 1) * q * BigInt::from(a);
                        sum + heads + power(q, n - 1) * p * BigInt::from(b)
                    };
                    let next: Vec<Rational> = sums.iter().zip(&points).map(with).collect();
                    let fits = |(sum, [p, q]): (&Rational, &[Rational; 2])| {
                        sum.abs() <= power(p, n) + power(q, n)
                    };
                    if next.iter().zip(&points).all(fits) {
                        longer.push(next);
                    }
                }
            }
            signs = longer;
            assert_eq!(signs.is_empty(), n == 14, "N = {n}");
        }
    }
}
