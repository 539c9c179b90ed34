//! Compares the table of letters with the font.

use super::font;
use crate::glyphs::table;
use proptest::prelude::*;
use std::fmt::Write;
use std::ops::Range;

/// The letters of the table: those of Europe's languages, and other signs that the pictures use.
const LATIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ\
    ĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĢģĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŸŹźŻżŽžȘșȚțᵃᵇᶜᵈᵉᵏᵐⁿᵖᵗ";
const GREEK: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ";
const OTHERS: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~\u{a0}°±²³µ·¹¼½¾×÷¡¿«»§\u{2009}\u{202f}\
    –—‘’“”„…⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉←↑→↓↺∈∏∑−√∞≈≠≡≤≥⋮⌈⌉⌊⌋▶▼✓€";

fn letters() -> Vec<(String, &'static str)> {
    let of = |text: &'static str, script| text.chars().map(move |c| (c.to_string(), script));
    let others = of(OTHERS, table::NO_SCRIPT);
    others
        .chain(of(LATIN, "latin"))
        .chain(of(GREEK, "greek"))
        .collect()
}

fn line(text: &str) -> Vec<(Range<usize>, i32)> {
    font::line(text).collect()
}

/// Returns the lines of the table, as made from the font.
fn table_from_font() -> String {
    let mut letters = letters();
    // A ligature replaces several letters of the text. It may be the beginning of a longer
    // ligature.
    let mut begun: Vec<String> = letters.iter().map(|(letter, _)| letter.clone()).collect();
    while !begun.is_empty() {
        let longer = begun.iter().flat_map(|first| {
            let (singles, first) = (&letters, first.clone());
            (singles
                .iter()
                .filter(|(letter, _)| letter.chars().count() == 1))
            .map(move |(next, _)| format!("{first}{next}"))
        });
        begun = longer.filter(|text| line(text).len() == 1).collect();
        letters.extend(begun.iter().map(|text| (text.clone(), "latin")));
    }
    let mut made = String::new();
    let boxed = "\u{10ffff}";
    let advance = line(boxed)[0].1;
    writeln!(made, "\t-\t{advance}\t{}", font::outline(boxed)).unwrap();
    for (letter, script) in &letters {
        let advance = line(letter)[0].1;
        writeln!(
            made,
            "{letter}\t{script}\t{advance}\t{}",
            font::outline(letter)
        )
        .unwrap();
    }
    for (script, before) in [("latin", "x"), ("greek", "λ")] {
        for (first, own) in &letters {
            let alone = line(first)[0].1;
            let mut pairs = String::new();
            for (next, _) in &letters {
                // The letters before them determine the script.
                let laid = line(&format!("{before}{first}{next}"));
                let [_, (bytes, advance), (last, _)] = &laid[..] else {
                    continue; // the three letters form another ligature
                };
                if bytes.len() == first.len() && last.len() == next.len() && *advance != alone {
                    write!(pairs, "\t{next}\t{}", advance - alone).unwrap();
                }
            }
            let ligature = first.chars().count() > 1;
            if !(pairs.is_empty() || ligature && own != &script) {
                writeln!(made, "kerning\t{script}\t{first}{pairs}").unwrap();
            }
        }
    }
    made
}

/// `FLIPCOST_LETTERS=write cargo test -p flipcost-figures the_table` writes the table again.
#[test]
fn the_table_is_made_from_the_font() {
    let made = table_from_font();
    if std::env::var("FLIPCOST_LETTERS").is_ok_and(|value| value == "write") {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/letters.tsv");
        std::fs::write(file, &made).unwrap();
    } else {
        assert!(made == table::TABLE, "letters.tsv is not what the font has");
    }
    for (letter, _) in letters() {
        assert_eq!(table::outline(&letter), font::outline(&letter), "{letter}");
    }
    for unknown in ["日", "\u{10ffff}"] {
        assert_eq!(table::outline(unknown), font::outline("\u{10ffff}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    /// Texts of any letters of the table, and of controls, are laid out as the font does.
    #[test]
    fn lines_are_laid_out_as_by_the_font(
        letters in prop::collection::vec(prop::sample::select(letters()), 0..24),
        control in prop::option::of((0..24usize, prop::sample::select(vec!["\n", "\t", "\u{85}"]))),
        few in "[fijlt AVTo.]{0,12}",
    ) {
        let mut texts: Vec<&str> = letters.iter().map(|(letter, _)| letter.as_str()).collect();
        if let Some((at, control)) = control {
            texts.insert(at.min(texts.len()), control);
        }
        for text in [texts.concat(), few] {
            let known: Vec<_> = table::line(&text).collect();
            prop_assert_eq!(&known, &line(&text), "{:?}", &text);
            for (bytes, _) in known {
                let letter = &text[bytes];
                prop_assert_eq!(table::outline(letter), font::outline(letter));
            }
        }
    }
}

#[test]
fn an_accent_is_drawn_with_its_letter() {
    // A letter and its accent are two glyphs, but have one position and one outline. The same holds
    // for a ligature.
    let places = |text: &str| {
        line(text)
            .into_iter()
            .map(|(bytes, _)| bytes)
            .collect::<Vec<_>>()
    };
    assert_eq!(places("x\u{304}x"), [0..3, 0..3, 3..4]);
    assert!(font::outline("x\u{304}").starts_with(&font::outline("x")));
    assert_eq!(places("ﬁ").len(), 1);
    assert_eq!(places("fi"), vec![0..2]);
    // Hebrew runs from right to left.
    assert_eq!(places("א ב")[0], 3..5);
}
