//! Tables of probabilities: those of lattice cryptography, and tables that users provide.

use flipcost_number::{BigInt, Rational};
use flipcost_question::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use flipcost_question::endless::has_end;
use flipcost_question::serde_json::Value as Json;
use flipcost_question::target_text::no_target_error;
use flipcost_question::{Names, Sentence, TargetText, TargetTextError};
use std::collections::BTreeMap;
use std::fmt;

/// A table in a standard: the weights of 0, 1, 2, ..., their sum, and whether x and -x each have
/// half of the weight of x.
struct KnownTable {
    name: &'static str,
    sum_bits: u32,
    signed: bool,
    weights: &'static [u128],
}

/// The error tables of FrodoKEM, as counts of |x| out of 2^16, and the base sampler of Falcon 1.2,
/// as counts out of 2^72.
static KNOWN_TABLES: [KnownTable; 4] = [
    KnownTable {
        name: "frodo640",
        sum_bits: 16,
        signed: true,
        weights: &[
            9288, 17440, 14432, 10528, 6768, 3836, 1916, 844, 328, 112, 34, 8, 2,
        ],
    },
    KnownTable {
        name: "frodo976",
        sum_bits: 16,
        signed: true,
        weights: &[11278, 20554, 15548, 9764, 5090, 2202, 792, 236, 58, 12, 2],
    },
    KnownTable {
        name: "frodo1344",
        sum_bits: 16,
        signed: true,
        weights: &[18286, 28640, 13752, 4046, 728, 80, 4],
    },
    KnownTable {
        name: "falcon",
        sum_bits: 72,
        signed: false,
        weights: &[
            1697680241746640300030,
            1459943456642912959616,
            928488355018011056515,
            436693944817054414619,
            151893140790369201013,
            39071441848292237840,
            7432604049020375675,
            1045641569992574730,
            108788995549429682,
            8370422445201343,
            476288472308334,
            20042553305308,
            623729532807,
            14354889437,
            244322621,
            3075302,
            28626,
            197,
            1,
        ],
    },
];

/// A table of integers and their probabilities, which are fractions.
///
/// ```
/// use flipcost_endless::tables::TableText;
/// let table: TableText = "frodo640".parse()?;
/// let sum = table.probabilities().values().sum::<flipcost_number::Rational>();
/// assert_eq!((sum.to_string().as_str(), table.probabilities().len()), ("1", 25));
/// assert!("1:2:3".parse::<TableText>().is_err()); // which numbers are the outcomes?
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TableText {
    text: String,
    probabilities: BTreeMap<i64, Rational>,
}

impl TableText {
    /// The outcomes with a probability above 0.
    pub fn probabilities(&self) -> &BTreeMap<i64, Rational> {
        &self.probabilities
    }
}

fn probabilities_of_standard(table: &KnownTable) -> BTreeMap<i64, Rational> {
    let sum = BigInt::from(1) << table.sum_bits;
    let mut all = BTreeMap::new();
    for (x, weight) in (0i64..).zip(table.weights) {
        let two = 1 + u8::from(table.signed && x > 0);
        let p = Rational::new((*weight).into(), &sum * two);
        if two == 2 {
            all.insert(-x, p.clone());
        }
        all.insert(x, p);
    }
    all
}

fn probabilities_of_target(target: &TargetText) -> Result<BTreeMap<i64, Rational>, String> {
    let sum = BigInt::from(target.target().weight_sum().clone());
    let is_few = target.target().outcomes() <= crate::law::MAX_OUTCOMES.into();
    let mut all = BTreeMap::new();
    for (i, weight) in target.target().iter().take(crate::law::MAX_OUTCOMES) {
        let x = target.label(&i).parse::<i64>().ok();
        let Some(x) = x.filter(|_| target.is_labelled() && is_few) else {
            return Err("the outcomes of a table are whole numbers, at most 2^19 of them, as in {-1: 1, 0: 2, 1: 1} or in a file with lines such as -1,1".to_string());
        };
        let p = Rational::new(weight.into(), sum.clone());
        if p != Rational::from(BigInt::from(0)) {
            *all.entry(x).or_default() += p;
        }
    }
    Ok(all)
}

impl std::str::FromStr for TableText {
    type Err = String;

    fn from_str(text: &str) -> Result<TableText, String> {
        let text = text.trim();
        let probabilities = match KNOWN_TABLES.iter().find(|table| table.name == text) {
            Some(table) => probabilities_of_standard(table),
            None => {
                let target = text
                    .parse::<TargetText>()
                    .map_err(|error: TargetTextError| {
                        let names: Vec<&str> =
                            KNOWN_TABLES.iter().map(|table| table.name).collect();
                        let why = no_target_error(text)(error);
                        format!("{why}; the tables {} have a name", names.join(", "))
                    })?;
                probabilities_of_target(&target)?
            }
        };
        Ok(TableText {
            text: text.to_string(),
            probabilities,
        })
    }
}

impl fmt::Display for TableText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FieldValue for TableText {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(TargetText::item_of_file),
        fits: has_end,
        ..ValueAbout::python("TargetLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<TableText, Sentence> {
        text_from_json(json)?.parse().map_err(to_sentence::<String>)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}
