//! The text protocol of `kete`: UCI's verbs, UGI's beside them, and what engine people expect beyond. `protocol.md` at the
//! top of the project is its normative text.
//!
//! A line goes through here like this: [`input`] reads it, [`parse`] turns it into a [`command`], [`session`] carries it out
//! on the game and the search, [`response`] says what there is to answer, [`writer`] writes it. `resolve` says what moves and
//! positions mean for the game at hand, `error` why a command is refused; `listing` has the answers of many lines, `options`
//! the table of options, `job` what runs beside the session.
//!
//! Whoever talks to an engine reads its lines with [`reply`], which shares its `words` with `parse`; [`option_spec`] is an
//! option as data, for both directions.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod command;
mod error;
pub mod input;
mod job;
mod listing;
pub(crate) mod nearest;
pub mod oneshot;
pub mod option_spec;
mod options;
pub mod parse;
pub mod reply;
mod resolve;
pub mod response;
pub mod session;
mod weighing;
mod words;
pub mod writer;

pub use session::Session;
pub use writer::Writer;
