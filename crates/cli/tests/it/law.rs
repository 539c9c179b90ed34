//! `law`: the exact probabilities of formulas of dice.

use crate::support::{Folder, check_table, notes, output, stdout};

#[test]
fn laws_of_formulas_are_exact() {
    check_table(
        "law a+b+c --dice 6,6,6 => \\n10,27,1/8,0.125\\n & mean 21/2 = 10.5, variance 35/4 = 8.75 & unfair: the least probability is 1/216 (of 3 and 18), the largest 1/8 (of 10 and 11)
law a+6*(b%2) --dice 6,6 => fair: each of the 12 values has probability 1/12
! law a+b --dice 6 => character 3
! law a*a --dice 2^40 => 1 to 2^22 sides were expected
! law 4d6y => kh3 & ro1 & cs>=8
! law a+b => --dice 6,6
help law => 4d6kh3 & 4d6ro1 & d6! & 5d10cs>=8 & max(a, b) & == & and, or",
    );
    assert!(notes("law 100d6").lines().all(|line| line.len() < 200));
    let folder = Folder::new();
    for line in ["a*b --dice 6,6", "a --dice 1", "a+100*b --dice 100,100"] {
        assert_eq!(
            stdout(&format!("law {line} -o {}", folder.path("law.svg"))),
            ""
        );
        let svg = folder.read("law.svg");
        assert!(
            svg.starts_with("<svg") && svg.contains("The law of"),
            "{line}"
        );
    }
}

/// Dice in the notation of players: each formula is one that somebody types, with the last row of
/// its law and a note.
#[test]
fn dice_are_parsed_in_the_notation_of_players() {
    let table = "3d6 => 18,1,1/216,0.004629629629629629 => mean 21/2 = 10.5
3d6 >= 15 => 1,20,5/54,0.09259259259259259 => an event, 1 if it happens and 0 if not: its probability is 5/54
3d6 == 18 => 1,1,1/216,0.004629629629629629 => its probability is 1/216
3d6+2 => 20,1,1/216,0.004629629629629629 => mean 25/2
2d20kh1 => 20,39,39/400,0.0975 => mean 553/40 = 13.825
4d6kh3 => 18,21,7/432,0.016203703703703703 => mean 15869/1296
4d6d1 => 18,21,7/432,0.016203703703703703 => mean 15869/1296
4D6KH3 => 18,21,7/432,0.016203703703703703 => mean 15869/1296
5d6DL2 => 18,276,23/648,0.035493827160493825 => mean 
4dF => 4,1,1/81,0.012345679012345678 => mean 0
4df => 4,1,1/81,0.012345679012345678 => mean 0
4d6kh3 >= 10 => 1,1069,1069/1296,0.8248456790123457 => its probability is 1069/1296
4d6ro1 => 24,2401,2401/1679616,0.0014294934080170706 => mean 47/3
5d10cs>=8 => 5,243,243/100000,0.00243 => mean 3/2
count(5d10 >= 8) => 5,243,243/100000,0.00243 => mean 3/2
max(d6, d8) => 8,6,1/8,0.125 => mean 251/48
9d10 => 90,1,1/1000000000,0.000000001 => mean 99/2
8d6 => 48,1,1/1679616,0.0000005953741807651273 => mean 28
d6! => 70,,1/2176782336,0.0000000004593936579977834 => mean 21/5 = 4.2
d6! >= 10 => 1,,1/12,0.08333333333333333 => its probability is 1/12
3d6!!kh2 => 85,,597197/1828079220031488,0.00000000032668004398065065 => mean 2268/215";
    for row in table.lines() {
        let cells: Vec<&str> = row.split(" => ").collect();
        let (rows, notes) = output(&format!("law '{}'", cells[0]));
        assert_eq!(rows.lines().last(), Some(cells[1]), "{row}");
        assert!(
            notes.contains(cells[2]) && notes.contains("mean "),
            "{row}: {notes}"
        );
        assert!(
            !row.contains("event") || !notes.contains("unfair"),
            "{notes}"
        );
    }
    check_table(
        "law a+b --dice 2d6 => \\n12,1,1/36,0.027777777777777776 & mean 7
law 'a >= 2 and a <= 5' --dice d6 => its probability is 2/3
law d6! => its law has no end: all values above 70 together have probability 1/1088391168",
    );
}

/// The same notation works in every target, and outputs name the target as it was typed.
#[test]
fn formulas_of_dice_are_targets_everywhere() {
    for target in [
        "4d6kh3",
        "4d6ro1",
        "5d10cs>=8",
        "3d6 >= 15",
        "max(d6,d8)",
        "min(d6!, 20)",
    ] {
        let rows = stdout(&format!("cost '{target}' -c target,expected -a knuth-yao"));
        assert!(rows.contains(&format!("{target},")) || rows.contains(&format!("{target}\",")));
        stdout(&format!("roll '{target}' --seed 1"));
    }
    check_table("! cost d6! => its law has no end & min(d6!, 20)");
}

/// Dice that are written twice in a formula are rolled twice. A note says so, and shows a formula
/// that rolls them once: one roll of 2d6 is between 7 and 9 with probability 15/36 = 5/12.
#[test]
fn the_same_dice_twice_are_two_rolls() {
    check_table(
        "law '2d6>=7 and 2d6<=9' => 2d6 is rolled twice & flipcost law 'r>=7 and r<=9 where r = 2d6'
law 'r>=7 and r<=9 where r = 2d6' => its probability is 5/12 & ~rolled twice
law 'count(5d10>=8) - count(5d10=1)' => 5d10 is rolled twice & flipcost law 'count(r>=8) - count(r=1) where r = 5d10'
law '2d6>=7 and d6<=3' => ~rolled twice
law d2-1 => ~an event
law 'a>=5 and a<=9' --dice 2d6 => b is not used: a is a single d6, and a+b is the sum of all dice
law a+b --dice 2d6 => ~not used",
    );
}

/// A formula depends on whether faces count from 0 or from 1: with three bits, (4a + 2b + c) mod 6
/// is 0 in two of the 8 cases, and 1 in two.
#[test]
fn faces_count_from_1_or_0() {
    check_table(
        "! law 3d6 --faces-from 0 => --faces-from numbers the faces of dice with letters: it needs --dice
law '(4*a+2*b+c) % 6' --dice 2,2,2 => faces are numbered from 1 & --faces-from 0 & \\n1,2,1/4,
law '(4*a+2*b+c) % 6' --dice 2,2,2 --faces-from 0 => ~faces count & \\n0,2,1/4, & \\n2,1,1/8,",
    );
}
