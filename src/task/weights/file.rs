//! Weights in the text of a file: numbers, a table, JSON, or a Python dict.

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

/// See [`Weights::of_file`] and [`Weights::of_column`].
pub(crate) fn read(text: &str, column: Option<&str>) -> Result<Weights, WeightsError> {
    // what spreadsheets write before the first line
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        return array(text, column);
    }
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
        return dict(text);
    }
    // One line of numbers is no table: the numbers are the weights.
    let mut lines = data_lines(text);
    if let (Some((_, line)), None, None) = (lines.next(), lines.next(), column) {
        let list = |mark: char| -> Vec<&str> { line.split(mark).collect() };
        let marks = ['\t', ';', ',', ':', ' '].map(list);
        let mut lists = marks.into_iter().filter(|all| all.len() > 1);
        if let Some(numbers) = lists.find(|all| all.iter().all(|text| is_number(text))) {
            let weights = numbers.into_iter().map(|text| number(text, 1));
            return from_ratios(weights.collect::<Result<_, _>>()?, Vec::new());
        }
    }
    FileTable::of_lines(text, column)?.weights(column)
}

/// The fields of a column of a table in the text of a file, each with its line: of this name or number, else the only one.
///
/// # Errors
/// [`WeightsError::Column`] of a table without this column, or if it is not plain which is meant.
pub fn column_of_text(
    text: &str,
    column: Option<&str>,
) -> Result<Vec<(usize, String)>, WeightsError> {
    let table = FileTable::of_lines(text, column)?;
    let place = table.place(column)?;
    let fields = table.rows.into_iter();
    Ok(fields
        .map(|(line, mut fields)| (line, fields.swap_remove(place)))
        .collect())
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

/// The lines that hold something, with their numbers.
fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.lines().zip(1..).map(|(line, i)| (i, line.trim()));
    all.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Lines with the same number of fields, perhaps below the names of the columns.
struct FileTable {
    names: Vec<String>,
    columns: usize,
    rows: Vec<(usize, Vec<String>)>,
}

impl FileTable {
    fn of_lines(text: &str, column: Option<&str>) -> Result<FileTable, WeightsError> {
        let mut all = data_lines(text).peekable();
        let Some((_, first)) = all.peek() else {
            let what = "a weight was expected, but nothing is there".to_string();
            return Err(WeightsError::Line { line: 1, what });
        };
        let mark = ['\t', ';', ',']
            .into_iter()
            .find(|mark| first.contains(*mark));
        let split = |line: &str| -> Vec<String> {
            match mark {
                Some(mark) => fields(line, mark),
                None => vec![line.to_string()],
            }
        };
        let head: Vec<String> = split(first)
            .iter()
            .map(|name| name.trim().to_string())
            .collect();
        let columns = head.len();
        // NaN is a number that is none
        let is_name = |field: &String| {
            let number = field.trim_start_matches(['-', '+']).to_lowercase();
            field.contains(char::is_alphabetic)
                && !is_number(field)
                && !["nan", "inf", "infinity", "e", "pi"].contains(&number.as_str())
        };
        let is_column = |name: &String| column.is_some_and(|column| is_same(name, column));
        let has_names = head.iter().any(|name| is_weight(name) || is_column(name))
            || head.iter().all(|field| field.is_empty() || is_name(field))
                && !head[columns - 1].contains(|c: char| c.is_ascii_digit());
        let names = if has_names {
            all.next();
            head
        } else {
            Vec::new()
        };
        if all.peek().is_none() {
            let what = "a weight was expected below the names of columns".to_string();
            return Err(WeightsError::Line { line: 1, what });
        }
        let mut rows = Vec::new();
        for (line, text) in all {
            let fields = split(text);
            if fields.len() != columns {
                let what = format!(
                    "{columns} fields as in the first line were expected, and there are {}",
                    fields.len()
                );
                return Err(WeightsError::Line { line, what });
            }
            rows.push((line, fields));
            if rows.len() > MOST_WEIGHTS {
                return Err(too_many());
            }
        }
        Ok(FileTable {
            names,
            columns,
            rows,
        })
    }

    /// The column of this name or number, else the one of the weights; what is not plain is not guessed.
    fn place(&self, column: Option<&str>) -> Result<usize, WeightsError> {
        let wrong = |what: String| {
            let shown: Vec<String> = self
                .names
                .iter()
                .map(|name| printable_prefix(name))
                .collect();
            let there = if shown.is_empty() {
                format!("the columns 1 to {}", self.columns)
            } else {
                format!("the columns {}", shown.join(", "))
            };
            let example = shown.last().cloned().unwrap_or(self.columns.to_string());
            let what = format!(
                "{what}: the file has {there}, and the one that is meant stands behind the file's name, as in @loot.csv:{example}"
            );
            Err(WeightsError::Column(what))
        };
        let place = |column: &str| self.names.iter().position(|name| is_same(name, column));
        match column {
            Some(column) => {
                let number = column.trim().parse().ok();
                let number = number.filter(|number| (1..=self.columns).contains(number));
                match place(column).or(number.map(|number| number - 1)) {
                    Some(place) => Ok(place),
                    None => wrong(format!(
                        "no column is called \"{}\"",
                        printable_prefix(column)
                    )),
                }
            }
            None if self.columns == 1 => Ok(0),
            None => match place("weight") {
                Some(place) => Ok(place),
                None if self.names.is_empty() && self.columns == 2 => Ok(1),
                None => wrong("which column is meant is not plain".to_string()),
            },
        }
    }

    /// The weights of one column, and as names of the outcomes the first of the others.
    fn weights(self, column: Option<&str>) -> Result<Weights, WeightsError> {
        let place = self.place(column)?;
        let mut names = Vec::new();
        let mut weights = Vec::new();
        for (line, fields) in self.rows {
            weights.push(number(&fields[place], line)?);
            if self.columns > 1 {
                names.push(fields[usize::from(place == 0)].trim().to_string());
            }
        }
        from_ratios(weights, names)
    }
}

fn is_number(text: &str) -> bool {
    parse_rational(text.trim()).is_ok()
}

fn is_same(name: &str, column: &str) -> bool {
    name.trim().eq_ignore_ascii_case(column.trim())
}

fn is_weight(name: &str) -> bool {
    is_same(name, "weight")
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
    let (items, end) = items(text, begin, '}')?;
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
    pairs(&items)
}

/// What stands between two commas of a list, with its line, and the part before its first colon.
struct FileItem<'a> {
    line: usize,
    key: Option<&'a str>,
    value: &'a str,
}

/// The items up to this closing bracket, outside of all brackets and quotes, and where what follows begins.
fn items(
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
        // a comma may stand before the bracket
        if !(closed && key.is_none() && value.is_empty()) {
            let before = text[at..end].len() - text[at..end].trim_start().len();
            let line = line + text[at..at + before].matches('\n').count();
            all.push(FileItem { line, key, value });
        }
        if all.len() > MOST_WEIGHTS {
            return Err(too_many());
        }
        line += text[at..end].matches('\n').count();
        at = end + 1;
        if closed {
            return Ok((all, at));
        }
    }
}

/// Without quotes around it.
fn unquoted(text: &str) -> &str {
    let inner = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    inner('\'').or(inner('"')).unwrap_or(text)
}

/// The outcomes of a dict with their weights. Where all names stand in double quotes it is JSON, whose decimals are meant as
/// they are written.
fn pairs(items: &[FileItem<'_>]) -> Result<Weights, WeightsError> {
    let is_json = items
        .iter()
        .all(|item| item.key.is_some_and(|key| key.starts_with('"')));
    let (mut weights, mut names) = (Vec::new(), Vec::new());
    for FileItem { line, key, value } in items {
        let Some(key) = key else {
            let what = format!(
                "an outcome, : and its weight were expected, not \"{}\"",
                printable_prefix(value)
            );
            return Err(WeightsError::Line { line: *line, what });
        };
        names.push(unquoted(key).to_string());
        weights.push(if is_json {
            number(unquoted(value), *line)?
        } else {
            fraction(value, *line)?
        });
    }
    from_ratios(weights, names)
}

/// A list of JSON: of numbers, of lists with a name and a weight, or of objects, which are a table.
fn array(text: &str, column: Option<&str>) -> Result<Weights, WeightsError> {
    let begin = text.find('[').expect("it begins the text") + 1;
    let (all, end) = items(text, begin, ']')?;
    let rest = text[end..].trim();
    if !rest.is_empty() {
        let what = format!(
            "nothing more was expected after the list, not \"{}\"",
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
        let weights = all
            .iter()
            .map(|item| number(unquoted(item.value), item.line));
        return from_ratios(weights.collect::<Result<_, _>>()?, Vec::new());
    };
    let close = if open == '[' { ']' } else { '}' };
    let (mut names, mut rows): (Vec<String>, Vec<(usize, Vec<String>)>) = Default::default();
    for FileItem { line, value, .. } in &all {
        let parts = match value.starts_with(open) {
            true => items(value, 1, close)?.0,
            false => Vec::new(),
        };
        let keys: Vec<String> = parts
            .iter()
            .filter_map(|part| part.key)
            .map(|key| unquoted(key).to_string())
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
                .map(|part| unquoted(part.value).to_string())
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

/// A whole number, a fraction p/q, or `Fraction(p, q)`.
fn fraction(text: &str, line: usize) -> Result<Rational, WeightsError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn read_all(text: &str) -> (String, Vec<String>) {
        let weights = read(text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let outcomes = weights.target().iter().map(|(i, _)| weights.label(&i));
        (weights.target().to_string(), outcomes.collect())
    }

    #[test]
    fn lines_and_tables() {
        assert_eq!(read_all("# loaded\n1\n\n2\n1/2\n").0, "2:4:1");
        assert_eq!(read_all("weight\n3\n1\n").0, "3:1");
        let (target, names) = read_all("face;weight\none;0.25\n\"two; or more\";0.75\n");
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

    /// One line of numbers is a list of weights, whatever stands between them.
    #[test]
    fn one_line_of_numbers() {
        for text in [
            "60\t30\t10\n",
            "60;30;10",
            "60,30,10",
            "60:30:10",
            "60 30 10",
            "# loot\n60\t30\t10\n\n",
            "[60, 30, 10]",
        ] {
            assert_eq!(
                read_all(text),
                ("6:3:1".into(), ["1", "2", "3"].map(String::from).to_vec()),
                "{text}"
            );
        }
        assert_eq!(read_all("60%\t40%").0, "3:2");
    }

    /// Which column holds the weights is never guessed.
    #[test]
    fn columns_are_named() {
        let loot = "item,count,price\nsword,60,5\naxe,30,7\nring,10,900\n";
        let columns = |text: &str, column: &str| {
            let weights = read(text, Some(column)).unwrap();
            (weights.target().to_string(), weights.label(&0u8.into()))
        };
        for column in ["count", "Count", "2"] {
            assert_eq!(columns(loot, column), ("6:3:1".into(), "sword".into()));
        }
        assert_eq!(columns(loot, "price"), ("5:7:900".into(), "sword".into()));
        assert_eq!(
            columns("count,item\n6,a\n3,b\n", "count"),
            ("2:1".into(), "a".into())
        );
        assert_eq!(columns("a,x,6\nb,y,3\n", "3"), ("2:1".into(), "a".into()));
        let rows = "[{\"item\": \"a\", \"count\": 6}, {\"item\": \"b\", \"count\": 3}]";
        assert_eq!(columns(rows, "count"), ("2:1".into(), "a".into()));
        for (text, column, why) in [
            (
                loot,
                None,
                "columns item, count, price, and the one that is meant stands behind the file's name, as in @loot.csv:price",
            ),
            (
                "item,count\na,1\nb,2\n",
                None,
                "which column is meant is not plain",
            ),
            ("a,x,6\nb,y,3\n", None, "columns 1 to 3"),
            (rows, None, "columns item, count"),
            (loot, Some("weights"), "no column is called \"weights\""),
            (loot, Some("4"), "no column is called \"4\""),
        ] {
            let error = read(text, column).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(read_all("item,weight,price\na,1,9\nb,2,1\n").0, "1:2");
        let totals = column_of_text("die,total\nx,7\ny,11\n", Some("total")).unwrap();
        assert_eq!(totals, [(2, "7".to_string()), (3, "11".to_string())]);
    }

    #[test]
    fn json() {
        let names = || ["red", "blue"].map(String::from).to_vec();
        for text in [
            "{\"red\": 0.75, \"blue\": 0.25}",
            "{\"red\": \"75%\", \"blue\": \"25%\"}",
            "[[\"red\", 3], [\"blue\", 1]]",
            "[\n {\"name\": \"red\", \"weight\": 3},\n {\"name\": \"blue\", \"weight\": 1}\n]\n",
        ] {
            assert_eq!(read_all(text), ("3:1".into(), names()), "{text}");
        }
        assert_eq!(read_all("[0.5, 0.25, 0.25]").0, "2:1:1");
        for (text, line) in [
            ("[1, 2", 1),
            ("[]", 1),
            ("[1,\n2] 3", 2),
            ("[{\"a\": 1},\n{\"b\": 1}]", 2),
            ("[[1, 2],\n3]", 2),
            ("[1,\n\"x\"]", 2),
        ] {
            match read(text, None) {
                Err(WeightsError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
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
            match read(text, None) {
                Err(WeightsError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read("{}", None).is_err() && read("0\n0\n", None).is_err());
    }

    #[test]
    fn many_weights_are_read() {
        let text: String = (1..=100_000u32).map(|i| format!("{i}\n")).collect();
        let target = read(&text, None).unwrap().target().clone();
        assert_eq!(target.weight_sum(), &BigUint::from(5_000_050_000u64));
    }
}
