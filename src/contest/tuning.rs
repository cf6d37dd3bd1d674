//! The records of a tuning run (SPSA) in its directory: `config.json`, written once, and `history.csv`, a line for each
//! finished iteration. They are read here; `scripts/` writes them.
//!
//! An iteration plays pairs of games between two engines whose parameters were moved in opposite directions, *plus* and
//! *minus*, and moves the parameters towards the one that scored more.

#[cfg(test)]
mod tests;

use super::sample::PairCounts;
use crate::game::Variant;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

const CONFIG: &str = "config.json";
const HISTORY: &str = "history.csv";
/// What `kind` is in the `config.json` of a tuning run; that of a match has none.
const KIND: &str = "tuning";
/// The format of both files; another number is not read.
const FORMAT: u64 = 1;
/// The first columns of `history.csv`.
const COUNTS: [&str; 7] = ["iteration", "pairs", "ll", "ld", "even", "wd", "ww"];

/// Why the records of a tuning run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// The operating system refuses.
    #[error("{}: {error}, expected {expected}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
        /// What should be there.
        expected: &'static str,
    },
    /// `config.json` is damaged or not ours.
    #[error("{}: {reason}", .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of `history.csv` is damaged.
    #[error("{}, line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What was found there, and what was expected.
        reason: String,
    },
}

/// All that is on record of a tuning run.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningRecord {
    /// `config.json`.
    pub config: TuningConfig,
    /// The finished iterations, in their order.
    pub iterations: Vec<Iteration>,
}

/// What a tuning run is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TuningConfig {
    /// The game that is played; `None` if the objective is no game.
    pub variant: Option<Variant>,
    /// What decides which side is better.
    pub objective: Objective,
    /// Pairs of games that the run is to have.
    pub pairs: u64,
    /// Pairs of games in each iteration.
    pub pairs_per_iteration: u64,
    /// Where random numbers start.
    pub seed: u64,
    /// How steps shrink.
    pub schedule: GainSchedule,
    /// The parameters, at least one, of different names.
    pub parameters: Vec<Parameter>,
    /// Everything else that the file has, such as the engine and its limits.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What a tuning run makes as large as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The score in games between engines.
    Match,
    /// A made-up score whose best parameters are known, for tests of the tuner.
    Quadratic,
}

impl Objective {
    /// The word of `config.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Objective::Match => "match",
            Objective::Quadratic => "quadratic",
        }
    }
}

/// The constants of SPSA's gain sequences a/(A + k)^alpha and c/k^gamma, k counting pairs. Source: J. C. Spall,
/// *Implementation of the simultaneous perturbation algorithm for stochastic optimization*, 1998.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct GainSchedule {
    /// Pairs by which the steps are held back at first.
    #[serde(rename = "A")]
    pub stability: f64,
    /// How fast steps shrink.
    pub alpha: f64,
    /// How fast perturbations shrink.
    pub gamma: f64,
}

/// A parameter that is tuned. All numbers but `r_end` are in its own units.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Parameter {
    /// The engine's option.
    pub name: String,
    /// Which values the engine takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The value before the first iteration.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation of the last iteration, above 0: the unit in which changes are compared.
    pub c_end: f64,
    /// The rate of the last iteration: its gain a is this times the square of `c_end`.
    pub r_end: f64,
}

impl Parameter {
    /// How far a value is from the start, in units of [`Parameter::c_end`].
    pub fn change(&self, value: f64) -> f64 {
        (value - self.start) / self.c_end
    }
}

/// Which values a parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterKind {
    /// Whole numbers; between them only while it is tuned.
    Int,
    /// All numbers.
    Float,
}

/// A finished iteration. Values are in the order of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Pairs of games played from the beginning of the run to the end of this iteration.
    pub pairs: u32,
    /// Its own pairs, from the viewpoint of the plus side.
    pub counts: PairCounts,
    /// The parameters after it.
    pub values: Vec<f64>,
    /// The parameters of the plus side.
    pub plus: Vec<f64>,
    /// The parameters of the minus side.
    pub minus: Vec<f64>,
}

impl TuningRecord {
    /// Whether `directory` has the `config.json` of a tuning run. One that cannot be read is none.
    pub fn is_in(directory: &Path) -> bool {
        let text = std::fs::read(directory.join(CONFIG)).unwrap_or_default();
        let file: Option<Value> = serde_json::from_slice(&text).ok();
        file.as_ref().and_then(|file| file.get("kind")).is_some_and(|kind| kind == KIND)
    }

    /// Reads the records in `directory`. The run may still be going on; a last line that is not complete is left out.
    ///
    /// # Errors
    /// [`TuningError`] if a file is missing or damaged: it names the file, the line, and what was expected.
    pub fn load(directory: &Path) -> Result<TuningRecord, TuningError> {
        let read = |name, expected| {
            let path = directory.join(name);
            match std::fs::read(&path) {
                Ok(bytes) => Ok((path, bytes)),
                Err(error) => Err(TuningError::Io { path, error, expected }),
            }
        };
        let (path, bytes) = read(CONFIG, "the settings of a tuning run")?;
        let config = parse_config(&bytes).map_err(|reason| TuningError::Config { path, reason })?;
        let (path, bytes) = read(HISTORY, "the iterations of a tuning run")?;
        let iterations = parse_history(&bytes, &config.parameters).map_err(|(line, reason)| TuningError::Line {
            path,
            line,
            reason,
        })?;
        Ok(TuningRecord { config, iterations })
    }
}

/// The settings, or what is wrong with them.
fn parse_config(bytes: &[u8]) -> Result<TuningConfig, String> {
    let file: Value = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    let found = |key| file.get(key).map_or_else(|| format!("no {key}"), |value| format!("{key} {value}"));
    if file.get("kind").is_none_or(|kind| kind != KIND) {
        return Err(format!("{}, expected kind \"{KIND}\"", found("kind")));
    }
    if file.get("format").and_then(Value::as_u64) != Some(FORMAT) {
        return Err(format!("{}, expected format {FORMAT}", found("format")));
    }
    // From the text once more, as its errors have lines.
    let mut config: TuningConfig = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    config.rest.retain(|key, _| key != "kind" && key != "format");
    if config.parameters.is_empty() {
        return Err("parameters is empty, expected at least one".to_owned());
    }
    let mut names = BTreeSet::new();
    for Parameter { name, min, max, c_end, .. } in &config.parameters {
        if !names.insert(name) {
            return Err(format!("two parameters are named {name:?}, expected names to differ"));
        }
        if *c_end <= 0.0 {
            return Err(format!("parameter {name:?}: c_end is {c_end}, expected a number above 0"));
        }
        if min > max {
            return Err(format!("parameter {name:?}: min is {min} and max is {max}, expected min not above max"));
        }
    }
    Ok(config)
}

/// The iterations on complete lines; or the number of a line, and what is wrong with it.
fn parse_history(bytes: &[u8], parameters: &[Parameter]) -> Result<Vec<Iteration>, (u64, String)> {
    let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let complete = bytes.get(..end).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(complete);
    let mut columns: Vec<String> = COUNTS.map(str::to_owned).into();
    for sign in ["", "+", "-"] {
        columns.extend(parameters.iter().map(|parameter| format!("{}{sign}", parameter.name)));
    }
    let mut iterations: Vec<Iteration> = Vec::new();
    let mut is_header = true;
    for record in reader.byte_records() {
        // Bytes in memory can always be read.
        let record = record.map_err(|e| (0, e.to_string()))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let wrong = |reason| (line_of(start, complete), reason);
        let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
        if fields.len() != columns.len() {
            return Err(wrong(format!("{} fields, expected {}", fields.len(), columns.len())));
        }
        if std::mem::take(&mut is_header) {
            if let Some(((field, column), number)) = fields.iter().zip(&columns).zip(1..).find(|((f, c), _)| f != c) {
                return Err(wrong(format!("column {number} is {field:?}, expected {column:?}")));
            }
            continue;
        }
        let row = Row { columns: &columns, fields: &fields };
        let iteration = row.iteration(parameters, &iterations).map_err(wrong)?;
        iterations.push(iteration);
    }
    Ok(iterations)
}

/// The number, from 1, of the line that starts at a byte. Line ends before it may belong to it: the reader itself counts a
/// line too few where lines end in a carriage return and a line feed.
fn line_of(start: u64, bytes: &[u8]) -> u64 {
    let (before, rest) = bytes.split_at_checked(usize::try_from(start).unwrap_or(usize::MAX)).unwrap_or((bytes, &[]));
    let ends = rest.iter().take_while(|&b| matches!(b, b'\r' | b'\n'));
    before.iter().chain(ends).filter(|&&b| b == b'\n').count() as u64 + 1
}

/// A line of `history.csv` that has as many fields as there are columns.
struct Row<'a, S> {
    columns: &'a [String],
    fields: &'a [S],
}

impl<S: AsRef<str>> Row<'_, S> {
    fn iteration(&self, parameters: &[Parameter], before: &[Iteration]) -> Result<Iteration, String> {
        let [number, pairs, ll, ld, wl_dd, wd, ww] = self.counts()?;
        if u64::from(number) != before.len() as u64 + 1 {
            return Err(format!("iteration is {number}, expected {}", before.len() + 1));
        }
        let least = before.last().map_or(0, |iteration| iteration.pairs);
        if pairs < least {
            return Err(format!("pairs is {pairs}, expected at least the {least} of the line before"));
        }
        let counts = PairCounts { ll: ll.into(), ld: ld.into(), wl_dd: wl_dd.into(), wd: wd.into(), ww: ww.into() };
        let [values, plus, minus] =
            [0, 1, 2].map(|group| self.values(COUNTS.len() + group * parameters.len(), parameters));
        Ok(Iteration { pairs, counts, values: values?, plus: plus?, minus: minus? })
    }

    fn counts(&self) -> Result<[u32; COUNTS.len()], String> {
        let mut counts = [0; COUNTS.len()];
        for ((count, field), column) in counts.iter_mut().zip(self.fields).zip(self.columns) {
            let field = field.as_ref();
            let wrong = |_| format!("{column} is {field:?}, expected a whole number up to {}", u32::MAX);
            *count = field.parse().map_err(wrong)?;
        }
        Ok(counts)
    }

    /// The values of all parameters, in the columns from `first` on.
    fn values(&self, first: usize, parameters: &[Parameter]) -> Result<Vec<f64>, String> {
        let fields = self.fields.iter().zip(self.columns).skip(first);
        let value = |((field, column), parameter): ((&S, &String), &Parameter)| {
            let field = field.as_ref();
            let value: Option<f64> = field.parse().ok();
            // One that is too far away for its distance to be a number is no less wrong.
            value
                .filter(|&value| parameter.change(value).is_finite())
                .ok_or_else(|| format!("{column} is {field:?}, expected a finite number"))
        };
        fields.zip(parameters).map(value).collect()
    }
}
