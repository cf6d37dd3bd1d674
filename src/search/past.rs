//! The positions of the game before the root (rule G5b).

use crate::game::GameRecord;
use std::collections::HashSet;

/// The keys of the game's earlier positions. Nearly all questions are answered "no" by the filter, without hashing.
pub(super) struct Past {
    keys: HashSet<u64>,
    filter: [u64; 64],
}

impl Past {
    pub(super) fn of(game: &GameRecord) -> Past {
        Past::of_keys(game.past_keys())
    }

    pub(super) fn of_keys(keys: impl IntoIterator<Item = u64>) -> Past {
        let keys: HashSet<u64> = keys.into_iter().collect();
        let mut filter = [0; 64];
        for &key in &keys {
            filter[word(key)] |= bit(key);
        }
        Past { keys, filter }
    }

    /// Whether a position of that key has occurred.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.filter[word(key)] & bit(key) != 0 && self.keys.contains(&key)
    }
}

#[inline]
fn word(key: u64) -> usize {
    (key >> 6 & 63) as usize
}

#[inline]
fn bit(key: u64) -> u64 {
    1 << (key & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn the_past_is_what_was_before_the_present_position() {
        let mut game = GameRecord::of_variant(Variant::Kigogo);
        for _ in 0..20 {
            let m = game.legal_moves()[0];
            if game.play(m).is_err() {
                break;
            }
        }
        let past = Past::of(&game);
        assert!(game.past_keys().all(|key| past.contains(key)));
        assert!(!past.contains(game.position().key()));
    }
}
