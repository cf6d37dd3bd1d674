//! `kete`: the protocol, the real program over pipes, and `kete datagen`.

#[path = "../search/nets.rs"]
mod nets;
mod process;

mod datagen;
mod evaluation;
mod fuzz;
mod pipes;
mod text;
