//! Tests of the grammar of answers.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn reply(line: &str) -> Reply<'_> {
    parse_reply(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn info_of(line: &str) -> Info<'_> {
    match reply(line) {
        Reply::Info(info) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn option_of(line: &str) -> OptionSpec {
    match reply(line) {
        Reply::Option(option) => option,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn simple_answers_are_told_from_other_lines() {
    for (line, expected) in [
        ("uciok", Reply::UciOk),
        (" ugiok\r", Reply::UgiOk),
        ("\treadyok  now", Reply::ReadyOk),
        ("readyokay", Reply::Unknown),
        ("id name  Fake  Engine 1.0 \r\n", Reply::IdName("Fake  Engine 1.0")),
        ("id author", Reply::IdAuthor("")),
        ("id number 5", Reply::Unknown),
        ("id", Reply::Unknown),
        ("response A6L\tA7L ", Reply::Response("A6L\tA7L")),
        ("response", Reply::Response("")),
        ("", Reply::Unknown),
        (" \t\r", Reply::Unknown),
        ("copyprotection ok", Reply::Unknown),
        ("foo bestmove A6L", Reply::Unknown),
        ("foo bestmove", Reply::Unknown),
        ("Bestmove A6L", Reply::Unknown),
    ] {
        assert_eq!(reply(line), expected, "{line:?}");
    }
}

#[test]
fn a_best_move_is_one_word_with_or_without_the_move_to_ponder() {
    for (line, best, ponder) in [
        ("bestmove A6L", "A6L", None),
        ("bestmove\t A6L>* \tponder  a2R\r", "A6L>*", Some("a2R")),
        ("bestmove (none)", "(none)", None),
        ("bestmove A6L ponder", "A6L", None),
        ("bestmove A6L and more", "A6L", None),
        ("bestmove A6L and ponder a2R", "A6L", None),
    ] {
        assert_eq!(reply(line), Reply::BestMove { best, ponder }, "{line:?}");
    }
}

#[test]
fn an_info_line_tells_all_that_uci_has() {
    let line = "info depth 5 seldepth 9 multipv 2 score cp 31 lowerbound wdl 600 100 300 nodes 1234 nps 99 hashfull 7 \
                time 15 pv A6L  a2R\tA1L string is left alone: score cp 1 pv x";
    let expected = Info {
        depth: Some(5),
        seldepth: Some(9),
        multipv: Some(2),
        score: Some(Score::Centipawns(31)),
        bound: Some(Bound::Lower),
        wdl: Some([600, 100, 300]),
        nodes: Some(1234),
        nps: Some(99),
        hashfull: Some(7),
        time_ms: Some(15),
        pv: Some("A6L  a2R\tA1L"),
        string: Some("is left alone: score cp 1 pv x"),
    };
    let info = info_of(line);
    assert_eq!(info, expected);
    assert_eq!(info.moves().collect::<Vec<_>>(), ["A6L", "a2R", "A1L"]);
    assert_eq!(info_of("info"), Info::default());
}

#[test]
fn info_may_come_in_any_order_with_unknown_words_between() {
    let info = info_of("info currmove A1 tbhits 5 pv A6L a2R score upperbound mate -3 eval cp 99 mate 4 depth 2");
    assert_eq!((info.pv, info.depth), (Some("A6L a2R"), Some(2)));
    assert_eq!((info.score, info.bound), (Some(Score::Mate(-3)), Some(Bound::Upper)));
    // Without the word before it a number says nothing; a malformed one costs only itself.
    assert_eq!(info_of("info cp 5 mate 3 lowerbound 7"), Info::default());
    let info = info_of("info depth nodes 5 seldepth x time 3 wdl 1 2 hashfull 4 score cp high nps 6");
    assert_eq!((info.depth, info.nodes, info.seldepth, info.time_ms), (None, Some(5), None, Some(3)));
    assert_eq!((info.wdl, info.hashfull, info.score, info.nps), (None, Some(4), None, Some(6)));
    // The last one counts, but nothing is forgotten for a malformed one. A bound is that of its score.
    let info = info_of("info depth 1 depth 2 depth x score cp 1 lowerbound score mate 2 score cp x");
    assert_eq!((info.depth, info.score, info.bound), (Some(2), Some(Score::Mate(2)), None));
    assert_eq!(info_of("info pv").pv, Some(""));
    assert_eq!(info_of("info pv").moves().count(), 0);
}

#[test]
fn an_info_string_is_never_looked_into() {
    for text in ["score cp 5 pv A6L", "depth 3", "string string", "error: \"x\" at column 1"] {
        let line = format!("info string  {text}\r");
        assert_eq!(info_of(&line), Info { string: Some(text), ..Info::default() });
    }
}

#[test]
fn numbers_are_read_however_they_are_written() {
    for (text, number) in [
        ("12", Some(12)),
        ("+12", Some(12)),
        ("-12", Some(-12)),
        ("-0", Some(0)),
        ("007", Some(7)),
        ("1e9", Some(1_000_000_000)),
        ("1e+03", Some(1000)),
        ("-12.75", Some(-12)),
        ("1e999", Some(i64::MAX)),
        ("9223372036854775808", Some(i64::MAX)),
        ("99999999999999999999999", Some(i64::MAX)),
        ("-99999999999999999999999999999999999999999999999", Some(i64::MIN)),
        ("+-1", None),
        ("--1", None),
        ("-", None),
        ("e", None),
        ("1e", None),
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("0x10", None),
        ("١", None),
    ] {
        let line = format!("info score cp {text} nodes {text}");
        let info = info_of(&line);
        assert_eq!(info.score, number.map(Score::Centipawns), "{text}");
        let count = number.map(|n| if n == i64::MAX { text.parse().unwrap_or(u64::MAX) } else { n.max(0) as u64 });
        assert_eq!(info.nodes, count, "{text}");
    }
}

#[test]
fn each_type_of_option_is_read() {
    let words = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let combo =
        |default: &str, choices: &[&str]| OptionKind::Combo { default: default.to_owned(), choices: words(choices) };
    let text = |default: &str| OptionKind::String { default: default.to_owned() };
    for (rest, kind) in [
        ("check default true", OptionKind::Check { default: true }),
        ("check\tdefault  false\r", OptionKind::Check { default: false }),
        ("spin default 1 min -5 max +8", OptionKind::Spin { default: 1, min: -5, max: 8 }),
        (
            "spin max 99999999999999999999 min -99999999999999999999 default 0",
            OptionKind::Spin { default: 0, min: i64::MIN, max: i64::MAX },
        ),
        ("combo default mcts var mcts var greedy", combo("mcts", &["mcts", "greedy"])),
        ("combo var  Very\t Bold var solid default Very Bold", combo("Very Bold", &["Very Bold", "solid"])),
        ("combo default default var default var by default", combo("default", &["default", "by default"])),
        ("button ", OptionKind::Button),
        ("string default  a  b ", text("a  b")),
        ("string default <empty>", text("")),
        ("string default", text("")),
        ("string", text("")),
        ("string default default min 1", text("default min 1")),
    ] {
        let line = format!("option  name My \t Option type {rest}");
        assert_eq!(option_of(&line), OptionSpec { name: "My Option".to_owned(), kind }, "{line:?}");
    }
}

#[test]
fn errors_name_word_column_and_expectation() {
    for (line, expected) in [
        ("bestmove", "nothing at column 9, expected a move"),
        ("  bestmove \t\r", "nothing at column 14, expected a move"),
        ("bestmove ponder a2R", "\"ponder\" at column 10, expected a move"),
        ("option", "nothing at column 7, expected name"),
        ("option Hash type spin", "\"Hash\" at column 8, expected name"),
        ("option name type spin", "\"type\" at column 13, expected the name of an option"),
        ("option name", "nothing at column 12, expected the name of an option"),
        ("option name Größe", "nothing at column 18, expected type after the name"),
        ("option name A type", "nothing at column 19, expected one of the types check, spin, combo, button, string"),
        (
            "option name A type slider",
            "\"slider\" at column 20, expected one of the types check, spin, combo, button, string",
        ),
        ("option name A type check", "nothing at column 25, expected default true or default false"),
        ("option name A type check default yes", "\"default\" at column 26, expected default true or default false"),
        ("option name A type check default true x", "\"x\" at column 39, expected the end of the line"),
        ("option name A type button now", "\"now\" at column 27, expected the end of the line"),
        ("option name A type spin default 1 min 0", "nothing at column 40, expected max and a number"),
        ("option name A type spin default 1 max 0", "nothing at column 40, expected min and a number"),
        ("option name A type spin min 1 max 9", "nothing at column 36, expected default and a number"),
        ("option name A type spin default 1.5", "\"1.5\" at column 33, expected a whole number"),
        ("option name A type spin default", "nothing at column 32, expected a whole number"),
        ("option name A type spin min 1 min 2", "\"min\" at column 31, expected it only once"),
        ("option name A type spin default 1 step 2", "\"step\" at column 35, expected default, min or max"),
        ("option name A type combo", "nothing at column 25, expected default and a word to choose"),
        ("option name A type combo a b", "\"a\" at column 26, expected default or var"),
        ("option name A type combo default a", "nothing at column 35, expected var and a word to choose"),
        ("option name A type combo var a", "nothing at column 31, expected default and a word to choose"),
        ("option name A type combo default var a", "\"var\" at column 34, expected a word to choose"),
        ("option name A type string a", "\"a\" at column 27, expected the end of the line"),
    ] {
        let error = parse_reply(line).err().map_or_else(String::new, |error| error.to_string());
        assert_eq!(error, expected, "{line:?}");
    }
}

/// Lines of all kinds, for mutations.
const VALID: [&str; 10] = [
    "id name Kete 0.1.0",
    "option name Move Overhead type spin default 10 min 0 max 10000",
    "option name UCI_Variant type combo default kiswahili var kiswahili var kigogo var kimasai",
    "option name Own Book type check default false",
    "option name Book type string default <empty>",
    "option name Clear Hash type button",
    "bestmove A6L ponder a2R",
    "info depth 5 seldepth 9 multipv 1 score cp -31 upperbound wdl 450 0 550 nodes 512 nps 9 hashfull 0 time 15 pv A6L a2R",
    "info string variant kigogo rows 4 cols 12",
    "response A6R A7R",
];

fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-z_0-9]{0,6}( [A-Za-z]{1,3}){0,2}"
}

fn kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (name(), vec(name(), 1..5)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        "([!-;=-~]{1,8}( {1,2}[!-~]{1,8}){0,3})?".prop_map(|default| OptionKind::String { default }),
    ]
}

proptest! {
    #[test]
    fn nothing_makes_it_panic_and_only_what_must_be_right_fails(line in any::<String>()) {
        let failed = parse_reply(&line).is_err();
        let first = words_of(&line).next().unwrap_or("");
        prop_assert!(!failed || ["bestmove", "option"].contains(&first));
    }

    #[test]
    fn neither_does_a_changed_line(
        line in select(&VALID[..]),
        at in any::<prop::sample::Index>(),
        length in 0_usize..6,
        inserted in prop_oneof![Just(" "), Just(""), Just("\t\u{b}"), Just("9999999999999999999999"), Just("é"), Just("\0"), Just(" pv ")],
    ) {
        let mut chars: Vec<char> = line.chars().collect();
        let start = at.index(chars.len());
        let end = (start + length).min(chars.len());
        chars.splice(start..end, inserted.chars());
        let line: String = chars.into_iter().collect();
        match parse_reply(&line) {
            Ok(_) => {}
            Err(error) => {
                prop_assert!(line.trim().starts_with("option") || line.trim().starts_with("bestmove"), "{}", line);
                prop_assert!(error.column >= 1 && error.column <= line.chars().count() + 1, "{}: {}", line, error);
            }
        }
    }

    #[test]
    fn options_are_read_as_they_are_written(name in name(), kind in kind()) {
        let spec = OptionSpec { name, kind };
        let line = spec.to_string();
        prop_assert_eq!(parse_reply(&line), Ok(Reply::Option(spec)));
    }
}

#[test]
fn lines_of_many_megabytes_are_read_in_one_go() {
    const WORDS: usize = 3_000_000;
    let pv = format!("info score cp 7 pv{} nodes 5", " A6L".repeat(WORDS));
    let info = info_of(&pv);
    assert_eq!((info.moves().count(), info.nodes), (WORDS, Some(5)));
    // The many ways in which a reader could start again and again from the same place.
    for (head, piece) in [
        ("info ", "score "),
        ("info ", "wdl 1 "),
        ("info ", "pv "),
        ("info ", "depth "),
        ("info ", " "),
        ("info depth ", "9"),
        ("info string ", "score cp 1 "),
        ("bestmove A6L ", "ponder "),
        ("option name ", "a "),
        ("option name A type combo default a", " var b"),
        ("option name A type combo default ", "default "),
        ("option name A type string default ", "x  "),
        ("", "x "),
        ("", " "),
    ] {
        let line = format!("{head}{}", piece.repeat(WORDS));
        let _ = parse_reply(&line);
    }
}
