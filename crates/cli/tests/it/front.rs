//! Tests of command lines in everyday words: a target as the first word, `from`, hints for topics,
//! a choice of rows, and all notations of numbers.

use crate::support;

use support::{refusal, run, stdout};

/// Splits a line into words as a shell does, with single quotes.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    words.collect()
}

/// Command lines that people type get the right answers or hints at once.
#[test]
fn typed_texts_get_an_answer_or_a_hint() {
    let lines = include_str!("../people.txt").lines();
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    let is_met = |line: &&&str| {
        let (typed, wanted) = line.split_once(" => ").or(line.split_once(" =>")).unwrap();
        let (status, typed) = match typed.strip_prefix("! ") {
            Some(typed) => ([1, 2].as_slice(), typed),
            None => (&[0][..], typed),
        };
        let (ended, rows, said) = run(&words(typed));
        let all = rows + said.as_str();
        status.contains(&ended) && wanted.split(" & ").all(|part| all.contains(part.trim()))
    };
    assert!(lines.len() >= 50, "{}", lines.len());
    let missed: Vec<&&str> = lines.iter().filter(|line| !is_met(line)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_target_as_the_first_word_asks_cost_or_plan() {
    for (short, full) in [
        ("6", "cost 6"),
        ("d7 from d6", "cost d7 --source d6"),
        ("d7 from d6,d10,d20", "plan d7 --dice d6,d10,d20"),
        ("d7 from d6 d10 and d20", "plan d7 --dice d6,d10,d20"),
        ("3d6", "law 3d6"),
        ("4d6dl1", "law 4d6dl1"),
        ("2d20kh1+3", "law 2d20kh1+3"),
        ("d20+5", "law d20+5"),
        ("3d6 -a fldr", "cost 3d6 -a fldr"),
        ("3d6 from d20", "cost 3d6 --source d20"),
        ("4:7:8 from p=1/3", "cost 4:7:8 --source p=1/3"),
        ("1..20", "cost 1..20"),
        ("--dice 2,6 7", "plan --dice 2,6 7"),
        ("100 from polyhedral", "plan 100 --dice polyhedral"),
        (
            "7 from 6,10 -c n,algorithm",
            "cost 7 --source 6,10 -c n,algorithm",
        ),
        ("7 from 1:2,2", "cost 7 --source 1:2,2"),
        ("2..9 -s 6", "cost 2..9 --source 6"),
        ("a d7 from coins", "cost d7 --source coins"),
        ("a card from a d6", "cost 52 --source d6"),
        ("1 in 20", "cost 1:19"),
        ("5 of 52", "shuffle 52 --draw 5"),
        ("coin", "cost coin"),
    ] {
        let (status, rows, said) = run(&words(short));
        assert_eq!(status, 0, "{short}: {said}");
        let line = format!("note: this asks `flipcost {full}`\n");
        assert!(said.starts_with(&line), "{short}: {said}");
        assert_eq!(rows, stdout(full), "{short}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "4\n7\n8\n").unwrap();
    let name = format!("@{}", file.path().display());
    assert_eq!(stdout(&name), stdout("cost 4:7:8"));
    assert_eq!(
        stdout(&format!("6 from {name}")),
        stdout("cost 6 --source 4:7:8")
    );
}

#[test]
fn every_notation_of_a_source_is_accepted() {
    for (one, other) in [
        ("cost 7 from d6", "cost 7 --source 6"),
        ("cost 7 --dice 6", "cost 7 --source 6"),
        ("cost 7 --from d6", "cost 7 --source 6"),
        (
            "verify toll<19 --from d6 --to 9",
            "verify --that toll<19 --source 6 --to 9",
        ),
        ("plan 7 from 6,10", "plan 7 --dice 6,10"),
        ("plan 7 --dice 6 10 20", "plan 7 --dice 6,10,20"),
        ("plan 7 -s 6,10", "plan 7 --dice 6,10"),
        ("cost 2 --source 60%", "cost 2 --source p=3/5"),
    ] {
        assert_eq!(stdout(one), stdout(other), "{one}");
    }
    for (typed, right) in [
        ("cost 2 --source 0.6", "p=0.6, or by its weights as 3:2"),
        ("cost 0.6", "write the weights 3:2"),
        ("roll 1..6", "is written 6"),
    ] {
        let said = refusal(typed);
        assert!(said.contains(right), "{typed}: {said}");
    }
}

/// For a d7 from a d6 and a d10, the recipe costs 7956/5999 rolls, and no bounded rule exists,
/// since 7 divides no product of powers of 6 and 10.
#[test]
fn rules_that_choose_among_the_dice_are_shown() {
    let rows = stdout("cost 7 -s 6,10");
    assert!(rows.contains("\n\"6,10\",7,plan,7956/5999,"), "{rows}");
    assert!(rows.contains("\n\"6,10\",7,bounded,,,,false,7\n"), "{rows}");
    let plan = stdout("plan 7 --dice 6,10 -f csv");
    assert!(plan.contains(",true,7956/5999,"), "{plan}");
    // plans do not use loaded dice
    let rows = stdout("cost 7 -s 1:6,2 -c algorithm,possible");
    assert_eq!(rows, "algorithm,possible\nbounded,true\n");
}

/// The toll of n = 2^k + 1 approaches 2.
#[test]
fn every_table_can_be_sorted_and_cut() {
    let line = "cost 1..10000 -a fast-dice-roller -c n,toll --top 2 --by toll";
    let rows = stdout(line);
    let ns: Vec<&str> = rows
        .lines()
        .map(|row| row.split(',').next().unwrap())
        .collect();
    assert_eq!(ns, ["n", "8193", "4097"]);
    let least =
        stdout("cost 2..9 -a fast-dice-roller -c n,expected_exact --top 3 --by -expected_exact");
    assert_eq!(least, "n,expected_exact\n2,1\n4,2\n3,8/3\n");
    let columns = stdout("list columns -c name,kind --top 2");
    assert_eq!(columns, "name,kind\nn,count\ntarget,text\n");
    let shuffles = stdout("shuffle 52 -c algorithm,expected --top 1 --by expected");
    assert_eq!(shuffles.lines().count(), 2, "{shuffles}");
    // the JSON of a question and its command line both keep the chosen rows and columns
    let (_, query, _) = run(&words(
        "--query libraries python --top 2 --by -words -c id,words",
    ));
    assert!(
        query.contains(r#""top":2,"by":"-words","columns":["id","words"]}"#),
        "{query}"
    );
    let read = flipcost_all::from_json(&query).unwrap();
    let printed = read.command().to_string();
    assert_eq!(
        printed,
        "flipcost libraries python --top 2 --by=-words --columns id,words"
    );
    assert_eq!(
        stdout(&printed[9..]),
        stdout("libraries python --top 2 --by -words -c id,words")
    );
    for (typed, right) in [
        ("cost 6 --by xpected", "did you mean expected?"),
        ("libraries -c idd", "did you mean id?"),
        (
            "cost 6 -c expekted",
            "did you mean expected?; `flipcost list columns` lists all",
        ),
        ("cost 6 --top 0", "it must be at least 1"),
    ] {
        let said = refusal(typed);
        assert!(said.contains(right), "{typed}: {said}");
    }
    assert!(!refusal("cost 6 -c foo").contains("third_central"));
}

#[test]
fn columns_can_be_renamed() {
    let (_, rows, _) = run(&words(
        "cost 8 -a interval -c 'n, mine = expected/log2(n), n % 3'",
    ));
    assert_eq!(rows, "n,mine,n % 3\n8,1,2\n");
    let (_, query, _) = run(&words("--query cost 8 -c 'mine = expected/log2(n)'"));
    assert!(query.contains(r#"["mine = expected/log2(n)"]"#), "{query}");
}

#[test]
fn numbers_are_accepted_in_any_notation() {
    for (one, other) in [
        ("0xffff", "65535"),
        ("0XFF_FF", "65535"),
        ("100 % 7", "2"),
        ("2^10 % (3*5)", "4"),
        ("200%", "2"),
        ("P-256", "p256"),
        ("secp256r1", "p256"),
        ("prime256v1", "p256"),
        ("Ed25519", "ed25519"),
        ("BLS12-381", "bls12381r"),
    ] {
        let value = |text: &str| {
            let (status, rows, said) = run(&["decimals", text, "--digits", "1"]);
            assert_eq!(status, 0, "{text}: {said}");
            rows.rsplit(',').next().unwrap().to_string()
        };
        assert_eq!(value(one), value(other), "{one}");
    }
    assert!(stdout("decimals 60% --digits 2").contains(",0.60"));
    // E = 2^256 / n words, with n = p256 below 2^256, and 2^256 / 2^255 with n = 2^255 + 1
    let columns = "-a modulo-reject,bitmask-words,lemire -c algorithm,expected_exact";
    let rows = stdout(&format!("cost 2^255 --source word:256 {columns}"));
    assert_eq!(
        rows,
        "algorithm,expected_exact\nlemire,1\nmodulo-reject,1\nbitmask-words,1\n"
    );
    let rows = stdout("cost 3 --source word:512 -a mask-reject -c expected_exact,entropy");
    assert!(
        rows.starts_with("expected_exact,entropy\n4/3,0.0030956"),
        "{rows}"
    );
    assert!(refusal("roll 6 --source word:256").contains("a word of 256 bits is too wide"));
    assert!(refusal("shuffle 52 --source word:256").contains("words of 1 to 64 bits"));
    let wide = stdout("bias p256 --words 320");
    assert_eq!(wide, stdout("bias p256 --from 2^320"));
}

#[test]
fn tips_are_on_separate_lines() {
    let (status, _, said) = run(&["cots", "6"]);
    assert_eq!(
        (status, said.as_str()),
        (
            2,
            "error: unrecognized subcommand 'cots'\n  tip: a similar subcommand exists: 'cost'\n"
        )
    );
    let (_, _, said) = run(&["cost", "6", "-f", "cvs"]);
    assert!(said.ends_with("\n  tip: did you mean 'csv'?\n"), "{said}");
}

#[test]
fn an_unknown_first_word_gets_a_hint_by_its_meaning() {
    for word in "probability chance fair check rules random entropy bits dice".split(' ') {
        let said = refusal(word);
        assert!(said.contains("`flipcost "), "{word}: {said}");
    }
    // every suggested command line has an answer
    let lines = include_str!("../../data/meanings.txt").lines();
    for line in lines.filter_map(|line| line.strip_prefix("  ")) {
        let (line, _) = line.rsplit_once(": ").unwrap();
        let line = line.replace("WORD", "python").replace(" N", " 6");
        if !line.contains(".svg") {
            let (status, _, said) = run(&words(&line));
            assert_eq!(status, 0, "{line}: {said}");
        }
    }
}

#[test]
fn files_and_lists_of_all_kinds_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["s.xlsx", "s.ods"] {
        let said = refusal(&format!("cost 6 -o {}", path(name)));
        assert!(said.contains("rows.csv"), "{said}");
    }
    let rows = path("s.csv");
    let again = |status: (i32, String, String)| status.2.contains("replaced: ");
    assert!(!again(run(&["sequence", "A136043", "-o", &rows])));
    assert!(again(run(&["sequence", "A136043", "-o", &rows])));
    assert!(
        std::fs::read_to_string(&rows)
            .unwrap()
            .starts_with("n,a\n1,1\n")
    );
    assert_eq!(stdout("sequence A136043 --to 2 -f csv"), "n,a\n1,1\n2,1\n");
    assert!(stdout("list words worst case").contains("worst_case: the most source rolls"));
    assert!(stdout("list words kullback").contains("kullback_leibler_bits: "));
    assert!(stdout("list words toll -f csv").starts_with("word,meaning\ntoll,"));
    let text = stdout("plan 12 --dice 6,10,2 --factoring");
    assert!(
        text.starts_with("A d12 from a d6 and a coin: 2 rolls"),
        "{text}"
    );
    // With given rolls, `plan` prints the steps as rows.
    let walk = "plan 7 --dice 6 --factoring --rolls 1,2";
    assert_eq!(stdout(walk), stdout(&format!("{walk} -f csv")));
    assert!(stdout(walk).ends_with("\n3,,,,2\n"));
}

#[test]
fn a_statement_is_not_rewritten() {
    let (status, text, _) = run(&["verify", "expected < 3"]);
    assert!(
        status == 1 && text.contains("range: n = 1 to 1000"),
        "{text}"
    );
}

/// After `from`, `--dice` and `--source`, 2d6 means two available dice, which take as many rolls as
/// one die: 72/35.
#[test]
fn several_equal_dice_are_available_dice() {
    for (typed, asked) in [
        ("d7 from 2d6", "plan d7 --dice 6,6"),
        ("d7 from 3d6 d10", "plan d7 --dice 6,6,6,d10"),
        ("d7 from d10 and 2d6", "plan d7 --dice d10,6,6"),
        ("d6 from two coins", "cost d6 --source coin"),
        ("d6 from 2 coins", "cost d6 --source coin"),
    ] {
        let (status, rows, said) = run(&words(typed));
        let line = format!("note: this asks `flipcost {asked}`\n");
        assert!(status == 0 && said.starts_with(&line), "{typed}: {said}");
        assert_eq!(rows, stdout(asked), "{typed}");
    }
    let (_, rows, said) = run(&words("plan 7 --dice 2d6 -f csv"));
    assert!(rows.contains("\n7,6,true,72/35,"), "{rows}");
    assert!(said.contains("--throw 6,6 throws both at once"), "{said}");
    assert_eq!(
        stdout("plan 7 --dice 3d6,d10"),
        stdout("plan 7 --dice 6,10")
    );
    assert!(stdout("cost 7 -s 2d6").contains(",plan,72/35,"));
    // a sum of thrown dice is a loaded die, written by its weights or in brackets
    assert_eq!(stdout("cost 2 -s (2d2)"), stdout("cost 2 -s 1:2:1"));
    for typed in [
        "roll 7 -s 2d6",
        "roll d7 from d6,d10",
        "shuffle 52 --draw 5 --dice 6,10",
    ] {
        let said = refusal(typed);
        assert!(
            said.contains("names several dice, and one source was expected, such as ")
                && said.contains("`plan` prints recipes for several dice"),
            "{said}"
        );
    }
}

/// A d10 shows 10 as 0, and percentile dice show 100 as 00; no other die has a 0.
#[test]
fn the_face_0_is_the_largest_face() {
    let rolled = |input: &str| stdout(&format!("roll 100 --source d10 --input {input}"));
    assert_eq!(rolled("0,7"), rolled("10,7"));
    assert_eq!(rolled("0,7"), "97\n");
    assert_eq!(stdout("roll 100 --source 100 --input 00"), "100\n");
    let deal = |input: &str| stdout(&format!("shuffle 5 --deal -s d10 --input {input}"));
    assert_eq!(deal("0,7,3,2,1,9,9"), deal("10,7,3,2,1,9,9"));
    let said = refusal("roll 7 -s d20 --input 0,7");
    assert!(
        said.contains("roll 1 of the input is \"0\", but a d20 shows 1 to 20"),
        "{said}"
    );
    assert!(stdout("roll --help").contains("(the 0 of a d10 is its 10)"));
}

/// An unknown name is refused with a tip that names the most similar one, and a topic gets
/// suggested command lines.
#[test]
fn names_of_other_programs_get_a_hint() {
    for (typed, right) in [
        ("cost 6 -s word8", "did you mean word:8?"),
        ("cost 6 -s 32-bit", "did you mean word:32?"),
        ("drop lowest", "`flipcost law 4d6kh3`"),
        ("'drop lowest'", "`flipcost law 4d6kh3`"),
        ("advantage", "`flipcost law 2d20kh1`"),
        ("help cots", "did you mean 'cost'?"),
        ("cost p255", "did you mean p256?"),
        ("cost secp256", "did you mean secp256k1?"),
        ("cost binomal:n=5,p=1/2", "did you mean binomial?"),
        ("cost 6 -o fig.svgz.svg --top 1", "a picture's name"),
        (
            "cost 6 -o fig.svg",
            "`flipcost show` and `flipcost figure` draw pictures",
        ),
        (
            "d7 from",
            "a source is missing after 'from', as in `flipcost d7 from d6`",
        ),
        ("explore --port x", "a number from 0 to 65535 was expected"),
        ("help nothing", "`flipcost help all` lists all commands"),
        ("version", "`flipcost --version`"),
        ("cost 6 -s 1", "a source of 1 side cannot be rolled"),
        ("show 6 --rolls ''", "--rolls is empty"),
        ("cost 6 -c all", "a name such as expected"),
    ] {
        let said = refusal_of(&words(typed));
        assert!(said.contains(right), "{typed}: {said}");
    }
    let said = refusal_of(&["verify", "toll < log(n)"]);
    assert!(said.contains("did you mean log2()?"), "{said}");
    for (one, other) in [
        ("4d6d1", "4d6kh3"),
        ("4D6KH3", "4d6kh3"),
        ("5d6DL2", "5d6kh3"),
        ("4df", "4dF"),
    ] {
        let rows = |dice: &str| stdout(&format!("cost {dice} -c algorithm,expected_exact"));
        assert_eq!(rows(one), rows(other), "{one}");
    }
}

fn refusal_of(words: &[&str]) -> String {
    let (status, rows, said) = run(words);
    assert_eq!((status, rows.as_str()), (2, ""), "{words:?}: {said}");
    said
}

/// Lists that are not answers to questions accept the same options as other tables.
#[test]
fn lists_accept_the_arguments_of_tables() {
    assert_eq!(
        stdout("list words toll -c word").lines().next(),
        Some("word")
    );
    assert_eq!(stdout("list words --top 2 -c word").lines().count(), 3);
    let by = stdout("list studies --by -name -c name --top 2");
    assert!(by.starts_with("name\n") && by.lines().count() == 3, "{by}");
    assert_eq!(
        stdout("list algorithms --top 2 --by id -c id"),
        "id\naldr\nalias\n"
    );
    assert!(refusal("list words -c foo").contains("choose one of word, meaning"));
    let lemire = stdout("list algorithms lemire");
    assert!(
        lemire.contains("a word") && !lemire.contains("word of 2 sides"),
        "{lemire}"
    );
    let (status, text, said) = run(&words("oeis identify 1,2,3,99,7"));
    assert_eq!(status, 0, "{said}");
    assert!(
        (text + said.as_str()).contains("no entry holds the terms"),
        "{said}"
    );
}

#[test]
fn errors_name_files_and_columns_as_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("loot.txt"), "sword 5\nlong bow 2\n").unwrap();
    let rolled = stdout(&format!("roll @{} --count 30 --seed 1", path("loot.txt")));
    assert!(
        rolled.contains("sword\n") && rolled.contains("long bow\n"),
        "{rolled}"
    );
    std::fs::write(path("drops.csv"), "item,count\nsword,5\nbow,2\n").unwrap();
    let said = refusal(&format!("roll @{}", path("drops.csv")));
    assert!(said.contains("as in @drops.csv:count"), "{said}");
    let said = refusal(&format!("law @{}:cuont", path("drops.csv")));
    assert!(said.contains("as in @drops.csv:count"), "{said}");
    let rows = path("rows.csv");
    let (_, _, first) = run(&["cost", "6", "-o", &rows]);
    assert!(!first.contains("written"), "{first}");
    let (_, _, again) = run(&["cost", "6", "-o", &rows]);
    assert!(again.contains("replaced: "), "{again}");
}
