//! The sum of independent numbers of rolls by convolution, tilted so that its tails can be
//! computed.
//!
//! Each law is stored as a list of lower bounds q(t) <= P(T = t), in units of 2^-w. The list ends
//! where P(T > t) < 2^-w, and its missing mass, 1 - sum q(t), is known. Let S be the sum of
//! independent numbers with the laws q, and P' its (incomplete) probabilities. Then
//!
//! ```text
//! P'(S > t) <= P(T_1 + ... + T_K > t) <= P'(S > t) + (the missing masses of all K)
//! ```
//!
//! A tail P'(S > t) may be as small as 2^-4096, and yet is computed with numbers of a few words: if
//! each q(t) is multiplied by z^t for a suitable z > 0 (the exponential tilting of Esscher 1932 and
//! Cramér 1938), the law of the sum is large near the requested t,
//!
//! ```text
//! P'(S = t) = z^-t [q(t) z^t]*K,   P'(S > t) = z^-(t+1) sum_{u>t} f(u) z^-(u-t-1),   f = [q(t) z^t]*K
//! ```
//!
//! where *K is the K-fold convolution. So f is computed in fixed point, rounded down ([`Masses`]).
//! The total loss by rounding is at most (sum_t q(t) z^t)^K - sum f. For z >= 1, the tail P'(S > t)
//! is too small by at most z^-(t+1) times the loss; for z <= 1 the same holds for P'(S <= t). The
//! number z is chosen by computations in doubles; the bounds hold for any z.

use super::masses::{Masses, Truncation};
use super::side::{MAX_BITS, Side, TooSmall};
use crate::law::Law;
use flipcost_number::budget::reserve;
use flipcost_number::budget::spend;
use flipcost_number::scaled::{Scaled, about_log2, shifted_down, shifted_up};
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::sync::{Arc, Mutex, PoisonError};

/// The law of a single draw that is repeated.
#[derive(Clone, PartialEq)]
pub(in crate::law) enum RepeatedDraw {
    /// A law of rolls.
    Law(Law),
    /// Attempts of `each` rolls, repeated until one is accepted; each attempt is accepted with this
    /// probability.
    Attempts { accept: Rational, each: u64 },
}

/// Lower bounds of the probabilities of one draw, in units of 2^-w.
struct LowerBounds {
    /// The least possible number of rolls.
    first: u64,
    /// For each possible number of rolls: its excess over the least number, and the bound.
    masses: Vec<(u64, BigUint)>,
    missing: BigUint,
}

impl RepeatedDraw {
    /// Lists the bounds until the missing mass is at most 2^-bits. For attempts, the numbers of
    /// rolls are taken modulo `block`, if it is given. Cost: as [`Law::undecided_nodes`], and for
    /// each roll a quotient of `bits` bits.
    fn list_bounds(&self, bits: u64, block: Option<u64>) -> LowerBounds {
        let one = BigUint::one() << bits;
        let (mut first, mut masses, mut missing) = (None, Vec::new(), one.clone());
        let mut add = |rolls: u64, mass: BigUint| {
            let first = *first.get_or_insert(rolls);
            missing -= &mass;
            if !mass.is_zero() || masses.is_empty() {
                masses.push((rolls - first, mass));
            }
        };
        match self {
            RepeatedDraw::Attempts { accept, each } => {
                let (a, b) = (accept.numer().magnitude(), accept.denom().magnitude());
                // After this many attempts the number of rolls repeats modulo the block.
                let period = block.map(|block| block / block.gcd(each));
                if let Some(period) = period {
                    reserve(period.saturating_mul(bits / 2 + 100)); // four numbers for each
                }
                let mut left = one.clone();
                let mut attempts = Vec::new();
                while !left.is_zero()
                    && period.is_none_or(|period| (attempts.len() as u64) < period)
                {
                    spend(bits / 8 + 100);
                    attempts.push(&left * a / b);
                    left = left * (b - a) / b;
                }
                let all = &one - left;
                for (attempt, mass) in (1..).zip(attempts) {
                    add(attempt * each, (mass << bits) / &all);
                }
            }
            RepeatedDraw::Law(law) => {
                let (undecided, base) = law.undecided_nodes();
                // base^-rolls, rounded down, with more bits than the listed bounds.
                let digits = bits + 64;
                let (mut inverse, mut places) = (BigUint::one() << digits, digits);
                let (mut before, mut rolls) = (BigUint::one(), 0u64);
                for now in undecided {
                    if rolls > 0 {
                        before *= &base;
                        inverse = (inverse << base.bits()) / &base;
                        let more = inverse.bits().saturating_sub(digits);
                        inverse >>= more;
                        places += base.bits() - more;
                    }
                    spend((digits + before.bits()) / 8 + 50);
                    let mass = |nodes: &BigUint| (nodes * &inverse) >> (places - bits);
                    let ended = &before - &now;
                    if !ended.is_zero() {
                        add(rolls, mass(&ended));
                    }
                    if mass(&now).is_zero() {
                        break;
                    }
                    (before, rolls) = (now, rolls + 1);
                }
            }
        }
        LowerBounds {
            first: first.unwrap_or(0),
            masses,
            missing,
        }
    }
}

/// The lists of all draws, with a common step between the numbers of rolls.
struct DrawLists {
    bits: u64,
    /// The least number of rolls of all draws together; all other numbers exceed it by a multiple
    /// of `step`.
    first: u64,
    step: u64,
    /// The lists, each with the number of draws that have it.
    draws: Vec<(LowerBounds, u64)>,
    /// For each list, its places and log2 of its bounds, as doubles, and the number of its draws;
    /// used to choose z.
    log_masses: Vec<(Vec<(f64, f64)>, u64)>,
    /// The missing masses of all draws, in units of 2^-bits.
    missing: BigUint,
}

impl DrawLists {
    fn new(draws: &[(RepeatedDraw, u64)], bits: u64, block: Option<u64>) -> DrawLists {
        let lists = (draws.iter()).map(|(draw, count)| (draw.list_bounds(bits, block), *count));
        let draws: Vec<(LowerBounds, u64)> = lists.collect();
        let all = || draws.iter().flat_map(|(list, _)| &list.masses);
        let step = all().fold(0, |step, (rolls, _)| step.gcd(rolls)).max(1);
        let about = |(list, count): &(LowerBounds, u64)| {
            let positive = list.masses.iter().filter(|(_, mass)| !mass.is_zero());
            let place = |(rolls, mass): &(u64, BigUint)| {
                ((rolls / step) as f64, about_log2(mass) - bits as f64)
            };
            (positive.map(place).collect(), *count)
        };
        DrawLists {
            bits,
            first: draws.iter().map(|(list, count)| list.first * count).sum(),
            step,
            log_masses: draws.iter().map(about).collect(),
            missing: draws
                .iter()
                .map(|(list, count)| &list.missing * *count)
                .sum(),
            draws,
        }
    }

    /// log2 of sum q(t) z^t over all draws, and the mean of the tilted sum, for z = 2^tilt.
    fn log_and_mean(&self, tilt: f64) -> (f64, f64) {
        let (mut log, mut mean) = (0.0, 0.0);
        for (masses, count) in &self.log_masses {
            spend(20 * masses.len() as u64);
            let exponent = |(place, mass): &(f64, f64)| mass + place * tilt;
            let most = masses
                .iter()
                .map(exponent)
                .fold(f64::NEG_INFINITY, f64::max);
            let (mut sum, mut places) = (0.0, 0.0);
            for point in masses {
                let part = (exponent(point) - most).exp2();
                sum += part;
                places += part * point.0;
            }
            log += (most + sum.log2()) * *count as f64;
            mean += places / sum * *count as f64;
        }
        (log, mean)
    }

    /// Estimates the number of bits of the tail at a place beyond half of the range of the lists:
    /// there the tail decreases from place to place as the longest list does.
    fn tail_bits_estimate(&self, place: f64) -> f64 {
        let last =
            |(masses, _): &(Vec<(f64, f64)>, u64)| masses.last().map_or(0.0, |(place, _)| *place);
        let held: f64 = self
            .log_masses
            .iter()
            .map(|list| last(list) * list.1 as f64)
            .sum();
        let longest = self.log_masses.iter().map(last).fold(1.0, f64::max);
        if place > held / 2.0 {
            place * self.bits as f64 / longest
        } else {
            0.0
        }
    }

    /// Finds the tilt between `low` and `high` at which an increasing function of the tilt is 0.
    fn find_tilt(&self, rising: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if rising(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }

    /// Computes the law of the sum of all draws, with the probability at each place multiplied by
    /// z^place.
    fn convolve_tilted(&self, z: &DyadicWeight, keep: Truncation) -> TiltedLaw {
        let work = keep.bits + 2 * self.bits.ilog2() as u64 + 40;
        let (mut law, mut all): (Option<Masses>, Scaled) = (None, Scaled::one());
        for (list, count) in &self.draws {
            reserve((list.masses.len() as u64).saturating_mul(work / 2 + 200));
            let (mut power, mut at) = (Scaled::one(), 0);
            let mut weighted: Vec<(u64, Scaled)> = Vec::new();
            let mut sum = Scaled::exact(BigUint::zero(), 0);
            for (rolls, mass) in &list.masses {
                let place = rolls / self.step;
                power = power.times(&z.scaled().power(place - at, work), work);
                at = place;
                spend(work / 4 + 200);
                let mass = Scaled::exact(mass.clone(), -i128::from(self.bits));
                let mass = mass.times(&power, work);
                sum = sum.plus(&mass, work);
                weighted.push((place, mass));
            }
            let exponent = sum.exponent + i128::from(sum.high.bits()) - i128::from(keep.bits);
            let places = keep.modulo.map_or(at, |modulo| at.min(modulo - 1)) + 1;
            let mut terms = vec![BigUint::zero(); places as usize];
            for (place, mass) in weighted {
                let place = keep.modulo.map_or(place, |modulo| place % modulo);
                terms[place as usize] += shifted_down(&mass.low, mass.exponent - exponent);
            }
            let one = Masses {
                first: 0,
                terms,
                exponent,
            };
            let many = one.power(*count, keep);
            all = all.times(&sum.power(*count, work), work);
            law = Some(match law {
                None => many,
                Some(law) => law.times(&many, keep),
            });
        }
        let law = law.expect("at least one draw");
        let lost = shifted_up(&all.high, all.exponent - law.exponent) - law.sum();
        TiltedLaw { law, lost }
    }
}

/// A positive double, as an integer divided by a power of two.
#[derive(Clone)]
struct DyadicWeight {
    mantissa: u64,
    exponent: i128,
}

impl DyadicWeight {
    /// The number 2^tilt, rounded to a double.
    fn power_of_two(tilt: f64) -> DyadicWeight {
        let whole = tilt.floor();
        DyadicWeight {
            mantissa: ((tilt - whole).exp2() * (1u64 << 52) as f64) as u64,
            exponent: whole as i128 - 52,
        }
    }

    fn scaled(&self) -> Scaled {
        Scaled::exact(self.mantissa.into(), self.exponent)
    }

    fn inverse(&self, bits: u64) -> Scaled {
        let mut inverse = Scaled::ratio(&BigUint::one(), &self.mantissa.into(), bits);
        inverse.exponent -= self.exponent;
        inverse
    }
}

/// Lower bounds of a law, and the total loss in the same units.
struct TiltedLaw {
    law: Masses,
    lost: BigUint,
}

/// The tails P(T > t), or P(T <= t), near the place for which z was chosen.
struct TailWindow {
    z: DyadicWeight,
    /// Whether the tails are P(T > t).
    above: bool,
    /// The sums for the places from `first` on. For P(T > t), a sum is over all places above its
    /// place, with weights relative to the next place; for P(T <= t), over all places up to its
    /// place, with weights relative to its place.
    first: u64,
    sums: Vec<BigUint>,
    exponent: i128,
    slack: BigUint,
    bits: u64,
    lists: Arc<DrawLists>,
}

impl TailWindow {
    fn new(
        tilted: TiltedLaw,
        lists: Arc<DrawLists>,
        z: DyadicWeight,
        above: bool,
        bits: u64,
    ) -> TailWindow {
        let TiltedLaw { law, lost } = tilted;
        let down = |sum: BigUint| {
            if above {
                shifted_down(&sum, -z.exponent) / z.mantissa
            } else {
                shifted_down(&(sum * z.mantissa), z.exponent)
            }
        };
        // The code divides by z only if z >= 1, and multiplies by z only if z <= 1, so errors do
        // not grow.
        let slack = lost + law.terms.len() as u64 + 1u8;
        let mut sum = BigUint::zero();
        let mut sums = Vec::with_capacity(law.terms.len());
        spend(50 * law.terms.len() as u64);
        if above {
            for term in law.terms.iter().rev() {
                sums.push(sum.clone());
                sum = down(sum) + term;
            }
            sums.reverse();
        } else {
            for term in &law.terms {
                sum = down(sum) + term;
                sums.push(sum.clone());
            }
        }
        TailWindow {
            z,
            above,
            first: law.first,
            sums,
            exponent: law.exponent,
            slack,
            bits,
            lists,
        }
    }

    /// Encloses the tail at this number of rolls; `None` if the window does not contain this
    /// number.
    fn scaled_at(&self, rolls: u64) -> Option<Scaled> {
        let place = (rolls - self.lists.first) / self.lists.step;
        let sum = self.sums.get(place.checked_sub(self.first)? as usize)?;
        let sum = Scaled {
            low: sum.clone(),
            high: sum + &self.slack,
            exponent: self.exponent,
        };
        let work = self.bits + 80;
        let power = self
            .z
            .inverse(work)
            .power(place + u64::from(self.above), work);
        let missing = Scaled::exact(self.lists.missing.clone(), -i128::from(self.lists.bits));
        Some(sum.times(&power, work).plus(&missing.or_less(), work))
    }
}

/// The law of a sum of draws, by convolution.
pub(super) struct Convolved {
    draws: Vec<(RepeatedDraw, u64)>,
    /// The number of draws.
    count: u64,
    lists: Mutex<Option<Arc<DrawLists>>>,
    windows: Mutex<Vec<Arc<TailWindow>>>,
}

/// The initial precision of the lists.
const FIRST_BITS: u64 = 160;
/// The least number of significant bits of a window, so that the same window serves a search and
/// the displayed double.
const MIN_WINDOW_BITS: u64 = 64;
/// The maximum number of windows that are kept.
const MAX_WINDOWS: usize = 8;
/// The number of extra bits of a window's terms: terms at its ends are dropped while their sum is
/// below 2 to this power, in units.
const PLACES_BITS: u64 = 24;
/// The largest tilt, for which the weights stay below the largest double, about 2^1000.
const MAX_TILT: f64 = 900.0;

impl Convolved {
    pub fn new(draws: Vec<(RepeatedDraw, u64)>) -> Convolved {
        Convolved {
            count: draws.iter().map(|(_, count)| count).sum(),
            lists: Mutex::default(),
            draws,
            windows: Mutex::default(),
        }
    }

    fn lists_at_precision(&self, bits: u64) -> Arc<DrawLists> {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lists.take().filter(|lists| lists.bits >= bits);
        let anew = || DrawLists::new(&self.draws, bits.max(FIRST_BITS), None).into();
        lists.insert(known.unwrap_or_else(anew)).clone()
    }

    /// The least number of rolls, and the step between possible numbers of rolls.
    pub(crate) fn lattice(&self) -> (u64, u64) {
        let lists = self.lists_at_precision(0);
        (lists.first, lists.step)
    }

    /// Returns the number of bits by which the loss may grow in all products together.
    fn guard_bits(&self) -> u64 {
        20 + u64::from(u64::BITS - self.count.leading_zeros())
    }

    /// Encloses the smaller of P(T > t) and P(T <= t) to `bits` significant bits; t must be at
    /// least the least number of rolls.
    ///
    /// Cost: for K draws, log2 K products of lists. The length of a list is about 10 sqrt(bits K)
    /// standard deviations of one draw, and each term has twice `bits` + log2 K bits. If P is
    /// smaller than in earlier calls, the lists are computed again with enough bits.
    pub fn side(&self, rolls: u64, bits: u64) -> Result<Side, TooSmall> {
        let mut extra = 8;
        loop {
            if let Some(side) = self.known_side(rolls, bits) {
                return Ok(side);
            }
            self.add_window(rolls, bits.max(MIN_WINDOW_BITS) + extra)?;
            extra *= 2;
        }
    }

    /// Looks up the tail in the stored windows.
    fn known_side(&self, rolls: u64, bits: u64) -> Option<Side> {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.iter().rev().find_map(|window| {
            let side = window.scaled_at(rolls)?;
            side.is_within(bits).then(|| {
                if window.above {
                    Side::Above(side)
                } else {
                    Side::Below(side)
                }
            })
        })
    }

    /// Computes and stores a window that contains this number of rolls.
    fn add_window(&self, rolls: u64, bits: u64) -> Result<(), TooSmall> {
        let mut lists = self.lists_at_precision(0);
        let (above, tilt) = loop {
            let place = ((rolls - lists.first) / lists.step) as f64;
            let (_, mean) = lists.log_and_mean(0.0);
            let above = place >= mean;
            // The sum over the places above a place begins at the next place.
            let wanted = if above { place + 1.0 } else { place };
            let (low, high) = if above {
                (0.0, MAX_TILT)
            } else {
                (-MAX_TILT, 0.0)
            };
            let tilt = lists.find_tilt(|tilt| lists.log_and_mean(tilt).1 - wanted, low, high);
            let level = (wanted * tilt - lists.log_and_mean(tilt).0).clamp(0.0, 1e15);
            let needed = level as u64 + bits + self.guard_bits() + 8;
            if lists.bits >= needed {
                break (above, tilt);
            }
            if lists.bits >= MAX_BITS + bits
                || lists.tail_bits_estimate(place) > 2.0 * MAX_BITS as f64
            {
                return Err(TooSmall);
            }
            // Near the ends of the lists the estimate of the needed bits is too large, so the
            // precision grows in steps.
            lists = self.lists_at_precision(needed.min(2 * lists.bits + bits));
        };
        let z = DyadicWeight::power_of_two(tilt);
        let keep = Truncation {
            bits: bits + self.guard_bits() + PLACES_BITS,
            cut: PLACES_BITS,
            modulo: None,
        };
        let window = TailWindow::new(
            lists.convolve_tilted(&z, keep),
            lists.clone(),
            z,
            above,
            keep.bits,
        );
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() == MAX_WINDOWS {
            windows.remove(0);
        }
        windows.push(window.into());
        Ok(())
    }

    /// Estimates the least t with P(T > t) <= 2^-level, by Chernoff's bound.
    pub fn estimate_quantile(&self, level: f64) -> u64 {
        let lists = self.lists_at_precision((level.max(0.0) as u64 + 64).min(1 << 20));
        let rate = |tilt: f64| {
            let (log, mean) = lists.log_and_mean(tilt);
            mean * tilt - log
        };
        let tilt = lists.find_tilt(|tilt| rate(tilt) - level, 0.0, MAX_TILT);
        lists.first + lists.log_and_mean(tilt).1.max(0.0).ceil() as u64 * lists.step
    }

    /// Encloses E[(-(T + offset)) mod block] to a width of at most 2^-bits.
    pub fn unused(&self, block: u64, offset: u64, bits: u64) -> Scaled {
        let digits = u64::from(u64::BITS - block.leading_zeros());
        // The precision must be high enough to represent the probability that the first attempt is
        // accepted.
        let fine = |(draw, _): &(RepeatedDraw, u64)| match draw {
            RepeatedDraw::Attempts { accept, .. } => {
                (accept.denom().bits() + 1).saturating_sub(accept.numer().bits())
            }
            RepeatedDraw::Law(_) => 0,
        };
        let mut work = bits + digits + 8 + self.draws.iter().map(fine).max().unwrap_or(0);
        loop {
            let lists = DrawLists::new(&self.draws, work + self.guard_bits(), Some(block));
            let keep = Truncation {
                bits: work + self.guard_bits() + PLACES_BITS,
                cut: 0,
                modulo: Some(block / block.gcd(&lists.step)),
            };
            let TiltedLaw { law, lost } =
                lists.convolve_tilted(&DyadicWeight::power_of_two(0.0), keep);
            let rolls =
                |place: u64| u128::from(lists.first) + u128::from(place) * u128::from(lists.step);
            let unused = |place: u64| {
                let used = (rolls(place) + u128::from(offset)) % u128::from(block);
                (u128::from(block) - used) % u128::from(block)
            };
            let terms = law.terms.iter().zip(law.first..);
            let low: BigUint = terms.map(|(term, place)| term * unused(place)).sum();
            let sum = Scaled {
                high: &low + lost * block,
                low,
                exponent: law.exponent,
            };
            let missing = Scaled::exact(&lists.missing * block, -i128::from(lists.bits)).or_less();
            let sum = sum.plus(&missing, work + 64);
            if sum.fixed(bits + 2).is_within(bits) {
                return sum;
            }
            work += 64;
        }
    }
}
