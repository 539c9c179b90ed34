//! Encloses the distance of a table from the law that it approximates.
//!
//! Let p be the probabilities in the table and q those in the law. The sums are over the outcomes
//! of the table:
//!
//! ```text
//! total variation    (1/2) (sum |p - q| + 1 - sum q)
//! Kullback-Leibler   sum p log2(p/q)
//! chi-square         sum p^2/q - 1
//! Hellinger          sqrt(1 - sum sqrt(p q))
//! Renyi of order a   log2(sum p (p/q)^(a-1)) / (a-1)
//! max-log            log2 max p/q
//! ```

use crate::law::{ln_enclosure, log2_enclosure, probabilities, real_from_enclosures};
use crate::tables::TableText;
use crate::text::{EndlessText, LawKind};
use flipcost_number::exponential::exp;
use flipcost_number::{BigInt, Enclosure, Rational, Real};
use num_traits::{One, Signed, Zero};
use std::sync::{Arc, Mutex, PoisonError};

/// The probabilities in the table and in the law, both enclosed.
type ProbabilityPairs = Vec<(Enclosure, Enclosure)>;

/// The pairs computed so far, and the number of digits to which they were computed.
type KnownPairs = Option<(u64, Arc<ProbabilityPairs>)>;

/// A table, and the law with which it is compared.
#[derive(Clone)]
pub struct TableComparison {
    table: TableText,
    law: EndlessText,
    known: Arc<Mutex<KnownPairs>>,
}

fn constant_enclosure(value: i64, bits: u64) -> Enclosure {
    Enclosure::of_rational(&Rational::from(BigInt::from(value)), bits)
}

fn sum_enclosures(terms: impl Iterator<Item = Enclosure>, bits: u64) -> Enclosure {
    terms.fold(constant_enclosure(0, bits), |sum, term| sum.plus(&term))
}

fn probability_ratio((p, q): &(Enclosure, Enclosure)) -> Enclosure {
    p.over(q).expect("the pairs are above 0")
}

impl TableComparison {
    /// Creates the comparison. Returns `None` if the table has an outcome whose probability in the
    /// law is 0.
    pub fn new(table: &TableText, law: &EndlessText) -> Option<TableComparison> {
        let has_all = table.probabilities().keys().all(|x| law.kind().has(*x));
        has_all.then(|| TableComparison {
            table: table.clone(),
            law: law.clone(),
            known: Arc::default(),
        })
    }

    /// Returns the pairs with at least `bits` digits, as enclosures above 0.
    fn pairs(&self, bits: u64) -> Arc<ProbabilityPairs> {
        let kept = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, pairs)) = &*kept()
            && *known >= bits
        {
            return pairs.clone();
        }
        let mut depth = bits;
        let pairs = loop {
            let law = match self.law.kind() {
                LawKind::Zeta(zeta) => zeta.probabilities(self.table.probabilities().keys(), depth),
                kind => probabilities(kind.family(), depth),
            };
            let pair = |(x, p): (&i64, &Rational)| {
                let q = law.get(x).filter(|q| q.low.is_positive())?;
                let p = Enclosure::of_rational(p, q.bits);
                p.low.is_positive().then(|| (p, q.clone()))
            };
            let pairs: Option<ProbabilityPairs> =
                self.table.probabilities().iter().map(pair).collect();
            match pairs {
                Some(pairs) => break Arc::new(pairs),
                None => depth *= 2,
            }
        };
        *kept() = Some((bits, pairs.clone()));
        pairs
    }

    fn enclose_measure(
        &self,
        of: impl Fn(&ProbabilityPairs, u64) -> Enclosure + Send + Sync + 'static,
    ) -> Real {
        let both = self.clone();
        real_from_enclosures(move |bits| {
            let pairs = both.pairs(bits);
            let work = pairs.first().map_or(bits, |pair| pair.0.bits);
            of(&pairs, work)
        })
    }

    /// Returns the total variation distance, which is half of the sum of all absolute differences.
    pub fn total_variation(&self) -> Real {
        let twice = self.enclose_measure(|pairs, bits| {
            let apart = |(p, q): &(Enclosure, Enclosure)| {
                let apart = p.minus(q);
                match (apart.low.is_negative(), apart.high.is_negative()) {
                    (false, _) => apart,
                    (true, true) => apart.negated(),
                    (true, false) => Enclosure {
                        high: apart.high.max(-apart.low),
                        low: BigInt::zero(),
                        bits,
                    },
                }
            };
            let inside = sum_enclosures(pairs.iter().map(|pair| pair.1.clone()), bits);
            let apart = sum_enclosures(pairs.iter().map(apart), bits);
            apart.plus(&constant_enclosure(1, bits)).minus(&inside)
        });
        twice.over(&Real::integer(2))
    }

    /// The Kullback-Leibler divergence of the table from the law, in bits.
    pub fn divergence(&self) -> Real {
        self.enclose_measure(|pairs, bits| {
            let term = |pair: &(Enclosure, Enclosure)| {
                pair.0.times(&log2_enclosure(&probability_ratio(pair)))
            };
            sum_enclosures(pairs.iter().map(term), bits)
        })
    }

    /// The chi-square divergence of the table from the law.
    pub fn chi_square(&self) -> Real {
        self.enclose_measure(|pairs, bits| {
            let term = |pair: &(Enclosure, Enclosure)| pair.0.times(&probability_ratio(pair));
            sum_enclosures(pairs.iter().map(term), bits).minus(&constant_enclosure(1, bits))
        })
    }

    /// The Hellinger distance of the table from the law.
    pub fn hellinger(&self) -> Real {
        let square = self.enclose_measure(|pairs, bits| {
            let root =
                |(p, q): &(Enclosure, Enclosure)| p.times(q).sqrt().expect("both are above 0");
            constant_enclosure(1, bits).minus(&sum_enclosures(pairs.iter().map(root), bits))
        });
        square.sqrt()
    }

    /// The Renyi divergence of the table from the law in bits, for an order above 0 other than 1.
    pub fn renyi(&self, order: &Rational) -> Real {
        let less = order - Rational::one();
        let factor = less.clone();
        let log = self.enclose_measure(move |pairs, bits| {
            let factor = Enclosure::of_rational(&factor, bits);
            let term = |pair: &(Enclosure, Enclosure)| {
                pair.0
                    .times(&exp(&ln_enclosure(&probability_ratio(pair)).times(&factor)))
            };
            log2_enclosure(&sum_enclosures(pairs.iter().map(term), bits))
        });
        log.over(&Real::Exact(less))
    }

    /// log2 of the largest ratio of a probability in the table to that in the law.
    pub fn max_log_divergence(&self) -> Real {
        self.enclose_measure(|pairs, bits| {
            let ratios: Vec<Enclosure> = pairs.iter().map(probability_ratio).collect();
            let low = ratios.iter().map(|ratio| ratio.low.clone()).max();
            let high = ratios.iter().map(|ratio| ratio.high.clone()).max();
            let [low, high] = [low, high].map(Option::unwrap_or_default);
            log2_enclosure(&Enclosure { low, high, bits })
        })
    }
}
