//! The evaluation, both searches, and what they prove.

mod games;
mod nets;
mod searched;
#[path = "../../examples/solve/solver/mod.rs"]
mod solver;

mod alphabeta;
mod endgames;
mod evaluation;
mod tree;
