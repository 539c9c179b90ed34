//! The internal format of the OEIS, as in a `.seq` file or an answer with `fmt=text`.
//!
//! Every line is `%X A123456 text`, where X says what the text is: %I identification, %S %T %U the
//! terms, %N title, %C comments, %D references, %H links, %F formulas, %e examples, %p Maple, %t
//! Mathematica, %o other programs, %Y cross-references, %K keywords, %O offset, %A author, %E
//! extensions. The lines %S and %T are at most 80 columns long, %U takes what is left.
//!
//! Today %S %T %U hold the terms with their signs. Entries printed before 2011 have the absolute
//! values there and the signed terms in %V %W %X: both are read, and [`Signs`] says which is
//! written.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::io::{self, Write};

use num_bigint::BigInt;
use num_traits::Signed;

use super::text::{self, comma_separated, quoted};
use super::{ANumber, LineError, OeisFileError};

/// How negative terms are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signs {
    /// With their signs in %S %T %U, as the OEIS does today.
    #[default]
    InPlace,
    /// Absolute values in %S %T %U and signed terms in %V %W %X, as the OEIS did until 2010.
    Separate,
}

/// An entry in internal format: every line of it, in order within its kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InternalEntry {
    /// The A-number; `None` only in a default value.
    pub a_number: Option<ANumber>,
    /// What follows the A-number in %I: M- and N-numbers, revision and date.
    pub identification: String,
    /// The terms of %S %T %U, or of %V %W %X where there are any.
    pub terms: Vec<BigInt>,
    /// The title, %N.
    pub title: String,
    /// Comments, %C.
    pub comments: Vec<String>,
    /// References, %D.
    pub references: Vec<String>,
    /// Links, %H.
    pub links: Vec<String>,
    /// Formulas, %F.
    pub formulas: Vec<String>,
    /// Examples, %e.
    pub examples: Vec<String>,
    /// Maple programs, %p.
    pub maple: Vec<String>,
    /// Mathematica programs, %t.
    pub mathematica: Vec<String>,
    /// Programs in other languages, %o.
    pub programs: Vec<String>,
    /// Cross-references, %Y.
    pub cross_references: Vec<String>,
    /// Keywords, %K.
    pub keywords: Vec<String>,
    /// The index of the first term, the first number of %O; `None` if the entry does not say.
    pub offset: Option<i64>,
    /// The second number of %O: the position, counted from 1, of the first term of absolute value
    /// above 1, or 1 if there is none.
    pub second_offset: Option<u64>,
    /// Authors, %A.
    pub authors: Vec<String>,
    /// Extensions and errata, %E.
    pub extensions: Vec<String>,
}

const RIGHT: &str =
    "a line in internal format is %, a letter, an A-number and a text, such as \"%O A136043 1,5\"";

/// The second number of %O: the position, counted from 1, of the first term of absolute value above
/// 1, or 1 if there is none.
pub fn second_offset<T: Borrow<BigInt>>(terms: &[T]) -> u64 {
    terms
        .iter()
        .position(|term| term.borrow().magnitude().bits() > 1)
        .map_or(1, |position| position as u64 + 1)
}

/// Reads every entry of a text in internal format; `file` is its name in error messages.
///
/// Comments (`#`), empty lines and, before the first entry, the lines `Search: ...` and
/// `Showing ...` of an answer of the OEIS are passed over.
///
/// # Errors
/// An [`OeisFileError`] that names the first line that is not of this format, or whose terms or offset are
/// not numbers; or if there is no entry, or signed terms are not the unsigned ones with signs.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<InternalEntry>, OeisFileError> {
    let mut entries: Vec<(InternalEntry, Data)> = Vec::new();
    let mut known: HashMap<ANumber, usize> = HashMap::new();
    for line in text::lines(file, bytes)? {
        let refuse = |wrong: String| OeisFileError::at_line(file, line.number, wrong, RIGHT);
        let content = line.text.trim_end();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let Some(rest) = content.strip_prefix('%') else {
            if entries.is_empty() && !content.starts_with('<') {
                continue;
            }
            return Err(refuse(format!("{} does not begin with %", quoted(content))));
        };
        let mut letters = rest.chars();
        let kind = letters.next().unwrap_or(' ');
        let Some(rest) = letters.as_str().strip_prefix(' ') else {
            return Err(refuse(format!(
                "{} has no letter and blank after %",
                quoted(content)
            )));
        };
        let (number, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let a_number = ANumber::from_bytes(number.as_bytes())
            .ok_or_else(|| refuse(format!("{} is not an A-number", quoted(number))))?;
        let index = *known.entry(a_number).or_insert_with(|| {
            let entry = InternalEntry {
                a_number: Some(a_number),
                ..InternalEntry::default()
            };
            entries.push((entry, Data::default()));
            entries.len() - 1
        });
        let (entry, data) = &mut entries[index];
        add_line(entry, data, kind, text, line.number).map_err(|wrong| refuse(wrong.into()))?;
    }
    if entries.is_empty() {
        return Err(OeisFileError::whole_file(
            file,
            "it holds no entry in internal format",
            RIGHT,
        ));
    }
    entries
        .into_iter()
        .map(|(entry, data)| finish(file, entry, data))
        .collect()
}

#[derive(Default)]
struct Data {
    unsigned: Vec<BigInt>,
    signed: Vec<BigInt>,
    last_line: u64,
}

fn add_line(
    entry: &mut InternalEntry,
    data: &mut Data,
    kind: char,
    text: &str,
    line: u64,
) -> Result<(), LineError> {
    let owned = || text.to_owned();
    match kind {
        'I' => entry.identification = text.trim().to_owned(),
        'S' | 'T' | 'U' => {
            data.unsigned.extend(comma_separated(text)?);
            data.last_line = line;
        }
        'V' | 'W' | 'X' => {
            data.signed.extend(comma_separated(text)?);
            data.last_line = line;
        }
        'N' => entry.title = text.trim().to_owned(),
        'C' => entry.comments.push(owned()),
        'D' => entry.references.push(owned()),
        'H' => entry.links.push(owned()),
        'F' => entry.formulas.push(owned()),
        'e' => entry.examples.push(owned()),
        'p' => entry.maple.push(owned()),
        't' => entry.mathematica.push(owned()),
        'o' => entry.programs.push(owned()),
        'Y' => entry.cross_references.push(owned()),
        'A' => entry.authors.push(owned()),
        'E' => entry.extensions.push(owned()),
        'K' => entry.keywords.extend(
            text.split(',')
                .map(|word| word.trim().to_owned())
                .filter(|word| !word.is_empty()),
        ),
        'O' => {
            let (first, second) = match text.split_once(',') {
                Some((first, second)) => (first.trim(), Some(second.trim())),
                None => (text.trim(), None),
            };
            let not_offset = || format!("{} is not an offset such as 1,5", quoted(text));
            entry.offset = Some(first.parse().map_err(|_| not_offset())?);
            entry.second_offset = match second {
                Some(second) => Some(second.parse().map_err(|_| not_offset())?),
                None => None,
            };
        }
        _ => return Err(format!("%{kind} is not a kind of line").into()),
    }
    Ok(())
}

fn finish(
    file: &str,
    mut entry: InternalEntry,
    data: Data,
) -> Result<InternalEntry, OeisFileError> {
    if data.signed.is_empty() {
        entry.terms = data.unsigned;
        return Ok(entry);
    }
    let agree = data.unsigned.is_empty()
        || (data.unsigned.len() == data.signed.len()
            && data
                .unsigned
                .iter()
                .zip(&data.signed)
                .all(|(plain, signed)| plain.magnitude() == signed.magnitude()));
    if !agree {
        return Err(OeisFileError::at_line(
            file,
            data.last_line,
            "the terms of %V %W %X are not those of %S %T %U with signs",
            "both must have the same absolute values",
        ));
    }
    entry.terms = data.signed;
    Ok(entry)
}

/// The longest of the lines %S and %T (and %V and %W), in columns.
const COLUMNS: usize = 80;

/// Cuts terms into the three data lines, without the tag: the first two as long as 80 columns with
/// their tag of `tag` columns allow, the third takes what is left.
fn data_lines<T: Borrow<BigInt>>(terms: &[T], tag: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (position, term) in terms.iter().enumerate() {
        let mut word = term.borrow().to_string();
        if position + 1 < terms.len() {
            word.push(',');
        }
        let room_for_another = lines.len() < 3;
        match lines.last_mut() {
            Some(here)
                if here.is_empty()
                    || !room_for_another
                    || tag + here.len() + word.len() <= COLUMNS =>
            {
                here.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Writes an entry, lines in the order in which the OEIS has them.
///
/// A line break inside a text starts another line of the same kind.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut impl Write, entry: &InternalEntry, signs: Signs) -> io::Result<()> {
    let a = entry.a_number.unwrap_or(ANumber::NONE_YET);
    let identification = format!("%I {a} {}", entry.identification);
    writeln!(out, "{}", identification.trim_end())?;
    let tag = format!("%S {a} ").len();
    let separate = signs == Signs::Separate && entry.terms.iter().any(Signed::is_negative);
    let first = if separate {
        let absolute: Vec<BigInt> = entry.terms.iter().map(Signed::abs).collect();
        data_lines(&absolute, tag)
    } else {
        data_lines(&entry.terms, tag)
    };
    for (kind, line) in "STU".chars().zip(first) {
        writeln!(out, "%{kind} {a} {line}")?;
    }
    if separate {
        for (kind, line) in "VWX".chars().zip(data_lines(&entry.terms, tag)) {
            writeln!(out, "%{kind} {a} {line}")?;
        }
    }
    writeln!(out, "%N {a} {}", entry.title.replace(['\n', '\r'], " "))?;
    let kinds = [
        ('C', &entry.comments),
        ('D', &entry.references),
        ('H', &entry.links),
        ('F', &entry.formulas),
        ('e', &entry.examples),
        ('p', &entry.maple),
        ('t', &entry.mathematica),
        ('o', &entry.programs),
        ('Y', &entry.cross_references),
    ];
    for (kind, texts) in kinds {
        for line in texts.iter().flat_map(|text| text.lines()) {
            writeln!(out, "{}", format!("%{kind} {a} {line}").trim_end())?;
        }
    }
    if !entry.keywords.is_empty() {
        writeln!(out, "%K {a} {}", entry.keywords.join(","))?;
    }
    if let Some(offset) = entry.offset {
        match entry.second_offset {
            Some(second) => writeln!(out, "%O {a} {offset},{second}")?,
            None => writeln!(out, "%O {a} {offset}")?,
        }
    }
    for (kind, texts) in [('A', &entry.authors), ('E', &entry.extensions)] {
        for line in texts.iter().flat_map(|text| text.lines()) {
            writeln!(out, "{}", format!("%{kind} {a} {line}").trim_end())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(values: &[i64]) -> Vec<BigInt> {
        values.iter().map(|&value| value.into()).collect()
    }

    #[test]
    fn data_lines_break_where_the_oeis_breaks_them() {
        // A136043 as the OEIS prints it.
        let entry = super::super::published::find("A136043".parse().unwrap()).unwrap();
        let lines = data_lines(&entry.terms, 11);
        assert_eq!(
            lines,
            [
                "1,1,1,1,2,1,1,1,3,2,5,1,6,1,1,1,4,3,9,2,2,5,4,1,10,6,9,1,14,1,1,1,5,",
                "4,5,3,18,9,4,2,10,2,7,5,5,4,9,1,10,10,2,6,26,9,8,1,9,14,29,1,30,1,1,",
                "1,6,5,33,4,11,5,14,3,3,18,9,9,15,4,17,2,27,10,41,2,2,7,11,5,4,5,4,4,3,9,14",
            ]
        );
        assert_eq!(second_offset(&entry.terms), 5);
        // The start of A008683, with signs: 80 columns to the dot.
        let moebius = big(&[
            1, -1, -1, 0, -1, 1, -1, 0, 0, 1, -1, 0, -1, 1, 1, 0, -1, 0, -1, 0, 1, 1, -1, 0, 0, 1,
            0, 0, -1, -1, -1, 0, 1, 1, 1, 0, -1,
        ]);
        let lines = data_lines(&moebius, 11);
        assert_eq!(
            lines[0],
            "1,-1,-1,0,-1,1,-1,0,0,1,-1,0,-1,1,1,0,-1,0,-1,0,1,1,-1,0,0,1,0,0,-1,"
        );
        assert_eq!(second_offset(&moebius), 1);
    }

    const OLD: &str = "%I A000001 M0001\n%S A000001 1,2,\n%T A000001 3\n%V A000001 1,-2,\n\
                       %W A000001 3\n%N A000001 Old.\n%K A000001 sign\n%O A000001 0,2\n";

    #[test]
    fn both_ways_of_writing_signs_are_read() {
        let entry = &parse("e", OLD.as_bytes()).unwrap()[0];
        assert_eq!(entry.terms, big(&[1, -2, 3]));
        for signs in [Signs::InPlace, Signs::Separate] {
            let mut out = Vec::new();
            write(&mut out, entry, signs).unwrap();
            assert_eq!(parse("e", &out).unwrap()[0], *entry);
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text.contains("%V"), signs == Signs::Separate);
        }
        let wrong = OLD.replace("1,-2", "1,-4");
        assert!(parse("e", wrong.as_bytes()).is_err());
    }

    #[test]
    fn an_answer_of_the_oeis_is_read() {
        let page = "# Greetings\n\nSearch: id:a000001\nShowing 1-1 of 1\n\n%I A000001 #7\r\n\
                    %S A000001 0,1,1,2\r\n%N A000001 Groups.\r\n%K A000001 nonn,core\r\n\
                    %O A000001 0,4\r\n%A A000001 _N. J. A. Sloane_\r\n\r\n# Content is available\n";
        let entry = &parse("e", page.as_bytes()).unwrap()[0];
        assert_eq!(entry.terms, big(&[0, 1, 1, 2]));
        assert_eq!((entry.offset, entry.second_offset), (Some(0), Some(4)));
        assert_eq!(entry.keywords, ["nonn", "core"]);
        // A reserved number has no terms and no offset.
        let reserved = parse("e", b"%I A397217 #1\n%S A397217 \n%N A397217 allocated\n").unwrap();
        assert_eq!((reserved[0].terms.len(), reserved[0].offset), (0, None));
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, line) in [
            ("%I A000001\nrubbish\n", Some(2)),
            ("%I A000001\n%Z A000001 x\n", Some(2)),
            ("%I A1\n", Some(1)),
            ("%S A000001 1,,2\n", Some(1)),
            ("%S A000001 1,2\n%O A000001 x,1\n", Some(2)),
            ("%\n", Some(1)),
            ("%\u{e9}\n", Some(1)),
            ("# nothing\nNo results.\n", None),
            ("<html>\n", None),
        ] {
            let refusal = parse("e", text.as_bytes()).unwrap_err();
            if text.starts_with('<') {
                continue;
            }
            assert_eq!(refusal.line, line, "{text:?}");
        }
    }
}
