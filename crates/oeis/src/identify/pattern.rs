//! The runs of numbers that a search looks for, and the exact check of a run that was found.

use super::relation::{MatchingEntry, Relation, TermSearch};
use crate::ANumber;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// The smallest number of consecutive terms that must agree, unless fewer are searched for.
const MIN_CORE: usize = 6;

/// The relation that a pattern proves when it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternKind {
    Contains,
    Negated,
    Shifted,
    Reflected,
    Scaled,
    Differences,
    PartialSums,
}

/// A run of numbers modulo 2^64 that is searched for among the terms of a line or among their
/// differences.
pub(super) struct Pattern {
    kind: PatternKind,
    /// Whether the run is searched for among the first differences of the line.
    pub(super) in_differences: bool,
    /// The numbers that must occur: the wanted numbers except the leading ones. `None` matches any
    /// number.
    core: Vec<Option<u64>>,
    /// How many numbers of the core must lie inside the line. For a short core these are all
    /// numbers.
    core_inside_line: usize,
    /// The index in the core, below `core_inside_line`, of the number to search for first.
    rarest: usize,
    /// For [`PatternKind::Scaled`], the index of a second number that is not zero; it is used for a
    /// quick test.
    second_rarest: usize,
}

pub(super) struct PatternSet<'q> {
    wanted: &'q [Option<BigInt>],
    leading: usize,
    pub(super) patterns: Vec<Pattern>,
    pub(super) any_differences: bool,
}

/// A core of more terms than this may extend beyond the end of an entry.
const LONG_CORE: usize = 12;

/// If a core extends beyond the end of an entry, it must begin at this position of the entry or
/// earlier.
const MAX_START_OF_LONG_CORE: usize = 8;

impl<'q> PatternSet<'q> {
    pub(super) fn new(search: &'q TermSearch) -> Self {
        let terms = &search.terms[..];
        let difference = |pair: &[Option<BigInt>]| Some(pair[1].as_ref()? - pair[0].as_ref()?);
        let differences: Vec<Option<BigInt>> = terms.windows(2).map(difference).collect();
        let gaps = terms.contains(&None);
        let mut leading = search.leading.min(terms.len().saturating_sub(MIN_CORE));
        let known = |from: usize| terms[from..].iter().flatten().count();
        while leading > 0 && known(leading) < MIN_CORE {
            leading -= 1;
        }
        let mut patterns = Vec::new();
        let mut add = |kind: PatternKind, in_differences: bool, values: &[Option<BigInt>]| {
            let core = &values[leading.min(values.len())..];
            // A run of equal numbers occurs in thousands of entries and proves nothing.
            let first = core.iter().flatten().next();
            let varied = core.iter().flatten().any(|value| Some(value) != first);
            if first.is_none() || (!varied && !matches!(kind, PatternKind::Contains)) {
                return;
            }
            let inside = core.len().min(LONG_CORE);
            let largest = |avoid: Option<&BigInt>| {
                let known = core[..inside].iter().enumerate();
                known
                    .filter_map(|(at, value)| Some((at, value.as_ref()?)))
                    .filter(|&(_, value)| avoid != Some(value))
                    .max_by_key(|&(at, value)| (value.magnitude(), usize::MAX - at))
            };
            let Some((anchor, most)) = largest(None) else {
                return;
            };
            let other = largest(Some(most)).map_or(anchor, |(at, _)| at);
            if kind == PatternKind::Scaled && most.is_zero() {
                return;
            }
            patterns.push(Pattern {
                kind,
                in_differences,
                core: core
                    .iter()
                    .map(|value| value.as_ref().map(low_word))
                    .collect(),
                core_inside_line: inside,
                rarest: anchor,
                second_rarest: other,
            });
        };
        add(PatternKind::Contains, false, terms);
        if search.transformed {
            let minus = |values: &[Option<BigInt>]| -> Vec<Option<BigInt>> {
                values
                    .iter()
                    .map(|value| value.as_ref().map(|value| -value))
                    .collect()
            };
            let falling = minus(&differences);
            add(PatternKind::Negated, false, &minus(terms));
            if !gaps {
                add(PatternKind::Differences, false, &differences);
            }
            add(PatternKind::Scaled, false, terms);
            add(PatternKind::Shifted, true, &differences);
            add(PatternKind::Reflected, true, &falling);
            if !gaps {
                add(PatternKind::PartialSums, true, terms);
            }
        }
        let any_differences = patterns.iter().any(|pattern| pattern.in_differences);
        PatternSet {
            wanted: terms,
            leading,
            patterns,
            any_differences,
        }
    }
}

/// Returns an integer modulo 2^64.
fn low_word(value: &BigInt) -> u64 {
    let low = value.magnitude().iter_u64_digits().next().unwrap_or(0);
    if value.is_negative() {
        low.wrapping_neg()
    } else {
        low
    }
}

/// Parses terms written as `,1,-2,3,` modulo 2^64.
pub(super) fn low_words(data: &[u8], terms: &mut Vec<u64>) -> Result<(), String> {
    terms.clear();
    let [b',', rest @ ..] = data else {
        return Err("there is no comma before the first term".into());
    };
    let (mut value, mut negative, mut digits) = (0u64, false, false);
    for &byte in rest {
        match byte {
            b'0'..=b'9' => {
                value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                digits = true;
            }
            b',' if digits => {
                terms.push(if negative {
                    value.wrapping_neg()
                } else {
                    value
                });
                (value, negative, digits) = (0, false, false);
            }
            b'-' if !digits && !negative => negative = true,
            b',' if terms.is_empty() && !negative && rest.len() == 1 => {}
            _ => return Err("the terms are not integers between commas".into()),
        }
    }
    if digits || negative {
        return Err("there is no comma after the last term, so it may be cut off".into());
    }
    Ok(())
}

/// Parses the integers of data that [`low_words`] has accepted.
pub(super) fn integers(data: &[u8]) -> Vec<BigInt> {
    data.split(|&byte| byte == b',')
        .filter(|term| !term.is_empty())
        .map(|term| BigInt::parse_bytes(term, 10).unwrap_or_default())
        .collect()
}

/// Calls `hit` with each index of `hay` at which the core of the pattern is found, until `hit`
/// returns true.
pub(super) fn visit_candidates(pattern: &Pattern, hay: &[u64], mut hit: impl FnMut(usize) -> bool) {
    let core = &pattern.core[..];
    if hay.len() < pattern.core_inside_line {
        return;
    }
    let starts = hay.len() - pattern.core_inside_line + 1;
    // A long core that extends beyond the end of the line must begin near its start.
    let full = (hay.len() + 1)
        .saturating_sub(core.len())
        .max(starts.min(MAX_START_OF_LONG_CORE + 1));
    if pattern.kind == PatternKind::Scaled {
        let known = |at: usize| core[at].expect("the terms at these places are known");
        let (anchor, other) = (known(pattern.rarest), known(pattern.second_rarest));
        for at in 0..full {
            let there = hay[at + pattern.rarest];
            let quick =
                hay[at + pattern.second_rarest].wrapping_mul(anchor) == there.wrapping_mul(other);
            if quick
                && there != 0
                && core.iter().zip(&hay[at..]).all(|(ours, b)| {
                    ours.is_none_or(|ours| b.wrapping_mul(anchor) == there.wrapping_mul(ours))
                })
                && hit(at)
            {
                return;
            }
        }
        return;
    }
    let wanted = core[pattern.rarest];
    for (at, &value) in hay[pattern.rarest..pattern.rarest + full]
        .iter()
        .enumerate()
    {
        let agrees = |(a, b): (&Option<u64>, &u64)| a.is_none_or(|a| a == *b);
        if Some(value) == wanted && core.iter().zip(&hay[at..]).all(agrees) && hit(at) {
            return;
        }
    }
}

/// The number that the entry must contain for a wanted term.
#[derive(PartialEq)]
enum Expected {
    /// Any number, since the term is not known.
    Any,
    /// No number, since the relation gives no integer.
    Never,
    /// Only this number.
    Is(BigInt),
}

impl Expected {
    fn is(&self, there: &BigInt) -> bool {
        matches!(self, Expected::Is(value) if value == there)
    }
}

/// Finds the factor by which our terms are multiplied or divided in the entry, from one of our
/// terms and the entry's term. Returns no factor of 1 or -1, because other patterns find these.
fn find_factor(ours: &BigInt, theirs: &BigInt) -> Option<Relation> {
    let (factor, rest) = theirs.div_rem(ours);
    if rest.is_zero() {
        let is_unit = factor.magnitude().to_u8() == Some(1);
        return (!is_unit).then_some(Relation::Multiplied(factor));
    }
    let (divisor, rest) = ours.div_rem(theirs);
    rest.is_zero().then_some(Relation::Divided(divisor))
}

/// The patterns of the search, and the position in an entry at which a core was found.
struct CoreMatch<'a> {
    plan: &'a PatternSet<'a>,
    entry: &'a [BigInt],
    core_at: usize,
}

impl CoreMatch<'_> {
    /// The only relation that is possible between the terms of the core and those of the entry.
    fn find_relation(&self, pattern: &Pattern) -> Option<Relation> {
        let core = (self.plan.wanted[self.plan.leading..].iter()).zip(&self.entry[self.core_at..]);
        let known = || {
            core.clone()
                .find_map(|(term, there)| Some((term.as_ref()?, there)))
        };
        let not_zero = |constant: BigInt| (!constant.is_zero()).then_some(constant);
        Some(match pattern.kind {
            PatternKind::Contains => Relation::Contains,
            PatternKind::Negated => Relation::Negated,
            PatternKind::Shifted => {
                let (term, there) = known()?;
                Relation::Shifted(not_zero(there - term)?)
            }
            PatternKind::Reflected => {
                let (term, there) = known()?;
                Relation::Reflected(not_zero(there + term)?)
            }
            PatternKind::Scaled => {
                let (term, there) = core.clone().nth(pattern.rarest)?;
                find_factor(term.as_ref()?, there)?
            }
            PatternKind::Differences => Relation::Differences,
            PatternKind::PartialSums => Relation::PartialSums,
        })
    }

    /// The terms that the entry must have if the relation holds for all terms.
    fn expected_terms(&self, relation: &Relation) -> Vec<Expected> {
        let each = |value: &dyn Fn(&BigInt) -> Option<BigInt>| -> Vec<Expected> {
            let one = |term: &Option<BigInt>| match term {
                Some(term) => value(term).map_or(Expected::Never, Expected::Is),
                None => Expected::Any,
            };
            self.plan.wanted.iter().map(one).collect()
        };
        // Sums and differences are searched for only if all terms are known.
        let known = || self.plan.wanted.iter().flatten();
        match relation {
            Relation::Contains => each(&|term| Some(term.clone())),
            Relation::Negated => each(&|term| Some(-term)),
            Relation::Shifted(by) => each(&|term| Some(term + by)),
            Relation::Reflected(from) => each(&|term| Some(from - term)),
            Relation::Multiplied(factor) => each(&|term| Some(term * factor)),
            Relation::Divided(divisor) => each(&|term| {
                let (quotient, rest) = term.div_rem(divisor);
                rest.is_zero().then_some(quotient)
            }),
            Relation::Differences => {
                let pairs = known().zip(known().skip(1));
                pairs
                    .map(|(term, next)| Expected::Is(next - term))
                    .collect()
            }
            Relation::PartialSums => {
                let before: BigInt = known().take(self.plan.leading).sum();
                let mut sum = &self.entry[self.core_at] - before;
                let mut sums = vec![Expected::Is(sum.clone())];
                for term in known() {
                    sum += term;
                    sums.push(Expected::Is(sum.clone()));
                }
                sums
            }
        }
    }
}

/// Computes the terms that the entry must have if the relation holds for all terms, and compares.
pub(super) fn verify_match(
    plan: &PatternSet<'_>,
    pattern: &Pattern,
    entry: &[BigInt],
    core_at: usize,
    a_number: ANumber,
) -> Option<MatchingEntry> {
    let lead = plan.leading;
    let matched = CoreMatch {
        plan,
        entry,
        core_at,
    };
    let relation = matched.find_relation(pattern)?;
    let expected = matched.expected_terms(&relation);
    let mut found = MatchingEntry {
        a_number,
        name: None,
        relation,
        position: usize::MAX,
        matched: 0,
        mismatches: 0,
        dropped: 0,
        beyond: 0,
    };
    for (index, value) in expected.iter().enumerate() {
        if *value == Expected::Any {
            continue;
        }
        let Some(at) = (core_at + index).checked_sub(lead) else {
            found.dropped += 1;
            continue;
        };
        match entry.get(at) {
            None => found.beyond += 1,
            Some(term) if value.is(term) => {
                found.matched += 1;
                found.position = found.position.min(at);
            }
            // The core agreed only modulo 2^64; the integers differ.
            Some(_) if index >= lead => return None,
            Some(_) => found.mismatches += 1,
        }
    }
    (found.matched > 0).then_some(found)
}
