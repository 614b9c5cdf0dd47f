//! A network on disk, with all that continues its training.
//!
//! A checkpoint is a folder: `card.toml`, `weights.safetensors`, `training.safetensors` and `losses.csv`.
//! To play, its card and weights are enough. It is written in its [`Place`]'s workshop and renamed, so that
//! a folder under its own name is always whole.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tch::Tensor;

use super::{Card, Layout, NetError, Network, Place, Rating, place};
use crate::game::fnv1a;

/// Tensors by name.
pub type NamedTensors = Vec<(String, Tensor)>;

const CARD: &str = "card.toml";
const WEIGHTS: &str = "weights.safetensors";
const TRAINING: &str = "training.safetensors";
const LOSSES: &str = "losses.csv";

/// A network, its card, and what its training needs to go on.
#[derive(Debug)]
pub struct Checkpoint {
    pub card: Card,
    /// The network that plays. Its weights need not be those of the last step.
    pub network: Network,
    /// What training goes on with: the weights of the last step, the optimiser's state.
    pub training: NamedTensors,
    /// The course of the losses so far, as CSV text.
    pub losses: String,
}

impl Checkpoint {
    /// Reads the checkpoint at `path` with all that continues its training.
    ///
    /// # Errors
    ///
    /// If there is no whole checkpoint, or it was made for another layout.
    pub fn load(path: &Path, layout: &Layout) -> Result<Self, NetError> {
        let (card, network) = load_network(path, layout)?;
        let path = place::readable(path);
        card.check_trainable(&path)?;
        let training = read_tensors(&path.join(TRAINING))?.into_iter().collect();
        let losses_path = path.join(LOSSES);
        let losses = fs::read_to_string(&losses_path).map_err(NetError::unreadable(&losses_path))?;
        Ok(Self { card, network, training, losses })
    }

    /// Writes the checkpoint to its place, whole or not at all. A checkpoint that stands there is replaced.
    ///
    /// # Errors
    ///
    /// If the disk refuses; what stood there still stands.
    pub fn save(&self, place: &Place) -> Result<(), NetError> {
        place.fill(|folder| {
            write_tensors(&self.network.tensors(), &folder.join(WEIGHTS))?;
            write_tensors(&self.training, &folder.join(TRAINING))?;
            for (name, text) in [(LOSSES, &self.losses), (CARD, &self.card.to_toml())] {
                let path = folder.join(name);
                fs::write(&path, text).map_err(NetError::unwritable(&path))?;
            }
            Ok(())
        })
    }
}

/// Reads of the checkpoint at `path` what playing with it takes.
///
/// # Errors
///
/// If there is no whole checkpoint, or it was made for another layout.
pub fn load_network(path: &Path, layout: &Layout) -> Result<(Card, Network), NetError> {
    let card = card_of(path, layout)?;
    let folder = place::readable(path);
    let network = Network::new(&card.net, layout, 0);
    let path = folder.join(WEIGHTS);
    fill(&network.tensors(), read_tensors(&path)?, &path)?;
    Ok((card, network))
}

/// Reads the card of the checkpoint at `path`.
///
/// # Errors
///
/// If there is no checkpoint, or it was made for another layout.
pub fn card_of(path: &Path, layout: &Layout) -> Result<Card, NetError> {
    let card = card_at(path)?;
    card.check(layout, &place::readable(path))?;
    Ok(card)
}

/// Reads the card of the checkpoint at `path`, whatever game it is for.
///
/// # Errors
///
/// If there is no checkpoint, or its card cannot be read.
pub fn card_at(path: &Path) -> Result<Card, NetError> {
    let card_path = place::readable(path).join(CARD);
    if !card_path.is_file() {
        return Err(NetError::NotACheckpoint { path: path.into() });
    }
    Card::read(&card_path)
}

/// Says on the card of the checkpoint at `path` how strong its network was found to be, in place of what stood there.
///
/// # Errors
///
/// If there is no checkpoint, its card cannot be read, or the disk refuses; the card is then as it was.
pub fn note_rating(path: &Path, rating: Rating) -> Result<(), NetError> {
    let mut card = card_at(path)?;
    if card.rating.as_ref() == Some(&rating) {
        return Ok(());
    }
    card.rating = Some(rating);
    place::replace(&place::readable(path).join(CARD), &card.to_toml())
}

/// Whether there is a checkpoint at `path`, to judge by its card.
pub fn stands_at(path: &Path) -> bool {
    place::readable(path).join(CARD).is_file()
}

/// Whether the checkpoint at `path` can play: one that was [emptied](drop_tensors) cannot.
pub fn has_weights(path: &Path) -> bool {
    place::readable(path).join(WEIGHTS).is_file()
}

/// Takes the tensors out of the checkpoint at `path`; its card and the course of its losses stay. Says how
/// many bytes that freed.
///
/// # Errors
///
/// If the disk refuses.
pub fn drop_tensors(path: &Path) -> Result<u64, NetError> {
    let folder = place::readable(path);
    let mut freed = 0;
    // What training goes on from first: weights alone still play.
    for path in [TRAINING, WEIGHTS].map(|name| folder.join(name)) {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        fs::remove_file(&path).map_err(NetError::unwritable(&path))?;
        freed += metadata.len();
    }
    Ok(freed)
}

/// A number that tells the weights of the checkpoint at `path` from any others: FNV-1a over their file.
///
/// # Errors
///
/// If the file cannot be read.
pub fn weights_fingerprint(path: &Path) -> Result<u64, NetError> {
    let path = place::readable(path).join(WEIGHTS);
    Ok(fnv1a(&fs::read(&path).map_err(NetError::unreadable(&path))?))
}

/// Writes tensors under their names, in the format of the library `safetensors`.
///
/// # Errors
///
/// If the disk refuses.
pub fn write_tensors(tensors: &[(String, Tensor)], path: &Path) -> Result<(), NetError> {
    Tensor::write_safetensors(tensors, path)
        .map_err(|source| NetError::UnwritableTensors { path: path.into(), source })
}

fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>, NetError> {
    let tensors =
        Tensor::read_safetensors(path).map_err(|source| NetError::Tensors { path: path.into(), source })?;
    Ok(tensors.into_iter().collect())
}

/// Copies stored tensors into those of the same names; `path` is named in errors.
pub(super) fn fill(
    tensors: &[(String, Tensor)],
    mut stored: HashMap<String, Tensor>,
    path: &Path,
) -> Result<(), NetError> {
    for (name, tensor) in tensors {
        let source = stored
            .remove(name)
            .ok_or_else(|| NetError::MissingTensor { path: path.into(), name: name.clone() })?;
        if source.size() != tensor.size() || source.kind() != tensor.kind() {
            return Err(NetError::Mismatch {
                path: path.into(),
                what: format!("tensor '{name}'"),
                found: format!("{:?} {:?}", source.kind(), source.size()),
                expected: format!("{:?} {:?}", tensor.kind(), tensor.size()),
            });
        }
        tch::no_grad(|| tensor.shallow_clone().f_copy_(&source))
            .map_err(NetError::torch("reading a network"))?;
    }
    Ok(())
}
