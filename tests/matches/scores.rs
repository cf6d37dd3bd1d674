//! Games that scores or their length end before the rules do.

use crate::runner::{Place, text_of};
use serde_json::Value;

/// The two games of a match of two fakes that report these scores.
#[track_caller]
fn play(words: &str, scores: [i64; 2]) -> Vec<Value> {
    let place = Place::new();
    let flags = scores.map(|score| format!("--score {score}"));
    let runner =
        place.runner("--variant kigogo --out match --seed 7 --openings random plies=6 --rounds 1").words(words);
    let run = runner.fake("first", &flags[0], "nodes=10").fake("second", &flags[1], "tc=60+1").run();
    assert_eq!((run.code, run.failures()), (Some(0), vec![]), "{run}");
    assert_eq!(run.games().len(), 2);
    run.games()
}

fn facts(game: &Value) -> (&str, &str, u64) {
    (text_of(game, "reason"), text_of(game, "result"), game["plies"].as_u64().expect("a number"))
}

#[test]
fn a_game_that_its_player_calls_lost_is_given_up() {
    // South moves first: his third move is ply 5, North's ply 6.
    let games = play("--resign movecount=3 score=500", [-500, 40]);
    assert_eq!(facts(&games[0]), ("resign", "0-1", 5));
    assert_eq!(text_of(&games[0], "detail"), "the scores give the game up for South");
    assert_eq!(facts(&games[1]), ("resign", "1-0", 6));
    assert_eq!(text_of(&games[1], "detail"), "the scores give the game up for North");
    let games = play("--resign movecount=3 score=500", [-499, 499]);
    assert!(games.iter().all(|game| text_of(game, "reason") != "resign"), "{games:?}");
}

#[test]
fn both_must_agree_if_the_rule_is_two_sided() {
    let games = play("--resign movecount=3 score=500 twosided=true", [-500, 500]);
    assert_eq!(facts(&games[0]), ("resign", "0-1", 6));
    assert_eq!(facts(&games[1]), ("resign", "1-0", 6));
    let games = play("--resign movecount=3 score=500 twosided=true --maxplies 30", [-500, 499]);
    assert!(games.iter().all(|game| facts(game) == ("max-plies", "1/2-1/2", 30)), "{games:?}");
}

#[test]
fn a_game_that_both_call_level_is_drawn() {
    let games = play("--draw movenumber=4 movecount=2 score=10", [10, -10]);
    assert!(games.iter().all(|game| facts(game) == ("adjudication", "1/2-1/2", 8)), "{games:?}");
    assert_eq!(text_of(&games[0], "detail"), "the scores of both sides call the game level");
    let games = play("--draw movenumber=4 movecount=2 score=10 --maxplies 30", [10, 11]);
    assert!(games.iter().all(|game| facts(game) == ("max-plies", "1/2-1/2", 30)), "{games:?}");
}

#[test]
fn a_long_game_is_drawn_and_none_is_if_nobody_wants_it() {
    let games = play("--maxplies 7", [0, 0]);
    assert!(games.iter().all(|game| facts(game) == ("max-plies", "1/2-1/2", 7)), "{games:?}");
    let games = play("--maxplies 0", [0, 0]);
    assert!(games.iter().all(|game| text_of(game, "reason") == "normal"), "{games:?}");
}
