//! Letters as outlines of the bundled font.
//!
//! A line of text is put into visual order (Unicode's bidirectional algorithm) and shaped:
//! harfrust, a port of HarfBuzz, chooses the glyphs of DejaVu Sans and their places, with kerning
//! and ligatures; skrifa reads their outlines. All of it is arithmetic of whole numbers in font
//! units. A picture then holds every outline once and refers to it, which is far smaller than an
//! outline per letter. System fonts are never loaded.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex};

use harfrust::{Direction, ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use unicode_bidi::{BidiInfo, Level};

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

/// One glyph of a line, in font units.
struct Glyph {
    /// Its number in the font.
    id: u32,
    /// What it stands for: glyphs of one letter (say, with its accent) share their bytes of the
    /// text.
    bytes: (usize, usize),
    /// Where it is drawn, from where the glyph before it ended; y upwards.
    offset: (i32, i32),
    /// How far it moves the next glyph.
    advance: i32,
}

static FONT: LazyLock<harfrust::FontRef<'static>> = LazyLock::new(|| {
    harfrust::FontRef::new(dejavu::sans::regular()).expect("the bundled font is a font")
});
static SHAPER: LazyLock<ShaperData> = LazyLock::new(|| ShaperData::new(&FONT));
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

/// `text` broken at spaces, but for no-break spaces, into lines of at most `room` at this font
/// size.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let breaks = |c: char| c.is_whitespace() && c != '\u{a0}';
    for word in text.split(breaks).filter(|word| !word.is_empty()) {
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
    let mut shaped = Shaped::default();
    let mut before = None;
    for glyph in glyphs(text) {
        // The glyphs of one letter are one outline.
        if before != Some(glyph.bytes) {
            let letter = text[glyph.bytes.0..glyph.bytes.1].to_owned();
            shaped.letters.push((letter, shaped.width));
        }
        before = Some(glyph.bytes);
        shaped.width += glyph.advance;
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
    let outlines = FONT.outline_glyphs();
    let mut path = PathData::default();
    let mut x = 0;
    for glyph in glyphs(letter) {
        path.origin = (x + glyph.offset.0, -glyph.offset.1);
        x += glyph.advance;
        if let Some(outline) = outlines.get(glyph.id.into()) {
            let unscaled = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            // An outline that cannot be read is drawn as far as it can.
            let _ = outline.draw(unscaled, &mut path);
        }
    }
    let data: Arc<str> = path.data.into();
    OUTLINES
        .lock()
        .expect("no panic while locked")
        .insert(letter.to_owned(), data.clone());
    data
}

/// The glyphs of one line of text from left to right. Line breaks and other controls are spaces.
fn glyphs(text: &str) -> Vec<Glyph> {
    // Spaces as long as what they replace, so that places in the line are places in `text`.
    let space = |c: char| match c {
        c if c.is_ascii_control() => ' ',
        c if c.is_control() => '\u{a0}',
        c => c,
    };
    let line: String = text.chars().map(space).collect();
    let shaper = SHAPER.shaper(&FONT).build();
    let bidi = BidiInfo::new(&line, Some(Level::ltr()));
    let mut glyphs = Vec::new();
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let mut buffer = UnicodeBuffer::new();
            buffer.push_str(&line[run.clone()]);
            buffer.set_direction(match levels[run.start].is_ltr() {
                true => Direction::LeftToRight,
                false => Direction::RightToLeft,
            });
            buffer.guess_segment_properties();
            let shaped = shaper.shape(buffer, ShapeOptions::new());
            // A cluster is named by the place of its first byte, and ends where the next one
            // begins.
            let cluster = |info: &harfrust::GlyphInfo| run.start + info.cluster as usize;
            let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(cluster).collect();
            starts.sort_unstable();
            starts.push(run.end);
            for (info, place) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
                let start = cluster(info);
                let end = starts[starts.partition_point(|s| *s <= start)];
                glyphs.push(Glyph {
                    id: info.glyph_id,
                    bytes: (start, end),
                    offset: (place.x_offset, place.y_offset),
                    advance: place.x_advance,
                });
            }
        }
    }
    glyphs
}

/// Writes path data in whole numbers, each relative to the last point.
#[derive(Default)]
struct PathData {
    data: String,
    /// Where the glyph's origin lies, y downwards.
    origin: (i32, i32),
    /// The last point, and the first of its contour.
    at: (i32, i32),
    start: (i32, i32),
}

impl PathData {
    /// A segment through these points; the font has y upwards.
    fn segment(&mut self, command: char, points: &[(f32, f32)]) {
        self.data.push(command);
        let from = self.at;
        for (i, (x, y)) in points.iter().enumerate() {
            let (x, y) = (x.round() as i32, (-y).round() as i32);
            self.at = (self.origin.0 + x, self.origin.1 + y);
            let (dx, dy) = (self.at.0 - from.0, self.at.1 - from.1);
            let gap = if i > 0 && dx >= 0 { " " } else { "" };
            let mid = if dy >= 0 { " " } else { "" };
            write!(self.data, "{gap}{dx}{mid}{dy}").expect("a String takes all");
        }
    }
}

impl OutlinePen for PathData {
    fn move_to(&mut self, x: f32, y: f32) {
        self.segment('m', &[(x, y)]);
        self.start = self.at;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.segment('l', &[(x, y)]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.segment('q', &[(cx, cy), (x, y)]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.segment('c', &[(ax, ay), (bx, by), (x, y)]);
    }

    fn close(&mut self) {
        self.data.push('z');
        self.at = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};

    #[test]
    fn a_no_break_space_is_no_place_to_break() {
        let room = width("Otherwise c = c - 5", 14.0);
        let text = "Otherwise c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go";
        assert_eq!(
            wrap(text, 14.0, room),
            ["Otherwise", "c\u{a0}=\u{a0}c\u{a0}-\u{a0}50, go"]
        );
        assert_eq!(wrap("a  b", 14.0, room), ["a b"]);
    }
}
