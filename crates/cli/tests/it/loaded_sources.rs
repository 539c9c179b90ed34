//! Loaded and unknown sources, in every question about a source.

use crate::support;

use support::{flipcost, refusal, stdout};

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
        let output = flipcost(&format!("{line} --source 1:2")).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    }
    // the tree continues with probability 2/3 after the first toss, then with 1/3 after the second
    // and with 2/3 after the third: 4/27 in all
    let tree = stdout("show 2 --as tree --source 1:2 --depth 3");
    assert!(
        tree.ends_with("undecided after 3 flips: probability 4/27\n"),
        "{tree}"
    );
    for line in [
        "roll 2",
        "show 2 --as tree",
        "distribution 2",
        "supply 2",
        "cost 2",
    ] {
        let said = refusal(&format!("{line} --source 1:2 -a rejection"));
        let why = "the source must be a fair die or a word, and a coin loaded 1:2 is neither";
        assert_eq!(said, format!("error: rejection: {why}\n"), "{line}");
    }
    let table = stdout("show 2 --as table --source unknown:2");
    assert_eq!(
        table,
        stdout("show 2 --as table --source 1:2 -a von-neumann")
    );
}

/// The interval algorithm on dice for which it is hard to decide whether their cuts end: the means
/// agree with sums over words from another program.
#[test]
fn loaded_dice_are_not_refused() {
    for (line, mean) in [
        ("cost 4 -s 1:1:4", "3.069524730388"),
        ("cost 2 -s 1:1:8", "3.054534693"),
        ("cost 3 -s 1:2:9", "3.1388955"),
    ] {
        let row = stdout(&format!("{line} -a interval -c expected,worst_case -f csv"));
        let row = row.lines().nth(1).unwrap();
        assert!(
            row.starts_with(mean) && row.ends_with(",inf"),
            "{line}: {row}"
        );
    }
    let wandering = "-s 1:4:1:4 -a interval";
    let row = stdout(&format!(
        "cost 4 {wandering} -c algorithm,worst_case -f csv"
    ));
    assert_eq!(row, "algorithm,worst_case\ninterval,\n");
    let quantiles = stdout(&format!(
        "distribution 4 {wandering} --quantiles 1/2,1 -f csv"
    ));
    assert_eq!(quantiles, "quantile,t\n1/2,2\n1,\n");
}

/// If no row is left, an error is reported instead of an empty table.
#[test]
fn an_empty_table_is_an_error() {
    for line in [
        "cost 52! -s 1:1:1:1:1:2",
        "cost 1:2 -s unknown:2 --at p=1/3",
        "cost 4:7:8 -s unknown:2 -a knuth-yao,fldr",
    ] {
        assert!(refusal(line).starts_with("error: "), "{line}");
    }
}

/// A long cost is written as a formula of p: a sum over the number of heads.
#[test]
fn long_formulas_of_a_coin_are_in_p() {
    let formula = stdout("cost 4 -s unknown:2 -a elias:200 -c expected_exact -f csv");
    assert!(
        formula.contains("4*floor(C(200, k)/4)*p^k*(1 - p)^(200 - k)"),
        "{formula}"
    );
}

/// Questions about coins and dice with an almost certain face must be answered quickly.
#[test]
fn almost_certain_faces_need_no_long_sums() {
    let mean = "cost 2 -s 1:10^60 -a interval -c expected_exact,variance -f csv";
    let all = "1000000000000000000000000000000000000000000000000000000000000";
    let half = &stdout(mean)["expected_exact,variance\n".len()..];
    let (mean, variance) = half.trim_end().split_once(',').unwrap();
    // (1/p + 1/q) / 2 = (10^60 + 1)^2 / (2 10^60)
    assert!(mean.ends_with(&format!("0001/2{}", &all[1..])), "{mean}");
    assert_ne!(variance, "");
    for line in [
        "cost 2 -s 1:10^400 -a interval -c expected --digits 3",
        "cost 3 -s 1:3*10^4 -a interval",
        "cost 5 -s 1:1:1:5 -a interval",
        "cost 5 -s 10^20:1:3:5 -a interval",
        "cost 2 -s 1:10^60",
    ] {
        let begun = std::time::Instant::now();
        stdout(line);
        assert!(begun.elapsed().as_secs() < 20, "{line}");
    }
}

/// In a list, loaded sources come after the fair ones.
#[test]
fn lists_of_sources_may_contain_loaded_sources() {
    let rows =
        stdout("cost 2..3 --sources 2,6,1:2,p=1/4 -a interval -c source,n,expected_exact -f csv");
    assert!(
        rows.starts_with("source,n,expected_exact\n2,2,1\n"),
        "{rows}"
    );
    assert!(
        rows.ends_with("\n1:2,2,9/4\n1:2,3,5/2\n1:3,2,8/3\n1:3,3,43/12\n"),
        "{rows}"
    );
    // the d3 from 1:3: its two cuts take 20/9 and 28/9 tosses, of which 1 + 3/4 tosses serve both
    // cuts, so 20/9 + 28/9 - 7/4 = 43/12
    let single = stdout("cost 2..3 -s 1:2 -c source,n,algorithm,expected_exact -f csv");
    let listed = stdout("cost 2..3 --sources 1:2 -c source,n,algorithm,expected_exact -f csv");
    assert_eq!(single, listed);
    let rows = stdout("cost 2,3 --sources 1:2,2 --best -f csv");
    let best: Vec<&str> = rows.lines().skip(1).collect();
    assert!(
        best[0].starts_with("2,2,") && best[2].starts_with("1:2,2,interval,9/4,"),
        "{rows}"
    );
    let rows = stdout("cost 2 --sources 2,1:2 -a bounded -c n,possible -f csv");
    let decided: Vec<bool> = rows
        .lines()
        .skip(1)
        .map(|row| row.ends_with(",true"))
        .collect();
    assert_eq!(decided, [true, false], "{rows}");
    let said = refusal("cost 2..100 --sources 2,unknown:2 --best");
    assert!(said.contains("weights such as 1:2 were expected"), "{said}");
}

/// Errors about loaded sources say what is wrong, and notes about them are true.
#[test]
fn sentences_about_loaded_sources_are_true() {
    for (line, right) in [
        (
            "plan 7 --dice 2,1:2",
            "a coin loaded 1:2 is not fair: each of several dice must be fair, as in 2,6",
        ),
        (
            "plan 6 --dice 1:2 --factoring",
            "a coin loaded 1:2 is not fair: each of several dice",
        ),
        ("cost 2 -s 1:", "\"1:\" is not a source that can be used"),
        ("cost 2 -s a:b", "\"a:b\" is not a source that can be used"),
        (
            "extract -s unknown:2 --length 4 --at 1:2:3",
            "a d3 loaded 1:2:3 does not have as many faces as an unknown coin: 2 probabilities were expected",
        ),
        (
            "extract -s unknown:6 --length 40 --method elias",
            "--at evaluates longer blocks at known probabilities",
        ),
    ] {
        let said = refusal(line);
        assert!(said.contains(right), "{line}: {said}");
    }
    // the values for an unknown die at these weights are those of the loaded die
    let at = stdout("extract -s unknown:3 --at 1:2:3 --length 6 --method elias -f csv");
    let known = stdout("extract -s 1:2:3 --length 6 --method elias -f csv");
    assert_eq!(at.replace(",at,", ",").replace(",1:2:3,", ","), known);
    assert!(at.starts_with("method,length,at,bits_exact,"), "{at}");
    let rows = stdout("supply 2 -s 1:2 -a interval --exact --format csv");
    assert!(rows.contains(",9/4,2.25,2.25,,interval\n"), "{rows}");
    let at =
        "cost 2 -s unknown:6 --at 1:1:1:1:1:2,1:2:3:4:5:6 -a von-neumann -c expected_exact -f csv";
    // 2 / (1 - (5 + 4) / 49), 2 / (1 - 91/441)
    assert_eq!(
        stdout(at),
        "at,expected_exact\n1:1:1:1:1:2,49/20\n1:2:3:4:5:6,63/25\n"
    );
}

/// The advice for a loaded coin has the best rule if it can be found, and the rules that are fair
/// for every coin.
#[test]
fn advice_covers_loaded_coins() {
    let (_, _, notes) = support::run(&["advise", "2", "--source", "1:2"]);
    assert!(
        notes.contains("flipcost cost 2 --source 1:2 --optimal"),
        "{notes}"
    );
    let rows = stdout("advise 2 -s unknown:2 -f csv");
    let first: Vec<&str> = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').next().unwrap())
        .collect();
    assert_eq!(first[0], "stout-warren");
    assert!(
        ["elias", "peres", "von-neumann"]
            .iter()
            .all(|id| first.contains(id)),
        "{rows}"
    );
    assert!(rows.contains(",1/(p - p^2),inf,"), "{rows}");
    let simple = stdout("advise 2 -s unknown:2 --prefer simple -f csv");
    assert!(simple.contains("\nvon-neumann,"), "{simple}");
    let said = refusal("advise 2 -s unknown:2 --prefer bounded");
    assert!(
        said.contains("no rule is fair after a bounded number of flips of an unknown coin"),
        "{said}"
    );
    let said = refusal("advise 1:2 -s unknown:2");
    assert!(
        said.contains("no rule makes weights 1:2 from an unknown coin"),
        "{said}"
    );
}

/// Words of 64 bits are accepted in lists of sources and by rules that are fair for every source.
#[test]
fn words_of_64_bits_are_accepted_as_sources() {
    let rows = stdout(
        "cost 3..4 --sources 2,word:64,1:2 -a bounded -c source,n,possible,worst_case,missing_prime -f csv",
    );
    let wide = "18446744073709551616";
    assert!(
        rows.contains(&format!("{wide},3,false,,3\n{wide},4,true,1,\n1:2,3")),
        "{rows}"
    );
    let rows = stdout("cost 2 --sources word:64,2^32 --best -f csv");
    assert!(rows.contains("\n4294967296,2,") && rows.contains(&format!("\n{wide},2,")));
    let mean = stdout("cost 2 --source word:64 -a von-neumann -c expected_exact -f csv");
    assert_eq!(
        mean,
        "expected_exact\n36893488147419103232/18446744073709551615\n"
    );
    let said = refusal("show 6 --as table --source word:64");
    let why = "the table of base-conversion-early for a d6 from a word of 64 bits has more than 65536 rows";
    assert_eq!(said, format!("error: {why}\n"));
}

/// Two rolls of a die loaded 1:2:3 differ with probability 22/36.
#[test]
fn von_neumann_bits_of_a_loaded_die_are_counted() {
    let rows = stdout("extract --source 1:2:3 --length 2 -f csv");
    let bits = "von-neumann,2,11/18,";
    assert!(rows.contains(bits) && !rows.contains("peres"), "{rows}");
}

/// A cost that is an exact fraction is shown without an upper bound, and a refusal names the
/// source.
#[test]
fn errors_about_sources_name_the_source() {
    let page = stdout("cost 3 --source 1:2 --optimal");
    assert!(
        page.contains("expected flips: 7/3, about 2.333333333333\n"),
        "{page}"
    );
    let row = stdout("cost 3 --source 1:2 --optimal -f csv");
    assert!(
        row.ends_with(",7/3,yes,2.5,1 >2; 3 >3; >4 2; >3 3\n"),
        "{row}"
    );
    for line in [
        "show 6 --as leaves --upto 3",
        "roll 6 --test",
        "export prism 6",
    ] {
        let said = refusal(&format!("{line} --source unknown:2"));
        let why = "this question is about known probabilities, and the source is an unknown coin: a source with known probabilities was expected, such as 1:2 or p=1/3";
        assert_eq!(said, format!("error: {why}\n"), "{line}");
    }
    // if several algorithms all refuse, the reason of the first is shown
    let said = refusal("cost 6 --source 1:2 -a rejection,fldr");
    let why = "the source must be a fair die or a word, and a coin loaded 1:2 is neither";
    assert_eq!(said, format!("error: rejection: {why}\n"));
    let said = refusal("show 6 --as flowchart --source 1:2");
    let why = "a flow chart takes a fair die or a word, and a coin loaded 1:2 is neither";
    assert_eq!(said, format!("error: {why}\n"));
}

/// From an unknown coin, Elias' rule for a d10 uses blocks of five tosses at every p and costs 1/(2
/// p^2 (1 - p)^2), which is 5000/81 at p = 1/10. Longer blocks would cost less there, but choosing
/// them needs p. Rules that need p are refused.
#[test]
fn the_rule_for_an_unknown_coin_is_the_same_at_every_p() {
    let at = |algorithm: &str| {
        stdout(&format!(
            "cost 10 -s unknown:2 -a {algorithm} --at p=1/10 -c expected_exact -f csv"
        ))
    };
    assert!(at("elias").ends_with("1/10,5000/81\n"));
    assert_eq!(at("elias"), at("elias:N=5"));
    assert!(!stdout("cost 10 -s p=1/10 -a elias -c expected_exact -f csv").contains("5000/81"));
    for algorithm in ["interval", "knuth-yao"] {
        let said = refusal(&format!("cost 2 -s unknown:2 -a {algorithm} --at p=1/3"));
        assert!(
            said.contains(algorithm) && said.contains("unknown"),
            "{said}"
        );
        let said = refusal(&format!(
            "figure --target 2 -s unknown:2 -a {algorithm} -o x.svg"
        ));
        assert!(
            said.contains(algorithm) && said.contains("unknown"),
            "{said}"
        );
    }
}
