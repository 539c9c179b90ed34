//! A search for terms, the entries that it finds, and how they are related to the terms.

use crate::ANumber;
use num_bigint::BigInt;
use num_traits::Signed;
use std::fmt;

/// How the wanted terms and the terms of an entry are related.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// The entry has the wanted terms unchanged.
    Contains,
    /// The entry has the terms with the other sign.
    Negated,
    /// The entry has each term plus this constant.
    Shifted(BigInt),
    /// The entry has this constant minus each term.
    Reflected(BigInt),
    /// The entry has each term times this constant.
    Multiplied(BigInt),
    /// The entry has each term divided by this constant.
    Divided(BigInt),
    /// The entry has the first differences of the terms.
    Differences,
    /// The entry has the partial sums of the terms, from some start on.
    PartialSums,
}

impl Relation {
    fn rank(&self) -> u8 {
        match self {
            Relation::Contains => 0,
            Relation::Negated => 1,
            Relation::Shifted(_) => 2,
            Relation::Multiplied(_) => 3,
            Relation::Divided(_) => 4,
            Relation::Reflected(_) => 5,
            Relation::Differences => 6,
            Relation::PartialSums => 7,
        }
    }
}

impl fmt::Display for Relation {
    /// Describes the relation in words, for example `the terms plus 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Contains => write!(f, "the terms"),
            Relation::Negated => write!(f, "the terms with the other sign"),
            Relation::Shifted(by) if by.is_negative() => {
                write!(f, "the terms minus {}", by.magnitude())
            }
            Relation::Shifted(by) => write!(f, "the terms plus {by}"),
            Relation::Reflected(from) => write!(f, "{from} minus the terms"),
            Relation::Multiplied(by) => write!(f, "the terms times {by}"),
            Relation::Divided(by) => write!(f, "the terms divided by {by}"),
            Relation::Differences => write!(f, "first differences of the terms"),
            Relation::PartialSums => write!(f, "partial sums of the terms"),
        }
    }
}

/// An entry that contains the wanted terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchingEntry {
    /// The A-number of the entry.
    pub a_number: ANumber,
    /// The entry's title, once `add_names` has looked it up.
    pub name: Option<String>,
    /// How the entry is related to the wanted terms.
    pub relation: Relation,
    /// The position in the entry, counted from 0, of the first term that agrees.
    pub position: usize,
    /// The number of terms that agree.
    pub matched: usize,
    /// The number of leading wanted terms that differ in the entry.
    pub mismatches: usize,
    /// The number of leading wanted terms that lie before the entry's first term.
    pub dropped: usize,
    /// The number of wanted terms that lie after the entry's last listed term.
    pub beyond: usize,
}

impl MatchingEntry {
    pub(super) fn lacking(&self) -> usize {
        self.mismatches + self.dropped + self.beyond
    }

    /// Returns the sort key that puts the best entry first: the one that lacks the fewest terms,
    /// then the one with the simplest relation, then the earliest position, then the most terms
    /// that agree.
    pub fn key(&self) -> (usize, u8, usize, usize, ANumber) {
        (
            self.lacking(),
            self.relation.rank(),
            self.position,
            usize::MAX - self.matched,
            self.a_number,
        )
    }
}

/// A search for terms, with its settings.
#[derive(Debug, Clone)]
pub struct TermSearch {
    /// The wanted terms, at least [`MIN_TERMS`](super::MIN_TERMS) of them. `None` is an unknown
    /// term, which agrees with any number. If a term is unknown, differences and sums are not
    /// searched for.
    pub terms: Vec<Option<BigInt>>,
    /// The number of leading terms that may differ or be missing in the entry; 3 by default. At
    /// least `MIN_CORE` terms must agree, whatever this number is.
    pub leading: usize,
    /// Whether relations other than [`Relation::Contains`] are searched for; true by default.
    pub transformed: bool,
    /// The number of entries that are listed; 20 by default.
    pub limit: usize,
}

impl TermSearch {
    /// Returns a search for these terms, with the usual settings.
    pub fn new(terms: Vec<BigInt>) -> Self {
        TermSearch::with_gaps(terms.into_iter().map(Some).collect())
    }

    /// Returns a search for terms of which some are unknown; unknown terms at either end are left
    /// out.
    pub fn with_gaps(mut terms: Vec<Option<BigInt>>) -> Self {
        let begin = terms.iter().position(Option::is_some);
        terms.drain(..begin.unwrap_or(terms.len()));
        let end = terms.iter().rposition(Option::is_some);
        terms.truncate(end.map_or(0, |at| at + 1));
        TermSearch {
            terms,
            leading: 3,
            transformed: true,
            limit: 20,
        }
    }
}
