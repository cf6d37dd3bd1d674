//! What a search has to say: scores, lines, and how far it got.

use crate::game::Move;
use std::time::Duration;

/// The largest centipawn score that is not a proved result.
const MAX_CENTIPAWNS: f64 = 9_999.0;

/// A score from the viewpoint of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// 400 log10(p / (1 - p)) for the win probability p, clamped to ±9999.
    Centipawns(i32),
    /// A proved win in so many moves of the side to move, or, if negative, a proved loss in so many; 0 if the game is over.
    Mate(i32),
}

impl Score {
    /// The score of a win probability in 0..=1 of the side to move. At 0.75 it is 191.
    ///
    /// ```
    /// use kete::search::Score;
    /// assert_eq!(Score::of_value(0.75), Score::Centipawns(191));
    /// assert_eq!(Score::of_value(0.0), Score::Centipawns(-9999));
    /// ```
    pub fn of_value(value: f64) -> Score {
        let value = value.clamp(0.0, 1.0);
        let centipawns = 400.0 * libm::log10(value / (1.0 - value));
        Score::Centipawns(libm::round(centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)) as i32)
    }

    /// A proved win after so many plies, the last one being a ply of the winner: 1 and 2 plies are one move.
    pub(super) fn win_in(plies: u16) -> Score {
        Score::Mate(i32::from(plies.div_ceil(2)))
    }

    /// A proved loss after so many plies.
    pub(super) fn loss_in(plies: u16) -> Score {
        Score::Mate(-i32::from(plies.div_ceil(2)))
    }
}

/// The expected result in per mille, from the viewpoint of the side to move; the sum is 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Wins.
    pub win: u32,
    /// Draws: 0 or 1000, as only a proof tells a draw from an even game.
    pub draw: u32,
    /// Losses.
    pub loss: u32,
}

impl Wdl {
    /// The split of a win probability in 0..=1.
    pub fn of_value(value: f64) -> Wdl {
        let win = libm::round(value.clamp(0.0, 1.0) * 1000.0) as u32;
        Wdl { win, draw: 0, loss: 1000 - win }
    }

    /// A proved draw.
    pub const DRAW: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
}

/// One of the best lines of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score of its first move, for the side to move.
    pub score: Score,
    /// The expected result after its first move, for the side to move.
    pub wdl: Wdl,
    /// Iterations that began with its first move.
    pub visits: u32,
    /// Legal moves from the root on; ends where the game or the tree ends. Empty only if the game is over.
    pub pv: Vec<Move>,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Mean depth of the iterations in plies, rounded; that of the scout where there is one.
    pub depth: u32,
    /// The deepest selection in plies.
    pub seldepth: u32,
    /// Positions looked at: one an iteration, and those of the searches from the leaves; not those of the search for
    /// forced wins.
    pub nodes: u64,
    /// The share of the tree's memory that is used, in per mille.
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The best lines, best first; at least one.
    pub lines: Vec<Line>,
}

impl Report {
    /// Positions looked at per second.
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_symmetric_clamped_and_even_at_one_half() {
        assert_eq!(Score::of_value(0.5), Score::Centipawns(0));
        for (value, mirrored) in [(0.9, 0.1), (1.0, 0.0), (0.999_999_999, 0.000_000_001)] {
            let (Score::Centipawns(a), Score::Centipawns(b)) = (Score::of_value(value), Score::of_value(mirrored))
            else {
                panic!("a value is not a proof");
            };
            assert_eq!(a, -b);
            assert!(a <= 9_999);
        }
    }

    #[test]
    fn mate_counts_moves_of_the_side_to_move() {
        assert_eq!(Score::win_in(1), Score::Mate(1));
        assert_eq!(Score::win_in(3), Score::Mate(2));
        assert_eq!(Score::loss_in(2), Score::Mate(-1));
        assert_eq!(Score::loss_in(4), Score::Mate(-2));
    }

    #[test]
    fn wdl_adds_up() {
        for value in [0.0, 0.123_4, 0.5, 0.999_6, 1.0] {
            let wdl = Wdl::of_value(value);
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
        }
    }

    #[test]
    fn the_rate_survives_no_time_at_all() {
        let report =
            Report { depth: 0, seldepth: 0, nodes: u64::MAX, hashfull: 0, time: Duration::ZERO, lines: Vec::new() };
        assert_eq!(report.nps(), u64::MAX);
    }
}
