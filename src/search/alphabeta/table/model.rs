//! What threads may see of the table, with every value that the memory model lets them read (loom).

use super::*;
use crate::game::{Pit, Row};
use loom::model::Builder;
use loom::thread;
use std::sync::Arc;

fn entry(number: u8) -> Entry {
    let bound = [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(number % 3)];
    let best = Some(Move::of_pit(Pit::new(Row::Front, number).unwrap()));
    Entry { best, score: 100 * Score256::from(number), bound, depth: i32::from(number) }
}

/// Lets two threads put an entry each into one place, while a third gets: each key must have none or an entry that was
/// put for it.
fn put_and_get(writers: [(u64, Entry); 2]) {
    let mut model = Builder::new();
    // There are too many interleavings to go through all of them. LOOM_MAX_PREEMPTIONS asks for more.
    model.preemption_bound.get_or_insert(2);
    model.check(move || {
        // Room for one place, where all keys meet.
        let table = Arc::new(Table::with_bytes(1));
        let threads = writers.map(|(key, entry)| {
            let table = table.clone();
            thread::spawn(move || table.put(key, entry))
        });
        let check = |key| {
            let found = table.get(key);
            assert!(found.is_none_or(|found| writers.contains(&(key, found))), "{key}: {found:?}");
        };
        check(1);
        for thread in threads {
            thread.join().unwrap();
        }
        check(1);
        check(2);
    });
}

#[test]
fn entries_for_two_keys_do_not_mix() {
    put_and_get([(1, entry(3)), (2, entry(5))]);
}

#[test]
fn entries_for_one_key_do_not_mix() {
    put_and_get([(1, entry(3)), (1, entry(5))]);
}
