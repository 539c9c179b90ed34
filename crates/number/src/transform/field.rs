//! The three primes of the transform, their roots of unity, and the conversion from residues to
//! words.

/// 1.5 2^52: adding and subtracting it rounds to an integer.
pub(super) const ROUNDING_CONSTANT: f64 = 6_755_399_441_055_744.0;

/// The three largest primes p below 2^50 for which 2^26 divides p - 1.
pub(super) const PRIMES: [u64; 3] = [
    16_777_209 << 26 | 1,
    16_777_207 << 26 | 1,
    16_777_182 << 26 | 1,
];

/// One term of a sum: the product of two operands, or minus this product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProductTerm {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) minus: bool,
}

/// The number of points of a transform: a few blocks of equal length, which is a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TransformShape {
    /// The number of blocks: 4, 5 or 6.
    pub(super) blocks: usize,
    /// The length of a block, a power of two.
    pub(super) block: usize,
    /// The number of words of each sum.
    pub(super) words: usize,
}

impl TransformShape {
    /// Chooses the shape with at least this many points, in blocks of at least `least` points.
    pub(super) fn new(points: usize, least: usize, words: usize) -> TransformShape {
        let mut block = least;
        loop {
            if let Some(blocks) = (4..=6).find(|blocks| blocks * block >= points) {
                return TransformShape {
                    blocks,
                    block,
                    words,
                };
            }
            block *= 2;
        }
    }

    pub(super) fn points(self) -> usize {
        self.blocks * self.block
    }

    /// The number of points of all blocks that the transform can use.
    pub(super) fn usable_points(self) -> usize {
        self.block * if self.blocks == 4 { 4 } else { 8 }
    }
}

/// Arithmetic with integers modulo p.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrimeField {
    prime: u64,
    pub(super) p: f64,
    pub(super) inverse: f64,
}

impl PrimeField {
    pub(super) fn new(prime: u64) -> PrimeField {
        PrimeField {
            prime,
            p: prime as f64,
            inverse: 1.0 / prime as f64,
        }
    }

    fn times(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.prime)) as u64
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut result = 1;
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = self.times(result, base);
            }
            base = self.times(base, base);
            exponent /= 2;
        }
        result
    }

    fn inverse_of(self, a: u64) -> u64 {
        self.power(a % self.prime, self.prime - 2)
    }

    /// Returns the residue as a double between -p / 2 and p / 2.
    fn balanced(self, a: u64) -> f64 {
        if a > self.prime / 2 {
            -((self.prime - a) as f64)
        } else {
            a as f64
        }
    }

    /// Returns `count` roots of unity, at most 25, of the orders 4, 8, 16, ...: each is the square
    /// of the next.
    pub(super) fn roots(self, count: u32) -> Vec<f64> {
        let mut powers = (2..).map(|g| self.power(g, self.prime >> 26));
        // A root of the order 2^26.
        let all = powers.find(|&g| self.power(g, 1 << 25) == self.prime - 1);
        let mut root = all.expect("half of all residues are not squares");
        let mut roots: Vec<f64> = (0..25)
            .map(|_| {
                let last = root;
                root = self.times(root, root);
                self.balanced(last)
            })
            .collect();
        roots.reverse();
        roots.truncate(count as usize);
        roots
    }

    /// A transform followed by its inverse multiplies by a power of two 2^k. Returns the inverse of
    /// 2^k: p - (p - 1) / 2^k.
    pub(super) fn scale(self, shape: TransformShape) -> f64 {
        self.balanced(self.prime - (self.prime >> shape.usable_points().ilog2()))
    }
}

/// The constants of the Chinese remainder theorem (Garner 1959), with digits of both signs: a
/// number is a + p b + p q c, and the absolute values of its digits a, b and c are below half of
/// the primes p, q and r.
pub(super) struct ChineseRemainders {
    /// 1/p modulo q, 1/(p q) modulo r, and p modulo r.
    pub(super) inverses: [f64; 3],
    /// (p - 1) / 2, (q - 1) / 2 and (r - 1) / 2, which are added to make the digits positive.
    pub(super) halves: [f64; 3],
    p: u64,
    /// p q.
    low: u64,
    high: u64,
    /// (p q r - 1) / 2, in three words.
    half_low: i128,
    half_high: i128,
}

impl ChineseRemainders {
    pub(super) fn new([p, q, r]: [&PrimeField; 3]) -> ChineseRemainders {
        let both = u128::from(p.prime) * u128::from(q.prime);
        let modulo_r = (both % u128::from(r.prime)) as u64;
        // (p q r - 1) / 2 = (p q - 1) / 2 r + (r - 1) / 2
        let half = both / 2;
        let (low, high) = (half % (1 << 64), half >> 64);
        let low = low * u128::from(r.prime) + u128::from(r.prime / 2);
        let high = high * u128::from(r.prime) + (low >> 64);
        ChineseRemainders {
            inverses: [
                q.balanced(q.inverse_of(p.prime)),
                r.balanced(r.inverse_of(modulo_r)),
                r.balanced(p.prime % r.prime),
            ],
            halves: [p, q, r].map(|field| (field.prime / 2) as f64),
            p: p.prime,
            low: both as u64,
            high: (both >> 64) as u64,
            half_low: (low as u64).into(),
            half_high: high as i128,
        }
    }
}

/// Adds the coefficient with these digits to a sum; returns the next word of the sum, and updates
/// the carry.
#[inline(always)]
pub(super) fn chinese_remainder(
    r: &ChineseRemainders,
    a: u64,
    b: u64,
    c: u64,
    carry: &mut i128,
) -> u64 {
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let low = wide(r.p, b) + wide(r.low, c) + u128::from(a);
    let high = wide(r.high, c) + (low >> 64);
    let sum = *carry + i128::from(low as u64) - r.half_low;
    *carry = (sum >> 64) + high as i128 - r.half_high;
    sum as u64
}
