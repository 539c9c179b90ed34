//! Programs in other languages for the moments of an algorithm, for entries of the OEIS.

/// Programs that define `moments(m, n)`: the mean and the variance of the number of rolls of an
/// m-sided die for an n-sided one, as exact fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// In PARI/GP: a vector of two fractions.
    pub pari: &'static str,
    /// In Python, without any package: a pair of fractions.
    pub python: &'static str,
}

/// The programs of a block algorithm (see [`super::block`]): the condition, in both languages,
/// under which blocks of k rolls are too short, the values that are accepted, and the share of the
/// nodes at depth t that are undecided.
///
/// A block takes L rolls and succeeds with probability p, and then L = k. With the first block and
/// what follows it, `E[T] = E[L]/p` and `E[T^2] = (E[L^2] + 2 (E[L] - k p) E[T]) / p`.
macro_rules! block_program {
    (
        short: $short_pari:literal, $short_python:literal;
        accepted: $accepted_pari:literal, $accepted_python:literal;
        undecided: $undecided_pari:literal, $undecided_python:literal
    ) => {
        $crate::algorithms::Program {
            pari: concat!(
                "moments(m, n) = {my(k=0, a, p, f, s, e);\n  while(",
                $short_pari,
                ", k++);\n  a = ",
                $accepted_pari,
                "; p = a/m^k;\n  f = sum(t=0, k-1, ",
                $undecided_pari,
                "); s = sum(t=0, k-1, (2*t+1)*",
                $undecided_pari,
                ");\n  e = f/p; [e, (s + 2*(f-k*p)*e)/p - e^2];}"
            ),
            python: concat!(
                "from fractions import Fraction\ndef moments(m, n):\n    k = 0\n    while ",
                $short_python,
                ": k += 1\n    a = ",
                $accepted_python,
                "\n    p, u = Fraction(a, m**k), [",
                $undecided_python,
                " for t in range(k)]\n",
                "    f, s = sum(u), sum((2*t + 1) * x for t, x in enumerate(u))\n    e = f / p\n",
                "    return e, (s + 2 * (f - k*p) * e) / p - e * e"
            ),
        }
    };
}
pub(super) use block_program;
