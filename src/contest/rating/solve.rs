//! The equations of the joint ratings, and their solution.

use super::{Edge, expected};

/// Rows of a square matrix.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Newton's method takes some ten steps, even from scores of 99 %.
const MAX_STEPS: usize = 200;

/// No strength moves further than this in one step: beyond it the curve is nothing like its tangent.
const MAX_MOVE: f64 = 2.0;

/// A step this short, in natural units, is the last one: what is left is about its square. Rounding may hinder steps below
/// 1e-10 where an engine has scored 999,999 of a million points.
const TOLERANCE: f64 = 1e-8;

/// The likeliest strengths, with mean zero, by Newton's method. `None` if it does not converge.
pub(super) fn fitted(size: usize, edges: &[Edge]) -> Option<Vec<f64>> {
    let mut strengths = vec![0.0; size];
    let mut likelihood = log_likelihood(&strengths, edges)?;
    for _ in 0..MAX_STEPS {
        let mut excess = vec![0.0; size];
        for edge in edges {
            let points = edge.games * (edge.score - expected(&strengths, edge.first, edge.second)?);
            *excess.get_mut(edge.first)? += points;
            *excess.get_mut(edge.second)? -= points;
        }
        let inverse = inverse_of_information(&strengths, edges)?;
        let step: Vec<f64> = inverse.iter().map(|row| row.iter().zip(&excess).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().fold(0.0_f64, |longest, move_| longest.max(move_.abs()));
        if !longest.is_finite() {
            return None;
        }
        let mut scale = (MAX_MOVE / longest).min(1.0);
        loop {
            let next: Vec<f64> = strengths.iter().zip(&step).map(|(s, move_)| s + scale * move_).collect();
            let then = log_likelihood(&next, edges)?;
            // Close to the maximum rounding hides the gain.
            if then >= likelihood - 1e-12 * likelihood.abs() {
                (strengths, likelihood) = (next, then);
                break;
            }
            scale /= 2.0;
            if scale < 1e-12 {
                return None;
            }
        }
        if longest < TOLERANCE {
            let mean = strengths.iter().sum::<f64>() / size as f64;
            return Some(strengths.iter().map(|s| s - mean).collect());
        }
    }
    None
}

/// Σ n (s ln p + (1 - s) ln (1 - p)), a concave function of the strengths.
fn log_likelihood(strengths: &[f64], edges: &[Edge]) -> Option<f64> {
    let mut sum = 0.0;
    for edge in edges {
        let lead = strengths.get(edge.first)? - strengths.get(edge.second)?;
        // ln p = -ln(1 + e^-lead) and ln(1 - p) = ln p - lead, without overflow.
        let ln_p = lead.min(0.0) - libm::log1p(libm::exp(-lead.abs()));
        sum += edge.games * (ln_p - (1.0 - edge.score) * lead);
    }
    Some(sum)
}

/// An inverse of the information H on vectors of mean zero: that of H + c 1 1ᵀ. H itself does not know the mean, and has no
/// inverse; the constant c gives the mean a weight like that of the rest.
pub(super) fn inverse_of_information(strengths: &[f64], edges: &[Edge]) -> Option<Matrix> {
    let size = strengths.len();
    let mut weights = Vec::with_capacity(edges.len());
    for edge in edges {
        let win = expected(strengths, edge.first, edge.second)?;
        let loss = expected(strengths, edge.second, edge.first)?;
        weights.push((edge, edge.games * win * loss));
    }
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut matrix = vec![vec![total / (size * size) as f64; size]; size];
    for (edge, weight) in weights {
        for (row, column, sign) in [
            (edge.first, edge.first, 1.0),
            (edge.second, edge.second, 1.0),
            (edge.first, edge.second, -1.0),
            (edge.second, edge.first, -1.0),
        ] {
            *matrix.get_mut(row)?.get_mut(column)? += sign * weight;
        }
    }
    inverse(matrix)
}

/// The inverse of a positive definite matrix, by Gauss-Jordan elimination, which needs no exchange of rows then. `None` if
/// rounding leaves it not positive.
fn inverse(matrix: Matrix) -> Option<Matrix> {
    let size = matrix.len();
    // Each row goes on with that of the unit matrix.
    let unit = |row: usize| (0..size).map(move |column| if row == column { 1.0 } else { 0.0 });
    let mut rows: Matrix =
        matrix.into_iter().enumerate().map(|(number, row)| row.into_iter().chain(unit(number)).collect()).collect();
    for column in 0..size {
        let mut pivot = std::mem::take(rows.get_mut(column)?);
        let divisor = pivot.get(column).copied().filter(|&x| x > 0.0 && x.is_finite())?;
        pivot.iter_mut().for_each(|x| *x /= divisor);
        for row in rows.iter_mut().filter(|row| !row.is_empty()) {
            let factor = row.get(column).copied()?;
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
        *rows.get_mut(column)? = pivot;
    }
    Some(rows.into_iter().map(|row| row.into_iter().skip(size).collect()).collect())
}
