use super::*;
use crate::algorithms::find;
use crate::law::{Cuts, FractionSize, Residues};
use crate::task::{Source, Target, Task};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn ratio(p: u64, q: u64) -> Rational {
    Rational::new(p.into(), q.into())
}

fn half_to_the(k: u32) -> Rational {
    Rational::new(1.into(), BigInt::one() << k)
}

fn law(id: &str, m: u64, target: Target) -> Law {
    let task = Task::new(target, Source::die(m).unwrap());
    find(id).unwrap().law(&task).unwrap()
}

/// Laws of every kind: attempts, blocks with a head, residues, weights, two stages, and a chain.
fn laws() -> Vec<Law> {
    let fair = |n: u64| Target::uniform(n).unwrap();
    let weights = Target::weighted([4u8, 7, 8]).unwrap();
    let mut laws = vec![
        law("rejection", 2, fair(6)),
        law("interval", 2, fair(5)),
        law("fast-dice-roller", 2, fair(6)),
        law("fast-dice-roller", 3, fair(8)),
        law("knuth-yao", 2, weights.clone()),
        law("knuth-yao", 2, Target::weighted([1u8, 1, 2]).unwrap()),
        law("alias", 2, weights.clone()),
    ];
    let task = Task::new(weights, Source::COIN);
    let (chain, _) = find("interval")
        .unwrap()
        .prepare(&task)
        .unwrap()
        .chain(10_000)
        .unwrap();
    laws.push(chain.into());
    let faces = [1u8, 2].map(Into::into).to_vec();
    let cuts = Cuts::new(faces, vec![1u8.into()], 2u8.into()).unwrap();
    laws.push(cuts.into());
    laws
}

/// P(T = t) for t up to `last`, where T is the sum of independent numbers with these laws, computed
/// from the definition.
fn convolved(laws: &[&Law], last: usize) -> Vec<Rational> {
    let mut all = vec![Rational::zero(); last + 1];
    all[0] = Rational::one();
    for law in laws {
        let survival: Vec<Rational> = law.survival().take(last + 1).collect();
        let ends = |t: usize| match t {
            0 => Rational::one() - &survival[0],
            t => &survival[t - 1] - &survival[t],
        };
        let ends: Vec<Rational> = (0..=last).map(ends).collect();
        let sum = |t: usize| (0..=t).map(|u| &all[u] * &ends[t - u]).sum();
        all = (0..=last).map(sum).collect();
    }
    all
}

fn tails(laws: &[&Law], last: usize) -> Vec<Rational> {
    let mut left = Rational::one();
    let tail = |p: Rational| {
        left -= p;
        left.clone()
    };
    convolved(laws, last).into_iter().map(tail).collect()
}

/// Three equal draws, and two different draws: tails, logarithms, moments, and the least t for
/// levels that are equal to a tail, just below it and just above it.
#[test]
fn sums_are_convolutions() {
    const LAST: usize = 30;
    let laws = laws();
    let mut sums: Vec<(Draws, Vec<&Law>)> = Vec::new();
    for (i, law) in laws.iter().enumerate() {
        sums.push((law.repeat(3), vec![law; 3]));
        let other = &laws[(i + 3) % laws.len()];
        sums.push((law.repeat(2).then(other.clone()), vec![law, law, other]));
    }
    for (k, (draws, parts)) in sums.iter().enumerate() {
        let tails = tails(parts, LAST);
        // The moments of an infinite sum are enclosed.
        if parts
            .iter()
            .all(|law| matches!(law.size(), FractionSize::Bits(_)))
        {
            let mean: Rational = parts.iter().map(|law| law.mean().unwrap()).sum();
            let variance: Rational = parts.iter().map(|law| law.variance().unwrap()).sum();
            assert_eq!(draws.mean(), Ok(mean));
            assert_eq!(draws.variance(), Ok(variance));
        }
        for (t, tail) in tails.iter().enumerate() {
            let what = format!("sum {k}, t = {t}, {tail}");
            assert_eq!(draws.sf(t as u64).unwrap(), *tail, "{what}");
            let log = draws.log2_sf(t as u64).unwrap();
            if tail.is_zero() {
                assert!(log.is_none(), "{what}")
            } else {
                let exact = Scaled::from_rational(tail, 200).log2(150).unwrap();
                let found = log.unwrap().enclose(100);
                assert!(found.is_within(100), "{what}");
                assert!(
                    found.low() <= exact.high() && exact.low() <= found.high(),
                    "{what}"
                );
            }
            if tail.is_zero() {
                continue;
            }
            let least = tails.iter().position(|other| other <= tail).unwrap() as u64;
            assert_eq!(draws.quantile_above(tail), Ok(Some(least)), "{what}");
            let near = ratio(1, 1 << 62);
            let more = tail * (Rational::one() + &near);
            assert_eq!(
                draws.quantile_above(&more),
                Ok(Some(if more >= ratio(1, 1) { 0 } else { least }))
            );
            let less = tail * (Rational::one() - near);
            let fewer = tails.iter().position(|other| *other <= less);
            if let Some(fewer) = fewer {
                assert_eq!(
                    draws.quantile_above(&less),
                    Ok(Some(fewer as u64)),
                    "{what}"
                );
            }
        }
        assert_eq!(draws.quantile_above(&Rational::zero()), Ok(draws.max()));
    }
}

/// E[ceil((T + offset) / block)] = sum over j of P(T + offset > j block), for laws that end within
/// the added terms, always or almost always.
#[test]
fn expected_blocks_are_the_sum_of_tails() {
    let laws = laws();
    for law in &laws {
        for (block, offset) in [(1u64, 0u64), (2, 0), (3, 1), (5, 7), (64, 3)] {
            let draws = law.repeat(2);
            let tails = tails(&[law, law], 300);
            let first = offset.div_ceil(block); // P(T + offset > j block) = 1 below
            let mut sum = Rational::from(BigInt::from(first));
            for j in first.. {
                match tails.get((j * block - offset) as usize) {
                    Some(tail) => sum += tail,
                    None => break,
                }
            }
            let found = draws.expected_blocks(block, offset).enclose(70);
            let what = format!("block {block}, offset {offset}: {sum}");
            assert!(found.is_within(70) && found.high() >= sum, "{what}");
            assert!(found.low() <= &sum + half_to_the(30), "{what}");
            assert!(found.low() - sum <= half_to_the(30), "{what}");
        }
    }
}

/// The same attempts as a negative binomial law, and as the convolution of two laws, have the same
/// tails.
#[test]
fn attempts_in_two_ways() {
    for (p, each, count) in [
        ((3329u64, 4096u64), 1u64, 256u64),
        ((1, 3), 4, 20),
        ((59, 256), 1, 3),
    ] {
        let accept = ratio(p.0, p.1);
        let closed = Draws::attempts(accept.clone(), each).repeat(count);
        let parts = vec![(RepeatedDraw::Attempts { accept, each }, count)];
        let method = TailMethod::Convolved(Convolved::new(parts.clone()));
        let other = Draws(Arc::new(DrawParts { parts, method }));
        for level in [1u32, 2, 10, 64, 128, 256] {
            let p = half_to_the(level);
            let least = closed.quantile_above(&p).unwrap().unwrap();
            assert_eq!(other.quantile_above(&p), Ok(Some(least)), "2^-{level}");
            assert!(closed.sf(least).unwrap().compare(p.clone()) != Ok(Ordering::Greater));
            let before = closed.sf(least - 1).unwrap();
            assert!(before.compare(p) == Ok(Ordering::Greater));
            for t in [least, least - 1, count * each, count * each + 5] {
                let logs = [&closed, &other].map(|draws| draws.log2_sf(t).unwrap().unwrap());
                assert_eq!(logs[0].decimals(25), logs[1].decimals(25), "t = {t}");
            }
        }
        for (block, offset) in [(2, 0), (7, 3), (168, 0)] {
            let both = [&closed, &other].map(|draws| draws.expected_blocks(block, offset));
            assert_eq!(both[0].decimals(30), both[1].decimals(30));
        }
    }
}

/// FIPS 203, SampleNTT, asks for "at least 280" iterations of two candidates; randombit/botan#4675
/// states 2^-261 for the probability of failure.
#[test]
fn sample_ntt() {
    let draws = Draws::attempts(ratio(3329, 4096), 1).repeat(256);
    let log = |t: u64| draws.log2_sf(t).unwrap().unwrap();
    assert_eq!(log(560).decimals(5).unwrap(), "-261.23997");
    assert_eq!(draws.quantile_above(&half_to_the(256)), Ok(Some(557)));
    assert_eq!(draws.sf(336).unwrap().decimals(10).unwrap(), "0.0083276925");
    assert_eq!(log(448).decimals(3).unwrap(), "-105.150");
    assert_eq!(
        draws.expected_blocks(2, 0).decimals(8).unwrap(),
        "157.74113848"
    );
}

/// Counts near 2^62 and 2^64, checked by mpmath 1.3 with 120 digits: t log2 (767/4096), and log2 of
/// a sum of 256 terms. An exponent of 64 bits once overflowed, so that 2^(2^62 767/4096...) became
/// a probability of 2^7300680664906627923.
#[test]
fn tails_of_the_largest_counts() {
    let draws = Draws::attempts(ratio(3329, 4096), 1).repeat(256);
    for (t, log) in [
        (1 << 62, "-11146063408802923692.76910819658029561553"),
        ((1 << 63) - 1, "-22292126817605861802.16156078396797027758"),
        (1 << 63, "-22292126817605861804.57847801646503681849"),
        (u64::MAX, "-44584253635211738280.78030042373746024814"),
    ] {
        let found = draws.log2_sf(t).unwrap().unwrap();
        assert_eq!(found.decimals(20).unwrap(), log, "t = {t}");
        let tail = draws.sf(t).unwrap().enclose(200);
        assert!(tail.is_within(200) && tail.low() >= Rational::zero());
        assert!(tail.high() <= half_to_the(199));
    }
}

/// FIPS 204, SampleInBall with tau = 60: draws bytes until j <= i, for i from 196 to 255. For a
/// failure probability of 2^-256, exactly 213 bytes after the 8 bytes of signs are needed; 121
/// bytes would fail with probability 2^-74.757, and 113 with 2^-60.429.
#[test]
fn sample_in_ball() {
    let bytes = (197..=256).map(|i| Draws::attempts(ratio(i, 256), 1));
    let draws = Draws::all(bytes);
    assert_eq!(draws.count(), 60);
    assert_eq!(draws.quantile_above(&half_to_the(256)), Ok(Some(213)));
    for (t, log) in [(121, "-74.757"), (113, "-60.429")] {
        assert_eq!(draws.log2_sf(t).unwrap().unwrap().decimals(3).unwrap(), log);
    }
    let mean: Rational = (197..=256).map(|i| ratio(256, i)).sum();
    assert_eq!(draws.mean(), Ok(mean));
}

/// A period of 500,001 flips is too long for a list, but the residues up to the required tail are
/// enough.
#[test]
fn a_long_period() {
    let law = Law::from(Residues::new(2, 1_000_003u32.into()));
    let draws = law.repeat(40);
    for level in [40u32, 200] {
        let p = Real::Exact(half_to_the(level));
        let least = draws.quantile_above(&half_to_the(level)).unwrap().unwrap();
        assert_eq!(draws.sf(least).unwrap().compare(&p), Ok(Ordering::Less));
        assert_eq!(
            draws.sf(least - 1).unwrap().compare(&p),
            Ok(Ordering::Greater)
        );
    }
}

/// Very small tails of many draws: P(T > t) crosses the level between the quantile and its
/// neighbour, and probabilities that are too small are refused.
#[test]
fn far_tails_of_many_draws() {
    let d6 = law("fast-dice-roller", 2, Target::uniform(6u8).unwrap());
    let draws = d6.repeat(10_000);
    let p = half_to_the(4096);
    let least = draws.quantile_above(&p).unwrap().unwrap();
    let log = |t: u64| draws.log2_sf(t).unwrap().unwrap();
    let level = Real::integer(-4096);
    assert_eq!(log(least).compare(&level), Ok(Ordering::Less));
    assert_eq!(log(least - 1).compare(&level), Ok(Ordering::Greater));
    assert!(d6.repeat(2).log2_sf(1 << 40).is_err());
    assert_eq!(
        draws.quantile_above(&half_to_the(1 << 19)),
        Err(TooSmall.into())
    );
    // Trials with success probability 10^-9.
    let rare = Draws::attempts(ratio(1, 1_000_000_000), 3).repeat(2);
    let least = rare.quantile_above(&half_to_the(128)).unwrap().unwrap();
    assert_eq!(least % 3, 0);
    assert!(
        rare.sf(least)
            .unwrap()
            .compare(Real::Exact(half_to_the(128)))
            == Ok(Ordering::Less)
    );
    assert!(
        rare.sf(least - 1)
            .unwrap()
            .compare(Real::Exact(half_to_the(128)))
            == Ok(Ordering::Greater)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// K draws have the same law as a draws followed by K - a draws, and P(T > t) crosses the level
    /// between the quantile and its neighbour.
    #[test]
    fn repeated_and_in_a_row(
        which in 0usize..8, a in 1u64..30, b in 1u64..30, level in 1u32..200, q in 1u64..1000,
    ) {
        let law = &laws()[which];
        let (all, parts) = (law.repeat(a + b), law.repeat(a).then(law.repeat(b)));
        prop_assert_eq!(all.count(), parts.count());
        let p = Rational::new(q.into(), BigInt::from(1000)) * half_to_the(level);
        let least = all.quantile_above(&p).unwrap();
        prop_assert_eq!(parts.quantile_above(&p).unwrap(), least);
        let least = least.unwrap();
        let tail = |t: u64| all.sf(t).unwrap();
        let p = Real::Exact(p);
        prop_assert!(tail(least).compare(&p) != Ok(Ordering::Greater));
        prop_assert!(tail(least - 1).compare(&p) == Ok(Ordering::Greater));
        prop_assert_eq!(all.mean(), parts.mean());
        prop_assert_eq!(all.expected_blocks(7, 2).decimals(20), parts.expected_blocks(7, 2).decimals(20));
    }

    /// A single draw has the law of its algorithm.
    #[test]
    fn one_draw_is_the_law(which in 0usize..8, t in 0usize..40) {
        let law = &laws()[which];
        let draw = law.repeat(1);
        let survival = law.survival().nth(t).unwrap();
        prop_assert_eq!(draw.sf(t as u64).unwrap(), survival.clone());
        prop_assert_eq!(draw.quantile_above(&survival), Ok(law.quantile(&(Rational::one() - &survival))));
    }
}

/// The laws that the tests use are of all kinds.
#[test]
fn every_kind_is_tested() {
    let kinds: BTreeSet<&str> = laws().iter().map(|law| law.0.name()).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}
