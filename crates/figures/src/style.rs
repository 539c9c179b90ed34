//! The style of all pictures: colours, line styles, sizes and margins.
//!
//! The hues are those of Okabe and Ito (2008), which people with any common form of colour
//! blindness can distinguish. Series never differ by hue alone: lines differ by their [`Dash`] as
//! well, points by their shape.

use std::str::FromStr;

/// The error for an unknown name of a colour, a line style or a colour map.
///
/// ```
/// use flipcost_figures::ColorMap;
/// let unknown = "magma".parse::<ColorMap>().unwrap_err();
/// assert_eq!(unknown.to_string(), "no colour map is called \"magma\": viridis or cividis");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} is called {name:?}: {choices}")]
#[non_exhaustive]
pub struct StyleNameError {
    /// The kind of name: `colour`, `line style` or `colour map`.
    pub kind: &'static str,
    /// The name, as it was given.
    pub name: String,
    /// The known names, as a sentence lists them.
    pub choices: &'static str,
}

impl StyleNameError {
    fn new(kind: &'static str, name: &str, choices: &'static str) -> StyleNameError {
        StyleNameError {
            kind,
            name: name.to_owned(),
            choices,
        }
    }
}

/// A colour, given by its red, green and blue components from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

impl Rgb {
    /// Returns the colour as SVG writes it, for example `#0072b2`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// Returns the colour mixed with white; `share` of 1 is the colour itself, 0 is white.
    pub fn tint(self, share: f64) -> Rgb {
        self.mix(WHITE, 1.0 - share)
    }

    /// Returns the colour at a `share` (0 to 1) of the way from this colour to `other`.
    pub fn mix(self, other: Rgb, share: f64) -> Rgb {
        let f = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Rgb(f(self.0, other.0), f(self.1, other.1), f(self.2, other.2))
    }

    /// Returns the relative luminance (WCAG 2), from 0 for black to 1 for white. It decides between
    /// dark and light letters on a coloured background.
    pub fn luminance(self) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                libm::pow((c + 0.055) / 1.055, 2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

/// The background.
pub const WHITE: Rgb = Rgb(255, 255, 255);
/// Letters and strong lines.
pub const INK: Rgb = Rgb(0x22, 0x22, 0x22);
/// Secondary letters: ticks, hints, probabilities.
pub const SOFT: Rgb = Rgb(0x5a, 0x5a, 0x5a);
/// Axes and outlines.
pub const AXIS: Rgb = Rgb(0x80, 0x80, 0x80);
/// Grid lines at labelled ticks.
pub const GRID: Rgb = Rgb(0xdd, 0xdd, 0xdd);
/// Grid lines between the labelled ticks.
pub const GRID_LIGHT: Rgb = Rgb(0xf0, 0xf0, 0xf0);
/// Cells of a heat map that have no value.
pub const MISSING: Rgb = Rgb(0xe6, 0xe6, 0xe6);

/// The family name of the bundled font.
pub const FONT: &str = "DejaVu Sans";
/// Font size of a title, in pixels at scale 1.
pub const TITLE_SIZE: f64 = 16.0;
/// Font size of axis labels.
pub const LABEL_SIZE: f64 = 13.0;
/// Font size of tick labels and legends.
pub const TICK_SIZE: f64 = 12.0;
/// Font size of notes: edge labels, probabilities, bar labels.
pub const NOTE_SIZE: f64 = 11.0;
/// Space between the edge of a picture and anything drawn, in pixels.
pub const MARGIN: f64 = 14.0;
/// Width and height of a chart, in pixels at scale 1.
pub const CHART_SIZE: (f64, f64) = (720.0, 440.0);

/// A colour of the palette, by Okabe and Ito.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hue {
    /// `#0072B2`: in the charts of the source article, the entropy bound.
    Blue,
    /// `#D55E00`, which stands for red: rejection.
    Vermillion,
    /// `#009E73`: the fast dice roller.
    Green,
    /// `#CC79A7`.
    Purple,
    /// `#E69F00`.
    Orange,
    /// `#56B4E9`.
    SkyBlue,
    /// Near black, `#222222`.
    Black,
    /// `#F0E442`: hard to see on white, so it is used only on request.
    Yellow,
    /// `#808080`: for reference lines.
    Grey,
}

impl Hue {
    /// The order in which series get hues if they do not set one.
    pub const ORDER: [Hue; 7] = [
        Hue::Blue,
        Hue::Vermillion,
        Hue::Green,
        Hue::Purple,
        Hue::Orange,
        Hue::SkyBlue,
        Hue::Black,
    ];

    /// Returns the colour.
    pub fn rgb(self) -> Rgb {
        match self {
            Hue::Blue => Rgb(0x00, 0x72, 0xb2),
            Hue::Vermillion => Rgb(0xd5, 0x5e, 0x00),
            Hue::Green => Rgb(0x00, 0x9e, 0x73),
            Hue::Purple => Rgb(0xcc, 0x79, 0xa7),
            Hue::Orange => Rgb(0xe6, 0x9f, 0x00),
            Hue::SkyBlue => Rgb(0x56, 0xb4, 0xe9),
            Hue::Black => INK,
            Hue::Yellow => Rgb(0xf0, 0xe4, 0x42),
            Hue::Grey => Rgb(0x80, 0x80, 0x80),
        }
    }
}

impl Hue {
    /// The names, for error messages.
    pub const NAMES: &str =
        "blue, vermillion (or red), green, purple, orange, sky-blue, black, yellow or grey";
}

impl FromStr for Hue {
    type Err = StyleNameError;

    /// Reads a hue by name: `blue`, `vermillion` (or `red`), `green`, `purple`, `orange`,
    /// `sky-blue`, `black`, `yellow`, `grey`.
    fn from_str(name: &str) -> Result<Hue, StyleNameError> {
        Ok(match name {
            "blue" => Hue::Blue,
            "vermillion" | "red" => Hue::Vermillion,
            "green" => Hue::Green,
            "purple" => Hue::Purple,
            "orange" => Hue::Orange,
            "sky-blue" => Hue::SkyBlue,
            "black" => Hue::Black,
            "yellow" => Hue::Yellow,
            "grey" | "gray" => Hue::Grey,
            _ => {
                return Err(StyleNameError::new("colour", name, Hue::NAMES));
            }
        })
    }
}

/// The dash pattern of a line, by which lines can be distinguished without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dash {
    /// No gaps.
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash, dot, dash, dot.
    DashDot,
    /// Long dashes.
    LongDash,
}

impl Dash {
    /// The order in which lines get dash patterns if they do not set one.
    pub const ORDER: [Dash; 5] = [
        Dash::Solid,
        Dash::Dashed,
        Dash::Dotted,
        Dash::DashDot,
        Dash::LongDash,
    ];

    /// Returns the lengths of the first dash, the first gap, the second dash and so on, for a line
    /// of this width; empty for [`Dash::Solid`].
    pub fn pattern(self, width: f64) -> Vec<f64> {
        let of = |lengths: &[f64]| lengths.iter().map(|l| l * width.max(1.0)).collect();
        match self {
            Dash::Solid => Vec::new(),
            Dash::Dashed => of(&[4.0, 2.0]),
            Dash::Dotted => of(&[1.2, 1.6]),
            Dash::DashDot => of(&[5.0, 1.8, 1.2, 1.8]),
            Dash::LongDash => of(&[9.0, 2.5]),
        }
    }
}

impl Dash {
    /// The names, for error messages.
    pub const NAMES: &str = "solid, dashed, dotted, dash-dot or long-dash";
}

impl FromStr for Dash {
    type Err = StyleNameError;

    /// Reads a line style by name: `solid`, `dashed`, `dotted`, `dash-dot`, `long-dash`.
    fn from_str(name: &str) -> Result<Dash, StyleNameError> {
        Ok(match name {
            "solid" => Dash::Solid,
            "dashed" => Dash::Dashed,
            "dotted" => Dash::Dotted,
            "dash-dot" => Dash::DashDot,
            "long-dash" => Dash::LongDash,
            _ => {
                return Err(StyleNameError::new("line style", name, Dash::NAMES));
            }
        })
    }
}

/// A perceptually uniform map from numbers to colours, legible with any common form of colour
/// blindness and in grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ColorMap {
    /// Dark violet over green to yellow (van der Walt and Smith, 2015).
    #[default]
    Viridis,
    /// Dark blue over grey to yellow (Nuñez, Anderton and Renslow, 2018): looks the same with and
    /// without red-green colour blindness.
    Cividis,
}

impl ColorMap {
    /// Returns the colour at `t`: 0 is the dark end and 1 the light end; numbers outside this range
    /// get the colour of the nearer end.
    pub fn rgb(self, t: f64) -> Rgb {
        const VIRIDIS: [u32; 10] = [
            0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6dcd59,
            0xb4de2c, 0xfde725,
        ];
        const CIVIDIS: [u32; 12] = [
            0x00204d, 0x00306f, 0x2a406c, 0x48526b, 0x5e626e, 0x727374, 0x878479, 0x9e9677,
            0xb6a971, 0xd0be67, 0xead357, 0xffea46,
        ];
        let table: &[u32] = match self {
            ColorMap::Viridis => &VIRIDIS,
            ColorMap::Cividis => &CIVIDIS,
        };
        let rgb = |c: u32| Rgb((c >> 16) as u8, (c >> 8) as u8, c as u8);
        let place = t.clamp(0.0, 1.0) * (table.len() - 1) as f64;
        let low = (place as usize).min(table.len() - 2);
        rgb(table[low]).mix(rgb(table[low + 1]), place - low as f64)
    }
}

impl ColorMap {
    const NAMES: &str = "viridis or cividis";
}

impl FromStr for ColorMap {
    type Err = StyleNameError;

    /// Reads a colour map by name: `viridis` or `cividis`.
    fn from_str(name: &str) -> Result<ColorMap, StyleNameError> {
        match name {
            "viridis" => Ok(ColorMap::Viridis),
            "cividis" => Ok(ColorMap::Cividis),
            _ => Err(StyleNameError::new("colour map", name, ColorMap::NAMES)),
        }
    }
}
