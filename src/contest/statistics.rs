//! Estimates of strength: Elo, normalized Elo, and the likelihood of superiority.

use super::sample::{Moments, Sample};

/// Standard errors on each side of an interval that holds the truth in 95 of 100 matches: Φ⁻¹(0.975), in all its digits,
/// as near a score of 0 or 1 the seventh of them moves the error by more than 0.0001 Elo.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Normalized Elo a unit of (mean - 1/2)/sd: 800/ln 10, which makes small differences equal to Elo where no game is
/// drawn. Source: M. Van den Bergh, *Normalized Elo*.
pub(super) const NELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference at which a player is expected to score `score`, in 0..1, a game: -400 log10(1/score - 1).
///
/// Positive if the player who scores is the stronger one. `None` if the score is not within 0 and 1, both excluded, where
/// no finite difference is large enough. Source: the logistic curve of chess ratings.
///
/// ```
/// use kete::contest::elo_of_score;
/// assert_eq!(format!("{:.2}", elo_of_score(0.75).unwrap()), "190.85");
/// assert_eq!(elo_of_score(1.0), None);
/// ```
pub fn elo_of_score(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    // The same formula turned round, so that one half gives 0 and not -0.
    inside.then(|| 400.0 * libm::log10(score / (1.0 - score))).filter(|elo| elo.is_finite())
}

/// The score in 0..=1 a game that is expected of a player so many Elo above the other: 1/(1 + 10^(-elo/400)).
///
/// The inverse of [`elo_of_score`]; beyond some 6,000 Elo it is 1 to the last digit.
///
/// ```
/// use kete::contest::score_of_elo;
/// assert_eq!(format!("{:.4}", score_of_elo(100.0)), "0.6401");
/// ```
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// What a sample says about the strength of the first engine against the second. Each is `None` where it is undefined.
///
/// With N games or pairs, p the share of each class and a its score (of the first engine, in 0..=1): mu = Σ p a,
/// var = Σ p (a - mu)², and the standard error of mu is sqrt(var/N).
///
/// ```
/// use kete::contest::{GameCounts, PairCounts, Sample, Statistics};
/// let two = |number: Option<f64>| format!("{:.2}", number.unwrap());
///
/// let games = Statistics::of(&Sample::Games(GameCounts { wins: 30, draws: 20, losses: 10 }));
/// assert_eq!((two(games.elo), two(games.elo_error)), ("120.41".to_owned(), "75.26".to_owned()));
/// assert_eq!((two(games.nelo), two(games.nelo_error)), ("155.38".to_owned(), "87.91".to_owned()));
/// assert_eq!(format!("{:.5}", games.los.unwrap()), "0.99973");
/// assert_eq!(format!("{:.4}", games.score_error.unwrap()), "0.0943");
///
/// let pairs = Statistics::of(&Sample::Pairs(PairCounts { ll: 5, ld: 20, wl_dd: 60, wd: 25, ww: 15 }));
/// assert_eq!((two(pairs.elo), two(pairs.elo_error)), ("34.86".to_owned(), "30.22".to_owned()));
/// assert_eq!((two(pairs.nelo), two(pairs.nelo_error)), ("50.15".to_owned(), "43.07".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// The mean score mu of the first engine, in 0..=1 a game; `None` of an empty sample. At 30-20-10 it is 0.6667.
    pub score: Option<f64>,
    /// Half the width of the 95 % interval of the score, 1.959964 sqrt(var/N); `None` of an empty sample. At 30-20-10 it
    /// is 0.0943.
    pub score_error: Option<f64>,
    /// Elo of the first engine above the second, [`elo_of_score`] of the score; `None` if it scored nothing or everything.
    /// At 30-20-10 it is 120.41.
    pub elo: Option<f64>,
    /// Half the width, in Elo, of the 95 % interval that belongs to mu ± 1.959964 sqrt(var/N); `None` if that interval
    /// leaves 0..1. The interval is not symmetric about `elo`, this is half of its width. At 30-20-10 it is 75.26.
    pub elo_error: Option<f64>,
    /// Normalized Elo of the first engine above the second: (mu - 1/2)/sigma × 800/ln 10, where sigma is the standard
    /// deviation of a game: sqrt(var) for games, sqrt(2 var) for pairs. `None` if all scores are equal. At 30-20-10 it is
    /// 155.38. Source: M. Van den Bergh, *Normalized Elo*.
    pub nelo: Option<f64>,
    /// Half the width, in normalized Elo, of its 95 % interval: 1.959964 × 800/ln 10 / sqrt(games), a pair being two
    /// games. `None` where `nelo` is. At 30-20-10 it is 87.91.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority in 0..=1, the probability that the first engine is the stronger one:
    /// Φ((mu - 1/2)/sqrt(var/N)), Φ being the normal distribution. Where all scores are equal it is the limit: 1, 1/2 or 0.
    /// `None` of an empty sample. At 30-20-10 it is 0.99973.
    pub los: Option<f64>,
}

impl Statistics {
    /// The statistics of a sample.
    pub fn of(sample: &Sample) -> Statistics {
        let Some(moments) = sample.moments() else {
            return Statistics::default();
        };
        let sigma = (sample.games_each() * moments.variance).sqrt();
        let varies = sigma > 0.0;
        let games = sample.games_each() * moments.count;
        Statistics {
            nelo: varies.then(|| (moments.mean - 0.5) / sigma * NELO_SCALE).filter(|nelo| nelo.is_finite()),
            nelo_error: varies.then(|| Z_95 * NELO_SCALE / games.sqrt()),
            ..Statistics::of_moments(&moments)
        }
    }

    /// The statistics that mean and standard error determine: all but normalized Elo, which needs the variance of a game.
    pub(super) fn of_moments(moments: &Moments) -> Statistics {
        Statistics {
            score: Some(moments.mean),
            score_error: Some(score_error(moments)),
            elo: elo_of_score(moments.mean),
            elo_error: elo_error(moments),
            nelo: None,
            nelo_error: None,
            los: Some(likelihood_of_superiority(moments)),
        }
    }
}

fn score_error(moments: &Moments) -> f64 {
    Z_95 * (moments.variance / moments.count).sqrt()
}

fn elo_error(moments: &Moments) -> Option<f64> {
    let margin = score_error(moments);
    let low = elo_of_score(moments.mean - margin)?;
    let high = elo_of_score(moments.mean + margin)?;
    Some((high - low) / 2.0)
}

fn likelihood_of_superiority(moments: &Moments) -> f64 {
    let lead = moments.mean - 0.5;
    if lead == 0.0 {
        return 0.5;
    }
    // No variance: a quotient of ±infinity, of which erfc is 2 or 0.
    let z = lead / (moments.variance / moments.count).sqrt();
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}
