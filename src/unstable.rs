//! What the packages under `crates/` and the benches use beyond the public interface, by module.
//!
//! Behind the feature `unstable`: these names may change with every version. Nothing here is needed
//! to prepare an algorithm, to know its law, to roll, or to ask for columns, batches, plans and
//! sequences.

/// How the software asks to be cited, in the Citation File Format.
pub const CITATION: &str = include_str!("../CITATION.cff");

/// More about algorithms: tables, trees, recipes and models, and the quantities that they offer.
pub mod algorithms {
    pub use crate::algorithms::bounded::bounded_rolls;
    pub use crate::algorithms::faces::{BadRoll, GENERATOR, face_name, parse_rolls};
    pub use crate::algorithms::factoring::{
        FactoringRecipe, Part, Procedure, recipe, recipe_with_remainders,
    };
    pub use crate::algorithms::fast_dice_roller::{FlowChart, Round, flow_chart};
    pub use crate::algorithms::interval_orders::{
        IntervalOrder, MOST_ORDERS, cheapest_order, different_orders,
    };
    pub use crate::algorithms::largest_toll::{LargestToll, LargestTolls, least_depth};
    pub use crate::algorithms::quantity::{Known, Tables, Values, Wanted, WorkLimit};

    /// The works that algorithms and sequences cite.
    pub mod literature {
        pub use crate::algorithms::literature::*;
    }
    /// Monte Carlo against the exact law.
    pub mod simulate {
        pub use crate::algorithms::simulate::*;
    }
    /// The outcome of every block of rolls.
    pub mod table {
        pub use crate::algorithms::table::*;
        pub use crate::table::columns::NoValue;
        pub use crate::table::expression::Expression;
        pub use crate::table::request::ValueError;
        pub use crate::table::statement::{Decision, Statement};
    }
    /// The decision tree.
    pub mod tree {
        pub use crate::algorithms::tree::*;
    }
}

/// Recipes line by line, and as pages.
pub mod dice_set {
    pub use crate::dice_set::optimal::{Cell, LookUp, LookUpTable};
    pub use crate::dice_set::page::{RecipeBlock, RecipePage, RecipeRule};
    pub use crate::dice_set::recipe::{RecipeLine, RecipePlace, RecipeTable};
}

/// Expressions as people write them.
pub mod grammar {
    pub use crate::grammar::*;
}

/// The fast dice roller's arithmetic.
pub mod roller {
    pub use crate::roller::*;
}

/// Memory that was freed and is used again.
pub mod memory {
    pub use crate::memory::keep_freed;
}

/// Chains that are built by hand.
pub mod law {
    pub use crate::law::bias::log2;
    pub use crate::law::chain::{Branch, ChainError, ChainState};
    pub use crate::law::reduction::{
        MOST_TERMS, bits_within, modulo_bleichenbacher, multiply_bleichenbacher,
        total_variation_of_bits,
    };

    /// The toll of one probability.
    pub mod digits {
        pub use crate::law::digits::*;
    }
    /// The least and the greatest toll over a range.
    pub mod band {
        pub use crate::law::band::*;
    }
    /// The toll of the fast dice roller as a periodic function.
    pub mod toll {
        pub use crate::law::fourier::*;
        pub use crate::law::toll::*;
    }
    /// How the toll is distributed.
    pub mod toll_distribution {
        pub use crate::law::toll_distribution::*;
    }
}

/// Numbers as they are written, and number theory.
pub mod number {
    pub use crate::number::narrow::Narrow;
    pub use crate::number::real::{common_decimals, nearest_f64};
    pub use crate::number::short::{short, short_digits};
    pub use crate::number::text::{Parts, digits, push_word, with_fraction};

    /// Real constants as they are written.
    pub mod constant {
        pub use crate::number::constant::*;
    }
    /// Numbers as they are written.
    pub mod expression {
        pub use crate::number::expression::*;
    }
    /// Rational functions of p as they are written.
    pub mod functions {
        pub use crate::number::functions::*;
    }
    /// Products and quotients of long integers.
    pub mod long {
        pub use crate::number::long::*;
    }
    /// Layman's MR-expansion.
    pub mod mr {
        pub use crate::number::mr::*;
    }
    /// Numbers with names.
    pub mod named {
        pub use crate::number::named::*;
    }
    /// Multiplicative orders and orbits.
    pub mod order {
        pub use crate::number::order::*;
    }
    /// Sums of many reals.
    pub mod total {
        pub use crate::number::total::*;
    }
    /// Rationals of an expression.
    pub mod rationals {
        pub use crate::number::rationals::*;
    }
    /// Reals of an expression.
    pub mod reals {
        pub use crate::number::reals::*;
    }
    /// Greatest common divisors and lowest terms.
    pub mod reduce {
        pub use crate::number::reduce::*;
    }
    /// Primes, and the orders of a range of n.
    pub mod sieve {
        pub use crate::number::sieve::*;
    }
}

/// Families of sequences, and theorems over ranges.
pub mod sequences {
    pub use crate::sequences::families::FAMILIES;
    pub use crate::sequences::family::{Arguments, Family, Parameter, ParameterKind};
    pub use crate::sequences::work::Work;

    /// Theorems and conjectures over ranges of n.
    pub mod verify {
        pub use crate::sequences::verify::*;
    }
}

/// The recycler, one draw at a time.
pub mod streams {
    pub use crate::streams::batch::power;
    pub use crate::streams::broken::MOST_BROKEN;
    pub use crate::streams::fisher_yates::MOST_CARDS;
    pub use crate::streams::joint::joint;
    pub use crate::streams::order::EXHAUSTIVE;
    pub use crate::streams::riffle::{MOST_RIFFLED, MOST_RIFFLES, MOST_SHELVES, riffled, shelved};
    pub use crate::streams::sampler::{Event, StreamSampler};
    pub use crate::streams::shuffle::CAPACITY;
    pub use crate::streams::shuffle::draw_by;
}

/// Every n in a range, on many threads, in order.
pub mod sweep {
    pub use crate::sweep::*;
}

/// Work in parts, on all threads, with results in order.
pub mod threads {
    pub use crate::threads::*;
}

/// Columns by name, and rows in chunks.
pub mod table {
    pub use crate::table::columns::NoValue;
    pub use crate::table::expression::Expression;
    pub use crate::table::precision::{EXACT_LIMIT, size_in_words};
    pub use crate::table::request::ValueError;
    pub use crate::table::request::{Chunk, PreparedRow, RangeTables, Word, Words, value};
    pub use crate::table::statement::{Decision, Statement};

    /// The columns by name.
    pub mod columns {
        pub use crate::table::columns::*;
    }
}
