use super::*;
use flipcost::prelude::*;

fn explored(text: &str, n: u32, m: u64) -> Result<Explored, Fault> {
    let rule = RuleText {
        file: "my.rhai".into(),
        text: text.into(),
    };
    Explored::new(&*rule.program(&n.into(), m)?, "my.rhai", m, 100_000)
}

fn mean(text: &str, n: u32, m: u64) -> String {
    let explored = explored(text, n, m).unwrap();
    let source = Source::die(m).unwrap();
    explored.chain(&source).mean().to_string()
}

const ROLLER: &str = "fn rule(n, m) { let v = 1; let c = 0; loop { while v < n { v *= 2; c = 2*c + flip(); } if c < n { return c; } v -= n; c -= n; } }";

#[test]
fn straight_code_is_its_chain() {
    assert_eq!(mean(ROLLER, 6, 2), "11/3");
    for n in 1..60u32 {
        let explored = explored(ROLLER, n, 2).unwrap();
        let chain = explored.chain(&Source::COIN);
        let task = Task::dice(2u8, n).unwrap();
        assert_eq!(
            Ok(chain.mean()),
            FAST_DICE_ROLLER.law(&task).unwrap().exact_mean(),
            "{n}"
        );
        assert!(
            chain
                .probabilities()
                .values()
                .all(|p| *p == Rational::new(1.into(), n.into()))
        );
    }
}

#[test]
fn steps_are_their_chain() {
    let text = "fn start(n, m) { [1, 0] }\n fn step(s, face, n, m) { let v = s[0] * m; let c = s[1] * m + face - 1; if v >= n { if c < n { return out(c); } v -= n; c -= n; } [v, c] }";
    assert_eq!(mean(text, 6, 2), "11/3");
}

#[test]
fn loops_and_functions() {
    let text = "fn below(k) { loop { let w = 0; for i in 0..3 { w = 2*w + flip(); } if w < k { return w; } } }
        fn rule(n, m) { let a = below(3); let b = below(5); (a + b) % n }";
    assert_eq!(mean(text, 3, 2), "64/5");
}

#[test]
fn a_table_is_its_chain() {
    let text = "state,face,next\na,1,b\na,2,c\nb,1,=0\nb,2,=1\nc,1,=2\nc,2,a\n";
    assert_eq!(mean(text, 3, 2), "8/3");
    let missing = explored("state,face,next\na,1,b\na,2,a\n", 3, 2)
        .err()
        .unwrap();
    assert_eq!(
        missing.to_string(),
        "my.rhai, line 2: state b has no line for face 1"
    );
}

#[test]
fn integers_of_any_size() {
    let text = "fn rule(n, m) { let a = 2 ** 100; a *= 3; let b = a % 7; a -= a; a += 9223372036854775807; a += 1; if a > 0 && -a < b { return b + (a >> 62); } 0 }";
    // 3 * 2^100 mod 7 = 6, and 2^63 >> 62 = 2
    let outcome = explored(text, 10, 2).unwrap();
    assert_eq!(outcome.outcomes(), [8u8.into()]);
}
