//! Lines and numbers, as every reader of models takes them.

use crate::{Model, ModelFileError};
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Zero};

/// The largest file that is read, in bytes.
pub const MOST_BYTES: usize = 1 << 28;

/// The longest number that is read, in letters; also the largest power of ten.
pub const MOST_DIGITS: usize = 10_000;

/// The lines of a file with their numbers from 1, without their ends.
pub(crate) fn lines<'a>(
    file: &str,
    bytes: &'a [u8],
) -> Result<impl Iterator<Item = (usize, &'a str)>, ModelFileError> {
    if bytes.len() > MOST_BYTES {
        return Err(ModelFileError::whole_file(
            file,
            format!("it has more than {MOST_BYTES} bytes, the most that are read"),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        ModelFileError::at_line(
            file,
            line,
            "this is not UTF-8: a model is a file of plain text",
        )
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(text
        .split('\n')
        .enumerate()
        .map(|(at, line)| (at + 1, line.strip_suffix('\r').unwrap_or(line))))
}

/// A text in a message, cut short.
pub(crate) fn quoted_prefix(text: &str) -> String {
    let clean: String = (text.chars())
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(40)
        .collect();
    if text.chars().count() > 40 {
        format!("\"{clean}...\"")
    } else {
        format!("\"{clean}\"")
    }
}

/// A fraction in a message, cut short.
pub(crate) fn short(value: &Rational) -> String {
    let text = value.to_string();
    if text.len() > 40 {
        format!("{}...", &text[..40])
    } else {
        text
    }
}

/// The index of a state, below `count`.
pub(crate) fn index(text: &str, count: usize) -> Result<usize, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<usize>() {
        Ok(index) if digits && index < count => Ok(index),
        _ => Err(format!(
            "{} is not a state: they are numbered from 0 to {}",
            quoted_prefix(text),
            count.saturating_sub(1)
        )),
    }
}

/// A number of states or transitions.
pub(crate) fn count(text: &str, what: &str, most: usize) -> Result<usize, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits {
        return Err(format!("{} is not a number of {what}", quoted_prefix(text)));
    }
    match text.parse::<usize>() {
        Ok(count) if count <= most => Ok(count),
        _ => Err(format!(
            "it has more than {most} {what}, the most that are read"
        )),
    }
}

/// A number that is not negative: `3`, `1/2`, `0.125`, `1.5e-3`, taken as exactly what is written.
pub(crate) fn number(text: &str) -> Result<Rational, String> {
    let wrong = || {
        format!(
            "{} is not a number of the kind 3, 1/2, 0.125 or 1.5e-3, not negative",
            quoted_prefix(text)
        )
    };
    if text.len() > MOST_DIGITS {
        return Err(format!(
            "a number of {} letters is too long: {MOST_DIGITS} is the most",
            text.len()
        ));
    }
    if let Some((p, q)) = text.split_once('/') {
        let (p, q) = (decimal(p).ok_or_else(wrong)?, decimal(q).ok_or_else(wrong)?);
        return if q.is_zero() {
            Err(format!("{} divides by 0", quoted_prefix(text)))
        } else {
            Ok(p / q)
        };
    }
    decimal(text).ok_or_else(wrong)
}

/// Digits, perhaps a point, perhaps a power of ten.
fn decimal(text: &str) -> Option<Rational> {
    let (digits, power) = match text.split_once(['e', 'E']) {
        None => (text, 0),
        Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = Rational::from(all.parse::<BigInt>().ok()?);
    let power = power - part.len() as i64;
    let size = power.unsigned_abs();
    if size > 2 * MOST_DIGITS as u64 {
        return None;
    }
    let ten = Rational::from(BigInt::from(10).pow(size as u32));
    Some(if power < 0 { value / ten } else { value * ten })
}

/// Which of the rewards of a file is the cost; `None`: it has none.
pub(crate) fn reward_of(
    file: &str,
    rewards: &[String],
    wanted: Option<&str>,
) -> Result<Option<usize>, ModelFileError> {
    match (wanted, rewards) {
        (None, []) => Ok(None),
        (None, [_]) => Ok(Some(0)),
        (None, _) => Err(ModelFileError::whole_file(
            file,
            format!(
                "it has several rewards, {}: name the one that is the cost",
                rewards.join(", ")
            ),
        )),
        (Some(name), _) => match rewards.iter().position(|reward| reward == name) {
            Some(place) => Ok(Some(place)),
            None if rewards.is_empty() => Err(ModelFileError::whole_file(
                file,
                format!("it has no rewards, and {} was named", quoted_prefix(name)),
            )),
            None => Err(ModelFileError::whole_file(
                file,
                format!(
                    "it has no reward {}: it has {}",
                    quoted_prefix(name),
                    rewards.join(", ")
                ),
            )),
        },
    }
}

/// The model once all of it was read: transitions in order, each once, and their sums are 1; a state
/// without a transition stays. `steps`: every step from a state that is not final costs 1.
pub(crate) fn complete(file: &str, mut model: Model, steps: bool) -> Result<Model, ModelFileError> {
    for (at, state) in model.states.iter_mut().enumerate() {
        if state.next.is_empty() {
            state.next.push((at, Rational::one()));
        }
        state.next.sort_by_key(|(to, _)| *to);
        if let Some(twice) = state.next.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ModelFileError::whole_file(
                file,
                format!(
                    "state {at} leads twice to state {}: once was expected",
                    twice[0].0
                ),
            ));
        }
        let sum: Rational = state.next.iter().map(|(_, p)| p).sum();
        if !sum.is_one() {
            let sum = quoted_prefix(&sum.to_string());
            return Err(ModelFileError::whole_file(
                file,
                format!(
                    "the probabilities of state {at} have the sum {sum} and not 1: they are taken as exactly what is written, so write fractions such as 1/3"
                ),
            ));
        }
        state.next.retain(|(_, p)| !p.is_zero());
        if steps && !state.is_absorbing(at) {
            state.reward = Rational::one();
        }
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_is_written() {
        let same = |text: &str, p: i64, q: i64| {
            let value = Rational::new(p.into(), q.into());
            assert_eq!(number(text), Ok(value), "{text}");
        };
        same("3", 3, 1);
        same("1/2", 1, 2);
        same("0.125", 1, 8);
        same(".5", 1, 2);
        same("1.5e-3", 3, 2000);
        same("25E1", 250, 1);
        same("0.5/2", 1, 4);
        for text in [
            "",
            ".",
            "-1",
            "1/0",
            "1/2/3",
            "nan",
            "inf",
            "1e",
            "0x1",
            "1e99999999999",
            "+1",
            "1 2",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(number(&"7".repeat(MOST_DIGITS + 1)).is_err());
        assert!(number("1e20001").is_err());
    }

    #[test]
    fn lines_take_crlf_and_a_mark_and_only_utf8() {
        let all: Vec<_> = lines("f", b"\xef\xbb\xbfa\r\nb").unwrap().collect();
        assert_eq!(all, [(1, "a"), (2, "b")]);
        let error = lines("f", b"a\n\xff")
            .map(|lines| lines.count())
            .unwrap_err();
        assert_eq!(error.line, Some(2));
    }
}
