//! The openings that were played, and what came of them.

use super::figures::add;
use crate::contest::{GameCounts, MatchRecord, PlayedGame};
use crate::game::{AnyPosition, Side, Variant};
use crate::notation::parse_setup;
use std::collections::HashMap;

/// One opening.
pub(super) struct Opening<'a> {
    /// The game.
    pub variant: Variant,
    /// Its number in the list of the configuration.
    pub number: u32,
    /// Its text.
    pub text: &'a str,
    /// The position, or why the text is none.
    pub position: Result<AnyPosition, String>,
    /// Its games from the viewpoint of the side that moved first.
    pub first: GameCounts,
    /// Its games from the viewpoint of the first engine, as far as that took part.
    pub engine: GameCounts,
}

/// All openings of a record, by game and number.
pub(super) struct Openings<'a> {
    /// The openings.
    pub list: Vec<Opening<'a>>,
    by_text: HashMap<(Variant, &'a str), usize>,
}

impl<'a> Openings<'a> {
    pub(super) fn new(record: &'a MatchRecord) -> Openings<'a> {
        let first_engine = record.file.config.engines.first().map(|engine| engine.name.as_str());
        let mut list: Vec<Opening<'a>> = Vec::new();
        let mut by_text = HashMap::new();
        for game in &record.games {
            let index = *by_text.entry((game.variant, game.opening.as_str())).or_insert_with(|| {
                list.push(Opening {
                    variant: game.variant,
                    number: game.opening_number,
                    text: &game.opening,
                    position: position(game),
                    first: GameCounts::default(),
                    engine: GameCounts::default(),
                });
                list.len() - 1
            });
            let Some(opening) = list.get_mut(index) else { continue };
            if let Ok(position) = &opening.position {
                add(&mut opening.first, game.result.half_points(position.side_to_move()));
            }
            if let Some(side) = Side::ALL.into_iter().find(|&side| Some(game.engine(side)) == first_engine) {
                add(&mut opening.engine, game.result.half_points(side));
            }
        }
        list.sort_by_key(|opening| (opening.variant as u8, opening.number));
        let by_text = list.iter().enumerate().map(|(i, opening)| ((opening.variant, opening.text), i)).collect();
        Openings { list, by_text }
    }

    /// Where the opening of a game stands in the list.
    pub(super) fn index(&self, game: &PlayedGame) -> Option<usize> {
        self.by_text.get(&(game.variant, game.opening.as_str())).copied()
    }

    /// The opening of a game.
    pub(super) fn of(&self, game: &PlayedGame) -> Option<&Opening<'a>> {
        self.list.get(self.index(game)?)
    }

    /// The side that moved first in a game; `None` if its opening cannot be read.
    pub(super) fn first_mover(&self, game: &PlayedGame) -> Option<Side> {
        self.of(game)?.position.as_ref().ok().map(AnyPosition::side_to_move)
    }
}

fn position(game: &PlayedGame) -> Result<AnyPosition, String> {
    let setup = parse_setup(&game.opening, game.variant).map_err(|e| e.to_string())?;
    AnyPosition::from_setup(&setup).map_err(|e| e.to_string())
}
