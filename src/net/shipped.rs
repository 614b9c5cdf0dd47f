//! The networks that come with the program, one for each game: checkpoints without what would continue their
//! training, built into the binary.

use std::collections::HashMap;
use std::path::Path;

use safetensors::SafeTensors;
use tch::{TchError, Tensor};

use super::checkpoint::fill;
use super::{Card, Layout, NetError, Network};
use crate::game::fnv1a;

struct Shipped {
    /// Where it lies in the sources.
    folder: &'static str,
    card: &'static str,
    weights: &'static [u8],
}

const SHIPPED: [Shipped; 2] = [
    Shipped {
        folder: "assets/jieqi",
        card: include_str!("../../assets/jieqi/card.toml"),
        weights: include_bytes!("../../assets/jieqi/weights.safetensors"),
    },
    Shipped {
        folder: "assets/banqi",
        card: include_str!("../../assets/banqi/card.toml"),
        weights: include_bytes!("../../assets/banqi/weights.safetensors"),
    },
];

/// The network that comes with the program for the game of `layout`.
///
/// # Errors
///
/// If there is none, or it was made for another encoding of the game.
pub fn shipped_network(layout: &Layout) -> Result<(Card, Network), NetError> {
    for Shipped { folder, card, weights } in SHIPPED {
        let folder = Path::new(folder);
        let card = Card::parse(card, folder)?;
        if card.game == layout.game {
            card.check(layout, folder)?;
            let network = Network::new(&card.net, layout, 0);
            let stored =
                tensors(weights).map_err(|source| NetError::Tensors { path: folder.into(), source })?;
            fill(&network.tensors(), stored, folder)?;
            return Ok((card, network));
        }
    }
    Err(NetError::NotShipped { game: layout.game.clone() })
}

/// A number that tells the weights of this build from those of others: FNV-1a over them.
pub fn shipped_fingerprint() -> u64 {
    fnv1a(&SHIPPED.map(|shipped| fnv1a(shipped.weights).to_le_bytes()).concat())
}

fn tensors(bytes: &[u8]) -> Result<HashMap<String, Tensor>, TchError> {
    let named = SafeTensors::deserialize(bytes).map_err(|error| TchError::Convert(error.to_string()))?;
    named.tensors().into_iter().map(|(name, view)| Ok((name, Tensor::try_from(view)?))).collect()
}
