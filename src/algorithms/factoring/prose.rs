//! Writes a recipe in words.

use super::search::{FactoringRecipe, Procedure, RecipeDie};
use std::fmt;

impl FactoringRecipe {
    /// Describes the recipe in words, one entry for each step; steps are numbered from 1.
    pub fn steps(&self) -> Vec<String> {
        let mut steps = Vec::new();
        let result = write_steps(&self.root, &mut steps, &mut 0);
        steps.push(match self.root.sides {
            1 => "The result is 1.".to_string(),
            _ => format!("The result is {result}."),
        });
        steps
    }

    /// Returns, for each step of [`FactoringRecipe::steps`], the die that this step completes; the
    /// last die is the whole recipe.
    ///
    /// ```
    /// let recipe = flipcost::algorithms::factoring::recipe(&[6], 12).unwrap();
    /// let sides: Vec<u64> = recipe.parts().iter().map(|part| part.sides).collect();
    /// assert_eq!(sides, [2, 6, 12, 12]); // a coin, a d6, both as one d12, and the result
    /// ```
    pub fn parts(&self) -> Vec<&RecipeDie> {
        let mut parts = Vec::new();
        push_completed_parts(&self.root, &mut parts);
        parts.push(&self.root);
        parts
    }
}

/// Appends the parts in the order of the steps of [`write_steps`].
fn push_completed_parts<'a>(part: &'a RecipeDie, parts: &mut Vec<&'a RecipeDie>) {
    match &part.procedure {
        Procedure::Nothing => return,
        Procedure::Roll(_) => {}
        Procedure::Reduce(from) | Procedure::Retry(from) => push_completed_parts(from, parts),
        Procedure::Product(first, second) => {
            push_completed_parts(first, parts);
            push_completed_parts(second, parts);
        }
    }
    parts.push(part);
}

impl fmt::Display for FactoringRecipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, step) in self.steps().iter().enumerate() {
            writeln!(f, "{}. {step}", i + 1)?;
        }
        Ok(())
    }
}

fn letter_name(index: &mut u32) -> String {
    let (turn, at) = (*index / 26, *index % 26);
    *index += 1;
    let letter = char::from(b'a' + at as u8);
    if turn == 0 {
        letter.to_string()
    } else {
        format!("{letter}{turn}")
    }
}

/// Writes the sentence for replacing a number by its remainder, in a form that a person can
/// compute.
fn remainder_sentence(name: &str, whole: &str, sides: u64) -> String {
    match sides {
        2 => format!("{name} = 1 if {whole} is odd, 2 if it is even."),
        10 => format!("{name} = the last digit of {whole}, with 10 for 0."),
        _ => format!("{name} = {whole} modulo {sides}, with {sides} for 0."),
    }
}

/// Appends the steps that make a part, and returns the letter that names the result.
fn write_steps(part: &RecipeDie, steps: &mut Vec<String>, used: &mut u32) -> String {
    match &part.procedure {
        Procedure::Nothing => String::new(),
        Procedure::Roll(die) => {
            let (name, sides) = (letter_name(used), part.sides);
            steps.push(match (*die, sides) {
                (2, _) => format!("Flip a coin; {name} = 1 for heads, 2 for tails."),
                (die, sides) if die == sides.into() => format!("Roll a d{die}; {name} = the face."),
                (die, sides) => {
                    format!(
                        "Roll a d{die}; {}",
                        remainder_sentence(&name, "the face", sides)
                    )
                }
            });
            name
        }
        Procedure::Reduce(from) => {
            let (whole, name, sides) = (
                write_steps(from, steps, used),
                letter_name(used),
                part.sides,
            );
            steps.push(remainder_sentence(&name, &whole, sides));
            name
        }
        Procedure::Retry(from) => {
            let back = steps.len() + 1;
            let name = write_steps(from, steps, used);
            steps.push(format!(
                "If {name} is above {}, go back to step {back}.",
                part.sides
            ));
            name
        }
        Procedure::Product(first, second) => {
            let (a, b) = (
                write_steps(first, steps, used),
                write_steps(second, steps, used),
            );
            let name = letter_name(used);
            steps.push(format!("{name} = {} * ({a} - 1) + {b}.", second.sides));
            name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::recipe;

    #[test]
    fn a_recipe_reads_as_steps() {
        assert_eq!(
            recipe(&[6], 11).unwrap().steps(),
            [
                "Roll a d6; a = 1 if the face is odd, 2 if it is even.",
                "Roll a d6; b = the face.",
                "c = 6 * (a - 1) + b.",
                "If c is above 11, go back to step 1.",
                "The result is c."
            ]
        );
        assert_eq!(recipe(&[6], 1).unwrap().steps(), ["The result is 1."]);
        assert!(recipe(&[], 4).is_err());
        assert!(recipe(&[6], 1 << 20).is_err());
    }
}
