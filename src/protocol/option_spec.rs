//! An option of an engine as data: how its line is written, and which values it takes. Kete's own options and those that
//! another engine lists are told by the same type; `reply` reads what is written here.

use super::nearest::nearest_name;
use crate::notation::quote;
use std::fmt;

/// How an empty text is written as the default or value of an option.
pub(super) const EMPTY: &str = "<empty>";

/// An option as `uci` shows it.
///
/// ```
/// use kete::protocol::option_spec::{OptionKind, OptionSpec};
/// let hash = OptionSpec { name: "Hash".to_owned(), kind: OptionKind::Spin { default: 64, min: 1, max: 1024 } };
/// assert_eq!(hash.to_string(), "option name Hash type spin default 64 min 1 max 1024");
/// assert_eq!(hash.accepts(Some("2")), Ok(Some("2")));
/// assert_eq!(
///     hash.accepts(Some("0")).unwrap_err().to_string(),
///     "option Hash cannot be \"0\", expected a whole number from 1 to 1024"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name, words joined by single spaces.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// The type of an option with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// The value before anyone sets it.
        default: bool,
    },
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
        default: String,
        /// All words.
        choices: Vec<String>,
    },
    /// Something to be done at once.
    Button,
    /// Any text.
    String {
        /// The text before anyone sets it.
        default: String,
    },
}

/// Why an option cannot be set so.
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

impl OptionError {
    /// There is no option `name`; one of `names` may have been meant.
    pub fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> OptionError {
        OptionError::Unknown { name: name.to_owned(), nearest: nearest_name(name, names).map(str::to_owned) }
    }
}

/// Finds the option of that name, in whatever case.
///
/// # Errors
/// [`OptionError::Unknown`], which names the option that resembles it.
pub fn find<'a>(options: &'a [OptionSpec], name: &str) -> Result<&'a OptionSpec, OptionError> {
    options
        .iter()
        .find(|option| option.is_named(name))
        .ok_or_else(|| OptionError::unknown(name, options.iter().map(|option| option.name.as_str())))
}

impl OptionSpec {
    /// Whether this is the option called `name`, in whatever case.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Checks a value, and returns it as `setoption` has to send it: a word in the engine's own spelling, whatever the
    /// case in which it was given, and `<empty>` for an empty text. A button takes none.
    ///
    /// # Errors
    /// An [`OptionError`] that names the option, the value, and what was expected.
    pub fn accepts<'a>(&'a self, value: Option<&'a str>) -> Result<Option<&'a str>, OptionError> {
        let Some(given) = value else {
            return if self.kind == OptionKind::Button { Ok(None) } else { Err(self.refusal(None)) };
        };
        let accepted = match &self.kind {
            OptionKind::Check { .. } => ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(given)),
            OptionKind::Spin { min, max, .. } => number(given, *min, *max).map(|_| given),
            OptionKind::Combo { choices, .. } => {
                choices.iter().map(String::as_str).find(|choice| choice.eq_ignore_ascii_case(given))
            }
            OptionKind::Button => None,
            OptionKind::String { .. } if given.trim().is_empty() => Some(EMPTY),
            // A second line would be a command of its own.
            OptionKind::String { .. } => Some(given).filter(|text| !text.contains(['\n', '\r'])),
        };
        accepted.map(Some).ok_or_else(|| self.refusal(value))
    }

    /// Why a value, or none, is not what the option takes.
    pub(super) fn refusal(&self, value: Option<&str>) -> OptionError {
        let name = self.name.clone();
        let expected = match &self.kind {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionKind::Button => return OptionError::NeedlessValue { name },
            OptionKind::String { .. } => "a text of one line".to_owned(),
        };
        match value {
            None => OptionError::MissingValue { name, expected },
            Some(value) => OptionError::BadValue { name, value: value.to_owned(), expected },
        }
    }
}

/// The number that `text` is, if it is one of these.
fn number(text: &str, min: i64, max: i64) -> Option<i64> {
    text.parse().ok().filter(|n| (min..=max).contains(n) && !text.starts_with('+'))
}

impl fmt::Display for OptionSpec {
    /// The line of the protocol.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: OptionKind) -> OptionSpec {
        OptionSpec { name: name.to_owned(), kind }
    }

    fn options() -> [OptionSpec; 5] {
        let choices = ["solid".to_owned(), "Very Bold".to_owned()].to_vec();
        [
            option("Ponder", OptionKind::Check { default: false }),
            option("Hash", OptionKind::Spin { default: 1, min: -5, max: 64 }),
            option("Play Style", OptionKind::Combo { default: "solid".to_owned(), choices }),
            option("Clear Hash", OptionKind::Button),
            option("Book File", OptionKind::String { default: String::new() }),
        ]
    }

    #[test]
    fn values_are_sent_as_the_engine_spells_them() {
        let options = options();
        for (name, value, sent) in [
            ("ponder", Some("TRUE"), Some("true")),
            ("PONDER", Some("false"), Some("false")),
            ("Hash", Some("-5"), Some("-5")),
            ("Hash", Some("64"), Some("64")),
            ("play style", Some("very bold"), Some("Very Bold")),
            ("Clear Hash", None, None),
            ("Book File", Some("a b.bin"), Some("a b.bin")),
            ("Book File", Some(""), Some("<empty>")),
        ] {
            assert_eq!(find(&options, name).and_then(|o| o.accepts(value)), Ok(sent), "{name} {value:?}");
        }
    }

    #[test]
    fn errors_name_the_option_the_value_and_what_was_expected() {
        let options = options();
        for (name, value, error) in [
            ("Ponder", Some("yes"), "option Ponder cannot be \"yes\", expected true or false"),
            ("Ponder", None, "option Ponder has no value here, expected true or false"),
            ("hash", Some("65"), "option Hash cannot be \"65\", expected a whole number from -5 to 64"),
            ("Hash", Some("1.5"), "option Hash cannot be \"1.5\", expected a whole number from -5 to 64"),
            ("Hash", Some(""), "option Hash cannot be \"\", expected a whole number from -5 to 64"),
            ("Play Style", Some("bold"), "option Play Style cannot be \"bold\", expected one of solid, Very Bold"),
            ("Clear Hash", Some(""), "option Clear Hash takes no value, expected the name alone"),
            ("Book File", None, "option Book File has no value here, expected a text of one line"),
            ("Book File", Some("a\nquit"), "option Book File cannot be \"a\\nquit\", expected a text of one line"),
            ("Hsh", None, "there is no option \"Hsh\", expected one that uci lists; did you mean Hash?"),
            ("Contempt", None, "there is no option \"Contempt\", expected one that uci lists"),
        ] {
            let found = find(&options, name).and_then(|o| o.accepts(value));
            assert_eq!(found.map_err(|e| e.to_string()), Err(error.to_owned()), "{name} {value:?}");
        }
    }

    #[test]
    fn each_type_is_written_as_uci_writes_it() {
        let lines = options().map(|option| option.to_string());
        assert_eq!(
            lines,
            [
                "option name Ponder type check default false",
                "option name Hash type spin default 1 min -5 max 64",
                "option name Play Style type combo default solid var solid var Very Bold",
                "option name Clear Hash type button",
                "option name Book File type string default <empty>",
            ]
        );
    }
}
