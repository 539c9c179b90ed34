//! The cost of a shuffle or a sample by a library function, as sums over the dice that the function
//! rolls.
//!
//! A die of n sides always draws c words, and e more words on average. There are three cases.
//! Attempts of c words are accepted with probability a / W; or one more word is drawn with
//! probability x; or further words are drawn, and after them y / W, y / W^2, ... of the results are
//! still undecided:
//!
//! ```text
//! attempts   e = c (W - a) / a      variance e (e + c)
//! second     e = x                  variance e (1 - e)
//! further    e = y / (W - 1)        variance e (1 - e) + 2 e / (W - 1)
//! ```
//!
//! As functions of n, the formulas of a, x and y change only at powers of two ([`WordRetries`]). So
//! the dice between two powers share one rule, and ten million dice cost ten million divisions.
//! Sums are in units of 2^-100, and each term is rounded down. If more decimals are requested, the
//! units are smaller.

use super::call::WordRetries;
use super::library::DieDraws;
use super::shuffles::{EXACT_DRAWS, LibraryShuffle, ShuffleDice};
use flipcost::law::Bias;
use flipcost::task::Refusal;
use flipcost_number::budget::spend;
use flipcost_number::total::{ratio_units, total};
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real};
use num_traits::Zero;
use std::cmp::Ordering;

/// The largest number of cards of a shuffle.
pub const MAX_SHUFFLED: u64 = 10_000_000;

/// The cost of a shuffle of K cards by a library.
#[non_exhaustive]
pub struct ShuffleCost {
    /// The number of words if no word is drawn again.
    pub least: u64,
    /// The expected number of words: exact if the fraction is short, otherwise enclosed.
    pub words: Real,
    /// The standard deviation of the number of words.
    pub deviation: Real,
    /// The largest possible number of words; `None` if there is no limit.
    pub most: Option<u64>,
    /// The bits of a word.
    pub word_bits: Option<u32>,
    /// An upper bound, at most 1, of the total variation distance of the orders from uniform. It is
    /// the sum of the distances of the dice, in which each die after the first 1024 counts as n /
    /// W. The bound is 0 if all dice are uniform.
    pub bias_at_most: Real,
}

/// The largest number of dice for which the sum of words may be an exact fraction.
const MAX_EXACT: usize = 4096;
/// The unit of sums in machine words is 2^-100.
const BITS: u64 = 100;

/// The words of a die: the number of words that are always drawn, and the expected number of
/// further words, as a fraction, if it is not 0.
struct DieWords {
    least: u32,
    excess: Option<(u128, u128)>,
    retries: WordRetries,
}

impl DieWords {
    /// Returns an upper bound of the errors of e and of its variance, in units. Since e <= c, an
    /// error of one unit in e changes the variance by at most 3 c units, and a product has an error
    /// of at most 3 units.
    fn error_bound(&self) -> u64 {
        3 * u64::from(self.least) + 4
    }
}

/// The dice that one library function rolls one after another.
#[derive(Clone, Copy)]
pub(super) struct DiceInTurn {
    pub dice: ShuffleDice,
    /// The number of cards, or the largest die.
    pub cards: u64,
    pub draws: DieDraws,
}

/// Finds the words of the dice one after another.
struct DieRules {
    /// For each power of two, the rule of all dice with more sides than this power, up to the next
    /// power.
    rules: [Option<(u32, WordRetries)>; 128],
}

impl Default for DieRules {
    fn default() -> DieRules {
        DieRules { rules: [None; 128] }
    }
}

fn rule_of_die(draws: DieDraws, n: u128) -> Result<(u32, WordRetries), Refusal> {
    let draws = draws(&BigUint::from(n))?;
    let word = draws.source.in_a_word().expect("a machine word");
    Ok(draws
        .call
        .retries(word)
        .expect("a shuffle draws by simple calls"))
}

impl DieRules {
    fn die(&mut self, draws: DieDraws, n: u128) -> Result<DieWords, Refusal> {
        spend(50);
        let (least, retries) = match self.rules[n.ilog2() as usize] {
            Some(rule) if !n.is_power_of_two() => rule,
            _ => {
                let rule = rule_of_die(draws, n)?;
                if !n.is_power_of_two() {
                    self.rules[n.ilog2() as usize] = Some(rule);
                }
                rule
            }
        };
        // n - gcd(n, W)
        let undecided = |word: u128| n - (1 << n.trailing_zeros().min(word.trailing_zeros()));
        let (more, share) = match retries {
            WordRetries::Always(_) => (0, 1),
            WordRetries::Below(values) => (u128::from(least) * (values - n), n),
            WordRetries::Multiple(values) => {
                let rejected = values % n;
                (u128::from(least) * rejected, values - rejected)
            }
            WordRetries::Second(word) => (undecided(word), word),
            WordRetries::Further(word) => (undecided(word), word - 1),
        };
        Ok(DieWords {
            least,
            excess: (more > 0).then_some((more, share)),
            retries,
        })
    }
}

/// Returns a b in units of 2^-100. The result is at most 3 units too small if a and b are below
/// 2^104.
fn product(a: u128, b: u128) -> u128 {
    const HALF: u128 = (1 << 50) - 1;
    let ((high_a, low_a), (high_b, low_b)) = ((a >> 50, a & HALF), (b >> 50, b & HALF));
    high_a * high_b + ((high_a * low_b + low_a * high_b) >> 50)
}

/// The sums of e and of the variances in units of 2^-bits. Each has an error of at most
/// `error_bound` units.
#[derive(Default)]
struct Sums<N> {
    excess: N,
    variance: N,
    error_bound: u64,
    bits: u64,
}

impl Sums<u128> {
    fn add(&mut self, die: &DieWords) {
        let Some((p, q)) = die.excess else {
            return;
        };
        let e = ratio_units(p, q);
        self.excess += e;
        self.variance += match die.retries {
            WordRetries::Second(_) => e - product(e, e).min(e),
            WordRetries::Further(word) => e - product(e, e).min(e) + 2 * e / (word - 1),
            _ => product(e, e + (u128::from(die.least) << BITS)),
        };
        self.error_bound += die.error_bound();
    }

    fn done(&self) -> Sums<BigInt> {
        Sums {
            excess: self.excess.into(),
            variance: self.variance.into(),
            error_bound: self.error_bound,
            bits: BITS,
        }
    }
}

impl Sums<BigInt> {
    /// Returns the sums in smaller units.
    fn of_integers(dice: DiceInTurn, bits: u64) -> Result<Sums<BigInt>, Refusal> {
        let mut die_rules = DieRules::default();
        let (mut excess, mut variance, mut error_bound) = (BigInt::zero(), BigInt::zero(), 0);
        for n in dice.sides() {
            let die = die_rules.die(dice.draws, n)?;
            let Some((p, q)) = die.excess else {
                continue;
            };
            let e = (BigInt::from(p) << bits) / q;
            let square = (&e * &e) >> bits;
            variance += match die.retries {
                WordRetries::Second(_) => &e - square,
                WordRetries::Further(word) => &e - square + &e * 2 / (word - 1),
                _ => square + &e * die.least,
            };
            excess += e;
            error_bound += die.error_bound();
        }
        Ok(Sums {
            excess,
            variance,
            error_bound,
            bits,
        })
    }

    fn enclose(&self, sum: &BigInt) -> Enclosure {
        Enclosure {
            low: (sum - self.error_bound).max(BigInt::zero()),
            high: sum + self.error_bound,
            bits: self.bits,
        }
    }
}

/// Returns an interval of width 2^-bits that contains the value. The sums are computed with as many
/// bits as this width requires.
fn from_sums(
    dice: DiceInTurn,
    words: Sums<BigInt>,
    ask: impl Fn(&Sums<BigInt>) -> Enclosure + Send + Sync + 'static,
) -> Real {
    Real::cached(move |bits| {
        let near = ask(&words);
        let mut more = BITS;
        if near.is_within(bits) {
            return near.coarsen(bits + 4);
        }
        loop {
            more = (2 * more).max(bits + 40);
            let sums = Sums::of_integers(dice, more).expect("the same sums were computed before");
            let near = ask(&sums);
            if near.is_within(bits) {
                return near.coarsen(bits + 4);
            }
        }
    })
}

/// An upper bound of the distance of the orders from uniform. It adds the distances of the first
/// dice, and n / W for each of the other dice.
#[derive(Default)]
struct Distance {
    exact: Vec<Real>,
    others: u128,
    values: u128,
}

impl Distance {
    fn add(&mut self, draws: DieDraws, n: u128, retries: WordRetries) -> Result<(), Refusal> {
        let values = match retries {
            WordRetries::Always(values) => values,
            // W^2 does not fit in 128 bits for W = 2^64; 2^127 gives a larger bound, which is also
            // valid
            WordRetries::Second(word) => word.saturating_mul(word).min(1 << 127),
            _ => return Ok(()),
        };
        if n.is_power_of_two() {
            return Ok(());
        }
        if (self.exact.len() as u64) < EXACT_DRAWS {
            let sides = BigUint::from(n);
            let law = draws(&sides)?.call.outcomes();
            let distance = law.map(|law| Bias::new(&law, sides.clone()).total_variation());
            self.exact.extend(distance.map(Real::Exact));
        } else {
            self.others += n;
            self.values = values;
        }
        Ok(())
    }

    fn at_most_one(&self) -> Real {
        let mut sum = total(&self.exact);
        if self.values > 0 {
            sum = sum.plus(&Real::Exact(Rational::new(
                self.others.into(),
                self.values.into(),
            )));
        }
        match sum.compare(1) {
            Ok(Ordering::Greater) => Real::integer(1),
            _ => sum,
        }
    }
}

impl LibraryShuffle {
    pub(super) fn in_turn(&self, cards: u64) -> DiceInTurn {
        DiceInTurn {
            dice: self.dice,
            cards,
            draws: self.draws,
        }
    }

    /// Returns the cost of a shuffle of K cards. Cost: O(K) divisions of words, and a law for some
    /// dice.
    ///
    /// # Errors
    /// If K is beyond the type of the function.
    pub fn cost(&self, cards: u64) -> Result<ShuffleCost, Refusal> {
        self.in_turn(cards).cost()
    }

    /// Returns the expected words of several decks, the smallest deck first. Cost: at most three
    /// times that of the largest deck.
    ///
    /// # Errors
    /// If one of the decks is beyond the type of the function.
    pub fn words(&self, decks: &[u64]) -> Result<Vec<Real>, Refusal> {
        let mut orders: [RolledDice; ShuffleDice::DICE_LISTS] = Default::default();
        let words = |&cards: &u64| {
            let all = self.in_turn(cards);
            let rolled = &mut orders[self.dice.order(cards)];
            rolled.roll(all)?;
            Ok(rolled.words(all))
        };
        decks.iter().map(words).collect()
    }
}

impl DiceInTurn {
    fn sides(self) -> Box<dyn Iterator<Item = u128>> {
        self.dice.sides(self.cards)
    }

    /// Returns the cost of all dice.
    pub fn cost(self) -> Result<ShuffleCost, Refusal> {
        let mut rolled = RolledDice::default();
        rolled.roll(self)?;
        let first = self.sides().next();
        let draws = (self.draws)(&BigUint::from(first.unwrap_or(2)))?;
        Ok(ShuffleCost {
            least: rolled.least,
            words: rolled.words(self),
            deviation: rolled.deviation(self),
            most: rolled.most,
            word_bits: draws.bits,
            bias_at_most: rolled.distance.at_most_one(),
        })
    }
}

/// The sums over the dice that were rolled so far.
struct RolledDice {
    die_rules: DieRules,
    dice: usize,
    least: u64,
    most: Option<u64>,
    /// The expected number of further words for each of the first dice.
    terms: Vec<Real>,
    /// The sum of the expected numbers of further words, if all of them have this common
    /// denominator.
    same_denominator_sum: Option<(BigInt, u128)>,
    distance: Distance,
    sums: Sums<u128>,
}

impl Default for RolledDice {
    fn default() -> RolledDice {
        RolledDice {
            die_rules: DieRules::default(),
            dice: 0,
            least: 0,
            most: Some(0),
            terms: Vec::new(),
            same_denominator_sum: Some((BigInt::zero(), 1)),
            distance: Distance::default(),
            sums: Sums::default(),
        }
    }
}

impl RolledDice {
    /// Adds the dice of a deck that were not rolled yet. The dice rolled so far must be the first
    /// dice of the deck.
    fn roll(&mut self, all: DiceInTurn) -> Result<(), Refusal> {
        for n in all.sides().skip(self.dice) {
            let die = self.die_rules.die(all.draws, n)?;
            self.dice += 1;
            self.sums.add(&die);
            self.least += u64::from(die.least);
            let may_draw_more = u64::from(die.excess.is_some());
            self.most = match die.retries {
                WordRetries::Second(_) | WordRetries::Always(_) => self
                    .most
                    .map(|most| most + u64::from(die.least) + may_draw_more),
                _ if may_draw_more == 0 => self.most.map(|most| most + u64::from(die.least)),
                _ => None,
            };
            if let Some((p, q)) = die.excess {
                self.same_denominator_sum = match (self.same_denominator_sum.take(), die.retries) {
                    (Some((sum, _)), WordRetries::Second(_)) => Some((sum + p, q)),
                    _ => None,
                };
                if self.dice <= MAX_EXACT {
                    self.terms
                        .push(Real::Exact(Rational::new(p.into(), q.into())));
                }
            }
            self.distance.add(all.draws, n, die.retries)?;
        }
        Ok(())
    }

    fn words(&self, all: DiceInTurn) -> Real {
        let beyond = match &self.same_denominator_sum {
            Some((sum, share)) => Real::Exact(Rational::new(sum.clone(), (*share).into())),
            None if self.dice <= MAX_EXACT => total(&self.terms),
            None => from_sums(all, self.sums.done(), |sums| sums.enclose(&sums.excess)),
        };
        Real::integer(self.least).plus(&beyond)
    }

    fn deviation(&self, all: DiceInTurn) -> Real {
        let sums = self.sums.done();
        if sums.variance.is_zero() {
            return Real::integer(0);
        }
        from_sums(all, sums, |sums| {
            sums.enclose(&sums.variance).sqrt().expect("from 0")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RuleEvidence, SHUFFLES};
    use flipcost::law::Draws;
    use flipcost_number::threads;

    fn shuffle(id: &str) -> &'static LibraryShuffle {
        SHUFFLES.iter().find(|line| line.id == id).unwrap()
    }

    /// Compares the sums with the laws of the calls, die by die, for all decks up to 70 cards and
    /// for a deck that passes many powers of two.
    #[test]
    fn every_shuffle_is_the_sum_of_its_dice() {
        for line in SHUFFLES {
            for cards in (1..=70).chain([520]) {
                let cost = line.cost(cards).unwrap();
                let (mut words, mut variance, mut bias) =
                    (Rational::zero(), Rational::zero(), Rational::zero());
                let mut most = Some(0u128);
                for n in line.dice.sides(cards) {
                    let n = BigUint::from(n);
                    let call = (line.draws)(&n).unwrap().call;
                    let law = call.law();
                    words += law.mean().unwrap();
                    variance += law.variance().unwrap();
                    most = most.zip(law.max()).map(|(a, b)| a + u128::from(b));
                    bias += call.outcomes().map_or(Rational::zero(), |law| {
                        Bias::new(&law, n.clone()).total_variation()
                    });
                }
                let at = (line.id, cards);
                assert!(cost.words.enclose(150).contains(&words), "{at:?}");
                assert!(
                    Real::from(variance)
                        .sqrt()
                        .minus(&cost.deviation)
                        .enclose(90)
                        .contains(&Rational::zero()),
                    "{at:?}"
                );
                assert!(
                    cost.bias_at_most
                        .enclose(90)
                        .contains(&bias.min(Rational::from_integer(1.into()))),
                    "{at:?}"
                );
                assert_eq!(cost.most.map(u128::from), most, "{at:?}");
                let (mut sums, mut die_rules) = (Sums::default(), DieRules::default());
                for n in line.in_turn(cards).sides() {
                    sums.add(&die_rules.die(line.draws, n).unwrap());
                }
                let sums = sums.done();
                let finer = Sums::of_integers(line.in_turn(cards), 200).unwrap();
                for (rough, fine) in [
                    (&sums.excess, &finer.excess),
                    (&sums.variance, &finer.variance),
                ] {
                    let (rough, fine) = (sums.enclose(rough), finer.enclose(fine));
                    assert!(
                        rough.low() <= fine.low() && fine.high() <= rough.high(),
                        "{at:?}"
                    );
                }
            }
        }
    }

    /// Tests decks that extend one another, decks of even and odd size, and words that give less
    /// than two cards each.
    #[test]
    fn words_of_several_decks_are_those_of_each_deck() {
        let decks: Vec<u64> = (1..40).chain([65_535, 65_537]).collect();
        for line in SHUFFLES {
            let words = line.words(&decks).unwrap();
            for (&cards, words) in decks.iter().zip(words) {
                let alone = line.cost(cards).unwrap().words;
                assert_eq!(words.exact(), alone.exact(), "{} {cards}", line.id);
                assert_eq!(words.enclose(70), alone.enclose(70), "{} {cards}", line.id);
            }
        }
    }

    /// CPython's 76.395112 words for 52 cards and NumPy's 71.395112 are sums of 2^K / n (see `the
    /// shuffles of libraries`; they were counted in `benches/languages`). The 9.7121821828 words of
    /// rand are a sum of 1 + (n - gcd(n, 2^32)) / 2^32 over eight products.
    #[test]
    fn words_for_52_cards_are_the_published_ones() {
        for (id, words) in [
            ("cpython-shuffle", "76.395112"),
            ("numpy-generator-shuffle", "71.395112"),
            ("java-collections-shuffle", "51.000000"),
            ("rust-rand-0.9-shuffle", "9.712182"),
            ("rust-rand-0.8-shuffle", "76.395112"),
            ("libstdcxx-shuffle-mt19937", "26.000002"),
        ] {
            assert_eq!(
                shuffle(id).cost(52).unwrap().words.decimals(6).unwrap(),
                words,
                "{id}"
            );
        }
    }

    /// Compares with the numbers of words that real shuffles drew (`benches/languages/shuffles`).
    /// By the exact law of the sum, both this number of words or more, and this number or fewer,
    /// have a probability of at least 2^-21. Every function that is marked as `run` was counted.
    #[test]
    fn real_shuffles_draw_likely_numbers_of_words() {
        let counted = include_str!("../../../benches/languages/shuffles/shuffles.csv");
        let rows: Vec<Vec<&str>> = counted
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect())
            .collect();
        let run = SHUFFLES
            .iter()
            .filter(|line| line.checked == RuleEvidence::Run);
        for line in run.clone() {
            assert!(
                rows.iter().any(|row| row[0] == line.id),
                "{} was not counted",
                line.id
            );
        }
        let unlikely = Rational::new(1.into(), (1 << 21).into());
        // The law of a shuffle of 1000 cards takes seconds, so only the first is computed.
        let (long, mut rows): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row[2] == "1000");
        rows.extend(long.first());
        threads::map_of(&rows, &|row| {
            let line = run
                .clone()
                .find(|line| line.id == row[0])
                .expect("a line that was run");
            let [cards, shuffles, words] =
                [2, 3, 4].map(|i| row[i].parse::<u64>().expect("a number"));
            assert!(words >= 100_000 && rows.len() > 100);
            let dice = line.in_turn(cards).sides().map(|n| {
                let law = (line.draws)(&BigUint::from(n)).unwrap().call.law();
                Draws::from(law).repeat(shuffles)
            });
            let law = Draws::all(dice);
            // the probability of a number of words at least as far from the mean
            let side = if law.mean_real().compare(words).unwrap().is_gt() {
                law.cdf(words)
            } else {
                law.sf(words - 1)
            };
            let side = side.unwrap().compare(Real::Exact(unlikely.clone()));
            assert!(side.unwrap().is_gt(), "{row:?}");
        });
    }
}
