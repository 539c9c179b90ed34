//! The limits of what a study may request, and the error for a request above a limit.
//!
//! A study is a file that may come from anyone. Each computation is checked against a limit before
//! it starts, so that no file takes hours or all memory. The limits are far above the needs of an
//! article.

use super::error::{Mistake, StudyError};

/// The maximum number of letters of a text that is drawn or written into a table.
pub const MAX_TEXT_LETTERS: usize = 1000;
/// The maximum size of a study's file, in bytes.
pub const MAX_FILE_BYTES: u64 = 4_000_000;
/// The maximum number of targets of a claim about all n up to a limit.
pub const MAX_TARGETS: u64 = 10_000_000;
/// The maximum number of n for which `for` decides a claim.
pub const MAX_CASES: u64 = 1_000_000;
/// The maximum number of points of one curve.
pub const MAX_POINTS: u64 = 1_000_000;
/// The maximum number of curves, or of lines, of one chart.
pub const MAX_CURVES: usize = 50;
/// The maximum number of bars of a histogram, and of outcomes that are enumerated.
pub const MAX_OUTCOMES: u64 = 100_000;
/// The maximum number of cards in all decks of a table together.
pub const MAX_TOTAL_CARDS: u64 = 4_000_000_000;
/// The maximum number of columns of a heat map.
pub const MAX_COLUMNS: u64 = 10_000;
/// The maximum number of capacities of a stream; a chain is solved for each of them.
pub const MAX_CAPACITIES: u64 = 200;
/// The maximum number of cells of a table that is drawn.
pub const MAX_CELLS: u64 = 10_000;
/// The maximum number of rolls of a distribution that are listed.
pub const MAX_ROLLS: u64 = 10_000;
/// The maximum number of bits of all exact numbers of one figure or check together.
pub const MAX_EXACT_BITS: u128 = 1 << 24;
/// The maximum number of bits of a target whose rounds are listed or drawn.
pub const MAX_FLOW_CHART_BITS: u64 = 512;
/// The maximum number of bits of all targets of a batch together.
pub const MAX_BATCH_BITS: u64 = 4096;
/// The maximum number of targets of a batch.
pub const MAX_BATCH_TARGETS: usize = 1000;
/// The maximum number of faces of all states together, for a chain that is solved exactly.
pub const MAX_CHAIN_FACES: usize = 2_000_000;
/// The largest index of a term of a sequence.
pub const MAX_TERM_INDEX: u64 = 10_000_000;
/// The maximum number of pairs of a target and a set of dice for which the best rule is searched.
pub const MAX_SEARCHES: u64 = 100_000;

/// The maximum number of command lines whose answers a document shows.
pub const MAX_COMMANDS: u64 = 200;
/// The maximum number of elementary operations for the answer of a command line.
pub const MAX_ANSWER_WORK: u64 = 10_000_000_000;
/// The maximum estimated size of the answer of a command line, in bytes. The estimate is far above
/// the real size.
pub const MAX_ANSWER_BYTES: u64 = 1 << 25;
/// The maximum number of dice in a table of libraries.
pub const MAX_LIBRARY_DICE: u64 = 20;
/// The maximum number of sides of a die in a table of libraries; some libraries compute a double
/// for each side.
pub const MAX_LIBRARY_SIDES: u64 = 1 << 24;
/// The maximum number of oscillations of a Fourier series.
pub const MAX_OSCILLATIONS: u64 = 500;

/// Refuses a number that a key requests if the number is above the limit.
///
/// # Errors
/// If the number is above the limit; the sentence states both numbers.
pub fn check_at_most(field: &str, asked: u64, what: &str, most: u64) -> Result<(), StudyError> {
    if asked > most {
        let what = format!("{asked} {what} are too many for a study");
        let mistake = Mistake::in_field(field, asked, what);
        Err(mistake.right(format!("{most} is the most")).into())
    } else {
        Ok(())
    }
}

/// Refuses exact numbers that would take more than [`MAX_EXACT_BITS`] bits together.
///
/// # Errors
/// If the numbers would take more bits; the sentence states both numbers of bits.
pub fn check_total_bits(bits: u128) -> Result<(), StudyError> {
    if bits > MAX_EXACT_BITS {
        let what = format!("the exact numbers would take about {bits} bits");
        let most = format!("{MAX_EXACT_BITS} is the most in a study");
        Err(Mistake::new(what).right(most).into())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_equal_to_the_limit_is_allowed() {
        assert!(
            check_at_most("upto", 7, "rolls", 7).is_ok()
                && check_total_bits(MAX_EXACT_BITS).is_ok()
        );
        let refused = check_at_most("upto", 8, "rolls", 7)
            .unwrap_err()
            .to_string();
        assert_eq!(refused, "8 rolls are too many for a study: 7 is the most");
        assert!(check_total_bits(MAX_EXACT_BITS + 1).is_err());
    }
}
