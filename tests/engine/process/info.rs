//! What must hold for every line that a search answers.

use kete::game::{GameRecord, GameResult, Side};
use kete::notation::{move_text, parse_move};

/// A report of a search, one line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    pub depth: u64,
    pub seldepth: u64,
    pub multipv: usize,
    pub score: Score,
    pub wdl: [u64; 3],
    pub nodes: u64,
    pub nps: u64,
    pub hashfull: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Cp(i64),
    Mate(i64),
}

/// Words of a line, separated by single spaces.
struct Words<'a> {
    line: &'a str,
    words: std::str::Split<'a, char>,
}

impl<'a> Words<'a> {
    #[track_caller]
    fn next(&mut self) -> &'a str {
        self.words.next().unwrap_or_else(|| panic!("ends too early: {}", self.line))
    }

    #[track_caller]
    fn key(&mut self, key: &str) {
        assert_eq!(self.next(), key, "{}", self.line);
    }

    /// A whole number as it is usually written.
    #[track_caller]
    fn number(&mut self) -> i64 {
        let word = self.next();
        let number: i64 = word.parse().unwrap_or_else(|_| panic!("{word:?} in {}", self.line));
        assert_eq!(number.to_string(), word, "{}", self.line);
        number
    }

    #[track_caller]
    fn count(&mut self) -> u64 {
        u64::try_from(self.number()).unwrap_or_else(|_| panic!("negative: {}", self.line))
    }

    #[track_caller]
    fn keyed(&mut self, key: &str) -> u64 {
        self.key(key);
        self.count()
    }
}

impl Info {
    /// Reads a line: these keys in this order, whole numbers, single spaces, and nothing else.
    #[track_caller]
    pub fn parse(line: &str) -> Info {
        let mut words = Words { line, words: line.split(' ') };
        words.key("info");
        let depth = words.keyed("depth");
        let seldepth = words.keyed("seldepth");
        let multipv = words.keyed("multipv") as usize;
        words.key("score");
        let score = match words.next() {
            "cp" => Score::Cp(words.number()),
            "mate" => Score::Mate(words.number()),
            other => panic!("score {other}: {line}"),
        };
        words.key("wdl");
        let wdl = [words.count(), words.count(), words.count()];
        let nodes = words.keyed("nodes");
        let nps = words.keyed("nps");
        let hashfull = words.keyed("hashfull");
        let time = words.keyed("time");
        let pv = match words.words.next() {
            None => Vec::new(),
            Some(key) => {
                assert_eq!(key, "pv", "{line}");
                words.words.map(str::to_owned).collect()
            }
        };
        Info { depth, seldepth, multipv, score, wdl, nodes, nps, hashfull, time, pv }
    }

    /// Asserts that the line is right in the present position of `game`.
    #[track_caller]
    pub fn check(&self, game: &GameRecord) {
        assert_eq!(self.wdl.iter().sum::<u64>(), 1000, "{self:?}");
        assert!(self.depth <= self.seldepth && self.hashfull <= 1000 && self.multipv >= 1, "{self:?}");
        assert_eq!(self.pv.is_empty(), game.outcome().is_some(), "{self:?}");
        let after = self.replay(game);
        if let Score::Cp(centipawns) = self.score {
            assert!(centipawns.abs() <= 9999, "{self:?}");
        }
        // What is proved ends within the line, and as it was proved.
        let (proved, moves) = match self.score {
            Score::Mate(moves) if moves > 0 => (Some(GameResult::Win(game.side_to_move())), moves),
            Score::Mate(moves) => (Some(GameResult::Win(!game.side_to_move())), -moves),
            Score::Cp(0) if self.wdl == [0, 1000, 0] => (Some(GameResult::Draw), self.pv.len().div_ceil(2) as i64),
            Score::Cp(_) => return assert_eq!(self.wdl[1], 0, "{self:?}"),
        };
        assert_eq!(after.outcome().map(|o| o.result), proved, "{self:?}");
        assert_eq!(self.pv.len().div_ceil(2) as i64, moves, "{self:?}");
        match self.score {
            Score::Mate(moves) if moves > 0 => assert_eq!(self.wdl, [1000, 0, 0]),
            Score::Mate(_) => assert_eq!(self.wdl, [0, 0, 1000]),
            Score::Cp(_) => {}
        }
    }

    /// The game after the line, all of whose moves must be legal and written as the rules write them.
    #[track_caller]
    fn replay(&self, game: &GameRecord) -> GameRecord {
        let mut game = game.clone();
        for token in &self.pv {
            let m = parse_move(token, game.position()).unwrap_or_else(|e| panic!("{e}: {self:?}"));
            assert_eq!(&move_text(m, game.side_to_move()).to_string(), token, "{self:?}");
            game.play(m).unwrap_or_else(|e| panic!("{token}: {e}: {self:?}"));
        }
        game
    }
}

/// The whole answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub infos: Vec<Info>,
    /// The best move; `(none)` if there is none.
    pub best: String,
}

impl Search {
    /// Checks and keeps the lines of one answer, the last of which is the best move.
    #[track_caller]
    pub fn of_lines<'a>(lines: impl Iterator<Item = &'a str>, game: &GameRecord) -> Search {
        let mut lines: Vec<&str> = lines.collect();
        let last = lines.pop().expect("an answer");
        let best = last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{last}")).to_owned();
        assert!(!best.contains(' '), "{last}");
        let infos: Vec<Info> = lines.into_iter().map(Info::parse).collect();
        let mut previous: &[Info] = &[];
        let mut start = 0;
        for (index, info) in infos.iter().enumerate() {
            info.check(game);
            if info.multipv == 1 {
                start = index;
            }
            let report = &infos[start..=index];
            // The lines of a report follow one another, and begin with different moves.
            assert_eq!(info.multipv, report.len(), "{infos:?}");
            assert_eq!((info.depth, info.seldepth, info.nodes), (report[0].depth, report[0].seldepth, report[0].nodes));
            let (_, earlier) = report.split_last().expect("not empty");
            assert!(earlier.iter().all(|other| other.pv.first() != info.pv.first()), "{infos:?}");
            previous = report;
        }
        let final_line = previous.first().unwrap_or_else(|| panic!("no info before {last}"));
        match game.outcome() {
            None => assert_eq!(Some(&best), final_line.pv.first(), "{infos:?}"),
            Some(_) => assert_eq!(best, "(none)"),
        }
        Search { infos, best }
    }

    /// The number of lines in the last report.
    pub fn last_report(&self) -> usize {
        self.infos.last().map_or(0, |info| info.multipv)
    }
}

/// The word of `query result` for the end of a game.
pub fn result_word(game: &GameRecord) -> &'static str {
    match game.outcome().map(|o| o.result) {
        None => "none",
        Some(GameResult::Win(Side::South)) => "p1win",
        Some(GameResult::Win(Side::North)) => "p2win",
        Some(GameResult::Draw) => "draw",
    }
}
