//! Parses lines of tables as people write them: `sword 5`, `sword=5`, `4 Lightning Bolt`, `- sword:
//! 5`, `| sword | 5 |`, `1 in 128`, `01-50 goblin`. A line with two possible meanings is refused.

use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;
use flipcost_number::reduce;
use num_traits::One;

/// The nonempty lines with their numbers.
pub(super) fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.lines().zip(1..).map(|(line, i)| (i, line.trim()));
    all.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

pub(super) fn is_number(text: &str) -> bool {
    parse_rational(text.trim()).is_ok()
}

/// The nonempty lines with their numbers, without the marks of a list or of a Markdown table; and
/// whether the lines form a Markdown table.
pub(super) fn table_lines(text: &str) -> (Vec<(usize, &str)>, bool) {
    let mut lines: Vec<(usize, &str)> = data_lines(text).collect();
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| "|-: ".contains(c));
    let is_markdown = lines
        .iter()
        .any(|(_, line)| is_rule(line) && line.contains('|'))
        && lines.iter().all(|(_, line)| line.contains('|'));
    if is_markdown {
        lines.retain(|(_, line)| !is_rule(line));
        for (_, line) in &mut lines {
            *line = line.strip_prefix('|').unwrap_or(line);
            *line = line.strip_suffix('|').unwrap_or(line).trim();
        }
    }
    for bullet in ["- ", "* "] {
        if !lines.is_empty() && lines.iter().all(|(_, line)| line.starts_with(bullet)) {
            lines
                .iter_mut()
                .for_each(|(_, line)| *line = line[bullet.len()..].trim());
        }
    }
    (lines, is_markdown)
}

/// The possible meanings of a text that contains numbers with minus signs or several slashes
/// between them.
pub(super) fn calculation_readings(text: &str) -> Option<String> {
    let count = |mark: char| {
        let are_numbers = text.split(mark).all(is_decimal);
        if are_numbers {
            text.matches(mark).count()
        } else {
            0
        }
    };
    let readings = match (count('-'), count('/')) {
        (1, _) => "a range, odds or a difference",
        (2.., _) => "a date, a range or a difference",
        (_, 2..) => "a date or a quotient",
        (_, 1) if is_split_of_hundred(text) => "odds or a quotient",
        _ => return None,
    };
    Some(format!(
        "\"{text}\" has several readings, {readings}: write the weight as one number"
    ))
}

/// The two meanings of a text that looks like a date, 2024-01-31 or 1/31/2024.
pub(super) fn date_readings(text: &str) -> Option<String> {
    let text = text.trim();
    let mark = if text.contains('-') { '-' } else { '/' };
    let parts: Vec<&str> = text.split(mark).collect();
    let (year, others) = match &parts[..] {
        [year, month, day] if mark == '-' && month.len() == 2 && day.len() == 2 => {
            (year, [month, day])
        }
        [day, month, year] if mark == '/' => (year, [day, month]),
        _ => return None,
    };
    let is_day = |part: &str| part.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    let is_date = year.len() == 4 && parts.iter().all(|part| is_digits(part));
    (is_date && others.iter().all(|part| is_day(part))).then(|| {
        let spaced = parts.join(&format!(" {mark} "));
        format!(
            "it has two readings: a date is no number, and a calculation is written with blanks, as in {spaced}"
        )
    })
}

/// Checks whether the text is a split of a hundred, for example 50/50 or 60/40, and not a fraction
/// below 1.
fn is_split_of_hundred(text: &str) -> bool {
    let parts = text.split_once('/').map(|(part, other)| {
        let number = |text: &str| text.trim().parse::<u16>().ok();
        (number(part), number(other))
    });
    matches!(parts, Some((Some(part @ 50..=100), Some(other))) if part + other == 100)
}

/// Whether the text is digits with or without a point, or such a percentage.
pub(crate) fn is_decimal(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_suffix('%').unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(is_digit)
}

/// The two meanings of a `#` after a weight.
fn comment_readings(line: &str) -> Option<String> {
    let (before, after) = line.split_once(" #")?;
    let ends_with_number = || before.split_whitespace().next_back().is_some_and(is_number);
    let is_apart = after.starts_with(char::is_whitespace) && ends_with_number();
    (is_number(before) || is_apart).then(|| {
        format!(
            "\"{line}\" has two readings: a comment is written in a line of its own, and a name with # before its weight, as in name;weight"
        )
    })
}

/// The two meanings of `dragon 1:20`.
fn odds_readings(line: &str) -> Option<String> {
    let (name, weight) = line.rsplit_once(':')?;
    let (_, left) = name.trim_end().rsplit_once(char::is_whitespace)?;
    // A key in YAML is followed by a colon and a blank.
    let is_key = !name.ends_with(char::is_whitespace) && weight.starts_with(char::is_whitespace);
    let (name, weight) = (name.trim_end(), weight.trim());
    (is_decimal(left) && is_decimal(weight) && !is_key).then(|| {
        format!(
            "\"{line}\" has two readings: odds are written as one number, a probability, and a name and its weight as in {name};{weight}"
        )
    })
}

/// The two meanings of `cake 1 1/2` and of `1 1/2 cake`, which may contain a mixed number, and of
/// an item in a numbered list. `name` and `weight` are the two parts of the line.
fn number_in_name_readings(line: &str, name: &str, weight: &str) -> Option<String> {
    let is_fraction = |text: &str| {
        let parts = text.split_once('/');
        parts.is_some_and(|(above, below)| is_digits(above) && is_digits(below))
    };
    let name = name.trim();
    let mixed = if is_fraction(weight) {
        let parts = name.rsplit_once(char::is_whitespace);
        let parts = parts.filter(|(_, word)| is_digits(word));
        parts.map(|(item, word)| format!("{};{word}+{weight}", item.trim()))
    } else {
        let (word, item) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
        let is_mixed = is_fraction(word) && is_digits(weight) && line.starts_with(weight);
        is_mixed.then(|| format!("{};{weight}+{word}", item.trim()))
    };
    if let Some(mixed) = mixed {
        return Some(format!(
            "\"{line}\" has two readings: a mixed number is written {mixed}, and a name and its weight {name};{weight}"
        ));
    }
    let is_item = name.strip_suffix(['.', ')']).is_some_and(is_digits);
    is_item.then(|| {
        format!(
            "\"{line}\" has two readings: an item of a list is written {weight}, and a name and its weight {name};{weight}"
        )
    })
}

/// The possible meanings of `1 000 sword` and of `1 50 goblin`.
fn number_after_weight_readings(line: &str, name: &str, weight: &str) -> Option<String> {
    let is_first = |rest: &str| rest.starts_with(char::is_whitespace);
    if !line.strip_prefix(weight).is_some_and(is_first) {
        return None;
    }
    let name = name.trim();
    let (word, item) = name.split_once(char::is_whitespace)?;
    if !word.starts_with(|c: char| c.is_ascii_digit()) || !is_number(word) {
        return None;
    }
    let is_thousands = |word: &&str| is_digits(word) && word.len() == 3;
    if is_group(weight) && is_thousands(&word) {
        let digits: String = name.split_whitespace().take_while(is_thousands).collect();
        return Some(format!(
            "\"{line}\" has two readings: write the weight {weight}{digits} without a blank, or name;weight, as in {name};{weight}"
        ));
    }
    let range = if is_digits(weight) && is_digits(word) {
        format!("a range is written {weight}-{word} {}, and ", item.trim())
    } else {
        String::new()
    };
    Some(format!(
        "\"{line}\" has several numbers: {range}a name and its weight are written {name};{weight}"
    ))
}

/// Words and marks that may stand between the two numbers of a range, of odds or of a chance.
const WORDS_BETWEEN_NUMBERS: [&str; 13] = [
    "-", "\u{2013}", "\u{2014}", "..", "to", "through", "thru", "until", "bis", "in", "of", "per",
    "against",
];

/// The possible meanings of `1 to 50 goblin` and of `goblin 1 to 50`.
fn word_between_readings(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let count = words.len();
    let is_between = |three: &[&str]| {
        let has_digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let between = three[1].to_lowercase();
        is_number(three[0])
            && has_digit(three[2])
            && WORDS_BETWEEN_NUMBERS.contains(&between.as_str())
    };
    // The numbers may stand before the name, or after it.
    let ends = [words.get(..3), words.get(count.checked_sub(3)?..)];
    let [first, _, last] = ends.into_iter().flatten().find(|three| is_between(three))? else {
        return None;
    };
    Some(format!(
        "\"{line}\" has several readings: a range is written {first}-{last} before its name, and odds or a chance are one number, as in name;1/20"
    ))
}

/// Removes the quotes around a name.
fn strip_name_quotes(name: &str) -> &str {
    let inner = |mark: char| {
        let inner = name.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains(mark)).then_some(inner)
    };
    inner('"').or(inner('\'')).unwrap_or(name)
}

/// Splits a line without commas, semicolons and tabs into a name and a weight, if it contains both.
///
/// # Errors
/// If a line has two meanings; the error lists both.
pub(super) fn name_and_weight(line: &str) -> Result<Option<[String; 2]>, String> {
    if is_number(line) {
        return Ok(None);
    }
    if let Some(both) = parse_chance(line) {
        return Ok(Some(both));
    }
    if let Some(readings) = comment_readings(line).or_else(|| odds_readings(line)) {
        return Err(readings);
    }
    let has_letter = |text: &str| text.contains(char::is_alphabetic);
    let both = |name: &str, weight: &str| {
        let name = strip_name_quotes(name.trim());
        Some([name.to_string(), weight.to_string()])
    };
    if let Some((name, weight)) = line.rsplit_once(['=', ':'])
        && has_letter(name)
        && is_number(weight)
    {
        return Ok(both(name.trim_end_matches([':', '=']), weight.trim()));
    }
    let first = line.split_once(char::is_whitespace);
    let first = first.and_then(|(weight, name)| {
        // There may be a blank before the percent sign.
        let (weight, name) = match name.trim_start().strip_prefix('%') {
            Some(name) => (line[..line.len() - name.len()].trim_end(), name),
            None => (weight, name),
        };
        let weight = weight.strip_suffix(['x', 'X', '×']).unwrap_or(weight);
        (is_number(weight) && has_letter(name)).then_some((name, weight))
    });
    let mut words = line.split_whitespace();
    if line.split_whitespace().count() > 2 && words.all(is_number) {
        return Err(format!(
            "\"{line}\" has several numbers: one number, or a name and its weight, was expected"
        ));
    }
    let last = line.rsplit_once(char::is_whitespace);
    if let Some((item, _)) = first.filter(|(_, weight)| weight.ends_with('.')) {
        return Err(format!(
            "\"{line}\" is an item of a list without a weight: write {};1",
            item.trim()
        ));
    }
    let last = last.filter(|(_, weight)| is_number(weight));
    let one = first.xor(last);
    let readings = one.and_then(|(name, weight)| {
        number_in_name_readings(line, name, weight)
            .or_else(|| number_after_weight_readings(line, name, weight))
            .or_else(|| word_between_readings(line))
    });
    if let Some(readings) = readings {
        return Err(readings);
    }
    match (first, last) {
        (Some((behind, weight)), Some((name, last))) => Err(format!(
            "\"{line}\" has a number at both ends: write name;weight, as in {behind};{weight} or {name};{last}"
        )),
        (Some((name, weight)), None) => Ok(both(name, weight)),
        (None, Some((name, weight))) => {
            let word = name.rsplit(char::is_whitespace).next().unwrap_or_default();
            if is_number(word) && word.len() < name.len() && !is_group(word) {
                return Err(format!(
                    "\"{line}\" has several numbers: write a name and its weight, as in {name};{weight}"
                ));
            }
            if is_group(word) && weight.len() == 3 && is_digits(weight) {
                return Err(format!(
                    "\"{line}\" has two readings: write the weight {word}{weight} without a blank, or name;weight, as in {name};{weight}"
                ));
            }
            Ok(both(name, weight))
        }
        (None, None) => Ok(None),
    }
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text may be the first digits of a number in groups of three.
pub(super) fn is_group(text: &str) -> bool {
    is_digits(text) && text.len() <= 3
}

/// Parses `dragon 1 in 20` or `1 in 20 dragon`: an optional name, and a chance.
fn parse_chance(line: &str) -> Option<[String; 2]> {
    let mut line = line.replace(" out of ", " in ");
    for word in [" chance in ", " chances in "] {
        line = line.replace(word, " in ");
    }
    if let Some((part, rest)) = line.split_once(" in ").or(line.split_once(" of "))
        && is_digits(part)
    {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let (all, after) = rest.split_at(end.unwrap_or(rest.len()));
        let is_mark = |c: char| c.is_whitespace() || c == ':' || c == '=';
        let name = after.trim_start_matches(is_mark);
        let ends_with_number = name.split_whitespace().next_back().is_some_and(is_number);
        if !all.is_empty() && after.starts_with(is_mark) && !ends_with_number {
            return Some([name.trim().to_string(), format!("{part}/{all}")]);
        }
    }
    let (before, all) = line.rsplit_once(" in ").or(line.rsplit_once(" of "))?;
    let (name, part) = before
        .rsplit_once(char::is_whitespace)
        .unwrap_or(("", before));
    let is_chance = is_digits(part) && is_digits(all.trim());
    is_chance.then(|| {
        let name = name.trim().trim_end_matches([':', '=']);
        [name.to_string(), format!("{part}/{}", all.trim())]
    })
}

/// The two meanings of chances, for example `1 in 20`, that do not sum to 1, or that stand next to
/// other weights.
fn chance_readings(lines: &[(usize, &str)]) -> Option<(usize, String)> {
    let chance = |line: &str| {
        let is_split = line.contains(['\t', ';', ',', '|']);
        let has_word = line.contains(" in ") || line.contains(" of ");
        if is_split || !has_word {
            return None;
        }
        parse_chance(line)
    };
    let (at, [name, weight]) = lines
        .iter()
        .find_map(|(at, line)| Some((*at, chance(line)?)))?;
    if let Some((at, plain)) = lines.iter().find(|(_, line)| chance(line).is_none()) {
        let what = format!(
            "\"{plain}\" stands next to chances such as {}: write all weights as chances, or none",
            weight.replace('/', " in ")
        );
        return Some((*at, what));
    }
    let value = |(_, line): &(usize, &str)| {
        let [_, weight] = chance(line)?;
        parse_rational(&weight).ok()
    };
    let values = lines.iter().map(value).collect::<Option<Vec<_>>>()?;
    let sum = reduce::sum(&values);
    if lines.len() < 2 || sum.is_one() {
        return None;
    }
    let other = if sum < Rational::one() {
        "what is missing is one more outcome with its chance"
    } else {
        "the chances of one result sum to 1"
    };
    let example = if name.is_empty() {
        weight
    } else {
        format!("{name};{weight}")
    };
    let what = format!(
        "the chances do not sum to 1, which has two readings: weights in this proportion are written as in {example}, and {other}"
    );
    Some((at, what))
}

/// The line number of a row, with its name and weight.
pub(super) type NumberedRow = (usize, [String; 2]);

/// Parses the rows of a table of faces, `01-50 goblin`: returns the name and the number of faces of
/// each row, with its line number.
///
/// # Errors
/// If the faces are not consecutive, or if the lines are chances with two meanings.
pub(super) fn parse_ranges(
    lines: &[(usize, &str)],
) -> Result<Option<Vec<NumberedRow>>, (usize, String)> {
    let all: Option<Vec<_>> = lines
        .iter()
        .map(|(at, line)| Some((*at, parse_range(line)?)))
        .collect();
    let Some(all) = all else {
        return chance_readings(lines).map_or(Ok(None), Err);
    };
    if all.iter().all(|(_, (first, last, _))| first == last) {
        let are_chances = lines.iter().all(|(_, line)| parse_chance(line).is_some());
        let list = list_readings(&all).filter(|_| !are_chances);
        return list
            .or_else(|| chance_readings(lines))
            .map_or(Ok(None), Err);
    }
    let begin = all[0].1.0;
    if begin > 1 {
        let (line, (first, _, name)) = all[0];
        let what = format!(
            "the faces of a table begin at 1 or 0, and not at {first}: for a sum of dice write the weights, as in {name};10"
        );
        return Err((line, what));
    }
    let (mut rows, mut next) = (Vec::new(), begin);
    for (line, (first, last, name)) in all {
        // The row may contain only the last face, the 0 of a d10 or the 00 of a d100.
        let is_zero = last == 0 && begin > 0 && [10, 100, 1000].contains(&next);
        let (first, last) = if is_zero { (next, next) } else { (first, last) };
        if first != next || last < first {
            let what = format!(
                "faces from {next} on were expected, as in {next}-{} {name}",
                next + 9
            );
            return Err((line, what));
        }
        next = last + 1;
        rows.push((line, [name.to_string(), (last - first + 1).to_string()]));
    }
    Ok(Some(rows))
}

/// The two meanings of lines `1 goblin`, `2 wolves`, `3 ogre`: the numbers may be faces or weights.
fn list_readings(all: &[(usize, (u64, u64, &str))]) -> Option<(usize, String)> {
    let follow = |begin: u64| {
        all.iter()
            .zip(begin..)
            .all(|((_, (face, ..)), i)| *face == i || (*face, i) == (0, 10))
    };
    let are_faces = follow(1) || follow(0);
    let has_number = |name: &str| is_number(name.rsplit(char::is_whitespace).next().unwrap_or(""));
    if all.len() < 3 || !are_faces || all.iter().any(|(_, (.., name))| has_number(name)) {
        return None;
    }
    let (line, (face, _, name)) = all[if follow(0) { 2 } else { 1 }];
    let sides = all.len();
    Some((
        line,
        format!(
            "\"{face} {name}\" has two readings: face {face} of a d{sides} is written {name};1, and a weight of {face} is written {name};{face}"
        ),
    ))
}

/// The first and the last face of a line, and the name after them.
fn parse_range(line: &str) -> Option<(u64, u64, &str)> {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let (first, rest) = line.split_at(digits(line));
    let spaced = rest.trim_start();
    let (last, rest) = match spaced.strip_prefix(['-', '\u{2013}', '\u{2014}']) {
        Some(more) => {
            let more = more.trim_start();
            more.split_at(digits(more))
        }
        None => (first, rest),
    };
    let name = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;:.)|".contains(c));
    let is_named = name.len() < rest.len() && name.contains(char::is_alphabetic);
    let face = |text: &str| text.parse::<u64>().ok().filter(|face| *face < 1 << 32);
    let low = face(first)?;
    let mut high = face(last)?;
    if high == 0 && low > 0 {
        // The last face of a d10 is printed 0, the last face of a d100 is printed 00.
        high = 10u64.checked_pow(last.len() as u32)?;
        while high < low {
            high *= 10;
        }
    }
    Some((low, high, name.trim())).filter(|_| is_named)
}

/// The two meanings of fields between commas: the commas may be decimal commas. The fields may also
/// be numbers with commas or points between groups of three digits.
pub(super) fn comma_readings(rows: &[(usize, Vec<String>)]) -> Option<(usize, String)> {
    let is_before = |text: &str| {
        let parts: Vec<&str> = text.split('.').collect();
        let are_groups = parts[1..].iter().all(|part| part.len() == 3);
        parts.iter().all(|part| is_digits(part))
            && (parts.len() == 1 || are_groups && !text.starts_with('0'))
    };
    let is_after = |text: &str| match text.split_once('.') {
        Some((whole, _)) => whole.len() == 3 && is_decimal(text),
        None => text.starts_with(|c: char| c.is_ascii_digit()) && is_number(text),
    };
    let pair = |(_, fields): &(usize, Vec<String>)| match &fields[..] {
        [before, after] if is_after(after.trim()) => {
            let before = before.trim();
            let word = before.rsplit(char::is_whitespace).next()?;
            is_before(word).then(|| (before.to_string(), after.trim().to_string()))
        }
        _ => None,
    };
    let pairs: Vec<(String, String)> = rows.iter().map(pair).collect::<Option<_>>()?;
    let faces: Option<Vec<u64>> = pairs.iter().map(|(name, _)| name.parse().ok()).collect();
    let are_whole = pairs.iter().all(|(_, after)| is_digits(after));
    let weights = pairs.iter().map(|(_, after)| parse_rational(after).ok());
    let is_one = || {
        weights
            .sum::<Option<Rational>>()
            .is_some_and(|sum| sum.is_one())
    };
    // The sum of many fractions could have too many digits.
    if !are_whole && (rows.len() > 1000 || is_one()) {
        return None;
    }
    // 1,17 and 2,12 and 3,20 may be faces and their weights.
    let are_faces = faces.is_some_and(|faces| {
        let follow = faces
            .windows(2)
            .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
        follow && (faces[0] > 0 || faces.len() > 2)
    });
    let are_groups = pairs.iter().all(|(_, after)| after.len() == 3);
    if are_faces && are_whole && !are_groups {
        return None;
    }
    let (line, (name, after)) = (rows.first()?.0, &pairs[0]);
    let decimal = if after.contains('.') {
        format!("write the number without the comma, {name}{after}")
    } else {
        let word = name.rsplit(char::is_whitespace).next().unwrap_or(name);
        let (before, word) = name.split_at(name.len() - word.len());
        let whole = word.replace('.', "");
        format!("write a decimal with a point, {before}{whole}.{after}")
    };
    Some((
        line,
        format!(
            "\"{name},{after}\" has two readings: {decimal}, or a name and its weight with a semicolon, {name};{after}"
        ),
    ))
}

/// The two meanings of weights that may have points between groups of three digits, if the other
/// weights have no point.
pub(super) fn point_readings<'a>(weights: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let is_grouped = |text: &&str| {
        let parts: Vec<&str> = text.trim().split('.').collect();
        parts.len() > 1
            && is_group(parts[0])
            && !parts[0].starts_with('0')
            && parts[1..]
                .iter()
                .all(|part| is_digits(part) && part.len() == 3)
    };
    let is_whole = |text: &str| is_digits(text.trim());
    let all = weights
        .clone()
        .all(|text| is_whole(text) || is_grouped(&text));
    let mixed = all && weights.clone().any(is_whole);
    let found = weights.clone().find(is_grouped).filter(|_| mixed)?.trim();
    let zeros = parse_rational(found).ok()?;
    Some(format!(
        "\"{found}\" has two readings next to whole numbers: write {} or {zeros}",
        found.replace('.', "")
    ))
}
