//! Finds where dice in table notation end in a text: `3d6`, `d%`, `4dF`, `4d6ro1!kh3`, `5d10cs>=8`.
//!
//! The algebra decides what the dice mean, since it knows the letters after the sides.

/// The comparison signs that may follow the modifiers `cs`, `ro` and `rr`, and `s` in the notation
/// of other programs.
const COMPARISONS: [&[u8]; 6] = [b"<=", b">=", b"==", b"<", b">", b"="];

/// Returns the length in bytes of the dice at the beginning of the text, if there are any: an
/// optional number, `d`, sides, then letters, digits and `!`.
pub fn dice_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let digits = bytes[from..].iter().take_while(|b| b.is_ascii_digit());
        from + digits.count()
    };
    let count = digits(0);
    let sides = matches!(bytes.get(count), Some(b'd' | b'D')).then_some(count + 1)?;
    let mut end = match bytes.get(sides) {
        Some(b'0'..=b'9') => digits(sides),
        Some(b'%')
            if count > 0
                || begins_modifier(&bytes[sides + 1..])
                || !begins_value(&bytes[sides + 1..]) =>
        {
            sides + 1
        }
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
            rest if ["cs", "ro", "rr", "s"]
                .iter()
                .any(|word| bytes[end - word.len()..end].eq_ignore_ascii_case(word.as_bytes())) =>
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

/// Returns the length in bytes of the named law at the beginning of the text, if there is one. A
/// law is a word, a colon and fields; it ends at a comparison, at a closing bracket that was opened
/// before it, or at the words `and`, `or`, `given` and `where`.
pub fn law_length(bytes: &[u8]) -> Option<usize> {
    let name = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if name == 0 || bytes.get(name) != Some(&b':') {
        return None;
    }
    let mut end = name + 1;
    let mut depth = 0usize;
    // The `=` of a field is not a comparison.
    let mut in_name = true;
    while let Some(&next) = bytes.get(end) {
        match next {
            b'=' if in_name && bytes.get(end + 1) != Some(&b'=') => in_name = false,
            b'<' | b'>' | b'=' | b'!' if depth == 0 => break,
            b'(' => depth += 1,
            b')' => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            b',' => in_name = true,
            b' ' | b'\t' if begins_with_connective(&bytes[end..]) => break,
            b' ' | b'\t' => {}
            byte if !byte.is_ascii_graphic() => break,
            byte => in_name &= byte.is_ascii_alphabetic(),
        }
        end += 1;
    }
    while bytes[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    Some(end)
}

/// Checks whether the bytes begin with a word that joins two formulas, for example `and`.
fn begins_with_connective(bytes: &[u8]) -> bool {
    let words = [" and ", " or ", " given ", " where "];
    words.iter().any(|word| bytes.starts_with(word.as_bytes()))
}

/// Checks whether the bytes begin with a modifier of dice, for example `kh1`.
fn begins_modifier(bytes: &[u8]) -> bool {
    let word = bytes.get(..2).unwrap_or_default();
    let words = ["kh", "kl", "dh", "dl", "ro", "rr", "cs"];
    let is_longer = bytes.get(2).is_some_and(u8::is_ascii_alphabetic);
    let is_word = |known: &&str| word.eq_ignore_ascii_case(known.as_bytes());
    !is_longer && words.iter().any(is_word)
}

/// Checks whether a number, a name or a bracket follows; if so, a `%` before it is the remainder
/// operator.
fn begins_value(bytes: &[u8]) -> bool {
    let next = bytes.iter().find(|b| !b.is_ascii_whitespace());
    next.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'(' | b'.'))
}

/// The length in bytes of a comparison sign and the digits after it, including blanks before both.
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
    fn laws_end_where_their_fields_end() {
        for law in [
            "hypergeometric:N=60,K=4,n=7",
            "binomial: p = 1/3, n = 20",
            "bernoulli:1/3",
            "bernoulli:double:0.1",
            "zipf:n=(2+3)",
        ] {
            for after in [
                "",
                " >= 1",
                "=1",
                " = 1",
                " == 1",
                " and d6 = 1",
                ") + 2",
                " where x = 1",
                " != 1",
            ] {
                let text = format!("{law}{after}");
                assert_eq!(law_length(text.as_bytes()), Some(law.len()), "{text}");
            }
        }
        for text in ["3d6", "a", "1:2", ":2", ""] {
            assert_eq!(law_length(text.as_bytes()), None, "{text}");
        }
    }

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
            "d%kh1",
            "2d6rr<=2kl1",
            "10d6s>5",
        ] {
            for after in ["", " + 1", ">= 3", "!= 3", ")", ",2"] {
                let text = format!("{dice}{after}");
                assert_eq!(dice_length(text.as_bytes()), Some(dice.len()), "{text}");
            }
        }
        for text in [
            "d", "3d", "d % 2", "d%2", "d%rolls", "d*2", "die", "dFoo", "6", "a", "0x3d6", "",
        ] {
            assert_eq!(dice_length(text.as_bytes()), None, "{text}");
        }
    }
}
