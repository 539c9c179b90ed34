//! The registry: the families of sequences, a few lines each, grouped by subject. Their
//! descriptions and programs are in `data/oeis/families.toml`.

mod blank;
mod flow_chart;
mod formulas;
mod lists;
mod moments;
mod orders;

use super::Family;

/// The families, in the order of all lists of sequences.
pub(crate) fn families() -> impl Iterator<Item = &'static Family> {
    let groups = [
        flow_chart::FAMILIES,
        orders::FAMILIES,
        formulas::FAMILIES,
        lists::FAMILIES,
        moments::FAMILIES,
    ];
    groups.into_iter().flatten()
}
