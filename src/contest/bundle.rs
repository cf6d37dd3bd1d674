//! What is kept of a game in which an engine failed, so that somebody can find out why: `failures/GAME/` in the directory
//! of the match.

use super::client::Client;
use super::config::EngineConfig;
use super::played::{PlayedGame, Termination};
use super::process::describe_exit;
use super::referee::FailedTurn;
use crate::game::{Side, Variant};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The last of its standard error says most.
const KEPT_STDERR_BYTES: u64 = 1 << 20;

/// `bundle.json`: what it takes to let the engine fail again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// The number of the game.
    pub game: u64,
    /// Which game it was.
    pub variant: Variant,
    /// The side that failed: `South` or `North`.
    pub side: String,
    /// The engine that failed, as it was started.
    pub engine: EngineConfig,
    /// What it did.
    pub failure: Termination,
    /// In words.
    pub detail: String,
    /// How its process ended; `None` if it was still running.
    pub exit: Option<String>,
    /// The position on the board when it failed.
    pub position: String,
    /// How long its last answer was allowed to take, in microseconds.
    pub allowed_us: Option<u64>,
    /// The illegal move that it answered.
    pub answer: Option<String>,
    /// Everything that its process was sent, from its start to the failure.
    pub input: Vec<String>,
    /// Whether earlier games of that process are missing in `input`, because they were too many.
    pub incomplete: bool,
    /// The command that lets it fail again.
    pub reproduce: String,
}

/// The directory of a game's bundle.
pub fn bundle_directory(match_directory: &Path, game: u64) -> PathBuf {
    match_directory.join("failures").join(game.to_string())
}

impl Bundle {
    /// Reads the bundle of a game; `None` if it has none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn load(match_directory: &Path, game: u64) -> io::Result<Option<Bundle>> {
        let path = bundle_directory(match_directory, game).join("bundle.json");
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Keeps what is known of a failure. Clients are South's and North's; one that could not be started is missing. How the
/// process of the one that failed has ended is looked at, and it is ended if it has not.
///
/// # Errors
/// What hinders writing.
pub(super) fn write(
    match_directory: &Path,
    game: &PlayedGame,
    turn: &FailedTurn,
    clients: [Option<&mut Client>; 2],
    engine: &EngineConfig,
) -> io::Result<()> {
    let directory = bundle_directory(match_directory, game.game);
    fs::create_dir_all(&directory)?;
    // Whoever runs it may be anywhere.
    let place = std::path::absolute(match_directory)?;
    let reproduce = shell_words::join(["kete-match", "replay", &place.display().to_string(), &game.game.to_string()]);
    let mut bundle = Bundle {
        game: game.game,
        variant: game.variant,
        side: turn.side.to_string(),
        engine: engine.clone(),
        failure: turn.failure.kind,
        detail: turn.failure.detail.clone(),
        exit: None,
        position: turn.position.clone(),
        allowed_us: turn.allowance.map(|a| u64::try_from(a.time.as_micros()).unwrap_or(u64::MAX)),
        answer: turn.answer.clone(),
        input: Vec::new(),
        incomplete: false,
        reproduce: reproduce.clone(),
    };
    for (side, client) in [Side::South, Side::North].into_iter().zip(clients) {
        let Some(client) = client else { continue };
        let name = side.to_string().to_lowercase();
        fs::write(directory.join(format!("{name}.protocol.txt")), client.transcript().text())?;
        if side == turn.side {
            (bundle.input, bundle.incomplete) = client.transcript().input();
            if turn.failure.kind != Termination::IllegalMove {
                // What ended by itself has ended by now.
                bundle.exit = client.end(Instant::now() + Duration::from_millis(10)).map(describe_exit);
            }
        }
        let (path, start) = client.stderr();
        fs::write(directory.join(format!("{name}.stderr.txt")), stderr_since(path, start)?)?;
    }
    fs::write(directory.join("position.txt"), format!("{}\n", turn.position))?;
    fs::write(directory.join("reproduce.sh"), format!("{reproduce}\n"))?;
    let mut text = serde_json::to_vec_pretty(&bundle)?;
    text.push(b'\n');
    fs::write(directory.join("bundle.json"), text)
}

/// What was added to a file since it had that length, at most the last mebibyte of it.
pub(super) fn stderr_since(path: &Path, start: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("/dev/null") {
        return Ok(bytes);
    }
    let mut file = fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(start.max(length.saturating_sub(KEPT_STDERR_BYTES))))?;
    file.take(KEPT_STDERR_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
