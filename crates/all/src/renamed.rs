//! The names that questions, commands and options had, and what does the same now.

use flipcost_question::Renamed;

const fn renamed(old: &'static str, line: &'static str, json: &'static str) -> Renamed {
    Renamed { old, line, json }
}

/// One line each.
pub const RENAMED: &[Renamed] = &[
    renamed(
        "tree",
        "show N --as tree",
        r#"{"ask":"show","target":"N","view":"tree"}"#,
    ),
    renamed(
        "table",
        "show N --as table",
        r#"{"ask":"show","target":"N","view":"table"}"#,
    ),
    renamed(
        "leaves",
        "show N --as leaves --upto T",
        r#"{"ask":"show","target":"N","view":"leaves","upto":"T"}"#,
    ),
    renamed(
        "flowchart",
        "show N --as flowchart",
        r#"{"ask":"show","target":"N","view":"flowchart"}"#,
    ),
    renamed(
        "follow",
        "show N --rolls 1,2,2",
        r#"{"ask":"show","target":"N","rolls":"1,2,2"}"#,
    ),
    renamed(
        "why",
        "show N --as why",
        r#"{"ask":"show","target":"N","view":"why"}"#,
    ),
    renamed(
        "cost --why",
        "show N --as why",
        r#"{"ask":"show","target":"N","view":"why"}"#,
    ),
    renamed(
        "recipe",
        "plan N --dice M --factoring",
        r#"{"ask":"plan","target":"N","dice":"M","factoring":true}"#,
    ),
    renamed(
        "band",
        "toll extremes --from A --to B",
        r#"{"ask":"toll-extremes","from":"A","to":"B"}"#,
    ),
    renamed(
        "largest-toll",
        "toll loaded M",
        r#"{"ask":"toll-loaded","sum":"M"}"#,
    ),
    // of these the questions have the same names as before
    renamed(
        "toll-distribution",
        "toll distribution",
        r#"{"ask":"toll-distribution"}"#,
    ),
    renamed(
        "toll-oscillations",
        "toll oscillations",
        r#"{"ask":"toll-oscillations"}"#,
    ),
    renamed(
        "simulate",
        "roll N --test --count K",
        r#"{"ask":"roll","target":"N","test":true,"count":"K"}"#,
    ),
    renamed(
        "roll --trials",
        "roll N --test --count K",
        r#"{"ask":"roll","target":"N","test":true,"count":"K"}"#,
    ),
    renamed(
        "riffle",
        "shuffle K --riffles T",
        r#"{"ask":"shuffle","cards":"K","riffles":"T"}"#,
    ),
    renamed(
        "shuffle --times",
        "shuffle K --riffles T",
        r#"{"ask":"shuffle","cards":"K","riffles":"T"}"#,
    ),
    renamed(
        "mr",
        "sequence mr:x=1/29,base=3",
        r#"{"ask":"sequence","id":"mr:x=1/29,base=3"}"#,
    ),
    renamed("study", "reproduce --keys NAME", ""),
    renamed(
        "algorithms",
        "list algorithms",
        r#"{"ask":"list-algorithms"}"#,
    ),
    renamed("columns", "list columns", r#"{"ask":"list-columns"}"#),
    renamed("constants", "list constants", r#"{"ask":"list-constants"}"#),
    renamed("glossary", "list words", ""),
    renamed("verify --list", "list claims", r#"{"ask":"list-claims"}"#),
    renamed("claims", "list claims", r#"{"ask":"list-claims"}"#),
    renamed(
        "sequence list",
        "list sequences",
        r#"{"ask":"list-sequences"}"#,
    ),
    renamed(
        "sequence-list",
        "list sequences",
        r#"{"ask":"list-sequences"}"#,
    ),
    renamed(
        "family",
        "export --family",
        r#"{"ask":"export","family":true}"#,
    ),
    renamed(
        "export family",
        "export --family",
        r#"{"ask":"export","family":true}"#,
    ),
    renamed(
        "law --from",
        "law FORMULA --dice DICE --faces-from F",
        r#"{"ask":"law","formula":"FORMULA","dice":"DICE","faces_from":"F"}"#,
    ),
    renamed("sweep", "cost A..B", r#"{"ask":"cost","target":"A..B"}"#),
    renamed(
        "sweep-summary",
        "cost A..B --summary",
        r#"{"ask":"cost","target":"A..B","summary":true}"#,
    ),
    renamed(
        "sweep-weights",
        "cost --weights W --weights V",
        r#"{"ask":"cost","target":["W","V"]}"#,
    ),
    renamed(
        "compare",
        "cost A..B --sources 2,6 --best",
        r#"{"ask":"cost","target":"A..B","sources":"2,6","best":true}"#,
    ),
    renamed(
        "bounded",
        "cost A..B --sources 2,6 -a bounded -c source,n,possible,worst_case,missing_prime",
        r#"{"ask":"cost","target":"A..B","sources":"2,6","algorithms":["bounded"],"columns":["source","n","possible","worst_case","missing_prime"]}"#,
    ),
    renamed(
        "rounding-up",
        "cost N -a rounding-up",
        r#"{"ask":"cost","target":"N","algorithms":["rounding-up"]}"#,
    ),
];

#[cfg(test)]
mod tests {
    use super::RENAMED;

    /// The question that stands for an old name can be read once its letters are values.
    #[test]
    fn every_question_can_be_asked() {
        for renamed in RENAMED.iter().filter(|renamed| !renamed.json.is_empty()) {
            let mut json = renamed.json.to_string();
            for (letter, value) in [
                ("N", "6"),
                ("M", "10"),
                ("K", "52"),
                ("T", "7"),
                ("A..B", "1..9"),
                ("W", "1:2:3"),
                ("V", "3d6"),
                ("A", "1"),
                ("B", "9"),
                ("F", "0"),
                ("FORMULA", "a"),
                ("DICE", "2"),
            ] {
                json = json.replace(&format!("\"{letter}\""), &format!("\"{value}\""));
            }
            crate::from_json(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
        }
    }

    #[test]
    fn an_old_question_says_the_new_one() {
        let said = |json: &str| crate::from_json(json).unwrap_err().to_string();
        assert_eq!(
            said(r#"{"ask":"tree","target":6}"#),
            r#"there is no question `tree` any more: it is now `{"ask":"show","target":"N","view":"tree"}`"#
        );
        assert!(said(r#"{"ask":"cost","target":6,"why":true}"#).contains(r#""view":"why""#));
        assert!(said(r#"{"ask":"show","target":6,"view":"forest"}"#).contains("flowchart"));
    }
}
