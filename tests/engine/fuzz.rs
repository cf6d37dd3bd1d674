//! Whatever is written into a session, it goes on, answers what it must, and ends; and whatever a line says, the parser
//! says yes or no.

use kete::game::Variant;
use kete::notation::parse_setup;
use kete::protocol::command::Command;
use kete::protocol::parse::parse_line;
use kete::protocol::{Session, Writer};
use proptest::prelude::*;
use proptest::sample::select;
use std::io::{self, Cursor, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// A session that has not ended by then never will.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most iterations of a search that nobody stops.
const FEW_NODES: u64 = 300;

/// Valid lines, of all kinds.
const VALID: &[&str] = &[
    "uci",
    "ugi",
    "isready",
    "ucinewgame",
    "uginewgame",
    "debug on",
    "debug off",
    "register later",
    "setoption name UCI_Variant value kiswahili",
    "setoption name UCI_Variant value kigogo",
    "setoption name UCI_Variant value kimasai",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name Hash value 1",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 0",
    "setoption name Seed value 9",
    "setoption name Player value mcts",
    "setoption name Player value greedy",
    "setoption name Player value random",
    "setoption name Clear Hash",
    "setoption name KigogoExploration value 700",
    "setoption name KiswahiliLeafDepth value 0",
    "position startpos",
    "position startpos moves",
    "position startpos moves A6L a6L A7R",
    "position startpos moves A2 a2",
    "position startpos moves A3 a5 A12 b1",
    "position fen kiswahili 0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN - 0 moves A6L",
    "position fen 0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/1,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0 N",
    "go nodes 20",
    "go nodes 100 depth 3 mate 2",
    "go movetime 2",
    "go wtime 30 btime 30 winc 1 binc 1 movestogo 5",
    "go p1time 30 p2time 30",
    "go nodes 20 searchmoves A6L A2",
    "go infinite",
    "go ponder nodes 20",
    "go",
    "go perft 2",
    "perft 1",
    "ponderhit",
    "stop",
    "wait",
    "query gameover",
    "query p1turn",
    "query result",
    "query reason",
    "query fen",
    "query moves",
    "query islegal A6L",
    "d",
    "eval",
    "moves",
    "params",
    "help",
];

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "go",
    "nodes",
    "position",
    "fen",
    "startpos",
    "moves",
    "setoption",
    "name",
    "value",
    "infinite",
    "ponder",
    "perft",
    "searchmoves",
    "query",
    "islegal",
    "stop",
    "isready",
    "A1",
    "a6L",
    "A6L>",
    "*",
    "0",
    "7",
    "-1",
    "99999999999999999999",
    "4294967296",
    "S",
    "N",
    "SN",
    "-",
    "22,22",
    "1,2/3",
    ",",
    "/",
    "",
    "\u{1f41a}",
    "\u{feff}",
    "\0",
    "Hash",
    "on",
    "é",
];

/// What is done to a valid line: at a place in it, something is cut out, put in, doubled or turned round.
#[derive(Clone, Debug)]
enum Mutation {
    Cut(usize, usize),
    Insert(usize, String),
    Double(usize),
    SwapWords(usize, usize),
    UpperCase,
    Spaces(&'static str),
}

impl Mutation {
    fn apply(&self, line: &str) -> String {
        let mut chars: Vec<char> = line.chars().collect();
        let place = |at: usize| at % (chars.len() + 1);
        match self {
            Mutation::Cut(at, count) => {
                let start = place(*at);
                chars.drain(start..(start + count).min(chars.len()));
            }
            Mutation::Insert(at, text) => {
                let start = place(*at);
                chars.splice(start..start, text.chars());
            }
            Mutation::Double(at) => {
                let tail = chars[place(*at)..].to_vec();
                chars.extend(tail);
            }
            Mutation::SwapWords(a, b) => {
                let mut words: Vec<&str> = line.split(' ').collect();
                let count = words.len();
                words.swap(a % count, b % count);
                return words.join(" ");
            }
            Mutation::UpperCase => return line.to_uppercase(),
            Mutation::Spaces(space) => return line.replace(' ', space),
        }
        chars.into_iter().collect()
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        (any::<usize>(), 1_usize..9).prop_map(|(at, count)| Mutation::Cut(at, count)),
        (any::<usize>(), select(WORDS)).prop_map(|(at, word)| Mutation::Insert(at, word.to_owned())),
        (any::<usize>(), "[^\n]{1,3}").prop_map(|(at, text)| Mutation::Insert(at, text)),
        any::<usize>().prop_map(Mutation::Double),
        any::<(usize, usize)>().prop_map(|(a, b)| Mutation::SwapWords(a, b)),
        Just(Mutation::UpperCase),
        select(&["  ", "\t", " \r", "\u{b}", "\u{a0}"][..]).prop_map(Mutation::Spaces),
    ]
}

fn valid() -> impl Strategy<Value = String> {
    select(VALID).prop_map(str::to_owned)
}

fn mutated() -> impl Strategy<Value = String> {
    (valid(), prop::collection::vec(mutation(), 1..4))
        .prop_map(|(line, mutations)| mutations.iter().fold(line, |line, mutation| mutation.apply(&line)))
}

fn garbage() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\n]{0,40}",
        prop::collection::vec(select(WORDS), 0..8).prop_map(|words| words.join(" ")),
        "go( (nodes|depth|movetime|wtime|infinite|searchmoves|-?[0-9]{1,22}|A[0-9]L)){0,6}",
        "setoption name [A-Za-z ]{0,20}( value [^\n]{0,10})?",
    ]
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![5 => valid(), 2 => mutated(), 1 => garbage()]
}

/// What a line is to a session: how the test may use it.
enum Use {
    /// It goes in as it is.
    AsItIs,
    /// It may start a search without an end: a stop must follow.
    ThenStop,
    /// It would take too long or too much memory.
    Never,
}

fn use_of(line: &str) -> Use {
    match parse_line(line) {
        Ok(Some(Command::Go(go))) if go.nodes.is_none_or(|nodes| nodes > FEW_NODES) => Use::ThenStop,
        Ok(Some(Command::Go(go))) if go.ponder || go.infinite => Use::ThenStop,
        Ok(Some(Command::Bench)) => Use::Never,
        Ok(Some(Command::Perft(depth))) if depth > 3 => Use::Never,
        Ok(Some(Command::SetOption { name, value: Some(value), .. }))
            if ["threads", "hash"].contains(&name.to_lowercase().as_str()) && !matches!(value.text, "1" | "2") =>
        {
            Use::Never
        }
        _ => Use::AsItIs,
    }
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that a session answers to this input, up to its end.
fn answers(input: Vec<u8>) -> Vec<String> {
    let sink = Sink::default();
    let writer = Writer::new(sink.clone());
    let (done, ended) = channel();
    let session = std::thread::spawn(move || {
        let result = Session::new(writer).run(Cursor::new(input));
        // The test may have given up.
        let _ = done.send(());
        result
    });
    let waited = ended.recv_timeout(PATIENCE);
    assert!(waited.is_ok() || session.is_finished(), "the session does not end");
    session.join().expect("no panic").expect("threads are to be had");
    String::from_utf8(sink.bytes()).expect("the output is UTF-8").lines().map(str::to_owned).collect()
}

/// The first words of all lines that an answer can have.
const FIRST_WORDS: &[&str] = &[
    "id",
    "option",
    "uciok",
    "ugiok",
    "readyok",
    "bestmove",
    "info",
    "response",
    "moves:", // Answers of one line.
    "a",
    "b",
    "A",
    "B",
    "Reserves:",
    "Fen:",
    "Key:",
    "Ply:",
    "To",
    "Moves:",
    "Result:", // The board.
    "Seeds:",
    "Net:",
    "Material:",
    "Win",
    "Evaluation:",
    "What",
    "Nodes", // The evaluation and perft.
];

/// Whether an answer can have that line.
fn is_known(line: &str) -> bool {
    static LISTINGS: LazyLock<Vec<String>> = LazyLock::new(|| answers(b"help\nparams\n".to_vec()));
    let first = line.split(' ').next().unwrap_or_default();
    let is_count = || line.rsplit_once(": ").is_some_and(|(_, count)| count.parse::<u64>().is_ok());
    let is_pit_numbers = || line.split_whitespace().all(|word| word.parse::<u8>().is_ok());
    let is_listed = || {
        let name = line.split(',').next().unwrap_or_default();
        LISTINGS.iter().any(|listed| listed == line || (line.contains(',') && listed.split(',').next() == Some(name)))
    };
    FIRST_WORDS.contains(&first) || is_count() || is_pit_numbers() || is_listed()
}

fn count(lines: &[String], prefix: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(prefix)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sessions_answer_every_search_and_end(
        lines in prop::collection::vec(line(), 0..30),
        bytes in prop::collection::vec(any::<u8>(), 0..30),
        last_line_ends in any::<bool>(),
    ) {
        let mut input = vec!["setoption name Hash value 1".to_owned()];
        for line in lines {
            let line: String = line.replace('\n', " ");
            match use_of(&line) {
                Use::AsItIs => input.push(line),
                Use::ThenStop => input.extend([line, "isready".to_owned(), "stop".to_owned()]),
                Use::Never => {}
            }
        }
        let quits = input.iter().any(|line| matches!(parse_line(line), Ok(Some(Command::Quit))));
        let mut all = input.join("\n").into_bytes();
        all.push(b'\n');
        if !bytes.contains(&b'\n') && matches!(use_of(&String::from_utf8_lossy(&bytes)), Use::AsItIs) {
            all.extend_from_slice(&bytes);
            all.push(b'\n');
        }
        all.extend_from_slice(b"query fen\nstop\nisready");
        if last_line_ends {
            all.push(b'\n');
        }
        let output = answers(all);
        for line in &output {
            prop_assert!(is_known(line), "{line:?} of {output:#?}");
        }
        if quits {
            return Ok(());
        }

        // Each search that was not refused has its best move, each isready its answer, each refusal one line.
        let parsed: Vec<_> = input.iter().map(|line| parse_line(line)).collect();
        let searches = parsed.iter().filter(|p| matches!(p, Ok(Some(Command::Go(_))))).count();
        let refused = count(&output, "info string error: go while") + count(&output, "info string error: searchmoves ");
        prop_assert_eq!(count(&output, "bestmove "), searches - refused, "{:#?}\n{:#?}", input, output);
        let asked = parsed.iter().filter(|p| matches!(p, Ok(Some(Command::IsReady)))).count();
        prop_assert_eq!(count(&output, "readyok"), asked + 1);
        let errors = parsed.iter().filter(|p| p.is_err()).count();
        prop_assert!(count(&output, "info string error: ") >= errors);
        prop_assert_eq!(count(&output, "info string error: the engine failed"), 0);

        // The last position is one.
        let fen = output.iter().rev().find_map(|line| line.strip_prefix("response ")).unwrap_or_default();
        let variant = fen.split(' ').next().and_then(Variant::from_name);
        prop_assert!(variant.is_some_and(|variant| parse_setup(fen, variant).is_ok()), "{}", fen);
    }
}

/// Parses a line and checks where an error is said to be.
fn check_parse(line: &str) -> Result<(), TestCaseError> {
    if let Err(error) = parse_line(line) {
        let chars = line.chars().count();
        prop_assert!((1..=chars + 1).contains(&error.column), "column {} of {chars}: {line:?}", error.column);
        let rest: String = line.chars().skip(error.column - 1).collect();
        prop_assert!(rest.starts_with(&error.found), "{:?} is not at column {} of {line:?}", error.found, error.column);
        prop_assert!(!error.expected.is_empty());
        prop_assert!(!error.to_string().contains('\n') && error.to_string().len() < 600, "{error}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_parser_takes_any_text(line in any::<String>()) {
        check_parse(&line)?;
    }

    #[test]
    fn the_parser_takes_mutated_commands(line in mutated()) {
        check_parse(&line)?;
    }

    #[test]
    fn the_parser_takes_heaps_of_words(line in garbage()) {
        check_parse(&line)?;
    }

    #[test]
    fn the_columns_of_words_are_where_they_stand(line in prop_oneof![valid(), mutated()]) {
        let words = match parse_line(&line) {
            Ok(Some(Command::Position { text, moves })) => text.into_iter().chain(moves).collect(),
            Ok(Some(Command::Go(go))) => go.search_moves.unwrap_or_default(),
            Ok(Some(Command::SetOption { name_words, value, .. })) => {
                std::iter::once(name_words).chain(value).collect()
            }
            _ => Vec::new(),
        };
        for word in words {
            let rest: String = line.chars().skip(word.column - 1).collect();
            prop_assert!(rest.starts_with(word.text), "{word:?} in {line:?}");
        }
    }
}

#[test]
fn all_valid_lines_are_valid() {
    for line in VALID {
        assert!(matches!(parse_line(line), Ok(Some(_))), "{line}");
    }
}
