use super::*;
use flipcost::task::Source;
use flipcost_number::{BigInt, Polynomial, Real};
use std::collections::{BTreeMap, BTreeSet};

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

/// The powers of q, r, 1 - q and 1 - r in q + r times the probability of a word in the stationary law: words have the same for
/// every chain if and only if these are the same, since the factors are prime.
fn exponents(flips: &[bool]) -> [usize; 4] {
    let (tails, [[stay, away], [back, stay_tails]]) = type_of(flips);
    let first = usize::from(tails);
    [away + first, back + 1 - first, stay, stay_tails]
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
    let of = |heads: &Rational, tails: bool| {
        if tails {
            Rational::one() - heads
        } else {
            heads.clone()
        }
    };
    let follow = |pair: &[bool]| of(&coin.heads[usize::from(pair[0])], pair[1]);
    flips.windows(2).map(follow).product::<Rational>() * of(&coin.stationary(), flips[0])
}

/// Have all outputs of one length equally many words of each class?
fn shares_out<C: Ord>(way: FromMemory, n: u32, class: fn(&[bool]) -> C) -> bool {
    let mut words_of: BTreeMap<_, BTreeMap<Vec<bool>, u64>> = BTreeMap::new();
    for word in words(n) {
        let bits = way.extract(&word);
        let class = (class(&word), bits.len());
        *words_of.entry(class).or_default().entry(bits).or_default() += 1;
    }
    words_of.iter().all(|((_, length), outputs)| {
        let first = outputs.values().next();
        outputs.len() == 1 << length && outputs.values().all(|count| Some(count) == first)
    })
}

/// The theorem of the module's page: in each type all outputs of one length have equally many words. Of the exits as they
/// come they have not, and those of `stationary` have only in types that are merged. (In a class of words of one
/// probability `exits` do not either.)
#[test]
fn what_is_fair_for_every_chain() {
    for way in FromMemory::ALL {
        let shared = (1..=11).all(|n| shares_out(*way, n, type_of));
        assert_eq!(shared, way.is_fair_from_any_start(), "{}", way.id());
        let merged = (1..=11).all(|n| shares_out(*way, n, exponents));
        assert_eq!(merged, way.is_fair(), "{}", way.id());
    }
}

/// q^x r^y (1-q)^a (1-r)^d.
fn product([x, y, a, d]: [usize; 4]) -> Polynomial {
    let (q, r) = (Polynomial::variable(0), Polynomial::variable(1));
    let [stay, stay_tails] = [&q, &r].map(|change| &Polynomial::one() - change);
    let factors = [(q, x), (r, y), (stay, a), (stay_tails, d)];
    factors
        .iter()
        .fold(Polynomial::one(), |product, (factor, times)| {
            &product * &factor.power(*times as u32)
        })
}

/// How many of these are linearly independent: the rows of an echelon form.
fn rank(polynomials: impl Iterator<Item = Polynomial>) -> usize {
    let mut rows: Vec<Vec<(Vec<u32>, Rational)>> = Vec::new();
    for polynomial in polynomials {
        let mut left: BTreeMap<Vec<u32>, Rational> = polynomial
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
        if !left.is_empty() {
            rows.push(left.into_iter().collect());
        }
    }
    rows.len()
}

/// The types that begin with heads are 1 + N(N-1)/2, and as functions of the chances of a change they are linearly
/// independent.
#[test]
fn types_are_independent() {
    for n in 1..=7usize {
        let types: BTreeSet<_> = words(n as u32)
            .filter(|word| !word[0])
            .map(|word| type_of(&word))
            .collect();
        assert_eq!(types.len(), 1 + n * (n - 1) / 2);
        let products = types.iter().map(|(_, follows)| {
            let [[stay, away], [back, stay_tails]] = *follows;
            product([away, back, stay, stay_tails])
        });
        assert_eq!(rank(products), types.len(), "n = {n}");
    }
}

/// In the stationary law floor(N^2/4) pairs of types have one probability; what is left has rank 2 + N(N-1)/2.
#[test]
fn classes_of_the_stationary_law() {
    for n in 1..=8usize {
        let types: BTreeSet<_> = words(n as u32).map(|word| type_of(&word)).collect();
        let classes: BTreeSet<_> = words(n as u32).map(|word| exponents(&word)).collect();
        assert_eq!(types.len(), 2 + n * (n - 1));
        assert_eq!(classes.len(), types.len() - n * n / 4);
        let products = classes.iter().map(|class| product(*class));
        assert_eq!(rank(products), 2 + n * (n - 1) / 2, "n = {n}");
    }
}

/// Values that another program computed from all words.
#[test]
fn values_of_the_stationary_law() {
    let bits = |way: FromMemory, coin: &str, n| {
        let yielded = way.yielded(&coin.parse().unwrap(), n).unwrap();
        yielded.bits
    };
    let exact = |way, coin, n| bits(way, coin, n).exact().unwrap().to_string();
    let (stationary, types) = (FromMemory::Stationary, FromMemory::ZhouBruck);
    let coin = "markov:1/3,3/5";
    for (n, value) in [(1, "0"), (2, "12/19"), (3, "44/95")] {
        assert_eq!(exact(stationary, coin, n), value);
        assert_eq!(exact(types, coin, n), "0");
    }
    for (n, more, fewer) in [(8, "2.533", "2.034"), (16, "8.248", "7.749")] {
        assert_eq!(bits(stationary, coin, n).decimals(3).unwrap(), more);
        assert_eq!(bits(types, coin, n).decimals(3).unwrap(), fewer);
    }
    assert_eq!(exact(stationary, "markov:1/2,1/2", 8), "163/64");
    assert_eq!(exact(types, "markov:1/2,1/2", 8), "131/64");
}

/// It yields P(first /= last) = 2 (r/(q+r)) (q/(q+r)) (1 - (1-q-r)^(N-1)) bits more than whole types.
#[test]
fn one_bit_more_if_the_last_flip_differs() {
    for coin in coins() {
        let [q, r] = [Rational::one() - &coin.heads[0], coin.heads[1].clone()];
        let heads = coin.stationary();
        assert_eq!(heads, &r / (&q + &r));
        let both = &heads * (Rational::one() - &heads) * BigInt::from(2);
        let memory = Rational::one() - q - r;
        for n in 1..=12u64 {
            let bits =
                |way: FromMemory| way.yielded(&coin, n).unwrap().bits.exact().unwrap().clone();
            let more = bits(FromMemory::Stationary) - bits(FromMemory::ZhouBruck);
            assert_eq!(more, &both * (Rational::one() - memory.pow(n as i32 - 1)));
        }
    }
}

/// HT and TH are equally likely, but after two equal flips they come as 85 to 81.
#[test]
fn one_pair_is_fair_and_pairs_in_a_row_are_not() {
    let coin = "markov:1/3,3/5".parse().unwrap();
    let chance = |texts: &[&str]| -> Rational {
        let word = |text: &str| text.chars().map(|c| c == 'T').collect::<Vec<_>>();
        let chance = |text: &&str| probability(&coin, &word(text));
        texts.iter().map(chance).sum()
    };
    assert_eq!(chance(&["HT"]), Rational::new(6.into(), 19.into()));
    assert_eq!(chance(&["TH"]), chance(&["HT"]));
    let ratio = chance(&["HHHT", "TTHT"]) / chance(&["HHTH", "TTTH"]);
    assert_eq!(ratio, Rational::new(85.into(), 81.into()));
}

/// Of all rules for three flips that are fair for every chain in its stationary law none gives two bits, and of
/// those with one bit two are the best, one where q + r < 1, the other where q + r > 1: none is the best for every chain.
#[test]
fn no_rule_for_three_flips_is_the_best() {
    let all: Vec<Vec<bool>> = words(3).collect();
    // sets of words by their probability, as a polynomial
    let mut equal: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for set in 1..1usize << all.len() {
        let chosen = (0..all.len()).filter(|i| set >> i & 1 == 1);
        let sum = chosen.fold(Polynomial::zero(), |sum, i| {
            &sum + &product(exponents(&all[i]))
        });
        equal.entry(sum.to_string()).or_default().push(set);
    }
    let disjoint = |sets: &[usize]| -> Vec<[usize; 2]> {
        let pairs = sets.iter().flat_map(|&a| sets.iter().map(move |&b| [a, b]));
        pairs.filter(|[a, b]| a < b && a & b == 0).collect()
    };
    let mut rules = Vec::new();
    for sets in equal.values() {
        let pairs = disjoint(sets);
        let unions: Vec<usize> = pairs.iter().map(|[a, b]| a | b).collect();
        assert_eq!(
            disjoint(&unions),
            Vec::<[usize; 2]>::new(),
            "two bits need four sets"
        );
        rules.extend(unions);
    }
    let word = |text: &str| {
        1 << text
            .bytes()
            .rev()
            .fold(0, |word, c| 2 * word + usize::from(c == b'T'))
    };
    let set = |texts: &[&str]| texts.iter().map(|text| word(text)).sum::<usize>();
    let merged = set(&["HHT", "THH", "HTT", "TTH"]);
    // P(HHT) + P(THT) = P(HTT) + P(HTH), and as well with THH for HHT, TTH for HTT
    let sums: Vec<usize> = ["HHT", "THH"]
        .iter()
        .flat_map(|one| ["HTT", "TTH"].map(|other| set(&[one, "THT", other, "HTH"])))
        .collect();
    for (coin, is_merged) in [("markov:1/3,3/5", false), ("markov:9/10,1/7", true)] {
        let coin: MemoryCoin = coin.parse().unwrap();
        let chance = |set: &usize| -> Rational {
            let chosen = (0..all.len()).filter(|i| set >> i & 1 == 1);
            chosen.map(|i| probability(&coin, &all[i])).sum()
        };
        let most = rules.iter().map(chance).max().unwrap();
        let [q, r] = [Rational::one() - &coin.heads[0], coin.heads[1].clone()];
        let two = Rational::from_integer(2.into());
        let factor = (&two - &q - &r).max(Rational::one());
        assert_eq!(most, &two * &q * &r / (q + r) * factor);
        let best: BTreeSet<usize> = rules
            .iter()
            .copied()
            .filter(|rule| chance(rule) == most)
            .collect();
        let expected = if is_merged {
            vec![merged]
        } else {
            sums.clone()
        };
        assert_eq!(best, expected.into_iter().collect());
        let stationary = FromMemory::Stationary.yielded(&coin, 3).unwrap().bits;
        assert_eq!(stationary, chance(&merged));
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

/// Zhou & Bruck's is the best of those that are fair from any start, `stationary` and Elias's blocks of a coin whose flips
/// are known to be independent are better, and the entropy bounds all.
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
            assert!(
                (1..bits.len()).all(|i| exact(i - 1) <= exact(i)),
                "{coin} {n}"
            );
            let first = coin.stationary();
            let (p, all) = (first.numer().magnitude(), first.denom().magnitude());
            let once = Source::loaded([p.clone(), all - p]).unwrap();
            let most = coin
                .entropy()
                .times(&Real::integer(n - 1))
                .plus(&once.entropy());
            assert!(bits[3].compare(&most).unwrap().is_lt());
            if coin.heads[0] == coin.heads[1] {
                let elias = EliasExtractor.yielded(&once, n).unwrap().bits;
                assert!(exact(2) <= *elias.exact().unwrap());
            }
        }
    }
}
