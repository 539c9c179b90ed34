//! Rules that are functions of another language, such as Python: this process knows them by a number, which stands in
//! place of their text.

use crate::RuleText;
use crate::explore::Program;
use crate::fault::Fault;
use flipcost_number::BigUint;
use std::sync::{Arc, Mutex, PoisonError};

/// Makes the program for a target of n outcomes from a source of m faces.
pub type MakeProgram = dyn Fn(&BigUint, u64) -> Result<Arc<dyn Program>, Fault> + Send + Sync;

static MADE: Mutex<Vec<Arc<MakeProgram>>> = Mutex::new(Vec::new());

/// What stands before the number.
const WORD: &str = "functions ";

/// The rule of such functions, from now on until the process ends; messages call it `name`.
pub fn register_functions(name: &str, make: Arc<MakeProgram>) -> RuleText {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.push(make);
    RuleText {
        file: name.to_string(),
        text: format!("{WORD}{}", made.len()),
    }
}

/// The functions that a text stands for; `None` if it is a program.
pub(crate) fn functions(rule: &RuleText) -> Option<Result<Arc<MakeProgram>, Fault>> {
    let number = rule.text.strip_prefix(WORD)?;
    let made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = number.trim_end().parse::<usize>().ok();
    let make = place.and_then(|number| made.get(number.checked_sub(1)?));
    Some(
        make.cloned()
            .ok_or_else(|| Fault::Elsewhere(rule.file.clone())),
    )
}
