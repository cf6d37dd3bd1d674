//! How a net is computed: sums of rows, a rectifier, and one weighted sum, all in whole numbers.
//!
//! The rows are added in registers of the vector unit that every machine of the kind has (`wide`). Beside it stands the
//! same in plain numbers; both wrap in the same way, so they are equal whatever the weights are.

use super::inputs::{Inputs, MAX_ACTIVE, STAGES};
use arrayvec::ArrayVec;
use wide::{i16x16, i32x8};

/// Hidden units of one register.
pub(super) const LANES: usize = 16;

/// The weights of a net with `N` x 16 hidden units.
#[derive(Clone, Debug)]
pub(super) struct Layers<const N: usize> {
    pub(super) bias: [i16x16; N],
    /// A row an input.
    pub(super) rows: Box<[[i16x16; N]]>,
    /// The last layer, by stage.
    pub(super) out: [[i16x16; N]; STAGES],
    pub(super) out_bias: [i32; STAGES],
}

impl<const N: usize> Layers<N> {
    /// The output before it is scaled: the weighted sum of the rectified sums of the active rows.
    #[inline]
    pub(super) fn forward<P: Inputs>(&self, position: &P) -> i32 {
        let mut sums = self.bias;
        // Each time a new array, and no loop over references: so the compiler keeps it in registers.
        position.visit_rows(|row| {
            if let Some(row) = self.rows.get(row) {
                sums = std::array::from_fn(|register| sums[register] + row[register]);
            }
        });
        let stage = position.stage() % STAGES;
        let mut total = i32x8::default();
        for (sum, weights) in sums.into_iter().zip(self.out[stage]) {
            total += sum.max(i16x16::default()).dot(weights);
        }
        total.to_array().into_iter().fold(self.out_bias[stage], i32::wrapping_add)
    }

    /// The same without vectors.
    pub(super) fn forward_scalar<P: Inputs>(&self, position: &P) -> i32 {
        let mut active = ArrayVec::<usize, MAX_ACTIVE>::new();
        position.visit_rows(|row| active.push(row));
        let stage = position.stage() % STAGES;
        let mut total = self.out_bias[stage];
        for register in 0..N {
            let mut sums = self.bias[register].to_array();
            for row in active.iter().filter_map(|&row| self.rows.get(row)) {
                for (sum, weight) in sums.iter_mut().zip(row[register].as_array()) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
            for (sum, weight) in sums.into_iter().zip(self.out[stage][register].as_array()) {
                total = total.wrapping_add(i32::from(sum.max(0)) * i32::from(*weight));
            }
        }
        total
    }
}
