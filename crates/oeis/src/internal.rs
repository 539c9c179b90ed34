//! The internal format of the OEIS, used in `.seq` files and in answers with `fmt=text`.
//!
//! Every line is `%X A123456 text`, where X is the kind of text: %I identification, %S %T %U the
//! terms, %N title, %C comments, %D references, %H links, %F formulas, %e examples, %p Maple, %t
//! Mathematica, %o other programs, %Y cross-references, %K keywords, %O offset, %A author, %E
//! extensions. The lines %S and %T have at most 80 columns; %U has the rest.
//!
//! Today %S %T %U contain the terms with their signs. Entries printed before 2011 have the absolute
//! values there and the signed terms in %V %W %X. Both forms are parsed.

use std::collections::HashMap;

use num_bigint::BigInt;

use super::text::{self, comma_separated, quote_excerpt};
use super::{ANumber, OeisFileError};

/// The terms of an entry in internal format, with their offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalEntry {
    /// The A-number.
    pub a_number: ANumber,
    /// The index of the first term, the first number of %O; `None` if the entry does not say.
    pub offset: Option<i64>,
    /// The terms of %S %T %U, or of %V %W %X if the entry has these lines.
    pub terms: Vec<BigInt>,
}

const EXPECTED_FORMAT: &str =
    "a line in internal format is %, a letter, an A-number and a text, such as \"%O A136043 1,5\"";

/// Returns the second number of %O: the position, counted from 1, of the first term whose absolute
/// value is above 1; or 1 if there is no such term.
pub(crate) fn second_offset(terms: &[BigInt]) -> u64 {
    terms
        .iter()
        .position(|term| term.magnitude().bits() > 1)
        .map_or(1, |position| position as u64 + 1)
}

/// Parses every entry of a text in internal format; `file` is its name in error messages.
///
/// Skips comments (`#`) and empty lines. Before the first entry, also skips the lines `Search: ...`
/// and `Showing ...` of an answer of the OEIS.
///
/// # Errors
/// If a line does not have this format, or its terms or offset are not numbers; then the error
/// names the first such line. Also if the text has no entry, or if the signed terms of an entry do
/// not have the absolute values of its unsigned terms.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<InternalEntry>, OeisFileError> {
    let mut entries: Vec<Data> = Vec::new();
    let mut known: HashMap<ANumber, usize> = HashMap::new();
    for line in text::lines(file, bytes)? {
        let refuse =
            |wrong: String| OeisFileError::at_line(file, line.number, wrong, EXPECTED_FORMAT);
        let content = line.text.trim_end();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let Some(rest) = content.strip_prefix('%') else {
            if entries.is_empty() && !content.starts_with('<') {
                continue;
            }
            return Err(refuse(format!(
                "{} does not begin with %",
                quote_excerpt(content)
            )));
        };
        let mut letters = rest.chars();
        let kind = letters.next().unwrap_or(' ');
        let Some(rest) = letters.as_str().strip_prefix(' ') else {
            return Err(refuse(format!(
                "{} has no letter followed by a blank after %",
                quote_excerpt(content)
            )));
        };
        let (number, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let a_number = ANumber::from_bytes(number.as_bytes())
            .ok_or_else(|| refuse(format!("{} is not an A-number", quote_excerpt(number))))?;
        let index = *known.entry(a_number).or_insert_with(|| {
            entries.push(Data::of(a_number));
            entries.len() - 1
        });
        entries[index]
            .add_line(kind, text, line.number)
            .map_err(refuse)?;
    }
    if entries.is_empty() {
        return Err(OeisFileError::whole_file(
            file,
            "it holds no entry in internal format",
            EXPECTED_FORMAT,
        ));
    }
    entries.into_iter().map(|data| data.finish(file)).collect()
}

/// The lines of an entry that contain its terms and its offset.
struct Data {
    a_number: ANumber,
    offset: Option<i64>,
    unsigned: Vec<BigInt>,
    signed: Vec<BigInt>,
    last_line: u64,
}

impl Data {
    fn of(a_number: ANumber) -> Data {
        Data {
            a_number,
            offset: None,
            unsigned: Vec::new(),
            signed: Vec::new(),
            last_line: 0,
        }
    }

    fn add_line(&mut self, kind: char, text: &str, line: u64) -> Result<(), String> {
        match kind {
            'S' | 'T' | 'U' => {
                self.unsigned.extend(comma_separated(text)?);
                self.last_line = line;
            }
            'V' | 'W' | 'X' => {
                self.signed.extend(comma_separated(text)?);
                self.last_line = line;
            }
            'O' => {
                let first = text
                    .split(',')
                    .next()
                    .and_then(|first| first.trim().parse().ok());
                let first = first.ok_or_else(|| {
                    format!("{} is not an offset such as 1,5", quote_excerpt(text))
                })?;
                self.offset = Some(first);
            }
            kind if "INCDHFeptoYKAE".contains(kind) => {}
            _ => return Err(format!("%{kind} is not a kind of line")),
        }
        Ok(())
    }

    fn finish(self, file: &str) -> Result<InternalEntry, OeisFileError> {
        let magnitudes = |terms: &[BigInt]| {
            terms
                .iter()
                .map(|term| term.magnitude().clone())
                .collect::<Vec<_>>()
        };
        let (unsigned, signed) = (self.unsigned, self.signed);
        if !signed.is_empty()
            && !unsigned.is_empty()
            && magnitudes(&unsigned) != magnitudes(&signed)
        {
            return Err(OeisFileError::at_line(
                file,
                self.last_line,
                "the terms of %V %W %X are not those of %S %T %U with signs",
                "both must have the same absolute values",
            ));
        }
        Ok(InternalEntry {
            a_number: self.a_number,
            offset: self.offset,
            terms: if signed.is_empty() { unsigned } else { signed },
        })
    }
}

/// The largest length of the lines %S and %T, in columns.
const MAX_LINE_COLUMNS: usize = 80;

/// Splits terms into the three data lines, without their tags. The first two lines are as long as
/// 80 columns allow, including `tag` columns for the tag. The third line has the remaining terms.
pub(crate) fn data_lines(terms: &[BigInt], tag: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (position, term) in terms.iter().enumerate() {
        let mut word = term.to_string();
        if position + 1 < terms.len() {
            word.push(',');
        }
        let room_for_another = lines.len() < 3;
        match lines.last_mut() {
            Some(here)
                if here.is_empty()
                    || !room_for_another
                    || tag + here.len() + word.len() <= MAX_LINE_COLUMNS =>
            {
                here.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
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
        // The start of A008683, with signs, which fills exactly 80 columns.
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
    fn both_ways_of_writing_signs_are_parsed() {
        let entry = &parse("e", OLD.as_bytes()).unwrap()[0];
        assert_eq!(entry.terms, big(&[1, -2, 3]));
        let wrong = OLD.replace("1,-2", "1,-4");
        assert!(parse("e", wrong.as_bytes()).is_err());
    }

    #[test]
    fn an_answer_of_the_oeis_is_parsed() {
        let page = "# Greetings\n\nSearch: id:a000001\nShowing 1-1 of 1\n\n%I A000001 #7\r\n\
                    %S A000001 0,1,1,2\r\n%N A000001 Groups.\r\n%K A000001 nonn,core\r\n\
                    %O A000001 0,4\r\n%A A000001 _N. J. A. Sloane_\r\n\r\n# Content is available\n";
        let entry = &parse("e", page.as_bytes()).unwrap()[0];
        assert_eq!(entry.terms, big(&[0, 1, 1, 2]));
        assert_eq!(entry.offset, Some(0));
        // A reserved number has no terms and no offset.
        let reserved = parse("e", b"%I A397217 #1\n%S A397217 \n%N A397217 allocated\n").unwrap();
        assert_eq!((reserved[0].terms.len(), reserved[0].offset), (0, None));
    }

    #[test]
    fn an_error_names_the_line() {
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
