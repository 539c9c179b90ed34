use super::*;
use flipcost_number::BigUint;
use std::collections::BTreeSet;

fn terms(id: &str, range: RangeInclusive<u64>) -> Vec<i64> {
    let terms = find(id).unwrap().terms(range).unwrap();
    terms.iter().map(|t| t.try_into().unwrap()).collect()
}

#[test]
fn ids_and_numbers_are_found_and_mistakes_named() {
    for id in [
        "A136043",
        "a136043",
        "cycle-rounds",
        "cycle-rounds:source=2",
        " A136043 ",
    ] {
        assert_eq!(find(id).unwrap().name(), "A136043", "{id}");
    }
    assert_eq!(find("mr-period:base=3").unwrap().name(), "A158379");
    assert_eq!(find("period:source=7").unwrap().name(), "period:source=7");
    for (id, what) in [
        ("A000001", "not a known sequence"),
        ("A13604", "not a known sequence"),
        ("nothing", "not a known sequence"),
        ("period:base=3", "it has source"),
        ("bit-length:x=1", "none at all"),
        ("period:source=1", "2 to 2^32"),
        ("period:source=x", "source:"),
        ("period:3", "NAME=VALUE"),
        ("period:source=3,source=4", "twice"),
        (
            "expected-numerator:algorithm=guess",
            "choose one of fast-dice-roller",
        ),
        ("expected-numerator:algorithm=recycling", "is a policy"),
        ("mr:x=e-3", "greater than 0"),
        ("order:base=6,step=2", ""),
    ] {
        match find(id) {
            Err(error) => assert!(error.to_string().contains(what), "{id}: {error}"),
            Ok(sequence) => {
                assert_eq!(id, "order:base=6,step=2");
                let error = sequence.first(5).unwrap_err().to_string();
                assert!(error.contains("every prime of the base"), "{error}");
            }
        }
    }
    let error = find("A136043").unwrap().terms(0..=3).unwrap_err();
    assert_eq!(
        error.to_string(),
        "A136043 begins at n = 1, so there is no a(0)"
    );
}

/// Checks that the terms avoid the mistakes that remarks on the OEIS entries warn of.
#[test]
fn known_mistakes_are_avoided() {
    // A136044 is MR(e, 2), and not MR(e - 2, 2), which lacks the first two terms.
    assert_eq!(terms("A136044", 1..=6), [0, 0, 1, 2, 1, 2]);
    assert_eq!(terms("mr:x=e-2", 1..=53), terms("A136044", 3..=55));
    // A136042 multiplies by powers of the base: in base 3, 1/4 * 3^2 > 1 gives d = 2 and leaves 9/4
    // - 1 = 5/4, which gives d = 0.
    assert_eq!(terms("mr:x=1/4,base=3", 1..=4), [2, 0, 2, 0]);
    // A158379: for the primes p with primitive root 3 (A019334, except 2) the term is p - 1.
    for p in [5, 7, 17, 19, 29, 31, 43, 53, 79, 89] {
        assert_eq!(terms("A158379", p..=p), [p as i64 - 1]);
    }
    // In a comment on A014659 the index must be (N-1)/2: the order of 2 modulo N = 7 has the index
    // 3.
    assert_eq!(terms("A002326", 3..=3), [3]);
    // A070940 is one more than floor(log2 n) - A007814(n).
    for n in 1..500u64 {
        let log = i64::from(n.ilog2());
        assert_eq!(
            terms("A070940", n..=n)[0],
            log - terms("A007814", n..=n)[0] + 1
        );
    }
    // A070676(1) = 0 contradicts the definition, by which the order of 3 modulo 1 is 1.
    assert_eq!(
        (terms("A070676", 1..=1), terms("A007734", 1..=1)),
        (vec![0], vec![1])
    );
    // In base 2 the period is 1 for powers of two, also for 1 = 0.111...; in base m it is m - 1 for
    // powers of m.
    for n in [1, 2, 4, 1024] {
        assert_eq!(terms("A007733", n..=n), [1]);
        assert_eq!(terms("A136043", n..=n), [1]);
        assert_eq!(terms("A351912", n..=n), [0]);
        assert_eq!(terms("cycle-rounds-zero", n..=n), [0]);
    }
    assert_eq!(terms("A158379", 27..=27), [2]);
    assert_eq!(terms("mr-period:base=10", 1000..=1000), [9]);
    // The first indices are the offsets of the entries.
    for number in [
        "A002326", "A003558", "A003571", "A053447", "A062383", "A070939",
    ] {
        assert_eq!(find(number).unwrap().offset(), 0, "{number}");
    }
    assert_eq!(find("A014664").unwrap().offset(), 2);
    assert_eq!(find("A179382").unwrap().offset(), 1);
    let odd: Vec<i64> = (1..200u64)
        .map(|i| terms("A136043", 2 * i - 1..=2 * i - 1)[0])
        .collect();
    assert_eq!(terms("A179382", 1..=199), odd);
    // The case n = 1.
    assert_eq!(terms("A003558", 0..=0), [1]);
    assert_eq!(terms("A014657", 1..=2), [1, 2]);
    assert_eq!(terms("A036259", 1..=1), [1]);
    assert_eq!(terms("A195610", 1..=2), [0, 0]);
}

/// Checks the theorems that remarks on the entries state.
#[test]
fn the_theorems_of_the_comments() {
    let rounds = terms("A136043", 1..=3000);
    let period = terms("A007733", 1..=3000);
    let at = |list: &[i64], n: usize| list[n - 1];
    // The terms of one period of MR(1/n, 2) sum to the period of 1/n, if n is not a power of two.
    for n in (3..200).step_by(2) {
        let sum: i64 = terms(&format!("mr:x=1/{n}"), 1..=at(&rounds, n) as u64)
            .iter()
            .sum();
        assert_eq!(sum, at(&period, n), "{n}");
    }
    // A cycle has (n-1)/2 rounds if and only if n is a prime with primitive root 2.
    let primes: BTreeSet<i64> = terms("A001122", 1..=150).into_iter().collect();
    for n in (3..=1500usize).step_by(2) {
        let half = 2 * at(&rounds, n) == n as i64 - 1;
        assert_eq!(half, primes.contains(&(n as i64)), "{n}");
    }
    // If p = 7 mod 8 and the order is (p-1)/2, class numbers give the number of rounds.
    let primes = (2..400u64).filter(|n| flipcost_number::factor::is_prime(*n) && n % 4 == 3);
    for (p, h) in primes.zip(terms("A002143", 1..=40)) {
        if p % 8 == 7 && 2 * at(&period, p as usize) == p as i64 - 1 {
            assert_eq!(2 * at(&rounds, p as usize), (p as i64 - 1) / 2 - h, "{p}");
        }
    }
    // The sequences about the flow chart, compared with the chart itself.
    for m in [2u64, 3, 6, 10] {
        for n in 1..150u64 {
            let dice = crate::task::Task::die(n, crate::task::Source::die(m).unwrap()).unwrap();
            let chart =
                crate::algorithms::flow_chart(dice.fair().unwrap(), 10_000, u64::MAX).unwrap();
            let of = |id: &str| terms(&format!("{id}:source={m}"), n..=n)[0] as u64;
            assert_eq!(of("flips-before"), chart.rolls_before(), "{m} {n}");
            assert_eq!(of("rounds-before"), chart.rounds_before() as u64);
            assert_eq!(
                of("cycle-rounds-zero"),
                (chart.rounds.len() - chart.rounds_before()) as u64
            );
            assert_eq!(of("period-zero"), chart.rolls_in_cycle());
            assert_eq!(
                of("total-flips"),
                chart.rolls_before() + chart.rolls_in_cycle()
            );
            assert_eq!(of("total-rounds"), chart.rounds.len() as u64);
            let v = |v: Option<&BigUint>| v.map_or(0, |v| v.try_into().unwrap());
            let cycle = &chart.rounds[chart.rounds_before()..];
            assert_eq!(of("first-v"), v(cycle.first().map(|r| &r.before)));
            assert_eq!(of("least-v"), v(cycle.iter().map(|r| &r.before).min()));
            let most = cycle.iter().map(|r| r.rolls).max();
            assert_eq!(of("most-flips"), most.unwrap_or(1), "{m} {n}");
            let largest = v(chart.rounds.iter().map(|r| &r.after).max()).max(1);
            assert_eq!(of("largest-v"), largest, "{m} {n}");
        }
    }
}

#[test]
fn mr_periods_are_those_of_the_expansions() {
    use flipcost_number::mr;
    for m in [2u64, 3, 4, 6, 10] {
        for n in 1..200u64 {
            let period = mr::period(
                &flipcost_number::Rational::new(1.into(), n.into()),
                m,
                100_000,
                || true,
            )
            .unwrap();
            let ours = terms(&format!("mr-period:base={m}"), n..=n);
            assert_eq!(ours, [period.length as i64], "{m} {n}");
        }
    }
}

/// A range computed in parts has the same terms as the whole range, and more terms take more work.
#[test]
fn parts_of_a_range() {
    for sequence in all() {
        let (id, first) = (sequence.id(), sequence.offset());
        let work = |last: u64| sequence.work(&(first..=last));
        assert!(
            work(first + 9) > 9 && work(first + 9) < work(first + 99),
            "{id}"
        );
        assert!(work(first) < u128::MAX && work(MAX_INDEX) > 1 << 53, "{id}");
        assert_eq!(sequence.work(&RangeInclusive::new(9, 8)), 0);
        let Some(part) = sequence.part().filter(|part| *part <= 1 << 12) else {
            continue;
        };
        let count = (part + 9).min(300);
        let whole = sequence.first(count).unwrap();
        let (head, tail) = (
            first..=first + count - 10,
            first + count - 9..=first + count - 1,
        );
        let mut parts = sequence.terms(head).unwrap();
        parts.extend(sequence.terms(tail).unwrap());
        assert_eq!(parts, whole, "{id}");
    }
}

/// A list is computed from its beginning, and no machine can reach the member with index 10^15.
#[test]
fn decades_of_work_are_refused_before_they_begin() {
    let list = find("exactly-rounds").unwrap();
    assert!(list.first(12).is_ok());
    for range in [10u64.pow(15)..=10u64.pow(15), (1 << 52)..=(1 << 52) + 99] {
        let error = list.terms(range).unwrap_err().to_string();
        assert!(error.contains("decades of one core"), "{error}");
    }
}
