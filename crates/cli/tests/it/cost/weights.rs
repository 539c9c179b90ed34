//! Targets with weights, and files of them.

use crate::support::queries::{answer, query};
use crate::support::{Folder, check_equal, check_table, column, refusal, run, stdout};

/// The weights 4:7:8 have the sum 19 = 32 - 13. In FLDR, the five binary digits of 4, 7, 8 and 13
/// leave 1, 2, 2, 1, 1 open nodes at depths 0 to 4. So an attempt costs 1 + 2/2 + 2/4 + 1/8 + 1/16
/// = 43/16 flips, and 32/19 attempts are needed: 86/19 flips. The probabilities 1/2, 1/3, 1/6 take
/// 1/2 + (1/2)(1 + ...) flips, 2 in all (Knuth & Yao 1976), and 1:2:1 is decided by two flips.
#[test]
fn costs_of_weights_have_the_known_values() {
    for (line, exact) in [
        ("4:7:8 -a fldr", "86/19"),
        ("4:7:8 -a knuth-yao", "1538/513"),
        ("--weights 1:2:3 -a knuth-yao", "2"),
        ("6 -a knuth-yao", "11/3"),
        ("2d2 -a knuth-yao", "3/2"),
        ("0:5:0 -a alias", "0"),
    ] {
        assert_eq!(
            column(&format!("cost {line}"), "expected_exact"),
            [exact],
            "{line}"
        );
    }
    check_equal(
        "cost 1000000:2000000 -a interval -c expected_exact == cost 1:2 -a interval -c expected_exact",
    );
    check_table(
        "cost 4:7:8 -a aldr:K=11,aldr:K=5 -c algorithm => \\naldr:K=5\\n & \\naldr:K=11\\n
cost 1:2, -a rejection -c target,algorithm,expected => \\ntarget,algorithm,expected\\n1:2,rejection,\\n
cost 'd6 + 1d4' -a knuth-yao -c target,weight_sum => \\nd6 + 1d4,24\\n
cost d6+d4 -a knuth-yao -c target,weight_sum => \\nd6+d4,24\\n
cost d6+1 -a knuth-yao -c target,weight_sum => \\n6,6\\n
cost 2^5000,1,3 -a knuth-yao,interval,aldr -c algorithm,expected => interval,",
    );
}

/// Equal weights are a fair die, byte for byte.
#[test]
fn equal_weights_are_a_fair_die() {
    check_equal(
        "cost 1:1:1:1:1:1 == cost 6
cost 5,5,5,5,5,5 -s 6 -d 9 -f jsonl == cost 6 -s 6 -d 9 -f jsonl
cost --weights 1d6 -a fast-dice-roller,rejection == cost 6 -a fast-dice-roller,rejection",
    );
    assert_eq!(query("cost 6")["target"], "6");
}

/// A query needs no file. A file from a spreadsheet begins with a byte order mark and has line ends
/// of two characters.
#[test]
fn files_become_their_weights() {
    let folder = Folder::new();
    let target = |name: &str, text: &str| {
        let file = folder.write(name, text);
        query(&format!("cost @{file}"))["target"]
            .as_str()
            .unwrap()
            .to_string()
    };
    for (name, text, weights) in [
        ("w.txt", "# loaded\n4\n7\n8\n", "4:7:8"),
        ("w", "4,7,8", "4:7:8"),
        ("w", "4:7:8", "4:7:8"),
        ("w", "4; 7; 8\n", "4:7:8"),
        (
            "w.csv",
            "name,weight\nred,1/2\nblue,1/6\nelse,1/3\n",
            "{'red': 3, 'blue': 1, 'else': 2}",
        ),
        (
            "w.csv",
            "\u{feff}red,1\r\nblue,2\r\n",
            "{'red': 1, 'blue': 2}",
        ),
        (
            "d.py",
            "Die({2: Fraction(1, 3), 5: Fraction(2, 3)})",
            "{2: 1, 5: 2}",
        ),
    ] {
        assert_eq!(target(name, text), weights, "{text}");
    }
    let file = folder.write("w.csv", "name,weight\nred,1/2\nblue,1/6\nelse,1/3\n");
    let line = format!("roll @{file} --seed 3 --count 20");
    let (rolled, answer) = (stdout(&line), answer(&line));
    assert!(
        rolled
            .lines()
            .all(|name| ["red", "blue", "else"].contains(&name))
    );
    let results = answer["rows"].as_array().unwrap().iter();
    assert!(
        results
            .map(|row| row[0].as_str().unwrap())
            .eq(rolled.lines()),
        "{answer}"
    );
    for head in ["1\ntwo", "NaN\n2", "inf\n2", "-inf\n2", "e\n2"] {
        let file = folder.write("wrong.txt", &format!("{head}\n3\n"));
        assert!(
            refusal(&format!("cost @{file}")).contains(" of the weights"),
            "{head}"
        );
    }
    let many = (0..100_000u64).map(|i| format!("{}\n", 1 + i * 0x9E37_79B9_7F4A % (1 << 48)));
    let file = folder.write("many.txt", &many.collect::<String>());
    let rows = stdout(&format!(
        "cost @{file} -a fldr -c expected_exact,worst_case"
    ));
    assert!(rows.ends_with(",inf\n") && !rows.contains("\n,"), "{rows}");
}

/// A column is taken from a file only if it is clear which one.
#[test]
fn a_file_of_weights_is_never_guessed() {
    let folder = Folder::new();
    let target = |name: &str, text: &str| {
        let (file, column) = name.split_once(':').unwrap_or((name, ""));
        let mut of = folder.write(file, text);
        if !column.is_empty() {
            of = format!("{of}:{column}");
        }
        let (_, rows, error) = run(&format!("cost @{of} -c target -a knuth-yao"));
        format!("{rows}{error}")
    };
    let loot = "item,count,price\nsword,60,5\naxe,30,7\nring,10,900\n";
    let named = r#"[{"item": "sword", "weight": 6}, {"item": "axe", "weight": 3}, {"item": "ring", "weight": 1}]"#;
    for (name, text) in [
        ("w.tsv", "60\t30\t10\n"),
        ("w.csv", "60;30;10"),
        ("w.txt", "60% 30% 10%\n"),
        (
            "w.csv",
            "item,weight,price\nsword,60,5\naxe,30,7\nring,10,900\n",
        ),
        ("loot.csv:count", loot),
        ("loot.csv:2", loot),
        ("w.json", "[60, 30, 10]"),
        ("w.json", r#"{"sword": 0.6, "axe": 0.3, "ring": 0.1}"#),
        ("w.json", named),
    ] {
        assert_eq!(target(name, text), "target\n6:3:1\n", "{name}: {text}");
    }
    let error = target("loot.csv", loot);
    assert!(error.contains("columns item, count, price") && error.contains("@loot.csv:price"));
    assert!(target("loot.csv:amount", loot).contains("no column is called \"amount\""));
}

#[test]
fn the_lines_of_a_file_can_be_swept() {
    let folder = Folder::new();
    let file = folder.write("v.txt", "1:2:3\n# a comment\n\n4,7,8\n3d6\n6\n");
    let line = format!("cost --weights-file {file} -a fldr,knuth-yao");
    let rows = stdout(&line);
    let targets = column(&line, "target");
    assert_eq!(
        targets,
        ["1:2:3", "1:2:3", "4:7:8", "4:7:8", "3d6", "3d6", "6", "6"]
    );
    check_equal(&format!("{line} -t 1 == {line}\n{line} -t 3 == {line}"));
    // the rows of `cost`, in the order of the registry
    let one = stdout("cost 4:7:8 -a fldr");
    assert!(rows.contains(one.lines().nth(1).unwrap()));
    for (text, said) in [
        ("# nothing\n", "no line with weights"),
        ("1:2\n1:x\n", "line 2 of "),
        // either three dice or the weights of one target
        ("5\n3\n2\n", "dice with these numbers of sides 5,3,2"),
    ] {
        let file = folder.write("wrong.txt", text);
        let error = refusal(&format!("cost --weights-file {file}"));
        assert!(error.contains(said), "{error}");
    }
}
