//! Games and positions to ask an engine about, made by the rules and the same in each check.

use crate::game::Hand;
use crate::game::{AnyPosition, GameRecord, GameResult, Move, Setup, Side, Variant};
use crate::notation::{move_text, parse_move, position_text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Random games that are looked through for a position of some kind.
const GAMES: u64 = 200;
/// Careful games of which the longest is taken, and how long one may become.
const LONG_GAMES: u64 = 5;
const LONG_GAME: usize = 1000;
/// No random game is followed further.
const MOST_PLIES: usize = 600;

/// A game with the line that tells it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    game: GameRecord,
    line: String,
}

impl Scene {
    /// The start of a game.
    pub(super) fn start(variant: Variant) -> Scene {
        Scene { game: GameRecord::of_variant(variant), line: "position startpos".to_owned() }
    }

    /// A game that begins here.
    pub(super) fn from(position: &AnyPosition) -> Scene {
        let line = format!("position fen {}", position_text(&position.to_setup()));
        Scene { game: GameRecord::new(position.clone()), line }
    }

    /// Plays a move. An illegal one changes nothing.
    pub(super) fn play(&mut self, m: Move) {
        let text = move_text(m, self.game.side_to_move()).to_string();
        let is_first = self.game.moves().is_empty();
        if self.game.play(m).is_ok() {
            self.line.push_str(if is_first { " moves " } else { " " });
            self.line.push_str(&text);
        }
    }

    /// Plays random moves, no more than `plies` and not beyond the end.
    fn play_randomly(&mut self, plies: usize, random: &mut Xoshiro256PlusPlus) {
        for _ in 0..plies {
            let moves = self.game.legal_moves();
            if moves.is_empty() {
                return;
            }
            if let Some(&m) = moves.get(random.random_range(0..moves.len())) {
                self.play(m);
            }
        }
    }

    /// Plays moves after which the game goes on and the sides are as even as can be.
    fn play_carefully(&mut self, plies: usize, random: &mut Xoshiro256PlusPlus) {
        for _ in 0..plies {
            let next = self.game.legal_moves().into_iter().filter_map(|m| {
                let mut game = self.game.clone();
                game.play(m).ok()?;
                let difference = game.position().seeds(Side::South).abs_diff(game.position().seeds(Side::North));
                game.outcome().is_none().then_some((difference, random.random::<u32>(), m))
            });
            let Some((_, _, m)) = next.min_by_key(|&(difference, lot, _)| (difference, lot)) else { return };
            self.play(m);
        }
    }

    /// The game.
    pub(super) fn game(&self) -> &GameRecord {
        &self.game
    }

    /// The line `position ...` that tells it.
    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// The texts of the legal moves.
    pub(super) fn legal(&self) -> Vec<String> {
        self.game.legal_moves().iter().map(|&m| self.text(m)).collect()
    }

    /// Texts that could be moves of the side to move and are not legal here.
    pub(super) fn illegal(&self) -> Vec<String> {
        let (variant, legal) = (self.game.variant(), self.game.legal_moves());
        let moves = Setup::pits(variant).flat_map(|pit| match variant {
            Variant::Kiswahili => {
                vec![Move::with_hand(pit, Hand::Left, false), Move::with_hand(pit, Hand::Right, false)]
            }
            Variant::Kigogo | Variant::Kimasai => vec![Move::of_pit(pit)],
        });
        moves.filter(|m| !legal.contains(m)).map(|m| self.text(m)).collect()
    }

    /// The legal move of that text.
    pub(super) fn read(&self, text: &str) -> Option<Move> {
        parse_move(text, self.game.position()).ok().filter(|m| self.game.legal_moves().contains(m))
    }

    fn text(&self, m: Move) -> String {
        move_text(m, self.game.side_to_move()).to_string()
    }

    /// The text of the position.
    pub(super) fn fen(&self) -> String {
        position_text(&self.game.position().to_setup()).to_string()
    }

    /// What has come of the game, as `query result` tells it.
    pub(super) fn result(&self) -> &'static str {
        match self.game.outcome().map(|outcome| outcome.result) {
            None => "none",
            Some(GameResult::Win(Side::South)) => "p1win",
            Some(GameResult::Win(Side::North)) => "p2win",
            Some(GameResult::Draw) => "draw",
        }
    }
}

/// A game from its start, some moves old, with two legal moves at least.
pub(super) fn middle(variant: Variant) -> Scene {
    let scenes = (1..=GAMES).map(|seed| {
        let mut scene = Scene::start(variant);
        scene.play_randomly(7, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        scene
    });
    scenes.into_iter().find(|scene| scene.game.legal_moves().len() > 1).unwrap_or_else(|| Scene::start(variant))
}

/// Random games.
fn games(variant: Variant) -> impl Iterator<Item = Scene> {
    (1..=GAMES).map(move |seed| {
        let mut scene = Scene::start(variant);
        scene.play_randomly(MOST_PLIES, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        scene
    })
}

/// The game up to each of its plies, from its start on.
pub(super) fn stages(game: &Scene) -> impl Iterator<Item = Scene> {
    let mut scene = Scene::start(game.game.variant());
    let moves = game.game.moves().to_vec();
    std::iter::once(scene.clone()).chain(moves.into_iter().map(move |m| {
        scene.play(m);
        scene.clone()
    }))
}

/// A random game that somebody has won.
pub(super) fn won_game(variant: Variant) -> Option<Scene> {
    games(variant).find(|scene| scene.game.position().outcome().is_some())
}

/// A position in which there is one legal move.
pub(super) fn one_legal_move(variant: Variant) -> Option<Scene> {
    games(variant).find_map(|game| {
        let stage = stages(&game).find(|scene| scene.game.legal_moves().len() == 1)?;
        Some(Scene::from(stage.game.position()))
    })
}

/// A position in which a move ends the game.
pub(super) fn last_move(variant: Variant) -> Option<Scene> {
    let game = won_game(variant)?;
    let before = stages(&game).nth(game.game.moves().len().checked_sub(1)?)?;
    Some(Scene::from(before.game.position()))
}

/// A long game that is not over.
pub(super) fn long_game(variant: Variant) -> Scene {
    let careful = (1..=LONG_GAMES).map(|seed| {
        let mut scene = Scene::start(variant);
        scene.play_carefully(LONG_GAME, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        scene
    });
    careful.max_by_key(|scene| scene.game.moves().len()).unwrap_or_else(|| Scene::start(variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_scene_of_every_kind_in_every_game() {
        for variant in Variant::ALL {
            assert!(middle(variant).game.legal_moves().len() > 1);
            let won = won_game(variant).unwrap();
            assert!(won.game.outcome().is_some() && won.line.starts_with("position startpos moves "));
            assert_eq!(stages(&won).count(), won.game.moves().len() + 1);
            assert_eq!(one_legal_move(variant).unwrap().legal().len(), 1);
            let mut last = last_move(variant).unwrap();
            assert_eq!(last.game.outcome(), None);
            let ends = |m: &Move| {
                let mut game = last.game.clone();
                game.play(*m).is_ok() && game.outcome().is_some()
            };
            let m = last.game.legal_moves().into_iter().find(ends).unwrap();
            last.play(m);
            assert_eq!(last.line.split(' ').rev().nth(1), Some("moves"));
            let long = long_game(variant);
            assert!(long.game.moves().len() > 100 && long.game.outcome().is_none(), "{variant} {}", long.line);
        }
    }

    #[test]
    fn what_could_be_a_move_and_is_none_is_not_read() {
        for variant in Variant::ALL {
            let scene = middle(variant);
            assert!(scene.legal().iter().all(|word| scene.read(word).is_some()));
            assert!(!scene.illegal().is_empty());
            assert!(scene.illegal().iter().all(|word| scene.read(word).is_none()));
        }
    }
}
