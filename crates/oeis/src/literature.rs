//! The bibliography, `data/oeis/literature.bib`: the works that describe the algorithms, and those
//! with which the book compares its own results.
//!
//! A citation ([`flipcost::algorithms::About`]) names a work by its shorthand, for example "Kozen
//! 2014". A work can be rendered as a reader cites it, as BibTeX, and as the OEIS lists it.

const BIBLIOGRAPHY: &str = include_str!("../../../data/oeis/literature.bib");

/// A published work: a record of the bibliography.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    record: &'static str,
}

/// A line of an entry of the OEIS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryLine {
    /// A reference, a %D line.
    Reference(String),
    /// A link, a %H line.
    Link(String),
}

/// Returns all works, in the order of the file.
pub fn works() -> impl Iterator<Item = Publication> {
    let records = BIBLIOGRAPHY.split("\n\n").map(str::trim);
    let records = records.filter(|record| record.starts_with('@'));
    records.map(|record| Publication { record })
}

/// Returns the works whose shorthand occurs in these sentences (with `and` instead of `&`), in the
/// order of the file.
pub fn named_in_sentences(sentences: &[String]) -> Vec<Publication> {
    let is_named = |work: &Publication| {
        let name = work.shorthand().replace('&', "and");
        sentences.iter().any(|sentence| sentence.contains(&name))
    };
    works().filter(is_named).collect()
}

/// Returns the works that a citation names, in its order.
pub fn named_in(citation: &str) -> Vec<Publication> {
    let place = |work: Publication| Some((citation.find(&work.shorthand())?, work));
    let mut named: Vec<(usize, Publication)> = works().filter_map(place).collect();
    named.sort_by_key(|(place, _)| *place);
    named.into_iter().map(|(_, work)| work).collect()
}

/// Returns the work of this label.
pub fn labelled(label: &str) -> Option<Publication> {
    works().find(|work| work.label() == label)
}

impl Publication {
    /// Returns the work's name in BibTeX, for example `kozen2014`.
    pub fn label(&self) -> &'static str {
        let rest = self.record.split_once('{').map_or("", |(_, rest)| rest);
        rest.split(',').next().unwrap_or_default()
    }

    /// Returns the work's shorthand in citations, for example "Kozen 2014".
    pub fn shorthand(&self) -> String {
        self.text_of("shorthand")
    }

    /// Returns the value of a field as plain text, if the record has it.
    fn field(&self, name: &str) -> Option<String> {
        let mut lines = self.record.lines();
        let value = lines.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(" = {"))?;
        Some(value.trim_end_matches(',').replace(['{', '}', '\\'], ""))
    }

    fn text_of(&self, name: &str) -> String {
        self.field(name).unwrap_or_default()
    }

    fn pages(&self) -> String {
        self.text_of("pages").replace("--", "-")
    }

    /// Returns the work's address on the web, if that is known.
    fn address(&self) -> Option<String> {
        let doi = self
            .field("doi")
            .map(|doi| format!("https://doi.org/{doi}"));
        let arxiv = || Some(format!("https://arxiv.org/abs/{}", self.field("eprint")?));
        doi.or_else(arxiv).or_else(|| self.field("url"))
    }

    /// Returns the citation for readers: authors, year, title, venue.
    pub fn text(&self) -> String {
        let title = self.text_of("title");
        let year = self.field("year").unwrap_or("undated".to_string());
        let mut text = match self.field("author") {
            Some(authors) => format!("{} ({year}). {title}.", authors.replace(" and ", ", ")),
            None => format!("{title} ({year})."),
        };
        if let Some(journal) = self.field("journal") {
            let (volume, number) = (self.text_of("volume"), self.text_of("number"));
            text += &format!(" {journal} {volume}({number}), {}.", self.pages());
        } else if let Some(book) = self.field("booktitle") {
            let publisher = self.text_of("publisher");
            text += &format!(" In {book}, {publisher}, {}.", self.pages());
        } else if let Some(number) = self.field("eprint") {
            text += &format!(" arXiv:{number}.");
        }
        match self.address() {
            Some(address) => format!("{text} {address}"),
            None => text,
        }
    }

    /// Returns the line for the OEIS, in ASCII: a link if the work has an address, otherwise a
    /// reference.
    pub fn oeis(&self) -> EntryLine {
        let authors = self.field("author").map(|authors| format!("{authors}, "));
        let authors = authors.unwrap_or_default();
        let mut line = authors.replace('é', "e").replace('î', "i");
        let title = self.text_of("title");
        let address = self.address();
        line += &match &address {
            Some(address) => format!("<a href=\"{address}\">{title}</a>"),
            None => title,
        };
        let year = self.field("year").map(|year| format!(", {year}"));
        let year = year.unwrap_or_default();
        if let Some(book) = self.field("booktitle") {
            let editor = self.field("editor").map(|name| format!("{name} (ed.), "));
            let (editor, publisher) = (editor.unwrap_or_default(), self.text_of("publisher"));
            line += &format!(
                ", in {editor}{book}, {publisher}{year}, pp. {}",
                self.pages()
            );
        } else if let Some(journal) = self.field("journal") {
            let (volume, number) = (self.text_of("volume"), self.text_of("number"));
            line += &format!(", {journal} {volume}:{number}, pp. {}{year}", self.pages());
        } else if let Some(number) = self.field("eprint") {
            let class = self.field("primaryclass");
            let class = class.map_or(String::new(), |class| format!(" [{class}]"));
            line += &format!(", arXiv:{number}{class}{year}");
        } else {
            line += &year;
        }
        line.push('.');
        match address {
            Some(_) => EntryLine::Link(line),
            None => EntryLine::Reference(line),
        }
    }

    /// Returns the BibTeX record, without its shorthand.
    pub fn bibtex(&self) -> String {
        let lines = self.record.lines();
        let lines = lines.filter(|line| !line.starts_with("  shorthand = "));
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::REGISTRY;
    use std::collections::BTreeSet;

    #[test]
    fn every_algorithm_has_its_work() {
        for algorithm in REGISTRY.iter() {
            let about = algorithm.about();
            let works = named_in(about.citation);
            let (id, citation) = (about.id, about.citation);
            assert!(
                !works.is_empty(),
                "{id}: no work of \"{citation}\" is in the bibliography"
            );
        }
    }

    #[test]
    fn the_oeis_lists_works_in_ascii() {
        let sentences = ["Knuth and Yao 1976 and Lumbroso 2013".to_string()];
        let named = named_in_sentences(&sentences);
        let listed: Vec<EntryLine> = named.iter().map(Publication::oeis).collect();
        let [EntryLine::Link(paper), EntryLine::Reference(book)] = &listed[..] else {
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
        for work in works() {
            let (EntryLine::Reference(line) | EntryLine::Link(line)) = work.oeis();
            assert!(line.is_ascii() && line.ends_with('.'), "{line}");
        }
    }

    /// Checks what the parser of the file assumes: each field is one line, all required fields are
    /// present, and no label occurs twice.
    #[test]
    fn the_file_has_the_form_that_the_parser_assumes() {
        let known = [
            "shorthand",
            "author",
            "title",
            "year",
            "journal",
            "volume",
            "number",
            "pages",
            "doi",
            "editor",
            "booktitle",
            "publisher",
            "eprint",
            "archiveprefix",
            "primaryclass",
            "url",
        ];
        let mut labels = BTreeSet::new();
        for work in works() {
            let record = work.record;
            let count = |c: char| record.matches(c).count();
            assert_eq!(count('{'), count('}'), "{record}");
            let lines: Vec<&str> = record.lines().collect();
            let (first, fields) = lines.split_first().unwrap();
            assert_eq!(
                *first,
                format!(
                    "@{}{{{},",
                    &first[1..first.find('{').unwrap()],
                    work.label()
                )
            );
            let (last, fields) = fields.split_last().unwrap();
            assert_eq!(*last, "}");
            for (place, line) in fields.iter().enumerate() {
                let (name, value) = line.strip_prefix("  ").unwrap().split_once(" = {").unwrap();
                let end = if place + 1 == fields.len() { "}" } else { "}," };
                assert!(known.contains(&name) && value.ends_with(end), "{line}");
            }
            assert!(
                work.field("shorthand").is_some() && work.field("title").is_some(),
                "{record}"
            );
            assert!(labels.insert(work.label()), "{record}");
        }
        assert_eq!(labels.len(), BIBLIOGRAPHY.matches("\n@").count());
    }
}
