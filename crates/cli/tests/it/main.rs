//! The tests of the program: a file or a folder for each command, one for what all share, the book
//! and what people type. They are one binary, since linking takes most of the time to build them.

mod advise;
mod ask;
mod batch;
mod bias;
mod book;
mod cost;
mod distribution;
mod explore;
mod extract;
mod figure;
mod law;
mod libraries;
mod list;
mod oeis;
mod people;
mod plan;
mod reproduce;
mod roll;
mod rule;
mod sequence;
mod shared;
mod show;
mod shuffle;
mod supply;
mod support;
mod toll;
mod verify;
