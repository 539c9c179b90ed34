//! A claim of a study, and the question of the program that decides the claim.
//!
//! ```toml
//! [[check]]
//! claim = "a d6 takes 4 flips by rejection"
//! published = "4"
//! that = "cost(6, algorithm: rejection).expected = 4"
//! ```
//!
//! The study states the verdict that it expects ([`ClaimStatus`]). If the published claim is loose
//! or false, the study says `verdict = "corrected"`, gives the claim in `published`, and asks its
//! corrected form. If no publication of the claim is known, it says `verdict = "computed"`. If the
//! claim has no true form, it says `verdict = "not reproduced"`. A run fails only if a verdict
//! differs from the one that the study states. The key `source` says where the claim was published,
//! and `mark` says where we read it ([`ClaimOrigin`]).
//!
//! The keys of the questions are those of [`checks`](super::checks). With `for = "n in 1..1000"` a
//! statement is decided for all n of a range. With `at = [2, 4]` the statement must hold at these n
//! of the range and fail at all others.

use super::case::Case;
use super::checks::CheckQuestion;
use super::decide::CheckResult;
use super::error::{Mistake, SerializedMistake, StudyError, one_of};
use super::limits::MAX_TEXT_LETTERS;
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
    /// The claim, in words.
    pub claim: String,
    /// The published statement or value, as the publication writes it.
    pub published: String,
    stated: StatedVerdict,
    range: Option<RangeOfN>,
    at: Option<Vec<u64>>,
    question: CheckQuestion,
}

/// The verdict that a check expects, and the source of its claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StatedVerdict {
    outcome: ClaimStatus,
    source: Option<String>,
    mark: Option<ClaimOrigin>,
}

/// The verdict on a published claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimStatus {
    /// The claim holds as it was published.
    #[default]
    Reproduced,
    /// The claim is loose or false as it was published, and holds in its corrected form.
    Corrected,
    /// The claim holds, and we know no publication of it.
    Computed,
    /// The claim does not hold.
    NotReproduced,
}

impl ClaimStatus {
    /// All verdicts, in the order of the report.
    pub const ALL: [ClaimStatus; 4] = [
        ClaimStatus::Reproduced,
        ClaimStatus::Corrected,
        ClaimStatus::Computed,
        ClaimStatus::NotReproduced,
    ];

    /// Returns the verdict in words.
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
            one_of(
                format!("\"{}\" is not a verdict", beginning_of_text(text)),
                all,
            )
        })
    }
}

/// Where the claim was read: in the paper, in the authors' code, or in neither.
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
    /// All origins, in the order of this list.
    pub const ALL: [ClaimOrigin; 3] = [
        ClaimOrigin::Paper,
        ClaimOrigin::Code,
        ClaimOrigin::Unverified,
    ];

    /// Returns the origin in the words that readers see.
    pub fn words(self) -> &'static str {
        match self {
            ClaimOrigin::Paper => "read in the paper",
            ClaimOrigin::Code => "read in the authors' code, data or figure",
            ClaimOrigin::Unverified => "from memory or a secondary source, not read there",
        }
    }

    /// Returns the origin as a letter in brackets.
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
            let what = format!("\"{}\" is not a mark", beginning_of_text(text));
            one_of(what, "[P], [C], [U]")
        })
    }
}

read_from_text!(ClaimStatus, ClaimOrigin);

/// Returns the beginning of a text, for an error message.
fn beginning_of_text(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A claim with its published value and the value that the program computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The claim.
    pub claim: String,
    /// The published value.
    pub published: String,
    /// The computed value.
    pub computed: String,
    /// The verdict.
    pub outcome: ClaimStatus,
    /// The verdict that the study expects.
    pub expected: ClaimStatus,
    /// Where the claim was published.
    pub source: Option<String>,
    /// Where the claim was read.
    pub mark: Option<ClaimOrigin>,
    /// How the program decided the claim, in words.
    pub standing: &'static str,
    /// The command line that asks the same question, if there is one.
    pub command: Option<String>,
}

impl CheckedClaim {
    /// Returns whether the verdict is the one that the study states.
    pub fn is_expected(&self) -> bool {
        self.outcome == self.expected
    }
}

/// The keys of a check, apart from its question.
pub const KEYS: [PlainKey; 7] = [
    PlainKey {
        key: "claim",
        kind: Line::WHAT,
        meaning: "The claim, in words.",
    },
    PlainKey {
        key: "published",
        kind: Line::WHAT,
        meaning: "The published value or statement, in the form of the publication.",
    },
    PlainKey {
        key: "verdict",
        kind: "\"reproduced\", \"corrected\", \"computed\" or \"not reproduced\"",
        meaning: "The verdict on the claim: \"corrected\" if the question is its corrected form, \
                  \"computed\" if no publication of it is known, \"not reproduced\" if the question must come out false; reproduced unless it is given.",
    },
    PlainKey {
        key: "source",
        kind: Line::WHAT,
        meaning: "Where the claim was published, such as a theorem or a page.",
    },
    PlainKey {
        key: "mark",
        kind: "\"[P]\", \"[C]\" or \"[U]\"",
        meaning: "How the claim was read: in the paper, in the authors' code, data or figure, or unverified; \
                  no mark unless it is given.",
    },
    PlainKey {
        key: "for",
        kind: RangeOfN::WHAT,
        meaning: "The range of n for which a statement is decided; a statement that contains n needs it.",
    },
    PlainKey {
        key: "at",
        kind: "a list of numbers",
        meaning: "The n of `for` at which the statement holds, while it fails at all others; if \
                  this is not given, it must hold at all of them.",
    },
];

const OWN_KEYS: &[&str] = &keys(&KEYS);

impl Check {
    /// Reads a check from its table in a study's file.
    ///
    /// # Errors
    /// An error with its position in the file.
    pub fn read(table: SpannedValue) -> Result<Check, SpannedError> {
        Check::of_entries(table).map_err(|wrong| wrong.with_span(table.span()))
    }

    fn of_entries(table: SpannedValue) -> Result<Check, SpannedError> {
        let (mut claim, mut published, mut range, mut at) = (None, None, None, None);
        let mut stated = StatedVerdict::default();
        let mut question = None;
        let mut questions = 0;
        for (key, span, value) in table.entries("a check")? {
            let key = known_key(&[OWN_KEYS, CheckQuestion::KEYS], key);
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
        let error = |mistake| SpannedError::custom(SerializedMistake(mistake));
        let published =
            published.ok_or_else(|| error(wrong("has no `published`").field("published")))?;
        let question = question.filter(|_| questions == 1).ok_or_else(|| {
            let all = CheckQuestion::KEYS.join(", ");
            error(wrong("must ask exactly one of").right(all))
        })?;
        match (&range, question.contains_n()) {
            (Some(_), false) => {
                let mistake = wrong("is for all n, but its question does not use n");
                return Err(error(
                    mistake
                        .field("for")
                        .right("write n in the statement where the number belongs"),
                ));
            }
            (None, true) => {
                let mistake = wrong("uses n but does not say for which n");
                return Err(error(
                    mistake.field("for").right("add for = \"n in 1..1000\""),
                ));
            }
            (None, false) if at.is_some() => {
                let mistake = wrong("has `at` but no range of n").field("at");
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

/// Shortens a text to at most [`MAX_TEXT_LETTERS`] letters.
fn shortened(text: String) -> String {
    match text.chars().count() {
        0..=MAX_TEXT_LETTERS => text,
        letters => {
            let start: String = text.chars().take(MAX_TEXT_LETTERS - 30).collect();
            format!("{start}... ({letters} characters)")
        }
    }
}

impl Check {
    /// Checks that the file that the question reads exists below `root`.
    ///
    /// # Errors
    /// If the file cannot be opened; the sentence names the claim.
    pub fn check_file_exists(&self, root: &Path) -> Result<(), StudyError> {
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

    /// Decides the claim. `root` is the folder that contains its files.
    ///
    /// # Errors
    /// If the claim cannot be decided; the sentence names the claim.
    pub fn decide(&self, root: &Path) -> Result<CheckedClaim, StudyError> {
        let found = self.question.decide(&self.case(root));
        let place = || format!("the check \"{}\"", self.claim);
        let CheckResult {
            computed,
            holds,
            standing,
        } = found.map_err(|error| error.with_place(place()))?;
        let StatedVerdict {
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

    /// Returns the command line whose answer contains the computed value, if there is one.
    pub fn command(&self) -> Option<String> {
        let question = self.question.question(&self.case(Path::new(".")))?;
        Some(question.command().to_string())
    }
}

#[cfg(test)]
mod tests;
