//! What was typed to `kete-match`, as what it means: a match.

use super::groups::{Group, GroupError};
use super::rules::{OPENING_PLIES, draw, opening_plies, openings, resign, sprt};
use super::runner::{KeteMatch, PlayArguments};
use crate::contest::{
    Deadlines, EngineConfig, EngineLimits, GameCounts, MatchConfig, OpeningSource, OptionValue, PairCounts, Program,
    Sample, Tournament, parse_seconds,
};
use crate::game::Variant;
use crate::notation::quote;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

/// The largest seed: 2^53 - 1, which every JSON reader keeps exact.
const MAX_SEED: u64 = (1 << 53) - 1;
/// How much later than asked an answer to `movetime` may come, if nobody says otherwise: engines cannot know what the way
/// to the runner takes. With a clock they are expected to leave themselves something.
const MOVE_TIME_MARGIN_MS: u64 = 100;
const ROUNDS: u32 = 10;
const SPRT_ROUNDS: u32 = 10_000;

/// Why what was typed is no match.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A group of words.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Something else, in words.
    #[error("{0}")]
    Other(String),
    /// A word by which the runner starts itself.
    #[error("this is what kete-match calls itself by: expected another command")]
    Internal,
}

fn other(text: impl Into<String>) -> PlanError {
    PlanError::Other(text.into())
}

/// The match that was typed.
///
/// # Errors
/// [`PlanError`], which names the flag, what was found and what was expected.
pub fn match_config(typed: &KeteMatch) -> Result<MatchConfig, PlanError> {
    let play = &typed.play;
    let sprt = sprt(&play.sprt, play.min_pairs)?;
    let variants = variants(&play.variant)?;
    let engines = engines(&typed.engines, &play.each)?;
    if sprt.is_some() && engines.len() != 2 {
        return Err(other(format!("--sprt: there are {} engines, expected two", engines.len())));
    }
    if sprt.is_some() && matches!(play.tournament, Tournament::Swiss | Tournament::Knockout) {
        return Err(other(format!("--sprt: not in a {} tournament, expected round-robin", play.tournament.name())));
    }
    if !(1..=2).contains(&play.games) {
        return Err(other(format!("--games {}: expected 2, a pair with sides swapped, or 1", play.games)));
    }
    let rounds = play.rounds.unwrap_or(if sprt.is_some() { SPRT_ROUNDS } else { ROUNDS });
    if rounds == 0 {
        return Err(other("--rounds 0: expected at least 1"));
    }
    check_seed(play.seed)?;
    let plies = opening_plies(&variants, rounds);
    Ok(MatchConfig {
        variants,
        engines,
        tournament: play.tournament,
        rounds,
        games: play.games,
        openings: openings(&play.openings, plies)?,
        seed: play.seed.unwrap_or_else(random_seed),
        max_plies: Some(play.maxplies).filter(|&plies| plies > 0),
        resign: resign(&play.resign)?,
        draw: draw(&play.draw)?,
        sprt,
        deadlines: deadlines(play)?,
    })
}

/// Makes sure that a seed is one that every reader of the records keeps.
pub(super) fn check_seed(seed: Option<u64>) -> Result<(), PlanError> {
    match seed {
        Some(seed) if seed > MAX_SEED => Err(other(format!("--seed {seed}: expected at most {MAX_SEED}"))),
        _ => Ok(()),
    }
}

/// The match that is played if nothing is typed: the built-in engine against itself with a tenth of the nodes.
pub fn built_in_match(seed: Option<u64>) -> MatchConfig {
    let engine = |name: &str, nodes| EngineConfig {
        name: name.to_owned(),
        program: Program::Builtin,
        directory: None,
        arguments: Vec::new(),
        options: Vec::new(),
        limits: EngineLimits { nodes: Some(nodes), ..EngineLimits::default() },
    };
    MatchConfig {
        variants: Variant::ALL.to_vec(),
        engines: vec![engine("kete", 10_000), engine("kete-weak", 1000)],
        tournament: Tournament::RoundRobin,
        rounds: 10,
        games: 2,
        openings: OpeningSource::Random { plies: OPENING_PLIES, start: 0 },
        seed: seed.unwrap_or_else(random_seed),
        max_plies: Some(2000),
        resign: None,
        draw: None,
        sprt: None,
        deadlines: Deadlines::default(),
    }
}

/// A seed that nobody can guess: a fixed one would be tuned to.
fn random_seed() -> u64 {
    RandomState::new().hash_one(std::process::id()) & MAX_SEED
}

pub(super) fn deadlines(play: &PlayArguments) -> Result<Deadlines, PlanError> {
    let move_ceiling_ms =
        parse_seconds(&play.move_ceiling).map_err(|error| other(format!("--move-ceiling: {error}")))?;
    for (name, ms) in [("--startup-ms", play.startup_ms), ("--ping-ms", play.ping_ms), ("--quit-ms", play.quit_ms)] {
        if !(1..=3_600_000).contains(&ms) {
            return Err(other(format!("{name} {ms}: expected 1 to 3600000")));
        }
    }
    Ok(Deadlines { startup_ms: play.startup_ms, ping_ms: play.ping_ms, quit_ms: play.quit_ms, move_ceiling_ms })
}

/// A new directory in `runs/`, named by the time.
pub(super) fn new_directory() -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    let name = |n: u32| if n == 1 { now.clone() } else { format!("{now}-{n}") };
    // Matches that begin in the same second have numbers.
    (1..).map(|n| Path::new("runs").join(name(n))).find(|path| !path.exists()).unwrap_or_default()
}

/// The engine of `--check-engine`: a command with its arguments, split as a shell splits words.
pub(super) fn engine_to_check(command: &str) -> Result<EngineConfig, PlanError> {
    let words = shell_words::split(command).map_err(|error| other(format!("--check-engine: {error}")))?;
    let [program, arguments @ ..] = words.as_slice() else {
        return Err(other("--check-engine: expected a command, or builtin"));
    };
    let program = match program.as_str() {
        "builtin" => Program::Builtin,
        path => Program::File(find_program(path).map_err(|error| other(format!("--check-engine: {error}")))?),
    };
    Ok(EngineConfig {
        name: "engine".to_owned(),
        program,
        directory: None,
        arguments: arguments.to_vec(),
        options: Vec::new(),
        limits: EngineLimits::default(),
    })
}

/// The counts of `stats`.
pub(super) fn sample(wdl: Option<&str>, penta: Option<&str>) -> Result<Sample, PlanError> {
    fn numbers<const N: usize>(flag: &str, text: &str, expected: &str) -> Result<[u64; N], PlanError> {
        let parsed: Option<Vec<u64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        // More games than this nobody has played, and their sum stays a number.
        let parsed = parsed.filter(|numbers| numbers.iter().all(|&n| n <= 1 << 40));
        parsed
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(|| other(format!("{flag} {}: expected {expected}, whole numbers", quote(text))))
    }
    match (wdl, penta) {
        (Some(text), None) => {
            let [wins, draws, losses] = numbers("--wdl", text, "W,D,L")?;
            Ok(Sample::Games(GameCounts { wins, draws, losses }))
        }
        (None, Some(text)) => {
            let [ll, ld, wl_dd, wd, ww] = numbers("--penta", text, "LL,LD,WL+DD,WD,WW")?;
            Ok(Sample::Pairs(PairCounts { ll, ld, wl_dd, wd, ww }))
        }
        _ => Err(other("stats: expected --wdl or --penta")),
    }
}

fn variants(names: &[String]) -> Result<Vec<Variant>, PlanError> {
    let mut variants = Vec::new();
    for name in names {
        let named = match Variant::from_name(name) {
            Some(variant) => vec![variant],
            None if name == "all" => Variant::ALL.to_vec(),
            None => {
                let names = Variant::ALL.map(Variant::name).join(", ");
                return Err(other(format!("--variant {}: expected one of {names}, all", quote(name))));
            }
        };
        for variant in named {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
    }
    if variants.is_empty() {
        return Err(other("--variant is missing: expected kiswahili, kigogo, kimasai or all"));
    }
    Ok(variants)
}

fn engines(groups: &[Vec<String>], each: &[String]) -> Result<Vec<EngineConfig>, PlanError> {
    let defaults = Group::new("--each", each);
    let defaults = engine_words(defaults)?;
    if groups.len() < 2 {
        return Err(other("--engine is given once, expected at least two engines"));
    }
    let mut engines: Vec<EngineConfig> = Vec::new();
    for words in groups {
        let own = engine_words(Group::new("--engine", words))?;
        let engine = own.over(&defaults).finish()?;
        if engines.iter().any(|earlier| earlier.name == engine.name) {
            return Err(other(format!("--engine: two are named {}, expected name= to differ", quote(&engine.name))));
        }
        engines.push(engine);
    }
    Ok(engines)
}

/// What was said of an engine, or of all.
#[derive(Clone, Debug, Default)]
struct EngineWords {
    name: Option<String>,
    program: Option<Program>,
    directory: Option<PathBuf>,
    arguments: Option<Vec<String>>,
    options: Vec<OptionValue>,
    limits: EngineLimits,
    margin_ms: Option<u64>,
}

fn engine_words(group: Group<'_>) -> Result<EngineWords, PlanError> {
    let limit = |key: &str, error: &dyn std::fmt::Display| group.error(format!("{key}={error}"));
    let program = match group.take("cmd")? {
        None => None,
        Some("builtin") => Some(Program::Builtin),
        Some(path) => Some(Program::File(find_program(path).map_err(|e| group.error(e))?)),
    };
    let name = group.take("name")?.map(str::to_owned);
    let directory = match group.take("dir")? {
        None => None,
        Some(path) => match std::path::absolute(path).ok().filter(|path| path.is_dir()) {
            Some(path) => Some(path),
            None => return Err(group.error(format!("dir={path}: expected a directory")).into()),
        },
    };
    let arguments = group
        .take("args")?
        .map(shell_words::split)
        .transpose()
        .map_err(|error| group.error(format!("args=: {error}, expected words as a shell takes them")))?;
    let clock = group.take("tc")?.map(str::parse).transpose().map_err(|e| limit("tc", &e))?;
    let move_time_ms = group.take("st")?.map(parse_seconds).transpose().map_err(|e| limit("st", &e))?;
    let nodes = positive(&group, "nodes")?;
    let depth = positive(&group, "depth")?;
    let margin_ms = group.parse("timemargin", "milliseconds")?;
    let mut options: Vec<OptionValue> = Vec::new();
    for (name, value) in group.take_prefixed("option.") {
        if options.iter().any(|earlier| earlier.name.eq_ignore_ascii_case(name)) {
            return Err(group.error(format!("option.{name} is given twice, expected it once")).into());
        }
        if name.is_empty() || [name, value.unwrap_or_default()].iter().any(|text| text.contains(['\n', '\r'])) {
            return Err(group
                .error(format!("{}: expected option.NAME=VALUE on one line", quote(&format!("option.{name}"))))
                .into());
        }
        options.push(OptionValue { name: name.to_owned(), value: value.map(str::to_owned) });
    }
    group.finish()?;
    let limits = EngineLimits { clock, move_time_ms, nodes, depth, margin_ms: 0 };
    Ok(EngineWords { name, program, directory, arguments, options, limits, margin_ms })
}

fn positive(group: &Group<'_>, key: &'static str) -> Result<Option<u64>, GroupError> {
    match group.parse(key, "a whole number of at least 1")? {
        Some(0) => Err(group.error(format!("{key}=0: expected a whole number of at least 1"))),
        number => Ok(number),
    }
}

impl EngineWords {
    /// These words, and where nothing is said, those of `defaults`. Limits are one thing: an engine that has any has none
    /// of the others.
    fn over(mut self, defaults: &EngineWords) -> EngineWords {
        self.name = self.name.or_else(|| defaults.name.clone());
        self.program = self.program.or_else(|| defaults.program.clone());
        self.directory = self.directory.or_else(|| defaults.directory.clone());
        self.arguments = self.arguments.or_else(|| defaults.arguments.clone());
        if self.limits == EngineLimits::default() {
            self.limits = defaults.limits;
        }
        self.margin_ms = self.margin_ms.or(defaults.margin_ms);
        let mut options = defaults.options.clone();
        options.retain(|option| !self.options.iter().any(|own| own.name.eq_ignore_ascii_case(&option.name)));
        options.append(&mut self.options);
        self.options = options;
        self
    }

    fn finish(self) -> Result<EngineConfig, PlanError> {
        let program = self.program.ok_or_else(|| other("--engine: cmd= is missing, expected a program or builtin"))?;
        let name = match (self.name, &program) {
            (Some(name), _) => name,
            (None, Program::Builtin) => "kete".to_owned(),
            (None, Program::File(path)) => {
                path.file_stem().map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
        };
        if name.chars().any(char::is_control) || name.trim() != name {
            return Err(other(format!(
                "--engine: name={}: expected a name on one line, without spaces around it",
                quote(&name)
            )));
        }
        let EngineLimits { clock, move_time_ms, nodes, depth, .. } = self.limits;
        if clock.is_none() && move_time_ms.is_none() && nodes.is_none() && depth.is_none() {
            return Err(other(format!(
                "--engine {name}: no limit, expected tc=, st=, nodes= or depth=, here or in --each"
            )));
        }
        if clock.is_some() && move_time_ms.is_some() {
            return Err(other(format!("--engine {name}: tc= and st=, expected one of them")));
        }
        let margin_ms = self.margin_ms.unwrap_or(if move_time_ms.is_some() { MOVE_TIME_MARGIN_MS } else { 0 });
        Ok(EngineConfig {
            name,
            program,
            directory: self.directory,
            arguments: self.arguments.unwrap_or_default(),
            options: self.options,
            limits: EngineLimits { margin_ms, ..self.limits },
        })
    }
}

/// The absolute path of a program: a name with a slash is a file, from here; one without is looked for where the shell looks.
pub(super) fn find_program(name: &str) -> Result<PathBuf, String> {
    let path = if name.contains('/') {
        std::path::absolute(name).map_err(|error| format!("cmd={name}: {error}"))?
    } else {
        let places = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&places).map(|place| place.join(name)).find(|path| is_program(path));
        found.ok_or_else(|| {
            let here = if Path::new(name).is_file() { format!("; did you mean cmd=./{name}?") } else { String::new() };
            format!("cmd={name}: no such program in PATH, expected a program or builtin{here}")
        })?
    };
    match std::fs::metadata(&path) {
        Ok(_) if is_program(&path) => Ok(path),
        Ok(metadata) if metadata.is_dir() => Err(format!("cmd={name}: a directory, expected a program")),
        Ok(_) => Err(format!("cmd={name}: it may not be executed, expected a program")),
        Err(error) => Err(format!("cmd={name}: {error}, expected a program")),
    }
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    let executable = |metadata: &std::fs::Metadata| {
        use std::os::unix::fs::PermissionsExt;
        metadata.permissions().mode() & 0o111 != 0
    };
    #[cfg(not(unix))]
    let executable = |_: &std::fs::Metadata| true;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && executable(&metadata))
}
