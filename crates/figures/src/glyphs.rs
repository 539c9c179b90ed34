//! Letters as outlines of the bundled font.
//!
//! usvg shapes the text with DejaVu Sans and gives each letter's place (with kerning) and outline.
//! A picture then holds every outline once and refers to it, which is far smaller than an outline
//! per letter. System fonts are never loaded, so the result is the same on every machine.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex};

use resvg::tiny_skia::PathSegment;
use resvg::usvg::{self, fontdb};

use super::style::FONT;

/// Font units in one em. Outlines are whole numbers of these.
pub(super) const EM: f64 = 2048.0;

/// A text laid out on one line, in font units.
#[derive(Debug, Default)]
pub(super) struct Shaped {
    /// Each letter (or ligature) with its place from the start of the line.
    pub letters: Vec<(String, i32)>,
    /// Where the next letter would stand.
    pub width: i32,
}

static DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut db = fontdb::Database::new();
    db.load_font_data(dejavu::sans::regular().to_vec());
    db.set_sans_serif_family(FONT);
    Arc::new(db)
});
static SHAPED: LazyLock<Mutex<HashMap<String, Arc<Shaped>>>> = LazyLock::new(Default::default);
static OUTLINES: LazyLock<Mutex<HashMap<String, Arc<str>>>> = LazyLock::new(Default::default);

/// The width of `text` at this font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    f64::from(shape(text).width) * size / EM
}

/// `text` cut in the middle (with an ellipsis) so that it has at most `limit` characters.
pub(super) fn ellipsize(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let tail = (limit - 1) / 2;
    let head = limit - 1 - tail;
    let mut short: String = text.chars().take(head).collect();
    short.push('…');
    short.extend(text.chars().skip(count - tail));
    short
}

/// `text` broken at spaces into lines of at most `room` at this font size.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if width(&longer, size) <= room {
                *line = longer;
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}

/// Lays out one line of text.
pub(super) fn shape(text: &str) -> Arc<Shaped> {
    if text.is_empty() {
        return Arc::default();
    }
    if let Some(known) = SHAPED.lock().expect("no panic while locked").get(text) {
        return known.clone();
    }
    // A bar after the text shows where the text ends, whatever it ends with.
    let mut shaped = Shaped::default();
    with_text(&format!("{text}|"), |node| {
        for glyph in node
            .layouted()
            .iter()
            .flat_map(|span| &span.positioned_glyphs)
        {
            let x = glyph.transform().tx.round() as i32;
            shaped.letters.push((glyph.text.clone(), x));
        }
    });
    if let Some((_, end)) = shaped.letters.pop() {
        shaped.width = end;
    }
    let shaped = Arc::new(shaped);
    let mut cache = SHAPED.lock().expect("no panic while locked");
    if cache.len() > 50_000 {
        cache.clear();
    }
    cache.insert(text.to_owned(), shaped.clone());
    shaped
}

/// The outline of one letter as SVG path data in font units, baseline at 0, y downwards; empty for
/// a space.
pub(super) fn outline(letter: &str) -> Arc<str> {
    if let Some(known) = OUTLINES.lock().expect("no panic while locked").get(letter) {
        return known.clone();
    }
    let mut data = String::new();
    with_text(letter, |node| group_outline(node.flattened(), &mut data));
    let data: Arc<str> = data.into();
    OUTLINES
        .lock()
        .expect("no panic while locked")
        .insert(letter.to_owned(), data.clone());
    data
}

/// Has usvg lay out `text` at one font unit per pixel from (0, 0).
fn with_text(text: &str, mut use_it: impl FnMut(&usvg::Text)) {
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">\
         <text xml:space=\"preserve\" font-family=\"{FONT}\" font-size=\"{EM}\">{}</text></svg>",
        escape(text)
    );
    let options = usvg::Options {
        fontdb: DATABASE.clone(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&svg, &options).expect("the SVG is well-formed");
    visit(tree.root(), &mut use_it);
}

fn visit(group: &usvg::Group, use_it: &mut impl FnMut(&usvg::Text)) {
    for node in group.children() {
        match node {
            usvg::Node::Text(text) => use_it(text),
            usvg::Node::Group(inner) => visit(inner, use_it),
            _ => {}
        }
    }
}

fn group_outline(group: &usvg::Group, data: &mut String) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => group_outline(inner, data),
            usvg::Node::Path(path) => {
                let ts = path.abs_transform();
                let Some(path) = path.data().clone().transform(ts) else {
                    continue;
                };
                path_data(&path, data);
            }
            _ => {}
        }
    }
}

/// Path data in whole numbers, each relative to the last point.
fn path_data(path: &resvg::tiny_skia::Path, data: &mut String) {
    let (mut at, mut start) = ((0, 0), (0, 0));
    for segment in path.segments() {
        let (command, points): (char, &[resvg::tiny_skia::Point]) = match &segment {
            PathSegment::MoveTo(p) => ('m', &[*p]),
            PathSegment::LineTo(p) => ('l', &[*p]),
            PathSegment::QuadTo(a, p) => ('q', &[*a, *p]),
            PathSegment::CubicTo(a, b, p) => ('c', &[*a, *b, *p]),
            PathSegment::Close => {
                data.push('z');
                at = start;
                continue;
            }
        };
        data.push(command);
        let from = at;
        for (i, point) in points.iter().enumerate() {
            at = (point.x.round() as i32, point.y.round() as i32);
            let (dx, dy) = (at.0 - from.0, at.1 - from.1);
            let gap = if i > 0 && dx >= 0 { " " } else { "" };
            let mid = if dy >= 0 { " " } else { "" };
            write!(data, "{gap}{dx}{mid}{dy}").expect("a String takes all");
        }
        if command == 'm' {
            start = at;
        }
    }
}

/// Text with the characters escaped that XML reserves.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
