//! The rolls that a person types are either faces of the die, or the parser refuses them.

use flipcost::algorithms::parse_rolls;

/// Checks the property that the module describes. The first byte is the number of sides.
pub fn rolls(bytes: &[u8]) {
    let Some((sides, rest)) = bytes.split_first() else {
        return;
    };
    let sides = u64::from(*sides).max(2);
    if let Ok(text) = std::str::from_utf8(rest)
        && let Ok(rolls) = parse_rolls(text, sides.into())
    {
        assert!(rolls.iter().all(|face| *face < sides));
    }
}
