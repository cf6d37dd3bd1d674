//! Matches of the real `kete-match` with engines that fail in every way that the fake engine knows: who loses and why, what
//! is kept of it, and that the match goes on or stops as it is told to.
//!
//! Times are bounded only as far as "it does not hang" needs it.
#![cfg(unix)]

#[path = "../fake/mod.rs"]
mod fake;
#[path = "../runner/mod.rs"]
mod runner;

mod failures;
mod manners;
mod preflight;
mod scores;
mod scripts;
mod sent;
