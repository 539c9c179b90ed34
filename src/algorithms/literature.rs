//! The works that the algorithms come from, and those that the book compares itself with, once each.
//!
//! A work is found by its `key`, which stands in the citation of an algorithm ([`super::About`]), and,
//! with `and` for `&`, in what is said of a sequence; what is not known of a work is left out. It is
//! written as a reader cites it, as BibTeX, and as the OEIS lists it.

mod works;

pub use works::WORKS;

/// A published work.
pub struct Work {
    /// How a citation names it.
    pub key: &'static str,
    /// Its name in BibTeX.
    pub label: &'static str,
    /// The authors; none where the work names none.
    pub authors: &'static [&'static str],
    /// The title.
    pub title: &'static str,
    /// The year; 0 where the work has none.
    pub year: u16,
    /// Where it appeared.
    pub venue: Venue,
}

/// A line of an entry of the OEIS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Of its references.
    Reference(String),
    /// Of its links.
    Link(String),
}

/// Where a work appeared.
pub enum Venue {
    /// An article of a journal.
    Journal {
        /// Its name.
        name: &'static str,
        /// Its volume and number.
        issue: (u16, u16),
        /// The first page and the last.
        pages: (u16, u16),
        /// The DOI; empty where it is not known here.
        doi: &'static str,
    },
    /// A chapter of a book.
    Book {
        /// Its title.
        title: &'static str,
        /// Its editor; none where it names none.
        editor: &'static str,
        /// Who published it.
        publisher: &'static str,
        /// The first page and the last.
        pages: (u16, u16),
    },
    /// A paper on the arXiv.
    Arxiv {
        /// Its number.
        number: &'static str,
        /// Its first subject class; none where it is not known here.
        class: &'static str,
    },
    /// A page of the web.
    Web(&'static str),
    /// Nothing more is known.
    Unknown,
}

/// The works that these sentences name by their key, with `and` for `&`, in the order of [`WORKS`].
pub(crate) fn said_in(sentences: &[String]) -> Vec<&'static Work> {
    let said = |work: &&Work| {
        let key = work.key.replace('&', "and");
        sentences.iter().any(|sentence| sentence.contains(&key))
    };
    WORKS.iter().filter(said).collect()
}

/// The works that a citation names, in its order.
pub fn named_in(citation: &str) -> Vec<&'static Work> {
    let place = |work: &&Work| citation.find(work.key);
    let mut works: Vec<&Work> = WORKS.iter().filter(|work| place(work).is_some()).collect();
    works.sort_by_key(place);
    works
}

/// The work of this label.
pub fn labelled(label: &str) -> Option<&'static Work> {
    WORKS.iter().find(|work| work.label == label)
}

impl Work {
    /// As a reader cites it: authors, year, title, venue.
    pub fn text(&self) -> String {
        let year = match self.year {
            0 => " (undated)".to_string(),
            year => format!(" ({year})"),
        };
        let venue = match &self.venue {
            Venue::Journal {
                name,
                issue: (volume, number),
                pages: (first, last),
                doi,
            } => {
                let address = match *doi {
                    "" => String::new(),
                    doi => format!(" https://doi.org/{doi}"),
                };
                format!(" {name} {volume}({number}), {first}-{last}.{address}")
            }
            Venue::Book {
                title,
                publisher,
                pages: (first, last),
                ..
            } => format!(" In {title}, {publisher}, {first}-{last}."),
            Venue::Arxiv { number, .. } => {
                format!(" arXiv:{number}. https://arxiv.org/abs/{number}")
            }
            Venue::Web(address) => format!(" {address}"),
            Venue::Unknown => String::new(),
        };
        match self.authors {
            [] => format!("{}{year}.{venue}", self.title),
            authors => format!("{}{year}. {}.{venue}", authors.join(", "), self.title),
        }
    }

    /// Where it can be read; `None` if that is not known.
    fn address(&self) -> Option<String> {
        match &self.venue {
            Venue::Journal { doi: "", .. } => None,
            Venue::Journal { doi, .. } => Some(format!("https://doi.org/{doi}")),
            Venue::Arxiv { number, .. } => Some(format!("https://arxiv.org/abs/{number}")),
            Venue::Web(address) => Some(address.to_string()),
            Venue::Book { .. } | Venue::Unknown => None,
        }
    }

    /// As the OEIS lists it: a link where the work has an address, else a reference. ASCII.
    pub(crate) fn oeis(&self) -> Listed {
        let authors = self.authors.join(" and ");
        let authors = authors.replace('é', "e").replace('î', "i");
        let address = self.address();
        let title = match &address {
            Some(address) => format!("<a href=\"{address}\">{}</a>", self.title),
            None => self.title.to_string(),
        };
        let venue = match &self.venue {
            Venue::Journal {
                name,
                issue: (volume, number),
                pages: (first, last),
                ..
            } => format!(", {name} {volume}:{number}, pp. {first}-{last}"),
            Venue::Book {
                title,
                editor,
                publisher,
                pages: (first, last),
            } => {
                let editor = match *editor {
                    "" => String::new(),
                    name => format!("{name} (ed.), "),
                };
                let year = self.year;
                return Listed::Reference(format!(
                    "{authors}, {}, in {editor}{title}, {publisher}, {year}, pp. {first}-{last}.",
                    self.title
                ));
            }
            Venue::Arxiv { number, class: "" } => format!(", arXiv:{number}"),
            Venue::Arxiv { number, class } => format!(", arXiv:{number} [{class}]"),
            Venue::Web(_) | Venue::Unknown => String::new(),
        };
        let year = match self.year {
            0 => String::new(),
            year => format!(", {year}"),
        };
        let by = match authors.as_str() {
            "" => String::new(),
            authors => format!("{authors}, "),
        };
        let line = format!("{by}{title}{venue}{year}.");
        match address {
            Some(_) => Listed::Link(line),
            None => Listed::Reference(line),
        }
    }

    /// As BibTeX.
    pub fn bibtex(&self) -> String {
        let mut fields = Vec::new();
        let mut add = |name: &'static str, value: String| fields.push((name, value));
        if !self.authors.is_empty() {
            let author = |author: &&str| {
                if author.starts_with("The ") {
                    format!("{{{author}}}")
                } else {
                    author.to_string()
                }
            };
            let authors: Vec<String> = self.authors.iter().map(author).collect();
            add("author", authors.join(" and "));
        }
        add("title", format!("{{{}}}", self.title));
        if self.year > 0 {
            add("year", self.year.to_string());
        }
        let pages = |(first, last): (u16, u16)| format!("{first}--{last}");
        let kind = match &self.venue {
            Venue::Journal {
                name,
                issue: (volume, number),
                pages: both,
                doi,
            } => {
                add("journal", name.to_string());
                add("volume", volume.to_string());
                add("number", number.to_string());
                add("pages", pages(*both));
                if !doi.is_empty() {
                    add("doi", doi.to_string());
                }
                "article"
            }
            Venue::Book {
                title,
                editor,
                publisher,
                pages: both,
            } => {
                if !editor.is_empty() {
                    add("editor", editor.to_string());
                }
                add("booktitle", title.to_string());
                add("publisher", publisher.to_string());
                add("pages", pages(*both));
                "incollection"
            }
            Venue::Arxiv { number, class } => {
                add("eprint", number.to_string());
                add("archiveprefix", "arXiv".to_string());
                if !class.is_empty() {
                    add("primaryclass", class.to_string());
                }
                "misc"
            }
            Venue::Web(address) => {
                add("url", address.to_string());
                "misc"
            }
            Venue::Unknown => "misc",
        };
        bibtex(kind, self.label, &fields)
    }
}

/// A record of BibTeX; what has a meaning in TeX is escaped.
pub fn bibtex(kind: &str, label: &str, fields: &[(&str, String)]) -> String {
    let escaped = |name: &str, value: &str| match name {
        "url" | "doi" | "eprint" => value.to_string(),
        _ => value
            .replace('&', "\\&")
            .replace('_', "\\_")
            .replace('%', "\\%"),
    };
    let fields = fields.iter();
    let fields = fields.map(|(name, value)| format!("  {name} = {{{}}}", escaped(name, value)));
    let fields: Vec<String> = fields.collect();
    format!("@{kind}{{{label},\n{}\n}}", fields.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{REGISTRY, find};
    use std::collections::BTreeSet;

    #[test]
    fn every_algorithm_has_its_work() {
        for algorithm in REGISTRY.iter().copied().chain(find("mossel-peres")) {
            let about = algorithm.about();
            let works = named_in(about.citation);
            assert!(
                !works.is_empty(),
                "{}: no work of \"{}\" is in WORKS",
                about.id,
                about.citation
            );
        }
        let labels: BTreeSet<&str> = WORKS.iter().map(|work| work.label).collect();
        assert_eq!(labels.len(), WORKS.len());
    }

    #[test]
    fn the_oeis_lists_works_in_ascii() {
        let sentences = ["Knuth and Yao 1976 and Lumbroso 2013".to_string()];
        let listed: Vec<Listed> = said_in(&sentences).iter().map(|work| work.oeis()).collect();
        let [Listed::Link(paper), Listed::Reference(book)] = &listed[..] else {
            panic!("{listed:?}");
        };
        assert_eq!(
            paper,
            "Jeremie Lumbroso, <a href=\"https://arxiv.org/abs/1304.1916\">Optimal Discrete Uniform Generation from Coin Flips, and Applications</a>, arXiv:1304.1916 [cs.DS], 2013."
        );
        assert_eq!(
            book,
            "Donald E. Knuth and Andrew C. Yao, The complexity of nonuniform random number generation, in Joseph F. Traub (ed.), Algorithms and Complexity: New Directions and Recent Results, Academic Press, 1976, pp. 357-428."
        );
        for work in WORKS {
            let (Listed::Reference(line) | Listed::Link(line)) = work.oeis();
            assert!(line.is_ascii() && line.ends_with('.'), "{line}");
        }
    }

    #[test]
    fn braces_of_bibtex_are_closed() {
        for work in WORKS {
            let record = work.bibtex();
            let count = |c: char| record.matches(c).count();
            assert_eq!(count('{'), count('}'), "{record}");
            assert!(record.starts_with('@') && record.contains(work.label));
        }
    }
}
