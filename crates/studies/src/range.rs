//! The key `for = "n in 1..1000"`: the range of n of a statement.

use super::error::Mistake;
use super::limits::MAX_CASES;
use super::values::{FromText, Span, read_from_text};

/// The n for which a check must hold.
#[derive(Clone)]
pub struct RangeOfN(pub Span);

impl FromText for RangeOfN {
    const WHAT: &'static str = "a range of n, such as \"n in 1..1000\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let mut words = text.split_whitespace();
        let (Some("n"), Some("in"), Some(_)) = (words.next(), words.next(), words.next()) else {
            let mistake = Mistake::new(format!("\"{text}\" does not say for which n"));
            return Err(mistake.right("write it as n in 1..1000"));
        };
        let (_, range) = text.split_once("in").expect("it is one of the words");
        let range = Span::read(range.trim())?;
        if range.count() > MAX_CASES {
            let mistake = Mistake::new(format!("\"{text}\" has {} values of n", range.count()));
            Err(mistake.right(format!("{MAX_CASES} is the most")))
        } else {
            Ok(RangeOfN(range))
        }
    }
}

read_from_text!(RangeOfN);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_n_is_parsed() {
        for text in ["n in 1..9", "  n  in 1..=9", "n in 1 .. 9"] {
            assert_eq!(RangeOfN::read(text).unwrap().0.0, 1..=9, "{text}");
        }
        for text in [
            "1..9",
            "m in 1..9",
            "n = 1..9",
            "n in",
            "n in 9",
            "n in 9..1",
            "",
        ] {
            assert!(RangeOfN::read(text).is_err(), "{text}");
        }
        assert!(RangeOfN::read("n in 1..1000000").is_ok());
        let long = RangeOfN::read("n in 1..2^63").err().unwrap().to_string();
        assert!(long.contains("1000000 is the most"), "{long}");
    }
}
