//! Notations of dice that have different meanings in different programs: messages that list all
//! meanings.

use flipcost_number::grammar::Operator;

/// The notation of this program for counts that chat bots write as `8d10f1` and `10d6s>5`; `hits`
/// is the comparison that makes a die a success.
pub(super) fn counts_of_bots(
    (dice, word): (&str, &str),
    (operator, number): (Option<Operator>, Option<i64>),
    hits: (Operator, i64),
) -> Option<String> {
    match (word, operator) {
        ("f" | "df" | "cf", _) => {
            let (sign, hit) = (hits.0.sign(), hits.1);
            let lost = operator.map_or("=", Operator::sign);
            let number = number.unwrap_or(1);
            Some(format!(
                "to subtract failures of the same roll, give it a name, as in count(r {sign} {hit}) - count(r {lost} {number}) where r = {dice}"
            ))
        }
        ("s", Some(operator)) => {
            let (sign, number) = (operator.sign(), number?);
            Some(format!(
                "s has no comparison here: how many dice are {sign} {number} is count({dice} {sign} {number})"
            ))
        }
        _ => None,
    }
}

/// The notation of this program for modifiers that chat bots write differently.
pub(super) fn notation_of_bots(word: &str) -> Option<&'static str> {
    Some(match word {
        "r" => {
            "r has two readings: faces rolled again once are ro1 or ro<=2, faces rolled again until another shows are rr1 or rr<=2"
        }
        "e" | "ie" | "xo" => "dice whose highest face is rolled on and added are written d6!",
        "p" => "a die where each explosion counts one less has no formula here",
        "s" | "sa" | "sd" => "the order of the dice does not change the value: leave it out",
        _ => return None,
    })
}

/// The sides of dice that games often roll digit by digit, for example d66.
const DIGIT_DICE: [u64; 5] = [44, 66, 88, 444, 666];

/// The two meanings of `d66`, which are two d6 for the two digits, or a die of 66 sides; also those
/// of `3d66`.
pub fn digit_die(text: &str) -> Option<String> {
    let (count, sides) = text.trim().split_once(['d', 'D'])?;
    if sides == "00" {
        let what =
            "d00 has two readings: a d100 is written d%, and its die for the tens 10*(d10 - 1)";
        return Some(what.to_string());
    }
    let number = sides.parse().ok();
    let number = number.filter(|sides| DIGIT_DICE.contains(sides));
    number.filter(|number: &u64| number.to_string() == sides)?;
    let die = &sides[..1];
    let dice: Vec<String> = (0..sides.len() as u32)
        .rev()
        .map(|place| match place {
            0 => format!("d{die}"),
            place => format!("{}*d{die}", 10u32.pow(place)),
        })
        .collect();
    let digits = dice.join(" + ");
    match count.parse() {
        Err(_) if count.is_empty() => Some(format!(
            "d{sides} has two readings: a d{die} for each of its digits is written {digits}, a die of {sides} sides 1d{sides}"
        )),
        Ok(2u32..) => Some(format!(
            "{count}d{sides} has two readings: {count} results of a d{die} for each digit are {count} rolls of {digits}, the sum of {count} dice of {sides} sides is 1d{sides} + 1d{sides}{}",
            if count == "2" { "" } else { " + ..." }
        )),
        _ => None,
    }
}

/// The error for a value next to `and` or `or` that is not a comparison.
pub(super) fn joined_comparisons(operator: Operator) -> String {
    let example = match operator {
        Operator::And => "r >= 10 and r <= 11",
        _ => "r = 10 or r = 11",
    };
    format!(
        "a comparison was expected on both sides of `{}`, as in {example} where r = 3d6",
        operator.sign()
    )
}

/// The two meanings of two numbers with a minus sign between them; `None` if they are not a range.
pub(super) fn range_or_difference(first: &str, last: &str) -> Option<String> {
    let from: u64 = first.parse().ok()?;
    let to = match last.parse::<u64>().ok()? {
        // On a d100 the highest face is written 00.
        0 if last.len() > 1 => 10u64.checked_pow(last.len() as u32)?,
        to => to,
    };
    (from <= to).then(|| {
        format!(
            "{first}-{last} has two readings: a range is r >= {from} and r <= {to} where r is the roll, as in r >= 15 and r <= 20 where r = d20, and a difference is ({first}-{last})"
        )
    })
}

/// The two meanings of exploding dice that are counted.
pub(super) fn counting_readings(dice: &str, (operator, number): (Operator, i64)) -> String {
    let sign = operator.sign();
    format!(
        "counting exploding dice can mean two things: whole dice, each with its total, are counted by count({dice} {sign} {number}), single rolls by count_rolls({dice} {sign} {number})"
    )
}

/// The two meanings of exploding dice of which some are kept.
pub(super) fn keeping_readings(dice: &str, kept: &str) -> String {
    let plain = dice.trim_end_matches(['!', 'x', 'X']);
    format!(
        "keeping exploding dice can mean two things: whole dice, each with its total, are kept by {plain}!!{kept}; keeping single rolls has no formula here"
    )
}

/// The two meanings of `cs` with a number but without a sign.
pub(super) fn counted_faces(face: i64) -> String {
    format!(
        "cs{face} has two readings: how many dice show {face} is cs={face}, how many show at least {face} is cs>={face}"
    )
}

/// The two meanings of `k` with a number.
pub(super) fn kept_faces(dice: &str, number: u64) -> String {
    format!(
        "k{number} has two readings: the highest {number} are kept by kh{number}, and the dice that show {number} add up to {number}*count({dice} = {number})"
    )
}

/// The two meanings of `1/2d6`: a number divided by dice, or a part of dice.
pub(super) fn part_of_dice(text: &str) -> Option<String> {
    let (above, rest) = text.trim().split_once('/')?;
    let (below, sides) = rest.split_once(['d', 'D'])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let sides = &sides[..sides
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(sides.len())];
    (is_number(above) && is_number(below) && !sides.is_empty()).then(|| {
        format!(
            "it has two readings: a part of one die, rounded down, is {above}*d{sides}/{below}, and a number divided by {below} dice {above}/({below}d{sides})"
        )
    })
}

/// The error for a choice of dice behind one die, as in `d6+d8kh1`.
pub(super) fn only_die_kept(die: &str, choice: &str) -> String {
    format!(
        "{choice} behind {die} chooses from one die: the higher of two dice is written max(d6, d8), and several dice of one kind 2{die}{choice}"
    )
}

/// The two meanings of a k behind one die, as in `d10k`.
pub(super) fn thousands_of_sides(die: &str) -> String {
    format!(
        "{die}k has two readings: thousands of sides are written {die}000, and the only die that is kept is {die}"
    )
}

/// The notation of this program for words that people write behind dice.
pub(super) fn notation_of_words(behind: &str) -> Option<&'static str> {
    let mut words = behind.split(|c: char| !c.is_alphabetic());
    Some(
        match words.find(|word| !word.is_empty())?.to_lowercase().as_str() {
            "drop" | "dropping" | "keep" | "keeping" | "best" | "worst" | "highest" | "lowest" => {
                "of four dice the highest three are kept by 4d6kh3, the lowest is dropped by 4d6dl1"
            }
            "advantage" | "adv" => "the higher of two dice is 2d20kh1",
            "disadvantage" | "dis" => "the lower of two dice is 2d20kl1",
            "reroll" | "rerolling" => {
                "ones are rolled again once by 2d6ro1, until another face shows by 2d6rr1"
            }
            "exploding" | "explode" | "explodes" => "dice that explode are written 3d6!",
            "k" | "kh" | "kl" | "dh" | "dl" | "r" | "ro" | "rr" => {
                "a modifier follows its dice without a blank, as in 4d6kh3"
            }
            "vs" | "versus" | "against" | "over" => "a comparison is written d20 >= 15",
            _ => return None,
        },
    )
}

/// The two meanings of dice followed by a d and a number, as in `2d6d3`: more dice, or dice that
/// are dropped. The number is larger than the number of dice.
pub(super) fn nested_dice(dice: &str, sides: u64, there: usize) -> String {
    format!(
        "{dice}d{sides} has two readings: rolling as many d{sides} as {dice} shows has no formula here, and dropping {sides} of {there} leaves no die"
    )
}

/// The two meanings of letters that choose dice twice, for example `kh1kl1`. `left` contains the
/// number of the highest and the number of the lowest dice that are left out if the second choice
/// is made among the dice that the first choice keeps.
pub(super) fn kept_twice(dice: &str, letters: &str, left: (usize, usize)) -> String {
    let drop = |word: &str, count: usize| match count {
        0 => String::new(),
        count => format!("{word}{count}"),
    };
    let (high, low) = (drop("dh", left.0), drop("dl", left.1));
    format!(
        "{letters} has two readings: making the second choice among the dice of the first is {dice}{high}{low}, and making both choices among all dice has no formula here"
    )
}

/// The meanings of `d6!=5` as exploding dice; they are added to its meanings as a comparison.
pub(super) fn explosion_on_face(dice: &str, face: i64, is_highest: bool) -> String {
    let on_face = if is_highest {
        format!("are {dice}!")
    } else {
        "have no formula here".to_string()
    };
    format!(
        "; dice that explode on {face} {on_face}; dice that explode on the highest face and are then compared are total({dice}!) = {face}"
    )
}

/// The possible meanings of an x with a number after dice.
pub(super) fn factor_or_explosion((dice, number): (&str, u64), is_highest: bool) -> String {
    let on_face = if is_highest {
        format!("are {dice}!")
    } else {
        format!("have no formula here, and on the highest face are {dice}!")
    };
    format!(
        "x{number} has several readings: dice that explode on {number} {on_face}, their value times {number} is {number}*{dice}, and {number} rolls are `flipcost roll {dice} --count {number}`"
    )
}

/// The two meanings of a comparison after a letter that keeps or drops dice.
pub(super) fn kept_comparison_readings(dice: &str, (operator, number): (Operator, i64)) -> String {
    let sign = operator.sign();
    let dice = if dice.ends_with('k') {
        format!("{dice}h")
    } else {
        dice.to_string()
    };
    format!(
        "it has two readings: keeping one die and comparing it is {dice}1 {sign} {number}, and keeping every die that is {sign} {number} has no formula here"
    )
}

/// The possible meanings of a comparison outside `count` that holds for some faces of a die but not
/// for others.
pub(super) fn comparison_meanings(
    (dice, is_one, explodes): (&str, bool, bool),
    (operator, number): (Operator, i64),
) -> String {
    let sign = operator.sign();
    let (is, roll20) = match operator {
        Operator::Less => ("below", Some("<=")),
        Operator::AtMost => ("at most", None),
        Operator::Equal => ("equal to", None),
        Operator::NotEqual => ("other than", None),
        Operator::AtLeast => ("at least", None),
        _ => ("above", Some(">=")),
    };
    let mut all = vec![format!(
        "a sum {is} {number} is total({dice}) {sign} {number}"
    )];
    if !is_one {
        all.push(format!(
            "how many dice are {is} {number} is count({dice} {sign} {number})"
        ));
        // Roll20 reads a comparison after an exploding die as the faces on which it explodes.
        let counted = roll20.filter(|_| !explodes);
        let counted =
            counted.map(|sign| format!("as Roll20 reads it, count({dice} {sign} {number})"));
        all.extend(counted);
    }
    if explodes {
        all.push("dice that explode on these faces have no formula here".to_string());
    }
    format!("it has several readings: {}", all.join("; "))
}
