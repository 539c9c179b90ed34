//! Computes the orders of a source modulo every target in a range, by a sieve.
//!
//! A sieve of least prime factors writes n = q^k r with q prime and r not divisible by q, r < n, so
//! that
//!
//! ```text
//! period(n) = lcm(period(q^k), period(r)),
//! ```
//!
//! and only the primes need work. The order modulo a prime q is found from q - 1: remove prime
//! factors while the power of m stays 1. For a coin the power of 2 in the order needs almost no
//! work, because 2 is a square modulo q if and only if q = +-1 mod 8. For q = 3, 5 mod 8 the order
//! contains the full power of 2 of q - 1; for q = 7 mod 8 the order is odd. The order modulo q^k is
//! the order modulo q^(k-1), usually multiplied by q (not for Wieferich's squares 1093^2 and
//! 3511^2).
//!
//! **-1 as a power.** Consider the exponent of 2 in the order of m modulo each prime power of n'.
//! For odd n', -1 is a power of m modulo n' if and only if these exponents are all equal and
//! positive. Proof: modulo an odd q^k the group is cyclic with -1 its only element of order 2, so
//! m^h = -1 iff h is an odd multiple of half the order o; odd multiples of o_1/2 and o_2/2 have a
//! common element iff v_2(o_1) = v_2(o_2). A factor 2 of n' imposes no condition, as 1 = -1. A
//! factor 2^k, k >= 2, requires m = -1 mod 2^k: for odd h, m^h = -1 gives m = (m^h)^(1/h) = -1,
//! since the exponent of the group modulo 2^k is a power of two; for even h, m^h is 1 mod 4. The
//! order of m modulo 2^k is then 2, which has the exponent 1. The exponent of 2 in the period is
//! the common exponent.

use std::ops::Range;

use crate::threads;

use super::factor::{factor, gcd_words, inverse_of_odd, lcm_words, pow_mod};
use super::order::{self, Orbit, order_mod_prime, order_mod_prime_power};
use super::orders_of_two::{OrdersOf2, is_supported_prime};
use super::small_orders::SmallOrders;
use crate::budget::spend;

/// Returns all primes up to and including the limit, by the sieve of Eratosthenes on odd numbers.
/// Cost: O(limit log log limit) time, limit / 2 bytes.
pub fn primes_up_to(limit: u64) -> Vec<u64> {
    if limit < 2 {
        return Vec::new();
    }
    let size = usize::try_from(limit.div_ceil(2)).expect("a sieve fits in memory");
    let mut composite = vec![false; size]; // index i is 2i + 1
    let mut primes = vec![2];
    for i in 1..size {
        if composite[i] {
            continue;
        }
        let p = 2 * i + 1;
        primes.push(p as u64);
        let mut multiple = match p.checked_mul(p) {
            Some(square) => square / 2,
            None => continue,
        };
        spend((size / p) as u64);
        while multiple < size {
            composite[multiple] = true;
            multiple += p;
        }
    }
    primes
}

/// Whether -1 is a power of m modulo a part of n'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MinusOneStatus {
    /// The part is 1 or 2, where -1 = 1, so it imposes no condition.
    Trivial,
    /// -1 is a power of m modulo the part.
    IsPower,
    /// -1 is not a power of m modulo the part.
    IsNotPower,
}

/// The order of m modulo a part of n', and whether -1 is a power of m there.
#[derive(Debug, Clone, Copy)]
struct SignedOrder {
    order: u64,
    minus_one: MinusOneStatus,
}

impl SignedOrder {
    const MODULO_ONE: SignedOrder = SignedOrder {
        order: 1,
        minus_one: MinusOneStatus::Trivial,
    };

    fn of_prime_power(m: u64, q: u64, k: u32, order: u64) -> SignedOrder {
        let minus_one = match (q, k) {
            (2, 1) => MinusOneStatus::Trivial,
            (2, _) if (m + 1).is_multiple_of(q.pow(k)) => MinusOneStatus::IsPower,
            (2, _) => MinusOneStatus::IsNotPower,
            _ if order.is_multiple_of(2) => MinusOneStatus::IsPower,
            _ => MinusOneStatus::IsNotPower,
        };
        SignedOrder { order, minus_one }
    }

    /// Combines the orders modulo two coprime parts.
    fn combine(self, other: SignedOrder) -> SignedOrder {
        let minus_one = match (self.minus_one, other.minus_one) {
            (MinusOneStatus::Trivial, minus_one) | (minus_one, MinusOneStatus::Trivial) => {
                minus_one
            }
            (MinusOneStatus::IsPower, MinusOneStatus::IsPower)
                if self.order.trailing_zeros() == other.order.trailing_zeros() =>
            {
                MinusOneStatus::IsPower
            }
            _ => MinusOneStatus::IsNotPower,
        };
        SignedOrder {
            order: lcm_words(self.order, other.order),
            minus_one,
        }
    }
}

/// A table of the orders of one source modulo every n up to a limit.
///
/// Memory: 6 bytes per n, or per odd n if the source is even. Time: O(limit log limit) with a small
/// constant. All threads of the current pool build the table; it is the same for any number of
/// threads.
#[derive(Debug, Clone)]
pub struct OrderTable {
    source: u64,
    limit: u64,
    /// 1 if only odd n are stored (the period of an even n is that of its odd part), otherwise 0
    shift: u32,
    /// the order, and in the top two bits whether -1 is a power of m
    entries: Vec<u32>,
    least: LeastFactors,
}

/// The prime factors of a word with their exponents, in increasing order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Factors {
    list: [(u64, u32); 15], // the product of the first 16 primes is above 2^64
    length: usize,
}

impl Factors {
    /// Factors n with `factor`; a lookup in a table is faster.
    ///
    /// # Panics
    /// If n = 0.
    pub fn factorize(n: u64) -> Self {
        let mut factors = Factors::default();
        for power in factor(n) {
            factors.list[factors.length] = power;
            factors.length += 1;
        }
        factors
    }

    /// The pairs (prime, exponent), in increasing order.
    pub fn as_slice(&self) -> &[(u64, u32)] {
        &self.list[..self.length]
    }
}

const MINUS_ONE_IS_POWER: u32 = 1 << 31;
const MINUS_ONE_IS_ONE: u32 = 1 << 30;
const ORDER_MASK: u32 = MINUS_ONE_IS_ONE - 1;

fn pack_entry(part: SignedOrder) -> u32 {
    let flag = match part.minus_one {
        MinusOneStatus::Trivial => MINUS_ONE_IS_ONE,
        MinusOneStatus::IsPower => MINUS_ONE_IS_POWER,
        MinusOneStatus::IsNotPower => 0,
    };
    part.order as u32 | flag
}

fn unpack_entry(entry: u32) -> SignedOrder {
    let minus_one = match entry & !ORDER_MASK {
        MINUS_ONE_IS_ONE => MinusOneStatus::Trivial,
        MINUS_ONE_IS_POWER => MinusOneStatus::IsPower,
        _ => MinusOneStatus::IsNotPower,
    };
    SignedOrder {
        order: u64::from(entry & ORDER_MASK),
        minus_one,
    }
}

impl OrderTable {
    /// The largest limit of a table: 2^30.
    pub const MAX_LIMIT: u64 = 1 << 30;

    /// Builds the table for the source m >= 2 and all 1 <= n <= limit.
    ///
    /// # Panics
    /// If m < 2, m > 2^32 or limit > [`OrderTable::MAX_LIMIT`].
    pub fn new(m: u64, limit: u64) -> Self {
        assert!(
            (2..=1 << 32).contains(&m),
            "a source has 2 to 2^32 sides, not {m}"
        );
        assert!(
            limit <= Self::MAX_LIMIT,
            "a table of orders reaches 2^30, not {limit}"
        );
        let shift = u32::from(m.is_multiple_of(2));
        let least = LeastFactors::new(limit, shift);
        let small = SmallOrders::new(m, &primes_up_to(limit.isqrt().min(255)));
        let mut entries = vec![0u32; least.list.len()];
        if shift == 0 {
            entries[0] = MINUS_ONE_IS_ONE | 1; // n = 0 is never looked up
        }
        // For n = q^k r, r <= n / (2 + shift). So a block that ends at 2 + shift times its start
        // depends only on finished blocks.
        let first = 1 >> shift;
        entries[first] = MINUS_ONE_IS_ONE | 1;
        let mut start = first + 1;
        while start < entries.len() {
            let n = to_number(start, shift);
            let end = ((n * (2 + u64::from(shift))) >> shift) as usize;
            let (done, rest) = entries.split_at_mut(start);
            let length = rest.len().min(end - start);
            threads::change(&mut rest[..length], 1 << 14, &|first, part| {
                if m == 2 {
                    put_orders_of_2(start + first, part, &least);
                }
                for (i, entry) in (start + first..).zip(part) {
                    if *entry == 0 {
                        *entry =
                            entry_by_small_prime(i, &small, &least, done).unwrap_or_else(|| {
                                pack_entry(signed_order_by_sieve(m, i, &least, done))
                            });
                    }
                }
            });
            start += length;
        }
        Self {
            source: m,
            limit,
            shift,
            entries,
            least,
        }
    }

    /// The largest n in the table.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the order of m modulo n', where n' is the part of n coprime to m. Cost: O(1).
    ///
    /// # Panics
    /// If n = 0 or n is above the limit.
    #[inline]
    pub fn period(&self, n: u64) -> u64 {
        u64::from(self.entry(n) & ORDER_MASK)
    }

    /// Checks whether n' > 2 and -1 is a power of m modulo n'. Cost: O(1).
    ///
    /// # Panics
    /// If n = 0 or n is above the limit.
    #[inline]
    pub fn minus_one(&self, n: u64) -> bool {
        self.entry(n) & MINUS_ONE_IS_POWER != 0
    }

    /// Returns the complete orbit. Cost: O(1), and the greatest common divisors of the pre-period.
    ///
    /// # Panics
    /// If n = 0 or n is above the limit.
    pub fn orbit(&self, n: u64) -> Orbit {
        Orbit {
            pre_period: order::pre_period(self.source, n),
            period: self.period(n),
            minus_one: self.minus_one(n),
        }
    }

    /// Returns the prime factors of n. Cost: O(log n).
    ///
    /// # Panics
    /// If n = 0 or n is above the limit.
    pub fn factors(&self, n: u64) -> Factors {
        let mut factors = Factors::default();
        self.put_factors(n, &mut factors);
        factors
    }

    /// Writes the factors of n to `factors`.
    pub fn put_factors(&self, n: u64, factors: &mut Factors) {
        assert!(
            0 < n && n <= self.limit,
            "the table holds 1..={}, not {n}",
            self.limit
        );
        factors.length = 0;
        let mut push = |q: u64, k: u32| {
            factors.list[factors.length] = (q, k);
            factors.length += 1;
        };
        let mut rest = n as u32;
        let twos = rest.trailing_zeros();
        if twos > 0 {
            push(2, twos);
            rest >>= twos;
        }
        while rest > 1 {
            let (q, k, cofactor) = self.least.split_least_prime(rest);
            push(u64::from(q), k);
            rest = cofactor;
        }
    }

    #[inline]
    fn entry(&self, n: u64) -> u32 {
        assert!(
            0 < n && n <= self.limit,
            "the table holds 1..={}, not {n}",
            self.limit
        );
        let n = if self.shift == 1 {
            n >> n.trailing_zeros()
        } else {
            n
        };
        self.entries[(n >> self.shift) as usize]
    }
}

/// Converts an index of the table to a number; the table stores all numbers, or only the odd ones.
fn to_number(index: usize, shift: u32) -> u64 {
    ((index as u64) << shift) | u64::from(shift)
}

/// A table of the least prime factor of every number up to a limit, or of every odd number.
#[derive(Debug, Clone)]
struct LeastFactors {
    shift: u32,
    /// by index; 0 for a prime, and for 0 and 1. The least prime factor of a composite number below
    /// 2^32 is below 2^16.
    list: Vec<u16>,
    /// 1/q modulo 2^32 for odd q up to the square root of the limit, at index q / 2
    inverses: Vec<u32>,
}

impl LeastFactors {
    fn new(limit: u64, shift: u32) -> Self {
        let size = (limit >> shift) as usize + 1;
        let mut list = vec![0u16; size.max(2)];
        let primes: Vec<u64> = primes_up_to(limit.isqrt())
            .into_iter()
            .filter(|&p| p > 2 || shift == 0)
            .collect();
        let block = 1 << 17;
        threads::change(&mut list, block, &|index, chunk| {
            let first = to_number(index, shift);
            let last = to_number(index + chunk.len() - 1, shift);
            let within = primes.partition_point(|p| p * p <= last);
            // Go from the largest prime to the least, so that the least prime is written last.
            for &p in primes[..within].iter().rev() {
                let mut start = first.next_multiple_of(p).max(p * p);
                if shift == 1 && start % 2 == 0 {
                    start += p;
                }
                let mut at = ((start - first) >> shift) as usize;
                while at < chunk.len() {
                    chunk[at] = p as u16;
                    at += p as usize;
                }
            }
        });
        let inverses = (1..=limit.isqrt()).step_by(2);
        Self {
            shift,
            list,
            inverses: inverses.map(|q| inverse_of_odd(q) as u32).collect(),
        }
    }

    /// For n > 1, splits n = q^k r, where q is the least prime factor of n and q does not divide r;
    /// returns q, k and r. Cost: one or two products for each factor q.
    #[inline]
    fn split_least_prime(&self, n: u32) -> (u32, u32, u32) {
        let q = match self.list[(n >> self.shift) as usize] {
            0 => return (n, 1, 1),
            2 => return (2, n.trailing_zeros(), n >> n.trailing_zeros()),
            q => u32::from(q),
        };
        let inverse = self.inverses[(q / 2) as usize];
        let (mut rest, mut k) = (n.wrapping_mul(inverse), 1);
        loop {
            // t q = rest modulo 2^32; q divides the rest if and only if t q = rest
            let t = rest.wrapping_mul(inverse);
            if u64::from(t) * u64::from(q) != u64::from(rest) {
                return (q, k, rest);
            }
            (rest, k) = (t, k + 1);
        }
    }
}

/// Computes the entry at an index from earlier entries, if the least prime factor of its number is
/// small. The code has no branch that depends on an order, except if this prime divides the number
/// more than once.
#[inline(always)]
fn entry_by_small_prime(
    index: usize,
    small: &SmallOrders,
    least: &LeastFactors,
    done: &[u32],
) -> Option<u32> {
    let n = to_number(index, least.shift) as u32;
    let divided = small.divide_by_prime(n, least.list[index])?;
    let rest = done[(divided.rest >> least.shift) as usize];
    if rest & MINUS_ONE_IS_ONE != 0 {
        return None;
    }
    if let Some(order) = divided.order_if_prime_repeats(rest & ORDER_MASK) {
        return Some(order | rest & MINUS_ONE_IS_POWER);
    }
    let (order, same_twos) = small.lcm(&divided, rest & ORDER_MASK);
    // -1 is a power of m modulo n if it is a power modulo the rest, whose order is then even, and
    // if the order modulo the prime contains the same power of 2.
    Some(
        order
            | if same_twos {
                rest & MINUS_ONE_IS_POWER
            } else {
                0
            },
    )
}

/// Computes the order for the number at an index from the orders of earlier numbers.
fn signed_order_by_sieve(m: u64, index: usize, least: &LeastFactors, done: &[u32]) -> SignedOrder {
    let shift = least.shift;
    let n = to_number(index, shift);
    let entry = |n: u32| unpack_entry(done[(n >> shift) as usize]);
    let (q, k, rest) = least.split_least_prime(n as u32);
    if u64::from(q) <= m && m.is_multiple_of(u64::from(q)) {
        return if rest == 1 {
            SignedOrder::MODULO_ONE
        } else {
            entry(rest)
        };
    }
    if rest > 1 {
        let power = if k == 1 { q } else { q.pow(k) };
        return entry(power).combine(entry(rest));
    }
    let order = if k == 1 {
        prime_order_by_sieve(m, q, least)
    } else {
        // The number is a prime power: use the entry of the next lower power.
        let below = entry(q.pow(k - 1)).order;
        if pow_mod(m, below, n) == 1 {
            below
        } else {
            below * u64::from(q)
        }
    };
    SignedOrder::of_prime_power(m, u64::from(q), k, order)
}

/// Among the odd numbers whose entries `part` holds, writes the entries of the primes that
/// [`OrdersOf2`] supports.
fn put_orders_of_2(first: usize, part: &mut [u32], least: &LeastFactors) {
    let number = |i: usize| to_number(first + i, 1);
    if !(is_supported_prime(number(0)) || is_supported_prime(number(part.len() - 1))) {
        return;
    }
    let mut orders = OrdersOf2::new();
    let mut places = Vec::new();
    for (i, &factor) in least.list[first..first + part.len()].iter().enumerate() {
        if factor == 0 && is_supported_prime(number(i)) {
            let q = number(i) as u32;
            let (multiple, primes, count) = multiple_of_order(2, q, least);
            orders.push(q, multiple, primes[..count].iter().map(|&(r, _)| r));
            places.push(i);
        }
    }
    for (i, order) in places.into_iter().zip(orders.finish()) {
        part[i] = pack_entry(SignedOrder::of_prime_power(
            2,
            number(i),
            1,
            u64::from(order),
        ));
    }
}

/// For an odd prime q < 2^31 that does not divide m, returns a multiple of the order of m, and the
/// prime factors that may be removed from this multiple, each with its exponent. Uses the sieve's
/// factors of q - 1. The last number is the length of the list.
#[inline]
fn multiple_of_order(m: u64, q: u32, least: &LeastFactors) -> (u32, [(u32, u32); 10], usize) {
    let mut order = q - 1;
    let twos = order.trailing_zeros();
    let (mut known, residue) = (0, q % 8);
    if m == 2 {
        // If m is not a square modulo q, the order contains the same power of 2 as q - 1, otherwise
        // a smaller one: for q = 7 mod 8 the order is then odd.
        known = if residue == 3 || residue == 5 {
            twos
        } else {
            1
        };
        order >>= u32::from(residue == 1 || residue == 7);
    }
    let (mut primes, mut count) = ([(2, twos - known); 10], usize::from(twos > known));
    let mut rest = (q - 1) >> twos;
    while rest > 1 {
        let (r, k, cofactor) = least.split_least_prime(rest);
        (primes[count], count, rest) = ((r, k), count + 1, cofactor);
    }
    (order, primes, count)
}

/// Returns the order of m modulo a prime q < 2^31 that does not divide m, from the sieve's factors
/// of q - 1.
fn prime_order_by_sieve(m: u64, q: u32, least: &LeastFactors) -> u64 {
    if q == 2 {
        return 1;
    }
    let ring = ShortRing::new(q);
    let base = (m % u64::from(q)) as u32;
    let (mut order, primes, count) = multiple_of_order(m, q, least);
    let all = order;
    for part in primes[..count].chunks(4) {
        // Test all factors in one call, and test further powers only for the few factors that can
        // be removed.
        let mut exponents = [all; 4];
        for (i, (r, _)) in part.iter().enumerate() {
            exponents[i] = all / r;
        }
        let are_one = match part.len() {
            1 => ring.powers_are_one::<1>(base, exponents),
            2 => ring.powers_are_one::<2>(base, exponents),
            3 => ring.powers_are_one::<3>(base, exponents),
            _ => ring.powers_are_one::<4>(base, exponents),
        };
        for (i, &(r, k)) in part.iter().enumerate() {
            if !are_one[i] {
                continue;
            }
            order /= r;
            for _ in 1..k {
                let [is_one, ..] = ring.powers_are_one::<1>(base, [order / r; 4]);
                if !is_one {
                    break;
                }
                order /= r;
            }
        }
    }
    u64::from(order)
}

/// Montgomery's arithmetic modulo an odd n < 2^31, with 32-bit numbers.
struct ShortRing {
    n: u32,
    negated_inverse: u32,
    /// 2^32 mod n, the image of 1
    one: u32,
    /// 2^64 mod n; multiplying by it gives the image of a number
    square: u32,
}

impl ShortRing {
    fn new(n: u32) -> Self {
        let one = (u32::MAX % n + 1) % n;
        Self {
            n,
            negated_inverse: (inverse_of_odd(u64::from(n)) as u32).wrapping_neg(),
            one,
            square: ((u64::from(one) << 32) % u64::from(n)) as u32,
        }
    }

    /// a b / 2^32 modulo n, for b < n.
    #[inline(always)]
    fn mul(&self, a: u32, b: u32) -> u32 {
        let product = u64::from(a) * u64::from(b);
        let q = (product as u32).wrapping_mul(self.negated_inverse);
        // product + q n < 2^32 n + 2^32 n
        let high = ((product + u64::from(q) * u64::from(self.n)) >> 32) as u32;
        self.subtract_modulus(high)
    }

    /// Reduces x < 2 n modulo n.
    #[inline(always)]
    fn subtract_modulus(&self, x: u32) -> u32 {
        x.min(x.wrapping_sub(self.n))
    }

    /// Checks whether base^exponent = 1 modulo n, for each of the first K exponents; base < n, and
    /// exponents are above 0. The powers are computed together, since the products of one do not
    /// depend on those of another, and no branch depends on a bit. The loops use indices instead of
    /// zipped iterators, which compile to a call that is not inlined.
    fn powers_are_one<const K: usize>(&self, base: u32, exponents: [u32; 4]) -> [bool; 4] {
        let mut bits = 0;
        for exponent in &exponents[..K] {
            bits = bits.max(32 - exponent.leading_zeros());
        }
        let mut powers = [self.one; K];
        if base == 2 {
            // One shift gives the five top bits of the exponents.
            let rest = bits.saturating_sub(5);
            for i in 0..K {
                powers[i] = self.mul(1 << (exponents[i] >> rest), self.square);
            }
            for bit in (0..rest).rev() {
                for i in 0..K {
                    let square = self.mul(powers[i], powers[i]);
                    powers[i] = self.subtract_modulus(square << (exponents[i] >> bit & 1));
                }
            }
        } else {
            let entered = self.mul(base, self.square);
            for bit in (0..bits).rev() {
                for i in 0..K {
                    let square = self.mul(powers[i], powers[i]);
                    let more = self.mul(square, entered);
                    powers[i] = if exponents[i] >> bit & 1 == 1 {
                        more
                    } else {
                        square
                    };
                }
            }
        }
        let mut are_one = [false; 4];
        for i in 0..K {
            are_one[i] = powers[i] == self.one;
        }
        are_one
    }
}

/// Returns the orbits of m modulo every n of a range, in order.
///
/// For small n, uses an [`OrderTable`]. For large n, uses a segmented sieve with the primes up to
/// the square root of the end of the range, which leaves at most one large prime q per n; Brent's
/// rho factors q - 1. Cost: for small n, O(log end) per n and the table; for large n, about
/// end^(1/8) products per n. Memory: 24 bytes per n.
///
/// # Panics
/// If the range contains 0, or m < 2 or m > 2^32.
pub fn orbits_in(m: u64, range: Range<u64>) -> Vec<Orbit> {
    assert!(
        (2..=1 << 32).contains(&m),
        "a source has 2 to 2^32 sides, not {m}"
    );
    if range.is_empty() {
        return Vec::new();
    }
    assert!(range.start > 0, "a target has at least 1 side");
    let length = range.end - range.start;
    let last = range.end - 1;
    if last <= OrderTable::MAX_LIMIT && last / 8 <= length {
        let table = OrderTable::new(m, last);
        return threads::map(length as usize, &|i| table.orbit(range.start + i as u64));
    }
    if length < last.isqrt() / 64 {
        return threads::map(length as usize, &|i| {
            order::orbit(m, range.start + i as u64)
        });
    }
    let primes = threads::map_of(&primes_up_to(last.isqrt()), &|&q| {
        let order = if m.is_multiple_of(q) {
            0
        } else {
            order_mod_prime(m, q)
        };
        (q, order)
    });
    let blocks: Vec<u64> = (range.start..range.end).step_by(1 << 16).collect();
    let blocks = threads::map_of(&blocks, &|&start| {
        orbits_of_block(m, start..range.end.min(start + (1 << 16)), &primes)
    });
    blocks.concat()
}

/// Computes one block of a segmented sieve; `primes` are the primes up to the root, with their
/// orders.
fn orbits_of_block(m: u64, range: Range<u64>, primes: &[(u64, u64)]) -> Vec<Orbit> {
    let mut rest: Vec<u64> = range.clone().collect();
    let mut parts = vec![SignedOrder::MODULO_ONE; rest.len()];
    spend(1 << 16);
    for &(q, order) in primes {
        if q * q >= range.end {
            break;
        }
        let mut at = (range.start.next_multiple_of(q) - range.start) as usize;
        while at < rest.len() {
            let mut k = 0;
            while rest[at].is_multiple_of(q) {
                rest[at] /= q;
                k += 1;
            }
            if !m.is_multiple_of(q) {
                let order = if k == 1 {
                    order
                } else {
                    order_mod_prime_power(m, q, k)
                };
                parts[at] = parts[at].combine(SignedOrder::of_prime_power(m, q, k, order));
            }
            at += q as usize;
        }
    }
    range
        .zip(rest.into_iter().zip(parts))
        .map(|(n, (q, part))| {
            let part = if q > 1 && !m.is_multiple_of(q) {
                part.combine(SignedOrder::of_prime_power(m, q, 1, order_mod_prime(m, q)))
            } else {
                part
            };
            Orbit {
                pre_period: if gcd_words(n, m) == 1 {
                    0
                } else {
                    order::pre_period(m, n)
                },
                period: part.order,
                minus_one: part.minus_one == MinusOneStatus::IsPower,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::{factor, is_prime};
    use proptest::prelude::*;

    #[test]
    fn primes_agree_with_trial_division() {
        for limit in (0..130).chain([1000, 1008, 1009, 65_537]) {
            let expected: Vec<u64> = (0..=limit).filter(|&n| is_prime(n)).collect();
            assert_eq!(primes_up_to(limit), expected, "limit = {limit}");
        }
    }

    #[test]
    fn tables_agree_with_single_orbits() {
        for (m, limit) in [
            (2, 20_000),
            (3, 4000),
            (4, 3000),
            (5, 3000),
            (6, 3000),
            (7, 3000),
            (10, 3000),
            (15, 3000),
            (63, 2000),
            (1 << 32, 2000),
        ] {
            let table = OrderTable::new(m, limit);
            for n in 1..=limit {
                assert_eq!(table.orbit(n), order::orbit(m, n), "m = {m}, n = {n}");
                assert_eq!(table.factors(n).as_slice(), factor(n), "n = {n}");
            }
        }
        for limit in 1..20 {
            assert_eq!(
                OrderTable::new(2, limit).period(limit),
                order::period(2, limit)
            );
            assert_eq!(
                OrderTable::new(3, limit).period(limit),
                order::period(3, limit)
            );
        }
    }

    #[test]
    fn wieferich_squares_in_the_table() {
        let table = OrderTable::new(2, 3511 * 3511);
        assert_eq!(table.period(1093 * 1093), 364);
        assert_eq!(table.period(3511 * 3511), 1755);
        assert_eq!(table.period(1091 * 1091), 1090 * 1091);
    }

    #[test]
    fn segments_agree_with_single_orbits() {
        for m in [2, 3, 6, 35] {
            for start in [1, 999_000_000, 1_000_000_000_000] {
                let range = start..start + 20_000;
                for (n, orbit) in range.clone().zip(orbits_in(m, range)).step_by(37) {
                    assert_eq!(orbit, order::orbit(m, n), "m = {m}, n = {n}");
                }
            }
        }
        assert_eq!(orbits_in(2, u64::MAX - 3..u64::MAX).len(), 3);
        assert!(orbits_in(2, 5..5).is_empty());
    }

    proptest! {
        #[test]
        fn tables_of_any_source_agree_with_single_orbits(m in 2u64..=1 << 32, n in 1u64..40_000) {
            let expected: Vec<_> = (n..n + 3).map(|n| order::orbit(m, n)).collect();
            prop_assert_eq!(orbits_in(m, n..n + 3), expected);
        }
    }
}
