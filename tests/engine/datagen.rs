//! `kete datagen` as it is typed.

use kete::datagen::{DataFile, Record};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("datagen-{}-{name}.kdata", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn datagen(out: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kete"));
    command.arg("datagen").arg("--out").arg(out).args(words.split_whitespace()).stdin(Stdio::null());
    command
}

fn run(out: &Path, words: &str) -> Output {
    datagen(out, words).output().expect("kete runs")
}

fn records(path: &Path) -> Vec<Record> {
    let mut file = DataFile::open(path).expect("a data file");
    let mut records = Vec::new();
    while let Some(chunk) = file.next_chunk().expect("a whole chunk") {
        records.extend(chunk.records());
    }
    records
}

#[test]
fn a_file_is_made_and_one_line_is_said() {
    for variant in ["kiswahili", "kigogo", "kimasai"] {
        let out = path(variant);
        let words = format!("--variant {variant} --games 20 --nodes 4 --evaluation material --seed 3");
        let output = run(&out, &words);
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && output.stderr.is_empty(), "{said}");
        let positions = records(&out).len();
        let start = format!("{}: 20 games, {positions} positions, ", out.display());
        assert!(said.starts_with(&start) && said.trim_end().lines().count() == 1, "{said}");
        let header = DataFile::open(&out).expect("a data file").header().clone();
        assert_eq!((header.game.as_str(), header.seed, header.games, header.nodes), (variant, 3, 20, 4));
        assert_eq!((header.random_moves, header.max_plies, header.evaluation.as_str()), (0.25, 400, "material"));
        let opening = match variant {
            "kiswahili" => (4, 16),
            "kigogo" => (4, 24),
            _ => (8, 30),
        };
        assert_eq!(header.opening_plies, opening);

        // Once more: nothing is left to do.
        let before = std::fs::read(&out).expect("the file");
        let output = run(&out, &format!("{words} --threads 1 --quiet"));
        assert!(String::from_utf8_lossy(&output.stdout).trim_end().ends_with(" s from game 20 on"));
        assert!(std::fs::read(&out).expect("the file") == before);
        std::fs::remove_file(&out).expect("the file is ours");
    }
}

#[test]
fn what_is_typed_stands_in_the_header() {
    let out = path("typed");
    let words = "--variant kigogo --games 2 --nodes 5 --random-moves 7 --opening-plies 6..9 --max-plies 50 --seed 11 \
                 --threads 2 --evaluation material --quiet";
    assert!(run(&out, words).status.success());
    let header = DataFile::open(&out).expect("a data file").header().clone();
    assert_eq!((header.nodes, header.random_moves, header.opening_plies), (5, 0.07, (6, 9)));
    assert_eq!((header.max_plies, header.seed), (50, 11));
    let output = run(&out, &words.replace("6..9", "6"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("opening_plies is [6,9] there, [6,6] here"), "{error}");
    std::fs::remove_file(&out).expect("the file is ours");
}

#[test]
fn killed_and_started_again_it_makes_the_same_file() {
    let words = "--variant kimasai --games 1500 --nodes 4 --evaluation material --threads 2";
    let (whole, killed) = (path("whole"), path("killed"));
    assert!(run(&whole, words).status.success());
    for length in [1, 100_000, 800_000] {
        let mut child = datagen(&killed, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("kete runs");
        let started = Instant::now();
        // It may be done before it is killed, which does no harm here.
        while std::fs::metadata(&killed).map_or(0, |m| m.len()) < length && started.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("a process to kill");
        child.wait().expect("an end");
    }
    assert!(run(&killed, words).status.success());
    assert!(std::fs::read(&whole).expect("a file") == std::fs::read(&killed).expect("a file"));
    for path in [whole, killed] {
        std::fs::remove_file(path).expect("the file is ours");
    }
}

#[test]
fn what_cannot_be_meant_is_refused_with_code_2() {
    let out = path("refused");
    let good = "--variant kigogo --games 2 --nodes 1 --evaluation material";
    for (words, expected) in [
        ("--games 2", "--variant"),
        ("--variant chess --games 2", "kiswahili, kigogo, kimasai"),
        ("--variant kigogo", "--games"),
        ("--variant kigogo --games 0", "0 is not in 1.."),
        (&format!("{good} --random-moves 101"), "101 is not in 0..=100"),
        (&format!("{good} --opening-plies 9..3"), "the smaller number first"),
        (&format!("{good} --opening-plies some"), "MIN..MAX"),
        (&format!("{good} --max-plies 20"), "a game ends after 20"),
        (&format!("{good} --eval-file x.knet"), "--eval-file"),
        (&format!("{good} --threads 0"), "--threads"),
    ] {
        let output = run(&out, words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.contains(expected), "{words}: {error}");
        assert!(output.stdout.is_empty() && !out.exists(), "{words}");
    }
    let output = run(Path::new("/nonexistent/a.kdata"), good);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nonexistent/a.kdata: "));
}
