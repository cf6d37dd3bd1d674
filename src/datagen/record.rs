//! A position as it stands in the file, with its score and the result of its game.

use crate::game::{AnyPosition, GameResult, Outcome, Side, Variant};
use arrayvec::ArrayVec;

/// From this magnitude on a score is a proved result.
pub const PROVED_FROM: i16 = 30_000;

/// Bytes behind the board: score, result, number of the game.
const REST: usize = 2 + 1 + 4;

/// The bytes of a board, in the order of the file.
pub type Board = ArrayVec<u8, 48>;

/// The bytes that a board of that game has.
pub const fn board_bytes(variant: Variant) -> usize {
    match variant {
        Variant::Kiswahili => 36,
        Variant::Kigogo => 48,
        Variant::Kimasai => 6,
    }
}

/// The bytes that a record of that game has.
pub const fn record_bytes(variant: Variant) -> usize {
    board_bytes(variant) + REST
}

/// How a game ended for the side to move in a position of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoverResult {
    /// The mover lost.
    Loss = 0,
    /// Nobody won.
    Draw = 1,
    /// The mover won.
    Win = 2,
}

impl MoverResult {
    /// The result for `mover` of a game that ended so; one that did not end is drawn.
    pub fn of(outcome: Option<Outcome>, mover: Side) -> MoverResult {
        match outcome.map(|o| o.result) {
            Some(GameResult::Win(side)) if side == mover => MoverResult::Win,
            Some(GameResult::Win(_)) => MoverResult::Loss,
            Some(GameResult::Draw) | None => MoverResult::Draw,
        }
    }

    fn from_byte(byte: u8) -> Option<MoverResult> {
        [MoverResult::Loss, MoverResult::Draw, MoverResult::Win].into_iter().find(|r| *r as u8 == byte)
    }
}

/// A position that the side to move, the mover, had before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position, seen by the mover.
    pub board: Board,
    /// What the search made of it for the mover: in 1/256 logit of his chance to win, or proved.
    pub score: i16,
    /// How the game ended for the mover.
    pub result: MoverResult,
    /// The number of the game, from 0.
    pub game: u32,
}

impl Record {
    /// Whether the score is a proved win or loss. A proved draw looks like any even score.
    pub fn is_proved(&self) -> bool {
        self.score.unsigned_abs() >= PROVED_FROM.unsigned_abs()
    }

    /// Adds the bytes of the record.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.board);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        bytes.push(self.result as u8);
        bytes.extend_from_slice(&self.game.to_le_bytes());
    }

    /// The record of all of `bytes`; `None` if they are none.
    pub fn read(bytes: &[u8]) -> Option<Record> {
        let (board, rest) = bytes.split_at_checked(bytes.len().checked_sub(REST)?)?;
        let &[low, high, result, a, b, c, d] = rest else { return None };
        Some(Record {
            board: Board::try_from(board).ok()?,
            score: i16::from_le_bytes([low, high]),
            result: MoverResult::from_byte(result)?,
            game: u32::from_le_bytes([a, b, c, d]),
        })
    }
}

/// A position as the bytes of its board, the mover's before the opponent's.
pub(super) fn board(position: &AnyPosition) -> Board {
    let mut board = Board::new();
    let mover = position.side_to_move();
    // No board has more bytes than there is room for.
    match position {
        AnyPosition::Kigogo(p) => {
            for side in [mover, !mover] {
                board.extend(p.counts(side).iter().copied());
            }
        }
        AnyPosition::Kimasai(p) => {
            for side in [mover, !mover] {
                board.extend(p.occupied(side).to_le_bytes().into_iter().take(3));
            }
        }
        AnyPosition::Kiswahili(p) => {
            for side in [mover, !mover] {
                board.extend(p.counts(side));
            }
            let houses = u8::from(p.owns_house(mover)) | u8::from(p.owns_house(!mover)) << 1;
            let takasia = p.blocked().map_or(0, |index| index + 1);
            board.extend([p.reserve(mover), p.reserve(!mover), houses, takasia]);
        }
    }
    board
}

/// What records add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games, those included that were over before their first record.
    pub games: u64,
    /// Records.
    pub positions: u64,
    /// Those of them with a proved win or loss.
    pub proved: u64,
    /// Positions whose mover won.
    pub wins: u64,
    /// Positions of drawn games.
    pub draws: u64,
    /// Positions whose mover lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a record.
    pub(super) fn add(&mut self, record: &Record) {
        self.positions += 1;
        self.proved += u64::from(record.is_proved());
        match record.result {
            MoverResult::Win => self.wins += 1,
            MoverResult::Draw => self.draws += 1,
            MoverResult::Loss => self.losses += 1,
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.positions += other.positions;
        self.proved += other.proved;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}
