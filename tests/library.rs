//! The library as its users write it: plain integers and texts as input, fractions or their sizes
//! as results, and one error type.

use flipcost::law::FractionSize;
use flipcost::prelude::*;
use flipcost::task::{SourceError, TargetError, TaskError};

fn law(source: &str, target: &str) -> Result<Law, flipcost::Error> {
    Ok(FAST_DICE_ROLLER.law(&format!("{target} from {source}").parse()?)?)
}

/// An earlier version gave no exact mean for 127 of these n; the first was n = 269.
#[test]
fn every_mean_up_to_1000_is_a_fraction() -> Result<(), flipcost::Error> {
    for n in 1..=1000u64 {
        let law = FAST_DICE_ROLLER.law(&Task::die(n, Source::COIN)?)?;
        let (mean, real) = (law.mean()?, law.mean_real());
        assert!(real.enclose(200).contains(&mean), "n = {n}");
        assert_eq!(
            real.decimals(30)?,
            Real::from(mean).decimals(30)?,
            "n = {n}"
        );
    }
    let long = law("coin", "d269")?.mean_real();
    assert!(long.exact().is_none() && long.to_string().starts_with("≈9."));
    Ok(())
}

#[test]
fn a_fraction_that_is_too_long_is_its_size() -> Result<(), flipcost::Error> {
    let sevens = "7".repeat(200);
    for (target, known) in [("10^18 + 9", true), (sevens.as_str(), false)] {
        let law = law("coin", target)?;
        for size in [law.mean(), law.variance()].map(Result::unwrap_err) {
            assert_eq!(matches!(size, FractionSize::Bits(_)), known, "{size}");
            assert!(
                size.to_string()
                    .starts_with("the exact fraction would have")
            );
        }
        assert!(law.mean_real() > law.mean_real() - 1 && law.std_dev() > 1);
    }
    assert_eq!(
        law("d10", "10^200")?.mean()?,
        Rational::from_integer(200.into())
    );
    Ok(())
}

#[test]
fn one_draw_and_many_are_distributions() -> Result<(), flipcost::Error> {
    for law in [
        law("coin", "d6")?,
        law("d6", "d12")?,
        law("d10", "4:7:8").or(law("d6", "d35"))?,
    ] {
        let once = Draws::from(law.clone());
        let one = Rational::from_integer(1.into());
        for t in 0..12 {
            assert_eq!(law.cdf(t) + law.sf(t), one);
            let before = t
                .checked_sub(1)
                .map_or(law.cdf(0) - law.cdf(0), |t| law.cdf(t));
            assert_eq!(law.pmf(t), law.cdf(t) - before);
            assert_eq!(law.survival().nth(t as usize), Some(law.sf(t)));
            assert_eq!(once.sf(t).unwrap(), law.sf(t));
            assert_eq!(once.cdf(t).unwrap(), law.cdf(t));
            assert_eq!(once.pmf(t).unwrap(), law.pmf(t));
            let q = law.cdf(t);
            assert_eq!(once.quantile(&q).unwrap(), law.quantile(&q));
        }
        assert_eq!(
            (once.mean(), once.variance(), once.max()),
            (law.mean(), law.variance(), law.max())
        );
        assert!(format!("{law:?}").starts_with("Law("));
    }
    Ok(())
}

#[test]
fn numbers_of_any_type_go_in() {
    assert_eq!(Target::uniform(6), Target::uniform(6u128));
    assert_eq!(Target::uniform(-6), Err(TargetError::Negative));
    assert_eq!(Target::weighted([1, -2]), Err(TargetError::Negative));
    assert_eq!(Source::die(-2), Err(SourceError::Negative));
    assert_eq!(Source::loaded([1, -2]), Err(SourceError::Negative));
    assert_eq!(
        Task::die(-6, Source::COIN),
        Err(TaskError::Target(TargetError::Negative))
    );
    assert_eq!(Source::loaded([1, 2]), "p=1/3".parse());
}

#[test]
fn reals_compute_with_integers_and_fractions() -> Result<(), flipcost::Error> {
    let (root, half) = (Real::from(2).sqrt(), Rational::new(1.into(), 2.into()));
    assert!(&root * 2u8 - 1 < 2 && half.clone() + root.clone() > 1 && 3 - root.clone() > half);
    assert_eq!(root.to_f64()?, 2f64.sqrt());
    assert_eq!(root.partial_cmp(&root), Some(std::cmp::Ordering::Equal));
    let same = &root * &root;
    assert!(same != 2 && same.partial_cmp(&2).is_none() && same.compare(2).is_err());
    assert_eq!(Real::from(1u8) / 4, Rational::new(1.into(), 4.into()));
    assert_eq!(root.to_string(), "≈1.41421356237309504880");
    let tiny = (0..6).fold(root, |x, _| &x * &x / 1_000_000_000_000u64);
    assert!(tiny.to_f64()? == 0.0 && tiny > 0 && !tiny.is_zero());
    Ok(())
}

#[test]
fn everything_stands_within_a_width() -> Result<(), flipcost::Error> {
    use flipcost::table::Cell;
    let third = Rational::new(1.into(), 3.into());
    let (root, exact) = (Real::from(2).sqrt(), Real::from(third.clone()));
    let reals = format!(
        "{root:>8.3}|{exact:8.3}|{exact:<5}|{:*^5}|{root:30}",
        Real::from(7)
    );
    assert_eq!(
        reals,
        "   1.414|   0.333|1/3  |**7**|       ≈1.41421356237309504880"
    );
    let (source, target): (Source, Target) = ("1:2".parse()?, "d6".parse()?);
    let task = Task::new(target.clone(), Source::COIN);
    let texts = format!("{source:>5}|{:<4}|{target:>3}|{task:^20}|", Source::COIN);
    assert_eq!(texts, "  1:2|2   |  6|  a d6 from a coin  |");
    assert_eq!(
        format!("{:>7}|{:#7}", "1:2:4".parse::<Target>()?, target),
        "  1:2:4|6      "
    );
    let cells = [
        Cell::from(third),
        Cell::Double(0.125),
        Cell::Integer(12u64.into()),
        Cell::Infinite,
        Cell::Decimal(exact.decimal(3)?),
    ];
    let cells = cells.map(|cell| format!("{cell:>6.2}|"));
    assert_eq!(cells.concat(), "  0.33|  0.12|    12|   inf| 0.333|");
    Ok(())
}

/// `?` converts the errors of numbers, of the engine and of the packages built on it.
#[test]
fn one_error_for_all() {
    fn sides(text: &str) -> Result<u64, flipcost::Error> {
        let n: BigUint = text.parse()?;
        let sides = u64::try_from(&n).map_err(flipcost::Error::other)?;
        Ok(flipcost_dice_set::plan(sides, &[6])?.alone.len() as u64)
    }
    let errors = ["six", "0", "99999999999999999999"].map(|text| sides(text).unwrap_err());
    assert!(matches!(errors[0], flipcost::Error::Integer(_)));
    assert!(errors[1].to_string().starts_with("a target of 0 sides"));
    let boxed: Box<dyn std::error::Error> = errors[2].clone().into();
    assert!(!boxed.to_string().is_empty() && sides("6").is_ok());
    let again = sides("six").unwrap_err();
    assert!(errors[0] == again && errors[0] != errors[1] && errors[1] != errors[2]);
    let unknown = find("fast-dice-rolled").unwrap_err();
    assert!(
        unknown
            .to_string()
            .ends_with("did you mean fast-dice-roller?")
    );
}

#[test]
fn numbers_go_into_laws() -> Result<(), flipcost::Error> {
    use flipcost::law::{Bias, OutcomeLaw};
    let law = OutcomeLaw::of_words(256, 6u8);
    assert_eq!(law, OutcomeLaw::of_words(BigUint::from(256u16), 6));
    assert_eq!(Bias::new(&law, 6).outcomes(), law);
    assert_eq!(OutcomeLaw::uniform(2), OutcomeLaw::of_words(2, 2));
    assert_eq!(Real::log(8, 2), 3);
    let sampler = FAST_DICE_ROLLER.sampler(&Task::die(6, Source::COIN)?)?;
    assert_eq!(sampler.sample_words(|| 0b00_111), 4);
    Ok(())
}

/// Values such as laws can be used after a caught panic, for example in a test.
#[test]
fn values_are_safe_to_unwind() {
    fn safe<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    safe::<(Law, Draws, Real, flipcost::Error)>();
    safe::<(flipcost::algorithms::Sampler, &dyn Algorithm, Task)>();
}

/// For every type with long contents, `{:?}` writes one short line.
#[test]
fn debug_forms_are_short() -> Result<(), flipcost::Error> {
    let task: Task = "d6 from coin".parse()?;
    let (rejection, prepared) = (find("rejection")?, FAST_DICE_ROLLER.prepare(&task)?);
    let request = flipcost::table::Request {
        algorithms: vec![rejection],
        source: Source::COIN,
        columns: vec![flipcost::table::Column::find("toll")?],
        precision: flipcost::table::Precision::default(),
    };
    for (shown, begins) in [
        (format!("{rejection:?}"), "Algorithm(rejection)"),
        (
            format!("{:?}", rejection.sampler(&task)?),
            "Sampler(a table of ",
        ),
        (format!("{:?}", Budget::default()), "Budget { "),
        (format!("{:?}", Faces::from_rolls("H")), "Faces("),
        (
            format!("{request:?}"),
            "Request { algorithms: [Algorithm(rejection)], ",
        ),
        (
            format!("{:?}", flipcost::sequences::find("A136043")?),
            "Sequence(cycle-rounds:source=2)",
        ),
        (format!("{:?}", prepared.chain(100)?.0), "Chain("),
        (format!("{:?}", prepared.law()?), "Law(Residues, in flips)"),
    ] {
        assert!(shown.starts_with(begins), "{shown}");
        assert!(shown.len() < 200 && !shown.contains('\n'), "{shown}");
    }
    Ok(())
}

/// Laws are equal if all their probabilities are equal, however they were computed.
#[test]
fn laws_compare_by_their_probabilities() -> Result<(), flipcost::Error> {
    let by = |id: &str, task: &str| Ok::<_, flipcost::Error>(find(id)?.law(&task.parse()?)?);
    let far = "d1000000000000000003 from coin";
    for (one, other, equal) in [
        (
            law("coin", "8")?,
            by("rejection-ceil", "d8 from coin")?,
            true,
        ),
        (law("coin", "6")?, by("interval", "d6 from coin")?, false),
        (law("coin", "6")?, law("d6", "6")?, false),
        (law("10", "45")?, law("10", "90")?, true), // one undecided number of ten from the second roll on
        (
            by("fast-dice-roller", far)?,
            by("fast-dice-roller", far)?,
            true,
        ),
        (
            by("interval", "d6 from 1:2")?,
            by("interval", "d6 from 1:2")?,
            true,
        ),
        (
            by("interval", "d6 from 1:2")?,
            by("interval", "d7 from 1:2")?,
            false,
        ),
    ] {
        assert_eq!(one == other, equal, "{one} and {other}");
        assert!(one.repeat(3) == one.repeat(3) && (equal || one.repeat(3) != other.repeat(3)));
    }
    let dice = law("coin", "6")?.repeat(100);
    assert_eq!(
        dice.to_string(),
        "100 draws: mean 1100/3, standard deviation 40/3, in flips"
    );
    assert_eq!(
        law("coin", "8")?.to_string(),
        "mean 3, standard deviation 0, at most 3, in flips"
    );
    assert!(law("coin", "1000003")?.to_string().lines().count() == 1);
    Ok(())
}
