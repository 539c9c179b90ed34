//! No line makes a query panic: it is refused, or it is its own JSON again and has an answer.

use flipcost_question::Control;

/// What is small enough to be answered here.
const MOST_WORK: u128 = 10_000_000;

/// See the module.
pub fn ask(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(query) = flipcost_all::from_json(text) else {
        return;
    };
    let again = flipcost_all::from_json(&query.to_json()).expect("what was written is read");
    assert_eq!(again, query);
    let _ = query.command().to_string();
    let estimate = query.estimate();
    if estimate.work.max(estimate.memory).max(estimate.output) <= MOST_WORK {
        let _ = query.answer(&Control::default());
    }
}
