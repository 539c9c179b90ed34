//! Elias's method: the best way to make fair bits from n rolls of an unknown source.
//!
//! A type says how often each face occurs in the n rolls. It has C = n! / (t_1! ... t_m!) words
//! (sequences of rolls), numbered from 0. Each binary digit 1 of C, from the highest, stands for a
//! group of 2^i numbers. Each number of the group gives i bits: its distance from the first number
//! of the group, in binary. With f(M) = sum of i 2^i over the digits 1 of M, the words of the type
//! have f(C) bits together, so
//!
//! ```text
//! expected bits = sum over the types of f(C) prod p_j^(t_j) = sum over the types of P(type) f(C)/C
//! ```
//!
//! and the squares likewise with i^2. Faces of equal weights may be exchanged. Types that differ
//! only by such an exchange are counted once, with their counts in decreasing order. The number of
//! these types is s!/(r_1! r_2! ...) for s faces of equal weights, of which r_i have the same
//! count. The exact value costs operations on numbers of n bits for each type that is counted once
//! (for a fair die, for each partition of n into at most m parts).
//!
//! **Long blocks of a coin.** Let L = floor(log2 M) and u = M/2^L in [1, 2). Then f(M)/M = L - D/u,
//! where D is the sum of j 2^-j over the digits 1 of M that are j places below the highest. The
//! digits from place c on add at most sum_(j>=c) j 2^-j = (c+1) 2^(1-c), so the leading digits of
//! C(n, k) suffice. The recurrence C(n, k+1) = C(n, k) (n-k)/(k+1) encloses them and the
//! probabilities. If a power of two lies between the ends of an enclosure of M, the bounds L - 2 <=
//! f(M)/M <= L are used. Types k and n - k are computed together. The bits of a type that is too
//! rare to matter are enclosed between 0 and n. Cost: O(n) products of as many bits as are
//! requested.

use super::extractor::{
    BlockYield, ByHeads, Extractor, NotComputed, check_type_count, coin_weights,
};
use flipcost::algorithms::words::{rank, types};
use flipcost::task::Source;
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::budget::spend;
use flipcost_number::reduce::from_words;
use flipcost_number::scaled::{Scaled, shifted_down, shifted_up};
use flipcost_number::{BigUint, Polynomial};
use num_traits::{One, ToPrimitive, Zero};

pub(super) struct EliasExtractor;

/// The length of the longest block of a coin for which all words are counted.
const MAX_COUNTED_BLOCK: u64 = 4096;
/// The length of the longest block for which the polynomial is computed.
const MAX_POLYNOMIAL_BLOCK: u64 = 1024;
/// The length of the longest block for which the bits are enclosed.
const MAX_ENCLOSED_BLOCK: u64 = 1 << 24;
/// The largest amount of work for a die: the number of its types times the length, in machine
/// words, of the numbers that each type needs.
const MAX_WORK: u128 = 1 << 24;

impl Extractor for EliasExtractor {
    fn id(&self) -> &'static str {
        "elias"
    }

    fn extract(&self, rolls: &[usize], faces: usize) -> Vec<bool> {
        let (number, all) = rank(rolls, faces);
        bits_of(number, all)
    }

    fn yielded(&self, source: &Source, n: u64) -> Result<BlockYield, NotComputed> {
        let Some(coin) = coin_weights(source) else {
            let classes = face_classes(source)?;
            let most = longest_counted_block(&classes);
            return if n > most {
                Err(NotComputed::Long { most })
            } else {
                Ok(yield_over_types(&classes, n))
            };
        };
        let [heads, tails] = coin.clone();
        match n {
            0..=MAX_COUNTED_BLOCK => Ok(sums_by_heads(n).yielded(&coin)),
            _ if n <= MAX_ENCLOSED_BLOCK => Ok(BlockYield {
                bits: Real::cached(move |bits| enclose_yield(&heads, &tails, n, bits)),
                variance: None,
            }),
            _ => Err(NotComputed::Long {
                most: MAX_ENCLOSED_BLOCK,
            }),
        }
    }

    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed> {
        match n {
            _ if faces > 2 => {
                check_type_count(faces, n)?;
                let term = |(counts, words): (Vec<u32>, BigUint)| {
                    let [bits, _] = digit_sums(&words);
                    (counts, bits.into())
                };
                let all = types(faces as usize, n as u32).into_iter();
                Ok(Polynomial::from_terms(all.map(term)))
            }
            0..=MAX_POLYNOMIAL_BLOCK => Ok(sums_by_heads(n).polynomial()),
            _ => Err(NotComputed::Long {
                most: MAX_POLYNOMIAL_BLOCK,
            }),
        }
    }
}

/// Returns the bits that a number below `all` gives, according to the binary digits of `all`.
fn bits_of(mut number: BigUint, mut all: BigUint) -> Vec<bool> {
    loop {
        let top = all.bits() - 1;
        let group = BigUint::one() << top;
        if number < group {
            return (0..top).rev().map(|i| number.bit(i)).collect();
        }
        number -= &group;
        all -= group;
    }
}

/// The faces that have the same weight.
struct FaceClass {
    weight: BigUint,
    faces: BigUint,
}

/// Groups the faces by their weights.
fn face_classes(source: &Source) -> Result<Vec<FaceClass>, NotComputed> {
    let of = |weight: BigUint, faces: BigUint| FaceClass { weight, faces };
    match source.weights() {
        _ if source.is_unknown() => Err(NotComputed::Unknown),
        None => Ok(vec![of(BigUint::one(), source.sides())]),
        Some(weights) => {
            let mut weights = weights.to_vec();
            weights.sort_unstable();
            let classes = weights.chunk_by(|one, other| one == other);
            let class = |equal: &[BigUint]| of(equal[0].clone(), equal.len().into());
            Ok(classes.map(class).collect())
        }
    }
}

/// Returns the length of the longest block of a die for which all types are counted.
fn longest_counted_block(classes: &[FaceClass]) -> u64 {
    // The number of types of each length is a coefficient of the product over the classes of
    // 1/((1 - x)(1 - x^2)...(1 - x^s)), which grows with every factor and with the length.
    let mut types = vec![0u128; MAX_COUNTED_BLOCK as usize + 1];
    types[0] = 1;
    for class in classes {
        let most = class.faces.to_usize().unwrap_or(usize::MAX);
        let mut part = 1;
        while part <= most && part < types.len() {
            for n in part..types.len() {
                types[n] += types[n - part];
            }
            types.truncate(types.partition_point(|types| *types <= MAX_WORK));
            part += 1;
        }
    }
    let bits = classes
        .iter()
        .map(|class| &class.faces)
        .sum::<BigUint>()
        .bits();
    let fits = |(n, types): &(u64, u128)| types * u128::from(1 + n * bits / 64) <= MAX_WORK;
    let fitting = (0..).zip(types).take_while(fits);
    fitting.last().map_or(0, |(n, _)| n)
}

/// Returns the sums of i 2^i and of i^2 2^i over the digits 1 of M, by machine words: a word w at
/// the place 64 j adds f(w) + 64 j w and g(w) + 128 j f(w) + (64 j)^2 w times 2^(64 j).
fn digit_sums(m: &BigUint) -> [BigUint; 2] {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let (mut carry, mut carries) = (0u128, 0u128);
    for (j, word) in m.iter_u64_digits().enumerate() {
        let (mut f, mut g, mut ones) = (0u128, 0u128, word);
        while ones != 0 {
            let i = ones.trailing_zeros();
            let term = u128::from(i) << i;
            f += term;
            g += term * u128::from(i);
            ones &= ones - 1;
        }
        let (place, word) = (64 * j as u128, u128::from(word));
        carry += f + place * word;
        carries += g + 2 * place * f + place * place * word;
        first.push(carry as u64);
        second.push(carries as u64);
        carry >>= 64;
        carries >>= 64;
    }
    first.push(carry as u64);
    second.push(carries as u64);
    [from_words(&first), from_words(&second)]
}

fn sums_by_heads(n: u64) -> ByHeads {
    let (mut bits, mut squares) = (Vec::new(), Vec::new());
    let mut choose = BigUint::one();
    for k in 0..=n {
        spend(40 * (1 + n));
        let [first, second] = digit_sums(&choose);
        bits.push(first);
        squares.push(second);
        choose = choose * (n - k) / (k + 1);
    }
    ByHeads { bits, squares }
}

/// A group of types that have the same first counts.
struct TypeGroup {
    /// The class of the last face whose count is fixed, and how many faces of this class have fixed
    /// counts.
    class: usize,
    used: u64,
    /// The last fixed count, and how many faces of the class have it.
    count: u64,
    run: u64,
    /// The remaining rolls.
    left: u64,
    /// The number of words with these counts and their weight, both summed over the exchanges of
    /// faces of equal weights.
    words: BigUint,
    weight: BigUint,
}

/// Returns the yield of n rolls of a die, as a sum over all types.
fn yield_over_types(classes: &[FaceClass], n: u64) -> BlockYield {
    /// Adds the yield of the types that extend the fixed counts: chooses the counts of the next
    /// faces in order, without listing faces with count 0.
    fn add(classes: &[FaceClass], settled: &TypeGroup, sums: &mut [BigUint; 2]) {
        let TypeGroup {
            left,
            words,
            weight,
            ..
        } = settled;
        spend(100 + words.bits() + weight.bits());
        if *left == 0 {
            for (sum, digits) in sums.iter_mut().zip(digit_sums(words)) {
                *sum += digits * weight;
            }
            return;
        }
        for class in settled.class..classes.len() {
            let FaceClass {
                weight: each,
                faces,
            } = &classes[class];
            let (used, before, run) = if class == settled.class {
                (settled.used, settled.count, settled.run)
            } else {
                (0, *left, 0)
            };
            if *faces == used.into() {
                continue;
            }
            let free = faces - used;
            // The faces of the last class take all remaining rolls.
            let least = if class + 1 == classes.len() {
                free.to_u64().map_or(1, |free| left.div_ceil(free))
            } else {
                1
            };
            let (mut words, mut weight) = (words.clone(), weight * free);
            let mut first = 1;
            if least == *left {
                // Go directly to the state that single steps up to this count would reach.
                first = least;
                words *= first;
                weight *= each.pow(first as u32 - 1);
            }
            for count in first..=before.min(*left) {
                words = words * (left - count + 1) / count;
                weight *= each;
                if count < least {
                    continue;
                }
                let run = if count == before { run + 1 } else { 1 };
                let next = TypeGroup {
                    class,
                    used: used + 1,
                    count,
                    run,
                    left: left - count,
                    words: words.clone(),
                    weight: &weight / run,
                };
                add(classes, &next, sums);
            }
        }
    }
    let none = TypeGroup {
        class: 0,
        used: 0,
        count: n,
        run: 0,
        left: n,
        words: BigUint::one(),
        weight: BigUint::one(),
    };
    let mut sums = [BigUint::zero(), BigUint::zero()];
    add(classes, &none, &mut sums);
    let all = classes.iter().map(|class| &class.weight * &class.faces);
    let all = all.sum::<BigUint>().pow(n as u32);
    BlockYield::from_sums(sums, &all)
}

/// Returns bounds of f(M)/M, in units of 2^-bits.
fn enclose_mean_bits(m: &Scaled, bits: u64) -> (BigUint, BigUint) {
    let top = m.low.bits() - 1;
    let whole = BigUint::from((i128::from(top) + m.exponent) as u64) << bits;
    let two = BigUint::one() << (bits + 1);
    if m.high.bits() != top + 1 {
        // The ends of the enclosure lie on both sides of a power of two.
        let low = if whole > two {
            &whole - two
        } else {
            BigUint::zero()
        };
        return (low, whole + (BigUint::one() << bits));
    }
    let known = top + 1 - (&m.low ^ &m.high).bits();
    let mut digits = BigUint::zero();
    for j in (1..known).filter(|j| m.low.bit(top - j)) {
        digits += BigUint::from(j) << bits >> j;
    }
    // Each term of the digit sum was rounded down by less than a unit; an exact M has no unknown
    // digits.
    let mut most = &digits + known;
    if m.low != m.high || m.exponent > 0 {
        most += (BigUint::from(known + 1) << bits >> (known - 1)) + 1u8;
    }
    let least = (digits << top) / &m.high;
    let most = (most << top) / &m.low + 1u8;
    let low = if whole > most {
        &whole - most
    } else {
        BigUint::zero()
    };
    (low, whole - least)
}

/// Returns an interval of width at most 2^-bits that contains the expected bits of n flips.
fn enclose_yield(heads: &BigUint, tails: &BigUint, n: u64, bits: u64) -> Enclosure {
    let size = u64::from(u64::BITS - n.leading_zeros());
    let mut work = bits + 4 * size + 32;
    loop {
        let found = enclose_yield_with_bits(heads, tails, n, work);
        if found.is_within(bits) {
            return found;
        }
        work += 64;
    }
}

/// Returns an interval that contains the sum over the types, computed with numbers of this many
/// bits.
fn enclose_yield_with_bits(heads: &BigUint, tails: &BigUint, n: u64, bits: u64) -> Enclosure {
    let all = heads + tails;
    // The probabilities P(k heads) and P(n - k heads).
    let mut rare = [
        Scaled::ratio(tails, &all, bits).power(n, bits),
        Scaled::ratio(heads, &all, bits).power(n, bits),
    ];
    let mut words = Scaled::one();
    let (mut low, mut high) = (BigUint::zero(), BigUint::zero());
    for k in 0..=n / 2 {
        spend(20 * bits.max(64));
        let both = if 2 * k == n { &rare[..1] } else { &rare[..] };
        // For smaller probabilities, n times the probability of all these types together is less
        // than a unit of the last place.
        let floor = -i128::from(bits);
        let matter =
            (both.iter()).any(|chance| i128::from(chance.high.bits()) + chance.exponent > floor);
        let (least, most) = if matter {
            enclose_mean_bits(&words, bits)
        } else {
            (BigUint::zero(), BigUint::from(n) << bits)
        };
        for chance in both {
            low += shifted_down(&(&least * &chance.low), chance.exponent);
            high += shifted_up(&(&most * &chance.high), chance.exponent);
        }
        let next = [&((n - k) * heads), &((n - k) * tails)];
        let down = [&((k + 1) * tails), &((k + 1) * heads)];
        for (chance, (p, q)) in rare.iter_mut().zip(next.into_iter().zip(down)) {
            *chance = chance.times_ratio(p, q, bits);
        }
        words = words.times_ratio(&(n - k).into(), &(k + 1).into(), bits);
    }
    Enclosure {
        low: low.into(),
        high: high.into(),
        bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::Rational;

    /// Compares f(M) with its definition.
    #[test]
    fn digit_sums_agree_with_their_definition() {
        for m in [0u128, 1, 2, 3, 5, 70, 1 << 64, (1 << 100) + 77, u128::MAX] {
            let ones = (0..128u32).filter(|i| m >> i & 1 == 1);
            let sums = ones.fold([BigUint::zero(), BigUint::zero()], |[f, g], i| {
                let term = BigUint::from(i) << i;
                [f + &term, g + term * i]
            });
            assert_eq!(digit_sums(&m.into()), sums, "{m}");
        }
    }

    /// Compares with another program, which added exact binomials. It gives, in bits per flip,
    /// 0.36488340 (p = 1/3, n = 6), 0.87550967 (p = 1/3, n = 128) and 0.95666679 (p = 1/2, n =
    /// 128), and 565/128 bits in all for p = 1/2, n = 8.
    #[test]
    fn yields_of_coins_agree_with_another_program() {
        let bits = |heads: u64, tails: u64, n: u64| {
            let coin = Source::loaded([heads, tails]).unwrap();
            EliasExtractor.yielded(&coin, n).unwrap().bits
        };
        let each = |heads, tails, n: u64| {
            let each = bits(heads, tails, n) / Real::integer(n);
            each.decimals(8).unwrap()
        };
        assert_eq!(each(1, 2, 6), "0.36488340");
        assert_eq!(each(1, 2, 128), "0.87550967");
        assert_eq!(bits(1, 1, 8), Rational::new(565.into(), 128.into()));
        assert_eq!(each(1, 1, 128), "0.95666679");
    }

    /// The enclosure contains the exact sum, for sources on both sides of 1/2 and for exact powers
    /// of two among the C(n, k).
    #[test]
    fn the_enclosure_contains_the_exact_sum() {
        for (heads, tails) in [(1u64, 1u64), (1, 2), (9, 1), (1, 1000)] {
            let coin = Source::loaded([heads, tails]).unwrap();
            for n in [1u64, 2, 7, 8, 64, 257, 1024] {
                let exact = EliasExtractor
                    .yielded(&coin, n)
                    .unwrap()
                    .bits
                    .exact()
                    .unwrap()
                    .clone();
                for bits in [40, 100] {
                    let found = enclose_yield(&heads.into(), &tails.into(), n, bits);
                    assert!(
                        found.is_within(bits) && found.contains(&exact),
                        "{heads}:{tails} {n}"
                    );
                }
            }
        }
    }

    /// No block yields more than n H(p) bits. Elias's block loses at most log2(n + 1) + 2 of them:
    /// the entropy of the type, and 2 for each type.
    #[test]
    fn long_blocks_lose_few_bits() {
        let coin = Source::COIN;
        for n in [5000u64, 20_000] {
            let bits = EliasExtractor.yielded(&coin, n).unwrap().bits;
            let lost = (Real::integer(n) - bits).to_f64().unwrap();
            assert!(
                lost > 0.0 && lost < ((n + 1) as f64).log2() + 2.0,
                "{n}: {lost}"
            );
        }
    }

    /// n rolls of a fair die have as many types as n has partitions into at most m parts: 199 for
    /// n = 20 and m = 6 (OEIS A001402). If all weights differ there are C(n+m-1, n).
    #[test]
    fn types_of_dice_are_counted_up_to_a_length() {
        let longest =
            |source: &str| longest_counted_block(&face_classes(&source.parse().unwrap()).unwrap());
        let (fair, loaded) = (longest("6"), longest("1:2:3:4:5:6"));
        assert!(fair > 120 && loaded > 40 && fair > loaded);
        assert!(longest("3") > 600 && longest("word:64") > 20);
        let die = Source::die(6u8).unwrap();
        assert!(EliasExtractor.yielded(&die, 1000).is_err());
        let bits = EliasExtractor.yielded(&die, 12).unwrap().bits;
        assert!(
            bits.exact()
                .and_then(ToPrimitive::to_f64)
                .is_some_and(|bits| bits < 12.0 * 2.585)
        );
    }
}
