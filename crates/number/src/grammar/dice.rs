//! Where dice as tables write them end: `3d6`, `d%`, `4dF`, `4d6ro1!kh3`, `5d10cs>=8`.
//!
//! What they mean is decided by the algebra, which knows the letters behind the sides.

/// The signs that may stand behind `cs` and `ro`.
const COMPARISONS: [&[u8]; 6] = [b"<=", b">=", b"==", b"<", b">", b"="];

/// The bytes of the dice at the beginning of these, if there are some: perhaps a number, `d`, sides, then letters,
/// digits and `!`.
pub fn dice_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let digits = bytes[from..].iter().take_while(|b| b.is_ascii_digit());
        from + digits.count()
    };
    let count = digits(0);
    let sides = matches!(bytes.get(count), Some(b'd' | b'D')).then_some(count + 1)?;
    let mut end = match bytes.get(sides) {
        Some(b'0'..=b'9') => digits(sides),
        Some(b'%') if count > 0 || !begins_a_value(&bytes[sides + 1..]) => sides + 1,
        Some(b'F') if count > 0 || !bytes.get(sides + 1).is_some_and(u8::is_ascii_alphanumeric) => {
            sides + 1
        }
        Some(b'f') if count > 0 => sides + 1,
        _ => return None,
    };
    loop {
        match &bytes[end..] {
            [b'!', b'=', ..] => return Some(end),
            [b'_' | b'!', ..] => end += 1,
            [next, ..] if next.is_ascii_alphanumeric() => end += 1,
            rest if ["cs", "ro"]
                .iter()
                .any(|word| bytes[end - 2..end].eq_ignore_ascii_case(word.as_bytes())) =>
            {
                match comparison_length(rest) {
                    Some(length) => end += length,
                    None => return Some(end),
                }
            }
            _ => return Some(end),
        }
    }
}

/// Does a number, a name or a bracket follow, so that `%` before it is the remainder?
fn begins_a_value(bytes: &[u8]) -> bool {
    let next = bytes.iter().find(|b| !b.is_ascii_whitespace());
    next.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'(' | b'.'))
}

/// The bytes of a sign and the digits behind it, with the blanks before both.
fn comparison_length(bytes: &[u8]) -> Option<usize> {
    let blanks = |from: usize| from + bytes[from..].iter().take_while(|b| **b == b' ').count();
    let from = blanks(0);
    let sign = COMPARISONS
        .iter()
        .find(|sign| bytes[from..].starts_with(sign))?;
    let number = blanks(from + sign.len());
    let digits = bytes[number..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    (digits > 0).then_some(number + digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_end_where_their_letters_end() {
        for dice in [
            "3d6",
            "d6",
            "D20",
            "d%",
            "3d%",
            "4dF",
            "dF",
            "d6!",
            "4d6ro1!kh3",
            "5d10cs>=8",
            "5d10cs >= 8",
            "4d6ro<=2kh3",
            "3d6x",
            "4D6KH3",
            "4df",
            "4d6RO<=2",
            "4d6d1",
        ] {
            for after in ["", " + 1", ">= 3", "!= 3", ")", ",2"] {
                let text = format!("{dice}{after}");
                assert_eq!(dice_length(text.as_bytes()), Some(dice.len()), "{text}");
            }
        }
        for text in [
            "d", "3d", "d % 2", "d%2", "d*2", "die", "dFoo", "6", "a", "0x3d6", "",
        ] {
            assert_eq!(dice_length(text.as_bytes()), None, "{text}");
        }
    }
}
