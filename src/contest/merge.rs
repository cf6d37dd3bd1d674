//! Pools the records of matches that were played apart.
