//! Whole files, made in a moment: few games, few nodes.

mod boards;
mod games;
mod resuming;

use super::{DataError, Settings, Task, default_opening_plies, generate};
use crate::game::Variant;
use crate::search::SearchOptions;
use std::fs;
use std::path::PathBuf;

/// A file for a test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("kete-datagen-{}-{name}.kdata", std::process::id()));
        let _ = fs::remove_file(&path);
        Scratch(path)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    fn write(&self, bytes: &[u8]) {
        fs::write(&self.0, bytes).unwrap();
    }

    /// Makes the file, or goes on with it.
    fn generate(&self, settings: &Settings, threads: usize) -> Result<super::Summary, DataError> {
        let options = SearchOptions::default();
        generate(&Task { settings: settings.clone(), options, out: self.0.clone(), threads, quiet: true })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn settings(variant: Variant, games: u32) -> Settings {
    Settings {
        variant,
        games,
        nodes: 4,
        random_moves: 25,
        opening_plies: default_opening_plies(variant),
        max_plies: 400,
        seed: 7,
        evaluation: "material".to_owned(),
        net: None,
    }
}
