//! The doubles that a library's `random()` returns when it is scaled to an interval [a, b).

use crate::function::functions;
use crate::scaled::{ScaledInterval, ScaledValues, rational};
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};

/// How a random word y becomes a double.
#[derive(Clone, Copy)]
pub(crate) enum DoubleRule {
    /// a + (b - a) u with u = y / 2^bits, and the rule for results of b or more. With 64 bits, u is
    /// rounded and stays below 1.
    Scaled(u32, End),
    /// The same as `Scaled`, but for y = 0, u is this number.
    Above(u32, f64),
    /// One of ceil((b - a) / g) doubles at distances of g. The first double is the end of the
    /// interval with the larger absolute value, and the last one is a. The step g is the distance
    /// between neighbouring doubles just inside the first end (the gamma-section, Goualard 2022).
    Section,
}

/// What a function does with results of b or more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Keeps such results.
    Stays,
    /// Replaces such results by the double below b.
    Below,
    /// Draws another u.
    Again,
    /// Makes b - a smaller until no result is above b.
    Narrower,
}

const fn scaled_keeping_end(bits: u32) -> DoubleRule {
    DoubleRule::Scaled(bits, End::Stays)
}

const fn ends(bits: u32, end: End) -> DoubleRule {
    DoubleRule::Scaled(bits, end)
}

functions! { DOUBLES: DoubleRule;
    "cpython-uniform", "Python", "random.uniform(a, b)", "CPython 3.11, 3.13", "Lib/random.py", Run => scaled_keeping_end(53);
    "numpy-uniform", "Python", "Generator.uniform(a, b)", "NumPy 2.4", "numpy/random/src/distributions/distributions.c", Run => scaled_keeping_end(53);
    "java-nextdouble", "Java", "RandomGenerator.nextDouble(a, b)", "JDK 17, 25", "jdk/internal/util/random/RandomSupport.java", Read => ends(53, End::Below);
    "kotlin-nextdouble", "Kotlin", "Random.nextDouble(a, b)", "Kotlin @00506a75", "libraries/stdlib/src/kotlin/random/Random.kt", Read => ends(53, End::Below);
    "go-float64", "Go", "a + (b-a)*rand.Float64(), math/rand/v2", "Go 1.27.3, no fused multiply-add", "src/math/rand/v2/rand.go", Read => scaled_keeping_end(53);
    "rust-rand-random-range-f64", "Rust", "rand random_range(a..b)", "rand 0.10.2 @053b393f", "src/distr/uniform_float.rs", Read => scaled_keeping_end(52);
    "rust-rand-uniform-f64", "Rust", "rand Uniform::new(a, b).sample", "rand 0.10.2 @053b393f", "src/distr/uniform_float.rs", Read => ends(52, End::Narrower);
    "rust-rand-random-f64", "Rust", "a + (b - a) * rng.random::<f64>()", "rand 0.10.4", "src/distr/float.rs", Read => scaled_keeping_end(53);
    "libstdcxx-uniform-real", "C++", "std::uniform_real_distribution<double>(a, b), libstdc++, mt19937 and mt19937_64", "GCC 12, no fused multiply-add", "bits/random.h, bits/random.tcc", Read => scaled_keeping_end(64);
    "julia-rand-float64", "Julia", "a + (b - a) * rand()", "JuliaLang/julia @01cf45b5 (Xoshiro)", "stdlib/Random/src/Xoshiro.jl", Read => scaled_keeping_end(53);
    "r-runif", "R", "runif(1, a, b)", "R 4.2", "src/main/RNG.c, src/nmath/runif.c", Run => DoubleRule::Above(32, 0.5 * 2.328306437080797e-10);
    "php-randomizer-nextfloat", "PHP", "$a + ($b - $a) * $randomizer->nextFloat()", "PHP 8.3", "ext/random/randomizer.c", Read => scaled_keeping_end(53);
    "php-randomizer-getfloat", "PHP", "$randomizer->getFloat($a, $b)", "PHP 8.3", "ext/random/gammasection.c", Read => DoubleRule::Section;
    "perl-rand-double", "Perl", "a + rand(b - a)", "Perl 5.36", "util.c (drand48)", Run => scaled_keeping_end(48);
    "ruby-rand-range", "Ruby", "rand(a...b)", "Ruby 3.1", "random.c", Run => scaled_keeping_end(53);
    "dotnet-nextdouble", ".NET", "a + (b - a) * random.NextDouble()", "dotnet/runtime @0cc3ecd9", "src/libraries/System.Private.CoreLib/src/System/Random.Xoshiro256StarStarImpl.cs", Read => scaled_keeping_end(53);
    "swift-double-random", "Swift", "Double.random(in: a..<b)", "Swift 5", "stdlib/public/core/FloatingPoint.swift", Copy => ends(53, End::Again);
    "lua-54-random-double", "Lua", "a + (b - a) * math.random()", "Lua 5.4", "lmathlib.c", Run => scaled_keeping_end(53);
    "js-math-random-v8", "JavaScript", "a + (b - a) * Math.random()", "V8 of Node 20 and before", "src/numbers/math-random.cc", Run => scaled_keeping_end(52);
    "js-math-random-v8-53", "JavaScript", "a + (b - a) * Math.random()", "V8 13.6 and later", "src/base/utils/random-number-generator.h", Copy => scaled_keeping_end(53);
    "js-math-random-spidermonkey", "JavaScript", "a + (b - a) * Math.random()", "SpiderMonkey", "mfbt/XorShift128PlusRNG.h", Copy => scaled_keeping_end(53);
    "js-math-random-javascriptcore", "JavaScript", "a + (b - a) * Math.random()", "WebKit @08e4dc17", "Source/WTF/wtf/WeakRandom.h", Read => scaled_keeping_end(53);
}

/// The law of the doubles that a function returns.
pub(crate) struct DoubleLaw {
    /// The number of different results.
    pub values: BigInt,
    /// The probability of a.
    pub at_a: Rational,
    /// The probability of b or more.
    pub at_b: Rational,
    /// The largest distance between neighbouring results.
    pub gap: Rational,
    /// The mean minus (a + b) / 2.
    pub mean_bias: Rational,
}

impl DoubleRule {
    /// Returns the law for finite a < b with a finite difference. Cost: O(1) sums of floors for
    /// each of about a hundred exponents; each sum takes as many steps as a double has bits.
    pub fn law(&self, a: f64, b: f64) -> DoubleLaw {
        let (bits, end, zero) = match *self {
            DoubleRule::Scaled(bits, end) => (bits, end, None),
            DoubleRule::Above(bits, zero) => (bits, End::Stays, Some(zero)),
            DoubleRule::Section => return gamma_section_law(a, b),
        };
        let words = 1u128 << bits;
        let width = b - a;
        let mut scaled = ScaledInterval { a, width, bits };
        if end == End::Narrower {
            while scaled.value(words - 1) > b {
                scaled.width = scaled.width.next_down();
            }
        }
        let kept = scaled.first(b, words);
        let over = BigInt::from(words - kept);
        let shown = if matches!(end, End::Below | End::Again) {
            kept
        } else {
            words
        };
        let mut all = match (bits, zero) {
            (64, _) => scaled.rounded_values(),
            (_, None) => scaled.values(0..shown),
            (_, Some(_)) => scaled.values(1..shown),
        };
        let mut total = BigInt::from(shown);
        let mut at_a = BigInt::from(scaled.first(a.next_up(), shown));
        if let Some(zero) = zero {
            let (least, next) = (a + width * zero, scaled.value(1));
            all.join(&ScaledValues::single(), Some(least), next);
            all.sum += rational(least);
            if least > a {
                at_a -= 1;
            }
        }
        if end == End::Below && kept < words {
            let (last, below) = (scaled.value(kept - 1), b.next_down());
            all.join(&ScaledValues::single(), Some(last), below);
            if below == a {
                at_a += &over;
            }
            all.sum += rational(below) * &over;
            total += &over;
        }
        let at_b = if shown == kept { BigInt::ZERO } else { over };
        DoubleLaw {
            values: all.values,
            at_a: Rational::new(at_a, total.clone()),
            at_b: Rational::new(at_b, total.clone()),
            gap: all.gap,
            mean_bias: all.sum / total - interval_middle(a, b),
        }
    }
}

fn interval_middle(a: f64, b: f64) -> Rational {
    (rational(a) + rational(b)) / BigInt::from(2)
}

/// Returns the law of [`DoubleRule::Section`].
fn gamma_section_law(a: f64, b: f64) -> DoubleLaw {
    let is_from_a = a.abs() > b.abs();
    let apart = if is_from_a {
        rational(a.next_up()) - rational(a)
    } else {
        rational(b) - rational(b.next_down())
    };
    let values = ((rational(b) - rational(a)) / &apart).ceil().to_integer();
    let steps: BigInt = &values - 1;
    // The last double is a; the mean of the others is half way between the first and the last of
    // them.
    let (sum, last) = if is_from_a {
        let sum = rational(a) * &values + &apart * (&values * &steps / 2);
        (sum, apart.clone())
    } else {
        let sum = rational(b) * &steps - &apart * (&values * &steps / 2) + rational(a);
        (sum, rational(b) - &apart * &steps - rational(a))
    };
    let gap = match &steps {
        steps if steps.is_zero() => Rational::zero(),
        steps if steps.is_one() => last,
        _ => apart,
    };
    DoubleLaw {
        at_a: Rational::new(1.into(), values.clone()),
        at_b: Rational::zero(),
        gap,
        mean_bias: sum / &values - interval_middle(a, b),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(id: &str, a: f64, b: f64) -> DoubleLaw {
        let line = DOUBLES.iter().find(|line| line.id == id).unwrap();
        line.rule.law(a, b)
    }

    /// On [1, 2) only 1 - 2^-53 is rounded to 2, and half of the results lie half way between two
    /// doubles.
    #[test]
    fn half_of_the_results_on_1_to_2_are_ties() {
        let small = |e: u32| Rational::new(1.into(), BigInt::from(1u8) << e);
        let python = law("cpython-uniform", 1.0, 2.0);
        assert_eq!(python.values, (BigInt::from(1) << 52) + 1);
        assert_eq!(
            (python.at_b, python.at_a),
            (small(53), small(53) * BigInt::from(2))
        );
        let java = law("java-nextdouble", 1.0, 2.0);
        assert_eq!(
            (java.values, java.at_b),
            (BigInt::from(1) << 52, BigInt::ZERO.into())
        );
        let swift = law("swift-double-random", 1.0, 2.0);
        assert_eq!(
            swift.at_a,
            Rational::new(2.into(), (BigInt::from(1) << 53) - 1)
        );
        // With 52 bits no result lies half way between two doubles.
        let rust = law("rust-rand-random-range-f64", 1.0, 2.0);
        assert_eq!(
            (rust.values, rust.at_b),
            (BigInt::from(1) << 52, BigInt::ZERO.into())
        );
        assert_eq!(rust.mean_bias, -small(53));
    }

    /// Java replaces the result b by the double below b. Here this double is a, so a is the only
    /// result.
    #[test]
    fn an_interval_may_contain_only_one_double() {
        let b = 1.0f64.next_up();
        let java = law("java-nextdouble", 1.0, b);
        assert_eq!((java.values, java.at_a), (1.into(), BigInt::from(1).into()));
        // The result is rounded up to b if u > 1/2.
        let python = law("cpython-uniform", 1.0, b);
        assert_eq!(
            python.at_b,
            Rational::new((BigInt::from(1) << 52) - 1, BigInt::from(1) << 53)
        );
    }

    /// 1 + u is rounded to 2 for u from 1 - 2^-53 on, that is for words from 2^64 - 2^11 - 2^10 on,
    /// except for the word half way between two doubles.
    #[test]
    fn cpp_rounds_words_near_2_64_to_the_end() {
        let cpp = law("libstdcxx-uniform-real", 1.0, 2.0);
        assert_eq!(cpp.at_b, Rational::new(3071.into(), BigInt::one() << 64));
    }

    /// R never draws 0; it replaces 0 by about half a step.
    #[test]
    fn r_never_returns_the_lower_end() {
        let r = law("r-runif", 0.0, 1.0);
        assert_eq!((r.values, r.at_a.is_zero()), (BigInt::one() << 32, true));
        let r = law("r-runif", 1.0, 2.0);
        assert_eq!(r.at_a, Rational::zero());
        // At 10^10, where the last place is 2^-19, no y up to 2^12 changes the result.
        let r = law("r-runif", 1e10, 1e10 + 1.0);
        assert_eq!(r.at_a, Rational::new(4097.into(), BigInt::one() << 32));
    }

    /// The steps are 2^-52 in both intervals; in the second interval they start at -2. PHP computes
    /// the number of steps in doubles, and so does the test.
    #[test]
    fn php_splits_an_interval_into_equal_steps() {
        let php = law("php-randomizer-getfloat", 1.0, 2.0);
        let step = || Rational::new(1.into(), BigInt::one() << 52);
        assert_eq!((php.values, php.gap), (BigInt::one() << 52, step()));
        assert_eq!(php.mean_bias, -step() / BigInt::from(2));
        let php = law("php-randomizer-getfloat", -2.0, 1.0);
        assert_eq!((php.values, php.gap), ((BigInt::one() << 52) * 3, step()));
        let ceilint = |a: f64, b: f64| {
            let g = if a.abs() > b.abs() {
                a.next_up() - a
            } else {
                b - b.next_down()
            };
            let s = b / g - a / g;
            let e = if a.abs() <= b.abs() {
                -a / g - (s - b / g)
            } else {
                b / g - (s + a / g)
            };
            s.ceil() as u64 + u64::from(s == s.ceil() && e > 0.0)
        };
        for (a, b) in [
            (0.0, 1.0),
            (-1.0, 1.0),
            (0.1, 0.3),
            (-0.3, 0.1),
            (1e-300, 1.0),
            (-7.0, 1e-9),
            (3.0, 4.5),
            (1e16, 1.0000000000000004e16),
            (-0.1, 0.1),
        ] {
            assert_eq!(
                law("php-randomizer-getfloat", a, b).values,
                ceilint(a, b).into(),
                "{a} {b}"
            );
        }
    }
}
