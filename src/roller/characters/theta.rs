//! The three smooth functions of the series, by Taylor polynomials on a grid, with bounds of their errors.
//!
//! ```text
//! g_1(x) = erfc(sqrt(pi) x),   g_2(x) = e^(-pi x^2) / (pi x),   g_3(x) = x e^(-pi x^2)
//! F_i(x) = g_i(x) + g_i(2x) + g_i(4x) + ...
//! ```
//!
//! **Grid.** An octave [2^e, 2^(e+1)) has 32 cells of one length, each with the polynomials of degree 7 around its
//! middle c, which is 65/64 of the least x of the octave or more, so that |x - c| <= c/65 in it. F_i at c is g_i at c and
//! F_i at 2c, the middle of a cell of the next octave; from 4 on F_i is taken as 0 (g_i(4) < 10^-20).
//!
//! **Coefficients** of E(c + t) = e^(-pi (c + t)^2) follow from E' = -2 pi x E, and those of g_i from g_1' = -2 E, pi x
//! g_2 = E, g_3 = x E. The two starting values of a cell, e^(-pi c^2) and erfc(sqrt(pi) c), are enclosed.
//!
//! **Error.** In the disc |z - c| <= c/2 the real part of z^2 is at least c^2/4, so that there |e^(-pi z^2)| <= e^(-pi
//! c^2/4), |g_1| <= the same (the integral of 2 e^(-pi t^2) along a line to the right), |g_2| <= 2 e^(-pi c^2/4) / (pi c)
//! and |g_3| <= 3/2 c e^(-pi c^2/4). The sum of these over c, 2c, 4c, ... is `most`, and Cauchy's estimate makes the rest
//! of a Taylor series from its eighth term on at most most r^8 / (1 - r), r = |t| / (c/2).

use std::sync::OnceLock;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use flipcost_number::e_pi::pi;
use flipcost_number::enclosure::Enclosure;
use flipcost_number::exponential::{erf, exp};
use flipcost_number::threads;

/// Terms of a polynomial.
pub(super) const TERMS: usize = 8;
/// Cells of an octave, as a power of 2.
const CELLS: u32 = 5;
/// The octaves from 2^-LEAST to 4.
const LEAST: u64 = 25;
const OCTAVES: u64 = LEAST + 2;
/// Bits of the starting values.
const BITS: u64 = 128;
const PI: f64 = std::f64::consts::PI;

/// Numbers that belong to g_1, g_2 and g_3; the fourth place makes vectors of it.
pub(super) type Three = [f64; 4];

/// Adds a multiple.
pub(super) fn add(sum: &mut Three, term: Three, times: f64) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += times * term;
    }
}

/// One cell of the grid.
#[derive(Debug, Clone, Copy)]
struct Cell {
    terms: [Three; TERMS],
    /// bounds of |F_i| in the disc
    most: Three,
}

/// F_1, F_2 and F_3 near a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    /// the coefficients of the powers of t, F_i(x + t)
    pub(super) terms: [Three; TERMS],
    /// bounds of |F_i| near it
    pub(super) most: Three,
    /// The middle of the cell, and how far x is from it.
    middle: f64,
    away: f64,
}

/// The cell of x, 2^-25 <= x < 4.
fn place(x: f64) -> usize {
    ((x.to_bits() >> (52 - CELLS)) - ((1023 - LEAST) << CELLS)) as usize
}

/// The middle of a cell.
fn middle(cell: usize) -> f64 {
    f64::from_bits(((cell as u64 + ((1023 - LEAST) << CELLS)) << 1 | 1) << (51 - CELLS))
}

/// The nearest double, or one of the two, of what is enclosed.
fn double(value: &Enclosure) -> f64 {
    let scale = |end: &BigInt| end.to_f64().expect("of few bits") / 2f64.powi(value.bits as i32);
    scale(&value.low)
}

/// x^2 exactly, x a double of few bits: times pi, enclosed.
fn angle(x: f64) -> Enclosure {
    // a middle has at most 7 bits, and is a multiple of 2^-(LEAST + 6)
    let units = (x * 2f64.powi(LEAST as i32 + 7)) as u64;
    let square = BigInt::from(units) * BigInt::from(units);
    let shift = 2 * (LEAST + 7);
    let ring = pi(BITS + shift);
    Enclosure {
        low: &ring.low * &square,
        high: &ring.high * &square,
        bits: ring.bits + shift,
    }
    .coarsen(BITS)
}

/// e^(-pi x^2) and erfc(sqrt(pi) x), x the middle of a cell.
fn starting_values(x: f64) -> (f64, f64) {
    let angle = angle(x);
    let root = angle.sqrt().expect("not negative");
    let mut rest = erf(&root).negated();
    let one = BigInt::one() << rest.bits;
    rest.low += &one;
    rest.high += one;
    (double(&exp(&angle.negated())), double(&rest))
}

impl Cell {
    /// Of g_1, g_2 and g_3 alone.
    fn of_one(c: f64, (bell, rest): (f64, f64)) -> [Three; TERMS] {
        let mut e = [0.0; TERMS];
        e[0] = bell;
        e[1] = -2.0 * PI * c * e[0];
        for m in 1..TERMS - 1 {
            e[m + 1] = -2.0 * PI * (c * e[m] + e[m - 1]) / (m + 1) as f64;
        }
        let mut terms = [Three::default(); TERMS];
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

/// All cells.
fn cells() -> &'static [Cell] {
    static CELLS_OF_ALL: OnceLock<Vec<Cell>> = OnceLock::new();
    CELLS_OF_ALL.get_or_init(|| {
        let octave = 1usize << CELLS;
        let count = OCTAVES as usize * octave;
        let starts = threads::map(count, &|i| starting_values(middle(i)));
        let mut cells = vec![
            Cell {
                terms: [Three::default(); TERMS],
                most: Three::default()
            };
            count
        ];
        for i in (0..count).rev() {
            let c = middle(i);
            let mut cell = Cell {
                terms: Cell::of_one(c, starts[i]),
                most: Three::default(),
            };
            // e^(-pi (c/2)^2) is the starting value one octave below
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

/// Looks up the functions near points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid(&'static [Cell]);

impl Grid {
    /// The grid, computed when it is first asked for.
    pub(super) fn new() -> Self {
        Grid(cells())
    }

    /// F_1, F_2, F_3 at x, 2^-25 <= x < 4, and bounds of their sizes and of the errors.
    pub(super) fn at(self, x: f64) -> (Three, Three, Three) {
        let cell = &self.0[place(x)];
        let middle = middle(place(x));
        let t = x - middle;
        let mut values = cell.terms[TERMS - 1];
        for m in (0..TERMS - 1).rev() {
            for (value, term) in values.iter_mut().zip(cell.terms[m]) {
                *value = *value * t + term;
            }
        }
        let rest = rest(t.abs(), middle);
        let mut errors = cell.most;
        for error in &mut errors {
            *error *= rest;
        }
        (values, cell.most, errors)
    }

    /// F_1, F_2, F_3 near x, 2^-25 <= x < 4.
    pub(super) fn near(self, x: f64) -> Near {
        let cell = &self.0[place(x)];
        let middle = middle(place(x));
        let t = x - middle;
        let mut terms = cell.terms;
        for from in 0..TERMS - 1 {
            for m in (from..TERMS - 1).rev() {
                let next = terms[m + 1];
                add(&mut terms[m], next, t);
            }
        }
        Near {
            terms,
            most: cell.most,
            middle,
            away: t.abs(),
        }
    }
}

/// r^8 / (1 - r) for r = |t| / (c/2), a little more.
fn rest(t: f64, c: f64) -> f64 {
    let r = 2.0 * t / c;
    r.powi(TERMS as i32) / (1.0 - r) * 1.001
}

impl Near {
    /// Bounds of the errors of the cubic polynomials within `width` of the point.
    pub(super) fn errors_of_cubics(&self, width: f64) -> Three {
        let rest = rest(self.away + width, self.middle);
        let fourth = width.powi(4);
        let mut sums = Three::default();
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

/// e^(-pi x^2) and a little more: the error of a platform's `exp` is far below a thousandth.
pub(super) fn bell_at_most(x: f64) -> f64 {
    (-PI * x * x).exp() * 1.001
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_are_in_their_cells() {
        for cell in [0, 1, 31, 32, 500, 895] {
            assert_eq!(place(middle(cell)), cell);
        }
        assert_eq!(middle(place(1.0)), 65.0 / 64.0);
    }
}
