//! Steps about new games and positions. What the engine makes of a position is seen by its next move, and by `query fen`
//! if it answers that.

use super::answers::Search;
use super::scenes::{self, Scene};
use super::subject::{Flaw, Subject, shown, untested, wrong};
use crate::game::Variant;

/// Moves of a line that goes on after the game must have ended.
const LONG_LINE: usize = 5000;

/// Makes sure that the engine stands where `scene` is after the lines that were sent.
fn stands_at(subject: &mut Subject<'_>, scene: &Scene) -> Result<(), Flaw> {
    if let Some(told) = subject.query(&[], "query fen")? {
        let expected = scene.fen();
        if told != expected && !is_same(&told, scene) {
            return wrong(format!("query fen tells {told} after {}, expected {expected}", shown(scene.line())));
        }
    }
    Ok(())
}

/// Whether a position text means the position of `scene`.
pub(super) fn is_same(told: &str, scene: &Scene) -> bool {
    let setup = crate::notation::parse_setup(told, scene.game().variant());
    setup.is_ok_and(|setup| setup == scene.game().position().to_setup())
}

fn takes(subject: &mut Subject<'_>, scene: &Scene) -> Result<(), Flaw> {
    subject.take(&[scene.line()])?;
    stands_at(subject, scene)?;
    Search::run(subject, scene, "go nodes 10").map(|_| ())
}

pub(super) fn new_game(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    // The game before this step began one already: now there is something to forget.
    subject.take(&[scenes::middle(variant).line()])?;
    subject.take(&["ucinewgame"])?;
    takes(subject, &Scene::start(variant))
}

pub(super) fn start(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    takes(subject, &Scene::start(variant))
}

pub(super) fn start_and_moves(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    takes(subject, &scenes::middle(variant))
}

pub(super) fn fen(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    takes(subject, &Scene::from(scenes::middle(variant).game().position()))
}

pub(super) fn fen_and_moves(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let mut scene = Scene::from(scenes::middle(variant).game().position());
    for _ in 0..2 {
        if let Some(&m) = scene.game().legal_moves().first() {
            scene.play(m);
        }
    }
    takes(subject, &scene)
}

pub(super) fn long_line(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    takes(subject, &scenes::long_game(variant))
}

pub(super) fn endless_line(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let game = scenes::long_game(variant);
    let moves: Vec<&str> = game.line().split(' ').skip(3).cycle().take(LONG_LINE).collect();
    survives(subject, variant, &[&format!("position startpos moves {}", moves.join(" "))])
}

/// Has the engine hear something that is no position, and makes sure that it goes on to play.
fn survives(subject: &mut Subject<'_>, variant: Variant, lines: &[&str]) -> Result<(), Flaw> {
    for line in lines {
        subject.settle(&[line])?;
    }
    takes(subject, &scenes::middle(variant))
}

pub(super) fn nonsense(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let fen = Scene::start(variant).fen();
    let half = fen.get(..fen.len() / 2).unwrap_or_default();
    let cut_off = format!("position fen {half}");
    let huge = format!("position fen {}", fen.replace(',', ",99999999999999999999,"));
    survives(subject, variant, &["position", "position nowhere", "position fen", "position fen x/y/z", &cut_off, &huge])
}

pub(super) fn illegal_move(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(word) = Scene::start(variant).illegal().into_iter().next() else {
        return untested("every move is legal at the start");
    };
    let lines = [format!("position startpos moves {word}"), "position startpos moves xyzzy".to_owned()];
    survives(subject, variant, &lines.each_ref().map(String::as_str))
}
