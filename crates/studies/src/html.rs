//! The studies as static HTML pages: one page for each study, with its figures and claims, and one
//! page that lists the studies. The pages need neither the engine nor a server.

use super::check::{CheckedClaim, ClaimOrigin, ClaimStatus};
use super::error::{Mistake, StudyError};
use super::run::StudyReport;
use super::study::Study;
use flipcost_number::expression::parse_signed;
use flipcost_terminal::rows::Output;
use std::fmt::Write;
use std::path::Path;

/// The script that sorts a table by the column whose header is clicked. It also links to the other
/// views of the page if they are published with the studies.
const SORT_SCRIPT: &str = include_str!("html/sort.js");

/// The size in bytes of the largest data file that a page shows as a table; larger files are only
/// linked.
const MAX_TABLE_BYTES: usize = 20_000;

/// The style sheet of the page of `flipcost explore`.
const STYLE_SHEET: &str = "style.css";
const ICON: &str = "icon.svg";

/// Writes the pages into a folder and makes the folder if it does not exist. `root` contains the
/// `data/` and `figures/` of the studies, which [`super::run`] has written.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(
    folder: &Path,
    root: &Path,
    studies: &[(&Study, StudyReport)],
) -> Result<(), StudyError> {
    create_folder(folder)?;
    for name in [STYLE_SHEET, ICON] {
        let text = flipcost_page::file(name).expect("the page has it");
        write_file(&folder.join(name), text.as_bytes())?;
    }
    write_file(&folder.join("sort.js"), SORT_SCRIPT.as_bytes())?;
    let mut list = Vec::new();
    let mut items = String::new();
    for (study, report) in studies {
        let name = &study.name;
        write_file(
            &folder.join(format!("{name}.html")),
            study_page(folder, root, study, report)?.as_bytes(),
        )?;
        let counts = render_verdict_counts(report);
        list.push(serde_json::json!({"name": name, "title": study.title, "verdicts": counts}));
        writeln!(
            items,
            "<tr><th scope=\"row\"><a href=\"{}.html\">{}</a></th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape_attribute(name),
            escape_html(&study.title),
            escape_html(&counts),
            report.verdicts.len(),
            report.figures
        )
        .expect(IN_MEMORY);
    }
    let body = format!(
        "<h1>The studies</h1>\n<p class=\"lead\">Every article and paper that was computed again: its \
         figures, its claims, and whether they were reproduced.</p>\n<div class=\"scroll\" \
         tabindex=\"0\" role=\"region\" aria-label=\"Studies\"><table class=\"sorts\"><thead><tr>\
         <th scope=\"col\">study</th><th scope=\"col\">verdicts</th><th scope=\"col\" \
         class=\"n\">claims</th><th scope=\"col\" class=\"n\">figures</th></tr></thead><tbody>\n{items}\
         </tbody></table></div>\n<p class=\"hint\">The command: <code>flipcost reproduce</code></p>\n"
    );
    write_file(
        &folder.join("index.html"),
        render_page_frame("The studies", &body).as_bytes(),
    )?;
    let list = serde_json::Value::from(list).to_string() + "\n";
    write_file(&folder.join("list.json"), list.as_bytes())
}

const IN_MEMORY: &str = "memory takes every byte";

fn create_folder(folder: &Path) -> Result<(), StudyError> {
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

/// Returns the verdict in words. If nobody has read the source, the words say only whether the
/// claim holds as it was quoted.
fn verdict_words(verdict: &CheckedClaim) -> &'static str {
    match verdict.outcome {
        ClaimStatus::Reproduced if is_unread(verdict) => "holds as quoted",
        ClaimStatus::Corrected if is_unread(verdict) => "differs from the form quoted",
        outcome => outcome.words(),
    }
}

fn is_unread(verdict: &CheckedClaim) -> bool {
    verdict.mark == Some(ClaimOrigin::Unverified)
}

/// Renders the number of claims with each verdict, and the number of claims whose source nobody has
/// read.
fn render_verdict_counts(report: &StudyReport) -> String {
    let mut counted: Vec<(&str, u32)> = Vec::new();
    for verdict in &report.verdicts {
        let words = verdict_words(verdict);
        match counted.iter_mut().find(|(known, _)| *known == words) {
            Some((_, count)) => *count += 1,
            None => counted.push((words, 1)),
        }
    }
    let several = |words: &str| words.replace("holds", "hold").replace("differs", "differ");
    let said: Vec<String> = counted
        .into_iter()
        .map(|(words, count)| match count {
            1 => format!("1 {words}"),
            _ => format!("{count} {}", several(words)),
        })
        .collect();
    let unread = report.verdicts.iter().filter(|verdict| is_unread(verdict));
    match (said.is_empty(), unread.count()) {
        (true, _) => "no claims".to_string(),
        (false, 0) => said.join(", "),
        (false, unread) => format!("{}; of {unread} the source was not read", said.join(", ")),
    }
}

/// Returns the page of one study, and copies its figures and their data into the folder of the
/// page.
fn study_page(
    folder: &Path,
    root: &Path,
    study: &Study,
    report: &StudyReport,
) -> Result<String, StudyError> {
    let name = &study.name;
    let files = folder.join(name);
    create_folder(&files)?;
    let mut body = format!(
        "<p class=\"way\"><a href=\"index.html\">All studies</a></p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n\
         <p>{}{}. The command: <code>flipcost reproduce {}</code>; what it computes and checks stands in \
         <code>analysis/{}.toml</code>.</p>\n",
        escape_html(&study.title),
        escape_html(&study.question),
        study.address.as_deref().map_or(String::new(), |address| {
            format!(
                "<a href=\"{}\">The article</a>. ",
                escape_attribute(address)
            )
        }),
        escape_html(&render_verdict_counts(report)),
        escape_html(name),
        escape_html(name)
    );
    let (mut figures, mut contents) = (String::new(), String::new());
    for figure in &study.figures {
        let figure = copy_figure(&files, root, name, figure.name())?;
        let title = if contents.contains(&figure.title) {
            let apart = figure.name.replace('-', " ");
            format!("{} ({})", figure.title, escape_attribute(&apart))
        } else {
            figure.title.clone()
        };
        contents += &format!(
            "<li><a href=\"#{}\">{title}</a></li>",
            escape_attribute(figure.name)
        );
        figures += &render_figure(name, &figure, &title);
    }
    body += &claims_table(report);
    if study.figures.len() > 1 {
        body += &format!(
            "<details open><summary>{} figures</summary><ul>{contents}</ul></details>\n",
            study.figures.len()
        );
    }
    body += &figures;
    writeln!(
        body,
        "<p class=\"hint\">Computed by flipcost {version}. A verdict is cited as: flipcost {version}, study {name}, with the \
         address of the verdict, or the claim and its command; <code>flipcost cite</code> has flipcost itself.</p>",
        version = env!("CARGO_PKG_VERSION"),
        name = escape_html(name)
    )
    .expect(IN_MEMORY);
    Ok(render_page_frame(&study.title, &body))
}

/// A figure that is copied beside the page of its study.
struct CopiedFigure<'a> {
    name: &'a str,
    /// The title that the SVG file states, escaped for use as an attribute.
    title: String,
    /// The size that the SVG file states, as HTML attributes.
    size: String,
    data: Vec<u8>,
}

/// Copies the picture and the data of a figure.
fn copy_figure<'a>(
    files: &Path,
    root: &Path,
    study: &str,
    name: &'a str,
) -> Result<CopiedFigure<'a>, StudyError> {
    let copy = |kind: &str, ending: &str| {
        let file = format!("{name}.{ending}");
        let contents = read(&root.join(kind).join(study).join(&file))?;
        write_file(&files.join(&file), &contents)?;
        Ok::<_, StudyError>(contents)
    };
    let picture = copy("figures", "svg")?;
    let data = copy("data", "csv")?;
    let drawn = String::from_utf8_lossy(&picture);
    // The page repeats the size and the title that the SVG states, so that the browser reserves
    // space before the SVG is loaded.
    let stated = |before: &str, after: &str| {
        let (_, rest) = drawn.split_once(before)?;
        Some(rest.split_once(after)?.0)
    };
    let size = ["width", "height"].map(|key| {
        let value = stated(&format!(" {key}=\""), "\"").unwrap_or("100%");
        format!("{key}=\"{value}\"")
    });
    Ok(CopiedFigure {
        name,
        title: stated("<title>", "</title>")
            .map_or(escape_attribute(name), |title| title.replace('"', "&quot;")),
        size: size.join(" "),
        data,
    })
}

/// A figure with its caption and, if it is short, the table of its numbers.
fn render_figure(study: &str, figure: &CopiedFigure, title: &str) -> String {
    let address = |ending: &str| escape_attribute(&format!("{study}/{}.{ending}", figure.name));
    let (svg, csv) = (address("svg"), address("csv"));
    let table = if figure.data.len() <= MAX_TABLE_BYTES {
        data_table(title, &figure.data)
    } else {
        String::new()
    };
    format!(
        "<figure class=\"card\" id=\"{}\"><img class=\"picture\" loading=\"lazy\" {} src=\"{svg}\" alt=\"{title}: the \
         numbers are in the table below\">\n<figcaption>{title}: <a href=\"{csv}\">its numbers</a>, <a href=\"{svg}\" download>SVG</a></figcaption>\n\
         {table}</figure>\n",
        escape_attribute(figure.name),
        figure.size
    )
}

/// The table of the claims.
fn claims_table(report: &StudyReport) -> String {
    if report.verdicts.is_empty() {
        return String::new();
    }
    let mut body = String::from(
        "<h2>Claims</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"Claims\"><table class=\"sorts claims\"><thead><tr><th scope=\"col\">claim</th>\
                 <th scope=\"col\">published</th><th scope=\"col\">computed</th><th \
                 scope=\"col\">verdict</th><th scope=\"col\">how it is known</th></tr></thead><tbody>\n",
    );
    for (i, verdict) in report.verdicts.iter().enumerate() {
        body += &claim_row(i + 1, verdict);
    }
    body += "</tbody></table></div>\n<p class=\"hint\">A claim without a command is decided by the command of its study.</p>\n";
    body
}

/// Replaces `=` by `≈` between a fraction and its decimals, if the decimals are not exact.
fn mark_inexact_decimals(computed: &str) -> String {
    let words: Vec<&str> = computed.split(' ').collect();
    let value = |word: Option<&&str>| parse_signed(word?.trim_end_matches([',', ';'])).ok();
    let sign = |(at, word): (usize, &&str)| {
        let is_near = *word == "="
            && at > 0
            && match (value(words.get(at - 1)), value(words.get(at + 1))) {
                (Some(fraction), Some(decimals)) => fraction != decimals,
                _ => false,
            };
        if is_near {
            "≈".to_string()
        } else {
            word.to_string()
        }
    };
    let words: Vec<String> = words.iter().enumerate().map(sign).collect();
    words.join(" ")
}

/// Returns a claim as a row of the table in HTML.
fn claim_row(number: usize, verdict: &CheckedClaim) -> String {
    let id = format!("claim-{number}");
    let class = match verdict.outcome {
        ClaimStatus::Reproduced | ClaimStatus::Computed => "",
        _ => " class=\"biased\"",
    };
    let place = [
        verdict.source.as_deref(),
        verdict.mark.map(ClaimOrigin::words),
    ];
    let place: Vec<&str> = place.into_iter().flatten().collect();
    let unread = if is_unread(verdict) {
        "<p class=\"hint\">source not read</p>"
    } else {
        ""
    };
    let command = match &verdict.command {
        Some(command) => format!(" <code>{}</code>", without_line_breaks(command)),
        None => String::new(),
    };
    let holds = match verdict.outcome {
        ClaimStatus::Corrected => "<p class=\"hint\">the corrected claim</p>",
        _ => "",
    };
    format!(
        "<tr{class} id=\"{id}\"><th scope=\"row\">{}{holds}{command}</th><td>{}</td><td>{}</td><td><a href=\"#{id}\">{}</a>{unread}</td><td>{}<p class=\"hint\">{}</p></td></tr>\n",
        escape_html(&verdict.claim),
        escape_html(&verdict.published),
        escape_html(&mark_inexact_decimals(&verdict.computed)),
        verdict_words(verdict),
        escape_html(verdict.standing),
        escape_html(&place.join(": "))
    )
}

/// Returns a command in HTML, without line breaks after the hyphens of its options.
fn without_line_breaks(command: &str) -> String {
    let word = |word: &str| {
        if word.starts_with('-') {
            format!("<span class=\"whole\">{}</span>", escape_html(word))
        } else {
            escape_html(word)
        }
    };
    command.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the numbers of a figure as a collapsed table in HTML; `title` is HTML.
fn data_table(title: &str, data: &[u8]) -> String {
    let mut reader = csv::Reader::from_reader(data);
    let cells = |tag: &str, record: &csv::StringRecord| -> String {
        let cell = |value: &str| format!("<{tag}>{}</{}>", escape_html(value), &tag[..2]);
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
         role=\"region\" aria-label=\"Numbers of {title}\"><table class=\"sorts\"><thead><tr>{}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div></details>\n",
        cells("th scope=\"col\"", &headers)
    )
}

fn render_page_frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{} · flipcost</title>\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"{ICON}\">\n\
         <link rel=\"stylesheet\" href=\"{STYLE_SHEET}\">\n\
         <script src=\"sort.js\" defer></script>\n</head>\n<body>\n<header><p class=\"name\"><a \
         href=\"../index.html\">flipcost</a></p><nav aria-label=\"Views\"></nav></header>\n<main class=\"study\">\n{body}</main>\n</body>\n</html>\n",
        escape_html(title)
    )
}

/// Escapes a text for HTML.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Escapes a text for the quotes of an attribute.
fn escape_attribute(value: &str) -> String {
    escape_html(value).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_decimals_are_marked_as_near() {
        let shown = mark_inexact_decimals("7/3 = 2.333333 and 3/2 = 1.500000; n = 5");
        assert_eq!(shown, "7/3 ≈ 2.333333 and 3/2 = 1.500000; n = 5");
    }

    /// The page links to the article, and says for which claims nobody has read the article.
    #[test]
    fn unread_sources_are_marked() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let check = "[[check]]\nclaim = \"c\"\npublished = \"2\"\nsource = \"s\"\nmark = \"[U]\"\nthat = \"1 < 2\"\n";
        let text = format!(
            "title = \"t\"\nquestion = \"q\"\naddress = \"https://arxiv.org/abs/1304.1916\"\n{check}"
        );
        let study = Study::parse(&text, "x", "x.toml").unwrap();
        let report = crate::run(&study, root, &|_| {}).unwrap();
        let page = study_page(root, root, &study, &report).unwrap();
        assert!(page.contains("<a href=\"https://arxiv.org/abs/1304.1916\">The article</a>. 1 holds as quoted; of 1 the source was not read."), "{page}");
        assert!(page.contains("<tr id=\"claim-1\">") && page.contains(">holds as quoted</a>"));
        assert!(page.contains("s: from memory or a secondary source, not read there"));
    }

    /// The example of `flipcost reproduce --keys example` gives two pages, which contain the claims
    /// with their verdicts, and a figure with its numbers.
    #[test]
    fn a_study_becomes_a_page() {
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
        assert!(
            page.contains("<code>flipcost verify <span class=\"whole\">--that</span> "),
            "{page}"
        );
        assert!(
            page.contains("<a href=\"#claim-1\">reproduced</a></td><td>decided exactly<"),
            "{page}"
        );
        assert!(page.contains("id=\"toll\"><img class=\"picture\" loading=\"lazy\" width=\"720\""));
        assert!(page.contains("<figcaption>Flips above the entropy bound:"));
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
