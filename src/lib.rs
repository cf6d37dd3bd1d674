//! Kete, an engine for Bao la Kiswahili, Bao Kigogo and Bao la Kimasai.
pub mod cli;
pub mod game;
pub mod notation;
pub mod protocol;
pub mod search;
