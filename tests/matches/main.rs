//! `kete-match`: the real program with engines that fail in every way that the fake engine knows, what is typed to it, what
//! interrupts it, and the statistics of matches.
//!
//! Times are bounded only as far as "it does not hang" needs it.
#![cfg(unix)]

mod fake;
// Processes that are left over are looked for in /proc.
#[cfg(target_os = "linux")]
mod interruption;
mod runner;

mod check;
mod cli;
mod failures;
mod fake_engine;
mod manners;
mod preflight;
#[cfg(target_os = "linux")]
mod resume;
mod scores;
mod scripts;
mod sent;
mod statistics;
