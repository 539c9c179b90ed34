use super::*;
use crate::algorithms::tree::nodes;
use crate::table::{Column, Costs, Precision, Request, RowError};
use crate::task::{Source, Target};
use flipcost_number::{Rational, Real};

fn ratio(p: u64, q: u64) -> Rational {
    Rational::new(p.into(), q.into())
}

/// One roll, whose face is looked up in a list: the entry is an outcome, or `None` to roll again.
/// Faces beyond the last entry use the last entry.
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
    let target = Target::weighted(target).unwrap();
    Task::new(target, source.parse().unwrap())
}

fn algorithm(faces: &'static [Option<u64>]) -> Box<dyn Algorithm> {
    algorithm_from_rule(About::new("table"), move |_| Ok(Table(faces)))
}

const MODULO_4: &[Option<u64>] = &[Some(0), Some(1), Some(2), Some(3), Some(0), Some(1)];

/// A d4 made as d6 % 4: outcomes 0 and 1 have the probability 1/3, 2 and 3 have 1/6. The entropy is
/// 1/3 + log2 3 bits over log2 6, which is 0.7421 rolls, and not log_6 4 = 0.7737 as for a d4.
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
        // For 3 degrees of freedom, lambda is 19.247 (R: ncp), divided by 4 sum (p_i - 1/4)^2 = 1/9
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
        .compute_row(request.algorithms[0], &Target::uniform(4u8).unwrap())
        .unwrap();
    let cells: Vec<String> = row.cells.iter().map(ToString::to_string).collect();
    assert_eq!(cells, ["0.7421", "0.2579", "1/6", "1/3"]);
}

/// The outcomes of the weights 1:2 in the wrong order: the first has probability 2/3 instead of
/// 1/3. The divergence is (2/3) log2 2 - (1/3) log2 2.
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
    // From a loaded source, the same rule is fair.
    assert!(
        prepared
            .rule()
            .check(&task("1:1:4", &[1, 2]))
            .unwrap()
            .is_fair()
    );
    // One of three outcomes never occurs.
    let never = prepared.rule().check(&task("3", &[2, 1, 3])).unwrap();
    assert_eq!(never.total_variation, ratio(1, 2));
}

/// Outcomes that the target does not have are errors: here 10 to 15 for a d4, and 2 for 1:1:0.
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
    assert!(
        nodes(&*algorithm, &d4, 3)
            .unwrap()
            .any(|node| node.is_err())
    );
    let third = Table(&[Some(0), Some(2)]);
    let error = third.law(&task("2", &[1, 1, 0])).err().unwrap();
    assert_eq!(error, AlgorithmError::Outside(2u8.into()));
}

/// A roll that is played must be a face of the die, and a returned outcome must be an outcome of
/// the target.
#[test]
fn numbers_that_are_not_faces_are_refused() {
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

/// A walk on 0, 1, 2, ... that never leaves a barrier n once it is there. From 1, it reaches 0 with
/// probability (n - 1)/n.
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
fn rules_that_may_not_end() {
    let task = task("2", &[1]);
    for n in 1..=9 {
        let check = Barrier(n).check(&task).unwrap();
        assert_eq!(check.ends, ratio(n - 1, n), "{n}");
        assert_eq!(check.total_variation, ratio(1, n), "{n}");
        let error = Barrier(n).law(&task).err().unwrap();
        assert_eq!(error, AlgorithmError::Endless(n.to_string()));
    }
    // Without a barrier, the walk has infinitely many states.
    let walk = PreparedRule::new(Barrier(u64::MAX), &task);
    let error = walk.chain(1000).err().unwrap();
    assert_eq!(error, AlgorithmError::TooLarge(TooLarge { limit: 1000 }));
    let of_unknown = Task::new(task.target().clone(), Source::unknown(2).unwrap());
    let algorithm = algorithm_from_rule(About::new("barrier"), |_| Ok(Barrier(4)));
    let error = algorithm.formula(&of_unknown, 1000).err().unwrap();
    assert_eq!(error, AlgorithmError::Endless("4".to_string()));
    assert!(Barrier(4).law(&of_unknown).is_err());
}

/// A rule that rolls its own dice, one of which has no sides.
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
fn a_rule_may_roll_other_dice() {
    let d4 = task("2", &[1; 4]);
    assert!(Dice(&[6, 4]).check(&d4).unwrap().is_fair());
    let error = Dice(&[6, 0]).law(&d4).err().unwrap();
    assert_eq!(error, AlgorithmError::Endless("0".to_string()));
    assert_eq!(Dice(&[0]).check(&d4).unwrap().ends, ratio(0, 1));
    // A coin that the rule rolls cannot be distinguished from the coin of the source.
    let loaded = task("1:2", &[1, 1]);
    let refused = AlgorithmError::Refused(Refusal::LoadedSource(loaded.source().clone()));
    assert_eq!(Dice(&[2]).law(&loaded).err(), Some(refused.clone()));
    let prepared = PreparedRule::new(Dice(&[2]), &loaded);
    assert_eq!(prepared.play(&mut |_| Some(0), None), Err(refused));
}
