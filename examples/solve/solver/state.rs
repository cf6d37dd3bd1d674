//! Positions as keys of maps: compared whole, so that no two are ever taken for one.

use kete::game::Position;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A position that equals another if both are the same state (rule G5b); the ply does not count.
pub struct State<P>(pub P);

impl<P: Position> PartialEq for State<P> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same_state(&other.0)
    }
}

impl<P: Position> Eq for State<P> {}

impl<P: Position> Hash for State<P> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.key());
    }
}

/// Takes the key of a position as it is: it is mixed well enough.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A set of states.
pub type StateSet<P> = HashSet<State<P>, BuildHasherDefault<KeyHasher>>;

/// A map from states.
pub type StateMap<P, V> = HashMap<State<P>, V, BuildHasherDefault<KeyHasher>>;
