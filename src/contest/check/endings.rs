//! Last steps: the engine ends when it is told to.

use super::answers::Search;
use super::scenes::Scene;
use super::subject::{Flaw, Subject, wrong};
use crate::game::Variant;
use std::process::ExitStatus;
use std::time::Instant;

/// How the engine is told to end.
#[derive(Clone, Copy)]
enum Farewell {
    Quit,
    EndOfInput,
}

impl Farewell {
    fn text(self) -> &'static str {
        match self {
            Farewell::Quit => "\"quit\"",
            Farewell::EndOfInput => "the end of its input",
        }
    }
}

fn part(subject: &mut Subject<'_>, farewell: Farewell) -> Result<(), Flaw> {
    let patience = subject.patience();
    match farewell {
        Farewell::Quit => drop(subject.send(&["quit"])?),
        Farewell::EndOfInput => subject.client()?.close_input(),
    }
    let status = subject.client()?.end(Instant::now() + patience);
    subject.leave();
    let (text, ms) = (farewell.text(), patience.as_millis());
    match status {
        None => wrong(format!("still running {ms} ms after {text}, expected its end")),
        Some(status) if status.success() => Ok(()),
        Some(status) => wrong(format!("{} after {text}, expected exit status 0", describe(status))),
    }
}

fn describe(status: ExitStatus) -> String {
    super::super::process::describe_exit(status)
}

/// Has a search begin that does not end by itself.
fn search(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    let variant = subject.variants().first().copied().unwrap_or(Variant::Kiswahili);
    subject.begin(variant)?;
    let scene = Scene::start(variant);
    Search::begin(subject, &scene, "go infinite")?.ready(subject)
}

pub(super) fn quit(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.take(&[])?;
    part(subject, Farewell::Quit)
}

pub(super) fn quit_search(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    search(subject)?;
    part(subject, Farewell::Quit)
}

pub(super) fn end_of_input(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    subject.take(&[])?;
    part(subject, Farewell::EndOfInput)
}

pub(super) fn end_of_input_search(subject: &mut Subject<'_>) -> Result<(), Flaw> {
    search(subject)?;
    part(subject, Farewell::EndOfInput)
}
