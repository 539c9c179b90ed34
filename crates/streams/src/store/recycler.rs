//! A sampler with a store of one word: fair numbers of any size from coins, with almost no loss.

/// The staged rule (see [`Staged`](super::Staged)) with a store of 64 bits: no number is longer
/// than 128 bits, and each stage needs only shifts, one product and one quotient.
///
/// The number in the store is uniform on v values, 2^63 <= v < 2^64, when a stage begins. So for
/// every n an outcome takes at most log2 n + L(n) Hb(2^-63) / (1 - 2^-63) coins in the long run,
/// which is less than 1.4 * 10^-17 above the entropy
/// ([`Staged::loss_bound`](super::Staged::loss_bound), S = 2^64; L(n) < 2).
///
/// ```
/// use flipcost_streams::Recycler;
/// // any source of fair words
/// let mut state = 1u64;
/// let mut word = || {
///     state ^= state << 13;
///     state ^= state >> 7;
///     state ^= state << 17;
///     state
/// };
/// let mut recycler = Recycler::new();
/// let rolls: Vec<u64> = (0..1000).map(|_| recycler.draw(6, &mut word)).collect();
/// assert!(rolls.iter().all(|face| *face < 6));
/// // log2(6) = 2.585 bits for each, 63 of them in store
/// assert!((2580..2660).contains(&recycler.coins()));
/// ```
#[derive(Clone, Debug)]
pub struct Recycler {
    /// The stored number, below `values`.
    number: u64,
    values: u64,
    /// The unused coins of the last word: the low `unused` bits of `word`.
    word: u64,
    unused: u32,
    coins: u64,
}

impl Default for Recycler {
    fn default() -> Self {
        Recycler::new()
    }
}

impl Recycler {
    /// Creates an empty store.
    pub fn new() -> Recycler {
        Recycler {
            number: 0,
            values: 1,
            word: 0,
            unused: 0,
            coins: 0,
        }
    }

    /// The number of coins used so far.
    pub fn coins(&self) -> u64 {
        self.coins
    }

    /// Returns a number below n; each has probability exactly 1 / n if the words are fair and
    /// independent. Expected cost: fewer than two stages, each with a product of 64 bits and a
    /// quotient of 128.
    ///
    /// # Panics
    /// If n is 0.
    pub fn draw(&mut self, n: u64, word: &mut impl FnMut() -> u64) -> u64 {
        assert!(n > 0, "there is no number below 0");
        let (mut first, mut rest) = (0, n);
        while !rest.is_power_of_two() {
            let bits = rest.ilog2();
            if self.decide(1 << bits, rest, word) {
                return first + self.flip(bits, word);
            }
            first += 1 << bits;
            rest -= 1 << bits;
        }
        first + self.flip(rest.ilog2(), word)
    }

    /// Returns true with probability j / t.
    fn decide(&mut self, mut j: u64, t: u64, word: &mut impl FnMut() -> u64) -> bool {
        loop {
            let more = self.values.leading_zeros();
            if more > 0 {
                let low = self.flip(more, word);
                self.number = self.number << more | low;
                self.values <<= more;
            }
            let product = u128::from(j) * u128::from(self.values);
            let group = (product / u128::from(t)) as u64;
            let rest = (product % u128::from(t)) as u64;
            // `others` is the number of values for the other outcomes: floor((t - j) v / t).
            let others = self.values - group - u64::from(rest > 0);
            if self.number < group {
                self.values = group;
                return true;
            }
            self.number -= group;
            if self.number < others {
                self.values = others;
                return false;
            }
            (self.number, self.values, j) = (0, 1, rest);
        }
    }

    /// Flips `count` coins, at most 64, and returns them as a number.
    fn flip(&mut self, count: u32, word: &mut impl FnMut() -> u64) -> u64 {
        self.coins += u64::from(count);
        if count == 0 {
            return 0;
        }
        if count <= self.unused {
            self.unused -= count;
            return self.word >> self.unused & (u64::MAX >> (64 - count));
        }
        let high = match self.unused {
            0 => 0,
            unused => self.word & (u64::MAX >> (64 - unused)),
        };
        let missing = count - self.unused;
        self.word = word();
        self.unused = 64 - missing;
        let low = match self.unused {
            0 => self.word,
            unused => self.word >> unused,
        };
        match missing {
            64 => low,
            missing => high << missing | low,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns words that contain the given coins, one after the other.
    fn coins_of(mut coins: Vec<bool>) -> impl FnMut() -> u64 {
        coins.reverse();
        move || {
            (0..64).fold(0, |word, _| {
                word << 1 | u64::from(coins.pop().unwrap_or(false))
            })
        }
    }

    /// Coins are used in order, for any numbers of coins at a time.
    #[test]
    fn coins_are_used_in_order() {
        let pattern: Vec<bool> = (0..400u32).map(|i| i * i % 7 < 3).collect();
        for counts in [
            vec![1; 400],
            vec![63, 64, 1, 64, 2, 62, 64, 40],
            vec![5; 80],
            vec![64; 6],
        ] {
            let mut recycler = Recycler::new();
            let mut word = coins_of(pattern.clone());
            let mut seen = Vec::new();
            for count in counts {
                let number = recycler.flip(count, &mut word);
                assert!(count == 64 || number >> count == 0);
                seen.extend((0..count).rev().map(|i| number >> i & 1 == 1));
            }
            assert_eq!(seen, pattern[..seen.len()]);
            assert_eq!(recycler.coins(), seen.len() as u64);
        }
    }

    /// For every number that the store can hold, the contents of the store after a decision agree
    /// with the rule.
    #[test]
    fn every_value_is_counted_once() {
        let mut word = || unreachable!("the store is filled");
        for (j, t) in [
            (2u64, 3u64),
            (4, 5),
            (4, 7),
            (32, 52),
            (1 << 62, (1 << 62) + 1),
            (1, 6),
        ] {
            for values in [1 << 63, (1 << 63) + 12_345, u64::MAX] {
                let product = u128::from(j) * u128::from(values);
                let group = (product / u128::from(t)) as u64;
                let other = u128::from(t - j) * u128::from(values) / u128::from(t);
                let other = other as u64;
                assert!(values - group - other <= 1);
                let mut decided = |number: u64| {
                    let mut recycler = Recycler::new();
                    (recycler.number, recycler.values) = (number, values);
                    let chosen = recycler.decide(j, t, &mut word);
                    (chosen, recycler.number, recycler.values)
                };
                assert_eq!(decided(0), (true, 0, group));
                assert_eq!(decided(group - 1), (true, group - 1, group));
                if other > 0 {
                    assert_eq!(decided(group), (false, 0, other));
                    assert_eq!(decided(group + other - 1), (false, other - 1, other));
                }
            }
        }
    }

    /// The left-over value empties the store and continues with probability (j v mod t) / t.
    #[test]
    fn a_value_left_over_begins_again() {
        let mut recycler = Recycler::new();
        (recycler.number, recycler.values) = ((1 << 63) - 1, 1 << 63);
        // 2 * 2^63 mod 3 = 1: the probability is 1/3 now, and 63 coins fill the store
        let mut words = vec![0, 1u64 << 63];
        let mut word = || words.pop().expect("two words");
        assert!(!recycler.decide(2, 3, &mut word));
        // The number 2^62 is beyond floor(2^63 / 3).
        assert_eq!(recycler.coins(), 63);
        assert_eq!(recycler.values, (1u64 << 63) - (1u64 << 63) / 3 - 1);
    }

    /// A die of two sides takes one coin, and a die of one side takes none.
    #[test]
    fn powers_of_two_are_coins() {
        let mut word = coins_of(vec![true, false, true, true]);
        let mut recycler = Recycler::new();
        assert_eq!(recycler.draw(1, &mut word), 0);
        assert_eq!(recycler.draw(2, &mut word), 1);
        assert_eq!(recycler.draw(8, &mut word), 0b011);
        assert_eq!(recycler.coins(), 4);
    }
}
