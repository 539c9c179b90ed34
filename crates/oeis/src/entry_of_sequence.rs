//! Describes a sequence of the engine as an entry of the OEIS. The texts of the sequence's family
//! are in `data/families.toml`; the arguments of the sequence are filled in.

use crate::literature::{EntryLine, named_in_sentences};
use crate::{ANumber, Entry};
use flipcost::algorithms::{self, Algorithm};
use flipcost::sequences::{self, Sequence};
use flipcost_number::order;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The texts of a family. The head of `data/families.toml` describes the parameters in them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    title: String,
    definition: String,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    formulas: Vec<String>,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    see: Vec<String>,
    #[serde(default)]
    keywords: Vec<String>,
    pari: String,
    python: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Families {
    shared: BTreeMap<String, String>,
    family: BTreeMap<String, Text>,
    moments: BTreeMap<String, Programs>,
}

/// Programs for the moments of an algorithm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Programs {
    pari: String,
    python: String,
}

static FAMILIES: LazyLock<Families> = LazyLock::new(|| {
    let file = toml::from_str(include_str!("../../../data/oeis/families.toml"));
    file.expect("a test reads it")
});

/// Returns the A-number of a sequence, if the OEIS has it.
pub fn a_number(sequence: &Sequence) -> Option<ANumber> {
    sequence.a_number()?.parse().ok()
}

/// Returns the entry of a sequence, for a submission.
pub fn entry(sequence: &Sequence) -> Entry {
    let text = FAMILIES.family.get(sequence.family());
    let text = text.expect("a test finds the text of every family");
    let member = Member::new(sequence);
    let (comments, formulas) = (member.lines(&text.comments), member.lines(&text.formulas));
    let definition = member.fill(&text.definition);
    let sentences = [&comments[..], &formulas, std::slice::from_ref(&definition)].concat();
    let (mut references, mut links) = (Vec::new(), Vec::new());
    for work in named_in_sentences(&sentences) {
        match work.oeis() {
            EntryLine::Reference(line) => references.push(line),
            EntryLine::Link(line) => links.push(line),
        }
    }
    let all = sequences::all();
    let siblings = all
        .iter()
        .filter(|other| other.family() == sequence.family());
    let siblings = siblings.filter_map(|sibling| Some(sibling.a_number()?.to_string()));
    let mut cross_references = member.lines(&text.see);
    cross_references.extend(siblings);
    cross_references.retain(|number| Some(number.as_str()) != sequence.a_number());
    let has_default_arguments =
        sequences::find(sequence.family()).is_ok_and(|default| default.id() == sequence.id());
    Entry {
        id: sequence.id().to_string(),
        a_number: a_number(sequence),
        offset: sequence.offset() as i64,
        title: member.fill(&text.title),
        definition,
        comments,
        references,
        links,
        formulas,
        examples: if has_default_arguments {
            member.lines(&text.examples)
        } else if member.is_fast_dice_roller {
            example(sequence).into_iter().collect()
        } else {
            Vec::new()
        },
        pari: member.program(&text.pari, |programs| &programs.pari),
        python: member.program(&text.python, |programs| &programs.python),
        cross_references,
        keywords: member.lines(&text.keywords),
    }
}

/// A member of a family, with the arguments that fill in the texts.
struct Member {
    arguments: Vec<(&'static str, String)>,
    algorithm: Option<&'static dyn Algorithm>,
    /// Whether the sequence's source or base is a coin.
    is_coin: bool,
    /// Whether the sequence's algorithm, if it has one, is the fast dice roller.
    is_fast_dice_roller: bool,
}

impl Member {
    fn new(sequence: &Sequence) -> Member {
        let arguments = sequence.arguments();
        let is = |name: &str, value: &str| arguments.iter().all(|(n, v)| *n != name || v == value);
        let (is_coin, is_fast_dice_roller) = (
            is("source", "2") && is("base", "2"),
            is("algorithm", algorithms::FAST_DICE_ROLLER.about().id),
        );
        Member {
            arguments,
            algorithm: sequence.algorithm(),
            is_coin,
            is_fast_dice_roller,
        }
    }

    fn fill(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (name, shared) in &FAMILIES.shared {
            text = text.replace(&format!("{{{name}}}"), shared);
        }
        for (name, value) in &self.arguments {
            text = text.replace(&format!("{{{name}}}"), value);
            if let Ok(number) = value.parse::<u64>() {
                text = text.replace(&format!("{{{name}-1}}"), &(number - 1).to_string());
            }
        }
        if let Some(algorithm) = self.algorithm {
            text = text.replace("{method}", &name_in_a_sentence(algorithm));
        }
        // A die with two sides is called a coin, and its rolls are called flips.
        for (die, coin) in [
            ("rolls of a 2-sided die", "flips of a coin"),
            ("per roll of a die with 2 sides", "per flip of a coin"),
            ("a 2-sided die", "a coin"),
            ("a 2-sided one", "a coin"),
        ] {
            text = text.replace(die, coin);
        }
        text
    }

    /// Returns those lines that apply to the member, with their parameters filled in.
    fn lines(&self, lines: &[String]) -> Vec<String> {
        let filled = |line: &String| {
            let mut line = line.as_str();
            for (mark, holds) in [
                ("{fdr}", self.is_fast_dice_roller),
                ("{coin}", self.is_coin),
                ("{die}", !self.is_coin),
            ] {
                if let Some(rest) = line.strip_prefix(mark) {
                    line = holds.then_some(rest)?;
                }
            }
            Some(self.fill(line))
        };
        lines.iter().filter_map(filled).collect()
    }

    fn program(&self, code: &str, language: fn(&Programs) -> &String) -> Option<String> {
        if !code.contains("{moments}") {
            return Some(self.fill(code.trim()));
        }
        let moments = language(FAMILIES.moments.get(self.algorithm?.about().id)?);
        Some(self.fill(&code.replace("{moments}", &format!("{moments}\n"))))
    }
}

/// Returns an algorithm's name for use within a sentence: `the fast dice roller`, `rejection (bit
/// length)`.
fn name_in_a_sentence(algorithm: &dyn Algorithm) -> String {
    let name = algorithm.about().name;
    let name = name[..1].to_lowercase() + &name[1..];
    if name.ends_with("roller") || name.ends_with("algorithm") {
        format!("the {name}")
    } else {
        name
    }
}

/// Returns an example for a family about the powers of a source modulo n. It shows the powers
/// modulo 14, which have a pre-period for even sources, and the term.
fn example(sequence: &Sequence) -> Option<String> {
    const N: u64 = 14;
    let arguments = sequence.arguments();
    let mut bases = arguments.iter().filter(|(name, _)| {
        *name == "source" || *name == "base" && sequence.family() == "mr-period"
    });
    let m = bases.next()?.1.parse().ok()?;
    let orbit = order::orbit(m, N);
    let shown = orbit.pre_period + 2 * orbit.period.min(3);
    let powers: Vec<String> = std::iter::successors(Some(1 % N), |x| Some(x * (m % N) % N))
        .take(shown.max(orbit.pre_period + orbit.period) as usize)
        .map(|x| x.to_string())
        .collect();
    let term = sequence.terms(N..=N).ok()?.pop()?;
    Some(format!(
        "The powers of {m} modulo {N} are {}, ..., which gives a({N}) = {term}.",
        powers.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The file has texts for the families that exist, and no others. Every parameter in braces
    /// is known, and every shared text is used.
    #[test]
    fn the_file_has_texts_for_exactly_the_families() {
        let all = sequences::all();
        let families: BTreeSet<&str> = all.iter().map(Sequence::family).collect();
        let texts: BTreeSet<&str> = FAMILIES.family.keys().map(String::as_str).collect();
        assert_eq!(texts, families);
        let file = include_str!("../../../data/oeis/families.toml");
        for name in FAMILIES.shared.keys() {
            assert!(file.contains(&format!("{{{name}}}")), "{name} is not used");
        }
        for id in FAMILIES.moments.keys() {
            assert!(algorithms::find(id).is_ok(), "{id} is not an algorithm");
        }
        for sequence in all {
            let id = sequence.id();
            let entry = entry(&sequence);
            assert!(entry.pari.is_some() && entry.python.is_some(), "{id}");
            let mut marks: Vec<String> = FAMILIES.shared.keys().cloned().collect();
            marks.extend(["coin", "die", "fdr", "method", "moments"].map(String::from));
            for name in ["source", "base", "step", "x", "rounds", "algorithm"] {
                marks.extend([name.to_string(), format!("{name}-1")]);
            }
            let text = format!("{entry:?}");
            assert!(text.is_ascii(), "{id}");
            for mark in marks {
                assert!(!text.contains(&format!("{{{mark}}}")), "{id}: {mark}");
            }
        }
    }

    /// Lines about a coin or about one algorithm do not appear in the entries of other members.
    #[test]
    fn an_entry_has_only_lines_about_its_member() {
        let entry = |id: &str| entry(&sequences::find(id).unwrap());
        let said = entry("expected-numerator:source=6");
        assert_eq!(said.formulas, ["E(n) = Sum_{t>=0} (6^t mod n)/6^t"]);
        assert_eq!(
            said.examples,
            ["The powers of 6 modulo 14 are 1, 6, 8, 6, 8, ..., which gives a(14) = 79."]
        );
        let said = entry("expected-numerator:algorithm=rejection");
        assert!(said.formulas.is_empty() && said.examples.is_empty());
        let pari = said.pari.as_deref().unwrap();
        assert!(
            pari.contains("moments(m, n)") && pari.ends_with("[1]);"),
            "{pari}"
        );
        assert_eq!(
            said.title,
            "Numerator of the expected number of flips of a coin that simulate a fair n-sided die by rejection (bit length)"
        );
        assert_eq!(entry("expected-numerator").formulas.len(), 2);
        // the example about a coin agrees with the two sequences
        let first = |id| sequences::find(id).unwrap().first(6).unwrap();
        let (above, below) = (first("variance-numerator"), first("variance-denominator"));
        let values = above.into_iter().zip(below);
        let values = values.map(|(p, q)| flipcost_number::Rational::new(p, q).to_string());
        let list = values.collect::<Vec<_>>().join(", ");
        assert!(
            entry("variance-numerator").examples[0].contains(&list),
            "{list}"
        );
        assert!(
            entry("mr-period:base=4")
                .definition
                .contains("so 3 for divisors of powers of 4")
        );
        assert!(entry("period:source=3").comments.len() < entry("period").comments.len());
    }
}
