//! Parses weights from the text of a file: numbers, a table, JSON, or a Python dict.

use super::brackets::{parse_dict, parse_json_list};
use super::lines::{data_lines, is_number, names_section, one_line_readings};
use super::table::{FileTable, from_ratios, numbers};
use super::values::{Weights, WeightsError};

/// Removes what spreadsheets write before a table: a byte order mark, and a first line `sep=;` with
/// the separator, whose line break stays for the numbers of lines.
fn strip_preamble(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.find('\n') {
        Some(end) if text.starts_with("sep=") && end < 8 => &text[end..],
        _ => text,
    }
}

/// Parses the weights; see [`Weights::of_file`] and [`Weights::of_column`].
pub(crate) fn read(text: &str, column: Option<&str>) -> Result<Weights, WeightsError> {
    let text = strip_preamble(text);
    // If each line is an object, the lines are a list of objects.
    let is_object = |line: &str| line.starts_with('{') && line.ends_with('}');
    let objects: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if objects.len() > 1 && objects.iter().all(|line| is_object(line.trim())) {
        return parse_json_list(&format!("[{}]", objects.join(",\n")), column);
    }
    let is_section = data_lines(text)
        .next()
        .is_some_and(|(_, line)| names_section(line));
    if text.trim_start().starts_with('[') && !is_section {
        return parse_json_list(text, column);
    }
    // A dict is `{...}`, perhaps inside the brackets of a name: Die({...}), H({...}).
    let before = text.split_once('{').map(|(before, _)| before.trim());
    let of_name = |before: &str| {
        let name = before.strip_suffix('(').unwrap_or(before);
        before.is_empty()
            || before.len() > name.len()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.".contains(c))
    };
    if before.is_some_and(of_name) {
        return parse_dict(text, column, read);
    }
    // A single line of numbers is not a table; the numbers are the weights.
    let mut lines = data_lines(text);
    if let (Some((at, line)), None, None) = (lines.next(), lines.next(), column) {
        let list = |mark: char| -> Vec<&str> { line.split(mark).collect() };
        let marks = ['\t', ';', ',', ':', ' '].map(list);
        let mut lists = marks.into_iter().filter(|all| all.len() > 1);
        if let Some(list) = lists.find(|all| all.iter().all(|text| is_number(text))) {
            if let Some(what) = one_line_readings(line, &list) {
                return Err(WeightsError::Line { line: at, what });
            }
            let weights = numbers(list.into_iter().map(|text| (1, text)))?;
            return from_ratios(weights, Vec::new());
        }
    }
    let table = FileTable::of_lines(text, column)?;
    match &table.rows[..] {
        [(line, fields)] if table.columns == 2 && table.names.is_empty() => {
            let numbers = fields[0].split_whitespace().filter(|word| is_number(word));
            if numbers.count() > 0 && !text.contains(['\t', ';', ',']) {
                let what = "several numbers stand in one line: a name and its weight to a line, as in sword 5, were expected";
                return Err(WeightsError::Line {
                    line: *line,
                    what: what.to_string(),
                });
            }
        }
        _ => {}
    }
    table.weights(column)
}

/// Returns the fields of a column of a table in the text of a file, each with its line. The column
/// is given by its name or number; without one, it must be the only column.
///
/// # Errors
/// [`WeightsError::Column`] if the table has no such column, or if more than one is possible.
pub fn column_of_text(
    text: &str,
    column: Option<&str>,
) -> Result<Vec<(usize, String)>, WeightsError> {
    let table = FileTable::of_lines(strip_preamble(text), column)?;
    let place = table.column_index(column)?;
    let fields = table.rows.into_iter();
    Ok(fields
        .map(|(line, mut fields)| (line, fields.swap_remove(place)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn read_all(text: &str) -> (String, Vec<String>) {
        let weights = read(text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let outcomes = weights.target().iter().map(|(i, _)| weights.label(&i));
        (weights.target().to_string(), outcomes.collect())
    }

    #[test]
    fn lines_and_tables() {
        assert_eq!(read_all("# loaded\n1\n\n2\n1/2\n").0, "2:4:1");
        assert_eq!(read_all("weight\n3\n1\n").0, "3:1");
        let (target, names) = read_all("face;weight\none;0.25\n\"two; or more\";0.75\n");
        assert_eq!(
            (target.as_str(), names[1].as_str()),
            ("1:3", "two; or more")
        );
        assert_eq!(
            read_all("weight,name\n3,a\n1,b\n"),
            ("3:1".into(), vec!["a".into(), "b".into()])
        );
        assert_eq!(read_all("a\t1\nb\t2\n").1, ["a", "b"]);
        let loot = read_all("sword 5\nlong bow  2\n");
        assert_eq!(
            (loot.0.as_str(), loot.1),
            ("5:2", vec!["sword".into(), "long bow".into()])
        );
        assert_eq!(read_all("10 + 2\n3\n").0, "4:1");
    }

    /// A single line of numbers is a list of weights, whatever the separator.
    #[test]
    fn one_line_of_numbers() {
        for text in [
            "60\t30\t10\n",
            "60;30;10",
            "60,30,10",
            "60:30:10",
            "60 30 10",
            "# loot\n60\t30\t10\n\n",
            "[60, 30, 10]",
        ] {
            assert_eq!(
                read_all(text),
                ("6:3:1".into(), ["1", "2", "3"].map(String::from).to_vec()),
                "{text}"
            );
        }
        assert_eq!(read_all("60%\t40%").0, "3:2");
    }

    /// Files, their weights and the names of the outcomes.
    const FILES_OF_PEOPLE: &str = r##"1 in 128\n127 in 128\n => 1:127 => 1|2
dragon 1 in 20\nnothing: 19 out of 20 => 1:19 => dragon|nothing
,item,weight\n0,sword,5\n1,axe,3\n => 5:3 => sword|axe
4 Lightning Bolt\n20 Mountain\n2x Shock => 2:10:1 => Lightning Bolt|Mountain|Shock
sword=5\nlong bow = 3 => 5:3 => sword|long bow
sword: 5\nbow:3 => 5:3 => sword|bow
- sword: 5\n- bow: 3 => 5:3 => sword|bow
- 5\n- 3 => 5:3 => 1|2
| item | weight |\n|------|-------:|\n| sword | 5 |\n| bow | 3 | => 5:3 => sword|bow
01-50 goblin\n51-95 orc\n96-00 dragon => 10:9:1 => goblin|orc|dragon
1–3: nothing\n4-5\tgold\n6: gem => 3:2:1 => nothing|gold|gem
{"loot": {"sword": 5, "bow": 3}} => 5:3 => sword|bow
{"name": "d2", "weights": [5, 3]} => 5:3 => 1|2
{"loot":[{"text":"a","weight":1,"range":[-9223372036854775808,9223372036854775807]},{"text":"b","weight":3,"range":["x",2]}]} => 1:3 => a|b
1,17\n2,12\n3,20 => 17:12:20 => 1|2|3
1,1/6\n2,5/6 => 1:5 => 1|2
10,0.25\n20,0.75 => 1:3 => 10|20
10,1/4\n20,3/4 => 1:3 => 10|20
1,60%\n2,40% => 3:2 => 1|2
1-5 goblin\n6-0 orc => 2 => goblin|orc
1-5 goblin\n6-9 orc\n0 dragon => 5:4:1 => goblin|orc|dragon
0-4 goblin\n5-9 orc => 2 => goblin|orc
01-95 goblin\n96-99 orc\n00 dragon => 95:4:1 => goblin|orc|dragon
1-5 goblin\n6-00 orc => 1:19 => goblin|orc
"goblin": 3\n'ogre': 2 => 3:2 => goblin|ogre
Lvl 5: 3\nLvl 6: 2 => 3:2 => Lvl 5|Lvl 6
A 60%\nB 0.4 => 3:2 => A|B
Card #12 5\nCard #13 3 => 5:3 => Card #12|Card #13
| **item** | weight |\n|---|---|\n| **sword** | 5 |\n| *bow* | 3 | => 5:3 => sword|bow
1.500\n2.250 => 2:3 => 1|2
1 in 20 dragon\n19 out of 20: rat => 1:19 => dragon|rat
- 1 in 6 a\n- 2 in 6 b\n- 3 chances in 6 c => 1:2:3 => a|b|c
2x 10 ft pole\n3x rope => 2:3 => 10 ft pole|rope
5 % a\n95 % b => 1:19 => a|b
50 %\n50 % => 2 => 1|2
1: 17\n2: 12 => 17:12 => 1|2
1 = 5\n2 = 3 => 5:3 => 1|2
sword - 5\naxe - 3 => 5:3 => sword|axe
sword -> 5\naxe -> 3 => 5:3 => sword|axe
Sword ..... 5\nAxe.... 3 => 5:3 => Sword|Axe
sword | 5\naxe | 3 => 5:3 => sword|axe
5 - sword\n3 - axe => 5:3 => sword|axe
1,sword,5\n2,shield,3\n3,potion,12 => 5:3:12 => sword|shield|potion
{"item":"sword","weight":5}\n{"item":"axe","weight":3}\n => 5:3 => sword|axe
{"results":[{"range":[1,5],"text":"sword","weight":5},{"range":[6,8],"text":"axe","weight":3}]} => 5:3 => sword|axe
sword 5\naxe 3\n\n# rare\nring 1 => 5:3:1 => sword|axe|ring
sword 5\n\naxe 3\n\nring 1 => 5:3:1 => sword|axe|ring
item,weight\n\nsword,5\naxe,3 => 5:3 => sword|axe
common 50\nuncommon 30\nrare 20 => 5:3:2 => common|uncommon|rare
2 1/36\n3 2/36\n4 33/36 => 1:2:33 => 2|3|4
2000 gold\n50 gems => 40:1 => gold|gems
6 18\n5 18\n4 15 => 6:6:5 => 6|5|4
1: 1\n2: 2\n3: 3 => 1:2:3 => 1|2|3
weight\n3\n1\n\n6 => 3:1:6 => 1|2|3
sep=;\nname;weight\na;3\nb;1 => 3:1 => a|b
id,value,weight\n1,10,5\n2,20,3 => 5:3 => 10|20
name,weight\na,0.6\nb,0.3 => 2:1 => a|b"##;

    /// Files that are refused, and texts that are in the error.
    const FILES_WITH_TWO_READINGS: &str = r##"0,5\n0,25\n0,25 => 0.5 & 0;5
item;weight\na;2 133 111\nb;1 000 => blanks & 2133111
3,5\n1,25 => 3.5 & 3;5
sword 0,5\naxe 0,25 => sword 0.5 & sword 0;5
1,5E-03\n2,5E-03 => 1.5E-03 & 1;5E-03
1,5/2\n2,5/2 => 1.5/2 & 1;5/2
1,5%\n98,5% => 1.5% & 1;5%
1,234.50\n2,345.75 => comma, 1234.50 & 1;234.50
1.200,50\n2.300,75 => 1200.50 & 1.200;50
1.234,50\n999,00 => 1234.50 & 1.234;50
gold 1 000\nsilver 250 => 1000 & gold 1;000
gold 1.000\nsilver 250 => 1000 & or 1
4 Bolt (2XM) 129\n20 Mountain (2XM) 9 => Bolt (2XM) 129;4 & 4 Bolt (2XM);129
01-50 goblin\n61-00 orc => from 51 & 51-60
01-50% goblin\n51-00% orc => "01-50%" & a range
10%-5% a\n50% b => "10%-5%" & a difference
a;1 - 3\nb;4 - 5 => "1 - 3" & a range
2024-01-01\n2024-01-02 => "2024-01-01" & a date
date,weight\nx,2024-01-01\ny,2024-01-02 => "2024-01-01" & a date
1/2/2024\n3/4/2024 => a date & a quotient
a 50/50\nb 60/40 => "50/50" & odds or a quotient
dragon 1:20\ngoblin 1:2 => odds & dragon 1;20
dragon 20 : 1\ngoblin 2 : 1 => odds & dragon 20;1
cake 1 1/2\npie 2 1/2 => cake;1+1/2 & cake 1;1/2
1 1/2 cake\n2 1/2 pie => cake;1+1/2 & 1/2 cake;1
dragon 1 in 20\ngoblin 1 in 2 => dragon;1/20 & one more outcome
1 in 2\n2 out of 3 => as in 1/2 & sum to 1
dragon 1 in 20\ngoblin 5 => "goblin 5" & such as 1 in 20
A 60%\nB 40 => 40% & without %
1,5\n2,5\n3,0 => 1.5 & 1;5
99-50 goblin\n49-1 orc => counts down & 50-99
1-99 goblin\n100+ orc => "100+" has no end & 91-100
2024-01-01 10:00 a 3\n2024-01-02 10:00 b 4 => a date & sword;5
[loot]\nsword = 5\nbow = 3 => "[loot]" & with # at its beginning
{"a": "60%", "b": 40} => 40% & without %
{"goblin": 3,\n"goblin": 2} => line 2 & occurs twice
5 # sword\n3 # bow => a comment & name;weight
sword 5 # 3\nbow 2 => a comment & name;weight
1. 5\n2. 3 => is written 5 & 1.;5
1. Goblin 5\n2. Orc 3 => Goblin;5 & Goblin 5;1
1 in 20 dragon\n1 in 2 orc => dragon;1/20 & one more outcome
- 3 of 10 red\n- 7 of 20 blue => red;3/10 & one more outcome
1 chance in 20 a\n1 chance in 2 b => a;1/20 & one more outcome
1 In 20 a\n1 In 2 b => a chance & name;1/20
1 000 sword\n500 axe => 1000 & 000 sword;1
1 to 50 goblin\n51 to 90 orc => 1-50 & odds
goblin 1 to 50\norc 51 to 90 => 1-50 & odds
goblin 1 - 50\norc 51 - 90 => 1-50 & odds
1 50 goblin\n51 100 orc => 1-50 goblin & 50 goblin;1
5 % a\n40 b => 40% & without %
10 % 3 a\n5 b => several numbers & 3 a;10 %
0 a\n1 b\n2 c\n3 d\n4 e\n5 f => c;1 & c;2
1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n7 g\n8 h\n9 i\n0 j => b;1 & b;2
35 2\n57 3\n26 4 => 2;35 & 35;2
27 2\n55 3\n81 4 => 2;27 & 27;2
     57 3\n     35 2\n     35 7 => 3;57 & 57;3
      9 19\n      8 20 => 19;9 & 9;19
1 - Goblin\n2 - Orc\n3 - Dragon => Orc;1 & Orc;2
1 – Goblin\n2 – Orc\n3 – Dragon => Orc;1 & Orc;2
1 -> Goblin\n2 -> Orc\n3 -> Dragon => Orc;1 & Orc;2
(1) Goblin\n(2) Orc\n(3) Dragon => Orc;1 & Orc;2
2 Goblin\n3 Orc\n4 Dragon => the sum 2 of dice & Goblin;2
20 Critical\n19 hit\n18 miss => Critical;1 & Critical;20
1-2 4\n3-6 5 => 4;2 & 1-2;4
Loot 2024\nsword 5\nshield 3 => # Loot 2024 & Loot;2024
Loot (2024)\nsword 5\nshield 3 => "Loot (2024)" & # at its beginning
Date: 2024\nsword: 5\nshield: 3 => # Date: 2024 & Date;2024
Items: 2\nsword: 5\nshield: 3 => first row & the number of the others
Items: 9\nsword 5\nshield 3 => "Items: 9" & # at its beginning
n=9\nsword 5\nshield 3 => "n=9" & # at its beginning
sword 5\nshield 3\nN = 8 => last row & the total of the others
sword 5\nshield 3\nDMG p. 144 => # DMG p. 144 & DMG p.;144
sword 5\nshield 3\n(c) 2024 => # (c) 2024 & (c);2024
4 Bolt\n56 Hill\n60 cards => last row & the total of the others
4 Bolt\n56 Hill\n60 cards total => last row & the total of the others
sword 5\nshield 3\nloot 8 => the sum of the others & loot;8
sword,5\nshield,3\nmean,4 => last row & the mean of the others
Deck (60)\n4 Bolt\n56 Hill => first row & the total of the others
// Creatures (8)\n4 Goblin\n4 Eidolon => // Creatures (8) & with #
== Level 3\nsword 5\nshield 3 => == Level 3 & with #
** Level 3\nsword 5\nshield 3 => ** Level 3 & with #
-- version 3\nsword 5\nshield 3 => -- version 3 & with #
4 Bolt\n20 Hill\n\nSideboard\n2 Smash => several blocks & or each block
sword 5\naxe 3\n\nArmour 2024\n\nboots 2\ncap 1 => several blocks & # Armour 2024
sword 5 shield 3 potion 2 => several numbers & a name and its weight to a line
5 sword 3 shield 2 potion => several numbers & a name and its weight to a line
A 60%\nB 30%\nC 9% => sum to 99% & two readings
A 5/1\nB 7/2 => "5/1" & odds or a quotient
A 1/64\nB 1/128 => sum to 3/128 & as whole numbers
a 0.6\nb 0.3 => sum to 0.9 & probabilities sum to 1
A:1:2\nB:3:4 => odds & A:1;2
A 5 // 3\nB 3 => a comment & name;weight
roll\n3\n1\n6 => "roll" & weights stand in a column
item,weight,count\na,3,10\nb,45,2 => beside a column of counts & as in @FILE:count
name;weight\na;0,5\nb;0,5 => "0,5" has a comma & 0.5
1%\n98% => sum to 99% & two readings
1,5\n2,5\n3,0 => 1.5 & 1;5
99-50 goblin\n49-1 orc => counts down & 50-99
1-99 goblin\n100+ orc => "100+" has no end & 91-100
2024-01-01 10:00 a 3\n2024-01-02 10:00 b 4 => a date & sword;5
[loot]\nsword = 5\nbow = 3 => "[loot]" & with # at its beginning
weight\n5\n#N/A\n3 => "#N/A" & an error of a spreadsheet
sword;5\n#REF!;4\naxe;3 => "#REF!;4" & spreadsheet
a;17\nb;32\nc;20\nd;18\nEindtotaal;87 => the sum of the others & an earlier line
text,weight,range\na,1,1-10\nb,1,11-17\nc,1,18-20 => by the weights & 1-10 goblin
{"results":[{"text":"a","weight":1,"range":[1,10]},{"text":"b","weight":1,"range":[11,17]}]} => by the weights & by the ranges
2*5 3 2*1 => "2*5" & a product
1 3\n2 4\n3 6 => 3;1 & 1;3
goblin 0.2\norc 0.5\ndragon 1.0 => rise to 1 & running sums
Face,1,2,3\nCount,17,12,20 => on its side & 17,12,20
1,5\n2,5 => 1.5 & 1;5
1,25\n2,75\n3,00 => 1.25 & 1;25
0,5, 0,3, 0,2 => 0.5 & the same mark
1 1/2\n2 1/2 => 1+1/2 & 1;1/2
3 1/2\n2 1/2 => 3+1/2 & 3;1/2
1,000\n2,500 => comma, 1000 & 1;000
1,234 => 1234 & 1:234
1 234 567 => 1234567 & 1:234:567
sword: 5 (62.5%)\naxe: 3 (37.5%) => several numbers & sword;5
sword 5 60%\naxe 3 40% => several numbers & sword;5
{"rolls":[3,1,6,2]} => lists rolls & "weights"
sword -5\naxe 3 => line 1 & sword -5
Level x\nsword 5 => line 1 & Level x
loot:\nsword 5 => line 1 & loot:
goblin 01-50\norc 51-90 => line 1 & a range
[12:31] Bob rolled 5\n[12:32] Ann rolled 3 => after a list & sword 5"##;

    fn unescaped(text: &str) -> String {
        text.replace("\\n", "\n").replace("\\t", "\t")
    }

    fn check_refusal(text: &str, parts: &str) {
        let error = read(text, None).unwrap_err().to_string();
        assert!(
            parts.split(" & ").all(|part| error.contains(part)),
            "{text}: {error}"
        );
    }

    /// Files as people write them are parsed correctly if they have only one meaning.
    #[test]
    fn files_as_people_have_them() {
        for row in FILES_OF_PEOPLE.lines() {
            let cells: Vec<&str> = row.split(" => ").collect();
            let (target, outcomes) = read_all(&unescaped(cells[0]));
            assert_eq!(
                (&*target, &*outcomes.join("|")),
                (cells[1], cells[2]),
                "{row}"
            );
        }
        for row in FILES_WITH_TWO_READINGS.lines() {
            let (text, both) = row.split_once(" => ").unwrap();
            check_refusal(&unescaped(text), both);
        }
        check_refusal("- 1\u{a0}000 000 sword\n- 500 axe", "1000000 & sword;1");
    }

    /// A last row that contains the sum of the other rows is refused, because it is probably not an
    /// outcome.
    #[test]
    fn totals_are_refused() {
        for name in [
            "Total",
            "Totals",
            "Total weight",
            "All",
            "Gesamt",
            "Summe",
            "",
        ] {
            for text in [
                format!("sword,5\nbow,3\n{name},8\n"),
                format!("item,weight\nsword,5\nbow,3\n{name},8\n"),
                format!("|item|weight|\n|--|--|\n|sword|5|\n|bow|3|\n|**{name}**|**8**|\n"),
                format!("{{\"sword\": 5, \"bow\": 3, \"{name}\": 8}}"),
            ] {
                let error = read(&text, None).unwrap_err().to_string();
                assert!(error.contains("the total of the others"), "{text}: {error}");
            }
        }
        for text in [
            "name,weight\nTotal,8\na,5\nb,3\n",
            "{\"total\": 4, \"a\": 3, \"b\": 1}",
            "a,33.3\nb,33.3\nc,33.3\nTotal,100\n",
            "name,weight\na,3\nb,1\nTOTAL WEIGHT,5\n",
        ] {
            let error = read(text, None).unwrap_err().to_string();
            assert!(error.contains("the total of the others"), "{text}: {error}");
        }
        assert_eq!(read_all("Total Recall,5\nAlien,3\nDune,7\n").0, "5:3:7");
        assert_eq!(read_all("sword,5\nbow,3\nAll,7\n").0, "5:3:7");
        assert_eq!(read_all("id,weight,note\na,1,\nb,2,x\nc,3,\n").0, "1:2:3");
    }

    /// A column is refused if its name says that its numbers are not weights.
    #[test]
    fn names_of_columns_say_what_they_are() {
        for (text, column, why) in [
            (
                "name,percent\nA,50\nB,30\nC,10\n",
                "percent",
                "sums to 90, which has two readings: weights in this proportion stand in a column called weight",
            ),
            ("item,%\na,50\nb,45\n", "%", "sums to 95"),
            ("item;Chance (%)\na;50\nb;45\n", "Chance (%)", "sums to 95"),
            (
                "item,probability\na,0.5\nb,0.3\n",
                "probability",
                "sums to 0.8",
            ),
            ("item,chance\na,50\nb,20\n", "chance", "sums to 70"),
            (
                "item,drop rate\na,1/128\nb,1/64\n",
                "drop rate",
                "sums to 3/128",
            ),
            ("item,prob\na,0.9\nb,0.3\n", "prob", "sums to 1.2"),
            (
                "item,cumulative\na,5\nb,8\n",
                "cumulative",
                "cumulative sums",
            ),
            (
                "name,odds\na,20\nb,2\n",
                "odds",
                "odds for and odds against",
            ),
            (
                "d6,result\n1,nothing\n2,coin\n3,gem\n",
                "d6",
                "the column \"d6\" has two readings: faces are written as lines name;1",
            ),
            (
                "name,weight,weight\na,1,9\nb,3,1\n",
                "weight",
                "several columns are called \"weight\": give the number of one of them after the file's name, as in @FILE:2",
            ),
        ] {
            let error = read(text, Some(column)).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(read("name,weight,weight\na,1,9\nb,3,1\n", None).is_err());
        for (text, column, target) in [
            ("name,percent\nA,50\nB,30\nC,20\n", "percent", "5:3:2"),
            ("name,percent\nA,0.5\nB,0.3\nC,0.2\n", "percent", "5:3:2"),
            ("name,percent\nA,33.3\nB,33.3\nC,33.3\n", "percent", "3"),
            ("name,weight,weight\na,1,9\nb,3,1\n", "3", "9:1"),
            ("name,prob\nA,0.333\nB,0.333\nC,0.333\n", "prob", "3"),
            ("name,chance\nA,1/3\nB,2/3\n", "chance", "1:2"),
            ("1,a,5\n2,b,3\n3,c,4\n", "3", "5:3:4"),
        ] {
            let weights = read(text, Some(column)).unwrap();
            assert_eq!(weights.target().to_string(), target, "{text}");
        }
        assert_eq!(read_all("id,name,weight\n1,a,3\n2,b,1\n").1, ["a", "b"]);
        for missing in ["NA", "NaN", "null", "-", "n/a"] {
            assert!(
                read(&format!("{missing}\n3\n2\n"), None).is_err(),
                "{missing}"
            );
        }
    }

    /// The parser never guesses which column contains the weights.
    #[test]
    fn columns_are_named() {
        let across = read("a,b,c\n4,5,6\n", Some("2")).unwrap_err().to_string();
        assert!(across.contains("as in 4,5,6"), "{across}");
        let nested = "{\"items\":[{\"item\":\"axe\",\"weight\":3,\"price\":7},{\"item\":\"bow\",\"weight\":2,\"price\":1}]}";
        let of_price = read(nested, Some("price")).unwrap();
        assert_eq!(of_price.target().to_string(), "7:1");
        for text in [nested, "{\"axe\":3,\"bow\":2}"] {
            let missing = read(text, Some("bananas")).unwrap_err().to_string();
            assert!(
                missing.contains("no column is called \"bananas\""),
                "{missing}"
            );
        }
        let loot = "item,count,price\nsword,60,5\naxe,30,7\nring,10,900\n";
        let columns = |text: &str, column: &str| {
            let weights = read(text, Some(column)).unwrap();
            (weights.target().to_string(), weights.label(&0u8.into()))
        };
        for column in ["count", "Count", "2"] {
            assert_eq!(columns(loot, column), ("6:3:1".into(), "sword".into()));
        }
        assert_eq!(columns(loot, "price"), ("5:7:900".into(), "sword".into()));
        assert_eq!(
            columns("count,item\n6,a\n3,b\n", "count"),
            ("2:1".into(), "a".into())
        );
        assert_eq!(columns("a,x,6\nb,y,3\n", "3"), ("2:1".into(), "a".into()));
        let rows = "[{\"item\": \"a\", \"count\": 6}, {\"item\": \"b\", \"count\": 3}]";
        assert_eq!(columns(rows, "count"), ("2:1".into(), "a".into()));
        for (text, column, why) in [
            (
                loot,
                None,
                "columns item, count, price; name one of them after the file's name, as in @FILE:price",
            ),
            (
                "item,count\na,1\nb,2\n",
                None,
                "it is not clear which column is meant",
            ),
            ("a,x,6\nb,y,3\n", None, "columns 1 to 3"),
            (rows, None, "columns item, count"),
            (loot, Some("weights"), "no column is called \"weights\""),
            (loot, Some("4"), "no column is called \"4\""),
        ] {
            let error = read(text, column).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(read_all("item,weight,price\na,1,9\nb,2,1\n").0, "1:2");
        let totals = column_of_text("die,total\nx,7\ny,11\n", Some("total")).unwrap();
        assert_eq!(totals, [(2, "7".to_string()), (3, "11".to_string())]);
    }

    #[test]
    fn json() {
        let names = || ["red", "blue"].map(String::from).to_vec();
        for text in [
            "{\"red\": 0.75, \"blue\": 0.25}",
            "{\"red\": \"75%\", \"blue\": \"25%\"}",
            "[[\"red\", 3], [\"blue\", 1]]",
            "[\n {\"name\": \"red\", \"weight\": 3},\n {\"name\": \"blue\", \"weight\": 1}\n]\n",
        ] {
            assert_eq!(read_all(text), ("3:1".into(), names()), "{text}");
        }
        assert_eq!(read_all("[0.5, 0.25, 0.25]").0, "2:1:1");
        for (text, line) in [
            ("[1, 2", 1),
            ("[]", 1),
            ("[1,\n2] 3", 2),
            ("[{\"a\": 1},\n{\"b\": 1}]", 2),
            ("[[1, 2],\n3]", 2),
            ("[1,\n\"x\"]", 2),
        ] {
            match read(text, None) {
                Err(WeightsError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    /// Weights as icepool 1.x and dyce 0.6 print them.
    #[test]
    fn dicts() {
        let (target, names) = read_all("{1: Fraction(1, 6), 2: Fraction(5, 6)}");
        assert_eq!(
            (target.as_str(), names.as_slice()),
            ("1:5", &["1".to_string(), "2".to_string()][..])
        );
        assert_eq!(read_all("H({-1: 1, 0: 2,\n 1: 1,})").1, ["-1", "0", "1"]);
        assert_eq!(
            read_all("Die({'a, b': 1, (1, 2): 3})").1,
            ["a, b", "(1, 2)"]
        );
        assert_eq!(
            read_all("{0: fractions.Fraction(1, 2), 1: Fraction(3)}").0,
            "1:6"
        );
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("", 1),
            ("\n#\n", 1),
            ("1\n2\nx\n", 3),
            ("a,1\nb\n", 2),
            ("{1: 1, 2}", 1),
            ("{1: 1,\n2: 0.5}", 2),
            ("{1: 1", 1),
            ("{1: Fraction(1, 0)}", 1),
            ("{1: 1}}", 1),
            ("x = 3; {1: 1}", 1),
            ("{1: 1)}", 1),
            ("-1\n2", 1),
        ] {
            match read(text, None) {
                Err(WeightsError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(read("{}", None).is_err() && read("0\n0\n", None).is_err());
    }

    #[test]
    fn many_weights_are_read() {
        let text: String = (1..=100_000u32).map(|i| format!("{i}\n")).collect();
        let target = read(&text, None).unwrap().target().clone();
        assert_eq!(target.weight_sum(), &BigUint::from(5_000_050_000u64));
    }
}
