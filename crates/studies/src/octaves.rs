//! The n that a figure shows: ranges in equal steps, or some n of each octave (from one power of
//! two to the next) in equal steps.

use super::error::{Mistake, StudyError};
use super::limits::{MAX_POINTS, check_at_most};
use super::values::{NumberRanges, Span};

impl NumberRanges {
    /// Selects the n to show, in increasing order and without repetitions.
    ///
    /// Without `most` these are the first n of each range and every `every`-th n after it. With
    /// `most` they are the powers of two, and at most `most` n between each two powers: the first,
    /// the last, and others in equal steps (n = 2^k + 1 + floor(i (2^k - 2) / (most - 1))).
    ///
    /// # Errors
    /// If there are too many n to draw, `every` is 0, or `most` is below 2.
    pub fn select(&self, every: u64, most: Option<u64>) -> Result<Vec<u64>, StudyError> {
        if every == 0 {
            let mistake = Mistake::in_field("every", every, "every = 0 selects no n");
            return Err(mistake.right("write 1 or more").into());
        }
        let mut all = Vec::new();
        for range in &self.0 {
            let count = match most {
                Some(most) => {
                    let octaves = range.0.end().ilog2() - range.0.start().ilog2() + 1;
                    most.saturating_mul(octaves.into())
                }
                None => (range.count() - 1) / every + 1,
            };
            check_at_most(
                "n",
                count.saturating_add(all.len() as u64),
                "points",
                MAX_POINTS,
            )?;
            match most {
                Some(most) if range.count() > 1 => all.extend(octaves(range, most)?),
                _ => all.extend(range.0.clone().step_by(every as usize)),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.is_empty() {
            let mistake = Mistake::new("no n of the range is among those that per-octave selects");
            let right = "write a larger number, or leave it out";
            return Err(mistake.field("per-octave").right(right).into());
        }
        Ok(all)
    }
}

fn octaves(range: &Span, most: u64) -> Result<Vec<u64>, StudyError> {
    if most < 2 {
        let what =
            format!("per-octave = {most} cannot hold both the first and the last n of an octave");
        let mistake = Mistake::in_field("per-octave", most, what);
        return Err(mistake.right("write per-octave = 2 or more").into());
    }
    let octave = |k: u32| {
        let power = 1u64 << k;
        let inner = power - 1;
        let count = inner.min(most);
        let wide = move |i: u64| u128::from(i) * u128::from(inner - 1) / u128::from(count - 1);
        // an octave of which only one n is shown needs no steps
        let step = move |i: u64| if count > 1 { wide(i) as u64 } else { 0 };
        std::iter::once(power).chain((0..count).map(move |i| power + 1 + step(i)))
    };
    let all = (range.0.start().ilog2()..=range.0.end().ilog2()).flat_map(octave);
    Ok(all.filter(|n| range.0.contains(n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octave_includes_its_first_and_last_n() {
        let found = |low, high, most| {
            NumberRanges(vec![Span(low..=high)])
                .select(1, most)
                .unwrap()
        };
        let all: Vec<u64> = (3..=100).collect();
        assert_eq!(found(3, 100, None), all);
        assert_eq!(found(3, 100, Some(63)), all);
        assert_eq!(
            found(1, 64, Some(3)),
            [
                1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64
            ]
        );
        assert_eq!(
            found(1 << 63, u64::MAX, Some(2)),
            [1 << 63, (1 << 63) + 1, u64::MAX]
        );
        for (most, what) in [(Some(1), "per-octave = 1"), (None, "too many")] {
            let refused = NumberRanges(vec![Span(1..=1 << 40)]).select(1, most);
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(what), "{refused}");
        }
    }
}
