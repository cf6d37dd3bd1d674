//! The enum over the three games, for code that learns the game at run time.

use super::{
    Completion, IllegalMove, Kigogo, Kimasai, Kiswahili, Move, MoveList, Outcome, Position, Setup, SetupError, Side,
    Variant,
};

/// A position of any of the three games.
///
/// It is for the outside world: sessions, referees, notation. Code that plays millions of moves matches on it once and is
/// generic over [`Position`] from there.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// Bao la Kiswahili.
    Kiswahili(Kiswahili),
    /// Bao Kigogo.
    Kigogo(Kigogo),
    /// Bao la Kimasai.
    Kimasai(Kimasai),
}

/// Does the same with the position inside, whichever game it is of.
macro_rules! each {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            AnyPosition::Kiswahili($position) => $body,
            AnyPosition::Kigogo($position) => $body,
            AnyPosition::Kimasai($position) => $body,
        }
    };
}

impl AnyPosition {
    /// The starting position of that game.
    pub fn start(variant: Variant) -> AnyPosition {
        match variant {
            Variant::Kiswahili => AnyPosition::Kiswahili(Kiswahili::start()),
            Variant::Kigogo => AnyPosition::Kigogo(Kigogo::start()),
            Variant::Kimasai => AnyPosition::Kimasai(Kimasai::start()),
        }
    }

    /// Validates a setup as a position of its own game (rule G6).
    ///
    /// # Errors
    /// A [`SetupError`] that names what is wrong and what was expected.
    pub fn from_setup(setup: &Setup) -> Result<AnyPosition, SetupError> {
        Ok(match setup.variant() {
            Variant::Kiswahili => AnyPosition::Kiswahili(Kiswahili::from_setup(setup)?),
            Variant::Kigogo => AnyPosition::Kigogo(Kigogo::from_setup(setup)?),
            Variant::Kimasai => AnyPosition::Kimasai(Kimasai::from_setup(setup)?),
        })
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        match self {
            AnyPosition::Kiswahili(_) => Variant::Kiswahili,
            AnyPosition::Kigogo(_) => Variant::Kigogo,
            AnyPosition::Kimasai(_) => Variant::Kimasai,
        }
    }

    /// The same position as a setup, for writing and drawing.
    pub fn to_setup(&self) -> Setup {
        each!(self, p => p.to_setup())
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        each!(self, p => p.side_to_move())
    }

    /// Plies played before this position.
    pub fn ply(&self) -> u32 {
        each!(self, p => p.ply())
    }

    /// Seeds that a side holds, its reserve included.
    pub fn seeds(&self, side: Side) -> u32 {
        each!(self, p => p.seeds(side))
    }

    /// The legal moves: none if the game is over. See [`Position::legal_moves`].
    pub fn legal_moves(&self) -> MoveList {
        each!(self, p => p.legal_moves())
    }

    /// Whether `m` may be played.
    pub fn is_legal(&self, m: Move) -> bool {
        each!(self, p => p.is_legal(m))
    }

    /// The end of the game as far as the position alone shows it. See [`Position::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, p => p.outcome())
    }

    /// Plays `m` if it is legal; otherwise the position stays as it is.
    ///
    /// # Errors
    /// [`IllegalMove`] if the rules do not allow it here.
    pub fn play(&mut self, m: Move) -> Result<Completion, IllegalMove> {
        each!(self, p => p.play(m))
    }

    /// Whether the whole state equals that of `other` in the sense of rule G5b; the ply does not count.
    pub fn same_state(&self, other: &AnyPosition) -> bool {
        match (self, other) {
            (AnyPosition::Kiswahili(a), AnyPosition::Kiswahili(b)) => a.same_state(b),
            (AnyPosition::Kigogo(a), AnyPosition::Kigogo(b)) => a.same_state(b),
            (AnyPosition::Kimasai(a), AnyPosition::Kimasai(b)) => a.same_state(b),
            _ => false,
        }
    }

    /// A 64-bit key of the state. See [`Position::key`].
    pub fn key(&self) -> u64 {
        each!(self, p => p.key())
    }
}
