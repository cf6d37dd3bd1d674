//! The options of the engine: what `uci` lists and `setoption` sets.

use crate::game::Variant;
use crate::notation::quote;
use crate::search::{DEFAULT_HASH_MIB, GameTunable, Player};
use std::fmt;

/// The most worker threads.
const MAX_THREADS: i64 = 256;
/// The most memory for the tree: 64 GiB.
const MAX_HASH_MIB: i64 = 65_536;
/// As many lines as a position can have moves.
const MAX_MULTI_PV: i64 = 32;
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;
/// The largest seed: 2^53 - 1, which every JSON reader keeps exact.
const MAX_SEED: i64 = 9_007_199_254_740_991;

/// An option as `uci` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OptionSpec {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The type of an option with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole number.
    Spin {
        /// The value before anyone sets it.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// The word before anyone sets it.
        default: &'static str,
        /// All words.
        choices: Vec<&'static str>,
    },
    /// Something to be done at once.
    Button,
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Button => f.write_str("button"),
        }
    }
}

/// What an accepted `setoption` says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Setting {
    Variant(Variant),
    Threads(usize),
    HashMib(usize),
    MultiPv(usize),
    MoveOverheadMs(u64),
    Seed(u64),
    Player(Player),
    ClearHash,
    Tunable(GameTunable, i32),
}

/// Why a `setoption` is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option {}, expected one that uci lists{}", quote(.name), suggestion(.nearest))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The option that it resembles most.
        nearest: Option<String>,
    },
    /// The option needs a value.
    #[error("option {name} has no value here, expected {expected}")]
    MissingValue {
        /// The option.
        name: String,
        /// What it takes.
        expected: String,
    },
    /// The value is not one that the option takes.
    #[error("option {name} cannot be {}, expected {expected}", quote(.value))]
    BadValue {
        /// The option.
        name: String,
        /// The value that was given.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// The option is a button.
    #[error("option {name} takes no value, expected the name alone")]
    NeedlessValue {
        /// The option.
        name: String,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name}?"))
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
        spec: OptionSpec { name: name.to_owned(), kind: Kind::Spin { default, min, max } },
        setting: Meaning::Number(setting),
    };
    let combo = |name: &str, default, choices, setting| Row {
        spec: OptionSpec { name: name.to_owned(), kind: Kind::Combo { default, choices } },
        setting: Meaning::Word(setting),
    };
    let mut rows = vec![
        combo("UCI_Variant", Variant::Kiswahili.name(), Variant::ALL.map(Variant::name).to_vec(), |word| {
            Variant::from_name(word).map(Setting::Variant)
        }),
        spin("Threads", 1, 1, MAX_THREADS, |n| Setting::Threads(n as usize)),
        spin("Hash", DEFAULT_HASH_MIB as i64, 1, MAX_HASH_MIB, |n| Setting::HashMib(n as usize)),
        spin("MultiPV", 1, 1, MAX_MULTI_PV, |n| Setting::MultiPv(n as usize)),
        spin("Move Overhead", 10, 0, MAX_MOVE_OVERHEAD_MS, |n| Setting::MoveOverheadMs(n as u64)),
        spin("Seed", 1, 0, MAX_SEED, |n| Setting::Seed(n as u64)),
        combo("Player", Player::default().name(), Player::ALL.map(Player::name).to_vec(), |word| {
            Player::ALL.into_iter().find(|player| player.name() == word).map(Setting::Player)
        }),
        Row {
            spec: OptionSpec { name: "Clear Hash".to_owned(), kind: Kind::Button },
            setting: Meaning::Button(Setting::ClearHash),
        },
    ];
    rows.extend(GameTunable::all().map(|which| Row {
        spec: OptionSpec {
            name: which.option_name(),
            kind: Kind::Spin {
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
    let mut rows = rows();
    let Some(index) = rows.iter().position(|row| row.spec.name.eq_ignore_ascii_case(name)) else {
        let nearest = nearest_name(name, rows.iter().map(|row| row.spec.name.as_str())).map(str::to_owned);
        return Err(OptionError::Unknown { name: name.to_owned(), nearest });
    };
    let Row { spec: OptionSpec { name, kind }, setting } = rows.swap_remove(index);
    if let Meaning::Button(setting) = setting {
        return if value.is_none() { Ok(setting) } else { Err(OptionError::NeedlessValue { name }) };
    }
    let expected = match &kind {
        Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
        Kind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
        Kind::Button => String::new(),
    };
    let Some(value) = value else { return Err(OptionError::MissingValue { name, expected }) };
    let accepted = match (setting, kind) {
        (Meaning::Number(setting), Kind::Spin { min, max, .. }) => number(value, min, max).map(setting),
        (Meaning::Tunable(which), Kind::Spin { min, max, .. }) => {
            number(value, min, max).and_then(|n| i32::try_from(n).ok()).map(|n| Setting::Tunable(which, n))
        }
        (Meaning::Word(setting), _) => setting(&value.to_ascii_lowercase()),
        (Meaning::Number(_) | Meaning::Tunable(_) | Meaning::Button(_), _) => None,
    };
    accepted.ok_or(OptionError::BadValue { name, value: value.to_owned(), expected })
}

fn number(text: &str, min: i64, max: i64) -> Option<i64> {
    text.parse().ok().filter(|n| (min..=max).contains(n) && !text.starts_with('+'))
}

/// The option whose name is at most a third of its letters away from `name`, if there is one.
fn nearest_name<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A long word resembles nothing, and comparing it would take long.
    if name.len() > 64 {
        return None;
    }
    names
        .map(|candidate| (edit_distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, one row at a time.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (to, above) in b.chars().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(from != to)).min(left + 1).min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
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
            "option Player cannot be \"alpha\", expected one of mcts, greedy, random"
        );
        assert_eq!(error("Clear Hash", Some("now")), "option Clear Hash takes no value, expected the name alone");
    }

    #[test]
    fn every_default_is_accepted() {
        for OptionSpec { name, kind } in specs() {
            let value = match kind {
                Kind::Spin { default, .. } => Some(default.to_string()),
                Kind::Combo { default, .. } => Some(default.to_owned()),
                Kind::Button => None,
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

    #[test]
    fn the_distance_counts_edits() {
        assert_eq!(edit_distance("hash", "hash"), 0);
        assert_eq!(edit_distance("hsah", "hash"), 2);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("threads", "thread"), 1);
    }
}
