//! Published terms of 36 sequences, compiled into the library.
//!
//! Terms and titles come from The On-Line Encyclopedia of Integer Sequences, OEIS Foundation Inc.,
//! <https://oeis.org>, licence CC BY-SA 4.0, as of 2026-11-21; see `data/README.md`. The tests and
//! the question `oeis check` compare computed terms with them.

use num_bigint::BigInt;

use super::ANumber;

/// The credit that must be given wherever these terms are shown.
pub const ATTRIBUTION: &str = "Terms and titles: The On-Line Encyclopedia of Integer Sequences, \
     OEIS Foundation Inc., https://oeis.org, CC BY-SA 4.0, as of 2026-11-21";

/// The terms and the title of a sequence in the OEIS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The A-number of the entry.
    pub a_number: ANumber,
    /// The index of the first term.
    pub offset: i64,
    /// The shortened title.
    pub title: String,
    /// The terms a(offset), a(offset + 1), ...
    pub terms: Vec<BigInt>,
}

/// The year in which these terms were downloaded.
pub const YEAR: u16 = 2026;

/// Returns the published terms of the sequences under `data`, in order of A-number.
pub fn published() -> Vec<Published> {
    include_str!("../../../data/oeis/terms.tsv")
        .lines()
        .skip(1)
        .map(|line| parse_line(line).expect("a test reads every line of terms.tsv"))
        .collect()
}

/// Returns the published terms of one entry, if they are among those under `data`.
pub fn find(a_number: ANumber) -> Option<Published> {
    published()
        .into_iter()
        .find(|entry| entry.a_number == a_number)
}

fn parse_line(line: &str) -> Option<Published> {
    let mut columns = line.split('\t');
    Some(Published {
        a_number: columns.next()?.parse().ok()?,
        offset: columns.next()?.parse().ok()?,
        title: columns.next()?.to_owned(),
        terms: super::text::comma_separated(columns.next()?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let all = published();
        assert_eq!(all.len(), 36);
        assert!(all.is_sorted_by_key(|entry| entry.a_number));
        assert!(
            all.iter()
                .all(|entry| entry.terms.len() >= 17 && !entry.title.is_empty())
        );
        assert!(ATTRIBUTION.contains(&format!("as of {YEAR}-")));
        let one = find("A136043".parse().unwrap()).unwrap();
        assert_eq!((one.offset, one.terms.len()), (1, 95));
        assert_eq!(one.terms[94], BigInt::from(14));
    }
}
