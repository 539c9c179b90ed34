//! `figure`: charts of columns.

use crate::support::queries::query;
use crate::support::{Folder, check_table, stdout};

/// The query of `figure` is a sweep, which the figure draws; for an unknown coin, it is for the
/// costs at 99 probabilities of heads.
#[test]
fn a_figure_asks_for_a_sweep() {
    let at: Vec<String> = (1..100).map(|heads| format!("{heads}/100")).collect();
    let cost = "cost 6 -s unknown:2 -a elias -c algorithm,expected,entropy --at";
    for (figure, sweep) in [
        (
            "toll --from 2 --to 9 -a interval",
            "cost 2..9 -a interval -c n,algorithm,toll",
        ),
        (
            "toll --to 9 --sources 2,3 -a interval",
            "cost 1..9 --sources 2,3 -a interval -c source,n,algorithm,toll",
        ),
        (
            "--target 6 -s unknown:2 -a elias",
            &format!("{cost} {}", at.join(",")),
        ),
    ] {
        assert_eq!(
            query(&format!("figure {figure} -o x.svg")),
            query(sweep),
            "{figure}"
        );
    }
    check_table(
        "! figure -s unknown:2 -o x.svg => add --target
! figure --target 2 -o x.svg => --source unknown:2 was expected
! figure --target 2 -s unknown:6 -o x.svg => the source is an unknown d6
! figure --target 2 -s unknown:2 -a knuth-yao -o x.svg => knuth-yao & unknown
! figure expected_exact -o /tmp/x.svg => expected_exact
! figure toll --sources 2..40 -o x.svg => 20 sources are the most
! figure toll --size 5x5 -o x.svg => 240 to 10000 pixels",
    );
}

/// The worst cases of most targets are infinite, and the finite ones are drawn as separate points.
/// A chart uses the given titles and labels, with exponents set as superscripts.
#[test]
fn charts_have_labels() {
    let folder = Folder::new();
    let file = folder.path("x.svg");
    for (line, texts) in [
        (
            "worst_case --to 40 -a fast-dice-roller",
            &["worst_case of fast-dice-roller from a coin"][..],
        ),
        ("cycle_rounds --to 20", &["cycle_rounds (rounds)"]),
        (
            "entropy --to 20 -a interval,rejection,fast-dice-roller",
            &["fast-dice-roller = rejection = interval"],
        ),
        (
            "toll --to 20 --sources 2,6 -a interval",
            &["toll of interval from sources 2,6", "source 6"],
        ),
        (
            "toll --to 20 --title 'Toll below 2^-n' --x-label sides --y-label p^2 --size 1200x400",
            &[
                "Toll below 2⁻ⁿ",
                "sides",
                "p²",
                "width=\"1200\"",
                "height=\"400\"",
            ],
        ),
    ] {
        stdout(&format!("figure {line} -o {file}"));
        let picture = folder.read("x.svg");
        for text in texts {
            assert!(picture.contains(text), "{text}: {picture}");
        }
    }
    // of six labels that would overlap, three are drawn
    let far = "figure toll --from 10^15 --to 10^15+100 -a fast-dice-roller";
    stdout(&format!("{far} -o {file}"));
    let picture = folder.read("x.svg");
    let labels = picture
        .matches("aria-label=\"1\u{2009}000\u{2009}000")
        .count();
    assert!((2..=3).contains(&labels), "{labels}");
}
