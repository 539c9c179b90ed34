//! `flipcost cite`: how to cite the program, an algorithm or a sequence.

use super::{Failure, answer};
use clap::ValueEnum;
use flipcost_query::{Citation, Query};

/// How to cite flipcost, the source of an algorithm, or an entry of the OEIS
#[derive(clap::Args)]
pub struct Cite {
    /// The id of an algorithm, an A-number, or the id of a sequence that has one [default: flipcost]
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// The form of the citation
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: CiteFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CiteFormat {
    /// One line for each work
    Text,
    /// Records of BibTeX
    Bibtex,
}

impl Cite {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Cite {
            what: self.what.clone(),
            format: match self.format {
                CiteFormat::Text => Citation::Text,
                CiteFormat::Bibtex => Citation::Bibtex,
            },
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        answer::write_text(None, answer.foot.text.as_deref().unwrap_or_default())
    }
}
