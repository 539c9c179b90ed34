//! Compares the costs with values that were computed elsewhere, and with a slow second method.

use flipcost_endless::samplers::samplers;
use flipcost_endless::text::EndlessText;

fn law(text: &str) -> EndlessText {
    text.parse().unwrap()
}

/// Checks that the value, rounded to the number of decimals of `printed`, equals `printed`.
fn check_value(value: &flipcost_number::Real, printed: &str) {
    let places = printed
        .split_once('.')
        .map_or(0, |(_, places)| places.len() as u32);
    assert_eq!(value.decimals(places).unwrap(), printed);
}

/// Values of the optimum that were computed with exact integers (Knuth & Yao's sum).
#[test]
fn optimum_of_each_family() {
    for (text, printed) in [
        ("dlaplace:scale=1", "3.6027134948714"),
        ("dlaplace:scale=2", "4.66687836608786"),
        ("dgauss:sigma=1", "3.6160024114996"),
        ("dgauss:sigma=3/2", "3.7971299774958"),
        ("poisson:1", "3.3608108241323"),
        ("poisson:3", "4.0812825418203"),
        ("geometric:p=1/3", "3.8945000286525"),
        ("bernoulli:exp(-1)", "2"),
        ("bernoulli:1/sqrt(2)", "2"),
        ("bernoulli:pi/4", "2"),
        // For P(x) = 2^-x, an outcome x takes x flips.
        ("geometric:p=1/2", "2"),
    ] {
        let value = law(text).optimum();
        eprintln!("{text} {}", value.decimals(20).unwrap_or_default());
        let places = printed
            .split_once('.')
            .map_or(0, |(_, places)| places.len() as u32);
        if places > 0 {
            check_value(&value, printed);
        } else {
            let near = value.enclose(200);
            let exact = flipcost_number::Rational::from(flipcost_number::BigInt::from(2));
            assert!(near.contains(&exact), "{text}");
        }
    }
}

/// Compares the zeta law with bounds that another program computed. They are the sum over x up to
/// 2^19, plus at least log2(1/P(x)) and at most 2 more flips with probability P(x) for each later x
/// (mpmath 1.3). The counted leaves are compared with listed leaves.
#[test]
fn zeta_counts_its_leaves() {
    use flipcost_number::expression::parse_signed;
    let zeta = law("zeta:s=3");
    let near = zeta.digits(102).unwrap().moment(1);
    assert!(near.low() > parse_signed("2.3894043700489746").unwrap());
    assert!(near.high() < parse_signed("2.3894043700520012").unwrap());
    assert!(near.is_within(56));
    check_value(&zeta.entropy(), "0.978871790718688");
    for s in [3, 4, 7, 32] {
        let zeta = flipcost_endless::laws::Zeta { s };
        let digits = zeta.digits(36).unwrap();
        let listed = (0..=36).map(|t| zeta.leaves_at(t).unwrap().len() as u64);
        assert_eq!(digits.leaves, listed.collect::<Vec<_>>(), "{s}");
        let deeper = zeta.digits(60).unwrap();
        for k in [1, 2] {
            assert!(digits.moment(k).low() <= deeper.moment(k).low());
            assert!(digits.moment(k).high() >= deeper.moment(k).high());
        }
    }
    for text in [
        "zeta:s=2",
        "zeta:s=5/2",
        "zeta:3,max=4",
        "zeta:s=33",
        "zeta:",
    ] {
        assert!(text.parse::<EndlessText>().is_err(), "{text}");
    }
}

/// The samplers of Canonne, Kamath & Steinke 2020; the values were computed with exact integers.
#[test]
fn samplers_in_use() {
    let rows = samplers(law("bernoulli:exp(-1)").kind(), 17).rows;
    check_value(&rows[0].expected, "2.35318072041006");
    let rows = samplers(law("dgauss:sigma=1").kind(), 17).rows;
    let of_t = |t: u64| {
        let mut coins = rows.iter().filter(|row| row.id != "opendp");
        coins.find(|row| row.t == Some(t)).unwrap()
    };
    check_value(of_t(2).loops.as_ref().unwrap(), "1.84575900033");
    check_value(&of_t(2).expected, "21.5533200714");
    check_value(of_t(1).loops.as_ref().unwrap(), "1.4233");
    check_value(&of_t(1).expected, "11.887");
}

/// Returns the row of a sampler.
fn sampler(text: &str, id: &str) -> flipcost_endless::samplers::DrawSampler {
    let mut rows = samplers(law(text).kind(), 17).rows.into_iter();
    rows.find(|row| row.id == id).unwrap()
}

/// Karney's algorithm D. The expected values were computed elsewhere from iterated integrals, by a
/// recursion over the digits of x, and agree with actual draws.
#[test]
fn karney_by_iterated_integrals() {
    let loops = "2.02781888982795453378524692498";
    for (sigma, attempts, flips) in [
        (
            "1",
            "2.02781887897795554377854403059",
            "20.6132936397256154547487102851",
        ),
        (
            "3/2",
            "2.70375851977060604476865206166",
            "34.3333166890826643998455388184",
        ),
        ("2", loops, "24.5974873033389848186290081739"),
        ("5", loops, "31.6639790006314725949418478371"),
    ] {
        let row = sampler(&format!("dgauss:sigma={sigma}"), "karney-d");
        check_value(row.loops.as_ref().unwrap(), attempts);
        check_value(&row.expected, flips);
    }
}

/// Compares inversion with a count of the intervals that are undecided after t bits, for t
/// below 24. Later at most 1 + 7 t intervals are undecided, which adds less than 400 / 2^24.
#[test]
fn inversion_by_counting_undecided_intervals() {
    use flipcost_number::{BigInt, Rational};
    use num_traits::One;
    let half = sampler("geometric:p=1/2", "inversion").expected;
    assert_eq!(half.exact(), Some(&Rational::from(BigInt::from(2))));
    for (text, p, q, printed) in [
        ("geometric:p=1/3", 2, 3, "4.42913385803305257951517243847"),
        ("geometric:p=1/4", 3, 4, "4.41397855615104583526750451744"),
        ("geometric:p=3/8", 5, 8, "3.88095206306033582020731596468"),
        ("geometric:p=1/10", 9, 10, "6.58366147739692191490538579061"),
    ] {
        let expected = sampler(text, "inversion").expected;
        check_value(&expected, printed);
        let ratio = Rational::new(p.into(), q.into());
        let least = Rational::new(1.into(), BigInt::from(1 << 24));
        let powers = std::iter::successors(Some(ratio.clone()), |power| Some(power * &ratio));
        let breakpoints: Vec<Rational> = powers
            .take_while(|power| *power >= least)
            .map(|power| Rational::one() - power)
            .collect();
        let mut flips = 0f64;
        for t in 0..24 {
            let scaled = breakpoints.iter().map(|b| b * BigInt::from(1 << t));
            let inside = scaled.filter(|b| !b.is_integer());
            let mut undecided: std::collections::BTreeSet<BigInt> =
                inside.map(|b| b.to_integer()).collect();
            undecided.insert(BigInt::from((1 << t) - 1));
            flips += undecided.len() as f64 / f64::from(1 << t);
        }
        let rest = expected.to_f64().unwrap() - flips;
        assert!((0.0..400.0 / f64::from(1 << 24)).contains(&rest), "{text}");
    }
}

/// Samplers whose cost takes too long to compute are left out, and a note says so.
#[test]
fn wide_laws_leave_samplers_out() {
    let in_use = samplers(law("dgauss:sigma=4095").kind(), 17);
    assert!(in_use.rows.iter().any(|row| row.t == Some(4096)));
    let notes = [
        "karney-d is left out: ceil(sigma) = 4095 is above 2048",
        "opendp is left out: t = 4096 is above 16",
    ];
    assert_eq!(in_use.left_out, notes);
    let many = samplers(law("dgauss:sigma=100").kind(), 50);
    assert!(many.left_out[0].starts_with("karney-d is left out: with these decimals"));
}

/// Returns the sum of t d_t / 2^t over the first `bits` digits d_t of all probabilities, computed
/// from exact rationals. This is a second method for the optimum.
fn optimum_of(probabilities: &[flipcost_number::Rational], bits: u64) -> flipcost_number::Rational {
    use flipcost_number::{BigInt, Rational};
    let mut sum = BigInt::from(0);
    for p in probabilities {
        let digits = (p.numer() << bits) / p.denom();
        for t in 1..=bits {
            if digits.bit(bits - t) {
                sum += BigInt::from(t) << (bits - t);
            }
        }
    }
    Rational::new(sum, BigInt::from(1) << bits)
}

/// Returns e^(-x) = 1 / sum x^n / n! as a rational. The plain series is summed far beyond the
/// compared digits, so that the probabilities have 300 correct digits.
fn exp_minus(x: &flipcost_number::Rational) -> flipcost_number::Rational {
    use flipcost_number::{BigInt, Rational};
    // e^x to 2^-500, as a multiple of 2^-700.
    let unit: BigInt = BigInt::from(1) << 700;
    let (mut term, mut sum) = (unit.clone(), BigInt::from(0));
    let mut n = 0;
    while term != BigInt::from(0) {
        sum += &term;
        n += 1;
        term = term * x.numer() / (x.denom() * BigInt::from(n));
    }
    Rational::new(unit, sum)
}

/// Compares 50 digits for each family with plain sums of rationals. These sums use another series,
/// and list all outcomes far beyond these digits.
#[test]
fn fifty_digits_by_a_second_way() {
    use flipcost_number::{BigInt, Rational, Real};
    let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
    let sum_over = |weight: &dyn Fn(i64) -> Rational, from: i64, to: i64| -> Vec<Rational> {
        // Use multiples of 2^-600, so that divisions are fast.
        let unit: BigInt = BigInt::from(1) << 600;
        let weight = |x: i64| (weight(x) * &unit).floor().to_integer();
        let weights: Vec<BigInt> = (from..=to).map(weight).collect();
        let all: BigInt = weights.iter().sum();
        weights
            .into_iter()
            .map(|w| Rational::new(w, all.clone()))
            .collect()
    };
    let laplace = |scale: i64| {
        sum_over(
            &|x| exp_minus(&ratio(x.abs(), scale)),
            -320 * scale,
            320 * scale,
        )
    };
    let gauss = |square: Rational| sum_over(&|x| exp_minus(&(ratio(x * x, 2) / &square)), -50, 50);
    let poisson = |mean: i64| {
        let weight = |x: i64| (1..=x).fold(ratio(1, 1), |w, k| w * ratio(mean, k));
        sum_over(&weight, 0, 120)
    };
    let geometric = |p: Rational| {
        let q = ratio(1, 1) - &p;
        sum_over(&move |x| num_traits::Pow::pow(&q, x as u64), 0, 700)
    };
    // erf by another series, x - x^3/3 + x^5/10 - ..., which alternates.
    let erf = |x: Rational| {
        let unit: BigInt = BigInt::from(1) << 900;
        let x = (x * &unit).floor().to_integer();
        let square: BigInt = (&x * &x) >> 900;
        let (mut power, mut sum) = (x, BigInt::from(0));
        for n in 0..2000u32 {
            sum += &power / BigInt::from(2 * n + 1);
            let next: BigInt = (&power * &square) >> 900u32;
            power = -next / BigInt::from(n + 1);
        }
        Rational::new(sum, unit)
    };
    let two: BigInt = BigInt::from(2) << 1800;
    let root = Rational::new(two.sqrt(), BigInt::from(1) << 900);
    let rounded = |sigma: Rational| {
        let at = |x: i64| erf(ratio(2 * x + 1, 2) / (&sigma * &root));
        sum_over(&|x: i64| at(x.abs()) - at(x.abs() - 1), -24, 24)
    };
    for (text, probabilities) in [
        ("dlaplace:scale=1", laplace(1)),
        ("dlaplace:scale=2", laplace(2)),
        ("dgauss:sigma=1", gauss(ratio(1, 1))),
        ("dgauss:sigma=3/2", gauss(ratio(9, 4))),
        ("poisson:1", poisson(1)),
        ("poisson:3", poisson(3)),
        ("geometric:p=1/3", geometric(ratio(1, 3))),
        ("rgauss:sigma=7/5", rounded(ratio(7, 5))),
    ] {
        let second = Real::Exact(optimum_of(&probabilities, 240))
            .decimals(50)
            .unwrap();
        assert_eq!(law(text).optimum().decimals(50).unwrap(), second, "{text}");
    }
}

/// Compares with the Renyi divergences in nats that FrodoKEM's documents state, times 10^4, and
/// with values for Falcon's table.
#[test]
fn tables_of_lattice_cryptography() {
    use flipcost_endless::measures::TableComparison;
    use flipcost_number::{BigInt, Rational, Real};
    let nats = |table: &str, text: &str, order: i64, factor: Real| {
        let apart = TableComparison::new(&table.parse().unwrap(), &law(text)).unwrap();
        let order = Rational::from(BigInt::from(order));
        let ln2 =
            Real::enclosed(|bits| flipcost_number::ln(&Rational::from(BigInt::from(2)), bits));
        apart.renyi(&order).times(&ln2).times(&factor)
    };
    for (table, text, order, printed) in [
        ("frodo640", "rgauss:sigma=2.8", 200, "0.324"),
        ("frodo976", "rgauss:sigma=2.3", 500, "0.140"),
        ("frodo1344", "rgauss:sigma=1.4", 1000, "0.264"),
    ] {
        check_value(&nats(table, text, order, Real::integer(10_000)), printed);
    }
    let falcon = nats(
        "falcon",
        "dgauss:sigma=1.8205,from=0",
        513,
        Real::integer(BigInt::from(1) << 78),
    );
    check_value(&falcon, "1.0469208");
}

/// Draws with the tree have the mean of the tree, and the same seed gives the same draws. A level
/// has fewer leaves than nodes.
#[test]
fn draws_follow_the_tree() {
    let law = law("dgauss:sigma=3/2");
    let mut walk = flipcost_endless::walk::Walk::new(&law, "target").unwrap();
    let mut state = 1u64;
    let mut flip = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        Some(state >> 63 == 1)
    };
    let (mut flips, mut square) = (0u64, 0i64);
    const DRAWS: u64 = 100_000;
    for _ in 0..DRAWS {
        let (x, used) = walk.draw(&mut flip).unwrap().unwrap();
        flips += used;
        square += x * x;
    }
    // The means are 3.797 and 2.25, with standard deviations 2.0 and 3.2; allow 5 standard errors.
    assert!((flips as f64 / DRAWS as f64 - 3.7971).abs() < 5.0 * 2.1 / (DRAWS as f64).sqrt());
    assert!((square as f64 / DRAWS as f64 - 2.25).abs() < 5.0 * 3.2 / (DRAWS as f64).sqrt());
}

/// Every invalid input is rejected with one sentence. No enclosure separates exp(ln(1/2)) from 1/2;
/// P(0) = 1 - 2e^-500000 needs 721,000 bits.
#[test]
fn digits_that_cannot_be_decided_are_refused() {
    for text in ["bernoulli:exp(ln(1/2))", "dgauss:sigma=1/1000"] {
        let error = law(text).digits(100).unwrap_err();
        assert_eq!(
            error,
            flipcost_endless::law::DigitsError::Undecided,
            "{text}"
        );
    }
    assert!(law("dgauss:sigma=1/100").digits(100).is_ok());
}

#[test]
fn bad_input_is_refused() {
    for (text, why) in [
        ("dgauss:sigma=0", "above 0"),
        ("dgauss:sigma=-1", "above 0"),
        ("dgauss:sigma=1,max=5", "takes no max"),
        ("poisson:3,max=20", "takes no max"),
        ("dgauss", "is written as in dgauss:sigma=3/2"),
        ("dgauss:sigma=1,from=3", "from=0 was expected"),
        ("dgauss:sigma=1,sigma=2", "dgauss has sigma twice"),
        ("dgauss:sigma=1,mu=0", "dgauss has no mu"),
        ("poisson:10^20", "between 2^-40 and 2^40"),
        ("bernoulli:pi", "not a probability between 0 and 1"),
        ("bernoulli:exp(-10^6)", "too near to 0 or 1"),
        ("geometric:p=2^-100", "between 2^-40 and 1"),
        (
            "dgauss:sigma=1,,from=0",
            "is written as in dgauss:sigma=3/2",
        ),
        ("geometric:p=3/2", "between 0 and 1"),
    ] {
        let said = text.parse::<EndlessText>().unwrap_err();
        assert!(said.contains(why), "{text}: {said}");
    }
    for text in [
        "dgauss:sigma=10^6",
        "poisson:10^12",
        "dlaplace:scale=10^9",
        "geometric:p=10^-9",
    ] {
        assert!(law(text).digits(80).is_err(), "{text}");
    }
}

/// The discrete Gaussian sampler of Canonne, Kamath & Steinke as published, which counts its flips.
struct FlipCounter {
    state: u64,
    flips: u64,
    /// Whether whole bytes are drawn, as in OpenDP's code.
    bytes: bool,
}

impl FlipCounter {
    fn byte(&mut self) -> u128 {
        (0..8).fold(0, |byte, _| 2 * byte + u128::from(self.flip()))
    }

    fn below(&mut self, n: u128) -> u128 {
        let bytes = (128 - n.leading_zeros()).div_ceil(8);
        let last = (1u128 << (8 * bytes)) - 1;
        loop {
            let number = (0..bytes).fold(0, |number, _| 256 * number + self.byte());
            if number < last - last % n {
                return number % n;
            }
        }
    }

    fn flip(&mut self) -> bool {
        self.flips += 1;
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 63 == 1
    }

    /// Compares the digits of a/b with flips, until the two differ.
    fn choice(&mut self, mut a: u128, b: u128) -> bool {
        if self.bytes {
            let common = num_integer::gcd(a, b);
            return a / common > self.below(b / common);
        }
        while !a.is_multiple_of(b) {
            a *= 2;
            let digit = a >= b;
            a -= if digit { b } else { 0 };
            if self.flip() != digit {
                return digit;
            }
        }
        a > 0
    }

    fn uniform(&mut self, n: u64) -> u64 {
        if self.bytes {
            return self.below(n.into()) as u64;
        }
        let (mut v, mut c) = (1, 0);
        loop {
            if v >= n {
                if c < n {
                    return c;
                }
                (v, c) = (v - n, c - n);
                continue;
            }
            (v, c) = (2 * v, 2 * c + u64::from(self.flip()));
        }
    }

    fn exp(&mut self, mut a: u128, b: u128) -> bool {
        while a > b {
            if !self.exp(1, 1) {
                return false;
            }
            a -= b;
        }
        let mut k = 1;
        while self.choice(a, b * k) {
            k += 1;
        }
        k % 2 == 1
    }

    fn laplace(&mut self, t: u64) -> i64 {
        loop {
            let u = self.uniform(t);
            if !self.exp(u.into(), t.into()) {
                continue;
            }
            let mut v = 0;
            while self.exp(1, 1) {
                v += 1;
            }
            let negative = if self.bytes {
                self.byte() & 1 == 1
            } else {
                self.flip()
            };
            let y = (u + t * v) as i64;
            if !negative || y > 0 {
                return if negative { -y } else { y };
            }
        }
    }

    /// Draws from the discrete Gaussian law with sigma^2 = p/q.
    fn gauss(&mut self, p: u64, q: u64, t: u64) -> i64 {
        loop {
            let y = self.laplace(t);
            // (|y| - p / (q t))^2 q / (2 p)
            let from = (y.unsigned_abs() * q * t).abs_diff(p) as u128;
            let down = 2 * u128::from(p) * u128::from(q) * u128::from(t * t);
            if self.exp(from * from, down) {
                return y;
            }
        }
    }

    /// Draws a new number bit by bit until it differs from another number. If the new number is
    /// lower, returns its bits and their count. If the digits of the other number end, the new
    /// number is not lower.
    fn draw_lower(
        &mut self,
        mut digit: impl FnMut(&mut FlipCounter, u32) -> Option<bool>,
    ) -> Option<(u128, u32)> {
        let (mut bits, mut known) = (0, 0);
        loop {
            let digit = digit(self, known)?;
            let bit = self.flip();
            (bits, known) = (2 * bits + u128::from(bit), known + 1);
            if bit != digit {
                return digit.then_some((bits, known));
            }
        }
    }

    /// Karney's algorithm B with x = a/b and a choice with probability p/q after each comparison.
    fn algorithm_b(&mut self, (mut a, b): (u128, u128), (p, q): (u128, u128)) -> bool {
        let mut last = self.draw_lower(|_, _| {
            (a > 0).then(|| {
                a *= 2;
                let digit = a >= b;
                a -= if digit { b } else { 0 };
                digit
            })
        });
        let mut even = true;
        while let Some((bits, known)) = last {
            if !self.choice(p, q) {
                break;
            }
            even = !even;
            last = self.draw_lower(|coins, place| {
                Some(if place < known {
                    (bits >> (known - 1 - place)) & 1 == 1
                } else {
                    coins.flip()
                })
            });
        }
        even
    }

    /// Draws with sigma = p/q by Karney's algorithm D.
    fn karney(&mut self, p: u128, q: u128) -> i64 {
        loop {
            let mut k = 0;
            while self.algorithm_b((1, 2), (1, 1)) {
                k += 1;
            }
            if !(0..k * k - k).all(|_| self.algorithm_b((1, 2), (1, 1))) {
                continue;
            }
            let negative = self.flip();
            let j = self.uniform(p.div_ceil(q) as u64);
            let i = (k * p).div_ceil(q) + u128::from(j);
            let x = i * q - k * p;
            if x >= p || i == 0 && negative {
                continue;
            }
            let choice = (2 * k * p + x, (2 * k + 2) * p);
            if (0..=k).all(|_| self.algorithm_b((x, p), choice)) {
                return if negative { -(i as i64) } else { i as i64 };
            }
        }
    }

    /// Halves the interval 0..1 by one flip at a time until no power of q is inside.
    fn sample_by_inversion(&mut self, q: f64) {
        let (mut high, mut width, mut power) = (1.0, 1.0, q);
        while power > high - width {
            width /= 2.0;
            high -= if self.flip() { width } else { 0.0 };
            while power >= high {
                power *= q;
            }
        }
    }
}

/// A test case: a law, a sampler, its t, and a function that draws.
type DrawCase = (
    &'static str,
    &'static str,
    Option<u64>,
    fn(&mut FlipCounter),
);

const CASES: [DrawCase; 8] = [
    (
        "dgauss:sigma=1",
        "canonne-kamath-steinke",
        Some(2),
        |coins| {
            coins.gauss(1, 1, 2);
        },
    ),
    (
        "dgauss:sigma=1",
        "canonne-kamath-steinke-floor",
        Some(1),
        |coins| {
            coins.gauss(1, 1, 1);
        },
    ),
    (
        "dgauss:sigma=3/2",
        "canonne-kamath-steinke",
        Some(2),
        |coins| {
            coins.gauss(9, 4, 2);
        },
    ),
    ("dgauss:sigma=3/2", "opendp", Some(2), |coins| {
        coins.gauss(9, 4, 2);
    }),
    ("dgauss:sigma=3/2", "karney-d", None, |coins| {
        coins.karney(3, 2);
    }),
    ("dgauss:sigma=5", "karney-d", None, |coins| {
        coins.karney(5, 1);
    }),
    ("geometric:p=1/3", "inversion", None, |coins| {
        coins.sample_by_inversion(2.0 / 3.0)
    }),
    ("geometric:p=3/8", "inversion", None, |coins| {
        coins.sample_by_inversion(0.625)
    }),
];

/// The mean cost of 10^6 draws is the computed cost, within 5 standard errors.
#[test]
fn samplers_cost_what_draws_of_them_take() {
    for (text, id, t, draw) in CASES {
        let row = sampler(text, id);
        assert_eq!(row.t, t);
        let expected = row.expected.to_f64().unwrap();
        let mut coins = FlipCounter {
            state: 1,
            flips: 0,
            bytes: id == "opendp",
        };
        let (mut sum, mut square) = (0f64, 0f64);
        const DRAWS: u32 = 1_000_000;
        for _ in 0..DRAWS {
            let before = coins.flips;
            draw(&mut coins);
            let flips = (coins.flips - before) as f64;
            (sum, square) = (sum + flips, square + flips * flips);
        }
        let (draws, mean) = (f64::from(DRAWS), sum / f64::from(DRAWS));
        let error = ((square / draws - mean * mean) / draws).sqrt();
        assert!(
            (mean - expected).abs() < 5.0 * error,
            "{text}, {id}: {mean} and {expected}"
        );
    }
}
