//! protocol.md and README.md: what they show must be what the program does.

use kete::protocol::{Session, Writer};
use kete::search::{GameTunable, TUNABLES};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

fn read(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Standard output in memory.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the sink").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a session answers to these lines.
fn answers(input: &[&str]) -> Vec<String> {
    let sink = Sink::default();
    let text = input.join("\n");
    Session::new(Writer::new(sink.clone())).run(Cursor::new(text)).expect("a session");
    let output = sink.0.lock().expect("the sink").clone();
    String::from_utf8(output).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// One example: the lines that are sent, and the patterns of those that are answered.
struct Example<'a> {
    line: usize,
    sent: Vec<&'a str>,
    expected: Vec<&'a str>,
}

/// The fenced blocks of `text` that are marked as sessions.
fn examples(text: &str) -> Vec<Example<'_>> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        if line == "```session" {
            inside = true;
            examples.push(Example { line: i + 1, sent: Vec::new(), expected: Vec::new() });
        } else if line == "```" {
            inside = false;
        } else if inside {
            let example = examples.last_mut().expect("a block has begun");
            match (line.strip_prefix("> "), line.strip_prefix('<')) {
                (Some(sent), _) => example.sent.push(sent),
                (_, Some(expected)) => example.expected.push(expected.strip_prefix(' ').unwrap_or(expected)),
                _ => panic!("line {}: neither sent nor answered: {line}", i + 1),
            }
        }
    }
    examples
}

/// Whether a line fits a pattern in which `...` stands for any text.
fn fits(line: &str, pattern: &str) -> bool {
    match pattern.split_once("...") {
        None => line == pattern,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(i, _)| i).chain([rest.len()]).any(|i| fits(&rest[i..], after))
        }),
    }
}

/// Whether lines fit patterns of which `...` stands for any lines.
fn all_fit(lines: &[String], patterns: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"...", others)), rest) => {
            all_fit(lines, others) || rest.is_some_and(|(_, lines)| all_fit(lines, patterns))
        }
        (Some((pattern, others)), Some((line, lines))) => fits(line, pattern) && all_fit(lines, others),
        (Some(_), None) => false,
    }
}

#[test]
fn every_example_of_the_protocol_is_true() {
    check_examples("protocol.md", 18);
}

#[test]
fn every_example_of_the_readme_is_true() {
    check_examples("README.md", 1);
}

fn check_examples(file: &str, at_least: usize) {
    let text = read(file);
    let examples = examples(&text);
    assert!(examples.len() >= at_least, "{} examples", examples.len());
    for example in examples {
        let lines = answers(&example.sent);
        assert!(
            all_fit(&lines, &example.expected),
            "{file} line {}: sent\n{}\n\nanswered\n{}\n\nexpected\n{}",
            example.line,
            example.sent.join("\n"),
            lines.join("\n"),
            example.expected.join("\n")
        );
    }
}

#[test]
fn the_protocol_lists_every_tunable_as_it_is() {
    let text = read("protocol.md");
    for tunable in &TUNABLES {
        let [first, second, third] = tunable.defaults;
        let row = format!(
            "| `{}` | {first}, {second}, {third} | {} to {} | {} |",
            tunable.name, tunable.min, tunable.max, tunable.doc
        );
        assert!(text.contains(&row), "missing: {row}");
    }
}

#[test]
fn the_protocol_names_every_option_of_the_engine() {
    let text = read("protocol.md");
    let tunables: Vec<String> = GameTunable::all().map(GameTunable::option_name).collect();
    let mut seen = 0;
    for line in answers(&["uci"]) {
        let Some(name) = line.strip_prefix("option name ").and_then(|rest| rest.split(" type ").next()) else {
            continue;
        };
        seen += 1;
        let known = tunables.iter().any(|tunable| tunable == name) || text.contains(&format!("| `{name}` |"));
        assert!(known, "{name}");
    }
    assert_eq!(seen, 11 + tunables.len());
}

#[test]
fn patterns_fit_what_they_should_and_nothing_else() {
    assert!(fits("bestmove A6L", "bestmove ..."));
    assert!(fits("a b c", "a...c"));
    assert!(!fits("a b d", "a...c"));
    assert!(!fits("uciok now", "uciok"));
    let lines = ["a", "b", "c"].map(str::to_owned);
    assert!(all_fit(&lines, &["...", "c"]));
    assert!(all_fit(&lines, &["a", "...", "b", "c"]));
    assert!(!all_fit(&lines, &["a", "b"]));
    assert!(!all_fit(&lines, &["...", "d"]));
}
