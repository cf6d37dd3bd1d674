//! Writing a data file, from its beginning or on from where it was interrupted.

use super::DataError;
use super::file::{CHUNK_GAMES, Chunk, DataFile, at};
use super::header::Header;
use super::record::Tally;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What was in a file before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// What its whole chunks add up to.
    pub tally: Tally,
    /// The first game that is not there.
    pub next_game: u32,
    /// Bytes at its end that were no whole chunk, and were cut off.
    pub cut: u64,
}

/// A data file that grows.
#[derive(Debug)]
pub(super) struct Appender {
    path: PathBuf,
    file: File,
    /// Where its whole chunks end.
    end: u64,
}

impl Appender {
    /// Opens the file of `header`, new or to be gone on with, and says what is in it. A chunk at its end that is not whole
    /// is cut off.
    ///
    /// # Errors
    /// [`DataError`] if there is another file, or one of other settings, or one that is damaged inside; it is left as it is.
    pub(super) fn open(path: &Path, header: &Header) -> Result<(Appender, Kept), DataError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(at(path))?;
        let head = header.to_bytes().map_err(|e| at(path)(e.into()))?;
        if is_beginning_of(&mut file, &head).map_err(at(path))? {
            let mut appender = Appender { path: path.to_owned(), file, end: 0 };
            appender.add(&head)?;
            return Ok((appender, Kept::default()));
        }
        let copy = file.try_clone().map_err(at(path))?;
        let mut data = DataFile::read(path, copy)?;
        if let Some(difference) = data.header().difference(header).map_err(|e| at(path)(e.into()))? {
            return Err(DataError::OtherSettings { path: path.to_owned(), difference });
        }
        let (kept, end) = survey(&mut data, header.games)?;
        let mut appender = Appender { path: path.to_owned(), file, end };
        // Cut before the new number of games is written: interrupted between the two, the file is sound.
        appender.file.set_len(end).map_err(at(path))?;
        if data.header() != header {
            appender.file.seek(SeekFrom::Start(0)).map_err(at(path))?;
            appender.file.write_all(&head).map_err(at(path))?;
        }
        Ok((appender, kept))
    }

    /// Adds a chunk. When this returns, the operating system has it.
    ///
    /// # Errors
    /// What hinders writing; nothing of the chunk is left in the file then, if that can be helped.
    pub(super) fn append(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.add(&chunk.to_bytes())
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written {
            // A full disk: what is not whole would be cut off at the next start anyway.
            let _ = self.file.set_len(self.end);
            return Err(at(&self.path)(error));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Has the disk take it all.
    ///
    /// # Errors
    /// What hinders it.
    pub(super) fn finish(&self) -> Result<(), DataError> {
        self.file.sync_all().map_err(at(&self.path))
    }
}

/// Whether the file has nothing but a part of `head`, as an interruption of its first moment leaves it.
fn is_beginning_of(file: &mut File, head: &[u8]) -> std::io::Result<bool> {
    if file.metadata()?.len() >= head.len() as u64 {
        return Ok(false);
    }
    let mut found = Vec::new();
    file.read_to_end(&mut found)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(head.starts_with(&found))
}

/// Reads all whole chunks: what they add up to, and where those end that a file of `games` games begins with.
fn survey(data: &mut DataFile, games: u32) -> Result<(Kept, u64), DataError> {
    let mut kept = Kept::default();
    let mut end = data.offset();
    loop {
        match data.next_chunk() {
            // A short last chunk is no last one any more: its games are played again, as part of a whole chunk.
            Ok(Some(chunk)) if chunk.games < CHUNK_GAMES && data.next_game() < games => {}
            Ok(Some(chunk)) => {
                kept.tally += chunk.tally();
                kept.next_game = data.next_game();
                end = data.offset();
            }
            Ok(None) => return Ok((kept, end)),
            Err(DataError::Damaged { path, offset, reason }) => {
                if data.goes_on()? {
                    return Err(DataError::DamagedInside { path, offset, reason });
                }
                kept.cut = data.left();
                return Ok((kept, end));
            }
            Err(error) => return Err(error),
        }
    }
}
