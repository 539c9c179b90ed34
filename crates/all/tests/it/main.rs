//! The tests of the list of all questions, in one binary: linking is most of their build.

mod counts;
mod digits;
mod edges;
mod picture_answers;
mod picture_refusals;
mod python;
mod queries;
mod sentences;
mod stopped;
