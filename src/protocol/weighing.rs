//! The answer to `eval`: what a position is worth without searching, and which pits make it so.

use super::listing::push;
use super::response::Response;
use crate::evaluation::{EvaluationKind, win_probability};
use crate::game::{AnyPosition, GameRecord, GameResult, Pit, Row, Setup, Side};
use crate::search::{Score, SearchOptions};
use std::fmt::Write;

/// The answer to `eval`.
pub(super) fn evaluation(game: &GameRecord, options: &SearchOptions) -> Response {
    let position = game.position();
    let side = game.side_to_move();
    let mut text = String::new();
    push!(text, "Seeds: South {}, North {}", position.seeds(Side::South), position.seeds(Side::North));
    let score = options.evaluate(position);
    match options.evaluation.kind {
        EvaluationKind::Net => {
            let net = options.evaluation.net(position.variant());
            push!(text, "Net: {score} (log-odds x 256), {} hidden units, sha256 {}", net.hidden(), net.checksum());
        }
        EvaluationKind::Material | EvaluationKind::Playout => push!(text, "Material: {score} (log-odds x 256)"),
    }
    let value = win_probability(score);
    push!(text, "Win probability of {side}, to move: {value:.3}");
    if let Score::Centipawns(centipawns) = Score::of_value(value) {
        push!(text, "Evaluation: cp {centipawns}");
    }
    push!(text, "What each pit is worth: the win probability of {side} less the one if the pit were empty, in points:");
    let setup = position.to_setup();
    for (owner, row) in
        [(Side::North, Row::Back), (Side::North, Row::Front), (Side::South, Row::Front), (Side::South, Row::Back)]
    {
        push!(text, "{}", row_text(&setup, owner, row, value, options));
    }
    Response::Text(text)
}

/// A row as South sees it, from left to right; a dot for an empty pit.
fn row_text(setup: &Setup, owner: Side, row: Row, value: f64, options: &SearchOptions) -> String {
    let columns = setup.variant().columns();
    let mut text = String::new();
    for column in 1..=columns {
        // North's pits are numbered from his own left (rule G2).
        let number = if owner == Side::South { column } else { columns + 1 - column };
        let Some(pit) = Pit::new(row, number) else { continue };
        if column == 1 {
            let _ = write!(text, "{}", pit.name(owner).to_string().trim_end_matches(|c: char| c.is_ascii_digit()));
        }
        let _ = match value_without(setup, owner, pit, options) {
            Some(without) => write!(text, "{:>+7.1}", 100.0 * (value - without)),
            None => write!(text, "{:>7}", "."),
        };
    }
    text
}

/// The win probability of the side to move if a pit were empty; `None` if it is.
fn value_without(setup: &Setup, owner: Side, pit: Pit, options: &SearchOptions) -> Option<f64> {
    if setup.count(owner, pit) == 0 {
        return None;
    }
    let mut changed = setup.clone();
    changed.set_count(owner, pit, 0);
    let position = AnyPosition::from_setup(&changed).ok().or_else(|| {
        // Without the pit's seeds a takasia may have no reason any more.
        changed.takasia = None;
        AnyPosition::from_setup(&changed).ok()
    })?;
    Some(match position.outcome().map(|outcome| outcome.result) {
        Some(GameResult::Win(winner)) => f64::from(u8::from(winner == setup.side)),
        Some(GameResult::Draw) => 0.5,
        None => win_probability(options.evaluate(&position)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn answer(game: &GameRecord, options: &SearchOptions) -> String {
        match evaluation(game, options) {
            Response::Text(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn material_says_that_own_seeds_are_good_and_the_opponents_bad() {
        let mut options = SearchOptions::default();
        options.evaluation.kind = EvaluationKind::Material;
        let text = answer(&GameRecord::of_variant(Variant::Kigogo), &options);
        assert!(text.contains("Win probability of South, to move: 0.500"), "{text}");
        let rows: Vec<&str> = text.lines().rev().take(4).collect();
        // B, A, a, b; A1 and a1 are empty.
        assert!(rows[0].starts_with("B   +3.3") && rows[0].matches('+').count() == 12, "{text}");
        assert!(rows[1].starts_with("A      .") && rows[1].matches('+').count() == 11, "{text}");
        assert!(rows[2].starts_with("a   -3.3") && rows[2].ends_with("      ."), "{text}");
        assert!(rows[3].starts_with("b   -3.3") && rows[3].matches('-').count() == 12, "{text}");
    }

    #[test]
    fn every_position_of_a_game_has_an_answer() {
        for variant in Variant::ALL {
            let mut game = GameRecord::of_variant(variant);
            while let Some(&m) = game.legal_moves().last() {
                game.play(m).unwrap();
                let text = answer(&game, &SearchOptions::default());
                assert_eq!(text.lines().count(), 9, "{text}");
                assert!(!text.contains("NaN") && text.contains("Net: "), "{text}");
            }
        }
    }
}
