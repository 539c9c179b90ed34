//! The question `oeis identify`: which entries of the OEIS contain given terms.

use super::sequence::SequenceId;
use crate::identify::{self, MatchingEntry, TermSearch};
use crate::questions::SequenceList;
use crate::{ANumber, OeisFileError, list, stripped, text};
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost_number::BigInt;
use flipcost_number::threads::Workers;
use flipcost_question::prelude::*;
use flipcost_question::texts;
use std::fmt;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

/// Integers, written as a list `1,-1,2`; an unknown integer is `None` and is written `_` or `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermList(pub Vec<Option<BigInt>>);

impl FromStr for TermList {
    type Err = OeisFileError;

    fn from_str(text: &str) -> Result<TermList, OeisFileError> {
        list::parse_with_gaps("TERMS", text.as_bytes()).map(TermList)
    }
}

impl fmt::Display for TermList {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, term) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            match term {
                Some(term) => write!(f, "{term}")?,
                None => f.write_str("_")?,
            }
        }
        Ok(())
    }
}

question! {
    /// Find the OEIS entries and the sequences of flipcost that contain given terms, even if the
    /// terms are shifted or multiplied, or are differences or sums of the entry
    ///
    /// In a row, from_term is the position in the entry, counted from 1, at which the given terms
    /// begin. agree is how many of the given terms the entry has; leading_differ is how many of the
    /// first given terms differ from the entry or come before its start; beyond_its_end is how many
    /// come after its last known term. sequence is the id under which flipcost computes the entry.
    ///
    /// A row for each entry of the OEIS, and each sequence of the engine, that contains the given
    /// terms, the best first. The terms may have the opposite sign, be shifted or multiplied by a
    /// constant, or be the differences or sums of the entry. Differences and sums are searched only
    /// if all given terms are known. Sequences of the engine that belong to the same entry share
    /// its row.
    ///
    pub struct OeisIdentify: "oeis-identify", "oeis identify" {
        /// The terms, such as 1,1,1,1,2,1,1,1,3; _ or ? stands for a term that is not known
        terms: Option<TermList>; word("TERMS").dash(),
        /// Identify a named sequence, by its id
        sequence: Option<SequenceId>; option("ID").without(&["terms"]),
        /// The OEIS's file stripped or stripped.gz [default: only the terms inside the program]
        stripped: Option<PathBuf>; option("FILE"),
        /// The OEIS's file names or names.gz, for the titles
        names: Option<PathBuf>; option("FILE"),
        /// List at most this many entries
        limit: NonZeroU64 = LIMIT; option("K"),
    }
    purpose: Sequences
    examples: [
        "oeis identify 1,1,1,1,2,1,1,1,3",
        "oeis identify --sequence mr-period:base=3 --stripped stripped.gz",
    ]
}

/// The default number of entries that are listed.
const LIMIT: NonZeroU64 = NonZeroU64::new(20).unwrap();
/// The number of terms of a named sequence that are searched for.
const IDENTIFYING_TERMS: u64 = 40;

impl OeisIdentify {
    fn terms(&self, control: &Control) -> Result<Vec<Option<BigInt>>, QueryError> {
        match (&self.terms, &self.sequence) {
            (Some(TermList(terms)), None) => Ok(terms.clone()),
            (None, Some(id)) => {
                let sequence = super::sequence::find("sequence", id)?;
                let count = sequence
                    .practical()
                    .unwrap_or(u64::MAX)
                    .min(IDENTIFYING_TERMS);
                let terms = Workers::new(control.threads).run(|| sequence.first(count));
                let terms = terms.map_err(QueryError::input)?;
                Ok(terms.into_iter().map(Some).collect())
            }
            (None, None) => Err(QueryError::wrong("terms", "nothing to identify is given")
                .right("give terms, or the id of a sequence")),
            (Some(_), Some(_)) => {
                let what =
                    "terms and a sequence are given, but only one of the two can be identified";
                Err(QueryError::wrong("sequence", what).right("give one"))
            }
        }
    }

    /// Returns the note about the sequences of the engine that contain the terms.
    fn own_matches_note(&self, own: &identify::SearchMatches) -> Sentence {
        let some = match own.total {
            0 => "none".to_string(),
            count => count.to_string(),
        };
        let hold = match own.total {
            0 | 1 => "holds",
            _ => "hold",
        };
        let (searched, all) = (own.searched, SequenceList { word: None });
        say!(
            "of the {searched} sequences that flipcost computes, {some} {hold} the terms among their first {SEARCHED_OWN_TERMS}; ",
            all,
            " names all"
        )
    }

    fn note(&self, outcome: &identify::SearchMatches) -> Sentence {
        let (total, shown) = (outcome.total, outcome.found.len() as u64);
        let entries = match total {
            0 => "no entry holds".to_string(),
            1 => "1 entry holds".to_string(),
            count => format!("{count} entries hold"),
        };
        let more = if total > shown {
            format!(", the best {shown} are named")
        } else {
            String::new()
        };
        let searched = outcome.searched;
        match self.stripped {
            Some(_) => say!("{entries} the terms{more}; {searched} were searched"),
            None => say!(
                "{entries} the terms{more}; only the {searched} entries inside the program were searched: ",
                field("stripped").is("stripped.gz"),
                " searches the whole OEIS"
            ),
        }
    }
}

/// A reader that fails as soon as the user has stopped the question.
struct Stoppable<'a, R> {
    reader: R,
    control: &'a Control,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.control.go_on().map_err(io::Error::other)?;
        self.reader.read(buffer)
    }
}

/// How many terms of each sequence of the engine are searched.
const SEARCHED_OWN_TERMS: u64 = 100;

/// Searches the first terms of every sequence of the engine, on the threads of the control.
fn search_registry(
    search: &TermSearch,
    control: &Control,
) -> Result<(Vec<Sequence>, identify::SearchMatches), QueryError> {
    let all = sequences::all();
    let workers = Workers::new(control.threads);
    let mut text = Vec::new();
    for (at, sequence) in all.iter().enumerate() {
        control.go_on()?;
        let count = sequence
            .practical()
            .unwrap_or(u64::MAX)
            .min(SEARCHED_OWN_TERMS);
        let terms = workers.run(|| sequence.first(count));
        let terms = terms.map_err(QueryError::input)?;
        let place = ANumber::new(at as u32 + 1).expect("there are not so many sequences");
        // Writing to memory cannot fail.
        let _ = stripped::write_line(&mut text, place, &terms);
    }
    let found = identify::search("the terms of flipcost", &text[..], search);
    Ok((all, found.map_err(QueryError::input)?))
}

/// An entry that was found, and the sequences of the engine that compute it.
struct Match<'a> {
    found: MatchingEntry,
    own: Vec<&'a Sequence>,
}

impl<'a> Match<'a> {
    /// Returns a match for a sequence of the engine. The index of the sequence in the list replaces
    /// an A-number.
    fn from_own_sequence(mut found: MatchingEntry, all: &'a [Sequence]) -> Match<'a> {
        let own = &all[found.a_number.number() as usize - 1];
        found.name = Some(crate::entry_of_sequence::entry(own).title);
        Match {
            found,
            own: vec![own],
        }
    }

    fn a_number(&self) -> Option<String> {
        match self.own.first() {
            Some(own) => own.a_number().map(String::from),
            None => Some(self.found.a_number.to_string()),
        }
    }

    /// Returns whether both matches name the same entry with the same relation to the terms.
    fn has_same_entry_and_relation(&self, other: &Match) -> bool {
        let way = |one: &Match| {
            let mut cells = match_row(one);
            cells.truncate(ENTRY_COLUMNS);
            cells
        };
        self.a_number().is_some() && way(self) == way(other)
    }
}

/// The number of columns at the start of a row that name the entry and its relation to the terms.
const ENTRY_COLUMNS: usize = 6;

fn match_row(one: &Match) -> Vec<Cell> {
    let found = &one.found;
    let mut cells = row![
        one.a_number(),
        found.relation.to_string(),
        found.position + 1,
        found.matched,
        found.mismatches + found.dropped,
        found.beyond,
        found.name.clone()
    ];
    let own: Vec<&str> = one.own.iter().map(|own| own.id()).collect();
    cells.push(if own.is_empty() {
        Cell::Empty
    } else {
        Cell::Text(own.join(" and "))
    });
    cells
}

impl Question for OeisIdentify {
    fn summary(&self, answer: &Answer) -> String {
        if answer.rows.is_empty() {
            return "no known entry has these terms".to_string();
        }
        let name = match (answer.cell(0, "a_number"), answer.cell(0, "sequence")) {
            (Cell::Empty, sequence) => sequence.to_string(),
            (number, _) => number.to_string(),
        };
        let title = answer.cell(0, "title");
        let more = match answer.rows.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        format!("these are the terms of {name}, {title}{more}")
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let mut search = TermSearch::with_gaps(self.terms(control)?);
        search.limit = usize::try_from(self.limit.get()).unwrap_or(usize::MAX);
        let outcome = match &self.stripped {
            Some(path) => {
                let reader = text::open(path).map_err(QueryError::for_field("stripped"))?;
                let reader = Stoppable { reader, control };
                identify::search(&text::display_name(path), reader, &search)
            }
            None => identify::in_published(&search),
        };
        control.go_on()?; // after a stop, the error of the search does not matter
        let mut outcome = outcome.map_err(QueryError::input)?;
        if let Some(file) = &self.names {
            identify::add_names(file, &mut outcome.found)
                .map_err(QueryError::for_field("names"))?;
        }
        let head = Head::new()
            .columns(CellKind::Text, ["a_number", "holds"])
            .column("from_term", CellKind::Count)
            .measured("agree", CellKind::Count, "terms")
            .measured("leading_differ", CellKind::Count, "terms")
            .measured("beyond_its_end", CellKind::Count, "terms")
            .column("title", CellKind::Text)
            .answers()
            .column("sequence", CellKind::Text)
            .answers();
        let (all, own) = search_registry(&search, control)?;
        sink.head(&head)?;
        let mut notes = vec![self.note(&outcome)];
        notes.push(self.own_matches_note(&own));
        let mut matches: Vec<Match> = Vec::new();
        for found in own.found {
            let one = Match::from_own_sequence(found, &all);
            match matches
                .iter_mut()
                .find(|other| other.has_same_entry_and_relation(&one))
            {
                Some(other) => other.own.extend(one.own),
                None => matches.push(one),
            }
        }
        // The engine may compute an entry that was found. This entry already has a row, which gets
        // the title of the entry.
        for found in outcome.found {
            let number = Some(found.a_number.to_string());
            let mut known = false;
            for one in matches.iter_mut().filter(|one| !one.own.is_empty()) {
                if one.a_number() == number {
                    known = true;
                    one.found.name = found.name.clone().or(one.found.name.take());
                }
            }
            if !known {
                let own = Vec::new();
                matches.push(Match { found, own });
            }
        }
        matches.sort_by_key(|one| one.found.key());
        matches.truncate(search.limit);
        sink.rows(matches.iter().map(match_row).collect())?;
        sink.foot(Foot {
            notes,
            ..Foot::default()
        })
    }

    fn names_a_file(&self) -> bool {
        self.stripped.is_some() || self.names.is_some()
    }
}

texts! { TermList, "TermsLike" }
