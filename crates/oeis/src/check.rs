//! Compares computed terms of a sequence with published ones.
//!
//! Terms are compared index by index. If the published terms have no index, they may be shifted by
//! a few places. If they have indices, disagree at these indices, but agree everywhere after a
//! shift, the [`ComparisonReport`] states the shift, and [`check_with_shift`] applies it. Indices
//! are those of the computed terms unless a field says otherwise.

use std::fmt;

use num_bigint::BigInt;

use flipcost_question::count_with_noun;

/// The largest shift of published terms, in places.
pub const MAX_SHIFT: i64 = 8;

/// A shift other than 0 is accepted only if at least this many terms agree after it.
pub const MIN_TERMS_AFTER_SHIFT: usize = 8;

/// The verdict of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// All compared terms are equal.
    Agree,
    /// At least one compared term differs.
    Mismatch,
    /// The two sequences have no index in common.
    NothingToCompare,
}

/// Two different values at one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The index n of a(n), counted as in the computed terms.
    pub index: i64,
    /// The computed value.
    pub computed: BigInt,
    /// The published value.
    pub published: BigInt,
}

/// The comparison of computed terms with published ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonReport {
    /// Whether the terms agree.
    pub verdict: Agreement,
    /// The number of terms that were compared.
    pub compared: usize,
    /// The number of compared terms that are equal.
    pub equal: usize,
    /// The index of the first term compared, counted as in the computed terms.
    pub first: i64,
    /// The offset that the published terms state, if they state one.
    pub published_offset: Option<i64>,
    /// The offset under which the published terms were compared: the index of their first term in
    /// the numbering of the computed terms.
    pub offset_used: i64,
    /// The first index at which the terms differ, with both values.
    pub mismatch: Option<Mismatch>,
    /// The offset under which the terms would agree, if they disagree at their own indices.
    pub agrees_at: Option<i64>,
    /// The number of computed terms after the last published term.
    pub computed_beyond: usize,
    /// The number of published terms that were not compared, because the computed terms start later
    /// or end earlier.
    pub published_unchecked: usize,
    /// Whether the other terms come from the user's own file instead of a publication.
    pub is_own_file: bool,
}

impl ComparisonReport {
    /// Returns the number of places by which the published terms were shifted: 0 if the offsets
    /// agree, or if the published terms have no offset.
    pub fn shift(&self) -> i64 {
        self.published_offset
            .map_or(0, |claimed| self.offset_used.saturating_sub(claimed))
    }
}

impl fmt::Display for ComparisonReport {
    /// Describes the comparison in one sentence, or in several that are separated by semicolons,
    /// without a period at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (there, others, offset, term) = if self.is_own_file {
            (
                "in the file",
                "those of the file",
                "offset of the file",
                "term of the file",
            )
        } else {
            (
                "as published",
                "the published ones",
                "published offset",
                "published term",
            )
        };
        match &self.mismatch {
            _ if self.verdict == Agreement::NothingToCompare => {
                return f.write_str("no term to compare: the two have no index in common");
            }
            None if self.compared == 1 => {
                write!(f, "1 term compared, a({}), and it agrees", self.first)?
            }
            None => write!(
                f,
                "{} terms compared from n = {}, all agree",
                self.compared, self.first
            )?,
            Some(mismatch) => write!(
                f,
                "a({}) is {} here and {} {there}; {} of {} compared agree",
                mismatch.index,
                shorten(&mismatch.computed),
                shorten(&mismatch.published),
                self.equal,
                count_with_noun(self.compared as u64, "term")
            )?,
        }
        match self.published_offset {
            Some(claimed) if claimed != self.offset_used => write!(
                f,
                "; aligned: the {offset} {claimed} is the computed index {}",
                self.offset_used
            )?,
            Some(_) => {}
            None => write!(f, "; no offset given, {} used", self.offset_used)?,
        }
        if let (Some(claimed), Some(at)) = (self.published_offset, self.agrees_at) {
            write!(f, "; all would agree if the {offset} {claimed} were {at}")?;
        }
        if self.computed_beyond > 0 {
            write!(f, "; {} computed beyond {others}", self.computed_beyond)?;
        }
        if self.published_unchecked > 0 {
            write!(
                f,
                "; {} not compared",
                terms_of(self.published_unchecked as u64, term)
            )?;
        }
        Ok(())
    }
}

/// Formats a number of terms, for example `2 terms of the file` or `1 published term`.
fn terms_of(count: u64, term: &str) -> String {
    match term.strip_prefix("term") {
        Some(of) => count_with_noun(count, "term") + of,
        None => count_with_noun(count, term),
    }
}

/// Renders a value for a message; a long value is shortened to its first digits and its length.
fn shorten(value: &BigInt) -> String {
    let text = value.to_string();
    if text.len() <= 60 {
        return text;
    }
    format!("{}... ({} characters)", &text[..40], text.len())
}

/// Compares computed terms with published ones. `offset` is the index of the first computed term,
/// and `published_offset` is the index of the first published term, if it is known.
///
/// If it is not known, the published terms are compared as by [`check_with_shift`].
pub fn check(
    offset: i64,
    computed: &[BigInt],
    published_offset: Option<i64>,
    published: &[BigInt],
) -> ComparisonReport {
    let moved = check_with_shift(offset, computed, published_offset, published);
    match published_offset {
        Some(claimed) if moved.shift() != 0 => ComparisonReport {
            agrees_at: Some(moved.offset_used),
            ..compare_terms(offset, computed, published_offset, claimed, published)
        },
        _ => moved,
    }
}

/// Compares terms like [`check`]. If the terms disagree at their stated indices, every shift up to
/// [`MAX_SHIFT`] places is tried, the smallest first. A shift is accepted if all terms that are
/// compared under it agree, if these are at least [`MIN_TERMS_AFTER_SHIFT`] terms, and if at most
/// [`MAX_SHIFT`] of the terms that could be compared are left out. If no shift is accepted, the
/// report is about the stated indices.
pub fn check_with_shift(
    offset: i64,
    computed: &[BigInt],
    published_offset: Option<i64>,
    published: &[BigInt],
) -> ComparisonReport {
    let claimed = published_offset.unwrap_or(offset);
    let as_indexed = compare_terms(offset, computed, published_offset, claimed, published);
    if as_indexed.verdict == Agreement::Agree {
        return as_indexed;
    }
    let reach = computed.len().min(published.len());
    for distance in 0..=MAX_SHIFT {
        for moved in [distance, -distance] {
            // The published offset may be wrong by more than any shift, so the offset of the
            // computed terms is also tried.
            for base in [claimed, offset] {
                let candidate = base.saturating_add(moved);
                let report =
                    compare_terms(offset, computed, published_offset, candidate, published);
                if report.verdict == Agreement::Agree
                    && report.compared >= MIN_TERMS_AFTER_SHIFT
                    && report.compared + MAX_SHIFT as usize >= reach
                {
                    return report;
                }
            }
        }
    }
    as_indexed
}

fn compare_terms(
    offset: i64,
    computed: &[BigInt],
    published_offset: Option<i64>,
    offset_used: i64,
    published: &[BigInt],
) -> ComparisonReport {
    // The positions in `computed` and in `published` of the first index that both have.
    let gap = i128::from(offset_used) - i128::from(offset);
    let skip_computed = usize::try_from(gap.max(0))
        .unwrap_or(usize::MAX)
        .min(computed.len());
    let skip_published = usize::try_from((-gap).max(0))
        .unwrap_or(usize::MAX)
        .min(published.len());
    let common_computed = &computed[skip_computed..];
    let common_published = &published[skip_published..];
    let compared = common_computed.len().min(common_published.len());
    let first = offset.saturating_add(skip_computed as i64);
    let pairs = || common_computed.iter().zip(common_published);
    let mismatch = pairs().position(|(a, b)| a != b).map(|at| Mismatch {
        index: first.saturating_add(at as i64),
        computed: common_computed[at].clone(),
        published: common_published[at].clone(),
    });
    ComparisonReport {
        verdict: match (&mismatch, compared) {
            (_, 0) => Agreement::NothingToCompare,
            (None, _) => Agreement::Agree,
            (Some(_), _) => Agreement::Mismatch,
        },
        compared,
        equal: pairs().filter(|(a, b)| a == b).count(),
        first,
        published_offset,
        offset_used,
        mismatch,
        agrees_at: None,
        computed_beyond: common_computed.len() - compared,
        published_unchecked: published.len() - compared,
        is_own_file: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(from: i64, count: usize) -> Vec<BigInt> {
        (from..).take(count).map(|n| BigInt::from(n * n)).collect()
    }

    #[test]
    fn equal_terms_agree_and_the_rest_is_counted() {
        let report = check(1, &squares(1, 30), Some(1), &squares(1, 20));
        assert_eq!(report.verdict, Agreement::Agree);
        assert_eq!(
            (report.compared, report.computed_beyond, report.first),
            (20, 10, 1)
        );
        assert_eq!(
            report.to_string(),
            "20 terms compared from n = 1, all agree; 10 computed beyond the published ones"
        );
        let report = check(5, &squares(5, 10), Some(0), &squares(0, 20));
        assert_eq!((report.verdict, report.compared), (Agreement::Agree, 10));
        assert_eq!((report.first, report.published_unchecked), (5, 10));
        assert_eq!(report.shift(), 0);
    }

    #[test]
    fn a_wrong_term_is_named_with_both_values() {
        let mut published = squares(0, 20);
        published[7] = 50.into();
        let report = check(0, &squares(0, 20), Some(0), &published);
        assert_eq!(report.verdict, Agreement::Mismatch);
        let mismatch = report.mismatch.clone().unwrap();
        assert_eq!(mismatch.index, 7);
        assert_eq!(
            (mismatch.computed, mismatch.published),
            (49.into(), 50.into())
        );
        assert_eq!(
            report.to_string(),
            "a(7) is 49 here and 50 as published; 19 of 20 terms compared agree"
        );
    }

    #[test]
    fn a_shift_is_found_and_reported() {
        for shift in -MAX_SHIFT..=MAX_SHIFT {
            let report = check_with_shift(1, &squares(1, 40), Some(1 + shift), &squares(1, 40));
            assert_eq!(report.verdict, Agreement::Agree, "{shift}");
            assert_eq!(report.shift(), -shift);
            // `check` does not move terms that have an index
            let report = check(1, &squares(1, 40), Some(1 + shift), &squares(1, 40));
            assert_eq!(report.verdict == Agreement::Agree, shift == 0, "{shift}");
            assert_eq!(report.agrees_at, (shift != 0).then_some(1));
            let hint = format!(
                "all would agree if the published offset {} were 1",
                1 + shift
            );
            assert_eq!(report.to_string().contains(&hint), shift != 0, "{report}");
        }
        // Here leading terms are missing, and there is no offset.
        let report = check(0, &squares(0, 40), None, &squares(3, 30));
        assert_eq!((report.verdict, report.offset_used), (Agreement::Agree, 3));
        assert!(report.to_string().contains("no offset given, 3 used"));
        // The message uses the singular for 1 term.
        let report = check(1, &squares(1, 1), Some(1), &squares(1, 2));
        assert_eq!(
            report.to_string(),
            "1 term compared, a(1), and it agrees; 1 published term not compared"
        );
        let report = check(1, &squares(1, 1), None, &squares(2, 1));
        assert!(report.to_string().contains("0 of 1 term compared agree"));
        // Here the published offset is far away.
        let report = check_with_shift(0, &squares(0, 40), Some(1000), &squares(0, 30));
        assert_eq!((report.verdict, report.offset_used), (Agreement::Agree, 0));
        // There are too few terms in common for a shift.
        let report = check_with_shift(0, &squares(0, 5), Some(1), &squares(0, 5));
        assert_eq!(report.verdict, Agreement::Mismatch);
    }

    #[test]
    fn sequences_without_common_terms_do_not_agree() {
        let report = check(0, &[], Some(0), &squares(0, 3));
        assert_eq!(report.verdict, Agreement::NothingToCompare);
        let report = check(i64::MAX, &squares(0, 3), Some(i64::MIN), &squares(50, 3));
        assert_eq!(report.verdict, Agreement::NothingToCompare);
    }
}
