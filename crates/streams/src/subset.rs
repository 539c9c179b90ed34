//! The cost of choosing K of N items, and how far the law of the chosen set is from uniform.
//!
//! All but one of these ways give every set of K items the same probability. Some draw indices
//! below N, N - 1, ..., N - K + 1 (a partial shuffle; Floyd's method, in reverse order). Some draw
//! indices below N until K of them are different, or start again if two of K are equal. Others go
//! through all items: selection sampling takes item t + 1 with probability (K - m) / (N - t) if m
//! items were taken before, and a reservoir of K items lets the current item replace one of them.
//!
//! ```text
//! draw another index    sum_{i<K} N / (N - i) indices
//! start again           K / p indices with p = p_K and p_j = N (N - 1) ... (N - j + 1) / N^j;
//!                       sum_{j<K} p_j / p if each attempt ends at the first repeated index
//! selection             K (N + 1) / (K + 1) items until the last one is taken;
//!                       item t + 1 is reached with probability 1 - C(t, K) / C(N, K)
//! reservoir L           2 + 3 K (H_N - H_K) numbers: three for each item that replaces another
//!                       (one for the item, one for the gap to the next, one for the place)
//! ```
//!
//! **Source.** Floyd in Bentley 1987, Programming pearls: a sample of brilliance; Fan, Muller &
//! Rezucha 1962; Vitter 1985, Random sampling with a reservoir; Li 1994, Reservoir-sampling
//! algorithms of time complexity O(n (1 + log(N/n))).

use super::batch::{fast_roller_cost, fast_roller_enclosure};
use super::fisher_yates::{index_cost, indices};
use super::next_free::{binomial, next_free};
use super::orders::drawn_orders;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::law::Draws;
use flipcost::task::{Refusal, Source};
use flipcost_libraries::{MAX_SHUFFLED, expected_draws_until_different};
use flipcost_number::budget::spend;
use flipcost_number::scaled::Scaled;
use flipcost_number::total::ratio_total;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real};
use num_traits::{One, Zero};

/// The maximum number of items that are chosen.
pub const MAX_CHOSEN: u64 = MAX_SHUFFLED;
/// The maximum number of items that a method visits one by one.
const MAX_VISITED_ITEMS: u64 = MAX_SHUFFLED;
/// Products of up to this many factors are computed exactly.
const MAX_EXACT_FACTORS: u64 = 2000;

/// A way to choose K of N items.
#[non_exhaustive]
pub struct SubsetMethod {
    /// The method's id.
    pub id: &'static str,
    /// A description of the way.
    pub name: &'static str,
    /// The expected number of indices, or of other numbers, that are drawn.
    pub draws: Real,
    /// The expected rolls if the fast dice roller draws each index, or the reason why they are
    /// unknown.
    pub rolls: Result<Real, Refusal>,
    /// The total variation distance of the sets from uniform, and the largest probability of a set
    /// relative to a uniform one, if they are known.
    pub bias: (Option<Real>, Option<Real>),
    /// The law of the number of draws.
    pub(crate) law: DrawLaw,
}

/// The law of the number of draws.
pub(crate) enum DrawLaw {
    /// There are always this many draws.
    Fixed(u64),
    /// The number of draws is a sum of independent attempts, each with this many draws.
    Attempts(Vec<Rational>, u64),
    /// The number of draws is the position of the last of the K items that are taken among N.
    LastOf(u64, u64),
    /// The law is unknown.
    Unknown,
}

impl DrawLaw {
    /// The least number of draws that suffices except with probability P; `None` if it is unknown.
    pub(crate) fn sufficient(&self, failure: &Rational) -> Option<u64> {
        match self {
            DrawLaw::Fixed(draws) => Some(*draws),
            DrawLaw::Attempts(accept, each) => {
                let (sure, again): (Vec<_>, Vec<_>) = accept.iter().partition(|p| p.is_one());
                let sure = sure.len() as u64 * each;
                if again.is_empty() {
                    return Some(sure);
                }
                let again =
                    Draws::all(again.into_iter().map(|p| Draws::attempts(p.clone(), *each)));
                Some(sure + again.quantile_above(failure).ok()??)
            }
            DrawLaw::LastOf(k, n) => {
                // the least d with C(d, K) >= (1 - P) C(N, K)
                let ways = |d: u64| {
                    (0..*k)
                        .map(|i| BigUint::from(d.saturating_sub(i)))
                        .product::<BigUint>()
                };
                let wanted = (Rational::one() - failure) * BigInt::from(ways(*n));
                let (mut low, mut high) = (*k, *n);
                while low < high {
                    spend(k * k);
                    let middle = low + (high - low) / 2;
                    if Rational::from_integer(ways(middle).into()) >= wanted {
                        high = middle;
                    } else {
                        low = middle + 1;
                    }
                }
                Some(low)
            }
            DrawLaw::Unknown => None,
        }
    }
}

/// The probability that the first j of K indices below N are all different, for j = 0, ..., K.
fn all_different(n: u64, k: u64) -> impl Iterator<Item = Rational> {
    let factors = (0..k).map(move |i| Rational::new((n - i).into(), n.into()));
    let one = std::iter::once(Rational::one());
    one.chain(factors.scan(Rational::one(), |p, factor| {
        *p *= factor;
        Some(p.clone())
    }))
}

/// Encloses 1 / p and sum p_j / p, with this many bits.
fn enclose_restarts(n: u64, k: u64, bits: u64) -> [Enclosure; 2] {
    let work = bits + 64;
    let mut sum = Scaled::exact(BigUint::zero(), 0);
    // sum_{j<K} p_j / p = sum_j prod_{i>=j} N / (N - i), from the last
    let mut product = Scaled::one();
    for i in (0..k).rev() {
        spend(400);
        product = product.times_ratio(&n.into(), &(n - i).into(), work);
        sum = sum.plus(&product, work);
    }
    [product.fixed(bits + 8), sum.fixed(bits + 8)]
}

/// Creates a real number from a function that encloses it. The function is called with more and
/// more bits until the enclosure is narrow enough.
fn real_from_enclosures(enclose: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Real {
    Real::cached(move |bits| {
        let mut work = bits;
        loop {
            let near = enclose(work);
            if near.is_within(bits) {
                return near.coarsen(bits + 4);
            }
            work += 64 + work / 2;
        }
    })
}

/// The expected rolls of selection sampling: the sum over t of (1 - C(t, K) / C(N, K)) E(N - t).
fn selection_rolls(source: u128, n: u64, k: u64, bits: u64) -> Enclosure {
    let work = bits + 64;
    let one = BigInt::one() << work;
    // C(t, K) / C(N, K), from t = N down
    let (mut low, mut high) = (one.clone(), one.clone());
    let mut sum = Enclosure {
        low: BigInt::zero(),
        high: BigInt::zero(),
        bits: work,
    };
    for t in (0..n).rev() {
        spend(1000);
        // C(t, K) = C(t + 1, K) (t + 1 - K) / (t + 1)
        let left = (t + 1).saturating_sub(k);
        low = low * left / (t + 1);
        high = high * left / (t + 1) + 1;
        let looked = Enclosure {
            low: &one - high.clone().min(one.clone()),
            high: &one - &low,
            bits: work,
        };
        let cost = fast_roller_enclosure(source, &(n - t).into());
        let cost = cost.enclose(work).coarsen(work);
        sum = sum.plus(&looked.times(&cost).coarsen(work));
    }
    sum
}

/// Returns the ways to choose K of N items, 1 <= K <= N, from a source of m sides. Cost: a law for
/// each of up to K numbers of sides, and up to 10^7 items for each way that goes through the items.
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
///
/// # Panics
/// If K is not between 1 and N.
///
/// ```
/// use flipcost::task::Source;
/// let ways = flipcost_streams::subset(&Source::COIN, 52, 5)?;
/// let again = ways.iter().find(|way| way.id == "reject-duplicates").unwrap();
/// // 1 + 52/51 + 52/50 + 52/49 + 52/48
/// assert_eq!(again.draws.decimals(4)?, "5.2042");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn subset(source: &Source, n: u64, k: u64) -> Result<Vec<SubsetMethod>, Refusal> {
    assert!((1..=n).contains(&k), "{k} of {n}");
    let choice = SubsetChoice {
        source,
        sides: super::dice::sides(source)?,
        n,
        k,
        index: index_cost(FAST_DICE_ROLLER, source, n),
    };
    let mut ways = Vec::from(choice.partial_shuffles());
    ways.push(choice.rejection());
    ways.push(choice.selection());
    ways.push(choice.reservoir_by_indices());
    ways.extend(choice.reservoir_by_gaps());
    ways.extend(choice.restarts().into_iter().flatten());
    ways.push(choice.next_free());
    ways.extend(choice.one_roll());
    ways.push(choice.entropy_bound());
    Ok(ways)
}

impl SubsetMethod {
    /// A way that gives every set the same probability.
    fn uniform(
        id: &'static str,
        name: &'static str,
        draws: Real,
        rolls: Result<Real, Refusal>,
        law: DrawLaw,
    ) -> SubsetMethod {
        SubsetMethod {
            id,
            name,
            draws,
            rolls,
            bias: (Some(Real::integer(0)), Some(Real::integer(1))),
            law,
        }
    }
}

/// The task of choosing K of N items from a source.
struct SubsetChoice<'a> {
    source: &'a Source,
    sides: u128,
    n: u64,
    k: u64,
    /// The expected rolls of an index below N.
    index: Result<Real, Refusal>,
}

impl SubsetChoice<'_> {
    /// Returns the expected rolls for an expected number `draws` of indices below N.
    fn rolls_of_indices(&self, draws: &Real) -> Result<Real, Refusal> {
        Ok(draws.times(&self.index.clone()?))
    }

    /// Returns the expected rolls for the first `indices_drawn` of the indices below N, N - 1, ...
    fn rolls_of_shuffle(&self, indices_drawn: u64) -> Result<Real, Refusal> {
        indices(FAST_DICE_ROLLER, self.source, self.n, indices_drawn)
    }

    /// Refuses a method that visits all items if there are too many.
    fn check_visited_items(&self) -> Result<(), Refusal> {
        if self.n > MAX_VISITED_ITEMS {
            return Err(Refusal::Rule(format!(
                "it passes over all items, up to {MAX_VISITED_ITEMS} of them"
            )));
        }
        Ok(())
    }

    fn partial_shuffles(&self) -> [SubsetMethod; 2] {
        let rolls = self.rolls_of_shuffle(self.k);
        let way = |id, name| {
            let (draws, law) = (Real::integer(self.k), DrawLaw::Fixed(self.k));
            SubsetMethod::uniform(id, name, draws, rolls.clone(), law)
        };
        [
            way(
                "fisher-yates",
                "A shuffle that ends after K cards: indices below N, N - 1, ...",
            ),
            way(
                "floyd",
                "Floyd: indices below N - K + 1, ..., N; for a taken item, the last of its range",
            ),
        ]
    }

    fn rejection(&self) -> SubsetMethod {
        let (n, k) = (self.n, self.k);
        let draws = expected_draws_until_different(n, k);
        let rolls = self.rolls_of_indices(&draws);
        let law = if k <= MAX_EXACT_FACTORS {
            let accept = (0..k).map(|i| Rational::new((n - i).into(), n.into()));
            DrawLaw::Attempts(accept.collect(), 1)
        } else {
            DrawLaw::Unknown
        };
        let name = "An index below N, drawn again if it is taken";
        SubsetMethod::uniform("reject-duplicates", name, draws, rolls, law)
    }

    fn selection(&self) -> SubsetMethod {
        let (sides, n, k) = (self.sides, self.n, self.k);
        let draws = Rational::new(BigInt::from(k) * (BigInt::from(n) + 1), BigInt::from(k) + 1);
        let law = if k <= MAX_EXACT_FACTORS {
            DrawLaw::LastOf(k, n)
        } else {
            DrawLaw::Unknown
        };
        let rolls = self.check_visited_items().and_then(|()| {
            if k == n {
                self.rolls_of_shuffle(n)
            } else {
                Ok(real_from_enclosures(move |bits| {
                    selection_rolls(sides, n, k, bits)
                }))
            }
        });
        let name = "Selection: item t + 1 with probability (K - m)/(N - t), until K are taken";
        SubsetMethod::uniform("selection", name, Real::Exact(draws), rolls, law)
    }

    fn reservoir_by_indices(&self) -> SubsetMethod {
        let draws = self.n - self.k;
        let rolls = self.check_visited_items().and_then(|()| match draws {
            0 => Ok(Real::integer(0)),
            _ => self.rolls_of_shuffle(draws),
        });
        let name = "Reservoir R: an index below i for each item i beyond K";
        let law = DrawLaw::Fixed(draws);
        SubsetMethod::uniform("reservoir-r", name, Real::integer(draws), rolls, law)
    }

    /// `None` if there are too many items.
    fn reservoir_by_gaps(&self) -> Option<SubsetMethod> {
        self.check_visited_items().ok()?;
        let (n, k) = (self.n, self.k);
        let replaced = ratio_total(move || (k + 1..=n).map(move |i| (k.into(), i.into())));
        let (two, three) = (Real::integer(2), Real::integer(3));
        let uniforms = two.plus(&replaced.times(&two));
        let double = fast_roller_cost(self.sides, &(BigUint::one() << 53u8));
        let places = index_cost(FAST_DICE_ROLLER, self.source, k);
        let rolls = places.map(|place| uniforms.times(&double).plus(&replaced.times(&place)));
        Some(SubsetMethod {
            id: "reservoir-l",
            name: "Reservoir L: gaps by logarithms of numbers in [0, 1), of 53 bits each",
            draws: two.plus(&replaced.times(&three)),
            rolls,
            bias: (None, None),
            law: DrawLaw::Unknown,
        })
    }

    /// The two ways that start again if two indices are equal: after all K indices are drawn, or at
    /// once. `None` if they take too many attempts.
    fn restarts(&self) -> Option<[SubsetMethod; 2]> {
        let (n, k) = (self.n, self.k);
        // p is about exp(-K (K - 1) / (2 N))
        let tries = u128::from(k) * u128::from(k - 1) / (2 * u128::from(n));
        if tries >= 1000 {
            return None;
        }
        let [attempts, early] = if k <= 100 {
            let probabilities: Vec<Rational> = all_different(n, k).collect();
            let p = probabilities[k as usize].clone();
            let early: Rational = probabilities[..k as usize].iter().sum();
            [Real::Exact(p.recip()), Real::Exact(early / &p)]
        } else {
            [0, 1].map(|which| {
                real_from_enclosures(move |bits| enclose_restarts(n, k, bits)[which].clone())
            })
        };
        let draws = attempts.times(&Real::integer(k));
        let law = match attempts.exact() {
            Some(attempts) => DrawLaw::Attempts(vec![attempts.recip()], k),
            None => DrawLaw::Unknown,
        };
        let way = |id, name, draws: Real, law| {
            let rolls = self.rolls_of_indices(&draws);
            SubsetMethod::uniform(id, name, draws, rolls, law)
        };
        let name = "K indices below N, all again if two are equal";
        let name_early = "K indices below N, all again as soon as two are equal";
        Some([
            way("restart", name, draws, law),
            way("restart-early", name_early, early, DrawLaw::Unknown),
        ])
    }

    fn next_free(&self) -> SubsetMethod {
        let draws = Real::integer(self.k);
        SubsetMethod {
            id: "next-free",
            name: "An index below N; the next free item if it is taken (not uniform)",
            rolls: self.rolls_of_indices(&draws),
            draws,
            bias: next_free(self.n, self.k),
            law: DrawLaw::Fixed(self.k),
        }
    }

    /// `None` if there are too many sets.
    fn one_roll(&self) -> Option<SubsetMethod> {
        (self.k <= MAX_EXACT_FACTORS).then(|| {
            let rolls = Ok(fast_roller_cost(self.sides, &binomial(self.n, self.k)));
            let (name, draws) = ("One roll that decides the whole set", Real::integer(1));
            SubsetMethod::uniform("one-roll", name, draws, rolls, DrawLaw::Fixed(1))
        })
    }

    fn entropy_bound(&self) -> SubsetMethod {
        let orders = |n| drawn_orders(self.sides, n, self.k).0;
        let entropy = if self.n == self.k {
            Real::integer(0)
        } else {
            orders(self.n).minus(&orders(self.k))
        };
        SubsetMethod {
            id: "bound",
            name: "Entropy bound",
            draws: Real::integer(0),
            rolls: Ok(entropy),
            bias: (None, None),
            law: DrawLaw::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(n: u64, k: u64, id: &str) -> SubsetMethod {
        let mut ways = subset(&Source::COIN, n, k).unwrap().into_iter();
        ways.find(|way| way.id == id).unwrap()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn e(n: u64) -> Rational {
        fast_roller_cost(2, &n.into()).exact().unwrap().clone()
    }

    /// The expected numbers that selection sampling draws and their expected rolls, by following
    /// both branches at every item.
    fn selected(left: u64, wanted: u64) -> (Rational, Rational) {
        if wanted == 0 {
            return (Rational::zero(), Rational::zero());
        }
        let take = ratio(wanted, left);
        let (with, without) = (
            selected(left - 1, wanted - 1),
            if wanted == left {
                (Rational::zero(), Rational::zero())
            } else {
                selected(left - 1, wanted)
            },
        );
        let mix = |a: Rational, b: Rational| a * &take + b * (Rational::one() - &take);
        (
            Rational::one() + mix(with.0, without.0),
            e(left) + mix(with.1, without.1),
        )
    }

    #[test]
    fn costs_by_their_definitions() {
        for (n, k) in [(1, 1), (2, 1), (5, 2), (9, 4), (6, 6), (12, 1), (13, 12)] {
            let (draws, rolls) = selected(n, k);
            let selection = way(n, k, "selection");
            assert_eq!(selection.draws.exact(), Some(&draws), "{k} of {n}");
            assert!(
                selection.rolls.unwrap().enclose(80).contains(&rolls),
                "{k} of {n}"
            );
            let partial: Rational = (n - k + 1..=n).map(e).sum();
            for id in ["fisher-yates", "floyd"] {
                let way = way(n, k, id);
                assert_eq!(
                    (way.draws, way.rolls.unwrap()),
                    (k.into(), partial.clone().into()),
                    "{id}"
                );
            }
            let reservoir: Rational = (k + 1..=n).map(e).sum();
            assert_eq!(way(n, k, "reservoir-r").rolls.unwrap(), reservoir);
            let again: Rational = (0..k).map(|i| ratio(n, n - i)).sum();
            let duplicates = way(n, k, "reject-duplicates");
            assert_eq!(duplicates.draws, again.clone());
            assert_eq!(duplicates.rolls.unwrap(), again * e(n));
            // Complete attempts, and attempts that end early, computed from their first steps.
            let p: Vec<Rational> = all_different(n, k).collect();
            let whole = way(n, k, "restart");
            assert_eq!(
                whole.draws,
                Rational::from_integer(k.into()) / &p[k as usize]
            );
            let [a, b] = restarts_of(n, k);
            assert!(a.contains(&(Rational::one() / &p[k as usize])));
            let early = way(n, k, "restart-early").draws;
            assert!(b.contains(early.exact().unwrap()));
        }
    }

    fn restarts_of(n: u64, k: u64) -> [Enclosure; 2] {
        super::enclose_restarts(n, k, 90)
    }

    /// The sufficient number of draws, in cases that were computed by hand.
    #[test]
    fn draws_that_suffice() {
        // Two different items of two: P(more than d draws) = 2^(1-d).
        let two = way(2, 2, "reject-duplicates");
        assert_eq!(two.law.sufficient(&ratio(1, 1 << 20)), Some(21));
        // The last of 2 of 5 items lies beyond place 4 with probability 4/10, beyond place 3 with
        // 7/10.
        let last = way(5, 2, "selection").law;
        assert_eq!(last.sufficient(&ratio(4, 10)), Some(4));
        assert_eq!(last.sufficient(&ratio(39, 100)), Some(5));
        assert_eq!(last.sufficient(&ratio(7, 10)), Some(3));
        // In an attempt, 2 indices below 4 are different with probability 3/4. So three attempts
        // fail with probability 1/64.
        let restart = way(4, 2, "restart").law;
        assert_eq!(restart.sufficient(&ratio(1, 64)), Some(6));
        // A single item takes a single draw.
        for method in ["restart", "reject-duplicates", "floyd", "selection"] {
            let one = way(7, 1, method).law.sufficient(&ratio(1, 2));
            assert!(one.is_some(), "{method}");
        }
        // With as many items as a word can count.
        assert_eq!(way(u64::MAX, 2, "floyd").draws, 2);
        assert_eq!(way(9, 4, "floyd").law.sufficient(&ratio(1, 2)), Some(4));
    }
}
