//! Rule files that a study names. When the study is read, their texts are stored here, so that the
//! study's questions can name the files in whatever folder the program runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static RULE_TEXTS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// The extensions of rule files.
const RULE_EXTENSIONS: [&str; 2] = [".rhai", ".csv"];

/// Returns the names of rule files in a text, except names that could lead out of the study's
/// folder.
pub fn rule_files(text: &str) -> impl Iterator<Item = &str> {
    let part = |letter: char| !letter.is_ascii_alphanumeric() && !"./_-".contains(letter);
    text.split(part).filter(|name| {
        RULE_EXTENSIONS.iter().any(|ending| name.ends_with(ending))
            && !name.starts_with(['/', '.'])
            && !name.contains("..")
    })
}

/// Stores the text of a rule file under its name.
///
/// # Errors
/// If another text is already stored under this name.
pub fn add_rule_file(name: &str, text: String) -> Result<(), String> {
    let mut texts = RULE_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = texts
        .entry(name.to_string())
        .or_insert_with(|| text.clone());
    if *known == text {
        Ok(())
    } else {
        Err(format!(
            "\"{name}\" has changed, or is another file in another study of this run: run them one by one"
        ))
    }
}

/// Returns the text that is stored under this name.
pub fn rule_file(name: &str) -> Option<String> {
    let texts = RULE_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.get(name).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_files_of_rules() {
        let text = "that = \"rule_check(rules/a-1.rhai, targets: 6).fair = 1\"\n# ../b.rhai /c.rhai d.toml e.csv";
        assert!(rule_files(text).eq(["rules/a-1.rhai", "e.csv"]));
    }

    #[test]
    fn a_name_is_for_one_text() {
        assert_eq!(rule_file("side-file.rhai"), None);
        add_rule_file("side-file.rhai", "1".to_string()).unwrap();
        add_rule_file("side-file.rhai", "1".to_string()).unwrap();
        assert!(add_rule_file("side-file.rhai", "2".to_string()).is_err());
        assert_eq!(rule_file("side-file.rhai").as_deref(), Some("1"));
    }
}
