//! Kete, an engine for Bao la Kiswahili, Bao Kigogo and Bao la Kimasai.
pub mod game;
pub mod notation;
