//! The file of a net, and what is asked of it before it is trusted.
//!
//! Eight bytes of magic, a version and the length of a header, the header in JSON, the weights in little-endian numbers,
//! and the SHA-256 of all that. docs/evaluation.md has the table.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use super::inference::{LANES, Layers};
use super::inputs::{Inputs, STAGES};
use super::net::{Net, Shape};
use crate::game::{Kigogo, Kimasai, Kiswahili, Variant};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use wide::i16x16;

const MAGIC: &[u8; 8] = b"KETENET\n";
const VERSION: u32 = 1;
const CHECKSUM_BYTES: usize = 32;
/// The unit of the first layer is 1/128.
const SCALE: u32 = 128;
/// The unit of the last layer's weights is 1/256.
const OUTPUT_SCALE: u32 = 256;

/// What a net's file tells of how it was trained; free in form.
pub type Training = serde_json::Map<String, serde_json::Value>;

/// Why a file is no net that can be used.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The operating system does not give it.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is a folder, a device or of enormous size.
    #[error("this is no net: not an ordinary file of at most 16 MiB")]
    NotAFile,
    /// It begins with something else.
    #[error("this is no net: the file does not begin with \"KETENET\"")]
    Magic,
    /// Another version of the format.
    #[error("the net has version {0}, expected {VERSION}")]
    Version(u32),
    /// It ends too soon.
    #[error("the file has {found} bytes, expected {expected}")]
    Length {
        /// Its bytes.
        found: usize,
        /// As many as its header says, or at least as many.
        expected: usize,
    },
    /// What it says at its end does not fit what is before it.
    #[error("the net is damaged: its checksum does not fit its content")]
    Checksum,
    /// The header cannot be read.
    #[error("the header of the net cannot be read: {0}")]
    Header(serde_json::Error),
    /// The header says something that this program has no use for.
    #[error("the net has {name} {found}, expected {expected}")]
    Unfit {
        /// What of it.
        name: &'static str,
        /// What it says.
        found: String,
        /// What fits.
        expected: String,
    },
    /// Sums of its weights could leave the range of the numbers that they are computed in.
    #[error("the net's weights are too large: unit {unit} of the hidden layer could overflow")]
    Overflow {
        /// Which hidden unit, from 0.
        unit: usize,
    },
    /// The weighted sum of the last layer could leave its range.
    #[error("the net's weights are too large: the output of stage {stage} could overflow")]
    OutputOverflow {
        /// Which stage, from 0.
        stage: usize,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    game: String,
    inputs: String,
    input_rows: usize,
    hidden: usize,
    stages: usize,
    scale: u32,
    output_scale: u32,
    #[serde(default)]
    training: Training,
}

/// What the weights of a game must look like.
struct Fit {
    inputs: &'static str,
    rows: usize,
    groups: usize,
    group_of: fn(usize) -> usize,
}

impl Fit {
    fn of<P: Inputs>() -> Fit {
        Fit { inputs: P::NAME, rows: P::ROWS, groups: P::GROUPS, group_of: P::group_of }
    }

    fn of_variant(variant: Variant) -> Fit {
        match variant {
            Variant::Kiswahili => Fit::of::<Kiswahili>(),
            Variant::Kigogo => Fit::of::<Kigogo>(),
            Variant::Kimasai => Fit::of::<Kimasai>(),
        }
    }
}

/// Reads a net and checks everything about it.
pub(super) fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let too_short = |expected| NetError::Length { found: bytes.len(), expected };
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?;
    let version = take_u32(&mut rest).ok_or(too_short(16))?;
    if version != VERSION {
        return Err(NetError::Version(version));
    }
    let header_length = take_u32(&mut rest).ok_or(too_short(16))? as usize;
    let header_bytes = rest.split_off(..header_length).ok_or(too_short(16_usize.saturating_add(header_length)))?;
    let header: Header = serde_json::from_slice(header_bytes).map_err(NetError::Header)?;
    let (variant, fit) = header.check()?;
    let numbers = (header.hidden * (1 + header.input_rows + header.stages)) * 2 + header.stages * 4;
    let wrong_length = too_short(16 + header_length + numbers + CHECKSUM_BYTES);
    let Some((weights, _)) = rest.split_last_chunk::<CHECKSUM_BYTES>().filter(|(weights, _)| weights.len() == numbers)
    else {
        return Err(wrong_length);
    };
    let Some((content, &checksum)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else { return Err(wrong_length) };
    if Sha256::digest(content).as_slice() != checksum {
        return Err(NetError::Checksum);
    }
    let shape = match header.hidden {
        16 => Shape::Hidden16(Box::new(layers::<1>(weights, &header, &fit)?)),
        32 => Shape::Hidden32(Box::new(layers::<2>(weights, &header, &fit)?)),
        _ => Shape::Hidden64(Box::new(layers::<4>(weights, &header, &fit)?)),
    };
    Ok(Net { variant, hidden: header.hidden, training: header.training, checksum, shape })
}

fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (four, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*four))
}

impl Header {
    fn check(&self) -> Result<(Variant, Fit), NetError> {
        let unfit = |name, found: &dyn ToString, expected: &dyn ToString| {
            Err(NetError::Unfit { name, found: found.to_string(), expected: expected.to_string() })
        };
        let Some(variant) = Variant::from_name(&self.game) else {
            return unfit("the game", &self.game, &format!("one of {}", Variant::ALL.map(Variant::name).join(", ")));
        };
        let fit = Fit::of_variant(variant);
        if self.inputs != fit.inputs {
            return unfit("the inputs", &self.inputs, &fit.inputs);
        }
        if self.input_rows != fit.rows {
            return unfit("so many rows of inputs:", &self.input_rows, &fit.rows);
        }
        if ![16, 32, 64].contains(&self.hidden) {
            return unfit("so many hidden units:", &self.hidden, &"16, 32 or 64");
        }
        if ![1, STAGES].contains(&self.stages) {
            return unfit("so many stages:", &self.stages, &format!("1 or {STAGES}"));
        }
        if self.scale != SCALE {
            return unfit("the scale", &self.scale, &SCALE);
        }
        if self.output_scale != OUTPUT_SCALE {
            return unfit("the output scale", &self.output_scale, &OUTPUT_SCALE);
        }
        Ok((variant, fit))
    }
}

/// The weights from their numbers, of which there are as many as the header says.
fn layers<const N: usize>(numbers: &[u8], header: &Header, fit: &Fit) -> Result<Layers<N>, NetError> {
    let (words, out_bias) = numbers.split_at(numbers.len() - header.stages * 4);
    let mut words = words.as_chunks::<2>().0.iter().map(|&word| i16::from_le_bytes(word));
    let mut row = || -> [i16x16; N] {
        std::array::from_fn(|_| i16x16::from(std::array::from_fn::<_, LANES, _>(|_| words.next().unwrap_or(0))))
    };
    let bias = row();
    let rows: Vec<_> = (0..header.input_rows).map(|_| row()).collect();
    let stages: Vec<_> = (0..header.stages).map(|_| row()).collect();
    let biases: Vec<_> = out_bias.as_chunks::<4>().0.iter().map(|&four| i32::from_le_bytes(four)).collect();
    // With one stage, all have its weights.
    let of_stage = |stage: usize| stage % header.stages;
    let layers = Layers {
        bias,
        rows: rows.into(),
        out: std::array::from_fn(|stage| stages.get(of_stage(stage)).copied().unwrap_or([i16x16::default(); N])),
        out_bias: std::array::from_fn(|stage| biases.get(of_stage(stage)).copied().unwrap_or_default()),
    };
    check_bounds(&layers, fit)?;
    Ok(layers)
}

/// Whether no position could make a sum overflow: by the largest weight of each group of rows.
fn check_bounds<const N: usize>(layers: &Layers<N>, fit: &Fit) -> Result<(), NetError> {
    let unit = |registers: &[i16x16; N], unit: usize| {
        let weight = registers.get(unit / LANES).and_then(|register| register.as_array().get(unit % LANES));
        weight.map_or(0, |&weight| i64::from(weight))
    };
    let mut largest_output = [0_i64; STAGES];
    for hidden in 0..N * LANES {
        // The least and the most that each group can add; no active row adds nothing.
        let mut ranges = vec![(0_i64, 0_i64); fit.groups];
        for (index, row) in layers.rows.iter().enumerate() {
            let weight = unit(row, hidden);
            let Some((least, most)) = ranges.get_mut((fit.group_of)(index)) else { continue };
            *least = weight.min(*least);
            *most = weight.max(*most);
        }
        let reach = |sum: i64| unit(&layers.bias, hidden).abs() + sum;
        let most = reach(ranges.iter().map(|range| range.1).sum());
        let least = reach(ranges.iter().map(|range| -range.0).sum());
        // Whatever the order of the additions, no partial sum is further out.
        if most.max(least) > i64::from(i16::MAX) {
            return Err(NetError::Overflow { unit: hidden });
        }
        for (largest, out) in largest_output.iter_mut().zip(&layers.out) {
            *largest += most * unit(out, hidden).abs();
        }
    }
    for (stage, (largest, &bias)) in largest_output.into_iter().zip(&layers.out_bias).enumerate() {
        if largest + i64::from(bias).abs() > i64::from(i32::MAX) {
            return Err(NetError::OutputOverflow { stage });
        }
    }
    Ok(())
}
