//! How a match goes, while it goes: lines or a bar for people, events for scripts.

use super::errands::Display;
use super::played::PlayedGame;
use super::runner::{Ending, Event, Observer};
use super::sprt::Hypothesis;
use super::standings::Standings;
use super::summary::{SprtState, Summary};
use super::tables;
use crate::game::Side;
use crate::protocol::Writer;
use crate::protocol::response::Response;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often the bar is drawn anew though no game has finished.
const TICK: Duration = Duration::from_secs(1);

/// For people: a bar on a terminal, and lines elsewhere.
pub(super) struct Progress<'a> {
    writer: &'a Writer,
    display: Display,
    bar: Option<ProgressBar>,
    started: Instant,
    paired: bool,
    /// Games that were on record at the start.
    before: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(writer: &'a Writer, display: Display) -> Progress<'a> {
        Progress { writer, display, bar: None, started: Instant::now(), paired: true, before: 0 }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, text: &str) {
        let say = || self.writer.write(&Response::Text(text.to_owned()));
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    fn draw_bar(&mut self, done: u64, total: Option<u64>) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = if total.is_some() {
            "{bar:24} {pos}/{len} games, {per_sec}, {eta} left  {wide_msg}"
        } else {
            "{spinner} {pos} games, {per_sec}  {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(TICK);
        self.bar = Some(bar);
    }

    /// How it stands, in a line.
    fn state(&self, standings: &Standings, sprt: Option<SprtState>, done: u64, total: Option<u64>) -> String {
        let of = total.map_or_else(String::new, |total| format!("/{total}"));
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = (done - self.before.min(done)) as f64 / seconds.max(1e-3);
        let mut text = format!("{done}{of} games, {rate:.1}/s");
        if standings.engines().len() == 2 {
            let summary = Summary { standings, paired: self.paired, sprt };
            text.push_str(&format!("; {}", tables::short_line(&summary.pairing(0, 1, None))));
        }
        if let Some(sprt) = sprt {
            text.push_str(&format!("; {}", tables::sprt_line(&sprt, self.paired)));
        }
        text
    }
}

impl Observer for Progress<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if self.display.quiet {
            return;
        }
        match event {
            Event::Started { directory, file, done, total, concurrency, .. } => {
                let plan = tables::plan(file);
                let already = if *done > 0 { format!(", {done} of them played already") } else { String::new() };
                let games = total.map_or_else(|| "as many games as it takes".to_owned(), |n| format!("{n} games"));
                self.say(&format!(
                    "{plan}  {games}{already}; {concurrency} at once; records in {}\n",
                    directory.display()
                ));
                self.paired = file.config.games > 1;
                self.before = *done;
                self.started = Instant::now();
                self.draw_bar(*done, *total);
            }
            Event::Remark(text) => self.say(&format!("note: {text}")),
            Event::Game { game, standings, sprt, done, total } => {
                if game.reason.is_failure() {
                    self.say(&failure_line(game));
                }
                for dispute in &game.disputes {
                    self.say(&format!("note: game {}: {dispute}", game.game));
                }
                if let Some(bar) = &self.bar {
                    bar.set_position(*done);
                    if let Some(total) = total {
                        bar.set_length(*total);
                    }
                    bar.set_message(bar_message(standings, *sprt, self.paired));
                } else if done % self.display.interval == 0 {
                    self.say(&self.state(standings, *sprt, *done, *total));
                }
            }
        }
    }
}

fn bar_message(standings: &Standings, sprt: Option<SprtState>, paired: bool) -> String {
    let mut parts = Vec::new();
    if standings.engines().len() == 2 {
        let summary = Summary { standings, paired, sprt };
        parts.push(tables::short_line(&summary.pairing(0, 1, None)));
    }
    parts.extend(sprt.as_ref().map(|sprt| tables::sprt_line(sprt, paired)));
    parts.join("; ")
}

fn failure_line(game: &PlayedGame) -> String {
    let detail = game.detail.as_deref().unwrap_or("");
    let (south, north) = (game.engine(Side::South), game.engine(Side::North));
    let late = game.runner_late_ms.map_or_else(String::new, |ms| format!("; the runner itself was {ms} ms late"));
    format!("game {} ({south} - {north}, {}): {}: {detail}{late}", game.game, game.variant, game.reason.name())
}

/// For scripts: a JSON object a line.
pub(super) struct JsonEvents<'a> {
    writer: &'a Writer,
    interval: u64,
    paired: bool,
}

impl<'a> JsonEvents<'a> {
    pub(super) fn new(writer: &'a Writer, interval: u64) -> JsonEvents<'a> {
        JsonEvents { writer, interval, paired: true }
    }

    fn say(&self, event: Value) {
        self.writer.write(&Response::Text(event.to_string()));
    }

    /// The last event.
    pub(super) fn end(&self, ending: &Ending, directory: &Path, summary: &Summary<'_>) {
        let (word, detail) = match ending {
            Ending::Finished => ("finished", None),
            Ending::Checked => ("checked", None),
            Ending::Decided(Hypothesis::H0) => ("H0", None),
            Ending::Decided(Hypothesis::H1) => ("H1", None),
            Ending::Failed(text) => ("failed", Some(text)),
            Ending::Interrupted => ("interrupted", None),
        };
        self.say(json!({
            "event": "end",
            "ending": word,
            "detail": detail,
            "directory": directory,
            "results": summary.json(),
        }));
    }
}

impl Observer for JsonEvents<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { directory, file, done, total, concurrency, .. } => {
                self.paired = file.config.games > 1;
                self.say(json!({
                    "event": "start",
                    "directory": directory,
                    "match": file.config,
                    "hash": file.hash,
                    "done": done,
                    "total": total,
                    "concurrency": concurrency,
                }));
            }
            Event::Remark(text) => self.say(json!({"event": "remark", "text": text})),
            Event::Game { game, standings, sprt, done, total } => {
                let PlayedGame { south, north, variant, result, reason, plies, detail, disputes, .. } = game;
                self.say(json!({
                    "event": "game",
                    "game": game.game,
                    "pair": game.pair,
                    "round": game.round,
                    "variant": variant,
                    "south": south,
                    "north": north,
                    "result": result,
                    "reason": reason,
                    "plies": plies,
                    "detail": detail,
                    "disputes": disputes,
                    "runner_late_ms": game.runner_late_ms,
                    "done": done,
                    "total": total,
                }));
                if done % self.interval == 0 {
                    let summary = Summary { standings, paired: self.paired, sprt: *sprt };
                    self.say(json!({"event": "rating", "results": summary.json()}));
                }
            }
        }
    }
}
