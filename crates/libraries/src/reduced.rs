//! The outcomes that a reduction of random words favours. A class contains the outcomes that come
//! from equally many words. The most likely class is first.
//!
//! Let W = q n + r be the number of words. x mod n favours the outcomes below r. floor(x n / W)
//! favours the outcomes j with ceil((j + 1) r / n) > ceil(j r / n), which are j = floor(i n / r)
//! for i = 0, ..., r - 1. The other outcomes are j = ceil(k n / (n - r)) - 1 for k = 1, ..., n - r.

use flipcost::law::DoubleBounds;
use flipcost_number::BigUint;
use num_integer::Integer;
use num_traits::Zero;
use std::collections::BTreeMap;

/// The largest number of ranges of outcomes that are listed.
const MAX_RANGES: usize = 100;
/// The largest number of outcomes whose words are counted one by one.
pub(crate) const MAX_COUNTED: u64 = 1 << 20;

/// The outcomes that have the same number of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EqualOutcomes {
    pub words: BigUint,
    pub count: BigUint,
    ranges: Vec<(BigUint, BigUint)>,
}

impl EqualOutcomes {
    fn new(words: BigUint) -> EqualOutcomes {
        EqualOutcomes {
            words,
            count: BigUint::zero(),
            ranges: Vec::new(),
        }
    }

    /// Appends the outcomes from `first` to `last`, which must come after all outcomes of the
    /// class.
    fn add(&mut self, first: BigUint, last: BigUint) {
        self.count += &last - &first + 1u8;
        self.list(first, last);
    }

    fn list(&mut self, first: BigUint, last: BigUint) {
        let many = self.ranges.len() > MAX_RANGES;
        match self.ranges.last_mut() {
            Some((_, end)) if &*end + 1u8 == first => *end = last,
            _ if many => {}
            _ => self.ranges.push((first, last)),
        }
    }

    /// Formats the outcomes as ranges, for example `0..3,7`. Only the first hundred ranges are
    /// listed.
    pub fn ranges(&self) -> String {
        let range = |(first, last): &(BigUint, BigUint)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}..{last}")
            }
        };
        let mut all: Vec<String> = self.ranges.iter().take(MAX_RANGES).map(range).collect();
        let listed: BigUint = self
            .ranges
            .iter()
            .take(MAX_RANGES)
            .map(|(first, last)| last - first + 1u8)
            .sum();
        if listed < self.count {
            all.push("...".to_string());
        }
        all.join(",")
    }
}

/// Returns the classes of outcomes of x mod n for W words.
pub(crate) fn modulo(words: &BigUint, n: &BigUint) -> Vec<EqualOutcomes> {
    let (each, more) = words.div_rem(n);
    let mut classes = Vec::new();
    if !more.is_zero() {
        let mut class = EqualOutcomes::new(&each + 1u8);
        class.add(BigUint::zero(), &more - 1u8);
        classes.push(class);
    }
    let mut class = EqualOutcomes::new(each);
    class.add(more, n - 1u8);
    classes.push(class);
    classes
}

/// Returns the classes of outcomes of floor(x n / W) for W words.
pub(crate) fn multiply_shift(words: &BigUint, n: &BigUint) -> Vec<EqualOutcomes> {
    let (each, more) = words.div_rem(n);
    if more.is_zero() {
        return modulo(words, n);
    }
    let less = n - &more;
    let mut classes = [EqualOutcomes::new(&each + 1u8), EqualOutcomes::new(each)];
    // The smaller class consists of single outcomes; the outcomes of the other class lie between
    // them.
    let rare = usize::from(less < more);
    let mut begin = BigUint::zero();
    let mut i = BigUint::zero();
    while i < *[&more, &less][rare] && classes.iter().any(|class| class.ranges.len() <= MAX_RANGES)
    {
        let place = match rare {
            0 => &i * n / &more,
            _ => ((&i + 1u8) * n).div_ceil(&less) - 1u8,
        };
        if begin < place {
            classes[1 - rare].list(begin, &place - 1u8);
        }
        begin = &place + 1u8;
        classes[rare].list(place.clone(), place);
        i += 1u8;
    }
    if i == *[&more, &less][rare] && begin < *n {
        classes[1 - rare].list(begin, n - 1u8);
    }
    [classes[0].count, classes[1].count] = [more, less];
    classes.into()
}

/// Groups the outcomes 0, 1, ... by the number of words that give each of them.
fn group_by_width(widths: impl Iterator<Item = u64>) -> BTreeMap<u64, EqualOutcomes> {
    let mut classes = BTreeMap::new();
    for (j, words) in (0u64..).zip(widths) {
        let class = classes
            .entry(words)
            .or_insert_with(|| EqualOutcomes::new(words.into()));
        class.add(j.into(), j.into());
    }
    classes
}

/// Returns the classes of outcomes of floor(u n) in doubles.
pub(crate) fn classes_of_floor(bounds: DoubleBounds) -> Vec<EqualOutcomes> {
    let listed = bounds.n.min(MAX_COUNTED);
    let width = |j: u64| bounds.least(j + 1) - bounds.least(j);
    let mut classes = group_by_width((0..listed).map(width));
    if listed < bounds.n {
        classes
            .values_mut()
            .for_each(|class| class.count = BigUint::zero());
        let mut counts = bounds.counts();
        let counted: BigUint = counts.iter().map(|(_, count)| count).sum();
        counts.push((BigUint::zero(), BigUint::from(bounds.n) - counted));
        for (words, count) in counts.into_iter().filter(|(_, count)| !count.is_zero()) {
            let key = words.iter_u64_digits().next().unwrap_or(0);
            classes
                .entry(key)
                .or_insert_with(|| EqualOutcomes::new(words))
                .count = count;
        }
    }
    classes.into_values().rev().collect()
}

/// Returns the least y with fl(y w / 2^bits) >= v, for 1/2 <= v <= w <= 2^20.
fn first_word_reaching(bits: u32, w: u64, v: f64) -> u64 {
    // v = m 2^e. Values nearer to v than to the double below v are rounded to v. The value half way
    // between the two is also rounded to v if m is even.
    let e = (v.to_bits() >> 52) as i32 - 1075;
    let m = u128::from(v.to_bits() & ((1 << 52) - 1) | 1 << 52);
    let half = if m == 1 << 52 { 1 } else { 2 };
    let (above, below) = ((4 * m - half) << (e + 53), u128::from(w) << (55 - bits));
    let y = if m.is_multiple_of(2) {
        above.div_ceil(below)
    } else {
        above / below + 1
    };
    y.min(1 << bits) as u64
}

fn classes_between(bounds: impl Iterator<Item = u64>) -> Vec<EqualOutcomes> {
    let bounds: Vec<u64> = bounds.collect();
    let classes = group_by_width(bounds.windows(2).map(|pair| pair[1] - pair[0]));
    classes.into_values().rev().collect()
}

/// Returns the classes of outcomes of round(u (n - 1)) in doubles, with halves rounded up; n is at
/// most [`MAX_COUNTED`].
pub(crate) fn classes_of_round(bits: u32, n: u64) -> Vec<EqualOutcomes> {
    let inner = (1..n).map(|j| first_word_reaching(bits, n - 1, j as f64 - 0.5));
    classes_between(std::iter::once(0).chain(inner).chain([1 << bits]))
}

/// Returns the classes of outcomes of ceil(u n) in doubles; only u = 0 gives 0.
pub(crate) fn classes_of_ceil(bits: u32, n: u64) -> Vec<EqualOutcomes> {
    let inner = (1..n).map(|j| first_word_reaching(bits, n, (j as f64).next_up()));
    classes_between([0, 1].into_iter().chain(inner).chain([1 << bits]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    /// Returns the number of words of each outcome.
    fn words_of_outcomes(classes: &[EqualOutcomes]) -> BTreeMap<u64, u64> {
        let small = |x: &BigUint| u64::try_from(x).unwrap();
        let mut all = BTreeMap::new();
        for class in classes {
            let mut count = 0;
            for (first, last) in &class.ranges {
                for j in small(first)..=small(last) {
                    assert!(all.insert(j, small(&class.words)).is_none());
                    count += 1;
                }
            }
            assert_eq!(class.count, BigUint::from(count as u64));
        }
        all.retain(|_, words| *words > 0);
        all
    }

    fn counted(all: u64, outcome: impl Fn(u64) -> u64) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        (0..all).for_each(|x| *counts.entry(outcome(x)).or_default() += 1);
        counts
    }

    #[test]
    fn classes_agree_with_counting_all_words() {
        for n in 1u64..90 {
            for all in [1u64, 2, 7, 16, 64, 100, 256] {
                let (w, n_) = (BigUint::from(all), BigUint::from(n));
                assert_eq!(
                    words_of_outcomes(&modulo(&w, &n_)),
                    counted(all, |x| x % n),
                    "{all} {n}"
                );
                assert_eq!(
                    words_of_outcomes(&multiply_shift(&w, &n_)),
                    counted(all, |x| x * n / all),
                    "{all} {n}"
                );
            }
            for bits in [1u32, 5, 10] {
                let unit = |y: u64| y as f64 / (1u64 << bits) as f64;
                let all = 1 << bits;
                let bounds = DoubleBounds { bits, n };
                assert_eq!(
                    words_of_outcomes(&classes_of_floor(bounds)),
                    counted(all, |y| (unit(y) * n as f64) as u64),
                    "{bits} {n}"
                );
                let rounded = |y: u64| (unit(y) * (n - 1) as f64 + 0.5).floor() as u64;
                assert_eq!(
                    words_of_outcomes(&classes_of_round(bits, n)),
                    counted(all, rounded),
                    "{bits} {n}"
                );
                assert_eq!(
                    words_of_outcomes(&classes_of_ceil(bits, n)),
                    counted(all, |y| (unit(y) * n as f64).ceil() as u64),
                    "{bits} {n}"
                );
            }
        }
    }

    /// Tests the words of 53 bits next to the bounds, by real doubles.
    #[test]
    fn bounds_of_53_bits_agree_with_real_doubles() {
        let unit = |y: u64| y as f64 / (1u64 << 53) as f64;
        for n in [3u64, 7, 52, 1000, 1 << 20] {
            for j in (1..n).step_by(n as usize / 3) {
                let y = first_word_reaching(53, n, (j as f64).next_up());
                assert!(unit(y) * n as f64 > j as f64 && unit(y - 1) * n as f64 <= j as f64);
                let y = first_word_reaching(53, n, j as f64 - 0.5);
                assert!(
                    unit(y) * n as f64 >= j as f64 - 0.5
                        && (unit(y - 1) * n as f64) < j as f64 - 0.5
                );
            }
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let classes = multiply_shift(&(BigUint::one() << 64), &1_000_003u32.into());
        let text = classes[0].ranges();
        assert!(
            text.ends_with(",...") && text.split(',').count() == MAX_RANGES + 1,
            "{text}"
        );
        let all = classes[0].count.clone() + &classes[1].count;
        assert_eq!(all, 1_000_003u32.into());
    }
}
