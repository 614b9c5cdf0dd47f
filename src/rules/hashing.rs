//! Hash numbers: the same on every machine and in every build, because records may be ordered by them.

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): distinct numbers give distinct results.
pub const fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Adds `number` to a hash in which order counts.
pub const fn mix(hash: u64, number: u64) -> u64 {
    scramble(hash.rotate_left(23) ^ scramble(number))
}
