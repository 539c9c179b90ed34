//! Parses targets, sources and tasks as people write them: `3d6`, `coin`, `p=1/3`, `d7 from d6`.

use super::weights::{WORDS, digit_die, is_decimal, share_readings};
use super::{Source, SourceError, Target, Task, TaskError, Weights, WeightsError};
use flipcost_number::BigUint;
use flipcost_number::expression::{ExpressionError, parse_natural, parse_rational, parse_u64};
use flipcost_number::grammar::items;
use num_traits::Zero;
use std::str::FromStr;

/// Replaces the name of a die by its number of sides: `d6` by `6`, `coin` by `2`, `d%` by `100`.
/// From other texts, only the blanks at both ends are removed.
pub fn strip_die(text: &str) -> &str {
    let text = text.trim();
    if text.eq_ignore_ascii_case("coin") || text == "coins" {
        return "2";
    }
    match text.strip_prefix(['d', 'D']).or(text.strip_prefix("rand")) {
        Some("%") => "100",
        // d66 is not changed here, because the parser of formulas refuses it.
        Some(sides) if is_digits(sides) && digit_die(text).is_none() => sides,
        _ => text,
    }
}

fn is_digits(text: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || c == '_';
    text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(digits)
}

/// For a text that names several dice and nothing else, such as 2d6, returns the number of dice and
/// the text of their sides.
pub fn several_dice(text: &str) -> Option<(u64, &str)> {
    let (count, sides) = text.trim().split_once(['d', 'D'])?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let count = count
        .parse()
        .ok()
        .filter(|_| digits(count) && digits(sides))?;
    (count > 1).then_some((count, sides))
}

/// The error for a text that means a word of bits in another notation, for example word8, 8bit or
/// u32.
fn meant_word_error(text: &str) -> Option<SourceError> {
    let small = text.to_lowercase().replace(['-', '_', ' '], "");
    let name = small.trim_matches(|c: char| c.is_ascii_digit());
    let number = small.trim_matches(|c: char| !c.is_ascii_digit());
    let bits = match (name, number) {
        ("byte" | "bytes" | "octet", "") => 8,
        ("byte" | "bytes" | "octet", number) => number.parse::<u32>().ok()?.checked_mul(8)?,
        ("w" | "word" | "words" | "bit" | "bits" | "u" | "i" | "uint" | "int", number) => {
            number.parse().ok()?
        }
        _ => return None,
    };
    let text = text.chars().take(60).collect();
    (1..=8192)
        .contains(&bits)
        .then_some(SourceError::Bytes { text, bits })
}

/// The weights of heads and tails of a coin whose probability of heads is given by the text; `None`
/// unless it is above 0 and below 1.
pub fn coin_weights(text: &str) -> Option<(BigUint, BigUint)> {
    let p = parse_rational(text).ok()?;
    let heads = p.numer().to_biguint()?;
    let all = p.denom().magnitude();
    (!heads.is_zero() && heads < *all).then(|| (heads.clone(), all - heads))
}

/// Parses a coin whose probability of heads, its first face, is given by the text.
fn parse_coin(text: &str) -> Result<Source, SourceError> {
    if text.trim_start().starts_with('-') {
        return Err(SourceError::Heads(text.trim().to_string()));
    }
    parse_rational(text)?;
    match coin_weights(text) {
        Some((heads, tails)) => Source::loaded([heads, tails]),
        None => Err(SourceError::Heads(text.trim().to_string())),
    }
}

/// The error for a sum of dice, as in 6+6, which may be meant as two dice or as a d12.
fn added_dice_error(text: &str) -> Option<SourceError> {
    let numbers = text.split('+').map(|number| number.trim().parse::<u8>());
    let numbers: Vec<u8> = numbers.collect::<Result<_, _>>().ok()?;
    let dice: Vec<String> = numbers.iter().map(u8::to_string).collect();
    let is_dice = numbers.len() > 1 && numbers.iter().all(|sides| (2..=100).contains(sides));
    is_dice.then(|| SourceError::Added {
        text: text.to_string(),
        dice: dice.join(","),
        sides: numbers.iter().map(|sides| u64::from(*sides)).sum(),
    })
}

/// The error for a text that is a probability, not a source.
fn probability_error(text: &str) -> Option<SourceError> {
    let (heads, tails) = coin_weights(text)?;
    let text = text.to_string();
    Some(SourceError::Probability { text, heads, tails })
}

impl TryFrom<Weights> for Source {
    type Error = SourceError;

    fn try_from(law: Weights) -> Result<Source, SourceError> {
        law.target().clone().try_into()
    }
}

impl FromStr for Source {
    type Err = SourceError;

    /// Parses a source, with the same grammar in every command: `coin`, `6`, `d6` or `2^32`;
    /// `word:64`, `byte`; a die loaded by weights, `1:2`, by the probability of heads, `p=1/3` or
    /// `60%`, or by any law that a target can have, `doubles:0.3,0.7` or `(3d6)`; `unknown:6`.
    fn from_str(text: &str) -> Result<Source, SourceError> {
        let word = text.trim();
        let wrong = || SourceError::Text(text.chars().take(40).collect());
        let is_die = |item: &str| {
            several_dice(item).is_some()
                || parse_natural(strip_die(item)).is_ok_and(|sides| sides > 1u8.into())
        };
        let several = several_dice(word);
        if several.is_some() || word.contains(',') && items(word).all(is_die) {
            let few = word.chars().filter(|c| !c.is_whitespace()).take(60);
            let (text, first) = (few.collect::<String>(), items(word).next());
            let weights = if text.contains(['d', 'D']) {
                "1:2:3".to_string()
            } else {
                text.replace(',', ":")
            };
            let one = several.map_or(first.unwrap_or_default(), |(_, sides)| sides);
            let one = one.to_string();
            return Err(SourceError::Several { text, one, weights });
        }
        let refuse = |what| {
            Err(ExpressionError::of_value(word, &WORDS, what)
                .of_noun("a source")
                .into())
        };
        if word.contains(',') && items(word).all(|item| parse_rational(item).is_ok()) {
            let weights = items(word).collect::<Vec<_>>().join(":");
            return refuse(format!(
                "commas separate dice, and the weights of a loaded die are written with colons, as in {weights}"
            ));
        }
        if let Some(what) = share_readings(word) {
            return refuse(what);
        }
        if let Some(error) = added_dice_error(word) {
            return Err(error);
        }
        if word.eq_ignore_ascii_case("byte") {
            return Source::word(8);
        }
        if let Some(bits) = word.strip_prefix("word:") {
            let bits = parse_u64(bits).map_err(|_| wrong())?;
            return Source::word(bits.try_into().unwrap_or(u32::MAX));
        }
        if word.starts_with("unknown") {
            let faces = word.strip_prefix("unknown:").ok_or_else(wrong)?;
            return Source::unknown(parse_u64(faces).map_err(|_| wrong())?);
        }
        if let Some(heads) = word.strip_prefix('p')
            && let Some(heads) = heads.trim_start().strip_prefix('=')
        {
            return parse_coin(heads);
        }
        if word.contains([':', ',']) {
            let law = word.parse::<Weights>().map_err(|wrong| match wrong {
                WeightsError::Text(wrong) => WeightsError::Text(wrong.of_noun("a source")),
                wrong => wrong,
            });
            return law?.try_into();
        }
        let is_percentage = |word: &str| word.strip_suffix('%').is_some_and(is_decimal);
        let error = match parse_natural(strip_die(text)) {
            Ok(_) if is_percentage(word) => return parse_coin(word),
            Ok(sides) => return Source::die(sides),
            Err(error) => error,
        };
        match word.parse::<Weights>() {
            // A formula of dice, for example 3d6, is a law; but d2-d6 more likely means the dice
            // from d2 to d6.
            Ok(law) if !word.starts_with(['d', 'D']) => law.try_into(),
            _ if word.ends_with('%') => parse_coin(word),
            _ => {
                let meant = meant_word_error(word).or_else(|| probability_error(word));
                let is_name = !word.is_empty() && word.chars().all(char::is_alphabetic);
                Err(meant.unwrap_or_else(|| if is_name { wrong() } else { error.into() }))
            }
        }
    }
}

impl FromStr for Target {
    type Err = WeightsError;

    /// Parses a target, with the same grammar in every command: `6`, `d6`, `52!`, `4:7:8`, `3d6 >=
    /// 11`. It is the grammar of [`Weights`]; in addition, `coin` is a die of two sides.
    fn from_str(text: &str) -> Result<Target, WeightsError> {
        Ok(strip_die(text).parse::<Weights>()?.target().clone())
    }
}

impl FromStr for Task {
    type Err = TaskError;

    /// Parses a target and a source, `d7 from d6` or `4:7:8 from word:32`, and also the output of
    /// [`Display`](std::fmt::Display) without `#`, `a d7 from a coin loaded 1:2`.
    ///
    /// ```
    /// use flipcost::task::{Source, Task};
    /// let task: Task = "3d6 from coin".parse()?;
    /// assert_eq!(task.target().weight_sum(), &216u8.into());
    /// let loaded: Task = "d6 from (3d6)".parse()?;
    /// assert_eq!(loaded.to_string().parse(), Ok(loaded)); // a source of 16 weights
    /// # Ok::<(), flipcost::task::TaskError>(())
    /// ```
    fn from_str(text: &str) -> Result<Task, TaskError> {
        let wrong = || TaskError::Text(text.chars().take(60).collect());
        let lower = text.to_ascii_lowercase();
        let at = lower.find(" from ").ok_or_else(wrong)?;
        let (target, source) = (&text[..at], &text[at + " from ".len()..]);
        let source = strip_article(source);
        let source = if let Some(die) = source.strip_prefix("unknown ") {
            // For a source, d66 can only mean a die of 66 sides.
            format!(
                "unknown:{}",
                die.trim()
                    .strip_prefix(['d', 'D'])
                    .filter(|sides| is_digits(sides))
                    .unwrap_or(strip_die(die))
            )
        } else if let Some(bits) = source.strip_prefix("word of ") {
            format!("word:{}", bits.trim_end_matches(" bits"))
        } else {
            let loaded = source.split_once(" loaded ");
            loaded.map_or(source, |(_, weights)| weights).into()
        };
        let target: Target = strip_article(target).parse()?;
        Ok(Task::new(target, source.parse()?))
    }
}

fn strip_article(text: &str) -> &str {
    let text = text.trim();
    let rest = text.strip_prefix("a ").or(text.strip_prefix("an "));
    rest.unwrap_or(text).trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_source_in_many_words() {
        let read = |text: &str| text.parse::<Source>();
        for (text, other) in [
            ("coin", "2"),
            ("d6", "6"),
            (" 2^3 ", "8"),
            ("256", "word:8"),
            ("byte", "word:8"),
            ("p = 1/3", "1/6:1/3"),
            ("p=0.5", "coin"),
            ("60%", "3:2"),
            ("100 % 7", "2"),
            ("doubles:0.25,0.75", "1:3"),
            ("(2d3)", "1:2:3:2:1"),
        ] {
            assert_eq!(read(text).unwrap(), read(other).unwrap(), "{text}");
        }
    }

    #[test]
    fn targets_and_tasks_are_read() {
        for (text, other) in [
            ("coin", "2"),
            ("d6", "6"),
            ("3d6", "3d6 + 2"),
            ("4:7:8", "8:14:16"),
        ] {
            assert_eq!(text.parse::<Target>(), other.parse(), "{text}");
        }
        let task = |text: &str| text.parse::<Task>().map(|task| task.to_string());
        for text in [
            "a d7 from a d6",
            "4:7:8 from a word of 32 bits",
            "a d2 from a coin loaded 1:2",
            "a d3 from an unknown d6",
        ] {
            assert_eq!(task(text).as_deref(), Ok(text));
        }
        assert_eq!(task("d7 from d6"), task("a d7 from a d6"));
        assert_eq!(
            task("52! from unknown:2"),
            task("an 52! from an unknown coin")
        );
        for (text, why) in [
            (
                "d7",
                "\"d7\" is not a task: a target and a source were expected, as in \"d7 from d6\"",
            ),
            ("d7 from d1", "a source of 1 side cannot be rolled"),
            ("d6 from con", "\"con\" is not a source: did you mean coin?"),
            ("0 from d6", "a target of 0 sides"),
        ] {
            let said = text.parse::<Task>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    proptest! {
        #[test]
        fn a_task_is_read_back(m in 2u64.., n in 1u64.., weights in prop::collection::vec(1u64.., 2..20)) {
            let sources = [Source::die(m), Source::loaded(weights.clone()), Source::unknown(m % 60 + 2)];
            let targets = [Target::uniform(n), Target::weighted(weights)];
            for (source, target) in sources.into_iter().flatten().zip(targets.into_iter().flatten().cycle()) {
                let task = Task::new(target, source);
                prop_assert_eq!(task.to_string().parse::<Task>(), Ok(task));
            }
        }

        /// The parser does not panic on any text.
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9dx:,+*/%.()<= a-c^-]{0,24}") {
            let _ = (text.parse::<Source>(), text.parse::<Target>(), format!("{text} from d6").parse::<Task>());
        }
    }
}
