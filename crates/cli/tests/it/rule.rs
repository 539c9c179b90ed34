//! `rule`: a user's own rule.

use crate::support::{Folder, check_table, refusal, run, stdout};

/// If the rule differs from the target, `rule check` exits with status 1, while `cost --rule` exits
/// with 0. Half of the probability of the last rule is never decided, so it is not fair.
#[test]
fn a_rule_can_be_costed_and_checked() {
    let folder = Folder::new();
    let text = "fn rule(n, m) { let x = 0; for i in 0..3 { x = 2*x + flip(); } x % n }";
    let file = folder.write("three flips.rhai", text);
    let (status, rows, said) = run(&format!("cost 1:2:3 --rule '{file}'"));
    assert_eq!((status, rows.lines().count()), (0, 2), "{said}");
    assert!(said.contains("from those of the weights is 1/4"), "{said}");
    let (status, rows, _) = run(&format!("rule check '{file}' --targets 6"));
    let row = "6,false,1/6,3,11/3,true,1,7,14,\"0 has 1/4 (as after HHH, TTH), 2 has 1/8 (as after HTH)\"";
    assert_eq!((status, rows.lines().nth(1)), (1, Some(row)));
    check_table(&format!(
        "rule check '{file}' --targets 8 => 8,true,0,3,3,true,1,7,14,"
    ));
    let endless = "fn start(n, m) { 0 } fn step(x, face, n, m) { if x == 0 && face == 1 { out(0) } else { x + 1 } }";
    let file = folder.write("endless.rhai", endless);
    let (status, rows, said) = run(&format!("rule check {file} --targets 2"));
    assert!(status == 1 && rows.contains("\n2,,,,1,,"), "{rows}{said}");
    assert!(
        said.contains("whether ") && said.contains("endless.rhai is fair for n = 2 is not decided")
    );
    assert!(refusal("rule check no-such-file.rhai").contains("no-such-file.rhai"));
    stdout(&format!("rule new -o {}", folder.path("my.rhai")));
    assert_eq!(folder.read("my.rhai"), stdout("rule new"));
}
