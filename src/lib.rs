#![doc = include_str!("../README.md")]

pub mod cli;
pub mod contest;
pub mod datagen;
pub mod evaluation;
pub mod game;
pub mod notation;
pub mod protocol;
pub mod search;
