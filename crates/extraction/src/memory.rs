//! Fair bits from a block of flips of a coin with memory: a chain of two states, whose probabilities nobody knows.
//!
//! The flip after heads shows heads with one probability, the flip after tails with another. The flips that follow heads, in
//! order, are the *exits* of heads, those that follow tails the exits of tails. The exits of a state are independent, with the same law,
//! as long as the chain runs. But a block of N flips ends somewhere, and where it ends depends on the exits: used as they come
//! they are biased.
//!
//! **Types.** A word's probability depends on its first flip and on how often heads and tails follow heads and tails, which is
//! its type. An extractor is fair for every chain *and every law of the first flip* if and only if for every i and every type
//! the words of that type that give i bits are shared out equally among the 2^i outputs. "If" is seen at once. "Only if": the
//! types that begin with heads are 1 + N(N-1)/2 in number (no change; or j = 1, ..., N-1 changes, of which ceil(j/2) lead away
//! from heads, and from 0 to N-1-j of the others stay heads). With q the probability of a change after heads and r after tails,
//! their probabilities are in V_N = {constants} + q {polynomials in q and r of degree at most N-2}, which has that dimension,
//! and span it: V_(N-1) is spanned by induction, the words of N-1 flips being sums of words of N; and u exits of heads, N-1-u
//! of tails, one or two of them changes, have +- q^u r^(N-1-u) as their terms of the highest degree, u = 1, ..., N-1. So they
//! are linearly independent as functions of q and r. Those that begin with tails likewise, and the first flip has any law.
//!
//! **The stationary law.** If the first flip is known to have it, heads with r / (q + r), less is needed. Times q + r a word
//! has the probability q^x r^y (1-q)^a (1-r)^d, x and y its changes away from heads and tails, with one more r if it begins
//! with heads and one more q if with tails. So two types have the same probability for every chain if and only if their words
//! are each other's read backwards and begin and end in different flips: HT and TH, HHT and THH. There are floor(N^2/4) such
//! pairs among the 2 + N(N-1) types, and a fair rule may use the first flip as one more bit wherever the last differs from it.
//! That is `stationary`; it yields
//!
//! ```text
//! P(first /= last) = 2 (r/(q+r)) (q/(q+r)) (1 - (1-q-r)^(N-1))
//! ```
//!
//! bits more than `zhou-bruck`. *It is no optimum*: the classes are still dependent, since their probabilities, times q + r,
//! are in {c q + c' r} + q r {polynomials in q and r of degree at most N-2}, of dimension 2 + N(N-1)/2, and span it. At N = 3,
//! P(HHT) + P(THT) = P(HTT) + P(HTH) = q r / (q + r), so that these two pairs give a bit with probability 2 q r / (q + r),
//! where `stationary` has 2 - q - r times as much. A fair rule for N = 3 has at most the greater of the two, and none has both
//! (a test goes through all): none is the best for every chain.
//!
//! **Blum's point.** Of a state to which the chain does not return after its last exit, which is each but the state of the
//! last flip, this last exit is known: it is the change. The words of a type are all arrangements of the other exits of each state, each
//! once: following them, the chain uses up all exits, since each run of the other state lies between two changes. So without those last
//! exits the two sequences of exits are as those of independent coins, given their types, and independent of each other.
//! With h and t changes away from heads and tails and a, d flips that stay,
//!
//! ```text
//! words of a type = C(a + h - l, a) C(d + t - l', d)     l = 1 if the chain ends in the other state and h > 0, else 0; l' likewise
//! ```
//!
//! - `exits`: pairs of the exits of each state as they come. It is *not* fair.
//! - `blum`: pairs of the exits of each state, the last one kept apart.
//! - `blum-elias`: Elias's blocks of these.
//! - `zhou-bruck`: Elias's block of the whole type, the optimum of the rules that are fair for every law of the first flip, by the theorem
//!   above, as in `extraction/mod.rs`.
//! - `stationary`: the same, and the first flip if it is not the last one. It is fair in the stationary law only.
//!
//! The yields are those of a block that begins in the stationary law. Exact cost: N^2 types, times products of N bits.
//!
//! **Source.** Blum 1986, Independent unbiased coin flips from a correlated biased source: a finite state Markov chain, Combinatorica 6;
//! Zhou & Bruck 2012, Efficient generation of random bits from finite state Markov chains, IEEE Trans. Inf. Theory 58. Both were
//! read in their abstracts; the proofs here are ours.

use super::elias::{EliasExtractor, bits_of, digit_sums};
use super::extractor::{Extractor, NotComputed, Yielded};
use super::memory_coin::MemoryCoin;
use super::von_neumann::VonNeumannExtractor;
use flipcost::algorithms::words::rank;
use flipcost_number::budget::spend;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Zero};

/// A way to make bits of a block of flips of a coin with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromMemory {
    /// Pairs of the exits of each state as they come, which is not fair.
    Exits,
    /// Pairs of the exits of each state, the last one kept apart.
    Blum,
    /// Elias's blocks of these.
    BlumElias,
    /// Elias's block of the type.
    ZhouBruck,
    /// The same, and the first flip if it is not the last one, which is fair in the stationary law only.
    Stationary,
}

/// The longest block that is counted.
const COUNTED: u64 = 512;

/// Of all words with this type of exits of one state: how many, the sums of their bits and of the squares of these.
struct WordSums([BigUint; 3]);

/// C(n, k) for all n to the length of a block; 0 outside.
struct Choose(Vec<Vec<BigUint>>);

impl Choose {
    fn new(n: usize) -> Choose {
        let mut rows: Vec<Vec<BigUint>> = vec![vec![BigUint::one()]];
        for n in 1..=n {
            let before = &rows[n - 1];
            let inner = before.windows(2).map(|two| &two[0] + &two[1]);
            let row = [BigUint::one()]
                .into_iter()
                .chain(inner)
                .chain([BigUint::one()]);
            rows.push(row.collect());
        }
        Choose(rows)
    }

    fn binomial(&self, n: isize, k: isize) -> BigUint {
        let row = usize::try_from(n).ok().and_then(|n| self.0.get(n));
        let cell = row
            .zip(usize::try_from(k).ok())
            .and_then(|(row, k)| row.get(k));
        cell.cloned().unwrap_or_default()
    }

    /// Of von Neumann's pairs in the words of n flips with k heads. A pair differs in 2 C(n-2, k-1) of them, two
    /// pairs both in 4 C(n-4, k-2); an odd last flip is left.
    fn pairs(&self, n: isize, k: isize) -> WordSums {
        if n % 2 != 0 {
            let (tails, heads) = (self.pairs(n - 1, k), self.pairs(n - 1, k - 1));
            let [a, b, c] = tails.0;
            let [d, e, f] = heads.0;
            return WordSums([a + d, b + e, c + f]);
        }
        let m = BigUint::from((n / 2).unsigned_abs());
        let bits = self.binomial(n - 2, k - 1) * 2u8 * &m;
        let others = if m.is_zero() {
            BigUint::zero()
        } else {
            self.binomial(n - 4, k - 2) * 4u8 * &m * (&m - 1u8)
        };
        WordSums([self.binomial(n, k), bits.clone(), bits + others])
    }

    /// The same of words that end in heads, all of whose n flips are paired.
    fn pairs_before_heads(&self, n: isize, k: isize) -> WordSums {
        if n % 2 != 0 {
            return self.pairs(n - 1, k - 1);
        }
        // the last pair is equal, or gives one bit more
        let [count, bits, squares] = self.pairs(n - 2, k - 2).0;
        let [more, of_more, squares_of_more] = self.pairs(n - 2, k - 1).0;
        WordSums([
            count + &more,
            bits + &of_more + &more,
            squares + squares_of_more + of_more * 2u8 + more,
        ])
    }
}

impl FromMemory {
    /// All of them, in the order of rows.
    pub const ALL: &[FromMemory] = &[
        FromMemory::Exits,
        FromMemory::Blum,
        FromMemory::BlumElias,
        FromMemory::ZhouBruck,
        FromMemory::Stationary,
    ];

    /// Its name in rows.
    pub fn id(self) -> &'static str {
        match self {
            FromMemory::Exits => "exits",
            FromMemory::Blum => "blum",
            FromMemory::BlumElias => "blum-elias",
            FromMemory::ZhouBruck => "zhou-bruck",
            FromMemory::Stationary => "stationary",
        }
    }

    /// Is it fair for every chain that begins in its stationary law?
    pub fn is_fair(self) -> bool {
        self != FromMemory::Exits
    }

    /// Is it fair for every chain, whatever the law of its first flip?
    pub fn is_fair_from_any_start(self) -> bool {
        self.is_fair() && self != FromMemory::Stationary
    }

    /// The bits of these flips: false is heads, true is tails.
    pub fn extract(self, flips: &[bool]) -> Vec<bool> {
        match self {
            FromMemory::Exits => return as_they_come(flips),
            FromMemory::Stationary => {
                let mut bits = FromMemory::ZhouBruck.extract(flips);
                bits.extend(flips.first().filter(|first| flips.last() != Some(first)));
                return bits;
            }
            _ => {}
        }
        let free = free_exits(flips);
        match self {
            FromMemory::ZhouBruck => {
                let [(one, ones), (other, others)] = free.each_ref().map(|exits| rank(exits, 2));
                bits_of(one * &others + other, ones * others)
            }
            FromMemory::BlumElias => free
                .iter()
                .flat_map(|exits| EliasExtractor.extract(exits, 2))
                .collect(),
            _ => free
                .iter()
                .flat_map(|exits| VonNeumannExtractor.extract(exits, 2))
                .collect(),
        }
    }

    /// Of the exits of one state in the words of a type: so many stay, so many change, and whether the block ends in that state.
    fn of_state(self, choose: &Choose, stay: usize, change: usize, ends: bool) -> WordSums {
        let apart = usize::from(!ends && change > 0);
        let (n, k) = ((stay + change - apart) as isize, (change - apart) as isize);
        match self {
            FromMemory::Exits if apart > 0 => choose.pairs_before_heads(n + 1, k + 1),
            FromMemory::Exits | FromMemory::Blum => choose.pairs(n, k),
            FromMemory::ZhouBruck | FromMemory::Stationary => {
                WordSums([choose.binomial(n, k), BigUint::zero(), BigUint::zero()])
            }
            FromMemory::BlumElias => {
                let count = choose.binomial(n, k);
                let [bits, squares] = digit_sums(&count);
                WordSums([count, bits, squares])
            }
        }
    }

    /// The sums of bits and of their squares, of the words of a type, which end in their first flip or in the other.
    fn of_type(self, one: &WordSums, other: &WordSums, returns: bool) -> [BigUint; 2] {
        let ([count, bits, squares], [others, more, squares_of_more]) = (&one.0, &other.0);
        match self {
            FromMemory::ZhouBruck => digit_sums(&(count * others)),
            FromMemory::Stationary => {
                let words = count * others;
                let [bits, squares] = digit_sums(&words);
                if returns {
                    return [bits, squares];
                }
                // one bit more: (b + 1)^2 = b^2 + 2b + 1
                [&bits + &words, squares + bits * 2u8 + words]
            }
            _ => [
                bits * others + count * more,
                squares * others + count * squares_of_more + bits * more * 2u8,
            ],
        }
    }

    /// What a block of n flips yields: for `exits` as many bits, which are not fair.
    ///
    /// # Errors
    /// [`NotComputed::Long`].
    ///
    /// ```
    /// use flipcost_extraction::FromMemory;
    /// let coin = "markov:1/2,1/2".parse()?; // no memory, but nobody knows
    /// let bits = |way: FromMemory| way.yielded(&coin, 3).unwrap().bits.to_string();
    /// assert_eq!([bits(FromMemory::Exits), bits(FromMemory::Blum)], ["1/4", "0"]);
    /// # Ok::<(), flipcost_extraction::MemoryCoinError>(())
    /// ```
    pub fn yielded(self, coin: &MemoryCoin, n: u64) -> Result<Yielded, NotComputed> {
        if n > COUNTED {
            return Err(NotComputed::Long { most: COUNTED });
        }
        let after_first = n.saturating_sub(1) as usize;
        let choose = Choose::new(after_first);
        let (states, all) = coin.weights();
        let powers = states
            .each_ref()
            .map(|pair| pair.each_ref().map(|weight| powers(weight, after_first)));
        let heads = coin.stationary();
        // from heads, and from tails
        let mut sums = [(); 2].map(|()| [BigUint::zero(), BigUint::zero()]);
        for changes in 0..=after_first {
            let ends = changes % 2 == 0;
            let stay = after_first - changes;
            let away = [changes.div_ceil(2), changes / 2];
            // without a change all flips are exits of the first state
            for first in if changes == 0 { stay } else { 0 }..=stay {
                spend(20 * (4 + n));
                let stays = [first, stay - first];
                let one = self.of_state(&choose, stays[0], away[0], ends);
                let other = self.of_state(&choose, stays[1], away[1], !ends);
                let of_type = self.of_type(&one, &other, ends);
                for (start, sums) in sums.iter_mut().enumerate() {
                    let weight = |state: usize| {
                        let [stay, change] = &powers[state ^ start];
                        &stay[stays[state]] * &change[away[state]]
                    };
                    let weight = weight(0) * weight(1);
                    for (sum, of_type) in sums.iter_mut().zip(&of_type) {
                        *sum += of_type * &weight;
                    }
                }
            }
        }
        let power = all.pow(after_first as u32);
        let [from_heads, from_tails] = sums.map(|sums| sums.map(|sum| reduce(&sum, &power)));
        let tails = Rational::one() - &heads;
        let both = from_heads.into_iter().zip(from_tails);
        let [bits, squares]: [Rational; 2] = both
            .map(|(from_heads, from_tails)| from_heads * &heads + from_tails * &tails)
            .collect::<Vec<_>>()
            .try_into()
            .expect("two moments");
        let variance = squares - &bits * &bits;
        Ok(Yielded {
            bits: bits.into(),
            variance: Some(variance),
        })
    }

    /// The probability that the first bit of a block is 1, given that there is one: 1/2 of a fair way. `None` if no word
    /// gives a bit.
    ///
    /// # Errors
    /// As [`FromMemory::yielded`].
    pub fn first_bit(self, coin: &MemoryCoin, n: u64) -> Result<Option<Rational>, NotComputed> {
        if self.is_fair() {
            // HHTH and HTHH are the shortest words of one type, HT and TH of one probability
            let least = if self.is_fair_from_any_start() { 4 } else { 2 };
            return Ok((n >= least).then(|| Rational::new(1.into(), 2.into())));
        }
        if n > COUNTED {
            return Err(NotComputed::Long { most: COUNTED });
        }
        let [one, zero] = first_of_pairs(coin, n as usize);
        let some = &one + zero;
        Ok((!some.is_zero()).then(|| one / some))
    }
}

fn powers(base: &BigUint, most: usize) -> Vec<BigUint> {
    let next = |power: &BigUint| Some(power * base);
    std::iter::successors(Some(BigUint::one()), next)
        .take(most + 1)
        .collect()
}

/// The exits of heads and tails, 0 for heads and 1 for tails, without the last of the state in which the block does not end.
fn free_exits(flips: &[bool]) -> [Vec<usize>; 2] {
    let mut exits = [Vec::new(), Vec::new()];
    for pair in flips.windows(2) {
        exits[usize::from(pair[0])].push(usize::from(pair[1]));
    }
    if let Some(last) = flips.last() {
        exits[usize::from(!last)].pop();
    }
    exits
}

/// Pairs of exits, each bit as soon as its pair is complete.
fn as_they_come(flips: &[bool]) -> Vec<bool> {
    let mut pending = [None; 2];
    let mut bits = Vec::new();
    for pair in flips.windows(2) {
        let pending: &mut Option<bool> = &mut pending[usize::from(pair[0])];
        match pending.take() {
            None => *pending = Some(pair[1]),
            Some(first) if first != pair[1] => bits.push(first),
            Some(_) => {}
        }
    }
    bits
}

/// The probabilities that the first bit of `as_they_come` is 1, and that it is 0.
fn first_of_pairs(coin: &MemoryCoin, n: usize) -> [Rational; 2] {
    let (states, all) = coin.weights();
    // a flip after this state; whether each state has an exit that waits, and which
    let place = |state: usize, waiting: [usize; 2]| state * 9 + waiting[0] * 3 + waiting[1];
    let mut found = [Rational::zero(), Rational::zero()];
    let heads = coin.stationary();
    let mut chances: Vec<Rational> = vec![Rational::zero(); 18];
    chances[place(0, [0, 0])] = heads.clone();
    chances[place(1, [0, 0])] = Rational::one() - heads;
    for _ in 1..n {
        let mut next = vec![Rational::zero(); 18];
        for state in 0..2 {
            for waits in 0..9 {
                let waiting = [waits / 3, waits % 3];
                let chance = &chances[place(state, waiting)];
                if chance.is_zero() {
                    continue;
                }
                for flip in 0..2 {
                    let weight = &states[state][usize::from(flip != state)];
                    let chance = chance * reduce(weight, &all);
                    let mut after = waiting;
                    match waiting[state] {
                        0 => after[state] = flip + 1,
                        first if first == flip + 1 => after[state] = 0,
                        first => {
                            found[usize::from(first == 1)] += chance;
                            continue;
                        }
                    }
                    next[place(flip, after)] += chance;
                }
            }
        }
        chances = next;
    }
    found
}

#[cfg(test)]
mod tests;
