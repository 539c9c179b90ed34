//! Fair bits from a block of flips of a coin with memory: a chain of two states, whose probabilities nobody knows.
//!
//! The flip after heads shows heads with one probability, the flip after tails with another. The flips that follow heads, in
//! order, are the *exits* of heads, those that follow tails the exits of tails. The exits of a state are independent, with the same law,
//! as long as the chain runs. But a block of N flips ends somewhere, and where it ends depends on the exits: used as they come
//! they are biased.
//!
//! **Types.** A word's probability depends on its first flip and on how often heads and tails follow heads and tails, which is
//! its type. An extractor is fair for every chain *if and only if* for every i and every type the words of that type that give i bits
//! are shared out equally among the 2^i outputs. "If" is seen at once. "Only if": the types that begin with heads are 1 + N(N-1)/2
//! in number (no change; or j = 1, ..., N-1 changes, of which ceil(j/2) lead away from heads, and from 0 to N-1-j of the others stay
//! heads). With q the probability of a change after heads and r after tails, their probabilities are in
//! V_N = {constants} + q {polynomials in q and r of degree at most N-2}, which has that dimension, and span it: V_(N-1) is spanned by
//! induction, the words of N-1 flips being sums of words of N; and u exits of heads, N-1-u of tails, one or two of them changes, have +- q^u
//! r^(N-1-u) as their terms of the highest degree, u = 1, ..., N-1. So they are linearly independent as functions of q and r. Those that
//! begin with tails likewise, and the first flip has any law.
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
//! - `zhou-bruck`: Elias's block of the whole type, the optimum by the theorem above, as in `extraction/mod.rs`.
//!
//! The block begins in the stationary law. Exact cost: N^2 types, times products of N bits.
//!
//! **Source.** Blum 1986, Independent unbiased coin flips from a correlated biased source: a finite state Markov chain, Combinatorica 6;
//! Zhou & Bruck 2012, Efficient generation of random bits from finite state Markov chains, IEEE Trans. Inf. Theory 58. Both were
//! read in their abstracts; the proofs here are ours.

use super::elias::{Elias, bits_of, digit_sums, numbered};
use super::extractor::{Extractor, NotComputed, Yielded};
use super::memory_coin::MemoryCoin;
use super::von_neumann::VonNeumann;
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
}

/// The longest block that is counted.
const COUNTED: u64 = 512;

/// Of all words with this type of exits of one state: how many, the sums of their bits and of the squares of these.
struct Sums([BigUint; 3]);

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

    fn of(&self, n: isize, k: isize) -> BigUint {
        let row = usize::try_from(n).ok().and_then(|n| self.0.get(n));
        let cell = row
            .zip(usize::try_from(k).ok())
            .and_then(|(row, k)| row.get(k));
        cell.cloned().unwrap_or_default()
    }

    /// Of von Neumann's pairs in the words of n flips with k heads. A pair differs in 2 C(n-2, k-1) of them, two
    /// pairs both in 4 C(n-4, k-2); an odd last flip is left.
    fn pairs(&self, n: isize, k: isize) -> Sums {
        if n % 2 != 0 {
            let (tails, heads) = (self.pairs(n - 1, k), self.pairs(n - 1, k - 1));
            let [a, b, c] = tails.0;
            let [d, e, f] = heads.0;
            return Sums([a + d, b + e, c + f]);
        }
        let m = BigUint::from((n / 2).unsigned_abs());
        let bits = self.of(n - 2, k - 1) * 2u8 * &m;
        let others = match m.is_zero() {
            true => BigUint::zero(),
            false => self.of(n - 4, k - 2) * 4u8 * &m * (&m - 1u8),
        };
        Sums([self.of(n, k), bits.clone(), bits + others])
    }

    /// The same of words that end in heads, all of whose n flips are paired.
    fn pairs_before_heads(&self, n: isize, k: isize) -> Sums {
        if n % 2 != 0 {
            return self.pairs(n - 1, k - 1);
        }
        // the last pair is equal, or gives one bit more
        let [count, bits, squares] = self.pairs(n - 2, k - 2).0;
        let [more, of_more, squares_of_more] = self.pairs(n - 2, k - 1).0;
        Sums([
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
    ];

    /// Its name in rows.
    pub fn id(self) -> &'static str {
        match self {
            FromMemory::Exits => "exits",
            FromMemory::Blum => "blum",
            FromMemory::BlumElias => "blum-elias",
            FromMemory::ZhouBruck => "zhou-bruck",
        }
    }

    /// Is it fair for every chain?
    pub fn is_fair(self) -> bool {
        self != FromMemory::Exits
    }

    /// The bits of these flips: false is heads, true is tails.
    pub fn extract(self, flips: &[bool]) -> Vec<bool> {
        if self == FromMemory::Exits {
            return as_they_come(flips);
        }
        let free = free_exits(flips);
        match self {
            FromMemory::ZhouBruck => {
                let [(one, ones), (other, others)] =
                    free.each_ref().map(|exits| numbered(exits, 2));
                bits_of(one * &others + other, ones * others)
            }
            FromMemory::BlumElias => free
                .iter()
                .flat_map(|exits| Elias.extract(exits, 2))
                .collect(),
            _ => free
                .iter()
                .flat_map(|exits| VonNeumann.extract(exits, 2))
                .collect(),
        }
    }

    /// Of the exits of one state in the words of a type: so many stay, so many change, and whether the block ends in that state.
    fn of_state(self, choose: &Choose, stay: usize, change: usize, ends: bool) -> Sums {
        let apart = usize::from(!ends && change > 0);
        let (n, k) = ((stay + change - apart) as isize, (change - apart) as isize);
        match self {
            FromMemory::Exits if apart > 0 => choose.pairs_before_heads(n + 1, k + 1),
            FromMemory::Exits | FromMemory::Blum => choose.pairs(n, k),
            FromMemory::ZhouBruck => Sums([choose.of(n, k), BigUint::zero(), BigUint::zero()]),
            FromMemory::BlumElias => {
                let count = choose.of(n, k);
                let [bits, squares] = digit_sums(&count);
                Sums([count, bits, squares])
            }
        }
    }

    /// The sums of bits and of their squares, of the words of a type.
    fn of_type(self, one: &Sums, other: &Sums) -> [BigUint; 2] {
        let ([count, bits, squares], [others, more, squares_of_more]) = (&one.0, &other.0);
        match self {
            FromMemory::ZhouBruck => digit_sums(&(count * others)),
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
                let of_type = self.of_type(&one, &other);
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
            // HHTH and HTHH are the shortest words of one type
            return Ok((n > 3).then(|| Rational::new(1.into(), 2.into())));
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
mod tests {
    use super::*;
    use flipcost::task::Source;
    use flipcost_number::{Polynomial, Real};
    use std::collections::BTreeMap;

    fn words(n: u32) -> impl Iterator<Item = Vec<bool>> {
        (0..1u32 << n).map(move |word| (0..n).map(|i| word >> i & 1 == 1).collect())
    }

    /// The first flip, and how often each follows each.
    fn type_of(flips: &[bool]) -> (bool, [[usize; 2]; 2]) {
        let mut follows = [[0; 2]; 2];
        for pair in flips.windows(2) {
            follows[usize::from(pair[0])][usize::from(pair[1])] += 1;
        }
        (flips[0], follows)
    }

    fn coins() -> [MemoryCoin; 4] {
        [
            "markov:1/3,3/5",
            "markov:1/2,1/2",
            "markov:9/10,1/7",
            "markov:1/4,1/4",
        ]
        .map(|text| text.parse().unwrap())
    }

    fn probability(coin: &MemoryCoin, flips: &[bool]) -> Rational {
        let of = |heads: &Rational, tails: bool| match tails {
            true => Rational::one() - heads,
            false => heads.clone(),
        };
        let follow = |pair: &[bool]| of(&coin.heads[usize::from(pair[0])], pair[1]);
        flips.windows(2).map(follow).product::<Rational>() * of(&coin.stationary(), flips[0])
    }

    /// The theorem of the module's page: in each type all outputs of one length have equally many words. Of the exits as they
    /// come they have not.
    #[test]
    fn what_is_fair_for_every_chain() {
        for way in FromMemory::ALL {
            let mut is_fair = true;
            for n in 1..=11 {
                let mut words_of: BTreeMap<_, BTreeMap<Vec<bool>, u64>> = BTreeMap::new();
                for word in words(n) {
                    let bits = way.extract(&word);
                    let class = (type_of(&word), bits.len());
                    *words_of.entry(class).or_default().entry(bits).or_default() += 1;
                }
                is_fair &= words_of.iter().all(|((_, length), outputs)| {
                    let first = outputs.values().next();
                    outputs.len() == 1 << length
                        && outputs.values().all(|count| Some(count) == first)
                });
            }
            assert_eq!(is_fair, way.is_fair(), "{}", way.id());
        }
    }

    /// The types that begin with heads are 1 + N(N-1)/2, and as functions of the chances of a change they are linearly
    /// independent: each has a row of an echelon form.
    #[test]
    fn types_are_independent() {
        let (q, r) = (Polynomial::variable(0), Polynomial::variable(1));
        let chances = [
            [&Polynomial::one() - &q, q],
            [r.clone(), &Polynomial::one() - &r],
        ];
        for n in 1..=7usize {
            let types: std::collections::BTreeSet<_> = words(n as u32)
                .filter(|word| !word[0])
                .map(|word| type_of(&word))
                .collect();
            assert_eq!(types.len(), 1 + n * (n - 1) / 2);
            let mut rows: Vec<Vec<(Vec<u32>, Rational)>> = Vec::new();
            for (_, follows) in types {
                let mut product = Polynomial::one();
                for (state, row) in follows.iter().enumerate() {
                    for (flip, &times) in row.iter().enumerate() {
                        product =
                            (0..times).fold(product, |product, _| &product * &chances[state][flip]);
                    }
                }
                let mut left: BTreeMap<Vec<u32>, Rational> = product
                    .terms()
                    .map(|(exponents, c)| (exponents.to_vec(), Rational::from(c.clone())))
                    .collect();
                for row in &rows {
                    let (first, pivot) = &row[0];
                    let Some(times) = left.get(first).map(|c| c / pivot) else {
                        continue;
                    };
                    for (exponents, c) in row {
                        *left.entry(exponents.clone()).or_insert_with(Rational::zero) -= &times * c;
                    }
                    left.retain(|_, c| !c.is_zero());
                }
                assert!(!left.is_empty(), "n = {n}");
                rows.push(left.into_iter().collect());
            }
        }
    }

    /// Mean, variance and first bit are those of all words.
    #[test]
    fn the_yield_is_that_of_all_words() {
        for (way, coin) in FromMemory::ALL
            .iter()
            .flat_map(|way| coins().map(|coin| (way, coin)))
        {
            for n in 1..=10 {
                let mut moments = [Rational::zero(), Rational::zero()];
                let mut first = [Rational::zero(), Rational::zero()];
                for word in words(n) {
                    let (bits, chance) = (way.extract(&word), probability(&coin, &word));
                    let count = Rational::from_integer(bits.len().into());
                    moments[0] += &chance * &count;
                    moments[1] += &chance * &count * count;
                    if let Some(bit) = bits.first() {
                        first[usize::from(*bit)] += chance;
                    }
                }
                let yielded = way.yielded(&coin, n.into()).unwrap();
                let [bits, squares] = moments;
                assert_eq!(yielded.bits, bits, "{} {coin} {n}", way.id());
                assert_eq!(yielded.variance, Some(squares - &bits * &bits));
                let [zero, one] = first;
                let some = &zero + &one;
                let share = (!some.is_zero()).then(|| one / some);
                assert_eq!(
                    way.first_bit(&coin, n.into()).unwrap(),
                    share,
                    "{} {coin} {n}",
                    way.id()
                );
            }
        }
    }

    /// Zhou & Bruck's is never beaten, Elias's blocks of a coin whose flips are known to be independent are better, and the
    /// entropy bounds all.
    #[test]
    fn the_optimum_is_between_the_others_and_the_entropy() {
        for coin in coins() {
            for n in [1u64, 2, 5, 16, 64] {
                let fair = &FromMemory::ALL[1..];
                let bits: Vec<Real> = fair
                    .iter()
                    .map(|way| way.yielded(&coin, n).unwrap().bits)
                    .collect();
                let exact = |at: usize| bits[at].exact().unwrap().clone();
                assert!(exact(0) <= exact(1) && exact(1) <= exact(2), "{coin} {n}");
                let first = coin.stationary();
                let (p, all) = (first.numer().magnitude(), first.denom().magnitude());
                let once = Source::loaded([p.clone(), all - p]).unwrap();
                let most = coin
                    .entropy()
                    .times(&Real::integer(n - 1))
                    .plus(&once.entropy());
                assert!(bits[2].compare(&most).unwrap().is_lt());
                if coin.heads[0] == coin.heads[1] {
                    let elias = Elias.yielded(&once, n).unwrap().bits;
                    assert!(exact(2) <= *elias.exact().unwrap());
                }
            }
        }
    }
}
