//! A source as people write it: a number of sides, or a word of bits.

use flipcost::number::expression::parse_natural;
use flipcost::task::{Refusal, Source, Task};
use std::fmt;
use std::str::FromStr;

/// A source that the algorithms for fair dice take: a die of 2 to 2^32 sides, written `6`, `2^32` or
/// `word:32`. The default is a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides(pub Source);

/// Why a text is no source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SidesError(String);

impl Sides {
    /// The number of sides, 2 to 2^32.
    pub fn get(self) -> u64 {
        self.0.small().expect("checked when it was made")
    }
}

impl Default for Sides {
    fn default() -> Self {
        Sides(Source::COIN)
    }
}

impl TryFrom<Source> for Sides {
    type Error = Refusal;

    fn try_from(source: Source) -> Result<Sides, Refusal> {
        match source.small() {
            Some(sides) if sides <= Task::WIDEST => Ok(Sides(source)),
            _ => Err(Refusal::WideSource(source.sides())),
        }
    }
}

impl FromStr for Sides {
    type Err = SidesError;

    fn from_str(text: &str) -> Result<Sides, SidesError> {
        let wrong = |error: &dyn fmt::Display| SidesError(error.to_string());
        let source = match text.trim().strip_prefix("word:") {
            Some(_) => text
                .trim()
                .parse::<Source>()
                .map_err(|error| wrong(&error))?,
            None => {
                let sides = parse_natural(text).map_err(|error| wrong(&error))?;
                let wide = Refusal::WideSource(sides.clone());
                Source::die(sides).map_err(|_| wrong(&wide))?
            }
        };
        Sides::try_from(source).map_err(|error| wrong(&error))
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

super::value::as_text!(Sides);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_their_mistakes() {
        for (text, sides) in [
            ("6", 6),
            ("2^32", 1 << 32),
            ("word:32", 1 << 32),
            (" 1_000 ", 1000),
        ] {
            let source: Sides = text.parse().unwrap();
            assert_eq!(source.get(), sides, "{text}");
            assert_eq!(source.to_string().parse(), Ok(source));
        }
        for text in ["1", "0", "2^32+1", "word:33", "2^64", "2^70"] {
            let error = text.parse::<Sides>().unwrap_err().to_string();
            assert!(error.contains("2 to 2^32"), "{text}: {error}");
        }
        assert!("word:x".parse::<Sides>().is_err() && "six".parse::<Sides>().is_err());
    }
}
