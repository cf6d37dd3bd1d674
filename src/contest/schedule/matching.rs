//! How many pairs can be made at most, if not everyone may meet everyone.

use super::seed::mixed;

/// The prime 2^61 - 1, modulo which all numbers here are.
const PRIME: u64 = (1 << 61) - 1;

/// The largest number of disjoint pairs of `players` that are all allowed.
///
/// It is half the rank of a skew-symmetric matrix that has a random number, with opposite signs, in the two places of each
/// allowed pair, and 0 elsewhere (L. Lovász, *On determinants, matchings, and random algorithms*). The rank is never too
/// large, and too small with a probability below `players` / 2^61. The random numbers depend on the players alone, so the
/// answer is always the same.
pub(super) fn most_pairs(players: &[usize], allowed: impl Fn(usize, usize) -> bool) -> usize {
    let entry = |row: usize, column: usize| {
        if row == column || !allowed(row, column) {
            return 0;
        }
        let number = 1 + mixed(0, [row.min(column) as u64, row.max(column) as u64]) % (PRIME - 1);
        if row < column { number } else { PRIME - number }
    };
    rank(players.iter().map(|&row| players.iter().map(|&column| entry(row, column)).collect()).collect()) / 2
}

/// The rank of a matrix, by Gaussian elimination.
fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let entry = |row: &[u64]| row.get(column).copied().unwrap_or(0);
        let Some(found) = rows.iter().position(|row| entry(row) != 0) else { continue };
        let pivot = rows.swap_remove(found);
        let inverse = power(entry(&pivot), PRIME - 2);
        for row in &mut rows {
            let factor = product(PRIME - entry(row), inverse);
            for (x, p) in row.iter_mut().zip(&pivot).skip(column) {
                *x = reduced(*x + product(factor, *p));
            }
        }
        rank += 1;
    }
    rank
}

/// Brings a number below 2^63 below the prime.
fn reduced(x: u64) -> u64 {
    let folded = (x & PRIME) + (x >> 61);
    if folded >= PRIME { folded - PRIME } else { folded }
}

/// The product of two numbers of at most the prime.
fn product(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    reduced((wide as u64 & PRIME) + (wide >> 61) as u64)
}

fn power(base: u64, exponent: u64) -> u64 {
    let squares = std::iter::successors(Some(base), |&x| Some(product(x, x)));
    let bits = (0..64).map(|bit| exponent >> bit & 1 == 1);
    squares.zip(bits).filter(|&(_, bit)| bit).fold(1, |all, (square, _)| product(all, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same by trying everything.
    fn by_search(players: &[usize], allowed: &dyn Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = players.split_first() else { return 0 };
        let with = rest.iter().filter(|&&other| allowed(first, other)).map(|&other| {
            let others: Vec<usize> = rest.iter().copied().filter(|&player| player != other).collect();
            1 + by_search(&others, allowed)
        });
        with.max().unwrap_or(0).max(by_search(rest, allowed))
    }

    #[test]
    fn arithmetic_is_that_of_the_field() {
        assert_eq!(product(PRIME - 1, PRIME - 1), 1);
        assert_eq!(product(PRIME, 12), 0);
        for x in [1, 2, 3, 1 << 60, PRIME - 1, 1_234_567_890_123_456_789] {
            assert_eq!(product(x, power(x, PRIME - 2)), 1, "{x}");
        }
    }

    #[test]
    fn an_odd_circle_and_a_star_lack_pairs() {
        let circle = |a: usize, b: usize| (a + 1) % 5 == b || (b + 1) % 5 == a;
        assert_eq!(most_pairs(&[0, 1, 2, 3, 4], circle), 2);
        assert_eq!(most_pairs(&[0, 1, 2, 3, 4, 5], |a, b| a == 0 || b == 0), 1);
        // Two triangles with nothing between them.
        assert_eq!(most_pairs(&[0, 1, 2, 3, 4, 5], |a, b| a / 3 == b / 3), 2);
        assert_eq!(most_pairs(&[], |_, _| true), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn as_many_pairs_as_a_search_finds(players in 0_usize..9, edges in any::<u64>()) {
            let allowed = |a: usize, b: usize| edges >> (a.max(b) * (a.max(b) - 1) / 2 + a.min(b)) & 1 == 1;
            let players: Vec<usize> = (0..players).collect();
            prop_assert_eq!(most_pairs(&players, allowed), by_search(&players, &allowed));
        }
    }
}
