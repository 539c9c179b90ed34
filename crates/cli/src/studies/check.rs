//! A claim of a study, and the one question that decides it.
//!
//! ```toml
//! [[check]]
//! claim = "a d6 takes 4 flips by rejection"
//! published = "4"
//! that = "cost(6, algorithm: rejection).expected = 4"
//! ```
//!
//! The verdict is in words ([`Outcome`]): a claim that is loose or false says `verdict =
//! "corrected"` and asks its corrected form, beside what was `published`; one that nobody has published
//! says `verdict = "computed"`; a claim that has no true form `verdict = "not reproduced"`. A run goes wrong only where the verdict is not the one that
//! the study states. `source` says where the claim stands, `mark` how it was read there ([`Mark`]).
//!
//! The keys of the questions are those of [`checks`](super::checks). With `for = "n in 1..1000"` a
//! statement is decided for all n of a range; with `at = [2, 4]` it is to hold for these of them alone.

use super::case::Case;
use super::checks::Question;
use super::decide::Found;
use super::error::{Mistake, Packed, StudyError, one_of};
use super::limits::LETTERS;
use super::range::RangeOfN;
use super::schema::{PlainKey, keys};
use super::tagged::Key;
use super::values::{Line, Written, read_from_text};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::fmt;
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
    question: Question,
}

/// What a check states beside its claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stated {
    outcome: Outcome,
    source: Option<String>,
    mark: Option<Mark>,
}

/// What becomes of a published claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It holds as it was published.
    #[default]
    Reproduced,
    /// It is loose or false as it was published, and holds in its corrected form.
    Corrected,
    /// It holds, and nobody has published it.
    Computed,
    /// It does not hold.
    NotReproduced,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 4] = [
        Outcome::Reproduced,
        Outcome::Corrected,
        Outcome::Computed,
        Outcome::NotReproduced,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Outcome::Reproduced => "reproduced",
            Outcome::Corrected => "corrected",
            Outcome::Computed => "computed",
            Outcome::NotReproduced => "not reproduced",
        }
    }
}

impl Written for Outcome {
    const WHAT: &'static str = "a verdict";

    fn choices() -> Option<String> {
        Some(Outcome::ALL.map(Outcome::words).join(", "))
    }

    fn read(text: &str) -> Result<Self, Mistake> {
        let named = Outcome::ALL.into_iter().find(|one| one.words() == text);
        named.ok_or_else(|| {
            let all = Outcome::ALL.map(Outcome::words).join(", ");
            one_of(format!("\"{}\" is not a verdict", beginning(text)), all)
        })
    }
}

/// How a claim was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// In the paper.
    Paper,
    /// In the authors' own code, data or figure.
    Code,
    /// From memory or a secondary source.
    Unverified,
}

impl Mark {
    /// As a letter in brackets.
    pub fn letter(self) -> &'static str {
        match self {
            Mark::Paper => "[P]",
            Mark::Code => "[C]",
            Mark::Unverified => "[U]",
        }
    }
}

impl Written for Mark {
    const WHAT: &'static str = "how the claim was read: \"[P]\" in the paper, \"[C]\" in the \
        authors' code, data or figure, \"[U]\" unverified";

    fn read(text: &str) -> Result<Self, Mistake> {
        let all = [Mark::Paper, Mark::Code, Mark::Unverified];
        let named = all.into_iter().find(|mark| mark.letter() == text);
        named.ok_or_else(|| {
            let what = format!("\"{}\" is not a mark", beginning(text));
            one_of(what, "[P], [C], [U]")
        })
    }
}

read_from_text!(Outcome, Mark);

/// The first letters of a text, as a mistake shows it.
fn beginning(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A claim with what was published and what was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim.
    pub claim: String,
    /// What was published.
    pub published: String,
    /// What was computed.
    pub computed: String,
    /// What becomes of the claim.
    pub outcome: Outcome,
    /// What the study expects to become of it.
    pub expected: Outcome,
    /// Where the claim stands.
    pub source: Option<String>,
    /// How it was read there.
    pub mark: Option<Mark>,
    /// The command line that asks the same, if there is one.
    pub command: Option<String>,
}

impl Verdict {
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
                  \"computed\" if nobody has published it, \"not reproduced\" if the question must come out false; reproduced unless it is given.",
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

struct CheckVisitor;

impl<'de> Visitor<'de> for CheckVisitor {
    type Value = Check;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a check")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Check, A::Error> {
        let (mut claim, mut published, mut range, mut at) = (None, None, None, None);
        let mut stated = Stated::default();
        let mut question = None;
        let mut questions = 0;
        while let Some(key) = map.next_key_seed(Key(&[OWN, Question::KEYS]))? {
            match key {
                "claim" => claim = Some(map.next_value::<Line>()?.0),
                "published" => published = Some(map.next_value::<Line>()?.0),
                "verdict" => stated.outcome = map.next_value()?,
                "source" => stated.source = Some(map.next_value::<Line>()?.0),
                "mark" => stated.mark = Some(map.next_value()?),
                "for" => range = Some(map.next_value::<RangeOfN>()?),
                "at" => at = Some(map.next_value::<Vec<u64>>()?),
                _ => {
                    question = Some(Question::of_key(key, &mut map)?);
                    questions += 1;
                }
            }
        }
        let claim = claim.ok_or_else(|| A::Error::missing_field("claim"))?;
        let wrong = |what: &str| Mistake::new(format!("the check \"{claim}\" {what}"));
        let error = |mistake| A::Error::custom(Packed(mistake));
        let published =
            published.ok_or_else(|| error(wrong("has no `published`").field("published")))?;
        let question = question.filter(|_| questions == 1).ok_or_else(|| {
            let all = Question::KEYS.join(", ");
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

impl<'de> Deserialize<'de> for Check {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(CheckVisitor)
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
        let file = root.join(name);
        let found = std::fs::metadata(&file).and_then(|found| match found.is_dir() {
            true => Err(std::io::ErrorKind::IsADirectory.into()),
            false => Ok(()),
        });
        found.map_err(|error| {
            let place = format!("the check \"{}\"", self.claim);
            let shown = file.display();
            let what = format!("cannot read \"{shown}\": {error}");
            StudyError::from(Mistake::of("file", name, what)).at(place)
        })
    }

    /// Decides the claim; files are looked up below `root`.
    ///
    /// # Errors
    /// If it cannot be decided; the sentence names the claim.
    pub fn decide(&self, root: &Path) -> Result<Verdict, StudyError> {
        let found = self.question.decide(&self.case(root));
        let place = || format!("the check \"{}\"", self.claim);
        let Found { computed, holds } = found.map_err(|error| error.at(place()))?;
        let Stated {
            outcome: expected,
            source,
            mark,
        } = self.stated.clone();
        let outcome = match (holds, expected) {
            (true, Outcome::Corrected | Outcome::Computed) => expected,
            (true, _) => Outcome::Reproduced,
            (false, _) => Outcome::NotReproduced,
        };
        Ok(Verdict {
            claim: self.claim.clone(),
            published: self.published.clone(),
            computed: shortened(computed),
            outcome,
            expected,
            source,
            mark,
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
mod tests {
    use super::*;

    fn read(rest: &str) -> Result<Check, String> {
        let text = format!("claim = \"c\"\npublished = \"p\"\n{rest}\n");
        toml::from_str(&text)
            .map_err(|error: toml::de::Error| Packed::read(error.message()).to_string())
    }

    fn decide(rest: &str) -> Result<(String, bool), String> {
        let verdict = read(rest)?
            .decide(Path::new("../.."))
            .map_err(|e| e.to_string())?;
        let holds = verdict.outcome == Outcome::Reproduced;
        Ok((verdict.computed, holds))
    }

    fn computed(rest: &str, holds: bool) -> String {
        let (computed, found) = decide(rest).unwrap();
        assert_eq!(found, holds, "{rest}: {computed}");
        computed
    }

    #[test]
    fn a_check_asks_one_question() {
        for rest in [
            "",
            "uniform = { algorithm = \"interval\", n = 6 }\nterm = { id = \"A136043\", n = 1, is = 1 }",
        ] {
            let refused = read(rest).err().unwrap();
            assert!(
                refused.starts_with("the check \"c\" must ask exactly one of: expected, rounds"),
                "{refused}"
            );
        }
        let unknown = read("expekted = 4").err().unwrap();
        assert!(
            unknown.contains("unknown field `expekted`, expected one of claim"),
            "{unknown}"
        );
    }

    /// What became of a claim, and whether that is what its study states.
    #[test]
    fn a_verdict_is_the_one_that_the_study_states_or_not() {
        let question = "expected = { algorithm = \"fast-dice-roller\", n = 6, is = ";
        let verdict = |stated: &str, is: &str| {
            let check = read(&format!("{stated}\n{question}\"{is}\" }}")).unwrap();
            let verdict = check.decide(Path::new("../..")).unwrap();
            (verdict.outcome.words(), verdict.is_expected())
        };
        for (stated, right, wrong) in [
            ("", ("reproduced", true), ("not reproduced", false)),
            (
                "verdict = \"reproduced\"",
                ("reproduced", true),
                ("not reproduced", false),
            ),
            (
                "verdict = \"corrected\"",
                ("corrected", true),
                ("not reproduced", false),
            ),
            (
                "verdict = \"not reproduced\"",
                ("reproduced", false),
                ("not reproduced", true),
            ),
        ] {
            assert_eq!(verdict(stated, "11/3"), right, "{stated}");
            assert_eq!(verdict(stated, "4"), wrong, "{stated}");
        }
        for (stated, what) in [
            (
                "verdict = \"holds\"",
                "is not a verdict: choose one of reproduced, corrected",
            ),
            ("mark = \"P\"", "is not a mark: choose one of [P], [C], [U]"),
        ] {
            let refused = read(&format!("{stated}\n{question}4 }}")).err().unwrap();
            assert!(refused.contains(what), "{refused}");
        }
        let sourced = format!("source = \"here\"\nmark = \"[U]\"\n{question}4 }}");
        let verdict = read(&sourced).unwrap().decide(Path::new("../..")).unwrap();
        assert_eq!(verdict.source.as_deref(), Some("here"));
        assert_eq!(verdict.mark, Some(Mark::Unverified));
    }

    #[test]
    fn values_are_fractions_decimals_or_between_bounds() {
        let value = |rest: &str, holds| computed(&format!("value = {{ of = {rest} }}"), holds);
        let log = "{ entropy = { n = 6 } }";
        assert_eq!(
            value(&format!("{log}, decimals = \"2.585\""), true),
            "2.584962500721"
        );
        value(&format!("{log}, decimals = \"2.584\""), false);
        value(&format!("{log}, above = \"5/2\", below = 3"), true);
        value(&format!("{log}, above = \"5/2\", below = \"5/2\""), false);
        value(&format!("{log}, above = 2, decimals = \"2.6\""), true);
        let six = "{ expected = { algorithm = \"fast-dice-roller\", n = 6 } }";
        assert_eq!(
            value(&format!("{six}, is = \"11/3\""), true),
            "11/3 = 3.666667"
        );
        value(&format!("{six}, is = 4"), false);
        let nothing = read(&format!("value = {{ of = {six} }}")).unwrap();
        let refused = nothing.decide(Path::new("../..")).unwrap_err().to_string();
        assert!(
            refused.contains("it must say what the value is"),
            "{refused}"
        );
    }

    /// The toll passes 1 first at n = 3, where it is 8/3 - log2 3, and is that of n = 3 at n = 6; it is 0 at n = 16
    /// and below 1 at n = 31.
    #[test]
    fn a_statement_is_decided_for_each_n() {
        let statement = |rest: &str, holds| {
            let that = "that = \"toll <= 1\", algorithm = \"fast-dice-roller\"";
            computed(&format!("statement = {{ {that}, {rest} }}"), holds)
        };
        let found = statement("targets = \"1..9\"", false);
        assert!(
            found.starts_with("for n = 3 the left side is 1.0817"),
            "{found}"
        );
        let found = statement("targets = \"4..9\", step = 2", false);
        assert!(found.starts_with("for n = 6 "), "{found}");
        assert_eq!(
            statement("targets = \"16..40\", step = 15", true),
            "it holds for all 2 n of 16..40"
        );
        let stands = "statement = { that = \"toll < 2\", algorithm = \"interval\", targets = \"1..9\", step = 0 }";
        let refused = read(stands)
            .unwrap()
            .decide(Path::new("../.."))
            .unwrap_err();
        assert!(refused.to_string().contains("step = 0 goes nowhere"));
    }

    #[test]
    fn theorems_extremes_and_ratios() {
        let found = computed("theorem = { claim = \"ceil-plus-one\", to = 3000 }", true);
        assert!(found.ends_with("0.998413279628952, at n = 2731"), "{found}");
        assert_eq!(
            computed("toll-extremes = { blocks = \"1..9\" }", true),
            "largest at 2^k + 1 and least at 2^(k+1) - 1 for k = 1 to 9"
        );
        for blocks in ["1..40", "1..63", "1..4294967297", "1..18446744073709551615"] {
            let text = format!("toll-extremes = {{ blocks = \"{blocks}\" }}");
            let refused = read(&text).unwrap().decide(Path::new("../..")).unwrap_err();
            assert!(refused.to_string().contains("too many"), "{blocks}");
        }
        let against = |largest: &str, at: u64, holds| {
            let pair =
                "algorithm = \"interval\", other = \"fast-dice-roller\", targets = \"2..40\"";
            let text = format!("against = {{ {pair}, largest = \"{largest}\", at = {at} }}");
            computed(&text, holds)
        };
        // 23/4 flips and 64/15
        assert_eq!(
            against("345/256", 15, true),
            "largest ratio 345/256 at n = 15"
        );
        against("345/256", 30, false);
        against("3/2", 15, false);
    }

    #[test]
    fn expected_is_exact_or_refused_by_its_size() {
        let check = |n: &str, is: &str| {
            format!("expected = {{ algorithm = \"fast-dice-roller\", n = {n}, is = {is} }}")
        };
        assert_eq!(computed(&check("6", "\"11/3\""), true), "11/3");
        assert_eq!(computed(&check("6", "4"), false), "11/3");
        let large = decide(&check("\"10^18+9\"", "4")).unwrap_err();
        assert!(
            large.starts_with(
                "the check \"c\": the exact fraction for n = 1000000000000000009 would"
            ),
            "{large}"
        );
        let none = decide(&check("0", "4")).unwrap_err();
        assert!(none.starts_with("the check \"c\": "), "{none}");
    }

    #[test]
    fn a_single_term_of_a_sequence() {
        let check =
            |n: &str, is: &str| format!("term = {{ id = \"A136043\", n = {n}, is = {is} }}");
        assert_eq!(computed(&check("11", "5"), true), "A136043: a(11) = 5");
        assert_eq!(computed(&check("11", "6"), false), "A136043: a(11) = 5");
        let never = "term = { id = \"bounded-exponent:source=6\", n = 5, is = -1 }";
        assert_eq!(
            computed(never, true),
            "bounded-exponent:source=6: a(5) = -1"
        );
        for (n, what) in [
            ("0", "begins at n = 1"),
            ("\"10^9\"", "10000000 is the last index"),
            ("\"2^64\"", "no term of index 18446744073709551616 in reach"),
        ] {
            let refused = decide(&check(n, "5")).unwrap_err();
            assert!(refused.starts_with("the check \"c\": "), "{refused}");
            assert!(refused.contains(what), "{refused}");
        }
        let unknown = decide("term = { id = \"A000000\", n = 1, is = 1 }").unwrap_err();
        assert!(unknown.contains("A000000"), "{unknown}");
        let sparse = decide("term = { id = \"exactly-rounds\", n = 21, is = 1 }").unwrap_err();
        assert!(sparse.contains("20 is the last index"), "{sparse}");
    }

    const DOUBLED: &str = "same-as = [
        { expected = { algorithm = \"fast-dice-roller\", n = \"2*n\" } },
        { sum = [{ expected = { algorithm = \"fast-dice-roller\", n = \"n\" } }, { number = 1 }] },
    ]";

    #[test]
    fn quantities_are_the_same_or_not() {
        let one = DOUBLED.replace("2*n", "12").replace("\"n\"", "6");
        assert_eq!(computed(&one, true), "14/3 = 4.666667");
        let other = one.replace("\"12\"", "13");
        assert_eq!(
            computed(&other, false),
            "306/65 = 4.707692 and 14/3 = 4.666667"
        );
        // Every kind of quantity.
        let kinds = "same-as = [
            { number = \"16/3\" },
            { product = [{ number = \"1/3\" }, { entropy = { n = \"2^16\" } }] },
            { expected = { source = 6, algorithm = \"parity-bits\", n = 12 } },
        ]";
        assert_eq!(computed(kinds, true), "16/3 = 5.333333");
        let kinds = "same-as = [
            { variance = { algorithm = \"interval\", n = 4 } },
            { batch = { source = 6, targets = [1, 1], mode = \"keep\" } },
            { recipe = { dice = [6], n = 1 } },
            { number = 0 },
        ]";
        assert_eq!(computed(kinds, true), "0 = 0.000000");
        let kinds = "same-as = [
            { stream = { source = 6, n = 6 } },
            { term = { id = \"A136043\", n = 1 } },
        ]";
        assert_eq!(computed(kinds, true), "1 = 1.000000");
    }

    /// 4:7:8 costs 86/19 flips at K = 5 and 1538/513 at least (Draper & Saad 2025, figure 4).
    #[test]
    fn quantities_of_any_target() {
        let kinds = "for-all = \"n in 5..5\"
        same-as = [
            { cost = { algorithm = \"aldr:K=n\", target = \"n-1:7:2^k\" } },
            { cost = { algorithm = \"fldr\", target = \"4,7,8\" } },
            { formula = \"4 + 10/19\" },
            { difference = [{ number = 5 }, { formula = \"9/19\" }] },
        ]";
        computed(kinds, true);
        let toll = "value = { of = { cost = { algorithm = \"knuth-yao\", target = \"4:7:8\", column = \"toll\" } }, decimals = \"1.4686\" }";
        assert_eq!(computed(toll, true), "1.468622350628");
        let without = "value = { of = { cost = { target = \"4:7:8\" } }, above = 1 }";
        assert!(decide(without).unwrap_err().contains("knuth-yao"));
        let shuffle = "value = { of = { sum-over = { n = \"2..6\", of = { expected = { algorithm = \"rejection-ceil\", n = \"n\" } } } }, is = \"217/15\" }";
        computed(shuffle, true);
        let plan = "value = { of = { plan = { dice = [6, 10], n = 13, splitting = false } }, is = \"7540540/3599999\" }";
        computed(plan, true);
    }

    /// The largest toll of weights of sum 24 is 1.885213 at K = 10 (Draper & Saad 2025).
    #[test]
    fn bounds_of_all_weights() {
        let largest =
            "value = { of = { largest-toll = { sum = 24, depth = 10 } }, decimals = \"1.885213\" }";
        computed(largest, true);
        let bound = "for-all = \"n in 24..24\"\ntoll-bound = { sum = \"n\", depth = \"2*k\", bound = { formula = \"1.885\" } }";
        let found = computed(bound, false);
        assert!(found.contains("12:6:3:2:1"), "{found}");
        computed(&bound.replace("1.885", "1.886"), true);
        for (wrong, what) in [("sum = 1", "2 to 65536"), ("sum = 24", "5 to 40")] {
            let wrong = format!("toll-bound = {{ {wrong}, depth = 4, bound = {{ number = 2 }} }}");
            assert!(decide(&wrong).unwrap_err().contains(what), "{wrong}");
        }
        computed("digit-bound = { depth = 8 }", true);
        assert!(
            decide("digit-bound = { depth = 80 }")
                .unwrap_err()
                .contains("1 to 20")
        );
    }

    #[test]
    fn quantities_in_order() {
        let rising = "for-all = \"n in 2..64\"
        at-most = [{ entropy = { n = \"n\" } }, { expected = { algorithm = \"fast-dice-roller\", n = \"n\" } }, { formula = \"k+1\" }]";
        computed(rising, true);
        let falls = computed("at-most = [{ number = 2 }, { number = 1 }]", false);
        assert_eq!(falls, "2 = 2.000000, 1 = 1.000000");
        assert!(read("at-most = [{ number = 1 }]").is_err());
        assert!(read("value = { of = { difference = [{ number = 1 }] }, is = 1 }").is_err());
        // the claimed minimum is one for n = 2^a (2^b - 1) alone
        let equal = "equal-at = { first = { rounding-up = { n = \"n\" } }, second = { expected = { algorithm = \"fast-dice-roller\", n = \"n\" } }, n = \"1..9\", at = [1, 2, 3, 4, 6, 7, 8] }";
        computed(equal, true);
        computed(&equal.replace("7, 8", "7, 8, 9"), false);
    }

    #[test]
    fn what_cannot_be_compared_says_so() {
        let alone = read("same-as = [{ number = 1 }]").err().unwrap();
        assert!(alone.contains("two or more quantities"), "{alone}");
        let unknown = read("same-as = [{ number = 1 }, { nombre = 2 }]")
            .err()
            .unwrap();
        assert!(
            unknown.contains("nombre") && unknown.contains("`expected`"),
            "{unknown}"
        );
        let two = read("same-as = [{ number = 1 }, { number = 1, entropy = { n = 2 } }]");
        assert!(two.is_err());
        // log2 3 + log2 5 = log2 15, but no enclosure says so.
        let logs = "same-as = [
            { sum = [{ entropy = { n = 3 } }, { entropy = { n = 5 } }] },
            { entropy = { n = 15 } },
        ]";
        let refused = decide(logs).unwrap_err();
        assert!(
            refused.starts_with("the check \"c\": 3.906891 and 3.906891 cannot be proved equal"),
            "{refused}"
        );
        let differ = logs.replace("15", "16");
        assert_eq!(computed(&differ, false), "3.906891 and 4 = 4.000000");
    }

    #[test]
    fn for_all_n_of_a_range() {
        let all = format!("for-all = \"n in 1..300\"\n{DOUBLED}");
        assert_eq!(computed(&all, true), "it holds for all 300 n of 1..300");
        let fails = all.replace(
            "\"fast-dice-roller\", n = \"n\"",
            "\"rejection\", n = \"n\"",
        );
        // One side takes two flips by rejection, and none by the fast dice roller.
        assert_eq!(
            computed(&fails, false),
            "for n = 1: 1 = 1.000000 and 3 = 3.000000"
        );
        let powers = "for-all = \"n in 1..200\"
            expected = { algorithm = \"interval\", n = \"2^n\", is = \"n\" }";
        assert_eq!(computed(powers, true), "it holds for all 200 n of 1..200");
        let uniform = "for-all = \"n in 1..40\"
            uniform = { source = 6, algorithm = \"interval\", n = \"n\" }";
        computed(uniform, true);
        let bounded = "for-all = \"n in 1..40\"
            bounded = { source = 6, n = \"12^n\", rolls = \"2*n\" }";
        computed(bounded, true);
        let terms = "for-all = \"n in 1..60\"
            term = { id = \"A007733\", n = \"2^n\", is = 1 }";
        let refused = decide(terms).unwrap_err();
        assert!(
            refused.starts_with("the check \"c\": for n = 24: "),
            "{refused}"
        );
    }

    #[test]
    fn for_all_and_n_belong_together() {
        let without = read(DOUBLED).err().unwrap();
        assert!(
            without.contains("the check \"c\" speaks of n and does not say for which: add for-all"),
            "{without}"
        );
        let in_vain =
            "for-all = \"n in 1..9\"\nexpected = { algorithm = \"interval\", n = 6, is = 4 }";
        let refused = read(in_vain).err().unwrap();
        assert!(
            refused.contains("the check \"c\" is for all n, and its question does not speak of n"),
            "{refused}"
        );
        let silent = "for-all = \"n in 1..9\"\nsequence = { id = \"A136043\", is = [1] }";
        assert!(read(silent).is_err());
        assert!(
            read(&DOUBLED.replace("2*n", "2n"))
                .err()
                .unwrap()
                .contains("2n")
        );
    }

    #[test]
    fn work_without_end_is_refused_before_it_starts() {
        for (check, what) in [
            (
                "ratio = { algorithm = \"rejection\", least = 2, to = 9223372036854775807, largest = 4, at = 2 }",
                "9223372036854775807 n are too many for a study: 10000000 is the most",
            ),
            (
                "toll-below = { algorithm = \"rejection\", bound = 2, to = 9223372036854775807 }",
                "10000000 is the most",
            ),
            (
                "fairness = { rule = { dice = [6], value = \"a\" }, sides = 9223372036854775807, fair = true }",
                "100000 is the most",
            ),
            (
                "fairness = { rule = { dice = [6], value = \"a\" }, sides = 6, first = 9223372036854775807, fair = true }",
                "out of reach",
            ),
            (
                "value = { of = { sum-over = { n = \"1..10^9\", of = { formula = \"n\" } } }, is = 1 }",
                "10000 is the most",
            ),
            (
                "value = { of = { plan = { dice = [6], n = 4000, splitting = true } }, is = 1 }",
                "200 is the most",
            ),
            (
                "in-a-row = { event = \"1/6\", times = 4000000000, is = 0 }",
                "the exact numbers would take about",
            ),
            (
                "in-a-row = { event = \"7/6\", times = 2, is = 0 }",
                "probability above 1",
            ),
            (
                "uniform = { algorithm = \"fast-dice-roller\", n = \"10^18+9\" }",
                "more than 2000000",
            ),
            (
                "batch = { targets = [\"10^100000\"], mode = \"keep\", decimals = \"1\" }",
                "bits in the targets of a batch are too many",
            ),
            (
                "batch = { targets = [], mode = \"keep\", decimals = \"1\" }",
                "needs a target",
            ),
            (
                "batch = { targets = [6], mode = \"kept\", decimals = \"1\" }",
                "choose one of keep",
            ),
            (
                "batch = { targets = [6], mode = \"keep\" }",
                "it must say what the value is",
            ),
            (
                "best-order = { targets = [2, 3, 4, 5, 6, 7, 8, 9, 10], is = [] }",
                "8 is the most",
            ),
            ("rounds = { n = \"10^1000\", is = [] }", "512 is the most"),
            (
                "double-search = { sources = \"2..1000\", targets = \"2..1000\", source = 2, n = 2, rolls = \"1\", gives = 1 }",
                "1000000000 is the most",
            ),
            (
                "double-search = { sources = \"2..2^63\", targets = \"2..2^63\", source = 2, n = 2, rolls = \"1\", gives = 1 }",
                "1000 is the most",
            ),
            (
                "identified = { id = \"A136043\", a-number = \"A136043\", from = 9223372036854775807 }",
                "10000000 is the last index",
            ),
            (
                "identified = { id = \"A136043\" }",
                "one of a-number and absent",
            ),
            (
                "sequence = { id = \"A136043\" }",
                "there are no terms to compare",
            ),
            (
                "toll-below = { algorithm = \"rejection\", bound = 2, to = 0 }",
                "to = 1000",
            ),
            (
                "ratio = { algorithm = \"rejection\", least = 2, to = 1, largest = 4, at = 2 }",
                "to = 1000",
            ),
        ] {
            let refused = decide(check).unwrap_err();
            assert!(refused.starts_with("the check \"c\": "), "{refused}");
            assert!(refused.contains(what), "{check}: {refused}");
        }
        // No source has 0 or 1 sides, wherever it stands.
        for check in [
            "expected = { source = S, algorithm = \"interval\", n = 6, is = 4 }",
            "rounds = { source = S, n = 6, is = [] }",
            "toll-below = { source = S, algorithm = \"interval\", bound = 2, to = 9 }",
            "ratio = { source = S, algorithm = \"interval\", least = 2, to = 9, largest = 2, at = 2 }",
            "worked-roll = { source = S, algorithm = \"interval\", n = 6, input = \"1,1\" }",
            "worked-batch = { source = S, targets = [6], input = \"1,1\", is = [] }",
            "uniform = { source = S, algorithm = \"interval\", n = 6 }",
            "bounded = { source = S, n = 6 }",
            "batch = { source = S, targets = [6], mode = \"keep\", decimals = \"1\" }",
            "best-order = { source = S, targets = [6], is = [6] }",
            "stream = { source = S, n = 6, is = 1 }",
            "uniform-batch = { source = S, targets = [6] }",
            "double-intervals = { source = S, n = 6, rolls = \"1\", gives = 1, distance-below = 1 }",
            "rounded-up-intervals = { source = S, n = 6, is = 1 }",
            "same-as = [{ entropy = { source = S, n = 6 } }, { number = 1 }]",
            "recipe = { dice = [S], n = 6, is = 1 }",
        ] {
            for sides in ["0", "1"] {
                let refused = decide(&check.replace('S', sides)).unwrap_err();
                assert!(
                    refused.starts_with("the check \"c\": "),
                    "{check}: {refused}"
                );
            }
        }
    }

    #[test]
    fn long_findings_are_shortened() {
        let rule =
            "fairness = { rule = { dice = [1000], value = \"a * a\" }, sides = 6, fair = false }";
        let long = computed(rule, true);
        assert!(
            long.chars().count() <= LETTERS && long.ends_with(" letters)"),
            "{long}"
        );
    }
}
