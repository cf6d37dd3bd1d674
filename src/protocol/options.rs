//! The options of the engine: what `uci` lists and `setoption` sets.

use super::option_spec::{EMPTY, OptionError, OptionKind, OptionSpec};
use crate::evaluation::EvaluationKind;
use crate::game::Variant;
use crate::search::{DEFAULT_HASH_MIB, GameTunable, Player};
use std::path::PathBuf;

/// The most worker threads.
const MAX_THREADS: i64 = 256;
/// The most memory for the tree: 64 GiB.
const MAX_HASH_MIB: i64 = 65_536;
/// As many lines as a position can have moves.
const MAX_MULTI_PV: i64 = 32;
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;
/// The largest seed: 2^53 - 1, which every JSON reader keeps exact.
const MAX_SEED: i64 = 9_007_199_254_740_991;

/// What an accepted `setoption` says.
#[derive(Clone, Debug)]
pub(super) enum Setting {
    Variant(Variant),
    Threads(usize),
    HashMib(usize),
    MultiPv(usize),
    MoveOverheadMs(u64),
    Seed(u64),
    Player(Player),
    Evaluation(EvaluationKind),
    /// A net file; `None` for the built-in nets.
    EvalFile(Option<PathBuf>),
    Vectors(bool),
    ClearHash,
    Tunable(GameTunable, i32),
}

/// An option and what its value means.
struct Row {
    spec: OptionSpec,
    setting: Meaning,
}

/// How a checked value becomes a [`Setting`].
enum Meaning {
    Number(fn(i64) -> Setting),
    Tunable(GameTunable),
    Word(fn(&str) -> Option<Setting>),
    Button(Setting),
}

/// All options, in the order in which `uci` lists them.
fn rows() -> Vec<Row> {
    let spin = |name: &str, default, min, max, setting| Row {
        spec: OptionSpec { name: name.to_owned(), kind: OptionKind::Spin { default, min, max } },
        setting: Meaning::Number(setting),
    };
    let combo = |name: &str, default: &str, choices: &[&str], setting| Row {
        spec: OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::Combo {
                default: default.to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
        },
        setting: Meaning::Word(setting),
    };
    let mut rows = vec![
        combo("UCI_Variant", Variant::Kiswahili.name(), &Variant::ALL.map(Variant::name), |word| {
            Variant::from_name(word).map(Setting::Variant)
        }),
        spin("Threads", 1, 1, MAX_THREADS, |n| Setting::Threads(n as usize)),
        spin("Hash", DEFAULT_HASH_MIB as i64, 1, MAX_HASH_MIB, |n| Setting::HashMib(n as usize)),
        spin("MultiPV", 1, 1, MAX_MULTI_PV, |n| Setting::MultiPv(n as usize)),
        spin("Move Overhead", 10, 0, MAX_MOVE_OVERHEAD_MS, |n| Setting::MoveOverheadMs(n as u64)),
        spin("Seed", 1, 0, MAX_SEED, |n| Setting::Seed(n as u64)),
        combo("Player", Player::default().name(), &Player::ALL.map(Player::name), |word| {
            Player::ALL.into_iter().find(|player| player.name() == word).map(Setting::Player)
        }),
        combo("Evaluation", EvaluationKind::default().name(), &EvaluationKind::ALL.map(EvaluationKind::name), |word| {
            EvaluationKind::ALL.into_iter().find(|kind| kind.name() == word).map(Setting::Evaluation)
        }),
        Row {
            spec: OptionSpec { name: "EvalFile".to_owned(), kind: OptionKind::String { default: String::new() } },
            setting: Meaning::Word(|path| Some(Setting::EvalFile((path != EMPTY).then(|| path.into())))),
        },
        Row {
            spec: OptionSpec { name: "Vectors".to_owned(), kind: OptionKind::Check { default: true } },
            setting: Meaning::Word(|word| word.parse().ok().map(Setting::Vectors)),
        },
        Row {
            spec: OptionSpec { name: "Clear Hash".to_owned(), kind: OptionKind::Button },
            setting: Meaning::Button(Setting::ClearHash),
        },
    ];
    rows.extend(GameTunable::all().map(|which| Row {
        spec: OptionSpec {
            name: which.option_name(),
            kind: OptionKind::Spin {
                default: which.default().into(),
                min: which.tunable().min.into(),
                max: which.tunable().max.into(),
            },
        },
        setting: Meaning::Tunable(which),
    }));
    rows
}

/// All options, in the order in which `uci` lists them.
pub(super) fn specs() -> Vec<OptionSpec> {
    rows().into_iter().map(|row| row.spec).collect()
}

/// Finds the option of that name, in whatever case, and checks the value. Nothing is set yet.
///
/// # Errors
/// An [`OptionError`] that names what was found and what was expected.
pub(super) fn resolve(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let rows = rows();
    let Some(Row { spec, setting }) = rows.iter().find(|row| row.spec.is_named(name)) else {
        return Err(OptionError::unknown(name, rows.iter().map(|row| row.spec.name.as_str())));
    };
    let accepted = match (spec.accepts(value)?, setting) {
        (None, Meaning::Button(setting)) => Some(setting.clone()),
        (Some(value), Meaning::Number(setting)) => value.parse().ok().map(setting),
        (Some(value), Meaning::Tunable(which)) => value.parse().ok().map(|n| Setting::Tunable(*which, n)),
        (Some(word), Meaning::Word(setting)) => setting(word),
        (_, Meaning::Button(_) | Meaning::Number(_) | Meaning::Tunable(_) | Meaning::Word(_)) => None,
    };
    // The table has a meaning for every value that the option takes.
    accepted.ok_or_else(|| spec.refusal(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &str, value: Option<&str>) -> String {
        resolve(name, value).err().map_or_else(String::new, |e| e.to_string())
    }

    #[test]
    fn names_are_found_in_any_case() {
        assert!(matches!(resolve("move OVERHEAD", Some("5")), Ok(Setting::MoveOverheadMs(5))));
        assert!(matches!(resolve("uci_variant", Some("Kigogo")), Ok(Setting::Variant(Variant::Kigogo))));
        assert!(matches!(resolve("clear hash", None), Ok(Setting::ClearHash)));
        assert!(matches!(resolve("kigogoexploration", Some("500")), Ok(Setting::Tunable(_, 500))));
    }

    #[test]
    fn errors_say_what_the_option_takes() {
        assert_eq!(
            error("Thread", Some("2")),
            "there is no option \"Thread\", expected one that uci lists; did you mean Threads?"
        );
        assert_eq!(error("Contempt", Some("2")), "there is no option \"Contempt\", expected one that uci lists");
        for value in ["0", "257", "-1", "+1", "1e3", "two", "99999999999999999999"] {
            assert_eq!(
                error("Threads", Some(value)),
                format!("option Threads cannot be \"{value}\", expected a whole number from 1 to 256")
            );
        }
        assert_eq!(error("Hash", None), "option Hash has no value here, expected a whole number from 1 to 65536");
        assert_eq!(
            error("player", Some("alpha")),
            "option Player cannot be \"alpha\", expected one of mcts, alphabeta, greedy, random"
        );
        assert_eq!(error("Clear Hash", Some("now")), "option Clear Hash takes no value, expected the name alone");
    }

    #[test]
    fn every_default_is_accepted() {
        for OptionSpec { name, kind } in specs() {
            let value = match kind {
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => Some(default),
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Button => None,
            };
            assert!(resolve(&name, value.as_deref()).is_ok(), "{name}");
        }
    }

    #[test]
    fn no_two_options_have_the_same_name() {
        let mut names: Vec<String> = specs().into_iter().map(|spec| spec.name.to_lowercase()).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
