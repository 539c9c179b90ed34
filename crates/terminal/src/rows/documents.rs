//! Writes rows as documents that have a beginning and an end: a JSON array, a Markdown table, a
//! LaTeX tabular.

use super::sinks::{RowSink, write_json_object};
use flipcost::law::CostFormula;
use flipcost::table::Cell;
use std::io::{self, Write};

/// A JSON array with one object on each line; the objects are those of JSON lines.
pub struct JsonArray {
    names: Vec<String>,
    begun: bool,
}

impl JsonArray {
    /// Makes a sink for rows whose fields have these names.
    pub fn new(names: &[&str]) -> JsonArray {
        let names = names.iter().map(|name| name.to_string()).collect();
        let begun = false;
        JsonArray { names, begun }
    }
}

impl RowSink for JsonArray {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.begun { b",\n" } else { b"\n" })?;
        self.begun = true;
        let mut text = Vec::new();
        write_json_object(&self.names, cells, &mut text);
        out.write_all(&text)
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.begun { b"\n]\n" } else { b"]\n" })
    }
}

/// The kinds of markup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// A table of GitHub's Markdown.
    Markdown,
    /// A `tabular` environment that needs no package.
    Latex,
}

/// A table in Markdown or LaTeX. The first row decides which columns hold words, which are aligned
/// to the left, and which hold numbers, which are aligned to the right.
pub struct MarkupTable {
    markup: Markup,
    names: Vec<String>,
    begun: bool,
}

impl MarkupTable {
    /// Makes a sink for rows whose columns have these names.
    pub fn new(markup: Markup, names: &[&str]) -> MarkupTable {
        MarkupTable {
            markup,
            names: names.iter().map(|name| name.to_string()).collect(),
            begun: false,
        }
    }

    /// Writes the head; `words` says which columns hold words.
    fn head(&mut self, words: &[bool], out: &mut dyn Write) -> io::Result<()> {
        self.begun = true;
        let names: Vec<String> = (self.names.iter())
            .map(|name| match self.markup {
                Markup::Markdown => escape_markdown(name),
                Markup::Latex => escape_latex(name),
            })
            .collect();
        match self.markup {
            Markup::Markdown => {
                writeln!(out, "| {} |", names.join(" | "))?;
                write!(out, "|")?;
                for word in words {
                    write!(out, "{}", if *word { " --- |" } else { " ---: |" })?;
                }
                writeln!(out)
            }
            Markup::Latex => {
                let sides: String = words
                    .iter()
                    .map(|word| if *word { 'l' } else { 'r' })
                    .collect();
                writeln!(out, "\\begin{{tabular}}{{{sides}}}")?;
                writeln!(out, "{} \\\\", names.join(" & "))?;
                writeln!(out, "\\hline")
            }
        }
    }
}

impl RowSink for MarkupTable {
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn write_row(&mut self, cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
        if !self.begun {
            let word = |cell: &Cell| matches!(cell, Cell::Text(_));
            let words: Vec<bool> = cells.iter().map(word).collect();
            self.head(&words, out)?;
        }
        match self.markup {
            Markup::Markdown => {
                let cells: Vec<String> = cells
                    .iter()
                    .map(|cell| escape_markdown(&cell.to_string()))
                    .collect();
                writeln!(out, "| {} |", cells.join(" | "))
            }
            Markup::Latex => {
                let cells: Vec<String> = cells.iter().map(latex_cell).collect();
                writeln!(out, "{} \\\\", cells.join(" & "))
            }
        }
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !self.begun {
            let words = vec![true; self.names.len()];
            self.head(&words, out)?;
        }
        match self.markup {
            Markup::Markdown => Ok(()),
            Markup::Latex => writeln!(out, "\\end{{tabular}}"),
        }
    }
}

/// Escapes a text for Markdown, on one line, so that it can also be in a cell of a table.
pub fn escape_markdown(text: &str) -> String {
    let mut marked = String::new();
    for c in text.chars() {
        match c {
            '|' | '\\' | '*' | '`' | '<' => marked.extend(['\\', c]),
            '\n' | '\r' => marked.push(' '),
            c => marked.push(c),
        }
    }
    marked
}

/// Escapes a text for LaTeX.
fn escape_latex(text: &str) -> String {
    let mut marked = String::new();
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => marked.extend(['\\', c]),
            '\\' => marked.push_str("\\textbackslash{}"),
            '~' => marked.push_str("\\textasciitilde{}"),
            '^' => marked.push_str("\\textasciicircum{}"),
            '<' => marked.push_str("$<$"),
            '>' => marked.push_str("$>$"),
            '|' => marked.push_str("$|$"),
            c => marked.push(c),
        }
    }
    marked
}

/// Writes a quotient of polynomials as LaTeX: `(1 - p^12)/p2` becomes `\frac{1 - p^{12}}{p_{2}}`.
fn latex_rational_function(text: &str) -> String {
    let polynomial = |text: &str| {
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let (mut marked, mut letter, mut open) = (String::new(), false, false);
        for c in inner.unwrap_or(text).chars() {
            if open && !c.is_ascii_digit() {
                marked.push('}');
                open = false;
            }
            match c {
                '^' => {
                    marked.push_str("^{");
                    open = true;
                }
                '*' => marked.push(' '),
                c if letter && !open && c.is_ascii_digit() => {
                    marked.extend(["_{".to_string(), c.to_string()]);
                    open = true;
                }
                c => marked.push(c),
            }
            letter = c.is_ascii_alphabetic();
        }
        marked + if open { "}" } else { "" }
    };
    match text.split_once('/') {
        Some((above, below)) => format!("\\frac{{{}}}{{{}}}", polynomial(above), polynomial(below)),
        None => polynomial(text),
    }
}

/// Writes a cell in LaTeX: fractions and signs are in math mode.
fn latex_cell(cell: &Cell) -> String {
    let written = cell.to_string();
    let (sign, size) = match written.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", written.as_str()),
    };
    match cell {
        Cell::Infinite => "$\\infty$".to_string(),
        Cell::Exact(_) | Cell::Decimal(_) => match size.split_once('/') {
            Some((p, q)) => format!("${sign}\\frac{{{p}}}{{{q}}}$"),
            None if sign.is_empty() => written,
            None => format!("${written}$"),
        },
        Cell::Double(_) if !sign.is_empty() => format!("${written}$"),
        Cell::Formula(formula) => match &**formula {
            CostFormula::Rational(_) => format!("${}$", latex_rational_function(&written)),
            CostFormula::Text(text) => escape_latex(text),
        },
        Cell::Text(text) => escape_latex(text),
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, new_sink};
    use super::*;
    use flipcost_number::Rational;

    fn written(format: Format, names: &[&str], rows: &[Vec<Cell>]) -> String {
        let (mut sink, mut out) = (new_sink(format, names), Vec::new());
        sink.begin(&mut out).unwrap();
        rows.iter()
            .for_each(|row| sink.write_row(row, &mut out).unwrap());
        sink.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn rows() -> Vec<Vec<Cell>> {
        let row = |name: &str, (p, q): (i64, i64), value, worst| {
            let exact = Cell::from(Rational::new(p.into(), q.into()));
            vec![
                Cell::Text(name.to_string()),
                exact,
                Cell::Double(value),
                worst,
            ]
        };
        vec![
            row("a_b", (11, 3), 3.5, Cell::Infinite),
            row("50% | *", (-1, 2), -0.5, Cell::Integer(4u64.into())),
            row("c", (7, 1), 7.0, Cell::Empty),
        ]
    }

    const NAMES: [&str; 4] = ["id", "exact", "e - log2(n)^2", "worst_case"];

    #[test]
    fn a_json_array_is_the_lines_in_brackets() {
        let array = written(Format::Json, &NAMES, &rows());
        let lines = written(Format::Jsonl, &NAMES, &rows());
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(array, format!("[\n{}\n]\n", lines.join(",\n")));
        assert_eq!(
            serde_json::from_str::<Vec<serde_json::Value>>(&array)
                .unwrap()
                .len(),
            3
        );
        assert_eq!(written(Format::Json, &NAMES, &[]), "[]\n");
    }

    #[test]
    fn markdown_keeps_its_columns() {
        let text = "| id | exact | e - log2(n)^2 | worst_case |\n| --- | ---: | ---: | ---: |\n\
            | a_b | 11/3 | 3.5 | inf |\n| 50% \\| \\* | -1/2 | -0.5 | 4 |\n| c | 7 | 7 |  |\n";
        assert_eq!(written(Format::Markdown, &NAMES, &rows()), text);
        let empty = written(Format::Markdown, &["a", "b"], &[]);
        assert_eq!(empty, "| a | b |\n| --- | --- |\n");
    }

    #[test]
    fn polynomials_in_latex() {
        for (text, latex) in [
            ("1/(p - p^2)", r"\frac{1}{p - p^{2}}"),
            ("(1 - p^12)/p", r"\frac{1 - p^{12}}{p}"),
            ("2*p1*p2 - 12*p10^34", r"2 p_{1} p_{2} - 12 p_{10}^{34}"),
            ("4*p - 4*p^2", "4 p - 4 p^{2}"),
        ] {
            assert_eq!(latex_rational_function(text), latex);
        }
    }

    #[test]
    fn latex_has_fractions_and_no_stray_sign() {
        let text = "\\begin{tabular}{lrrr}\n\
            id & exact & e - log2(n)\\textasciicircum{}2 & worst\\_case \\\\\n\\hline\n\
            a\\_b & $\\frac{11}{3}$ & 3.5 & $\\infty$ \\\\\n\
            50\\% $|$ * & $-\\frac{1}{2}$ & $-0.5$ & 4 \\\\\n\
            c & 7 & 7 &  \\\\\n\\end{tabular}\n";
        assert_eq!(written(Format::Latex, &NAMES, &rows()), text);
    }
}
