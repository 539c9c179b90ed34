//! The question `cite`: how to cite the program, an algorithm or a sequence.

use flipcost::algorithms;
use flipcost_oeis::literature::{Publication, labelled, named_in};
use flipcost_oeis::{ANumber, published};
use flipcost_question::prelude::*;

question! {
    /// How to cite flipcost, the source of an algorithm, or an entry of the OEIS
    ///
    /// The answer is a document without rows.
    pub struct Cite: "cite" {
        /// The id of an algorithm, an A-number, or the label of a work such as kozen2014 [default:
        /// flipcost]
        what: Option<String>; word("WHAT"),
        /// The form of the citation
        format: Citation = Citation::Text; option("FORMAT").short('f'),
    }
    purpose: Reference
    examples: ["cite", "cite interval -f bibtex", "cite A136043"]
}

choices! {
    /// A form of citations.
    pub enum Citation {
        /// One line for each work.
        Text = "text",
        /// Records of BibTeX.
        Bibtex = "bibtex",
    }
}

impl Citation {
    fn render(self, text: String, bibtex: impl FnOnce() -> String) -> String {
        match self {
            Citation::Text => text,
            Citation::Bibtex => bibtex(),
        }
    }
}

impl Question for Cite {
    fn summary(&self, answer: &Answer) -> String {
        let what = self.what.as_deref().unwrap_or("flipcost");
        let works = match self.format {
            Citation::Bibtex => "record",
            Citation::Text => "line",
        };
        let text = answer.foot.text.as_deref().unwrap_or_default();
        let count = match self.format {
            Citation::Bibtex => text.lines().filter(|line| line.starts_with('@')).count(),
            Citation::Text => text.lines().count(),
        };
        format!(
            "to cite {what}, copy {}",
            count_with_noun(count as u64, works)
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let text = match &self.what {
            None => cite_program(self.format),
            Some(what) => cite(what, self.format)?,
        };
        sink.head(&Head::new())?;
        sink.foot(Foot::text(format!("{text}\n")))
    }
}

/// Returns the value of the first key with this name in CITATION.cff.
fn citation_value(key: &str) -> &'static str {
    let lines = flipcost::CITATION.lines();
    let mut values = lines.filter_map(|line| {
        let line = line.trim_start_matches([' ', '-']);
        line.strip_prefix(key)?.strip_prefix(": ")
    });
    values.next().expect("a test reads it").trim_matches('"')
}

fn cite_program(format: Citation) -> String {
    let (authors, title) = (citation_value("name"), citation_value("title"));
    let version = env!("CARGO_PKG_VERSION");
    let record = || {
        let fields = [
            ("author", format!("{{{authors}}}")),
            ("title", format!("{{{title}}}")),
            ("note", format!("Software, version {version}")),
        ];
        bibtex_record("misc", "flipcost", &fields)
    };
    format.render(
        format!("{authors}. {title}. Software, version {version}."),
        record,
    )
}

fn cite(what: &str, format: Citation) -> Result<String, QueryError> {
    let found = algorithms::find(what).map(|algorithm| named_in(algorithm.about().citation));
    if let Some(works) = found.ok().filter(|works| !works.is_empty()) {
        let works = works.iter().map(|work| cite_publication(work, format));
        return Ok(works.collect::<Vec<_>>().join("\n"));
    }
    if let Some(work) = labelled(what) {
        return Ok(cite_publication(&work, format));
    }
    if let Ok(number) = what.parse() {
        return Ok(cite_oeis_entry(number, format));
    }
    let ids = algorithms::ids().join(", ");
    let what = say!("\"{what}\" is not a source that can be cited");
    Err(QueryError::wrong("what", what).right(say!("give the id of an algorithm ({ids}), an A-number such as A136043, the label of a work such as kozen2014, or nothing for flipcost itself")))
}

fn cite_publication(work: &Publication, format: Citation) -> String {
    format.render(work.text(), || work.bibtex())
}

/// Returns a record of BibTeX; characters with a special meaning in TeX are escaped.
fn bibtex_record(kind: &str, label: &str, fields: &[(&str, String)]) -> String {
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

/// Returns the citation of an OEIS entry in the form that the OEIS asks for. If the program
/// contains the terms of the entry, the title and the year are those of the program's copy.
fn cite_oeis_entry(number: ANumber, format: Citation) -> String {
    let address = format!("https://oeis.org/{number}");
    let title = published::find(number).map(|entry| entry.title);
    let year = published::YEAR;
    let named = title
        .as_ref()
        .map_or(String::new(), |title| format!("{title}, "));
    let record = || {
        let title = match &title {
            Some(title) => format!("{title}, Entry {number} in "),
            None => format!("Entry {number} in "),
        };
        let fields = [
            ("author", "{OEIS Foundation Inc.}".to_string()),
            (
                "title",
                format!("{{{title}The On-Line Encyclopedia of Integer Sequences}}"),
            ),
            ("year", year.to_string()),
            ("url", address.clone()),
        ];
        bibtex_record("misc", &format!("oeis-{number}"), &fields)
    };
    format.render(
        format!("OEIS Foundation Inc. ({year}), {named}Entry {number} in The On-Line Encyclopedia of Integer Sequences, {address}"),
        record,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_cited_as_citation_cff_says() {
        let text = cite_program(Citation::Text);
        assert!(
            text.starts_with("The flipcost authors. flipcost: what it costs"),
            "{text}"
        );
        assert!(flipcost::CITATION.contains("cff-version: 1.2.0"));
        assert!(cite_program(Citation::Bibtex).starts_with("@misc{flipcost,\n  author = {{The"));
    }

    #[test]
    fn algorithms_and_oeis_entries_are_cited() {
        let text = |what| cite(what, Citation::Text).map_err(|error| error.to_string());
        let fdr = text("fast-dice-roller").unwrap();
        let lines: Vec<&str> = fdr.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].starts_with("Jérémie Lumbroso (2013). Optimal")
                && lines[0].ends_with("https://arxiv.org/abs/1304.1916")
        );
        assert!(lines[1].ends_with("Academic Press, 357-428."));
        let interval = cite("interval", Citation::Bibtex).unwrap();
        assert!(
            interval.starts_with("@article{han-hoshi1997,")
                && interval.contains("pages = {599--611}")
        );
        let kozen = text("kozen2014").unwrap();
        assert!(kozen.starts_with("Dexter Kozen (2014). Optimal Coin Flipping."));
        let known = text("A136043").unwrap();
        assert!(
            known.starts_with("OEIS Foundation Inc. (2026), ")
                && known.ends_with("https://oeis.org/A136043")
        );
        let other = text("A000040").unwrap();
        assert!(other.contains(", Entry A000040 in"), "{other}");
        assert!(
            text("cpython-randbelow")
                .unwrap_err()
                .contains("not a source")
        );
        assert!(text("lumbroso").unwrap_err().contains("not a source"));
    }
}
