//! What a position is worth to the side to move, without searching.
//!
//! [`Evaluate`] is the one interface; [`Material`] counts seeds, a [`Net`] has learned from games that the engine played
//! against itself. [`Evaluation`] is what a user chooses, `Evaluator` that choice for one game. `inputs` says what a
//! net sees of a position, `weights` how its file is read, `inference` how it is computed.
//!
//! An evaluation is a [`Score256`]: a log-odds in units of 1/256.

mod inference;
mod inputs;
mod material;
mod net;
mod weights;

pub use inputs::{Inputs, STAGES};
pub use material::Material;
pub use net::Net;
pub use weights::{NetError, Training};

use crate::game::Variant;
use std::sync::{Arc, LazyLock};

/// The log-odds of a win of the side to move, natural logarithm, in units of 1/256: with score s the win probability is
/// 1 / (1 + exp(-s / 256)), a draw counting as half a win.
pub type Score256 = i32;

/// The largest evaluation: a win probability that a float cannot tell from 1.
pub const MAX_SCORE: Score256 = 8_191;

/// The win probability of a score, in 0..=1. At 256 it is 0.731.
///
/// ```
/// use kete::evaluation::win_probability;
/// assert_eq!(win_probability(0), 0.5);
/// assert!((win_probability(281) - 0.75).abs() < 0.001);
/// ```
#[inline]
pub fn win_probability(score: Score256) -> f64 {
    if score >= CERTAIN {
        return 1.0;
    }
    // A search asks for those of all children at every step down its tree.
    let tabled = usize::try_from(score + CERTAIN).ok().and_then(|index| WIN_PROBABILITIES.get(index));
    tabled.copied().unwrap_or_else(|| logistic(score))
}

/// From here on 1 / (1 + e^-x) is 1 in double precision.
const CERTAIN: Score256 = 9_405;

/// The win probabilities of the scores from `-CERTAIN` on, up to but not including `CERTAIN`.
static WIN_PROBABILITIES: LazyLock<Box<[f64]>> = LazyLock::new(|| (-CERTAIN..CERTAIN).map(logistic).collect());

fn logistic(score: Score256) -> f64 {
    // `libm` and not the system's exp: a search gives the same result on every machine.
    1.0 / (1.0 + libm::exp(-f64::from(score) / 256.0))
}

/// A judge of positions.
pub trait Evaluate {
    /// The worth of a position to its side to move, within ± [`MAX_SCORE`]. The position is taken not to be over.
    fn evaluate<P: Inputs>(&self, position: &P) -> Score256;
}

/// The kinds of evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationKind {
    /// The net.
    #[default]
    Net,
    /// The seeds that each side holds.
    Material,
    /// The result of random moves to the end of the game, as in the first programs of this kind: an opponent to measure
    /// against. Whatever needs a worth at once counts seeds.
    Playout,
}

impl EvaluationKind {
    /// All kinds.
    pub const ALL: [EvaluationKind; 3] = [EvaluationKind::Net, EvaluationKind::Material, EvaluationKind::Playout];

    /// The word of the option `Evaluation`.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluationKind::Net => "net",
            EvaluationKind::Material => "material",
            EvaluationKind::Playout => "playout",
        }
    }
}

/// The net of each game that is part of the program.
static BUILT_IN: LazyLock<[Arc<Net>; 3]> = LazyLock::new(|| {
    let files: [&[u8]; 3] = [
        include_bytes!("../data/kiswahili.knet"),
        include_bytes!("../data/kigogo.knet"),
        include_bytes!("../data/kimasai.knet"),
    ];
    // What is read here was there when the program was built; a test reads all three.
    files.map(|bytes| Arc::new(Net::from_bytes(bytes).expect("the program's own nets are sound")))
});

/// How positions are evaluated, for all games: the kind, and the nets.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Who judges.
    pub kind: EvaluationKind,
    /// Whether a net is computed with vector instructions. The results are the same; without them it is slower.
    pub vectors: bool,
    /// Nets that were loaded instead of the built-in ones, in the order of [`Variant::ALL`].
    loaded: [Option<Arc<Net>>; 3],
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation { kind: EvaluationKind::Net, vectors: true, loaded: [None, None, None] }
    }
}

impl Evaluation {
    /// Uses a net for its game from here on.
    pub fn load(&mut self, net: Net) {
        let index = net.variant() as usize;
        self.loaded[index] = Some(Arc::new(net));
    }

    /// Goes back to the built-in nets.
    pub fn unload(&mut self) {
        self.loaded = [None, None, None];
    }

    /// The net of a game.
    pub fn net(&self, variant: Variant) -> &Net {
        self.loaded[variant as usize].as_deref().unwrap_or_else(|| &BUILT_IN[variant as usize])
    }

    /// The judge of one game's positions; `slope` is that of [`Material`].
    pub(crate) fn evaluator(&self, variant: Variant, slope: f64) -> Evaluator {
        match self.kind {
            EvaluationKind::Material => Evaluator::Material(Material { slope }),
            EvaluationKind::Playout => Evaluator::Playout(Material { slope }),
            EvaluationKind::Net => {
                let index = variant as usize;
                let net = Arc::clone(self.loaded[index].as_ref().unwrap_or_else(|| &BUILT_IN[index]));
                if self.vectors { Evaluator::Net(net) } else { Evaluator::ScalarNet(net) }
            }
        }
    }
}

/// The evaluation of one game.
#[derive(Clone, Debug)]
pub(crate) enum Evaluator {
    Material(Material),
    /// The tree search plays random games instead.
    Playout(Material),
    Net(Arc<Net>),
    /// The same without vector instructions.
    ScalarNet(Arc<Net>),
}

impl Evaluate for Evaluator {
    #[inline]
    fn evaluate<P: Inputs>(&self, position: &P) -> Score256 {
        match self {
            Evaluator::Material(material) | Evaluator::Playout(material) => material.evaluate(position),
            Evaluator::Net(net) => net.evaluate(position),
            Evaluator::ScalarNet(net) => net.evaluate_scalar(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_probabilities_are_those_of_the_formula() {
        for score in -32_500..=32_500 {
            assert_eq!(win_probability(score), logistic(score), "{score}");
        }
    }

    #[test]
    fn the_built_in_nets_are_those_of_their_games() {
        let evaluation = Evaluation::default();
        for variant in Variant::ALL {
            assert_eq!(evaluation.net(variant).variant(), variant);
        }
    }
}
