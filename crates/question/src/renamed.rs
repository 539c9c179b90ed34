//! What questions and commands were called before, and what does the same now.

use crate::Sentence;
use std::sync::OnceLock;

/// A name that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The question or command, or an option of one: `tree`, `cost --why`.
    pub old: &'static str,
    /// The command line that does it now, without the program's name: `show N --as tree`.
    pub line: &'static str,
    /// The question that does it now, in JSON; empty if it is none.
    pub json: &'static str,
}

/// The names that were.
static RENAMED: OnceLock<&'static [Renamed]> = OnceLock::new();

/// Hands over the names that were. The first call counts.
pub fn register_renamed(renamed: &'static [Renamed]) {
    RENAMED.get_or_init(|| renamed);
}

/// What was called so.
pub fn find_renamed(old: &str) -> Option<&'static Renamed> {
    let all = RENAMED.get().copied().unwrap_or_default();
    all.iter().find(|renamed| renamed.old == old)
}

impl Renamed {
    /// The question or the command line that does it now.
    pub fn successor(&self) -> Sentence {
        let line = format!("flipcost {}", self.line);
        if self.json.is_empty() {
            format!("`{line}`").into()
        } else {
            Sentence::question(&line, self.json)
        }
    }
}
