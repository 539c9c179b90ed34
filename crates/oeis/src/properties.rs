//! Property tests of every parser of this crate: no input makes the parser panic, and it parses
//! what the writer of its format writes.

use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

use super::{ANumber, bfile, check, detect, identify, internal, list, names, stripped};

fn integer() -> impl Strategy<Value = BigInt> {
    (any::<bool>(), prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(negative, bytes)| {
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_bytes_le(sign, &bytes)
    })
}

fn integers() -> impl Strategy<Value = Vec<BigInt>> {
    prop::collection::vec(integer(), 1..40)
}

fn a_number() -> impl Strategy<Value = ANumber> {
    (0u32..1_000_000).prop_map(|number| ANumber::new(number).unwrap())
}

/// Returns a line of text as an entry contains it: it has no blank at its end and is not empty.
fn line() -> impl Strategy<Value = String> {
    "[A-Za-z0-9(][ -~]{0,60}[A-Za-z0-9.)]"
}

/// Returns random sequences of pieces of the formats, which are closer to a real file than random
/// bytes.
fn pieces_of_formats() -> impl Strategy<Value = Vec<u8>> {
    let scrap = prop::sample::select(vec![
        "%I A000001",
        "%S A000001 ",
        "%T ",
        "%V A000001 1,",
        "%O A000001 ",
        "%",
        "A000001 ",
        "A",
        ",",
        ",1,",
        "-",
        "0",
        "1",
        "99999999999999999999",
        " ",
        "\t",
        "\n",
        "\r\n",
        "#",
        "[",
        "]",
        "{",
        "}",
        "\0",
        "\u{e9}",
        "\u{feff}",
        "%N A000001 x",
        "%K A000001 a,,b",
        "<html>",
    ]);
    prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat().into_bytes())
}

fn b_file(first: i64, terms: &[BigInt]) -> String {
    let lines = (i128::from(first)..).zip(terms);
    lines.map(|(n, term)| format!("{n} {term}\n")).collect()
}

fn read_with_every_parser(bytes: &[u8]) {
    let _ = bfile::parse("f", bytes);
    let _ = internal::parse("f", bytes);
    let _ = names::find("f", bytes, &[ANumber::NONE_YET]);
    let _ = list::parse("f", bytes);
    let _ = detect::parse("f", bytes, None);
    let _ = detect::parse("f", bytes, ANumber::new(1));
    let wanted = identify::TermSearch::new((0..8).map(BigInt::from).collect());
    let _ = identify::search("f", bytes, &wanted);
}

proptest! {
    #[test]
    fn no_bytes_make_a_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_with_every_parser(&bytes);
    }

    #[test]
    fn no_pieces_of_a_format_make_a_parser_panic(bytes in pieces_of_formats()) {
        read_with_every_parser(&bytes);
    }

    #[test]
    fn a_file_cut_off_anywhere_makes_no_parser_panic(
        terms in integers(), first in any::<i64>(), cut in 0usize..400,
    ) {
        let out = format!("# a comment\n{}", b_file(first, &terms));
        read_with_every_parser(&out.as_bytes()[..cut.min(out.len())]);
    }

    #[test]
    fn a_written_b_file_is_parsed_again(terms in integers(), first in -1_000_000i64..1_000_000) {
        let loaded = detect::parse("f", b_file(first, &terms).as_bytes(), None).unwrap();
        prop_assert_eq!((loaded.offset, loaded.terms), (Some(first), terms));
    }

    #[test]
    fn a_written_list_is_parsed_again(terms in integers()) {
        let list: Vec<String> = terms.iter().map(BigInt::to_string).collect();
        prop_assert_eq!(list::parse("f", list.join(", ").as_bytes()).unwrap(), terms);
    }

    #[test]
    fn a_written_line_of_stripped_is_parsed_again(a_number in a_number(), terms in integers()) {
        let mut out = Vec::new();
        stripped::write_line(&mut out, a_number, &terms).unwrap();
        if terms.len() >= identify::MIN_TERMS {
            let outcome = identify::search("f", &out[..], &identify::TermSearch::new(terms)).unwrap();
            prop_assert_eq!((outcome.total, outcome.found[0].a_number), (1, a_number));
            prop_assert_eq!(&outcome.found[0].relation, &identify::Relation::Contains);
        }
    }

    #[test]
    fn a_written_line_of_names_is_parsed_again(a_number in a_number(), title in line()) {
        let line = format!("{a_number} {title}\n");
        let found = names::find("f", line.as_bytes(), &[a_number]).unwrap();
        prop_assert_eq!(&found[&a_number], &title);
    }

    #[test]
    fn equal_terms_agree_whatever_their_offset(
        terms in integers(), offset in any::<i64>(), claimed in prop::option::of(any::<i64>()),
    ) {
        let report = check::check(offset, &terms, Some(offset), &terms);
        prop_assert_eq!((report.verdict, report.compared), (check::Agreement::Agree, terms.len()));
        let _ = check::check(offset, &terms, claimed, &terms).to_string();
    }
}

#[test]
fn a_term_of_a_hundred_thousand_digits_is_parsed_in_every_format() {
    let terms: Vec<BigInt> = (1..6)
        .map(|n| "7".repeat(20_000 * n).parse::<BigInt>().unwrap() * if n == 2 { -1 } else { 1 })
        .collect();
    let text = b_file(0, &terms);
    assert_eq!(bfile::parse("f", text.as_bytes()).unwrap().terms, terms);
    let mut out = Vec::new();
    stripped::write_line(&mut out, ANumber::NONE_YET, &terms).unwrap();
    let wanted = identify::TermSearch::new(terms.clone());
    let outcome = identify::search("f", &out[..], &wanted).unwrap();
    assert_eq!(outcome.found[0].matched, 5);
    let list: Vec<String> = terms.iter().map(BigInt::to_string).collect();
    let entry = format!("%S A000001 {}\n", list.join(","));
    assert_eq!(
        internal::parse("f", entry.as_bytes()).unwrap()[0].terms,
        terms
    );
}
