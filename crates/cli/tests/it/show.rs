//! `show` and `export`: trees, tables, flow charts and models.

use crate::support::{Folder, check_equal, check_table, output, stdout};

#[test]
fn trees_are_printed_and_drawn() {
    check_table(
        "show 3 --as tree --depth 2 => \\n├─ H [v = 2, c = 0]\\n & \\n│  ├─ H = 1  (1/4)\\n & \\nundecided after 2 flips: probability 1/4\\n
show 12 --as tree --source 6 => \\nevery outcome is decided after 2 rolls\\n
show 3 --as tree --algorithm interval --depth 2 => \\n│  └─ T [between outcomes 1 and 2, cut at 1/n] ...  (1/4)\\n
show 2d2 --as tree --depth 2 => = 3  (1/2)
! show 300 --as tree --depth 9 -o /tmp/x.svg => smaller --depth
! show 5 --as tree --depth 20 --algorithm rejection -o /tmp/x.svg => nodes
! show 6 --as tree -o /tmp/x.gif => .svg & .png",
    );
    check_equal("show 1:1:1 --as tree == show 3 --as tree");
    let folder = Folder::new();
    stdout(&format!("show 5 --as tree -o {}", folder.path("t.svg")));
    assert!(folder.read("t.svg").starts_with("<svg"));
    stdout(&format!("show 5 --as tree -o {}", folder.path("t.png")));
    assert!(
        std::fs::read(folder.path("t.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

/// A loaded coin: the tree continues with probability 2/3 after the first toss, then with 1/3 after
/// the second and with 2/3 after the third, 4/27 in all. Bits taken from words make the tree of a
/// coin, not of a die with words as faces.
#[test]
fn trees_of_other_sources() {
    check_table(
        "show 2 --as tree --source 1:2 --depth 3 => undecided after 3 flips: probability 4/27\\n
show 1:2:3 --as tree -a knuth-yao --depth 4 --source word:64 => this is the tree of a coin
show 1:2:3 --as leaves --upto 4 --source word:64 => this is the tree of a coin
show 2 -a von-neumann -s unknown:2 --rolls HHHT => 1",
    );
    check_equal(
        "show 1:2:3 --as tree -f csv -a knuth-yao --depth 4 --source word:64 == show 1:2:3 --as tree -f csv -a knuth-yao --depth 4
show 10^9+7 --as tree --depth 0 -s 2^32 == show 10^9+7 --as tree --depth 0 -s word:32
show 6 --as flowchart -s 2^32 == show 6 --as flowchart -s word:32
show 2 --as table --source unknown:2 == show 2 --as table --source 1:2 -a von-neumann",
    );
}

/// The table of FLDR for 1:2:3 has 6 of 8 places for outcomes.
#[test]
fn tables_are_printed() {
    check_table(
        "show 6 --as table --source 4 --algorithm base-conversion --format markdown => \\n| first roll | second roll | result |\\n| ---: | ---: | ---: |\\n & \\n| 3 | 4 | 6 |\\n & \\n| 4 | 4 | discard |\\n
show 6 --as table -s 4 --format terminal => \\nfirst roll  second roll  result\\n & \\nnote: 12 of 13 rows give a result\\n
show 1:2:3 --as table => discard (early)",
    );
    let text = stdout("show 6 --as table --source 4");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["first roll,second roll,result", "1,1,1"]);
    assert_eq!((lines.len(), lines[13]), (14, "4,any,discard (early)"));
}

/// Follows the text of a flow chart for every sequence of flips up to a length. The outcomes must
/// occur equally often, and the number of undecided sequences must be that of the fast dice roller.
#[test]
fn a_flow_chart_can_be_followed() {
    let text = stdout("show 6 --as flowchart");
    let read = |after: &str| {
        let rest = &text[text.find(after).unwrap() + after.len()..];
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    assert!(
        text.contains("The source is a coin (heads is 0, tails is 1)."),
        "{text}"
    );
    assert!(text.contains("c = 2c + flip"), "{text}");
    let (below, less, first) = (read("c < "), read("c = c - "), read("(1) ── "));
    let again = read("(2) ── ");
    assert!(text.contains("✓ c + 1"), "{text}");
    let mut counts = [0; 7];
    let length = (first + 2 * again) as u32;
    for flips in 0..1u32 << length {
        let mut flip = (0..length).rev().map(|i| u64::from(flips >> i & 1));
        let (mut c, mut rolls) = (0, first);
        counts[loop {
            for _ in 0..rolls {
                c = 2 * c + flip.next().unwrap();
            }
            if c < below {
                break c as usize;
            } else if flip.len() == 0 {
                break 6;
            }
            (c, rolls) = (c - less, again);
        }] += 1;
    }
    // Of the 2^7 = 128 sequences of 7 flips, s(7) = 2 are undecided, and 21 give each of the six
    // outcomes.
    assert_eq!(counts, [21, 21, 21, 21, 21, 21, 2]);
}

#[test]
fn flow_charts_as_text_fit_80_letters() {
    for line in [
        "6",
        "997",
        "100 --source 6",
        "7 --source word:32",
        "10^40 --source 10",
    ] {
        let text = stdout(&format!("show {line} --as flowchart"));
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
    check_table("show 2 --as flowchart --source 6 => ✓ c mod 2 + 1");
    // joins the lines, which were folded at 80 letters
    let text = stdout("show 100 --as flowchart --source 6").replace('\n', " ");
    assert!(text.contains("c = 6c + roll - 1"));
}

/// Traces the flips HTT for a d6 step by step, and gives the place of each step in the flow chart.
/// TTT is the number 7, which is too large by 7 - 6 = 1; this remainder begins the second round.
/// From that state, two more flips give a result or lead back to the same state. The last target
/// has about a million bits, but only the part of the chart that these rolls reach is computed.
#[test]
fn given_rolls_are_followed_through_the_chart() {
    check_table(
        r#"show 6 --rolls HTT --format csv => \nrolls,face,state,outcome,round,of_round\n0,,"v = 1, c = 0",,1,0\n1,H,"v = 2, c = 0",,1,1\n2,T,"v = 4, c = 1",,1,2\n3,T,,4,1,3\n
show 6 --rolls TTT --format csv => 3,T,"v = 2, c = 1",,2,0\n
show 6 --rolls TTTHT --format csv => 5,T,,6,2,2\n
show 6 --rolls TTTTT --format csv => 5,T,"v = 2, c = 1",,2,0\n
show 1 --rolls= --format csv => 0,,,1,,\n
show 10^300000 --rolls HTH --format csv => 3,H,"v = 8, c = 2",,1,3\n
! show 6 --rolls '' => --rolls is empty"#,
    );
}

/// For a d6, the leaves at depths 3 and 5 have probability 1/8 and 1/32: within 5 flips an outcome
/// is reached with probability 1/8 + 1/32 = 5/32, less than its full probability 1/6. Knuth and
/// Yao's tree of 1:2:3 has a leaf for every binary digit 1 of 1/6, 1/3 and 1/2.
#[test]
fn leaves_add_up_to_the_outcomes() {
    let rows = stdout("show 6 --as leaves --upto 5 --format csv");
    assert_eq!(rows.matches(",2,5/32,0.15625,1/6\n").count(), 6, "{rows}");
    let rows = stdout("show 1:2:3 --as leaves --upto 4 --format csv");
    let exact = rows
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(2).unwrap());
    assert!(exact.eq(["1/8", "5/16", "1/2"]), "{rows}");
}

/// In binary, 1/6 = 0.00101010... Digits in a large base are written as numbers in brackets; 1/6 is
/// 715827882/2^32 + (4/6)/2^32.
#[test]
fn the_view_why_explains_the_cost() {
    check_table(
        "show 6 --as why => \\n1/6 = 0.00101010... in binary & 11/3 & Knuth and Yao
show 10 --as why --source 3 => in base 3
show 6 --as why --source word:32 => \\n1/6 = 0.[715827882][2863311530]
! show 6 --why => show 6 --as why",
    );
    assert_eq!(stdout("show 6 --as why").lines().count(), 4);
    let folder = Folder::new();
    stdout(&format!("show 6 --as why -o {}", folder.path("why.md")));
    let text = folder.read("why.md");
    assert!(
        text.starts_with("No method makes a d6 from a coin"),
        "{text}"
    );
    assert!(
        text.contains("theorem of Knuth and Yao") && text.contains("| 11/18 |"),
        "{text}"
    );
}

/// Pictures fit on a page.
#[test]
fn pictures_fit_a_page() {
    let folder = Folder::new();
    for line in [
        "show 997 --as flowchart",
        "show 100 --as tree",
        "show 6 --as tree",
        "plan 100 --dice 2",
        "plan 13 --dice 6,10",
        "cost 2..100 --sources 2..9 --best -a rejection",
    ] {
        stdout(&format!("{line} -o {}", folder.path("a.svg")));
        let svg = folder.read("a.svg");
        let size = |name: &str| -> f64 {
            let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let (width, height) = (size("width"), size("height"));
        assert!(
            width <= 2000.0 && height <= 1500.0,
            "{line}: {width} x {height}"
        );
    }
}

#[test]
fn a_chain_is_exported_for_a_model_checker() {
    check_table(
        "export prism 6 --algorithm fast-dice-roller => \\ndtmc\\n & rewards \"rolls\" & label \"done\" = s>=7; & label \"outcome_5\" = s=12;
export prism 1:2:3 => the weights 1:2:3 & R{\"rolls\"}=?
! export prism 6 -a cpython-randbelow => 2^32 values",
    );
    let folder = Folder::new();
    for target in ["6", "4:7:8 -a fldr", "5 -s 10 -a rejection"] {
        for (language, first) in [("prism", "//"), ("drn", "// "), ("dot", "digraph chain {")] {
            let line = format!("export {language} {target}");
            let printed = stdout(&line);
            stdout(&format!("{line} -o {}", folder.path("chain")));
            assert!(
                printed.starts_with(first) && folder.read("chain") == printed,
                "{line}"
            );
        }
    }
}

/// The default algorithm of a question accepts a loaded source: it is the interval algorithm, or
/// Elias' blocks if a finite chain is needed. A refusal names its algorithm.
#[test]
fn questions_without_an_algorithm_take_loaded_sources() {
    for line in [
        "roll 2 --seed 1",
        "roll 1:2 --seed 1",
        "show 2 --as table",
        "distribution 2",
        "roll 2 --test --count 1000",
        "show 2 --rolls HT",
        "show 2 --as leaves --upto 3",
        "export dot 2",
        "export prism 3",
    ] {
        output(&format!("{line} --source 1:2"));
    }
}
