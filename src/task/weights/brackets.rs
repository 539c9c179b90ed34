//! Parses weights in brackets: JSON, and the output of Python programs.

use super::lines::printable_prefix;
use super::table::{FileTable, from_ratios, number, numbers};
use super::values::{MAX_WEIGHTS, Weights, WeightsError, too_many_weights};
use flipcost_number::Rational;

/// Parses `{1: Fraction(1, 6), 2: 5}`, perhaps in `Die(...)` or `H(...)`: the keys are the names of
/// the outcomes. If one value of a JSON object is a list or an object and the others are texts,
/// `read` parses that value, and the column with it.
pub(super) fn parse_dict(
    text: &str,
    column: Option<&str>,
    read: fn(&str, Option<&str>) -> Result<Weights, WeightsError>,
) -> Result<Weights, WeightsError> {
    let line = |byte: usize| 1 + text[..byte].matches('\n').count();
    let refuse = |byte: usize, what: String| WeightsError::Line {
        line: line(byte),
        what,
    };
    let begin = text.find('{').expect("asked before") + 1;
    let name = text[..begin - 1].trim();
    let wrapper = name.strip_suffix('(');
    let known = wrapper.unwrap_or(name).trim();
    if !known
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    {
        return Err(refuse(
            0,
            format!(
                "a Python dict such as {{1: Fraction(1, 6)}} was expected, not \"{}\"",
                printable_prefix(name)
            ),
        ));
    }
    let (items, end) = split_items(text, begin, '}')?;
    let rest = text[end..].trim();
    if rest != if wrapper.is_some() { ")" } else { "" } {
        return Err(refuse(
            end,
            format!(
                "nothing more was expected after the dict, not \"{}\"",
                printable_prefix(rest)
            ),
        ));
    }
    let is_rolls = |item: &&FileItem| {
        let word = strip_quotes(item.key.unwrap_or_default()).to_lowercase();
        let first = item.value.strip_prefix('[').map(str::trim_start);
        ["roll", "throw", "result"]
            .iter()
            .any(|name| word.starts_with(name))
            && first.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
    };
    if let Some(rolls) = items.iter().find(is_rolls) {
        let what = format!(
            "{} lists rolls, which a test of a die takes: weights stand in a list called \"weights\"",
            rolls.key.unwrap_or_default()
        );
        return Err(WeightsError::Line {
            line: rolls.line,
            what,
        });
    }
    match (only_nested_value(&items), column) {
        (Some(inner), column) => read(&inner, column),
        (None, None) => weights_from_pairs(&items),
        (None, Some(column)) => Err(WeightsError::Column(format!(
            "no column is called \"{}\": the file has names and their weights, and needs no column",
            printable_prefix(column)
        ))),
    }
}

/// If one value of a JSON object is a list or an object and the others are texts, returns the text
/// of that value, after as many line breaks as come before it, so that errors name the right line.
fn only_nested_value(items: &[FileItem<'_>]) -> Option<String> {
    let is_json = |item: &FileItem| item.key.is_some_and(|key| key.starts_with('"'));
    let mut inner = items
        .iter()
        .filter(|item| item.value.starts_with(['{', '[']));
    let (only, None) = (inner.next()?, inner.next()) else {
        return None;
    };
    let is_text = |item: &FileItem| item.value.starts_with(['"', '{', '[']);
    let is_alone = items.iter().all(|item| is_json(item) && is_text(item));
    is_alone.then(|| "\n".repeat(only.line - 1) + only.value)
}

/// An item between two commas of a list: its line number, the part before its first colon, if there
/// is one, and its value.
struct FileItem<'a> {
    line: usize,
    key: Option<&'a str>,
    value: &'a str,
}

/// Returns the items up to the closing bracket `close`, and the position after it; commas inside
/// inner brackets and quotes do not separate items.
fn split_items(
    text: &str,
    begin: usize,
    close: char,
) -> Result<(Vec<FileItem<'_>>, usize), WeightsError> {
    let (mut all, mut at, mut line) = (Vec::new(), begin, 1 + text[..begin].matches('\n').count());
    loop {
        let (mut depth, mut quote, mut colon, mut end) = (0u32, None, None, None);
        let mut escaped = false;
        for (i, c) in text[at..].char_indices() {
            match (quote, c) {
                (Some(_), _) if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, c) if depth == 0 && (c == ',' || c == close) => {
                    end = Some((at + i, c == close));
                    break;
                }
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => {
                    depth = depth.checked_sub(1).ok_or_else(|| WeightsError::Line {
                        line: line + text[at..at + i].matches('\n').count(),
                        what: "a bracket is closed that was not opened".into(),
                    })?;
                }
                (None, ':') if depth == 0 && colon.is_none() => colon = Some(at + i),
                _ => {}
            }
        }
        let Some((end, closed)) = end else {
            let line = 1 + text.matches('\n').count();
            let what = match close {
                '}' => "the dict does not end with }".to_string(),
                _ => format!("the list does not end with {close}"),
            };
            return Err(WeightsError::Line { line, what });
        };
        let key = colon.map(|colon| text[at..colon].trim());
        let value = text[colon.map_or(at, |colon| colon + 1)..end].trim();
        // A comma before the closing bracket is allowed.
        if !(closed && key.is_none() && value.is_empty()) {
            let before = text[at..end].len() - text[at..end].trim_start().len();
            let line = line + text[at..at + before].matches('\n').count();
            all.push(FileItem { line, key, value });
        }
        if all.len() > MAX_WEIGHTS {
            return Err(too_many_weights());
        }
        line += text[at..end].matches('\n').count();
        at = end + 1;
        if closed {
            return Ok((all, at));
        }
    }
}

/// Removes the quotes around a text.
fn strip_quotes(text: &str) -> &str {
    let inner = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    inner('\'').or(inner('"')).unwrap_or(text)
}

/// The outcomes of a dict with their weights. If all names are in double quotes, the text is JSON,
/// where decimals mean exactly what is written.
fn weights_from_pairs(items: &[FileItem<'_>]) -> Result<Weights, WeightsError> {
    let is_json = items
        .iter()
        .all(|item| item.key.is_some_and(|key| key.starts_with('"')));
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for FileItem { line, key, value } in items {
        let Some(key) = key else {
            let what = format!(
                "an outcome, : and its weight were expected, not \"{}\"",
                printable_prefix(value)
            );
            return Err(WeightsError::Line { line: *line, what });
        };
        let fields = [key, value].map(|text| strip_quotes(text).to_string());
        rows.push((*line, fields.into()));
    }
    let table = FileTable {
        names: Vec::new(),
        columns: 2,
        rows,
    };
    if is_json && !table.rows.is_empty() {
        return table.weights(None);
    }
    // In a Python dict, 1 and '1' are two different keys, so the names keep their quotes.
    let fractions = items
        .iter()
        .map(|item| parse_fraction(item.value, item.line));
    let weights = fractions.collect::<Result<Vec<_>, _>>()?;
    let names = table
        .rows
        .into_iter()
        .map(|(_, mut row)| row.swap_remove(0));
    from_ratios(weights, names.collect())
}

/// Parses a JSON list. Its items are numbers, lists with a name and a weight, or objects, which are
/// the rows of a table.
pub(super) fn parse_json_list(text: &str, column: Option<&str>) -> Result<Weights, WeightsError> {
    let begin = text.find('[').expect("it begins the text") + 1;
    let (all, end) = split_items(text, begin, ']')?;
    let rest = text[end..].trim();
    if !rest.is_empty() {
        let what = format!(
            "\"{}\" stands after a list in brackets: a list alone, [60, 30, 10], or a name and its weight, as in sword 5, was expected",
            printable_prefix(rest)
        );
        return Err(WeightsError::Line {
            line: 1 + text[..end].matches('\n').count(),
            what,
        });
    }
    let Some(first) = all.first() else {
        let what = "a weight was expected, but the list is empty".to_string();
        return Err(WeightsError::Line { line: 1, what });
    };
    let open = first.value.chars().next().filter(|c| "[{".contains(*c));
    let Some(open) = open.filter(|_| first.key.is_none()) else {
        let texts = all.iter().map(|item| (item.line, strip_quotes(item.value)));
        return from_ratios(numbers(texts)?, Vec::new());
    };
    let close = if open == '[' { ']' } else { '}' };
    let (mut names, mut rows): (Vec<String>, Vec<(usize, Vec<String>)>) = Default::default();
    for FileItem { line, value, .. } in &all {
        let parts = if value.starts_with(open) {
            split_items(value, 1, close)?.0
        } else {
            Vec::new()
        };
        let keys: Vec<String> = parts
            .iter()
            .filter_map(|part| part.key)
            .map(|key| strip_quotes(key).to_string())
            .collect();
        if rows.is_empty() {
            names = keys.clone();
        }
        if keys != names
            || parts.is_empty()
            || rows
                .first()
                .is_some_and(|(_, row)| row.len() != parts.len())
        {
            let what = format!(
                "the same fields as in the first item were expected, not \"{}\"",
                printable_prefix(value)
            );
            return Err(WeightsError::Line { line: *line, what });
        }
        rows.push((
            *line,
            parts
                .iter()
                .map(|part| strip_quotes(part.value).to_string())
                .collect(),
        ));
    }
    let columns = rows[0].1.len();
    FileTable {
        names,
        columns,
        rows,
    }
    .weights(column)
}

/// Parses a whole number, a fraction p/q, or `Fraction(p, q)`.
fn parse_fraction(text: &str, line: usize) -> Result<Rational, WeightsError> {
    let name = text.rsplit('.').next().unwrap_or(text); // fractions.Fraction(1, 6)
    let inner = name
        .strip_prefix("Fraction(")
        .and_then(|text| text.strip_suffix(')'));
    match inner.map(|inner| inner.split_once(',').unwrap_or((inner, "1"))) {
        Some((p, q)) => {
            let (p, q) = (number(p, line)?, number(q, line)?);
            if q == Rational::from_integer(0.into()) {
                Err(WeightsError::Line {
                    line,
                    what: format!("\"{}\" has the denominator 0", printable_prefix(text)),
                })
            } else {
                Ok(p / q)
            }
        }
        None if text.contains(['.', 'e', 'E']) => Err(WeightsError::Line {
            line,
            what: format!(
                "\"{}\" is a float, which is not what it looks like: a whole number or Fraction(p, q) was expected (doubles:0.1,0.9 takes floats as they are)",
                printable_prefix(text)
            ),
        }),
        None => number(text, line),
    }
}
