//! Checks what the engine claims to have proved: each claim of a line of a search is tried out by the solver, which knows
//! the past of the game.

use crate::late;
use crate::solver::{Effort, Value, is_forced, solve};
use clap::Args;
use kete::game::{AnyPosition, GameRecord, GameResult, Variant};
use kete::notation::{move_text, position_text};
use kete::search::{Control, Limits, Line, Player, Report, Score, SearchOptions, Searcher, Wdl};
use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

/// What is to be audited.
#[derive(Args)]
pub struct Order {
    /// The game.
    #[arg(long, value_parser = crate::variant)]
    variant: Variant,
    /// Positions to search.
    #[arg(long, default_value_t = 35_000)]
    positions: u64,
    /// The limit of each search.
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// Lines that a search has to report.
    #[arg(long, default_value_t = 3)]
    lines: usize,
    /// Plies before the end of each game from which on its positions are searched.
    #[arg(long, default_value_t = 24)]
    plies: usize,
    /// Only games that end in a draw: there the past matters most. They are rare in Kigogo, and the others have none.
    #[arg(long)]
    drawn: bool,
    /// Positions that may be visited to check a claim.
    #[arg(long, default_value_t = 100_000)]
    check: u64,
    /// Where random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What became of the claims of one player.
#[derive(Default)]
struct Totals {
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    confirmed: u64,
    too_hard: u64,
    wrong: u64,
}

/// The players that prove anything; they take turns from game to game.
const PLAYERS: [Player; 2] = [Player::Mcts, Player::AlphaBeta];

/// Memory of the searcher, in MiB: small, so that the table of alpha-beta is full and its entries are replaced.
const HASH_MIB: usize = 1;

/// No audit plays more games, whatever it still lacks.
const GAMES: u64 = 1_000_000;

/// Searches and checks; whether no claim was wrong.
///
/// # Errors
/// Of writing; and if there are no threads or no memory for the search.
pub fn run(order: &Order, out: &mut impl Write) -> io::Result<bool> {
    let began = Instant::now();
    let mut totals: [Totals; 2] = Default::default();
    let mut searcher = Searcher::new(1, HASH_MIB).map_err(io::Error::other)?;
    let numbers = (0..GAMES).filter(|&number| !order.drawn || is_drawn(order, number));
    for (turn, number) in numbers.enumerate() {
        if totals.iter().map(|t| t.positions).sum::<u64>() >= order.positions {
            break;
        }
        let which = turn % 2;
        let options = SearchOptions { player: PLAYERS[which], multi_pv: order.lines, ..SearchOptions::default() };
        audit_game(order, number, &mut searcher, &options, &mut totals[which], out)?;
    }
    let seconds = began.elapsed().as_secs_f64();
    writeln!(out, "{}: {} nodes, seed {}, {seconds:.0} s", order.variant, order.nodes, order.seed)?;
    for (player, totals) in PLAYERS.iter().zip(&totals) {
        let Totals { positions, wins, losses, draws, confirmed, too_hard, wrong } = totals;
        let claims = wins + losses + draws;
        writeln!(
            out,
            "  {:<10} {positions} positions, {claims} claims ({wins} wins, {losses} losses, {draws} draws): \
             {confirmed} confirmed, {too_hard} too hard to check, {wrong} wrong",
            player.name()
        )?;
    }
    Ok(totals.iter().all(|t| t.wrong == 0))
}

fn is_drawn(order: &Order, number: u64) -> bool {
    let game = late::game(order.variant, &mut late::random_of(order.seed, number));
    game.outcome().is_some_and(|outcome| outcome.result == GameResult::Draw)
}

/// Plays a game, and searches its last positions, each with its past.
fn audit_game(
    order: &Order,
    number: u64,
    searcher: &mut Searcher,
    options: &SearchOptions,
    totals: &mut Totals,
    out: &mut impl Write,
) -> io::Result<()> {
    let whole = late::game(order.variant, &mut late::random_of(order.seed, number));
    let mut past = late::positions(&whole);
    let late = whole.moves().len().saturating_sub(order.plies);
    let mut games = Vec::new();
    let mut game = GameRecord::of_variant(order.variant);
    for (ply, &m) in whole.moves().iter().enumerate() {
        if ply >= late {
            games.push(game.clone());
        }
        game.play(m).map_err(io::Error::other)?;
    }
    searcher.clear();
    // Backwards, as alpha-beta remembers: what it learnt late in a game must do no harm where there is less past.
    for game in games.into_iter().rev() {
        totals.positions += 1;
        // The present position is part of the past of those that follow.
        past.truncate(game.moves().len() + 1);
        for line in search(searcher, &game, order.nodes, options) {
            let Some(confirmed) = check(&game, &past, &line, order.check, totals) else { continue };
            totals.confirmed += u64::from(confirmed);
            totals.wrong += u64::from(!confirmed);
            if !confirmed {
                let position = position_text(&game.position().to_setup()).to_string();
                let first = line.pv.first().map(|&m| move_text(m, game.side_to_move()).to_string());
                let (player, first) = (options.player.name(), first.unwrap_or_default());
                writeln!(out, "WRONG: {player}, game {number}, {position}, {first}: {:?} {:?}", line.score, line.wdl)?;
            }
        }
    }
    Ok(())
}

/// The lines of the last report.
fn search(searcher: &mut Searcher, game: &GameRecord, nodes: u64, options: &SearchOptions) -> Vec<Line> {
    let lines = Mutex::new(Vec::new());
    let keep = |report: &Report| {
        if let Ok(mut lines) = lines.lock() {
            lines.clone_from(&report.lines);
        }
    };
    searcher.search(game, &Limits::of_nodes(nodes), options, Instant::now(), &Control::new(), &keep);
    lines.into_inner().unwrap_or_default()
}

/// Whether the claim of a line is true; `None` if it makes none, or it is too hard to check. Counts what it claims.
fn check(game: &GameRecord, past: &[AnyPosition], line: &Line, nodes: u64, totals: &mut Totals) -> Option<bool> {
    // The claim, as one about the position after the first move, for the opponent.
    let claim = match line.score {
        Score::Mate(moves) if moves > 0 => {
            totals.wins += 1;
            Value::Loss(2 * moves.unsigned_abs() - 2)
        }
        Score::Mate(moves) => {
            totals.losses += 1;
            Value::Win((2 * moves.unsigned_abs()).saturating_sub(1))
        }
        Score::Centipawns(_) if line.wdl == Wdl::DRAW => {
            totals.draws += 1;
            Value::Draw
        }
        Score::Centipawns(_) => return None,
    };
    let mut after = game.clone();
    let Some(Ok(())) = line.pv.first().map(|&m| after.play(m)) else { return Some(false) };
    if let Some(outcome) = after.outcome() {
        let truth = Value::of_outcome(outcome, after.side_to_move());
        return Some(std::mem::discriminant(&claim) == std::mem::discriminant(&truth));
    }
    let answer = if claim == Value::Draw {
        let effort = Effort { positions: usize::try_from(nodes).unwrap_or(usize::MAX), nodes };
        solve(after.position(), past, effort).map(|value| value == Value::Draw)
    } else {
        is_forced(after.position(), past, claim, nodes)
    };
    totals.too_hard += u64::from(answer.is_none());
    answer
}
