//! The amplified loaded dice roller: the fast loaded dice roller with multiplied weights.
//!
//! With c = floor(m^K / M), the weights c a_1, ..., c a_r and the rest m^K mod M sum to m^K; their
//! optimal tree has depth at most K, and at a leaf of the rest, the roller starts again:
//!
//! ```text
//! E = (m^K / (c M)) sum_t alive(t) / m^t
//! ```
//!
//! The larger K is, the rarer rejections are. From a coin the toll is below 2 flips for every K >=
//! 2k, where k is the least number with 2^k >= M (Draper & Saad 2025), so K = 2k by default. For a
//! source of m sides, m^k replaces 2^k. The cost does not always fall when K grows.
//!
//! **Cost.** The law is computed from K digits of each distinct weight. **Source.** Draper & Saad
//! 2025, Efficient Rejection Sampling in the Entropy-Optimal Range, arXiv 2504.04267.

use super::ddg::{DdgTree, RestartingTree, UndecidedNode};
use super::fldr::least_depth;
use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::Law;
use crate::task::{Refusal, Task};

/// The algorithm; the module's documentation describes it.
pub(crate) struct Aldr(RestartingTree);

impl Rule for Aldr {
    type State = UndecidedNode;

    fn start(&self) -> Step<UndecidedNode> {
        self.0.start()
    }

    fn step(&self, at: &UndecidedNode, face: u64) -> Step<UndecidedNode> {
        self.0.step(at, face)
    }
}

impl RuleInfo for Aldr {
    const ABOUT: About = About {
        id: "aldr",
        name: "Amplified loaded dice roller",
        citation: "Draper & Saad 2025",
        memory: Memory::State,
        bounded: "if the weight sum M divides m^K",
        rule: "walk down the optimal tree of the weights times floor(m^K / M) and the rest m^K mod M; start again at a leaf of the rest; K = 2k, k the least with m^k >= M, or as in aldr:K=11",
        law: "blocks of at most K rolls, each accepted with probability 1 - (m^K mod M) / m^K =: A; with alive(t) open nodes in the tree, E = (1/A) sum of alive(t) / m^t",
    };
    const PURPOSE: Purpose = Purpose::Weights;
    const BITS: bool = true;
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "K",
        about: "depth of the tree: m^K is at least the weight sum M; by default 2k, k the least with m^k >= M",
        least: 1,
        most: 1 << 16,
    }];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Aldr::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        let depth = match arguments.get("K") {
            Some(depth) => depth,
            None => 2 * least_depth(task)?,
        };
        let tree = DdgTree::of_depth(task.words()?, task.target(), depth)?;
        Ok(Aldr(RestartingTree::new(tree, depth)))
    }

    fn closed_law(&self) -> Option<Law> {
        Some(self.0.law())
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    use crate::task::{Source, Target};
    use flipcost_number::{Rational, Real};

    fn mean(id: &str, weights: &[u64]) -> Rational {
        let task = Task::new(Target::weighted(weights).unwrap(), Source::COIN);
        find(id).unwrap().law(&task).unwrap().mean().unwrap()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Means that Draper & Saad 2025 publish: of 4:7:8 (figure 4), of 19 equal weights, and of
    /// 7:3:3, which costs 48/13 for K = 4, ..., 7.
    #[test]
    fn published_means() {
        let figure = [
            (5, (86, 19)),
            (6, (182, 57)),
            (7, (182, 57)),
            (8, (750, 247)),
            (9, (750, 247)),
            (18, (1538, 513)),
        ];
        for (k, (p, q)) in figure {
            assert_eq!(
                mean(&format!("aldr:K={k}"), &[4, 7, 8]),
                ratio(p, q),
                "K = {k}"
            );
        }
        let uniform = [
            (5, (128, 19)),
            (10, (5768, 1007)),
            (11, (11664, 2033)),
            (18, (2936, 513)),
        ];
        for (k, (p, q)) in uniform {
            assert_eq!(
                mean(&format!("aldr:K={k}"), &[1; 19]),
                ratio(p, q),
                "K = {k}"
            );
        }
        for k in 4..=7 {
            assert_eq!(
                mean(&format!("aldr:K={k}"), &[7, 3, 3]),
                ratio(48, 13),
                "K = {k}"
            );
        }
    }

    /// Draper & Saad 2025: the largest tolls at K = 2k for some sums of weights, to six decimals as
    /// published; and the sums 13, 26, 27, 29 and 61, for which K = 2k - 1 (2k - 2 for 26) is not
    /// enough.
    #[test]
    fn published_tolls() {
        let toll = |id: &str, weights: &[u64]| {
            let task = Task::new(Target::weighted(weights).unwrap(), Source::COIN);
            let toll = Real::Exact(mean(id, weights)).minus(&task.entropy());
            toll.decimals(6).unwrap()
        };
        for (weights, wanted) in [
            (&[2u64, 1][..], "1.081704"),
            (&[1, 1, 1, 1, 1], "1.278072"),
            (&[3, 1, 1, 1], "1.540852"),
            (&[3, 3, 3, 1, 1, 1], "1.770426"),
            (&[18, 1], "1.829638"),
            (&[12, 6, 3, 1, 1, 1], "1.885213"),
        ] {
            assert_eq!(toll("aldr", weights), wanted, "{weights:?}");
        }
        for (k, weights, wanted) in [
            (7, &[7u64, 3, 3][..], "2.235042"),
            (9, &[14, 7, 3, 3], "2.151195"),
            (9, &[15, 7, 7], "2.104306"),
            (11, &[31, 30], "2.049374"),
            (8, &[14, 7, 5], "2.321256"),
        ] {
            assert_eq!(toll(&format!("aldr:K={k}"), weights), wanted, "{weights:?}");
        }
    }

    #[test]
    fn a_tree_that_is_too_shallow_is_refused() {
        let task = Task::new(Target::weighted([4u8, 7, 8]).unwrap(), Source::COIN);
        let refusal = find("aldr:K=4")
            .unwrap()
            .law(&task)
            .err()
            .unwrap()
            .to_string();
        assert_eq!(
            refusal,
            "aldr:K=4 for 4:7:8 from a coin: K = 4 is too small: 2^4 is below the weight sum 19; algorithms that take this task: interval, knuth-yao, fldr"
        );
    }
}
