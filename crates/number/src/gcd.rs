//! Computes the greatest common divisor of large numbers with Lehmer's algorithm: machine words
//! collect about 60 bits of Euclid's steps before the large numbers are touched.
//!
//! Euclid's quotients depend only on the leading bits (Lehmer 1938; Knuth, TAOCP 2, 4.5.2). The top
//! 128 bits of x and y determine the quotients of about 60 bits. These are computed using only
//! words, in two rounds of 64 bits, and collected in a matrix of determinant +-1,
//!
//! ```text
//! x' = |a x - b y|,   y' = |d y - c x|,   gcd(x', y') = gcd(x, y),
//! ```
//!
//! which is applied to all words at once: two products and a sum per word and number for 60 bits,
//! instead of the same for every quotient. The result is right for any matrix of determinant +-1: a
//! wrong quotient only costs a little time and may make a number negative. If the leading bits
//! determine no quotient, the code divides the whole numbers once.
//!
//! **Long numbers.** The top part of x and y determines as many quotients as half its bits (Knuth
//! 1971; Schönhage 1971). Their matrix is found by recursion: first the quotients of the top half
//! of that part, then those of the remainders. All other work is a few products of matrices, in
//! which each entry is transformed once (`super::transform`; on processors without vectors,
//! dashu-int multiplies), so the cost is O(M(b) log b). Again the result depends only on the
//! determinant: entries and remainders have signs, and a negative remainder negates its row.

use super::transform::{ProductKernel, ProductTerm};
use super::words::{signed_words, ubig, word_count, words};
use crate::budget::{spend, spend_on};
use crate::threads;
use dashu_int::{IBig, UBig};
use std::borrow::Cow;

/// The greatest common divisor of two numbers, given as words from the low end; the result has no
/// leading zero words. gcd(0, x) = x. Cost: O(M(len) log len) for long numbers, O(len^2) products
/// of words for short ones.
pub fn gcd(mut x: Vec<u64>, mut y: Vec<u64>) -> Vec<u64> {
    trim_zeros(&mut x);
    trim_zeros(&mut y);
    loop {
        if is_less(&x, &y) {
            std::mem::swap(&mut x, &mut y);
        }
        if y.is_empty() {
            return x;
        }
        spend(x.len() as u64);
        if y.len() >= RECURSIVE_WORDS && x.len() - y.len() <= 1 {
            let (u, v) = reduce_pair(ubig(&x), ubig(&y));
            (x, y) = (words(&u).into_owned(), words(&v).into_owned());
            continue;
        }
        if x.len() <= 2 {
            return binary_gcd(to_u128(&x), to_u128(&y));
        }
        let matrix = match x.len() - y.len() {
            0 | 1 => guess_quotients(&x, &y),
            _ => None,
        };
        match matrix {
            Some(matrix) => {
                matrix.apply(&mut x, &mut y);
            }
            None => x = remainder(&x, &y),
        }
    }
}

/// Removes leading zero words.
pub(crate) fn trim_zeros(x: &mut Vec<u64>) {
    while x.last() == Some(&0) {
        x.pop();
    }
}

pub(super) fn is_less(x: &[u64], y: &[u64]) -> bool {
    x.len() < y.len() || x.len() == y.len() && x.iter().rev().lt(y.iter().rev())
}

fn to_u128(x: &[u64]) -> u128 {
    x.iter()
        .rev()
        .fold(0, |value, &word| value << 64 | u128::from(word))
}

/// The binary algorithm (Stein 1967), for 128 bits.
fn binary_gcd(mut x: u128, mut y: u128) -> Vec<u64> {
    let twos = (x | y).trailing_zeros();
    if x != 0 && y != 0 {
        x >>= x.trailing_zeros();
        while y != 0 && (x | y) >> 64 != 0 {
            y >>= y.trailing_zeros();
            (x, y) = (x.min(y), x.abs_diff(y));
        }
        let (mut low, mut rest) = (x as u64, y as u64);
        while rest != 0 {
            rest >>= rest.trailing_zeros();
            (low, rest) = (low.min(rest), low.abs_diff(rest));
        }
        x = if y == 0 { x } else { u128::from(low) } << twos;
    } else {
        x |= y;
    }
    let mut words = vec![x as u64, (x >> 64) as u64];
    trim_zeros(&mut words);
    words
}

/// x modulo y.
pub(super) fn remainder(x: &[u64], y: &[u64]) -> Vec<u64> {
    words(&(ubig(x) % ubig(y))).into_owned()
}

/// Several steps of Euclid at once: x' = |a x - b y|, y' = |d y - c x|; entries below 2^62, ad - bc
/// = +-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Matrix {
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) c: u64,
    pub(super) d: u64,
    /// Whether a x - b y and d y - c x are negative, judging by the leading bits. If a sign is
    /// wrong, the number is negated.
    pub(super) minus: [bool; 2],
}

/// Returns quotient and remainder for 0 < y <= x. Five of six quotients are below 8 (Gauss and
/// Kuzmin) and are found by repeated subtraction without a branch; otherwise the quotient of the
/// doubles has an error of at most one.
#[inline(always)]
fn divide_words(x: u64, y: u64) -> (u64, u64) {
    if x >> 3 >= y {
        let quotient = ((x >> 1) as f64 / (y >> 1) as f64) as u64;
        let (quotient, rest) = (quotient, x.wrapping_sub(quotient.wrapping_mul(y)));
        return if rest < y {
            (quotient, rest)
        } else {
            (x / y, x % y)
        };
    }
    let (mut quotient, mut rest) = (0, x);
    let fits = rest >> 2 >= y;
    quotient += u64::from(fits) << 2;
    rest -= if fits { y << 2 } else { 0 };
    let fits = rest >> 1 >= y;
    quotient += u64::from(fits) << 1;
    rest -= if fits { y << 1 } else { 0 };
    let fits = rest >= y;
    quotient += u64::from(fits);
    rest -= if fits { y } else { 0 };
    (quotient, rest)
}

/// Further quotients are computed only while the remainder of a 64-bit number has at least this
/// many bits.
const MIN_REMAINDER_BITS: u32 = 34;

impl Matrix {
    pub(super) const IDENTITY: Matrix = Matrix {
        a: 1,
        b: 0,
        c: 0,
        d: 1,
        minus: [false; 2],
    };

    /// Checks whether the matrix changes at most the signs of numbers.
    pub(super) fn is_identity(self) -> bool {
        self.b == 0 && self.c == 0
    }

    /// Collects the quotients of x >= y that the leading half of their bits determines; both flags
    /// are set if the number of quotients is odd.
    #[inline]
    fn from_words(mut x: u64, mut y: u64) -> Matrix {
        let (mut a, mut b, mut c, mut d) = (1, 0, 0, 1);
        let mut odd = false;
        if y >> MIN_REMAINDER_BITS == 0 {
            return Matrix::IDENTITY;
        }
        loop {
            let (quotient, rest) = divide_words(x, y);
            if rest >> MIN_REMAINDER_BITS == 0 {
                let minus = [odd; 2];
                return Matrix { a, b, c, d, minus };
            }
            (x, y) = (y, rest);
            (a, b, c, d) = (c, d, a + quotient * c, b + quotient * d);
            odd = !odd;
        }
    }

    /// Composes two matrices: first `self`, for which both numbers have the same sign, then `next`.
    fn then(self, next: Matrix) -> Matrix {
        Matrix {
            a: next.a * self.a + next.b * self.c,
            b: next.a * self.b + next.b * self.d,
            c: next.c * self.a + next.d * self.c,
            d: next.c * self.b + next.d * self.d,
            minus: next.minus.map(|minus| minus ^ self.minus[0]),
        }
    }

    /// Replaces both numbers by the results of the matrix; x must be at least as long as y. Returns
    /// the matrix with the true signs of the results.
    pub(super) fn apply(self, x: &mut Vec<u64>, y: &mut Vec<u64>) -> Matrix {
        y.resize(x.len(), 0);
        let (first, second) = self.apply_in_place(x, y);
        // The remaining carry is only a sign, because both numbers have become shorter.
        make_positive(x, first);
        make_positive(y, second);
        let minus = [(first < 0) ^ self.minus[0], (second < 0) ^ self.minus[1]];
        Matrix { minus, ..self }
    }

    /// As `apply`, for numbers in two's complement, which may become one word longer: computes a
    /// x - b y or its negative, according to the sign.
    fn apply_signed(self, x: &mut Vec<u64>, y: &mut Vec<u64>) {
        for number in [&mut *x, &mut *y] {
            let sign = number.last().map_or(0, |top| (*top as i64 >> 63) as u64);
            number.push(sign);
        }
        // The highest words hold the signs; the carries beyond them are not needed.
        self.apply_in_place(x, y);
    }

    fn apply_in_place(self, x: &mut [u64], y: &mut [u64]) -> (i64, i64) {
        match self.minus {
            [false, false] => self.combine::<false, false>(x, y),
            [false, true] => self.combine::<false, true>(x, y),
            [true, false] => self.combine::<true, false>(x, y),
            [true, true] => self.combine::<true, true>(x, y),
        }
    }

    /// Computes a x - b y and d y - c x or their negatives, each with as many words as its
    /// operands, and the carries.
    fn combine<const MINUS: bool, const BELOW: bool>(
        self,
        x: &mut [u64],
        y: &mut [u64],
    ) -> (i64, i64) {
        let (a, b) = (u128::from(self.a), u128::from(self.b));
        let (c, d) = (u128::from(self.c), u128::from(self.d));
        // -y is the complement of its words plus 1, minus 2^(64 length). The sum is therefore
        // unsigned, and each product is below 2^126.
        let taken = if MINUS { self.a } else { self.b };
        let taken_below = if BELOW { self.d } else { self.c };
        let (mut first, mut second) = (taken, taken_below);
        let turned = |turn: bool, word: u64| u128::from(if turn { !word } else { word });
        // Zipped iterators would compile to a call that is not inlined.
        let length = x.len().min(y.len());
        let (x, y) = (&mut x[..length], &mut y[..length]);
        for i in 0..length {
            let (p, q) = (x[i], y[i]);
            let upper = a * turned(MINUS, p) + b * turned(!MINUS, q) + u128::from(first);
            let lower = d * turned(BELOW, q) + c * turned(!BELOW, p) + u128::from(second);
            (x[i], y[i]) = (upper as u64, lower as u64);
            (first, second) = ((upper >> 64) as u64, (lower >> 64) as u64);
        }
        // The carry is below 2^63.
        let less = |carry: u64, entry: u64| carry as i64 - entry as i64;
        (less(first, taken), less(second, taken_below))
    }
}

/// The absolute value of words with a carry, trimmed.
fn make_positive(x: &mut Vec<u64>, carry: i64) {
    x.push(carry as u64);
    if carry < 0 {
        negate(x);
    }
    trim_zeros(x);
}

/// Guesses Euclid's quotients from the top 128 bits; x is the larger number and has at most one
/// word more.
fn guess_quotients(x: &[u64], y: &[u64]) -> Option<Matrix> {
    let length = x.len();
    let shift = x[length - 1].leading_zeros();
    let top = |z: &[u64]| {
        let word = |i: usize| z.get(i).copied().unwrap_or(0);
        let two = u128::from(word(length - 1)) << 64 | u128::from(word(length - 2));
        let third = if shift == 0 {
            0
        } else {
            word(length - 3) >> (64 - shift)
        };
        two << shift | u128::from(third)
    };
    let (x, y) = (top(x), top(y));
    let first = Matrix::from_words((x >> 64) as u64, (y >> 64) as u64);
    if first.is_identity() {
        return None;
    }
    // The entry is small, so its value modulo 2^128 is exact. If its sign does not match the
    // parity, the guess was wrong.
    let entry = |p: u64, x: u128, q: u64, y: u128| {
        let value = u128::from(p)
            .wrapping_mul(x)
            .wrapping_sub(u128::from(q).wrapping_mul(y)) as i128;
        if first.minus[0] {
            value.wrapping_neg()
        } else {
            value
        }
    };
    let x1 = entry(first.a, x, first.b, y);
    let y1 = entry(first.d, y, first.c, x);
    if y1 <= 0 || x1 < y1 {
        return Some(first);
    }
    let shift = 64u32.saturating_sub(x1.leading_zeros());
    let second = Matrix::from_words((x1 >> shift) as u64, (y1 >> shift) as u64);
    Some(first.then(second))
}

/// Numbers of at least this many words are reduced by recursion.
const RECURSIVE_WORDS: usize = 600;
/// The recursion ends when the top part has fewer words than this.
const MIN_TOP_WORDS: usize = 300;
/// The entries of matrices with at least this many words are multiplied by transforms.
const TRANSFORM_WORDS: usize = 60;
/// The products of matrices with at least this many words justify a second thread.
const PARALLEL_WORDS: usize = 100;

/// Returns a pair with the same greatest common divisor that is about a sixth shorter; x >= y.
fn reduce_pair(x: UBig, y: UBig) -> (UBig, UBig) {
    let length = word_count(&x);
    let below = 64 * (length * 2 / 3);
    let (u, v, rows) = halve_pair(&x >> below, &y >> below);
    let (u, v) = match rows {
        None => (x, y),
        Some(rows) => {
            rows.finish_remainders(u, v, low_bits(x, below), low_bits(y, below), below)
                .0
        }
    };
    if word_count(&v) + length / 12 < length || v == UBig::ZERO {
        return (u, v);
    }
    // The top part gave no quotients, because the next quotient is large.
    let rest = &u % &v;
    (v, rest)
}

/// The number of bits in the words of a number.
fn bit_length(x: &IBig) -> u64 {
    64 * x.as_sign_words().1.len() as u64
}

/// x modulo 2^bits.
fn low_bits(x: UBig, bits: usize) -> UBig {
    x.split_bits(bits).0
}

/// Several steps of Euclid at once, with long entries: x' = a x + b y, y' = c x + d y; ad - bc =
/// +-1.
#[derive(Debug, Clone)]
struct BigMatrix {
    a: IBig,
    b: IBig,
    c: IBig,
    d: IBig,
}

impl BigMatrix {
    /// Computes the remainders of whole numbers from the remainders (u, v) of their top parts and
    /// from their low parts. Both results are made nonnegative, and returned larger first, with the
    /// matrix rows that lead to them.
    fn finish_remainders(
        mut self,
        u: UBig,
        v: UBig,
        x: UBig,
        y: UBig,
        below: usize,
    ) -> ((UBig, UBig), BigMatrix) {
        spend_on(bit_length(&self.a), 64 * word_count(&x) as u64);
        let (u, v) = (IBig::from(u) << below, IBig::from(v) << below);
        let [a, b, c, d] = [&self.a, &self.b, &self.c, &self.d];
        let [first, second] = match multiply_by_transforms([[a, b], [c, d]], [&x], [&y]) {
            Some([[first], [second]]) => [first + u, second + v],
            None => {
                let (x, y) = (IBig::from(x), IBig::from(y));
                let (first, second) =
                    run_both(below / 64, || a * &x + b * &y + u, || c * &x + d * &y + v);
                [first, second]
            }
        };
        if first < IBig::ZERO {
            (self.a, self.b) = (-self.a, -self.b);
        }
        if second < IBig::ZERO {
            (self.c, self.d) = (-self.c, -self.d);
        }
        let (first, second) = (magnitude(first), magnitude(second));
        if first >= second {
            ((first, second), self)
        } else {
            let turned = BigMatrix {
                a: self.c,
                b: self.d,
                c: self.a,
                d: self.b,
            };
            ((second, first), turned)
        }
    }

    /// Composes two matrices: first `self`, then `next`.
    fn then(&self, next: &BigMatrix) -> BigMatrix {
        spend_on(bit_length(&self.a), bit_length(&next.a));
        let (top, bottom) = ([&self.a, &self.b], [&self.c, &self.d]);
        let rows = [[&next.a, &next.b], [&next.c, &next.d]];
        if let Some([[a, b], [c, d]]) = multiply_by_transforms(rows, top, bottom) {
            return BigMatrix { a, b, c, d };
        }
        let words = self.a.as_sign_words().1.len();
        let ((a, b), (c, d)) = run_both(
            words,
            || {
                (
                    &next.a * &self.a + &next.b * &self.c,
                    &next.a * &self.b + &next.b * &self.d,
                )
            },
            || {
                (
                    &next.c * &self.a + &next.d * &self.c,
                    &next.c * &self.b + &next.d * &self.d,
                )
            },
        );
        BigMatrix { a, b, c, d }
    }
}

/// Multiplies a matrix by a matrix or a vector, given by its two rows; each entry is transformed
/// once. Returns `None` unless all entries are long enough.
fn multiply_by_transforms<const N: usize, X: SignedWords>(
    rows: [[&IBig; 2]; 2],
    top: [&X; N],
    bottom: [&X; N],
) -> Option<[[IBig; N]; 2]> {
    let path = ProductKernel::chosen()?;
    let left = rows.as_flattened().iter().map(|x| x.sign_and_words());
    let right = top.iter().chain(&bottom).map(|x| x.sign_and_words());
    let (minus, words): (Vec<bool>, Vec<Cow<'_, [u64]>>) = left.chain(right).unzip();
    let words: Vec<&[u64]> = words.iter().map(|words| &**words).collect();
    let (left, right) = words.split_at(4);
    let longest = |part: &[&[u64]]| part.iter().map(|words| words.len()).max();
    let (least, most) = (longest(left).min(longest(right))?, longest(right)?);
    if least < TRANSFORM_WORDS || !ProductKernel::can_hold_sum(2 * least) || most > 8 * least {
        return None;
    }
    let term = |left: usize, right: usize| ProductTerm {
        left,
        right,
        minus: minus[left] != minus[right],
    };
    let entry =
        |row: usize, column: usize| [term(2 * row, 4 + column), term(2 * row + 1, 4 + N + column)];
    let terms: Vec<[ProductTerm; 2]> = (0..2 * N).map(|i| entry(i / N, i % N)).collect();
    let terms: Vec<&[ProductTerm]> = terms.iter().map(|terms| &terms[..]).collect();
    let mut sums = path.sums(&words, &terms, false).into_iter();
    let mut next = || from_twos_complement(sums.next().expect("a sum for each entry"));
    Some([(); 2].map(|()| [(); N].map(|()| next())))
}

/// A number as its sign and words.
trait SignedWords {
    fn sign_and_words(&self) -> (bool, Cow<'_, [u64]>);
}

impl SignedWords for UBig {
    fn sign_and_words(&self) -> (bool, Cow<'_, [u64]>) {
        (false, words(self))
    }
}

impl SignedWords for IBig {
    fn sign_and_words(&self) -> (bool, Cow<'_, [u64]>) {
        signed_words(self)
    }
}

fn magnitude(x: IBig) -> UBig {
    x.into_parts().1
}

/// Computes both results: on two threads if the numbers have many words.
fn run_both<A: Send, B: Send>(
    words: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    if words < PARALLEL_WORDS {
        (first(), second())
    } else {
        threads::both(first, second)
    }
}

/// Runs Euclid's algorithm until the remainders have about half the words. Returns them, the larger
/// first, with the matrix rows that lead to them; x >= y.
fn halve_pair(x: UBig, y: UBig) -> (UBig, UBig, Option<BigMatrix>) {
    let length = word_count(&x);
    if length < MIN_TOP_WORDS {
        return halve_pair_by_words(x, y);
    }
    let first = 64 * (length / 2);
    if word_count(&y) <= length / 2 + 2 {
        return (x, y, None);
    }
    let (u, v, rows) = halve_pair(&x >> first, &y >> first);
    let Some(rows) = rows else {
        return (x, y, None);
    };
    let ((x, y), rows) =
        rows.finish_remainders(u, v, low_bits(x, first), low_bits(y, first), first);
    // Shift the remaining words so that the omitted part has the same length as before.
    let now = word_count(&x);
    let second = 64 * (length + 1).saturating_sub(now);
    if second == 0 || second / 64 + 4 > now || word_count(&y) <= length / 2 + 2 {
        return (x, y, Some(rows));
    }
    let (u, v, next) = halve_pair(&x >> second, &y >> second);
    let Some(next) = next else {
        return (x, y, Some(rows));
    };
    let ((x, y), next) =
        next.finish_remainders(u, v, low_bits(x, second), low_bits(y, second), second);
    (x, y, Some(rows.then(&next)))
}

/// As [`halve_pair`], with matrices whose entries are single words.
fn halve_pair_by_words(x: UBig, y: UBig) -> (UBig, UBig, Option<BigMatrix>) {
    let (mut x, mut y) = (words(&x).into_owned(), words(&y).into_owned());
    let target = x.len() / 2 + 1;
    // The two columns of the matrix, in two's complement.
    let mut columns = [(vec![1u64], vec![0u64]), (vec![0u64], vec![1u64])];
    let mut steps = 0;
    while y.len() > target && y.len() > 2 && x.len() - y.len() <= 1 {
        let Some(matrix) = guess_quotients(&x, &y) else {
            break;
        };
        spend(x.len() as u64);
        let matrix = matrix.apply(&mut x, &mut y);
        let turn = is_less(&x, &y);
        for (top, bottom) in &mut columns {
            matrix.apply_signed(top, bottom);
            if turn {
                std::mem::swap(top, bottom);
            }
        }
        if turn {
            std::mem::swap(&mut x, &mut y);
        }
        steps += 1;
    }
    let (u, v) = (ubig(&x), ubig(&y));
    if steps == 0 {
        return (u, v, None);
    }
    let [(a, c), (b, d)] =
        columns.map(|(top, bottom)| (from_twos_complement(top), from_twos_complement(bottom)));
    (u, v, Some(BigMatrix { a, b, c, d }))
}

/// Negates the number, in two's complement.
pub fn negate(x: &mut [u64]) {
    let mut carry = true;
    for word in x {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

/// Converts words in two's complement to a number.
fn from_twos_complement(mut x: Vec<u64>) -> IBig {
    if x.last().is_some_and(|top| top >> 63 == 1) {
        negate(&mut x);
        -IBig::from(ubig(&x))
    } else {
        ubig(&x).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use num_integer::Integer;
    use proptest::prelude::*;

    fn words(x: &BigUint) -> Vec<u64> {
        x.iter_u64_digits().collect()
    }

    proptest! {
        #[test]
        fn gcds_agree_with_num(
            x in proptest::collection::vec(0u32.., 0..3000),
            y in proptest::collection::vec(0u32.., 0..3000),
            common in proptest::collection::vec(0u32.., 0..60),
            sparse in 0u32..40,
        ) {
            let common = (BigUint::new(common) + 1u32) << sparse;
            let (x, y) = (BigUint::new(x) * &common, BigUint::new(y) * &common);
            prop_assert_eq!(gcd(words(&x), words(&y)), words(&x.gcd(&y)));
        }

        /// Numbers with long runs of ones and zeros, where leading bits determine little.
        #[test]
        fn gcds_of_long_runs_of_bits_agree_with_num(exponents in proptest::collection::vec((0u32..4000, 0u32..4000), 1..5)) {
            let mut x = BigUint::from(1u32) << 3000u32;
            let mut y = BigUint::from(1u32);
            for (i, j) in exponents {
                x += BigUint::from(1u32) << i;
                y = (y << (j / 8)) + (BigUint::from(1u32) << j) - 1u32;
            }
            prop_assert_eq!(gcd(words(&x), words(&y)), words(&x.gcd(&y)));
        }
    }

    /// Fibonacci numbers have the longest run of quotients: gcd(F_i, F_j) = F_gcd(i, j) (Lucas
    /// 1876).
    #[test]
    fn gcds_of_fibonacci_numbers() {
        let mut all = vec![BigUint::from(0u32), BigUint::from(1u32)];
        for i in 2..3000 {
            let next = &all[i - 1] + &all[i - 2];
            all.push(next);
        }
        for (i, j) in [
            (2999, 2998),
            (2400, 1800),
            (2999, 7),
            (2048, 1024),
            (2500, 2475),
        ] {
            assert_eq!(
                gcd(words(&all[i]), words(&all[j])),
                words(&all[i.gcd(&j)]),
                "{i} {j}"
            );
        }
    }
}
