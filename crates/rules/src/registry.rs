//! Algorithms of the registry, written as rules.

macro_rules! rules {
    ($($id:literal)*) => {
        &[$(($id, include_str!(concat!("registry/", $id, ".rhai")))),*]
    };
}

/// Those that have a text, by their ids. A rule knows n and m alone, so that what depends on the weights of a target has
/// none, nor has what keeps a tree or a table.
pub const REGISTRY_RULES: &[(&str, &str)] = rules! {
    "fast-dice-roller" "rejection" "rejection-ceil" "interval" "base-conversion" "base-conversion-early" "parity-bits"
    "lemire" "modulo-reject" "mask-reject" "bitmask-words" "canon" "von-neumann" "dijkstra"
};

/// The text of an algorithm as a rule.
///
/// # Errors
/// A sentence, if it has none.
pub fn registry_rule(id: &str) -> Result<&'static str, String> {
    let found = REGISTRY_RULES.iter().find(|(known, _)| *known == id);
    found.map(|(_, text)| *text).ok_or_else(|| {
        let known: Vec<&str> = REGISTRY_RULES.iter().map(|(id, _)| *id).collect();
        format!(
            "{id} cannot be shown as a rule, which knows n and m alone: those that can are {}",
            known.join(", ")
        )
    })
}
