//! Evaluates formulas with dice that are rolled one by one.

use super::law::DiceLaw;
use super::pool::DicePool;
use flipcost_number::grammar::dice_length;
use num_traits::Zero;

/// Rolls each die of a formula once, in the order in which the dice are written, and returns the
/// value of the formula. `roll` receives the number of sides of a die and returns its face, counted
/// from 1. The result is `None` if dice are rolled again or explode (`ro`, `!`), or if the formula
/// contains `count`, whose arguments are dice, names, or laws.
///
/// ```
/// use flipcost::task::roll_formula;
/// let mut faces = [2, 6, 3, 1].into_iter();
/// let shown = roll_formula("4d6kh3 + 2", |_| faces.next().ok_or("four dice"))?;
/// assert_eq!(shown, Some(13));
/// # Ok::<(), &str>(())
/// ```
///
/// # Errors
/// Any error of `roll`.
pub fn roll_formula<E>(
    text: &str,
    mut roll: impl FnMut(u64) -> Result<u64, E>,
) -> Result<Option<i64>, E> {
    let is_rolled = |word: &&str| !text.contains(word);
    if !["count", " given ", " where ", ":"].iter().all(is_rolled) {
        return Ok(None);
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let inside = shown.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let dice = dice_length(rest.as_bytes()).filter(|_| !inside);
        let Some(length) = dice else {
            shown.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let Ok(pool) = DicePool::read(&rest[..length], 0) else {
            return Ok(None);
        };
        let Some(value) = pool.roll_once(&mut roll)? else {
            return Ok(None);
        };
        shown += &format!("({value})");
        rest = &rest[length..];
    }
    // Add a die, because a formula must contain one.
    let law = DiceLaw::read(&format!("0*d1 + ({shown})"), &[], 1);
    let values = law.map(|law| law.values(&Zero::zero()).0);
    Ok(values.ok().and_then(|values| Some(values.first()?.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use std::collections::BTreeMap;

    /// Over all combinations of faces, the values are distributed as the law of the formula says.
    #[test]
    fn all_combinations_of_faces_make_the_law() {
        for (text, dice) in [
            ("3d6", vec![6, 6, 6]),
            ("4d4kh3 - 2", vec![4; 4]),
            ("3d6dl1", vec![6; 3]),
            ("2*(d4 + d6) % 5", vec![4, 6]),
            ("3d4cs>=3 + d6", vec![4, 4, 4, 6]),
            ("2dF - d4", vec![3, 3, 4]),
            ("max(2d4, d6) >= 5", vec![4, 4, 6]),
        ] {
            let all: u64 = dice.iter().product();
            let mut counts = BTreeMap::new();
            for mut number in 0..all {
                let mut asked = dice.iter();
                let shown = roll_formula(text, |sides| {
                    assert_eq!(Some(&sides), asked.next());
                    let face = number % sides + 1;
                    number /= sides;
                    Ok::<u64, ()>(face)
                });
                *counts.entry(shown.unwrap().unwrap()).or_insert(0u64) += 1;
            }
            let law = DiceLaw::read(text, &[], 1).unwrap();
            assert_eq!(law.combinations(), Some(BigUint::from(all)));
            let all = num_bigint::BigInt::from(all);
            let part = |count: u64| flipcost_number::Rational::new(count.into(), all.clone());
            let counts: Vec<_> = counts.into_iter().map(|(v, c)| (v, part(c))).collect();
            assert_eq!(law.values(&Zero::zero()).0, counts, "{text}");
        }
        for text in ["d6!", "4d6ro1", "count(5d10 >= 8)"] {
            assert_eq!(roll_formula(text, |_| Ok::<u64, ()>(1)), Ok(None));
        }
    }
}
