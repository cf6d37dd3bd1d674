//! The records of a match in its directory: `config.json`, written once, and `games.jsonl`, a line for each finished game.
//!
//! A game counts once its line is on the disk. Every total is derived from these lines, so that whatever ends the runner
//! loses the games in progress alone.

use super::config::{ConfigFile, FORMAT};
use super::played::PlayedGame;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

const CONFIG: &str = "config.json";
const GAMES: &str = "games.jsonl";

/// Why the records of a match cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system refuses.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// There is a match already.
    #[error("{} holds a match already: go on with it by --resume, or name another directory", .0.display())]
    Exists(PathBuf),
    /// There is no match.
    #[error("{} holds no match: expected a {CONFIG} there", .0.display())]
    Missing(PathBuf),
    /// Another runner is at work there.
    #[error("{} is in use by another kete-match", .0.display())]
    Locked(PathBuf),
    /// `config.json` is damaged or not ours.
    #[error("{}: {reason}", .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of `games.jsonl` is damaged, and it is not the last one.
    #[error("{}, line {line}: {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> JournalError + '_ {
    move |error| JournalError::Io { path: path.to_owned(), error }
}

/// All that is on record of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// `config.json`.
    pub file: ConfigFile,
    /// The finished games, in the order in which they finished.
    pub games: Vec<PlayedGame>,
}

impl MatchRecord {
    /// Reads the records in `directory`. The match may still be running; a last line that is not complete is left out.
    ///
    /// # Errors
    /// [`JournalError`] if there is no match, or its files are damaged.
    pub fn load(directory: &Path) -> Result<MatchRecord, JournalError> {
        let file = read_config(directory)?;
        let path = directory.join(GAMES);
        let mut bytes = Vec::new();
        match File::open(&path) {
            Ok(mut games) => games.read_to_end(&mut bytes).map(drop).map_err(at(&path))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&path)(error)),
        }
        let (games, _) = read_games(&bytes, &path)?;
        Ok(MatchRecord { file, games })
    }
}

fn read_config(directory: &Path) -> Result<ConfigFile, JournalError> {
    let path = directory.join(CONFIG);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(JournalError::Missing(directory.to_owned()));
        }
        Err(error) => return Err(at(&path)(error)),
    };
    let wrong = |reason| JournalError::Config { path: path.clone(), reason };
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if format != Some(FORMAT.into()) {
        let found = format.map_or_else(|| "no format".to_owned(), |n| format!("format {n}"));
        return Err(wrong(format!("{found}, expected format {FORMAT}")));
    }
    serde_json::from_value(value).map_err(|e| wrong(e.to_string()))
}

/// The games on complete lines, and how many bytes these have.
fn read_games(bytes: &[u8], path: &Path) -> Result<(Vec<PlayedGame>, u64), JournalError> {
    let mut games = Vec::new();
    let mut good = 0;
    let mut lines = bytes.split_inclusive(|&b| b == b'\n').zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let last = lines.peek().is_none();
        if last && line.last() != Some(&b'\n') {
            break;
        }
        match serde_json::from_slice(line) {
            Ok(game) => games.push(game),
            // A disk that failed can leave a line end behind rubbish.
            Err(_) if last => break,
            Err(error) => return Err(JournalError::Line { path: path.to_owned(), line: number, error }),
        }
        good += line.len() as u64;
    }
    Ok((games, good))
}

/// The open journal of a match that is being played.
#[derive(Debug)]
pub struct Journal {
    directory: PathBuf,
    games: File,
}

impl Journal {
    /// Begins the records of a new match; the directory is made if there is none.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if the directory holds a match, or what hinders writing.
    pub fn create(directory: &Path, file: &ConfigFile) -> Result<Journal, JournalError> {
        fs::create_dir_all(directory).map_err(at(directory))?;
        let path = directory.join(CONFIG);
        if path.exists() || directory.join(GAMES).exists() {
            return Err(JournalError::Exists(directory.to_owned()));
        }
        let mut text = serde_json::to_string_pretty(file)
            .map_err(|e| JournalError::Config { path: path.clone(), reason: e.to_string() })?;
        text.push('\n');
        // Under another name first: a config.json is complete or is none.
        let draft = directory.join("config.json.new");
        let write = || -> io::Result<()> {
            let mut file = File::create(&draft)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        };
        write().map_err(at(&path))?;
        Journal::open(directory)
    }

    /// Goes on with the records of a match: what was played so far, and the journal to add to. A half-written last line
    /// is cut off.
    ///
    /// # Errors
    /// [`JournalError`] if there is no match, its files are damaged or in use, or cannot be written.
    pub fn resume(directory: &Path) -> Result<(MatchRecord, Journal), JournalError> {
        let file = read_config(directory)?;
        let mut journal = Journal::open(directory)?;
        let path = directory.join(GAMES);
        let mut bytes = Vec::new();
        journal.games.read_to_end(&mut bytes).map_err(at(&path))?;
        let (games, good) = read_games(&bytes, &path)?;
        if good < bytes.len() as u64 {
            log::warn!("{}: {} bytes of an unfinished line cut off", path.display(), bytes.len() as u64 - good);
            journal.games.set_len(good).and_then(|()| journal.games.sync_all()).map_err(at(&path))?;
            journal.games.seek(io::SeekFrom::End(0)).map_err(at(&path))?;
        }
        Ok((MatchRecord { file, games }, journal))
    }

    fn open(directory: &Path) -> Result<Journal, JournalError> {
        let path = directory.join(GAMES);
        let games = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            match flock(&games, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(rustix::io::Errno::WOULDBLOCK) => return Err(JournalError::Locked(directory.to_owned())),
                Err(error) => log::warn!("{} cannot be locked: {error}", path.display()),
            }
            // A new file is there for good once its directory is.
            File::open(directory).and_then(|d| d.sync_all()).map_err(at(directory))?;
        }
        Ok(Journal { directory: directory.to_owned(), games })
    }

    /// The directory of the match.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds a game. When this returns, the game is on the disk.
    ///
    /// # Errors
    /// What hinders writing; nothing of the game is left in the file then, if that can be helped.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(game))
    }

    /// Adds games. When this returns, they are on the disk.
    ///
    /// # Errors
    /// As [`Journal::append`]: all are added, or none.
    pub fn append_all(&mut self, games: &[PlayedGame]) -> Result<(), JournalError> {
        let path = self.directory.join(GAMES);
        let before = self.games.metadata().map_err(at(&path))?.len();
        let mut lines = Vec::new();
        for game in games {
            serde_json::to_writer(&mut lines, game).map_err(|e| at(&path)(e.into()))?;
            lines.push(b'\n');
        }
        let written = self.games.write_all(&lines).and_then(|()| self.games.sync_data());
        written.map_err(|error| {
            // A full disk: half a line would be cut off at the next resume anyway.
            let _ = self.games.set_len(before);
            at(&path)(error)
        })
    }
}
