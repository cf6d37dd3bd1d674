//! The solver of `examples/solve` against naive play, the suites of endgames against the solver, and the engine against the
//! suites: it proves nothing that is wrong.

use crate::games::random_game;
use crate::solver::{Effort, Entry, Value, is_forced, read_position, read_suite, solve};
use kete::game::{AnyPosition, GameRecord, GameResult, Move, Variant};
use kete::notation::position_text;
use kete::search::{Control, Limits, Line, Player, Report, Score, SearchOptions, Searcher, Wdl};
use std::collections::HashSet;
use std::io::Write;
use std::sync::Mutex;
use std::time::Instant;

// The suites.

fn suite_text(variant: Variant) -> String {
    let path = format!("{}/tests/data/endgames/{variant}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the suite")
}

fn suite(variant: Variant) -> Vec<Entry> {
    read_suite(&suite_text(variant)).expect("a suite")
}

/// The position without its ply, as text.
fn text(position: &AnyPosition) -> String {
    let mut setup = position.to_setup();
    setup.ply = 0;
    position_text(&setup).to_string()
}

#[test]
fn suites_have_many_different_positions_of_all_kinds() {
    for variant in Variant::ALL {
        let suite = suite(variant);
        assert!(suite.len() >= 200, "{variant}: {} positions", suite.len());
        assert!(suite.iter().all(|entry| entry.position.variant() == variant));
        assert!(suite.iter().all(|entry| !entry.position.legal_moves().is_empty()));
        let different: HashSet<String> = suite.iter().map(|entry| text(&entry.position)).collect();
        assert_eq!(different.len(), suite.len(), "{variant}");
        let count = |wanted: fn(Value) -> bool| suite.iter().filter(|entry| wanted(entry.value)).count();
        let wins = count(|value| matches!(value, Value::Win(_)));
        let losses = count(|value| matches!(value, Value::Loss(_)));
        let draws = count(|value| value == Value::Draw);
        assert!(wins >= 60 && losses >= 60, "{variant}: {wins} wins, {losses} losses");
        // Rule G5: Kimasai has no draws.
        assert_eq!(draws > 0, variant != Variant::Kimasai, "{variant}: {draws} draws");
        let far = count(|value| matches!(value, Value::Win(15..) | Value::Loss(15..)));
        assert!(far >= 40, "{variant}: {far} of 15 plies or more");
        assert!(count(|value| value == Value::Win(1)) * 10 <= suite.len(), "{variant}: too many wins in one ply");
    }
}

/// What is tried to solve a position: as much as any suite was made with.
const EFFORT: Effort = Effort { positions: 50_000, nodes: 100_000 };

#[test]
fn the_solver_finds_the_values_of_the_suites_again() {
    for variant in Variant::ALL {
        for entry in suite(variant) {
            assert!(is_confirmed(&entry), "{entry}");
        }
    }
}

/// Whether the solver gives the position that value.
fn is_confirmed(entry: &Entry) -> bool {
    solve(&entry.position, &[], EFFORT) == Some(entry.value)
}

#[test]
fn a_wrong_line_of_a_suite_is_noticed() {
    for variant in Variant::ALL {
        let suite = suite(variant);
        let near = |value: Value| matches!(value, Value::Win(1..8) | Value::Loss(1..8));
        for entry in suite.iter().filter(|entry| near(entry.value)).step_by(8) {
            let wrong = match entry.value {
                Value::Win(plies) => [Value::Win(plies + 2), Value::Loss(plies + 1), Value::Draw],
                Value::Loss(plies) => [Value::Loss(plies + 2), Value::Win(plies + 1), Value::Draw],
                Value::Draw => unreachable!("draws are not near"),
            };
            for value in wrong {
                assert!(!is_confirmed(&Entry { value, ..entry.clone() }), "{entry}");
            }
        }
    }
}

#[test]
fn lines_that_are_none_of_a_suite_are_refused() {
    let position = position_text(&AnyPosition::start(Variant::Kimasai).to_setup()).to_string();
    assert_eq!(read_suite(&format!("# said\n\n{position}; win; 3\n")).expect("a suite").len(), 1);
    for line in ["; win; 3", "win; 3", "go 1,2 S 0; win; 3", "kimasai 1; win; 3"] {
        assert!(read_suite(line).is_err(), "{line}");
    }
    for end in ["", "; win", "; win; -", "; win; 3; 4", "; won; 3", "; draw; 3", "; loss; -2"] {
        assert!(read_suite(&format!("{position}{end}")).is_err(), "{end}");
    }
    assert!(read_position(&position).is_ok());
}

// The solver against naive play, which keeps the whole game in mind and tries everything.

/// The value as far as so many plies show it, with repetition by the record of the game; `None` if they show nothing.
fn naive(game: &GameRecord, plies: u32) -> Option<Value> {
    if let Some(outcome) = game.outcome() {
        return Some(match outcome.result {
            GameResult::Win(side) if side == game.side_to_move() => Value::Win(0),
            GameResult::Win(_) => Value::Loss(0),
            GameResult::Draw => Value::Draw,
        });
    }
    if plies == 0 {
        return None;
    }
    let after = |m: Move| {
        let mut after = game.clone();
        after.play(m).expect("a legal move");
        naive(&after, plies - 1)
    };
    let values: Vec<Option<Value>> = game.legal_moves().into_iter().map(after).collect();
    let lost = values.iter().filter_map(|value| if let Some(Value::Loss(n)) = value { Some(*n) } else { None }).min();
    let won = |value: &Option<Value>| if let Some(Value::Win(n)) = value { Some(*n) } else { None };
    match lost {
        Some(plies) => Some(Value::Win(plies + 1)),
        None if values.iter().all(|value| won(value).is_some()) => {
            values.iter().filter_map(won).max().map(|plies| Value::Loss(plies + 1))
        }
        // With a move whose end is not seen, this may be anything.
        None if values.iter().all(|value| value.is_some()) => Some(Value::Draw),
        None => None,
    }
}

/// How far naive play looks, in plies.
const NAIVE_PLIES: u32 = 5;

/// Positions of games near their ends, each with the game so far and its positions.
fn late_games(variant: Variant) -> impl Iterator<Item = (GameRecord, Vec<AnyPosition>)> {
    (0..40).flat_map(move |seed| {
        let whole = random_game(variant, seed);
        let mut games = vec![(GameRecord::of_variant(variant), Vec::new())];
        for &m in &whole.moves()[..whole.moves().len() - 1] {
            let (mut game, mut past) = games.last().expect("a game").clone();
            past.push(game.position().clone());
            game.play(m).expect("a legal move");
            games.push((game, past));
        }
        games.split_off(games.len().saturating_sub(8))
    })
}

/// Compares one method of the solver with naive play; returns whether there was anything to compare.
fn compare(game: &GameRecord, past: &[AnyPosition], effort: Effort) -> bool {
    let naive = naive(game, NAIVE_PLIES);
    let Some(solved) = solve(game.position(), past, effort) else { return false };
    let near = match solved {
        Value::Win(plies) | Value::Loss(plies) => plies <= NAIVE_PLIES,
        Value::Draw => false,
    };
    let position = text(game.position());
    match naive {
        Some(value) => assert_eq!(solved, value, "{position}"),
        None => assert!(!near, "{solved:?} {position}"),
    }
    true
}

#[test]
fn both_methods_agree_with_naive_play() {
    for variant in Variant::ALL {
        let mut compared = [0; 2];
        for (game, past) in late_games(variant).step_by(3) {
            if game.legal_moves().len() > 8 {
                continue;
            }
            let fresh = GameRecord::new(game.position().clone());
            for (method, effort) in
                [Effort { positions: 5_000, nodes: 0 }, Effort { positions: 0, nodes: 20_000 }].into_iter().enumerate()
            {
                compared[method] += usize::from(compare(&game, &past, effort));
                compared[method] += usize::from(compare(&fresh, &[], effort));
            }
        }
        // In Kiswahili too much can be reached until the very end: seeds do not leave the board.
        let enumerated = if variant == Variant::Kiswahili { 0 } else { 30 };
        assert!(compared[0] >= enumerated && compared[1] >= 60, "{variant}: {compared:?}");
    }
}

#[test]
fn both_methods_agree_with_each_other_on_few_seeds() {
    for variant in Variant::ALL {
        let (mut compared, mut draws) = (0, 0);
        for entry in suite(variant) {
            let Some(value) = solve(&entry.position, &[], Effort { positions: 5_000, nodes: 0 }) else { continue };
            assert_eq!(value, entry.value, "{entry}");
            match value {
                Value::Win(plies) | Value::Loss(plies) => {
                    compared += 1;
                    let shorter = match value {
                        Value::Win(_) => Value::Win(plies - 1),
                        _ => Value::Loss(plies - 1),
                    };
                    // Too many nodes answer nothing; what is answered is right.
                    assert_ne!(is_forced(&entry.position, &[], value, 50_000), Some(false), "{entry}");
                    assert_ne!(is_forced(&entry.position, &[], shorter, 50_000), Some(true), "{entry}");
                }
                Value::Draw => {
                    draws += 1;
                    for claim in [Value::Win(9), Value::Loss(8)] {
                        assert_ne!(is_forced(&entry.position, &[], claim, 50_000), Some(true), "{entry}");
                    }
                }
            }
        }
        assert!(compared >= 10, "{variant}: {compared}");
        assert_eq!(draws > 0, variant != Variant::Kimasai, "{variant}");
    }
}

#[test]
fn a_past_position_is_a_draw_for_both_methods() {
    // In the way of a win there is a position that the game has had: the win is gone, or takes longer.
    let mut changed = [0; 2];
    for entry in suite(Variant::Kigogo) {
        let Value::Win(plies @ 3..12) = entry.value else { continue };
        // All positions after the winning moves.
        let game = GameRecord::new(entry.position.clone());
        let after = |m: Move| {
            let mut after = game.clone();
            after.play(m).expect("a legal move");
            after
        };
        let past: Vec<AnyPosition> = game
            .legal_moves()
            .into_iter()
            .map(after)
            .filter(|after| solve(after.position(), &[], EFFORT) == Some(Value::Loss(plies - 1)))
            .map(|after| after.position().clone())
            .collect();
        for (method, effort) in
            [Effort { positions: 20_000, nodes: 0 }, Effort { positions: 0, nodes: 20_000 }].into_iter().enumerate()
        {
            let value = solve(&entry.position, &past, effort);
            assert!(!matches!(value, Some(Value::Win(n)) if n <= plies), "{entry}: {value:?}");
            changed[method] += usize::from(value.is_some());
        }
    }
    assert!(changed.iter().all(|&n| n >= 3), "{changed:?}");
}

#[test]
fn who_can_go_back_to_the_past_does_not_lose() {
    for variant in Variant::ALL {
        let mut saved = 0;
        for entry in suite(variant) {
            let Value::Loss(plies @ 2..12) = entry.value else { continue };
            let mut after = entry.position.clone();
            after.play(entry.position.legal_moves()[0]).expect("a legal move");
            let past = [after];
            assert_eq!(is_forced(&entry.position, &past, Value::Loss(plies), 1_000), Some(false), "{entry}");
            if let Some(value) = solve(&entry.position, &past, Effort { positions: 20_000, nodes: 0 }) {
                // He has the draw at least.
                assert!(!matches!(value, Value::Loss(_)), "{entry}: {value:?}");
                saved += 1;
            }
        }
        assert!(saved >= 10, "{variant}: {saved}");
    }
}

#[test]
fn k5_a_relay_that_never_ends_saves_who_can_choose_it() {
    let path = format!("{}/tests/data/worked.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the worked positions");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    let endless: Vec<&str> = rows
        .iter()
        .filter(|row| row["id"].as_str().is_some_and(|id| id.starts_with("kigogo_endless")))
        .map(|row| row["position"].as_str().expect("a position"))
        .collect();
    assert!(!endless.is_empty());
    for text in endless {
        let position = read_position(text).expect("a position");
        for plies in [2, 4, 6] {
            assert_eq!(is_forced(&position, &[], Value::Loss(plies), 1_000), Some(false), "{text}");
        }
        let forced = position.legal_moves().len() == 1;
        let solved = solve(&position, &[], EFFORT);
        assert!(!matches!(solved, Some(Value::Loss(_))), "{text}: {solved:?}");
        // Without another move nothing else is reached.
        assert!(!forced || solved == Some(Value::Draw), "{text}: {solved:?}");
    }
}

// The engine on the suites.

/// The limit of a search of a suite's position.
const NODES: u64 = 100_000;

/// Wins and losses beyond so many plies are far. Of the others, [`must_prove_per_mille`] must be proved.
const FAR_PLIES: u32 = 20;

/// So many of a suite's wins and losses up to [`FAR_PLIES`] a player must prove within [`NODES`], in per mille, whatever the
/// game. `examples/solve`, `prove`, is the same with a limit of time, for all of a suite.
fn must_prove_per_mille(player: Player) -> usize {
    if player == Player::Mcts { 950 } else { 700 }
}

/// The memory of the searcher, in MiB.
const HASH_MIB: usize = 16;

/// The best line.
fn best_line(searcher: &mut Searcher, position: &AnyPosition, player: Player) -> Line {
    let line = Mutex::new(None);
    let keep = |report: &Report| *line.lock().expect("the line") = report.lines.first().cloned();
    let options = SearchOptions { player, ..SearchOptions::default() };
    let game = GameRecord::new(position.clone());
    searcher.clear();
    searcher.search(&game, &Limits::of_nodes(NODES), &options, Instant::now(), &Control::new(), &keep);
    line.into_inner().expect("the line").expect("a report")
}

/// What the engine proved of a suite.
#[derive(Default)]
struct Proved {
    decided: usize,
    proved: usize,
    /// With the right distance, in moves.
    exact: usize,
    draws: usize,
    proved_draws: usize,
    /// Of the wins and losses up to 8 plies, from there to [`FAR_PLIES`], and beyond: how many there are, how many are proved.
    by_distance: [(usize, usize); 3],
}

impl Proved {
    /// Counts one position, and asserts that what the engine says of it is not a wrong proof.
    fn count(&mut self, entry: &Entry, line: &Line) {
        let Line { score, wdl, .. } = line;
        let (sign, plies) = match entry.value {
            Value::Win(plies) => (1, plies),
            Value::Loss(plies) => (-1, plies),
            Value::Draw => {
                assert!(matches!(score, Score::Centipawns(_)), "{entry}: {line:?}");
                self.draws += 1;
                self.proved_draws += usize::from(*wdl == Wdl::DRAW);
                return;
            }
        };
        let class = usize::from(plies > 8) + usize::from(plies > FAR_PLIES);
        self.decided += 1;
        self.by_distance[class].0 += 1;
        match *score {
            Score::Mate(moves) => {
                let truth = sign * plies.div_ceil(2) as i32;
                assert_eq!(moves.signum(), sign, "{entry}: {line:?}");
                assert!(moves.abs() >= truth.abs(), "shorter than the truth: {entry}: {line:?}");
                self.proved += 1;
                self.by_distance[class].1 += 1;
                self.exact += usize::from(moves == truth);
            }
            Score::Centipawns(_) => assert_ne!(*wdl, Wdl::DRAW, "{entry}: {line:?}"),
        }
    }
}

#[test]
fn the_engine_proves_much_of_the_suites_and_nothing_wrong() {
    let mut searcher = Searcher::new(1, HASH_MIB).expect("a searcher");
    for variant in Variant::ALL {
        let suite = suite(variant);
        for player in [Player::Mcts, Player::AlphaBeta] {
            let mut proved = Proved::default();
            for entry in &suite {
                proved.count(entry, &best_line(&mut searcher, &entry.position, player));
            }
            let Proved { decided, exact, draws, proved_draws, by_distance: [near, middle, far], .. } = proved;
            // Not a failure, and yet of interest.
            let _ = writeln!(
                std::io::stderr(),
                "{variant} {}: {} of {decided} wins and losses proved, {exact} at the exact distance (up to 8 plies \
                 {}/{}, up to {FAR_PLIES} {}/{}, beyond {}/{}); {proved_draws} of {draws} draws",
                player.name(),
                proved.proved,
                near.1,
                near.0,
                middle.1,
                middle.0,
                far.1,
                far.0
            );
            let (there, found) = (near.0 + middle.0, near.1 + middle.1);
            assert!(
                found * 1000 >= there * must_prove_per_mille(player),
                "{variant} {}: {found} of {there}",
                player.name()
            );
        }
    }
}
