//! Library functions that return true with probability p. They convert p to a double and compare it
//! with a random word.

use crate::function::functions;
use crate::scaled::first_false;
use flipcost_number::{BigInt, Rational};
use num_traits::ToPrimitive;

/// The condition on a random word y under which the function returns true. Here p is a double from
/// 0 to 1.
#[derive(Clone, Copy)]
pub(crate) enum BernoulliRule {
    /// y < floor(p 2^64); if p = 1, every word.
    Floor64,
    /// y / 2^bits < p, which is true for ceil(p 2^bits) words.
    Below(u32),
    /// y / 2^bits <= p, which is true for floor(p 2^bits) + 1 words, or for all words if there are
    /// fewer.
    AtMost(u32),
    /// y / 2^23 < p, where p is a float of 32 bits.
    Single,
    /// fl(y / 2^64) < p, where fl rounds to a double and replaces the result 1 by the largest
    /// double below 1.
    Rounded64,
    /// fl(y / 2^63) < p, where fl rounds to a double; if it rounds to 1, another word is drawn.
    Again63,
}

functions! { BERNOULLIS: BernoulliRule;
    "cpython-random-below", "Python", "random.random() < p", "CPython 3.13", "Modules/_randommodule.c", Run => BernoulliRule::Below(53);
    "numpy-random-below", "Python", "Generator.random() < p", "NumPy 2.4", "numpy/random/_common.pxd", Run => BernoulliRule::Below(53);
    "jax-bernoulli", "Python", "jax.random.bernoulli(key, p), float32", "JAX 0.10.2, mode low", "jax/_src/random/core.py", Read => BernoulliRule::Single;
    "java-nextdouble-below", "Java", "random.nextDouble() < p", "JDK 17, 25", "java/util/Random.java", Read => BernoulliRule::Below(53);
    "go-math-rand-float64-below", "Go", "math/rand.Float64() < p", "Go 1.27.3", "src/math/rand/rand.go", Read => BernoulliRule::Again63;
    "go-float64-below", "Go", "math/rand/v2.Float64() < p", "Go 1.27.3", "src/math/rand/v2/rand.go", Read => BernoulliRule::Below(53);
    "rust-rand-random-bool", "Rust", "rand random_bool(p), gen_bool(p), Bernoulli::new(p)", "rand 0.10.2 @00068044", "src/distr/bernoulli.rs", Read => BernoulliRule::Floor64;
    "libstdcxx-bernoulli", "C++", "std::bernoulli_distribution(p), mt19937", "GCC 12", "bits/random.h, bits/random.tcc", Read => BernoulliRule::Rounded64;
    "julia-distributions-bernoulli", "Julia", "rand(Bernoulli(p))", "Distributions.jl @01d21e78, Julia 1.7 and later", "src/univariate/discrete/bernoulli.jl", Read => BernoulliRule::AtMost(53);
    "julia-rand-below", "Julia", "rand() < p", "JuliaLang/julia @01cf45b5 (Xoshiro)", "stdlib/Random/src/Xoshiro.jl", Read => BernoulliRule::Below(53);
    "perl-rand-below", "Perl", "rand() < p", "Perl 5.36", "util.c (drand48)", Run => BernoulliRule::Below(48);
    "dotnet-nextdouble-below", ".NET", "random.NextDouble() < p", "dotnet/runtime @0cc3ecd9", "src/libraries/System.Private.CoreLib/src/System/Random.Xoshiro256StarStarImpl.cs", Read => BernoulliRule::Below(53);
    "js-math-random-v8-below", "JavaScript", "Math.random() < p", "V8 of Node 20 and before", "src/numbers/math-random.cc", Run => BernoulliRule::Below(52);
    "js-math-random-v8-53-below", "JavaScript", "Math.random() < p", "V8 13.6 and later; SpiderMonkey, JavaScriptCore", "src/base/utils/random-number-generator.h", Copy => BernoulliRule::Below(53);
}

impl BernoulliRule {
    /// Returns the bits of a word.
    pub fn bits(self) -> u32 {
        match self {
            BernoulliRule::Floor64 | BernoulliRule::Rounded64 => 64,
            BernoulliRule::Below(bits) | BernoulliRule::AtMost(bits) => bits,
            BernoulliRule::Single => 23,
            BernoulliRule::Again63 => 63,
        }
    }

    /// Returns the probability of true for p, 0 <= p <= 1.
    pub fn probability(self, p: f64) -> Rational {
        let all = BigInt::from(1) << self.bits();
        let exact = |p: f64| Rational::from_float(p).expect("a number") * &all;
        let below = |bound: Rational| {
            let bound = bound.to_f64().expect("a double");
            BigInt::from(first_false(0, 1 << self.bits(), |y| (y as f64) < bound))
        };
        let words = match self {
            BernoulliRule::Floor64 => exact(p).floor().to_integer(),
            BernoulliRule::Below(_) => exact(p).ceil().to_integer(),
            BernoulliRule::Single => exact((p as f32).into()).ceil().to_integer(),
            BernoulliRule::AtMost(_) => all.clone().min(exact(p).floor().to_integer() + 1),
            BernoulliRule::Rounded64 if p == 1.0 => all.clone(),
            BernoulliRule::Rounded64 => below(exact(p)),
            BernoulliRule::Again63 => return Rational::new(below(exact(p)), below(exact(1.0))),
        };
        Rational::new(words, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.1 = 3602879701896397 / 2^55, so 2^53 p = 900719925474099.25, and 2^64 p is an integer.
    #[test]
    fn one_tenth_is_rounded_as_each_function_does() {
        let words = |rule: BernoulliRule| {
            (rule.probability(0.1) * (BigInt::from(1) << rule.bits())).to_integer()
        };
        assert_eq!(words(BernoulliRule::Below(53)), 900719925474100u64.into());
        assert_eq!(words(BernoulliRule::AtMost(53)), 900719925474100u64.into());
        assert_eq!(
            words(BernoulliRule::Floor64),
            (3602879701896397u64 * 512).into()
        );
        // The float 0.1 is 13421773 / 2^27.
        assert_eq!(
            words(BernoulliRule::Single),
            13421773u32.div_ceil(16).into()
        );
        // Near this number doubles are 256 apart. The number 128 below it lies half way between two
        // of them and is rounded to 0.1, which is the even one.
        let steps = 3602879701896397u64 * 512;
        assert_eq!(words(BernoulliRule::Rounded64), (steps - 128).into());
    }

    /// Words from 2^63 - 2^9 on are rounded to 1, so another word is drawn. 2^63 p is an integer,
    /// and the doubles just below 2^63 p are 128 apart.
    #[test]
    fn words_rounded_to_1_are_drawn_again() {
        let all = (BigInt::from(1) << 63u32) - 512;
        let tenth = Rational::new((3602879701896397u64 * 256 - 64).into(), all);
        assert_eq!(BernoulliRule::Again63.probability(0.1), tenth);
    }

    #[test]
    fn probabilities_0_and_1_are_exact() {
        for line in BERNOULLIS {
            assert_eq!(
                line.rule.probability(1.0),
                Rational::from_integer(1.into()),
                "{}",
                line.id
            );
            let never = line.rule.probability(0.0);
            let at_most = matches!(line.rule, BernoulliRule::AtMost(_));
            assert_eq!(never == Rational::default(), !at_most, "{}", line.id);
        }
    }
}
