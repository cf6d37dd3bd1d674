//! Net files that tests make up: random weights within what the loader allows, and the file around them, right or wrong.

// The tests of the engine use a part of it.
#![allow(dead_code)]

use kete::evaluation::Inputs;
use kete::game::{Kigogo, Kimasai, Kiswahili, Variant};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a game's net must look like.
pub struct Shape {
    pub inputs: &'static str,
    pub rows: usize,
    pub groups: usize,
    pub group_of: fn(usize) -> usize,
}

impl Shape {
    fn of<P: Inputs>() -> Shape {
        Shape { inputs: P::NAME, rows: P::ROWS, groups: P::GROUPS, group_of: P::group_of }
    }

    pub fn of_variant(variant: Variant) -> Shape {
        match variant {
            Variant::Kiswahili => Shape::of::<Kiswahili>(),
            Variant::Kigogo => Shape::of::<Kigogo>(),
            Variant::Kimasai => Shape::of::<Kimasai>(),
        }
    }
}

/// How close the weights come to the bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// First layer up to the bounds, last layer so that scores are of ordinary size.
    Ordinary,
    /// Both layers up to the bounds: nearly every score is clamped.
    Extreme,
}

/// A net before it is a file.
pub struct Weights {
    pub variant: Variant,
    pub bias: Vec<i16>,
    /// `[row][unit]`
    pub rows: Vec<Vec<i16>>,
    /// `[stage][unit]`
    pub out: Vec<Vec<i16>>,
    pub out_bias: Vec<i32>,
}

impl Weights {
    /// Random weights. Unit 0 can reach 32767 exactly and unit 1 -32767, and with [`Size::Extreme`] the output of each
    /// stage 2^31 - 1 or its negative.
    pub fn random(variant: Variant, hidden: usize, stages: usize, size: Size, seed: u64) -> Weights {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let shape = Shape::of_variant(variant);
        let cap = 32_767 / (shape.groups as i16 + 1);
        let rest = 32_767 - cap * shape.groups as i16;
        let mut bias: Vec<i16> = (0..hidden).map(|_| rng.random_range(-rest..=rest)).collect();
        let mut rows: Vec<Vec<i16>> =
            (0..shape.rows).map(|_| (0..hidden).map(|_| rng.random_range(-cap..=cap)).collect()).collect();
        for (unit, sign) in [(0, 1), (1, -1)] {
            bias[unit] = sign * rest;
            // A tenth of the rows is smaller, so that not all positions are alike.
            rows.iter_mut().for_each(|row| row[unit] = sign * if rng.random_bool(0.1) { cap / 3 } else { cap });
        }
        let mut weights = Weights { variant, bias, rows, out: Vec::new(), out_bias: Vec::new() };
        let reach: Vec<i64> = (0..hidden).map(|unit| weights.reach(unit)).collect();
        for stage in 0..stages {
            let cap = match size {
                Size::Ordinary => 12,
                Size::Extreme => (i64::from(i32::MAX) / reach.iter().sum::<i64>()).min(32_767) as i16,
            };
            let out: Vec<i16> = (0..hidden).map(|_| rng.random_range(-cap..=cap)).collect();
            let left = i64::from(i32::MAX) - reach.iter().zip(&out).map(|(r, &w)| r * i64::from(w).abs()).sum::<i64>();
            weights.out_bias.push(match size {
                Size::Ordinary => rng.random_range(-50_000..=50_000),
                Size::Extreme if stage % 2 == 0 => left as i32,
                Size::Extreme => -left as i32,
            });
            weights.out.push(out);
        }
        weights
    }

    /// The most that a hidden unit can reach: from each group the best row, or none.
    fn reach(&self, unit: usize) -> i64 {
        let shape = Shape::of_variant(self.variant);
        let mut most = vec![0; shape.groups];
        for (row, weights) in self.rows.iter().enumerate() {
            let most: &mut i64 = &mut most[(shape.group_of)(row)];
            *most = (*most).max(weights[unit].into());
        }
        i64::from(self.bias[unit]).abs() + most.into_iter().sum::<i64>()
    }

    pub fn header(&self) -> Value {
        let shape = Shape::of_variant(self.variant);
        json!({
            "game": self.variant.name(), "inputs": shape.inputs, "input_rows": shape.rows, "hidden": self.bias.len(),
            "stages": self.out.len(), "scale": 128, "output_scale": 256, "training": {"made by": "a test"},
        })
    }

    /// The numbers of the file.
    pub fn numbers(&self) -> Vec<u8> {
        let words = self.bias.iter().chain(self.rows.iter().flatten()).chain(self.out.iter().flatten());
        let words = words.flat_map(|word| word.to_le_bytes());
        words.chain(self.out_bias.iter().flat_map(|bias| bias.to_le_bytes())).collect()
    }

    pub fn file(&self) -> Vec<u8> {
        sealed(unsealed(&self.header().to_string(), &self.numbers()))
    }

    /// The score of active rows by the definition, in numbers that nothing overflows.
    pub fn score(&self, active: &[usize], stage: usize) -> i32 {
        let stage = if self.out.len() == 1 { 0 } else { stage };
        let mut total = i64::from(self.out_bias[stage]);
        for unit in 0..self.bias.len() {
            let sum = active.iter().fold(i64::from(self.bias[unit]), |sum, &row| sum + i64::from(self.rows[row][unit]));
            total += sum.max(0) * i64::from(self.out[stage][unit]);
        }
        // Rounded down, also below 0.
        total.div_euclid(128).clamp(-8_191, 8_191) as i32
    }
}

/// Magic, version, header and numbers, without the checksum.
pub fn unsealed(header: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = b"KETENET\n".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers);
    bytes
}

/// With the checksum that fits.
pub fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&content);
    content.extend(checksum.as_slice());
    content
}
