//! Parameters of an algorithm: whole numbers after its id, as in `aldr:K=11`. The name of the first
//! parameter may be omitted: `aldr:11`.
//!
//! A `RuleInfo` lists its parameters and receives their values in `RuleInfo::with`; this module
//! parses the text. An algorithm with given values is a separate entry, whose id has a single
//! spelling (the parameters in the order of the list). Each such entry is created once and kept
//! until the program ends. An entry takes about 200 bytes, and the ranges of the parameters limit
//! the number of entries.

use flipcost_number::expression::parse_u64;

/// A parameter of an algorithm.
///
/// ```
/// use flipcost::algorithms::find;
/// let [parameter] = find("aldr")?.parameters() else { panic!("it has one") };
/// assert_eq!(parameter.name, "K");
/// assert_eq!(find("aldr:K=11")?.about().id, "aldr:K=11");
/// assert!(find("aldr:K=0").is_err() && find("interval:K=3").is_err());
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: &'static str,
    /// The parameter's meaning, and its default.
    pub(crate) about: &'static str,
    /// The least value.
    pub(crate) least: u64,
    /// The largest value.
    pub(crate) most: u64,
}

/// The error if the text after an id does not give valid values for the algorithm's parameters.
///
/// ```
/// use flipcost::algorithms::find;
/// let sentence = |id| find(id).err().unwrap().to_string();
/// assert_eq!(sentence("interval:K=3"), "interval has no parameters: write the id alone");
/// assert_eq!(sentence("aldr:k=3"), "aldr has no parameter \"k\": it has K, as in aldr:K=1");
/// assert!(sentence("aldr:K=x").starts_with("\"x\" is not a value of K in aldr: a whole number from 1 to"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

impl ParameterError {
    /// Creates an error with this message.
    pub fn new(sentence: impl Into<String>) -> ParameterError {
        ParameterError(sentence.into())
    }

    /// The error for an algorithm without parameters.
    pub(super) fn none(id: &str) -> ParameterError {
        ParameterError(format!("{id} has no parameters: write the id alone"))
    }
}

/// The values that were given to parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arguments(&'static [(&'static str, u64)]);

impl Arguments {
    /// No arguments: every parameter has its default value.
    pub(crate) const NONE: Arguments = Arguments(&[]);

    /// The value of a parameter, if one was given.
    pub(crate) fn get(&self, name: &str) -> Option<u64> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }
}

/// The maximum number of letters of a text that an error repeats.
const MAX_SHOWN_LEN: usize = 40;

/// The values of parameters, by the parameters' names.
type ParameterValues = Vec<(&'static str, u64)>;

/// Parses values of parameters: `K=11`, or several separated by commas. Returns the id with these
/// values in its standard spelling, and the values.
pub(super) fn parse_arguments(
    id: &'static str,
    parameters: &'static [Parameter],
    text: &str,
) -> Result<(String, ParameterValues), ParameterError> {
    if parameters.is_empty() {
        return Err(ParameterError::none(id));
    }
    let mut values = vec![None; parameters.len()];
    for part in text.split(',') {
        // The first parameter may be written without its name: elias:8.
        let (name, value) = match part.split_once('=') {
            None if values.iter().all(Option::is_none)
                && part.trim().starts_with(char::is_numeric) =>
            {
                (parameters[0].name, part)
            }
            split => split.unwrap_or((part, "")),
        };
        let (name, value) = (name.trim(), value.trim());
        let Some(at) = parameters.iter().position(|known| known.name == name) else {
            let name: String = name.chars().take(MAX_SHOWN_LEN).collect();
            let known: Vec<&str> = parameters.iter().map(|known| known.name).collect();
            let (
                known,
                Parameter {
                    name: first, least, ..
                },
            ) = (known.join(", "), parameters[0]);
            return Err(ParameterError(format!(
                "{id} has no parameter \"{name}\": it has {known}, as in {id}:{first}={least}"
            )));
        };
        let Parameter {
            name, least, most, ..
        } = parameters[at];
        let number = parse_u64(value).ok();
        let number = number.filter(|value| (least..=most).contains(value));
        let number: u64 = number.ok_or_else(|| {
            let value: String = value.chars().take(MAX_SHOWN_LEN).collect();
            ParameterError(format!(
                "\"{value}\" is not a value of {name} in {id}: a whole number from {least} to {most} was expected"
            ))
        })?;
        if values[at].replace(number).is_some() {
            return Err(ParameterError(format!(
                "{name} is given twice in {id}: once is enough"
            )));
        }
    }
    let given = parameters.iter().zip(values);
    let given: Vec<(&'static str, u64)> = given
        .filter_map(|(parameter, value)| Some((parameter.name, value?)))
        .collect();
    let written: Vec<String> = given
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    Ok((format!("{id}:{}", written.join(",")), given))
}

impl Arguments {
    /// Keeps these values for the rest of the program.
    pub(super) fn leak(values: ParameterValues) -> Arguments {
        Arguments(Box::leak(values.into_boxed_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{REGISTRY, find};
    use super::*;

    #[test]
    fn equal_parameters_have_one_spelling_and_one_entry() {
        let [a, b] = ["aldr:K=011", "aldr: K = 2*5 + 1"].map(|id| find(id).unwrap());
        assert_eq!((a.about().id, b.about().id), ("aldr:K=11", "aldr:K=11"));
        assert!(std::ptr::eq(a.about(), find("aldr:11").unwrap().about()));
        assert_eq!(
            find("peres:8,levels=2").unwrap().about().id,
            "peres:N=8,levels=2"
        );
        assert!(find("peres:levels=2,8").is_err() && find("peres:8,9").is_err());
        assert!(std::ptr::eq(a.about(), b.about()));
        assert_eq!(a.about().name, find("aldr").unwrap().about().name);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for wrong in [
            "aldr:",
            "aldr:K",
            "aldr:K=",
            "aldr:K=-1",
            "aldr:K=+3",
            "aldr:K=0",
            "aldr:K=3,K=4",
            "aldr:K=3,",
            "aldr:=3",
            "aldr:K=99999999999999999999999",
            "aldr:K=3:K=3",
            "fldr:K=3",
            "fldr:",
        ] {
            assert!(find(wrong).is_err(), "{wrong}");
        }
        let twice = find("aldr:K=3,K=4").err().unwrap().to_string();
        assert_eq!(twice, "K is given twice in aldr: once is enough");
    }

    #[test]
    fn every_parameter_has_a_range_and_a_unique_name() {
        for algorithm in REGISTRY {
            let parameters = algorithm.parameters();
            for (
                i,
                Parameter {
                    name, least, most, ..
                },
            ) in parameters.iter().enumerate()
            {
                assert!(least <= most && !name.contains([',', '=', ':']));
                assert!(parameters[..i].iter().all(|other| other.name != *name));
                let id = algorithm.about().id;
                for value in [least, most] {
                    assert!(find(&format!("{id}:{name}={value}")).is_ok());
                }
            }
        }
    }
}
