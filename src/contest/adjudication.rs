//! Games that need not be played to their end: given up, drawn by agreement of the engines, or too long.
//!
//! Each watch is told of every move, with the score that the mover gave from his own viewpoint before it. A move without a
//! score breaks a streak. Whether a score is proved or a bound makes no difference here.

use super::config::{DrawRule, MatchConfig, ResignRule};
use super::played::{EngineScore, ResultText, Termination};
use crate::game::{GameResult, Side};
use std::fmt;

/// How a game is ended without the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Given up.
    Resign {
        /// The side that loses.
        loser: Side,
    },
    /// Drawn, as both engines find it level.
    Draw,
    /// Drawn, as it is long enough.
    MaxPlies {
        /// The plies that were played.
        plies: u32,
    },
}

impl Verdict {
    /// The result of the game, in absolute terms.
    pub const fn result(self) -> ResultText {
        match self {
            Verdict::Resign { loser: Side::South } => ResultText(GameResult::Win(Side::North)),
            Verdict::Resign { loser: Side::North } => ResultText(GameResult::Win(Side::South)),
            Verdict::Draw | Verdict::MaxPlies { .. } => ResultText(GameResult::Draw),
        }
    }

    /// The reason, as the journal keeps it.
    pub const fn termination(self) -> Termination {
        match self {
            Verdict::Resign { .. } => Termination::Resign,
            Verdict::Draw => Termination::Adjudication,
            Verdict::MaxPlies { .. } => Termination::MaxPlies,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Resign { loser } => write!(f, "the scores give the game up for {loser}"),
            Verdict::Draw => f.write_str("the scores of both sides call the game level"),
            Verdict::MaxPlies { plies } => write!(f, "{plies} plies were played, the most that the match allows"),
        }
    }
}

/// All rules of a match that end games early. To be asked after a move only if the rules of the game go on.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    resign: Option<ResignWatch>,
    draw: Option<DrawWatch>,
    plies: PlyWatch,
}

impl Adjudicator {
    /// The rules of that match, at the start of a game.
    pub fn new(config: &MatchConfig) -> Adjudicator {
        Adjudicator {
            resign: config.resign.map(ResignWatch::new),
            draw: config.draw.map(DrawWatch::new),
            plies: PlyWatch::new(config.max_plies),
        }
    }

    /// Takes note of a move and the mover's score. A lost game goes before a level one, and both before a long one.
    pub fn update(&mut self, mover: Side, score: Option<EngineScore>) -> Option<Verdict> {
        let loser = self.resign.as_mut().and_then(|watch| watch.update(mover, score));
        let level = self.draw.as_mut().is_some_and(|watch| watch.update(mover, score));
        let too_long = self.plies.update();
        loser
            .map(|loser| Verdict::Resign { loser })
            .or(level.then_some(Verdict::Draw))
            .or(too_long.map(|plies| Verdict::MaxPlies { plies }))
    }
}

/// Counts the moves in a row in which an engine calls its game lost.
#[derive(Clone, Debug)]
pub struct ResignWatch {
    rule: ResignRule,
    /// Of each side, South first: moves in a row with a score of at most minus the rule's.
    losing: [u32; 2],
    /// Of each side, South first: moves in a row with a score of at least the rule's.
    winning: [u32; 2],
}

impl ResignWatch {
    /// At the start of a game.
    pub fn new(rule: ResignRule) -> ResignWatch {
        ResignWatch { rule, losing: [0; 2], winning: [0; 2] }
    }

    /// Takes note of a move. Returns the side that loses, if its game is given up now; under a two-sided rule that can be
    /// the one that did not move.
    pub fn update(&mut self, mover: Side, score: Option<EngineScore>) -> Option<Side> {
        let (rule, score) = (self.rule, score.map(EngineScore::centipawns));
        count(&mut self.losing, mover, score.is_some_and(|cp| cp <= rule.score_cp.saturating_neg()));
        count(&mut self.winning, mover, score.is_some_and(|cp| cp >= rule.score_cp));
        let needed = rule.move_count.max(1);
        [mover, !mover].into_iter().find(|&side| {
            let agreed = !rule.two_sided || of(&self.winning, !side) >= needed;
            of(&self.losing, side) >= needed && agreed
        })
    }
}

/// Counts the moves in a row in which both engines call their game level.
#[derive(Clone, Debug)]
pub struct DrawWatch {
    rule: DrawRule,
    /// Moves of each side since the opening, South first.
    moves: [u32; 2],
    /// Of each side, South first: moves in a row with a score near 0. They count before the rule's first move, too.
    level: [u32; 2],
}

impl DrawWatch {
    /// At the start of a game.
    pub fn new(rule: DrawRule) -> DrawWatch {
        DrawWatch { rule, moves: [0; 2], level: [0; 2] }
    }

    /// Takes note of a move. Returns whether the game is drawn now.
    pub fn update(&mut self, mover: Side, score: Option<EngineScore>) -> bool {
        let rule = self.rule;
        let near = u64::try_from(rule.score_cp).unwrap_or(0);
        count(&mut self.moves, mover, true);
        count(&mut self.level, mover, score.is_some_and(|score| score.centipawns().unsigned_abs() <= near));
        let enough = |counts: &[u32; 2], needed: u32| counts.iter().all(|&n| n >= needed.max(1));
        enough(&self.moves, rule.move_number) && enough(&self.level, rule.move_count)
    }
}

/// Counts the plies of a game.
#[derive(Clone, Debug)]
pub struct PlyWatch {
    played: u32,
    max: Option<u32>,
}

impl PlyWatch {
    /// At the start of a game, which may have so many plies from its opening on.
    pub fn new(max: Option<u32>) -> PlyWatch {
        PlyWatch { played: 0, max }
    }

    /// Takes note of a move. Returns the plies played if they are as many as there may be.
    pub fn update(&mut self) -> Option<u32> {
        self.played = self.played.saturating_add(1);
        self.max.filter(|&max| self.played >= max).map(|_| self.played)
    }
}

/// One more for `side`, or none again.
fn count([south, north]: &mut [u32; 2], side: Side, more: bool) {
    let n = match side {
        Side::South => south,
        Side::North => north,
    };
    *n = if more { n.saturating_add(1) } else { 0 };
}

fn of(&[south, north]: &[u32; 2], side: Side) -> u32 {
    match side {
        Side::South => south,
        Side::North => north,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{North, South};
    use proptest::prelude::*;

    fn cp(cp: i64) -> Option<EngineScore> {
        Some(EngineScore::Centipawns(cp))
    }

    fn resign(move_count: u32, score_cp: i64, two_sided: bool) -> ResignWatch {
        ResignWatch::new(ResignRule { move_count, score_cp, two_sided })
    }

    #[test]
    fn a_side_that_calls_itself_lost_often_enough_has_lost() {
        let mut watch = resign(2, 500, false);
        assert_eq!(watch.update(South, cp(-500)), None);
        assert_eq!(watch.update(North, cp(0)), None);
        assert_eq!(watch.update(South, cp(-499)), None);
        assert_eq!(watch.update(South, cp(-9999)), None);
        assert_eq!(watch.update(South, Some(EngineScore::Mate(-3))), Some(South));
        let mut watch = resign(1, 500, false);
        assert_eq!(watch.update(North, Some(EngineScore::Mate(3))), None);
        assert_eq!(watch.update(North, cp(-500)), Some(North));
    }

    #[test]
    fn a_missing_score_breaks_the_streak() {
        let mut watch = resign(2, 500, false);
        for score in [cp(-600), None, cp(-600)] {
            assert_eq!(watch.update(South, score), None);
        }
        assert_eq!(watch.update(South, cp(-600)), Some(South));
    }

    #[test]
    fn a_two_sided_rule_wants_the_winner_to_agree() {
        let mut watch = resign(2, 500, true);
        for _ in 0..5 {
            assert_eq!(watch.update(South, cp(-700)), None);
            assert_eq!(watch.update(North, cp(499)), None);
        }
        assert_eq!(watch.update(North, cp(500)), None);
        // It is the winner who completes the agreement, and the other side loses.
        assert_eq!(watch.update(North, cp(500)), Some(South));
        let mut watch = resign(1, 500, true);
        assert_eq!(watch.update(North, cp(800)), None);
        assert_eq!(watch.update(South, cp(800)), None);
        assert_eq!(watch.update(South, cp(-800)), Some(South));
    }

    fn draw(move_number: u32, move_count: u32, score_cp: i64) -> DrawWatch {
        DrawWatch::new(DrawRule { move_number, move_count, score_cp })
    }

    #[test]
    fn a_game_is_level_if_both_say_so_often_enough() {
        let mut watch = draw(1, 2, 10);
        let scores = [(South, 10, false), (North, -10, false), (South, 11, false), (North, 0, false)];
        for (mover, score, drawn) in scores.into_iter().chain([(South, 0, false), (North, 0, false), (South, -1, true)])
        {
            assert_eq!(watch.update(mover, cp(score)), drawn, "{mover} {score}");
        }
        assert!(!watch.update(North, None));
        assert!(!watch.update(South, Some(EngineScore::Mate(1))));
    }

    #[test]
    fn no_draw_before_its_move_number_of_both_sides() {
        let mut watch = draw(3, 1, 0);
        let answers: Vec<bool> =
            [North, South, North, South, North, South].map(|side| watch.update(side, cp(0))).into();
        assert_eq!(answers, [false, false, false, false, false, true]);
    }

    #[test]
    fn a_long_game_is_drawn() {
        let mut watch = PlyWatch::new(Some(2));
        assert_eq!([watch.update(), watch.update(), watch.update()], [None, Some(2), Some(3)]);
        let mut watch = PlyWatch::new(None);
        assert!((0..1000).all(|_| watch.update().is_none()));
    }

    #[test]
    fn verdicts_have_a_result_a_reason_and_words() {
        let verdict = Verdict::Resign { loser: South };
        assert_eq!((verdict.result().name(), verdict.termination()), ("0-1", Termination::Resign));
        assert_eq!(verdict.to_string(), "the scores give the game up for South");
        assert_eq!(Verdict::Resign { loser: North }.result().name(), "1-0");
        assert_eq!(
            (Verdict::Draw.result().name(), Verdict::Draw.termination()),
            ("1/2-1/2", Termination::Adjudication)
        );
        let verdict = Verdict::MaxPlies { plies: 300 };
        assert_eq!((verdict.result().name(), verdict.termination()), ("1/2-1/2", Termination::MaxPlies));
    }

    #[test]
    fn a_lost_game_goes_before_a_level_one_and_that_before_a_long_one() {
        let config = |resign, draw| MatchConfig {
            resign: (resign > 0).then_some(ResignRule { move_count: resign, score_cp: 0, two_sided: false }),
            draw: (draw > 0).then_some(DrawRule { move_number: 1, move_count: draw, score_cp: 0 }),
            max_plies: Some(2),
            ..crate::contest::specimen::config()
        };
        for (resign, draw, verdict) in [
            (2, 1, Verdict::Draw),
            (1, 1, Verdict::Resign { loser: South }),
            (0, 2, Verdict::MaxPlies { plies: 2 }),
            (0, 0, Verdict::MaxPlies { plies: 2 }),
        ] {
            let mut adjudicator = Adjudicator::new(&config(resign, draw));
            let first = adjudicator.update(South, cp(0)).or_else(|| adjudicator.update(North, cp(0)));
            assert_eq!(first, Some(verdict), "{resign} {draw}");
        }
    }

    proptest! {
        /// The watch against a definition that looks back over all moves.
        #[test]
        fn streaks_are_what_one_sees_when_looking_back(
            scores in proptest::collection::vec(proptest::option::of(-3..=3_i64), 1..30),
            move_count in 1..4_u32,
            two_sided: bool,
        ) {
            let mut watch = resign(move_count, 2, two_sided);
            let mut past: Vec<(Side, Option<i64>)> = Vec::new();
            for (i, score) in scores.into_iter().enumerate() {
                let mover = if i % 2 == 0 { South } else { North };
                past.push((mover, score));
                let last = |side: Side, is: fn(i64) -> bool| {
                    let own: Vec<_> = past.iter().rev().filter(|(s, _)| *s == side).take(move_count as usize).collect();
                    own.len() == move_count as usize && own.iter().all(|(_, score)| score.is_some_and(is))
                };
                let loses = |side: Side| last(side, |cp| cp <= -2) && (!two_sided || last(!side, |cp| cp >= 2));
                let expected = [mover, !mover].into_iter().find(|&side| loses(side));
                prop_assert_eq!(watch.update(mover, score.map(EngineScore::Centipawns)), expected);
            }
        }
    }
}
