//! Weights in the text of a file: lines, a table, or a Python dict.

use super::values::{Labels, MOST_WEIGHTS, Weights, WeightsError, integers, too_many};
use crate::task::Target;
use flipcost_number::Rational;
use flipcost_number::expression::parse_rational;

/// Letters of a text that an error repeats.
const SHOWN: usize = 40;

fn printable_prefix(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect()
}

/// See [`Weights::of_file`].
pub(crate) fn read(text: &str) -> Result<Weights, WeightsError> {
    // a dict is `{...}`, or in the brackets of a name: Die({...}), H({...})
    let before = text.split_once('{').map(|(before, _)| before.trim());
    let of_name = |before: &str| {
        let name = before.strip_suffix('(').unwrap_or(before);
        before.is_empty()
            || before.len() > name.len()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.".contains(c))
    };
    if before.is_some_and(of_name) {
        dict(text)
    } else {
        lines(text)
    }
}

fn number(text: &str, line: usize) -> Result<Rational, WeightsError> {
    parse_rational(text.trim()).map_err(|error| WeightsError::Line {
        line,
        what: error.to_string(),
    })
}

fn from_ratios(weights: Vec<Rational>, names: Vec<String>) -> Result<Weights, WeightsError> {
    Ok(Weights {
        target: Target::weighted(integers(weights)?)?,
        labels: if names.is_empty() {
            Labels::Faces
        } else {
            Labels::Names(names.into())
        },
    })
}

/// One weight a line, or the same number of fields in every line.
fn lines(text: &str) -> Result<Weights, WeightsError> {
    let all = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()));
    let mut all = all
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    let Some((_, first)) = all.peek() else {
        let what = "a weight was expected, but nothing is there".to_string();
        return Err(WeightsError::Line { line: 1, what });
    };
    let mark = ['\t', ';', ',']
        .into_iter()
        .find(|mark| first.contains(*mark));
    // One line of numbers is no table: the numbers are the weights.
    if text.lines().count() == 1 && mark != Some('\t') {
        let numbers = first.replace(';', ",");
        let is_list = |mark: char| numbers.contains(mark) && numbers.split(mark).all(is_number);
        if let Some(mark) = [',', ':'].into_iter().find(|mark| is_list(*mark)) {
            return numbers.replace(mark, ":").parse();
        }
    }
    let split = |line: &'_ str| -> Vec<String> {
        match mark {
            Some(mark) => fields(line, mark),
            None => vec![line.to_string()],
        }
    };
    let head = split(first);
    let columns = head.len();
    let mut weight = columns - 1;
    // A first line without a number in its last field names the columns; NaN is a number that is none.
    let is_name = |field: &str| {
        let number = field.trim_start_matches(['-', '+']).to_lowercase();
        field.contains(char::is_alphabetic)
            && !field.contains(|c: char| c.is_ascii_digit())
            && !["nan", "inf", "infinity", "e", "pi"].contains(&number.as_str())
    };
    if is_name(&head[weight]) || head.iter().any(|name| is_weight(name)) {
        weight = head
            .iter()
            .position(|name| is_weight(name))
            .unwrap_or(weight);
        all.next();
    }
    if all.peek().is_none() {
        let what = "a weight was expected below the names of columns".to_string();
        return Err(WeightsError::Line { line: 1, what });
    }
    let (mut weights, mut names) = (Vec::new(), Vec::new());
    for (line, text) in all {
        let fields = split(text);
        if fields.len() != columns {
            let what = format!(
                "{columns} fields as in the first line were expected, and there are {}",
                fields.len()
            );
            return Err(WeightsError::Line { line, what });
        }
        weights.push(number(&fields[weight], line)?);
        if columns > 1 {
            let name = if weight == 0 { columns - 1 } else { 0 };
            names.push(fields[name].trim().to_string());
        }
        if weights.len() > MOST_WEIGHTS {
            return Err(too_many());
        }
    }
    from_ratios(weights, names)
}

fn is_number(text: &str) -> bool {
    parse_rational(text.trim()).is_ok()
}

fn is_weight(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("weight")
}

/// The fields of a line; one in double quotes may hold the mark, and `""` for a quote.
fn fields(line: &str, mark: char) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            c if c == mark && !quoted => all.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    all.push(field);
    all
}

/// `{1: Fraction(1, 6), 2: 5}`, perhaps in `Die(...)` or `H(...)`: keys are the outcomes' names, as
/// they are written.
fn dict(text: &str) -> Result<Weights, WeightsError> {
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
    let (mut weights, mut names) = (Vec::new(), Vec::new());
    let (mut at, mut closed) = (begin, false);
    // up to `at`; counted once
    let mut lines = line(begin);
    while !closed {
        // one item, up to a comma or the brace outside of all brackets and quotes
        let (mut depth, mut quote, mut colon, mut end) = (0u32, None, None, None);
        let mut escaped = false;
        for (i, c) in text[at..].char_indices() {
            match (quote, c) {
                (Some(_), _) if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(open), c) if c == open => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']') => {
                    let less = depth.checked_sub(1);
                    depth = less.ok_or_else(|| {
                        refuse(at + i, "a bracket is closed that was not opened".into())
                    })?;
                }
                (None, '}') if depth > 0 => depth -= 1,
                (None, ':') if depth == 0 && colon.is_none() => colon = Some(at + i),
                (None, ',' | '}') if depth == 0 => {
                    end = Some(at + i);
                    closed = c == '}';
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else {
            return Err(refuse(text.len(), "the dict does not end with }".into()));
        };
        let item = &text[at..end];
        match colon {
            // a comma before the brace
            None if closed && item.trim().is_empty() => {}
            None => {
                let what = format!(
                    "an outcome, : and its weight were expected, not \"{}\"",
                    printable_prefix(item.trim())
                );
                return Err(refuse(at, what));
            }
            Some(colon) => {
                let key = text[at..colon].trim();
                let quoted = |mark: char| {
                    key.strip_prefix(mark)
                        .and_then(|key| key.strip_suffix(mark))
                };
                names.push(quoted('\'').or(quoted('"')).unwrap_or(key).to_string());
                let line = lines + text[at..colon].matches('\n').count();
                weights.push(value(text[colon + 1..end].trim(), line)?);
            }
        }
        lines += text[at..end].matches('\n').count();
        if weights.len() > MOST_WEIGHTS {
            return Err(too_many());
        }
        at = end + 1;
    }
    let rest = text[at..].trim();
    if rest != if wrapper.is_some() { ")" } else { "" } {
        return Err(refuse(
            at,
            format!(
                "nothing more was expected after the dict, not \"{}\"",
                printable_prefix(rest)
            ),
        ));
    }
    from_ratios(weights, names)
}

/// A whole number, a fraction p/q, or `Fraction(p, q)`.
fn value(text: &str, line: usize) -> Result<Rational, WeightsError> {
    let fraction = text.rsplit('.').next().unwrap_or(text); // fractions.Fraction(1, 6)
    let inner = fraction
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

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn read_all(text: &str) -> (String, Vec<String>) {
        let weights = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let outcomes = weights.target().iter().map(|(i, _)| weights.label(&i));
        (weights.target().to_string(), outcomes.collect())
    }

    #[test]
    fn lines_and_tables() {
        assert_eq!(read_all("# loaded\n1\n\n2\n1/2\n").0, "2:4:1");
        assert_eq!(read_all("weight\n3\n1\n").0, "3:1");
        let (target, names) = read_all("face;p\none;0.25\n\"two; or more\";0.75\n");
        assert_eq!(
            (target.as_str(), names[1].as_str()),
            ("1:3", "two; or more")
        );
        assert_eq!(
            read_all("weight,name\n3,a\n1,b\n"),
            ("3:1".into(), vec!["a".into(), "b".into()])
        );
        assert_eq!(read_all("a\t1\nb\t2\n").1, ["a", "b"]);
    }

    /// As icepool 1.x and dyce 0.6 print a d6's parts.
    #[test]
    fn dicts() {
        let (target, names) = read_all("{1: Fraction(1, 6), 2: Fraction(5, 6)}");
        assert_eq!(
            (target.as_str(), names.as_slice()),
            ("1:5", &["1".to_string(), "2".to_string()][..])
        );
        assert_eq!(read_all("H({-1: 1, 0: 2,\n 1: 1,})").1, ["-1", "0", "1"]);
        assert_eq!(
            read_all("Die({'a, b': 1, (1, 2): 3})").1,
            ["a, b", "(1, 2)"]
        );
        assert_eq!(
            read_all("{0: fractions.Fraction(1, 2), 1: Fraction(3)}").0,
            "1:6"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line) in [
            ("", 1),
            ("\n#\n", 1),
            ("1\n2\nx\n", 3),
            ("a,1\nb\n", 2),
            ("{1: 1, 2}", 1),
            ("{1: 1,\n2: 0.5}", 2),
            ("{1: 1", 1),
            ("{1: Fraction(1, 0)}", 1),
            ("{1: 1}}", 1),
            ("x = 3; {1: 1}", 1),
            ("{1: 1)}", 1),
            ("-1\n2", 1),
        ] {
            match read(text) {
                Err(WeightsError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read("{}").is_err() && read("0\n0\n").is_err());
    }

    #[test]
    fn many_weights_are_read() {
        let text: String = (1..=100_000u32).map(|i| format!("{i}\n")).collect();
        let target = read(&text).unwrap().target().clone();
        assert_eq!(target.weight_sum(), &BigUint::from(5_000_050_000u64));
    }
}
