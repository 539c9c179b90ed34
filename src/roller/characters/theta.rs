//! Computes the three smooth functions of the series from Taylor polynomials on a grid, with error
//! bounds.
//!
//! ```text
//! g_1(x) = erfc(sqrt(pi) x),   g_2(x) = e^(-pi x^2) / (pi x),   g_3(x) = x e^(-pi x^2)
//! F_i(x) = g_i(x) + g_i(2x) + g_i(4x) + ...
//! ```
//!
//! **Grid.** An octave [2^e, 2^(e+1)) has 32 cells of equal length, each with polynomials of degree
//! 7 around its middle c. Since c is at least 65/64 of the least x of the octave, |x - c| <= c/65
//! in the cell. F_i(c) is g_i(c) plus F_i(2c), and 2c is the middle of a cell of the next octave;
//! for x >= 4, F_i is taken as 0 (g_i(4) < 10^-20).
//!
//! **Coefficients.** Recurrences for the coefficients of E(c + t) = e^(-pi (c + t)^2) follow from
//! E' = -2 pi x E, and those for the g_i from g_1' = -2 E, pi x g_2 = E, g_3 = x E. The two
//! starting values of a cell, e^(-pi c^2) and erfc(sqrt(pi) c), are enclosed; the least of them is
//! above 2^-80.
//!
//! **Error.** In the disc |z - c| <= c/2 the real part of z^2 is at least c^2/4, so there |e^(-pi
//! z^2)| <= e^(-pi c^2/4), |g_1| <= e^(-pi c^2/4) (the integral of 2 e^(-pi t^2) along a line to
//! the right), |g_2| <= 2 e^(-pi c^2/4) / (pi c) and |g_3| <= 3/2 c e^(-pi c^2/4). For each i,
//! `most` is the sum of the bounds of g_i for c, 2c, 4c, .... By Cauchy's estimate the rest of a
//! Taylor series after its first eight terms is at most `most` r^8 / (1 - r), r = |t| / (c/2).
//!
//! **Roundings.** These are the maximum numbers of factors 1 + e of a coefficient, in the sense of
//! the lemma of [`super`]. The double PI is pi (1 + e). A starting value has 2 factors, so that the
//! coefficient e_m of E has 5m + 2, and e_7 has 37. A coefficient of g_2 has at most 3 more, of g_3
//! 2 more, and of g_1 fewer: at most 40. The sums over at most 27 octaves add 26, as doubling is
//! exact. x - c is exact, since 1/2 < x/c < 2 (Sterbenz). Moving the polynomial to x
//! ([`ThetaGrid::near`]) takes one addition in each of 7 sweeps, and a product and an addition for
//! each of at most 7 steps down: 21.
//!
//! **Monomials.** If all signs are +, the recurrences are those of e^(-pi c^2) e^(2 pi c t + pi
//! t^2) instead of E. So for |t| <= r c the sums of the absolute values of all monomials are, with
//! e = e^(-pi c^2 (1 - 2r - r^2)), at most e^(-pi c^2) + 2rc e for g_1, e / (pi c (1 - r)) for g_2
//! and (1 + r) c e for g_3. The largest |t| is r c with r < 0.111: x is within c/65 of c, and in
//! cubics in a j + b with b < 0 < a, |a j| + |b| counts instead of |a j + b|; it is 3 times half
//! the length of a block, which is below x/32. Divided by e^(-pi c^2/4), the three sums are at most
//! 1 + 2rc, 1.13/(pi c), 1.12 c, all times e^(-0.51 pi c^2), and e^(2rc - 0.51 pi c^2) <= e^(r^2 /
//! (0.51 pi)) < 1.01. So they are at most 1.01 times the bounds above, for each of c, 2c, 4c, ...
//! and for the sum.

use std::sync::OnceLock;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use flipcost_number::Enclosure;
use flipcost_number::e_pi::pi;
use flipcost_number::exponential::{erf, exp};
use flipcost_number::threads;

/// The number of terms of a polynomial.
pub(super) const TERMS: usize = 8;
/// log2 of the number of cells in an octave.
const LOG2_CELLS: u32 = 5;
/// The grid covers the octaves from 2^-LOWEST_OCTAVE to 4.
const LOWEST_OCTAVE: u64 = 25;
const OCTAVES: u64 = LOWEST_OCTAVE + 2;
/// The precision of the enclosures, in bits.
pub(super) const BITS: u64 = 192;
const PI: f64 = std::f64::consts::PI;

/// One value each for g_1, g_2 and g_3; the fourth element fills a vector.
pub(super) type ThetaTriple = [f64; 4];

/// Adds a multiple of a term to a sum.
pub(super) fn add(sum: &mut ThetaTriple, term: ThetaTriple, times: f64) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += times * term;
    }
}

/// One cell of the grid.
#[derive(Debug, Clone, Copy)]
struct GridCell {
    terms: [ThetaTriple; TERMS],
    /// bounds on |F_i| in the disc
    most: ThetaTriple,
}

/// F_1, F_2 and F_3 near a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearThetas {
    /// the coefficients of F_i(x + t) as polynomials in t
    pub(super) terms: [ThetaTriple; TERMS],
    /// bounds on |F_i| near the point
    pub(super) most: ThetaTriple,
    /// The middle c of the cell, and the distance of x from c.
    middle: f64,
    away: f64,
}

/// Returns the index of the cell that contains x, for 2^-25 <= x < 4.
fn cell_index(x: f64) -> usize {
    ((x.to_bits() >> (52 - LOG2_CELLS)) - ((1023 - LOWEST_OCTAVE) << LOG2_CELLS)) as usize
}

/// The middle of a cell.
fn cell_middle(cell: usize) -> f64 {
    f64::from_bits(
        ((cell as u64 + ((1023 - LOWEST_OCTAVE) << LOG2_CELLS)) << 1 | 1) << (51 - LOG2_CELLS),
    )
}

/// Returns the double nearest to the lower end of the enclosure; its error is at most u times the
/// value plus 2^-150.
pub(super) fn nearest_double(value: &Enclosure) -> f64 {
    assert!(value.is_within(150), "enclosed well enough");
    value.low.to_f64().expect("of few bits") / 2f64.powi(value.bits as i32)
}

/// Encloses pi x^2, where x is a double with few bits, so that x^2 is exact.
fn pi_times_square(x: f64) -> Enclosure {
    // The middle of a cell has at most 7 bits, and is a multiple of 2^-(LOWEST_OCTAVE + 6).
    let units = (x * 2f64.powi(LOWEST_OCTAVE as i32 + 7)) as u64;
    let square = BigInt::from(units) * BigInt::from(units);
    let shift = 2 * (LOWEST_OCTAVE + 7);
    let ring = pi(BITS + shift);
    Enclosure {
        low: &ring.low * &square,
        high: &ring.high * &square,
        bits: ring.bits + shift,
    }
    .coarsen(BITS)
}

/// Computes e^(-pi x^2) and erfc(sqrt(pi) x), where x is the middle of a cell.
fn starting_values(x: f64) -> (f64, f64) {
    let angle = pi_times_square(x);
    let root = angle.sqrt().expect("not negative");
    let mut rest = erf(&root).negated();
    let one = BigInt::one() << rest.bits;
    rest.low += &one;
    rest.high += one;
    (
        nearest_double(&exp(&angle.negated())),
        nearest_double(&rest),
    )
}

impl GridCell {
    /// The polynomials of g_1, g_2 and g_3 around c, before they are summed over octaves.
    fn unsummed_polynomials(c: f64, (bell, rest): (f64, f64)) -> [ThetaTriple; TERMS] {
        let mut e = [0.0; TERMS];
        e[0] = bell;
        e[1] = -2.0 * PI * c * e[0];
        for m in 1..TERMS - 1 {
            e[m + 1] = -2.0 * PI * (c * e[m] + e[m - 1]) / (m + 1) as f64;
        }
        let mut terms = [ThetaTriple::default(); TERMS];
        terms[0] = [rest, e[0] / (PI * c), c * e[0], 0.0];
        for m in 1..TERMS {
            terms[m] = [
                -2.0 * e[m - 1] / m as f64,
                (e[m] / PI - terms[m - 1][1]) / c,
                c * e[m] + e[m - 1],
                0.0,
            ];
        }
        terms
    }
}

/// All cells of the grid.
fn grid_cells() -> &'static [GridCell] {
    static GRID: OnceLock<Vec<GridCell>> = OnceLock::new();
    GRID.get_or_init(|| {
        let octave = 1usize << LOG2_CELLS;
        let count = OCTAVES as usize * octave;
        let starts = threads::map(count, &|i| starting_values(cell_middle(i)));
        let mut cells = vec![
            GridCell {
                terms: [ThetaTriple::default(); TERMS],
                most: ThetaTriple::default()
            };
            count
        ];
        for i in (0..count).rev() {
            let c = cell_middle(i);
            let mut cell = GridCell {
                terms: GridCell::unsummed_polynomials(c, starts[i]),
                most: ThetaTriple::default(),
            };
            // e^(-pi (c/2)^2) is the starting value of the cell one octave below
            let bell = if i < octave {
                1.0
            } else {
                starts[i - octave].0
            };
            cell.most = [bell, 2.0 * bell / (PI * c), 1.5 * c * bell, 0.0];
            if let Some(twice) = cells.get(i + octave) {
                let mut scale = 1.0;
                for (term, more) in cell.terms.iter_mut().zip(twice.terms) {
                    add(term, more, scale);
                    scale *= 2.0;
                }
                add(&mut cell.most, twice.most, 1.0);
            }
            cells[i] = cell;
        }
        cells
    })
}

/// Looks up the functions near given points, from the grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThetaGrid(&'static [GridCell]);

impl ThetaGrid {
    /// Returns the grid, which is computed on the first request.
    pub(super) fn new() -> Self {
        ThetaGrid(grid_cells())
    }

    /// Returns F_1, F_2, F_3 at x, 2^-25 <= x < 4, with bounds on their sizes and on the errors.
    pub(super) fn evaluate(self, x: f64) -> (ThetaTriple, ThetaTriple, ThetaTriple) {
        let cell = &self.0[cell_index(x)];
        let middle = cell_middle(cell_index(x));
        let t = x - middle;
        let mut values = cell.terms[TERMS - 1];
        for m in (0..TERMS - 1).rev() {
            for (value, term) in values.iter_mut().zip(cell.terms[m]) {
                *value = *value * t + term;
            }
        }
        let rest = tail_bound(t.abs(), middle);
        let mut errors = cell.most;
        for error in &mut errors {
            *error *= rest;
        }
        (values, cell.most, errors)
    }

    /// Returns the polynomials of F_1, F_2, F_3 near x, 2^-25 <= x < 4.
    pub(super) fn near(self, x: f64) -> NearThetas {
        let cell = &self.0[cell_index(x)];
        let middle = cell_middle(cell_index(x));
        let t = x - middle;
        let mut terms = cell.terms;
        for from in 0..TERMS - 1 {
            for m in (from..TERMS - 1).rev() {
                let next = terms[m + 1];
                add(&mut terms[m], next, t);
            }
        }
        NearThetas {
            terms,
            most: cell.most,
            middle,
            away: t.abs(),
        }
    }
}

/// A tight upper bound of r^8 / (1 - r) for r = |t| / (c/2).
fn tail_bound(t: f64, c: f64) -> f64 {
    let r = 2.0 * t / c;
    let fourth = (r * r) * (r * r);
    fourth * fourth / (1.0 - r) * 1.001
}

impl NearThetas {
    /// Bounds on the errors of the cubic polynomials within `width` of the point.
    pub(super) fn errors_of_cubics(&self, width: f64) -> ThetaTriple {
        let rest = tail_bound(self.away + width, self.middle);
        let fourth = (width * width) * (width * width);
        let mut sums = ThetaTriple::default();
        for term in self.terms[4..].iter().rev() {
            for (sum, term) in sums.iter_mut().zip(term) {
                *sum = *sum * width + term.abs();
            }
        }
        for (sum, most) in sums.iter_mut().zip(self.most) {
            *sum = *sum * fourth + most * rest;
        }
        sums
    }
}

/// An upper bound of e^(-pi x^2), too large by a factor of at most 1.001, for 0 < x < 4. It squares
/// e^-h repeatedly, for h = pi x^2 / 1024 < 1/20; e^-h is below 1 - h + h^2/2 - h^3/6 + h^4/24 by
/// less than h^5/120.
pub(super) fn bell_at_most(x: f64) -> f64 {
    let h = PI * x * x / 1024.0;
    let power = 1.0 - h * (1.0 - h / 2.0 * (1.0 - h / 3.0 * (1.0 - h / 4.0)));
    (0..10).fold(power, |power, _| power * power) * 1.0001
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::Rational;
    use num_traits::Signed;

    #[test]
    fn middles_are_in_their_cells() {
        for cell in [0, 1, 31, 32, 500, 895] {
            assert_eq!(cell_index(cell_middle(cell)), cell);
        }
        assert_eq!(cell_middle(cell_index(1.0)), 65.0 / 64.0);
    }

    fn rational(x: f64) -> Rational {
        Rational::from_float(x).expect("finite")
    }

    /// e^(-pi x^2) and erfc(sqrt(pi) x).
    fn enclosed(x: &Rational) -> (Enclosure, Enclosure) {
        let angle = pi(400).times(&Enclosure::of_rational(&(x * x), 400));
        let one = Enclosure::of_rational(&Rational::one(), 400);
        let root = angle.sqrt().expect("not negative");
        (exp(&angle.negated()), one.minus(&erf(&root)))
    }

    /// The bound of e^(-pi x^2) is above the value, by a factor of at most 1.001.
    #[test]
    fn bells_are_bounded() {
        for i in 1..256 {
            let x = f64::from(i) / 64.0;
            let (bell, _) = enclosed(&rational(x));
            let most = rational(bell_at_most(x));
            assert!(bell.high() <= most, "{x}");
            let thousandth = Rational::new(1001.into(), 1000.into());
            assert!(most <= bell.low() * thousandth, "{x}");
        }
    }

    /// F_1, F_2, F_3 at points, and the polynomials near the points, differ from the enclosures by
    /// at most the stated bounds.
    #[test]
    fn values_are_within_their_bounds() {
        let grid = ThetaGrid::new();
        let u = rational(f64::EPSILON / 2.0);
        let thin = |value: &Enclosure| value.is_within(300);
        for x in [
            3.1e-8, 1.7e-5, 0.01, 0.124_999, 0.7, 1.3, 1.999, 2.3, 3.5, 3.999,
        ] {
            let point = rational(x);
            let mut sums = [(); 3].map(|()| Rational::new(0.into(), 1.into()));
            let mut at = point.clone();
            while at < Rational::new(16.into(), 1.into()) {
                let (bell, rest) = enclosed(&at);
                assert!(thin(&bell) && thin(&rest));
                let angle = pi(400).low() * &at;
                sums[0] += rest.low();
                sums[1] += bell.low() / angle;
                sums[2] += bell.low() * &at;
                at = &at + &at;
            }
            let (values, most, errors) = grid.evaluate(x);
            let near = grid.near(x);
            for i in 0..3 {
                let [most, error] = [most[i], errors[i]].map(rational);
                // The bound consists of 80 or 87 roundings, the terms omitted for x >= 4, and some
                // thousandths for the enclosures.
                let bound = Rational::new(90.into(), 1.into()) * &most * &u + &error;
                for value in [values[i], near.terms[0][i]] {
                    let off = (rational(value) - &sums[i]).abs();
                    assert!(off <= bound, "F_{} at {x}", i + 1);
                }
            }
        }
    }

    /// Checks the bounds of the sums of absolute values of all monomials, by the recurrences in
    /// which all signs are +.
    #[test]
    fn monomials_are_bounded() {
        for (i, cell) in grid_cells().iter().enumerate() {
            let c = cell_middle(i);
            let t = 0.111 * c;
            let (mut sums, mut scale) = ([0.0; 3], 1.0);
            while scale * c < 4.0 {
                let (c, t) = (scale * c, scale * t);
                let (bell, rest) = starting_values(c);
                let mut e = [bell; TERMS];
                e[1] = 2.0 * PI * c * bell;
                for m in 1..TERMS - 1 {
                    e[m + 1] = 2.0 * PI * (c * e[m] + e[m - 1]) / (m + 1) as f64;
                }
                let mut terms = [rest, bell / (PI * c), c * bell];
                let mut power = 1.0;
                for m in 0..TERMS {
                    if m > 0 {
                        power *= t;
                        terms = [
                            2.0 * e[m - 1] / m as f64,
                            (e[m] / PI + terms[1]) / c,
                            c * e[m] + e[m - 1],
                        ];
                    }
                    for (sum, term) in sums.iter_mut().zip(terms) {
                        *sum += term * power;
                    }
                }
                scale *= 2.0;
            }
            for (sum, most) in sums.iter().zip(cell.most) {
                assert!(*sum <= 1.01 * most, "{c}: {sum} {most}");
            }
        }
    }
}
