//! Builds the chain of a program. States are explored breadth first, and each state only once, so
//! the rolls that first lead to a state are the shortest.

use crate::fault::Fault;
use crate::value::Value;
use flipcost::law::{Branch, Chain, ChainError, ChainState, Next};
use flipcost_number::BigUint;
use flipcost_number::budget;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The largest number of states of a chain that is solved exactly.
pub const MAX_STATES: usize = 1_000_000;
/// The largest number of states of a chain whose law is enclosed.
pub const MAX_ENCLOSED: usize = 10_000_000;
/// The largest number of transitions of a chain whose law is enclosed.
pub const MAX_TRANSITIONS: usize = 20_000_000;

/// The next action of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// The program rolls in this state.
    Roll(Value),
    /// The program ends with this outcome.
    Output(BigUint),
}

/// A rule that computes one step at a time.
pub trait Program: Send + Sync {
    /// Returns the move before any roll.
    ///
    /// # Errors
    /// If the program cannot go on.
    fn start(&self) -> Result<Move, Fault>;

    /// Returns the move after one more face, counted from 0, in a state that the program returned
    /// before.
    ///
    /// # Errors
    /// If the program cannot go on.
    fn step(&self, state: &Value, face: u64) -> Result<Move, Fault>;

    /// Returns whether the rule has finitely many states, as a table has.
    fn is_finite(&self) -> bool {
        false
    }

    /// Returns the number of states to explore at first. A rule with more states counts as endless
    /// if its later states hardly matter.
    fn few_states(&self) -> usize {
        5000
    }

    /// Returns the branches of a state that rolls its own die instead of the source. A branch with
    /// the number e is taken on all faces below e that no earlier branch takes; the last number is
    /// the number of sides.
    fn own_branches(&self, _state: &Value) -> Option<&[(u64, Move)]> {
        None
    }

    /// Formats a state for trees and traces.
    fn state_name(&self, state: &Value) -> String {
        state.to_string()
    }
}

/// The complete chain of a program with a source of `faces` sides.
pub struct ExploredChain {
    faces: u64,
    start: Next,
    /// The next state or outcome for each face of each state. If the states have their own dice,
    /// there is one for each branch instead.
    targets: Vec<Next>,
    /// The dice of the states, if each state has its own die instead of the source.
    own: Option<OwnDice>,
    states: Vec<Value>,
    names: Vec<String>,
    /// For each state, the state from which it was first reached, and the face; `None` for the
    /// first state.
    before: Vec<Option<(u32, u64)>>,
    outcomes: Vec<BigUint>,
}

/// The branches of the states' own dice.
#[derive(Default)]
struct OwnDice {
    /// The index of the first branch of each state.
    begins: Vec<usize>,
    /// A branch is taken on all faces below its number that no earlier branch takes.
    ends: Vec<u64>,
}

/// The part of a program's chain that was explored so far, with the indices of its states and
/// outcomes.
struct Explorer<'a> {
    program: &'a dyn Program,
    file: &'a str,
    /// The maximum number of states.
    limit: usize,
    known: HashMap<Value, u32>,
    outcomes: HashMap<BigUint, u32>,
    explored: ExploredChain,
}

impl Explorer<'_> {
    /// Returns where a move leads, and gives the state or outcome an index if it is new. `before`
    /// is the state and the face from which the move was made.
    fn number_target(&mut self, next: Move, before: Option<(u32, u64)>) -> Result<Next, Fault> {
        let explored = &mut self.explored;
        match next {
            Move::Output(outcome) => Ok(Next::Outcome(match self.outcomes.entry(outcome) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    explored.outcomes.push(entry.key().clone());
                    *entry.insert(explored.outcomes.len() as u32 - 1)
                }
            })),
            Move::Roll(state) => Ok(Next::State(match self.known.entry(state) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    let number = explored.states.len();
                    if number == self.limit {
                        let path = before.map(|(state, face)| explored.path(state, Some(face)));
                        return Err(Fault::TooLarge {
                            file: self.file.to_string(),
                            states: self.limit,
                            path: path.map(|path| rolls(&path, explored.faces)),
                        });
                    }
                    explored.states.push(entry.key().clone());
                    explored.before.push(before);
                    *entry.insert(number as u32)
                }
            })),
        }
    }

    /// Follows all branches of a state.
    fn follow_branches(&mut self, number: usize) -> Result<(), Fault> {
        let state = self.explored.states[number].clone();
        let own = self.program.own_branches(&state);
        let faces = own.map_or(self.explored.faces, |branches| branches.len() as u64);
        budget::spend(200 * faces);
        if self.explored.targets.len() as u64 + faces > MAX_TRANSITIONS as u64 {
            return Err(Fault::Run {
                file: self.file.to_string(),
                line: None,
                what: format!("more than {MAX_TRANSITIONS} transitions"),
            });
        }
        let Some(branches) = own else {
            for face in 0..faces {
                let next = self.program.step(&state, face)?;
                let target = self.number_target(next, Some((number as u32, face)))?;
                self.explored.targets.push(target);
            }
            return Ok(());
        };
        let begins = self.explored.targets.len();
        let dice = self.explored.own.get_or_insert_default();
        dice.begins.push(begins);
        dice.ends.extend(branches.iter().map(|(end, _)| *end));
        let mut face = 0;
        for (end, next) in branches {
            let target = self.number_target(next.clone(), Some((number as u32, face)))?;
            self.explored.targets.push(target);
            face = *end;
        }
        Ok(())
    }
}

impl ExploredChain {
    /// Explores every state of the program.
    ///
    /// # Errors
    /// If the program stops with a [`Fault`], or [`Fault::TooLarge`] if there are more than `most`
    /// states.
    pub fn new(
        program: &dyn Program,
        file: &str,
        faces: u64,
        most: usize,
    ) -> Result<ExploredChain, Fault> {
        let mut explorer = Explorer {
            program,
            file,
            limit: most.min((MAX_TRANSITIONS as u64 / faces) as usize),
            known: HashMap::new(),
            outcomes: HashMap::new(),
            explored: ExploredChain {
                faces,
                start: Next::Outcome(0),
                targets: Vec::new(),
                own: None,
                states: Vec::new(),
                names: Vec::new(),
                before: Vec::new(),
                outcomes: Vec::new(),
            },
        };
        explorer.explored.start = explorer.number_target(program.start()?, None)?;
        let mut now = 0;
        while now < explorer.explored.states.len() {
            explorer.follow_branches(now)?;
            now += 1;
        }
        let mut explored = explorer.explored;
        // Names are needed only for chains that are shown state by state.
        let shown = explored.states.iter().take(MAX_STATES);
        explored.names = shown.map(|state| program.state_name(state)).collect();
        Ok(explored)
    }

    /// Returns the faces, counted from 0, of the shortest path to a state, followed by the face
    /// `last` if it is given.
    pub(crate) fn path(&self, state: u32, last: Option<u64>) -> Vec<u64> {
        let mut path: Vec<u64> = last.into_iter().collect();
        let mut at = state;
        while let Some((before, face)) = self.before[at as usize] {
            path.push(face);
            at = before;
        }
        path.reverse();
        path
    }

    /// Returns the number of faces of the source.
    pub fn faces(&self) -> u64 {
        self.faces
    }

    /// Returns whether each state rolls its own die instead of the source.
    pub fn has_own_dice(&self) -> bool {
        self.own.is_some()
    }

    /// Returns the range of a state's faces in the list of all faces.
    fn face_range(&self, state: u32) -> std::ops::Range<usize> {
        let state = state as usize;
        match &self.own {
            Some(own) => {
                let begins = &own.begins;
                begins[state]..begins.get(state + 1).copied().unwrap_or(self.targets.len())
            }
            None => state * self.faces as usize..(state + 1) * self.faces as usize,
        }
    }

    /// Iterates over the list of all faces. For each face it gives the state and the number of the
    /// face.
    fn states_and_faces(&self) -> impl Iterator<Item = (u32, u64)> {
        let states = 0..self.states.len() as u32;
        states.flat_map(move |state| {
            let span = self.face_range(state);
            let begin = span.start;
            let face = move |place: usize| match &self.own {
                Some(_) if place == begin => 0,
                Some(own) => own.ends[place - 1],
                None => (place - begin) as u64,
            };
            span.map(move |place| (state, face(place)))
        })
    }

    /// Returns the chain if each state rolls its own die; otherwise `None`.
    ///
    /// # Errors
    /// If the states do not form a valid chain.
    pub(crate) fn own_chain(&self) -> Option<Result<Chain, ChainError>> {
        let own = self.own.as_ref()?;
        let states = (0..self.states.len() as u32).map(|state| {
            let mut first = 0;
            let branches = self.face_range(state).map(|place| {
                let weight = own.ends[place] - first;
                first = own.ends[place];
                Branch {
                    weight: weight.into(),
                    next: self.targets[place],
                }
            });
            ChainState {
                rolls: 1,
                branches: branches
                    .filter(|branch| branch.weight != BigUint::ZERO)
                    .collect(),
            }
        });
        Some(Chain::new(
            self.start,
            states.collect(),
            self.outcomes.clone(),
        ))
    }

    /// Formats rolls from the start as faces. If the states roll their own dice, formats the states
    /// on the path instead.
    pub fn path_name(&self, path: &[u64]) -> String {
        if !self.has_own_dice() {
            return rolls(path, self.faces);
        }
        let mut names = Vec::new();
        let mut at = self.start;
        for face in path.iter().take(MAX_SHOWN) {
            if let Next::State(state) = at {
                names.push(self.name(state));
                at = self.next(state, *face);
            }
        }
        names.join(" ")
    }

    /// Says after which rolls a path ends, as faces from 1; for states with their own dice, after
    /// which states.
    pub fn numbered_path(&self, path: &[u64]) -> String {
        if path.is_empty() {
            return "without a roll".to_string();
        }
        if self.has_own_dice() {
            return format!("after {}", self.path_name(path));
        }
        let faces = path
            .iter()
            .take(MAX_SHOWN)
            .map(|face| (face + 1).to_string());
        let faces = faces.collect::<Vec<_>>().join(", ");
        if path.len() > MAX_SHOWN {
            format!("after rolls {faces}, ... ({} rolls)", path.len())
        } else {
            format!("after rolls {faces}")
        }
    }

    pub(crate) fn first(&self) -> Next {
        self.start
    }

    pub(crate) fn next(&self, state: u32, face: u64) -> Next {
        let place = match &self.own {
            Some(own) => own.ends[self.face_range(state)].partition_point(|end| *end <= face),
            None => face as usize,
        };
        self.next_targets(state)[place]
    }

    /// Returns where each face or branch of a state leads.
    pub(crate) fn next_targets(&self, state: u32) -> &[Next] {
        &self.targets[self.face_range(state)]
    }

    /// Returns the sides of a state's own die.
    pub(crate) fn own_die(&self, state: u32) -> Option<u64> {
        let ends = &self.own.as_ref()?.ends[self.face_range(state)];
        ends.last().copied()
    }

    /// Returns the states, in the order of their shortest rolls.
    pub fn states(&self) -> &[Value] {
        &self.states
    }

    pub(crate) fn name(&self, state: u32) -> &str {
        &self.names[state as usize]
    }

    /// Returns the number of faces of all states together, or of all branches if the states roll
    /// their own dice.
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// Returns the reachable outcomes, in the order of their shortest rolls.
    pub fn outcomes(&self) -> &[BigUint] {
        &self.outcomes
    }

    /// Returns the shortest rolls after which no outcome can be reached. Returns `None` if the
    /// program ends with probability 1 whenever all faces are possible.
    pub fn endless(&self) -> Option<Vec<u64>> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        let mut ends = vec![false; self.states.len()];
        let mut open = Vec::new();
        for ((state, _), next) in self.states_and_faces().zip(&self.targets) {
            match next {
                Next::State(to) => before[*to as usize].push(state),
                Next::Outcome(_) if !ends[state as usize] => {
                    ends[state as usize] = true;
                    open.push(state);
                }
                Next::Outcome(_) => {}
            }
        }
        while let Some(state) = open.pop() {
            for from in std::mem::take(&mut before[state as usize]) {
                if !std::mem::replace(&mut ends[from as usize], true) {
                    open.push(from);
                }
            }
        }
        let state = ends.iter().position(|ends| !ends)?;
        Some(self.path(state as u32, None))
    }

    /// Returns the shortest rolls that end with each outcome, at most `most` for each, in the order
    /// of [`ExploredChain::outcomes`].
    pub fn witnesses(&self, most: usize) -> Vec<Vec<Vec<u64>>> {
        let mut all: Vec<Vec<Vec<u64>>> = vec![Vec::new(); self.outcomes.len()];
        if let Next::Outcome(only) = self.start {
            all[only as usize].push(Vec::new());
        }
        for ((state, face), target) in self.states_and_faces().zip(&self.targets) {
            if let Next::Outcome(outcome) = target
                && all[*outcome as usize].len() < most
            {
                all[*outcome as usize].push(self.path(state, Some(face)));
            }
        }
        all
    }
}

/// The largest number of faces that a message shows.
const MAX_SHOWN: usize = 24;

/// Formats faces, counted from 0, for people: `HT` for a coin, otherwise numbers from 1. A long
/// path is shortened and followed by its length.
pub fn rolls(path: &[u64], faces: u64) -> String {
    if path.is_empty() {
        return "none".to_string();
    }
    let name = |face: &u64| flipcost::algorithms::face_name(faces.into(), *face);
    let names: Vec<String> = path.iter().take(MAX_SHOWN).map(name).collect();
    let shown = names.join(if faces == 2 { "" } else { "," });
    if path.len() > MAX_SHOWN {
        format!("{shown}... ({} rolls)", path.len())
    } else {
        shown
    }
}
