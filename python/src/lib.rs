//! The compiled part of the Python package flipcost: questions, laws, sources and targets. The
//! Python modules in `flipcost/` turn them into tables and give them their public names.
//!
//! Long computations run on a separate thread without the interpreter's lock, so that other threads
//! continue and Ctrl-C works; see [`run`].

mod algorithm;
mod answer;
mod argument;
mod draws;
mod error;
mod fraction;
mod law;
mod measured;
mod pickled;
mod program;
mod rule;
mod run;
mod sequence;
mod survival;
mod sweep;
mod task;
mod units;

#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    use crate::algorithm::{Algorithm, algorithm_ids};
    #[pymodule_export]
    use crate::answer::{Answer, ask, cite, command, spelled};
    #[pymodule_export]
    use crate::draws::Draws;
    #[pymodule_export]
    use crate::law::Law;
    #[pymodule_export]
    use crate::program::program;
    #[pymodule_export]
    use crate::rule::{Again, Out, again, out, register_rule};
    #[pymodule_export]
    use crate::sequence::{Sequence, sequence_ids};
    #[pymodule_export]
    use crate::survival::Survival;
    #[pymodule_export]
    use crate::sweep::{Cells, Fractions, sweep};
    #[pymodule_export]
    use crate::task::{Source, Target, endless, source_of, target_of, usual};
    #[pymodule_export]
    use crate::units::{Part, Unit, answered, join, units};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        crate::run::record_home_process();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
