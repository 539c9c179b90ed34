//! A submission to the OEIS: the entry in internal format, and its b-file.
//!
//! [`draft`] brings an [`Entry`] and its terms into the form that the style sheet of the OEIS asks
//! for: about 260 characters of data, the offset with its second number, a title with a period,
//! `nonn` or `sign` by the terms, programs under their languages, examples. What the author still
//! has to add or mend (an example, a name, a keyword) is listed in [`Draft::notes`]; what no editor
//! could accept is a [`DraftError`].

use num_bigint::BigInt;
use num_traits::Signed;

use super::internal::{self, InternalEntry, Signs};
use super::{ANumber, Entry, bfile};

/// The length of the data, written as `1, 1, 2`, that the style sheet of the OEIS asks for.
pub const DATA_CHARACTERS: usize = 260;

/// What stands for the A-number of a sequence that has none yet.
pub const COMPANION: &str = "Axxxxxx";

/// The fewest terms that the OEIS takes.
pub const MIN_TERMS: usize = 4;

/// The keywords of the OEIS that an author may give; others, such as `new`, its editors set.
pub const KEYWORDS: [&str; 29] = [
    "base", "bref", "cofr", "cons", "core", "dead", "dumb", "dupe", "easy", "eigen", "fini",
    "frac", "full", "hard", "hear", "less", "look", "more", "mult", "nice", "nonn", "obsc", "sign",
    "tabf", "tabl", "uned", "unkn", "walk", "word",
];

/// Who submits, when, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The author's name as registered with the OEIS; empty leaves a place to fill in.
    pub author: String,
    /// The date as the OEIS writes it, such as `Nov 21 2026`; empty leaves a place to fill in.
    pub date: String,
    /// How many terms the b-file has at most; 10,000 unless set otherwise.
    pub b_file_terms: usize,
    /// Whether the entry says whose it is: its author, the link to the b-file, signed programs.
    pub signed: bool,
}

impl Default for Submission {
    fn default() -> Self {
        Submission {
            author: String::new(),
            date: String::new(),
            b_file_terms: 10_000,
            signed: true,
        }
    }
}

/// A submission, ready to be read once more and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The entry, line by line.
    pub entry: InternalEntry,
    /// The entry in internal format.
    pub text: String,
    /// The name of the b-file, such as `b136043.txt`.
    pub b_file_name: String,
    /// The terms of the b-file, the first of which has the index of the entry's offset.
    pub terms: Vec<BigInt>,
    /// What the author should still see to, a sentence each.
    pub notes: Vec<String>,
}

impl Draft {
    /// The b-file.
    pub fn b_file(&self) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail, and a b-file is ASCII.
        let _ = bfile::write(&mut text, &[], self.entry.offset.unwrap_or(0), &self.terms);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Why there is no draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// Fewer than [`MIN_TERMS`] terms.
    #[error("{0} has too few terms ({1}): the OEIS takes no sequence with fewer than {MIN_TERMS}.")]
    TooFewTerms(String, usize),
    /// A text holds something other than printable ASCII.
    #[error("The {1} of {0} holds {2:?}, and a submission is plain ASCII.")]
    NotAscii(String, &'static str, char),
    /// There is no title.
    #[error("{0} has no title.")]
    NoTitle(String),
    /// A date that the OEIS writes otherwise.
    #[error("{0:?} is not a date as the OEIS writes it: write it like Nov 21 2026.")]
    NotADate(String),
    /// A keyword that the OEIS does not have.
    #[error("{0:?} is not a keyword of the OEIS.")]
    UnknownKeyword(String),
}

/// Is this a date as the OEIS writes it, such as `Nov 21 2026`? An empty one may be filled in
/// later.
///
/// # Errors
/// [`DraftError::NotADate`] if it is not.
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

/// Drafts a submission of the sequence whose terms from `entry.offset` on `terms` yields.
///
/// At most `submission.b_file_terms` of `terms` are taken, and fewer if they grow beyond
/// the thousand digits that the OEIS wants a b-file to keep to.
///
/// # Errors
/// A [`DraftError`] if there are fewer than [`MIN_TERMS`] terms, no title, an unknown keyword, a
/// date in another form, or a character that is not ASCII.
pub fn draft(
    entry: &Entry,
    terms: impl IntoIterator<Item = BigInt>,
    submission: &Submission,
) -> Result<Draft, DraftError> {
    check_ascii(entry, submission)?;
    check_date(submission.date.trim())?;
    let limit = BigInt::from(10).pow(bfile::RECOMMENDED_DIGITS as u32);
    let mut source = terms.into_iter();
    let mut all: Vec<BigInt> = Vec::new();
    while all.len() < submission.b_file_terms.max(MIN_TERMS) {
        match source.next() {
            None => break,
            Some(term) if term.magnitude() >= limit.magnitude() && all.len() >= MIN_TERMS => break,
            Some(term) => all.push(term),
        }
    }
    if all.len() < MIN_TERMS {
        return Err(DraftError::TooFewTerms(entry.id.clone(), all.len()));
    }
    let shown = data_length(&all);
    let mut notes = Vec::new();
    let keywords = keywords(entry, &all, shown, &mut notes)?;
    let a = entry.number_or_none_yet();
    let author = match submission.author.trim() {
        "" => {
            notes.push("Put your name, as registered with the OEIS, in %A and %H.".to_owned());
            "_Your Name_".to_owned()
        }
        name => format!("_{name}_"),
    };
    let date = match submission.date.trim() {
        "" => "Mon DD YYYY",
        date => date,
    };
    let first = entry.offset;
    let last = i128::from(first) + all.len() as i128 - 1;
    let mut links = Vec::new();
    if submission.signed {
        links.push(format!(
            "{}, <a href=\"/{a}/{}\">Table of n, a(n) for n = {first}..{last}</a>",
            author.trim_matches('_'),
            a.b_file_name()
        ));
    }
    links.extend(entry.links.iter().cloned());
    let signature = format!("{author}, {date}");
    let mut comments = Vec::new();
    if !entry.definition.trim().is_empty() && entry.definition.trim() != entry.title.trim() {
        comments.push(sentence(&entry.definition));
    }
    comments.extend(entry.comments.iter().map(|text| sentence(text)));
    if entry.examples.is_empty() {
        notes.push("Add an example (%e): the working behind one term.".to_owned());
    }
    if entry.pari.is_none() && entry.python.is_none() {
        notes.push("Add a program (%o).".to_owned());
    }
    if a == ANumber::NONE_YET {
        notes.push("Replace A000000 by the number that the OEIS allocates.".to_owned());
    }
    let mut programs = Vec::new();
    for (language, remark, code) in [
        ("PARI", "\\\\", &entry.pari),
        ("Python", "#", &entry.python),
    ] {
        let Some(code) = code else { continue };
        programs.extend(program(language, code));
        if let (true, Some(last)) = (submission.signed, programs.last_mut()) {
            *last = format!("{last} {remark} {signature}");
        }
    }
    let filled = InternalEntry {
        a_number: Some(a),
        terms: all[..shown].to_vec(),
        title: title(entry)?,
        comments,
        references: entry.references.clone(),
        links,
        formulas: entry.formulas.iter().map(|text| sentence(text)).collect(),
        examples: entry
            .examples
            .iter()
            .map(|text| text.trim_end().to_owned())
            .collect(),
        programs,
        cross_references: cross_references(&entry.cross_references, a, &mut notes),
        keywords,
        offset: Some(first),
        second_offset: Some(internal::second_offset(&all[..shown])),
        authors: if submission.signed {
            vec![signature]
        } else {
            Vec::new()
        },
        ..InternalEntry::default()
    };
    // Writing to memory cannot fail, and what is written is ASCII, checked above.
    let mut text = Vec::new();
    let _ = internal::write(&mut text, &filled, Signs::InPlace);
    Ok(Draft {
        entry: filled,
        text: String::from_utf8_lossy(&text).into_owned(),
        b_file_name: a.b_file_name(),
        terms: all,
        notes,
    })
}

/// How many terms, at least [`MIN_TERMS`] if there are enough, fill [`DATA_CHARACTERS`] characters
/// when written as `1, 1, 2`.
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

fn title(entry: &Entry) -> Result<String, DraftError> {
    let title = entry.title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(DraftError::NoTitle(entry.id.clone()));
    }
    Ok(sentence(&title))
}

/// The text, ending in a period unless it ends in another mark that ends a sentence.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '?', '!', ':', ';']) || text.ends_with("(End)") {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A program as %o lines: one line after the name of its language, or the name on a line of its
/// own.
fn program(language: &str, code: &str) -> Vec<String> {
    let lines: Vec<&str> = code.trim_matches('\n').lines().map(str::trim_end).collect();
    match lines[..] {
        [] => Vec::new(),
        [only] => vec![format!("({language}) {only}")],
        _ => std::iter::once(format!("({language})"))
            .chain(lines.into_iter().map(str::to_owned))
            .collect(),
    }
}

/// A-numbers alone, sorted, in one `Cf.` line; sentences after it, as they are.
fn cross_references(given: &[String], own: ANumber, notes: &mut Vec<String>) -> Vec<String> {
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
    if numbers.is_empty() && sentences.is_empty() {
        notes.push("Add cross-references (%Y) to the nearest sequences.".to_owned());
    }
    if sentences.iter().any(|text| text.contains(COMPANION)) {
        notes.push(format!(
            "Submit the companion sequence too, and replace {COMPANION} in %Y by the number that the OEIS allocates to it."
        ));
    }
    let list: Vec<String> = numbers.iter().map(ANumber::to_string).collect();
    let mut lines = Vec::new();
    if !list.is_empty() {
        lines.push(format!("Cf. {}.", list.join(", ")));
    }
    lines.extend(sentences);
    lines
}

fn keywords(
    entry: &Entry,
    all: &[BigInt],
    shown: usize,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, DraftError> {
    let negative = all.iter().any(Signed::is_negative);
    let sign = if negative { "sign" } else { "nonn" };
    let mut keywords = vec![sign.to_owned()];
    for keyword in &entry.keywords {
        let keyword = keyword.trim();
        if !KEYWORDS.contains(&keyword) {
            return Err(DraftError::UnknownKeyword(keyword.to_owned()));
        }
        let other_sign = (keyword == "nonn" && negative) || (keyword == "sign" && !negative);
        if other_sign {
            notes.push(format!(
                "The terms are {sign}, so the keyword {keyword} was left out."
            ));
        } else if !keywords.iter().any(|known| known == keyword) {
            keywords.push(keyword.to_owned());
        }
    }
    let has = |keyword: &str, keywords: &[String]| keywords.iter().any(|known| known == keyword);
    if has("full", &keywords) && !has("fini", &keywords) {
        keywords.push("fini".to_owned());
    }
    if has("full", &keywords) && shown < all.len() {
        notes.push("The keyword full is for entries whose data are the whole sequence.".to_owned());
    }
    if has("easy", &keywords) && has("hard", &keywords) {
        notes.push("A sequence is easy or hard, not both: drop one keyword.".to_owned());
    }
    let characters = all[..shown]
        .iter()
        .map(|term| term.to_string().len() + 2)
        .sum::<usize>();
    let short = shown == all.len() && characters < DATA_CHARACTERS * 2 / 3;
    let finite = has("fini", &keywords);
    if short && !finite && !has("more", &keywords) {
        keywords.push("more".to_owned());
        notes.push("The data are short, so the keyword more was added.".to_owned());
    }
    if !short && has("more", &keywords) {
        notes.push("There are terms enough: the keyword more can go.".to_owned());
    }
    let texts = format!("{} {}", entry.title, entry.definition).to_lowercase();
    let digits = ["binary", "base-2", "base 2", "decimal", "digit", "ternary"];
    if digits.iter().any(|word| texts.contains(word)) && !has("base", &keywords) {
        notes.push(
            "If the terms depend on the digits in some base, add the keyword base.".to_owned(),
        );
    }
    let fraction = ["numerator", "denominator"];
    if fraction.iter().any(|word| texts.contains(word)) && !has("frac", &keywords) {
        keywords.push("frac".to_owned());
    }
    if has("frac", &keywords) {
        let other = ["numerators", "denominators"];
        let named = entry.cross_references.iter().chain(&entry.comments);
        let said = named
            .map(|text| text.to_lowercase())
            .any(|text| other.iter().any(|word| text.contains(word)));
        if !said {
            notes.push(
                "Numerators and denominators are two sequences: name the other one in %Y."
                    .to_owned(),
            );
        }
    }
    Ok(keywords)
}

fn check_ascii(entry: &Entry, submission: &Submission) -> Result<(), DraftError> {
    let one = std::slice::from_ref::<String>;
    let texts: [(&'static str, &[String]); 13] = [
        ("title", one(&entry.title)),
        ("definition", one(&entry.definition)),
        ("comments", &entry.comments),
        ("references", &entry.references),
        ("links", &entry.links),
        ("formulas", &entry.formulas),
        ("examples", &entry.examples),
        ("PARI program", entry.pari.as_slice()),
        ("Python program", entry.python.as_slice()),
        ("cross-references", &entry.cross_references),
        ("keywords", &entry.keywords),
        ("author", one(&submission.author)),
        ("date", one(&submission.date)),
    ];
    for (what, texts) in texts {
        let foreign = texts
            .iter()
            .flat_map(|text| text.chars())
            .find(|&c| c != '\n' && !(' '..='~').contains(&c));
        if let Some(character) = foreign {
            return Err(DraftError::NotAscii(entry.id.clone(), what, character));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares() -> Entry {
        Entry {
            definition: "The n-th square".to_owned(),
            formulas: vec!["a(n) = n^2".to_owned()],
            examples: vec!["a(3) = 3*3 = 9.".to_owned()],
            pari: Some("a(n) = n^2".to_owned()),
            python: Some("def a(n):\n    return n * n".to_owned()),
            cross_references: ["A000578", "A000027", "Partial sums are A000330"]
                .map(str::to_owned)
                .to_vec(),
            keywords: vec!["easy".to_owned()],
            ..Entry::new("squares", 0, "The squares: a(n) = n^2")
        }
    }

    fn values() -> impl Iterator<Item = BigInt> {
        (0..).map(|n: u64| BigInt::from(n * n))
    }

    #[test]
    fn a_draft_has_every_line_that_the_oeis_wants() {
        let submission = Submission {
            author: "Ann Other".to_owned(),
            date: "Nov 21 2026".to_owned(),
            b_file_terms: 1000,
            ..Submission::default()
        };
        let made = draft(&squares(), values(), &submission).unwrap();
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
        let read = internal::parse("d", made.text.as_bytes()).unwrap();
        assert_eq!(read, std::slice::from_ref(&made.entry));
        let b_file = bfile::check_strict("b", made.b_file().as_bytes()).unwrap();
        assert_eq!((b_file.first, b_file.terms.len()), (0, 1000));
        assert!(b_file.terms.starts_with(&made.entry.terms));
        let shown: Vec<String> = made.entry.terms.iter().map(BigInt::to_string).collect();
        let next = b_file.terms[shown.len()].to_string();
        let characters = shown.join(", ").len();
        assert!(characters <= 260 && characters + 2 + next.len() > 260);
    }

    #[test]
    fn keywords_follow_the_terms() {
        let submission = Submission::default();
        let with = |keywords: &[&str], terms: &mut dyn Iterator<Item = BigInt>| {
            let entry = Entry {
                keywords: keywords.iter().map(|&word| word.to_owned()).collect(),
                ..squares()
            };
            draft(&entry, terms, &submission).map(|made| made.entry.keywords.join(","))
        };
        let mut negative = values().map(|value| -value);
        assert_eq!(with(&["nonn", "easy"], &mut negative).unwrap(), "sign,easy");
        assert_eq!(with(&["sign"], &mut values()).unwrap(), "nonn");
        assert_eq!(
            with(&["easy"], &mut values().take(8)).unwrap(),
            "nonn,easy,more"
        );
        assert_eq!(
            with(&["full"], &mut values().take(8)).unwrap(),
            "nonn,full,fini"
        );
        assert_eq!(
            with(&["esay"], &mut values()),
            Err(DraftError::UnknownKeyword("esay".to_owned()))
        );
        assert_eq!(
            with(&[], &mut values().take(3)),
            Err(DraftError::TooFewTerms("squares".to_owned(), 3))
        );
    }

    #[test]
    fn an_unsigned_draft_names_nobody() {
        let unsigned = Submission {
            signed: false,
            ..Submission::default()
        };
        let made = draft(&squares(), values(), &unsigned).unwrap();
        assert!(made.entry.authors.is_empty() && made.entry.links.is_empty());
        assert!(!made.text.contains("Your Name"), "{}", made.text);
    }

    #[test]
    fn dates_are_those_of_the_oeis() {
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
    fn what_is_not_ascii_is_refused() {
        let mut entry = squares();
        entry.comments.push("M\u{f6}bius".to_owned());
        let error = draft(&entry, values(), &Submission::default()).unwrap_err();
        assert_eq!(
            error,
            DraftError::NotAscii("squares".to_owned(), "comments", '\u{f6}')
        );
        entry.comments.clear();
        entry.title = " ".to_owned();
        assert!(draft(&entry, values(), &Submission::default()).is_err());
    }

    #[test]
    fn huge_terms_end_the_b_file_but_not_the_draft() {
        let ten = BigInt::from(10);
        let powers = (0..).map(|n| ten.pow(n * 100));
        let made = draft(&squares(), powers, &Submission::default()).unwrap();
        assert_eq!(made.b_file().lines().count(), 10);
        assert_eq!(made.entry.terms.len(), 4);
    }
}
