//! Which entries of the OEIS hold given terms.

use crate::oeis_check::size;
use crate::value::{as_text, path_as_text, word};
use crate::{CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink};
use flipcost::number::BigInt;
use flipcost::sequences;
use flipcost::table::Cell;
use flipcost::unstable::sweep::Workers;
use flipcost_oeis::identify::{self, Found, Search};
use flipcost_oeis::{Refusal, list, text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;
use std::str::FromStr;

/// Integers, as a list that is written `1,-1,2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms(pub Vec<BigInt>);

impl FromStr for Terms {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Terms, Refusal> {
        list::parse("TERMS", text.as_bytes()).map(Terms)
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, term) in self.0.iter().enumerate() {
            write!(f, "{}{term}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

as_text!(Terms);

/// The entries of the OEIS that hold given terms, as they are or with the other sign, plus or times
/// a constant, as differences or sums: a row for each, the best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OeisIdentify {
    /// The terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Terms>,
    /// Instead, the first terms of a named sequence, by its A-number or its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// The OEIS's file `stripped` or `stripped.gz`, a path as the one who runs the query sees it;
    /// `None` for the terms that the library holds.
    #[serde(
        serialize_with = "path_as_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub stripped: Option<PathBuf>,
    /// The OEIS's file `names` or `names.gz`, for the titles.
    #[serde(
        serialize_with = "path_as_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub names: Option<PathBuf>,
    /// The most entries that are named.
    #[serde(deserialize_with = "word")]
    pub limit: u64,
}

/// The most entries that are named, unless it is said.
const LIMIT: u64 = 20;
/// The terms by which a named sequence is identified.
const IDENTIFIED_BY: u64 = 40;

impl Default for OeisIdentify {
    fn default() -> Self {
        OeisIdentify {
            terms: None,
            sequence: None,
            stripped: None,
            names: None,
            limit: LIMIT,
        }
    }
}

impl OeisIdentify {
    fn terms(&self, control: &Control) -> Result<Vec<BigInt>, QueryError> {
        match (&self.terms, &self.sequence) {
            (Some(Terms(terms)), None) => Ok(terms.clone()),
            (None, Some(id)) => {
                let sequence = sequences::find(id).map_err(QueryError::input)?;
                let count = sequence.practical().unwrap_or(u64::MAX).min(IDENTIFIED_BY);
                let terms = Workers::new(control.threads).run(|| sequence.first(count));
                terms.map_err(QueryError::input)
            }
            (None, None) => Err(QueryError::input(
                "what is to be identified is not said: give terms, or the id of a sequence",
            )),
            (Some(_), Some(_)) => Err(QueryError::input(
                "terms and a sequence are given, and one of them can be identified: give one",
            )),
        }
    }

    fn note(&self, outcome: &identify::Identified) -> String {
        let (total, shown) = (outcome.total, outcome.found.len() as u64);
        let entries = match total {
            0 => "no entry holds".to_string(),
            1 => "1 entry holds".to_string(),
            count => format!("{count} entries hold"),
        };
        let more = match total > shown {
            true => format!(", the best {shown} are named"),
            false => String::new(),
        };
        let searched = outcome.searched;
        match self.stripped {
            Some(_) => format!("{entries} the terms{more}; {searched} were searched"),
            None => format!(
                "{entries} the terms{more}; only the {searched} entries that the program carries were searched: --stripped stripped.gz searches the whole OEIS"
            ),
        }
    }
}

/// A file that ends with an error once the question is stopped.
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

fn row(found: &Found) -> Vec<Cell> {
    let number = |value: usize| Cell::Integer(value.into());
    vec![
        Cell::Text(found.a_number.to_string()),
        Cell::Text(found.relation.to_string()),
        number(found.position + 1),
        number(found.matched),
        number(found.mismatches + found.dropped),
        number(found.beyond),
        found.name.clone().map_or(Cell::Empty, Cell::Text),
    ]
}

impl Question for OeisIdentify {
    fn command(&self) -> CommandLine {
        let line = CommandLine::new("oeis identify");
        let line = match &self.terms {
            Some(terms) => line.word(terms),
            None => line,
        };
        let limit = Some(self.limit).filter(|limit| *limit != LIMIT);
        line.maybe("sequence", self.sequence.as_ref())
            .maybe(
                "stripped",
                self.stripped.as_ref().map(|path| path.display()),
            )
            .maybe("names", self.names.as_ref().map(|path| path.display()))
            .maybe("limit", limit)
    }

    fn estimate(&self) -> Estimate {
        let own = self
            .sequence
            .as_ref()
            .and_then(|id| sequences::find(id).ok());
        let own = own.map_or(0, |one| {
            one.work(&(one.offset()..=one.offset() + IDENTIFIED_BY))
        });
        let files = [&self.stripped, &self.names].into_iter().flatten();
        let files: u128 = files.map(|path| size(path)).sum();
        Estimate {
            work: own.saturating_add(100 * files + 1_000_000),
            memory: 1 << 24,
            output: 100 * u128::from(self.limit),
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        if self.limit == 0 {
            return Err(QueryError::input("limit must be at least 1, not 0"));
        }
        let mut search = Search::new(self.terms(control)?);
        search.limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let outcome = match &self.stripped {
            Some(path) => {
                let reader = text::open(path).map_err(QueryError::input)?;
                let reader = Stoppable { reader, control };
                identify::search(&text::display_name(path), reader, &search)
            }
            None => identify::in_published(&search),
        };
        control.go_on()?; // what the search says of a file that was stopped is not the matter
        let mut outcome = outcome.map_err(QueryError::input)?;
        if let Some(file) = &self.names {
            identify::add_names(file, &mut outcome.found).map_err(QueryError::input)?;
        }
        let head = Head::new()
            .column("a_number", Kind::Text)
            .column("holds", Kind::Text)
            .column("from_term", Kind::Count)
            .measured("agree", Kind::Count, "terms")
            .measured("leading_differ", Kind::Count, "terms")
            .measured("beyond_its_end", Kind::Count, "terms")
            .column("title", Kind::Text);
        sink.head(&head)?;
        sink.rows(outcome.found.iter().map(row).collect())?;
        let mut foot = Foot::default();
        foot.note(self.note(&outcome));
        sink.foot(foot)
    }
}
