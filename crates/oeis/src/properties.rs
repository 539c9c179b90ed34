//! Properties of every parser of this crate: no bytes make it panic, and it reads what the writer
//! of its format writes.

use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

use super::internal::{InternalEntry, Signs};
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

/// A line of text as an entry holds it: no blank at its end, and not empty.
fn line() -> impl Strategy<Value = String> {
    "[A-Za-z0-9(][ -~]{0,60}[A-Za-z0-9.)]"
}

/// Random sequences of pieces of the formats: closer to a real file than random bytes.
fn scraps() -> impl Strategy<Value = Vec<u8>> {
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

fn read_with_every_parser(bytes: &[u8]) {
    let _ = bfile::parse("f", bytes);
    let _ = bfile::check_strict("f", bytes);
    let _ = internal::parse("f", bytes);
    let _ = stripped::parse("f", bytes);
    let _ = names::parse("f", bytes);
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
    fn no_scraps_of_a_format_make_a_parser_panic(bytes in scraps()) {
        read_with_every_parser(&bytes);
    }

    #[test]
    fn a_file_cut_off_anywhere_makes_no_parser_panic(
        terms in integers(), first in any::<i64>(), cut in 0usize..400,
    ) {
        let mut out = Vec::new();
        bfile::write(&mut out, &["a comment"], first, &terms).unwrap();
        read_with_every_parser(&out[..cut.min(out.len())]);
    }

    #[test]
    fn a_b_file_comes_back(terms in integers(), first in -1_000_000i64..1_000_000) {
        let mut out = Vec::new();
        bfile::write(&mut out, &[], first, &terms).unwrap();
        let read = bfile::check_strict("f", &out).unwrap();
        prop_assert_eq!((read.first, &read.terms), (first, &terms));
        let loaded = detect::parse("f", &out, None).unwrap();
        prop_assert_eq!((loaded.offset, loaded.terms), (Some(first), terms));
    }

    #[test]
    fn a_list_comes_back(terms in integers()) {
        let mut out = Vec::new();
        list::write(&mut out, &terms).unwrap();
        prop_assert_eq!(list::parse("f", &out).unwrap(), terms);
    }

    #[test]
    fn a_line_of_stripped_comes_back(a_number in a_number(), terms in integers()) {
        let mut out = Vec::new();
        stripped::write_line(&mut out, a_number, &terms).unwrap();
        let read = stripped::parse("f", &out).unwrap();
        prop_assert_eq!(read, [stripped::StrippedLine { a_number, terms: terms.clone() }]);
        if terms.len() >= identify::MIN_TERMS {
            let outcome = identify::search("f", &out[..], &identify::TermSearch::new(terms)).unwrap();
            prop_assert_eq!(outcome.total, 1);
            prop_assert_eq!(&outcome.found[0].relation, &identify::Relation::Contains);
        }
    }

    #[test]
    fn a_line_of_names_comes_back(a_number in a_number(), title in line()) {
        let mut out = Vec::new();
        names::write_line(&mut out, a_number, &title).unwrap();
        prop_assert_eq!(names::parse("f", &out).unwrap(), [(a_number, title)]);
    }

    #[test]
    fn an_entry_comes_back(
        a_number in a_number(),
        terms in integers(),
        title in line(),
        comments in prop::collection::vec(line(), 0..3),
        examples in prop::collection::vec(line(), 0..3),
        programs in prop::collection::vec(line(), 0..3),
        offset in prop::option::of(any::<i64>()),
        separate in any::<bool>(),
    ) {
        let entry = InternalEntry {
            a_number: Some(a_number),
            second_offset: offset.map(|_| internal::second_offset(&terms)),
            terms,
            title,
            comments,
            examples,
            programs,
            offset,
            keywords: vec!["sign".to_owned(), "easy".to_owned()],
            ..InternalEntry::default()
        };
        let signs = if separate { Signs::Separate } else { Signs::InPlace };
        let mut out = Vec::new();
        internal::write(&mut out, &entry, signs).unwrap();
        prop_assert_eq!(internal::parse("f", &out).unwrap(), [entry]);
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
fn a_term_of_a_hundred_thousand_digits_passes_through_every_format() {
    let terms: Vec<BigInt> = (1..6)
        .map(|n| "7".repeat(20_000 * n).parse::<BigInt>().unwrap() * if n == 2 { -1 } else { 1 })
        .collect();
    let mut out = Vec::new();
    bfile::write(&mut out, &[], 0, &terms).unwrap();
    assert_eq!(bfile::check_strict("f", &out).unwrap().terms, terms);
    out.clear();
    stripped::write_line(&mut out, ANumber::NONE_YET, &terms).unwrap();
    assert_eq!(stripped::parse("f", &out).unwrap()[0].terms, terms);
    let outcome =
        identify::search("f", &out[..], &identify::TermSearch::new(terms.clone())).unwrap();
    assert_eq!(outcome.found[0].matched, 5);
    out.clear();
    let entry = InternalEntry {
        a_number: ANumber::new(1),
        terms,
        ..InternalEntry::default()
    };
    internal::write(&mut out, &entry, Signs::InPlace).unwrap();
    assert_eq!(internal::parse("f", &out).unwrap()[0].terms, entry.terms);
}
