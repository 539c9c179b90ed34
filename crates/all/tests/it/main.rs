//! The tests of the list of all questions. They are one binary, because most of the time to build
//! tests is spent on linking.

mod counts;
mod digits;
mod edges;
mod picture_answers;
mod picture_refusals;
mod python;
mod queries;
mod sentences;
mod stopped;
