//! No line makes a question panic. Either the parser refuses the line, or the question survives a
//! round trip through JSON and has an answer.

use flipcost_question::Control;
use std::time::Duration;

/// Questions that contain larger numbers are parsed, but not answered.
const MAX_NUMBER: u128 = 1 << 24;
/// An answer is stopped after this time.
const MAX_TIME: Duration = Duration::from_millis(100);

/// Checks the property that the module describes.
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
    if estimate.work.max(estimate.memory).max(estimate.output) <= MAX_NUMBER {
        let control = Control::default().with_time(MAX_TIME);
        let _ = control.run(|| query.answer(&control));
    }
}
