//! The sequences of the engine as entries of the encyclopedia. The tests are one binary, since
//! linking takes most of the time to build them.

mod programs;
mod sequences;
