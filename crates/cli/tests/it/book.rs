//! The README and the book in `docs/`: their commands print what the text shows, and their links
//! lead to existing targets.

use crate::support::root;
use flipcost::algorithms::REGISTRY;
use flipcost_number::{BigInt, Rational};
use flipcost_oeis::literature::works;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Returns the chapters of the book, except their list.
fn chapters() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("docs")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect()
}

/// Returns the targets of the links and pictures of a text, and its anchors, as GitHub and mdBook
/// make them.
fn read(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut links, mut anchors, mut heading) = (Vec::new(), BTreeSet::new(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link {
                link_type: LinkType::Autolink,
                ..
            }) => {}
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let title = heading.take().unwrap().to_lowercase().replace(' ', "-");
                let kept = |letter: &char| letter.is_alphanumeric() || "-_".contains(*letter);
                anchors.insert(title.chars().filter(kept).collect());
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(title) = &mut heading {
                    title.push_str(&words);
                }
            }
            _ => {}
        }
    }
    (links, anchors)
}

fn read_file(path: &Path) -> (Vec<String>, BTreeSet<String>) {
    read(&fs::read_to_string(path).unwrap())
}

#[test]
fn every_command_prints_what_is_shown() {
    trycmd::TestCases::new()
        .case("../../README.md")
        .case("../../docs/*.md");
}

#[test]
fn the_summary_has_every_chapter_once() {
    let (links, _) = read_file(&root().join("docs/SUMMARY.md"));
    let listed: BTreeSet<String> = links.iter().cloned().collect();
    assert_eq!(links.len(), listed.len());
    assert_eq!(listed, chapters());
}

/// The book is built next to `docs/`, so that `../` leads to the same folder from a chapter and
/// from its page. A link to a text that is not a chapter would lead to a page that does not exist.
#[test]
fn every_link_has_a_target() {
    let chapters = chapters();
    let pages = (chapters.iter().map(|name| format!("docs/{name}")))
        .chain(["README.md", "CONTRIBUTING.md"].map(String::from));
    let mut count = 0;
    for page in pages {
        let path = root().join(&page);
        let (links, _) = read_file(&path);
        for link in links.iter().filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => path.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{page}: {link}");
            if page.starts_with("docs/") && file.ends_with(".md") {
                assert!(chapters.contains(file), "{page}: {link} is not a chapter");
            }
            if !anchor.is_empty() {
                assert!(read_file(&target).1.contains(anchor), "{page}: {link}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count} links");
}

#[test]
fn links_and_anchors_are_parsed() {
    let (links, anchors) =
        read("# Bias of `x % n`\n\n![A](b.svg) and [c](d.md#e), <https://f.g>\n");
    assert_eq!(links, ["b.svg", "d.md#e"]);
    assert_eq!(anchors, BTreeSet::from(["bias-of-x--n".to_string()]));
}

/// The chapter on standards repeats the numbers of bytes of the study: each row is a column of the
/// study's data at the five levels, or a table of `bytes.md`.
#[test]
fn the_book_repeats_the_bytes_of_the_study() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let mut columns: Vec<Vec<String>> = Vec::new();
    for file in [
        "data/standards/bytes-lattices.csv",
        "data/standards/bytes-codes.csv",
    ] {
        let mut rows = csv::Reader::from_path(root().join(file)).unwrap();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let levels =
            |row: &&csv::StringRecord| ["64", "80", "128", "192", "256"].contains(&&row[0]);
        let at = |column: usize| {
            rows.iter()
                .filter(levels)
                .map(|row| row[column].to_string())
                .collect()
        };
        columns.extend((1..rows[0].len()).map(at));
    }
    let bytes = read("data/standards/bytes.md");
    let words: BTreeSet<&str> = bytes.split_whitespace().collect();
    let chapter = read("docs/standards.md");
    let table = chapter
        .lines()
        .skip_while(|line| !line.starts_with("| sampler"));
    let mut found = 0;
    for line in table.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<String> = line
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_string())
            .collect();
        let known = if cells[0].starts_with("BIKE") {
            cells[1..].iter().all(|cell| words.contains(cell.as_str()))
        } else {
            columns.contains(&cells[1..].to_vec())
        };
        assert!(known, "{line}");
        found += 1;
    }
    assert_eq!(found, 23);
}

/// Parses a decimal number. Also returns the value of one unit in its last digit.
fn decimal(text: &str) -> (Rational, Rational) {
    let (whole, decimals) = text.split_once('.').unwrap();
    let scale = BigInt::from(10).pow(decimals.len() as u32);
    let digits: BigInt = format!("{whole}{decimals}").parse().unwrap();
    let unit = Rational::new(1.into(), scale);
    (&unit * digits, unit)
}

/// The chapter on best rules repeats the values of the study: a fraction is unchanged; an enclosure
/// is shown as its upper end, rounded to the nearest decimal; a case without a proof is shown as
/// its lower end, rounded down, and its upper end, rounded up.
#[test]
fn the_book_repeats_the_best_rules_of_the_study() {
    let mut rows = csv::Reader::from_path(root().join("data/loaded-table/saved.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    let chapter = fs::read_to_string(root().join("docs/loaded-optimum.md")).unwrap();
    let table = chapter
        .lines()
        .skip_while(|line| !line.starts_with("| coin |"));
    let mut cells = 0;
    for line in table.skip(2).take_while(|line| line.starts_with('|')) {
        let mut values = line.trim_matches('|').split('|').map(str::trim);
        let source = values.next().unwrap();
        for (target, value) in ["2", "3", "4", "5", "6"].into_iter().zip(values) {
            let is_case = |row: &&BTreeMap<String, String>| {
                row["source"] == source && row["target"] == target
            };
            let row = rows.iter().find(is_case).unwrap();
            let lower: Rational = row["lower_exact"].parse().unwrap();
            let is_right = match row["proved"].as_str() {
                "yes" => value == format!("**{}**", row["expected_exact"]),
                "enclosed" => {
                    let ((printed, unit), (upper, _)) = (decimal(value), decimal(&row["expected"]));
                    let twice = (&upper - printed) * BigInt::from(2);
                    lower <= upper && -&unit <= twice && twice <= unit
                }
                _ => {
                    let (from, to) = value.split_once(" to ").unwrap();
                    let ((from, unit), (to, _)) = (decimal(from), decimal(to));
                    let (upper, _) = decimal(&row["expected"]);
                    from <= lower
                        && lower < from + &unit
                        && to.clone() - unit < upper
                        && upper <= to
                }
            };
            assert!(is_right, "{target} from {source}: {value}, {row:?}");
            cells += 1;
        }
    }
    assert_eq!(cells, 110);
}

/// Every work in the bibliography is cited by an algorithm or by a chapter that compares its
/// results with ours.
#[test]
fn every_work_is_cited_by_an_algorithm_or_a_chapter() {
    let mut texts: Vec<String> = ["docs/loaded-coins.md", "docs/loaded-optimum.md"]
        .map(|name| fs::read_to_string(root().join(name)).unwrap())
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .into();
    let algorithms = REGISTRY.iter().copied();
    texts.extend(algorithms.map(|algorithm| algorithm.about().citation.to_string()));
    for work in works() {
        let name = work.shorthand();
        let named = texts.iter().any(|text| text.contains(&name));
        assert!(named, "{name} is named nowhere");
    }
}
