//! `flipcost mr`: MR-expansions.

use super::Failure;
use super::args::{self};
use crate::number::Rational;
use crate::number::expression::{parse_rational, parse_u64};
use crate::number::mr;
use crate::table::Output;
use num_traits::Zero;

/// The MR-expansion of a positive rational: terms, pre-period and period
#[derive(clap::Args)]
pub struct Mr {
    /// The number, such as 1/29
    #[arg(value_name = "X", value_parser = positive_rational, allow_negative_numbers = true)]
    x: Rational,
    /// The base
    #[arg(short, long, value_name = "M", default_value = "2", value_parser = base, allow_negative_numbers = true)]
    base: u64,
    /// How many terms to print
    #[arg(short, long, value_name = "K", default_value = "30", value_parser = args::word, allow_negative_numbers = true)]
    terms: u64,
}

fn positive_rational(text: &str) -> Result<Rational, String> {
    let x = parse_rational(text).map_err(|error| error.to_string())?;
    if x.is_zero() {
        Err("the MR-expansion is one of a number above 0".to_string())
    } else {
        Ok(x)
    }
}

fn base(text: &str) -> Result<u64, String> {
    match parse_u64(text).map_err(|error| error.to_string())? {
        m if (2..=1 << 32).contains(&m) => Ok(m),
        m => Err(format!("base {m} is out of range: it must be 2 to 2^32")),
    }
}

/// Terms that are searched for the period.
const MOST: u64 = 20_000_000;

impl Mr {
    pub fn run(self) -> Result<(), Failure> {
        let expansion = mr::Expansion::new(&self.x, self.base).expect("x and base were checked");
        let mut output = Output::open(None)?;
        output.with(|out| {
            for (i, term) in expansion.take(self.terms as usize).enumerate() {
                write!(out, "{}{term}", if i == 0 { "" } else { ", " })?;
            }
            writeln!(out)
        })?;
        let period = mr::period(&self.x, self.base, MOST);
        output.with(|out| match period {
            Some(period) => writeln!(
                out,
                "pre-period {}, period {}",
                period.before, period.length
            ),
            None => writeln!(out, "the period is longer than {MOST} terms"),
        })?;
        Ok(output.finish()?)
    }
}
