//! The node limit of a search, shared by its workers.

use std::sync::atomic::{AtomicU64, Ordering};

/// The nodes that may still be searched. Workers take them in small portions, so that all together they search exactly as
/// many as were allowed, and seldom meet in one cache line.
#[derive(Debug)]
pub(super) struct Allowance {
    left: AtomicU64,
}

/// Nodes a worker takes at once.
const PORTION: u64 = 64;

impl Allowance {
    pub(super) fn new(nodes: u64) -> Allowance {
        Allowance { left: AtomicU64::new(nodes) }
    }

    /// Takes a portion of nodes: as many as were got, 0 if none are left.
    pub(super) fn take(&self) -> u64 {
        // Relaxed: the counter publishes nothing but itself.
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            (left > 0).then(|| left.saturating_sub(PORTION))
        });
        taken.map_or(0, |left| left.min(PORTION))
    }

    /// Gives back what was taken and not needed.
    pub(super) fn give_back(&self, nodes: u64) {
        self.left.fetch_add(nodes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_workers_together_get_what_was_allowed() {
        for nodes in [0, 1, PORTION, 10_001] {
            let allowance = Allowance::new(nodes);
            let got = allowance.take();
            allowance.give_back(got);
            let work = || std::iter::repeat_with(|| allowance.take()).take_while(|&got| got > 0).sum::<u64>();
            let total: u64 = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
                workers.into_iter().map(|worker| worker.join().unwrap()).sum()
            });
            assert_eq!(total, nodes);
        }
    }
}
