//! Reports of made-up matches: whole, without undefined numbers, and deaf to what engines call themselves.

mod record;

use super::{html, page};
use crate::contest::{MatchRecord, ResultText, Termination};
use crate::game::{GameResult, Side, Variant};
pub(super) use record::HOSTILE;
use record::Plan;
use serde_json::Value;

fn all_variants(games: u64) -> MatchRecord {
    let engines = vec!["new", "old", "greedy"];
    Plan { variants: Variant::ALL.to_vec(), engines, games, sprt: false, favour: 20, failures: 60 }.play()
}

fn checked(record: &MatchRecord) -> String {
    checked_page(|| html(record).unwrap())
}

/// The page, after what must hold for every one.
pub(super) fn checked_page(write: impl Fn() -> String) -> String {
    let report = write();
    assert_well_formed(&report);
    assert_eq!(report, write(), "not the same twice");
    let lower = report.to_ascii_lowercase();
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric()) {
        assert!(!["nan", "inf", "infinity"].contains(&word), "{word}");
    }
    let outside = lower.replace("http://www.w3.org/2000/svg", "");
    for link in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!outside.contains(link), "{link}");
    }
    report
}

/// Every element is closed in its order, and attributes have their quotes.
fn assert_well_formed(report: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = report.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, behind) = after.split_once('>').unwrap();
        rest = behind;
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        assert!(tag.matches('"').count() % 2 == 0 && !tag.contains('<'), "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && !["meta", "link", "input", "br"].contains(&name) {
            open.push(name);
            if ["script", "style"].contains(&name) {
                rest = &rest[rest.find(&format!("</{name}")).unwrap()..];
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

fn data(report: &str) -> Value {
    let (_, json) = report.split_once("id=\"data\">").unwrap();
    serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn every_game_is_on_the_page() {
    let record = all_variants(121);
    let report = checked(&record);
    let data = data(&report);
    for (game, row) in record.games.iter().zip(data["games"].as_array().unwrap()) {
        assert_eq!(row[0], game.game);
        assert_eq!(row[12]["moves"], game.moves.join(" "));
        let changes = row[12]["changes"].as_str().unwrap();
        assert_eq!(if game.moves.is_empty() { 0 } else { changes.split(',').count() }, game.moves.len());
        assert_eq!(row[11]["trouble"], Value::Null);
        if game.reason.is_failure() {
            assert!(report.contains(&format!("<a href=\"#game={}&amp;ply={}\">", game.game, game.plies)));
        }
    }
    assert_eq!(data["left_out"], 0);
    assert_eq!(report.matches("<caption>Cross table").count(), 1);
}

#[test]
fn matches_of_any_length_have_a_report() {
    for games in [0, 1, 2, 3, 10, 60] {
        for sprt in [false, true] {
            let report = checked(&Plan { sprt, ..Plan::duel(games) }.play());
            assert_eq!(report.contains("SPRT: "), sprt, "{games}");
            assert_eq!(report.contains("<figure>"), games > 0);
        }
        checked(&all_variants(games));
    }
    assert!(checked(&Plan::duel(0).play()).contains("No game is finished yet."));
}

#[test]
fn one_sided_matches_have_a_report() {
    for engine in ["kete-new", "kete-old", "nobody"] {
        let mut record = Plan::duel(30).play();
        for game in &mut record.games {
            let winner = Side::ALL.into_iter().find(|&side| game.engine(side) == engine);
            game.result = ResultText(winner.map_or(GameResult::Draw, GameResult::Win));
        }
        let report = checked(&record);
        let sentence = match engine {
            "kete-new" => "<b>kete-new</b> is stronger than <b>kete-old</b>: Elo n/a",
            "kete-old" => "<b>kete-new</b> is weaker than <b>kete-old</b>: Elo n/a",
            _ => "Undecided between <b>kete-new</b> and <b>kete-old</b>: Elo 0.0",
        };
        assert!(report.contains(sentence), "{engine}");
    }
}

#[test]
fn a_few_games_decide_nothing() {
    let mut record = Plan::duel(6).play();
    for game in &mut record.games {
        game.result = ResultText(GameResult::Win(if game.south == "kete-new" { Side::South } else { Side::North }));
    }
    assert!(checked(&record).contains("Undecided: too few games to compare"));
    record.games.truncate(1);
    assert!(checked(&record).contains("no pair is complete"));
}

#[test]
fn hostile_names_are_only_names() {
    for engines in [HOSTILE[..2].to_vec(), HOSTILE.to_vec()] {
        let mut record = Plan { engines, variants: Variant::ALL.to_vec(), failures: 100, ..Plan::duel(90) }.play();
        for game in record.games.iter_mut().filter(|game| game.detail.is_some()) {
            game.detail = Some(HOSTILE.concat());
            game.started = HOSTILE.concat();
        }
        record.file.command = HOSTILE.map(str::to_owned).into();
        record.file.kete = HOSTILE.concat();
        let report = checked(&record);
        for part in ["<script>alert", "<!--", "<b>name", "\u{2028}"] {
            assert!(!report.contains(part), "{part}");
        }
        assert_eq!(report.matches("<script").count(), 2);
        let engines = data(&report)["engines"].clone();
        assert_eq!(engines[0], HOSTILE[0]);
        assert_eq!(engines[1], HOSTILE[1]);
    }
}

#[test]
fn damaged_games_are_named_and_the_others_shown() {
    let mut record = Plan { failures: 0, favour: 0, ..Plan::duel(8) }.play();
    let legal = record.games[1].moves[1].clone();
    record.games[1].moves[4] = "Z9<b>".to_owned();
    record.games[2].moves[0] = legal;
    record.games[3].opening = "nonsense".to_owned();
    record.games[4].moves.pop();
    let GameResult::Win(winner) = record.games[5].result.0 else { panic!("a draw") };
    record.games[5].result = ResultText(GameResult::Win(!winner));
    record.games[6].reason = Termination::MaxPlies;
    record.games[7].south = "unheard of".to_owned();
    let report = checked(&record);
    let games = data(&report)["games"].clone();
    let trouble = |i: usize| games[i][11]["trouble"].as_str().unwrap_or_default().to_owned();
    assert!(trouble(1).starts_with("game 2, move 5: Z9<b> cannot be played: "), "{}", trouble(1));
    assert_eq!(games[1][12]["moves"].as_str().unwrap().split(' ').count(), 4);
    assert!(trouble(2).starts_with("game 3, move 1: "), "{}", trouble(2));
    assert!(trouble(3).starts_with("game 4: its opening cannot be read: "), "{}", trouble(3));
    assert!(trouble(4).contains("game 5: by its moves the game is not over"), "{}", trouble(4));
    assert!(trouble(5).contains("game 6: the moves lead to"), "{}", trouble(5));
    assert_eq!((trouble(0), trouble(7)), (String::new(), String::new()));
    assert!(report.contains("move 5: Z9&lt;b&gt; cannot be played"));
}

#[test]
fn failed_games_and_the_latest_ones_keep_their_moves() {
    let record = Plan { failures: 100, ..Plan::duel(60) }.play();
    let report = page(&record, 2_000).unwrap();
    assert_well_formed(&report);
    let data = data(&report);
    let rows = data["games"].as_array().unwrap();
    assert_eq!(rows.len(), record.games.len());
    let kept: u64 = rows.iter().filter(|row| !row[12].is_null()).map(|row| row[9].as_u64().unwrap()).sum();
    assert!((1_500..=2_000).contains(&kept), "{kept}");
    for (game, row) in record.games.iter().zip(rows) {
        assert!(!game.reason.is_failure() || !row[12].is_null(), "game {}", game.game);
    }
    assert!(!rows[59][12].is_null() && rows.iter().any(|row| row[12].is_null()));
    let left_out = data["left_out"].as_u64().unwrap();
    assert!(report.contains(&format!("{left_out} games without moves on this page")));
}

#[test]
fn the_policy_names_the_hash_of_the_script() {
    // The hash of nothing, a known value.
    assert_eq!(super::policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    let report = checked(&Plan::duel(2).play());
    let (_, script) = report.rsplit_once("<script>").unwrap();
    let script = script.split_once("</script>").unwrap().0;
    assert!(report.contains(&format!("script-src '{}'", super::policy_hash(script))));
}

/// Reports to look at in a browser, in the directory for temporary files.
#[test]
#[ignore = "writes files"]
fn write_samples() {
    let mut flawed = Plan { failures: 100, favour: 0, ..Plan::duel(20) }.play();
    flawed.games[1].moves[0] = "Z9".to_owned();
    flawed.games[3].opening = "nonsense".to_owned();
    let hostile = Plan { engines: HOSTILE.to_vec(), variants: Variant::ALL.to_vec(), ..Plan::duel(90) };
    let large = Plan { variants: Variant::ALL.to_vec(), ..Plan::duel(10_000) };
    for (name, record) in [
        ("duel", Plan { variants: Variant::ALL.to_vec(), ..Plan::duel(1_201) }.play()),
        ("kigogo", Plan::duel(400).play()),
        ("three", all_variants(401)),
        ("empty", Plan::duel(0).play()),
        ("one", Plan::duel(1).play()),
        ("flawed", flawed),
        ("hostile", hostile.play()),
        ("large", large.play()),
    ] {
        let started = std::time::Instant::now();
        let report = html(&record).unwrap();
        let took = started.elapsed();
        let path = std::env::temp_dir().join(format!("kete-report-{name}.html"));
        std::fs::write(&path, &report).unwrap();
        let plies: usize = record.games.iter().map(|game| game.moves.len()).sum();
        let note = format!("{name}: {} games, {plies} plies, {} bytes, {took:?}\n", record.games.len(), report.len());
        std::fs::write(path.with_extension("txt"), note).unwrap();
    }
}
