//! Steps about `query`: the engine as a referee, against the rules, over a game from its start to its end.

use super::positions::is_same;
use super::scenes::{self, Scene};
use super::subject::{Flaw, Subject, shown, untested, wrong};
use crate::game::{Side, Variant};

/// Positions of the game that are asked about, its end among them.
const POSITIONS: usize = 25;
/// Moves that are asked about in each position, of the legal ones and of the others.
const MOVES: usize = 3;

/// Asks in many positions of a game, and lets `judge` say what would have been right if the answer is not.
fn ask(
    subject: &mut Subject<'_>,
    variant: Variant,
    query: &str,
    judge: impl Fn(&Scene, &str) -> Option<String>,
) -> Result<(), Flaw> {
    let Some(game) = scenes::won_game(variant) else { return untested("no game was won") };
    let every = game.game().moves().len().div_ceil(POSITIONS).max(1);
    let count = game.game().moves().len();
    let chosen = scenes::stages(&game).enumerate().filter(|(ply, _)| ply % every == 0 || *ply == count);
    for (_, scene) in chosen {
        let answer = question(subject, &scene, query)?;
        if let Some(expected) = judge(&scene, &answer) {
            return wrong(format!(
                "{query} is answered by {answer} after {}, expected {expected}",
                shown(scene.line())
            ));
        }
    }
    Ok(())
}

fn question(subject: &mut Subject<'_>, scene: &Scene, query: &str) -> Result<String, Flaw> {
    if !subject.client()?.answers_queries() {
        return untested("it does not answer query");
    }
    match subject.query(&[scene.line()], query)? {
        Some(answer) => Ok(answer),
        None => untested(format!("{query} is not answered")),
    }
}

fn must_be(answer: &str, expected: &str) -> Option<String> {
    (answer != expected).then(|| expected.to_owned())
}

pub(super) fn game_over(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ask(subject, variant, "query gameover", |scene, answer| {
        must_be(answer, if scene.game().outcome().is_some() { "true" } else { "false" })
    })
}

pub(super) fn first_player(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ask(subject, variant, "query p1turn", |scene, answer| match scene.game().outcome() {
        // It is nobody's turn.
        Some(_) => None,
        None => must_be(answer, if scene.game().side_to_move() == Side::South { "true" } else { "false" }),
    })
}

pub(super) fn result(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ask(subject, variant, "query result", |scene, answer| must_be(answer, scene.result()))
}

pub(super) fn fen(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ask(subject, variant, "query fen", |scene, answer| (!is_same(answer, scene)).then(|| scene.fen()))
}

pub(super) fn is_legal(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(game) = scenes::won_game(variant) else { return untested("no game was won") };
    let every = game.game().moves().len().div_ceil(POSITIONS).max(1);
    for scene in scenes::stages(&game).step_by(every) {
        let legal = scene.legal().into_iter().take(MOVES).map(|word| (word, "true"));
        let others = scene.illegal().into_iter().take(MOVES).map(|word| (word, "false"));
        for (word, expected) in legal.chain(others) {
            let query = format!("query islegal {word}");
            let answer = question(subject, &scene, &query)?;
            if answer != expected {
                let asked = shown(scene.line());
                return wrong(format!("{query} is answered by {answer} after {asked}, expected {expected}"));
            }
        }
    }
    Ok(())
}
