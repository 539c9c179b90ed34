//! `shuffle` and `subset`: decks of cards and draws from them.

use crate::support::{Folder, cells, check_table, column, refusal, stdout};
use std::collections::BTreeSet;

/// CPython's shuffle takes 2^K / n words on average for each n, where K is the bit length of n.
/// Ruby's uses the bit length of n - 1, which saves about five words in all. log2 (52 51 50 49) is
/// computed by Python's math.log2.
#[test]
fn a_deck_of_cards_is_shuffled() {
    check_table(
        "shuffle 52 --libraries --digits 3 => \\ncpython-shuffle,569115030493670868194/7449626212129799775,76.395,2444.644, & \\nruby-shuffle,531866899433021869319/7449626212129799775,71.395,
shuffle 52 -a cpython-randbelow -s word:32 --digits 3 => \\ncpython-randbelow,569115030493670868194/7449626212129799775,76.395,
shuffle 52 --draw 4 --digits 3 => bound,,22.631,
shuffle 5 => ~recycling
! shuffle 5 --deal --digits 3 => --digits
! shuffle 5 --names Ann,Bob => --deal
! shuffle 5 --seed 1 => --deal
! shuffle 52 --draw 5 --dice 6,10 => names several dice, and one source was expected, such as ",
    );
    let costs = cells("shuffle 52 --digits 3", ["algorithm", "expected"]);
    for row in [
        ["fast-dice-roller", "277.842"],
        ["rejection", "380.908"],
        ["product", "226.680"],
        ["bound", "225.581"],
    ] {
        assert!(costs.iter().any(|cost| *cost == row), "{row:?}");
    }
    assert_eq!(
        column("shuffle 52 --top 1 --by expected", "expected").len(),
        1
    );
    // too many cards: all methods are compared up to 200 cards only
    let large = stdout("shuffle 10000 -a fast-dice-roller --digits 0");
    let bound = large.lines().find(|row| row.starts_with("bound,")).unwrap();
    assert!(bound.split(',').nth(2).unwrap().parse::<u64>().unwrap() > 118_000);
}

/// The published batches of 52 cards are eight batches of six indices and one of three; the best
/// are four batches.
#[test]
fn batches_of_a_deck_match_the_published_ones() {
    check_table(
        "shuffle 52 --batches -s word:64 --digits 11 => \\nbest, & ,4.01754504730, & ,4,\"1 of 10, 1 of 11, 1 of 12, 1 of 18\"\\n & \\npublished,,9.00000000089, & ,9,\"8 of 6, 1 of 3\"\\n & \\none-by-one,",
    );
}

/// Only the picture is drawn, not the rows, and only for a shuffle that has such a picture.
#[test]
fn places_of_cards_are_drawn() {
    let folder = Folder::new();
    let file = folder.path("map.svg");
    assert_eq!(
        stdout(&format!("shuffle 6 --broken --positions -o {file}")),
        ""
    );
    let drawn = folder.read("map.svg");
    assert!(drawn.starts_with("<svg") && drawn.contains("times as likely as 1/K"));
    let refused = |line: &str| refusal(&format!("shuffle {line} --broken -o {file}"));
    assert!(refused("6").contains("this command writes rows"));
    assert!(refused("300 --positions").contains("up to 200 cards"));
}

/// Goes through every sequence of rolls that deals three cards with two rolls of a d6, and checks
/// that each order occurs equally often.
#[test]
fn cards_are_dealt_fairly() {
    let order = |face: u8| {
        stdout(&format!(
            "shuffle 3 --deal --source 6 --input {face} -f table"
        ))
    };
    assert_eq!((1..=6).map(order).collect::<BTreeSet<_>>().len(), 6);
    let rows = stdout("shuffle 5 --deal --names Ann,Bob --seed 3");
    let players = rows
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap());
    assert!(players.eq(["Ann", "Bob", "Ann", "Bob", "Ann"]), "{rows}");
    let hands = stdout("shuffle 5 --deal --names Ann,Bob --seed 3 -f table");
    assert!(
        hands.starts_with("Ann: ") && hands.lines().count() == 2,
        "{hands}"
    );
    assert_eq!(
        stdout("shuffle 52 --draw 4 --deal --seed 3")
            .lines()
            .count(),
        5
    );
}

/// Fair methods come before biased ones, the cheapest first, and the lower bound comes last.
#[test]
fn the_cheapest_fair_method_is_first() {
    let rows = cells("subset 8 3", ["method", "rolls"]);
    assert!(
        rows[0][0] == "one-roll" && rows[0][1].starts_with("6.42857"),
        "{rows:?}"
    );
    assert_eq!(rows.last().unwrap()[0], "bound");
}
