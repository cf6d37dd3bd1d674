//! Steps about `go`: limits, `stop`, pondering, special positions, and whole games.

use super::answers::{Heard, Search};
use super::scenes::{self, Scene};
use super::subject::{Flaw, Subject, shown, untested, wrong};
use crate::game::Variant;
use crate::protocol::option_spec::OptionKind;
use std::time::{Duration, Instant};

/// How long it is watched that an engine does not answer yet.
const A_WHILE: Duration = Duration::from_millis(60);
/// How much later than asked an answer may come on a machine that has other things to do.
const MARGIN: Duration = Duration::from_millis(200);
/// How often a time is taken before it counts against an engine: whoever else uses the machine may be to blame once.
const TRIES: u32 = 3;
/// A game against itself is not followed further.
const MOST_PLIES: usize = 300;
/// Nor longer than that: an engine that is slow is not wrong.
const LONGEST_GAME: Duration = Duration::from_secs(3);

pub(super) fn nodes(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    for scene in [Scene::start(variant), scenes::middle(variant)] {
        Search::run(subject, &scene, "go nodes 100")?;
    }
    Ok(())
}

pub(super) fn depth(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    Search::run(subject, &scenes::middle(variant), "go depth 2").map(|_| ())
}

/// The answer comes within that time, in one of several tries.
fn in_time(subject: &mut Subject<'_>, variant: Variant, go: &str, time: Duration) -> Result<(), Flaw> {
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        let answer = Search::run(subject, &scenes::middle(variant), go)?;
        quickest = quickest.min(answer.time);
        if quickest <= time {
            return Ok(());
        }
    }
    let (ms, most) = (quickest.as_millis(), time.as_millis());
    wrong(format!("{} was answered after {ms} ms at the earliest, expected at most {most} ms", shown(go)))
}

pub(super) fn move_time(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    in_time(subject, variant, "go movetime 50", Duration::from_millis(50) + MARGIN)
}

pub(super) fn clock(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    in_time(subject, variant, "go wtime 1000 btime 1000 winc 10 binc 10", Duration::from_millis(1000))
}

pub(super) fn moves_to_go(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    in_time(subject, variant, "go wtime 1000 btime 1000 movestogo 20", Duration::from_millis(1000))
}

/// Sends a line that lets the engine answer, and hears the answer.
fn release(subject: &mut Subject<'_>, search: Search<'_>, line: &str) -> Result<(), Flaw> {
    subject.send(&[line])?;
    let time = subject.ping();
    search.answer(subject, time).map(|_| ())
}

pub(super) fn infinite(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let scene = scenes::middle(variant);
    let mut search = Search::begin(subject, &scene, "go infinite")?;
    match search.listen(subject, A_WHILE)? {
        Heard::Nothing => release(subject, search, "stop"),
        Heard::BestMove(best) => wrong(format!("bestmove {best} before stop after {}", search.question())),
        Heard::Refusal(text) => wrong(format!("{} was answered by {}", search.question(), shown(&text))),
    }
}

pub(super) fn ready_while_searching(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let scene = scenes::middle(variant);
    let mut search = Search::begin(subject, &scene, "go infinite")?;
    search.ready(subject)?;
    search.ready(subject)?;
    release(subject, search, "stop")
}

pub(super) fn idle_stop(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    subject.settle(&["stop"])?;
    Search::run(subject, &scenes::middle(variant), "go nodes 10")?;
    subject.settle(&["stop", "stop"])?;
    Search::run(subject, &scenes::middle(variant), "go nodes 10").map(|_| ())
}

pub(super) fn one_after_another(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let mut scene = scenes::middle(variant);
    for go in ["go nodes 50", "go movetime 10", "go depth 1"] {
        if scene.game().outcome().is_none() {
            let answer = Search::run(subject, &scene, go)?;
            scene.play(answer.played);
        }
    }
    Ok(())
}

pub(super) fn search_moves(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let scene = scenes::middle(variant);
    let legal = scene.legal();
    let [first, .., last] = legal.as_slice() else { return untested("there is one legal move alone") };
    let mut answers = Vec::new();
    for asked in [first, last] {
        let go = format!("go nodes 50 searchmoves {asked}");
        let mut search = Search::begin(subject, &scene, &go)?;
        let time = subject.ping();
        match search.listen(subject, time)? {
            Heard::BestMove(best) => answers.push((asked, best)),
            Heard::Refusal(text) => return untested(format!("{} was answered by {}", shown(&go), shown(&text))),
            Heard::Nothing => return wrong(format!("no bestmove after {}", search.question())),
        }
        subject.take(&[])?;
    }
    match answers.as_slice() {
        [(_, one), (_, other)] if one == other => untested("searchmoves makes no difference"),
        answers => match answers.iter().find(|(asked, best)| *asked != best) {
            None => Ok(()),
            Some((asked, best)) => wrong(format!("bestmove {best} after searchmoves {asked}, expected {asked}")),
        },
    }
}

/// Lets the engine think on the opponent's time, and ends that by a line.
fn ponder(subject: &mut Subject<'_>, variant: Variant, ending: &str) -> Result<(), Flaw> {
    let listed = subject.option("Ponder")?.is_some();
    let scene = scenes::middle(variant);
    let mut search = Search::begin(subject, &scene, "go ponder wtime 1000 btime 1000")?;
    let seen = match search.listen(subject, A_WHILE)? {
        Heard::Nothing => return release(subject, search, ending),
        Heard::BestMove(best) => format!("bestmove {best} before {ending} after {}", search.question()),
        Heard::Refusal(text) => format!("{} was answered by {}", search.question(), shown(&text)),
    };
    if listed { wrong(seen) } else { untested(format!("there is no option Ponder, and {seen}")) }
}

pub(super) fn ponder_hit(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ponder(subject, variant, "ponderhit")
}

pub(super) fn ponder_stop(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    ponder(subject, variant, "stop")
}

pub(super) fn multi_pv(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(option) = subject.option("MultiPV")? else { return untested("there is no such option") };
    let OptionKind::Spin { default, .. } = option.kind else {
        return wrong(format!("{}: expected a spin", shown(&option.to_string())));
    };
    if option.accepts(Some("2")).is_err() {
        return untested(format!("{}: it does not take 2", shown(&option.to_string())));
    }
    subject.take(&[&format!("setoption name {} value 2", option.name)])?;
    let scene = scenes::middle(variant);
    let answer = Search::run(subject, &scene, "go nodes 200")?;
    let last = |number| answer.told.iter().rfind(|told| told.multipv == number && told.first.is_some());
    match (last(1).and_then(|told| told.first.as_ref()), last(2).and_then(|told| told.first.as_ref())) {
        (Some(one), Some(two)) if one != two => {}
        (Some(one), Some(_)) => return wrong(format!("both lines begin with {one}, expected two moves")),
        _ => return wrong("expected info lines with multipv 1 and multipv 2, each with a pv"),
    }
    subject.take(&[&format!("setoption name {} value {default}", option.name)])
}

pub(super) fn numbers(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let answer = Search::run(subject, &scenes::middle(variant), "go nodes 500")?;
    answer
        .told
        .iter()
        .find_map(|told| Some((told, flaw_of_numbers(&told.line)?)))
        .map_or(Ok(()), |(told, flaw)| wrong(format!("{}: {flaw}", shown(&told.line))))
}

/// What is wrong with the numbers of an `info` line.
fn flaw_of_numbers(line: &str) -> Option<String> {
    if line.contains(char::REPLACEMENT_CHARACTER) {
        return Some("expected UTF-8".to_owned());
    }
    let mut words = line.split_ascii_whitespace();
    while let Some(key) = words.next() {
        let mut number = || words.next().unwrap_or("nothing");
        let (value, expected) = match key {
            "string" | "pv" => return None,
            "depth" | "seldepth" | "nodes" | "nps" | "time" => {
                let value = number();
                (value.to_owned(), value.parse::<u64>().is_err().then_some("a whole number"))
            }
            "multipv" => {
                let value = number();
                (value.to_owned(), (!value.parse::<u64>().is_ok_and(|n| n > 0)).then_some("a number from 1 on"))
            }
            "hashfull" => {
                let value = number();
                (value.to_owned(), (!value.parse::<u64>().is_ok_and(|n| n <= 1000)).then_some("0 to 1000"))
            }
            "cp" | "mate" => {
                let value = number();
                (value.to_owned(), value.parse::<i64>().is_err().then_some("a whole number"))
            }
            "wdl" => {
                let value = [number(), number(), number()];
                let sum = value.iter().try_fold(0_u64, |sum, word| sum.checked_add(word.parse().ok()?));
                let is_good = sum.is_some_and(|sum| (999..=1001).contains(&sum));
                (value.join(" "), (!is_good).then_some("three numbers that sum up to 1000"))
            }
            _ => continue,
        };
        if let Some(expected) = expected {
            return Some(format!("{key} {value}, expected {expected}"));
        }
    }
    None
}

pub(super) fn one_legal_move(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(scene) = scenes::one_legal_move(variant) else { return untested("no such position was found") };
    for go in ["go nodes 100", "go wtime 1000 btime 1000"] {
        Search::run(subject, &scene, go)?;
    }
    Ok(())
}

pub(super) fn last_move(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(scene) = scenes::last_move(variant) else { return untested("no such position was found") };
    Search::run(subject, &scene, "go nodes 100").map(|_| ())
}

pub(super) fn finished(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(scene) = scenes::won_game(variant) else { return untested("no such game was found") };
    if let Some(text) = subject.settle(&[scene.line()])? {
        return untested(format!("the position was answered by {}", shown(&text)));
    }
    let mut search = Search::begin(subject, &scene, "go nodes 100")?;
    let time = subject.ping();
    match search.listen(subject, time)? {
        Heard::BestMove(best) if ["(none)", "0000"].contains(&best.as_str()) => {}
        Heard::BestMove(best) => return wrong(format!("bestmove {best} though the game is over, expected (none)")),
        Heard::Refusal(_) => {}
        Heard::Nothing => {
            return wrong("neither bestmove (none) nor an error though the game is over");
        }
    }
    Search::run(subject, &scenes::middle(variant), "go nodes 10").map(|_| ())
}

pub(super) fn reproducible(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let Some(seed) = subject.option("Seed")? else { return untested("there is no option Seed") };
    let threads = subject.option("Threads")?.filter(|option| option.accepts(Some("1")).is_ok());
    if let Some(threads) = threads {
        subject.take(&[&format!("setoption name {} value 1", threads.name)])?;
    }
    if seed.accepts(Some("12345")).is_err() {
        return untested(format!("{}: it does not take 12345", shown(&seed.to_string())));
    }
    let seed = format!("setoption name {} value 12345", seed.name);
    let scene = scenes::middle(variant);
    let mut best = Vec::new();
    for _ in 0..2 {
        subject.take(&["ucinewgame", &seed])?;
        best.push(Search::run(subject, &scene, "go nodes 200")?.best);
    }
    match best.as_slice() {
        [first, second] if first != second => wrong(format!(
            "bestmove {first}, and {second} after ucinewgame, though the seed and the nodes were the same"
        )),
        _ => Ok(()),
    }
}

pub(super) fn whole_game(subject: &mut Subject<'_>, variant: Variant) -> Result<(), Flaw> {
    let mut scene = Scene::start(variant);
    let started = Instant::now();
    for _ in 0..MOST_PLIES {
        if scene.game().outcome().is_some() || started.elapsed() > LONGEST_GAME {
            break;
        }
        let answer = Search::run(subject, &scene, "go nodes 20")?;
        scene.play(answer.played);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::flaw_of_numbers;

    #[test]
    fn numbers_of_info_lines_are_looked_at_one_by_one() {
        for (line, flaw) in [
            (
                "info depth 3 seldepth 5 multipv 1 score cp -31 wdl 450 0 550 nodes 9 nps 9 hashfull 0 time 1 pv A1",
                None,
            ),
            ("info score mate -3 upperbound currmove A1 tbhits x", None),
            ("info string depth x", None),
            ("info depth x", Some("depth x, expected a whole number")),
            ("info nodes -5", Some("nodes -5, expected a whole number")),
            ("info time", Some("time nothing, expected a whole number")),
            ("info multipv 0", Some("multipv 0, expected a number from 1 on")),
            ("info hashfull 1001", Some("hashfull 1001, expected 0 to 1000")),
            ("info score cp 1e9", Some("cp 1e9, expected a whole number")),
            ("info wdl 500 0 400", Some("wdl 500 0 400, expected three numbers that sum up to 1000")),
            ("info string \u{fffd}", Some("expected UTF-8")),
        ] {
            assert_eq!(flaw_of_numbers(line).as_deref(), flaw, "{line}");
        }
    }
}
