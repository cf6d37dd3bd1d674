//! Which moves there are (rules S3 to S6, S8, S10), as far as no move has to be tried for it.

use super::ring::{self, Direction, HOUSE, PITS};
use super::sowing::{Kind, Start};
use super::{Kiswahili, Side};
use crate::game::{Hand, Move, Row};
use rand::{Rng, RngExt};

/// A place in [`Choices`]: bits 0-3 the ring index, bit 4 direction left, bit 5 safari.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Slot {
    const LEFT: u32 = 16;
    const SAFARI: u32 = 32;

    #[inline]
    pub(super) fn with_safari(self) -> Slot {
        Slot(self.0 | Self::SAFARI)
    }
}

/// The choices of a turn, all of one kind: a set of slots. What is left of them after rule S11, and after dropping the
/// safaris whose choice does not arise, are the legal moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    kind: Kind,
    slots: u64,
}

/// The first laps that capture (rule S6): the pits they start from, by direction, and the front pits they end in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MtajiCaptures {
    right: u32,
    left: u32,
    pub(super) ends: u32,
}

impl Choices {
    fn new(kind: Kind, right: u32, left: u32) -> Choices {
        Choices { kind, slots: u64::from(right) | u64::from(left) << Slot::LEFT }
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.slots == 0
    }

    #[inline]
    pub(super) fn is_namua_capture(self) -> bool {
        self.kind == Kind::NamuaCapture && !self.is_empty()
    }

    #[inline]
    pub(super) fn contains(self, slot: Slot) -> bool {
        self.slots & 1 << slot.0 != 0
    }

    /// All choices with their slots.
    #[inline]
    pub(super) fn starts(self) -> impl Iterator<Item = (Slot, Start)> {
        let mut slots = self.slots;
        std::iter::from_fn(move || {
            (slots != 0).then(|| {
                let slot = Slot(slots.trailing_zeros());
                slots &= slots - 1;
                (slot, self.start(slot))
            })
        })
    }

    /// Takes one choice out at random.
    #[inline]
    pub(super) fn take_random<R: Rng>(&mut self, rng: &mut R) -> Option<Start> {
        if self.slots == 0 {
            return None;
        }
        let mut slots = self.slots;
        for _ in 0..rng.random_range(0..self.slots.count_ones()) {
            slots &= slots - 1;
        }
        let slot = Slot(slots.trailing_zeros());
        self.slots &= !(1 << slot.0);
        Some(self.start(slot))
    }

    /// The choice that a move text stands for. The kind of the turn settles what its letter means (rule S9).
    #[inline]
    pub(super) fn start_of(self, m: Move) -> Start {
        let index = ring::index_of(m.pit());
        let right = m.hand() == Some(Hand::Right);
        let flipped = self.kind == Kind::NamuaCapture || m.pit().row() == Row::Back;
        let direction = if right != flipped { Direction::Right } else { Direction::Left };
        Start { kind: self.kind, index, direction, safari: m.is_safari() }
    }

    /// The move text's content for a choice (rule S9): in a namua capture the letter is the kichwa where the captured
    /// seeds start, so it is opposite to the way they go; on the back row the hand moves against the ring.
    #[inline]
    pub(super) fn to_move(self, start: Start) -> Move {
        let pit = ring::pit_at(start.index);
        let flipped = self.kind == Kind::NamuaCapture || pit.row() == Row::Back;
        let right = (start.direction == Direction::Right) != flipped;
        Move::with_hand(pit, if right { Hand::Right } else { Hand::Left }, start.safari)
    }

    #[inline]
    fn start(self, slot: Slot) -> Start {
        Start {
            kind: self.kind,
            index: (slot.0 & (PITS as u32 - 1)) as usize,
            direction: if slot.0 & Slot::LEFT == 0 { Direction::Right } else { Direction::Left },
            safari: slot.0 & Slot::SAFARI != 0,
        }
    }
}

impl Kiswahili {
    /// The choices of the side to move.
    #[inline]
    pub(super) fn choices(&self) -> Choices {
        // Rule S3.
        if self.reserves[self.side.index()] != 0 { self.namua_choices() } else { self.mtaji_choices() }
    }

    fn namua_choices(&self) -> Choices {
        let own = self.rings[self.side.index()];
        let theirs = self.rings[(!self.side).index()];
        let occupied = own.front_occupied();
        let capturing = occupied & theirs.front_faced();
        if capturing != 0 {
            // Rule S4: from pits 1 and 2 only by the left kichwa, from 7 and 8 only by the right one.
            let mut choices = Choices::new(Kind::NamuaCapture, capturing & 0b0011_1111, capturing & 0b1111_1100);
            if self.owned[self.side.index()] {
                choices.slots |= choices.slots << Slot::SAFARI;
            }
            return choices;
        }
        // Rule S5.
        let house = 1 << HOUSE;
        let pits = if self.has_functional_house(self.side) {
            if occupied & !house != 0 { occupied & !house } else { occupied }
        } else if own.front_many() != 0 {
            own.front_many()
        } else {
            occupied
        };
        takata(Kind::NamuaTakata, pits, occupied)
    }

    fn mtaji_choices(&self) -> Choices {
        let captures = self.mtaji_captures(self.side);
        if captures.ends != 0 {
            return Choices::new(Kind::MtajiCapture, captures.right, captures.left);
        }
        let own = self.rings[self.side.index()];
        // Rule S8: the takasiaed pit is no start. It is never the only front pit with two or more.
        let blocked = self.takasia.map_or(0, |index| 1 << index);
        let front = own.front_many() & !blocked;
        let pits = if front != 0 { front } else { own.back_many() };
        takata(Kind::MtajiTakata, pits, own.front_occupied())
    }

    /// Whether `side` could capture in mtaji on the board as it stands, its reserve being empty.
    #[inline]
    pub(super) fn has_capture(&self, side: Side) -> bool {
        self.mtaji_captures(side).ends != 0
    }

    /// The captures of rule S6 that `side` has on the board as it stands.
    pub(super) fn mtaji_captures(&self, side: Side) -> MtajiCaptures {
        let own = self.rings[side.index()];
        let theirs = self.rings[(!side).index()];
        let capturing = own.front_occupied() & theirs.front_faced();
        let mut captures = MtajiCaptures::default();
        if capturing == 0 {
            return captures;
        }
        let mut pits = own.front_many() | own.back_many();
        while pits != 0 {
            let index = pits.trailing_zeros() as usize;
            pits &= pits - 1;
            let seeds = usize::from(own.count(index));
            if seeds >= PITS {
                continue;
            }
            let ends = [1 << ((index + seeds) % PITS), 1 << ((index + PITS - seeds) % PITS)];
            captures.right |= u32::from(capturing & ends[0] != 0) << index;
            captures.left |= u32::from(capturing & ends[1] != 0) << index;
            captures.ends |= capturing & (ends[0] | ends[1]);
        }
        captures
    }
}

/// A takata from any of `pits`, either way, but for rule S10: the only occupied front pit, if a kichwa, is sown towards
/// the centre.
fn takata(kind: Kind, pits: u32, front_occupied: u32) -> Choices {
    const LEFT_KICHWA: u32 = 1;
    const RIGHT_KICHWA: u32 = 1 << 7;
    let mut right = pits;
    let mut left = pits;
    match front_occupied {
        LEFT_KICHWA => left &= !LEFT_KICHWA,
        RIGHT_KICHWA => right &= !RIGHT_KICHWA,
        _ => {}
    }
    Choices::new(kind, right, left)
}
