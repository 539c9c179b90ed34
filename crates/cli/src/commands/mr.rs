//! `flipcost mr`: MR-expansions.

use super::Failure;
use super::args::{self};
use crate::rows::Output;
use flipcost::number::constant::Constant;
use flipcost::number::expression::parse_u64;
use flipcost::number::mr;
use flipcost::number::real::Real;

/// The MR-expansion of a positive number: terms, and for a rational pre-period and period
#[derive(clap::Args)]
pub struct Mr {
    /// The number, such as 1/29, e, pi, sqrt(2), ln(2) or e-2
    #[arg(value_name = "X", value_parser = positive, allow_hyphen_values = true)]
    x: Constant,
    /// The base
    #[arg(short, long, value_name = "M", default_value = "2", value_parser = base, allow_negative_numbers = true)]
    base: u64,
    /// How many terms to print
    #[arg(short, long, value_name = "K", default_value = "30", value_parser = args::word, allow_negative_numbers = true)]
    terms: u64,
}

fn positive(text: &str) -> Result<Constant, String> {
    Constant::positive(text).map_err(|error| error.to_string())
}

fn base(text: &str) -> Result<u64, String> {
    match parse_u64(text).map_err(|error| error.to_string())? {
        m if (2..=1 << 32).contains(&m) => Ok(m),
        m => Err(format!("base {m} is out of range: it must be 2 to 2^32")),
    }
}

/// Terms that are searched for the period of a rational of machine words.
const MOST: u64 = 20_000_000;

/// The most terms of a number that is not a fraction: all of them are decided before one is printed.
const MOST_IRRATIONAL: u64 = 200_000;

impl Mr {
    pub fn run(self) -> Result<(), Failure> {
        let mut output = Output::open(None)?;
        let rational = match self.x.value() {
            Real::Exact(x) => x,
            real => {
                if self.terms > MOST_IRRATIONAL {
                    return Err(Failure::Input(format!(
                        "{} terms of a number that is not a fraction are too many: {MOST_IRRATIONAL} is the most",
                        self.terms
                    )));
                }
                // Nothing is printed unless every term is decided.
                let terms = mr::terms_of_real(real, self.base, self.terms as usize);
                let terms = terms.map_err(Failure::input)?;
                output.with(|out| line(out, terms))?;
                return Ok(output.finish()?);
            }
        };
        let expansion = mr::Expansion::new(rational, self.base).expect("x and base were checked");
        output.with(|out| line(out, expansion.take(self.terms as usize)))?;
        // A term of a long rational takes longer.
        let most = MOST / (1 + rational.denom().bits() / 64);
        let period = mr::period(rational, self.base, most);
        output.with(|out| match period {
            Some(period) => writeln!(
                out,
                "pre-period {}, period {}",
                period.before, period.length
            ),
            None => writeln!(
                out,
                "no period was found: the search ends after {most} terms"
            ),
        })?;
        Ok(output.finish()?)
    }
}

/// Terms, parted by commas.
fn line(out: &mut dyn std::io::Write, terms: impl IntoIterator<Item = u64>) -> std::io::Result<()> {
    for (i, term) in terms.into_iter().enumerate() {
        write!(out, "{}{term}", if i == 0 { "" } else { ", " })?;
    }
    writeln!(out)
}
