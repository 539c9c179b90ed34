//! `for-all = "n in 1..1000"`: a check that holds for all n of a range.

use super::case::Case;
use super::decide::{Decide, Found};
use super::error::{Mistake, StudyError};
use super::limits::CASES;
use super::values::{Span, Written, read_from_text};
use flipcost::unstable::sweep::{Pace, ordered};
use std::ops::RangeInclusive;
use std::path::Path;

/// The n for which a check is to hold.
#[derive(Clone)]
pub struct ForAll(Span);

impl Written for ForAll {
    const WHAT: &'static str = "a range of n, such as \"n in 1..1000\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let mut words = text.split_whitespace();
        let (Some("n"), Some("in"), Some(_)) = (words.next(), words.next(), words.next()) else {
            let mistake = Mistake::new(format!("\"{text}\" does not say for which n"));
            return Err(mistake.right("write it as n in 1..1000"));
        };
        let (_, range) = text.split_once("in").expect("it is one of the words");
        let range = Span::read(range.trim())?;
        match range.count() > CASES {
            true => {
                let mistake = Mistake::new(format!("\"{text}\" has {} n", range.count()));
                Err(mistake.right(format!("{CASES} is the most")))
            }
            false => Ok(ForAll(range)),
        }
    }
}

read_from_text!(ForAll);

/// Why the loop over n ended early.
enum Stop {
    Fails(u64, Found),
    Error(StudyError),
}

impl ForAll {
    /// Decides a check for all these n: the first one for which it does not hold, if there is one.
    /// The n are decided in parallel.
    ///
    /// # Errors
    /// If it cannot be decided for an n, which is named.
    pub fn decide(&self, check: &dyn Decide, root: &Path) -> Result<Found, StudyError> {
        let Span(range) = &self.0;
        let pace = Pace {
            chunk: 16,
            threads: 0,
        };
        let work = |part: RangeInclusive<u64>| {
            for n in part {
                let case = Case { root, n: Some(n) };
                match check.decide(&case) {
                    Ok(found) if found.holds => {}
                    Ok(found) => return Err(Stop::Fails(n, found)),
                    Err(error) => return Err(Stop::Error(error.at(format!("for n = {n}")))),
                }
            }
            Ok(())
        };
        match ordered(range.clone(), pace, work, |(), _| Ok(())) {
            Ok(()) => {
                let (first, last) = (range.start(), range.end());
                let computed = format!("it holds for all {} n of {first}..{last}", self.0.count());
                Ok(Found::new(computed, true))
            }
            Err(Stop::Fails(n, found)) => Ok(Found::new(
                format!("for n = {n}: {}", found.computed),
                false,
            )),
            Err(Stop::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds below a limit; has no answer at 13.
    struct Below(u64);

    impl Decide for Below {
        fn decide(&self, case: &Case) -> Result<Found, StudyError> {
            match case.n {
                Some(13) => Err(Mistake::new("unlucky").into()),
                Some(n) => Ok(Found::new(format!("{n}"), n < self.0)),
                None => panic!("for all n"),
            }
        }
    }

    fn decide(range: &str, below: u64) -> Result<Found, String> {
        let all = ForAll::read(&format!("n in {range}")).unwrap();
        let found = all.decide(&Below(below), Path::new("."));
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_n_that_fails_is_told() {
        let found = decide("14..1000", 1001).unwrap();
        assert_eq!(
            found,
            Found::new("it holds for all 987 n of 14..1000", true)
        );
        assert_eq!(
            decide("14..1000", 777).unwrap(),
            Found::new("for n = 777: 777", false)
        );
        assert_eq!(
            decide("1..1000", 5).unwrap(),
            Found::new("for n = 5: 5", false)
        );
        assert_eq!(
            decide("1..1000", 777),
            Err("for n = 13: unlucky".to_string())
        );
    }

    #[test]
    fn a_range_of_n_is_read() {
        for text in ["n in 1..9", "  n  in 1..=9", "n in 1 .. 9"] {
            assert_eq!(ForAll::read(text).unwrap().0.0, 1..=9, "{text}");
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
            assert!(ForAll::read(text).is_err(), "{text}");
        }
        assert!(ForAll::read("n in 1..1000000").is_ok());
        let long = ForAll::read("n in 1..2^63").err().unwrap().to_string();
        assert!(long.contains("1000000 is the most"), "{long}");
    }
}
