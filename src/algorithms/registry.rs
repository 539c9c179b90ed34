//! The registry: the list of all algorithms, with a lookup by id.

use super::entry::from_rule;
use super::fast_dice_roller::FastDiceRoller;
use super::parameters::ParameterError;
use super::prepared::Algorithm;
use super::{
    aldr, alias, alias_source, base_conversion, base_conversion_early, bitmask_words, bounded,
    canon, dijkstra, elias, factoring, fldr, hoeffding_simons, interval, knuth_yao, lemire,
    mask_reject, modulo_reject, parity_bits, peres, rejection, rejection_ceil, rejection_uniform,
    stout_warren, von_neumann, von_neumann_early,
};
use crate::task::{RollUnit, Task};
use flipcost_number::near::nearest;

/// The registry: one entry per algorithm, in the order of all lists of algorithms. The outcomes of
/// every algorithm have exactly the probabilities of the target, except those of `canon`: after at
/// most t = 2 words, its bias is r (n - r) / (n m^t) in total variation, with r = m^t mod n.
pub static REGISTRY: &[&dyn Algorithm] = &[
    FAST_DICE_ROLLER,
    from_rule::<rejection::Rejection>(),
    from_rule::<rejection_ceil::RejectionCeil>(),
    from_rule::<interval::Interval>(),
    from_rule::<base_conversion::BaseConversion>(),
    from_rule::<base_conversion_early::BaseConversionEarly>(),
    from_rule::<parity_bits::ParityBits>(),
    from_rule::<bounded::BoundedRolls>(),
    from_rule::<factoring::Factoring>(),
    from_rule::<knuth_yao::KnuthYao>(),
    from_rule::<fldr::Fldr>(),
    from_rule::<aldr::Aldr>(),
    from_rule::<alias::Alias>(),
    from_rule::<rejection_uniform::RejectionUniform>(),
    from_rule::<lemire::Lemire>(),
    from_rule::<modulo_reject::ModuloReject>(),
    from_rule::<mask_reject::MaskReject>(),
    from_rule::<bitmask_words::BitmaskWords>(),
    from_rule::<canon::Canon>(),
    from_rule::<von_neumann::VonNeumann>(),
    from_rule::<von_neumann_early::VonNeumannEarly>(),
    from_rule::<hoeffding_simons::HoeffdingSimons>(),
    from_rule::<stout_warren::StoutWarren>(),
    from_rule::<dijkstra::Dijkstra>(),
    from_rule::<elias::Elias>(),
    from_rule::<peres::Peres>(),
    from_rule::<alias_source::AliasSource>(),
];

/// The fast dice roller, the optimal algorithm for a single target.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::{Source, Task};
/// let law = FAST_DICE_ROLLER.law(&Task::die(6u8, Source::COIN)?)?;
/// assert_eq!(law.mean_real().to_string(), "11/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static FAST_DICE_ROLLER: &dyn Algorithm = from_rule::<FastDiceRoller>();

/// The interval algorithm.
pub(crate) static INTERVAL: &dyn Algorithm = from_rule::<interval::Interval>();

/// The error for a text that names no algorithm.
///
/// ```
/// use flipcost::algorithms::find;
/// let near = find("fast-dice-rolled").err().unwrap();
/// assert_eq!(near.to_string(), "\"fast-dice-rolled\" is not an algorithm: did you mean fast-dice-roller?");
/// for spelling in ["FAST-DICE-ROLLER", "fast_dice_roller"] {
///     let near = find(spelling).err().unwrap().to_string();
///     assert!(near.ends_with("did you mean fast-dice-roller?"), "{near}");
/// }
/// let unknown = find("guess").err().unwrap().to_string();
/// assert!(unknown.starts_with("\"guess\" is not an algorithm: choose one of fast-dice-roller, rejection,"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownAlgorithm {
    /// No algorithm has the id; with the most similar id, if any is similar.
    #[error("\"{0}\" is not an algorithm: {hint}", hint = suggest_id(*.1))]
    Id(String, Option<&'static str>),
    /// The name is that of a policy for a stream of targets.
    #[error(
        "{0} is a policy for a stream of targets, not an algorithm for a single target: batches use it"
    )]
    Policy(&'static str),
    /// The algorithm exists, but the text after its id does not give valid parameters.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
}

/// Suggests what to write instead of an unknown id.
fn suggest_id(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!(
            "choose one of {}, or a function of a library",
            ids().join(", ")
        ),
    }
}

/// The names of policies for streams, which users may try as names of algorithms.
pub(crate) const POLICIES: [&str; 1] = ["recycling"];

/// Short forms of ids, as people write them.
pub(crate) const SHORT_IDS: [(&str, &str); 2] = [("fdr", "fast-dice-roller"), ("ky", "knuth-yao")];

/// The algorithms that can be found by their ids: the registry, and further ones, such as the
/// functions of libraries, which are used only if they are requested by name.
#[derive(Clone, Copy, Default)]
pub struct Catalogue {
    others: &'static [&'static dyn Algorithm],
}

impl Catalogue {
    /// The registry with these further algorithms.
    pub const fn with(others: &'static [&'static dyn Algorithm]) -> Catalogue {
        Catalogue { others }
    }

    fn all(self) -> impl Iterator<Item = &'static dyn Algorithm> {
        REGISTRY.iter().chain(self.others).copied()
    }

    /// The index of an algorithm by its id, perhaps with parameters: in the registry, or after it
    /// among the others.
    pub fn place(self, id: &str) -> Option<usize> {
        let base = id.split(':').next();
        self.all()
            .position(|method| Some(method.about().id) == base)
    }

    /// Returns the algorithm with this id, as a person types it, perhaps with parameters:
    /// `aldr:K=11`.
    ///
    /// # Errors
    /// [`UnknownAlgorithm`], whose message lists the ids of the registry, or the command for a
    /// policy.
    pub fn find(self, id: &str) -> Result<&'static dyn Algorithm, UnknownAlgorithm> {
        let id = id.trim();
        let lower = id.to_ascii_lowercase();
        let named = |id: &str| self.all().find(|method| method.about().id == id);
        if let Some((base, parameters)) = id.split_once(':')
            && let Some(algorithm) = named(base)
        {
            return Ok(algorithm.with(parameters)?);
        }
        let short = SHORT_IDS.into_iter().find(|(short, _)| *short == lower);
        let id = short.map_or(id, |(_, id)| id);
        let by_name_only = || Some(factoring::ROUNDING_UP).filter(|method| method.about().id == id);
        let found = named(id).or_else(by_name_only);
        found.ok_or_else(|| match POLICIES.into_iter().find(|policy| *policy == id) {
            Some(policy) => UnknownAlgorithm::Policy(policy),
            None => {
                let near = nearest(id, self.all().map(|method| method.about().id));
                UnknownAlgorithm::Id(id.to_string(), near)
            }
        })
    }
}

/// The ids, in the order of the registry.
pub fn ids() -> Vec<&'static str> {
    REGISTRY.iter().map(|method| method.about().id).collect()
}

/// The algorithms that are listed for a task if the user names none, in the order of the registry:
/// those made for fair dice, for weights, or for words.
///
/// ```
/// use flipcost::algorithms::suited_to;
/// use flipcost::task::{Source, Target, Task};
/// let ids = |source, target: Target| -> Vec<&str> {
///     let task = Task::new(target, source);
///     suited_to(&task).into_iter().map(|algorithm| algorithm.about().id).collect()
/// };
/// let loaded = ids(Source::COIN, Target::weighted([1u8, 2, 3])?);
/// assert_eq!(loaded, ["interval", "knuth-yao", "fldr", "aldr", "alias", "rejection-uniform"]);
/// let fair = Target::uniform(6u8)?;
/// let flips = ids(Source::COIN, fair.clone());
/// assert!(!flips.contains(&"knuth-yao") && !flips.contains(&"lemire")); // but found by id
/// assert!(ids(Source::word(64).unwrap(), fair).contains(&"lemire"));
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
pub fn suited_to(task: &Task) -> Vec<&'static dyn Algorithm> {
    let made = |algorithm: &&'static dyn Algorithm| algorithm.purpose().lists(task);
    let mut all: Vec<_> = REGISTRY.iter().copied().filter(made).collect();
    // For a die of more than two sides, programs use an amplified form of `fldr`, which differs
    // from the published one.
    let amplified = task.source().is_fair() && task.source().unit() == RollUnit::Rolls;
    let literal = all
        .iter()
        .position(|algorithm| algorithm.about().id == "fldr");
    if let (true, Some(literal), Ok(other)) = (amplified, literal, find("fldr:amplified=1")) {
        all.insert(literal + 1, other);
    }
    all
}

/// Returns the algorithm of the registry with this id: [`Catalogue::find`].
///
/// # Errors
/// As [`Catalogue::find`].
pub fn find(id: &str) -> Result<&'static dyn Algorithm, UnknownAlgorithm> {
    Catalogue::default().find(id)
}
