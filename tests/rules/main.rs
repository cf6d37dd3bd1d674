//! The rules of the three games, the texts of positions and moves, and whole games.

mod assertions;
mod reference;

mod all_games;
mod conformance;
mod data;
mod kigogo;
mod kimasai;
mod kiswahili;
mod notation;
mod setups;
