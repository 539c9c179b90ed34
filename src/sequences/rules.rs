//! The functions that compute the terms of sequences, one function for each kind of rule.

use super::{FamilyArguments, SequenceError, rounds};
use crate::roller::rounds::{cycle_rounds_alone, cycle_rounds_range};
use crate::task::{Source, Task};
use flipcost_number::budget::spend;
use flipcost_number::factor::pow_mod;
use flipcost_number::order::{self, Orbit};
use flipcost_number::sieve::{self, primes_up_to};
use flipcost_number::threads;
use flipcost_number::{BigInt, BigUint, Rational, mr};
use num_traits::One;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

pub(crate) type Terms = Result<Vec<BigInt>, SequenceError>;
pub(crate) type Range = RangeInclusive<u64>;

/// Computes each term from its index.
pub(crate) fn compute_terms<T: Into<BigInt> + Send>(
    range: Range,
    term: impl Fn(u64) -> T + Sync,
) -> Terms {
    Ok(map_range(range, &|n| term(n).into()))
}

/// Computes a value for each n of the range, on all threads.
fn map_range<T: Send>(range: Range, value: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    let (first, last) = (*range.start(), *range.end());
    let count = (last + 1).saturating_sub(first) as usize;
    threads::map(count, &|i| value(first + i as u64))
}

/// Computes each term from n and the orbit of m modulo n.
pub(crate) fn from_orbits<T: Into<BigInt> + Send>(
    m: u64,
    range: Range,
    term: impl Fn(u64, Orbit) -> T + Sync,
) -> Terms {
    let first = *range.start();
    let orbits = sieve::orbits_in(m, first..*range.end() + 1);
    Ok(map_range(range, &|n| {
        term(n, orbits[(n - first) as usize]).into()
    }))
}

/// The longest period whose digits are counted one by one, which takes about half a minute.
const MAX_DIGITS: u64 = 1 << 32;

/// As [`from_orbits`], for a term that counts the digits of a period, one step for each digit.
pub(crate) fn from_digits(m: u64, range: Range, term: impl Fn(u64, Orbit) -> u64 + Sync) -> Terms {
    let orbits = sieve::orbits_in(m, *range.start()..*range.end() + 1);
    let most = match m {
        2 => MAX_FLIPS, // 64 digits at a time
        _ => MAX_DIGITS,
    };
    let long = (*range.start()..).zip(&orbits);
    if let Some((n, orbit)) = long.into_iter().find(|(_, orbit)| orbit.period > most) {
        return Err(SequenceError::Cannot(format!(
            "the expansion of 1/{n} in base {m} has a period of {} digits, which are counted: \
             2^{} are the most",
            orbit.period,
            most.ilog2()
        )));
    }
    from_orbits(m, range, term)
}

/// The largest n for which the rounds of a range are computed together; beyond it they are computed
/// one n at a time.
const MAX_NEAR_N: u64 = 1 << 32;
/// The maximum number of terms with n above [`MAX_NEAR_N`] in one call.
const MAX_FAR_TERMS: u64 = 1000;
/// The longest cycle of an n above [`MAX_NEAR_N`] that is counted, which takes about 15 seconds.
const MAX_FLIPS: u64 = 1 << 39;

/// The number of rounds of the cycle, or `without_cycle` if there is no cycle; uses the fast method
/// for a coin.
pub(crate) fn rounds_of(m: u64, range: Range, without_cycle: u64) -> Terms {
    let first = *range.start();
    if m != 2 {
        return from_digits(m, range, |n, orbit| {
            match rounds::cycle_rounds(m, n, orbit) {
                0 => without_cycle,
                rounds => rounds,
            }
        });
    }
    let term = |(n, rounds): (u64, u64)| {
        if n.is_power_of_two() {
            without_cycle.into()
        } else {
            rounds.into()
        }
    };
    // A single large n can take hours, so refuse before computing.
    if *range.end() > MAX_NEAR_N {
        let alone = |n: u64| cycle_rounds_alone(n, MAX_FLIPS);
        if range.end() - first >= MAX_FAR_TERMS {
            return Err(SequenceError::Cannot(format!(
                "n = {first} to {} is too large a range: beyond 2^32, at most {MAX_FAR_TERMS} terms are computed at once",
                range.end()
            )));
        }
        let rounds: Result<Vec<u64>, _> = range.clone().map(alone).collect();
        let rounds = rounds.map_err(|stepping| SequenceError::Cannot(stepping.to_string()))?;
        return Ok((first..).zip(rounds).map(term).collect());
    }
    let rounds = cycle_rounds_range(range);
    Ok((first..).zip(rounds).map(term).collect())
}

/// Returns the part of an increasing list at these indices, counted from 1. `up_to` returns all
/// members up to a limit; the limit is doubled until there are enough members.
fn part_of_list(range: Range, up_to: impl Fn(u64) -> Vec<u64>) -> Vec<u64> {
    let (first, last) = (*range.start() as usize, *range.end() as usize);
    let mut limit = (2 * last as u64).max(64);
    loop {
        let list = up_to(limit);
        if list.len() >= last {
            return list[first - 1..last].to_vec();
        }
        limit *= 2;
    }
}

/// The members k of an increasing sequence, indexed from 1; `is_member` recognises them by the
/// orbit of 2 modulo k.
pub(crate) fn members(range: Range, is_member: impl Fn(u64, Orbit) -> bool + Sync) -> Terms {
    let list = part_of_list(range, |limit| members_up_to(limit, &is_member));
    Ok(list.into_iter().map(BigInt::from).collect())
}

fn members_up_to(limit: u64, is_member: impl Fn(u64, Orbit) -> bool + Sync) -> Vec<u64> {
    let orbits = sieve::orbits_in(2, 1..limit + 1);
    threads::concat(orbits.len(), &|part| {
        let members = part.filter(|i| is_member(*i as u64 + 1, orbits[*i]));
        members.map(|i| i as u64 + 1).collect()
    })
}

/// Checks whether k divides 2^j + 1 for some j >= 0.
pub(crate) fn divides_a_power_plus_one(k: u64, orbit: Orbit) -> bool {
    k <= 2 || (k % 2 == 1 && orbit.minus_one)
}

/// The least j >= 0 for which k divides 2^j + 1, for those k that have such a j.
pub(crate) fn least_exponents(range: Range) -> Terms {
    let list = part_of_list(range, |limit| {
        members_up_to(limit, divides_a_power_plus_one)
    });
    let exponent = |k: u64| match k {
        1 | 2 => 0,
        _ => order::period(2, k) / 2,
    };
    Ok(list.into_iter().map(|k| exponent(k).into()).collect())
}

/// The primes with the property `wanted`, at these indices; the first such prime has index 1.
pub(crate) fn primes_at(range: Range, wanted: impl Fn(u64) -> bool) -> Vec<u64> {
    part_of_list(range, |limit| {
        let mut primes = primes_up_to(limit);
        primes.retain(|p| wanted(*p));
        primes
    })
}

/// The order of 2 modulo each of the primes at these indices.
pub(crate) fn orders_modulo_primes(range: Range) -> Terms {
    let primes = primes_at(range, |_| true);
    Ok(threads::map_of(&primes, &|p| order::period(2, *p).into()))
}

/// The class number h(-p) of the imaginary quadratic field of a prime p = 3 mod 4, by Dirichlet's
/// formula: the sum of (a/p) over a < p/2, divided by 2 - (2/p); for p = 3 it is 1. Cost: O(p).
pub(crate) fn class_number(p: u64) -> u64 {
    if p == 3 {
        return 1;
    }
    spend(2 * p);
    let mut is_square = vec![false; p as usize];
    for a in 1..=p / 2 {
        is_square[(u128::from(a) * u128::from(a) % u128::from(p)) as usize] = true;
    }
    let squares = (1..=p / 2).filter(|a| is_square[*a as usize]).count() as u64;
    let sum = 2 * squares - p / 2; // there are more squares than nonsquares below p/2
    sum / if p % 8 == 7 { 1 } else { 3 }
}

/// The class numbers of many primes; see [`class_number`].
pub(crate) fn class_numbers(primes: &[u64]) -> Vec<BigInt> {
    threads::map_of(primes, &|p| class_number(*p).into())
}

/// The orders of a base modulo step * n + 1.
pub(crate) fn orders_in_progression(base: u64, step: u64, range: Range) -> Terms {
    if order::coprime_part(step, base) != 1 {
        return Err(SequenceError::Argument(format!(
            "base = {base} is not coprime to every {step}n+1: every prime of the base must divide the step, which is 2 unless it is given, as in base={base},step={base}"
        )));
    }
    let orbit = |n: u64| {
        let modulus = step
            .checked_mul(n)
            .and_then(|product| product.checked_add(1));
        let modulus = modulus.ok_or_else(|| {
            SequenceError::Cannot(format!("{step} * {n} + 1 is beyond a machine word"))
        })?;
        Ok(order::period(base, modulus).into())
    };
    let (first, last) = (*range.start(), *range.end());
    if step > 16 || last - first < 1000 {
        return map_range(range, &orbit).into_iter().collect();
    }
    let orbits = sieve::orbits_in(base, step * first + 1..step * last + 2);
    let wanted = orbits.into_iter().step_by(step as usize);
    Ok(wanted.map(|orbit| orbit.period.into()).collect())
}

/// The orders of a base modulo the numbers that are coprime to the base, in order.
pub(crate) fn orders_modulo_coprime(base: u64, range: Range) -> Terms {
    let is_coprime = |n: &u64| {
        spend(16);
        num_integer::gcd(*n, base) == 1
    };
    let list = part_of_list(range, |limit| (1..=limit).filter(is_coprime).collect());
    Ok(threads::map_of(&list, &|n| order::period(base, *n).into()))
}

/// The part of the flow chart before its cycle: the number of rolls, the number of rounds, and the
/// v with which the cycle begins (0 if there is no cycle).
///
/// The chart returns to a round if and only if the residue before this round lies in the cycle of
/// the residues, and the roll that leads to this residue within the cycle ends a round. Let t be
/// the number of rolls before the round, and s the pre-period. The first condition holds for t >=
/// s. The second holds for t > s, because that roll was actually made and ended the previous round,
/// and for s = 0, because v = 1 is less than m times any residue. So only the case t = s > 0 must
/// be checked.
pub(crate) struct ChartPrePeriod {
    pub(crate) rolls: u64,
    pub(crate) rounds: u64,
    pub(crate) v: u64,
}

/// Computes a [`ChartPrePeriod`]. Cost: O(log n) products, and the period if it is needed.
pub(crate) fn before_cycle(m: u64, n: u64) -> ChartPrePeriod {
    let pre_period = order::pre_period(m, n);
    let (mut v, mut rolls, mut rounds) = (1 % n, 0, 0);
    while v > 0 {
        let returns = match rolls.cmp(&pre_period) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal if rolls == 0 => true,
            Ordering::Equal => {
                let last = rolls + order::period(m, n) - 1;
                u128::from(pow_mod(m, last, n)) * u128::from(m) >= u128::from(n)
            }
        };
        if returns {
            break;
        }
        let mut after = u128::from(v);
        while after < u128::from(n) {
            after *= u128::from(m);
            rolls += 1;
        }
        v = (after % u128::from(n)) as u64;
        rounds += 1;
    }
    ChartPrePeriod { rolls, rounds, v }
}

/// The residues of the cycle.
fn cycle_residues(m: u64, n: u64, orbit: Orbit) -> impl Iterator<Item = u64> {
    order_residues(m, n)
        .skip(orbit.pre_period as usize)
        .take(orbit.period as usize)
}

fn order_residues(m: u64, n: u64) -> impl Iterator<Item = u64> {
    crate::roller::ResidueSequence::new(m, n)
}

/// The largest value of m^t mod n over all t.
pub(crate) fn largest_residue(m: u64, n: u64, orbit: Orbit) -> u64 {
    let all = order_residues(m, n).take((orbit.pre_period + orbit.period) as usize);
    all.max().unwrap_or(0)
}

/// The least v before a round inside the cycle; 0 if there is no cycle. It is the least residue of
/// the cycle: the residue before it is not smaller, so a round ends between the two. For a coin the
/// residues of the cycle are 2^s times the powers of 2 modulo n', so the least is 2^s.
pub(crate) fn least_in_cycle(m: u64, n: u64, orbit: Orbit) -> u64 {
    match (order::coprime_part(m, n), m) {
        (1, _) => 0,
        (odd, 2) => n / odd,
        _ => cycle_residues(m, n, orbit).min().unwrap_or(0),
    }
}

/// The maximum number of rolls in a round of the cycle, which is the round that begins with the
/// least v; 1 if there is no cycle.
pub(crate) fn most_rolls_in_round(m: u64, n: u64, orbit: Orbit) -> u64 {
    let least = least_in_cycle(m, n, orbit);
    if least == 0 {
        return 1;
    }
    let rolls = (0u64..).scan(u128::from(least), |v, _| {
        let below = *v < u128::from(n);
        *v *= u128::from(m);
        below.then_some(())
    });
    rolls.count() as u64
}

/// The entries of the rows r = 1, 2, ..., one row after the other; row r lists the powers of 2
/// modulo 2r - 1.
pub(crate) fn rows_of_residues(range: Range) -> Terms {
    let (first, last) = (*range.start(), *range.end());
    let mut terms = Vec::new();
    let (mut before, mut odd) = (0, 1);
    while before < last {
        let period = order::period(2, odd);
        spend(period);
        if before + period >= first {
            let row = order_residues(2, odd).take(period as usize);
            let numbered = (before + 1..).zip(row);
            let wanted = numbered.filter(|(at, _)| (first..=last).contains(at));
            terms.extend(wanted.map(|(_, x)| BigInt::from(x)));
        }
        before += period;
        odd += 2;
    }
    Ok(terms)
}

/// The values max(a, b) for the numbers 2^a 3^b in increasing order.
pub(crate) fn exponents_of_smooth_numbers(range: Range) -> Terms {
    let mut heap = BinaryHeap::from([Reverse((BigUint::one(), 0u64, 0u64))]);
    let mut terms = Vec::new();
    for at in 1..=*range.end() {
        spend(500);
        let Some(Reverse((value, a, b))) = heap.pop() else {
            break;
        };
        if at >= *range.start() {
            terms.push(a.max(b).into());
        }
        // The predecessor of 2^a 3^b is 2^(a-1) 3^b, or 3^(b-1) if a = 0.
        if a == 0 {
            heap.push(Reverse((&value * 3u8, 0, b + 1)));
        }
        heap.push(Reverse((value * 2u8, a + 1, b)));
    }
    Ok(terms)
}

/// The least k for which n divides m^k; -1 if there is no such k.
pub(crate) fn bounded_exponent(m: u64, n: u64) -> i64 {
    match order::coprime_part(m, n) {
        1 => order::pre_period(m, n) as i64,
        _ => -1,
    }
}

/// The least number of dice with 4, 6, 8, 10, 12 or 20 sides for which n divides the product of
/// their sides; -1 if there are none. Each prime factor 3 or 5 of n needs a separate die: a d12 or
/// a d20 is best, since it also contributes two factors 2. For further factors 2, a d8 contributes
/// three.
pub(crate) fn fewest_dice(n: u64) -> i64 {
    let mut rest = n;
    let mut exponent = |p: u64| {
        let mut count = 0i64;
        while rest.is_multiple_of(p) {
            (rest, count) = (rest / p, count + 1);
        }
        count
    };
    let (twos, others) = (exponent(2), exponent(3) + exponent(5));
    match rest {
        1 => others + (twos - 2 * others).max(0).unsigned_abs().div_ceil(3) as i64,
        _ => -1,
    }
}

/// The terms of the MR-expansion of x, indexed from 1.
pub(crate) fn mr_terms(arguments: &FamilyArguments, range: Range) -> Terms {
    let base = arguments.number("base");
    let x = arguments.real().value();
    let (first, last) = (*range.start() as usize, *range.end() as usize);
    let terms = mr::terms_of_real(x, base, last)
        .map_err(|error| SequenceError::Cannot(error.to_string()))?;
    Ok(terms[first - 1..]
        .iter()
        .map(|term| (*term).into())
        .collect())
}

/// The numerator or denominator of the exact mean or variance of an algorithm.
pub(crate) fn moment(
    arguments: &FamilyArguments,
    range: Range,
    variance: bool,
    part: fn(&Rational) -> &BigInt,
) -> Terms {
    let (method, source) = (arguments.algorithm(), arguments.source());
    let id = method.about().id;
    let term = |n: u64| {
        let cannot = |why: String| SequenceError::Cannot(format!("{id}, n = {n}: {why}"));
        let source = Source::die(source).map_err(|error| cannot(error.to_string()))?;
        let dice = Task::die(n, source).map_err(|error| cannot(error.to_string()))?;
        let bound = method
            .prepare(&dice)
            .map_err(|error| cannot(error.to_string()))?;
        let law = bound.law().map_err(|error| cannot(error.to_string()))?;
        let value = if variance {
            law.variance_up_to(u128::MAX)
        } else {
            law.mean_up_to(u128::MAX)
        };
        let value = value.map_err(|size| cannot(format!("the fraction {size:#}")))?;
        Ok(part(&value).clone())
    };
    map_range(range, &term).into_iter().collect()
}

/// The n-th number at which the toll E - log2 of the fast dice roller with a coin reaches a new
/// maximum: 1, and 2^k + 1 for k >= 1 (crates/toll/src/toll.rs has the proof).
pub(crate) fn toll_record(n: u64) -> BigInt {
    match n {
        1 => BigInt::from(1),
        n => (BigInt::from(1) << (n - 1)) + 1u8,
    }
}

/// The n >= 1 whose cycle has (n-1)/4 rounds (1 round for powers of two).
pub(crate) fn quarter_rounds(range: Range) -> Terms {
    members(range, |n, orbit| {
        n % 4 == 1 && n > 1 && rounds::cycle_rounds(2, n, orbit) == (n - 1) / 4
    })
}

/// Checks whether one period of 1/n has exactly `rounds` 1 bits, for odd n above 1. It steps
/// through the residues until there are more 1 bits, which takes about 2 `rounds` steps for most n.
fn has_rounds(n: u64, rounds: u64) -> bool {
    let (mut x, mut seen) = (1, 0);
    loop {
        x *= 2;
        if x >= n {
            x -= n;
            seen += 1;
        }
        if x == 1 || seen > rounds {
            return seen == rounds;
        }
    }
}

/// The odd n with exactly `rounds` 1 bits in one period of 1/n.
pub(crate) fn exactly_rounds(rounds: u64, range: Range) -> Terms {
    let list = part_of_list(range, |limit| {
        let odd: Vec<u64> = (3..limit + 1).step_by(2).collect();
        let has = threads::map_of(&odd, &|n| has_rounds(*n, rounds));
        odd.into_iter()
            .zip(has)
            .filter(|(_, has)| *has)
            .map(|(n, _)| n)
            .collect()
    });
    Ok(list.into_iter().map(BigInt::from).collect())
}

/// The last index for formulas whose terms grow like powers of 2; all terms up to it take about 150
/// MB together.
const MAX_LONG_INDEX: u64 = 50_000;

/// Refuses a range whose terms would not fit in memory.
pub(crate) fn check_fits_in_memory(range: &Range) -> Result<(), SequenceError> {
    match *range.end() {
        0..=MAX_LONG_INDEX => Ok(()),
        last => Err(SequenceError::Cannot(format!(
            "n = {last} is too large, as its term may have about n binary digits: terms up to n = {MAX_LONG_INDEX} are \
             computed"
        ))),
    }
}

/// The odd n with two 1 bits in a period of 1/n are the numbers (2^(2jk) - 1) / (2^j + 1), j >= 1,
/// k >= 2. Those with 2jk - j = b lie between 2^(b-1) and 2^b.
pub(crate) fn two_rounds(range: Range) -> Vec<BigInt> {
    let (first, last) = (*range.start() as usize, *range.end() as usize);
    let mut terms = Vec::new();
    for b in 1u32.. {
        if terms.len() >= last {
            break;
        }
        let one = |j: u32| {
            let k = (b + j) / (2 * j);
            let all = || (BigInt::from(1) << (2 * j * k)) - 1u8;
            (k >= 2 && 2 * j * k == b + j).then(|| all() / ((BigInt::from(1) << j) + 1u8))
        };
        let mut of_length: Vec<BigInt> = (1..=b).filter_map(one).collect();
        of_length.sort();
        terms.append(&mut of_length);
    }
    terms[first - 1..last].to_vec()
}

/// The least n whose cycle has k rounds, for each k of the range. Searches intervals of doubling
/// length until there is an n for each k.
pub(crate) fn least_with_rounds(range: Range) -> Terms {
    let first = *range.start();
    let mut least: Vec<Option<u64>> = vec![None; (range.end() - first + 1) as usize];
    let (mut begin, mut end) = (1u64, 4 * range.end() + 64);
    while least.contains(&None) {
        for (n, rounds) in (begin..end).zip(cycle_rounds_range(begin..=end - 1)) {
            let place = rounds.checked_sub(first).map(|place| place as usize);
            if let Some(place) = place.and_then(|place| least.get_mut(place)) {
                place.get_or_insert(n);
            }
        }
        (begin, end) = (end, 2 * end);
    }
    Ok(least.into_iter().flatten().map(BigInt::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form gives the same numbers as counting the 1 bits of periods.
    #[test]
    fn two_rounds_have_a_closed_form() {
        let found = exactly_rounds(2, 1..=20).unwrap();
        assert_eq!(two_rounds(1..=20), found);
        assert_eq!(two_rounds(7..=11), found[6..11]);
        assert!(check_fits_in_memory(&(1..=MAX_LONG_INDEX)).is_ok());
        assert!(check_fits_in_memory(&(1..=MAX_LONG_INDEX + 1)).is_err());
        let many = two_rounds(1..=2000);
        assert!(many.windows(2).all(|pair| pair[0] < pair[1]));
    }

    /// Compares the numbers of dice with a search through all sets of up to six dice.
    #[test]
    fn the_fewest_dice_are_those_of_a_search() {
        let mut throws = vec![1u64];
        let mut least = vec![-1i64; 1001];
        for dice in 0..=6 {
            for n in 1..=1000u64 {
                let at = &mut least[n as usize];
                if *at < 0 && throws.iter().any(|product| product % n == 0) {
                    *at = dice;
                }
            }
            let one_more = throws
                .iter()
                .flat_map(|product| [4, 6, 8, 10, 12, 20].map(|die| product * die));
            throws = one_more.collect();
            throws.sort_unstable();
            throws.dedup();
        }
        for n in 1..=1000 {
            assert_eq!(fewest_dice(n), least[n as usize], "{n}");
        }
    }
}
