//! The three games by name.

use std::fmt;

/// One of the three games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Variant {
    /// Bao la Kiswahili, 4 x 8, with its two stages.
    Kiswahili = 0,
    /// Bao Kigogo, 4 x 12, relay sowing.
    Kigogo = 1,
    /// Bao la Kimasai (four rows), 4 x 12, single-seed stepping.
    Kimasai = 2,
}

impl Variant {
    /// All games, in the order of lists and tables.
    pub const ALL: [Variant; 3] = [Variant::Kiswahili, Variant::Kigogo, Variant::Kimasai];

    /// The identifier of the protocol and of the position text.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Kiswahili => "kiswahili",
            Variant::Kigogo => "kigogo",
            Variant::Kimasai => "kimasai",
        }
    }

    /// The game of that identifier, exact in case.
    ///
    /// ```
    /// use kete::game::Variant;
    /// assert_eq!(Variant::from_name("kigogo"), Some(Variant::Kigogo));
    /// assert_eq!(Variant::from_name("Kigogo"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|v| v.name() == name)
    }

    /// Pits in a row: 8 or 12.
    pub const fn columns(self) -> u8 {
        match self {
            Variant::Kiswahili => 8,
            Variant::Kigogo | Variant::Kimasai => 12,
        }
    }

    /// Seeds in the game at its start, reserves included (rules K1, M1, S1).
    pub const fn seeds(self) -> u32 {
        match self {
            Variant::Kiswahili => 64,
            Variant::Kigogo => 92,
            Variant::Kimasai => 46,
        }
    }

    /// Whether the game has reserves, houses and takasia.
    pub const fn has_reserves(self) -> bool {
        matches!(self, Variant::Kiswahili)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
