//! An entry of the OEIS: its A-number, title, comments, programs and other lines.

use std::fmt;
use std::str::FromStr;

/// An A-number, the identifier of an entry of the OEIS: `A` and six digits, `A136043`.
///
/// `A000000` stands for a sequence that has no number yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ANumber(u32);

/// The error if a text is not an A-number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an A-number: an A and six digits are needed, such as A136043.")]
pub struct NotAnANumber(pub String);

impl ANumber {
    /// `A000000`, which the OEIS writes for a sequence without a number.
    pub const NONE_YET: ANumber = ANumber(0);

    /// Returns the A-number of `number`, for example A136043 of 136043; `None` if it has more than
    /// nine digits.
    pub fn new(number: u32) -> Option<ANumber> {
        (number <= 999_999_999).then_some(ANumber(number))
    }

    /// Returns the digits as a number: 136043 for A136043.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the name that the OEIS gives to the b-file: `b136043.txt`.
    pub fn b_file_name(self) -> String {
        format!("b{:06}.txt", self.0)
    }

    /// Parses an A-number: `A` and six to nine digits, and nothing else.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<ANumber> {
        let digits = text.strip_prefix(b"A")?;
        if !(6..=9).contains(&digits.len()) {
            return None;
        }
        let mut number = 0u32;
        for &digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            number = number * 10 + u32::from(digit - b'0');
        }
        Some(ANumber(number))
    }
}

impl fmt::Display for ANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A{:06}", self.0)
    }
}

impl FromStr for ANumber {
    type Err = NotAnANumber;

    /// Parses an A-number, written as `A136043` or as `a136043`.
    ///
    /// # Errors
    /// [`NotAnANumber`] for any other text.
    fn from_str(text: &str) -> Result<Self, NotAnANumber> {
        let mut upper = text.as_bytes().to_vec();
        if let Some(first) = upper.first_mut() {
            first.make_ascii_uppercase();
        }
        ANumber::from_bytes(&upper).ok_or_else(|| NotAnANumber(text.chars().take(40).collect()))
    }
}

/// An entry of the OEIS, without its terms.
///
/// Texts are plain ASCII. Each element of a list is one line of the entry; a line break inside an
/// element starts a further line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The short name of the sequence in error messages, for example `mr-period`.
    pub id: String,
    /// The A-number, if the OEIS has the sequence.
    pub a_number: Option<ANumber>,
    /// The index of the first term.
    pub offset: i64,
    /// The title, the %N line of the entry.
    pub title: String,
    /// The exact definition; the first comment of a draft unless it repeats the title.
    pub definition: String,
    /// Further comments, the %C lines, for example theorems and the origin of the sequence.
    pub comments: Vec<String>,
    /// Books and papers, the %D lines.
    pub references: Vec<String>,
    /// Links, the %H lines, in the HTML of the OEIS.
    pub links: Vec<String>,
    /// Formulas, the %F lines.
    pub formulas: Vec<String>,
    /// Examples, the %e lines.
    pub examples: Vec<String>,
    /// A program in PARI/GP.
    pub pari: Option<String>,
    /// A program in Python.
    pub python: Option<String>,
    /// Cross-references, the %Y lines. A-numbers without text are collected in one `Cf.` line.
    pub cross_references: Vec<String>,
    /// Keywords, the %K line. A draft adds or corrects `nonn` and `sign` according to the terms.
    pub keywords: Vec<String>,
}

impl Entry {
    /// Returns the A-number, or `A000000` for a sequence that has none.
    pub fn number_or_none_yet(&self) -> ANumber {
        self.a_number.unwrap_or(ANumber::NONE_YET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbers_have_six_digits_and_are_parsed_again() {
        for number in [0, 45, 136_043, 999_999, 1_000_000] {
            let a = ANumber::new(number).unwrap();
            assert_eq!(a.to_string().parse(), Ok(a));
        }
        assert_eq!(ANumber::new(45).unwrap().to_string(), "A000045");
        assert_eq!("a136043".parse::<ANumber>().unwrap().number(), 136_043);
        assert_eq!(ANumber::new(45).unwrap().b_file_name(), "b000045.txt");
        for bad in [
            "",
            "A",
            "A12345",
            "B136043",
            "A13604x",
            "A1234567890",
            "A136043 ",
        ] {
            assert!(bad.parse::<ANumber>().is_err(), "{bad:?}");
        }
    }
}
