//! The fake engine is what its flags say: a test of the tests' tool.

use crate::fake::fake_engine;
use kete::game::{GameRecord, Variant};
use kete::notation::parse_move;
use kete::protocol::option_spec::{self, OptionKind};
use kete::protocol::reply::{Reply, Score, parse_reply};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long something may take that must happen.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it is watched that something does not happen.
const A_WHILE: Duration = Duration::from_millis(150);

/// A running fake. It is killed at the end of the test.
struct Fake {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

impl Fake {
    fn start(flags: &str) -> Fake {
        let mut command = Command::new(fake_engine());
        command.args(flags.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the fake starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Fake { child, input, lines }
    }

    /// Sends lines.
    fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the input is open");
        // It may be gone, as it is told to.
        let _ = input.write_all(format!("{lines}\n").as_bytes());
    }

    /// The next line with its line end, as it came.
    #[track_caller]
    fn bytes(&mut self) -> Vec<u8> {
        self.lines.recv_timeout(PATIENCE).expect("a line in time")
    }

    /// The next line.
    #[track_caller]
    fn line(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).trim_end().to_owned()
    }

    /// The lines up to the first that begins with `prefix`, which is the last of them.
    #[track_caller]
    fn lines_until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while lines.last().is_some_and(|line| !line.starts_with(prefix)) {
            lines.push(self.line());
        }
        lines
    }

    #[track_caller]
    fn best_move(&mut self) -> String {
        self.lines_until("bestmove").pop().expect("a line")
    }

    #[track_caller]
    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Asserts that no `bestmove` comes for a while.
    #[track_caller]
    fn assert_no_best_move(&mut self) {
        let end = Instant::now() + A_WHILE;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with(b"bestmove"), "it has answered");
        }
    }

    #[track_caller]
    fn assert_alive(&mut self) {
        std::thread::sleep(A_WHILE);
        assert_eq!(self.child.try_wait().expect("a child"), None);
    }

    /// Asserts that the output ends without another line.
    #[track_caller]
    fn assert_output_closed(&mut self) {
        assert_eq!(self.lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
    }

    #[track_caller]
    fn exit(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < end, "it still runs");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn without_flags_it_is_a_good_engine() {
    for variant in Variant::ALL {
        let mut fake = Fake::start("--name Good --score -900");
        fake.send("uci");
        let lines = fake.lines_until("uciok");
        let mut options = Vec::new();
        for line in &lines {
            if let Reply::Option(option) = parse_reply(line).expect(line) {
                options.push(option);
            }
        }
        assert!(lines.contains(&"id name Good".to_owned()));
        for name in ["UCI_Variant", "Seed", "Threads", "Hash", "Own Book", "Book File", "Clear Hash"] {
            assert!(option_spec::find(&options, name).is_ok(), "{name}");
        }
        fake.send(&format!("setoption name UCI_Variant value {variant}\nsetoption name Seed value 5"));
        assert_eq!(fake.ask("isready"), "readyok");
        let mut game = GameRecord::of_variant(variant);
        let mut moves = String::new();
        for _ in 0..200 {
            assert_eq!(fake.ask("query gameover"), format!("response {}", game.outcome().is_some()));
            if game.outcome().is_some() {
                break;
            }
            fake.send("go wtime 1000 btime 1000");
            let lines = fake.lines_until("bestmove");
            let info = parse_reply(&lines[lines.len() - 2]);
            assert!(matches!(info, Ok(Reply::Info(info)) if info.score == Some(Score::Centipawns(-900))));
            let Ok(Reply::BestMove { best, .. }) = parse_reply(&lines[lines.len() - 1]) else { panic!("{lines:?}") };
            assert_eq!(fake.ask(&format!("query islegal {best}")), "response true");
            game.play(parse_move(best, game.position()).expect("a move")).expect("legal");
            moves.push_str(&format!(" {best}"));
            fake.send(&format!("position startpos moves{moves}"));
        }
        assert_eq!(fake.ask("isready"), "readyok");
        fake.send("quit");
        assert_eq!(fake.exit().code(), Some(0));
    }
}

#[test]
fn it_obeys_stop_and_ponderhit_and_the_end_of_its_input() {
    let mut fake = Fake::start("--pick first");
    fake.send("go infinite\nponderhit");
    fake.assert_no_best_move();
    fake.send("stop");
    assert_eq!(fake.best_move(), "bestmove A6R");
    fake.send("go ponder\nponderhit");
    assert_eq!(fake.best_move(), "bestmove A6R");
    fake.send("go nodes 1 searchmoves A7L");
    assert_eq!(fake.best_move(), "bestmove A7L");
    assert_eq!(
        fake.ask("setoption name Hash value 0"),
        "info string error: option Hash cannot be \"0\", expected a whole number from 1 to 1024"
    );
    fake.input = None;
    assert_eq!(fake.exit().code(), Some(0));
}

#[test]
fn a_random_choice_depends_on_the_seed_and_the_position_alone() {
    let choices = |seed: u32| {
        let mut fake = Fake::start("");
        fake.send(&format!("setoption name UCI_Variant value kigogo\nsetoption name Seed value {seed}"));
        ["", " moves A6", " moves A6 b1", ""].map(|moves| {
            fake.send(&format!("position startpos{moves}\ngo nodes 1"));
            fake.best_move()
        })
    };
    let first = choices(1);
    assert_eq!(first, choices(1));
    assert_eq!(first[0], first[3]);
    assert!((2..9).any(|seed| choices(seed)[0] != first[0]));
    let mut last = Fake::start("--pick last");
    last.send("go nodes 1");
    assert_eq!(last.best_move(), "bestmove A7L");
}

#[test]
fn it_ends_as_it_is_told() {
    for (flag, code) in [("--crash-on-go", Some(3)), ("--exit-on-go", Some(0)), ("--abort-on-go", None)] {
        let mut fake = Fake::start(&format!("{flag} 2"));
        fake.send("go nodes 1");
        fake.best_move();
        fake.send("go nodes 1");
        fake.assert_output_closed();
        let status = fake.exit();
        assert!(if cfg!(unix) { status.code() == code } else { status.code().is_some() }, "{flag}: {status}");
    }
    assert_eq!(Fake::start("--crash-at-start").exit().code(), Some(3));
    let mut fake = Fake::start("--crash-on-newgame 2");
    fake.send("ucinewgame");
    assert_eq!(fake.ask("isready"), "readyok");
    fake.send("uginewgame");
    assert_eq!(fake.exit().code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_not_the_end() {
    let mut fake = Fake::start("--close-stdout-on-go 1");
    fake.send("go nodes 1");
    fake.assert_output_closed();
    fake.assert_alive();
    fake.send("quit");
    assert_eq!(fake.exit().code(), Some(0));
}

#[test]
fn it_withholds_what_it_is_told_to() {
    let mut fake = Fake::start("--stall-on-go 1 --stall-until-stop 2 --late-ms 300 --late-on-go 3");
    fake.send("go nodes 1\nstop");
    fake.assert_no_best_move();
    assert_eq!(fake.ask("isready"), "readyok");
    fake.send("go nodes 1");
    fake.assert_no_best_move();
    fake.send("stop");
    fake.best_move();
    let started = Instant::now();
    fake.send("go nodes 1");
    fake.best_move();
    assert!(started.elapsed() >= Duration::from_millis(300));

    let mut fake = Fake::start("--deaf-on-go 1");
    fake.send("go nodes 1\nisready\nquit");
    fake.assert_no_best_move();
    fake.assert_alive();

    let mut fake = Fake::start("--no-uciok --no-newgame-readyok --no-query --no-variant");
    fake.send("uci");
    assert_eq!(fake.ask("isready"), "id name Fake");
    let lines = fake.lines_until("readyok");
    assert!(!lines.iter().any(|line| line == "uciok" || line.contains("UCI_Variant")), "{lines:?}");
    fake.send("isready\nquery moves\nquit");
    fake.assert_output_closed();
    let mut fake = Fake::start("--mute-on-newgame 2");
    for _ in 0..2 {
        fake.send("ucinewgame");
        fake.send("isready");
    }
    fake.send("quit");
    assert_eq!(fake.line(), "readyok");
    fake.assert_output_closed();
    let mut fake = Fake::start("--no-readyok");
    fake.send("isready\nquit");
    fake.assert_output_closed();
}

#[test]
fn it_answers_wrongly_when_it_is_told_to() {
    let flags = "--pick first --illegal-on-go 1 --garbage-move-on-go 2 --none-on-go 3 --empty-bestmove-on-go 4 \
                 --double-bestmove-on-go 5";
    let mut fake = Fake::start(flags);
    fake.send("go nodes 1\ngo nodes 1\ngo nodes 1\ngo nodes 1\ngo nodes 1\ngo nodes 1");
    let illegal = fake.best_move();
    let mut game = GameRecord::of_variant(Variant::Kiswahili);
    let text = illegal.strip_prefix("bestmove ").expect("a best move");
    let m = parse_move(text, game.position()).expect("a well-formed move");
    assert!(game.play(m).is_err());
    let answers: Vec<String> = (0..6).map(|_| fake.best_move()).collect();
    let first = "bestmove A6R";
    assert_eq!(answers, ["bestmove xyzzy", "bestmove (none)", "bestmove", first, first, first]);

    let mut fake = Fake::start("--pick first --lying-result --lying-legal --unasked-bestmove");
    assert_eq!(fake.ask("query result"), "response p1win");
    assert_eq!(fake.ask("query moves"), "response A7R A6L A7L");
    assert_eq!(fake.ask("query islegal A6R"), "response false");
    assert_eq!(fake.ask("query islegal A1R"), "response true");
    assert_eq!(fake.ask("isready"), "readyok");
    assert_eq!(fake.line(), first);
    let mut fake = Fake::start("--pick first --unasked-on-newgame 2");
    fake.send("ucinewgame\nisready\nucinewgame\nisready");
    assert_eq!([fake.line(), fake.line(), fake.line()], ["readyok", "readyok", first]);
}

#[test]
fn it_writes_as_badly_as_it_is_told_to() {
    let mut fake = Fake::start("--tabs --crlf --torn --only-variant kimasai --pick first");
    fake.send("uci");
    assert_eq!(fake.bytes(), b"id\tname\tFake\r\n");
    let lines = fake.lines_until("uciok");
    let Some(Ok(Reply::Option(option))) = lines.get(1).map(|line| parse_reply(line)) else { panic!("{lines:?}") };
    let kimasai = "kimasai".to_owned();
    assert_eq!(option.kind, OptionKind::Combo { default: kimasai.clone(), choices: vec![kimasai] });
    fake.send("go nodes 1");
    assert_eq!(parse_reply(&fake.best_move()), Ok(Reply::BestMove { best: "A2", ponder: None }));

    let mut fake = Fake::start("--long-line 300000 --spam-info 3 --huge-numbers --bad-utf8");
    fake.send("go nodes 1");
    let lines: Vec<Vec<u8>> = (0..8).map(|_| fake.bytes()).collect();
    assert!(lines[..3].iter().all(|line| line.starts_with(b"info depth 1 nodes ")));
    assert_eq!(lines[3].len(), 300_001);
    let huge = String::from_utf8_lossy(&lines[4]);
    let Ok(Reply::Info(info)) = parse_reply(&huge) else { panic!("{huge}") };
    assert_eq!((info.depth, info.score), (Some(u64::MAX), Some(Score::Centipawns(i64::MIN))));
    assert!(String::from_utf8(lines[5].clone()).is_err());
    assert!(lines[7].starts_with(b"bestmove A"));

    // Nobody reads its standard error, so more than a pipe holds stops it.
    let mut fake = Fake::start("--spam-stderr 1000000");
    fake.send("go nodes 1");
    fake.assert_no_best_move();
    let mut stderr = fake.child.stderr.take().expect("stderr is piped");
    let bytes = std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    fake.best_move();
    fake.send("quit");
    assert_eq!(bytes.join().expect("a reader").expect("it can be read"), 1_000_000);
}

#[test]
fn it_tells_what_it_hears_and_who_it_is() {
    let folder = std::env::temp_dir().join(format!("kete-fake-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (told, pids) = (folder.join("told"), folder.join("pids"));
    let mut fake = Fake::start(&format!("--tell {} --pid-file {}", told.display(), pids.display()));
    fake.send("uci\n\nsetoption  name x");
    fake.lines_until("info string error");
    let read = |path| std::fs::read_to_string(path).expect("a text");
    assert_eq!(read(&told), "uci\n\nsetoption  name x\n");
    assert_eq!(read(&pids), format!("{}\n", fake.child.id()));
    std::fs::remove_dir_all(&folder).expect("the folder is there");
}

#[test]
fn it_ends_late_or_never_if_it_is_told_so() {
    let mut fake = Fake::start("--slow-quit 300 --startup-ms 200");
    let started = Instant::now();
    assert_eq!(fake.ask("isready"), "readyok");
    assert!(started.elapsed() >= Duration::from_millis(100));
    let started = Instant::now();
    fake.send("quit");
    assert_eq!(fake.exit().code(), Some(0));
    assert!(started.elapsed() >= Duration::from_millis(300));

    let mut fake = Fake::start("--ignore-quit");
    fake.send("quit");
    assert_eq!(fake.ask("isready"), "readyok");
    fake.input = None;
    fake.assert_alive();
}

#[cfg(unix)]
#[test]
fn it_ignores_sigterm_and_leaves_a_child_behind() {
    use rustix::process::{Pid, Signal, getpgid, kill_process};
    let folder = std::env::temp_dir().join(format!("kete-fake-child-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let pids = folder.join("pids");
    let mut fake = Fake::start(&format!("--child --ignore-term --pid-file {}", pids.display()));
    assert_eq!(fake.ask("isready"), "readyok");
    let text = std::fs::read_to_string(&pids).expect("a text");
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    let pids: Vec<Pid> = text.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect();
    let [own, child] = pids[..] else { panic!("{text}") };
    kill_process(own, Signal::TERM).expect("it runs");
    assert_eq!(fake.ask("isready"), "readyok");
    fake.send("quit");
    assert_eq!(fake.exit().code(), Some(0));
    let group = getpgid(Some(child));
    kill_process(child, Signal::KILL).expect("the child has been left behind");
    assert_eq!(group, getpgid(None), "the child is in the group of the fake");
    fake.assert_output_closed();
}
