//! What every game offers: the trait that search, perft and records are generic over.

use super::{IllegalMove, Move, MoveList, Outcome, Setup, SetupError, Side, Variant};
use rand::Rng;
use std::fmt::Debug;

/// What a played move was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// How many laps were sown; in Kiswahili the placing of the reserve seed is none (rule S11).
    pub laps: u64,
    /// Kigogo: the relay never ends, and the game is drawn (rule K5).
    pub endless: bool,
}

/// A valid position of one game: everything but the past.
///
/// Positions are small values without heap memory; copying one is how a move is tried. Repetition (rule G5b) needs the
/// past and is the matter of [`GameRecord`](super::GameRecord).
pub trait Position: Clone + Debug + Send + Sync + 'static {
    /// The game.
    const VARIANT: Variant;

    /// The starting position of the rule book.
    fn start() -> Self;

    /// Validates a setup (rule G6).
    ///
    /// # Errors
    /// A [`SetupError`] that names what is wrong and what was expected.
    fn from_setup(setup: &Setup) -> Result<Self, SetupError>;

    /// The same position as a setup, for writing and drawing.
    fn to_setup(&self) -> Setup;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// Plies played before this position; stays at the largest `u32` once it is there.
    fn ply(&self) -> u32;

    /// Seeds that a side holds, its reserve included.
    fn seeds(&self, side: Side) -> u32;

    /// The legal moves, without regard to [`Position::outcome`]: a position that is over may still have some by the
    /// rules of movement. Each legal move occurs once.
    fn movements(&self) -> MoveList;

    /// Calls `visit` with each of [`Position::movements`], in their order, and with the position after it and how it was
    /// played, where the move had to be played to know that it is legal.
    #[inline]
    fn successors(&self, mut visit: impl FnMut(Move, Option<(Self, Completion)>)) {
        for m in self.movements() {
            visit(m, None);
        }
    }

    /// The end of the game as far as the position alone shows it: not repetition, not an endless relay.
    fn outcome(&self) -> Option<Outcome>;

    /// The same as far as no move has to be played for it: that all moves of a side are never-ending (rule S11) is not seen.
    #[inline]
    fn evident_outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// Plays a move that is known to be legal.
    ///
    /// The move must be one of [`Position::legal_moves`]; anything else leaves a board that no rule speaks of (debug
    /// builds assert it), but never undefined behaviour.
    fn play_unchecked(&mut self, m: Move) -> Completion;

    /// Plays a uniformly random legal move. If the game is over, before or after that move, returns its outcome;
    /// repetition is not looked at.
    fn play_random<R: Rng>(&mut self, rng: &mut R) -> Option<Outcome>;

    /// Whether the whole state, the side to move included, equals that of `other` in the sense of rule G5b. The ply does
    /// not count.
    fn same_state(&self, other: &Self) -> bool;

    /// A 64-bit key of the state that [`Position::same_state`] compares: equal states have equal keys.
    fn key(&self) -> u64;

    /// The legal moves: none if the game is over.
    #[inline]
    fn legal_moves(&self) -> MoveList {
        if self.outcome().is_some() { MoveList::new() } else { self.movements() }
    }

    /// Whether `m` may be played.
    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays `m` if it is legal; otherwise the position stays as it is.
    ///
    /// # Errors
    /// [`IllegalMove`] if the rules do not allow it here.
    ///
    /// ```
    /// use kete::game::{Kimasai, Move, Pit, Position, Row, Side};
    /// let mut position = Kimasai::start();
    /// position.play(Move::of_pit(Pit::new(Row::Front, 2).unwrap())).unwrap();
    /// assert_eq!(position.side_to_move(), Side::North);
    /// assert!(position.play(Move::of_pit(Pit::new(Row::Back, 1).unwrap())).is_err());
    /// ```
    fn play(&mut self, m: Move) -> Result<Completion, IllegalMove> {
        if self.is_legal(m) { Ok(self.play_unchecked(m)) } else { Err(IllegalMove { variant: Self::VARIANT }) }
    }
}

/// A random game that is longer than this is given up: playouts do not look for repetition, and forced play can run in a
/// cycle. It is ten times the longest of a million games (rule book, part 4).
pub const PLAYOUT_MAX_PLIES: u32 = 4_096;

/// Plays uniformly random moves to the end of the game, or for `max_plies` plies; `None` if it was not over by then.
#[inline]
pub fn random_playout<P: Position, R: Rng>(mut position: P, rng: &mut R, max_plies: u32) -> Option<Outcome> {
    for _ in 0..max_plies {
        let outcome = position.play_random(rng);
        if outcome.is_some() {
            return outcome;
        }
    }
    None
}

/// Mixes words into a 64-bit key: a multiply-fold per word, in the manner of wyhash.
#[inline]
pub(super) fn key_of_words<const N: usize>(words: [u64; N]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut key = 0x2545_f491_4f6c_dd1d_u64;
    for word in words {
        let product = u128::from(key ^ word) * u128::from(MULTIPLIER);
        key = (product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(32);
    }
    let product = u128::from(key ^ MULTIPLIER) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product as u64) ^ (product >> 64) as u64
}
