//! Writes a submission to the OEIS: the entry in internal format, and its b-file.
//!
//! [`draft`] writes an [`Entry`] and its terms as the style sheet of the OEIS requires: about 260
//! characters of data, the offset with its second number, a title with a period, the keyword `nonn`
//! or `sign` as the terms require, each program under its language, and examples.

use num_bigint::BigInt;
use num_traits::Signed;
use std::fmt::Write;

use super::internal::{data_lines, second_offset};
use super::{ANumber, Entry};

/// The number of characters of data, written as `1, 1, 2`, that the style sheet of the OEIS asks
/// for.
pub const DATA_CHARACTERS: usize = 260;

/// Stands for the A-number of a related sequence that has no number yet.
const UNNUMBERED_SEQUENCE: &str = "Axxxxxx";

/// The smallest number of terms that the OEIS accepts.
const MIN_TERMS: usize = 4;

/// The largest number of decimal digits of a term of a b-file that the OEIS allows.
const TERM_DIGITS: u32 = 1000;

/// The author and the date of a submission, as they appear in its author line, in the link to the
/// b-file and in the programs.
#[derive(Debug, Clone, Default)]
pub struct Signature {
    /// The author's name, as registered with the OEIS; if it is empty, the draft has a place to
    /// fill in.
    pub author: String,
    /// The date as the OEIS writes it, for example `Nov 21 2026`; if it is empty, the draft has a
    /// place to fill in.
    pub date: String,
}

/// A draft of a submission, which the author reads once more before sending it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The entry in internal format.
    pub text: String,
    /// The terms of the b-file, the first of which has the index of the entry's offset.
    pub terms: Vec<BigInt>,
    /// The tasks that are left to the author, one sentence for each.
    pub notes: Vec<String>,
}

/// The reason why a draft could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// There are fewer terms than the OEIS accepts.
    #[error("{0} has too few terms ({1}): the OEIS takes no sequence with fewer than {MIN_TERMS}.")]
    TooFewTerms(String, usize),
    /// The author's name contains a character that is not printable ASCII.
    #[error("the author's name holds {0:?}, and a submission is plain ASCII.")]
    NotAscii(char),
    /// The date is not in the form of the OEIS.
    #[error("{0:?} is not a date as the OEIS writes it: write it like Nov 21 2026.")]
    NotADate(String),
}

/// Checks that a date has the form of the OEIS, for example `Nov 21 2026`. It may be empty, to be
/// filled in later.
///
/// # Errors
/// [`DraftError::NotADate`] if the text is not such a date.
pub fn check_date(date: &str) -> Result<(), DraftError> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let good = match date.split(' ').collect::<Vec<_>>()[..] {
        [""] => true,
        [month, day, year] => {
            let number = |text: &str, digits: usize| {
                let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
                plain.then(|| text.parse::<u32>().ok()).flatten()
            };
            MONTHS.contains(&month)
                && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
                && number(year, 4).is_some()
        }
        _ => false,
    };
    if good {
        Ok(())
    } else {
        Err(DraftError::NotADate(date.to_owned()))
    }
}

/// Drafts a submission of a sequence. `terms` yields its terms from `entry.offset` on. Without a
/// signature the entry does not name its author.
///
/// The b-file ends before the first term that has more than a thousand digits, the limit of the
/// OEIS.
///
/// # Errors
/// A [`DraftError`] if there are too few terms, or a character of the author's name is not ASCII.
pub fn draft(
    entry: &Entry,
    terms: impl IntoIterator<Item = BigInt>,
    signature: Option<&Signature>,
) -> Result<Draft, DraftError> {
    let limit = BigInt::from(10).pow(TERM_DIGITS);
    let mut all: Vec<BigInt> = Vec::new();
    for term in terms {
        if term.magnitude() >= limit.magnitude() && all.len() >= MIN_TERMS {
            break;
        }
        all.push(term);
    }
    if all.len() < MIN_TERMS {
        return Err(DraftError::TooFewTerms(entry.id.clone(), all.len()));
    }
    let (a, first) = (entry.number_or_none_yet(), entry.offset);
    let mut notes = Vec::new();
    let mut link = None;
    let mut signed = None;
    if let Some(signature) = signature {
        let author = match signature.author.trim() {
            "" => {
                notes.push("Put your name, as registered with the OEIS, in %A and %H.".to_owned());
                "Your Name"
            }
            name => name,
        };
        if let Some(foreign) = author.chars().find(|c| !(' '..='~').contains(c)) {
            return Err(DraftError::NotAscii(foreign));
        }
        let date = match signature.date.trim() {
            "" => "Mon DD YYYY",
            date => date,
        };
        let last = i128::from(first) + all.len() as i128 - 1;
        link = Some(format!(
            "{author}, <a href=\"/{a}/{}\">Table of n, a(n) for n = {first}..{last}</a>",
            a.b_file_name()
        ));
        signed = Some(format!("_{author}_, {date}"));
    }
    if a == ANumber::NONE_YET {
        let mut see = entry.cross_references.iter();
        let companion = if see.any(|text| text.contains(UNNUMBERED_SEQUENCE)) {
            format!(", and {UNNUMBERED_SEQUENCE} by that of the companion sequence")
        } else {
            String::new()
        };
        notes.push(format!(
            "Replace A000000 by the number that the OEIS allocates{companion}."
        ));
    }
    Ok(Draft {
        text: internal_format(entry, &all, link, signed.as_deref()),
        terms: all,
        notes,
    })
}

/// Writes the entry in internal format. `link` is the link to the b-file of all terms, and `signed`
/// names the author.
fn internal_format(
    entry: &Entry,
    terms: &[BigInt],
    link: Option<String>,
    signed: Option<&str>,
) -> String {
    let a = entry.number_or_none_yet();
    let shown = &terms[..data_length(terms)];
    let mut text = String::new();
    let mut put = |kind: char, line: &str| {
        let line = format!("%{kind} {a} {line}");
        writeln!(text, "{}", line.trim_end()).expect("memory takes every byte");
    };
    put('I', "");
    for (kind, line) in "STU"
        .chars()
        .zip(data_lines(shown, "%S ".len() + a.to_string().len() + 1))
    {
        put(kind, &line);
    }
    put('N', &sentence(&entry.title));
    if entry.definition.trim() != entry.title.trim() {
        put('C', &sentence(&entry.definition));
    }
    let sentences = |texts: &[String]| texts.iter().map(|text| sentence(text)).collect::<Vec<_>>();
    let links = link.into_iter().chain(entry.links.iter().cloned());
    let kinds = [
        ('C', sentences(&entry.comments)),
        ('D', entry.references.clone()),
        ('H', links.collect()),
        ('F', sentences(&entry.formulas)),
        ('e', entry.examples.clone()),
        ('o', program("PARI", "\\\\", &entry.pari, signed)),
        ('o', program("Python", "#", &entry.python, signed)),
        ('Y', cross_references(&entry.cross_references, a)),
        ('K', vec![keywords(entry, terms, shown)]),
        (
            'O',
            vec![format!("{},{}", entry.offset, second_offset(shown))],
        ),
        ('A', signed.map(str::to_owned).into_iter().collect()),
    ];
    for (kind, texts) in kinds {
        for line in texts.iter().flat_map(|text| text.lines()) {
            put(kind, line);
        }
    }
    text
}

/// Returns how many terms fill [`DATA_CHARACTERS`] characters when they are written as `1, 1, 2`;
/// at least four if there are that many.
pub fn data_length(terms: &[BigInt]) -> usize {
    let mut characters = 0;
    let mut count = 0;
    for term in terms {
        characters += term.to_string().len() + if count > 0 { 2 } else { 0 };
        if characters > DATA_CHARACTERS && count >= MIN_TERMS {
            break;
        }
        count += 1;
    }
    count
}

/// Returns the text with a period at its end, unless it ends in another mark that ends a sentence.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '?', '!', ':', ';']) || text.ends_with("(End)") {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// Returns a program as %o lines. A program of one line stands on the same line as the name of its
/// language; for a longer program, the name has its own line. A remark at the end of the last line
/// names the author.
fn program(
    language: &str,
    remark: &str,
    code: &Option<String>,
    signed: Option<&str>,
) -> Vec<String> {
    let code = code.as_deref().unwrap_or_default();
    let lines: Vec<&str> = code.trim_matches('\n').lines().map(str::trim_end).collect();
    let mut program = match lines[..] {
        [] => return Vec::new(),
        [only] => vec![format!("({language}) {only}")],
        _ => std::iter::once(format!("({language})"))
            .chain(lines.into_iter().map(str::to_owned))
            .collect(),
    };
    if let (Some(signed), Some(last)) = (signed, program.last_mut()) {
        *last = format!("{last} {remark} {signed}");
    }
    program
}

/// Returns the cross-references: one `Cf.` line of all bare A-numbers, sorted, and then the
/// sentences, unchanged.
fn cross_references(given: &[String], own: ANumber) -> Vec<String> {
    let mut numbers: Vec<ANumber> = Vec::new();
    let mut sentences = Vec::new();
    for text in given {
        match text.trim().parse::<ANumber>() {
            Ok(number) if number == own => {}
            Ok(number) => numbers.push(number),
            Err(_) => sentences.push(sentence(text)),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let list: Vec<String> = numbers.iter().map(ANumber::to_string).collect();
    let mut lines = Vec::new();
    if !list.is_empty() {
        lines.push(format!("Cf. {}.", list.join(", ")));
    }
    lines.extend(sentences);
    lines
}

/// Returns the entry's keywords after `nonn` or `sign`, with `more` if only few terms are shown.
fn keywords(entry: &Entry, all: &[BigInt], shown: &[BigInt]) -> String {
    let negative = all.iter().any(Signed::is_negative);
    let mut keywords = vec![if negative { "sign" } else { "nonn" }];
    keywords.extend(entry.keywords.iter().map(String::as_str));
    let characters = shown.iter().map(|term| term.to_string().len() + 2);
    let short = shown.len() == all.len() && characters.sum::<usize>() < DATA_CHARACTERS * 2 / 3;
    if short && !keywords.contains(&"more") {
        keywords.push("more");
    }
    keywords.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal;

    fn squares() -> Entry {
        Entry {
            id: "squares".to_owned(),
            a_number: None,
            offset: 0,
            title: "The squares: a(n) = n^2".to_owned(),
            definition: "The n-th square".to_owned(),
            comments: Vec::new(),
            references: Vec::new(),
            links: Vec::new(),
            formulas: vec!["a(n) = n^2".to_owned()],
            examples: vec!["a(3) = 3*3 = 9.".to_owned()],
            pari: Some("a(n) = n^2".to_owned()),
            python: Some("def a(n):\n    return n * n".to_owned()),
            cross_references: ["A000578", "A000027", "Partial sums are A000330"]
                .map(str::to_owned)
                .to_vec(),
            keywords: vec!["easy".to_owned()],
        }
    }

    fn values(count: u64) -> impl Iterator<Item = BigInt> {
        (0..count).map(|n: u64| BigInt::from(n * n))
    }

    #[test]
    fn a_draft_has_every_line_that_the_oeis_asks_for() {
        let signature = Signature {
            author: "Ann Other".to_owned(),
            date: "Nov 21 2026".to_owned(),
        };
        let made = draft(&squares(), values(1000), Some(&signature)).unwrap();
        assert_eq!(
            made.notes,
            ["Replace A000000 by the number that the OEIS allocates."]
        );
        let lines: Vec<&str> = made.text.lines().collect();
        assert_eq!(lines[0], "%I A000000");
        let after_data: Vec<&str> = lines[4..].iter().map(|line| &line[11..]).collect();
        assert_eq!(
            after_data,
            [
                "The squares: a(n) = n^2.",
                "The n-th square.",
                "Ann Other, <a href=\"/A000000/b000000.txt\">Table of n, a(n) for n = 0..999</a>",
                "a(n) = n^2.",
                "a(3) = 3*3 = 9.",
                "(PARI) a(n) = n^2 \\\\ _Ann Other_, Nov 21 2026",
                "(Python)",
                "def a(n):",
                "    return n * n # _Ann Other_, Nov 21 2026",
                "Cf. A000027, A000578.",
                "Partial sums are A000330.",
                "nonn,easy",
                "0,3",
                "_Ann Other_, Nov 21 2026",
            ]
        );
        assert!(lines[1..3].iter().all(|line| line.len() <= 80));
        let read = &internal::parse("d", made.text.as_bytes()).unwrap()[0];
        assert_eq!(read.offset, Some(0));
        assert_eq!(made.terms.len(), 1000);
        assert!(made.terms.starts_with(&read.terms));
        let shown: Vec<String> = read.terms.iter().map(BigInt::to_string).collect();
        let next = made.terms[shown.len()].to_string();
        let characters = shown.join(", ").len();
        assert!(characters <= 260 && characters + 2 + next.len() > 260);
    }

    #[test]
    fn keywords_follow_the_terms() {
        let with = |keyword: &str, terms: &mut dyn Iterator<Item = BigInt>| {
            let entry = Entry {
                keywords: vec![keyword.to_owned()],
                ..squares()
            };
            let made = draft(&entry, terms, None).unwrap();
            let line = made.text.lines().find(|line| line.starts_with("%K"));
            line.unwrap()[11..].to_owned()
        };
        let mut negative = values(99).map(|value| -value);
        assert_eq!(with("easy", &mut negative), "sign,easy");
        assert_eq!(with("easy", &mut values(8)), "nonn,easy,more");
        assert_eq!(with("more", &mut values(8)), "nonn,more");
        assert_eq!(
            draft(&squares(), values(3), None),
            Err(DraftError::TooFewTerms("squares".to_owned(), 3))
        );
    }

    #[test]
    fn an_unsigned_draft_names_no_author() {
        let made = draft(&squares(), values(99), None).unwrap();
        assert!(!made.text.contains("%A") && !made.text.contains("%H"));
        assert!(!made.text.contains("Your Name"), "{}", made.text);
    }

    #[test]
    fn dates_have_the_form_of_the_oeis() {
        for good in ["", "Nov 21 2026", "Jan 01 2027"] {
            assert_eq!(check_date(good), Ok(()), "{good}");
        }
        for bad in [
            "tomorrow",
            "21 Nov 2026",
            "Nov 1 2026",
            "Nov 32 2026",
            "Nov 21 26",
            "Nov  21 2026",
            "November 21 2026",
        ] {
            let wrong = Err(DraftError::NotADate(bad.to_owned()));
            assert_eq!(check_date(bad), wrong, "{bad}");
        }
    }

    #[test]
    fn a_name_that_is_not_ascii_is_refused() {
        let signature = Signature {
            author: "M\u{f6}bius".to_owned(),
            ..Signature::default()
        };
        let refused = draft(&squares(), values(99), Some(&signature));
        assert_eq!(refused, Err(DraftError::NotAscii('\u{f6}')));
    }

    #[test]
    fn huge_terms_end_the_b_file_but_not_the_draft() {
        let ten = BigInt::from(10);
        let powers = (0..).map(|n| ten.pow(n * 100));
        let made = draft(&squares(), powers, None).unwrap();
        assert_eq!(made.terms.len(), 10);
        let read = &internal::parse("d", made.text.as_bytes()).unwrap()[0];
        assert_eq!(read.terms.len(), 4);
    }
}
