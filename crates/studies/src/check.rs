//! A claim of a study, and the one question that decides it.
//!
//! ```toml
//! [[check]]
//! claim = "a d6 takes 4 flips by rejection"
//! published = "4"
//! that = "cost(6, algorithm: rejection).expected = 4"
//! ```
//!
//! The verdict is in words ([`ClaimStatus`]): a claim that is loose or false says `verdict =
//! "corrected"` and asks its corrected form, beside what was `published`; one of which no
//! publication is known says `verdict = "computed"`; a claim that has no true form `verdict = "not
//! reproduced"`. A run goes wrong only where the verdict is not the one that the study states.
//! `source` says where the claim stands, `mark` how it was read there ([`ClaimOrigin`]).
//!
//! The keys of the questions are those of [`checks`](super::checks). With `for = "n in 1..1000"` a
//! statement is decided for all n of a range; with `at = [2, 4]` it is to hold for these of them
//! alone.

use super::case::Case;
use super::checks::CheckQuestion;
use super::decide::CheckResult;
use super::error::{Mistake, Packed, StudyError, one_of};
use super::limits::LETTERS;
use super::place::{SpannedError, SpannedValue};
use super::range::RangeOfN;
use super::reference::embedded_text;
use super::schema::{PlainKey, keys};
use super::tagged::known_key;
use super::values::{FromText, Line, read_from_text};
use serde::de::Error;
use std::path::Path;

/// A claim, and the question that decides it.
pub struct Check {
    /// What is claimed.
    pub claim: String,
    /// What was published, in the form of the publication.
    pub published: String,
    stated: Stated,
    range: Option<RangeOfN>,
    at: Option<Vec<u64>>,
    question: CheckQuestion,
}

/// What a check states beside its claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stated {
    outcome: ClaimStatus,
    source: Option<String>,
    mark: Option<ClaimOrigin>,
}

/// What becomes of a published claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimStatus {
    /// It holds as it was published.
    #[default]
    Reproduced,
    /// It is loose or false as it was published, and holds in its corrected form.
    Corrected,
    /// It holds, and no publication of it is known.
    Computed,
    /// It does not hold.
    NotReproduced,
}

impl ClaimStatus {
    /// All of them.
    pub const ALL: [ClaimStatus; 4] = [
        ClaimStatus::Reproduced,
        ClaimStatus::Corrected,
        ClaimStatus::Computed,
        ClaimStatus::NotReproduced,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            ClaimStatus::Reproduced => "reproduced",
            ClaimStatus::Corrected => "corrected",
            ClaimStatus::Computed => "computed",
            ClaimStatus::NotReproduced => "not reproduced",
        }
    }
}

impl FromText for ClaimStatus {
    const WHAT: &'static str = "a verdict";

    fn choices() -> Option<String> {
        Some(ClaimStatus::ALL.map(ClaimStatus::words).join(", "))
    }

    fn read(text: &str) -> Result<Self, Mistake> {
        let named = ClaimStatus::ALL.into_iter().find(|one| one.words() == text);
        named.ok_or_else(|| {
            let all = ClaimStatus::ALL.map(ClaimStatus::words).join(", ");
            one_of(format!("\"{}\" is not a verdict", beginning(text)), all)
        })
    }
}

/// How a claim was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOrigin {
    /// In the paper.
    Paper,
    /// In the authors' own code, data or figure.
    Code,
    /// From memory or a secondary source.
    Unverified,
}

impl ClaimOrigin {
    /// All of them.
    pub const ALL: [ClaimOrigin; 3] = [
        ClaimOrigin::Paper,
        ClaimOrigin::Code,
        ClaimOrigin::Unverified,
    ];

    /// What a reader is told of it.
    pub fn words(self) -> &'static str {
        match self {
            ClaimOrigin::Paper => "read in the paper",
            ClaimOrigin::Code => "read in the authors' code, data or figure",
            ClaimOrigin::Unverified => "from memory or a secondary source, not read there",
        }
    }

    /// As a letter in brackets.
    pub fn letter(self) -> &'static str {
        match self {
            ClaimOrigin::Paper => "[P]",
            ClaimOrigin::Code => "[C]",
            ClaimOrigin::Unverified => "[U]",
        }
    }
}

impl FromText for ClaimOrigin {
    const WHAT: &'static str = "how the claim was read: \"[P]\" in the paper, \"[C]\" in the \
        authors' code, data or figure, \"[U]\" unverified";

    fn read(text: &str) -> Result<Self, Mistake> {
        let named = ClaimOrigin::ALL
            .into_iter()
            .find(|mark| mark.letter() == text);
        named.ok_or_else(|| {
            let what = format!("\"{}\" is not a mark", beginning(text));
            one_of(what, "[P], [C], [U]")
        })
    }
}

read_from_text!(ClaimStatus, ClaimOrigin);

/// The first letters of a text, as a mistake shows it.
fn beginning(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A claim with what was published and what was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The claim.
    pub claim: String,
    /// What was published.
    pub published: String,
    /// What was computed.
    pub computed: String,
    /// What becomes of the claim.
    pub outcome: ClaimStatus,
    /// What the study expects to become of it.
    pub expected: ClaimStatus,
    /// Where the claim stands.
    pub source: Option<String>,
    /// How it was read there.
    pub mark: Option<ClaimOrigin>,
    /// How it is decided.
    pub standing: &'static str,
    /// The command line that asks the same, if there is one.
    pub command: Option<String>,
}

impl CheckedClaim {
    /// Is it the verdict that the study states?
    pub fn is_expected(&self) -> bool {
        self.outcome == self.expected
    }
}

/// The keys of a check beside its question.
pub const KEYS: [PlainKey; 7] = [
    PlainKey {
        key: "claim",
        kind: Line::WHAT,
        meaning: "What is claimed, in words.",
    },
    PlainKey {
        key: "published",
        kind: Line::WHAT,
        meaning: "What was published, in the form of the publication.",
    },
    PlainKey {
        key: "verdict",
        kind: "\"reproduced\", \"corrected\", \"computed\" or \"not reproduced\"",
        meaning: "What becomes of the claim: \"corrected\" if the question is its corrected form, \
                  \"computed\" if no publication of it is known, \"not reproduced\" if the question must come out false; reproduced unless it is given.",
    },
    PlainKey {
        key: "source",
        kind: Line::WHAT,
        meaning: "Where the claim stands; nowhere in particular unless it is given.",
    },
    PlainKey {
        key: "mark",
        kind: "\"[P]\", \"[C]\" or \"[U]\"",
        meaning: "How it was read: in the paper, in the authors' code, data or figure, or unverified; \
                  none unless it is given.",
    },
    PlainKey {
        key: "for",
        kind: RangeOfN::WHAT,
        meaning: "The n for all of which a statement is decided; none unless it is given.",
    },
    PlainKey {
        key: "at",
        kind: "a list of numbers",
        meaning: "The n of `for` at which the statement holds, and at no other; all of them unless \
                  it is given.",
    },
];

const OWN: &[&str] = &keys(&KEYS);

impl Check {
    /// Reads it from the table of a file.
    ///
    /// # Errors
    /// What is wrong, at its place.
    pub fn read(table: SpannedValue) -> Result<Check, SpannedError> {
        Check::of_entries(table).map_err(|wrong| wrong.with_span(table.span()))
    }

    fn of_entries(table: SpannedValue) -> Result<Check, SpannedError> {
        let (mut claim, mut published, mut range, mut at) = (None, None, None, None);
        let mut stated = Stated::default();
        let mut question = None;
        let mut questions = 0;
        for (key, span, value) in table.entries("a check")? {
            let key = known_key(&[OWN, CheckQuestion::KEYS], key);
            match key.map_err(|wrong| wrong.with_span(span))? {
                "claim" => claim = Some(value.read::<Line>()?.0),
                "published" => published = Some(value.read::<Line>()?.0),
                "verdict" => stated.outcome = value.read()?,
                "source" => stated.source = Some(value.read::<Line>()?.0),
                "mark" => stated.mark = Some(value.read()?),
                "for" => range = Some(value.read::<RangeOfN>()?),
                "at" => at = Some(value.read::<Vec<u64>>()?),
                key => {
                    question = Some(CheckQuestion::of_key(key, value)?);
                    questions += 1;
                }
            }
        }
        let claim = claim.ok_or_else(|| SpannedError::missing_field("claim"))?;
        let wrong = |what: &str| Mistake::new(format!("the check \"{claim}\" {what}"));
        let error = |mistake| SpannedError::custom(Packed(mistake));
        let published =
            published.ok_or_else(|| error(wrong("has no `published`").field("published")))?;
        let question = question.filter(|_| questions == 1).ok_or_else(|| {
            let all = CheckQuestion::KEYS.join(", ");
            error(wrong("must ask exactly one of").right(all))
        })?;
        match (&range, question.of_n()) {
            (Some(_), false) => {
                let mistake = wrong("is for all n, and its question does not speak of n");
                return Err(error(
                    mistake
                        .field("for")
                        .right("write n where the number is to go, in a statement"),
                ));
            }
            (None, true) => {
                let mistake = wrong("speaks of n and does not say for which");
                return Err(error(
                    mistake.field("for").right("add for = \"n in 1..1000\""),
                ));
            }
            (None, false) if at.is_some() => {
                let mistake = wrong("says at which n, and not of which range").field("at");
                return Err(error(mistake.right("add for = \"n in 1..1000\"")));
            }
            _ => {}
        }
        Ok(Check {
            claim,
            published,
            stated,
            range,
            at,
            question,
        })
    }
}

/// A text of a table, shortened where it has more than [`LETTERS`] letters.
fn shortened(text: String) -> String {
    match text.chars().count() {
        0..=LETTERS => text,
        letters => {
            let start: String = text.chars().take(LETTERS - 30).collect();
            format!("{start}... ({letters} letters)")
        }
    }
}

impl Check {
    /// Is the file there, below `root`, that the question reads?
    ///
    /// # Errors
    /// If it cannot be opened; the sentence names the claim.
    pub fn look_for_file(&self, root: &Path) -> Result<(), StudyError> {
        let Some(name) = self.question.file() else {
            return Ok(());
        };
        if embedded_text(root, name).is_some() {
            return Ok(());
        }
        let file = root.join(name);
        let found = std::fs::metadata(&file).and_then(|found| {
            if found.is_dir() {
                Err(std::io::ErrorKind::IsADirectory.into())
            } else {
                Ok(())
            }
        });
        found.map_err(|error| {
            let place = format!("the check \"{}\"", self.claim);
            let shown = file.display();
            let what = format!("cannot read \"{shown}\": {error}");
            StudyError::from(Mistake::in_field("file", name, what)).with_place(place)
        })
    }

    /// Decides the claim; files are looked up below `root`.
    ///
    /// # Errors
    /// If it cannot be decided; the sentence names the claim.
    pub fn decide(&self, root: &Path) -> Result<CheckedClaim, StudyError> {
        let found = self.question.decide(&self.case(root));
        let place = || format!("the check \"{}\"", self.claim);
        let CheckResult {
            computed,
            holds,
            standing,
        } = found.map_err(|error| error.with_place(place()))?;
        let Stated {
            outcome: expected,
            source,
            mark,
        } = self.stated.clone();
        let outcome = match (holds, expected) {
            (true, ClaimStatus::Corrected | ClaimStatus::Computed) => expected,
            (true, _) => ClaimStatus::Reproduced,
            (false, _) => ClaimStatus::NotReproduced,
        };
        Ok(CheckedClaim {
            claim: self.claim.clone(),
            published: self.published.clone(),
            computed: shortened(computed),
            outcome,
            expected,
            source,
            mark,
            standing: standing.unwrap_or_else(|| self.question.standing()),
            command: self.command(),
        })
    }

    fn case<'a>(&'a self, root: &'a Path) -> Case<'a> {
        Case {
            root,
            range: self.range.as_ref().map(|range| &range.0.0),
            at: self.at.as_deref(),
        }
    }

    /// The command line whose answer has what is computed, if there is one.
    pub fn command(&self) -> Option<String> {
        let question = self.question.question(&self.case(Path::new(".")))?;
        Some(question.command().to_string())
    }
}

#[cfg(test)]
mod tests;
