//! The tests of the list of all questions. They are one binary, since linking takes most of the
//! time to build them.

mod counts;
mod digits;
mod edges;
mod picture_answers;
mod picture_refusals;
mod python;
mod queries;
mod sentences;
mod stopped;
