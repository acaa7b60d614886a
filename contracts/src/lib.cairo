//! go-onchain-v2: Go games settled on a chain, rated in Q32.32 integers.

pub mod constants;
pub mod contract;
pub mod felt;
pub mod formulas;
pub mod primitives;
pub mod rules;
pub mod tickets;
pub mod updating;
