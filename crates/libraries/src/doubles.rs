//! What `random()` of a library gives, and its scaling to an interval [a, b).

use crate::function::functions;
use crate::scaled::{ScaledInterval, rational};
use flipcost_number::{BigInt, Rational};

/// a + (b - a) u with u = y / 2^bits, and what is done with results from b on.
#[derive(Clone, Copy)]
pub(crate) struct DoubleRule {
    bits: u32,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// They stay.
    Stays,
    /// The double below b is taken.
    Below,
    /// Another u is drawn.
    Again,
    /// b - a is made less until no result is above b.
    Narrower,
}

const fn stays(bits: u32) -> DoubleRule {
    DoubleRule {
        bits,
        end: End::Stays,
    }
}

const fn ends(bits: u32, end: End) -> DoubleRule {
    DoubleRule { bits, end }
}

functions! { DOUBLES: DoubleRule;
    "cpython-uniform", "Python", "random.uniform(a, b)", "CPython 3.11, 3.13", "Lib/random.py", Read => stays(53);
    "numpy-uniform", "Python", "Generator.uniform(a, b)", "NumPy 2", "numpy/random/src/distributions/distributions.c", Memory => stays(53);
    "java-nextdouble", "Java", "RandomGenerator.nextDouble(a, b)", "JDK 17 and later", "jdk/internal/util/random/RandomSupport.java", Copy => ends(53, End::Below);
    "kotlin-nextdouble", "Kotlin", "Random.nextDouble(a, b)", "Kotlin 2", "kotlin/random/Random.kt", Memory => ends(53, End::Below);
    "go-float64", "Go", "a + (b-a)*rand.Float64()", "Go 1.22 and later, math/rand/v2, no fused multiply-add", "src/math/rand/v2/rand.go", Memory => stays(53);
    "rust-rand-random-range-f64", "Rust", "rand random_range(a..b)", "rand 0.10.2 @053b393f", "src/distr/uniform_float.rs", Read => stays(52);
    "rust-rand-uniform-f64", "Rust", "rand Uniform::new(a, b).sample", "rand 0.10.2 @053b393f", "src/distr/uniform_float.rs", Read => ends(52, End::Narrower);
    "rust-rand-random-f64", "Rust", "a + (b - a) * rng.random::<f64>()", "rand 0.10.4", "src/distr/float.rs", Read => stays(53);
    "julia-rand-float64", "Julia", "a + (b - a) * rand()", "Julia 1.7 and later (Xoshiro)", "stdlib/Random/src/generation.jl", Memory => stays(53);
    "perl-rand-double", "Perl", "a + rand(b - a)", "Perl 5.36", "util.c (drand48)", Run => stays(48);
    "ruby-rand-range", "Ruby", "rand(a...b)", "Ruby 3", "random.c", Memory => stays(53);
    "dotnet-nextdouble", ".NET", "a + (b - a) * random.NextDouble()", ".NET 6 and later", "Random.Xoshiro256StarStarImpl.cs", Memory => stays(53);
    "swift-double-random", "Swift", "Double.random(in: a..<b)", "Swift 5", "stdlib/public/core/FloatingPoint.swift", Memory => ends(53, End::Again);
    "lua-54-random-double", "Lua", "a + (b - a) * math.random()", "Lua 5.4", "lmathlib.c", Memory => stays(53);
    "js-math-random-v8", "JavaScript", "a + (b - a) * Math.random()", "V8 of Node 20 and before", "src/numbers/math-random.cc", Run => stays(52);
    "js-math-random-v8-53", "JavaScript", "a + (b - a) * Math.random()", "V8 after that of Node 20", "src/numbers/math-random.cc", Memory => stays(53);
    "js-math-random-spidermonkey", "JavaScript", "a + (b - a) * Math.random()", "SpiderMonkey", "mfbt/XorShift128PlusRNG.h", Memory => stays(53);
    "js-math-random-javascriptcore", "JavaScript", "a + (b - a) * Math.random()", "JavaScriptCore", "WTF/wtf/WeakRandom.h", Memory => stays(53);
}

/// The law of the doubles of a function.
pub(crate) struct DoubleLaw {
    /// How many different ones.
    pub values: BigInt,
    /// The probability of a.
    pub at_a: Rational,
    /// That of b, and what is beyond.
    pub at_b: Rational,
    /// The largest distance of neighbours.
    pub gap: Rational,
    /// The mean less (a + b) / 2.
    pub mean_bias: Rational,
}

impl DoubleRule {
    /// Of finite a < b whose difference is finite. Cost: O(1) sums of floors, each of as many steps as a double has bits, for
    /// each of some hundred exponents.
    pub fn law(&self, a: f64, b: f64) -> DoubleLaw {
        let words = 1u64 << self.bits;
        let mut scaled = ScaledInterval {
            a,
            width: b - a,
            bits: self.bits,
        };
        if self.end == End::Narrower {
            while scaled.value(words - 1) > b {
                scaled.width = scaled.width.next_down();
            }
        }
        let kept = scaled.first(b, words);
        let over = BigInt::from(words - kept);
        let shown = if matches!(self.end, End::Below | End::Again) {
            kept
        } else {
            words
        };
        let mut found = scaled.values(0..shown);
        let mut total = BigInt::from(shown);
        let mut at_a = BigInt::from(scaled.first(a.next_up(), shown));
        if self.end == End::Below && kept < words {
            let (last, below) = (scaled.value(kept - 1), b.next_down());
            if last < below {
                found.values += 1;
                found.gap = found.gap.max(rational(below) - rational(last));
            }
            if below == a {
                at_a += &over;
            }
            found.sum += rational(below) * &over;
            total += &over;
        }
        let at_b = if shown == kept { BigInt::ZERO } else { over };
        let middle = (rational(a) + rational(b)) / BigInt::from(2);
        DoubleLaw {
            values: found.values,
            at_a: Rational::new(at_a, total.clone()),
            at_b: Rational::new(at_b, total.clone()),
            gap: found.gap,
            mean_bias: found.sum / total - middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(id: &str, a: f64, b: f64) -> DoubleLaw {
        let line = DOUBLES.iter().find(|line| line.id == id).unwrap();
        line.rule.law(a, b)
    }

    /// [1, 2): only 1 - 2^-53 is rounded to 2, and half of the results are ties.
    #[test]
    fn from_1_to_2() {
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
        // of 52 bits none is a tie
        let rust = law("rust-rand-random-range-f64", 1.0, 2.0);
        assert_eq!(
            (rust.values, rust.at_b),
            (BigInt::from(1) << 52, BigInt::ZERO.into())
        );
        assert_eq!(rust.mean_bias, -small(53));
    }

    /// One double lies between: Java's mass of b goes to it, which is a.
    #[test]
    fn neighbours() {
        let b = 1.0f64.next_up();
        let java = law("java-nextdouble", 1.0, b);
        assert_eq!((java.values, java.at_a), (1.into(), BigInt::from(1).into()));
        // u > 1/2 is rounded up
        let python = law("cpython-uniform", 1.0, b);
        assert_eq!(
            python.at_b,
            Rational::new((BigInt::from(1) << 52) - 1, BigInt::from(1) << 53)
        );
    }
}
