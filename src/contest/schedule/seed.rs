//! Numbers made of others, that look like chance.

/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*): adds the golden ratio, 2^64 / phi,
/// and scatters the bits.
pub(super) fn scattered(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number made of a seed and parts: h is [`scattered`] seed, and for each part in turn h becomes [`scattered`] (h xor
/// part).
pub(super) fn mixed<const N: usize>(seed: u64, parts: [u64; N]) -> u64 {
    parts.into_iter().fold(scattered(seed), |h, part| scattered(h ^ part))
}
