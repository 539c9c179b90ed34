//! Suggests the name that was probably meant: a name with one typing error or, with the feature
//! `near`, with several.

/// Returns the name that is most similar to a text, ignoring case and treating `_` as `-`; `None`
/// if no name is similar enough.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let spelled = |name: &str| name.to_lowercase().replace('_', "-");
    let text = spelled(text);
    let likeness = |name: &'a str| {
        let other = spelled(name);
        // A text of more than 2 letters that begins a word of the name counts as similar.
        let mut parts = other.match_indices(&text);
        let begins = |(at, _): (usize, &str)| !other[..at].ends_with(char::is_alphabetic);
        let is_part = text.len() > 2 && parts.any(begins);
        (
            similarity(&text, &other).max(if is_part { 0.86 } else { 0.0 }),
            name,
        )
    };
    let nearest = names.into_iter().map(likeness);
    // Of equally similar names take the first.
    let nearest = nearest.reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest
        .filter(|(likeness, _)| *likeness > 0.85)
        .map(|(_, name)| name)
}

/// The similarity of two names: 1 if they are equal.
fn similarity(text: &str, other: &str) -> f64 {
    #[cfg(feature = "near")]
    let alike = strsim::jaro_winkler(text, other);
    #[cfg(not(feature = "near"))]
    let alike = f64::from(u8::from(text == other));
    let is_near = text.len() > 2 && is_typing_slip(text, other);
    alike.max(if is_near { 0.95 } else { 0.0 })
}

/// Checks whether one letter is wrong, missing or extra, or two neighbouring letters are exchanged.
fn is_typing_slip(text: &str, other: &str) -> bool {
    let [text, other] = [text, other].map(|name| name.chars().collect::<Vec<_>>());
    let (mut a, mut b) = (&text[..], &other[..]);
    while let ([x, rest @ ..], [y, others @ ..]) = (a, b)
        && x == y
    {
        (a, b) = (rest, others);
    }
    while let ([rest @ .., x], [others @ .., y]) = (a, b)
        && x == y
    {
        (a, b) = (rest, others);
    }
    match (a, b) {
        ([], [_]) | ([_], []) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// A suggestion for an unknown name: the nearest known name, or all known names.
pub fn did_you_mean(text: &str, names: &[&str]) -> String {
    match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("choose one of {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_typing_error_is_recognised() {
        let names = ["interval", "rejection"];
        for (text, near) in [
            ("interwal", Some("interval")),
            ("intervall", Some("interval")),
            ("nterval", Some("interval")),
            ("rejectino", Some("rejection")),
            ("REJECTION", Some("rejection")),
            ("uniform", None),
        ] {
            assert_eq!(nearest(text, names), near, "{text}");
        }
    }

    #[cfg(feature = "near")]
    #[test]
    fn the_nearest_name_is_found() {
        let names = [
            "expected",
            "expected_exact",
            "toll",
            "worst_case",
            "smallest",
        ];
        for (text, near) in [
            ("expekted", Some("expected")),
            ("Toll", Some("toll")),
            ("exact", Some("expected_exact")),
            ("worst", Some("worst_case")),
            ("tlol", Some("toll")),
            ("xpected", Some("expected")),
            ("colour", None),
            ("all", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, names), near, "{text}");
        }
        assert_eq!(did_you_mean("tol", &names), "did you mean toll?");
        assert!(did_you_mean("x", &names).starts_with("choose one of expected, "));
    }
}
