//! Library functions that sample without replacement, and the indices that each of them draws.
//!
//! A function chooses K of N items, either by indices below N, N - 1, ..., N - K + 1 in some order,
//! or by indices below N, where an index that was already chosen is drawn again. Some functions
//! then shuffle the chosen items. The method depends on N and K.

use super::RuleEvidence;
use super::draws::*;
use super::library::DieDraws;
use super::shuffle_cost::DiceInTurn;
use super::shuffles::{ShuffleDice, draws_of_function};
use flipcost::task::Refusal;
use flipcost_number::Real;
use flipcost_number::total::ratio_total;

/// A row of the table: a function that chooses K of N items.
///
/// ```
/// use flipcost_libraries::SAMPLES;
/// let line = SAMPLES.iter().find(|line| line.id == "cpython-sample").unwrap();
/// let cost = line.cost(52, 5)?;
/// assert_eq!(cost.draws.to_string(), "433507/83300"); // 5.2: 52 items are more than 21, so taken ones are drawn again
/// # Ok::<(), flipcost::task::Refusal>(())
/// ```
#[derive(Clone, Copy)]
pub struct LibrarySample {
    /// The id of the function in commands and queries.
    pub id: &'static str,
    /// The function that a user calls.
    pub function: &'static str,
    /// The version that was read.
    pub version: &'static str,
    /// The file with the source.
    pub file: &'static str,
    /// How we know the rule.
    pub checked: RuleEvidence,
    parts: fn(u64, u64) -> Vec<SamplePart>,
}

/// One group of the indices that a sample draws.
struct SamplePart {
    chosen: IndexDraws,
    draws: DieDraws,
}

enum IndexDraws {
    /// One index below each of these numbers.
    Each(u64, u64),
    /// Indices below N until K of them differ.
    Different(u64, u64),
}

/// The cost of a sample.
#[non_exhaustive]
pub struct SampleCost {
    /// The expected number of indices.
    pub draws: Real,
    /// The expected number of words.
    pub words: Real,
    /// The bits of a word.
    pub word_bits: Option<u32>,
    /// An upper bound of the total variation distance of the chosen set from a uniform one; 0 if
    /// all indices are uniform.
    pub bias_at_most: Real,
}

/// Returns the expected number of draws from N items until K different items have occurred, which
/// is sum N / (N - i) = K + sum i / (N - i).
pub fn expected_draws_until_different(n: u64, k: u64) -> Real {
    let again = ratio_total(move || (0..k).map(move |i| (i.into(), (n - i).into())));
    Real::integer(k).plus(&again)
}

impl LibrarySample {
    /// Returns the cost of choosing K of N.
    ///
    /// # Errors
    /// If N is beyond the type of the function.
    ///
    /// # Panics
    /// If K > N.
    pub fn cost(&self, n: u64, k: u64) -> Result<SampleCost, Refusal> {
        assert!(k <= n, "{k} of {n}");
        let mut all = SampleCost {
            draws: Real::integer(0),
            words: Real::integer(0),
            word_bits: None,
            bias_at_most: Real::integer(0),
        };
        for part in (self.parts)(n, k) {
            let in_turn = |from, cards| {
                let dice = ShuffleDice::From(from);
                let draws = part.draws;
                DiceInTurn { dice, cards, draws }.cost()
            };
            let (draws, words, cost) = match part.chosen {
                IndexDraws::Each(from, to) => {
                    let cost = in_turn(from, to)?;
                    (
                        Real::integer(if from > to { 0 } else { to - from + 1 }),
                        cost.words.clone(),
                        cost,
                    )
                }
                IndexDraws::Different(n, k) => {
                    let (draws, cost) = (expected_draws_until_different(n, k), in_turn(n, n)?);
                    let words = draws.times(&cost.words);
                    (draws, words, cost)
                }
            };
            all.draws = all.draws.plus(&draws);
            all.words = all.words.plus(&words);
            all.bias_at_most = all.bias_at_most.plus(&cost.bias_at_most);
            all.word_bits = cost.word_bits;
        }
        Ok(all)
    }
}

/// Returns the draws of one index below each of N, ..., N - K + 1.
fn indices_below_each(n: u64, k: u64, draws: DieDraws) -> Vec<SamplePart> {
    let chosen = IndexDraws::Each(n - k + 1, n);
    vec![SamplePart { chosen, draws }]
}

fn distinct_index_parts(n: u64, k: u64, draws: DieDraws) -> Vec<SamplePart> {
    let chosen = IndexDraws::Different(n, k);
    vec![SamplePart { chosen, draws }]
}

/// Returns whether the crate rand shuffles a part of the list of all N indices. The comparison is
/// computed in 32-bit floating point, as rand does.
fn rand_shuffles_in_place(n: u64, k: u64) -> bool {
    let (n_, k_, far) = (n as f32, k as f32, n >= 500_000);
    if k < 163 {
        let (slope, least): (f32, f32) = if far {
            (8.0 / 45.0, 70.0 / 9.0)
        } else {
            (1.6, 10.0)
        };
        k > 11 && n_ < (least + slope * k_) * k_
    } else {
        let least: f32 = if far { 330.0 / 9.0 } else { 270.0 };
        n_ < least * k_
    }
}

/// All library functions that sample.
pub const SAMPLES: &[LibrarySample] = &[
    LibrarySample {
        id: "cpython-sample",
        function: "random.sample",
        version: "CPython 3.13",
        file: "Lib/random.py",
        checked: RuleEvidence::Read,
        parts: |n, k| {
            let draws: DieDraws = |n| draws_of_function("cpython-randbelow", n);
            // the limit is 21; for K above 5, the least power of 4 that is at least 3 K is added
            let power = (0..)
                .map(|j| 4u128.pow(j))
                .find(|power| *power >= 3 * u128::from(k));
            let most = 21 + if k > 5 { power.unwrap_or(0) } else { 0 };
            if u128::from(n) <= most {
                indices_below_each(n, k, draws)
            } else {
                distinct_index_parts(n, k, draws)
            }
        },
    },
    LibrarySample {
        id: "numpy-generator-choice",
        function: "numpy.random.Generator.choice(replace=False)",
        version: "NumPy 2.4",
        file: "numpy/random/_generator.pyx",
        checked: RuleEvidence::Read,
        parts: |n, k| {
            let draws: DieDraws = |n| draws_of_function("numpy-integers-int64", n);
            let mut parts = indices_below_each(n, k, draws);
            // Floyd's method, followed by a shuffle of the chosen set.
            if n <= 10_000 || k <= n / 50 {
                let chosen = IndexDraws::Each(2, k);
                parts.push(SamplePart { chosen, draws });
            }
            parts
        },
    },
    LibrarySample {
        id: "rust-rand-0.9-index-sample",
        function: "rand::seq::index::sample",
        version: "rand 0.9.2",
        file: "src/seq/index.rs",
        checked: RuleEvidence::Read,
        parts: |n, k| {
            let in_place = n < WORD_32 as u64 && rand_shuffles_in_place(n, k);
            if n < WORD_32 as u64 && (k < 163 || in_place) {
                // Floyd's method or a partial shuffle; both take indices below the same numbers.
                indices_below_each(n, k, |n| draws_of_function("rust-rand-random-range32", n))
            } else {
                distinct_index_parts(n, k, |n| draws_of_function("rust-rand-uniform32", n))
            }
        },
    },
    LibrarySample {
        id: "statsbase-sample",
        function: "StatsBase.sample(replace=false)",
        version: "StatsBase.jl @ad500fba",
        file: "src/sampling.jl",
        checked: RuleEvidence::Read,
        parts: |n, k| {
            let draws: DieDraws = |n| draws_of_function("julia-rand-int64", n);
            if k <= 2 || n < k.saturating_mul(24) {
                indices_below_each(n, k, draws)
            } else {
                distinct_index_parts(n, k, draws)
            }
        },
    },
    LibrarySample {
        id: "r-sample",
        function: "sample(n, k), R >= 3.6",
        version: "R 4",
        file: "src/main/random.c",
        checked: RuleEvidence::Read,
        parts: |n, k| {
            let draws: DieDraws = |n| draws_of_function("r-sample-rejection", n);
            // sample.int uses a hash table from 10^7 on.
            if n > 10_000_000 && k <= n / 2 {
                distinct_index_parts(n, k, draws)
            } else {
                indices_below_each(n, k, draws)
            }
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(id: &str, n: u64, k: u64) -> SampleCost {
        let line = SAMPLES.iter().find(|line| line.id == id).unwrap();
        line.cost(n, k).unwrap()
    }

    fn text(real: &Real) -> String {
        real.decimals(6).unwrap()
    }

    /// Checked by hand: 52 items are more than the limit of 21 for K = 5. For K = 10 the limit is
    /// 21 + 64, since 64 is the least power of 4 that is at least 30, and 85 items are not more
    /// than this.
    #[test]
    fn python_chooses_between_two_methods() {
        let five = cost("cpython-sample", 52, 5);
        let by_hand: f64 = (0..5).map(|i| 52.0 / f64::from(52 - i)).sum();
        assert_eq!(text(&five.draws), format!("{by_hand:.6}"));
        let words = five
            .draws
            .times(&Real::Exact(flipcost_number::Rational::new(
                64.into(),
                52.into(),
            )));
        assert_eq!(text(&five.words), text(&words));
        assert_eq!(text(&cost("cpython-sample", 85, 10).draws), "10.000000");
        assert_ne!(text(&cost("cpython-sample", 86, 10).draws), "10.000000");
    }

    /// NumPy shuffles the set that Floyd's method chose, so it draws 2 K - 1 indices. If N = K, the
    /// index below 1 draws nothing.
    #[test]
    fn numpy_and_rand_choose_between_methods() {
        assert_eq!(
            text(&cost("numpy-generator-choice", 52, 5).draws),
            "9.000000"
        );
        assert_eq!(
            text(&cost("numpy-generator-choice", 10_001, 201).draws),
            "201.000000"
        );
        assert_eq!(
            text(&cost("numpy-generator-choice", 52, 1).draws),
            "1.000000"
        );
        assert!(
            cost("rust-rand-0.9-index-sample", 52, 5)
                .bias_at_most
                .compare(0)
                .unwrap()
                .is_gt()
        );
        assert_eq!(
            text(&cost("rust-rand-0.9-index-sample", 10_000, 163).draws),
            "163.000000"
        );
        let far = cost("rust-rand-0.9-index-sample", 1_000_000, 163);
        assert!(far.draws.compare(163).unwrap().is_gt() && far.bias_at_most.is_zero());
    }
}
