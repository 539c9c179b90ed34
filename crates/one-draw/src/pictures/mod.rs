//! Renders the answers of this package as text and pictures.

pub mod curves;
pub mod flow_chart;
pub mod heat_map;
pub mod law;
pub mod simulation;
pub mod supply;
pub mod tree;
pub mod unknown_coin;
