//! Library functions that draw outcomes in proportion to weights. They search a table of the sums
//! of the weights, or they use the alias method (a random column, then one of its two outcomes).
//!
//! Most of these functions compute with doubles u = y / 2^b, where y is a random word. If a
//! function searches a table of sums, the outcome never decreases as y grows. So bisection finds
//! the words of each outcome, with the same floating-point operations as the function.

use crate::function::functions;
use crate::library;
use crate::scaled::{first_false, unit};
use flipcost::task::{Target, Weights, finite_double};
use flipcost_number::expression::parse_rational;
use flipcost_number::grammar::items;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use num_traits::{One, Zero};

/// The largest number of weights.
pub(crate) const MAX_WEIGHTS: usize = 1 << 12;

/// The weights that a function receives: whole numbers, or else the nearest doubles.
pub(crate) struct GivenWeights {
    exact: Vec<Rational>,
}

/// The law of the outcomes of a function, and its cost.
pub(crate) struct WeightLaw {
    /// The probability of each outcome.
    pub probabilities: Vec<Rational>,
    /// The expected number of words.
    pub words: Rational,
    /// The bits of a word.
    pub word_bits: u32,
}

/// A library function of weights. The error says why the function does not accept the weights.
pub(crate) type WeightRule = fn(&GivenWeights) -> Result<WeightLaw, &'static str>;

functions! { WEIGHTS: WeightRule;
    "cpython-choices", "Python", "random.choices(population, weights)", "CPython 3.11, 3.13", "Lib/random.py", Read => cpython;
    "numpy-choice", "Python", "Generator.choice(n, p=weights / sum)", "NumPy 2.4", "numpy/random/_generator.pyx", Run => numpy;
    "go-math-rand-v2-sums", "Go", "rand.IntN(sum), then sums of the weights", "Go 1.22 and later", "src/math/rand/v2/rand.go", Read => go;
    "rust-rand-weighted-index", "Rust", "rand WeightedIndex of u32 or u64", "rand 0.10.4", "src/distr/weighted/weighted_index.rs", Read => rust_index;
    "rust-rand-weighted-index-f64", "Rust", "rand WeightedIndex of f64", "rand 0.10.4", "src/distr/weighted/weighted_index.rs", Read => rust_doubles;
    "rust-rand-distr-weighted-alias", "Rust", "rand_distr WeightedAliasIndex of u32 or u64", "rand_distr 0.5", "src/weighted/weighted_alias.rs", Copy => rust_alias;
    "libstdcxx-discrete", "C++", "std::discrete_distribution, mt19937", "GCC 12", "bits/random.tcc", Read => libstdcxx;
    "gsl-ran-discrete", "C", "gsl_ran_discrete, mt19937", "GSL 2", "randist/discrete.c", Copy => gsl;
    "julia-statsbase-sample", "Julia", "StatsBase sample(weights)", "StatsBase.jl @040a97cf", "src/sampling.jl", Read => statsbase;
    "julia-statsbase-alias", "Julia", "StatsBase sample(1:n, weights, k), n >= 40, k >= 64", "StatsBase.jl before April 2024", "src/sampling.jl", Copy => statsbase_alias;
}

impl GivenWeights {
    /// Returns the weights of a target's text; `None` if there are too many.
    pub fn new(text: &str) -> Option<GivenWeights> {
        let of_list = |mark| {
            text.split(mark)
                .map(|part| parse_rational(part).ok())
                .collect()
        };
        let mut exact: Option<Vec<Rational>> = match text.trim().strip_prefix("doubles:") {
            Some(all) => items(all)
                .map(|part| Some(finite_double(part)?.1))
                .collect(),
            None if items(text).nth(1).is_some() => of_list(','),
            None if text.contains(':') => of_list(':'),
            None => None,
        };
        if exact.is_none() {
            let read = text.parse::<Weights>().ok()?;
            exact = target_probabilities(read.target());
        }
        let exact = exact
            .filter(|all| all.len() <= MAX_WEIGHTS && all.iter().any(|weight| !weight.is_zero()))?;
        Some(GivenWeights { exact })
    }

    /// Returns the intended probabilities.
    pub fn intended_probabilities(&self) -> Vec<Rational> {
        let sum: Rational = self.exact.iter().sum();
        self.exact.iter().map(|weight| weight / &sum).collect()
    }

    fn len(&self) -> usize {
        self.exact.len()
    }

    fn are_whole(&self) -> bool {
        self.exact.iter().all(Rational::is_integer)
    }

    /// # Errors
    /// If a weight or the sum is too large for a double, or if the sum is 0 in doubles.
    fn doubles(&self) -> Result<Vec<f64>, &'static str> {
        let weights: Vec<f64> = self.exact.iter().map(nearest).collect::<Result<_, _>>()?;
        match running_sums(&weights)[weights.len() - 1] {
            0.0 => Err("the weights are all 0 as doubles"),
            sum if sum.is_finite() => Ok(weights),
            _ => Err("the sum of the weights is too large for a double"),
        }
    }

    /// Returns the sum of the weights, if they are whole numbers.
    fn whole_sum(&self) -> Result<BigUint, &'static str> {
        if !self.are_whole() {
            return Err("takes only whole numbers");
        }
        let sum: Rational = self.exact.iter().sum();
        Ok(sum.numer().magnitude().clone())
    }

    /// Returns the sum of the weights up to each weight, as Python and Julia compute it. Sums of
    /// whole numbers are exact; each of them is then rounded up to a double.
    fn sums(&self) -> Result<Vec<f64>, &'static str> {
        if !self.are_whole() {
            return Ok(running_sums(&self.doubles()?));
        }
        let mut sum = Rational::zero();
        let up = |weight: &Rational| {
            sum += weight;
            let near = nearest(&sum)?;
            let below = Rational::from_float(near).expect("finite") < sum;
            Ok(if below { near.next_up() } else { near })
        };
        self.exact.iter().map(up).collect()
    }

    /// Returns the sum of all weights as a double.
    fn total(&self) -> Result<f64, &'static str> {
        if self.are_whole() {
            nearest(&self.exact.iter().sum())
        } else {
            Ok(running_sums(&self.doubles()?)[self.len() - 1])
        }
    }

    /// Returns the law of a function that maps equally likely words y to outcomes. The outcome is
    /// the first i for which `above(i, y)` is false, or the last outcome if there is none. As y
    /// grows, `above(i, y)` may change at most once for each i, from false to true.
    fn law_by_search(
        &self,
        bits: u32,
        words: u32,
        word_bits: u32,
        above: impl Fn(usize, u128) -> bool,
    ) -> WeightLaw {
        let all = BigInt::one() << bits;
        let first = |i: usize| first_false(0, 1 << bits, |y| !above(i, y)).into();
        let bounds = std::iter::once(BigInt::zero()).chain((0..self.len() - 1).map(first));
        let bounds: Vec<BigInt> = bounds.chain([all.clone()]).collect();
        let share = |pair: &[BigInt]| Rational::new(&pair[1] - &pair[0], all.clone());
        WeightLaw {
            probabilities: bounds.windows(2).map(share).collect(),
            words: Rational::from_integer(words.into()),
            word_bits,
        }
    }

    /// Returns the exact probabilities, and the words of the library functions that roll these
    /// dice.
    fn exact_law_by_dice(&self, dice: &[(&str, BigUint)]) -> Result<WeightLaw, &'static str> {
        let mut law = WeightLaw {
            probabilities: self.intended_probabilities(),
            words: Rational::zero(),
            word_bits: 0,
        };
        for (id, sides) in dice {
            let line = library(id).expect("a line of the table");
            let cost = line
                .cost(sides)
                .map_err(|_| "the sum of the weights is too large for its type")?;
            law.words += cost.words.mean().map_err(|_| "its words are not known")?;
            law.word_bits = law.word_bits.max(cost.word_bits.unwrap_or_default());
        }
        Ok(law)
    }

    /// Returns the probabilities of the alias method. A fair die selects a column. The outcome is
    /// the column's own with the probability in `own`, which is a multiple of 2^-bits; otherwise it
    /// is the column's alias.
    fn column_probabilities(&self, own: &[Rational], alias: &[usize]) -> Vec<Rational> {
        let each = Rational::new(BigInt::one(), self.len().into());
        let mut all = vec![Rational::zero(); self.len()];
        for (i, (part, other)) in own.iter().zip(alias).enumerate() {
            all[i] += part * &each;
            all[*other] += (Rational::one() - part) * &each;
        }
        all
    }
}

fn target_probabilities(target: &Target) -> Option<Vec<Rational>> {
    if target.outcomes() > MAX_WEIGHTS.into() {
        return None;
    }
    Some(
        target
            .iter()
            .map(|(_, weight)| BigInt::from(weight).into())
            .collect(),
    )
}

fn nearest(value: &Rational) -> Result<f64, &'static str> {
    let double = Real::Exact(value.clone()).to_f64().unwrap_or(f64::INFINITY);
    if double.is_finite() {
        Ok(double)
    } else {
        Err("a weight is too large for a double")
    }
}

/// Returns the running sums, computed in doubles.
fn running_sums(weights: &[f64]) -> Vec<f64> {
    let sum = |sum: &mut f64, weight: &f64| {
        *sum += weight;
        Some(*sum)
    };
    weights.iter().scan(0.0, sum).collect()
}

/// Returns the fraction of the words y for which y / 2^bits is below a double.
fn fraction_below(x: f64, bits: u32) -> Rational {
    let all = BigInt::one() << bits;
    let words = (Rational::from_float(x).expect("finite") * &all)
        .ceil()
        .to_integer();
    Rational::new(words.clamp(BigInt::zero(), all.clone()), all)
}

/// Uses bisect_right to find random() * total among all sums but the last.
fn cpython(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let (sums, total) = (given.sums()?, given.total()?);
    Ok(given.law_by_search(53, 2, 32, |i, y| unit(y, 53) * total >= sums[i]))
}

/// Uses searchsorted(side right) to find random() among the entries of cumsum(p) / its last entry.
fn numpy(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let p: Result<Vec<f64>, _> = given.intended_probabilities().iter().map(nearest).collect();
    let mut sums = running_sums(&p?);
    let last = sums[sums.len() - 1];
    sums.iter_mut().for_each(|sum| *sum /= last);
    Ok(given.law_by_search(53, 1, 64, |i, y| unit(y, 53) >= sums[i]))
}

fn go(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    given.exact_law_by_dice(&[("go-math-rand-v2", given.whole_sum()?)])
}

fn rust_index(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    given.exact_law_by_dice(&[("rust-rand-uniform32", given.whole_sum()?)])
}

/// Uses partition_point to count the sums that are at most the total times u, where u has 52 bits.
fn rust_doubles(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let sums = running_sums(&given.doubles()?);
    let total = sums[sums.len() - 1];
    Ok(given.law_by_search(52, 1, 64, |i, y| sums[i] <= unit(y, 52) * total))
}

/// Draws a column and a number below the sum, both exactly.
fn rust_alias(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let sum = given.whole_sum()?;
    if &sum * given.len() > BigUint::from(u64::MAX) {
        return Err("the sum of the weights is too large for its type");
    }
    given.exact_law_by_dice(&[
        ("rust-rand-uniform32", given.len().into()),
        ("rust-rand-uniform32", sum),
    ])
}

/// Uses lower_bound to find fl(y / 2^64) among the sums of p / sum, the last of which is 1.
fn libstdcxx(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let weights = given.doubles()?;
    let sum = running_sums(&weights)[weights.len() - 1];
    let p: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let sums = running_sums(&p);
    let canonical = |y: u128| unit(y, 64).min(1.0f64.next_down());
    Ok(given.law_by_search(64, 2, 32, |i, y| sums[i] < canonical(y)))
}

/// One word gives the column and the outcome: the column is floor(u n), and the outcome is the
/// column's own if u is below F = (column + part) / n.
fn gsl(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let weights = given.doubles()?;
    let (n, total) = (weights.len(), running_sums(&weights)[weights.len() - 1]);
    let (size, mean) = (n as f64, 1.0 / n as f64);
    let mut left: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    let (mut own, mut alias) = (vec![1.0; n], (0..n).collect::<Vec<usize>>());
    let (mut small, mut big): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| left[*i] < mean);
    while let Some(low) = small.pop() {
        let Some(high) = big.pop() else {
            continue;
        };
        alias[low] = high;
        own[low] = size * left[low];
        left[high] -= mean - left[low];
        if left[high] < mean {
            small.push(high);
        } else if left[high] > mean {
            big.push(high);
        }
    }
    let all: BigInt = BigInt::one() << 32;
    let mut counts = vec![BigInt::zero(); n];
    let first = |c: usize| first_false(0, 1 << 32, |y| (unit(y, 32) * size) < c as f64);
    for c in 0..n {
        let (begin, end) = (first(c), if c + 1 == n { 1 << 32 } else { first(c + 1) });
        let bound = (own[c] + c as f64) / size;
        let middle = if own[c] == 1.0 {
            end
        } else {
            first_false(begin, end, |y| unit(y, 32) < bound)
        };
        counts[c] += middle - begin;
        counts[alias[c]] += end - middle;
    }
    Ok(WeightLaw {
        probabilities: counts
            .into_iter()
            .map(|count| Rational::new(count, all.clone()))
            .collect(),
        words: Rational::one(),
        word_bits: 32,
    })
}

/// Takes the first sum that is at least rand() * total.
fn statsbase(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let total = given.total()?;
    let exact: Vec<f64> = if given.are_whole() {
        let sums = given.sums()?;
        if sums[sums.len() - 1] > 9_007_199_254_740_992.0 {
            return Err("the sum of the weights is above 2^53");
        }
        sums
    } else {
        running_sums(&given.doubles()?)
    };
    Ok(given.law_by_search(53, 1, 64, |i, y| exact[i] < unit(y, 53) * total))
}

/// Draws a column with one word, then a double with another; a column of exactly the average weight
/// has no alias.
fn statsbase_alias(given: &GivenWeights) -> Result<WeightLaw, &'static str> {
    let n = given.len();
    let scale = n as f64 / given.total()?;
    if !scale.is_finite() {
        return Err("the number of weights divided by their sum is too large for a double");
    }
    let mut own: Vec<f64> = given
        .doubles()?
        .iter()
        .map(|weight| weight * scale)
        .collect();
    let mut alias: Vec<usize> = (0..n).collect();
    let mut large: Vec<usize> = (0..n).filter(|i| own[*i] > 1.0).collect();
    let mut small: Vec<usize> = (0..n).filter(|i| own[*i] < 1.0).collect();
    while !large.is_empty() && !small.is_empty() {
        let (Some(low), Some(high)) = (small.pop(), large.pop()) else {
            break;
        };
        alias[low] = high;
        own[high] = (own[high] - 1.0) + own[low];
        if own[high] > 1.0 {
            large.push(high);
        } else {
            small.push(high);
        }
    }
    small.iter().for_each(|low| own[*low] = 1.0);
    let parts: Vec<Rational> = own.iter().map(|part| fraction_below(*part, 53)).collect();
    let mut law = given.exact_law_by_dice(&[("julia-rand-int64", n.into())])?;
    law.probabilities = given.column_probabilities(&parts, &alias);
    law.words += Rational::one();
    Ok(law)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;

    fn law(id: &str, weights: &str) -> WeightLaw {
        let line = WEIGHTS.iter().find(|line| line.id == id).unwrap();
        (line.rule)(&GivenWeights::new(weights).unwrap()).unwrap()
    }

    /// The law of every function differs from the weights by a few words. Functions that roll dice
    /// for whole numbers are exact.
    #[test]
    fn every_function_is_near_its_weights() {
        for weights in [
            "1:2:3",
            "1:7:1:1:7:1",
            "doubles:0.1,0.2,0.7",
            "0.1:0.2:0.3:0.4",
            "1:1000000",
            "3d6",
            "5:0:5:1",
        ] {
            let given = GivenWeights::new(weights).unwrap();
            for line in WEIGHTS {
                let Ok(law) = (line.rule)(&given) else {
                    assert!(!given.are_whole(), "{} {weights}", line.id);
                    continue;
                };
                assert!(
                    law.probabilities.iter().sum::<Rational>().is_one(),
                    "{} {weights}",
                    line.id
                );
                assert!(law.words >= Rational::one());
                for (p, q) in law.probabilities.iter().zip(given.intended_probabilities()) {
                    let apart = if *p > q { p - &q } else { &q - p };
                    assert!(
                        apart < Rational::new(given.len().into(), (1u64 << 31).into()),
                        "{} {weights}: {p} {q}",
                        line.id
                    );
                }
            }
        }
    }

    /// Weights whose sum or scale does not fit into doubles are refused without a panic.
    #[test]
    fn weights_too_large_for_doubles_are_refused() {
        for weights in [
            "5e-324:1e-323",
            "1e-310:2e-310",
            "1e-400:1e-400",
            "1e308:1e308",
            "0:1e-320",
        ] {
            let given = GivenWeights::new(weights).unwrap();
            for line in WEIGHTS {
                if let Ok(law) = (line.rule)(&given) {
                    let sum: Rational = law.probabilities.iter().sum();
                    assert!(sum.is_one(), "{} {weights}", line.id);
                }
            }
            let alias = WEIGHTS
                .iter()
                .find(|line| line.id == "julia-statsbase-alias")
                .unwrap();
            assert!((alias.rule)(&given).is_err() || weights == "1e308:1e308");
        }
    }

    /// Tests the words next to the bounds of 1:2:3 in CPython one by one. The bounds are those of 6
    /// u < 1 and 6 u < 3 in doubles.
    #[test]
    fn cpython_choices_compare_real_doubles() {
        let law = law("cpython-choices", "1:2:3");
        let words: Vec<u64> = law
            .probabilities
            .iter()
            .map(|p| {
                (p * BigInt::from(1u64 << 53))
                    .to_integer()
                    .to_u64()
                    .unwrap()
            })
            .collect();
        let outcome = |y: u64| {
            [1.0, 3.0]
                .iter()
                .filter(|sum| **sum <= y as f64 / 2f64.powi(53) * 6.0)
                .count()
        };
        let (first, second) = (words[0], words[0] + words[1]);
        assert_eq!(
            [
                outcome(first - 1),
                outcome(first),
                outcome(second - 1),
                outcome(second)
            ],
            [0, 1, 1, 2]
        );
        assert_eq!(words.iter().sum::<u64>(), 1 << 53);
    }

    /// Both functions are exact for 1:2:3:2, two of whose weights equal the average, since the
    /// number and the sum of the weights are powers of two.
    #[test]
    fn columns_of_exact_doubles_give_exact_laws() {
        for id in ["julia-statsbase-alias", "gsl-ran-discrete"] {
            let given = GivenWeights::new("1:2:3:2").unwrap();
            assert_eq!(
                law(id, "1:2:3:2").probabilities,
                given.intended_probabilities(),
                "{id}"
            );
        }
    }
}
