//! The algorithms of the registry that are also written as rules.

macro_rules! rules {
    ($($id:literal)*) => {
        &[$(($id, include_str!(concat!("registry/", $id, ".rhai")))),*]
    };
}

/// The algorithms that are also written as rules, by id, for fair sources. Algorithms that search
/// before they roll have no rule: they search for the best block (elias), the best recipe
/// (factoring), or groups of the faces of a loaded die (alias-source).
pub const REGISTRY_RULES: &[(&str, &str)] = rules! {
    "fast-dice-roller" "rejection" "rejection-ceil" "interval" "base-conversion" "base-conversion-early" "parity-bits"
    "bounded" "knuth-yao" "fldr" "aldr" "alias" "rejection-uniform" "lemire" "modulo-reject" "mask-reject"
    "bitmask-words" "canon" "von-neumann" "von-neumann-early" "hoeffding-simons" "stout-warren" "dijkstra" "peres"
};

/// Returns the text of an algorithm as a rule.
///
/// # Errors
/// If the algorithm has no rule; the error is a sentence.
pub fn registry_rule(id: &str) -> Result<&'static str, String> {
    let found = REGISTRY_RULES.iter().find(|(known, _)| *known == id);
    found.map(|(_, text)| *text).ok_or_else(|| {
        let known: Vec<&str> = REGISTRY_RULES.iter().map(|(id, _)| *id).collect();
        format!(
            "{id} cannot be shown as a rule, since it searches before it rolls: the algorithms that can be shown are {}",
            known.join(", ")
        )
    })
}
