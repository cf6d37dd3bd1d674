//! The real `kete` and its evaluations: nets from files, what is refused, what `eval` says, and that vectors change nothing.

use crate::nets::{Size, Weights};
use crate::process::info::Info;
use crate::process::{Engine, oneshot, text};
use kete::evaluation::{Evaluate, Net};
use kete::game::{AnyPosition, GameRecord, Side, Variant};
use kete::notation::{move_text, parse_move};
use std::path::{Path, PathBuf};

/// A file of a test, which is removed at its end.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &[u8]) -> File {
        let name = format!("engine evaluation {} {name}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).expect("a file");
        File(path)
    }

    fn name(&self) -> std::path::Display<'_> {
        self.0.display()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn file_of_net(name: &str, variant: Variant, seed: u64) -> File {
    File::new(name, &Weights::random(variant, 32, 4, Size::Ordinary, seed).file())
}

/// The answer to `eval`, of nine lines.
#[track_caller]
fn eval(engine: &mut Engine) -> Vec<String> {
    engine.send("eval");
    let lines: Vec<String> = (0..9).map(|_| engine.line()).collect();
    engine.ready();
    lines
}

/// The line of `eval` about the evaluation for the start position, and its score as the library computes it.
fn net_line(net: &Net) -> String {
    let score = match AnyPosition::start(net.variant()) {
        AnyPosition::Kiswahili(position) => net.evaluate(&position),
        AnyPosition::Kigogo(position) => net.evaluate(&position),
        AnyPosition::Kimasai(position) => net.evaluate(&position),
    };
    format!("Net: {score} (log-odds x 256), {} hidden units, sha256 {}", net.hidden(), net.checksum())
}

#[test]
fn a_net_from_a_file_is_used_for_its_game_until_it_is_taken_back() {
    for variant in Variant::ALL {
        let file = file_of_net(&format!("good {variant}.knet"), variant, 1);
        let net = Net::from_file(&file.0).expect("a net");
        let mut engine = Engine::of(variant);
        let before = eval(&mut engine);
        assert!(before[1].starts_with("Net: ") && before[1] != net_line(&net), "{before:?}");
        let reply = engine.ask(&format!("setoption name EvalFile value {}", file.name()));
        assert_eq!(reply, format!("info string EvalFile: a net for {variant}"));
        let after = eval(&mut engine);
        assert_eq!(after[1], net_line(&net));
        assert_ne!(after[2..], before[2..]);
        // The other games keep theirs, and a new game keeps it.
        let other = Variant::ALL[(variant as usize + 1) % 3];
        engine.choose(other);
        assert_ne!(eval(&mut engine)[1], net_line(&net));
        engine.choose(variant);
        engine.send("ucinewgame");
        assert_eq!(eval(&mut engine), after);
        engine.search("go nodes 200", &GameRecord::of_variant(variant));
        engine.set("EvalFile", "<empty>");
        assert_eq!(eval(&mut engine), before);
        engine.finish();
    }
}

#[test]
fn a_file_that_is_no_net_is_refused_and_changes_nothing() {
    let good = file_of_net("kept.knet", Variant::Kigogo, 1);
    let mut damaged = Weights::random(Variant::Kigogo, 32, 4, Size::Ordinary, 2).file();
    damaged[5_000] ^= 1;
    let damaged = File::new("damaged.knet", &damaged);
    let empty = File::new("empty.knet", b"");
    let mut engine = Engine::of(Variant::Kigogo);
    engine.ask(&format!("setoption name EvalFile value {}", good.name()));
    let before = eval(&mut engine);
    let folder = env!("CARGO_TARGET_TMPDIR").to_owned();
    let missing = format!("{folder}/there is no such net.knet");
    for (path, reason) in [
        (damaged.name().to_string(), "the net is damaged: its checksum does not fit its content"),
        (empty.name().to_string(), "this is no net: the file does not begin with \"KETENET\""),
        (folder, "this is no net: not an ordinary file"),
        (missing, "cannot be read: "),
        ("/dev/zero".to_owned(), "this is no net: not an ordinary file"),
    ] {
        let error = engine.refused(&format!("setoption name EvalFile value {path}"));
        // A long path is cut short.
        let (file, said) = error.split_once("\": ").or_else(|| error.split_once("…: ")).expect("a path and a reason");
        let file = file.strip_prefix("EvalFile \"").expect("the option");
        assert!(path.starts_with(file.trim_end_matches('…')) && said.starts_with(reason), "{error}");
        assert!(error.ends_with("(column 31)"), "{error}");
        assert_eq!(eval(&mut engine), before);
    }
    engine.finish();
}

#[test]
fn the_evaluation_by_material_counts_seeds() {
    for variant in Variant::ALL {
        let mut engine = Engine::of(variant);
        let net = eval(&mut engine);
        engine.set("Evaluation", "material");
        let material = eval(&mut engine);
        // Both sides begin with the same.
        assert_eq!(material[1], "Material: 0 (log-odds x 256)");
        assert!(material[2].ends_with(": 0.500") && material[3] == "Evaluation: cp 0", "{material:?}");
        engine.search("go nodes 200", &GameRecord::of_variant(variant));
        engine.set("Evaluation", "net");
        assert_eq!(eval(&mut engine), net);
        let error = engine.refused("setoption name Evaluation value joho");
        assert_eq!(error, "option Evaluation cannot be \"joho\", expected one of net, material, playout (column 33)");
        assert_eq!(eval(&mut engine), net);
        engine.finish();
    }
}

#[test]
fn an_evaluation_cannot_be_changed_while_a_search_runs() {
    let file = file_of_net("during.knet", Variant::Kigogo, 3);
    for player in ["mcts", "alphabeta"] {
        let mut engine = Engine::of(Variant::Kigogo);
        engine.set("Player", player);
        let before = eval(&mut engine);
        engine.send("go infinite");
        for line in [
            format!("setoption name EvalFile value {}", file.name()),
            "setoption name EvalFile value /there/is/none".to_owned(),
            "setoption name EvalFile value <empty>".to_owned(),
            "setoption name Evaluation value material".to_owned(),
            "setoption name Vectors value false".to_owned(),
            "setoption name Player value greedy".to_owned(),
        ] {
            let error = engine.refused(&line);
            assert!(error.ends_with(" while a search is running, expected stop first"), "{line}: {error}");
        }
        engine.send("stop");
        engine.read_search(&GameRecord::of_variant(Variant::Kigogo));
        assert_eq!(eval(&mut engine), before);
        engine.finish();
    }
}

/// What a search says, without the times.
fn answer(engine: &mut Engine, variant: Variant, player: &str) -> Vec<Info> {
    engine.set("Player", player);
    let searched = engine.search("go nodes 3000", &GameRecord::of_variant(variant));
    searched.infos.into_iter().map(|info| Info { nps: 0, time: 0, ..info }).collect()
}

#[test]
fn vectors_change_no_search() {
    for variant in Variant::ALL {
        for player in ["mcts", "alphabeta"] {
            let answers = ["true", "false"].map(|vectors| {
                let mut engine = Engine::of(variant);
                engine.set("Vectors", vectors);
                let answer = answer(&mut engine, variant, player);
                engine.finish();
                answer
            });
            assert_eq!(answers[0], answers[1], "{variant} {player}");
        }
    }
}

#[test]
fn a_search_uses_the_evaluation_that_is_set_and_nothing_of_an_earlier_one() {
    let variant = Variant::Kigogo;
    let file = file_of_net("search.knet", variant, 4);
    let load = format!("setoption name EvalFile value {}", file.name());
    for player in ["mcts", "alphabeta"] {
        let mut fresh = Engine::of(variant);
        fresh.ask(&load);
        let expected = answer(&mut fresh, variant, player);
        fresh.finish();
        let mut engine = Engine::of(variant);
        let built_in = answer(&mut engine, variant, player);
        assert_ne!(built_in, expected, "{player}");
        engine.ask(&load);
        assert_eq!(answer(&mut engine, variant, player), expected, "{player}");
        engine.finish();
    }
}

#[test]
fn alphabeta_answers_like_an_engine() {
    for variant in Variant::ALL {
        let mut engine = Engine::of(variant);
        engine.set("Player", "alphabeta");
        engine.set("MultiPV", 3);
        let mut game = GameRecord::of_variant(variant);
        // Every line of each answer is checked as it is read.
        while game.outcome().is_none() && game.moves().len() < 40 {
            let searched = engine.search("go nodes 400", &game);
            let m = parse_move(&searched.best, game.position()).expect("a move");
            game.play(m).expect("a legal move");
            let sides = [Side::South, Side::North].into_iter().cycle();
            let moves: Vec<String> =
                game.moves().iter().zip(sides).map(|(&m, side)| move_text(m, side).to_string()).collect();
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
        }
        engine.finish();
    }
}

/// Takes some seconds, most of them for the speeds that the benchmark measures.
#[test]
fn the_benchmark_has_the_same_signature_without_vectors() {
    let signature = |arguments: &[&str]| {
        let output = oneshot(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let line = text(&output.stdout).lines().find(|line| line.starts_with("signature ")).map(str::to_owned);
        line.expect("a signature")
    };
    assert_eq!(signature(&["bench"]), signature(&["bench", "--scalar"]));
}
