use super::super::Study;
use super::*;
use std::collections::BTreeSet;

fn refusal(text: &str) -> String {
    let study = Study::parse(text, "x", "x.toml");
    study
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

/// Returns the keys that an error names after `expected`.
fn expected(refusal: &str) -> Option<BTreeSet<String>> {
    let (_, rest) = refusal.lines().next()?.split_once("unknown field")?;
    let (_, rest) = rest.split_once("expected")?;
    let rest = rest
        .replace('`', "")
        .replace("one of", "")
        .replace(" or ", ",");
    Some(rest.split(',').map(|key| key.trim().to_string()).collect())
}

const HEAD: &str = "title = \"t\"\nquestion = \"q\"\n";
const CHECK: &str = "[[check]]\nclaim = \"c\"\npublished = \"p\"\n";

const PLOT: &str = "[[table-plot]]\nname = \"p\"\ntitle = \"t\"\nplace = \"n\"\nseries = []\n\
                        x = { label = \"x\" }\ny = { label = \"y\" }\n";

/// Returns a study's file in which this part has the content `content`, given with its braces.
fn file(part: &PartDescription, content: &str) -> String {
    let name = part.name.trim_matches(['[', ']']);
    match part.chapter {
        FIGURES | DOCUMENTS => format!("{HEAD}{name} = [{content}]\n"),
        COMPUTED => format!("{HEAD}{PLOT}table = {{ {name} = {content} }}\n"),
        CHECKS => format!("{HEAD}{CHECK}{name} = {content}\n"),
        chapter => panic!("{chapter}"),
    }
}

/// Asserts that the page lists exactly the keys that the parser accepts in a part and in its inner
/// tables. `within` builds a file from the text between the braces of the part.
fn keys_agree(
    part: &PartDescription,
    all: &[PartDescription],
    seen: &mut BTreeSet<String>,
    within: &dyn Fn(&str) -> String,
) {
    let refused = refusal(&within("{ zzz = 1 }"));
    let accepted = expected(&refused).unwrap_or_default();
    let shown: BTreeSet<String> = part.keys.iter().map(|key| key.key.clone()).collect();
    assert_eq!(accepted, shown, "{}: {refused}", part.name);
    for key in &part.keys {
        for value in ["{ zzz = 1 }", "[{ zzz = 1 }]"] {
            let inside = |content: &str| {
                within(&format!(
                    "{{ {} = {} }}",
                    key.key,
                    value.replace("{ zzz = 1 }", content)
                ))
            };
            let refused = refusal(&inside("{ zzz = 1 }"));
            let Some(accepted) = expected(&refused) else {
                continue;
            };
            let name = key
                .table
                .as_ref()
                .unwrap_or_else(|| panic!("{}: {accepted:?}", key.key));
            let table = all
                .iter()
                .find(|part| part.chapter == TABLES && part.name == *name);
            seen.insert(name.clone());
            keys_agree(table.expect("it is on the page"), all, seen, &inside);
        }
    }
}

#[test]
fn every_accepted_key_is_on_the_page() {
    let all = parts();
    let mut seen = BTreeSet::new();
    let count = |chapter| all.iter().filter(|part| part.chapter == chapter).count();
    assert_eq!(count(FIGURES), Figure::KEYS.len());
    assert_eq!(count(DOCUMENTS), Document::KEYS.len());
    assert_eq!(count(CHECKS), CheckQuestion::KEYS.len());
    for part in all
        .iter()
        .filter(|part| ![FILE, TABLES].contains(&part.chapter))
    {
        match &part.kind {
            None => keys_agree(part, &all, &mut seen, &|content| file(part, content)),
            Some(_) => {
                let refused = refusal(&file(part, "{ zzz = 1 }"));
                assert!(
                    refused.contains("invalid type: map"),
                    "{}: {refused}",
                    part.name
                );
            }
        }
    }
    let tables = all.iter().filter(|part| part.chapter == TABLES);
    let tables: BTreeSet<String> = tables.map(|part| part.name.clone()).collect();
    assert_eq!(seen, tables, "every table on the page is in a file");
    // the keys of a study other than figures and questions
    let mut study = expected(&refusal("zzz = 1")).unwrap();
    study.retain(|key| {
        let key = key.as_str();
        !Figure::KEYS.contains(&key) && !Document::KEYS.contains(&key)
    });
    let mut check = expected(&refusal(&format!("{HEAD}[[check]]\nzzz = 1"))).unwrap();
    check.retain(|key| !CheckQuestion::KEYS.contains(&key.as_str()));
    for (part, keys) in [(&all[0], study), (&all[1], check)] {
        let shown: BTreeSet<String> = part.keys.iter().map(|key| key.key.clone()).collect();
        assert_eq!(shown, keys);
    }
}

#[test]
fn every_key_has_a_type_a_meaning_and_an_example() {
    let all = parts();
    let mut wanting = Vec::new();
    for part in &all {
        assert!(!part.about.is_empty(), "{}", part.name);
        // the keys of an inner table are in the examples of the tables that contain it
        let around = all
            .iter()
            .filter(|one| one.name == part.name || part.chapter == TABLES);
        let words: BTreeSet<&str> = around
            .flat_map(|one| (one.example).split(|c: char| !(c.is_alphanumeric() || c == '-')))
            .collect();
        for key in &part.keys {
            let place = format!("{} in {}", key.key, part.name);
            if key.meaning.is_empty() {
                wanting.push(format!("{place} has no meaning"));
            }
            if key.kind == "a value" {
                wanting.push(format!("{place} has no type"));
            }
            if part.chapter != FILE && !words.contains(key.key.as_str()) {
                wanting.push(format!("{place} has no example"));
            }
        }
    }
    assert!(wanting.is_empty(), "{}", wanting.join("\n"));
}

/// Returns an example, and the variants that its lines with `# or:` describe.
fn example_variants(example: &str) -> Vec<String> {
    let (other, main): (Vec<&str>, Vec<&str>) =
        example.lines().partition(|line| line.starts_with("# or: "));
    let (last, before) = main.split_last().expect("an example");
    let other = other.iter().map(|line| &line["# or: ".len()..]);
    let line = |line: &str| format!("{}\n{line}\n", before.join("\n"));
    std::iter::once(*last).chain(other).map(line).collect()
}

#[test]
fn every_example_is_parsed() {
    for part in parts() {
        if part.chapter == FILE || part.chapter == TABLES {
            continue;
        }
        assert!(!part.example.is_empty(), "{} has no example", part.name);
        for text in example_variants(&part.example) {
            if part.chapter == CHECKS {
                let short: Vec<String> = (text.lines())
                    .flat_map(|line| split_long_line(line, MAX_EXAMPLE_WIDTH))
                    .collect();
                let file = format!("{HEAD}{CHECK}{}\n", short.join("\n"));
                assert_eq!(refusal(&file), "", "{file}");
            }
            let file = match part.chapter {
                FIGURES | DOCUMENTS => format!("{HEAD}{text}"),
                COMPUTED => format!("{HEAD}{PLOT}{text}"),
                CHECKS => format!("{HEAD}{CHECK}{text}"),
                _ => unreachable!("every other part was left out"),
            };
            assert_eq!(refusal(&file), "", "{file}");
        }
    }
}

#[test]
fn the_complete_example_is_on_the_page_and_is_parsed() {
    assert_eq!(refusal(EXAMPLE), "");
    assert_eq!(page(Some("example")).as_deref(), Some(EXAMPLE));
    let whole = page(None).unwrap();
    for line in EXAMPLE.lines() {
        assert!(whole.contains(line), "{line}");
    }
}

#[test]
fn the_page_fits_80_letters() {
    let whole = page(None).unwrap();
    for line in whole.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.contains("[`") && !line.contains("crate::"), "{line}");
    }
    let plot = page(Some("plot")).unwrap();
    assert!(plot.starts_with("[[plot]]\n") && plot.contains("\naxis\n"));
    assert!(
        plot.contains("every: a whole number; 1 unless it is given."),
        "{plot}"
    );
    assert_eq!(page(Some("no-such-kind")), None);
}
