//! Streams of targets: the randomness that is left over from one outcome is used for the next
//! (recycling).
//!
//! An algorithm that makes many outcomes in a row (a d4 and then a d13, or a whole shuffled deck)
//! need not start again for each outcome. It keeps the state (v, c) of the fast dice roller, a
//! number c uniform on [0, v), between the targets n_1, n_2, ... For each target n_i it expands the
//! state (rolls) until v >= n_i. Let q = floor(v/n_i). If c >= q n_i, it rejects and continues with
//! (v - q n_i, c - q n_i); otherwise it outputs c mod n_i and keeps (q, floor(c/n_i)), which is
//! uniform and independent of all outcomes so far. A single target costs as much as with the fast
//! dice roller; a sequence often costs less, and the order of the targets matters. So this is a
//! policy for a stream, not an algorithm for one target, and is not in the registry of
//! [`flipcost::algorithms`].
//!
//! **Law of a sequence.** Given v and the outcomes so far, c is uniform, so (i, v) alone is a
//! Markov chain. For a finite sequence the chain is absorbing:
//!
//! ```text
//! V = v m^e, e the least with V >= n_i     e rolls
//! (i, v) -> (i+1, floor(V/n_i))            with probability q n_i / V
//! (i, v) -> (i, V mod n_i)                 otherwise, with probability below 1/2
//! ```
//!
//! **Eager variant.** Before every extraction, expand until V >= max(n, C), where C is the
//! capacity. [`eager_repeat`] shows how much entropy this variant loses, and why its cost tends to
//! the entropy bound as C grows.
//!
//! Each file has one subject: `sampler` (executes rolls), `joint` (the joint law of the outcomes),
//! `batch` (the cost of a finite sequence), `order` (its best order), `long_run` (an endless
//! stream; its `embedded` chain, and the `certificate` that encloses the cost of a large chain),
//! `shuffle` (the ways to shuffle a deck: by `fisher_yates`, `word_batches`, `orders`), `broken`
//! (shuffles that are not uniform), `positions` (where these leave each card), `subset` (some of
//! the items; `next_free` is a wrong way to choose them) and `store` (the best policy of a store of
//! S states, and a rule that stores a request before it is complete).
//!
//! **Source.** Langkaas 2019, "Roll your own random number generator"; Mennucci 2010, bit
//! recycling, arXiv 1012.4290; Draper & Saad 2025, randomness recycling, arXiv 2505.18879.
#![warn(unnameable_types)]

pub(crate) mod batch;
pub mod broken;
mod certificate;
mod cycles;
mod dice;
mod embedded;
pub mod fisher_yates;
pub mod joint;
mod long_run;
mod next_free;
pub mod order;
mod orders;
pub mod pictures;
pub mod positions;
pub mod questions;
pub mod sampler;
pub mod shuffle;
mod store;
pub mod subset;
mod word_batches;

pub use batch::{BatchCosts, Mode, batch, eager_batch};
pub use broken::{Broken, broken};
pub use fisher_yates::fisher_yates;
pub use long_run::{LongRun, eager_repeat, repeat};
pub use order::{BestOrder, best_order};
pub use orders::{OrderCost, all_orders, order_entropy};
pub use shuffle::{ShuffleMethod, draw, shuffle};
pub use store::{
    BestStore, MAX_STATES, Move, Policy, Recycler, StageDecision, Staged, StoreCertificate,
    StoreError, StoreRun, StoreStep, best_store, holds,
};
pub use subset::{SubsetMethod, subset};
pub use word_batches::{
    BestBatches, WordBatch, WordBatches, best_batches, greedy_batches, greedy_products, one_by_one,
    published_batches,
};
