//! Who takes whom, and the fourteen identities that share one pool.

use crate::game::Pool;
use crate::rules::pieces::{Color, Piece, Role};

/// The roles by rank, highest first: the order pools are written in.
pub const RANKED: [Role; 7] =
    [Role::King, Role::Advisor, Role::Elephant, Role::Chariot, Role::Horse, Role::Cannon, Role::Soldier];

/// How many pieces of each role a side has, in the order of [`RANKED`].
pub const DEALT: [u8; 7] = [1, 2, 2, 2, 2, 2, 5];

/// Counts of face-down pieces of both colours, by [`identity`].
pub type PiecePool = Pool<14>;

/// Everything face down.
pub const FULL: PiecePool = PiecePool::new([1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5]);

/// The place of a role in [`RANKED`].
#[inline]
pub const fn rank(role: Role) -> usize {
    match role {
        Role::King => 0,
        Role::Advisor => 1,
        Role::Elephant => 2,
        Role::Chariot => 3,
        Role::Horse => 4,
        Role::Cannon => 5,
        Role::Soldier => 6,
    }
}

/// The number of a piece's identity, below 14: Red's by rank, then Black's.
#[inline]
pub const fn identity(piece: Piece) -> usize {
    piece.color as usize * RANKED.len() + rank(piece.role)
}

/// The piece of an identity.
#[inline]
pub const fn piece(identity: usize) -> Piece {
    let color = if identity < RANKED.len() { Color::Red } else { Color::Black };
    Piece { color, role: RANKED[identity % RANKED.len()] }
}

/// Whether a piece takes an enemy next to it: one of equal or lower rank; but soldiers take the general, he
/// does not take them, and cannons take nothing that is next to them.
pub const fn takes_next_to(taker: Role, prey: Role) -> bool {
    match (taker, prey) {
        (Role::Cannon, _) | (Role::King, Role::Soldier) => false,
        (Role::Soldier, Role::King) => true,
        _ => rank(taker) <= rank(prey),
    }
}

/// How many of `pool` are pieces of `color`.
pub fn count_of(pool: &PiecePool, color: Color) -> u32 {
    of_color(pool, color).iter().map(|&count| u32::from(count)).sum()
}

/// The part of `pool` that is pieces of `color`, by rank.
pub fn of_color(pool: &PiecePool, color: Color) -> &[u8] {
    &pool.counts()[color as usize * RANKED.len()..][..RANKED.len()]
}

/// What each piece is worth, in soldiers, by rank.
///
/// The marks that the training environment banqi-core gives for captures, over those of a soldier: 30 for the
/// general, 10 for an advisor, 5 for each in between, 2 for a soldier.
const VALUES: [f32; 7] = [15.0, 5.0, 2.5, 2.5, 2.5, 2.5, 1.0];

/// What a piece is worth, in soldiers.
pub const fn value(role: Role) -> f32 {
    VALUES[rank(role)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_numbered_in_the_order_of_pools() {
        let letters: String = (0..14).map(|identity| piece(identity).letter()).collect();
        assert_eq!(letters, "KABRNCPkabrncp");
        assert!((0..14).all(|number| identity(piece(number)) == number));
        assert_eq!(FULL.total(), 32);
    }

    #[test]
    fn the_matrix_is_that_of_the_rules() {
        let rows = ["yyyyyyn", "nyyyyyy", "nnyyyyy", "nnnyyyy", "nnnnyyy", "nnnnnnn", "ynnnnny"];
        for (taker, row) in RANKED.into_iter().zip(rows) {
            let takes = RANKED.map(|prey| if takes_next_to(taker, prey) { 'y' } else { 'n' });
            assert_eq!(takes.iter().collect::<String>(), row, "{taker:?}");
        }
    }
}
