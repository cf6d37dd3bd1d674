//! A joint estimate of the strength of several engines.
