//! Which games a match has, in which order.
