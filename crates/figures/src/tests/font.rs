//! Lays out letters with the complete font. The tests make the table of letters from the result.
//!
//! A line of text is put into visual order (Unicode's bidirectional algorithm). Then harfrust, a
//! port of HarfBuzz, chooses the glyphs of DejaVu Sans and their positions, with kerning and
//! ligatures, and skrifa reads their outlines.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::LazyLock;

use harfrust::{Direction, ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use unicode_bidi::{BidiInfo, Level};

use crate::glyphs::table::drawn_letter;

/// One glyph of a line, in font units.
struct Glyph {
    /// The number of the glyph in the font.
    id: u32,
    /// The bytes of the text that the glyph draws. Glyphs of the same letter, for example its
    /// accent, share these bytes.
    bytes: Range<usize>,
    /// The offset from the end of the glyph before it; y points upwards.
    offset: (i32, i32),
    /// The distance by which it moves the next glyph.
    advance: i32,
}

static FONT: LazyLock<harfrust::FontRef<'static>> = LazyLock::new(|| {
    harfrust::FontRef::new(dejavu::sans::regular()).expect("the bundled font is a font")
});
static SHAPER: LazyLock<ShaperData> = LazyLock::new(|| ShaperData::new(&FONT));

/// Returns the glyphs of a line of text from left to right: the bytes of the letter to which each
/// glyph belongs, and how far the glyph moves the next one.
pub(crate) fn line(text: &str) -> impl Iterator<Item = (Range<usize>, i32)> {
    (glyphs(text).into_iter()).map(|glyph| (glyph.bytes, glyph.advance))
}

/// Returns the outline of one letter.
pub(crate) fn outline(letter: &str) -> String {
    let outlines = FONT.outline_glyphs();
    let mut path = PathData::default();
    let mut x = 0;
    for glyph in glyphs(letter) {
        path.origin = (x + glyph.offset.0, -glyph.offset.1);
        x += glyph.advance;
        if let Some(outline) = outlines.get(glyph.id.into()) {
            let unscaled = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            // an outline with an error is drawn up to the error
            let _ = outline.draw(unscaled, &mut path);
        }
    }
    path.data
}

/// Returns the glyphs of one line of text from left to right.
fn glyphs(text: &str) -> Vec<Glyph> {
    let line: String = text.chars().map(drawn_letter).collect();
    let shaper = SHAPER.shaper(&FONT).build();
    let bidi = BidiInfo::new(&line, Some(Level::ltr()));
    let mut glyphs = Vec::new();
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let mut buffer = UnicodeBuffer::new();
            buffer.push_str(&line[run.clone()]);
            buffer.set_direction(if levels[run.start].is_ltr() {
                Direction::LeftToRight
            } else {
                Direction::RightToLeft
            });
            buffer.guess_segment_properties();
            let shaped = shaper.shape(buffer, ShapeOptions::new());
            // The name of a cluster is the position of its first byte; the cluster ends where the
            // next one begins.
            let cluster = |info: &harfrust::GlyphInfo| run.start + info.cluster as usize;
            let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(cluster).collect();
            starts.sort_unstable();
            starts.push(run.end);
            for (info, place) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
                let start = cluster(info);
                let end = starts[starts.partition_point(|s| *s <= start)];
                glyphs.push(Glyph {
                    id: info.glyph_id,
                    bytes: start..end,
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
    /// The position of the glyph's origin; y points downwards.
    origin: (i32, i32),
    /// The last point, and the first point of its contour.
    at: (i32, i32),
    start: (i32, i32),
}

impl PathData {
    /// Writes a segment through these points; in the font, y points upwards.
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
