//! Splits lists: the items are separated by commas outside brackets.

/// The items of a list. A comma inside brackets or braces, or inside quotes in braces, does not
/// separate items.
///
/// ```
/// use flipcost_number::grammar::items;
/// let all: Vec<&str> = items("4, 7:8, (binomial:n=2,p=1/3)").collect();
/// assert_eq!(all, ["4", "7:8", "(binomial:n=2,p=1/3)"]);
/// ```
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    let (mut braces, mut depth, mut quote) = (0u32, 0u32, None);
    let separates = move |c: char| {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if braces > 0 => quote = Some(c),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && quote.is_none() && braces + depth == 0
    };
    text.split(separates).map(str::trim)
}

/// Whether a line of a file is a comment: it begins with `#`, and is not an error of a spreadsheet.
///
/// ```
/// use flipcost_number::grammar::is_comment;
/// assert!(is_comment("# loot") && is_comment("#1 is rare") && is_comment("#LOOT"));
/// assert!(!is_comment("#N/A") && !is_comment("#DIV/0!;4") && !is_comment("sword;5"));
/// ```
pub fn is_comment(line: &str) -> bool {
    let Some(text) = line.strip_prefix('#') else {
        return false;
    };
    let end = text.find(|c: char| !c.is_ascii_uppercase() && !"/0".contains(c));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let is_error = ["N/A", "NV"].contains(&word) || rest.starts_with(['!', '?']);
    word.is_empty() || !is_error
}

/// If brackets surround the whole text, returns the text inside and the byte position where it
/// begins.
///
/// ```
/// use flipcost_number::grammar::unbracketed;
/// assert_eq!(unbracketed("(zipf:n=3,s=2)"), Some(("zipf:n=3,s=2", 1)));
/// assert_eq!(unbracketed("(1+2)*(3+4)"), None);
/// ```
pub fn unbracketed(text: &str) -> Option<(&str, usize)> {
    let blanks = text.len() - text.trim_start().len();
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0u32;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some((inner, blanks + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_do_not_separate() {
        for (text, parts) in [
            ("", &[""][..]),
            ("6", &["6"]),
            ("4,,8", &["4", "", "8"]),
            ("(1,(2,3)),4", &["(1,(2,3))", "4"]),
            ("{'a,b': 1, \"c}\": 2}, 6", &["{'a,b': 1, \"c}\": 2}", "6"]),
            ("it's, 4", &["it's", "4"]),
            ("(1,2", &["(1,2"]),
            ("1),2", &["1)", "2"]),
        ] {
            assert_eq!(items(text).collect::<Vec<_>>(), parts, "{text}");
        }
        for text in ["6", "(1)(2)", "(1", "((1)", "1)", ")("] {
            assert_eq!(unbracketed(text), None, "{text}");
        }
        assert_eq!(unbracketed(" ((1)) "), Some(("(1)", 2)));
    }
}
