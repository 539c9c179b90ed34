//! Factoring: build big dice from small ones, and cut big dice down.
//!
//! Three procedures make a dN from a set of dice:
//!
//! ```text
//! A  N divides a die m that you have: roll it, read it modulo N       cost(N) = 1
//! B  some X > N: make a dX, do it all again until it shows at most N  cost(N) = cost(X) X / N
//! C  N = P Q: make a dP and a dQ                                      cost(N) = cost(P) + cost(Q)
//! ```
//!
//! [`recipe`] finds the choices of least expected cost. None of the procedures makes a die cheaper
//! than its parts, so the least costs can be settled in increasing order (Knuth 1977, a
//! generalisation of Dijkstra's algorithm).
//!
//! **No larger X can win.** Let M be the largest die, k the least exponent with M^k >= N. No X
//! above M^k is needed, and the search up to M^k is complete: k rolls and B with X = M^k give
//! cost(N) <= k M^k / N. Now take any part dY of a best recipe of dN, and let W be the mean number
//! of times that it is made. On the way from N down to Y, a procedure B multiplies both the number
//! and W by X/N, and C makes the number smaller and leaves W alone; so W >= Y/N. One roll gives at
//! most log2 M bits, so cost(Y) >= log_M Y, and
//!
//! ```text
//! (Y/N) log_M Y <= W cost(Y) <= cost(N) <= k M^k / N,   so   Y log_M Y <= M^k log_M M^k,   Y <= M^k.
//! ```
//!
//! For the same reason a part with Y cost(Y) > k M^k can be left out.
//!
//! **Remainders after a product.** [`recipe_with_remainders`] also reads a die that it makes modulo
//! N: two d6 are a d36, of which the first 35 numbers modulo 7 are a d7. Every part of a recipe is
//! made at least once, so that log_M Y <= cost(Y) <= cost(N) for each part dY: with c the cost of
//! the best recipe found so far, no part above M^c can help. The search goes up to there, or says
//! that it ended before.
//!
//! **Cost.** With X = M^k: O(X log X) sums for C and at most O(X^2) comparisons for B, in doubles
//! where these differ clearly and in rationals where they do not. **Source.** "How to: Accurately
//! simulate the roll of dice with any number of sides" (2016).

use super::{About, Keeps, Program, Rule, Step};
use crate::law::{Branch, Chain, ChainState, Law, Next};
use crate::number::{BigInt, BigUint, Rational};
use crate::task::{Refusal, Task};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt;
use std::sync::{Arc, Mutex};

/// Recipes are searched up to this X: for a coin targets up to 8192, for a d6 up to 7776, for a d10
/// up to 10000, for a d20 up to 8000.
pub const LARGEST_SEARCH: u64 = 10_000;

/// How a die is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// One side: nothing to do.
    Nothing,
    /// A: roll this die once, and read it modulo the number of sides wanted.
    Roll(u64),
    /// Make this die, and read it modulo the number of sides wanted, which divides its sides.
    Reduce(Box<Part>),
    /// B: make this larger die, all of it again until it shows at most the number of sides wanted.
    Retry(Box<Part>),
    /// C: make both; the face (from 0) is first times the sides of the second, plus second.
    Product(Box<Part>, Box<Part>),
}

/// A die that a recipe makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its sides.
    pub sides: u64,
    /// The expected rolls that it costs once.
    pub cost: Rational,
    /// How it is made.
    pub procedure: Procedure,
}

/// The cheapest way to make a die with procedures A, B and C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactoringRecipe {
    /// The set of dice, in increasing order.
    pub dice: Vec<u64>,
    /// Expected rolls, counting every die as one roll.
    pub cost: Rational,
    /// The largest X that was searched.
    pub largest: u64,
    /// Is it proved (see the module's page) that none above it is better?
    pub complete: bool,
    /// The tree of the recipe.
    pub root: Part,
}

#[derive(Clone, Copy)]
enum How {
    Roll(u64),
    Reduce(u32),
    Retry(u32),
    Product(u32, u32),
}

#[derive(Clone)]
struct Best {
    cost: Rational,
    near: f64,
    parts: u32,
    how: How,
}

/// Doubles within this factor of each other are compared as rationals: their error is below 2^-40.
const CLEARLY: f64 = 1.0 + 1e-9;

/// A way to make a die, in the order in which dice are settled: cost, parts, sides.
#[derive(Clone, PartialEq, Eq)]
struct Offer {
    cost: Rational,
    near: Near,
    parts: u32,
    sides: u32,
}

/// A cost's double; it only saves comparisons of rationals.
#[derive(Clone, Copy, PartialEq)]
struct Near(f64);

impl Eq for Near {}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let (near, far) = (self.near.0, other.near.0);
        if near > far * CLEARLY {
            return Ordering::Greater;
        }
        if far > near * CLEARLY {
            return Ordering::Less;
        }
        (&self.cost, self.parts, self.sides).cmp(&(&other.cost, other.parts, other.sides))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Search {
    best: Vec<Option<Best>>,
    queue: BinaryHeap<Reverse<Offer>>,
}

impl Search {
    /// Is a cost clearly above that of the way known?
    fn is_worse(&self, sides: usize, near: f64) -> bool {
        let best = self.best[sides].as_ref();
        best.is_some_and(|best| near > best.near * CLEARLY)
    }

    /// Offers a way to make a die of `sides`. Among equal costs the one with fewer parts stays.
    fn offer(
        &mut self,
        sides: usize,
        near: f64,
        parts: u32,
        how: How,
        cost: impl FnOnce() -> Rational,
    ) {
        if self.is_worse(sides, near) {
            return;
        }
        let cost = cost();
        if let Some(best) = &self.best[sides]
            && (&cost, parts) >= (&best.cost, best.parts)
        {
            return;
        }
        self.queue.push(Reverse(Offer {
            cost: cost.clone(),
            near: Near(near),
            parts,
            sides: sides as u32,
        }));
        self.best[sides] = Some(Best {
            cost,
            near,
            parts,
            how,
        });
    }

    fn part(&self, sides: u64) -> Part {
        let best = self.best[sides as usize].as_ref().expect("was settled");
        let boxed = |sides: u32| Box::new(self.part(sides.into()));
        Part {
            sides,
            cost: best.cost.clone(),
            procedure: match best.how {
                How::Roll(die) => Procedure::Roll(die),
                How::Reduce(from) => Procedure::Reduce(boxed(from)),
                How::Retry(from) => Procedure::Retry(boxed(from)),
                How::Product(p, q) => Procedure::Product(boxed(p.min(q)), boxed(p.max(q))),
            },
        }
    }
}

/// The recipe of least expected rolls for a die of `n` sides from a set of dice, by procedures A, B
/// and C. Cost: O(X^2) comparisons for the X = M^k of the module's page, kept for later targets.
///
/// # Errors
/// [`Refusal`] for an empty set, a die of fewer than two sides, a target of none, and a search
/// beyond `LARGEST_SEARCH`.
///
/// ```
/// use flipcost::unstable::algorithms::recipe;
/// let d12 = recipe(&[6], 12).unwrap();
/// assert_eq!(d12.cost, flipcost::number::BigInt::from(2).into());
/// assert_eq!(d12.steps()[0], "Roll a d6; a = the face modulo 2, with 2 for 0.");
/// ```
pub fn recipe(dice: &[u64], n: u64) -> Result<FactoringRecipe, Refusal> {
    best(dice, n, false)
}

/// The same where dice that are made may be read modulo N, too: never dearer. Cost: as [`recipe`],
/// for an X of up to `LARGEST_SEARCH`.
///
/// # Errors
/// As [`recipe`].
///
/// ```
/// use flipcost::unstable::algorithms::{recipe, recipe_with_remainders};
/// assert_eq!(recipe(&[6], 7).unwrap().cost.to_string(), "18/7");
/// let d7 = recipe_with_remainders(&[6], 7).unwrap();
/// assert_eq!(d7.cost.to_string(), "72/35"); // a d36 up to 35, modulo 7
/// ```
pub fn recipe_with_remainders(dice: &[u64], n: u64) -> Result<FactoringRecipe, Refusal> {
    best(dice, n, true)
}

fn best(dice: &[u64], n: u64, remainders: bool) -> Result<FactoringRecipe, Refusal> {
    let mut dice = dice.to_vec();
    dice.sort_unstable();
    dice.dedup();
    let (Some(&least), Some(&most)) = (dice.first(), dice.last()) else {
        return Err(Refusal::Rule("a recipe needs at least one die".into()));
    };
    if least < 2 || n == 0 {
        return Err(Refusal::Rule(format!(
            "a recipe for a d{n} from a d{least} does not exist: sources have at least 2 sides, targets at least 1"
        )));
    }
    let done = |largest, complete, root: Part, dice| {
        Ok(FactoringRecipe {
            dice,
            cost: root.cost.clone(),
            largest,
            complete,
            root,
        })
    };
    if n == 1 {
        let cost = Rational::zero();
        let procedure = Procedure::Nothing;
        let root = Part {
            sides: 1,
            cost,
            procedure,
        };
        return done(1, true, root, dice);
    }
    if let Some(die) = own(&dice, n) {
        let root = Part {
            sides: n,
            cost: Rational::one(),
            procedure: Procedure::Roll(die),
        };
        return done(die, true, root, dice);
    }
    let (mut largest, mut rolls) = (1u64, 0u64);
    while largest < n {
        largest = largest.saturating_mul(most);
        rolls += 1;
    }
    if largest > LARGEST_SEARCH {
        return Err(Refusal::Rule(format!(
            "a recipe for a d{n} from dice of up to {most} sides is not searched: it may need numbers up to {most}^{rolls}, and the search ends at {LARGEST_SEARCH}"
        )));
    }
    let root = searched(&dice, largest, rolls, remainders).part(n);
    if !remainders {
        return done(largest, true, root, dice);
    }
    let reach = power_below(most, &root.cost);
    if reach <= largest {
        return done(largest, true, root, dice);
    }
    let largest = reach.min(LARGEST_SEARCH);
    let root = searched(&dice, largest, rolls, true).part(n);
    done(largest, reach == largest, root, dice)
}

/// The largest Y <= M^cost, but at most one above [`LARGEST_SEARCH`].
fn power_below(most: u64, cost: &Rational) -> u64 {
    let exponent = |part: &BigInt| part.to_u32().unwrap_or(u32::MAX);
    // Y^q <= M^p; the rolls of a recipe in the search are few, and so are the digits of its cost
    let (p, q) = (exponent(cost.numer()), exponent(cost.denom()));
    let whole = cost.floor().to_integer().to_u32().unwrap_or(u32::MAX);
    let above = || {
        most.checked_pow(whole)
            .is_none_or(|low| low > LARGEST_SEARCH)
    };
    if p.max(q) > 1 << 16 || above() {
        return LARGEST_SEARCH + 1;
    }
    let power = BigUint::from(most).pow(p);
    let within = |y: &u64| BigUint::from(*y).pow(q) <= power;
    let (mut low, mut high) = (1, LARGEST_SEARCH + 1);
    while low < high {
        let middle = (low + high).div_ceil(2);
        match within(&middle) {
            true => low = middle,
            false => high = middle - 1,
        }
    }
    low
}

/// A die that shows `d` sides with one roll.
fn own(dice: &[u64], d: u64) -> Option<u64> {
    let exact = dice.iter().find(|&&m| m == d);
    exact
        .or_else(|| dice.iter().find(|&&m| m % d == 0))
        .copied()
}

/// A search that many targets share, under its dice and the largest X.
type Kept = Vec<((Vec<u64>, u64, bool), Arc<Search>)>;

/// The complete search of these dice up to `largest`; the last few searches are kept, since one of
/// them answers every target up to its end.
fn searched(dice: &[u64], largest: u64, rolls: u64, remainders: bool) -> Arc<Search> {
    static KEPT: Mutex<Kept> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let key = (dice.to_vec(), largest, remainders);
    if let Some((_, search)) = kept.iter().find(|(of, _)| *of == key) {
        return search.clone();
    }
    let search = Arc::new(search(dice, largest, rolls, remainders));
    if kept.len() == 16 {
        kept.remove(0);
    }
    kept.push((key, search.clone()));
    search
}

fn search(dice: &[u64], largest: u64, rolls: u64, remainders: bool) -> Search {
    let most = dice[dice.len() - 1];
    let mut search = Search {
        best: vec![None; largest as usize + 1],
        queue: BinaryHeap::new(),
    };
    for d in 2..=most {
        if let Some(die) = own(dice, d) {
            search.offer(d as usize, 1.0, 1, How::Roll(die), Rational::one);
        }
    }
    // Y cost(Y) of the parts that can matter
    let worth = BigInt::from(rolls * largest);
    let mut settled: BTreeSet<usize> = BTreeSet::new();
    // least[t]: the least X cost(X) of the settled X > t, in doubles
    let mut least = vec![f64::INFINITY; largest as usize + 1];
    while let Some(Reverse(offer)) = search.queue.pop() {
        let (cost, parts, y) = (offer.cost, offer.parts, offer.sides as usize);
        let best = search.best[y].as_ref().expect("was offered");
        if settled.contains(&y) || (&best.cost, best.parts) != (&cost, parts) {
            continue;
        }
        let near = best.near;
        let weight = &cost * BigInt::from(y);
        if !remainders && weight > Rational::from(worth.clone()) {
            continue;
        }
        settled.insert(y);
        for &z in settled.range(..=largest as usize / y) {
            let other = search.best[z].as_ref().expect("was settled");
            if search.is_worse(y * z, near + other.near) {
                continue;
            }
            let other = other.clone();
            search.offer(
                y * z,
                near + other.near,
                parts + other.parts + 1,
                How::Product(y as u32, z as u32),
                || &cost + &other.cost,
            );
        }
        if remainders {
            for d in (2..=y / 2).filter(|d| y.is_multiple_of(*d)) {
                let how = How::Reduce(y as u32);
                search.offer(d, near, parts + 1, how, || cost.clone());
            }
        }
        let near_weight = near * y as f64;
        for t in (2..y).rev() {
            if least[t] * CLEARLY < near_weight {
                break; // and so it is for every smaller t
            }
            least[t] = least[t].min(near_weight);
            if settled.contains(&t) {
                continue;
            }
            let how = How::Retry(y as u32);
            search.offer(t, near_weight / t as f64, parts + 1, how, || {
                &weight / BigInt::from(t)
            });
        }
    }
    search
}

impl FactoringRecipe {
    /// The recipe in words, one step each; step i of the text is the i-th entry, counted from 1.
    pub fn steps(&self) -> Vec<String> {
        let mut steps = Vec::new();
        let result = write(&self.root, &mut steps, &mut 0);
        steps.push(match self.root.sides {
            1 => "The result is 1.".to_string(),
            _ => format!("The result is {result}."),
        });
        steps
    }

    /// The die that each step of [`FactoringRecipe::steps`] completes; the last is the whole
    /// recipe.
    ///
    /// ```
    /// let recipe = flipcost::unstable::algorithms::recipe(&[6], 12).unwrap();
    /// let sides: Vec<u64> = recipe.parts().iter().map(|part| part.sides).collect();
    /// assert_eq!(sides, [2, 6, 12, 12]); // a coin, a d6, both as one d12, and the result
    /// ```
    pub fn parts(&self) -> Vec<&Part> {
        let mut parts = Vec::new();
        completed(&self.root, &mut parts);
        parts.push(&self.root);
        parts
    }
}

/// Appends the parts in the order in which [`write`] writes their steps.
fn completed<'a>(part: &'a Part, parts: &mut Vec<&'a Part>) {
    match &part.procedure {
        Procedure::Nothing => return,
        Procedure::Roll(_) => {}
        Procedure::Reduce(from) | Procedure::Retry(from) => completed(from, parts),
        Procedure::Product(first, second) => {
            completed(first, parts);
            completed(second, parts);
        }
    }
    parts.push(part);
}

impl fmt::Display for FactoringRecipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, step) in self.steps().iter().enumerate() {
            writeln!(f, "{}. {step}", i + 1)?;
        }
        Ok(())
    }
}

fn letter(index: &mut u32) -> String {
    let (turn, at) = (*index / 26, *index % 26);
    *index += 1;
    let letter = char::from(b'a' + at as u8);
    if turn == 0 {
        letter.to_string()
    } else {
        format!("{letter}{turn}")
    }
}

/// Appends the steps that make a part, and returns the letter that holds it.
fn write(part: &Part, steps: &mut Vec<String>, used: &mut u32) -> String {
    match &part.procedure {
        Procedure::Nothing => String::new(),
        Procedure::Roll(die) => {
            let (name, sides) = (letter(used), part.sides);
            steps.push(match (*die, sides) {
                (2, _) => format!("Flip a coin; {name} = 1 for heads, 2 for tails."),
                (die, sides) if die == sides => format!("Roll a d{die}; {name} = the face."),
                (die, sides) => {
                    format!("Roll a d{die}; {name} = the face modulo {sides}, with {sides} for 0.")
                }
            });
            name
        }
        Procedure::Reduce(from) => {
            let (whole, name, sides) = (write(from, steps, used), letter(used), part.sides);
            steps.push(format!(
                "{name} = {whole} modulo {sides}, with {sides} for 0."
            ));
            name
        }
        Procedure::Retry(from) => {
            let back = steps.len() + 1;
            let name = write(from, steps, used);
            steps.push(format!(
                "If {name} is above {}, go back to step {back}.",
                part.sides
            ));
            name
        }
        Procedure::Product(first, second) => {
            let (a, b) = (write(first, steps, used), write(second, steps, used));
            let name = letter(used);
            steps.push(format!("{name} = {} * ({a} - 1) + {b}.", second.sides));
            name
        }
    }
}

/// What is done after a roll of the recipe, in order.
enum After {
    /// Keep the value; the next roll starts the second factor.
    Keep,
    /// The kept value times this, plus the value.
    Combine(u64),
    /// Keep its remainder by this.
    Reduce(u64),
    /// From this value on, forget it and go back to this roll.
    Test(u64, usize),
}

struct Leaf {
    die: u64,
    sides: u64,
    after: Vec<After>,
}

fn compile(part: &Part, leaves: &mut Vec<Leaf>) {
    let then = |leaves: &mut Vec<Leaf>, what| {
        let last = leaves.last_mut().expect("a part rolls at least once");
        last.after.push(what);
    };
    match &part.procedure {
        Procedure::Nothing => {}
        Procedure::Roll(die) => leaves.push(Leaf {
            die: *die,
            sides: part.sides,
            after: Vec::new(),
        }),
        Procedure::Reduce(from) => {
            compile(from, leaves);
            then(leaves, After::Reduce(part.sides));
        }
        Procedure::Retry(from) => {
            let back = leaves.len();
            compile(from, leaves);
            then(leaves, After::Test(part.sides, back));
        }
        Procedure::Product(first, second) => {
            compile(first, leaves);
            then(leaves, After::Keep);
            compile(second, leaves);
            then(leaves, After::Combine(second.sides));
        }
    }
}

/// See the module's page. The registered algorithm has one source die.
pub struct Factoring {
    source: u64,
    leaves: Vec<Leaf>,
}

/// Which roll of the recipe comes next, and the values kept for it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Path {
    roll: usize,
    kept: Vec<u64>,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "roll {} of the recipe", self.roll + 1)?;
        for (i, value) in self.kept.iter().enumerate() {
            write!(f, "{} {value}", if i == 0 { ", kept" } else { "," })?;
        }
        Ok(())
    }
}

impl Rule for Factoring {
    const ABOUT: About = About {
        id: "factoring",
        name: "Factoring (procedures A, B, C)",
        citation: "\"How to: Accurately simulate the roll of dice with any number of sides\" (2016)",
        keeps: Keeps::State,
        bounded: "if every prime factor of n divides m",
        rule: "multiply dice that can be read off the source, or make a larger die and re-roll it; the cheapest such recipe",
        law: "A: cost(N) = 1 if N divides m; B: cost(N) = cost(X) X / N for some X > N; C: cost(P Q) = cost(P) + cost(Q); the least of all recipes",
    };
    const PROGRAM: Option<Program> = Some(Program {
        pari: concat!(
            "moments(m, n) = {my(x=m, C, P, V, S, N, y, c, p, v, t);\n",
            "  if(n==1, return([0, 0])); while(x<n, x *= m);\n",
            "  C = vector(x); P = vector(x); V = vector(x); S = vector(x);\n",
            "  fordiv(m, d, if(d>1, C[d] = P[d] = 1));\n",
            "  while(1, y = 0;\n",
            "    for(d=2, x, if(C[d] && !S[d] && (!y || C[d]<C[y] || (C[d]==C[y] && P[d]<P[y])), y = d));\n",
            "    c = C[y]; p = P[y]; v = V[y]; S[y] = 1; if(y==n, return([c, v])); N = List();\n",
            "    for(z=2, x\\y, if(S[z], listput(N, [y*z, c+C[z], p+P[z]+1, v+V[z]])));\n",
            "    forstep(t=y-1, 2, -1, listput(N, [t, c*y/t, p+1, v*y/t+(y/t-1)*y/t*c^2]));\n",
            "    for(i=1, #N, t = N[i][1]; if(!C[t] || N[i][2]<C[t] || (N[i][2]==C[t] && N[i][3]<P[t]), C[t] = N[i][2]; P[t] = N[i][3]; V[t] = N[i][4])));}"
        ),
        python: concat!(
            "from fractions import Fraction\n",
            "def moments(m, n):\n",
            "    x = m\n",
            "    while x < n: x *= m\n",
            "    best, done = {d: (Fraction(d > 1), 1, Fraction(0)) for d in range(1, m + 1) if m % d == 0}, []\n",
            "    while True:\n",
            "        y = min((d for d in best if d not in done), key=lambda d: (best[d][:2], d))\n",
            "        c, p, v = best[y]\n",
            "        if y == n: return c, v\n",
            "        done.append(y)\n",
            "        new = [(y * z, c + best[z][0], p + best[z][1] + 1, v + best[z][2]) for z in sorted(done) if y * z <= x]\n",
            "        new += [(t, c * y / t, p + 1, v * y / t + Fraction(y - t, t) * y / t * c * c) for t in range(y - 1, 1, -1)]\n",
            "        for t, d, q, w in new:\n",
            "            if t not in best or (d, q) < best[t][:2]: best[t] = (d, q, w)"
        ),
    });
    type State = Path;

    fn new(task: &Task) -> Result<Self, Refusal> {
        let (dice, m) = (task.fair()?, task.sides()?);
        let n = dice.n.to_u64().ok_or_else(|| {
            Refusal::Rule(format!(
                "a recipe for a target of {} bits is not searched: the search ends at {LARGEST_SEARCH}",
                dice.n.bits()
            ))
        })?;
        let mut leaves = Vec::new();
        compile(&recipe(&[m], n)?.root, &mut leaves);
        Ok(Factoring { source: m, leaves })
    }

    fn start(&self) -> Step<Path> {
        if self.leaves.is_empty() {
            return Step::Output(BigUint::zero());
        }
        Step::Roll(Path {
            roll: 0,
            kept: Vec::new(),
        })
    }

    fn step(&self, at: &Path, face: u64) -> Step<Path> {
        let leaf = &self.leaves[at.roll];
        let mut kept = at.kept.clone();
        let mut value = face % leaf.sides;
        for after in &leaf.after {
            match after {
                After::Keep => {
                    kept.push(value);
                    return Step::Roll(Path {
                        roll: at.roll + 1,
                        kept,
                    });
                }
                After::Combine(sides) => {
                    value += sides * kept.pop().expect("the first factor was kept");
                }
                After::Reduce(sides) => value %= sides,
                After::Test(sides, back) => {
                    if value >= *sides {
                        return Step::Roll(Path { roll: *back, kept });
                    }
                }
            }
        }
        Step::Output(value.into())
    }

    /// The value that a test reads is uniform, so the roll that comes next is all that counts: from
    /// a test of a value uniform on [0, X), the recipe goes on with probability N/X. Rolls that
    /// follow each other without a test are one state of the chain; which outcome it ends with is
    /// forgotten. A state is a set of nodes of the decision tree, so its nodes are counted in
    /// m-ths.
    fn law(&self) -> Option<Law> {
        // the rolls that begin a state: the first, where a test leads back, and what follows a test
        let mut begins = vec![false; self.leaves.len() + 1];
        begins[0] = true;
        for (roll, leaf) in self.leaves.iter().enumerate() {
            for after in &leaf.after {
                if let After::Test(_, back) = after {
                    begins[*back] = true;
                    begins[roll + 1] = true;
                }
            }
        }
        let state = |roll: usize| {
            let before = begins[..roll].iter().filter(|begins| **begins).count();
            Next::State(before as u32)
        };
        let (mut states, mut kept, mut rolls) = (Vec::new(), Vec::new(), 0);
        for (roll, leaf) in self.leaves.iter().enumerate() {
            rolls += 1;
            let mut sides = leaf.sides;
            let mut next = Next::Outcome(0);
            let mut here = BigUint::one(); // the weight that is still here
            let mut branches: Vec<Branch> = Vec::new();
            for after in &leaf.after {
                match *after {
                    After::Keep => {
                        kept.push(sides);
                        next = state(roll + 1);
                        break;
                    }
                    After::Combine(second) => {
                        debug_assert_eq!(second, sides);
                        sides *= kept.pop().expect("the first factor was kept");
                    }
                    After::Reduce(wanted) => sides = wanted,
                    After::Test(wanted, back) => {
                        let common = sides.gcd(&wanted);
                        let (all, pass) = (sides / common, wanted / common);
                        branches.iter_mut().for_each(|branch| branch.weight *= all);
                        if all > pass {
                            branches.push(Branch {
                                weight: &here * (all - pass),
                                next: state(back),
                            });
                        }
                        here *= pass;
                        sides = wanted;
                    }
                }
            }
            if begins[roll + 1] || roll + 1 == self.leaves.len() {
                branches.push(Branch { weight: here, next });
                states.push(ChainState {
                    rolls: std::mem::take(&mut rolls),
                    branches,
                });
            }
        }
        let start = match states.is_empty() {
            true => Next::Outcome(0),
            false => Next::State(0),
        };
        let chain = Chain::new(start, states, vec![BigUint::zero()]);
        let chain = chain.expect("a recipe ends").counted_by(self.source);
        Some(Law::Chain(chain.into()))
    }

    fn sides(&self, state: &Path) -> Option<u64> {
        Some(self.leaves[state.roll].die)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rolls::Entry;
    use super::super::{Algorithm, CHAIN_LIMIT, FAST_DICE_ROLLER};
    use super::*;

    fn cost(dice: &[u64], n: u64) -> Rational {
        recipe(dice, n).unwrap().cost
    }

    #[test]
    fn the_recipe_costs_what_its_steps_cost() {
        for m in [2u64, 3, 6, 20] {
            for n in 1..=60 {
                let bound = Entry::<Factoring>::NEW;
                let bound = bound.prepare(&Task::dice(m, n).unwrap()).unwrap();
                let (chain, _) = bound.chain(CHAIN_LIMIT).unwrap();
                assert_eq!(chain.mean(), cost(&[m], n), "m = {m}, n = {n}");
            }
        }
    }

    #[test]
    fn several_dice_are_at_least_as_good_as_each_and_fair() {
        let dice = [4, 6, 10];
        for n in 1..=60 {
            let [plain, reduced] =
                [recipe, recipe_with_remainders].map(|search| search(&dice, n).unwrap());
            assert!(reduced.cost <= plain.cost, "n = {n}");
            for m in dice {
                assert!(plain.cost <= cost(&[m], n), "n = {n}");
            }
            is_fair(&plain, n);
            is_fair(&reduced, n);
        }
    }

    /// The recipe's own rolls make a fair die at its cost, and as its chain says.
    fn is_fair(recipe: &FactoringRecipe, n: u64) {
        let mut leaves = Vec::new();
        compile(&recipe.root, &mut leaves);
        let source = recipe.dice[recipe.dice.len() - 1];
        let rule = Factoring { source, leaves };
        let sides = |state: &Path| rule.sides(state).unwrap();
        let step = |state: &Path, face| rule.step(state, face);
        let chain = crate::law::Chain::explore(rule.start(), CHAIN_LIMIT, sides, step);
        let chain = chain.unwrap().0;
        assert_eq!(chain.mean(), recipe.cost, "n = {n}");
        let fair = Rational::new(1.into(), n.into());
        let probabilities = chain.probabilities();
        assert!(probabilities.values().all(|p| *p == fair), "n = {n}");
        assert_eq!(probabilities.len() as u64, n);
        if recipe.dice.len() == 1 {
            let law = rule.law().unwrap();
            assert_eq!(law.exact_moments(), chain.moments(), "n = {n}");
        }
    }

    #[test]
    fn remainders_of_one_die_are_fair() {
        for m in [2, 3, 6, 10] {
            for n in 1..=60 {
                let recipe = recipe_with_remainders(&[m], n).unwrap();
                is_fair(&recipe, n);
                let fast = crate::law::Residues::new(m.into(), n.into());
                assert!(fast.exact_mean() <= recipe.cost && recipe.cost <= cost(&[m], n));
            }
        }
        let d7 = recipe_with_remainders(&[6], 7).unwrap();
        let d36 = "c = 6 * (a - 1) + b.";
        assert!(d7.steps().iter().any(|step| step == d36), "{d7}");
        assert!(d7.complete && d7.largest >= 36);
    }

    /// M^(36/11) = 6^(36/11) = 352.06...
    #[test]
    fn the_reach_of_a_cost() {
        let reach = |p: u64, q: u64| power_below(6, &Rational::new(p.into(), q.into()));
        assert_eq!(
            [reach(1, 1), reach(2, 1), reach(36, 11), reach(5, 1)],
            [6, 36, 352, 7776]
        );
        assert_eq!([reach(6, 1), reach(1 << 40, 3)], [LARGEST_SEARCH + 1; 2]);
    }

    /// The definition itself, iterated to its fixed point over X to three times the bound.
    #[test]
    fn the_search_is_complete() {
        let all = [vec![2u64], vec![3], vec![6], vec![3, 5]];
        for (dice, remainders) in all
            .into_iter()
            .flat_map(|dice| [(dice.clone(), false), (dice, true)])
        {
            let largest = 700usize;
            let mut cost: Vec<Option<Rational>> = vec![None; largest + 1];
            let better = |cost: &mut Vec<Option<Rational>>, n: usize, new: Rational| {
                let improved = cost[n].as_ref().is_none_or(|old| new < *old);
                if improved {
                    cost[n] = Some(new);
                }
                improved
            };
            for (n, cost) in cost.iter_mut().enumerate().skip(2) {
                if dice.iter().any(|m| m % n as u64 == 0) {
                    *cost = Some(Rational::one());
                }
            }
            let mut moved = true;
            while moved {
                moved = false;
                for p in 2..=largest {
                    for q in p..=largest / p {
                        if let (Some(a), Some(b)) = (&cost[p], &cost[q]) {
                            let sum = a + b;
                            moved |= better(&mut cost, p * q, sum);
                        }
                    }
                }
                if remainders {
                    for n in 2..=largest {
                        for x in (2 * n..=largest).step_by(n) {
                            if let Some(whole) = cost[x].clone() {
                                moved |= better(&mut cost, n, whole);
                            }
                        }
                    }
                }
                let mut least: Option<Rational> = None;
                for x in (2..=largest).rev() {
                    if let Some(weight) = &least {
                        let retried = weight / BigInt::from(x);
                        moved |= better(&mut cost, x, retried);
                    }
                    if let Some(own) = &cost[x] {
                        let weight = own * BigInt::from(x);
                        if least.as_ref().is_none_or(|old| weight < *old) {
                            least = Some(weight);
                        }
                    }
                }
            }
            for (n, cost) in cost.iter().enumerate().take(101).skip(2) {
                let found = best(&dice, n as u64, remainders).unwrap();
                // what a larger X makes cheaper is beyond this table
                let known = found.complete && found.largest <= largest as u64;
                if known {
                    assert_eq!(Some(&found.cost), cost.as_ref(), "{dice:?} n = {n}");
                }
                assert!(known || remainders && Some(&found.cost) <= cost.as_ref());
            }
        }
    }

    #[test]
    fn no_recipe_beats_the_optimum() {
        for m in [2u64, 6, 10] {
            for n in 1u64..=80 {
                let fast = FAST_DICE_ROLLER
                    .prepare(&Task::dice(m, n).unwrap())
                    .unwrap();
                let law = fast.law().unwrap();
                assert!(cost(&[m], n) >= law.exact_mean(), "m = {m}, n = {n}");
            }
        }
    }

    #[test]
    fn a_recipe_reads_as_steps() {
        assert_eq!(
            recipe(&[6], 11).unwrap().steps(),
            [
                "Roll a d6; a = the face modulo 2, with 2 for 0.",
                "Roll a d6; b = the face.",
                "c = 6 * (a - 1) + b.",
                "If c is above 11, go back to step 1.",
                "The result is c."
            ]
        );
        assert_eq!(recipe(&[6], 1).unwrap().steps(), ["The result is 1."]);
        assert!(recipe(&[], 4).is_err());
        assert!(recipe(&[6], 1 << 20).is_err());
    }
}
