//! What a line can ask for, as data. Moves and positions stay text here: what they mean depends on the session's game.

/// A word of a line, or several with the spaces between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<'a> {
    /// The text as it stands in the line.
    pub text: &'a str,
    /// The column of its first character, from 1.
    pub column: usize,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: who are you, what are your options?
    Uci,
    /// `ugi`: the same for harnesses of the Universal Game Interface.
    Ugi,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `uginewgame`: what comes next has nothing to do with what was.
    NewGame,
    /// `debug on|off`.
    Debug(bool),
    /// `register ...`, which is read and forgotten.
    Register,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option's name, words joined by single spaces.
        name: String,
        /// Where the name stands.
        name_words: Words<'a>,
        /// The value up to the end of the line.
        value: Option<Words<'a>>,
    },
    /// `position ...`.
    Position {
        /// Where the game begins: `None` for the start position.
        text: Option<Words<'a>>,
        /// The moves that follow.
        moves: Vec<Words<'a>>,
    },
    /// `go ...`.
    Go(Go<'a>),
    /// `ponderhit`.
    PonderHit,
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `query ...`.
    Query(Query<'a>),
    /// `d`: show the board.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `moves`: list the legal moves.
    Moves,
    /// `perft N`, `go perft N`.
    Perft(u32),
    /// `bench`.
    Bench,
    /// `params`: list the tunables.
    Params,
    /// `help`.
    Help,
    /// `wait`: read on when the search has ended.
    Wait,
}

/// The limits of a `go`. Times are in milliseconds, South first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// `wtime`, `p1time` and `btime`, `p2time`.
    pub clock_ms: [Option<u64>; 2],
    /// `winc`, `p1inc` and `binc`, `p2inc`.
    pub increment_ms: [Option<u64>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<u64>,
    /// `movetime`.
    pub move_time_ms: Option<u64>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `depth`.
    pub depth: Option<u64>,
    /// `mate`.
    pub mate: Option<u64>,
    /// `perft`; then nothing else counts.
    pub perft: Option<u64>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`; `None` if it was not given.
    pub search_moves: Option<Vec<Words<'a>>>,
}

/// What `query` asks about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query<'a> {
    /// `gameover`.
    GameOver,
    /// `p1turn`: is South to move?
    P1Turn,
    /// `result`.
    Result,
    /// `reason`: why is the game over?
    Reason,
    /// `fen`: the position text.
    Fen,
    /// `moves`: the legal moves.
    Moves,
    /// `islegal M`.
    IsLegal(Words<'a>),
}
