//! No line makes a query panic: it is refused, or it survives a round trip through JSON and has an
//! answer.

use flipcost_question::Control;
use std::time::Duration;

/// Questions with larger numbers are not answered here.
const MAX_NUMBER: u128 = 1 << 24;
/// An answer is stopped after this time.
const MAX_TIME: Duration = Duration::from_millis(100);

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
    if estimate.work.max(estimate.memory).max(estimate.output) <= MAX_NUMBER {
        let control = Control::default().with_time(MAX_TIME);
        let _ = control.run(|| query.answer(&control));
    }
}
