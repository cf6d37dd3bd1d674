//! Games that need not be played to their end: given up, drawn by agreement of the engines, or too long.
