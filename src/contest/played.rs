//! A game that was played, as the journal keeps it.

use crate::game::{GameResult, Side, Variant};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The result of a game in absolute terms: `1-0` if South won, `0-1` if North did, `1/2-1/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultText(pub GameResult);

impl ResultText {
    /// All results.
    pub const ALL: [ResultText; 3] = [
        ResultText(GameResult::Win(Side::South)),
        ResultText(GameResult::Win(Side::North)),
        ResultText(GameResult::Draw),
    ];

    /// The result as it is written.
    pub const fn name(self) -> &'static str {
        match self.0 {
            GameResult::Win(Side::South) => "1-0",
            GameResult::Win(Side::North) => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// Twice the points of `side`: 0, 1 or 2.
    pub const fn half_points(self, side: Side) -> u8 {
        match (self.0, side) {
            (GameResult::Draw, _) => 1,
            (GameResult::Win(Side::South), Side::South) | (GameResult::Win(Side::North), Side::North) => 2,
            (GameResult::Win(_), _) => 0,
        }
    }
}

/// Why a game ended: one of a fixed list. The side that has lost is the one that the reason is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// By the rules; [`PlayedGame::ending`] names the rule.
    Normal,
    /// A move that the rules do not allow, or that is none.
    IllegalMove,
    /// The answer came, but too late.
    Time,
    /// No answer came, not even after the time was over.
    Stall,
    /// The process ended or closed its output.
    Crash,
    /// An answer that is none of the protocol.
    ProtocolError,
    /// Given up, by the rule for adjudicated losses.
    Resign,
    /// Drawn: the position has occurred before.
    Repetition,
    /// Drawn: a relay that never ends.
    EndlessRelay,
    /// Drawn: as many plies as the match allows.
    MaxPlies,
    /// Drawn by the rule for adjudicated draws.
    Adjudication,
}

impl Termination {
    /// All reasons.
    pub const ALL: [Termination; 11] = [
        Termination::Normal,
        Termination::IllegalMove,
        Termination::Time,
        Termination::Stall,
        Termination::Crash,
        Termination::ProtocolError,
        Termination::Resign,
        Termination::Repetition,
        Termination::EndlessRelay,
        Termination::MaxPlies,
        Termination::Adjudication,
    ];

    /// The word of the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::IllegalMove => "illegal-move",
            Termination::Time => "time",
            Termination::Stall => "stall",
            Termination::Crash => "crash",
            Termination::ProtocolError => "protocol-error",
            Termination::Resign => "resign",
            Termination::Repetition => "repetition",
            Termination::EndlessRelay => "endless-relay",
            Termination::MaxPlies => "max-plies",
            Termination::Adjudication => "adjudication",
        }
    }

    /// Whether an engine has failed: the game says little of its strength and somebody should look at it.
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Termination::IllegalMove
                | Termination::Time
                | Termination::Stall
                | Termination::Crash
                | Termination::ProtocolError
        )
    }
}

/// What an engine said about the position before it moved, from its own viewpoint: positive if it likes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Centipawns: 400 log10(p / (1 - p)) for a win probability p.
    Centipawns(i64),
    /// A proved win in so many moves of its own, or a loss if negative.
    Mate(i64),
}

impl EngineScore {
    /// The score as one number of centipawns, proved results beyond all others: ±1,000,000.
    pub const fn centipawns(self) -> i64 {
        match self {
            EngineScore::Centipawns(cp) => cp,
            EngineScore::Mate(moves) if moves > 0 => 1_000_000,
            EngineScore::Mate(_) => -1_000_000,
        }
    }
}

impl fmt::Display for EngineScore {
    /// As in the protocol: `cp 12`, `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineScore::Centipawns(cp) => write!(f, "cp {cp}"),
            EngineScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What is known of one move of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveInfo {
    /// From the last byte of `go` to the line `bestmove`, in microseconds.
    pub time_us: u64,
    /// The engine's last score, from the mover's viewpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// The depth that it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The nodes that it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// One finished game: a line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the schedule, from 1.
    pub game: u64,
    /// Its pair in the schedule, from 1: both games of a pair have the same opening and opposite sides.
    pub pair: u64,
    /// The round of the tournament, from 1.
    pub round: u32,
    /// The game that was played.
    pub variant: Variant,
    /// The name of the engine that played South.
    pub south: String,
    /// The name of the engine that played North.
    pub north: String,
    /// The position from which it was played, as text.
    pub opening: String,
    /// The number of the opening in the list of `config.json`, from 1.
    pub opening_number: u32,
    /// The moves from there, South's and North's in turn; the opening says who is first. An illegal one is not among them.
    pub moves: Vec<String>,
    /// Who won.
    pub result: ResultText,
    /// Why the game ended.
    pub reason: Termination,
    /// The rule that ended it, if one did: `immobile`, `no-seeds`, `front-row-empty`, `repetition`, `endless-relay`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// What exactly happened, in words, if it was a failure or an adjudication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The moves played.
    pub plies: u32,
    /// The seed of the game; engines that have an option `Seed` were given seeds made from it.
    pub seed: u64,
    /// When it began, in UTC.
    pub started: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What is known of each move.
    pub infos: Vec<MoveInfo>,
    /// If time ran out: how late the runner itself was in that move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_late_ms: Option<u64>,
    /// What both engines say otherwise than the referee, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<String>,
}

impl PlayedGame {
    /// The name of the engine that played `side`.
    pub fn engine(&self, side: Side) -> &str {
        match side {
            Side::South => &self.south,
            Side::North => &self.north,
        }
    }
}

/// Reads a word by a lookup.
fn from_word<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    find: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    find(&word).ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&word), &expected))
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        from_word(deserializer, "kiswahili, kigogo or kimasai", Variant::from_name)
    }
}

impl Serialize for ResultText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for ResultText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResultText, D::Error> {
        let find = |word: &str| ResultText::ALL.into_iter().find(|result| result.name() == word);
        from_word(deserializer, "1-0, 0-1 or 1/2-1/2", find)
    }
}

impl Serialize for Termination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Termination {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Termination, D::Error> {
        let find = |word: &str| Termination::ALL.into_iter().find(|reason| reason.name() == word);
        from_word(deserializer, "the reason for which a game ended", find)
    }
}

impl Serialize for EngineScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EngineScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EngineScore, D::Error> {
        from_word(deserializer, "cp X or mate Y", |word| {
            let (unit, number) = word.split_once(' ')?;
            let number = number.parse().ok()?;
            match unit {
                "cp" => Some(EngineScore::Centipawns(number)),
                "mate" => Some(EngineScore::Mate(number)),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for reason in Termination::ALL {
            let text = serde_json::to_string(&reason).unwrap();
            assert_eq!(text, format!("\"{}\"", reason.name()));
            assert_eq!(serde_json::from_str::<Termination>(&text).unwrap(), reason);
        }
        for result in ResultText::ALL {
            let text = serde_json::to_string(&result).unwrap();
            assert_eq!(serde_json::from_str::<ResultText>(&text).unwrap(), result);
            assert_eq!(result.half_points(Side::South) + result.half_points(Side::North), 2);
        }
        for score in [EngineScore::Centipawns(-12), EngineScore::Mate(3)] {
            let text = serde_json::to_string(&score).unwrap();
            assert_eq!(serde_json::from_str::<EngineScore>(&text).unwrap(), score);
        }
        assert!(serde_json::from_str::<EngineScore>("\"cp\"").is_err());
        assert!(serde_json::from_str::<Variant>("\"chess\"").is_err());
    }
}
