//! What the games of a match add up to.
