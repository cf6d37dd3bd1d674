//! The clock of one side.
