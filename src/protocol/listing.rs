//! Answers of many lines: the board, counts, tunables, the benchmark, help.

use super::response::{Response, moves_text, reason_word, result_word};
use crate::game::{AnyPosition, GameRecord, Move, Side, divide};
use crate::notation::{board_diagram, move_text, position_text};
use crate::search::bench::{BenchReport, Speed};
use crate::search::{GameTunable, Params, R_END};
use serde_json::{Value, json};
use std::fmt::Write;

/// Writes formatted text onto a string, which cannot fail.
macro_rules! push {
    ($text:expr, $($arguments:tt)*) => {{ let _ = writeln!($text, $($arguments)*); }};
}
pub(super) use push;

/// The answer to `d`.
pub(super) fn board(game: &GameRecord) -> Response {
    let setup = game.position().to_setup();
    let mut text = board_diagram(&setup).to_string();
    push!(text, "Fen: {}", position_text(&setup));
    push!(text, "Key: {:016x}", game.position().key());
    push!(text, "Ply: {}", game.position().ply());
    push!(text, "To move: {}", game.side_to_move());
    push!(text, "Moves: {}", moves_text(&game.legal_moves(), game.side_to_move()));
    let reason = reason_word(game.outcome().map(|o| o.reason));
    push!(text, "Result: {} ({reason})", result_word(game.outcome()));
    Response::Text(text)
}

/// The answer to `moves`.
pub(super) fn moves(game: &GameRecord) -> Response {
    Response::Text(format!("moves: {}", moves_text(&game.legal_moves(), game.side_to_move())))
}

/// The leaves below each legal move, or `None` if `go_on` said no.
pub(super) fn count_leaves(
    position: &AnyPosition,
    depth: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<(Move, u64)>> {
    match position {
        AnyPosition::Kiswahili(p) => divide(p, depth, go_on),
        AnyPosition::Kigogo(p) => divide(p, depth, go_on),
        AnyPosition::Kimasai(p) => divide(p, depth, go_on),
    }
}

/// The answer to `perft N`. At depth 0 the position itself is the one leaf.
pub(super) fn perft(leaves: &[(Move, u64)], depth: u32, side: Side) -> Response {
    let mut text = String::new();
    for &(m, count) in leaves {
        push!(text, "{}: {count}", move_text(m, side));
    }
    let sum: u64 = if depth == 0 { 1 } else { leaves.iter().map(|(_, count)| count).sum() };
    push!(text, "Nodes searched: {sum}");
    Response::Text(text)
}

/// The answer to `params`: a line a tunable, comma-separated, as SPSA front ends take it, and its meaning.
pub(super) fn params(params: &Params) -> Response {
    let mut text = String::from("name, type, value, default, min, max, c_end, r_end, meaning\n");
    for which in GameTunable::all() {
        let tunable = which.tunable();
        let (name, value, default) = (which.option_name(), params.get(which), which.default());
        let (min, max, c_end) = (tunable.min, tunable.max, which.c_end());
        push!(text, "{name}, int, {value}, {default}, {min}, {max}, {c_end}, {R_END}, {}", tunable.doc);
    }
    Response::Text(text)
}

/// `kete params --json`.
pub(super) fn params_json() -> Response {
    let rows: Vec<Value> = GameTunable::all()
        .map(|which| {
            let tunable = which.tunable();
            json!({
                "name": which.option_name(), "variant": which.variant.name(), "type": "int",
                "default": which.default(), "min": tunable.min, "max": tunable.max,
                "c_end": which.c_end(), "r_end": R_END, "doc": tunable.doc,
            })
        })
        .collect();
    Response::Text(Value::Array(rows).to_string())
}

/// The answer to `bench`: speeds, the signature, and in the last line what the signature's searches did.
pub(super) fn bench(report: &BenchReport) -> Response {
    let mut text = String::new();
    for speed in &report.speeds {
        let Speed { variant, playouts_per_s, iterations_per_s: one, iterations_per_s_2: two, bytes_per_node } = speed;
        let ratio = two / one;
        push!(
            text,
            "{variant}: {playouts_per_s:.0} playouts/s, {one:.0} iterations/s, {two:.0} with two threads (x {ratio:.2}), {bytes_per_node} bytes a node"
        );
    }
    push!(text, "signature {:016x}", report.signature);
    let nps = report.nodes as f64 / report.time.as_secs_f64().max(1e-9);
    push!(text, "{} nodes {nps:.0} nps", report.nodes);
    Response::Text(text)
}

/// `kete bench --json`.
pub(super) fn bench_json(report: &BenchReport) -> Response {
    let variants: serde_json::Map<String, Value> = report
        .speeds
        .iter()
        .map(|speed| {
            let row = json!({
                "playouts_per_s": speed.playouts_per_s.round(),
                "iterations_per_s": speed.iterations_per_s.round(),
                "iterations_per_s_2": speed.iterations_per_s_2.round(),
                "bytes_per_node": speed.bytes_per_node,
            });
            (speed.variant.name().to_owned(), row)
        })
        .collect();
    let json = json!({ "signature": format!("{:016x}", report.signature), "variants": variants });
    Response::Text(json.to_string())
}

/// The answer to `help`.
pub(super) fn help() -> Response {
    Response::Text(HELP.to_owned())
}

const HELP: &str = "\
uci, ugi                        who this is, and its options
isready                         readyok, at once, also during a search
setoption name N [value V]      set an option; UCI_Variant chooses the game
ucinewgame, uginewgame          forget everything and set up the start position
position startpos|fen TEXT [moves M...]
go [LIMITS] [searchmoves M...]  search; without limits until stop. Limits: wtime btime winc binc movestogo,
                                p1time p2time p1inc p2inc, movetime, nodes, depth, mate, infinite, ponder
go perft N, perft N             count the leaves of the game tree
stop, ponderhit                 answer now; the expected move was played
wait                            read on when the search has ended (for scripts)
query gameover|p1turn|result|reason|fen|moves|islegal M
d, moves, eval                  the board, the legal moves, the static evaluation
bench, params                   speed and signature, the tunables
debug on|off, register, help, quit
protocol.md tells the rest.
";
