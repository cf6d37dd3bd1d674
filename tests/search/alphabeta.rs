//! The alpha-beta player: what it proves is true, what it reports is sound, what ends it, and that it knows draws.

use crate::games::random_game;
use crate::searched::{Searched, search_with};
use kete::game::{AnyPosition, EndReason, GameRecord, GameResult, Move, Variant};
use kete::notation::{parse_move, parse_setup};
use kete::search::{Control, Limits, Player, Report, Score, SearchOptions, Searcher};
use std::time::{Duration, Instant};

/// How long an answer may take before it counts as missing. Generous: it says "alive", not "fast".
const PATIENCE: Duration = Duration::from_secs(30);

fn options(multi_pv: usize) -> SearchOptions {
    SearchOptions { player: Player::AlphaBeta, multi_pv, ..SearchOptions::default() }
}

fn of_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn searcher() -> Searcher {
    Searcher::new(1, 4).expect("a searcher")
}

/// A search that remembers nothing.
fn search(game: &GameRecord, limits: &Limits) -> Searched {
    search_with(&mut searcher(), game, limits, &options(1))
}

/// The game after its first `plies` plies.
fn first_plies(game: &GameRecord, plies: usize) -> GameRecord {
    let mut first = GameRecord::of_variant(game.variant());
    for &m in game.moves().iter().take(plies) {
        first.play(m).expect("a legal move");
    }
    first
}

/// The game before its last `plies` plies.
fn before_the_end(game: &GameRecord, plies: usize) -> GameRecord {
    first_plies(game, game.moves().len().saturating_sub(plies))
}

/// Positions of all stages of all games.
fn positions() -> impl Iterator<Item = GameRecord> {
    Variant::ALL.into_iter().flat_map(|variant| {
        let games = (0..3).map(move |seed| random_game(variant, seed));
        games.flat_map(|game| {
            let plies = game.moves().len();
            let early = (0..plies - 1).step_by(1 + plies / 6).map(|n| first_plies(&game, n)).collect::<Vec<_>>();
            early.into_iter().chain([2, 3, 4, 5, 7].map(|n| before_the_end(&game, n)))
        })
    })
}

// Proofs.

/// The result for the side to move as far as so many plies show it, by trying everything, the past of the game included:
/// a win after n plies is 100 - n, a loss n - 100, anything else 0. `None` if more than `nodes` positions were met.
fn exhaustive(game: &GameRecord, plies: u32, nodes: &mut u32) -> Option<i32> {
    *nodes = nodes.checked_sub(1)?;
    match game.outcome().map(|outcome| outcome.result) {
        Some(GameResult::Win(side)) => return Some(if side == game.side_to_move() { 100 } else { -100 }),
        Some(GameResult::Draw) => return Some(0),
        None if plies == 0 => return Some(0),
        None => {}
    }
    let mut best = -100;
    for m in game.legal_moves() {
        let mut next = game.clone();
        next.play(m).expect("a legal move");
        let score = -exhaustive(&next, plies - 1, nodes)?;
        // One ply further away.
        best = best.max(score - score.signum());
    }
    Some(best)
}

/// Positions with few plies to the end, without their past, which copying would carry along.
fn late_positions(last_plies: std::ops::Range<u64>, seeds: u64) -> impl Iterator<Item = GameRecord> {
    Variant::ALL.into_iter().flat_map(move |variant| {
        let last_plies = last_plies.clone();
        (0..seeds).flat_map(move |seed| {
            let game = random_game(variant, 100 + seed);
            let at = last_plies.clone().map(move |plies| before_the_end(&game, plies as usize));
            at.map(|game| GameRecord::new(game.position().clone()))
        })
    })
}

#[test]
fn what_is_proved_is_true_as_trying_everything_shows() {
    let (mut won, mut lost) = ([0; 3], [0; 3]);
    for game in late_positions(1..9, 8) {
        let searched = search(&game, &of_depth(7));
        let Score::Mate(moves) = searched.score() else { continue };
        let plies = searched.plies();
        // Where the depth is used up, a win on the spot is still seen.
        assert!(plies <= 8, "a proof of {plies} plies at depth 7");
        // Too large a tree is left out.
        let Some(truth) = exhaustive(&game, plies, &mut 300_000) else { continue };
        let setup = game.position().to_setup();
        // It need not be the quickest, as late moves are searched less deep; but it is there, within so many plies.
        assert_eq!(truth.signum(), moves.signum(), "{setup:?}");
        // A loss is as far away as the loser can have it: every move of his was searched to the end.
        if moves < 0 {
            assert!(100 - truth.abs() <= plies as i32, "{truth}, {plies}: {setup:?}");
        }
        let count = if moves > 0 { &mut won } else { &mut lost };
        count[game.variant() as usize] += 1;
    }
    assert!(won.iter().all(|&n| n >= 8) && lost.iter().all(|&n| n >= 3), "{won:?} wins and {lost:?} losses");
}

#[test]
fn a_win_that_exists_is_found_at_twice_its_depth_at_the_latest() {
    // A move of the winner may be searched two plies less deep, a reply of the loser that is good enough is not: each two
    // plies of a win cost four at the most.
    let (mut found, mut later) = ([0; 3], 0);
    for game in late_positions(1..7, 10) {
        let Some(truth) = exhaustive(&game, 5, &mut 150_000) else { continue };
        let setup = game.position().to_setup();
        if truth > 0 {
            let plies = (100 - truth) as u32;
            let searched = search(&game, &of_depth(2 * plies));
            assert!(matches!(searched.score(), Score::Mate(1..)), "a win in {plies} is missed: {setup:?}");
            assert!(searched.plies() >= plies, "shorter than the shortest, {plies} plies: {setup:?}");
            found[game.variant() as usize] += 1;
            later += u32::from(searched.plies() > plies);
        } else if truth < 0 {
            let plies = (100 + truth) as u32;
            let searched = search(&game, &of_depth(2 * plies));
            assert!(matches!(searched.score(), Score::Mate(..0)), "a loss in {plies} is missed: {setup:?}");
            assert!(searched.plies() >= plies, "a loss in {plies} plies is said to be sooner: {setup:?}");
        }
    }
    assert!(found.iter().all(|&n| n >= 10), "{found:?} wins");
    // A longer win than needed is the exception.
    assert!(later * 10 <= found.iter().sum::<u32>(), "{later} of {found:?} wins are longer than they need be");
}

// Reports.

/// A number that orders scores as the side to move likes them.
fn worth(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns,
        Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
        Score::Mate(moves) => -1_000_000 - moves,
    }
}

#[track_caller]
fn assert_report_is_sound(report: &Report, game: &GameRecord) {
    let mut first_moves: Vec<Move> = report.lines.iter().map(|line| line.pv[0]).collect();
    for line in &report.lines {
        let mut replay = game.clone();
        for (i, &m) in line.pv.iter().enumerate() {
            replay.play(m).unwrap_or_else(|e| panic!("pv move {i} of {:?}: {e}", line.pv));
        }
        if let Score::Mate(moves) = line.score {
            let winner = if moves > 0 { game.side_to_move() } else { !game.side_to_move() };
            let position = game.position().to_setup();
            assert_eq!(replay.outcome().map(|o| o.result), Some(GameResult::Win(winner)), "{line:?} {position:?}");
            assert_eq!(line.pv.len().div_ceil(2), moves.unsigned_abs() as usize, "{line:?}");
            let sure = if moves > 0 { (1000, 0) } else { (0, 1000) };
            assert_eq!((line.wdl.win, line.wdl.loss), sure);
        }
        assert_eq!(line.wdl.win + line.wdl.draw + line.wdl.loss, 1000);
    }
    first_moves.sort();
    first_moves.dedup();
    assert_eq!(first_moves.len(), report.lines.len(), "a move has two lines");
}

#[track_caller]
fn assert_sound(searched: &Searched, game: &GameRecord) {
    for report in &searched.reports {
        assert_report_is_sound(report, game);
    }
    assert_eq!(searched.best, searched.last().lines[0].pv.first().copied());
    assert!(game.legal_moves().contains(&searched.best.expect("a move")));
}

#[test]
fn every_line_is_legal_and_a_proof_ends_the_game_for_the_right_side() {
    let mut searcher = searcher();
    let mut proofs = 0;
    for game in positions() {
        for multi_pv in [1, 3] {
            let searched = search_with(&mut searcher, &game, &of_depth(6), &options(multi_pv));
            assert_sound(&searched, &game);
            proofs += u32::from(matches!(searched.score(), Score::Mate(_)));
        }
    }
    assert!(proofs >= 20, "{proofs} proofs");
}

#[test]
fn lines_are_sound_wherever_a_search_is_broken_off() {
    let mut searcher = searcher();
    for game in positions() {
        for nodes in [1, 30, 100, 300, 500, 700, 1_000, 1_300, 2_000, 3_000] {
            for multi_pv in [1, 2] {
                searcher.clear();
                let searched = search_with(&mut searcher, &game, &Limits::of_nodes(nodes), &options(multi_pv));
                assert_sound(&searched, &game);
            }
        }
    }
}

#[test]
fn several_lines_have_different_first_moves_and_fall_in_score() {
    let mut searcher = searcher();
    for game in positions() {
        let moves = game.legal_moves().len();
        for multi_pv in [2, 4, 100] {
            searcher.clear();
            let searched = search_with(&mut searcher, &game, &of_depth(4), &options(multi_pv));
            assert_sound(&searched, &game);
            for report in &searched.reports {
                assert_eq!(report.lines.len(), multi_pv.min(moves));
                let worths: Vec<i32> = report.lines.iter().map(|line| worth(line.score)).collect();
                assert!(worths.is_sorted_by(|a, b| a >= b), "{worths:?}: {:?}", game.position().to_setup());
            }
        }
    }
}

#[test]
fn search_moves_restrict_the_choice() {
    for game in positions() {
        let moves = game.legal_moves();
        let chosen: Vec<Move> = moves.iter().copied().rev().step_by(2).collect();
        let limits = Limits { search_moves: chosen.clone(), ..of_depth(3) };
        let searched = search_with(&mut searcher(), &game, &limits, &options(100));
        assert!(chosen.contains(&searched.best.expect("a move")));
        for report in &searched.reports {
            assert_eq!(report.lines.len(), chosen.len());
            assert!(report.lines.iter().all(|line| chosen.contains(&line.pv[0])));
        }
    }
}

// Limits.

#[test]
fn a_limit_of_depth_is_reached_exactly_unless_the_result_is_proved_before() {
    let mut reached = 0;
    for game in positions() {
        for depth in [1, 2, 5] {
            let searched = search(&game, &of_depth(depth));
            let last = searched.last().depth;
            let depths: Vec<u32> = searched.reports.iter().map(|report| report.depth).collect();
            // One report a depth, and the last state once more.
            assert_eq!(depths, (1..=last).chain([last]).collect::<Vec<_>>());
            assert!(searched.reports.iter().all(|report| report.seldepth >= report.depth));
            if last == depth {
                reached += 1;
            } else {
                assert!(last < depth && matches!(searched.score(), Score::Mate(_)), "{last} of {depth}");
                assert!(searched.plies() <= last);
            }
        }
    }
    assert!(reached > 60, "{reached}");
}

#[test]
fn a_limit_of_nodes_is_exceeded_by_no_more_than_the_first_depth() {
    for game in positions() {
        let first = search(&game, &of_depth(1)).last().nodes;
        for nodes in [0, 1, first, first + 1, 100, 1_000, 1_001] {
            let searched = search(&game, &Limits::of_nodes(nodes));
            let used = searched.last().nodes;
            assert!(used <= nodes.max(first + 1), "{used} nodes of {nodes}, {first} in the first depth");
            let proved = matches!(searched.score(), Score::Mate(_));
            assert!(used >= nodes || proved || searched.last().depth == 100, "{used} nodes of {nodes}");
        }
    }
}

#[test]
fn a_search_that_remembers_nothing_gives_the_same_reports_again() {
    let mut searcher = searcher();
    for game in positions().step_by(3) {
        let mut run = || {
            searcher.clear();
            search_with(&mut searcher, &game, &Limits::of_nodes(3_000), &options(3)).timeless()
        };
        let first = run();
        assert!(first.len() >= 2);
        assert_eq!(run(), first);
    }
}

/// Searches on a thread of its own, and does `meanwhile` while it runs, which must end it.
fn search_while(
    game: &GameRecord,
    limits: &Limits,
    meanwhile: impl FnOnce(&Control, &dyn Fn() -> bool),
) -> Option<Move> {
    let control = Control::new();
    let mut searcher = searcher();
    std::thread::scope(|scope| {
        let (control, searcher) = (&control, &mut searcher);
        let run = move || searcher.search(game, limits, &options(1), Instant::now(), control, &|_| {});
        let thread = scope.spawn(run);
        std::thread::sleep(Duration::from_millis(60));
        meanwhile(control, &|| thread.is_finished());
        let since = Instant::now();
        while !thread.is_finished() && since.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        let in_time = thread.is_finished();
        control.stop();
        let best = thread.join().expect("a search");
        assert!(in_time, "the search does not end");
        best
    })
}

/// An open position, one that is proved at once, and one with a single move.
fn open_proved_and_forced() -> [GameRecord; 3] {
    let proved = before_the_end(&random_game(Variant::Kigogo, 5), 1);
    [GameRecord::of_variant(Variant::Kimasai), proved, worked("kigogo_endless_02").0]
}

#[test]
fn a_stop_ends_an_infinite_search_and_nothing_else_does() {
    for game in open_proved_and_forced() {
        let limits = Limits { infinite: true, ..Limits::default() };
        let best = search_while(&game, &limits, |control, ended| {
            assert!(!ended());
            control.stop();
        });
        assert!(game.legal_moves().contains(&best.expect("a move")));
    }
}

#[test]
fn pondering_waits_for_the_hit_or_a_stop() {
    let clock = [Some(Duration::from_millis(400)); 2];
    for game in open_proved_and_forced() {
        for limits in [Limits::of_nodes(50), of_depth(2), Limits { clock, ..Limits::default() }] {
            let limits = Limits { ponder: true, ..limits };
            for hit in [true, false] {
                let best = search_while(&game, &limits, |control, ended| {
                    assert!(!ended());
                    if hit { control.ponder_hit(Instant::now()) } else { control.stop() }
                });
                assert!(game.legal_moves().contains(&best.expect("a move")));
            }
        }
    }
}

#[test]
fn a_forced_move_on_a_clock_is_answered_at_once() {
    // The relay of the first never ends; of the second nothing is known.
    let forced = (0..200)
        .map(|seed| before_the_end(&random_game(Variant::Kiswahili, seed), 12))
        .find(|game| game.legal_moves().len() == 1)
        .expect("a forced move");
    for game in [worked("kigogo_endless_02").0, forced] {
        let hour = Duration::from_secs(3_600);
        let limits = Limits { clock: [Some(hour); 2], ..Limits::default() };
        let best = search_while(&game, &limits, |_, _| {});
        assert_eq!(best, game.legal_moves().first().copied());
    }
}

#[test]
fn the_end_of_a_game_is_reported_as_by_the_tree_search() {
    let mut draws = 0;
    let random = Variant::ALL.into_iter().map(|variant| random_game(variant, 9));
    let recorded = ["kigogo_repetition", "kigogo_endless", "kiswahili_repetition"].map(recorded_game);
    for game in random.chain(recorded) {
        let outcome = game.outcome().expect("an end");
        let searched = search(&game, &Limits::of_nodes(100));
        let tree = search_with(&mut searcher(), &game, &Limits::of_nodes(100), &SearchOptions::default());
        assert_eq!((searched.best, searched.timeless()), (None, tree.timeless()));
        let expected = match outcome.result {
            GameResult::Win(_) => (Score::Mate(0), 0),
            GameResult::Draw => (Score::Centipawns(0), 1000),
        };
        assert_eq!((searched.score(), searched.last().lines[0].wdl.draw), expected);
        draws += u32::from(outcome.result == GameResult::Draw);
    }
    assert_eq!(draws, 3);
}

// Draws.

/// The rows of a file of rule data.
fn data(name: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).expect("data");
    serde_json::from_str(&text).expect("JSON")
}

fn row(file: &str, id: &str) -> serde_json::Value {
    data(file).into_iter().find(|row| row["id"] == id).expect("the row")
}

fn game_at(position: &str, variant: Variant) -> GameRecord {
    let setup = parse_setup(position, variant).expect("a setup");
    GameRecord::new(AnyPosition::from_setup(&setup).expect("a position"))
}

/// A worked position and its move.
fn worked(id: &str) -> (GameRecord, Move) {
    let row = row("worked.json", id);
    let variant = Variant::from_name(row["variant"].as_str().expect("a name")).expect("a variant");
    let game = game_at(row["position"].as_str().expect("a text"), variant);
    let m = parse_move(row["move"].as_str().expect("a move"), game.position()).expect("a move");
    (game, m)
}

/// A whole recorded game.
fn recorded_game(id: &str) -> GameRecord {
    let row = row("games.json", id);
    let variant = Variant::from_name(row["variant"].as_str().expect("a name")).expect("a variant");
    let mut game = match row["start"].as_str().expect("a start") {
        "startpos" => GameRecord::of_variant(variant),
        position => game_at(position, variant),
    };
    for m in row["moves"].as_array().expect("moves") {
        let m = parse_move(m.as_str().expect("a move"), game.position()).expect("a move");
        game.play(m).expect("a legal move");
    }
    game
}

/// The same game without its last plies, of whatever start; and these plies.
fn without_last(id: &str, plies: usize) -> (GameRecord, Vec<Move>) {
    let whole = recorded_game(id);
    let row = row("games.json", id);
    let mut game = match row["start"].as_str().expect("a start") {
        "startpos" => GameRecord::of_variant(whole.variant()),
        position => game_at(position, whole.variant()),
    };
    let (first, last) = whole.moves().split_at(whole.moves().len() - plies);
    for &m in first {
        game.play(m).expect("a legal move");
    }
    (game, last.to_vec())
}

const REPEATING: [&str; 3] = ["kigogo_repetition", "kigogo_cycle20", "kiswahili_repetition"];

#[test]
fn a_move_that_repeats_a_past_position_is_a_draw_and_only_by_the_past() {
    for id in REPEATING {
        assert_eq!(recorded_game(id).outcome().map(|o| o.reason), Some(EndReason::Repetition));
        let (game, last) = without_last(id, 1);
        let fresh = GameRecord::new(game.position().clone());
        for depth in [1, 2, 5, 8] {
            let limits = Limits { search_moves: last.clone(), ..of_depth(depth) };
            let searched = search(&game, &limits);
            let line = &searched.last().lines[0];
            assert_eq!((line.score, &line.pv), (Score::Centipawns(0), &last), "{id} at depth {depth}");
            // The same move without the past is judged by what comes after it.
            assert_ne!(search(&fresh, &limits).score(), Score::Centipawns(0), "{id} at depth {depth}");
        }
    }
}

#[test]
fn who_can_repeat_has_a_draw_at_least() {
    for id in REPEATING {
        let (game, last) = without_last(id, 1);
        assert!(worth(search(&game, &of_depth(6)).score()) >= 0, "{id}");
        // A ply earlier the move that lets him repeat is worth a draw at the most.
        let (game, last_two) = without_last(id, 2);
        assert_eq!(last_two[1], last[0]);
        for depth in 2..=6 {
            let limits = Limits { search_moves: vec![last_two[0]], ..of_depth(depth) };
            assert!(worth(search(&game, &limits).score()) <= 0, "{id} at depth {depth}");
        }
    }
}

#[test]
fn a_relay_that_never_ends_is_a_draw() {
    for id in ["kigogo_endless_01", "kigogo_endless_02", "kigogo_endless_03", "kigogo_endless_04"] {
        let (game, m) = worked(id);
        let limits = Limits { search_moves: vec![m], ..of_depth(3) };
        let searched = search(&game, &limits);
        let line = &searched.last().lines[0];
        assert_eq!((line.score, line.pv.as_slice()), (Score::Centipawns(0), &[m][..]), "{id}");
        assert_eq!(searched.last().depth, 3);
    }
}
