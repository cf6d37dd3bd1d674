//! What a move does (rules S7, S11), and the takasia that may follow it (rule S8).

use super::ring::{self, Direction, HOUSE};
use super::{Kiswahili, Side};

/// The most laps that a legal move may have; one that needs more is never-ending (rule S11).
pub const MAX_LAPS: u64 = 4_096;

/// The kind of a move, fixed at its start (rules S2, S3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A reserve seed is put into a pit that captures at once (rule S4).
    NamuaCapture,
    /// A reserve seed is put into a pit that is then sown (rule S5).
    NamuaTakata,
    /// The first lap captures (rule S6).
    MtajiCapture,
    /// Neither the first lap nor any other captures (rule S6).
    MtajiTakata,
}

impl Kind {
    #[inline]
    fn is_capture(self) -> bool {
        matches!(self, Kind::NamuaCapture | Kind::MtajiCapture)
    }

    #[inline]
    fn is_namua(self) -> bool {
        matches!(self, Kind::NamuaCapture | Kind::NamuaTakata)
    }
}

/// Everything that is chosen in a turn, in terms of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) kind: Kind,
    pub(super) index: usize,
    /// Which way the first sowing goes, that of the captured seeds in a namua capture.
    pub(super) direction: Direction,
    pub(super) safari: bool,
}

/// How a sowing ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sown {
    pub(super) laps: u64,
    /// A further lap would have been one too many (rule S11).
    pub(super) never_ending: bool,
    /// The mover could have stopped in his house or gone on safari (rule S7d).
    pub(super) choice: bool,
}

/// The next sowing: how many seeds, from behind which pit, which way.
struct Lap {
    from: usize,
    seeds: u8,
    direction: Direction,
}

impl Kiswahili {
    /// Carries out all laps of a move. The turn is not ended yet: see [`Kiswahili::end_turn`].
    #[inline]
    pub(super) fn sow(&mut self, start: Start) -> Sown {
        self.sow_within(start, MAX_LAPS)
    }

    /// The same with another limit of laps.
    #[inline]
    fn sow_within(&mut self, start: Start, max_laps: u64) -> Sown {
        let me = self.side.index();
        let kind = start.kind;
        // Rule S7e: a move that starts from the functional house may pass the takasiaed pit in its first lap.
        let from_functional_house = start.index == HOUSE && self.has_functional_house(self.side);
        let mut lap = self.first_lap(start);
        let mut sown = Sown { laps: 0, never_ending: false, choice: false };
        loop {
            if sown.laps == max_laps {
                sown.never_ending = true;
                return sown;
            }
            sown.laps += 1;
            let last = self.rings[me].sow(lap.from, lap.seeds, lap.direction);
            // Rule S7a.
            if self.rings[1 - me].front() == 0 {
                return sown;
            }
            // Rule S7b.
            let count = self.rings[me].count(last);
            if count == 1 {
                return sown;
            }
            // Rule S7c.
            if kind.is_capture() && last < 8 && self.rings[1 - me].count(ring::facing(last)) != 0 {
                lap = self.capture(last, lap.direction);
                continue;
            }
            // Rule S7d.
            if kind.is_namua() && last == HOUSE && self.owned[me] && count >= ring::FUNCTIONAL {
                if kind == Kind::NamuaTakata {
                    return sown;
                }
                sown.choice = true;
                if !start.safari {
                    return sown;
                }
            }
            // Rule S7e.
            if kind == Kind::MtajiTakata
                && self.takasia.is_some_and(|pit| usize::from(pit) == last)
                && !(sown.laps == 1 && from_functional_house)
            {
                return sown;
            }
            // Rule S7f.
            lap = Lap { from: last, seeds: self.lift_own(last), direction: lap.direction };
        }
    }

    /// Ends the turn after a move of that kind: sets or lifts takasia, gives the move to the opponent.
    #[inline]
    pub(super) fn end_turn(&mut self, kind: Kind) {
        self.side = !self.side;
        self.ply = self.ply.saturating_add(1);
        self.takasia = None;
        if kind == Kind::MtajiTakata && self.reserves == [0; 2] && !self.has_capture(self.side) {
            self.takasia = self.only_target().filter(|&target| !self.is_exempt(target));
        }
    }

    /// The one front pit of the side to move at which the opponent's captures aim, if it is just one (rule S8).
    pub(super) fn only_target(&self) -> Option<u8> {
        let targets = self.capture_targets(!self.side);
        targets.is_power_of_two().then(|| targets.trailing_zeros() as u8)
    }

    /// Whether a front pit of the side to move is exempt from takasia (rule S8): the functional house, the only occupied
    /// front pit, or the only front pit with two or more.
    pub(super) fn is_exempt(&self, target: u8) -> bool {
        let own = self.rings[self.side.index()];
        let bit = 1 << target;
        (usize::from(target) == HOUSE && self.has_functional_house(self.side))
            || own.front_occupied() == bit
            || own.front_many() == bit
    }

    #[inline]
    fn first_lap(&mut self, start: Start) -> Lap {
        let Start { kind, index, direction, .. } = start;
        let me = self.side.index();
        match kind {
            Kind::NamuaCapture => {
                self.place_reserve_seed(index);
                self.capture(index, direction)
            }
            Kind::NamuaTakata => {
                // Rule S5: the tax.
                let taxed = index == HOUSE && self.has_functional_house(self.side);
                self.place_reserve_seed(index);
                let seeds = if taxed {
                    let content = self.rings[me].lift(index);
                    self.rings[me].set(index, content - 2);
                    2
                } else {
                    self.lift_own(index)
                };
                Lap { from: index, seeds, direction }
            }
            Kind::MtajiCapture | Kind::MtajiTakata => Lap { from: index, seeds: self.lift_own(index), direction },
        }
    }

    #[inline]
    fn place_reserve_seed(&mut self, index: usize) {
        let me = self.side.index();
        self.reserves[me] = self.reserves[me].saturating_sub(1);
        self.rings[me].add(index);
    }

    /// Lifts one of the mover's own pits; a house that is lifted is owned no more (rule S2).
    #[inline]
    fn lift_own(&mut self, index: usize) -> u8 {
        let me = self.side.index();
        self.owned[me] &= index != HOUSE;
        self.rings[me].lift(index)
    }

    /// Lifts the pit that faces the front pit `last` and says how its seeds are sown (rule S7): *into* a kichwa first.
    #[inline]
    fn capture(&mut self, last: usize, direction: Direction) -> Lap {
        let them = 1 - self.side.index();
        let facing = ring::facing(last);
        self.owned[them] &= facing != HOUSE;
        let seeds = self.rings[them].lift(facing);
        let direction = match last {
            0 | 1 => Direction::Right,
            6 | 7 => Direction::Left,
            _ => direction,
        };
        let before_kichwa = match direction {
            Direction::Right => ring::PITS - 1,
            Direction::Left => 8,
        };
        Lap { from: before_kichwa, seeds, direction }
    }

    /// The front pits of the opponent that the captures of `side` aim at, a bit each by the owner's index (rule S6).
    fn capture_targets(&self, side: Side) -> u32 {
        let ends = self.mtaji_captures(side).ends;
        // Facing pits are mirrored (rule G2).
        u32::from((ends as u8).reverse_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    #[test]
    fn s11_a_move_may_have_as_many_laps_as_the_limit_and_not_one_more() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut longest = 0;
        for _ in 0..300 {
            let mut position = Kiswahili::start();
            while position.outcome().is_none() {
                for (_, start) in position.choices().starts() {
                    let free = position.clone().sow(start);
                    if free.never_ending {
                        assert_eq!(free.laps, MAX_LAPS);
                        continue;
                    }
                    longest = longest.max(free.laps);
                    let within = |laps| position.clone().sow_within(start, laps);
                    let exact = within(free.laps);
                    assert_eq!((exact.never_ending, exact.laps), (false, free.laps));
                    assert!(within(free.laps - 1).never_ending);
                }
                position.play_random(&mut rng);
            }
        }
        assert!(longest > 20, "no long move was met: {longest}");
    }
}
