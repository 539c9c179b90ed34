//! `flipcost roll`: a sampler that really rolls.

use super::args::{self, SourceArg};
use super::{Failure, remark};
use crate::rows::Output;
use flipcost::algorithms::faces::{Faces, GENERATOR, parse_rolls};
use flipcost::algorithms::{Algorithm, FAST_DICE_ROLLER, Traced};
use flipcost::number::BigUint;
use flipcost::task::Task;

/// Really roll: a fair number from 1 to N out of coin flips or other rolls
#[derive(clap::Args)]
pub struct Roll {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    #[command(flatten)]
    source: SourceArg,
    /// The algorithm, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", default_value = FAST_DICE_ROLLER.about().id, value_parser = args::algorithm())]
    algorithm: &'static dyn Algorithm,
    /// How many results
    #[arg(short, long, value_name = "K", default_value = "1", value_parser = args::word, allow_negative_numbers = true)]
    count: u64,
    /// Repeatable rolls from this seed, instead of the operating system's randomness
    #[arg(long, value_name = "S", value_parser = args::word, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Show every step and the rolls used
    #[arg(short, long)]
    trace: bool,
    /// Your own physical rolls: HTHHT for a coin (H is 1, T is 2), or faces such as 6,3,4,3
    #[arg(
        short,
        long,
        value_name = "ROLLS",
        conflicts_with = "seed",
        allow_hyphen_values = true
    )]
    input: Option<String>,
}

/// A face as a person calls it.
pub fn face_name(sides: u64, face: u64) -> String {
    match (sides, face) {
        (2, 0) => "H".to_string(),
        (2, _) => "T".to_string(),
        _ => (face + 1).to_string(),
    }
}

impl Roll {
    pub fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let bound = self.algorithm.prepare(&dice).map_err(Failure::input)?;
        let given = self
            .input
            .as_deref()
            .map(|text| parse_rolls(text, self.source.source))
            .transpose();
        let mut given = given
            .map_err(Failure::input)?
            .map(|rolls| (rolls.len(), rolls.into_iter()));
        let mut faces = match self.seed {
            Some(seed) => Faces::seeded(seed),
            None => Faces::system(),
        };
        if self.trace && given.is_none() {
            match self.seed {
                Some(seed) => remark(&format!("rolls from {GENERATOR}, seed {seed}")),
                None => remark("rolls from the operating system's randomness"),
            }
        }
        let unit = dice.source().unit().singular();
        let mut output = Output::open(None)?;
        for done in 0..self.count {
            let mut lines = Vec::new();
            let mut tell = |step: Traced| {
                let die = if step.sides == 2 {
                    "coin".to_string()
                } else {
                    format!("d{}", step.sides)
                };
                let shown = face_name(step.sides, step.face);
                let after = step.after.map_or("output".to_string(), |after| after);
                lines.push(format!(
                    "  [{}]  {die} shows {shown}  ->  {after}",
                    step.before
                ));
            };
            let mut roll = |sides: u64| match given.as_mut() {
                Some((_, rolls)) => rolls.next(),
                None => faces.roll(sides),
            };
            let rolled = bound.play(&mut roll, if self.trace { Some(&mut tell) } else { None });
            output.with(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
            let Some(rolled) = rolled else {
                output.finish()?;
                if let Some(error) = faces.failed {
                    return Err(Failure::Input(format!(
                        "the operating system gave no randomness: {error}"
                    )));
                }
                let length = given.map_or(0, |(length, _)| length);
                return Err(Failure::Input(format!(
                    "the {length} {unit}s of --input ran out before result {} of {} was decided: {} needs more {unit}s",
                    done + 1,
                    self.count,
                    self.algorithm.about().id
                )));
            };
            let result = rolled.outcome + 1u8;
            output.with(|out| {
                if self.trace {
                    let s = if rolled.rolls == 1 { "" } else { "s" };
                    writeln!(out, "{result}  ({} {unit}{s})", rolled.rolls)
                } else {
                    writeln!(out, "{result}")
                }
            })?;
        }
        output.finish()?;
        if let Some((_, rest)) = given
            && rest.len() > 0
        {
            remark(&format!(
                "{} of the {unit}s given were not needed",
                rest.len()
            ));
        }
        Ok(())
    }
}
