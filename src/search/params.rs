//! The tunables of the search: one table that feeds `setoption`, `params`, the documentation and the search itself.

use crate::evaluation::Score256;
use crate::game::Variant;

/// A number of the search that may be tuned, for each game by itself. All are whole numbers; fractions are given in per
/// mille.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name without the game.
    pub name: &'static str,
    /// What it does and its unit.
    pub doc: &'static str,
    /// The default of each game, in the order of [`Variant::ALL`].
    pub defaults: [i32; 3],
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
}

/// The rows of [`TUNABLES`] by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Id {
    Exploration,
    MinimaxWeight,
    HintPrior,
    SiblingMargin,
    LeafDepth,
    LeafWindow,
    LeafMargin,
    EvalSlope,
    ScoutShare,
    ExpandVisits,
}

/// All tunables.
pub const TUNABLES: [Tunable; 10] = [
    Tunable {
        name: "Exploration",
        doc: "PUCT exploration constant in per mille: how much a rarely visited move is preferred",
        defaults: [75, 95, 75],
        min: 0,
        max: 1000,
    },
    Tunable {
        name: "MinimaxWeight",
        doc: "share of the minimax value, the rest being the mean, in what a move is worth, in per mille",
        defaults: [700, 790, 700],
        min: 0,
        max: 1000,
    },
    Tunable {
        name: "HintPrior",
        doc: "share of the prior that the best move of the table has for itself, in per mille; all moves have equal parts of the rest",
        defaults: [500, 340, 500],
        min: 0,
        max: 1000,
    },
    Tunable {
        name: "SiblingMargin",
        doc: "how much worse than the best move one is taken to be of which nothing is known, in 1/256 of a logit",
        defaults: [30, 30, 30],
        min: 0,
        max: 400,
    },
    Tunable {
        name: "LeafDepth",
        doc: "plies of the alpha-beta search from a leaf",
        defaults: [4, 4, 6],
        min: 1,
        max: 11,
    },
    Tunable {
        name: "LeafWindow",
        doc: "how much better than expected a leaf may be before its score is only a bound, in 1/256 of a logit",
        defaults: [300, 150, 300],
        min: 10,
        max: 2010,
    },
    Tunable {
        name: "LeafMargin",
        doc: "how much worse than expected a leaf may be before its score is only a bound, in 1/256 of a logit",
        defaults: [60, 26, 60],
        min: 1,
        max: 401,
    },
    Tunable {
        name: "EvalSlope",
        doc: "slope of the value 0.5 + 0.5 tanh(slope x seed share) of Evaluation material, in per mille",
        defaults: [3000, 3000, 3000],
        min: 100,
        max: 10100,
    },
    Tunable {
        name: "ScoutShare",
        doc: "share of each thread that an alpha-beta search of the root has, the scout, which has the last word, in per mille; 0 for no scout",
        defaults: [0, 990, 0],
        min: 0,
        max: 999,
    },
    Tunable {
        name: "ExpandVisits",
        doc: "visits after which a leaf gets children",
        defaults: [1, 1, 1],
        min: 1,
        max: 21,
    },
];

/// A tunable of one game, as options and scripts see it.
#[derive(Clone, Copy, Debug)]
pub struct GameTunable {
    /// The game.
    pub variant: Variant,
    row: usize,
}

impl GameTunable {
    /// All tunables of all games.
    pub fn all() -> impl Iterator<Item = GameTunable> {
        Variant::ALL.into_iter().flat_map(|variant| (0..TUNABLES.len()).map(move |row| GameTunable { variant, row }))
    }

    /// The row of the table.
    pub fn tunable(self) -> &'static Tunable {
        &TUNABLES[self.row]
    }

    /// The option's name: the game and the tunable, as in `KigogoExploration`.
    pub fn option_name(self) -> String {
        let game = match self.variant {
            Variant::Kiswahili => "Kiswahili",
            Variant::Kigogo => "Kigogo",
            Variant::Kimasai => "Kimasai",
        };
        format!("{game}{}", self.tunable().name)
    }

    /// The value it has before anyone sets it.
    pub fn default(self) -> i32 {
        self.tunable().defaults[self.variant as usize]
    }

    /// The step of a tuner at its end: a twentieth of the range, as SPSA's `c_end`.
    pub fn c_end(self) -> f64 {
        f64::from(self.tunable().max - self.tunable().min) / 20.0
    }
}

/// The learning rate of a tuner at its end, as SPSA's `r_end`.
pub const R_END: f64 = 0.002;

/// The values of all tunables of all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    values: [[i32; TUNABLES.len()]; Variant::ALL.len()],
}

impl Default for Params {
    fn default() -> Self {
        let of_game = |variant: usize| std::array::from_fn(|row: usize| TUNABLES[row].defaults[variant]);
        Params { values: std::array::from_fn(of_game) }
    }
}

impl Params {
    /// The value of a tunable.
    pub fn get(&self, which: GameTunable) -> i32 {
        self.values[which.variant as usize][which.row]
    }

    /// Sets a tunable; a value outside its range is cut to it.
    pub fn set(&mut self, which: GameTunable, value: i32) {
        let Tunable { min, max, .. } = *which.tunable();
        self.values[which.variant as usize][which.row] = value.clamp(min, max);
    }

    /// The same, but that the tree searches alone.
    pub(super) fn without_scout(mut self) -> Params {
        for values in &mut self.values {
            values[Id::ScoutShare as usize] = 0;
        }
        self
    }

    /// The values of one game, in the units that the search computes with.
    pub(super) fn tuning(&self, variant: Variant) -> Tuning {
        let values = &self.values[variant as usize];
        let whole = |id: Id| values[id as usize];
        let per_mille = |id: Id| f64::from(whole(id)) / 1000.0;
        Tuning {
            exploration: per_mille(Id::Exploration),
            minimax_weight: per_mille(Id::MinimaxWeight),
            hint_prior: per_mille(Id::HintPrior),
            sibling_margin: whole(Id::SiblingMargin),
            leaf_depth: whole(Id::LeafDepth).max(1) as u32,
            leaf_window: whole(Id::LeafWindow),
            leaf_margin: whole(Id::LeafMargin),
            expand_visits: whole(Id::ExpandVisits).max(1) as u32,
            eval_slope: per_mille(Id::EvalSlope),
            scout_share: whole(Id::ScoutShare).unsigned_abs(),
        }
    }
}

/// The tunables of one game, ready for use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    /// The constant c of PUCT, or of UCT.
    pub(super) exploration: f64,
    pub(super) minimax_weight: f64,
    pub(super) hint_prior: f64,
    pub(super) sibling_margin: Score256,
    /// 0 for a value of the leaf itself, and UCT.
    pub(super) leaf_depth: u32,
    pub(super) leaf_window: Score256,
    pub(super) leaf_margin: Score256,
    pub(super) expand_visits: u32,
    pub(super) eval_slope: f64,
    /// In per mille; 0 for no scout.
    pub(super) scout_share: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_are_the_rows_of_the_table() {
        for (id, name) in [
            (Id::Exploration, "Exploration"),
            (Id::MinimaxWeight, "MinimaxWeight"),
            (Id::HintPrior, "HintPrior"),
            (Id::SiblingMargin, "SiblingMargin"),
            (Id::LeafDepth, "LeafDepth"),
            (Id::LeafWindow, "LeafWindow"),
            (Id::LeafMargin, "LeafMargin"),
            (Id::EvalSlope, "EvalSlope"),
            (Id::ScoutShare, "ScoutShare"),
            (Id::ExpandVisits, "ExpandVisits"),
        ] {
            assert_eq!(TUNABLES[id as usize].name, name);
        }
    }

    #[test]
    fn every_default_is_in_range_and_every_name_is_one_word() {
        for which in GameTunable::all() {
            let Tunable { min, max, name, .. } = *which.tunable();
            assert!((min..=max).contains(&which.default()), "{name}");
            assert!(which.option_name().chars().all(char::is_alphanumeric), "{name}");
        }
    }

    #[test]
    fn a_set_value_is_that_of_its_game_alone() {
        let mut params = Params::default();
        let which = GameTunable::all().find(|t| t.option_name() == "KigogoExploration").unwrap();
        params.set(which, 777);
        assert_eq!(params.get(which), 777);
        assert!((params.tuning(Variant::Kigogo).exploration - 0.777).abs() < 1e-9);
        assert_eq!(params.tuning(Variant::Kimasai).exploration, Params::default().tuning(Variant::Kimasai).exploration);
        params.set(which, i32::MAX);
        assert_eq!(params.get(which), which.tunable().max);
    }
}
