//! No bytes make the readers of models panic, and what is read is written to the same chain.

use flipcost_models::{Language, drn, explicit, write};

/// See the module. Explicit files are the bytes between zeros: transitions, labels, rewards.
pub fn models(bytes: &[u8]) {
    if let Ok(model) = drn::read("fuzz", bytes, None) {
        // names of labels and rewards that stand in quotes are not written so
        let plain = |label: &String| !label.contains(|c: char| c.is_whitespace() || c == '"');
        if model
            .states
            .iter()
            .flat_map(|state| &state.labels)
            .all(plain)
        {
            let text = write(&model, Language::Drn);
            let again = drn::read("fuzz", text.as_bytes(), None).expect("what was written is read");
            assert_eq!(again.states, model.states);
        }
        if model.transitions() < 100 && bytes.len() < 1000 {
            let _ = model.analysis();
        }
    }
    let mut files = bytes
        .splitn(3, |byte| *byte == 0)
        .map(|bytes| ("fuzz", bytes));
    let transitions = files.next().expect("at least one part");
    let _ = explicit::read(transitions, files.next(), files.next());
}
