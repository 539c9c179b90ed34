//! The algorithms, each in a file of its own name, and the registry, from which all other code
//! takes them.
//!
//! A [`Rule`] consumes one source roll at a time: it has a `start` and a `step`. The law of its
//! cost and its fairness are computed from the chain of these steps. A rule of the registry
//! provides more (`RuleInfo`), for example a closed form of its law, for speed. The shared test
//! `every_law_is_the_law_of_its_step` checks that the law of each algorithm agrees with its steps,
//! and `every_rule_for_unknown_sources_is_fair` checks this for loaded coins and dice.

mod about;
mod aldr;
mod alias;
mod alias_source;
mod ask;
pub mod attempt;
mod base_conversion;
mod base_conversion_early;
mod bitmask_words;
mod bits;
mod block;
pub mod bounded;
mod buffered;
mod canon;
mod cumulative;
mod ddg;
mod dijkstra;
mod elias;
mod entry;
mod faces;
pub mod factoring;
mod fairness;
mod fast_dice_roller;
mod fldr;
mod hoeffding_simons;
mod interval;
mod knuth_yao;
mod lemire;
mod loaded;
mod mask_reject;
mod modulo_reject;
mod parameters;
mod parity_bits;
mod peres;
mod prepared;
mod prepared_rule;
pub(crate) mod quantity;
mod registry;
mod rejection;
mod rejection_ceil;
mod rejection_uniform;
mod rule;
mod sampler;
#[cfg(feature = "simulate")]
pub mod simulate;
mod stout_warren;
pub mod tree;
mod von_neumann;
mod von_neumann_early;
mod word_rule;
pub mod words;

pub use about::{About, Memory, Purpose};
pub use buffered::keeping_bits;
pub use faces::{BadRoll, Faces, FacesError, GENERATOR, face_name, parse_rolls};
pub use fairness::Fairness;
pub(crate) use fast_dice_roller::FastDiceRoller;
pub use fast_dice_roller::{Round, RoundCycle, Uniform, UniformAction, flow_chart};
pub(crate) use parameters::Arguments;
pub use parameters::{Parameter, ParameterError};
pub use prepared::{Algorithm, AlgorithmError, CHAIN_LIMIT, Prepared, Rolled, Traced};
pub use prepared_rule::{Rule, algorithm_from_rule};
pub(crate) use quantity::QuantityResult;
pub use quantity::{NotKnown, OfferedTables, Quantity, TablesWanted, WorkLimit};
pub(crate) use quantity::{TableRequest, TableValue, TableValues, Tables};
pub(crate) use registry::INTERVAL;
pub use registry::{Catalogue, FAST_DICE_ROLLER, REGISTRY, UnknownAlgorithm, find, ids, suited_to};
pub(crate) use rule::RuleInfo;
pub use sampler::Sampler;
pub use word_rule::{WordRule, WordState};

pub(crate) use crate::law::Step;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::OutcomeClass;
    use crate::law::{Law, OutcomeLaw};
    use crate::task::{Refusal, Task};
    use crate::task::{Source, Target};
    use flipcost_number::BigInt;
    use flipcost_number::factor::factor;
    use flipcost_number::threads;
    use flipcost_number::{BigUint, Rational};
    use num_traits::{One, ToPrimitive, Zero};
    use std::collections::BTreeSet;

    const SOURCES: [u64; 7] = [2, 3, 4, 5, 6, 10, 20];

    /// Checks whether an algorithm exists for these dice. Only bounded simulation has a condition:
    /// every prime factor of n must divide m.
    fn algorithm_exists(id: &str, m: u64, n: u64) -> bool {
        let primes = factor(n).into_iter().map(|(q, _)| q);
        id != "bounded" || primes.into_iter().all(|q| m.is_multiple_of(q))
    }

    /// Checks an algorithm for a task: each outcome has exactly the probability that the target
    /// gives it (or that a biased rule declares), and the law's mean, variance, worst case and
    /// first 30 survival values are those of the steps. Returns an error if the algorithm refuses
    /// the task.
    fn check_law(method: &dyn Algorithm, task: &Task) -> Result<(), Refusal> {
        let bound = method.prepare(task)?;
        let what = format!("{}: {task}", method.about().id);
        let (chain, names) = bound
            .chain(CHAIN_LIMIT)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(names.len(), chain.len());
        let target = task.target();
        let sum = BigInt::from(target.weight_sum().clone());
        let classes = target
            .groups()
            .into_iter()
            .map(|(weight, multiplicity)| OutcomeClass {
                probability: Rational::new(weight.into(), sum.clone()),
                multiplicity,
            });
        let exact = OutcomeLaw::new(classes).unwrap();
        let biased = bound.bias().unwrap().map(|bias| bias.outcomes());
        let check = Fairness::new(&chain, target);
        assert_eq!(check.is_fair(), biased.is_none(), "{what}");
        assert!(biased.as_ref() != Some(&exact), "{what} is not biased");
        assert_eq!(
            chain.outcome_law(),
            *biased.as_ref().unwrap_or(&exact),
            "{what}"
        );
        let probabilities = chain.probabilities();
        let last = probabilities.keys().next_back().expect("an outcome");
        assert!(*last < target.outcomes(), "{what}");
        if biased.is_none() {
            assert_eq!(
                BigUint::from(probabilities.len()),
                target.possible(),
                "{what}"
            );
            for (outcome, p) in probabilities {
                assert_eq!(
                    p,
                    target.probability(&outcome),
                    "outcome {outcome} of {what}"
                );
            }
        }
        let law = bound.law().unwrap();
        let (mean, second) = chain.moments();
        assert_eq!(law.mean().unwrap(), mean, "mean of {what}");
        assert_eq!(
            law.variance().unwrap(),
            second - &mean * &mean,
            "variance of {what}"
        );
        assert_eq!(law.max(), chain.worst_case(), "worst case of {what}");
        let stepped = Law::from(chain);
        for (t, (a, b)) in law.survival().zip(stepped.survival()).take(30).enumerate() {
            assert_eq!(a, b, "P(T > {t}) of {what}");
        }
        Ok(())
    }

    /// The algorithms refuse only tasks for which such an algorithm cannot exist, and the test
    /// counts these refusals.
    #[test]
    fn every_law_is_the_law_of_its_step() {
        // Other tests check the algorithms for words and for unknown sources.
        let elsewhere = |method: &&&'static dyn Algorithm| {
            matches!(
                method.purpose(),
                Purpose::Words | Purpose::UnknownSources | Purpose::LoadedSources
            )
        };
        let cases: Vec<_> = REGISTRY
            .iter()
            .filter(|method| !elsewhere(method))
            .flat_map(|method| SOURCES.map(|m| (method, m)))
            .flat_map(|(method, m)| (1..=48u64).map(move |n| (method, m, n)))
            .collect();
        let missing = cases
            .iter()
            .map(|(method, m, n)| (method.about().id, *m, *n));
        let missing: BTreeSet<_> = missing
            .filter(|&(id, m, n)| !algorithm_exists(id, m, n))
            .collect();
        let refused = threads::map_of(&cases, &|&(method, m, n)| {
            let refused =
                check_law(*method, &Task::die(n, Source::die(m).unwrap()).unwrap()).is_err();
            refused.then(|| (method.about().id, m, n))
        });
        let refused: BTreeSet<_> = refused.into_iter().flatten().collect();
        assert_eq!(refused, missing);
        // The number of targets up to 48 that bounded simulation can make: 2^a (6), 3^b (4), 5^c
        // (3), 2^a 3^b (15), 2^a 5^c (11)
        let possible = 6 + 4 + 6 + 3 + 15 + 11 + 11; // by source
        assert_eq!(refused.len(), 7 * 48 - possible);
    }

    /// Returns all lists of weights in decreasing order, with sums up to `most` and without a
    /// common factor, except those of fair dice. With a common factor they would be the same target
    /// as smaller weights.
    fn multisets(most: u64) -> Vec<Vec<u64>> {
        fn push_weights_of_sum(sum: u64, most: u64, begun: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
            if sum == 0 {
                all.push(begun.clone());
            }
            for weight in 1..=most.min(sum) {
                begun.push(weight);
                push_weights_of_sum(sum - weight, weight, begun, all);
                begun.pop();
            }
        }
        let mut all = Vec::new();
        (1..=most).for_each(|sum| push_weights_of_sum(sum, sum, &mut Vec::new(), &mut all));
        all.retain(|weights| is_loaded(weights));
        all
    }

    /// Checks whether the weights are not all equal and have no common factor.
    fn is_loaded(weights: &[u64]) -> bool {
        let common = weights.iter().fold(0, |a, b| num_integer::gcd(a, *b));
        common == 1 && weights.iter().any(|weight| *weight != 1)
    }

    /// Returns all lists of weights with sums up to `most`, in every order, and each list once more
    /// with a weight of 0 inserted at a position that changes from list to list.
    fn orders_of_weights(most: u64) -> Vec<Vec<u64>> {
        // A list of weights of sum s corresponds to a subset of the cuts 1, ..., s - 1.
        let compositions = (1..=most).flat_map(|sum| {
            (0u64..1 << (sum - 1)).map(move |cuts| {
                let mut weights = vec![1u64];
                for i in 0..sum - 1 {
                    match cuts >> i & 1 {
                        1 => weights.push(1),
                        _ => *weights.last_mut().expect("one at least") += 1,
                    }
                }
                weights
            })
        });
        let compositions: Vec<Vec<u64>> = compositions.collect();
        let zeros = compositions.iter().enumerate().map(|(i, weights)| {
            let mut weights = weights.clone();
            weights.insert(i % (weights.len() + 1), 0);
            weights
        });
        let all: Vec<Vec<u64>> = zeros.chain(compositions.iter().cloned()).collect();
        all.into_iter()
            .filter(|weights| is_loaded(weights))
            .collect()
    }

    /// Whether the algorithm was made for weights.
    fn makes_weights(purpose: Purpose) -> bool {
        [Purpose::Weights, Purpose::Both, Purpose::LoadedSources].contains(&purpose)
    }

    /// Checks the laws for weights: all lists of weights with sums up to 24 from a coin and up to
    /// 12 from 3, 6 and 10 sides, and all orders of the lists with sums up to 9. The algorithms for
    /// fair dice refuse all of them, and the others accept all.
    #[test]
    fn every_law_is_the_law_of_its_step_for_weights() {
        let mut vectors: Vec<(u64, Vec<u64>)> = Vec::new();
        for (m, most) in [(2u64, 24u64), (3, 12), (6, 12), (10, 12)] {
            vectors.extend(multisets(most).into_iter().map(|weights| (m, weights)));
            vectors.extend(orders_of_weights(9).into_iter().map(|weights| (m, weights)));
        }
        let refused = threads::map_of(&vectors, &|(m, weights)| {
            let target = Target::weighted(weights.clone()).unwrap();
            let task = Task::new(target, Source::die(*m).unwrap());
            let refused = REGISTRY.iter().filter(|method| {
                let outcome = check_law(**method, &task);
                let fair = method.purpose() != Purpose::LoadedSources;
                let refuses = !(fair && makes_weights(method.purpose()));
                assert_eq!(outcome.is_err(), refuses, "{}: {task}", method.about().id);
                refuses
            });
            refused.count()
        });
        let refused: usize = refused.into_iter().sum();
        // By Moebius inversion: sum_{n<=24} sum_{d|n} mu(d) p(n/d) partitions have no common
        // factor, and 24 of them consist of ones only; p is OEIS A000041
        assert_eq!(multisets(24).len(), 6994 - 24);
        let fair = REGISTRY.iter().filter(|method| {
            !makes_weights(method.purpose()) || method.purpose() == Purpose::LoadedSources
        });
        assert_eq!(refused, vectors.len() * fair.count());
    }

    /// The targets that the tests make from loaded sources.
    pub(crate) const TARGETS: [&[u64]; 8] = [
        &[1, 1],
        &[1; 3],
        &[1; 4],
        &[1; 5],
        &[1; 6],
        &[1, 2],
        &[3, 5],
        &[2, 0, 3],
    ];

    /// Rules on loaded sources; rules for fair sources refuse them. At each depth t, the
    /// probability that is already decided for an outcome never exceeds the outcome's share, and
    /// the undecided rest is the law's P(T > t). A finite chain gives exactly the shares and the
    /// moments of the law.
    #[test]
    fn every_law_is_the_law_of_its_step_for_loaded_sources() {
        let sources = [&[1u64, 2][..], &[1, 3], &[2, 3], &[1, 1, 2], &[1, 2, 3]];
        let mut cases = Vec::new();
        for method in REGISTRY {
            for source in sources {
                cases.extend(TARGETS.map(|target| (*method, source, target)));
            }
        }
        let took = threads::map_of(&cases, &|(method, source, target)| {
            let faces = source.len() as u64;
            let source = Source::loaded(source).unwrap();
            let task = Task::new(Target::weighted(target).unwrap(), source.clone());
            let what = format!("{}: {task}", method.about().id);
            let Ok(rule) = method.prepare(&task) else {
                return None;
            };
            let law = rule.law().unwrap();
            let mut live = vec![(Vec::<u64>::new(), Rational::one())];
            let mut decided: Vec<Rational> = vec![Rational::zero(); target.len()];
            for survival in law.survival().take(9) {
                let mut open = Vec::new();
                for (word, mass) in live {
                    let mut next = word.iter().copied();
                    match rule.play(&mut |_| next.next(), None).unwrap() {
                        Some(rolled) => {
                            assert_eq!(rolled.rolls, word.len() as u64, "{what}");
                            decided[rolled.outcome.to_usize().unwrap()] += mass;
                        }
                        None => open.push((word, mass)),
                    }
                }
                let left: Rational = open.iter().map(|(_, mass)| mass).sum();
                assert_eq!(left, survival, "{what}");
                for (outcome, done) in decided.iter().enumerate() {
                    assert!(
                        *done <= task.target().probability(&outcome.into()),
                        "{what}"
                    );
                }
                let longer = |(word, mass): (Vec<u64>, Rational)| {
                    let of = |face| {
                        (
                            [&word[..], &[face]].concat(),
                            &mass * source.probability(face).unwrap(),
                        )
                    };
                    (0..faces).map(of).collect::<Vec<_>>()
                };
                live = open.into_iter().flat_map(longer).collect();
            }
            if let Ok((chain, _)) = rule.chain(1 << 12) {
                for (outcome, p) in chain.probabilities() {
                    assert_eq!(p, task.target().probability(&outcome), "{what}");
                }
                let (mean, second) = chain.moments();
                assert!(law.mean_real().enclose(90).contains(&mean), "{what}");
                assert!(
                    law.second_moment_real().enclose(90).contains(&second),
                    "{what}"
                );
            }
            Some(method.about().id)
        });
        let took: Vec<&str> = took.into_iter().flatten().collect();
        let of = |id: &str| took.iter().filter(|other| **other == id).count();
        assert_eq!(of("interval"), sources.len() * TARGETS.len());
        assert_eq!(of("alias-source"), 2 * TARGETS.len()); // of 1:1:2 and 1:2:3
        for method in REGISTRY.iter().filter(|method| {
            !matches!(
                method.purpose(),
                Purpose::UnknownSources | Purpose::LoadedSources
            )
        }) {
            let id = method.about().id;
            assert!(id == "interval" || of(id) == 0, "{id} takes loaded sources");
        }
    }

    /// Checks the rules for machine words by counting all words of 1 to 7 bits, and all faces of
    /// dice whose number of sides is not a power of two.
    #[test]
    fn every_law_is_the_law_of_its_step_for_words() {
        let sources = (1..=7).map(|bits| 1u64 << bits).chain([3, 6, 10, 100]);
        let mut cases = Vec::new();
        for m in sources {
            for n in (1..=40u64).chain([63, 64, 65, 100, 127, 128, 129, 255, 1000]) {
                cases.push((m, n));
            }
        }
        let named = ["lemire", "modulo-reject", "mask-reject", "bitmask-words"];
        let canon = ["canon", "canon:t=1", "canon:t=3"];
        threads::map_of(&cases, &|&(m, n)| {
            let task = Task::die(n, Source::die(m).unwrap()).unwrap();
            for id in named.into_iter().chain(canon) {
                let masks = matches!(id, "mask-reject" | "bitmask-words") && !m.is_power_of_two();
                let narrow = !matches!(id, "bitmask-words") && !id.starts_with("canon") && n > m;
                if m.pow(3) > 1 << 12 && (id == "canon:t=3" || n > m) {
                    continue; // too many words to count
                }
                let refused = check_law(find(id).unwrap(), &task).is_err();
                assert_eq!(refused, n > 1 && (masks || narrow), "{id}: {task}");
            }
        });
    }

    /// For the amplified roller, the depth K of the tree can be any number that is at least k.
    #[test]
    fn every_depth_of_the_amplified_roller() {
        let cases: Vec<(u64, Vec<u64>)> = [2u64, 3, 6]
            .into_iter()
            .flat_map(|m| multisets(9).into_iter().map(move |weights| (m, weights)))
            .collect();
        threads::map_of(&cases, &|(m, weights)| {
            let target = Target::weighted(weights.clone()).unwrap();
            let task = Task::new(target, Source::die(*m).unwrap());
            let sum: u64 = weights.iter().sum();
            for depth in 1..=9u32 {
                let method = find(&format!("aldr:K={depth}")).unwrap();
                let outcome = check_law(method, &task);
                assert_eq!(outcome.is_err(), m.pow(depth) < sum, "K = {depth}: {task}");
            }
        });
    }

    /// Enclosures of the mean and the second moment contain the exact values.
    #[test]
    fn enclosures_hold_the_exact_moments() {
        for (m, n) in [
            (2u128, 6u64),
            (2, 97),
            (3, 7),
            (6, 35),
            (10, 48),
            (20, 21),
            (1 << 32, 10),
            (1 << 53, 11),
            ((1 << 64) - 59, 97),
            (1 << 64, 6),
            (1 << 64, 1000),
        ] {
            let law = crate::law::Residues::new(m, n.into());
            use crate::law::LawKind;
            let (mean, second) = law.exact_moments().unwrap();
            for bits in [1, 20, 64, 333] {
                assert!(law.mean_within(bits).contains(&mean), "m = {m}, n = {n}");
                assert!(
                    law.second_moment_within(bits).contains(&second),
                    "m = {m}, n = {n}"
                );
            }
        }
    }

    /// A word of 64 bits for a d6. In the fast dice roller, 2^64 mod 6 = 4 nodes are undecided
    /// after one word, and 4 * 2^64 mod 6 = 4 after every further word, so E = 1 + 4 / (2^64 - 1).
    /// Rejection accepts the largest multiple of 6, E = 2^64 / (2^64 - 4). In the interval
    /// algorithm, 4 intervals contain a cut at every depth, so again E = 1 + 4 / (2^64 - 1).
    #[test]
    fn words_of_64_bits() {
        let task = Task::new(Target::uniform(6u8).unwrap(), Source::word(64).unwrap());
        let mean = |id| find(id).unwrap().law(&task).map(|law| law.mean().unwrap());
        let all = BigInt::from(1u128 << 64);
        let four = BigInt::from(4);
        let kept = Rational::from_integer(1.into()) + Rational::new(four.clone(), &all - 1);
        assert_eq!(mean("fast-dice-roller"), Ok(kept.clone()));
        assert_eq!(mean("interval"), Ok(kept));
        assert_eq!(
            mean("base-conversion"),
            Ok(Rational::new(all.clone(), all - four))
        );
        let refused = mean("factoring").unwrap_err().to_string();
        assert!(refused.contains("the search ends at 10000"), "{refused}");
        let mut words = bits::tests::words();
        let mut faces = Faces::from_fn(|_| words.next());
        let rolled = FAST_DICE_ROLLER.roll(&task, &mut faces).unwrap();
        assert!(rolled.outcome < 6u8.into() && rolled.rolls == 1);
        assert_eq!(task.entropy().decimals(6).unwrap(), "0.040390"); // log2(6) / 64
    }

    /// Weights 1:2:4 from a word of 64 bits, m = 2^64. Knuth & Yao's tree gives outcome i the first
    /// floor(a_i m / 7) remaining children; for 1:2 exactly one node is undecided at each depth.
    /// The alias method tosses the coin of one of two columns with probability 2/3, and that coin
    /// can always remain undecided.
    #[test]
    fn weights_from_words_of_64_bits() {
        let word = Source::word(64).unwrap();
        let task = |weights: &[u64]| Task::new(Target::weighted(weights).unwrap(), word.clone());
        // The bits of a word, the highest first, walk the tree of a coin.
        let task_of_bits = task(&[1, 2, 4]);
        let coin = Task::new(task_of_bits.target().clone(), Source::COIN);
        let tree = find("knuth-yao").unwrap().prepare(&task_of_bits).unwrap();
        let flips = find("knuth-yao").unwrap().prepare(&coin).unwrap();
        for word in [
            0u64,
            1 << 63,
            0x5555 << 48,
            0xc0ff_ee00 << 32,
            u64::MAX >> 1,
        ] {
            let mut bits = (0..64).rev().map(|bit| word >> bit & 1);
            let by_flips = flips.play(&mut |_| bits.next(), None).unwrap();
            let mut faces = std::iter::once(word);
            let by_word = tree.play(&mut |_| faces.next(), None).unwrap();
            assert_eq!(
                by_word.map(|rolled| rolled.outcome),
                by_flips.map(|rolled| rolled.outcome),
                "{word:x}"
            );
        }
        let m = BigInt::from(1u128 << 64);
        let again = Rational::new(m.clone(), &m - 1);
        let mean = |id, weights: &[u64]| {
            find(id)
                .unwrap()
                .law(&task(weights))
                .unwrap()
                .mean()
                .unwrap()
        };
        assert_eq!(mean("knuth-yao", &[1, 2]), again);
        // Two flips, repeated with probability 1/4.
        assert_eq!(mean("fldr", &[1, 2]), again);
        for (id, rolls) in [("bounded", 1), ("parity-bits", 3)] {
            let eight = find(id).unwrap().law(&task(&[1; 8])).unwrap();
            assert_eq!(
                eight.mean().unwrap(),
                Rational::from_integer(rolls.into()),
                "{id}"
            );
        }
    }

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<_> = ids().into_iter().collect();
        assert_eq!(ids.len(), REGISTRY.len());
        assert!(
            super::registry::POLICIES
                .iter()
                .all(|policy| !ids.contains(policy))
        );
    }

    #[test]
    fn ids_are_found_and_a_policy_is_named() {
        for method in REGISTRY {
            let id = method.about().id;
            assert_eq!(find(id).ok().map(|found| found.about().id), Some(id));
        }
        assert_eq!(FAST_DICE_ROLLER.about().id, "fast-dice-roller");
        let sentence = |id| find(id).err().unwrap().to_string();
        assert!(sentence("recycling").ends_with("batches use it"));
        assert!(sentence("recyclin").contains("choose one of fast-dice-roller, rejection,"));
    }
}
