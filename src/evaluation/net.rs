//! A net: learned weights, and what they say about a position.

use super::inference::Layers;
use super::weights::{self, NetError, Training};
use super::{Evaluate, Inputs, MAX_SCORE, Score256};
use crate::game::Variant;
use std::fs;
use std::path::Path;

/// The weights of one game's evaluation.
///
/// A first layer adds up the rows of the active inputs ([`Inputs`]); what is positive of each sum goes, weighted by the
/// stage of the game, into the output.
#[derive(Clone, Debug)]
pub struct Net {
    pub(super) variant: Variant,
    pub(super) hidden: usize,
    pub(super) training: Training,
    /// The checksum that the file ends with.
    pub(super) checksum: [u8; 32],
    pub(super) shape: Shape,
}

/// The weights, by the number of hidden units.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Hidden16(Box<Layers<1>>),
    Hidden32(Box<Layers<2>>),
    Hidden64(Box<Layers<4>>),
}

/// More than any net has.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The output counts in 1/(128 x 256), a score in 1/256.
const SCORE_SHIFT: u32 = 7;

impl Net {
    /// Reads a net file (docs/evaluation.md, The net file).
    ///
    /// # Errors
    /// [`NetError`] if it is none, is damaged, does not fit any game's inputs, or has weights that could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        weights::read(bytes)
    }

    /// Reads a net file by its path.
    ///
    /// # Errors
    /// [`NetError`], also if the file cannot be read or is no ordinary file.
    pub fn from_file(path: &Path) -> Result<Net, NetError> {
        // A pipe could keep the reader waiting for ever, and a device never end.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
            return Err(NetError::NotAFile);
        }
        Net::from_bytes(&fs::read(path)?)
    }

    /// The game that it judges.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Units of its hidden layer.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// What its file tells of how it was trained.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The SHA-256 of its file without the last 32 bytes, in hexadecimal.
    pub fn checksum(&self) -> String {
        self.checksum.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The same as [`Evaluate::evaluate`], computed without vector instructions.
    pub fn evaluate_scalar<P: Inputs>(&self, position: &P) -> Score256 {
        score(match &self.shape {
            Shape::Hidden16(layers) => layers.forward_scalar(position),
            Shape::Hidden32(layers) => layers.forward_scalar(position),
            Shape::Hidden64(layers) => layers.forward_scalar(position),
        })
    }
}

impl Evaluate for Net {
    #[inline]
    fn evaluate<P: Inputs>(&self, position: &P) -> Score256 {
        score(match &self.shape {
            Shape::Hidden16(layers) => layers.forward(position),
            Shape::Hidden32(layers) => layers.forward(position),
            Shape::Hidden64(layers) => layers.forward(position),
        })
    }
}

#[inline]
fn score(output: i32) -> Score256 {
    (output >> SCORE_SHIFT).clamp(-MAX_SCORE, MAX_SCORE)
}
