//! The command-line program, which the package installs as its command. It is compiled into the
//! same module, so that a wheel contains its code once.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the program with these words, the first of which is its name, and returns its exit status.
/// Ctrl-C ends the process, as it ends the program.
#[pyfunction]
pub fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| {
        let status = flipcost_cli::commands::run(words);
        // Without this flush, output may be lost when the module exits. Errors of the output were
        // already reported.
        let _ = std::io::stdout().flush();
        status
    })
}
