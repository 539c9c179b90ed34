//! `libraries`: the functions of languages and packages, as rows and as algorithms.

use crate::support::{cells, check_table, column, stdout};

#[test]
fn library_functions_are_a_table_and_algorithms() {
    let names = [
        "words_exact",
        "bits_drawn_exact",
        "bits_used_exact",
        "total_variation_exact",
    ];
    let row = |line: &str, id: &str| {
        let ids = column(line, "id");
        let place = ids.iter().position(|other| other == id).unwrap();
        cells(line, names)[place].clone()
    };
    assert_eq!(
        row("libraries", "cpython-randbelow"),
        ["4/3", "128/3", "4", "0"]
    );
    assert_eq!(row("libraries", "racket-random")[1..], ["", "", "0"]);
    let float = row("libraries", "cpython-float-times-n");
    assert_eq!(float, ["2", "64", "53", "1/6755399441055744"]);
    // the rule changed: .NET 6 masks, .NET 8 multiplies
    assert_eq!(row("libraries dotnet", "dotnet-next-6")[0], "4/3");
    assert_eq!(
        row("libraries dotnet", "dotnet-next")[0],
        "1073741824/1073741823"
    );
    // a function has no numbers for n beyond its type
    assert_eq!(
        row("libraries --target 2^31", "java-random-nextint"),
        ["", "", "", ""]
    );
    // by name, in its words or in the bits that it draws
    check_table(
        "cost 6 -a cpython-randbelow -c expected_exact,worst_case => \\n128/3,inf
cost 6..6 -s word:32 -a cpython-randbelow -c expected_exact => \\n4/3
cost 6 --sources 2 --best -a cpython-randbelow,js-math-random-v8 => cpython-randbelow
show 6 --as tree -a java-random-nextint --depth 2 => [no word drawn, then 1 bit: 1] & [no word drawn, then 2 bits: 3]
list algorithms java-random-nextint => java-random-nextint",
    );
}

/// Library functions are found by the names that their languages use. A language shows only its own
/// functions, and a word is also searched for in the rules.
#[test]
fn libraries_are_found_by_words() {
    let ids = |words: &str| column(&format!("libraries {words}"), "id");
    assert_eq!(ids("C#"), ids(".NET"));
    assert_eq!(ids("golang"), ids("go"));
    assert_eq!(ids("node"), ids("javascript"));
    assert_eq!(ids("node").len(), 5);
    assert!(ids("").len() > 67 && ids("JAVA").len() > 3);
    check_table(
        "libraries java => ~js-math-random-v8
libraries javas => js-math-random-v8
libraries modulo => sqlite-abs-random-mod & ~swift-int-random
! libraries 10 => libraries --target 10
libraries => ~detect is empty where",
    );
    let origins = ["run", "source", "copy", "memory"];
    assert!(
        column("libraries", "checked")
            .iter()
            .all(|word| origins.contains(&&**word))
    );
    let distances = |word: &str| column(&format!("libraries {word}"), "total_variation_exact");
    let (fair, biased) = (distances("fair"), distances("biased"));
    assert!(!fair.is_empty() && fair.iter().all(|distance| distance == "0"));
    assert!(!biased.is_empty() && biased.iter().all(|distance| distance != "0"));
    assert_eq!(ids("").len(), fair.len() + biased.len());
}

/// An id from the rows of another question is not an algorithm. The error names that question,
/// which `sentences.txt` checks, and the answer has the id.
#[test]
fn ids_of_other_questions_are_in_their_answers() {
    check_table(
        "libraries --target 1:2:3 => cpython-choices
shuffle 52 --libraries => cpython-shuffle
subset 52 5 => r-sample
libraries bernoulli --target 0.1 => rust-rand-random-bool
libraries doubles --target 0,1 => r-runif
! cost 52 -a r-sample => flipcost subset 52 5
! cost 2 -a rust-rand-random-bool => flipcost libraries bernoulli --target 0.1
! cost 2 -a r-runif => flipcost libraries doubles --target 0,1",
    );
}

/// Toll and entropy of a biased rule refer to its own law: 2 flips for a d3 by multiplication give
/// 1/2, 1/4, 1/4, and never cost less than the entropy of 3/2. A biased rule is asked for by name.
#[test]
fn a_biased_rule_has_its_own_entropy() {
    check_table(
        "cost 3 -a canon:t=2 -c entropy,toll,total_variation_exact,expected_exact => \\n1.5,0.5,1/6,2
cost 3 --sources 2 --best -a canon,fast-dice-roller => fast-dice-roller & ~canon
cost 6 -a canon,rejection => canon is not exact: the total variation distance of its outcomes from equally likely ones is 1/3 
cost 6 -a cpython-float-times-n -s word:32 => not exact
cost 6 => ~not exact
cost 4 -a canon => ~not exact
! roll 3 --test -a canon => biased",
    );
    assert!(!stdout("cost 52 -s word:64 -c algorithm").contains("canon"));
}
