//! The studies as static pages: one for each, with its figures and claims, and one that lists them.
//! They need neither engine nor server.

use super::check::{CheckedClaim, ClaimOrigin, ClaimStatus};
use super::error::{Mistake, StudyError};
use super::run::StudyReport;
use super::study::Study;
use flipcost_terminal::rows::Output;
use std::fmt::Write;
use std::path::Path;

/// Sorts a table by the column whose head is pressed, and leads to the other views where they are beside the studies.
const SORT: &str = include_str!("html/sort.js");

/// The data of a figure is shown as a table up to this many bytes; longer files are only linked.
const MOST_SHOWN: usize = 20_000;

/// The look of the page of `flipcost explore`, and its sign.
const STYLE: &str = "style.css";
const ICON: &str = "icon.svg";

/// Writes the pages into a folder, which is made if it is not there; `root` holds the `data/` and
/// `figures/` of the studies, which [`super::run`] has written.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(
    folder: &Path,
    root: &Path,
    studies: &[(&Study, StudyReport)],
) -> Result<(), StudyError> {
    make(folder)?;
    for name in [STYLE, ICON] {
        let text = flipcost_page::file(name).expect("the page has it");
        write_file(&folder.join(name), text.as_bytes())?;
    }
    write_file(&folder.join("sort.js"), SORT.as_bytes())?;
    let mut list = Vec::new();
    let mut items = String::new();
    for (study, report) in studies {
        let name = &study.name;
        write_file(
            &folder.join(format!("{name}.html")),
            page(folder, root, study, report)?.as_bytes(),
        )?;
        let counts = counts(report);
        list.push(serde_json::json!({"name": name, "title": study.title, "verdicts": counts}));
        writeln!(
            items,
            "<tr><th scope=\"row\"><a href=\"{}.html\">{}</a></th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            attribute(name),
            text(&study.title),
            text(&counts),
            report.verdicts.len(),
            report.figures
        )
        .expect(IN_MEMORY);
    }
    let body = format!(
        "<h1>The studies</h1>\n<p class=\"lead\">Every article and paper that was computed anew: its \
         figures, its claims, and whether they were reproduced.</p>\n<div class=\"scroll\" \
         tabindex=\"0\" role=\"region\" aria-label=\"Studies\"><table class=\"sorts\"><thead><tr>\
         <th scope=\"col\">study</th><th scope=\"col\">verdicts</th><th scope=\"col\" \
         class=\"n\">claims</th><th scope=\"col\" class=\"n\">figures</th></tr></thead><tbody>\n{items}\
         </tbody></table></div>\n<p class=\"hint\">The command: <code>flipcost reproduce --html \
         FOLDER</code></p>\n"
    );
    write_file(
        &folder.join("index.html"),
        framed("The studies", &body).as_bytes(),
    )?;
    let list = serde_json::Value::from(list).to_string() + "\n";
    write_file(&folder.join("list.json"), list.as_bytes())
}

const IN_MEMORY: &str = "memory takes every byte";

fn make(folder: &Path) -> Result<(), StudyError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let shown = folder.display();
        Mistake::new(format!("cannot make the folder \"{shown}\": {error}")).into()
    })
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    Ok(Output::write_all(Some(path), bytes)?)
}

fn read(path: &Path) -> Result<Vec<u8>, StudyError> {
    std::fs::read(path).map_err(|error| {
        let shown = path.display();
        Mistake::new(format!("cannot read \"{shown}\": {error}")).into()
    })
}

/// How many claims came out how.
fn counts(report: &StudyReport) -> String {
    let counted = ClaimStatus::ALL.map(|outcome| (report.count(outcome), outcome.words()));
    let counted = counted.iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = counted
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    if said.is_empty() {
        "no claims".to_string()
    } else {
        said.join(", ")
    }
}

/// The page of one study; its figures and their data are copied beside it.
fn page(
    folder: &Path,
    root: &Path,
    study: &Study,
    report: &StudyReport,
) -> Result<String, StudyError> {
    let name = &study.name;
    let files = folder.join(name);
    make(&files)?;
    let mut body = format!(
        "<p class=\"way\"><a href=\"index.html\">All studies</a></p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n\
         <p>{}. The command: <code>flipcost reproduce {}</code>; what it computes and checks stands in \
         <code>analysis/{}.toml</code>.</p>\n",
        text(&study.title),
        text(&study.question),
        text(&counts(report)),
        text(name),
        text(name)
    );
    if !report.verdicts.is_empty() {
        body += "<h2>Claims</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"Claims\"><table class=\"sorts claims\"><thead><tr><th scope=\"col\">claim</th>\
                 <th scope=\"col\">published</th><th scope=\"col\">computed</th><th \
                 scope=\"col\">verdict</th><th scope=\"col\">where</th></tr></thead><tbody>\n";
        for verdict in &report.verdicts {
            body += &claim(verdict);
        }
        body += "</tbody></table></div>\n<p class=\"hint\">Claims without a command of their own are \
                 decided by that of the study.";
        let marks = report.verdicts.iter().filter_map(|verdict| verdict.mark);
        let marks: Vec<_> = marks.collect();
        for mark in ClaimOrigin::ALL.iter().filter(|mark| marks.contains(mark)) {
            write!(body, " {}: {}.", mark.letter(), mark.words()).expect(IN_MEMORY);
        }
        body += "</p>\n";
    }
    for figure in &study.figures {
        let figure = figure.name();
        let from = |kind: &str, ending: &str| {
            root.join(kind)
                .join(name)
                .join(format!("{figure}.{ending}"))
        };
        let picture = read(&from("figures", "svg"))?;
        write_file(&files.join(format!("{figure}.svg")), &picture)?;
        let data = read(&from("data", "csv"))?;
        write_file(&files.join(format!("{figure}.csv")), &data)?;
        let address = |ending: &str| attribute(&format!("{name}/{figure}.{ending}"));
        let words = figure.replace('-', " ");
        write!(
            body,
            "<figure class=\"card\"><img class=\"picture\" loading=\"lazy\" src=\"{}\" alt=\"{}: the \
             numbers are in the table below\">\n<figcaption>{}: <a href=\"{}\">its numbers</a></figcaption>\n",
            address("svg"),
            attribute(&words),
            text(&words),
            address("csv")
        )
        .expect(IN_MEMORY);
        if data.len() <= MOST_SHOWN {
            body += &data_table(&words, &data);
        }
        body += "</figure>\n";
    }
    Ok(framed(&study.title, &body))
}

/// A claim as a line of the table.
fn claim(verdict: &CheckedClaim) -> String {
    let class = match verdict.outcome {
        ClaimStatus::Reproduced | ClaimStatus::Computed => "",
        _ => " class=\"biased\"",
    };
    let place = [
        verdict.source.as_deref().unwrap_or_default(),
        verdict.mark.map(ClaimOrigin::letter).unwrap_or_default(),
    ];
    let command = match &verdict.command {
        Some(command) => format!(" <code>{}</code>", text(command)),
        None => String::new(),
    };
    format!(
        "<tr{class}><th scope=\"row\">{}{command}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        text(&verdict.claim),
        text(&verdict.published),
        text(&verdict.computed),
        text(verdict.outcome.words()),
        text(place.join(" ").trim())
    )
}

/// The numbers of a figure, folded away.
fn data_table(words: &str, data: &[u8]) -> String {
    let mut reader = csv::Reader::from_reader(data);
    let cells = |tag: &str, record: &csv::StringRecord| -> String {
        let cell = |value: &str| format!("<{tag}>{}</{}>", text(value), &tag[..2]);
        record.iter().map(cell).collect()
    };
    let Ok(headers) = reader.headers().cloned() else {
        return String::new();
    };
    let mut rows = String::new();
    for record in reader.records().flatten() {
        writeln!(rows, "<tr>{}</tr>", cells("td", &record)).expect(IN_MEMORY);
    }
    format!(
        "<details><summary>The numbers as a table</summary><div class=\"scroll\" tabindex=\"0\" \
         role=\"region\" aria-label=\"Numbers of {}\"><table class=\"sorts\"><thead><tr>{}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div></details>\n",
        attribute(words),
        cells("th scope=\"col\"", &headers)
    )
}

fn framed(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{} · flipcost</title>\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"{ICON}\">\n\
         <link rel=\"stylesheet\" href=\"{STYLE}\">\n\
         <script src=\"sort.js\" defer></script>\n</head>\n<body>\n<header><p class=\"name\"><a \
         href=\"../index.html\">flipcost</a></p><nav aria-label=\"Views\"></nav></header>\n<main class=\"study\">\n{body}</main>\n</body>\n</html>\n",
        text(title)
    )
}

/// A text in HTML.
fn text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A text in the quotes of an attribute.
fn attribute(value: &str) -> String {
    text(value).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of `flipcost reproduce --keys example`: two pages, the claims with their verdicts, a figure
    /// with its numbers.
    #[test]
    fn a_study_is_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let file = root.join("a&b.toml");
        std::fs::write(&file, crate::page::EXAMPLE).unwrap();
        let study = Study::read(&file).unwrap();
        let report = crate::run(&study, root, &|_| {}).unwrap();
        let pages = root.join("pages");
        write(&pages, root, &[(&study, report)]).unwrap();
        let page = std::fs::read_to_string(pages.join("a&b.html")).unwrap();
        assert!(page.contains("<h1>What a coin makes</h1>"));
        assert!(page.contains("<td>3.67</td><td>11/3</td>"), "{page}");
        assert!(page.contains("<code>flipcost verify --that "), "{page}");
        assert!(page.contains("table class=\"sorts claims\"") && page.contains("<nav "));
        assert!(page.contains("src=\"a&amp;b/toll.svg\"") && page.contains("toll &lt; 2"));
        assert!(pages.join("a&b/toll.svg").is_file() && pages.join("a&b/toll.csv").is_file());
        let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
        assert!(index.contains("<a href=\"a&amp;b.html\">What a coin makes</a>"));
        let list = std::fs::read_to_string(pages.join("list.json")).unwrap();
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        assert_eq!(list[0]["name"], "a&b");
        assert!(list[0]["verdicts"].as_str().unwrap().contains("reproduced"));
    }
}
