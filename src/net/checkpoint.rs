//! A network on disk, with all that continues its training.
//!
//! A checkpoint is a folder: `card.toml`, `weights.safetensors`, `optimizer.safetensors` and `losses.csv`.
//! It is written under another name, brought to the disk and renamed, so that a folder under its own name
//! is always whole. Where it replaces an older one, that one is set aside as `NAME.old` in between, and
//! [`Checkpoint::load`] finds it there if the work ended at that very moment.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tch::Tensor;

use super::{Card, Layout, NetError, Network};

/// Tensors by name.
pub type NamedTensors = Vec<(String, Tensor)>;

const CARD: &str = "card.toml";
const WEIGHTS: &str = "weights.safetensors";
const OPTIMIZER: &str = "optimizer.safetensors";
const LOSSES: &str = "losses.csv";

/// A network, its card, and what its training needs to go on.
#[derive(Debug)]
pub struct Checkpoint {
    pub card: Card,
    pub network: Network,
    /// The optimiser's state; empty before the first step.
    pub optimizer: NamedTensors,
    /// The course of the losses so far, as CSV text.
    pub losses: String,
}

impl Checkpoint {
    /// Reads the checkpoint at `path`.
    ///
    /// # Errors
    ///
    /// If there is no whole checkpoint, or it was made for another layout.
    pub fn load(path: &Path, layout: &Layout) -> Result<Self, NetError> {
        let aside = sibling(path, "old");
        let path = if !path.exists() && aside.exists() { &aside } else { path };
        let card_path = path.join(CARD);
        if !card_path.is_file() {
            return Err(NetError::NotACheckpoint { path: path.into() });
        }
        let card = Card::read(&card_path)?;
        card.check(layout, path)?;
        let network = Network::new(&card.net, layout, 0);
        fill(&network.tensors(), &path.join(WEIGHTS))?;
        let optimizer = read_tensors(&path.join(OPTIMIZER))?.into_iter().collect();
        let losses_path = path.join(LOSSES);
        let losses = fs::read_to_string(&losses_path).map_err(NetError::unreadable(&losses_path))?;
        Ok(Self { card, network, optimizer, losses })
    }

    /// Writes the checkpoint to `path`, whole or not at all. A checkpoint that stands there is replaced.
    ///
    /// # Errors
    ///
    /// If the disk refuses, or something else than a checkpoint stands at `path`.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        if path.exists() && !path.join(CARD).is_file() {
            return Err(NetError::Occupied { path: path.into() });
        }
        let (written, aside) = (sibling(path, "tmp"), sibling(path, "old"));
        remove(&written)?;
        fs::create_dir_all(&written).map_err(NetError::unwritable(&written))?;
        self.write_into(&written)?;
        if path.exists() {
            remove(&aside)?;
            fs::rename(path, &aside).map_err(NetError::unwritable(&aside))?;
        }
        fs::rename(&written, path).map_err(NetError::unwritable(path))?;
        sync(path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))?;
        remove(&aside)
    }

    fn write_into(&self, folder: &Path) -> Result<(), NetError> {
        write_tensors(&self.network.tensors(), &folder.join(WEIGHTS))?;
        write_tensors(&self.optimizer, &folder.join(OPTIMIZER))?;
        for (name, text) in [(LOSSES, self.losses.clone()), (CARD, self.card.to_toml())] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(NetError::unwritable(&path))?;
        }
        for name in [WEIGHTS, OPTIMIZER, LOSSES, CARD] {
            sync(&folder.join(name))?;
        }
        sync(folder)
    }
}

/// `runs/net` becomes `runs/net.tmp`.
fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn remove(folder: &Path) -> Result<(), NetError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(NetError::unwritable(folder)(error))
        }
        _ => Ok(()),
    }
}

/// Waits until a file, or the names in a folder, are on the disk.
fn sync(path: &Path) -> Result<(), NetError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(NetError::unwritable(path))
}

fn write_tensors(tensors: &[(String, Tensor)], path: &Path) -> Result<(), NetError> {
    Tensor::write_safetensors(tensors, path).map_err(|source| NetError::Tensors { path: path.into(), source })
}

fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>, NetError> {
    let tensors =
        Tensor::read_safetensors(path).map_err(|source| NetError::Tensors { path: path.into(), source })?;
    Ok(tensors.into_iter().collect())
}

/// Copies the tensors of a file into those of the same names.
fn fill(tensors: &[(String, Tensor)], path: &Path) -> Result<(), NetError> {
    let mut stored = read_tensors(path)?;
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
