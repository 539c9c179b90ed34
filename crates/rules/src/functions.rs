//! Rules that are functions of another language, for example Python. The process keeps the
//! functions in a list. The text of such a rule contains only the functions' index in this list.

use crate::explore::Program;
use crate::fault::Fault;
use flipcost_number::BigUint;
use std::sync::{Arc, Mutex, PoisonError};

/// Makes the program for a target of n outcomes from a source of m faces.
pub type MakeProgram = dyn Fn(&BigUint, u64) -> Result<Arc<dyn Program>, Fault> + Send + Sync;

static REGISTERED_FUNCTIONS: Mutex<Vec<Arc<MakeProgram>>> = Mutex::new(Vec::new());

/// The word before the index of the functions.
const FUNCTIONS_PREFIX: &str = "functions ";

/// Registers functions and returns the text that represents their rule until the process ends.
pub fn register_functions(make: Arc<MakeProgram>) -> String {
    let mut made = REGISTERED_FUNCTIONS
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    made.push(make);
    format!("{FUNCTIONS_PREFIX}{}", made.len())
}

/// Returns the functions that the text of a file represents; `None` if the text is a program.
pub(crate) fn functions(file: &str, text: &str) -> Option<Result<Arc<MakeProgram>, Fault>> {
    let number = text.strip_prefix(FUNCTIONS_PREFIX)?;
    let made = REGISTERED_FUNCTIONS
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let place = number.trim_end().parse::<usize>().ok();
    let make = place.and_then(|number| made.get(number.checked_sub(1)?));
    Some(
        make.cloned()
            .ok_or_else(|| Fault::Elsewhere(file.to_string())),
    )
}
