//! The nodes of a tree, by their mass: the product of the probabilities on the way.

use crate::budget::spend;
use crate::number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;

/// Kinds that are listed, at most.
const MOST: usize = 200_000;

/// A kind of node.
pub struct Kind {
    pub exact: Rational,
    /// The mass in fixed point, rounded down.
    pub mass: u64,
    /// The kinds of its children and how many there are of each; those that are not listed are left out.
    pub children: Vec<(u32, u32)>,
}

/// All kinds down to a least mass, the heaviest first: the root is the first.
pub struct Kinds {
    pub kinds: Vec<Kind>,
    /// No node below has more; in fixed point, rounded up.
    pub rest: u64,
    /// What 1 is in fixed point: 2^bits.
    pub bits: u32,
    /// The faces of the source: their probabilities, without equal ones, and how many have it.
    pub faces: Vec<(Rational, u32)>,
}

/// floor(x 2^bits), or rounded up.
pub fn fixed(x: &Rational, bits: u32, up: bool) -> u64 {
    let scaled: BigInt = x.numer() << bits;
    let value = match up {
        true => scaled.div_ceil(x.denom()),
        false => scaled / x.denom(),
    };
    value.to_u64().unwrap_or(u64::MAX)
}

/// A number of fixed point.
pub fn exactly(x: u64, bits: u32) -> Rational {
    Rational::new(x.into(), BigInt::one() << bits)
}

impl Kinds {
    /// `most` bounds what a rule costs; nodes below `least` are not listed.
    pub fn new(weights: &[BigUint], most: &Rational, mut least: Rational) -> Kinds {
        let bits = 61 - most.ceil().to_integer().bits() as u32;
        let sum: BigUint = weights.iter().sum();
        let mut faces: Vec<(Rational, u32)> = Vec::new();
        let mut sorted: Vec<&BigUint> = weights.iter().collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for weight in sorted {
            let p = Rational::new(weight.clone().into(), sum.clone().into());
            match faces.last_mut() {
                Some((last, count)) if *last == p => *count += 1,
                _ => faces.push((p, 1)),
            }
        }
        let found = loop {
            match Kinds::list(&faces, &least) {
                Some(found) => break found,
                None => least *= BigInt::from(4),
            }
        };
        let mut order: Vec<(u64, &Rational)> =
            found.keys().map(|x| (fixed(x, bits, false), x)).collect();
        order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.cmp(a.1)));
        let place: HashMap<&Rational, u32> = order.iter().map(|x| x.1).zip(0..).collect();
        let kind = |(mass, exact): &(u64, &Rational)| {
            let below = found[*exact].iter().zip(&faces);
            let children =
                below.filter_map(|(child, (_, count))| Some((*place.get(child)?, *count)));
            Kind {
                exact: (*exact).clone(),
                mass: *mass,
                children: children.collect(),
            }
        };
        Kinds {
            kinds: order.iter().map(kind).collect(),
            rest: fixed(&least, bits, true),
            bits,
            faces,
        }
    }

    /// The masses down to the least, each with those of its children.
    fn list(
        faces: &[(Rational, u32)],
        least: &Rational,
    ) -> Option<HashMap<Rational, Vec<Rational>>> {
        let mut found: HashMap<Rational, Vec<Rational>> = HashMap::new();
        let mut open = vec![Rational::one()];
        while let Some(x) = open.pop() {
            spend(1000 * faces.len() as u64);
            if found.contains_key(&x) {
                continue;
            }
            if found.len() == MOST {
                return None;
            }
            let below: Vec<Rational> = faces.iter().map(|(p, _)| &x * p).collect();
            open.extend(below.iter().filter(|child| *child >= least).cloned());
            found.insert(x, below);
        }
        Some(found)
    }
}
