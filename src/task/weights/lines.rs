//! Parses lines of tables as people write them: `sword 5`, `sword=5`, `4 Lightning Bolt`, `- sword:
//! 5`, `| sword | 5 |`, `1 in 128`, `01-50 goblin`. A line with two possible meanings is refused.

use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;
use flipcost_number::grammar::is_comment;
use flipcost_number::reduce;
use num_traits::One;

/// The maximum number of letters of a text that an error repeats.
const MAX_SHOWN: usize = 40;

pub(super) fn printable_prefix(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(MAX_SHOWN)
        .collect()
}

/// The lines with their numbers, without empty lines and comments.
pub(super) fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.lines().zip(1..).map(|(line, i)| (i, line.trim()));
    all.filter(|(_, line)| !line.is_empty() && !is_comment(line))
}

pub(super) fn is_number(text: &str) -> bool {
    parse_rational(text.trim()).is_ok()
}

/// Returns the lines of [`data_lines`] without the marks of a list or of a Markdown table, and
/// whether they form a Markdown table.
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

/// Whether the line is the name of a section of a settings file, as in `[loot]`.
pub(super) fn names_section(line: &str) -> bool {
    let name = line
        .strip_prefix('[')
        .and_then(|line| line.strip_suffix(']'));
    name.is_some_and(|name| name.starts_with(char::is_alphabetic) && !name.contains(','))
}

/// The error for lines that may not be outcomes: errors of a spreadsheet, headings with the marks
/// of other languages, and blocks with blank lines between them.
pub(super) fn layout_readings(text: &str) -> Option<(usize, String)> {
    if let Some((at, line)) = data_lines(text).find(|(_, line)| line.starts_with('#')) {
        let what = format!(
            "\"{}\" is an error of a spreadsheet: a number was expected",
            printable_prefix(line)
        );
        return Some((at, what));
    }
    let mark = |(_, line): &(usize, &str)| {
        ["//", "--", "==", "**"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let is_heading = |line: &(usize, &str)| mark(line) || names_section(line.1);
    if let Some((at, line)) = data_lines(text).find(is_heading) {
        let shown = printable_prefix(line);
        let what = format!(
            "\"{shown}\" begins as a heading or a comment does: write it with # at its beginning, and an outcome with a letter or a number"
        );
        return Some((at, what));
    }
    // A comment between two blocks shows that they are meant as one table.
    let (mut blocks, mut is_apart) = (Vec::<Vec<(usize, &str)>>::new(), true);
    for (line, at) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            is_apart = line.is_empty();
        } else if is_apart {
            blocks.push(vec![(at, line)]);
            is_apart = false;
        } else {
            blocks.last_mut()?.push((at, line));
        }
    }
    let names_columns = |block: &[(usize, &str)]| {
        let has_digit = |line: &str| line.contains(|c: char| c.is_ascii_digit());
        matches!(block, [(_, line)] if line.contains([',', ';', '\t']) && !has_digit(line))
    };
    let begin = usize::from(blocks.first().is_some_and(|block| names_columns(block)));
    let blocks = blocks.get(begin..).filter(|blocks| blocks.len() > 1)?;
    // The first line may be the name of a column.
    let mut lines = blocks.iter().flatten().skip(1);
    if blocks.iter().all(|block| block.len() == 1) || lines.all(|(_, line)| is_number(line)) {
        return None;
    }
    let heading = blocks.iter().find(|block| block.len() == 1);
    let (at, line) = heading.unwrap_or(&blocks[1])[0];
    let comment = match heading {
        Some(_) => format!(
            "write a heading as a comment, # {}, and ",
            printable_prefix(line)
        ),
        None => "write ".to_string(),
    };
    let what = format!(
        "blank lines separate several blocks, which can be one table or several tables: {comment}one table without blank lines, or each block in its own file"
    );
    Some((at, what))
}

/// The error for lines of names and weights of which one may be a heading or a note: it is written
/// differently from the others, or its number is a year, a page, or the sum of the others.
pub(super) fn heading_readings(lines: &[(usize, &str, &[String])]) -> Option<(usize, String)> {
    let form = |(_, line, fields): &(usize, &str, &[String])| {
        let (name, weight) = (fields[0].as_str(), fields[1].as_str());
        let is_behind = name.contains(char::is_alphabetic) && line.ends_with(name);
        match line.strip_suffix(weight).filter(|_| !is_behind) {
            None => '1',
            Some(_) if weight.starts_with('(') => '(',
            Some(name) => name
                .trim_end()
                .chars()
                .next_back()
                .filter(|c| ":=".contains(*c))
                .unwrap_or(' '),
        }
    };
    let forms: Vec<char> = lines.iter().map(form).collect();
    // Of the first three lines, the form that two of them share is taken as the usual one.
    let usual = usize::from(forms.len() > 2 && forms[1] == forms[2]);
    if let Some(other) = forms.iter().position(|form| *form != forms[usual]) {
        let (at, line, _) = lines[other];
        let what = format!(
            "\"{line}\" is not written as \"{}\" is: write all weights in one way, and a heading or a note with # at its beginning",
            lines[usual].1
        );
        return Some((at, what));
    }
    let value = |(_, _, fields): &(usize, &str, &[String])| parse_rational(&fields[1]).ok();
    let values: Vec<Rational> = lines.iter().map(value).collect::<Option<_>>()?;
    let is_note = |i: usize| {
        let fields = lines[i].2;
        let last_word = fields[0].split_whitespace().next_back().unwrap_or_default();
        let is_page = ["p.", "pp.", "pg.", "page"].contains(&last_word.to_lowercase().as_str());
        let year = fields[1].trim_matches(['(', ')']).parse().unwrap_or(0);
        let is_year = (1970..2100u64).contains(&year) && year % 100 > 0;
        let thousand = Rational::from_integer(1000.into());
        let are_small = || (0..values.len()).all(|j| i == j || values[j] < thousand);
        is_page || is_year && are_small()
    };
    let ends = [0, lines.len() - 1];
    if let Some(i) = ends.into_iter().find(|i| lines.len() > 1 && is_note(*i)) {
        let (at, line, fields) = lines[i];
        let what = format!(
            "\"{line}\" has two readings: a heading or a note is a comment, # {line}, and a name and its weight are written {};{}",
            fields[0], fields[1]
        );
        return Some((at, what));
    }
    let (last, others) = values
        .split_last()
        .filter(|(_, others)| (2..1000).contains(&others.len()))?;
    let two = Rational::from_integer(2.into());
    let is_whole = || {
        [1, 100]
            .iter()
            .any(|whole| last * &two == Rational::from_integer((*whole).into()))
    };
    let (at, line, fields) = lines[lines.len() - 1];
    let is_named = fields[0].contains(char::is_alphabetic);
    if !is_named || reduce::sum(others) != *last || is_whole() {
        return None;
    }
    let what = format!(
        "\"{line}\" has two readings, since it is the sum of the others: a total is left out, and an outcome is written {};{}",
        fields[0], fields[1]
    );
    Some((at, what))
}

/// The possible meanings of numbers with minus signs, or with several slashes, between them.
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
        (_, 1) if is_split_of_hundred(text) || is_above_one(text) => "odds or a quotient",
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

/// Whether the text is a quotient of whole numbers whose first is larger, as odds of 5/1 are.
fn is_above_one(text: &str) -> bool {
    let parts = text.split_once('/');
    let number = |text: &str| text.trim().parse::<u64>().ok();
    parts.is_some_and(|(above, below)| {
        matches!((number(above), number(below)), (Some(above), Some(below)) if above > below)
    })
}

/// Checks whether the text is a split of a hundred whose first part is at least 50, for example
/// 50/50 or 60/40 (40/60 is a fraction).
pub(super) fn is_split_of_hundred(text: &str) -> bool {
    let parts = text.split_once('/').map(|(part, other)| {
        let number = |text: &str| text.trim().parse::<u16>().ok();
        (number(part), number(other))
    });
    matches!(parts, Some((Some(part @ 50..=100), Some(other))) if part + other == 100)
}

/// Whether the text consists of digits, with or without a point, and perhaps a percent sign.
pub(crate) fn is_decimal(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_suffix('%').unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(is_digit)
}

/// The two meanings of a `#` after a weight.
fn comment_readings(line: &str) -> Option<String> {
    let marks = [" #", " //"];
    let (before, after) = marks.iter().find_map(|mark| line.split_once(mark))?;
    let ends_with_number = || before.split_whitespace().next_back().is_some_and(is_number);
    let is_apart = after.starts_with(char::is_whitespace) && ends_with_number();
    (is_number(before) || is_apart).then(|| {
        format!(
            "\"{line}\" has two readings: a comment is written in a line of its own, and a name with # or // before its weight, as in name;weight"
        )
    })
}

/// The two meanings of `dragon 1:20`.
fn odds_readings(line: &str) -> Option<String> {
    let (name, weight) = line.rsplit_once(':')?;
    let (_, left) = (name.trim_end()).rsplit_once(|c: char| c.is_whitespace() || c == ':')?;
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
    if is_digit_group(weight) && is_thousands(&word) {
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

/// Words and marks that may be between the two numbers of a range, of odds or of a chance.
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
    // The numbers may be before the name, or after it.
    let ends = [words.get(..3), words.get(count.checked_sub(3)?..)];
    let [first, _, last] = ends.into_iter().flatten().find(|three| is_between(three))? else {
        return None;
    };
    Some(format!(
        "\"{line}\" has several readings: a range is written {first}-{last} before its name, and odds or a chance are one number, as in name;1/20"
    ))
}

/// Removes the marks between a name and its weight, as in `sword -> 5`.
fn strip_marks(name: &str) -> &str {
    let mut name = name.trim();
    loop {
        let is_mark =
            |word: &str| !word.is_empty() && word.chars().all(|c| SEPARATOR_MARKS.contains(&c));
        let last = name.rsplit_once(char::is_whitespace).unwrap_or(("", name));
        let first = name.split_once(char::is_whitespace).unwrap_or((name, ""));
        let short = match (is_mark(last.1), is_mark(first.0)) {
            (true, _) if !last.0.is_empty() => last.0,
            (_, true) if !first.1.is_empty() => first.1,
            _ => name.trim_end_matches([':', '=']),
        };
        let dots = short.trim_end_matches('.');
        let short = if short.len() > dots.len() + 1 {
            dots
        } else {
            short
        }
        .trim();
        if short == name || short.is_empty() {
            return name;
        }
        name = short;
    }
}

/// Marks between a name and its weight, or a number and its name.
const SEPARATOR_MARKS: [char; 11] = [
    '-', '\u{2013}', '\u{2014}', '=', '>', ':', '.', '|', '\u{2192}', '\u{2026}', ',',
];

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
/// If the line has two meanings; the error lists both.
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
        let name = strip_name_quotes(strip_marks(name));
        Some([name.to_string(), weight.to_string()])
    };
    if let Some((name, weight)) = line.rsplit_once(['=', ':'])
        && has_letter(name)
        && is_number(weight)
    {
        return Ok(both(name, weight.trim()));
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
    if let Some(percent) = line
        .strip_suffix('%')
        .map(str::trim_end)
        .filter(|text| is_decimal(text))
    {
        return Ok(Some([String::new(), format!("{percent}%")]));
    }
    if let Some((item, _)) = first.filter(|(_, weight)| weight.ends_with('.')) {
        return Err(list_item_error(line, item.trim()));
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
            "\"{line}\" has a number at both ends: write name;weight, as in {};{weight} or {};{last}",
            behind.trim(),
            name.trim()
        )),
        (Some((name, weight)), None) => Ok(both(name, weight)),
        (None, Some((name, weight))) => {
            let readings = result_readings(line, name, weight)
                .or_else(|| number_before_weight_readings(line, name, weight));
            readings.map_or_else(|| Ok(both(name, weight)), Err)
        }
        (None, None) => Ok(None),
    }
}

/// The error for an item of a numbered list: `1. Goblin`, or `1. Goblin 3`, whose number may be its
/// weight or that of the goblins.
fn list_item_error(line: &str, item: &str) -> String {
    match item.rsplit_once([' ', ':', '=']) {
        Some((name, weight)) if is_number(weight) => format!(
            "\"{line}\" has two readings: the weight {weight} is written {};{weight}, and one outcome of several alike is written {item};1",
            name.trim()
        ),
        _ => format!("\"{line}\" is an item of a list without a weight: write {item};1"),
    }
}

/// The possible meanings of `sword 5 10%` and of `sword 1 000`.
fn number_before_weight_readings(line: &str, name: &str, weight: &str) -> Option<String> {
    let word = name.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_share = weight.ends_with('%') || weight.starts_with('(');
    if is_number(word) && word.len() < name.len() && (!is_digit_group(word) || is_share) {
        let (name, weight) = match name.strip_suffix(word) {
            Some(name) if is_share => (strip_marks(name), word),
            _ => (name, weight),
        };
        return Some(format!(
            "\"{line}\" has several numbers: write a name and its weight, as in {name};{weight}"
        ));
    }
    let is_thousands = is_digit_group(word) && weight.len() == 3 && is_digits(weight);
    is_thousands.then(|| {
        format!(
            "\"{line}\" has two readings: write the weight {word}{weight} without a blank, or name;weight, as in {name};{weight}"
        )
    })
}

/// The two meanings of `1-2 4`.
fn result_readings(line: &str, name: &str, weight: &str) -> Option<String> {
    let (first, last) = name.split_once(['-', '\u{2013}', '\u{2014}'])?;
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (first, last) = (number(first)?, number(last)?);
    (first < last && is_number(weight)).then(|| {
        format!(
            "\"{line}\" has two readings: the result {weight} of the faces {first} to {last} is written {weight};{}, and the outcome {name} with the weight {weight} is written {name};{weight}",
            u64::from(last - first) + 1
        )
    })
}

/// The error for a line that has no weight although others have one.
pub(super) fn no_weight_error(line: &str) -> String {
    let words = [
        line.split_whitespace().next_back(),
        line.split_whitespace().next(),
    ];
    let readings = words.into_iter().flatten().find_map(calculation_readings);
    readings.unwrap_or_else(|| {
        format!(
            "\"{}\" is not a name with its weight: a number from 0 was expected after the name, as in sword 5, or a heading with # at its beginning",
            printable_prefix(line)
        )
    })
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text may be the first digits of a number in groups of three.
pub(super) fn is_digit_group(text: &str) -> bool {
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

/// The possible meanings of chances, for example `1 in 20`, if they do not sum to 1, or if other
/// lines have weights.
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
    if let Some(found) = lines.iter().find_map(range_error) {
        return Err(found);
    }
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
        // The row may consist of only the last face, the 0 of a d10 or the 00 of a d100.
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

/// The error for a line that begins with a date, with a range without its last face, or with a
/// range that counts down.
fn range_error((at, line): &(usize, &str)) -> Option<(usize, String)> {
    let shown = printable_prefix(line);
    let word = line.split(char::is_whitespace).next().unwrap_or("");
    if word.len() < line.len() && !line.contains([',', ';', '\t']) && date_readings(word).is_some()
    {
        let what = format!(
            "\"{shown}\" begins with a date: lines of names and weights, as in sword;5, were expected"
        );
        return Some((*at, what));
    }
    let (first, last) = word.split_once(['-', '\u{2013}', '\u{2014}', '+'])?;
    if last.is_empty() && is_digits(first) {
        let what =
            format!("the range \"{word}\" has no end: its last face was expected, as in 91-100");
        return Some((*at, what));
    }
    let (low, high) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
    let what = format!("the range {word} counts down: a range was expected, as in {last}-{first}");
    (high < low && high > 0).then_some((*at, what))
}

/// The possible meanings of lines such as `1 goblin`, `2 wolves`, `3 ogre`, whose numbers count up
/// or down: faces, or weights.
fn list_readings(all: &[(usize, (u64, u64, &str))]) -> Option<(usize, String)> {
    let faces: Vec<u64> = all.iter().map(|(_, (face, ..))| *face).collect();
    // The tenth face of a d10 is printed 0.
    let is_up = |pair: &[u64]| pair[1] == pair[0] + 1 || pair == [9, 0];
    let is_down = |pair: &[u64]| pair[0] == pair[1] + 1;
    let follow = faces.windows(2).all(is_up) || faces.windows(2).all(is_down);
    let is_mark = |c: char| c.is_whitespace() || ",;|".contains(c);
    let has_number = |name: &str| is_number(name.rsplit(is_mark).next().unwrap_or(""));
    if all.len() < 3 || !follow || all.iter().any(|(_, (.., name))| has_number(name)) {
        return None;
    }
    let (line, (face, _, name)) = *all.iter().find(|(_, (face, ..))| *face > 1)?;
    let sum = match faces.iter().min() {
        Some(0 | 1) => String::new(),
        _ => format!("the sum {face} of dice is written {name}; and its weight, "),
    };
    Some((
        line,
        format!(
            "\"{face} {name}\" has {} readings: face {face} of a die is written {name};1, {sum}and a weight of {face} is written {name};{face}",
            if sum.is_empty() { "two" } else { "several" }
        ),
    ))
}

/// The first and the last face of a line, and the name after them.
fn parse_range(line: &str) -> Option<(u64, u64, &str)> {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let line = line.strip_prefix(['(', '[', '#']).unwrap_or(line);
    let (first, rest) = line.split_at(digits(line));
    let spaced = rest.trim_start();
    // The mark in `1 - Goblin` is not that of a range.
    let last = spaced.strip_prefix(['-', '\u{2013}', '\u{2014}']);
    let last = last.map(|last| last.trim_start().split_at(digits(last.trim_start())));
    let (last, rest) = last
        .filter(|(last, _)| !last.is_empty())
        .unwrap_or((first, rest));
    let is_mark = |c: char| c.is_whitespace() || ";)]".contains(c) || SEPARATOR_MARKS.contains(&c);
    let name = rest.trim_start_matches(is_mark);
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
    // The sum of many fractions could be too long to compute.
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
    let last_word = |name: &'_ str| {
        name.rsplit(char::is_whitespace)
            .next()
            .unwrap_or("")
            .to_string()
    };
    let are_groups = are_whole
        && pairs
            .iter()
            .all(|(name, after)| after.len() == 3 && !last_word(name).starts_with('0'));
    let has_zero = |(_, after): &(String, String)| after.len() > 1 && after.starts_with('0');
    let are_tenths = pairs.iter().all(|(_, after)| after.len() == 1);
    let are_clear = rows.len() > 2 && !are_tenths && !pairs.iter().any(has_zero);
    if are_faces && are_whole && !are_groups && are_clear {
        return None;
    }
    let (line, (name, after)) = (rows.first()?.0, &pairs[0]);
    let word = last_word(name);
    let decimal = if after.contains('.') || are_groups && is_digit_group(&word) {
        format!("write the number without the comma, {name}{after}")
    } else {
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
            && is_digit_group(parts[0])
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

/// The possible meanings of one line of numbers with commas or blanks between them, if these may be
/// decimal commas or marks between groups of three digits.
pub(super) fn one_line_readings(line: &str, parts: &[&str]) -> Option<String> {
    let has_blank = |part: &&str| part.starts_with(char::is_whitespace);
    let are_mixed = line.contains(',')
        && parts.len() > 2
        && parts[1..].iter().any(has_blank)
        && !parts[1..].iter().all(has_blank);
    if are_mixed {
        return Some(format!(
            "\"{}\" has two readings: decimals have a point, as in 0.5, and weights have the same mark between them, without blanks",
            printable_prefix(line)
        ));
    }
    if let Some(part) = parts.iter().find(|part| part.contains('*'))
        && line.contains(' ')
    {
        return Some(format!(
            "\"{part}\" has two readings: a product is written as one number, and a weight that is repeated is written as often as it occurs"
        ));
    }
    let (first, groups) = parts.split_first()?;
    let are_groups = line.contains([',', ' '])
        && is_digit_group(first)
        && !first.starts_with('0')
        && groups.iter().all(|part| part.len() == 3 && is_digits(part));
    let has_zero = groups.iter().any(|part| part.starts_with('0'));
    (are_groups && (has_zero || first.len() < 3)).then(|| {
        format!(
            "\"{line}\" has two readings: the number is written {}, and weights with colons between them, {}",
            parts.concat(),
            parts.join(":")
        )
    })
}
