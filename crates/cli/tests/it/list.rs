//! `list`, `help`, `man`, `completions` and `cite`: what there is.

use crate::support::{Folder, check_equal, check_table, column, output, refusal, stdout};

#[test]
fn help_man_and_completions_are_generated() {
    check_table(
        "--help => explore
help => ~reproduce
help all => reproduce
man => .TH
completions bash => flipcost & ~recycling
cost --help => ~recycling
roll --help => (the 0 of a d10 is its 10)
! help cots => did you mean 'cost'?
! help nothing => `flipcost help all` lists all commands
! version => `flipcost --version`",
    );
    let folder = Folder::new();
    stdout(&format!("man --output {}", folder.path("")));
    assert!(folder.names().contains(&"flipcost-cost.1".to_string()));
}

/// Lists accept the options of other tables.
#[test]
fn lists_are_tables() {
    assert_eq!(stdout("list algorithms").lines().count(), 1 + 27 + 10);
    assert_eq!(column("list claims", "id").len(), 7);
    let ids = column("list algorithms --top 2 --by id", "id");
    assert_eq!(ids, ["aldr", "alias"]);
    let names = column("list studies --by -name --top 2", "name");
    assert!(names.len() == 2 && names[0] > names[1], "{names:?}");
    check_table(
        "list claims => \\nid,claim,standing,from\\n & \\naldr-toll-even,
list columns -c name,kind --top 2 => \\nname,kind\\nn,count\\ntarget,text\\n
list words 'worst case' => worst_case: the most source rolls
list words kullback => kullback_leibler_bits: 
list words toll -f csv => \\nword,meaning\\ntoll,
list words --top 2 -c word => \\nword\\n
list algorithms lemire => a word & ~word of 2 sides
list algorithms => ~recycling
list sequences --format csv => \\nid,a_number,offset,title,definition\\ncycle-rounds:source=2,A136043,1,
! list words -c foo => choose one of word, meaning",
    );
    assert!(column("list sequences", "id").len() > 80);
    check_equal("list algorithms -f csv == list algorithms");
}

/// Every command line that a hint for an unknown first word suggests has an answer.
#[test]
fn suggested_command_lines_are_answered() {
    for word in [
        "probability",
        "chance",
        "fair",
        "check",
        "rules",
        "random",
        "entropy",
        "bits",
        "dice",
    ] {
        assert!(refusal(word).contains("`flipcost "), "{word}");
    }
    let lines = include_str!("../../data/meanings.txt").lines();
    for line in lines.filter_map(|line| line.strip_prefix("  ")) {
        let (line, _) = line.rsplit_once(": ").unwrap();
        let line = line.replace("WORD", "python").replace(" N", " 6");
        if !line.contains(".svg") {
            output(&line);
        }
    }
}
