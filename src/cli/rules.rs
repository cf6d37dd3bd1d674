//! The rules of a match as they are typed: where games begin, when they end early, when the match has decided.

use super::groups::{Group, GroupError};
use super::plan::PlanError;
use crate::contest::{DrawRule, Model, OpeningSource, Order, ResignRule, Sprt, SprtConfig};
use crate::game::Variant;
use crate::notation::quote;

/// Random plies at the start of games, if nobody says otherwise.
pub(super) const OPENING_PLIES: u32 = 8;
/// The same in Bao la Kimasai, which has few openings of so few plies: for at most so many rounds, so many plies. Of 8, 10,
/// 12 and 14 plies there are 159, 754, 3423 and 14,888.
const KIMASAI_PLIES: [(u32, u32); 4] = [(150, 8), (700, 10), (3400, 12), (14_000, 14)];

/// The plies of random openings, if nobody says: enough for so many rounds.
pub(super) fn opening_plies(variants: &[Variant], rounds: u32) -> u32 {
    if !variants.contains(&Variant::Kimasai) {
        return OPENING_PLIES;
    }
    let enough = KIMASAI_PLIES.iter().find(|(most, _)| rounds <= *most);
    enough.map_or(18, |(_, plies)| *plies)
}

/// Where games begin.
pub(super) fn openings(words: &[String], plies: u32) -> Result<OpeningSource, PlanError> {
    if words.is_empty() {
        return Ok(OpeningSource::Random { plies, start: 0 });
    }
    let group = Group::new("--openings", words);
    let head = group.head();
    let start = group.parse("start", "a whole number")?.unwrap_or(0);
    let source = match head {
        Some("random") => {
            let plies = group.parse("plies", "a whole number")?.unwrap_or(plies);
            OpeningSource::Random { plies, start }
        }
        None => {
            let file: String = group.required("file", "random plies=N, or file=F order=sequential|random")?;
            let path = std::path::absolute(&file).map_err(|error| group.error(format!("file={file}: {error}")))?;
            let order = match group.take("order")? {
                None | Some("sequential") => Order::Sequential,
                Some("random") => Order::Random,
                Some(word) => {
                    return Err(group.error(format!("order={word}: expected sequential or random")).into());
                }
            };
            OpeningSource::File { path, order, start }
        }
        Some(word) => {
            let expected = "expected random plies=N, or file=F order=sequential|random";
            return Err(group.error(format!("{}: {expected}", quote(word))).into());
        }
    };
    group.finish()?;
    Ok(source)
}

/// When a game is given up.
pub(super) fn resign(words: &[String]) -> Result<Option<ResignRule>, PlanError> {
    if words.is_empty() {
        return Ok(None);
    }
    let group = Group::new("--resign", words);
    let rule = ResignRule {
        move_count: at_least_one(&group, "movecount")?,
        score_cp: group.required("score", "centipawns")?,
        two_sided: group.parse("twosided", "true or false")?.unwrap_or(false),
    };
    if rule.score_cp < 0 {
        return Err(group.error(format!("score={}: expected centipawns of at least 0", rule.score_cp)).into());
    }
    group.finish()?;
    Ok(Some(rule))
}

/// When a game is called a draw.
pub(super) fn draw(words: &[String]) -> Result<Option<DrawRule>, PlanError> {
    if words.is_empty() {
        return Ok(None);
    }
    let group = Group::new("--draw", words);
    let rule = DrawRule {
        move_number: at_least_one(&group, "movenumber")?,
        move_count: at_least_one(&group, "movecount")?,
        score_cp: group.required("score", "centipawns")?,
    };
    if rule.score_cp < 0 {
        return Err(group.error(format!("score={}: expected centipawns of at least 0", rule.score_cp)).into());
    }
    group.finish()?;
    Ok(Some(rule))
}

fn at_least_one(group: &Group<'_>, key: &'static str) -> Result<u32, GroupError> {
    match group.required(key, "a whole number of at least 1")? {
        0 => Err(group.error(format!("{key}=0: expected a whole number of at least 1"))),
        number => Ok(number),
    }
}

/// The test that was typed, if one was.
///
/// # Errors
/// [`PlanError`], which names what was found and what was expected.
pub fn sprt(words: &[String], min_pairs: u64) -> Result<Option<SprtConfig>, PlanError> {
    if words.is_empty() {
        return Ok(None);
    }
    let group = Group::new("--sprt", words);
    let model = match group.take("model")? {
        None => Model::Normalized,
        Some(name) => Model::from_name(name).ok_or_else(|| {
            group.error(format!("model={name}: expected one of {}", Model::ALL.map(Model::name).join(", ")))
        })?,
    };
    let config = SprtConfig {
        elo0: group.required("elo0", "a number of Elo")?,
        elo1: group.required("elo1", "a number of Elo")?,
        alpha: group.parse("alpha", "a probability")?.unwrap_or(0.05),
        beta: group.parse("beta", "a probability")?.unwrap_or(0.05),
        model,
        min_pairs,
    };
    Sprt::new(config.settings()).map_err(|error| group.error(error.to_string()))?;
    group.finish()?;
    Ok(Some(config))
}
