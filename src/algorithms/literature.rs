//! The works that the algorithms come from, once each.
//!
//! A work is found by its `key`, which stands in the citation of an algorithm ([`super::About`]), and,
//! with `and` for `&`, in what is said of a sequence; what is not known of a work is left out. It is
//! written as a reader cites it, as BibTeX, and as the OEIS lists it.

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
        /// The DOI.
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

/// All works, in the order of the registry.
pub static WORKS: &[Work] = &[
    Work {
        key: "Lumbroso 2013",
        label: "lumbroso2013",
        authors: &["Jérémie Lumbroso"],
        title: "Optimal Discrete Uniform Generation from Coin Flips, and Applications",
        year: 2013,
        venue: Venue::Arxiv {
            number: "1304.1916",
            class: "cs.DS",
        },
    },
    Work {
        key: "Knuth & Yao 1976",
        label: "knuth-yao1976",
        authors: &["Donald E. Knuth", "Andrew C. Yao"],
        title: "The complexity of nonuniform random number generation",
        year: 1976,
        venue: Venue::Book {
            title: "Algorithms and Complexity: New Directions and Recent Results",
            editor: "Joseph F. Traub",
            publisher: "Academic Press",
            pages: (357, 428),
        },
    },
    Work {
        key: "CPython, Lib/random.py (_randbelow)",
        label: "cpython-random",
        authors: &["The CPython authors"],
        title: "CPython, Lib/random.py (_randbelow)",
        year: 0,
        venue: Venue::Web("https://github.com/python/cpython/blob/main/Lib/random.py"),
    },
    Work {
        key: "von Neumann 1951",
        label: "vonneumann1951",
        authors: &["John von Neumann"],
        title: "Various techniques used in connection with random digits",
        year: 1951,
        venue: Venue::Book {
            title: "Monte Carlo Method",
            editor: "",
            publisher: "National Bureau of Standards, Applied Mathematics Series 12",
            pages: (36, 38),
        },
    },
    Work {
        key: "Han & Hoshi 1997",
        label: "han-hoshi1997",
        authors: &["Te Sun Han", "Mamoru Hoshi"],
        title: "Interval algorithm for random number generation",
        year: 1997,
        venue: Venue::Journal {
            name: "IEEE Transactions on Information Theory",
            issue: (43, 2),
            pages: (599, 611),
            doi: "10.1109/18.556116",
        },
    },
    Work {
        key: "\"Simulating Dice\" (2022)",
        label: "simulating-dice2022",
        authors: &["Rupert McKay"],
        title: "Simulating Dice",
        year: 2022,
        venue: Venue::Web("https://rupertmckay.com/blog/dice/"),
    },
    Work {
        key: "Vitez, \"Die Simulation\"",
        label: "vitez",
        authors: &["Vitez"],
        title: "Die Simulation",
        year: 0,
        venue: Venue::Web("https://vitez.me/die-simulation"),
    },
    Work {
        key: "Kloeckner 2008",
        label: "kloeckner2008",
        authors: &["Benoît Kloeckner"],
        title: "Simulating a dice with a dice",
        year: 2008,
        venue: Venue::Web(
            "https://perso.math.u-pem.fr/kloeckner.benoit/papiers/DiceSimulation.pdf",
        ),
    },
    Work {
        key: "\"How to: Accurately simulate the roll of dice with any number of sides\" (2016)",
        label: "dice-howto2016",
        authors: &[],
        title: "How to: Accurately simulate the roll of dice with any number of sides",
        year: 2016,
        venue: Venue::Unknown,
    },
    Work {
        key: "Saad, Freer, Rinard & Mansinghka 2020",
        label: "saad2020",
        authors: &[
            "Feras A. Saad",
            "Cameron E. Freer",
            "Martin C. Rinard",
            "Vikash K. Mansinghka",
        ],
        title: "The Fast Loaded Dice Roller: A Near-Optimal Exact Sampler for Discrete Probability Distributions",
        year: 2020,
        venue: Venue::Arxiv {
            number: "2003.03830",
            class: "",
        },
    },
    Work {
        key: "Draper & Saad 2025",
        label: "draper-saad2025",
        authors: &["Thomas L. Draper", "Feras A. Saad"],
        title: "Efficient Rejection Sampling in the Entropy-Optimal Range",
        year: 2025,
        venue: Venue::Arxiv {
            number: "2504.04267",
            class: "",
        },
    },
    Work {
        key: "Walker 1977",
        label: "walker1977",
        authors: &["Alastair J. Walker"],
        title: "An Efficient Method for Generating Discrete Random Variables with General Distributions",
        year: 1977,
        venue: Venue::Journal {
            name: "ACM Transactions on Mathematical Software",
            issue: (3, 3),
            pages: (253, 256),
            doi: "10.1145/355744.355749",
        },
    },
    Work {
        key: "Vose 1991",
        label: "vose1991",
        authors: &["Michael D. Vose"],
        title: "A Linear Algorithm for Generating Random Numbers with a Given Distribution",
        year: 1991,
        venue: Venue::Journal {
            name: "IEEE Transactions on Software Engineering",
            issue: (17, 9),
            pages: (972, 975),
            doi: "10.1109/32.92917",
        },
    },
    Work {
        key: "Devroye 1986",
        label: "devroye1986",
        authors: &["Luc Devroye"],
        title: "Non-Uniform Random Variate Generation",
        year: 1986,
        venue: Venue::Web("https://luc.devroye.org/rnbookindex.html"),
    },
    Work {
        key: "Lemire 2019",
        label: "lemire2019",
        authors: &["Daniel Lemire"],
        title: "Fast Random Integer Generation in an Interval",
        year: 2019,
        venue: Venue::Arxiv {
            number: "1805.10941",
            class: "cs.DS",
        },
    },
    Work {
        key: "OpenBSD, arc4random_uniform",
        label: "openbsd-arc4random",
        authors: &["The OpenBSD authors"],
        title: "OpenBSD, arc4random_uniform",
        year: 0,
        venue: Venue::Web(
            "https://github.com/openbsd/src/blob/master/lib/libc/crypt/arc4random_uniform.c",
        ),
    },
    Work {
        key: "NumPy, masked rejection",
        label: "numpy-distributions",
        authors: &["The NumPy authors"],
        title: "NumPy, masked rejection",
        year: 0,
        venue: Venue::Web(
            "https://github.com/numpy/numpy/blob/main/numpy/random/src/distributions/distributions.c",
        ),
    },
    Work {
        key: "Go, crypto/rand.Int",
        label: "go-crypto-rand",
        authors: &["The Go authors"],
        title: "Go, crypto/rand.Int",
        year: 0,
        venue: Venue::Web("https://github.com/golang/go/blob/master/src/crypto/rand/util.go"),
    },
    Work {
        key: "Canon 2021",
        label: "canon2021",
        authors: &["Stephen Canon"],
        title: "An optimal algorithm for bounded random integers",
        year: 2021,
        venue: Venue::Web("https://github.com/swiftlang/swift/pull/39143"),
    },
    Work {
        key: "Hoeffding & Simons 1970",
        label: "hoeffding-simons1970",
        authors: &["Wassily Hoeffding", "Gordon Simons"],
        title: "Unbiased coin tossing with a biased coin",
        year: 1970,
        venue: Venue::Journal {
            name: "The Annals of Mathematical Statistics",
            issue: (41, 2),
            pages: (341, 352),
            doi: "10.1214/aoms/1177697074",
        },
    },
    Work {
        key: "Stout & Warren 1984",
        label: "stout-warren1984",
        authors: &["Quentin F. Stout", "Bette Warren"],
        title: "Tree algorithms for unbiased coin tossing with a biased coin",
        year: 1984,
        venue: Venue::Journal {
            name: "The Annals of Probability",
            issue: (12, 1),
            pages: (212, 222),
            doi: "10.1214/aop/1176993384",
        },
    },
    Work {
        key: "Dijkstra 1989",
        label: "dijkstra1989",
        authors: &["Edsger W. Dijkstra"],
        title: "Making a fair roulette from a possibly biased coin (EWD1071)",
        year: 1989,
        venue: Venue::Web("https://www.cs.utexas.edu/~EWD/transcriptions/EWD10xx/EWD1071.html"),
    },
    Work {
        key: "Elias 1972",
        label: "elias1972",
        authors: &["Peter Elias"],
        title: "The efficient construction of an unbiased random sequence",
        year: 1972,
        venue: Venue::Journal {
            name: "The Annals of Mathematical Statistics",
            issue: (43, 3),
            pages: (865, 870),
            doi: "10.1214/aoms/1177692552",
        },
    },
    Work {
        key: "Peres 1992",
        label: "peres1992",
        authors: &["Yuval Peres"],
        title: "Iterating von Neumann's procedure for extracting random bits",
        year: 1992,
        venue: Venue::Journal {
            name: "The Annals of Statistics",
            issue: (20, 1),
            pages: (590, 597),
            doi: "10.1214/aos/1176348543",
        },
    },
    Work {
        key: "Mossel & Peres 2005",
        label: "mossel-peres2005",
        authors: &["Elchanan Mossel", "Yuval Peres"],
        title: "New coins from old: computing with unknown bias",
        year: 2005,
        venue: Venue::Journal {
            name: "Combinatorica",
            issue: (25, 6),
            pages: (707, 724),
            doi: "10.1007/s00493-005-0043-1",
        },
    },
    Work {
        key: "Keane & O'Brien 1994",
        label: "keane-obrien1994",
        authors: &["Michael S. Keane", "George L. O'Brien"],
        title: "A Bernoulli factory",
        year: 1994,
        venue: Venue::Journal {
            name: "ACM Transactions on Modeling and Computer Simulation",
            issue: (4, 2),
            pages: (213, 219),
            doi: "10.1145/175007.175019",
        },
    },
];

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
            } => format!(" {name} {volume}({number}), {first}-{last}. https://doi.org/{doi}"),
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
            let author = |author: &&str| match author.starts_with("The ") {
                true => format!("{{{author}}}"),
                false => author.to_string(),
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
                add("doi", doi.to_string());
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
    fn every_algorithm_has_its_work_and_every_work_its_algorithm() {
        let mut cited = BTreeSet::new();
        for algorithm in REGISTRY.iter().copied().chain(find("mossel-peres")) {
            let about = algorithm.about();
            let works = named_in(about.citation);
            assert!(
                !works.is_empty(),
                "{}: no work of \"{}\" is in WORKS",
                about.id,
                about.citation
            );
            cited.extend(works.iter().map(|work| work.key));
        }
        assert_eq!(cited.len(), WORKS.len(), "{cited:?}");
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
