//! No program makes the code of rules panic or run forever. The programs are arbitrary texts, and
//! texts made from parts of the language as steps, as straight code and as tables.

use flipcost::task::{Source, Task};
use flipcost_number::budget::Budget;
use flipcost_rules::RuleText;
use std::time::{Duration, Instant};

/// The parts of programs; each byte chooses one.
const PROGRAM_PARTS: &[&str] = &[
    "flip()",
    "roll(m)",
    "word(3)",
    "n",
    "m",
    "x",
    "y",
    "0",
    "1",
    "2",
    "3",
    "62",
    "9223372036854775807",
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    " ** ",
    " << ",
    " >> ",
    " & ",
    " < ",
    " == ",
    " && ",
    "!",
    "(",
    ")",
    "[",
    "]",
    "#{a: ",
    "}",
    "{",
    ";\n",
    ", ",
    "let x = ",
    "let y = ",
    "x = ",
    "x += ",
    "y -= ",
    "x *= x;\n",
    "if ",
    " else ",
    "while ",
    "loop {",
    "for i in ",
    "0..",
    "break;\n",
    "continue;\n",
    "return ",
    "return x;\n",
    "out(",
    "again()",
    "state",
    "face",
    "f(",
    "fn f(x) {",
    "|a| ",
    "x.push(",
    "x[",
    "\"text\"",
    "x + x",
    "switch ",
    "try {",
    "} catch {",
    "throw ",
];

/// The longest time for one text.
const MAX_TIME: Duration = Duration::from_millis(500);

/// Checks the property that the module describes. The first byte says how the other bytes become a
/// program.
pub fn rule(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    let parts = || -> String {
        let parts = rest.iter().take(300);
        parts
            .map(|byte| PROGRAM_PARTS[*byte as usize % PROGRAM_PARTS.len()])
            .collect()
    };
    let text = match kind % 5 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        1 => format!("fn rule(n, m) {{ let x = 1; let y = 0; {} }}", parts()),
        2 => format!(
            "fn start(n, m) {{ 1 }} fn step(state, face, n, m) {{ let x = state; {} }}",
            parts()
        ),
        3 => format!("state,face,next\n{}", String::from_utf8_lossy(rest)),
        _ => format!("state,probability,next\n{}", String::from_utf8_lossy(rest)),
    };
    let file = "fuzz".to_string();
    let rule = RuleText { file, text };
    let begun = Instant::now();
    let task = Task::die(3u8, Source::COIN).expect("dice");
    let verdict = Budget::default()
        .timeout(MAX_TIME)
        .run(|| rule.verdict(&task, false).err());
    if let Ok(Some(fault)) = verdict {
        let sentence = fault.to_string();
        assert!(
            sentence.starts_with("fuzz") && sentence.len() < 100_000,
            "{sentence}"
        );
    }
    // the last step, which cannot be interrupted, may take longer than the limit
    assert!(begun.elapsed() < 20 * MAX_TIME, "{:?}", begun.elapsed());
}
