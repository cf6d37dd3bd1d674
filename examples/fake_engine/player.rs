//! The part of the fake that plays: its options, its game, its moves.

use super::faults::{Arguments, Pick};
use kete::game::{AnyPosition, GameRecord, GameResult, Hand, Move, Setup, Side, Variant};
use kete::notation::{move_text, parse_move, parse_setup, position_text};
use kete::protocol::command::{Query, Words};
use kete::protocol::option_spec::{self, OptionKind, OptionSpec};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// A game, the options, and the lies about them.
pub struct Player {
    game: GameRecord,
    seed: u64,
    pick: Pick,
    lying_result: bool,
    lying_legal: bool,
    options: Vec<OptionSpec>,
}

/// The options of a fake that plays `variants`, the first one by default.
fn options(variants: &[Variant]) -> Vec<OptionSpec> {
    let option = |name: &str, kind| OptionSpec { name: name.to_owned(), kind };
    let mut options = vec![
        option("Seed", OptionKind::Spin { default: 1, min: 0, max: i64::MAX }),
        option("Threads", OptionKind::Spin { default: 1, min: 1, max: 256 }),
        option("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
        option("Own Book", OptionKind::Check { default: false }),
        option("Book File", OptionKind::String { default: String::new() }),
        option("Clear Hash", OptionKind::Button),
    ];
    if let Some(first) = variants.first() {
        let choices = variants.iter().map(|variant| variant.name().to_owned()).collect();
        options.insert(0, option("UCI_Variant", OptionKind::Combo { default: first.name().to_owned(), choices }));
    }
    options
}

impl Player {
    /// A player at the start of its first game.
    pub fn new(arguments: &Arguments) -> Player {
        let variants = match arguments.only_variant {
            _ if arguments.no_variant => Vec::new(),
            Some(only) => vec![only],
            None => Variant::ALL.to_vec(),
        };
        let variant = arguments.only_variant.unwrap_or(Variant::Kiswahili);
        Player {
            game: GameRecord::of_variant(variant),
            seed: 1,
            pick: arguments.pick,
            lying_result: arguments.lying_result,
            lying_legal: arguments.lying_legal,
            options: options(&variants),
        }
    }

    /// The options.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// Sets an option.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let option = option_spec::find(&self.options, name).map_err(|error| error.to_string())?;
        let value = option.accepts(value).map_err(|error| error.to_string())?.unwrap_or("");
        match option.name.as_str() {
            "UCI_Variant" => {
                let variant = Variant::from_name(value).ok_or("no such game")?;
                self.game = GameRecord::of_variant(variant);
            }
            "Seed" => self.seed = value.parse().map_err(|_| "no seed")?,
            _ => {}
        }
        Ok(())
    }

    /// Goes back to the start position.
    pub fn new_game(&mut self) {
        self.game = GameRecord::of_variant(self.game.variant());
    }

    /// Sets up a position and plays moves.
    ///
    /// # Errors
    /// What is wrong with them, in words. Nothing has changed then.
    pub fn set_up(&mut self, text: Option<&str>, moves: &[Words<'_>]) -> Result<(), String> {
        let variant = self.game.variant();
        let start = match text {
            None => AnyPosition::start(variant),
            Some(text) => {
                let setup = parse_setup(text, variant).map_err(|error| error.to_string())?;
                AnyPosition::from_setup(&setup).map_err(|error| error.to_string())?
            }
        };
        let mut game = GameRecord::new(start);
        for word in moves {
            let m = parse_move(word.text, game.position()).map_err(|error| error.to_string())?;
            game.play(m).map_err(|error| error.to_string())?;
        }
        self.game = game;
        Ok(())
    }

    /// The text of the move to play; `(none)` if there is none.
    pub fn best_move(&self) -> String {
        let moves = self.game.legal_moves();
        let chosen = match self.pick {
            Pick::First => moves.first(),
            Pick::Last => moves.last(),
            Pick::Random => {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(self.game.position().key() ^ self.seed);
                if moves.is_empty() { None } else { moves.get(random.random_range(0..moves.len())) }
            }
        };
        chosen.map_or_else(|| "(none)".to_owned(), |&m| self.text(m))
    }

    /// The text of a well-formed move that is not legal.
    pub fn illegal_move(&self) -> String {
        let legal = self.game.legal_moves();
        let mut moves = Setup::pits(self.game.variant()).flat_map(|pit| match self.game.variant() {
            Variant::Kiswahili => [Hand::Left, Hand::Right].map(|hand| Move::with_hand(pit, hand, false)),
            Variant::Kigogo | Variant::Kimasai => [Move::of_pit(pit); 2],
        });
        let illegal = moves.find(|m| !legal.contains(m));
        illegal.map_or_else(|| "xyzzy".to_owned(), |m| self.text(m))
    }

    fn text(&self, m: Move) -> String {
        move_text(m, self.game.side_to_move()).to_string()
    }

    /// The answer to a query.
    pub fn answer(&self, query: Query<'_>) -> String {
        let outcome = self.game.outcome();
        match query {
            Query::GameOver => outcome.is_some().to_string(),
            Query::P1Turn => (self.game.side_to_move() == Side::South).to_string(),
            Query::Result => {
                let result = match outcome.map(|o| o.result) {
                    None => "none",
                    Some(GameResult::Win(Side::South)) => "p1win",
                    Some(GameResult::Win(Side::North)) => "p2win",
                    Some(GameResult::Draw) => "draw",
                };
                let lie = if result == "p1win" { "p2win" } else { "p1win" };
                let result = if self.lying_result { lie } else { result };
                result.to_owned()
            }
            Query::Reason => outcome.map_or("none", |o| o.reason.name()).to_owned(),
            Query::Fen => position_text(&self.game.position().to_setup()).to_string(),
            Query::Moves => {
                let moves = self.game.legal_moves();
                let texts: Vec<String> =
                    moves.iter().skip(usize::from(self.lying_legal)).map(|&m| self.text(m)).collect();
                if texts.is_empty() { "(none)".to_owned() } else { texts.join(" ") }
            }
            Query::IsLegal(word) => {
                let m = parse_move(word.text, self.game.position());
                let is_legal = m.is_ok_and(|m| self.game.legal_moves().contains(&m));
                (is_legal != self.lying_legal).to_string()
            }
        }
    }
}
