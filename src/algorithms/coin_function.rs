//! A coin that shows heads with probability f(p), from a coin with an unknown p: a Bernoulli factory for a
//! rational function f.
//!
//! With q = 1 - p, and both parts of f multiplied by (p + q)^n until it is so,
//!
//! ```text
//! f = sum_k d_k p^k q^(N-k) / sum_k e_k p^k q^(N-k),   0 <= d_k <= e_k,  integers
//! ```
//!
//! which some n does for every rational f with rational coefficients and 0 < f < 1 between 0 and 1 (Polya 1928: f and 1 - f have no zero there).
//! Multiplied by sum_j r_j p^j q^(S-j) it holds as well; S is the least for which integers r_j >= 0, not all 0, leave
//! e_k <= C(N, k), now with N + S for N, and the r_j are as large as they can be, from the middle on. A round is N tosses:
//! of the C(N, k) words with k heads d_k are heads, e_k - d_k are tails, and the others start again. So the result is
//! heads with probability f(p), for every p.
//!
//! A word is decided as soon as it can be: at each depth as many beginnings of words as the d_k, e_k - d_k and
//! C(N, k) - e_k that are left allow are leaves, so that mostly less than N tosses are made. With u_j(p) the probability
//! that a round is undecided after j tosses, and a(p) that it starts again,
//!
//! ```text
//! E = (u_0 + ... + u_(N-1)) / (1 - a)
//! ```
//!
//! **In a bounded number of tosses** exactly those f are made that are polynomials with integer coefficients. A tree of depth N has
//! f = sum_k d_k p^k q^(N-k) with integers d_k. For such an f, e_k = C(N, k) is the expansion of 1 = (p + q)^N, so that no
//! word starts again.
//!
//! **Source.** Mossel & Peres 2005, who prove that finite automata make exactly these functions, and the constants 0 and 1; Polya 1928, Über positive
//! Darstellung von Polynomen; Goyal & Sigman 2012 for polynomials. Where words end early is worked out here.

use super::entry::{PreparedEntry, from_rule};
use super::loaded::LoadedDie;
use super::{About, Algorithm, Memory, Prepared, Purpose, Rule, RuleInfo, Step};
use crate::law::{Law, Next, unknown_faces};
use crate::task::{Refusal, Source, Target, Task};
use flipcost_number::budget::spend;
use flipcost_number::functions::has_zero_inside;
use flipcost_number::rationals::binomials;
use flipcost_number::{BigInt, BigUint, Polynomial, Rational, RationalFunction};
use num_traits::{One, Signed, Zero};
use std::fmt;
use std::sync::Arc;

/// A round has at most so many tosses.
const LONGEST: usize = 128;

/// A rule that makes a coin of f(p) from a coin of an unknown p; its outcomes are heads (0) and tails (1).
///
/// ```
/// use flipcost::algorithms::CoinFunction;
/// use flipcost_number::{Polynomial, RationalFunction};
/// let p = Polynomial::variable(0);
/// let square = CoinFunction::new(p.power(2).into())?; // heads twice
/// assert_eq!((square.mean().to_string().as_str(), square.is_bounded()), ("1 + p", true));
/// let half = CoinFunction::new(RationalFunction::new(Polynomial::one(), Polynomial::constant(2)))?;
/// assert_eq!((half.mean().to_string().as_str(), half.is_bounded()), ("1/(p - p^2)", false));
/// # Ok::<(), flipcost::algorithms::CoinFunctionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoinFunction {
    function: RationalFunction,
    /// By depth, and by the number of heads.
    levels: Arc<[Vec<WordCounts>]>,
}

/// The words of one number of tosses and of heads whose beginnings are undecided, by what they are.
#[derive(Clone, Debug, Default)]
struct WordCounts {
    /// Those that are heads, tails, or start again.
    leaves: [BigUint; 3],
    undecided: BigUint,
}

/// A function that no rule makes, or none that is known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct CoinFunctionError(#[from] WhyNoCoin);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum WhyNoCoin {
    /// It is 0 or below, or 1 or above.
    #[error("it is {value} at p = {p}, where a probability above 0 and below 1 was expected")]
    Outside {
        /// A place.
        p: Box<Rational>,
        /// Its value there.
        value: Box<Rational>,
    },
    /// A pole between 0 and 1.
    #[error(
        "it has a pole between p = 0 and p = 1, where a probability above 0 and below 1 was expected"
    )]
    Pole,
    /// It reaches 0 or 1 somewhere between.
    #[error(
        "it reaches 0 or 1 between p = 0 and p = 1, where a probability above 0 and below 1 was expected"
    )]
    Reaches,
    /// A function of several variables.
    #[error("it is a function of {0} variables: one of p alone was expected")]
    Variables(usize),
    /// Its rounds are too long.
    #[error(
        "a round would have more than {LONGEST} tosses: a function of a lower degree, or less near to 0 and 1 between p = 0 and p = 1, was expected"
    )]
    Long,
}

/// The coefficients of p^k q^(degree-k) of a polynomial in p.
fn homogeneous(f: &Polynomial, degree: usize) -> Vec<BigInt> {
    let mut all = vec![BigInt::zero(); degree + 1];
    for (power, c) in f.terms() {
        let j = power.first().map_or(0, |e| *e as usize);
        // p^j = p^j (p + q)^(degree - j)
        for (i, binomial) in binomials(degree - j).into_iter().enumerate() {
            all[j + i] += c * BigInt::from(binomial);
        }
    }
    all
}

/// Times p + q.
fn raised(f: &[BigInt]) -> Vec<BigInt> {
    let zero = BigInt::zero();
    let padded = |k: usize| f.get(k).unwrap_or(&zero);
    let sum = |k: usize| match k {
        0 => padded(0).clone(),
        k => padded(k) + padded(k - 1),
    };
    (0..=f.len()).map(sum).collect()
}

/// Heads, and tails, of the words with k heads: d_k and e_k - d_k, before they are multiplied by r.
fn parts(function: &RationalFunction) -> Result<[Vec<BigUint>; 2], CoinFunctionError> {
    let (above, below) = (function.numerator(), function.denominator());
    let variables = above.variables().max(below.variables());
    if variables > 1 {
        return Err(WhyNoCoin::Variables(variables).into());
    }
    let degree = above.degree().max(below.degree()) as usize;
    if degree > LONGEST {
        return Err(WhyNoCoin::Long.into());
    }
    let mut heads = homogeneous(above, degree);
    let mut tails = homogeneous(&(below - above), degree);
    // the denominator at 1/2
    let sum: BigInt = heads.iter().chain(&tails).sum();
    if sum.is_negative() {
        heads.iter_mut().chain(&mut tails).for_each(|c| *c = -&*c);
    }
    while heads.len() <= LONGEST + 1 {
        let mut all = heads.iter().chain(&tails);
        let some = |part: &[BigInt]| part.iter().any(|c| !c.is_zero());
        if all.all(|c| !c.is_negative()) && some(&heads) && some(&tails) {
            return Ok([heads, tails].map(|part| {
                let parts = part.into_iter().map(|c| c.into_parts().1);
                parts.collect()
            }));
        }
        (heads, tails) = (raised(&heads), raised(&tails));
    }
    Err(why_not(function).into())
}

/// Why its parts are not positive.
fn why_not(function: &RationalFunction) -> WhyNoCoin {
    let one = Rational::one();
    for below in 2..=20i64 {
        for above in 1..below {
            let p = Rational::new(above.into(), below.into());
            match function.evaluate(std::slice::from_ref(&p)) {
                None => return WhyNoCoin::Pole,
                Some(value) if value <= Rational::zero() || value >= one => {
                    return WhyNoCoin::Outside {
                        p: p.into(),
                        value: value.into(),
                    };
                }
                Some(_) => {}
            }
        }
    }
    let (above, below) = (function.numerator(), function.denominator());
    match (
        has_zero_inside(below),
        has_zero_inside(above) || has_zero_inside(&(below - above)),
    ) {
        (true, _) => WhyNoCoin::Pole,
        (_, true) => WhyNoCoin::Reaches,
        _ => WhyNoCoin::Long,
    }
}

/// Both multiplied by sum_j r_j p^j q^(S-j), for the least S.
fn fitted(parts: &[Vec<BigUint>; 2]) -> Result<[Vec<BigUint>; 2], CoinFunctionError> {
    let both: Vec<BigUint> = parts[0].iter().zip(&parts[1]).map(|(a, b)| a + b).collect();
    for more in 0..=LONGEST.saturating_sub(both.len() - 1) {
        let length = both.len() - 1 + more;
        spend(20 * (both.len() * (more + 1)) as u64);
        let mut free = binomials(length);
        let mut fitted = [(); 2].map(|()| vec![BigUint::zero(); length + 1]);
        let mut order: Vec<usize> = (0..=more).collect();
        order.sort_by_key(|j| ((2 * j).abs_diff(more), *j));
        for j in order {
            let fits = (both.iter().zip(&free[j..]))
                .filter(|(e, _)| !e.is_zero())
                .map(|(e, free)| free / e);
            let r = fits.min().expect("one is above 0");
            for (k, e) in both.iter().enumerate() {
                free[j + k] -= e * &r;
            }
            for (fitted, part) in fitted.iter_mut().zip(parts) {
                for (k, c) in part.iter().enumerate() {
                    fitted[j + k] += c * &r;
                }
            }
        }
        if fitted.iter().flatten().any(|c| !c.is_zero()) {
            return Ok(fitted);
        }
    }
    Err(WhyNoCoin::Long.into())
}

/// The leaves: at each depth as many as the words that are left allow.
fn levels([heads, tails]: [Vec<BigUint>; 2]) -> Vec<Vec<WordCounts>> {
    let length = heads.len() - 1;
    let decided = heads.iter().zip(&tails).map(|(a, b)| a + b);
    let again = binomials(length)
        .iter()
        .zip(decided)
        .map(|(all, e)| all - e)
        .collect();
    let mut left: [Vec<BigUint>; 3] = [heads, tails, again];
    let mut levels: Vec<Vec<WordCounts>> = Vec::new();
    for depth in 0..=length {
        let below = binomials(length - depth);
        let arrived = |i: usize| match levels.last() {
            None => BigUint::one(),
            Some(above) => {
                let of = |i: usize| {
                    above
                        .get(i)
                        .map_or(BigUint::zero(), |w| w.undecided.clone())
                };
                of(i) + i.checked_sub(1).map_or(BigUint::zero(), of)
            }
        };
        let mut level: Vec<WordCounts> = (0..=depth)
            .map(|i| WordCounts {
                undecided: arrived(i),
                ..WordCounts::default()
            })
            .collect();
        spend(30 * ((depth + 1) * below.len()) as u64);
        for (i, words) in level.iter_mut().enumerate() {
            for (leaves, left) in words.leaves.iter_mut().zip(&mut left) {
                let mut most = words.undecided.clone();
                for (under, left) in below.iter().zip(&left[i..]) {
                    if most.is_zero() {
                        break;
                    }
                    most = most.min(left / under);
                }
                if most.is_zero() {
                    continue;
                }
                for (under, left) in below.iter().zip(&mut left[i..]) {
                    *left -= under * &most;
                }
                words.undecided -= &most;
                *leaves = most;
            }
        }
        let ended = level.iter().all(|words| words.undecided.is_zero());
        levels.push(level);
        if ended {
            break;
        }
    }
    levels
}

impl CoinFunction {
    /// It as an algorithm, which plays any target of two outcomes, and has a law for that of its function.
    pub fn algorithm(self) -> Box<dyn Algorithm> {
        Box::new(CoinAlgorithm(self))
    }

    /// The rule for a function of p. Cost: about N^3 operations on numbers of N bits, N the tosses of a round.
    ///
    /// # Errors
    /// [`CoinFunctionError`].
    pub fn new(function: RationalFunction) -> Result<CoinFunction, CoinFunctionError> {
        let levels = levels(fitted(&parts(&function)?)?).into();
        Ok(CoinFunction { function, levels })
    }

    /// f.
    pub fn function(&self) -> &RationalFunction {
        &self.function
    }

    /// The most tosses of a round.
    pub fn length(&self) -> usize {
        self.levels.len() - 1
    }

    /// Does no word start again?
    pub fn is_bounded(&self) -> bool {
        let again = |words: &WordCounts| words.leaves[2].is_zero();
        self.levels.iter().flatten().all(again)
    }

    /// The words of each level that `count` takes, each times a^heads b^tails.
    fn sums(&self, [a, b]: &[BigUint; 2], count: fn(&WordCounts) -> &BigUint) -> Vec<BigUint> {
        let sum = |(depth, level): (usize, &Vec<WordCounts>)| {
            let term = |(i, words): (usize, &WordCounts)| {
                count(words) * a.pow(i as u32) * b.pow((depth - i) as u32)
            };
            level.iter().enumerate().map(term).sum()
        };
        self.levels.iter().enumerate().map(sum).collect()
    }

    /// The probability of what `count` takes of a level, as a polynomial.
    fn polynomial(&self, depth: usize, count: fn(&WordCounts) -> &BigUint) -> Polynomial {
        let [p, q]: [Polynomial; 2] = unknown_faces(2).try_into().expect("a coin has two faces");
        // Horner's rule: the words with i tails or more
        let (mut sum, mut heads) = (Polynomial::zero(), Polynomial::one());
        for words in &self.levels[depth] {
            let count = Polynomial::constant(count(words).clone());
            sum = &(&sum * &q) + &(&count * &heads);
            heads = &heads * &p;
        }
        sum
    }

    fn total(&self, count: fn(&WordCounts) -> &BigUint) -> Polynomial {
        let depths = 0..self.levels.len();
        let all = depths.map(|depth| self.polynomial(depth, count));
        all.fold(Polynomial::zero(), |sum, of| &sum + &of)
    }

    /// `E[T]` in tosses, as a function of p.
    pub fn mean(&self) -> RationalFunction {
        let again = self.total(|words| &words.leaves[2]);
        RationalFunction::new(
            self.total(|words| &words.undecided),
            &Polynomial::one() - &again,
        )
    }

    /// The coin that it makes of a source whose p is known, as weights of heads and tails.
    ///
    /// # Errors
    /// [`Refusal`] of a source that is no coin or whose probabilities are unknown.
    pub fn target(&self, source: &Source) -> Result<Target, Refusal> {
        if source.sides() != 2u8.into() {
            return Err(Refusal::Rule(format!(
                "a function of p is made from a coin, and the source is {}",
                source.with_article()
            )));
        }
        let p = source
            .probability(0)
            .ok_or_else(|| Refusal::UnknownSource(source.clone()))?;
        let value = self
            .function
            .evaluate(&[p])
            .expect("no pole between 0 and 1");
        let (heads, all) = (value.numer().magnitude(), value.denom().magnitude());
        Ok(Target::weighted([heads.clone(), all - heads]).expect("one is above 0"))
    }

    fn law_of(&self, die: &LoadedDie) -> Law {
        let faces = <[BigUint; 2]>::try_from(die.weights()).expect("a coin");
        let undecided = self.sums(&faces, |words| &words.undecided);
        let again = self.sums(&faces, |words| &words.leaves[2]);
        let state = |depth: usize| {
            let (goes_on, starts) = (undecided[depth + 1].clone(), again[depth + 1].clone());
            let ends = die.sum() * &undecided[depth] - &goes_on - &starts;
            let next = Next::State(depth as u32 + 1);
            (
                1,
                [
                    (goes_on, next),
                    (starts, Next::State(0)),
                    (ends, Next::Outcome(0)),
                ],
            )
        };
        die.law((0..self.length()).map(state))
    }
}

static ABOUT: About = About {
    id: "mossel-peres",
    name: "Mossel & Peres's automaton",
    citation: "Mossel & Peres 2005; Keane & O'Brien 1994",
    memory: Memory::State,
    bounded: "for polynomials with integer coefficients",
    rule: "toss N coins: of the words with k heads d_k are heads, e_k - d_k are tails, the others start again",
    law: "rounds with u_j undecided after j tosses, a again: E = (u_0 + ... + u_(N-1)) / (1 - a)",
};

/// The rule for a coin.
pub(super) struct CoinFunctionRule {
    of: CoinFunction,
    die: LoadedDie,
}

/// The tosses of a round so far.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct RoundState {
    tosses: usize,
    heads: usize,
    /// Among the undecided words with as many.
    rank: BigUint,
}

impl fmt::Debug for RoundState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.tosses {
            0 => f.write_str("before a round"),
            tosses => write!(
                f,
                "{tosses} toss{}, {} heads, word {}",
                if tosses == 1 { "" } else { "es" },
                self.heads,
                &self.rank + 1u8
            ),
        }
    }
}

impl Rule for CoinFunctionRule {
    type State = RoundState;

    fn start(&self) -> Step<RoundState> {
        Step::Roll(RoundState {
            tosses: 0,
            heads: 0,
            rank: BigUint::zero(),
        })
    }

    fn step(&self, at: &RoundState, face: u64) -> Step<RoundState> {
        // those that come by heads are before those that come by tails
        let before = match (face, at.heads) {
            (0, _) | (_, 0) => BigUint::zero(),
            (_, heads) => self.of.levels[at.tosses][heads - 1].undecided.clone(),
        };
        let (tosses, heads) = (at.tosses + 1, at.heads + usize::from(face == 0));
        let words = &self.of.levels[tosses][heads];
        let mut rank = before + &at.rank;
        for (outcome, leaves) in (0u8..).zip(&words.leaves) {
            if rank < *leaves {
                return match outcome {
                    2 => self.start(),
                    outcome => Step::Output(outcome.into()),
                };
            }
            rank -= leaves;
        }
        Step::Roll(RoundState {
            tosses,
            heads,
            rank,
        })
    }
}

impl RuleInfo for CoinFunctionRule {
    const ABOUT: About = ABOUT;
    const PURPOSE: Purpose = Purpose::Nothing;

    fn new(_: &Task) -> Result<Self, Refusal> {
        Err(Refusal::Rule(
            "it makes a coin of a function of p: a target such as f(p)=p^2 was expected"
                .to_string(),
        ))
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.of.law_of(&self.die))
    }
}

/// The rule for one function, as an algorithm.
struct CoinAlgorithm(CoinFunction);

impl Algorithm for CoinAlgorithm {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn purpose(&self) -> Purpose {
        Purpose::Nothing
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let made = self.0.target(task.source())?;
        if made != *task.target() {
            return Err(Refusal::Rule(format!(
                "it makes the weights {made:#} of this source, and the target is {:#}",
                task.target()
            )));
        }
        self.prepare_to_play(task)
    }

    /// For any target of two outcomes, whose probabilities are not looked at.
    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let (of, die) = (self.0.clone(), LoadedDie::coin(task)?);
        Ok(Box::new(PreparedEntry::new(
            CoinFunctionRule { of, die },
            task,
        )))
    }
}

/// The rule by its id, without a function: it refuses all targets that are none.
pub(super) static MOSSEL_PERES: &dyn Algorithm = from_rule::<CoinFunctionRule>();

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::functions::parse_function;

    fn rule(text: &str) -> CoinFunction {
        let function = parse_function(text).unwrap();
        CoinFunction::new(function).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    const FUNCTIONS: [&str; 17] = [
        "p",
        "1-p",
        "p^2",
        "2*p*(1-p)",
        "1/2",
        "1/3",
        "2/5",
        "p/2",
        "(1+p)/3",
        "p^2/(p^2+(1-p)^2)",
        "p/(1+p)",
        "1/(1+p+p^2)",
        "3*p^2-2*p^3",
        "4*p*(1-p)*(1-p*(1-p))",
        "1-p+p^2",
        "p*(1-p)*(2-3*p+3*p^2)",
        "(p^3+1/7)/(1+p^4)",
    ];

    /// Of the chain of its steps: the probabilities of heads and of tails are f and 1 - f as rational functions, and the mean
    /// is that of the formula. At known p the law is that of the steps.
    #[test]
    fn the_function_that_it_tosses() {
        for text in FUNCTIONS {
            let rule = rule(text);
            for source in ["1:1", "1:2", "5:3"] {
                let source: Source = source.parse().unwrap();
                let task = Task::new(source.clone(), rule.target(&source).unwrap());
                let prepared = rule.clone().algorithm().prepare(&task).unwrap();
                let (chain, _) = prepared.chain(1 << 16).unwrap();
                let unknown = chain.of_unknown_source().unwrap();
                let outcomes = unknown.outcomes();
                assert_eq!(outcomes[&BigUint::zero()], *rule.function(), "{text}");
                let both = &outcomes[&BigUint::zero()] + &outcomes[&BigUint::one()];
                assert_eq!(both, Polynomial::one().into(), "{text}");
                assert_eq!(unknown.mean(), rule.mean(), "{text}");
                let law = prepared.law().unwrap();
                let (mean, second) = chain.moments();
                assert_eq!(law.variance().unwrap(), second - &mean * &mean, "{text}");
                assert_eq!(
                    rule.mean().evaluate(&[source.probability(0).unwrap()]),
                    Some(mean.clone())
                );
                assert_eq!(law.mean().unwrap(), mean, "{text}");
                let stepped = Law::from(chain);
                assert!(
                    law.survival()
                        .zip(stepped.survival())
                        .take(20)
                        .all(|(a, b)| a == b)
                );
                assert_eq!(law.max().is_some(), rule.is_bounded(), "{text}");
            }
        }
    }

    /// Bounded exactly for polynomials with integer coefficients.
    #[test]
    fn a_bounded_number_of_tosses() {
        for text in FUNCTIONS {
            let rule = rule(text);
            let whole = rule
                .function()
                .denominator()
                .as_constant()
                .is_some_and(|c| c.is_one());
            assert_eq!(rule.is_bounded(), whole, "{text}");
        }
        // heads or tails of one toss; a majority of three; heads twice of four tosses
        let means = |text| rule(text).mean().to_string();
        assert_eq!(means("1-p"), "1");
        assert_eq!(means("3*p^2-2*p^3"), "2 + 2*p - 2*p^2");
        assert_eq!(rule("6*p^2*(1-p)^2").length(), 4);
    }

    /// All words of a level are there: with k heads C(N, k), shared as f says.
    #[test]
    fn all_words_are_shared_out() {
        for text in FUNCTIONS {
            let rule = rule(text);
            let leaf = |i: usize| match i {
                0 => rule.total(|words| &words.leaves[0]),
                1 => rule.total(|words| &words.leaves[1]),
                _ => rule.total(|words| &words.leaves[2]),
            };
            let [heads, tails, again] = [0, 1, 2].map(leaf);
            assert_eq!(&(&heads + &tails) + &again, Polynomial::one(), "{text}");
            let made = RationalFunction::new(heads, &Polynomial::one() - &again);
            assert_eq!(made, *rule.function(), "{text}");
        }
    }

    #[test]
    fn what_is_no_probability() {
        for (text, why) in [
            ("0", "it is 0 at p = 1/2"),
            ("1", "it is 1 at p = 1/2"),
            ("2*p", "it is 1 at p = 1/2"),
            ("p - 1/3", "it is -1/3"),
            ("-p", "it is -1/2 at p = 1/2"),
            ("1/p", "it is 2 at p = 1/2"),
            ("p/(2*p-1)", "a pole"),
            ("(3*p-1)^2", "it is 1/4 at p = 1/2, "),
            ("(41*p-20)^2/2000", "reaches 0 or 1"),
            ("(p - 1/2)^2 + 1/10^6", "more than 128 tosses"),
        ] {
            let error = CoinFunction::new(parse_function(text).unwrap()).map(|_| ());
            let error = error.unwrap_err().to_string();
            match text {
                "(3*p-1)^2" => assert!(error.contains("it is 0 at p = 1/3"), "{error}"),
                "p - 1/3" => assert!(error.contains("it is 0 at p = 1/3"), "{error}"),
                _ => assert!(error.contains(why), "{text}: {error}"),
            }
        }
        let two = Polynomial::variable(1).into();
        assert_eq!(
            CoinFunction::new(two).unwrap_err(),
            WhyNoCoin::Variables(2).into()
        );
    }
}
