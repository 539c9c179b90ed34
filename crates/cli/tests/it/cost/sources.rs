//! Words, loaded and unknown sources, and several dice.

use crate::support::{check_equal, check_table, column, refusal, stdout};

/// The largest multiple of 6 below 2^64 is 2^64 - 4. E = 2^256 / 2^255 with n = 2^255 + 1 or so.
#[test]
fn words_are_a_source() {
    let columns = "-c expected_exact,bits_drawn_exact,bits_used_exact";
    let kept = "4611686018427387904/4611686018427387903";
    let bits = "295147905179352825856/4611686018427387903";
    for algorithm in ["lemire", "modulo-reject", "base-conversion"] {
        for source in ["word:64", "2^64"] {
            let line = format!("cost 6 -s {source} -a {algorithm} {columns}");
            check_table(&format!("{line} => \\n{kept},{bits},{bits}\\n"));
        }
    }
    check_table(&format!(
        "cost 6 -s word:64 -a mask-reject {columns} => \\n4/3,256/3,4\\n
cost 6 -s word:8 -a bitmask-words {columns} => \\n4/3,32/3,4\\n
cost 5..6 -s 2^64 -a lemire -c n,source,expected_exact => \\n6,18446744073709551616,{kept}\\n
cost 2^255 --source word:256 -a modulo-reject,bitmask-words,lemire -c algorithm,expected_exact => \\nlemire,1\\nmodulo-reject,1\\nbitmask-words,1\\n
cost 3 --source word:512 -a mask-reject -c expected_exact,entropy => \\n4/3,0.0030956
cost 2 --source word:64 -a von-neumann -c expected_exact -f csv => \\n36893488147419103232/18446744073709551615\\n
cost 3..4 --sources 2,word:64,1:2 -a bounded -c source,n,possible,worst_case,missing_prime -f csv => \\n18446744073709551616,3,false,,3\\n18446744073709551616,4,true,1,\\n1:2,3
cost 2 --sources word:64,2^32 --best -f csv => \\n4294967296,2, & \\n18446744073709551616,2,
cost 6 -c algorithm => ~lemire
cost 1:2:3 -s word:64 => ~fraction"
    ));
    for bits in [8, 16, 31, 32, 48, 53, 63, 64] {
        let listed = column(&format!("cost 52 -s word:{bits}"), "algorithm");
        for algorithm in ["fast-dice-roller", "lemire", "mask-reject", "bitmask-words"] {
            assert!(
                listed.iter().any(|id| id == algorithm),
                "{bits}: {listed:?}"
            );
        }
    }
}

/// The interval algorithm on dice for which it is hard to decide whether their cuts end: the means
/// agree with sums over words from another program.
#[test]
fn loaded_dice_are_not_refused() {
    check_table(
        "cost 4 -s 1:1:4 -a interval -c expected,worst_case -f csv => \\n3.069524730388 & ,inf\\n
cost 2 -s 1:1:8 -a interval -c expected,worst_case -f csv => \\n3.054534693 & ,inf\\n
cost 3 -s 1:2:9 -a interval -c expected,worst_case -f csv => \\n3.1388955 & ,inf\\n
cost 4 -s 1:2:3 --optimal => expected rolls: 2\\n & ~-> 0
cost 3 --source 1:2 --optimal => expected flips: 7/3, about 2.333333333333\\n
cost 3 --source 1:2 --optimal -f csv => ,7/3,yes,2.5,1 >2; 3 >3; >4 2; >3 3\\n
! cost 2 -s 1:100000 --optimal --effort 10^4 => is too likely for a search
! cost 6 --source 1:2 -a rejection,fldr => error: rejection: the source must be a fair die or a word, and a coin loaded 1:2 is neither\\n
! show 6 --as flowchart --source 1:2 => a flow chart takes a fair die or a word, and a coin loaded 1:2 is neither\\n
! cost 52! -s 1:1:1:1:1:2 => error: 
! cost 4:7:8 -s unknown:2 -a knuth-yao,fldr => error: ",
    );
    // a search that finds nothing better than the interval algorithm
    let row = stdout("cost 2 -s 1:1000 --optimal --effort 10^4 -f json");
    let row: serde_json::Value = serde_json::from_str(&row).unwrap();
    assert_eq!(row[0]["expected"], row[0]["interval"]);
    // (1/p + 1/q) / 2 = (10^60 + 1)^2 / (2 10^60)
    let mean = column("cost 2 -s 1:10^60 -a interval", "expected_exact");
    assert!(
        mean[0].ends_with(&format!("0001/2{}", "0".repeat(60))),
        "{mean:?}"
    );
    assert_ne!(column("cost 2 -s 1:10^60 -a interval", "variance"), [""]);
}

/// In a list, loaded sources come after the fair ones. The d3 from 1:3: its two cuts take 20/9 and
/// 28/9 tosses, of which 1 + 3/4 tosses serve both cuts, so 20/9 + 28/9 - 7/4 = 43/12.
#[test]
fn lists_of_sources_may_contain_loaded_sources() {
    check_table(
        "cost 2..3 --sources 2,6,1:2,p=1/4 -a interval -c source,n,expected_exact -f csv => \\nsource,n,expected_exact\\n2,2,1\\n & \\n1:2,2,9/4\\n1:2,3,5/2\\n1:3,2,8/3\\n1:3,3,43/12\\n
cost 2,3 --sources 1:2,2 --best -f csv => \\n2,2, & \\n1:2,2,interval,9/4,
cost 2 --sources 2,1:2 -a bounded -c n,possible -f csv => \\nn,possible\\n2,true\\n2,false\\n
cost 2..5 -s 1:2 -a interval -c expected --summary -f csv => \\n1:2,interval,expected",
    );
    let columns = "-c source,n,algorithm,expected_exact -f csv";
    check_equal(&format!(
        "cost 2..3 -s 1:2 {columns} == cost 2..3 --sources 1:2 {columns}"
    ));
}

/// From an unknown coin, Elias' rule for a d10 uses blocks of five tosses at every p and costs 1/(2
/// p^2 (1 - p)^2), which is 5000/81 at p = 1/10. Longer blocks would cost less there, but choosing
/// them needs p. Rules that need p are refused. A long cost is a sum over the number of heads. For
/// a loaded die, Von Neumann's rule takes 2 / (1 - (5 + 4) / 49) and 2 / (1 - 91/441) rolls.
#[test]
fn rules_for_an_unknown_source_are_the_same_at_every_p() {
    let line = "cost 10 -s unknown:2 --at p=1/10 -c expected_exact -f csv";
    check_table(&format!(
        "{line} -a elias => 1/10,5000/81\\n
cost 10 -s p=1/10 -a elias -c expected_exact -f csv => ~5000/81
cost 4 -s unknown:2 -a elias:200 -c expected_exact -f csv => 4*floor(C(200, k)/4)*p^k*(1 - p)^(200 - k)
cost 2 -s unknown:6 --at 1:1:1:1:1:2,1:2:3:4:5:6 -a von-neumann -c expected_exact -f csv => \\nat,expected_exact\\n1:1:1:1:1:2,49/20\\n1:2:3:4:5:6,63/25\\n
cost 2 --source 3:2 -c algorithm,needs_load => \\ninterval,true\\n & \\nvon-neumann,false\\n
! cost 2 -s unknown:2 -a interval --at p=1/3 => interval & unknown
! cost 2..5 -s unknown:2 => this question is about known probabilities"
    ));
    check_equal(&format!("{line} -a elias == {line} -a elias:N=5"));
    for loaded in [
        "1:2 -a interval",
        "1:1:2 --deal --seed 1",
        "unknown:2 --batches",
    ] {
        let said = refusal(&format!("shuffle 5 -s {loaded}"));
        assert!(
            said.contains("a shuffle takes a fair die or a word"),
            "{said}"
        );
    }
}

/// For a d7 from a d6 and a d10, the recipe costs 7956/5999 rolls, and no bounded rule exists,
/// since 7 divides no product of powers of 6 and 10. With a d6, some dice take a bounded number of
/// rolls; with two dice, a rule chooses one of them for each roll. Plans do not use loaded dice.
#[test]
fn several_dice_are_sources() {
    check_table(
        r#"cost 7 -s 6,10 => \n"6,10",7,plan,7956/5999, & \n"6,10",7,bounded,,,,false,7\n
cost 7 -s 1:6,2 -c algorithm,possible => \nalgorithm,possible\nbounded,true\n
cost 2..=12 --sources 6 -a bounded -c source,n,possible,worst_case,missing_prime => \nsource,n,possible,worst_case,missing_prime\n & \n6,2,true,1,\n & \n6,4,true,2,\n & \n6,5,false,,5\n & \n6,9,true,2,\n & \n6,12,true,2,\n
cost 14..15 -s 6,10 -a bounded -c source,n,possible,missing_prime => \n"6,10",14,false,7\n & \n"6,10",15,true,\n"#,
    );
    let all = stdout("cost 2..100 --sources 2..20 -a bounded -c possible");
    assert_eq!(all.lines().count(), 1 + 19 * 99);
}
