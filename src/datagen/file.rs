//! Reading a data file, chunk by chunk.

use super::DataError;
use super::header::{FIXED, Header, MAGIC, MAX_JSON, VERSION};
use super::record::{Record, Tally};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The first bytes of every chunk.
const CHUNK_MAGIC: [u8; 4] = *b"CHNK";
/// Bytes before the records of a chunk.
pub(super) const CHUNK_HEAD: usize = 24;
/// Games of a chunk; the last one has what is left.
pub(super) const CHUNK_GAMES: u32 = 64;

/// The games of the chunk that begins with game `first` of `total`.
pub(super) fn games_of_chunk(first: u32, total: u32) -> u32 {
    CHUNK_GAMES.min(total.saturating_sub(first))
}

pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> DataError + '_ {
    move |error| DataError::Io { path: path.to_owned(), error }
}

/// Games that were written together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of its first game, from 0.
    pub first_game: u32,
    /// How many games it has, those without a record included.
    pub games: u32,
    /// Its records, as bytes.
    pub(super) bytes: Vec<u8>,
    /// The bytes of a record.
    pub(super) record_bytes: usize,
}

impl Chunk {
    /// Its records, by game and ply.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        self.bytes.chunks_exact(self.record_bytes.max(1)).filter_map(Record::read)
    }

    /// What its records add up to.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally { games: self.games.into(), ..Tally::default() };
        self.records().for_each(|record| tally.add(&record));
        tally
    }

    /// The bytes that stand in the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let records = u32::try_from(self.bytes.len() / self.record_bytes.max(1)).unwrap_or(u32::MAX);
        let first_game = u64::from(self.first_game).to_le_bytes();
        let numbers = [self.games, records].map(u32::to_le_bytes).concat();
        [&CHUNK_MAGIC[..], &first_game, &numbers, &checksum(&self.bytes), &self.bytes].concat()
    }
}

/// The first bytes of the SHA-256 of a chunk's records.
fn checksum(records: &[u8]) -> [u8; 4] {
    Sha256::digest(records).first_chunk().copied().unwrap_or_default()
}

/// An open data file that is read from its beginning to its end.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    input: BufReader<File>,
    header: Header,
    /// The length of the file.
    length: u64,
    /// Where the next chunk begins.
    offset: u64,
    next_game: u32,
}

impl DataFile {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`DataError::Io`], or [`DataError::NotData`] if it does not begin as data files do.
    pub fn open(path: &Path) -> Result<DataFile, DataError> {
        DataFile::read(path, File::open(path).map_err(at(path))?)
    }

    pub(super) fn read(path: &Path, file: File) -> Result<DataFile, DataError> {
        let length = file.metadata().map_err(at(path))?.len();
        let mut input = BufReader::new(file);
        let wrong = |reason: String| DataError::NotData { path: path.to_owned(), reason };
        let mut magic = [0; MAGIC.len()];
        let mut numbers = [[0; 4]; 2];
        let none = || wrong("no data file: expected it to begin with KETEDATA and a header".to_owned());
        let mut fill = |bytes: &mut [u8]| -> Result<bool, DataError> {
            match input.read_exact(bytes) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
                Err(error) => Err(at(path)(error)),
            }
        };
        if !fill(&mut magic)? || magic != MAGIC || !fill(numbers.as_flattened_mut())? {
            return Err(none());
        }
        let [version, json_length] = numbers.map(u32::from_le_bytes);
        if version != VERSION {
            return Err(wrong(format!("data of version {version}, expected version {VERSION}")));
        }
        if json_length > MAX_JSON {
            return Err(wrong(format!("a header of {json_length} bytes, expected at most {MAX_JSON}")));
        }
        let mut json = vec![0; json_length as usize];
        if !fill(&mut json)? {
            return Err(wrong(format!("the header ends too early, expected {json_length} bytes of JSON")));
        }
        let header: Header = serde_json::from_slice(&json).map_err(|e| wrong(format!("the header: {e}")))?;
        if header.record_bytes == 0 || header.record_bytes > u16::MAX.into() {
            return Err(wrong(format!("records of {} bytes", header.record_bytes)));
        }
        let offset = FIXED as u64 + u64::from(json_length);
        Ok(DataFile { path: path.to_owned(), input, header, length, offset, next_game: 0 })
    }

    /// What made the data.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the next chunk begins, or should.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The first game that no chunk so far had.
    pub fn next_game(&self) -> u32 {
        self.next_game
    }

    /// The bytes of the file behind the chunks that were read.
    pub(super) fn left(&self) -> u64 {
        self.length - self.offset
    }

    /// Reads the next chunk: `None` at the end of the file, though games may be missing that were asked for.
    ///
    /// # Errors
    /// [`DataError::Damaged`] if there is something else, or not all of it; the next call tries the same place again.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, DataError> {
        if self.left() == 0 {
            return Ok(None);
        }
        self.input.seek(SeekFrom::Start(self.offset)).map_err(at(&self.path))?;
        let games = games_of_chunk(self.next_game, self.header.games);
        let limit = self.left();
        let read = read_chunk(&mut self.input, self.next_game, games, self.header.record_bytes, limit);
        match read.map_err(at(&self.path))? {
            Ok((chunk, length)) => {
                self.offset += length;
                self.next_game += chunk.games;
                Ok(Some(chunk))
            }
            Err(reason) => Err(DataError::Damaged { path: self.path.clone(), offset: self.offset, reason }),
        }
    }

    /// Whether a later chunk stands whole somewhere behind the place where the next one should begin.
    pub(super) fn goes_on(&mut self) -> Result<bool, DataError> {
        let fail = at(&self.path);
        let mut bytes = Vec::new();
        self.input.seek(SeekFrom::Start(self.offset)).map_err(&fail)?;
        // A chunk that is damaged and a whole one behind it have room here, by far.
        let most = self.longest_chunk().saturating_mul(2);
        self.input.by_ref().take(most).read_to_end(&mut bytes).map_err(&fail)?;
        let (total, record_bytes) = (self.header.games, self.header.record_bytes);
        Ok(bytes.windows(CHUNK_MAGIC.len()).enumerate().skip(1).any(|(start, window)| {
            let rest = bytes.get(start..).unwrap_or_default();
            let Some(first) = rest.get(4..8).and_then(|b| b.first_chunk()).map(|b| u32::from_le_bytes(*b)) else {
                return false;
            };
            let games = games_of_chunk(first, total);
            window == CHUNK_MAGIC
                && first > self.next_game
                && matches!(read_chunk(&mut &*rest, first, games, record_bytes, rest.len() as u64), Ok(Ok(_)))
        }))
    }

    /// No chunk of the file has more bytes.
    fn longest_chunk(&self) -> u64 {
        let records = u64::from(CHUNK_GAMES) * u64::from(self.header.max_plies);
        CHUNK_HEAD as u64 + records * self.header.record_bytes as u64
    }
}

/// Reads a chunk with the games from `first` on, which has at most `limit` bytes; with its length, or what is wrong.
fn read_chunk(
    input: &mut impl Read,
    first: u32,
    games: u32,
    record_bytes: usize,
    limit: u64,
) -> io::Result<Result<(Chunk, u64), String>> {
    let ends_early = || Ok(Err("a chunk is not complete".to_owned()));
    if limit < CHUNK_HEAD as u64 {
        return ends_early();
    }
    let mut magic = [0; CHUNK_MAGIC.len()];
    let mut first_found = [0; 8];
    let mut numbers = [[0; 4]; 2];
    let mut sum = [0; 4];
    for part in [&mut magic[..], &mut first_found, numbers.as_flattened_mut(), &mut sum] {
        input.read_exact(part)?;
    }
    let first_found = u64::from_le_bytes(first_found);
    let [games_found, records] = numbers.map(u32::from_le_bytes);
    if magic != CHUNK_MAGIC {
        return Ok(Err("no chunk begins here: expected CHNK".to_owned()));
    }
    if games == 0 {
        return Ok(Err("a chunk behind the last game".to_owned()));
    }
    if (first_found, games_found) != (first.into(), games) {
        return Ok(Err(format!(
            "a chunk of {games_found} games from game {first_found}, expected {games} games from game {first}"
        )));
    }
    let length = u64::from(records) * record_bytes as u64;
    if length > limit - CHUNK_HEAD as u64 {
        return ends_early();
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if checksum(&bytes) != sum {
        return Ok(Err(format!("the checksum of the chunk of game {first} is wrong")));
    }
    let chunk = Chunk { first_game: first, games, bytes, record_bytes };
    if chunk.records().count() != records as usize {
        return Ok(Err(format!("the chunk of game {first} has bytes that are no record")));
    }
    Ok(Ok((chunk, CHUNK_HEAD as u64 + length)))
}
