//! A network for other programs.

use std::path::Path;

use tch::{CModule, Device, Kind, Tensor};

use super::{Deployed, Head, NetError, Network, Output, Precision, write_tensors};

/// The form of an exported network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The tensors by name, as the checkpoint has them.
    Safetensors,
    /// A module that PyTorch and libtorch run without this program.
    TorchScript,
}

impl Format {
    /// The name of the file in the exported folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Safetensors => "model.safetensors",
            Self::TorchScript => "model.pt",
        }
    }
}

/// The positions a module is traced with; it takes any number of them.
const TRACED_ROWS: i64 = 2;

/// Writes a network to a file.
///
/// A TorchScript module takes a tensor `[batch, planes, rows, files]` of 32-bit floats and gives one of
/// `[batch, columns]`, as such a module gives no more than one; [`columns`] says what is in it.
///
/// # Errors
///
/// If libtorch fails or the disk refuses.
pub fn write(network: &Network, format: Format, path: &Path) -> Result<(), NetError> {
    match format {
        Format::Safetensors => write_tensors(&network.tensors(), path),
        Format::TorchScript => {
            let module = traced(network).map_err(NetError::torch("tracing a network"))?;
            module.save(path).map_err(|source| NetError::UnwritableTensors { path: path.into(), source })
        }
    }
}

fn traced(network: &Network) -> Result<CModule, tch::TchError> {
    let deployed = Deployed::new(network, Precision::Float32);
    let shape = network.layout().shape;
    let size = [TRACED_ROWS, shape.planes as i64, shape.rows as i64, shape.files as i64];
    let planes = Tensor::f_zeros(size, (Kind::Float, Device::Cpu))?;
    let mut failed = None;
    let mut run = |inputs: &[Tensor]| match side_by_side(&deployed, &inputs[0]) {
        Ok(output) => vec![output],
        Err(error) => {
            failed = Some(error);
            Vec::new()
        }
    };
    let module = CModule::create_by_tracing("FacedownNetwork", "forward", &[planes], &mut run)?;
    failed.map_or(Ok(module), Err)
}

/// All that a network says, as [`columns`] lists it.
fn side_by_side(deployed: &Deployed, planes: &Tensor) -> Result<Tensor, tch::TchError> {
    let Output { policy, wdl, plies_left, settlement, belief } = deployed.forward(planes)?;
    let mut parts = vec![policy, wdl];
    for single in [plies_left, settlement].into_iter().flatten() {
        parts.push(single.f_unsqueeze(-1)?);
    }
    parts.extend(belief);
    Tensor::f_cat(&parts, 1)
}

/// What a module's output holds, as names with the number of columns of each, in order: scores of all moves
/// and of win, draw and loss, from before any softmax, then what heads the network has.
pub fn columns(network: &Network) -> Vec<(&'static str, usize)> {
    let (config, layout) = (network.config(), network.layout());
    let heads = [
        (Head::PliesLeft, "hundreds of plies left", 1),
        (Head::Settlement, "settlement, -1 to 1", 1),
        (Head::Belief, "belief by kind of piece", layout.secret_kinds),
    ];
    let has = heads.into_iter().filter(|&(head, ..)| config.has(head, layout));
    let always = [("policy", layout.policy_len()), ("win, draw, loss", 3)];
    always.into_iter().chain(has.map(|(_, name, number)| (name, number))).collect()
}
