//! The sequential probability ratio test: has the match decided between two hypotheses?

use super::sample::{MAX_CLASSES, PerClass, Sample, mean_and_variance};
use super::statistics::{NELO_SCALE, score_of_elo};
use arrayvec::ArrayVec;

/// What the Elo of a hypothesis measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Elo by the logistic curve, which fixes the mean score: see [`score_of_elo`].
    Logistic,
    /// Normalized Elo, which fixes the mean score above 1/2 in standard deviations of a game. The length of a test then
    /// depends little on how many games are drawn.
    Normalized,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 2] = [Model::Logistic, Model::Normalized];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }

    /// The model of that name, in lower case.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// One of the two hypotheses of a test, about the strength of the first engine against the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The first engine is `elo0` above the second.
    H0,
    /// The first engine is `elo1` above the second.
    H1,
}

/// What a test is asked to be; [`Sprt::new`] checks it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSettings {
    /// Elo, in the units of the model, of the first engine above the second, if H0 is true.
    pub elo0: f64,
    /// The same if H1 is true; more than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 while H0 is true; above 0 and below 0.5.
    pub alpha: f64,
    /// The probability of accepting H0 while H1 is true; above 0 and below 0.5.
    pub beta: f64,
    /// What Elo means.
    pub model: Model,
}

/// Why settings make no test: what was found, and what was expected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// An Elo that is NaN or infinite.
    #[error("{name} is {found}, expected a finite number of Elo")]
    NotFinite {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// Its value.
        found: f64,
    },
    /// Hypotheses that are equal or the wrong way round.
    #[error("elo0 is {elo0} and elo1 is {elo1}, expected elo0 below elo1")]
    Order {
        /// The Elo of H0.
        elo0: f64,
        /// The Elo of H1.
        elo1: f64,
    },
    /// An error rate that no test can keep.
    #[error("{name} is {found}, expected a probability above 0 and below 0.5")]
    Probability {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        found: f64,
    },
}

/// A sequential probability ratio test of two hypotheses on the strength of the first engine against the second.
///
/// After each game or pair the log-likelihood ratio ([`Sprt::llr`]) is compared with two bounds ([`Sprt::bounds`]); outside
/// of them the match has decided ([`Sprt::verdict`]). Source: A. Wald, *Sequential Tests of Statistical Hypotheses*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    settings: SprtSettings,
}

impl Sprt {
    /// A test with these settings.
    ///
    /// ```
    /// use kete::contest::{Model, Sprt, SprtSettings};
    /// let settings = SprtSettings { elo0: 5.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    /// let error = Sprt::new(settings).unwrap_err();
    /// assert_eq!(error.to_string(), "elo0 is 5 and elo1 is 0, expected elo0 below elo1");
    /// ```
    ///
    /// # Errors
    /// [`SprtError`] if an Elo is not finite, `elo0` is not below `elo1`, or an error rate is not above 0 and below 0.5.
    pub fn new(settings: SprtSettings) -> Result<Sprt, SprtError> {
        let SprtSettings { elo0, elo1, alpha, beta, .. } = settings;
        for (name, found) in [("elo0", elo0), ("elo1", elo1)] {
            if !found.is_finite() {
                return Err(SprtError::NotFinite { name, found });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, found) in [("alpha", alpha), ("beta", beta)] {
            if !(found > 0.0 && found < 0.5) {
                return Err(SprtError::Probability { name, found });
            }
        }
        Ok(Sprt { settings })
    }

    /// The settings, as they were given.
    pub fn settings(&self) -> SprtSettings {
        self.settings
    }

    /// The log-likelihood ratios, lower and upper, at which H0 and H1 are accepted: ln(β/(1-α)) and ln((1-β)/α), natural
    /// logarithms. Source: A. Wald, *Sequential Tests of Statistical Hypotheses*.
    ///
    /// ```
    /// use kete::contest::{Model, Sprt, SprtSettings};
    /// let settings = SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.1, model: Model::Normalized };
    /// let (lower, upper) = Sprt::new(settings)?.bounds();
    /// assert_eq!((format!("{lower:.4}"), format!("{upper:.4}")), ("-2.2513".to_owned(), "2.8904".to_owned()));
    /// # Ok::<(), kete::contest::SprtError>(())
    /// ```
    pub fn bounds(&self) -> (f64, f64) {
        let SprtSettings { alpha, beta, .. } = self.settings;
        // Differences of logarithms: a quotient could overflow.
        (libm::log(beta) - libm::log1p(-alpha), libm::log1p(-beta) - libm::log(alpha))
    }

    /// What such a log-likelihood ratio decides: at the lower bound and below it H0, at the upper one and above it H1,
    /// between them nothing yet. With α = β = 0.05 the bounds are ±2.944.
    pub fn verdict(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }

    /// The generalised log-likelihood ratio of a sample, positive if it speaks for H1: N Σ p ln(q1/q0), natural logarithm.
    ///
    /// N is the number of games or pairs, p the share of each class, qh the law of largest likelihood among those that
    /// satisfy hypothesis h. An empty class counts as 0.001 of a game or pair, in N too. Nothing played says nothing: 0.
    /// `None` where Elo or counts are too large for the arithmetic: none was met in random trials below 1,200 Elo and ten
    /// million games a class. Sources: M. Van den Bergh, *Comparing the approximations for the generalized log likelihood
    /// ratio of a multinomial distribution* and *Comments on normalized Elo*.
    ///
    /// ```
    /// use kete::contest::{Model, PairCounts, Sample, Sprt, SprtSettings};
    /// let sample = Sample::Pairs(PairCounts { ll: 5, ld: 20, wl_dd: 60, wd: 25, ww: 15 });
    /// let llr = |model| {
    ///     let settings = SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model };
    ///     format!("{:.4}", Sprt::new(settings).unwrap().llr(&sample).unwrap())
    /// };
    /// assert_eq!(llr(Model::Logistic), "1.2680");
    /// assert_eq!(llr(Model::Normalized), "0.9272");
    /// ```
    pub fn llr(&self, sample: &Sample) -> Option<f64> {
        let counts = sample.counts();
        if counts.iter().all(|&n| n == 0.0) {
            return Some(0.0);
        }
        let counts: PerClass = counts.into_iter().map(|n| if n == 0.0 { EMPTY_CLASS } else { n }).collect();
        let total: f64 = counts.iter().sum();
        let shares: PerClass = counts.iter().map(|n| n / total).collect();
        let observed = Observed { shares: &shares, scores: sample.scores() };
        let law = |elo: f64| match self.settings.model {
            Model::Logistic => observed.with_mean(score_of_elo(elo)),
            Model::Normalized => observed.with_ratio(elo / NELO_SCALE * sample.games_each().sqrt()),
        };
        let (law0, law1) = (law(self.settings.elo0)?, law(self.settings.elo1)?);
        // q1/q0 is the inverse quotient of the divisors.
        let llr: f64 = counts.iter().zip(law0.iter().zip(&law1)).map(|(n, (d0, d1))| n * libm::log(d0 / d1)).sum();
        Some(llr).filter(|llr| llr.is_finite())
    }
}

/// What an empty class counts as, in games or pairs, so that its logarithm exists.
const EMPTY_CLASS: f64 = 0.001;

/// More halvings than any interval of floating-point numbers takes here.
const MAX_HALVINGS: u32 = 300;
/// After so many rounds the iteration for normalized Elo is taken as one that never settles.
const MAX_ROUNDS: u32 = 60;
/// No probability changes by more than this once it has settled.
const SETTLED: f64 = 1e-12;
/// The same of Newton's method in two dimensions.
const MAX_STEPS: u32 = 100;
/// Steps of a search for a maximum in one dimension: a coarse grid, then golden sections.
const GRID: u32 = 40;
const SECTIONS: u32 = 60;

/// The observed law p of scores a, no probability being 0.
///
/// Each law q of largest likelihood is given by its divisors d = p/q, as that is what a Lagrange multiplier yields.
#[derive(Clone, Copy)]
struct Observed<'a> {
    shares: &'a [f64],
    scores: &'a [f64],
}

impl Observed<'_> {
    /// The likeliest law with this mean score.
    fn with_mean(&self, mean: f64) -> Option<PerClass> {
        let gaps: PerClass = self.scores.iter().map(|a| a - mean).collect();
        self.orthogonal_to(&gaps)
    }

    /// The likeliest law q with Σ q g = 0: d = 1 + θ g, θ being the root of the secular equation Σ p g/(1 + θ g) = 0 in
    /// (-1/max g, -1/min g), found by bisection. `None` if all g have one sign.
    ///
    /// The root can be closer to an end of the interval than θ can tell, so its distance from that end is what is halved.
    fn orthogonal_to(&self, gaps: &[f64]) -> Option<PerClass> {
        let high = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let half_width = (1.0 / high - 1.0 / low) / 2.0;
        if !(low < 0.0 && high > 0.0 && half_width.is_finite()) {
            return None;
        }
        // At θ = -1/extreme + distance.
        let divisors = |extreme: f64, distance: f64| -> PerClass {
            gaps.iter().map(|g| (1.0 - g / extreme) + distance * g).collect()
        };
        let slope = |divisors: &PerClass| -> f64 {
            self.shares.iter().zip(gaps).zip(divisors).map(|((p, g), d)| p * g / d).sum()
        };
        // The slope falls from the lower end to the upper one.
        let (extreme, sign) = if slope(&divisors(high, half_width)) < 0.0 { (high, 1.0) } else { (low, -1.0) };
        let (mut near, mut far) = (0.0, half_width);
        for _ in 0..MAX_HALVINGS {
            let middle = near + (far - near) / 2.0;
            if middle <= near || middle >= far {
                break;
            }
            if sign * slope(&divisors(extreme, sign * middle)) > 0.0 { near = middle } else { far = middle }
        }
        let found = divisors(extreme, sign * far);
        found.iter().all(|&d| d > 0.0).then_some(found)
    }

    /// The likeliest law with (mean - 1/2)/sd = `ratio`.
    fn with_ratio(&self, ratio: f64) -> Option<PerClass> {
        self.ratio_by_iteration(ratio).or_else(|| self.ratio_by_mean(ratio))
    }

    /// The same by the iteration of *Comments on normalized Elo*, 4.1: the constraint is made linear about the law of the
    /// last round, the first one being uniform. `None` if a round has no root or the law does not settle.
    fn ratio_by_iteration(&self, ratio: f64) -> Option<PerClass> {
        let mut law: PerClass = self.shares.iter().map(|_| 1.0 / self.shares.len() as f64).collect();
        for _ in 0..MAX_ROUNDS {
            let (mean, variance) = mean_and_variance(&law, self.scores);
            let sd = variance.sqrt();
            let bend = |a: f64| ratio * sd * (1.0 + ((a - mean) / sd) * ((a - mean) / sd)) / 2.0;
            let gaps: PerClass = self.scores.iter().map(|&a| a - 0.5 - bend(a)).collect();
            let divisors = self.orthogonal_to(&gaps)?;
            let next: PerClass = self.shares.iter().zip(&divisors).map(|(p, d)| p / d).collect();
            let change = next.iter().zip(&law).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
            if change < SETTLED {
                return Some(divisors);
            }
            law = next;
        }
        None
    }

    /// The same by trying means m, each with sd = (m - 1/2)/ratio: slower, but it has an answer for extreme counts.
    fn ratio_by_mean(&self, ratio: f64) -> Option<PerClass> {
        let law = |mean: f64| self.with_mean_and_sd(mean, (mean - 0.5) / ratio);
        let mut best: Option<(f64, PerClass)> = None;
        for (from, to) in possible_means(self.scores, ratio) {
            let mean = maximum(from, to, |mean| law(mean).map_or(f64::NEG_INFINITY, |d| self.likelihood(&d)));
            if let Some(divisors) = law(mean) {
                let likelihood = self.likelihood(&divisors);
                if best.as_ref().is_none_or(|(known, _)| likelihood > *known) {
                    best = Some((likelihood, divisors));
                }
            }
        }
        best.map(|(_, divisors)| divisors)
    }

    /// The log-likelihood Σ p ln(q/p) of a law, at most 0.
    fn likelihood(&self, divisors: &[f64]) -> f64 {
        -self.shares.iter().zip(divisors).map(|(p, d)| p * libm::log(*d)).sum::<f64>()
    }

    /// The likeliest law with this mean and standard deviation: d = 1 + x u + y v, u = a - mean, v = u² - sd², where x and
    /// y maximise Σ p ln d, by Newton's method with halved steps. `None` if it does not converge, as where no law exists.
    fn with_mean_and_sd(&self, mean: f64, sd: f64) -> Option<PerClass> {
        let terms = |divisors: &PerClass| -> ArrayVec<(f64, f64, f64), MAX_CLASSES> {
            let terms = self.shares.iter().zip(self.scores).zip(divisors);
            terms.map(|((p, a), d)| (*p, (a - mean) / d, ((a - mean) * (a - mean) - sd * sd) / d)).collect()
        };
        let mut now: PerClass = self.scores.iter().map(|_| 1.0).collect();
        let (mut x, mut y) = (0.0, 0.0);
        for _ in 0..MAX_STEPS {
            // Newton's equations by Cramer's rule, each determinant as a sum over pairs of classes: the usual one loses
            // all its digits where one class has nearly all games.
            let (mut determinant, mut dx, mut dy, mut gx, mut gy) = (0.0, 0.0, 0.0, 0.0, 0.0);
            let terms = terms(&now);
            for &(p, u, v) in &terms {
                (gx, gy) = (gx + p * u, gy + p * v);
                for &(other, s, t) in &terms {
                    let minor = u * t - v * s;
                    determinant += p * other * minor * minor / 2.0;
                    (dx, dy) = (dx + p * other * t * minor, dy - p * other * s * minor);
                }
            }
            (dx, dy) = (dx / determinant, dy / determinant);
            let expected = gx * dx + gy * dy;
            if expected.abs() < 1e-20 {
                return Some(now);
            }
            let step = (0..60).map(|halvings| libm::ldexp(1.0, -halvings)).find_map(|step| {
                let (x, y) = (x + step * dx, y + step * dy);
                let then: PerClass =
                    self.scores.iter().map(|a| a - mean).map(|u| 1.0 + x * u + y * (u * u - sd * sd)).collect();
                let gain: f64 =
                    self.shares.iter().zip(then.iter().zip(&now)).map(|(p, (d, e))| p * libm::log(d / e)).sum();
                (gain > 0.0 && then.iter().all(|&d| d > 0.0)).then_some((x, y, then))
            });
            match step {
                Some(next) => (x, y, now) = next,
                // Rounding hides any further gain; that is convergence only if little was expected.
                None => return (expected.abs() < 1e-12).then_some(now),
            }
        }
        None
    }
}

/// The open intervals of means m for which a law on these scores with sd = (m - 1/2)/ratio exists.
///
/// At a mean between two neighbouring scores b < m < c the variance is at least (c - m)(m - b), all weight being on these
/// two, and at most (c - m)(m - b) for the outermost scores 0 and 1.
fn possible_means(scores: &[f64], ratio: f64) -> Vec<(f64, f64)> {
    let square = ratio * ratio;
    // Where (m - 1/2)²/ratio² = (c - m)(m - b).
    let roots = |b: f64, c: f64| {
        let (lead, linear) = (1.0 + square, 1.0 + square * (b + c));
        let discriminant = linear * linear - 4.0 * lead * (0.25 + square * b * c);
        let root = (discriminant >= 0.0).then(|| discriminant.sqrt())?;
        Some(((linear - root) / (2.0 * lead), (linear + root) / (2.0 * lead)))
    };
    let reach = ratio.abs() / (2.0 * (1.0 + square).sqrt());
    let (from, to) = if ratio > 0.0 { (0.5, 0.5 + reach) } else { (0.5 - reach, 0.5) };
    let mut intervals = Vec::new();
    for (&b, &c) in scores.iter().zip(scores.iter().skip(1)) {
        let (left, right) = (b.max(from), c.min(to));
        match roots(b, c) {
            Some((r, s)) => intervals.extend([(left, right.min(r)), (left.max(s), right)]),
            None => intervals.push((left, right)),
        }
    }
    intervals.retain(|(left, right)| left < right);
    intervals
}

/// Where `f` is largest between two numbers: the best point of a grid, made exact by golden sections beside it.
fn maximum(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let width = (to - from) / f64::from(GRID);
    let points = (0..GRID).map(|i| from + (f64::from(i) + 0.5) * width);
    let (start, _) = points.map(|x| (x, f(x))).fold((from, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a });
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = ((start - width).max(from), (start + width).min(to));
    for _ in 0..SECTIONS {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if f(left) < f(right) { low = left } else { high = right }
    }
    low + (high - low) / 2.0
}
