//! The grammar of an engine's answers, with nom, for whoever talks to one.
