//! The positions and labels of the ticks of an axis.

use super::axis::Scale;

/// The labelled ticks, each as position and label, and the positions of the ticks without labels.
pub(super) type TicksAndMinor = (Vec<(f64, String)>, Vec<f64>);

/// Returns ticks at round numbers, or at powers on a logarithmic axis. `low` and `high` are in the
/// coordinate in which the axis is linear; `room` is the number of labels that fit.
pub(super) fn automatic_ticks(scale: Scale, low: f64, high: f64, room: usize) -> TicksAndMinor {
    match scale {
        Scale::Linear => (
            evenly_spaced_ticks(low, high, round_step(low, high, room)),
            Vec::new(),
        ),
        Scale::Log2 => log2_ticks(low, high, room),
        Scale::Log10 => log10_ticks(low, high, room),
    }
}

/// Returns the smallest step, 1, 2 or 5 times a power of ten, that gives at most `room` steps; or
/// the next larger step, if only that one has multiples at both ends of the axis.
fn round_step(low: f64, high: f64, room: usize) -> f64 {
    let least = (high - low) / room.max(1) as f64;
    let ten = libm::exp10(libm::log10(least).floor());
    // The tolerance keeps an exact step from being missed because of rounding.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    let steps: Vec<f64> = [1.0, 2.0, 5.0, 10.0, 20.0]
        .iter()
        .map(|f| f * ten)
        .filter(fits)
        .collect();
    let whole = |v: f64| (v - v.round()).abs() < 1e-9;
    let meets = |step: &&f64| whole(low / **step) && whole(high / **step);
    *steps
        .iter()
        .take(2)
        .find(meets)
        .or(steps.first())
        .unwrap_or(&ten)
}

/// Returns ticks at the multiples of a step; no ticks if there would be more than a thousand.
pub(super) fn evenly_spaced_ticks(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    if !(step > 0.0 && step.is_finite()) || (high - low) / step > 1000.0 {
        return Vec::new();
    }
    let decimals = (0..12).find(|d| {
        let scaled = step * libm::exp10(f64::from(*d));
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last)
        .map(|i| {
            (
                i as f64 * step,
                decimal(i as f64 * step, decimals.unwrap_or(12) as usize),
            )
        })
        .collect()
}

/// Formats a number for a chart, with a true minus sign and with thin spaces in long numbers.
pub fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, part) = text
        .split_once('.')
        .map_or((text.as_str(), None), |(w, p)| (w, Some(p)));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && whole.len() > 4 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    if let Some(part) = part {
        out.push('.');
        out.push_str(part);
    }
    out
}

/// Returns a text with raised exponents: `2^-n` becomes 2⁻ⁿ, and `p^2` becomes p². An exponent
/// stays as it is if one of its letters has no raised form.
pub fn typeset(text: &str) -> String {
    let raised = |c: char| match c {
        '-' => Some('⁻'),
        'n' => Some('ⁿ'),
        digit => {
            Some(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10)? as usize])
        }
    };
    let mut parts = text.split('^');
    let mut set = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let length = |c: char| part.starts_with(c).then_some(1);
        let sign = length('-').unwrap_or(0);
        let digits = part[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let end = sign
            + if digits > 0 {
                digits
            } else {
                part[sign..].starts_with('n').into()
            };
        let word_goes_on =
            part[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        if end == sign || word_goes_on {
            set.push('^');
            set.push_str(part);
        } else {
            set.extend(part[..end].chars().filter_map(raised));
            set.push_str(&part[end..]);
        }
    }
    set
}

/// Returns ticks at powers. If all numbers are short, the labels are numbers such as 1024,
/// otherwise powers such as 2⁴⁰.
fn ticks_at_powers(base: u32, exponents: impl Iterator<Item = i32>) -> Vec<(f64, String)> {
    let exponents: Vec<i32> = exponents.collect();
    let short = if base == 2 { -6..=19 } else { -4..=5 };
    let full = exponents.iter().all(|e| short.contains(e));
    exponents
        .iter()
        .map(|e| (f64::from(*e), power(base, *e, full)))
        .collect()
}

fn power(base: u32, exponent: i32, full: bool) -> String {
    let value = libm::pow(f64::from(base), f64::from(exponent));
    match (full, exponent) {
        (_, 0) => return "1".into(),
        (_, 1) => return base.to_string(),
        (true, 1..) => return decimal(value, 0),
        (true, _) if base == 2 => return format!("1/{}", 1u64 << -exponent),
        (true, _) => return decimal(value, -exponent as usize),
        _ => {}
    }
    typeset(&format!("{base}^{exponent}"))
}

/// Returns the whole exponents in this range, or every second, third, ... one if more than `room`
/// would be too many.
fn exponents(low: f64, high: f64, room: usize) -> impl Iterator<Item = i32> {
    let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
    let every = (last - first + 1).div_euclid(room.max(1) as i32 + 1) + 1;
    (first..=last).filter(move |e| e.rem_euclid(every) == 0)
}

fn log2_ticks(low: f64, high: f64, room: usize) -> TicksAndMinor {
    let ticks = ticks_at_powers(2, exponents(low, high, room.max(14)));
    let minor = exponents(low, high, 64).map(f64::from).collect();
    (ticks, minor)
}

fn log10_ticks(low: f64, high: f64, room: usize) -> TicksAndMinor {
    let mut ticks = ticks_at_powers(10, exponents(low, high, room));
    let digits = |few: &'static [i32]| {
        let decades = low.floor() as i32..=high.ceil() as i32;
        decades.flat_map(move |e| few.iter().map(move |d| (e, *d)))
    };
    let place = |(e, d): (i32, i32)| f64::from(e) + libm::log10(f64::from(d));
    if high - low < 2.5 {
        // if there are few decades, labels also twice and five times each power
        ticks.extend(digits(&[2, 5]).map(|(e, d)| {
            let value = f64::from(d) * libm::exp10(f64::from(e));
            (place((e, d)), decimal(value, (-e).max(0) as usize))
        }));
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let minor = if high - low < 8.0 {
        digits(&[2, 3, 4, 5, 6, 7, 8, 9]).map(place).collect()
    } else {
        exponents(low, high, 400).map(f64::from).collect()
    };
    (ticks, minor)
}
