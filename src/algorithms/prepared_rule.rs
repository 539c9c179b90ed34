//! From a rule to its algorithm: the law, the law of the outcomes, the chain and the rolls follow from the steps.

use super::fairness::Fairness;
use super::prepared::{Algorithm, AlgorithmError, CHAIN_LIMIT, Prepared, Rolled, Traced};
use super::rule::{About, Purpose, Rule};
use crate::law::{Chain, Law, Step, TooLarge};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::{ToPrimitive, Zero};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// A rule as an algorithm, which can stand wherever one of the registry can: its law, its fairness, its rolls and every
/// column are solved from its steps. `make` makes the rule for a task, or refuses the task.
///
/// ```
/// use flipcost::algorithms::{About, Rule, algorithm_from_rule};
/// use flipcost::law::Step;
/// use flipcost::table::Costs;
/// use flipcost::task::Task;
///
/// /// A roll of the source modulo n: biased unless n divides m.
/// struct Modulo {
///     n: u64,
/// }
///
/// impl Rule for Modulo {
///     type State = ();
///
///     fn start(&self) -> Step<()> {
///         Step::Roll(())
///     }
///
///     fn step(&self, _: &(), face: u64) -> Step<()> {
///         Step::Output((face % self.n).into())
///     }
/// }
///
/// let algorithm = algorithm_from_rule(About::new("modulo"), |_| Ok(Modulo { n: 4 }));
/// let costs = Costs::new(&*algorithm, &Task::dice(6u8, 4u8)?)?;
/// assert_eq!(costs.mean().to_string(), "1");
/// assert_eq!(costs.bias().unwrap().total_variation().to_string(), "1/6");
/// assert_eq!(costs.entropy().decimals(4)?, "0.7421"); // of its outcomes, in rolls
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn algorithm_from_rule<R: Rule + 'static>(
    about: About,
    make: impl Fn(&Task) -> Result<R, Refusal> + Send + Sync + 'static,
) -> Box<dyn Algorithm> {
    Box::new(RuleAlgorithm { about, make })
}

struct RuleAlgorithm<F> {
    about: About,
    make: F,
}

impl<R, F> Algorithm for RuleAlgorithm<F>
where
    R: Rule + 'static,
    F: Fn(&Task) -> Result<R, Refusal> + Send + Sync + 'static,
{
    fn about(&self) -> &About {
        &self.about
    }

    fn purpose(&self) -> Purpose {
        Purpose::Nothing
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        if task.source().is_unknown() {
            return Err(Refusal::UnknownSource(task.source().clone()));
        }
        self.prepare_to_play(task)
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(PreparedRule::new((self.make)(task)?, task)))
    }

    fn of_unknown(&'static self, _: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Ok(self)
    }
}

/// A rule that is bound to a task. Its chain is explored once.
///
/// ```
/// use flipcost::algorithms::{Prepared, PreparedRule, Rule};
/// use flipcost::law::Step;
/// use flipcost::task::Task;
///
/// struct Never;
///
/// impl Rule for Never {
///     type State = u8;
///
///     fn start(&self) -> Step<u8> {
///         Step::Roll(0)
///     }
///
///     fn step(&self, state: &u8, face: u64) -> Step<u8> {
///         match (state, face) {
///             (0, 0) => Step::Output(0u8.into()),
///             _ => Step::Roll(7), // and never more than that
///         }
///     }
/// }
///
/// let prepared = PreparedRule::new(Never, &Task::dice(2u8, 2u8)?);
/// assert_eq!(prepared.law().err().unwrap().to_string(), "it may never end: from state 7 no outcome is reached");
/// assert_eq!(prepared.check()?.ends.to_string(), "1/2"); // the probability of ending
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PreparedRule<R> {
    rule: R,
    task: Task,
    /// The faces of the source, at most the largest number.
    faces: u128,
    explored: OnceLock<Result<ExploredRule, AlgorithmError>>,
}

/// A rule that is somebody else's.
pub(super) struct BorrowedRule<'a, R>(pub(super) &'a R);

impl<R: Rule> Rule for BorrowedRule<'_, R> {
    type State = R::State;

    fn start(&self) -> Step<R::State> {
        self.0.start()
    }

    fn step(&self, state: &R::State, face: u64) -> Step<R::State> {
        self.0.step(state, face)
    }

    fn sides(&self, state: &R::State) -> Option<u64> {
        self.0.sides(state)
    }

    fn state_name(&self, state: &R::State) -> String {
        self.0.state_name(state)
    }
}

/// The chain of a rule, and what is wrong with it.
struct ExploredRule {
    chain: Arc<Chain>,
    fault: Option<AlgorithmError>,
}

impl<R: Rule> PreparedRule<R> {
    /// A rule for this task.
    pub fn new(rule: R, task: &Task) -> PreparedRule<R> {
        PreparedRule {
            rule,
            task: task.clone(),
            // of a wider word no chain is explored
            faces: task.source().sides().to_u128().unwrap_or(u128::MAX),
            explored: OnceLock::new(),
        }
    }

    /// The rule.
    pub fn rule(&self) -> &R {
        &self.rule
    }

    /// The limit of an exploration, once each transition leads to an outcome and a state holds a
    /// few numbers as long as the target's: what has too many is known before a state is made.
    fn limit(&self, limit: usize) -> Result<usize, TooLarge> {
        let target = self.task.target();
        let words = (target.weight_sum().bits() / 64 + 1) as usize;
        let limit = limit / words;
        if target.outcomes() <= limit.into() {
            Ok(limit)
        } else {
            Err(TooLarge { limit })
        }
    }

    /// Dice of its own beside a source that is not fair are not told from it.
    fn own_dice(&self) -> Result<(), AlgorithmError> {
        if self.task.source().is_fair() {
            Ok(())
        } else {
            Err(Refusal::LoadedSource(self.task.source().clone()).into())
        }
    }

    pub(super) fn explore(&self, limit: usize) -> Result<(Chain, Vec<R::State>), AlgorithmError> {
        let own_dice = Cell::new(false);
        let (chain, states) = Chain::explore(
            self.rule.start(),
            self.limit(limit)?,
            |state| match self.rule.sides(state) {
                Some(sides) => {
                    own_dice.set(true);
                    sides
                }
                // 2^64 faces are as much beyond every limit
                None => u64::try_from(self.faces).unwrap_or(u64::MAX),
            },
            |state, face| self.rule.step(state, face),
        )?;
        if own_dice.get() {
            self.own_dice()?;
        }
        Ok((chain.loaded(self.task.source()), states))
    }

    fn explored(&self) -> Result<&ExploredRule, AlgorithmError> {
        let explore = || {
            if self.task.source().is_unknown() {
                return Err(Refusal::UnknownSource(self.task.source().clone()).into());
            }
            let (chain, states) = self.explore(CHAIN_LIMIT)?;
            let name = |state: usize| self.rule.state_name(&states[state]);
            let target = self.task.target();
            let outside = |outcome: &&BigUint| target.probability(outcome).is_zero();
            let outside = chain.outcomes().iter().find(outside);
            let fault = endless(&chain, name)
                .or_else(|| outside.map(|outcome| AlgorithmError::Outside(outcome.clone())));
            Ok(ExploredRule {
                chain: chain.into(),
                fault,
            })
        };
        let explored = self.explored.get_or_init(explore);
        explored.as_ref().map_err(Clone::clone)
    }
}

/// The fault of a chain that has a state from which no outcome can be reached.
pub(super) fn endless(chain: &Chain, name: impl Fn(usize) -> String) -> Option<AlgorithmError> {
    let state = chain.endless().into_iter().position(|endless| endless)?;
    Some(AlgorithmError::Endless(name(state)))
}

impl<R: Rule> Prepared for PreparedRule<R> {
    fn task(&self) -> &Task {
        &self.task
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        let explored = self.explored()?;
        match &explored.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(Law::shared(explored.chain.clone())),
        }
    }

    fn check(&self) -> Result<Fairness, AlgorithmError> {
        Ok(Fairness::new(&self.explored()?.chain, self.task.target()))
    }

    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        let (chain, states) = self.explore(limit)?;
        let names = states.iter().map(|state| self.rule.state_name(state));
        Ok((chain, names.collect()))
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        let mut now = self.rule.start();
        let mut rolls = 0;
        loop {
            let state = match now {
                Step::Roll(state) => state,
                Step::Output(outcome) if self.task.target().has(&outcome) => {
                    return Ok(Some(Rolled { outcome, rolls }));
                }
                Step::Output(outcome) => return Err(AlgorithmError::Outside(outcome)),
            };
            spend(10);
            let sides = match self.rule.sides(&state) {
                None => self.faces,
                Some(sides) => {
                    self.own_dice()?;
                    sides.into()
                }
            };
            let Some(face) = roll(sides) else {
                return Ok(None);
            };
            if u128::from(face) >= sides {
                return Err(AlgorithmError::Face { face, sides });
            }
            rolls += 1;
            now = self.rule.step(&state, face);
            if let Some(trace) = trace.as_mut() {
                let after = match &now {
                    Step::Roll(next) => Some(self.rule.state_name(next)),
                    Step::Output(_) => None,
                };
                trace(Traced {
                    sides,
                    face,
                    before: self.rule.state_name(&state),
                    after,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::tree::decision_tree;
    use crate::table::{Column, Costs, Precision, Request, RowError};
    use crate::task::{Source, Target};
    use flipcost_number::{Rational, Real};

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// One roll, whose face is looked up: an outcome, or to roll again; beyond the last face the last.
    struct Table(&'static [Option<u64>]);

    impl Rule for Table {
        type State = ();

        fn start(&self) -> Step<()> {
            Step::Roll(())
        }

        fn step(&self, _: &(), face: u64) -> Step<()> {
            match self.0[face as usize] {
                Some(outcome) => Step::Output(outcome.into()),
                None => Step::Roll(()),
            }
        }
    }

    fn task(source: &str, target: &[u64]) -> Task {
        let target = Target::weighted(target.to_vec()).unwrap();
        Task::new(source.parse().unwrap(), target)
    }

    fn algorithm(faces: &'static [Option<u64>]) -> Box<dyn Algorithm> {
        algorithm_from_rule(About::new("table"), move |_| Ok(Table(faces)))
    }

    const MODULO_4: &[Option<u64>] = &[Some(0), Some(1), Some(2), Some(3), Some(0), Some(1)];

    /// A d4 as d6 % 4: 0 and 1 have the probability 1/3, 2 and 3 have 1/6. The entropy is 1/3 + log2 3 bits over log2 6,
    /// 0.7421 rolls, and not the log_6 4 = 0.7737 of a d4.
    #[test]
    fn a_biased_rule_is_not_called_fair() {
        let d4 = task("6", &[1; 4]);
        let algorithm = algorithm(MODULO_4);
        let check = algorithm.check(&d4).unwrap();
        assert!(!check.is_fair() && check.outside.is_empty());
        assert_eq!(check.total_variation, ratio(1, 6));
        assert_eq!(check.ends, ratio(1, 1));
        let law: Vec<&Rational> = check.probabilities.values().collect();
        assert_eq!(
            law,
            [&ratio(1, 3), &ratio(1, 3), &ratio(1, 6), &ratio(1, 6)]
        );
        let costs = Costs::new(&*algorithm, &d4).unwrap();
        assert_eq!(costs.entropy().decimals(4).unwrap(), "0.7421");
        assert_eq!(costs.toll().decimals(4).unwrap(), "0.2579");
        assert_eq!(costs.ratio(), Some(ratio(2, 1)));
        #[cfg(feature = "simulate")]
        {
            use crate::algorithms::simulate::simulate;
            let simulated = simulate(&*algorithm, &d4, 1000, 1).unwrap_err().to_string();
            assert!(
                simulated.starts_with("its outcomes are biased"),
                "{simulated}"
            );
            // lambda of 3 degrees, 19.247 (R: ncp), over 4 sum (p_i - 1/4)^2 = 1/9
            let detected = costs.bias().unwrap().detect();
            assert_eq!(detected, crate::law::Detection::Results(174.into()));
        }
        let request = Request {
            algorithms: vec![Box::leak(algorithm)],
            source: d4.source().clone(),
            columns: ["entropy", "toll", "total_variation_exact", "largest_exact"]
                .map(|name| Column::find(name).unwrap())
                .to_vec(),
            precision: Precision {
                digits: Some(4),
                ..Precision::default()
            },
        };
        let row = request
            .compute_row(request.algorithms[0], &4u8.into())
            .unwrap();
        let cells: Vec<String> = row.cells.iter().map(ToString::to_string).collect();
        assert_eq!(cells, ["0.7421", "0.2579", "1/6", "1/3"]);
    }

    /// The outcomes of weights 1:2 the other way round: they have the same probabilities, and are two thirds and one
    /// third wrong. The divergence is (2/3) log2 2 - (1/3) log2 2.
    #[test]
    fn weights_are_compared_outcome_by_outcome() {
        let rule = Table(&[Some(0), Some(0), Some(1)]);
        let [wrong, right] = [[1, 2], [2, 1]].map(|weights| task("3", &weights));
        assert!(rule.check(&right).unwrap().is_fair());
        let check = rule.check(&wrong).unwrap();
        assert_eq!(check.total_variation, ratio(1, 3));
        let prepared = PreparedRule::new(rule, &wrong);
        let bias = prepared.bias().unwrap().unwrap();
        assert_eq!(bias.total_variation(), ratio(1, 3));
        let third = Real::Exact(ratio(1, 3));
        assert!(
            bias.divergence()
                .minus(&third)
                .enclose(60)
                .contains(&ratio(0, 1))
        );
        // from a loaded source it is right again
        assert!(
            prepared
                .rule()
                .check(&task("1:1:4", &[1, 2]))
                .unwrap()
                .is_fair()
        );
        // one of three never comes
        let never = prepared.rule().check(&task("3", &[2, 1, 3])).unwrap();
        assert_eq!(never.total_variation, ratio(1, 2));
    }

    /// Outcomes that the target does not have are no outcomes: 10 to 15 of a d4, 2 of 1:1:0.
    #[test]
    fn outcomes_outside_are_errors() {
        let rule = Table(&[Some(10), Some(11), Some(12), Some(13), Some(14), Some(15)]);
        let d4 = task("6", &[1; 4]);
        let check = rule.check(&d4).unwrap();
        assert_eq!(
            (check.outside.len(), check.total_variation),
            (6, ratio(1, 1))
        );
        let error = rule.law(&d4).err().unwrap();
        assert_eq!(error, AlgorithmError::Outside(10u8.into()));
        let algorithm = algorithm(rule.0);
        let row = Costs::new(&*algorithm, &d4).err().unwrap();
        assert!(matches!(&row, RowError::Refused(_)), "{row}");
        assert!(
            row.to_string()
                .starts_with("it gives the outcome 10, which"),
            "{row}"
        );
        let prepared = PreparedRule::new(rule, &d4);
        assert_eq!(prepared.bias().unwrap_err(), error);
        assert!(decision_tree(&*algorithm, &d4, 3).is_err());
        let third = Table(&[Some(0), Some(2)]);
        let error = third.law(&task("2", &[1, 1, 0])).err().unwrap();
        assert_eq!(error, AlgorithmError::Outside(2u8.into()));
    }

    /// What is rolled is a face, and what is returned an outcome.
    #[test]
    fn played_with_what_is_no_face() {
        let prepared = PreparedRule::new(Table(&[Some(26), None]), &task("2", &[1; 6]));
        let play = |face| prepared.play(&mut |_| Some(face), None);
        assert_eq!(play(5), Err(AlgorithmError::Face { face: 5, sides: 2 }));
        assert_eq!(play(0), Err(AlgorithmError::Outside(26u8.into())));
        let mut faces = [1, 1].into_iter();
        assert_eq!(prepared.play(&mut |_| faces.next(), None), Ok(None));
        let coin = crate::algorithms::FAST_DICE_ROLLER
            .prepare(&task("2", &[1; 6]))
            .unwrap();
        let error = coin.play(&mut |_| Some(5), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a die of 2 sides does not show face 5: faces count from 0"
        );
    }

    /// A walk on 0, 1, 2, ... up to a barrier where it stays for good: from 1, it comes to 0 with probability (n - 1)/n.
    struct Barrier(u64);

    impl Rule for Barrier {
        type State = u64;

        fn start(&self) -> Step<u64> {
            Step::Roll(1)
        }

        fn step(&self, at: &u64, face: u64) -> Step<u64> {
            match (*at, face) {
                (at, _) if at == self.0 => Step::Roll(at),
                (1, 0) => Step::Output(0u8.into()),
                (at, 0) => Step::Roll(at - 1),
                (at, _) => Step::Roll(at + 1),
            }
        }
    }

    #[test]
    fn a_rule_may_not_end() {
        let task = task("2", &[1]);
        for n in 1..=9 {
            let check = Barrier(n).check(&task).unwrap();
            assert_eq!(check.ends, ratio(n - 1, n), "{n}");
            assert_eq!(check.total_variation, ratio(1, n), "{n}");
            let error = Barrier(n).law(&task).err().unwrap();
            assert_eq!(error, AlgorithmError::Endless(n.to_string()));
        }
        // and one of infinitely many states
        let walk = PreparedRule::new(Barrier(u64::MAX), &task);
        let error = walk.chain(1000).err().unwrap();
        assert_eq!(error, AlgorithmError::TooLarge(TooLarge { limit: 1000 }));
        let of_unknown = Task::new(Source::unknown(2).unwrap(), task.target().clone());
        let algorithm = algorithm_from_rule(About::new("barrier"), |_| Ok(Barrier(4)));
        let error = algorithm.formula(&of_unknown, 1000).err().unwrap();
        assert_eq!(error, AlgorithmError::Endless("4".to_string()));
        assert!(Barrier(4).law(&of_unknown).is_err());
    }

    /// Dice of its own, one without sides.
    struct Dice(&'static [u64]);

    impl Rule for Dice {
        type State = usize;

        fn start(&self) -> Step<usize> {
            Step::Roll(0)
        }

        fn sides(&self, at: &usize) -> Option<u64> {
            Some(self.0[*at])
        }

        fn step(&self, at: &usize, face: u64) -> Step<usize> {
            if at + 1 == self.0.len() {
                Step::Output(face.into())
            } else {
                Step::Roll(at + 1)
            }
        }
    }

    #[test]
    fn dice_of_its_own() {
        let d4 = task("2", &[1; 4]);
        assert!(Dice(&[6, 4]).check(&d4).unwrap().is_fair());
        let error = Dice(&[6, 0]).law(&d4).err().unwrap();
        assert_eq!(error, AlgorithmError::Endless("0".to_string()));
        assert_eq!(Dice(&[0]).check(&d4).unwrap().ends, ratio(0, 1));
        // its coin is not that of the source
        let loaded = task("1:2", &[1, 1]);
        let refused = AlgorithmError::Refused(Refusal::LoadedSource(loaded.source().clone()));
        assert_eq!(Dice(&[2]).law(&loaded).err(), Some(refused.clone()));
        let prepared = PreparedRule::new(Dice(&[2]), &loaded);
        assert_eq!(prepared.play(&mut |_| Some(0), None), Err(refused));
    }
}
