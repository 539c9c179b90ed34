//! Command lines in everyday words: a target as the first word, `from`, hints for topics, and all
//! notations of dice.

use crate::support::{Folder, check_equal, check_table, output, run, stdout};

/// Command lines that people type get the right answers or hints at once.
#[test]
fn typed_texts_get_an_answer_or_a_hint() {
    let table = include_str!("../people.txt");
    assert!(table.lines().count() >= 80);
    check_table(table);
}

#[test]
fn a_target_as_the_first_word_asks_cost_or_plan() {
    let table = "6 => cost 6
d7 from d6,d10,d20 => plan d7 --dice d6,d10,d20
d7 from d6 d10 and d20 => plan d7 --dice d6,d10,d20
3d6 => law 3d6
4d6dl1 => law 4d6dl1
2d20kh1+3 => law 2d20kh1+3
d20+5 => law d20+5
3d6 -a fldr => cost 3d6 -a fldr
3d6 from d20 => cost 3d6 --source d20
4:7:8 from p=1/3 => cost 4:7:8 --source p=1/3
--dice 2,6 7 => plan --dice 2,6 7
100 from polyhedral => plan 100 --dice polyhedral
7 from 6,10 -c n,algorithm => cost 7 --source 6,10 -c n,algorithm
7 from 1:2,2 => cost 7 --source 1:2,2
2..9 -s 6 => cost 2..9 --source 6
a card from a d6 => cost 52 --source d6
1 in 20 => cost 1:19
5 of 52 => shuffle 52 --draw 5
coin => cost coin
d7 from 2d6 => plan d7 --dice 6,6
d7 from 3d6 d10 => plan d7 --dice 6,6,6,d10
d7 from d10 and 2d6 => plan d7 --dice d10,6,6
d6 from two coins => cost d6 --source coin
d6 from 2 coins => cost d6 --source coin";
    for (short, full) in table.lines().filter_map(|row| row.split_once(" => ")) {
        let (rows, said) = output(short);
        let line = format!("note: this asks `flipcost {full}`\n");
        assert!(said.starts_with(&line), "{short}: {said}");
        assert_eq!(rows, stdout(full), "{short}");
    }
    let folder = Folder::new();
    let file = folder.write("w", "4\n7\n8\n");
    check_equal(&format!(
        "@{file} == cost 4:7:8\n6 from @{file} == cost 6 --source 4:7:8"
    ));
}

/// The names of dice and of constants are accepted wherever a number is expected. After `--dice`
/// and `--source`, 2d6 means two available dice, which take as many rolls as one die: 72/35. A sum
/// of thrown dice is a loaded die, written by its weights or in brackets.
#[test]
fn every_notation_is_accepted() {
    check_equal(
        "cost 7 from d6 == cost 7 --source 6
cost 7 --dice 6 == cost 7 --source 6
cost 7 --from d6 == cost 7 --source 6
verify toll<19 --from d6 --to 9 == verify --that toll<19 --source 6 --to 9
plan 7 from 6,10 == plan 7 --dice 6,10
plan 7 --dice 6 10 20 == plan 7 --dice 6,10,20
plan 7 -s 6,10 == plan 7 --dice 6,10
plan 7 --dice 3d6,d10 == plan 7 --dice 6,10
cost 2 --source 60% == cost 2 --source p=3/5
cost 2 -s (2d2) == cost 2 -s 1:2:1
cost coin -a fdr -c n,algorithm == cost 2 -a fast-dice-roller -c n,algorithm
cost d% -a ky -c n == cost 100 -a knuth-yao -c n
cost D20 -s d% -a fdr == cost 20 -s 100 -a fdr
plan d13 --dice d6,D10 --factoring == plan 13 --dice 6,10 --factoring
plan 13 --dice polyhedral,coin == plan 13 --dice 4,6,8,10,12,20,2
plan d20 --throw d6,d6 == plan 20 --throw 6,6
batch d4 d13 coin == batch 4 13 2
cost d4..d6 --sources coin,d6,word:3 --best == cost 4..6 --sources 2,6,8 --best
law a+b --dice d6,coin == law a+b --dice 6,2
libraries --target d% == libraries --target 100
cost 8-2 -a fdr == cost 6 -a fdr
cost 10-4 --sources 2,3 == cost 6 --sources 2,3
cost 4..2*3 -a interval == cost 4,5,6, -a interval
--query plan d20 --throw d6,d6 == --query plan 20 --throw 6,6
decimals 0xffff -c decimals == decimals 0XFF_FF -c decimals
decimals '100 % 7' -c decimals == decimals 2 -c decimals
decimals '2^10 % (3*5)' -c decimals == decimals 4 -c decimals
decimals 200% -c decimals == decimals 2 -c decimals
decimals P-256 -c decimals == decimals p256 -c decimals
decimals secp256r1 -c decimals == decimals p256 -c decimals
decimals prime256v1 -c decimals == decimals p256 -c decimals
decimals Ed25519 -c decimals == decimals ed25519 -c decimals
decimals BLS12-381 -c decimals == decimals bls12381r -c decimals",
    );
    check_table(
        "decimals 60% --digits 2 => ,0.60\\n
decimals 0xffff => 65535
plan 7 --dice 2d6 -f csv => \\n7,6,true,72/35, & --throw 6,6 throws both at once
cost 7 -s 2d6 => ,plan,72/35,
d100 from d10 => `flipcost plan d100 --dice d10` prints the recipe
2:3 from d10 => `flipcost plan 2:3 --dice d10` prints the recipe
! roll 7 -s 2d6 => names several dice, and one source was expected, such as  & `plan` prints recipes for several dice
! roll d7 from d6,d10 => names several dice
! cost 6 -s d6+1 => d6+1",
    );
}

/// An unknown name is refused with a tip that names the most similar one.
#[test]
fn names_of_other_programs_get_a_hint() {
    check_table(
        "! cost 6 -s word8 => did you mean word:8?
! cost 6 -s 32-bit => did you mean word:32?
! 'drop lowest' => `flipcost law 4d6kh3`
! cost secp256 => did you mean secp256k1?
! cost binomal:n=5,p=1/2 => did you mean binomial?
! cost zipf => zipf:n=10,s=1
! cost poisson:l=3 => poisson has no l: it is written as in poisson:1
! coin from bent coin => p=60% & unknown:2
! cost 6 -f cvs => \\n  tip: did you mean 'csv'?\\n",
    );
    let (_, _, said) = run("cots 6");
    let tip = "  tip: a similar subcommand exists: 'cost'\n";
    assert_eq!(
        said,
        format!("error: unrecognized subcommand 'cots'\n{tip}")
    );
}
