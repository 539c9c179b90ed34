//! The program of the terminal, which the package brings as its command: the same code in the same
//! module, so that a wheel holds it once.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the program with these words, the first of which is its name; its exit status. Ctrl-C ends
/// the process as it ends the program.
#[pyfunction]
pub fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| {
        let status = flipcost_cli::commands::run(words);
        // Of a module nobody else does at the end; what is wrong with the output has been said.
        let _ = std::io::stdout().flush();
        status
    })
}
