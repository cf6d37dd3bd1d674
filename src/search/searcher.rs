//! The searcher: owner of threads and memory, and the frame of every search.

use super::allowance::Allowance;
use super::alphabeta::{Busy, Table};
use super::control::Control;
use super::deepening::Deepening;
use super::limits::Limits;
use super::options::SearchOptions;
use super::past::Past;
use super::players::{self, Player};
use super::report::Report;
use super::scout::Bulletin;
use super::task::Task;
use super::timekeeper::{Timekeeper, Watched};
use super::tree::{Alone, Tree};
use super::watch::View;
use super::worker::{Counters, Shared, Worker};
use crate::evaluation::{Evaluator, Inputs};
use crate::game::{AnyPosition, GameRecord, Move, MoveList};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Instant;

/// Threads or memory that are not to be had.
#[derive(Debug, thiserror::Error)]
pub enum SearcherError {
    /// The operating system gave no more threads.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why there are none.
        source: rayon::ThreadPoolBuildError,
    },
    /// The operating system gave no more memory.
    #[error("cannot get {mib} MiB of memory for the tree")]
    Memory {
        /// How much was asked for.
        mib: usize,
    },
}

/// The size of the tree's memory before anyone sets it.
pub const DEFAULT_HASH_MIB: usize = 64;

/// Owner of the worker threads and of the tree. Runs one search at a time.
pub struct Searcher {
    pool: ThreadPool,
    tree: Tree,
    /// What alpha-beta has found out about positions.
    table: Table,
    hash_mib: usize,
}

/// From this many iterations of the first worker on, a report is sent each time their number has doubled.
const FIRST_REPORT: u64 = 16;

/// The exploration constant of UCT with random games to the end: the best of those measured (docs/search.md).
const PLAYOUT_EXPLORATION: f64 = 0.5;

impl Searcher {
    /// A searcher with so many worker threads and `hash_mib` MiB for its tree.
    ///
    /// # Errors
    /// [`SearcherError`] if threads or memory are not to be had.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Searcher, SearcherError> {
        Ok(Searcher { pool: build_pool(threads)?, tree: build_tree(hash_mib)?, table: build_table(hash_mib), hash_mib })
    }

    /// Worker threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Changes the number of worker threads.
    ///
    /// # Errors
    /// [`SearcherError::Threads`]; the threads are as before then.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SearcherError> {
        if threads != self.threads() {
            self.pool = build_pool(threads)?;
        }
        Ok(())
    }

    /// Changes the size of the tree's memory.
    ///
    /// # Errors
    /// [`SearcherError::Memory`]; the size is as before then, or the smallest if not even that is to be had any more.
    pub fn set_hash_mib(&mut self, mib: usize) -> Result<(), SearcherError> {
        if mib == self.hash_mib {
            return Ok(());
        }
        let before = self.hash_mib;
        // The old memory goes first: there may not be room for both.
        self.replace_tree(1)?;
        self.replace_tree(mib).or_else(|error| self.replace_tree(before).and(Err(error)))
    }

    fn replace_tree(&mut self, mib: usize) -> Result<(), SearcherError> {
        self.table = build_table(0);
        self.tree = build_tree(mib)?;
        self.table = build_table(mib);
        self.hash_mib = mib;
        Ok(())
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.tree.reset();
        self.table.clear();
    }

    /// Searches the present position of `game` until a limit is reached or `control` stops it, sends reports, of which
    /// the last one tells the final state, and returns the best move: `None` if there is no legal one.
    ///
    /// `started` is when the time of the search began to count. With `infinite` or `ponder` it does not return before it
    /// is stopped, or, pondering, until the ponder hit. One worker, the same seed, the same game and a limit of nodes or
    /// depth give the same reports but for their times.
    pub fn search(
        &mut self,
        game: &GameRecord,
        limits: &Limits,
        options: &SearchOptions,
        started: Instant,
        control: &Control,
        on_report: &(dyn Fn(&Report) + Sync),
    ) -> Option<Move> {
        let task = Task { game, limits, options, started, control, on_report };
        match game.position() {
            AnyPosition::Kiswahili(root) => self.search_game(root, task),
            AnyPosition::Kigogo(root) => self.search_game(root, task),
            AnyPosition::Kimasai(root) => self.search_game(root, task),
        }
    }

    fn search_game<P: Inputs>(&mut self, root: &P, task: Task<'_>) -> Option<Move> {
        if let Some(outcome) = task.game.outcome() {
            (task.on_report)(&task.finished_report(outcome, root));
            task.wait_for_leave();
            return None;
        }
        let moves = players::root_moves(root, task.limits);
        match task.options.player {
            Player::Mcts if task.limits.mate.is_none() => self.search_tree(root, &moves, task),
            Player::Mcts | Player::AlphaBeta => self.search_alphabeta(root, &moves, task),
            Player::Greedy | Player::Random => {
                let greedy = task.options.player == Player::Greedy;
                let chosen = players::choose(root, moves, greedy, task.options.seed);
                (task.on_report)(&task.static_report(root, chosen));
                task.wait_for_leave();
                chosen
            }
        }
    }

    /// Makes tree and table ready. A search that is limited by count makes no use of earlier ones, so that it can be repeated.
    fn begin(&mut self, limits: &Limits) {
        self.tree.reset();
        if limits.nodes.is_some() || limits.depth.is_some() {
            self.table.forget();
        } else {
            self.table.next_generation();
        }
    }

    fn search_tree<P: Inputs>(&mut self, root: &P, moves: &MoveList, task: Task<'_>) -> Option<Move> {
        self.begin(task.limits);
        let past = Past::of(task.game);
        let evaluator = task.options.evaluator(P::VARIANT);
        let counters: Vec<Alone<Counters>> = (0..self.pool.current_num_threads()).map(|_| Alone::default()).collect();
        let bulletin = Bulletin::default();
        let busy = (counters.len() > 1).then(Busy::default);
        let allowance = task.limits.nodes.map(|nodes| Allowance::new(nodes.max(1)));
        let mut tuning = task.options.params.tuning(P::VARIANT);
        if matches!(evaluator, Evaluator::Playout(_)) {
            tuning.leaf_depth = 0;
            tuning.scout_share = 0;
            tuning.exploration = PLAYOUT_EXPLORATION;
        }
        let mut shared = Shared {
            tree: &self.tree,
            table: &self.table,
            root,
            past: &past,
            evaluator: &evaluator,
            tuning,
            control: task.control,
            counters: &counters,
            bulletin: &bulletin,
            busy: busy.as_ref(),
            allowance: allowance.as_ref(),
            depth_limit: task.limits.depth,
            multi_pv: task.options.multi_pv,
            prunes: true,
            seed: task.options.seed,
        };
        Worker::new(&shared, 0).expand_root(moves);
        let mut timekeeper = Timekeeper::new(task, moves.len());
        loop {
            let view = View::new(&shared, task);
            task.control.workers_start(counters.len());
            let pause = self.pool.in_place_scope(|scope| {
                scope.spawn_broadcast(|_, context| {
                    let _done = task.control.worker_guard();
                    let mut next_report = FIRST_REPORT;
                    Worker::new(&shared, context.index()).run(|done, is_news| {
                        let has_doubled = done == next_report && !is_news;
                        if has_doubled {
                            next_report *= 2;
                        }
                        if has_doubled || is_news {
                            view.send_report();
                        }
                    });
                });
                // The body of the scope stays on this thread: it keeps the time.
                let pause = timekeeper.keep(&view);
                if !pause {
                    task.control.halt();
                }
                pause
            });
            if !pause {
                view.send_report();
                return view.ranked_children().first().map(|&id| shared.tree.node(id).incoming_move());
            }
            shared.prunes = self.tree.prune(&view.lines());
        }
    }

    /// One worker of the pool searches, this thread keeps the time.
    fn search_alphabeta<P: Inputs>(&mut self, root: &P, moves: &MoveList, task: Task<'_>) -> Option<Move> {
        let past = Past::of(task.game);
        self.begin(task.limits);
        let table = &self.table;
        let deepening = Deepening::new(task);
        task.control.workers_start(1);
        self.pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let _done = task.control.worker_guard();
                deepening.run(root, moves, &past, table);
            });
            Timekeeper::new(task, moves.len()).keep(&deepening);
            task.control.halt();
        });
        deepening.send_report();
        deepening.best()
    }
}

fn build_pool(threads: usize) -> Result<ThreadPool, SearcherError> {
    ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|index| format!("kete-worker-{index}"))
        .build()
        .map_err(|source| SearcherError::Threads { threads, source })
}

fn build_tree(mib: usize) -> Result<Tree, SearcherError> {
    let bytes = mib.checked_mul(1 << 19).ok_or(SearcherError::Memory { mib })?;
    Tree::with_bytes(bytes).ok_or(SearcherError::Memory { mib })
}

/// Half of the memory is the table's.
fn build_table(mib: usize) -> Table {
    Table::with_bytes(mib << 19)
}
