//! The search as a whole: what it finds, what it reports, what ends it.

use crate::searched::{Searched, search_with};
use kete::evaluation::EvaluationKind;
use kete::game::{AnyPosition, GameRecord, GameResult, Move, Side, Variant};
use kete::notation::{parse_move, parse_setup};
use kete::search::{Control, GameTunable, Limits, Player, Report, Score, SearchOptions, Searcher, Wdl};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

fn game(position: &str, variant: Variant) -> GameRecord {
    let setup = parse_setup(position, variant).expect("a setup");
    GameRecord::new(AnyPosition::from_setup(&setup).expect("a position"))
}

fn search(game: &GameRecord, limits: &Limits) -> Searched {
    let mut searcher = Searcher::new(1, 16).expect("a searcher");
    search_with(&mut searcher, game, limits, &SearchOptions::default())
}

/// A random game of so many plies, or fewer if it would be over.
fn random_game(variant: Variant, plies: usize, seed: u64) -> GameRecord {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = GameRecord::of_variant(variant);
    for _ in 0..plies {
        let moves = game.legal_moves();
        let mut next = game.clone();
        next.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}

/// Positions of all stages of all games.
fn positions() -> impl Iterator<Item = GameRecord> {
    Variant::ALL
        .into_iter()
        .flat_map(|variant| (0..200).step_by(8).map(move |plies| random_game(variant, plies, plies as u64)))
}

fn assert_report_is_sound(report: &Report, game: &GameRecord) {
    assert!(!report.lines.is_empty());
    let mut first_moves = Vec::new();
    for line in &report.lines {
        let Wdl { win, draw, loss } = line.wdl;
        assert_eq!(win + draw + loss, 1000);
        let mut replay = game.clone();
        for (i, &m) in line.pv.iter().enumerate() {
            replay.play(m).unwrap_or_else(|e| panic!("pv move {i} of {:?}: {e}", line.pv));
        }
        if let Score::Mate(moves) = line.score {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(line.pv.len(), plies as usize, "{line:?}");
            let winner = if moves > 0 { game.side_to_move() } else { !game.side_to_move() };
            assert_eq!(replay.outcome().map(|o| o.result), Some(GameResult::Win(winner)), "{line:?}");
        }
        first_moves.push(line.pv[0]);
    }
    first_moves.sort();
    let count = first_moves.len();
    first_moves.dedup();
    assert_eq!(first_moves.len(), count, "a move has two lines");
}

#[test]
fn reports_are_sound_on_one_thread_and_on_two() {
    for threads in [1, 2] {
        let mut searcher = Searcher::new(threads, 16).expect("a searcher");
        let options = SearchOptions { multi_pv: 4, ..SearchOptions::default() };
        for game in positions() {
            let searched = search_with(&mut searcher, &game, &Limits::of_nodes(3_000), &options);
            for report in &searched.reports {
                assert_report_is_sound(report, &game);
            }
            assert_eq!(searched.best, searched.last().lines[0].pv.first().copied());
            assert!(game.legal_moves().contains(&searched.best.expect("a move")));
        }
    }
}

fn without_scout() -> SearchOptions {
    let mut options = SearchOptions::default();
    for share in GameTunable::all().filter(|which| which.option_name().ends_with("ScoutShare")) {
        options.params.set(share, 0);
    }
    options
}

/// The lines of play of this endgame lead to few positions again and again.
#[test]
fn an_endgame_to_and_fro_is_proved_by_the_scout_and_not_by_the_tree() {
    let game = game(
        "kigogo 0,0,0,0,0,0,1,0,0,0,0,0/0,0,0,0,0,0,1,0,0,0,0,0/0,0,0,1,2,0,0,1,0,0,0,0/0,0,0,0,0,0,1,0,0,1,0,1 S 176",
        Variant::Kigogo,
    );
    let limits = Limits::of_nodes(150_000);
    let searched = search(&game, &limits);
    let report = searched.last();
    assert!(matches!(report.lines[0].score, Score::Mate(moves) if moves < 0), "{:?}", report.lines[0]);
    assert!(report.seldepth >= report.depth);

    let mut searcher = Searcher::new(1, 16).expect("a searcher");
    let alone = search_with(&mut searcher, &game, &limits, &without_scout());
    assert!(matches!(alone.last().lines[0].score, Score::Centipawns(_)), "{:?}", alone.last().lines[0]);
}

#[test]
fn a_limit_of_depth_is_one_for_the_scout_too() {
    for depth in [9, 11] {
        let searched =
            search(&random_game(Variant::Kigogo, 30, 5), &Limits { depth: Some(depth), ..Limits::default() });
        assert_eq!(searched.last().depth, depth);
    }
}

/// The rows of a file of rule data.
fn data(name: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).expect("data");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_win_in_one_is_proved_at_once() {
    let mut won = 0;
    for row in data("worked.json") {
        let variant = Variant::from_name(row["variant"].as_str().expect("a name")).expect("a variant");
        let game = game(row["position"].as_str().expect("a text"), variant);
        let wins = |m: Move| {
            let mut after = game.clone();
            after.play(m).expect("a legal move");
            after.outcome().map(|o| o.result) == Some(GameResult::Win(game.side_to_move()))
        };
        if !game.legal_moves().into_iter().any(wins) {
            continue;
        }
        won += 1;
        let searched = search(&game, &Limits::of_nodes(10));
        assert_eq!(searched.last().lines[0].score, Score::Mate(1), "{}", row["id"]);
        assert!(wins(searched.best.expect("a move")), "{}", row["id"]);
    }
    assert!(won >= 12, "only {won} positions with a win in one");
}

#[test]
fn late_positions_are_proved_and_proofs_are_true() {
    // Played on by the proof's own side against every defence, a proved win is a win.
    let mut proved = 0;
    for seed in 0..40 {
        let variant = Variant::ALL[seed as usize % 3];
        let full = random_game(variant, 10_000, seed);
        let mut game = GameRecord::of_variant(variant);
        for &m in &full.moves()[..full.moves().len().saturating_sub(4)] {
            game.play(m).expect("a legal move");
        }
        let searched = search(&game, &Limits::of_nodes(20_000));
        if let Score::Mate(moves) = searched.last().lines[0].score {
            proved += 1;
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            if plies <= 7 {
                assert_eq!(solve(&game, plies as u32), Some(moves > 0), "{variant} seed {seed}");
            }
        }
    }
    assert!(proved > 20, "only {proved} of 40 late positions were proved");
}

/// Whether the side to move wins (or loses) within so many plies, by trying everything.
fn solve(game: &GameRecord, plies: u32) -> Option<bool> {
    if let Some(outcome) = game.outcome() {
        return match outcome.result {
            GameResult::Win(side) => Some(side == game.side_to_move()),
            GameResult::Draw => None,
        };
    }
    if plies == 0 {
        return None;
    }
    let mut all_lose = true;
    for m in game.legal_moves() {
        let mut next = game.clone();
        next.play(m).expect("a legal move");
        match solve(&next, plies - 1) {
            Some(false) => return Some(true),
            Some(true) => {}
            None => all_lose = false,
        }
    }
    all_lose.then_some(false)
}

#[test]
fn a_draw_by_repetition_is_seen_in_the_tree() {
    // The whole game but its last move, which repeats: the search knows the past.
    let rows = data("games.json");
    let row = rows.iter().find(|row| row["id"] == "kigogo_cycle20").expect("the game");
    let mut game = game(row["start"].as_str().expect("a start"), Variant::Kigogo);
    let moves = row["moves"].as_array().expect("moves");
    let (last, before) = moves.split_last().expect("moves");
    for m in before {
        let m = parse_move(m.as_str().expect("a move"), game.position()).expect("a move");
        game.play(m).expect("a legal move");
    }
    let last = parse_move(last.as_str().expect("a move"), game.position()).expect("a move");
    let limits = Limits { search_moves: vec![last], ..Limits::of_nodes(100) };
    let searched = search(&game, &limits);
    assert_eq!(searched.best, Some(last));
    let line = &searched.last().lines[0];
    assert_eq!((line.score, line.wdl, line.pv.as_slice()), (Score::Centipawns(0), Wdl::DRAW, [last].as_slice()));
}

#[test]
fn one_thread_and_a_node_limit_repeat_bit_for_bit() {
    for variant in Variant::ALL {
        let game = random_game(variant, 12, 3);
        let mut searcher = Searcher::new(1, 16).expect("a searcher");
        let options = SearchOptions { multi_pv: 3, seed: 99, ..SearchOptions::default() };
        let mut run = || search_with(&mut searcher, &game, &Limits::of_nodes(20_000), &options).timeless();
        let first = run();
        assert!(first.len() > 3);
        assert_eq!(run(), first);
    }
}

#[test]
fn random_games_at_the_leaves_depend_on_the_seed_and_on_nothing_else() {
    for variant in Variant::ALL {
        let game = random_game(variant, 12, 3);
        let mut searcher = Searcher::new(1, 16).expect("a searcher");
        let mut lines = |seed| {
            let mut options = SearchOptions { multi_pv: 3, seed, ..SearchOptions::default() };
            options.evaluation.kind = EvaluationKind::Playout;
            search_with(&mut searcher, &game, &Limits::of_nodes(2_000), &options).last().lines.clone()
        };
        let first = lines(99);
        assert_eq!(lines(99), first);
        assert_ne!(lines(100), first, "{variant}: the seed has no effect");
    }
}

#[test]
fn each_limit_ends_the_search() {
    for threads in [1, 2] {
        let mut searcher = Searcher::new(threads, 16).expect("a searcher");
        let options = SearchOptions::default();
        let game = GameRecord::of_variant(Variant::Kigogo);
        let mut nodes = |limits: Limits| search_with(&mut searcher, &game, &limits, &options).last().nodes;
        assert_eq!(nodes(Limits::of_nodes(1_234)), 1_234, "{threads} threads");
        assert_eq!(nodes(Limits::of_nodes(0)), 1);
        assert!(nodes(Limits { depth: Some(2), ..Limits::default() }) > 10);
        assert!(nodes(Limits::of_move_time(Duration::from_millis(30))) > 10);
        assert!(nodes(Limits::of_move_time(Duration::ZERO)) >= 1);
        let clock = Limits { clock: [Some(Duration::from_millis(900)), None], ..Limits::default() };
        assert!(nodes(clock) > 10);
        let first_reached = Limits { nodes: Some(777), ..Limits::of_move_time(Duration::from_secs(3600)) };
        assert_eq!(nodes(first_reached), 777);
    }
}

#[test]
fn a_stop_from_elsewhere_ends_an_endless_search() {
    let mut searcher = Searcher::new(2, 16).expect("a searcher");
    for position in [GameRecord::of_variant(Variant::Kimasai), random_game(Variant::Kigogo, 10_000, 5)] {
        let control = Control::new();
        let limits = Limits { infinite: true, ..Limits::default() };
        let best = std::thread::scope(|scope| {
            let (control, position, searcher) = (&control, &position, &mut searcher);
            let options = SearchOptions::default();
            let search =
                scope.spawn(move || searcher.search(position, &limits, &options, Instant::now(), control, &|_| {}));
            std::thread::sleep(Duration::from_millis(100));
            // A forced move or a proved result is no reason to answer.
            assert!(!search.is_finished());
            control.stop();
            search.join().expect("a search")
        });
        assert!(position.legal_moves().contains(&best.expect("a move")));
    }
}

#[test]
fn a_full_tree_is_pruned_and_the_search_goes_on() {
    for threads in [1, 2] {
        let mut searcher = Searcher::new(threads, 1).expect("a searcher");
        for variant in Variant::ALL {
            let game = GameRecord::of_variant(variant);
            let limits = Limits::of_nodes(4_000_000);
            let searched = search_with(&mut searcher, &game, &limits, &without_scout());
            assert_eq!(searched.last().nodes, 4_000_000);
            // Full again and again: what is reported must have gone up and down.
            let fullness: Vec<u32> = searched.reports.iter().map(|report| report.hashfull).collect();
            assert!(fullness.windows(2).any(|pair| pair[1] < pair[0]), "{variant}: {fullness:?}");
            assert_report_is_sound(searched.last(), &game);
            // The line of the best move is never cut off.
            assert!(searched.last().lines[0].pv.len() >= 8, "{variant}: {:?}", searched.last().lines[0].pv);
        }
    }
}

/// The positions of a suite of endgames that are won or lost within so many plies, with their value and plies.
fn endgames(variant: Variant, max_plies: usize) -> Vec<(GameRecord, bool, usize)> {
    let path = format!("{}/tests/data/endgames/{variant}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a suite");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split("; ").collect::<Vec<_>>());
    rows.filter(|row| row[1] != "draw")
        .map(|row| (game(row[0], variant), row[1] == "win", row[2].parse().expect("plies")))
        .filter(|&(_, _, plies)| plies <= max_plies)
        .collect()
}

#[test]
fn a_proved_line_goes_on_to_the_end_by_the_shortest_way() {
    let mut searcher = Searcher::new(1, 16).expect("a searcher");
    for variant in Variant::ALL {
        let endgames = endgames(variant, 8);
        assert!(endgames.len() > 50);
        for (game, is_won, plies) in endgames.into_iter().step_by(3) {
            searcher.clear();
            let options = SearchOptions::default();
            let searched = search_with(&mut searcher, &game, &Limits::of_nodes(100_000), &options);
            let line = &searched.last().lines[0];
            let moves = plies.div_ceil(2) as i32;
            assert_eq!(line.score, Score::Mate(if is_won { moves } else { -moves }), "{:?}", game.position());
            let mut end = game.clone();
            line.pv.iter().for_each(|&m| end.play(m).expect("a legal move"));
            assert_eq!((line.pv.len(), end.outcome().is_some()), (plies, true), "{:?}", game.position());
        }
    }
}

#[test]
fn a_search_for_a_mate_finds_the_shortest_one_and_ends_without() {
    for player in [Player::Mcts, Player::AlphaBeta] {
        let options = SearchOptions { player, ..SearchOptions::default() };
        let mut searcher = Searcher::new(1, 16).expect("a searcher");
        for variant in Variant::ALL {
            let won = endgames(variant, 7).into_iter().filter(|&(_, is_won, _)| is_won);
            for (game, _, plies) in won.step_by(3) {
                let moves = plies.div_ceil(2) as u32;
                let limits = |mate| Limits { mate: Some(mate), ..Limits::default() };
                let found = search_with(&mut searcher, &game, &limits(moves), &options);
                assert_eq!(found.last().lines[0].score, Score::Mate(moves as i32), "{:?}", game.position());
                assert_eq!(found.last().lines[0].pv.len(), plies, "{:?}", game.position());
                if moves > 1 {
                    let none = search_with(&mut searcher, &game, &limits(moves - 1), &options);
                    // The captures at the end of the search may show a longer one, which is true as well.
                    let score = none.last().lines[0].score;
                    assert!(!matches!(score, Score::Mate(n) if n < moves as i32), "{:?}", game.position());
                    assert!(game.legal_moves().contains(&none.best.expect("a move")));
                }
            }
        }
    }
}

#[test]
fn search_moves_restrict_the_choice() {
    let game = GameRecord::of_variant(Variant::Kigogo);
    let moves = game.legal_moves();
    let limits = Limits { search_moves: vec![moves[4], moves[9]], ..Limits::of_nodes(2_000) };
    let mut searcher = Searcher::new(1, 16).expect("a searcher");
    let options = SearchOptions { multi_pv: 10, ..SearchOptions::default() };
    let searched = search_with(&mut searcher, &game, &limits, &options);
    let mut shown: Vec<Move> = searched.last().lines.iter().map(|line| line.pv[0]).collect();
    shown.sort();
    let mut allowed = vec![moves[4], moves[9]];
    allowed.sort();
    assert_eq!(shown, allowed);
}

#[test]
fn the_search_beats_greedy_and_greedy_beats_random() {
    let players = |player| SearchOptions { player, ..SearchOptions::default() };
    for variant in Variant::ALL {
        let searched = score(variant, &players(Player::Mcts), &players(Player::Greedy), 12);
        assert!(searched >= 40, "{variant}: {searched} of 48 half points against greedy");
        let greedy = score(variant, &players(Player::Greedy), &players(Player::Random), 60);
        assert!(greedy >= 140, "{variant}: {greedy} of 240 half points against random");
    }
}

/// Half points of `a` in so many swapped pairs. Nothing depends on time, so neither does the result.
fn score(variant: Variant, a: &SearchOptions, b: &SearchOptions, pairs: u64) -> u32 {
    let mut searcher = Searcher::new(1, 16).expect("a searcher");
    let mut half_points = 0;
    for pair in 0..pairs {
        let opening = random_game(variant, 12, 1_000 + pair);
        for a_side in Side::ALL {
            let mut game = opening.clone();
            while game.outcome().is_none() {
                let options = if game.side_to_move() == a_side { a } else { b };
                let options = SearchOptions { seed: pair, ..options.clone() };
                let searched = search_with(&mut searcher, &game, &Limits::of_nodes(400), &options);
                game.play(searched.best.expect("a move")).expect("a legal move");
            }
            half_points += match game.outcome().map(|o| o.result) {
                Some(GameResult::Win(side)) if side == a_side => 2,
                Some(GameResult::Win(_)) => 0,
                _ => 1,
            };
        }
    }
    half_points
}
