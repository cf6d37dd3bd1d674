//! The games of a file: many at the same time, written in their order.

use super::DataError;
use super::append::{Appender, Kept};
use super::file::{CHUNK_GAMES, Chunk, games_of_chunk};
use super::header::Header;
use super::play::play;
use super::progress::Progress;
use super::record::{Tally, record_bytes};
use super::settings::Settings;
use crate::search::{Labeller, SearchOptions};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Games that are played before any of them is written: an interrupt loses so many at the most.
const BATCH_GAMES: usize = 256;
/// But a thread has so many of them at least, on average: at the end of a batch all threads wait for the last game.
const BATCH_GAMES_OF_THREAD: usize = 16;

/// A file to make.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is in it.
    pub settings: Settings,
    /// What the search is told; the evaluation that the settings name is in here.
    pub options: SearchOptions,
    /// Where it is.
    pub out: PathBuf,
    /// Games that are played at the same time.
    pub threads: usize,
    /// Whether to show nothing on the way.
    pub quiet: bool,
}

/// What is in a finished file, and what this run had to do with it. Its text is one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What the whole file adds up to.
    pub tally: Tally,
    /// The first game of this run.
    pub first_game: u32,
    /// Bytes of a chunk that was not whole, which were cut off at the start.
    pub cut: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The file.
    pub out: PathBuf,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games, positions, proved, wins, draws, losses } = self.tally;
        let share = 100.0 * proved as f64 / positions.max(1) as f64;
        write!(
            f,
            "{}: {games} games, {positions} positions, {share:.1} % of them proved; for the mover {wins} won, {draws} drawn, \
             {losses} lost; {:.1} s",
            self.out.display(),
            self.elapsed.as_secs_f64()
        )?;
        if self.first_game > 0 {
            write!(f, " from game {} on", self.first_game)?;
        }
        if self.cut > 0 {
            write!(f, "; {} bytes of an unfinished chunk were cut off", self.cut)?;
        }
        Ok(())
    }
}

/// Makes a file, or goes on with one that was interrupted.
///
/// # Errors
/// [`DataError`]: what hinders it. Chunks that were written stay.
pub fn generate(task: &Task) -> Result<Summary, DataError> {
    let started = Instant::now();
    let settings = &task.settings;
    settings.check()?;
    let threads = task.threads.max(1);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("kete-datagen-{index}"))
        .build()
        .map_err(|source| DataError::Threads { threads, source })?;
    let (mut appender, Kept { mut tally, next_game, cut }) = Appender::open(&task.out, &Header::new(settings))?;
    let progress = Progress::new(!task.quiet, &tally, settings.games);
    let players = Players { settings, options: &task.options, idle: Mutex::default(), progress: &progress };
    let starts: Vec<u32> = (next_game..settings.games).step_by(CHUNK_GAMES as usize).collect();
    let chunks_of_batch = BATCH_GAMES.max(BATCH_GAMES_OF_THREAD * threads).div_ceil(CHUNK_GAMES as usize);
    let mut write = || -> Result<(), DataError> {
        for starts in starts.chunks(chunks_of_batch) {
            for chunk in pool.install(|| players.play_chunks(starts))? {
                tally += chunk.tally();
                appender.append(&chunk)?;
            }
        }
        appender.finish()
    };
    let written = write();
    progress.finish();
    written?;
    Ok(Summary { tally, first_game: next_game, cut, elapsed: started.elapsed(), out: task.out.clone() })
}

/// Those who play the games.
struct Players<'a> {
    settings: &'a Settings,
    options: &'a SearchOptions,
    /// Searches that nobody uses; there are never more than threads.
    idle: Mutex<Vec<Labeller>>,
    progress: &'a Progress,
}

impl Players<'_> {
    /// Plays the games of the chunks that begin with these games, on the threads of the pool that this runs on.
    fn play_chunks(&self, starts: &[u32]) -> Result<Vec<Chunk>, DataError> {
        let total = self.settings.games;
        let numbers: Vec<u32> = starts.iter().flat_map(|&first| first..first + games_of_chunk(first, total)).collect();
        let games: Vec<Vec<u8>> =
            numbers.par_iter().with_max_len(1).map(|&number| self.play_game(number)).collect::<Result<_, _>>()?;
        let chunk = |(&first_game, games): (&u32, &[Vec<u8>])| Chunk {
            first_game,
            games: games_of_chunk(first_game, total),
            bytes: games.concat(),
            record_bytes: record_bytes(self.settings.variant),
        };
        Ok(starts.iter().zip(games.chunks(CHUNK_GAMES as usize)).map(chunk).collect())
    }

    /// The records of a game.
    fn play_game(&self, number: u32) -> Result<Vec<u8>, DataError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut labeller = waiting.unwrap_or_else(|| Labeller::new(self.options.clone()));
        let mut bytes = Vec::new();
        let positions = play(self.settings, number, &mut labeller, &mut bytes)?;
        self.progress.game(positions);
        idle().push(labeller);
        Ok(bytes)
    }
}
