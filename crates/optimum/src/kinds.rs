//! The nodes of a tree, grouped into kinds by mass. The mass of a node is the product of the
//! probabilities on the path from the root to the node.

use flipcost_number::budget::{spend, spend_on};
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::HashMap;

/// The maximum number of kinds in the list.
const MAX_KINDS: usize = 200_000;
/// The maximum number of bits of all masses together.
const MAX_BITS: u64 = 1 << 27;

/// A kind of node: all nodes of the same mass.
pub struct NodeKind {
    mass_of: ExactMass,
    /// The mass in fixed point, rounded down.
    pub mass: u64,
    /// The kinds of the node's children, and the number of children of each kind; kinds that are
    /// not listed are omitted.
    pub children: Vec<(u32, u32)>,
}

/// An exact mass, number / A^power with the least possible power, where A is the sum of the faces'
/// weights.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ExactMass {
    number: BigUint,
    power: u32,
}

/// All kinds of at least a given mass, the heaviest first. The first kind is that of the root.
pub struct Kinds {
    pub kinds: Vec<NodeKind>,
    /// An upper bound, in fixed point, of the mass of any node that is not listed.
    pub rest: u64,
    /// The value 1 in fixed point: 2^bits.
    pub bits: u32,
    sum: BigUint,
    /// The distinct probabilities of the source's faces, each with the number of faces that have
    /// it.
    pub faces: Vec<(Rational, u32)>,
}

/// Returns x 2^bits as an integer, rounded up if `up` is set, otherwise down.
pub fn to_fixed(x: &Rational, bits: u32, up: bool) -> u64 {
    let scaled: BigInt = x.numer() << bits;
    let value = if up {
        scaled.div_ceil(x.denom())
    } else {
        scaled / x.denom()
    };
    value.to_u64().unwrap_or(u64::MAX)
}

/// Converts a fixed-point number to a fraction.
pub fn from_fixed(x: u64, bits: u32) -> Rational {
    Rational::new(x.into(), BigInt::one() << bits)
}

impl Kinds {
    /// Lists the kinds of the nodes. `most` is an upper bound of a rule's cost; nodes below `least`
    /// are not listed. Returns `None` if too many nodes are as heavy as the root.
    pub fn new(weights: &[BigUint], most: &Rational, mut least: Rational) -> Option<Kinds> {
        let bits = 61 - most.ceil().to_integer().bits() as u32;
        let sum: BigUint = weights.iter().sum();
        let mut counted: Vec<(BigUint, u32)> = Vec::new();
        let mut sorted: Vec<&BigUint> = weights.iter().collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for weight in sorted {
            match counted.last_mut() {
                Some((last, count)) if last == weight => *count += 1,
                _ => counted.push((weight.clone(), 1)),
            }
        }
        let found = loop {
            match Kinds::list_masses(&counted, &sum, &least, bits) {
                Some(found) if found.is_empty() => return None,
                Some(found) => break found,
                None => least *= BigInt::from(4),
            }
        };
        let mut powers = vec![BigUint::one()];
        let mut order: Vec<(u64, &ExactMass)> =
            found.iter().map(|(x, (mass, _))| (*mass, x)).collect();
        for (_, x) in &order {
            while powers.len() <= x.power as usize {
                powers.push(powers[powers.len() - 1].clone() * &sum);
            }
        }
        let cross = |a: &ExactMass, b: &ExactMass| &a.number * &powers[b.power as usize];
        order.sort_unstable_by(|a, b| {
            b.0.cmp(&a.0)
                .then_with(|| cross(b.1, a.1).cmp(&cross(a.1, b.1)))
        });
        let place: HashMap<&ExactMass, u32> = order.iter().map(|x| x.1).zip(0..).collect();
        let kind = |(mass, exact): &(u64, &ExactMass)| {
            let below = found[*exact].1.iter().zip(&counted);
            let children =
                below.filter_map(|(child, (_, count))| Some((*place.get(child)?, *count)));
            NodeKind {
                mass_of: (*exact).clone(),
                mass: *mass,
                children: children.collect(),
            }
        };
        let kinds = order.iter().map(kind).collect();
        let face = |(weight, count): &(BigUint, u32)| {
            let p = Rational::new(weight.clone().into(), sum.clone().into());
            (p, *count)
        };
        Some(Kinds {
            kinds,
            rest: to_fixed(&least, bits, true),
            bits,
            faces: counted.iter().map(face).collect(),
            sum,
        })
    }

    /// The exact mass of a kind.
    pub fn exact(&self, kind: u32) -> Rational {
        let ExactMass { number, power } = &self.kinds[kind as usize].mass_of;
        Rational::new(number.clone().into(), self.sum.pow(*power).into())
    }

    /// Lists the masses down to the least mass, each in fixed point and with the masses of its
    /// children.
    fn list_masses(
        faces: &[(BigUint, u32)],
        sum: &BigUint,
        least: &Rational,
        bits: u32,
    ) -> Option<HashMap<ExactMass, (u64, Vec<ExactMass>)>> {
        let mut found = HashMap::new();
        let root = ExactMass {
            number: BigUint::one(),
            power: 0,
        };
        let mut open = vec![root];
        let (top, bottom) = (least.numer().magnitude(), least.denom().magnitude());
        let mut length = 0;
        let mut powers = vec![BigUint::one()];
        while let Some(x) = open.pop() {
            if found.contains_key(&x) {
                continue;
            }
            while powers.len() <= x.power as usize {
                powers.push(powers[powers.len() - 1].clone() * sum);
            }
            let all = &powers[x.power as usize];
            spend_on(all.bits(), all.bits());
            spend(1000);
            if &x.number * bottom < top * all {
                continue;
            }
            length += x.number.bits() + all.bits();
            if found.len() == MAX_KINDS || length > MAX_BITS {
                return None;
            }
            let mass = (&x.number << bits) / all;
            let below = faces.iter().map(|(weight, _)| {
                let mut number = &x.number * weight;
                let mut power = x.power + 1;
                while power > 0 {
                    let (quotient, rest) = number.div_rem(sum);
                    if !rest.is_zero() {
                        break;
                    }
                    (number, power) = (quotient, power - 1);
                }
                ExactMass { number, power }
            });
            let below: Vec<ExactMass> = below.collect();
            open.extend(below.iter().cloned());
            found.insert(x, (mass.to_u64().unwrap_or(u64::MAX), below));
        }
        Some(found)
    }
}
