//! Lists the combinations that dice may show, if the same roll is used in several places.

use super::pool::DicePool;
use super::work::ShownFaces;
use flipcost_number::BigUint;
use flipcost_number::grammar::Operator;
use flipcost_number::rationals::binomials;
use num_traits::{One, Pow};

impl DicePool {
    /// Lists all combinations that plain dice may show, with the number of ways for each; `None` if
    /// there are more than `most`. A combination says how many dice show each face. If only the
    /// `asked` comparisons matter, faces that these comparisons do not distinguish are represented
    /// by one of them.
    pub(super) fn ways(
        &self,
        asked: Option<&[(Operator, i64)]>,
        most: u64,
    ) -> Option<Vec<(DicePool, BigUint)>> {
        let asked = asked.filter(|all| {
            all.iter()
                .all(|(sign, number)| self.splits_faces(*sign, *number))
        });
        let mut classes: ShownFaces = Vec::new();
        let same = |a: i64, b: i64| {
            let alike = |(sign, number): &(Operator, i64)| {
                sign.of_words(a, *number) == sign.of_words(b, *number)
            };
            asked.is_some_and(|asked| asked.iter().all(alike))
        };
        for face in self.faces.keys() {
            match classes.iter_mut().find(|(known, _)| same(*known, *face)) {
                Some((_, count)) => *count += 1,
                None => classes.push((*face, 1)),
            }
            if classes.len() as u64 > most {
                return None;
            }
        }
        // Each entry is the number of remaining dice, the faces shown so far, and the number of
        // ways.
        let mut all: Vec<(u64, ShownFaces, BigUint)> =
            vec![(self.n as u64, Vec::new(), BigUint::one())];
        for (place, (face, faces)) in classes.iter().enumerate() {
            let is_last = place + 1 == classes.len();
            let mut next = Vec::new();
            for (left, mut shown, ways) in all {
                if is_last {
                    if left > 0 {
                        shown.push((*face, left));
                    }
                    let power: BigUint = Pow::pow(BigUint::from(*faces), left);
                    next.push((0, shown, ways * power));
                    continue;
                }
                let row = binomials(left as usize);
                let mut power = BigUint::one();
                for (dice, choices) in (0..=left).zip(row) {
                    let mut shown = shown.clone();
                    if dice > 0 {
                        shown.push((*face, dice));
                    }
                    next.push((left - dice, shown, &ways * choices * &power));
                    power *= *faces;
                }
                if next.len() as u64 > most {
                    return None;
                }
            }
            all = next;
        }
        let seen = |(_, shown, ways)| {
            let shown = Some(shown);
            (
                DicePool {
                    shown,
                    ..self.clone()
                },
                ways,
            )
        };
        Some(all.into_iter().map(seen).collect())
    }
}
