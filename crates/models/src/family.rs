//! The family KY-n: the optimal tree of Knuth and Yao for a coin and a fair die of n sides, as the
//! fast dice roller walks it.
//!
//! ```text
//! v positions are possible and c is one of them, each as likely;  v = 1, c = 0 at first
//! flip:  v = 2v, c = 2c + flip
//! v >= n:  c < n is the outcome;  otherwise v = v - n, c = c - n
//! ```
//!
//! One program of the PRISM language holds all n, as a constant ([`PRISM`]); the states that it
//! reaches are the values of (v, c) with v = 2^t mod n and c < v, and n final ones. Its exact answers
//! are known without solving it: every outcome has probability 1/n, and cost and variance follow
//! from the residues 2^t mod n.
//!
//! **Source.** Knuth & Yao 1976; Lumbroso 2013, arXiv 1304.1916.

/// The family in the PRISM language, with the constant `n`: give it by `--constants n=6`. A final
/// state is v = n with the outcome c.
///
/// ```
/// assert!(flipcost_models::family::PRISM.contains("const int n;"));
/// ```
pub const PRISM: &str = "\
// KY-n: a fair die of n sides from a coin, by the optimal tree of Knuth and Yao
// R{\"flips\"}=? [F \"done\"] is the expected number of flips
// P=? [F v=n & c=0] is 1/n, and so for every c below n
dtmc

const int n; // sides, at least 2

module die
  v : [1..n] init 1; // the positions that are possible; n: c is the outcome
  c : [0..n-1] init 0; // the position

  [] 2*v<n -> 1/2 : (v'=2*v)&(c'=2*c) + 1/2 : (v'=2*v)&(c'=2*c+1);
  [] v<n & 2*v>=n & 2*c+1<n -> 1/2 : (v'=n)&(c'=2*c) + 1/2 : (v'=n)&(c'=2*c+1);
  [] v<n & 2*v>=n & 2*c+1=n -> 1/2 : (v'=n)&(c'=2*c) + 1/2 : (v'=2*v-n)&(c'=0);
  [] v<n & 2*v>=n & 2*c>=n -> 1/2 : (v'=2*v-n)&(c'=2*c-n) + 1/2 : (v'=2*v-n)&(c'=2*c+1-n);
  [] v=n -> true;
endmodule

rewards \"flips\"
  v<n : 1;
endrewards

label \"done\" = v=n;
";

/// The size of KY-n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSize {
    /// Unfinished states and final ones together.
    pub states: u64,
    /// Transitions, those of final states to themselves included.
    pub transitions: u64,
    /// The length of the period of 2^t mod n, 0 for a power of two.
    pub period: u64,
}

/// The number of states and transitions of KY-n, for n >= 2, without making them: the sum of
/// the different residues 2^t mod n, and n final states. Cost: O(n) steps at most.
///
/// ```
/// use flipcost_models::family::size;
/// let die = size(6); // v = 1, 2, 4, and 2 again
/// assert_eq!((die.states, die.period), (1 + 2 + 4 + 6, 2));
/// ```
///
/// # Panics
/// If n < 2 or n > 2^31.
pub fn size(n: u64) -> ModelSize {
    assert!((2..=1 << 31).contains(&n), "KY-n has 2 <= n <= 2^31");
    let odd = n >> n.trailing_zeros();
    // the residues come back to the first one that the largest power of two in n divides
    let (mut sum, mut v, mut steps) = (0, 1, 0);
    while steps < u64::from(n.trailing_zeros()) && v > 0 {
        sum += v;
        v = 2 * v % n;
        steps += 1;
    }
    let (first, mut period) = (v, 0);
    if odd > 1 {
        loop {
            sum += v;
            v = 2 * v % n;
            period += 1;
            if v == first {
                break;
            }
        }
    }
    ModelSize {
        states: sum + n,
        transitions: 2 * sum + n,
        period,
    }
}

/// The n above `from` of the family: of the n up to `to` whose model has at most `most` states, so
/// many at equal distances in their order, the first and the last among them; all if there are
/// fewer. Cost: O(most / n) steps for each n.
///
/// # Panics
/// If `to` > 2^31.
pub fn chosen(from: u64, to: u64, most: u64, many: usize) -> Vec<u64> {
    let small = |n: &u64| *n <= most && is_small(*n, most);
    let all: Vec<u64> = (from + 1..=to).filter(small).collect();
    if all.len() <= many || many < 2 {
        all.into_iter().take(many.max(1)).collect()
    } else {
        (0..many)
            .map(|i| all[i * (all.len() - 1) / (many - 1)])
            .collect()
    }
}

/// Has KY-n at most so many states? Stops once it has more.
fn is_small(n: u64, most: u64) -> bool {
    let (mut sum, mut v, mut seen) = (n, 1 % n, std::collections::HashSet::new());
    while v > 0 && seen.insert(v) {
        sum += v;
        if sum > most {
            return false;
        }
        v = 2 * v % n;
    }
    true
}

/// The name of a model: `KY-6`.
pub fn name(n: u64) -> String {
    format!("KY-{n}")
}
