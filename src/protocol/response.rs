//! What the engine answers, as data, and how each answer is written.

use super::option_spec::OptionSpec;
use super::options;
use crate::game::{EndReason, GameResult, Move, Outcome, Side, Variant};
use crate::notation::{move_text, position_text};
use crate::search::{Line, Report, Score, Wdl};
use std::fmt;

/// One answer: a line, or a text of several.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// Who the engine is, all its options, and the closing word.
    Identity(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `bestmove M`; `(none)` if there is no legal move.
    BestMove(Option<(Move, Side)>),
    /// One line of a search report.
    Info(InfoLine),
    /// `info string ...`.
    InfoString(String),
    /// `info string error: ...`.
    Error(String),
    /// `info string variant ...`, the answer to a choice of game.
    Variant(Variant),
    /// `response true|false`.
    Bool(bool),
    /// `response p1win|p2win|draw|none`.
    Result(Option<Outcome>),
    /// `response none|immobile|...`.
    Reason(Option<EndReason>),
    /// `response WORDS`.
    Words(String),
    /// Lines that stand for themselves.
    Text(String),
}

/// Which protocol a harness speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// A search report's line, ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct InfoLine {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    line: Line,
    nodes: u64,
    nps: u64,
    hashfull: u32,
    time_ms: u128,
    side: Side,
}

/// The lines of a report on a position in which `side` is to move.
pub fn report_lines(report: &Report, side: Side) -> impl Iterator<Item = Response> + '_ {
    report.lines.iter().zip(1..).map(move |(line, multipv)| {
        Response::Info(InfoLine {
            depth: report.depth,
            seldepth: report.seldepth,
            multipv,
            line: line.clone(),
            nodes: report.nodes,
            nps: report.nps(),
            hashfull: report.hashfull,
            time_ms: report.time.as_millis(),
            side,
        })
    })
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wdl { win, draw, loss } = self.line.wdl;
        write!(f, "info depth {} seldepth {} multipv {} score ", self.depth, self.seldepth, self.multipv)?;
        match self.line.score {
            Score::Centipawns(centipawns) => write!(f, "cp {centipawns}")?,
            Score::Mate(moves) => write!(f, "mate {moves}")?,
        }
        write!(f, " wdl {win} {draw} {loss} nodes {} nps {}", self.nodes, self.nps)?;
        write!(f, " hashfull {} time {}", self.hashfull, self.time_ms)?;
        if !self.line.pv.is_empty() {
            f.write_str(" pv")?;
        }
        let sides = [self.side, !self.side].into_iter().cycle();
        self.line.pv.iter().zip(sides).try_for_each(|(&m, side)| write!(f, " {}", move_text(m, side)))
    }
}

/// The texts of some moves by `side`, joined by spaces; `(none)` if there are none.
pub(super) fn moves_text(moves: &[Move], side: Side) -> String {
    if moves.is_empty() {
        return "(none)".to_owned();
    }
    let texts: Vec<String> = moves.iter().map(|&m| move_text(m, side).to_string()).collect();
    texts.join(" ")
}

/// The word of `query result`.
pub(super) fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|o| o.result) {
        None => "none",
        Some(GameResult::Win(Side::South)) => "p1win",
        Some(GameResult::Win(Side::North)) => "p2win",
        Some(GameResult::Draw) => "draw",
    }
}

/// The word of `query reason`.
pub(super) fn reason_word(reason: Option<EndReason>) -> &'static str {
    reason.map_or("none", EndReason::name)
}

impl fmt::Display for Response {
    /// The answer without its last line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Identity(dialect) => identity(f, *dialect),
            Response::ReadyOk => f.write_str("readyok"),
            Response::BestMove(None) => f.write_str("bestmove (none)"),
            Response::BestMove(Some((m, side))) => write!(f, "bestmove {}", move_text(*m, *side)),
            Response::Info(line) => line.fmt(f),
            Response::InfoString(text) => write!(f, "info string {text}"),
            Response::Error(text) => write!(f, "info string error: {text}"),
            Response::Variant(variant) => {
                let (columns, seeds) = (variant.columns(), variant.seeds());
                let start = crate::game::AnyPosition::start(*variant).to_setup();
                let start = position_text(&start);
                write!(f, "info string variant {variant} rows 4 cols {columns} seeds {seeds} startpos {start}")
            }
            Response::Bool(yes) => write!(f, "response {yes}"),
            Response::Result(outcome) => write!(f, "response {}", result_word(*outcome)),
            Response::Reason(reason) => write!(f, "response {}", reason_word(*reason)),
            Response::Words(words) => write!(f, "response {words}"),
            Response::Text(text) => f.write_str(text.trim_end_matches('\n')),
        }
    }
}

fn identity(f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
    writeln!(f, "id name Kete {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(f, "id author the Kete developers")?;
    options::specs().iter().try_for_each(|option: &OptionSpec| writeln!(f, "{option}"))?;
    f.write_str(match dialect {
        Dialect::Uci => "uciok",
        Dialect::Ugi => "ugiok",
    })
}

#[cfg(test)]
mod tests;
