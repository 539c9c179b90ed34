//! One call of a library function for a target of n sides: the words that the call draws, the bits
//! of these words that it uses, and its result.

use flipcost::algorithms::attempt::{Attempt, AttemptState, Map};
use flipcost::algorithms::{WordRule, WordState};
use flipcost::law::{Law, OutcomeLaw, Step};
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// How a call makes its result from random words.
pub enum Call {
    /// Draws nothing: there is only one outcome.
    Free,
    /// Makes attempts, each of which uses this many bits.
    Attempts(Attempt, BitsRead),
    /// Uses Canon's method or the interval algorithm.
    Words(WordRule),
    /// Makes a high digit by attempts and a low digit from one word. Makes both again if they form
    /// a number of n or more.
    Digits(DigitCall),
}

/// The number of bits that an attempt uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitsRead {
    /// A fixed number of bits.
    Bits(u32),
    /// A fixed number of bits of a word of 31 bits. If they equal the bits of the last result, the
    /// word is drawn again.
    Fresh(u32),
    /// A fixed number of bits for every piece of the word, until a piece is accepted.
    Pieces(u32),
    /// The number of bits is not an integer.
    NoBits,
}

/// How often a call draws more words, as a function of n: see [`Call::retries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRetries {
    /// Accepts all W values of a word.
    Always(u128),
    /// Accepts n of the W values of a word.
    Below(u128),
    /// Accepts the values below the largest multiple of n that is at most W.
    Multiple(u128),
    /// Draws one more word for n - gcd(n, W) of the W values.
    Second(u128),
    /// Draws further words until the result is decided: after each word of W values, n - gcd(n, W)
    /// results are undecided.
    Further(u128),
}

/// How a call makes a high and a low digit: see [`Call::Digits`].
pub struct DigitCall {
    /// The high digit, uniform from 0 to floor((n - 1) / R), by attempts of one word.
    pub high: Attempt,
    /// The number of bits that an attempt for the high digit uses.
    pub look: u32,
    /// The number R of values of a word.
    pub low: u128,
    /// The number n of sides of the target.
    pub target: BigUint,
}

/// The state of a call between two words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum CallState {
    /// The state is within an attempt.
    Attempt(AttemptState),
    /// The state is after some words of Canon's method or the interval algorithm.
    Words(WordState),
    /// The state is after this high digit.
    Low(BigUint),
}

impl fmt::Debug for CallState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CallState::Attempt(at) => at.fmt(f),
            CallState::Words(at) => at.fmt(f),
            CallState::Low(high) => write!(f, "high digit {high}"),
        }
    }
}

impl DigitCall {
    fn high_target(&self) -> &BigUint {
        &self.high.target
    }

    /// Returns the expected rounds of a high and a low digit: (H + 1) R / n.
    fn rounds(&self) -> Rational {
        let all = self.high_target() * self.low;
        Rational::new(all.into(), self.target.clone().into())
    }

    /// Computes the law of the number of words. Let A of the R words be accepted for the high
    /// digit. After one word, A cases go on and R - A start again. Of the A R pairs of words, A n /
    /// (H + 1) give one of the n values and are accepted.
    fn law(&self) -> Law {
        let all = BigUint::from(self.low);
        let accepted = self.high.accepts() * BigInt::from(all.clone());
        let accepted = accepted.to_integer().magnitude().clone();
        let pairs = &accepted * &all;
        let kept = &accepted * &self.target / self.high_target();
        let returns = [(1, &all - &accepted), (2, pairs - kept)];
        let returns = returns.into_iter().filter(|(_, count)| !count.is_zero());
        let alive = vec![BigUint::one(), accepted];
        Law::blocks(self.low, vec![], alive, returns.collect())
    }
}

impl Call {
    /// Returns the interval algorithm, which draws at least one word.
    pub fn interval(source: Source, n: &BigUint) -> Result<Call, Refusal> {
        let target = Target::uniform(n.clone()).map_err(|e| Refusal::Rule(e.to_string()))?;
        Ok(Call::Words(WordRule::interval(&Task::new(target, source))?))
    }

    pub fn start(&self) -> Step<CallState> {
        match self {
            Call::Free => Step::Output(BigUint::zero()),
            Call::Attempts(attempt, _) => attempt.start().map(CallState::Attempt),
            Call::Words(rule) => rule.start().map(CallState::Words),
            Call::Digits(digits) => digits.high.start().map(CallState::Attempt),
        }
    }

    pub fn step(&self, at: &CallState, face: u64) -> Step<CallState> {
        match (self, at) {
            (Call::Attempts(attempt, _), CallState::Attempt(at)) => {
                attempt.step(at, face).map(CallState::Attempt)
            }
            (Call::Words(rule), CallState::Words(at)) => rule.step(at, face).map(CallState::Words),
            (Call::Digits(digits), CallState::Attempt(at)) => match digits.high.step(at, face) {
                Step::Output(high) => Step::Roll(CallState::Low(high)),
                Step::Roll(at) => Step::Roll(CallState::Attempt(at)),
            },
            (Call::Digits(digits), CallState::Low(high)) => {
                let value = high * digits.low + face;
                if value < digits.target {
                    Step::Output(value)
                } else {
                    self.start()
                }
            }
            _ => unreachable!("a state of another call"),
        }
    }

    /// Returns the law of the number of words.
    pub fn law(&self) -> Law {
        match self {
            Call::Free => Law::blocks(2u8, vec![], vec![], vec![]),
            Call::Attempts(_, BitsRead::Fresh(bits)) => {
                let again = BigUint::one() << (31 - bits);
                Law::blocks(1u128 << 31, vec![], vec![BigUint::one()], vec![(1, again)])
            }
            Call::Attempts(attempt, _) => attempt.law(),
            Call::Words(rule) => rule.law(),
            Call::Digits(digits) => digits.law(),
        }
    }

    /// Returns the number of words that are always drawn, and the rule for further words, for words
    /// with `word` values. Returns `None` for a high and a low digit, for pieces, and if the number
    /// of attempts has a limit.
    pub fn retries(&self, word: u128) -> Option<(u32, WordRetries)> {
        Some(match self {
            Call::Free => (0, WordRetries::Always(1)),
            Call::Words(rule) => match rule.most_words() {
                Some(_) => (1, WordRetries::Second(word)),
                None => (1, WordRetries::Further(word)),
            },
            Call::Attempts(attempt, _) if attempt.last.is_none() => {
                let values = attempt.values.to_u128()?;
                let shared = |each: &BigUint| *each == &attempt.values / &attempt.target;
                let again = match &attempt.map {
                    Map::Below => WordRetries::Below(values),
                    Map::Remainder(limit) if *limit == attempt.values => {
                        WordRetries::Always(values)
                    }
                    Map::Share | Map::Bounds(_) | Map::Doubles(_) | Map::Folded => {
                        WordRetries::Always(values)
                    }
                    Map::Product | Map::Remainder(_) => WordRetries::Multiple(values),
                    Map::Quotient(each) if shared(each) => WordRetries::Multiple(values),
                    Map::Quotient(_) | Map::Pieces(..) => return None,
                };
                (attempt.words, again)
            }
            Call::Attempts(..) | Call::Digits(_) => return None,
        })
    }

    /// Returns the law of the outcomes, if it is not uniform.
    pub fn outcomes(&self) -> Option<OutcomeLaw> {
        match self {
            Call::Attempts(attempt, _) => attempt.outcomes(),
            Call::Words(rule) => rule.outcomes(),
            Call::Free | Call::Digits(_) => None,
        }
    }

    /// Returns the expected number of bits that the call uses, if a word has this many bits; `None`
    /// if a word does not have a whole number of bits.
    pub fn bits_used(&self, word: u32) -> Option<Rational> {
        let word = BigInt::from(word);
        let mean = || self.law().mean().ok();
        match self {
            Call::Free => Some(Rational::zero()),
            Call::Attempts(_, BitsRead::NoBits) => None,
            Call::Attempts(attempt, BitsRead::Bits(bits) | BitsRead::Fresh(bits)) => {
                Some(mean()? * BigInt::from(*bits) / BigInt::from(attempt.words))
            }
            Call::Attempts(attempt, BitsRead::Pieces(bits)) => {
                let Map::Pieces(count, map) = &attempt.map else {
                    unreachable!("pieces are looked at");
                };
                let piece = Attempt {
                    map: (**map).clone(),
                    values: attempt.values.nth_root(*count),
                    ..attempt.clone()
                };
                Some(Rational::from_integer((*bits).into()) / piece.accepts())
            }
            Call::Words(_) => Some(mean()? * word),
            Call::Digits(digits) => {
                let high = Rational::from_integer(digits.look.into()) / digits.high.accepts();
                Some((high + word) * digits.rounds())
            }
        }
    }
}

/// For j = 0, ..., n, finds the least word whose outcome is at least j, by bisection. `outcome`
/// must not decrease from 0 to `words`.
pub fn least_word_of_each_outcome(
    words: u64,
    n: u64,
    outcome: impl Fn(u64) -> u64,
) -> Vec<BigUint> {
    let mut from = 0;
    let mut least = |j: u64| {
        let (mut low, mut high) = (from, words);
        while low < high {
            let middle = low + (high - low) / 2;
            if outcome(middle) >= j {
                high = middle
            } else {
                low = middle + 1
            }
        }
        from = low;
        BigUint::from(low)
    };
    let mut bounds: Vec<BigUint> = (0..n).map(&mut least).collect();
    bounds.push(words.into());
    bounds
}

/// Returns the largest high digit: floor((n - 1) / R).
pub fn largest_high_digit(n: &BigUint, low: u128) -> BigUint {
    (n - 1u8).div_floor(&BigUint::from(low))
}
