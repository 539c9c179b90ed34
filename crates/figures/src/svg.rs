//! Renders a picture as SVG. Apart from path data, only this file knows the syntax of SVG. Each
//! letter of a text refers to an outline that all texts share.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use super::drawing::Drawing;
use super::glyphs;
use super::pen::{Ink, Num, Shape, TextLine};
use super::style::WHITE;

impl Drawing {
    /// Returns the picture as SVG text. The same description gives the same bytes on every machine.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        self.write_svg(&mut svg).expect("a String takes all");
        svg
    }

    fn write_svg(&self, svg: &mut String) -> fmt::Result {
        let (width, height) = self.size();
        write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<defs>\n",
            escape(&self.title)
        )?;
        let texts = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text(line) => Some(line.shaped.letters.iter()),
            _ => None,
        });
        let letters = texts.flatten().map(|(letter, _)| letter);
        let outlines: BTreeMap<String, &String> =
            letters.map(|letter| (glyph_id(letter), letter)).collect();
        for (id, letter) in &outlines {
            let outline = glyphs::outline(letter);
            if !outline.is_empty() {
                writeln!(svg, "<path id=\"{id}\" d=\"{outline}\"/>")?;
            }
        }
        let (paper, data) = (WHITE.hex(), self.background_path());
        writeln!(svg, "</defs>\n<path fill=\"{paper}\" d=\"{data}\"/>")?;
        let mut clips = BTreeSet::new();
        for shape in &self.shapes {
            match shape {
                Shape::Path(ink, data) => write_path(svg, ink, data)?,
                Shape::Text(line) => write_text(svg, line)?,
                Shape::Group {
                    place: (x, y),
                    scale: (sx, sy),
                } => {
                    let (x, y) = (Num(*x), Num(*y));
                    writeln!(svg, "<g transform=\"translate({x} {y})scale({sx} {sy})\">")?;
                }
                Shape::Clip { id, data } => {
                    if clips.insert(id) {
                        writeln!(svg, "<clipPath id=\"{id}\"><path d=\"{data}\"/></clipPath>")?;
                    }
                    writeln!(svg, "<g clip-path=\"url(#{id})\">")?;
                }
                Shape::End => svg.push_str("</g>\n"),
            }
        }
        svg.push_str("</svg>\n");
        Ok(())
    }
}

fn write_text(svg: &mut String, line: &TextLine) -> fmt::Result {
    let (x, y) = (Num(line.place.0), Num(line.place.1));
    let (text, fill) = (escape(&line.text), line.color.hex());
    write!(
        svg,
        "<g aria-label=\"{text}\" fill=\"{fill}\" transform=\"translate({x} {y})"
    )?;
    if line.angle != 0.0 {
        write!(svg, "rotate({})", Num(line.angle))?;
    }
    write!(svg, "scale({:.6})\">", line.scale)?;
    for (letter, place) in &line.shaped.letters {
        if glyphs::outline(letter).is_empty() {
            continue;
        }
        let id = glyph_id(letter);
        match place {
            0 => write!(svg, "<use href=\"#{id}\"/>")?,
            _ => write!(svg, "<use href=\"#{id}\" x=\"{place}\"/>")?,
        }
    }
    svg.push_str("</g>\n");
    Ok(())
}

/// Writes a path with this look.
fn write_path(svg: &mut String, ink: &Ink, data: &str) -> fmt::Result {
    let fill = ink.fill.map_or("none".to_owned(), |color| color.hex());
    write!(svg, "<path fill=\"{fill}\"")?;
    if let Some(color) = ink.stroke {
        let (stroke, width) = (color.hex(), Num(ink.width));
        write!(svg, " stroke=\"{stroke}\" stroke-width=\"{width}\"")?;
        let pattern = ink.dash.pattern(ink.width);
        if !pattern.is_empty() {
            let lengths: Vec<String> = pattern.iter().map(|l| Num(*l).to_string()).collect();
            write!(svg, " stroke-dasharray=\"{}\"", lengths.join(" "))?;
        }
        svg.push_str(" stroke-linejoin=\"round\"");
        if ink.round {
            svg.push_str(" stroke-linecap=\"round\"");
        }
    }
    if ink.opacity < 1.0 {
        write!(svg, " opacity=\"{}\"", Num(ink.opacity))?;
    }
    if ink.crisp {
        svg.push_str(" shape-rendering=\"crispEdges\"");
    }
    writeln!(svg, " d=\"{data}\"/>")
}

/// Returns the name of a letter's outline, which is made from its code points and is the same in
/// every picture.
fn glyph_id(letter: &str) -> String {
    letter.chars().fold(String::from("g"), |mut id, c| {
        if id.len() > 1 {
            id.push('-');
        }
        write!(id, "{:x}", c as u32).expect("a String takes all");
        id
    })
}

/// Escapes the characters of a text that XML reserves, and replaces those that XML forbids.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}
