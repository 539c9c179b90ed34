//! Replaces letters in texts by numbers. The letter n stands for a number of a range, and k for the
//! least exponent with 2^k >= n.

/// Returns the least k with 2^k >= n.
pub(crate) fn ceil_log2(n: u64) -> u64 {
    let k = n.saturating_sub(1).checked_ilog2();
    k.map_or(0, |k| u64::from(k) + 1)
}

/// Replaces single letters by their values; returns `None` if the text has no such letter. A letter
/// before an equals sign is the name of a parameter and is not replaced.
pub fn substitute_variables(
    text: &str,
    meaning: &dyn Fn(char) -> Option<String>,
) -> Option<String> {
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

/// Replaces n and k by numbers in brackets; returns `None` if the text has neither.
pub(crate) fn substitute_n_and_k(text: &str, n: u64) -> Option<String> {
    substitute_variables(text, &|letter| match letter {
        'n' => Some(format!("({n})")),
        'k' => Some(format!("({})", ceil_log2(n))),
        _ => None,
    })
}

/// Replaces the letter n by this number.
pub(crate) fn substitute_n(text: &str, n: Option<u64>) -> String {
    let filled = n.and_then(|n| substitute_n_and_k(text, n));
    filled.unwrap_or_else(|| text.to_string())
}
