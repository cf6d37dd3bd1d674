//! Making room in a full arena.

use super::{CHILD_COUNT_MASK, CHILD_COUNT_SHIFT, EXPANDING, FIRST_CHILD_SHIFT, Node, NodeId, Ordering, ROOT, Tree};
use std::collections::HashSet;

/// The children of one node.
#[derive(Clone, Copy)]
struct Family {
    first: NodeId,
    count: u32,
    parent: NodeId,
    /// Visits of the parent.
    visits: u32,
}

impl Tree {
    /// Makes room in a full arena: nodes that were seldom visited lose their children and are leaves again, but keep what
    /// they have learned. At least half of the arena is free then, not counting the families of the nodes of `lines`, each
    /// of which goes down from the root; these stay. Returns whether that made room. No worker may be at work.
    ///
    /// What is kept moves down in the order of its addresses. A family always lies above its parent's, since it came later.
    pub(in crate::search) fn prune(&self, lines: &[Vec<NodeId>]) -> bool {
        let in_lines: HashSet<NodeId> = lines.iter().flatten().copied().chain([ROOT]).collect();
        let mut families = self.families();
        let visits = self.visits_to_keep(&families);
        families.retain(|family| {
            let kept = family.visits >= visits || in_lines.contains(&family.parent);
            if !kept {
                self.node(family.parent).become_leaf();
            }
            kept
        });
        families.sort_unstable_by_key(|family| family.first);
        // Where families were and where they are, in the order of both.
        let mut moved: Vec<(NodeId, NodeId)> = Vec::with_capacity(families.len());
        let mut free = ROOT + 1;
        for Family { first, count, parent, .. } in families {
            for offset in 0..count {
                for (to, from) in
                    self.nodes[(free + offset) as usize].iter().zip(&self.nodes[(first + offset) as usize])
                {
                    to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
                }
            }
            let parent = match moved.partition_point(|&(was, _)| was <= parent) {
                0 => ROOT,
                place => parent - moved[place - 1].0 + moved[place - 1].1,
            };
            self.node(parent).move_children(free);
            moved.push((first, free));
            free += count;
        }
        self.used.0.store(free, Ordering::Relaxed);
        // Who found no room when it was full may try again.
        for node in (ROOT..free).map(|id| self.node(id)).filter(|&node| self.children(node).is_none()) {
            node.become_leaf();
        }
        free as usize <= self.nodes.len() - self.nodes.len() / 8
    }

    /// All families, in the order of their parents.
    fn families(&self) -> Vec<Family> {
        let used = self.used.0.load(Ordering::Relaxed).min(self.nodes.len() as u32);
        let family = |parent: NodeId| {
            let node = self.node(parent);
            let children = self.children(node)?;
            Some(Family { first: children.start, count: children.len() as u32, parent, visits: node.visits() })
        };
        (ROOT..used).filter_map(family).collect()
    }

    /// The smallest number of visits for which the families of nodes with as many take no more than half of the arena.
    fn visits_to_keep(&self, families: &[Family]) -> u32 {
        let mut sizes: Vec<(u32, u32)> = families.iter().map(|family| (family.visits, family.count)).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut room = self.nodes.len() / 2;
        for (visits, count) in sizes {
            match room.checked_sub(count as usize) {
                Some(left) => room = left,
                None => return visits + 1,
            }
        }
        0
    }
}

impl Node<'_> {
    /// Forgets its children.
    fn become_leaf(self) {
        self.0[1].fetch_and((1 << FIRST_CHILD_SHIFT) - 1, Ordering::Relaxed);
        self.0[2].fetch_and(!(EXPANDING | CHILD_COUNT_MASK << CHILD_COUNT_SHIFT), Ordering::Relaxed);
    }

    /// Says where its children are now.
    fn move_children(self, first: NodeId) {
        self.0[1].store(u64::from(self.visits()) | u64::from(first) << FIRST_CHILD_SHIFT, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Seedling;
    use super::*;
    use crate::evaluation::Score256;
    use crate::game::{Move, Pit, Row};
    use std::collections::BTreeMap;

    fn seedling(number: u8) -> Seedling {
        Seedling { m: Move::of_pit(Pit::new(Row::Front, number).unwrap()), proof: None, score: -300, prior: 0.25 }
    }

    /// All nodes below one by their moves: visits, score, and whether they have children.
    fn listed(tree: &Tree, at: NodeId, path: &mut Vec<u8>, found: &mut BTreeMap<Vec<u8>, (u32, Score256, bool)>) {
        let node = tree.node(at);
        let children = tree.children(node);
        found.insert(path.clone(), (node.visits(), node.score(), children.is_some()));
        for id in children.into_iter().flatten() {
            path.push(tree.node(id).incoming_move().to_byte());
            listed(tree, id, path, found);
            path.pop();
        }
    }

    /// Grows a tree until it is full, as a search that goes down at random would.
    fn grow(tree: &Tree, random: &mut impl FnMut(u32) -> u32) {
        loop {
            let mut at = ROOT;
            tree.node(at).add_value(0.5);
            while let Some(children) = tree.children(tree.node(at)) {
                at = children.start + random(children.len() as u32).min(random(children.len() as u32));
                tree.node(at).add_value(0.5);
            }
            let family: Vec<Seedling> = (0..1 + random(6))
                .map(|i| Seedling { score: random(1000) as Score256, ..seedling(1 + i as u8) })
                .collect();
            tree.claim_expansion(tree.node(at));
            if !tree.expand(tree.node(at), &family) {
                return;
            }
        }
    }

    #[test]
    fn pruning_makes_room_and_changes_nothing_that_it_keeps() {
        let mut tree = Tree::with_bytes(1 << 20).unwrap();
        tree.reset();
        let mut state = 7_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        for _ in 0..4 {
            grow(&tree, &mut random);
            let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
            listed(&tree, ROOT, &mut Vec::new(), &mut before);
            // A line that would not be kept for its visits: always the last child.
            let mut line = vec![];
            let mut moves = vec![];
            let mut at = ROOT;
            while let Some(children) = tree.children(tree.node(at)) {
                at = children.end - 1;
                line.push(at);
                moves.push(tree.node(at).incoming_move().to_byte());
            }
            assert!(tree.prune(&[line]));
            listed(&tree, ROOT, &mut Vec::new(), &mut after);
            assert!(after.contains_key(&moves), "the line is cut off");
            assert!(after.len() < before.len() * 6 / 10 && after.len() > before.len() * 3 / 10, "{} left", after.len());
            for (path, &(visits, score, _)) in &after {
                let &(visits_before, score_before, _) = &before[path];
                assert_eq!((visits, score), (visits_before, score_before));
            }
            let fewest_kept = after.values().filter(|node| node.2).map(|node| node.0).max().unwrap();
            assert!(fewest_kept > 1);
            // Also the one that found the arena full was claimed in vain.
            let claimed =
                (ROOT..).take(after.len()).map(|id| tree.node(id)).filter(|&node| tree.children(node).is_none());
            assert!(claimed.into_iter().all(|node| node.0[2].load(Ordering::Relaxed) & EXPANDING == 0));
            // A leaf that it made can grow again.
            let leaf =
                after.iter().find(|(path, node)| !node.2 && before[*path].2).map(|(path, _)| path.clone()).unwrap();
            let mut at = ROOT;
            for byte in leaf {
                at = tree
                    .children(tree.node(at))
                    .unwrap()
                    .find(|&id| tree.node(id).incoming_move().to_byte() == byte)
                    .unwrap();
            }
            assert!(tree.claim_expansion(tree.node(at)) && tree.expand(tree.node(at), &[seedling(1)]));
        }
    }
}
