//! A second, slow and plain reading of the rule book, written from its text alone: arrays of counts, one seed at a
//! time, moves and positions as text. It shares no code with the crate.

use std::collections::HashSet;

const FRONT: usize = 0;
const BACK: usize = 1;

/// A pit: its row and its number from 1.
type Place = (usize, usize);

/// A board of any of the three games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub game: String,
    columns: usize,
    /// `pits[side][row][number]`; number 0 is not used.
    pits: Vec<Vec<Vec<u32>>>,
    side: usize,
    reserves: Vec<u32>,
    houses: Vec<bool>,
    /// The number of the blocked front pit of the side to move.
    takasia: Option<usize>,
    ply: u32,
}

/// What a move came to.
#[derive(Clone, Debug)]
pub struct Played {
    pub board: Board,
    pub laps: u64,
    /// Kigogo, rule K5.
    pub endless: bool,
}

/// How a Kiswahili move went.
struct Run {
    board: Board,
    laps: u64,
    never_ending: bool,
    asked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    NamuaCapture,
    NamuaTakata,
    MtajiCapture,
    MtajiTakata,
}

/// Rule S11.
const LAPS_ALLOWED: u64 = 4096;

impl Board {
    /// Reads a canonical position text (rule G6).
    pub fn parse(text: &str) -> Board {
        let fields: Vec<&str> = text.split(' ').collect();
        let rows: Vec<Vec<u32>> =
            fields[1].split('/').map(|row| row.split(',').map(|c| c.parse().unwrap()).collect()).collect();
        let columns = rows[0].len();
        let from_left = |row: &[u32]| [&[0], row].concat();
        let from_right = |row: &[u32]| {
            let mut counts = row.to_vec();
            counts.reverse();
            [vec![0], counts].concat()
        };
        let mut board = Board {
            game: fields[0].to_owned(),
            columns,
            pits: vec![
                vec![from_left(&rows[2]), from_left(&rows[3])],
                vec![from_right(&rows[1]), from_right(&rows[0])],
            ],
            side: if fields[2] == "S" { 0 } else { 1 },
            reserves: vec![0, 0],
            houses: vec![false, false],
            takasia: None,
            ply: fields[fields.len() - 1].parse().unwrap(),
        };
        if board.game == "kiswahili" {
            board.reserves = fields[3].split(',').map(|r| r.parse().unwrap()).collect();
            board.houses = vec![fields[4].contains('S'), fields[4].contains('N')];
            board.takasia = if fields[5] == "-" { None } else { Some(fields[5][1..].parse().unwrap()) };
        }
        board
    }

    /// The canonical position text.
    pub fn text(&self) -> String {
        let join = |counts: Vec<u32>| counts.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let left = |row: usize| join(self.pits[0][row][1..].to_vec());
        let right = |row: usize| join(self.pits[1][row][1..].iter().rev().copied().collect());
        let side = if self.side == 0 { "S" } else { "N" };
        let rows = format!("{}/{}/{}/{}", right(BACK), right(FRONT), left(FRONT), left(BACK));
        let mut text = format!("{} {rows} {side}", self.game);
        if self.game == "kiswahili" {
            let houses = match (self.houses[0], self.houses[1]) {
                (true, true) => "SN",
                (true, false) => "S",
                (false, true) => "N",
                (false, false) => "-",
            };
            let takasia = match self.takasia {
                None => "-".to_owned(),
                Some(number) => name(self.side, (FRONT, number)),
            };
            text += &format!(" {},{} {houses} {takasia}", self.reserves[0], self.reserves[1]);
        }
        text + &format!(" {}", self.ply)
    }

    /// Seeds of a side, reserve included.
    pub fn seeds(&self, side: usize) -> u32 {
        self.pits[side].iter().flatten().sum::<u32>() + self.reserves[side]
    }

    pub fn side(&self) -> usize {
        self.side
    }

    fn all_places(&self) -> Vec<Place> {
        [FRONT, BACK].into_iter().flat_map(|row| (1..=self.columns).map(move |number| (row, number))).collect()
    }

    fn at(&self, side: usize, place: Place) -> u32 {
        self.pits[side][place.0][place.1]
    }

    fn lift(&mut self, side: usize, place: Place) -> u32 {
        std::mem::take(&mut self.pits[side][place.0][place.1])
    }

    fn drop_one(&mut self, side: usize, place: Place) {
        self.pits[side][place.0][place.1] += 1;
    }

    fn front_is_empty(&self, side: usize) -> bool {
        self.pits[side][FRONT].iter().all(|&c| c == 0)
    }

    /// The legal moves as text, in alphabetical order; none if the game is over (rules G5a, G6).
    pub fn legal(&self) -> Vec<String> {
        let mut moves = if self.seeds(1 - self.side) == 0 {
            Vec::new()
        } else {
            match self.game.as_str() {
                "kigogo" => self.kigogo_moves(),
                "kimasai" => self.kimasai_moves(),
                _ => self.kiswahili_moves(),
            }
        };
        moves.sort();
        moves
    }

    /// Plays a legal move.
    pub fn play(&self, text: &str) -> Played {
        match self.game.as_str() {
            "kigogo" => self.kigogo_play(text),
            "kimasai" => self.kimasai_play(text),
            _ => self.kiswahili_play(text),
        }
    }

    fn place_of(&self, text: &str) -> Place {
        let row = if text.starts_with(['A', 'a']) { FRONT } else { BACK };
        let digits: String = text[1..].chars().take_while(char::is_ascii_digit).collect();
        (row, digits.parse().unwrap())
    }

    // Kigogo and Kimasai.

    /// Rule G4: B1 .. B12, A12 .. A1, B1.
    fn counterclockwise(&self, place: Place) -> Place {
        match place {
            (BACK, number) if number == self.columns => (FRONT, number),
            (BACK, number) => (BACK, number + 1),
            (_, 1) => (BACK, 1),
            (_, number) => (FRONT, number - 1),
        }
    }

    fn kigogo_moves(&self) -> Vec<String> {
        let me = self.side;
        let many: Vec<Place> = self.all_places().into_iter().filter(|&p| self.at(me, p) >= 2).collect();
        if !many.is_empty() {
            return many.into_iter().map(|p| name(me, p)).collect();
        }
        self.kimasai_moves()
    }

    fn kimasai_moves(&self) -> Vec<String> {
        let me = self.side;
        let steps = |&p: &Place| self.at(me, p) == 1 && self.at(me, self.counterclockwise(p)) == 0;
        self.all_places().into_iter().filter(steps).map(|p| name(me, p)).collect()
    }

    fn kigogo_play(&self, text: &str) -> Played {
        let me = self.side;
        let mut board = self.clone();
        let mut seen = HashSet::new();
        let mut place = self.place_of(text);
        let mut laps = 0;
        loop {
            if !seen.insert((board.pits[me].clone(), place)) {
                // Rule K5: this very lap has been sown before. The board is the one before the move, and so is the
                // number of laps that made the circle.
                assert_eq!(place, self.place_of(text), "an endless relay comes back to its own start");
                assert_eq!(board.pits, self.pits);
                board.pass_turn();
                return Played { board, laps, endless: true };
            }
            let seeds = board.lift(me, place);
            for _ in 0..seeds {
                place = board.counterclockwise(place);
                board.drop_one(me, place);
            }
            laps += 1;
            if board.at(me, place) == 1 {
                break;
            }
        }
        board.capture_column(place);
        board.pass_turn();
        Played { board, laps, endless: false }
    }

    fn kimasai_play(&self, text: &str) -> Played {
        let mut board = self.clone();
        let from = self.place_of(text);
        let to = self.counterclockwise(from);
        assert_eq!(board.lift(self.side, from), 1);
        board.drop_one(self.side, to);
        board.capture_column(to);
        board.pass_turn();
        Played { board, laps: 1, endless: false }
    }

    /// Rule K4.
    fn capture_column(&mut self, last: Place) {
        let them = 1 - self.side;
        if last.0 == FRONT {
            let facing = self.columns + 1 - last.1;
            if self.pits[them][FRONT][facing] > 0 {
                self.pits[them][FRONT][facing] = 0;
                self.pits[them][BACK][facing] = 0;
            }
        }
    }

    fn pass_turn(&mut self) {
        self.side = 1 - self.side;
        self.ply += 1;
    }

    // Kiswahili.

    /// Rule G4: R is A1 .. A8 B8 .. B1, L the opposite way.
    fn onward(place: Place, direction: char) -> Place {
        match (place, direction) {
            ((FRONT, 8), 'R') => (BACK, 8),
            ((FRONT, n), 'R') => (FRONT, n + 1),
            ((_, 1), 'R') => (FRONT, 1),
            ((_, n), 'R') => (BACK, n - 1),
            ((FRONT, 1), _) => (BACK, 1),
            ((FRONT, n), _) => (FRONT, n - 1),
            ((_, 8), _) => (FRONT, 8),
            ((_, n), _) => (BACK, n + 1),
        }
    }

    /// Rule S9: on the back row the hand moves against the ring.
    fn ring_direction(place: Place, hand: char) -> char {
        match (place.0, hand) {
            (FRONT, hand) => hand,
            (_, 'R') => 'L',
            _ => 'R',
        }
    }

    fn functional_house(&self, side: usize) -> bool {
        self.houses[side] && self.pits[side][FRONT][5] >= 6
    }

    /// The front pits of `side` with at least `least` seeds.
    fn fronts(&self, side: usize, least: u32) -> Vec<usize> {
        (1..=8).filter(|&n| self.pits[side][FRONT][n] >= least).collect()
    }

    /// Rule S6: pit, hand, and the pit where the first lap ends, for every capture `side` has in mtaji.
    fn mtaji_captures(&self, side: usize) -> Vec<(Place, char, usize)> {
        let mut captures = Vec::new();
        for place in self.all_places() {
            let seeds = self.at(side, place);
            if !(2..=15).contains(&seeds) {
                continue;
            }
            for hand in ['L', 'R'] {
                let mut end = place;
                for _ in 0..seeds {
                    end = Self::onward(end, Self::ring_direction(place, hand));
                }
                if end.0 == FRONT && self.at(side, end) > 0 && self.pits[1 - side][FRONT][9 - end.1] > 0 {
                    captures.push((place, hand, end.1));
                }
            }
        }
        captures
    }

    /// The kind of the turn and its choices of pit and hand (rules S3 to S6, S8, S10), before rule S11.
    fn choices(&self) -> (Kind, Vec<(Place, char)>) {
        let me = self.side;
        let occupied = self.fronts(me, 1);
        let both = |places: Vec<Place>| -> Vec<(Place, char)> {
            places
                .into_iter()
                .flat_map(|p| [(p, 'L'), (p, 'R')])
                // Rule S10.
                .filter(|&(p, hand)| match occupied[..] {
                    [1] if p == (FRONT, 1) => hand == 'R',
                    [8] if p == (FRONT, 8) => hand == 'L',
                    _ => true,
                })
                .collect()
        };
        let front = |numbers: Vec<usize>| numbers.into_iter().map(|n| (FRONT, n)).collect::<Vec<Place>>();
        if self.reserves[me] > 0 {
            let mut captures = Vec::new();
            for &n in occupied.iter().filter(|&&n| self.pits[1 - me][FRONT][9 - n] > 0) {
                if n <= 6 {
                    captures.push(((FRONT, n), 'L'));
                }
                if n >= 3 {
                    captures.push(((FRONT, n), 'R'));
                }
            }
            if !captures.is_empty() {
                return (Kind::NamuaCapture, captures);
            }
            let pits = if self.functional_house(me) {
                let others: Vec<usize> = occupied.iter().copied().filter(|&n| n != 5).collect();
                if others.is_empty() { vec![5] } else { others }
            } else {
                let many = self.fronts(me, 2);
                if many.is_empty() { occupied.clone() } else { many }
            };
            return (Kind::NamuaTakata, both(front(pits)));
        }
        let captures = self.mtaji_captures(me);
        if !captures.is_empty() {
            return (Kind::MtajiCapture, captures.into_iter().map(|(p, hand, _)| (p, hand)).collect());
        }
        let mut pits = front(self.fronts(me, 2));
        if pits.is_empty() {
            pits = (1..=8).filter(|&n| self.pits[me][BACK][n] >= 2).map(|n| (BACK, n)).collect();
        }
        pits.retain(|&p| self.takasia.is_none_or(|t| p != (FRONT, t)));
        (Kind::MtajiTakata, both(pits))
    }

    fn kiswahili_moves(&self) -> Vec<String> {
        // Rule S12.
        if self.front_is_empty(self.side) {
            return Vec::new();
        }
        let (kind, choices) = self.choices();
        let mut moves = Vec::new();
        for (place, hand) in choices {
            let run = self.run(kind, place, hand, false);
            if !run.never_ending {
                moves.push(format!("{}{hand}", name(self.side, place)));
            }
            if run.asked && !self.run(kind, place, hand, true).never_ending {
                moves.push(format!("{}{hand}>", name(self.side, place)));
            }
        }
        moves
    }

    /// Rule S7, up to the end of the laps.
    fn run(&self, kind: Kind, start: Place, hand: char, safari: bool) -> Run {
        let me = self.side;
        let them = 1 - me;
        let house = (FRONT, 5);
        let capture_move = kind == Kind::NamuaCapture || kind == Kind::MtajiCapture;
        let namua = kind == Kind::NamuaCapture || kind == Kind::NamuaTakata;
        let from_functional_house = start == house && self.functional_house(me);
        let mut board = self.clone();
        let mut laps = 0;
        let mut asked = false;
        let mut direction = Self::ring_direction(start, hand);
        // The seeds in hand and the pit where the first of them falls.
        let mut in_hand;
        let mut first;
        if namua {
            board.reserves[me] -= 1;
            board.drop_one(me, start);
        }
        if kind == Kind::NamuaCapture {
            // Rule S4: the letter is the kichwa.
            direction = if hand == 'L' { 'R' } else { 'L' };
            in_hand = board.capture(start.1);
            first = if hand == 'L' { (FRONT, 1) } else { (FRONT, 8) };
        } else {
            first = Self::onward(start, direction);
            if kind == Kind::NamuaTakata && from_functional_house {
                in_hand = 2;
                board.pits[me][FRONT][5] -= 2;
            } else {
                in_hand = board.lift(me, start);
                if start == house {
                    board.houses[me] = false;
                }
            }
        }
        loop {
            if laps == LAPS_ALLOWED {
                return Run { board, laps, never_ending: true, asked };
            }
            laps += 1;
            let mut last = first;
            let mut was_empty = false;
            while in_hand > 0 {
                last = first;
                was_empty = board.at(me, last) == 0;
                board.drop_one(me, last);
                in_hand -= 1;
                first = Self::onward(last, direction);
            }
            let ended = |board: Board, asked: bool| Run { board, laps, never_ending: false, asked };
            // a.
            if board.front_is_empty(them) {
                return ended(board, asked);
            }
            // b.
            if was_empty {
                return ended(board, asked);
            }
            // c.
            if capture_move && last.0 == FRONT && board.pits[them][FRONT][9 - last.1] > 0 {
                in_hand = board.capture(last.1);
                direction = match last.1 {
                    1 | 2 => 'R',
                    7 | 8 => 'L',
                    _ => direction,
                };
                first = if direction == 'R' { (FRONT, 1) } else { (FRONT, 8) };
                continue;
            }
            // d.
            if namua && last == house && board.functional_house(me) {
                if !capture_move {
                    return ended(board, asked);
                }
                asked = true;
                if !safari {
                    return ended(board, asked);
                }
            }
            // e.
            if !capture_move
                && self.takasia.is_some_and(|t| last == (FRONT, t))
                && !(laps == 1 && from_functional_house)
            {
                return ended(board, asked);
            }
            // f.
            in_hand = board.lift(me, last);
            if last == house {
                board.houses[me] = false;
            }
        }
    }

    /// Lifts the opponent's pit that faces the mover's front pit `number`.
    fn capture(&mut self, number: usize) -> u32 {
        let them = 1 - self.side;
        let facing = 9 - number;
        if facing == 5 {
            self.houses[them] = false;
        }
        self.lift(them, (FRONT, facing))
    }

    fn kiswahili_play(&self, text: &str) -> Played {
        let place = self.place_of(text);
        let safari = text.ends_with('>');
        let hand = text.trim_end_matches('>').chars().last().unwrap();
        let (kind, choices) = self.choices();
        assert!(choices.contains(&(place, hand)), "{text} in {}", self.text());
        let run = self.run(kind, place, hand, safari);
        assert!(!run.never_ending, "{text} in {}", self.text());
        let mut board = run.board;
        board.pass_turn();
        board.takasia = None;
        if kind == Kind::MtajiTakata {
            board.set_takasia();
        }
        Played { board, laps: run.laps, endless: false }
    }

    /// Rule S8, `self.side` being x.
    fn set_takasia(&mut self) {
        let x = self.side;
        if self.reserves != [0, 0] || !self.mtaji_captures(x).is_empty() {
            return;
        }
        let mut targets: Vec<usize> = self.mtaji_captures(1 - x).into_iter().map(|(_, _, end)| 9 - end).collect();
        targets.sort_unstable();
        targets.dedup();
        let [t] = targets[..] else { return };
        let exempt = (t == 5 && self.functional_house(x)) || self.fronts(x, 1) == [t] || self.fronts(x, 2) == [t];
        if !exempt {
            self.takasia = Some(t);
        }
    }
}

fn name(side: usize, place: Place) -> String {
    let letter = [['A', 'B'], ['a', 'b']][side][place.0];
    format!("{letter}{}", place.1)
}
