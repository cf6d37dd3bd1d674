//! Matches as PGN, for other people's tools.
