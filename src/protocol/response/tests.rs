//! Whatever is written is read as what it says.

use super::*;
use crate::game::{AnyPosition, GameRecord, Variant};
use crate::protocol::reply::{self, Info, Reply, parse_reply};
use std::time::Duration;

fn replies(text: &str) -> Vec<Reply<'_>> {
    text.lines().map(|line| parse_reply(line).unwrap()).collect()
}

#[test]
fn the_identity_lists_the_options_as_they_are() {
    for (dialect, closing) in [(Dialect::Uci, Reply::UciOk), (Dialect::Ugi, Reply::UgiOk)] {
        let text = Response::Identity(dialect).to_string();
        let name = concat!("Kete ", env!("CARGO_PKG_VERSION"));
        let mut expected = vec![Reply::IdName(name), Reply::IdAuthor("the Kete developers")];
        expected.extend(options::specs().into_iter().map(Reply::Option));
        expected.push(closing);
        assert_eq!(replies(&text), expected);
    }
}

#[test]
fn reports_and_best_moves_are_read_as_what_they_say() {
    for variant in Variant::ALL {
        let mut game = GameRecord::of_variant(variant);
        let mut pv = Vec::new();
        for _ in 0..3 {
            pv.push(game.legal_moves()[0]);
            game.play(pv[pv.len() - 1]).unwrap();
        }
        let side = AnyPosition::start(variant).side_to_move();
        let texts: Vec<String> =
            pv.iter().zip([side, !side, side]).map(|(&m, side)| move_text(m, side).to_string()).collect();
        for (score, read) in [
            (Score::Centipawns(-9999), reply::Score::Centipawns(-9999)),
            (Score::Centipawns(0), reply::Score::Centipawns(0)),
            (Score::Mate(3), reply::Score::Mate(3)),
            (Score::Mate(-2), reply::Score::Mate(-2)),
        ] {
            let line = Line { score, wdl: Wdl { win: 1, draw: 2, loss: 997 }, visits: 5, pv: pv.clone() };
            let over = Line { pv: Vec::new(), ..line.clone() };
            let report = Report {
                depth: 4,
                seldepth: 8,
                nodes: u64::MAX,
                hashfull: 12,
                time: Duration::from_millis(1500),
                lines: vec![line, over],
            };
            let lines: Vec<String> = report_lines(&report, side).map(|response| response.to_string()).collect();
            let joined = texts.join(" ");
            let expected = |multipv, pv| {
                Reply::Info(Info {
                    depth: Some(4),
                    seldepth: Some(8),
                    multipv: Some(multipv),
                    score: Some(read),
                    wdl: Some([1, 2, 997]),
                    nodes: Some(u64::MAX),
                    nps: Some(report.nps()),
                    hashfull: Some(12),
                    time_ms: Some(1500),
                    pv,
                    ..Info::default()
                })
            };
            assert_eq!(replies(&lines.join("\n")), [expected(1, Some(joined.as_str())), expected(2, None)]);
        }
        let best = Response::BestMove(Some((pv[0], side))).to_string();
        assert_eq!(replies(&best), [Reply::BestMove { best: &texts[0], ponder: None }]);
        let variant = Response::Variant(variant).to_string();
        let string = variant.strip_prefix("info string ");
        assert_eq!(replies(&variant), [Reply::Info(Info { string, ..Info::default() })]);
    }
}

#[test]
fn all_other_answers_are_read_as_what_they_say() {
    let info = |string| Reply::Info(Info { string: Some(string), ..Info::default() });
    let outcome = |result| Some(Outcome { result, reason: EndReason::Immobile });
    for (response, expected) in [
        (Response::ReadyOk, Reply::ReadyOk),
        (Response::BestMove(None), Reply::BestMove { best: "(none)", ponder: None }),
        (Response::InfoString("score cp 5".to_owned()), info("score cp 5")),
        (Response::Error("\"x\" at column 1".to_owned()), info("error: \"x\" at column 1")),
        (Response::Bool(true), Reply::Response("true")),
        (Response::Result(None), Reply::Response("none")),
        (Response::Result(outcome(GameResult::Win(Side::North))), Reply::Response("p2win")),
        (Response::Reason(Some(EndReason::Repetition)), Reply::Response("repetition")),
        (Response::Words("A6L A7L".to_owned()), Reply::Response("A6L A7L")),
        (Response::Text("moves: A6L".to_owned()), Reply::Unknown),
    ] {
        assert_eq!(replies(&response.to_string()), [expected]);
    }
}
