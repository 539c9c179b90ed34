//! Numbers in the place of letters that stand alone: n of a range, and k, its exponent of 2.

/// The least k with 2^k >= n.
pub(crate) fn exponent(n: u64) -> u64 {
    let k = n.saturating_sub(1).checked_ilog2();
    k.map_or(0, |k| u64::from(k) + 1)
}

/// The text with what some letters that stand alone stand for; `None` if there are none. A letter
/// before a sign of equality is the name of a parameter.
pub fn replace_letters(text: &str, meaning: &dyn Fn(char) -> Option<String>) -> Option<String> {
    let part_of_a_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut replaced = String::new();
    let mut before = None;
    let mut found = false;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let alone = !part_of_a_word(before) && !part_of_a_word(rest.chars().next());
        let variable = alone && !rest.trim_start().starts_with('=');
        match meaning(c).filter(|_| variable) {
            Some(value) => {
                found = true;
                replaced.push_str(&value);
            }
            None => replaced.push(c),
        }
        before = Some(c);
    }
    found.then_some(replaced)
}

/// The text with numbers, in brackets, in the place of n and k; `None` if there are none.
pub(crate) fn filled(text: &str, n: u64) -> Option<String> {
    replace_letters(text, &|letter| match letter {
        'n' => Some(format!("({n})")),
        'k' => Some(format!("({})", exponent(n))),
        _ => None,
    })
}

/// The text with this n in the place of the letter.
pub(crate) fn fill(text: &str, n: Option<u64>) -> String {
    let filled = n.and_then(|n| filled(text, n));
    filled.unwrap_or_else(|| text.to_string())
}
