//! The head of a file: what made its data, as JSON.

use super::record::record_bytes;
use super::settings::Settings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first bytes of every data file.
pub(super) const MAGIC: [u8; 8] = *b"KETEDATA";
/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// Bytes before the JSON text.
pub(super) const FIXED: usize = 16;
/// All headers are a multiple of so many bytes long, by spaces, so that the number of games can change in place.
const UNIT: usize = 512;
/// No header has more JSON than this.
pub(super) const MAX_JSON: u32 = 1 << 16;

/// What made the data of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The bytes of a record.
    pub record_bytes: usize,
    /// Where random numbers started.
    pub seed: u64,
    /// How many games were asked for.
    pub games: u32,
    /// Nodes of the search of a position.
    pub nodes: u64,
    /// The chance of a random move behind the opening, 0 to 1.
    pub random_moves: f64,
    /// The fewest and the most random plies at the start of a game.
    pub opening_plies: (u32, u32),
    /// A game of so many plies was given up as drawn.
    pub max_plies: u32,
    /// The name of the evaluation.
    pub evaluation: String,
    /// The SHA-256 of the net, if the evaluation is one.
    pub net: Option<String>,
    /// The program and its version.
    pub engine: String,
}

impl Header {
    /// The header of a file that is made with these settings.
    pub fn new(settings: &Settings) -> Header {
        Header {
            game: settings.variant.name().to_owned(),
            record_bytes: record_bytes(settings.variant),
            seed: settings.seed,
            games: settings.games,
            nodes: settings.nodes,
            random_moves: f64::from(settings.random_moves) / 100.0,
            opening_plies: settings.opening_plies,
            max_plies: settings.max_plies,
            evaluation: settings.evaluation.clone(),
            net: settings.net.clone(),
            engine: format!("kete {}", env!("CARGO_PKG_VERSION")),
        }
    }

    /// The bytes before the first chunk.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut json = serde_json::to_vec(self)?;
        json.resize((FIXED + json.len()).next_multiple_of(UNIT) - FIXED, b' ');
        let length = u32::try_from(json.len()).unwrap_or(u32::MAX);
        Ok([&MAGIC[..], &VERSION.to_le_bytes(), &length.to_le_bytes(), &json].concat())
    }

    /// What keeps data of this header from becoming those of `wanted`: each setting with both values, or nothing. The
    /// number of games may grow.
    pub(super) fn difference(&self, wanted: &Header) -> Result<Option<String>, serde_json::Error> {
        let (Value::Object(found), Value::Object(wanted)) =
            (serde_json::to_value(self)?, serde_json::to_value(wanted)?)
        else {
            return Ok(None);
        };
        let grows = |name: &str, found: &Value, wanted: &Value| name == "games" && found.as_u64() <= wanted.as_u64();
        let differences: Vec<String> = wanted
            .iter()
            .filter_map(|(name, wanted)| {
                let found = found.get(name).unwrap_or(&Value::Null);
                let same = found == wanted || grows(name, found, wanted);
                let hint = if name == "games" { " (they can only grow)" } else { "" };
                (!same).then(|| format!("{name} is {found} there, {wanted} here{hint}"))
            })
            .collect();
        Ok((!differences.is_empty()).then(|| differences.join(", ")))
    }
}
